// Meshes and grounds of Babylon.js: which triangles they have, and what stands for them on bodies that move.
import * as B from '@babylonjs/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTalusPlugin, type TalusPluginOptions } from '../../src/babylon/index';

const open: B.Scene[] = [];
async function talus(options: TalusPluginOptions = {}) {
  const scene = new B.Scene(new B.NullEngine());
  open.push(scene);
  const plugin = await createTalusPlugin({ warn: false, ...options });
  scene.enablePhysics(new B.Vector3(0, -10, 0), plugin);
  const engine = scene.getPhysicsEngine() as unknown as B.PhysicsEngineV2;
  const step = (count = 1): void => {
    for (let i = 0; i < count; i++) engine._step(1 / 60);
  };
  const heightAt = (x: number, z: number): number => {
    const hit = engine.raycast(new B.Vector3(x, 50, z), new B.Vector3(x, -50, z));
    return hit.hasHit ? hit.hitPointWorld.y : Number.NaN;
  };
  return { scene, plugin, engine, step, heightAt };
}
afterEach(() => {
  for (const scene of open.splice(0)) scene.dispose();
});

function hills(scene: B.Scene, edit: (positions: number[], indices: number[]) => void = () => {}): B.GroundMesh {
  const ground = B.MeshBuilder.CreateGround(
    'hills',
    { width: 12, height: 8, subdivisionsX: 6, subdivisionsY: 8, updatable: true },
    scene,
  );
  const positions = Array.from(ground.getVerticesData('position')!);
  const indices = Array.from(ground.getIndices()!);
  for (let i = 0; i < positions.length; i += 3)
    positions[i + 1] = Math.sin(1.7 * positions[i]!) + Math.cos(2.3 * positions[i + 2]!);
  edit(positions, indices);
  ground.setVerticesData('position', positions, true);
  ground.setIndices(indices);
  return ground;
}

describe('grounds', () => {
  test.each([
    [1, 1, 1],
    [2, 3, 0.5],
    [-1, 1, 1],
    [1, 1, -2],
  ])('at the scale %f %f %f a heightfield has the triangles that are drawn, also in a container', async (x, y, z) => {
    const { scene, step, heightAt } = await talus();
    const [a, b] = [hills(scene), hills(scene)];
    for (const mesh of [a, b]) mesh.scaling.set(x, y, z);
    a.position.set(0, 2, 1);
    b.position.set(100, 2, 1);
    new B.PhysicsAggregate(a, B.PhysicsShapeType.HEIGHTFIELD, { mass: 0 }, scene);
    new B.PhysicsAggregate(b, B.PhysicsShapeType.MESH, { mass: 0 }, scene);
    const node = new B.TransformNode('node', scene);
    node.position.set(200, 2, 1);
    const root = new B.PhysicsShapeContainer(scene);
    const plain = new B.PhysicsShapeGroundMesh(hills(scene), scene);
    root.addChild(plain, B.Vector3.Zero(), undefined, new B.Vector3(Math.abs(x), y, Math.abs(z)));
    new B.PhysicsBody(node, B.PhysicsMotionType.STATIC, false, scene).shape = root;
    step();
    for (let i = 0; i < 100; i++) {
      const [u, v] = [(((i * 0.618) % 1) * 11.8 - 5.9) * x, (((i * 0.755) % 1) * 7.8 - 3.9) * z];
      expect(heightAt(u, v + 1)).toBeCloseTo(heightAt(u + 100, v + 1), 3);
      expect(heightAt(200 + u * Math.sign(x), v * Math.sign(z) + 1)).toBeCloseTo(heightAt(u, v + 1), 3);
    }
  });

  test('vertices that are not on a grid are refused, and so is a dynamic body, both by the name of the mesh', async () => {
    const { scene, step } = await talus();
    const moved = hills(scene, (positions) => {
      positions[30] = positions[30]! + 0.4;
    });
    expect(() => new B.PhysicsShapeGroundMesh(moved, scene)).toThrow(/'hills' are not on an even grid/);
    const body = new B.PhysicsBody(hills(scene), B.PhysicsMotionType.DYNAMIC, false, scene);
    body.shape = new B.PhysicsShapeGroundMesh(body.transformNode as B.GroundMesh, scene);
    expect(() => step()).toThrow(/heightfield of 'hills' has no mass: make its body PhysicsMotionType.STATIC or ANIMATED/);
    body.dispose();
    step();
  });
});

describe('dynamic meshes', () => {
  /** Two boxes with a gap, as one mesh. */
  function bridge(scene: B.Scene): B.Mesh {
    const parts = [-2, 2].map((x) => {
      const part = B.MeshBuilder.CreateBox('part', { size: 1 }, scene);
      part.position.x = x;
      return part;
    });
    const mesh = B.Mesh.MergeMeshes(parts, true)!;
    mesh.name = 'bridge';
    return mesh;
  }

  test('their hull stands for them, and the console names the mesh and what to use, once', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { scene, step, engine } = await talus();
    const mesh = bridge(scene);
    new B.PhysicsAggregate(mesh, B.PhysicsShapeType.MESH, { mass: 1 }, scene);
    step(3);
    expect(engine.raycast(new B.Vector3(0, 9, 0), new B.Vector3(0, -9, 0)).hasHit).toBe(true);
    const lines = warn.mock.calls.map(([text]) => String(text));
    expect(lines.length).toBe(1);
    expect(lines[0]).toMatch(/MESH of 'bridge' .* convex hull.*decompose.*CONVEX_HULL/);
    warn.mockRestore();
  });

  test('a library cuts them: the gap is a gap, masses are those of the parts', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const decompose = vi.fn((positions: Float64Array) => [
      positions.filter((_, i) => i < 72),
      { positions: positions.slice(72) },
    ]);
    const { scene, step, engine, plugin } = await talus({ decompose });
    const floor = B.MeshBuilder.CreateBox('floor', { width: 20, height: 2, depth: 20 }, scene);
    floor.position.y = -1;
    new B.PhysicsAggregate(floor, B.PhysicsShapeType.BOX, { mass: 0 }, scene);
    const mesh = bridge(scene);
    mesh.position.y = 1;
    const { body } = new B.PhysicsAggregate(mesh, B.PhysicsShapeType.MESH, { mass: 1 }, scene);
    step(90);
    expect(mesh.position.y).toBeCloseTo(0.5, 2);
    const hit = (x: number) => engine.raycast(new B.Vector3(x, 9, 0), new B.Vector3(x, -9, 0)).body;
    expect([hit(-2) === body, hit(0) === body, hit(2) === body]).toEqual([true, false, true]);
    const { mass, inertia } = body.computeMassProperties();
    expect(mass).toBeCloseTo(2000, 0);
    expect(inertia!.y).toBeCloseTo(1 / 6 + 4, 2);
    expect(decompose).toHaveBeenCalledTimes(1);
    expect(warn).not.toHaveBeenCalled();
    body.dispose();
    expect(plugin.world.bodyCount).toBe(1);
    const empty = await talus({ decompose: { computeConvexHulls: () => [] } });
    new B.PhysicsAggregate(bridge(empty.scene), B.PhysicsShapeType.MESH, { mass: 1 }, empty.scene);
    expect(() => empty.step()).toThrow(/no parts/);
    warn.mockRestore();
  });
});
