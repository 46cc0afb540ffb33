// Joints, one by one: ball, hinge, slider, rope, spring and cone. Each is kicked every three seconds.
import { createWorld } from 'talus';
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
camera.position.set(0, 3.4, 13);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 2.3, 0);
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

add(box(13, 0.3, 0.6), '#94a3b0', [0, 4.6, 0], { type: 'static' });
for (const x of [-6.3, 6.3]) add(box(0.3, 4.5, 0.6), '#94a3b0', [x, 2.25, 0], { type: 'static' });
const rod = new THREE.CylinderGeometry(0.07, 0.07, 1.8);
const ball = new THREE.SphereGeometry(0.35, 32, 16);
const TOP = 4.4;
/** A joint between the beam, which is the world to it, and a body that hangs at x. */
function hang(geometry, color, x, y, joint) {
  const bodyB = add(geometry, color, [x, y, 0], { mass: 20 });
  world.createJoint({ bodyB, anchor: [x, TOP, 0], ...joint });
  return bodyB;
}
const kicked = [
  hang(rod, '#c8664a', -5, TOP - 0.9, { type: 'ball' }),
  hang(box(1, 1.8, 0.12), '#e0b36a', -3, TOP - 0.9, { type: 'hinge', axis: [1, 0, 0], limit: { min: -1.2, max: 1.2 } }),
  hang(box(0.6, 0.6, 0.6), '#4a7a8c', -1, 2.6, {
    type: 'slider',
    axis: [0, 1, 0],
    limit: { min: -1.4, max: 1.4 },
    spring: { frequency: 0.7, dampingRatio: 0.05 },
  }),
  hang(ball, '#6f9a76', 1, 2.6, { type: 'distance', limit: { min: 0, max: 2 } }), // a rope
  hang(ball, '#9a6a8c', 3, 2.6, { type: 'distance', length: 1.6, spring: { frequency: 0.9, dampingRatio: 0.03 } }),
  hang(box(0.3, 1.8, 0.3), '#b5573d', 5, TOP - 0.9, { type: 'cone-twist', axis: [0, 1, 0], cone: 0.6 }),
];
// Rope and spring have no body of their own: a line shows where they are.
const strings = [kicked[3], kicked[4]].map((body, i) => {
  const string = new THREE.Mesh(
    new THREE.CylinderGeometry(0.025, 0.025, 1),
    new THREE.MeshStandardMaterial({ color: '#2f3e4d' }),
  );
  scene.add(string);
  return { body, string, top: new THREE.Vector3(1 + 2 * i, TOP, 0), end: new THREE.Vector3() };
});
function kick() {
  for (const [i, body] of kicked.entries()) world.applyImpulse(body, [40 * Math.sin(i), 30, 50]);
}
kick();
setInterval(kick, 3000);

const up = new THREE.Vector3(0, 1, 0);
let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  for (const { body, string, top, end } of strings) {
    world.getPose(body, end);
    string.position.lerpVectors(top, end, 0.5);
    string.scale.y = top.distanceTo(end);
    string.quaternion.setFromUnitVectors(up, end.sub(top).normalize());
  }
  renderer.render(scene, camera);
});
