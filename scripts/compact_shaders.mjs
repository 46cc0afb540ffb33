// WGSL as the package carries it: without comments, indentation and empty lines, and with short names. No tool would take them
// out of the text of a module later.
//
// A name that some shader declares is renamed wherever it stands, in all shaders alike, so scopes do not matter and files go on
// sharing what they import. Left alone: names the host uses, attributes, `#import` lines, and what is not declared here (types,
// built-in functions, components of vectors).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Entry points, by which the host names them. */
const HOST = ['main'];
/** Declared here and elsewhere something of the language: components of vectors, address spaces, access modes, functions. */
const LANGUAGE = [
  'x',
  'y',
  'z',
  'w',
  'r',
  'g',
  'b',
  'a',
  'read',
  'write',
  'read_write',
  'storage',
  'uniform',
  'workgroup',
  'private',
  'function',
  'all',
  'any',
];
/** Several components of a vector: variables have such names, too. */
const COMPONENTS = /^([xyzw]{2,4}|[rgba]{2,4})$/;
const NAME = /(?<![@\w.]|#import +)[A-Za-z_]\w*|(?<=\.)[A-Za-z_]\w*/g;

/** Lines of a shader without what only people need. */
function bare(text) {
  const lines = text.split('\n').map((line) => line.replace(/\/\/.*$/, '').trim());
  return lines.filter((line) => line !== '').join('\n');
}

/**
 * a, b, ... z, A, ... aa, ab, ...
 * @returns {Generator<string, never>}
 */
function* shortNames() {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
  yield* letters;
  for (const first of letters) for (const second of letters) yield first + second;
  throw new Error('more names in the shaders than two letters give');
}

/** Names that a text declares: functions, structs and their members, variables, parameters. */
function declared(text) {
  const names = new Set();
  for (const [, name] of text.matchAll(/\b(?:fn|struct|alias|let|const|var(?:<[^>]*>)?)\s+([A-Za-z_]\w*)/g)) names.add(name);
  for (const [, name] of text.matchAll(/(?<![@\w])([A-Za-z_]\w*)\s*:/g)) names.add(name);
  return names;
}

/** Short names for what the shaders in a folder declare, the most frequent ones first. */
export function shaderNames(folder) {
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.wgsl'));
  const texts = files.sort().map((name) => bare(readFileSync(join(folder, name), 'utf8')));
  const counts = new Map();
  const renamed = new Set(texts.flatMap((text) => [...declared(text)]));
  // The host sets the constants of pipelines by name.
  for (const text of texts) for (const [, name] of text.matchAll(/\boverride\s+(\w+)/g)) renamed.delete(name);
  for (const name of [...HOST, ...LANGUAGE]) renamed.delete(name);
  for (const name of renamed) if (COMPONENTS.test(name)) renamed.delete(name);
  const taken = new Set([...HOST, ...LANGUAGE, 'as', 'do', 'fn', 'if', 'in', 'is', 'of', 'or']);
  for (const text of texts) {
    for (const [name] of text.matchAll(/[A-Za-z_]\w*/g)) {
      if (renamed.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
      else taken.add(name);
    }
  }
  const free = shortNames();
  const names = new Map();
  for (const [name] of [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))) {
    let short = free.next().value;
    while (taken.has(short)) short = free.next().value;
    names.set(name, short);
  }
  return names;
}

/** A shader with the names of shaderNames. */
export function compactShader(text, names) {
  return bare(text)
    .split('\n')
    .map((line) => (line.startsWith('#import') ? line : line.replace(NAME, (name) => names.get(name) ?? name)))
    .join('\n');
}
