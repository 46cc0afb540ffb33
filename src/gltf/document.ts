// Reads the physics extensions of a file into one form: KHR_physics_rigid_bodies with KHR_implicit_shapes, the drafts before it,
// and the OMI extensions. Of talus it uses only the checks.
import { TalusError } from '../checks/errors';
import { show } from '../checks/show';
import { checkBoolean, checkQuat, checkWord } from '../checks/validate';
import type { Issues } from './issues';
import { type GltfJson, indexAt, type Json, listAt, numberAt, objectAt, objectsAt, vectorAt, wordsAt } from './json';

/** Dimensions of a shape, m, before any scale. */
export type ImplicitShape =
  | { type: 'box'; size: readonly [number, number, number] }
  | { type: 'sphere'; radius: number }
  | { type: 'capsule' | 'cylinder'; height: number; radiusTop: number; radiusBottom: number }
  | { type: 'plane'; sizeX: number | undefined; sizeZ: number | undefined; doubleSided: boolean };

/** Source of a collider or trigger: exactly one of `shape`, `node` and `mesh`. */
export interface Geometry {
  path: string;
  shape?: ImplicitShape;
  /** A node: all of its meshes and those of nodes in it. */
  node?: number;
  mesh?: number;
  convexHull: boolean;
}

export interface Motion {
  path: string;
  type: 'dynamic' | 'kinematic' | 'static';
  /** Mass, kg; Infinity is allowed; undefined: the mass of the colliders. */
  mass: number | undefined;
  /** Center of mass in the space of the node. */
  centerOfMass: [number, number, number] | undefined;
  /** Moments of inertia, kg m2; may be infinite. */
  inertiaDiagonal: [number, number, number] | undefined;
  inertiaOrientation: ArrayLike<number>;
  linearVelocity: [number, number, number];
  angularVelocity: [number, number, number];
  gravityFactor: number;
}

export interface Surface {
  friction: number;
  restitution: number;
  frictionCombine: 'average' | 'min' | 'max' | 'multiply';
  restitutionCombine: 'average' | 'min' | 'max' | 'multiply';
  /** Whether the file itself sets the friction. */
  saysFriction: boolean;
  saysRestitution: boolean;
}

export interface Filter {
  systems: readonly string[];
  collideWith: readonly string[] | undefined;
  notCollideWith: readonly string[] | undefined;
}

export interface Limit {
  path: string;
  isLinear: boolean;
  axes: readonly number[];
  min: number;
  max: number;
  stiffness: number | undefined;
  damping: number;
}

export interface Drive {
  path: string;
  isLinear: boolean;
  isAcceleration: boolean;
  axis: number;
  maxForce: number;
  positionTarget: number;
  velocityTarget: number;
  stiffness: number;
  damping: number;
}

/** Limits and drives, which any number of joints may share. */
export interface JointSettings {
  path: string;
  limits: Limit[];
  drives: Drive[];
}

export interface ColliderPart {
  path: string;
  geometry: Geometry;
  surface: Surface | undefined;
  filter: Filter | undefined;
}

export interface TriggerPart {
  path: string;
  geometry: Geometry | undefined;
  filter: Filter | undefined;
  /** Nodes of a compound trigger. */
  nodes: readonly number[];
}

export interface JointPart {
  path: string;
  connectedNode: number;
  settings: JointSettings;
  enableCollision: boolean;
}

/** The physics of a node. */
export interface NodePhysics {
  motion?: Motion;
  collider?: ColliderPart;
  trigger?: TriggerPart;
  joint?: JointPart;
}

/** All nodes with physics, by their index. */
export type PhysicsDocument = ReadonlyMap<number, NodePhysics>;

const KHR = 'KHR_physics_rigid_bodies';
const OMI_BODY = 'OMI_physics_body';
const OMI_JOINT = 'OMI_physics_joint';
const SHAPES = ['KHR_implicit_shapes', 'KHR_collision_shapes', 'OMI_physics_shape'];
/** Extensions that are read, and physics extensions that are known but not read. */
const READ = [KHR, OMI_BODY, OMI_JOINT, ...SHAPES];
const PHYSICAL = /^OMI_(physics|collider|vehicle|rigid)|^KHR_(physics|collision|rigid)|^MSFT_(rigid|collision|physics)/;
const COMBINE = ['average', 'minimum', 'maximum', 'multiply'] as const;
const RULES = ['average', 'min', 'max', 'multiply'] as const;
/** Combine rules of talus; the first wins if two colliders differ. */
const STRONGEST = ['max', 'min', 'multiply', 'average'] as const;
/** Default sizes of shapes: of KHR_implicit_shapes, and of OMI_physics_shape. */
const SIZES = { khr: { capsule: [0.5, 0.25], cylinder: [0.5, 0.25] }, omi: { capsule: [1, 0.5], cylinder: [2, 0.5] } } as const;

const flag = (of: Json, key: string, path: string): boolean =>
  of[key] !== undefined && checkBoolean(of[key], `gltf: ${path}.${key}`);

class DocumentReader {
  private readonly nodeCount: number;
  private readonly meshCount: number;
  private readonly settings = new Map<string, JointSettings>();
  private readonly surfaces = new Map<string, Surface>();

  constructor(
    private readonly json: GltfJson,
    private readonly issues: Issues,
  ) {
    this.nodeCount = listAt(json, 'nodes', 'file').length;
    this.meshCount = listAt(json, 'meshes', 'file').length;
  }

  read(): PhysicsDocument {
    const out = new Map<number, NodePhysics>();
    for (const [i, node] of objectsAt(this.json, 'nodes', 'file').entries()) {
      const extensions = objectAt(node, 'extensions', `nodes[${i}]`);
      const found = extensions && this.readNode(i, extensions);
      if (found) out.set(i, found);
    }
    for (const name of listAt(this.json, 'extensionsUsed', 'file')) {
      if (typeof name === 'string' && PHYSICAL.test(name) && !READ.includes(name))
        this.issues.skipped('extensionsUsed', -1, `the extension ${name} is not read`);
    }
    return out;
  }

  private readNode(node: number, extensions: Json): NodePhysics | null {
    const at = `nodes[${node}].extensions`;
    const name = KHR in extensions ? KHR : OMI_BODY;
    const body = objectAt(extensions, name, at);
    const path = `${at}.${name}`;
    const out: NodePhysics = {};
    const motion = objectAt(body, 'motion', path);
    if (motion) out.motion = name === KHR ? this.motion(motion, `${path}.motion`) : this.omiMotion(motion, `${path}.motion`);
    const collider = objectAt(body, 'collider', path);
    if (collider) {
      const part = this.collider(collider, `${path}.collider`, name, node);
      if (part) out.collider = part;
    }
    const trigger = objectAt(body, 'trigger', path);
    if (trigger) out.trigger = this.trigger(trigger, `${path}.trigger`, name, node);
    const [joint, owner] = body?.joint ? [objectAt(body, 'joint', path), name] : [objectAt(extensions, OMI_JOINT, at), OMI_JOINT];
    if (joint) out.joint = this.joint(joint, owner === OMI_JOINT ? `${at}.${OMI_JOINT}` : `${path}.joint`, owner, node);
    return Object.keys(out).length > 0 ? out : null;
  }

  private motion(of: Json, path: string): Motion {
    const mass = numberAt(of, 'mass', path, undefined, 0);
    const inertia = vectorAt(of, 'inertiaDiagonal', path);
    const isKinematic = flag(of, 'isKinematic', path);
    return {
      ...this.velocities(of, path),
      type: isKinematic ? 'kinematic' : 'dynamic',
      // Zero is written for what JSON cannot write.
      mass: mass === 0 ? Infinity : mass,
      inertiaDiagonal: inertia && (inertia.map((x) => (x === 0 ? Infinity : x)) as typeof inertia),
    };
  }

  private omiMotion(of: Json, path: string): Motion {
    const types = ['dynamic', 'static', 'kinematic'] as const;
    const type = types[of.type === undefined ? 0 : checkWord(of.type, `gltf: ${path}.type`, types)]!;
    const inertia = vectorAt(of, 'inertiaDiagonal', path);
    return {
      ...this.velocities(of, path),
      type,
      mass: numberAt(of, 'mass', path, 1, 0) || undefined,
      inertiaDiagonal: inertia?.some((x) => x !== 0) ? inertia : undefined,
    };
  }

  private velocities(of: Json, path: string): Omit<Motion, 'type' | 'mass' | 'inertiaDiagonal'> {
    const zero: [number, number, number] = [0, 0, 0];
    const turn = of.inertiaOrientation;
    return {
      path,
      centerOfMass: vectorAt(of, 'centerOfMass', path),
      inertiaOrientation: turn === undefined ? [0, 0, 0, 1] : checkQuat(turn, `gltf: ${path}.inertiaOrientation`),
      linearVelocity: vectorAt(of, 'linearVelocity', path) ?? zero,
      angularVelocity: vectorAt(of, 'angularVelocity', path) ?? zero,
      gravityFactor: numberAt(of, 'gravityFactor', path, 1, -1000, 1000),
    };
  }

  /** Returns the geometry of a collider or trigger; null if it cannot be used. */
  private geometry(of: Json, path: string, name: string, node: number): Geometry | null {
    const inner = objectAt(of, 'geometry', path);
    const at = inner ? `${path}.geometry` : path;
    const from = inner ?? of;
    const convexHull = flag(from, 'convexHull', at);
    const { list, owner } = this.shapesFor(name);
    const shape = indexAt(from, 'shape', at, list.length);
    if (shape !== undefined) return this.shape(list[shape]!, `extensions.${owner}.shapes[${shape}]`, owner, at, convexHull, node);
    const source = indexAt(from, 'node', at, this.nodeCount);
    if (source !== undefined) return { path: at, node: source, convexHull };
    const mesh = indexAt(from, 'mesh', at, this.meshCount);
    if (mesh !== undefined) return { path: at, mesh, convexHull };
    this.issues.skipped(at, node, 'it has neither shape nor node, so it has no geometry');
    return null;
  }

  /** Returns the list of shapes that an extension refers to: its own list first, then the others. */
  private shapesFor(name: string): { list: readonly Json[]; owner: string } {
    const extensions = objectAt(this.json, 'extensions', 'file');
    const order = name === OMI_BODY ? [...SHAPES].reverse() : SHAPES;
    for (const owner of order) {
      const found = objectAt(extensions, owner, 'extensions');
      if (found) return { list: objectsAt(found, 'shapes', `extensions.${owner}`), owner };
    }
    return { list: [], owner: SHAPES[0]! };
  }

  private shape(shape: Json, at: string, owner: string, path: string, convexHull: boolean, node: number): Geometry | null {
    const type = String(shape.type);
    const size = objectAt(shape, type, at) ?? {};
    const inner = `${at}.${type}`;
    const round = SIZES[owner === 'OMI_physics_shape' ? 'omi' : 'khr'];
    /** Returns a length, which must be above zero. */
    const length = (key: string, other: number) => {
      const value = numberAt(size, key, inner, other, 0);
      if (value > 0) return value;
      throw new TalusError('invalid-argument', `gltf: ${inner}.${key} must be more than 0`);
    };
    switch (type) {
      case 'box': {
        const edges = vectorAt(size, 'size', inner) ?? [1, 1, 1];
        if (!edges.every((x) => x > 0))
          throw new TalusError(
            'invalid-argument',
            `gltf: ${inner}.size must be more than 0 on each axis, got ${edges.join(', ')}`,
          );
        return { path, shape: { type, size: edges }, convexHull };
      }
      case 'sphere':
        return { path, shape: { type, radius: length('radius', 0.5) }, convexHull };
      case 'capsule':
      case 'cylinder': {
        const [height, radius] = round[type];
        // The OMI drafts had one radius.
        const both = numberAt(size, 'radius', inner, radius, 0);
        const radiusTop = numberAt(size, 'radiusTop', inner, both, 0);
        const radiusBottom = numberAt(size, 'radiusBottom', inner, both, 0);
        if (!(radiusTop > 0 || radiusBottom > 0))
          throw new TalusError('invalid-argument', `gltf: ${inner} must have a radius of more than 0 at one of its ends`);
        return { path, shape: { type, height: length('height', height), radiusTop, radiusBottom }, convexHull };
      }
      case 'plane': {
        const sizeX = size.sizeX === undefined ? undefined : length('sizeX', 1);
        const sizeZ = size.sizeZ === undefined ? undefined : length('sizeZ', 1);
        return { path, shape: { type, sizeX, sizeZ, doubleSided: flag(size, 'doubleSided', inner) }, convexHull };
      }
      case 'convex':
      case 'trimesh':
      case 'mesh': {
        const mesh = indexAt(size, 'mesh', inner, this.meshCount);
        const own = objectAt(objectAt(shape, 'extensions', at), KHR, at);
        const isHull = convexHull || type === 'convex' || (own !== undefined && flag(own, 'convexHull', at));
        if (mesh !== undefined) return { path, mesh, convexHull: isHull };
        this.issues.skipped(at, node, `a shape of type '${type}' names no mesh`);
        return null;
      }
      default:
        this.issues.skipped(at, node, `shapes of type ${show(shape.type)} are not known`);
        return null;
    }
  }

  private collider(of: Json, path: string, name: string, node: number): ColliderPart | null {
    const geometry = this.geometry(of, path, name, node);
    if (!geometry) return null;
    const materials = this.listOf(name, 'physicsMaterials');
    const index = indexAt(of, 'physicsMaterial', path, materials.length);
    const surface =
      index === undefined ? undefined : this.surface(materials[index]!, `extensions.${name}.physicsMaterials[${index}]`);
    return { path, geometry, surface, filter: this.filter(of, path, name) };
  }

  private listOf(name: string, key: string): readonly Json[] {
    return objectsAt(objectAt(objectAt(this.json, 'extensions', 'file'), name, 'extensions'), key, `extensions.${name}`);
  }

  private surface(of: Json, path: string): Surface {
    let surface = this.surfaces.get(path);
    if (!surface) {
      surface = this.readSurface(of, path);
      for (const [other, known] of this.surfaces) this.compareRules(path, surface, other, known);
      this.surfaces.set(path, surface);
    }
    return surface;
  }

  /** Two materials may ask for different rules. The file's order of rules then decides, and that of talus is different. */
  private compareRules(path: string, a: Surface, other: string, b: Surface): void {
    for (const [key, rule, said] of [
      ['friction', 'frictionCombine', 'saysFriction'],
      ['restitution', 'restitutionCombine', 'saysRestitution'],
    ] as const) {
      const [one, two] = [a[rule], b[rule]];
      if (!a[said] || !b[said] || one === two || a[key] === b[key]) continue;
      const theirs = RULES.find((word) => word === one || word === two)!;
      const ours = STRONGEST.find((word) => word === one || word === two)!;
      if (theirs === ours) continue;
      this.issues.approximated(
        path,
        -1,
        `its ${key} and that of ${other} combine by different rules: talus takes '${ours}', the file means '${theirs}'`,
      );
    }
  }

  private readSurface(of: Json, path: string): Surface {
    const friction = numberAt(of, 'dynamicFriction', path, 0.6, 0);
    const rest = numberAt(of, 'staticFriction', path, of.dynamicFriction === undefined ? 0.6 : friction, 0);
    const restitution = numberAt(of, 'restitution', path, 0, 0);
    if (Math.abs(rest - friction) > 1e-6) {
      this.issues.approximated(
        path,
        -1,
        `staticFriction ${rest} differs from dynamicFriction ${friction}: talus has one coefficient and takes the dynamic one`,
      );
    }
    if (restitution > 1) this.issues.approximated(path, -1, `restitution ${restitution} would gain energy: 1 is used`);
    if (friction > 100) this.issues.approximated(path, -1, `dynamicFriction ${friction} is more than 100: 100 is used`);
    const rule = (key: string) => {
      if (of[key] === undefined) return 'average';
      return RULES[checkWord(of[key], `gltf: ${path}.${key}`, COMBINE)]!;
    };
    return {
      friction: Math.min(friction, 100),
      restitution: Math.min(restitution, 1),
      frictionCombine: rule('frictionCombine'),
      restitutionCombine: rule('restitutionCombine'),
      saysFriction: of.frictionCombine !== undefined,
      saysRestitution: of.restitutionCombine !== undefined,
    };
  }

  private filter(of: Json, path: string, name: string): Filter | undefined {
    const filters = this.listOf(name, 'collisionFilters');
    const index = indexAt(of, 'collisionFilter', path, filters.length);
    if (index === undefined) return undefined;
    const at = `extensions.${name}.collisionFilters[${index}]`;
    const filter = filters[index]!;
    const only = wordsAt(filter, 'collideWithSystems', at);
    const not = wordsAt(filter, 'notCollideWithSystems', at);
    if (only.length > 0 && not.length > 0)
      throw new TalusError(
        'invalid-argument',
        `gltf: ${at} has collideWithSystems and notCollideWithSystems: it may have one of them`,
      );
    // OMI: an empty list is none. KHR: lists have one element or more.
    return {
      systems: wordsAt(filter, 'collisionSystems', at),
      collideWith: only.length > 0 ? only : undefined,
      notCollideWith: not.length > 0 ? not : undefined,
    };
  }

  private trigger(of: Json, path: string, name: string, node: number): TriggerPart {
    const nodes = listAt(of, 'nodes', path).map((_, i, all) =>
      indexAt({ [`nodes[${i}]`]: all[i] }, `nodes[${i}]`, path, this.nodeCount),
    );
    const parts = nodes.filter((one) => one !== undefined);
    const hasOwn = of.geometry !== undefined || (of.shape !== undefined && of.shape !== -1);
    const geometry = hasOwn || parts.length === 0 ? this.geometry(of, path, name, node) : null;
    return { path, geometry: geometry ?? undefined, filter: this.filter(of, path, name), nodes: parts };
  }

  private joint(of: Json, path: string, name: string, node: number): JointPart | undefined {
    const joints = this.listOf(name, 'physicsJoints');
    const connectedNode = indexAt(of, 'connectedNode', path, this.nodeCount);
    const joint = indexAt(of, 'joint', path, joints.length);
    if (connectedNode === undefined || joint === undefined) {
      this.issues.skipped(
        path,
        node,
        `a joint needs ${connectedNode === undefined ? 'a connectedNode' : 'an index into physicsJoints'}`,
      );
      return undefined;
    }
    const at = `extensions.${name}.physicsJoints[${joint}]`;
    let settings = this.settings.get(at);
    if (!settings) {
      const limits = objectsAt(joints[joint], 'limits', at).flatMap((limit, i) => this.limits(limit, `${at}.limits[${i}]`, name));
      const drives = objectsAt(joints[joint], 'drives', at).map((drive, i) => this.drive(drive, `${at}.drives[${i}]`));
      settings = { path: at, limits, drives };
      this.settings.set(at, settings);
    }
    return { path, connectedNode, settings, enableCollision: flag(of, 'enableCollision', path) };
  }

  /** Returns the limit; two if it names axes of both kinds, as OMI allows. */
  private limits(of: Json, path: string, name: string): Limit[] {
    const axesOf = (key: string) => {
      const axes = listAt(of, key, path).map((_, i, all) => indexAt({ [`${key}[${i}]`]: all[i] }, `${key}[${i}]`, path, 3) ?? 0);
      return [...new Set(axes)].sort();
    };
    const linear = axesOf('linearAxes');
    const angular = axesOf('angularAxes');
    if (linear.length === 0 && angular.length === 0)
      throw new TalusError('invalid-argument', `gltf: ${path} must have linearAxes or angularAxes`);
    const min = numberAt(of, 'min', path, -Infinity);
    const max = numberAt(of, 'max', path, Infinity);
    if (min > max) throw new TalusError('invalid-argument', `gltf: ${path}.min is more than max: ${min} > ${max}`);
    let stiffness = numberAt(of, 'stiffness', path, undefined);
    const damping = numberAt(of, 'damping', path, 0, 0);
    if (name === OMI_JOINT && stiffness !== undefined) {
      // Files have shares from 0 to 1 there, which as N/m would hold nothing.
      if (stiffness >= 0)
        this.issues.approximated(path, -1, 'the stiffness of a limit of OMI_physics_joint is left out: it is hard');
      stiffness = undefined;
    }
    return [linear, angular]
      .map((axes, k) => ({ path, isLinear: k === 0, axes, min, max, stiffness, damping }))
      .filter(({ axes }) => axes.length > 0);
  }

  private drive(of: Json, path: string): Drive {
    return {
      path,
      isLinear: checkWord(of.type, `gltf: ${path}.type`, ['linear', 'angular']) === 0,
      isAcceleration: of.mode !== undefined && checkWord(of.mode, `gltf: ${path}.mode`, ['force', 'acceleration']) === 1,
      axis: indexAt(of, 'axis', path, 3) ?? 0,
      maxForce: numberAt(of, 'maxForce', path, Infinity, 0),
      positionTarget: numberAt(of, 'positionTarget', path, 0),
      velocityTarget: numberAt(of, 'velocityTarget', path, 0),
      stiffness: numberAt(of, 'stiffness', path, 0, 0),
      damping: numberAt(of, 'damping', path, 0, 0),
    };
  }
}

/**
 * Reads the physics of all nodes.
 * @throws TalusError `invalid-argument` if the file contradicts its extensions: an index out of range, an unknown word
 */
export function readDocument(json: GltfJson, issues: Issues): PhysicsDocument {
  return new DocumentReader(json, issues).read();
}
