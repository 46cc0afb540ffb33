// A wall: 240 bricks stand without moving, until you click or tap to throw a ball.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 20, 80);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(6, 12, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -12, right: 12, top: 12, bottom: -12, far: 48 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(4, 4, 12);
camera.lookAt(0, 2.4, 0);
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const physics = new ThreePhysics(await createWorld());
/** A mesh that is a body. */
function add(geometry, color, position, options) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  return physics.add(mesh, options);
}

add(new THREE.BoxGeometry(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });
const brick = new THREE.BoxGeometry(0.6, 0.3, 0.3);
const half = new THREE.BoxGeometry(0.3, 0.3, 0.3);
for (let row = 0; row < 16; row++) {
  const shift = row % 2 ? 0.15 : -0.15;
  for (let i = 0; i < 14; i++) add(brick, i % 3 ? '#c8664a' : '#b5573d', [0.6 * (i - 6.5) + shift, 0.15 + 0.3 * row, 0]);
  add(half, '#d98a6c', [row % 2 ? -4.2 : 4.2, 0.15 + 0.3 * row, 0]);
}

const ball = new THREE.SphereGeometry(0.3, 32, 16);
function shoot(x, y) {
  const direction = new THREE.Vector3(x, y, 0.5).unproject(camera).sub(camera.position).normalize();
  const start = camera.position.clone().addScaledVector(direction, 1);
  add(ball, '#2f3e4d', start.toArray(), { density: 5000, linearVelocity: direction.multiplyScalar(25) });
}
renderer.domElement.addEventListener('pointerdown', (event) => {
  shoot((2 * event.clientX) / innerWidth - 1, 1 - (2 * event.clientY) / innerHeight);
});
setTimeout(() => shoot(0, 0), 1500);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
