// Instances: 4,000 bodies of an InstancedMesh. What is asleep turns gray and costs nothing.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 64, 255);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(12, 24, 16);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -24, right: 24, top: 24, bottom: -24, far: 96 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 400);
camera.position.set(24, 18, 30);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 4, 0);
controls.update();
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const physics = new ThreePhysics(await createWorld({ preset: 'fast' }));
function wall(x, y, z, w, h, d) {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(w, h, d), new THREE.MeshStandardMaterial({ color: '#b0bdc8' }));
  mesh.position.set(x, y, z);
  mesh.receiveShadow = true;
  scene.add(mesh);
  physics.add(mesh, { type: 'static' });
}
wall(0, -0.5, 0, 600, 1, 600);
for (const side of [-1, 1]) {
  wall(8 * side, 1, 0, 0.5, 2, 16.5);
  wall(0, 1, 8 * side, 15.5, 2, 0.5);
}

const place = new THREE.Matrix4();
const turn = new THREE.Quaternion();
const size = new THREE.Vector3();
function fill(geometry, count, lift) {
  const mesh = new THREE.InstancedMesh(geometry, new THREE.MeshStandardMaterial(), count);
  mesh.castShadow = mesh.receiveShadow = true;
  for (let i = 0; i < count; i++) {
    turn.setFromEuler(new THREE.Euler(i, 2 * i, 3 * i));
    const at = new THREE.Vector3((i % 13) - 6, lift + 1.2 * Math.floor(i / 169), (Math.floor(i / 13) % 13) - 6);
    mesh.setMatrixAt(i, place.compose(at, turn, size.setScalar(0.8 + 0.4 * Math.abs(Math.sin(7 * i)))));
  }
  scene.add(mesh);
  physics.add(mesh, { sleepColors: { awake: '#c8664a', asleep: '#94a3b0' } }); // one body an instance
}
fill(new THREE.BoxGeometry(0.8, 0.8, 0.8), 2000, 1);
fill(new THREE.SphereGeometry(0.45, 16, 8), 2000, 1.7);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000, { maxSteps: 2 });
  last = now;
  renderer.render(scene, camera);
});
