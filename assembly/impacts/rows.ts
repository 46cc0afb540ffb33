// The rows of an impact: the speeds of the points of a contact, their effective masses, and the effect of an impulse. Points have
// the arms of their manifold; friction acts at their mean (rows/friction_block.ts).
// Input: ImpactLink, its manifold, BodyRow, BodyInertia. Output: BodyRow; masses of the link.
import { keepBody } from '../bodies/locks';
import { inertiaAt, inverseInertia, rowAt } from '../bodies/rows';
import { pointOf } from '../constraints/manifolds';
import { BODY_ROW_STRIDE, BodyRow, ImpactLink, Manifold, ManifoldPoint } from '../layout.generated';
import { addW, cross3, dot3, mulW, negW, splatW, subW, vec3W } from '../math/lane';
import { header } from '../memory/header';
import { vectorAt } from '../memory/words';
import { frictionBlock, twistMass } from '../rows/friction_block';
import { effectivePair, inverse, isBarred } from '../rows/mass';
import { valueOf } from './state';

/** Unit normal from A to B; lane 3 is 0. */
export function normalOf(m: Manifold): v128 {
  return f32x4.replace_lane(m.n, 3, 0);
}

export function velocityOf(body: u32): v128 {
  return f32x4.replace_lane(rowAt(body).v, 3, 0);
}

export function spinOf(body: u32): v128 {
  return f32x4.replace_lane(rowAt(body).w, 3, 0);
}

/**
 * Returns the relative motion of B and A at arms, from the velocities or accelerations at `rows`: center and rotation, 16 bytes
 * each. Lane 3 has no meaning.
 */
export function relative(m: Manifold, ra: v128, rb: v128, rows: usize, stride: usize): v128 {
  const a: usize = rows + <usize>m.bodyA * stride,
    b: usize = rows + <usize>m.bodyB * stride;
  return subW(addW(vectorAt(b, 0), cross3(vectorAt(b, 1), rb)), addW(vectorAt(a, 0), cross3(vectorAt(a, 1), ra)));
}

/** The same of the velocities at a point. */
export function slipAt(m: Manifold, p: ManifoldPoint): v128 {
  const ra: v128 = p.ra,
    rb: v128 = p.rb;
  return relative(m, ra, rb, header().bodyRows, BODY_ROW_STRIDE);
}

/** Speed at which a point opens along the normal, m/s. */
export function pointSpeed(m: Manifold, p: ManifoldPoint): f32 {
  return dot3(normalOf(m), slipAt(m, p));
}

/** Motion of B against A at the mean point of a link: along the tangents (m/s), about the normal (rad/s). */
export function slipOf(link: ImpactLink, m: Manifold): v128 {
  const n: v128 = normalOf(m),
    t: v128 = m.t;
  const d: v128 = relative(m, link.centerA, link.centerB, header().bodyRows, BODY_ROW_STRIDE);
  const slip: v128 = vec3W(dot3(t, d), dot3(cross3(n, t), d), dot3(n, subW(spinOf(m.bodyB), spinOf(m.bodyA))));
  if (header().anySurface == 0) return slip;
  return addW(slip, vec3W(m.surface1, m.surface2, m.surfaceTwist));
}

/** Stores the slip of a link before its impact. */
export function keepSlip(link: ImpactLink, m: Manifold): void {
  const slip: v128 = slipOf(link, m);
  link.came1 = f32x4.extract_lane(slip, 0);
  link.came2 = f32x4.extract_lane(slip, 1);
  link.cameTwist = f32x4.extract_lane(slip, 2);
}

/** Point k of a link takes part, if its impulse can move something: its mass. */
export function takePoint(link: ImpactLink, m: Manifold, k: u32): void {
  const p: ManifoldPoint = pointOf(m, k);
  const whole: f32 = effectivePair(m, 1, 1, p.ra, p.rb, normalOf(m), normalOf(m));
  if (!isBarred(m, whole, 1, 1)) link.taking |= 1 << k;
  store<f32>(valueOf(link, offsetof<ImpactLink>('mass0'), k), inverse(whole));
}

/** Masses of the friction of a link. */
export function takeFriction(link: ImpactLink, m: Manifold): void {
  v128.store(
    changetype<usize>(link),
    f32x4.replace_lane(frictionBlock(m, 1, 1, link.centerA, link.centerB), 3, twistMass(m, 1, 1)),
    offsetof<ImpactLink>('block11'),
  );
}

/** Normal impulses that the impact adds at the points of a link. */
export function sumOf(link: ImpactLink): f32 {
  let sum: f32 = 0;
  for (let k: u32 = 0; k < 4; k++) sum += load<f32>(valueOf(link, offsetof<ImpactLink>('impulse0'), k));
  return sum;
}

/**
 * Impulse d on both bodies along the normal at a point. Arm first: it is exactly zero where the arm lies along the
 * normal.
 */
export function push(m: Manifold, p: ManifoldPoint, d: f32): void {
  const n: v128 = normalOf(m),
    z: v128 = splatW(d);
  apply(m.bodyA, negW(mulW(n, z)), negW(mulW(cross3(p.ra, n), z)));
  apply(m.bodyB, mulW(n, z), mulW(cross3(p.rb, n), z));
}

/** Friction impulses on the bodies of a link: along the tangents and about the normal. */
export function rub(link: ImpactLink, m: Manifold, d1: f32, d2: f32, dw: f32): void {
  const n: v128 = normalOf(m),
    t: v128 = f32x4.replace_lane(m.t, 3, 0);
  const p: v128 = addW(mulW(t, splatW(d1)), mulW(cross3(n, t), splatW(d2)));
  const turn: v128 = mulW(n, splatW(dw));
  applyAt(m.bodyA, link.centerA, negW(p), negW(turn));
  applyAt(m.bodyB, link.centerB, p, turn);
}

/** Impulse at an arm, and angular impulse, on a body. */
function applyAt(body: u32, r: v128, p: v128, turn: v128): void {
  apply(body, p, addW(cross3(r, p), turn));
}

/** Impulse and angular impulse on a body; lane 3 of `p` is 0. */
export function apply(body: u32, p: v128, l: v128): void {
  const row: BodyRow = rowAt(body);
  if (row.invMass == 0) return;
  row.v = addW(row.v, mulW(p, splatW(row.invMass)));
  row.w = addW(row.w, inverseInertia(inertiaAt(body), l));
  if (header().anyLocks != 0) keepBody(body);
}
