// Picking and dragging: take anything with the mouse or with several fingers, and throw it. The wheel brings it closer.
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
controls.target.set(0, 1.5, 0);
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
for (let i = 0; i < 15; i++)
  add(box(1, 0.6, 0.6), i % 2 ? '#c8664a' : '#e0b36a', [(i % 3) - 3, 0.3 + 0.6 * Math.floor(i / 3), 0]);
for (let i = 0; i < 6; i++) add(new THREE.SphereGeometry(0.4, 32, 16), '#6f9a76', [2 + (i % 3), 0.4 + Math.floor(i / 3), 1]);
// Joints do not mind: a lamp on a hook can be taken as well.
const lamp = add(new THREE.ConeGeometry(0.6, 0.8, 32), '#4a7a8c', [2.5, 2.8, -1]);
world.createJoint({ type: 'distance', bodyB: lamp, anchorA: [2.5, 5, -1], anchorB: [0, 0.4, 0], limit: { min: 0, max: 1.8 } });

/** What each finger holds: a soft joint of length 0 from a point of the world, `anchorA`, to the point of the body that was taken. */
const grips = new Map();
const raycaster = new THREE.Raycaster();
const pointer = new THREE.Vector2();
function aim({ clientX, clientY }) {
  pointer.set((2 * clientX) / innerWidth - 1, 1 - (2 * clientY) / innerHeight);
  raycaster.setFromCamera(pointer, camera);
}

const canvas = renderer.domElement;
canvas.style.touchAction = 'none'; // fingers shall not scroll the page
// On the way down to the canvas, before the camera's controls hear of it.
addEventListener(
  'pointerdown',
  (event) => {
    aim(event);
    const hit = physics.castRay(raycaster, { types: ['dynamic'] });
    if (!hit) return; // beside everything: the camera turns
    event.stopPropagation();
    canvas.setPointerCapture(event.pointerId);
    const joint = world.createJoint({
      type: 'distance',
      bodyB: hit.body,
      anchor: hit.point,
      length: 0,
      // As stiff as a hand, and no stronger: pulling at a body that is stuck must not tear the world apart.
      spring: { frequency: 4, dampingRatio: 1, maxForce: 60 * world.getMass(hit.body) },
    });
    const before = [world.getLinearDamping(hit.body), world.getAngularDamping(hit.body)];
    world.setDamping(hit.body, 0, 4); // or it spins about the hand for ever
    // It moves in the plane through this point that faces the camera.
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new THREE.Vector3()), hit.point);
    grips.set(event.pointerId, { joint, body: hit.body, before, plane, to: hit.point.clone() });
  },
  true,
);
addEventListener('pointermove', (event) => {
  const grip = grips.get(event.pointerId);
  if (!grip) return;
  aim(event);
  if (raycaster.ray.intersectPlane(grip.plane, grip.to)) world.setJoint(grip.joint, { anchorA: grip.to });
});
function release({ pointerId }) {
  const grip = grips.get(pointerId);
  if (!grip) return;
  grips.delete(pointerId);
  world.removeJoint(grip.joint);
  world.setDamping(grip.body, ...grip.before); // it flies on as fast as it was
}
addEventListener('pointerup', release);
addEventListener('pointercancel', release);
addEventListener(
  'wheel',
  (event) => {
    if (grips.size === 0) return;
    event.stopPropagation();
    for (const { joint, plane, to } of grips.values()) {
      to.addScaledVector(plane.normal, 0.003 * event.deltaY);
      plane.constant = -to.dot(plane.normal);
      world.setJoint(joint, { anchorA: to });
    }
  },
  true,
);
setInterval(() => {
  if (grips.size === 0) world.applyImpulse(lamp, [0, 0, 0.5 * world.getMass(lamp)]);
}, 3000);

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
