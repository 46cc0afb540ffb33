// Shapes of Babylon.js: one convex or hollow shape with an offset, or a container of others; and the colliders that a body gets
// from one.
import type { PhysicsMaterial } from '@babylonjs/core/Physics/v2/physicsMaterial.js';
import type { PhysicsShape } from '@babylonjs/core/Physics/v2/physicsShape.js';
import { TalusError } from '../checks/errors';
import { convexParts, type Decompose, type Decomposer } from '../engines/decompose';
import type { ColliderDesc, ShapeDesc, World } from '../index';
import { conjugate, multiply, NO_TURN, type Turn, turn, type Vector } from '../rigs/turns';
import type { CombineRule, ShapeId } from '../types';
import { growBounds, type Triangles, trianglesOf } from './triangles';
import { components, NO_SCALE } from './vectors';

/** Combine rules by PhysicsMaterialCombineMode. */
const RULES: readonly CombineRule[] = ['geometric', 'min', 'max', 'average', 'multiply'];
const MIN_RULE = 1;
const MAX_RULE = 2;

/** Mass (kg), center (m) and inertia about it (kg m2: xx yy zz xy xz yz) in the frame of the shape. */
export interface ShapeMass {
  mass: number;
  center: Vector;
  inertia: number[];
}

/** A shape in a container. */
export interface Child {
  shape: ShapeData;
  position: Vector;
  rotation: Turn;
  scale: Vector;
}

/** One collider of a body. */
export interface Part {
  shape: ShapeId;
  desc: ShapeDesc;
  position: Vector;
  rotation: Turn;
  /** The shape that the caller created, and the sources of its surface and filter. */
  source: ShapeData;
  rest: Omit<ColliderDesc, 'shape'>;
}

function isHollow(desc: ShapeDesc): boolean {
  return desc.type === 'mesh' || desc.type === 'heightfield' || desc.type === 'plane';
}

const hull = (points: number[]): ShapeDesc => ({ type: 'hull', points, maxVertices: 64 });

/** Returns a shape that is rotated by `rotation` and then scaled along the axes of its parent, in its own frame. */
function scaled(desc: ShapeDesc, rotation: Turn, scale: Vector): ShapeDesc {
  const [x, y, z] = scale;
  const k = Math.abs(x);
  const isUniform = Math.abs(Math.abs(y) - k) < 1e-6 * k && Math.abs(Math.abs(z) - k) < 1e-6 * k;
  const isMirrored = x * y * z < 0;
  const isAligned = Math.abs(rotation[3]) > 1 - 1e-9;
  switch (desc.type) {
    case 'sphere':
      if (isUniform) return { type: 'sphere', radius: k * desc.radius };
      break;
    case 'capsule':
    case 'cylinder':
    case 'cone':
      if (isUniform) return { type: desc.type, radius: k * desc.radius, halfHeight: k * desc.halfHeight };
      break;
    case 'box':
      if (isUniform || isAligned) {
        const by = isUniform ? [k, k, k] : [k, Math.abs(y), Math.abs(z)];
        return { type: 'box', halfExtents: components(desc.halfExtents).map((half, i) => half * by[i]!) };
      }
      break;
    case 'mesh': {
      const indices = Array.from(desc.indices);
      return { ...desc, positions: stretch(desc.positions, scale), indices: isMirrored ? indices.reverse() : indices };
    }
    case 'hull':
      return { ...desc, points: stretch(desc.points, scale) };
    case 'heightfield': {
      const spacing = typeof desc.spacing === 'number' ? [desc.spacing, desc.spacing] : desc.spacing;
      if (!(x > 0 && z > 0)) throw new TalusError('unsupported', 'a heightfield cannot be mirrored by the scale of a container');
      // It lies as it is, or turned by a quarter about y.
      const own = isAligned ? scale : ([z, y, x] as const);
      return {
        ...desc,
        spacing: [spacing[0]! * own[0], spacing[1]! * own[2]],
        heights: Array.from(desc.heights, (height) => height * y),
        origin: components(desc.origin ?? [0, 0, 0]).map((at, i) => at * own[i]!),
      };
    }
    case 'plane':
      throw new TalusError('unsupported', 'a plane has no size to scale');
  }
  const points: number[] = [];
  const { positions } = trianglesOf(desc);
  for (let i = 0; i < positions.length; i += 3) {
    const p = turn(rotation, [positions[i]!, positions[i + 1]!, positions[i + 2]!]);
    points.push(...turn(conjugate(rotation), [p[0] * x, p[1] * y, p[2] * z]));
  }
  return hull(points);
}

function stretch(points: ArrayLike<number>, scale: Vector): number[] {
  return Array.from(points, (x, i) => x * scale[i % 3]!);
}

/** Masses of shapes that were computed before, by description. */
const known = new WeakMap<World, Map<string, ShapeMass>>();
const MOST_KNOWN = 1000;
const without = ({ shape: _, ...rest }: ColliderDesc): object => rest;

/** Data that the shapes of a plugin share. */
export interface ShapeBench {
  world: World;
  /** Writes the changes of bodies. */
  flush(): void;
  /** Cuts meshes of dynamic bodies into convex parts; null: they get the convex hull. */
  decompose: Decomposer | Decompose | null;
  /** Logs a line, once for each text. */
  tell(text: string): void;
}

/** A user of a shape. */
export interface ShapeUser {
  /** Called when the shape has changed. */
  touch(): void;
}

/** The data behind a `PhysicsShape`. */
export class ShapeData {
  readonly children: Child[] = [];
  readonly parents = new Set<ShapeData>();
  readonly bodies = new Set<ShapeUser>();
  material: PhysicsMaterial | null = null;
  membership: number | null = null;
  collideWith: number | null = null;
  density: number | null = null;
  isTrigger = false;
  isGone = false;
  private readonly made = new Map<string, { id: ShapeId; desc: ShapeDesc }[]>();
  private knownMass: ShapeMass | null = null;

  /** `desc` null: a container. */
  constructor(
    private readonly bench: ShapeBench,
    readonly owner: PhysicsShape,
    readonly desc: ShapeDesc | null,
    readonly position: Vector = [0, 0, 0],
    readonly rotation: Turn = NO_TURN,
    private readonly meshName = '',
  ) {}

  /** Marks all bodies that have it: they get new colliders with the next step or query. */
  changed(): void {
    this.knownMass = null;
    for (const body of this.bodies) body.touch();
    for (const parent of this.parents) parent.changed();
  }

  add(child: Child): void {
    if (this.desc) throw new TalusError('invalid-argument', 'addChild: only a PhysicsShapeContainer takes other shapes');
    if (child.shape === this || child.shape.holds(this)) {
      throw new TalusError('invalid-argument', 'addChild: a container cannot be in itself');
    }
    this.children.push(child);
    child.shape.parents.add(this);
    this.changed();
  }

  remove(index: number): void {
    const [child] = this.children.splice(index, 1);
    if (child && !this.children.some((other) => other.shape === child.shape)) child.shape.parents.delete(this);
    this.changed();
    child?.shape.free();
  }

  private holds(other: ShapeData): boolean {
    return this.children.some(({ shape }) => shape === other || shape.holds(other));
  }

  /** Returns the colliders of a body with this shape. On dynamic bodies, surfaces become convex parts. */
  parts(isDynamic: boolean): Part[] {
    const out: Part[] = [];
    this.collect(out, isDynamic, [], [0, 0, 0], NO_TURN, NO_SCALE);
    return out;
  }

  private collect(
    out: Part[],
    isDynamic: boolean,
    above: readonly ShapeData[],
    position: Vector,
    rotation: Turn,
    scale: Vector,
  ): void {
    const chain = [this, ...above];
    const place = (p: Vector): Vector => {
      const q = turn(rotation, [p[0] * scale[0], p[1] * scale[1], p[2] * scale[2]]);
      return [position[0] + q[0], position[1] + q[1], position[2] + q[2]];
    };
    if (this.desc) {
      const pose = { position: place(this.position), rotation: multiply(rotation, this.rotation) };
      const rest = colliderOf(chain);
      for (const { id, desc } of this.make(scale, isDynamic)) out.push({ shape: id, desc, ...pose, source: this, rest });
    }
    for (const child of this.children) {
      const size = child.scale.map((x, i) => x * scale[i]!) as Vector;
      child.shape.collect(out, isDynamic, chain, place(child.position), multiply(rotation, child.rotation), size);
    }
  }

  /** Returns its shapes in the world, created on first use: one, or the convex parts of a surface. */
  private make(scale: Vector, isDynamic: boolean): readonly { id: ShapeId; desc: ShapeDesc }[] {
    let desc = this.desc!;
    const isCut = isDynamic && isHollow(desc);
    const key = `${scale} ${isCut}`;
    const known = this.made.get(key);
    if (known) return known;
    if (scale.some((x) => x !== 1)) desc = scaled(desc, this.rotation, scale);
    const entries = (isCut ? this.cut(desc) : [desc]).map((one) => ({ id: this.bench.world.createShape(one), desc: one }));
    this.made.set(key, entries);
    return entries;
  }

  private cut(desc: ShapeDesc): ShapeDesc[] {
    const { decompose, tell } = this.bench;
    const mesh = this.meshName ? ` of '${this.meshName}'` : '';
    if (desc.type !== 'mesh') {
      throw new TalusError(
        'unsupported',
        `a ${desc.type}${mesh} has no mass: make its body PhysicsMotionType.STATIC or ANIMATED`,
      );
    }
    if (decompose) {
      return convexParts(decompose, Float64Array.from(desc.positions), Uint32Array.from(desc.indices)).map((points) =>
        hull(Array.from(points)),
      );
    }
    tell(
      `the PhysicsShapeType.MESH${mesh} collides as its convex hull, because it is on a dynamic body: give createTalusPlugin a library for convex parts as decompose, or use CONVEX_HULL or a container of convex shapes`,
    );
    return [hull(Array.from(desc.positions))];
  }

  /** Its mass at its density; 1 kg of a ball of 1 m for shapes without volume. */
  get mass(): ShapeMass {
    this.knownMass ??= this.weigh();
    return this.knownMass;
  }

  private weigh(): ShapeMass {
    const { world } = this.bench;
    let parts: Part[] = [];
    try {
      parts = this.parts(true);
    } catch (error) {
      if (!(error instanceof TalusError)) throw error; // no volume: a surface of a body that never moves
    }
    if (parts.length === 0) return { mass: 1, center: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] };
    const colliders = parts.map(({ shape, position, rotation, rest }) => ({
      shape,
      position,
      rotation,
      density: rest.density ?? 1000,
    }));
    // Scenes have the same box many times.
    const key = parts.every(({ desc }) => desc.type !== 'hull')
      ? JSON.stringify([parts.map(({ desc }) => desc), colliders.map(without)])
      : '';
    const weights = known.get(world) ?? new Map<string, ShapeMass>();
    known.set(world, weights);
    const before = weights.get(key);
    if (before) return before;
    const body = world.createBody({ colliders, enabled: false });
    const { mass, center, inertia } = world.getMassProperties(body);
    world.removeBody(body);
    const weight = { mass, center: components(center), inertia: Array.from(inertia) };
    if (key !== '' && weights.size < MOST_KNOWN) weights.set(key, weight);
    return weight;
  }

  /** Returns it as triangles for drawing, as it is on a body that does not move. */
  triangles(): Triangles {
    const positions: number[] = [];
    const indices: number[] = [];
    for (const part of this.parts(false)) {
      const own = trianglesOf(part.desc);
      const base = positions.length / 3;
      for (let i = 0; i < own.positions.length; i += 3) {
        const p = turn(part.rotation, own.positions.slice(i, i + 3));
        positions.push(p[0] + part.position[0], p[1] + part.position[1], p[2] + part.position[2]);
      }
      for (const index of own.indices) indices.push(base + index);
    }
    return { positions, indices };
  }

  bounds(): { min: Vector; max: Vector } {
    const min: Vector = [Infinity, Infinity, Infinity];
    const max: Vector = [-Infinity, -Infinity, -Infinity];
    for (const part of this.parts(false)) growBounds(part.desc, part.position, part.rotation, min, max);
    return min[0] <= max[0] ? { min, max } : { min: [0, 0, 0], max: [0, 0, 0] };
  }

  /** Frees shapes that no collider has. Bodies that still have it keep their shapes, and free them when they are removed. */
  dispose(): void {
    this.isGone = true;
    this.free();
  }

  free(): void {
    if (!this.isGone || this.bodies.size > 0 || this.parents.size > 0) return;
    this.bench.flush(); // what was taken out of a container is still on its bodies
    for (const entries of this.made.values()) for (const { id } of entries) this.bench.world.removeShape(id);
    this.made.clear();
    for (const { shape } of this.children.splice(0)) {
      shape.parents.delete(this);
      shape.free();
    }
  }
}

/** Returns surface, filter and density: those of the shape itself, else of the nearest container that has them. */
function colliderOf(chain: readonly ShapeData[]): Omit<ColliderDesc, 'shape'> {
  const first = <K extends 'material' | 'membership' | 'collideWith' | 'density'>(key: K): ShapeData[K] | null =>
    chain.find((shape) => shape[key] !== null)?.[key] ?? null;
  const material = first('material') ?? {};
  return {
    friction: Math.min(Math.max(material.friction ?? 0.5, 0), 100),
    restitution: Math.min(Math.max(material.restitution ?? 0, 0), 1),
    frictionCombine: RULES[material.frictionCombine ?? MIN_RULE] ?? 'min',
    restitutionCombine: RULES[material.restitutionCombine ?? MAX_RULE] ?? 'max',
    category: (first('membership') ?? ~0) >>> 0,
    mask: (first('collideWith') ?? ~0) >>> 0,
    density: first('density') ?? 1000,
    sensor: chain.some((shape) => shape.isTrigger),
  };
}
