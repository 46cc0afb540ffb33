// `npm run check`: everything that can be checked without running a test, each step with its time, stopping at the first
// that fails: layout, format and lint, the plain rules of the AssemblyScript and WGSL sources, build, types, package.
import { execSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const COLUMNS = 130;

/**
 * Biome parses neither AssemblyScript's decorators on functions nor WGSL: the rules it would enforce there that need no
 * parser. Returns one line a finding.
 */
function checkText() {
  const findings = [];
  for (const [folder, extension] of [
    ['assembly', '.ts'],
    ['shaders', '.wgsl'],
  ]) {
    for (const name of readdirSync(join(root, folder), { recursive: true }).map(String).sort()) {
      if (!name.endsWith(extension) || name.includes('.generated.')) continue;
      const text = readFileSync(join(root, folder, name), 'utf8');
      const report = (line, what) => findings.push(`${folder}/${name}:${line}: ${what}`);
      if (!text.startsWith('//')) report(1, 'no head comment');
      if (!text.endsWith('\n') || text.endsWith('\n\n')) report(1, 'must end with one newline');
      text.split('\n').forEach((line, i) => {
        if (line.length > COLUMNS) report(i + 1, `${line.length} columns, at most ${COLUMNS}`);
        if (/\s$/.test(line)) report(i + 1, 'white space at the end');
        if (/\t/.test(line)) report(i + 1, 'tab');
        if (/^( {2})* [^ *]/.test(line) && extension === '.ts') report(i + 1, 'indentation is not a multiple of 2');
        if (/(from|import) "/.test(line)) report(i + 1, 'double quotes');
      });
    }
  }
  return findings;
}

const steps = [
  ['layout', 'node scripts/gen_layout.mjs --check'],
  ['format and lint', 'npx --no-install biome ci --colors=off --error-on-warnings .'],
  ['core and shader sources', checkText],
  ['build', 'npm run --silent build'],
  ['types', 'npx --no-install tsc -p tsconfig.json && npx --no-install tsc -p tsconfig.scripts.json'],
  ['package', 'npx --no-install publint --strict && npm pack --dry-run --ignore-scripts --silent'],
];

for (const [name, step] of steps) {
  const start = performance.now();
  let output = '';
  let failed = false;
  if (typeof step === 'function') {
    output = step().join('\n');
    failed = output !== '';
  } else {
    try {
      execSync(`${step} 2>&1`, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
    } catch (error) {
      output = error.stdout;
      failed = true;
    }
  }
  console.log(`${failed ? 'FAILED' : 'ok'}  ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  if (failed) {
    console.log(output);
    process.exit(1);
  }
}
