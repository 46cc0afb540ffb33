// `talus/worker` for the live examples, as talus.js.
import { TalusWorker } from '../../dist/worker.js';

export * from '../../dist/worker.js';

globalThis.talusWorlds ??= [];
const { create } = TalusWorker;
TalusWorker.create = async (options) => {
  const world = await create.call(TalusWorker, options);
  globalThis.talusWorlds.push({
    get bodyCount() {
      return world.bodyCount;
    },
    get positions() {
      return world.positions;
    },
  });
  return world;
};
