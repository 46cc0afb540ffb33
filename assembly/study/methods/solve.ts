// A step by the study methods. Input: active manifolds, BodyRow, BodyInertia, BodyAccel. Output: velocities, BodyDelta,
// impulses and end separations, as the other solvers leave them. The Jacobi family, splitting by pairs and the order of colors
// run on the GPU too (shaders/jacobi_*.wgsl, sweep_*.wgsl), with the same operations in the same order: a change of rows,
// passes or bias here is a change there.
//
// A substep of h = dt / substeps: v += h a and the carried impulses; `sweeps` iterations with the stabilization; d += h v;
// with `relax`, `sweeps` iterations without it. One substep with many sweeps is the time stepping of Tonge 2012, eq. 4.
// Stabilization of a contact that overlaps by -s (slop is left alone):
//   soft        implicit spring, as the default solvers (softness.ts)
//   baumgarte   the velocities must leave with factor * -s / h (Tsuda 2009, v_error = k d / dt; Tonge 2013 writes its
//               position projection like this, with the factor 0.8)
//   projection  the velocities see no overlap; after them a second solve, from rest and with normals only, finds the motion
//               that takes out factor * -s, and adds it to the positions alone
// Impulses are carried from substep to substep and from step to step: whole, as in the papers, or with `relax` without what
// an impact left behind, as in the default solvers (spikes.ts).
// A contact that is apart (s > 0) may close its gap: bias s / h in all of them.
// Aggressive sleep (Tsuda 2009): rows between two bodies at rest keep the impulse of the last step.
import {
  BODY_ACCEL_STRIDE,
  BODY_DELTA_STRIDE,
  BodyAccel,
  BodyDelta,
  BodyRow,
  FRICTION_PATCH,
  FRICTION_RANDOM_TANGENT,
  Manifold,
  MethodRow,
  MethodState,
  SOLVER_JACOBI_ASSEMBLED,
  SOLVER_JACOBI_SPECTRAL,
  SOLVER_PAIR_ROWS,
  SOLVER_PAIR_SPLIT,
  SOLVER_PAIR_SPLIT_PRINTED,
  STABILIZE_BAUMGARTE,
  STABILIZE_PROJECTION,
  STABILIZE_SOFT,
} from '../../layout.generated';
import { coldAt, rowAt } from '../../bodies/rows';
import { ManifoldPoint, pointOf } from '../../constraints/manifolds';
import { keepPointTangents } from '../friction/point_tangents';
import { header } from '../../memory/header';
import { initSplit, splitState } from '../../memory/split_state';
import { at32 } from '../../memory/words';
import { manifoldOfLink } from '../../ordering/graph';
import { initOrdering, isMoving } from '../../ordering/state';
import { biasRate, gammaScale } from '../../rows/softness';
import { buildMethod, isBlockSplit, listUnits } from './build';
import { isJacobi, iterate } from './iterate';
import { assemble, setOmega } from './matrix';
import { ROW_NORMAL, pushRow } from './row';
import { blendShock, findLevels } from './shock';
import { carrySpikes, dropSpikes, findSpikes, startSpikes } from './spikes';
import { BodyVelocity, initMethods, methodRow, methodState, velocityAt } from './state';

// Passes of a substep.
const PASS_MAIN: u32 = 0;
const PASS_RELAX: u32 = 1;
const PASS_PROJECT: u32 = 2;

function deltaOf(body: u32): BodyDelta {
  return changetype<BodyDelta>(<usize>header().bodyDeltas + <usize>body * BODY_DELTA_STRIDE);
}

/** The method that a SOLVER_* code stands for: SOLVER_PAIR_SPLIT has a solver of its own beside the rows. */
export function methodOf(solver: u32): u32 {
  return solver == SOLVER_PAIR_ROWS ? <u32>SOLVER_PAIR_SPLIT : solver;
}

/** One step with the method of a SOLVER_* code. Returns without effect (header error set) where memory is out. */
export function solveMethod(solver: u32): void {
  const h = header();
  const method: u32 = methodOf(solver);
  if (!initSplit() || !initOrdering() || !initMethods() || !buildMethod(method)) return;
  const s: MethodState = methodState();
  s.omega0 = 1;
  s.omega1 = 1;
  h.omega = 1;
  h.iterationCount = 0;
  h.fixedRows = 0;
  if (method == SOLVER_JACOBI_SPECTRAL && !setOmega()) return;
  if (method == SOLVER_JACOBI_ASSEMBLED && !assemble()) return;
  const shock: bool = h.shockPropagation > 0;
  if (shock && !findLevels()) return;
  const bodies: u32 = h.bodyCount;
  const substeps: u32 = h.stepSubsteps;
  const sweeps: u32 = max<u32>(h.sweeps, 1);
  const dt: f32 = h.dt / <f32>substeps;
  const relax: bool = h.relax != 0;
  if (relax && !startSpikes()) return;
  for (let substep: u32 = 0; substep < substeps; substep++) {
    addImpulses(s, substep == 0);
    accelerate(s, bodies, dt);
    if (shock) memory.copy(s.saved, s.velocities, (<usize>bodies) << 5);
    if (relax) dropSpikes();
    warmStart(s, substep == 0 ? h.warmStart : <f32>1);
    if (h.aggressiveSleep != 0 && substep == 0) fixRowsAtRest(s);
    setBias(s, PASS_MAIN, dt);
    iterate(sweeps);
    if (shock) blendShock(s.saved, sweeps);
    advance(s, bodies, dt, s.velocities, true);
    if (h.stabilization == STABILIZE_PROJECTION) project(s, bodies, dt, sweeps);
    if (!relax) continue;
    setBias(s, PASS_RELAX, dt);
    // Jacobi has no order, but sums that a GPU must find again.
    const backwards: bool = h.permutation == 0 && method != SOLVER_JACOBI_ASSEMBLED && !isJacobi(method);
    if (backwards) listUnits(s, method, true);
    iterate(sweeps);
    if (backwards) listUnits(s, method, false);
    findSpikes();
  }
  finish(s, bodies);
}

/** Adds the impulses of the substep that has ended to those of the step, in maxImpulse until finish adds the last ones. */
function addImpulses(s: MethodState, first: bool): void {
  for (let l: u32 = 0; l < header().activeCount; l++) {
    const m: Manifold = manifoldOfLink(l);
    const normals: u32 = at32(s.linkRows, l + 1) - m.count;
    for (let i: u32 = 0; i < m.count; i++) {
      const p: ManifoldPoint = pointOf(m, i);
      p.maxImpulse = first ? 0 : p.maxImpulse + methodRow(normals + i).z;
    }
  }
}

/** v += h a. */
function accelerate(s: MethodState, bodies: u32, dt: f32): void {
  for (let b: u32 = 0; b < bodies; b++) {
    const v: BodyVelocity = velocityAt(s.velocities, b);
    if (v.invMass == 0) continue;
    const a: BodyAccel = changetype<BodyAccel>(<usize>header().bodyAccels + <usize>b * BODY_ACCEL_STRIDE);
    v.vx += dt * a.ax;
    v.vy += dt * a.ay;
    v.vz += dt * a.az;
    v.wx += dt * a.bx;
    v.wy += dt * a.by;
    v.wz += dt * a.bz;
  }
}

/** Applies the carried impulses. They act on whole bodies also where blocks work on their parts. */
function warmStart(s: MethodState, factor: f32): void {
  const parts: bool = isBlockSplit(s.method) && s.method != SOLVER_PAIR_SPLIT_PRINTED;
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    row.z *= factor;
    if (!parts) {
      pushRow(row, s.velocities, row.z);
      continue;
    }
    const pass: u32 = s.passes == 2 && row.kind != ROW_NORMAL ? 1 : 0;
    const scaleA: f32 = row.scaleA,
      scaleB: f32 = row.scaleB;
    row.scaleA = scaleA / <f32>max<u32>(at32(s.counts, row.bodyA * 2 + pass), 1);
    row.scaleB = scaleB / <f32>max<u32>(at32(s.counts, row.bodyB * 2 + pass), 1);
    pushRow(row, s.velocities, row.z);
    row.scaleA = scaleA;
    row.scaleB = scaleB;
  }
}

/** Separation of a normal row now: linear in the motion since the start of the step. */
function separationNow(row: MethodRow): f32 {
  const a: BodyDelta = deltaOf(row.bodyA);
  const b: BodyDelta = deltaOf(row.bodyB);
  return (
    pointOf(manifoldOfLink(row.link), row.point).separation +
    (row.dx * (b.dx - a.dx) + row.dy * (b.dy - a.dy) + row.dz * (b.dz - a.dz)) +
    (row.bx * b.px + row.by * b.py + row.bz * b.pz) -
    (row.ax * a.px + row.ay * a.py + row.az * a.pz)
  );
}

/** Bias and compliance of the normals for a pass. */
function setBias(s: MethodState, pass: u32, dt: f32): void {
  const h = header();
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    if (row.kind != ROW_NORMAL) continue;
    const gap: f32 = separationNow(row);
    row.gamma = 0;
    row.bias = 0;
    if (pass == PASS_PROJECT) {
      // The rest of the gap that the velocities have left, or the share of the overlap.
      row.bias = gap > 0 ? gap / dt : (h.stabilizationFactor * min<f32>(gap + h.linearSlop, 0)) / dt;
    } else if (gap > 0) {
      row.bias = gap / dt;
    } else if (pass == PASS_MAIN) {
      const depth: f32 = min<f32>(gap + h.linearSlop, 0);
      if (h.stabilization == STABILIZE_SOFT) {
        const isStatic: bool = rowAt(row.bodyA).invMass == 0 || rowAt(row.bodyB).invMass == 0;
        row.bias = max<f32>(biasRate(isStatic, dt) * depth, -h.pushSpeed) * (1 - manifoldOfLink(row.link).pushCut);
        row.gamma = row.k * gammaScale(isStatic, dt);
      } else if (h.stabilization == STABILIZE_BAUMGARTE) {
        row.bias = max<f32>((h.stabilizationFactor * depth) / dt, -h.pushSpeed) * (1 - manifoldOfLink(row.link).pushCut);
      }
    }
  }
}

/** d += h v; `keep`: this is also the velocity that the substep integrated. */
function advance(s: MethodState, bodies: u32, dt: f32, velocities: usize, keep: bool): void {
  for (let b: u32 = 0; b < bodies; b++) {
    if (!isMoving(b)) continue;
    const v: BodyVelocity = velocityAt(velocities, b);
    const delta: BodyDelta = deltaOf(b);
    delta.dx += dt * v.vx;
    delta.dy += dt * v.vy;
    delta.dz += dt * v.vz;
    delta.px += dt * v.wx;
    delta.py += dt * v.wy;
    delta.pz += dt * v.wz;
    if (!keep) continue;
    const row: BodyRow = rowAt(b);
    row.svx = v.vx;
    row.svy = v.vy;
    row.svz = v.vz;
    row.swx = v.wx;
    row.swy = v.wy;
    row.swz = v.wz;
  }
}

/** Position projection: a second problem from rest, normals only; its motion goes to the positions alone. */
function project(s: MethodState, bodies: u32, dt: f32, sweeps: u32): void {
  const velocities: usize = s.velocities;
  memory.copy(s.saved, velocities, (<usize>bodies) << 5);
  for (let b: u32 = 0; b < bodies; b++) {
    const v: BodyVelocity = velocityAt(velocities, b);
    v.vx = 0;
    v.vy = 0;
    v.vz = 0;
    v.wx = 0;
    v.wy = 0;
    v.wz = 0;
  }
  setBias(s, PASS_PROJECT, dt);
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    row.kept = row.z;
    row.z = 0;
    if (row.kind != ROW_NORMAL) row.active |= 2;
  }
  iterate(sweeps);
  advance(s, bodies, dt, velocities, false);
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    row.z = row.kept;
    row.active &= 1;
  }
  memory.copy(velocities, s.saved, (<usize>bodies) << 5);
}

/**
 * Rows between two bodies at rest keep their impulses, which the warm start has applied. A body that is merely slow is not at
 * rest: its last impulses have just made it so, from another speed. Repeated, they make the same difference again, and the
 * body swings between 0 and sleepSpeed for ever.
 */
function fixRowsAtRest(s: MethodState): void {
  let fixed: u32 = 0;
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    if (!isAtRest(s, row.bodyA) || !isAtRest(s, row.bodyB)) continue;
    row.active = 0;
    fixed++;
  }
  header().fixedRows = fixed;
}

/**
 * Whether gravity and the carried impulses leave a body at rest. Both its speed after them (of its fastest point) and its
 * change are to be below the speed that it would take to reach sleepSpeed within sleepTime at such a change every step.
 */
function isAtRest(s: MethodState, body: u32): bool {
  const h = header();
  const row: BodyRow = rowAt(body);
  const v: BodyVelocity = velocityAt(s.velocities, body);
  const extent: f32 = coldAt(body).extent;
  const speed: f32 = length(v.vx, v.vy, v.vz) + length(v.wx, v.wy, v.wz) * extent;
  const change: f32 =
    length(v.vx - row.vx, v.vy - row.vy, v.vz - row.vz) + length(v.wx - row.wx, v.wy - row.wy, v.wz - row.wz) * extent;
  const limit: f32 = restLimit();
  return speed < limit && change < limit;
}

/** Speed, and change of speed in a substep, below which a body is at rest, m/s. */
export function restLimit(): f32 {
  const h = header();
  return (h.sleepSpeed * h.dt) / (<f32>h.stepSubsteps * max<f32>(h.sleepTime, h.dt));
}

function length(x: f32, y: f32, z: f32): f32 {
  return sqrt<f32>(x * x + y * y + z * z);
}

/**
 * Velocities to the bodies, impulses and separations to the manifolds. maxImpulse of the points holds the sum of their
 * impulses of all substeps but the last, before.
 */
export function finish(s: MethodState, bodies: u32): void {
  const h = header();
  for (let b: u32 = 0; b < bodies; b++) {
    const v: BodyVelocity = velocityAt(s.velocities, b);
    if (v.invMass == 0) continue;
    const row: BodyRow = rowAt(b);
    row.vx = v.vx;
    row.vy = v.vy;
    row.vz = v.vz;
    row.wx = v.wx;
    row.wy = v.wy;
    row.wz = v.wz;
  }
  const patch: bool = h.frictionModel == FRICTION_PATCH;
  for (let l: u32 = 0; l < h.activeCount; l++) {
    const m: Manifold = manifoldOfLink(l);
    const first: u32 = at32(s.linkRows, l);
    const normals: u32 = at32(s.linkRows, l + 1) - m.count;
    m.stepImpulse = 0;
    for (let i: u32 = 0; i < m.count; i++) {
      const row: MethodRow = methodRow(normals + i);
      const p: ManifoldPoint = pointOf(m, i);
      p.impulse = row.z;
      m.stepImpulse += p.maxImpulse + row.z;
      p.maxImpulse = row.most;
      // Every row reads its own point only, so it may be overwritten here.
      p.separation = separationNow(row);
    }
    if (patch) {
      m.twistImpulse = methodRow(first).z;
      m.tangentImpulse1 = methodRow(first + 1).z;
      m.tangentImpulse2 = methodRow(first + 2).z;
      continue;
    }
    const manifold: u32 = at32(h.activeManifolds, l);
    const tangents: usize = <usize>splitState().pointTangents + <usize>manifold * 64 + 32;
    for (let i: u32 = 0; i < m.count; i++) {
      // A random tangent means nothing in the next step.
      const random: bool = h.frictionModel == FRICTION_RANDOM_TANGENT;
      store<f32>(tangents + ((<usize>i) << 3), random ? <f32>0 : methodRow(first + i * 2).z);
      store<f32>(tangents + ((<usize>i) << 3), random ? <f32>0 : methodRow(first + i * 2 + 1).z, 4);
    }
    keepPointTangents(manifold);
  }
  carrySpikes(h.relax != 0);
}
