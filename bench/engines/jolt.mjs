// Jolt (jolt-physics, one thread) behind the bench's engine interface: defaults, sleeping off unless asked for, damping 0. Boxes, cylinders and
// hulls have its convex radius of 5 cm, or half the smallest extent where that is less; heightfields go in as meshes.
import initJolt from 'jolt-physics';
import { groundTriangles } from '../lib/ground.mjs';
import { springOf, worldSide } from '../lib/joint_frames.mjs';
import { bodyMasses } from '../lib/mass.mjs';
import { packageVersion } from '../lib/package_version.mjs';
import { DYNAMIC, STATIC } from '../lib/scenes.mjs';
import { atStart } from '../lib/script.mjs';

const CONVEX_RADIUS = 0.05;
const [LAYER_FIXED, LAYER_MOVING] = [0, 1];

let ready;

const radiusOf = (...extents) => Math.min(CONVEX_RADIUS, Math.min(...extents) / 2);

function shapeSettings(J, def) {
  switch (def.type) {
    case 'sphere':
      return new J.SphereShapeSettings(def.radius);
    case 'capsule':
      return new J.CapsuleShapeSettings(def.halfHeight, def.radius);
    case 'cylinder':
      return new J.CylinderShapeSettings(def.halfHeight, def.radius, radiusOf(def.halfHeight, def.radius));
    case 'cone':
      return new J.TaperedCylinderShapeSettings(def.halfHeight, 0, def.radius, 0);
    case 'box':
      return new J.BoxShapeSettings(new J.Vec3(...def.halfExtents), radiusOf(...def.halfExtents));
    case 'hull': {
      const settings = new J.ConvexHullShapeSettings();
      for (let i = 0; i < def.points.length; i += 3) {
        settings.mPoints.push_back(new J.Vec3(def.points[i], def.points[i + 1], def.points[i + 2]));
      }
      return settings;
    }
    case 'mesh':
    case 'heightfield': {
      const { positions, indices } = groundTriangles(def);
      const vertices = new J.VertexList();
      const triangles = new J.IndexedTriangleList();
      for (let i = 0; i < positions.length; i += 3) {
        const vertex = new J.Float3(positions[i], positions[i + 1], positions[i + 2]);
        vertices.push_back(vertex);
        J.destroy(vertex);
      }
      for (let i = 0; i < indices.length; i += 3) {
        const triangle = new J.IndexedTriangle(indices[i], indices[i + 1], indices[i + 2], 0);
        triangles.push_back(triangle);
        J.destroy(triangle);
      }
      return new J.MeshShapeSettings(vertices, triangles, new J.PhysicsMaterialList());
    }
    default:
      throw new Error(`jolt: no shape ${def.type}`);
  }
}

function shapeFrom(settings) {
  const result = settings.Create();
  if (result.HasError()) throw new Error(`jolt: ${result.GetError().c_str()}`);
  return result.Get();
}

function openJolt(J, count) {
  const settings = new J.JoltSettings();
  settings.mMaxBodies = count + 16;
  // Its allocator for a step has 10 MB and no setting: contact constraints take 473 bytes each of it.
  settings.mMaxBodyPairs = 65536;
  settings.mMaxContactConstraints = 18432;
  const pairs = new J.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(LAYER_FIXED, LAYER_MOVING);
  pairs.EnableCollision(LAYER_MOVING, LAYER_MOVING);
  const layers = new J.BroadPhaseLayerInterfaceTable(2, 2);
  layers.MapObjectToBroadPhaseLayer(LAYER_FIXED, new J.BroadPhaseLayer(0));
  layers.MapObjectToBroadPhaseLayer(LAYER_MOVING, new J.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
  return new J.JoltInterface(settings);
}

/** Motor or spring of one axis of a made constraint; `set` has its setters. */
function applyDrive(J, settings, { motor, spring }, set) {
  const drive = motor ?? spring;
  if (!drive) return;
  const most = drive.maxForce ?? 3e38;
  settings.mMaxForceLimit = most;
  settings.mMinForceLimit = -most;
  settings.mMaxTorqueLimit = most;
  settings.mMinTorqueLimit = -most;
  if (motor) {
    set.state(J.EMotorState_Velocity);
    set.velocity(motor.velocity);
    return;
  }
  const { perMass, stiffness, damping } = springOf(spring);
  const own = settings.mSpringSettings;
  if (perMass) {
    own.mMode = J.ESpringMode_FrequencyAndDamping;
    own.mFrequency = spring.frequency;
    own.mDamping = spring.dampingRatio;
  } else {
    own.mMode = J.ESpringMode_StiffnessAndDamping;
    own.mStiffness = stiffness;
    own.mDamping = damping;
  }
  set.state(J.EMotorState_Position);
  set.target(spring.target ?? 0);
}

/** Jolt's six-axis constraint; its x is our z, its y and z are our x and y. */
function sixAxis(J, a, b, joint) {
  const settings = new J.SixDOFConstraintSettings();
  settings.mSpace = J.EConstraintSpace_WorldSpace;
  settings.mPosition1 = a.point();
  settings.mPosition2 = b.point();
  settings.mAxisX1 = a.vector('main');
  settings.mAxisY1 = a.vector('second');
  settings.mAxisX2 = b.vector('main');
  settings.mAxisY2 = b.vector('second');
  const axis = (name) => J[`SixDOFConstraintSettings_EAxis_${name}`];
  const main = joint.type === 'wheel' ? 'TranslationZ' : 'TranslationX';
  for (const name of ['TranslationX', 'TranslationY', 'TranslationZ', 'RotationY', 'RotationZ']) {
    if (name !== main) settings.MakeFixedAxis(axis(name));
    else if (joint.limit) settings.SetLimitedAxis(axis(name), joint.limit.min, joint.limit.max);
    else settings.MakeFreeAxis(axis(name));
  }
  settings.MakeFreeAxis(axis('RotationX'));
  if (joint.twist?.limit) settings.SetLimitedAxis(axis('RotationX'), joint.twist.limit.min, joint.twist.limit.max);
  const finish = (made) => {
    const along = (value) => (main === 'TranslationX' ? new J.Vec3(value, 0, 0) : new J.Vec3(0, 0, value));
    applyDrive(J, made.GetMotorSettings(axis(main)), joint, {
      state: (state) => made.SetMotorState(axis(main), state),
      velocity: (value) => made.SetTargetVelocityCS(along(value)),
      target: (value) => made.SetTargetPositionCS(along(value)),
    });
    applyDrive(J, made.GetMotorSettings(axis('RotationX')), joint.twist ?? {}, {
      state: (state) => made.SetMotorState(axis('RotationX'), state),
      velocity: (value) => made.SetTargetAngularVelocityCS(new J.Vec3(value, 0, 0)),
      target: (value) => made.SetTargetOrientationCS(new J.Quat(Math.sin(value / 2), 0, 0, Math.cos(value / 2))),
    });
  };
  return { settings, kind: J.SixDOFConstraint, finish };
}

/** Settings of a constraint, the class of what they make, and what is left to do with it. */
function constraintOf(J, joint, a, b) {
  const world = (settings) => {
    settings.mSpace = J.EConstraintSpace_WorldSpace;
    return settings;
  };
  const points = (settings) => {
    world(settings);
    settings.mPoint1 = a.point();
    settings.mPoint2 = b.point();
    return settings;
  };
  const drive = (made) => made.GetMotorSettings();
  switch (joint.type) {
    case 'ball':
      return { settings: points(new J.PointConstraintSettings()), kind: J.PointConstraint };
    case 'fixed': {
      const settings = points(new J.FixedConstraintSettings());
      settings.mAxisX1 = a.vector('main');
      settings.mAxisY1 = a.vector('second');
      settings.mAxisX2 = b.vector('main');
      settings.mAxisY2 = b.vector('second');
      return { settings, kind: J.FixedConstraint };
    }
    case 'hinge': {
      const settings = points(new J.HingeConstraintSettings());
      settings.mHingeAxis1 = a.vector('main');
      settings.mNormalAxis1 = a.vector('second');
      settings.mHingeAxis2 = b.vector('main');
      settings.mNormalAxis2 = b.vector('second');
      if (joint.limit) {
        settings.mLimitsMin = joint.limit.min;
        settings.mLimitsMax = joint.limit.max;
      }
      const finish = (made) =>
        applyDrive(J, drive(made), joint, {
          state: (state) => made.SetMotorState(state),
          velocity: (value) => made.SetTargetAngularVelocity(value),
          target: (value) => made.SetTargetAngle(value),
        });
      return { settings, kind: J.HingeConstraint, finish };
    }
    case 'slider': {
      const settings = points(new J.SliderConstraintSettings());
      settings.mSliderAxis1 = a.vector('main');
      settings.mNormalAxis1 = a.vector('second');
      settings.mSliderAxis2 = b.vector('main');
      settings.mNormalAxis2 = b.vector('second');
      if (joint.limit) {
        settings.mLimitsMin = joint.limit.min;
        settings.mLimitsMax = joint.limit.max;
      }
      const finish = (made) =>
        applyDrive(J, drive(made), joint, {
          state: (state) => made.SetMotorState(state),
          velocity: (value) => made.SetTargetVelocity(value),
          target: (value) => made.SetTargetPosition(value),
        });
      return { settings, kind: J.SliderConstraint, finish };
    }
    case 'cone-twist': {
      const settings = world(new J.SwingTwistConstraintSettings());
      settings.mPosition1 = a.point();
      settings.mPosition2 = b.point();
      settings.mTwistAxis1 = a.vector('main');
      settings.mPlaneAxis1 = a.vector('second');
      settings.mTwistAxis2 = b.vector('main');
      settings.mPlaneAxis2 = b.vector('second');
      settings.mNormalHalfConeAngle = joint.cone ?? Math.PI;
      settings.mPlaneHalfConeAngle = joint.cone ?? Math.PI;
      settings.mTwistMinAngle = joint.limit?.min ?? -Math.PI;
      settings.mTwistMaxAngle = joint.limit?.max ?? Math.PI;
      return { settings, kind: J.SwingTwistConstraint };
    }
    case 'distance': {
      const settings = points(new J.DistanceConstraintSettings());
      settings.mMinDistance = joint.limit?.min ?? joint.length;
      settings.mMaxDistance = joint.limit?.max ?? joint.length;
      return { settings, kind: J.DistanceConstraint };
    }
    case 'cylindrical':
    case 'wheel':
      return sixAxis(J, a, b, joint);
    case 'gear': {
      const settings = world(new J.GearConstraintSettings());
      settings.mHingeAxis1 = a.vector('main');
      settings.mHingeAxis2 = b.vector('main');
      // Jolt: spin of 1 = -ratio * spin of 2.
      settings.mRatio = joint.ratio;
      return { settings, kind: J.GearConstraint };
    }
    case 'pulley': {
      const settings = world(new J.PulleyConstraintSettings());
      settings.mBodyPoint1 = a.point();
      settings.mBodyPoint2 = b.point();
      settings.mFixedPoint1 = new J.RVec3(...joint.groundA);
      settings.mFixedPoint2 = new J.RVec3(...joint.groundB);
      settings.mRatio = joint.ratio;
      settings.mMinLength = 0;
      settings.mMaxLength = joint.length;
      return { settings, kind: J.PulleyConstraint };
    }
    default:
      throw new Error(`jolt: no joint ${joint.type}`);
  }
}

/** Makes one joint where the bodies of the scene start. */
function createJoint(J, system, list, scene, joint) {
  const ground = J.JoltInterface.prototype.sGetFixedToWorldBody();
  const sideOf = (body, anchor, frame) => {
    const side = worldSide(scene, body, anchor, frame);
    return { point: () => new J.RVec3(...side.anchor), vector: (name) => new J.Vec3(...side[name]) };
  };
  const a = sideOf(joint.bodyA, joint.anchorA, joint.frameA);
  const b = sideOf(joint.bodyB, joint.anchorB, joint.frameB);
  const { settings, kind, finish } = constraintOf(J, joint, a, b);
  const made = settings.Create(joint.bodyA < 0 ? ground : list[joint.bodyA], list[joint.bodyB]);
  finish?.(J.castObject(made, kind));
  system.AddConstraint(made);
  return made;
}

/** Joined bodies do not collide: one table of all bodies, as a group of subgroups by index; null without joints. */
function jointFilter(J, scene) {
  if (!scene.joints?.length) return null;
  const filter = new J.GroupFilterTable(scene.bodies.count);
  for (const joint of scene.joints) {
    if (!joint.collide && joint.bodyA >= 0) filter.DisableCollision(joint.bodyA, joint.bodyB);
  }
  return filter;
}

function motionOf(J, type) {
  if (type === STATIC) return J.EMotionType_Static;
  return type === DYNAMIC ? J.EMotionType_Dynamic : J.EMotionType_Kinematic;
}

/** Makes one body of a scene. `own`: its shape, its mass as we know it, the table of who collides, whether it may sleep, feels gyroscopic forces and is cast along its way. */
function createBody(J, bodyInterface, bodies, i, own) {
  const fixed = bodies.type[i] === STATIC;
  const position = new J.RVec3(...bodies.position.subarray(3 * i, 3 * i + 3));
  const rotation = new J.Quat(...bodies.rotation.subarray(4 * i, 4 * i + 4));
  const layer = fixed ? LAYER_FIXED : LAYER_MOVING;
  const settings = new J.BodyCreationSettings(own.shape, position, rotation, motionOf(J, bodies.type[i]), layer);
  settings.mFriction = bodies.friction[i];
  settings.mRestitution = bodies.restitution[i];
  if (!fixed) {
    settings.mAllowSleeping = own.sleep;
    settings.mLinearVelocity = new J.Vec3(...bodies.linearVelocity.subarray(3 * i, 3 * i + 3));
    settings.mAngularVelocity = new J.Vec3(...bodies.angularVelocity.subarray(3 * i, 3 * i + 3));
  }
  if (bodies.type[i] === DYNAMIC) {
    settings.mLinearDamping = 0;
    settings.mAngularDamping = 0;
    settings.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia;
    settings.mMassPropertiesOverride.mMass = own.mass;
    settings.mApplyGyroscopicForce = own.gyroscopic;
    if (own.ccd) settings.mMotionQuality = J.EMotionQuality_LinearCast;
  }
  if (own.filter) {
    const group = new J.CollisionGroup(own.filter, 0, i);
    settings.mCollisionGroup = group;
    J.destroy(group);
  }
  const body = bodyInterface.CreateBody(settings);
  bodyInterface.AddBody(body.GetID(), fixed ? J.EActivation_DontActivate : J.EActivation_Activate);
  J.destroy(settings);
  return body;
}

/**
 * @param {import('../../scenes/types').Scene} scene
 * @param {{ sleep?: boolean, velocitySteps?: number, positionSteps?: number, gyroscopic?: boolean, ccd?: boolean }} options Sleeping; iterations of the
 *   solver, 10 and 2 by default; gyroscopic forces, off by default.
 */
export async function create(scene, options = {}) {
  ready ??= initJolt();
  const J = await ready;
  const { bodies } = scene;
  const jolt = openJolt(J, bodies.count);
  const system = jolt.GetPhysicsSystem();
  system.SetGravity(new J.Vec3(...scene.gravity));
  if (options.velocitySteps !== undefined) {
    const settings = system.GetPhysicsSettings();
    settings.mNumVelocitySteps = options.velocitySteps;
    settings.mNumPositionSteps = options.positionSteps;
    system.SetPhysicsSettings(settings);
  }
  const shapes = scene.shapes.map((def) => (def.type === 'compound' ? null : shapeFrom(shapeSettings(J, def))));
  scene.shapes.forEach((def, k) => {
    if (def.type !== 'compound') return;
    const settings = new J.StaticCompoundShapeSettings();
    for (const c of def.children) {
      settings.AddShapeShape(new J.Vec3(...c.position), new J.Quat(...c.rotation), shapes[c.shape], 0);
    }
    shapes[k] = shapeFrom(settings);
  });
  const masses = bodyMasses(scene);
  const bodyInterface = system.GetBodyInterface();
  const list = new Array(bodies.count);
  const constraints = new Map();
  const filter = jointFilter(J, scene);
  const sleep = options.sleep === true;
  const gyroscopic = options.gyroscopic === true;
  const ccd = options.ccd === true;
  const add = (wanted, joints) => {
    for (const i of wanted) {
      const own = { shape: shapes[bodies.shape[i]], mass: masses[i].mass, filter, sleep, gyroscopic, ccd };
      list[i] = createBody(J, bodyInterface, bodies, i, own);
    }
    for (const k of joints) constraints.set(k, createJoint(J, system, list, scene, scene.joints[k]));
  };
  const first = atStart(scene);
  add(first.bodies, first.joints);
  system.OptimizeBroadPhase();
  return {
    name: 'jolt',
    version: packageVersion('jolt-physics'),
    settings: {
      velocitySteps: system.GetPhysicsSettings().mNumVelocitySteps,
      positionSteps: system.GetPhysicsSettings().mNumPositionSteps,
      gyroscopic,
    },
    step() {
      jolt.Step(scene.dt, 1);
    },
    add,
    remove(wanted, joints) {
      for (const k of joints) {
        system.RemoveConstraint(constraints.get(k));
        constraints.delete(k);
      }
      for (const i of wanted) {
        const id = list[i].GetID();
        bodyInterface.RemoveBody(id);
        bodyInterface.DestroyBody(id);
        list[i] = undefined;
      }
    },
    setVelocity: (i, [x, y, z]) => bodyInterface.SetLinearVelocity(list[i].GetID(), new J.Vec3(x, y, z)),
    read(state) {
      for (let i = 0; i < list.length; i++) {
        if (!list[i]) continue;
        // Each getter answers the same object every time: read before asking again.
        const p = list[i].GetPosition();
        state.position.set([p.GetX(), p.GetY(), p.GetZ()], 3 * i);
        const q = list[i].GetRotation();
        state.rotation.set([q.GetX(), q.GetY(), q.GetZ(), q.GetW()], 4 * i);
        if (bodies.type[i] !== DYNAMIC) continue;
        const v = list[i].GetLinearVelocity();
        state.linear.set([v.GetX(), v.GetY(), v.GetZ()], 3 * i);
        const w = list[i].GetAngularVelocity();
        state.angular.set([w.GetX(), w.GetY(), w.GetZ()], 3 * i);
      }
    },
    mass(i) {
      if (!list[i]) return Number.NaN;
      return bodies.type[i] === DYNAMIC ? 1 / list[i].GetMotionProperties().GetInverseMass() : 0;
    },
    dispose: () => J.destroy(jolt),
  };
}
