// The human of Box3D (erincatto/box3d, shared/human.c): 14 capsules, 13 joints. Places, sizes, frames and limits are as published;
// its joint springs, friction torque and rolling resistance, which not every engine has, are left out.
import type { SceneBuilder } from './builder';
import { degrees, inverse, join, swing, turn, unit } from './frames';
import type { Quat, Vec3 } from './types';

interface BoneJoint {
  parent: string;
  /** Frame in the parent (A) and in the bone (B), in bone coordinates. */
  anchorA: Vec3;
  frameA: Quat;
  anchorB: Vec3;
  frameB: Quat;
  /** Degrees; a hinge where there is none. */
  cone?: number;
  /** Degrees. */
  twist: [number, number];
}

interface Bone {
  name: string;
  /** Pose of the standing figure, feet near y = 0, m. */
  at: Vec3;
  rotation: Quat;
  /** In the bone. */
  capsule: { from: Vec3; to: Vec3; radius: number };
  joint?: BoneJoint;
}

// biome-ignore format: a table
const BONES: readonly Bone[] = [
  {
    name: 'pelvis',
    at: [0, 0.932087, -0.051708],
    rotation: [0.739169, 0, 0, 0.67352],
    capsule: { from: [0.07, 0, -0.08], to: [-0.07, 0, -0.08], radius: 0.13 },
  },
  {
    name: 'spine 01',
    at: [0, 1.113505, -0.03481],
    rotation: [0.739973, 0, 0, 0.672637],
    capsule: { from: [0.06, 0, -0.052264], to: [-0.06, 0, -0.052264], radius: 0.12 },
    joint: {
      parent: 'pelvis',
      anchorA: [0, 0, -0.182204],
      frameA: [-0.999999, 0, 0, 0.001194],
      anchorB: [0, 0, -0.007736],
      frameB: [-1, 0, 0, 0],
      cone: 25,
      twist: [-15, 15],
    },
  },
  {
    name: 'spine 02',
    at: [0, 1.194336, -0.027087],
    rotation: [0.703611, 0, 0, 0.710586],
    capsule: { from: [0.08, -0.015133, -0.091801], to: [-0.08, -0.015133, -0.091801], radius: 0.1 },
    joint: {
      parent: 'spine 01',
      anchorA: [0, 0, -0.088935],
      frameA: [-0.998619, 0, 0, -0.05254],
      anchorB: [0, 0, -0.008199],
      frameB: [-1, 0, 0, 0],
      cone: 25,
      twist: [-15, 15],
    },
  },
  {
    name: 'spine 03',
    at: [0, 1.31043, -0.028232],
    rotation: [0.669856, 0.000001, -0.000001, 0.742491],
    capsule: { from: [0.11, -0.039753, -0.13], to: [-0.11, -0.039753, -0.13], radius: 0.145 },
    joint: {
      parent: 'spine 02',
      anchorA: [0, 0, -0.124298],
      frameA: [-0.998921, 0.000001, -0.000001, -0.046434],
      anchorB: [0, 0, 0],
      frameB: [-1, 0, -0.000001, 0],
      cone: 15,
      twist: [-10, 10],
    },
  },
  {
    name: 'neck',
    at: [0, 1.575582, -0.055837],
    rotation: [0.879922, 0, 0, 0.475118],
    capsule: { from: [-0.000001, 0, -0.02], to: [0, -0.005, -0.08], radius: 0.07 },
    joint: {
      parent: 'spine 03',
      anchorA: [0.000001, -0.000259, -0.266585],
      frameA: [-0.942192, -0.000001, 0, 0.335074],
      anchorB: [0, 0, 0],
      frameB: [-1, 0, -0.000001, 0],
      cone: 45,
      twist: [-15, 15],
    },
  },
  {
    name: 'head',
    at: [0, 1.653348, -0.003241],
    rotation: [0.750288, 0, 0, 0.661111],
    capsule: { from: [-0.000001, 0.016892, -0.05869], to: [0, -0.003629, -0.115072], radius: 0.0975 },
    joint: {
      parent: 'neck',
      anchorA: [0, 0.001321, -0.093873],
      frameA: [-0.974301, 0, 0, -0.225251],
      anchorB: [0, 0.001268, -0.005104],
      frameB: [-1, 0, 0, 0],
      cone: 15,
      twist: [-15, 15],
    },
  },
  {
    name: 'thigh l',
    at: [0.090416, 0.986104, -0.03509],
    rotation: [-0.703287, -0.070715, 0.053866, 0.705327],
    capsule: { from: [0.023719, 0.006008, -0.039068], to: [-0.064492, -0.004664, -0.424718], radius: 0.09 },
    joint: {
      parent: 'pelvis',
      anchorA: [0.05, 0.011537, -0.055325],
      frameA: [-0.714896, -0.022305, -0.698361, -0.02679],
      anchorB: [0, 0, 0],
      frameB: [-0.002064, 0.758987, 0.017046, 0.65088],
      cone: 10,
      twist: [-60, 40],
    },
  },
  {
    name: 'calf l',
    at: [0.101198, 0.527027, -0.037374],
    rotation: [-0.653328, -0.06686, 0.058582, 0.751838],
    capsule: { from: [0.001778, 0, 0.009841], to: [-0.078577, 0.014707, -0.41816], radius: 0.075 },
    joint: {
      parent: 'thigh l',
      anchorA: [-0.069989, 0.000253, -0.453844],
      frameA: [-0.000677, 0.760087, 0.105674, 0.641171],
      anchorB: [0, 0, 0],
      frameB: [-0.044589, 0.76554, 0.053368, 0.639619],
      twist: [-5, 45],
    },
  },
  {
    name: 'thigh r',
    at: [-0.090416, 0.986104, -0.03509],
    rotation: [-0.703287, 0.070715, -0.053865, 0.705326],
    capsule: { from: [-0.023719, 0.006008, -0.039068], to: [0.064492, -0.004664, -0.424718], radius: 0.09 },
    joint: {
      parent: 'pelvis',
      anchorA: [-0.05, 0.011537, -0.055326],
      frameA: [-0.039089, -0.714094, 0.043177, 0.697623],
      anchorB: [0, 0, 0],
      frameB: [0.758805, -0.019886, -0.651012, -0.001759],
      cone: 10,
      twist: [-30, 60],
    },
  },
  {
    name: 'calf r',
    at: [-0.101198, 0.527027, -0.037373],
    rotation: [-0.653327, 0.06686, -0.058582, 0.751839],
    capsule: { from: [-0.00182, 0, 0.010071], to: [0.077883, 0.014825, -0.418047], radius: 0.075 },
    joint: {
      parent: 'thigh r',
      anchorA: [0.069988, 0.000253, -0.453844],
      frameA: [0.760086, -0.000675, -0.641171, -0.105676],
      anchorB: [0, 0, 0],
      frameB: [0.76554, -0.044589, -0.639619, -0.053368],
      twist: [-45, 5],
    },
  },
  {
    name: 'upper arm l',
    at: [0.20378, 1.484275, -0.115897],
    rotation: [0.143082, 0.69598, -0.69013, 0.13733],
    capsule: { from: [0, 0, 0], to: [-0.091118, 0.037775, 0.229719], radius: 0.075 },
    joint: {
      parent: 'spine 03',
      anchorA: [0.20378, -0.069369, -0.181921],
      frameA: [-0.278486, 0.4456, -0.097014, 0.845266],
      anchorB: [0, 0, 0],
      frameB: [-0.201396, -0.001586, 0.90185, 0.382234],
      cone: 60,
      twist: [-5, 5],
    },
  },
  {
    name: 'lower arm l',
    at: [0.305614, 1.242908, -0.117599],
    rotation: [0.165048, 0.563437, -0.802002, 0.109959],
    capsule: { from: [0, 0, 0], to: [-0.142406, 0.039392, 0.261092], radius: 0.05 },
    joint: {
      parent: 'upper arm l',
      anchorA: [-0.095482, 0.039584, 0.240723],
      frameA: [0.512487, -0.180629, 0.839474, 0.003742],
      anchorB: [0, 0, 0],
      frameB: [0.503803, -0.029831, 0.858168, 0.094017],
      twist: [-5, 60],
    },
  },
  {
    name: 'upper arm r',
    at: [-0.20378, 1.484276, -0.115899],
    rotation: [0.143083, -0.695978, 0.690132, 0.137329],
    capsule: { from: [0, 0, 0], to: [0.091118, 0.037775, 0.229718], radius: 0.075 },
    joint: {
      parent: 'spine 03',
      anchorA: [-0.203779, -0.069371, -0.181922],
      frameA: [-0.253621, -0.414842, 0.106962, 0.867261],
      anchorB: [0, 0, 0],
      frameB: [-0.201397, 0.001587, -0.90185, 0.382233],
      cone: 60,
      twist: [-5, 5],
    },
  },
  {
    name: 'lower arm r',
    at: [-0.305614, 1.242907, -0.117599],
    rotation: [0.165048, -0.563437, 0.802002, 0.109959],
    capsule: { from: [0, 0, 0], to: [0.142406, 0.039392, 0.261092], radius: 0.05 },
    joint: {
      parent: 'upper arm r',
      anchorA: [0.095484, 0.039585, 0.240723],
      frameA: [-0.180627, 0.512487, -0.003744, -0.839474],
      anchorB: [0, 0, 0],
      frameB: [-0.029831, 0.503803, -0.094017, -0.858169],
      twist: [-60, 5],
    },
  },
];

/** Pairs without a joint that may overlap: neighbors over the pelvis. */
const APART = [
  ['thigh l', 'thigh r'],
  ['spine 01', 'thigh l'],
  ['spine 01', 'thigh r'],
] as const;

/** Farther than any two points of a figure are, m: a rope that is never tight keeps two bodies from colliding in every engine. */
const SLACK = 100;

const plus = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** A bone with the frame of its body in its middle and the capsule along y, as all engines have capsules. */
function bodyOf({ capsule: { from, to, radius } }: Bone): { middle: Vec3; rotation: Quat; radius: number; halfHeight: number } {
  const along = minus(to, from);
  const length = Math.sqrt(along[0] ** 2 + along[1] ** 2 + along[2] ** 2);
  const middle: Vec3 = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, (from[2] + to[2]) / 2];
  return { middle, rotation: swing([0, 1, 0], unit(along)), radius, halfHeight: length / 2 };
}

const BODIES = BONES.map(bodyOf);
/** Bodies of a figure. */
export const BONE_COUNT = BONES.length;

function indexOf(name: string): number {
  return BONES.findIndex((bone) => bone.name === name);
}

/** A frame of a bone as a frame of its body. */
function inBody(bone: number, anchor: Vec3, frame: Quat): { anchor: Vec3; frame: Quat } {
  const { middle, rotation } = BODIES[bone];
  const back = inverse(rotation);
  return { anchor: turn(back, minus(anchor, middle)), frame: join(back, frame) };
}

/** Adds a figure that stands at a place; answers the index of its first body. */
export function addHuman(builder: SceneBuilder, place: Vec3): number {
  const first = builder.counts.bodies;
  for (const [i, { at, rotation }] of BONES.entries()) {
    const body = BODIES[i];
    const q = join(rotation, [0, 0, 0, 1]);
    builder.dynamic(
      builder.shape({ type: 'capsule', radius: body.radius, halfHeight: body.halfHeight }),
      plus(place, plus(at, turn(q, body.middle))),
      { rotation: join(q, body.rotation) },
    );
  }
  for (const [i, { joint }] of BONES.entries()) {
    if (!joint) continue;
    const parent = indexOf(joint.parent);
    const a = inBody(parent, joint.anchorA, joint.frameA);
    const b = inBody(i, joint.anchorB, joint.frameB);
    builder.jointByFrames(
      joint.cone === undefined ? 'hinge' : 'cone-twist',
      first + parent,
      first + i,
      { anchorA: a.anchor, frameA: a.frame, anchorB: b.anchor, frameB: b.frame },
      {
        limit: { min: degrees(joint.twist[0]), max: degrees(joint.twist[1]) },
        ...(joint.cone === undefined ? {} : { cone: degrees(joint.cone) }),
      },
    );
  }
  for (const [a, b] of APART) {
    builder.jointByFrames(
      'distance',
      first + indexOf(a),
      first + indexOf(b),
      { anchorA: [0, 0, 0], anchorB: [0, 0, 0], frameA: [0, 0, 0, 1], frameB: [0, 0, 0, 1] },
      { limit: { min: 0, max: SLACK } },
    );
  }
  return first;
}
