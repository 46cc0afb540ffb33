// A step by the study methods.
// Input: active manifolds, BodyRow, BodyInertia, BodyAccel. Output: velocities, BodyDelta, impulses and end separations, as the
// other solvers leave them. The Jacobi family, splitting by pairs and the order of colors run on the GPU too
// (shaders/jacobi_*.wgsl, sweep_*.wgsl), with the same operations in the same order: a change of rows, passes or bias here is a
// change there.
//
// A substep of h = dt / substeps: v += h a and the carried impulses; `sweeps` iterations with the stabilization; d += h v;
// with `relax`, `sweeps` iterations without it. One substep with many sweeps is the time stepping of Tonge 2012, eq. 4.
// Joints are rows too (joint_rows.ts).
// Stabilization of a contact that overlaps by -s (slop is left alone):
//   soft        implicit spring, as the default solvers (softness.ts)
//   baumgarte   the velocities must leave with factor * -s / h (Tsuda 2009, v_error = k d / dt; Tonge 2013 writes its
//               position projection like this, with the factor 0.8)
//   projection  the velocities see no overlap; after them a second solve, from rest and with normals and joints only, finds the
//           motion
//               that takes out factor * -s, and adds it to the positions alone
// Impulses are carried from substep to substep and from step to step: whole, as in the papers, or with `relax` without what
// an impact left behind, as in the default solvers (growth_clamp.ts).
// A contact that is apart (s > 0) may close its gap: bias s / h in all of them.
// Aggressive sleep (Tsuda 2009): rows between two bodies at rest keep the impulse of the last step.
import { rowAt } from '../../bodies/rows';
import { pointOf } from '../../constraints/manifolds';
import {
  BodyRow,
  BodyVelocity,
  FRICTION_PATCH,
  FRICTION_RANDOM_TANGENT,
  Manifold,
  ManifoldPoint,
  MethodRow,
  MethodState,
  STABILIZE_PROJECTION,
  TangentPair,
} from '../../layout.generated';
import { header } from '../../memory/header';
import { initSplit } from '../../memory/split_state';
import { at32 } from '../../memory/words';
import { manifoldOfLink } from '../../ordering/graph';
import { initOrdering } from '../../ordering/state';
import { keepPointTangents, keptTangents, tangentsAt } from '../friction/point_tangents';
import { buildRows, listUnits } from './build';
import { carryExcess, dropExcess, findExcess, startClamp } from './growth_clamp';
import { accelerate } from './jacobi_apply';
import { addImpulses, fixRowsAtRest, separationNow, setBias, warmStart } from './jacobi_prepare';
import { finishJoints, isProjected } from './joint_rows';
import { findLevels } from './levels';
import { iterate, rowMethod } from './method';
import { PASS_MAIN, PASS_PROJECT, PASS_RELAX } from './passes';
import { methodClass } from './registry';
import { ROW_NORMAL } from './row';
import { advance } from './row_motion';
import { blendShock } from './shock';
import { initMethods, methodRow, methodState, velocityAt } from './state';

/**
 * Makes the rows of this step for the method of a SOLVER_* code. `onGpu`: kernels will solve them. False without memory (header
 * error set), or if the solver does not work on rows.
 */
export function beginMethod(solver: u32, onGpu: bool): bool {
  const id: u32 = methodClass(solver);
  if (id == 0 || !initSplit() || !initOrdering() || !initMethods()) return false;
  const h = header();
  const s: MethodState = methodState();
  s.methodClass = id;
  if (!buildRows()) return false;
  s.omega0 = 1;
  s.omega1 = 1;
  h.omega = 1;
  return rowMethod().start(s, onGpu);
}

/** One step with the method of a SOLVER_* code. Returns without effect (header error set) where memory is out. */
export function solveMethod(solver: u32): void {
  if (!beginMethod(solver, false)) return;
  const h = header();
  const s: MethodState = methodState();
  h.iterationCount = 0;
  h.fixedRows = 0;
  const shock: bool = h.shockPropagation > 0;
  if (shock && !findLevels()) return;
  const bodies: u32 = h.bodyCount;
  const substeps: u32 = h.stepSubsteps;
  const sweeps: u32 = max<u32>(h.sweeps, 1);
  const dt: f32 = h.dt / <f32>substeps;
  const relax: bool = h.relax != 0;
  if (relax && !startClamp()) return;
  for (let substep: u32 = 0; substep < substeps; substep++) {
    s.substep = substep;
    addImpulses(s, substep == 0);
    accelerate(s, bodies, dt);
    if (shock) memory.copy(s.saved, s.velocities, (<usize>bodies) << 5);
    if (relax) dropExcess();
    warmStart(s, substep == 0 ? h.warmStart : <f32>1);
    if (h.aggressiveSleep != 0 && substep == 0) fixRowsAtRest(s);
    setBias(s, PASS_MAIN, dt);
    iterate(sweeps);
    if (shock) blendShock(s.saved, sweeps);
    advance(s, bodies, dt, s.velocities, true);
    if (h.stabilization == STABILIZE_PROJECTION) project(s, bodies, dt, sweeps);
    if (!relax) continue;
    setBias(s, PASS_RELAX, dt);
    const backwards: bool = h.permutation == 0 && rowMethod().isOrdered();
    if (backwards) listUnits(s, true);
    iterate(sweeps);
    if (backwards) listUnits(s, false);
    findExcess();
  }
  finish(s, bodies);
}

/**
 * Position projection: a second problem from rest, normals, locked axes and limits only; its motion goes to the positions alone.
 */
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
    if (row.kind != ROW_NORMAL && !isProjected(row.kind)) row.active |= 2;
  }
  iterate(sweeps);
  advance(s, bodies, dt, velocities, false);
  for (let r: u32 = 0; r < s.rowCount; r++) {
    const row: MethodRow = methodRow(r);
    row.z = row.kept;
    row.active &= ~2;
  }
  memory.copy(velocities, s.saved, (<usize>bodies) << 5);
}

/**
 * Velocities to the bodies, impulses and separations to the manifolds, impulses to the joints. maxImpulse of the points holds the
 * sum of their impulses of all substeps but the last, before.
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
    const tangents: usize = keptTangents(manifold);
    for (let i: u32 = 0; i < m.count; i++) {
      // A random tangent means nothing in the next step.
      const random: bool = h.frictionModel == FRICTION_RANDOM_TANGENT;
      const pair: TangentPair = tangentsAt(tangents, i);
      pair.t1 = random ? <f32>0 : methodRow(first + i * 2).z;
      pair.t2 = random ? <f32>0 : methodRow(first + i * 2 + 1).z;
    }
    keepPointTangents(manifold);
  }
  carryExcess(h.relax != 0);
  finishJoints(s);
}
