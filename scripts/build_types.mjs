// Types of the package: `node scripts/build_types.mjs`, the last step of `npm run build`. Compiles src/ to declarations and
// leaves in dist/ what the entries lead to. Relative imports get the extension that Node's resolution asks for; sources have none.
// Parcel and TypeScript's resolution of old do not read `exports`: for them each entry is also a folder with a package.json.
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
const done = new Set();
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
for (const [entry, target] of Object.entries(exports)) {
  const name = target.types?.slice('./dist/'.length);
  if (name === undefined) continue;
  if (name.endsWith('.wasm.d.ts')) {
    copyFileSync(join(root, 'src', name), join(dist, name));
    continue;
  }
  publish(join(compiled, name), done);
  if (entry === '.') continue;
  const folder = join(root, entry);
  const toDist = (path) => relative(folder, join(root, path)).replaceAll('\\', '/');
  mkdirSync(folder, { recursive: true });
  const stub = { main: toDist(target.default), types: toDist(target.types) };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(stub)}\n`);
}
