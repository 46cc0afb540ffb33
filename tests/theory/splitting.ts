// The split system of Tonge, Benevolenski, Voroshilov 2012, section 5, written out: one sub-body for every (body, block), fixed
// joints between the sub-bodies of a body; and the iteration on cells of any partition with any weights that sum to one.
import {
  add,
  apply,
  blockDiagonal,
  dot,
  type Matrix,
  multiply,
  type System,
  solve,
  transpose,
  type Vector,
  zeros,
} from './system';

/** A partition of the contacts into blocks. */
export type Partition = number[][];

/** Blocks by body pair (section 4.1). */
export function pairPartition(system: System): Partition {
  const blocks = new Map<string, number[]>();
  system.contacts.forEach((c, i) => {
    const key = c.bodies.join();
    blocks.set(key, [...(blocks.get(key) ?? []), i]);
  });
  return [...blocks.values()];
}

export interface Split {
  /** Sub-bodies: the body and the share of its mass. */
  subs: { body: number; weight: number }[];
  /** Sub-bodies of each body. */
  ofBody: number[][];
  /** Contact Jacobian of the split system (eq. 22-24), joints (eq. 28-29), inverse masses (eq. 18-19). */
  C: Matrix;
  F: Matrix;
  W: Matrix;
  /** W C' a contact, and C W C' on the diagonal. */
  reactions: Matrix;
  diagonal: Vector;
}

/** Mass shares of the sub-bodies of a body; positive, sum one. */
export type Shares = (body: number, count: number) => Vector;

/** Splits bodies, a sub-body a block; `weights` gives the mass share of each, equal shares if left out (eq. 17-29). */
export function splitSystem(system: System, partition: Partition, weights?: Shares): Split {
  const blockOf = new Array<number>(system.contacts.length);
  partition.forEach((contacts, block) => {
    for (const i of contacts) blockOf[i] = block;
  });
  return splitParts(system, (contact) => blockOf[contact]!, weights);
}

/** The same with any choice of the sub-body that a contact works on: one of a number for each of its bodies. */
export function splitParts(system: System, partOf: (contact: number, body: number) => number, weights?: Shares): Split {
  const subs: Split['subs'] = [];
  const ofBody: number[][] = Array.from({ length: system.bodyCount }, () => []);
  const index = new Map<string, number>();
  const subOf = system.contacts.map((c, i) =>
    c.bodies.map((body) => {
      const key = `${body},${partOf(i, body)}`;
      if (!index.has(key)) {
        index.set(key, subs.length);
        ofBody[body]!.push(subs.length);
        subs.push({ body, weight: 0 });
      }
      return index.get(key)!;
    }),
  );
  ofBody.forEach((list, body) => {
    const shares = weights?.(body, list.length) ?? new Array(list.length).fill(1 / list.length);
    list.forEach((sub, k) => {
      subs[sub]!.weight = shares[k]!;
    });
  });
  const width = 6 * subs.length;
  const C = zeros(system.contacts.length, width);
  system.contacts.forEach((c, i) => {
    subOf[i]!.forEach((sub, side) => {
      for (let k = 0; k < 6; k++) C[i]![6 * sub + k] = c.jacobian[side]![k]!;
    });
  });
  const F: Matrix = [];
  for (const list of ofBody) {
    for (const other of list.slice(1)) {
      for (let k = 0; k < 6; k++) {
        const row = new Array(width).fill(0);
        row[6 * list[0]! + k] = 1;
        row[6 * other + k] = -1;
        F.push(row);
      }
    }
  }
  const W = blockDiagonal(subs.map((sub) => system.inverseMasses[sub.body]!.map((row) => row.map((x) => x / sub.weight))));
  const reactions = C.map((row) => apply(W, row));
  return { subs, ofBody, C, F, W, reactions, diagonal: C.map((row, i) => dot(row, reactions[i]!)) };
}

/** Velocities of sub-bodies from those of bodies (eq. 20). */
export const spread = (split: Split, v: Vector): Vector => split.subs.flatMap((sub) => v.slice(6 * sub.body, 6 * sub.body + 6));

/** Closed form of the fixed joints (eq. 38): the mean of the sub-bodies, weighted with their mass. */
export function average(split: Split, v: Vector): Vector {
  const out = [...v];
  for (const list of split.ofBody) {
    for (let k = 0; k < 6; k++) {
      const mean = list.reduce((sum, sub) => sum + split.subs[sub]!.weight * v[6 * sub + k]!, 0);
      for (const sub of list) out[6 * sub + k] = mean;
    }
  }
  return out;
}

/** The fixed joints by a linear solve (eq. 37): v - W F' (F W F')^-1 F v. */
export function weld(split: Split, v: Vector): Vector {
  const { F, W } = split;
  if (F.length === 0) return v;
  const WFt = multiply(W, transpose(F));
  const impulse = solve(
    multiply(F, WFt),
    apply(F, v).map((x) => [x]),
  ).map((row) => row[0]!);
  return add(v, apply(WFt, impulse), -1);
}

/** One iteration of eq. 35-37: a PGS sweep over all contacts of the split system, then the joints. Changes z. */
export function interleaved(split: Split, z: Vector, v: Vector, join: (split: Split, v: Vector) => Vector): Vector {
  const { C, reactions, diagonal } = split;
  let u = v;
  for (let i = 0; i < z.length; i++) {
    const next = Math.max(0, z[i]! - dot(C[i]!, u) / diagonal[i]!);
    u = add(u, reactions[i]!, next - z[i]!);
    z[i] = next;
  }
  return join(split, u);
}

/** Split matrix of a partition: block diagonal, masses of the sub-bodies. */
export const splitMatrix = (split: Split): Matrix => multiply(multiply(split.C, split.W), transpose(split.C));
