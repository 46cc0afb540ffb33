// Begin events and their impacts: sent in the step in which bodies meet, once, with the impulse and the approach speed, for
// every solver; no begin without touching, begin and end in turns.
import { describe, expect, test } from 'vitest';
import { type BodyId, type ContactEvent, createWorld as createStudy, type SolverName, type World } from '../../src/study/index';
import { DT, flatHeightfield, flatMesh, GRAVITY, groundWorld, SOLVERS, speed, type V3, velocity } from '../helpers/ground';
import { createWorld } from '../helpers/worlds';

// Without jacobi-average, whose rows act on bodies that are heavier than those of the world.
const METHODS = [
  'jacobi',
  'jacobi-line-search',
  'jacobi-spectral',
  'jacobi-assembled',
  'jacobi-accumulate',
  'scalar-split',
  'pair-split-printed',
] as const satisfies readonly SolverName[];

interface Impact {
  step: number;
  impulse: number;
  approachSpeed: number;
}

/** Steps a world and keeps begins, and the velocity of a body along y before the first and after every step. */
function watch(world: World, id: BodyId, count: number): { begins: Impact[]; ends: number; vy: number[] } {
  const begins: Impact[] = [];
  const vy = [velocity(world, id)[1]];
  let ends = 0;
  for (let i = 0; i < count; i++) {
    world.step();
    vy.push(velocity(world, id)[1]);
    for (const { kind, impulse, approachSpeed } of world.events) {
      if (kind === 'begin') begins.push({ step: i, impulse, approachSpeed });
      else ends++;
    }
  }
  return { begins, ends, vy };
}

interface Drop {
  solver: SolverName;
  shape: 'sphere' | 'box' | 'two spheres';
  e: number;
  dt: number;
  v: number;
  /** Steps to the impact. */
  steps: number;
}

/** Something of 1 kg flies at the floor, or at a sphere of 3 kg, without gravity. */
async function drop({ solver, shape, e, dt, v, steps }: Drop, create = createWorld): Promise<{ world: World; body: BodyId }> {
  const { world, cube } = await groundWorld({ solver, dt, substeps: 12, gravity: [0, 0, 0] }, { restitution: e }, create);
  const sphere = world.createShape({ type: 'sphere', radius: 0.5 });
  const base = shape === 'two spheres' ? 11 : 0;
  if (base > 0) world.createBody({ shape: sphere, mass: 3, position: [0, base - 0.5, 0], restitution: e });
  const body = world.createBody({
    shape: shape === 'box' ? cube : sphere,
    mass: 1,
    position: [0, base + 0.5 + v * dt * steps, 0],
    linearVelocity: [0, -v, 0],
    restitution: e,
  });
  return { world, body };
}

describe.each(SOLVERS)('%s', (solver) => {
  describe.each([0, 0.5, 1])('restitution %f', (e) => {
    test.each(['sphere', 'box', 'two spheres'] as const)('%s: one begin, with the step, impulse and speed', async (shape) => {
      const mass = shape === 'two spheres' ? 0.75 : 1;
      for (const dt of [1 / 60, 1 / 120]) {
        for (const v of [2, 10, 50]) {
          // The first, a middle and the last substep of a step.
          for (const steps of [3.15, 3.55, 3.95]) {
            const label = `dt ${dt} v ${v} steps ${steps}`;
            const { world, body } = await drop({ solver, shape, e, dt, v, steps });
            const { begins, ends, vy } = watch(world, body, 8);
            expect(begins.length, label).toBe(1);
            const { step, impulse, approachSpeed } = begins[0]!;
            // What it says is what the body was given, and that is what the closed form says.
            expect(Math.abs(impulse / (vy[step + 1]! + v) - 1), label).toBeLessThan(1e-3);
            expect(Math.abs(impulse / (mass * v * (1 + e)) - 1), label).toBeLessThan(0.01);
            expect(Math.abs(approachSpeed / v - 1), label).toBeLessThan(1e-3);
            // In the step in which the velocity changes.
            const changed = vy.findIndex((speed) => Math.abs(speed + v) > 1e-3 * v) - 1;
            expect(vy[3]! / -v, label).toBeCloseTo(1, 3);
            expect(step, label).toBe(changed);
            expect(ends, label).toBe(e === 0 ? 0 : 1);
            world.dispose();
          }
        }
      }
    });
  });

  // The last relax pass of a step may brake a body that gets to the surface in the next one. A body that nothing touches is
  // let go again, one that slides along a wall is not. (`pair-split` stops what is in two parts over several steps.)
  test.each(solver === 'pair-split' ? [false] : [false, true])(
    'an impact between two steps, along a wall: %s: one begin where they meet, with all of the impulse',
    async (wall) => {
      let braked = 0;
      for (let k = 0; k < 48; k++) {
        const { world, body } = await drop({ solver, shape: 'sphere', e: 0, dt: DT, v: 5, steps: 3 + k / 48 });
        if (wall) {
          const shape = world.createShape({ type: 'box', halfExtents: [0.5, 10, 10] });
          world.createBody({ type: 'static', shape, position: [1, 10, 0], friction: 0 });
        }
        const { begins, vy } = watch(world, body, 6);
        const [{ step, impulse, approachSpeed } = { step: NaN, impulse: NaN, approachSpeed: NaN }] = begins.filter(
          (b) => b.impulse > 0,
        );
        expect(begins.length).toBe(wall ? 2 : 1);
        if (vy[step]! > -5 + 1e-3) braked++;
        expect(Math.abs(impulse / 5 - 1)).toBeLessThan(0.01);
        expect(Math.abs(approachSpeed / 5 - 1)).toBeLessThan(1e-3);
        expect(Math.abs(vy[step + 1]!)).toBeLessThan(0.06);
        world.dispose();
      }
      expect(braked > 0).toBe(wall);
    },
  );

  test('a fall: impact and the weight for the rest of the step', async () => {
    const { world, cube } = await groundWorld({ solver });
    const ball = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 0.3 }), mass: 2, position: [0, 3.3, 0] });
    const box = world.createBody({ shape: cube, mass: 2, position: [5, 3.5, 0] });
    const before = new Map<BodyId, number>();
    const seen: BodyId[] = [];
    for (let i = 0; i < 60; i++) {
      for (const id of [ball, box]) before.set(id, velocity(world, id)[1]);
      world.step();
      for (const event of world.events) {
        const id = [ball, box].find((body) => body === event.bodyA || body === event.bodyB)!;
        seen.push(id);
        const change = velocity(world, id)[1] - before.get(id)!;
        expect(Math.abs(event.impulse / (2 * (change + GRAVITY * DT)) - 1)).toBeLessThan(1e-3);
        expect(Math.abs(event.impulse / (2 * Math.sqrt(2 * GRAVITY * 3)) - 1)).toBeLessThan(0.06);
        expect(event.approachSpeed).toBeCloseTo(-before.get(id)!, 4);
      }
    }
    expect(seen.sort()).toEqual([ball, box].sort());
  });

  test.each([0, 0.5])('an oblique impact with friction: the part along the normal (restitution %f)', async (restitution) => {
    const material = { restitution, friction: 0.5 };
    const { world } = await groundWorld({ solver, gravity: [0, 0, 0] }, material);
    const sphere = world.createShape({ type: 'sphere', radius: 0.5 });
    const ball = world.createBody({ shape: sphere, mass: 3, position: [0, 1.05, 0], linearVelocity: [6, -8, 0], ...material });
    const { begins } = watch(world, ball, 8);
    if (solver.endsWith('split')) expect(velocity(world, ball)[0]).toBeLessThan(5);
    expect(begins.length).toBe(1);
    expect(Math.abs(begins[0]!.impulse / (3 * 8 * (1 + restitution)) - 1)).toBeLessThan(0.01);
    expect(begins[0]!.approachSpeed).toBeCloseTo(8, 3);
  });

  test.each(['mesh', 'heightfield'] as const)('over the triangles of a %s the impulse is that of all manifolds', async (type) => {
    const world = await createWorld({ solver, gravity: [0, 0, 0] });
    world.createBody({ type: 'static', shape: world.createShape(type === 'mesh' ? flatMesh(4, 8) : flatHeightfield(4, 8)) });
    const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const box = world.createBody({ shape: cube, mass: 1, position: [0.1, 1, 0.1], linearVelocity: [0, -10, 0] });
    const { begins, vy } = watch(world, box, 8);
    expect(begins.length).toBe(1);
    expect(Math.abs(begins[0]!.impulse / (vy[begins[0]!.step + 1]! + 10) - 1)).toBeLessThan(1e-3);
    expect(begins[0]!.impulse).toBeGreaterThan(9.5);
  });

  test('a bouncing ball sends begin and end in turns, with the impulse of each bounce', async () => {
    const { world } = await groundWorld({ solver });
    const sphere = world.createShape({ type: 'sphere', radius: 0.25 });
    const ball = world.createBody({ shape: sphere, mass: 2, position: [0, 3, 0], restitution: 0.8 });
    const kinds: string[] = [];
    const impulses: number[] = [];
    for (let i = 0; i < 240; i++) {
      const before = velocity(world, ball)[1];
      world.step();
      for (const event of world.events) {
        kinds.push(event.kind);
        if (event.kind !== 'begin') continue;
        impulses.push(event.impulse);
        const change = 2 * (velocity(world, ball)[1] - before + GRAVITY * DT);
        expect(Math.abs(event.impulse / change - 1)).toBeLessThan(1e-3);
        expect(event.approachSpeed).toBeCloseTo(-before, 4);
      }
    }
    expect(impulses.length).toBeGreaterThan(3);
    expect(kinds).toEqual(kinds.map((_, i) => (i % 2 === 0 ? 'begin' : 'end')));
    for (let i = 1; i < impulses.length; i++) expect(impulses[i]).toBeLessThan(impulses[i - 1]!);
  });

  test('what passes above the surface does not begin; what comes within a millimeter does, without impulse', async () => {
    const { world } = await groundWorld({ solver, gravity: [0, 0, 0] });
    const sphere = world.createShape({ type: 'sphere', radius: 0.5 });
    const far = world.createBody({ shape: sphere, mass: 1, position: [0, 0.505, 0], linearVelocity: [3, 0, 0] });
    expect(watch(world, far, 60).begins).toEqual([]);
    const near = world.createBody({ shape: sphere, mass: 1, position: [0, 0.5004, 10], linearVelocity: [3, 0, 0] });
    const { begins } = watch(world, near, 60);
    expect(begins.map(({ step, impulse }) => [step, impulse])).toEqual([[0, 0]]);
    expect(begins[0]!.approachSpeed).toBeCloseTo(0, 6);
    expect(speed(world, near)).toBeCloseTo(3, 5);
  });

  test('bodies made touching or inside each other begin with the next step', async () => {
    const { world, cube } = await groundWorld({ solver });
    const rest = world.createBody({ shape: cube, mass: 1, position: [0, 0.5, 0] });
    const inside = world.createBody({ shape: cube, mass: 1, position: [5, 0.45, 0] });
    const parting = world.createBody({ shape: cube, mass: 1, position: [10, 0.49, 0], linearVelocity: [0, 20, 0] });
    world.step();
    const events = [...world.events];
    const of = (id: BodyId) => events.filter((event) => event.bodyA === id || event.bodyB === id);
    expect(events.map((event) => event.kind)).toEqual(['begin', 'begin', 'begin']);
    expect(Math.abs(of(rest)[0]!.impulse / (GRAVITY * DT) - 1)).toBeLessThan(0.02);
    expect(of(inside)[0]!.impulse).toBeGreaterThan(0);
    expect(of(parting)[0]!.impulse).toBe(0);
    expect(of(parting)[0]!.approachSpeed).toBeCloseTo(-20, 4);
    world.step();
    world.step();
    expect(watch(world, rest, 60).begins).toEqual([]);
  });

  test('a pile: begin and end of every pair in turns, ends before begins', async () => {
    const { world, cube } = await groundWorld({ solver, preset: 'fast' });
    for (let i = 0; i < 20; i++)
      world.createBody({
        shape: cube,
        position: [Math.sin(i * 3), 1 + 0.9 * i, Math.cos(i * 5)],
        restitution: i % 3 === 0 ? 0.4 : 0,
      });
    const touching = new Set<string>();
    let begins = 0;
    for (let i = 0; i < 240; i++) {
      world.step();
      let begun = false;
      for (const event of world.events) {
        const pair = [event.colliderA, event.colliderB].sort().join();
        expect(touching.has(pair)).toBe(event.kind === 'end');
        expect(event.impulse >= 0 && Number.isFinite(event.impulse) && Number.isFinite(event.approachSpeed)).toBe(true);
        if (event.kind === 'end') {
          expect(begun).toBe(false);
          touching.delete(pair);
        } else {
          begun = true;
          begins++;
          touching.add(pair);
        }
      }
    }
    expect(begins).toBeGreaterThan(30);
  });

  test('another solver takes over while bodies approach', async () => {
    const { world, body } = await drop({ solver, shape: 'sphere', e: 0, dt: DT, v: 1, steps: 3.5 }, createStudy);
    world.step();
    world.step();
    world.set({ solver: solver === 'wide' ? 'pgs' : 'wide' });
    const { begins } = watch(world, body, 4);
    expect(begins.map(({ step }) => step)).toEqual([1]);
    expect(Math.abs(begins[0]!.impulse - 1)).toBeLessThan(0.01);
  });
});

test.each(METHODS)('%s: the impulse is what the body was given', async (solver) => {
  for (const e of [0, 0.5]) {
    const { world, body } = await drop({ solver, shape: 'sphere', e, dt: DT, v: 10, steps: 3.52 });
    const { begins, vy } = watch(world, body, 8);
    expect(begins.length).toBe(1);
    expect(begins[0]!.impulse).toBeGreaterThan(9);
    expect(Math.abs(begins[0]!.impulse / (vy[begins[0]!.step + 1]! + 10) - 1)).toBeLessThan(1e-3);
    expect(begins[0]!.approachSpeed).toBeCloseTo(10, 3);
    world.dispose();
  }
});

test('the example of the guide: loud where it was hard', async () => {
  const { world, cube } = await groundWorld();
  world.createBody({ shape: cube, mass: 2, position: [0, 5, 0] });
  world.createBody({ shape: cube, mass: 2, position: [5, 0.55, 0] });
  const sounds: ContactEvent['point'][] = [];
  const playSound = (point: V3) => sounds.push(point);
  for (let i = 0; i < 90; i++) {
    world.step();
    for (const event of world.events) {
      if (event.kind === 'begin' && event.impulse > 10) playSound(event.point);
    }
  }
  expect(sounds.length).toBe(1);
  expect(Math.hypot(...sounds[0]!)).toBeLessThan(1);
});

test('sensors and ends carry no impact', async () => {
  const { world, cube } = await groundWorld();
  world.createBody({ type: 'static', shape: cube, sensor: true, position: [0, 1, 0] });
  const ball = world.createBody({ shape: cube, position: [0, 4, 0] });
  for (let i = 0; i < 90; i++) {
    world.step();
    for (const event of world.events) if (event.kind !== 'begin') expect([event.impulse, event.approachSpeed]).toEqual([0, 0]);
  }
  world.removeBody(ball);
  world.step();
  for (const event of world.events) expect([event.impulse, event.approachSpeed]).toEqual([0, 0]);
});
