// The result of `world.measure()`.
import { MeasureResult } from '../layout.generated';
import type { LinearMemory } from '../wasm/memory';

/** State of the world after the last step. */
export interface Measures {
  /** Kinetic energy of all dynamic bodies, J. */
  kineticEnergy: number;
  /** Root mean square of the speeds of dynamic bodies, m/s. */
  rmsSpeed: number;
  /** Largest speed, m/s. */
  maxSpeed: number;
  /** Root mean square of their angular speeds, rad/s. */
  rmsSpin: number;
  /** Largest angular speed, rad/s. */
  maxSpin: number;
  /** Overlap of touching contacts, m: mean, 99th percentile, largest. */
  penetrationMean: number;
  penetrationP99: number;
  penetrationMax: number;
  /** Violation of complementarity at contacts, m/s: root mean square and largest of |min(K z, gap speed)|. */
  residualRms: number;
  residualMax: number;
  dynamicCount: number;
  manifoldCount: number;
  /** Number of contact points, speculative ones included. */
  contactCount: number;
  /** Number of contact points that overlap or carry an impulse. */
  touchingCount: number;
}

/** Reads a MeasureResult at a byte address. */
export function readMeasures(memory: LinearMemory, address: number): Measures {
  const f = (offset: number) => memory.f32[(address + offset) >>> 2]!;
  const u = (offset: number) => memory.u32[(address + offset) >>> 2]!;
  return {
    kineticEnergy: memory.f64[(address + MeasureResult.kineticEnergy) >>> 3]!,
    rmsSpeed: f(MeasureResult.rmsSpeed),
    maxSpeed: f(MeasureResult.maxSpeed),
    rmsSpin: f(MeasureResult.rmsSpin),
    maxSpin: f(MeasureResult.maxSpin),
    penetrationMean: f(MeasureResult.penetrationMean),
    penetrationP99: f(MeasureResult.penetrationP99),
    penetrationMax: f(MeasureResult.penetrationMax),
    residualRms: f(MeasureResult.residualRms),
    residualMax: f(MeasureResult.residualMax),
    dynamicCount: u(MeasureResult.dynamicCount),
    manifoldCount: u(MeasureResult.manifoldCount),
    contactCount: u(MeasureResult.contactCount),
    touchingCount: u(MeasureResult.touchingCount),
  };
}
