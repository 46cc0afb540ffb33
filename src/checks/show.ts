// How messages show a given value, the known word it may have been meant for, and the message of a thrown value.
import { oursOf, WORDS } from './words';

/** Returns a value as an error message shows it. */
export function show(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 60 ? `${value.slice(0, 60)}...` : value}'`;
  if (typeof value === 'function') return 'a function';
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? `${value}n (a bigint)` : String(value);
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === 'Promise') return 'a promise (await is missing)';
  if (typeof (value as ArrayLike<number>).length === 'number')
    return `${/^[AI]/.test(tag) ? 'an' : 'a'} ${tag} of ${(value as ArrayLike<number>).length}`;
  const keys = Object.keys(value).slice(0, 4);
  return tag === 'Object' ? (keys.length > 0 ? `an object with ${keys.join(', ')}` : 'an object without fields') : `a ${tag}`;
}

/** Returns the message of a thrown value. */
export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Returns the number of edits (add, remove or replace a character) from one word to another. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let k = 0; k < b.length; k++) next.push(Math.min(row[k]! + +(a[i] !== b[k]), row[k + 1]! + 1, next[k]! + 1));
    row = next;
  }
  return row[b.length]!;
}

const bare = (word: string) => word.toLowerCase().replace(/[-_ ]/g, '');
const FOREIGN = new Map(Object.entries(WORDS).map(([word, ours]) => [bare(word), ours]));

/** Returns `: did you mean 'x'?` if a known word is close to the given one, else ''. */
export function meant(given: unknown, words: readonly string[]): string {
  if (typeof given !== 'string' || given.length > 40) return '';
  const ours = oursOf(FOREIGN.get(bare(given)) ?? '');
  const alias = ours.words.find((word) => words.includes(word));
  if (alias !== undefined) return `: did you mean '${alias}'${ours.more && `, ${ours.more}`}?`;
  let best = '';
  let least = given.length < 3 ? 0.5 : Math.max(1, given.length / 3) + 0.5;
  for (const word of words) {
    const isStart = given.length > 3 && bare(word).startsWith(bare(given));
    const far = isStart ? 1 : edits(bare(given), bare(word));
    if (far < least) [best, least] = [word, far];
  }
  return best === '' ? '' : `: did you mean '${best}'?`;
}
