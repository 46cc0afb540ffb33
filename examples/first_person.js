// First person: click to look around, W A S D to walk, space to jump, shift to run. Stairs, crates, a lift.
import { createWorld } from 'talus';
import { Character } from 'talus/controllers';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { PointerLockControls } from 'three/addons/controls/PointerLockControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 9, 37);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -16, right: 16, top: 16, bottom: -16, far: 64 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(70, 1, 0.1, 200);
camera.position.set(0, 1.6, 6);
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
  physics.add(mesh, options);
  return mesh;
}

const box = (x, y, z) => new THREE.BoxGeometry(x, y, z);
const fixed = { type: 'static' };
add(box(200, 1, 200), '#b0bdc8', [0, -0.5, 0], fixed);
scene.add(new THREE.GridHelper(60, 30, '#8fa0ae', '#9fb0bd').translateY(0.01));
for (let i = 0; i < 10; i++) add(box(3, 0.25, 0.5), '#94a3b0', [-4, 0.125 + 0.25 * i, -0.5 * i], fixed);
add(box(3, 2.5, 6), '#94a3b0', [-4, 1.25, -7.9], fixed);
add(box(6, 0.3, 3), '#94a3b0', [4, 2.35, -9.5], fixed);
for (let i = 0; i < 12; i++)
  add(box(0.7, 0.7, 0.7), '#e0b36a', [0.8 * (i % 3), 0.35 + 0.7 * Math.floor(i / 3), -3], { mass: 12 });
// A lift beside the upper floor; a kinematic body goes where its mesh goes and carries who stands on it.
const lift = add(box(2.6, 0.2, 2.6), '#4a7a8c', [-0.8, 0.1, -9.4], { type: 'kinematic', follow: true });
function beforeStep() {
  lift.position.y = 1.25 - 1.2 * Math.cos(0.6 * world.stepCount * world.settings.dt);
}

const EYES = 1.62; // m above the feet
const player = new Character(world, { shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 }, position: [0, 0, 6] });
const look = new PointerLockControls(camera, renderer.domElement); // the mouse turns the camera, physics never does
const canvas = renderer.domElement;
canvas.addEventListener('click', () => look.lock());
const cross = document.createElement('div');
cross.style.cssText =
  'position:fixed;left:50%;top:50%;width:6px;height:6px;margin:-3px;border-radius:50%;background:#26323d;pointer-events:none';
document.body.append(cross);

const keys = new Set();
addEventListener('keydown', ({ code }) => keys.add(code));
addEventListener('keyup', ({ code }) => keys.delete(code));
addEventListener('blur', () => keys.clear()); // a key that is let go elsewhere tells nobody
const down = (...codes) => (codes.some((code) => keys.has(code)) ? 1 : 0);
let [idle, last] = [0, 0]; // s, ms
const wish = new THREE.Vector3();
/** Once a frame: what the player shall do. The world moves it in each of its steps. */
function steer(seconds) {
  idle = keys.size || look.isLocked ? 0 : idle + seconds;
  const auto = idle > 1.5; // nobody there: it looks around and walks
  if (auto) camera.rotation.set(0, 0.5 * Math.sin(idle / 3), 0);
  wish.set(down('KeyD', 'ArrowRight') - down('KeyA', 'ArrowLeft'), 0, down('KeyS', 'ArrowDown') - down('KeyW', 'ArrowUp'));
  if (auto) wish.set(0, 0, -Math.sin(idle / 2));
  // Where the camera looks, without its pitch; as fast across as along.
  const heading = new THREE.Euler().setFromQuaternion(camera.quaternion, 'YXZ').y;
  wish.clampLength(0, 1).applyAxisAngle(THREE.Object3D.DEFAULT_UP, heading);
  wish.multiplyScalar(down('ShiftLeft', 'ShiftRight') ? 6 : 3.5);
  player.walk({ velocity: wish, jump: down('Space') ? 4.5 : 0 });
}
// A shot pushes what the cross is on.
const ray = new THREE.Raycaster();
addEventListener('mousedown', () => {
  if (!look.isLocked) return;
  ray.setFromCamera(new THREE.Vector2(), camera);
  const hit = physics.castRay(ray, { types: ['dynamic'] });
  if (hit) world.applyImpulse(hit.body, ray.ray.direction.clone().multiplyScalar(60), hit.point);
});

renderer.setAnimationLoop((now) => {
  const seconds = (now - (last || now)) / 1000;
  last = now;
  steer(seconds);
  physics.update(seconds, { beforeStep });
  // After the update, between the last two steps as everything else: no shaking at 144 Hz, no sliding on the lift.
  player.getPose(camera.position);
  camera.position.y += EYES;
  if (look.isLocked) camera.rotateOnWorldAxis(THREE.Object3D.DEFAULT_UP, player.takeTurn());
  renderer.render(scene, camera);
});
