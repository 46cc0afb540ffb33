// Constraints of Babylon.js: each pair of bodies has a six-axis joint, and a distance joint if its distance is limited.
//
// Axes: the first of Babylon.js (axisA, axisB) is z of the joint's frames, the second (perpAxis) x, the third y.

import { Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import {
  PhysicsConstraintAxis as Axis,
  PhysicsConstraintType as Kind,
  PhysicsConstraintAxisLimitMode as Mode,
  PhysicsConstraintMotorType as Motor,
} from '@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js';
import type { Physics6DoFConstraint, PhysicsConstraint } from '@babylonjs/core/Physics/v2/physicsConstraint.js';
import { MIN_LENGTH } from '../checks/validate';
import type { JointAxes, JointAxis, JointDesc, World } from '../index';
import { across, cross, dot, frameOf, type Turn, unit } from '../rigs/turns';
import type { JointId } from '../types';
import type { BodyData } from './bodies';
import { vectorOf } from './vectors';

/** Frequency of motors to a position (Hz); they are critically damped. */
const MOTOR_FREQUENCY = 8;

/** Names of the axes, by axis of Babylon.js. */
const NAMES = ['z', 'x', 'y', 'twist', 'swingX', 'swingY'] as const;
/** Locked axes of each type. */
const LOCKED: Partial<Record<Kind, readonly Axis[]>> = {
  [Kind.BALL_AND_SOCKET]: [0, 1, 2],
  [Kind.HINGE]: [0, 1, 2, 4, 5],
  [Kind.SLIDER]: [1, 2, 4, 5],
  [Kind.LOCK]: [0, 1, 2, 3, 4, 5],
  [Kind.PRISMATIC]: [1, 2, 3, 4, 5],
};

/** The settings of one axis. */
export class AxisState {
  mode: Mode = Mode.FREE;
  min = 0;
  max = 0;
  friction = 0;
  motor: Motor = Motor.NONE;
  target = 0;
  maxForce = Infinity;
  stiffness = 0;
  damping = 0;
}

/** Two bodies that a constraint holds together. */
export interface Pair {
  a: BodyData;
  b: BodyData;
  axes: JointId | null;
  distance: JointId | null;
  /** Whether the spring of a soft distance pulls at present. */
  isPulling: boolean;
}

function frame(axis: Vector3, perpAxis: Vector3): Turn {
  const z = unit(vectorOf(axis), [1, 0, 0]);
  const side = vectorOf(perpAxis);
  const k = dot(side, z);
  const x = unit([side[0] - k * z[0], side[1] - k * z[1], side[2] - k * z[2]], across(z));
  return frameOf(x, cross(z, x), z);
}

export class ConstraintData {
  readonly pairs: Pair[] = [];
  readonly axes = Array.from({ length: 7 }, () => new AxisState());
  isEnabled = true;
  collides: boolean;
  private readonly frames: Partial<JointDesc>;

  constructor(
    readonly world: World,
    readonly constraint: PhysicsConstraint,
  ) {
    const { type, options } = constraint;
    this.collides = !!options.collision;
    for (const axis of LOCKED[type] ?? []) this.axes[axis]!.mode = Mode.LOCKED;
    if (type === Kind.DISTANCE) {
      const distance = options.maxDistance ?? 0;
      Object.assign(this.axes[Axis.LINEAR_DISTANCE]!, { mode: Mode.LIMITED, min: distance, max: distance });
    }
    for (const limit of type === Kind.SIX_DOF ? (constraint as Physics6DoFConstraint).limits : []) {
      const axis = this.axes[limit.axis]!;
      const { minLimit, maxLimit } = limit;
      if (minLimit === 0 && maxLimit === 0) axis.mode = Mode.LOCKED;
      else if (minLimit !== undefined || maxLimit !== undefined) axis.mode = Mode.LIMITED;
      axis.min = minLimit ?? -Infinity;
      axis.max = maxLimit ?? Infinity;
      axis.stiffness = limit.stiffness ?? 0;
      axis.damping = limit.damping ?? 0;
    }
    const axisA = options.axisA ?? new Vector3(1, 0, 0);
    const axisB = options.axisB ?? new Vector3(1, 0, 0);
    const perpAxisA = options.perpAxisA ?? axisA.getNormalToRef(new Vector3());
    const perpAxisB = options.perpAxisB ?? axisB.getNormalToRef(new Vector3());
    const pivotA = options.pivotA ?? Vector3.Zero();
    const pivotB = options.pivotB ?? Vector3.Zero();
    this.frames = {
      anchorA: vectorOf(pivotA),
      anchorB: vectorOf(pivotB),
      frameA: frame(axisA, perpAxisA),
      frameB: frame(axisB, perpAxisB),
    };
    // The debug viewer of Babylon.js reads them.
    constraint._initOptions ??= { pivotA, pivotB, axisA, axisB, perpAxisA, perpAxisB };
  }

  add(a: BodyData, b: BodyData): void {
    a.flush();
    b.flush();
    const pair: Pair = { a, b, axes: null, distance: null, isPulling: true };
    this.pairs.push(pair);
    this.build(pair);
  }

  /** Marks an axis as changed. */
  renew(): void {
    for (const pair of this.pairs) this.build(pair);
  }

  private build(pair: Pair): void {
    const { world, frames, axes } = this;
    const { a, b } = pair;
    if (!a.isAlive || !b.isAlive || (a.type === 'static' && b.type === 'static')) return;
    const both = { bodyA: a.id, bodyB: b.id, collide: this.collides, enabled: this.isEnabled };
    const settings: JointAxes = {};
    let isHeld = false;
    for (let i = 0; i < NAMES.length; i++) {
      settings[NAMES[i]!] = axisOf(axes[i]!, i);
      isHeld ||= axes[i]!.mode !== Mode.FREE || axes[i]!.motor !== Motor.NONE || axes[i]!.friction > 0 || axes[i]!.stiffness > 0;
    }
    const reach = axes[Axis.LINEAR_DISTANCE]!;
    const isReached = reach.mode !== Mode.FREE;
    // One that holds nothing still keeps its bodies from colliding.
    const isPart = isHeld || (!isReached && !this.collides);
    pair.axes = this.change(pair.axes, isPart ? { ...both, ...frames, type: 'six-axis', axes: settings } : null);
    const { anchorA, anchorB } = frames;
    const rope: JointDesc | null = isReached ? ropeOf(reach, { ...both, anchorA: anchorA!, anchorB: anchorB! }) : null;
    // Rods, ropes and springs take different fields, so the joint is created again.
    pair.distance = this.change(this.change(pair.distance, null), rope);
    pair.isPulling = true;
    if (pair.distance !== null) world.wake(b.id);
  }

  private change(joint: JointId | null, desc: JointDesc | null): JointId | null {
    const { world } = this;
    const isThere = joint !== null && world.hasJoint(joint);
    if (desc === null) {
      if (isThere) world.removeJoint(joint);
      return null;
    }
    if (!isThere) return world.createJoint(desc);
    const { type, bodyA, bodyB, anchorA, anchorB, frameA, frameB, ...changes } = desc;
    world.setJoint(joint, changes);
    return joint;
  }

  /** Before a step: the spring of a soft distance pulls only beyond its limits. */
  beforeStep(): void {
    const { stiffness, damping, min, max, mode } = this.axes[Axis.LINEAR_DISTANCE]!;
    if (!(stiffness > 0) || mode === Mode.FREE || min === max) return;
    for (const pair of this.pairs) {
      if (pair.distance === null || !this.world.hasJoint(pair.distance)) continue;
      const { place } = this.world.getJoint(pair.distance);
      const isOut = place < min || place > max;
      if (!isOut && !pair.isPulling) continue;
      pair.isPulling = isOut;
      const target = Math.max(0, place < min ? min : max);
      this.world.setJoint(pair.distance, { spring: isOut ? { target, stiffness, damping } : null });
    }
  }

  dispose(): void {
    for (const pair of this.pairs.splice(0)) {
      for (const joint of [pair.axes, pair.distance])
        if (joint !== null && this.world.hasJoint(joint)) this.world.removeJoint(joint);
    }
  }
}

/** Returns the range of an axis, within the limits of the engine: half a turn, 1e6 m. */
function rangeOf(axis: AxisState, index: number): { min: number; max: number } {
  const most = index >= Axis.ANGULAR_X ? Math.PI : 1e6;
  const min = Math.min(Math.max(axis.min, -most), most);
  return { min, max: Math.max(min, Math.min(axis.max, most)) };
}

function axisOf(axis: AxisState, index: number): JointAxis {
  const isLocked = axis.mode === Mode.LOCKED;
  const range = rangeOf(axis, index);
  const isSoft = axis.stiffness > 0 && (isLocked || (axis.mode === Mode.LIMITED && range.min === range.max));
  const maxForce = Number.isFinite(axis.maxForce) ? { maxForce: Math.max(0, axis.maxForce) } : {};
  const spring = isSoft
    ? { target: isLocked ? 0 : range.min, stiffness: axis.stiffness, damping: axis.damping }
    : axis.motor === Motor.POSITION
      ? { target: axis.target, frequency: MOTOR_FREQUENCY, dampingRatio: 1, ...maxForce }
      : null;
  return {
    locked: isLocked && !isSoft,
    limit: axis.mode === Mode.LIMITED && !isSoft ? range : null,
    motor: axis.motor === Motor.VELOCITY && !isSoft ? { velocity: axis.target, ...maxForce } : null,
    spring,
    friction: Math.max(0, axis.friction),
  };
}

/** Returns the joint that limits the distance of the anchors. */
function ropeOf(axis: AxisState, both: Omit<JointDesc, 'type'>): JointDesc {
  const reach = reachOf(axis);
  // No rod is that short: the anchors are one point.
  if (reach.length !== undefined && reach.length < MIN_LENGTH) return { ...both, type: 'ball', frictionLever: 0 };
  return { ...both, type: 'distance', ...reach };
}

function reachOf(axis: AxisState): Pick<JointDesc, 'length' | 'limit' | 'spring'> {
  const min = Math.max(0, axis.mode === Mode.LOCKED ? 0 : axis.min);
  const max = Math.max(min, axis.mode === Mode.LOCKED ? 0 : Math.min(axis.max, 1e6));
  // A limit that is never met: without one, and without a spring, it would be a rod.
  if (axis.stiffness > 0) {
    return { limit: { min: 0, max: 1e6 }, spring: { target: max, stiffness: axis.stiffness, damping: axis.damping } };
  }
  return min === max ? { length: max } : { limit: { min, max } };
}
