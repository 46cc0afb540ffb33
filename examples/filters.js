// Collision filters: three sieves, each for one color. A click turns the balls that have landed into ghosts.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 24, 97);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 6, 15);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 3.5, 0);
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

// A collider is of some categories and meets those in its mask, one bit each. Two meet if each has the other in its mask.
const [WALLS, RED, GOLD, BLUE, GHOST] = [1, 2, 4, 8, 16];
const ALL = 0xffffffff;
const kinds = [
  { color: '#c8664a', category: RED },
  { color: '#e0b36a', category: GOLD },
  { color: '#4a7a8c', category: BLUE },
];

const box = (x, y, z) => new THREE.BoxGeometry(x, y, z);
add(box(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static', category: WALLS });
// Each sieve lets its color through: it meets everything else.
kinds.forEach(({ color, category }, i) => {
  const sieve = box(7, 0.15, 2.4).rotateZ(i % 2 ? 0.16 : -0.16);
  const side = i % 2 ? 1 : -1;
  add(sieve, color, [0.6 * side, 6.2 - 1.9 * i, 0], { type: 'static', category: WALLS, mask: ALL & ~category });
});
// What nothing may leave: walls that are not drawn.
const wall = world.createShape({ type: 'box', halfExtents: [8, 6, 0.1] });
for (const z of [-1.4, 1.4]) world.createBody({ type: 'static', shape: wall, position: [0, 6, z], category: WALLS });

// Groups are for rules between pairs: the glass ball meets everything, but bodies of group 2 slide on the ice of group 1.
const [ICE, GLASS] = [1, 2];
world.setContactRule(ICE, GLASS, { friction: 0, restitution: 0 });
add(box(3, 0.4, 2.4).rotateZ(-0.12), '#b8d4e3', [6, 0.5, 0], { type: 'static', group: ICE });
// A mesh and what it was made of: userData takes any value of yours.
const geometry = new THREE.SphereGeometry(0.28, 24, 12);
const bodies = [];
function drop() {
  const i = bodies.length;
  const { color, category } = kinds[i % 3];
  const position = [3 * Math.sin(1.7 * i), 9 + (i % 3), 0.8 * Math.sin(5 * i)];
  // Balls of a color do not meet each other, only the walls and other colors.
  const body = add(geometry, color, position, { category, mask: ALL & ~category & ~GHOST, userData: { category } });
  bodies.push(body);
  if (i % 15 === 0) add(box(0.5, 0.5, 0.5), '#9fc3b5', [6.6, 3, 0.5 * Math.sin(i)], { group: GLASS });
}
const supply = setInterval(() => (bodies.length < 150 ? drop() : clearInterval(supply)), 120);

// Filters can be changed at any time: contacts that are no longer wanted end with the next step.
addEventListener('click', () => {
  for (const body of bodies) {
    if (world.getPosition(body, [0, 0, 0])[1] > 1) continue;
    const [collider] = world.collidersOf(body);
    world.setCollider(collider, { category: GHOST, mask: WALLS }); // only the ground is left
    physics.objectOf(body).material.setValues({ transparent: true, opacity: 0.35 });
  }
});
// Queries have masks too: what does a ray down the middle meet first, if walls do not count?
const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:5%;bottom:20px;margin:0;font:14px system-ui;color:#26323d';
document.body.append(note);
const names = { [RED]: 'a red', [GOLD]: 'a golden', [BLUE]: 'a blue', [GHOST]: 'a ghost of a' };

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  const hit = world.castRay([0, 12, 0], [0, -1, 0], { mask: RED | GOLD | BLUE });
  note.textContent = hit ? `The ray in the middle meets ${names[world.getUserData(hit.body)?.category] ?? 'no'} ball.` : '';
  renderer.render(scene, camera);
});
