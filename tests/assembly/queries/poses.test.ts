// Poses and matrices of many bodies between two steps against quaternions mixed one by one in double precision.
import { describe, expect, it } from 'vitest';
import { Header, NONE, POSE_CHUNK } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { columnsOf, seeded } from '../../helpers/random';

type V = number[];
interface Pose {
  p: V;
  q: V;
}
const floats = (world: BoxWorld, at: number, n: number) => Array.from(new Float32Array(world.memory.buffer, at, n));

/** Bodies that fly and turn, with their poses before the last step and after it; the fourth was put elsewhere since, the second is fixed. */
function flight(count: number) {
  const world = new BoxWorld();
  const random = seeded(count);
  const some = (n: number, k = 1) => Array.from({ length: n }, () => k * (2 * random() - 1));
  for (let i = 0; i < count; i++) {
    const q = some(4) as [number, number, number, number];
    const body = world.box(
      [6 * i, 3 * i, -2 * i].map((v) => v + random()),
      [0.2, 0.3, 0.4],
      { type: i === 1 ? 0 : 2, rotation: q },
    );
    if (i !== 1) world.core.setVelocity(body, ...some(3, 20), ...some(3, 25));
  }
  expect(world.core.keepPoses()).toBe(1);
  expect(world.core.reservePoseLists(64)).toBe(1);
  const poses = () =>
    Array.from({ length: count }, (_, i): Pose => {
      return {
        p: floats(world, world.u32(Header.positions) + 16 * i, 3),
        q: floats(world, world.u32(Header.rotations) + 16 * i, 4),
      };
    });
  world.step(2);
  const before = poses();
  world.step();
  if (count > 3) {
    world.core.setPose(3, 9, 8, 7, ...some(4));
    before[3] = poses()[3]!;
  }
  // The same turn with the other sign: the way between stays the shorter one.
  const rotations = new Float32Array(world.memory.buffer, world.u32(Header.rotations), 4 * count);
  for (let k = 8; k < 12; k++) rotations[k] = -rotations[k]!;
  return { world, before, after: poses() };
}

function between(from: Pose, to: Pose, alpha: number): Pose {
  const side = from.q.reduce((sum, v, i) => sum + v * to.q[i]!, 0) < 0 ? -1 : 1;
  const q = to.q.map((v, i) => alpha * v + (1 - alpha) * side * from.q[i]!);
  return { p: to.p.map((v, i) => alpha * v + (1 - alpha) * from.p[i]!), q: q.map((v) => v / Math.hypot(...q)) };
}
const close = (found: V, expected: V, tolerance: number) => {
  expect(found.length).toBe(expected.length);
  for (const [i, v] of expected.entries()) expect(Math.abs(found[i]! - v)).toBeLessThan(tolerance * Math.max(1, Math.abs(v)));
};

describe.each([1, 6, 7, 9])('of %i bodies', (count) => {
  /** Places of a chunk and the bodies that belong there: slots from one on, or a list with gaps. */
  const places = (world: BoxWorld, listed: boolean): { from: number; bodies: number[] } => {
    if (!listed) return { from: 0, bodies: Array.from({ length: count + 2 }, (_, i) => i) };
    const random = seeded(5);
    const bodies = Array.from({ length: 11 }, (_, i) => (i % 4 === 2 ? NONE : Math.floor(random() * count)));
    new Uint32Array(world.memory.buffer, world.u32(Header.poseLists), 16).set([0, 0, 0, ...bodies]);
    return { from: 3, bodies };
  };

  it.each([
    [false, 1],
    [false, 0.3],
    [true, 0],
    [true, 0.75],
  ])('poses are those between the last two steps, zeros without a body; listed: %s, alpha %f', (listed, alpha) => {
    const { world, before, after } = flight(count);
    const { from, bodies } = places(world, listed);
    world.core.readPoses(from, bodies.length, listed, alpha, 0, 0);
    const chunk = world.u32(Header.poseChunk);
    for (const [i, body] of bodies.entries()) {
      const [p, q] = [floats(world, chunk + 16 * i, 3), floats(world, chunk + 16 * (POSE_CHUNK + i), 4)];
      if (body >= count) {
        expect([...p, ...q].every((v) => v === 0)).toBe(true);
        continue;
      }
      const expected = between(before[body]!, after[body]!, alpha);
      close(p, expected.p, 1e-6);
      close(q, expected.q, 2e-6);
    }
  });

  it.each([
    [false, 1, false],
    [false, 0.4, false],
    [true, 0.6, false],
    [true, 0.25, true],
  ])('matrices are theirs, in columns; listed: %s, alpha %f, scaled: %s', (listed, alpha, scaled) => {
    const { world, before, after } = flight(count);
    const { from, bodies } = places(world, listed);
    const random = seeded(8);
    const scales = Array.from({ length: bodies.length }, () => [0.5 + random(), 1.5 + random(), 2.5 + random()]);
    const behind = world.u32(Header.poseLists) + 4 * world.u32(Header.poseListsCapacity) + 12 * from;
    if (scaled) new Float32Array(world.memory.buffer, behind, 3 * bodies.length).set(scales.flat());
    world.core.readPoses(from, bodies.length, listed, alpha, 1, scaled);
    const chunk = world.u32(Header.poseChunk);
    for (const [i, body] of bodies.entries()) {
      const matrix = floats(world, chunk + 64 * i, 16);
      if (body >= count) {
        close(matrix, [...new Array(15).fill(0), 1], 1e-9);
        continue;
      }
      const { p, q } = between(before[body]!, after[body]!, alpha);
      const columns = columnsOf(q).map((c, k) => c.map((v) => (scaled ? v * scales[i]![k]! : v)));
      close(matrix, [...columns.flatMap((c) => [...c, 0]), ...p, 1], 4e-6);
    }
  });
});

it('before the first step, and of bodies that were put elsewhere, poses are the present ones', () => {
  const world = new BoxWorld();
  world.box([1, 2, 3], [0.2, 0.3, 0.4], { rotation: [0.5, 0.5, 0.1, 0.7] });
  world.core.keepPoses();
  world.core.reservePoseLists(4);
  const read = () => {
    world.core.readPoses(0, 1, 0, 0, 0, 0);
    return floats(world, world.u32(Header.poseChunk), 3);
  };
  expect(read()).toEqual([1, 2, 3]);
  world.core.setVelocity(0, 6, 0, -12, 0, 0, 0);
  world.setF32(Header.gravityY, 0);
  world.step();
  close(read(), [1, 2, 3], 1e-6);
  world.step();
  close(read(), [1.1, 2, 2.8], 1e-5);
  world.core.setPose(0, 4, 5, 6, 0, 0, 0, 1);
  expect(read()).toEqual([4, 5, 6]);
});
