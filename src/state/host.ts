// The host's state of a world beside linear memory, as a list of numbers, and back: parts one after the other, each with its
// length in front.
import type { MassOverride } from '../bodies/check';
import type { MassProperties } from '../shapes/mass';

/** Numbers per mass: kg, center, inertia. */
const MASS_SIZE = 10;

/** State of the host that a snapshot contains. The lists are those of the world itself. */
export interface HostState {
  /** Makes the ids of a world differ from those of other worlds. */
  idOffset: number;
  /** Mass at unit density by shape slot; null for surfaces. */
  shapeMasses: (MassProperties | null)[];
  /** By shape slot: a number that no other shape in this page ever had. */
  geometry: number[];
  /** Replaced masses, by body slot. */
  massOverrides: Map<number, MassOverride>;
  /** Kinematic targets of the next step. */
  targets: number[];
  /** Events that wait for the next step (events/contact_events.ts). */
  events: number[];
  /** State of controllers (frames/controllers.ts). */
  controllers: number[];
}

function putMass(to: Float64Array, at: number, mass: MassProperties): void {
  to[at] = mass.mass;
  for (let k = 0; k < 3; k++) to[at + 1 + k] = mass.center[k]!;
  for (let k = 0; k < 6; k++) to[at + 4 + k] = mass.inertia[k]!;
}

function massAt(from: Float64Array, at: number): MassProperties {
  const [mass, x, y, z, xx, yy, zz, xy, xz, yz] = from.subarray(at, at + MASS_SIZE) as unknown as number[];
  return { mass: mass!, center: [x!, y!, z!], inertia: [xx!, yy!, zz!, xy!, xz!, yz!] };
}

function isMassAt(from: Float64Array, at: number, mass: MassProperties | null | undefined): boolean {
  if (!mass || from[at] !== mass.mass) return false;
  for (let k = 0; k < 3; k++) if (from[at + 1 + k] !== mass.center[k]) return false;
  for (let k = 0; k < 6; k++) if (from[at + 4 + k] !== mass.inertia[k]) return false;
  return true;
}

let shapes = 0;

/** Returns a number for a new shape. */
export function newGeometry(): number {
  return ++shapes;
}

/**
 * Returns the state as numbers. Of shapes it contains the masses, or in local snapshots only their identity. No mass is NaN; a
 * mass without inertia has NaN there.
 */
export function writeHost(state: HostState, isLocal: boolean): Float64Array {
  const { shapeMasses, geometry, massOverrides } = state;
  const lists = [state.targets, state.events, state.controllers];
  const count = shapeMasses.length;
  let size = 3 + (isLocal ? 1 : MASS_SIZE) * count + (1 + MASS_SIZE) * massOverrides.size;
  for (const list of lists) size += 1 + list.length;
  const to = new Float64Array(size);
  to[0] = state.idOffset;
  to[1] = count;
  let at = 2;
  for (let i = 0; i < count; i++) {
    const mass = shapeMasses[i];
    if (isLocal) to[at++] = geometry[i]!;
    else {
      if (mass) putMass(to, at, mass);
      else to[at] = Number.NaN;
      at += MASS_SIZE;
    }
  }
  to[at++] = massOverrides.size;
  for (const [body, mass] of massOverrides) {
    to[at] = body;
    if (typeof mass === 'object') putMass(to, at + 1, mass);
    else to.fill(Number.NaN, at + 2, at + 1 + MASS_SIZE)[at + 1] = mass!;
    at += 1 + MASS_SIZE;
  }
  for (const list of lists) {
    to[at++] = list.length;
    to.set(list, at);
    at += list.length;
  }
  return to;
}

/** Returns whether a world still has the geometry of a local snapshot. */
export function hasGeometry(from: Float64Array, geometry: readonly number[]): boolean {
  for (let i = 0; i < from[1]!; i++) if (geometry[i] !== from[2 + i]) return false;
  return true;
}

/** Reads a state; returns the offset of its ids. Equal masses keep their objects. */
export function readHost(from: Float64Array, state: Omit<HostState, 'idOffset'>, isLocal: boolean): number {
  const { shapeMasses, geometry, massOverrides } = state;
  const count = from[1]!;
  geometry.length = count;
  shapeMasses.length = count;
  let at = 2;
  if (isLocal) at += count;
  else {
    for (let i = 0; i < count; i++, at += MASS_SIZE) {
      geometry[i] = newGeometry();
      if (Number.isNaN(from[at])) shapeMasses[i] = null;
      else if (!isMassAt(from, at, shapeMasses[i])) shapeMasses[i] = massAt(from, at);
    }
  }
  massOverrides.clear();
  for (let left = from[at++]!; left > 0; left--, at += 1 + MASS_SIZE) {
    massOverrides.set(from[at]!, Number.isNaN(from[at + 2]) ? from[at + 1] : massAt(from, at + 1));
  }
  for (const list of [state.targets, state.events, state.controllers]) {
    const length = from[at++]!;
    list.length = 0;
    for (let i = 0; i < length; i++) list.push(from[at++]!);
  }
  return from[0]!;
}
