// Scenes of the laboratory: the four of Tonge's figure 6, and scenes with a draw of their own where the scene itself has none.
import { buildScene, Random } from '../../bench/lib/scenes.mjs';

/** Size of the boxes scene that is run with many seeds: 206 boxes of 5,160. */
export const SMALL_BOXES = 0.04;

/** The four scenes of figure 6, in full and in quick size, with the step at which they are looked at and how long they run. */
export function fourScenes(quick) {
  return [
    {
      label: 'boxes',
      name: 'boxes',
      options: { scale: quick ? SMALL_BOXES : 1 },
      frame: quick ? 150 : 240,
      steps: quick ? 300 : 720,
    },
    { label: 'chain', name: 'chain', options: {}, frame: 120, steps: quick ? 480 : 2400, nudge: 1e-3 },
    { label: 'card house', name: 'cardhouse-hit', options: {}, frame: 100, steps: quick ? 300 : 900 },
    { label: 'fracture', name: 'fracture', options: { scale: quick ? 0.3 : 1 }, frame: 50, steps: quick ? 300 : 900 },
  ];
}

/** The four with a small pile of boxes, as they are run with many seeds. */
export const seededScenes = (quick) =>
  fourScenes(quick).map((s) => (s.label === 'boxes' ? { ...s, label: 'boxes (206)', options: { scale: SMALL_BOXES } } : s));

/**
 * A scene of a seed. `nudge`: where nothing in the scene is random, each body that moves starts with a velocity of up to so many m/s in
 * each direction, drawn by the seed.
 * @param {{ name: string, options?: object, nudge?: number }} kind
 */
export function sceneOf({ name, options = {}, nudge = 0 }, seed) {
  const scene = buildScene(name, { seed, ...options });
  if (nudge === 0) return scene;
  const random = new Random(seed);
  const { count, density, linearVelocity } = scene.bodies;
  for (let i = 0; i < count; i++) {
    if (density[i] === 0) continue;
    for (let k = 0; k < 3; k++) linearVelocity[3 * i + k] += random.range(-nudge, nudge);
  }
  return scene;
}
