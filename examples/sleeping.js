// Sleeping: 600 crates in stacks are gray while they sleep, and cost nothing. A ball wakes only the stacks that it hits.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 30, 120);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(9, 18, 10);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -18, right: 18, top: 18, bottom: -18, far: 72 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(13, 9, 17);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 0.5, 0);
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

const floor = new THREE.Mesh(new THREE.BoxGeometry(200, 1, 200), new THREE.MeshStandardMaterial({ color: '#b0bdc8' }));
floor.position.y = -0.5;
floor.receiveShadow = true;
scene.add(floor);
physics.add(floor, { type: 'static' });

const COUNT = 600;
const crates = new THREE.InstancedMesh(new THREE.BoxGeometry(0.8, 0.8, 0.8), new THREE.MeshStandardMaterial(), COUNT);
crates.castShadow = crates.receiveShadow = true;
const place = new THREE.Matrix4();
for (let i = 0; i < COUNT; i++) {
  const stack = Math.floor(i / 4);
  crates.setMatrixAt(
    i,
    place.makeTranslation(1.5 * ((stack % 15) - 7), 0.4 + 0.8 * (i % 4), 1.5 * (Math.floor(stack / 15) - 4.5)),
  );
}
scene.add(crates);
physics.add(crates, { density: 200, sleepColors: { awake: '#c8664a', asleep: '#8b99a6' } });

const ball = new THREE.Mesh(new THREE.SphereGeometry(0.9, 32, 16), new THREE.MeshStandardMaterial({ color: '#4a7a8c' }));
ball.castShadow = true;
ball.position.set(0, 0.9, 14);
scene.add(ball);
const body = physics.add(ball, { density: 2000, rollingResistance: 0.01 });
let count = 0;
function roll() {
  world.teleport(body, [((5 * count++) % 13) - 6, 0.9, 13], [0, 0, 0, 1]);
  world.setVelocity(body, [0, 0, -14], [0, 0, 0]);
}
setTimeout(roll, 1500);
setInterval(roll, 5000);

const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:16px;right:16px;bottom:12px;margin:0;font:14px/1.4 system-ui;color:#26323d';
document.body.append(note);
setInterval(() => {
  note.textContent = `${world.sleepingCount} of ${world.bodyCount} bodies sleep`;
}, 200);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
