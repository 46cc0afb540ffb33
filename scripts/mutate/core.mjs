// Compiles the core in memory with other texts in place of some files: with one fault, or with switches for many (switches.mjs).
// Input: the sources in a tree, texts by file. Output: the binary of the product, or the test build, which has the study and the exports
// for tests. The compiler stays loaded, so the first compile takes twice as long as later ones.
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import asc from 'assemblyscript/asc';
import { TARGETS, unshared } from '../build_wasm.mjs';
import { faultsAt, MARKS_TEXT, MOST_MARKS, SWITCH_FILE, SWITCH_TEXT, withMarks, withSwitches } from './switches.mjs';

/** @typedef {{ file: string, text: string, fault: import('./faults.mjs').Fault }} Mutant a source, its text and a fault in it */

/**
 * Resolves with the binary, null where it does not compile, and the errors.
 * @param {string} tree root of the sources
 * @param {'release' | 'test'} target
 * @param {Map<string, string>} texts by file, from the root
 * @param {string[]} more options of the compiler
 * @returns {Promise<{ binary: Buffer | null, errors: string }>}
 */
async function compile(tree, target, texts, more = []) {
  /** @type {Uint8Array | null} */
  let binary = null;
  const readFile = (name, baseDir) => {
    const path = resolve(baseDir, name);
    const text = texts.get(relative(tree, path));
    if (text !== undefined) return text;
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  };
  const writeFile = (_name, content) => {
    binary = content;
  };
  const stderr = asc.createMemoryStream();
  const { error } = await asc.main(
    // biome-ignore format: pairs
    [...TARGETS[target].entries, '--config', 'asconfig.json', '--target', 'test', '--baseDir', tree,
      '--outFile', 'mutant.wasm', ...more],
    { readFile, writeFile, stderr, stdout: asc.createMemoryStream() },
  );
  if (!error && binary !== null) return { binary: unshared(Buffer.from(binary)), errors: '' };
  return { binary: null, errors: `${stderr.toString()}\n${error?.message ?? ''}` };
}

/** Resolves with a binary, with `text` in place of `file`; null where it does not compile. */
export async function compileCore(tree, target, file = '', text = '') {
  return (await compile(tree, target, new Map(file === '' ? [] : [[file, text]]))).binary;
}

/** Places in errors of the compiler: file and offset in its text. */
function placesIn(errors, texts) {
  const places = [];
  for (const [, file, line, column] of errors.matchAll(/in (assembly\/\S+\.ts)\((\d+),(\d+)\)/g)) {
    const lines = (texts.get(file) ?? '').split('\n');
    const before = lines.slice(0, Number(line) - 1).reduce((sum, one) => sum + one.length + 1, 0);
    places.push({ file, offset: before + Number(column) - 1 });
  }
  return places;
}

/** The faults behind errors of the compiler; those of the whole file where an error is elsewhere in it: a constant that is none any more. */
function wrongOnes(errors, texts, sources) {
  const wrong = new Set();
  const places = placesIn(errors, texts);
  for (const { file, offset } of places) for (const id of faultsAt(sources.get(file)?.pieces ?? [], offset)) wrong.add(id);
  if (wrong.size === 0) for (const { file } of places) for (const id of sources.get(file)?.ids ?? []) wrong.add(id);
  if (wrong.size === 0) throw new Error(`mutants do not compile together: ${errors.slice(0, 2000)}`);
  return wrong;
}

/** Sources that `rewrite` (withSwitches, withMarks) has given switches or marks, by file, and the numbers of the faults in them. */
function sourcesOf(numbered, rewrite) {
  const sources = new Map();
  for (const { file, text } of numbered.values()) {
    if (sources.has(file)) continue;
    const ofFile = [...numbered].filter(([, one]) => one.file === file).map(([id, { fault }]) => ({ id, fault }));
    sources.set(file, rewrite(text, file, ofFile));
  }
  return { sources, ids: new Set([...sources.values()].flatMap(({ ids }) => ids)) };
}

const numbersOf = (mutants) => new Map(mutants.map((mutant, i) => [i + 1, mutant]));
const byMutant = (numbered, ids) => new Map([...numbered].filter(([id]) => ids.has(id)).map(([id, mutant]) => [mutant, id]));

/**
 * Resolves with one optimized binary for many mutants, each behind a switch with its number in `ids`. Those that need a compile of their
 * own are not among `ids`: outside functions, where the compiler needs a constant, or of another type.
 * @param {string} tree
 * @param {'release' | 'test'} target
 * @param {Mutant[]} mutants
 * @returns {Promise<{ binary: Buffer, ids: Map<Mutant, number> }>}
 */
export async function compileSwitched(tree, target, mutants) {
  let left = numbersOf(mutants);
  for (;;) {
    const { sources, ids } = sourcesOf(left, withSwitches);
    const texts = new Map([...sources].map(([file, { text }]) => [file, text])).set(SWITCH_FILE, SWITCH_TEXT);
    const { binary, errors } = await compile(tree, target, texts, [SWITCH_FILE, '--optimizeLevel', '3']);
    if (binary) return { binary, ids: byMutant(left, ids) };
    const wrong = wrongOnes(errors, texts, sources);
    left = new Map([...left].filter(([id]) => ids.has(id) && !wrong.has(id)));
  }
}

/**
 * Resolves with one optimized binary without a fault that marks the mutants of which it meets a place where they would compute another
 * value (`withMarks`); `ids`: their numbers. Of others nothing is known.
 * @param {string} tree
 * @param {'release' | 'test'} target
 * @param {Mutant[]} mutants
 * @returns {Promise<{ binary: Buffer, ids: Map<Mutant, number> }>}
 */
export async function compileMarked(tree, target, mutants) {
  let numbered = numbersOf(mutants.slice(0, MOST_MARKS - 1));
  // What does not compile side by side is marked where it is reached.
  const reach = new Set();
  for (;;) {
    const { sources, ids } = sourcesOf(numbered, (...source) => withMarks(...source, (id) => !reach.has(id)));
    const texts = new Map([...sources].map(([file, { text }]) => [file, text])).set(SWITCH_FILE, MARKS_TEXT);
    const { binary, errors } = await compile(tree, target, texts, [SWITCH_FILE, '--optimizeLevel', '3']);
    if (binary) return { binary, ids: byMutant(numbered, ids) };
    const wrong = wrongOnes(errors, texts, sources);
    // An expression that must stand alone, such as an address of the value types.
    const unmarked = new Set([...wrong].filter((id) => reach.has(id)));
    for (const id of wrong) reach.add(id);
    if (unmarked.size > 0) numbered = new Map([...numbered].filter(([id]) => !unmarked.has(id)));
  }
}
