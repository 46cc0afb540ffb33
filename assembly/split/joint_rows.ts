// Rows of a joint for solvers that work on pairs of bodies: the twin of shaders/joint.wgsl, turn.wgsl and shared/joints.wgsl, on
// the same bytes with the same operations in the same order (solve.ts), and the scalar oracle (pgs.ts).
//
// prepareJoint   once a step: levers, frames and gap at its start; masses of driven axes
// turnJoint      when bodies have moved, before the relax pass: levers, axes, errors and masses turned with them. Before the soft
//                pass: what repeated impulses (v = 2 v_end - v_start) have done along rows of before, and more than twice those
//                of before
// kickJoint      then, before the soft pass: the bodies take what that comes to
// solveJoint     a sweep: friction by load, axis by axis dry friction, motor, spring, limit, then the locked angular axes as a
// block, last
//                the locked linear ones
// Locked axes are soft in the soft pass, with the compliance of whole bodies, so that the fixed point does not depend on how they
// are split; rigid and without bias in the relax pass. Steps along single axes take the locked axes along: these hold meanwhile,
// and have nothing to undo. Springs are swept in the soft pass only. Impulses of blocks are kept in world axes. Both linear
// impulses act at anchor B, so that angular momentum is kept however wide the gap.
// Error angles: swing as a rotation vector, twist about the mean of both z axes (docs/solvers.md, "Joints").
// Input: Joint, body poses; LocalBody. Output: impulses in the rows, velocities of LocalBody.
import {
  AXIS_LIMITED,
  AXIS_POSITION,
  AXIS_STIFFNESS,
  AXIS_VELOCITY,
  BODY_CENTER_STRIDE,
  BodyCold,
  GPU_JOINT_ROWS,
  JOINT_DISTANCE,
  JOINT_GEAR,
  JOINT_PULLEY,
  JOINT_ROW_ANCHORS,
  JOINT_ROW_ANGULAR,
  JOINT_ROW_AXES,
  JOINT_ROW_BEFORE,
  JOINT_ROW_BIAS,
  JOINT_ROW_DRIVES,
  JOINT_ROW_FRAMES,
  JOINT_ROW_FRICTION,
  JOINT_ROW_IMPULSES,
  JOINT_ROW_KICK,
  JOINT_ROW_LEVERS,
  JOINT_ROW_LIMITS,
  JOINT_ROW_LINEAR,
  JOINT_ROW_PEAKS,
  JOINT_ROW_RUBS,
  JOINT_ROW_SLIP,
  JOINT_ROW_START,
  JOINT_ROW_UNITS,
  Joint,
  NONE,
  SPLIT_RELAX,
  SPLIT_SOFT,
  SPLIT_WARM,
  SplitState,
  SplitStep,
} from '../layout.generated';
import { lockShares, locksOf } from '../bodies/locks';
import { coldAt, inertiaAt, rotationOf, rowAt } from '../bodies/rows';
import { jointAt } from '../constraints/joints';
import { PUSH } from '../joints/parameters';
import { addW, cross3, dot3, mulW, negW, splatW, subW, vec3W } from '../math/lane';
import { quatConjugate, quatFromRotationVector, quatMul, rotate3, storeRotation } from '../math/quat';
import { scale3, w3, withW3, x3, y3, z3 } from '../math/vec3';
import { header } from '../memory/header';
import { splitRoom, splitState } from '../memory/split_state';
import { LocalBody, pushPair, relative, symmetric, turned, twistPair, xyz } from './local_body';
import { inverse } from '../rows/mass';

/** What infinity is to the rows. */
const MOST: f32 = 1e30;
const PI: f32 = 3.1415927;

// Scratch, bytes.
const OLD: usize = 0; // PA TA PB TB
const NEW: usize = 64;
const COLUMNS: usize = 128; // of a rotation
const LINEAR: usize = 192; // basis of the linear axes
const ANGULAR: usize = 240; // of the angular ones; lane 3 of the third: 1 / its square
const CONE: usize = 288; // direction in which the cone pushes; lane 3: swing
const PLACES: usize = 304; // of axes 0-2
const ANGLES: usize = 320; // of axes 3-5
const GAP: usize = 336; // of the locked linear axes
const TURN: usize = 352; // of the locked angular axes
const PART: usize = 384; // K of A, of B, whole, split: 32 bytes each
const COUPLED: usize = 512; // inverse blocks of the locked axes
const SCRATCH: u32 = 640;

function scratch(): usize {
  return splitState().jointScratch;
}
function row(rows: usize, i: u32): v128 {
  return v128.load(rows + ((<usize>i) << 4));
}
function put(rows: usize, i: u32, v: v128): void {
  v128.store(rows + ((<usize>i) << 4), v);
}
function number(rows: usize, i: u32, lane: u32): f32 {
  return load<f32>(rows + ((<usize>i) << 4) + ((<usize>lane) << 2));
}
function setNumber(rows: usize, i: u32, lane: u32, value: f32): void {
  store<f32>(rows + ((<usize>i) << 4) + ((<usize>lane) << 2), value);
}

function lockedOf(rows: usize): u32 {
  return <u32>number(rows, 0, 2) & 63;
}
function drivenOf(rows: usize): u32 {
  return <u32>number(rows, 0, 2) >> 6;
}
function kindOf(rows: usize): u32 {
  return <u32>number(rows, 0, 3);
}

/** Rows of a joint in SplitState.joints. */
export function jointRows(index: u32): usize {
  return <usize>splitState().joints + <usize>index * ((<usize>GPU_JOINT_ROWS) << 4);
}

/** Room for the rows of all joints. False without memory. */
export function reserveJointRows(): bool {
  if (!splitRoom(offsetof<SplitState>('jointScratch'), 1, SCRATCH)) return false;
  return splitRoom(offsetof<SplitState>('joints'), (<usize>GPU_JOINT_ROWS) << 4, header().jointsCapacity);
}

function finite(v: v128): v128 {
  return f32x4.pmax(f32x4.pmin(v, splatW(MOST)), splatW(-MOST));
}

/** Writes what the solver takes of a joint, impulses and all: JOINT_TOLD_ROWS rows. */
export function packJoint(index: u32, rows: usize): void {
  const joint: Joint = jointAt(index);
  const from: usize = changetype<usize>(joint);
  const a: f32 = joint.bodyA == NONE ? -1 : <f32>joint.bodyA;
  put(rows, 0, f32x4(a, <f32>joint.bodyB, <f32>(joint.locked | (joint.driven << 6)), <f32>joint.kind));
  memory.copy(rows + ((<usize>JOINT_ROW_ANCHORS) << 4), from + offsetof<Joint>('anchorAx'), 64);
  for (let i: u32 = 0; i < 6; i++) {
    const axis: usize = from + offsetof<Joint>('lower0') + ((<usize>i) << 5);
    const mode: f32 = <f32>load<u32>(axis, offsetof<Joint>('mode0') - offsetof<Joint>('lower0'));
    put(rows, JOINT_ROW_AXES + 2 * i, f32x4.replace_lane(finite(v128.load(axis)), 2, mode));
    put(rows, JOINT_ROW_AXES + 2 * i + 1, finite(v128.load(axis, 16)));
  }
  put(rows, JOINT_ROW_FRICTION, finite(f32x4(joint.frictionLever, joint.frictionTorque, 0, 0)));
  memory.copy(rows + ((<usize>JOINT_ROW_IMPULSES) << 4), from + offsetof<Joint>('jx'), 48);
  const limits: usize = from + offsetof<Joint>('limit0'),
    drives: usize = from + offsetof<Joint>('drive0'),
    rubs: usize = from + offsetof<Joint>('rub0');
  const limit0: f32 = joint.kind == JOINT_PULLEY ? -joint.limit0 : joint.limit0; // what its row pulls with
  put(rows, JOINT_ROW_LIMITS, f32x4.replace_lane(v128.load(limits), 0, limit0));
  put(rows, JOINT_ROW_LIMITS + 1, xyz(v128.load(limits, 16)));
  put(rows, JOINT_ROW_DRIVES, v128.load(drives));
  put(rows, JOINT_ROW_DRIVES + 1, f32x4(load<f32>(drives, 16), load<f32>(drives, 20), 0, 0));
  put(rows, JOINT_ROW_RUBS, v128.load(rubs));
  put(rows, JOINT_ROW_RUBS + 1, f32x4(load<f32>(rubs, 16), load<f32>(rubs, 20), 0, 0));
  put(rows, JOINT_ROW_PEAKS, f32x4(0, 0, joint.twist, joint.twist));
}

/** Writes back what the solver changes: `state` are the JOINT_STATE_ROWS from JOINT_ROW_IMPULSES on. */
export function unpackJoint(index: u32, state: usize): void {
  const joint: Joint = jointAt(index);
  const to: usize = changetype<usize>(joint);
  memory.copy(to + offsetof<Joint>('jx'), state, 48);
  memory.copy(to + offsetof<Joint>('limit0'), state + 48, 28);
  if (joint.kind == JOINT_PULLEY) joint.limit0 = -joint.limit0;
  memory.copy(to + offsetof<Joint>('drive0'), state + 80, 24);
  memory.copy(to + offsetof<Joint>('rub0'), state + 112, 24);
  joint.peakForce = load<f32>(state, 144);
  joint.peakTorque = load<f32>(state, 148);
  joint.twist = load<f32>(state, 156);
}

/** Root of a square; 0 where adapters may flush it: what is that short has no direction. */
function rootOf(square: f32): f32 {
  return square > <f32>1e-30 ? sqrt<f32>(square) : 0;
}
function lengthOf(v: v128): f32 {
  return rootOf(dot3(v, v));
}

/** Angle of a point (x, y) of the first quadrant from the x axis, rad; the same bits everywhere. */
function angleOf(y: f32, x: f32): f32 {
  const far: f32 = max<f32>(x, y);
  const q: f32 = far > 0 ? min<f32>(x, y) / far : 0;
  const high: bool = q > <f32>0.41421357; // tan(pi / 8)
  const t: f32 = high ? (q - 1) / (q + 1) : q;
  const s: f32 = t * t;
  const rest: f32 =
    s * (<f32>-0.33333303 + s * (<f32>0.19997895 + s * (<f32>-0.14234507 + s * (<f32>0.10536109 - s * <f32>0.05948339))));
  const angle: f32 = (high ? <f32>0.7853982 : <f32>0) + (t + t * rest);
  return y > x ? <f32>1.5707964 - angle : angle;
}

/** Axes, places and errors of a joint with frames `qa`, `qb` in the world and anchor B at `e` from anchor A; to the scratch. */
function measureAxes(t: usize, kind: u32, locked: u32, driven: u32, qa: v128, qb: v128, e: v128): void {
  const angular: u32 = locked >> 3;
  v128.store(t + GAP, e);
  v128.store(t + TURN, splatW(0));
  if (locked == 7 && driven == 0 && kind != JOINT_DISTANCE) {
    for (let base: usize = t + LINEAR; base <= t + ANGULAR; base += ANGULAR - LINEAR) {
      v128.store(base, vec3W(1, 0, 0));
      v128.store(base, vec3W(0, 1, 0), 16);
      v128.store(base, f32x4(0, 0, 1, 1), 32);
    }
    return;
  }
  storeRotation(qa, t + COLUMNS);
  const x: v128 = v128.load(t + COLUMNS),
    y: v128 = v128.load(t + COLUMNS, 16),
    z: v128 = v128.load(t + COLUMNS, 32);
  if (kind == JOINT_DISTANCE) {
    const length: f32 = lengthOf(e);
    v128.store(t + LINEAR, length > <f32>1e-6 ? scale3(e, <f32>1 / length) : x);
    v128.store(t + LINEAR, splatW(0), 16);
    v128.store(t + LINEAR, splatW(0), 32);
    v128.store(t + PLACES, vec3W(length, 0, 0));
  } else {
    const ex: f32 = dot3(x, e),
      ey: f32 = dot3(y, e),
      ez: f32 = dot3(z, e);
    v128.store(t + LINEAR, x);
    v128.store(t + LINEAR, y, 16);
    v128.store(t + LINEAR, z, 32);
    v128.store(t + PLACES, vec3W(ex, ey, ez));
    if ((locked & 7) != 7) {
      v128.store(
        t + GAP,
        addW(
          addW(scale3(x, (locked & 1) != 0 ? ex : 0), scale3(y, (locked & 2) != 0 ? ey : 0)),
          scale3(z, (locked & 4) != 0 ? ez : 0),
        ),
      );
    }
  }
  let g: v128 = quatMul(quatConjugate(qa), qb);
  if (w3(g) < 0) g = negW(g);
  const gx: f32 = x3(g),
    gy: f32 = y3(g),
    gz: f32 = z3(g),
    gw: f32 = w3(g);
  const across: f32 = gx * gx + gy * gy;
  // z of frame B in frame A.
  const zx: f32 = 2 * (gx * gz + gw * gy),
    zy: f32 = 2 * (gy * gz - gw * gx),
    zz: f32 = 1 - 2 * across;
  const sine: f32 = rootOf(zx * zx + zy * zy);
  const swing: f32 = 2 * angleOf(rootOf(across), rootOf(gz * gz + gw * gw));
  const apart: bool = sine > <f32>1e-6;
  const scale: f32 = apart ? <f32>1 / sine : 1;
  const nx: f32 = apart ? -zy * scale : 1,
    ny: f32 = apart ? zx * scale : 0;
  const half: f32 = 2 * angleOf(abs<f32>(gz), gw);
  const twist: f32 = gz < 0 ? -half : half;
  let third: v128 = withW3(z, 1);
  if ((angular & 3) == 0) {
    const sum: v128 = addW(z, addW(addW(scale3(x, zx), scale3(y, zy)), scale3(z, zz)));
    third = xyz(scale3(sum, <f32>1 / max<f32>(2 - 2 * across, <f32>0.05)));
    third = withW3(third, <f32>1 / dot3(third, third));
  }
  v128.store(t + ANGULAR, x);
  v128.store(t + ANGULAR, y, 16);
  v128.store(t + ANGULAR, third, 32);
  v128.store(t + CONE, withW3(negW(addW(scale3(x, nx), scale3(y, ny))), swing));
  v128.store(t + ANGLES, vec3W(nx * swing, ny * swing, twist));
  if (angular == 7) {
    const length: f32 = rootOf(across + gz * gz);
    const k: f32 = length > <f32>1e-6 ? (2 * angleOf(length, gw)) / length : 2;
    v128.store(t + TURN, addW(addW(scale3(x, gx * k), scale3(y, gy * k)), scale3(z, gz * k)));
  } else if (angular != 0) {
    v128.store(
      t + TURN,
      addW(
        addW(scale3(x, (angular & 1) != 0 ? nx * swing : 0), scale3(y, (angular & 2) != 0 ? ny * swing : 0)),
        scale3(xyz(third), (angular & 4) != 0 ? twist * w3(third) : 0),
      ),
    );
  }
}

/** Determinant over the product of the diagonal below which rounding decides. */
const NEAR_SINGULAR: f32 = 1e-5;

/** Inverse of the symmetric matrix k0 k1 on the axes in `mask` of the basis at `basis`, zero across them; to `out`. */
function invertBlock(k0: v128, k1: v128, basis: usize, mask: u32, out: usize): void {
  const a: v128 = xyz(v128.load(basis)),
    b: v128 = xyz(v128.load(basis, 16)),
    c: v128 = xyz(v128.load(basis, 32));
  const ka: v128 = symmetric(k0, k1, a),
    kb: v128 = symmetric(k0, k1, b),
    kc: v128 = symmetric(k0, k1, c);
  const first: bool = (mask & 1) != 0,
    second: bool = (mask & 2) != 0,
    third: bool = (mask & 4) != 0;
  const m12: f32 = first && second ? dot3(a, kb) : 0,
    m13: f32 = first && third ? dot3(a, kc) : 0,
    m23: f32 = second && third ? dot3(b, kc) : 0;
  let m11: f32 = first ? dot3(a, ka) : 1,
    m22: f32 = second ? dot3(b, kb) : 1,
    m33: f32 = third ? dot3(c, kc) : 1;
  let c11: f32 = m22 * m33 - m23 * m23,
    c12: f32 = m13 * m23 - m12 * m33,
    c13: f32 = m12 * m23 - m13 * m22;
  let det: f32 = m11 * c11 + m12 * c12 + m13 * c13;
  if (!(det > NEAR_SINGULAR * (m11 * m22 * m33))) {
    // Levers of hundreds of times the size of a body: what is left is rounding, and may push the wrong way. A softer block holds.
    m11 += NEAR_SINGULAR * m11;
    m22 += NEAR_SINGULAR * m22;
    m33 += NEAR_SINGULAR * m33;
    c11 = m22 * m33 - m23 * m23;
    c12 = m13 * m23 - m12 * m33;
    c13 = m12 * m23 - m13 * m22;
    det = m11 * c11 + m12 * c12 + m13 * c13;
  }
  const inv: f32 = inverse(det);
  const i11: f32 = first ? c11 * inv : 0,
    i12: f32 = c12 * inv,
    i13: f32 = c13 * inv,
    i22: f32 = second ? (m11 * m33 - m13 * m13) * inv : 0,
    i23: f32 = (m12 * m13 - m11 * m23) * inv,
    i33: f32 = third ? (m11 * m22 - m12 * m12) * inv : 0;
  const u: v128 = addW(addW(scale3(a, i11), scale3(b, i12)), scale3(c, i13)),
    v: v128 = addW(addW(scale3(a, i12), scale3(b, i22)), scale3(c, i23)),
    w: v128 = addW(addW(scale3(a, i13), scale3(b, i23)), scale3(c, i33));
  const col0: v128 = addW(addW(scale3(u, x3(a)), scale3(v, x3(b))), scale3(w, x3(c))),
    col1: v128 = addW(addW(scale3(u, y3(a)), scale3(v, y3(b))), scale3(w, y3(c)));
  const zz: f32 = z3(u) * z3(a) + z3(v) * z3(b) + z3(w) * z3(c);
  v128.store(out, f32x4(x3(col0), y3(col0), z3(col0), y3(col1)));
  v128.store(out, f32x4(z3(col1), zz, 0, 0), 16);
}

/** K of one body at a lever, (1 / m) 1 - [r] I^-1 [r], to `out`. */
function anchorBlock(im: v128, i0: v128, i1: v128, r: v128, out: usize): void {
  const x: v128 = vec3W(1, 0, 0),
    y: v128 = vec3W(0, 1, 0),
    z: v128 = vec3W(0, 0, 1);
  const c0: v128 = addW(cross3(symmetric(i0, i1, cross3(r, x)), r), mulW(x, im)),
    c1: v128 = addW(cross3(symmetric(i0, i1, cross3(r, y)), r), mulW(y, im)),
    c2: v128 = addW(cross3(symmetric(i0, i1, cross3(r, z)), r), mulW(z, im));
  v128.store(out, f32x4(x3(c0), y3(c0), z3(c0), y3(c1)));
  v128.store(out, f32x4(z3(c1), z3(c2), 0, 0), 16);
}

/** Of a body at the start of the step: lever of an anchor; in the world `position` too. */
function leverOf(t: usize, body: u32, anchor: v128): v128 {
  if (body == NONE) return xyz(anchor);
  const cold: BodyCold = coldAt(body);
  storeRotation(rotationOf(body), t + COLUMNS);
  return rotate3(t + COLUMNS, subW(xyz(anchor), vec3W(cold.comX, cold.comY, cold.comZ)));
}
function centerOf(body: u32, low: usize): v128 {
  if (body == NONE) return splatW(0);
  return xyz(v128.load(<usize>header().bodyCenters + <usize>body * BODY_CENTER_STRIDE + low));
}
function inertiaPart(body: u32, part: u32): v128 {
  if (body == NONE) return splatW(0);
  const i = inertiaAt(body);
  return part == 0 ? f32x4(i.xx, i.xy, i.xz, i.yy) : f32x4(i.yz, i.zz, rowAt(body).invMass, 0);
}

/** 1 / mass along x y z. */
function massOf(body: u32): v128 {
  return body == NONE ? splatW(0) : xyz(mulW(splatW(rowAt(body).invMass), lockShares(locksOf(body))));
}

/** Start of a step. kA, kB: sub-bodies of the bodies. h: substep. Twin: shaders/joint.wgsl. */
export function prepareJoint(rows: usize, kA: f32, kB: f32, h: f32): void {
  const t: usize = scratch();
  const kind: u32 = kindOf(rows);
  const bodyA: u32 = number(rows, 0, 0) < 0 ? NONE : <u32>number(rows, 0, 0),
    bodyB: u32 = <u32>number(rows, 0, 1);
  const rA: v128 = leverOf(t, bodyA, row(rows, JOINT_ROW_ANCHORS)),
    rB: v128 = leverOf(t, bodyB, row(rows, JOINT_ROW_ANCHORS + 1));
  put(rows, JOINT_ROW_START, withW3(rA, <f32>1 / kA));
  put(rows, JOINT_ROW_START + 1, withW3(rB, <f32>1 / kB));
  const gap: v128 = addW(
    addW(subW(centerOf(bodyB, 0), centerOf(bodyA, 0)), subW(centerOf(bodyB, 16), centerOf(bodyA, 16))),
    subW(rB, rA),
  );
  put(rows, JOINT_ROW_START + 4, gap);
  let qa: v128 = row(rows, JOINT_ROW_FRAMES),
    qb: v128 = row(rows, JOINT_ROW_FRAMES + 1);
  if (kind == JOINT_PULLEY) {
    qa = addW(addW(subW(centerOf(bodyA, 0), xyz(qa)), centerOf(bodyA, 16)), rA);
    qb = addW(addW(subW(centerOf(bodyB, 0), xyz(qb)), centerOf(bodyB, 16)), rB);
  } else {
    if (bodyA != NONE) qa = quatMul(rotationOf(bodyA), qa);
    qb = quatMul(rotationOf(bodyB), qb);
  }
  put(rows, JOINT_ROW_START + 2, qa);
  put(rows, JOINT_ROW_START + 3, qb);
  // Impulses belong to substeps of one length.
  const before: f32 = number(rows, JOINT_ROW_IMPULSES + 2, 3);
  const scale: v128 = splatW(before > 0 ? h / before : 0);
  for (let i: u32 = JOINT_ROW_IMPULSES; i < JOINT_ROW_PEAKS; i++) put(rows, i, mulW(row(rows, i), scale));
  setNumber(rows, JOINT_ROW_IMPULSES + 2, 3, h);
  put(rows, JOINT_ROW_PEAKS, f32x4(0, 0, number(rows, JOINT_ROW_PEAKS, 3), number(rows, JOINT_ROW_PEAKS, 3)));
  if (kind < JOINT_GEAR) heldMasses(rows, t, kind, bodyA, bodyB, addW(rA, gap), rB, qa, qb, gap);
}

/** Mass along each driven axis once the locked axes hold. */
function heldMasses(
  rows: usize,
  t: usize,
  kind: u32,
  bodyA: u32,
  bodyB: u32,
  rA: v128,
  rB: v128,
  qa: v128,
  qb: v128,
  gap: v128,
): void {
  const driven: u32 = drivenOf(rows),
    locked: u32 = lockedOf(rows);
  put(rows, JOINT_ROW_START + 5, splatW(0));
  put(rows, JOINT_ROW_START + 6, splatW(0));
  if (driven == 0) return;
  measureAxes(t, kind, locked, driven, qa, qb, gap);
  const a0: v128 = inertiaPart(bodyA, 0),
    a1: v128 = inertiaPart(bodyA, 1),
    b0: v128 = inertiaPart(bodyB, 0),
    b1: v128 = inertiaPart(bodyB, 1);
  anchorBlock(massOf(bodyA), a0, a1, rA, t + PART);
  anchorBlock(massOf(bodyB), b0, b1, rB, t + PART + 32);
  const p0: v128 = addW(v128.load(t + PART), v128.load(t + PART, 32)),
    p1: v128 = addW(v128.load(t + PART, 16), v128.load(t + PART, 48));
  invertBlock(p0, p1, t + LINEAR, locked & 7, t + COUPLED);
  const linear0: v128 = v128.load(t + COUPLED),
    linear1: v128 = v128.load(t + COUPLED, 16);
  invertHeldSpins(a0, a1, b0, b1, rA, rB, linear0, linear1, t, locked >> 3);
  for (let i: u32 = 0; i < 7; i++) {
    if (((driven >> i) & 1) == 0) continue;
    const c: v128 = xyz(v128.load(t + LINEAR + ((<usize>i) << 4)));
    const isLinear: bool = i < 3;
    const p: v128 = isLinear ? symmetric(p0, p1, c) : slipOf(a0, a1, b0, b1, rA, rB, c);
    const r: v128 = isLinear ? spinOf(a0, a1, b0, b1, rA, rB, c) : addW(symmetric(a0, a1, c), symmetric(b0, b1, c));
    const rest: v128 = subW(r, spinOf(a0, a1, b0, b1, rA, rB, symmetric(linear0, linear1, p)));
    const torque: v128 = symmetric(v128.load(t + COUPLED), v128.load(t + COUPLED, 16), rest);
    const force: v128 = symmetric(linear0, linear1, subW(p, slipOf(a0, a1, b0, b1, rA, rB, torque)));
    const k: f32 = dot3(c, isLinear ? p : r) - dot3(p, force) - dot3(r, torque);
    setNumber(rows, JOINT_ROW_START + 5 + (i >> 2), i & 3, inverse(k));
  }
}

/** Velocity between the anchors from a torque impulse. */
function slipOf(a0: v128, a1: v128, b0: v128, b1: v128, rA: v128, rB: v128, torque: v128): v128 {
  return addW(cross3(symmetric(b0, b1, torque), rB), cross3(symmetric(a0, a1, torque), rA));
}
/** Spin of B against A from an impulse at the anchors. */
function spinOf(a0: v128, a1: v128, b0: v128, b1: v128, rA: v128, rB: v128, impulse: v128): v128 {
  return addW(symmetric(b0, b1, cross3(rB, impulse)), symmetric(a0, a1, cross3(rA, impulse)));
}
/** Spin from a torque impulse while the linear axes hold. */
function heldSpin(a0: v128, a1: v128, b0: v128, b1: v128, rA: v128, rB: v128, l0: v128, l1: v128, torque: v128): v128 {
  const held: v128 = symmetric(l0, l1, slipOf(a0, a1, b0, b1, rA, rB, torque));
  return subW(addW(symmetric(a0, a1, torque), symmetric(b0, b1, torque)), spinOf(a0, a1, b0, b1, rA, rB, held));
}

/** Inverse of what is left of the locked angular axes when the linear ones hold; to COUPLED. */
function invertHeldSpins(
  a0: v128,
  a1: v128,
  b0: v128,
  b1: v128,
  rA: v128,
  rB: v128,
  l0: v128,
  l1: v128,
  t: usize,
  angular: u32,
): void {
  if (angular == 0) {
    memory.fill(t + COUPLED, 0, 32);
    return;
  }
  const c0: v128 = heldSpin(a0, a1, b0, b1, rA, rB, l0, l1, vec3W(1, 0, 0)),
    c1: v128 = heldSpin(a0, a1, b0, b1, rA, rB, l0, l1, vec3W(0, 1, 0)),
    c2: v128 = heldSpin(a0, a1, b0, b1, rA, rB, l0, l1, vec3W(0, 0, 1));
  invertBlock(f32x4(x3(c0), y3(c0), z3(c0), y3(c1)), f32x4(z3(c1), z3(c2), 0, 0), t + ANGULAR, angular, t + COUPLED);
}

/** Impulses and angular impulses of a joint on A and on B, four vectors. */
function wrenchOf(rows: usize, kind: u32, driven: u32, out: usize): void {
  const rA: v128 = xyz(row(rows, JOINT_ROW_LEVERS)),
    rB: v128 = xyz(row(rows, JOINT_ROW_LEVERS + 1));
  if (kind >= JOINT_GEAR) {
    const z: f32 = number(rows, JOINT_ROW_LIMITS, 0);
    const onA: v128 = scale3(xyz(row(rows, JOINT_ROW_UNITS)), z),
      onB: v128 = scale3(xyz(row(rows, JOINT_ROW_UNITS + 3)), z);
    const isGear: bool = kind == JOINT_GEAR;
    v128.store(out, isGear ? splatW(0) : onA);
    v128.store(out, isGear ? onA : cross3(rA, onA), 16);
    v128.store(out, isGear ? splatW(0) : onB, 32);
    v128.store(out, isGear ? onB : cross3(rB, onB), 48);
    return;
  }
  let push: v128 = xyz(row(rows, JOINT_ROW_IMPULSES)),
    twist: v128 = addW(xyz(row(rows, JOINT_ROW_IMPULSES + 1)), xyz(row(rows, JOINT_ROW_IMPULSES + 2)));
  for (let u: u32 = 0; u < 7; u++) {
    if (((driven >> u) & 1) == 0) continue;
    const group: u32 = u >> 2,
      lane: u32 = u & 3;
    const z: f32 =
      number(rows, JOINT_ROW_LIMITS + group, lane) +
      number(rows, JOINT_ROW_DRIVES + group, lane) +
      number(rows, JOINT_ROW_RUBS + group, lane);
    const c: v128 = scale3(xyz(row(rows, JOINT_ROW_UNITS + 5 * u)), z);
    if (u < 3) push = addW(push, c);
    else twist = addW(twist, c);
  }
  v128.store(out, negW(push));
  v128.store(out, negW(addW(cross3(rA, push), twist)), 16);
  v128.store(out, push, 32);
  v128.store(out, addW(cross3(rB, push), twist), 48);
}

/** An impulse in world axes, repeated: its own part, without the answers to single axes, at most twice the one before. */
function repeat(rows: usize, i: u32, factor: f32, answer: v128, repeated: v128): void {
  const z: v128 = row(rows, i);
  const own: v128 = subW(z, answer);
  const length: f32 = lengthOf(own),
    most: f32 = w3(z) + w3(z);
  const kept: v128 = addW(scale3(own, (length > most ? most / length : <f32>1) * factor), repeated);
  put(rows, i, withW3(kept, lengthOf(z) * factor));
}

/** What of the impulses of the locked axes are answers to those of single axes: linear, and behind it angular, to `out`. */
function answersOf(rows: usize, driven: u32, out: usize): void {
  let force: v128 = splatW(0),
    torque: v128 = splatW(0);
  for (let u: u32 = 0; u < 7; u++) {
    if (((driven >> u) & 1) == 0) continue;
    const group: u32 = u >> 2,
      lane: u32 = u & 3,
      at: u32 = JOINT_ROW_UNITS + 5 * u;
    const z: f32 =
      number(rows, JOINT_ROW_LIMITS + group, lane) +
      number(rows, JOINT_ROW_DRIVES + group, lane) +
      number(rows, JOINT_ROW_RUBS + group, lane);
    force = addW(force, scale3(row(rows, at + 3), z));
    torque = addW(torque, scale3(row(rows, at + 4), z));
  }
  v128.store(out, xyz(force));
  v128.store(out, xyz(torque), 16);
}

/** Impulses that a substep begins with; the first of a step has none but those carried, and no rows yet. */
function repeatImpulses(rows: usize, driven: u32, factor: f32, isStart: bool): void {
  const before: usize = scratch() + PART,
    now: usize = before + 32;
  answersOf(rows, isStart ? 0 : driven, before);
  const load: v128 = row(rows, JOINT_ROW_IMPULSES + 2);
  put(rows, JOINT_ROW_IMPULSES + 2, withW3(scale3(load, factor), w3(load)));
  for (let i: u32 = JOINT_ROW_DRIVES; i < JOINT_ROW_PEAKS; i++) put(rows, i, scale3(row(rows, i), factor));
  for (let i: u32 = 0; i < 2; i++) {
    const z: v128 = row(rows, JOINT_ROW_LIMITS + i);
    const last: v128 = row(rows, JOINT_ROW_BEFORE + i);
    const most: v128 = f32x4.abs(addW(last, last));
    put(rows, JOINT_ROW_BEFORE + i, scale3(z, factor));
    put(rows, JOINT_ROW_LIMITS + i, scale3(f32x4.pmax(f32x4.pmin(z, most), negW(most)), factor));
  }
  answersOf(rows, isStart ? 0 : driven, now);
  repeat(rows, JOINT_ROW_IMPULSES, factor, v128.load(before), v128.load(now));
  repeat(rows, JOINT_ROW_IMPULSES + 1, factor, v128.load(before, 16), v128.load(now, 16));
}

/** What the locked axes answer to an impulse of a single one. */
function answer(rows: usize, force: v128, torque: v128): void {
  put(rows, JOINT_ROW_IMPULSES, addW(row(rows, JOINT_ROW_IMPULSES), xyz(force)));
  put(rows, JOINT_ROW_IMPULSES + 1, addW(row(rows, JOINT_ROW_IMPULSES + 1), xyz(torque)));
}

/** The part of an impulse along the axes in `mask` of a basis; `unit`: 1 / the square of the third. */
function project(rows: usize, i: u32, basis: usize, mask: u32, unit: f32): void {
  if (mask == 7) return;
  const z: v128 = row(rows, i);
  const a: v128 = xyz(v128.load(basis)),
    b: v128 = xyz(v128.load(basis, 16)),
    c: v128 = xyz(v128.load(basis, 32));
  const kept: v128 = addW(
    addW(scale3(a, (mask & 1) != 0 ? dot3(a, z) : 0), scale3(b, (mask & 2) != 0 ? dot3(b, z) : 0)),
    scale3(c, (mask & 4) != 0 ? dot3(c, z) * unit : 0),
  );
  put(rows, i, withW3(kept, w3(z)));
}

/** Blocks of three axes: what divides a soft step, a rigid one, and the compliance. `k` split and whole. */
function storeBlocks(rows: usize, at: u32, k: usize, whole: usize, gamma: f32, basis: usize, mask: u32): void {
  const g0: v128 = scale3(v128.load(whole), gamma),
    g1: v128 = scale3(v128.load(whole, 16), gamma);
  const k0: v128 = v128.load(k),
    k1: v128 = v128.load(k, 16);
  invertBlock(addW(k0, g0), addW(k1, g1), basis, mask, rows + ((<usize>at) << 4));
  invertBlock(k0, k1, basis, mask, rows + ((<usize>at + 2) << 4));
  put(rows, at + 4, g0);
  put(rows, at + 5, g1);
}

/** Velocity that takes an error out; lane 3: 1 if it is soft. */
function pushOf(error: v128, rate: f32): v128 {
  const push: v128 = xyz(scale3(error, rate));
  const speed: f32 = lengthOf(push);
  return speed > PUSH ? scale3(push, PUSH / speed) : withW3(push, 1);
}

/**
 * Half of what the turn of levers and axes does to the relative velocity within a substep: the anchors go along the chord of
 * their way and meet at its end, not off its tangent. With rows of the new poses in the relax pass (RATTLE) that keeps energy.
 */
function bent(push: v128, bend: v128, h: f32): v128 {
  return addW(push, scale3(xyz(bend), <f32>0.5 * h));
}

/** Masses of a single row: K of the split bodies and of whole ones, its error; `bounded`: it only pushes. */
function storeUnit(rows: usize, at: u32, step: SplitStep, split: f32, whole: f32, error: f32, bounded: bool): void {
  const rigid: f32 = inverse(split);
  let gamma: f32 = whole * step.jointGamma,
    bias: f32 = step.jointRate * error,
    soft: f32 = inverse(split + gamma),
    relax: f32 = 0;
  if (bounded && error > 0) {
    bias = min<f32>(error, MOST) * step.invH;
    relax = bias;
    gamma = 0;
    soft = rigid;
  } else if (bias > PUSH || bias < -PUSH) {
    bias = bias > 0 ? PUSH : -PUSH;
    gamma = 0;
    soft = rigid;
  }
  put(rows, at, f32x4(soft, rigid, gamma, bias));
  put(rows, at + 1, f32x4(relax, 0, 0, 0));
}

/**
 * Before the sweeps of a pass. SPLIT_WARM, the first of a step: rows at its start; the carried impulses are still to come. Relax:
 * the bodies have moved, rows are turned to where they are; impulses of the soft pass were along the old ones, which the start of
 * the next substep makes good. Soft: velocities have repeated all impulses; those that are too large are taken back. wA, wB:
 * spins of the last motion.
 */
export function turnJoint(rows: usize, a: LocalBody, b: LocalBody, wA: v128, wB: v128, step: SplitStep, mode: u32): void {
  const t: usize = scratch();
  const kind: u32 = kindOf(rows),
    driven: u32 = drivenOf(rows);
  if (mode == SPLIT_WARM) {
    memory.fill(t + OLD, 0, 64);
    put(rows, JOINT_ROW_BEFORE, row(rows, JOINT_ROW_LIMITS));
    put(rows, JOINT_ROW_BEFORE + 1, row(rows, JOINT_ROW_LIMITS + 1));
  } else {
    wrenchOf(rows, kind, driven, t + OLD);
  }
  if (mode != SPLIT_RELAX) repeatImpulses(rows, driven, mode == SPLIT_WARM ? step.warmStart : 1, mode == SPLIT_WARM);
  if (mode != SPLIT_SOFT) turnRows(rows, t, a, b, wA, wB, step, kind, driven, mode == SPLIT_WARM);
  wrenchOf(rows, kind, driven, t + NEW);
  for (let i: u32 = 0; i < 4; i++) {
    const at: usize = t + ((<usize>i) << 4);
    const kick: v128 = subW(v128.load(at, NEW), v128.load(at, OLD));
    put(rows, JOINT_ROW_KICK + i, mode == SPLIT_SOFT ? addW(row(rows, JOINT_ROW_KICK + i), kick) : kick);
  }
}

/** Levers, axes, errors and masses at the poses of now. */
function turnRows(
  rows: usize,
  t: usize,
  a: LocalBody,
  b: LocalBody,
  wA: v128,
  wB: v128,
  step: SplitStep,
  kind: u32,
  driven: u32,
  isStart: bool,
): void {
  const locked: u32 = lockedOf(rows);
  const zero: v128 = splatW(0);
  const dA: v128 = isStart ? zero : xyz(a.d),
    dB: v128 = isStart ? zero : xyz(b.d),
    pA: v128 = isStart ? zero : xyz(a.p),
    pB: v128 = isStart ? zero : xyz(b.p);
  const turnA: v128 = quatFromRotationVector(pA),
    turnB: v128 = quatFromRotationVector(pB);
  const startA: v128 = xyz(row(rows, JOINT_ROW_START)),
    startB: v128 = xyz(row(rows, JOINT_ROW_START + 1));
  const invKA: f32 = number(rows, JOINT_ROW_START, 3),
    invKB: f32 = number(rows, JOINT_ROW_START + 1, 3);
  storeRotation(turnA, t + COLUMNS);
  let rA: v128 = rotate3(t + COLUMNS, startA);
  storeRotation(turnB, t + COLUMNS);
  const rB: v128 = rotate3(t + COLUMNS, startB);
  if (kind >= JOINT_GEAR) {
    turnPair(rows, t, a, b, step, kind, turnA, turnB, rA, rB, dA, dB, pA, pB);
    return;
  }
  const gap: v128 = xyz(addW(addW(row(rows, JOINT_ROW_START + 4), subW(dB, dA)), subW(subW(rB, startB), subW(rA, startA))));
  rA = addW(rA, gap);
  put(rows, JOINT_ROW_LEVERS, xyz(rA));
  put(rows, JOINT_ROW_LEVERS + 1, xyz(rB));
  const qa: v128 = quatMul(turnA, row(rows, JOINT_ROW_START + 2)),
    qb: v128 = quatMul(turnB, row(rows, JOINT_ROW_START + 3));
  measureAxes(t, kind, locked, driven, qa, qb, gap);
  if ((locked & 32) == 0 && (locked != 7 || driven != 0)) countTurns(rows, t);
  turnBlocks(rows, t, a, b, wA, wB, step, kind, locked, xyz(rA), xyz(rB), invKA, invKB);
  if (driven != 0) turnUnits(rows, t, a, b, step, driven, locked, xyz(rA), xyz(rB), invKA, invKB);
}

/** After turnJoint: the bodies take what it found. */
export function kickJoint(rows: usize, a: LocalBody, b: LocalBody): void {
  a.v = addW(a.v, mulW(row(rows, JOINT_ROW_KICK), a.mass));
  a.w = addW(a.w, turned(a, row(rows, JOINT_ROW_KICK + 1)));
  b.v = addW(b.v, mulW(row(rows, JOINT_ROW_KICK + 2), b.mass));
  b.w = addW(b.w, turned(b, row(rows, JOINT_ROW_KICK + 3)));
}

function turnBlocks(
  rows: usize,
  t: usize,
  a: LocalBody,
  b: LocalBody,
  wA: v128,
  wB: v128,
  step: SplitStep,
  kind: u32,
  locked: u32,
  rA: v128,
  rB: v128,
  invKA: f32,
  invKB: f32,
): void {
  const part: usize = t + PART;
  const linear: u32 = locked & 7,
    angular: u32 = locked >> 3;
  project(rows, JOINT_ROW_IMPULSES, t + LINEAR, linear, 1);
  project(rows, JOINT_ROW_IMPULSES + 1, t + ANGULAR, angular, load<f32>(t + ANGULAR, 44));
  if (linear != 0) {
    anchorBlock(a.mass, a.inertia0, a.inertia1, rA, part);
    anchorBlock(b.mass, b.inertia0, b.inertia1, rB, part + 32);
    for (let i: usize = 0; i < 32; i += 16) {
      const ka: v128 = v128.load(part + i),
        kb: v128 = v128.load(part + i, 32);
      v128.store(part + i, addW(scale3(ka, invKA), scale3(kb, invKB)), 64);
      v128.store(part + i, addW(ka, kb), 96);
    }
    storeBlocks(rows, JOINT_ROW_LINEAR, part + 96, part + 64, step.jointGamma, t + LINEAR, linear);
    let error: v128 = v128.load(t + GAP);
    if (kind == JOINT_DISTANCE) {
      error = scale3(v128.load(t + LINEAR), load<f32>(t + PLACES) - number(rows, JOINT_ROW_AXES, 3));
    }
    const bend: v128 = subW(cross3(wB, cross3(wB, rB)), cross3(wA, cross3(wA, rA)));
    put(rows, JOINT_ROW_BIAS, bent(pushOf(error, step.jointRate), bend, step.h));
  }
  const friction: v128 = row(rows, JOINT_ROW_FRICTION);
  const free: u32 = x3(friction) > 0 || y3(friction) > 0 ? 7 & ~angular : 0;
  if (angular != 0 || free != 0) {
    const s0: v128 = addW(a.inertia0, b.inertia0),
      s1: v128 = addW(a.inertia1, b.inertia1);
    v128.store(part + 64, addW(scale3(a.inertia0, invKA), scale3(b.inertia0, invKB)));
    v128.store(part + 80, addW(scale3(a.inertia1, invKA), scale3(b.inertia1, invKB)));
    v128.store(part + 96, s0);
    v128.store(part + 112, s1);
    if (angular != 0) {
      storeBlocks(rows, JOINT_ROW_ANGULAR, part + 96, part + 64, step.jointGamma, t + ANGULAR, angular);
      const bend: v128 = cross3(subW(wB, wA), wA);
      put(rows, JOINT_ROW_BIAS + 1, bent(pushOf(v128.load(t + TURN), step.jointRate), bend, step.h));
    }
    invertBlock(s0, s1, t + ANGULAR, free, rows + ((<usize>JOINT_ROW_SLIP) << 4));
    // With all axes free what slips is held against its motion: the inverse of the trace is a step that is short enough.
    const trace: f32 = x3(s0) + w3(s0) + y3(s1);
    setNumber(rows, JOINT_ROW_SLIP + 1, 2, free == 7 ? inverse(trace) : 0);
  }
  project(rows, JOINT_ROW_IMPULSES + 2, t + ANGULAR, free, 1);
}

/** Whole turns of the twist are counted. */
function countTurns(rows: usize, t: usize): void {
  const angle: f32 = load<f32>(t + ANGLES, 8);
  const turns: f32 = floor<f32>((number(rows, JOINT_ROW_PEAKS, 2) - angle) * <f32>0.15915494 + <f32>0.5);
  const twist: f32 = angle + turns * (2 * PI);
  setNumber(rows, JOINT_ROW_PEAKS, 2, twist);
  setNumber(rows, JOINT_ROW_PEAKS, 3, twist);
  store<f32>(t + ANGLES, twist, 8);
}

/**
 * Limits, drives and friction of single axes, and the cone. A step along one of them takes along what the locked axes answer to
 * it, all at once: what a sweep over axis and blocks in turn comes to in the end, and what it never does where a lever is long,
 * since an axis by itself then has hundreds of times the mobility of one that is held.
 */
function turnUnits(
  rows: usize,
  t: usize,
  a: LocalBody,
  b: LocalBody,
  step: SplitStep,
  driven: u32,
  locked: u32,
  rA: v128,
  rB: v128,
  invKA: f32,
  invKB: f32,
): void {
  const hasLinear: bool = (locked & 7) != 0;
  const linear0: v128 = hasLinear ? row(rows, JOINT_ROW_LINEAR + 2) : splatW(0),
    linear1: v128 = hasLinear ? row(rows, JOINT_ROW_LINEAR + 3) : splatW(0);
  invertHeldSpins(a.inertia0, a.inertia1, b.inertia0, b.inertia1, rA, rB, linear0, linear1, t, locked >> 3);
  const angular0: v128 = v128.load(t + COUPLED),
    angular1: v128 = v128.load(t + COUPLED, 16);
  for (let u: u32 = 0; u < 7; u++) {
    if (((driven >> u) & 1) == 0) continue;
    const at: u32 = JOINT_ROW_UNITS + 5 * u;
    const isLinear: bool = u < 3;
    const c: v128 = xyz(v128.load(t + LINEAR + ((<usize>u) << 4))); // linear, angular, cone
    const own: v128 = isLinear ? c : splatW(0);
    const turn: v128 = isLinear ? splatW(0) : c;
    const slip: v128 = slipFrom(a, b, rA, rB, own, turn),
      spin: v128 = spinFrom(a, b, rA, rB, own, turn);
    const rest: v128 = subW(spin, spinFrom(a, b, rA, rB, symmetric(linear0, linear1, slip), splatW(0)));
    const torque: v128 = negW(symmetric(angular0, angular1, rest));
    const force: v128 = negW(symmetric(linear0, linear1, addW(slip, slipFrom(a, b, rA, rB, splatW(0), torque))));
    const push: v128 = addW(own, force),
      twist: v128 = addW(turn, torque);
    const kA: f32 = wrenchK(a, rA, push, twist),
      kB: f32 = wrenchK(b, rB, push, twist);
    let side: f32 = 0,
      error: f32 = 0,
      place: f32 = 0;
    if (u == 6) {
      side = 1;
      error = number(rows, JOINT_ROW_ANCHORS, 3) - load<f32>(t + CONE, 12);
    } else {
      place = load<f32>((isLinear ? t + PLACES : t + ANGLES - 12) + ((<usize>u) << 2));
      const mode: u32 = <u32>number(rows, JOINT_ROW_AXES + 2 * u, 2);
      if ((mode & AXIS_LIMITED) != 0) {
        const above: f32 = place - number(rows, JOINT_ROW_AXES + 2 * u, 0),
          below: f32 = number(rows, JOINT_ROW_AXES + 2 * u, 1) - place;
        side = above < below ? 1 : -1;
        error = min<f32>(above, below);
      }
    }
    put(rows, at, withW3(c, side));
    storeUnit(rows, at + 1, step, kA + kB, kA * invKA + kB * invKB, error, true);
    put(rows, at + 3, xyz(force));
    put(rows, at + 4, xyz(torque));
    const limit: f32 = number(rows, JOINT_ROW_LIMITS + (u >> 2), u & 3);
    const kept: f32 = side * max<f32>(side * limit, 0);
    setNumber(rows, JOINT_ROW_LIMITS + (u >> 2), u & 3, kept);
    answer(rows, scale3(force, kept - limit), scale3(torque, kept - limit));
    if (u < 6) turnSpring(rows, at + 2, u, step, kA + kB, place);
  }
}

/** Velocity of B against A at the anchors from an impulse there and an angular impulse. */
function slipFrom(a: LocalBody, b: LocalBody, rA: v128, rB: v128, push: v128, twist: v128): v128 {
  const onA: v128 = addW(mulW(push, a.mass), cross3(turned(a, addW(cross3(rA, push), twist)), rA)),
    onB: v128 = addW(mulW(push, b.mass), cross3(turned(b, addW(cross3(rB, push), twist)), rB));
  return addW(onA, onB);
}
/** Spin of B against A from them. */
function spinFrom(a: LocalBody, b: LocalBody, rA: v128, rB: v128, push: v128, twist: v128): v128 {
  return addW(turned(a, addW(cross3(rA, push), twist)), turned(b, addW(cross3(rB, push), twist)));
}
/** What they do to one body along themselves; a sum of squares, which no rounding makes negative. */
function wrenchK(body: LocalBody, r: v128, push: v128, twist: v128): f32 {
  const arm: v128 = addW(cross3(r, push), twist);
  return dot3(mulW(push, body.mass), push) + dot3(arm, turned(body, arm));
}

function turnSpring(rows: usize, at: u32, u: u32, step: SplitStep, split: f32, place: f32): void {
  const axis: u32 = JOINT_ROW_AXES + 2 * u;
  const mode: u32 = <u32>number(rows, axis, 2);
  if ((mode & AXIS_POSITION) == 0) return;
  let k: f32 = number(rows, axis + 1, 0),
    c: f32 = number(rows, axis + 1, 1);
  if ((mode & AXIS_STIFFNESS) == 0) {
    const mass: f32 = number(rows, JOINT_ROW_START + 5 + (u >> 2), u & 3);
    const omega: f32 = 2 * PI * k;
    c = 2 * mass * c * omega;
    k = mass * omega * omega;
  }
  const gamma: f32 = inverse(step.h * (c + step.h * k));
  const relax: f32 = number(rows, at, 0);
  const bias: f32 = step.h * k * gamma * (place - number(rows, axis, 3));
  put(rows, at, f32x4(relax, gamma > 0 ? inverse(split + gamma) : 0, gamma, bias));
}

/** Gear and pulley: one row of two directions, that on A in the first unit and that on B in the second. */
function turnPair(
  rows: usize,
  t: usize,
  a: LocalBody,
  b: LocalBody,
  step: SplitStep,
  kind: u32,
  turnA: v128,
  turnB: v128,
  rA: v128,
  rB: v128,
  dA: v128,
  dB: v128,
  pA: v128,
  pB: v128,
): void {
  const ratio: f32 = number(rows, JOINT_ROW_ANCHORS + 1, 3);
  const isPulley: bool = kind == JOINT_PULLEY;
  let onA: v128, onB: v128;
  let error: f32;
  if (isPulley) {
    const lineA: v128 = addW(addW(row(rows, JOINT_ROW_START + 2), dA), subW(rA, xyz(row(rows, JOINT_ROW_START))));
    const lineB: v128 = addW(addW(row(rows, JOINT_ROW_START + 3), dB), subW(rB, xyz(row(rows, JOINT_ROW_START + 1))));
    const lengthA: f32 = lengthOf(lineA),
      lengthB: f32 = lengthOf(lineB);
    onA = xyz(scale3(lineA, lengthA > <f32>1e-6 ? <f32>-1 / lengthA : 0));
    onB = xyz(scale3(lineB, lengthB > <f32>1e-6 ? -ratio / lengthB : 0));
    error = number(rows, JOINT_ROW_AXES, 1) - (lengthA + ratio * lengthB);
  } else {
    storeRotation(quatMul(turnA, row(rows, JOINT_ROW_START + 2)), t + COLUMNS);
    onA = v128.load(t + COLUMNS, 32);
    storeRotation(quatMul(turnB, row(rows, JOINT_ROW_START + 3)), t + COLUMNS);
    onB = scale3(v128.load(t + COLUMNS, 32), ratio);
    // How far the bodies have turned is added up.
    error = number(rows, JOINT_ROW_PEAKS, 2) + (dot3(onA, pA) + dot3(onB, pB));
    setNumber(rows, JOINT_ROW_PEAKS, 3, error);
  }
  put(rows, JOINT_ROW_LEVERS, xyz(rA));
  put(rows, JOINT_ROW_LEVERS + 1, xyz(rB));
  put(rows, JOINT_ROW_UNITS, xyz(onA));
  put(rows, JOINT_ROW_UNITS + 3, xyz(onB));
  const zero: v128 = splatW(0);
  const kA: f32 = wrenchK(a, rA, isPulley ? onA : zero, isPulley ? zero : onA),
    kB: f32 = wrenchK(b, rB, isPulley ? onB : zero, isPulley ? zero : onB);
  const whole: f32 = kA * number(rows, JOINT_ROW_START, 3) + kB * number(rows, JOINT_ROW_START + 1, 3);
  storeUnit(rows, JOINT_ROW_UNITS + 1, step, kA + kB, whole, error, isPulley);
}

function solvePairRow(rows: usize, a: LocalBody, b: LocalBody, step: SplitStep, kind: u32, mode: u32, isLast: bool): void {
  const isPulley: bool = kind == JOINT_PULLEY;
  const onA: v128 = xyz(row(rows, JOINT_ROW_UNITS)),
    onB: v128 = xyz(row(rows, JOINT_ROW_UNITS + 3));
  const rA: v128 = row(rows, JOINT_ROW_LEVERS),
    rB: v128 = row(rows, JOINT_ROW_LEVERS + 1);
  const u: f32 = isPulley
    ? dot3(onA, addW(a.v, cross3(a.w, rA))) + dot3(onB, addW(b.v, cross3(b.w, rB)))
    : dot3(onA, a.w) + dot3(onB, b.w);
  const masses: v128 = row(rows, JOINT_ROW_UNITS + 1);
  const old: f32 = number(rows, JOINT_ROW_LIMITS, 0);
  let z: f32 =
    mode == SPLIT_SOFT
      ? old - x3(masses) * (u + w3(masses) + z3(masses) * old)
      : old - y3(masses) * (u + number(rows, JOINT_ROW_UNITS + 2, 0));
  if (isPulley) z = max<f32>(z, 0);
  setNumber(rows, JOINT_ROW_LIMITS, 0, z);
  const d: f32 = z - old;
  if (isPulley) {
    a.v = addW(a.v, mulW(onA, mulW(splatW(d), a.mass)));
    b.v = addW(b.v, mulW(onB, mulW(splatW(d), b.mass)));
    a.w = addW(a.w, turned(a, scale3(cross3(rA, onA), d)));
    b.w = addW(b.w, turned(b, scale3(cross3(rB, onB), d)));
  } else {
    a.w = addW(a.w, turned(a, scale3(onA, d)));
    b.w = addW(b.w, turned(b, scale3(onB, d)));
  }
  if (mode != SPLIT_RELAX || !isLast) return;
  const lane: u32 = isPulley ? 0 : 1;
  setNumber(rows, JOINT_ROW_PEAKS, lane, max<f32>(number(rows, JOINT_ROW_PEAKS, lane), abs<f32>(z) * step.invH));
}

/** One sweep over a joint; `isLast` of its pass. */
export function solveJoint(rows: usize, a: LocalBody, b: LocalBody, step: SplitStep, mode: u32, isLast: bool): void {
  const kind: u32 = kindOf(rows);
  if (kind >= JOINT_GEAR) {
    solvePairRow(rows, a, b, step, kind, mode, isLast);
    return;
  }
  const locked: u32 = lockedOf(rows),
    driven: u32 = drivenOf(rows);
  const soft: bool = mode == SPLIT_SOFT;
  const rA: v128 = row(rows, JOINT_ROW_LEVERS),
    rB: v128 = row(rows, JOINT_ROW_LEVERS + 1);
  slipJoint(rows, a, b, step.h);
  if (driven != 0) {
    for (let u: u32 = 0; u < 7; u++) {
      if (((driven >> u) & 1) != 0) solveUnit(rows, a, b, step, soft, u, rA, rB);
    }
  }
  // Locked axes give way to loads of their own only: what single axes ask of them they answer hard, or a motor at a long lever
  // would find nothing to stand on.
  const answers: usize = scratch() + PART;
  answersOf(rows, soft ? driven : 0, answers);
  if (locked >> 3 != 0) {
    const old: v128 = row(rows, JOINT_ROW_IMPULSES + 1);
    const spin: v128 = subW(b.w, a.w);
    const z: v128 = solveBlock(
      rows,
      JOINT_ROW_ANGULAR,
      xyz(old),
      v128.load(answers, 16),
      spin,
      row(rows, JOINT_ROW_BIAS + 1),
      soft,
    );
    put(rows, JOINT_ROW_IMPULSES + 1, withW3(z, w3(old)));
    twistPair(a, b, subW(z, xyz(old)));
    if (!soft && isLast) setNumber(rows, JOINT_ROW_PEAKS, 1, max<f32>(number(rows, JOINT_ROW_PEAKS, 1), lengthOf(z) * step.invH));
  }
  if ((locked & 7) != 0) {
    const old: v128 = row(rows, JOINT_ROW_IMPULSES);
    const slip: v128 = relative(a, b, rA, rB);
    const z: v128 = solveBlock(rows, JOINT_ROW_LINEAR, xyz(old), v128.load(answers), slip, row(rows, JOINT_ROW_BIAS), soft);
    put(rows, JOINT_ROW_IMPULSES, withW3(z, w3(old)));
    pushPair(a, b, rA, rB, subW(z, xyz(old)));
    if (!soft && isLast) setNumber(rows, JOINT_ROW_PEAKS, 0, max<f32>(number(rows, JOINT_ROW_PEAKS, 0), lengthOf(z) * step.invH));
  }
}

/** New impulse of a block whose axes move at `u`. */
function solveBlock(rows: usize, at: u32, old: v128, answers: v128, u: v128, bias: v128, soft: bool): v128 {
  if (!soft) return xyz(subW(old, symmetric(row(rows, at + 2), row(rows, at + 3), u)));
  const pushed: v128 = addW(u, bias);
  if (w3(bias) == 0) return xyz(subW(old, symmetric(row(rows, at + 2), row(rows, at + 3), pushed)));
  const yielding: v128 = addW(pushed, symmetric(row(rows, at + 4), row(rows, at + 5), subW(old, answers)));
  return xyz(subW(old, symmetric(row(rows, at), row(rows, at + 1), yielding)));
}

/** Friction of the free angular axes, bound by the load of the anchor. */
function slipJoint(rows: usize, a: LocalBody, b: LocalBody, h: f32): void {
  const friction: v128 = row(rows, JOINT_ROW_FRICTION);
  if (!(x3(friction) > 0 || y3(friction) > 0)) return;
  const most: f32 = x3(friction) * lengthOf(row(rows, JOINT_ROW_IMPULSES)) + y3(friction) * h;
  const old: v128 = row(rows, JOINT_ROW_IMPULSES + 2);
  const spin: v128 = subW(b.w, a.w);
  let z: v128 = xyz(subW(old, symmetric(row(rows, JOINT_ROW_SLIP), row(rows, JOINT_ROW_SLIP + 1), spin)));
  if (lengthOf(z) > most) {
    const step: f32 = number(rows, JOINT_ROW_SLIP + 1, 2);
    if (step > 0) z = xyz(subW(old, scale3(spin, step)));
    z = scale3(z, min<f32>(most / max<f32>(lengthOf(z), <f32>1e-15), 1));
  }
  put(rows, JOINT_ROW_IMPULSES + 2, withW3(z, w3(old)));
  twistPair(a, b, subW(z, xyz(old)));
}

/** A single axis: dry friction, then the motor, the spring, and last the limit, so that no drive is stronger. */
function solveUnit(rows: usize, a: LocalBody, b: LocalBody, step: SplitStep, soft: bool, u: u32, rA: v128, rB: v128): void {
  const at: u32 = JOINT_ROW_UNITS + 5 * u,
    axis: u32 = JOINT_ROW_AXES + 2 * u,
    group: u32 = u >> 2,
    lane: u32 = u & 3;
  const isLinear: bool = u < 3;
  const unit: v128 = row(rows, at),
    masses: v128 = row(rows, at + 1),
    more: v128 = row(rows, at + 2),
    force: v128 = row(rows, at + 3),
    torque: v128 = row(rows, at + 4);
  const c: v128 = xyz(unit);
  const slip: v128 = relative(a, b, rA, rB),
    spin: v128 = subW(b.w, a.w);
  // The speed that the axis has when the locked ones hold.
  let speed: f32 = dot3(c, isLinear ? slip : spin) + (dot3(force, slip) + dot3(torque, spin));
  const k: f32 = inverse(y3(masses));
  let change: f32 = 0;
  const mode: u32 = u == 6 ? 0 : <u32>number(rows, axis, 2);
  if (u < 6) {
    const rub: f32 = number(rows, axis + 1, 3) * step.h;
    if (rub > 0) {
      const old: f32 = number(rows, JOINT_ROW_RUBS + group, lane);
      const z: f32 = min<f32>(max<f32>(old - y3(masses) * speed, -rub), rub);
      setNumber(rows, JOINT_ROW_RUBS + group, lane, z);
      change = z - old;
      speed = speed + k * (z - old);
    }
    const most: f32 = number(rows, axis + 1, 2) * step.h;
    const old: f32 = number(rows, JOINT_ROW_DRIVES + group, lane);
    let z: f32 = old;
    if ((mode & AXIS_VELOCITY) != 0) {
      z = min<f32>(max<f32>(old - y3(masses) * (speed - number(rows, axis, 3)), -most), most);
    }
    if (soft && (mode & AXIS_POSITION) != 0) {
      z = min<f32>(max<f32>(old - y3(more) * (speed + w3(more) + z3(more) * old), -most), most);
    }
    setNumber(rows, JOINT_ROW_DRIVES + group, lane, z);
    change = change + (z - old);
    speed = speed + k * (z - old);
  }
  const side: f32 = w3(unit);
  if (side != 0) {
    const old: f32 = number(rows, JOINT_ROW_LIMITS + group, lane);
    const push: f32 = side * old;
    const pushed: f32 = soft
      ? push - x3(masses) * (side * speed + w3(masses) + z3(masses) * push)
      : push - y3(masses) * (side * speed + x3(more));
    const z: f32 = side * max<f32>(pushed, 0);
    change = change + (z - old);
    // A motor that runs against its limit would push ever harder, and the limit with it: what cancels is forgotten.
    const drive: f32 = (mode & AXIS_VELOCITY) != 0 ? number(rows, JOINT_ROW_DRIVES + group, lane) : 0;
    const forth: f32 = min<f32>(max<f32>(drive, 0), max<f32>(-z, 0)),
      back: f32 = min<f32>(max<f32>(-drive, 0), max<f32>(z, 0));
    setNumber(rows, JOINT_ROW_LIMITS + group, lane, z + (forth - back));
    if (forth - back != 0) setNumber(rows, JOINT_ROW_DRIVES + group, lane, drive - (forth - back));
  }
  const locked: v128 = scale3(force, change),
    turn: v128 = scale3(torque, change);
  answer(rows, locked, turn);
  const own: v128 = xyz(scale3(c, change));
  pushPair(a, b, rA, rB, isLinear ? addW(locked, own) : locked);
  twistPair(a, b, isLinear ? turn : addW(turn, own));
}
