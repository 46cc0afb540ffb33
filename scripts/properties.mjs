// Plays the properties of tests/properties on more random scenes than the suite does:
// `npm run properties -- [--seeds N] [--only NAME] [--seed N]`. A failure prints its seed, a smaller scene and the command for it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, only: { type: 'string' }, seed: { type: 'string' } },
});
for (const key of ['seeds', 'seed']) {
  const value = values[key];
  if (value !== undefined && !/^\d+$/.test(value)) {
    console.error(`--${key} takes a whole number, not '${value}'`);
    process.exit(2);
  }
}
const env = {
  ...process.env,
  TALUS_PROPERTIES_SEEDS: values.seeds,
  ...(values.only === undefined ? {} : { TALUS_PROPERTIES_ONLY: values.only }),
  ...(values.seed === undefined ? {} : { TALUS_PROPERTIES_SEED: values.seed }),
};
const root = join(import.meta.dirname, '..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'tests/properties/properties.test.ts'], {
  cwd: root,
  env,
  stdio: 'inherit',
});
process.exit(status ?? 1);
