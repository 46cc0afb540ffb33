// A ragdoll: one body per bone with the bone's origin and axes, so that poses can be copied without offsets; joints with limits
// between them; springs in the joints that follow the pose of an animation with the given strength.

import { checkKeys, checkNumber, fail } from '../checks/validate';
import {
  type BodyId,
  type JointDesc,
  type JointId,
  type MaterialDesc,
  type NumberSink,
  type Quat,
  type ShapeDesc,
  TalusError,
  type Vec3,
} from '../index';
import { type Bone, type BoneDesc, checkBones } from './bones';
import { rotation, vector } from './check';
import { HUMAN_HEIGHT, humanSkeleton, type SkeletonBone } from './human';
import { type Assembly, assemble, type Rig, type RigWorld } from './rig';
import { bonesOf, type SkeletonOptions } from './skeleton';
import {
  add,
  arc,
  conjugate,
  frameAbout,
  multiply,
  NO_TURN,
  normalized,
  swingTwist,
  type Turn,
  turn,
  type Vector,
} from './turns';

/** Springs of the joints at strength 1. */
export interface RagdollDrive {
  /** Frequency, Hz, 0.01 to 30; default 6. */
  frequency?: number;
  /** Damping ratio; default 1. */
  dampingRatio?: number;
  /** Largest torque, N m; default infinite. */
  maxTorque?: number;
}

/** Description of a ragdoll: a human of 13 or 17 bodies, unless `bones` or `skeleton` is given. */
export interface RagdollDesc extends SkeletonOptions {
  /** Height of the built-in human, m; default 1.75. */
  height?: number;
  /** A plain description of the bones, parents before children. */
  bones?: readonly BoneDesc[];
  /** Bones of a skinned mesh in their rest pose: name, index of the parent, position and rotation (of the model or the world). */
  skeleton?: readonly SkeletonBone[];
  /** Position of the model's origin (world, m); default 0 0 0. */
  position?: Vec3;
  rotation?: Quat;
  /** Velocity of all bodies (world, m/s); default 0. */
  linearVelocity?: Vec3;
  /** Density, kg/m3; default 1000. */
  density?: number;
  material?: MaterialDesc;
  /** Damping of all bodies, 1/s; default 0. */
  linearDamping?: number;
  angularDamping?: number;
  drive?: RagdollDrive;
  /** Friction of each joint by its load (m), and without load (N m); default that of the joint type. */
  frictionLever?: number;
  frictionTorque?: number;
}

/** Target rotations by name of the bone, or four numbers per bone in their order; NaN releases that joint. */
export type PoseTargets = Readonly<Record<string, Quat | null>> | ArrayLike<number>;
/** Strength of the springs: one for all, by name, or one per bone; 0 is limp, 1 the whole drive. */
export type PoseStrength = number | Readonly<Record<string, number>> | ArrayLike<number>;

/** Poses of all bones, in the order of the bones: `readPose` fills the arrays that you pass. */
export interface RagdollPose {
  /** Origins of the bones, x y z each (world, m). */
  positions: NumberSink;
  /** Rotations x y z w (world). */
  rotations: NumberSink;
  /** Rotations x y z w relative to the parent in the ragdoll; of the root: world. */
  locals: NumberSink;
}

/** A bone of a ragdoll. */
export interface RagdollBone {
  name: string;
  /** Name of the bone in the skeleton that it was created from. */
  bone: string;
  /** Index of its parent; -1: the root. */
  parent: number;
  body: BodyId;
  /** Joint with its parent; null for the root. */
  joint: JointId | null;
}

export interface Ragdoll extends Rig {
  readonly bones: readonly RagdollBone[];
  /** Returns the bone of this name, or of this name in the skeleton. */
  bone(name: string): RagdollBone;
  /**
   * Pulls the ragdoll towards an animation: springs turn each bone to its target rotation, relative to its parent in the ragdoll,
   * or with `space: 'world'` in the world (the parent then needs a target too). Targets beyond a limit stop at the limit. Bones
   * without a target keep their springs; null releases all. Joints whose target has not changed are left alone, so that a ragdoll
   * can sleep in its pose.
   * @throws TalusError `invalid-argument`, `stale-handle`
   */
  setPose(targets: PoseTargets | null, strength?: PoseStrength, space?: 'local' | 'world'): void;
  /**
   * Reads the pose at which to draw it, interpolated between the last two steps as `World.getPose` for each body. Returns `out`.
   * @param alpha 0 to 1, 1 for the pose after the last step; default that of the last `advance`
   * @throws TalusError `stale-handle`, `invalid-argument`
   */
  readPose<T extends Partial<RagdollPose>>(out: T, alpha?: number): T;
}

const KEYS: readonly (keyof RagdollDesc)[] = [
  'bodies',
  'map',
  'height',
  'bones',
  'skeleton',
  'position',
  'rotation',
  'linearVelocity',
  'density',
  'material',
  'linearDamping',
  'angularDamping',
  'drive',
  'frictionLever',
  'frictionTorque',
];

function describedBones(desc: RagdollDesc): readonly BoneDesc[] {
  if (desc.bones !== undefined) {
    for (const key of ['skeleton', 'bodies', 'map', 'height'] as const) {
      if (desc[key] !== undefined) throw new TalusError('invalid-argument', `ragdoll.${key} is not for a ragdoll of bones`);
    }
    return desc.bones;
  }
  if (desc.skeleton !== undefined && desc.height !== undefined)
    throw new TalusError('invalid-argument', 'ragdoll.height is that of the built-in human: a skeleton has its own');
  const height = desc.height === undefined ? HUMAN_HEIGHT : checkNumber(desc.height, 'ragdoll.height', 0.05, 100);
  return bonesOf(desc.skeleton ?? humanSkeleton(height), {
    ...(desc.bodies === undefined ? {} : { bodies: desc.bodies }),
    ...(desc.map === undefined ? {} : { map: desc.map }),
  });
}

/** A joint with the settings of its springs. */
interface Link {
  bone: Bone;
  joint: JointId;
  /** Frames in parent and bone. */
  frameA: Turn;
  frameB: Turn;
  /** Its last drive: swing x, swing y, twist, strength. */
  was: [number, number, number, number];
}

/**
 * Creates a ragdoll: a built-in human, a plain description (`bones`), or the bones of a skinned mesh (`skeleton`).
 * @throws TalusError `invalid-argument`, `out-of-memory`; then nothing is created
 */
export function createRagdoll(world: RigWorld, desc: RagdollDesc = {}): Ragdoll {
  checkKeys(desc, 'ragdoll', KEYS);
  const at = desc.position === undefined ? ([0, 0, 0] as Vector) : vector(desc.position, 'ragdoll.position');
  const turned = desc.rotation === undefined ? NO_TURN : rotation(desc.rotation, 'ragdoll.rotation');
  const drive = checkDrive(desc.drive);
  const bones = checkBones(describedBones(desc));
  return assemble(world, (rig) => {
    const common = {
      ...desc.material,
      ...(desc.linearVelocity === undefined ? {} : { linearVelocity: desc.linearVelocity }),
      ...(desc.linearDamping === undefined ? {} : { linearDamping: desc.linearDamping }),
      ...(desc.angularDamping === undefined ? {} : { angularDamping: desc.angularDamping }),
    };
    const made: RagdollBone[] = [];
    const links: (Link | null)[] = [];
    for (const bone of bones) {
      const body = makeBody(rig, bone, at, turned, bone.density ?? desc.density, common);
      const link = bone.parent < 0 ? null : makeJoint(rig, bone, bones[bone.parent]!, made[bone.parent]!.body, body, desc);
      links.push(link);
      made.push({ name: bone.name, bone: bone.bone, parent: bone.parent, body, joint: link?.joint ?? null });
    }
    return new Puppet(world, rig, made, links, drive);
  });
}

function checkDrive(drive: RagdollDrive = {}): Required<RagdollDrive> {
  checkKeys(drive, 'ragdoll.drive', ['frequency', 'dampingRatio', 'maxTorque']);
  const { frequency = 6, dampingRatio = 1, maxTorque = Infinity } = drive;
  checkNumber(frequency, 'ragdoll.drive.frequency', 0.01, 30);
  checkNumber(dampingRatio, 'ragdoll.drive.dampingRatio', 0, 100);
  checkNumber(maxTorque, 'ragdoll.drive.maxTorque', 0, Infinity);
  return { frequency, dampingRatio, maxTorque };
}

function makeBody(rig: Assembly, bone: Bone, at: Vector, turned: Turn, density: number | undefined, common: object): BodyId {
  const y = turn(conjugate(bone.rotation), bone.along);
  const collider = {
    shape: rig.shape(single(bone.shape)),
    position: bone.shapePosition,
    rotation: bone.shapeRotation ?? arc([0, 1, 0], y),
    ...(density === undefined ? {} : { density }),
  };
  const { linearVelocity, linearDamping, angularDamping, ...material } = common as Record<string, never>;
  return rig.body({
    position: add(at, turn(turned, bone.position)),
    rotation: multiply(turned, bone.rotation),
    colliders: [{ ...material, ...collider }],
    ...(linearVelocity === undefined ? {} : { linearVelocity }),
    ...(linearDamping === undefined ? {} : { linearDamping }),
    ...(angularDamping === undefined ? {} : { angularDamping }),
  });
}

/** Rounds sizes to single precision, so that equal limbs share a shape. */
function single(shape: ShapeDesc): ShapeDesc {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(shape)) out[key] = typeof value === 'number' ? Math.fround(value) : value;
  return out as unknown as ShapeDesc;
}

function makeJoint(rig: Assembly, bone: Bone, parent: Bone, bodyA: BodyId, bodyB: BodyId, desc: RagdollDesc): Link {
  // z: of a hinge its axis; else along the bone, and of frame A along the middle of the cone, turned there without a twist.
  const worldB = frameAbout(bone.joint === 'hinge' ? bone.axis : bone.along);
  const worldA = bone.joint === 'cone-twist' ? normalized(multiply(arc(bone.along, bone.axis), worldB)) : worldB;
  const frameA = normalized(multiply(conjugate(parent.rotation), worldA));
  const frameB = normalized(multiply(conjugate(bone.rotation), worldB));
  const into = conjugate(parent.rotation);
  const offset: Vector = [
    bone.position[0] - parent.position[0],
    bone.position[1] - parent.position[1],
    bone.position[2] - parent.position[2],
  ];
  const joint: JointDesc = {
    // A ball joint has no axes that springs could turn: a cone-twist without limits is one that has.
    type: bone.joint === 'ball' ? 'cone-twist' : bone.joint,
    bodyA,
    bodyB,
    anchorA: turn(into, offset),
    anchorB: [0, 0, 0],
    frameA,
    frameB,
    ...(desc.frictionLever === undefined || bone.joint === 'fixed' ? {} : { frictionLever: desc.frictionLever }),
    ...(desc.frictionTorque === undefined || bone.joint === 'fixed' ? {} : { frictionTorque: desc.frictionTorque }),
    ...(bone.cone === undefined ? {} : { cone: bone.cone }),
    ...(bone.limit === undefined ? {} : { limit: bone.limit }),
  };
  return { bone, joint: rig.joint(joint), frameA, frameB, was: [0, 0, 0, 0] };
}

class Puppet implements Ragdoll {
  constructor(
    private readonly world: RigWorld,
    private readonly rig: Assembly,
    readonly bones: readonly RagdollBone[],
    private readonly links: readonly (Link | null)[],
    private readonly drive: Required<RagdollDrive>,
  ) {}

  get bodies(): readonly BodyId[] {
    return this.rig.bodies;
  }

  get joints(): readonly JointId[] {
    return this.rig.joints;
  }

  bone(name: string): RagdollBone {
    const bone = this.bones.find((one) => one.name === name) ?? this.bones.find((one) => one.bone === name);
    if (!bone) throw new TalusError('invalid-argument', `the ragdoll has no bone '${name}': ${this.names()}`);
    return bone;
  }

  private names(): string {
    return this.bones.map((bone) => bone.name).join(', ');
  }

  setPose(targets: PoseTargets | null, strength: PoseStrength = 1, space: 'local' | 'world' = 'local'): void {
    if (space !== 'local' && space !== 'world') fail('space', "'local' or 'world'", space);
    // All is checked before anything is set.
    const strengths = this.perBone(strength, 'strength', 1, (value, name) => checkNumber(value, name, 0, 1));
    const turns = targets === null ? this.bones.map(() => null) : this.readTargets(targets);
    const settings = this.links.map((link, i) => {
      const target = turns[i];
      if (link === null || target === undefined) return null;
      if (target === null) return { link, to: [0, 0, 0, 0] as Link['was'] };
      let local: Turn = target;
      if (space === 'world') {
        const parent = turns[this.bones[i]!.parent];
        if (!parent) fail('targets', `with space 'world' one of the parent of '${link.bone.name}' too`, parent);
        local = multiply(conjugate(parent), target);
      }
      return { link, to: this.within(link, local, strengths[i] ?? 0) };
    });
    for (const setting of settings) if (setting) this.set(setting.link, setting.to);
  }

  private perBone<T>(value: unknown, name: string, size: number, check: (value: unknown, name: string) => T): (T | undefined)[] {
    if (typeof value === 'number') {
      const same = check(value, name);
      return this.bones.map(() => same);
    }
    if (value === null || typeof value !== 'object') fail(name, 'a number, an array or an object by names of bones', value);
    if (typeof (value as ArrayLike<number>).length === 'number') {
      const list = value as ArrayLike<number>;
      if (list.length !== size * this.bones.length) fail(name, `${size * this.bones.length} numbers`, `${list.length}`);
      return this.bones.map((_, i) =>
        check(size === 1 ? list[i] : Array.from({ length: size }, (_, k) => list[size * i + k]), `${name}[${i}]`),
      );
    }
    const out: (T | undefined)[] = this.bones.map(() => undefined);
    for (const [key, one] of Object.entries(value)) out[this.bones.indexOf(this.bone(key))] = check(one, `${name}.${key}`);
    return out;
  }

  private readTargets(targets: PoseTargets): (Turn | null | undefined)[] {
    return this.perBone(targets, 'targets', 4, (value, name) => {
      if (value === null || (Array.isArray(value) && value.every(Number.isNaN))) return null;
      return rotation(value as Quat, name);
    });
  }

  /** Returns the axes of a joint at a local rotation of its bone, within its limits, and the strength. */
  private within({ bone, frameA, frameB }: Link, local: Turn, strength: number): Link['was'] {
    const place = swingTwist(multiply(multiply(conjugate(frameA), local), frameB));
    let { swingX, swingY, twist } = place;
    if (bone.joint === 'hinge') swingX = swingY = 0;
    const swing = Math.hypot(swingX, swingY);
    if (bone.cone !== undefined && swing > bone.cone) {
      swingX *= bone.cone / swing;
      swingY *= bone.cone / swing;
    }
    if (bone.limit) twist = Math.min(Math.max(twist, bone.limit.min), bone.limit.max);
    return [swingX, swingY, twist, strength];
  }

  private set(link: Link, to: Link['was']): void {
    const { was, bone, joint } = link;
    if (bone.joint === 'fixed') return;
    if (to[3] === was[3] && (to[3] === 0 || to.every((x, i) => Math.abs(x - was[i]!) < 1e-5))) return;
    // Stiffness goes with the strength: frequency with its root.
    const spring = (target: number) =>
      to[3] === 0
        ? null
        : {
            target,
            frequency: this.drive.frequency * Math.sqrt(to[3]),
            dampingRatio: this.drive.dampingRatio,
            maxForce: this.drive.maxTorque * to[3],
          };
    this.world.setJoint(
      joint,
      bone.joint === 'hinge'
        ? { spring: spring(to[2]) }
        : { spring: spring(to[2]), axes: { swingX: { spring: spring(to[0]) }, swingY: { spring: spring(to[1]) } } },
    );
    link.was = to;
  }

  readPose<T extends Partial<RagdollPose>>(out: T, alpha?: number): T {
    const turns: Turn[] = [];
    const { positions, rotations, locals } = out;
    const p: Vector = [0, 0, 0];
    for (const [i, { body, parent }] of this.bones.entries()) {
      const q: Turn = [0, 0, 0, 1];
      this.world.getPose(body, p, q, alpha);
      turns.push(q);
      if (positions) {
        for (let k = 0; k < 3; k++) positions[3 * i + k] = p[k]!;
      }
      const local = locals && (parent < 0 ? q : multiply(conjugate(turns[parent]!), q));
      for (let k = 0; k < 4; k++) {
        if (rotations) rotations[4 * i + k] = q[k]!;
        if (local) locals[4 * i + k] = local[k]!;
      }
    }
    return out;
  }

  dispose(): void {
    this.rig.dispose();
  }
}
