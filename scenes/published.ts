// Scenes of benchmarks that others publish, by family: builders, and how many steps the published figures are of. The bench runs them
// (bench/compare.mjs --published); they are no part of the menu of scenes.
import { publishedPile, publishedPyramid } from './babylon_box3d';
import { convexPile, junkyard, manyPyramids } from './box3d_piles';
import { hangingGrid } from './jointed_chains';
import { rain } from './rain';
import type { Scene, SceneOptions } from './types';
import { washer } from './washer';

export interface PublishedScene {
  build: (options: SceneOptions) => Scene;
  steps: number;
}

export const PUBLISHED: Readonly<Record<string, Readonly<Record<string, PublishedScene>>>> = {
  'babylon-box3d': {
    'pyramid-20': { build: (options) => publishedPyramid(20, options), steps: 600 },
    'pyramid-50': { build: (options) => publishedPyramid(50, options), steps: 600 },
    'pyramid-100': { build: (options) => publishedPyramid(100, options), steps: 600 },
    'pile-1000': { build: (options) => publishedPile(1000, options), steps: 600 },
    'pile-4000': { build: (options) => publishedPile(4000, options), steps: 600 },
  },
  box3d: {
    'many-pyramids': { build: manyPyramids, steps: 100 },
    'hanging-grid': { build: hangingGrid, steps: 100 },
    junkyard: { build: junkyard, steps: 500 },
    washer: { build: washer, steps: 1000 },
    'convex-pile': { build: convexPile, steps: 500 },
    rain: { build: rain, steps: 400 },
  },
};

/** A published scene by its name; undefined if there is none. */
export function publishedScene(name: string): PublishedScene | undefined {
  for (const family of Object.values(PUBLISHED)) if (Object.hasOwn(family, name)) return family[name];
  return undefined;
}
