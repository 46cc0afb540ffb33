// `npm run build:study [-- --quick]`: builds `talus/study` alone, for work on its methods: layout, core, dist/study.js. It leaves out the
// product, its bundles and the types. --quick: the core with one pass of the optimizer (build_wasm.mjs).
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const run = (file, ...args) => execFileSync(process.execPath, [join(root, file), ...args], { cwd: root, stdio: 'inherit' });

run('scripts/gen_layout.mjs');
run('scripts/build_wasm.mjs', 'study', '--if-stale', ...(values.quick ? ['--quick'] : []));
run('node_modules/vite/bin/vite.js', 'build', '--mode', 'study', '--logLevel', 'warn');
