// Skinned meshes and ragdolls: bones are read in order whatever their list, and drawn where the bodies are, under any parent.
import {
  Bone,
  BoxGeometry,
  Group,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Quaternion,
  Skeleton,
  SkinnedMesh,
  Vector3,
} from 'three';
import { beforeEach, expect, test } from 'vitest';
import { createWorld, type World } from '../../src/index';
import { createRagdoll, humanSkeleton } from '../../src/rigs/index';
import { readSkeleton, ThreePhysics } from '../../src/three/index';

let world: World;
let physics: ThreePhysics;

beforeEach(async () => {
  world = await createWorld();
  physics = new ThreePhysics(world);
});

/** A model as files have it: an armature of hundredths, bones in any order, a bone more than the ragdoll has bodies for. */
function makeModel(): { model: Group; mesh: SkinnedMesh; armature: Group } {
  const model = new Group();
  const armature = new Group();
  armature.scale.setScalar(0.01);
  armature.rotation.x = -Math.PI / 2;
  model.add(armature);
  model.position.set(3, 1, -2);
  model.rotation.y = 0.7;
  model.updateWorldMatrix(true, true);
  const bones: Bone[] = [];
  for (const { name, parent, position } of humanSkeleton()) {
    const bone = new Bone();
    bone.name = name;
    (parent < 0 ? armature : bones[parent]!).add(bone);
    bone.parent!.updateWorldMatrix(true, false);
    bone.position.copy(model.localToWorld(new Vector3(...position)));
    bone.parent!.worldToLocal(bone.position);
    bones.push(bone);
  }
  const finger = new Bone();
  finger.name = 'finger';
  finger.position.set(0, 0, 8);
  bones.find(({ name }) => name === 'handL')!.add(finger);
  bones.push(finger);
  bones.reverse();
  model.updateWorldMatrix(true, true);
  const mesh = new SkinnedMesh(new BoxGeometry(), new MeshBasicMaterial());
  model.add(mesh);
  mesh.bind(new Skeleton(bones), new Matrix4());
  return { model, mesh, armature };
}

function expectBones(mesh: SkinnedMesh, doll: ReturnType<typeof createRagdoll>): void {
  for (const { bone, body } of doll.bones) {
    const found = mesh.skeleton.getBoneByName(bone)!;
    const [p, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
    found.updateWorldMatrix(true, false);
    found.matrixWorld.decompose(p, q, s);
    expect(p.distanceTo(world.getPosition(body, new Vector3()))).toBeLessThan(1e-4);
    expect(Math.abs(q.dot(world.getRotation(body, new Quaternion())))).toBeCloseTo(1, 5);
    expect(s.x).toBeCloseTo(0.01, 6);
  }
}

test('bones are read parents first, in the world, whatever their order and the scale above them', () => {
  const { model, mesh } = makeModel();
  const bones = readSkeleton(model);
  expect(bones).toHaveLength(humanSkeleton().length + 1);
  for (const [i, { parent }] of bones.entries()) expect(parent).toBeLessThan(i);
  const hand = bones.find(({ name }) => name === 'handL')!;
  expect(bones[bones.find(({ name }) => name === 'finger')!.parent]).toBe(hand);
  const place = mesh.skeleton.getBoneByName('handL')!.getWorldPosition(new Vector3());
  expect(place.distanceTo(new Vector3(...hand.position))).toBeLessThan(1e-6);
  const places = (list: typeof bones) => new Map(list.map(({ name, position }) => [name, position]));
  expect(places(readSkeleton(mesh))).toEqual(places(bones)); // of siblings in any order
  expect(() => readSkeleton(new Mesh())).toThrow(/no bones/);
});

test('bones follow the bodies of a ragdoll, between steps, while the model is moved about', () => {
  const { model, mesh, armature } = makeModel();
  const doll = createRagdoll(world, { skeleton: readSkeleton(model), bodies: 17, linearVelocity: [1, 2, 0] });
  expect(doll.bodies).toHaveLength(17);
  const cart = new Group();
  cart.add(model);
  physics.bindSkeleton(model, doll);
  expect(mesh.frustumCulled).toBe(false);
  physics.update(0.2);
  physics.sync(1);
  expectBones(mesh, doll);
  const finger = mesh.skeleton.getBoneByName('finger')!;
  expect(finger.position.toArray()).toEqual([0, 0, 8]);
  cart.position.set(0, 5, 0);
  cart.rotation.z = 1;
  cart.updateWorldMatrix(true, true);
  physics.sync(1);
  expectBones(mesh, doll);
  expect(armature.scale.x).toBe(0.01);
  // Half way between two steps.
  const [chest] = [doll.bone('chest')];
  const now = world.getPosition(chest.body, new Vector3());
  world.step();
  physics.sync(0.5);
  const drawn = mesh.skeleton.getBoneByName(chest.bone)!.getWorldPosition(new Vector3());
  expect(drawn.distanceTo(now.lerp(world.getPosition(chest.body, new Vector3()), 0.5))).toBeLessThan(1e-4);
});

test('a ray meets the model by its bodies; unbind leaves the bones where they are', () => {
  const { model, mesh } = makeModel();
  const doll = createRagdoll(world, { skeleton: readSkeleton(model) });
  physics.bindSkeleton(model, doll);
  expect(physics.objectOf(doll.bone('chest').body)).toBe(model);
  physics.update(0.1);
  physics.unbind(model);
  const head = mesh.skeleton.getBoneByName('head')!;
  const place = head.position.clone();
  physics.update(0.1);
  expect(head.position.equals(place)).toBe(true);
  expect(mesh.frustumCulled).toBe(true);
  physics.bindSkeleton(model, doll);
  doll.dispose();
  physics.update(0.1); // nothing is left to follow
  expect(mesh.skeleton.getBoneByName('head')!.position.equals(place)).toBe(true);
});

test('refusals say what to do', () => {
  const { model } = makeModel();
  const doll = createRagdoll(world, { bones: [{ name: 'tail', position: [0, 0, 0], tip: [0, 1, 0], radius: 0.1 }] });
  expect(() => physics.bindSkeleton(model, doll)).toThrow(/no bone 'tail': make the ragdoll of its bones/);
  expect(() => physics.bindSkeleton(model, [] as never)).toThrow(/Ragdoll/);
  expect(() => physics.bindSkeleton({} as Object3D, doll)).toThrow(/Object3D/);
  const own = createRagdoll(world, { skeleton: readSkeleton(model) });
  physics.bindSkeleton(model, own);
  expect(() => physics.bindSkeleton(model, own)).toThrow(/bound already/);
  own.dispose();
  physics.unbind(model);
  expect(() => physics.bindSkeleton(model, { bones: [{ bone: 'head', body: 12345 as never }] })).toThrow();
});
