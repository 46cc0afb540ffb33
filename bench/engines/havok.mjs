// Havok (@babylonjs/havok) behind the bench's engine interface, through its raw HP_* calls: defaults, every body always
// active, damping 0. It has no cone: cones become hulls of 33 points. Heightfields become meshes of the same triangles.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import HavokPhysics from '@babylonjs/havok';
import { groundTriangles } from '../lib/ground.mjs';
import { packageVersion } from '../lib/package_version.mjs';
import { DYNAMIC, STATIC } from '../lib/scenes.mjs';

const require = createRequire(import.meta.url);
const wasmPath = require.resolve('@babylonjs/havok/lib/esm/HavokPhysics.wasm');
let instance;

async function load() {
  instance ??= HavokPhysics({ wasmBinary: await readFile(wasmPath) });
  return instance;
}

/** Result of an HP call that answers [code, value]; throws on failure. */
function value([code, result], what) {
  if (String(code) !== '0' && code?.value !== 0) throw new Error(`havok: ${what} failed (${String(code)})`);
  return result;
}

function withFloats(hp, array, use) {
  const address = hp._malloc(array.byteLength);
  new Uint8Array(hp.HEAPU8.buffer, address, array.byteLength).set(
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
  );
  const result = use(address);
  hp._free(address);
  return result;
}

function conePoints(shape) {
  const points = [0, shape.halfHeight, 0];
  for (let i = 0; i < 32; i++) {
    const a = (2 * Math.PI * i) / 32;
    points.push(shape.radius * Math.cos(a), -shape.halfHeight, shape.radius * Math.sin(a));
  }
  return Float32Array.from(points);
}

function createShape(hp, shapes, index, cache) {
  if (cache.has(index)) return cache.get(index);
  const s = shapes[index];
  const hull = (points) => withFloats(hp, points, (at) => value(hp.HP_Shape_CreateConvexHull(at, points.length / 3), 'hull'));
  let id;
  if (s.type === 'sphere') id = value(hp.HP_Shape_CreateSphere([0, 0, 0], s.radius), 'sphere');
  else if (s.type === 'capsule')
    id = value(hp.HP_Shape_CreateCapsule([0, -s.halfHeight, 0], [0, s.halfHeight, 0], s.radius), 'capsule');
  else if (s.type === 'cylinder')
    id = value(hp.HP_Shape_CreateCylinder([0, -s.halfHeight, 0], [0, s.halfHeight, 0], s.radius), 'cylinder');
  else if (s.type === 'cone') id = hull(conePoints(s));
  else if (s.type === 'box') {
    id = value(
      hp.HP_Shape_CreateBox(
        [0, 0, 0],
        [0, 0, 0, 1],
        s.halfExtents.map((h) => 2 * h),
      ),
      'box',
    );
  } else if (s.type === 'hull') id = hull(s.points);
  else if (s.type === 'mesh' || s.type === 'heightfield') {
    const { positions, indices } = groundTriangles(s);
    id = withFloats(hp, positions, (points) =>
      withFloats(hp, indices, (at) =>
        value(hp.HP_Shape_CreateMesh(points, positions.length / 3, at, indices.length / 3), 'mesh'),
      ),
    );
  } else {
    id = value(hp.HP_Shape_CreateContainer(), 'container');
    for (const child of s.children) {
      hp.HP_Shape_AddChild(id, createShape(hp, shapes, child.shape, cache), [child.position, child.rotation, [1, 1, 1]]);
    }
  }
  cache.set(index, id);
  return id;
}

/** @param {import('../../scenes/types').Scene} scene */
export async function create(scene) {
  const hp = await load();
  const world = value(hp.HP_World_Create(), 'world');
  hp.HP_World_SetGravity(world, scene.gravity);
  hp.HP_World_SetIdealStepTime(world, scene.dt);
  const { bodies } = scene;
  const cache = new Map();
  const ids = [];
  const vec3 = (a, i) => [a[3 * i], a[3 * i + 1], a[3 * i + 2]];
  for (let i = 0; i < bodies.count; i++) {
    const shape = createShape(hp, scene.shapes, bodies.shape[i], cache);
    const combine = hp.MaterialCombine.ARITHMETIC_MEAN;
    hp.HP_Shape_SetMaterial(shape, [bodies.friction[i], bodies.friction[i], bodies.restitution[i], combine, combine]);
    const children = scene.shapes[bodies.shape[i]].children ?? [];
    for (let c = 0; c < children.length; c++) {
      const child = cache.get(children[c].shape);
      hp.HP_Shape_SetMaterial(child, [bodies.friction[i], bodies.friction[i], bodies.restitution[i], combine, combine]);
      hp.HP_Shape_SetDensity(child, bodies.density[i]);
    }
    const id = value(hp.HP_Body_Create(), 'body');
    hp.HP_Body_SetShape(id, shape);
    if (bodies.type[i] === DYNAMIC) {
      hp.HP_Shape_SetDensity(shape, bodies.density[i]);
      hp.HP_Body_SetMassProperties(id, value(hp.HP_Shape_BuildMassProperties(shape), 'mass'));
    }
    hp.HP_Body_SetMotionType(id, bodies.type[i] === STATIC ? hp.MotionType.STATIC : hp.MotionType.DYNAMIC);
    const q = [bodies.rotation[4 * i], bodies.rotation[4 * i + 1], bodies.rotation[4 * i + 2], bodies.rotation[4 * i + 3]];
    hp.HP_Body_SetQTransform(id, [vec3(bodies.position, i), q]);
    hp.HP_World_AddBody(world, id, false);
    if (bodies.type[i] === DYNAMIC) {
      hp.HP_Body_SetLinearDamping(id, 0);
      hp.HP_Body_SetAngularDamping(id, 0);
      hp.HP_Body_SetActivationControl(id, hp.ActivationControl.ALWAYS_ACTIVE);
      hp.HP_Body_SetLinearVelocity(id, vec3(bodies.linearVelocity, i));
      hp.HP_Body_SetAngularVelocity(id, vec3(bodies.angularVelocity, i));
    }
    ids.push(id);
  }
  return {
    name: 'havok',
    version: packageVersion('@babylonjs/havok'),
    settings: { iterations: 'not exposed' },
    step() {
      hp.HP_World_Step(world, scene.dt);
    },
    read(state) {
      for (let i = 0; i < ids.length; i++) {
        const [p, q] = hp.HP_Body_GetQTransform(ids[i])[1];
        state.position.set(p, 3 * i);
        state.rotation.set(q, 4 * i);
        state.linear.set(hp.HP_Body_GetLinearVelocity(ids[i])[1], 3 * i);
        state.angular.set(hp.HP_Body_GetAngularVelocity(ids[i])[1], 3 * i);
      }
    },
    mass: (i) => value(hp.HP_Body_GetMassProperties(ids[i]), 'mass')[1],
    dispose() {
      for (const id of ids) {
        hp.HP_World_RemoveBody(world, id);
        hp.HP_Body_Release(id);
      }
      hp.HP_World_Release(world);
    },
  };
}
