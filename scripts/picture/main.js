// The scene of the picture in README.md: a wall of bricks that stands, and a ball on a chain that swings into it. One frame at a time,
// for scripts/make_picture.mjs.
import * as THREE from 'three';
import { createWorld } from '../../dist/index.js';
import { createChain } from '../../dist/rigs.js';
import { ThreePhysics } from '../../dist/three.js';

const BRICK = [0.48, 0.24, 0.24];
const ROWS = 14;
const COLUMNS = 24;
const RADIUS = 6.5;
const LINKS = 9;
const COLORS = ['#c8553d', '#d97b54', '#b5443a', '#e0a37e', '#cf6a4b'];

const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
renderer.setSize(innerWidth, innerHeight);
renderer.shadowMap.enabled = true;
renderer.shadowMap.type = THREE.PCFSoftShadowMap;
document.body.append(renderer.domElement);

const scene = new THREE.Scene();
scene.background = new THREE.Color('#e9eef2');
scene.fog = new THREE.Fog('#e9eef2', 22, 45);
const camera = new THREE.PerspectiveCamera(38, innerWidth / innerHeight, 0.1, 100);
scene.add(new THREE.HemisphereLight('#ffffff', '#8d8478', 1.6));
const sun = new THREE.DirectionalLight('#fff4e0', 2.6);
sun.position.set(-6, 12, 8);
sun.castShadow = true;
sun.shadow.mapSize.set(2048, 2048);
Object.assign(sun.shadow.camera, { left: -10, right: 10, top: 10, bottom: -10, far: 40 });
scene.add(sun);

const world = await createWorld({ sleep: false });
const physics = new ThreePhysics(world);

const floor = new THREE.Mesh(
  new THREE.BoxGeometry(80, 1, 80),
  new THREE.MeshStandardMaterial({ color: '#cfd6d8', roughness: 1 }),
);
floor.position.y = -0.5;
floor.receiveShadow = true;
scene.add(floor);
physics.add(floor, { type: 'static' });

/** A wall on an arc, course by course, every other one half a brick on. */
const bricks = new THREE.InstancedMesh(
  new THREE.BoxGeometry(...BRICK),
  new THREE.MeshStandardMaterial({ roughness: 0.9 }),
  ROWS * COLUMNS - Math.floor(ROWS / 2),
);
bricks.castShadow = true;
bricks.receiveShadow = true;
const turn = (BRICK[0] * 1.04) / RADIUS;
const matrix = new THREE.Matrix4();
for (let row = 0, i = 0; row < ROWS; row++) {
  for (let column = 0; column < COLUMNS - (row % 2); column++, i++) {
    const angle = (column - COLUMNS / 2 + (row % 2) / 2) * turn;
    matrix.makeRotationY(angle);
    matrix.setPosition(RADIUS * Math.sin(angle), BRICK[1] * (row + 0.5), RADIUS * (Math.cos(angle) - 1));
    bricks.setMatrixAt(i, matrix);
    bricks.setColorAt(i, new THREE.Color(COLORS[Math.floor(COLORS.length * ((Math.sin(i * 12.9898) * 43758.5453) % 1) ** 2)]));
  }
}
scene.add(bricks);
physics.add(bricks, { density: 1800, friction: 0.7 });

/** A chain from above the wall, drawn back, with a ball at its end. */
const top = new THREE.Vector3(0, 6.2, -0.2);
const back = new THREE.Vector3(0, -0.42, 0.9).normalize();
const points = [];
for (let k = 0; k <= LINKS; k++) points.push(top.clone().addScaledVector(back, 0.52 * k));
const chain = createChain(world, { points, radius: 0.07, start: 'world', density: 3000 });
const steel = new THREE.MeshStandardMaterial({ color: '#3c4650', metalness: 0.6, roughness: 0.45 });
const links = new THREE.InstancedMesh(new THREE.CapsuleGeometry(0.07, 0.42, 6, 12), steel, LINKS);
links.castShadow = true;
scene.add(links);
physics.bind(links, chain.bodies);
const ball = new THREE.Mesh(new THREE.SphereGeometry(0.55, 48, 32), steel);
ball.castShadow = true;
ball.position.copy(top).addScaledVector(back, 0.52 * LINKS + 0.55);
scene.add(ball);
const weight = physics.add(ball, { density: 5000 });
world.createJoint({ type: 'ball', bodyA: chain.bodies.at(-1), bodyB: weight, anchor: points.at(-1) });

/** Steps to the time of a frame and draws it; as text of the format. */
window.frame = (i, stepsPerFrame, quality) => {
  for (let k = 0; k < stepsPerFrame; k++) world.step();
  physics.sync(1);
  const angle = 0.62 - 0.004 * i;
  camera.position.set(11.5 * Math.sin(angle), 3.8, 11.5 * Math.cos(angle));
  camera.lookAt(-0.3, 1.9, -0.8);
  renderer.render(scene, camera);
  return renderer.domElement.toDataURL('image/webp', quality);
};
window.ready = true;
