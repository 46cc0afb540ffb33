// `talus` for the live examples: the package, and the worlds of the page for the line below the picture (assets/site.js).
import * as talus from '../../dist/index.js';

export * from '../../dist/index.js';

globalThis.talusWorlds = [];

export async function createWorld(options) {
  const world = await talus.createWorld(options);
  globalThis.talusWorlds.push(world);
  return world;
}
