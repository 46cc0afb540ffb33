// From a skeleton (the built-in human, or the bones of a skinned mesh) to the plain description of a ragdoll. It finds which bone
// is which part of the body, by the names of Mixamo, Blender, 3ds Max, Unreal and VRM; how long and thick the parts are; and
// which way is front. Parts point along their bones; their range of motion follows the human of human.ts.

import { checkInteger, checkKeys, fail } from '../checks/validate';
import { TalusError } from '../index';
import type { BoneDesc } from './bones';
import { rotation, vector } from './check';
import { PARTS, type Part, type PartName, type SkeletonBone } from './human';
import {
  across,
  add,
  between,
  conjugate,
  cross,
  dot,
  frameOf,
  length,
  multiply,
  NO_TURN,
  scale,
  segmentDistance,
  sub,
  type Turn,
  turn,
  unit,
  type Vector,
} from './turns';

/** Known names of bones, without prefix, side and punctuation, in the order of search. */
const NAMES: Record<PartName, readonly string[]> = {
  pelvis: ['pelvis', 'hips', 'hip'],
  abdomen: ['abdomen', 'spine', 'spine01', 'spine1'],
  chest: ['chest', 'upperchest', 'spine2', 'spine02', 'spine03', 'spine3', 'spine1', 'spine01', 'torso', 'spine'],
  neck: ['neck', 'neck1', 'neck01'],
  head: ['head'],
  upperArm: ['upperarm', 'arm', 'uparm'],
  forearm: ['forearm', 'lowerarm'],
  hand: ['hand', 'wrist'],
  thigh: ['thigh', 'upleg', 'upperleg'],
  shin: ['shin', 'calf', 'lowerleg', 'leg'],
  foot: ['foot', 'ankle'],
};

type Side = 'L' | 'R' | '';

/** Splits a name of a bone into word and side: `mixamorig:LeftForeArm` is forearm, L. */
export function readName(name: string): { word: string; side: Side } {
  const bare = name.replace(/^.*[:|]/, '').replace(/^(mixamorig\d*|bip0?0?1|bip|valvebiped|cc_base|def|org|j_bip)[ _.-]*/i, '');
  const side =
    /^(left|l[ _.-])|([ _.-](l|left))$|[ _.-](l|left)[ _.-]/i.test(bare) || /Left|[a-z]L$/.test(bare)
      ? 'L'
      : /^(right|r[ _.-])|([ _.-](r|right))$|[ _.-](r|right)[ _.-]/i.test(bare) || /Right|[a-z]R$/.test(bare)
        ? 'R'
        : '';
  const word = bare
    .replace(/left|right/gi, '')
    .replace(/(^|[ _.-])[lrc](?=[ _.-]|$)/gi, '')
    .replace(/([a-z])[LR]$/, '$1')
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase();
  return { word, side };
}

/** Options for building a ragdoll from a skeleton. */
export interface SkeletonOptions {
  /** Number of bodies: 13 (default), without abdomen, neck and hands; or 17. Parts that the skeleton lacks are left out. */
  bodies?: 13 | 17;
  /** Names of bones by part, for unusual names: { thighL: 'bone_17' }. */
  map?: Readonly<Record<string, string>>;
}

interface Limb {
  part: Part;
  side: Side;
  bone: number;
  parent: Limb | null;
  head: Vector;
  tip: Vector;
}

function checkSkeleton(skeleton: readonly SkeletonBone[]): { name: string; parent: number; position: Vector; rotation: Turn }[] {
  if (!Array.isArray(skeleton)) fail('ragdoll.skeleton', 'an array of bones', skeleton);
  return Array.from(skeleton, (bone: SkeletonBone, i) => {
    const name = `ragdoll.skeleton[${i}]`;
    checkKeys(bone, name, ['name', 'parent', 'position', 'rotation']);
    if (typeof bone.name !== 'string') fail(`${name}.name`, 'a string', bone.name);
    return {
      name: bone.name,
      parent: checkInteger(bone.parent, `${name}.parent`, -1, i - 1),
      position: vector(bone.position, `${name}.position`),
      rotation: bone.rotation === undefined ? NO_TURN : rotation(bone.rotation, `${name}.rotation`),
    };
  });
}

/**
 * Finds the bone of each part. Later words of a part are for skeletons that lack the earlier ones; no bone is used for two parts.
 */
function findBones(bones: readonly { name: string }[], map: Readonly<Record<string, string>>): Map<string, number> {
  const found = new Map<string, number>();
  const taken = new Set<number>();
  for (const [key, name] of Object.entries(map)) {
    const known = PARTS.some((part) => (part.paired ? [`${part.name}L`, `${part.name}R`] : [part.name as string]).includes(key));
    if (!known) throw new TalusError('invalid-argument', `ragdoll.map has no part '${key}'`);
    const index = bones.findIndex((bone) => bone.name === name);
    if (index < 0) throw new TalusError('invalid-argument', `ragdoll.map.${key}: the skeleton has no bone '${name}'`);
    found.set(key, index);
    taken.add(index);
  }
  const read = bones.map((bone) => readName(bone.name));
  // Chest before abdomen: of a short spine the chest takes what there is.
  const order = [...PARTS].sort((a, b) => Number(b.needed) - Number(a.needed));
  for (const part of order) {
    for (const side of part.paired ? (['L', 'R'] as const) : ([''] as const)) {
      if (found.has(part.name + side)) continue;
      for (const word of NAMES[part.name]) {
        const index = read.findIndex((name, i) => !taken.has(i) && name.word === word && name.side === side);
        if (index < 0) continue;
        found.set(part.name + side, index);
        taken.add(index);
        break;
      }
    }
  }
  return found;
}

/** Returns left, up and front of a skeleton, from the positions of its shoulders, hips and head. */
function facing(at: (part: string) => Vector): Turn {
  const up = unit(sub(at('head'), at('pelvis')), [0, 1, 0]);
  const out = add(sub(at('upperArmL'), at('upperArmR')), sub(at('thighL'), at('thighR')));
  const left = unit(sub(out, scale(up, dot(out, up))), across(up));
  return frameOf(left, up, cross(left, up));
}

/**
 * Returns the bones of a ragdoll for a skeleton.
 * @throws TalusError `invalid-argument`: a required part was not found
 */
export function bonesOf(skeleton: readonly SkeletonBone[], options: SkeletonOptions = {}): BoneDesc[] {
  const bones = checkSkeleton(skeleton);
  const count = options.bodies ?? 13;
  if (count !== 13 && count !== 17) fail('ragdoll.bodies', '13 or 17', count);
  const found = findBones(bones, options.map ?? {});
  const missing = PARTS.flatMap((part) => (part.paired ? ['L', 'R'] : ['']).map((side) => ({ part, key: part.name + side })))
    .filter(({ part, key }) => part.needed && !found.has(key))
    .map(({ key }) => key);
  if (missing.length > 0) {
    const what = `the skeleton has no bones that look like ${missing.join(', ')}: name them in ragdoll.map, { ${missing[0]}: 'name' }`;
    throw new TalusError('invalid-argument', what);
  }
  const at = (part: string) => bones[found.get(part)!]!.position;
  const body = facing(at);
  // Legs and spine tell the size: arms may be in any pose as well, but vary more.
  const spine = length(sub(at('head'), at('pelvis')));
  const leg = length(sub(at('shinL'), at('thighL')));
  const size = (spine + leg) / (0.59 + 0.42);
  if (!(size > 1e-3)) throw new TalusError('invalid-argument', 'ragdoll.skeleton has no size: its bones lie in one point');

  const limbs: Limb[] = [];
  for (const part of PARTS) {
    if (count === 13 && !part.coarse) continue;
    for (const side of part.paired ? (['L', 'R'] as const) : ([''] as const)) {
      const bone = found.get(part.name + side);
      if (bone === undefined) continue;
      const parent = part.parents
        .flatMap((name) => limbs.filter((limb) => limb.part.name === name && (limb.side === side || limb.side === '')))
        .at(0);
      limbs.push({ part, side, bone, parent: parent ?? null, head: bones[bone]!.position, tip: [0, 0, 0] });
    }
  }
  for (const limb of limbs) limb.tip = tipOf(limb, limbs, bones, body, size, found);
  // A ragdoll without abdomen: the chest begins at the waist.
  const radii = thin(limbs, size);
  return limbs.map((limb, i) => describe(limb, bones[limb.bone]!, body, size, radii[i]!));
}

/** Returns where a limb ends: at the next part, at a child bone, or by its default length. */
function tipOf(
  limb: Limb,
  limbs: readonly Limb[],
  bones: readonly { name: string; parent: number; position: Vector }[],
  body: Turn,
  size: number,
  found: ReadonlyMap<string, number>,
): Vector {
  const { part, side, head } = limb;
  const next: Partial<Record<PartName, readonly string[]>> = {
    pelvis: ['abdomen', 'chest'],
    abdomen: ['chest'],
    chest: ['neck', 'head'],
    neck: ['head'],
    upperArm: [`forearm${side}`],
    forearm: [`hand${side}`],
    thigh: [`shin${side}`],
    shin: [`foot${side}`],
  };
  for (const name of next[part.name] ?? []) {
    const bone = found.get(name);
    if (bone === undefined || length(sub(bones[bone]!.position, head)) < 1e-3 * size) continue;
    // The last part of an arm of 13 bodies holds the hand.
    const holdsHand = part.name === 'forearm' && !limbs.some((other) => other.part.name === 'hand');
    return holdsHand ? between(head, bones[bone]!.position, 1.35) : bones[bone]!.position;
  }
  const children = bones.filter((bone) => bone.parent === limb.bone && length(sub(bone.position, head)) > 1e-3 * size);
  if (children.length > 0 && part.name !== 'foot') {
    const mean = scale(
      children.reduce((sum, child) => add(sum, child.position), [0, 0, 0] as Vector),
      1 / children.length,
    );
    return add(head, scale(unit(sub(mean, head), [0, 1, 0]), Math.max(length(sub(mean, head)), 0.8 * part.length * size)));
  }
  const points =
    part.points !== undefined
      ? turn(body, unit(part.points, [0, 1, 0]))
      : limb.parent
        ? unit(sub(head, limb.parent.head), turn(body, [0, 1, 0]))
        : turn(body, [0, 1, 0]);
  return add(head, scale(points, part.length * size));
}

/** Returns radii of limbs, thinner where two limbs that are not neighbors would overlap. */
function thin(limbs: readonly Limb[], size: number): number[] {
  const radii = limbs.map((limb) => Math.min(limb.part.width * size, 0.45 * length(sub(limb.tip, limb.head))));
  for (let i = 0; i < limbs.length; i++) {
    for (let k = 0; k < i; k++) {
      const [a, b] = [limbs[i]!, limbs[k]!];
      if (a.part.form !== 'limb' || b.part.form !== 'limb' || a.parent === b || b.parent === a) continue;
      const room = 0.49 * segmentDistance(a.head, a.tip, b.head, b.tip);
      if (room < 0.01 * size) continue; // crossed: no radius helps
      radii[i] = Math.min(radii[i]!, room);
      radii[k] = Math.min(radii[k]!, room);
    }
  }
  return radii;
}

function describe(
  limb: Limb,
  bone: { name: string; position: Vector; rotation: Turn },
  body: Turn,
  size: number,
  radius: number,
): BoneDesc {
  const { part, side, head, tip } = limb;
  const along = unit(sub(tip, head), turn(body, [0, 1, 0]));
  const long = length(sub(tip, head));
  const left = turn(body, [1, 0, 0]);
  const into = conjugate(bone.rotation);
  const middle = turn(into, sub(between(head, tip, 0.5), head));
  const desc: BoneDesc = { name: part.name + side, bone: bone.name, position: head, rotation: bone.rotation, tip };
  if (limb.parent) desc.parent = limb.parent.part.name + limb.parent.side;
  if (part.form === 'limb') desc.radius = radius;
  else if (part.form === 'ball') {
    desc.shape = { type: 'sphere', radius: part.width * size };
    desc.shapePosition = middle;
  } else if (part.form === 'hips') {
    desc.shape = { type: 'capsule', radius: part.width * size, halfHeight: 0.65 * part.width * size };
    const front = turn(body, [0, 0, 1]);
    desc.shapePosition = [0, 0, 0];
    desc.shapeRotation = multiply(into, frameOf(cross(left, front), left, front));
  } else {
    // Along y of the box; a bone across the body has its width to the left still.
    const side = unit(sub(left, scale(along, dot(left, along))), across(along));
    desc.shape = { type: 'box', halfExtents: [part.width * size, 0.48 * long, part.depth! * size] };
    desc.shapePosition = middle;
    desc.shapeRotation = multiply(into, frameOf(side, along, cross(side, along)));
  }
  if (!limb.parent) return desc;
  const mirrored = (v: Vector): Vector => turn(body, [side === 'R' ? -v[0] : v[0], v[1], v[2]]);
  if (part.hinge) {
    const before = unit(sub(limb.head, limb.parent.head), along);
    const flex = scale(turn(body, [0, 0, 1]), part.hinge.flex);
    const axis = unit(cross(before, flex), left);
    const across = unit(sub(along, scale(axis, dot(along, axis))), along);
    // It may rest bent: limits count from straight.
    const bent = Math.atan2(dot(cross(before, across), axis), dot(before, across));
    desc.joint = 'hinge';
    desc.axis = axis;
    desc.limit = { min: Math.min(part.hinge.min - bent, 0), max: Math.max(part.hinge.max - bent, 0) };
  } else {
    desc.joint = 'cone-twist';
    if (part.cone !== undefined) desc.cone = part.cone;
    if (part.twist !== undefined) desc.limit = { min: -part.twist, max: part.twist };
    if (part.middle) {
      desc.axis = unit(mirrored(part.middle), along);
      // The pose it was made in is always within.
      desc.cone = Math.max(part.cone!, Math.acos(Math.min(1, Math.max(-1, dot(desc.axis as Vector, along)))) + 0.05);
    }
  }
  return desc;
}
