// Fast bodies with colliders that are not enabled: these have no leaf in the tree of moving boxes, so none is widened for them
// (assembly/ccd/against_moving.ts).
import { expect, test } from 'vitest';
import { type BodyId, type ColliderDesc, createWorld, type World } from '../../src/index';
import { HEADER_PTR, Header } from '../../src/layout.generated';
import { position, spin, velocity } from '../helpers/ground';

// Address of the nodes of the tree of moving bodies: BroadphaseState.moving, Tree.nodes (assembly/broadphase/state.ts).
const NODES = 12;
const NODE_BYTES = 96;

/** What lies before the nodes: a leaf NONE would be written there. */
function beforeNodes(world: World): number[] {
  const { u32 } = (world as unknown as { memory: { u32: Uint32Array } }).memory;
  const tree = u32[u32[(HEADER_PTR + Header.broadphase) >>> 2]! >>> 2]!;
  const nodes = u32[(tree + NODES) >>> 2]!;
  return Array.from(u32.subarray((nodes - NODE_BYTES) >>> 2, nodes >>> 2));
}

/** Balls that fly through each other at 100 m/s, with a second ball in each as `more` says. */
async function volley(more: Partial<ColliderDesc> | null): Promise<{ world: World; balls: BodyId[] }> {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const shape = world.createShape({ type: 'sphere', radius: 0.1 });
  const colliders = [{ shape }, ...(more === null ? [] : [{ shape, density: 0, ...more }])];
  const balls: BodyId[] = [];
  for (let i = 0; i < 24; i++) {
    const side = i % 2 === 0 ? 1 : -1;
    balls.push(
      world.createBody({
        colliders,
        position: [side * (2 + 0.1 * i), 0.02 * i, 0.3 * (i % 5)],
        linearVelocity: [-side * 100, 0, 0],
        bullet: i % 3 === 0,
      }),
    );
  }
  return { world, balls };
}

test('they fly, meet and stop as if those colliders were not there, and nothing else is written', async () => {
  const plain = await volley(null);
  const off = await volley({ enabled: false });
  let met = false;
  for (let i = 0; i < 12; i++) {
    const before = beforeNodes(off.world);
    plain.world.step();
    off.world.step();
    // The first step builds the trees.
    if (i > 0) expect(beforeNodes(off.world)).toEqual(before);
    for (const [k, id] of off.balls.entries()) {
      const of = (world: World, ball: BodyId) => [...position(world, ball), ...velocity(world, ball), ...spin(world, ball)];
      expect(of(off.world, id)).toEqual(of(plain.world, plain.balls[k]!));
      met ||= Math.abs(velocity(off.world, id)[0]) < 99;
    }
  }
  expect(met).toBe(true);
  expect(off.world.faults).toMatchObject({ notFinite: false, stopped: 0 });
});

test('switched on in flight they take part, switched off again they do not', async () => {
  const { world, balls } = await volley({ enabled: false });
  for (let i = 0; i < 12; i++) {
    for (const id of balls) {
      for (const collider of world.collidersOf(id)) {
        if (world.getCollider(collider).density === 0) world.setCollider(collider, { enabled: i % 3 === 1 });
      }
    }
    world.step();
    // The trees find each enabled collider where it is.
    const list: number[] = [];
    const found = world.overlapBounds([-1e3, -1e3, -1e3], [1e3, 1e3, 1e3], {}, list as never);
    expect(found).toBe(balls.length * (i % 3 === 1 ? 2 : 1));
  }
  expect(world.faults).toMatchObject({ notFinite: false, stopped: 0 });
});
