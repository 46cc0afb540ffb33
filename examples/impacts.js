// Impacts: balls with restitution 0 to 1 fall; in front of them a ball hits one of its own mass, one of a fifth, and one of five times.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 18, 70);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 4.2, 11);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 1.4, 0);
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
add(box(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static', restitution: 1, restitutionCombine: 'min', friction: 0 });

/** Bodies with where and how fast they start. */
const all = [];
function create(radius, color, position, velocity, options) {
  const geometry = new THREE.SphereGeometry(radius, 48, 24);
  const rolling = { rollingResistance: 0, frictionCombine: 'min' };
  all.push({ id: add(geometry, color, position, { ...rolling, ...options }), position, velocity });
}

// Restitution: which share of the speed is left after a bounce.
for (let i = 0; i < 5; i++) {
  const color = new THREE.Color('#4a7a8c').lerp(new THREE.Color('#c8664a'), i / 4);
  create(0.35, color, [1.3 * (i - 2), 4, -2], [0, 0, 0], { restitution: i / 4, friction: 0.5 });
}
// Two bodies that meet: the masses decide who goes where. Without friction nothing else does.
for (const [i, share] of [1, 0.2, 5].entries()) {
  const z = 1.4 * i;
  const slick = { restitution: 1, friction: 0 };
  create(0.4, '#c8664a', [-5, 0.4, z], [5, 0, 0], { ...slick, mass: 10 });
  create(0.4 * Math.cbrt(share), '#4a7a8c', [0, 0.4 * Math.cbrt(share), z], [0, 0, 0], { ...slick, mass: 10 * share });
}
function restart() {
  for (const { id, position, velocity } of all) {
    world.teleport(id, position, [0, 0, 0, 1]);
    world.setVelocity(id, velocity, [0, 0, 0]);
  }
}
restart();
setInterval(restart, 5000);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
