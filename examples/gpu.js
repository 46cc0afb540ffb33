// WebGPU: a pile that the GPU solves where it is faster, and the CPU elsewhere. The line below says which, and why.
import { createWorld } from 'talus';
import 'talus/gpu'; // the backends 'webgpu' and 'auto'
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 71, 283);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(14, 28, 18);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -28, right: 28, top: 28, bottom: -28, far: 112 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 400);
camera.position.set(26, 20, 34);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 5, 0);
controls.update();
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const world = await createWorld({ backend: 'auto' });
const physics = new ThreePhysics(world);
const floor = new THREE.Mesh(new THREE.BoxGeometry(600, 1, 600), new THREE.MeshStandardMaterial({ color: '#b0bdc8' }));
floor.position.y = -0.5;
floor.receiveShadow = true;
scene.add(floor);
physics.add(floor, { type: 'static' });

const COUNT = 3000;
const crates = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshStandardMaterial(), COUNT);
crates.castShadow = crates.receiveShadow = true;
const colors = ['#c8664a', '#e0b36a', '#4a7a8c', '#6f9a76'].map((name) => new THREE.Color(name));
for (let i = 0; i < COUNT; i++) {
  const layer = Math.floor(i / 196);
  const x = 1.1 * ((i % 14) - 6.5) + 0.2 * Math.sin(3 * layer);
  const z = 1.1 * ((Math.floor(i / 14) % 14) - 6.5) + 0.2 * Math.cos(2 * layer);
  crates.setMatrixAt(i, new THREE.Matrix4().makeTranslation(x, 0.6 + 1.15 * layer, z));
  crates.setColorAt(i, colors[i % 4]);
}
scene.add(crates);
physics.add(crates, { density: 500 });

const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:16px;right:16px;bottom:12px;margin:0;font:14px/1.4 system-ui;color:#26323d';
document.body.append(note);
setInterval(() => {
  const { active, reason, wasmMs, gpuMs } = world.backendReport;
  const times = [wasmMs && `CPU ${wasmMs.toFixed(1)} ms`, gpuMs && `GPU ${gpuMs.toFixed(1)} ms`].filter(Boolean).join(', ');
  note.textContent = `Runs on ${active}: ${reason}. ${times}`;
}, 500);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000, { maxSteps: 2 });
  last = now;
  renderer.render(scene, camera);
});
