// Islands: crates that touch have one color, since they are solved, fall asleep and wake together.
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
camera.position.set(13, 12, 18);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 0, 0);
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

const floor = new THREE.Mesh(new THREE.BoxGeometry(200, 1, 200), new THREE.MeshStandardMaterial({ color: '#b0bdc8' }));
floor.position.y = -0.5;
floor.receiveShadow = true;
scene.add(floor);
physics.add(floor, { type: 'static' });

const COUNT = 500;
const crates = new THREE.InstancedMesh(new THREE.BoxGeometry(0.9, 0.9, 0.9), new THREE.MeshStandardMaterial(), COUNT);
crates.castShadow = crates.receiveShadow = true;
for (let i = 0; i < COUNT; i++) {
  // Two layers of a spiral: crowded in the middle, lonely outside.
  const j = i % 250;
  const [angle, distance] = [(i < 250 ? 2.4 : 2) * j, 0.7 * Math.sqrt(j) * (1 + j / 500)];
  const at = [distance * Math.cos(angle), i < 250 ? 0.5 : 2.5 + 0.02 * j, distance * Math.sin(angle)];
  crates.setMatrixAt(i, new THREE.Matrix4().makeTranslation(...at));
}
scene.add(crates);
const bodies = physics.add(crates, { density: 300 });
const slots = bodies.map((id) => world.indexOf(id));
const color = new THREE.Color();

const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:16px;right:16px;bottom:12px;margin:0;font:14px/1.4 system-ui;color:#26323d';
document.body.append(note);
function paint() {
  const labels = world.readLabels('island');
  for (const [i, slot] of slots.entries()) {
    const label = labels[slot];
    crates.setColorAt(i, label === 0xffffffff ? color.set('#8b99a6') : color.setHSL((0.737 * label) % 1, 0.45, 0.55));
  }
  crates.instanceColor.needsUpdate = true;
  note.textContent = `${new Set(slots.map((slot) => labels[slot])).size} islands`;
}
setInterval(paint, 200);
setInterval(() => world.applyImpulse(bodies[Math.floor(COUNT * Math.random())], [0, 2500, 0]), 1500);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
