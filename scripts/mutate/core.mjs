// Compiles the core with a fault in one of its files, in memory: the compiler reads the mutated text in place of the file.
// Input: the sources in a tree, a file and its text. Output: a binary as the build of a target, without the optimizer (a fifth of the
// time) or with one pass of it. The compiler stays loaded, so the first compile takes twice as long as later ones.
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import asc from 'assemblyscript/asc';
import { TARGETS, unshared } from '../build_wasm.mjs';

/**
 * Resolves with the binary; null where it does not compile.
 * @param {string} tree root of the sources
 * @param {'test' | 'release'} target
 * @param {{ file: string, text: string } | null} mutant null: the sources as they are
 * @param {boolean} isOptimized
 * @returns {Promise<Buffer | null>}
 */
export async function compileCore(tree, target, mutant, isOptimized = false) {
  /** @type {Uint8Array | null} */
  let binary = null;
  const readFile = (name, baseDir) => {
    const path = resolve(baseDir, name);
    if (mutant && relative(tree, path) === mutant.file) return mutant.text;
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return null;
    }
  };
  const writeFile = (_name, content) => {
    binary = content;
  };
  const { error } = await asc.main(
    // biome-ignore format: pairs
    [...TARGETS[target].entries, '--config', 'asconfig.json', '--target', 'test', '--baseDir', tree,
      '--optimizeLevel', isOptimized ? '1' : '0', '--outFile', 'mutant.wasm'],
    { readFile, writeFile, stderr: asc.createMemoryStream(), stdout: asc.createMemoryStream() },
  );
  return error || binary === null ? null : unshared(Buffer.from(binary));
}
