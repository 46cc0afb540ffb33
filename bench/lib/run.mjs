// Runs one scene in several engines in lockstep: one step of each in turn, so that a busy machine slows all of them
// alike and the ratios stay meaningful. The first engine of the turn rotates. Reading states is not timed as stepping.
import { performance } from 'node:perf_hooks';
import { sceneDepth } from './depth.mjs';
import { createState, Motion } from './state.mjs';
import { median, quantile } from './stats.mjs';

/** Steps of the window whose median is the landing's. */
const LANDING_STEPS = 60;

/** Largest median of a window of steps: what the landing costs. */
function landingMs(ms) {
  let most = 0;
  const window = Math.min(LANDING_STEPS, ms.length);
  for (let from = 0; from + window <= ms.length; from += 10) most = Math.max(most, median(ms.slice(from, from + window)));
  return most;
}

/** Seconds at the end of a run over which speed and energy are averaged. */
const CALM_SECONDS = 2;

/**
 * @param {import('../../scenes/types').Scene} scene
 * @param {{ name: string, create: (scene: object) => Promise<object> }[]} factories
 * @param {{ steps: number, progress?: (step: number) => void, observer?: () => { sample(state: object): void, result(): object } }} options
 *   `observer` is made for each engine, sees every state and adds its result.
 */
export async function runLockstep(scene, factories, { steps, progress = () => {}, observer = undefined }) {
  const runs = [];
  for (const { name, create } of factories) {
    const begun = performance.now();
    const engine = await create(scene);
    const createMs = performance.now() - begun;
    const state = createState(scene.bodies.count);
    runs.push({
      name,
      engine,
      createMs,
      state,
      motion: new Motion(scene),
      observer: observer?.(),
      ms: [],
      cpuMs: [],
      readMs: [],
      failed: null,
      halfway: null,
    });
  }
  const window = Math.max(1, Math.min(Math.round(CALM_SECONDS / scene.dt), Math.floor(steps / 2)));
  for (let step = 0; step < steps; step++) {
    for (let k = 0; k < runs.length; k++) {
      const run = runs[(step + k) % runs.length];
      if (run.failed) continue;
      try {
        const cpu = process.cpuUsage();
        const begun = performance.now();
        const pending = run.engine.step();
        if (pending) await pending;
        run.ms.push(performance.now() - begun);
        const used = process.cpuUsage(cpu);
        run.cpuMs.push((used.user + used.system) / 1000);
        if (run.observer || step >= steps - window || step === Math.floor(steps / 2)) {
          const reading = performance.now();
          run.engine.read(run.state);
          run.readMs.push(performance.now() - reading);
          run.observer?.sample(run.state);
          if (step === Math.floor(steps / 2)) run.halfway = run.motion.displacement(run.state);
          if (step >= steps - window) run.motion.sample(run.state);
        }
      } catch (error) {
        run.failed = `step ${step}: ${error.message}`;
      }
    }
    progress(step + 1);
  }
  const results = [];
  for (const run of runs) {
    const { name, engine, ms, state, motion } = run;
    const half = Math.floor(ms.length / 2);
    if (!run.failed) engine.read(state);
    const depth = run.failed ? null : sceneDepth(scene, state.position, state.rotation);
    results.push({
      engine: name,
      version: engine.version,
      settings: engine.settings,
      failed: run.failed,
      steps: ms.length,
      createMs: run.createMs,
      msFirstHalf: median(ms.slice(0, half)),
      msSecondHalf: median(ms.slice(half)),
      msP95: quantile(ms, 0.95),
      msLanding: landingMs(ms),
      cpuMsSecondHalf: median(run.cpuMs.slice(half)),
      readMs: median(run.readMs),
      ...motion.calm(),
      ...(run.failed ? {} : run.observer?.result()),
      depth: depth?.pairs ?? null,
      ground: depth?.ground ?? null,
      lost: motion.lost(state),
      stands: scene.checks.stands ? { halfway: run.halfway, end: motion.displacement(state) } : null,
      massError: largestMassError(engine, motion),
      extra: engine.extra?.() ?? null,
      state,
    });
    engine.dispose();
  }
  return results;
}

/** Largest relative difference between an engine's masses and our own. */
function largestMassError(engine, motion) {
  let worst = 0;
  for (const i of motion.moving) worst = Math.max(worst, Math.abs(engine.mass(i) / motion.masses[i].mass - 1));
  return worst;
}
