// Skinned mesh and ragdoll: reads the rest pose, the present pose and the velocities of a skeleton, and writes poses of bodies to bones.
// While bodies drive the bones, the poses that an animation writes are captured: springs can follow them, and they are restored at the end.
import { type Bone, Matrix4, type Object3D, Quaternion, type SkinnedMesh, Vector3 } from 'three';
import type { PoseStrength, Ragdoll, SkeletonBone } from '../rigs/index';
import { disableCulling, parentsFirst, parentsOf } from '../three/skeleton';
import { place } from './place';

/** Frames longer than this (s) give no velocities of bones. */
const LONGEST = 0.1;

const [inverse, world] = [new Matrix4(), new Matrix4()];
const [position, scale, scaled] = [new Vector3(), new Vector3(), new Vector3()];
const [rotation, turn] = [new Quaternion(), new Quaternion()];

/** Velocity of a bone's origin, and its angular velocity; world. */
interface Motion {
  linear: Vector3;
  angular: Vector3;
}

/** Pose of a bone relative to its parent. */
interface Local {
  position: Vector3;
  quaternion: Quaternion;
}
const localOf = ({ position, quaternion }: Local): Local => ({ position: position.clone(), quaternion: quaternion.clone() });
const isAt = (bone: Bone, at: Local) => bone.position.equals(at.position) && bone.quaternion.equals(at.quaternion);

/** Skeleton of a model. */
export class SkinnedModel {
  /** Bones, parents first. */
  readonly bones: readonly Bone[];
  private readonly parents: readonly number[];
  /** World matrices of the bones in the last two frames, and the time between these, s. */
  private now: Float32Array;
  private before: Float32Array;
  private seconds = 0;
  private frames = 0;

  private constructor(
    readonly meshes: readonly SkinnedMesh[],
    private readonly main: SkinnedMesh,
  ) {
    this.bones = parentsFirst(main.skeleton.bones);
    this.parents = parentsOf(this.bones);
    this.now = new Float32Array(16 * this.bones.length);
    this.before = new Float32Array(16 * this.bones.length);
  }

  /** Finds the skinned mesh with the most bones in an object; null without one. */
  static find(root: Object3D): SkinnedModel | null {
    const meshes: SkinnedMesh[] = [];
    root.traverse((object) => {
      if ('isSkinnedMesh' in object && (object as SkinnedMesh).skeleton?.bones.length > 0) meshes.push(object as SkinnedMesh);
    });
    if (meshes.length === 0) return null;
    return new SkinnedModel(
      meshes,
      meshes.reduce((most, mesh) => (mesh.skeleton.bones.length > most.skeleton.bones.length ? mesh : most)),
    );
  }

  /** Whether the model is still in an object. */
  isIn(root: Object3D): boolean {
    for (let at: Object3D | null = this.main; at; at = at.parent) if (at === root) return true;
    return false;
  }

  /** Bones in the bind pose, at the scale that the model has in the world. */
  rest(): SkeletonBone[] {
    const { bones, boneInverses } = this.main.skeleton;
    const matrices = this.bones.map((bone) => boneInverses[bones.indexOf(bone)]!.clone().invert());
    this.updateMatrices();
    this.bones[0]!.matrixWorld.decompose(position, rotation, scaled);
    matrices[0]!.decompose(position, rotation, scale);
    const size = scaled.length() / scale.length();
    return this.bones.map((bone, i) => {
      matrices[i]!.decompose(position, rotation, scale);
      const [x, y, z, w] = rotation.toArray();
      return {
        name: bone.name,
        parent: this.parents[i]!,
        position: [size * position.x, size * position.y, size * position.z],
        rotation: [x, y, z, w],
      };
    });
  }

  /** Updates the world matrices of all bones. */
  private updateMatrices(): void {
    this.bones[0]!.parent?.updateWorldMatrix(true, false);
    for (const bone of this.bones)
      bone.updateWorldMatrix(bone.parent !== null && !this.bones.includes(bone.parent as Bone), false);
  }

  bone(name: string): Bone {
    return this.bones.find((bone) => bone.name === name)!;
  }

  /** World rotation of a bone. */
  rotationOf(bone: Bone): Quaternion {
    bone.updateWorldMatrix(true, false);
    const turned = new Quaternion();
    bone.matrixWorld.decompose(position, turned, scale);
    return turned;
  }

  /** Records the pose of the last frame. */
  record(seconds: number): void {
    [this.before, this.now] = [this.now, this.before];
    for (const [i, { matrixWorld }] of this.bones.entries()) matrixWorld.toArray(this.now, 16 * i);
    this.seconds = seconds;
    this.frames++;
  }

  /** Clears the records after a teleport. */
  clearRecords(): void {
    this.frames = 0;
  }

  /** Velocities of a bone between the last two recorded frames; 0 without them. */
  motionOf(bone: Bone): Motion {
    const [linear, angular] = [new Vector3(), new Vector3()];
    if (this.frames < 2 || !(this.seconds > 0) || this.seconds > LONGEST) return { linear, angular };
    const at = 16 * this.bones.indexOf(bone);
    world.fromArray(this.before, at).decompose(position, rotation, scale);
    world.fromArray(this.now, at).decompose(linear, turn, scale);
    linear.sub(position).divideScalar(this.seconds);
    turn.multiply(rotation.invert());
    if (turn.w < 0) turn.set(-turn.x, -turn.y, -turn.z, -turn.w);
    angular.set(turn.x, turn.y, turn.z);
    const sine = angular.length();
    if (sine > 1e-6) angular.multiplyScalar((2 * Math.atan2(sine, turn.w)) / (sine * this.seconds));
    return { linear, angular };
  }

  /** World rotations of all bones, with these local rotations in place of their present ones. */
  worldRotations(own: ReadonlyMap<Bone, Quaternion>): Quaternion[] {
    const out: Quaternion[] = [];
    for (const [i, bone] of this.bones.entries()) {
      const parent = this.parents[i]!;
      const home = parent < 0 ? null : this.bones[parent]!;
      const turned = (own.get(bone) ?? bone.quaternion).clone();
      for (let at = bone.parent; at && at !== home; at = at.parent) turned.premultiply(at.quaternion);
      out.push(home ? turned.premultiply(out[parent]!) : turned);
    }
    return out;
  }
}

/** Writes the poses of a ragdoll's bodies to the bones. */
export class Puppet {
  private readonly bones: readonly Bone[];
  /** Local poses of the animation, and those written last. */
  private readonly animated: Local[];
  private readonly written: Local[];
  private readonly positions: Float32Array;
  private readonly rotations: Float32Array;
  private readonly restoreCulling: () => void;
  private alpha: number | undefined;

  constructor(
    private readonly model: SkinnedModel,
    private readonly doll: Ragdoll,
  ) {
    this.bones = doll.bones.map(({ bone }) => model.bone(bone));
    this.animated = this.bones.map(localOf);
    this.written = this.bones.map(localOf);
    this.positions = new Float32Array(3 * this.bones.length);
    this.rotations = new Float32Array(4 * this.bones.length);
    this.restoreCulling = disableCulling(model.meshes);
  }

  /** Moves the bones to their bodies. */
  draw(alpha: number | undefined): void {
    this.alpha = alpha;
    const { positions, rotations, written } = this;
    this.doll.readPose({ positions, rotations }, alpha);
    this.captureAnimation();
    for (const [i, bone] of this.bones.entries()) {
      place(bone, position.fromArray(positions, 3 * i), rotation.fromArray(rotations, 4 * i));
      written[i] = localOf(bone);
    }
  }

  /** A bone that differs from its written pose was moved by the animation. */
  private captureAnimation(): void {
    for (const [i, bone] of this.bones.entries()) if (!isAt(bone, this.written[i]!)) this.animated[i] = localOf(bone);
  }

  /** Draws again if an animation moved bones since. */
  redraw(): void {
    if (this.bones.some((bone, i) => !isAt(bone, this.written[i]!))) this.draw(this.alpha);
  }

  /** Drives the joints towards the pose of the animation. */
  followAnimation(strength: PoseStrength): void {
    const own = new Map(this.bones.map((bone, i) => [bone, this.animated[i]!.quaternion]));
    const turned = this.model.worldRotations(own);
    const targets = this.bones.flatMap((bone) => turned[this.model.bones.indexOf(bone)]!.toArray());
    this.doll.setPose(targets, strength, 'world');
  }

  /** Restores the pose of the animation. */
  release(): void {
    this.captureAnimation();
    for (const [i, bone] of this.bones.entries()) {
      bone.position.copy(this.animated[i]!.position);
      bone.quaternion.copy(this.animated[i]!.quaternion);
    }
    this.restoreCulling();
  }
}

/** Transforms a point from a frame to the world. */
export function toWorld(offset: Vector3, at: Vector3, turned: Quaternion): Vector3 {
  return offset.applyQuaternion(turned).add(at);
}

/** Transforms a world point to a frame. */
export function toFrame(point: Vector3, at: Vector3, turned: Quaternion): Vector3 {
  return point.sub(at).applyQuaternion(rotation.copy(turned).invert());
}

/** Moves a pose as a rigid motion from one pose to another does. */
export function moveAlong(from: [Vector3, Quaternion], to: [Vector3, Quaternion], at: Vector3, turned: Quaternion): void {
  world.compose(to[0], to[1], scale.set(1, 1, 1));
  inverse.compose(from[0], from[1], scale).invert();
  world.multiply(inverse);
  at.applyMatrix4(world);
  turned.premultiply(turn.copy(from[1]).invert().premultiply(to[1]));
}
