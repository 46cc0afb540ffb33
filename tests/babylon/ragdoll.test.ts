// The ragdoll of Babylon.js on a skeleton of three bones: its boxes fall, hang together and take the bones along, as beside the plugin that
// Babylon.js brings.
import * as B from '@babylonjs/core';
import { expect, test } from 'vitest';
import { box, onHavok, onTalus, type Setup } from './scenes';

function doll({ scene }: Setup) {
  const skeleton = new B.Skeleton('doll', 'doll', scene);
  const up = (y: number): B.Matrix => B.Matrix.Translation(0, y, 0);
  const hips = new B.Bone('hips', skeleton, null, up(2));
  const chest = new B.Bone('chest', skeleton, hips, up(0.6));
  new B.Bone('head', skeleton, chest, up(0.6));
  const root = B.MeshBuilder.CreateBox('root', { size: 0.1 }, scene);
  root.skeleton = skeleton;
  const ragdoll = new B.Ragdoll(skeleton, root, [
    { bones: ['hips'], size: 0.3, boxOffset: 0.2 },
    { bones: ['chest'], size: 0.3, boxOffset: 0.2, joint: B.PhysicsConstraintType.BALL_AND_SOCKET },
    {
      bones: ['head'],
      size: 0.3,
      boxOffset: 0.2,
      joint: B.PhysicsConstraintType.HINGE,
      rotationAxis: B.Axis.X,
      min: -0.5,
      max: 0.5,
    },
  ] as never);
  return { skeleton, ragdoll };
}

test('a ragdoll of Babylon.js falls and holds together', async () => {
  for (const setup of [await onTalus(), await onHavok()]) {
    const { scene, step } = setup;
    box(scene, [0, -5, 0], 0, 10);
    const { skeleton, ragdoll } = doll(setup);
    ragdoll.ragdoll();
    expect(ragdoll.getConstraints().length).toBe(2);
    const head = ragdoll.getAggregate(2);
    head.body.applyImpulse(new B.Vector3(0, 0, 3), head.transformNode.getAbsolutePosition());
    for (let i = 0; i < 240; i++) {
      step();
      scene.onBeforeRenderObservable.notifyObservers(scene);
    }
    const places = skeleton.bones.map((bone) => bone.getAbsolutePosition());
    for (const [i, { y }] of places.entries()) {
      expect(y).toBeGreaterThan(0.1);
      expect(y).toBeLessThan(0.7);
      if (i > 0) expect(B.Vector3.Distance(places[i]!, places[i - 1]!)).toBeCloseTo(0.6, 1);
    }
    ragdoll.dispose();
    scene.dispose();
  }
});
