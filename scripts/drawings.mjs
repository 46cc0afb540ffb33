// Writes the drawings of the docs: `node scripts/drawings.mjs`, with `--check` says which differ. In: scripts/drawings/. Out: docs/drawings/*.svg,
// a file for each function.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as contact from './drawings/contact.mjs';
import * as core from './drawings/core.mjs';
import * as inside from './drawings/inside.mjs';
import * as joints from './drawings/joints.mjs';
import { LIMITS } from './drawings/limits.mjs';
import * as use from './drawings/use.mjs';
import * as world from './drawings/world.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../docs/drawings');

/** Drawings by the names of their files. */
export const DRAWINGS = { ...use, ...world, ...joints, ...contact, ...inside, ...core, ...LIMITS };

/** Findings, a line each: drawings that differ from their files, files without a drawing. */
export function checkDrawings() {
  const findings = [];
  for (const [name, draw] of Object.entries(DRAWINGS)) {
    const file = join(folder, `${name}.svg`);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== draw())
      findings.push(`docs/drawings/${name}.svg: run node scripts/drawings.mjs`);
  }
  for (const file of readdirSync(folder))
    if (!(file.replace(/\.svg$/, '') in DRAWINGS)) findings.push(`docs/drawings/${file}: no drawing of that name`);
  return findings;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!process.argv.includes('--check')) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [name, draw] of Object.entries(DRAWINGS)) writeFileSync(join(folder, `${name}.svg`), draw());
  }
  const findings = checkDrawings();
  for (const one of findings) console.log(one);
  process.exitCode = findings.length > 0 ? 1 : 0;
}
