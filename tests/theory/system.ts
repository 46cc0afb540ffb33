// Random contact systems and dense linear algebra in double precision, for tests of the theorems behind mass splitting.
// A system: n bodies with 6x6 inverse masses (full, not diagonal), m frictionless contacts between two bodies or one body and
// the world, a Jacobian, start velocities; N = J M^-1 J', q = J v0. Words and letters of Tonge, Benevolenski, Voroshilov 2012.
import { seeded } from '../helpers/random';

export type Matrix = number[][];
export type Vector = number[];

export const zeros = (rows: number, columns: number): Matrix => Array.from({ length: rows }, () => new Array(columns).fill(0));
export const transpose = (a: Matrix): Matrix => (a[0] ?? []).map((_, j) => a.map((row) => row[j]!));
export const multiply = (a: Matrix, b: Matrix): Matrix => {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => dot(row, column)));
};
export const apply = (a: Matrix, x: Vector): Vector => a.map((row) => dot(row, x));
export const dot = (a: Vector, b: Vector): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
export const add = (a: Vector, b: Vector, scale = 1): Vector => a.map((value, i) => value + scale * b[i]!);
export const combine = (a: Matrix, b: Matrix, scale: number): Matrix => a.map((row, i) => add(row, b[i]!, scale));
export const norm = (a: Vector): number => Math.sqrt(dot(a, a));
export const diagonal = (values: Vector): Matrix => values.map((value, i) => values.map((_, j) => (i === j ? value : 0)));
export const largest = (a: Matrix): number => Math.max(...a.flat().map(Math.abs));

/** Solution of a x = b by elimination with row pivots; b may have several columns. */
export function solve(a: Matrix, b: Matrix): Matrix {
  const n = a.length;
  const work = a.map((row, i) => [...row, ...b[i]!]);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(work[i]![k]!) > Math.abs(work[pivot]![k]!)) pivot = i;
    [work[k], work[pivot]] = [work[pivot]!, work[k]!];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = work[i]![k]! / work[k]![k]!;
      if (factor !== 0) work[i] = add(work[i]!, work[k]!, -factor);
    }
  }
  return work.map((row, i) => row.slice(n).map((value) => value / row[i]!));
}

/** Eigenvalues of a symmetric matrix, ascending (cyclic Jacobi rotations). */
export function eigenvalues(symmetric: Matrix): Vector {
  const a = symmetric.map((row) => [...row]);
  const n = a.length;
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += a[p]![q]! ** 2;
    if (off < 1e-26 * (1 + largest(a) ** 2)) break;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (a[p]![q] === 0) continue;
        const theta = (a[q]![q]! - a[p]![p]!) / (2 * a[p]![q]!);
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
        const c = 1 / Math.hypot(t, 1);
        const s = t * c;
        for (let k = 0; k < n; k++) {
          const x = a[k]![p]!;
          const y = a[k]![q]!;
          a[k]![p] = c * x - s * y;
          a[k]![q] = s * x + c * y;
        }
        for (let k = 0; k < n; k++) {
          const x = a[p]![k]!;
          const y = a[q]![k]!;
          a[p]![k] = c * x - s * y;
          a[q]![k] = s * x + c * y;
        }
      }
    }
  }
  return a.map((row, i) => row[i]!).sort((x, y) => x - y);
}

export interface Contact {
  /** One or two bodies; one if the other is the world. */
  bodies: number[];
  /** The row's 6 numbers for each of them. */
  jacobian: Vector[];
}

export interface System {
  bodyCount: number;
  contacts: Contact[];
  /** 6x6 a body. */
  inverseMasses: Matrix[];
  v0: Vector;
  J: Matrix;
  /** J M^-1 J' and J v0. */
  N: Matrix;
  q: Vector;
}

/** A 6x6 symmetric positive definite matrix with a spread of about `ratio` between bodies. */
function inverseMass(next: () => number, ratio: number): Matrix {
  const scale = ratio ** next();
  const a = Array.from({ length: 6 }, () => Array.from({ length: 6 }, () => 2 * next() - 1));
  return combine(multiply(a, transpose(a)), diagonal(new Array(6).fill(1)), 0.2).map((row) => row.map((value) => value * scale));
}

/** A body pair gets `perPair` contacts that differ a little, as the corners of a face do. */
export function randomSystem(seed: number, bodyCount: number, pairs: number, perPair: number, ratio = 100): System {
  const next = seeded(seed);
  const inverseMasses = Array.from({ length: bodyCount }, () => inverseMass(next, ratio));
  const contacts: Contact[] = [];
  for (let p = 0; p < pairs; p++) {
    const a = Math.floor(next() * bodyCount);
    const b = Math.floor(next() * (bodyCount + 1)); // bodyCount: the world
    if (a === b) continue;
    const n = [2 * next() - 1, 2 * next() - 1, 2 * next() - 1];
    const unit = n.map((value) => value / Math.hypot(...n));
    for (let k = 0; k < perPair; k++) {
      const arm = () => [0, 0, 0].map(() => 2 * next() - 1);
      const row = (r: Vector, sign: number) => [
        ...unit.map((value) => sign * value),
        sign * (r[1]! * unit[2]! - r[2]! * unit[1]!),
        sign * (r[2]! * unit[0]! - r[0]! * unit[2]!),
        sign * (r[0]! * unit[1]! - r[1]! * unit[0]!),
      ];
      contacts.push(
        b === bodyCount
          ? { bodies: [a], jacobian: [row(arm(), 1)] }
          : { bodies: [a, b], jacobian: [row(arm(), -1), row(arm(), 1)] },
      );
    }
  }
  const v0 = Array.from({ length: 6 * bodyCount }, () => 2 * next() - 1);
  const J = contacts.map((c) => {
    const row = new Array(6 * bodyCount).fill(0);
    c.bodies.forEach((body, side) => {
      for (let k = 0; k < 6; k++) row[6 * body + k] = c.jacobian[side]![k];
    });
    return row;
  });
  const N = multiply(multiply(J, blockDiagonal(inverseMasses)), transpose(J));
  return { bodyCount, contacts, inverseMasses, v0, J, N, q: apply(J, v0) };
}

export function blockDiagonal(blocks: Matrix[]): Matrix {
  const sizes = blocks.map((block) => block.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const out = zeros(total, total);
  let at = 0;
  for (const block of blocks) {
    block.forEach((row, i) => {
      row.forEach((value, j) => {
        out[at + i]![at + j] = value;
      });
    });
    at += block.length;
  }
  return out;
}

/** Sum over the bodies of a contact of factor(body) J M^-1 J'. */
export function effective(system: System, contact: number, factor: (body: number) => number): number {
  const c = system.contacts[contact]!;
  return c.bodies.reduce((sum, body, side) => {
    const row = c.jacobian[side]!;
    return sum + factor(body) * dot(row, apply(system.inverseMasses[body]!, row));
  }, 0);
}

/** Largest violation of z >= 0, Nz + q >= 0, complementarity: the natural residual. */
export function residual(N: Matrix, q: Vector, z: Vector): number {
  return Math.max(0, ...apply(N, z).map((value, i) => Math.abs(Math.min(z[i]!, value + q[i]!))));
}

/** The LCP's solution by very many sweeps of PGS (eq. 13). */
export function solveLcp(N: Matrix, q: Vector, sweeps = 20000): Vector {
  const z = new Array(q.length).fill(0);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    let moved = 0;
    for (let i = 0; i < z.length; i++) {
      const old = z[i]!;
      z[i] = Math.max(0, old - (dot(N[i]!, z) + q[i]!) / N[i]![i]!);
      moved = Math.max(moved, Math.abs(z[i]! - old));
    }
    if (moved < 1e-15) break;
  }
  return z;
}

/** f(z) = z'Nz / 2 + q'z. */
export const objective = (N: Matrix, q: Vector, z: Vector): number => 0.5 * dot(z, apply(N, z)) + dot(q, z);
