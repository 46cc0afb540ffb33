// Joints in the splitting kernels against their twin in WASM: whole steps with collision, every kind of joint, islands in one dispatch,
// cells that cut through chains; what is told and what stays on the GPU.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type GpuCore, GpuSolver } from '../../src/gpu/gpu_solver';
import { createKernel, createKernels } from '../../src/gpu/pipelines';
import { JOINT_BROKEN, JOINT_ENABLED, Joint, SOLVER_CELL_SPLIT, SOLVER_EXTERNAL, SplitState } from '../../src/layout.generated';
import { addBody, addJoint, ball, coneTwist, fixed, hinge, recordOf, rod, slider } from '../helpers/core_joints';
import { boxWorld, type CoreWorld } from '../helpers/core_world';
import { useDevice } from '../helpers/gpu';
import { isLong } from '../helpers/long';
import type { Vec3 } from '../helpers/manifold_builder';
import { copyWorld, SPREADS, spreadOf } from '../helpers/nudge';

const gpu = useDevice();
const solvers: GpuSolver[] = [];

beforeAll(async () => {
  await createKernels(gpu.device);
  await createKernel(gpu.device, 'island_joints');
}, 400_000);
afterAll(() => {
  for (const solver of solvers) solver.destroy();
});

function configure(world: CoreWorld, solver: number): void {
  world.core.setSolver(solver);
  world.setHeader('substeps', 8);
  world.setHeader('sweeps', 2);
}

/** `byPasses`: as if the kernel of islands with joints had not been compiled yet. */
async function solverOf(world: CoreWorld, byPasses = false): Promise<GpuSolver> {
  configure(world, SOLVER_EXTERNAL);
  const core = byPasses ? { ...world.core, layOutGpu: () => world.core.layOutGpu(0) } : world.core;
  const solver = await GpuSolver.create({ ...gpu, isOwned: false }, world.memory, core as unknown as GpuCore);
  solvers.push(solver);
  return solver;
}

async function stepOnGpu(world: CoreWorld, solver: GpuSolver): Promise<void> {
  world.core.stepBroadphase();
  world.core.stepContacts();
  expect(solver.submit()).toBe(true);
  expect(await solver.result()).toBe('ready');
  expect(solver.apply()).toBe(true);
  expect(world.core.stepEnd()).toBe(0);
}

function difference(a: Float32Array, b: Float32Array): number {
  let worst = 0;
  for (let i = 0; i < a.length; i++) {
    const d = Math.abs(a[i]! - b[i]!);
    if (!(d <= worst)) worst = Number.isNaN(d) ? Infinity : d;
  }
  return worst;
}

const carried = [
  'jx',
  'jy',
  'jz',
  'previousJ',
  'tx',
  'tz',
  'previousT',
  'fx',
  'impulseStep',
  'limit0',
  'limit5',
  'limit6',
  'drive0',
  'drive1',
  'drive5',
  'rub5',
  'peakForce',
  'peakTorque',
  'twist',
] as const;
function impulses(world: CoreWorld): Float32Array {
  const out: number[] = [];
  for (let i = 0; i < world.header('jointCount'); i++)
    out.push(...carried.map((name: keyof typeof Joint) => recordOf(world, i)(name)));
  return Float32Array.from(out);
}

const turnedX: [number, number, number, number] = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
const turnedY: [number, number, number, number] = [0, Math.SQRT1_2, 0, Math.SQRT1_2];

/** One of each kind, in the air and on the ground. */
function kinds(): CoreWorld {
  const world = boxWorld([
    { at: [0, 1, 0], half: [0.2, 0.2, 0.2] },
    { at: [0, 1, 0.6], half: [0.2, 0.2, 0.2] },
  ]);
  addJoint(world, { ...fixed, bodyA: 1, bodyB: 2, anchorA: [0, 0, 0.3], anchorB: [0, 0, -0.3] });
  const at = (x: number): Vec3 => [x, 6, 0];
  const body = (x: number, mass = 2) => addBody(world, at(x), mass, [0.05, 0.04, 0.06]);
  const hang = (x: number, mass?: number) => ({
    bodyA: null,
    bodyB: body(x, mass),
    anchorA: [x - 0.5, 6, 0] as Vec3,
    anchorB: [-0.5, 0, 0] as Vec3,
  });
  addJoint(world, { ...ball, ...hang(2), frictionLever: 0.005, frictionTorque: 0.1 });
  addJoint(world, { ...hinge, ...hang(4), axes: { 5: { lower: -0.4, upper: 0.3, friction: 0.2 } }, frictionLever: 0.005 });
  addJoint(world, { ...hinge, ...hang(6), axes: { 5: { motor: 9, maxForce: 40 } } });
  addJoint(world, { ...hinge, ...hang(8), axes: { 5: { spring: { target: 0.5, frequency: 3, damping: 0.3 } } } });
  addJoint(world, {
    ...coneTwist,
    ...hang(10),
    cone: 0.5,
    frameA: turnedY,
    frameB: turnedY,
    axes: { 5: { lower: -0.2, upper: 0.2 } },
  });
  addJoint(world, {
    ...slider,
    ...hang(12),
    frameA: turnedX,
    frameB: turnedX,
    axes: { 2: { lower: -0.3, upper: 0.3, friction: 5 } },
  });
  addJoint(world, {
    kind: 4,
    locked: 0b011011,
    ...hang(14),
    frameA: turnedX,
    frameB: turnedX,
    axes: { 2: { spring: { stiffness: 400, damping: 8 } }, 5: { motor: 3 } },
  });
  const rodded = hang(16);
  addJoint(world, { ...rod, ...rodded, anchorB: [0, 0, 0], axes: { 0: { spring: { target: 0.5, frequency: 0, damping: 0 } } } });
  addJoint(world, {
    kind: 6,
    locked: 0,
    ...hang(18),
    anchorB: [0, 0, 0],
    axes: { 0: { lower: 0.2, upper: 0.9, spring: { target: 0.7, frequency: 2, damping: 0.5 } } },
  });
  addJoint(world, {
    kind: 7,
    locked: 0b100011,
    ...hang(20),
    axes: { 2: { lower: -0.1, upper: 0.2 }, 3: { lower: -0.3, upper: 0.4 }, 4: { friction: 0.3 } },
  });
  const wheel = body(22, 5);
  const rim = body(22.2, 1);
  addJoint(world, {
    kind: 8,
    locked: 0b011101,
    bodyA: wheel,
    bodyB: rim,
    anchorA: [0.2, 0, 0],
    anchorB: [0, 0, 0],
    axes: { 1: { lower: -0.2, upper: 0.2, spring: { frequency: 4, damping: 0.7 } }, 5: { motor: 20, maxForce: 3 } },
  });
  const [g1, g2] = [body(24), body(25)];
  addJoint(world, {
    ...hinge,
    bodyA: null,
    bodyB: g1,
    anchorA: at(24),
    anchorB: [0, 0, 0],
    axes: { 5: { motor: 4, maxForce: 6 } },
  });
  addJoint(world, { ...hinge, bodyA: null, bodyB: g2, anchorA: at(25), anchorB: [0, 0, 0] });
  addJoint(world, { kind: 9, locked: 0, bodyA: g1, bodyB: g2, anchorA: [0, 0, 0], anchorB: [0, 0, 0], ratio: 1.5 });
  const [p1, p2] = [body(28, 3), body(30)];
  addJoint(world, {
    kind: 10,
    locked: 0,
    bodyA: p1,
    bodyB: p2,
    anchorA: [0, 0.1, 0],
    anchorB: [0.1, 0, 0],
    frameA: [28, 9, 0, 0],
    frameB: [30, 9, 0, 0],
    ratio: 2,
    axes: { 0: { upper: 8.9 } },
  });
  return world;
}

/** Joints whose swing passes half a turn within a few steps: each set of locked angles, and limits and drives of the others. */
function halfTurns(): CoreWorld {
  const world = boxWorld([{ at: [0, 1, 0], half: [0.2, 0.2, 0.2] }]);
  const angles = { lower: -0.5, upper: 0.5, friction: 0.2 };
  const spring = { spring: { target: 0.2, frequency: 3, damping: 0.5 } };
  const diagonal: Vec3 = [0.6, 0.8, 0];
  const cases: [locked: number, way: Vec3, axes: Record<number, object>][] = [
    [0b000, diagonal, { 3: angles, 4: spring, 5: { motor: 2, maxForce: 3 } }],
    [0b000, diagonal, { 5: angles }],
    [0b001, [0, 1, 0], { 4: { lower: -2.8, upper: 2.8 }, 5: angles }],
    [0b010, [1, 0, 0], { 3: spring }],
    [0b100, diagonal, { 3: { lower: -2, upper: 2 } }],
    [0b100, [0, 1, 0], {}],
    [0b101, [0, 1, 0], { 4: { motor: 5, maxForce: 2 } }],
    [0b110, [1, 0, 0], {}],
  ];
  for (const [i, [locked, way, axes]] of cases.entries()) {
    const at: Vec3 = [2 * i, 6, 0];
    const half = Math.sin(1.3);
    const body = addBody(world, at, 2, [0.05, 0.04, 0.06], [half * way[0], half * way[1], half * way[2], Math.cos(1.3)]);
    const [x, y, z] = way.map((w) => 6 * w) as Vec3;
    world.core.setVelocity(body, 0, 0, 0, x, y, z + 0.01);
    addJoint(world, { kind: 7, locked: 7 | (locked << 3), bodyA: null, bodyB: body, anchorA: at, anchorB: [0, 0, 0], axes });
  }
  return world;
}

/** Chains of boxes that fall on one heap; cut into cells of few links. */
function heap(): CoreWorld {
  const [chains, links] = [5, 5];
  const boxes = Array.from({ length: chains * links }, (_, k) => {
    const [c, i] = [Math.floor(k / links), k % links];
    const at: Vec3 = [(c % 3) * 0.4 - 0.5 + 0.02 * c, 0.4 + 0.4 * Math.floor(c / 3), i * 0.32 - 0.7 + 0.05 * c];
    return { at, half: [0.1, 0.08, 0.14] as Vec3 };
  });
  const world = boxWorld(boxes);
  for (let c = 0; c < chains; c++) {
    for (let i = 1; i < links; i++) {
      const bodyB = 1 + c * links + i;
      const ends = {
        bodyA: bodyB - 1,
        bodyB,
        anchorA: [0, 0, 0.16] as Vec3,
        anchorB: [0, 0, -0.16] as Vec3,
        frictionLever: 0.005,
      };
      if ((i + c) % 2 === 0)
        addJoint(world, { ...hinge, ...ends, frameA: turnedY, frameB: turnedY, axes: { 5: { lower: -1, upper: 1 } } });
      else addJoint(world, { ...coneTwist, ...ends, cone: 0.8, axes: { 5: { lower: -0.5, upper: 0.5 } } });
    }
  }
  return world;
}

/** Three ragdolls, two of which fall on each other, a chain that hangs, and a stack of boxes beside them. */
function ragdolls(): CoreWorld {
  // Pelvis, chest, head, then upper arms, lower arms, thighs and shins in pairs: x, y, half extents.
  const parts: [number, number, Vec3][] = [
    [0, 0, [0.16, 0.09, 0.1]],
    [0, 0.34, [0.17, 0.16, 0.1]],
    [0, 0.72, [0.1, 0.13, 0.1]],
  ];
  for (const side of [-1, 1]) {
    parts.push([side * 0.36, 0.44, [0.14, 0.05, 0.05]], [side * 0.68, 0.44, [0.13, 0.045, 0.045]]);
    parts.push([side * 0.1, -0.34, [0.07, 0.2, 0.07]], [side * 0.1, -0.8, [0.06, 0.2, 0.06]]);
  }
  const places: Vec3[] = [
    [0, 1.2, 0],
    [0.12, 2.9, 0.05],
    [4, 1.1, 0],
  ];
  const boxes = places.flatMap(([x, y, z]) => parts.map(([px, py, half]) => ({ at: [x + px, y + py, z] as Vec3, half })));
  for (let i = 0; i < 4; i++) boxes.push({ at: [8, 0.2 + 0.4 * i, 0], half: [0.2, 0.2, 0.2] });
  const world = boxWorld(boxes);
  for (let r = 0; r < places.length; r++) {
    const join = (a: number, b: number, at: [number, number], fields: object) => {
      const from = (i: number): Vec3 => [at[0] - parts[i]![0], at[1] - parts[i]![1], 0];
      const ends = { bodyA: 1 + r * parts.length + a, bodyB: 1 + r * parts.length + b, anchorA: from(a), anchorB: from(b) };
      addJoint(world, { ...ends, frictionLever: 0.02, ...fields } as Parameters<typeof addJoint>[1]);
    };
    join(0, 1, [0, 0.13], {
      ...coneTwist,
      cone: 0.4,
      frameA: turnedX,
      frameB: turnedX,
      axes: { 5: { lower: -0.3, upper: 0.3 } },
    });
    join(1, 2, [0, 0.54], {
      ...hinge,
      axes: { 5: { lower: -0.5, upper: 0.5, spring: { target: 0, frequency: 4, damping: 0.6 } } },
    });
    for (const [k, side] of [-1, 1].entries()) {
      const [upper, lower, thigh, shin] = [3 + 4 * k, 4 + 4 * k, 5 + 4 * k, 6 + 4 * k];
      join(1, upper, [side * 0.2, 0.44], { ...coneTwist, cone: 0.9, frameA: turnedY, frameB: turnedY, frictionTorque: 0.2 });
      join(upper, lower, [side * 0.52, 0.44], { ...hinge, axes: { 5: { lower: -1.2, upper: 0.1, friction: 0.1 } } });
      join(0, thigh, [side * 0.1, -0.11], { ...ball });
      join(thigh, shin, [side * 0.1, -0.57], {
        ...hinge,
        frameA: turnedY,
        frameB: turnedY,
        axes: { 5: k === 0 ? { motor: 2, maxForce: 5 } : { lower: 0, upper: 1.5 } },
      });
    }
  }
  let above: number | null = null;
  for (let i = 0; i < 5; i++) {
    const body = addBody(world, [-4 + 0.3 * i, 3, 0], 1, [0.02, 0.02, 0.02]);
    const anchorA: Vec3 = above === null ? [-4.15, 3, 0] : [0.15, 0, 0];
    addJoint(world, { ...ball, bodyA: above, bodyB: body, anchorA, anchorB: [-0.15, 0, 0], frictionLever: 0.01 });
    above = body;
  }
  return world;
}

/** Reads a number of the packed step. */
function splitStateOf(world: CoreWorld): (field: keyof typeof SplitState) => number {
  const view = new DataView(world.memory.buffer);
  return (field) => view.getUint32(world.header('splitState') + SplitState[field], true);
}

async function compare(
  make: () => CoreWorld,
  granularity: number,
  steps: number,
  change: (world: CoreWorld, step: number) => void = () => {},
  { byPasses = false, after = (_step: number, _dispatches: number, _world: CoreWorld) => {} } = {},
) {
  const [world, twin] = [make(), make()];
  const solver = await solverOf(world, byPasses);
  configure(twin, SOLVER_CELL_SPLIT);
  for (const w of [world, twin]) w.setHeader('granularity', granularity);
  let shared = 0;
  for (let i = 0; i < steps; i++) {
    let tolerance = 0;
    if (inject('adapter').software) {
      for (const w of [world, twin]) change(w, i);
    } else {
      // Each step starts from the state of the GPU's world, so that rounding does not add up.
      change(world, i);
      copyWorld(world, twin);
      twin.core.setSolver(SOLVER_CELL_SPLIT);
      tolerance = 1e-2 + SPREADS * spreadOf(twin, (copy) => copy.core.step());
    }
    await stepOnGpu(world, solver);
    twin.core.step();
    shared = Math.max(shared, world.header('splitBodyCount'));
    after(i, solver.stats.dispatches, world);
    expect(difference(world.state(), twin.state()), `step ${i}`).toBeLessThanOrEqual(tolerance);
    if (inject('adapter').software) expect(difference(impulses(world), impulses(twin)), `impulses of step ${i}`).toBe(0);
  }
  return { world, solver, shared };
}

describe('joints on the GPU', () => {
  it.each([false, true])('every kind equals the twin; by passes: %s', async (byPasses) => {
    let dispatches = 0;
    const after = (_step: number, count: number) => {
      dispatches = count;
    };
    const { world } = await compare(kinds, 128, isLong ? 45 : 18, undefined, { byPasses, after });
    expect(impulses(world).every((x) => Number.isFinite(x))).toBe(true);
    // 17 passes, before 16 of which joints turn; or one dispatch.
    expect(dispatches).toBeGreaterThanOrEqual(byPasses ? 33 + 5 : 1 + 5);
    expect(dispatches).toBeLessThanOrEqual(byPasses ? 33 + 7 : 2 + 6);
  });

  it('swings through half a turn equal the twin', async () => {
    await compare(halfTurns, 128, 20);
  });

  it('ragdolls, a chain and a stack: islands in one dispatch, broken joints and more than a workgroup holds', async () => {
    const cells: { plain: number; closed: number; all: number; dispatches: number }[] = [];
    const change = (world: CoreWorld, step: number) => {
      const joint = (index: number, field: keyof typeof Joint) => world.header('joints') + index * Joint.STRIDE + Joint[field];
      if (step === 8) new DataView(world.memory.buffer).setFloat32(joint(4, 'breakForce'), 1, true);
      if (step === 14) world.core.setJointFlags(12, JOINT_BROKEN);
      // Cells of so few links that an island of several ragdolls does not fit.
      if (step === 26) world.setHeader('granularity', 24);
    };
    const after = (_step: number, dispatches: number, world: CoreWorld) => {
      const state = splitStateOf(world);
      cells.push({ plain: state('plainCellCount'), closed: state('closedCellCount'), all: state('cellCount'), dispatches });
    };
    const { world } = await compare(ragdolls, 224, 40, change, { after });
    expect(
      new DataView(world.memory.buffer).getUint32(world.header('joints') + 4 * Joint.STRIDE + Joint.flags, true) & JOINT_BROKEN,
    ).toBe(JOINT_BROKEN);
    // The kernel is there from the second step on: first islands alone, then with cells that share bodies as well.
    const alone = cells.filter((c, i) => i > 0 && c.closed === c.all);
    expect(alone.some((c) => c.plain > 0 && c.plain < c.closed)).toBe(true);
    for (const { dispatches } of alone) expect(dispatches).toBeLessThanOrEqual(2 + 6);
    const mixed = cells.filter((c) => c.plain > 0 && c.plain < c.closed && c.closed < c.all);
    expect(mixed.length).toBeGreaterThan(3);
    for (const { dispatches } of mixed) expect(dispatches).toBeGreaterThan(2 + 33);
  });

  it('a heap of chains, cut into cells, equals the twin', async () => {
    const { shared } = await compare(heap, 14, isLong ? 45 : 30);
    expect(shared).toBeGreaterThan(3);
  });

  it('joints come, go, change and sleep, and another solver steps in between: the twin follows', async () => {
    let uploads = 0;
    const change = (world: CoreWorld, step: number) => {
      const { core } = world;
      const write = (joint: number, field: keyof typeof Joint, value: number) =>
        new DataView(world.memory.buffer).setFloat32(world.header('joints') + joint * Joint.STRIDE + Joint[field], value, true);
      if (step === 0) {
        world.setHeader('sleep', 1);
        world.setHeaderFloat('sleepSpeed', 0.1);
        world.setHeaderFloat('sleepTime', 0.2);
      }
      if (step === 6) core.setJointFlags(5, 0);
      if (step === 10) core.setJointFlags(5, JOINT_ENABLED);
      if (step === 12) {
        write(3, 'target5', -4);
        core.renewJoint(3);
      }
      if (step === 14) core.removeJoint(6);
      if (step === 15) core.removeBody(1);
      if (step === 17)
        addJoint(world, { ...ball, bodyA: null, bodyB: 2, anchorA: [0, 1, 0], anchorB: [0, 0.5, 0], frictionLever: 0.05 });
      if (step === 20) world.setHeader('substeps', 6);
      if (step === 24) core.setJointFlags(2, JOINT_BROKEN);
      if (step === 28) core.setVelocity(2, 1, 2, 3, 4, 5, 6);
    };
    const { world, solver } = await compare(kinds, 128, 40, change);
    expect(world.header('jointAlive')).toBe(15);
    // A step on WASM in between: all is told again.
    for (let i = 0; i < 3; i++) {
      await stepOnGpu(world, solver);
      uploads = Math.max(uploads, solver.stats.uploadBytes);
    }
    world.core.setSolver(SOLVER_CELL_SPLIT);
    world.core.step();
    world.core.setSolver(SOLVER_EXTERNAL);
    await stepOnGpu(world, solver);
    expect(solver.stats.uploadBytes).toBeGreaterThan(uploads);
  });

  it('with a number of substeps of its own, and two means in each', async () => {
    const { world, shared } = await compare(heap, 14, 32, (w) => w.setHeader('autoSubsteps', 1));
    expect(shared).toBeGreaterThan(0);
    expect(world.header('oneMean')).toBe(0);
  });
});
