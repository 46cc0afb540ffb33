// Skinned mesh: a human of one mesh walks by animation. Click, and it falls as a ragdoll; click again, and it stands up.
import { createWorld } from 'talus';
import { createRagdoll, humanSkeleton } from 'talus/rigs';
import { readSkeleton, ThreePhysics } from 'talus/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color('#dfe6ec');
scene.fog = new THREE.Fog('#dfe6ec', 8, 31);
const sun = new THREE.DirectionalLight('white', 3);
sun.position.set(7, 14, 8);
sun.castShadow = true;
Object.assign(sun.shadow.camera, { left: -8, right: 8, top: 8, bottom: -8, far: 32 });
sun.shadow.mapSize.set(2048, 2048);
scene.add(sun, new THREE.HemisphereLight('white', '#64748b', 1.5));
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 200);
camera.position.set(3, 2.2, 3.6);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 0.8, 0);
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
add(new THREE.BoxGeometry(200, 1, 200), '#b0bdc8', [0, -0.5, 0], { type: 'static' });
add(new THREE.BoxGeometry(1.6, 0.5, 1.6), '#e0b36a', [0, 0.25, 0], { type: 'static' });

/** A skinned mesh as a file would have it: bones, and a skin in which each point follows one of them or, at a joint, two. */
function makeHuman() {
  const rest = humanSkeleton();
  const bones = rest.map(({ name }) => Object.assign(new THREE.Bone(), { name }));
  const parts = [];
  for (const [i, { parent, position, name }] of rest.entries()) {
    const [from, to] = [new THREE.Vector3(...(rest[parent]?.position ?? position)), new THREE.Vector3(...position)];
    bones[i].position.subVectors(to, parent < 0 ? new THREE.Vector3() : from);
    if (parent < 0) continue;
    bones[parent].add(bones[i]);
    const width = { headEnd: 0.11, chest: 0.13, neck: 0.14, abdomen: 0.12 }[name] ?? (/shin|foot/.test(name) ? 0.075 : 0.055);
    const limb = new THREE.CapsuleGeometry(width, Math.max(0.01, from.distanceTo(to) - 0.5 * width), 6, 16, 6);
    limb.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.clone().sub(from).normalize()));
    limb.translate(...from.clone().lerp(to, 0.5));
    const { count } = limb.attributes.position;
    const [indices, weights] = [new Uint16Array(4 * count), new Float32Array(4 * count)];
    for (let k = 0; k < count; k++) {
      const share =
        new THREE.Vector3().fromBufferAttribute(limb.attributes.position, k).sub(from).dot(to.clone().sub(from)) /
        from.distanceToSquared(to);
      const next = THREE.MathUtils.clamp(3 * share - 2.5, 0, 0.5); // close to its end half of it follows the next bone
      indices.set([parent, i], 4 * k);
      weights.set([1 - next, next], 4 * k);
    }
    limb.setAttribute('skinIndex', new THREE.BufferAttribute(indices, 4));
    limb.setAttribute('skinWeight', new THREE.BufferAttribute(weights, 4));
    parts.push(limb);
  }
  const mesh = new THREE.SkinnedMesh(mergeGeometries(parts), new THREE.MeshStandardMaterial({ color: '#4a7a8c' }));
  mesh.add(bones[0]);
  mesh.bind(new THREE.Skeleton(bones));
  return mesh;
}
const human = makeHuman();
human.castShadow = true;
scene.add(human);
const bone = (name) => human.skeleton.getBoneByName(name);

const SPEED = 1.4; // m/s, on a circle of 2 m
let [doll, phase, angle] = [null, 0, 0];
/** The animation, as an AnimationMixer would play it. */
function walk(seconds) {
  phase += 6 * seconds;
  angle += (SPEED / 2) * seconds;
  human.position.set(2 * Math.sin(angle), 0, 2 * Math.cos(angle));
  human.rotation.y = angle + Math.PI / 2;
  for (const [side, sign] of [
    ['L', 1],
    ['R', -1],
  ]) {
    const swing = sign * Math.sin(phase);
    bone(`thigh${side}`).rotation.x = 0.5 * swing;
    bone(`shin${side}`).rotation.x = 0.5 - 0.4 * swing;
    bone(`upperArm${side}`).rotation.set(-0.4 * swing, 0, -1.35 * sign);
  }
}
function fall() {
  // A body for each bone that it needs, where the bones are now; from here on the bodies move the bones.
  const way = new THREE.Vector3(0, 0, SPEED).applyQuaternion(human.quaternion);
  doll = createRagdoll(world, { skeleton: readSkeleton(human), linearVelocity: way });
  physics.bindSkeleton(human, doll);
  world.applyImpulse(doll.bone('chest').body, way.multiplyScalar(60).setY(30)); // somebody pushes
}
function standUp() {
  physics.unbind(human); // the bones are the animation's again
  doll.dispose();
  doll = null;
  human.skeleton.pose();
}
const turn = () => (doll ? standUp() : fall());
addEventListener('click', turn);
setInterval(turn, 4000);

let last = 0;
renderer.setAnimationLoop((now) => {
  const seconds = Math.min(0.1, (now - (last || now)) / 1000);
  last = now;
  if (!doll) walk(seconds);
  physics.update(seconds);
  renderer.render(scene, camera);
});
