// Plays one run of the golden table: a scene of the library with its act or script, and what its state is at certain steps.
// In: an empty world, made with `settingsOf(run)`. Out: one checkpoint per step of `run.steps`.
import { atStart, Script } from '../../bench/lib/script.mjs';
import type { ActWorld } from '../../scenes/act';
import { actOf, buildScene, DYNAMIC, type Scene, type SceneOptions } from '../../scenes/index';
import { stage } from '../../scenes/stage';
import { cosSin } from '../../scenes/trig';
import { Character, Vehicle } from '../../src/controllers/index';
import type { Locks } from '../../src/index';
import type { World, WorldOptions } from '../../src/study/index';

export interface GoldenRun {
  /** Key in the table. */
  name: string;
  scene: string;
  options?: SceneOptions;
  settings?: WorldOptions;
  /** Axes that all dynamic bodies keep. */
  locks?: Locks;
  /** Steps after which the state is looked at, ascending. */
  steps: readonly number[];
}

/** The state of a run after a step. */
export interface Checkpoint {
  /** `World.hash`, hexadecimal: poses, velocities, forces, sleep of all bodies. */
  hash: string;
  /** FNV-1a of all contact points, hexadecimal: bodies, points, normals, separations, impulses. */
  contactHash: string;
  /** Overlap of the deepest contact, mm. */
  depth: number;
  /** Root mean square of the speeds of dynamic bodies, mm/s. */
  speed: number;
  asleep: number;
  /** Contact points, speculative ones included. */
  contacts: number;
}

/** Checkpoints by their step. */
export type Checkpoints = Record<string, Checkpoint>;

/** Options of the world of a run. What it would warn of is part of some scenes. */
export function settingsOf({ scene, options, settings }: GoldenRun): WorldOptions {
  const { gravity, dt } = buildScene(scene, options);
  return { gravity, dt, warn: false, ...settings };
}

/**
 * Throws if a number of the state is not finite. NaN is the only value with several bit patterns that compute alike, so a hash of finite
 * numbers cannot depend on which of them a processor writes.
 */
function checkFinite(world: World, numbers: readonly (Float32Array | number[])[], step: number): void {
  if (world.faults.notFinite) throw new Error(`step ${step}: a body was stopped because its motion was infinite or NaN`);
  for (const list of numbers)
    if (!list.every(Number.isFinite)) throw new Error(`step ${step}: the state has an infinity or a NaN`);
}

function look(world: World, step: number): Checkpoint {
  const contacts = world.readContacts();
  const { count, bodyA, bodyB, points, normals, separations, impulses } = contacts;
  const { penetrationMax, rmsSpeed, rmsSpin, contactCount } = world.measure();
  const floats = [points.subarray(0, 3 * count), normals.subarray(0, 3 * count), separations.subarray(0, count)];
  floats.push(impulses.subarray(0, count));
  checkFinite(world, [...floats, world.positions, world.rotations, [rmsSpeed, rmsSpin]], step);
  let sum = 2166136261;
  const words = floats.map((list) => new Uint32Array(list.buffer, list.byteOffset, list.length));
  for (const list of [bodyA.subarray(0, count), bodyB.subarray(0, count), ...words]) {
    for (const word of list) sum = Math.imul(sum ^ word, 16777619);
  }
  const short = (value: number) => Number((1000 * value).toPrecision(4));
  return {
    hash: world.hash().toString(16).padStart(14, '0'),
    contactHash: (sum >>> 0).toString(16).padStart(8, '0'),
    depth: short(penetrationMax),
    speed: short(rmsSpeed),
    asleep: world.sleepingCount,
    contacts: contactCount,
  };
}

/** Puts the scene of a run into its empty world. Returns what is due before the first step and then after each. */
function perform(world: World, scene: Scene, { locks }: GoldenRun): (step: number) => void {
  const { bodies, add, remove } = stage(world, scene, atStart(scene));
  if (locks) for (const [i, id] of bodies.entries()) if (scene.bodies.type[i] === DYNAMIC) world.setLocks(id, locks);
  const act = actOf(scene.name)?.({ scene, world: world as unknown as ActWorld, bodies, controllers: { Character, Vehicle } });
  const setVelocity = (body: number, velocity: number[]) =>
    world.setVelocity(bodies[body]!, velocity as [number, number, number], [0, 0, 0]);
  const script = new Script(scene, { add, remove, setVelocity }, cosSin);
  return (step) => {
    act?.tick();
    script.before(step);
  };
}

/** Plays a run in an empty world at step 0. Returns its checkpoints. */
export function playGolden(world: World, run: GoldenRun): Checkpoints {
  const before = perform(world, buildScene(run.scene, run.options), run);
  const seen: Checkpoints = {};
  const last = Math.max(...run.steps);
  for (let step = 1; step <= last; step++) {
    before(step - 1);
    world.step();
    if (run.steps.includes(step)) seen[step] = look(world, step);
  }
  return seen;
}
