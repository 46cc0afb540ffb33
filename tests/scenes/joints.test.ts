// Scenes with joints: indices, unit frames, closed anchors and kept limits at the start, counts.
import { describe, expect, it } from 'vitest';
import { sceneDepth } from '../../bench/lib/depth.mjs';
import { JointMeasure, jointErrors } from '../../bench/lib/joints.mjs';
import { buildScene, DYNAMIC, SCENE_NAMES, WORLD } from '../../scenes/index';

const JOINTED = SCENE_NAMES.filter((name) => buildScene(name, { scale: 0.04 }).joints);

describe('scenes with joints', () => {
  it('are these', () => {
    expect(JOINTED).toEqual([
      'ragdolls150',
      'capsule-chain',
      'hanging-chain',
      'bridge',
      'joint-grid',
      'car',
      'arm',
      'four-bar',
      'gear-train',
      'pulley',
      'bullets',
      'cradle',
    ]);
  });

  it.each(JOINTED)('%s starts with closed anchors, axes in line and inside of its limits', (name) => {
    const scene = buildScene(name, { scale: 0.2 });
    const { bodies } = scene;
    for (const joint of scene.joints!) {
      expect(joint.bodyA === WORLD || joint.bodyA < bodies.count).toBe(true);
      expect(joint.bodyB).toBeGreaterThanOrEqual(0);
      expect(joint.bodyB).toBeLessThan(bodies.count);
      expect(joint.bodyA).not.toBe(joint.bodyB);
      expect([joint.bodyA, joint.bodyB].some((i) => bodies.type[i] === DYNAMIC)).toBe(true);
      for (const frame of [joint.frameA, joint.frameB]) expect(Math.hypot(...frame)).toBeCloseTo(1, 12);
      if (joint.limit) expect(joint.limit.min).toBeLessThan(joint.limit.max);
      const { gap, tilt, excess } = jointErrors(joint, bodies);
      expect(gap ?? 0).toBeLessThan(2e-6);
      expect(tilt ?? 0).toBeLessThan(2e-4);
      for (const beyond of excess) expect(beyond).toBe(0);
    }
    // What is not joined does not overlap.
    expect(sceneDepth(scene, bodies.position, bodies.rotation).pairs.max).toBeLessThan(1e-5);
  });

  it('have the advertised counts', () => {
    const counts = (name: string, options = {}) => {
      const scene = buildScene(name, options);
      return [scene.checks.dynamicCount, scene.joints!.length];
    };
    expect(counts('ragdolls150')).toEqual([1950, 1800]);
    expect(counts('ragdolls150', { count: 7 })).toEqual([91, 84]);
    expect(counts('capsule-chain')).toEqual([25, 25]);
    expect(counts('hanging-chain')).toEqual([26, 26]);
    expect(counts('bridge')).toEqual([90, 61]);
    expect(counts('joint-grid')).toEqual([9998, 19800]);
  });

  it('a chain that is pulled apart by a hundredth is a hundredth longer', () => {
    const scene = buildScene('hanging-chain');
    const measure = new JointMeasure(scene);
    const position = scene.bodies.position.map((value) => 1.01 * value);
    measure.sample({ position, rotation: scene.bodies.rotation });
    expect(measure.result().stretch).toBeCloseTo(1, 1);
    // Widest at the ball: half a link and its radius.
    expect(measure.result().gapMax).toBeCloseTo(0.0063, 4);
  });
});

describe('errors of a joint', () => {
  const place = (position: number[], rotation: number[]) => ({
    position: Float64Array.from([0, 0, 0, ...position]),
    rotation: Float64Array.from([0, 0, 0, 1, ...rotation]),
  });
  const joint = {
    bodyA: 0,
    bodyB: 1,
    anchorA: [0, 0, 0] as const,
    anchorB: [0, 0, 0] as const,
    frameA: [0, 0, 0, 1] as const,
    frameB: [0, 0, 0, 1] as const,
    collide: false,
  };
  const about = (axis: number[], angle: number) => [...axis.map((c) => c * Math.sin(angle / 2)), Math.cos(angle / 2)];

  it('are the gap, the tilt and what is beyond the limits', () => {
    const limit = { min: -0.5, max: 0.5 };
    const turned = jointErrors({ ...joint, type: 'hinge', limit }, place([0.01, 0, 0], about([0, 0, 1], 0.7)));
    expect(turned.gap).toBeCloseTo(0.01, 12);
    expect(turned.tilt).toBeCloseTo(0, 6);
    expect(turned.excess[0]).toBeCloseTo((0.2 * 180) / Math.PI, 9);
    const back = jointErrors({ ...joint, type: 'hinge', limit }, place([0, 0, 0], about([0, 0, 1], -0.8)));
    expect(back.excess[0]).toBeCloseTo((0.3 * 180) / Math.PI, 9);
    const swung = jointErrors({ ...joint, type: 'cone-twist', cone: 1, limit }, place([0, 0, 0], about([0.6, 0.8, 0], 1.25)));
    expect(swung.excess[0]).toBeCloseTo((0.25 * 180) / Math.PI, 9);
    expect(swung.excess[1]).toBe(0);
  });
});
