// Rollback: every step is saved. The slider goes back in time; a double click is a push that arrives half a second late.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 19, 77);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(6, 12, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -12, right: 12, top: 12, bottom: -12, far: 48 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(6, 7, 9);
camera.lookAt(0, 0, 0.6);
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const world = await createWorld();
const physics = new ThreePhysics(world);
function add(geometry, color, position, options) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  return physics.add(mesh, options);
}

add(new THREE.BoxGeometry(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });
const domino = new THREE.BoxGeometry(0.15, 1.2, 0.6);
for (let i = 0; i < 60; i++) {
  const angle = 0.22 * i;
  const radius = 1.5 + 0.045 * i;
  const at = [radius * Math.sin(angle), 0.6, radius * Math.cos(angle)];
  add(domino.clone().rotateY(angle), i % 2 ? '#c8664a' : '#e0b36a', at, { shape: 'hull' });
}
const ball = add(new THREE.SphereGeometry(0.4, 32, 16), '#4a7a8c', [-1.8, 0.9, 1.5], { linearVelocity: [4, 0, 0] });
const LENGTH = 600; // ten seconds
const saved = [];
const slider = document.createElement('input');
Object.assign(slider, { type: 'range', min: 0, max: LENGTH - 1, value: 0, ariaLabel: 'Time, in steps' });
slider.style.cssText = 'position:fixed;left:5%;width:90%;bottom:20px;accent-color:#c8664a';
const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:5%;bottom:48px;margin:0;font:14px system-ui;color:#26323d';
document.body.append(slider, note);

function save() {
  if (saved.length < LENGTH) saved.push(world.snapshot(undefined, { local: true }));
  slider.value = saved.length - 1;
}
let held = false;
slider.addEventListener('input', () => {
  held = true;
  slider.value = Math.min(slider.value, saved.length - 1);
  world.restore(saved[slider.value]);
  physics.sync(1);
});
slider.addEventListener('change', () => {
  saved.length = Number(slider.value) + 1; // what came later is forgotten
  held = false;
});
let told = '';
/** What another player did `late` steps ago: back to that step, and all steps since then again, with the push. */
function arrive(late, impulse) {
  const now = saved.length;
  const at = now - late;
  if (held || at < 1) return;
  const begin = performance.now();
  world.restore(saved[at - 1]);
  saved.length = at;
  world.applyImpulse(ball, impulse);
  while (saved.length < now) {
    world.step();
    save();
  }
  told = `, ${late} steps again in ${(performance.now() - begin).toFixed(1)} ms`;
  physics.sync(1);
}
addEventListener('dblclick', () => arrive(30, [0, 500, -300]));

let last = 0;
renderer.setAnimationLoop((now) => {
  const seconds = (now - (last || now)) / 1000;
  last = now;
  if (!held && saved.length < LENGTH) physics.update(seconds, { afterStep: save });
  note.textContent = `step ${slider.value}, hash ${world.hash().toString(16)}${told}`;
  renderer.render(scene, camera);
});
