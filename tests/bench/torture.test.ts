// The torture scenes and their closed forms: each form against an independent integration, and talus against the forms.
import { describe, expect, it } from 'vitest';
import * as talus from '../../bench/engines/talus.mjs';
import { bodyMasses } from '../../bench/lib/mass.mjs';
import { runLockstep } from '../../bench/lib/run.mjs';
import { ROWS, resultOf, WATCHES } from '../../bench/lib/torture.mjs';
import { cellOf } from '../../bench/lib/torture_cells.mjs';
import { torture, tortureTable } from '../../bench/lib/torture_runs.mjs';
import {
  buildScene,
  completeElliptic,
  dominoSpeed,
  flipTime,
  PRECESSION,
  pendulumPeriod,
  RACKET,
  TORTURE,
  WRECKING_BALL,
} from '../../scenes/index';
import * as api from '../../src/index';

/** One step of the classical Runge-Kutta method. */
function rungeKutta(state: number[], h: number, rates: (state: number[]) => number[]): number[] {
  const at = (k: number[], f: number) => state.map((x, i) => x + f * h * k[i]!);
  const a = rates(state);
  const b = rates(at(a, 0.5));
  const c = rates(at(b, 0.5));
  const d = rates(at(c, 1));
  return state.map((x, i) => x + (h / 6) * (a[i]! + 2 * b[i]! + 2 * c[i]! + d[i]!));
}

/** Time from the start until the value of `index` changes its sign for the n-th time. */
function signChange(start: number[], rates: (state: number[]) => number[], index: number, n: number): number {
  const h = 1e-3;
  let state = start;
  for (let step = 0, seen = 0; step < 1e5; step++) {
    const next = rungeKutta(state, h, rates);
    if (Math.sign(next[index]!) !== Math.sign(state[index]!) && ++seen === n)
      return (step + state[index]! / (state[index]! - next[index]!)) * h;
    state = next;
  }
  throw new Error('no change of sign');
}

describe('closed forms', () => {
  it('the elliptic integral has its known values', () => {
    expect(completeElliptic(1)).toBeCloseTo(Math.PI / 2, 14);
    // Of the modulus 1 / sqrt(2): Gamma(1/4)^2 / (4 sqrt(pi)).
    expect(completeElliptic(Math.SQRT1_2)).toBeCloseTo(1.8540746773013719, 13);
  });

  it('the period of a pendulum is that of its integration', () => {
    const quarter = signChange([Math.PI / 4, 0], ([angle, speed]) => [speed!, -0.981 * Math.sin(angle!)], 0, 1);
    expect(pendulumPeriod(10, 9.81, Math.PI / 4)).toBeCloseTo(4 * quarter, 6);
  });

  it('the time between flips is that of the integrated equations of Euler, from either side of the middle axis', () => {
    const moments = [1, 2, 2.8];
    const euler = (w: number[]) =>
      [0, 1, 2].map((k) => {
        const [j, l] = [(k + 1) % 3, (k + 2) % 3];
        return ((moments[j]! - moments[l]!) * w[j]! * w[l]!) / moments[k]!;
      });
    for (const spin of [
      [0.1, 5, 0],
      [0, 5, 0.1],
      [0.4, 5, 0.1],
    ]) {
      const [first, second] = [1, 2].map((n) => signChange(spin, euler, 1, n));
      expect(flipTime(moments, spin)).toBeCloseTo(second! - first!, 4);
    }
  });

  it('the speed of dominoes scales with the root of their size, and friction slows them', () => {
    const row = { height: 1, thickness: 0.12, gap: 0.38, friction: 0.3, gravity: 9.81 };
    const speed = dominoSpeed(row);
    expect(dominoSpeed({ ...row, height: 4, thickness: 0.48, gap: 1.52 })).toBeCloseTo(2 * speed, 9);
    expect(dominoSpeed({ ...row, friction: 0.6 })).toBeLessThan(speed);
    expect(dominoSpeed({ ...row, friction: 0 })).toBeGreaterThan(speed);
  });
});

/** What talus makes of a torture scene. */
async function played(name: string) {
  const scene = buildScene(name);
  const [result] = await runLockstep(scene, [{ name: 'talus', create: (one: object) => talus.create(one as never, {}, api) }], {
    steps: TORTURE[name]!.steps,
    observer: () => new WATCHES[name](scene),
    depth: false,
  });
  expect(result.failed).toBeNull();
  return result;
}

describe('talus', () => {
  it('a gyroscope goes round as m g r / (I w) says, and neither nods nor sinks', async () => {
    const { precession, nod, energyDrift } = await played('gyroscope');
    expect(Math.abs(precession / PRECESSION - 1)).toBeLessThan(0.002);
    expect(nod).toBeLessThan(0.3);
    expect(Math.abs(energyDrift)).toBeLessThan(0.006);
  });

  it('a ball of 1,000 times a link swings as a pendulum, and no joint of its chain opens', async () => {
    const { period, gapWorst, stretchWorst, energyDrift } = await played('wrecking-ball');
    const { links, pitch, massRatio, angle } = WRECKING_BALL;
    expect(Math.abs(period / pendulumPeriod(links * pitch, 9.81, angle, links / massRatio) - 1)).toBeLessThan(5e-4);
    expect(gapWorst).toBeLessThan(1e-5);
    expect(stretchWorst).toBeLessThan(1e-3);
    expect(Math.abs(energyDrift)).toBeLessThan(0.002);
  });

  it('a T-handle turns over at the times of the closed form, and keeps its energy and its angular momentum', async () => {
    const { flipTime: seconds, energyDrift, momentumDrift } = await played('racket');
    const { inertia } = bodyMasses(buildScene('racket'))[0];
    // The stem, about which it spins, is the axis of the middle moment.
    expect(inertia[0]).toBeLessThan(inertia[4]);
    expect(inertia[4]).toBeLessThan(inertia[8]);
    const expected = flipTime([inertia[0], inertia[4], inertia[8]], [RACKET.wobble, RACKET.spin, 0]);
    expect(Math.abs(seconds / expected - 1)).toBeLessThan(0.005);
    expect(Math.abs(energyDrift)).toBeLessThan(1e-5);
    expect(momentumDrift).toBeLessThan(1e-5);
  });

  it('a wave of dominoes has the speed of the model within 10 %, and no energy comes back', async () => {
    const { speed, fell, tiles, energyRise } = await played('domino');
    expect(fell).toBe(tiles);
    const row = ROWS.domino.find(({ unit }: { unit: string }) => unit === 'm/s');
    expect(Math.abs(speed / row.closed() - 1)).toBeLessThan(0.1);
    expect(energyRise).toBeLessThan(1e-4);
  });
});

describe('table', () => {
  it('says what is off by how much, and what fails', () => {
    const [row] = ROWS['wrecking-ball'];
    const closed = row.closed();
    const holds = { failed: null, period: closed * 1.02, held: 1 };
    expect(cellOf(resultOf(row, holds))).toContain('(+2 %)');
    expect(cellOf(resultOf(row, { ...holds, period: closed }))).toContain('(within 0.01 %)');
    expect(cellOf(resultOf(row, { ...holds, held: 0.5 }))).toBe('the chain breaks');
    expect(cellOf(resultOf(row, { failed: 'no joints' }))).toBe('-');
    const gap = ROWS['wrecking-ball'].find(({ unit }: { unit: string }) => unit === 'mm');
    expect(cellOf(resultOf(gap, { failed: null, gapWorst: 1e-7 }), 'mm')).toBe('under 0.001');
    expect(cellOf(resultOf(gap, { failed: null, gapWorst: 0.0312 }), 'mm')).toBe('31');
    expect(cellOf(resultOf(gap, { failed: null, gapWorst: 12.3 }), 'mm')).toBe('12 m');
  });

  it('has a row for each quantity, and a column for each engine that takes a scene', async () => {
    const found = await torture(['racket', 'domino'], ['rapier', 'jolt', 'cannon'], { steps: 30 });
    const { head, body } = tortureTable(found);
    expect(body.length).toBe(ROWS.racket.length + ROWS.domino.length);
    expect(head.length).toBe(5);
    expect(found.rows[0].engines.cannon.failed).toContain('no shape compound');
    await expect(torture(['moon'], ['jolt'])).rejects.toThrow("no torture scene 'moon'");
    await expect(torture(['racket'], ['ode'])).rejects.toThrow("unknown engine 'ode'");
  });
});
