// Fast bodies: nothing passes through what is fixed, nothing is hit by what it passes by, and a hit is at the wall and leaves the
// motion along it alone. A thinned matrix; all of it is in bench/continuous.mjs.
import { describe, expect, test } from 'vitest';
import { BodyDelta, HEADER_PTR, Header } from '../../src/layout.generated';
import type { BodyId, ShapeDesc, SolverName, World } from '../../src/study/index';
import { DT, position, rotate, SOLVERS, steps, type V3, velocity } from '../helpers/ground';
import { columnsOf, seeded } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

type Quat = [number, number, number, number];

const BODIES: Record<string, ShapeDesc> = {
  sphere: { type: 'sphere', radius: 0.1 },
  box: { type: 'box', halfExtents: [0.1, 0.15, 0.2] },
  capsule: { type: 'capsule', radius: 0.08, halfHeight: 0.2 },
  rod: { type: 'box', halfExtents: [0.02, 0.5, 0.02] },
};
/** Bodies whose ends turn fast. */
const SLENDER: Record<string, ShapeDesc> = {
  rod: BODIES.rod!,
  needle: { type: 'capsule', radius: 0.01, halfHeight: 0.5 },
  sheet: { type: 'box', halfExtents: [0.4, 0.005, 0.4] },
};

function flatMesh(): ShapeDesc {
  const positions: number[] = [];
  const indices: number[] = [];
  const n = 10;
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) positions.push((i - n / 2) / 2, 0, (j - n / 2) / 2);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      indices.push(a, a + n + 1, a + n + 2, a, a + n + 2, a + 1);
    }
  }
  return { type: 'mesh', positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

const WALLS: Record<string, { shape: () => ShapeDesc; top: number; moves?: boolean }> = {
  'a wall of 1 cm': { shape: () => ({ type: 'box', halfExtents: [2.5, 0.005, 2.5] }), top: 0.005 },
  triangles: { shape: flatMesh, top: 0 },
  'a heightfield': {
    shape: () => ({ type: 'heightfield', nx: 11, nz: 11, spacing: 0.5, origin: [-2.5, 0, -2.5], heights: new Float32Array(121) }),
    top: 0,
  },
  'a kinematic wall that moves': { shape: () => ({ type: 'box', halfExtents: [2.5, 0.005, 2.5] }), top: 0.005, moves: true },
};

/** `count` spinning bodies that fly at a wall each, from as many distances within one step: ids of the wall and of the body. */
function thrown(world: World, body: ShapeDesc, wall: keyof typeof WALLS, speed: number, count: number): [BodyId, BodyId][] {
  const { shape, top, moves } = WALLS[wall]!;
  const wallShape = world.createShape(shape());
  const bodyShape = world.createShape(body);
  const random = seeded(7);
  return Array.from({ length: count }, (_, k) => {
    const x = 50 * k;
    const wallId = world.createBody({
      type: moves ? 'kinematic' : 'static',
      shape: wallShape,
      position: [x, 0, 0],
      linearVelocity: [0, moves ? speed : 0, 0],
    });
    const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
    const w = [random() - 0.5, random() - 0.5, random() - 0.5];
    const bodyId = world.createBody({
      shape: bodyShape,
      position: [x, top + 0.6 + (speed * DT * k) / count, 0],
      rotation: q.map((c) => c / Math.hypot(...q)) as Quat,
      linearVelocity: [0, moves ? 0 : -speed, 0],
      angularVelocity: w.map((c) => (30 * c) / Math.hypot(...w)) as V3,
    });
    return [wallId, bodyId];
  });
}

/** How many of `count` spinning bodies are ever behind the wall. */
async function passed(solver: SolverName, body: ShapeDesc, wall: keyof typeof WALLS, speed: number, count: number) {
  const world = await createWorld({ gravity: [0, 0, 0], solver });
  const pairs = thrown(world, body, wall, speed, count);
  const behind = new Set<number>();
  for (let i = Math.ceil(0.6 / (speed * DT)) + 8; i > 0; i--) {
    world.step();
    pairs.forEach(([a, b], k) => {
      const d = position(world, b).map((c, j) => c - position(world, a)[j]!);
      if (d[1]! < -0.02 && Math.hypot(d[0]!, d[2]!) < 2) behind.add(k);
    });
  }
  world.dispose();
  return behind.size;
}

/** Depth in the wall (share of the inner radius of the body) after each step whose motion was cut short: boxes and capsules. */
async function heldDepths(body: ShapeDesc, wall: keyof typeof WALLS, speed: number, count: number): Promise<number[]> {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const pairs = thrown(world, body, wall, speed, count);
  let corners: V3[] = [];
  let [radius, inner] = [0, 0];
  if (body.type === 'box') {
    const h = body.halfExtents as V3;
    corners = Array.from({ length: 8 }, (_, k) => h.map((c, i) => ((k >> i) & 1 ? c : -c)) as V3);
    inner = Math.min(...h);
  } else if (body.type === 'capsule') {
    corners = [-1, 1].map((k) => [0, k * body.halfHeight, 0]);
    inner = radius = body.radius;
  }
  // biome-ignore lint/suspicious/noExplicitAny: the stages of a step are no part of the API
  const { core, memory } = world as any;
  const shifts = () => {
    const view = new DataView(memory.memory.buffer);
    const at = view.getUint32(HEADER_PTR + Header.bodyDeltas, true);
    return pairs.map(([, b]) => {
      const delta = new Float32Array(view.buffer, at + world.indexOf(b) * BodyDelta.STRIDE, 3);
      return Math.hypot(...delta);
    });
  };
  const depths: number[] = [];
  for (let i = Math.ceil(0.6 / (speed * DT)) + 10; i > 0; i--) {
    core.stepBroadphase();
    core.stepContacts();
    core.stepSolve();
    const solved = shifts();
    core.stepEnd();
    shifts().forEach((shift, k) => {
      const [x, y, z] = position(world, pairs[k]![1]);
      // Beside the plate it is an edge that holds a body, and not the top.
      if (shift > solved[k]! * (1 - 1e-5) || Math.hypot(x - 50 * k, z) > 1.5) return;
      const q = world.getRotation(pairs[k]![1], [0, 0, 0, 1]);
      const low = y + Math.min(...corners.map((c) => rotate(q, c)[1])) - radius;
      depths.push((WALLS[wall]!.top - low) / inner);
    });
  }
  world.dispose();
  return depths;
}

/** A world with one body and, against it, one static box. */
async function oneBody(solver: SolverName, body: ShapeDesc, at: V3, v: V3, wall: V3, options: object, rotation?: Quat) {
  const world = await createWorld({ gravity: [0, 0, 0], solver });
  world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents: wall }), ...options, rotation });
  const id = world.createBody({ shape: world.createShape(body), position: at, linearVelocity: v, ...options });
  return { world, id };
}

/** Largest change of velocity while a body goes past. */
async function deflection(
  solver: SolverName,
  kind: 'ridge' | 'wall',
  gap: number,
  speed: number,
  share: number,
): Promise<number> {
  const world: World = await createWorld({ gravity: [0, 0, 0], solver });
  const ridge = kind === 'ridge';
  const half: V3 = ridge ? [2, 2, 2] : [0.1, 2, 2];
  world.createBody({
    type: 'static',
    shape: world.createShape({ type: 'box', halfExtents: half }),
    position: [0, ridge ? -2 * Math.SQRT2 : -2, 0],
    rotation: ridge ? [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] : [0, 0, 0, 1],
  });
  const shape = world.createShape(ridge ? { type: 'box', halfExtents: [0.5, 0.5, 0.5] } : { type: 'sphere', radius: 0.1 });
  const start: V3 = [-1 - speed * DT * share, (ridge ? 0.5 : 0.1) + gap, 0];
  const id = world.createBody({ shape, position: start, linearVelocity: [speed, 0, 0] });
  let most = 0;
  for (let i = Math.ceil(2 / (speed * DT)) + 1; i > 0; i--) {
    world.step();
    const v = velocity(world, id);
    most = Math.max(most, Math.hypot(v[0] - speed, v[1], v[2]));
  }
  world.dispose();
  return most;
}

describe('nothing passes', () => {
  for (const wall of Object.keys(WALLS)) {
    test.each(Object.keys(BODIES))(`${wall}: %s`, async (body) => {
      for (const speed of [20, 50, 200, 500]) expect(await passed('wide', BODIES[body]!, wall, speed, 10)).toBe(0);
    });
  }
  // The hit of one end turns the other one through the wall, or the body about it: many, for it is rare.
  for (const wall of ['a wall of 1 cm', 'triangles', 'a kinematic wall that moves']) {
    test.each(Object.keys(SLENDER))(`${wall}: 200 times a %s`, async (body) => {
      for (const speed of [10, 30, 50, 100]) expect(await passed('wide', SLENDER[body]!, wall, speed, 200)).toBe(0);
    });
  }
  test.each(SOLVERS)('%s', async (solver) => {
    for (const body of ['sphere', 'rod']) {
      expect(await passed(solver, BODIES[body]!, 'a wall of 1 cm', 100, 10)).toBe(0);
      expect(await passed(solver, BODIES[body]!, 'a kinematic wall that moves', 100, 10)).toBe(0);
    }
  });
});

describe('motion ends where the core of the body is met, not in the air', () => {
  for (const wall of ['a wall of 1 cm', 'triangles', 'a heightfield']) {
    test.each(Object.keys(SLENDER))(`${wall}: 200 times a %s`, async (body) => {
      for (const speed of [30, 100]) {
        const depths = await heldDepths(SLENDER[body]!, wall, speed, 200);
        expect(depths.length).toBeGreaterThan(50);
        expect(Math.min(...depths)).toBeGreaterThan(0.4);
      }
    });
  }
});

describe('nothing is hit in passing', () => {
  test.each(SOLVERS)('%s', async (solver) => {
    for (const [gap, speed] of [
      [0.02, 5],
      [0.05, 20],
      [0.01, 50],
    ] as const) {
      for (let k = 0; k < 4; k++) {
        expect(await deflection(solver, 'ridge', gap, speed, k / 4)).toBeLessThan(1e-3);
        expect(await deflection(solver, 'wall', gap, speed, k / 4)).toBeLessThan(1e-3);
      }
    }
  });
});

// Edge over edge: a row along their common normal is right as long as both are still there when it closes.
test.each(SOLVERS)('%s: bars that cross edge on edge hit each other, and only where they cross', async (solver) => {
  const tilt = Math.sin(Math.PI / 8);
  const edge = 0.1 * Math.SQRT2;
  for (const speed of [4, 12]) {
    for (let k = 0; k < 4; k++) {
      for (const over of [-0.02, 0.02]) {
        const world = await createWorld({ gravity: [0, 0, 0], solver });
        const bar = (halfExtents: V3) => world.createShape({ type: 'box', halfExtents });
        world.createBody({ type: 'static', shape: bar([1, 0.1, 0.1]), rotation: [tilt, 0, 0, Math.cos(Math.PI / 8)] });
        // It comes down at the speed at which it goes along the other, and is over its end by so much when it is down.
        const height = 0.3 + (speed * DT * k) / 4;
        const id = world.createBody({
          shape: bar([0.1, 0.1, 1]),
          position: [1 + over - height, 2 * edge + height, 0],
          rotation: [0, 0, tilt, Math.cos(Math.PI / 8)],
          linearVelocity: [speed, -speed, 0],
          friction: 0,
        });
        steps(world, Math.ceil(height / (speed * DT)) + 1);
        const down = velocity(world, id)[1] / -speed;
        if (over > 0) expect(down).toBeCloseTo(1, 3);
        else expect(Math.abs(down)).toBeLessThan(0.1);
        world.dispose();
      }
    }
  }
});

describe('a hit', () => {
  test.each(SOLVERS)('%s: is at the wall and leaves what goes along it', async (solver) => {
    for (const speed of [5, 30, 300]) {
      const v: V3 = [0.6 * speed, -0.8 * speed, 0];
      const { world, id } = await oneBody(solver, BODIES.sphere!, [0, 3.1, 0], v, [500, 1, 50], { friction: 0 });
      steps(world, Math.ceil(2 / (0.8 * speed * DT)) + 1);
      const p = position(world, id);
      const u = velocity(world, id);
      expect(Math.abs(p[1] - 1.1)).toBeLessThan(0.01);
      expect(Math.abs(u[0] / v[0] - 1)).toBeLessThan(1e-3);
      expect(Math.abs(u[1])).toBeLessThan(0.02 * speed);
      world.dispose();
    }
  });

  test('a box that is turned hits with its corner and is stopped near the wall', async () => {
    const random = seeded(3);
    for (let k = 0; k < 8; k++) {
      const world = await createWorld({ gravity: [0, 0, 0] });
      world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents: [4, 0.01, 4] }) });
      const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
      const rotation = q.map((c) => c / Math.hypot(...q)) as Quat;
      const id = world.createBody({
        shape: world.createShape(BODIES.box!),
        position: [0, 1.5 + k / 8, 0],
        rotation,
        linearVelocity: [0, -60, 0],
      });
      steps(world, 6);
      let low = Number.POSITIVE_INFINITY;
      const c = columnsOf(world.getRotation(id, [0, 0, 0, 1]) as Quat);
      const reach = [0.1, 0.15, 0.2].reduce((sum, h, i) => sum + h * Math.abs(c[i]![1]!), 0);
      low = position(world, id)[1] - reach - 0.01;
      expect(position(world, id)[1]).toBeGreaterThan(0.05);
      expect(low).toBeGreaterThan(-0.1);
      world.dispose();
    }
  });

  test('a sensor and a filtered wall stop nothing', async () => {
    for (const options of [{ sensor: true }, { category: 2, mask: 2 }]) {
      const world = await createWorld({ gravity: [0, 0, 0] });
      world.createBody({ type: 'static', shape: world.createShape({ type: 'box', halfExtents: [2, 0.1, 2] }), ...options });
      const shape = world.createShape(BODIES.sphere!);
      const id = world.createBody({ shape, position: [0, 2, 0], linearVelocity: [0, -100, 0], category: 1, mask: 1 });
      steps(world, 4);
      expect(position(world, id)[1]).toBeCloseTo(2 - 400 * DT, 3);
      world.dispose();
    }
  });
});
