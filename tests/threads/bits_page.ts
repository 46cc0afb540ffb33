// The page of chromium_bits.test.ts: plays a scene in a world with so many threads, all of them there from the first step on.
import { createWorld } from '../../src/index';
import { type PLAYED, type Played, play } from '../helpers/played';

export interface PageRun {
  scene: Played & Pick<(typeof PLAYED)[number], 'settings'>;
  threads: number;
  /** Code of the workers. */
  text: string;
}

export interface BitsPage {
  run(asked: PageRun): Promise<{ used: number; seen: string[] }>;
}

async function run({ scene, threads, text }: PageRun): Promise<{ used: number; seen: string[] }> {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const world = await createWorld({
    ...scene.settings,
    ...(threads > 1 ? { threads, threadChoice: 'always', threadWorker: () => new Worker(address) } : {}),
  });
  const empty = world.snapshot();
  for (let i = 0; threads > 1 && world.profile.threads !== threads; i++) {
    if (i > 2000) throw new Error(`no ${threads} threads: ${world.settings.threadsReason}`);
    world.step();
    await new Promise((done) => setTimeout(done, 5));
  }
  world.restore(empty);
  const seen = play(world, scene);
  const used = world.profile.threads;
  world.dispose();
  URL.revokeObjectURL(address);
  return { used, seen };
}

Object.assign(globalThis, { run } satisfies BitsPage);
