// What moves on the front page of the site, without the page: the pile rests and stays at rest, the rollback gives the same bits, and the
// recordings show what bench/results say.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { jointErrors } from '../../bench/lib/joints.mjs';
import { buildScene } from '../../scenes/index';
import { siteAddress } from '../../site/address.mjs';
import { Bricks, STEPS } from '../../site/front/bricks.mjs';
import { Pile, REST_SECONDS, STONES } from '../../site/front/pile.mjs';
import { decodeRecording, encodeRecording, poseAt } from '../../site/front/recording.mjs';
import { hullMesh } from '../../site/front/stage.mjs';
import { createWorld, type World } from '../../src/index';

const root = resolve(import.meta.dirname, '../..');
/** Joules: less than a stone of 250 kg has at 0.1 mm/s. */
const RESTS = 1e-6;

function pourAll(world: World, pile: { pour(): void }, seconds: number) {
  for (let i = 0; i < 60 * seconds; i++) {
    pile.pour();
    world.step();
  }
}

describe('the pile', () => {
  test.each([true, false])('falls, rests and stays at rest, sleep: %s', async (sleep) => {
    const world = await createWorld({ sleep, warn: false });
    const pile = new Pile(world);
    pourAll(world, pile, 2);
    expect(world.measure().kineticEnergy).toBeGreaterThan(1000);
    pourAll(world, pile, REST_SECONDS - 2);
    expect(pile.ids.length).toBe(STONES);
    for (let i = 0; i < 600; i++) {
      expect(world.measure().kineticEnergy, `${i} steps later`).toBeLessThan(RESTS);
      world.step();
    }
    if (sleep) expect(world.sleepingCount).toBe(STONES);
    // A heap and no carpet, and nearly all of it where the camera looks.
    const places: number[][] = pile.ids.map((id: number) => world.getPosition(id as never, [0, 0, 0]));
    expect(Math.max(...places.map(([, y]) => y!))).toBeGreaterThan(1.5);
    expect(places.filter(([x, , z]) => Math.hypot(x!, z!) < 5.1).length).toBeGreaterThan(0.96 * STONES);
  });

  test('begins again with the same bits, and a push wakes it for a while', async () => {
    const world = await createWorld({ warn: false });
    const pile = new Pile(world);
    const run = () => {
      pourAll(world, pile, REST_SECONDS);
      return world.hash();
    };
    const first = run();
    pile.reset();
    expect(world.bodyCount).toBe(1);
    expect(run()).toBe(first);
    const stone = pile.ids[0] as never;
    world.applyImpulse(stone, [0, 8 * world.getMass(stone), 0]);
    world.step();
    expect(world.measure().kineticEnergy).toBeGreaterThan(100);
    for (let i = 0; i < 900; i++) world.step();
    expect(world.measure().kineticEnergy).toBeLessThan(RESTS);
  });

  test('stones are drawn closed: the edges of their triangles come in pairs', async () => {
    const { stoneShapes } = await import('../../site/front/pile.mjs');
    for (const points of stoneShapes()) {
      const { places } = hullMesh(points);
      const corner = (i: number) => places.slice(3 * i, 3 * i + 3).join();
      const edges = new Map<string, number>();
      for (let i = 0; i < places.length / 3; i += 3)
        for (let k = 0; k < 3; k++) {
          const [a, b] = [corner(i + k), corner(i + ((k + 1) % 3))];
          const [key, sign] = a < b ? [`${a}|${b}`, 1] : [`${b}|${a}`, -1];
          edges.set(key, (edges.get(key) ?? 0) + sign);
        }
      expect([...edges.values()].every((sum) => sum === 0)).toBe(true);
    }
  });
});

test('a world that is set back and computes again has the bits of the other one', async () => {
  const [left, right] = [await createWorld({ warn: false }), await createWorld({ warn: false })];
  const [a, b] = [new Bricks(left), new Bricks(right)];
  let saved: Uint8Array | undefined;
  const start = left.hash();
  let moved = 0;
  for (let step = 1; step <= STEPS; step++) {
    a.step();
    b.step();
    if (step % 150 === 90) saved = right.snapshot();
    if (step % 150 === 0) {
      right.restore(saved!);
      expect(right.hash()).not.toBe(left.hash());
      while (right.stepCount < left.stepCount) b.step();
      expect(right.hash()).toBe(left.hash());
      moved = Math.max(moved, left.measure().kineticEnergy);
    }
  }
  expect(moved).toBeGreaterThan(1);
  left.restore(a.start);
  expect(left.hash()).toBe(start);
});

const SCENES = {
  wall: { scene: 'wall', options: {}, file: 'wall.json' },
  chain: { scene: 'hanging-chain', options: { massRatio: 1000 }, file: 'joints_hanging-chain_1000.json' },
} as const;

/** The newest results of a scene. */
function newest(file: string) {
  const folder = join(root, 'bench/results');
  const name = readdirSync(folder)
    .sort()
    .findLast((one) => statSync(join(folder, one)).isDirectory() && readdirSync(join(folder, one)).includes(file));
  return JSON.parse(readFileSync(join(folder, name!, file), 'utf8')).results;
}

describe.each(Object.keys(SCENES) as (keyof typeof SCENES)[])('the recording of the %s', (name) => {
  const path = join(root, `site/front/recordings/${name}.bin`);
  const recording = decodeRecording(gunzipSync(readFileSync(path)));
  const { scene: sceneName, options, file } = SCENES[name];
  const scene = buildScene(sceneName, options);
  const moving = [...scene.bodies.density.keys()].filter((i) => scene.bodies.density[i]! > 0);

  /** The state of all bodies in a run at a time in frames. */
  function stateAt(run: { values: Int16Array }, time: number) {
    const state = { position: Float64Array.from(scene.bodies.position), rotation: Float64Array.from(scene.bodies.rotation) };
    moving.forEach((body, i) => {
      const pose = poseAt(recording, run.values, i, time, new Float64Array(7));
      state.position.set(pose.subarray(0, 3), 3 * body);
      state.rotation.set(pose.subarray(3), 4 * body);
    });
    return state;
  }

  test('is small, whole, and begins where the scene begins', () => {
    expect(statSync(path).size).toBeLessThan(150_000);
    expect(recording.bodies).toBe(moving.length);
    expect((recording.frames - 1) * recording.stride).toBe(recording.steps);
    for (const run of recording.runs) {
      const { position } = stateAt(run, 0);
      for (let i = 0; i < position.length; i++) expect(position[i]).toBeCloseTo(scene.bodies.position[i]!, 2);
    }
  });

  test('ends as the results of the comparison say, with the engines of those', () => {
    const results = newest(file);
    for (const run of recording.runs) {
      const result = results.find(({ engine }: { engine: string }) => engine === run.name);
      expect(run.version, `${run.name}: node site/record.mjs`).toBe(result.version);
      const state = stateAt(run, recording.frames - 1);
      if (name === 'wall') {
        const near = moving.filter((i) => {
          const way = [0, 1, 2].map((k) => state.position[3 * i + k]! - scene.bodies.position[3 * i + k]!);
          return Math.hypot(...way) <= 0.1;
        });
        expect(Math.abs(near.length / moving.length - result.stands.end.within10cm), run.name).toBeLessThan(0.02);
      } else {
        const gaps = scene.joints!.map((joint) => jointErrors(joint, state).gap ?? 0);
        expect(Math.abs(Math.max(...gaps) - result.gapMax), run.name).toBeLessThan(0.005);
      }
    }
  });
});

test('poses come back from a recording as they went in', () => {
  const pose = (t: number) => [t, -2 * t, 0.5, Math.sin(t), 0, 0, Math.cos(t)];
  const frames = Array.from({ length: 40 }, (_, i) => [pose(0.1 * i), pose(3 - 0.15 * i)]);
  const bytes = encodeRecording({
    steps: 156,
    dt: 1 / 60,
    stride: 4,
    shapeOf: [0, 0],
    runs: [{ name: 'x', version: '1', frames }],
  });
  const back = decodeRecording(bytes);
  for (let frame = 0; frame < 40; frame++)
    for (let body = 0; body < 2; body++) {
      const [x, y, z, ...turn] = poseAt(back, back.runs[0].values, body, frame, new Float64Array(7));
      const [ex, ey, ez, ...expected] = frames[frame]![body]!;
      expect(Math.hypot(x! - ex!, y! - ey!, z! - ez!)).toBeLessThan(0.002);
      expect(Math.abs(turn.reduce((sum: number, value: number, k: number) => sum + value * expected[k]!, 0))).toBeGreaterThan(
        1 - 1e-4,
      );
    }
});

test('the site has the address that it is given, that of package.json, or that of the Pages of the repository', () => {
  const repository = { url: 'git+https://github.com/a/b.git' };
  expect(siteAddress({ repository, homepage: 'https://github.com/a/b#readme' }, undefined)).toBe('https://a.github.io/b/');
  expect(siteAddress({ repository, homepage: 'https://b.example' }, undefined)).toBe('https://b.example/');
  expect(siteAddress({ repository, homepage: 'https://b.example' }, 'https://c.example/x')).toBe('https://c.example/x/');
});
