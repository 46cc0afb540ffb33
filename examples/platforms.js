// Moving platforms: a lift, a ferry and a turntable carry what stands on them.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 27, 106);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(9, 8, 13);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 1, 0);
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
  physics.add(mesh, options);
  return mesh;
}

const box = (x, y, z) => new THREE.BoxGeometry(x, y, z);
add(box(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });
add(box(3, 3, 3), '#94a3b0', [-7, 1.5, 0], { type: 'static' });

// Kinematic: it goes where it is sent and nothing stops it. `follow` sends the body where its mesh is, so you move the mesh.
const kinematic = { type: 'kinematic', follow: true, friction: 0.8 };
const lift = add(box(3, 0.3, 3), '#4a7a8c', [-3.9, 0.15, 0], kinematic);
const ferry = add(box(3, 0.3, 3), '#6f9a76', [0, 1, 4], kinematic);
const disc = add(new THREE.CylinderGeometry(2.2, 2.2, 0.3, 64), '#9a6a8c', [4, 0.3, -1], kinematic);
const arm = add(box(6, 0.4, 0.4), '#2f3e4d', [4, 0.9, 5.5], kinematic);

// Without a mesh to follow: tell the body. It gets the velocity that takes it there within one step.
const shape = world.createShape({ type: 'box', halfExtents: [1.2, 0.15, 1.2] });
const swing = world.createBody({ type: 'kinematic', shape, position: [0, 2, -5], friction: 0.8 });
const plate = new THREE.Mesh(box(2.4, 0.3, 2.4), new THREE.MeshStandardMaterial({ color: '#c8664a' }));
plate.castShadow = plate.receiveShadow = true;
scene.add(plate);
physics.bind(plate, swing);
const [place, turn] = [new THREE.Vector3(), new THREE.Quaternion()];

/** Before each step, in time of the world: at 30 or 240 frames per second the way is the same. */
function beforeStep() {
  const time = world.stepCount * world.settings.dt;
  lift.position.y = 1.65 - 1.5 * Math.cos(0.8 * time);
  ferry.position.x = 4 * Math.sin(0.5 * time);
  disc.rotation.y = 0.7 * time;
  arm.rotation.y = -0.6 * time;
  turn.setFromAxisAngle(new THREE.Vector3(0, 0, 1), 0.12 * Math.sin(time));
  world.moveKinematic(swing, place.set(2 * Math.sin(0.7 * time), 2 + 0.5 * Math.sin(time), -5), turn);
}
// What lands on a platform rides by friction alone: nothing else has to be done.
const colors = ['#e0b36a', '#c8664a', '#94a3b0'];
const crates = [lift, ferry, disc, plate].flatMap((on, k) =>
  Array.from({ length: 5 }, (_, i) => {
    const { x, y, z } = on === plate ? new THREE.Vector3(0, 2, -5) : on.position;
    return add(box(0.6, 0.6, 0.6), colors[(i + k) % 3], [
      x + 0.7 * ((i % 2) - 0.5),
      y + 0.5 + 0.61 * (i >> 1),
      z + 0.3 * (i % 3),
    ]);
  }),
);
for (let i = 0; i < 6; i++) add(new THREE.SphereGeometry(0.3, 32, 16), '#e0b36a', [2 + 0.8 * i, 0.3, 7]);

// A jump to another place is no motion: teleport carries and pushes nothing, and the mesh is drawn there at once.
addEventListener('dblclick', () => {
  for (const crate of crates)
    world.teleport(physics.bodiesOf(crate)[0], [6 * Math.random() - 3, 6 + 4 * Math.random(), 6 * Math.random() - 3]);
});

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000, { beforeStep });
  last = now;
  renderer.render(scene, camera);
});
