// The plugin of Babylon.js on the real engine, without a picture: by closed forms, and beside the plugin that Babylon.js brings.
import * as B from '@babylonjs/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { TalusPlugin } from '../../src/babylon/index';
import { box, onHavok, onTalus, type Setup } from './scenes';

const NONE = B.Vector3.Zero();
const list = (v: B.Vector3 | B.Quaternion): number[] => v.asArray();
const close = (a: ArrayLike<number>, b: ArrayLike<number>, tolerance: number): void => {
  expect(a.length).toBe(b.length);
  for (let i = 0; i < a.length; i++)
    expect(Math.abs(a[i]! - b[i]!), `${Array.from(a)} and ${Array.from(b)}`).toBeLessThan(tolerance);
};
const open: Setup[] = [];
async function talus(gravity?: B.Vector3) {
  const setup = await onTalus(gravity);
  open.push(setup);
  return setup;
}
async function both(gravity?: B.Vector3): Promise<Setup[]> {
  const setups = [await onTalus(gravity), await onHavok(gravity)];
  open.push(...setups);
  return setups;
}
afterEach(() => {
  for (const { scene } of open.splice(0)) scene.dispose();
});

test('a plugin of a world that is not awaited is refused in words', () => {
  expect(() => new TalusPlugin({} as never)).toThrow(/await createWorld/);
});

describe('aggregates', () => {
  const types = [
    ['SPHERE', (s: B.Scene) => B.MeshBuilder.CreateSphere('m', { diameter: 1 }, s)],
    ['CAPSULE', (s: B.Scene) => B.MeshBuilder.CreateCapsule('m', { radius: 0.25, height: 1 }, s)],
    ['CYLINDER', (s: B.Scene) => B.MeshBuilder.CreateCylinder('m', { diameter: 1, height: 1 }, s)],
    ['BOX', (s: B.Scene) => B.MeshBuilder.CreateBox('m', { size: 1 }, s)],
    ['CONVEX_HULL', (s: B.Scene) => B.MeshBuilder.CreatePolyhedron('m', { type: 1, size: 0.5 }, s)],
    ['MESH', (s: B.Scene) => B.MeshBuilder.CreateBox('m', { size: 1 }, s)],
  ] as const;

  test.each(types)('%s lands on a ground as a mesh, a box and a heightfield', async (name, make) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { scene, step } = await talus();
    const ground = B.MeshBuilder.CreateGround('ground', { width: 10, height: 10, subdivisions: 4 }, scene);
    new B.PhysicsAggregate(ground, B.PhysicsShapeType.MESH, { mass: 0 }, scene);
    const slab = B.MeshBuilder.CreateBox('slab', { width: 10, height: 2, depth: 10 }, scene);
    slab.position.set(20, -1, 0);
    new B.PhysicsAggregate(slab, B.PhysicsShapeType.BOX, { mass: 0 }, scene);
    const field = B.MeshBuilder.CreateGround('field', { width: 10, height: 10, subdivisions: 4 }, scene);
    field.position.x = 40;
    new B.PhysicsAggregate(field, B.PhysicsShapeType.HEIGHTFIELD, { mass: 0 }, scene);
    const meshes = [0, 20, 40].map((x) => {
      const mesh = make(scene);
      mesh.position.set(x, 2, 0);
      const aggregate = new B.PhysicsAggregate(mesh, B.PhysicsShapeType[name], { mass: 3 }, scene);
      expect(aggregate.body.getMassProperties().mass).toBe(3);
      return mesh;
    });
    const lowest = meshes[0]!.getBoundingInfo().boundingBox.minimum.y;
    step(120);
    for (const mesh of meshes) {
      const far = name === 'CONVEX_HULL' ? 1 : -lowest;
      expect(mesh.position.y).toBeLessThan(far + 0.02);
      expect(mesh.position.y).toBeGreaterThan(name === 'CONVEX_HULL' ? 0.3 : -lowest - 0.02);
    }
    // A mesh has no mass: its hull stands for it, and that is said.
    expect(warn.mock.calls.some(([text]) => /hull/.test(String(text)))).toBe(name === 'MESH');
    warn.mockRestore();
  });

  test('a ball falls by the law, with friction, scaled meshes and a parent', async () => {
    const { scene, step } = await talus();
    const parent = new B.TransformNode('parent', scene);
    parent.position.set(5, 1, 0);
    parent.rotation.y = Math.PI / 2;
    const ball = B.MeshBuilder.CreateSphere('ball', { diameter: 1 }, scene);
    ball.parent = parent;
    ball.position.set(0, 9, 2);
    ball.scaling.setAll(2);
    const before = ball.getAbsolutePosition().clone();
    const { body, shape } = new B.PhysicsAggregate(ball, B.PhysicsShapeType.SPHERE, { mass: 1 }, scene);
    close(list(shape.getBoundingBox().maximum), [1, 1, 1], 1e-6);
    step(30);
    // Drawn one step behind; steps fall farther than g t^2 / 2 by less than g t dt / 2.
    const t = 29 / 60;
    const drop = (10 * t * t) / 2;
    ball.computeWorldMatrix(true);
    expect(Math.abs(ball.getAbsolutePosition().y - (before.y - drop))).toBeLessThan(0.04);
    close([ball.getAbsolutePosition().x, ball.getAbsolutePosition().z], [before.x, before.z], 1e-4);
    expect(ball.scaling.x).toBe(2);
    expect(body.getLinearVelocity().y).toBeLessThan(-4.9);
  });

  test('inertia, mass and damping are those of Babylon.js', async () => {
    const found = [];
    for (const { scene } of await both(NONE)) {
      const { body } = box(scene, [0, 0, 0], 4, 2);
      body.setAngularDamping(0);
      body.applyAngularImpulse(new B.Vector3(8, 0, 0));
      const plain = body.getAngularVelocity().x;
      body.setMassProperties({ mass: 4, inertia: new B.Vector3(2, 2, 2) });
      body.setAngularVelocity(NONE);
      body.applyAngularImpulse(new B.Vector3(8, 0, 0));
      const given = body.getAngularVelocity().x;
      const { mass, inertia } = body.getMassProperties();
      const computed = body.computeMassProperties();
      body.setMassProperties({ mass: 4, inertia: B.Vector3.Zero() });
      body.setAngularVelocity(NONE);
      body.applyAngularImpulse(new B.Vector3(8, 0, 0));
      const still = body.getAngularVelocity().x;
      found.push([plain, given, still, mass!, ...list(inertia!), computed.mass! / 1000, ...list(computed.inertia!)]);
    }
    close(found[0]!, [3, 1, 0, 4, 2, 2, 2, 8, 2 / 3, 2 / 3, 2 / 3], 1e-3);
    close(found[0]!, found[1]!, 5e-3);
  });
});

describe('bodies', () => {
  test('impulses, forces, velocities, gravity factor', async () => {
    const { scene, step, engine } = await talus(NONE);
    const { body } = box(scene, [0, 0, 0], 2);
    body.applyImpulse(new B.Vector3(2, 0, 0), body.transformNode.position);
    close(list(body.getLinearVelocity()), [1, 0, 0], 1e-6);
    body.setLinearVelocity(new B.Vector3(0, 1, 0));
    body.setAngularVelocity(new B.Vector3(0, 0, 2));
    close(list(body.getAngularVelocity()), [0, 0, 2], 1e-6);
    body.setAngularVelocity(NONE);
    // A force in each frame is the same push however long frames are.
    for (const frame of [1 / 240, 1 / 60, 1 / 30]) {
      body.setLinearVelocity(NONE);
      for (let t = 0; t < 1 - 1e-9; t += frame) {
        body.applyForce(new B.Vector3(4, 0, 0), body.transformNode.getAbsolutePosition());
        engine._step(frame);
      }
      expect(Math.abs(body.getLinearVelocity().x - 2)).toBeLessThan(0.09);
    }
    body.setGravityFactor(0.5);
    engine.setGravity(new B.Vector3(0, -10, 0));
    body.setLinearVelocity(NONE);
    step(60);
    expect(Math.abs(body.getLinearVelocity().y + 5)).toBeLessThan(0.1);
    expect(body.getGravityFactor()).toBe(0.5);
  });

  test('motion types, targets, pre-steps', async () => {
    const { scene, step } = await talus();
    const lift = box(scene, [0, 0, 0], 1, 4);
    lift.body.setMotionType(B.PhysicsMotionType.ANIMATED);
    const load = box(scene, [0, 2.5, 0], 1);
    step(30);
    for (let i = 1; i <= 60; i++) {
      lift.body.setTargetTransform(new B.Vector3(0, i / 60, 0), B.Quaternion.Identity());
      step();
    }
    step(3);
    close(list(lift.transformNode.position), [0, 1, 0], 1e-3);
    expect(Math.abs(load.transformNode.position.y - 3.5)).toBeLessThan(0.05);
    // Nodes that are moved are heard where the pre-step is on alone.
    load.transformNode.position.x = 7;
    step(2);
    expect(Math.abs(load.transformNode.position.x)).toBeLessThan(0.01);
    load.body.disablePreStep = false;
    load.transformNode.position.x = 7;
    step(2);
    expect(Math.abs(load.transformNode.position.x - 7)).toBeLessThan(0.01);
    lift.body.setPrestepType(B.PhysicsPrestepType.ACTION);
    lift.transformNode.position.set(0, 1.5, 0);
    step();
    expect(lift.body.getMotionType()).toBe(B.PhysicsMotionType.ANIMATED);
    load.body.setMotionType(B.PhysicsMotionType.STATIC);
    const there = load.transformNode.position.y;
    step(20);
    expect(load.transformNode.position.y).toBe(there);
  });

  test('thin instances: poses, sizes, impulses on one, more and fewer', async () => {
    const { scene, step, plugin, talus: own } = await talus(NONE);
    const mesh = B.MeshBuilder.CreateBox('many', { size: 1 }, scene);
    const matrices = new Float32Array(16 * 20);
    for (let i = 0; i < 20; i++) {
      const scale = new B.Vector3(1, 1 + i / 100, 1);
      const turn = B.Quaternion.RotationAxis(B.Axis.Y, i / 10);
      B.Matrix.Compose(scale, turn, new B.Vector3(3 * i, 0, 0)).copyToArray(matrices, 16 * i);
    }
    mesh.thinInstanceSetBuffer('matrix', matrices, 16, false);
    const { body } = new B.PhysicsAggregate(mesh, B.PhysicsShapeType.BOX, { mass: 1 }, scene);
    expect(body.numInstances).toBe(20);
    const start = matrices.slice();
    step(2);
    close(matrices, start, 1e-4);
    body.applyImpulse(new B.Vector3(0, 1, 0), new B.Vector3(15, 0, 0), 5);
    step(60);
    const now = mesh._thinInstanceDataStorage.matrixData!;
    expect(now[16 * 5 + 13]).toBeGreaterThan(0.9);
    expect(Math.abs(now[16 * 6 + 13]!)).toBeLessThan(1e-4);
    mesh.thinInstanceCount = 12;
    body.updateBodyInstances();
    expect(own.world.bodyCount).toBe(12);
    mesh.thinInstanceCount = 20;
    body.updateBodyInstances();
    expect(own.world.bodyCount).toBe(20);
    step(2);
    expect(own.numBodies).toBe(20);
    expect(plugin.getMassProperties(body, 19).mass).toBe(1);
    // One that the caller moves goes there.
    body.disablePreStep = false;
    now[16 * 7 + 14] = 4;
    mesh.thinInstanceBufferUpdated('matrix');
    step(1);
    expect(own.world.getPosition(body._pluginDataInstances[7].id, [0, 0, 0])[2]).toBe(4);
    body.dispose();
    expect(own.world.bodyCount).toBe(0);
  });

  test('sleep is told', async () => {
    const { scene, step, talus: own } = await talus();
    box(scene, [0, -1, 0], 0, 2);
    const crate = box(scene, [0, 0.5, 0], 1);
    const told: boolean[] = [];
    own.onBodySleepObservable.add(({ body, isAsleep }) => body === crate.body && told.push(isAsleep));
    step(90);
    crate.body.applyImpulse(new B.Vector3(0, 3, 0), crate.transformNode.position);
    step(5);
    expect(told).toEqual([true, false]);
    const late = box(scene, [9, 9, 9], 1, 1, { startAsleep: true });
    step(30);
    expect(late.transformNode.position.y).toBe(9);
  });
});

describe('shapes', () => {
  test('a box of no height is a ground', async () => {
    const { scene, step } = await talus();
    const ground = B.MeshBuilder.CreateGround('ground', { width: 10, height: 10 }, scene);
    new B.PhysicsAggregate(ground, B.PhysicsShapeType.BOX, { mass: 0, extents: new B.Vector3(10, 0, 10) }, scene);
    const ball = B.MeshBuilder.CreateSphere('ball', { diameter: 1 }, scene);
    ball.position.y = 2;
    new B.PhysicsAggregate(ball, B.PhysicsShapeType.SPHERE, { mass: 1 }, scene);
    for (let i = 0; i < 120; i++) step();
    expect(ball.position.y).toBeCloseTo(0.5, 2);
  });

  test('containers with turned and scaled children weigh and collide as their parts', async () => {
    const { scene, step, talus: own } = await talus(NONE);
    const root = new B.PhysicsShapeContainer(scene);
    const ball = new B.PhysicsShapeSphere(NONE, 0.5, scene);
    const bar = new B.PhysicsShapeBox(NONE, B.Quaternion.Identity(), new B.Vector3(1, 1, 1), scene);
    root.addChild(ball, new B.Vector3(2, 0, 0), undefined, new B.Vector3(2, 2, 2));
    root.addChild(bar, new B.Vector3(-2, 0, 0), B.Quaternion.RotationAxis(B.Axis.Z, Math.PI / 2), new B.Vector3(1, 3, 1));
    root.addChild(ball, NONE, undefined, new B.Vector3(1, 0.5, 0.5)); // an ellipsoid, as a hull
    expect(root.getNumChildren()).toBe(3);
    const { minimum, maximum } = root.getBoundingBox();
    close(list(minimum), [-3.5, -1, -1], 0.01);
    close(list(maximum), [3, 1, 1], 0.01);
    const node = new B.TransformNode('node', scene);
    const body = new B.PhysicsBody(node, B.PhysicsMotionType.DYNAMIC, false, scene);
    body.shape = root;
    const mass = 1000 * ((4 / 3) * Math.PI + 3 + (Math.PI / 6) * 0.25);
    expect(body.computeMassProperties().mass! / mass).toBeGreaterThan(0.98);
    expect(body.computeMassProperties().mass! / mass).toBeLessThan(1.001);
    step();
    const id = own.world.bodyAt(0)!;
    expect(own.world.collidersOf(id).length).toBe(3);
    root.removeChild(2);
    ball.density = 500;
    step();
    expect(own.world.collidersOf(id).length).toBe(2);
    expect(own.world.getMass(id)).toBeCloseTo(1000 * ((2 / 3) * Math.PI + 3), 0);
    expect(() => root.addChild(root)).toThrow(/in itself/);
    const { positions, indices } = body.getGeometry() as { positions: Float32Array; indices: Uint32Array };
    expect(positions.length % 3).toBe(0);
    expect(Math.max(...indices)).toBe(positions.length / 3 - 1);
    // A child that is taken out and disposed is gone, also before the next step; a shape that is replaced, too.
    const spare = new B.PhysicsShapeSphere(NONE, 0.3, scene);
    root.addChild(spare, new B.Vector3(0, 5, 0));
    step();
    root.removeChild(2);
    spare.dispose();
    const other = new B.PhysicsShapeSphere(NONE, 0.3, scene);
    body.shape = other;
    step();
    body.shape = root;
    other.dispose();
    expect(() => own.world.getShape(own.world.createShape({ type: 'sphere', radius: 1 }))).not.toThrow();
    step();
    // Disposed shapes live on with the bodies that have them.
    root.dispose();
    step();
    body.dispose();
    ball.dispose();
    bar.dispose();
    expect(own.world.bodyCount).toBe(0);
  });

  test('a ground is where its mesh is, samples where Babylon.js puts them', async () => {
    const { scene, engine, step } = await talus();
    const ground = B.MeshBuilder.CreateGround('g', { width: 8, height: 8, subdivisions: 4, updatable: true }, scene);
    const vertices = ground.getVerticesData('position')!;
    for (let i = 0; i < vertices.length; i += 3) vertices[i + 1] = 1 + vertices[i]! * 0.5 + vertices[i + 2]! * 0.25;
    ground.updateVerticesData('position', vertices);
    ground.position.set(100, 5, 0);
    const body = new B.PhysicsBody(ground, B.PhysicsMotionType.STATIC, false, scene);
    body.shape = new B.PhysicsShapeGroundMesh(ground, scene);
    step();
    for (const x of [-3.9, 0.1, 3.9]) {
      for (const z of [-3.9, 0.1, 3.9]) {
        const hit = engine.raycast(new B.Vector3(100 + x, 50, z), new B.Vector3(100 + x, -50, z));
        expect(hit.hitPointWorld.y).toBeCloseTo(6 + 0.5 * x + 0.25 * z, 3);
        expect(hit.hitNormalWorld.y).toBeGreaterThan(0.8);
      }
    }
    const found: number[][] = [];
    for (const setup of await both()) {
      const data = Float32Array.from({ length: 16 }, (_, i) => (i * i) % 7);
      const node = new B.TransformNode('node', setup.scene);
      const field = new B.PhysicsBody(node, B.PhysicsMotionType.STATIC, false, setup.scene);
      field.shape = new B.PhysicsShapeHeightField(6, 9, 4, 4, data, setup.scene);
      setup.step();
      const heights: number[] = [];
      for (const x of [-2.999, -1, 1, 2.999]) {
        for (const z of [-4.499, -1.5, 1.5, 4.499]) {
          heights.push(setup.engine.raycast(new B.Vector3(x, 50, z), new B.Vector3(x, -50, z)).hitPointWorld.y);
        }
      }
      found.push(heights);
    }
    close(found[0]!, found[1]!, 0.05);
  });

  test('materials, filters and triggers', async () => {
    const { scene, step, talus: own, plugin } = await talus();
    const floor = box(scene, [0, -5, 0], 0, 10);
    floor.shape.material = { friction: 1, restitution: 0, frictionCombine: B.PhysicsMaterialCombineMode.MULTIPLY };
    const crate = box(scene, [0, 0.5, 0], 1);
    crate.shape.material = { friction: 0, restitution: 1, restitutionCombine: B.PhysicsMaterialCombineMode.MINIMUM };
    const ghost = box(scene, [3, 0.5, 0], 1);
    floor.shape.filterMembershipMask = 1;
    ghost.shape.filterMembershipMask = 2;
    ghost.shape.filterCollideMask = 4;
    step();
    const material = own.world.getMaterial(own.world.collidersOf(crate.body._pluginData.id)[0]!);
    expect([material.friction, material.restitution, material.restitutionCombine]).toEqual([0, 1, 'min']);
    crate.body.setLinearVelocity(new B.Vector3(1, 0, 0));
    step(30);
    expect(crate.body.getLinearVelocity().x).toBeCloseTo(1, 3);
    expect(ghost.transformNode.position.y).toBeLessThan(-0.5);
    const zone = box(scene, [0, 10, 0], 0, 2);
    zone.shape.isTrigger = true;
    const seen: string[] = [];
    plugin.onTriggerCollisionObservable.add(({ type, collider, collidedAgainst }) => {
      if ([collider, collidedAgainst].includes(zone.body)) seen.push(type);
    });
    const stone = box(scene, [0, 12, 0], 1, 0.5);
    step(90);
    expect(seen).toEqual([B.PhysicsEventType.TRIGGER_ENTERED, B.PhysicsEventType.TRIGGER_EXITED]);
    expect(stone.transformNode.position.y).toBeLessThan(9);
    expect(() => new B.PhysicsShape({ type: B.PhysicsShapeType.MESH }, scene)).toThrow(/parameters.mesh/);
    expect(() => new B.PhysicsShape({ type: B.PhysicsShapeType.HEIGHTFIELD }, scene)).toThrow(/groundMesh/);
  });
});

test('what materials ask for in vain is said, each once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { scene, talus: own } = await talus();
  const crate = box(scene, [0, 0, 0], 1);
  crate.shape.material = { friction: 0.4, restitution: 0.2 };
  crate.shape.material = { friction: 0.4, staticFriction: 0.4 };
  expect(warn).not.toHaveBeenCalled();
  for (let i = 0; i < 3; i++) crate.shape.material = { friction: 0.4, staticFriction: 0.7, restitution: 1.5 + i };
  const lines = warn.mock.calls.map(([text]) => String(text));
  expect(lines.length).toBe(2);
  expect(lines[0]).toMatch(/^talus: staticFriction .* friction$/);
  expect(lines[1]).toMatch(/^talus: restitution .* 0 to 1/);
  const { staticFriction, friction, restitution } = crate.shape.material;
  expect([staticFriction, friction, restitution]).toEqual([0.7, 0.4, 3.5]);
  scene.getPhysicsEngine()!._step(1 / 60);
  const made = own.world.getMaterial(own.world.collidersOf(crate.body._pluginData.id)[0]!);
  expect([made.friction, made.restitution]).toEqual([expect.closeTo(0.4), 1]);
  warn.mockRestore();
});

test('collisions: who, where, which way, how hard, as Babylon.js tells them', async () => {
  const [ours, theirs] = await both();
  const tell = ({ scene, step, plugin }: Setup) => {
    const seen: { type: string; mine: boolean; normal: number[]; height: number }[] = [];
    const floor = box(scene, [0, -1, 0], 0, 2);
    const crate = box(scene, [0, 0.7, 0], 1, 1, { restitution: 0 });
    const ofPlugin: string[] = [];
    crate.body.setCollisionCallbackEnabled(true);
    crate.body.setCollisionEndedCallbackEnabled(true);
    plugin.onCollisionObservable.add(({ type }) => ofPlugin.push(type));
    crate.body.getCollisionObservable().add(({ type, collider, normal, point, impulse }) => {
      if (type === B.PhysicsEventType.COLLISION_STARTED) expect(impulse).toBeGreaterThan(0);
      seen.push({ type, mine: collider === crate.body, normal: list(normal!), height: point!.y });
    });
    const below: number[][] = [];
    floor.body.getCollisionObservable().add(({ normal }) => below.push(list(normal!)));
    const ends: boolean[] = [];
    crate.body.getCollisionEndedObservable().add(({ collider }) => ends.push(collider === crate.body));
    step(30);
    crate.body.setLinearVelocity(new B.Vector3(0, 5, 0));
    step(10);
    return { seen, below, ends, ofPlugin };
  };
  const [a, b] = [tell(ours!), tell(theirs!)];
  for (const { seen, below, ends, ofPlugin } of [a, b]) {
    expect(seen[0]!.type).toBe(B.PhysicsEventType.COLLISION_STARTED);
    expect(seen.some(({ type }) => type === B.PhysicsEventType.COLLISION_CONTINUED)).toBe(true);
    expect(seen.every(({ mine }) => mine)).toBe(true);
    close(seen[0]!.normal, [0, -1, 0], 1e-3);
    close(below[0]!, [0, 1, 0], 1e-3);
    expect(Math.abs(seen[0]!.height)).toBeLessThan(0.05);
    expect(ends.length).toBeGreaterThan(0);
    expect(ends.every(Boolean)).toBe(true);
    expect(ofPlugin).toContain(B.PhysicsEventType.COLLISION_STARTED);
  }
});

describe('constraints', () => {
  const names = ['LINEAR_X', 'LINEAR_Y', 'LINEAR_Z', 'ANGULAR_X', 'ANGULAR_Y', 'ANGULAR_Z'] as const;
  function pair(setup: Setup, limits: B.Physics6DoFLimit[], axes: B.PhysicsConstraintParameters = {}) {
    const a = box(setup.scene, [0, 0, 0], 0);
    const b = box(setup.scene, [0, 0, 0], 1);
    const joint = new B.Physics6DoFConstraint(axes, limits, setup.scene);
    a.body.addConstraint(b.body, joint);
    const place = (axis: number): number => {
      const { position, rotationQuaternion } = b.transformNode;
      return axis < 3 ? list(position)[axis]! : 2 * Math.asin(list(rotationQuaternion!)[axis - 3]!);
    };
    return { a, b, joint, place };
  }
  const lockedBut = (axis: number): B.Physics6DoFLimit[] =>
    [0, 1, 2, 3, 4, 5].filter((other) => other !== axis).map((other) => ({ axis: other, minLimit: 0, maxLimit: 0 }));

  test.each(names)('a motor along %s goes the way of Babylon.js', async (name) => {
    const axis = B.PhysicsConstraintAxis[name];
    for (const setup of await both(NONE)) {
      const { joint, place, b } = pair(setup, lockedBut(axis), {
        axisA: B.Axis.X,
        axisB: B.Axis.X,
        perpAxisA: B.Axis.Y,
        perpAxisB: B.Axis.Y,
      });
      joint.setAxisMotorType(axis, B.PhysicsConstraintMotorType.VELOCITY);
      joint.setAxisMotorTarget(axis, 0.5);
      joint.setAxisMotorMaxForce(axis, 1000);
      setup.step(60);
      expect(Math.abs(place(axis) - 0.5)).toBeLessThan(0.03);
      joint.setAxisMotorType(axis, B.PhysicsConstraintMotorType.POSITION);
      joint.setAxisMotorTarget(axis, -0.25);
      setup.step(90);
      expect(Math.abs(place(axis) + 0.25)).toBeLessThan(0.02);
      expect(joint.getAxisMotorTarget === undefined).toBe(false);
      for (const other of [0, 1, 2, 3, 4, 5]) if (other !== axis) expect(Math.abs(place(other))).toBeLessThan(0.01);
      expect(b.body.getMotionType()).toBe(B.PhysicsMotionType.DYNAMIC);
    }
  });

  test.each(names)('limits of %s are those of Babylon.js', async (name) => {
    const axis = B.PhysicsConstraintAxis[name];
    const found = [];
    for (const setup of await both(NONE)) {
      const { b, place } = pair(setup, [...lockedBut(axis), { axis, minLimit: -0.2, maxLimit: 0.6 }]);
      const ends = [1, -1].map((way) => {
        const v = [0, 0, 0];
        v[axis % 3] = way;
        for (let i = 0; i < 60; i++) {
          if (axis < 3) b.body.setLinearVelocity(B.Vector3.FromArray(v));
          else b.body.setAngularVelocity(B.Vector3.FromArray(v));
          setup.step();
        }
        return place(axis);
      });
      found.push(ends);
    }
    close(found[0]!, found[1]!, 0.03);
  });

  test('a limited distance of 0 holds the two pivots together, and leaves the turns free', async () => {
    for (const setup of await both(new B.Vector3(0, -9.81, 0))) {
      const limits = [{ axis: B.PhysicsConstraintAxis.LINEAR_DISTANCE, minLimit: 0, maxLimit: 0 }];
      const { b } = pair(setup, limits, { pivotB: new B.Vector3(-1, 0, 0) });
      setup.step(60);
      const { position } = b.transformNode;
      expect(Math.abs(position.length() - 1)).toBeLessThan(0.02);
      expect(position.y).toBeLessThan(-0.1);
    }
  });

  test('hinge, slider, prismatic, lock, ball and distance leave what they say', async () => {
    const { scene, step, talus: own } = await talus();
    const make = (x: number, constraint: B.PhysicsConstraint) => {
      const a = box(scene, [x, 5, 0], 0);
      const b = box(scene, [x, 3, 0], 1);
      a.body.addConstraint(b.body, constraint);
      return b;
    };
    const [pivotA, pivotB] = [new B.Vector3(0, -1, 0), new B.Vector3(0, 1, 0)];
    const [Z, Y] = [B.Axis.Z, B.Axis.Y];
    const hinge = make(0, new B.HingeConstraint(pivotA, pivotB, Z, Z, scene));
    const slider = make(10, new B.SliderConstraint(pivotA, pivotB, Y, Y, scene));
    const prismatic = make(20, new B.PrismaticConstraint(pivotA, pivotB, Y, Y, scene));
    const lock = make(30, new B.LockConstraint(pivotA, pivotB, Y, Y, scene));
    const ball = make(40, new B.BallAndSocketConstraint(pivotA, pivotB, Y, Y, scene));
    const rod = make(50, new B.DistanceConstraint(2, scene));
    for (const one of [hinge, lock, ball, rod]) one.body.setLinearVelocity(new B.Vector3(3, 0, 0));
    for (const one of [slider, prismatic]) one.body.setAngularVelocity(new B.Vector3(1, 3, 0));
    step(20);
    const at = (one: B.PhysicsAggregate, x: number) => one.transformNode.position.subtract(new B.Vector3(x, 4, 0));
    expect(at(hinge, 0).length()).toBeCloseTo(1, 2);
    expect(Math.abs(hinge.transformNode.position.x)).toBeGreaterThan(0.3);
    expect(Math.abs(hinge.transformNode.rotationQuaternion!.z)).toBeGreaterThan(0.1);
    expect(slider.transformNode.position.y).toBeLessThan(2.6);
    expect(Math.abs(slider.transformNode.rotationQuaternion!.y)).toBeGreaterThan(0.3);
    expect(Math.abs(prismatic.transformNode.rotationQuaternion!.y)).toBeLessThan(0.01);
    expect(prismatic.transformNode.position.y).toBeLessThan(2.6);
    close(list(lock.transformNode.position), [30, 3, 0], 0.02);
    expect(at(ball, 40).length()).toBeCloseTo(1, 2);
    expect(rod.transformNode.position.subtract(new B.Vector3(50, 5, 0)).length()).toBeCloseTo(2, 2);
    const joint = new B.LockConstraint(new B.Vector3(0, 0, 0), new B.Vector3(0, 0, 0), Y, Y, scene);
    lock.body.addConstraint(ball.body, joint);
    expect(joint.getBodiesUsingConstraint()[0]!.childBody).toBe(ball.body);
    joint.isEnabled = false;
    expect(joint.isEnabled).toBe(false);
    expect(joint.isCollisionsEnabled).toBe(false);
    const count = own.world.jointCount;
    joint.dispose();
    expect(own.world.jointCount).toBe(count - 1);
    ball.dispose();
    step();
  });

  test('a spring beyond its range is as soft as Babylon.js has it', async () => {
    const found = [];
    for (const { scene, step } of await both()) {
      const a = box(scene, [0, 0, 0], 0, 0.1);
      const b = box(scene, [0, -2, 0], 1, 0.1);
      const spring = new B.SpringConstraint(NONE, NONE, B.Axis.X, B.Axis.X, 1, 2, 50, 5, scene);
      a.body.addConstraint(b.body, spring);
      step(240);
      found.push(b.transformNode.position.y);
    }
    expect(found[0]).toBeCloseTo(-2.2, 2); // m g / k beyond 2 m
    expect(Math.abs(found[1]! - found[0]!)).toBeLessThan(0.03);
  });
});

describe('queries', () => {
  test('rays: hits, all hits, from inside, filters', async () => {
    for (const { scene, engine, step } of await both()) {
      const near = box(scene, [0, 0, 0], 0, 2);
      const far = box(scene, [0, -5, 0], 0, 2);
      near.shape.filterMembershipMask = 1;
      far.shape.filterMembershipMask = 2;
      step();
      const [up, down] = [new B.Vector3(0, 5, 0), new B.Vector3(0, -20, 0)];
      const hit = engine.raycast(up, down);
      expect(hit.body).toBe(near.body);
      expect(hit.hitDistance).toBeCloseTo(4, 4);
      close(list(hit.hitNormalWorld), [0, 1, 0], 1e-4);
      close(list(hit.hitPointWorld), [0, 1, 0], 1e-4);
      expect(engine.raycast(up, down, { collideWith: 2 }).body).toBe(far.body);
      expect(engine.raycast(up, down, { ignoreBody: near.body }).body).toBe(far.body);
      expect(engine.raycast(NONE, new B.Vector3(0, 3, 0)).hasHit).toBe(false);
      expect(engine.raycast(up, new B.Vector3(0, 2, 0)).hasHit).toBe(false);
    }
    const { scene, engine, step } = await talus();
    for (const y of [0, -5, -10]) box(scene, [0, y, 0], 0, 2);
    step();
    expect(engine.raycastMulti(new B.Vector3(0, 5, 0), new B.Vector3(0, -20, 0)).map(({ hitDistance }) => hitDistance)).toEqual([
      4, 9, 14,
    ]);
  });

  test('a ray into an empty array gives the nearest hits, up to the limit', async () => {
    const { scene, engine, step, talus: own } = await talus();
    for (const y of [-10, 0, -5, -15]) box(scene, [0, y, 0], 0, 2);
    step();
    const [from, to] = [new B.Vector3(0, 5, 0), new B.Vector3(0, -30, 0)];
    const many = () => engine.raycastMulti(from, to).map(({ hitDistance }) => hitDistance);
    expect(own.getMaxQueryCollectorHits()).toBe(Infinity);
    expect(many()).toEqual([4, 9, 14, 19]);
    own.setMaxQueryCollectorHits(2);
    expect([own.getMaxQueryCollectorHits(), many()]).toEqual([2, [4, 9]]);
    own.setMaxQueryCollectorHits(1);
    expect(many()).toEqual([4]);
    // Those that the caller brings are filled, whatever the limit.
    const three = [1, 2, 3].map(() => new B.PhysicsRaycastResult());
    engine.raycastToRef(from, to, three);
    expect(three.map(({ hitDistance }) => hitDistance)).toEqual([4, 9, 14]);
    expect(() => own.setMaxQueryCollectorHits(0)).toThrow(/from 1 on, got 0/);
    const other = new TalusPlugin(own.world, { maxQueryCollectorHits: 8, ownsWorld: false });
    expect(other.getMaxQueryCollectorHits()).toBe(8);
    other.dispose();
  });

  test('casts and proximity are those of Babylon.js', async () => {
    const found: number[][] = [];
    for (const { scene, plugin, step } of await both(NONE)) {
      const target = box(scene, [0, 0, 0], 0, 2);
      const shape = new B.PhysicsShapeSphere(new B.Vector3(0, 0, 0), 0.5, scene);
      step();
      const rotation = B.Quaternion.Identity();
      const [a, b] = [new B.ProximityCastResult(), new B.ProximityCastResult()];
      plugin.shapeProximity(
        { shape, position: new B.Vector3(0.2, 2, 0), rotation, maxDistance: 5, shouldHitTriggers: false },
        a,
        b,
      );
      const [c, d] = [new B.ShapeCastResult(), new B.ShapeCastResult()];
      const [startPosition, endPosition] = [new B.Vector3(0.2, 5, 0), new B.Vector3(0.2, -5, 0)];
      plugin.shapeCast({ shape, rotation, startPosition, endPosition, shouldHitTriggers: false }, c, d);
      const e = new B.ProximityCastResult();
      const collisionFilter = { membership: 1, collideWith: 1 };
      plugin.pointProximity({ position: new B.Vector3(0.3, 2, 0), maxDistance: 5, collisionFilter, shouldHitTriggers: false }, e);
      expect([b.body, d.body, e.body].every((body) => body === target.body)).toBe(true);
      found.push([
        ...[a.hitDistance, c.hitFraction, e.hitDistance],
        ...[a, b, c, d, e].flatMap((hit) => [...list(hit.hitPoint), ...list(hit.hitNormal)]),
      ]);
    }
    close(found[0]!, found[1]!, 2e-3);
  });
});

test('the character controller falls, walks, stops at a ledge and jumps as beside Babylon.js', async () => {
  const found: number[][] = [];
  for (const { scene, step } of await both()) {
    box(scene, [0, -5, 0], 0, 10);
    box(scene, [3, -4.7, 0], 0, 10); // a ledge, 0.3 m high, from x = -2 on
    const hero = new B.PhysicsCharacterController(new B.Vector3(-3, 1.2, 0), { capsuleHeight: 1.8, capsuleRadius: 0.4 }, scene);
    const down = new B.Vector3(0, -1, 0);
    const gravity = new B.Vector3(0, -10, 0);
    const places: number[] = [];
    const walk = (frames: number, speed: number, jump = 0): void => {
      for (let i = 0; i < frames; i++) {
        const support = hero.checkSupport(1 / 60, down);
        const isOn = support.supportedState === B.CharacterSupportedState.SUPPORTED;
        const rise = i === 0 && jump > 0 ? jump : isOn ? 0 : hero.getVelocity().y - 10 / 60;
        hero.setVelocity(new B.Vector3(speed, rise, 0));
        hero.integrate(1 / 60, support, gravity);
        step();
        if (i % 10 === 9) places.push(...list(hero.getPosition()));
      }
    };
    walk(40, 0);
    walk(60, 1);
    expect(hero.getPosition().x).toBeGreaterThan(-2.55);
    expect(hero.getPosition().x).toBeLessThan(-2.4);
    walk(60, 1, 5);
    expect(hero.getPosition().y).toBeGreaterThan(1.15);
    hero.dispose();
    found.push(places);
  }
  close(found[0]!, found[1]!, 0.05);
});

test('the debug viewer shows bodies and constraints', async () => {
  const { scene, step } = await talus();
  const a = box(scene, [0, 0, 0], 0);
  const b = box(scene, [0, 3, 0], 1);
  a.body.addConstraint(b.body, new B.HingeConstraint(NONE, new B.Vector3(0, -3, 0), B.Axis.X, B.Axis.X, scene));
  const viewer = new B.PhysicsViewer(scene);
  const mesh = viewer.showBody(b.body)!;
  expect(mesh.getTotalVertices()).toBe(8);
  step(3);
  viewer.dispose();
});

test('nodes follow a shift of the origin in the next step; nothing is teleported, nothing wakes', async () => {
  const { scene, step, talus: own } = await talus();
  const ground = B.MeshBuilder.CreateGround('ground', { width: 10, height: 10 }, scene);
  new B.PhysicsAggregate(ground, B.PhysicsShapeType.BOX, { mass: 0 }, scene);
  const crate = box(scene, [1, 0.5, 2], 1);
  step(120);
  const id = own.world.bodyAt(1)!;
  expect(own.world.isAsleep(id)).toBe(true);
  const before = list(crate.transformNode.position);
  own.world.shift([512, -16, 64]);
  step(2);
  close(list(crate.transformNode.position), [before[0]! + 512, before[1]! - 16, before[2]! + 64], 1e-4);
  // Babylon.js does not draw static bodies by their poses.
  expect(list(ground.position)).toEqual([0, 0, 0]);
  expect(own.world.isAsleep(id)).toBe(true);
});

test('frames of any length are steps of the same length, drawn between; the world goes with the scene', async () => {
  const { scene, engine, talus: own } = await talus();
  const crate = box(scene, [0, 0, 0], 1);
  crate.body.setLinearDamping(0);
  engine.setGravity(NONE);
  crate.body.setLinearVelocity(new B.Vector3(1, 0, 0));
  let time = 0;
  for (const frame of [1 / 144, 1 / 90, 1 / 240, 1 / 37, 1 / 144, 1 / 144, 1 / 30]) {
    engine._step(frame);
    time += frame;
    // One step behind, as what lies between two steps is.
    expect(crate.transformNode.position.x).toBeCloseTo(Math.max(0, time - 1 / 60), 5);
  }
  expect(own.world.stepCount).toBe(Math.floor(time * 60));
  engine.setTimeStep(1 / 120);
  expect(own.world.settings.dt).toBeCloseTo(1 / 120, 9);
  engine.setVelocityLimits(50, 60);
  expect([engine.getMaxLinearVelocity(), engine.getMaxAngularVelocity()]).toEqual([50, 60]);
  scene.dispose();
  expect(() => own.world.bodyCount).toThrow(/disposed/);
});
