// The character in small worlds whose frame is turned against the axes, against closed forms of its motion: speeds and gaps after each
// step, thresholds of slopes, steps and ground, momentum, moving ground; and its limit of motion (`clip`) against projections.
import { describe, expect, test } from 'vitest';
import { clip } from '../../../src/controllers/character';
import { Character } from '../../../src/controllers/index';
import { seeded } from '../../helpers/random';
import { cross, dot, rotationOf, scale, unit } from '../../helpers/vectors';
import { BOX, CAPSULE, feetOf, outward, RADIUS, SKIN, stageOf, toLocal, toWorld, turned, velocityOf } from './stage';
import { plus, solved, type V } from './vehicle_model';

const near = (actual: ArrayLike<number>, expected: readonly number[], tolerance = 3e-5) => {
  const isNear = expected.every((x, i) => Math.abs(actual[i]! - x) <= tolerance);
  if (!isNear) expect(Array.from(actual)).toEqual(expected);
};
const flat = (v: readonly number[]): V => [v[0]!, 0, v[2]!];
/** One velocity moved towards another by at most `change`. */
function towards(from: readonly number[], to: readonly number[], change: number): V {
  const way = plus(to, from, -1);
  const far = Math.hypot(...way);
  return far <= change ? plus(to, [0, 0, 0]) : plus(from, way, change / far);
}
const along = (v: readonly number[], normal: readonly number[]) => plus(v, normal, -dot(v, normal));

describe('clip', () => {
  interface Plane {
    normal: V;
    least: number;
  }

  /** The point nearest to a wish on some planes; null if it is not the nearest one of their half-spaces and of all others. */
  function nearestOn(active: Plane[], all: Plane[], wish: V): V | null {
    const pushes = solved(
      active.map((a) => active.map((b) => dot(a.normal, b.normal))),
      active.map(({ normal, least }) => least - dot(wish, normal)),
    );
    if (pushes.some((push) => push < 0)) return null;
    const at = active.reduce<V>((sum, { normal }, i) => plus(sum, normal, pushes[i]!), wish);
    return all.every(({ normal, least }) => dot(at, normal) > least - 1e-9) ? at : null;
  }

  test('the motion nearest to a wish that enters no plane, for one to three planes', () => {
    const random = seeded(12);
    const number = () => 2 * random() - 1;
    const met = [0, 0, 0, 0];
    for (let i = 0; i < 900; i++) {
      const planes = Array.from({ length: 1 + (i % 3) }, () => ({
        normal: unit([number(), number(), number()]) as V,
        least: random() < 0.4 ? 0 : -0.3 * random(),
      }));
      const wish: V = [number(), number(), number()];
      // Of all sets of planes one has a nearest point that pushes away from each of them.
      for (let set = 0; set < 1 << planes.length; set++) {
        const active = planes.filter((_, k) => set & (1 << k));
        const nearest = nearestOn(active, planes, wish);
        if (nearest === null) continue;
        met[active.length]!++;
        // Three planes leave nothing.
        near(clip(wish, planes), active.length < 3 ? nearest : [0, 0, 0], 1e-9);
        break;
      }
    }
    for (const count of met) expect(count).toBeGreaterThan(5);
  });

  test('a wish that is allowed is returned as it is', () => {
    const wish: V = [0.3, -0.2, 0.5];
    expect(clip(wish, [])).toBe(wish);
    expect(clip(wish, [{ normal: [0.6, 0, 0.8], least: 0 }])).toBe(wish);
    const nearly: V = [1, 0, -0.9e-7];
    expect(clip(nearly, [{ normal: [0, 0, 1], least: 0 }])).toBe(nearly);
    expect(clip([1, 0, -1.05e-7], [{ normal: [0, 0, 1], least: 0 }])[2]).toBe(0);
  });
});

describe('velocity', () => {
  test('on level ground it approaches its wish by its acceleration, and the way is the sum of the speeds', async () => {
    const stage = await stageOf();
    stage.floor();
    const who = stage.character({ acceleration: 7 });
    let v: V = [0, 0, 0];
    let at: V = [0, 0, 0];
    for (const wish of [
      [1.5, 0.9, -0.8],
      [-0.5, -2, 1],
      [0, 3, 0],
    ]) {
      for (let i = 0; i < 15; i++) {
        stage.run(who, 1, wish);
        v = towards(v, flat(wish), 7 * stage.dt);
        at = plus(at, v, stage.dt);
        near(velocityOf(who), v);
        near(feetOf(who), at);
        expect(who.grounded).toBe(true);
      }
    }
    near(v, [0, 0, 0]);
  });

  test('on a slope its speed is that of the level, along the slope', async () => {
    const stage = await stageOf();
    const normal = unit([0.25, 1, -0.35]);
    stage.plane([0, 0, 0], normal);
    const who = stage.character({ acceleration: 9, position: [0, 0.03, 0] });
    stage.run(who, 3);
    let at = feetOf(who);
    let v: V = [0, 0, 0];
    for (const wish of [
      [1.2, 0, 0.7],
      [-0.6, 0, 0.9],
    ]) {
      for (let i = 0; i < 12; i++) {
        stage.run(who, 1, wish);
        const level = towards(flat(v), wish, 9 * stage.dt);
        const ahead = plus(level, [0, 1, 0], -dot(level, normal) / normal[1]);
        v = scale(unit(ahead), Math.hypot(...level)) as V;
        at = plus(at, v, stage.dt);
        near(velocityOf(who), v);
        near(feetOf(who), at, 1e-4);
      }
    }
    near(who.getGroundNormal([0, 0, 0]), outward(normal), 1e-4);
    near(who.getGroundVelocity([1, 1, 1]), [0, 0, 0]);
  });

  test.each([1 / 50, 1 / 80])('with steps of %f s a jump is the parabola, and it is steered a little', async (dt) => {
    const stage = await stageOf({ dt });
    const ground = stage.floor();
    const who = stage.character({ gravityScale: 0.6, airAcceleration: 3 });
    stage.run(who, 3, [1, 0, 0.5]);
    expect([who.grounded, who.groundBody]).toEqual([true, ground]);
    const from = feetOf(who);
    who.walk({ velocity: outward([1, 0, 0.5]), jump: 3 });
    const g = 0.6 * 9.81;
    for (let i = 1; i <= 10; i++) {
      stage.world.step();
      const t = i * dt;
      near(feetOf(who), plus(from, [t, 3 * t - 0.5 * g * t * t, 0.5 * t]), 1e-5);
      near(velocityOf(who), [1, 3 - g * t, 0.5], 1e-5);
      expect([who.grounded, who.groundBody]).toEqual([false, null]);
      near(who.getGroundNormal([0, 0, 0]), outward([0, 1, 0]));
    }
    // Without a wish it keeps its way; with one it is accelerated.
    stage.run(who, 1);
    near(flat(velocityOf(who)), [1, 0, 0.5]);
    stage.run(who, 1, [-1, 5, -1]);
    near(flat(velocityOf(who)), towards([1, 0, 0.5], [-1, 0, -1], 3 * dt));
    near([velocityOf(who)[1]], [3 - g * 12 * dt]);
  });

  test('a jump needs ground, is made once, and must be faster than 0.05 m/s', async () => {
    const stage = await stageOf({ gravity: 0 });
    stage.floor();
    const who = stage.character();
    stage.run(who, 1);
    who.walk({ jump: 0.045 });
    stage.world.step();
    expect(who.grounded).toBe(true);
    near(feetOf(who), [0, 0, 0]);
    who.walk({ jump: 0.055 });
    stage.world.step();
    expect(who.grounded).toBe(false);
    near(velocityOf(who), [0, 0.055, 0]);
    who.walk({ jump: 2 });
    stage.run(who, 3);
    near(velocityOf(who), [0, 0.055, 0]);
  });

  test('once landed under slanted gravity it stands still', async () => {
    const stage = await stageOf({ gravity: [4, -9, 3] });
    stage.floor();
    const who = stage.character({ position: [0.2, 0.08, 0.1] });
    for (let i = 0; i < 20 && !who.grounded; i++) stage.run(who, 1);
    stage.run(who, 1);
    const feet = feetOf(who);
    for (let i = 0; i < 4; i++) {
      stage.run(who, 1);
      near(feetOf(who), feet, 1e-5);
      near(velocityOf(who), [0, 0, 0], 1e-4);
    }
  });

  test('of walls that meet it at once in the air the last ones leave it a way', async () => {
    // A wall, a blunt corner with a second one and a floor, all within one step; the rest of the way is along the last two.
    const stage = await stageOf({ gravity: 0 });
    const [wall, second]: [V, V] = [[-1, 0, 0], unit([-0.5, 0, -0.75]) as V];
    stage.plane([0.2 + RADIUS, 0, 0], wall);
    stage.plane(plus([0.1, 0, 0.4], second, -RADIUS), second);
    stage.plane([0, -0.25, 0], [0, 1, 0]);
    const who = stage.character({ airAcceleration: 0 });
    who.velocity.splice(0, 3, ...outward([12, -25, 75]));
    stage.run(who, 1);
    const way = unit(cross(second, [0, 1, 0]));
    // It has met the second wall at z = 0.3 or so, and then has gone on along it for more than half of a meter.
    const left = scale(way, Math.sign(dot(way, [12, -25, 75])));
    expect(dot(feetOf(who), left)).toBeGreaterThan(0.55);
    near([dot(plus(feetOf(who), [0.1, 0, 0.4], -1), second), feetOf(who)[1]!], [SKIN, -0.25], 1.5 * SKIN);
  });

  test('on landing on a slope it keeps a skin, and what its velocity has along the slope', async () => {
    const stage = await stageOf();
    const normal = unit([-0.2, 1, 0.3]);
    stage.plane([0, 0, 0], normal);
    const who = stage.character({ position: [0.1, 0.6, -0.2], airAcceleration: 0 });
    who.velocity.splice(0, 3, ...outward([0.7, -3, -0.4]));
    // Distance of its lower sphere from the plane.
    const gap = (feet: V) => dot(plus(feet, [0, RADIUS + SKIN, 0]), normal) - RADIUS;
    let at = plus(feetOf(who), [0, 0, 0]);
    let v: V = [0.7, -3, -0.4];
    for (let i = 0; i < 20 && !who.grounded; i++) {
      const mean = plus(v, [0, -1, 0], 0.5 * 9.81 * stage.dt);
      v = plus(v, [0, -1, 0], 9.81 * stage.dt);
      const free = plus(at, mean, stage.dt);
      const lands = gap(free) < SKIN;
      at = lands ? plus(plus(at, along(mean, normal), stage.dt), normal, SKIN - gap(at)) : free;
      if (lands) v = along(v, normal);
      stage.run(who, 1);
      near(feetOf(who), at);
      near(velocityOf(who), v);
      expect(who.grounded).toBe(lands);
    }
    expect(who.grounded).toBe(true);
  });
});

describe('walls', () => {
  const wallOf = (angle: number): V => [-Math.cos(angle), 0, Math.sin(angle)];

  test.each([90, 50, 20, 9])('it keeps a skin to a wall that it meets at %i degrees, and slides along it', async (degrees) => {
    const stage = await stageOf();
    stage.floor();
    const angle = (degrees * Math.PI) / 180;
    // It walks along x.
    const normal = wallOf(Math.PI / 2 - angle);
    stage.plane(plus([0.55, 0, 0], normal, -0.3), normal);
    const who = stage.character();
    const gapOf = (feet: V) => dot(plus(feet, [0.55, 0, 0], -1), normal);
    let at: V = [0, 0, 0];
    for (let i = 0; i < 30; i++) {
      stage.run(who, 1, [1.6, 0, 0]);
      const way: V = [1.6 * stage.dt, 0, 0];
      const free = plus(at, way);
      const meets = gapOf(free) < SKIN + 1e-9;
      at = meets ? plus(plus(at, along(way, normal)), normal, SKIN - gapOf(at)) : free;
      near(feetOf(who), at, 1e-4);
      near(velocityOf(who), meets ? along([1.6, 0, 0], normal) : [1.6, 0, 0], 1e-4);
    }
    expect(gapOf(at)).toBeCloseTo(SKIN, 5);
  });

  test('grazed surfaces keep it eight skins away along its path', async () => {
    const stage = await stageOf();
    stage.floor();
    const sine = 0.08;
    const normal: V = [-sine, 0, Math.sqrt(1 - sine * sine)];
    stage.plane(plus([1.5, 0, 0], normal, -0.3), normal);
    const who = stage.character();
    for (let i = 0; i < 60; i++) {
      const before = feetOf(who);
      stage.run(who, 1, [2, 0, 0]);
      if (dot(plus(feetOf(who), [1.5, 0, 0], -1), normal) < 8 * SKIN * sine + 1e-6) {
        near([dot(plus(feetOf(who), [1.5, 0, 0], -1), normal)], [8 * SKIN * sine], 2e-4);
        const [x, , z] = velocityOf(who);
        if (Math.abs(x! - 2) > 1e-4) near([x!, z!], [2 * (1 - sine * sine), 2 * sine * normal[2]], 1e-3);
      }
      expect(Math.hypot(...plus(feetOf(who), before, -1))).toBeGreaterThan(0.03);
    }
    expect(feetOf(who)[0]).toBeGreaterThan(1.7);
  });

  test.each<[V, number, V]>([
    [[0.5, 0, -0.75], 1, [0, 0, 0]],
    [[-0.5, 0, -0.75], 0.2, [-0.36, 0, 0.24]],
  ])('in a narrow corner it stops a skin from both walls, in a wide one it goes on along the second', async (n, x, velocity) => {
    const stage = await stageOf();
    stage.floor();
    const normals: V[] = [[-1, 0, 0], unit(n) as V];
    for (const normal of normals) stage.plane(plus([0.4, 0, 0.5], normal, -RADIUS), normal);
    const who = stage.character();
    stage.run(who, 45, [x, 0, 1.3]);
    const gaps = normals.map((normal) => dot(plus(feetOf(who), [0.4, 0, 0.5], -1), normal));
    if (x === 1) for (const gap of gaps) expect(Math.abs(gap / SKIN - 0.8)).toBeLessThan(0.21);
    else near([gaps[1]!], [SKIN], 1e-4);
    const along2 = unit([-0.75, 0, 0.5]);
    near(velocityOf(who), x === 1 ? velocity : scale(along2, dot(along2, [x, 0, 1.3])), 1e-4);
  });
});

describe('steps', () => {
  test.each([
    [-0.1, true],
    [0.8, true],
    [1.2, false],
  ])('a step of its step height and %f skins: it climbs it, %s', async (skins, climbs) => {
    const stage = await stageOf();
    stage.floor();
    const height = 0.24 + skins * SKIN;
    stage.box([2, height / 2, 2], [0, height / 2, 2.6]);
    const who = stage.character({ shape: BOX, stepHeight: 0.24, maxSlope: 0.8 });
    const ahead = unit([0.4, 0, 2.5]);
    const speed = Math.hypot(0.4, 2.5);
    // Its way to the riser, a skin from it.
    const way = (0.35 - SKIN) / ahead[2];
    let s = 0;
    for (let i = 0; i < 40; i++) {
      const next = s + speed * stage.dt;
      // It steps two skins onto the step at least.
      s = s < way && next > way ? Math.max(next, way + 2 * SKIN) : next;
      stage.run(who, 1, [0.4, 0, 2.5]);
      if (climbs) near(feetOf(who), plus(scale(ahead, s), [0, s > way ? height : 0, 0]), 1e-4);
      else near(feetOf(who), [0.008 * (i + 1), 0, Math.min(s, way) * ahead[2]], 1e-4);
      near(velocityOf(who), [0.4, 0, climbs || s < way ? 2.5 : 0], 1e-3);
      expect(who.grounded).toBe(true);
    }
  });

  test.each([
    [-0.9, true],
    [-1.1, false],
  ])('under a ceiling it rises until a skin is left: with %f skins of room more it climbs, %s', async (room, climbs) => {
    const stage = await stageOf();
    stage.floor();
    stage.box([2, 0.1, 2], [0, 0.1, 2.6]);
    stage.box([4, 0.1, 4], [0, 1.6 + 0.2 + 2 * SKIN + room * SKIN + 0.1, 0]);
    const who = stage.character({ shape: BOX, stepHeight: 0.3 });
    stage.run(who, 30, [0, 0, 2]);
    near([feetOf(who)[1]], [climbs ? 0.2 : 0], 1e-3);
  });

  test.each([
    [1.01, true],
    [0.985, false],
  ])('stairs whose treads are %f of what its steepest slope asks for', async (factor, climbs) => {
    const stage = await stageOf();
    stage.floor();
    const [rise, slope] = [0.15, 0.7];
    const run = (factor * 0.98 * rise) / Math.tan(slope);
    for (let i = 0; i < 6; i++) stage.box([2, (rise * (i + 1)) / 2, 3], [0, (rise * (i + 1)) / 2, 1 + run * i + 3]);
    const who = stage.character({ shape: { type: 'box', halfExtents: [0.2, 0.8, 0.05] }, stepHeight: 0.2, maxSlope: slope });
    stage.run(who, 60, [0, 0, 2]);
    if (climbs) near([feetOf(who)[1]], [6 * rise], 1e-3);
    else near(feetOf(who), [0, 0, 1 - 0.05 - SKIN], 1e-3);
  });

  test.each([
    [1.04, true],
    [0.96, false],
  ])('a step before a wall, its tread %f of what its steepest slope asks for: it climbs it, %s', async (factor, climbs) => {
    const stage = await stageOf();
    stage.floor();
    const [rise, slope] = [0.15, 0.7];
    const run = (factor * 0.98 * rise) / Math.tan(slope);
    stage.box([2, rise / 2, run / 2], [0, rise / 2, 1 + run / 2]);
    stage.box([2, 1, 0.5], [0, 1, 1 + run + 0.5]);
    const who = stage.character({ shape: { type: 'box', halfExtents: [0.2, 0.8, 0.05] }, stepHeight: 0.3, maxSlope: slope });
    stage.run(who, 40, [0, 0, 2]);
    if (climbs) near(feetOf(who), [0, rise, 1 + run - 0.05 - SKIN], 1e-3);
    else near(feetOf(who), [0, 0, 1 - 0.05 - SKIN], 1e-3);
  });

  test.each([
    [0.9, true],
    [1.1, false],
  ])('down a ledge of its snap and %f skins it follows the ground, %s', async (skins, follows) => {
    const stage = await stageOf();
    const depth = 0.17 + skins * SKIN;
    stage.floor(-depth);
    stage.box([2, 1, 2], [0, -1, -1.52]);
    const who = stage.character({ shape: BOX, snap: 0.17 });
    for (let i = 1; i <= 20; i++) {
      stage.run(who, 1, [0.3, 0, 2.5]);
      if (0.05 * i < 0.73) near(feetOf(who), [0.006 * i, 0, 0.05 * i]);
      else if (follows) near(feetOf(who), [0.006 * i, -depth, 0.05 * i]);
      else {
        expect(who.grounded).toBe(false);
        break;
      }
    }
  });
});

describe('slopes', () => {
  test.each([
    [-0.01, true],
    [0.01, false],
  ])('it stands on its steepest slope and %f rad more: %s', async (more, stands) => {
    const stage = await stageOf();
    const angle = 0.8 + more;
    const normal: V = [Math.sin(angle) * 0.6, Math.cos(angle), Math.sin(angle) * 0.8];
    stage.plane([0, 0, 0], normal);
    const who = stage.character({ maxSlope: 0.8 });
    stage.run(who, 10);
    expect(who.grounded).toBe(stands);
    const feet = feetOf(who);
    stage.run(who, 5);
    const moved = Math.hypot(...plus(feetOf(who), feet, -1));
    if (stands) expect(moved).toBeLessThan(1e-4);
    else expect(moved).toBeGreaterThan(0.01);
  });

  test('placed in a slope it is lifted straight up out of it', async () => {
    const stage = await stageOf({ gravity: 0 });
    const angle = 0.6;
    stage.plane([0, 0, 0], [Math.sin(angle) * 0.6, Math.cos(angle), Math.sin(angle) * 0.8]);
    const who = stage.character({ maxSlope: 0.9 });
    stage.run(who, 1);
    // Its lower sphere touches the slope where it is this much higher.
    near(feetOf(who), [0, RADIUS * (1 / Math.cos(angle) - 1), 0]);
    expect(who.grounded).toBe(true);
    near(velocityOf(who), [0, 0, 0]);
  });

  test.each([
    [0.95, true],
    [1.05, false],
  ])('placed above level ground, %f of its reach, it stands on it: %s', async (share, stands) => {
    const stage = await stageOf({ gravity: 0 });
    stage.floor();
    const height = share * (1 + 1 / Math.cos(0.8)) * SKIN;
    const who = stage.character({ position: [0.4, height, 0.3], maxSlope: 0.8 });
    stage.run(who, 1);
    expect(who.grounded).toBe(stands);
    near(feetOf(who), [0.4, stands ? 0 : height, 0.3]);
  });

  test.each([
    [0.0095, true],
    [0.0105, false],
  ])('placed on ground it stands unless it rises faster than 0.01 m/s: at %f, %s', async (speed, stands) => {
    const stage = await stageOf({ gravity: 0 });
    stage.floor();
    const who = stage.character();
    who.velocity.splice(0, 3, ...outward([0, speed, 0]));
    stage.run(who, 1);
    expect(who.grounded).toBe(stands);
  });
});

describe('edges', () => {
  /** Height of the feet of a capsule over a box from 0 to `length` along z of a height, by its lower sphere. */
  const profile = (z: number, height: number, length: number) => {
    const off = Math.max(-z, z - length, 0);
    if (off >= RADIUS) return 0;
    return Math.max(0, height + Math.sqrt(RADIUS * RADIUS - off * off) - RADIUS);
  };

  test.each([0.04, 0.12, 0.22])(
    'a capsule goes over a step of %f m, up and down, by the way of its lower sphere',
    async (height) => {
      const stage = await stageOf();
      stage.floor();
      stage.box([2, height / 2, 0.6], [0, height / 2, 1.2]);
      const who = stage.character({ stepHeight: 0.25, maxSlope: 0.7 });
      const times: number[] = [];
      for (let i = 0; i < 80; i++) {
        stage.run(who, 1, [0.2, 0, 2]);
        const [x, y, z] = feetOf(who);
        near([y], [profile(z - 0.6, height, 1.2)], 1e-3);
        near([x], [0.004 * (i + 1)], 0.012);
        expect(who.grounded).toBe(true);
        times.push(z);
      }
      // It loses no time.
      expect(Math.abs(times.at(-1)! - 3.2)).toBeLessThan(0.12);
    },
  );

  test.each([
    [0.12, 0.6],
    [0.2, 0.6],
    [0.27, 0.6],
  ])('placed with its axis %f m beyond a ledge it stands on its edge, however steep that is', async (off, maxSlope) => {
    const stage = await stageOf({ gravity: 0 });
    stage.floor(-2);
    stage.box([3, 0.5, 1], [0, -0.5, -1]);
    // The lower sphere is a skin above the edge.
    const y = Math.sqrt(RADIUS * RADIUS - off * off) - RADIUS;
    const who = stage.character({ maxSlope, position: [0.2, y, off] });
    stage.run(who, 1);
    near(feetOf(who), [0.2, y, off], 1e-4);
    expect(who.grounded).toBe(true);
    // The ground is the edge as far as it is gentle, and level ground beyond.
    const normal = who.getGroundNormal([0, 0, 0]);
    const steep = off / RADIUS > Math.sin(maxSlope);
    near(normal, outward(steep ? [0, 1, 0] : [0, Math.sqrt(1 - (off / RADIUS) ** 2), off / RADIUS]), 1e-3);
  });

  test.each([
    [0.1, true],
    [0.2, false],
  ])('on a ridge between steep faces, %f m off its axis, it stands: %s', async (off, stands) => {
    const stage = await stageOf({ gravity: 0 });
    stage.floor(-4);
    // A box on its edge, at the height 0: its faces fall at 60 and 30 degrees, both steeper than what it can walk on.
    const [c, s] = [Math.cos(Math.PI / 4), Math.sin(Math.PI / 4)];
    expect(c).toBeCloseTo(s, 12);
    stage.box([3, 0.8, 0.8], [0, -0.8 * Math.SQRT2, 0], { rotation: rotationOf([Math.PI / 4, 0, 0]) });
    const y = Math.sqrt(RADIUS * RADIUS - off * off) - RADIUS;
    const who = stage.character({ maxSlope: 0.5, position: [0.2, y, off] });
    stage.run(who, 1);
    expect(who.grounded).toBe(stands);
  });

  test('against ground that is too steep a walker slides as along a wall, and one in the air along its face', async () => {
    const angle = 1;
    const level = unit([-0.5, 0, -1]);
    const normal = plus(scale(level, Math.sin(angle)), [0, Math.cos(angle), 0]);
    const stage = await stageOf();
    stage.floor();
    stage.plane(plus([0, 0, 1], [0, 0, 0]), normal);
    const who = stage.character({ maxSlope: 0.8 });
    stage.run(who, 45, [0.3, 0, 1.5]);
    near(velocityOf(who), along([0.3, 0, 1.5], level), 1e-3);
    near([feetOf(who)[1]], [0], 1e-3);
    // In the air.
    const other = await stageOf({ gravity: 0 });
    other.plane([0, 0, 1], normal);
    const flier = other.character({ maxSlope: 0.8, airAcceleration: 0, position: [0, 0.5, 0] });
    flier.velocity.splice(0, 3, ...outward([0.3, -0.2, 1.5]));
    other.run(flier, 45);
    near(velocityOf(flier), along([0.3, -0.2, 1.5], normal), 1e-3);
  });

  test('placed in a slope under a low ceiling it is not lifted', async () => {
    const stage = await stageOf({ gravity: 0 });
    stage.plane([0, 0, 0], [Math.sin(0.6) * 0.6, Math.cos(0.6), Math.sin(0.6) * 0.8]);
    stage.box([3, 0.5, 3], [0, 1.7 + 0.05 + 0.5, 0]);
    const who = stage.character({ maxSlope: 0.9 });
    stage.run(who, 1);
    expect(feetOf(who)[1]).toBeLessThan(0.055);
    near(flat(feetOf(who)), flat(feetOf(who)));
  });
});

describe('what gives way', () => {
  test.each([
    [0.78, false],
    [0.82, true],
  ])('it pushes a body that it meets from above only if its face is steep: at %f rad, %s', async (angle, pushes) => {
    const stage = await stageOf({ gravity: 0 });
    const normal: V = [0, Math.cos(angle), -Math.sin(angle)];
    stage.plane([0, 0, 0.8], normal, { type: 'dynamic', mass: 300 });
    const who = stage.character({ airAcceleration: 0, position: [0, 0.3, 0], mass: 75, pushForce: 1e6, maxSlope: 0.3 });
    who.velocity.splice(0, 3, ...outward([0, -0.5, 2]));
    for (let i = 0; i < 30 && stage.acts.length === 0; i++) stage.run(who, 1);
    const impulses = stage.acts.filter(({ call }) => call === 'applyImpulse');
    expect(impulses.length > 0).toBe(pushes);
    const speed = dot([0, -0.5, 2], normal);
    if (pushes) near(impulses[0]!.amount, scale(normal, ((75 * 300) / 375) * speed), 2e-2);
  });

  test('a lift that is faster than a skin a step carries it all the way', async () => {
    const stage = await stageOf();
    const lift = stage.box([2, 0.5, 2], [0, -0.5, 0], { type: 'kinematic' });
    const who = stage.character();
    stage.run(who, 2);
    stage.world.setVelocity(lift, outward([0.5, 3, 0.4]), [0, 0, 0]);
    for (let i = 1; i <= 15; i++) {
      stage.run(who, 1);
      near(feetOf(who), [0.5 * i * stage.dt, 3 * i * stage.dt, 0.4 * i * stage.dt], 1e-4);
    }
  });

  test('ground carries it to a wall, a skin from it', async () => {
    const stage = await stageOf();
    const belt = stage.box([6, 0.5, 6], [0, -0.5, 0], { type: 'kinematic' });
    stage.box([0.5, 1, 3], [1.3, 1.05, 0]);
    const who = stage.character();
    stage.run(who, 2);
    stage.world.setVelocity(belt, outward([2, 0, 0.7]), [0, 0, 0]);
    for (let i = 1; i <= 25; i++) {
      stage.run(who, 1);
      near(feetOf(who), [Math.min(0.04 * i, 0.8 - RADIUS - SKIN), 0, 0.014 * i], 2e-3);
    }
    expect(who.groundBody).toBe(belt);
  });

  test('it is pushed out of a corner of two moving walls at once', async () => {
    const stage = await stageOf({ gravity: 0 });
    const who = stage.character({ shape: BOX, airAcceleration: 0, position: [0, 0.2, 0] });
    const one = stage.box([0.5, 1, 3], [2, 1, 0], { type: 'kinematic' });
    const other = stage.box([3, 1, 0.5], [0, 1, 2], { type: 'kinematic' });
    stage.run(who, 1);
    stage.world.teleport(one, toWorld([0.8 - 0.11, 1, -3.1]));
    stage.world.teleport(other, toWorld([-3.05, 1, 0.75 - 0.07]));
    stage.run(who, 1);
    const [x, , z] = feetOf(who);
    expect(x).toBeLessThan(1e-6);
    expect(z).toBeLessThan(1e-6);
    stage.world.teleport(one, toWorld([0.8 - 0.11, 1, 0.4]));
    stage.world.teleport(other, toWorld([0.3, 1, 0.75 - 0.17]));
    stage.run(who, 1);
    near(feetOf(who), [-0.11 + SKIN / 2, 0.2, -0.17 + SKIN / 2], 1e-2);
  });
});

describe('bodies', () => {
  /** A crate without friction that it walks into along z: its near face is this far from the feet. */
  const crateAt = (stage: Awaited<ReturnType<typeof stageOf>>, z: number, mass: number, more: object = {}) =>
    stage.box([0.5, 0.4, 0.3], [0.1, 0.4, z + 0.3], { type: 'dynamic', mass, friction: 0, ...more });

  test('it pushes a body once a step, so that both have one speed by their masses, at the height of its center', async () => {
    const stage = await stageOf({ gravity: 0 });
    const who = stage.character({ mass: 60, pushForce: 1e6, airAcceleration: 0, position: [0, 0.1, 0] });
    const crate = stage.box([0.5, 0.4, 0.3], [0.1, 0.9, 0.7], { type: 'dynamic', mass: 25, linearDamping: 0, angularDamping: 0 });
    stage.world.setVelocity(crate, outward([0, 0, 0.4]), [0, 0, 0]);
    who.velocity.splice(0, 3, ...outward([0.3, 0, 2]));
    for (let i = 0; i < 30 && stage.acts.length === 0; i++) stage.run(who, 1);
    const together = (60 * 2 + 25 * 0.4) / 85;
    expect(stage.acts.length).toBe(1);
    const [act] = stage.acts;
    expect([act!.call, act!.body]).toEqual(['applyImpulse', crate]);
    near(act!.amount, [0, 0, 25 * (together - 0.4)], 1e-3);
    // On the face that it meets, as high as the center of the crate.
    const [, y, z] = toLocal(stage.world.getPosition(crate, [0, 0, 0]));
    near([act!.point[1], act!.point[2]], [y, z - 0.3], 2e-2);
    near([act!.point[1]], [0.9], 1e-4);
    near(velocityOf(who), [0.3, 0, together], 1e-3);
  });

  test.each([
    [0.2, 0.7],
    [1.2, 0.9],
    [2.6, 2 * 0.85],
  ])('of a body whose center is %f m high it reaches %f m at most', async (center, reached) => {
    const stage = await stageOf({ gravity: 0 });
    const who = stage.character({ airAcceleration: 0, position: [0, 0, 0] });
    const crate = stage.box([0.5, 1.2, 0.3], [0, 0.9, 0.75], { type: 'dynamic', mass: 30 });
    const { inertia } = stage.world.getMassProperties(crate);
    stage.world.setMass(crate, { mass: 30, center: [0, center - 0.9, 0], inertia });
    who.velocity.splice(0, 3, ...outward([0, 0, 2]));
    for (let i = 0; i < 30 && stage.acts.length === 0; i++) stage.run(who, 1);
    const feet = feetOf(who)[1]! + SKIN;
    expect(stage.acts[0]!.point[1]).toBeCloseTo(feet + Math.min(Math.max(center - feet, 0), 2 * 0.85), 3);
    expect(reached).toBeGreaterThan(0);
  });

  test('its push is limited by its force', async () => {
    const stage = await stageOf();
    stage.floor();
    const who = stage.character({ mass: 60, pushForce: 150 });
    const crate = crateAt(stage, 0.6, 400);
    for (let i = 0; i < 40 && !stage.acts.some(({ call }) => call === 'applyImpulse'); i++) stage.run(who, 1, [0, 0, 2]);
    const [act] = stage.acts.filter(({ call }) => call === 'applyImpulse');
    expect(act!.body).toBe(crate);
    near(act!.amount, [0, 0, 150 * stage.dt], 1e-3);
    // Then it is as fast as the crate.
    near([velocityOf(who)[2]], [(150 * stage.dt) / 400], 1e-3);
  });

  test('it walks behind what flees faster, and steps back before what comes: bodies and moving walls', async () => {
    for (const [type, speed, pushes] of [
      ['dynamic', 3, false],
      ['kinematic', 0.5, false],
      ['kinematic', -0.5, false],
    ] as const) {
      const stage = await stageOf();
      stage.floor();
      const who = stage.character({ mass: 60 });
      const wall = crateAt(stage, 0.36, 40, { type });
      stage.world.setVelocity(wall, outward([0, 0, speed]), [0, 0, 0]);
      stage.run(who, 12, [0, 0, 2]);
      expect(stage.acts.some(({ call }) => call === 'applyImpulse')).toBe(pushes);
      const v = velocityOf(who)[2]!;
      if (type === 'dynamic') near([v], [2], 1e-3);
      else near([v], [Math.max(speed, 0)], 1e-2);
      const face = toLocal(stage.world.getPosition(wall, [0, 0, 0]))[2] - 0.3;
      expect(face - feetOf(who)[2]! - RADIUS).toBeGreaterThan(-0.6 * SKIN);
    }
  });

  test('a wall that was put into it pushes it out, half a meter in a step at most', async () => {
    for (const [deep, moves] of [
      [0.2, 0.2 - SKIN / 2],
      [0.7, 0.5],
      [0.004, 0],
    ] as const) {
      const stage = await stageOf({ gravity: 0 });
      stage.floor();
      const who = stage.character({ shape: BOX, position: [0.3, 0, 0] });
      const wall = stage.box([2, 0.7, 1], [0, 1, 3], { type: 'kinematic' });
      stage.run(who, 2);
      near(feetOf(who), [0.3, 0, 0]);
      stage.world.teleport(wall, toWorld([0, 1, 1.25 - deep]));
      stage.run(who, 1);
      near(feetOf(who), [0.3, 0, -moves], 1e-4);
    }
  });

  test('its weight is a force on what it stands on, where it stands', async () => {
    const stage = await stageOf({ gravity: [0.5, -8, 0.3] });
    const raft = stage.box([2, 0.2, 3], [0.3, -0.2, 0.4], { type: 'dynamic', mass: 900 });
    stage.floor(-0.4);
    const who = stage.character({
      mass: 70,
      gravityScale: 0.75,
      shape: { type: 'sphere', radius: 0.3 },
      position: [0.5, 0, 0.7],
    });
    stage.run(who, 3);
    const [act] = stage.acts.slice(-1);
    expect([act!.call, act!.body, stage.acts.length]).toEqual(['addForce', raft, 3]);
    near(act!.amount, scale([0.5, -8, 0.3], 70 * 0.75), 1e-3);
    near(act!.point, [0.5, 0, 0.7], 2e-3);
    // Nothing without gravity, in the air, and on what is not dynamic.
    stage.acts.length = 0;
    who.walk({ jump: 1 });
    stage.world.step();
    stage.gravity(0);
    stage.run(who, 1);
    expect(stage.acts.length).toBe(0);
  });

  test('without gravity it has no weight', async () => {
    const stage = await stageOf({ gravity: 0 });
    stage.box([2, 0.2, 3], [0.3, -0.2, 0.4], { type: 'dynamic', mass: 900 });
    const who = stage.character();
    stage.run(who, 2);
    expect([who.grounded, stage.acts.length]).toEqual([true, 0]);
  });
});

describe('moving ground', () => {
  test('it is carried and turned by it, has its velocity, and keeps that when it jumps', async () => {
    const stage = await stageOf();
    const dt = stage.dt;
    const spin = 0.8;
    const velocity: V = [0.6, 0.25, -0.4];
    const disk = stage.body({ type: 'cylinder', radius: 3, halfHeight: 0.5 }, { position: [0.2, -0.5, 0.3], type: 'kinematic' });
    const who = stage.character({ position: [1, 0, 0.5] });
    stage.run(who, 2);
    stage.world.setVelocity(disk, outward(velocity), outward([0, spin, 0]));
    /** Where a point of the disk is after a time. */
    const moved = (arm: V, t: number): V => {
      const [c, s] = [Math.cos(spin * t), Math.sin(spin * t)];
      return plus(plus([0.2, 0, 0.3], velocity, t), [c * arm[0] + s * arm[2], arm[1], c * arm[2] - s * arm[0]]);
    };
    const arm: V = [0.8, 0, 0.2];
    for (let i = 1; i <= 20; i++) {
      stage.run(who, 1);
      near(feetOf(who), moved(arm, i * dt), 1e-4);
      // As fast as the way of the last step.
      const v = scale(plus(moved(arm, i * dt), moved(arm, (i - 1) * dt), -1), 1 / dt);
      near(velocityOf(who), v, 2e-3);
      near(who.getGroundVelocity([0, 0, 0]), outward(v), 2e-3);
      near(who.getPose([0, 0, 0], 0.25), toWorld(plus(scale(moved(arm, i * dt), 0.25), moved(arm, (i - 1) * dt), 0.75)), 1e-4);
    }
    near([who.takeTurn(), who.takeTurn()], [20 * spin * dt, 0], 1e-4);
    // It walks on it as on firm ground.
    const from = feetOf(who);
    const center = plus([0.2, 0, 0.3], velocity, 20 * dt);
    stage.run(who, 1, [0.9, 0, 0.4]);
    const [c, s] = [Math.cos(spin * dt), Math.sin(spin * dt)];
    const own = plus(from, center, -1);
    const carried = plus(plus(center, velocity, dt), [c * own[0] + s * own[2], own[1], c * own[2] - s * own[0]]);
    near(feetOf(who), plus(carried, [0.9 * dt, 0, 0.4 * dt]), 1e-4);
    const ground = who.getGroundVelocity([0, 0, 0]);
    near(
      velocityOf(who),
      plus([0.9, 0, 0.4], [dot(ground, outward([1, 0, 0])), dot(ground, outward([0, 1, 0])), dot(ground, outward([0, 0, 1]))]),
      2e-3,
    );
    who.walk({ velocity: outward([0.9, 0, 0.4]), jump: 2 });
    const before = velocityOf(who);
    stage.world.step();
    expect(who.grounded).toBe(false);
    near([velocityOf(who)[1]], [velocity[1] + 2 - 9.81 * dt], 2e-3);
    near(flat(velocityOf(who)), flat(before), 2e-2);
    near(who.getGroundVelocity([1, 1, 1]), [0, 0, 0]);
  });

  test('from ground that sinks it jumps as from firm ground', async () => {
    const stage = await stageOf({ gravity: 5 });
    const lift = stage.box([2, 0.5, 2], [0, -0.5, 0], { type: 'kinematic' });
    const who = stage.character();
    stage.run(who, 2);
    stage.world.setVelocity(lift, outward([0.3, -0.5, 0.2]), [0, 0, 0]);
    stage.run(who, 5);
    near(velocityOf(who), [0.3, -0.5, 0.2], 1e-3);
    who.walk({ jump: 1.5 });
    stage.world.step();
    near(velocityOf(who), [0.3, 1.5 - 5 * stage.dt, 0.2], 1e-3);
  });

  test('it stays on ground that starts and stops at once, and falls off what is gone', async () => {
    const stage = await stageOf();
    const lift = stage.box([2, 0.5, 2], [0, -0.5, 0], { type: 'kinematic' });
    const who = stage.character({ acceleration: 1 });
    stage.run(who, 2);
    for (const v of [
      [1, 0.6, -0.8],
      [0, 0, 0],
      [-0.7, -0.9, 0.4],
    ] as V[]) {
      const from = feetOf(who);
      stage.world.setVelocity(lift, outward(v), [0, 0, 0]);
      stage.run(who, 4);
      near(feetOf(who), plus(from, v, 4 * stage.dt), 1e-4);
      near(velocityOf(who), v, 1e-3);
      expect(who.groundBody).toBe(lift);
    }
    stage.world.removeBody(lift);
    expect(who.groundBody).toBe(null);
    const from = feetOf(who);
    stage.run(who, 1);
    expect([who.grounded, who.groundBody]).toEqual([false, null]);
    near(feetOf(who), plus(from, [-0.7, -0.9 - 9.81 * stage.dt * 0.5, 0.4], stage.dt), 1e-3);
  });

  test('on ground that tilts it is turned only about the up direction', async () => {
    const stage = await stageOf();
    const table = stage.body({ type: 'cylinder', radius: 3, halfHeight: 0.5 }, { position: [0, -0.5, 0], type: 'kinematic' });
    const who = stage.character({ position: [0.1, 0, 0.2] });
    stage.run(who, 2);
    const at = rotationOf(scale(unit([0.3, 1, 0.2]), 0.12));
    stage.world.moveKinematic(table, toWorld([0, -0.5, 0]), turned(at));
    stage.run(who, 2);
    near([who.takeTurn()], [2 * Math.atan2(at[1]!, at[3]!)], 1e-4);
  });

  test('its turn is taken up to the moment that is drawn', async () => {
    const stage = await stageOf();
    const disk = stage.body({ type: 'cylinder', radius: 3, halfHeight: 0.5 }, { position: [0, -0.5, 0], type: 'kinematic' });
    const who = stage.character({ position: [0.4, 0, 0] });
    stage.run(who, 2);
    stage.world.setVelocity(disk, [0, 0, 0], outward([0, -1.5, 0]));
    stage.world.advance(3.3 * stage.dt);
    // As drawn: the last step counts by alpha.
    near([who.takeTurn()], [-1.5 * stage.dt * (2 + stage.world.alpha)], 1e-4);
    expect(stage.world.alpha).toBeGreaterThan(0.2);
    stage.world.advance(0.5 * stage.dt);
    near([who.takeTurn()], [-1.5 * 0.5 * stage.dt], 1e-4);
  });

  test('on a dynamic raft it goes along, by the velocity of the point under its feet', async () => {
    const stage = await stageOf({ gravity: 0 });
    const raft = stage.box([3, 0.5, 2], [0.4, -0.5, 0.3], { type: 'dynamic', mass: 500, linearDamping: 0, angularDamping: 0 });
    const { mass, inertia } = stage.world.getMassProperties(raft);
    stage.world.setMass(raft, { mass, center: [0.5, 0.1, -0.3], inertia });
    const who = stage.character({ position: [1.2, 0, 0.1] });
    stage.run(who, 2);
    expect(who.groundBody).toBe(raft);
    stage.world.setVelocity(raft, outward([0.5, 0, 0.2]), outward([0, 0.6, 0]));
    const arm = plus(feetOf(who), [0.9, 0, 0], -1);
    stage.run(who, 1);
    const expected = plus([0.5, 0, 0.2], cross([0, 0.6, 0], arm));
    near(who.getGroundVelocity([0, 0, 0]), outward(expected), 2e-2);
    near(feetOf(who), plus([1.2, 0, 0.1], expected, stage.dt), 5e-4);
  });
});

describe('its state', () => {
  /** A character that has been through all: carried on turning ground, walking, with a jump to come. */
  async function busy() {
    const stage = await stageOf();
    stage.floor(-3);
    const disk = stage.body({ type: 'cylinder', radius: 3, halfHeight: 0.5 }, { position: [0.2, -0.5, 0.3], type: 'kinematic' });
    stage.world.setVelocity(disk, outward([0.3, 0.2, -0.1]), outward([0.05, 0.8, 0.02]));
    const desc = { position: [1, 0, 0.5], acceleration: 5, airAcceleration: 3 };
    const who = stage.character(desc);
    stage.run(who, 6, [0.8, 0, -0.5]);
    return { stage, who, disk };
  }

  const wayOf = (stage: Awaited<ReturnType<typeof stageOf>>, who: Character) =>
    Array.from({ length: 8 }, () => {
      stage.world.step();
      return [...who.getPosition([0, 0, 0]), ...who.velocity, ...who.getGroundVelocity([0, 0, 0]), who.takeTurn()];
    });

  test('what it saves is all that it needs, in the same world and in a clone', async () => {
    const { stage, who } = await busy();
    who.walk({ velocity: outward([-0.4, 0, 0.7]), jump: 1.3 });
    const saved = who.save();
    expect(saved).toEqual(stage.controller.save());
    expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
    expect(saved.every((x) => !Object.is(x, -0))).toBe(true);
    const bytes = stage.world.snapshot();
    const world = await stage.world.clone();
    const twin = who.clone(world);
    expect(twin.save()).toEqual(saved);
    expect([twin.grounded, twin.groundBody, twin.enabled, twin.body]).toEqual([true, who.groundBody, true, who.body]);
    for (const read of ['getGroundNormal', 'getGroundVelocity', 'getPosition'] as const)
      expect(twin[read]([0, 0, 0])).toEqual(who[read]([0, 0, 0]));
    expect(twin.getPose([0, 0, 0], 0.3)).toEqual(who.getPose([0, 0, 0], 0.3));
    expect(twin.velocity).toEqual([...who.velocity]);
    const way = wayOf(stage, who);
    const other = Array.from({ length: 8 }, () => {
      world.step();
      return [...twin.getPosition([0, 0, 0]), ...twin.velocity, ...twin.getGroundVelocity([0, 0, 0]), twin.takeTurn()];
    });
    expect(other).toEqual(way);
    stage.world.restore(bytes);
    expect(who.save()).toEqual(saved);
    expect(wayOf(stage, who)).toEqual(way);
  });

  test('in the air and switched off it saves that, too', async () => {
    const { stage, who } = await busy();
    who.enabled = false;
    const saved = who.save();
    who.enabled = true;
    stage.run(who, 2);
    who.load(saved);
    expect(who.save()).toEqual(saved);
    expect([who.enabled, who.grounded]).toEqual([false, false]);
    const feet = feetOf(who);
    stage.run(who, 2);
    expect(feetOf(who)).toEqual(feet);
    for (const wrong of [null, {}, [], [...saved, 0], saved.slice(1), saved.map((x, i) => (i === 2 ? Number.NaN : x))])
      expect(() => who.load(wrong as never)).toThrow(/^state must be the result of `save` of a character/);
    expect(feetOf(who)).toEqual(feet);
    const desc = { shape: CAPSULE, position: [0, 0, 0] };
    expect(() => new Character(stage.world, desc as never, saved.slice(1))).toThrow(/^state must be/);
  });

  test('it follows a shift of the origin, with its ground', async () => {
    const { stage, who } = await busy();
    const one = await busy();
    const by: V = [64, -32, 16];
    const feet = who.getPosition([0, 0, 0]);
    const pose = who.getPose([0, 0, 0], 0.4);
    stage.world.shift(by);
    near(who.getPosition([0, 0, 0]), plus(feet, by));
    near(who.getPose([0, 0, 0], 0.4), plus(pose, by));
    const way = wayOf(one.stage, one.who);
    for (const [i, at] of wayOf(stage, who).entries()) {
      near(at.slice(0, 3), plus(way[i]!.slice(0, 3), by), 2e-4);
      near(at.slice(3), way[i]!.slice(3), 1e-2);
    }
  });

  test('a teleport puts it there at once: its velocity stays, its ground does not', async () => {
    const { stage, who } = await busy();
    const velocity = [...who.velocity];
    who.teleport(toWorld([2, 1.5, -0.3]));
    for (const alpha of [0, 0.5, 1]) near(who.getPose([0, 0, 0], alpha), toWorld([2, 1.5, -0.3]));
    expect([who.grounded, who.groundBody]).toEqual([false, null]);
    expect(who.velocity).toEqual(velocity);
    near(toLocal(stage.world.getPosition(who.body!, [0, 0, 0])), [2, 1.5 + 0.85 + SKIN, -0.3]);
    expect(() => who.teleport([0, 0])).toThrow(/^character\.position/);
    for (const wrong of [-0.01, 1.01]) expect(() => who.getPose([0, 0, 0], wrong)).toThrow(/^alpha must be/);
  });

  test('switched off it stays in place, and its body is out of the way', async () => {
    const { stage, who } = await busy();
    const feet = feetOf(who);
    who.enabled = false;
    expect([who.enabled, who.grounded, stage.world.isEnabled(who.body!)]).toEqual([false, false, false]);
    stage.run(who, 3, [1, 0, 0]);
    expect(feetOf(who)).toEqual(feet);
    expect(who.getPose([0, 0, 0], 0)).toEqual(who.getPosition([0, 0, 0]));
    expect(who.setShape({ type: 'sphere', radius: 0.3 })).toBe(true);
    expect(stage.world.isEnabled(who.body!)).toBe(false);
    who.enabled = true;
    expect(stage.world.isEnabled(who.body!)).toBe(true);
    expect(() => {
      who.enabled = 1 as never;
    }).toThrow(/^enabled must be true or false/);
    expect(who.enabled).toBe(true);
  });

  test('it moves while it has a wish, a jump or a way to go, and then rests', async () => {
    const stage = await stageOf();
    stage.floor();
    const who = stage.character({ acceleration: 4 });
    const { controller } = stage;
    expect(controller.isMoving()).toBe(true);
    stage.run(who, 3);
    expect(controller.isMoving()).toBe(false);
    who.walk({ velocity: outward([0, 0, 0.5]) });
    expect(controller.isMoving()).toBe(true);
    stage.run(who, 2, [0, 0, 0.5]);
    who.walk({});
    expect(controller.isMoving()).toBe(true);
    stage.run(who, 10);
    expect(controller.isMoving()).toBe(false);
    who.walk({ jump: 0.02 });
    expect(controller.isMoving()).toBe(true);
    stage.run(who, 3);
    expect(controller.isMoving()).toBe(false);
    who.velocity.splice(0, 3, ...outward([0, 0, 0.00095]));
    expect(controller.isMoving()).toBe(false);
    who.velocity.splice(0, 3, ...outward([0, 0, 0.00105]));
    expect(controller.isMoving()).toBe(true);
    who.enabled = false;
    expect(controller.isMoving()).toBe(false);
    who.enabled = true;
    expect(controller.isMoving()).toBe(true);
    who.teleport(toWorld([0, 0, 0]));
    expect(controller.isMoving()).toBe(true);
  });

  test('of a time before it was created it has nothing, and rests until it is disposed', async () => {
    const stage = await stageOf();
    stage.floor();
    const bytes = stage.world.snapshot();
    const who = stage.character();
    stage.run(who, 2, [1, 0, 0]);
    stage.world.restore(bytes);
    expect(stage.controller.isMoving()).toBe(false);
    const feet = feetOf(who);
    stage.world.step();
    expect(feetOf(who)).toEqual(feet);
    // What stands in its slot now is not removed with it.
    const body = stage.box([1, 1, 1], [0, 5, 0]);
    who.dispose();
    expect(stage.world.isAlive(body)).toBe(true);
  });

  test('disposed it is gone with body and shape, and says so', async () => {
    const stage = await stageOf();
    stage.floor();
    const { bodyCount, shapeCount } = stage.world as unknown as { bodyCount: number; shapeCount?: number };
    const who = stage.character();
    expect(stage.world.bodyCount).toBe(bodyCount + 1);
    who.dispose();
    who.dispose();
    expect([stage.world.bodyCount, (stage.world as unknown as { shapeCount?: number }).shapeCount]).toEqual([
      bodyCount,
      shapeCount,
    ]);
    expect(stage.world.controllers).toEqual([]);
    for (const call of [() => who.walk(), () => who.teleport([0, 0, 0]), () => who.load(who.save()), () => who.setShape(CAPSULE)])
      expect(call).toThrow(expect.objectContaining({ code: 'disposed' }));
    expect(() => {
      who.enabled = false;
    }).toThrow(expect.objectContaining({ code: 'disposed' }));
  });
});

describe('its body and shape', () => {
  test('its body follows it with the category it is given; none, a sensor or a solid', async () => {
    const stage = await stageOf({ gravity: 0 });
    stage.floor(-2);
    const ray = (options: object) =>
      stage.world.castRay(toWorld([-3, 0.9, 0.1]), outward([1, 0, 0]), { maxDistance: 6, ...options });
    for (const presence of ['none', 'sensor', 'solid'] as const) {
      const who = stage.character({ presence, category: 0x40, airAcceleration: 1000 });
      expect(ray({ mask: 0xbf, sensors: true })).toBe(null);
      expect(ray({ mask: 0x40 })?.body).toBe(presence === 'solid' ? who.body : undefined);
      expect(ray({ mask: 0x40, sensors: true })?.body).toBe(presence === 'none' ? undefined : who.body);
      if (presence === 'none') expect(who.body).toBe(null);
      else {
        expect(stage.world.getType(who.body!)).toBe('kinematic');
        near(toLocal(stage.world.getPosition(who.body!, [0, 0, 0])), [0, 0.85 + SKIN, 0]);
        near(stage.world.getRotation(who.body!, [0, 0, 0, 1]), turned());
        stage.run(who, 3, [0.5, 0, 1]);
        // It is on its way to where the character is now.
        near(
          toLocal(stage.world.getPosition(who.body!, [0, 0, 0])),
          plus(plus(feetOf(who), [0, 0.85 + SKIN, 0]), [0.5, 0, 1], -stage.dt),
          1e-4,
        );
      }
      who.dispose();
    }
  });

  test('it meets only the categories of its mask, with casts, overlaps and rays', async () => {
    for (const [mask, meets] of [
      [0x2, true],
      [0xfd, false],
    ] as const) {
      const stage = await stageOf();
      stage.box([9, 1, 9], [0, -1, 0], { category: 0x2 });
      const who = stage.character({ mask, position: [0, 0.005, 0] });
      stage.run(who, 4);
      expect(who.grounded).toBe(meets);
      stage.box([0.5, 1, 0.5], [0.3, 1, 0.2], { category: 0x2 });
      expect(who.setShape({ type: 'sphere', radius: 0.4 })).toBe(!meets);
    }
  });

  test('it gets another shape with the same feet where there is room, a skin above the ground', async () => {
    for (const [room, fits] of [
      [2.1 * SKIN, true],
      [1.9 * SKIN, false],
    ] as const) {
      const stage = await stageOf();
      stage.floor();
      const who = stage.character({ shape: { type: 'capsule', radius: 0.3, halfHeight: 0.2 }, presence: 'solid' });
      stage.run(who, 2);
      stage.box([1, 0.2, 1], [0, 1.7 + room + 0.2, 0]);
      const { body } = who;
      const { bodyCount } = stage.world;
      expect(who.setShape(CAPSULE)).toBe(fits);
      expect(stage.world.bodyCount).toBe(bodyCount);
      expect(who.body === body).toBe(!fits);
      near(feetOf(who), [0, 0, 0]);
      near(toLocal(stage.world.getPosition(who.body!, [0, 0, 0])), [0, (fits ? 0.85 : 0.5) + SKIN, 0]);
      stage.run(who, 3, [0, 0, 1]);
      near(feetOf(who), [0, 0, 3 * stage.dt], 1e-4);
      expect(who.grounded).toBe(true);
    }
  });

  test('a body that cannot be made leaves nothing behind', async () => {
    const stage = await stageOf();
    const count = stage.world.bodyCount;
    expect(() => stage.character({ shape: { type: 'capsule', radius: -1, halfHeight: 1 } })).toThrow();
    expect(stage.world.bodyCount).toBe(count);
    expect(() => new (Object.getPrototypeOf(stage.character()).constructor)({}, {})).toThrow(
      /^world must be the world of a character/,
    );
  });
});
