// Joints as hooks: created when both bodies exist, removed with the component.
import { type RefObject, useEffect, useRef } from 'react';
import type { Quat } from '../index';
import type { RigidBodyApi } from './apis';
import { useTalus } from './context';
import { quietly, useStable } from './guard';
import { JointApi } from './joint_api';
import { JointData, type JointOptions, optionsOf } from './joint_data';
import { guarded } from './report';
import type { VectorProp } from './vectors';

/** A ref of a `RigidBody`. */
export type BodyRef = RefObject<RigidBodyApi | null>;

/**
 * Creates a joint of any type: `useJoint(a, b, { type: 'hinge', anchor, axis })`; A is null for the world. It is created again
 * when the options change.
 */
export function useJoint(bodyA: BodyRef | null, bodyB: BodyRef, options: JointOptions): RefObject<JointApi | null> {
  return useMadeJoint(bodyA, bodyB, options, 'useJoint');
}

/** Creates a joint from `rapier.JointData`, between two refs of bodies. */
export function useImpulseJoint(
  bodyA: BodyRef | null,
  bodyB: BodyRef,
  data: JointData | JointOptions,
): RefObject<JointApi | null> {
  return useMadeJoint(bodyA, bodyB, optionsOf(data), 'useImpulseJoint');
}

function useMadeJoint(bodyA: BodyRef | null, bodyB: BodyRef, options: JointOptions, name: string): RefObject<JointApi | null> {
  const { world } = useTalus();
  const joint = useRef<JointApi | null>(null);
  const desc = useStable(options);
  // After layout effects, in which bodies are made, wherever their components stand.
  useEffect(() => {
    const drop = () => {
      const made = joint.current;
      joint.current = null;
      made?.drop();
      if (made) quietly(() => made.isValid() && world.removeJoint(made.id));
    };
    const make = () => {
      drop();
      const [a, b] = [bodyA?.current, bodyB.current];
      if ((bodyA && !a?.isValid()) || !b?.isValid()) return;
      const label = `${name} of ${a?.label ?? 'the world'} and ${b.label}`;
      const id = guarded(label, 'the joint is left out', () => world.createJoint({ ...desc, bodyA: a?.id ?? null, bodyB: b.id }));
      if (id !== null) joint.current = new JointApi(world, id);
    };
    make();
    const ends = [bodyA?.current, bodyB.current].map((api) => api?.onChange(make));
    return () => {
      for (const end of ends) end?.();
      drop();
    };
  }, [world, bodyA, bodyB, desc, name]);
  return joint;
}

type Limits = readonly [min: number, max: number];
type Anchors = readonly [anchorA: VectorProp, anchorB: VectorProp];
type Axis = readonly [anchorA: VectorProp, anchorB: VectorProp, axis: VectorProp, limits?: Limits];

/** Returns the options of an axis, with the limits of its arguments. */
function limited(data: JointData, limits: Limits | undefined): JointData {
  if (limits) Object.assign(data, { limitsEnabled: true, limits });
  return data;
}

/** Returns options by this engine's default: the two bodies do not collide. */
const apart = (data: JointData): JointOptions => ({ ...optionsOf(data), collide: false });

/** Creates a ball joint: `[anchorA, anchorB]` in the bodies, m. */
export function useBallJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB]: Anchors) {
  const { frictionLever: _, ...options } = apart(JointData.spherical(anchorA, anchorB));
  return useMadeJoint(bodyA, bodyB, options, 'useBallJoint');
}

/** Creates a ball joint without friction, between bodies that collide with each other, as in Rapier. */
export function useSphericalJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB]: Anchors) {
  return useMadeJoint(bodyA, bodyB, optionsOf(JointData.spherical(anchorA, anchorB)), 'useSphericalJoint');
}

/**
 * Creates a hinge: `[anchorA, anchorB, axis, limits?]`, the axis in both bodies, limits in rad. The angle is 0 where the axes of
 * the bodies are parallel.
 */
export function useHingeJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB, axis, limits]: Axis) {
  return useMadeJoint(bodyA, bodyB, apart(limited(JointData.revolute(anchorA, anchorB, axis), limits)), 'useHingeJoint');
}

/** Creates a hinge between bodies that collide with each other, as in Rapier. */
export function useRevoluteJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB, axis, limits]: Axis) {
  const data = limited(JointData.revolute(anchorA, anchorB, axis), limits);
  return useMadeJoint(bodyA, bodyB, optionsOf(data), 'useRevoluteJoint');
}

/** Creates a slider along an axis: `[anchorA, anchorB, axis, limits?]`, m. */
export function useSliderJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB, axis, limits]: Axis) {
  return useMadeJoint(bodyA, bodyB, apart(limited(JointData.prismatic(anchorA, anchorB, axis), limits)), 'useSliderJoint');
}

/** Creates a slider between bodies that collide with each other, as in Rapier. */
export function usePrismaticJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB, axis, limits]: Axis) {
  const data = limited(JointData.prismatic(anchorA, anchorB, axis), limits);
  return useMadeJoint(bodyA, bodyB, optionsOf(data), 'usePrismaticJoint');
}

/** Welds two bodies together: `[anchorA, frameA, anchorB, frameB]`, frames as quaternions. */
export function useFixedJoint(
  bodyA: BodyRef | null,
  bodyB: BodyRef,
  [anchorA, frameA, anchorB, frameB]: readonly [VectorProp, Quat, VectorProp, Quat],
) {
  return useMadeJoint(bodyA, bodyB, optionsOf(JointData.fixed(anchorA, frameA, anchorB, frameB)), 'useFixedJoint');
}

/** Creates a rope: `[anchorA, anchorB, length]`, m. */
export function useRopeJoint(
  bodyA: BodyRef | null,
  bodyB: BodyRef,
  [anchorA, anchorB, length]: readonly [VectorProp, VectorProp, number],
) {
  return useMadeJoint(bodyA, bodyB, optionsOf(JointData.rope(length, anchorA, anchorB)), 'useRopeJoint');
}

/** Creates a spring: `[anchorA, anchorB, rest length, stiffness, damping]`, in m, N/m, N s/m. */
export function useSpringJoint(
  bodyA: BodyRef | null,
  bodyB: BodyRef,
  [anchorA, anchorB, length, stiffness, damping]: readonly [VectorProp, VectorProp, number, number, number],
) {
  const data = JointData.spring(length, stiffness, damping, anchorA, anchorB);
  return useMadeJoint(bodyA, bodyB, optionsOf(data), 'useSpringJoint');
}
