// Between a skinned mesh and a ragdoll: the skeleton in its rest pose, the pose it is in and how fast, and bones that go where bodies are.
// What an animation writes to bones meanwhile is kept: springs can follow it, and it is there again when the ragdoll is gone.
import { type Bone, Matrix4, type Object3D, Quaternion, type SkinnedMesh, Vector3 } from 'three';
import type { PoseStrength, Ragdoll, SkeletonBone } from '../rigs/index';
import { place } from './place';

/** Longer frames than this say nothing of how fast bones move, s. */
const LONGEST = 0.1;

const [inverse, world] = [new Matrix4(), new Matrix4()];
const [position, scale, scaled] = [new Vector3(), new Vector3(), new Vector3()];
const [rotation, turn] = [new Quaternion(), new Quaternion()];

/** How a bone moves: velocity of its origin, angular velocity. */
interface Motion {
  linear: Vector3;
  angular: Vector3;
}

/** A pose of a bone in its parent. */
interface Local {
  position: Vector3;
  quaternion: Quaternion;
}
const localOf = ({ position, quaternion }: Local): Local => ({ position: position.clone(), quaternion: quaternion.clone() });
const isAt = (bone: Bone, at: Local) => bone.position.equals(at.position) && bone.quaternion.equals(at.quaternion);

/** The bones of a model. */
export class Skin {
  /** Parents first. */
  readonly bones: readonly Bone[];
  private readonly parents: readonly number[];
  /** Matrices of the bones in the last two pictures, and the time between them, s. */
  private now: Float32Array;
  private before: Float32Array;
  private seconds = 0;
  private pictures = 0;

  private constructor(
    private readonly meshes: readonly SkinnedMesh[],
    private readonly main: SkinnedMesh,
  ) {
    const { bones } = main.skeleton;
    const depth = (bone: Object3D) => {
      let count = 0;
      for (let at: Object3D | null = bone.parent; at; at = at.parent) count++;
      return count;
    };
    this.bones = bones
      .map((bone) => ({ bone, depth: depth(bone) }))
      .sort((a, b) => a.depth - b.depth)
      .map(({ bone }) => bone);
    this.parents = this.bones.map((bone) => {
      for (let at = bone.parent; at; at = at.parent) if (this.bones.includes(at as Bone)) return this.bones.indexOf(at as Bone);
      return -1;
    });
    this.now = new Float32Array(16 * bones.length);
    this.before = new Float32Array(16 * bones.length);
  }

  /** Of the skinned meshes in an object the one with most bones; null if there is none. */
  static find(root: Object3D): Skin | null {
    const meshes: SkinnedMesh[] = [];
    root.traverse((object) => {
      if ('isSkinnedMesh' in object && (object as SkinnedMesh).skeleton?.bones.length > 0) meshes.push(object as SkinnedMesh);
    });
    if (meshes.length === 0) return null;
    return new Skin(
      meshes,
      meshes.reduce((most, mesh) => (mesh.skeleton.bones.length > most.skeleton.bones.length ? mesh : most)),
    );
  }

  /** The skeleton as it was bound, as large as it is in the world. */
  rest(): SkeletonBone[] {
    const { bones, boneInverses } = this.main.skeleton;
    const matrices = this.bones.map((bone) => boneInverses[bones.indexOf(bone)]!.clone().invert());
    this.update();
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

  /** Matrices of all bones. */
  private update(): void {
    this.bones[0]!.parent?.updateWorldMatrix(true, false);
    for (const bone of this.bones)
      bone.updateWorldMatrix(bone.parent !== null && !this.bones.includes(bone.parent as Bone), false);
  }

  bone(name: string): Bone {
    return this.bones.find((bone) => bone.name === name)!;
  }

  /** Rotation of a bone in the world. */
  rotationOf(bone: Bone): Quaternion {
    bone.updateWorldMatrix(true, false);
    const turned = new Quaternion();
    bone.matrixWorld.decompose(position, turned, scale);
    return turned;
  }

  /** Takes note of the picture that was drawn last. */
  watch(seconds: number): void {
    [this.before, this.now] = [this.now, this.before];
    for (const [i, { matrixWorld }] of this.bones.entries()) matrixWorld.toArray(this.now, 16 * i);
    this.seconds = seconds;
    this.pictures++;
  }

  /** Forgets what it saw: the bones went elsewhere at once. */
  forget(): void {
    this.pictures = 0;
  }

  /** How a bone has moved from picture to picture. */
  motionOf(bone: Bone): Motion {
    const [linear, angular] = [new Vector3(), new Vector3()];
    if (this.pictures < 2 || !(this.seconds > 0) || this.seconds > LONGEST) return { linear, angular };
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

  /** Rotations in the world that bones have by these of their own, others as they are. */
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

  /** Has its meshes drawn wherever their bones are: three.js culls them where they would be without a ragdoll. Returns what ends that. */
  drawAlways(): () => void {
    const culled = this.meshes.filter((mesh) => mesh.frustumCulled);
    for (const mesh of culled) mesh.frustumCulled = false;
    return () => {
      for (const mesh of culled) mesh.frustumCulled = true;
    };
  }
}

/** A skin that goes where the bodies of a ragdoll are. */
export class Puppet {
  private readonly bones: readonly Bone[];
  /** In their parents: as an animation has them, and as they were written last. */
  private readonly animated: Local[];
  private readonly written: Local[];
  private readonly positions: Float32Array;
  private readonly rotations: Float32Array;
  private readonly cull: () => void;
  private alpha: number | undefined;

  constructor(
    private readonly skin: Skin,
    private readonly doll: Ragdoll,
  ) {
    this.bones = doll.bones.map(({ bone }) => skin.bone(bone));
    this.animated = this.bones.map(localOf);
    this.written = this.bones.map(localOf);
    this.positions = new Float32Array(3 * this.bones.length);
    this.rotations = new Float32Array(4 * this.bones.length);
    this.cull = skin.drawAlways();
  }

  /** Bones to where their bodies are. */
  draw(alpha: number | undefined): void {
    this.alpha = alpha;
    const { positions, rotations, written } = this;
    this.doll.readPose({ positions, rotations }, alpha);
    this.hear();
    for (const [i, bone] of this.bones.entries()) {
      place(bone, position.fromArray(positions, 3 * i), rotation.fromArray(rotations, 4 * i));
      written[i] = localOf(bone);
    }
  }

  /** What is not as it was written was written by the animation. */
  private hear(): void {
    for (const [i, bone] of this.bones.entries()) if (!isAt(bone, this.written[i]!)) this.animated[i] = localOf(bone);
  }

  /** The same once more where something else has written to bones since. */
  again(): void {
    if (this.bones.some((bone, i) => !isAt(bone, this.written[i]!))) this.draw(this.alpha);
  }

  /** Springs towards what the animation asks for. */
  follow(strength: PoseStrength): void {
    const own = new Map(this.bones.map((bone, i) => [bone, this.animated[i]!.quaternion]));
    const turned = this.skin.worldRotations(own);
    const targets = this.bones.flatMap((bone) => turned[this.skin.bones.indexOf(bone)]!.toArray());
    this.doll.setPose(targets, strength, 'world');
  }

  /** Gives the bones back to the animation. */
  end(): void {
    this.hear();
    for (const [i, bone] of this.bones.entries()) {
      bone.position.copy(this.animated[i]!.position);
      bone.quaternion.copy(this.animated[i]!.quaternion);
    }
    this.cull();
  }
}

/** From a parent's frame to the world. */
export function toWorld(offset: Vector3, at: Vector3, turned: Quaternion): Vector3 {
  return offset.applyQuaternion(turned).add(at);
}

/** From the world to a parent's frame. */
export function toFrame(point: Vector3, at: Vector3, turned: Quaternion): Vector3 {
  return point.sub(at).applyQuaternion(rotation.copy(turned).invert());
}

/** How an object moved from a pose to another one moves a pose along. */
export function moveAlong(from: [Vector3, Quaternion], to: [Vector3, Quaternion], at: Vector3, turned: Quaternion): void {
  world.compose(to[0], to[1], scale.set(1, 1, 1));
  inverse.compose(from[0], from[1], scale).invert();
  world.multiply(inverse);
  at.applyMatrix4(world);
  turned.premultiply(turn.copy(from[1]).invert().premultiply(to[1]));
}
