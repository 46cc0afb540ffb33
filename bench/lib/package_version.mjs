// package.json of an installed package (or of this one, '.'), read from disk: some packages do not export theirs.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

export function packageInfo(name) {
  return JSON.parse(readFileSync(resolve(root, name === '.' ? '.' : `node_modules/${name}`, 'package.json'), 'utf8'));
}

export function packageVersion(name) {
  return packageInfo(name).version;
}
