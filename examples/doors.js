// Doors: one with a closer, one that opens by a motor, one that breaks. Click throws a ball.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 17, 69);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 3.2, 11);
camera.lookAt(0, 1.4, 0);
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const world = await createWorld({ hitSpeed: 3 });
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
for (const x of [-4.4, -1.6, 1.4, 4.2]) add(box(0.9, 3, 0.3), '#94a3b0', [x, 1.5, 0], { type: 'static' });
add(box(9.5, 0.5, 0.3), '#94a3b0', [-0.1, 3.25, 0], { type: 'static' });

/** A door of 1.7 m on a hinge at its left edge, which is a line up through the world. Angles count from shut, in rad. */
function hang(x, color, options) {
  const leaf = add(box(1.7, 2.8, 0.12), color, [x, 1.5, 0], { mass: 40 });
  const hinge = { type: 'hinge', bodyB: leaf, anchor: [x - 0.87, 1.5, 0], axis: [0, 1, 0] }; // no bodyA: the world
  return { leaf, joint: world.createJoint({ ...hinge, ...options }) };
}
// A closer: a spring to the angle 0, soft and well damped. It swings both ways, to the stops.
hang(-3.05, '#4a7a8c', { limit: { min: -1.9, max: 1.9 }, spring: { target: 0, frequency: 0.35, dampingRatio: 0.7 } });

// A motor: the world emits an event when somebody stands before it, and the motor turns the other way.
const automatic = hang(-0.17, '#6f9a76', { limit: { min: 0, max: 1.7 }, motor: { velocity: -1, maxForce: 60 } });
const zone = world.createShape({ type: 'box', halfExtents: [1.3, 1.5, 2.5] });
world.createBody({ type: 'static', shape: zone, position: [-0.1, 1.5, 1], sensor: true });
const inside = new Set();
const isOther = (id) => id !== automatic.leaf && world.getType(id) === 'dynamic';
function turn() {
  // The torque is small: a door that somebody holds stays there.
  world.setJoint(automatic.joint, { motor: { velocity: inside.size ? 1.5 : -1, maxForce: 60 } });
}
world.on('sensor-begin', ({ bodyA, bodyB }) => {
  for (const id of [bodyA, bodyB].filter(isOther)) inside.add(id);
  turn();
});
world.on('sensor-end', ({ bodyA, bodyB }) => {
  inside.delete(bodyA);
  inside.delete(bodyB);
  turn();
});

// Two weak hinges: a push opens it, a hard hit tears it out.
const weak = { limit: { min: -1.9, max: 1.9 }, spring: { frequency: 0.3, dampingRatio: 0.5 }, breakForce: 35_000 };
const wood = hang(2.73, '#e0b36a', weak);
world.on('joint-break', ({ joint }) => {
  if (joint !== wood.joint) return;
  note.textContent = 'The third door is broken.';
  world.removeJoint(joint); // or setJoint(joint, { enabled: true }) to mend it
});
const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:5%;bottom:20px;margin:0;font:14px system-ui;color:#26323d';
document.body.append(note);

let count = 0;
const aim = new THREE.Raycaster();
function shoot(x, y) {
  aim.setFromCamera(new THREE.Vector2(x, y), camera);
  const speed = aim.ray.direction.clone().multiplyScalar(++count % 4 ? 14 : 30);
  const ball = new THREE.SphereGeometry(0.3, 32, 16);
  add(ball, '#c8664a', aim.ray.at(2, new THREE.Vector3()).toArray(), { linearVelocity: speed, mass: 30 });
}
addEventListener('pointerdown', ({ clientX, clientY }) => shoot((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight));
const aims = [-0.42, -0.02, 0.36, 0.36];
/** After each step: a ball every second and a half, in time of the world. */
function afterStep() {
  if (world.stepCount % 90 === 1 && count < 16) shoot(aims[count % 4], -0.05);
}

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000, { afterStep });
  last = now;
  renderer.render(scene, camera);
});
