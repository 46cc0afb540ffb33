// The 6x6 system of a body in AVBD against the derivatives of its energy by finite differences, in plain JavaScript:
//   E(x) = (x - y)' M (x - y) / 2 + sum of psi(C), psi' = -z, z = clamp(lambda - k C), C = c + J x
import { expect, test } from 'vitest';
import { AvbdBody, AvbdRow, AvbdState } from '../../../src/layout.generated';
import { type CoreExports, loadCore } from '../../helpers/core';
import { seeded } from '../../helpers/random';

const random = seeded(11);
const vector = (n: number, size: number) => Array.from({ length: n }, () => size * (2 * random() - 1));
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

interface Row {
  gradient: number[];
  c: number;
  lambda: number;
  penalty: number;
  least: number;
  most: number;
}

interface Body {
  mass: number;
  inertia: number[][];
  now: number[];
  target: number[];
}

/** A core, and room for a body and a row behind its memory. */
function opened() {
  const { core, memory } = loadCore();
  core.initAvbd();
  const at = memory.grow(1) * 65536;
  return { core, view: new DataView(memory.buffer), body: at, row: at + 4096 };
}

function randomBody(): Body {
  // A A' + 1 is positive definite.
  const a = [0, 1, 2].map(() => vector(3, 2));
  const inertia = a.map((r, i) => a.map((s, j) => dot(r, s) + (i === j ? 1 : 0)));
  return { mass: 1 + 5 * random(), inertia, now: vector(6, 0.3), target: vector(6, 0.3) };
}

function randomRow(body: Body): Row {
  const gradient = vector(6, 1);
  const [lambda, penalty] = [20 * random(), 1 + 100 * random()];
  const least = random() < 0.5 ? 0 : Number.NEGATIVE_INFINITY;
  const most = random() < 0.3 ? 10 * random() : Number.POSITIVE_INFINITY;
  // C is random at the pose of now.
  return { gradient, c: vector(1, 0.5)[0]! - dot(gradient, body.now), lambda, penalty, least, most };
}

const force = (r: Row, C: number) => Math.max(Math.min(r.lambda - r.penalty * C, r.most), r.least);

/** The integral of -z: quadratic between the bounds, linear beyond. */
function potential(r: Row, C: number): number {
  const z = force(r, C);
  const edge = (r.lambda - z) / r.penalty; // where z is reached
  return (z * z) / (2 * r.penalty) - z * (C - edge);
}

function energy(body: Body, rows: readonly Row[], x: readonly number[]): number {
  const d = x.map((value, i) => value - body.target[i]!);
  const turn = d.slice(3);
  let sum = 0.5 * body.mass * dot(d.slice(0, 3), d.slice(0, 3));
  sum += 0.5 * turn.reduce((s, value, i) => s + value * dot(body.inertia[i]!, turn), 0);
  for (const r of rows) sum += potential(r, r.c + dot(r.gradient, x));
  return sum;
}

const moved = (x: readonly number[], i: number, by: number) => x.map((value, k) => (k === i ? value + by : value));

/** Derivative along axis i by central differences. */
const slope = (f: (x: readonly number[]) => number, x: readonly number[], i: number, e: number) =>
  (f(moved(x, i, e)) - f(moved(x, i, -e))) / (2 * e);

/** Writes a body with M / h^2 as given. */
function writeBody(view: DataView, at: number, body: Body): void {
  const put = (offset: number, values: readonly number[]) => {
    for (const [k, value] of values.entries()) view.setFloat64(at + offset + 8 * k, value, true);
  };
  put(AvbdBody.dx, body.now);
  put(AvbdBody.targetDx, body.target);
  put(AvbdBody.mass, [body.mass]);
  const i = body.inertia;
  put(AvbdBody.ixx, [i[0]![0]!, i[1]![1]!, i[2]![2]!, i[0]![1]!, i[0]![2]!, i[1]![2]!]);
}

/** Where rows of the lower triangle begin: each has an even number of places. */
const ROWS = [0, 2, 4, 8, 12, 18];

/** Reads the lower triangle and the right side. */
function readSystem(core: CoreExports, view: DataView) {
  const block = view.getUint32((core.avbdState() >>> 0) + AvbdState.block, true);
  const number = (k: number) => view.getFloat64(block + 8 * k, true);
  const h = Array.from({ length: 6 }, (_, i) =>
    Array.from({ length: 6 }, (__, j) => number(ROWS[Math.max(i, j)]! + Math.min(i, j))),
  );
  return { h, right: Array.from({ length: 6 }, (_, i) => number(24 + i)) };
}

test('the right side is the force, the matrix the stiffness, of random rows', () => {
  const { core, view, body: at, row } = opened();
  for (let round = 0; round < 50; round++) {
    const body = randomBody();
    const rows = Array.from({ length: 1 + Math.floor(8 * random()) }, () => randomRow(body));
    writeBody(view, at, body);
    core.startBlock(at);
    for (const r of rows) {
      const put = (offset: number, value: number) => view.setFloat64(row + offset, value, true);
      for (const [k, g] of r.gradient.entries()) put(AvbdRow.ax + 8 * k, g);
      put(AvbdRow.lambda, r.lambda);
      put(AvbdRow.penalty, r.penalty);
      put(AvbdRow.least, r.least);
      put(AvbdRow.most, r.most);
      put(AvbdRow.value, r.c + dot(r.gradient, body.now));
      core.stampRow(row + AvbdRow.ax, r.penalty, core.rowForce(row));
    }
    const { h, right } = readSystem(core, view);
    const e = 1e-5;
    const f = (x: readonly number[]) => energy(body, rows, x);
    for (let i = 0; i < 6; i++) expect(Math.abs(right[i]! + slope(f, body.now, i, e))).toBeLessThan(1e-4);
    // Rows at a bound count whole: the matrix is never below the curvature, and equal to it without any.
    const bound = rows.some((r) => {
      const [from, to] = [-0.02, 0.02].map((d) => r.c + dot(r.gradient, body.now) + d);
      return [from!, to!].some((C) => force(r, C) !== r.lambda - r.penalty * C);
    });
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j <= i; j++) {
        const curvature = slope((x) => slope(f, x, j, 1e-3), body.now, i, 1e-3);
        if (!bound) expect(Math.abs(h[i]![j]! - curvature)).toBeLessThan(1e-3 * (1 + Math.abs(curvature)));
        else if (i === j) expect(h[i]![i]!).toBeGreaterThan(curvature - 1e-2 * (1 + Math.abs(curvature)));
      }
    }
    expect(core.solveBlock()).toBeTruthy();
    const { right: step } = readSystem(core, view);
    for (let i = 0; i < 6; i++) expect(Math.abs(dot(h[i]!, step) - right[i]!)).toBeLessThan(1e-9 * (1 + Math.abs(right[i]!)));
    // A step never raises the energy that the body sees.
    expect(f(body.now.map((x, k) => x + step[k]!))).toBeLessThanOrEqual(f(body.now) + 1e-9);
  }
});

test('the geometric stiffness is the length of the columns of the second derivative of f.(R(p) r)', () => {
  const { core, view, body: at } = opened();
  for (let round = 0; round < 20; round++) {
    const [f, r] = [vector(3, 10), vector(3, 1)];
    const body = {
      ...randomBody(),
      mass: 1,
      inertia: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      now: Array(6).fill(0),
      target: Array(6).fill(0),
    };
    writeBody(view, at, body);
    core.startBlock(at);
    core.stampGeometry(...f, ...r);
    const { h } = readSystem(core, view);
    const turned = (p: readonly number[]) => {
      const angle = Math.hypot(...p);
      const [s, c] = angle < 1e-9 ? [1, 0.5] : [Math.sin(angle) / angle, (1 - Math.cos(angle)) / (angle * angle)];
      const cross = (a: readonly number[], b: readonly number[]) => [
        a[1]! * b[2]! - a[2]! * b[1]!,
        a[2]! * b[0]! - a[0]! * b[2]!,
        a[0]! * b[1]! - a[1]! * b[0]!,
      ];
      const pr = cross(p, r);
      const ppr = cross(p, pr);
      return dot(
        f,
        r.map((x, k) => x + s * pr[k]! + c * ppr[k]!),
      );
    };
    for (let j = 0; j < 3; j++) {
      const column = [0, 1, 2].map((i) => slope((x) => slope(turned, x, j, 1e-3), [0, 0, 0], i, 1e-3));
      expect(Math.abs(h[3 + j]![3 + j]! - 1 - Math.hypot(...column))).toBeLessThan(1e-3);
    }
  }
});

test('dual updates: force within its bounds, a penalty that grows by the error, up to the stiffness of a spring', () => {
  const { core, view, row } = opened();
  const put = (offset: number, value: number) => view.setFloat64(row + offset, value, true);
  const get = (offset: number) => view.getFloat64(row + offset, true);
  const fill = (value: number, stiffness: number, flags: number) => {
    put(AvbdRow.lambda, flags ? 0 : 5);
    put(AvbdRow.penalty, 10);
    put(AvbdRow.value, value);
    put(AvbdRow.least, 0);
    put(AvbdRow.most, Number.POSITIVE_INFINITY);
    put(AvbdRow.stiffness, stiffness);
    put(AvbdRow.unit, 2);
    view.setUint32(row + AvbdRow.flags, flags, true);
    core.updateRow(row, 100);
  };
  fill(-0.1, Number.POSITIVE_INFINITY, 0);
  expect(get(AvbdRow.lambda)).toBeCloseTo(6, 12);
  expect(get(AvbdRow.penalty)).toBeCloseTo(30, 12);
  fill(1, Number.POSITIVE_INFINITY, 0); // apart: no force, no growth
  expect(get(AvbdRow.lambda)).toBe(0);
  expect(get(AvbdRow.penalty)).toBe(10);
  fill(-0.1, 15, 1);
  expect(get(AvbdRow.lambda)).toBe(0);
  expect(get(AvbdRow.penalty)).toBe(15);
});
