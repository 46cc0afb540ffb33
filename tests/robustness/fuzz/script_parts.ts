// Checks, listeners and filters that both the driver and the scripts of found seeds use. A script contains the text of these functions:
// they use each other and what they are given, and nothing that is imported.
import type { Any } from './draw';

/** Throws if a number in a value, however deep, is not finite. */
export function checkFinite(what: string, value: Any): void {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${what} not finite: ${value}`);
  } else if (ArrayBuffer.isView(value)) {
    const list = value as unknown as ArrayLike<number>;
    for (let i = 0; i < list.length; i++) if (!Number.isFinite(list[i])) throw new Error(`${what}[${i}] not finite: ${list[i]}`);
  } else if (value !== null && typeof value === 'object') {
    for (const key of Object.keys(value)) checkFinite(`${what}.${key}`, value[key]);
  }
}

/** Whether a getter returns what was set: numbers in single precision, of objects all fields that were set. */
export function agrees(read: Any, set: Any): boolean {
  if (typeof set === 'number' && typeof read === 'number') {
    return (
      read === set || Math.abs(read - set) <= 2e-6 * Math.max(Math.abs(set), 1e-30) || Math.fround(set) === Math.fround(read)
    );
  }
  if (set !== null && typeof set === 'object') {
    if (read === null || typeof read !== 'object') return false;
    return Object.keys(set).every((key) => set[key] === undefined || agrees(read[key], set[key]));
  }
  return Object.is(read, set);
}

/** Throws unless a getter returns what was set. */
export function checkAgrees(what: string, got: Any, wanted: Any): void {
  if (!agrees(got, wanted)) throw new Error(`${what}: ${JSON.stringify(got)} instead of ${JSON.stringify(wanted)}`);
}

/** Throws unless two lists have the same items, in any order. */
export function checkSameItems(what: string, got: Any, wanted: Any): void {
  const [a, b] = [[...got].sort().join(), [...wanted].sort().join()];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}

/** Throws unless views of a world are finite and its rotations have the length 1; and where a body was stopped without a fault. */
export function checkViews(world: Any, alive: (slot: number) => boolean): void {
  for (const name of ['positions', 'rotations', 'velocities']) checkFinite(name, world[name]);
  const { rotations, faults } = world;
  for (let slot = 0; slot < world.slotCount; slot++) {
    if (!alive(slot)) continue;
    const [x, y, z, w] = rotations.subarray(4 * slot, 4 * slot + 4);
    const n = x * x + y * y + z * z + w * w;
    if (!(Math.abs(n - 1) < 2e-5)) throw new Error(`rotation has the square ${n}`);
  }
  if (faults.notFinite !== faults.stopped > 0)
    throw new Error(`faults: notFinite ${faults.notFinite}, stopped ${faults.stopped}`);
  if (faults.stops.length > 0 !== faults.stopped > 0)
    throw new Error(`faults: ${faults.stops.length} stops, stopped ${faults.stopped}`);
  const last = faults.stops.length === 0 ? null : faults.stops[faults.stops.length - 1].body;
  if (faults.lastStopped !== last) throw new Error(`faults: lastStopped ${faults.lastStopped} instead of ${last}`);
  for (const { cause } of faults.stops)
    if (!['velocity', 'force', 'motion'].includes(cause)) throw new Error(`faults: cause ${cause}`);
}

/**
 * Follows the begins and ends of a step in a set of touching pairs. Throws at a begin of a pair that touches already and at an end of
 * one that does not, unless `isTracked` is false: then events of earlier steps were not seen.
 */
export function followEvents(world: Any, touching: Set<string>, isTracked: boolean): void {
  const { events } = world;
  checkFinite('values of events', events.values.subarray(0, 9 * events.count));
  for (let i = 0; i < events.count; i++) {
    const kind = events.kind(i);
    const [a, b] = [events.colliderA(i), events.colliderB(i)].sort((x, y) => x - y);
    const pair = `${kind.startsWith('sensor') ? 's' : ''}${a} ${b}`;
    if (kind.endsWith('begin')) {
      if (isTracked && touching.has(pair)) throw new Error(`${kind} of a pair which touches already: ${pair}`);
      touching.add(pair);
    } else if (kind.endsWith('end')) {
      if (isTracked && !touching.has(pair)) throw new Error(`${kind} of a pair which does not touch: ${pair}`);
      touching.delete(pair);
    }
  }
  for (const id of events.jointBreaks)
    if (world.hasJoint(id) && !world.getJoint(id).broken) throw new Error('a joint that broke is not broken');
}

/** The error of listeners that throw. */
export class ListenerError extends Error {}

/**
 * A callback of events. Kind 0 throws, 1 tries a step, which must be refused, 2 removes the body of every fifth event, 3 casts a ray;
 * others do nothing. `mayRemove` and `removed` are called with the body.
 */
export function listenerOf(
  world: Any,
  kind: number,
  mayRemove: (body: number) => boolean,
  removed: (body: number) => void,
): (event: Any) => void {
  let count = 0;
  return (event) => {
    count++;
    if (kind === 0) throw new ListenerError('by the listener');
    if (kind === 1) {
      let code = '';
      try {
        world.step();
      } catch (error) {
        code = (error as Any).code;
      }
      if (code !== 'unsupported') throw new Error(`a step in a callback: ${code} instead of unsupported`);
    }
    const id = event.bodyA ?? event.body;
    if (kind === 2 && count % 5 === 0 && id !== undefined && world.isAlive(id) && mayRemove(id)) {
      world.removeBody(id);
      removed(id);
    }
    if (kind === 3) world.castRay([0, 5, 0], [0, -1, 0]);
  };
}

/** A filter of queries: leaves out each third slot, and every fifth time asks a query itself. */
export function filterOf(
  world: Any,
  seen: (collider: number, body: number) => void,
): (collider: number, body: number) => boolean {
  let count = 0;
  let depth = 0;
  const filter = (collider: number, body: number): boolean => {
    seen(collider, body);
    if (depth < 2 && ++count % 5 === 0) {
      depth++;
      world.castRayAny([0, 5, 0], [0, -1, 0], { filter });
      depth--;
    }
    return world.indexOf(body) % 3 !== 0;
  };
  return filter;
}
