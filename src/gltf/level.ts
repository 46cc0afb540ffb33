// The physics of a file in a world: bodies, colliders and joints by node, found by index or name, and removed with one call.
import { TalusError } from '../checks/errors';
import { show } from '../checks/show';
import { fail } from '../checks/validate';
import type { BodyId, ColliderId, JointId, ShapeId, World } from '../index';
import type { GltfIssue } from './issues';

/** The calls of a world that loading uses; worlds of `talus`, `talus/slim` and `talus/study` have them. */
export type GltfWorld = Pick<
  World,
  | 'collidersOf'
  | 'createBody'
  | 'createJoint'
  | 'createShape'
  | 'getMassProperties'
  | 'hasJoint'
  | 'isAlive'
  | 'on'
  | 'removeBody'
  | 'removeJoint'
  | 'removeShape'
  | 'setMass'
>;

/** A collider entered or left a trigger. */
export interface GltfTriggerEvent {
  kind: 'enter' | 'exit';
  /** Index and name of the node of the trigger; of a compound trigger the node that lists the others. */
  trigger: number;
  name: string;
  /** The body that entered or left, from this file or not. */
  body: BodyId;
  collider: ColliderId;
  /** Node of that collider, or -1 if it does not belong to this file. */
  node: number;
}

/** Everything that loading created, by node. */
export interface Made {
  bodies: Map<number, BodyId>;
  colliders: Map<number, ColliderId[]>;
  joints: Map<number, JointId>;
  triggers: Map<number, ColliderId[]>;
  /** Static bodies without colliders that joints are attached to. */
  anchors: BodyId[];
  shapes: ShapeId[];
}

export function emptyMade(): Made {
  return { bodies: new Map(), colliders: new Map(), joints: new Map(), triggers: new Map(), anchors: [], shapes: [] };
}

/** Removes everything that was created and still exists. */
export function unmake(world: GltfWorld, made: Made): void {
  try {
    for (const joint of made.joints.values()) if (world.hasJoint(joint)) world.removeJoint(joint);
    for (const body of [...made.bodies.values(), ...made.anchors]) if (world.isAlive(body)) world.removeBody(body);
    for (const shape of made.shapes) {
      try {
        world.removeShape(shape);
      } catch (error) {
        // A body of the program's own has it too.
        if (!(error instanceof TalusError && error.code === 'in-use')) throw error;
      }
    }
  } catch (error) {
    // The world is gone, and with it all of this.
    if (!(error instanceof TalusError && error.code === 'disposed')) throw error;
  }
}

/** Counts the parts of a trigger that a collider overlaps, so that it enters and leaves only once. */
class TriggerCounts {
  private readonly counts = new Map<string, number>();

  /** Returns whether the trigger is entered or left by this change. */
  change(trigger: number, collider: ColliderId, by: 1 | -1): boolean {
    const key = `${trigger} ${collider}`;
    const before = this.counts.get(key) ?? 0;
    const after = Math.max(0, before + by);
    if (after === 0) this.counts.delete(key);
    else this.counts.set(key, after);
    return by === 1 ? before === 0 : after === 0;
  }
}

/**
 * The physics of a glTF file in a world, from `loadPhysics` or `addPhysics`. Nodes are given by their index in the file or by
 * their name.
 */
export class GltfPhysics {
  /** Bodies by the index of their node: nodes with `motion`, and nodes with a collider or trigger that do not move. */
  readonly bodies: ReadonlyMap<number, BodyId>;
  /** Solid colliders by the index of the node that declares them. */
  readonly colliders: ReadonlyMap<number, readonly ColliderId[]>;
  /** Sensors by the index of their trigger's node; a compound trigger has those of all its parts. */
  readonly triggers: ReadonlyMap<number, readonly ColliderId[]>;
  readonly joints: ReadonlyMap<number, JointId>;
  /** Category bits of the collision systems by name: for the `category` and `mask` of bodies of your own. */
  readonly systems: ReadonlyMap<string, number>;
  /** Features of the file that work differently in talus, or not at all. */
  readonly unsupported: readonly GltfIssue[];

  private readonly listeners = new Set<(event: GltfTriggerEvent) => void>();
  private readonly nodesOfBodies = new Map<BodyId, number>();
  private readonly nodesOfColliders = new Map<ColliderId, number>();
  private readonly triggersOf = new Map<ColliderId, number[]>();
  private ends: (() => void)[] = [];

  /** @internal */
  constructor(
    readonly world: GltfWorld,
    private readonly made: Made,
    private readonly names: readonly string[],
    private readonly parentOf: (node: number) => number,
    systems: ReadonlyMap<string, number>,
    unsupported: readonly GltfIssue[],
  ) {
    this.bodies = made.bodies;
    this.colliders = made.colliders;
    this.triggers = made.triggers;
    this.joints = made.joints;
    this.systems = systems;
    this.unsupported = unsupported;
    for (const [node, body] of made.bodies) this.nodesOfBodies.set(body, node);
    for (const [node, list] of made.colliders) for (const id of list) this.nodesOfColliders.set(id, node);
    for (const [node, list] of made.triggers)
      for (const id of list) this.triggersOf.set(id, [...(this.triggersOf.get(id) ?? []), node]);
  }

  private index(node: number | string): number {
    if (typeof node === 'number') {
      if (Number.isInteger(node) && node >= 0 && node < this.names.length) return node;
      fail('node', `a name, or an index from 0 to ${this.names.length - 1}`, node);
    }
    const found = this.names.indexOf(node);
    if (found >= 0 && node !== '') return found;
    const some = this.names.filter((name) => name !== '').slice(0, 12);
    throw new TalusError('invalid-argument', `the glTF file has no node ${show(node)}; it has ${some.join(', ') || 'no names'}`);
  }

  /**
   * Returns the body of a node, or of the nearest node above it that has one.
   * @throws TalusError `invalid-argument` if there is no such node, or it belongs to no body
   */
  body(node: number | string): BodyId {
    for (let at = this.index(node); at !== -1; at = this.parentOf(at)) {
      const found = this.bodies.get(at);
      if (found !== undefined) return found;
    }
    throw new TalusError('invalid-argument', `the node ${show(node)} belongs to no body`);
  }

  /**
   * Returns the joint of a node.
   * @throws TalusError `invalid-argument` if there is no such node, or it has none
   */
  joint(node: number | string): JointId {
    const found = this.joints.get(this.index(node));
    if (found !== undefined) return found;
    throw new TalusError('invalid-argument', `the node ${show(node)} has no joint`);
  }

  /** Returns the index of the node of a body, or -1 if the body does not belong to this file. */
  nodeOfBody(body: BodyId): number {
    return this.nodesOfBodies.get(body) ?? -1;
  }

  /** Returns the index of the node of a solid collider, or -1 if the collider does not belong to this file. */
  nodeOfCollider(collider: ColliderId): number {
    return this.nodesOfColliders.get(collider) ?? -1;
  }

  /** Returns the name of a node, '' if it has none. */
  nameOf(node: number): string {
    return this.names[node] ?? '';
  }

  /**
   * Calls `listener` when a collider enters or leaves a trigger of the file, at the end of a step, as `world.on`. A compound
   * trigger counts as one, however many of its parts the collider touches. Returns a function that removes the listener.
   */
  onTrigger(listener: (event: GltfTriggerEvent) => void): () => void {
    if (typeof listener !== 'function') fail('listener', 'a function', listener);
    if (this.listeners.size === 0) this.listen();
    // The same function twice is two listeners.
    const entry = (event: GltfTriggerEvent) => listener(event);
    this.listeners.add(entry);
    return () => {
      this.listeners.delete(entry);
      if (this.listeners.size === 0) this.unlisten();
    };
  }

  private listen(): void {
    const counts = new TriggerCounts();
    const hear =
      (kind: 'enter' | 'exit') => (event: { bodyA: BodyId; bodyB: BodyId; colliderA: ColliderId; colliderB: ColliderId }) => {
        const { bodyA, bodyB, colliderA, colliderB } = event;
        this.tell(kind, colliderA, colliderB, bodyB, counts);
        this.tell(kind, colliderB, colliderA, bodyA, counts);
      };
    this.ends.push(this.world.on('sensor-begin', hear('enter')), this.world.on('sensor-end', hear('exit')));
  }

  private unlisten(): void {
    for (const end of this.ends) end();
    this.ends = [];
  }

  private tell(kind: 'enter' | 'exit', sensor: ColliderId, collider: ColliderId, body: BodyId, counts: TriggerCounts): void {
    // Two triggers see each other in talus; in files they do not.
    if (this.triggersOf.has(collider)) return;
    for (const trigger of this.triggersOf.get(sensor) ?? []) {
      if (!counts.change(trigger, collider, kind === 'enter' ? 1 : -1)) continue;
      const event = { kind, trigger, name: this.nameOf(trigger), body, collider, node: this.nodeOfCollider(collider) };
      for (const listener of this.listeners) listener(event);
    }
  }

  /** @internal */
  onRemove: () => void = () => {};

  /** Removes all joints, bodies and shapes of the file from the world. Objects of a scene stay. */
  remove(): void {
    this.unlisten();
    this.listeners.clear();
    this.onRemove();
    this.onRemove = () => {};
    unmake(this.world, this.made);
    this.made.joints.clear();
    this.made.bodies.clear();
    this.made.colliders.clear();
    this.made.triggers.clear();
    this.made.anchors.length = this.made.shapes.length = 0;
  }
}
