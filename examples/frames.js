// Steps and frames: the world makes ten steps per second. The left ball is drawn where its body is, the right one between two steps.
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
camera.position.set(0, 4, 11);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 2.2, 0);
controls.update();
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const world = await createWorld({ dt: 1 / 10, restitutionThreshold: 0.1 });
const physics = new ThreePhysics(world);

function createMesh(geometry, color, position) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  return mesh;
}
physics.add(createMesh(new THREE.BoxGeometry(200, 1, 200), '#b0bdc8', [0, -0.5, 0]), { type: 'static', restitution: 1 });
const geometry = new THREE.SphereGeometry(0.5, 48, 24);
const left = createMesh(geometry, '#c8664a', [-1.5, 4, 0]);
const right = createMesh(geometry, '#4a7a8c', [1.5, 4, 0]);
/** One body for both. */
const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.5 }), position: [0, 4, 0], restitution: 1 });
world.setVelocity(ball, [0, 0, 1.5]);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000, {
    beforeStep() {
      if (world.stepCount % 20 === 0)
        world.setVelocity(ball, [0, world.getLinearVelocity(ball, [])[1], (world.stepCount % 40 ? -1 : 1) * 1.5]);
    },
  });
  last = now;
  world.getPosition(ball, left.position); // after the last step
  world.getPose(ball, right.position); // at this moment, between the last two steps
  left.position.x -= 1.5;
  right.position.x += 1.5;
  renderer.render(scene, camera);
});
