// Rapier (@dimforge/rapier3d-simd-compat) behind the bench's engine interface: defaults, sleeping off, damping 0.
import RAPIER from '@dimforge/rapier3d-simd-compat';
import { packageVersion } from '../lib/package_version.mjs';
import { DYNAMIC, STATIC } from '../lib/scenes.mjs';

let ready;

const vector = (a, i) => ({ x: a[i], y: a[i + 1], z: a[i + 2] });
const quaternion = (a, i) => ({ x: a[i], y: a[i + 1], z: a[i + 2], w: a[i + 3] });

function colliderDesc(shape) {
  const D = RAPIER.ColliderDesc;
  switch (shape.type) {
    case 'sphere':
      return D.ball(shape.radius);
    case 'capsule':
      return D.capsule(shape.halfHeight, shape.radius);
    case 'cylinder':
      return D.cylinder(shape.halfHeight, shape.radius);
    case 'cone':
      return D.cone(shape.halfHeight, shape.radius);
    case 'box':
      return D.cuboid(...shape.halfExtents);
    case 'hull':
      return D.convexHull(shape.points);
    case 'mesh':
      return D.trimesh(shape.positions, shape.indices);
    case 'heightfield': {
      // Rapier's rows run along z and its matrix is column-major: element (row z, column x) at z + rows * x.
      const { nx, nz, spacing, heights } = shape;
      const matrix = new Float32Array(nx * nz);
      for (let iz = 0; iz < nz; iz++) for (let ix = 0; ix < nx; ix++) matrix[iz + nz * ix] = heights[ix + nx * iz];
      const scale = { x: (nx - 1) * spacing, y: 1, z: (nz - 1) * spacing };
      return D.heightfield(nz - 1, nx - 1, matrix, scale).setTranslation(
        shape.originX + scale.x / 2,
        0,
        shape.originZ + scale.z / 2,
      );
    }
    default:
      throw new Error(`rapier: no shape ${shape.type}`);
  }
}

function build(scene) {
  const [x, y, z] = scene.gravity;
  const world = new RAPIER.World({ x, y, z });
  world.timestep = scene.dt;
  const { bodies } = scene;
  const list = [];
  for (let i = 0; i < bodies.count; i++) {
    const desc = bodies.type[i] === STATIC ? RAPIER.RigidBodyDesc.fixed() : RAPIER.RigidBodyDesc.dynamic();
    desc.setTranslation(bodies.position[3 * i], bodies.position[3 * i + 1], bodies.position[3 * i + 2]);
    desc.setRotation(quaternion(bodies.rotation, 4 * i));
    if (bodies.type[i] === DYNAMIC) {
      desc.setLinvel(bodies.linearVelocity[3 * i], bodies.linearVelocity[3 * i + 1], bodies.linearVelocity[3 * i + 2]);
      desc.setAngvel(vector(bodies.angularVelocity, 3 * i));
      desc.setCanSleep(false).setLinearDamping(0).setAngularDamping(0);
    }
    const body = world.createRigidBody(desc);
    const shape = scene.shapes[bodies.shape[i]];
    const parts =
      shape.type === 'compound' ? shape.children : [{ shape: bodies.shape[i], position: [0, 0, 0], rotation: [0, 0, 0, 1] }];
    for (const part of parts) {
      const collider = colliderDesc(scene.shapes[part.shape])
        .setFriction(bodies.friction[i])
        .setRestitution(bodies.restitution[i])
        .setDensity(bodies.density[i]);
      if (shape.type === 'compound') {
        collider.setTranslation(...part.position).setRotation(quaternion(part.rotation, 0));
      }
      world.createCollider(collider, body);
    }
    list.push(body);
  }
  return { world, list };
}

/** @param {import('../../scenes/types').Scene} scene */
export async function create(scene) {
  ready ??= RAPIER.init();
  await ready;
  const { world, list } = build(scene);
  return {
    name: 'rapier',
    version: packageVersion('@dimforge/rapier3d-simd-compat'),
    settings: { solverIterations: world.numSolverIterations, package: 'rapier3d-simd-compat' },
    step() {
      world.step();
    },
    read(state) {
      for (let i = 0; i < list.length; i++) {
        const p = list[i].translation();
        const q = list[i].rotation();
        const v = list[i].linvel();
        const w = list[i].angvel();
        state.position.set([p.x, p.y, p.z], 3 * i);
        state.rotation.set([q.x, q.y, q.z, q.w], 4 * i);
        state.linear.set([v.x, v.y, v.z], 3 * i);
        state.angular.set([w.x, w.y, w.z], 3 * i);
      }
    },
    mass: (i) => list[i].mass(),
    dispose: () => world.free(),
  };
}
