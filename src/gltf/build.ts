// Creates the bodies, colliders and joints of a file in a world.

import { TalusError } from '../checks/errors';
import type { Decompose, Decomposer } from '../engines/decompose';
import type { BodyDesc, BodyId, BodyType, ColliderDesc, JointId, ShapeDesc, ShapeId } from '../index';
import { conjugate, multiply, type Turn, turn, type Vector } from '../rigs/turns';
import type { ColliderPart, JointPart, PhysicsDocument, TriggerPart } from './document';
import { Systems } from './filters';
import type { Issues } from './issues';
import { type AttachedFrame, type EffectiveMass, jointForm } from './joints';
import { type GltfJson, indexAt, listAt, objectAt, objectsAt } from './json';
import { emptyMade, type GltfWorld, type Made, unmake } from './level';
import { type MeshSource, meshesOf, type Triangles } from './meshes';
import { bareMass, givenMass, inertiaAbout, motionOf, together } from './motion';
import { type Affine, apply, IDENTITY, type NodeTree, type Places, relativeTo } from './nodes';
import { type PlacedDesc, shapesOf, thickened } from './shapes';

export interface BuildInput {
  json: GltfJson;
  document: PhysicsDocument;
  tree: NodeTree;
  places: Places;
  meshes: MeshSource;
  systems: Readonly<Record<string, number>>;
  maxVertices: number;
  decompose: Decomposer | Decompose | undefined;
  /** Whether bodies follow the nodes of the file when they are animated. */
  followsNodes: boolean;
}

export interface Built {
  made: Made;
  systems: Systems;
  /** Nodes whose kinematic bodies follow them. */
  animated: Set<number>;
}

interface Part {
  node: number;
  collider?: ColliderPart;
  trigger?: TriggerPart;
}

/** A body before it is created. */
interface Plan {
  node: number;
  position: Vector;
  rotation: Turn;
  parts: Part[];
}

/** Returns the nodes that an animation of the file moves. */
function animatedNodes(json: GltfJson): Set<number> {
  const count = listAt(json, 'nodes', 'file').length;
  const out = new Set<number>();
  for (const [i, animation] of objectsAt(json, 'animations', 'file').entries()) {
    for (const [k, channel] of objectsAt(animation, 'channels', `animations[${i}]`).entries()) {
      const path = `animations[${i}].channels[${k}]`;
      const target = objectAt(channel, 'target', path) ?? {};
      const node = indexAt(target, 'node', `${path}.target`, count);
      if (node !== undefined && (target.path === 'translation' || target.path === 'rotation')) out.add(node);
    }
  }
  return out;
}

/** Returns the long lists of numbers of a shape. */
function listsOf(desc: ShapeDesc): ArrayLike<number>[] {
  if (desc.type === 'mesh') return [desc.positions, desc.indices];
  return desc.type === 'hull' ? [desc.points] : [];
}

const equal = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.prototype.every.call(a, (x: number, i: number) => x === b[i]);

/** Shapes by description, so that equal ones are created once. Long lists are compared, not written out as keys. */
class KnownShapes {
  private readonly lists = new Map<string, { lists: ArrayLike<number>[]; id: ShapeId }[]>();

  of(desc: ShapeDesc, make: () => ShapeId): ShapeId {
    const lists = listsOf(desc);
    const key = lists.length > 0 ? [desc.type, ...lists.map(({ length }) => length)].join() : JSON.stringify(desc);
    const known = this.lists.get(key) ?? [];
    const found = known.find((one) => one.lists.every((list, i) => equal(list, lists[i]!)));
    if (found) return found.id;
    const id = make();
    this.lists.set(key, [...known, { lists, id }]);
    return id;
  }
}

class Builder {
  readonly made = emptyMade();
  readonly animated = new Set<number>();
  readonly systems: Systems;
  private readonly moving: Set<number>;
  private readonly plans = new Map<number, Plan>();
  private readonly shapes = new KnownShapes();
  /** Shapes with a volume, which determine masses. */
  private readonly volumes = new Set<ShapeId>();
  private readonly planOf = new Map<BodyId, Plan>();
  /** Static bodies. */
  private readonly fixed = new Set<BodyId>();

  constructor(
    private readonly world: GltfWorld,
    private readonly input: BuildInput,
    private readonly issues: Issues,
  ) {
    this.systems = new Systems(input.document, input.systems, issues);
    this.moving = animatedNodes(input.json);
  }

  run(): void {
    const { document, tree } = this.input;
    for (const node of tree.order) {
      const physics = document.get(node);
      if (!physics) continue;
      const { collider, trigger } = physics;
      const part: Part = { node };
      if (collider) part.collider = collider;
      if (trigger?.geometry) part.trigger = trigger;
      if (physics.motion || part.collider || part.trigger) this.plan(this.ownerOf(node) ?? node).parts.push(part);
    }
    for (const plan of this.plans.values()) this.within(plan.node, () => this.body(plan));
    this.compoundTriggers();
    for (const node of tree.order) {
      const joint = document.get(node)?.joint;
      if (joint) this.within(node, () => this.joint(node, joint));
    }
  }

  /** Adds the node to the message if a call of the world throws. */
  private within(node: number, make: () => void): void {
    try {
      make();
    } catch (error) {
      if (!(error instanceof TalusError) || error.message.startsWith('gltf: ')) throw error;
      const name = this.input.tree.names[node];
      throw new TalusError(error.code, `gltf: nodes[${node}]${name ? ` '${name}'` : ''}: ${error.message}`);
    }
  }

  /** Returns the nearest node with a motion, from a node upwards; null if nothing moves it. */
  private ownerOf(node: number): number | null {
    for (let at = node; at !== -1; at = this.input.tree.parent(at)) if (this.input.document.get(at)?.motion) return at;
    return null;
  }

  private plan(node: number): Plan {
    let plan = this.plans.get(node);
    if (!plan) {
      const { places } = this.input;
      plan = { node, position: places.matrix(node).at, rotation: places.rotation(node), parts: [] };
      this.plans.set(node, plan);
    }
    return plan;
  }

  /** Returns whether an animation moves a body that its motion would leave to the simulation. */
  private isAnimated(node: number, hasMotion: boolean): boolean {
    for (let at = node; at !== -1; at = this.input.tree.parent(at)) {
      if (this.moving.has(at)) return true;
      if (hasMotion) return false;
    }
    return false;
  }

  private body(plan: Plan): void {
    const { node, position, rotation, parts } = plan;
    const { document, places, followsNodes } = this.input;
    const { world, issues, made } = this;
    const motion = document.get(node)?.motion;
    let { type, desc } = motion
      ? motionOf(motion, rotation, node, issues)
      : { type: 'static' as const, desc: {} as Partial<BodyDesc> };
    if (this.isAnimated(node, motion !== undefined)) {
      type = 'kinematic';
      desc = {};
      this.animated.add(node);
      if (!followsNodes)
        issues.approximated(
          `nodes[${node}]`,
          node,
          'an animation moves it: its body is kinematic, and you move it by moveKinematic',
        );
    }
    const colliders: ColliderDesc[] = [];
    const owners: { node: number; isSensor: boolean }[] = [];
    for (const part of parts) {
      if (part.node !== node && this.moving.has(part.node))
        issues.approximated(`nodes[${part.node}]`, part.node, 'an animation moves a collider within its body, where it stays');
      for (const [source, isSensor] of [
        [part.collider, false],
        [part.trigger, true],
      ] as const) {
        const geometry = source?.geometry;
        if (!geometry) continue;
        const matrix = relativeTo(position, rotation, places.matrix(part.node));
        for (const placed of this.placed(geometry, part.node, matrix, type)) {
          colliders.push(this.collider(placed, isSensor, part));
          owners.push({ node: part.node, isSensor });
        }
      }
    }
    // A static body of nothing would be nothing.
    if (type === 'static' && colliders.length === 0) return;
    if (type === 'dynamic' && !colliders.some(({ shape }) => this.volumes.has(shape)))
      desc.mass = bareMass(motion!, node, issues);
    const body = world.createBody({ ...desc, type, position, rotation, colliders });
    made.bodies.set(node, body);
    this.planOf.set(body, plan);
    if (type === 'static') this.fixed.add(body);
    if (type === 'dynamic') {
      const toBody = (p: Vector) => apply(relativeTo(position, rotation, places.matrix(node)), p);
      const given = givenMass(motion!, world.getMassProperties(body), toBody);
      if (given) world.setMass(body, given);
    }
    const ids = world.collidersOf(body);
    for (const [i, { node: owner, isSensor }] of owners.entries()) {
      const list = isSensor ? made.triggers : made.colliders;
      list.set(owner, [...(list.get(owner) ?? []), ids[i]!]);
    }
  }

  private collider({ desc, position, rotation }: PlacedDesc, isSensor: boolean, part: Part): ColliderDesc {
    const shape = this.shape(desc);
    const source = isSensor ? part.trigger : part.collider;
    const filter = this.systems.of(source?.filter);
    if (isSensor) return { shape, position, rotation, sensor: true, ...filter };
    const surface = part.collider!.surface;
    return {
      shape,
      position,
      rotation,
      friction: surface?.friction ?? 0.6,
      restitution: surface?.restitution ?? 0,
      // The weakest rule where the file names none: what another collider asks for wins.
      frictionCombine: surface?.frictionCombine ?? 'average',
      restitutionCombine: surface?.restitutionCombine ?? 'average',
      ...filter,
    };
  }

  private placed(geometry: ColliderPart['geometry'], node: number, matrix: Affine, type: BodyType): PlacedDesc[] {
    const { maxVertices, decompose } = this.input;
    const triangles = geometry.shape ? [] : this.triangles(geometry, node);
    return shapesOf({ geometry, node, matrix, type, triangles, maxVertices, decompose }, this.issues).flatMap((placed) => {
      const found = this.cooked(placed, geometry.path, node, type);
      return found ? [found] : [];
    });
  }

  /** Returns a valid shape: flat hulls get a thickness. Null if none is possible. */
  private cooked(placed: PlacedDesc, path: string, node: number, type: BodyType): PlacedDesc | null {
    const { desc } = placed;
    const attempts: ShapeDesc[] = [desc];
    if (desc.type === 'hull') attempts.push({ ...desc, points: thickened(desc.points) });
    for (const [i, attempt] of attempts.entries()) {
      try {
        this.shape(attempt);
        if (i > 0)
          this.issues.approximated(path, node, 'its points lie in a plane: it has a thickness of a hundredth of its size');
        return { ...placed, desc: attempt };
      } catch (error) {
        if (!(error instanceof TalusError && error.code === 'degenerate-shape')) throw error;
      }
    }
    this.issues.skipped(path, node, `it has no ${desc.type === 'mesh' ? 'area' : 'volume'}: no shape for a ${type} body`);
    return null;
  }

  private triangles(geometry: ColliderPart['geometry'], node: number): { triangles: Triangles; matrix: Affine }[] {
    const { json, tree, document, meshes } = this.input;
    const out: { triangles: Triangles; matrix: Affine }[] = [];
    if (geometry.mesh !== undefined) {
      const triangles = meshes(geometry.mesh, node);
      if (triangles) out.push({ triangles, matrix: IDENTITY });
    } else {
      const isBody = (at: number) => at !== geometry.node && document.get(at)?.motion !== undefined;
      for (const part of meshesOf(geometry.node!, json, tree, isBody)) {
        if (part.isSkinned)
          this.issues.approximated(
            geometry.path,
            node,
            'a skinned mesh has the shape in which it was bound, not that of its pose',
          );
        const triangles = meshes(part.mesh, node);
        if (triangles) out.push({ triangles, matrix: part.matrix });
      }
    }
    if (out.length === 0) this.issues.skipped(geometry.path, node, 'its geometry has no triangles');
    return out;
  }

  private shape(desc: ShapeDesc): ShapeId {
    return this.shapes.of(desc, () => {
      const id = this.world.createShape(desc);
      this.made.shapes.push(id);
      if (desc.type !== 'mesh' && desc.type !== 'plane') this.volumes.add(id);
      return id;
    });
  }

  private compoundTriggers(): void {
    const { document, tree } = this.input;
    const { made } = this;
    const partsOf = (node: number, seen: Set<number>): number[] => {
      if (seen.has(node)) return [];
      seen.add(node);
      const nodes = document.get(node)?.trigger?.nodes ?? [];
      return [node, ...nodes.flatMap((part) => partsOf(part, seen))];
    };
    const own = new Map(made.triggers);
    for (const node of tree.order) {
      const trigger = document.get(node)?.trigger;
      if (!trigger || trigger.nodes.length === 0) continue;
      for (const part of trigger.nodes)
        if (!document.get(part)?.trigger)
          this.issues.skipped(trigger.path, node, `nodes[${part}], which it lists, has no trigger`);
      const all = partsOf(node, new Set()).flatMap((part) => own.get(part) ?? []);
      if (all.length > 0) made.triggers.set(node, all);
      else this.issues.skipped(trigger.path, node, 'the parts of this compound trigger have no shapes');
    }
  }

  /** Returns the body that a joint holds at a node, or null for the world. */
  private attachment(node: number): BodyId | null {
    const owner = this.ownerOf(node);
    if (owner !== null) return this.made.bodies.get(owner) ?? null;
    for (let at = node; at !== -1; at = this.input.tree.parent(at)) {
      const body = this.made.bodies.get(at);
      if (body !== undefined) return body;
    }
    return null;
  }

  /** Returns the frame of a node in its body, or in the world. */
  private frame(node: number, body: BodyId | null): AttachedFrame {
    const { places } = this.input;
    const { at } = places.matrix(node);
    const rotation = places.rotation(node);
    if (body === null) return { anchor: at, rotation };
    const plan = this.planOf.get(body)!;
    const back = conjugate(plan.rotation);
    const from: Vector = [at[0] - plan.position[0], at[1] - plan.position[1], at[2] - plan.position[2]];
    return { anchor: turn(back, from), rotation: multiply(back, rotation) };
  }

  private joint(node: number, joint: JointPart): void {
    const { tree } = this.input;
    const { world, issues, made } = this;
    const { connectedNode, path, settings } = joint;
    if (!tree.has(connectedNode)) {
      issues.skipped(path, node, `its connectedNode, nodes[${connectedNode}], is not in the scene`);
      return;
    }
    const bodyA = this.attachment(node);
    const bodyB = this.attachment(connectedNode);
    if (bodyA === bodyB) {
      issues.skipped(
        path,
        node,
        bodyA === null ? 'neither of its nodes belongs to a body' : 'both of its nodes belong to one body',
      );
      return;
    }
    const isFixed = (body: BodyId | null) => body === null || this.fixed.has(body);
    if (isFixed(bodyA) && isFixed(bodyB)) {
      issues.skipped(path, node, 'neither of its two bodies moves');
      return;
    }
    const a = this.frame(node, bodyA);
    const b = this.frame(connectedNode, bodyB);
    const form = jointForm(settings, a, b, node, this.effectiveMass(bodyA, a, bodyB, b), issues);
    if (!form) return;
    let held = bodyB;
    if (held === null) {
      // B is a body in talus: one that stands where the frame is in the world.
      held = world.createBody({ type: 'static', position: b.anchor, rotation: [0, 0, 0, 1], colliders: [] });
      made.anchors.push(held);
      form.anchorB = [0, 0, 0];
    }
    const id: JointId = world.createJoint({ ...form, bodyA, bodyB: held, collide: joint.enableCollision });
    made.joints.set(node, id);
  }

  /** Returns the mass that drives by acceleration move. */
  private effectiveMass(bodyA: BodyId | null, a: AttachedFrame, bodyB: BodyId | null, b: AttachedFrame): EffectiveMass {
    const of = (body: BodyId | null, frame: AttachedFrame, isLinear: boolean, axis: Vector) => {
      const mass = body === null ? null : this.world.getMassProperties(body);
      if (!mass || mass.mass === 0) return Infinity;
      return isLinear ? mass.mass : inertiaAbout(mass, turn(frame.rotation, axis), frame.anchor);
    };
    return (isLinear, axis) => {
      const along: Vector = [0, 0, 0];
      along[axis] = 1;
      return together(of(bodyA, a, isLinear, along), of(bodyB, b, isLinear, along));
    };
  }
}

/**
 * Creates everything, or nothing.
 * @throws TalusError of the calls of the world, with the node
 */
export function build(world: GltfWorld, input: BuildInput, issues: Issues): Built {
  const builder = new Builder(world, input, issues);
  try {
    builder.run();
  } catch (error) {
    unmake(world, builder.made);
    throw error;
  }
  const { made, systems, animated } = builder;
  return { made, systems, animated };
}
