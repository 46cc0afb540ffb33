// A test of two shapes depends on them, their pose and their axis cache alone, not on what was tested before: with several threads
// nobody knows what that was, and snapshots leave scratch out. So scratch is filled with this and that before each test.
import { beforeAll, expect, test } from 'vitest';
import { HEADER_PTR, Header, ManifoldOut, NarrowState } from '../../../src/layout.generated';
import { convexHull } from '../../../src/shapes/hull';
import { coreConstant } from '../../helpers/core_layout';
import {
  box,
  capsule,
  cone,
  cylinder,
  Driver,
  extentOf,
  hullOf,
  mul,
  poseOf,
  random,
  randomDirection,
  randomRotation,
  type Solid,
  sphere,
  support,
  type Vec,
} from '../narrowphase/round_oracle';

/** All of the scratch of round shapes; polygons and tables, behind the two blobs of boxes. */
const ROUND_BYTES = coreConstant('ROUND_SCRATCH_STRIDE');
const POLYGONS = coreConstant('POLYGON_A');
const POLYHEDRON_BYTES = coreConstant('POLYHEDRON_SCRATCH_STRIDE');
const FILLS = [0, 0xff, 0x3f, 0xa5];

let driver: Driver;
beforeAll(() => {
  driver = new Driver();
  driver.core.initPolyhedra();
});

function soil(fill: number): void {
  const words = new DataView(driver.memory.buffer);
  const state = words.getUint32(HEADER_PTR + Header.narrowState, true);
  const round = words.getUint32(state + NarrowState.roundScratch, true);
  const hull = words.getUint32(state + NarrowState.hullScratch, true);
  const bytes = new Uint8Array(driver.memory.buffer);
  bytes.fill(fill, round, round + ROUND_BYTES);
  bytes.fill(fill, hull + POLYGONS, hull + POLYHEDRON_BYTES);
}

/** All that a test says: manifolds, points, gap, axis cache. */
function answer(name: string, margin: number): string {
  driver.setCache(0);
  const { manifolds, count } = driver.run(name, margin);
  const bytes = new Uint8Array(driver.memory.buffer, driver.out, ManifoldOut.STRIDE);
  const cache = new Uint32Array(driver.memory.buffer, driver.cache, 1)[0];
  const points = bytes.slice(ManifoldOut.x0, ManifoldOut.x0 + 16 * count).join();
  const gap = manifolds === 0 ? new Float32Array(bytes.slice(ManifoldOut.gap, ManifoldOut.gap + 4).buffer)[0] : 0;
  return `${manifolds} ${count} ${points} ${gap} ${cache}`;
}

const size = (r: () => number) => Math.fround(0.2 + r());
const MAKERS: ((r: () => number) => Solid)[] = [
  (r) => sphere(size(r)),
  (r) => capsule(size(r) / 2, size(r)),
  (r) => box(size(r), size(r), size(r)),
  (r) => hullOf(convexHull(Array.from({ length: 36 }, () => size(r) * (r() - 0.5)))),
  (r) => cylinder(size(r), size(r)),
  (r) => cone(size(r), size(r)),
];

test.each([
  ['upright, beside and above each other', false],
  ['turned at random', true],
])('%s', (_, turned) => {
  const r = random(turned ? 5 : 6);
  let touching = 0;
  for (let i = 0; i < 6000; i++) {
    const [a, b] = [0, 1].map(() => MAKERS[Math.floor(6 * r())]!(r)) as [Solid, Solid];
    driver.setShape(0, a);
    driver.setShape(1, b);
    const way = mul(randomDirection(r), (extentOf(a) + extentOf(b)) * r());
    driver.setPose(turned ? poseOf(...randomRotation(r), way) : poseOf(0, 0, 0, 1, way));
    const answers = FILLS.map((fill) => {
      soil(fill);
      return answer('collideConvexConvex', 0.05);
    });
    expect(new Set(answers).size, `pair ${i}: types ${a.type} and ${b.type}`).toBe(1);
    if (!answers[0]!.startsWith('0')) touching++;
  }
  expect(touching).toBeGreaterThan(1000);
});

test('upright shapes on triangles and beside them', () => {
  const r = random(7);
  let touching = 0;
  for (let i = 0; i < 6000; i++) {
    const a = MAKERS[Math.floor(6 * r())]!(r);
    driver.setShape(0, a);
    const triangle = new Float32Array(driver.memory.buffer, driver.shapeB, 12);
    for (let k = 0; k < 3; k++) triangle.set([2 * r() - 1, i % 2 ? 0 : 0.2 * r(), 2 * r() - 1, 0], 4 * k);
    driver.setPose(poseOf(0, 0, 0, 1, [3 * r() - 1.5, -extentOf(a) * r(), 3 * r() - 1.5]));
    const answers = FILLS.map((fill) => {
      soil(fill);
      return answer('collideConvexTriangle', 0.05);
    });
    expect(new Set(answers).size, `triangle ${i}: type ${a.type}`).toBe(1);
    if (!answers[0]!.startsWith('0')) touching++;
  }
  expect(touching).toBeGreaterThan(1000);
});

test('corners at the rim of a cap, beyond its polygon', () => {
  const r = random(8);
  for (let i = 0; i < 4000; i++) {
    const a = cylinder(size(r), size(r));
    const b = i % 2 ? box(size(r), size(r), size(r)) : MAKERS[3]!(r);
    driver.setShape(0, a);
    driver.setShape(1, b);
    const turn = randomRotation(r);
    const { c } = poseOf(...turn, [0, 0, 0]);
    const corner = support(b, [-c[0][1], -c[1][1], -c[2][1]]);
    const at = (k: 0 | 1 | 2) => c[0][k] * corner[0] + c[1][k] * corner[1] + c[2][k] * corner[2];
    const [radius, height] = a.p;
    const [rho, angle] = [radius * (0.978 + 0.022 * r()), 2 * Math.PI * r()];
    const way: Vec = [rho * Math.cos(angle) - at(0), height - 0.01 * r() - at(1), rho * Math.sin(angle) - at(2)];
    driver.setPose(poseOf(...turn, way));
    const answers = FILLS.map((fill) => {
      soil(fill);
      return answer('collideConvexConvex', 0.05);
    });
    expect(new Set(answers).size, `pair ${i}`).toBe(1);
  }
});
