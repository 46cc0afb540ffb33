// Hello: a tower of crates falls. Drag to look around.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 22, 89);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(6, 12, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -12, right: 12, top: 12, bottom: -12, far: 48 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(7, 5, 12);
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

const physics = new ThreePhysics(await createWorld());
/** A mesh that is a body. */
function add(geometry, color, position, options) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  return physics.add(mesh, options);
}

add(new THREE.BoxGeometry(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });
const crate = new THREE.BoxGeometry();
const colors = ['#c8664a', '#e0b36a', '#4a7a8c', '#6f9a76'];
for (let i = 0; i < 60; i++) {
  add(crate, colors[i % 4], [Math.sin(i), 1 + 1.1 * i, Math.cos(3 * i)], { density: 400, restitution: 0.2 });
}

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000); // as many steps of 1/60 s as are due
  last = now;
  renderer.render(scene, camera);
});
