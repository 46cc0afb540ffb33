// Scenes that others publish, as generators: counts, first and last bodies, what overlaps at the start. And how their runs are judged:
// drift, who stands, who escaped, waves that come in.
import { describe, expect, it } from 'vitest';
import * as havok from '../../bench/engines/havok.mjs';
import * as jolt from '../../bench/engines/jolt.mjs';
import * as rapier from '../../bench/engines/rapier.mjs';
import * as talus from '../../bench/engines/talus.mjs';
import { sceneDepth } from '../../bench/lib/depth.mjs';
import { runLockstep } from '../../bench/lib/run.mjs';
import { atStart, Script } from '../../bench/lib/script.mjs';
import { drift, driftTimes, Standing } from '../../bench/lib/standing.mjs';
import { createState } from '../../bench/lib/state.mjs';
import { mulberry32 } from '../../scenes/babylon_box3d';
import { buildScene, DYNAMIC, KINEMATIC, PUBLISHED, type Scene } from '../../scenes/index';
import { cosSin } from '../../scenes/trig';
import * as api from '../../src/index';

const NAMES = Object.values(PUBLISHED).flatMap((family) => Object.keys(family));
const ENGINES: [string, (scene: Scene) => Promise<unknown>][] = [
  ['talus', (scene) => talus.create(scene, {}, api)],
  ['havok', havok.create],
  ['rapier', rapier.create],
  ['jolt', jolt.create],
];

const placeOf = (scene: Scene, i: number) => Array.from(scene.bodies.position.subarray(3 * i, 3 * i + 3));

function dynamicBodies(scene: Scene): number[] {
  return Array.from({ length: scene.bodies.count }, (_, i) => i).filter((i) => scene.bodies.type[i] === DYNAMIC);
}

function depthOf(scene: Scene) {
  return sceneDepth(scene, scene.bodies.position, scene.bodies.rotation).pairs;
}

/** A state with all bodies where the scene starts, and what is done to it. */
function stateOf(scene: Scene, change: (position: Float64Array) => void = () => {}) {
  const state = createState(scene.bodies.count);
  state.position.set(scene.bodies.position);
  state.rotation.set(scene.bodies.rotation);
  change(state.position);
  return state;
}

function judged(scene: Scene, steps: number, state: ReturnType<typeof stateOf>) {
  const standing = new Standing(scene, steps);
  for (let step = 0; step < steps; step++) if (standing.wants(step)) standing.sample(state, step);
  return standing.result();
}

describe('published scenes', () => {
  it('have the published counts, first and last bodies', () => {
    const expected: [string, number, number[], number[]][] = [
      ['pyramid-20', 210, [-9.5, 0.5, 0], [0, 19.5, 0]],
      ['pyramid-50', 1275, [-24.5, 0.5, 0], [0, 49.5, 0]],
      ['pyramid-100', 5050, [-49.5, 0.5, 0], [0, 99.5, 0]],
      ['pile-1000', 1000, [-10.45, 2, -10.45], [10.45, 4.2, -0.55]],
      ['pile-4000', 4000, [-10.45, 2, -10.45], [10.45, 11.9, 10.45]],
      ['many-pyramids', 10780, [-76, 0.5, -76], [71.5, 9.5, 76]],
      ['hanging-grid', 9900, [0, -1, 0], [99, -99, 0]],
      ['junkyard', 10584, [-40, 25, -40], [40, 117, 40]],
      ['washer', 8000, [-8, 13, -8], [7.2, 28.2, 7.2]],
      ['convex-pile', 5120, [-16, 2, -16], [12, 318, 12]],
    ];
    for (const [name, count, first, last] of expected) {
      const scene = buildScene(name);
      const bodies = dynamicBodies(scene);
      expect(bodies.length, name).toBe(count);
      expect(scene.checks.dynamicCount, name).toBe(count);
      // Piles are laid with up to 5 cm of chance.
      const off = name.startsWith('pile') ? 0.051 : 1e-4;
      for (const [place, at] of [
        [placeOf(scene, bodies[0]!), first],
        [placeOf(scene, bodies.at(-1)!), last],
      ] as const) {
        for (let k = 0; k < 3; k++) expect(Math.abs(place[k]! - at[k]!), name).toBeLessThan(off);
      }
    }
    expect(NAMES).toEqual([...expected.map(([name]) => name), 'rain'].sort((a, b) => NAMES.indexOf(a) - NAMES.indexOf(b)));
  });

  it('are the same every time', () => {
    const bytes = (scene: Scene) =>
      JSON.stringify(scene, (_, value) => (ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value));
    for (const name of NAMES) expect(bytes(buildScene(name, { scale: 0.05 }))).toBe(bytes(buildScene(name, { scale: 0.05 })));
  });

  it('draw as mulberry32 does', () => {
    const random = mulberry32(1234);
    // First draws of the generator with this seed.
    expect(Array.from({ length: 3 }, random).map((v) => v.toFixed(6))).toEqual(['0.073295', '0.703412', '0.902856']);
  });

  it('overlap no more at the start than they do where they were published', () => {
    for (const name of ['pyramid-50', 'many-pyramids', 'hanging-grid', 'washer', 'convex-pile'] as const) {
      expect(depthOf(buildScene(name, { scale: 0.3 })).max, name).toBeLessThan(1e-5);
    }
    // Turned cubes 1.1 m apart cut each other's corners.
    const pile = depthOf(buildScene('pile-1000'));
    expect(pile.count).toBeGreaterThan(600);
    expect(pile.max).toBeLessThan(0.22);
    // Walls that overlap at the corners of the yard are one body; the pillar stands clear of them, and four rocks fall past it.
    expect(depthOf(buildScene('junkyard', { scale: 0.1 })).count).toBeLessThanOrEqual(4);
  });

  it('hold one human together: anchors meet, limits are kept, bones that are no neighbors are apart', () => {
    const scene = buildScene('rain', { scale: 0.04 });
    const result = judged(scene, 1, stateOf(scene));
    expect(result.apart).toBe(0);
    expect(result.joints).toBe(scene.joints!.length / 2);
    const [from, to] = scene.waves![0]!.bodies;
    const joined = new Set(scene.joints!.map(({ bodyA, bodyB }) => `${bodyA},${bodyB}`));
    expect(joined.size).toBe(scene.joints!.length);
    expect((to - from) % 14).toBe(0);
    // Of one figure: capsules of thorax and pelvis overlap as published, by less than their radii.
    const depth = depthOf(scene);
    expect(depth.max).toBeLessThan(0.12);
  });

  it('turn by angles that are exact', () => {
    for (let i = -40; i <= 40; i++) {
      const angle = 0.37 * i;
      const [cos, sin] = cosSin(angle);
      expect(Math.abs(cos - Math.cos(angle))).toBeLessThan(1e-15);
      expect(Math.abs(sin - Math.sin(angle))).toBeLessThan(1e-15);
    }
  });
});

describe('scripts', () => {
  it('bring in columns of rain at the published steps, and those again that were first', () => {
    const scene = buildScene('rain', { scale: 0.04 });
    expect(scene.waves!.map(({ step }) => step)).toEqual([0, 16, 64, 80, 128, 144, 192, 208, 256, 272, 320, 336, 384]);
    expect(scene.waves![2]!.bodies).toEqual(scene.waves![0]!.bodies);
    expect(atStart(scene).joints).toEqual([]);
    const calls: string[] = [];
    const log = (name: string) => (bodies: number[]) => calls.push(`${name} ${bodies[0]}`);
    const script = new Script(scene, { add: log('add'), remove: log('remove'), setVelocity() {} });
    for (let step = 0; step <= 64; step++) script.before(step);
    const [a, b] = [scene.waves![0]!.bodies[0], scene.waves![1]!.bodies[0]];
    expect(calls).toEqual([`add ${a}`, `add ${b}`, `remove ${a}`, `add ${a}`]);
  });

  it.each(ENGINES)('%s plays them: rain falls, the drum turns, the pillar goes round', async (name, create) => {
    const rain = buildScene('rain', { scale: 0.04 });
    const [wet] = await runLockstep(rain, [{ name, create }], {
      steps: 20,
      observer: () => new Standing(rain, 20),
      depth: false,
    });
    expect(wet.failed).toBe(null);
    expect([wet.bodies, wet.escaped, wet.verdict]).toEqual([rain.checks.dynamicCount, 0, 'all joints hold']);
    // The second wave is four steps old.
    const { bodies } = rain.waves![1]!;
    const fallen = rain.bodies.position[3 * bodies[0] + 1]! - wet.state.position[3 * bodies[0] + 1];
    expect(fallen).toBeGreaterThan(0);
    expect(fallen).toBeLessThan(0.2);

    const turned = async (scene: Scene, steps: number) => {
      const [result] = await runLockstep(scene, [{ name, create }], { steps, depth: false });
      return { i: scene.bodies.type.indexOf(KINEMATIC), state: result.state };
    };
    const drum = await turned(buildScene('washer', { scale: 0.001 }), 60);
    const angle = 2 * Math.asin(Math.abs(drum.state.rotation[4 * drum.i + 2]));
    expect((angle * 180) / Math.PI).toBeCloseTo(25, 1);
    const pillar = await turned(buildScene('junkyard', { scale: 0.01 }), 60);
    const at = (-6 * Math.PI) / 180;
    expect(pillar.state.position[3 * pillar.i]).toBeCloseTo(35 * Math.cos(at), 2);
    expect(pillar.state.position[3 * pillar.i + 2]).toBeCloseTo(35 * Math.sin(at), 2);
  });

  it.each(ENGINES)('%s takes out what leaves, and puts it back', async (name, create) => {
    const scene = buildScene('rain', { scale: 0.04 });
    const [result] = await runLockstep(scene, [{ name, create }], {
      steps: 66,
      observer: () => new Standing(scene, 66),
      depth: false,
    });
    expect(result.failed).toBe(null);
    // The first column came again two steps ago: it is where it started.
    const [first] = scene.waves![0]!.bodies;
    expect(Math.abs(result.state.position[3 * first + 1] - scene.bodies.position[3 * first + 1]!)).toBeLessThan(0.05);
    expect(result.verdict).toBe('all joints hold');
  });
});

describe('who stands', () => {
  it('looks at 10 s, at 30 s and at the end', () => {
    const scene = buildScene('pyramid-20');
    expect(driftTimes(scene, 60)).toEqual([1]);
    expect(driftTimes(scene, 600)).toEqual([10]);
    expect(driftTimes(scene, 1800)).toEqual([10, 30]);
    const standing = new Standing(scene, 1800);
    expect(Array.from({ length: 1800 }, (_, i) => i).filter((step) => standing.wants(step))).toEqual([599, 1799]);
  });

  it('drift is the distance from the start, mean and largest', () => {
    const scene = buildScene('pyramid-20');
    const state = stateOf(scene, (p) => {
      p[3] += 3;
      p[4] += 4;
    });
    const found = drift(scene, state);
    expect(found.max).toBeCloseTo(5, 6);
    expect(found.mean).toBeCloseTo(5 / 210, 6);
  });

  it('a pyramid stands while its top keeps its height and its bodies stay', () => {
    const scene = buildScene('pyramid-20');
    const top = scene.checks.tops![0]!;
    expect(judged(scene, 600, stateOf(scene))).toMatchObject({ verdict: 'stands', topShare: 1 });
    const low = stateOf(scene, (p) => {
      p[3 * top + 1] = 0.5;
    });
    expect(judged(scene, 600, low)).toMatchObject({ verdict: 'collapsed' });
    const slid = stateOf(scene, (p) => {
      for (let i = 0; i < scene.bodies.count; i++) p[3 * i] += 0.6;
    });
    expect(judged(scene, 600, slid)).toMatchObject({ verdict: 'collapsed' });
  });

  it('counts pyramids that stand, bodies that escape, and what comes through the drum or leaves it', () => {
    const many = buildScene('many-pyramids', { scale: 0.02 });
    const [top] = many.checks.tops!;
    const fallen = stateOf(many, (p) => {
      p[3 * top! + 1] = 2;
    });
    expect(judged(many, 10, fallen).verdict).toBe('3 of 4 stand');

    const pile = buildScene('pile-1000', { scale: 0.1 });
    const last = pile.bodies.count - 1;
    const out = stateOf(pile, (p) => {
      p[3 * last] = 13;
      p[3 * last - 2] = -2;
      p[3 * last - 6] = Number.NaN;
    });
    expect(judged(pile, 10, out).verdict).toBe('3 of 100 escaped');

    const drum = buildScene('washer', { scale: 0.01 });
    const cubes = dynamicBodies(drum);
    const leaky = stateOf(drum, (p) => {
      p[3 * cubes[0]! + 2] = 11;
      p[3 * cubes[1]! + 1] = 2;
    });
    expect(judged(drum, 10, leaky)).toMatchObject({
      verdict: `1 of ${cubes.length} through the wall`,
      leftByEnds: 1,
      throughWall: 1,
    });
  });
});
