// Steps of changing length against their rule in double precision: the length that softness follows, and the substeps of a step.
import { expect, it } from 'vitest';
import { Header } from '../../../src/layout.generated';
import { coreBodies } from '../../helpers/core_bodies';

const world = coreBodies();
const { core } = world;
const set = (dt: number, soft: number) => {
  world.setHeaderFloat(Header.dt, dt);
  world.setHeaderFloat(Header.softStep, soft);
};

it('a shorter step has fewer substeps of about the same length, and one at least', () => {
  const soft = 1 / 60;
  for (const substeps of [1, 4, 7, 12]) {
    for (const share of [0.01, 0.13, 0.3, 0.46, 0.71, 0.97]) {
      set(share * soft, soft);
      const exact = Math.ceil(substeps * share);
      expect(core.substepsInStep(substeps), `${substeps} by ${share}`).toBe(exact);
      world.setHeader(Header.substeps, substeps);
      core.countSubsteps();
      expect(world.header(Header.stepSubsteps)).toBe(exact);
    }
    for (const share of [1, 1.4, 30]) {
      set(share * soft, soft);
      expect(core.substepsInStep(substeps)).toBe(substeps);
    }
    expect(core.softLength(substeps)).toBeCloseTo(soft / substeps, 8);
  }
  world.setHeader(Header.substeps, 0);
  core.countSubsteps();
  expect(world.header(Header.stepSubsteps)).toBe(1);
});

it('softness follows longer steps in eight steps, shorter ones in 256, and is theirs where they are the same', () => {
  for (const [dt, soft] of [
    [1 / 30, 1 / 60],
    [1 / 100, 1 / 60],
    [0.5, 0.01],
    [0.01, 0.5],
  ] as const) {
    set(dt, soft);
    let exact: number = soft;
    for (let i = 0; i < 5; i++) {
      core.followStep();
      exact += (dt - exact) / (dt > exact ? 8 : 256);
      expect(world.headerFloat(Header.softStep) / exact).toBeCloseTo(1, 5);
    }
  }
  const dt = Math.fround(0.0123);
  for (const soft of [0, dt * 1.0008, dt * 0.9991]) {
    set(dt, soft);
    core.followStep();
    expect(world.headerFloat(Header.softStep)).toBe(dt);
  }
  set(dt, dt * 1.002);
  core.followStep();
  expect(world.headerFloat(Header.softStep)).not.toBe(dt);
});
