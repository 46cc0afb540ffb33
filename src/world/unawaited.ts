// The promise of a world that is used as if it were the world: reading its calls throws an error that says that `await` is
// missing. It is a normal promise otherwise; other promises are not changed.
import { TalusError } from '../checks/errors';

/** By class: what their promises inherit. */
const prototypes = new WeakMap<object, object>();

/** Fields of a world, which its class does not show. */
const FIELDS = ['events', 'faults', 'profile'];

function prototypeFor(made: { prototype: object }, call: string): object {
  const found = prototypes.get(made);
  if (found) return found;
  const prototype = Object.create(Promise.prototype) as object;
  const names = new Set(FIELDS);
  for (let at = made.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  for (const name of names) {
    if (name in prototype) continue;
    const get = () => {
      const what = `${call}() returns a promise, and '${name}' was read from it before it was awaited`;
      throw new TalusError('invalid-argument', `${what}: write const world = await ${call}(...)`);
    };
    Object.defineProperty(prototype, name, { get });
  }
  prototypes.set(made, prototype);
  return prototype;
}

/** Returns a promise whose other properties throw an error that says that `await` is missing. */
export function unawaited<T>(promise: Promise<T>, made: { prototype: object }, call: string): Promise<T> {
  return Object.setPrototypeOf(promise, prototypeFor(made, call)) as Promise<T>;
}
