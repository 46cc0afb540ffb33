// Bodies of thin instances: what is done to one and what is done to all, constraints between them, triggers and ends of collisions with
// their indices; beside the plugin that Babylon.js brings.
import * as B from '@babylonjs/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { box, onHavok, onTalus, type Setup } from './scenes';

const NONE = B.Vector3.Zero();
const open: Setup[] = [];
async function both(gravity?: B.Vector3): Promise<Setup[]> {
  const setups = [await onTalus(gravity), await onHavok(gravity)];
  open.push(...setups);
  return setups;
}
afterEach(() => {
  for (const { scene } of open.splice(0)) scene.dispose();
});

/** Boxes of 1 m at places along x. */
function crates({ scene }: Setup, places: readonly number[], y = 0): B.PhysicsBody {
  const mesh = B.MeshBuilder.CreateBox('crates', { size: 1 }, scene);
  const matrices = places.flatMap((x) => Array.from(B.Matrix.Translation(x, y, 0).asArray()));
  mesh.thinInstanceSetBuffer('matrix', Float32Array.from(matrices), 16, false);
  return new B.PhysicsAggregate(mesh, B.PhysicsShapeType.BOX, { mass: 1 }, scene).body;
}
/** Where instance `index` is drawn. */
function placeOf(body: B.PhysicsBody, index: number): number[] {
  const { matrixData } = (body.transformNode as B.Mesh)._thinInstanceDataStorage;
  return Array.from(matrixData!.slice(16 * index + 12, 16 * index + 15));
}

describe('constraints', () => {
  test('without an index nothing is held, and the console names the mesh', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    for (const setup of await both(NONE)) {
      const many = crates(setup, [0, 3]);
      const one = box(setup.scene, [10, 0, 0], 1);
      const lock = new B.LockConstraint(NONE, NONE, B.Axis.Y, B.Axis.Y, setup.scene);
      many.addConstraint(one.body, lock);
      one.body.addConstraint(many, lock, undefined, undefined);
      one.body.setLinearVelocity(new B.Vector3(1, 0, 0));
      setup.step(60);
      expect(one.transformNode.position.x).toBeGreaterThan(10.9);
      expect(placeOf(many, 0)[0]).toBeCloseTo(0, 5);
    }
    const ours = warn.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('talus: '));
    expect(ours.length).toBe(2);
    expect(ours.every((text) => /'crates' has thin instances: addConstraint needs the index/.test(text))).toBe(true);
    warn.mockRestore();
  });

  test('with indices two instances hang together', async () => {
    for (const setup of await both(NONE)) {
      const many = crates(setup, [0, 2, 6]);
      const lock = new B.LockConstraint(new B.Vector3(2, 0, 0), NONE, B.Axis.Y, B.Axis.Y, setup.scene);
      many.addConstraint(many, lock, 0, 1);
      many.setLinearVelocity(new B.Vector3(0, 1, 0), 0);
      many.setLinearVelocity(new B.Vector3(0, 1, 0), 1);
      setup.step(60);
      expect(placeOf(many, 0)[1]).toBeGreaterThan(0.9);
      expect(placeOf(many, 1)[1]).toBeCloseTo(placeOf(many, 0)[1]!, 2);
      many.setLinearVelocity(new B.Vector3(-2, 1, 0), 0);
      setup.step(60);
      expect(placeOf(many, 1)[0]! - placeOf(many, 0)[0]!).toBeCloseTo(2, 1);
      expect(placeOf(many, 2)).toEqual([6, expect.closeTo(0, 5), 0]);
      const [pair] = lock.getBodiesUsingConstraint();
      expect([pair!.parentBodyIndex, pair!.childBodyIndex]).toEqual([0, 1]);
    }
  });
});

test('an index changes one instance, none changes all', async () => {
  for (const setup of await both(NONE)) {
    const many = crates(setup, [0, 3, 6]);
    const speedOf = (index: number): number => many.getLinearVelocity(index).x;
    many.setLinearVelocity(new B.Vector3(1, 0, 0));
    expect([0, 1, 2].map(speedOf)).toEqual([1, 1, 1]);
    many.setLinearVelocity(new B.Vector3(3, 0, 0), 1);
    many.applyImpulse(new B.Vector3(1, 0, 0), new B.Vector3(6, 0, 0), 2);
    expect([0, 1, 2].map(speedOf)).toEqual([1, 3, expect.closeTo(2, 5)]);
    many.setAngularVelocity(new B.Vector3(0, 2, 0), 0);
    expect([0, 1].map((i) => many.getAngularVelocity(i).y)).toEqual([expect.closeTo(2, 5), 0]);
    many.setLinearDamping(0.5, 1);
    expect([1, 2].map((i) => many.getLinearDamping(i))).toEqual([0.5, 0]);
    many.setMassProperties({ mass: 4 }, 2);
    expect([0, 2].map((i) => many.getMassProperties(i).mass)).toEqual([1, 4]);
    many.setGravityFactor(0, 0);
    expect([0, 1].map((i) => many.getGravityFactor(i))).toEqual([0, 1]);
    many.setMotionType(B.PhysicsMotionType.STATIC, 0);
    const there = placeOf(many, 0);
    setup.step(30);
    expect(placeOf(many, 0)[0]).toBeCloseTo(there[0]!, 5);
    expect(placeOf(many, 1)[0]).toBeGreaterThan(4);
    expect([0, 1].map((i) => many.getMotionType(i))).toEqual([B.PhysicsMotionType.STATIC, B.PhysicsMotionType.DYNAMIC]);
  }
});

test('triggers and collisions tell the index of the instance, also when they end', async () => {
  for (const setup of await both()) {
    const { scene, step, plugin } = setup;
    box(scene, [3, -1, 0], 0, 2);
    const zone = box(scene, [0, -4, 0], 0, 2);
    zone.shape.isTrigger = true;
    const many = crates(setup, [0, 3], 0.6);
    many.setCollisionCallbackEnabled(true);
    many.setCollisionEndedCallbackEnabled(true);
    const told: string[] = [];
    plugin.onTriggerCollisionObservable.add(({ type, collider, colliderIndex, collidedAgainstIndex }) =>
      told.push(`${type} ${collider === many ? colliderIndex : collidedAgainstIndex}`),
    );
    const ended: number[] = [];
    plugin.onCollisionEndedObservable.add(({ collider, colliderIndex, collidedAgainstIndex }) =>
      ended.push((collider === many ? colliderIndex : collidedAgainstIndex)!),
    );
    const started: number[] = [];
    many.getCollisionObservable().add(() => started.push(-1));
    plugin.getCollisionObservable(many, 1).add(({ type, colliderIndex }) => {
      if (type === B.PhysicsEventType.COLLISION_STARTED) started.push(colliderIndex!);
    });
    const own: number[] = [];
    plugin.getCollisionEndedObservable(many, 1).add(({ colliderIndex }) => own.push(colliderIndex!));
    step(90);
    expect(told).toEqual([`${B.PhysicsEventType.TRIGGER_ENTERED} 0`, `${B.PhysicsEventType.TRIGGER_EXITED} 0`]);
    expect(started.length).toBeGreaterThan(0);
    expect(started.every((index) => index === 1)).toBe(true);
    many.setLinearVelocity(new B.Vector3(0, 6, 0), 1);
    step(10);
    expect(ended.length).toBeGreaterThan(0);
    expect([...ended, ...own].every((index) => index === 1)).toBe(true);
    expect(own.length).toBe(ended.length);
  }
});
