// Runs scenes in the engine through the public API: worlds by variant (a label and options), and energy by frame. If this build lacks an
// option of a variant, the variant is left out and named.
import { create } from '../../bench/engines/talus.mjs';
import { buildScene } from '../../bench/lib/scenes.mjs';
import { createState, Motion } from '../../bench/lib/state.mjs';

export { buildScene };

/** The built `talus/study`, on which everything here runs: loaded once, so that a run of hours does not notice another build. */
export const loadStudy = () => import('talus/study');

/** Whether `createWorld` knows these options; answers the reason if not. */
export async function unsupported(options) {
  const { createWorld } = await loadStudy();
  try {
    (await createWorld(options)).dispose();
    return null;
  } catch (error) {
    if (error.code === 'invalid-argument' || error.code === 'unsupported') return error.message;
    throw error;
  }
}

/** Splits variants into those this build can run and labels of those it cannot. */
export async function available(variants) {
  const can = [];
  const missing = [];
  for (const variant of variants) {
    const reason = await unsupported(variant.options);
    if (reason === null) can.push(variant);
    else missing.push({ label: variant.label, reason });
  }
  return { can, missing };
}

let hasOneStep;

/**
 * Options of `iterations` sweeps over one whole step, as all three papers solve. Without `integration: 'one-step'` one substep
 * of soft and rigid sweeps, half of them each, comes nearest; splitting solvers, whose sweeps stay inside a block, take substeps.
 */
export async function oneStep(iterations, extra = {}) {
  hasOneStep ??= (await unsupported({ integration: 'one-step', iterations: 5, stabilization: 'baumgarte' })) === null;
  if (hasOneStep) return { integration: 'one-step', iterations, stabilization: 'baumgarte', ...extra };
  if (extra.solver?.includes('split')) {
    return { substeps: Math.max(1, Math.min(64, Math.round(iterations / 2))), sweeps: 1, contactHertzRatio: 0.08, ...extra };
  }
  return { substeps: 1, sweeps: Math.max(1, Math.min(32, Math.round(iterations / 2))), contactHertzRatio: 0.125, ...extra };
}

/** Names of the friction models in this build: per manifold with a circular bound, per point with a pyramid. */
export async function frictionNames() {
  const known = async (...names) => {
    for (const name of names) if ((await unsupported({ solver: 'pgs', frictionModel: name })) === null) return name;
    return names[0];
  };
  return { circle: await known('patch', 'manifold'), pyramid: await known('pyramid', 'point') };
}

/** What a report says where `oneStep` had to make do. */
export async function oneStepNote() {
  await oneStep(1);
  return hasOneStep
    ? ''
    : 'This build has no one-step integration; n iterations are n/2 soft and n/2 rigid sweeps of one substep, and for splitting n/2 substeps of one each.';
}

/** A world filled with a scene: body i of the scene has slot i. */
export async function open(scene, options = {}) {
  const engine = await create(scene, options, await loadStudy());
  const motion = new Motion(scene);
  const state = createState(scene.bodies.count);
  const { world } = engine;
  const indices = Uint32Array.from({ length: scene.bodies.count }, (_, i) => i);
  return {
    world,
    scene,
    indices,
    engine,
    motion,
    state,
    step: () => engine.step(),
    read() {
      engine.read(state);
      return state;
    },
    dispose: () => engine.dispose(),
  };
}

/** Lets other work run now and then, so that progress bars and signals are served. */
export const breathe = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Steps a run and samples it.
 * @param {object} run Of `open`.
 * @param {number} steps
 * @param {(step: number) => void} sample Called after each step.
 */
export async function advance(run, steps, sample = () => {}) {
  for (let i = 0; i < steps; i++) {
    const pending = run.step();
    if (pending) await pending;
    sample(i + 1);
    if (i % 16 === 15) await breathe();
  }
}

/** Mean kinetic energy of a body, J, from the engine's own sum. */
export function energyOfBody(world) {
  const m = world.measure();
  return m.kineticEnergy / Math.max(1, m.dynamicCount);
}
