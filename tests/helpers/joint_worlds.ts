// Worlds with joints and readings of them in double precision, for tests of physics by the public API. `FIGURES=1` prints what
// each bar measured.
import { afterEach, expect } from 'vitest';
import type { BodyId, JointDesc, JointId, MassDesc } from '../../src/index';
import { BodyCold, Header } from '../../src/layout.generated';
import type { WorldOptions } from '../../src/study/index';
import type { LinearMemory } from '../../src/wasm/memory';
import { cross, faultsOf, NO_FAULTS, position, rotate, spin, type V3, velocity } from './ground';
import { swingTwist } from './joint_oracle';
import { conjugate, multiply } from './vectors';
import { type AnyWorld, createWorld } from './worlds';

/** Solvers that have joints. */
export const JOINT_SOLVERS = ['wide'] as const;

export const DEGREE = Math.PI / 180;

const worlds: AnyWorld[] = [];

/** A world that never sleeps, with 12 substeps. After the test nothing may have gone wrong in it. */
export async function jointWorld(options: WorldOptions = {}) {
  const world = await createWorld({ sleep: false, substeps: 12, ...options });
  worlds.push(world);
  return world;
}

// What is stopped for numbers that are not finite holds every bar. Bodies slowed down to the limit of speeds are no fault of numbers.
afterEach(() => {
  for (const world of worlds.splice(0)) expect({ ...faultsOf(world), speedLimited: 0 }).toEqual(NO_FAULTS);
});

/** Mass and inertia of a solid box of these half extents. */
export function boxMass(mass: number, [a, b, c]: V3): MassDesc {
  const k = mass / 3;
  return { mass, inertia: [k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b), 0, 0, 0] };
}

/** Mass and inertia of a solid ball. */
export function ballMass(mass: number, radius: number): MassDesc {
  const i = 0.4 * mass * radius * radius;
  return { mass, inertia: [i, i, i, 0, 0, 0] };
}

/** A body that touches nothing. */
export function ghost(world: AnyWorld, at: V3, mass: MassDesc, more: object = {}): BodyId {
  return world.createBody({ position: at, mass, ...more });
}

/** A measured value must not exceed its bar. */
export function bar(name: string, value: number, limit: number): void {
  if (process.env.FIGURES) console.log(`FIGURE ${name}: ${value.toPrecision(4)} (bar ${limit})`);
  expect(value, name).toBeLessThanOrEqual(limit);
}

/** Frequency (Hz, undamped) and damping ratio of samples of a free oscillation about 0, by its linear recurrence. */
export function oscillation(samples: readonly number[], dt: number): { frequency: number; damping: number } {
  // x[n + 1] = a x[n] + b x[n - 1], by least squares.
  let [xx, xy, yy, xz, yz] = [0, 0, 0, 0, 0];
  for (let n = 1; n + 1 < samples.length; n++) {
    const [y, x, z] = [samples[n - 1]!, samples[n]!, samples[n + 1]!];
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xz += x * z;
    yz += y * z;
  }
  const det = xx * yy - xy * xy;
  const a = (xz * yy - yz * xy) / det;
  const b = (yz * xx - xz * xy) / det;
  const decay = -Math.log(-b) / (2 * dt);
  const omega = Math.acos(a / (2 * Math.sqrt(-b))) / dt;
  const natural = Math.hypot(decay, omega);
  return { frequency: natural / (2 * Math.PI), damping: decay / natural };
}

/** Time between crossings of 0 upward, averaged over all of them. */
export function period(samples: readonly number[], dt: number): number {
  const times: number[] = [];
  for (let n = 1; n < samples.length; n++) {
    const [a, b] = [samples[n - 1]!, samples[n]!];
    if (a < 0 && b >= 0) times.push((n - 1 + a / (a - b)) * dt);
  }
  return (times.at(-1)! - times[0]!) / (times.length - 1);
}

/** A joint's errors from the poses of its bodies, by the settings it was made with (anchors and frames in the bodies). */
export function errors(
  world: AnyWorld,
  desc: JointDesc,
): { offset: V3; gap: number; swing: number; twist: number; turn: number } {
  const identity = [0, 0, 0, 1];
  const pose = (id: BodyId | null | undefined) =>
    id === null || id === undefined
      ? { p: [0, 0, 0] as V3, q: identity }
      : { p: position(world, id), q: world.getRotation(id, [0, 0, 0, 1]) };
  const a = pose(desc.bodyA);
  const b = pose(desc.bodyB);
  const list = (v: unknown) => Array.from(v as ArrayLike<number>);
  const arm = (q: readonly number[], anchor: unknown) => rotate(q, list(anchor));
  const rA = arm(a.q, desc.anchorA);
  const rB = arm(b.q, desc.anchorB);
  const gap = [0, 1, 2].map((k) => b.p[k]! - a.p[k]! + rB[k]! - rA[k]!);
  const frameA = multiply(a.q, list(desc.frameA ?? identity));
  const frameB = multiply(b.q, list(desc.frameB ?? identity));
  const m = swingTwist(frameA, frameB);
  const offset = m.axes.map((axis) => axis.reduce((sum, x, k) => sum + x * gap[k]!, 0)) as V3;
  const g = multiply(conjugate(frameA), frameB);
  const turn = 2 * Math.atan2(Math.hypot(g[0]!, g[1]!, g[2]!), Math.abs(g[3]!));
  return { offset, gap: Math.hypot(...gap), swing: m.angle, twist: m.twist, turn };
}

/** Mass, center of mass (world) and inertia about it (body axes) of a body, as the core has them. */
export function massOf(world: AnyWorld, id: BodyId): { mass: number; center: V3; inertia: number[] } {
  const memory = (world as unknown as { memory: LinearMemory }).memory;
  const at = (memory.headerU32(Header.bodyColds) + world.indexOf(id) * BodyCold.STRIDE) / 4;
  const f = (offset: number) => memory.f32[at + offset / 4]!;
  const com = rotate(world.getRotation(id, [0, 0, 0, 1]), [f(BodyCold.comX), f(BodyCold.comY), f(BodyCold.comZ)]);
  const p = position(world, id);
  return {
    mass: f(BodyCold.mass),
    center: p.map((x, k) => x + com[k]!) as V3,
    inertia: ['ixx', 'iyy', 'izz', 'ixy', 'ixz', 'iyz'].map((key) => f(BodyCold[key as 'ixx'])),
  };
}

export interface Totals {
  mass: number;
  momentum: V3;
  /** About the center of all. */
  angular: V3;
  kinetic: number;
  /** Of gravity 9.81 along -y. */
  potential: number;
}

/** Momentum, angular momentum about the common center and energy of bodies. */
export function totals(world: AnyWorld, ids: readonly BodyId[], gravity = 9.81): Totals {
  const parts = ids.map((id) => {
    const m = massOf(world, id);
    const q = world.getRotation(id, [0, 0, 0, 1]);
    const w = rotate(conjugate(q) as number[], spin(world, id));
    const [xx, yy, zz, xy, xz, yz] = m.inertia as [number, number, number, number, number, number];
    const l: V3 = [xx * w[0] + xy * w[1] + xz * w[2], xy * w[0] + yy * w[1] + yz * w[2], xz * w[0] + yz * w[1] + zz * w[2]];
    const v = velocity(world, id);
    const kinetic = 0.5 * (m.mass * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2) + w[0] * l[0] + w[1] * l[1] + w[2] * l[2]);
    return { ...m, v, l: rotate(q, l), kinetic };
  });
  const mass = parts.reduce((sum, part) => sum + part.mass, 0);
  const sum = (f: (part: (typeof parts)[0]) => readonly number[]) =>
    parts.reduce((total, part) => total.map((x, k) => x + f(part)[k]!) as V3, [0, 0, 0] as V3);
  const center = sum((part) => part.center.map((x) => x * part.mass)).map((x) => x / mass);
  return {
    mass,
    momentum: sum((part) => part.v.map((x) => x * part.mass)),
    angular: sum((part) =>
      cross(
        part.center.map((x, k) => x - center[k]!),
        part.v.map((x) => x * part.mass),
      ).map((x, k) => x + part.l[k]!),
    ),
    kinetic: parts.reduce((total, part) => total + part.kinetic, 0),
    potential: parts.reduce((total, part) => total + part.mass * gravity * part.center[1], 0),
  };
}

/** Root mean square of the linear speeds of bodies, m/s. */
export function rmsSpeed(world: AnyWorld, ids: readonly BodyId[]): number {
  const sum = ids.reduce((total, id) => total + Math.hypot(...velocity(world, id)) ** 2, 0);
  return Math.sqrt(sum / ids.length);
}

/** FNV-1a of poses and velocities of all bodies. */
export function hash(world: AnyWorld): number {
  let sum = 2166136261;
  for (const view of [world.positions, world.rotations, world.velocities]) {
    for (const word of new Uint32Array(view.buffer, view.byteOffset, view.length)) sum = Math.imul(sum ^ word, 16777619);
  }
  return sum >>> 0;
}

/** The joint as it was made, with anchors and frames in the bodies: what `errors` takes. */
export function settingsOf(world: AnyWorld, id: JointId): JointDesc {
  return world.getJoint(id).settings;
}
