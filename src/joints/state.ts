// The settings and the present state of a joint, from its record.

import { writeComponents } from '../checks/vectors';
import {
  AXIS_LIMITED,
  AXIS_POSITION,
  AXIS_STIFFNESS,
  AXIS_VELOCITY,
  JOINT_BROKEN,
  JOINT_COLLIDES,
  JOINT_CONE_TWIST,
  JOINT_DISTANCE,
  JOINT_ENABLED,
  JOINT_GEAR,
  JOINT_PULLEY,
  JOINT_SIX_AXIS,
  JOINT_SUSPENDED,
  JOINT_WHEEL,
  Joint,
} from '../layout.generated';
import type { BodyId } from '../types';
import {
  AXIS_NAMES,
  AXIS_WORDS,
  DAMPING,
  FRICTION,
  isPinned,
  type JointImage,
  KINDS,
  LOWER,
  lengthOf,
  MAX_FORCE,
  MODE,
  STIFFNESS,
  steered,
  TARGET,
  UPPER,
} from './check';
import { JOINT_TYPES, type JointAxis, type JointDesc, type JointState, type JointStateSink } from './desc';

type Three = [number, number, number];
type Four = [number, number, number, number];

/** Places in the result of measureJoint. */
const SWING = 6;
const TWIST = 5;
const POINT_A = 8;
const POINT_B = 12;

const three = (f32: ArrayLike<number>, at: number): Three => [f32[at]!, f32[at + 1]!, f32[at + 2]!];

/** Returns the settings of an axis as `createJoint` takes them; fields that an axis does not have are null. */
function readAxis({ f32, u32 }: JointImage, axis: number): JointAxis {
  const at = LOWER + AXIS_WORDS * axis;
  const mode = u32[at + MODE]!;
  const [target, stiffness, damping, maxForce] = [TARGET, STIFFNESS, DAMPING, MAX_FORCE].map((field) => f32[at + field]!);
  const spring =
    (mode & AXIS_STIFFNESS) !== 0
      ? { target, stiffness, damping, maxForce }
      : { target, frequency: stiffness, dampingRatio: damping, maxForce };
  return {
    limit: mode & AXIS_LIMITED ? { min: f32[at]!, max: f32[at + UPPER]! } : null,
    motor: mode & AXIS_VELOCITY ? { velocity: target!, maxForce: maxForce! } : null,
    spring: mode & AXIS_POSITION ? (spring as JointAxis['spring'] & object) : null,
    friction: f32[at + FRICTION]!,
  };
}

/** The same for an axis with a `locked` field: locked, or its settings. */
function readFreeAxis(image: JointImage, axis: number): JointAxis {
  const isLocked = image.u32[Joint.locked / 4]! & (1 << axis) && !isPinned(image, axis);
  return isLocked ? { locked: true } : readAxis(image, axis);
}

/** Returns the settings of an axis within the cone of a joint. */
function readSwing(image: JointImage, axis: number): JointAxis {
  const { motor, spring, friction } = readAxis(image, axis) as Required<JointAxis>;
  return { motor, spring, friction };
}

/** Returns all settings of a joint, as `createJoint` takes them. */
export function readSettings(image: JointImage, bodyA: BodyId | null, bodyB: BodyId): JointDesc {
  const { f32, u32 } = image;
  const kind = u32[Joint.kind / 4]!;
  const flags = u32[Joint.flags / 4]!;
  const [, main, , fields] = KINDS[kind]!;
  const has = (key: string) => fields.includes(key);
  const f = (offset: number) => f32[offset / 4]!;
  const desc: JointDesc = { type: JOINT_TYPES[kind]!, bodyA, bodyB };
  if (has('anchorA')) {
    desc.anchorA = three(f32, Joint.anchorAx / 4);
    desc.anchorB = three(f32, Joint.anchorBx / 4);
  }
  if (has('frameA')) {
    const steering = kind === JOINT_WHEEL ? f(Joint.ratio) : 0;
    desc.frameA = steered(f32, -steering) as Four;
    desc.frameB = Array.from(f32.subarray(Joint.frameBx / 4, Joint.frameBx / 4 + 4)) as Four;
  }
  if (main >= 0) Object.assign(desc, readAxis(image, main));
  if (kind === JOINT_DISTANCE && u32[Joint.mode0 / 4] === 0) desc.length = f(Joint.target0);
  if (has('twist')) desc.twist = readFreeAxis(image, 5);
  if (kind === JOINT_SIX_AXIS) {
    desc.axes = Object.fromEntries(AXIS_NAMES.map((name, i) => [name, readFreeAxis(image, i)]));
  }
  if (kind === JOINT_CONE_TWIST) desc.axes = { swingX: readSwing(image, 3), swingY: readSwing(image, 4) };
  if (has('cone')) desc.cone = f(Joint.cone);
  if (has('steering')) desc.steering = f(Joint.ratio);
  if (has('ratio')) desc.ratio = f(Joint.ratio);
  if (kind === JOINT_PULLEY) {
    desc.groundA = three(f32, Joint.frameAx / 4);
    desc.groundB = three(f32, Joint.frameBx / 4);
    desc.length = f(Joint.upper0);
  }
  if (has('frictionLever')) {
    desc.frictionLever = f(Joint.frictionLever);
    desc.frictionTorque = f(Joint.frictionTorque);
  }
  desc.breakForce = f(Joint.breakForce);
  desc.breakTorque = f(Joint.breakTorque);
  desc.collide = (flags & JOINT_COLLIDES) !== 0;
  desc.enabled = (flags & (JOINT_ENABLED | JOINT_SUSPENDED)) !== 0;
  return desc;
}

/** Copies a state into the caller's object. Its vectors are written to, whatever their class. */
export function writeState<S extends JointStateSink>(state: JointState, out: S): S {
  const { offset, force, torque, ...rest } = state;
  for (const [key, value] of Object.entries({ offset, force, torque }) as ['offset' | 'force' | 'torque', Three][]) {
    if (out[key] !== null && typeof out[key] === 'object') writeComponents(value, 0, 3, out[key], `out.${key}`);
    else out[key] = value;
  }
  return Object.assign(out, rest);
}

/** Returns the present state of a joint, from its record and the result of measureJoint. */
export function readState(image: JointImage, measured: Float32Array, bodyA: BodyId | null, bodyB: BodyId): JointState {
  const { f32, u32 } = image;
  const kind = u32[Joint.kind / 4]!;
  const flags = u32[Joint.flags / 4]!;
  const main = KINDS[kind]![1];
  const offset = three(measured, 0);
  // The record counts whole turns, the poses are newer.
  const counted = f32[Joint.twist / 4]!;
  const twist = measured[TWIST]! + 2 * Math.PI * Math.round((counted - measured[TWIST]!) / (2 * Math.PI));
  let place = main < 0 ? 0 : main < 3 ? offset[main]! : twist;
  // Along the linear axes that are locked or limited; the rope of a pulley is the only one of its axis.
  const at = [...offset];
  if (kind === JOINT_GEAR) place = counted;
  if (kind === JOINT_PULLEY) {
    place = lengthOf(f32, kind, measured.subarray(POINT_A, POINT_A + 3), measured.subarray(POINT_B, POINT_B + 3));
    at[0] = place;
  }
  const off = at.map((x, axis) => {
    const word = LOWER + AXIS_WORDS * axis;
    if (u32[Joint.locked / 4]! & (1 << axis)) return x - (kind === JOINT_DISTANCE ? f32[word + TARGET]! : 0);
    return u32[word + MODE]! & AXIS_LIMITED ? Math.max(f32[word]! - x, x - f32[word + UPPER]!, 0) : 0;
  });
  const step = f32[Joint.impulseStep / 4]!;
  // A broken or disabled joint carries nothing.
  const rate = step > 0 && flags & JOINT_ENABLED ? 1 / step : 0;
  const force = (offset: number) => three(f32, offset / 4).map((j) => (rate > 0 ? j * rate : 0)) as Three;
  // The impulse of a gear or a pulley is stored with axis 0.
  const axis = kind === JOINT_PULLEY || kind === JOINT_GEAR ? 0 : main;
  const impulse = axis < 0 ? 0 : f32[Joint.limit0 / 4 + axis]! + f32[Joint.drive0 / 4 + axis]! + f32[Joint.rub0 / 4 + axis]!;
  const settings = readSettings(image, bodyA, bodyB);
  return {
    type: settings.type,
    bodyA,
    bodyB,
    enabled: settings.enabled!,
    broken: (flags & JOINT_BROKEN) !== 0,
    collide: settings.collide!,
    place,
    offset,
    swing: measured[SWING]!,
    twist,
    gap: Math.hypot(...off),
    force: force(Joint.jx),
    torque: force(Joint.tx),
    axisForce: impulse * rate,
    settings,
  };
}
