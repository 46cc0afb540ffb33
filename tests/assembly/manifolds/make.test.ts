// Contacts as they are filled against closed forms: frames, limits, patches, separations; friction of rigs, carried spin, and lists of
// contacts that grow and shrink.
import { describe, expect, it } from 'vitest';
import { HEADER_PTR, Header, Manifold, NONE, PairCold, PairHot, SHAPE_CYLINDER } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { addJoint, ball, hinge } from '../../helpers/core_joints';
import type { CoreWorld } from '../../helpers/core_world';
import type { Vec3 } from '../../helpers/manifold_builder';
import { seeded } from '../../helpers/random';
import { add, cross, dot, multiply, norm, rotationOf, scale, sub, turned, unit } from '../../helpers/vectors';

type V = number[];
type Q = [number, number, number, number];

const walk = (world: BoxWorld) => {
  expect(world.core.stepBroadphase()).toBe(0);
  expect(world.core.stepContacts()).toBe(0);
};
/** Contacts that there are, by their bodies. */
function contactsOf(world: BoxWorld) {
  const view = new DataView(world.memory.buffer);
  const found: {
    index: number;
    bodies: number[];
    count: number;
    pair: number;
    f: (name: keyof typeof Manifold, n?: number) => V;
  }[] = [];
  for (let index = 0; index < world.u32(Header.manifoldCount); index++) {
    const at = world.core.readManifold(index) >>> 0;
    const copy = new Float32Array(world.memory.buffer.slice(at, at + Manifold.STRIDE));
    const count = view.getUint32(at + Manifold.count, true);
    if (count === 0) continue;
    const bodies = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    const pair = view.getUint32(at + Manifold.pair, true);
    found.push({
      index,
      bodies,
      count,
      pair,
      f: (name, n = 1) => Array.from(copy.subarray(Manifold[name] / 4, Manifold[name] / 4 + n)),
    });
  }
  return found;
}
const points = (contact: { count: number; f: (name: keyof typeof Manifold, n?: number) => V }, name: 'la' | 'lb' | 'ra' | 'rb') =>
  Array.from({ length: contact.count }, (_, i) => contact.f(`${name}x${i}` as keyof typeof Manifold, 3));

describe('a new contact', () => {
  it('has a unit tangent across its normal, whichever way that points', () => {
    const random = seeded(21);
    const world = new BoxWorld();
    const normals: V[] = [];
    for (let i = 0; i < 60; i++) {
      const n =
        i < 12
          ? unit([i % 2 ? 1 : -1, (random() - 0.5) * 0.02, (random() - 0.5) * 1.5])
          : unit([0, 1, 2].map(() => random() - 0.5));
      const at = [4 * i, 5, 0];
      world.sphere(at, 0.5);
      world.sphere(add(at, scale(n, 0.69)), 0.2);
      normals.push(n);
    }
    walk(world);
    const contacts = contactsOf(world);
    expect(contacts.length).toBe(60);
    for (const contact of contacts) {
      const [n, t] = [contact.f('nx', 3), contact.f('tx', 3)];
      expect(norm(sub(n, normals[contact.bodies[0]! / 2]!))).toBeLessThan(1e-4);
      expect(norm(t)).toBeCloseTo(1, 5);
      expect(dot(n, t)).toBeCloseTo(0, 5);
    }
  });

  it('is kept until the smallest of three ways: the setting, a twentieth of the smaller body, 4 thousandths of the radius', () => {
    const world = new BoxWorld();
    const settings = new DataView(world.memory.buffer).getFloat32(HEADER_PTR + Header.recycleDistance, true);
    world.box([0, -1, 0], [40, 1, 40], { type: 0 });
    const boxes = [0.01, 0.03, 0.1, 0.3, 0.9].map(
      (h, i) => [world.box([3 * i, h - 1e-4, 0], [h, h, 2 * h]), h * Math.sqrt(6)] as const,
    );
    const balls = [0.05, 0.3, 0.9].map((r, i) => [world.sphere([3 * i, r - 1e-4, 9], r), r] as const);
    const pairs = [0.1, 0.6].map((r, i) => {
      const below = world.sphere([4 * i, 20, 0], 0.4);
      return [below, world.sphere([4 * i, 20.4 + r - 1e-4, 0], r), 1 / (1 / 0.4 + 1 / r), Math.min(r, 0.4)] as const;
    });
    walk(world);
    const contacts = contactsOf(world);
    const limit = (bodies: number[]) => contacts.find((c) => bodies.every((b) => c.bodies.includes(b)))!.f('maxDrift')[0]!;
    for (const [body, extent] of boxes) expect(limit([0, body])).toBeCloseTo(Math.min(settings, 0.05 * extent), 7);
    for (const [body, r] of balls) expect(limit([0, body])).toBeCloseTo(Math.min(settings, 0.05 * r, 0.004 * r), 7);
    for (const [a, b, radius, extent] of pairs)
      expect(limit([a, b])).toBeCloseTo(Math.min(settings, 0.05 * extent, 0.004 * radius), 7);
    expect(boxes.some(([body]) => limit([0, body]) === Math.fround(settings))).toBe(true);
    expect(boxes.some(([body]) => limit([0, body]) < 0.9 * settings)).toBe(true);
  });

  it('has an arm of twist that is the mean distance of its points from their middle, and 5 mm at least', () => {
    const world = new BoxWorld();
    world.box([0, -1, 0], [40, 1, 40], { type: 0 });
    for (const [i, half] of [
      [0.3, 0.2, 0.5],
      [0.002, 0.01, 0.003],
      [0.9, 0.2, 0.01],
    ].entries())
      world.box([3 * i, half[1]! - 1e-4, 0.5], half);
    world.sphere([-3, 0.2999, 0], 0.3);
    walk(world);
    const contacts = contactsOf(world);
    expect(contacts.length).toBe(4);
    const radii: number[] = [];
    for (const contact of contacts) {
      const all = points(contact, 'la');
      const middle = scale(all.reduce(add), 1 / all.length);
      const spread = all.reduce((sum, p) => sum + norm(sub(p, middle)), 0) / all.length;
      expect(contact.f('patchRadius')[0]).toBeCloseTo(Math.max(spread, 0.005), 6);
      radii.push(spread);
    }
    expect(Math.min(...radii)).toBeLessThan(0.004);
    expect(Math.max(...radii)).toBeGreaterThan(0.5);
  });

  it('has exactly the separations that the narrow phase measured, and anchors that agree with them', () => {
    const random = seeded(5);
    for (let round = 0; round < 12; round++) {
      const world = new BoxWorld();
      const frame = unit([random() - 0.5, random(), random() - 0.5, random()]) as Q;
      world.box(turned(frame, [0, -1, 0]), [5, 1, 5], { type: 0, rotation: frame });
      const local = unit([0.02 * random(), random(), 0.01 * random(), random()]);
      const place = turned(frame, [random(), 0.305, random()]);
      if (round % 4 === 3) world.sphere(turned(frame, [random(), 0.29, random()]), 0.3);
      else world.box(place, [0.4, 0.3, 0.7], { rotation: multiply(frame, local) as Q });
      walk(world);
      const contact = contactsOf(world)[0]!;
      const [a, b] = round % 4 === 3 ? [1, 0] : [0, 1];
      expect(world.core.testRun(a, b, 0.02)).toBe(1);
      const out = world.core.testOutputs() >>> 0;
      const centers = contact.bodies.map((body) => world.position(body));
      const [n, ra, rb] = [contact.f('nx', 3), points(contact, 'ra'), points(contact, 'rb')];
      for (let i = 0; i < contact.count; i++) {
        const separation = contact.f(`separation${i}` as keyof typeof Manifold)[0]!;
        expect(separation).toBe(new Float32Array(world.memory.buffer, out + 44 + 16 * i, 1)[0]);
        const gap = sub(add(centers[1]!, rb[i]!), add(centers[0]!, ra[i]!));
        expect(Math.abs(dot(n, gap) - separation)).toBeLessThan(2e-6);
        expect(norm(sub(gap, scale(n, separation)))).toBeLessThan(2e-6);
      }
    }
  });
});

describe('friction', () => {
  it('of parts of a rig that are pressed into each other goes from all at a twentieth of the smaller one to none at a tenth', () => {
    const world = new BoxWorld();
    const a = world.box([0, 5, 0], [0.3, 0.5, 0.2]);
    const b = world.box([0.2, 6.2, 0], [0.7, 0.6, 0.9]);
    const other = world.box([9, 6, 0], [0.1, 0.1, 0.1]);
    world.box([20, 6, 0], [0.1, 0.1, 0.1]);
    addJoint(world as unknown as CoreWorld, { ...ball, bodyA: a, bodyB: b, anchorA: [0, 0.6, 0], anchorB: [-0.2, -0.6, 0] });
    addJoint(world as unknown as CoreWorld, { ...ball, bodyA: null, bodyB: other, anchorA: [9, 6, 0], anchorB: [0, 0, 0] });
    world.step(2);
    const block = world.core.allocate(1024) >>> 0;
    const view = new DataView(world.memory.buffer);
    const eased = (first: number, second: number, depths: V, stride: number) => {
      view.setFloat32(block + Manifold.friction, 0.8, true);
      view.setUint32(block + Manifold.count, depths.length, true);
      for (const [i, depth] of depths.entries()) view.setFloat32(block + 700 + stride * i, -depth, true);
      world.core.testEaseFriction(block, first, second, block + 700, stride);
      return view.getFloat32(block + Manifold.friction, true);
    };
    const extent = Math.hypot(0.3, 0.5, 0.2);
    for (const [share, left] of [
      [-1, 1],
      [0.02, 1],
      [0.049, 1],
      [0.06, 0.8],
      [0.075, 0.5],
      [0.095, 0.1],
      [0.11, 0],
      [2, 0],
    ] as const) {
      for (const [first, second] of [
        [a, b],
        [b, a],
      ] as const) {
        expect(eased(first, second, [share * extent], 16)).toBeCloseTo(0.8 * left, 5);
        // The deepest of several points counts.
        expect(eased(first, second, [-0.3, 0.01 * extent, share * extent], 12)).toBeCloseTo(0.8 * left, 5);
        expect(eased(first, second, [Math.max(share, 0) * extent, 0.01 * extent, -0.2], 20)).toBeCloseTo(0.8 * left, 5);
      }
      expect(eased(a, other, [share * extent], 16)).toBeCloseTo(0.8, 6);
      expect(eased(a, 3, [share * extent], 16)).toBeCloseTo(0.8, 6);
    }
  });

  it('follows a body that a motor turns on the world whichever way, one that turns freely only fast about the normal', () => {
    const w = [0.9, 0.2, -0.7];
    for (const [motor, spin, carried] of [
      [undefined, w, [0, 0, 0]],
      [undefined, [0.9, 1.5, -0.7], [0, 1.5, 0]],
      [2, w, w],
    ] as const) {
      const world = new BoxWorld();
      const body = world.box([0, 5, 0], [0.3, 0.5, 0.2]);
      const second = world.box([3, 5, 0], [0.3, 0.5, 0.2]);
      const axes = motor === undefined ? { 5: { friction: 0.1 } } : { 5: { motor } };
      const anchor: Vec3 = [0, 5, 0];
      addJoint(world as unknown as CoreWorld, { ...hinge, bodyA: null, bodyB: body, anchorA: anchor, anchorB: [0, 0, 0], axes });
      world.core.setVelocity(body, 0, 0, 0, ...spin);
      world.setU32(Header.anySurface, 0);
      const block = world.core.allocate(1024) >>> 0;
      const write = (name: keyof typeof Manifold, values: V) =>
        new Float32Array(world.memory.buffer, block + Manifold[name], values.length).set(values);
      new DataView(world.memory.buffer).setUint32(block + Manifold.count, 1, true);
      write('nx', [0, 1, 0]);
      write('tx', [1, 0, 0]);
      write('rax0', [0.2, 0.5, -0.1]);
      write('rbx0', [-0.3, -0.5, 0.1]);
      world.core.testSurface(block, body, second);
      const isCarried = norm(carried) > 0;
      expect(world.u32(Header.anySurface)).toBe(isCarried ? 1 : 0);
      if (!isCarried) continue;
      // The arm is turned to the middle of the step.
      const arm = turned(rotationOf(scale(carried, 1 / 120)), [0.2, 0.5, -0.1]);
      const rate = scale(cross(carried, cross(carried, arm)), -1);
      const u = cross([0, 1, 0], [1, 0, 0]);
      const view = new Float32Array(world.memory.buffer, block, Manifold.STRIDE / 4);
      expect(view[Manifold.surfaceRate1 / 4]).toBeCloseTo(rate[0]!, 4);
      expect(view[Manifold.surfaceRate2 / 4]).toBeCloseTo(dot(rate, u), 4);
    }
  });
});

describe('the list of the contacts of a pair', () => {
  const setup = () => {
    const world = new BoxWorld();
    const { core } = world;
    world.box([0, -1, 0], [5, 1, 5], { type: 0 });
    const [r, h] = [0.5, 0.2];
    const q = rotationOf([0.3, 0, 0.4]);
    const shape = core.createShape(SHAPE_CYLINDER, r, h, 0, Math.hypot(r, h), 0, 0, -r, -h, -r, r, h, r) >>> 0;
    const body = core.createBody(2, 0.3, r * Math.sin(0.5) + h * Math.cos(0.5) - 0.001, 0.2, ...q) >>> 0;
    core.setMassProperties(body, 3, 0, 0, 0, 0.2, 0.1, 0.2, 0, 0, 0);
    core.createCollider(body, shape, 0, 0, 0, 0, 0, 0, 1, 0.6, 0, 0, 0, -1, -1, 0, 1000);
    const roll = (speed: number) => core.setVelocity(body, 0, 0, 0, ...scale(turned(q, [0, 1, 0]), speed));
    const chain = () => {
      const view = new DataView(world.memory.buffer);
      const list: number[] = [];
      let index = view.getUint32(world.u32(Header.pairColds) + PairCold.manifold, true);
      for (; index !== NONE; index = view.getUint32((core.manifoldAt(index) >>> 0) + Manifold.next, true)) list.push(index);
      return list;
    };
    const again = () => {
      new DataView(world.memory.buffer).setFloat64(world.u32(Header.pairHots) + PairHot.budget, -1, true);
      core.testForbidRecycling(0);
      walk(world);
    };
    return { world, roll, chain, again };
  };

  it('grows where a cylinder begins to roll on its rim, and shrinks where it stops', () => {
    const { world, roll, chain, again } = setup();
    roll(0);
    walk(world);
    expect(chain().length).toBe(1);
    for (const speed of [10, 0, -9, 8, 0]) {
      roll(speed);
      again();
      const contacts = contactsOf(world);
      const counts = chain().map((index) => contacts.find((c) => c.index === index)!.count);
      expect(counts.length).toBe(speed === 0 ? 1 : 2);
      if (speed !== 0) expect(counts[0]).toBe(1);
      expect(counts.at(-1)).toBeGreaterThan(1);
      expect(contacts.length).toBe(counts.length);
      expect(world.u32(Header.manifoldAlive)).toBe(counts.length);
      expect(world.u32(Header.contactCount)).toBe(counts.reduce((a, b) => a + b));
    }
  });
});

describe('beside a fixed collider', () => {
  it('a point counts as on the neighbor within a hundredth of the body, from half a millimeter up to five', () => {
    const world = new BoxWorld();
    world.box([0, -1, 0], [40, 1, 40], { type: 0 });
    const sizes = [0.02, 0.1, 0.2, 0.4, 0.6, 2];
    for (const [i, h] of sizes.entries()) world.box([6 * i, h - 1e-4, 0], [h, h, 0.7 * h]);
    walk(world);
    const block = world.core.allocate(64) >>> 0;
    const found = contactsOf(world).map(
      ({ pair, bodies }) => [bodies[1]!, world.core.testNeighborhood(pair, block) as number] as const,
    );
    expect(found.length).toBe(sizes.length);
    for (const [body, near] of found) {
      const extent = sizes[body - 1]! * Math.sqrt(2.49);
      expect(near).toBeCloseTo(Math.min(Math.max(0.01 * extent, 5e-4), 5e-3), 8);
    }
  });

  it('a body is where its shape and its center of mass are, from the middle of that collider', () => {
    const random = seeded(3);
    const some = (k: number) => [0, 1, 2].map(() => k * (2 * random() - 1));
    for (let round = 0; round < 8; round++) {
      const world = new BoxWorld();
      const { core } = world;
      const q = unit([...some(1), 1]) as Q;
      world.box([0.3, -1.2, 0.4], [9, 1, 9], { type: 0, rotation: [0, 0, 0, 1] });
      const offset = round % 2 ? some(0.2) : [0, 0, 0];
      const com = round % 4 > 1 ? some(0.1) : [0, 0, 0];
      const turn = round % 2 ? (unit([...some(1), 1]) as Q) : ([0, 0, 0, 1] as Q);
      const shape = core.createShape(2, 0.3, 0.4, 0.5, Math.hypot(0.3, 0.4, 0.5), 0, 0, -0.3, -0.4, -0.5, 0.3, 0.4, 0.5) >>> 0;
      const body = core.createBody(2, 0.2, 0.1, -0.3, ...q) >>> 0;
      core.setMassProperties(body, 3, ...com, 0.2, 0.1, 0.2, 0, 0, 0);
      core.createCollider(body, shape, ...offset, ...turn, 0.6, 0, 0, 0, -1, -1, 0, 1000);
      walk(world);
      const [contact] = contactsOf(world);
      expect(contact).toBeDefined();
      const [a, b] = contact!.bodies;
      core.testRun(a, b, 0.02);
      const block = core.allocate(64) >>> 0;
      core.testNeighborhood(contact!.pair, block);
      const f = Array.from(new Float32Array(world.memory.buffer, block, 8));
      const origin = add([0.2, 0.1, -0.3], turned(q, offset));
      const center = add([0.2, 0.1, -0.3], turned(q, com));
      for (let k = 0; k < 3; k++) {
        expect(f[k]!).toBeCloseTo(origin[k]! - [0.3, -1.2, 0.4][k]!, 5);
        expect(f[4 + k]!).toBeCloseTo(center[k]! - [0.3, -1.2, 0.4][k]!, 5);
      }
    }
  });
});
