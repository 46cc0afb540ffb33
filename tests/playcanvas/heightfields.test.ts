// Heightfields under PlayCanvas's own components: where they lie, which triangles they have, scales, holes, errors.
import * as pc from 'playcanvas';
import { afterEach, describe, expect, test } from 'vitest';
import { createHeightfield, type Heightfield } from '../../src/playcanvas/index';
import { type Setup, start } from './app';

const open: Setup[] = [];
async function make(): Promise<Setup> {
  const setup = await start();
  open.push(setup);
  return setup;
}
afterEach(() => {
  for (const { app } of open.splice(0)) app.destroy();
});

/** An entity with a field and a static body. */
function terrain(
  { app }: Setup,
  render: Heightfield,
  place: (entity: pc.Entity) => void = () => {},
  type: 'static' | 'kinematic' | 'dynamic' = 'static',
): pc.Entity {
  const entity = new pc.Entity('terrain', app);
  place(entity);
  app.root.addChild(entity);
  entity.addComponent('collision', { type: 'mesh', render });
  entity.addComponent('rigidbody', { type });
  return entity;
}
/** Height of what a ray from above meets; null: nothing. */
function heightAt({ app }: Setup, x: number, z: number): number | null {
  const hit = app.systems.rigidbody!.raycastFirst(new pc.Vec3(x, 100, z), new pc.Vec3(x, -100, z));
  return hit ? hit.point.y : null;
}
/** A plane of PlayCanvas with heights. */
function hills(app: pc.AppBase, height: (x: number, z: number) => number, edit: (g: pc.Geometry) => void = () => {}): pc.Mesh {
  const plane = new pc.PlaneGeometry({ halfExtents: new pc.Vec2(6, 4), widthSegments: 6, lengthSegments: 8 });
  const { positions } = plane as unknown as { positions: number[] };
  for (let i = 0; i < positions.length; i += 3) positions[i + 1] = height(positions[i]!, positions[i + 2]!);
  edit(plane);
  return pc.Mesh.fromGeometry(app.graphicsDevice, plane);
}
const bumpy = (x: number, z: number): number => Math.sin(1.7 * x) + Math.cos(2.3 * z + x);

describe('samples', () => {
  test('the middle is at the entity; the origin moves it; holes are holes', async () => {
    const setup = await make();
    const heights = [0, 1, 2, 10, 11, 12, 20, 21, 22, 30, 31, Number.NaN];
    terrain(setup, createHeightfield({ nx: 3, nz: 4, heights, spacing: [2, 1] }), (entity) => entity.setPosition(50, 5, 0));
    expect(heightAt(setup, 48.001, -1.499)).toBeCloseTo(5, 1);
    expect(heightAt(setup, 50, -0.5)).toBeCloseTo(16, 3);
    expect(heightAt(setup, 49, 0)).toBeCloseTo(20.5, 3);
    expect(heightAt(setup, 48.5, 1.25)).toBeCloseTo(32.75, 3);
    expect(heightAt(setup, 51.9, 1.4)).toBeNull();
    expect(heightAt(setup, 52.1, 0)).toBeNull();
    terrain(setup, createHeightfield({ nx: 2, nz: 2, heights: [1, 1, 1, 1], origin: new pc.Vec3(10, 2, 10) }));
    expect(heightAt(setup, 10.5, 10.5)).toBeCloseTo(3, 5);
    expect(heightAt(setup, 9.9, 10.5)).toBeNull();
  });

  test('bodies rest on it; it takes scale, offset and turn of the entity, and follows a new scale', async () => {
    const setup = await make();
    const flat = createHeightfield({ nx: 9, nz: 9, heights: new Float32Array(81).fill(1), spacing: 2 });
    const entity = terrain(setup, flat, (one) => one.setLocalScale(2, 3, 0.5));
    const ball = setup.add({ type: 'sphere', radius: 0.5 }, { type: 'dynamic' }, [14, 5, 3]);
    setup.step(150);
    expect(ball.getPosition().y).toBeCloseTo(3.5, 2);
    expect(heightAt(setup, 0, 4.1)).toBeNull();
    entity.setLocalScale(2, 4, 1);
    setup.step();
    expect(heightAt(setup, 0, 7.9)).toBeCloseTo(4, 4);
    entity.rigidbody!.teleport(new pc.Vec3(0, 0, 0), new pc.Vec3(0, 0, 30));
    setup.step();
    expect(heightAt(setup, 0, 0)).toBeCloseTo(4 / Math.cos(Math.PI / 6), 3);
    entity.collision!.linearOffset = new pc.Vec3(0, 1, 0);
    setup.step();
    expect(heightAt(setup, 0, 0)).toBeCloseTo(5 / Math.cos(Math.PI / 6), 3);
  });

  test('new heights are a new field; a kinematic one lifts; a compound takes it', async () => {
    const setup = await make();
    const level = (height: number) => createHeightfield({ nx: 2, nz: 2, heights: new Array(4).fill(height), spacing: 10 });
    const entity = terrain(setup, level(1), () => {}, 'kinematic');
    const crate = setup.add({ type: 'box' }, { type: 'dynamic' }, [1, 1.6, 1]);
    for (let i = 1; i <= 60; i++) {
      entity.setPosition(0, i / 60, 0);
      setup.step();
    }
    setup.step(60);
    expect(Math.abs(crate.getPosition().y - 2.5)).toBeLessThan(0.03);
    entity.collision!.render = level(-3) as never;
    setup.step(5);
    expect(heightAt(setup, 4, 4)).toBeCloseTo(-2, 4);
    const root = new pc.Entity('root', setup.app);
    setup.app.root.addChild(root);
    root.addComponent('collision', { type: 'compound' });
    root.addComponent('rigidbody', { type: 'static' });
    const child = new pc.Entity('child', setup.app);
    child.setLocalPosition(100, 7, 0);
    root.addChild(child);
    child.addComponent('collision', { type: 'mesh', render: level(1) });
    setup.step();
    expect(heightAt(setup, 102, 3)).toBeCloseTo(8, 4);
  });

  test('what makes no grid is refused in words, and so is a dynamic body', async () => {
    const setup = await make();
    const heights = [0, 0, 0, 0];
    expect(() => createHeightfield({ nx: 1, nz: 4, heights })).toThrow(/nx must be an integer of at least 2, got 1/);
    expect(() => createHeightfield({ nx: 2, nz: 3, heights })).toThrow(/need 6 heights, got 4/);
    expect(() => createHeightfield({ nx: 2, nz: 2, heights: [0, 0, Infinity, 0] })).toThrow(/heights\[2\]/);
    expect(() => createHeightfield({ nx: 2, nz: 2, heights, spacing: [1, 0] })).toThrow(/spacing/);
    expect(() => createHeightfield({ nx: 2, nz: 2, heights, origin: [0, Number.NaN, 0] })).toThrow(/origin/);
    const flat = createHeightfield({ nx: 2, nz: 2, heights });
    expect(() => terrain(setup, flat, () => {}, 'dynamic')).toThrow(/'terrain' static or kinematic/);
  });
});

describe('meshes', () => {
  const flips = [
    ['as it is', [1, 1, 1]],
    ['mirrored along x', [-1, 1, 1]],
    ['mirrored along z', [2, 0.5, -1]],
    ['mirrored along both', [-1, 2, -1]],
    ['upside down', [1, -1, 1]],
  ] as const;
  const cuts = [
    ['along', () => {}],
    // Each cell of a plane has two triangles, b d a and b c d: cut along the other diagonal.
    [
      'across',
      (plane: pc.Geometry) => {
        const { indices } = plane as unknown as { indices: number[] };
        for (let i = 0; i < indices.length; i += 6) {
          const [b, d, a, , c] = indices.slice(i, i + 6);
          indices.splice(i, 6, a!, b!, c!, a!, c!, d!);
        }
      },
    ],
  ] as const;

  test.each(flips.flatMap(([flip, scale]) => cuts.map(([cut, edit]) => ({ flip, cut, scale, edit }))))(
    'cells cut $cut, $flip: the triangles are those that are drawn',
    async ({ scale, edit }) => {
      const setup = await make();
      const mesh = hills(setup.app, bumpy, edit as (g: pc.Geometry) => void);
      const put = (x: number) => (entity: pc.Entity) => {
        entity.setPosition(x, 3, -1);
        entity.setLocalScale(scale[0], scale[1], scale[2]);
      };
      terrain(setup, createHeightfield({ mesh }), put(0));
      terrain(setup, { meshes: [mesh] } as never, put(100));
      for (let i = 0; i < 200; i++) {
        const [x, z] = [((i * 0.618) % 1) * 11.8 - 5.9, ((i * 0.755) % 1) * 7.8 - 3.9].map((at, k) => at * scale[2 * k]!);
        expect(heightAt(setup, x!, z! - 1)).toBeCloseTo(heightAt(setup, 100 + x!, z! - 1)!, 3);
      }
    },
  );

  test('vertices off the grid, uneven lines and cells without triangles are refused', async () => {
    const { app } = await make();
    const refuse = (edit: (positions: number[], indices: number[]) => void): void => {
      const mesh = hills(app, bumpy, (plane) => {
        const { positions, indices } = plane as unknown as { positions: number[]; indices: number[] };
        edit(positions, indices);
      });
      expect(() => createHeightfield({ mesh })).toThrow(/even grid/);
    };
    refuse((positions) => {
      positions[30] = positions[30]! + 0.3;
    });
    refuse((positions) => {
      for (let i = 0; i < positions.length; i += 3) positions[i] = Math.abs(positions[i]!) * positions[i]!;
    });
    refuse((_, indices) => {
      indices.splice(60, 6);
    });
    expect(() => createHeightfield({ mesh: {} as never })).toThrow(/must be a Mesh/);
    const ball = pc.Mesh.fromGeometry(app.graphicsDevice, new pc.SphereGeometry({ radius: 0.5 }));
    expect(() => createHeightfield({ mesh: ball })).toThrow(/even grid/);
  });
});
