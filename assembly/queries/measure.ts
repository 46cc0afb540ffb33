// How calm, how deep, how exact: measures of the state after a step, for tests, benches and callers. Reads bodies and
// manifolds, changes neither.
//
// LCP residual: a contact is complementary if its impulse z >= 0, its gap speed w = v_n + max(s, 0) / h >= 0, and one of
// them is 0. min(K z, w) is 0 exactly then; K z turns the impulse into the speed it makes, so both are m/s. A contact
// that bounces is not at rest and shows up with its separating speed where it still carries an impulse.
// s is the gap that the last pass solved for: the relax pass that at the end of the substep.
import { FLAG_ALIVE, FLAG_TYPE, coldAt, inertiaAt, rowAt } from '../bodies/rows';
import { manifoldAt, pointOf } from '../constraints/manifolds';
import { impulseStepBetween } from '../lanes/batches';
import { copyState, impulseOf, separationOf } from '../lanes/state';
import {
  BODY_DYNAMIC,
  BodyCold,
  BodyInertia,
  BodyRow,
  HISTOGRAM_STRIDE,
  Header,
  MEASURE_RESULT_STRIDE,
  Manifold,
  ManifoldPoint,
  MeasureResult,
} from '../layout.generated';
import { cross3, dot3 } from '../math/lane';
import { inverseRotate3, storeRotation } from '../math/quat';
import { allocate, release } from '../memory/allocator';
import { header } from '../memory/header';
import { hookAt } from '../memory/hook';

/** v . (M v) for a symmetric matrix that lies as that of a BodyInertia. */
function quadratic<T extends number>(m: BodyInertia, v: v128): T {
  const x: T = <T>f32x4.extract_lane(v, 0),
    y: T = <T>f32x4.extract_lane(v, 1),
    z: T = <T>f32x4.extract_lane(v, 2);
  const squares: T = <T>m.xx * x * x + <T>m.yy * y * y + <T>m.zz * z * z;
  return <T>(squares + <T>2 * (<T>m.xy * x * y + <T>m.xz * x * z + <T>m.yz * y * z));
}

/** The k-th smallest of n non-negative floats: radix select by bytes, whose order is that of the floats. */
function select(values: usize, n: u32, k: u32, histogram: usize): f32 {
  let prefix: u32 = 0;
  let mask: u32 = 0;
  let rank: u32 = k;
  for (let shift: i32 = 24; shift >= 0; shift -= 8) {
    memory.fill(histogram, 0, HISTOGRAM_STRIDE);
    for (let i: u32 = 0; i < n; i++) {
      const bits: u32 = load<u32>(values + ((<usize>i) << 2));
      if ((bits & mask) != prefix) continue;
      const slot: usize = histogram + ((<usize>((bits >> shift) & 255)) << 2);
      store<u32>(slot, load<u32>(slot) + 1);
    }
    let slot: usize = histogram;
    while (rank >= load<u32>(slot)) {
      rank -= load<u32>(slot);
      slot += 4;
    }
    prefix |= (<u32>((slot - histogram) >> 2)) << shift;
    mask |= (<u32>255) << shift;
  }
  return reinterpret<f32>(prefix);
}

/** The gap that the last pass solved for (a hook, memory/hook.ts: other solvers end with another pass). */
export class GapBias {
  /** Bias that the velocities were solved with, m/s: `gap` at the end of the step, `u` the speed at which it grows. */
  of(gap: f32, u: f32, substepRate: f32): f32 {
    return max<f32>(gap, 0) * substepRate;
  }
}

function measureBodies(result: MeasureResult, columns: usize): void {
  const h: Header = header();
  let energy: f64 = 0,
    speeds: f64 = 0,
    spins: f64 = 0;
  let maxSpeed2: f32 = 0,
    maxSpin2: f32 = 0;
  let count: u32 = 0;
  for (let i: u32 = 0; i < h.bodyCount; i++) {
    const cold: BodyCold = coldAt(i);
    if ((cold.flags & (FLAG_TYPE | FLAG_ALIVE)) != (BODY_DYNAMIC | FLAG_ALIVE)) continue;
    const v: v128 = rowAt(i).v,
      w: v128 = rowAt(i).w;
    storeRotation(v128.load(<usize>h.rotations + ((<usize>i) << 4)), columns);
    const v2: f32 = dot3(v, v),
      w2: f32 = dot3(w, w);
    // Of a large body that spins fast it does not fit into a single.
    const spin: f64 = quadratic<f64>(
      changetype<BodyInertia>(changetype<usize>(cold) + offsetof<BodyCold>('ixx')),
      inverseRotate3(columns, w),
    );
    energy += 0.5 * (<f64>cold.mass * <f64>v2 + spin);
    speeds += <f64>v2;
    spins += <f64>w2;
    maxSpeed2 = max<f32>(maxSpeed2, v2);
    maxSpin2 = max<f32>(maxSpin2, w2);
    count++;
  }
  const n: f64 = <f64>max<u32>(count, 1);
  result.dynamicCount = count;
  result.kineticEnergy = energy;
  result.rmsSpeed = <f32>sqrt<f64>(speeds / n);
  result.rmsSpin = <f32>sqrt<f64>(spins / n);
  result.maxSpeed = sqrt<f32>(maxSpeed2);
  result.maxSpin = sqrt<f32>(maxSpin2);
}

/** Measures the world. Returns the address of a MeasureResult, 0 (header error set) without memory. */
export function measure(): usize {
  const h: Header = header();
  if (h.measureState == 0) {
    h.measureState = <u32>allocate(MEASURE_RESULT_STRIDE);
    if (h.measureState == 0) return 0;
  }
  let manifolds: u32 = 0,
    contacts: u32 = 0;
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const count: u32 = manifoldAt(i).count;
    if (count != 0) manifolds++;
    contacts += count;
  }
  const scratchBytes: usize = HISTOGRAM_STRIDE + ((<usize>contacts) << 2);
  const scratch: usize = allocate(scratchBytes);
  if (scratch == 0) return 0;
  const depths: usize = scratch + HISTOGRAM_STRIDE;
  const result: MeasureResult = changetype<MeasureResult>(<usize>h.measureState);
  measureBodies(result, scratch);

  const bias: GapBias = hookAt<GapBias>(offsetof<Header>('gapBias'));
  let touching: u32 = 0;
  let depthSum: f64 = 0,
    residualSum: f64 = 0;
  let depthMax: f32 = 0,
    residualMax: f32 = 0;
  for (let i: u32 = 0; i < h.manifoldCount; i++) {
    const m: Manifold = manifoldAt(i);
    if (m.count == 0) continue;
    const n: v128 = f32x4(m.nx, m.ny, m.nz, 0);
    const rowA: BodyRow = rowAt(m.bodyA);
    const rowB: BodyRow = rowAt(m.bodyB);
    const inertiaA: BodyInertia = inertiaAt(m.bodyA);
    const inertiaB: BodyInertia = inertiaAt(m.bodyB);
    const invMass: f32 = rowA.invMass + rowB.invMass;
    const v: v128 = f32x4.sub(rowB.v, rowA.v);
    const wA: v128 = rowA.w,
      wB: v128 = rowB.w;
    for (let k: u32 = 0; k < m.count; k++) {
      const point: ManifoldPoint = pointOf(m, k);
      const separation: f32 = separationOf(m, k);
      const impulse: f32 = impulseOf(m, k);
      const aN: v128 = cross3(point.ra, n);
      const bN: v128 = cross3(point.rb, n);
      const mass: f32 = invMass + quadratic<f32>(inertiaA, aN) + quadratic<f32>(inertiaB, bN);
      const u: f32 = dot3(n, v) + dot3(bN, wB) - dot3(aN, wA);
      const gapSpeed: f32 = u + bias.of(separation, u, 1 / impulseStepBetween(m.bodyA, m.bodyB));
      const residual: f32 = abs<f32>(min<f32>(mass * impulse, gapSpeed));
      residualSum += <f64>residual * <f64>residual;
      residualMax = max<f32>(residualMax, residual);
      if (separation >= 0 && impulse <= 0) continue;
      const depth: f32 = max<f32>(-separation, 0);
      store<f32>(depths + ((<usize>touching) << 2), depth);
      depthSum += <f64>depth;
      depthMax = max<f32>(depthMax, depth);
      touching++;
    }
  }
  result.manifoldCount = manifolds;
  result.contactCount = contacts;
  result.touchingCount = touching;
  result.penetrationMean = touching == 0 ? 0 : <f32>(depthSum / <f64>touching);
  result.penetrationMax = depthMax;
  result.penetrationP99 = touching == 0 ? 0 : select(depths, touching, <u32>((<u64>touching * 99 + 99) / 100) - 1, scratch);
  result.residualRms = contacts == 0 ? 0 : <f32>sqrt<f64>(residualSum / <f64>contacts);
  result.residualMax = residualMax;
  release(scratch, scratchBytes);
  return changetype<usize>(result);
}

/** Substeps that an impulse of a manifold is one of. */
export function substepsOfManifold(index: u32): f32 {
  const m: Manifold = manifoldAt(index);
  return header().dt / impulseStepBetween(m.bodyA, m.bodyB);
}

/** Copies the state of a manifold into its record and returns its address: how the host reads contacts. */
export function readManifold(index: u32): usize {
  const m: Manifold = manifoldAt(index);
  copyState(m, m);
  return changetype<usize>(m);
}
