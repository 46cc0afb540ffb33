// The plain description of a ragdoll, and its check.

import { checkAngle, checkKeys, checkNumber, fail } from '../checks/validate';
import type { JointLimit, Quat, ShapeDesc, Vec3 } from '../index';
import { TalusError } from '../index';
import { direction, rotation, vector, word } from './check';
import { add, length, NO_TURN, scale, sub, type Turn, turn, unit, type Vector } from './turns';

/**
 * One body of a ragdoll, in the rest pose. Positions and directions are in the frame of the model, which the ragdoll places in
 * the world.
 */
export interface BoneDesc {
  name: string;
  /** Name of its parent bone, earlier in the list; the first bone has none. */
  parent?: string;
  /** Name of the bone of the skeleton that it drives; default its own name. */
  bone?: string;
  /** Origin of its body (m): the point where it meets its parent. */
  position: Vec3;
  /** Rotation of its body; default none. */
  rotation?: Quat;
  /** Its other end (m); default `length` along its y. */
  tip?: Vec3;
  /** Length along its y, m; used without `tip`. */
  length?: number;
  /** Radius of the capsule from its position to its tip, m. */
  radius?: number;
  /** Another shape, with its pose in the frame of the bone; by default half way to its tip, y along the bone. */
  shape?: ShapeDesc;
  shapePosition?: Vec3;
  shapeRotation?: Quat;
  /** Density, kg/m3; default that of the ragdoll. */
  density?: number;
  /** Type of the joint with its parent; default `ball`. */
  joint?: 'ball' | 'hinge' | 'cone-twist' | 'fixed';
  /** Axis of a hinge, or middle of the cone of a cone-twist; default along the bone. */
  axis?: Vec3;
  /** For cone-twist: half the opening of the cone, rad. */
  cone?: number;
  /** For hinge: range of the angle from the rest pose; for cone-twist: range of the twist from the rest pose; rad. */
  limit?: JointLimit;
}

/** A bone that passed all checks. */
export interface Bone {
  name: string;
  bone: string;
  parent: number;
  position: Vector;
  rotation: Turn;
  /** Direction from its position to its tip, in the frame of the model. */
  along: Vector;
  shape: ShapeDesc;
  shapePosition: Vector;
  /** Rotation of the shape; null if only y along the bone is required. */
  shapeRotation: Turn | null;
  density: number | undefined;
  joint: 'ball' | 'hinge' | 'cone-twist' | 'fixed';
  axis: Vector;
  cone: number | undefined;
  limit: JointLimit | undefined;
}

const KEYS: readonly (keyof BoneDesc)[] = [
  'name',
  'parent',
  'bone',
  'position',
  'rotation',
  'tip',
  'length',
  'radius',
  'shape',
  'shapePosition',
  'shapeRotation',
  'density',
  'joint',
  'axis',
  'cone',
  'limit',
];
const MOST_BONES = 256;

/** Checks all bones; throws TalusError `invalid-argument`. */
export function checkBones(descs: readonly BoneDesc[]): Bone[] {
  if (!Array.isArray(descs)) fail('ragdoll.bones', 'an array of bones', descs);
  if (descs.length < 1 || descs.length > MOST_BONES) fail('ragdoll.bones', `1 to ${MOST_BONES} bones`, descs.length);
  const bones: Bone[] = [];
  for (const [i, desc] of descs.entries()) bones.push(checkBone(desc, `ragdoll.bones[${i}]`, bones));
  return bones;
}

function checkBone(desc: BoneDesc, name: string, before: readonly Bone[]): Bone {
  checkKeys(desc, name, KEYS);
  if (typeof desc.name !== 'string' || desc.name === '') fail(`${name}.name`, 'a name', desc.name);
  if (before.some((bone) => bone.name === desc.name)) {
    throw new TalusError('invalid-argument', `${name}.name: there are two bones '${desc.name}'`);
  }
  let parent = -1;
  if (before.length > 0) {
    parent = before.findIndex((bone) => bone.name === desc.parent);
    if (parent < 0) fail(`${name}.parent`, 'the name of a bone before it (only the first has none)', desc.parent);
  } else if (desc.parent !== undefined) fail(`${name}.parent`, 'left out: the first bone is the root', desc.parent);
  const position = vector(desc.position, `${name}.position`);
  const turned = desc.rotation === undefined ? NO_TURN : rotation(desc.rotation, `${name}.rotation`);
  if (desc.tip !== undefined && desc.length !== undefined) {
    throw new TalusError('invalid-argument', `${name}: give tip or length, not both`);
  }
  const reach = desc.length === undefined ? 0 : checkNumber(desc.length, `${name}.length`, 1e-4, 1e4);
  const tip = desc.tip === undefined ? add(position, turn(turned, [0, reach, 0])) : vector(desc.tip, `${name}.tip`);
  const way = length(sub(tip, position));
  let shape = desc.shape;
  if (shape === undefined) {
    const radius = checkNumber(desc.radius, `${name}.radius (or a shape)`, 1e-4, 1e3);
    if (!(way > 0)) throw new TalusError('invalid-argument', `${name} needs a tip or a length for its capsule`);
    const halfHeight = way / 2 - radius;
    shape = halfHeight > 1e-3 * radius ? { type: 'capsule', radius, halfHeight } : { type: 'sphere', radius };
  } else if (desc.radius !== undefined) throw new TalusError('invalid-argument', `${name}: give radius or shape, not both`);
  const along = unit(sub(tip, position), turn(turned, [0, 1, 0]));
  const joint = desc.joint === undefined ? 'ball' : word(desc.joint, `${name}.joint`, ['ball', 'hinge', 'cone-twist', 'fixed']);
  if (desc.cone !== undefined) checkAngle(desc.cone, `${name}.cone`, 0, Math.PI);
  if (desc.limit !== undefined) {
    checkKeys(desc.limit, `${name}.limit`, ['min', 'max']);
    checkNumber(desc.limit.min, `${name}.limit.min`, -1e4, 1e4);
    checkNumber(desc.limit.max, `${name}.limit.max`, desc.limit.min, 1e4);
  }
  for (const key of ['cone', 'limit'] as const) {
    const fits = joint === 'cone-twist' || (key === 'limit' && joint === 'hinge');
    if (desc[key] !== undefined && !fits)
      throw new TalusError('invalid-argument', `${name}.${key} is not for a joint '${joint}'`);
  }
  const into: Turn = [-turned[0], -turned[1], -turned[2], turned[3]];
  return {
    name: desc.name,
    bone: desc.bone ?? desc.name,
    parent,
    position,
    rotation: turned,
    along,
    shape,
    shapePosition:
      desc.shapePosition === undefined
        ? turn(into, scale(sub(tip, position), 0.5))
        : vector(desc.shapePosition, `${name}.shapePosition`),
    shapeRotation: desc.shapeRotation === undefined ? null : rotation(desc.shapeRotation, `${name}.shapeRotation`),
    density: desc.density,
    joint,
    axis: desc.axis === undefined ? along : direction(desc.axis, `${name}.axis`),
    cone: desc.cone,
    limit: desc.limit,
  };
}
