// The warning that a bound object was moved by hand: told once a name, however many objects there are, and not where the body moved too.
import { BoxGeometry, Group, Mesh, MeshBasicMaterial } from 'three';
import { expect, test, vi } from 'vitest';
import { createWorld } from '../../src/index';
import { ThreePhysics } from '../../src/three/index';
import { MovedObjects } from '../../src/three/moved';

const material = new MeshBasicMaterial();
const box = new BoxGeometry();

async function make(count: number) {
  const told: string[] = [];
  const world = await createWorld();
  const physics = new ThreePhysics(world, { warn: (message) => told.push(message) });
  const meshes = Array.from({ length: count }, (_, i) => {
    const mesh = new Mesh(box, material);
    mesh.name = `crate ${i}`;
    mesh.position.set(2 * (i % 100), 5, 2 * Math.floor(i / 100));
    physics.add(mesh);
    return mesh;
  });
  return { told, world, physics, meshes };
}

test('setting the position or the rotation of a bound mesh is told, once a name', async () => {
  const { told, physics, meshes } = await make(3);
  for (let i = 0; i < 10; i++) physics.update(1 / 60);
  expect(told).toEqual([]);
  meshes[1]!.position.y = 20;
  physics.update(1 / 60);
  expect(meshes[1]!.position.y).toBeLessThan(5);
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/'crate 1' was set.*world\.teleport/);
  meshes[1]!.position.y = 20;
  meshes[2]!.rotation.y += 0.5;
  physics.update(1 / 60);
  expect(told).toHaveLength(2);
  expect(told[1]).toContain("'crate 2'");
});

test('of ten thousand the one that is set in each frame is found', async () => {
  const { told, physics, meshes } = await make(10_000);
  for (let i = 0; i < 160 && told.length === 0; i++) {
    meshes[7777]!.position.x = -3;
    physics.sync();
  }
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("'crate 7777'");
});

test('a frame looks at 64 objects at most', async () => {
  const { physics } = await make(1000);
  const member = vi.spyOn((physics as unknown as { poses: { member(index: number): unknown } }).poses, 'member');
  physics.sync();
  expect(member).toHaveBeenCalledTimes(64);
  expect((physics as unknown as { moved: unknown }).moved).toBeInstanceOf(MovedObjects);
});

test('not told: another parent, a body that was put there too, an object that leads, what is no longer bound', async () => {
  const { told, world, physics, meshes } = await make(4);
  physics.update(1 / 60);
  const group = new Group();
  group.position.set(0, 3, 0);
  group.attach(meshes[0]!);
  physics.update(1 / 60);
  group.position.set(9, 9, 9);
  physics.update(1 / 60);
  meshes[1]!.position.set(50, 50, 50);
  world.teleport(physics.bodiesOf(meshes[1]!)[0]!, meshes[1]!.position);
  physics.update(1 / 60);
  const lift = new Mesh(box, material);
  physics.add(lift, { follow: true });
  physics.update(1 / 60);
  lift.position.y += 0.1;
  physics.update(1 / 60);
  physics.unbind(meshes[2]!);
  meshes[2]!.position.x = 100;
  physics.remove(meshes[3]!);
  meshes[3]!.position.x = 100;
  physics.update(1 / 60);
  expect(told).toEqual([]);
});

test('silent when asked, and in production', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const world = await createWorld();
  const move = (options: { warn?: boolean }) => {
    const physics = new ThreePhysics(world, options);
    const mesh = new Mesh(box, material);
    physics.add(mesh);
    for (let i = 0; i < 3; i++) {
      mesh.position.x = 7;
      physics.sync();
    }
    physics.dispose();
    return warn.mock.calls.length;
  };
  expect(move({ warn: false })).toBe(0);
  vi.stubEnv('NODE_ENV', 'production');
  expect(move({})).toBe(0);
  expect(move({ warn: true })).toBe(1);
  vi.unstubAllEnvs();
  warn.mockRestore();
  expect(() => new ThreePhysics(world, { warn: 'loud' as never })).toThrow(/options\.warn/);
  expect(() => new ThreePhysics(world, { wran: false } as never)).toThrow(/wran/);
});
