// talus behind the bench's engine interface: the built package (dist/), one world, sleeping off unless asked for, everything else at its
// defaults.
// What a scene does by itself (scenes/acts.ts) is played and timed with the step.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageInfo } from '../lib/package_version.mjs';
import { actOf, DYNAMIC, jointSettings, STATIC, traitSettings } from '../lib/scenes.mjs';
import { atStart } from '../lib/script.mjs';

/** Solvers of the product; all others are those of `talus/study`. */
const OF_PRODUCT = ['auto', 'wide', 'cell-split'];

/** The built package, for a solver the entry that has it; says what to do where it has not been built. */
export async function loadTalus(solver = 'auto') {
  const load = (name) => {
    const entry = resolve(import.meta.dirname, `../../dist/${name}.js`);
    if (!existsSync(entry)) throw new Error('dist/ is missing: run `npm run build` first');
    return import(pathToFileURL(entry).href);
  };
  if (!OF_PRODUCT.includes(solver)) return load('study');
  await load('gpu');
  return load('index');
}

/** A scene's shape as the engine takes it. */
function shapeDesc(shape) {
  if (shape.type !== 'heightfield') return shape;
  const { originX, originZ, ...rest } = shape;
  return { ...rest, origin: [originX, 0, originZ] };
}

/** Slot of a body that is not in the world. */
const ABSENT = 0xffffffff;

/**
 * Fills a world with a scene, without the bodies that come in later.
 * @param world A talus World.
 * @param {import('../../scenes/types').Scene} scene
 * @returns {Uint32Array} Index of each scene body in the views of the world.
 */
export function populate(world, scene) {
  return stock(world, scene).indices;
}

/** Fills a world with a scene, and knows how to add more of it. */
function stock(world, scene) {
  const ids = scene.shapes.map((s) => (s.type === 'compound' ? null : world.createShape(shapeDesc(s))));
  const indices = new Uint32Array(scene.bodies.count).fill(ABSENT);
  const add = (bodies, joints) => {
    createBodies(world, scene, ids, indices, bodies);
    createJoints(world, scene, indices, joints);
  };
  const first = atStart(scene);
  add(first.bodies, first.joints);
  return { indices, add };
}

/** Makes some of the bodies of a scene and notes their indices. */
function createBodies(world, scene, ids, indices, wanted) {
  const { bodies, shapes } = scene;
  const slice = (array, width, list) =>
    Float32Array.from(list.flatMap((i) => Array.from(array.subarray(width * i, width * i + width))));
  const traits = new Map((scene.traits ?? []).map((one) => [one.body, traitSettings(one)]));
  // Runs of plain bodies with one shape go in at once; compounds and bodies with traits one by one, all in the order of the scene.
  let run = [];
  const flush = () => {
    if (run.length === 0) return;
    const list = run;
    run = [];
    const created = world.createBodies({
      count: list.length,
      types: Uint8Array.from(list, (i) => bodies.type[i]),
      shapes: list.map((i) => ids[bodies.shape[i]]),
      positions: slice(bodies.position, 3, list),
      rotations: slice(bodies.rotation, 4, list),
      linearVelocities: slice(bodies.linearVelocity, 3, list),
      angularVelocities: slice(bodies.angularVelocity, 3, list),
      densities: slice(bodies.density, 1, list),
      frictions: slice(bodies.friction, 1, list),
      restitutions: slice(bodies.restitution, 1, list),
    });
    for (let k = 0; k < list.length; k++) indices[list[k]] = world.indexOf(created[k]);
  };
  for (const i of wanted) {
    const shape = shapes[bodies.shape[i]];
    const own = traits.get(i);
    if (shape.type !== 'compound' && !own) {
      run.push(i);
      continue;
    }
    flush();
    const material = {
      density: bodies.density[i],
      friction: bodies.friction[i],
      restitution: bodies.restitution[i],
      ...own?.collider,
    };
    const children = shape.type === 'compound' ? shape.children : [{ shape: bodies.shape[i] }];
    const id = world.createBody({
      type: bodies.type[i] === STATIC ? 'static' : bodies.type[i] === DYNAMIC ? 'dynamic' : 'kinematic',
      position: bodies.position.subarray(3 * i, 3 * i + 3),
      rotation: bodies.rotation.subarray(4 * i, 4 * i + 4),
      linearVelocity: bodies.linearVelocity.subarray(3 * i, 3 * i + 3),
      angularVelocity: bodies.angularVelocity.subarray(3 * i, 3 * i + 3),
      colliders: children.map((child) => ({ ...child, shape: ids[child.shape], ...material })),
      ...own?.body,
    });
    indices[i] = world.indexOf(id);
  }
  flush();
}

/** Makes some of the joints of a scene. */
function createJoints(world, scene, indices, wanted) {
  const body = (index) => (index < 0 ? null : world.bodyAt(indices[index]));
  for (const k of wanted) {
    const joint = scene.joints[k];
    world.createJoint({ ...jointSettings(joint), bodyA: body(joint.bodyA), bodyB: body(joint.bodyB) });
  }
}

/** The scene's own act, begun; null if its bodies only fall. */
async function startAct(world, scene, indices) {
  const make = actOf(scene.name);
  if (!make) return null;
  const controllers = await import(pathToFileURL(resolve(import.meta.dirname, '../../dist/controllers.js')).href);
  const act = make({ scene, world, bodies: Array.from(indices, (slot) => world.bodyAt(slot)), controllers });
  act.tick();
  return act;
}

/**
 * @param {import('../../scenes/types').Scene} scene
 * @param {{ solver?: string, preset?: string, backend?: string, device?: GPUDevice, seed?: number, wasm?: BufferSource, sleep?: boolean }} options Of the world.
 * @param {{ createWorld: Function }} [api] Another build of the package than dist/.
 */
export async function create(scene, options = {}, api = undefined) {
  const { createWorld } = api ?? (await loadTalus(options.solver));
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const world = await createWorld({ gravity: scene.gravity, dt: scene.dt, sleep: false, ...given });
  const { indices, add } = stock(world, scene);
  const onGpu = given.backend === 'webgpu';
  const act = await startAct(world, scene, indices);
  return {
    name: 'talus',
    version: packageInfo('.').version,
    settings: { solver: given.solver ?? 'auto', preset: given.preset ?? 'balanced', backend: given.backend ?? 'wasm' },
    world,
    step() {
      if (onGpu) return world.stepAsync().then(() => act?.tick());
      world.step();
      act?.tick();
    },
    add,
    // Their joints go with them.
    remove(bodies) {
      for (const i of bodies) {
        world.removeBody(world.bodyAt(indices[i]));
        indices[i] = ABSENT;
      }
    },
    setVelocity: (i, linear) => world.setVelocity(world.bodyAt(indices[i]), linear, [0, 0, 0]),
    read(state) {
      const { positions, rotations, velocities } = world;
      for (let i = 0; i < indices.length; i++) {
        const k = indices[i];
        if (k === ABSENT) continue;
        for (let c = 0; c < 3; c++) {
          state.position[3 * i + c] = positions[4 * k + c];
          state.linear[3 * i + c] = velocities[16 * k + c];
          state.angular[3 * i + c] = velocities[16 * k + 4 + c];
        }
        for (let c = 0; c < 4; c++) state.rotation[4 * i + c] = rotations[4 * k + c];
      }
    },
    // The fourth float of a body row is the inverse mass.
    mass: (i) => (indices[i] === ABSENT ? Number.NaN : 1 / world.velocities[16 * indices[i] + 3]),
    extra: () => ({ ...world.profile, stopped: world.faults.stopped }),
    dispose: () => world.dispose(),
  };
}
