// Files that GLTFLoader of three.js has loaded: bodies where the objects are, objects where the bodies are. The real loader and engine.
import { type Group, type Mesh, type Object3D, Quaternion, Raycaster, Vector3 } from 'three';
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { beforeEach, expect, test, vi } from 'vitest';
import { addPhysics, registerPhysics } from '../../src/gltf/index';
import { type BodyId, createWorld, type World } from '../../src/index';
import { ThreePhysics } from '../../src/three/index';
import { box, boxMesh, type FileParts, glbFile, khrFile, solid } from './files';

let world: World;
let physics: ThreePhysics;
beforeEach(async () => {
  world = await createWorld();
  physics = new ThreePhysics(world);
});

/** A file with the mesh of a box, through the loader. */
async function loaded(parts: FileParts, loader = new GLTFLoader()): Promise<GLTF> {
  const { buffers, ...mesh } = boxMesh() as { buffers: { uri: string }[] };
  const bytes = new Uint8Array(Buffer.from(buffers[0]!.uri.split(',')[1]!, 'base64'));
  const json = khrFile({ ...parts, more: { ...mesh, ...parts.more, buffers: [{ byteLength: bytes.length }] } });
  const glb = glbFile(json, bytes);
  return loader.parseAsync(glb.buffer as ArrayBuffer, '');
}

const byName = (gltf: GLTF, name: string): Object3D => gltf.scene.getObjectByName(name)!;
const place = (object: Object3D) => object.getWorldPosition(new Vector3());
const at = (body: BodyId) => world.getPosition(body, new Vector3());

const FALL: FileParts = {
  nodes: [
    { name: 'floor', mesh: 0, scale: [20, 1, 20], translation: [0, -0.5, 0], physics: solid(0) },
    { name: 'crate', mesh: 0, translation: [1, 3, 0], physics: { motion: { mass: 2 }, ...solid(0) } },
  ],
  shapes: [box(1, 1, 1)],
};

test('meshes of the file are drawn where their bodies are', async () => {
  const gltf = await loaded(FALL);
  const level = await addPhysics(physics, gltf, { warn: false });
  expect(level.unsupported).toEqual([]);
  const crate = byName(gltf, 'crate');
  expect(physics.objectOf(level.body('crate'))).toBe(crate);
  expect(physics.objectOf(level.body('floor'))).toBe(byName(gltf, 'floor'));
  for (let i = 0; i < 120; i++) physics.update(1 / 60);
  expect(place(crate).y).toBeCloseTo(0.5, 2);
  expect(place(crate).distanceTo(at(level.body('crate')))).toBeLessThan(0.01);
  expect(place(byName(gltf, 'floor')).y).toBeCloseTo(-0.5, 6);
  const hit = physics.castRay(new Raycaster(new Vector3(1, 9, 0), new Vector3(0, -1, 0)))!;
  expect(hit.object).toBe(crate);
});

test('the scene may be moved, turned and scaled before', async () => {
  const gltf = await loaded(FALL);
  gltf.scene.position.set(10, 5, 0);
  gltf.scene.rotation.y = Math.PI / 2;
  gltf.scene.scale.setScalar(2);
  const level = await addPhysics(physics, gltf, { warn: false });
  expect(at(level.body('crate')).toArray()).toEqual([expect.closeTo(10, 4), expect.closeTo(11, 4), expect.closeTo(-2, 4)]);
  for (let i = 0; i < 180; i++) physics.update(1 / 60);
  // Floor up to 5, a crate of 2 m.
  expect(at(level.body('crate')).y).toBeCloseTo(6, 2);
  expect(place(byName(gltf, 'crate')).y).toBeCloseTo(6, 2);
  expect(byName(gltf, 'crate').position.y).toBeCloseTo(0.5, 2);
});

test('a body in a body, children without physics, colliders of meshes as the loader has them', async () => {
  const gltf = await loaded({
    nodes: [
      {
        name: 'cart',
        translation: [0, 4, 0],
        children: [1, 2, 3],
        physics: { motion: { mass: 5, gravityFactor: 0, linearVelocity: [1, 0, 0] } },
      },
      {
        name: 'hull',
        mesh: 1,
        scale: [2, 1, 1],
        children: [4],
        physics: { collider: { geometry: { node: 1, convexHull: true } } },
      },
      { name: 'lamp', mesh: 0, translation: [0, 1, 0], scale: [0.1, 0.1, 0.1] },
      {
        name: 'bird',
        mesh: 0,
        translation: [0, 5, 0],
        physics: { motion: { gravityFactor: 0, linearVelocity: [0, 0, 2] }, ...solid(0) },
      },
      { name: 'inner', mesh: 0, translation: [3, 0, 0] },
    ],
    shapes: [box(1, 1, 1)],
    more: {
      // Two primitives: the loader makes a group of them, to which it adds the child node.
      meshes: [
        { primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] },
        {
          primitives: [
            { attributes: { POSITION: 0 }, indices: 1 },
            { attributes: { POSITION: 0 }, indices: 1 },
          ],
        },
      ],
    },
  });
  const level = await addPhysics(physics, gltf, { warn: false });
  expect(level.unsupported).toEqual([]);
  // The hull of the mesh and of the node within it: from -1 to 7 m in x.
  expect(world.castRay([20, 4, 0], [-1, 0, 0])!.point[0]).toBeCloseTo(7, 3);
  expect(world.castRay([-20, 4, 0], [1, 0, 0])!.point[0]).toBeCloseTo(-1, 3);
  for (let i = 0; i < 60; i++) physics.update(1 / 60);
  physics.sync(1);
  expect(place(byName(gltf, 'lamp')).x).toBeCloseTo(at(level.body('cart')).x, 3);
  // The bird flies on its own, wherever its parent goes.
  expect(place(byName(gltf, 'bird')).distanceTo(at(level.body('bird')))).toBeLessThan(1e-3);
  expect(at(level.body('bird')).toArray()).toEqual([expect.closeTo(0, 3), expect.closeTo(9, 3), expect.closeTo(2, 2)]);
});

test('what an animation moves is kinematic, follows its object and carries what lies on it', async () => {
  const gltf = await loaded(FALL);
  // As the loader would give it: the floor has a channel.
  (gltf.parser.json as { animations?: unknown }).animations = [
    { channels: [{ sampler: 0, target: { node: 0, path: 'translation' } }], samplers: [] },
  ];
  const level = await addPhysics(physics, gltf, { warn: false });
  expect(level.unsupported).toEqual([]);
  expect(world.getBody(level.body('floor')).type).toBe('kinematic');
  const floor = byName(gltf, 'floor');
  for (let i = 0; i < 240; i++) {
    floor.position.y = -0.5 + i / 240;
    physics.update(1 / 60);
  }
  expect(at(level.body('crate')).y).toBeCloseTo(1.5, 1);
});

test('remove, and dispose of the ThreePhysics, take the bodies away and leave the objects', async () => {
  const gltf = await loaded(FALL);
  const level = await addPhysics(physics, gltf);
  await expect(addPhysics(physics, gltf)).rejects.toThrow(/is bound already/);
  expect(world.bodyCount).toBe(2);
  level.remove();
  expect(world.bodyCount).toBe(0);
  expect(physics.has(byName(gltf, 'crate'))).toBe(false);
  await addPhysics(physics, gltf);
  expect(world.bodyCount).toBe(2);
  physics.dispose();
  expect(world.bodyCount).toBe(0);
  expect(byName(gltf, 'crate').visible).toBe(true);
});

test('registerPhysics keeps the loader from warning of extensions that a file requires', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const required = { ...FALL, more: { extensionsRequired: ['KHR_physics_rigid_bodies', 'KHR_implicit_shapes'] } };
  try {
    await loaded(required);
    expect(warn).toHaveBeenCalledTimes(2);
    warn.mockClear();
    const gltf = await loaded(required, registerPhysics(new GLTFLoader()));
    await addPhysics(physics, gltf);
    expect(warn).not.toHaveBeenCalled();
  } finally {
    warn.mockRestore();
  }
});

test('instances of one mesh, and a turned node, keep their scale and turn', async () => {
  const half = Math.SQRT1_2;
  const gltf = await loaded({
    nodes: [
      {
        name: 'a',
        mesh: 0,
        scale: [2, 0.5, 1],
        rotation: [0, half, 0, half],
        physics: { motion: { gravityFactor: 0, angularVelocity: [0, 1, 0] }, ...solid(0) },
      },
      {
        name: 'b',
        mesh: 0,
        translation: [9, 0, 0],
        physics: { motion: { gravityFactor: 0 }, collider: { geometry: { node: 1, convexHull: true } } },
      },
    ],
    shapes: [box(1, 1, 1)],
  });
  const level = await addPhysics(physics, gltf);
  for (let i = 0; i < 60; i++) physics.update(1 / 60);
  physics.sync(1);
  const a = byName(gltf, 'a') as Mesh;
  expect(a.scale.toArray()).toEqual([2, 0.5, 1]);
  expect(Math.abs(a.quaternion.dot(world.getRotation(level.body('a'), new Quaternion())))).toBeCloseTo(1, 4);
  expect(2 * Math.acos(Math.abs(a.quaternion.w))).toBeCloseTo(Math.PI / 2 + 1, 1);
  expect((gltf.scene as Group).children).toHaveLength(2);
});

test('a signal that is aborted while meshes are read leaves nothing', async () => {
  const gltf = await loaded(FALL);
  const stop = new AbortController();
  const first = addPhysics(physics, gltf, { signal: stop.signal });
  stop.abort(new Error('left'));
  // As a component that React mounts twice.
  const second = addPhysics(physics, gltf, { signal: new AbortController().signal });
  await expect(first).rejects.toThrow('left');
  (await second).remove();
  expect(world.bodyCount).toBe(0);
});

test('refused arguments', async () => {
  const gltf = await loaded(FALL);
  await expect(addPhysics(world as never, gltf)).rejects.toThrow(/physics must be a ThreePhysics/);
  await expect(addPhysics(physics, Promise.resolve(gltf) as never)).rejects.toThrow(/await/);
  await expect(addPhysics(physics, gltf, { buffers: [] } as never)).rejects.toThrow(/has no 'buffers'/);
  await expect(addPhysics(physics, gltf, { signal: 3 as never })).rejects.toThrow(/AbortSignal/);
  expect(() => registerPhysics({} as never)).toThrow(/a GLTFLoader/);
});
