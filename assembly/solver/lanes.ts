// Lanes of the coloured solver: where every manifold lives in solver form, from its first touch to its last.
//
// A manifold gets the first color that neither of its bodies uses (graph coloring, kept up to date instead of being made
// anew each step) and a lane in a group of four of that color. Groups of a color lie behind each other. The lane holds the
// rows J and M^-1 J', the effective masses, impulses and separations; all of it stays from step to step and is written
// again only when the manifold was refreshed. Manifolds against static bodies take colors from the far end, so that they
// are solved last and win. When the 32 colors of a body are used up, manifolds go to the overflow list, one to a group.
//
// The sequential solver (SOLVER_WIDE) needs no colors: its groups are solved one after the other in the order in which they
// were opened, and only the four lanes of a group must be independent. A manifold goes to the newest open group whose lanes
// share no dynamic body with it. This keeps the convergence of sequential PGS: on a pyramid of 1,830 boxes at rest the
// coloured order leaves a hundred times the speed that any sequential order does, at the same number of sweeps.
// Where what lies in a group: lane_layout.ts. Groups are solved by wide.ts and wide_sweep.ts.
import {
  BODY_COLD_STRIDE,
  BODY_INERTIA_STRIDE,
  BODY_ROW_STRIDE,
  BodyCold,
  BodyInertia,
  BodyRow,
  COLLIDER_STRIDE,
  Collider,
  Header,
  Manifold,
  NONE,
  PAIR_COLD_STRIDE,
  PairCold,
  SOLVER_COLORED,
  SOLVER_WIDE,
} from '../layout.generated';
import { firstEnd, nextEnd } from '../broadphase/pair_lists';
import { broadphaseState } from '../broadphase/state';
import { ManifoldPoint, manifoldAt, pointOf } from '../contacts/manifolds';
import { allocate, ensureCapacity } from '../memory/allocator';
import { isResting } from '../bodies/sleep';
import { header } from '../memory/header';
import {
  GROUP_STRIDE,
  G_ARM_A1,
  G_ARM_A2,
  G_ARM_B1,
  G_ARM_B2,
  G_BODY_A,
  G_BODY_B,
  G_COUNT,
  G_EXCESS,
  G_FRICTION,
  G_MANIFOLD,
  G_NORMAL,
  G_POINTS,
  G_MAX_IMPULSE,
  G_PUSH_SHARE,
  G_RESTITUTION,
  G_STATIC,
  G_STEP_IMPULSE,
  G_TANGENT,
  G_TANGENT_IMPULSE,
  G_TANGENT_MASS,
  G_TURN_A1,
  G_TURN_A2,
  G_TURN_AN,
  G_TURN_B1,
  G_TURN_B2,
  G_TURN_BN,
  G_TWIST_FRICTION,
  G_TWIST_IMPULSE,
  G_TWIST_MASS,
  LISTS,
  OPEN,
  OVERFLOW,
  P_ARM_A,
  P_ARM_B,
  P_IMPULSE,
  P_MASS,
  P_PREVIOUS,
  P_SEPARATION,
  P_STRIDE,
  P_TURN_A,
  P_TURN_B,
  SEQUENTIAL,
  STATE_BYTES,
  colorList,
  lanePtr,
} from './lane_layout';

// Open groups that are tried for a new manifold before another one is opened.
// @ts-ignore: decorator
@inline const OPEN_WINDOW: u32 = 32;

export function initLanes(): bool {
  header().coloredState = <u32>allocate(STATE_BYTES);
  return header().coloredState != 0;
}

// @ts-ignore: decorator
@inline
function isDynamic(body: u32): bool {
  return changetype<BodyRow>(<usize>header().bodyRows + <usize>body * BODY_ROW_STRIDE).invMass > 0;
}

// Lanes behind the last one in use name the bodies of lane 0, whose row is stored last.
function fillUnused(color: u32, lanes: u32): void {
  if ((lanes & 3) == 0) return;
  repeatFirst(<usize>load<u32>(colorList(color)) + <usize>(lanes >> 2) * GROUP_STRIDE, lanes & 3);
}

/** Whether a solver works on lanes. */
// @ts-ignore: decorator
@inline
export function usesLanes(solver: u32): bool {
  return solver == SOLVER_WIDE || solver == SOLVER_COLORED;
}

/** Lanes in use of a group of the sequential list; they are the first ones. */
// @ts-ignore: decorator
@inline
function lanesUsed(group: usize): u32 {
  let n: u32 = 0;
  while (n < 4 && load<u32>(group + ((<usize>n) << 2), G_COUNT) != 0) n++;
  return n;
}

/** Whether a lane of the group has one of the two dynamic bodies (byte offsets of rows; NONE stands for a static one). */
// @ts-ignore: decorator
@inline
function sharesBody(group: usize, lanes: u32, a: u32, b: u32): bool {
  for (let k: usize = 0; k < <usize>lanes; k++) {
    const x: u32 = load<u32>(group + (k << 2), G_BODY_A),
      y: u32 = load<u32>(group + (k << 2), G_BODY_B);
    if (x == a || y == a || x == b || y == b) return true;
  }
  return false;
}

/** A lane for a manifold in the newest open group that has no body in common with it, else in a new group. */
function insertSequential(m: Manifold): bool {
  const state: usize = header().coloredState;
  const list: usize = colorList(SEQUENTIAL);
  const a: u32 = isDynamic(m.bodyA) ? m.bodyA * <u32>BODY_ROW_STRIDE : NONE,
    b: u32 = isDynamic(m.bodyB) ? m.bodyB * <u32>BODY_ROW_STRIDE : NONE;
  const open: u32 = load<u32>(state, OPEN + 8);
  const base: usize = load<u32>(list);
  const entries: usize = load<u32>(state, OPEN);
  m.color = SEQUENTIAL;
  for (let i: u32 = 0; i < open && i < OPEN_WINDOW; i++) {
    const entry: u32 = open - 1 - i;
    const index: u32 = load<u32>(entries + ((<usize>entry) << 2));
    const group: usize = base + <usize>index * GROUP_STRIDE;
    const used: u32 = lanesUsed(group);
    if (sharesBody(group, used, a, b)) continue;
    m.lane = (index << 2) + used;
    if (used == 3) {
      for (let k: u32 = entry + 1; k < open; k++)
        store<u32>(entries + ((<usize>(k - 1)) << 2), load<u32>(entries + ((<usize>k) << 2)));
      store<u32>(state, open - 1, OPEN + 8);
    }
    return true;
  }
  const lanes: u32 = load<u32>(list, 8);
  const index: u32 = lanes >> 2;
  if (!ensureCapacity(list, list + 4, GROUP_STRIDE, index + 1)) return false;
  if (!ensureCapacity(state + OPEN, state + OPEN + 4, 4, open + 1)) return false;
  memory.fill(<usize>load<u32>(list) + <usize>index * GROUP_STRIDE, 0, GROUP_STRIDE);
  store<u32>(list, lanes + 4, 8);
  store<u32>(<usize>load<u32>(state, OPEN) + ((<usize>open) << 2), index);
  store<u32>(state, open + 1, OPEN + 8);
  m.lane = index << 2;
  return true;
}

/** Takes a lane out of a group of the sequential list: the last lane in use takes its place, the group is open again. */
function releaseSequential(lane: u32): void {
  const state: usize = header().coloredState;
  const index: u32 = lane >> 2;
  const group: usize = <usize>load<u32>(colorList(SEQUENTIAL)) + <usize>index * GROUP_STRIDE;
  const used: u32 = lanesUsed(group);
  const last: u32 = used - 1,
    hole: u32 = lane & 3;
  const from: usize = group + ((<usize>last) << 2),
    to: usize = group + ((<usize>hole) << 2);
  if (hole != last) {
    for (let f: usize = 0; f < GROUP_STRIDE; f += 16) store<u32>(to + f, load<u32>(from + f));
    manifoldAt(load<u32>(to, G_MANIFOLD)).lane = lane;
  }
  for (let f: usize = 0; f < GROUP_STRIDE; f += 16) store<u32>(from + f, 0);
  repeatFirst(group, last);
  if (used == 4) {
    const open: u32 = load<u32>(state, OPEN + 8);
    // Without memory for the list the lane stays empty until the next repacking: nothing is lost.
    if (!ensureCapacity(state + OPEN, state + OPEN + 4, 4, open + 1)) return;
    store<u32>(<usize>load<u32>(state, OPEN) + ((<usize>open) << 2), index);
    store<u32>(state, open + 1, OPEN + 8);
  }
}

/** Lanes from `used` on name the bodies of lane 0. */
// @ts-ignore: decorator
@inline
function repeatFirst(group: usize, used: u32): void {
  for (let k: usize = <usize>used; k < 4; k++) {
    store<u32>(group + (k << 2), load<u32>(group), G_BODY_A);
    store<u32>(group + (k << 2), load<u32>(group, G_BODY_B), G_BODY_B);
  }
}

/** Gives a manifold a color and a lane; its data is written by writeLane. Returns false without memory. */
export function insertLane(index: u32): bool {
  const m: Manifold = manifoldAt(index);
  if (header().solver == SOLVER_WIDE) return insertSequential(m);
  const masks: usize = broadphaseState().colorMasks;
  const dynamicA: bool = isDynamic(m.bodyA),
    dynamicB: bool = isDynamic(m.bodyB);
  const maskA: usize = masks + ((<usize>m.bodyA) << 2),
    maskB: usize = masks + ((<usize>m.bodyB) << 2);
  let free: u32 = ~0;
  if (dynamicA) free &= ~load<u32>(maskA);
  if (dynamicB) free &= ~load<u32>(maskB);
  let color: u32 = OVERFLOW;
  if (free != 0) {
    color = dynamicA && dynamicB ? ctz<u32>(free) : 31 - clz<u32>(free);
    if (dynamicA) store<u32>(maskA, load<u32>(maskA) | (1 << color));
    if (dynamicB) store<u32>(maskB, load<u32>(maskB) | (1 << color));
  }
  const list: usize = colorList(color);
  const lane: u32 = load<u32>(list, 8);
  const used: u32 = color == OVERFLOW ? 4 : 1;
  if (!ensureCapacity(list, list + 4, GROUP_STRIDE, (lane + used + 3) >> 2)) return false;
  if ((lane & 3) == 0) memory.fill(<usize>load<u32>(list) + <usize>(lane >> 2) * GROUP_STRIDE, 0, GROUP_STRIDE);
  store<u32>(list, lane + used, 8);
  m.color = color;
  m.lane = lane;
  return true;
}

/** Copies impulses and separations of a manifold's lane back to the manifold. Nothing happens without a lane. */
export function fetchLane(index: u32): void {
  const m: Manifold = manifoldAt(index);
  if (m.lane == NONE) return;
  const p: usize = lanePtr(m.color, m.lane);
  m.tangentImpulse1 = load<f32>(p, G_TANGENT_IMPULSE);
  m.tangentImpulse2 = load<f32>(p, G_TANGENT_IMPULSE + 16);
  m.twistImpulse = load<f32>(p, G_TWIST_IMPULSE);
  for (let i: u32 = 0; i < m.count; i++) {
    const point: ManifoldPoint = pointOf(m, i);
    const q: usize = p + G_POINTS + <usize>i * P_STRIDE;
    point.separation = load<f32>(q, P_SEPARATION);
    point.impulse = load<f32>(q, P_IMPULSE);
    point.maxImpulse = load<f32>(p + ((<usize>i) << 4), G_MAX_IMPULSE); // kept where there is restitution
  }
}

/** Whether the impulses of a manifold are summed up in the next step; the sum starts at 0. */
export function setSummed(m: Manifold, summed: bool): void {
  if (m.lane != NONE) store<f32>(lanePtr(m.color, m.lane), summed ? <f32>0 : f32.NEGATIVE_INFINITY, G_STEP_IMPULSE);
}

/** N s: normal impulse that the step has just given a manifold that is summed: points, substeps, restitution. */
export function stepImpulse(m: Manifold): f32 {
  return m.lane == NONE ? m.stepImpulse : load<f32>(lanePtr(m.color, m.lane), G_STEP_IMPULSE);
}

/** Adds what came after the substeps, restitution, to the impulse of the step. */
export function addStepImpulse(m: Manifold, impulse: f32): void {
  if (m.lane == NONE) {
    m.stepImpulse += impulse;
    return;
  }
  const at: usize = lanePtr(m.color, m.lane) + G_STEP_IMPULSE;
  store<f32>(at, load<f32>(at) + impulse); // -infinity where nothing is summed
}

/** Takes a manifold out of its lane; the last lane of the color moves into the hole. */
export function releaseLane(index: u32): void {
  const m: Manifold = manifoldAt(index);
  const lane: u32 = m.lane;
  if (lane == NONE) return;
  const color: u32 = m.color;
  m.lane = NONE;
  if (color == SEQUENTIAL) {
    releaseSequential(lane);
    return;
  }
  const list: usize = colorList(color);
  const step: u32 = color == OVERFLOW ? 4 : 1;
  const last: u32 = load<u32>(list, 8) - step;
  store<u32>(list, last, 8);
  const hole: usize = lanePtr(color, lane),
    from: usize = lanePtr(color, last);
  if (color != OVERFLOW) {
    const masks: usize = broadphaseState().colorMasks;
    const bit: u32 = ~(1 << color);
    const maskA: usize = masks + ((<usize>m.bodyA) << 2),
      maskB: usize = masks + ((<usize>m.bodyB) << 2);
    store<u32>(maskA, load<u32>(maskA) & bit);
    store<u32>(maskB, load<u32>(maskB) & bit);
  }
  if (lane != last) {
    for (let f: usize = 0; f < GROUP_STRIDE; f += 16) store<u32>(hole + f, load<u32>(from + f));
    manifoldAt(load<u32>(hole, G_MANIFOLD)).lane = lane;
    if (color == OVERFLOW) repeatFirst(hole, 1);
  }
  for (let f: usize = 0; f < GROUP_STRIDE; f += 16) store<u32>(from + f, 0);
  if (color != OVERFLOW) fillUnused(color, last);
}

/** Takes every manifold out of its lane with its impulses (another solver goes on). */
export function releaseAllLanes(): void {
  const h: Header = header();
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0 || m.lane == NONE) continue;
    fetchLane(i);
    m.lane = NONE;
  }
  for (let c: u32 = 0; c < LISTS; c++) store<u32>(colorList(c), 0, 8);
  store<u32>(<usize>h.coloredState, 0, OPEN + 8);
  memory.fill(<usize>broadphaseState().colorMasks, 0, (<usize>broadphaseState().bodyCapacity) << 2);
}

/** Gives every manifold a lane with the impulses it has (the coloured solver takes over). Returns false without memory. */
export function adoptAllLanes(): bool {
  const h: Header = header();
  for (let i: u32 = 0; i < h.manifoldCount; i++) if (!adoptLane(i)) return false;
  return true;
}

/** The same for the manifolds of a body. */
export function adoptLanesOf(body: u32): bool {
  const h: Header = header();
  let c: u32 = changetype<BodyCold>(<usize>h.bodyColds + <usize>body * BODY_COLD_STRIDE).firstCollider;
  for (; c != NONE; c = changetype<Collider>(<usize>h.colliders + <usize>c * COLLIDER_STRIDE).next) {
    for (let end: u32 = firstEnd(c); end != NONE; end = nextEnd(end)) {
      let k: u32 = changetype<PairCold>(<usize>h.pairColds + <usize>(end >> 1) * PAIR_COLD_STRIDE).manifold;
      for (; k != NONE; k = manifoldAt(k).next) if (!adoptLane(k)) return false;
    }
  }
  return true;
}

function adoptLane(index: u32): bool {
  const m: Manifold = manifoldAt(index);
  if (m.count == 0 || m.lane != NONE || isResting(m)) return true;
  if (!insertLane(index)) return false;
  writeLane(index, true);
  return true;
}

// @ts-ignore: decorator
@inline
function store3(p: usize, x: f32, y: f32, z: f32): void {
  store<f32>(p, x);
  store<f32>(p, y, 16);
  store<f32>(p, z, 32);
}

/** Writes a manifold into its lane; `impulses` also writes impulses (they were fetched or matched before). */
export function writeLane(index: u32, impulses: bool): void {
  const h: Header = header();
  const m: Manifold = manifoldAt(index);
  const p: usize = lanePtr(m.color, m.lane);
  const ia: BodyInertia = changetype<BodyInertia>(<usize>h.bodyInertias + <usize>m.bodyA * BODY_INERTIA_STRIDE);
  const ib: BodyInertia = changetype<BodyInertia>(<usize>h.bodyInertias + <usize>m.bodyB * BODY_INERTIA_STRIDE);
  const massA: f32 = changetype<BodyRow>(<usize>h.bodyRows + <usize>m.bodyA * BODY_ROW_STRIDE).invMass;
  const massB: f32 = changetype<BodyRow>(<usize>h.bodyRows + <usize>m.bodyB * BODY_ROW_STRIDE).invMass;
  const mass: f32 = massA + massB;
  const axx: f32 = ia.xx,
    ayy: f32 = ia.yy,
    azz: f32 = ia.zz,
    axy: f32 = ia.xy,
    axz: f32 = ia.xz,
    ayz: f32 = ia.yz;
  const bxx: f32 = ib.xx,
    byy: f32 = ib.yy,
    bzz: f32 = ib.zz,
    bxy: f32 = ib.xy,
    bxz: f32 = ib.xz,
    byz: f32 = ib.yz;
  const nx: f32 = m.nx,
    ny: f32 = m.ny,
    nz: f32 = m.nz;
  const tx: f32 = m.tx,
    ty: f32 = m.ty,
    tz: f32 = m.tz;
  const ux: f32 = ny * tz - nz * ty,
    uy: f32 = nz * tx - nx * tz,
    uz: f32 = nx * ty - ny * tx;
  const count: u32 = m.count;
  store<u32>(p, m.bodyA * <u32>BODY_ROW_STRIDE, G_BODY_A);
  store<u32>(p, m.bodyB * <u32>BODY_ROW_STRIDE, G_BODY_B);
  store<u32>(p, index, G_MANIFOLD);
  store<u32>(p, count, G_COUNT);
  store3(p + G_NORMAL, nx, ny, nz);
  store3(p + G_TANGENT, tx, ty, tz);
  store<u32>(p, massA == 0 || massB == 0 ? 0xffffffff : 0, G_STATIC);
  store<f32>(p, m.friction, G_FRICTION);
  store<f32>(p, m.friction * m.twistRadius, G_TWIST_FRICTION);
  store<f32>(p, m.restitution, G_RESTITUTION);
  store<f32>(p, 1 - m.pushCut, G_PUSH_SHARE);
  if (impulses) {
    store<f32>(p, m.tangentImpulse1, G_TANGENT_IMPULSE);
    store<f32>(p, m.tangentImpulse2, G_TANGENT_IMPULSE + 16);
    store<f32>(p, m.twistImpulse, G_TWIST_IMPULSE);
  }
  let cax: f32 = 0,
    cay: f32 = 0,
    caz: f32 = 0,
    cbx: f32 = 0,
    cby: f32 = 0,
    cbz: f32 = 0;
  for (let i: u32 = 0; i < 4; i++) {
    const q: usize = p + G_POINTS + <usize>i * P_STRIDE;
    if (i >= count) {
      // An absent point: no arm, no mass, far away. It never carries an impulse.
      for (let f: usize = 0; f < P_STRIDE; f += 16) store<f32>(q + f, 0);
      store<f32>(q, 1, P_SEPARATION);
      continue;
    }
    const point: ManifoldPoint = pointOf(m, i);
    const ax: f32 = point.rax,
      ay: f32 = point.ray,
      az: f32 = point.raz;
    const bx: f32 = point.rbx,
      by: f32 = point.rby,
      bz: f32 = point.rbz;
    cax += ax;
    cay += ay;
    caz += az;
    cbx += bx;
    cby += by;
    cbz += bz;
    const lax: f32 = ay * nz - az * ny,
      lay: f32 = az * nx - ax * nz,
      laz: f32 = ax * ny - ay * nx;
    const lbx: f32 = by * nz - bz * ny,
      lby: f32 = bz * nx - bx * nz,
      lbz: f32 = bx * ny - by * nx;
    const jax: f32 = axx * lax + axy * lay + axz * laz,
      jay: f32 = axy * lax + ayy * lay + ayz * laz,
      jaz: f32 = axz * lax + ayz * lay + azz * laz;
    const jbx: f32 = bxx * lbx + bxy * lby + bxz * lbz,
      jby: f32 = bxy * lbx + byy * lby + byz * lbz,
      jbz: f32 = bxz * lbx + byz * lby + bzz * lbz;
    const k: f32 = mass + (lax * jax + lay * jay + laz * jaz) + (lbx * jbx + lby * jby + lbz * jbz);
    store3(q + P_ARM_A, lax, lay, laz);
    store3(q + P_ARM_B, lbx, lby, lbz);
    store3(q + P_TURN_A, jax, jay, jaz);
    store3(q + P_TURN_B, jbx, jby, jbz);
    store<f32>(q, k > 0 ? 1 / k : 0, P_MASS);
    store<f32>(q, point.separation, P_SEPARATION);
    if (impulses) {
      const impulse: f32 = point.impulse;
      // An impulse that comes from elsewhere is taken as a load that lasts.
      if (load<f32>(q, P_IMPULSE) != impulse) {
        store<f32>(q, impulse, P_IMPULSE);
        store<f32>(q, impulse, P_PREVIOUS);
        store<f32>(p + ((<usize>i) << 4), 0, G_EXCESS);
      }
    }
  }
  const w: f32 = 1 / <f32>count;
  cax *= w;
  cay *= w;
  caz *= w;
  cbx *= w;
  cby *= w;
  cbz *= w;
  // Friction at the mean of the points.
  const a1x: f32 = cay * tz - caz * ty,
    a1y: f32 = caz * tx - cax * tz,
    a1z: f32 = cax * ty - cay * tx;
  const b1x: f32 = cby * tz - cbz * ty,
    b1y: f32 = cbz * tx - cbx * tz,
    b1z: f32 = cbx * ty - cby * tx;
  const a2x: f32 = cay * uz - caz * uy,
    a2y: f32 = caz * ux - cax * uz,
    a2z: f32 = cax * uy - cay * ux;
  const b2x: f32 = cby * uz - cbz * uy,
    b2y: f32 = cbz * ux - cbx * uz,
    b2z: f32 = cbx * uy - cby * ux;
  const ja1x: f32 = axx * a1x + axy * a1y + axz * a1z,
    ja1y: f32 = axy * a1x + ayy * a1y + ayz * a1z,
    ja1z: f32 = axz * a1x + ayz * a1y + azz * a1z;
  const jb1x: f32 = bxx * b1x + bxy * b1y + bxz * b1z,
    jb1y: f32 = bxy * b1x + byy * b1y + byz * b1z,
    jb1z: f32 = bxz * b1x + byz * b1y + bzz * b1z;
  const ja2x: f32 = axx * a2x + axy * a2y + axz * a2z,
    ja2y: f32 = axy * a2x + ayy * a2y + ayz * a2z,
    ja2z: f32 = axz * a2x + ayz * a2y + azz * a2z;
  const jb2x: f32 = bxx * b2x + bxy * b2y + bxz * b2z,
    jb2y: f32 = bxy * b2x + byy * b2y + byz * b2z,
    jb2z: f32 = bxz * b2x + byz * b2y + bzz * b2z;
  store3(p + G_ARM_A1, a1x, a1y, a1z);
  store3(p + G_ARM_B1, b1x, b1y, b1z);
  store3(p + G_ARM_A2, a2x, a2y, a2z);
  store3(p + G_ARM_B2, b2x, b2y, b2z);
  store3(p + G_TURN_A1, ja1x, ja1y, ja1z);
  store3(p + G_TURN_B1, jb1x, jb1y, jb1z);
  store3(p + G_TURN_A2, ja2x, ja2y, ja2z);
  store3(p + G_TURN_B2, jb2x, jb2y, jb2z);
  const k11: f32 = mass + (a1x * ja1x + a1y * ja1y + a1z * ja1z) + (b1x * jb1x + b1y * jb1y + b1z * jb1z);
  const k22: f32 = mass + (a2x * ja2x + a2y * ja2y + a2z * ja2z) + (b2x * jb2x + b2y * jb2y + b2z * jb2z);
  const k12: f32 = a1x * ja2x + a1y * ja2y + a1z * ja2z + (b1x * jb2x + b1y * jb2y + b1z * jb2z);
  const det: f32 = k11 * k22 - k12 * k12;
  const inverse: f32 = det > 0 ? 1 / det : 0;
  store<f32>(p, k22 * inverse, G_TANGENT_MASS);
  store<f32>(p, -k12 * inverse, G_TANGENT_MASS + 16);
  store<f32>(p, k11 * inverse, G_TANGENT_MASS + 32);
  const anx: f32 = axx * nx + axy * ny + axz * nz,
    anY: f32 = axy * nx + ayy * ny + ayz * nz,
    anz: f32 = axz * nx + ayz * ny + azz * nz;
  const bnx: f32 = bxx * nx + bxy * ny + bxz * nz,
    bny: f32 = bxy * nx + byy * ny + byz * nz,
    bnz: f32 = bxz * nx + byz * ny + bzz * nz;
  store3(p + G_TURN_AN, anx, anY, anz);
  store3(p + G_TURN_BN, bnx, bny, bnz);
  const kn: f32 = nx * (anx + bnx) + ny * (anY + bny) + nz * (anz + bnz);
  store<f32>(p, kn > 0 ? 1 / kn : 0, G_TWIST_MASS);
  if (m.color == SEQUENTIAL) {
    const group: usize = p - ((<usize>(m.lane & 3)) << 2);
    repeatFirst(group, lanesUsed(group));
  } else if (m.color == OVERFLOW) {
    repeatFirst(p, 1);
  } else {
    fillUnused(m.color, load<u32>(colorList(m.color), 8));
  }
}
