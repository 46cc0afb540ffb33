// Events: each impact tells where it was and how hard. Click to hear it; sparks fly in any case.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 20, 81);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(6, 12, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -12, right: 12, top: 12, bottom: -12, far: 48 });
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(6, 5, 11);
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

const world = await createWorld({ hitSpeed: 1.5 }); // impacts of 1.5 m/s and more send 'hit'
const physics = new ThreePhysics(world);
function add(geometry, color, position, options) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  return physics.add(mesh, options);
}

add(new THREE.BoxGeometry(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });
const shapes = [new THREE.SphereGeometry(0.35, 32, 16), new THREE.BoxGeometry(0.6, 0.6, 0.6), new THREE.IcosahedronGeometry(0.4)];
const colors = ['#c8664a', '#e0b36a', '#4a7a8c'];
const bodies = Array.from({ length: 18 }, (_, i) => {
  const position = [2 * Math.sin(i), 3 + 0.9 * i, 2 * Math.cos(i)];
  return add(shapes[i % 3], colors[i % 3], position, { restitution: 0.6 });
});

const sparks = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: '#e8590c', size: 0.12 }));
sparks.frustumCulled = false;
scene.add(sparks);
let flying = [];
let audio = null; // pages may sound once someone has touched them
addEventListener('pointerdown', () => (audio ??= new AudioContext()));
world.on('hit', ({ point, approachSpeed, impulse }) => {
  for (let i = 0; i < Math.min(12, 2 * approachSpeed); i++) {
    const way = new THREE.Vector3().randomDirection().multiplyScalar(0.4 * approachSpeed);
    flying.push({ at: new THREE.Vector3(...point), way: way.setY(Math.abs(way.y)), end: performance.now() + 500 });
  }
  if (!audio) return;
  const gain = new GainNode(audio, { gain: Math.min(0.3, approachSpeed / 30) });
  gain.gain.exponentialRampToValueAtTime(1e-4, audio.currentTime + 0.25);
  const tone = new OscillatorNode(audio, { type: 'triangle', frequency: 120 + 40_000 / (100 + impulse) });
  tone.connect(gain).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.25);
});
setInterval(() => {
  for (const id of bodies) world.setVelocity(id, [0, 5 + 4 * Math.random(), 0]);
}, 5000);
let last = 0;
renderer.setAnimationLoop((now) => {
  const dt = (now - (last || now)) / 1000;
  last = now;
  physics.update(dt);
  flying = flying.filter(({ end }) => end > now);
  for (const { at, way } of flying) at.addScaledVector(way.setY(way.y - 9.81 * dt), dt);
  sparks.geometry.dispose();
  sparks.geometry = new THREE.BufferGeometry().setFromPoints(flying.map(({ at }) => at));
  renderer.render(scene, camera);
});
