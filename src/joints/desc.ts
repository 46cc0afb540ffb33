// What a caller says joints are, and what the world tells of them.
import type { BodyId, Quat, Vec3, Vec3Sink } from '../types';

/**
 * - `ball`: anchors together
 * - `hinge`: anchors and axes together; turns about the axis
 * - `fixed`: a weld
 * - `slider`: moves along the axis, does not turn
 * - `cylindrical`: moves along the axis and turns about it
 * - `cone-twist`: a ball joint whose axis B stays within a cone about axis A, and whose twist has limits
 * - `distance`: a rod between the anchors; with `limit` a rope, with `spring` a spring
 * - `six-axis`: each axis free, locked, limited or driven
 * - `wheel`: moves along the suspension axis of A, spins about the axis of B, is steered about the suspension axis
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

/** Range of an axis, m or rad. Equal ends hold it there. */
export interface JointLimit {
  min: number;
  max: number;
}

/** Drives an axis at a velocity. */
export interface JointMotor {
  /** m/s or rad/s, of B as A sees it. */
  velocity: number;
  /** N or N m, at most; default no bound. */
  maxForce?: number;
}

/**
 * Drives an axis to a place: by `frequency` and `dampingRatio`, whatever the masses are, or by `stiffness` and `damping`. In
 * `setJoint` fields left out stay.
 */
export interface JointSpring {
  /** m or rad; default 0, of a distance `length`. */
  target?: number;
  /** Hz, 0.001 to 1000; softer than a tenth of the rate of substeps. */
  frequency?: number;
  /** 0 to 100; default 1: critical. */
  dampingRatio?: number;
  /** N/m or N m/rad. */
  stiffness?: number;
  /** N s/m or N m s/rad; default 0. */
  damping?: number;
  /** N or N m, at most; default no bound. */
  maxForce?: number;
}

/** Limit, motor, spring and friction of one axis; `null` removes. */
export interface JointAxis {
  limit?: JointLimit | null;
  /** One of motor and spring. */
  motor?: JointMotor | null;
  spring?: JointSpring | null;
  /** Dry friction, N or N m; default 0. */
  friction?: number;
  /** Held at 0; default false. What else the axis has rests meanwhile. A brake is a motor of velocity 0. */
  locked?: boolean;
}

/** Axes of a six-axis joint along and about x y z of frame A: ways of anchor B, the swing of z as a rotation vector, the twist about z. */
export interface JointAxes {
  x?: JointAxis;
  y?: JointAxis;
  z?: JointAxis;
  swingX?: JointAxis;
  swingY?: JointAxis;
  twist?: JointAxis;
}

/** A joint. Which fields a type takes: docs/api.md, "Joints"; others are refused. */
export interface JointDesc {
  type: JointType;
  /** Null or left out: the world. */
  bodyA?: BodyId | null;
  bodyB: BodyId;
  /** World, m, for both bodies at their poses now. */
  anchor?: Vec3;
  /** Instead: in the frame of each body, from its origin, m; of the world: world. */
  anchorA?: Vec3;
  anchorB?: Vec3;
  /** World: hinge, slide, twist, spin axis (z of both frames). Angles count from the poses now. */
  axis?: Vec3;
  /** Instead: in the frame of each body. */
  axisA?: Vec3;
  axisB?: Vec3;
  /** Instead: rotation of the whole frame in each body, z along the axis. */
  frameA?: Quat;
  frameB?: Quat;
  /** Of the axis: angle, way, twist, distance, suspension. m or rad. */
  limit?: JointLimit | null;
  motor?: JointMotor | null;
  spring?: JointSpring | null;
  /** N or N m; default 0. */
  friction?: number;
  /** cone-twist: largest swing of axis B from axis A, 0 to pi rad; default none. */
  cone?: number;
  /** cylindrical: the rotation; wheel: the spin. */
  twist?: JointAxis;
  /** distance: of the rod, or of the spring at rest; pulley: of the rope. m; default as it is now. */
  length?: number;
  /** six-axis: one that is left out is free; cone-twist: motor, spring and friction of swingX and swingY. */
  axes?: JointAxes;
  /** wheel: rad about the suspension axis, -pi to pi; default 0. */
  steering?: number;
  /** wheel: world; default 0 1 0. Made square to the axis. */
  suspensionAxis?: Vec3;
  /** gear: needed, not 0; pulley: default 1, above 0. */
  ratio?: number;
  /** pulley: where the rope turns, world, m. */
  groundA?: Vec3;
  groundB?: Vec3;
  /** Friction by load on the free rotation: torque a newton at the anchors, m; default 0.005 of ball, hinge and cone-twist, else 0. */
  frictionLever?: number;
  /** Friction of the free rotation that needs no load, N m; default 0. */
  frictionTorque?: number;
  /** N and N m that break the joint; default never. */
  breakForce?: number;
  breakTorque?: number;
  /** Whether its bodies collide with each other; default false. */
  collide?: boolean;
  /** Default true. */
  enabled?: boolean;
}

/** Changes for `setJoint`; fields that you leave out stay. */
export type JointChanges = Partial<Omit<JointDesc, 'type' | 'bodyA' | 'bodyB'>>;

/** What `getJoint` writes to: a JointState whose vectors may be objects with x, y and z. */
export interface JointStateSink extends Omit<JointState, 'offset' | 'force' | 'torque'> {
  offset: Vec3Sink;
  force: Vec3Sink;
  torque: Vec3Sink;
}

/** A joint as it is now. */
export interface JointState {
  type: JointType;
  /** Null: the world. */
  bodyA: BodyId | null;
  bodyB: BodyId;
  enabled: boolean;
  /** It broke; `setJoint(id, { enabled: true })` mends it. */
  broken: boolean;
  collide: boolean;
  /**
   * Of the axis. hinge, cone-twist: angle with whole turns, rad; slider, cylindrical, wheel: way, m; distance: distance, m; pulley:
   * length of the rope, m; gear: what it has slipped, rad; else 0.
   */
  place: number;
  /** Anchor B as anchor A sees it, along the axes of frame A, m; of a distance: the distance, 0, 0. */
  offset: [number, number, number];
  /** Angle between the axes of A and B, rad. */
  swing: number;
  /** Rotation about the axis with whole turns, rad. */
  twist: number;
  /** How far the anchors are from where they may be, m. */
  gap: number;
  /** Force of the locked directions on B in the last substep, world, N. */
  force: [number, number, number];
  /** Torque of the locked rotations on B, world, N m. */
  torque: [number, number, number];
  /** Force or torque of limit, motor, spring and friction along the axis, of a rope, on the A of a gear; N or N m. */
  axisForce: number;
  /** All settings, as `createJoint` takes them. */
  settings: JointDesc;
}
