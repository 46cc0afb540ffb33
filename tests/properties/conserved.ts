// What contacts and joints must keep or may only take: momentum, angular momentum, energy.
import type { JointType } from '../../src/index';
import { cross, DT, length, type V3 } from '../helpers/ground';
import { figure } from './figures';
import type { Property } from './property';
import { drawScene, energyOf, GROUND, gravityOf, Meter, type Motion, play, type Scene, TOP } from './scene';

/** Joints that pull their two bodies against each other and on nothing else. */
const TWO_SIDED: readonly JointType[] = [
  'ball',
  'hinge',
  'fixed',
  'slider',
  'cylindrical',
  'cone-twist',
  'distance',
  'six-axis',
  'wheel',
];

/** Momentum, angular momentum about the origin, twice the kinetic energy; `size`, `reach`: sums of the terms without sign. */
function momentaOf(motions: readonly Motion[]) {
  const linear: V3 = [0, 0, 0];
  const angular: V3 = [0, 0, 0];
  let [size, reach, living] = [0, 0, 0];
  for (const { mass, center, velocity, spin, turning } of motions) {
    const orbit = cross(center, velocity);
    for (let k = 0; k < 3; k++) {
      linear[k]! += mass * velocity[k]!;
      angular[k]! += mass * orbit[k]! + turning[k]!;
    }
    size += mass * length(velocity);
    reach += mass * length(velocity) * length(center) + length(turning);
    living += mass * length(velocity) ** 2 + Math.abs(spin.reduce((sum, w, k) => sum + w * turning[k]!, 0));
  }
  return { linear, angular, size, reach, living };
}

/** Largest gain of energy, as a share. */
const GAIN = 0.01;

const far = (a: V3, b: V3) => length(a.map((x, k) => x - b[k]!));

/**
 * Momentum of an isolated system, joints with motors and springs included. Each rounding of a velocity changes it by 2^-24 of
 * the body's
 * momentum.
 */
const momentum: Property = {
  name: 'momentum',
  draw: (seed) =>
    drawScene(seed, { grounds: ['none'], gravity: false, count: [5, 20], steps: [40, 60], joints: TWO_SIDED, drives: 'any' }),
  async check(scene) {
    const { world, ids } = await play(scene);
    const meter = new Meter(world, ids);
    const start = momentaOf(meter.motions());
    let [size, reach, living, linear, angular, roundings] = [start.size, start.reach, start.living, 0, 0, 0];
    for (let i = 0; i < scene.steps; i++) {
      world.step();
      // Each row of a contact or joint rounds the velocities of its two bodies once a pass: two passes a substep and the
      // restitution.
      const rows = 3 * world.profile.contactCount + 6 * scene.joints.length;
      roundings += world.profile.substeps * 3 * (1 + (2 * rows) / ids.length);
      if (i % 6 !== 5) continue;
      const now = momentaOf(meter.motions());
      size = Math.max(size, now.size);
      reach = Math.max(reach, now.reach);
      living = Math.max(living, now.living);
      linear = Math.max(linear, far(now.linear, start.linear));
      angular = Math.max(angular, far(now.angular, start.angular));
    }
    world.dispose();
    const most = size * roundings * 2 ** -24;
    // Contact arms stay those of the start of a step while bodies slide past each other by v dt: an impulse of m v, as in an
    // impact,
    // then changes the angular momentum by m v v dt. Turning arms round as the momentum does, over the reach of the bodies.
    const mostAngular = living * DT + reach * roundings * 2 ** -24;
    figure('linear', linear / most);
    figure('angular', angular / mostAngular);
    if (linear > most) return `momentum changes by ${linear} N s, more than ${most}`;
    return angular > mostAngular ? `angular momentum changes by ${angular} N m s, more than ${mostAngular}` : null;
  },
};

/** The lowest point that a body can reach, m. */
const floorOf = (scene: Scene) => (scene.ground.length > 1 ? -GROUND : scene.ground.length === 0 ? -500 : -TOP);

/**
 * Energy over the lowest point that a body can reach. The substeps lose energy in flight, impacts and contacts are passive; the
 * bound of 1 %
 * covers free rotation (0.2 % in 10 s, tests/physics/free_motion.test.ts) and limits, which stop a joint within a substep.
 */
const energy: Property = {
  name: 'energy',
  draw: (seed) =>
    drawScene(seed, {
      grounds: ['plane', 'box', 'mesh', 'heightfield', 'room'],
      gravity: seed % 3 > 0,
      count: [5, 20],
      steps: [60, 90],
      ...(seed % 2 ? { joints: [...TWO_SIDED, 'gear', 'pulley'] as const } : {}),
    }),
  async check(scene) {
    const { world, ids } = await play(scene);
    const g = gravityOf(scene);
    const meter = new Meter(world, ids);
    const start = meter.energy(g, floorOf(scene));
    let most = 0;
    for (let i = 0; i < scene.steps; i++) {
      world.step();
      if (i % 3 === 2) most = Math.max(most, meter.energy(g, floorOf(scene)) - start);
    }
    world.dispose();
    figure('energy', most / start);
    return most > GAIN * start ? `energy grows by ${most} J over ${start} J` : null;
  },
};

/** Bodies that only meet the ground keep their own energy: none bounces higher than it fell from. */
const bounce: Property = {
  name: 'bounce',
  draw: (seed) =>
    drawScene(seed, {
      grounds: ['plane', 'box', 'mesh', 'heightfield'],
      gravity: true,
      count: [5, 15],
      steps: [90, 150],
      placing: 'alone',
    }),
  async check(scene) {
    const { world, ids } = await play(scene);
    const g = gravityOf(scene);
    const meter = new Meter(world, ids);
    const start = meter.motions().map((one) => energyOf(one, g, -TOP));
    let [worst, who] = [0, 0];
    for (let i = 0; i < scene.steps; i++) {
      world.step();
      if (i % 3 !== 2) continue;
      meter.motions().forEach((one, k) => {
        const gain = energyOf(one, g, -TOP) / start[k]! - 1;
        if (gain > worst) [worst, who] = [gain, k];
      });
    }
    world.dispose();
    figure('bounce', worst);
    return worst > GAIN ? `body ${who} gains ${worst} of its energy` : null;
  },
};

/**
 * Trees of joined bodies that hang from the world and touch nothing, with masses of one decade: a light body between heavy ones
 * gains energy
 * in one tree of ten where masses span three. Of the first 50 seeds one gains energy (10, a chain with limits).
 */
const pendulums: Property = {
  name: 'pendulums',
  share: 0.06,
  draw(seed) {
    const scene = drawScene(seed, {
      grounds: ['plane'],
      gravity: true,
      count: [5, 12],
      steps: [90, 120],
      joints: [...TWO_SIDED, 'gear', 'pulley'],
      speed: 2,
      masses: [1, 10],
    });
    const bodies = scene.bodies.map((body) => ({ ...body, parts: body.parts.map((part) => ({ ...part, mask: 0 })) }));
    return { ...scene, ground: [], bodies };
  },
  check: energy.check,
};

export const CONSERVED: Property[] = [momentum, energy, bounce, pendulums];
