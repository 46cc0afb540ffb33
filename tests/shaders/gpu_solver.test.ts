// The GPU solver in a running world, collision on the CPU: against the twin step by step, what is moved, loss of the device.
import { afterAll, describe, expect, inject, it } from 'vitest';
import { type GpuCore, GpuSolver } from '../../src/gpu/gpu_solver';
import { Manifold, SHAPE_BOX, SOLVER_CELL_SPLIT, SOLVER_EXTERNAL, SOLVER_WIDE, SplitState } from '../../src/layout.generated';
import { boxWorld, type CoreWorld, dropBoxes } from '../helpers/core_world';
import { losableDevice, readBuffer, useDevice } from '../helpers/gpu';
import { everyNth, isLong } from '../helpers/long';
import { random, type Vec3 } from '../helpers/manifold_builder';
import { copyWorld, SPREADS, spreadOf } from '../helpers/nudge';

const gpu = useDevice();
// A software adapter walks all branches of a kernel with all lanes: it takes as long for a small cell as for a large one, pass by pass.
// The short form has fewer substeps, and fewer and larger cells.
const SUBSTEPS = isLong ? 8 : 4;
const inCells = (granularity: number) => (isLong ? granularity : 2 * granularity);
/** Steps of a pile that falls and lies. */
const STEPS = isLong ? 120 : 60;
const solvers: GpuSolver[] = [];

afterAll(() => {
  for (const solver of solvers) solver.destroy();
});

function configure(world: CoreWorld, solver: number): void {
  world.core.setSolver(solver);
  world.setHeader('substeps', SUBSTEPS);
  world.setHeader('sweeps', 2);
  world.setHeaderFloat('contactHertzRatio', 0.16);
}

async function solverOf(world: CoreWorld): Promise<GpuSolver> {
  configure(world, SOLVER_EXTERNAL);
  // The device belongs to the whole file.
  const solver = await GpuSolver.create({ ...gpu, isOwned: false }, world.memory, world.core as unknown as GpuCore, {
    timestamps: true,
  });
  solvers.push(solver);
  return solver;
}

/** Boxes that fall on the GPU, and the same on WASM; both report changes alone. */
async function besideTwin(count: number, seed: number, granularity: number) {
  const boxes = dropBoxes(count, seed);
  const world = boxWorld(boxes);
  const solver = await solverOf(world);
  const twin = boxWorld(boxes);
  configure(twin, SOLVER_CELL_SPLIT);
  const both = [world, twin];
  for (const w of both) w.setHeader('granularity', granularity);
  for (const w of both) w.setHeader('reportChanges', 1);
  return { boxes, world, solver, twin, both };
}

async function stepOnGpu(world: CoreWorld, solver: GpuSolver): Promise<void> {
  world.core.stepBroadphase();
  world.core.stepContacts();
  expect(solver.submit()).toBe(true);
  expect(solver.submit()).toBe(false);
  expect(await solver.result()).toBe('ready');
  expect(solver.poll()).toBe('ready');
  expect(solver.apply()).toBe(true);
  expect(world.core.stepEnd()).toBe(0);
}

/** Largest difference of two states. */
function difference(a: Float32Array, b: Float32Array): number {
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i] - b[i]));
  return worst;
}

describe('a pile of boxes', () => {
  it('follows the twin, and moves little once it lies', async () => {
    const boxes = dropBoxes(isLong ? 60 : 32, 9);
    const world = boxWorld(boxes);
    const solver = await solverOf(world);
    const twin = boxWorld(boxes);
    configure(twin, SOLVER_CELL_SPLIT);
    for (const w of [world, twin]) w.setHeader('granularity', 40);
    let shared = 0;
    for (let i = 0; i < (isLong ? 45 : 30); i++) {
      // Each step starts from the state of the GPU's world, so that rounding on other adapters does not add up.
      copyWorld(world, twin);
      configure(twin, SOLVER_CELL_SPLIT);
      const allowed = inject('adapter').software ? 0 : 5e-4 + SPREADS * spreadOf(twin, (copy) => copy.core.step());
      twin.core.step();
      await stepOnGpu(world, solver);
      const d = difference(world.state(), twin.state());
      expect(d, `step ${i}`).toBeLessThanOrEqual(allowed);
      shared = Math.max(shared, world.header('splitBodyCount'));
    }
    expect(shared).toBeGreaterThan(0);
    expect(solver.stats.dispatches).toBeLessThanOrEqual(6 + 17);
    // How many edits a single step has hangs on chance: the mean of twelve.
    let edits = 0;
    const more = isLong ? 90 : 45;
    for (let i = 0; i < more; i++) {
      await stepOnGpu(world, solver);
      if (i >= more - 12) edits += solver.stats.edits / 12;
    }
    expect(edits).toBeLessThan(world.header('activeCount') / 4);
    expect(solver.stats.uploadBytes).toBeGreaterThan(0);
    const { gpuMs, gpuTickMs } = solver.stats;
    if (!Number.isNaN(gpuMs)) {
      expect(gpuMs).toBeGreaterThan(0);
      const ticks = gpuMs / gpuTickMs;
      expect(Math.abs(ticks - Math.round(ticks))).toBeLessThan(1e-6);
    }
  });

  it.each(everyNth([1, 0], 2))(
    'a free run on a software adapter stays equal to the twin; changes alone are reported: %i',
    async (changes) => {
      const boxes = dropBoxes(24, 4);
      const world = boxWorld(boxes);
      const solver = await solverOf(world);
      const twin = boxWorld(boxes);
      configure(twin, SOLVER_CELL_SPLIT);
      for (const w of [world, twin]) w.setHeader('reportChanges', changes);
      for (let i = 0; i < STEPS; i++) {
        await stepOnGpu(world, solver);
        twin.core.step();
      }
      if (inject('adapter').software) expect(difference(world.state(), twin.state())).toBe(0);
      expect(world.rms()).toBeLessThan(2);
    },
  );

  it('steps whose length and number of substeps change: a free run on a software adapter stays equal to the twin', async () => {
    const boxes = dropBoxes(24, 4);
    const world = boxWorld(boxes);
    const solver = await solverOf(world);
    const twin = boxWorld(boxes);
    configure(twin, SOLVER_CELL_SPLIT);
    for (let i = 0; i < STEPS; i++) {
      for (const w of [world, twin]) w.setHeaderFloat('dt', i % 3 === 0 ? 1 / 60 : 1 / 200);
      await stepOnGpu(world, solver);
      twin.core.step();
    }
    if (inject('adapter').software) expect(difference(world.state(), twin.state())).toBe(0);
    expect(world.rms()).toBeLessThan(2);
  });

  it('one mean a substep, chosen by the core: equal to the twin in half the passes, and over changes to two means and back', async () => {
    const boxes = dropBoxes(40, 4);
    const world = boxWorld(boxes);
    const solver = await solverOf(world);
    const twin = boxWorld(boxes);
    configure(twin, SOLVER_CELL_SPLIT);
    const both = [world, twin];
    for (const w of both) w.setHeader('granularity', 24);
    const seen = new Set<number>();
    const [steps, two] = isLong ? [90, 50] : [46, 30];
    for (let i = 0; i < steps; i++) {
      for (const w of both) w.setHeader('autoSubsteps', i > two && i < two + 5 ? 0 : 1);
      await stepOnGpu(world, solver);
      twin.core.step();
      if (inject('adapter').software) expect(difference(world.state(), twin.state()), `step ${i}`).toBe(0);
      seen.add(world.header('oneMean'));
      if (world.header('oneMean') === 1) expect(solver.stats.dispatches).toBeLessThanOrEqual(7 + world.header('substeps'));
    }
    expect(seen.size).toBe(2);
    expect(world.header('oneMean')).toBe(1);
    expect(world.header('splitBodyCount')).toBeGreaterThan(5);
  });

  it('a stack comes to rest, and then the GPU holds everything', async () => {
    const world = boxWorld(Array.from({ length: 5 }, (_, i) => ({ at: [0, 0.5 + i, 0] as Vec3, half: [0.5, 0.5, 0.5] as Vec3 })));
    const solver = await solverOf(world);
    for (let i = 0; i < (isLong ? 200 : 130); i++) await stepOnGpu(world, solver);
    expect(world.rms()).toBeLessThan(1e-4);
    expect(solver.stats.edits).toBe(0);
    if (inject('adapter').software) expect(solver.stats.dirtyBodies).toBe(0);
    expect(solver.stats.uploadBytes).toBe(0);
    expect(solver.stats.dispatches).toBe(5);
  });

  it('poses for renderers are those of the world', async () => {
    const world = boxWorld(dropBoxes(20, 2));
    const solver = await solverOf(world);
    for (let i = 0; i < 10; i++) await stepOnGpu(world, solver);
    const n = world.header('bodyCount');
    const poses = new Float32Array(await readBuffer(gpu.device, solver.poseBuffer, n * 32));
    const positions = new Float32Array(world.memory.buffer, world.header('positions'), n * 4);
    const rotations = new Float32Array(world.memory.buffer, world.header('rotations'), n * 4);
    for (let i = 0; i < n; i++) {
      expect(difference(poses.subarray(i * 8, i * 8 + 4), positions.subarray(i * 4, i * 4 + 4))).toBeLessThan(1e-5);
      expect(difference(poses.subarray(i * 8 + 4, i * 8 + 8), rotations.subarray(i * 4, i * 4 + 4))).toBeLessThan(1e-4);
    }
  });
});

it('what the CPU changes between steps reaches the GPU; new bodies too', async () => {
  const boxes: { at: Vec3; half: Vec3 }[] = [{ at: [0, 5, 0], half: [0.5, 0.5, 0.5] }];
  const world = boxWorld(boxes);
  const solver = await solverOf(world);
  await stepOnGpu(world, solver);
  expect(solver.stats.dirtyBodies).toBe(2);
  await stepOnGpu(world, solver);
  expect(solver.stats.dirtyBodies).toBe(0);
  world.core.setVelocity(1, 7, 0, 0, 0, 0, 0);
  await stepOnGpu(world, solver);
  expect(solver.stats.dirtyBodies).toBe(1);
  expect(world.state()[20]).toBeCloseTo(7, 5);
  // Enough bodies that every buffer grows.
  for (let i = 0; i < 40; i++) {
    const body = world.core.createBody(2, 3 + i, 8, 0, 0, 0, 0, 1) >>> 0;
    world.core.setMassProperties(body, 10, 0, 0, 0, 1, 1, 1, 0, 0, 0);
  }
  await stepOnGpu(world, solver);
  expect(solver.stats.dirtyBodies).toBe(40);
  expect(world.state()[20]).toBeCloseTo(7, 5);
  const fallen = world.state();
  for (let i = 2; i < 42; i++) expect(fallen[i * 20 + 1]).toBeCloseTo(-9.81 / 60, 5);
});

it('bodies come and go, kinematic bodies move, the friction model changes: the twin follows', async () => {
  const boxes = dropBoxes(18, 3);
  const world = boxWorld(boxes);
  const solver = await solverOf(world);
  const twin = boxWorld(boxes);
  const both = [world, twin];
  configure(twin, SOLVER_CELL_SPLIT);
  for (const w of both) w.setHeader('granularity', 12);
  for (const w of both) w.setHeader('reportChanges', 1);
  const change = (step: number) => {
    for (const w of both) {
      if (step === 20) w.core.removeBody(4);
      if (step === 20) w.core.setBodyType(6, 1);
      if (step === 24) w.core.setVelocity(6, 0.5, 0, 0.2, 0, 1, 0);
      if (step === 30) w.setHeader('frictionModel', 1);
      if (step === 45) w.setHeader('frictionModel', 0);
      if (step === 50) w.core.createBody(2, 0, 9, 0, 0, 0, 0, 1);
      if (step === 55) w.core.setPose(8, 0, 4, 0, 0, 0.6, 0, 0.8);
      // One step of many sweeps, with the mean after each.
      if (step === 70) w.setHeader('substeps', 1);
      if (step === 70) w.setHeader('sweeps', 9);
      if (step === 70) w.setHeader('meanEachSweep', 1);
    }
  };
  for (let i = 0; i < 85; i++) {
    change(i);
    // The short form takes every other step.
    if (!isLong && i % 2 === 1) continue;
    await stepOnGpu(world, solver);
    twin.core.step();
    if (inject('adapter').software) expect(difference(world.state(), twin.state()), `step ${i}`).toBe(0);
  }
});

/** Makes the same random edit to two worlds of boxes at every call: bodies come and go, move, change mass, type and material. */
function editor(both: CoreWorld[], boxes: number, seed: number): { count: number; edit: () => void; rest: () => void } {
  const next = random(seed);
  // Bodies alive, each with its collider.
  const alive = new Map(Array.from({ length: boxes }, (_, i) => [i + 1, i + 1]));
  const any = () => [...alive.keys()][Math.floor(next() * alive.size)]!;
  const around = (size: number) => size * (2 * next() - 1);
  const edits = { count: 0, edit, rest };
  /** What is kinematic would go on for ever, and all that it touches. */
  function rest(): void {
    for (const body of alive.keys()) for (const { core } of both) core.setBodyType(body, 2);
  }
  function edit(): void {
    edits.count++;
    const kind = Math.floor(next() * 12);
    const body = any();
    const [x, y, z] = [around(1.2), 0.5 + 2.5 * next(), around(1.2)];
    const collider = alive.get(body)!;
    const made: [number, number][] = [];
    const goes = kind === 0 && alive.size > 18;
    if (goes) alive.delete(body);
    for (const { core, setHeader } of both) {
      if (goes) core.removeBody(body);
      if (kind === 1 && alive.size < 34) {
        const fresh = core.createBody(2, x, y + 1, z, 0, 0, 0, 1) >>> 0;
        core.setMassProperties(fresh, 200, 0, 0, 0, 12, 14, 13, 0, 0, 0);
        const shape = core.createShape(SHAPE_BOX, 0.3, 0.25, 0.2, 0.44, 0, 0, -0.3, -0.25, -0.2, 0.3, 0.25, 0.2) >>> 0;
        const box = core.createCollider(fresh, shape, 0, 0, 0, 0, 0, 0, 1, 0.6, 0, 0, 0, 0xffffffff, 0xffffffff, 0, 1000);
        made.push([fresh, box >>> 0]);
      }
      if (kind === 2) core.setVelocity(body, x, y, z, z, x, y);
      if (kind === 3) core.setPose(body, x, y, z, 0, 0.6, 0, 0.8);
      if (kind === 4) core.applyImpulse(body, 30 * x, 20, 30 * z, x, 0, z);
      if (kind === 5) core.addForce(body, 500 * x, 900, 500 * z, 0, 20, 0);
      if (kind === 6) core.setMassProperties(body, 100 + 200 * y, 0.02 * x, 0, 0.02 * z, 10, 12, 14, 0, 0, 0);
      if (kind === 7) core.setMotion(body, 1, 0.1, 0.2);
      if (kind === 8) core.setCollider(collider, 0.3 + 0.2 * y, 0, 0.05, 0, 0xffffffff, 0xffffffff);
      if (kind === 9) core.setCollider(collider, 0.6, 0.5, 0, 0, 0xffffffff, 0xffffffff);
      if (kind === 10) core.setBodyType(body, edits.count % 2 === 0 ? 1 : 2);
      if (kind === 11) setHeader('substeps', SUBSTEPS - 2 + (edits.count % 4));
    }
    for (const [fresh, box] of made) alive.set(fresh, box);
  }
  return edits;
}

/** Bodies in the last result. */
const reportsIn = ({ memory, header }: CoreWorld) =>
  new DataView(memory.buffer, header('splitState')).getUint32(SplitState.bodyReports, true);

it('changes alone are reported: random edits, long rests, other substeps and solvers give the bits of the twin', async () => {
  const { boxes, world, solver, twin, both } = await besideTwin(26, 8, inCells(14));
  const edits = editor(both, boxes.length, 31);
  // Some fall past the floor for ever.
  const fallers = () => {
    const state = world.state();
    return Array.from({ length: state.length / 20 }, (_, i) => Math.abs(state[20 * i + 1]!)).filter((v) => v > 0.1).length;
  };
  const stepBoth = async (what: string) => {
    await stepOnGpu(world, solver);
    twin.core.step();
    if (inject('adapter').software) expect(difference(world.state(), twin.state()), what).toBe(0);
  };
  for (let step = 0; edits.count < (isLong ? 300 : 60); step++) {
    for (let i = 0; i < 6; i++) edits.edit();
    for (let i = 0; i < 1 + (step % 3); i++) await stepBoth(`step ${step}`);
  }
  edits.rest();
  // Those that roll or slide on come to rest, too.
  for (const w of both) for (let body = 1; body < w.header('bodyCount'); body++) w.core.setMotion(body, 1, 2, 2);
  const reported: number[] = [];
  const mean = (list: number[]) => list.reduce((sum, x) => sum + x / list.length, 0);
  const isQuiet = () => reported.length >= 24 && mean(reported.slice(-12)) - fallers() < world.header('awakeCount') / 16;
  // The short form ends once little is reported for a while.
  for (let step = 0; step < 200 && (isLong || !isQuiet()); step++) {
    await stepBoth(`at rest, step ${step}`);
    reported.push(reportsIn(world));
  }
  // Most are quiet, and a result is shorter than one record a body.
  expect(world.header('someQuiet')).toBe(1);
  const bodies = world.header('awakeCount');
  let reports = 0;
  const quiet = isLong ? 64 : 12;
  for (let step = 0; step < quiet; step++) {
    await stepBoth(`quiet, step ${step}`);
    reports += reportsIn(world);
  }
  expect(fallers()).toBeLessThan(bodies / 2);
  expect(reports / quiet - fallers()).toBeLessThan(bodies / 16);
  // All bodies rise at once, which nobody expects.
  for (const w of both) w.setHeaderFloat('gravityY', 30);
  await stepBoth('rising');
  expect(reportsIn(world)).toBe(bodies);
  for (let step = 0; step < 12; step++) await stepBoth(`rising, step ${step}`);
  for (const w of both) {
    w.core.setSolver(SOLVER_WIDE);
    w.core.step();
  }
  if (inject('adapter').software) expect(difference(world.state(), twin.state())).toBe(0);
});

it('random edits, a thousand in the long form: what stays on the GPU gives the bits of a world that is told everything in each step', async () => {
  const boxes = dropBoxes(26, 8);
  const kept = boxWorld(boxes);
  const told = boxWorld(boxes);
  const both = [kept, told];
  const solvers = [await solverOf(kept), await solverOf(told)];
  for (const w of both) w.setHeader('granularity', inCells(14));
  const edits = editor(both, boxes.length, 77);
  const stepBoth = async (what: string) => {
    told.core.forgetGpu();
    for (let i = 0; i < 2; i++) await stepOnGpu(both[i]!, solvers[i]!);
    expect(difference(kept.state(), told.state()), what).toBe(0);
  };
  for (let step = 0; edits.count < (isLong ? 1000 : 80); step++) {
    for (let i = 0; i < 16; i++) edits.edit();
    await stepBoth(`step ${step}`);
    if (step % 3 === 0) await stepBoth(`after step ${step}`);
  }
  let least = 1;
  edits.rest();
  // The short form ends once few edits are left.
  for (let step = 0; step < 200 && (isLong || least >= 0.25); step++) {
    await stepBoth(`quiet step ${step}`);
    least = Math.min(least, solvers[0]!.stats.edits / solvers[1]!.stats.edits);
  }
  expect(least).toBeLessThan(0.25);
});

it('impulses through sleep, waking and another solver are those of the twin', async () => {
  const column = (x: number) => [0, 1, 2].map((i) => ({ at: [x, 0.5 + i, 0] as Vec3, half: [0.5, 0.5, 0.5] as Vec3 }));
  const boxes = [...column(-3), ...column(3)];
  const world = boxWorld(boxes);
  const solver = await solverOf(world);
  const twin = boxWorld(boxes);
  const both = [world, twin];
  configure(twin, SOLVER_CELL_SPLIT);
  for (const w of both) {
    w.setHeader('sleep', 1);
    w.setHeaderFloat('sleepSpeed', 0.05);
    w.setHeaderFloat('sleepTime', 0.5);
  }
  const step = async () => {
    await stepOnGpu(world, solver);
    twin.core.step();
    if (inject('adapter').software) expect(difference(world.state(), twin.state())).toBe(0);
  };
  const carried = ({ core, memory, header }: CoreWorld) => {
    const fields = ['count', 'tangentImpulse1', 'tangentImpulse2', 'twistImpulse', 'stepImpulse'] as const;
    const points = ['impulse0', 'impulse1', 'impulse2', 'impulse3', 'separation0', 'separation3'] as const;
    return Array.from({ length: header('manifoldCount') }, (_, i) => {
      const at = core.readManifold(i);
      const view = new DataView(memory.buffer, at);
      return [...fields, ...points].map((name) => view.getFloat32(Manifold[name], true) + 0);
    });
  };
  for (let i = 0; i < (isLong ? 60 : 40); i++) await step();
  // One of the piles goes on while the other one sleeps.
  for (let i = 0; i < (isLong ? 120 : 60); i++) {
    if (i % 20 === 0) for (const w of both) w.core.applyImpulse(6, 400, 0, 0, 3, 2.5, 0);
    await step();
  }
  expect(world.header('sleepingCount')).toBe(3);
  for (const w of both) w.core.applyImpulse(3, 200, 0, 0, -3, 2.5, 0);
  await step();
  expect(world.header('sleepingCount')).toBe(0);
  if (inject('adapter').software) expect(carried(world)).toEqual(carried(twin));
  await step();
  for (const w of both) {
    w.core.setSolver(SOLVER_WIDE);
    w.core.step();
  }
  if (inject('adapter').software) expect(difference(world.state(), twin.state())).toBe(0);
});

it('cells of other sizes for a while: under random edits the twin follows, and bodies are shared', async () => {
  const { boxes, world, solver, twin, both } = await besideTwin(30, 12, 14);
  const edits = editor(both, boxes.length, 5);
  let shared = 0;
  for (let step = 0; step < (isLong ? 80 : 24); step++) {
    // Three steps in four find the graph as it was left, or nearly so.
    if (step % 4 === 0) for (let i = 0; i < 5; i++) edits.edit();
    if (step === 40 || step === 52) {
      for (const w of both) w.setHeader('granularity', step === 40 ? 7 : 14);
    }
    await stepOnGpu(world, solver);
    twin.core.step();
    if (inject('adapter').software) {
      expect(difference(world.state(), twin.state()), `step ${step}`).toBe(0);
      expect(world.header('cellCount')).toBe(twin.header('cellCount'));
    }
    shared = Math.max(shared, world.header('splitBodyCount'));
  }
  expect(shared).toBeGreaterThan(5);
});

it('boxes that come in flat at 20 to 200 m/s end their step flat on the floor, with the bits of the twin', async () => {
  for (const speed of [20, 60, 200]) {
    const boxes = Array.from({ length: 6 }, (_, k) => ({
      at: [2 * k, 2.25 + (k * speed) / 360, 0] as Vec3,
      half: [0.25, 0.25, 0.25] as Vec3,
    }));
    const world = boxWorld(boxes);
    const solver = await solverOf(world);
    const twin = boxWorld(boxes);
    configure(twin, SOLVER_CELL_SPLIT);
    for (const { core, setHeader } of [world, twin]) {
      setHeader('substeps', 8);
      for (let k = 0; k < boxes.length; k++) core.setVelocity(k + 1, 0, -speed, 0, 0, 0, 0);
    }
    const hit = new Set<number>();
    for (let i = 0; hit.size < boxes.length; i++) {
      expect(i).toBeLessThan(20);
      await stepOnGpu(world, solver);
      twin.core.step();
      const state = world.state();
      if (inject('adapter').software) expect(difference(state, twin.state()), `step ${i}`).toBe(0);
      boxes.forEach((_, k) => {
        const at = 20 * (k + 1);
        if (hit.has(k) || state[at + 1]! < -0.5 * speed) return;
        hit.add(k);
        expect(state[at + 9]! - 0.25, `height at ${speed} m/s, ${k}`).toBeLessThan(1e-3);
        expect(state[at + 9]! - 0.25, `depth at ${speed} m/s, ${k}`).toBeGreaterThan(-4e-3);
        expect(2 * Math.hypot(...state.slice(at + 16, at + 19)), `tilt at ${speed} m/s, ${k}`).toBeLessThan(1e-3);
      });
    }
  }
});

it('an empty world steps', async () => {
  const world = boxWorld([]);
  const solver = await solverOf(world);
  await stepOnGpu(world, solver);
  await stepOnGpu(world, solver);
  expect(solver.stats.dispatches).toBeLessThan(4);
});

it('a lost device loses no state: the same step goes on in WASM', async () => {
  const boxes = dropBoxes(30, 6);
  const own = await losableDevice();
  const world = boxWorld(boxes);
  configure(world, SOLVER_EXTERNAL);
  const solver = await GpuSolver.create(own, world.memory, world.core as unknown as GpuCore);
  const twin = boxWorld(boxes);
  configure(twin, SOLVER_CELL_SPLIT);
  for (let i = 0; i < 5; i++) {
    await stepOnGpu(world, solver);
    twin.core.step();
  }
  const events: string[] = [];
  solver.onLost = (loss) => events.push(loss.reason);
  world.core.stepBroadphase();
  world.core.stepContacts();
  expect(solver.submit()).toBe(true);
  own.device.destroy();
  await own.lost;
  await solver.result();
  expect(solver.poll()).toBe('lost');
  expect(solver.apply()).toBe(false);
  expect(solver.submit()).toBe(false);
  expect(events).toEqual(['destroyed']);
  // The step that was in flight, solved here instead.
  world.core.setSolver(SOLVER_CELL_SPLIT);
  expect(world.core.stepSolve()).toBe(0);
  expect(world.core.stepEnd()).toBe(0);
  twin.core.step();
  const tolerance = inject('adapter').software ? 0 : 1e-3;
  expect(difference(world.state(), twin.state())).toBeLessThanOrEqual(tolerance);
  world.core.step();
  twin.core.step();
  expect(difference(world.state(), twin.state())).toBeLessThanOrEqual(tolerance);
  // A new device takes over.
  const again = await solverOf(world);
  await stepOnGpu(world, again);
  twin.core.step();
  expect(difference(world.state(), twin.state())).toBeLessThanOrEqual(tolerance);
});
