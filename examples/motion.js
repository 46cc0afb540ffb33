// Motion: five ways to move a body, each in a lane of its own. All begin again every four seconds.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 25, 90);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(-3, 8, 13);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 0, -0.5);
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

/** Lanes from left to right: a way to move, its color, and the body. */
const NAMES = ['force', 'impulse', 'velocity', 'kinematic', 'teleport'];
const COLORS = ['#c8664a', '#e0b36a', '#4a7a8c', '#6f9a76', '#9a6a8c'];
const xOf = (lane) => 2 * (lane - 2);
const bodies = NAMES.map((name, lane) => {
  add(box(1.6, 0.06, 12), '#94a3b0', [xOf(lane), 0.03, 0], { type: 'static', friction: 0.2 });
  return add(box(1, 1, 1), COLORS[lane], [xOf(lane), 0.56, 5], {
    type: name === 'kinematic' ? 'kinematic' : 'dynamic',
    mass: 100,
  });
});
const [force, impulse, velocity, kinematic, jumper] = bodies;
// The lift pushes what is in its way.
for (const y of [0.36, 0.96]) add(box(0.6, 0.6, 0.6), '#2f3e4d', [xOf(3), y, 1], { density: 100 });

const PERIOD = 240; // steps
function beforeStep() {
  const step = world.stepCount % PERIOD;
  if (step === 0) {
    for (const [lane, body] of bodies.entries()) {
      world.teleport(body, [xOf(lane), 0.56, 5], [0, 0, 0, 1]);
      if (body !== kinematic) world.setVelocity(body, [0, 0, 0], [0, 0, 0]);
    }
  }
  if (step < 20) return;
  if (step < 110) world.addForce(force, [0, 0, -400]); // N, in each step: faster and faster
  if (step === 20) world.applyImpulse(impulse, [0, 0, -600]); // N s, once: fast at first, then friction
  if (step < 140) world.setVelocity(velocity, [0, 0, -4]); // m/s, in each step: whatever is in the way
  if (step < 140) world.moveKinematic(kinematic, [xOf(3), 0.56, 5 - (step - 20) / 15]); // goes there by its own
  if (step % 50 === 0) world.teleport(jumper, [xOf(4), 0.56, 5 - step / 25]); // is there at once, and touches nothing between
}

const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:16px;right:16px;bottom:12px;margin:0;font:14px/1.4 system-ui;color:#26323d';
document.body.append(note);
note.textContent = `From left to right: ${NAMES.join(', ')}`;

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000, { beforeStep });
  last = now;
  renderer.render(scene, camera);
});
