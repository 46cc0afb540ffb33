// Changes the text of a built file and its source map alike: what the build inserts after minifying would shift all that the map says.
import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * @typedef {{ start: number, end?: number, text: string }} Edit replaces code from `start` to `end` (inserts where there is no end)
 * @typedef {{ fileName: string, code: string, map?: any }} Chunk
 */

/** Offsets at which the lines of a text start. */
function lineStarts(/** @type {string} */ text) {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return starts;
}

/**
 * A map of the text before the edits as one of the text after them. Edits are in the order of their places and do not overlap.
 * @param {string} mappings
 * @param {string} before
 * @param {string} after
 * @param {Edit[]} edits
 */
export function shiftMappings(mappings, before, after, edits) {
  const from = lineStarts(before);
  const to = lineStarts(after);
  /** @type {any[][]} */
  const lines = to.map(() => []);
  let [next, shift, line, removedTo] = [0, 0, 0, 0];
  decode(mappings).forEach((segments, row) => {
    for (const [column, ...rest] of segments) {
      const at = from[row] + column;
      while (next < edits.length && edits[next].start <= at) {
        const { start, end = start, text } = edits[next++];
        shift += text.length - (end - start);
        removedTo = end;
      }
      if (at < removedTo) continue;
      while (line + 1 < to.length && to[line + 1] <= at + shift) line++;
      lines[line].push([at + shift - to[line], ...rest]);
    }
  });
  return encode(lines);
}

/**
 * Makes edits in a chunk, its map, and the file of its map.
 * @param {Record<string, any>} bundle
 * @param {Chunk} chunk
 * @param {Edit[]} edits in the order of their places
 */
export function editChunk(bundle, chunk, edits) {
  if (edits.length === 0) return;
  const before = chunk.code;
  let [after, at] = ['', 0];
  for (const { start, end = start, text } of edits) {
    after += before.slice(at, start) + text;
    at = end;
  }
  chunk.code = after + before.slice(at);
  const file = bundle[`${chunk.fileName}.map`];
  if (!file) return;
  const map = JSON.parse(file.source);
  map.mappings = shiftMappings(map.mappings, before, chunk.code, edits);
  file.source = JSON.stringify(map);
}
