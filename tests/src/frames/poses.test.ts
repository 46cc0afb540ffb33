// Poses between steps: against the poses of the two steps mixed in double precision, for bodies that move, rest, jump, come and go.
import { describe, expect, test } from 'vitest';
import { type BodyId, createWorld, TalusError, type World } from '../../../src/index';
import { seeded } from '../../helpers/random';

type Numbers = ArrayLike<number>;

/** The rotation of `a` and `b` at `t`, the shorter way around. */
function between(a: Numbers, b: Numbers, t: number): number[] {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += a[k]! * b[k]!;
  const q = [0, 1, 2, 3].map((k) => a[k]! * (1 - t) * (dot < 0 ? -1 : 1) + b[k]! * t);
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
}

/** Column-major, from position, rotation and scale. */
function compose(p: Numbers, [x, y, z, w]: readonly number[], s: Numbers): number[] {
  const m = [
    [1 - 2 * (y! * y! + z! * z!), 2 * (x! * y! + w! * z!), 2 * (x! * z! - w! * y!)],
    [2 * (x! * y! - w! * z!), 1 - 2 * (x! * x! + z! * z!), 2 * (y! * z! + w! * x!)],
    [2 * (x! * z! + w! * y!), 2 * (y! * z! - w! * x!), 1 - 2 * (x! * x! + y! * y!)],
  ];
  return [...m.flatMap((column, k) => [...column.map((v) => v * s[k]!), 0]), p[0]!, p[1]!, p[2]!, 1];
}

function near(got: Numbers, want: Numbers, digits = 1e-5): void {
  for (let k = 0; k < want.length; k++) {
    if (!(Math.abs(got[k]! - want[k]!) <= digits * (1 + Math.abs(want[k]!)))) {
      throw new Error(`place ${k}: ${got[k]}, expected ${want[k]}`);
    }
  }
}

/** Bodies in all directions and spins, some fast enough for more than half a turn a step, with statics and kinematics among them. */
async function swarm(count: number): Promise<{ world: World; ids: BodyId[] }> {
  const world = await createWorld({ gravity: [0, -3, 0], maxAngularSpeed: 1000 });
  const next = seeded(3);
  const shape = world.createShape({ type: 'box', halfExtents: [0.1, 0.2, 0.3] });
  const vector = (size: number) => [0, 1, 2].map(() => size * (2 * next() - 1));
  const ids = Array.from({ length: count }, (_, i) => {
    const type = i % 11 === 5 ? 'static' : i % 7 === 3 ? 'kinematic' : 'dynamic';
    const moving = type === 'static' ? {} : { linearVelocity: vector(20), angularVelocity: vector(i % 5 === 0 ? 240 : 9) };
    return world.createBody({ type, shape, position: [3 * i, i, -i], rotation: [...vector(1), next()], ...moving });
  });
  return { world, ids };
}

const floats = (view: Float32Array) => Float32Array.from(view);

describe.each([1, 3, 4, 255, 256, 257, 700])('%i bodies', (count) => {
  test('all poses and matrices at any alpha, by slots and by list', async () => {
    const { world, ids } = await swarm(count);
    for (let i = 0; i < 3; i++) world.advance(1 / 60);
    const [p0, q0] = [floats(world.positions), floats(world.rotations)];
    world.advance(1 / 60);
    const [p1, q1] = [floats(world.positions), floats(world.rotations)];
    const next = seeded(count);
    const list = Uint32Array.from({ length: count + 9 }, (_, i) => (i % 8 === 6 ? 0xffffffff : Math.floor(next() * count)));
    const scales = Float32Array.from({ length: 3 * list.length }, () => 0.5 + next());
    for (const alpha of [0, 0.25, 0.7, 1]) {
      const pose = (slot: number) => {
        const at = [0, 1, 2].map((k) => p0[4 * slot + k]! * (1 - alpha) + p1[4 * slot + k]! * alpha);
        const turn = between(q0.subarray(4 * slot, 4 * slot + 4), q1.subarray(4 * slot, 4 * slot + 4), alpha);
        return { at, turn };
      };
      const [positions, rotations] = [new Float32Array(4 * count), new Float32Array(4 * count + 3).fill(7)];
      expect(world.readPoses(positions, rotations, { alpha })).toBe(count);
      expect([...rotations.subarray(4 * count)]).toEqual([7, 7, 7]);
      const all = new Float32Array(16 * count);
      expect(world.readMatrices(all, { alpha })).toBe(count);
      for (let i = 0; i < count; i++) {
        const { at, turn } = pose(i);
        near(positions.subarray(4 * i, 4 * i + 4), [...at, 1]);
        const got = rotations.subarray(4 * i, 4 * i + 4);
        const sign = Math.sign(turn.reduce((sum, x, k) => sum + x * got[k]!, 0));
        near(
          got.map((x) => x * sign),
          turn,
        );
        near(all.subarray(16 * i, 16 * i + 16), compose(at, turn, [1, 1, 1]));
        const one = { x: 0, y: 0, z: 0 };
        const own = [0, 0, 0, 0];
        world.getPose(ids[i]!, one, own, alpha);
        near([one.x, one.y, one.z], at);
        near(
          own.map((x) => x * Math.sign(own.reduce((sum, y, k) => sum + y * turn[k]!, 0))),
          turn,
        );
      }
      const some = new Float32Array(16 * list.length + 1).fill(7);
      expect(world.readMatrices(some, { alpha, bodies: list, scales })).toBe(list.length);
      expect(some.at(-1)).toBe(7);
      for (let i = 0; i < list.length; i++) {
        const got = some.subarray(16 * i, 16 * i + 16);
        if (list[i] === 0xffffffff) {
          expect([...got]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
          continue;
        }
        const { at, turn } = pose(list[i]!);
        near(got, compose(at, turn, scales.subarray(3 * i, 3 * i + 3)));
      }
      const [a, b] = [new Float32Array(4 * list.length), new Float32Array(4 * list.length)];
      expect(world.readPoses(a, b, { alpha, bodies: list })).toBe(list.length);
      for (let i = 0; i < list.length; i++) {
        near(a.subarray(4 * i, 4 * i + 4), list[i] === 0xffffffff ? [0, 0, 0, 0] : [...pose(list[i]!).at, 1]);
      }
    }
    // The last step to the last bit.
    const [positions, rotations] = [new Float32Array(4 * count), new Float32Array(4 * count)];
    world.readPoses(positions, rotations, { alpha: 1 });
    expect([positions, rotations]).toEqual([p1, q1]);
  });
});

async function lone() {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const shape = world.createShape({ type: 'sphere', radius: 0.5 });
  const body = world.createBody({ shape, linearVelocity: [60, 0, 0] });
  const x = (id: BodyId, alpha?: number) => {
    const at = [0, 0, 0];
    if (alpha === undefined) world.getPose(id, at);
    else world.getPose(id, at, null, alpha);
    return at[0]!;
  };
  return { world, shape, body, x };
}

test('alpha is that of the last advance', async () => {
  const { world, body, x } = await lone();
  expect(x(body)).toBe(0);
  world.advance(1.5 / 60);
  expect(x(body)).toBeCloseTo(0.5, 5);
  world.advance(0.25 / 60);
  expect(x(body)).toBeCloseTo(0.75, 5);
  const matrix = new Float32Array(16);
  world.readMatrices(matrix);
  expect(matrix[12]).toBeCloseTo(0.75, 5);
  world.readMatrices(matrix, { alpha: 0.1 });
  expect(matrix[12]).toBeCloseTo(0.1, 5);
  // Where picture and simulation are equally long, what was shown runs on without a jump.
  let before = x(body);
  for (let i = 0; i < 300; i++) {
    world.advance(0.0071);
    expect(x(body) - before).toBeCloseTo(60 * 0.0071, 3);
    before = x(body);
  }
});

test('what was teleported or made is there at once, and moves on from there', async () => {
  const { world, shape, body, x } = await lone();
  world.advance(2.5 / 60);
  world.teleport(body, [100, 0, 0]);
  expect(x(body)).toBe(100);
  const other = world.createBody({ shape, position: [-50, 0, 0], linearVelocity: [-60, 0, 0] });
  expect(x(other)).toBe(-50);
  world.advance(1 / 60);
  expect(x(body)).toBeCloseTo(100.5, 4);
  expect(x(other)).toBeCloseTo(-50.5, 4);
  // In a slot that had another body.
  world.removeBody(other);
  const third = world.createBody({ shape, position: [7, 50, 0] });
  expect(world.indexOf(third)).toBe(1);
  expect(x(third, 0)).toBe(7);
  const out = new Float32Array(32);
  world.removeBody(third);
  world.readMatrices(out);
  expect([...out.subarray(16)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
});

test('what sleeps or is static shows as it is, and the step is the same with and without', async () => {
  const make = async () => {
    const world = await createWorld();
    const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const floor = world.createShape({ type: 'box', halfExtents: [20, 1, 20] });
    world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
    const body = world.createBody({ shape: cube, position: [0, 0.8, 0], angularVelocity: [1, 2, 3] });
    return { world, body };
  };
  const [kept, plain] = [await make(), await make()];
  for (let i = 0; i < 400; i++) {
    kept.world.advance(1 / 60);
    plain.world.step();
  }
  expect(kept.world.isAsleep(kept.body)).toBe(true);
  expect([...kept.world.positions, ...kept.world.rotations]).toEqual([...plain.world.positions, ...plain.world.rotations]);
  const [a, b] = [new Float32Array(8), new Float32Array(8)];
  kept.world.readPoses(a, b, { alpha: 0.3 });
  expect([...a, ...b]).toEqual([...kept.world.positions, ...kept.world.rotations]);
  // Nothing is kept for a world that does not ask.
  const off = await make();
  const used = off.world.step() && off.world.profile.memory;
  expect(off.world.advance(1 / 60, { interpolate: false }).steps).toBe(1);
  expect(off.world.profile.memory).toBe(used);
  off.world.advance(1 / 60);
  expect(off.world.profile.memory).toBeGreaterThan(used as number);
});

test('a clone has the same pictures', async () => {
  const { world, body, x } = await lone();
  world.advance(3.5 / 60);
  const twin = await world.clone();
  const at = [0, 0, 0];
  twin.getPose(body, at, null, 0.5);
  expect(at[0]).toBe(x(body));
});

test('memory that grows between calls', async () => {
  const { world, shape } = await lone();
  const out = new Float32Array(16 * 20_001);
  world.advance(1 / 60);
  world.readMatrices(out);
  const positions = Float32Array.from({ length: 60_000 }, (_, i) => i);
  world.createBodies({ count: 20_000, shape, positions });
  expect(world.readMatrices(out, { alpha: 0.5 })).toBe(20_001);
  for (let i = 1; i <= 20_000; i++) expect(out[16 * i + 12]).toBe(3 * (i - 1));
  world.advance(1 / 60);
  const list = Uint32Array.from({ length: 20_001 }, (_, i) => 20_000 - i);
  expect(world.readMatrices(out, { bodies: list, alpha: 0.5 })).toBe(20_001);
  expect(out[12]).toBe(3 * 19_999);
});

test('refuses arrays that are none or too short, before it writes', async () => {
  const { world, body } = await lone();
  const out = new Float32Array(16).fill(3);
  const four = () => new Float32Array(4);
  const calls: (() => unknown)[] = [
    () => world.readMatrices(new Float32Array(15)),
    () => world.readMatrices([] as unknown as Float32Array),
    () => world.readMatrices(new Float64Array(16) as unknown as Float32Array),
    () => world.readMatrices(out, { alpha: 2 }),
    () => world.readMatrices(out, { alpha: Number.NaN }),
    () => world.readMatrices(out, { bodies: [0] as unknown as Uint32Array }),
    () => world.readMatrices(out, { bodies: new Uint32Array(2) }),
    () => world.readMatrices(out, { scales: new Float32Array(2) }),
    () => world.readMatrices(out, { scale: 1 } as object),
    () => world.readMatrices(out, null as unknown as object),
    () => world.readPoses(four(), new Float32Array(3)),
    () => world.readPoses(new Float32Array(3), four()),
    () => world.readPoses(four(), four(), { scales: new Float32Array(3) } as object),
    () => world.getPose(body, [0, 0, 0], null, -0.1),
    () => world.getPose(body, 5 as unknown as number[]),
  ];
  for (const call of calls) {
    try {
      call();
      expect.unreachable(String(call));
    } catch (error) {
      expect(error, String(call)).toBeInstanceOf(TalusError);
      expect((error as TalusError).code).toBe('invalid-argument');
    }
  }
  expect(out.every((value) => value === 3)).toBe(true);
  world.removeBody(body);
  expect(() => world.getPose(body, [0, 0, 0])).toThrow(/does not exist/);
});

test('before the first step a picture between steps shows where bodies were put', async () => {
  const { world, ids } = await swarm(9);
  const [positions, rotations] = [new Float32Array(36), new Float32Array(36)];
  const matrices = new Float32Array(16 * 9);
  // The first call makes the room in which steps keep poses.
  for (const alpha of [0.4, 0, 0.9]) {
    world.readPoses(positions, rotations, { alpha });
    world.readMatrices(matrices, { alpha });
    near(positions, world.positions.subarray(0, 36));
    near(rotations, world.rotations.subarray(0, 36));
    ids.forEach((id, i) => {
      const at = [0, 0, 0];
      world.getPose(id, at, null, alpha);
      near(at, [3 * i, i, -i]);
      near(matrices.subarray(16 * i + 12), [3 * i, i, -i]);
    });
  }
});
