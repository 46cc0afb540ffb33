// What `npm run fuzz` and `npm run soak` do (scripts/fuzz.mjs has their options): random worlds of the driver, in numbers that tests have no
// time for. A world that fails is shrunk to a script.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Counts, driverOf, noCounts, type Outcome, playWorld, shrinkWorld } from './driver';
import { scriptText } from './script';

/** Calls of a world: the same as in tests/robustness/fuzz.test.ts, or its seeds mean other worlds. */
export const CALLS_A_WORLD = 1000;

export interface Options {
  /** Seed of the first world. */
  seed: number;
  /** Root of the repository; scripts go to build/fuzz in it. */
  root: string;
  log: (line: string) => void;
}

/** Shrinks a failure, writes its script, and runs it. */
async function report(seed: number, outcome: Outcome, { root, log }: Options): Promise<void> {
  log(`seed ${seed} fails after ${outcome.calls.length} calls: ${outcome.fault!.message}\nshrinking...`);
  const small = await shrinkWorld(seed, outcome);
  const folder = join(root, 'build/fuzz');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${seed}.mjs`);
  writeFileSync(path, scriptText(seed, small.calls, small.fault!));
  const { status } = spawnSync(process.execPath, [path], { timeout: 60_000 });
  const name = relative(root, path);
  log(`${small.calls.length} calls are left: ${small.fault!.message.split('\n')[0]}`);
  log(status === 0 ? `${name} has the calls, but throws nothing: only the driver sees the fault` : `\`node ${name}\` shows it`);
}

const summary = (counts: Counts) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** Plays worlds until they have had so many calls. Returns whether none failed; the first that fails ends it. */
export async function fuzz(options: Options & { calls: number }): Promise<boolean> {
  const { seed: first, calls, log } = options;
  const counts = noCounts();
  const worlds = Math.max(1, Math.ceil(calls / CALLS_A_WORLD));
  log(`${worlds} worlds of ${CALLS_A_WORLD} calls, seeds ${first} to ${first + worlds - 1}`);
  for (let seed = first; seed < first + worlds; seed++) {
    const outcome = await playWorld(seed, CALLS_A_WORLD, counts);
    if (outcome.fault) {
      await report(seed, outcome, options);
      return false;
    }
    if ((seed - first + 1) % 100 === 0) log(`${seed - first + 1} worlds: ${summary(counts)}`);
  }
  log(`no world failed: ${summary(counts)}`);
  return true;
}

/** Rounds of a world of a soak. After each round everything is removed. */
const ROUNDS = 20;
/** Worlds after which the memory of the process is at its size. */
const WARM_WORLDS = 5;
const MEGABYTE = 2 ** 20;

/** Memory that this process holds, bytes, after a collection of garbage if Node allows one. */
function memoryHeld(): number {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * Plays long worlds until the time is over: 20 rounds of 1000 calls each, after which everything is removed. Checks that nothing is left
 * then, that the memory of a world does not grow in each of its later rounds, and that the process holds no more memory than twice that
 * of its first worlds.
 */
export async function soak(options: Options & { minutes: number }): Promise<boolean> {
  const { minutes, log } = options;
  const end = performance.now() + 60_000 * minutes;
  const counts = noCounts();
  let [seed, worlds, usual] = [options.seed, 0, 0];
  log(`worlds of ${ROUNDS} rounds of ${CALLS_A_WORLD} calls for ${minutes} min, from seed ${seed}`);
  do {
    const { outcome, grew } = await playRounds(seed, counts, () => performance.now() > end);
    if (outcome.fault) {
      await report(seed, outcome, options);
      return false;
    }
    if (grew) {
      log(`seed ${seed}: ${grew}`);
      return false;
    }
    const held = memoryHeld();
    if (worlds < WARM_WORLDS) usual = Math.max(usual, held);
    else if (held > 2 * usual + 64 * MEGABYTE) {
      log(
        `the process holds ${(held / MEGABYTE).toFixed()} MB after seed ${seed}, and held ${(usual / MEGABYTE).toFixed()} MB at first`,
      );
      return false;
    }
    worlds++;
    seed++;
    log(`${worlds} worlds, ${(held / MEGABYTE).toFixed()} MB: ${summary(counts)}`);
  } while (performance.now() < end);
  log('no world failed');
  return true;
}

/** One world of a soak, until its end or that of the time. */
export async function playRounds(
  seed: number,
  counts: Counts,
  isOver: () => boolean,
  rounds = ROUNDS,
): Promise<{ outcome: Outcome; grew: string | null }> {
  const driver = await driverOf(seed, counts);
  const used: number[] = [];
  try {
    for (let round = 0; round < rounds && (round === 0 || !isOver()); round++) {
      await driver.floor();
      const from = counts.calls;
      for (let i = 0; counts.calls - from < CALLS_A_WORLD; i++) {
        await driver.play();
        if (i % 50 === 49) await driver.act('#check');
      }
      await driver.act('#check');
      await driver.act('#work');
      await driver.act('#clear');
      used.push(driver.header('memoryUsed'));
    }
    await driver.act('#dispose');
  } catch (error) {
    driver.world.dispose();
    return { outcome: driver.failed(error), grew: null };
  }
  // Arrays keep the capacity of the fullest moment so far, which a later round may beat once in a while; a leak shows in every round.
  const late = used.slice(used.length >> 1);
  const grows = late.length >= 5 && late.every((bytes, i) => i === 0 || bytes > late[i - 1]!);
  return {
    outcome: { fault: null, calls: [] },
    grew: grows ? `memory of the empty world after each round: ${used.join(', ')} bytes` : null,
  };
}
