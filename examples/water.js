// Water: buoyancy and drag on all that is below the waves, in one call before each step.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 23, 94);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(8, 6, 12);
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
/** A mesh that is a body. */
function add(geometry, color, position, options) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  return physics.add(mesh, options);
}

add(new THREE.BoxGeometry(200, 1, 200), '#b9a98a', [0, -5, 0], { type: 'static' });
const wood = { density: 450, friction: 0.5 };
for (let i = 0; i < 14; i++) {
  add(new THREE.BoxGeometry(1, 1, 1), '#e0b36a', [5 * Math.sin(2 * i), 2 + 0.5 * i, 5 * Math.cos(3 * i)], wood);
  add(new THREE.CylinderGeometry(0.4, 0.4, 1.2), '#c8664a', [4 * Math.cos(5 * i), 3 + 0.5 * i, 4 * Math.sin(2 * i)], {
    density: 250,
  });
}
for (let i = 0; i < 6; i++) add(new THREE.IcosahedronGeometry(0.4), '#475766', [i - 3, 4 + i, 0], { density: 2500 }); // stones sink
add(new THREE.BoxGeometry(5, 0.4, 3), '#7a5c3a', [0, 1, 0], { ...wood, density: 300 });

const SIZE = 22;
const surface = new THREE.PlaneGeometry(SIZE, SIZE, 60, 60).rotateX(-Math.PI / 2);
const material = new THREE.MeshStandardMaterial({ color: '#3d86a8', transparent: true, opacity: 0.6, flatShading: true });
scene.add(new THREE.Mesh(surface, material));

let time = 0;
const level = (x, z) => 0.35 * Math.sin(0.6 * x - 1.5 * time) + 0.2 * Math.sin(0.8 * z + 1.1 * time);
function beforeStep() {
  time += world.settings.dt;
  world.applyBuoyancy({ level, density: 1000, drag: 1 });
}
function wave() {
  const points = surface.attributes.position;
  for (let i = 0; i < points.count; i++) points.setY(i, level(points.getX(i), points.getZ(i)));
  points.needsUpdate = true;
  surface.computeVertexNormals();
}

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000, { beforeStep });
  last = now;
  wave();
  renderer.render(scene, camera);
});
