// Substeps: three towers of crates under a block of forty times their weight, with 1, 4 and 'auto' substeps per step.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 22, 90);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 5, 15);
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

/** A tower in a world of its own. */
async function createTower(x, substeps) {
  // The first tower is loaded with more than one substep can hold: the warning would say so.
  const world = await createWorld({ substeps, sleep: false, warn: false });
  const physics = new ThreePhysics(world);
  const add = (size, color, y, options) => {
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(...size), new THREE.MeshStandardMaterial({ color }));
    mesh.position.set(x, y, 0);
    mesh.castShadow = mesh.receiveShadow = true;
    scene.add(mesh);
    return physics.add(mesh, options);
  };
  add([3.8, 1, 6], '#94a3b0', -0.49, { type: 'static' });
  for (let i = 0; i < 8; i++) add([0.7, 0.7, 0.7], i % 2 ? '#c8664a' : '#e0b36a', 0.36 + 0.7 * i, { density: 100 });
  add([1.6, 1, 1.6], '#4a7a8c', 6.12, { mass: 1400 });
  return { world, physics };
}
const ground = new THREE.Mesh(new THREE.BoxGeometry(200, 1, 200), new THREE.MeshStandardMaterial({ color: '#b0bdc8' }));
ground.position.y = -0.5;
ground.receiveShadow = true;
scene.add(ground);
const towers = [await createTower(-4.5, 1), await createTower(0, 4), await createTower(4.5, 'auto')];

const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:16px;right:16px;bottom:12px;margin:0;font:14px/1.4 system-ui;color:#26323d';
document.body.append(note);
setInterval(() => {
  const depths = towers.map(({ world }) => `${(1000 * world.measure().penetrationMax).toFixed(1)} mm`);
  note.textContent = `Deepest overlap: ${depths.join(', ')}`;
}, 300);

let last = 0;
renderer.setAnimationLoop((now) => {
  for (const { physics } of towers) physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
