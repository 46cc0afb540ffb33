// Objects of three and bodies: made of each other, drawn by each other, gone with each other. The real engine, without a screen.
import {
  BatchedMesh,
  BoxGeometry,
  Color,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  Object3D,
  Quaternion,
  Raycaster,
  Scene,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from 'three';
import { beforeEach, expect, test } from 'vitest';
import { Character } from '../../src/controllers/index';
import { type BodyId, createWorld, type World } from '../../src/index';
import { DebugRenderer, ThreePhysics } from '../../src/three/index';

const material = new MeshBasicMaterial();
let world: World;
let physics: ThreePhysics;

beforeEach(async () => {
  world = await createWorld();
  physics = new ThreePhysics(world);
});

function expectPose(object: Object3D, body: BodyId, digits = 4): void {
  object.updateWorldMatrix(true, false);
  const [p, q] = [new Vector3(), new Quaternion()];
  object.matrixWorld.decompose(p, q, new Vector3());
  const [x, y, z] = world.getPosition(body, [0, 0, 0]);
  expect(p.x).toBeCloseTo(x!, digits);
  expect(p.y).toBeCloseTo(y!, digits);
  expect(p.z).toBeCloseTo(z!, digits);
  expect(Math.abs(q.dot(world.getRotation(body, new Quaternion())))).toBeCloseTo(1, digits);
}

const steps = (n: number) => {
  for (let i = 0; i < n; i++) world.step();
};

test('a mesh becomes a body where it is, and goes where the body goes', () => {
  const mesh = new Mesh(new BoxGeometry(1, 1, 1), material);
  mesh.position.set(1, 5, 2);
  mesh.rotation.set(0.3, 0.2, 0.1);
  mesh.scale.set(2, 1, 1);
  const body = physics.add(mesh, { density: 500, friction: 0.9, restitution: 0.5, linearVelocity: [1, 0, 0] });
  expect(world.getMass(body)).toBeCloseTo(1000, 3);
  const [collider] = world.collidersOf(body);
  expect(world.getMaterial(collider!)).toMatchObject({ friction: expect.closeTo(0.9, 5), restitution: 0.5 });
  expectPose(mesh, body);
  physics.update(0.5);
  steps(20);
  physics.sync(1);
  expect(mesh.position.y).toBeLessThan(4.5);
  expectPose(mesh, body);
  expect(mesh.scale.toArray()).toEqual([2, 1, 1]);
  expect(physics.objectOf(body)).toBe(mesh);
  expect(physics.bodiesOf(mesh)).toEqual([body]);
});

test('poses lie between the last two steps', () => {
  const mesh = new Mesh(new SphereGeometry(0.5), material);
  const body = physics.add(mesh, { linearVelocity: [6, 0, 0], gravityScale: 0 });
  physics.update(1 / 60); // first step
  physics.update(1.5 / 60);
  const x = world.getPosition(body, [0, 0, 0])[0]!;
  expect(mesh.position.x).toBeCloseTo(x - 0.05, 5);
  physics.sync(0);
  expect(mesh.position.x).toBeCloseTo(x - 0.1, 5);
});

test('parents that are moved, turned and scaled, and bound themselves', () => {
  const scene = new Scene();
  const outer = new Group();
  outer.position.set(3, -1, 2);
  outer.rotation.set(0.4, 1, -0.3);
  outer.scale.setScalar(2);
  const mesh = new Mesh(new BoxGeometry(1, 1, 1), material);
  mesh.position.set(0, 4, 0);
  outer.add(mesh);
  scene.add(outer);
  const body = physics.add(mesh, { angularVelocity: [1, 2, 3] });
  expect(world.getMass(body)).toBeCloseTo(8000, 0); // edges of 2 m
  // The child was bound before what it lies in.
  const carrier = world.createBody({ type: 'kinematic', position: outer.position, rotation: outer.quaternion });
  physics.bind(outer, carrier);
  world.moveKinematic(carrier, [4, 0, 0], new Quaternion());
  steps(1);
  physics.sync(1);
  expect(outer.position.x).toBeCloseTo(4, 5);
  expectPose(mesh, body);
  outer.remove(mesh);
  scene.add(mesh);
  steps(5);
  physics.sync(1);
  expectPose(mesh, body);
});

test('a group is one body of all its meshes', () => {
  const group = new Group();
  const top = new Mesh(new BoxGeometry(2, 0.2, 1), material);
  top.position.y = 1;
  group.add(top);
  for (const x of [-0.9, 0.9]) {
    const leg = new Mesh(new BoxGeometry(0.1, 1, 0.1), material);
    leg.position.set(x, 0.45, 0);
    leg.rotation.y = 0.5;
    group.add(leg);
  }
  group.position.set(5, 0, 0);
  group.rotation.y = 1;
  const body = physics.add(group);
  expect(world.collidersOf(body)).toHaveLength(3);
  expect(world.getMass(body)).toBeCloseTo(1000 * (0.4 + 2 * 0.01), 3);
  expect(() => physics.add(new Group())).toThrow(/contains no mesh/);
});

test('an InstancedMesh: one call, one body each, with the scales of the instances', () => {
  const mesh = new InstancedMesh(new BoxGeometry(1, 1, 1), material, 4);
  const at = new Matrix4();
  for (let i = 0; i < 4; i++) {
    mesh.setMatrixAt(i, at.compose(new Vector3(3 * i, 5, 0), new Quaternion(), new Vector3(1 + i, 1, 1)));
  }
  mesh.position.set(0, 1, 0);
  mesh.rotation.y = Math.PI / 2;
  const bodies = physics.add(mesh, { density: 10 });
  expect(bodies.map((body) => Math.round(world.getMass(body)))).toEqual([10, 20, 30, 40]);
  expect(world.getPosition(bodies[1]!, [0, 0, 0])[2]).toBeCloseTo(-3, 5);
  steps(4);
  physics.sync(1);
  const [p, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
  for (const [i, body] of bodies.entries()) {
    mesh.getMatrixAt(i, at);
    at.premultiply(mesh.matrixWorld).decompose(p, q, s);
    expect(p.distanceTo(world.getPosition(body, new Vector3()))).toBeLessThan(1e-5);
    expect(s.x).toBeCloseTo(1 + i, 5);
  }
  expect(mesh.frustumCulled).toBe(false);
  physics.unbind(mesh);
  expect(mesh.frustumCulled).toBe(true);
});

test('rays of three find instances where they have moved to', () => {
  const mesh = new InstancedMesh(new BoxGeometry(1, 1, 1), material, 2);
  mesh.setMatrixAt(0, new Matrix4().makeTranslation(0, 0, 0));
  mesh.setMatrixAt(1, new Matrix4().makeTranslation(4, 0, 0));
  mesh.computeBoundingSphere();
  const bodies = physics.add(mesh, { gravityScale: 0 });
  world.teleport(bodies[1]!, [100, 0, 0]);
  physics.sync();
  const ray = new Raycaster(new Vector3(100, 9, 0), new Vector3(0, -1, 0));
  mesh.updateMatrixWorld();
  expect(ray.intersectObject(mesh)[0]?.instanceId).toBe(1);
  const hit = physics.castRay(ray)!;
  expect(hit).toMatchObject({ body: bodies[1], object: mesh, instance: 1 });
  expect(hit.distance).toBeCloseTo(8.5, 5);
  expect(hit.point).toBeInstanceOf(Vector3);
  expect(hit.normal.y).toBeCloseTo(1, 5);
});

test('a BatchedMesh: shapes of its own geometries, instances in any order', () => {
  const batched = new BatchedMesh(8, 4096, 8192, material);
  const box = batched.addGeometry(new BoxGeometry(1, 1, 1));
  const ring = batched.addGeometry(new TorusGeometry(1, 0.3, 6, 10));
  const unused = batched.addInstance(box);
  batched.setMatrixAt(unused, new Matrix4().makeTranslation(50, 0, 0));
  const instances = [batched.addInstance(box), batched.addInstance(ring), batched.addInstance(ring)];
  for (const [i, id] of instances.entries()) batched.setMatrixAt(id, new Matrix4().makeTranslation(4 * i, 0, 0));
  const bodies = physics.add(batched, { instances, density: 1 });
  expect(world.getMass(bodies[0]!)).toBeCloseTo(1, 4);
  expect(world.getMass(bodies[1]!)).toBeCloseTo(world.getMass(bodies[2]!), 6);
  steps(5);
  physics.sync(1);
  const at = new Matrix4();
  for (const [i, id] of instances.entries()) {
    const [x, y] = world.getPosition(bodies[i]!, [0, 0, 0]);
    const { elements } = batched.getMatrixAt(id, at);
    expect(elements[12]).toBeCloseTo(x!, 5);
    expect(elements[13]).toBeCloseTo(y!, 5);
  }
  expect(batched.getMatrixAt(unused, at).elements[12]).toBe(50);
  physics.remove(batched);
  expect(world.bodyCount).toBe(0);
  // All of them, in order: written in place.
  const all = physics.add(batched);
  expect(all).toHaveLength(4);
  steps(1);
  physics.sync(1);
  expect(batched.getMatrixAt(unused, at).elements[13]).toBeCloseTo(world.getPosition(all[0]!, [0, 0, 0])[1]!, 5);
});

test('what is removed from the world is not seen, and slots that are used again are not mixed up', () => {
  const mesh = new InstancedMesh(new SphereGeometry(0.5), material, 3);
  for (let i = 0; i < 3; i++) mesh.setMatrixAt(i, new Matrix4().makeTranslation(2 * i, 0, 0));
  const bodies = physics.add(mesh);
  const single = new Mesh(new SphereGeometry(0.5), material);
  single.position.set(0, 9, 0);
  const alone = physics.add(single);
  const before = world.snapshot();
  physics.sync();
  world.removeBody(bodies[1]!);
  world.removeBody(alone);
  const newcomers = [1, 2].map((y) =>
    world.createBody({ position: [0, 50 * y, 0], mass: { mass: 1, inertia: [1, 1, 1, 0, 0, 0] } }),
  );
  expect(newcomers.map((id) => world.indexOf(id))).toContain(1); // the slot of the one that went
  physics.sync();
  const at = new Matrix4();
  mesh.getMatrixAt(1, at);
  expect(at.elements.slice(0, 12).every((x) => x === 0)).toBe(true);
  expect(single.visible).toBe(false);
  world.restore(before);
  physics.sync();
  mesh.getMatrixAt(1, at);
  expect(at.elements[12]).toBe(2);
  expect(single.visible).toBe(true);
});

test('remove and dispose give back bodies and shapes that were made, and nothing else', () => {
  const own = world.createBody({ shape: world.createShape({ type: 'sphere', radius: 1 }) });
  const geometry = new BoxGeometry(1, 1, 1);
  const meshes = Array.from({ length: 3 }, (_, i) => new Mesh(geometry, material).translateX(3 * i));
  const [first] = meshes.map((mesh) => physics.add(mesh));
  const { shape } = world.getCollider(world.collidersOf(first!)[0]!);
  expect(world.getCollider(world.collidersOf(physics.bodiesOf(meshes[2]!)[0]!)[0]!).shape).toBe(shape); // shared
  physics.bind(new Object3D(), own);
  physics.remove(meshes[0]!);
  physics.remove(meshes[0]!);
  expect(world.isAlive(first!)).toBe(false);
  physics.dispose();
  expect(world.bodyCount).toBe(1);
  expect(world.isAlive(own)).toBe(true);
  expect(() => world.removeShape(shape)).toThrow(/stale|does not exist/);
  physics.dispose();
  // The same objects again, as a module that was loaded anew would.
  const again = new ThreePhysics(world);
  for (const mesh of meshes) again.add(mesh);
  expect(world.bodyCount).toBe(4);
  world.dispose();
  again.dispose();
});

test('two worlds draw two scenes', async () => {
  const other = new ThreePhysics(await createWorld({ gravity: [0, 0, 0] }));
  const [a, b] = [new Mesh(new BoxGeometry(), material), new Mesh(new BoxGeometry(), material)];
  physics.add(a);
  other.add(b);
  for (let i = 0; i < 30; i++) {
    physics.update(1 / 60);
    other.update(1 / 60);
  }
  expect(a.position.y).toBeLessThan(-1);
  expect(b.position.y).toBe(0);
});

test('a body that follows its object pushes what is in its way', () => {
  const pusher = new Mesh(new BoxGeometry(1, 1, 1), material);
  physics.add(pusher, { follow: true });
  const ball = new Mesh(new SphereGeometry(0.5), material);
  ball.position.x = 1.2;
  const body = physics.add(ball, { gravityScale: 0 });
  for (let i = 0; i < 60; i++) {
    pusher.position.x += 0.02;
    physics.update(1 / 60);
  }
  expect(world.getPosition(body, [0, 0, 0])[0]).toBeGreaterThan(2);
  expect(pusher.position.x).toBeCloseTo(1.2, 6);
});

test('the origin moves with all that is bound, at once and without a smear', () => {
  const mesh = new Mesh(new SphereGeometry(0.5), material);
  const group = new Group();
  group.position.set(0, 0, 7);
  group.add(mesh);
  const lead = new Mesh(new BoxGeometry(1, 1, 1), material);
  lead.position.set(0, -5, 0);
  group.add(lead);
  const many = new InstancedMesh(new BoxGeometry(1, 1, 1), material, 2);
  for (const i of [0, 1]) many.setMatrixAt(i, new Matrix4().makeTranslation(10 + 2 * i, 0, 0));
  const body = physics.add(mesh, { linearVelocity: [6, 0, 0], gravityScale: 0 });
  const led = physics.add(lead, { follow: true });
  physics.add(many, { gravityScale: 0 });
  physics.update(1 / 60);
  physics.update(1 / 120);
  expect(mesh.position.x).toBeCloseTo(0.05, 5);
  physics.shift(new Vector3(-64, 8, 16));
  expect(mesh.position.toArray().map((x) => Math.round(1e3 * x) / 1e3)).toEqual([-63.95, 8, 16]);
  expect(lead.position.toArray()).toEqual([-64, 3, 16]);
  const matrix = new Matrix4();
  many.getMatrixAt(1, matrix);
  expect(new Vector3().setFromMatrixPosition(matrix).toArray()).toEqual([-52, 8, 16]);
  // The one that leads stays where it is: nothing sweeps through the world.
  physics.update(1 / 120);
  physics.update(1 / 60);
  expect(world.getPosition(led, [0, 0, 0])).toEqual([-64, 3, 23]);
  expect(world.getLinearVelocity(led, [0, 0, 0])).toEqual([0, 0, 0]);
  // Drawn a step behind.
  expect(mesh.position.x).toBeCloseTo(world.getPosition(body, [0, 0, 0])[0]! - 0.1, 3);
  expect(() => physics.shift([1, 2] as never)).toThrow(/offset/);
});

test('sleepers can be told by their color', () => {
  const floor = new Mesh(new BoxGeometry(20, 1, 20), material);
  floor.position.y = -0.5;
  physics.add(floor, { type: 'static' });
  const mesh = new InstancedMesh(new BoxGeometry(1, 1, 1), material, 2);
  mesh.setMatrixAt(0, new Matrix4().makeTranslation(0, 0.5, 0));
  mesh.setMatrixAt(1, new Matrix4().makeTranslation(5, 400, 0));
  physics.add(mesh, { sleepColors: { awake: 'red', asleep: 0x0000ff } });
  for (let i = 0; i < 200; i++) physics.update(1 / 60);
  const color = new Color();
  mesh.getColorAt(0, color);
  expect(color.getHexString()).toBe('0000ff');
  mesh.getColorAt(1, color);
  expect(color.getHexString()).toBe('ff0000');
});

test('objects that are marked are added, as in the examples of three.js', () => {
  const scene = new Scene();
  const floor = new Mesh(new BoxGeometry(10, 1, 10), material);
  floor.userData.physics = { type: 'static' };
  const crate = new Mesh(new BoxGeometry(1, 1, 1), material);
  crate.position.y = 3;
  crate.userData.physics = true;
  scene.add(floor, crate, new Mesh(new BoxGeometry(), material));
  const bodies = physics.addScene(scene);
  expect(bodies.map((body) => world.getType(body))).toEqual(['static', 'dynamic']);
  expect(physics.addScene(scene)).toEqual([]);
});

test('getters write Vector3 and Quaternion, calls take them', () => {
  const body = physics.add(new Mesh(new BoxGeometry(), material));
  world.teleport(body, new Vector3(1, 2, 3), new Quaternion(0, 0, 1, 0));
  expect(world.getPosition(body, new Vector3())).toEqual(new Vector3(1, 2, 3));
  expect(world.getRotation(body, new Quaternion()).z).toBe(1);
});

test('the debug renderer draws what the world has', () => {
  const mesh = new Mesh(new BoxGeometry(2, 2, 2), material);
  physics.add(mesh, { type: 'static' });
  const debug = physics.attach(new DebugRenderer(world));
  physics.sync();
  expect(debug.geometry.drawRange.count).toBe(24);
  const colors = debug.geometry.getAttribute('color').array;
  expect(colors[0]).toBeCloseTo(0.6, 5);
  for (let i = 0; i < 40; i++) physics.add(new Mesh(new BoxGeometry(), material).translateX(3 * i));
  const old = debug.geometry.getAttribute('position').array;
  physics.sync();
  expect(debug.geometry.drawRange.count).toBe(41 * 24);
  expect(debug.geometry.getAttribute('position').array).not.toBe(old);
  debug.visible = false;
  physics.dispose();
});

test('refusals say what to do and change nothing', () => {
  const mesh = new Mesh(new BoxGeometry(), material);
  const body = physics.add(mesh);
  expect(() => physics.add(mesh)).toThrow(/bound already/);
  expect(() => physics.bind(new Object3D(), [body] as never)).toThrow(/one body, not by an array/);
  expect(() => physics.bind(new InstancedMesh(new BoxGeometry(), material, 1), body as never)).toThrow(/array of bodies/);
  expect(() => physics.bind(new InstancedMesh(new BoxGeometry(), material, 1), [body, body])).toThrow(/room for 1/);
  expect(() => physics.add(new Mesh(new BoxGeometry(), material), { position: [0, 0, 0] } as never)).toThrow(/the object has it/);
  expect(() => physics.add(new Mesh(new TorusGeometry(), material), { shape: 'mesh' })).toThrow(/static/);
  expect(() => physics.add({} as never)).toThrow(/Object3D/);
  expect(world.bodyCount).toBe(1);
});

test('a character walks at its speed whatever the frames of update, drawn between steps as objects are', async () => {
  const ends: number[] = [];
  for (const rate of [24, 60, 144, 240]) {
    const world = await createWorld({ warn: false });
    const physics = new ThreePhysics(world);
    world.createBody({ type: 'static', shape: world.createShape({ type: 'plane' }) });
    const who = new Character(world, { shape: { type: 'capsule', radius: 0.3, halfHeight: 0.6 }, position: [0, 0, 0] });
    const hero = new Object3D();
    let [last, still] = [0, 0];
    for (let frame = 0; frame < 2 * rate; frame++) {
      who.walk({ velocity: [3, 0, 0] });
      physics.update(1 / rate);
      who.getPose(hero.position);
      if (frame > rate / 10 && hero.position.x === last) still++;
      last = hero.position.x;
    }
    expect(still).toBe(0);
    ends.push(last);
  }
  for (const end of ends) expect(Math.abs(end - ends[0]!)).toBeLessThan(1e-4);
  expect(ends[0]).toBeGreaterThan(5.5);
});
