// How large the package is: for each entry the files of dist/ that it loads, raw and with brotli. In: dist/ (`npm run build`). Out: an
// object that bench/results/sizes.json keeps, and that the docs take their figures from.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/**
 * Files of dist/ that an entry loads where nothing is bundled.
 * @param {string} dist
 * @param {string} file
 * @param {Set<string>} files those found so far
 */
export function filesOf(dist, file, files = new Set()) {
  if (files.has(file)) return files;
  files.add(file);
  const text = readFileSync(join(dist, file), 'utf8');
  for (const [, name] of text.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g)) filesOf(dist, name, files);
  return files;
}

/**
 * Sizes in bytes.
 * @param {string} root folder of the package
 */
export function measureSizes(root) {
  const dist = join(root, 'dist');
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  /** @type {Map<string, { raw: number, brotli: number }>} */
  const known = new Map();
  const sizeOf = (/** @type {string} */ file) => {
    const found = known.get(file);
    if (found) return found;
    const bytes = readFileSync(join(dist, file));
    const size = { raw: bytes.length, brotli: brotliCompressSync(bytes).length };
    known.set(file, size);
    return size;
  };
  const sum = (/** @type {Iterable<string>} */ files) => {
    const total = { raw: 0, brotli: 0 };
    for (const file of files) {
      const { raw, brotli } = sizeOf(file);
      total.raw += raw;
      total.brotli += brotli;
    }
    return total;
  };
  const base = filesOf(dist, 'index.js');
  /** @type {Record<string, { raw: number, brotli: number, added: number }>} */
  const entries = {};
  for (const [path, target] of Object.entries(exports)) {
    if (typeof target === 'string') continue;
    const file = target.default.replace('./dist/', '');
    const files = file.endsWith('.js') ? filesOf(dist, file) : new Set([file]);
    // With bytes that come on top of `talus`, whose files an entry shares.
    const added = sum([...files].filter((one) => !base.has(one))).brotli;
    entries[`talus${path.slice(1)}`] = { ...sum(files), added };
  }
  return { entries };
}
