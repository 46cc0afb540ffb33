// talus as a contender: a world filled from a scene, with the same interface for stepping and reading as other engines
// (bench/engines/).
import { jointSettings, type Scene, type ShapeDef, STATIC } from '../scenes/index';
import type { createWorld as createWorldType, ShapeDesc, ShapeId, World, WorldOptions } from '../src/study/index';
import type { Contender, Matrix } from './types';

export type CreateWorld = typeof createWorldType;

/** State of all bodies of a scene: body origin (xyz), rotation (xyzw), velocity of the centre of mass, spin (world). */
export interface State {
  position: Float64Array;
  rotation: Float64Array;
  linear: Float64Array;
  angular: Float64Array;
}

/** A contender. `step` returns a promise if the step ends later. */
export interface Engine {
  version: string;
  step(): Promise<void> | void;
  read(state: State): void;
  dispose(): void;
  /** The world, if it is one of talus. */
  world?: World;
}

export type EngineFactory = (scene: Scene) => Promise<Engine>;

function shapeDesc(def: Exclude<ShapeDef, { type: 'compound' }>): ShapeDesc {
  if (def.type !== 'heightfield') return def;
  const { originX, originZ, ...rest } = def;
  return { ...rest, origin: [originX, 0, originZ] };
}

/** Fills an empty world with a scene: body i of the scene has slot i. */
export function populate(world: World, scene: Scene): void {
  const { bodies, shapes } = scene;
  const ids: (ShapeId | null)[] = shapes.map((def) => (def.type === 'compound' ? null : world.createShape(shapeDesc(def))));
  /** Bodies from..to, none of them a compound, in one call. */
  const bulk = (from: number, to: number) => {
    if (from === to) return;
    world.createBodies({
      count: to - from,
      types: bodies.type.subarray(from, to),
      shapes: Array.from(bodies.shape.subarray(from, to), (shape) => ids[shape]!),
      positions: bodies.position.subarray(3 * from, 3 * to),
      rotations: bodies.rotation.subarray(4 * from, 4 * to),
      linearVelocities: bodies.linearVelocity.subarray(3 * from, 3 * to),
      angularVelocities: bodies.angularVelocity.subarray(3 * from, 3 * to),
      densities: bodies.density.subarray(from, to),
      frictions: bodies.friction.subarray(from, to),
      restitutions: bodies.restitution.subarray(from, to),
    });
  };
  let from = 0;
  for (let i = 0; i < bodies.count; i++) {
    const def = shapes[bodies.shape[i]!]!;
    if (def.type !== 'compound') continue;
    bulk(from, i);
    from = i + 1;
    const material = { density: bodies.density[i]!, friction: bodies.friction[i]!, restitution: bodies.restitution[i]! };
    world.createBody({
      type: bodies.type[i] === STATIC ? 'static' : 'dynamic',
      position: bodies.position.subarray(3 * i, 3 * i + 3),
      rotation: bodies.rotation.subarray(4 * i, 4 * i + 4),
      linearVelocity: bodies.linearVelocity.subarray(3 * i, 3 * i + 3),
      angularVelocity: bodies.angularVelocity.subarray(3 * i, 3 * i + 3),
      colliders: def.children.map((c) => ({ shape: ids[c.shape]!, position: c.position, rotation: c.rotation, ...material })),
    });
  }
  bulk(from, bodies.count);
  for (const joint of scene.joints ?? []) {
    world.createJoint({ ...jointSettings(joint), bodyA: world.bodyAt(joint.bodyA), bodyB: world.bodyAt(joint.bodyB)! });
  }
}

/** Copies the state of the first `count` slots of a world. */
export function readWorld(world: World, count: number, state: State): void {
  const { positions, rotations, velocities } = world;
  state.rotation.set(rotations.subarray(0, 4 * count));
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < 3; c++) {
      state.position[3 * i + c] = positions[4 * i + c]!;
      state.linear[3 * i + c] = velocities[16 * i + c]!;
      state.angular[3 * i + c] = velocities[16 * i + 4 + c]!;
    }
  }
}

/** The scene with its bodies in another state: what a contender starts from after settling. */
export function continued(scene: Scene, state: State): Scene {
  return {
    ...scene,
    bodies: {
      ...scene.bodies,
      position: Float32Array.from(state.position),
      rotation: Float32Array.from(state.rotation),
      linearVelocity: Float32Array.from(state.linear),
      angularVelocity: Float32Array.from(state.angular),
    },
  };
}

/** A world of talus on a contender's backend with its solver. `device` is for WebGPU. */
export async function openTalus(
  createWorld: CreateWorld,
  scene: Scene,
  contender: Pick<Contender, 'backend' | 'solver' | 'threads'>,
  preset: Matrix['preset'],
  device?: GPUDevice,
): Promise<Engine> {
  const onGpu = contender.backend === 'webgpu';
  const options: WorldOptions = {
    gravity: scene.gravity,
    dt: scene.dt,
    preset,
    backend: onGpu ? 'webgpu' : 'wasm',
    solver: contender.solver as WorldOptions['solver'],
    sleep: false,
    bodyCapacity: scene.bodies.count,
    ...(contender.threads ? { threads: contender.threads } : {}),
    ...(onGpu && device ? { device } : {}),
  };
  const world = await createWorld(options);
  populate(world, scene);
  const { count } = scene.bodies;
  return {
    version: 'talus',
    world,
    step() {
      if (onGpu) return world.stepAsync();
      world.step();
    },
    read: (state) => readWorld(world, count, state),
    dispose: () => world.dispose(),
  };
}
