// A car: arrow keys or W A S D drive, space is the handbrake. Hands off, it drives by itself.
import { createWorld } from 'talus';
import { Vehicle } from 'talus/controllers';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 17, 67);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(10, 20, 12);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -20, right: 20, top: 20, bottom: -20, far: 80 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 5, -10);
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const world = await createWorld();
const physics = new ThreePhysics(world);
/** A mesh that is a body, and the body. */
function add(geometry, color, position, options) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  return { mesh, id: physics.add(mesh, options) };
}

add(new THREE.BoxGeometry(300, 1, 300), '#b0bdc8', [0, -0.5, 0], { type: 'static' });
scene.add(new THREE.GridHelper(300, 60, '#8fa0ae', '#9fb0bd').translateY(0.01));
for (let i = 0; i < 60; i++) {
  add(new THREE.BoxGeometry(), '#e0b36a', [30 * Math.sin(i), 0.5, 40 + 40 * Math.cos(2.3 * i)], { density: 60 });
}
add(new THREE.BoxGeometry(5, 0.3, 8).rotateX(-0.2), '#94a3b0', [0, 0.7, 24], { type: 'static' });

const mass = { mass: 1200, center: [0, -0.3, 0], inertia: [1700, 1900, 400, 0, 0, 0] }; // low, so that it does not roll over
const body = add(new THREE.BoxGeometry(1.8, 0.6, 4), '#c8664a', [0, 0.9, 0], { mass });
const cabin = new THREE.Mesh(new THREE.BoxGeometry(1.5, 0.5, 1.8), new THREE.MeshStandardMaterial({ color: '#2f3e4d' }));
body.mesh.add(cabin.translateY(0.5).translateZ(-0.3));
const wheel = (x, z, more) => ({ position: [x, -0.4, z], radius: 0.4, ...more });
const back = { driven: true, handbrake: true };
const wheels = [-0.9, 0.9].flatMap((x) => [wheel(x, 1.3, { steered: true }), wheel(x, -1.3, back)]);
const car = new Vehicle(world, { body: body.id, drive: { torque: 1800, topSpeed: 35 }, wheels });
const tire = new THREE.CylinderGeometry(0.4, 0.4, 0.3, 24).rotateZ(Math.PI / 2);
const rubber = new THREE.MeshStandardMaterial({ color: '#1f2933', flatShading: true });
const tires = wheels.map(() => new THREE.Mesh(tire, rubber));
scene.add(...tires);

const keys = new Set();
addEventListener('keydown', ({ code }) => keys.add(code));
addEventListener('keyup', ({ code }) => keys.delete(code));
const down = (...codes) => (codes.some((code) => keys.has(code)) ? 1 : 0);
let [idle, last] = [0, 0]; // s, ms
function steer(seconds) {
  idle = keys.size ? 0 : idle + seconds;
  const auto = idle > 1;
  car.controls.throttle = auto ? 0.4 : down('ArrowUp', 'KeyW') - down('ArrowDown', 'KeyS');
  car.controls.steering = auto ? 0.25 * Math.sin(idle / 1.5) : 0.6 * (down('ArrowLeft', 'KeyA') - down('ArrowRight', 'KeyD'));
  car.controls.handbrake = down('Space');
}
renderer.setAnimationLoop((now) => {
  const seconds = (now - (last || now)) / 1000;
  last = now;
  steer(seconds);
  physics.update(seconds);
  for (let i = 0; i < 4; i++) car.getWheelPose(i, tires[i].position, tires[i].quaternion);
  camera.position.lerp(body.mesh.localToWorld(new THREE.Vector3(0, 4, -9)).setY(4.5), 0.05);
  camera.lookAt(body.mesh.position);
  renderer.render(scene, camera);
});
