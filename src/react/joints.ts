// Joints as hooks: made when both bodies are there, gone with the component.
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { Quaternion, Vector3 } from 'three';
import type { JointChanges, JointDesc, JointId, JointState, Quat, Vec3, World } from '../index';
import type { RigidBodyApi } from './body_api';
import { useTalus } from './context';
import { quietly, useStable } from './guard';

/** A ref of a `RigidBody`. */
export type BodyRef = RefObject<RigidBodyApi | null>;
/** What a joint is, beside its bodies. Points and axes of the world count at the poses in which the bodies are made. */
export type JointOptions = Omit<JointDesc, 'bodyA' | 'bodyB'>;

/** A joint that is there. */
export class JointApi {
  constructor(
    readonly world: World,
    readonly id: JointId,
  ) {}

  isValid(): boolean {
    return this.world.hasJoint(this.id);
  }

  set(changes: JointChanges): void {
    this.world.setJoint(this.id, changes);
  }

  state(out?: JointState): JointState {
    return this.world.getJoint(this.id, out);
  }

  setLimits(min: number, max: number): void {
    this.set({ limit: { min, max } });
  }

  /** Drives the axis at a velocity with at most that force or torque. */
  configureMotorVelocity(velocity: number, maxForce?: number): void {
    this.set({ motor: maxForce === undefined ? { velocity } : { velocity, maxForce } });
  }

  /** Drives the axis to a place by stiffness and damping. */
  configureMotorPosition(target: number, stiffness: number, damping: number): void {
    this.set({ spring: { target, stiffness, damping } });
  }
}

/** A joint of any type: `useJoint(a, b, { type: 'hinge', anchor, axis })`, A null for the world. Made anew when the options say something else. */
export function useJoint(bodyA: BodyRef | null, bodyB: BodyRef, options: JointOptions): RefObject<JointApi | null> {
  const { world } = useTalus();
  const joint = useRef<JointApi | null>(null);
  const desc = useStable(options);
  // After layout effects, in which bodies are made, wherever their components stand.
  useEffect(() => {
    const drop = () => {
      const made = joint.current;
      joint.current = null;
      if (made) quietly(() => made.isValid() && world.removeJoint(made.id));
    };
    const make = () => {
      drop();
      const [a, b] = [bodyA?.current, bodyB.current];
      if ((bodyA && !a?.isValid()) || !b?.isValid()) return;
      joint.current = new JointApi(world, world.createJoint({ ...desc, bodyA: a?.id ?? null, bodyB: b.id }));
    };
    make();
    const ends = [bodyA?.current, bodyB.current].map((api) => api?.onChange(make));
    return () => {
      for (const end of ends) end?.();
      drop();
    };
  }, [world, bodyA, bodyB, desc]);
  return joint;
}

/** The rotation that takes z to an axis. */
function frameOf(axis: Vec3): Quaternion {
  const to = 'x' in axis ? new Vector3(axis.x, axis.y, axis.z) : new Vector3(axis[0], axis[1], axis[2]);
  return new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), to.normalize());
}

type Limits = readonly [min: number, max: number];

/** Anchors together; `[anchorA, anchorB]` in the bodies, m. */
export function useBallJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB]: readonly [Vec3, Vec3]) {
  return useJoint(bodyA, bodyB, { type: 'ball', anchorA, anchorB });
}
export const useSphericalJoint = useBallJoint;

/** Turns about an axis; `[anchorA, anchorB, axis, limits?]`, the axis in both bodies, rad. 0 is where the axes of the bodies are parallel. */
export function useHingeJoint(bodyA: BodyRef | null, bodyB: BodyRef, args: readonly [Vec3, Vec3, Vec3, Limits?]) {
  return useJoint(bodyA, bodyB, useAxisJoint('hinge', args));
}
export const useRevoluteJoint = useHingeJoint;

/** Slides along an axis; `[anchorA, anchorB, axis, limits?]`, m. */
export function useSliderJoint(bodyA: BodyRef | null, bodyB: BodyRef, args: readonly [Vec3, Vec3, Vec3, Limits?]) {
  return useJoint(bodyA, bodyB, useAxisJoint('slider', args));
}
export const usePrismaticJoint = useSliderJoint;

function useAxisJoint(type: 'hinge' | 'slider', args: readonly [Vec3, Vec3, Vec3, Limits?]): JointOptions {
  const stable = useStable(args);
  return useMemo(() => {
    const [anchorA, anchorB, axis, limits] = stable;
    const frame = frameOf(axis);
    const options: JointOptions = { type, anchorA, anchorB, frameA: frame, frameB: frame };
    if (limits) options.limit = { min: limits[0], max: limits[1] };
    return options;
  }, [type, stable]);
}

/** Holds everything; `[anchorA, frameA, anchorB, frameB]`, frames as quaternions. */
export function useFixedJoint(bodyA: BodyRef | null, bodyB: BodyRef, args: readonly [Vec3, Quat, Vec3, Quat]) {
  const [anchorA, frameA, anchorB, frameB] = args;
  return useJoint(bodyA, bodyB, { type: 'fixed', anchorA, frameA, anchorB, frameB });
}

/** At most so far apart; `[anchorA, anchorB, length]`, m. */
export function useRopeJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB, length]: readonly [Vec3, Vec3, number]) {
  return useJoint(bodyA, bodyB, { type: 'distance', anchorA, anchorB, limit: { min: 0, max: length } });
}

/** `[anchorA, anchorB, rest length, stiffness, damping]`: m, N/m, N s/m. */
export function useSpringJoint(
  bodyA: BodyRef | null,
  bodyB: BodyRef,
  [anchorA, anchorB, length, stiffness, damping]: readonly [Vec3, Vec3, number, number, number],
) {
  return useJoint(bodyA, bodyB, { type: 'distance', anchorA, anchorB, length, spring: { stiffness, damping } });
}
