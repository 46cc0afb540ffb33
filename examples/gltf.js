// Level from glTF: the file brings its own physics, from bodies to a hinge. What enters the glass turns yellow.
import { createWorld } from 'talus';
import { addPhysics } from 'talus/gltf';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFExporter } from 'three/addons/exporters/GLTFExporter.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 24, 97);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(6, 12, 8);
Object.assign(sun, { castShadow: true }).shadow.mapSize.set(2048, 2048);
Object.assign(sun.shadow.camera, { left: -10, right: 10, top: 10, bottom: -10, far: 48 });
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(2, 8, 14);
new OrbitControls(camera, renderer.domElement).update();
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

// An editor writes the file; here the exporter of three.js does, and the physics goes in beside the meshes.
const drawing = new THREE.Group();
const [shapes, physicsOf] = [[], {}];
/** A box by its edges, a ball by its radius; `physics` says what the node is in the file. */
function node(name, size, color, position, physics, parent = drawing, opacity = 1) {
  const isBall = size?.length === 1;
  const geometry = isBall ? new THREE.SphereGeometry(...size) : new THREE.BoxGeometry(...(size ?? []));
  const mesh = size ? new THREE.Mesh(geometry) : new THREE.Group();
  if (size) mesh.material = new THREE.MeshStandardMaterial({ color, opacity, transparent: opacity < 1 });
  const shape = shapes.length;
  if (size) shapes.push(isBall ? { type: 'sphere', sphere: { radius: size[0] } } : { type: 'box', box: { size } });
  for (const kind of ['collider', 'trigger']) if (physics[kind]) physics[kind] = { geometry: { shape } };
  mesh.position.set(...position);
  physicsOf[name] = physics;
  parent.add(mesh);
  return Object.assign(mesh, { name });
}
node('floor', [200, 1, 200], '#b0bdc8', [0, -0.5, 0], { collider: true });
node('zone', [3, 2, 3], '#6fb3c9', [-5, 1, 2], { trigger: true }, drawing, 0.3);
const turning = { isKinematic: true, angularVelocity: [0, 0.7, 0] };
node('sweeper', [7, 0.5, 0.5], '#c8664a', [0, 0.4, -1], { motion: turning, collider: true });
const post = node('post', [0.3, 4, 0.3], '#64748b', [4, 2, 3], { collider: true });
const door = node('door', [2, 3, 0.2], '#e0b36a', [5.3, 1.6, 3], { motion: { mass: 30 }, collider: true });
node('edge', null, '', [-1.05, 0.4, 0], {}, door);
node('hinge', null, '', [0.25, 0, 0], { joint: { joint: 0 } }, post);
for (let i = 0; i < 40; i++) {
  const at = [2.5 * Math.sin(i) - 2, 3 + 0.8 * i, 2 * Math.cos(2 * i) + 0.5];
  node(`thing${i}`, i % 2 ? [1, 1, 1] : [0.5], ['#4a7a8c', '#6f9a76'][i % 2], at, { motion: { mass: 2 }, collider: true });
}
const file = await new GLTFExporter().parseAsync(drawing);
physicsOf.hinge.joint.connectedNode = file.nodes.findIndex(({ name }) => name === 'edge');
const hold = (axes, max) => ({ ...axes, min: -max, max });
const limits = [hold({ linearAxes: [0, 1, 2] }, 0), hold({ angularAxes: [0, 2] }, 0), hold({ angularAxes: [1] }, 1.5)];
const drives = [{ type: 'angular', mode: 'acceleration', axis: 1, positionTarget: 0, stiffness: 10, damping: 1 }];
file.extensions = { KHR_implicit_shapes: { shapes }, KHR_physics_rigid_bodies: { physicsJoints: [{ limits, drives }] } };
for (const one of file.nodes) if (physicsOf[one.name]) one.extensions = { KHR_physics_rigid_bodies: physicsOf[one.name] };

const gltf = await new GLTFLoader().parseAsync(JSON.stringify(file), '');
scene.add(gltf.scene);
gltf.scene.traverse((mesh) => (mesh.castShadow = mesh.receiveShadow = !mesh.material?.transparent));
const physics = new ThreePhysics(await createWorld());
const level = await addPhysics(physics, gltf); // that is all
level.onTrigger(({ kind, body }) => physics.objectOf(body)?.material?.color.set(kind === 'enter' ? '#f2c230' : '#8d99a6'));

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
