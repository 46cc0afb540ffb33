// Formats assembly/ with Biome: `node scripts/format_assembly.mjs [--check]`. Biome does not parse decorators on functions
// and constants, which AssemblyScript has (@inline), so copies of the files are formatted in which they are comments.
// --check writes nothing, lists the files that would change and fails if there are any.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const check = process.argv.includes('--check');
const names = readdirSync(join(root, 'assembly'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.ts') && !name.includes('.generated.'))
  .sort();

const folder = mkdtempSync(join(tmpdir(), 'talus-format-'));
let changed = 0;
try {
  const { formatter, javascript } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ formatter, javascript }));
  const texts = names.map((name) => readFileSync(join(root, 'assembly', name), 'utf8'));
  names.forEach((name, i) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), texts[i].replace(/^@inline(?=\s)/gm, '/*@inline*/'));
  });
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const result = spawnSync(process.execPath, [biome, 'format', '--colors=off', '--write', '.'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(result.stderr);
  names.forEach((name, i) => {
    const formatted = readFileSync(join(folder, name), 'utf8').replace(/\/\*@inline\*\//g, '@inline');
    if (formatted === texts[i]) return;
    changed++;
    console.log(`${check ? 'not formatted (npm run format)' : 'formatted'}: assembly/${name}`);
    if (!check) writeFileSync(join(root, 'assembly', name), formatted);
  });
} finally {
  rmSync(folder, { recursive: true });
}
if (check && changed > 0) process.exit(1);
