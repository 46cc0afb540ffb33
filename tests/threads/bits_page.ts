// The page of chromium_bits.test.ts: plays a scene in a world with so many threads, all of them there from the first step on.
import { createWorld, type World, type WorldOptions } from '../../src/index';
import { type Checkpoints, type GoldenRun, playGolden, settingsOf } from '../golden/run';
import { type PLAYED, type Played, play } from '../helpers/played';

interface Threads {
  threads: number;
  /** Code of the workers. */
  text: string;
}

export interface PageRun extends Threads {
  scene: Played & Pick<(typeof PLAYED)[number], 'settings'>;
}

export interface PageGolden extends Threads {
  golden: GoldenRun;
}

export interface BitsPage {
  run(asked: PageRun): Promise<{ used: number; seen: string[] }>;
  runGolden(asked: PageGolden): Promise<{ used: number; seen: Checkpoints }>;
}

/** Calls with an empty world whose threads are all there. */
async function inWorld<T>({ threads, text }: Threads, settings: WorldOptions, call: (world: World) => T) {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const world = await createWorld({
    ...settings,
    ...(threads > 1 ? { threads, threadChoice: 'always', threadWorker: () => new Worker(address) } : {}),
  });
  const empty = world.snapshot();
  for (let i = 0; threads > 1 && world.profile.threads !== threads; i++) {
    if (i > 2000) throw new Error(`no ${threads} threads: ${world.settings.threadsReason}`);
    world.step();
    await new Promise((done) => setTimeout(done, 5));
  }
  world.restore(empty);
  const seen = call(world);
  const used = world.profile.threads;
  world.dispose();
  URL.revokeObjectURL(address);
  return { used, seen };
}

const run = ({ scene, ...threads }: PageRun) => inWorld(threads, scene.settings ?? {}, (world) => play(world, scene));

const runGolden = ({ golden, ...threads }: PageGolden) =>
  inWorld(threads, settingsOf(golden) as WorldOptions, (world) => playGolden(world as never, golden));

Object.assign(globalThis, { run, runGolden } satisfies BitsPage);
