// A wrecking ball: a chain of 24 light links carries a ball of nine hundred times their weight into a wall.
import { createWorld } from 'talus';
import { createChain } from 'talus/rigs';
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
camera.position.set(-8, 5, 12);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(-0.5, 3, 0);
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

const [LINKS, RADIUS, LENGTH] = [24, 0.7, 5.2];
// From a point above the wall straight to the side, so that it swings down.
const points = Array.from({ length: LINKS + 1 }, (_, i) => [(-LENGTH * i) / LINKS, 6.2, 0]);
const chain = createChain(world, { points, radius: 0.06, start: 'world' });
const capsule = new THREE.CapsuleGeometry(0.06, LENGTH / LINKS, 4, 12);
const links = new THREE.InstancedMesh(capsule, new THREE.MeshStandardMaterial({ color: '#2f3e4d' }), LINKS);
links.castShadow = true;
scene.add(links);
physics.bind(links, chain.bodies);

const mass = 900 * world.getMass(chain.bodies[0]);
const ball = add(new THREE.SphereGeometry(RADIUS, 48, 24), '#4a7a8c', [-LENGTH - RADIUS, 6.2, 0], { mass });
world.createJoint({ type: 'ball', bodyA: chain.bodies.at(-1), bodyB: ball, anchor: [-LENGTH, 6.2, 0] });

// A wall of bricks, in courses.
for (let row = 0; row < 10; row++)
  for (let i = 0; i < 8; i++) {
    const z = 0.8 * (i - 3.5) + (row % 2 ? 0.2 : -0.2);
    add(box(0.4, 0.4, 0.8), i % 3 ? '#c8664a' : '#e0b36a', [1.4, 0.2 + 0.4 * row, z], { density: 300 });
  }

const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:16px;right:16px;bottom:12px;margin:0;font:14px/1.4 system-ui;color:#26323d';
document.body.append(note);
setInterval(() => {
  const gaps = chain.joints.map((id) => world.getJoint(id).gap);
  note.textContent = `${mass.toFixed(0)} kg on links of ${(mass / 900).toFixed(2)} kg; widest gap ${(1000 * Math.max(...gaps)).toFixed(2)} mm`;
}, 300);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
