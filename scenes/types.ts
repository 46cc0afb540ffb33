// What a scene is: plain data, no engine. Builders write it; the demo, the tests, the bench and the command line read it.
// Units: metres, kilograms, seconds, radians. Frame: right-handed, y up. Poses are stored in single precision so that
// every engine starts from exactly the same numbers.

export type Vec3 = readonly [number, number, number];
export type Quat = readonly [number, number, number, number];

/** Body types, the numbers that the engine uses too. */
export const STATIC = 0;
export const KINEMATIC = 1;
export const DYNAMIC = 2;

/** A child of a compound, posed in the frame of the body. */
export interface CompoundChild {
  /** Index into `Scene.shapes`; not a compound itself. */
  shape: number;
  position: Vec3;
  rotation: Quat;
}

export type ShapeDef =
  | { type: 'sphere'; radius: number }
  /** Axis y; `halfHeight` is half the length of the segment between the cap centers. */
  | { type: 'capsule'; radius: number; halfHeight: number }
  /** Axis y. */
  | { type: 'cylinder'; radius: number; halfHeight: number }
  /** Axis y, base of `radius` at -halfHeight, apex at +halfHeight. */
  | { type: 'cone'; radius: number; halfHeight: number }
  | { type: 'box'; halfExtents: Vec3 }
  /** Convex hull of `points` (xyz triples). */
  | { type: 'hull'; points: Float32Array }
  /** Triangles, counter-clockwise seen from outside. Static bodies only. */
  | { type: 'mesh'; positions: Float32Array; indices: Uint32Array }
  /** `heights[ix + nx * iz]` at x = originX + ix * spacing, z = originZ + iz * spacing. Static bodies only. */
  | { type: 'heightfield'; nx: number; nz: number; spacing: number; originX: number; originZ: number; heights: Float32Array }
  | { type: 'compound'; children: CompoundChild[] };

/** Bodies as arrays, one element (or three, or four) a body, in order of creation. */
export interface SceneBodies {
  count: number;
  /** STATIC, KINEMATIC or DYNAMIC. */
  type: Uint8Array;
  /** Index into `Scene.shapes`. */
  shape: Uint32Array;
  /** Body origin, xyz, m. */
  position: Float32Array;
  /** Unit quaternion xyzw. */
  rotation: Float32Array;
  /** xyz, m/s. */
  linearVelocity: Float32Array;
  /** xyz, rad/s, world frame. */
  angularVelocity: Float32Array;
  /** kg/m3; 0 for static bodies. */
  density: Float32Array;
  /** Coulomb coefficient. All bodies of a scene carry the same one, so that combine rules do not matter. */
  friction: Float32Array;
  /** 0..1. */
  restitution: Float32Array;
}

/** Body index of what does not move: the frame of the world. */
export const WORLD = -1;

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

/** m or rad. */
export interface JointLimit {
  min: number;
  max: number;
}

/** Drives an axis to a velocity, m/s or rad/s, with at most `maxForce` (N or N m; unlimited if left out). */
export interface JointMotor {
  velocity: number;
  maxForce?: number;
}

/**
 * Pulls an axis to `target` (m or rad, 0 if left out): as an oscillator of the reduced mass of the two bodies with a frequency
 * (Hz) and a damping ratio, or with a stiffness (N/m, N m/rad) and a damping (N s/m, N m s/rad).
 */
export type JointSpring = { target?: number; maxForce?: number } & (
  | { frequency: number; dampingRatio: number }
  | { stiffness: number; damping: number }
);

export interface JointAxis {
  limit?: JointLimit;
  motor?: JointMotor;
  spring?: JointSpring;
  locked?: boolean;
}

/**
 * Two bodies and the frames in them that the joint holds together. Axis z of a frame is what a hinge turns about, a slider
 * slides along, a cone-twist joint twists about and a wheel spins about; x and y complete it.
 */
export interface SceneJoint {
  type: JointType;
  /** Index of a body, or WORLD. */
  bodyA: number;
  bodyB: number;
  /** Origin of the frame in body A (in the world for WORLD), from the body origin, m. */
  anchorA: Vec3;
  anchorB: Vec3;
  /** Unit quaternion xyzw: the frame in the body. */
  frameA: Quat;
  frameB: Quat;
  /** Of the axis that the type has: angle of a hinge, twist, way, distance, suspension (along y of frame A). */
  limit?: JointLimit;
  motor?: JointMotor;
  spring?: JointSpring;
  /** `cone-twist`: largest angle between the axes z, rad. */
  cone?: number;
  /** `cylindrical`: rotation about z; `wheel`: spin. */
  twist?: JointAxis;
  /** `distance`: length of a rod, m. `pulley`: |p_A - groundA| + ratio |p_B - groundB| of the tight rope, m. */
  length?: number;
  /** `gear`: spin of A about its z + ratio * spin of B about its z = 0. `pulley`: see `length`. */
  ratio?: number;
  /** `pulley`: where the rope leaves its wheels, world, m. */
  groundA?: Vec3;
  groundB?: Vec3;
  /** Lever of the friction in proportion to the load, m; 0 for a joint without friction, the standard of the engine if left out. */
  frictionLever?: number;
  /** Whether the two bodies touch each other. */
  collide: boolean;
}

/** What a body has that most have not. */
export interface SceneTraits {
  /** Index. */
  body: number;
  /** Of its surface, in the frame of the shape, m/s: a belt. */
  surfaceVelocity?: Vec3;
  /** Lets bodies pass in this direction, in the frame of the shape. */
  oneWay?: Vec3;
  /** Passes through nothing that moves. */
  bullet?: boolean;
  /** Torque against rolling over normal force and radius; the standard of the engine if left out. */
  rollingResistance?: number;
  /** There to be looked at: it touches nothing. */
  scenery?: boolean;
  /** sRGB, 0 to 255. */
  tint?: Vec3;
  /** Drawn so that one sees through it. */
  finish?: 'glass' | 'water';
}

/** What the scene promises at the start and what a run of it should be judged by. */
export interface SceneChecks {
  dynamicCount: number;
  /** Triangles of the static mesh, 0 without one. */
  triangles: number;
  /** No two bodies overlap at the start by more than rounding (1e-5 m). */
  touching: boolean;
  /** A structure that should keep its shape: displacement from the start is worth reporting. */
  stands: boolean;
  /** A dynamic body whose origin leaves this box is lost. */
  bounds: { min: Vec3; max: Vec3 };
  /** Joints (indices) that follow each other from the held end to the free one: how much longer it gets is its stretch. */
  chain?: readonly number[];
  /** The highest bodies of structures that should stand, one of each: a structure stands while its top keeps its height. */
  tops?: readonly number[];
  /** A tube along z that nothing gets through: bodies start in it and may leave it by its ends. */
  drum?: { center: Vec3; radius: number; halfLength: number };
}

/** Bodies and joints (from, and up to but without) that come in before a step; if they are there already, they leave first. */
export interface SceneWave {
  step: number;
  bodies: readonly [from: number, to: number];
  joints: readonly [from: number, to: number];
}

/** A kinematic body that goes round the origin in the plane of x and z, from (radius, y, 0) on. */
export interface SceneOrbit {
  body: number;
  /** m */
  radius: number;
  /** Degrees per second from x to z. */
  speed: number;
}

export interface Scene {
  name: string;
  title: string;
  seed: number;
  /** m/s2 */
  gravity: Vec3;
  /** Fixed step, s. */
  dt: number;
  shapes: ShapeDef[];
  bodies: SceneBodies;
  /** None in most scenes. Bodies go by index, in order of creation. */
  joints?: readonly SceneJoint[];
  /** At most one of a body. What a scene does by itself as it runs is its act (acts.ts). */
  traits?: readonly SceneTraits[];
  /** Indices of bodies that its act moves, by names of its own. */
  parts?: Readonly<Record<string, number | readonly number[]>>;
  /** What comes in as the scene runs, in order of steps; all other bodies are there from the start. The bench plays these. */
  waves?: readonly SceneWave[];
  /** The bench plays these. */
  orbits?: readonly SceneOrbit[];
  checks: SceneChecks;
}

/** Parameters common to all builders; each builder documents its own. */
export interface SceneOptions {
  /** Seed of the generator; same options, same scene, bit by bit. */
  seed?: number;
  /** Scales the number of bodies (and the ground with it where there is one): 0.1 for a quick test. */
  scale?: number;
  /** Number of bodies of scenes that take one (boxes, spheres, hulls, mixed), of ragdolls in `ragdolls150`. */
  count?: number;
  /** `slabs`: mass of the block over the mass of a slab; `hanging-chain`, `wrecking-ball`: mass of the ball over the mass of a link. */
  massRatio?: number;
  /** `slope`: inclination, rad. */
  angle?: number;
  /** `slope`, `cardhouse`: friction of all bodies. */
  friction?: number;
  /** `arch`: thickness of the ring over its mean radius. */
  thickness?: number;
  /** `arch`: mean radius, m. */
  radius?: number;
  /** `mixed`: what the bodies fall on. */
  ground?: 'mesh' | 'heightfield';
}
