// Projected Gauss-Seidel, scalar and sequential: the oracle that the other solvers are compared with (docs/solvers.md). Plain on
// purpose. Bit for bit the default solver is compared with another, wide_oracle.ts.
// Input: active manifolds, BodyRow, BodyInertia, BodyAccel. Output: velocities, BodyDelta, impulses and end separations.
//
// A substep of h = dt / substeps: v += h a and the carried impulses; `sweeps` soft sweeps; d += h v, p += h w; `sweeps` rigid
// sweeps without bias (relax). A manifold is solved in this order: twist, friction at the center of its points (2x2 block,
// circle of radius mu * N with N = sum of its normal impulses), normals. Rows are u = n.(v_B + w_B x r_B - v_A - w_A x r_A):
//   dz = -(u + bias + gamma z) / (K + gamma), z >= 0
// Jacobians and accelerations are frozen during the step, so v_end - v_start is exactly h a plus what the impulses of the
// substep did: u = 2 v_end - v_start starts the next substep warm, and only the first one applies stored impulses.
// Of an impulse that more than doubled from one substep to the next, the part above twice is taken back from that start:
// it stopped an impact, and repeating it would throw the body off again.
//
// Entry points: solvePgs (links in order), solveCellOrder (links in cell-like order, Tsuda 2009).
import { deltaAt, inertiaAt, rowAt } from '../bodies/rows';
import { excessIn, pointOf } from '../constraints/manifolds';
import {
  BODY_ACCEL_STRIDE,
  BodyAccel,
  BodyDelta,
  BodyInertia,
  BodyRow,
  Manifold,
  ManifoldPoint,
  OrderState,
  PGS_LINK_STRIDE,
  PGS_POINT_STRIDE,
  PgsLink,
  PgsPoint,
  SPLIT_RELAX,
  SPLIT_SOFT,
  SPLIT_WARM,
  SplitState,
  TangentPair,
} from '../layout.generated';
import { cross3, vec3W } from '../math/lane';
import { header } from '../memory/header';
import { initSplit, splitRoom, splitState } from '../memory/split_state';
import { at32, put32 } from '../memory/words';
import { buildGraph, manifoldOfLink } from '../ordering/graph';
import { initOrdering, isMoving, orderRoom, orderState } from '../ordering/state';
import { frictionBlock, meanArmA, meanArmB, twistMass } from '../rows/friction_block';
import { effectivePair, inverse, speedAlong } from '../rows/mass';
import { boundRow, growthExcess, oneCircleRow, softBias, softNormalRow } from '../rows/row';
import { biasRate, gammaScale } from '../rows/softness';
import { keepPointTangents, keptTangents, pointTangents, reservePointTangents, tangentsAt } from './friction/point_tangents';
import { orderCellLike } from './methods/cell_like';
import { keepJoints, prepareJoints, sweepJoints, turnJoints } from './pgs_joints';
import { keepRolling, prepareRolling, sweepRolling, warmRolling } from './rolling';

/** Sequential PGS over the active manifolds in their order. */
export function solvePgs(): void {
  if (!initSplit() || !initOrdering()) return;
  const links: u32 = header().activeCount;
  if (!orderRoom(offsetof<OrderState>('cellOrder'), 4, links)) return;
  const order: usize = orderState().cellOrder;
  for (let l: u32 = 0; l < links; l++) put32(order, l, l);
  solveInOrder(order);
}

/** The same rows in cell-like order: blocks of a batch share no body, so a batch may run in parallel. */
export function solveCellOrder(): void {
  if (!initSplit() || !buildGraph() || !orderCellLike(header().granularity)) return;
  solveInOrder(orderState().cellOrder);
}

function linkRow(link: u32): PgsLink {
  return changetype<PgsLink>(<usize>splitState().pgsLinks + <usize>link * PGS_LINK_STRIDE);
}
function pointRow(row: PgsLink, i: u32): PgsPoint {
  return changetype<PgsPoint>(changetype<usize>(row) + offsetof<PgsLink>('k0') + <usize>i * PGS_POINT_STRIDE);
}

/** One step: `order` lists the links (u32 each). */
function solveInOrder(order: usize): void {
  const h = header();
  const links: u32 = h.activeCount;
  const bodies: u32 = h.bodyCount;
  if (!splitRoom(offsetof<SplitState>('pgsLinks'), PGS_LINK_STRIDE, links)) return;
  if (!splitRoom(offsetof<SplitState>('startVelocities'), 32, bodies)) return;
  if (h.frictionModel == 1 && !reservePointTangents()) return;
  const substeps: u32 = h.stepSubsteps;
  const sweeps: u32 = max<u32>(h.sweeps, 1);
  const dt: f32 = h.dt / <f32>substeps;
  if (!prepareRolling() || !prepareJoints(dt)) return;
  for (let l: u32 = 0; l < links; l++) prepareLink(l);
  startSubsteps(bodies, dt);
  for (let l: u32 = 0; l < links; l++) warmLink(at32(order, l));
  warmRolling();
  turnJoints(SPLIT_WARM);
  for (let substep: u32 = 0; substep < substeps; substep++) {
    if (substep > 0) {
      nextSubstep(bodies);
      for (let l: u32 = 0; l < links; l++) takeBackExcess(at32(order, l));
      turnJoints(SPLIT_SOFT);
    }
    sweep(order, links, sweeps, SPLIT_SOFT, dt);
    advance(bodies, dt);
    turnJoints(SPLIT_RELAX);
    sweep(order, links, sweeps, SPLIT_RELAX, dt);
    for (let l: u32 = 0; l < links; l++) findExcess(l);
  }
  keepRolling();
  keepJoints();
  for (let l: u32 = 0; l < links; l++) finishLink(l);
}

/** The sweeps of a pass. */
function sweep(order: usize, links: u32, sweeps: u32, mode: u32, dt: f32): void {
  for (let i: u32 = 0; i < sweeps; i++) {
    for (let l: u32 = 0; l < links; l++) solveLink(at32(order, l), mode, dt);
    if (mode == SPLIT_RELAX) sweepRolling();
    sweepJoints(mode, i + 1 == sweeps);
  }
}

/** Keeps the velocity at the start of the first substep; v += h a. */
function startSubsteps(bodies: u32, dt: f32): void {
  const h = header();
  for (let b: u32 = 0; b < bodies; b++) {
    const start: usize = <usize>splitState().startVelocities + ((<usize>b) << 5);
    memory.fill(start, 0, 32);
    if (!isMoving(b)) continue;
    const row: BodyRow = rowAt(b);
    const accel: BodyAccel = changetype<BodyAccel>(<usize>h.bodyAccels + <usize>b * BODY_ACCEL_STRIDE);
    memory.copy(start, changetype<usize>(row), 32);
    row.vx += dt * accel.ax;
    row.vy += dt * accel.ay;
    row.vz += dt * accel.az;
    row.wx += dt * accel.bx;
    row.wy += dt * accel.by;
    row.wz += dt * accel.bz;
  }
}

/** u = 2 v_end - v_start. */
function nextSubstep(bodies: u32): void {
  for (let b: u32 = 0; b < bodies; b++) {
    if (!isMoving(b)) continue;
    const start: BodyRow = changetype<BodyRow>(<usize>splitState().startVelocities + ((<usize>b) << 5));
    const row: BodyRow = rowAt(b);
    const vx: f32 = row.vx;
    const vy: f32 = row.vy;
    const vz: f32 = row.vz;
    const wx: f32 = row.wx;
    const wy: f32 = row.wy;
    const wz: f32 = row.wz;
    row.vx = vx + (vx - start.vx);
    row.vy = vy + (vy - start.vy);
    row.vz = vz + (vz - start.vz);
    row.wx = wx + (wx - start.wx);
    row.wy = wy + (wy - start.wy);
    row.wz = wz + (wz - start.wz);
    start.vx = vx;
    start.vy = vy;
    start.vz = vz;
    start.wx = wx;
    start.wy = wy;
    start.wz = wz;
  }
}

/** d += h v, p += h w with the velocity of the soft sweeps, which is kept in the row's second half. */
function advance(bodies: u32, dt: f32): void {
  for (let b: u32 = 0; b < bodies; b++) {
    if (!isMoving(b)) continue;
    const row: BodyRow = rowAt(b);
    const delta: BodyDelta = deltaAt(b);
    delta.dx += dt * row.vx;
    delta.dy += dt * row.vy;
    delta.dz += dt * row.vz;
    delta.px += dt * row.wx;
    delta.py += dt * row.wy;
    delta.pz += dt * row.wz;
    row.svx = row.vx;
    row.svy = row.vy;
    row.svz = row.vz;
    row.swx = row.wx;
    row.swy = row.wy;
    row.swz = row.wz;
  }
}

/** Impulse P on B at its arm, -P on A at its arm. */
function push(m: Manifold, rax: f32, ray: f32, raz: f32, rbx: f32, rby: f32, rbz: f32, px: f32, py: f32, pz: f32): void {
  pushBody(m.bodyA, rax, ray, raz, -px, -py, -pz);
  pushBody(m.bodyB, rbx, rby, rbz, px, py, pz);
}

function pushBody(body: u32, rx: f32, ry: f32, rz: f32, px: f32, py: f32, pz: f32): void {
  const row: BodyRow = rowAt(body);
  if (row.invMass == 0) return;
  row.vx += px * row.invMass;
  row.vy += py * row.invMass;
  row.vz += pz * row.invMass;
  turn(body, ry * pz - rz * py, rz * px - rx * pz, rx * py - ry * px);
}

/** Angular impulse on a body. */
function turn(body: u32, lx: f32, ly: f32, lz: f32): void {
  const row: BodyRow = rowAt(body);
  const i: BodyInertia = inertiaAt(body);
  row.wx += i.xx * lx + i.xy * ly + i.xz * lz;
  row.wy += i.xy * lx + i.yy * ly + i.yz * lz;
  row.wz += i.xz * lx + i.yz * ly + i.zz * lz;
}

/** Effective masses of a link. Clears the records of the step. */
function prepareLink(link: u32): void {
  const m: Manifold = manifoldOfLink(link);
  const row: PgsLink = linkRow(link);
  const count: u32 = m.count;
  const n: v128 = v128.load(changetype<usize>(m), offsetof<Manifold>('nx')),
    t: v128 = v128.load(changetype<usize>(m), offsetof<Manifold>('tx'));
  const u: v128 = cross3(n, t);
  m.stepImpulse = 0;
  memory.fill(changetype<usize>(row) + offsetof<PgsLink>('previous0'), 0, 32);
  for (let i: u32 = 0; i < count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    const out: PgsPoint = pointRow(row, i);
    out.k = effectivePair(m, 1, 1, p.ra, p.rb, n, n);
    out.tangentMass1 = inverse(effectivePair(m, 1, 1, p.ra, p.rb, t, t));
    out.tangentMass2 = inverse(effectivePair(m, 1, 1, p.ra, p.rb, u, u));
    p.maxImpulse = 0;
    store<f32>(changetype<usize>(row) + ((<usize>i) << 2), p.impulse, offsetof<PgsLink>('previous0'));
    const excess: f32 = load<f32>(excessIn(m, i));
    store<f32>(changetype<usize>(row) + ((<usize>i) << 2), excess, offsetof<PgsLink>('excess0'));
  }
  const rA: v128 = meanArmA(m);
  const rB: v128 = meanArmB(m);
  row.centerA = rA;
  row.centerB = rB;
  v128.store(changetype<usize>(row), frictionBlock(m, 1, 1, rA, rB), offsetof<PgsLink>('block11'));
  // After the arms, in the former lane 3.
  row.twistMass = twistMass(m, 1, 1);
  row.isStatic = rowAt(m.bodyA).invMass == 0 || rowAt(m.bodyB).invMass == 0 ? 1 : 0;
}

/** Applies the carried impulses. */
function warmLink(link: u32): void {
  const h = header();
  const m: Manifold = manifoldOfLink(link);
  const row: PgsLink = linkRow(link);
  const nx: f32 = m.nx;
  const ny: f32 = m.ny;
  const nz: f32 = m.nz;
  const tx: f32 = m.tx;
  const ty: f32 = m.ty;
  const tz: f32 = m.tz;
  const sx: f32 = ny * tz - nz * ty;
  const sy: f32 = nz * tx - nx * tz;
  const sz: f32 = nx * ty - ny * tx;
  const factor: f32 = h.warmStart;
  if (h.frictionModel == 1) {
    const tangents: usize = pointTangents(at32(h.activeManifolds, link));
    for (let i: u32 = 0; i < m.count; i++) {
      const p: ManifoldPoint = pointOf(m, i);
      const pair: TangentPair = tangentsAt(tangents, i);
      const z1: f32 = pair.t1 * factor;
      const z2: f32 = pair.t2 * factor;
      pair.t1 = z1;
      pair.t2 = z2;
      push(m, p.rax, p.ray, p.raz, p.rbx, p.rby, p.rbz, tx * z1 + sx * z2, ty * z1 + sy * z2, tz * z1 + sz * z2);
    }
  } else {
    const z1: f32 = m.tangentImpulse1 * factor;
    const z2: f32 = m.tangentImpulse2 * factor;
    const zw: f32 = m.twistImpulse * factor;
    m.tangentImpulse1 = z1;
    m.tangentImpulse2 = z2;
    m.twistImpulse = zw;
    push(
      m,
      row.centerAx,
      row.centerAy,
      row.centerAz,
      row.centerBx,
      row.centerBy,
      row.centerBz,
      tx * z1 + sx * z2,
      ty * z1 + sy * z2,
      tz * z1 + sz * z2,
    );
    turn(m.bodyA, -nx * zw, -ny * zw, -nz * zw);
    turn(m.bodyB, nx * zw, ny * zw, nz * zw);
  }
  for (let i: u32 = 0; i < m.count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    const excess: f32 = load<f32>(changetype<usize>(row) + ((<usize>i) << 2), offsetof<PgsLink>('excess0'));
    const z: f32 = max<f32>(p.impulse - excess, 0) * factor;
    p.impulse = z;
    push(m, p.rax, p.ray, p.raz, p.rbx, p.rby, p.rbz, nx * z, ny * z, nz * z);
  }
}

/**
 * The part of every impulse above twice that of the substep before: the next warm start leaves it out. The impulses of the
 * substep are added to those of the step.
 */
function findExcess(link: u32): void {
  const m: Manifold = manifoldOfLink(link);
  const row: usize = changetype<usize>(linkRow(link));
  for (let i: u32 = 0; i < m.count; i++) {
    const at: usize = row + ((<usize>i) << 2);
    const z: f32 = pointOf(m, i).impulse;
    const before: f32 = load<f32>(at, offsetof<PgsLink>('previous0'));
    store<f32>(at, growthExcess<f32>(z, before), offsetof<PgsLink>('excess0'));
    store<f32>(at, z, offsetof<PgsLink>('previous0'));
    m.stepImpulse += z;
  }
}

/** Takes the excess of a link's impulses off the bodies, which were started with all of it. */
function takeBackExcess(link: u32): void {
  const m: Manifold = manifoldOfLink(link);
  const row: usize = changetype<usize>(linkRow(link));
  for (let i: u32 = 0; i < m.count; i++) {
    const excess: f32 = load<f32>(row + ((<usize>i) << 2), offsetof<PgsLink>('excess0'));
    if (excess <= 0) continue;
    const p: ManifoldPoint = pointOf(m, i);
    p.impulse -= excess;
    push(m, p.rax, p.ray, p.raz, p.rbx, p.rby, p.rbz, -m.nx * excess, -m.ny * excess, -m.nz * excess);
  }
}

/** Separation of a point now: linear in the motion since the start of the step. */
function separationNow(m: Manifold, p: ManifoldPoint): f32 {
  const a: BodyDelta = deltaAt(m.bodyA);
  const b: BodyDelta = deltaAt(m.bodyB);
  const x: f32 = b.dx + (b.py * p.rbz - b.pz * p.rby) - (a.dx + (a.py * p.raz - a.pz * p.ray));
  const y: f32 = b.dy + (b.pz * p.rbx - b.px * p.rbz) - (a.dy + (a.pz * p.rax - a.px * p.raz));
  const z: f32 = b.dz + (b.px * p.rby - b.py * p.rbx) - (a.dz + (a.px * p.ray - a.py * p.rax));
  return p.separation + (m.nx * x + m.ny * y + m.nz * z);
}

/**
 * One sweep over the rows of a link. The relax pass of a single point goes backwards, normal first: friction so knows the
 * impulse of an impact that this pass has met.
 */
function solveLink(link: u32, mode: u32, dt: f32): void {
  const m: Manifold = manifoldOfLink(link);
  const row: PgsLink = linkRow(link);
  const backwards: bool = mode == SPLIT_RELAX && m.count == 1;
  if (backwards) solveNormals(m, row, mode, dt);
  if (header().frictionModel == 1) solvePointFriction(m, row, link);
  else solveFriction(m, row);
  if (!backwards) solveNormals(m, row, mode, dt);
}

/** Twist row and 2x2 friction block at the center of the points, bound by their common normal impulse. */
function solveFriction(m: Manifold, row: PgsLink): void {
  let total: f32 = 0;
  for (let i: u32 = 0; i < m.count; i++) total += pointOf(m, i).impulse;
  const limit: f32 = m.friction * total;
  const nx: f32 = m.nx;
  const ny: f32 = m.ny;
  const nz: f32 = m.nz;
  const tx: f32 = m.tx;
  const ty: f32 = m.ty;
  const tz: f32 = m.tz;
  const sx: f32 = ny * tz - nz * ty;
  const sy: f32 = nz * tx - nx * tz;
  const sz: f32 = nx * ty - ny * tx;
  const a: BodyRow = rowAt(m.bodyA);
  const b: BodyRow = rowAt(m.bodyB);

  const spin: f32 = nx * (b.wx - a.wx) + ny * (b.wy - a.wy) + nz * (b.wz - a.wz);
  const twistLimit: f32 = limit * m.twistRadius;
  const twist: f32 = boundRow<f32>(m.twistImpulse - row.twistMass * spin, twistLimit);
  const dw: f32 = twist - m.twistImpulse;
  m.twistImpulse = twist;
  turn(m.bodyA, -nx * dw, -ny * dw, -nz * dw);
  turn(m.bodyB, nx * dw, ny * dw, nz * dw);

  const centerA: v128 = v128.load(changetype<usize>(row), offsetof<PgsLink>('centerAx')),
    centerB: v128 = v128.load(changetype<usize>(row), offsetof<PgsLink>('centerBx'));
  const v1: f32 = speedAlong(m, centerA, centerB, vec3W(tx, ty, tz));
  const v2: f32 = speedAlong(m, centerA, centerB, vec3W(sx, sy, sz));
  const old1: f32 = m.tangentImpulse1;
  const old2: f32 = m.tangentImpulse2;
  const impulses: usize = changetype<usize>(m) + offsetof<Manifold>('tangentImpulse1');
  oneCircleRow(impulses, row.block11, row.block12, row.block22, v1, v2, limit);
  const d1: f32 = m.tangentImpulse1 - old1;
  const d2: f32 = m.tangentImpulse2 - old2;
  push(
    m,
    row.centerAx,
    row.centerAy,
    row.centerAz,
    row.centerBx,
    row.centerBy,
    row.centerBz,
    tx * d1 + sx * d2,
    ty * d1 + sy * d2,
    tz * d1 + sz * d2,
  );
}

/** Pyramid a point: two tangent rows, each bound by mu z_n. */
function solvePointFriction(m: Manifold, row: PgsLink, link: u32): void {
  const tangents: usize = pointTangentsNow(link);
  const nx: f32 = m.nx;
  const ny: f32 = m.ny;
  const nz: f32 = m.nz;
  const tx: f32 = m.tx;
  const ty: f32 = m.ty;
  const tz: f32 = m.tz;
  const sx: f32 = ny * tz - nz * ty;
  const sy: f32 = nz * tx - nx * tz;
  const sz: f32 = nx * ty - ny * tx;
  for (let i: u32 = 0; i < m.count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    const masses: PgsPoint = pointRow(row, i);
    const at: TangentPair = tangentsAt(tangents, i);
    const limit: f32 = m.friction * p.impulse;
    const old1: f32 = at.t1;
    const v1: f32 = speedAlong(m, p.ra, p.rb, vec3W(tx, ty, tz));
    const z1: f32 = boundRow<f32>(old1 - masses.tangentMass1 * v1, limit);
    const d1: f32 = z1 - old1;
    at.t1 = z1;
    push(m, p.rax, p.ray, p.raz, p.rbx, p.rby, p.rbz, tx * d1, ty * d1, tz * d1);
    const old2: f32 = at.t2;
    const v2: f32 = speedAlong(m, p.ra, p.rb, vec3W(sx, sy, sz));
    const z2: f32 = boundRow<f32>(old2 - masses.tangentMass2 * v2, limit);
    const d2: f32 = z2 - old2;
    at.t2 = z2;
    push(m, p.rax, p.ray, p.raz, p.rbx, p.rby, p.rbz, sx * d2, sy * d2, sz * d2);
  }
}

/** Tangents of a link's points as they stand (warmLink has matched them). */
function pointTangentsNow(link: u32): usize {
  const manifold: u32 = at32(header().activeManifolds, link);
  return keptTangents(manifold);
}

/** Normal rows. */
function solveNormals(m: Manifold, row: PgsLink, mode: u32, dt: f32): void {
  const h = header();
  const nx: f32 = m.nx;
  const ny: f32 = m.ny;
  const nz: f32 = m.nz;
  const isStatic: bool = row.isStatic != 0;
  // A relax pass is rigid and does not push.
  const soft: f32 = mode == SPLIT_SOFT ? gammaScale(isStatic, dt) : 0;
  const rate: f32 = mode == SPLIT_SOFT ? biasRate(isStatic, dt) : 0;
  for (let i: u32 = 0; i < m.count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    const masses: usize = changetype<usize>(row) + offsetof<PgsLink>('k0') + ((<usize>i) << 4);
    const k: f32 = load<f32>(masses);
    const s: f32 = separationNow(m, p);
    const bias: f32 = softBias<f32>(s, 1 / dt, rate, h.linearSlop, -h.pushSpeed, 1 - m.pushCut);
    const u: f32 = speedAlong(m, p.ra, p.rb, vec3W(nx, ny, nz));
    const old: f32 = p.impulse;
    const mass: f32 = inverse(k);
    const z: f32 = softNormalRow<f32>(s, old, u + bias, mass, mass / (1 + soft), soft / (1 + soft));
    p.impulse = z;
    p.maxImpulse = max<f32>(p.maxImpulse, z);
    const d: f32 = z - old;
    push(m, p.rax, p.ray, p.raz, p.rbx, p.rby, p.rbz, nx * d, ny * d, nz * d);
  }
}

/** Separations at the end of the step; point tangents and excess remember their points. */
function finishLink(link: u32): void {
  const h = header();
  const m: Manifold = manifoldOfLink(link);
  for (let i: u32 = 0; i < m.count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    p.separation = separationNow(m, p);
  }
  const manifold: u32 = at32(h.activeManifolds, link);
  v128.store(excessIn(m, 0), v128.load(changetype<usize>(linkRow(link)), offsetof<PgsLink>('excess0')));
  if (h.frictionModel == 1) keepPointTangents(manifold);
}
