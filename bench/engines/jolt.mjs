// Jolt (jolt-physics, one thread) behind the bench's engine interface: defaults, sleeping off, damping 0. Boxes, cylinders and
// hulls have its convex radius of 5 cm, or half the smallest extent where that is less; heightfields go in as meshes.
import initJolt from 'jolt-physics';
import { groundTriangles } from '../lib/ground.mjs';
import { bodyMasses } from '../lib/mass.mjs';
import { packageVersion } from '../lib/package_version.mjs';
import { DYNAMIC, STATIC } from '../lib/scenes.mjs';

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
  settings.mMaxBodyPairs = 65536 + 32 * count;
  settings.mMaxContactConstraints = 16384 + 16 * count;
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

/** @param {import('../../scenes/types').Scene} scene */
export async function create(scene) {
  ready ??= initJolt();
  const J = await ready;
  const { bodies } = scene;
  const jolt = openJolt(J, bodies.count);
  const system = jolt.GetPhysicsSystem();
  system.SetGravity(new J.Vec3(...scene.gravity));
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
  const list = [];
  for (let i = 0; i < bodies.count; i++) {
    const fixed = bodies.type[i] === STATIC;
    const position = new J.RVec3(...bodies.position.subarray(3 * i, 3 * i + 3));
    const rotation = new J.Quat(...bodies.rotation.subarray(4 * i, 4 * i + 4));
    const motion = fixed ? J.EMotionType_Static : J.EMotionType_Dynamic;
    const layer = fixed ? LAYER_FIXED : LAYER_MOVING;
    const settings = new J.BodyCreationSettings(shapes[bodies.shape[i]], position, rotation, motion, layer);
    settings.mFriction = bodies.friction[i];
    settings.mRestitution = bodies.restitution[i];
    if (bodies.type[i] === DYNAMIC) {
      settings.mAllowSleeping = false;
      settings.mLinearDamping = 0;
      settings.mAngularDamping = 0;
      settings.mLinearVelocity = new J.Vec3(...bodies.linearVelocity.subarray(3 * i, 3 * i + 3));
      settings.mAngularVelocity = new J.Vec3(...bodies.angularVelocity.subarray(3 * i, 3 * i + 3));
      settings.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia;
      settings.mMassPropertiesOverride.mMass = masses[i].mass;
    }
    const body = bodyInterface.CreateBody(settings);
    bodyInterface.AddBody(body.GetID(), fixed ? J.EActivation_DontActivate : J.EActivation_Activate);
    J.destroy(settings);
    list.push(body);
  }
  system.OptimizeBroadPhase();
  return {
    name: 'jolt',
    version: packageVersion('jolt-physics'),
    settings: { velocitySteps: system.GetPhysicsSettings().mNumVelocitySteps },
    step() {
      jolt.Step(scene.dt, 1);
    },
    read(state) {
      for (let i = 0; i < list.length; i++) {
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
    mass: (i) => (bodies.type[i] === DYNAMIC ? 1 / list[i].GetMotionProperties().GetInverseMass() : 0),
    dispose: () => J.destroy(jolt),
  };
}
