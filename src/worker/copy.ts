// Values on their way between page and thread. Ids are the only numbers from 2^50 on (arguments of the API end at 1e15), so they are
// found by value, wherever they stand.
import { TalusError } from '../index';

const LEAST_ID = 2 ** 50;
const MOST_DEPTH = 24;

/** Returns whether a number is an id. */
export function isId(value: number): boolean {
  return value >= LEAST_ID && value <= Number.MAX_SAFE_INTEGER;
}

type Typed = Float64Array & { slice(): Typed };

/**
 * Returns a copy that can be sent. A vector of any class becomes `{ x, y, z }`; typed arrays are copied, and their buffers listed
 * in `transfer`. `id` converts each id.
 * @throws TalusError `unsupported` for values that cannot be sent
 */
export function copyOut(value: unknown, id: (value: number) => number, transfer: unknown[], depth = 0): unknown {
  if (typeof value === 'number') return isId(value) ? id(value) : value;
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new TalusError('unsupported', `a ${typeof value} cannot be sent to another thread`);
  }
  if (value === null || typeof value !== 'object') return value;
  if (depth > MOST_DEPTH) throw new TalusError('invalid-argument', 'an argument refers to itself');
  if (ArrayBuffer.isView(value) && typeof (value as Typed).slice === 'function') {
    const copy = (value as Typed).slice();
    if (copy instanceof Float64Array) for (let i = 0; i < copy.length; i++) if (isId(copy[i]!)) copy[i] = id(copy[i]!);
    transfer.push(copy.buffer);
    return copy;
  }
  if (Array.isArray(value)) return Array.from(value, (item) => copyOut(item, id, transfer, depth + 1));
  const tag = Object.prototype.toString.call(value);
  if (tag !== '[object Object]' && !isVector(value)) {
    // Left to the structured clone: buffers, modules.
    return value;
  }
  const copy: Record<string, unknown> = {};
  // Components may be accessors of a class.
  const keys = isVector(value) ? ['x', 'y', 'z', 'w'] : Object.keys(value);
  for (const key of keys) {
    if (!(key in value)) continue;
    copy[key] = copyOut((value as Record<string, unknown>)[key], id, transfer, depth + 1);
  }
  return copy;
}

function isVector(value: object): boolean {
  return 'x' in value && typeof value.x === 'number' && 'y' in value && typeof value.y === 'number';
}
