// Joints in the methods on rows on the GPU against their twins in WASM (assembly/study/methods): equal on a software adapter, step by
// step, with every type of joint and every setting that they support; within a tolerance elsewhere.
import { afterAll, describe, expect, inject, it } from 'vitest';
import {
  FRICTION_PYRAMID_STAGGERED,
  JOINT_GEAR,
  JOINT_PULLEY,
  Joint,
  SOLVER_COLOR_ORDER,
  SOLVER_EXTERNAL,
  SOLVER_JACOBI_ACCUMULATE,
  SOLVER_JACOBI_ASSEMBLED,
  SOLVER_JACOBI_AVERAGE,
  SOLVER_JACOBI_SPECTRAL,
  SOLVER_PAIR_ROWS,
  SOLVER_PAIR_SPLIT_PRINTED,
  STABILIZE_PROJECTION,
} from '../../src/layout.generated';
import type { RowSolver } from '../../src/study/gpu/row_solver';
import type { Accumulation } from '../../src/study/methods';
import { addBody, addJoint, ball, coneTwist, fixed, hinge, rod, slider } from '../helpers/core_joints';
import { boxWorld, type CoreWorld } from '../helpers/core_world';
import { useDevice } from '../helpers/gpu';
import { everyNth } from '../helpers/long';
import { boxes, configure, follow, ONE_STEP, rowSolver, SOFT } from '../helpers/row_worlds';
import type { Settings } from '../helpers/settings';

const gpu = useDevice();
const solvers: RowSolver[] = [];
/** Largest difference of a step, m/s or rad/s. */
const tolerance = () => (inject('adapter').software ? 1e-37 : 5e-3);

afterAll(() => {
  for (const solver of solvers) solver.destroy();
});

/** A chain of boxes that falls to the floor, and every type of joint in the air, some of them on the world. */
function jointed(): CoreWorld {
  const world = boxWorld(boxes(4, (i) => [1.1 * i, 0.6 + 0.2 * i, 0]));
  const between = (i: number) => ({
    bodyA: 1 + i,
    bodyB: 2 + i,
    anchorA: [0.55, 0, 0] as const,
    anchorB: [-0.55, 0, 0] as const,
  });
  const join = (fields: Parameters<typeof addJoint>[1]) => addJoint(world, fields);
  const ends = (i: number) => {
    const { bodyA, bodyB } = between(i);
    return {
      bodyA,
      bodyB,
      anchorA: [0.55, 0, 0] as [number, number, number],
      anchorB: [-0.55, 0, 0] as [number, number, number],
    };
  };
  join({ ...ball, ...ends(0), frictionLever: 0.05, frictionTorque: 0.1 });
  join({ ...hinge, ...ends(1), axes: { 5: { lower: -0.1, upper: 0.1, friction: 2 } } });
  join({ ...coneTwist, ...ends(2), cone: 0.2, axes: { 5: { lower: -0.1, upper: 0.1 } } });
  const body = (x: number, y: number, mass = 1) => addBody(world, [x, y, 3], mass, [0.05, 0.07, 0.06]);
  const hook = (b: number, x: number) => ({
    bodyA: null,
    bodyB: b,
    anchorA: [x, 6, 3] as [number, number, number],
    anchorB: [-0.4, 0, 0] as [number, number, number],
  });
  join({ ...hinge, ...hook(body(0.4, 6), 0), axes: { 5: { motor: 3, maxForce: 2 } } });
  join({ ...hinge, ...hook(body(3.4, 6), 3), axes: { 5: { spring: { target: 0.3, stiffness: 40, damping: 2 } } } });
  join({ ...fixed, ...hook(body(6.4, 6), 6) });
  join({ ...slider, ...hook(body(9.4, 6), 9), axes: { 2: { lower: -0.1, upper: 0.2, spring: { frequency: 2, damping: 0.3 } } } });
  const stick = join({ ...rod, ...hook(body(12.4, 6), 12), axes: { 0: {} } });
  new DataView(world.memory.buffer).setFloat32(world.header('joints') + stick * Joint.STRIDE + Joint.target0, 0.2, true);
  const wheels = [body(15, 6), body(16, 6)];
  for (const [i, wheel] of wheels.entries()) {
    join({ ...hinge, bodyA: null, bodyB: wheel, anchorA: [15 + i, 6, 3], anchorB: [0, 0, 0] });
    world.core.setVelocity(wheel, 0, 0, 0, 0, 0, 2);
  }
  const none: [number, number, number] = [0, 0, 0];
  join({ kind: JOINT_GEAR, locked: 0, bodyA: wheels[0]!, bodyB: wheels[1]!, anchorA: none, anchorB: none, ratio: 2 });
  const [heavy, light] = [body(20, 5, 3), body(22, 5)];
  join({
    kind: JOINT_PULLEY,
    locked: 0,
    bodyA: heavy,
    bodyB: light,
    anchorA: none,
    anchorB: [0.1, 0, 0],
    frameA: [20, 8, 3, 0],
    frameB: [22, 8, 3, 0],
    axes: { 0: { upper: 6 } },
    ratio: 1.5,
  });
  return world;
}

/** All that the solver writes of the joints. */
function jointsOf(world: CoreWorld): Float32Array {
  const count = world.header('jointCount');
  const records = new Float32Array(world.memory.buffer, world.header('joints'), (count * Joint.STRIDE) / 4);
  const from = Joint.jx / 4;
  const out: number[] = [];
  for (let i = 0; i < count; i++)
    out.push(...records.subarray((i * Joint.STRIDE) / 4 + from, (i * Joint.STRIDE + Joint.twist) / 4 + 1));
  return Float32Array.from(out);
}

const METHODS: [string, number][] = [
  ['pairs', SOLVER_PAIR_ROWS],
  ['pairs as printed', SOLVER_PAIR_SPLIT_PRINTED],
  ['colors', SOLVER_COLOR_ORDER],
  ['accumulated', SOLVER_JACOBI_ACCUMULATE],
  ['assembled', SOLVER_JACOBI_ASSEMBLED],
  ['scaled', SOLVER_JACOBI_SPECTRAL],
  ["Bridson's average", SOLVER_JACOBI_AVERAGE],
];

const SETTINGS: [string, Settings][] = [
  ['soft with relax', SOFT],
  ['soft with relax, staggered', { ...SOFT, frictionModel: FRICTION_PYRAMID_STAGGERED }],
  ['one step of Baumgarte', ONE_STEP],
  ['projection in substeps', { ...ONE_STEP, substeps: 2, stabilization: STABILIZE_PROJECTION, stabilizationFactor: 0.8 }],
  [
    'heavier bodies below, literal aggressive sleep',
    { ...ONE_STEP, weightAmplification: 1.4, aggressiveSleep: 2, sleepSpeed: 0.2, sleepTime: 0.5 },
  ],
];

describe.each(METHODS)('%s', (_, method) => {
  // In the short form a method has one or two of the settings, and all methods together have all of them.
  const place = METHODS.findIndex(([, one]) => one === method);
  it.each(everyNth(SETTINGS, 3, place))('%s: every step is that of the twin', async (__, settings) => {
    const world = jointed();
    configure(world, settings, SOLVER_EXTERNAL);
    const solver = await rowSolver(gpu, world, method);
    solvers.push(solver);
    const steps = method === SOLVER_PAIR_SPLIT_PRINTED ? 2 : 6;
    for (let i = 0; i < steps; i++) {
      const { worst, twin } = await follow(world, solver, method, settings, 1);
      expect(worst, `step ${i}`).toBeLessThanOrEqual(tolerance());
      expect(world.header('rowCount')).toBeGreaterThan(50);
      if (!inject('adapter').software) continue;
      const [ours, theirs] = [jointsOf(world), jointsOf(twin)];
      const apart = ours.map((x, k) => (x === theirs[k] ? 0 : Math.abs(x - theirs[k]!)));
      expect(Math.max(...apart), `step ${i}, word ${apart.findIndex((x) => x > 1e-37)}`).toBeLessThanOrEqual(1e-37);
    }
    solver.destroy();
  });
});

it.each([
  ['accumulated', SOLVER_JACOBI_ACCUMULATE],
  ['scaled', SOLVER_JACOBI_SPECTRAL],
])('%s with momentum: every step is that of the twin', async (_, method) => {
  const settings: Settings = { ...SOFT, nesterov: 1 };
  const world = jointed();
  configure(world, settings, SOLVER_EXTERNAL);
  const solver = await rowSolver(gpu, world, method);
  solvers.push(solver);
  for (let i = 0; i < 4; i++) {
    const { worst } = await follow(world, solver, method, settings, 1);
    expect(worst, `step ${i}`).toBeLessThanOrEqual(tolerance());
  }
  solver.destroy();
});

it.each(['fixed-point', 'compare-exchange'] as Accumulation[])('sums of rows by %s hold joints', async (accumulation) => {
  const world = jointed();
  configure(world, SOFT, SOLVER_EXTERNAL);
  const solver = await rowSolver(gpu, world, SOLVER_JACOBI_ACCUMULATE, accumulation);
  solvers.push(solver);
  for (let i = 0; i < 6; i++) {
    const { worst } = await follow(world, solver, SOLVER_JACOBI_ACCUMULATE, SOFT, 1);
    expect(worst).toBeLessThan(5e-3);
  }
  solver.destroy();
});
