// Boxes and hulls against each other with any axis remembered (box_box.ts, hull_hull.ts), against the separation along directions in
// double precision: what is remembered only decides between axes that are about as good; and the points of crossed edges and corners.
import { beforeAll, describe, expect, test } from 'vitest';
import { HullBlob, ManifoldOut } from '../../../src/layout.generated';
import { convexHull, cookHull } from '../../../src/shapes/hull';
import { signedDistance } from './depth_oracle';
import {
  add,
  box,
  cross,
  Driver,
  dot,
  extentOf,
  hullOf,
  len,
  mul,
  type Pose,
  poseOf,
  random,
  randomDirection,
  randomRotation,
  rotate,
  type Solid,
  separationAlong,
  sub,
  support,
  unit,
  unrotate,
  type Vec,
} from './round_oracle';

const f = Math.fround;
const MARGIN = f(0.04);
let driver: Driver;
beforeAll(() => {
  driver = new Driver();
});

const rnd = random(91);
const size = () => f(0.3 + rnd());
const makeBox = (): Solid => box(size(), size(), size());
const makeHull = (): Solid => {
  const [x, y, z] = [size(), size(), size()];
  return hullOf(
    convexHull(Array.from({ length: 10 }, () => randomDirection(rnd)).flatMap((u) => [f(u[0] * x), f(u[1] * y), f(u[2] * z)])),
  );
};
const leastWidth = (s: Solid): number =>
  s.hull ? new Float32Array(cookHull(s.hull), 0, HullBlob.STRIDE / 4)[HullBlob.minExtent / 4]! : 2 * Math.min(...s.p);
const facesOf = (s: Solid): Vec[] => {
  if (!s.hull)
    return [0, 1, 2].flatMap((k) => [1, -1].map((sign) => [0, 1, 2].map((i) => (i === k ? sign : 0)) as unknown as Vec));
  const { planes } = s.hull;
  return Array.from({ length: planes.length / 4 }, (_, i) => [...planes.subarray(4 * i, 4 * i + 3)] as unknown as Vec);
};

/** The rotation that turns unit u to unit v, then about v by an angle. */
function turnTo(u: Vec, v: Vec, angle: number): Pose {
  const frameOf = (n: Vec, turn: number): Vec[] => {
    const a = unit(cross(n, Math.abs(n[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]));
    const b = cross(n, a);
    return [add(mul(a, Math.cos(turn)), mul(b, Math.sin(turn))), add(mul(a, -Math.sin(turn)), mul(b, Math.cos(turn))), n];
  };
  const [from, to] = [frameOf(u, 0), frameOf(v, angle)];
  const column = (k: number): Vec => [0, 1, 2].reduce<Vec>((sum, i) => add(sum, mul(to[i]!, from[i]![k]!)), [0, 0, 0]);
  return { c: [column(0), column(1), column(2)], t: [0, 0, 0] };
}

/** A pose of B: face on face, turned about the normal, with a small tilt, or at random; about touching. */
function place(a: Solid, b: Solid, kind: number): Pose {
  const [na, nb] = [facesOf(a), facesOf(b)].map((list) => list[Math.floor(list.length * rnd())]!) as [Vec, Vec];
  const tilt = [0, 0.002, 0.03][kind % 4] ?? 0;
  const to = unit(add(mul(na, -1), mul(randomDirection(rnd), tilt)));
  const pose = kind % 4 === 3 ? poseOf(...randomRotation(rnd), [0, 0, 0]) : turnTo(nb, to, 6 * rnd());
  const d = kind % 4 === 3 ? randomDirection(rnd) : na;
  const gap = [0.02, 0, -0.02, -0.1][Math.floor(4 * rnd())]!;
  const side = mul(randomDirection(rnd), 0.2);
  return { c: pose.c, t: add(mul(d, gap - separationAlong(a, b, pose, d)), sub(side, mul(d, dot(side, d)))) };
}

interface Run {
  manifolds: number;
  n: Vec;
  gap: number;
  after: number;
  /** Points of all manifolds. */
  points: number;
  /** The bits of all manifolds. */
  bits: string;
  deepest: number;
}
function run(name: string, word: number): Run {
  const { core, memory, shapeA, shapeB, rel, out, cache } = driver;
  driver.setCache(word);
  new Uint8Array(memory.buffer, out, 3 * ManifoldOut.STRIDE).fill(0);
  const manifolds = core[name](shapeA, shapeB, rel, out, cache, MARGIN) >>> 0;
  const u = new Uint32Array(memory.buffer, out, (3 * ManifoldOut.STRIDE) / 4);
  const v = new Float32Array(memory.buffer, out, (3 * ManifoldOut.STRIDE) / 4);
  const parts: string[] = [];
  let total = 0;
  for (let m = 0; m < manifolds; m++) {
    const at = (m * ManifoldOut.STRIDE) / 4;
    const points = u[at]!;
    total += points;
    parts.push([points, ...u.subarray(at + ManifoldOut.nx / 4, at + ManifoldOut.nx / 4 + 3)].join(' '));
    parts.push(u.subarray(at + ManifoldOut.x0 / 4, at + ManifoldOut.x0 / 4 + 4 * points).join(' '));
  }
  const n = [...v.subarray(ManifoldOut.nx / 4, ManifoldOut.nx / 4 + 3)] as unknown as Vec;
  const after = new Uint32Array(memory.buffer, cache, 1)[0]!;
  return {
    manifolds,
    n,
    gap: v[ManifoldOut.gap / 4]!,
    after,
    points: total,
    bits: parts.join('\n'),
    deepest: driver.leastSeparation(manifolds),
  };
}

/** Checks a pair with each of the words remembered. */
function checkWords(
  name: string,
  a: Solid,
  b: Solid,
  pose: Pose,
  wordsOf: () => number[],
  isValid: (word: number) => boolean,
): boolean {
  const scale = extentOf(a) + extentOf(b);
  const { most } = signedDistance(a, b, pose);
  const fresh = run(name, 0);
  const width = Math.min(leastWidth(a), leastWidth(b));
  const byWord = new Map<number, string>();
  for (const word of [0, ...wordsOf(), fresh.after]) {
    const one = run(name, word);
    if (one.manifolds === 0) {
      expect(one.gap).toBeLessThan(most + 1e-5 * scale);
      expect(most, `${word}`).toBeGreaterThan(MARGIN - 1e-5);
      continue;
    }
    expect(most).toBeLessThan(MARGIN + 1e-5);
    const along = separationAlong(a, b, pose, one.n);
    // One bias between the faces of both, one more between faces and edges.
    const bias = 1e-3 * width + 0.04 * Math.max(0, -along) + 1e-5 * scale;
    expect(most - along, `${word} of ${name}`).toBeLessThan(most > 0 ? 0.3 * MARGIN : bias);
    // The deepest point is no deeper than along the normal, and about as deep.
    expect(one.deepest).toBeGreaterThan(along - 1e-5 * scale - bias);
    expect(one.deepest).toBeLessThan(most + bias + 1e-5 * scale);
    // Faces of boxes that lie on each other share an area.
    const hasFace = (s: Solid, n: Vec) => facesOf(s).some((face) => dot(face, n) > 1 - 1e-6);
    const isFlat = !a.hull && !b.hull && hasFace(a, one.n) && hasFace(b, unrotate(pose, mul(one.n, -1)));
    if (isFlat) expect(one.points).toBeGreaterThan(2);
    expect(isValid(one.after), `${one.after.toString(16)} after ${word.toString(16)}`).toBe(true);
    const again = run(name, one.after);
    expect(again.after, `${word.toString(16)}`).toBe(one.after);
    expect(again.bits, `${word.toString(16)}`).toBe(one.bits);
    const known = byWord.get(one.after);
    if (known === undefined) byWord.set(one.after, one.bits);
    else expect(one.bits, `${word.toString(16)}: ${one.after.toString(16)}`).toBe(known);
  }
  return byWord.size > 0;
}

describe('whatever axis is remembered, the contact is about the best there is, and the same for the axis that is kept', () => {
  test('of boxes', () => {
    let touching = 0;
    for (let i = 0; i < 40; i++) {
      const [a, b] = [makeBox(), makeBox()];
      driver.setShape(0, a);
      driver.setShape(1, b);
      const pose = driver.setPose(place(a, b, i));
      const words = Array.from({ length: 15 }, (_, k) => k + 1);
      const isValid = (word: number) => (word & 15) !== 0 && word < 32;
      if (checkWords('collideBoxBox', a, b, pose, () => words, isValid)) touching++;
    }
    expect(touching).toBeGreaterThan(22);
  });

  test('of hulls', () => {
    let touching = 0;
    for (let i = 0; i < 28; i++) {
      const [a, b] = [i % 3 === 0 ? makeBox() : makeHull(), makeHull()];
      driver.setShape(0, a);
      driver.setShape(1, b);
      const pose = driver.setPose(place(a, b, i));
      const countsOf = (s: Solid): [number, number] => {
        if (!s.hull) return [6, 12];
        const u = new Uint32Array(cookHull(s.hull), 0, HullBlob.STRIDE / 4);
        return [u[HullBlob.faceCount / 4]!, u[HullBlob.edgeCount / 4]!];
      };
      const [[facesA, edgesA], [facesB, edgesB]] = [countsOf(a), countsOf(b)];
      const words = [
        ...Array.from({ length: facesA }, (_, k) => ((1 << 30) | (k << 15)) >>> 0),
        ...Array.from({ length: facesB }, (_, k) => ((2 << 30) | (k << 15)) >>> 0),
        ...Array.from({ length: 30 }, () => ((3 << 30) | (Math.floor(edgesA * rnd()) << 15) | Math.floor(edgesB * rnd())) >>> 0),
      ];
      const isValid = (word: number) => {
        const [kind, first, second] = [word >>> 30, (word >>> 15) & 0x7fff, word & 0x7fff];
        if (kind === 3) return first < edgesA && second < edgesB;
        return kind > 0 && second === 0 && first < (kind === 1 ? facesA : facesB);
      };
      const name = a.hull ? 'collideHullHull' : 'collideBoxHull';
      if (checkWords(name, a, b, pose, () => words, isValid)) touching++;
    }
    expect(touching).toBeGreaterThan(14);
  });
});

describe('one point', () => {
  interface Edge {
    from: Vec;
    to: Vec;
    normals: [Vec, Vec];
  }
  /** Edges between faces: the two corners that lie on both. */
  const edgesOf = (s: Solid): Edge[] => {
    const faces = facesOf(s);
    const corners: Vec[] = s.hull
      ? Array.from(
          { length: s.hull.vertices.length / 3 },
          (_, i) => [...s.hull!.vertices.subarray(3 * i, 3 * i + 3)] as unknown as Vec,
        )
      : [0, 1, 2, 3, 4, 5, 6, 7].map((i) => s.p.map((x, k) => ((i >> k) & 1 ? x : -x)) as unknown as Vec);
    const list: Edge[] = [];
    for (const [i, n] of faces.entries()) {
      for (const m of faces.slice(0, i)) {
        if (Math.abs(dot(n, m)) > 0.95) continue;
        const height = (normal: Vec) => Math.max(...corners.map((p) => dot(normal, p)));
        const both = corners.filter((p) => Math.min(dot(n, p) - height(n), dot(m, p) - height(m)) > -1e-5);
        if (both.length === 2 && len(sub(both[0]!, both[1]!)) > 0.1) list.push({ from: both[0]!, to: both[1]!, normals: [n, m] });
      }
    }
    return list;
  };

  test.each([
    ['collideBoxBox', makeBox, makeBox],
    ['collideBoxHull', makeBox, makeHull],
    ['collideHullHull', makeHull, makeHull],
  ] as const)('where edges cross is where they are nearest to each other: %s', (name, makeA, makeB) => {
    let overlapping = 0;
    for (let i = 0; i < 45; i++) {
      const [a, b] = [makeA(), makeB()];
      const [listA, listB] = [edgesOf(a), edgesOf(b)];
      const [edgeA, edgeB] = [listA[Math.floor(listA.length * rnd())]!, listB[Math.floor(listB.length * rnd())]!];
      // Directions between the normals of the faces beside the edges, laid against each other, turned to let the edges cross.
      const between = ({ normals: [n, m] }: Edge): Vec => unit(add(mul(n, 0.3 + 0.4 * rnd()), mul(m, 0.3 + 0.4 * rnd())));
      const [n, nB] = [between(edgeA), between(edgeB)];
      const along = unit(sub(edgeA.to, edgeA.from));
      let turned: Pose;
      do turned = turnTo(nB, mul(n, -1), 7 * rnd());
      while (Math.abs(dot(along, rotate(turned, unit(sub(edgeB.to, edgeB.from))))) > 0.85);
      const on = ({ from, to }: Edge): Vec => add(from, mul(sub(to, from), 0.15 + 0.7 * rnd()));
      const [onA, onB] = [on(edgeA), on(edgeB)];
      const gap = i % 3 === 0 ? -0.002 : 0.015;
      const t = sub(add(onA, mul(n, gap)), rotate(turned, onB));
      driver.setShape(0, a);
      driver.setShape(1, b);
      const pose = driver.setPose({ c: turned.c, t });
      // Another pair of features may be deeper.
      if (gap < 0) {
        if (Math.abs(signedDistance(a, b, pose).most - gap) > 1e-4) continue;
        overlapping++;
      }
      driver.setCache(0);
      const r = driver.run(name, MARGIN);
      expect(r.manifolds).toBeGreaterThan(0);
      const s = r.points.reduce((least, point) => Math.min(least, point.s), Number.POSITIVE_INFINITY);
      if (dot(r.n, n) < 1 - 1e-5) {
        // The axis of a face is kept where it is hardly worse.
        const isFace = [...facesOf(a), ...facesOf(b).map((one) => rotate(pose, one))].some(
          (one) => Math.abs(dot(one, r.n)) > 1 - 1e-5,
        );
        expect(isFace, `${i}`).toBe(true);
        expect(Math.abs(s - gap)).toBeLessThan(2e-3);
        continue;
      }
      expect(r.count).toBe(1);
      expect(Math.abs(s - gap)).toBeLessThan(1e-5);
      expect(len(sub(r.points[0]!.p, onA)), `${i}`).toBeLessThan(3e-5);
    }
    expect(overlapping).toBeGreaterThan(1);
  });

  test('where corners pass is the corner, with the same bits whatever corners met before', () => {
    const shapes = [makeBox(), makeBox(), makeBox(), makeHull(), makeHull(), makeHull()];
    const cases = Array.from({ length: 120 }, (_, i) => {
      const [j, k] = [i % 6, Math.floor(i / 6) % 6];
      const [a, b] = [shapes[Math.min(j, k)]!, shapes[Math.max(j, k)]!];
      // Some at an edge of A, so that the nearest points are not those of corners alone.
      const edges = edgesOf(a);
      const edge = edges[Math.floor(edges.length * rnd())]!;
      const isEdge = i % 2 === 0;
      const d = isEdge ? unit(add(edge.normals[0], mul(edge.normals[1], 0.5 + rnd()))) : randomDirection(rnd);
      const turned = poseOf(...randomRotation(rnd), [0, 0, 0]);
      const onA = isEdge ? add(edge.from, mul(sub(edge.to, edge.from), 0.1 + 0.8 * rnd())) : support(a, d);
      const onB = rotate(turned, support(b, unrotate(turned, mul(d, -1))));
      return { a, b, d, onA, pose: { c: turned.c, t: sub(add(onA, mul(d, 0.02)), onB) } as Pose };
    });
    let corners = 0;
    const runCase = ({ a, b, d, onA, pose }: (typeof cases)[number]) => {
      driver.setShape(0, a);
      driver.setShape(1, b);
      driver.setPose(pose);
      const one = run('collide', 0);
      expect(one.manifolds).toBeGreaterThan(0);
      const r = driver.run('collide', MARGIN);
      const deepest = r.points.reduce((least, point) => (point.s < least.s ? point : least));
      if (dot(r.n, d) > 1 - 1e-6) {
        corners++;
        expect(Math.abs(deepest.s - 0.02)).toBeLessThan(1e-5);
        expect(len(sub(deepest.p, onA))).toBeLessThan(1e-3);
      }
      return one.bits;
    };
    const forward = cases.map(runCase);
    expect(corners).toBeGreaterThan(5);
    const backward = [...cases].reverse().map(runCase).reverse();
    expect(backward).toEqual(forward);
  });
});
