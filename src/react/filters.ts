// Filter hooks: functions that decide whether two colliders collide. The engine has no callbacks inside of a step, so they are
// called before it, for pairs that are near enough to touch in it. A refused pair gets a joint without any constraint whose
// bodies do not collide.
import { Quaternion, Vector3 } from 'three';
import type { BodyId, ColliderId, ContactEvent, JointId, QueryHit, World } from '../index';
import { ActiveHooks, SolverFlags } from './constants';
import { quietly } from './guard';

/**
 * Decides about a pair: `SolverFlags.EMPTY` lets the colliders pass through each other, `COMPUTE_IMPULSE` lets them collide, null
 * leaves it to the next hook.
 */
export type FilterContactPairCallback = (collider1: number, collider2: number, body1: number, body2: number) => number | null;
/** Decides about an overlap; false: no events of it. */
export type FilterIntersectionPairCallback = (collider1: number, collider2: number, body1: number, body2: number) => boolean;

/** Distance (m) within which pairs are asked about, beside their motion in a step. */
const MARGIN = 0.1;

export class PairFilters {
  readonly contacts = new Set<{ current: FilterContactPairCallback }>();
  readonly intersections = new Set<{ current: FilterIntersectionPairCallback }>();
  private readonly hooks = new Map<ColliderId, number>();
  /** Joints that keep two bodies from colliding. */
  private readonly joints = new Map<string, JointId>();
  /** Overlaps with sensors that send no events. */
  private readonly silent = new Set<string>();
  private readonly hits: QueryHit[] = [];

  constructor(private readonly world: World) {}

  hooksOf(collider: ColliderId): number {
    return this.hooks.get(collider) ?? 0;
  }

  setHooks(collider: ColliderId, hooks: number): void {
    if (hooks === 0) this.hooks.delete(collider);
    else this.hooks.set(collider, hooks);
  }

  /** Before a step: asks about all colliders near a collider with a hook. */
  beforeStep(): void {
    if (this.joints.size === 0 && (this.contacts.size === 0 || this.hooks.size === 0)) return;
    const refused = new Map<string, [BodyId, BodyId]>();
    const wanted = new Set<string>();
    if (this.contacts.size > 0) {
      const reach = MARGIN + this.longestWay();
      for (const [collider, hooks] of this.hooks) {
        if (hooks & ActiveHooks.FILTER_CONTACT_PAIRS) quietly(() => this.ask(collider, reach, refused, wanted));
      }
    }
    const { world } = this;
    for (const [key, joint] of this.joints) {
      if (refused.has(key) && !wanted.has(key) && world.hasJoint(joint)) continue;
      this.joints.delete(key);
      if (world.hasJoint(joint)) world.removeJoint(joint);
    }
    for (const [key, [bodyA, bodyB]] of refused) {
      if (this.joints.has(key) || wanted.has(key)) continue;
      this.joints.set(key, world.createJoint({ type: 'six-axis', bodyA, bodyB, anchorA: [0, 0, 0], anchorB: [0, 0, 0] }));
    }
  }

  private ask(collider: ColliderId, reach: number, refused: Map<string, [BodyId, BodyId]>, wanted: Set<string>): void {
    const { world } = this;
    const body = world.bodyOf(collider);
    const { shape, position, rotation } = world.getCollider(collider);
    const turn = world.getRotation(body, new Quaternion());
    const at = new Vector3().fromArray(position).applyQuaternion(turn).add(world.getPosition(body, new Vector3()));
    turn.multiply(new Quaternion().fromArray(rotation));
    const options = { maxDistance: reach, excludeBody: body };
    const count = world.contactShape(shape, at, turn, options, this.hits);
    const seen = new Set<ColliderId>();
    for (const hit of this.hits.slice(0, count)) {
      if (seen.has(hit.collider)) continue;
      seen.add(hit.collider);
      if (world.getType(body) !== 'dynamic' && world.getType(hit.body) !== 'dynamic') continue;
      const key = keyOf(body, hit.body);
      const answer = this.answer(collider, hit.collider, body, hit.body);
      if (answer === SolverFlags.EMPTY) refused.set(key, [body, hit.body]);
      else if (answer !== null) wanted.add(key);
    }
  }

  private answer(...pair: Parameters<FilterContactPairCallback>): number | null {
    for (const hook of this.contacts) {
      const answer = hook.current(...pair);
      if (answer !== null) return answer;
    }
    return null;
  }

  /** Returns the largest distance that two bodies can approach in a step, m. */
  private longestWay(): number {
    const { world } = this;
    const { velocities } = world;
    let most = 0;
    for (let i = 0; i < velocities.length; i += 16) {
      most = Math.max(most, velocities[i]! ** 2 + velocities[i + 1]! ** 2 + velocities[i + 2]! ** 2);
    }
    return 2 * Math.sqrt(most) * world.settings.dt;
  }

  /** Returns whether handlers get the events of an overlap with a sensor. */
  hears({ kind, colliderA, colliderB, bodyA, bodyB }: ContactEvent): boolean {
    if (kind !== 'sensor-begin' && kind !== 'sensor-end') return true;
    const key = keyOf(colliderA, colliderB);
    if (kind === 'sensor-end') return !this.silent.delete(key);
    const hooks = this.hooksOf(colliderA) | this.hooksOf(colliderB);
    if (!(hooks & ActiveHooks.FILTER_INTERSECTION_PAIRS)) return true;
    for (const hook of this.intersections) {
      if (hook.current(colliderA, colliderB, bodyA, bodyB)) continue;
      this.silent.add(key);
      return false;
    }
    return true;
  }
}

const keyOf = (a: number, b: number) => (a < b ? `${a} ${b}` : `${b} ${a}`);
