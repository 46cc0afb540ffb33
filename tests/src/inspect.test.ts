// Looking into a step and copying a world: contacts, bounds, labels, clones, change of backend.
import { describe, expect, it } from 'vitest';
import { buildScene } from '../../scenes/index';
import { createWorld as createStudy, NO_LABEL, type TalusError } from '../../src/study/index';
import { sceneWorld } from '../helpers/scene_world';
import { createWorld } from '../helpers/worlds';

/** A floor, a 1 m cube of 1000 kg that rests on it, a stack of two beside it, and a cube in the air. */
async function restingWorld(create = createWorld) {
  const world = await create();
  const floor = world.createShape({ type: 'box', halfExtents: [20, 0.5, 20] });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const ground = world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0] });
  const [one, low, high, air] = world.createBodies({
    count: 4,
    shape: cube,
    positions: [0, 0.5, 0, 5, 0.5, 0, 5, 1.5, 0, -5, 500, 0],
  });
  for (let i = 0; i < 60; i++) world.step();
  return { world, ground, one: one!, low: low!, high: high!, air: air! };
}

describe('contacts for drawing', () => {
  it('carry the weight of what rests on them', async () => {
    const { world, one, ground } = await restingWorld();
    const contacts = world.readContacts();
    const pair = [world.indexOf(ground), world.indexOf(one)].sort();
    let support = 0;
    let points = 0;
    for (let i = 0; i < contacts.count; i++) {
      const [a, b] = [contacts.bodyA[i]!, contacts.bodyB[i]!];
      expect(Math.hypot(...contacts.normals.subarray(3 * i, 3 * i + 3))).toBeCloseTo(1, 5);
      expect(Math.abs(contacts.separations[i]!)).toBeLessThan(0.02);
      if ([a, b].sort().join() !== pair.join()) continue;
      points++;
      support += contacts.impulses[i]! * (a === pair[0] ? 1 : -1) * contacts.normals[3 * i + 1]!;
      expect(contacts.points[3 * i + 1]).toBeCloseTo(0, 3);
      expect(Math.abs(contacts.points[3 * i]!)).toBeCloseTo(0.5, 2);
    }
    expect(points).toBe(4);
    expect(support / ((1000 * 9.81) / 60)).toBeCloseTo(1, 2);
    expect(world.readContacts(contacts)).toBe(contacts);
  });

  it('agree with the profile on a pile, with every solver', async () => {
    const world = await sceneWorld(buildScene('boxes-small', { scale: 0.05 }), {}, createStudy);
    for (let i = 0; i < 60; i++) world.step();
    for (const solver of ['wide', 'colored', 'pgs', 'cell-order', 'pair-split', 'cell-split'] as const) {
      world.set({ solver });
      for (let i = 0; i < 40; i++) world.step();
      const contacts = world.readContacts();
      expect(contacts.count).toBeGreaterThan(60);
      expect(contacts.count).toBe(world.profile.contactCount);
      expect(contacts.count).toBe(world.measure().contactCount);
      expect(contacts.points.subarray(0, 3 * contacts.count).every(Number.isFinite)).toBe(true);
      expect(contacts.impulses.subarray(0, contacts.count).every((z) => z >= 0)).toBe(true);
    }
  });
});

describe('bounds and labels', () => {
  it('boxes hold their bodies', async () => {
    const { world } = await restingWorld();
    const bounds = world.readBounds();
    expect(bounds.length).toBe(6 * 5);
    for (let i = 0; i < 5; i++) {
      for (let k = 0; k < 3; k++) {
        const at = world.positions[4 * i + k]!;
        expect(bounds[6 * i + k]).toBeLessThan(at);
        expect(bounds[6 * i + 3 + k]).toBeGreaterThan(at);
      }
    }
  });

  it('islands join what touches, not what shares a floor', async () => {
    const { world, ground, one, low, high, air } = await restingWorld();
    const label = world.readLabels('island');
    const of = (id: Parameters<typeof world.indexOf>[0]) => label[world.indexOf(id)]!;
    expect(of(low)).toBe(of(high));
    expect(of(one)).not.toBe(of(low));
    expect([of(air), of(ground)]).toEqual([NO_LABEL, NO_LABEL]);
    const contacts = world.readLabels('contacts');
    expect(contacts[world.indexOf(low)]).toBe(2);
    expect(contacts[world.indexOf(ground)]).toBe(2);
  });

  it('cells and splits are those of the splitting solver', async () => {
    const world = await sceneWorld(buildScene('boxes-small', { scale: 0.1 }), { solver: 'cell-split', granularity: 16 });
    for (let i = 0; i < 90; i++) world.step();
    const splits = world.readLabels('splits');
    const shared = splits.subarray(0, world.slotCount).filter((k) => k !== NO_LABEL && k > 1).length;
    expect(shared).toBe(world.profile.splitBodies);
    const cells = world.readLabels('cell').filter((c) => c !== NO_LABEL);
    expect(Math.max(...cells)).toBeLessThan(world.profile.cells);
    world.set({ solver: 'wide' });
    world.step();
    expect(world.readLabels('cell').every((c) => c === NO_LABEL)).toBe(true);
  });
});

describe('clone', () => {
  it('goes on with the same bits, and apart once something is done to one', async () => {
    const world = await sceneWorld(buildScene('boxes-small', { scale: 0.1 }));
    for (let i = 0; i < 60; i++) world.step();
    const twin = await world.clone();
    for (let i = 0; i < 60; i++) {
      world.step();
      twin.step();
    }
    expect(twin.positions).toEqual(world.positions);
    expect(twin.velocities).toEqual(world.velocities);
    const id = world.bodyAt(5)!;
    twin.removeBody(id);
    expect(world.isAlive(id)).toBe(true);
    const shape = twin.createShape({ type: 'sphere', radius: 1 });
    twin.createBody({ shape, position: [0, 40, 0] });
    twin.set({ solver: 'cell-split' });
    twin.step();
    expect(twin.bodyCount).toBe(world.bodyCount);
    expect(world.settings.solver).toBe('auto');
  });
});

describe('change of backend', () => {
  it('is refused where there is no GPU and changes nothing', async () => {
    const { world } = await restingWorld(createStudy);
    await expect(world.setBackend('webgpu')).rejects.toMatchObject({ code: 'gpu' } satisfies Partial<TalusError>);
    expect(world.activeBackend).toBe('wasm');
    world.step();
    await world.setBackend('wasm');
    world.set({ solver: 'pgs' });
    await expect(world.setBackend('webgpu')).rejects.toMatchObject({ code: 'unsupported' });
    await expect(world.setBackend('cuda' as never)).rejects.toMatchObject({ code: 'invalid-argument' });
  });
});
