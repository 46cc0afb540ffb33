// Traits of a body besides pose, velocity and mass, which steps do not change: whether it takes part, whether it may sleep, its
// speed limits, its tag. Checked here, stored in the core.

import { checkBits, checkBoolean, checkKeys, checkNumber, fail } from '../checks/validate';
import { BODY_DISABLED, BODY_LIMITED, BODY_SLEEPLESS, BodyCold, Header, LOCK_SHIFT } from '../layout.generated';
import type { Registry } from '../registry/registry';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';

/** Axes of the world that are locked: 'x', 'yz', 'xyz', ...; '' for none. */
export interface Locks {
  /** Axes along which the center of mass of a dynamic body does not move. */
  translation?: string;
  /** Axes about which a dynamic body does not turn. */
  rotation?: string;
}

/** Fields of bodies that `createBody` and `createBodies` share. */
export interface BodyTraits {
  /** Whether it takes part in collisions, queries, joints and motion; default true. */
  enabled?: boolean;
  /** Whether it may fall asleep; default true. */
  allowSleep?: boolean;
  /** Axes along which it does not move and about which it does not turn, while it is dynamic; default none. */
  locks?: Locks;
  /** Speed limit, m/s, 0 to infinity (default), beside the limit of the world. Applies to dynamic bodies. */
  maxLinearSpeed?: number;
  /** Spin limit, rad/s, 0 to infinity (default), beside the limit of the world. Applies to dynamic bodies. */
  maxAngularSpeed?: number;
  /** A whole number of 32 bits of your own, in `World.tags`; default 0. */
  tag?: number;
}

export const TRAIT_KEYS = ['enabled', 'allowSleep', 'locks', 'maxLinearSpeed', 'maxAngularSpeed', 'tag'];

/** Traits that passed all checks. */
export type CheckedTraits = Required<Omit<BodyTraits, 'locks'>> & { locks: Required<Locks> };

/** Limits of the speed of a body. */
export interface SpeedLimits {
  /** Largest speed, m/s, 0 to infinity. */
  linear: number;
  /** Largest angular speed, rad/s, 0 to infinity. */
  angular: number;
}

const NONE: Required<Locks> = { translation: '', rotation: '' };

function given<T>(value: unknown, name: string, other: T, check: (value: unknown, name: string) => T): T {
  return value === undefined ? other : check(value, name);
}

export function checkLimit(value: unknown, name: string): number {
  return value === Infinity ? value : checkNumber(value, name, 0);
}

const AXES = ['x', 'y', 'z'];

function axesOf(bits: number): string {
  return AXES.filter((_, k) => (bits >> k) & 1).join('');
}

function bitsOf(value: unknown, name: string): number {
  if (typeof value !== 'string' || /[^xyz]|(.).*\1/.test(value)) fail(name, "letters of 'xyz', each at most once", value);
  return AXES.reduce((bits, axis, k) => bits | (value.includes(axis) ? 1 << k : 0), 0);
}

/** Returns locks as six bits. Fields that are left out keep the bits of `base`. */
export function lockBits(locks: Locks, name: string, base = 0): number {
  checkKeys(locks, name, ['translation', 'rotation']);
  const linear = locks.translation === undefined ? base & 7 : bitsOf(locks.translation, `${name}.translation`);
  const angular = locks.rotation === undefined ? base >> 3 : bitsOf(locks.rotation, `${name}.rotation`);
  return linear | (angular << 3);
}

const checkLocks = (locks: unknown, name: string) => locksFrom(lockBits(locks as Locks, name));

function locksFrom(bits: number): Required<Locks> {
  return { translation: axesOf(bits & 7), rotation: axesOf(bits >> 3) };
}

/** Returns the locks of a body as six bits. */
export function readLocks(memory: LinearMemory, registry: Registry, index: number): number {
  return (memory.u32[registry.coldWord(index, BodyCold.flags)]! >>> LOCK_SHIFT) & 63;
}

export function checkTraits(desc: BodyTraits, name: string): CheckedTraits {
  return {
    enabled: given(desc.enabled, `${name}.enabled`, true, checkBoolean),
    allowSleep: given(desc.allowSleep, `${name}.allowSleep`, true, checkBoolean),
    locks: given(desc.locks, `${name}.locks`, NONE, checkLocks),
    maxLinearSpeed: given(desc.maxLinearSpeed, `${name}.maxLinearSpeed`, Infinity, checkLimit),
    maxAngularSpeed: given(desc.maxAngularSpeed, `${name}.maxAngularSpeed`, Infinity, checkLimit),
    tag: given(desc.tag, `${name}.tag`, 0, checkBits),
  };
}

/** Gives traits to a body that is new. */
export function applyTraits(core: CoreExports, memory: LinearMemory, index: number, traits: CheckedTraits): void {
  if (traits.tag !== 0) writeTag(memory, index, traits.tag);
  if (traits.maxLinearSpeed < Infinity || traits.maxAngularSpeed < Infinity)
    core.limitBody(index, traits.maxLinearSpeed, traits.maxAngularSpeed);
  const locks = lockBits(traits.locks, 'locks');
  if (locks !== 0) core.setLocks(index, locks);
  if (!traits.allowSleep) core.allowSleep(index, 0);
  if (!traits.enabled) core.enableBody(index, 0);
}

export function writeTag(memory: LinearMemory, index: number, tag: number): void {
  memory.u32[(memory.headerU32(Header.tags) >>> 2) + index] = tag;
}

/** Returns the present traits of a body. */
export function readTraits(memory: LinearMemory, registry: Registry, index: number): CheckedTraits {
  const flags = memory.u32[registry.coldWord(index, BodyCold.flags)]!;
  const limit = (offset: number) => ((flags & BODY_LIMITED) !== 0 ? memory.f32[registry.coldWord(index, offset)]! : Infinity);
  return {
    enabled: (flags & BODY_DISABLED) === 0,
    allowSleep: (flags & BODY_SLEEPLESS) === 0,
    locks: locksFrom(readLocks(memory, registry, index)),
    maxLinearSpeed: limit(BodyCold.maxLinearSpeed),
    maxAngularSpeed: limit(BodyCold.maxAngularSpeed),
    tag: memory.u32[(memory.headerU32(Header.tags) >>> 2) + index]!,
  };
}
