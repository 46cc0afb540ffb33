// The events that a collider requests: checked, written to the core, read again.

import { checkBoolean, checkKeys, checkNumber } from '../checks/validate';
import { COLLIDER_HITS, COLLIDER_PERSISTS, COLLIDER_SEES_STATIC, Collider, Header } from '../layout.generated';
import type { Registry } from '../registry/registry';
import type { LinearMemory } from '../wasm/memory';
import type { ColliderEvents } from './desc';
import { EVENT_KEYS } from './keys';

/** Requested events that passed the checks. */
export interface CheckedEvents {
  /** COLLIDER_SEES_STATIC, COLLIDER_PERSISTS, COLLIDER_HITS. */
  flags: number;
  /** Negative: the setting of the world applies. */
  hitSpeed: number;
  hitImpulse: number;
}

const NOTHING: Required<ColliderEvents> = { persistEvents: false, hitSpeed: null, hitImpulse: null, seesStatic: false };

/** Checks the events that a description asks for. Fields that are left out keep the values of `base`. */
export function checkColliderEvents(desc: ColliderEvents, name: string, base = NOTHING): CheckedEvents {
  const flag = (key: 'persistEvents' | 'seesStatic', bit: number) => {
    const value = desc[key] === undefined ? base[key] : checkBoolean(desc[key], `${name}.${key}`);
    return value ? bit : 0;
  };
  const least = (key: 'hitSpeed' | 'hitImpulse', most: number) => {
    const value = desc[key] === undefined ? base[key] : desc[key];
    return value === null ? -1 : checkNumber(value, `${name}.${key}`, 0, most);
  };
  const flags = flag('persistEvents', COLLIDER_PERSISTS) | flag('seesStatic', COLLIDER_SEES_STATIC);
  const hitSpeed = least('hitSpeed', 1e6);
  const hitImpulse = least('hitImpulse', 1e15);
  return { flags: flags | (hitSpeed >= 0 || hitImpulse >= 0 ? COLLIDER_HITS : 0), hitSpeed, hitImpulse };
}

export function checkEventKeys(desc: ColliderEvents): void {
  checkKeys(desc, 'events', EVENT_KEYS);
}

/** Returns the events that the collider in a slot asks for. */
export function readColliderEvents(memory: LinearMemory, registry: Registry, collider: number): Required<ColliderEvents> {
  const flags = memory.u32[registry.colliderWord(collider, Collider.flags)]!;
  const at = memory.headerU32(Header.hitThresholds) / 4 + 2 * collider;
  const least = (k: number) => ((flags & COLLIDER_HITS) !== 0 && memory.f32[at + k]! >= 0 ? memory.f32[at + k]! : null);
  return {
    persistEvents: (flags & COLLIDER_PERSISTS) !== 0,
    hitSpeed: least(0),
    hitImpulse: least(1),
    seesStatic: (flags & COLLIDER_SEES_STATIC) !== 0,
  };
}
