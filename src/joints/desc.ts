// Descriptions and states of joints, as callers write and read them.
import type { BodyId, Quat, Vec3, Vec3Sink } from '../types';

/**
 * Type of a joint. A and B are its two bodies.
 * - `ball`: holds the anchors together
 * - `hinge`: holds anchors and axes together; B turns about the axis
 * - `fixed`: welds the bodies together
 * - `slider`: B moves along the axis and does not turn
 * - `cylindrical`: B moves along the axis and turns about it
 * - `cone-twist`: a ball joint that keeps axis B within a cone about axis A, and limits the twist
 * - `distance`: a rod between the anchors; with `limit` a rope, with `spring` a spring
 * - `six-axis`: each axis free, locked, limited or driven
 * - `wheel`: B moves along the suspension axis of A, spins about its own axis, and is steered about the suspension axis
 * - `gear`: spin of A about its axis + ratio times spin of B about its axis = 0
 * - `pulley`: a rope from A over two world points to B
 */
export type JointType =
  | 'ball'
  | 'hinge'
  | 'fixed'
  | 'slider'
  | 'cylindrical'
  | 'cone-twist'
  | 'distance'
  | 'six-axis'
  | 'wheel'
  | 'gear'
  | 'pulley';

/** Index of each type in the core. */
export const JOINT_TYPES: readonly JointType[] = [
  'ball',
  'hinge',
  'fixed',
  'slider',
  'cylindrical',
  'cone-twist',
  'distance',
  'six-axis',
  'wheel',
  'gear',
  'pulley',
];

/** Range of an axis, m or rad. Equal ends hold the axis there. */
export interface JointLimit {
  min: number;
  max: number;
}

/** A motor: drives an axis at a velocity. */
export interface JointMotor {
  /** Velocity of B relative to A, m/s or rad/s. */
  velocity: number;
  /** Largest force (N) or torque (N m); default without bound. */
  maxForce?: number;
}

/**
 * A spring: drives an axis to a target. Give `frequency` and `dampingRatio`, which act the same for any masses, or `stiffness`
 * and `damping`. In `setJoint`, fields that you leave out stay.
 */
export interface JointSpring {
  /** Target of the axis, m or rad; default 0, and `length` for a distance joint. */
  target?: number;
  /** Frequency, Hz, 0.001 to 1000. Above a tenth of the rate of substeps the spring becomes softer. */
  frequency?: number;
  /** Damping ratio, 0 to 100; default 1: critical damping. */
  dampingRatio?: number;
  /** Stiffness, N/m or N m/rad. */
  stiffness?: number;
  /** Damping, N s/m or N m s/rad; default 0. */
  damping?: number;
  /** Largest force (N) or torque (N m); default without bound. */
  maxForce?: number;
}

/** Limit, motor, spring and friction of one axis; `null` removes. */
export interface JointAxis {
  limit?: JointLimit | null;
  /** Drives the axis at a velocity. An axis has a motor or a spring, not both. */
  motor?: JointMotor | null;
  spring?: JointSpring | null;
  /** Dry friction: force (N) or torque (N m) against motion; default 0. */
  friction?: number;
  /**
   * Whether the axis is held at 0; default false. Meanwhile its limit, motor and spring do nothing. For a brake, use a motor of
   * velocity 0.
   */
  locked?: boolean;
}

/**
 * Axes of a six-axis joint, along and about x y z of frame A: translation of anchor B, swing of z as a rotation vector, twist
 * about z.
 */
export interface JointAxes {
  x?: JointAxis;
  y?: JointAxis;
  z?: JointAxis;
  swingX?: JointAxis;
  swingY?: JointAxis;
  twist?: JointAxis;
}

/** A joint. Each type takes some of these fields (docs/api.md, "Joints"); others are refused. */
export interface JointDesc {
  type: JointType;
  /** The first body; null or left out: the world. */
  bodyA?: BodyId | null;
  bodyB: BodyId;
  /** Anchor for both bodies at their present poses (world, m). */
  anchor?: Vec3;
  /** Instead of `anchor`: the anchor in the frame of each body, from its origin, m. On the world's side it is a world point. */
  anchorA?: Vec3;
  anchorB?: Vec3;
  /** Axis of the hinge, slide, twist or spin (world): z of both frames. Angles count from the present poses. */
  axis?: Vec3;
  /** Instead of `axis`: the axis in the frame of each body. */
  axisA?: Vec3;
  axisB?: Vec3;
  /** Instead of `axis`: the rotation of the whole frame in each body, z along the axis. */
  frameA?: Quat;
  frameB?: Quat;
  /** Limit of the main axis: angle, translation, twist, distance or suspension; m or rad. */
  limit?: JointLimit | null;
  motor?: JointMotor | null;
  spring?: JointSpring | null;
  /** Dry friction of the main axis, N or N m; default 0. */
  friction?: number;
  /** For cone-twist: largest swing of axis B from axis A, 0 to pi rad; default none. */
  cone?: number;
  /** For cylindrical: the rotation. For wheel: the spin. */
  twist?: JointAxis;
  /** For distance: length of the rod, or of the spring at rest. For pulley: length of the rope. m; default the present length. */
  length?: number;
  /**
   * For six-axis: the axes; an axis that you leave out is free. For cone-twist: motor, spring and friction of swingX and swingY.
   */
  axes?: JointAxes;
  /** For wheel: angle about the suspension axis, -pi to pi rad; default 0. */
  steering?: number;
  /** For wheel: suspension axis (world), made perpendicular to the axis; default 0 1 0. */
  suspensionAxis?: Vec3;
  /** For gear: required, not 0. For pulley: above 0, default 1. */
  ratio?: number;
  /** For pulley: the points where the rope turns (world, m). */
  groundA?: Vec3;
  groundB?: Vec3;
  /**
   * Friction of the free rotation by load: torque (N m) per newton at the anchors, so m; default 0.005 for ball, hinge and
   * cone-twist, else 0.
   */
  frictionLever?: number;
  /** Friction of the free rotation that does not depend on the load, N m; default 0. */
  frictionTorque?: number;
  /** Force (N) and torque (N m) that break the joint; default never. */
  breakForce?: number;
  breakTorque?: number;
  /** Whether its two bodies collide with each other; default false. */
  collide?: boolean;
  /** Whether the joint acts; default true. */
  enabled?: boolean;
}

/** Changes for `setJoint`; fields that you leave out stay. */
export type JointChanges = Partial<Omit<JointDesc, 'type' | 'bodyA' | 'bodyB'>>;

/** Where `getJoint` writes: a JointState whose vectors may be objects with x, y and z. */
export interface JointStateSink extends Omit<JointState, 'offset' | 'force' | 'torque'> {
  offset: Vec3Sink;
  force: Vec3Sink;
  torque: Vec3Sink;
}

/** The present state of a joint. */
export interface JointState {
  type: JointType;
  /** The first body; null: the world. */
  bodyA: BodyId | null;
  bodyB: BodyId;
  enabled: boolean;
  /** Whether it broke. `setJoint(id, { enabled: true })` repairs it. */
  broken: boolean;
  collide: boolean;
  /**
   * Position of the main axis. hinge, cone-twist: angle with whole turns, rad; slider, cylindrical, wheel: translation, m;
   * distance: distance, m; pulley: length of the rope, m; gear: slip, rad; else 0.
   */
  place: number;
  /** Anchor B relative to anchor A, along the axes of frame A, m. For a distance joint: the distance, 0, 0. */
  offset: [number, number, number];
  /** Angle between the axes of A and B, rad. */
  swing: number;
  /** Rotation about the axis with whole turns, rad. */
  twist: number;
  /** Error of the anchors: their distance from where they may be, m. */
  gap: number;
  /** Force of the locked directions on B in the last substep (world, N). */
  force: [number, number, number];
  /** Torque of the locked rotations on B (world, N m). */
  torque: [number, number, number];
  /** Force (N) or torque (N m) of limit, motor, spring and friction along the axis; of the rope; or of a gear on A. */
  axisForce: number;
  /** All settings, as `createJoint` takes them. */
  settings: JointDesc;
}
