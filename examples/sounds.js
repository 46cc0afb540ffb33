// Triggers and sounds: impacts sound by material and speed, a gate counts and rings. Click once to hear it.
import { createWorld } from 'talus';
import { ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 20, 78);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -14, right: 14, top: 14, bottom: -14, far: 56 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(0, 5, 12);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 2.4, 0);
controls.update();
function resize() {
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener('resize', resize);
resize();

const world = await createWorld({ hitSpeed: 0.8 }); // m/s: slower impacts send no 'hit', which keeps a pile that settles silent
const physics = new ThreePhysics(world);
/** A mesh that is a body. */
function add(geometry, color, position, options) {
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color }));
  mesh.position.set(...position);
  mesh.castShadow = mesh.receiveShadow = true;
  scene.add(mesh);
  return physics.add(mesh, options);
}

// What a body sounds like: frequency (Hz), how long it rings (s), wave.
const WOOD = { pitch: 180, ring: 0.12, wave: 'triangle' };
const STONE = { pitch: 90, ring: 0.08, wave: 'square' };
const steel = (pitch) => ({ pitch, ring: 1.2, wave: 'sine' });
const box = (x, y, z) => new THREE.BoxGeometry(x, y, z);
add(box(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static', userData: STONE });
// Stairs of steel, tuned to a scale.
[1, 9 / 8, 5 / 4, 3 / 2, 5 / 3, 2].forEach((ratio, i) => {
  const bar = { type: 'static', restitution: 0.75, userData: steel(330 * ratio) };
  add(box(1.1, 0.15, 2).rotateZ(-0.15), '#94a3b0', [-4 + 1.5 * i, 4 - 0.65 * i, 0], bar);
});

// A gate: a sensor is met by everything and stops nothing.
const zone = add(box(2, 1.8, 4), '#6f9a76', [6, 0.9, 0], { type: 'static', sensor: true });
const gate = physics.objectOf(zone).material;
Object.assign(gate, { transparent: true, opacity: 0.4 });
let [inside, passed] = [0, 0];
world.on('sensor-begin', () => {
  inside++;
  passed++;
  gate.color.set('#e8590c');
  note.textContent = `${passed} through the gate`;
  play(steel(1320), 0.15, camera.position);
});
world.on('sensor-end', () => {
  if (--inside === 0) gate.color.set('#6f9a76');
});

let audio = null; // a page may sound once someone has touched it
addEventListener('pointerdown', () => (audio ??= new AudioContext()));
let voices = 0;
/** One tone with a hard attack that fades away, where it came from. */
function play({ pitch, ring, wave }, volume, { x, y, z }) {
  if (!audio || voices > 24) return; // more at once are only noise
  voices++;
  const now = audio.currentTime;
  const gain = new GainNode(audio, { gain: volume });
  gain.gain.exponentialRampToValueAtTime(1e-4, now + ring);
  const panner = new PannerNode(audio, { positionX: x, positionY: y, positionZ: z, refDistance: 8 });
  const tone = new OscillatorNode(audio, { type: wave, frequency: pitch });
  tone.connect(gain).connect(panner).connect(audio.destination);
  tone.start(now);
  tone.stop(now + ring);
  tone.onended = () => voices--;
}
world.on('hit', ({ bodyA, bodyB, point, approachSpeed, impulse }) => {
  const at = new THREE.Vector3(...point);
  // The ear hears powers: twice as fast is four times the energy. A light thing sounds higher than a heavy one.
  const volume = Math.min(0.4, 0.01 * approachSpeed ** 2);
  for (const body of [bodyA, bodyB]) {
    const sound = world.getUserData(body);
    if (sound) play({ ...sound, pitch: sound.pitch * (1 + 0.3 / (1 + impulse / 20)) }, volume, at);
    if (sound !== STONE) physics.objectOf(body)?.material.emissive.setScalar(Math.min(0.4, 0.06 * approachSpeed)); // to be seen, too
  }
});
const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:5%;bottom:20px;margin:0;font:14px system-ui;color:#26323d';
document.body.append(note);

// The same bodies again and again: a pool, put back to the top.
const shapes = [new THREE.SphereGeometry(0.25, 32, 16), box(0.4, 0.4, 0.4), new THREE.IcosahedronGeometry(0.3)];
const pool = Array.from({ length: 24 }, (_, i) => {
  const options = { restitution: 0.5, density: 400, userData: i % 3 ? WOOD : steel(700) };
  return add(
    shapes[i % 3],
    ['#4a7a8c', '#e0b36a', '#c8664a'][i % 3],
    [-4.3 + 0.1 * Math.sin(i), 6 + i, 0.6 * Math.sin(3 * i)],
    options,
  );
});
let next = 0;
/** After each step: every half second of the world one of them. */
function afterStep() {
  if (world.stepCount % 30 !== 0) return;
  const body = pool[next++ % pool.length];
  world.teleport(body, [-4.3, 7, 1.2 * Math.random() - 0.6]);
  world.setVelocity(body, [0.5, 0, 0]);
}

let last = 0;
renderer.setAnimationLoop((now) => {
  physics.update((now - (last || now)) / 1000, { afterStep });
  last = now;
  scene.traverse((at) => at.material?.emissive?.multiplyScalar(0.92));
  renderer.render(scene, camera);
});
