// Skinned meshes and ragdolls: the bones of a mesh as `createRagdoll` of talus/rigs takes them, and bones that are drawn by
// bodies. A body of a ragdoll has the origin and the axes of its bone, so a bone is drawn like any object. This file adds the
// order of bones, and keeps three from culling a mesh by the former place of its bones.
import { type Bone, type Box3, type Object3D, Quaternion, type SkinnedMesh, type Sphere, Vector3 } from 'three';
import { type BodyId, TalusError } from '../index';
import { type Binding, ObjectBinding, type ObjectPoses, type Parents } from './bindings';

/** A bone in its present pose, as the option `skeleton` of `createRagdoll` takes it. */
export interface BonePose {
  name: string;
  /** Index of its parent in the list; -1: none. */
  parent: number;
  /** Position (world, m). */
  position: [number, number, number];
  /** Rotation x y z w (world). */
  rotation: [number, number, number, number];
}

/** Bodies by the names of the bones that they move; a `Ragdoll` of talus/rigs is one. */
export interface BoneBodies {
  readonly bones: readonly { readonly bone: string; readonly body: BodyId }[];
}

/** Bounds, which three computes only on demand and its types leave out. */
interface Bounds {
  boundingSphere: Sphere | null;
  boundingBox: Box3 | null;
}

const nameOf = (object: Object3D) => `'${object.name || object.type}'`;

/** Returns the skinned meshes in an object, and all bones of their skeletons, parents before children. */
function partsOf(object: Object3D): { meshes: SkinnedMesh[]; bones: Bone[] } {
  const meshes: SkinnedMesh[] = [];
  const found = new Set<Bone>();
  object.traverse((at) => {
    if ((at as SkinnedMesh).isSkinnedMesh) {
      meshes.push(at as SkinnedMesh);
      for (const bone of (at as SkinnedMesh).skeleton.bones) found.add(bone);
    } else if ((at as Bone).isBone) found.add(at as Bone);
  });
  return { meshes, bones: parentsFirst(found) };
}

/** Returns bones with parents before children; files list them in any order. */
export function parentsFirst(bones: Iterable<Bone>): Bone[] {
  const depths = new Map<Bone, number>();
  for (const bone of bones) {
    let depth = 0;
    for (let at = bone.parent; at; at = at.parent) depth++;
    depths.set(bone, depth);
  }
  return [...depths.keys()].sort((a, b) => depths.get(a)! - depths.get(b)!);
}

/** Returns for each bone the index of the nearest bone above it in the list; -1: none. */
export function parentsOf(bones: readonly Bone[]): number[] {
  const index = new Map<Object3D, number>(bones.map((bone, i) => [bone, i]));
  return bones.map((bone) => {
    let above = bone.parent;
    while (above && !index.has(above)) above = above.parent;
    return above ? index.get(above)! : -1;
  });
}

/**
 * Turns frustum culling of skinned meshes off, and returns a function that turns it on again. three.js computes their bounds
 * once, and would hide a mesh that has left them.
 */
export function disableCulling(meshes: readonly SkinnedMesh[]): () => void {
  const culled = meshes.filter(({ frustumCulled }) => frustumCulled);
  for (const mesh of culled) mesh.frustumCulled = false;
  return () => {
    for (const mesh of culled) mesh.frustumCulled = true;
  };
}

/**
 * Returns the bones of the skinned meshes in an object (a mesh, or a whole model) in their present pose, parents before children,
 * for the option `skeleton` of `createRagdoll`.
 * @throws TalusError `invalid-argument` if there are no bones
 */
export function readSkeleton(object: Object3D): BonePose[] {
  const { bones } = partsOf(object);
  if (bones.length === 0)
    throw new TalusError(
      'invalid-argument',
      `the object ${nameOf(object)} has no bones: pass a SkinnedMesh, or a model with one`,
    );
  const parents = parentsOf(bones);
  const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3()];
  return bones.map((bone, i) => {
    bone.updateWorldMatrix(true, false);
    bone.matrixWorld.decompose(position, rotation, scale);
    return {
      name: bone.name,
      parent: parents[i]!,
      position: position.toArray(),
      rotation: rotation.toArray() as [number, number, number, number],
    };
  });
}

/** Draws the bones of a model by the bodies of a ragdoll. */
export class SkeletonBinding implements Binding {
  readonly bodies: readonly BodyId[];
  private readonly parts: ObjectBinding[] = [];
  private readonly meshes: readonly SkinnedMesh[];
  private readonly restoreCulling: () => void;
  private synced = -1;

  constructor(
    readonly object: Object3D,
    { bones: pairs }: BoneBodies,
    poses: ObjectPoses,
    parents: Parents,
    before: (object: Object3D) => void,
  ) {
    const { meshes, bones } = partsOf(object);
    const bodies = new Map(pairs.map(({ bone, body }) => [bone, body]));
    const names = new Set(bones.map(({ name }) => name));
    const missing = [...bodies.keys()].filter((name) => !names.has(name));
    if (missing.length > 0) {
      const what = `the object ${nameOf(object)} has no bone '${missing.join("', '")}'`;
      const help = 'make the ragdoll of its bones, createRagdoll(world, { skeleton: readSkeleton(object) })';
      throw new TalusError('invalid-argument', `${what}: ${help}`);
    }
    this.bodies = pairs.map(({ body }) => body);
    // Bones without a body keep their pose in their parent.
    for (const bone of bones) {
      const body = bodies.get(bone.name);
      if (body !== undefined) this.parts.push(new ObjectBinding(bone, body, poses, parents, before, true));
    }
    this.meshes = meshes;
    this.restoreCulling = disableCulling(meshes);
  }

  sync(frame: number, alpha: number | undefined): void {
    if (this.synced === frame) return;
    this.synced = frame;
    for (const part of this.parts) part.sync(frame, alpha);
    // Rays compute them again when they need them.
    for (const mesh of this.meshes as readonly Bounds[]) mesh.boundingSphere = mesh.boundingBox = null;
  }

  end(): void {
    for (const part of this.parts) part.end();
    this.restoreCulling();
  }
}
