// The present state of colliders and changes of them: the description of a collider, read from the core and written back.

import { COLLIDER_DISABLED, COLLIDER_SENSOR } from '../layout.generated';
import type { Registry } from '../registry/registry';
import { type BodyId, COMBINE_RULES } from '../types';
import type { CoreExports } from '../wasm/core';
import { type CheckedCollider, checkColliderKeys, checkColliderWith, type ShapeMasses } from './check';
import type { ColliderDesc, ColliderEvents, MaterialDesc } from './desc';

type Three = [number, number, number];

/** The present state of a collider. `addCollider` accepts it without `body` and `mass`. */
export interface ColliderState
  extends Required<Omit<ColliderDesc, 'position' | 'rotation' | 'surfaceVelocity' | 'surfaceSpin' | 'oneWay'>> {
  body: BodyId;
  /** Shape origin relative to the body origin (body frame, m). */
  position: Three;
  /** Rotation of the shape in the body frame: unit quaternion x y z w. */
  rotation: [number, number, number, number];
  /** Velocity of its surface (shape frame, m/s). */
  surfaceVelocity: Three;
  /** Angular velocity of its surface (shape frame, rad/s). */
  surfaceSpin: Three;
  /** Direction in which other bodies pass through it (shape frame, unit length), or zero. */
  oneWay: Three;
}

/** Returns the material of a collider, with all combine rules. */
export function materialOf(c: CheckedCollider): Required<MaterialDesc> {
  return {
    friction: c.friction,
    restitution: c.restitution,
    rollingResistance: c.rollingResistance,
    frictionCombine: COMBINE_RULES[c.combine & 255]!,
    restitutionCombine: COMBINE_RULES[(c.combine >> 8) & 255]!,
    rollingResistanceCombine: COMBINE_RULES[(c.combine >> 16) & 255]!,
    spinningFriction: c.spinningFriction,
    spinningFrictionCombine: COMBINE_RULES[c.combine >>> 24]!,
    group: c.group,
    category: c.category,
    mask: c.mask,
  };
}

const three = (v: ArrayLike<number>): Three => [v[0]!, v[1]!, v[2]!];

/** Writes the fields that the core does not take at creation; with `before`, only fields that differ from it. */
export function writeSurface(core: CoreExports, index: number, c: CheckedCollider, before?: CheckedCollider): void {
  const isOther = (key: 'surfaceVelocity' | 'surfaceSpin' | 'oneWay') =>
    [0, 1, 2].some((k) => c[key][k] !== (before?.[key][k] ?? 0));
  const { surfaceVelocity: v, surfaceSpin: w, oneWay: u } = c;
  if (isOther('surfaceVelocity') || isOther('surfaceSpin')) core.setSurface(index, v[0]!, v[1]!, v[2]!, w[0]!, w[1]!, w[2]!);
  const isRough = c.spinningFriction !== (before?.spinningFriction ?? 0);
  if (!isOther('oneWay') && c.group === (before?.group ?? 0) && !isRough) return;
  const k = 1 / (Math.hypot(u[0]!, u[1]!, u[2]!) || 1);
  core.setPassage(index, u[0]! * k, u[1]! * k, u[2]! * k, c.group, c.spinningFriction);
}

export function colliderState(
  c: CheckedCollider,
  body: BodyId,
  registry: Registry,
  masses: ShapeMasses,
  events: Required<ColliderEvents>,
): ColliderState {
  const { position: p, rotation: q } = c;
  return {
    body,
    shape: registry.shapeIdAt(c.shape),
    position: three(p),
    rotation: [q[0]!, q[1]!, q[2]!, q[3]!],
    density: c.density,
    mass: c.density * (masses[c.shape]?.mass ?? 0),
    sensor: (c.flags & COLLIDER_SENSOR) !== 0,
    enabled: (c.flags & COLLIDER_DISABLED) === 0,
    surfaceVelocity: three(c.surfaceVelocity),
    surfaceSpin: three(c.surfaceSpin),
    oneWay: three(c.oneWay),
    ...events,
    ...materialOf(c),
  };
}

/** Returns a collider with the given changes, after checking them. */
export function changedCollider(
  changes: Partial<ColliderDesc>,
  base: CheckedCollider,
  registry: Registry,
  masses: ShapeMasses,
): CheckedCollider {
  checkColliderKeys(changes, 'changes');
  return checkColliderWith(changes, 'changes', registry, masses, base);
}
