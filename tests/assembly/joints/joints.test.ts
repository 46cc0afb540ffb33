// Joints of the scalar oracle, of its rows and of cell splitting against closed forms: energy and period, load and stretch, limits, drives, momentum;
// and one fixed point however cells are cut.
import { describe, expect, it } from 'vitest';
import { SOLVER_CELL_SPLIT, SOLVER_PGS } from '../../../src/layout.generated';
import { addBody, addJoint, ball, coneTwist, fixed, hinge, measured, recordOf, slider } from '../../helpers/core_joints';
import { boxWorld, type CoreWorld } from '../../helpers/core_world';

const solvers: [string, number, number][] = [
  ['pgs', SOLVER_PGS, 0],
  ['cell-split', SOLVER_CELL_SPLIT, 0],
  ['pgs on rows', SOLVER_PGS, 1],
];

function emptyWorld(solver: number, granularity = 128, onRows = 0): CoreWorld {
  const world = boxWorld([]);
  world.core.setSolver(solver);
  world.setHeader('onRows', onRows);
  world.setHeader('relax', onRows);
  world.setHeader('granularity', granularity);
  if (solver === SOLVER_CELL_SPLIT) world.setHeader('sweeps', 2);
  return world;
}
const stateOf = (world: CoreWorld, body: number) => world.state().subarray(body * 20, body * 20 + 20);
const step = (world: CoreWorld, steps: number) => {
  for (let i = 0; i < steps; i++) world.core.step();
};

/** A chain of 25 balls that hangs, the last of them heavier; its stretch (1), and the force at its top (N). */
function hang(world: CoreWorld, ratio: number, steps: number): { stretch: number; force: number } {
  let last = 0;
  for (let i = 0; i < 25; i++) {
    const mass = i === 24 ? ratio : 1;
    const body = addBody(world, [0, 19.9 - 0.2 * i, 0], mass, [0.01 * mass, 0.005 * mass, 0.01 * mass]);
    const at = i === 0 ? ([0, 20, 0] as const) : ([0, -0.1, 0] as const);
    addJoint(world, { ...ball, bodyA: i === 0 ? null : last, bodyB: body, anchorA: [...at], anchorB: [0, 0.1, 0] });
    last = body;
  }
  step(world, steps);
  const force = recordOf(world, 0)('jy') / recordOf(world, 0)('impulseStep');
  return { stretch: (20.1 - stateOf(world, last)[9]!) / 5 - 1, force };
}

describe.each(solvers)('%s', (_, solver, onRows) => {
  it('a pendulum at 60 degrees keeps its energy and its period', () => {
    const world = emptyWorld(solver, 128, onRows);
    const [x, y] = [Math.sin(Math.PI / 3), Math.cos(Math.PI / 3)];
    const body = addBody(world, [x, 10 - y, 0], 1, [0.01, 0.01, 0.01]);
    addJoint(world, { ...hinge, bodyA: null, bodyB: body, anchorA: [0, 10, 0], anchorB: [-x, y, 0] });
    const energy = () => {
      const s = stateOf(world, body);
      return 0.5 * Math.hypot(s[0]!, s[1]!, s[2]!) ** 2 + 0.005 * Math.hypot(s[4]!, s[5]!, s[6]!) ** 2 + 9.81 * (s[9]! - 9);
    };
    const start = energy();
    const crossings: number[] = [];
    let [least, most, gap] = [Infinity, 0, 0];
    let before = x;
    for (let i = 0; i < 1200; i++) {
      world.core.step();
      const now = stateOf(world, body)[8]!;
      if (before > 0 && now <= 0) crossings.push((i + before / (before - now)) / 60);
      before = now;
      least = Math.min(least, energy() / start);
      most = Math.max(most, energy() / start);
      gap = Math.max(gap, measured(world, 0)[7]!);
    }
    expect(least).toBeGreaterThan(0.99);
    // Within a swing it is off by half a substep of gravity.
    expect(most).toBeLessThan(1.004);
    // On rows the directions are those of the middle of the step.
    expect(gap).toBeLessThan(onRows ? 5e-5 : 3e-5);
    const exact = 2 * Math.PI * Math.sqrt(1.01 / 9.81) * 1.073182;
    expect((crossings[5]! - crossings[0]!) / 5 / exact).toBeCloseTo(1, 2.5);
  });

  it('a chain hangs with the load of its links', () => {
    const light = hang(emptyWorld(solver, 128, onRows), 1, 300);
    expect(light.force).toBeCloseTo(25 * 9.81, 0);
    expect(light.stretch).toBeGreaterThan(5e-4);
    expect(light.stretch).toBeLessThan(1.2e-3);
    expect(hang(emptyWorld(solver, 128, onRows), 10, 300).stretch).toBeLessThan(2e-3);
  });

  it('limits hold, and carry the weight', () => {
    const world = emptyWorld(solver, 128, onRows);
    const body = addBody(world, [0.5, 10, 0], 2, [0.05, 0.05, 0.05]);
    addJoint(world, {
      ...hinge,
      bodyA: null,
      bodyB: body,
      anchorA: [0, 10, 0],
      anchorB: [-0.5, 0, 0],
      axes: { 5: { lower: -0.5, upper: 0.3 } },
    });
    const held = addBody(world, [5, 10, 0.5], 2, [0.05, 0.05, 0.05]);
    const cone = addJoint(world, {
      ...coneTwist,
      bodyA: null,
      bodyB: held,
      anchorA: [5, 10, 0],
      anchorB: [0, 0, -0.5],
      cone: 0.6,
      frictionLever: 0.005,
    });
    let least = 0;
    for (let i = 0; i < 300; i++) {
      world.core.step();
      least = Math.min(least, measured(world, 0)[5]!);
      expect(measured(world, cone)[6]).toBeLessThan(0.61);
    }
    expect(least).toBeGreaterThan(-0.502);
    expect(measured(world, 0)[5]).toBeCloseTo(-0.5, 3);
    const torque = recordOf(world, 0)('limit5') / recordOf(world, 0)('impulseStep');
    expect(torque / (2 * 9.81 * 0.5 * Math.cos(0.5))).toBeCloseTo(1, 2);
    expect(world.rms()).toBeLessThan(1e-4);
  });

  it('a motor at 99 % of the weight lets it sink with what is missing', () => {
    const world = emptyWorld(solver, 128, onRows);
    const up: [number, number, number, number] = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
    const body = addBody(world, [0, 10, 0], 3);
    addJoint(world, {
      ...slider,
      bodyA: null,
      bodyB: body,
      anchorA: [0, 10, 0],
      anchorB: [0, 0, 0],
      frameA: up,
      frameB: up,
      axes: { 2: { motor: 0, maxForce: 3 * 9.81 * 0.99 } },
    });
    step(world, 60);
    expect(10 - stateOf(world, body)[9]!).toBeCloseTo(0.5 * 0.0981, 3);
  });

  it.each([2, 5])('a spring of %d Hz swings at that, whatever its lever', (frequency) => {
    const world = emptyWorld(solver, 128, onRows);
    world.setHeaderFloat('gravityY', 0);
    const body = addBody(world, [0.5, 10, 0], 2, [0.05, 0.05, 0.05]);
    const spring = { target: 0.2, frequency, damping: 0.1 };
    addJoint(world, { ...hinge, bodyA: null, bodyB: body, anchorA: [0, 10, 0], anchorB: [-0.5, 0, 0], axes: { 5: { spring } } });
    const zeros: number[] = [];
    let before = -0.2;
    for (let i = 0; i < 180; i++) {
      world.core.step();
      const now = measured(world, 0)[5]! - 0.2;
      if (before * now < 0) zeros.push((i + before / (before - now)) / 60);
      before = now;
    }
    const found = 2 / (zeros[5]! - zeros[1]!) / Math.sqrt(1 - 0.01);
    expect(found / frequency).toBeGreaterThan(0.985);
    expect(found / frequency).toBeLessThan(1.005);
  });

  it('frames far apart come together', () => {
    const world = emptyWorld(solver, 128, onRows);
    world.setHeaderFloat('gravityY', 0);
    const a = addBody(world, [0, 10, 0]);
    const half = 2.9 / 2;
    const b = addBody(
      world,
      [1.2, 10.3, 0],
      1,
      [0.1, 0.2, 0.15],
      [Math.sin(half) * 0.6, 0, Math.sin(half) * 0.8, Math.cos(half)],
    );
    addJoint(world, { ...fixed, bodyA: a, bodyB: b, anchorA: [0.5, 0, 0], anchorB: [-0.5, 0, 0] });
    step(world, 60);
    const at = measured(world, 0);
    expect(at[7]).toBeLessThan(1e-3);
    expect(Math.hypot(at[5]!, at[6]!)).toBeLessThan(0.01);
  });

  it('a gear keeps its ratio, a pulley its rope', () => {
    const world = emptyWorld(solver, 128, onRows);
    const wheels = [0, 1].map((x) => {
      const body = addBody(world, [x, 5, 0]);
      addJoint(world, {
        ...hinge,
        bodyA: null,
        bodyB: body,
        anchorA: [x, 5, 0],
        anchorB: [0, 0, 0],
        axes: x === 0 ? {} : { 5: { motor: 2, maxForce: 5 } },
      });
      return body;
    });
    const gear = addJoint(world, {
      kind: 9,
      locked: 0,
      bodyA: wheels[0]!,
      bodyB: wheels[1]!,
      anchorA: [0, 0, 0],
      anchorB: [0, 0, 0],
      ratio: 2,
    });
    const [heavy, light] = [addBody(world, [10, 5, 0], 3), addBody(world, [12, 5, 0], 1)];
    addJoint(world, {
      kind: 10,
      locked: 0,
      bodyA: heavy,
      bodyB: light,
      anchorA: [0, 0, 0],
      anchorB: [0, 0, 0],
      frameA: [10, 8, 0, 0],
      frameB: [12, 8, 0, 0],
      axes: { 0: { upper: 6 } },
    });
    step(world, 60);
    expect(stateOf(world, wheels[0]!)[6]).toBeCloseTo(-4, 4);
    expect(Math.abs(recordOf(world, gear)('twist'))).toBeLessThan(1e-5);
    expect(stateOf(world, heavy)[1]).toBeCloseTo(-9.81 / 2, 2);
    expect(16 - stateOf(world, heavy)[9]! - stateOf(world, light)[9]!).toBeCloseTo(6, 3);
  });
});

describe('cells', () => {
  it('a chain hangs as far whether it is cut or not', () => {
    const whole = hang(emptyWorld(SOLVER_CELL_SPLIT), 10, 480);
    const cut = emptyWorld(SOLVER_CELL_SPLIT, 8);
    expect(hang(cut, 10, 480).stretch).toBeCloseTo(whole.stretch, 6);
    expect(cut.header('splitBodyCount')).toBeGreaterThan(2);
  });

  it('momentum and angular momentum are kept across cuts', () => {
    const world = emptyWorld(SOLVER_CELL_SPLIT, 10);
    world.setHeaderFloat('gravityY', 0);
    const masses = Array.from({ length: 30 }, (_, i) => 1 + (i % 3));
    const bodies = masses.map((mass, i) => {
      const body = addBody(world, [0.3 * i, 5, 0], mass, [0.02, 0.02, 0.02]);
      world.core.setVelocity(body, Math.sin(i), Math.cos(2 * i), Math.sin(3 * i), 2 * Math.sin(i), 1, Math.cos(i));
      return body;
    });
    for (let i = 1; i < bodies.length; i++) {
      const ends = {
        bodyA: bodies[i - 1]!,
        bodyB: bodies[i]!,
        anchorA: [0.15, 0, 0] as [number, number, number],
        frictionLever: 0.005,
      };
      addJoint(world, { ...(i % 3 === 0 ? hinge : ball), ...ends, anchorB: [-0.15, 0, 0] });
    }
    const sums = () => {
      const out = [0, 0, 0, 0, 0, 0];
      for (const [i, body] of bodies.entries()) {
        const s = stateOf(world, body);
        const m = masses[i]!;
        for (let k = 0; k < 3; k++) {
          const [p, q] = [(k + 1) % 3, (k + 2) % 3];
          out[k]! += m * s[k]!;
          out[3 + k]! += m * (s[8 + p]! * s[q]! - s[8 + q]! * s[p]!) + 0.02 * s[4 + k]!;
        }
      }
      return out;
    };
    const before = sums();
    step(world, 240);
    const after = sums();
    expect(world.header('splitBodyCount')).toBeGreaterThan(1);
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k]! - before[k]!)).toBeLessThan(2e-3);
    for (let k = 3; k < 6; k++) expect(Math.abs(after[k]! - before[k]!)).toBeLessThan(2e-2);
  });
});
