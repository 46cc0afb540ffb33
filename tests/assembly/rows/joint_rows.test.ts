// Joints as scalar rows, on every method: each type keeps its axes, the rows agree with the blocks of the oracle, impulses survive a
// change of solver; stabilizations, aids, breaking, momentum.
import { describe, expect, it } from 'vitest';
import {
  JOINT_BROKEN,
  JOINT_GEAR,
  JOINT_PULLEY,
  Joint,
  SOLVER_CELL_ORDER,
  SOLVER_CELL_SPLIT,
  SOLVER_COLOR_ORDER,
  SOLVER_JACOBI,
  SOLVER_JACOBI_ACCUMULATE,
  SOLVER_JACOBI_ASSEMBLED,
  SOLVER_JACOBI_AVERAGE,
  SOLVER_JACOBI_LINE_SEARCH,
  SOLVER_JACOBI_SPECTRAL,
  SOLVER_PAIR_ROWS,
  SOLVER_PAIR_SPLIT,
  SOLVER_PAIR_SPLIT_PRINTED,
  SOLVER_PGS,
  SOLVER_SCALAR_SPLIT,
  STABILIZE_BAUMGARTE,
  STABILIZE_PROJECTION,
} from '../../../src/layout.generated';
import {
  addBody,
  addJoint,
  ball,
  coneTwist,
  fixed,
  hinge,
  type JointFields,
  measured,
  recordOf,
  rod,
  slider,
} from '../../helpers/core_joints';
import { boxWorld, type CoreWorld } from '../../helpers/core_world';
import { everyNth } from '../../helpers/long';
import type { Vec3 } from '../../helpers/manifold_builder';
import { applySettings, type Settings } from '../../helpers/settings';

function open(solver: number, settings: Settings = {}, boxes: { at: Vec3; half: Vec3 }[] = []): CoreWorld {
  const world = boxWorld(boxes);
  world.core.setSolver(solver);
  applySettings(world, { onRows: 1, relax: 1, ...settings });
  return world;
}
const step = (world: CoreWorld, steps: number) => {
  for (let i = 0; i < steps; i++) expect(world.core.step()).toBe(0);
};
const stateOf = (world: CoreWorld, body: number) => world.state().subarray(body * 20, body * 20 + 20);
const difference = (a: CoreWorld, b: CoreWorld) => {
  const other = b.state();
  return Math.max(...a.state().map((x, i) => Math.abs(x - other[i]!)));
};

/** Methods and settings: which joints they hold within 2 mm and 0.02 rad. */
const METHODS: [string, number, Settings][] = [
  ['Gauss-Seidel', SOLVER_PGS, {}],
  ['Gauss-Seidel, rows in a drawn order', SOLVER_PGS, { permutation: 1 }],
  ['cell-like order', SOLVER_CELL_ORDER, { granularity: 2 }],
  ['order of colors', SOLVER_COLOR_ORDER, {}],
  ['pair splitting', SOLVER_PAIR_ROWS, { sweeps: 4 }],
  ['pair splitting, links in a drawn order', SOLVER_PAIR_ROWS, { sweeps: 4, permutation: 1 }],
  ['cell splitting', SOLVER_CELL_SPLIT, { sweeps: 4, granularity: 2 }],
  ['scalar splitting', SOLVER_SCALAR_SPLIT, { sweeps: 16 }],
  ['Gauss-Seidel with momentum', SOLVER_PGS, { sweeps: 8, nesterov: 1 }],
  ['pair splitting with momentum', SOLVER_PAIR_ROWS, { sweeps: 8, nesterov: 1 }],
  ['scalar splitting with momentum', SOLVER_SCALAR_SPLIT, { sweeps: 16, nesterov: 1 }],
  ['accumulated', SOLVER_JACOBI_ACCUMULATE, { sweeps: 16 }],
  ['assembled', SOLVER_JACOBI_ASSEMBLED, { sweeps: 16 }],
  ['scaled by the norm', SOLVER_JACOBI_SPECTRAL, { sweeps: 16 }],
  ['scaled by power iteration', SOLVER_JACOBI_SPECTRAL, { sweeps: 16, powerIterations: 20 }],
  ['line search', SOLVER_JACOBI_LINE_SEARCH, { sweeps: 16 }],
  ["Bridson's average", SOLVER_JACOBI_AVERAGE, { sweeps: 16 }],
];

const up: [number, number, number, number] = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
/** Each type with what of it is free. */
const TYPES: [string, Omit<JointFields, 'bodyA' | 'bodyB' | 'anchorA' | 'anchorB'>][] = [
  ['ball', { ...ball, frictionLever: 0.01 }],
  ['hinge', { ...hinge, axes: { 5: { lower: -0.4, upper: 0.4, friction: 0.05 } } }],
  ['hinge with a motor', { ...hinge, axes: { 5: { motor: 1, maxForce: 30 } } }],
  ['hinge with a spring', { ...hinge, axes: { 5: { spring: { target: 0.2, frequency: 3, damping: 0.5 } } } }],
  ['fixed', { ...fixed }],
  ['slider', { ...slider, frameA: up, frameB: up, axes: { 2: { lower: -0.05, upper: 0.1 } } }],
  ['cone and twist', { ...coneTwist, cone: 0.3, axes: { 5: { lower: -0.2, upper: 0.2 } } }],
];

describe.each(METHODS)('%s', (_, solver, settings) => {
  // In the short form the methods share the types out.
  const place = METHODS.findIndex((method) => method[1] === solver && method[2] === settings);
  it.each(everyNth(TYPES, 3, place))('%s: two bodies that hang keep its axes', (__, fields) => {
    const world = open(solver, settings);
    const first = addBody(world, [0.3, 5, 0], 1, [0.02, 0.03, 0.02]);
    const second = addBody(world, [0.9, 5, 0], 0.7, [0.02, 0.03, 0.02]);
    addJoint(world, { ...fields, bodyA: null, bodyB: first, anchorA: [0, 5, 0], anchorB: [-0.3, 0, 0] });
    addJoint(world, { ...fields, bodyA: first, bodyB: second, anchorA: [0.3, 0, 0], anchorB: [-0.3, 0, 0] });
    for (let i = 0; i < 90; i++) {
      world.core.step();
      for (const joint of [0, 1]) {
        const at = measured(world, joint);
        for (let axis = 0; axis < 3; axis++) {
          if ((fields.locked >> axis) & 1) expect(Math.abs(at[axis]!), `${i}`).toBeLessThan(6e-3);
          if ((fields.locked >> (3 + axis)) & 1) expect(Math.abs(at[3 + axis]!), `${i}`).toBeLessThan(0.02);
        }
        for (const [axis, limits] of Object.entries(fields.axes ?? {})) {
          if (limits.upper === undefined) continue;
          const most = Number(axis) < 3 ? 5e-3 : 0.04;
          expect(at[Number(axis)]!).toBeGreaterThan(limits.lower! - most);
          expect(at[Number(axis)]!).toBeLessThan(limits.upper + most);
        }
        if (fields.cone !== undefined) expect(at[6]).toBeLessThan(fields.cone + 0.04);
      }
    }
    expect(world.header('error')).toBe(0);
  });

  it('a rod, a gear and a pulley', () => {
    const world = open(solver, settings);
    const weight = addBody(world, [0.5, 5, 0], 1);
    addJoint(world, { ...rod, bodyA: null, bodyB: weight, anchorA: [0, 5, 0], anchorB: [0, 0, 0], axes: { 0: {} } });
    // A rod is a locked axis with its length as target.
    const view = new DataView(world.memory.buffer);
    view.setFloat32(world.header('joints') + Joint.target0, 0.5, true);
    const wheels = [0, 1].map((x) => {
      const body = addBody(world, [10 + x, 5, 0]);
      addJoint(world, {
        ...hinge,
        bodyA: null,
        bodyB: body,
        anchorA: [10 + x, 5, 0],
        anchorB: [0, 0, 0],
        axes: x === 0 ? {} : { 5: { motor: 2, maxForce: 5 } },
      });
      return body;
    });
    addJoint(world, {
      kind: JOINT_GEAR,
      locked: 0,
      bodyA: wheels[0]!,
      bodyB: wheels[1]!,
      anchorA: [0, 0, 0],
      anchorB: [0, 0, 0],
      ratio: 2,
    });
    const [heavy, light] = [addBody(world, [20, 5, 0], 3), addBody(world, [22, 5, 0], 1)];
    addJoint(world, {
      kind: JOINT_PULLEY,
      locked: 0,
      bodyA: heavy,
      bodyB: light,
      anchorA: [0, 0, 0],
      anchorB: [0, 0, 0],
      frameA: [20, 8, 0, 0],
      frameB: [22, 8, 0, 0],
      axes: { 0: { upper: 6 } },
    });
    step(world, 45);
    // Its solution is that of heavier bodies, which a motor takes longer to turn.
    if (solver === SOLVER_JACOBI_AVERAGE) return;
    const at = stateOf(world, weight);
    expect(Math.hypot(at[8]!, at[9]! - 5, at[10]!)).toBeCloseTo(0.5, 2);
    expect(stateOf(world, wheels[1]!)[6]).toBeCloseTo(2, 1);
    expect(stateOf(world, wheels[0]!)[6]).toBeCloseTo(-4, 1);
    expect(16 - stateOf(world, heavy)[9]! - stateOf(world, light)[9]!).toBeCloseTo(6, 2);
    expect(stateOf(world, heavy)[1]).toBeCloseTo((-9.81 / 2) * 0.75, 1);
  });
});

it('Jacobi as it is and the printed form run, whatever they do', () => {
  for (const solver of [SOLVER_JACOBI, SOLVER_PAIR_SPLIT_PRINTED]) {
    const world = chain(solver, 4, { substeps: 2 });
    for (let i = 0; i < 3; i++) world.core.step();
    expect(world.header('rowCount')).toBe(12);
  }
});

/** A chain of balls to the side of its hook. */
function chain(solver: number, count: number, settings: Settings = {}): CoreWorld {
  const world = open(solver, settings);
  let last: number | null = null;
  for (let i = 0; i < count; i++) {
    const body = addBody(world, [0.1 + 0.2 * i, 8, 0.05 * i], 1 + (i % 2), [0.01, 0.012, 0.01]);
    const at: Vec3 = last === null ? [0, 8, -0.025] : [0.1, 0, 0.025];
    addJoint(world, { ...ball, bodyA: last, bodyB: body, anchorA: at, anchorB: [-0.1, 0, -0.025] });
    last = body;
  }
  return world;
}

it('rows agree with the blocks of the oracle, the more the shorter the steps', () => {
  const after = (settings: Settings & { dt: number }) => {
    const blocks = chain(SOLVER_PGS, 4, { ...settings, onRows: 0 });
    const rows = chain(SOLVER_PGS, 4, settings);
    for (let i = 0; i < 10 / 60 / settings.dt; i++) {
      blocks.core.step();
      rows.core.step();
    }
    for (const field of ['jx', 'jy'] as const) {
      const load = recordOf(blocks, 0)(field);
      expect(Math.abs(recordOf(rows, 0)(field) - load)).toBeLessThan(0.1 * Math.abs(load));
    }
    return difference(blocks, rows);
  };
  // Speeds reach 3 m/s and 8 rad/s. Rows keep their directions during a step, blocks turn with each substep.
  const long = after({ substeps: 1, sweeps: 60, dt: 1 / 240 });
  expect(long).toBeLessThan(0.1);
  expect(after({ substeps: 1, sweeps: 60, dt: 1 / 960 })).toBeLessThan(0.35 * long);
  expect(after({ substeps: 4, sweeps: 30, dt: 1 / 240 })).toBeLessThan(0.35 * long);
});

it('other solvers go on with the impulses of the rows, and rows with theirs', () => {
  const hang = (): CoreWorld => {
    const world = open(SOLVER_PGS);
    const body = addBody(world, [0, 4.5, 0], 2);
    addJoint(world, { ...ball, bodyA: null, bodyB: body, anchorA: [0, 5, 0], anchorB: [0, 0.5, 0] });
    step(world, 60);
    return world;
  };
  const world = hang();
  const force = () => recordOf(world, 0)('jy') / recordOf(world, 0)('impulseStep');
  expect(force()).toBeCloseTo(2 * 9.81, 2);
  for (const solver of [
    SOLVER_CELL_SPLIT,
    SOLVER_PAIR_ROWS,
    SOLVER_PGS,
    SOLVER_JACOBI_ASSEMBLED,
    SOLVER_CELL_SPLIT,
    SOLVER_COLOR_ORDER,
  ]) {
    world.setHeader('onRows', solver === SOLVER_CELL_SPLIT ? 0 : 1);
    world.core.setSolver(solver);
    step(world, 1);
    expect(force()).toBeCloseTo(2 * 9.81, 1);
    expect(world.rms()).toBeLessThan(1e-3);
  }
});

it('cells and pairs without any setting of the rows take them where there are joints', () => {
  for (const solver of [SOLVER_CELL_ORDER, SOLVER_PAIR_SPLIT]) {
    const world = chain(solver, 3, { onRows: 0, sweeps: 4 });
    step(world, 30);
    for (let joint = 0; joint < 3; joint++) expect(measured(world, joint)[7]).toBeLessThan(2e-3);
  }
});

it.each([
  ['baumgarte', { stabilization: STABILIZE_BAUMGARTE, stabilizationFactor: 0.2 }, 0.06],
  ['projection', { stabilization: STABILIZE_PROJECTION, stabilizationFactor: 0.8 }, 0.01],
] as [string, Settings, number][])('one step of many iterations with %s, as published', (_, settings, most) => {
  const world = chain(SOLVER_PGS, 5, { ...settings, relax: 0, substeps: 1, sweeps: 40 });
  for (let i = 0; i < 240; i++) {
    world.core.step();
    for (let joint = 0; joint < 5; joint++) expect(measured(world, joint)[7]).toBeLessThan(most);
  }
  // Rows of the start of a step lose energy: it comes to rest on its own.
  expect(world.rms()).toBeLessThan(3);
});

it('a joint breaks where its force passes the threshold', () => {
  for (const [solver, settings] of [
    [SOLVER_PGS, {}],
    [SOLVER_SCALAR_SPLIT, { sweeps: 20 }],
  ] as [number, Settings][]) {
    const world = open(solver, settings);
    const joints = [1, 3].map((mass, i) => {
      const body = addBody(world, [5 * i, 4.5, 0], mass);
      return addJoint(world, { ...ball, bodyA: null, bodyB: body, anchorA: [5 * i, 5, 0], anchorB: [0, 0.5, 0] });
    });
    const view = () => new DataView(world.memory.buffer);
    const at = (joint: number) => world.header('joints') + joint * Joint.STRIDE;
    for (const joint of joints) view().setFloat32(at(joint) + Joint.breakForce, 20, true);
    for (const joint of joints) view().setFloat32(at(joint) + Joint.breakTorque, Infinity, true);
    step(world, 20);
    const broken = joints.map((joint) => (view().getUint32(at(joint) + Joint.flags, true) & JOINT_BROKEN) !== 0);
    expect(broken).toEqual([false, true]);
    expect(recordOf(world, joints[0]!)('peakForce')).toBeCloseTo(9.81, 1);
  }
});

it.each([
  ['Gauss-Seidel', SOLVER_PGS, {}],
  ['scalar splitting', SOLVER_SCALAR_SPLIT, { sweeps: 12 }],
  ['pair splitting', SOLVER_PAIR_ROWS, { sweeps: 4 }],
] as [string, number, Settings][])('%s conserves momentum', (_, solver, settings) => {
  const world = open(solver, { ...settings, gravityY: 0 });
  const masses = [1, 2, 3, 1, 2, 3];
  const bodies = masses.map((mass, i) => {
    const body = addBody(world, [0.3 * i, 5, 0], mass, [0.02, 0.02, 0.02]);
    world.core.setVelocity(body, Math.sin(i), Math.cos(2 * i), Math.sin(3 * i), 2 * Math.sin(i), 1, Math.cos(i));
    return body;
  });
  for (let i = 1; i < bodies.length; i++) {
    addJoint(world, {
      ...(i % 2 === 0 ? hinge : coneTwist),
      ...(i % 2 === 0 ? {} : { cone: 0.4, frictionLever: 0.01 }),
      bodyA: bodies[i - 1]!,
      bodyB: bodies[i]!,
      anchorA: [0.15, 0, 0],
      anchorB: [-0.15, 0, 0],
    });
  }
  const sums = () => {
    const out = [0, 0, 0];
    for (const [i, body] of bodies.entries()) for (let k = 0; k < 3; k++) out[k]! += masses[i]! * stateOf(world, body)[k]!;
    return out;
  };
  const before = sums();
  step(world, 120);
  for (let k = 0; k < 3; k++) expect(Math.abs(sums()[k]! - before[k]!)).toBeLessThan(2e-3);
});

/** A row of boxes on the floor, joined at their ends. */
function caterpillar(solver: number, settings: Settings): CoreWorld {
  const boxes = Array.from({ length: 4 }, (_, i) => ({ at: [0.5 * i, 0.1, 0] as Vec3, half: [0.2, 0.1, 0.1] as Vec3 }));
  const world = open(solver, settings, boxes);
  for (let i = 0; i < 3; i++) {
    addJoint(world, { ...ball, bodyA: 1 + i, bodyB: 2 + i, anchorA: [0.25, 0, 0], anchorB: [-0.25, 0, 0], frictionLever: 0.02 });
  }
  return world;
}

describe('aids', () => {
  const papers: Settings = {
    substeps: 1,
    sweeps: 10,
    relax: 0,
    stabilization: STABILIZE_BAUMGARTE,
    stabilizationFactor: 0.2,
    sleepSpeed: 0.05,
    sleepTime: 0.5,
    sleep: 0,
  };

  it('aggressive sleep freezes the rows of joints between bodies at rest', () => {
    for (const aggressiveSleep of [1, 2]) {
      const world = caterpillar(SOLVER_PGS, { ...papers, aggressiveSleep });
      let frozen = 0;
      for (let i = 0; i < 120; i++) {
        world.core.step();
        if (world.header('fixedRows') === world.header('rowCount')) frozen++;
        // To the letter, bodies swing between 0 and the threshold.
        if (i > 30) expect(world.rms()).toBeLessThan(aggressiveSleep === 1 ? 5e-3 : 0.08);
      }
      expect(frozen).toBeGreaterThan(20);
    }
  });

  it('to the letter, a slow start is enough', () => {
    // Falls from rest: at the start of the step every body is slower than the threshold.
    for (const [aggressiveSleep, fixedRows] of [
      [1, 0],
      [2, 3],
    ] as const) {
      const world = chain(SOLVER_PGS, 1, { ...papers, aggressiveSleep });
      world.core.step();
      expect(world.header('fixedRows')).toBe(fixedRows);
    }
  });

  it('weight amplification makes the body that bears a joint heavier, at any height', () => {
    const stretched = (weightAmplification: number) => {
      const world = open(SOLVER_PGS, { ...papers, sweeps: 3, weightAmplification });
      let last: number | null = null;
      for (let i = 0; i < 12; i++) {
        const body = addBody(world, [0, 7.9 - 0.2 * i, 0], 1, [0.01, 0.01, 0.01]);
        addJoint(world, {
          ...ball,
          bodyA: last,
          bodyB: body,
          anchorA: last === null ? [0, 8, 0] : [0, -0.1, 0],
          anchorB: [0, 0.1, 0],
        });
        last = body;
      }
      step(world, 120);
      return Math.max(...Array.from({ length: 12 }, (_, i) => measured(world, i)[7]!));
    };
    // Each link sees a heavier one above it, so that the load of the chain is found in fewer sweeps.
    expect(stretched(1.4)).toBeLessThan(0.9 * stretched(1));
  });

  it('shock propagation holds what hangs', () => {
    const world = chain(SOLVER_PGS, 4, { ...papers, shockPropagation: 0.5 });
    for (let i = 0; i < 120; i++) {
      world.core.step();
      for (let joint = 0; joint < 4; joint++) expect(measured(world, joint)[7]).toBeLessThan(0.08);
    }
  });
});

it('runs again to the bit', () => {
  for (const [, solver, settings] of METHODS) {
    const first = chain(solver, 4, settings);
    const second = chain(solver, 4, settings);
    step(first, 12);
    step(second, 12);
    expect(first.state()).toEqual(second.state());
  }
});
