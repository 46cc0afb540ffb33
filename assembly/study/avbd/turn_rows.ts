// Angular rows of a contact in AVBD: rolling resistance about both tangents (a cone, bound by rollArm N) and spinning friction
// about the normal, bound by mu N times the part of the twist radius that the points do not give: their own friction gives the
// rest. N is the sum of the normal forces. The paper has neither; as rows they are motors of speed 0 with a bound.
// Input: Manifold, AvbdManifold, rows with values. Output: rows, systems of bodies, rollImpulse1 and 2 of the manifold.
import { AVBD_ROW_STRIDE, AvbdManifold, AvbdRow, Manifold } from '../../layout.generated';
import { cross3 } from '../../math/lane';
import { x3, y3, z3 } from '../../math/vec3';
import { stampRow } from './block';
import { angularArm } from './bodies';
import { ROW_CONE, coneShare, rowForce, updateCone, updateRow } from './row';
import { avbdBody, avbdRow, avbdState } from './state';

/** A shorter part of the twist radius is rounding, m. */
const LEAST_RADIUS: f32 = 1e-4;

/** Place of spinning friction among the turn rows. */
const SPIN: u32 = 2;

/** Arm of spinning friction, m: of a single point, which has no patch, all of the twist radius. */
function spinRadius(m: Manifold): f32 {
  return m.count == 1 ? m.twistRadius : m.twistRadius - m.patchRadius;
}

function resistsSpin(m: Manifold): bool {
  return m.friction > 0 && spinRadius(m) > LEAST_RADIUS;
}

/** Number of rows of a contact. */
export function rowsOfContact(m: Manifold): u32 {
  return 3 * m.count + (m.rollArm > 0 ? 2 : 0) + (resistsSpin(m) ? 1 : 0);
}

/** Rows first to end - 1, with what they carry. */
export function fillTurns(m: Manifold, record: AvbdManifold, first: u32, end: u32, unit: f64): void {
  if (first == end) return;
  const arm: f64 = angularArm(avbdBody(m.bodyA), avbdBody(m.bodyB));
  let slot: u32 = m.rollArm > 0 ? 0 : SPIN;
  for (let r: u32 = first; r < end; r++, slot++) {
    const row: AvbdRow = avbdRow(r);
    memory.fill(changetype<usize>(row), 0, AVBD_ROW_STRIDE);
    const c: v128 = slot == SPIN ? m.n : slot == 0 ? m.t : cross3(m.n, m.t);
    row.btx = arm * <f64>x3(c);
    row.bty = arm * <f64>y3(c);
    row.btz = arm * <f64>z3(c);
    row.atx = -row.btx;
    row.aty = -row.bty;
    row.atz = -row.btz;
    const carried: usize = changetype<usize>(record) + ((<usize>slot) << 2);
    row.lambda = load<f32>(carried, offsetof<AvbdManifold>('lambda0'));
    row.penalty = load<f32>(carried, offsetof<AvbdManifold>('penalty0'));
    row.start = arm;
    row.stiffness = Infinity;
    row.unit = unit;
    row.slot = slot;
    row.flags = slot == SPIN ? 0 : ROW_CONE;
  }
}

/** What a moving surface adds to a turn row in a substep. */
export function surfaceTurn(m: Manifold, row: AvbdRow): f64 {
  return row.slot == SPIN ? row.start * <f64>m.surfaceTwist * avbdState().h : 0;
}

/** Bound of the rolling rows, N. */
function rollBound(m: Manifold, first: u32, force: f64): f64 {
  return (<f64>m.rollArm * force) / avbdRow(first).start;
}

function boundSpin(m: Manifold, row: AvbdRow, force: f64): void {
  row.most = (<f64>(m.friction * spinRadius(m)) * force) / row.start;
  row.least = -row.most;
}

/** Adds the rows to the system of the body whose gradient lies at the offset `gradient`; `force`: sum of the normal forces. */
export function stampTurns(m: Manifold, first: u32, end: u32, force: f64, gradient: usize): void {
  const share: f64 = m.rollArm > 0 ? coneShare(avbdRow(first), AVBD_ROW_STRIDE, 2, rollBound(m, first, force)) : 1;
  for (let r: u32 = first; r < end; r++) {
    const row: AvbdRow = avbdRow(r);
    if (row.slot == SPIN) boundSpin(m, row, force);
    const z: f64 = row.slot == SPIN ? rowForce(row) : share * (row.lambda - row.penalty * row.value);
    stampRow(changetype<usize>(row) + gradient, row.penalty, z);
  }
}

/** Dual update of the rows. */
export function updateTurns(m: Manifold, first: u32, end: u32, force: f64, ramp: f64): void {
  if (m.rollArm > 0) updateCone(avbdRow(first), AVBD_ROW_STRIDE, 2, rollBound(m, first, force), ramp);
  const last: AvbdRow = avbdRow(end - 1);
  if (last.slot != SPIN) return;
  boundSpin(m, last, force);
  updateRow(last, ramp);
}

/** The end of the step. */
export function keepTurns(m: Manifold, record: AvbdManifold, first: u32, end: u32, h: f64): void {
  m.rollImpulse1 = 0;
  m.rollImpulse2 = 0;
  memory.fill(changetype<usize>(record) + offsetof<AvbdManifold>('lambda0'), 0, 24);
  for (let r: u32 = first; r < end; r++) {
    const row: AvbdRow = avbdRow(r);
    const carried: usize = changetype<usize>(record) + ((<usize>row.slot) << 2);
    store<f32>(carried, <f32>row.lambda, offsetof<AvbdManifold>('lambda0'));
    store<f32>(carried, <f32>row.penalty, offsetof<AvbdManifold>('penalty0'));
    const turn: f32 = <f32>(row.lambda * row.start * h);
    if (row.slot == 0) m.rollImpulse1 = turn;
    else if (row.slot == 1) m.rollImpulse2 = turn;
    else m.twistImpulse += turn;
  }
}
