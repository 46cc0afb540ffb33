// Fast bodies: balls of 20 cm fly at 200 m/s, more than 3 m per step. A plate of 1 cm stops every one of them.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 20, 80);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(6, 4, 9);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(1, 1.2, 0);
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
add(box(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static', friction: 1 });

add(box(0.01, 3, 6), '#4a7a8c', [3, 1.5, 0], { type: 'static' });
for (const z of [-3, 3]) add(box(0.3, 3.2, 0.3), '#94a3b0', [3, 1.6, z], { type: 'static' });
// Panes that move and are as thin: bullets throw them over, but do not fly through.
for (let i = 0; i < 5; i++) add(box(0.04, 1.2, 0.8), '#e0b36a', [0.5, 0.6, 1.1 * (i - 2)], { density: 400 });

const round = new THREE.SphereGeometry(0.1, 16, 8);
const MOST = 120;
const bullets = [];
let passed = 0;
function shoot() {
  if (bullets.length === MOST) physics.remove(bullets.shift().mesh);
  const [y, z] = [0.4 + 2 * Math.random(), 5 * (Math.random() - 0.5)];
  const id = add(round, '#c8664a', [-12, y, z], { density: 3000, bullet: true, linearVelocity: [200, 0, 0], restitution: 0.1 });
  bullets.push({ id, mesh: physics.objectOf(id) });
}
setInterval(shoot, 150);

const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:16px;right:16px;bottom:12px;margin:0;font:14px/1.4 system-ui;color:#26323d';
document.body.append(note);
setInterval(() => {
  passed += bullets.filter(({ id }) => world.getPosition(id, [])[0] > 3.2).length;
  note.textContent = `${passed} through the plate`;
}, 200);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
