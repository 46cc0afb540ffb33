// Masses of a file: of bodies with given or infinite inertia, and the masses that drives of joints move.
import type { BodyDesc, MassDesc } from '../index';
import { type Turn, turn, type Vector } from '../rigs/turns';
import type { Motion } from './document';
import type { Issues } from './issues';

/** Fields of a body that follow from the motion of its node. */
export interface BodyMotion {
  type: 'dynamic' | 'kinematic' | 'static';
  /** Fields of the body; velocities are those in the world. */
  desc: Partial<BodyDesc>;
}

/** Mass (kg) of a body without colliders and without a mass in the file. */
const MASS = 1;
/** Radius (m) of the ball whose inertia a body without colliders and inertia gets; the default of KHR_implicit_shapes. */
const RADIUS = 0.5;
/** Moments of inertia that stand for infinite ones, as a factor on those of the body. */
const HUGE = 1e5;
const ALIGNED = 1e-4;

const isInfinite = (x: number) => x === Infinity;

/** Returns the axis of the world along which a vector lies, or -1. */
function worldAxis(v: Vector): number {
  return v.findIndex((x) => Math.abs(x) > 1 - ALIGNED);
}

/** Returns type, velocities, locks and simple masses of a body; `rotation` is that of its node in the world. */
export function motionOf(motion: Motion, rotation: Turn, node: number, issues: Issues): BodyMotion {
  const { path, mass, inertiaDiagonal, gravityFactor } = motion;
  if (motion.type === 'static') return { type: 'static', desc: {} };
  const linearVelocity = turn(rotation, motion.linearVelocity);
  const angularVelocity = turn(rotation, motion.angularVelocity);
  const hasNoEnd = mass === Infinity && (inertiaDiagonal ?? [Infinity]).every(isInfinite);
  if (motion.type === 'kinematic' || hasNoEnd) {
    if (motion.type !== 'kinematic' && gravityFactor !== 0)
      issues.approximated(path, node, 'a body of infinite mass and inertia is kinematic: gravity does not move it');
    return { type: 'kinematic', desc: { linearVelocity, angularVelocity } };
  }
  const desc: Partial<BodyDesc> = { linearVelocity, angularVelocity, gravityScale: gravityFactor };
  const locks = { translation: '', rotation: '' };
  if (mass === Infinity) {
    locks.translation = 'xyz';
    if (gravityFactor !== 0 || motion.linearVelocity.some((x) => x !== 0))
      issues.approximated(path, node, 'a body of infinite mass that can turn stays where it is');
    desc.linearVelocity = [0, 0, 0];
  } else if (mass !== undefined) desc.mass = mass;
  if (inertiaDiagonal) locks.rotation = lockedRotation(motion, rotation);
  if (locks.translation || locks.rotation) desc.locks = locks;
  return { type: 'dynamic', desc };
}

/** Returns the axes of the world about which infinite inertia keeps a body from turning, if locks express it exactly. */
function lockedRotation({ inertiaDiagonal, inertiaOrientation: q }: Motion, rotation: Turn): string {
  const open = [0, 1, 2].filter((k) => !isInfinite(inertiaDiagonal![k]!));
  if (open.length === 0) return 'xyz';
  if (open.length !== 1) return '';
  const axis: Vector = [0, 0, 0];
  axis[open[0]!] = 1;
  const free = worldAxis(turn(rotation, turn([q[0]!, q[1]!, q[2]!, q[3]!], axis)));
  return free < 0 ? '' : 'xyz'.replace('xyz'[free]!, '');
}

/** Returns the mass of a dynamic body without colliders. */
export function bareMass(motion: Motion, node: number, issues: Issues): MassDesc {
  const mass = motion.mass !== undefined && motion.mass !== Infinity ? motion.mass : MASS;
  const inertia = 0.4 * mass * RADIUS ** 2;
  if (motion.mass === undefined) issues.approximated(motion.path, node, `a body without colliders and mass has ${MASS} kg`);
  if (!motion.inertiaDiagonal)
    issues.approximated(motion.path, node, `a body without colliders and inertia turns like a ball with a radius of ${RADIUS} m`);
  return { mass, inertia: [inertia, inertia, inertia, 0, 0, 0] };
}

/**
 * Returns center of mass and inertia of the file, in place of the body's own. `toBody` maps points of the node to the body, scale
 * included. Null if the file has neither.
 */
export function givenMass(motion: Motion, own: Required<MassDesc>, toBody: (p: Vector) => Vector): MassDesc | null {
  const { centerOfMass, inertiaDiagonal, inertiaOrientation: q } = motion;
  if (!centerOfMass && !inertiaDiagonal) return null;
  const center = centerOfMass ? toBody(centerOfMass) : own.center;
  if (!inertiaDiagonal) return { mass: own.mass, center, inertia: own.inertia };
  const known = inertiaDiagonal.filter((x) => !isInfinite(x));
  const largest = known.length > 0 ? Math.max(...known) : Math.max(own.inertia[0]!, own.inertia[1]!, own.inertia[2]!);
  const turned = [0, 1, 2].map((k) => {
    const axis: Vector = [0, 0, 0];
    axis[k] = 1;
    return turn([q[0]!, q[1]!, q[2]!, q[3]!], axis);
  });
  const entry = (i: number, j: number) =>
    turned.reduce((sum, axis, k) => {
      const moment = inertiaDiagonal[k]!;
      return sum + (isInfinite(moment) ? HUGE * largest : moment) * axis[i]! * axis[j]!;
    }, 0);
  return {
    mass: own.mass,
    center,
    inertia: [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)],
  };
}

/**
 * Returns the moment of inertia (kg m2) of a body about an axis through a point, both in the frame of the body; infinite if it
 * has no mass.
 */
export function inertiaAbout({ mass, center, inertia }: Required<MassDesc>, axis: Vector, point: Vector): number {
  if (mass === 0) return Infinity;
  const c = center as ArrayLike<number>;
  const [x, y, z] = axis;
  const [rx, ry, rz] = [c[0]! - point[0], c[1]! - point[1], c[2]! - point[2]];
  const along = rx * x + ry * y + rz * z;
  const own =
    inertia[0]! * x * x +
    inertia[1]! * y * y +
    inertia[2]! * z * z +
    2 * (inertia[3]! * x * y + inertia[4]! * x * z + inertia[5]! * y * z);
  return own + mass * Math.max(0, rx * rx + ry * ry + rz * rz - along * along);
}

/** Returns the effective mass of two masses or moments that a drive moves against each other; either may be infinite. */
export function together(a: number, b: number): number {
  const inverse = 1 / a + 1 / b;
  return inverse > 0 ? 1 / inverse : 0;
}
