// Queries: a fan of rays looks for what is there. Drag anything with the mouse or a finger.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 23, 92);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(6, 12, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -12, right: 12, top: 12, bottom: -12, far: 48 });
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 8, 13);
camera.lookAt(0, 1, 0);
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
const kinds = [new THREE.BoxGeometry(), new THREE.CylinderGeometry(0.4, 0.4, 1.2), new THREE.SphereGeometry(0.5, 32, 16)];
for (let i = 0; i < 24; i++) {
  add(kinds[i % 3], '#e0b36a', new THREE.Vector3().setFromCylindricalCoords(2 + i / 6, 2.4 * i, 1 + (i % 3)));
}
const rays = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: '#c8664a' }));
rays.frustumCulled = false;
scene.add(rays);
function scan(time) {
  const ends = [];
  const eye = new THREE.Vector3(0, 0.4, 0);
  for (let i = 0; i < 180; i++) {
    const way = new THREE.Vector3().setFromCylindricalCoords(1, time / 2 + i / 115, 0);
    ends.push(eye, eye.clone().addScaledVector(way, world.castRay(eye, way, { maxDistance: 9 })?.distance ?? 9));
  }
  rays.geometry.setFromPoints(ends);
}
const raycaster = new THREE.Raycaster();
let held = null;
function aim(event) {
  const x = (2 * event.clientX) / innerWidth - 1;
  raycaster.setFromCamera(new THREE.Vector2(x, 1 - (2 * event.clientY) / innerHeight), camera);
  if (held) world.setJoint(held.joint, { anchorA: raycaster.ray.at(held.distance, new THREE.Vector3()) });
}
addEventListener('pointermove', aim);
addEventListener('pointerdown', (event) => {
  aim(event);
  const hit = physics.castRay(raycaster, { types: ['dynamic'] });
  if (!hit) return;
  const desc = { type: 'distance', bodyB: hit.body, anchor: hit.point, length: 0, spring: { frequency: 3 } };
  held = { distance: hit.distance, joint: world.createJoint(desc) };
});
addEventListener('pointerup', () => {
  if (held) world.removeJoint(held.joint);
  held = null;
});
renderer.domElement.style.touchAction = 'none';
let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  scan(now / 1000);
  renderer.render(scene, camera);
});
