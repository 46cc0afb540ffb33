// Joints: a bridge of planks on hinges, a door with a spring that shuts it, a mill with a motor.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 25, 101);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(5, 6, 15);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 2, 0);
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

add(new THREE.BoxGeometry(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });
const tower = new THREE.BoxGeometry(1, 3, 3);
let previous = add(tower, '#94a3b0', [-7.5, 1.5, 0], { type: 'static' });
for (let i = 0; i < 20; i++) {
  const x = -6.65 + 0.7 * i;
  const plank = add(new THREE.BoxGeometry(0.66, 0.12, 2.4), '#e0b36a', [x, 2.94, 0], { density: 500 });
  world.createJoint({ type: 'hinge', bodyA: previous, bodyB: plank, anchor: [x - 0.35, 2.94, 0], axis: [0, 0, 1] });
  previous = plank;
}
const end = add(tower, '#94a3b0', [7.5, 1.5, 0], { type: 'static' });
world.createJoint({ type: 'hinge', bodyA: previous, bodyB: end, anchor: [7, 2.94, 0], axis: [0, 0, 1] });
for (let i = 0; i < 12; i++) add(new THREE.BoxGeometry(0.7, 0.7, 0.7), '#c8664a', [i - 5.5, 5 + (i % 3), 0.5 * Math.sin(i)]);

const door = add(new THREE.BoxGeometry(1.4, 2.4, 0.12), '#4a7a8c', [1.7, 1.25, 5]);
add(new THREE.BoxGeometry(0.2, 2.8, 0.2), '#2f3e4d', [0.9, 1.4, 5], { type: 'static' });
world.createJoint({
  type: 'hinge',
  bodyB: door,
  anchor: [1, 1.25, 5],
  axis: [0, 1, 0],
  limit: { min: -2, max: 2 },
  spring: { frequency: 0.4, dampingRatio: 0.2 },
});
const mill = add(new THREE.BoxGeometry(3, 0.2, 0.6), '#6f9a76', [-3, 1.7, 4]);
world.createJoint({ type: 'hinge', bodyB: mill, anchor: [-3, 1.7, 4], axis: [0, 0, 1], motor: { velocity: 2, maxForce: 500 } });
setInterval(() => world.applyAngularImpulse(door, [0, 400, 0]), 4000); // someone pushes the door

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
