// The same scene in another frame behaves the same: other units of mass, length and time, another place, a mirror, another order.
import type { BodyId, ShapeDesc, World } from '../../src/index';
import { length, type V3 } from '../helpers/ground';
import { figure } from './figures';
import type { Property } from './property';
import { drawScene, gravityOf, Meter, type Part, play, type Scene, type SceneBody } from './scene';

/** Powers of two by which units change. */
interface Units {
  length: number;
  mass: number;
  time: number;
}

function scaleShape(shape: ShapeDesc, k: number): ShapeDesc {
  switch (shape.type) {
    case 'sphere':
      return { ...shape, radius: shape.radius * k };
    case 'box':
      return { ...shape, halfExtents: (shape.halfExtents as V3).map((x) => x * k) as V3 };
    case 'capsule':
    case 'cylinder':
    case 'cone':
      return { ...shape, radius: shape.radius * k, halfHeight: shape.halfHeight * k };
    case 'hull':
      return { ...shape, points: Array.from(shape.points, (x) => x * k) };
    case 'plane':
      return shape;
    default:
      throw new Error(`${shape.type} is in no scene of this class`);
  }
}

const times = (v: unknown, k: number) => (v as V3).map((x) => x * k) as V3;

function scaleBody(body: SceneBody, { length: l, mass, time }: Units): SceneBody {
  return {
    ...body,
    position: times(body.position, l),
    radius: body.radius * l,
    ...(body.mass === undefined ? {} : { mass: (body.mass as number) * mass }),
    ...(body.linearVelocity ? { linearVelocity: times(body.linearVelocity, l / time) } : {}),
    ...(body.angularVelocity ? { angularVelocity: times(body.angularVelocity, 1 / time) } : {}),
    parts: body.parts.map((part) => ({
      ...part,
      shape: scaleShape(part.shape, l),
      ...(part.position ? { position: times(part.position, l) } : {}),
    })),
  };
}

/** The scene in other units, its settings with it. */
function scaleScene(scene: Scene, units: Units): Scene {
  const { length: l, time } = units;
  const speed = l / time;
  return {
    ...scene,
    options: {
      ...scene.options,
      gravity: times(scene.options.gravity, speed / time),
      dt: time / 64,
      pushSpeed: 3 * speed,
      speculativeMargin: 0.015625 * l,
      recycleDistance: 0.0078125 * l,
      restitutionThreshold: speed,
      maxLinearSpeed: 512 * speed,
      maxAngularSpeed: 128 / time,
      sleepSpeed: 0.03125 * speed,
      sleepTime: 0.5 * time,
    },
    ground: scene.ground.map((body) => scaleBody(body, units)),
    bodies: scene.bodies.map((body) => scaleBody(body, units)),
  };
}

/** Positions and velocities of all bodies after each step. */
async function course(scene: Scene, every = 1): Promise<{ position: V3; velocity: V3 }[][]> {
  const { world, ids } = await play(scene);
  const meter = new Meter(world, ids);
  const all = [];
  for (let i = 0; i < scene.steps; i++) {
    world.step();
    if (i % every === every - 1) all.push(meter.motions().map(({ center, velocity }) => ({ position: center, velocity })));
  }
  world.dispose();
  return all;
}

/** First step at which two courses differ by more than `most`, in units of the first; null if none. */
function parting(one: { position: V3 }[][], other: { position: V3 }[][], back: (p: V3) => V3, most: number): number | null {
  for (const [i, bodies] of one.entries()) {
    for (const [k, { position }] of bodies.entries()) {
      const there = back(other[i]![k]!.position);
      if (length(there.map((x, c) => x - position[c]!)) > most) return i;
    }
  }
  return null;
}

const drawPlain = (seed: number): Scene =>
  drawScene(seed, { grounds: ['plane', 'box', 'none'], gravity: seed % 2 === 0, count: [5, 10], steps: [60, 90], sleep: true });

function unitsProperty(name: string, units: Units): Property {
  return {
    name,
    draw: drawPlain,
    async check(scene) {
      const one = await course(scaleScene(scene, { length: 1, mass: 1, time: 1 }));
      const other = await course(scaleScene(scene, units));
      const at = parting(one, other, (p) => times(p, 1 / units.length), 0);
      for (const m of [1e-6, 1e-5, 1e-4, 1e-3, 1e-2]) {
        const at = parting(one, other, (p) => times(p, 1 / units.length), m);
        figure(`${name}-${m}`, at === null ? 1000 : at);
      }
      return at === null ? null : `the courses part at step ${at}`;
    },
  };
}

export const FRAMES: Property[] = [
  unitsProperty('units-mass', { length: 1, mass: 16, time: 1 }),
  unitsProperty('units-length', { length: 4, mass: 1, time: 1 }),
  unitsProperty('units-small', { length: 0.25, mass: 1, time: 1 }),
  unitsProperty('units-time', { length: 1, mass: 1, time: 2 }),
];
