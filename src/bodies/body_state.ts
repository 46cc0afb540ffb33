// The present state of a body, read from the core: everything that createBody takes.

import { BODY_STATIC, BodyCold, BodyRow, Header } from '../layout.generated';
import type { Registry } from '../registry/registry';
import { BODY_TYPES, type BodyType, type ColliderId } from '../types';
import type { LinearMemory } from '../wasm/memory';
import type { MassDesc } from './desc';
import { type CheckedTraits, readTraits } from './traits';

type Three = [number, number, number];

/** The present state of a body. */
export interface BodyState extends CheckedTraits {
  type: BodyType;
  /** Origin (world, m). */
  position: Three;
  rotation: [number, number, number, number];
  /** Velocity of the center of mass (world, m/s). */
  linearVelocity: Three;
  /** Angular velocity (world, rad/s). */
  angularVelocity: Three;
  gravityScale: number;
  /** Damping of the linear velocity, 1/s. */
  linearDamping: number;
  /** Damping of the angular velocity, 1/s. */
  angularDamping: number;
  /** Mass, center of mass and inertia; zero unless dynamic. */
  mass: Required<MassDesc>;
  bullet: boolean;
  asleep: boolean;
  userData: unknown;
  /** Ids of its colliders, the latest first; read them with `getCollider`. */
  colliders: ColliderId[];
}

/** Mass, center of mass (body frame, m) and inertia about it (kg m2, body axes: xx, yy, zz, xy, xz, yz); zero unless dynamic. */
export function readMass(memory: LinearMemory, registry: Registry, index: number): Required<MassDesc> {
  const at = registry.coldWord(index, 0);
  const f = (offset: number) => memory.f32[at + offset / 4]!;
  return {
    mass: f(BodyCold.mass),
    center: [f(BodyCold.comX), f(BodyCold.comY), f(BodyCold.comZ)],
    inertia: [f(BodyCold.ixx), f(BodyCold.iyy), f(BodyCold.izz), f(BodyCold.ixy), f(BodyCold.ixz), f(BodyCold.iyz)],
  };
}

export function readBody(memory: LinearMemory, registry: Registry, index: number, userData: unknown): BodyState {
  const cold = registry.coldWord(index, 0);
  const { f32 } = memory;
  const f = (offset: number) => f32[cold + offset / 4]!;
  const numbers = (array: number, stride: number, offset: number, count: number) => {
    const at = (memory.headerU32(array) + stride * index + offset) >>> 2;
    return Array.from(f32.subarray(at, at + count));
  };
  return {
    type: BODY_TYPES[registry.bodyType(index)]!,
    position: numbers(Header.positions, 16, 0, 3) as Three,
    rotation: numbers(Header.rotations, 16, 0, 4) as BodyState['rotation'],
    linearVelocity: numbers(Header.bodyRows, BodyRow.STRIDE, 0, 3) as Three,
    angularVelocity: numbers(Header.bodyRows, BodyRow.STRIDE, BodyRow.wx, 3) as Three,
    gravityScale: f(BodyCold.gravityScale),
    linearDamping: f(BodyCold.linearDamping),
    angularDamping: f(BodyCold.angularDamping),
    mass: readMass(memory, registry, index),
    bullet: registry.isBullet(index),
    asleep: registry.bodyType(index) !== BODY_STATIC && registry.isAsleep(index),
    userData,
    colliders: registry.collidersOf(index).map((collider) => registry.colliderIdAt(collider)),
    ...readTraits(memory, registry, index),
  };
}
