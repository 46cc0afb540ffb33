// cannon-es (JavaScript) behind the bench's engine interface: defaults, sleeping off unless asked for, damping 0. For small
// scenes. Its triangle meshes meet spheres and planes only, and it has no cone: scenes with those are refused, and those with joints or
// with bodies that come in as they run.
import {
  Body,
  Box,
  ContactMaterial,
  ConvexPolyhedron,
  Cylinder,
  Material,
  Quaternion,
  SAPBroadphase,
  Sphere,
  Vec3,
  World,
} from 'cannon-es';
import { convexHull } from '../lib/hull.mjs';
import { refuseJoints } from '../lib/joint_frames.mjs';
import { bodyMasses } from '../lib/mass.mjs';
import { packageVersion } from '../lib/package_version.mjs';
import { STATIC } from '../lib/scenes.mjs';
import { refuseScript } from '../lib/script.mjs';

function hull(points) {
  const list = [];
  for (let i = 0; i < points.length; i += 3) list.push([points[i], points[i + 1], points[i + 2]]);
  const faces = convexHull(list).map((face) => [...face.v]);
  return new ConvexPolyhedron({ vertices: list.map((p) => new Vec3(...p)), faces });
}

function shapeOf(def) {
  switch (def.type) {
    case 'sphere':
      return new Sphere(def.radius);
    case 'box':
      return new Box(new Vec3(...def.halfExtents));
    case 'cylinder':
      return new Cylinder(def.radius, def.radius, 2 * def.halfHeight, 16);
    case 'hull':
      return hull(def.points);
    default:
      throw new Error(`cannon: no shape ${def.type}`);
  }
}

/**
 * @param {import('../../scenes/types').Scene} scene
 * @param {{ sleep?: boolean }} options
 */
export async function create(scene, options = {}) {
  refuseJoints(scene, 'cannon');
  refuseScript(scene, 'cannon');
  const sleep = options.sleep === true;
  const { bodies, shapes } = scene;
  const world = new World({ gravity: new Vec3(...scene.gravity), allowSleep: sleep });
  world.broadphase = new SAPBroadphase(world);
  // All bodies of a scene have the same friction and restitution.
  const material = new Material();
  world.addContactMaterial(
    new ContactMaterial(material, material, { friction: bodies.friction[0], restitution: bodies.restitution[0] }),
  );
  const masses = bodyMasses(scene);
  const made = shapes.map((def) => (def.type === 'compound' ? null : shapeOf(def)));
  const list = [];
  for (let i = 0; i < bodies.count; i++) {
    const def = shapes[bodies.shape[i]];
    if (def.type === 'compound') throw new Error('cannon: no shape compound');
    const fixed = bodies.type[i] === STATIC;
    const body = new Body({
      mass: fixed ? 0 : masses[i].mass,
      material,
      position: new Vec3(...bodies.position.subarray(3 * i, 3 * i + 3)),
      quaternion: new Quaternion(...bodies.rotation.subarray(4 * i, 4 * i + 4)),
      velocity: new Vec3(...bodies.linearVelocity.subarray(3 * i, 3 * i + 3)),
      angularVelocity: new Vec3(...bodies.angularVelocity.subarray(3 * i, 3 * i + 3)),
      linearDamping: 0,
      angularDamping: 0,
      allowSleep: sleep,
      shape: made[bodies.shape[i]],
    });
    world.addBody(body);
    list.push(body);
  }
  return {
    name: 'cannon',
    version: packageVersion('cannon-es'),
    settings: { iterations: world.solver.iterations },
    step() {
      world.step(scene.dt);
    },
    read(state) {
      for (let i = 0; i < list.length; i++) {
        const { position: p, quaternion: q, velocity: v, angularVelocity: w } = list[i];
        state.position.set([p.x, p.y, p.z], 3 * i);
        state.rotation.set([q.x, q.y, q.z, q.w], 4 * i);
        state.linear.set([v.x, v.y, v.z], 3 * i);
        state.angular.set([w.x, w.y, w.z], 3 * i);
      }
    },
    mass: (i) => list[i].mass,
    dispose: () => {},
  };
}
