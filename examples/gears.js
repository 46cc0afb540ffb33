// Gears and a pulley: one motor turns a train of gears; two weights hang on one rope, and the heavier one sinks.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 18, 70);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 3, 11);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0.5, 2.4, 0);
controls.update();
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const world = await createWorld();
const physics = new ThreePhysics(world);
/** A mesh that is a body. */
function add(geometry, color, position, options) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  return physics.add(mesh, options);
}

const box = (x, y, z) => new THREE.BoxGeometry(x, y, z);
add(box(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });

add(box(9, 5, 0.3), '#94a3b0', [0, 2.5, -0.6], { type: 'static' });
/** A gear of so many teeth on an axle: the mesh has teeth, the body is a cylinder that touches nothing. */
function createGear(teeth, color, x, y) {
  const radius = 0.09 * teeth;
  const mesh = new THREE.Group();
  const parts = [new THREE.CylinderGeometry(radius - 0.12, radius - 0.12, 0.3, 48).rotateX(Math.PI / 2)];
  for (let i = 0; i < teeth; i++) {
    const angle = (2 * Math.PI * (i + 0.25 * (1 + Math.sign(x)))) / teeth;
    parts.push(
      box(0.26, 0.2, 0.3)
        .translate(radius - 0.06, 0, 0)
        .rotateZ(angle),
    );
  }
  parts.push(box(0.14, 2 * radius - 0.5, 0.34)); // a mark, to see it turn
  for (const [i, part] of parts.entries()) {
    const paint = new THREE.MeshStandardMaterial({ color: i === teeth + 1 ? '#dfe5ec' : color });
    mesh.add(Object.assign(new THREE.Mesh(part, paint), { castShadow: true, receiveShadow: true }));
  }
  mesh.position.set(x, y, 0);
  scene.add(mesh);
  const id = physics.add(mesh, { shape: { type: 'sphere', radius }, mask: 0, mass: teeth });
  const axle = { type: 'hinge', bodyB: id, anchor: [x, y, 0], axis: [0, 0, 1] };
  return { id, teeth, hinge: world.createJoint(axle) };
}
const gears = [createGear(8, '#c8664a', -2.6, 2.2), createGear(16, '#e0b36a', -0.44, 2.2), createGear(10, '#4a7a8c', 1.22, 3.86)];
world.setJoint(gears[0].hinge, { motor: { velocity: 2, maxForce: 200 } });
for (const [i, gear] of gears.slice(1).entries()) {
  const ratio = gear.teeth / gears[i].teeth; // spin of A + ratio times spin of B stays 0: they turn against each other
  world.createJoint({ type: 'gear', bodyA: gears[i].id, bodyB: gear.id, axis: [0, 0, 1], ratio });
}

// The pulley. Where its rope runs over a wheel, the joint has a point of the world: groundA, groundB.
const weights = [2.6, 4].map((x, i) => add(box(0.7, 0.7, 0.7), '#6f9a76', [x, 2.2, 0], { mass: 40 + 4 * i, angularDamping: 1 }));
const tops = [2.6, 4].map((x) => new THREE.Vector3(x, 4.6, 0));
world.createJoint({
  type: 'pulley',
  bodyA: weights[0],
  bodyB: weights[1],
  anchorA: [0, 0.35, 0],
  anchorB: [0, 0.35, 0],
  groundA: tops[0],
  groundB: tops[1],
});
const rope = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: '#26323d' }));
rope.frustumCulled = false;
scene.add(rope);
let side = 0;
setInterval(() => {
  side = 1 - side;
  world.applyImpulse(weights[side], [0, -90, 0]); // someone pulls, on one side and the other
}, 2500);

const ends = [new THREE.Vector3(), new THREE.Vector3()];
let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  for (const [i, weight] of weights.entries()) world.getPose(weight, ends[i]);
  rope.geometry.setFromPoints([ends[0], ...tops, ends[1]]);
  renderer.render(scene, camera);
});
