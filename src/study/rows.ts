// The rows of a contact problem, as a solver of one's own sees them (own_solver.ts): arrays in double precision and the few operations that
// every method needs. The lab makes them from the contacts of one frame, the engine from the rows of the core (row_bridge.ts).

/** Arrays that make a problem: what the constructor of `Rows` takes. */
export interface RowArrays {
  /** Number of rows. */
  count: number;
  /** Number of bodies. */
  bodies: number;
  /** Body of side A of each row; -1 if impulses do not move it. */
  a: Int32Array;
  /** Body of side B of each row; -1 if impulses do not move it. */
  b: Int32Array;
  /** Direction of each row, 3 numbers. */
  d: Float64Array;
  /** Lever of each row on A, r_A x d (m), 3 numbers. */
  leverA: Float64Array;
  /** Lever of each row on B, r_B x d (m), 3 numbers. */
  leverB: Float64Array;
  /** Inverse inertia of A times its lever, 3 numbers. */
  turnA: Float64Array;
  /** Inverse inertia of B times its lever, 3 numbers. */
  turnB: Float64Array;
  /** Inverse mass (1/kg) of A in each row, 0 where there is no body. */
  invA: Float64Array;
  /** Inverse mass (1/kg) of B in each row, 0 where there is no body. */
  invB: Float64Array;
  /** Part of A in the diagonal of J M^-1 J' (1/kg). */
  kA: Float64Array;
  /** Part of B in the diagonal of J M^-1 J' (1/kg). */
  kB: Float64Array;
  /** Speed (m/s) that is added to the speed of each row. */
  bias: Float64Array;
  /** Compliance of each row (1/kg), 0 for rigid rows. */
  gamma: Float64Array;
  /** Smallest impulse of each row (N s): 0 for normals. Not read for friction rows. */
  low: Float64Array;
  /** Largest impulse of each row (N s): infinity for normals. Not read for friction rows. */
  high: Float64Array;
  /** Coefficient of friction, 0 for other rows. */
  mu: Float64Array;
  /** Row of the normal that bounds a friction row; -1 for other rows. */
  normal: Int32Array;
  /** Manifold (or joint) of each row: rows of a link share both bodies. */
  link: Int32Array;
  /** Rows to solve, in the order of the solver. Two lists with staggered friction: normals, then friction; else one. */
  stages: Int32Array[];
  /** Velocities, 6 numbers per body: m/s, rad/s. */
  v: Float64Array;
  /** Impulse of each row (N s). */
  z: Float64Array;
}

/** Speed (m/s) of a row at velocities `v`, 6 numbers per body, without its bias: J v. */
export function rowSpeed(p: Pick<RowArrays, 'a' | 'b' | 'd' | 'leverA' | 'leverB'>, row: number, v: Float64Array): number {
  const { d, leverA, leverB } = p;
  const a = 6 * p.a[row]!;
  const b = 6 * p.b[row]!;
  const r = 3 * row;
  let speed = 0;
  if (b >= 0) {
    speed += d[r]! * v[b]! + d[r + 1]! * v[b + 1]! + d[r + 2]! * v[b + 2]!;
    speed += leverB[r]! * v[b + 3]! + leverB[r + 1]! * v[b + 4]! + leverB[r + 2]! * v[b + 5]!;
  }
  if (a >= 0) {
    speed -= d[r]! * v[a]! + d[r + 1]! * v[a + 1]! + d[r + 2]! * v[a + 2]!;
    speed -= leverA[r]! * v[a + 3]! + leverA[r + 1]! * v[a + 4]! + leverA[r + 2]! * v[a + 5]!;
  }
  return speed;
}

/** Adds M^-1 J' times an impulse of a row to velocities, with the inverse masses of its bodies times `shareA` and `shareB`. */
export function applyRow(
  p: Pick<RowArrays, 'a' | 'b' | 'd' | 'turnA' | 'turnB' | 'invA' | 'invB'>,
  row: number,
  v: Float64Array,
  impulse: number,
  shareA = 1,
  shareB = 1,
): void {
  const { d, turnA, turnB } = p;
  const a = 6 * p.a[row]!;
  const b = 6 * p.b[row]!;
  const r = 3 * row;
  if (b >= 0) {
    const x = shareB * impulse;
    const l = x * p.invB[row]!;
    v[b]! += l * d[r]!;
    v[b + 1]! += l * d[r + 1]!;
    v[b + 2]! += l * d[r + 2]!;
    v[b + 3]! += x * turnB[r]!;
    v[b + 4]! += x * turnB[r + 1]!;
    v[b + 5]! += x * turnB[r + 2]!;
  }
  if (a >= 0) {
    const x = -shareA * impulse;
    const l = x * p.invA[row]!;
    v[a]! += l * d[r]!;
    v[a + 1]! += l * d[r + 1]!;
    v[a + 2]! += l * d[r + 2]!;
    v[a + 3]! += x * turnA[r]!;
    v[a + 4]! += x * turnA[r + 1]!;
    v[a + 5]! += x * turnA[r + 2]!;
  }
}

/**
 * A contact problem, row by row. Its solution has impulses `z` within their bounds, where each row is at a bound or has the residual 0. The
 * residual is J v + bias + gamma z, and `v` changes by M^-1 J' z. `z` and `v` belong together. Change both by `push` or `solve`, or apply
 * each change of an impulse to `v` yourself.
 */
export class Rows implements RowArrays {
  readonly count: number;
  readonly bodies: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly d: Float64Array;
  readonly leverA: Float64Array;
  readonly leverB: Float64Array;
  readonly turnA: Float64Array;
  readonly turnB: Float64Array;
  readonly invA: Float64Array;
  readonly invB: Float64Array;
  readonly kA: Float64Array;
  readonly kB: Float64Array;
  readonly bias: Float64Array;
  readonly gamma: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly mu: Float64Array;
  readonly normal: Int32Array;
  readonly link: Int32Array;
  stages: Int32Array[];
  v: Float64Array;
  z: Float64Array;

  constructor(arrays: RowArrays) {
    this.count = arrays.count;
    this.bodies = arrays.bodies;
    this.a = arrays.a;
    this.b = arrays.b;
    this.d = arrays.d;
    this.leverA = arrays.leverA;
    this.leverB = arrays.leverB;
    this.turnA = arrays.turnA;
    this.turnB = arrays.turnB;
    this.invA = arrays.invA;
    this.invB = arrays.invB;
    this.kA = arrays.kA;
    this.kB = arrays.kB;
    this.bias = arrays.bias;
    this.gamma = arrays.gamma;
    this.low = arrays.low;
    this.high = arrays.high;
    this.mu = arrays.mu;
    this.normal = arrays.normal;
    this.link = arrays.link;
    this.stages = arrays.stages;
    this.v = arrays.v;
    this.z = arrays.z;
  }

  /** Diagonal of a row (1/kg): the change of its residual per impulse. */
  k(row: number): number {
    return this.kA[row]! + this.kB[row]! + this.gamma[row]!;
  }

  /** Speed (m/s) of a row without its bias, at the velocities of the problem or at others. */
  speed(row: number, v: Float64Array = this.v): number {
    return rowSpeed(this, row, v);
  }

  /** Residual (m/s) of a row: J v + bias + gamma z. A normal with a residual of 0 neither approaches nor leaves. */
  residual(row: number, v: Float64Array = this.v, z: Float64Array = this.z): number {
    return rowSpeed(this, row, v) + this.bias[row]! + this.gamma[row]! * z[row]!;
  }

  /** Largest absolute impulse (N s) of a friction row, from the impulse of its normal. */
  frictionBound(row: number, z: Float64Array = this.z): number {
    return this.mu[row]! * Math.max(0, z[this.normal[row]!]!);
  }

  /** Returns an impulse (N s) of a row moved to its bounds: normals do not pull, friction is at most mu times the normal. */
  bound(row: number, impulse: number, z: Float64Array = this.z): number {
    const isFriction = this.normal[row]! >= 0;
    const high = isFriction ? this.frictionBound(row, z) : this.high[row]!;
    const low = isFriction ? -high : this.low[row]!;
    return Math.max(low, Math.min(high, impulse));
  }

  /** Adds M^-1 J' times an impulse (N s) of a row to velocities; `shareA` and `shareB` multiply the inverse masses. */
  apply(row: number, impulse: number, v: Float64Array = this.v, shareA = 1, shareB = 1): void {
    applyRow(this, row, v, impulse, shareA, shareB);
  }

  /** Changes the impulse of a row by `dz` (N s), and the velocities of its bodies with it. */
  push(row: number, dz: number): void {
    this.z[row]! += dz;
    applyRow(this, row, this.v, dz);
  }

  /** Solves one row and applies its impulse (Gauss-Seidel); returns the change of the impulse (N s). */
  solve(row: number): number {
    const old = this.z[row]!;
    const dz = this.bound(row, old - this.residual(row) / this.k(row)) - old;
    this.push(row, dz);
    return dz;
  }
}
