// Shapes: primitives, hulls, compounds, meshes. D or a double click shows what the engine sees.
import { createWorld } from 'talus';
import { DebugRenderer, ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 29, 115);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 400);
camera.position.set(0, 9, 17);
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
const debug = physics.attach(new DebugRenderer(world));
debug.visible = false;
scene.add(debug);

/** A body of a mesh, or of several meshes in a group. */
function add(color, position, geometries, options) {
  const group = new THREE.Group();
  for (const geometry of geometries) {
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color, flatShading: true }));
    mesh.castShadow = mesh.receiveShadow = true;
    group.add(mesh);
  }
  group.position.set(...position);
  scene.add(group);
  physics.add(group, options);
}

const hills = new THREE.PlaneGeometry(26, 18, 52, 36);
const z = hills.attributes.position;
for (let i = 0; i < z.count; i++) z.setZ(i, 0.5 * Math.sin(z.getX(i)) * Math.cos(z.getY(i)) + 0.02 * z.getX(i) ** 2);
hills.rotateX(-Math.PI / 2);
add('#b0bdc8', [0, -1, 0], [hills], { type: 'static', shape: 'mesh' });
add('#94a3b0', [0, 0.4, 0], [new THREE.TorusGeometry(2.2, 0.4, 12, 40).rotateX(Math.PI / 2)], { type: 'static', shape: 'mesh' });

const things = [
  ['#c8664a', new THREE.BoxGeometry(1, 0.7, 0.9)],
  ['#e0b36a', new THREE.SphereGeometry(0.5, 24, 12)],
  ['#4a7a8c', new THREE.CapsuleGeometry(0.3, 0.8, 8, 16)],
  ['#6f9a76', new THREE.CylinderGeometry(0.4, 0.4, 0.9, 24)],
  ['#9a6a8c', new THREE.ConeGeometry(0.5, 1, 24)],
  ['#b5573d', new THREE.DodecahedronGeometry(0.6)], // any other geometry: its convex hull
  ['#2f6a7d', new THREE.CylinderGeometry(0.3, 0.6, 0.8, 6)],
  ['#7d8f3f', new THREE.BoxGeometry(1.6, 0.3, 0.3), new THREE.BoxGeometry(0.3, 1.6, 0.3)], // a compound
];
for (let i = 0; i < 64; i++) {
  const [color, ...geometries] = things[i % things.length];
  add(color, [1.4 * ((i % 8) - 3.5), 3 + 1.2 * Math.floor(i / 8), 1.5 * Math.sin(i)], geometries, { restitution: 0.2 });
}

const toggle = () => (debug.visible = !debug.visible);
addEventListener('dblclick', toggle);
addEventListener('keydown', ({ key }) => key === 'd' && toggle());
let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000);
  last = now;
  renderer.render(scene, camera);
});
