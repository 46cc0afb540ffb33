// Moving surfaces: belts that stand still, a turntable, and one-way platforms that let things pass from below.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 26, 103);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(4, 9, 14);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 1.5, 0);
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

add(new THREE.BoxGeometry(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });
const belt = (x, z, w, d, surfaceVelocity) =>
  add(new THREE.BoxGeometry(w, 0.3, d), '#475766', [x, 1, z], { type: 'static', surfaceVelocity });
belt(-1.3, 2, 9, 1.6, [2, 0, 0]);
belt(-1.3, -2, 9, 1.6, [-2, 0, 0]);
belt(-5, 0, 1.6, 2.4, [0, 0, 2]);
// A disc that stands still; its surface spins.
add(new THREE.CylinderGeometry(3, 3, 0.3, 64), '#475766', [5, 1, 0], { type: 'static', surfaceSpin: [0, 1, 0] });

// Balls are thrown up through a platform, and rest on it.
add(new THREE.BoxGeometry(3, 0.15, 2), '#6f9a76', [0, 2.4, 0], { type: 'static', oneWay: [0, 1, 0] });

const box = new THREE.BoxGeometry(0.5, 0.5, 0.5);
const can = new THREE.CylinderGeometry(0.25, 0.25, 0.5);
const ball = new THREE.SphereGeometry(0.25, 24, 12);
let count = 0;
function deliver() {
  count++;
  add(count % 2 ? box : can, count % 2 ? '#c8664a' : '#e0b36a', [-4, 2, 2 + 0.3 * Math.sin(count)], { density: 300 });
  if (count % 3 === 0) add(ball, '#9a6a8c', [Math.sin(count), 0.3, Math.cos(count) / 2], { linearVelocity: [0, 8, 0] });
  if (count === 30) clearInterval(supply);
}
const supply = setInterval(deliver, 700);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
