// The bench's own measures (bench/lib, plain JavaScript without Node) with types: energy, speeds and overlap in double
// precision with our own masses and geometry, so that no engine judges itself.

import { sceneDepth as depth } from '../bench/lib/depth.mjs';
import { Motion as BenchMotion, createState as create } from '../bench/lib/state.mjs';
import type { Scene } from '../scenes/index';
import type { State } from './engine';
import type { Overlap } from './types';

/** One sample of speed and energy. */
export interface Sample {
  count: number;
  squares: number;
}

export interface Motion {
  samples: Sample[];
  sample(state: State): void;
  calm(): { rmsSpeed: number; maxSpeed: number; energyMean: number; energyMax: number };
  lost(state: State): number;
}

export const createState: (count: number) => State = create;
export const createMotion = (scene: Scene): Motion => new BenchMotion(scene);

/** Overlap of body pairs on given poses. */
export function overlapOf(scene: Scene, state: State): Overlap {
  return depth(scene, state.position, state.rotation).pairs;
}
