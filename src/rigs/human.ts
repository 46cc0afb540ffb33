// A human of 1.75 m as a skeleton: arms out to the sides, viewed from the front (it looks along +z, its left is +x, the ground is
// y = 0). Also the parts of a human body: their parents, thickness and range of motion.
import type { Vector } from './turns';

/** A bone of a skeleton in its rest pose, like the bones of a skinned mesh. Parents come before children. */
export interface SkeletonBone {
  name: string;
  /** Index of the parent in the list; -1: none. */
  parent: number;
  /** Position (world or model, m). */
  position: Vector;
  /** Rotation x y z w; default none. */
  rotation?: [number, number, number, number];
}

/** Parts of a body, without their side. */
export type PartName =
  | 'pelvis'
  | 'abdomen'
  | 'chest'
  | 'neck'
  | 'head'
  | 'upperArm'
  | 'forearm'
  | 'hand'
  | 'thigh'
  | 'shin'
  | 'foot';

export interface Part {
  name: PartName;
  paired: boolean;
  /** Possible parents: it hangs on the nearest of these that the ragdoll has. */
  parents: readonly PartName[];
  /** Whether ragdolls of 13 bodies have it too, not only those of 17. */
  coarse: boolean;
  /** Whether a ragdoll must have it. */
  needed: boolean;
  /**
   * `limb`: a capsule along the bone; `box`: along the bone, with width and depth; `ball`; `hips`: a capsule across. Half sizes
   * at 1.75 m.
   */
  form: 'limb' | 'box' | 'ball' | 'hips';
  /** Radius, or half width. */
  width: number;
  /** Of a box: half depth. */
  depth?: number;
  /** Length if the skeleton has no next bone, at 1.75 m. */
  length: number;
  /** Direction if the skeleton has no next bone: `left` is out to its own side; default: as the previous bone. */
  points?: Vector;
  /**
   * For a hinge: direction of flexing (front 1, back -1), rad. Otherwise a cone about `middle` (default: rest) and a twist, rad.
   */
  hinge?: { flex: 1 | -1; min: number; max: number };
  cone?: number;
  twist?: number;
  /** Middle of the cone: out, up, front. */
  middle?: Vector;
}

/** Parents before children. */
export const PARTS: readonly Part[] = [
  { name: 'pelvis', paired: false, parents: [], coarse: true, needed: true, form: 'hips', width: 0.11, length: 0.13 },
  {
    name: 'abdomen',
    paired: false,
    parents: ['pelvis'],
    coarse: false,
    needed: false,
    form: 'box',
    width: 0.13,
    depth: 0.09,
    length: 0.13,
    cone: 0.4,
    twist: 0.4,
  },
  {
    name: 'chest',
    paired: false,
    parents: ['abdomen', 'pelvis'],
    coarse: true,
    needed: true,
    form: 'box',
    width: 0.15,
    depth: 0.1,
    length: 0.36,
    cone: 0.45,
    twist: 0.5,
  },
  {
    name: 'neck',
    paired: false,
    parents: ['chest'],
    coarse: false,
    needed: false,
    form: 'limb',
    width: 0.05,
    length: 0.08,
    cone: 0.4,
    twist: 0.6,
  },
  {
    name: 'head',
    paired: false,
    parents: ['neck', 'chest'],
    coarse: true,
    needed: true,
    form: 'ball',
    width: 0.105,
    length: 0.23,
    points: [0, 1, 0],
    cone: 0.6,
    twist: 0.8,
  },
  {
    name: 'upperArm',
    paired: true,
    parents: ['chest'],
    coarse: true,
    needed: true,
    form: 'limb',
    width: 0.05,
    length: 0.28,
    cone: 1.5,
    twist: 0.8,
    middle: [0.65, -0.5, 0.55],
  },
  {
    name: 'forearm',
    paired: true,
    parents: ['upperArm'],
    coarse: true,
    needed: true,
    form: 'limb',
    width: 0.042,
    length: 0.26,
    hinge: { flex: 1, min: 0, max: 2.5 },
  },
  {
    name: 'hand',
    paired: true,
    parents: ['forearm'],
    coarse: false,
    needed: false,
    form: 'limb',
    width: 0.04,
    length: 0.18,
    cone: 0.9,
    twist: 0.3,
  },
  {
    name: 'thigh',
    paired: true,
    parents: ['pelvis'],
    coarse: true,
    needed: true,
    form: 'limb',
    width: 0.075,
    length: 0.42,
    cone: 1.05,
    twist: 0.4,
    middle: [0.2, -0.85, 0.5],
  },
  {
    name: 'shin',
    paired: true,
    parents: ['thigh'],
    coarse: true,
    needed: true,
    form: 'limb',
    width: 0.055,
    length: 0.42,
    hinge: { flex: -1, min: 0, max: 2.4 },
  },
  {
    name: 'foot',
    paired: true,
    parents: ['shin'],
    coarse: true,
    needed: false,
    form: 'box',
    width: 0.045,
    depth: 0.035,
    length: 0.2,
    points: [0, -0.2, 1],
    cone: 0.5,
    twist: 0.2,
  },
];

const MIDDLE: readonly [string, string, number, number][] = [
  ['pelvis', '', 0.95, 0],
  ['abdomen', 'pelvis', 1.07, 0],
  ['chest', 'abdomen', 1.2, 0],
  ['neck', 'chest', 1.46, 0],
  ['head', 'neck', 1.54, 0],
  ['headEnd', 'head', 1.75, 0],
];
/** Bones of the left side: name, parent, x y z. */
const SIDE: readonly [string, string, number, number, number][] = [
  ['upperArm', 'chest', 0.18, 1.4, 0],
  ['forearm', 'upperArm', 0.46, 1.4, 0],
  ['hand', 'forearm', 0.72, 1.4, 0],
  ['handEnd', 'hand', 0.9, 1.4, 0],
  ['thigh', 'pelvis', 0.095, 0.92, 0],
  ['shin', 'thigh', 0.095, 0.5, 0],
  ['foot', 'shin', 0.095, 0.085, 0],
  ['footEnd', 'foot', 0.095, 0.04, 0.18],
];

/** Height of the human on which the parts are measured, m. */
export const HUMAN_HEIGHT = 1.75;

/** Returns the skeleton of a human of this height, its feet at y = 0. */
export function humanSkeleton(height = HUMAN_HEIGHT): SkeletonBone[] {
  const k = height / HUMAN_HEIGHT;
  const bones: SkeletonBone[] = [];
  const push = (name: string, parent: string, position: Vector) =>
    bones.push({ name, parent: bones.findIndex((bone) => bone.name === parent), position });
  for (const [name, parent, y, z] of MIDDLE) push(name, parent, [0, k * y, k * z]);
  for (const [suffix, sign] of [
    ['L', 1],
    ['R', -1],
  ] as const) {
    for (const [name, parent, x, y, z] of SIDE) {
      const isMiddle = parent === 'chest' || parent === 'pelvis';
      push(name + suffix, isMiddle ? parent : parent + suffix, [sign * k * x, k * y, k * z]);
    }
  }
  return bones;
}
