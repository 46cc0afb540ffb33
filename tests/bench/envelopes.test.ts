// The limits: their scenes, and the measures that judge them, on cases with an exact answer.
import { describe, expect, it } from 'vitest';
import * as talus from '../../bench/engines/talus.mjs';
import { ENVELOPES, envelopeScene, playEnvelope } from '../../bench/lib/envelopes.mjs';
import { createState, startState } from '../../bench/lib/state.mjs';
import { ENVELOPES as SCENES, type Scene } from '../../scenes/index';
import * as api from '../../src/index';

const make = (scene: Scene) => talus.create(scene, { warn: false } as object, api);

/** The world at the start with one body elsewhere. */
function stateWith(scene: Scene, body: number, position: readonly number[]) {
  const state = startState(scene);
  state.position.set(position, 3 * body);
  return state;
}

describe('scenes of the limits', () => {
  it.each(Object.keys(SCENES))('%s: finite at both ends, the same for the same seed, others for others', (name) => {
    const { values, chance = true } = ENVELOPES[name];
    for (const value of [values[0], values.at(-1)]) {
      const scene: Scene = envelopeScene(name, value, 1);
      const { position, linearVelocity } = scene.bodies;
      expect([...position, ...linearVelocity].every(Number.isFinite)).toBe(true);
      expect(envelopeScene(name, value, 1).bodies).toEqual(scene.bodies);
      if (chance) expect(envelopeScene(name, value, 2).bodies).not.toEqual(scene.bodies);
    }
  });

  it('have a measure each', () => {
    expect(Object.keys(ENVELOPES).sort()).toEqual(Object.keys(SCENES).sort());
  });
});

describe('measures of the limits', () => {
  it('a block that sank by a fifth of a slab holds, one by two fifths or far aside does not', () => {
    const scene: Scene = envelopeScene('mass-ratio', 10, 1);
    const block = scene.parts!.watched as number;
    const [x, y, z] = scene.bodies.position.subarray(3 * block, 3 * block + 3) as unknown as [number, number, number];
    const judge = (at: number[]) => ENVELOPES['mass-ratio'].judge(scene, stateWith(scene, block, at));
    expect(judge([x, y - 0.02, z])).toEqual({ measure: expect.closeTo(20, 4), holds: true });
    expect(judge([x, y - 0.04, z])).toEqual({ measure: expect.closeTo(40, 4), holds: false });
    expect(judge([x + 0.06, y, z]).holds).toBe(false);
  });

  it('a ball passes its wall only between the edges', () => {
    const scene: Scene = envelopeScene('speed-moving', 100, 1);
    const { watched } = scene.parts! as { watched: number };
    const seen = (way: number[][]) => {
      const watch = ENVELOPES['speed-moving'].watch(scene);
      for (const at of way) watch.sample(stateWith(scene, watched, at));
      return watch.passed;
    };
    const before = [0.2, 0.1, -1];
    expect(seen([before, [0.2, 0.1, -0.13], [0.2, 0.1, -0.13]])).toBe(false);
    expect(seen([before, [0.2, 0.1, 1]])).toBe(true);
    // Past the edge at 2 m, into the plane of the plate beside it.
    expect(seen([before, [2.5, 0.1, -0.5], [6, 0.1, 0.5]])).toBe(false);
    // The straight way from sample to sample crosses the plane 1.9 m from the center, then 2.1 m.
    expect(seen([before, [3.6, 0.1, 1]])).toBe(true);
    expect(seen([before, [4, 0.1, 1]])).toBe(false);
  });

  it('a gap of a joint is seen when it is widest', () => {
    const scene: Scene = envelopeScene('joint-load', 10, 1);
    const watch = ENVELOPES['joint-load'].watch(scene);
    const ball = scene.parts!.ball as number;
    const [x, y, z] = startState(scene).position.subarray(3 * ball, 3 * ball + 3) as unknown as [number, number, number];
    watch.sample(stateWith(scene, ball, [x + 0.06, y, z]));
    watch.sample(startState(scene));
    expect(ENVELOPES['joint-load'].judge(scene, createState(scene.bodies.count), watch)).toEqual({
      measure: expect.closeTo(60, 3),
      holds: false,
    });
  });

  it('talus: a box stops where the closed form says, a shot does not pass, a trap of an engine does not hold', async () => {
    const slide = await playEnvelope('distance', make, 1, 1);
    expect(slide.holds).toBe(true);
    expect(slide.measure).toBeLessThan(0.5);
    expect(await playEnvelope('speed', make, 500, 3)).toMatchObject({ measure: 0, holds: true });
    const broken = async () => ({
      step() {
        throw new Error('trap');
      },
      dispose() {
        throw new Error('trap');
      },
    });
    expect(await playEnvelope('speed', broken, 3, 1)).toEqual({ measure: null, holds: false, failed: 'trap' });
  });
});
