// `talus` for the live examples: the package, and the worlds of the page for the line below the picture (assets/site.js).
import * as talus from '../../dist/index.js';
import { stage } from './theme.js';

export * from '../../dist/index.js';

globalThis.talusWorlds = [];

export async function createWorld(options) {
  const world = await talus.createWorld(options);
  globalThis.talusWorlds.push(world);
  return world;
}

// In a worker of an example: the page says which theme it has.
if (typeof document === 'undefined') {
  const channel = new BroadcastChannel('talus-theme');
  channel.addEventListener('message', ({ data }) => {
    if (data !== 'ask') stage.theme = data;
  });
  channel.postMessage('ask');
}
