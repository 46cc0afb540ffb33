// Cells: a large pile is cut into cells, here a color each. The solver 'cell-split', which runs on the GPU too, solves all cells at once.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 30, 130);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(8, 16, 9);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -20, right: 20, top: 20, bottom: -20, far: 80 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(14, 10, 18);
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

const world = await createWorld({ sleep: false, solver: 'cell-split', granularity: 96 });
const physics = new ThreePhysics(world);

const floor = new THREE.Mesh(new THREE.BoxGeometry(200, 1, 200), new THREE.MeshStandardMaterial({ color: '#b0bdc8' }));
floor.position.y = -0.5;
floor.receiveShadow = true;
scene.add(floor);
physics.add(floor, { type: 'static' });

const COUNT = 900;
const crates = new THREE.InstancedMesh(new THREE.BoxGeometry(0.9, 0.9, 0.9), new THREE.MeshStandardMaterial(), COUNT);
crates.castShadow = crates.receiveShadow = true;
for (let i = 0; i < COUNT; i++) {
  const layer = Math.floor(i / 100);
  const x = 1.05 * ((i % 10) - 4.5) + 0.2 * Math.sin(3 * layer);
  const z = 1.05 * ((Math.floor(i / 10) % 10) - 4.5) + 0.2 * Math.cos(2 * layer);
  crates.setMatrixAt(i, new THREE.Matrix4().makeTranslation(x, 0.5 + layer, z));
}
scene.add(crates);
const bodies = physics.add(crates, { density: 300 });
const slots = bodies.map((id) => world.indexOf(id));
const color = new THREE.Color();

const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:16px;right:16px;bottom:12px;margin:0;font:14px/1.4 system-ui;color:#26323d';
document.body.append(note);
function paint() {
  const labels = world.readLabels('cell');
  for (const [i, slot] of slots.entries()) {
    const label = labels[slot];
    crates.setColorAt(i, label === 0xffffffff ? color.set('#8b99a6') : color.setHSL((0.737 * label) % 1, 0.45, 0.55));
  }
  crates.instanceColor.needsUpdate = true;
  note.textContent = `${new Set(slots.map((slot) => labels[slot])).size} cells`;
}
setInterval(paint, 200);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
