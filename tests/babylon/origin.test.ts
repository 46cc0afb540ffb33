// A plugin whose world lies far from the origin of the scene: all that passes between the two is as it is near the origin.
import * as B from '@babylonjs/core';
import { expect, test } from 'vitest';
import { createTalusPlugin } from '../../src/babylon/index';

/** Numbers of one run, points as seen from `at`; and the bodies' places in the world. */
async function run(at: B.Vector3, useInstances: boolean): Promise<{ seen: number[]; world: number[] }> {
  // As an engine with large worlds does: matrices of doubles, but for those of thin instances.
  const options = { ...new B.NullEngineOptions(), useHighPrecisionMatrix: true };
  const scene = new B.Scene(new B.NullEngine(options));
  const plugin = await createTalusPlugin({ warn: false, origin: at });
  scene.enablePhysics(new B.Vector3(0, -10, 0), plugin);
  const engine = scene.getPhysicsEngine() as unknown as B.PhysicsEngineV2;
  const there = (x: number, y: number, z: number): B.Vector3 => new B.Vector3(x, y, z).add(at);
  const seen: number[] = [];
  const tell = (point: B.Vector3): void => {
    seen.push(...point.subtract(at).asArray());
  };
  const step = (count: number): void => {
    for (let i = 0; i < count; i++) engine._step(1 / 60);
  };
  const box = (place: B.Vector3, mass: number, size = 1): B.PhysicsAggregate => {
    const mesh = B.MeshBuilder.CreateBox('box', { size }, scene);
    mesh.position.copyFrom(place);
    return new B.PhysicsAggregate(mesh, B.PhysicsShapeType.BOX, { mass }, scene);
  };
  const floor = box(there(0, -8, 0), 0, 16);
  const crate = box(there(0, 0.75, 0), 2);
  const other = box(there(0.25, 2, 0), 1);
  crate.body.setCollisionCallbackEnabled(true);
  plugin.onCollisionObservable.add(({ point }) => seen.length < 6 && tell(point!));
  step(60);
  expect(seen.length).toBe(6);
  for (const one of [crate, other]) tell(one.transformNode.position);
  // Pushes off the center.
  crate.body.applyImpulse(new B.Vector3(0, 0, 4), there(0.5, 0.5, 0));
  other.body.applyForce(new B.Vector3(0, 90, 30), there(0.75, 1.5, 0));
  step(1);
  for (const one of [crate, other])
    seen.push(...one.body.getLinearVelocity().asArray(), ...one.body.getAngularVelocity().asArray());
  // Where the caller puts nodes and targets.
  other.body.disablePreStep = false;
  other.transformNode.position.copyFrom(there(4, 0.5, 4));
  const lift = box(there(-4, 0.5, 0), 1);
  lift.body.setMotionType(B.PhysicsMotionType.ANIMATED);
  for (let i = 1; i <= 30; i++) {
    lift.body.setTargetTransform(there(-4, 0.5 + i / 32, 0), B.Quaternion.Identity());
    step(1);
  }
  step(2);
  for (const one of [other, lift]) tell(one.transformNode.position);
  // A node with a parent.
  const parent = new B.TransformNode('parent', scene);
  parent.position.copyFrom(there(0, 0, 5));
  const child = B.MeshBuilder.CreateBox('child', { size: 1 }, scene);
  child.parent = parent;
  child.position.y = 0.5;
  const { body } = new B.PhysicsAggregate(child, B.PhysicsShapeType.BOX, { mass: 1 }, scene);
  // Questions.
  const [up, down] = [there(4, 5, 4), there(4, -5, 4)];
  const hit = engine.raycast(up, down);
  expect(hit.body).toBe(other.body);
  tell(hit.hitPointWorld);
  seen.push(hit.hitDistance);
  const shape = new B.PhysicsShapeSphere(B.Vector3.Zero(), 0.25, scene);
  const rotation = B.Quaternion.Identity();
  const [a, b] = [new B.ShapeCastResult(), new B.ShapeCastResult()];
  plugin.shapeCast({ shape, rotation, startPosition: up, endPosition: down, shouldHitTriggers: false }, a, b);
  tell(b.hitPoint);
  seen.push(b.hitFraction, ...a.hitPoint.asArray());
  const [c, d] = [new B.ProximityCastResult(), new B.ProximityCastResult()];
  plugin.shapeProximity({ shape, rotation, position: there(4, 2, 4), maxDistance: 3, shouldHitTriggers: false }, c, d);
  tell(d.hitPoint);
  seen.push(d.hitDistance, ...c.hitPoint.asArray());
  const e = new B.ProximityCastResult();
  const collisionFilter = { membership: 1, collideWith: ~0 };
  plugin.pointProximity({ position: there(4, 2, 4), maxDistance: 3, collisionFilter, shouldHitTriggers: false }, e);
  tell(e.hitPoint);
  // A character on the floor.
  const hero = new B.PhysicsCharacterController(there(2, 1.5, -3), { capsuleHeight: 1.8, capsuleRadius: 0.4 }, scene);
  const gravity = new B.Vector3(0, -10, 0);
  for (let i = 0; i < 60; i++) {
    const support = hero.checkSupport(1 / 60, new B.Vector3(0, -1, 0));
    const isOn = support.supportedState === B.CharacterSupportedState.SUPPORTED;
    hero.setVelocity(new B.Vector3(isOn ? 1 : 0, isOn ? 0 : hero.getVelocity().y - 10 / 60, 0));
    hero.integrate(1 / 60, support, gravity);
    step(1);
  }
  tell(hero.getPosition());
  child.computeWorldMatrix(true);
  if (useInstances) {
    tell(child.getAbsolutePosition());
    const mesh = B.MeshBuilder.CreateBox('many', { size: 1 }, scene);
    const matrices = [1, 3].flatMap((x) => Array.from(B.Matrix.Translation(at.x + x, at.y + 3, at.z - 6).asArray()));
    mesh.thinInstanceSetBuffer('matrix', Float32Array.from(matrices), 16, false);
    const many = new B.PhysicsAggregate(mesh, B.PhysicsShapeType.BOX, { mass: 1 }, scene).body;
    step(30);
    many.disablePreStep = false;
    const data = mesh._thinInstanceDataStorage.matrixData!;
    data[16 + 12] = at.x + 5;
    step(5);
    for (const i of [0, 1]) tell(B.Vector3.FromArray(data, 16 * i + 12));
    many.dispose();
  }
  const world = [floor, crate, other, lift].flatMap((one) => plugin.world.getPosition(one.body._pluginData.id, [0, 0, 0]));
  world.push(...plugin.world.getPosition(body._pluginData.id, [0, 0, 0]));
  scene.dispose();
  return { seen, world };
}

test.each([
  ['a planet away', new B.Vector3(6_400_000, 4096, -3_000_000.5), false, 1e-5],
  ['a kilometer away, with thin instances and a parent', new B.Vector3(1024, -512, 256), true, 1e-3],
])('%s all is as it is near the origin', async (_, at, useInstances, tolerance) => {
  const near = await run(B.Vector3.Zero(), useInstances);
  const far = await run(at, useInstances);
  expect(far.seen.length).toBe(near.seen.length);
  near.seen.forEach((value, i) => {
    expect(Math.abs(far.seen[i]! - value), `number ${i}: ${value} and ${far.seen[i]}`).toBeLessThan(tolerance);
  });
  near.world.forEach((value, i) => {
    expect(Math.abs(far.world[i]! - value), `coordinate ${i} of the world`).toBeLessThan(useInstances ? 1e-3 : 0.6);
  });
});

test('an origin that is no point is refused', async () => {
  await expect(createTalusPlugin({ origin: new B.Vector3(0, Number.NaN, 0) })).rejects.toThrow(/origin must be a Vector3/);
});
