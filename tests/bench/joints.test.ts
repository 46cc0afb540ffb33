// The adapters' joints, checked before any number of the bench is believed: anchors hold, hinges turn the way the scene says,
// limits keep to their sides, what an engine does not have is refused.
import { describe, expect, it } from 'vitest';
import * as cannon from '../../bench/engines/cannon.mjs';
import * as havok from '../../bench/engines/havok.mjs';
import * as jolt from '../../bench/engines/jolt.mjs';
import * as rapier from '../../bench/engines/rapier.mjs';
import * as talus from '../../bench/engines/talus.mjs';
import { JointMeasure } from '../../bench/lib/joints.mjs';
import { createState } from '../../bench/lib/state.mjs';
import { SceneBuilder } from '../../scenes/builder';
import { buildScene, type Scene, WORLD } from '../../scenes/index';
import * as api from '../../src/index';

async function run(create: (scene: Scene) => Promise<ReturnType<typeof rapier.create>>, scene: Scene, steps: number) {
  const engine = await create(scene);
  const state = createState(scene.bodies.count);
  const measure = new JointMeasure(scene);
  for (let i = 0; i < steps; i++) {
    engine.step();
    engine.read(state);
    measure.sample(state);
  }
  engine.dispose();
  return { state, ...measure.result() };
}

/** A box on one joint to the world, without gravity unless asked for. */
function oneBox(build: (builder: SceneBuilder, box: number) => void, gravity = 0): Scene {
  const builder = new SceneBuilder();
  build(builder, builder.box(0.5, 0.1, 0.2));
  const scene = builder.build('one', 'one box on a joint', 0, { bounds: { min: [-9, -9, -9], max: [9, 9, 9] } });
  return { ...scene, gravity: [0, -gravity, 0] };
}

describe.each([
  ['rapier', rapier.create],
  ['havok', havok.create],
  ['jolt', jolt.create],
  ['talus', (scene: Scene) => talus.create(scene, {}, api)],
])('%s', (_name, create) => {
  it('turns a driven hinge the way of its axis and stops it at its limit', async () => {
    const scene = oneBox((builder, box) => {
      const body = builder.dynamic(box, [0.5, 0, 0]);
      const place = { at: [0, 0, 0], axis: [0, 0, 1], side: [1, 0, 0] } as const;
      builder.joint('hinge', WORLD, body, place, { motor: { velocity: 1, maxForce: 100 }, limit: { min: -1, max: 0.5 } });
    });
    const { state, gapMax, held } = await run(create, scene, 60);
    expect(held).toBe(1);
    expect(Math.atan2(state.position[1], state.position[0])).toBeCloseTo(0.5, 1);
    expect(gapMax).toBeLessThan(2e-3);
  });

  it('holds a slider at its spring and its limits', async () => {
    const scene = oneBox((builder, box) => {
      const body = builder.dynamic(box, [0, 0, 0], { rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] });
      const place = { at: [0, 0, 0], axis: [1, 0, 0] } as const;
      builder.joint('slider', WORLD, body, place, { spring: { target: 0.6, frequency: 2, dampingRatio: 1 } });
      const other = builder.dynamic(box, [0, 0, 3], { linearVelocity: [2, 0, 0] });
      const beside = { at: [0, 0, 3], axis: [1, 0, 0] } as const;
      builder.joint('slider', WORLD, other, beside, { limit: { min: -0.25, max: 0.25 } });
    });
    const { state, gapMax, tiltMax } = await run(create, scene, 240);
    expect(state.position[0]).toBeCloseTo(0.6, 1);
    expect(Math.abs(state.position[3])).toBeLessThan(0.27);
    expect(gapMax).toBeLessThan(1e-3);
    expect(tiltMax).toBeLessThan(0.2);
  });

  it('keeps the limits of a cone-twist joint on either side', async () => {
    for (const side of [1, -1]) {
      const scene = oneBox((builder, box) => {
        const rotation = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
        // Its own axis goes up; it spins about it and swings sideways.
        const body = builder.dynamic(box, [0, 0.5, 0], { rotation, angularVelocity: [0, 2 * side, 1.5 * side] });
        const place = { at: [0, 0, 0], axis: [0, 1, 0] } as const;
        builder.joint('cone-twist', WORLD, body, place, { cone: 0.4, limit: { min: -0.3, max: 0.7 } });
      });
      const { limitWorst, gapMax } = await run(create, scene, 120);
      expect(limitWorst).toBeLessThan(8);
      expect(gapMax).toBeLessThan(5e-3);
    }
  });

  it('drives the car forwards', async () => {
    const scene = buildScene('car');
    const { state, tiltMax } = await run(create, scene, 180);
    const body = scene.joints![0].bodyA;
    expect(state.position[3 * body]).toBeGreaterThan(-46);
    expect(state.position[3 * body + 1]).toBeGreaterThan(0.5);
    expect(tiltMax).toBeLessThan(1);
  });

  it('holds a chain, ragdolls and a loop', async () => {
    const chain = await run(create, buildScene('hanging-chain', { massRatio: 1 }), 240);
    expect(Math.abs(chain.stretch!)).toBeLessThan(1);
    const dolls = await run(create, buildScene('ragdolls150', { count: 1 }), 400);
    expect(dolls.gapMean).toBeLessThan(3e-3);
    expect(dolls.limitMean).toBeLessThan(2);
    const loop = await run(create, buildScene('four-bar'), 240);
    expect(loop.gapMax).toBeLessThan(0.01);
  });

  it('does not let joined bodies collide', async () => {
    const scene = oneBox((builder, box) => {
      const first = builder.dynamic(box, [0, 0, 0]);
      const second = builder.dynamic(box, [0.3, 0, 0]);
      builder.joint('ball', first, second, { at: [0.15, 0, 0] });
    });
    const { state } = await run(create, scene, 30);
    expect(Math.hypot(...state.linear)).toBeLessThan(1e-4);
  });
});

describe('what an engine does not have', () => {
  it('is refused', async () => {
    await expect(cannon.create(buildScene('arm'))).rejects.toThrow("cannon: no joints, and the scene 'arm' has 3");
    await expect(rapier.create(buildScene('gear-train'))).rejects.toThrow('rapier: no joint gear');
    await expect(havok.create(buildScene('pulley'))).rejects.toThrow('havok: no joint pulley');
  });

  it.each([
    ['jolt', jolt.create],
    ['talus', (scene: Scene) => talus.create(scene, {}, api)],
  ])('%s has gears and pulleys', async (_name, create) => {
    const scene = buildScene('gear-train');
    const { state } = await run(create, scene, 240);
    const spins = scene.joints!.filter((j) => j.type === 'hinge').map((j) => state.angular[3 * j.bodyB + 2]);
    const radii = [0.3, 0.5, 0.25, 0.6, 0.8];
    expect(spins[0]).toBeCloseTo(3, 1);
    for (let i = 1; i < spins.length; i++) expect(spins[i] * radii[i]).toBeCloseTo(-spins[i - 1] * radii[i - 1], 2);
    const weights = await run(create, buildScene('pulley'), 120);
    expect(weights.gapMax).toBeLessThan(0.02);
  });
});
