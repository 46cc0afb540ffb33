// Tiles: crates and balls without friction slide over a floor of 600 boxes as over a single one. No seam stops them.
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
camera.position.set(0, 6, 12);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 0, -1);
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

const FLAT = { friction: 0, restitution: 0 };
add(box(200, 1, 200), '#b0bdc8', [0, -1.5, 0], { type: 'static' });
const tiles = new THREE.InstancedMesh(box(1, 1, 1), new THREE.MeshStandardMaterial(), 600);
tiles.receiveShadow = true;
const colorsOfTiles = ['#94a3b0', '#8493a1'].map((name) => new THREE.Color(name));
for (let i = 0; i < 600; i++) {
  const [column, row] = [i % 30, Math.floor(i / 30)];
  tiles.setMatrixAt(i, new THREE.Matrix4().makeTranslation(column - 14.5, -0.5, row - 9.5));
  tiles.setColorAt(i, colorsOfTiles[(column + row) % 2]);
}
scene.add(tiles);
physics.add(tiles, { type: 'static', ...FLAT }); // a body for each
const shapes = [
  box(0.7, 0.7, 0.7),
  new THREE.SphereGeometry(0.35, 32, 16),
  new THREE.CapsuleGeometry(0.3, 0.5, 8, 24).rotateZ(1.571),
];
const colors = ['#c8664a', '#4a7a8c', '#e0b36a'];
const sliders = Array.from({ length: 9 }, (_, i) =>
  add(shapes[i % 3], colors[i % 3], [-10 + 2 * (i % 3), 0.355, 1.6 * (i - 4)], { ...FLAT, linearVelocity: [4 + 0.3 * i, 0, 0] }),
);
const at = [0, 0, 0];
function beforeStep() {
  for (const [i, body] of sliders.entries()) {
    // Back to the start at the end of the floor, as fast as it is.
    if (world.getPosition(body, at)[0] > 14) world.teleport(body, [-13, at[1], 1.6 * (i - 4)]);
  }
}

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000, { beforeStep });
  last = now;
  renderer.render(scene, camera);
});
