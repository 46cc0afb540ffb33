// Checks the description of a joint and writes it to an image of its record; nothing else changes until the image is copied.
import { TalusError } from '../checks/errors';
import {
  checkAngle,
  checkBoolean,
  checkKeys,
  checkNumber,
  checkPosition,
  checkQuat,
  checkVec3,
  checkWord,
  fail,
  MAX_COORDINATE,
  MIN_LENGTH,
} from '../checks/validate';
import {
  AXIS_LIMITED,
  AXIS_POSITION,
  AXIS_STIFFNESS,
  AXIS_VELOCITY,
  JOINT_BALL,
  JOINT_BROKEN,
  JOINT_COLLIDES,
  JOINT_CONE_TWIST,
  JOINT_DISTANCE,
  JOINT_ENABLED,
  JOINT_FIXED,
  JOINT_GEAR,
  JOINT_PULLEY,
  JOINT_SIX_AXIS,
  JOINT_SUSPENDED,
  JOINT_WHEEL,
  Joint,
} from '../layout.generated';
import { JOINT_TYPES, type JointAxes, type JointAxis, type JointChanges, type JointDesc } from './desc';
import {
  arc,
  aroundAxis,
  conjugate,
  cross,
  distance,
  dot,
  frameAlong,
  multiply,
  type Numbers,
  type Pose,
  toBody,
  toWorld,
  turn,
  unit,
  Z_AXIS,
} from './frames';

/** The words of a Joint, checked as a whole before they are written to memory. */
export interface JointImage {
  f32: Float32Array;
  u32: Uint32Array;
}

// Words of a Joint; an axis has eight from LOWER on.
const LOCKED = Joint.locked / 4;
const ANCHOR_A = Joint.anchorAx / 4;
const ANCHOR_B = Joint.anchorBx / 4;
const FRAME_A = Joint.frameAx / 4;
const FRAME_B = Joint.frameBx / 4;
const CONE = Joint.cone / 4;
const RATIO = Joint.ratio / 4;
const FLAGS = Joint.flags / 4;
const TWIST = Joint.twist / 4;
export const LOWER = Joint.lower0 / 4;
export const AXIS_WORDS = (Joint.lower1 - Joint.lower0) / 4;
export const UPPER = 1;
export const MODE = 2;
export const TARGET = 3;
export const STIFFNESS = 4;
export const DAMPING = 5;
export const MAX_FORCE = 6;
export const FRICTION = 7;
const SPRUNG = AXIS_POSITION | AXIS_STIFFNESS;
const DRIVEN = AXIS_VELOCITY | SPRUNG;
/** Bit of Joint.driven. */
const CONE_BIT = 64;
/** Pi in single precision, so that a value that was read back is accepted. */
const HALF_TURN = Math.fround(Math.PI);

/** Names of the axes of a joint, by index. */
export const AXIS_NAMES: readonly (keyof JointAxes)[] = ['x', 'y', 'z', 'swingX', 'swingY', 'twist'];

const ANCHORS = ['anchor', 'anchorA', 'anchorB'];
const FRAMES = ['frameA', 'frameB'];
const AXES = ['axis', 'axisA', 'axisB', ...FRAMES];
const MAIN = ['limit', 'motor', 'spring', 'friction'];
const LOAD = ['frictionLever', 'frictionTorque'];
const BODIES = ['type', 'bodyA', 'bodyB'];
const COMMON = ['breakForce', 'breakTorque', 'collide', 'enabled'];

/** By type: locked axes, main axis (-1: none), lever of the friction by load, fields. */
type Kind = readonly [number, number, number, readonly string[]];
export const KINDS: readonly Kind[] = [
  [0b000111, -1, 0.005, [...ANCHORS, ...LOAD]],
  [0b011111, 5, 0.005, [...ANCHORS, ...AXES, ...MAIN, ...LOAD]],
  [0b111111, -1, 0, [...ANCHORS, ...FRAMES]],
  [0b111011, 2, 0, [...ANCHORS, ...AXES, ...MAIN]],
  [0b011011, 2, 0, [...ANCHORS, ...AXES, ...MAIN, 'twist', ...LOAD]],
  [0b000111, 5, 0.005, [...ANCHORS, ...AXES, ...MAIN, 'cone', 'axes', ...LOAD]],
  [0, 0, 0, [...ANCHORS, ...MAIN, 'length']],
  [0, -1, 0, [...ANCHORS, ...AXES, 'axes', ...LOAD]],
  [0b011101, 1, 0, [...ANCHORS, ...AXES, ...MAIN, 'twist', 'steering', 'suspensionAxis', ...LOAD]],
  [0, -1, 0, [...AXES, 'ratio']],
  [0, -1, 0, [...ANCHORS, 'ratio', 'groundA', 'groundB', 'length']],
];
const ALL_KEYS = [...new Set([...BODIES, ...KINDS.flatMap((kind) => kind[3]), ...COMMON])];

const refuse = (message: string): never => {
  throw new TalusError('invalid-argument', message);
};
const given = (value: unknown) => value !== undefined;

/** At least 0. */
const checkAmount = (value: unknown, name: string) => checkNumber(value, name, 0);
/** A force, torque or threshold, which may be infinite. */
const checkMost = (value: unknown, name: string) => (value === Infinity ? Infinity : checkAmount(value, name));

/** Numeric fields of the whole joint, with their words. */
const THRESHOLDS = [
  ['frictionLever', Joint.frictionLever / 4, checkAmount],
  ['frictionTorque', Joint.frictionTorque / 4, checkAmount],
  ['breakForce', Joint.breakForce / 4, checkMost],
  ['breakTorque', Joint.breakTorque / 4, checkMost],
] as const;

/**
 * Returns whether the limit of an axis has equal ends that a lock holds better: at 0, or at the distance of a rod. Elsewhere the
 * limit does it.
 */
export function isPinned({ f32, u32 }: JointImage, axis: number): boolean {
  const at = LOWER + AXIS_WORDS * axis;
  const place = f32[at]!;
  if (!(u32[at + MODE]! & AXIS_LIMITED) || place !== f32[at + UPPER]) return false;
  return u32[Joint.kind / 4] === JOINT_DISTANCE ? place >= MIN_LENGTH && !(u32[at + MODE]! & DRIVEN) : place === 0;
}

/** Returns an image of zeros. */
export function emptyImage(): JointImage {
  const u32 = new Uint32Array(Joint.STRIDE / 4);
  return { u32, f32: new Float32Array(u32.buffer) };
}

/** Returns the kind (JOINT_*) of a description. Checks that its keys are known and fit the type. */
export function checkKind(desc: JointDesc): number {
  checkKeys(desc, 'joint', ALL_KEYS);
  const kind = checkWord(desc.type, 'joint.type', JOINT_TYPES);
  checkFit(desc, kind, [...BODIES, ...COMMON]);
  return kind;
}

/** Throws for fields that do not belong to a type. */
export function checkFit(desc: object, kind: number, others = COMMON): void {
  checkKeys(desc, 'joint', ALL_KEYS);
  const fields = KINDS[kind]![3];
  for (const key in desc) {
    if (fields.includes(key) || others.includes(key)) continue;
    if (BODIES.includes(key)) refuse(`joint.${key} cannot be changed: remove the joint and create another one`);
    refuse(`joint.${key} does not apply to type '${JOINT_TYPES[kind]}', which takes ${[...fields, ...COMMON].join(', ')}`);
  }
}

/** Writes limit, drive and friction of an axis. `rest` is the target of a spring that has none yet; `bounds` limit positions. */
function writeAxis(
  image: JointImage,
  axis: number,
  desc: JointAxis,
  name: string,
  bounds: readonly [number, number],
  rest = 0,
): void {
  const { f32, u32 } = image;
  const at = LOWER + AXIS_WORDS * axis;
  const [least, most] = bounds;
  const { limit, motor, spring } = desc;
  let mode = u32[at + MODE]!;
  /** Returns the value of a field, or its previous value. */
  const place = (value: unknown, key: string, was: number, had: number, low = least, high = most) =>
    value === undefined && had ? was : (most === HALF_TURN ? checkAngle : checkNumber)(value, `${name}.${key}`, low, high);
  if (limit !== undefined) {
    let [min, max] = [0, 0];
    if (limit) {
      checkKeys(limit, `${name}.limit`, ['min', 'max']);
      min = place(limit.min, 'limit.min', f32[at]!, mode & AXIS_LIMITED);
      max = place(limit.max, 'limit.max', f32[at + UPPER]!, mode & AXIS_LIMITED);
      if (min > max) refuse(`${name}.limit.min is more than max: ${min} > ${max}`);
    } else if (limit !== null) fail(`${name}.limit`, '{ min, max } or null', limit);
    f32[at] = min;
    f32[at + UPPER] = max;
    mode = limit ? mode | AXIS_LIMITED : mode & ~AXIS_LIMITED;
  }
  if (motor && spring) refuse(`${name} has a motor and a spring: an axis takes one of them`);
  for (const [drive, key, flags] of [
    [motor, 'motor', AXIS_VELOCITY],
    [spring, 'spring', SPRUNG],
  ] as const) {
    if (drive === undefined) continue;
    const had = mode & flags;
    if (drive === null) {
      if (!had) continue;
      mode &= ~DRIVEN;
      f32.fill(0, at + TARGET, at + FRICTION);
      continue;
    }
    const isMotor = flags === AXIS_VELOCITY;
    const keys = isMotor ? ['velocity'] : ['target', 'frequency', 'dampingRatio', 'stiffness', 'damping'];
    checkKeys(drive, `${name}.${key}`, [...keys, 'maxForce']);
    const most = drive.maxForce;
    if (given(most) || !had) f32[at + MAX_FORCE] = given(most) ? checkMost(most, `${name}.${key}.maxForce`) : Infinity;
    if (!had) f32.fill(0, at + TARGET, at + MAX_FORCE);
    mode = (mode & ~DRIVEN) | had;
    if (isMotor) {
      f32[at + TARGET] = place((drive as { velocity: number }).velocity, 'motor.velocity', f32[at + TARGET]!, had, -1e6, 1e6);
      mode |= AXIS_VELOCITY;
    } else mode = writeSpring(f32, at, mode, drive, `${name}.spring`, bounds, rest);
  }
  u32[at + MODE] = mode;
  if (given(desc.friction)) f32[at + FRICTION] = checkNumber(desc.friction, `${name}.friction`, 0);
  if (given(desc.locked)) {
    const isLocked = checkBoolean(desc.locked, `${name}.locked`);
    if (isLocked && (limit || motor || spring || desc.friction)) {
      refuse(`${name} is locked: limit, motor, spring and friction do nothing`);
    }
    u32[LOCKED] = isLocked ? u32[LOCKED]! | (1 << axis) : u32[LOCKED]! & ~(1 << axis);
  }
}

/** Writes target and stiffness of a spring; returns the mode. */
function writeSpring(
  f32: Float32Array,
  at: number,
  mode: number,
  spring: NonNullable<JointAxis['spring']>,
  name: string,
  bounds: readonly [number, number],
  rest: number,
): number {
  const { target, frequency, dampingRatio, stiffness, damping } = spring;
  const had = (mode & AXIS_POSITION) !== 0;
  if (given(target)) f32[at + TARGET] = (bounds[1] === HALF_TURN ? checkAngle : checkNumber)(target, `${name}.target`, ...bounds);
  else if (!had) f32[at + TARGET] = rest;
  const byFrequency = given(frequency) || given(dampingRatio);
  const byStiffness = given(stiffness) || given(damping);
  if (byFrequency && byStiffness) refuse(`${name} takes frequency and dampingRatio, or stiffness and damping, not both`);
  const wasStiffness = (mode & AXIS_STIFFNESS) !== 0;
  const isStiffness = byStiffness || (wasStiffness && !byFrequency);
  // A missing field keeps its value if it was of the same kind.
  const stays = had && isStiffness === wasStiffness;
  if (!stays && !given(frequency) && !given(stiffness)) refuse(`${name} needs frequency (Hz) or stiffness (N/m, N m/rad)`);
  if (isStiffness) {
    if (given(stiffness) || !stays) f32[at + STIFFNESS] = checkNumber(stiffness, `${name}.stiffness`, 0);
    if (given(damping) || !stays) f32[at + DAMPING] = checkNumber(damping ?? 0, `${name}.damping`, 0);
    return mode | SPRUNG;
  }
  if (given(frequency) || !stays) f32[at + STIFFNESS] = checkNumber(frequency, `${name}.frequency`, 0.001, 1000);
  if (given(dampingRatio) || !stays) f32[at + DAMPING] = checkNumber(dampingRatio ?? 1, `${name}.dampingRatio`, 0, 100);
  return (mode | AXIS_POSITION) & ~AXIS_STIFFNESS;
}

/** Writes the anchors: one point of the world, or one in each body. */
function writeAnchors(image: JointImage, desc: JointChanges, poses: readonly [Pose, Pose], isNew: boolean): void {
  const { anchor, anchorA, anchorB } = desc;
  if (given(anchor)) {
    if (given(anchorA) || given(anchorB)) refuse('joint.anchor is for both bodies: leave anchorA and anchorB out');
    const p = checkPosition(anchor, 'joint.anchor');
    image.f32.set(toBody(poses[0], p), ANCHOR_A);
    image.f32.set(toBody(poses[1], p), ANCHOR_B);
    return;
  }
  if (isNew && !given(anchorA) && !given(anchorB)) {
    refuse('joint.anchor is missing: give a point of the world, or anchorA and anchorB in the frames of the bodies');
  }
  if (given(anchorA) || isNew) image.f32.set(checkPosition(anchorA, 'joint.anchorA'), ANCHOR_A);
  if (given(anchorB) || isNew) image.f32.set(checkPosition(anchorB, 'joint.anchorB'), ANCHOR_B);
}

/** Checks a direction of the world or of a body; returns it with length 1. */
function checkDirection(value: unknown, name: string): number[] {
  const v = checkVec3(value, name);
  if (!(dot(v, v) > 1e-12)) refuse(`${name} must not be zero: it is a direction`);
  return unit(v);
}

const ONE_WAY = 'joint.axis, or axisA and axisB, or frameA and frameB';

/** Writes the frames: from an axis of the world, from an axis in each body, or as given. Returns whether any was given. */
function writeFrames(image: JointImage, kind: number, desc: JointChanges, poses: readonly [Pose, Pose], isNew: boolean): boolean {
  const { axis, axisA, axisB, frameA, frameB, suspensionAxis } = desc;
  const hasAxes = given(axisA) || given(axisB);
  const hasFrames = given(frameA) || given(frameB);
  const ways = +given(axis) + +hasAxes + +hasFrames;
  if (ways > 1) refuse(`give one of ${ONE_WAY}`);
  if (given(suspensionAxis) && !given(axis) && !hasAxes) refuse('joint.suspensionAxis goes with joint.axis, or axisA and axisB');
  if (hasFrames) {
    if (given(frameA) || isNew) image.f32.set(unit(checkQuat(frameA, 'joint.frameA')), FRAME_A);
    if (given(frameB) || isNew) image.f32.set(unit(checkQuat(frameB, 'joint.frameB')), FRAME_B);
    return true;
  }
  const [a, b] = poses;
  let zA: number[];
  let zB: number[];
  if (given(axis)) zA = zB = checkDirection(axis, 'joint.axis');
  else if (hasAxes) {
    zA = turn(a.rotation, checkDirection(axisA, 'joint.axisA'));
    zB = turn(b.rotation, checkDirection(axisB, 'joint.axisB'));
  } else {
    if (!isNew) return false;
    // Types that need no axis get the axes of the world.
    if (kind !== JOINT_BALL && kind !== JOINT_FIXED && kind !== JOINT_SIX_AXIS && kind !== JOINT_DISTANCE) {
      refuse(`joint.axis is missing: give ${ONE_WAY}`);
    }
    zA = zB = Z_AXIS;
  }
  let up: number[] | undefined;
  if (kind === JOINT_WHEEL) {
    up = given(suspensionAxis) ? checkDirection(suspensionAxis, 'joint.suspensionAxis') : [0, 1, 0];
    if (Math.hypot(...cross(up, zA)) < 0.01)
      refuse('joint.suspensionAxis (default 0 1 0) must not lie along the axis of the wheel');
  }
  const frame = frameAlong(zA, up);
  image.f32.set(unit(multiply(conjugate(a.rotation), frame)), FRAME_A);
  image.f32.set(unit(multiply(conjugate(b.rotation), multiply(arc(zA, zB), frame))), FRAME_B);
  return true;
}

/** Applies steering: it turns frame A about its y; the angle is stored in `ratio`. */
function steer(image: JointImage, steering: number | undefined, isStraight: boolean): void {
  const { f32 } = image;
  const was = f32[RATIO]!;
  f32[RATIO] = given(steering) ? checkAngle(steering, 'joint.steering', -HALF_TURN, HALF_TURN) : was;
  f32.set(steered(f32, f32[RATIO]! - (isStraight ? 0 : was)), FRAME_A);
}

/** Returns frame A turned about its y by an angle. */
export function steered(f32: Float32Array, angle: number): number[] {
  return unit(multiply(f32.subarray(FRAME_A, FRAME_A + 4), aroundAxis([0, 1, 0], angle)));
}

/** Returns the distance of the anchors, or the length of the rope over the two points of a pulley. */
export function lengthOf(f32: Float32Array, kind: number, anchorA: Numbers, anchorB: Numbers): number {
  if (kind !== JOINT_PULLEY) return distance(anchorA, anchorB);
  return (
    distance(anchorA, f32.subarray(FRAME_A, FRAME_A + 3)) + f32[RATIO]! * distance(anchorB, f32.subarray(FRAME_B, FRAME_B + 3))
  );
}

function writeDistance(image: JointImage, desc: JointChanges, now: number): void {
  const { f32, u32 } = image;
  const { length, spring } = desc;
  if (given(length)) checkNumber(length, 'joint.length', 0, MAX_COORDINATE);
  if (given(length) && given(spring?.target)) refuse('joint.length and joint.spring.target say the same: give one');
  writeAxis(image, 0, desc, 'joint', [0, MAX_COORDINATE], length ?? now);
  const mode = u32[LOWER + MODE]!;
  if (isPinned(image, 0)) f32[LOWER + TARGET] = f32[LOWER]!;
  u32[LOCKED] = mode === 0 ? 1 : 0;
  if (mode & AXIS_POSITION) {
    if (given(length)) f32[LOWER + TARGET] = length!;
  } else if (mode === 0) {
    const rod = length ?? (f32[LOWER + TARGET]! >= MIN_LENGTH ? f32[LOWER + TARGET]! : now);
    if (!(rod >= MIN_LENGTH)) refuse(`joint.length of a rod must be at least ${MIN_LENGTH}, got ${rod}`);
    f32[LOWER + TARGET] = rod;
  } else if (given(length)) refuse('joint.length is for a rod or a spring: leave it out with limit or motor');
}

function writePulley(image: JointImage, desc: JointChanges, points: () => [number[], number[]], isNew: boolean): void {
  const { f32, u32 } = image;
  const { ratio, length } = desc;
  if (isNew) f32[RATIO] = 1;
  if (given(ratio)) f32[RATIO] = checkNumber(ratio, 'joint.ratio', 1e-6, 1e6);
  for (const [key, at] of [
    ['groundA', FRAME_A],
    ['groundB', FRAME_B],
  ] as const) {
    if (isNew || given(desc[key])) f32.set(checkPosition(desc[key], `joint.${key}`), at);
  }
  if (given(length)) checkNumber(length, 'joint.length', 0, 1e9);
  if (given(length) || isNew) f32[LOWER + UPPER] = length ?? lengthOf(f32, JOINT_PULLEY, ...points());
  u32[LOWER + MODE] = AXIS_LIMITED;
}

/**
 * Writes a description, or changes of one, to the image of a joint of that kind; its keys are known. `poses` are the present
 * poses of its bodies.
 */
export function writeDesc(
  image: JointImage,
  kind: number,
  desc: JointChanges,
  poses: readonly [Pose, Pose],
  isNew: boolean,
): void {
  const { f32, u32 } = image;
  const [locked, main, lever] = KINDS[kind]!;
  if (isNew) {
    u32[Joint.kind / 4] = kind;
    u32[LOCKED] = locked;
    u32[FLAGS] = JOINT_ENABLED;
    f32[CONE] = HALF_TURN;
    f32[Joint.frictionLever / 4] = lever;
    f32[Joint.breakForce / 4] = f32[Joint.breakTorque / 4] = Infinity;
  }
  // Locks that follow from limits, which may be others now.
  for (let axis = 0; axis < 6; axis++) if (isPinned(image, axis)) u32[LOCKED]! &= ~(1 << axis);
  if (kind !== JOINT_GEAR) writeAnchors(image, desc, poses, isNew);
  const points = (): [number[], number[]] => [
    toWorld(poses[0], f32.subarray(ANCHOR_A, ANCHOR_A + 3)),
    toWorld(poses[1], f32.subarray(ANCHOR_B, ANCHOR_B + 3)),
  ];
  if (kind === JOINT_PULLEY) writePulley(image, desc, points, isNew);
  else {
    const isFramed = writeFrames(image, kind, desc, poses, isNew);
    // Whole turns are counted from 0 again.
    if (isFramed) f32[TWIST] = 0;
    if (kind === JOINT_WHEEL && (isFramed || given(desc.steering))) steer(image, desc.steering, isFramed);
  }
  if (kind === JOINT_GEAR && (isNew || given(desc.ratio))) {
    f32[RATIO] = checkNumber(desc.ratio, 'joint.ratio', -1e6, 1e6);
    if (f32[RATIO] === 0) refuse('joint.ratio must not be 0: the gear would do nothing');
  }
  const bounds = (axis: number) => (axis === 3 || axis === 4 ? ([-HALF_TURN, HALF_TURN] as const) : ([-1e6, 1e6] as const));
  if (kind === JOINT_DISTANCE) writeDistance(image, desc, lengthOf(f32, kind, ...points()));
  else if (main >= 0) writeAxis(image, main, desc, 'joint', bounds(main));
  const { twist, axes, cone } = desc;
  if (given(twist)) {
    checkKeys(twist, 'joint.twist', [...MAIN, 'locked']);
    writeAxis(image, 5, twist!, 'joint.twist', bounds(5));
  }
  if (given(axes)) {
    // A cone has its own limit and lock: inside it, springs and motors turn the joint.
    const isCone = kind === JOINT_CONE_TWIST;
    checkKeys(axes, 'joint.axes', isCone ? ['swingX', 'swingY'] : AXIS_NAMES);
    for (const [i, name] of AXIS_NAMES.entries()) {
      const axis = axes![name];
      if (axis === undefined) continue;
      checkKeys(axis, `joint.axes.${name}`, isCone ? ['motor', 'spring', 'friction'] : [...MAIN, 'locked']);
      writeAxis(image, i, axis, `joint.axes.${name}`, bounds(i));
    }
  }
  if (given(cone)) f32[CONE] = checkAngle(cone, 'joint.cone', 0, HALF_TURN);
  // A cone of nothing is no cone: the axes are locked together.
  if (kind === JOINT_CONE_TWIST) u32[LOCKED] = f32[CONE] === 0 ? locked | 0b011000 : locked;
  for (const [key, at, check] of THRESHOLDS) if (given(desc[key])) f32[at] = check(desc[key], `joint.${key}`);
  for (const [key, flag] of [
    ['collide', JOINT_COLLIDES],
    ['enabled', JOINT_ENABLED],
  ] as const) {
    if (given(desc[key])) u32[FLAGS] = checkBoolean(desc[key], `joint.${key}`) ? u32[FLAGS]! | flag : u32[FLAGS]! & ~flag;
  }
  // The core takes it up again where a body of the joint is not enabled.
  if (given(desc.enabled)) u32[FLAGS]! &= ~JOINT_SUSPENDED;
  if (desc.enabled) u32[FLAGS]! &= ~JOINT_BROKEN;
  let driven = f32[CONE]! < HALF_TURN && f32[CONE]! > 0 ? CONE_BIT : 0;
  for (let axis = 0; axis < 6; axis++) {
    const at = LOWER + AXIS_WORDS * axis;
    if (isPinned(image, axis)) u32[LOCKED]! |= 1 << axis;
    if (u32[at + MODE] !== 0 || f32[at + FRICTION]! > 0) driven |= 1 << axis;
  }
  u32[Joint.driven / 4] = driven & ~u32[LOCKED]!;
}

/** Copies an image into the record at a word of memory: everything that descriptions set, and no impulses of removed axes. */
export function takeOver(image: JointImage, memory: Uint32Array, at: number): void {
  const { u32 } = image;
  memory[at + Joint.kind / 4] = u32[Joint.kind / 4]!;
  const end = Joint.jx / 4;
  memory.set(u32.subarray(LOCKED, end), at + LOCKED);
  for (const [, word] of THRESHOLDS) memory[at + word] = u32[word]!;
  memory[at + TWIST] = u32[TWIST]!;
  for (let axis = 0; axis < 6; axis++) {
    const from = LOWER + AXIS_WORDS * axis;
    const mode = u32[from + MODE]!;
    if (!(mode & AXIS_LIMITED)) memory[at + Joint.limit0 / 4 + axis] = 0;
    if (!(mode & DRIVEN)) memory[at + Joint.drive0 / 4 + axis] = 0;
    if (u32[from + FRICTION] === 0) memory[at + Joint.rub0 / 4 + axis] = 0;
  }
}
