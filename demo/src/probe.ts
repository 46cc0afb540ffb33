// How fast this machine is, from a tenth of a second of stepping a small world, and what follows from it: the scene that the page
// opens with, the scenes that are marked as slow, the size that the page of measurements proposes. The rules are pure functions; world, clock and
// storage are given, so that tests decide what is found.

import { boxes720 } from '../../scenes/stacks';
import { populate } from '../../scenes/stage';
import type { createWorld as createStudyWorld } from '../../src/study/index';
import { SCENE_COSTS } from './scene_costs';

/** ms of steps that do not count: the browser compiles the core better meanwhile. */
const WARM_MS = 40;
/** ms of each of the measured stretches, of which the fastest counts: others were disturbed. Some clocks move by 1 ms. */
const STRETCH_MS = 25;
const STRETCHES = 3;
/** Steps between two looks at the clock. */
const BLOCK = 4;
/** Towers that touch from the first step on: 360 boxes, the same work in every step. */
const SCALE = 0.5;

/** ms that a step may take in a frame of 16.7, which is drawn as well. */
const STEP_MS = 13;
/** Piles that the page may open with, from large to small; `share` of the boxes of the scene. */
const OPENINGS = [
  { scene: 'boxes', count: 0, share: 1 },
  { scene: 'boxes', count: 2500, share: 0.48 },
  { scene: 'boxes-small', count: 0, share: 1 },
  { scene: 'boxes-small', count: 500, share: 0.5 },
  { scene: 'boxes-small', count: 200, share: 0.2 },
] as const;

/** What the probe needs of a world. */
export interface ProbeWorld {
  step(): unknown;
  dispose(): void;
}

/** ms of a step of a world, by that clock. Steps for about a tenth of a second, then disposes of the world. */
export function measureProbe(world: ProbeWorld, now: () => number = () => performance.now()): number {
  const stretch = (ms: number) => {
    const start = now();
    let steps = 0;
    let took = 0;
    do {
      for (let i = 0; i < BLOCK; i++) world.step();
      steps += BLOCK;
      took = now() - start;
    } while (took < ms);
    return took / steps;
  };
  stretch(WARM_MS);
  let least = Infinity;
  for (let i = 0; i < STRETCHES; i++) least = Math.min(least, stretch(STRETCH_MS));
  world.dispose();
  return least;
}

/** The world that is stepped: one thread on WASM, nothing asleep. */
export async function probeWorld(createWorld: typeof createStudyWorld): Promise<ProbeWorld> {
  const scene = boxes720({ scale: SCALE });
  const world = await createWorld({ gravity: scene.gravity, dt: scene.dt, sleep: false, bodyCapacity: scene.bodies.count });
  populate(world, scene);
  return world;
}

const KEY = 'talus-probe';

/** What an earlier visit has found with this version, ms; null for nothing. */
export function keptProbe(version: string, storage: Pick<Storage, 'getItem'>): number | null {
  try {
    const kept = JSON.parse(storage.getItem(KEY) ?? 'null');
    return kept?.version === version && kept.ms > 0 && kept.ms < 1e4 ? kept.ms : null;
  } catch {
    return null;
  }
}

export function keepProbe(version: string, ms: number, storage: Pick<Storage, 'setItem'>): void {
  try {
    storage.setItem(KEY, JSON.stringify({ version, ms }));
  } catch {
    // A page that may store nothing probes on every visit.
  }
}

/** ms that a step of a scene takes at its worst, with its standard number of bodies; 0 for scenes that fit themselves to the machine. */
export function stepMs(scene: string, probeMs: number): number {
  return (SCENE_COSTS[scene] ?? 0) * probeMs;
}

/** Whether a scene runs slower than life on a machine, with that share of its standard number of bodies. */
export function isSlow(scene: string, probeMs: number, share = 1): boolean {
  return share * stepMs(scene, probeMs) > STEP_MS;
}

/** The pile that the page opens with where no link names a scene; `count` 0 is the scene's own number. */
export function openingScene(probeMs: number, isNarrow: boolean): { scene: string; count: number } {
  // 5,160 boxes are specks on a narrow screen.
  const offered = OPENINGS.filter(({ scene }) => !isNarrow || scene !== 'boxes');
  const { scene, count } = offered.find((one) => one.share * stepMs(one.scene, probeMs) <= STEP_MS) ?? OPENINGS.at(-1)!;
  return { scene, count };
}
