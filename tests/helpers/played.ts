// A scene played with bodies that come and go, joints, sleep, waking and queries between steps: all that a caller can see of it, as text.
import { buildScene } from '../../scenes/index';
import { populate } from '../../scenes/stage';
import type { BodyId, JointId, World, WorldOptions } from '../../src/index';
import { seeded } from './random';

export interface Played {
  name: string;
  /** Bodies, or what the scene counts by. */
  count?: number;
  steps: number;
  /** Of the scene and of what is done to it. */
  seed?: number;
  /** Called before each step. */
  before?: (world: World, step: number) => void;
}

/** Scenes with all that threads share. */
export const PLAYED: (Omit<Played, 'steps'> & { settings?: WorldOptions })[] = [
  { name: 'mixed', count: 200 },
  { name: 'boxes-small', count: 250, settings: { sleep: false } },
  { name: 'spheres', count: 300 },
  { name: 'hulls', count: 80 },
  { name: 'pyramid' },
  { name: 'ragdolls150', count: 12 },
  { name: 'rubble' },
  { name: 'bridge' },
  { name: 'conveyor' },
  { name: 'bullets' },
  { name: 'mixed', count: 150, settings: { solver: 'cell-split' } },
];

/** Ids of worlds differ. */
const slot = (id: number) => id % 2 ** 24;

export function play(world: World, { name, count, steps, seed = 1, before }: Played): string[] {
  const seen: string[] = [];
  const random = seeded(6 + seed);
  populate(world, buildScene(name, { seed, ...(count ? { count } : {}) }));
  const ball = world.createShape({ type: 'sphere', radius: 0.3 });
  const extra: BodyId[] = [];
  const joints: JointId[] = [];
  const rays = 8;
  const origins = new Float32Array(3 * rays);
  const directions = new Float32Array(3 * rays);
  const out = { distances: new Float32Array(rays), colliders: new Float64Array(rays) };
  for (let i = 0; i < steps; i++) {
    if (i % 10 === 3) extra.push(world.createBody({ shape: ball, position: [4 * random() - 2, 6, 4 * random() - 2] }));
    if (i % 30 === 20) world.removeBody(extra.shift()!);
    if (i % 40 === 14) for (const body of extra) world.applyImpulse(body, [0, 50, 0]);
    if (i % 50 === 30 && extra.length > 1) {
      const [bodyA, bodyB] = extra.slice(-2) as [BodyId, BodyId];
      joints.push(world.createJoint({ type: 'ball', bodyA, bodyB, anchor: [0, 5, 0] }));
    }
    if (i % 50 === 49) for (const joint of joints.splice(0, 1)) if (world.hasJoint(joint)) world.removeJoint(joint);
    before?.(world, i);
    world.step();
    for (const event of world.events) seen.push(`${i} ${event.kind} ${slot(event.bodyA)} ${slot(event.bodyB)}`);
    if (i % 5 !== 0) continue;
    const hit = world.castRay([8 * random() - 4, 20, 8 * random() - 4], [0, -1, 0]);
    seen.push(`${i} ${world.hash()} ${world.sleepingCount} ${hit && slot(hit.body)} ${hit?.distance}`);
    for (let k = 0; k < 3 * rays; k++) {
      origins[k] = 8 * random() - 4;
      directions[k] = random() - 0.5;
    }
    world.castRays(origins, directions, {}, out);
    seen.push(`${i} ${[...out.distances].join(' ')} ${[...out.colliders].map(slot).join(' ')}`);
  }
  seen.push(`${world.profile.contactCount} ${world.measure().kineticEnergy}`);
  return seen;
}
