// The default solver against its oracle (assembly/study/wide_oracle.ts), which takes one manifold after the other in plain code:
// random small worlds, step by step, equal to the bit.
import { expect, test } from 'vitest';
import {
  BodyDelta,
  BodyRow,
  ContactGroup,
  ContactPoints,
  ContactRows,
  ContactSide,
  ContactSidePoints,
  HEADER_PTR,
  Header,
  Manifold,
} from '../../../src/layout.generated';
import { type BodyId, createWorld, type ShapeDesc, type World, type WorldOptions } from '../../../src/study/index';
import { type CoreExports, loadCore } from '../../helpers/core';
import { isLong } from '../../helpers/long';
import { seeded } from '../../helpers/random';

interface Side {
  core: CoreExports;
  memory: WebAssembly.Memory;
}

/** A copy of a world on the test build of the core. */
function copyOf(world: World): Side {
  // biome-ignore lint/suspicious/noExplicitAny: the memory is no part of the API
  const bytes = new Uint8Array((world as any).memory.memory.buffer);
  const side = loadCore();
  side.memory.grow(Math.max(0, (bytes.length - side.memory.buffer.byteLength) / 65536));
  new Uint8Array(side.memory.buffer).set(bytes);
  return side;
}

const header = (side: Side, field: keyof typeof Header) =>
  new DataView(side.memory.buffer).getUint32(HEADER_PTR + Header[field], true);

const setHeader = (side: Side, field: keyof typeof Header, value: number) =>
  new DataView(side.memory.buffer).setUint32(HEADER_PTR + Header[field], value, true);

/** Numbers at addresses 16 bytes apart: entries of columns in a lane. */
function column(side: Side, at: number, count: number): number[] {
  const view = new DataView(side.memory.buffer);
  return Array.from({ length: count }, (_, i) => view.getFloat32(at + 16 * i, true));
}

/** What the solve stage writes: velocities and motion of all bodies, rows and state of all manifolds; and their number. */
function stateOf(side: Side): { bodies: Float32Array; manifolds: number[]; count: number } {
  const { core, memory } = side;
  const n = header(side, 'bodyCount');
  const rows = new Float32Array(memory.buffer, header(side, 'bodyRows'), (n * BodyRow.STRIDE) / 4);
  const deltas = new Float32Array(memory.buffer, header(side, 'bodyDeltas'), (n * BodyDelta.STRIDE) / 4);
  const view = new DataView(memory.buffer);
  const manifolds: number[] = [];
  let count = 0;
  for (let i = 0; i < header(side, 'manifoldCount'); i++) {
    const m = core.manifoldAt(i) >>> 0;
    const k = view.getUint32(m + Manifold.count, true);
    if (k === 0 || view.getUint32(m + Manifold.lane, true) === 0xffffffff) continue;
    count++;
    const group = core.testLaneGroup(i) >>> 0;
    const beside = core.testLaneSide(i) >>> 0;
    // From the normal to the last coupling, points, rows and couplings of points.
    const head = k === 1 ? ContactGroup.couplingT1 : ContactGroup.STRIDE;
    const row = k === 1 ? ContactRows.alongT : ContactRows.STRIDE;
    const size = head + k * (ContactPoints.STRIDE + row) + k * (k - 1) * 8;
    for (let at: number = ContactGroup.normalX; at < size; at += 16)
      manifolds.push(at === ContactGroup.isStatic ? view.getInt32(group + at, true) : column(side, group + at, 1)[0]!);
    manifolds.push(...column(side, beside + ContactSide.restitution, 12));
    for (let p = 0; p < k; p++) {
      const q = beside + ContactSide.STRIDE + p * ContactSidePoints.STRIDE;
      manifolds.push(...column(side, q + ContactSidePoints.previous, 2));
      const asked = column(side, beside + ContactSide.stepImpulse, 1)[0] !== -Infinity;
      if (asked) manifolds.push(...column(side, q + ContactSidePoints.maxImpulse, 1));
    }
  }
  return { bodies: new Float32Array([...rows, ...deltas]), manifolds, count };
}

/** A step up to the end of its solve stage. */
function solve(side: Side): void {
  setHeader(side, 'eventCount', 0);
  for (const stage of ['stepBroadphase', 'stepContacts', 'stepSolve']) expect(side.core[stage](), stage).toBe(0);
}

/** The first entry in which two lists differ, signs of zeros apart (what is no number differs from all); -1: none. */
function firstDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Math.min(a.length, b.length);
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return i;
  return -1;
}

interface Kind {
  world?: WorldOptions;
  /** Traits of a body and of the floor, from random numbers. */
  body?: (next: () => number) => object;
  floor?: object;
  /** Whether every fourth body hangs on the one before. */
  joined?: boolean;
  /** Whether the number of substeps changes at every step. */
  changes?: boolean;
}

/** Steps a world by both, from the same start: the largest number of manifolds at once. */
function compare(world: World, kind: Kind, steps: number, name: string): number {
  const wide = copyOf(world);
  const oracle = copyOf(world);
  oracle.core.useWideOracle();
  let most = 0;
  for (let step = 0; step < steps; step++) {
    for (const side of [wide, oracle]) {
      if (kind.changes) setHeader(side, 'substeps', 3 + (step % 4));
      solve(side);
    }
    const a = stateOf(wide);
    const b = stateOf(oracle);
    expect(b.count, `${name}, step ${step}: manifolds`).toBe(a.count);
    const [m, v] = [firstDifference(a.manifolds, b.manifolds), firstDifference(a.bodies, b.bodies)];
    const place = `${m}: ${a.manifolds[m]} ${b.manifolds[m]}, ${v}: ${a.bodies[v]} ${b.bodies[v]}`;
    expect([m, v], `${name}, step ${step}: ${place}`).toEqual([-1, -1]);
    most = Math.max(most, a.count);
    for (const side of [wide, oracle]) expect(side.core.stepEnd()).toBe(0);
  }
  return most;
}

const pick = (next: () => number, share: number) => ['x', 'y', 'z'].filter(() => next() < share).join('');

const KINDS: Record<string, Kind> = {
  friction: { body: (next) => ({ friction: next() }) },
  'no friction': { body: () => ({ friction: 0 }) },
  'rolling and spinning friction': {
    body: (next) => ({ friction: 0.6, rollingResistance: 0.2 * next(), spinningFriction: 0.05 * next() }),
  },
  'moving surfaces': {
    floor: { surfaceVelocity: [0.7, 0, -0.4], surfaceSpin: [0, 0.5, 0] },
    body: (next) => (next() < 0.4 ? { surfaceVelocity: [next(), next(), next()], surfaceSpin: [0, next(), 0] } : {}),
  },
  'locked axes': { body: (next) => ({ locks: { translation: pick(next, 0.2), rotation: pick(next, 0.3) } }) },
  'masses of all sizes': { body: (next) => ({ density: 10 ** (4 * next()) }) },
  restitution: { body: (next) => ({ restitution: next() }) },
  'two sweeps': { world: { substeps: 5, sweeps: 2, warmStart: 0.9 } as WorldOptions },
  'fast impacts': { body: (next) => ({ restitution: next() < 0.5 ? 0 : next(), linearVelocity: [0, -20 * next(), 0] }) },
  'hits that are asked for': { body: (next) => (next() < 0.5 ? { hitSpeed: 0.01, persistEvents: true } : {}) },
  joints: { joined: true },
  'another number of substeps at every step': { changes: true, body: (next) => ({ rollingResistance: 0.2 * next() }) },
  'all of it': {
    joined: true,
    changes: true,
    floor: { surfaceVelocity: [0.3, 0, 0.2], restitution: 0.4 },
    body: (next) => ({
      friction: next(),
      rollingResistance: 0.1 * next(),
      spinningFriction: 0.02 * next(),
      restitution: next() < 0.5 ? 0 : next(),
      locks: next() < 0.8 ? { translation: '', rotation: '' } : { translation: pick(next, 0.3), rotation: pick(next, 0.4) },
    }),
  },
};

/** Boxes, spheres, hulls and capsules in loose layers above a floor and a wall. */
async function heap(kind: Kind, seed: number): Promise<World> {
  const next = seeded(seed);
  const world = await createWorld({ solver: 'wide', ...(kind.changes && { substeps: 4 }), ...kind.world });
  const around = (size: number) => 2 * size * next() - size;
  const shapes = Array.from({ length: 8 }, (_, i) => {
    const size = 0.2 + 0.2 * next();
    const descs: ShapeDesc[] = [
      { type: 'box', halfExtents: [size, 0.2 + 0.2 * next(), 0.2 + 0.2 * next()] },
      { type: 'sphere', radius: size },
      { type: 'hull', points: Array.from({ length: 36 }, () => around(size)) },
      { type: 'capsule', radius: 0.5 * size, halfHeight: size },
    ];
    return world.createShape(descs[i % 4]!);
  });
  const slab = world.createShape({ type: 'box', halfExtents: [10, 1, 10] });
  const floor = world.createBody({ type: 'static', shape: slab, position: [0, -1, 0], ...kind.floor });
  world.createBody({ type: 'kinematic', shape: slab, position: [10.9, 0, 0], linearVelocity: [-0.3, 0, 0.1] });
  let last: BodyId = floor;
  const count = 6 + Math.floor(24 * next());
  for (let i = 0; i < count; i++) {
    const turn = [around(1), around(1), around(1), around(1) || 1];
    const length = Math.hypot(...turn);
    const body = world.createBody({
      shape: shapes[i % 8]!,
      position: [(i % 3) * 0.7 - 0.8 + around(0.1), 0.3 + 0.6 * Math.floor(i / 9), (Math.floor(i / 3) % 3) * 0.7 + around(0.1)],
      rotation: i % 2 === 0 ? [0, 0, 0, 1] : turn.map((x) => x / length),
      linearVelocity: [around(1), around(1), around(1)],
      angularVelocity: [around(2), around(2), around(2)],
      ...kind.body?.(next),
    });
    if (kind.joined && i % 4 === 3)
      world.createJoint({ type: 'ball', bodyA: last, bodyB: body, anchor: world.getPosition(body, [0, 0, 0]) });
    last = body;
  }
  return world;
}

test.each(Object.keys(KINDS))('%s: the bits of one manifold after the other', async (name) => {
  for (let seed = 1; seed <= (isLong ? 6 : 1); seed++) {
    const world = await heap(KINDS[name]!, seed);
    expect(compare(world, KINDS[name]!, 60, `${name} ${seed}`)).toBeGreaterThan(5);
  }
});
