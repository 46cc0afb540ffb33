// Free flight of bodies against closed forms: parabolas, turns about a fixed axis, angular momentum and energy of bodies that tumble.
import { describe, expect, it } from 'vitest';
import { BodyAccel, BodyInertia, BodyRow, Header } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { columnsOf, seeded } from '../../helpers/random';
import { dot, multiply, turned, turnedBack } from '../../helpers/vectors';

type V = number[];
const close = (found: V, expected: V, tolerance = 2e-5) => {
  for (const [i, v] of expected.entries()) expect(Math.abs(found[i]! - v)).toBeLessThan(tolerance * Math.max(1, Math.abs(v)));
};

/** A body that is not the first one, with accelerations written by hand, at the start of its flight. */
function flyer(moments: V, accel: V, turnAccel: V, w: V) {
  const world = new BoxWorld();
  const q: V = [0.2, -0.5, 0.3, 0.7].map((v) => v / Math.hypot(0.2, 0.5, 0.3, 0.7));
  world.box([-9, 0, 0], [1, 1, 1]);
  world.core.createBody(2, 1, 2, 3, ...q);
  world.core.setMassProperties(1, 2.5, 0, 0, 0, ...moments, 0, 0, 0);
  const v = [1.5, -2, 0.7];
  world.core.setVelocity(1, ...v, ...w);
  for (const body of [0, 1]) expect(world.core.testKeepVelocity(body)).toBe(1);
  world.core.setVelocity(1, 9, 9, 9, 9, 9, 9);
  const at = world.core.allocate(128) >>> 0;
  const write = (field: keyof typeof Header, stride: number, offset: number, values: V) =>
    new Float32Array(world.memory.buffer, world.u32(Header[field]) + stride + offset, values.length).set(values);
  write('bodyAccels', BodyAccel.STRIDE, 0, accel);
  write('bodyAccels', BodyAccel.STRIDE, 16, turnAccel);
  world.core.testBeginFlight(at, 1);
  const floats = (address: number, n: number) => Array.from(new Float32Array(world.memory.buffer, address, n));
  const row = () => floats(world.u32(Header.bodyRows) + BodyRow.STRIDE, 8);
  return {
    fly: (time: number, h1: number) => world.core.testFly(at, time, h1),
    start: { q, v, w },
    /** Way, rotation, columns, velocities, inverse of the inertia in the world. */
    state: () => ({
      way: floats(at, 3),
      q: floats(at + 16, 4),
      columns: [0, 1, 2].map((k) => floats(at + 32 + 16 * k, 3)),
      body: new Uint32Array(world.memory.buffer, at + 80, 1)[0],
      v: row().slice(0, 3),
      w: row().slice(4, 7),
      inverse: floats(world.u32(Header.bodyInertias) + BodyInertia.STRIDE, 6),
    }),
  };
}

describe('a flight', () => {
  it('begins with the velocities that were kept, at the present pose, with no way behind it', () => {
    const { start, state } = flyer([1, 1, 1], [0, 0, 0], [0, 0, 0], [1, 2, 3]);
    const s = state();
    expect(s.body).toBe(1);
    expect(s.way).toEqual([0, 0, 0]);
    close([...s.v, ...s.w, ...s.q], [...start.v, ...start.w, ...start.q], 1e-6);
    close(s.columns.flat(), columnsOf(start.q).flat(), 1e-6);
  });

  it('goes along a parabola, as substeps do that accelerate before they move', () => {
    const accel = [0.4, -9.81, 2];
    const { fly, start, state } = flyer([1, 1, 1], accel, [0, 0, 0], [0, 0, 0]);
    const h = 0.002;
    fly(0, h);
    fly(-1, h);
    expect(state().way).toEqual([0, 0, 0]);
    // Twelve substeps one by one, against flights of seven and five of them.
    const [x, v] = [[0, 0, 0], [...start.v]];
    for (let i = 0; i < 12; i++)
      for (let k = 0; k < 3; k++) {
        v[k]! += h * accel[k]!;
        x[k]! += h * v[k]!;
      }
    fly(7 * h, h);
    fly(5 * h, h);
    close(state().way, x);
    close(state().v, v);
    close(state().q, start.q, 1e-6);
  });

  it('turns a body of equal moments about the axis of its velocity, which its acceleration has changed before', () => {
    const random = seeded(12);
    for (let round = 0; round < 6; round++) {
      const w = Array.from({ length: 3 }, () => 20 * random() - 10);
      const turn = Array.from({ length: 3 }, () => 60 * random() - 30);
      const { fly, start, state } = flyer([0.7, 0.7, 0.7], [0, 0, 0], turn, w);
      const time = 0.004 + 0.02 * random();
      fly(time, 0.001);
      const after = w.map((v, k) => v + time * turn[k]!);
      const angle = Math.hypot(...after) * time;
      const step = [...after.map((v) => (v / Math.hypot(...after)) * Math.sin(angle / 2)), Math.cos(angle / 2)];
      const s = state();
      close(s.w, after);
      close(s.q, multiply(step, start.q), 1e-5);
      close(s.columns.flat(), columnsOf(s.q).flat(), 1e-5);
      close(s.inverse, [1 / 0.7, 1 / 0.7, 1 / 0.7, 0, 0, 0]);
    }
  });

  it('of a body of unlike moments keeps its angular momentum and its energy', () => {
    const moments = [0.3, 0.8, 1];
    for (const w of [
      [6, 1, -2],
      [0.5, 9, 0.3],
      [-1, 0.4, 7],
    ]) {
      const { fly, start, state } = flyer(moments, [0, 0, 0], [0, 0, 0], w);
      const momentum = (q: V, spin: V) =>
        turned(
          q,
          turnedBack(q, spin).map((v, k) => v * moments[k]!),
        );
      const l = momentum(start.q, start.w);
      const energy = dot(l, start.w);
      const first = turnedBack(start.q, start.w);
      for (let i = 0; i < 40; i++) fly(0.01, 0.002);
      const s = state();
      close([Math.hypot(...s.q)], [1], 1e-5);
      close(momentum(s.q, s.w), l, 4e-3);
      expect(dot(momentum(s.q, s.w), s.w) / energy).toBeCloseTo(1, 2);
      // It tumbles: its velocity has moved against its own axes.
      expect(Math.hypot(...turnedBack(s.q, s.w).map((v, k) => v - first[k]!))).toBeGreaterThan(0.2);
      // The inverse of the inertia in the world goes with it.
      const c = columnsOf(s.q);
      const entry = (i: number, j: number) => c.reduce((sum, axis, k) => sum + (axis[i]! * axis[j]!) / moments[k]!, 0);
      close(s.inverse, [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)], 1e-4);
    }
  });
});
