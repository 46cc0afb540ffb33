// Fast bodies against bodies that move: nothing passes, momentum goes over and nothing of it is lost, nothing is hit that is only
// passed by. A thinned matrix; all of it is in bench/continuous.mjs.
import { describe, expect, test } from 'vitest';
import { TalusError } from '../../src/index';
import type { BodyId, ShapeDesc, SolverName, World } from '../../src/study/index';
import { cross, DT, length, position, rotate, rotation, spin, steps, type V3, velocity } from '../helpers/ground';
import { seeded } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

type Quat = [number, number, number, number];
const RADIUS = 0.1;
const BALL: ShapeDesc = { type: 'sphere', radius: RADIUS };
const PARTS = 32;

const quaternion = (world: World, id: BodyId) => world.getRotation(id, [0, 0, 0, 1]) as Quat;
const difference = (a: readonly number[], b: readonly number[]) => a.map((x, i) => x - b[i]!) as V3;
function between(a: Quat, b: Quat, f: number): Quat {
  const dot = a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  const to = dot < 0 ? b.map((x) => -x) : b;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  if (angle < 1e-6) return b;
  return a.map((x, i) => (x * Math.sin((1 - f) * angle) + to[i]! * Math.sin(f * angle)) / Math.sin(angle)) as Quat;
}

/** Tells after each step whether a body has come through a box, across its axis `thin`, since the last one. */
function crossings(world: World, body: BodyId, box: BodyId, half: V3, thin: number): () => boolean {
  const pose = () => ({ x: position(world, body), o: position(world, box), q: quaternion(world, box) });
  let last = pose();
  const local = (x: V3, o: V3, q: Quat) => rotate([-q[0], -q[1], -q[2], q[3]], difference(x, o));
  let before = local(last.x, last.o, last.q);
  return () => {
    const next = pose();
    let through = false;
    for (let k = 1; k <= PARTS; k++) {
      const f = k / PARTS;
      const lerp = (a: V3, b: V3) => a.map((c, i) => c + f * (b[i]! - c)) as V3;
      const now = local(lerp(last.x, next.x), lerp(last.o, next.o), between(last.q, next.q, f));
      if (Math.sign(now[thin]!) !== Math.sign(before[thin]!)) {
        const at = before[thin]! / (before[thin]! - now[thin]!);
        const where = before.map((c, i) => c + at * (now[i]! - c));
        through ||= where.every((c, i) => i === thin || Math.abs(c) < half[i]! - 0.02);
      }
      before = now;
    }
    last = next;
    return through;
  };
}

/** Momentum and, about the origin, angular momentum of a ball or a box. */
function momenta(world: World, id: BodyId, shape: ShapeDesc): { p: V3; l: V3; energy: number } {
  const m = world.getMass(id);
  const v = velocity(world, id);
  const p = v.map((c) => m * c) as V3;
  const h = shape.type === 'box' ? (shape.halfExtents as V3) : null;
  const ball = shape.type === 'sphere' ? 0.4 * m * shape.radius ** 2 : 0;
  const moments: V3 = h
    ? [(m / 3) * (h[1]! ** 2 + h[2]! ** 2), (m / 3) * (h[0]! ** 2 + h[2]! ** 2), (m / 3) * (h[0]! ** 2 + h[1]! ** 2)]
    : [ball, ball, ball];
  const own = rotation(world, id, moments);
  const orbit = cross(position(world, id), p);
  return { p, l: own.momentum.map((c, i) => c + orbit[i]!) as V3, energy: own.energy + 0.5 * m * length(v) ** 2 };
}

const TARGETS = {
  'a hanging plate of 2 cm': { half: [0.01, 1, 1] as V3, thin: 0, axis: 2, gravity: 0 },
  'a door that spins on its hinge': { half: [0.5, 1, 0.02] as V3, thin: 2, axis: 1, gravity: 0 },
  'a box that falls': { half: [0.25, 0.25, 0.25] as V3, thin: 0, axis: -1, gravity: -9.81 },
};
type Target = keyof typeof TARGETS;

interface Shot {
  passed: boolean;
  hit: boolean;
  /** Of the momentum (of what hangs: about its axis), in parts of what both brought. */
  lost: number;
  approach: number;
}

/** One ball at a target; `k` of `count` is where in a step it gets there. */
async function shoot(
  target: Target,
  speed: number,
  k: number,
  count: number,
  options: object,
  solver?: SolverName,
): Promise<Shot> {
  const { half, thin, axis, gravity } = TARGETS[target];
  const world: World = await createWorld({ gravity: [0, gravity, 0], sleep: false, solver });
  const random = seeded(100 * k + speed);
  const [y, z] = [0.6 * (random() - 0.5), 0.6 * (random() - 0.5)];
  const phase = (speed * DT * k) / count;
  const shape: ShapeDesc = { type: 'box', halfExtents: half };
  const made = world.createShape(shape);
  let box: BodyId;
  let from: V3;
  let way: V3 = [1, 0, 0];
  if (target === 'a hanging plate of 2 cm') {
    box = world.createBody({ shape: made, position: [0, -1, 0], ...options });
    for (const end of [-0.9, 0.9]) world.createJoint({ type: 'ball', bodyA: null, bodyB: box, anchor: [0, 0, end] });
    from = [-0.6 - phase, -1 + y, z];
  } else if (target === 'a door that spins on its hinge') {
    const w = 10;
    box = world.createBody({
      shape: made,
      position: [0.5, 0, 0],
      linearVelocity: [0, 0, -w / 2],
      angularVelocity: [0, w, 0],
      ...options,
    });
    world.createJoint({ type: 'hinge', bodyA: null, bodyB: box, anchor: [0, 0, 0], axis: [0, 1, 0] });
    const angle = (w * (0.6 + phase)) / speed; // where the door is when the ball gets there
    const side = k % 2 === 0 ? -1 : 1;
    way = [-side * Math.sin(angle), 0, -side * Math.cos(angle)];
    const r = 0.3 + 0.3 * random();
    from = [r * Math.cos(angle), y, -r * Math.sin(angle)].map((c, i) => c - way[i]! * (0.6 + phase)) as V3;
  } else {
    box = world.createBody({
      shape: made,
      position: [0, (10 * (0.6 + phase)) / speed, 0],
      linearVelocity: [0, -10, 0],
      ...options,
    });
    from = [-0.8 - phase, 0.5 * y, 0.5 * z];
  }
  const ball = world.createBody({
    shape: world.createShape(BALL),
    position: from,
    linearVelocity: way.map((c) => c * speed) as V3,
    ...options,
  });
  const total = () => {
    const a = momenta(world, ball, BALL);
    const b = momenta(world, box, shape);
    return {
      p: a.p.map((c, i) => c + b.p[i]!),
      l: a.l.map((c, i) => c + b.l[i]!),
      both: Math.abs(a.l[axis] ?? 0) + Math.abs(b.l[axis] ?? 0),
    };
  };
  const mass = world.getMass(ball) + world.getMass(box);
  const brought = world.getMass(ball) * speed;
  const { both } = total();
  const through = crossings(world, ball, box, half, thin);
  const shot: Shot = { passed: false, hit: false, lost: 0, approach: 0 };
  let steps = 0;
  for (let i = Math.ceil(1.2 / (speed * DT)) + 5; i > 0; i--) {
    const before = total();
    world.step();
    shot.passed = through() || shot.passed;
    for (const event of world.events) {
      if (event.kind !== 'begin' || shot.hit) continue;
      shot.hit = true;
      shot.approach = event.approachSpeed;
      steps = 2;
    }
    if (steps-- <= 0) continue; // the impact is in the step of its event, and what joints make of it in the next one
    const after = total();
    if (axis >= 0) shot.lost += Math.abs(after.l[axis]! - before.l[axis]!) / both;
    else {
      const lost = difference(after.p, before.p);
      lost[1] -= mass * gravity * DT;
      shot.lost += length(lost) / brought;
    }
  }
  world.dispose();
  return shot;
}

describe('a ball at what moves', () => {
  for (const target of Object.keys(TARGETS) as Target[]) {
    test.each([10, 30, 100, 200, 500])(`${target}: 20 times at %d m/s`, async (speed) => {
      for (let k = 0; k < 20; k++) {
        const shot = await shoot(target, speed, k, 20, {});
        expect(shot.passed).toBe(false);
        expect(shot.hit).toBe(true);
        expect(shot.lost).toBeLessThan(0.01);
      }
    });
    test.each(['cell-split', 'pgs', 'colored'] as const)(`${target}: %s`, async (solver) => {
      if (TARGETS[target].axis >= 0 && solver !== 'cell-split') return; // these take no joints
      for (const speed of [30, 200]) {
        for (let k = 0; k < 5; k++) {
          const shot = await shoot(target, speed, k, 5, {}, solver);
          expect(shot.passed).toBe(false);
          expect(shot.hit).toBe(true);
          if (TARGETS[target].axis < 0) expect(shot.lost).toBeLessThan(1e-4);
        }
      }
    });
  }
});

describe('two balls head-on', () => {
  test.each([0, 0.5, 1])('leave as restitution %d says, at the speed they came with', async (e) => {
    for (const speed of [20, 100, 400]) {
      for (let k = 0; k < 8; k++) {
        const world = await createWorld({ gravity: [0, 0, 0], sleep: false });
        const shape = world.createShape(BALL);
        const gap = 1 + (2 * speed * DT * k) / 8;
        const a = world.createBody({ shape, position: [0, 0, 0], linearVelocity: [speed, 0, 0], restitution: e });
        const b = world.createBody({
          shape,
          position: [gap, 0, 0],
          linearVelocity: [-0.5 * speed, 0, 0],
          restitution: e,
          density: 3000,
        });
        let impulse = 0;
        let approach = 0;
        for (let i = Math.ceil(gap / (1.5 * speed * DT)) + 2; i > 0; i--) {
          world.step();
          for (const event of world.events) {
            if (event.kind !== 'begin') continue;
            impulse += event.impulse;
            approach = event.approachSpeed;
          }
          expect(position(world, a)[0]).toBeLessThan(position(world, b)[0]);
        }
        const m = world.getMass(a);
        const common = (m * speed - 3 * m * 0.5 * speed) / (4 * m);
        const [va, vb] = [velocity(world, a)[0], velocity(world, b)[0]];
        expect((m * va + 3 * m * vb) / (m * speed)).toBeCloseTo(-0.5, 5);
        expect(va / speed).toBeCloseTo((common - e * 0.75 * 1.5 * speed) / speed, 3);
        expect(vb / speed).toBeCloseTo((common + e * 0.25 * 1.5 * speed) / speed, 3);
        expect(approach / (1.5 * speed)).toBeCloseTo(1, 3);
        expect(impulse / (0.75 * m * 1.5 * speed * (1 + e))).toBeCloseTo(1, 3);
        world.dispose();
      }
    }
  });
});

describe('a bullet', () => {
  const SHAPES: Record<string, ShapeDesc> = {
    box: { type: 'box', halfExtents: [0.1, 0.15, 0.2] },
    capsule: { type: 'capsule', radius: 0.08, halfHeight: 0.2 },
    needle: { type: 'capsule', radius: 0.01, halfHeight: 0.5 },
  };
  test.each(Object.keys(SHAPES))(
    '%s: passes through no plate, and momentum and energy are no more than they were',
    async (kind) => {
      const half: V3 = [0.01, 1.5, 1.5];
      const plate: ShapeDesc = { type: 'box', halfExtents: half };
      for (const speed of [10, 30, 100, 300]) {
        for (let k = 0; k < 8; k++) {
          const random = seeded(k);
          const world = await createWorld({ gravity: [0, 0, 0], sleep: false });
          const target = world.createBody({ shape: world.createShape(plate) });
          const q = [0, 0, 0, 0].map(() => random() - 0.5);
          const bullet = world.createBody({
            shape: world.createShape(SHAPES[kind]!),
            position: [-0.8 - (speed * DT * k) / 8, 0.4 * (random() - 0.5), 0.4 * (random() - 0.5)],
            rotation: q.map((c) => c / length(q)) as Quat,
            linearVelocity: [speed, 0, 0],
            bullet: true,
          });
          const m = world.getMass(bullet);
          const through = crossings(world, bullet, target, half, 0);
          for (let i = Math.ceil(1.2 / (speed * DT)) + 5; i > 0; i--) {
            world.step();
            expect(through()).toBe(false);
            const hit = momenta(world, target, plate);
            expect(
              length(
                difference(
                  [m * speed, 0, 0],
                  hit.p.map((c, j) => c + m * velocity(world, bullet)[j]!),
                ),
              ),
            ).toBeLessThan(1e-4 * m * speed);
            expect(hit.energy + 0.5 * m * length(velocity(world, bullet)) ** 2).toBeLessThan(0.5 * m * speed ** 2 * 1.001);
          }
          expect(velocity(world, target)[0]).toBeGreaterThan(0);
          world.dispose();
        }
      }
    },
  );

  test('goes into a row of balls: the order stays, the momentum is all there, and it gets to the last', async () => {
    for (const speed of [20, 100, 400]) {
      for (const bullet of [false, true]) {
        const world = await createWorld({ gravity: [0, 0, 0], sleep: false });
        const shape = world.createShape(BALL);
        const row = Array.from({ length: 8 }, (_, k) =>
          world.createBody({
            shape,
            position: [k === 0 ? -1 : 0.5 * k, 0, 0],
            linearVelocity: [k === 0 ? speed : 0, 0, 0],
            bullet,
          }),
        );
        const m = world.getMass(row[0]!);
        for (let i = 0; i < 60; i++) {
          world.step();
          for (let k = 1; k < 8; k++) {
            expect(position(world, row[k]!)[0] - position(world, row[k - 1]!)[0]).toBeGreaterThan(RADIUS / 2);
          }
          const sum = row.reduce((total, id) => total + m * velocity(world, id)[0], 0);
          expect(sum / (m * speed)).toBeCloseTo(1, 4);
        }
        expect(velocity(world, row[7]!)[0]).toBeGreaterThan(0.05 * speed);
        world.dispose();
      }
    }
  });

  test('wakes what sleeps, hits a compound where its parts are, flies through its gap and through sensors', async () => {
    const world = await createWorld({ gravity: [0, 0, 0] });
    const shape = world.createShape({ type: 'box', halfExtents: [0.02, 0.2, 1] });
    const frame = world.createBody({
      colliders: [
        { shape, position: [0, 0.5, 0] },
        { shape, position: [0, -0.5, 0] },
      ],
    });
    const guard = world.createBody({
      shape: world.createShape({ type: 'box', halfExtents: [0.02, 1, 1] }),
      sensor: true,
      mass: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] },
      position: [1, 0, 0],
    });
    steps(world, 60);
    expect(world.isAsleep(frame)).toBe(true);
    const ball = world.createShape(BALL);
    const gap = world.createBody({ shape: ball, position: [-3, 0, 0], linearVelocity: [200, 0, 0], bullet: true });
    steps(world, 4);
    expect(velocity(world, gap)).toEqual([200, 0, 0]);
    expect(velocity(world, guard)).toEqual([0, 0, 0]);
    const hit = world.createBody({ shape: ball, position: [-3, 0.5, 0], linearVelocity: [200, 0, 0] });
    steps(world, 4);
    expect(world.isAsleep(frame)).toBe(false);
    expect(velocity(world, hit)[0]).toBeLessThan(150);
    expect(spin(world, frame)[2]).toBeLessThan(-1);
    world.dispose();
  });

  test('stops at kinematic bodies that come against it', async () => {
    for (const speed of [30, 200, 500]) {
      for (let k = 0; k < 8; k++) {
        const world = await createWorld({ gravity: [0, 0, 0] });
        const wall = world.createShape({ type: 'box', halfExtents: [0.01, 2, 2] });
        const mover = world.createBody({ type: 'kinematic', shape: wall, linearVelocity: [-speed / 2, 0, 0] });
        const x = -1 - (1.5 * speed * DT * k) / 8;
        const id = world.createBody({
          shape: world.createShape(BALL),
          position: [x, 0.3, 0],
          linearVelocity: [speed, 0, 0],
          bullet: true,
        });
        for (let i = 0; i < 10; i++) {
          world.step();
          expect(position(world, id)[0]).toBeLessThan(position(world, mover)[0]);
        }
        expect(velocity(world, id)[0] / speed).toBeCloseTo(-0.5, 2);
        world.dispose();
      }
    }
  });
});

describe('nothing is hit in passing', () => {
  test('a ball past a ball, and past a plate that turns away', async () => {
    for (const speed of [20, 50, 200]) {
      for (const gap of [0.01, 0.05]) {
        for (let k = 0; k < 6; k++) {
          const world = await createWorld({ gravity: [0, 0, 0], sleep: false });
          const shape = world.createShape(BALL);
          const still = world.createBody({ shape });
          const x = -1 - (speed * DT * k) / 6;
          const id = world.createBody({
            shape,
            position: [x, 2 * RADIUS + gap, 0],
            linearVelocity: [speed, 0, 0],
            bullet: k % 2 === 0,
          });
          steps(world, Math.ceil((1 - x) / (speed * DT)) + 1);
          expect(velocity(world, id)).toEqual([speed, 0, 0]);
          expect(velocity(world, still)).toEqual([0, 0, 0]);
          world.dispose();
        }
      }
    }
  });
});

test('the flag can be set and read, and refuses what is no boolean', async () => {
  const world = await createWorld();
  const shape = world.createShape(BALL);
  const a = world.createBody({ shape, bullet: true });
  const [b] = world.createBodies({ count: 1, shape, positions: [3, 0, 0], bullet: true });
  const c = world.createBody({ shape, position: [6, 0, 0] });
  expect([a, b!, c].map((id) => world.isBullet(id))).toEqual([true, true, false]);
  world.setBullet(a, false);
  world.setBullet(c, true);
  world.setType(c, 'kinematic');
  world.setType(c, 'dynamic');
  expect([a, b!, c].map((id) => world.isBullet(id))).toEqual([false, true, true]);
  // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
  expect(() => world.setBullet(c, 1 as any)).toThrow(TalusError);
  // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
  expect(() => world.createBody({ shape, bullet: 'yes' as any })).toThrow(TalusError);
  world.removeBody(a);
  expect(() => world.isBullet(a)).toThrow(TalusError);
  world.dispose();
});

test('the same calls give the same bits', async () => {
  const run = async () => {
    const world = await createWorld({ gravity: [0, -9.81, 0] });
    world.createBody({
      type: 'static',
      shape: world.createShape({ type: 'box', halfExtents: [10, 1, 10] }),
      position: [0, -1, 0],
    });
    const cube = world.createShape({ type: 'box', halfExtents: [0.2, 0.2, 0.2] });
    for (let k = 0; k < 27; k++) {
      world.createBody({
        shape: cube,
        position: [0.41 * (k % 3), 0.2 + 0.4 * Math.floor(k / 9), 0.41 * (Math.floor(k / 3) % 3)],
      });
    }
    const shape = world.createShape(BALL);
    for (let k = 0; k < 6; k++) {
      world.createBody({ shape, position: [-3 - k, 0.3 + 0.1 * k, 0.1 * k], linearVelocity: [150 + 30 * k, 0, 0], bullet: true });
    }
    steps(world, 30);
    const out = world.positions.slice();
    world.dispose();
    return out;
  };
  expect(await run()).toEqual(await run());
});
