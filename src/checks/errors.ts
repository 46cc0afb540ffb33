// The one error class of the public API.

/**
 * Why a call was refused. The world is as it was before the call.
 * - `invalid-argument`: a value is missing, not finite, out of range or of the wrong length
 * - `degenerate-shape`: geometry without volume or area where it needs some
 * - `stale-handle`: an id of something that was removed, or of another world
 * - `in-use`: something that others still refer to
 * - `out-of-memory`: linear memory cannot grow (at most 4 GiB)
 * - `unsupported`: not possible for this kind of body or shape, or on this machine
 * - `gpu`: the WebGPU device was refused or lost
 * - `busy`: a step is in flight on the GPU: `await world.settle()` first
 * - `disposed`: the world was closed
 * - `worker`: the thread of a `TalusWorker` could not be started, or ended by itself; or a thread of a world with `threads` ended
 *   in the middle of a step
 */
export type TalusErrorCode =
  | 'invalid-argument'
  | 'degenerate-shape'
  | 'stale-handle'
  | 'in-use'
  | 'out-of-memory'
  | 'unsupported'
  | 'gpu'
  | 'busy'
  | 'disposed'
  | 'worker';

/**
 * The error that every call of the API throws when it refuses its arguments. Use `code` in programs; `message` says what to do.
 */
export class TalusError extends Error {
  override readonly name = 'TalusError';
  readonly code: TalusErrorCode;

  /** Also true for errors of other copies: `talus/study` and `talus/single` have their own. @internal */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a derived class is asked by itself
    if (this !== TalusError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return value instanceof Error && value.name === 'TalusError';
  }

  constructor(code: TalusErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
