// Restitution, one stage for all solvers: impacts leave with e times the speed they came in with, and without energy from
// nowhere. The solver has stopped them (u >= 0); this gives the speed back. docs/solvers.md has the equations.
//
//   prepareBounces  before the solver: manifolds with restitution, speed u- of the impact at each of their points
//   bounce          after the solver, in its frozen frame: 0 <= Z, u + e u- >= 0, one of them 0 at every point that carried
//                   load in the step (Moreau), by Gauss-Seidel. Z is the impulse of the whole step, so a point may give back
//                   what the solver gave it: the points of one face, and of bodies in one impact, agree on one bounce.
//   settleBounces   after rotations were advanced: angular momentum is kept there, but with the turn of before the impact the
//                   new inertia does not belong to the new spin. The energy that this has added or lost is put right along
//                   the impulses of restitution, so that momentum stays what it is.
//
// Input: manifolds (levers and normals of the step, largest impulses), BodyRow, BodyAccel, BodyInertia. Output: BodyRow; the
// impulses carried to the next step are left alone, since a bounce is no load.
// Source: J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988.
import {
  BODY_ACCEL_STRIDE,
  BODY_COLD_STRIDE,
  BOUNCE_BODY_STRIDE,
  BOUNCE_LINK_STRIDE,
  BOUNCE_STATE_STRIDE,
  BOUNCE_SWEEPS,
  BodyAccel,
  BodyCold,
  BodyInertia,
  BodyRow,
  BounceBody,
  BounceLink,
  BounceState,
  Header,
  Manifold,
} from '../layout.generated';
import { FLAG_ANISOTROPIC } from '../bodies/integrate';
import { isResting } from '../bodies/sleep';
import { broadphaseState } from '../broadphase/state';
import { ManifoldPoint, manifoldAt, pointOf } from '../contacts/manifolds';
import { inverseRotate3, storeRotation } from '../math/quat';
import { allocate, ensureCapacity } from '../memory/allocator';
import { header } from '../memory/header';
import { at32, put32 } from '../ordering/state';
import { addStepImpulse, fetchLane } from './lanes';
import { effectivePair, inertiaDot, inertiaOf, inverse, rowOf, speedAlong } from './rows';

// A sweep that changes no speed by more than this was the last, m/s.
// @ts-ignore: decorator
@inline const SETTLED: f32 = 1e-5;

// @ts-ignore: decorator
@inline
function bounceState(): BounceState {
  return changetype<BounceState>(<usize>header().bounceState);
}
// @ts-ignore: decorator
@inline
function linkAt(s: BounceState, i: u32): BounceLink {
  return changetype<BounceLink>(<usize>s.links + <usize>i * BOUNCE_LINK_STRIDE);
}
// @ts-ignore: decorator
@inline
function bodyAt(s: BounceState, i: u32): BounceBody {
  return changetype<BounceBody>(<usize>s.bodies + <usize>i * BOUNCE_BODY_STRIDE);
}
/** Address of the value of point i in the row of four that starts at `field`. */
// @ts-ignore: decorator
@inline
function valueOf(link: BounceLink, field: usize, i: u32): usize {
  return changetype<usize>(link) + field + ((<usize>i) << 2);
}
// @ts-ignore: decorator
@inline
function room(s: BounceState, field: usize, stride: usize, needed: u32): bool {
  const at: usize = changetype<usize>(s) + field;
  return ensureCapacity(at, at + 4, stride, needed);
}

/** Acceleration of B against A along the normal at a point. */
function accelerationAlong(m: Manifold, p: ManifoldPoint): f32 {
  const accels: usize = header().bodyAccels;
  const a: BodyAccel = changetype<BodyAccel>(accels + <usize>m.bodyA * BODY_ACCEL_STRIDE);
  const b: BodyAccel = changetype<BodyAccel>(accels + <usize>m.bodyB * BODY_ACCEL_STRIDE);
  const x: f32 = b.ax + (b.by * p.rbz - b.bz * p.rby) - (a.ax + (a.by * p.raz - a.bz * p.ray));
  const y: f32 = b.ay + (b.bz * p.rbx - b.bx * p.rbz) - (a.ay + (a.bz * p.rax - a.bx * p.raz));
  const z: f32 = b.az + (b.bx * p.rby - b.by * p.rbx) - (a.az + (a.bx * p.ray - a.by * p.rax));
  return m.nx * x + m.ny * y + m.nz * z;
}

/** Speed of the impact at a point: that of the start of the step, and what the accelerations add on the way there. */
function impactSpeed(m: Manifold, p: ManifoldPoint): f32 {
  const u: f32 = pointSpeed(m, p);
  if (u >= 0) return u;
  const a: f32 = accelerationAlong(m, p);
  const squared: f32 = u * u - 2 * a * max<f32>(p.separation, 0);
  if (squared <= 0) return 0;
  return max<f32>(-sqrt<f32>(squared), u + min<f32>(a, 0) * header().dt);
}

// @ts-ignore: decorator
@inline
function pointSpeed(m: Manifold, p: ManifoldPoint): f32 {
  return speedAlong(m, p.rax, p.ray, p.raz, p.rbx, p.rby, p.rbz, m.nx, m.ny, m.nz);
}

/** Lists manifolds with restitution where any point comes in fast. Returns false without memory (header error set). */
export function prepareBounces(): bool {
  const h: Header = header();
  if (h.anyRestitution == 0) return true;
  if (h.bounceState == 0) {
    h.bounceState = <u32>allocate(BOUNCE_STATE_STRIDE);
    if (h.bounceState == 0) return false;
  }
  const s: BounceState = bounceState();
  s.linkCount = 0;
  s.bodyCount = 0;
  const asleep: bool = h.sleepingCount != 0;
  let anyFast: bool = false;
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0 || m.restitution <= 0 || (asleep && isResting(m))) continue;
    if (!room(s, offsetof<BounceState>('links'), BOUNCE_LINK_STRIDE, s.linkCount + 1)) return false;
    const link: BounceLink = linkAt(s, s.linkCount++);
    memory.fill(changetype<usize>(link), 0, BOUNCE_LINK_STRIDE);
    link.manifold = i;
    let fast: u32 = 0;
    for (let k: u32 = 0; k < m.count; k++) {
      const u: f32 = impactSpeed(m, pointOf(m, k));
      store<f32>(valueOf(link, offsetof<BounceLink>('approach0'), k), u);
      if (u < -h.restitutionThreshold) fast |= 1 << k;
    }
    link.fast = fast;
    anyFast = anyFast || fast != 0;
  }
  if (!anyFast) s.linkCount = 0;
  return (
    room(s, offsetof<BounceState>('marks'), 4, h.bodyCount) &&
    room(s, offsetof<BounceState>('bodies'), BOUNCE_BODY_STRIDE, min<u32>(h.bodyCount, 2 * s.linkCount))
  );
}

/** Marks a body as one that bounces. */
function mark(s: BounceState, body: u32): void {
  if (rowOf(body).invMass == 0 || at32(s.marks, body) != 0) return;
  const entry: BounceBody = bodyAt(s, s.bodyCount++);
  memory.fill(changetype<usize>(entry), 0, BOUNCE_BODY_STRIDE);
  entry.body = body;
  put32(s.marks, body, s.bodyCount);
}

/** Points of a link that carried load in the step: bits. Their masses go to the link. */
function take(link: BounceLink, m: Manifold): void {
  let taking: u32 = 0;
  for (let k: u32 = 0; k < m.count; k++) {
    const p: ManifoldPoint = pointOf(m, k);
    if (p.maxImpulse <= 0) continue;
    taking |= 1 << k;
    const mass: f32 = inverse(
      effectivePair(m, 1, 1, p.rax, p.ray, p.raz, p.rbx, p.rby, p.rbz, m.nx, m.ny, m.nz, m.nx, m.ny, m.nz),
    );
    store<f32>(valueOf(link, offsetof<BounceLink>('mass0'), k), mass);
  }
  link.taking = taking;
}

/** Restitution in the frozen frame of the solver. Velocities of BodyRow only. */
export function bounce(): void {
  const h: Header = header();
  if (h.bounceState == 0) return;
  const s: BounceState = bounceState();
  if (s.linkCount == 0) return;
  // Links with a point that came in fast and was hit, then what else touches their bodies.
  let any: bool = false;
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const link: BounceLink = linkAt(s, l);
    const m: Manifold = manifoldAt(link.manifold);
    fetchLane(link.manifold);
    take(link, m);
    if ((link.fast & link.taking) == 0) continue;
    any = true;
    mark(s, m.bodyA);
    mark(s, m.bodyB);
  }
  if (!any) return;
  const hit: u32 = s.bodyCount;
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const link: BounceLink = linkAt(s, l);
    if (link.taking == 0 || (link.fast & link.taking) != 0) continue;
    const m: Manifold = manifoldAt(link.manifold);
    const a: u32 = at32(s.marks, m.bodyA),
      b: u32 = at32(s.marks, m.bodyB);
    if ((a == 0 || a > hit) && (b == 0 || b > hit)) {
      link.taking = 0;
      continue;
    }
    mark(s, m.bodyA);
    mark(s, m.bodyB);
  }
  const invH: f32 = <f32>max<u32>(h.substeps, 1) / h.dt;
  for (let k: u32 = 0; k < BOUNCE_SWEEPS; k++) {
    let most: f32 = 0;
    for (let l: u32 = 0; l < s.linkCount; l++) most = max<f32>(most, sweep(linkAt(s, l), invH));
    if (most < SETTLED) break;
  }
  for (let l: u32 = 0; l < s.linkCount; l++) {
    const link: BounceLink = linkAt(s, l);
    if (link.taking == 0) continue;
    let sum: f32 = 0;
    for (let k: u32 = 0; k < 4; k++) sum += load<f32>(valueOf(link, offsetof<BounceLink>('impulse0'), k));
    addStepImpulse(manifoldAt(link.manifold), sum);
  }
  for (let i: u32 = 0; i < s.bodyCount; i++) bodyAt(s, i).energy = spinEnergy(bodyAt(s, i).body);
}

/**
 * Energy of rotation of a body with unequal moments of inertia, w.I(q) w / 2; 0 for others, whose rotation does not change it.
 */
function spinEnergy(body: u32): f32 {
  const h: Header = header();
  const cold: BodyCold = changetype<BodyCold>(<usize>h.bodyColds + <usize>body * BODY_COLD_STRIDE);
  if ((cold.flags & FLAG_ANISOTROPIC) == 0) return 0;
  const columns: usize = broadphaseState().scratch;
  storeRotation(v128.load(<usize>h.rotations + ((<usize>body) << 4)), columns);
  const w: v128 = inverseRotate3(columns, v128.load(changetype<usize>(rowOf(body)), offsetof<BodyRow>('wx')));
  const x: f32 = f32x4.extract_lane(w, 0),
    y: f32 = f32x4.extract_lane(w, 1),
    z: f32 = f32x4.extract_lane(w, 2);
  return (
    <f32>0.5 * (cold.ixx * x * x + cold.iyy * y * y + cold.izz * z * z) + cold.ixy * x * y + cold.ixz * x * z + cold.iyz * y * z
  );
}

/** One sweep over the points of a link. Returns the largest change of a speed. */
function sweep(link: BounceLink, invH: f32): f32 {
  const taking: u32 = link.taking;
  if (taking == 0) return 0;
  const m: Manifold = manifoldAt(link.manifold);
  let most: f32 = 0;
  for (let k: u32 = 0; k < m.count; k++) {
    if ((taking & (1 << k)) == 0) continue;
    const p: ManifoldPoint = pointOf(m, k);
    const at: usize = valueOf(link, 0, k);
    const mass: f32 = load<f32>(at, offsetof<BounceLink>('mass0'));
    const old: f32 = load<f32>(at, offsetof<BounceLink>('impulse0'));
    const target: f32 =
      (link.fast & (1 << k)) != 0
        ? m.restitution * load<f32>(at, offsetof<BounceLink>('approach0'))
        : max<f32>(p.separation, 0) * invH;
    const z: f32 = max<f32>(old - mass * (pointSpeed(m, p) + target), -p.maxImpulse);
    const d: f32 = z - old;
    if (d == 0) continue;
    store<f32>(at, z, offsetof<BounceLink>('impulse0'));
    push(m, m.bodyA, p.rax, p.ray, p.raz, -d);
    push(m, m.bodyB, p.rbx, p.rby, p.rbz, d);
    most = max<f32>(most, abs<f32>(d) / mass);
  }
  return most;
}

/** Impulse on a body along the normal at a lever. The arm first: it is exactly zero where the lever lies along the normal. */
function push(m: Manifold, body: u32, rx: f32, ry: f32, rz: f32, d: f32): void {
  const nx: f32 = m.nx,
    ny: f32 = m.ny,
    nz: f32 = m.nz;
  apply(body, d * nx, d * ny, d * nz, d * (ry * nz - rz * ny), d * (rz * nx - rx * nz), d * (rx * ny - ry * nx));
}

/** Impulse and angular impulse on a body. */
function apply(body: u32, px: f32, py: f32, pz: f32, lx: f32, ly: f32, lz: f32): void {
  const row: BodyRow = rowOf(body);
  if (row.invMass == 0) return;
  row.vx += px * row.invMass;
  row.vy += py * row.invMass;
  row.vz += pz * row.invMass;
  const i: BodyInertia = inertiaOf(body);
  row.wx += i.xx * lx + i.xy * ly + i.xz * lz;
  row.wy += i.xy * lx + i.yy * ly + i.yz * lz;
  row.wz += i.xz * lx + i.yz * ly + i.zz * lz;
}

/** Takes off the energy that advancing rotations has added, along the impulses of restitution; ends the stage. */
export function settleBounces(): void {
  const h: Header = header();
  if (h.bounceState == 0) return;
  const s: BounceState = bounceState();
  if (s.bodyCount == 0) return;
  for (let i: u32 = 0; i < s.bodyCount; i++) {
    const entry: BounceBody = bodyAt(s, i);
    const gain: f32 = spinEnergy(entry.body) - entry.energy;
    entry.gain = abs<f32>(gain) < <f32>1e30 ? gain : 0;
  }
  for (let l: u32 = 0; l < s.linkCount; l++) settle(s, linkAt(s, l));
  for (let i: u32 = 0; i < s.bodyCount; i++) {
    const body: u32 = bodyAt(s, i).body;
    put32(s.marks, body, 0);
    renewMotion(body);
  }
  s.bodyCount = 0;
}

/** Lengthens or shortens the impulses of restitution of a link by one factor, so that they take off the gain of its bodies. */
function settle(s: BounceState, link: BounceLink): void {
  if (link.taking == 0) return;
  const m: Manifold = manifoldAt(link.manifold);
  const markA: u32 = at32(s.marks, m.bodyA),
    markB: u32 = at32(s.marks, m.bodyB);
  const gain: f32 = (markA != 0 ? bodyAt(s, markA - 1).gain : 0) + (markB != 0 ? bodyAt(s, markB - 1).gain : 0);
  if (gain == 0) return;
  let total: f32 = 0;
  let ax: f32 = 0,
    ay: f32 = 0,
    az: f32 = 0,
    bx: f32 = 0,
    by: f32 = 0,
    bz: f32 = 0;
  for (let k: u32 = 0; k < m.count; k++) {
    const z: f32 = load<f32>(valueOf(link, offsetof<BounceLink>('impulse0'), k));
    const p: ManifoldPoint = pointOf(m, k);
    total += z;
    ax += p.rax * z;
    ay += p.ray * z;
    az += p.raz * z;
    bx += p.rbx * z;
    by += p.rby * z;
    bz += p.rbz * z;
  }
  if (total <= 0) return;
  const nx: f32 = m.nx,
    ny: f32 = m.ny,
    nz: f32 = m.nz;
  // Angular impulses r x n z.
  const lax: f32 = ay * nz - az * ny,
    lay: f32 = az * nx - ax * nz,
    laz: f32 = ax * ny - ay * nx;
  const lbx: f32 = by * nz - bz * ny,
    lby: f32 = bz * nx - bx * nz,
    lbz: f32 = bx * ny - by * nx;
  const a: BodyRow = rowOf(m.bodyA),
    b: BodyRow = rowOf(m.bodyB);
  const u: f32 =
    total * (nx * (b.vx - a.vx) + ny * (b.vy - a.vy) + nz * (b.vz - a.vz)) +
    (lbx * b.wx + lby * b.wy + lbz * b.wz) -
    (lax * a.wx + lay * a.wy + laz * a.wz);
  const k: f32 =
    total * total * (a.invMass + b.invMass) +
    inertiaDot(inertiaOf(m.bodyA), lax, lay, laz, lax, lay, laz) +
    inertiaDot(inertiaOf(m.bodyB), lbx, lby, lbz, lbx, lby, lbz);
  if (u <= 0 || k <= 0) return;
  // u f + k f^2 / 2 = -gain; the root near 0, or the f that takes off the most.
  const root: f32 = u * u - 2 * k * gain;
  const f: f32 = min<f32>(root > 0 ? (-2 * gain) / (u + sqrt<f32>(root)) : -u / k, 1);
  apply(m.bodyA, -f * total * nx, -f * total * ny, -f * total * nz, -f * lax, -f * lay, -f * laz);
  apply(m.bodyB, f * total * nx, f * total * ny, f * total * nz, f * lbx, f * lby, f * lbz);
  const rest: f32 = gain + (u + <f32>0.5 * k * f) * f;
  if (markA != 0) bodyAt(s, markA - 1).gain = rest;
  if (markB != 0) bodyAt(s, markB - 1).gain = markA != 0 ? <f32>0 : rest;
}

/** What finishBodies makes of the speed of a body, after it has changed. */
function renewMotion(body: u32): void {
  const h: Header = header();
  const row: BodyRow = rowOf(body);
  const extent: f32 = changetype<BodyCold>(<usize>h.bodyColds + <usize>body * BODY_COLD_STRIDE).extent;
  const speed: f32 = sqrt<f32>(row.vx * row.vx + row.vy * row.vy + row.vz * row.vz);
  const spin: f32 = sqrt<f32>(row.wx * row.wx + row.wy * row.wy + row.wz * row.wz);
  const path: f64 = load<f64>(<usize>broadphaseState().paths + ((<usize>body) << 3));
  store<f64>(<usize>h.motions + ((<usize>body) << 3), path + <f64>((speed + spin * extent) * h.dt));
}
