// Car on wheel joints: each wheel is a body with suspension, steering and motor. Arrow keys or W A S D, space brakes.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 15, 59);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(10, 20, 12);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -20, right: 20, top: 20, bottom: -20, far: 80 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 4, -9);
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
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color, flatShading: true }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  return { mesh, id: physics.add(mesh, options) };
}
add(new THREE.BoxGeometry(300, 1, 300), '#b0bdc8', [0, -0.5, 0], { type: 'static', friction: 1 });
scene.add(new THREE.GridHelper(300, 60, '#8fa0ae', '#9fb0bd').translateY(0.01));
for (let i = 0; i < 24; i++) {
  const bump = new THREE.CylinderGeometry(0.6, 0.6, 3, 24).rotateZ(Math.PI / 2);
  add(bump, '#94a3b0', [i % 2 ? 1.8 : -1.8, -0.52, 8 + 2.2 * i], { type: 'static' });
}

// The car looks along +z, its left is +x. Its mass is low and wide, so that it does not roll over.
const MASS = 1200;
const mass = { mass: MASS, center: [0, -0.35, 0], inertia: [1700, 1900, 500, 0, 0, 0] };
const body = add(new THREE.BoxGeometry(1.6, 0.5, 4), '#c8664a', [0, 0.85, 0], { mass });
const cabin = new THREE.Mesh(new THREE.BoxGeometry(1.4, 0.5, 1.8), new THREE.MeshStandardMaterial({ color: '#2f3e4d' }));
body.mesh.add(cabin.translateY(0.5).translateZ(-0.3));

// Suspension: a quarter of the car on each spring swings at 1.6 Hz, half damped.
const RATE = 2 * Math.PI * 1.6;
const stiffness = (MASS / 4) * RATE ** 2;
const damping = (MASS / 4) * RATE;
const target = -9.81 / RATE ** 2; // as far as the load presses it in: under the car it stands as it was modeled
const tire = new THREE.CylinderGeometry(0.4, 0.4, 0.3, 32).rotateZ(Math.PI / 2);
const wheels = [
  [0.95, 1.3],
  [-0.95, 1.3],
  [0.95, -1.3],
  [-0.95, -1.3],
].map(([x, z]) => {
  const anchor = [x, 0.4, z];
  const { id } = add(tire, '#1f2933', anchor, { shape: 'cylinder', mass: 25, friction: 1.2 });
  return world.createJoint({
    type: 'wheel',
    bodyA: body.id, // the chassis first: angles and velocities are those of the wheel as the chassis sees it
    bodyB: id,
    anchor,
    axis: [1, 0, 0], // to the left: a wheel that rolls forward, +z, turns by the right-hand rule about +x
    suspensionAxis: [0, 1, 0],
    limit: { min: -0.15, max: 0.15 }, // travel of the wheel, m: down, up
    spring: { stiffness, damping, target },
  });
});

const keys = new Set();
addEventListener('keydown', ({ code }) => keys.add(code));
addEventListener('keyup', ({ code }) => keys.delete(code));
const down = (...codes) => (codes.some((code) => keys.has(code)) ? 1 : 0);
let [idle, last, steering] = [0, 0, 0]; // s, ms, rad
function drive(seconds) {
  idle = keys.size ? 0 : idle + seconds;
  const auto = idle > 1; // hands off: it drives by itself
  const gas = auto ? 0.25 : down('ArrowUp', 'KeyW') - down('ArrowDown', 'KeyS');
  const wish = auto ? (idle > 14 ? 0.25 : 0) : 0.5 * (down('ArrowLeft', 'KeyA') - down('ArrowRight', 'KeyD'));
  steering += THREE.MathUtils.clamp(wish - steering, -2 * seconds, 2 * seconds);
  // A motor goes for a velocity (rad/s) with the torque it has (N m): of velocity 0 it is a brake; without one the wheel rolls.
  const brake = { velocity: 0, maxForce: 1500 };
  const motor = down('Space') ? brake : gas ? { velocity: 60 * gas, maxForce: 500 } : { velocity: 0, maxForce: 20 };
  wheels.forEach((joint, i) => {
    const isFront = i < 2;
    world.setJoint(joint, { twist: { motor }, ...(isFront && { steering }) }); // positive steering turns left
  });
}
renderer.setAnimationLoop((now) => {
  const seconds = Math.min(0.1, (now - (last || now)) / 1000);
  last = now;
  drive(seconds);
  physics.update(seconds);
  const behind = body.mesh.localToWorld(new THREE.Vector3(0, 3.5, -8)).setY(4);
  camera.position.lerp(behind, 0.05);
  camera.lookAt(body.mesh.position);
  sun.position.copy(body.mesh.position).add(new THREE.Vector3(10, 20, 12));
  sun.target = body.mesh;
  renderer.render(scene, camera);
});
