// Worlds with threads in Node: options, what is said where there are none, state that comes and goes between worlds with and without,
// and that nothing of them is left behind.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildScene } from '../../scenes/index';
import { populate } from '../../scenes/stage';
import { createWorld, type World, type WorldOptions } from '../../src/index';
import { ERROR_LOST_THREAD } from '../../src/layout.generated';
import * as study from '../../src/study/index';
import { threadPool } from '../../src/threads/pool';
import { bytesOf } from '../../src/wasm/load';
import { stepUntilShared, threadsWith, workersAre } from '../helpers/threads';
import { makeProject, type Project } from '../helpers/worker_package';

const open: { dispose(): void }[] = [];
afterEach(() => {
  for (const world of open.splice(0)) world.dispose();
  expect(threadPool().workers.length).toBe(0);
});

async function make(options: WorldOptions = {}): Promise<World> {
  const world = await createWorld(options);
  open.push(world);
  return world;
}

const always = (threads: number): WorldOptions => ({ threads, threadChoice: 'always' });

async function pile(options: WorldOptions, count = 60): Promise<World> {
  const world = await make(options);
  populate(world, buildScene('mixed', { seed: 1, count }));
  return world;
}

function run(world: World, steps: number): number {
  for (let i = 0; i < steps; i++) world.step();
  return world.hash();
}

describe('the setting', () => {
  test('is 1 by default; a number, or auto, gives threads here', async () => {
    expect((await make()).settings).toMatchObject({ threads: 1, threadsReason: '' });
    expect((await make({ threads: 1 })).settings).toMatchObject({ threads: 1, threadsReason: '' });
    expect((await make({ threads: 6 })).settings).toMatchObject({ threads: 6, threadsReason: '' });
    const { threads } = (await make({ threads: 'auto' })).settings;
    expect(threads).toBeGreaterThanOrEqual(1);
    expect(threads).toBeLessThanOrEqual(8);
    expect(threadPool().workers.length).toBe(0);
  });

  test.each([0, 65, 2.5, '2', null])('%j is refused', async (threads) => {
    await expect(createWorld({ threads: threads as number })).rejects.toThrow(
      /options\.threads must be 'auto' or a whole number from 1 to 64/,
    );
  });

  test('other options of threads are checked', async () => {
    await expect(createWorld({ threadChoice: 'all' as 'always' })).rejects.toThrow(/'measured', 'always'/);
    await expect(createWorld({ threadWorker: 7 as unknown as string })).rejects.toThrow(/threadWorker must be an address/);
  });

  test('may be lowered, and raised to what the world was made with; settings in force may be passed on', async () => {
    const world = await make({ threads: 4 });
    world.set({ threads: 2 });
    expect(world.settings).toMatchObject({ threads: 2, threadsReason: '' });
    world.set({ threads: 4, substeps: 7 });
    expect(world.settings.threads).toBe(4);
    world.set({ threads: 9 });
    expect(world.settings.threads).toBe(4);
    expect(world.settings.threadsReason).toMatch(/was made for 4/);
    const other = await make({ ...world.settings });
    expect(other.settings).toMatchObject({ threads: 4, substeps: 7 });
    other.set(world.settings);
    const single = await make();
    single.set({ threads: 3 });
    expect(single.settings).toMatchObject({ threads: 1 });
    expect(single.settings.threadsReason).toMatch(/was made for 1/);
  });

  test('of talus/study too', async () => {
    const world = await study.createWorld({ threads: 2, threadChoice: 'always', solver: 'colored' });
    open.push(world);
    expect(world.settings).toMatchObject({ threads: 2, threadsReason: '' });
    await stepUntilShared(world as unknown as World, 2);
  });
});

describe('one thread, and a reason', () => {
  test('for a module; its bytes give threads', async () => {
    const { wasmText } = await import('../../src/wasm/binary.generated');
    const bytes = bytesOf(wasmText);
    const world = await make({ threads: 2, wasm: await WebAssembly.compile(bytes) });
    expect(world.settings.threads).toBe(1);
    expect(world.settings.threadsReason).toMatch(/compiled module/);
    expect((await make({ threads: 2, wasm: bytes })).settings.threads).toBe(2);
    await expect(createWorld({ threads: 2, wasm: new Uint8Array(9) })).rejects.toMatchObject({ code: 'unsupported' });
  });

  test("for 'auto' on a machine with one core", async () => {
    const here = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    Object.defineProperty(globalThis, 'navigator', { value: { hardwareConcurrency: 1 }, configurable: true });
    try {
      const world = await make({ threads: 'auto' });
      expect(world.settings).toMatchObject({ threads: 1, threadsReason: "'auto' found one core" });
      world.set({ threads: 1 });
      expect(world.settings.threadsReason).toBe('');
    } finally {
      if (here) Object.defineProperty(globalThis, 'navigator', here);
      else Reflect.deleteProperty(globalThis, 'navigator');
    }
  });

  test('for a page that is not isolated, without shared memory, without workers', async () => {
    const scope = globalThis as {
      crossOriginIsolated?: boolean;
      SharedArrayBuffer?: unknown;
      process: { getBuiltinModule?: unknown };
    };
    scope.crossOriginIsolated = false;
    try {
      const world = await make({ threads: 2 });
      expect(world.settings).toMatchObject({ threads: 1 });
      expect(world.settings.threadsReason).toMatch(/cross-origin isolated/);
      world.set({ substeps: 8 });
      expect(world.settings.threadsReason).toMatch(/cross-origin isolated/);
    } finally {
      delete scope.crossOriginIsolated;
    }
    const { getBuiltinModule } = scope.process;
    scope.process.getBuiltinModule = undefined;
    try {
      expect((await make({ threads: 2 })).settings.threadsReason).toMatch(/no workers/);
    } finally {
      scope.process.getBuiltinModule = getBuiltinModule;
    }
  });

  test('for workers that cannot be started', async () => {
    const refuse = () => {
      throw new Error('forbidden');
    };
    const world = await make({ ...always(3), threadWorker: refuse });
    expect(world.settings.threads).toBe(3);
    world.step();
    expect(world.settings).toMatchObject({ threads: 1 });
    expect(world.settings.threadsReason).toMatch(/forbidden/);
    expect(world.profile.threads).toBe(1);
  });
});

test('small worlds start no workers; large ones do by themselves', async () => {
  const small = await pile({ threads: 4 }, 20);
  run(small, 100);
  expect(threadPool().workers.length).toBe(0);
  const large = await pile({ threads: 2 }, 600);
  run(large, 40);
  expect(threadPool().workers.length).toBe(1);
});

describe('state', () => {
  test('goes between worlds with any number of threads', async () => {
    const one = await pile({});
    run(one, 60);
    const bytes = one.snapshot();
    const expected = run(one, 60);
    for (const threads of [2, 3, 8]) {
      const world = await make(always(threads));
      await stepUntilShared(world, threads);
      world.restore(bytes);
      expect(world.settings.threads).toBe(threads);
      expect(run(world, 30)).not.toBe(expected);
      const half = world.snapshot();
      expect(run(world, 30)).toBe(expected);
      world.restore(bytes);
      expect(run(world, 60)).toBe(expected);
      const back = await make();
      back.restore(half);
      expect(run(back, 30)).toBe(expected);
      expect(back.settings.threads).toBe(1);
      const local = world.snapshot(undefined, { local: true });
      const next = run(world, 20);
      world.restore(local);
      expect(run(world, 20)).toBe(next);
    }
  });

  test('is kept by clones, which have as many threads', async () => {
    const world = await pile(always(3));
    await stepUntilShared(world, 3);
    const twin = await world.clone();
    open.push(twin);
    expect(twin.settings.threads).toBe(3);
    expect(run(twin, 40)).toBe(run(world, 40));
    await stepUntilShared(twin, 3);
  });

  test('views are those of memory that has grown', async () => {
    const world = await make(always(3));
    await stepUntilShared(world, 3);
    const before = world.positions.buffer;
    expect(before).toBeInstanceOf(SharedArrayBuffer);
    populate(world, buildScene('mixed', { seed: 1, count: 3000 }));
    expect(world.positions.buffer).not.toBe(before);
    const alone = await make();
    populate(alone, buildScene('mixed', { seed: 1, count: 3000 }));
    while (alone.stepCount < world.stepCount) alone.step();
    // As many steps, but those before there was anything.
    expect(run(world, 3)).not.toBe(0);
    expect(world.positions.length).toBe(alone.positions.length);
  });

  test('is half done after a thread was lost, and whole again after a restore', async () => {
    const world = await pile(always(2));
    const bytes = world.snapshot();
    const expected = run(world, 20);
    const core = world['core' as keyof World] as unknown as { stepSolve(): number; stepEnd(): number };
    const { stepEnd } = core;
    core.stepEnd = () => stepEnd() | ERROR_LOST_THREAD;
    expect(() => world.step()).toThrow(/restore a snapshot/);
    core.stepEnd = stepEnd;
    expect(() => world.step()).toThrow(expect.objectContaining({ code: 'worker' }));
    expect(() => world.snapshot()).toThrow(expect.objectContaining({ code: 'worker' }));
    await expect(world.clone()).rejects.toMatchObject({ code: 'worker' });
    const held = world.positions;
    world.restore(bytes);
    expect(world.positions.buffer).not.toBe(held.buffer);
    expect(run(world, 20)).toBe(expected);
    await stepUntilShared(world, 2);
  });

  test('goes on when workers end at any time', async () => {
    const alone = await pile({});
    const world = await pile({ ...always(4), threadWorker: threadsWith('if (Math.random() < 0.02) process.exit(0);') });
    for (let i = 0; i < 200; i++) {
      world.step();
      if (i % 4 === 0) await new Promise((done) => setTimeout(done, 2));
    }
    expect(world.hash()).toBe(run(alone, 200));
  });
});

describe('nothing is left', () => {
  test('of disposed worlds: workers end with the last that they know', async () => {
    const [a, b] = [await make(always(4)), await make(always(2))];
    await stepUntilShared(a, 4);
    await stepUntilShared(b, 2);
    expect(threadPool().workers.length).toBe(3);
    b.dispose();
    b.dispose();
    expect(threadPool().workers.length).toBe(2);
    a.dispose();
    expect(threadPool().workers.length).toBe(0);
  });

  test('of dropped worlds', async () => {
    const { setFlagsFromString } = await import('node:v8');
    const { runInNewContext } = await import('node:vm');
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    await (async () => {
      const world = await createWorld(always(3));
      await stepUntilShared(world, 3);
    })();
    expect(threadPool().workers.length).toBe(2);
    for (let i = 0; i < 50 && threadPool().workers.length > 0; i++) {
      await new Promise((done) => setTimeout(done, 20));
      gc();
    }
    await workersAre(0);
  });
});

describe('the package', () => {
  let project: Project;
  beforeAll(async () => {
    project = await makeProject();
  });
  afterAll(() => project.remove());

  const program = (name: string, code: string) => {
    const path = join(project.folder, name);
    writeFileSync(path, code);
    return execFileSync(process.execPath, [path], { encoding: 'utf8', timeout: 60_000 });
  };
  const untilShared = `
for (let i = 0; i < 2000 && world.profile.threads < 3; i++) {
  world.step();
  await new Promise((done) => setTimeout(done, 5));
}
console.log(world.settings.threads, world.profile.threads, world.settings.threadsReason);`;
  // Threads join when their script has loaded, which takes as long as a busy machine likes: wait for time, not for steps.
  const untilSharedInWorker = (threads: number) => `
let used = 1;
for (let i = 0; i < 2000 && used < ${threads}; i++) {
  await world.step();
  await new Promise((done) => setTimeout(done, 5));
  used = (await world.profile).threads;
}`;

  test.each([
    ['talus', ''],
    ['talus/slim', ''],
    ['talus', `threadWorker: import.meta.resolve('talus/thread')`],
    ['talus', `threadWorker: () => new Worker(new URL(import.meta.resolve('talus/thread')))`],
  ])('%s %s: a process with a world that has threads ends by itself', (entry, option) => {
    const out = program(
      'plain.mjs',
      `import { Worker } from 'node:worker_threads';
import { createWorld } from '${entry}';
const world = await createWorld({ threads: 3, threadChoice: 'always', ${option} });
${untilShared}`,
    );
    expect(out).toBe('3 3 \n');
  });

  test('a world in a TalusWorker has threads of its own', () => {
    const out = program(
      'worker.mjs',
      `import { TalusWorker } from 'talus/worker';
const world = await TalusWorker.create({ threads: 3, threadChoice: 'always' });
const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
const body = world.createBody({ shape: box, position: [0, 2, 0] });
${untilSharedInWorker(3)}
world.frame();
const { threads, threadsReason } = await world.settings;
const bytes = await world.snapshot();
console.log(threads, used, threadsReason, bytes.buffer instanceof ArrayBuffer, world.getPosition(body, [0, 0, 0])[1] < 2);
world.dispose();`,
    );
    expect(out).toBe('3 3  true true\n');
  });

  test('a function cannot be sent to a TalusWorker, an address can', () => {
    const out = program(
      'function.mjs',
      `import { TalusWorker } from 'talus/worker';
try {
  await TalusWorker.create({ threads: 2, threadWorker: () => null });
} catch (error) {
  console.log(error.code);
}
const world = await TalusWorker.create({ threads: 2, threadChoice: 'always', threadWorker: import.meta.resolve('talus/thread') });
${untilSharedInWorker(2)}
console.log(used);
world.dispose();`,
    );
    expect(out).toBe('unsupported\n2\n');
  });

  test('the file of talus/thread stands alone', () => {
    const text = readFileSync(resolve(project.dist, 'thread.js'), 'utf8');
    expect(text).not.toMatch(/\bimport\b|\bexport\b/);
    expect(text.length).toBeLessThan(2500);
  });
});
