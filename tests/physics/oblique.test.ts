// Fast bodies that hit each other off center, and bounce within a step: velocities, places, momentum, angular momentum and energy by
// the formulas of two bodies. Nothing holds them, so momenta are kept to rounding, and the rest to what the meeting is known by.
import { describe, expect, test } from 'vitest';
import type { BodyId, ShapeDesc, World } from '../../src/study/index';
import { cross, DT, length, position, rotation, spin, type V3, velocity } from '../helpers/ground';
import { seeded } from '../helpers/random';
import { createWorld } from '../helpers/worlds';

const SPEEDS = [20, 50, 100, 200, 500];
const RADIUS = 0.1;
// Where in a step they meet.
const PHASES = 6;
// Shapes meet a little late, when their cores overlap; grazing paths cross by more than that.
const LATE = 0.02;

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
const plus = (a: readonly number[], b: readonly number[], f = 1) => a.map((x, i) => x + f * b[i]!) as V3;
const unit = (a: readonly number[]) => a.map((x) => x / length(a)) as V3;

interface Shot {
  world: World;
  ball: BodyId;
  target: BodyId;
  way: number;
}

/** A ball that comes at a target at the origin, from anywhere and up to `aside` off its center. */
async function shoot(shape: ShapeDesc, e: number, speed: number, k: number, aside: number, turned: boolean): Promise<Shot> {
  const next = seeded(100 * k + speed);
  const any = (): V3 => [next() - 0.5, next() - 0.5, next() - 0.5];
  const world = await createWorld({ gravity: [0, 0, 0], sleep: false, maxLinearSpeed: 5000, maxAngularSpeed: 5000 });
  const of = { restitution: e, friction: 0, density: 1000 };
  const target = world.createBody({
    shape: world.createShape(shape),
    position: [0, 0, 0],
    rotation: turned ? [...any(), next()] : [0, 0, 0, 1],
    angularVelocity: any().map((x) => 10 * x) as V3,
    ...of,
  });
  const way = 1 + (speed * DT * (k + 0.5)) / PHASES;
  const d = unit(any());
  const side = unit(cross(d, any()));
  const ball = world.createBody({
    shape: world.createShape({ type: 'sphere', radius: RADIUS }),
    position: plus(
      d.map((x) => -way * x),
      side,
      aside * next(),
    ),
    linearVelocity: d.map((x) => x * speed) as V3,
    ...of,
  });
  return { world, ball, target, way };
}

/** Steps until the ball has been hit; false if it is not. */
function untilHit({ world, ball, way }: Shot, speed: number): boolean {
  const from = velocity(world, ball);
  for (let i = 0; i < Math.ceil((way + 0.6) / (speed * DT)) + 2; i++) {
    world.step();
    if (length(plus(velocity(world, ball), from, -1)) > 1e-3 * speed) return true;
  }
  return false;
}

describe.each([0, 0.5, 0.8, 1])('restitution %f', (e) => {
  test.each(SPEEDS)('two balls at %f m/s: velocities, places, angular momentum', async (speed) => {
    const big = 0.25;
    for (let k = 0; k < PHASES; k++) {
      const shot = await shoot({ type: 'sphere', radius: big }, e, speed, k, 0.25, false);
      const { world, ball, target } = shot;
      const [ma, mb] = [world.getMass(ball), world.getMass(target)];
      const [xa, va, wb] = [position(world, ball), velocity(world, ball), spin(world, target)];
      // |xa + va t| = big + RADIUS
      const [b, c] = [dot(xa, va) / speed ** 2, (dot(xa, xa) - (big + RADIUS) ** 2) / speed ** 2];
      const t = -b - Math.sqrt(b * b - c);
      const met = plus(xa, va, t);
      const n = unit(met);
      const impulse = (-(1 + e) * dot(va, n)) / (1 / ma + 1 / mb);
      const [ua, ub] = [plus(va, n, impulse / ma), n.map((x) => (-impulse / mb) * x) as V3];
      let steps = 0;
      do {
        world.step();
        steps++;
      } while (steps * DT < t);
      const rest = steps * DT - t;
      const slack = LATE / Math.abs(dot(unit(va), n));
      expect(length(plus(velocity(world, ball), ua, -1)) / speed).toBeLessThan(slack);
      expect(length(plus(velocity(world, target), ub, -1)) / speed).toBeLessThan(slack);
      expect(length(plus(position(world, ball), plus(met, ua, rest), -1))).toBeLessThan(slack * (big + speed * rest));
      expect(length(plus(position(world, target), ub, -rest))).toBeLessThan(slack * (big + speed * rest));
      expect(length(spin(world, ball))).toBeLessThan(1e-3 + 1e-5 * speed);
      expect(length(plus(spin(world, target), wb, -1))).toBeLessThan(1e-3 + 1e-5 * speed);
      const l = plus(
        cross(
          position(world, ball),
          velocity(world, ball).map((x) => ma * x),
        ),
        cross(
          position(world, target),
          velocity(world, target).map((x) => mb * x),
        ),
      );
      expect(
        length(
          plus(
            l,
            cross(
              xa,
              va.map((x) => ma * x),
            ),
            -1,
          ),
        ) /
          (ma * speed * big),
      ).toBeLessThan(1e-4);
    }
  });

  test.each(SPEEDS)('a ball and a turning cube at %f m/s: momentum, angular momentum, energy', async (speed) => {
    const half = 0.25;
    let hits = 0;
    for (let k = 0; k < PHASES; k++) {
      const shot = await shoot({ type: 'box', halfExtents: [half, half, half] }, e, speed, k, 0.1, true);
      const { world, ball, target } = shot;
      const moments = [0.4 * world.getMass(ball) * RADIUS ** 2, (2 / 3) * world.getMass(target) * half ** 2];
      const total = () => {
        const sum = { p: [0, 0, 0] as V3, l: [0, 0, 0] as V3, energy: 0 };
        [ball, target].forEach((id, i) => {
          const own = rotation(world, id, [moments[i]!, moments[i]!, moments[i]!]);
          const p = velocity(world, id).map((x) => world.getMass(id) * x) as V3;
          sum.p = plus(sum.p, p);
          sum.l = plus(plus(sum.l, own.momentum), cross(position(world, id), p));
          sum.energy += own.energy + 0.5 * dot(p, velocity(world, id));
        });
        return sum;
      };
      const before = total();
      const brought = world.getMass(ball) * speed;
      if (!untilHit(shot, speed)) continue;
      hits++;
      const after = total();
      const gain = after.energy / before.energy - 1;
      expect(length(plus(after.p, before.p, -1)) / brought, `${k}`).toBeLessThan(3e-6);
      expect(length(plus(after.l, before.l, -1)) / (brought * half), `${k}`).toBeLessThan(1e-4);
      expect(gain, `${k}`).toBeLessThan(2e-4);
      if (e === 1) expect(gain, `${k}`).toBeGreaterThan(-2e-4);
    }
    expect(hits).toBe(PHASES);
  });
});

/** Bodies of any form: half sizes of boxes, or the radius of a ball. */
const FORMS: Record<string, number[]> = {
  ball: [0.1],
  cube: [0.25, 0.25, 0.25],
  slab: [0.3, 0.05, 0.3],
  rod: [0.03, 0.4, 0.03],
  plank: [0.1, 0.02, 0.5],
};
const PAIRS = [
  ['ball', 'slab'],
  ['ball', 'rod'],
  ['slab', 'cube'],
  ['slab', 'slab'],
  ['rod', 'slab'],
  ['rod', 'rod'],
  ['plank', 'plank'],
] as const;

describe.each(PAIRS)('%s and %s, both turning', (one, other) => {
  test.each([
    [0.8, 0],
    [0.8, 0.6],
  ])('restitution %f, friction %f: momentum and angular momentum stay, energy does not grow', async (restitution, friction) => {
    const at = (size: number[], k: number) =>
      size.length === 1 ? 0.4 * size[0]! ** 2 : (size[0]! ** 2 + size[1]! ** 2 + size[2]! ** 2 - size[k]! ** 2) / 3;
    for (const speed of [10, ...SPEEDS]) {
      for (let k = 0; k < PHASES; k++) {
        const next = seeded(1000 * k + speed);
        const any = (): V3 => [next() - 0.5, next() - 0.5, next() - 0.5];
        const world = await createWorld({ gravity: [0, 0, 0], sleep: false, maxLinearSpeed: 5000, maxAngularSpeed: 20000 });
        const d = unit(any());
        const way = length(FORMS[one]!) + length(FORMS[other]!) + 0.1 + (speed * DT * (k + 0.5)) / PHASES;
        const ids = [one, other].map((name, i) => {
          const size = FORMS[name]!;
          const shape: ShapeDesc =
            size.length === 1 ? { type: 'sphere', radius: size[0]! } : { type: 'box', halfExtents: size as V3 };
          const side = unit(cross(d, any()));
          return world.createBody({
            shape: world.createShape(shape),
            position: i === 0 ? plus(plus([0, 0, 0], d, -way), side, 0.6 * Math.min(...FORMS[other]!) * next()) : [0, 0, 0],
            rotation: [...any(), next()],
            linearVelocity: i === 0 ? d.map((x) => x * speed) : [0, 0, 0],
            angularVelocity: any().map((x) => 10 * x),
            restitution,
            friction,
          });
        });
        const total = () => {
          const sum = { p: [0, 0, 0] as V3, l: [0, 0, 0] as V3, energy: 0 };
          for (const [i, id] of ids.entries()) {
            const m = world.getMass(id);
            const own = rotation(world, id, [0, 1, 2].map((c) => m * at(FORMS[i === 0 ? one : other]!, c)) as V3);
            const p = velocity(world, id).map((x) => m * x) as V3;
            sum.p = plus(sum.p, p);
            sum.l = plus(plus(sum.l, own.momentum), cross(position(world, id), p));
            sum.energy += own.energy + 0.5 * dot(p, velocity(world, id));
          }
          return sum;
        };
        const before = total();
        const brought = world.getMass(ids[0]!) * speed;
        const from = velocity(world, ids[0]!);
        let after = -1;
        // The step of the hit, and two behind it: long bodies hit each other again.
        for (let i = 0; i < Math.ceil((way + 0.8) / (speed * DT)) + 2 && after !== 0; i++) {
          world.step();
          if (after > 0) after--;
          else if (length(plus(velocity(world, ids[0]!), from, -1)) > 1e-3 * speed) after = 2;
        }
        const now = total();
        expect(after, `${speed} ${k}`).toBeLessThan(2);
        expect(length(plus(now.p, before.p, -1)) / brought, `${speed} ${k}`).toBeLessThan(2e-5);
        expect(length(plus(now.l, before.l, -1)) / (brought * 0.3), `${speed} ${k}`).toBeLessThan(1e-3);
        expect(now.energy / before.energy - 1, `${speed} ${k}`).toBeLessThan(1e-3);
        world.dispose();
      }
    }
  });
});
