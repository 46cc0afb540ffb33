// Characters and vehicles on random ground: they stay above it, move alike at every frame rate, and gain nothing on their own.
import { Character, Vehicle } from '../../src/controllers/index';
import { type BodyId, createWorld, type World } from '../../src/index';
import { length, type V3 } from '../helpers/ground';
import { figure } from './figures';
import type { Property } from './property';
import { Draw, descOf, drawScene, energyOf, gravityOf, motionOf, play, type Scene } from './scene';

const RATES = [30, 60, 144];
const CAPSULE = { type: 'capsule', radius: 0.3, halfHeight: 0.6 } as const;

/** Ground with a few static obstacles. */
function drawCourse(seed: number, grounds: readonly ('plane' | 'box' | 'mesh' | 'heightfield')[]): Scene {
  const scene = drawScene(seed, { grounds, gravity: true, count: [4, 10], steps: [60, 90], sizes: [0.1, 1], speed: 0 });
  const draw = new Draw(seed);
  const bodies = scene.bodies.map((body) => {
    const { mass: _, linearVelocity: __, angularVelocity: ___, ...rest } = body;
    return { ...rest, type: 'static' as const, position: [draw.range(-8, 8), draw.range(-0.5, 0.5), draw.range(-8, 8)] as V3 };
  });
  return { ...scene, bodies };
}

/** Height of the ground at a place, obstacles and bodies left out. */
function heightAt(world: World, ground: readonly BodyId[], x: number, z: number): number {
  const hit = world.castRay([x, 100, z], [0, -1, 0], {
    maxDistance: 200,
    filter: (_, body) => ground.includes(body),
  });
  return hit === null ? -Infinity : hit.point[1]!;
}

/** A character that walks about at one frame rate: its end, and how far it has ever been below the ground or too high. */
async function walk(scene: Scene, rate: number) {
  const { world, ground } = await play(scene);
  const draw = new Draw(scene.seed + 1);
  const start: V3 = [0, 2.5, 0];
  const who = new Character(world, { shape: CAPSULE, position: start });
  const at: V3 = [0, 0, 0];
  let below = 0;
  const seconds = 1;
  // Directions change every half second, a frame of all rates.
  const ways = Array.from({ length: 2 * seconds }, () => [draw.range(-3, 3), 0, draw.range(-3, 3)] as V3);
  for (let frame = 0; frame < seconds * rate; frame++) {
    who.walk({ velocity: ways[Math.floor((2 * frame) / rate)]! });
    world.advance(1 / rate);
    if (frame % Math.round(rate / 5) > 0) continue;
    who.getPosition(at);
    below = Math.max(below, heightAt(world, ground, at[0], at[2]) - at[1]);
  }
  who.getPosition(at);
  const end = [...at] as V3;
  // It stands still.
  let rise = 0;
  who.walk({ velocity: [0, 0, 0] });
  for (let i = 0; i < 30; i++) world.step();
  who.getPosition(at);
  const rest = at[1];
  for (let i = 0; i < 20; i++) {
    who.walk({ velocity: [0, 0, 0] });
    world.step();
    who.getPosition(at);
    rise = Math.max(rise, at[1] - rest);
  }
  world.dispose();
  return { end, below, rise };
}

const character: Property = {
  name: 'character',
  draw: (seed) => drawCourse(seed, ['plane', 'box', 'mesh', 'heightfield']),
  async check(scene) {
    const ends: V3[] = [];
    for (const rate of RATES) {
      const { end, below, rise } = await walk(scene, rate);
      figure('below', below);
      figure('rise', rise);
      if (below > 0.02) return `at ${rate} Hz it is ${below} m below the ground`;
      if (rise > 1e-3) return `at ${rate} Hz it rises by ${rise} m while it stands`;
      ends.push(end);
    }
    const apart = Math.max(...ends.map((end) => length(end.map((x, k) => x - ends[0]![k]!))));
    figure('apart', apart);
    return apart > 1e-3 ? `its ends at ${RATES.join(', ')} Hz lie ${apart} m apart: ${ends.join(' | ')}` : null;
  },
};

/** A car that rolls without throttle loses energy, and rolls alike at every frame rate. */
const vehicle: Property = {
  name: 'vehicle',
  draw(seed) {
    const scene = drawCourse(seed, ['plane', 'box', 'mesh', 'heightfield']);
    return { ...scene, bodies: [], joints: [] };
  },
  async check(scene) {
    const ends: V3[] = [];
    for (const rate of RATES) {
      const draw = new Draw(scene.seed + 2);
      const world = await createWorld(scene.options);
      const ground = scene.ground.map((body) => world.createBody(descOf(world, body)));
      const shape = world.createShape({ type: 'box', halfExtents: [0.9, 0.3, 2] });
      const top = Math.max(...[-2, 0, 2].flatMap((x) => [-3, 0, 3].map((z) => heightAt(world, ground, x, z))));
      const body = world.createBody({ shape, mass: draw.decade(500, 5000), position: [0, top + 1, 0] });
      const wheel = (side: number, z: number, more = {}) => ({ position: [side, -0.45, z], radius: 0.35, ...more });
      const car = new Vehicle(world, {
        body,
        drive: { torque: 1500 },
        wheels: [
          wheel(0.8, 1.3, { steered: true }),
          wheel(-0.8, 1.3, { steered: true }),
          wheel(0.8, -1.3, { driven: true }),
          wheel(-0.8, -1.3, { driven: true }),
        ],
      });
      car.controls.steering = draw.range(-0.5, 0.5);
      for (let i = 0; i < rate / 2; i++) world.advance(1 / rate);
      world.setLinearVelocity(body, [0, 0, draw.range(0, 10)]);
      const g = gravityOf(scene);
      /** Of body and springs: a wheel bears a fourth of the weight when its travel is 0, and its spring has 1.6 Hz. */
      const energy = () => {
        const motion = motionOf(world, body);
        const omega = 2 * Math.PI * 1.6;
        const springs = [0, 1, 2, 3].map((i) => {
          const { travel } = car.drawn(i).now;
          return (motion.mass / 4) * (g * travel + (omega * travel) ** 2 / 2);
        });
        return energyOf(motion, g, -1) + springs.reduce((sum, one) => sum + one, 0);
      };
      const start = energy();
      let most = 0;
      let below = 0;
      for (let frame = 0; frame < rate / 2; frame++) {
        world.advance(1 / rate);
        if (frame % Math.round(rate / 5) > 0) continue;
        const motion = motionOf(world, body);
        most = Math.max(most, energy() / start - 1);
        below = Math.max(below, heightAt(world, ground, motion.center[0], motion.center[2]) - motion.center[1]);
      }
      ends.push(motionOf(world, body).center);
      world.dispose();
      figure('car-energy', most);
      if (most > 0.01) return `at ${rate} Hz it gains ${most} of its energy without throttle`;
      if (below > 0) return `at ${rate} Hz its center is ${below} m below the ground`;
    }
    const apart = Math.max(...ends.map((end) => length(end.map((x, k) => x - ends[0]![k]!))));
    figure('car-apart', apart);
    return apart > 1e-3 ? `its ends at ${RATES.join(', ')} Hz lie ${apart} m apart` : null;
  },
};

export const CONTROLLERS: Property[] = [character, vehicle];
