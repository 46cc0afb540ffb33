// Converts joints of a file, which are limits and drives of six axes, into the types of joints that talus has.
import type { JointAxes, JointAxis, JointDesc } from '../index';
import { multiply, type Turn, turn, type Vector } from '../rigs/turns';
import type { Drive, JointSettings, Limit } from './document';
import type { Issues } from './issues';

/** A frame in its body, or in the world. */
export interface AttachedFrame {
  anchor: Vector;
  rotation: Turn;
}

/** The description of a joint without its bodies. */
export type JointForm = Omit<JointDesc, 'bodyA' | 'bodyB' | 'collide'>;

/** Mass (kg) or moment of inertia (kg m2) that a drive moves, about or along an axis of frame A. */
export type EffectiveMass = (isLinear: boolean, axis: number) => number;

/** One of the six axes while the joint is assembled. */
interface Axis {
  min: number;
  max: number;
  drive: { motor?: JointAxis['motor']; spring?: JointAxis['spring'] } | null;
}

/** Rotations that turn z into x, y or z. */
const TO_Z: readonly Turn[] = [
  [0.5, 0.5, 0.5, 0.5],
  [-0.5, -0.5, -0.5, 0.5],
  [0, 0, 0, 1],
];
const NAMES: readonly (keyof JointAxes)[] = ['x', 'y', 'z', 'swingX', 'swingY', 'twist'];
const LINEAR = [0, 1, 2];
const ANGULAR = [3, 4, 5];
/** Largest position that talus takes for limits and targets, m or rad. */
const FAR = 1e6;
/** Pi in single precision. */
const HALF_TURN = Math.fround(Math.PI);
/** Soft limits with a smaller range (m or rad) act as springs to its middle. */
const NARROW = 0.1;

const isLocked = ({ min, max }: Axis) => min === 0 && max === 0;
const isFree = ({ min, max, drive }: Axis) => min === -Infinity && max === Infinity && !drive;

/** Assembles the axes of one joint. */
class AxisSet {
  readonly axes: Axis[] = Array.from({ length: 6 }, () => ({ min: -Infinity, max: Infinity, drive: null }));
  /** Half angle of a cone about an axis. */
  cone: { about: number; angle: number } | null = null;
  /** Range of the distance of the anchors, if their positions have no other limits. */
  distance: { min: number; max: number } | null = null;

  constructor(
    private readonly settings: JointSettings,
    private readonly node: number,
    private readonly massOf: EffectiveMass,
    private readonly issues: Issues,
  ) {
    for (const limit of settings.limits) this.limit(limit);
    for (const drive of settings.drives) this.drive(drive);
  }

  private narrow(index: number, min: number, max: number): void {
    const axis = this.axes[index]!;
    axis.min = Math.max(axis.min, min);
    axis.max = Math.min(axis.max, max);
    if (axis.min > axis.max) axis.min = axis.max = (axis.min + axis.max) / 2;
  }

  private limit(limit: Limit): void {
    const { axes, isLinear, path, stiffness } = limit;
    const { issues, node } = this;
    const first = isLinear ? 0 : 3;
    if (limit.min === -Infinity && limit.max === Infinity) return;
    if (stiffness !== undefined && this.soft(limit, stiffness)) return;
    if (axes.length === 1) {
      this.narrow(first + axes[0]!, limit.min, limit.max);
      return;
    }
    // Distances and angles of several axes have no sign.
    const [min, max] = [Math.max(0, limit.min), limit.max];
    if (max <= 0) {
      for (const axis of axes) this.narrow(first + axis, 0, 0);
      return;
    }
    const isAlone = this.settings.limits.every((other) => other === limit);
    if (isLinear && axes.length === 3 && isAlone && this.settings.drives.length === 0) {
      this.distance = { min, max };
      return;
    }
    if (min > 0) issues.approximated(path, node, `a minimum ${isLinear ? 'distance' : 'angle'} over several axes is ignored`);
    if (max === Infinity) return;
    if (!isLinear) {
      const angle = Math.min(max, HALF_TURN);
      if (axes.length === 2) {
        this.cone = { about: 3 - axes[0]! - axes[1]!, angle };
        return;
      }
      issues.approximated(path, node, 'the angle of a whole rotation is limited as swing and twist, each by itself');
      this.cone = { about: 2, angle };
      this.narrow(5, -angle, angle);
      return;
    }
    issues.approximated(
      path,
      node,
      'a distance over several axes is limited on each axis by itself: a box in place of a round region',
    );
    for (const axis of axes) this.narrow(axis, -max, max);
  }

  /** Adds limits that give way, as springs; returns false if a hard limit is narrower. */
  private soft(limit: Limit, stiffness: number): boolean {
    const { axes, isLinear, path, min, max, damping } = limit;
    const isPoint = min === max || (axes.length > 1 && max <= 0);
    const isNarrow = axes.length === 1 && max - min <= NARROW;
    if (!isPoint && !isNarrow) {
      this.issues.approximated(path, this.node, 'a limit with stiffness is hard');
      return false;
    }
    if (!isPoint)
      this.issues.approximated(path, this.node, 'a narrow limit with stiffness is a spring to the middle of its range');
    for (const axis of axes) {
      const target = axes.length === 1 ? (min + max) / 2 : 0;
      this.axes[(isLinear ? 0 : 3) + axis]!.drive = { spring: { target, stiffness, damping } };
    }
    return true;
  }

  private drive(drive: Drive): void {
    const { isLinear, axis, path, stiffness, damping, isAcceleration, positionTarget, velocityTarget, maxForce } = drive;
    const { issues, node } = this;
    const slot = this.axes[(isLinear ? 0 : 3) + axis]!;
    if ((stiffness === 0 && damping === 0) || maxForce === 0 || isLocked(slot)) return;
    if (slot.drive) {
      issues.approximated(path, node, 'an axis has one drive, or one soft limit: the last one counts');
    }
    const most = maxForce === Infinity ? {} : { maxForce };
    if (stiffness > 0) {
      // k (p - x) + d (v - x') is a spring to p + v d / k.
      const lead = (velocityTarget * damping) / stiffness;
      // Not a whole number: the world would take many of them for degrees, and warn.
      const target = Math.min(FAR, Math.max(-FAR, positionTarget + lead * (1 + 1e-6)));
      const spring = isAcceleration ? byFrequency(stiffness, damping) : { stiffness, damping };
      slot.drive = { spring: { target, ...spring, ...most } };
      return;
    }
    const resistance = isAcceleration ? damping * this.massOf(isLinear, axis) : damping;
    if (velocityTarget === 0) {
      slot.drive = { spring: { target: 0, stiffness: 0, damping: resistance, ...most } };
      return;
    }
    // A motor that pulls as hard as the drive does from rest.
    slot.drive = { motor: { velocity: velocityTarget, maxForce: Math.min(maxForce, resistance * Math.abs(velocityTarget)) } };
  }
}

/** A spring by acceleration acts the same for all masses, as a spring by frequency does. */
function byFrequency(stiffness: number, damping: number): { frequency: number; dampingRatio: number } {
  const rate = Math.sqrt(stiffness);
  return {
    frequency: Math.min(1000, Math.max(0.001, rate / (2 * Math.PI))),
    dampingRatio: Math.min(100, damping / (2 * rate)),
  };
}

/** Returns the axis that becomes z, about which talus counts whole turns. */
function pickAxis(set: AxisSet): number {
  if (set.cone) return set.cone.about;
  const angular = ANGULAR.map((i) => set.axes[i]!);
  const open = LINEAR.filter((k) => !isLocked(angular[k]!));
  if (open.length === 1) return open[0]!;
  const driven = open.filter((k) => angular[k]!.drive?.motor);
  if (driven.length > 0) return driven[0]!;
  if (open.length === 2) return LINEAR.find((k) => !open.includes(k))!;
  if (open.length === 0) return LINEAR.find((k) => !isLocked(set.axes[k]!)) ?? 2;
  const range = (k: number) => angular[k]!.max - angular[k]!.min;
  const widest = open.reduce((best, k) => (range(k) > range(best) ? k : best), 2);
  return widest;
}

/** Returns the settings of an axis; undefined if it is free. */
function axisOf(axis: Axis, isSwing: boolean): JointAxis | undefined {
  if (isLocked(axis)) return { locked: true };
  const bound = isSwing ? HALF_TURN : FAR;
  const out: JointAxis = {};
  if (axis.min > -bound || axis.max < bound)
    out.limit = { min: Math.min(bound, Math.max(axis.min, -bound)), max: Math.max(-bound, Math.min(axis.max, bound)) };
  if (axis.drive?.motor) out.motor = axis.drive.motor;
  if (axis.drive?.spring) {
    const { target = 0 } = axis.drive.spring;
    out.spring = { ...axis.drive.spring, target: Math.min(bound, Math.max(-bound, target)) };
  }
  return Object.keys(out).length > 0 ? out : undefined;
}

/** Returns a joint in the terms of talus. Frame A is that of the joint's node, frame B that of its connected node. */
export function jointForm(
  settings: JointSettings,
  a: AttachedFrame,
  b: AttachedFrame,
  node: number,
  massOf: EffectiveMass,
  issues: Issues,
): JointForm | null {
  const set = new AxisSet(settings, node, massOf, issues);
  const { axes } = set;
  const anchors = { anchorA: a.anchor, anchorB: b.anchor };
  if (set.distance) {
    const { min, max } = set.distance;
    return { type: 'distance', ...anchors, limit: { min: Math.min(min, FAR), max: Math.min(max, FAR) } };
  }
  if (axes.every(isFree) && !set.cone) {
    issues.skipped(settings.path, node, 'it has no limits and no drives');
    return null;
  }
  // An axis that is held at a position other than 0 is held at 0 by an anchor at that position.
  const shift: Vector = [0, 0, 0];
  for (const k of LINEAR) {
    const axis = axes[k]!;
    if (axis.min !== axis.max || axis.min === 0) continue;
    shift[k] = axis.min;
    axis.min = axis.max = 0;
  }
  const moved = turn(a.rotation, shift);
  anchors.anchorA = [a.anchor[0] + moved[0], a.anchor[1] + moved[1], a.anchor[2] + moved[2]];
  const z = pickAxis(set);
  const frames = { frameA: multiply(a.rotation, TO_Z[z]!), frameB: multiply(b.rotation, TO_Z[z]!) };
  const [x, y] = [(z + 1) % 3, (z + 2) % 3];
  const linear = [axes[x]!, axes[y]!, axes[z]!];
  const angular = [axes[3 + x]!, axes[3 + y]!, axes[3 + z]!];
  // Files know no friction in joints: where talus has some by itself, it would hold weak drives.
  const ease = settings.drives.length > 0 ? { frictionLever: 0 } : {};
  const isHeld = (list: readonly Axis[]) => list.every(isLocked);
  const main = axisOf(angular[2]!, false) ?? {};
  const way = axisOf(linear[2]!, false) ?? {};
  const { locked: _, ...unlocked } = main;
  if (isHeld(linear)) {
    if (isHeld(angular)) return { type: 'fixed', ...anchors, ...frames };
    if (isHeld(angular.slice(0, 2)) && !set.cone) return { type: 'hinge', ...anchors, ...frames, ...unlocked, ...ease };
    if (angular.every(isFree) && !set.cone) return { type: 'ball', ...anchors };
    if (set.cone && angular.slice(0, 2).every(isFree)) {
      const twist = main.locked ? { limit: { min: 0, max: 0 } } : unlocked;
      return { type: 'cone-twist', ...anchors, ...frames, cone: set.cone.angle, ...twist, ...ease };
    }
  }
  if (isHeld(linear.slice(0, 2)) && isHeld(angular.slice(0, 2)) && !isLocked(linear[2]!) && !set.cone) {
    if (isLocked(angular[2]!)) return { type: 'slider', ...anchors, ...frames, ...way };
    return { type: 'cylindrical', ...anchors, ...frames, ...way, twist: main };
  }
  if (set.cone) {
    issues.approximated(settings.path, node, 'a cone beside other limits is limited on each of its axes by itself');
    for (const axis of angular.slice(0, 2)) {
      axis.min = Math.max(axis.min, -set.cone.angle);
      axis.max = Math.min(axis.max, set.cone.angle);
    }
  }
  const all: JointAxes = {};
  for (const [i, axis] of [...linear, ...angular].entries()) {
    const found = axisOf(axis, i === 3 || i === 4);
    if (found) all[NAMES[i]!] = found;
  }
  return { type: 'six-axis', ...anchors, ...frames, axes: all };
}
