// The promise of a world that is used as if it were the world: what it is asked for says that `await` is missing. It is a promise in
// all other ways; nothing is added to others.
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
      const what = `${call}() gives a promise, and '${name}' was asked of it before it was awaited`;
      throw new TalusError('invalid-argument', `${what}: write const world = await ${call}(...)`);
    };
    Object.defineProperty(prototype, name, { get });
  }
  prototypes.set(made, prototype);
  return prototype;
}

/** The promise of one of a class, which says so where it is taken for one. */
export function unawaited<T>(promise: Promise<T>, made: { prototype: object }, call: string): Promise<T> {
  return Object.setPrototypeOf(promise, prototypeFor(made, call)) as Promise<T>;
}
