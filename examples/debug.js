// The debug view: outlines of colliders, contact points with their normals, joints. Click to hide the meshes.
import { createWorld } from 'talus';
import { DebugRenderer, ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 16, 70);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(4, 4.5, 9);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 1.2, 0);
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

// Green: awake. Blue: asleep. Orange: kinematic. Gray: static. Violet: a sensor.
const debug = physics.attach(new DebugRenderer(world, { size: 0.3 }));
scene.add(debug);

for (let i = 0; i < 10; i++) add(box(0.8, 0.8, 0.8), '#c8664a', [0.25 * Math.sin(3 * i) - 1, 0.5 + i, 0.25 * Math.cos(2 * i)]);
for (let i = 0; i < 4; i++) add(new THREE.CapsuleGeometry(0.25, 0.7), '#4a7a8c', [1.6, 0.6 + 1.4 * i, 0.2 * i]);
add(new THREE.DodecahedronGeometry(0.6), '#6f9a76', [0.4, 5, 1.4]); // a hull
const gate = new THREE.Mesh(box(1.6, 1.4, 1.6));
gate.visible = false;
gate.position.set(2.8, 0.7, 0.5);
scene.add(gate);
physics.add(gate, { type: 'static', sensor: true });
const lamp = add(new THREE.ConeGeometry(0.5, 0.7, 24), '#e0b36a', [-3, 2, 0]);
world.createJoint({ type: 'ball', bodyB: lamp, anchor: [-3, 3.2, 0] });
world.applyImpulse(lamp, [0, 0, 3 * world.getMass(lamp)]);
const plate = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 0.2, 32), new THREE.MeshStandardMaterial({ color: '#94a3b0' }));
plate.position.set(2.8, 0.15, -2);
scene.add(plate);
physics.add(plate, { type: 'kinematic', follow: true });
add(box(0.5, 0.5, 0.5), '#e0b36a', [3.2, 0.6, -2]);

/** Meshes that hide what lies inside of them are half transparent. */
const solids = scene.children.filter(({ isMesh, position }) => isMesh && position.y > 0);
for (const { material } of solids) Object.assign(material, { transparent: true, opacity: 0.45 });
addEventListener('click', () => {
  for (const { material } of solids) material.visible = !material.visible;
});

let last = 0;
renderer.setAnimationLoop((now) => {
  plate.rotation.y = now / 1000;
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
