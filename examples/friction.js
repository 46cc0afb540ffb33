// Friction: seven crates on one slope, from ice on the left to rubber on the right. They start again every five seconds.
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
camera.position.set(0, 6, 11);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 2, -1);
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
add(box(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });

const ANGLE = 0.45; // rad: crates with a friction above tan(0.45) = 0.48 stay
const slope = box(9, 0.3, 9).rotateX(ANGLE);
add(slope, '#94a3b0', [0, 2, -2], { type: 'static', friction: 1 });
const FRICTIONS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.8];
const tilt = [Math.sin(ANGLE / 2), 0, 0, Math.cos(ANGLE / 2)];
const starts = FRICTIONS.map((_, i) => [1.2 * (i - 3), 4.0, -5]);
const crates = FRICTIONS.map((friction, i) => {
  const color = new THREE.Color('#4a7a8c').lerp(new THREE.Color('#c8664a'), friction / 0.8);
  // The crate alone decides: of two materials the smaller value counts.
  return add(box(0.7, 0.7, 0.7), color, starts[i], { friction, frictionCombine: 'min' });
});
function restart() {
  for (const [i, crate] of crates.entries()) {
    world.teleport(crate, starts[i], tilt);
    world.setVelocity(crate, [0, 0, 0], [0, 0, 0]);
  }
}
restart();
setInterval(restart, 5000);

const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:16px;right:16px;bottom:12px;margin:0;font:14px/1.4 system-ui;color:#26323d';
document.body.append(note);
note.textContent = `Friction: ${FRICTIONS.join(', ')}`;

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
