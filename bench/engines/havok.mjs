// Havok (@babylonjs/havok) behind the bench's engine interface, through its raw HP_* calls: defaults, every body always
// active unless sleeping is asked for, damping 0. It has no cone: cones become hulls of 33 points. Heightfields become meshes of the same triangles.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import HavokPhysics from '@babylonjs/havok';
import { groundTriangles } from '../lib/ground.mjs';
import { axesOf, springOf } from '../lib/joint_frames.mjs';
import { packageVersion } from '../lib/package_version.mjs';
import { DYNAMIC, STATIC } from '../lib/scenes.mjs';
import { atStart } from '../lib/script.mjs';

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

/** What each type locks. Havok's x is the axis that turns or slides, our z; its y and z are our x and y. */
const LOCKED = {
  ball: ['LINEAR_X', 'LINEAR_Y', 'LINEAR_Z'],
  'cone-twist': ['LINEAR_X', 'LINEAR_Y', 'LINEAR_Z'],
  hinge: ['LINEAR_X', 'LINEAR_Y', 'LINEAR_Z', 'ANGULAR_Y', 'ANGULAR_Z'],
  fixed: ['LINEAR_X', 'LINEAR_Y', 'LINEAR_Z', 'ANGULAR_X', 'ANGULAR_Y', 'ANGULAR_Z'],
  slider: ['LINEAR_Y', 'LINEAR_Z', 'ANGULAR_X', 'ANGULAR_Y', 'ANGULAR_Z'],
  cylindrical: ['LINEAR_Y', 'LINEAR_Z', 'ANGULAR_Y', 'ANGULAR_Z'],
  wheel: ['LINEAR_X', 'LINEAR_Y', 'ANGULAR_Y', 'ANGULAR_Z'],
  distance: [],
};
/** The axis of `limit`, `motor` and `spring`. */
const MAIN_AXIS = {
  'cone-twist': 'ANGULAR_X',
  hinge: 'ANGULAR_X',
  slider: 'LINEAR_X',
  cylindrical: 'LINEAR_X',
  wheel: 'LINEAR_Z',
  distance: 'LINEAR_DISTANCE',
};

function setAxis(hp, id, name, { limit, motor, spring }) {
  const axis = hp.ConstraintAxis[name];
  if (limit) {
    hp.HP_Constraint_SetAxisMode(id, axis, hp.ConstraintAxisLimitMode.LIMITED);
    hp.HP_Constraint_SetAxisMinLimit(id, axis, limit.min);
    hp.HP_Constraint_SetAxisMaxLimit(id, axis, limit.max);
  }
  const drive = motor ?? spring;
  if (!drive) return;
  if (motor) {
    hp.HP_Constraint_SetAxisMotorType(id, axis, hp.ConstraintMotorType.VELOCITY);
    hp.HP_Constraint_SetAxisMotorVelocityTarget(id, axis, motor.velocity);
  } else {
    const { perMass, stiffness, damping } = springOf(spring);
    const { SPRING_ACCELERATION, SPRING_FORCE } = hp.ConstraintMotorType;
    hp.HP_Constraint_SetAxisMotorType(id, axis, perMass ? SPRING_ACCELERATION : SPRING_FORCE);
    hp.HP_Constraint_SetAxisMotorPositionTarget(id, axis, spring.target ?? 0);
    hp.HP_Constraint_SetAxisMotorStiffness(id, axis, stiffness);
    hp.HP_Constraint_SetAxisMotorDamping(id, axis, damping);
  }
  hp.HP_Constraint_SetAxisMotorMaxForce(id, axis, drive.maxForce ?? 3e38);
}

/** Cone-twist: limits of both swing angles, as its six-axis constraint has no cone. Answers what has to be released. */
function createJoint(hp, ids, ground, joint) {
  const locked = LOCKED[joint.type];
  if (!locked) throw new Error(`havok: no joint ${joint.type}`);
  const id = value(hp.HP_Constraint_Create(), 'constraint');
  hp.HP_Constraint_SetParentBody(id, joint.bodyA < 0 ? ground() : ids[joint.bodyA]);
  hp.HP_Constraint_SetChildBody(id, ids[joint.bodyB]);
  const a = axesOf(joint.frameA);
  const b = axesOf(joint.frameB);
  hp.HP_Constraint_SetAnchorInParent(id, joint.anchorA, a.main, a.second);
  hp.HP_Constraint_SetAnchorInChild(id, joint.anchorB, b.main, b.second);
  for (const name of locked) {
    hp.HP_Constraint_SetAxisMode(id, hp.ConstraintAxis[name], hp.ConstraintAxisLimitMode.LOCKED);
  }
  if (joint.type === 'distance') {
    const limit = joint.limit ?? { min: joint.length, max: joint.length };
    setAxis(hp, id, 'LINEAR_DISTANCE', { ...joint, limit: joint.spring && !joint.limit ? undefined : limit });
  } else if (MAIN_AXIS[joint.type]) setAxis(hp, id, MAIN_AXIS[joint.type], joint);
  if (joint.twist) setAxis(hp, id, 'ANGULAR_X', joint.twist);
  if (joint.cone !== undefined) {
    const limit = { min: -joint.cone, max: joint.cone };
    setAxis(hp, id, 'ANGULAR_Y', { limit });
    setAxis(hp, id, 'ANGULAR_Z', { limit });
  }
  hp.HP_Constraint_SetCollisionsEnabled(id, joint.collide ? 1 : 0);
  hp.HP_Constraint_SetEnabled(id, 1);
  return id;
}

/** A body that does not move, for joints with the world. */
function createGround(hp, world) {
  const ground = value(hp.HP_Body_Create(), 'body');
  hp.HP_Body_SetMotionType(ground, hp.MotionType.STATIC);
  hp.HP_Body_SetQTransform(ground, [
    [0, 0, 0],
    [0, 0, 0, 1],
  ]);
  hp.HP_World_AddBody(world, ground, false);
  return ground;
}

const vec3 = (a, i) => [a[3 * i], a[3 * i + 1], a[3 * i + 2]];

function createBody(hp, world, scene, cache, i, sleep) {
  const { bodies } = scene;
  const { STATIC: FIXED, KINEMATIC: DRIVEN, DYNAMIC: FREE } = hp.MotionType;
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
  hp.HP_Body_SetMotionType(id, bodies.type[i] === STATIC ? FIXED : bodies.type[i] === DYNAMIC ? FREE : DRIVEN);
  const q = [bodies.rotation[4 * i], bodies.rotation[4 * i + 1], bodies.rotation[4 * i + 2], bodies.rotation[4 * i + 3]];
  hp.HP_Body_SetQTransform(id, [vec3(bodies.position, i), q]);
  hp.HP_World_AddBody(world, id, false);
  if (bodies.type[i] === DYNAMIC) {
    hp.HP_Body_SetLinearDamping(id, 0);
    hp.HP_Body_SetAngularDamping(id, 0);
    if (!sleep) hp.HP_Body_SetActivationControl(id, hp.ActivationControl.ALWAYS_ACTIVE);
  }
  if (bodies.type[i] !== STATIC) {
    hp.HP_Body_SetLinearVelocity(id, vec3(bodies.linearVelocity, i));
    hp.HP_Body_SetAngularVelocity(id, vec3(bodies.angularVelocity, i));
  }
  return id;
}

/**
 * @param {import('../../scenes/types').Scene} scene
 * @param {{ sleep?: boolean }} options
 */
export async function create(scene, options = {}) {
  const hp = await load();
  const world = value(hp.HP_World_Create(), 'world');
  hp.HP_World_SetGravity(world, scene.gravity);
  hp.HP_World_SetIdealStepTime(world, scene.dt);
  const { bodies } = scene;
  const cache = new Map();
  const ids = new Array(bodies.count);
  const constraints = new Map();
  let ground;
  const theGround = () => {
    ground ??= createGround(hp, world);
    return ground;
  };
  const add = (wanted, joints) => {
    for (const i of wanted) ids[i] = createBody(hp, world, scene, cache, i, options.sleep === true);
    for (const k of joints) constraints.set(k, createJoint(hp, ids, theGround, scene.joints[k]));
  };
  const removeBody = (id) => {
    hp.HP_World_RemoveBody(world, id);
    hp.HP_Body_Release(id);
  };
  const first = atStart(scene);
  add(first.bodies, first.joints);
  return {
    name: 'havok',
    version: packageVersion('@babylonjs/havok'),
    settings: { iterations: 'not exposed' },
    step() {
      hp.HP_World_Step(world, scene.dt);
    },
    add,
    remove(wanted, joints) {
      for (const k of joints) {
        hp.HP_Constraint_Release(constraints.get(k));
        constraints.delete(k);
      }
      for (const i of wanted) {
        removeBody(ids[i]);
        ids[i] = undefined;
      }
    },
    setVelocity: (i, linear) => hp.HP_Body_SetLinearVelocity(ids[i], linear),
    read(state) {
      for (let i = 0; i < bodies.count; i++) {
        if (!ids[i]) continue;
        const [p, q] = hp.HP_Body_GetQTransform(ids[i])[1];
        state.position.set(p, 3 * i);
        state.rotation.set(q, 4 * i);
        state.linear.set(hp.HP_Body_GetLinearVelocity(ids[i])[1], 3 * i);
        state.angular.set(hp.HP_Body_GetAngularVelocity(ids[i])[1], 3 * i);
      }
    },
    mass: (i) => (ids[i] ? value(hp.HP_Body_GetMassProperties(ids[i]), 'mass')[1] : Number.NaN),
    dispose() {
      for (const id of constraints.values()) hp.HP_Constraint_Release(id);
      for (const id of ids) if (id) removeBody(id);
      if (ground) removeBody(ground);
      hp.HP_World_Release(world);
    },
  };
}
