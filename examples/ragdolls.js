// Ragdolls: humans of 13 bodies tumble down stairs. Their joints have limits and friction.
import { createWorld } from 'talus';
import { createRagdoll } from 'talus/rigs';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 15, 59);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(6, 12, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -12, right: 12, top: 12, bottom: -12, far: 48 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(6, 5, 6);
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
function add(geometry, position) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: '#b0bdc8' }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  physics.add(mesh, { type: 'static' });
}
add(new THREE.BoxGeometry(200, 1, 200), [0, -0.5, 0]);
for (let i = 0; i < 9; i++) add(new THREE.BoxGeometry(5, 0.5, 1), [0, 0.25 + 0.5 * i, 2 - i]);

const geometries = {
  box: ({ halfExtents: [x, y, z] }) => new THREE.BoxGeometry(2 * x, 2 * y, 2 * z),
  sphere: ({ radius }) => new THREE.SphereGeometry(radius, 24, 12),
  capsule: ({ radius, halfHeight }) => new THREE.CapsuleGeometry(radius, 2 * halfHeight, 8, 16),
};
/** Draws a body by what it is made of. */
function draw(body, color) {
  const group = new THREE.Group();
  for (const id of world.getBody(body).colliders) {
    const { shape, position, rotation } = world.getCollider(id);
    const desc = world.getShape(shape);
    const mesh = new THREE.Mesh(geometries[desc.type](desc), new THREE.MeshStandardMaterial({ color }));
    mesh.position.set(...position);
    mesh.quaternion.set(...rotation);
    mesh.castShadow = true;
    group.add(mesh);
  }
  scene.add(group);
  physics.bind(group, body);
}
const colors = ['#c8664a', '#4a7a8c', '#e0b36a', '#6f9a76', '#9a6a8c'];
let count = 0;
function drop() {
  const position = [1.5 * Math.sin(5 * count), 5.2, -5.5 + 0.5 * (count % 3)];
  const doll = createRagdoll(world, { position, linearVelocity: [0, 0, 2.5] });
  for (const body of doll.bodies) draw(body, colors[count % 5]);
  if (++count === 15) clearInterval(supply);
}
const supply = setInterval(drop, 1500);
drop();

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
