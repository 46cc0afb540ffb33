// Start, step 4: click or tap a crate to push it.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';

// The picture: a canvas that fills the page, a sky, two lights and a camera.
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 20, 80);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(6, 12, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -12, right: 12, top: 12, bottom: -12, far: 48 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(5, 5, 14);
camera.lookAt(0, 2, 0);
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

// The physics: a world, and a link from its bodies to the meshes of three.js.
const world = await createWorld();
const physics = new ThreePhysics(world);
/** Adds a mesh to the scene, and a body for it to the world. */
function add(geometry, color, position, options) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  return physics.add(mesh, options);
}

add(new THREE.BoxGeometry(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });

// A crate, eight meters above the floor.
const crate = new THREE.BoxGeometry(1, 1, 1);
add(crate, '#c8664a', [0, 8, 0], { restitution: 0.5, angularVelocity: [1, 0, 2] });

// Sixty more, in layers of nine.
const colors = ['#e0b36a', '#4a7a8c', '#6f9a76', '#c8664a'];
for (let i = 0; i < 60; i++) {
  const layer = Math.floor(i / 9);
  const x = 1.2 * ((i % 3) - 1) + 0.35 * Math.sin(i);
  const z = 1.2 * ((Math.floor(i / 3) % 3) - 1) + 0.35 * Math.cos(i);
  add(crate, colors[i % 4], [x, 10 + 1.3 * layer, z], { density: 200 });
}

// A click or a tap pushes the crate under the pointer.
const raycaster = new THREE.Raycaster();
renderer.domElement.addEventListener('pointerdown', (event) => {
  const pointer = new THREE.Vector2((2 * event.clientX) / innerWidth - 1, 1 - (2 * event.clientY) / innerHeight);
  raycaster.setFromCamera(pointer, camera);
  const hit = physics.castRay(raycaster, { types: ['dynamic'] });
  if (!hit) return;
  const impulse = raycaster.ray.direction.clone().multiplyScalar(10 * world.getMass(hit.body));
  world.applyImpulse(hit.body, impulse, hit.point);
});

// The loop: step the world, move the meshes to their bodies, draw.
let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000); // seconds since the last frame
  last = now;
  renderer.render(scene, camera);
});
