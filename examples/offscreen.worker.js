// The worker of offscreen.js: a world, a scene and a renderer, as on any page, but for the window.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';

const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 60, 240);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(10, 20, 12);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -20, right: 20, top: 20, bottom: -20, far: 80 });
sun.shadow.mapSize.set(1024, 1024);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 400);
const orbit = new THREE.Spherical(26, 1.15, 0.6);
let renderer = null;
let world = null;
let physics = null;

/** What the page sends, by its kind. */
const commands = {
  async start({ canvas, ...size }) {
    renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
    renderer.shadowMap.enabled = true;
    commands.resize(size);
    world = await createWorld(); // threads: 'auto' works here as well
    physics = new ThreePhysics(world);
    build();
    renderer.setAnimationLoop(frame); // by the worker's own requestAnimationFrame
    setInterval(() => postMessage({ bodies: world.bodyCount, sleeping: world.sleepingCount, ms: world.profile.total }), 500);
  },
  resize({ width, height, ratio }) {
    renderer.setPixelRatio(ratio);
    renderer.setSize(width, height, false); // there is no style to set
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
  },
  turn({ x, y }) {
    orbit.theta -= 0.005 * x;
    orbit.phi = THREE.MathUtils.clamp(orbit.phi - 0.005 * y, 0.2, 1.5);
  },
  blast({ x, y }) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(x, y), camera);
    const hit = physics?.castRay(ray);
    if (hit) world.applyExplosion({ position: hit.point, radius: 6, impulse: 1200, lift: 1 });
  },
};
// Listen before anything is awaited: a message that arrives without a listener is lost.
addEventListener('message', ({ data }) => commands[data.kind](data));

function build() {
  const floor = new THREE.Mesh(new THREE.BoxGeometry(600, 1, 600), new THREE.MeshStandardMaterial({ color: '#b0bdc8' }));
  floor.position.y = -0.5;
  floor.receiveShadow = true;
  const crates = new THREE.InstancedMesh(new THREE.BoxGeometry(0.8, 0.8, 0.8), new THREE.MeshStandardMaterial(), 600);
  crates.castShadow = crates.receiveShadow = true;
  const colors = ['#c8664a', '#e0b36a', '#4a7a8c', '#6f9a76'].map((name) => new THREE.Color(name));
  const at = new THREE.Matrix4();
  for (let i = 0; i < 600; i++) {
    const layer = Math.floor(i / 49);
    const x = 1.1 * ((i % 7) - 3) + 0.5 * Math.sin(5 * layer);
    const z = 1.1 * ((Math.floor(i / 7) % 7) - 3) + 0.5 * Math.cos(3 * layer);
    crates.setMatrixAt(i, at.makeTranslation(x, 1 + layer, z));
    crates.setColorAt(i, colors[i % 4]);
  }
  scene.add(floor, crates);
  physics.add(floor, { type: 'static' });
  physics.add(crates, { density: 500 });
}

let last = 0;
function frame(now) {
  physics.update((now - (last || now)) / 1000);
  last = now;
  camera.position.setFromSpherical(orbit).setY(Math.max(1, camera.position.y + 6));
  camera.lookAt(0, 6, 0);
  renderer.render(scene, camera);
}
