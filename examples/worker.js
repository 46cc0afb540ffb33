// A worker: 3,000 bodies in a thread of their own. The page only draws, and never waits for a step.
import { TalusWorker } from 'talus/worker';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 66, 263);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(10, 20, 12);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -20, right: 20, top: 20, bottom: -20, far: 80 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 400);
camera.position.set(24, 18, 32);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 8, 0);
controls.update();
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const world = await TalusWorker.create({ preset: 'fast' });
const box = (halfExtents) => world.createShape({ type: 'box', halfExtents }); // the id is there at once
world.createBody({ type: 'static', shape: box([30, 0.5, 30]), position: [0, -0.5, 0] });
for (const side of [-1, 1]) {
  world.createBody({ type: 'static', shape: box([0.25, 1, 6.5]), position: [6.25 * side, 1, 0] });
  world.createBody({ type: 'static', shape: box([6, 1, 0.25]), position: [0, 1, 6.25 * side] });
}
const floor = new THREE.Mesh(
  new THREE.BoxGeometry(600, 1, 600).translate(0, -0.5, 0),
  new THREE.MeshStandardMaterial({ color: '#b0bdc8' }),
);
floor.receiveShadow = true;
scene.add(floor);

const COUNT = 3000;
const positions = new Float32Array(3 * COUNT);
for (let i = 0; i < COUNT; i++) {
  const layer = Math.floor(i / 144);
  positions.set(
    [
      0.95 * ((i % 12) - 5.5) + 0.3 * Math.sin(5 * layer),
      1 + layer,
      0.95 * ((Math.floor(i / 12) % 12) - 5.5) + 0.3 * Math.cos(3 * layer),
    ],
    3 * i,
  );
}
const bodies = world.createBodies({ count: COUNT, shape: box([0.35, 0.35, 0.35]), positions, density: 500 });
const slots = Uint32Array.from(bodies, (id) => world.indexOf(id));
const crates = new THREE.InstancedMesh(new THREE.BoxGeometry(0.7, 0.7, 0.7), new THREE.MeshStandardMaterial(), COUNT);
const colors = ['#c8664a', '#e0b36a', '#4a7a8c', '#6f9a76'].map((name) => new THREE.Color(name));
for (let i = 0; i < COUNT; i++) crates.setColorAt(i, colors[i % 4]);
crates.castShadow = crates.receiveShadow = true;
crates.frustumCulled = false;
scene.add(crates);
world.start(); // steps by itself from here on

addEventListener('dblclick', () => world.applyExplosion({ position: [0, 0, 0], radius: 8, impulse: 900, lift: 1 }));
renderer.setAnimationLoop(() => {
  world.frame(); // the newest poses
  world.readMatrices(crates.instanceMatrix.array, { bodies: slots });
  crates.instanceMatrix.needsUpdate = true;
  renderer.render(scene, camera);
});
