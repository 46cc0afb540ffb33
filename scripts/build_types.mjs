// Types of the package: `node scripts/build_types.mjs`, the last step of `npm run build`. Compiles src/ to declarations and
// leaves in dist/ what the entries lead to. Relative imports get the extension that Node's resolution asks for; sources have none.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const compiled = join(root, 'build/types');
const dist = join(root, 'dist');
const SPECIFIER = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\2/g;

/** Copies one declaration and all that it imports. */
function publish(file, done = new Set()) {
  if (done.has(file)) return done;
  done.add(file);
  const text = readFileSync(file, 'utf8').replace(SPECIFIER, (_, before, quote, path) => {
    const target = join(dirname(file), `${path}.d.ts`);
    if (!existsSync(target)) throw new Error(`${relative(compiled, file)}: '${path}' is not a declaration`);
    publish(target, done);
    return `${before}${quote}${path}.js${quote}`;
  });
  const to = join(dist, relative(compiled, file));
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text);
  return done;
}

rmSync(compiled, { recursive: true, force: true });
const tsc = join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
for (const name of readdirSync(dist, { recursive: true }).map(String)) {
  if (name.endsWith('.d.ts')) rmSync(join(dist, name));
}
const done = publish(join(compiled, 'index.d.ts'));
const ENTRIES = ['study', 'rigs', 'controllers', 'worker', 'three', 'three_webgpu', 'react'].map((entry) => `${entry}/index`);
for (const entry of [...ENTRIES, 'worker/thread']) publish(join(compiled, `${entry}.d.ts`), done);
for (const name of ['talus.wasm.d.ts', 'study.wasm.d.ts']) copyFileSync(join(root, 'src', name), join(dist, name));
