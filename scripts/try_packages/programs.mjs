// The hello world of `npm run try:packages`: a box falls on the ground, with each engine, in a page, in a thread and in a program
// without a page. A page is right when the box lies at its height after 90 frames.

/** Frames after which a page is looked at. */
export const FRAMES = 90;

/** What all pages have: calls `step` each frame, which answers with the height of the box, and draws it. */
const RUN = `
function run(step) {
  const canvas = document.createElement('canvas');
  document.body.append(canvas);
  const pen = canvas.getContext('2d');
  window.frames_drawn = 0;
  const frame = () => {
    const height = step();
    pen.clearRect(0, 0, 300, 150);
    pen.fillRect(140, 130 - 20 * (height + 0.5), 20, 20);
    window.first_frame ??= performance.now();
    window.frames_drawn++;
    window.box_height = height;
    requestAnimationFrame(frame);
  };
  frame();
}
const failed = (error) => {
  window.failure = String(error);
};
`;

/** The calls of talus, on a `world`. */
const SCENE = `
  const floor = world.createShape({ type: 'box', halfExtents: [10, 1, 10] });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  world.createBody({ type: 'static', shape: floor, position: [0, -1, 0] });
  const box = world.createBody({ shape: cube, position: [0, 2, 0] });
`;

/** A page with talus, from one of the entries with `createWorld`. */
export const talusPage = (entry = 'talus', options = '') => `
import { createWorld } from '${entry}';
${RUN}
async function main() {
  const world = await createWorld(${options});
${SCENE}
  run(() => {
    world.step();
    return world.getPosition(box, [0, 0, 0])[1];
  });
}
main().catch(failed);
`;

/** A page whose world has two threads; it is right when both take part. */
export const threadsPage = (entry = 'talus') => `
import { createWorld } from '${entry}';
${RUN}
async function main() {
  const world = await createWorld({ threads: 2, threadChoice: 'always' });
${SCENE}
  let shared = false;
  run(() => {
    world.step();
    shared ||= world.profile.threads === 2;
    if (world.settings.threadsReason) failed(world.settings.threadsReason);
    return shared ? world.getPosition(box, [0, 0, 0])[1] : NaN;
  });
}
main().catch(failed);
`;

/** A page that has its world in the thread of the package. */
export const talusWorkerPage = (entry = 'talus/worker') => `
import { TalusWorker } from '${entry}';
${RUN}
async function main() {
  const world = await TalusWorker.create();
${SCENE}
  world.start();
  run(() => {
    world.frame();
    return world.getPosition(box, [0, 0, 0])[1];
  });
}
main().catch(failed);
`;

/** A page and a thread of its own that imports talus. */
export const ownWorkerPage = `
${RUN}
const worker = new Worker(new URL('./thread.js', import.meta.url), { type: 'module' });
let height = 2;
worker.onmessage = ({ data }) => {
  height = data;
};
worker.onerror = (event) => failed(event.message);
run(() => height);
`;
export const ownWorkerThread = `
import { createWorld } from 'talus';
createWorld().then((world) => {
${SCENE}
  setInterval(() => {
    world.step();
    postMessage(world.getPosition(box, [0, 0, 0])[1]);
  }, 16);
});
`;

/** A page that asks a service worker, and that service worker. */
export const serviceWorkerPage = (type) => `
${RUN}
async function main() {
  await navigator.serviceWorker.register('./service.js', { type: '${type}' });
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) {
    await new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', done, { once: true }));
  }
  let height = 2;
  const ask = async () => {
    height = Number(await (await fetch('./height')).text());
    setTimeout(ask, 5);
  };
  ask();
  run(() => height);
}
main().catch(failed);
`;
export const serviceWorker = (entry = 'talus') => `
import { createWorld } from '${entry}';
const made = createWorld().then((world) => {
${SCENE}
  return { world, box };
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  if (!event.request.url.endsWith('/height')) return;
  event.respondWith(
    made.then(({ world, box }) => {
      for (let i = 0; i < 5; i++) world.step();
      return new Response(String(world.getPosition(box, [0, 0, 0])[1]));
    }),
  );
});
`;

const rapierPage = `
import RAPIER from '@dimforge/rapier3d-compat';
${RUN}
async function main() {
  await RAPIER.init();
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  world.createCollider(RAPIER.ColliderDesc.cuboid(10, 1, 10).setTranslation(0, -1, 0));
  const box = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(0, 2, 0));
  world.createCollider(RAPIER.ColliderDesc.cuboid(0.5, 0.5, 0.5), box);
  run(() => {
    world.step();
    return box.translation().y;
  });
}
main().catch(failed);
`;

const havokPage = `
import HavokPhysics from '@babylonjs/havok';
${RUN}
async function main() {
  const hp = await HavokPhysics();
  const [, world] = hp.HP_World_Create();
  hp.HP_World_SetGravity(world, [0, -9.81, 0]);
  const make = (size, position, type) => {
    const [, shape] = hp.HP_Shape_CreateBox([0, 0, 0], [0, 0, 0, 1], size);
    const [, body] = hp.HP_Body_Create();
    hp.HP_Body_SetShape(body, shape);
    hp.HP_Body_SetMotionType(body, type);
    hp.HP_Body_SetMassProperties(body, hp.HP_Shape_BuildMassProperties(shape)[1]);
    hp.HP_Body_SetPosition(body, position);
    hp.HP_World_AddBody(world, body, false);
    return body;
  };
  make([20, 2, 20], [0, -1, 0], hp.MotionType.STATIC);
  const box = make([1, 1, 1], [0, 2, 0], hp.MotionType.DYNAMIC);
  run(() => {
    hp.HP_World_Step(world, 1 / 60);
    return hp.HP_Body_GetPosition(box)[1][1];
  });
}
main().catch(failed);
`;

/** Engines beside talus: package, page, and the binary that some tools do not bring to the page. */
export const OTHERS = {
  rapier: { packages: ['@dimforge/rapier3d-compat'], page: rapierPage, files: [] },
  havok: {
    packages: ['@babylonjs/havok'],
    page: havokPage,
    files: ['@babylonjs/havok/lib/esm/HavokPhysics.wasm'],
  },
};

/** A program without a page: prints the height. */
const steps = `
${SCENE}
  for (let i = 0; i < ${FRAMES}; i++) world.step();
  console.log('height ' + world.getPosition(box, [0, 0, 0])[1]);
`;
export const moduleProgram = (entry = 'talus') => `
import { createWorld, TalusError } from '${entry}';
import { createChain } from 'talus/rigs';
const world = await createWorld();
${steps}
try {
  createChain(world, { points: [] });
} catch (error) {
  if (!(error instanceof TalusError)) throw new Error('another class of errors');
}
`;
export const threadsProgram = (entry = 'talus') => `
import { createWorld } from '${entry}';
const world = await createWorld({ threads: 2, threadChoice: 'always' });
${SCENE}
for (let i = 0; i < 2000 && (i < ${FRAMES} || world.profile.threads < 2); i++) {
  world.step();
  await new Promise((done) => setTimeout(done, 1));
}
if (world.profile.threads < 2) throw new Error('one thread: ' + world.settings.threadsReason);
console.log('height ' + world.getPosition(box, [0, 0, 0])[1]);
`;
export const requireProgram = `
const { createWorld } = require('talus');
createWorld().then((world) => {
${steps}
});
`;
export const threadProgram = (entry = 'talus/worker') => `
import { TalusWorker } from '${entry}';
const world = await TalusWorker.create();
${SCENE}
for (let i = 0; i < ${FRAMES}; i++) world.step();
await world.flushed();
console.log('height ' + world.getPosition(box, [0, 0, 0])[1]);
world.dispose();
`;
