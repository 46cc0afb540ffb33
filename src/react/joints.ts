// Joints as hooks: made when both bodies are there, gone with the component.
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

/** A joint of any type: `useJoint(a, b, { type: 'hinge', anchor, axis })`, A null for the world. Made anew when the options say something else. */
export function useJoint(bodyA: BodyRef | null, bodyB: BodyRef, options: JointOptions): RefObject<JointApi | null> {
  return useMadeJoint(bodyA, bodyB, options, 'useJoint');
}

/** A joint that `rapier.JointData` describes, between two refs of bodies. */
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

/** The options of an axis, with the limits of its arguments. */
function limited(data: JointData, limits: Limits | undefined): JointData {
  if (limits) Object.assign(data, { limitsEnabled: true, limits });
  return data;
}

/** As the engine has joints by itself: what they hold together does not collide. */
const apart = (data: JointData): JointOptions => ({ ...optionsOf(data), collide: false });

/** Anchors together; `[anchorA, anchorB]` in the bodies, m. */
export function useBallJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB]: Anchors) {
  const { frictionLever: _, ...options } = apart(JointData.spherical(anchorA, anchorB));
  return useMadeJoint(bodyA, bodyB, options, 'useBallJoint');
}

/** As `useBallJoint`, without friction, between bodies that collide with each other: as in Rapier. */
export function useSphericalJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB]: Anchors) {
  return useMadeJoint(bodyA, bodyB, optionsOf(JointData.spherical(anchorA, anchorB)), 'useSphericalJoint');
}

/** Turns about an axis; `[anchorA, anchorB, axis, limits?]`, the axis in both bodies, rad. 0 is where the axes of the bodies are parallel. */
export function useHingeJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB, axis, limits]: Axis) {
  return useMadeJoint(bodyA, bodyB, apart(limited(JointData.revolute(anchorA, anchorB, axis), limits)), 'useHingeJoint');
}

/** As `useHingeJoint`, between bodies that collide with each other: as in Rapier. */
export function useRevoluteJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB, axis, limits]: Axis) {
  const data = limited(JointData.revolute(anchorA, anchorB, axis), limits);
  return useMadeJoint(bodyA, bodyB, optionsOf(data), 'useRevoluteJoint');
}

/** Slides along an axis; `[anchorA, anchorB, axis, limits?]`, m. */
export function useSliderJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB, axis, limits]: Axis) {
  return useMadeJoint(bodyA, bodyB, apart(limited(JointData.prismatic(anchorA, anchorB, axis), limits)), 'useSliderJoint');
}

/** As `useSliderJoint`, between bodies that collide with each other: as in Rapier. */
export function usePrismaticJoint(bodyA: BodyRef | null, bodyB: BodyRef, [anchorA, anchorB, axis, limits]: Axis) {
  const data = limited(JointData.prismatic(anchorA, anchorB, axis), limits);
  return useMadeJoint(bodyA, bodyB, optionsOf(data), 'usePrismaticJoint');
}

/** Holds everything; `[anchorA, frameA, anchorB, frameB]`, frames as quaternions. */
export function useFixedJoint(
  bodyA: BodyRef | null,
  bodyB: BodyRef,
  [anchorA, frameA, anchorB, frameB]: readonly [VectorProp, Quat, VectorProp, Quat],
) {
  return useMadeJoint(bodyA, bodyB, optionsOf(JointData.fixed(anchorA, frameA, anchorB, frameB)), 'useFixedJoint');
}

/** At most so far apart; `[anchorA, anchorB, length]`, m. */
export function useRopeJoint(
  bodyA: BodyRef | null,
  bodyB: BodyRef,
  [anchorA, anchorB, length]: readonly [VectorProp, VectorProp, number],
) {
  return useMadeJoint(bodyA, bodyB, optionsOf(JointData.rope(length, anchorA, anchorB)), 'useRopeJoint');
}

/** `[anchorA, anchorB, rest length, stiffness, damping]`: m, N/m, N s/m. */
export function useSpringJoint(
  bodyA: BodyRef | null,
  bodyB: BodyRef,
  [anchorA, anchorB, length, stiffness, damping]: readonly [VectorProp, VectorProp, number, number, number],
) {
  const data = JointData.spring(length, stiffness, damping, anchorA, anchorB);
  return useMadeJoint(bodyA, bodyB, optionsOf(data), 'useSpringJoint');
}
