// A character: arrow keys or W A S D walk, space jumps. Steps, slopes, crates to push, platforms to ride.
import { createWorld } from 'talus';
import { Character } from 'talus/controllers';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 21, 83);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 7, 12);
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
add(box(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });
for (let i = 0; i < 8; i++) add(box(3, 0.25, 0.5), '#94a3b0', [-5, 0.125 + 0.25 * i, -1 - 0.5 * i], { type: 'static' });
add(box(3, 2, 3), '#94a3b0', [-5, 1, -6.5], { type: 'static' });
add(box(3, 0.3, 6).rotateX(0.35), '#94a3b0', [5, 0.8, -3], { type: 'static' });
for (let i = 0; i < 9; i++) add(box(0.7, 0.7, 0.7), '#e0b36a', [i % 3, 0.35 + 0.7 * Math.floor(i / 3), -3], { mass: 15 });
// Kinematic bodies that go where their meshes go, and carry what stands on them.
const lift = add(box(2.5, 0.3, 2.5), '#4a7a8c', [-2, 1, -6.5], { type: 'kinematic', follow: true });
const disc = add(new THREE.CylinderGeometry(2, 2, 0.3, 48), '#6f9a76', [3, 0.15, 3], { type: 'kinematic', follow: true });

const player = new Character(world, { shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 }, position: [0, 0, 4] });
const capsule = new THREE.CapsuleGeometry(0.3, 1.2, 8, 24).translate(0, 0.9, 0);
const hero = new THREE.Mesh(capsule, new THREE.MeshStandardMaterial({ color: '#c8664a' }));
hero.castShadow = true;
scene.add(hero);

const keys = new Set();
addEventListener('keydown', ({ code }) => keys.add(code));
addEventListener('keyup', ({ code }) => keys.delete(code));
const down = (...codes) => (codes.some((code) => keys.has(code)) ? 1 : 0);
function beforeStep() {
  lift.position.y = 1 + Math.sin(world.stepCount / 60);
  disc.rotation.y = world.stepCount / 60;
}
let [idle, last] = [0, 0]; // s, ms
function steer(seconds) {
  idle = keys.size ? 0 : idle + seconds;
  const auto = idle > 2; // nobody there: a walk in a circle
  const right = auto ? Math.cos(idle / 1.5) : down('ArrowRight', 'KeyD') - down('ArrowLeft', 'KeyA');
  const back = auto ? -Math.sin(idle / 1.5) : down('ArrowDown', 'KeyS') - down('ArrowUp', 'KeyW');
  player.walk({ velocity: [3.5 * right, 0, 3.5 * back], jump: down('Space') ? 4.5 : 0 });
}
renderer.setAnimationLoop((now) => {
  const seconds = (now - (last || now)) / 1000;
  last = now;
  steer(seconds);
  physics.update(seconds, { beforeStep });
  player.getPose(hero.position);
  camera.position.lerp(hero.position.clone().add(new THREE.Vector3(0, 6, 9)), 0.05);
  camera.lookAt(hero.position);
  renderer.render(scene, camera);
});
