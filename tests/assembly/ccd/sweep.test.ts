// The sweep of two moving and turning shapes against a slow oracle: distances of the true shapes in double precision at many
// moments of the motion.
import { describe, expect, test } from 'vitest';
import { convexHull } from '../../../src/shapes/hull';
import {
  box,
  capsule,
  cone,
  cylinder,
  Driver,
  distance,
  extentOf,
  hullOf,
  poseOf,
  random,
  randomDirection,
  randomRotation,
  rotate,
  type Solid,
  sphere,
  type Vec,
} from '../narrowphase/round_oracle';

type Quat = readonly [number, number, number, number];
const f = Math.fround;
const SAMPLES = 60;
const NEVER = -1;

function turnBy(w: Vec, t: number): Quat {
  const a = Math.hypot(...w) * t;
  const k = a > 0 ? (Math.sin(a / 2) * t) / a : 0;
  return [w[0] * k, w[1] * k, w[2] * k, Math.cos(a / 2)];
}
function multiply([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat): Quat {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}
const conjugate = ([x, y, z, w]: Quat): Quat => [-x, -y, -z, w];
const turnVector = (q: Quat, v: Vec): Vec => rotate(poseOf(...q, [0, 0, 0]), v);

function unitRotation(r: () => number): Quat {
  const q = randomRotation(r);
  return q.map((x) => f(x / Math.hypot(...q))) as unknown as Quat;
}

interface Course {
  qa: Quat;
  qb: Quat;
  oa: Vec;
  ob: Vec;
  d: Vec;
  dv: Vec;
  wa: Vec;
  wb: Vec;
}

/** Distance of the true shapes at time t, from scratch. */
function distanceAt(a: Solid, b: Solid, c: Course, t: number): number {
  const ta = turnBy(c.wa, t);
  const tb = turnBy(c.wb, t);
  const qa = multiply(ta, c.qa);
  const oa = turnVector(ta, c.oa);
  const ob = turnVector(tb, c.ob);
  const o = [0, 1, 2].map((k) => c.d[k]! + c.dv[k]! * t + ob[k]! - oa[k]!) as unknown as Vec;
  const q = multiply(conjugate(qa), multiply(tb, c.qb));
  return distance(a, b, poseOf(...q, turnVector(conjugate(qa), o)));
}

function sweep(driver: Driver, motion: number, a: Solid, b: Solid, c: Course): number {
  driver.setShape(0, a);
  driver.setShape(1, b);
  const rows = [c.qa, c.qb, c.oa, c.ob, c.d, c.dv, c.wa, c.wb, [0, 1, 0]];
  const view = new Float32Array(driver.memory.buffer, motion, 4 * rows.length);
  view.fill(0);
  rows.forEach((row, i) => {
    view.set(row, 4 * i);
  });
  const reachA = extentOf(a) + Math.hypot(...c.oa);
  const reachB = extentOf(b) + Math.hypot(...c.ob);
  return driver.core.sweepMeeting(motion, driver.shapeA, driver.shapeB, reachA, reachB, 1, 0);
}

const size = (r: () => number): number => f(0.1 + 0.4 * r());
const makers: [string, (r: () => number) => Solid][] = [
  ['sphere', (r) => sphere(size(r))],
  ['capsule', (r) => capsule(f(size(r) / 2), size(r))],
  ['box', (r) => box(size(r), size(r), size(r))],
  ['rod', (r) => box(f(0.02), f(2 * size(r)), f(0.02))],
  [
    'hull',
    (r) => {
      const points: number[] = [];
      for (let i = 0; i < 12; i++) points.push(...randomDirection(r).map((x) => f(x * 0.3)));
      return hullOf(convexHull(points));
    },
  ],
  ['cylinder', (r) => cylinder(size(r), size(r))],
  ['cone', (r) => cone(size(r), size(r))],
];
const pairs = makers.flatMap(([nameA, a], i) => makers.slice(i).map(([nameB, b]) => [nameA, nameB, a, b] as const));

describe('sweep', () => {
  const all = { met: 0, missed: 0 };
  test.each(pairs)('%s and %s meet when the samples say so', (nameA, nameB, makeA, makeB) => {
    const driver = new Driver();
    const motion = driver.core.sweepMotion() as number;
    const r = random(nameA.length * 31 + nameB.length);
    const scaled = (k: number): Vec => randomDirection(r).map((x) => f(x * k)) as unknown as Vec;
    let met = 0;
    let missed = 0;
    for (let trial = 0; trial < 16; trial++) {
      let a = makeA(r);
      let b = makeB(r);
      if (a.type > b.type) [a, b] = [b, a];
      const d = scaled(1.5 + r());
      const aim = scaled(1.2 * r());
      const speed = 1 + r();
      const course: Course = {
        qa: unitRotation(r),
        qb: unitRotation(r),
        oa: trial % 2 === 0 ? [0, 0, 0] : scaled(0.2),
        ob: trial % 3 === 0 ? scaled(0.2) : [0, 0, 0],
        d,
        dv: d.map((x, k) => f(-x * speed + aim[k]!)) as unknown as Vec,
        wa: trial % 4 === 0 ? [0, 0, 0] : scaled(2 * r()),
        wb: scaled(r()),
      };
      if (distanceAt(a, b, course, 0) < 0.02) continue;
      const t = sweep(driver, motion, a, b, course);
      const target = driver.core.sweepTarget(motion) as number;
      const skin = driver.core.sweepSkin(motion) as number;
      const core = (at: number) => driver.core.sweepDistance(motion, at) as number;
      const end = t < 0 ? 1 : t;
      for (let i = 0; i < SAMPLES; i++) {
        const at = (end * i) / SAMPLES;
        const near = core(at);
        const exact = distanceAt(a, b, course, at);
        // The core lies inside, and corners are cut by little.
        if (exact > 1e-3) expect(near).toBeGreaterThan(exact - 1e-4);
        if (exact > 0.01) expect(near).toBeLessThan(exact + 8 * skin);
        // Nothing was met before.
        expect(near).toBeGreaterThan(target - 1e-4);
      }
      if (t < 0) {
        missed++;
        continue;
      }
      met++;
      expect(t).toBeLessThanOrEqual(1);
      expect(Math.abs(core(t) - target)).toBeLessThan(0.15 * skin + 1e-5);
      expect(distanceAt(a, b, course, t)).toBeLessThan(1e-4);
    }
    expect(met).toBeGreaterThan(2);
    all.met += met;
    all.missed += missed;
    expect(sweep(driver, motion, sphere(0.1), sphere(0.1), still())).toBe(NEVER);
  });

  // All points of the body are fast but those next to the wall: no bound of its speed alone comes to the end of such a motion.
  test.each<[string, Vec]>([
    ['about its long axis', [0, 2.5, 0]],
    ['along its face', [2.5, 0, 0]],
    ['end over end while it leaves', [0, 0, 0.03]],
  ])('a needle beside a wall that turns %s meets nothing', (_name, wa) => {
    const driver = new Driver();
    const motion = driver.core.sweepMotion() as number;
    const needle = capsule(f(0.01), 0.5);
    const wall = box(1, 1, 1);
    const q: Quat = [0, 0, 0, 1];
    const still: Vec = [0, 0, 0];
    const course = (gap: number): Course => ({
      ...{ qa: q, qb: q, oa: still, ob: still, wa, wb: still },
      d: [f(-1.01 - gap), 0, 0],
      dv: [wa[2] === 0 ? 0 : f(-0.02), 0, 0],
    });
    expect(sweep(driver, motion, needle, wall, course(1))).toBe(NEVER);
    // Just off what counts as a meeting, which is an overlap of a part of the skin.
    const skin = driver.core.sweepSkin(motion) as number;
    const target = driver.core.sweepTarget(motion) as number;
    expect(sweep(driver, motion, needle, wall, course(target + 0.15 * skin))).toBe(NEVER);
  });

  test('both happen often enough to be told apart', () => {
    expect(all.met).toBeGreaterThan(100);
    expect(all.missed).toBeGreaterThan(30);
  });
});

const still = (): Course => ({
  qa: [0, 0, 0, 1],
  qb: [0, 0, 0, 1],
  oa: [0, 0, 0],
  ob: [0, 0, 0],
  d: [1, 0, 0],
  dv: [0, 0, 0],
  wa: [0, 0, 0],
  wb: [0, 0, 0],
});
