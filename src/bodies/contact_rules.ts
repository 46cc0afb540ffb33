// Contact rules: values for the contacts of two groups of colliders that replace those of their materials. They let a user change
// contacts by data: set once or in every step, a rule costs a look-up when a contact is created or refreshed, and no callback.

import { checkBoolean, checkInteger, checkKeys, checkNumber } from '../checks/validate';
import {
  Header,
  ContactRule as Row,
  RULE_FRICTION,
  RULE_GROUPS,
  RULE_NO_CONTACT,
  RULE_RESTITUTION,
  RULE_ROLLING,
  RULE_SPINNING,
} from '../layout.generated';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';

/** Values for contacts between two groups. Fields that you leave out follow from the materials. */
export interface ContactRule {
  /** Coulomb coefficient, 0 to 100. */
  friction?: number;
  /** Restitution, 0 to 1. */
  restitution?: number;
  /** Rolling resistance, 0 to 1. */
  rollingResistance?: number;
  /** Spinning friction, m, 0 to 1000. */
  spinningFriction?: number;
  /** Whether the groups collide at all; default true. */
  collide?: boolean;
}

const FIELDS = [
  ['friction', RULE_FRICTION, Row.friction, 100],
  ['restitution', RULE_RESTITUTION, Row.restitution, 1],
  ['rollingResistance', RULE_ROLLING, Row.rollingResistance, 1],
  ['spinningFriction', RULE_SPINNING, Row.spinningFriction, 1000],
] as const;

const group = (value: unknown, name: string) => checkInteger(value, name, 0, RULE_GROUPS - 1);

/** Sets a rule; null removes it. Returns 0 if memory is out. */
export function writeRule(core: CoreExports, a: number, b: number, rule: ContactRule | null): number {
  group(a, 'groupA');
  group(b, 'groupB');
  const values: number[] = [];
  let flags = 0;
  if (rule !== null) checkKeys(rule, 'rule', [...FIELDS.map(([key]) => key), 'collide']);
  for (const [key, flag, , most] of FIELDS) {
    const value = rule?.[key];
    if (value !== undefined) flags |= flag;
    values.push(value === undefined ? 0 : checkNumber(value, `rule.${key}`, 0, most));
  }
  if (rule?.collide !== undefined && !checkBoolean(rule.collide, 'rule.collide')) flags |= RULE_NO_CONTACT;
  return core.setContactRule(a, b, flags, values[0]!, values[1]!, values[2]!, values[3]!);
}

/** Returns the rule of two groups, or null. */
export function readRule(memory: LinearMemory, a: number, b: number): ContactRule | null {
  group(a, 'groupA');
  group(b, 'groupB');
  const base = memory.headerU32(Header.rules);
  const at = (base + (Math.min(a, b) * RULE_GROUPS + Math.max(a, b)) * Row.STRIDE) >>> 2;
  const flags = base === 0 ? 0 : memory.u32[at]!;
  if (flags === 0) return null;
  const rule: ContactRule = {};
  for (const [key, flag, offset] of FIELDS) if (flags & flag) rule[key] = memory.f32[at + offset / 4]!;
  if (flags & RULE_NO_CONTACT) rule.collide = false;
  return rule;
}
