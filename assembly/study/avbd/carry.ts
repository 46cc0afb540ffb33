// What contacts carry from step to step beside the manifolds, as the friction of single points does (friction/point_tangents.ts).
// The contacts stage knows nothing of it. A point is found again by the bits of its normal impulse, which that stage carries; a
// point without impulse by its anchor, if it has moved by less than half the radius of its patch. Tangents may turn from step to
// step (those of a ball that rolls do), so what lies along them is turned to the new ones.
// Input: Manifold, AvbdManifold. Output: AvbdManifold whose points are those of the manifold.
import { isMoved } from '../../bodies/rows';
import { manifoldAt, pointOf } from '../../constraints/manifolds';
import {
  AVBD_MANIFOLD_STRIDE,
  AVBD_POINTS,
  AVBD_POINT_STRIDE,
  AvbdManifold,
  AvbdPoint,
  Manifold,
  ManifoldPoint,
} from '../../layout.generated';
import { addW, cross3, dot3 } from '../../math/lane';
import { scale3 } from '../../math/vec3';
import { avbdManifold, avbdState } from './state';

/** Byte offset of the old record in AvbdState.block. */
const ASIDE: usize = 512;

/** Point i of a record. */
export function avbdPoint(record: AvbdManifold, i: u32): AvbdPoint {
  return changetype<AvbdPoint>(changetype<usize>(record) + AVBD_POINTS + <usize>i * AVBD_POINT_STRIDE);
}

/** Anchor of a point in the frame of a body that moves. */
function anchorOf(m: Manifold, p: ManifoldPoint): v128 {
  return isMoved(m.bodyA) ? p.la : p.lb;
}

/** Brings the record of a manifold up to date with its points. */
export function carryPoints(manifold: u32, h: f32): AvbdManifold {
  const m: Manifold = manifoldAt(manifold);
  const record: AvbdManifold = avbdManifold(manifold);
  const old = changetype<AvbdManifold>(<usize>avbdState().block + ASIDE);
  memory.copy(changetype<usize>(old), changetype<usize>(record), AVBD_MANIFOLD_STRIDE);
  const known: bool = old.bodyA == m.bodyA && old.bodyB == m.bodyB && old.feature == m.feature;
  if (!known) memory.fill(changetype<usize>(record) + offsetof<AvbdManifold>('lambda0'), 0, 24);
  let left: u32 = known ? (1 << old.count) - 1 : 0;
  // One point alone is what it was, however far it has rolled.
  const reach: f32 = m.count == 1 && old.count == 1 ? Infinity : <f32>0.5 * m.patchRadius;
  for (let i: u32 = 0; i < m.count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    const to: AvbdPoint = avbdPoint(record, i);
    const k: u32 = find(old, left, i, p.impulse, anchorOf(m, p), reach * reach);
    if (k < 4) {
      left &= ~(1 << k);
      memory.copy(changetype<usize>(to), changetype<usize>(avbdPoint(old, k)), AVBD_POINT_STRIDE);
      turnPair(changetype<usize>(to) + offsetof<AvbdPoint>('lambda1'), m, old.t);
      turnPair(changetype<usize>(to) + offsetof<AvbdPoint>('drift1'), m, old.t);
    } else {
      // Another solver may have left an impulse.
      memory.fill(changetype<usize>(to), 0, AVBD_POINT_STRIDE);
      to.lambda0 = p.impulse / h;
    }
  }
  if (known) turnPair(changetype<usize>(record) + offsetof<AvbdManifold>('lambda0'), m, old.t);
  return record;
}

/** Turns a vector along both tangents, two numbers at `at`, from those whose first one was t to those of now. */
function turnPair(at: usize, m: Manifold, t: v128): void {
  const x: f32 = load<f32>(at),
    y: f32 = load<f32>(at + sizeof<f32>());
  if (x == 0 && y == 0) return;
  const vector: v128 = addW(scale3(t, x), scale3(cross3(m.n, t), y));
  store<f32>(at, dot3(m.t, vector));
  store<f32>(at + sizeof<f32>(), dot3(cross3(m.n, m.t), vector));
}

/** The point of `left` that a point was, 4 without one. */
function find(old: AvbdManifold, left: u32, i: u32, impulse: f32, anchor: v128, reach2: f32): u32 {
  if (impulse != 0) {
    for (let j: u32 = 0; j < 4; j++) {
      const k: u32 = (i + j) & 3; // its own place first: points with equal impulses mostly stay where they are
      if (((left >> k) & 1) != 0 && avbdPoint(old, k).impulse == impulse) return k;
    }
  }
  let nearest: f32 = reach2,
    found: u32 = 4;
  for (let k: u32 = 0; k < 4; k++) {
    if (((left >> k) & 1) == 0) continue;
    const off: v128 = f32x4.sub(anchor, avbdPoint(old, k).anchor);
    const square: v128 = f32x4.mul(off, off);
    const e: f32 = f32x4.extract_lane(square, 0) + f32x4.extract_lane(square, 1) + f32x4.extract_lane(square, 2);
    if (e > nearest || (e == nearest && found < 4)) continue;
    nearest = e;
    found = k;
  }
  return found;
}

/** Remembers which points a record belongs to: call when the impulses of the manifold are final. */
export function keepPoints(manifold: u32): void {
  const m: Manifold = manifoldAt(manifold);
  const record: AvbdManifold = avbdManifold(manifold);
  record.bodyA = m.bodyA;
  record.bodyB = m.bodyB;
  record.count = m.count;
  record.feature = m.feature;
  record.t = f32x4.replace_lane(m.t, 3, 0);
  for (let i: u32 = 0; i < m.count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    avbdPoint(record, i).impulse = p.impulse;
    avbdPoint(record, i).anchor = f32x4.replace_lane(anchorOf(m, p), 3, 0);
  }
}
