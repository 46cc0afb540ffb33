// `npm run try:react`: the demos of tests/react/demos, which use components, props and hooks as users of react-three-rapier do. Checks their
// types as strictly as such a user does, runs each in headless Chromium and holds it to its claims. Pictures are in build/screenshots
// (react-*.png). Exit code 1 if one fails. Needs Chromium.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const STEPS = [
  ['types', 'node_modules/typescript/bin/tsc', '-p', 'tests/react/demos/tsconfig.json'],
  ['Chromium', 'node_modules/vitest/vitest.mjs', 'run', 'tests/react/demos.test.ts'],
];

for (const [name, script, ...args] of STEPS) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, [join(root, script), ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
