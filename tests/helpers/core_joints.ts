// Joints on the raw exports of the core: bodies without colliders (or with), records written field by field.
import {
  AXIS_LIMITED,
  AXIS_POSITION,
  AXIS_STIFFNESS,
  AXIS_VELOCITY,
  BODY_DYNAMIC,
  HEADER_PTR,
  Header,
  JOINT_BALL,
  JOINT_CONE_TWIST,
  JOINT_DISTANCE,
  JOINT_ENABLED,
  JOINT_FIXED,
  JOINT_HINGE,
  Joint,
  NONE,
} from '../../src/layout.generated';
import type { CoreWorld } from './core_world';
import type { Vec3 } from './manifold_builder';

export type Quat = [number, number, number, number];

export interface AxisFields {
  lower?: number;
  upper?: number;
  /** Velocity. */
  motor?: number;
  /** Place, with frequency and damping ratio, or stiffness and damping. */
  spring?: { target?: number; frequency?: number; stiffness?: number; damping: number };
  maxForce?: number;
  friction?: number;
}

export interface JointFields {
  kind: number;
  locked: number;
  bodyA: number | null;
  bodyB: number;
  anchorA: Vec3;
  anchorB: Vec3;
  frameA?: Quat;
  frameB?: Quat;
  cone?: number;
  ratio?: number;
  frictionLever?: number;
  frictionTorque?: number;
  axes?: Record<number, AxisFields>;
  flags?: number;
}

export const ball = { kind: JOINT_BALL, locked: 0b000111 };
export const hinge = { kind: JOINT_HINGE, locked: 0b011111 };
export const fixed = { kind: JOINT_FIXED, locked: 0b111111 };
export const slider = { kind: 3, locked: 0b111011 };
export const coneTwist = { kind: JOINT_CONE_TWIST, locked: 0b000111 };
export const rod = { kind: JOINT_DISTANCE, locked: 0b000001 };

export function recordOf(world: CoreWorld, index: number): (field: keyof typeof Joint) => number {
  const view = new DataView(world.memory.buffer);
  const base = view.getUint32(HEADER_PTR + Header.joints, true) + index * Joint.STRIDE;
  return (field) => view.getFloat32(base + Joint[field], true);
}

/** A dynamic body without colliders: position, mass, moments. */
export function addBody(
  world: CoreWorld,
  at: Vec3,
  mass = 1,
  inertia: Vec3 = [0.1, 0.1, 0.1],
  rotation: Quat = [0, 0, 0, 1],
): number {
  const body = world.core.createBody(BODY_DYNAMIC, ...at, ...rotation) >>> 0;
  world.core.setMassProperties(body, mass, 0, 0, 0, ...inertia, 0, 0, 0);
  return body;
}

export function addJoint(world: CoreWorld, fields: JointFields): number {
  const index = world.core.createJoint(fields.bodyA ?? NONE, fields.bodyB) >>> 0;
  const write = () => {
    const view = new DataView(world.memory.buffer);
    const base = view.getUint32(HEADER_PTR + Header.joints, true) + index * Joint.STRIDE;
    const f32 = (field: keyof typeof Joint, value: number) => view.setFloat32(base + Joint[field], value, true);
    const u32 = (field: keyof typeof Joint, value: number) => view.setUint32(base + Joint[field], value, true);
    u32('kind', fields.kind);
    u32('locked', fields.locked);
    for (const [i, axis] of ['x', 'y', 'z'].entries()) {
      f32(`anchorA${axis}` as keyof typeof Joint, fields.anchorA[i]!);
      f32(`anchorB${axis}` as keyof typeof Joint, fields.anchorB[i]!);
    }
    for (const [i, axis] of ['x', 'y', 'z', 'w'].entries()) {
      f32(`frameA${axis}` as keyof typeof Joint, (fields.frameA ?? [0, 0, 0, 1])[i]!);
      f32(`frameB${axis}` as keyof typeof Joint, (fields.frameB ?? [0, 0, 0, 1])[i]!);
    }
    f32('ratio', fields.ratio ?? 1);
    f32('cone', fields.cone ?? 0);
    f32('frictionLever', fields.frictionLever ?? 0);
    f32('frictionTorque', fields.frictionTorque ?? 0);
    let driven = fields.cone === undefined ? 0 : 64;
    for (const [key, axis] of Object.entries(fields.axes ?? {})) {
      const i = Number(key);
      let mode = 0;
      driven |= 1 << i;
      const at = (name: string) => `${name}${i}` as keyof typeof Joint;
      if (axis.lower !== undefined || axis.upper !== undefined) mode |= AXIS_LIMITED;
      f32(at('lower'), axis.lower ?? -Infinity);
      f32(at('upper'), axis.upper ?? Infinity);
      if (axis.motor !== undefined) {
        mode |= AXIS_VELOCITY;
        f32(at('target'), axis.motor);
      }
      if (axis.spring) {
        mode |= AXIS_POSITION | (axis.spring.stiffness === undefined ? 0 : AXIS_STIFFNESS);
        f32(at('target'), axis.spring.target ?? 0);
        f32(at('stiffness'), axis.spring.stiffness ?? axis.spring.frequency ?? 0);
        f32(at('damping'), axis.spring.damping);
      }
      f32(at('maxForce'), axis.maxForce ?? Infinity);
      f32(at('friction'), axis.friction ?? 0);
      u32(at('mode'), mode);
    }
    u32('driven', driven);
  };
  write();
  world.core.setJointFlags(index, JOINT_ENABLED | (fields.flags ?? 0));
  return index;
}

/** Coordinates of a joint: gap along x y z, swing x y, twist, swing, gap; anchors A, B. */
export function measured(world: CoreWorld, index: number): Float32Array {
  const at = world.core.measureJoint(index) >>> 0;
  return new Float32Array(world.memory.buffer, at, 16).slice();
}
