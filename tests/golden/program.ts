// A program that plays the quick part of the golden table, or the runs that its arguments name, up to the step in TALUS_GOLDEN_STEPS. It
// runs in any runtime for JavaScript: other engines, other processors. Prints a line per run; ends with exit code 1 if hashes differ.
import { createWorld } from '../../src/index';
import { ADVICE, changesOf } from './compare';
import { playGolden, settingsOf } from './run';
import { PRODUCT_RUNS, SHORT_RUNS } from './runs';
import { TABLE } from './table';

const names = process.argv.slice(2);
const limit = Number(process.env.TALUS_GOLDEN_STEPS ?? 600);
const runs = names.length > 0 ? PRODUCT_RUNS.filter(({ name }) => names.includes(name)) : SHORT_RUNS;
let same = 0;
for (const { steps, ...rest } of runs) {
  const run = { ...rest, steps: steps.filter((step) => step <= limit) };
  const start = performance.now();
  const world = await createWorld(settingsOf(run) as object);
  const changes = changesOf(run.name, TABLE[run.name], playGolden(world as never, run));
  world.dispose();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(changes || `${run.name}: same after ${run.steps.join(', ')} steps (${seconds} s)`);
  if (!changes) same++;
}
console.log(`golden ${same} of ${runs.length} runs are the same on ${process.platform} ${process.arch}`);
if (same < Math.max(1, runs.length)) {
  console.log(ADVICE);
  process.exitCode = 1;
}
