// Contacts of AVBD: three rows a point, along the normal (a force of at least 0) and two tangents (a cone of friction). Normal,
// tangents and arms are those of the start of the step (the truncated Taylor series of AVBD sec. 4). C is linear in the motion:
//   normal    C = error(s) + J dx, s the separation at the start of the substep
//   tangents  C = (1 - alpha) slip + J dx + surface h, slip what the point has slipped since it sticks
// error(s) is s where the point is apart: it may close its gap, which the paper, whose contacts all touch, does not need. Else it
// is (1 - alpha)(s + slop), no faster than the push speed (eq. 18).
// Behind the points come rows of rolling resistance and spinning friction (turn_rows.ts).
// Restitution is not in the method: the stage of impacts adds it after the solver, as to all solvers (impacts/bounce.ts).
// Input: active manifolds, AvbdManifold. Output: AvbdRow; impulses and separations of manifolds.
// Source: AVBD sec. 3.2, 3.3, 4; the slip that a sticking point remembers stands for the kept anchors of the authors' demos.
import { pointOf } from '../../constraints/manifolds';
import { AVBD_ROW_STRIDE, AvbdBody, AvbdManifold, AvbdPoint, AvbdRow, Manifold, ManifoldPoint } from '../../layout.generated';
import { cross3, dot3, subW } from '../../math/lane';
import { x3, y3, z3 } from '../../math/vec3';
import { header } from '../../memory/header';
import { at32, vectorAt } from '../../memory/words';
import { manifoldOfLink } from '../../ordering/graph';
import { meanArmB } from '../../rows/friction_block';
import { stampRow } from './block';
import { unitOf } from './bodies';
import { avbdPoint, carryPoints, keepPoints } from './carry';
import { ROW_CONE, ROW_STICKS, coneShare, rowForce, updateCone, updateRow } from './row';
import { avbdBody, avbdManifold, avbdRow, avbdState, firstRow } from './state';
import { fillTurns, keepTurns, stampTurns, surfaceTurn, updateTurns } from './turn_rows';

/** Points may overlap by this, m: without, those that bear little come and go, and piles never rest. As in the authors' demos. */
const MARGIN: f64 = 0.0005;
/** A point that has slipped farther has let go, m. */
const STICK: f64 = 0.01;
/** Byte offset of the gradient on body B. */
const ON_B: usize = offsetof<AvbdRow>('bx');

/** Sets the gradient of a row along c at arms. */
function setGradient(row: AvbdRow, c: v128, rA: v128, rB: v128): void {
  const tA: v128 = cross3(rA, c),
    tB: v128 = cross3(rB, c);
  row.ax = -x3(c);
  row.ay = -y3(c);
  row.az = -z3(c);
  row.atx = -x3(tA);
  row.aty = -y3(tA);
  row.atz = -z3(tA);
  row.bx = x3(c);
  row.by = y3(c);
  row.bz = z3(c);
  row.btx = x3(tB);
  row.bty = y3(tB);
  row.btz = z3(tB);
}

/** Rows of a contact at the start of a step, with the forces and penalties that it carries. */
export function fillContact(link: u32, h: f32): void {
  const m: Manifold = manifoldOfLink(link);
  const record: AvbdManifold = carryPoints(at32(header().activeManifolds, link), h);
  const n: v128 = m.n,
    t: v128 = m.t;
  const u: v128 = cross3(n, t);
  const unit: f64 = unitOf(m.bodyA, m.bodyB);
  let at: u32 = firstRow(link);
  m.stepImpulse = 0;
  for (let i: u32 = 0; i < m.count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    const point: AvbdPoint = avbdPoint(record, i);
    p.maxImpulse = 0;
    for (let k: u32 = 0; k < 3; k++) {
      const row: AvbdRow = avbdRow(at++);
      memory.fill(changetype<usize>(row), 0, AVBD_ROW_STRIDE);
      setGradient(row, k == 0 ? n : k == 1 ? t : u, p.ra, p.rb);
      row.lambda = load<f32>(changetype<usize>(point) + ((<usize>k) << 2), offsetof<AvbdPoint>('lambda0'));
      row.penalty = load<f32>(changetype<usize>(point) + ((<usize>k) << 2), offsetof<AvbdPoint>('penalty0'));
      row.stiffness = Infinity;
      row.unit = unit;
      row.least = k == 0 ? 0 : f64.NEGATIVE_INFINITY;
      row.most = Infinity;
      row.flags = k == 0 ? 0 : ROW_CONE;
      row.start = k == 0 ? p.separation : k == 1 ? point.drift1 : point.drift2;
    }
  }
  fillTurns(m, record, at, firstRow(link + 1), unit);
}

/** Pair i of the six numbers of the motion of a body in the substep. */
// @ts-ignore: decorator
@inline
function motionOf(body: AvbdBody, i: u32): v128 {
  const at: usize = changetype<usize>(body);
  return f64x2.sub(vectorAt(at, i), vectorAt(at + offsetof<AvbdBody>('startDx'), i));
}

/** Product of a gradient with the motion of its body. */
// @ts-ignore: decorator
@inline
function along(gradient: usize, body: AvbdBody): v128 {
  return f64x2.add(
    f64x2.add(f64x2.mul(vectorAt(gradient, 0), motionOf(body, 0)), f64x2.mul(vectorAt(gradient, 1), motionOf(body, 1))),
    f64x2.mul(vectorAt(gradient, 2), motionOf(body, 2)),
  );
}

/** What the motion of the substep adds to C. */
// @ts-ignore: decorator
@inline
function moved(row: AvbdRow, a: AvbdBody, b: AvbdBody): f64 {
  const sum: v128 = f64x2.add(along(changetype<usize>(row), a), along(changetype<usize>(row) + ON_B, b));
  return f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
}

/** Slip of point i along a tangent by moving surfaces, in a substep. */
function surfaceSlip(m: Manifold, p: ManifoldPoint, k: u32, h: f64): f64 {
  // About the center of the patch.
  const arm: v128 = subW(p.rb, meanArmB(m));
  const across: f32 = k == 1 ? -dot3(cross3(m.n, m.t), arm) : dot3(m.t, arm);
  return h * <f64>((k == 1 ? m.surface1 : m.surface2) + m.surfaceTwist * across);
}

/** C of all rows for the poses of now. */
export function measureContact(link: u32): void {
  const h = header();
  const m: Manifold = manifoldOfLink(link);
  const a: AvbdBody = avbdBody(m.bodyA),
    b: AvbdBody = avbdBody(m.bodyB);
  const corrected: f64 = 1 - avbdState().errorKept;
  const most: f64 = -(<f64>h.pushSpeed) * avbdState().h,
    slop: f64 = max<f64>(h.linearSlop, MARGIN);
  let at: u32 = firstRow(link);
  for (let i: u32 = 0; i < m.count; i++) {
    for (let k: u32 = 0; k < 3; k++) {
      const row: AvbdRow = avbdRow(at++);
      const s: f64 = row.start;
      let base: f64 = corrected * s;
      if (k == 0) base = s > 0 ? s : max<f64>(corrected * min<f64>(s + slop, 0), most) * <f64>(1 - m.pushCut);
      else if (h.anySurface != 0) base += surfaceSlip(m, pointOf(m, i), k, avbdState().h);
      row.value = base + moved(row, a, b);
    }
  }
  for (const end: u32 = firstRow(link + 1); at < end; at++) {
    const row: AvbdRow = avbdRow(at);
    row.value = moved(row, a, b) + surfaceTurn(m, row);
  }
}

/** Adds a contact to the system of one of its bodies. */
export function stampContact(link: u32, side: usize): void {
  const m: Manifold = manifoldOfLink(link);
  const gradient: usize = side * ON_B;
  let at: u32 = firstRow(link);
  for (let i: u32 = 0; i < m.count; i++, at += 3) {
    const normal: AvbdRow = avbdRow(at);
    const z: f64 = rowForce(normal);
    stampRow(changetype<usize>(normal) + gradient, normal.penalty, z);
    if (m.friction == 0) continue;
    const share: f64 = coneShare(avbdRow(at + 1), AVBD_ROW_STRIDE, 2, <f64>m.friction * z);
    for (let k: u32 = 1; k < 3; k++) {
      const row: AvbdRow = avbdRow(at + k);
      stampRow(changetype<usize>(row) + gradient, row.penalty, share * (row.lambda - row.penalty * row.value));
    }
  }
  const end: u32 = firstRow(link + 1);
  if (at < end) stampTurns(m, at, end, normalForce(link, m.count), gradient);
}

/** Sum of the normal forces of a contact, as the rows are measured. */
function normalForce(link: u32, count: u32): f64 {
  let sum: f64 = 0;
  for (let i: u32 = 0; i < count; i++) sum += rowForce(avbdRow(firstRow(link) + 3 * i));
  return sum;
}

/** Dual update of a contact. */
export function updateContact(link: u32): void {
  const m: Manifold = manifoldOfLink(link);
  const ramp: f64 = avbdState().ramp;
  let at: u32 = firstRow(link);
  for (let i: u32 = 0; i < m.count; i++, at += 3) {
    const normal: AvbdRow = avbdRow(at);
    updateRow(normal, ramp);
    const first: AvbdRow = avbdRow(at + 1);
    const sticks: bool = updateCone(first, AVBD_ROW_STRIDE, 2, <f64>m.friction * normal.lambda, ramp);
    for (let k: u32 = 1; k < 3; k++) avbdRow(at + k).flags = sticks ? ROW_CONE | ROW_STICKS : ROW_CONE;
  }
  const end: u32 = firstRow(link + 1);
  if (at < end) updateTurns(m, at, end, normalForce(link, m.count), ramp);
}

/** The end of a substep: separations, slip, largest impulses. */
export function endContact(link: u32): void {
  const m: Manifold = manifoldOfLink(link);
  const a: AvbdBody = avbdBody(m.bodyA),
    b: AvbdBody = avbdBody(m.bodyB);
  const h: f64 = avbdState().h;
  let at: u32 = firstRow(link);
  for (let i: u32 = 0; i < m.count; i++, at += 3) {
    const p: ManifoldPoint = pointOf(m, i);
    const z: f32 = <f32>(avbdRow(at).lambda * h);
    p.maxImpulse = max<f32>(p.maxImpulse, z);
    m.stepImpulse += z;
    for (let k: u32 = 0; k < 3; k++) {
      const row: AvbdRow = avbdRow(at + k);
      row.start += moved(row, a, b);
      if (k == 0) continue;
      if (header().anySurface != 0) row.start += surfaceSlip(m, p, k, h);
      if ((row.flags & ROW_STICKS) == 0 || abs<f64>(row.start) > STICK) row.start = 0;
    }
  }
}

/** The end of the step: impulses and separations to the manifold, the rest to its record. */
export function keepContact(link: u32): void {
  const m: Manifold = manifoldOfLink(link);
  const manifold: u32 = at32(header().activeManifolds, link);
  const record: AvbdManifold = avbdManifold(manifold);
  const h: f64 = avbdState().h;
  const center: v128 = meanArmB(m);
  const n: v128 = m.n,
    t: v128 = m.t;
  const u: v128 = cross3(n, t);
  let along1: f64 = 0,
    along2: f64 = 0,
    twist: f64 = 0;
  let at: u32 = firstRow(link);
  for (let i: u32 = 0; i < m.count; i++, at += 3) {
    const p: ManifoldPoint = pointOf(m, i);
    const point: AvbdPoint = avbdPoint(record, i);
    for (let k: u32 = 0; k < 3; k++) {
      const row: AvbdRow = avbdRow(at + k);
      store<f32>(changetype<usize>(point) + ((<usize>k) << 2), <f32>row.lambda, offsetof<AvbdPoint>('lambda0'));
      store<f32>(changetype<usize>(point) + ((<usize>k) << 2), <f32>row.penalty, offsetof<AvbdPoint>('penalty0'));
    }
    point.drift1 = <f32>avbdRow(at + 1).start;
    point.drift2 = <f32>avbdRow(at + 2).start;
    p.impulse = <f32>(avbdRow(at).lambda * h);
    p.separation = <f32>avbdRow(at).start;
    const z1: f64 = avbdRow(at + 1).lambda * h,
      z2: f64 = avbdRow(at + 2).lambda * h;
    const arm: v128 = subW(p.rb, center);
    along1 += z1;
    along2 += z2;
    twist += z2 * <f64>dot3(t, arm) - z1 * <f64>dot3(u, arm);
  }
  m.tangentImpulse1 = <f32>along1;
  m.tangentImpulse2 = <f32>along2;
  m.twistImpulse = <f32>twist;
  v128.store(changetype<usize>(m), f32x4.splat(0), offsetof<Manifold>('excess0'));
  keepTurns(m, record, at, firstRow(link + 1), h);
  keepPoints(manifold);
}
