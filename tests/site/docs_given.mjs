// What the code blocks of the guide take as given, by page, section and number in it. A world has a floor, a crate `id`, and has made a step.
import { readFileSync } from 'node:fs';
import * as talus from 'talus';
import { Character, Vehicle } from 'talus/controllers';
import { createRagdoll } from 'talus/rigs';
import { ThreePhysics } from 'talus/three';
import { TalusWorker } from 'talus/worker';
import 'talus/gpu';
import * as THREE from 'three';

/** Draws three frames at once. */
const renderer = {
  setAnimationLoop(call) {
    for (let i = 1; i <= 3; i++) call(i * 17);
  },
  render() {},
};

async function make() {
  const world = await talus.createWorld({ warn: false });
  const floor = world.createShape({ type: 'plane' });
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  world.createBody({ type: 'static', shape: floor });
  const id = world.createBody({ shape: box, position: [0, 0.5, 0] });
  world.step();
  const mesh = new THREE.Mesh();
  const instances = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), 4);
  return {
    ...talus,
    THREE,
    world,
    box,
    id,
    mesh,
    instances,
    renderer,
    scene: new THREE.Scene(),
    camera: new THREE.PerspectiveCamera(),
  };
}

function chassisOf(world) {
  return world.createBody({
    shape: world.createShape({ type: 'box', halfExtents: [0.9, 0.3, 2] }),
    position: [0, 1, 0],
    mass: 1000,
  });
}
const WHEELS = [-1, 1].flatMap((x) => [-1, 1].map((z) => ({ position: [x, -0.45, z], radius: 0.35, driven: true })));

/** A skinned mesh with the bones of a human. */
function skinned() {
  const bone = (name, x, y, z, children = []) => {
    const made = new THREE.Bone();
    made.name = name;
    made.position.set(x, y, z);
    if (children.length) made.add(...children);
    return made;
  };
  const side = (s, x) => ({
    arm: bone(`${s}Arm`, x * 0.2, 0.25, 0, [bone(`${s}ForeArm`, x * 0.28, 0, 0, [bone(`${s}Hand`, x * 0.25, 0, 0)])]),
    leg: bone(`${s}UpLeg`, x * 0.1, -0.05, 0, [bone(`${s}Leg`, 0, -0.42, 0, [bone(`${s}Foot`, 0, -0.42, 0)])]),
  });
  const [left, right] = [side('Left', 1), side('Right', -1)];
  const head = bone('Neck', 0, 0.3, 0, [bone('Head', 0, 0.1, 0)]);
  const chest = bone('Spine2', 0, 0.15, 0, [left.arm, right.arm, head]);
  const hips = bone('Hips', 0, 1, 0, [bone('Spine', 0, 0.1, 0, [chest]), left.leg, right.leg]);
  hips.updateMatrixWorld(true);
  const bones = [];
  hips.traverse((one) => bones.push(one));
  const mesh = new THREE.SkinnedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial());
  mesh.add(hips);
  mesh.bind(new THREE.Skeleton(bones));
  return mesh;
}

const MORE = {
  'api Shapes 0': () => ({ positions: [0, 0, 0, 1, 0, 0, 0, 0, 1], indices: [0, 2, 1], heights: [0, 0, 0, 1], nx: 2, nz: 2 }),
  'api Bodies 0': ({ box }) => ({
    top: box,
    leg: box,
    ball: box,
    count: 2,
    positions: [0, 3, 0, 0, 5, 0],
    rotations: [0, 0, 0, 1, 0, 0, 0, 1],
    densities: [500, 900],
    types: [2, 0],
  }),
  'api Bodies 1': ({ id, world }) => ({
    crate: id,
    collider: world.getBody(id).colliders[0],
    bigger: world.createShape({ type: 'sphere', radius: 1 }),
  }),
  'api Bodies 3': () => ({ ICE: 3, SHOE: 4 }),
  'api Joints 0': ({ id, world, box }) => ({ frame: id, door: world.createBody({ shape: box, position: [2, 1, 0] }) }),
  'api Motion 0': () => ({ planet: [0, -100, 0], time: 1 }),
  'api Frames 0': ({ world, id }) => ({
    elapsed: () => 1 / 60,
    bodies: Uint32Array.of(world.indexOf(id)),
    scales: new Float32Array([1, 1, 1]),
  }),
  'api Events 0': ({ world }) => {
    const heard = { playSound: 0, sparks: 0 };
    return {
      playSound: () => heard.playSound++,
      sparks: () => heard.sparks++,
      /** What the words around say: both are called by a hard impact. */
      after(ran) {
        world.set({ hitSpeed: 1 });
        world.createBody({
          shape: world.createShape({ type: 'sphere', radius: 0.3 }),
          position: [5, 0.5, 0],
          linearVelocity: [0, -20, 0],
        });
        for (let i = 0; i < 10; i++) {
          world.step();
          for (const event of world.events) if (event.kind === 'begin' && event.impulse > 10) heard.sparks++;
        }
        if (heard.playSound === 0 || heard.sparks === 0) throw new Error('no impact was told');
        return ran;
      },
    };
  },
  'api Queries 0': ({ id }) => ({ me: id, land() {} }),
  'api Saving, going back, comparing 0': ({ world }) => ({ ring: [], k: 0, theirs: world.hash(), resync() {} }),
  // Tests of the GPU have one; here it is enough that the call is there.
  'api Looking inside 0': ({ world }) => ({ world: Object.assign(world, { setBackend: async () => world }) }),
  'controllers Character 0': () => ({ after: ({ frame }) => frame({ right: 1, ahead: 0, jump: false }, 0.02) }),
  'controllers Character 1': ({ world }) => ({
    player: new Character(world, { shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 }, position: [3, 0, 0] }),
    openDoor() {},
  }),
  'controllers Vehicle 0': ({ world }) => ({
    chassis: chassisOf(world),
    body: new THREE.Mesh(),
    meshes: WHEELS.map(() => new THREE.Object3D()),
    after: ({ frame }) => frame({ ahead: 1, brake: 0, left: 0 }, 0.02),
  }),
  'controllers Saving 0': ({ world }) => ({
    player: new Character(world, { shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 }, position: [3, 0, 0] }),
    car: new Vehicle(world, { body: chassisOf(world), wheels: WHEELS }),
  }),
  'controllers Several, and your own 0': ({ world, id }) => ({ balloon: id, after: () => world.step() }),
  'controllers In a thread 0': async () => {
    const thread = await TalusWorker.create({ warn: false });
    return {
      thread,
      chassis: chassisOf(thread),
      wheels: WHEELS,
      tires: WHEELS.map(() => new THREE.Object3D()),
      after({ frame }) {
        frame({ right: 1, ahead: 0, jump: false });
        thread.dispose();
      },
    };
  },
  'recipes Drag bodies with the mouse or a finger 0': ({ world }) => ({
    physics: new ThreePhysics(world),
    raycaster: new THREE.Raycaster(new THREE.Vector3(0, 5, 0), new THREE.Vector3(0, -1, 0)),
    pointInTheScene: [0, 2, 0],
  }),
  'recipes Let a skinned mesh fall as a ragdoll 0': ({ world }) => {
    const physics = new ThreePhysics(world);
    const model = skinned();
    return {
      physics,
      model,
      after({ doll }) {
        for (let i = 0; i < 90; i++) physics.update(1 / 60);
        physics.sync(1);
        const head = model.skeleton.getBoneByName('Head').getWorldPosition(new THREE.Vector3());
        if (head.distanceTo(world.getPosition(doll.bone('head').body, new THREE.Vector3())) > 1e-3)
          throw new Error('no bone follows');
        if (head.y > 1) throw new Error('it does not fall');
      },
    };
  },
  'recipes Build a car on wheel joints 0': ({ world }) => {
    const chassis = chassisOf(world);
    const shape = world.createShape({ type: 'cylinder', radius: 0.4, halfHeight: 0.15 });
    const rotation = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    return {
      chassis,
      wheel: world.createBody({ shape, position: [0.95, 0.4, 1.3], rotation, mass: 25 }),
      after: () => world.step(),
    };
  },
  'recipes Hang a door 0': ({ world, box }) => ({
    door: world.createBody({ shape: box, position: [0.6, 2, 0], mass: 40 }),
    after({ hinge }) {
      const { bodyB } = world.getJoint(hinge);
      world.applyImpulse(bodyB, [0, 0, -100]);
      for (let i = 0; i < 30; i++) world.step();
      if (world.getJoint(hinge).place < 0.1) throw new Error('a push does not open it');
      for (let i = 0; i < 600; i++) world.step();
      if (Math.abs(world.getJoint(hinge).place) > 0.05) throw new Error('it does not close');
      world.applyImpulse(bodyB, [0, 1e6, 1e6]);
      world.step();
      if (world.jointCount > 0) throw new Error('it does not break');
    },
  }),
  'recipes Hang a door 1': ({ world, box }) => {
    const bodyB = world.createBody({ shape: box, position: [0.6, 2, 0], mass: 40 });
    const hinge = world.createJoint({
      type: 'hinge',
      bodyB,
      anchor: [0, 1, 0],
      axis: [0, 1, 0],
      limit: { min: -1.9, max: 1.9 },
      spring: { target: 0, frequency: 0.35 },
    });
    return {
      hinge,
      after() {
        for (let i = 0; i < 120; i++) world.step();
        if (world.getJoint(hinge).place < 0.1) throw new Error('the motor does not open it');
      },
    };
  },
  'recipes Move a platform that carries things 0': ({ world }) => {
    const lift = new THREE.Mesh(new THREE.BoxGeometry(2, 0.2, 2), new THREE.MeshBasicMaterial());
    return { physics: new ThreePhysics(world), lift };
  },
  'recipes Choose what collides 0': ({ world, id }) => ({ collider: world.getBody(id).colliders[0] }),
  'recipes Play sounds and react to triggers 0': ({ world, id }) => {
    let heard = 0;
    return {
      openGate() {},
      play: () => heard++,
      after() {
        world.teleport(id, [0, 3, 0]);
        for (let i = 0; i < 60; i++) world.step();
        if (heard === 0) throw new Error('no sound');
      },
    };
  },
  'recipes Load a level from glTF 0': ({ world, mesh }) => {
    mesh.geometry = new THREE.BoxGeometry();
    mesh.userData.physics = { type: 'static' };
    const scene = new THREE.Group().add(mesh);
    return {
      physics: new ThreePhysics(world),
      gltf: { scene, parser: { json: { asset: { version: '2.0' } }, associations: new Map() } },
      after() {
        const before = world.bodyCount;
        new ThreePhysics(world).addScene(scene);
        if (world.bodyCount !== before + 1) throw new Error('no body of the marked object');
      },
    };
  },
  'recipes Roll back and step again 0': ({ world, id }) => ({
    /** A late input comes to what one in time comes to. */
    after({ step, arrived }) {
      const start = world.snapshot();
      const input = { body: id, impulse: [100, 300, 0] };
      arrived(world.stepCount + 5, input);
      for (let i = 0; i < 12; i++) step();
      const expected = world.hash();
      const at = world.stepCount - 7;
      world.restore(start);
      const twice = world.getPosition(id, [0, 0, 0]);
      if (!twice) throw new Error('gone');
      for (let i = 0; i < 12; i++) step();
      if (world.hash() !== expected) throw new Error('another run');
      arrived(at, { body: id, impulse: [0, 10, 0] });
      if (world.hash() === expected) throw new Error('the input has no effect');
    },
  }),
  'recipes Put the world in a worker 0': () => ({
    canvas: { transferControlToOffscreen: () => ({}) },
    Worker: class {
      postMessage() {}
    },
    innerWidth: 1,
    innerHeight: 1,
    devicePixelRatio: 1,
  }),
  'recipes Walk in first person 0': ({ world }) => ({ physics: new ThreePhysics(world), keys: new Set() }),
  'rigs Skeletons 0': ({ world }) => ({ createRagdoll, model: skinned(), physics: new ThreePhysics(world) }),
  'rigs Plain descriptions 0': () => ({ createRagdoll }),
  'rigs Poses 0': ({ world }) => ({
    doll: createRagdoll(world, { position: [0, 1, 0] }),
    model: { getObjectByName: () => new THREE.Bone() },
  }),
};

/** Variables for a block; `after` is called with what it has made. */
export async function given(name) {
  const base = await make();
  return { ...base, ...(await MORE[name]?.(base)) };
}

/** `/assets/talus.wasm` of a page. */
globalThis.location = new URL('http://localhost/page.html');
const { fetch } = globalThis;
globalThis.fetch = async (address, options) =>
  String(address).endsWith('/assets/talus.wasm')
    ? new Response(readFileSync('dist/talus.wasm'), { headers: { 'content-type': 'application/wasm' } })
    : fetch(address, options);
