// Derives conclusions from the results of a run: scaling laws, crossovers, and the comparison of two reports.
import { findCrossover, fitPowerLaw } from './statistics';
import type { Analysis, ProfileReport, Result } from './types';

/** Results with numbers. */
export function measured(results: readonly Result[]): (Result & { wall: NonNullable<Result['wall']> })[] {
  return results.filter((r): r is Result & { wall: NonNullable<Result['wall']> } => r.wall !== null && r.failed === null);
}

/** [bodies, median ms] of a contender on a scene, from small to large. */
export function curve(results: readonly Result[], scene: string, contender: string): [number, number][] {
  return measured(results)
    .filter((r) => r.scene === scene && r.contender === contender)
    .map((r): [number, number] => [r.bodies, r.wall.median])
    .sort((a, b) => a[0] - b[0]);
}

/** Scaling laws of all contenders, and where WebGPU overtakes the default WASM solver and the fastest WASM solver. */
export function analyze(report: Pick<ProfileReport, 'matrix' | 'results'>): Analysis {
  const { matrix, results } = report;
  const fits: Analysis['fits'] = [];
  const crossovers: Analysis['crossovers'] = [];
  const onWasm = matrix.contenders.filter((c) => c.backend === 'wasm').map((c) => c.id);
  const onGpu = matrix.contenders.filter((c) => c.backend === 'webgpu').map((c) => c.id);
  for (const scene of matrix.scenes) {
    for (const { id } of matrix.contenders) {
      const law = fitPowerLaw(curve(results, scene, id));
      if (law) fits.push({ scene, contender: id, law });
    }
    const best = new Map<number, number>();
    for (const id of onWasm) {
      for (const [size, ms] of curve(results, scene, id)) best.set(size, Math.min(ms, best.get(size) ?? Infinity));
    }
    const fastest = [...best].sort((a, b) => a[0] - b[0]);
    for (const challenger of onGpu) {
      const theirs = curve(results, scene, challenger);
      const add = (holder: string, points: [number, number][]) => {
        const crossover = findCrossover(points, theirs);
        if (crossover.kind !== 'unknown') crossovers.push({ scene, holder, challenger, crossover });
      };
      for (const holder of onWasm.slice(0, 1)) add(holder, curve(results, scene, holder));
      if (onWasm.length > 1) add('fastest WASM', fastest);
    }
  }
  return { fits, crossovers };
}

/** The same contender in the same group in two reports. Ratios are second over first. */
export interface Pair {
  key: string;
  scene: string;
  size: number;
  bodies: number;
  contender: string;
  first: Result;
  second: Result;
  ratio: number;
  /** Whether the 95 % bounds of the two medians lie apart. */
  apart: boolean;
}

/** Pairs of what two reports have in common. */
export function pairsOf(first: ProfileReport, second: ProfileReport): Pair[] {
  const others = new Map(measured(second.results).map((r) => [r.key, r]));
  const pairs: Pair[] = [];
  for (const a of measured(first.results)) {
    const b = others.get(a.key);
    if (!b || a.bodies !== b.bodies) continue;
    pairs.push({
      key: a.key,
      scene: a.scene,
      size: a.size,
      bodies: a.bodies,
      contender: a.contender,
      first: a,
      second: b,
      ratio: b.wall.median / a.wall.median,
      apart: a.wall.high < b.wall.low || b.wall.high < a.wall.low,
    });
  }
  return pairs;
}
