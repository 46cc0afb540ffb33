// Free spin: a wing nut turns over again and again (the Dzhanibekov effect), and a gyroscope circles instead of falling.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
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
camera.position.set(0, 2.6, 9);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 1.7, 0);
controls.update();
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const world = await createWorld({ sleep: false });
const physics = new ThreePhysics(world);

/** A body of several meshes in a group. */
function add(color, position, geometries, options) {
  const group = new THREE.Group();
  for (const geometry of geometries) {
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }));
    mesh.castShadow = mesh.receiveShadow = true;
    group.add(mesh);
  }
  group.position.set(...position);
  scene.add(group);
  return physics.add(group, options);
}
add('#b0bdc8', [0, -0.5, 0], [new THREE.BoxGeometry(200, 1, 200)], { type: 'static' });

// Without gravity. It spins about the axis in the middle of its three inertias, and that one is not stable.
const bar = new THREE.CylinderGeometry(0.16, 0.16, 2.2, 24);
const stem = new THREE.CylinderGeometry(0.16, 0.16, 0.9, 24).rotateZ(Math.PI / 2).translate(0.45, 0, 0);
add('#c8664a', [-2.2, 2.2, 0], [bar, stem], {
  gravityScale: 0,
  linearDamping: 0,
  angularDamping: 0,
  angularVelocity: [8, 0.02, 0],
});

// A wheel on an axle whose one end rests on a point. Its spin is a hundred turns per second in the first picture, and falls with nothing.
const post = new THREE.CylinderGeometry(0.08, 0.2, 1.8, 24);
add('#94a3b0', [2, 0.9, 0], [post], { type: 'static', mask: 0 });
const axle = new THREE.CylinderGeometry(0.05, 0.05, 1.3, 16).rotateZ(Math.PI / 2).translate(0.65, 0, 0);
const rim = new THREE.TorusGeometry(0.7, 0.12, 16, 48).rotateY(Math.PI / 2).translate(0.9, 0, 0);
const spokes = [0, Math.PI / 2].map((angle) => new THREE.BoxGeometry(0.06, 1.3, 0.1).rotateX(angle).translate(0.9, 0, 0));
const gyroscope = add('#4a7a8c', [2, 1.85, 0], [axle, rim, ...spokes], {
  shape: 'hull',
  mask: 0,
  mass: { mass: 10, center: [0.9, 0, 0], inertia: [4, 2.2, 2.2, 0, 0, 0] },
  linearDamping: 0,
  angularDamping: 0,
  angularVelocity: [24, 0, 0],
});
world.createJoint({ type: 'ball', bodyB: gyroscope, anchor: [2, 1.85, 0], frictionLever: 0 });

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
