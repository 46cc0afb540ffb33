// Compiles the AssemblyScript core: `node scripts/build_wasm.mjs release|study|test|all [--out file] [--if-stale] [--quick]`.
// release: assembly/index.ts -> build/talus.wasm and its inlined form src/wasm/binary.generated.ts.
// study: assembly/study.ts -> build/talus.study.wasm and its inlined form src/study/binary.generated.ts.
// test: as study, and assembly/testing.ts -> build/talus.test.wasm (internals exported, -O1).
// all: release and study. --if-stale compiles only if a source changed since the last build. --quick, of study alone: one pass of the
// optimizer instead of all (-O1), for trying methods. It takes a seventh of the time and computes the same bits, in up to twice the time; a
// build without --quick compiles again. Outputs are replaced by renaming, so a reader never sees half a file and two builds at once do no harm.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import binaryen from 'assemblyscript/binaryen';

/**
 * Functions up to this size are copied into their callers; asc sets 70 and has no option for it. At 40 the package is 1.2 kB
 * smaller (brotli) than at 50, and piles of hulls are up to 2 % slower; at 30 it would be 2.6 kB, and many scenes 2 to 5 %.
 */
const INLINE_SIZE = 40;
/** @type {any} the functions behind the API have no types */
const internals = binaryen;
const setInlineSize = internals._BinaryenSetFlexibleInlineMaxSize;
internals._BinaryenSetFlexibleInlineMaxSize = () => setInlineSize(INLINE_SIZE);
// After that: asc takes the function as it is when it is loaded.
const { default: asc } = await import('assemblyscript/asc');

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What each target is made of: output, entries, the TypeScript module with the binary in it. */
export const TARGETS = {
  release: {
    out: 'build/talus.wasm',
    entries: ['assembly/index.ts'],
    inlined: 'src/wasm/binary.generated.ts',
  },
  study: {
    out: 'build/talus.study.wasm',
    entries: ['assembly/study.ts'],
    inlined: 'src/study/binary.generated.ts',
  },
  test: {
    out: 'build/talus.test.wasm',
    entries: ['assembly/study.ts', 'assembly/testing.ts'],
    inlined: null,
  },
};

/** Hash of everything that a binary is made of. `target`: of asconfig.json. */
function sourceHash(target) {
  const hash = createHash('sha256').update(target).update(asc.version).update(`${INLINE_SIZE}`);
  const sources = readdirSync(join(root, 'assembly'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.ts'))
    .sort();
  for (const name of sources) hash.update(name).update(readFileSync(join(root, 'assembly', name)));
  for (const name of ['asconfig.json', 'scripts/value_types.mjs']) hash.update(readFileSync(join(root, name)));
  return hash.digest('hex');
}

function replaceFile(path, content) {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, content);
  renameSync(fresh, path);
}

/** The import of memory: module env, name memory, kind memory; its flags follow. */
const MEMORY_IMPORT = Buffer.from('\x03env\x06memory\x02', 'latin1');
const SHARED = 2;

/**
 * The binary as one that takes memory of its own alone. The flag is all that the two forms differ in, so the host sets it again for
 * a world with threads (src/platform/shared_core.ts).
 * @param {Buffer} binary changed in place
 */
export function unshared(binary) {
  const at = binary.indexOf(MEMORY_IMPORT) + MEMORY_IMPORT.length;
  if (at < MEMORY_IMPORT.length || (binary[at] & SHARED) === 0) throw new Error('the binary imports no shared memory');
  binary[at] &= ~SHARED;
  return binary;
}

/** Compiles one target; resolves to the path of the binary, rejects with the compiler's messages. */
export async function buildWasm(target, outFile = TARGETS[target].out, ifStale = false, isQuick = false) {
  const { entries } = TARGETS[target];
  const configured = isQuick ? 'quick' : target;
  const path = join(root, outFile);
  const hashPath = `${path}.hash`;
  mkdirSync(dirname(path), { recursive: true });
  const hash = sourceHash(configured);
  if (ifStale && existsSync(path) && existsSync(hashPath) && readFileSync(hashPath, 'utf8') === hash) return path;
  const fresh = `${outFile}.${process.pid}`;
  const options = ['--config', 'asconfig.json', '--target', configured, '--baseDir', root, '--outFile', fresh];
  const { error, stderr } = await asc.main([...entries, ...options]);
  const messages = stderr.toString();
  if (error) throw new Error(`${messages}\n${error.message}`);
  if (messages.trim() !== '') console.error(messages);
  writeFileSync(join(root, fresh), unshared(readFileSync(join(root, fresh))));
  renameSync(join(root, fresh), path);
  replaceFile(hashPath, hash);
  return path;
}

/** Codes that a string literal in single quotes cannot hold as they are. */
const ESCAPES = new Map([
  [0, '\\x00'],
  [10, '\\n'],
  [13, '\\r'],
  [39, "\\'"],
  [92, '\\\\'],
]);

/** Added to each byte, modulo 256: the frequent ones are then printable ASCII, one byte of UTF-8 and no escape. */
const SHIFT = 43;

/**
 * Writes a binary as a TypeScript module, so that bundlers need nothing for it: a string with a character a byte. Compressed
 * it is a quarter smaller than base64, which hides what repeats; modules are UTF-8 everywhere.
 */
export function inlineWasm(path, module) {
  const binary = readFileSync(path);
  const codes = binary.map((byte) => (byte + SHIFT) & 255);
  const hash = createHash('sha256').update(binary).digest('hex').slice(0, 8);
  const literal = Array.from(codes, (code) => ESCAPES.get(code) ?? String.fromCharCode(code)).join('');
  const text = `// Generated by scripts/build_wasm.mjs from assembly/. Do not edit.\n/** The compiled core: the code of each character, less ${SHIFT}, modulo 256, is a byte. */\nexport const wasmText =\n  '${literal}';\nexport { wasmHash } from './hash.generated';\n`;
  const hashText = `// Generated by scripts/build_wasm.mjs. Do not edit.\n/** The start of the SHA-256 of the core. */\nexport const wasmHash = 0x${hash};\n`;
  for (const [path, content] of [
    [module, text],
    [module.replace('binary.generated', 'hash.generated'), hashText],
  ]) {
    const generated = join(root, path);
    if (!existsSync(generated) || readFileSync(generated, 'utf8') !== content) replaceFile(generated, content);
  }
}

/**
 * Builds a target in a process of its own; resolves with its exit code.
 * @param {string} target
 * @param {boolean} ifStale
 * @returns {Promise<number>}
 */
function buildInProcess(target, ifStale) {
  const args = [fileURLToPath(import.meta.url), target, ...(ifStale ? ['--if-stale'] : [])];
  return new Promise((done) => {
    spawn(process.execPath, args, { stdio: 'inherit' }).once('exit', (code) => done(code ?? 1));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: 'string' },
      'if-stale': { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  });
  const target = positionals[0] ?? 'release';
  if (values.quick && target !== 'study') throw new Error('--quick is for the target study');
  if (target === 'all') {
    // A compile takes one core for a minute: both at once.
    const codes = await Promise.all(['release', 'study'].map((one) => buildInProcess(one, values['if-stale'])));
    process.exitCode = Math.max(...codes);
  } else {
    if (!Object.hasOwn(TARGETS, target)) throw new Error(`unknown target ${target}: ${Object.keys(TARGETS).join(', ')} or all`);
    const path = await buildWasm(target, values.out, values['if-stale'], values.quick);
    const { inlined } = TARGETS[target];
    if (inlined && !values.out) inlineWasm(path, inlined);
    console.log(`${path}: ${readFileSync(path).length} bytes`);
  }
}
