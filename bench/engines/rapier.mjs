// Rapier (@dimforge/rapier3d-simd-compat) behind the bench's engine interface: defaults, sleeping off unless asked for, damping 0.
import RAPIER from '@dimforge/rapier3d-simd-compat';
import { mainFirst, springOf } from '../lib/joint_frames.mjs';
import { packageVersion } from '../lib/package_version.mjs';
import { DYNAMIC, STATIC } from '../lib/scenes.mjs';
import { atStart } from '../lib/script.mjs';

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

// Axes of Rapier's joints: they turn about or slide along x, which is our z; y and z are our x and y.
const { LinX, LinY, LinZ, AngX, AngY, AngZ } = { LinX: 0, LinY: 1, LinZ: 2, AngX: 3, AngY: 4, AngZ: 5 };
const mask = (...axes) => axes.reduce((bits, axis) => bits | (1 << axis), 0);

/** Limits, motor and spring of one axis, through the raw set: joints of several free axes have no methods for them. */
function setAxis(joint, axis, { limit, motor, spring }) {
  const { rawSet, handle } = joint;
  if (limit) rawSet.jointSetLimits(handle, axis, limit.min, limit.max);
  const drive = motor ?? spring;
  if (!drive) return;
  const { AccelerationBased, ForceBased } = RAPIER.MotorModel;
  if (motor) {
    // A factor of 1e6 is as good as rigid: what stops it is the largest force.
    rawSet.jointConfigureMotorModel(handle, axis, AccelerationBased);
    rawSet.jointConfigureMotorVelocity(handle, axis, motor.velocity, 1e6);
  } else {
    const { perMass, stiffness, damping } = springOf(spring);
    rawSet.jointConfigureMotorModel(handle, axis, perMass ? AccelerationBased : ForceBased);
    rawSet.jointConfigureMotorPosition(handle, axis, spring.target ?? 0, stiffness, damping);
  }
  if (drive.maxForce !== undefined) rawSet.jointSetMotorMaxForce(handle, axis, drive.maxForce);
}

function jointData(joint, a, b, x) {
  const D = RAPIER.JointData;
  switch (joint.type) {
    case 'ball':
    case 'cone-twist':
      return D.spherical(a, b);
    case 'hinge':
      return D.revolute(a, b, x);
    case 'slider':
      return D.prismatic(a, b, x);
    case 'fixed':
      return D.fixed(a, { x: 0, y: 0, z: 0, w: 1 }, b, { x: 0, y: 0, z: 0, w: 1 });
    case 'cylindrical':
      return D.generic(a, b, x, mask(LinY, LinZ, AngY, AngZ));
    case 'wheel':
      return D.generic(a, b, x, mask(LinX, LinY, AngY, AngZ));
    case 'distance':
      if (joint.limit?.min === 0 && !joint.spring) return D.rope(joint.limit.max, a, b);
      throw new Error('rapier: a distance joint is a rope (limit from 0) only');
    default:
      throw new Error(`rapier: no joint ${joint.type}`);
  }
}

/** Cone-twist: a ball joint with limits on all three angles, Rapier's nearest; its cone has corners. */
function createJoints(world, list, joints) {
  let ground;
  const bodyOf = (index) => {
    if (index >= 0) return list[index];
    ground ??= world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
    return ground;
  };
  const at = ([x, y, z]) => ({ x, y, z });
  const turned = ([x, y, z, w]) => ({ x, y, z, w });
  for (const joint of joints) {
    const data = jointData(joint, at(joint.anchorA), at(joint.anchorB), { x: 1, y: 0, z: 0 });
    const made = world.createImpulseJoint(data, bodyOf(joint.bodyA), list[joint.bodyB], true);
    made.setContactsEnabled(joint.collide);
    if (joint.type === 'distance') continue;
    made.setLocalFrame1(at(joint.anchorA), turned(mainFirst(joint.frameA)));
    made.setLocalFrame2(at(joint.anchorB), turned(mainFirst(joint.frameB)));
    if (joint.type === 'wheel') {
      setAxis(made, LinZ, joint);
      setAxis(made, AngX, joint.twist ?? {});
    } else if (joint.type === 'slider' || joint.type === 'cylindrical') {
      setAxis(made, LinX, joint);
      if (joint.twist) setAxis(made, AngX, joint.twist);
    } else if (joint.type !== 'fixed') setAxis(made, AngX, joint);
    if (joint.cone !== undefined) {
      const limit = { min: -joint.cone, max: joint.cone };
      setAxis(made, AngY, { limit });
      setAxis(made, AngZ, { limit });
    }
  }
}

function descOf(type) {
  const D = RAPIER.RigidBodyDesc;
  return type === STATIC ? D.fixed() : type === DYNAMIC ? D.dynamic() : D.kinematicVelocityBased();
}

function createBody(world, scene, i, { ccd = false, sleep = false }) {
  const { bodies } = scene;
  const desc = descOf(bodies.type[i]);
  desc.setTranslation(bodies.position[3 * i], bodies.position[3 * i + 1], bodies.position[3 * i + 2]);
  desc.setRotation(quaternion(bodies.rotation, 4 * i));
  if (bodies.type[i] !== STATIC) {
    desc.setLinvel(bodies.linearVelocity[3 * i], bodies.linearVelocity[3 * i + 1], bodies.linearVelocity[3 * i + 2]);
    desc.setAngvel(vector(bodies.angularVelocity, 3 * i));
  }
  if (bodies.type[i] === DYNAMIC) desc.setCanSleep(sleep).setLinearDamping(0).setAngularDamping(0).setCcdEnabled(ccd);
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
  return body;
}

function build(scene, options) {
  const [x, y, z] = scene.gravity;
  const world = new RAPIER.World({ x, y, z });
  world.timestep = scene.dt;
  if (options.iterations !== undefined) world.numSolverIterations = options.iterations;
  const list = new Array(scene.bodies.count);
  const add = (bodies, joints) => {
    for (const i of bodies) list[i] = createBody(world, scene, i, options);
    createJoints(
      world,
      list,
      joints.map((k) => scene.joints[k]),
    );
  };
  const first = atStart(scene);
  add(first.bodies, first.joints);
  return { world, list, add };
}

/**
 * @param {import('../../scenes/types').Scene} scene
 * @param {{ ccd?: boolean, sleep?: boolean, iterations?: number }} options Continuous collision for all dynamic bodies; sleeping; iterations
 *   of the solver, 4 by default.
 */
export async function create(scene, options = {}) {
  ready ??= RAPIER.init();
  await ready;
  const { world, list, add } = build(scene, {
    ccd: options.ccd === true,
    sleep: options.sleep === true,
    iterations: options.iterations,
  });
  return {
    name: 'rapier',
    version: packageVersion('@dimforge/rapier3d-simd-compat'),
    settings: { solverIterations: world.numSolverIterations, package: 'rapier3d-simd-compat' },
    step() {
      world.step();
    },
    add,
    // Their joints go with them.
    remove(bodies) {
      for (const i of bodies) {
        world.removeRigidBody(list[i]);
        list[i] = undefined;
      }
    },
    setVelocity: (i, [x, y, z]) => list[i].setLinvel({ x, y, z }, true),
    read(state) {
      for (let i = 0; i < list.length; i++) {
        if (!list[i]) continue;
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
    mass: (i) => list[i]?.mass() ?? Number.NaN,
    dispose: () => world.free(),
  };
}
