// Invariants of the lanes of both SIMD solvers while contacts come and go, and of the step that uses them.
import { expect, test } from 'vitest';
import { Random } from '../../../scenes/random';
import { BODY_STATIC, Header, Manifold, NONE, SOLVER_COLORED, SOLVER_EXTERNAL, SOLVER_WIDE } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';

const OVERFLOW = 32;
const SEQUENTIAL = 33;
const SOLVERS: [string, number][] = [
  ['wide', SOLVER_WIDE],
  ['colored', SOLVER_COLORED],
];

/**
 * Every live manifold sits in exactly one lane of a group of its number of points; lanes of a color (coloured) or of a group
 * (sequential) share no dynamic body; color masks of bodies say the same; lanes in use are the first ones of a group, the others
 * name the bodies of lane 0. The bodies of a group (sequential) are all in one run.
 */
function checkLanes(world: BoxWorld): void {
  const words = new Uint32Array(world.memory.buffer);
  const floats = new Float32Array(world.memory.buffer);
  const rows = world.u32(Header.bodyRows) / 4;
  const at = (i: number, field: number) => words[((world.core.manifoldAt(i) >>> 0) + field) / 4];
  const masks = new Map<number, number>();
  let lanes = 0;
  for (let list = 0; list <= SEQUENTIAL; list++) {
    let bodies = new Set<number>();
    for (let i = 0; i < world.core.listLength(list); i++) {
      const word = world.core.listWord(list, i) >>> 0;
      const group = (world.core.groupAddress(word) >>> 0) / 4;
      const side = (world.core.sideAddress(word) >>> 0) / 4;
      if (list >= OVERFLOW) bodies = new Set();
      let open = false;
      const runs = new Set<number>();
      for (let lane = 0; lane < 4; lane++) {
        const manifold = words[side + lane];
        if (manifold === NONE) {
          open = true;
          expect(words[group + lane]).toBe(words[group]);
          expect(words[group + 4 + lane]).toBe(words[group + 4]);
          continue;
        }
        expect(open).toBe(false);
        lanes++;
        if (list < SEQUENTIAL) expect(at(manifold, Manifold.color)).toBe(list);
        expect(at(manifold, Manifold.lane)).toBe(4 * word + lane);
        expect(at(manifold, Manifold.count)).toBe((word & 3) + 1);
        for (const field of [Manifold.bodyA, Manifold.bodyB]) {
          const body = at(manifold, field);
          if (!(floats[rows + body * 16 + 3] > 0)) continue;
          expect(bodies.has(body)).toBe(false);
          bodies.add(body);
          if (list === SEQUENTIAL) runs.add(world.core.testBatchOf(body));
          if (list < OVERFLOW) masks.set(body, (masks.get(body) ?? 0) | (1 << list));
        }
      }
      expect(runs.size).toBeLessThan(2);
      expect(runs.has(-1)).toBe(false);
    }
  }
  let alive = 0;
  for (let i = 0; i < world.u32(Header.manifoldCount); i++) {
    if (at(i, Manifold.count) === 0) continue;
    alive++;
    expect(at(i, Manifold.lane)).not.toBe(NONE);
  }
  expect(alive).toBe(world.u32(Header.manifoldAlive));
  expect(lanes).toBe(alive);
  for (const [body, mask] of masks) expect(world.core.testColorsOf(body) >>> 0).toBe(mask >>> 0);
}

test.each(SOLVERS)('lanes of the %s solver stay consistent while a pile falls, loses bodies and gets new ones', (_, solver) => {
  const world = new BoxWorld();
  world.core.setSolver(solver);
  const random = new Random(3);
  world.box([0, -0.5, 0], [20, 0.5, 20], { type: BODY_STATIC });
  const bodies: number[] = [];
  const drop = () => bodies.push(world.box([random.range(-2, 2), random.range(0.5, 8), random.range(-2, 2)], [0.3, 0.2, 0.25]));
  for (let i = 0; i < 120; i++) drop();
  for (let step = 0; step < 120; step++) {
    if (step % 3 === 0) {
      const [gone] = bodies.splice(Math.floor(random.unit() * bodies.length), 1);
      world.core.removeBody(gone);
      drop();
    }
    world.step();
    if (step % 10 === 9) checkLanes(world);
  }
  checkLanes(world);
});

test.each(SOLVERS)('a hub with more contacts than colors comes to rest with the %s solver', (name, solver) => {
  const world = new BoxWorld();
  world.core.setSolver(solver);
  world.box([0, -0.5, 0], [20, 0.5, 20], { type: BODY_STATIC });
  for (let i = 0; i < 64; i++) world.box([(i % 8) - 3.5, 0.25, Math.floor(i / 8) - 3.5], [0.25, 0.25, 0.25]);
  const plate = world.box([0, 0.6, 0], [4.2, 0.1, 4.2]);
  world.step(180);
  if (name === 'colored') expect(world.core.listLength(OVERFLOW)).toBeGreaterThan(0);
  checkLanes(world);
  expect(world.rmsSpeed()).toBeLessThan(1e-5);
  expect(world.position(plate)[1]).toBeCloseTo(0.6, 2);
});

test.each(SOLVERS)('leaving and taking up the %s solver carries impulses over', (_, solver) => {
  const world = new BoxWorld();
  world.core.setSolver(solver);
  world.box([0, -0.5, 0], [20, 0.5, 20], { type: BODY_STATIC });
  for (let i = 0; i < 6; i++) world.box([0, 0.5 + i, 0], [0.5, 0.5, 0.5]);
  world.step(120);
  const before = world.position(6);
  world.core.setSolver(SOLVER_EXTERNAL);
  world.core.setSolver(solver);
  checkLanes(world);
  world.step(2);
  // Without its warm start the top of a stack of six would drop by centimetres a second.
  expect(Math.abs(world.position(6)[1] - before[1])).toBeLessThan(1e-5);
  expect(Math.abs(world.linearVelocity(6)[1])).toBeLessThan(1e-3);
});
