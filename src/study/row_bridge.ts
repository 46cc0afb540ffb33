// Rows of the core as arrays for solvers in JavaScript (rows.ts), and their results back. Layout: MethodRow and MethodState. Geometry and
// masses are copied once per step; velocities, impulses, bias, compliance and the lists of rows once per problem.
import { BodyInertia, BodyVelocity, Header, MethodRow, MethodState } from '../layout.generated';
import type { LinearMemory } from '../wasm/memory';
import { type RowArrays, Rows } from './rows';

const ROW = MethodRow.STRIDE >> 2;
const BODY = BodyVelocity.STRIDE >> 2;
const INERTIA = BodyInertia.STRIDE >> 2;

/** Indices of a word of a row: the offsets are in bytes. */
const word = (offset: number) => offset >> 2;

/** Numbers per row of each array of doubles. */
const PER_ROW = {
  d: 3,
  leverA: 3,
  leverB: 3,
  turnA: 3,
  turnB: 3,
  invA: 1,
  invB: 1,
  kA: 1,
  kB: 1,
  bias: 1,
  gamma: 1,
  low: 1,
  high: 1,
  mu: 1,
  z: 1,
} as const;
type Doubles = keyof typeof PER_ROW;
const DOUBLES = Object.keys(PER_ROW) as Doubles[];
const WHOLES = ['a', 'b', 'normal', 'link'] as const;

/** The rows of one world. */
export class RowBridge {
  /** The rows of the step. */
  rows!: Rows;
  private readonly memory: LinearMemory;
  /** Room for so many rows and bodies. */
  private rowRoom = 0;
  private bodyRoom = 0;
  private doubles!: Record<Doubles, Float64Array>;
  private wholes!: Record<(typeof WHOLES)[number], Int32Array>;
  private list!: Int32Array;
  private v!: Float64Array;

  constructor(memory: LinearMemory) {
    this.memory = memory;
  }

  private state(offset: number): number {
    return this.u32[(this.memory.headerU32(Header.methodState) + offset) >>> 2]!;
  }

  private get u32(): Uint32Array {
    return this.memory.u32;
  }

  /** Reads a problem; of a new step also its rows. Returns false if it has none. */
  read(isNewStep: boolean): boolean {
    const count = this.state(MethodState.rowCount);
    if (count === 0 || this.state(MethodState.units1) === 0) return false;
    if (isNewStep) this.readStep(count, this.memory.headerU32(Header.bodyCount));
    this.readProblem();
    return true;
  }

  private readStep(count: number, bodies: number): void {
    if (count > this.rowRoom) {
      this.rowRoom = Math.max(count, 2 * this.rowRoom);
      this.doubles = Object.fromEntries(DOUBLES.map((key) => [key, new Float64Array(PER_ROW[key] * this.rowRoom)])) as never;
      this.wholes = Object.fromEntries(WHOLES.map((key) => [key, new Int32Array(this.rowRoom)])) as never;
      this.list = new Int32Array(this.rowRoom);
    }
    if (bodies > this.bodyRoom) {
      this.bodyRoom = Math.max(bodies, 2 * this.bodyRoom);
      this.v = new Float64Array(6 * this.bodyRoom);
    }
    const arrays = { count, bodies, stages: [], v: this.v.subarray(0, 6 * bodies) } as unknown as RowArrays;
    for (const key of DOUBLES) arrays[key] = this.doubles[key].subarray(0, PER_ROW[key] * count);
    for (const key of WHOLES) arrays[key] = this.wholes[key].subarray(0, count);
    this.rows = new Rows(arrays);
    const { u32 } = this;
    const { f32 } = this.memory;
    const first = this.state(MethodState.rows) >>> 2;
    for (let r = 0; r < count; r++) {
      const at = first + ROW * r;
      const isFriction = u32[at + word(MethodRow.normalCount)]! > 0;
      arrays.normal[r] = isFriction ? u32[at + word(MethodRow.firstNormal)]! : -1;
      arrays.mu[r] = f32[at + word(MethodRow.mu)]!;
      arrays.link[r] = u32[at + word(MethodRow.link)]!;
      arrays.low[r] = 0;
      arrays.high[r] = Infinity;
      for (let k = 0; k < 3; k++) arrays.d[3 * r + k] = f32[at + word(MethodRow.dx) + k]!;
      this.readSide(arrays, r, at, false);
      this.readSide(arrays, r, at, true);
    }
  }

  /** The part of body A or B in a row. */
  private readSide(arrays: RowArrays, r: number, at: number, isB: boolean): void {
    const { f32 } = this.memory;
    const body = this.u32[at + word(isB ? MethodRow.bodyB : MethodRow.bodyA)]!;
    const scale = f32[at + word(isB ? MethodRow.scaleB : MethodRow.scaleA)]!;
    const velocity = (this.state(MethodState.velocities) >>> 2) + BODY * body;
    const invMass = scale * f32[velocity + word(BodyVelocity.invMass)]!;
    const side = isB ? arrays.b : arrays.a;
    const inv = isB ? arrays.invB : arrays.invA;
    const part = isB ? arrays.kB : arrays.kA;
    const lever = isB ? arrays.leverB : arrays.leverA;
    const turn = isB ? arrays.turnB : arrays.turnA;
    const from = at + word(isB ? MethodRow.bx : MethodRow.ax);
    const [x, y, z] = [f32[from]!, f32[from + 1]!, f32[from + 2]!];
    const i = 3 * r;
    lever[i] = x;
    lever[i + 1] = y;
    lever[i + 2] = z;
    inv[r] = invMass;
    side[r] = invMass > 0 ? body : -1;
    if (invMass === 0) {
      turn.fill(0, i, i + 3);
      part[r] = 0;
      return;
    }
    const inertia = (this.memory.headerU32(Header.bodyInertias) >>> 2) + INERTIA * body;
    const of = (offset: number) => scale * f32[inertia + word(offset)]!;
    const [xx, yy, zz] = [of(BodyInertia.xx), of(BodyInertia.yy), of(BodyInertia.zz)];
    const [xy, xz, yz] = [of(BodyInertia.xy), of(BodyInertia.xz), of(BodyInertia.yz)];
    turn[i] = xx * x + xy * y + xz * z;
    turn[i + 1] = xy * x + yy * y + yz * z;
    turn[i + 2] = xz * x + yz * y + zz * z;
    const { d } = arrays;
    const linear = d[i]! * d[i]! + d[i + 1]! * d[i + 1]! + d[i + 2]! * d[i + 2]!;
    part[r] = invMass * linear + x * turn[i]! + y * turn[i + 1]! + z * turn[i + 2]!;
  }

  private readProblem(): void {
    const { rows, u32 } = this;
    const { f32 } = this.memory;
    const first = this.state(MethodState.rows) >>> 2;
    const velocities = this.state(MethodState.velocities) >>> 2;
    for (let body = 0; body < rows.bodies; body++) {
      const at = velocities + BODY * body;
      for (let k = 0; k < 3; k++) {
        rows.v[6 * body + k] = f32[at + k]!;
        rows.v[6 * body + 3 + k] = f32[at + word(BodyVelocity.wx) + k]!;
      }
    }
    for (let r = 0; r < rows.count; r++) {
      const at = first + ROW * r;
      rows.z[r] = f32[at + word(MethodRow.z)]!;
      rows.gamma[r] = f32[at + word(MethodRow.gamma)]!;
      rows.bias[r] = f32[at + word(MethodRow.bias)]!;
      // Bodies that impulses do not move are left out of the rows: their speed does not change.
      if (rows.a[r]! < 0) rows.bias[r]! -= this.sideSpeed(r, u32[at + word(MethodRow.bodyA)]!, rows.leverA);
      if (rows.b[r]! < 0) rows.bias[r]! += this.sideSpeed(r, u32[at + word(MethodRow.bodyB)]!, rows.leverB);
    }
    rows.stages = this.readStages(first);
  }

  private sideSpeed(row: number, body: number, lever: Float64Array): number {
    const { d, v } = this.rows;
    const i = 3 * row;
    const b = 6 * body;
    const linear = d[i]! * v[b]! + d[i + 1]! * v[b + 1]! + d[i + 2]! * v[b + 2]!;
    return linear + lever[i]! * v[b + 3]! + lever[i + 1]! * v[b + 4]! + lever[i + 2]! * v[b + 5]!;
  }

  /** Rows that are solved, pass by pass. */
  private readStages(first: number): Int32Array[] {
    const { u32, list } = this;
    const units = this.state(MethodState.units) >>> 2;
    const stages: Int32Array[] = [];
    let [unit, from, n] = [0, 0, 0];
    for (let pass = 0; pass < this.state(MethodState.passes); pass++) {
      const end = this.state(pass === 0 ? MethodState.units0 : MethodState.units1);
      for (; unit < end; unit++) {
        const row = u32[units + unit]!;
        if (u32[first + ROW * row + word(MethodRow.active)] === 1) list[n++] = row;
      }
      stages.push(list.subarray(from, n));
      from = n;
    }
    return stages;
  }

  /** Writes impulses and velocities. */
  write(): void {
    const { rows } = this;
    const { f32 } = this.memory;
    const first = this.state(MethodState.rows) >>> 2;
    const velocities = this.state(MethodState.velocities) >>> 2;
    for (let r = 0; r < rows.count; r++) {
      const at = first + ROW * r;
      const z = rows.z[r]!;
      f32[at + word(MethodRow.z)] = z;
      const most = at + word(MethodRow.most);
      f32[most] = Math.max(f32[most]!, z);
    }
    for (let body = 0; body < rows.bodies; body++) {
      const at = velocities + BODY * body;
      if (f32[at + word(BodyVelocity.invMass)] === 0) continue;
      for (let k = 0; k < 3; k++) {
        f32[at + k] = rows.v[6 * body + k]!;
        f32[at + word(BodyVelocity.wx) + k] = rows.v[6 * body + 3 + k]!;
      }
    }
  }
}
