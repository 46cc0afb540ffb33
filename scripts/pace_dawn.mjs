// Dawn in Node (npm `webgpu`) asks by setImmediate whether its work is done, again and again: it keeps a core busy, which a software
// adapter needs for the work itself. `paceDawn()` lets it ask once a millisecond.
/** Call it once, before Dawn loads. Callbacks of Dawn are native; all others keep the function of Node. */
export function paceDawn() {
  const { setImmediate: soon, setTimeout: later } = globalThis;
  const paced = (/** @type {(...args: unknown[]) => void} */ callback, /** @type {unknown[]} */ ...args) =>
    `${callback}`.includes('[native code]') ? later(callback, 1, ...args) : soon(callback, ...args);
  globalThis.setImmediate = /** @type {typeof setImmediate} */ (/** @type {unknown} */ (Object.assign(paced, soon)));
}
