// Version of an installed package, read from its package.json on disk: some packages do not export theirs.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export function packageVersion(name) {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, '../../node_modules', name, 'package.json'), 'utf8')).version;
}
