// Threads: 1,500 bodies, with as many threads as the page may have. The line below says how many, and why not more.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 40, 160);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(12, 24, 16);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -24, right: 24, top: 24, bottom: -24, far: 96 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 300);
camera.position.set(18, 14, 24);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 3, 0);
controls.update();
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const world = await createWorld({ threads: 'auto' });
const physics = new ThreePhysics(world);

const floor = new THREE.Mesh(new THREE.BoxGeometry(300, 1, 300), new THREE.MeshStandardMaterial({ color: '#b0bdc8' }));
floor.position.y = -0.5;
floor.receiveShadow = true;
scene.add(floor);
physics.add(floor, { type: 'static' });

const COUNT = 1500;
const balls = new THREE.InstancedMesh(
  new THREE.IcosahedronGeometry(0.5, 1),
  new THREE.MeshStandardMaterial({ flatShading: true }),
  COUNT,
);
balls.castShadow = balls.receiveShadow = true;
const colors = ['#c8664a', '#e0b36a', '#4a7a8c', '#6f9a76'].map((name) => new THREE.Color(name));
for (let i = 0; i < COUNT; i++) {
  const layer = Math.floor(i / 100);
  const x = 1.2 * ((i % 10) - 4.5) + 0.3 * Math.sin(5 * layer);
  const z = 1.2 * ((Math.floor(i / 10) % 10) - 4.5) + 0.3 * Math.cos(3 * layer);
  balls.setMatrixAt(i, new THREE.Matrix4().makeTranslation(x, 0.6 + 1.1 * layer, z));
  balls.setColorAt(i, colors[i % 4]);
}
scene.add(balls);
physics.add(balls, { friction: 0.5 });

const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:16px;right:16px;bottom:12px;margin:0;font:14px/1.4 system-ui;color:#26323d';
document.body.append(note);
setInterval(() => {
  const { threads, threadsReason } = world.settings;
  const { total, threads: used } = world.profile;
  note.textContent = `${used} of ${threads} threads, ${total.toFixed(2)} ms per step. ${threadsReason ?? ''}`;
}, 500);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000, { maxSteps: 2 });
  last = now;
  renderer.render(scene, camera);
});
