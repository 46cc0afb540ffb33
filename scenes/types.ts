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
  checks: SceneChecks;
}

/** Parameters common to all builders; each builder documents its own. */
export interface SceneOptions {
  /** Seed of the generator; same options, same scene, bit by bit. */
  seed?: number;
  /** Scales the number of bodies (and the ground with it where there is one): 0.1 for a quick test. */
  scale?: number;
  /** Number of bodies of scenes that take one (boxes, spheres, hulls, mixed). */
  count?: number;
  /** `slabs`: mass of the block over the mass of a slab. */
  massRatio?: number;
  /** `slope`: inclination, rad. */
  angle?: number;
  /** `slope`, `cardhouse`: friction of all bodies. */
  friction?: number;
  /** `mixed`: what the bodies fall on. */
  ground?: 'mesh' | 'heightfield';
}
