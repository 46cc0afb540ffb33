// Measures of the state against sums in double precision over bodies and contacts, and the hash against changes of single fields.
import { describe, expect, it } from 'vitest';
import {
  BodyCenter,
  BodyCold,
  BodyInertia,
  BodyRow,
  Collider,
  HEADER_PTR,
  Header,
  Manifold,
  MeasureResult,
} from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';
import { cross, dot, sub, turnedBack } from '../../helpers/vectors';

type V = number[];
const floats = (world: BoxWorld, at: number, n: number) => Array.from(new Float32Array(world.memory.buffer, at, n));
const row = (world: BoxWorld, field: keyof typeof Header, stride: number, i: number, n = stride / 4) =>
  floats(world, world.u32(Header[field]) + stride * i, n);
/** v . (M v), M as xx yy zz xy xz yz. */
const quadratic = (m: V, [x, y, z]: V) =>
  m[0]! * x! * x! + m[1]! * y! * y! + m[2]! * z! * z! + 2 * (m[3]! * x! * y! + m[4]! * x! * z! + m[5]! * y! * z!);

function measure(world: BoxWorld): (field: keyof typeof MeasureResult) => number {
  const at = world.core.measure() >>> 0;
  const view = new DataView(world.memory.buffer);
  return (field) => {
    if (field === 'kineticEnergy') return view.getFloat64(at, true);
    return field.endsWith('Count')
      ? view.getUint32(at + MeasureResult[field], true)
      : view.getFloat32(at + MeasureResult[field], true);
  };
}

/** Eight bodies of all types in no order, with full inertias and unlike velocities; one of them is gone. */
function bodies(seed: number) {
  const world = new BoxWorld();
  const random = seeded(seed);
  const some = (n: number, k = 1) => Array.from({ length: n }, () => k * (2 * random() - 1));
  const list = Array.from({ length: 8 }, (_, i) => {
    const type = i === 2 ? 0 : i === 5 ? 1 : 2;
    const q = some(4);
    const body = world.core.createBody(type, ...some(3, 10), ...q) >>> 0;
    const mass = 0.5 + 3 * random();
    const inertia = [2 + random(), 2.5 + random(), 3 + random(), ...some(3, 0.5)];
    world.core.setMassProperties(body, mass, 0, 0, 0, ...inertia);
    const [v, w] = [some(3, 5), some(3, 2)];
    if (type !== 0) world.core.setVelocity(body, ...v, ...w);
    return { type, q, mass, inertia, v, w, body };
  });
  world.core.removeBody(3);
  return { world, moving: list.filter((b) => b.type === 2 && b.body !== 3) };
}

describe('speeds and energies', () => {
  it('are those of the dynamic bodies that are there', () => {
    for (const seed of [3, 4]) {
      const { world, moving } = bodies(seed);
      const get = measure(world);
      let [energy, speeds, spins] = [0, 0, 0];
      for (const b of moving) {
        energy += 0.5 * (b.mass * dot(b.v, b.v) + quadratic(b.inertia, turnedBack(b.q, b.w)));
        speeds += dot(b.v, b.v);
        spins += dot(b.w, b.w);
      }
      expect(get('dynamicCount')).toBe(5);
      expect(moving.length).toBe(5);
      expect(get('kineticEnergy') / energy).toBeCloseTo(1, 5);
      expect(get('rmsSpeed')).toBeCloseTo(Math.sqrt(speeds / 5), 4);
      expect(get('rmsSpin')).toBeCloseTo(Math.sqrt(spins / 5), 4);
      expect(get('maxSpeed')).toBeCloseTo(Math.max(...moving.map((b) => Math.hypot(...b.v))), 4);
      expect(get('maxSpin')).toBeCloseTo(Math.max(...moving.map((b) => Math.hypot(...b.w))), 4);
    }
  });

  it('are 0 in a world without dynamic bodies', () => {
    const world = new BoxWorld();
    world.box([0, 0, 0], [1, 2, 3], { type: 0 });
    const get = measure(world);
    for (const field of ['dynamicCount', 'contactCount', 'manifoldCount', 'touchingCount'] as const) expect(get(field)).toBe(0);
    for (const field of ['kineticEnergy', 'rmsSpeed', 'rmsSpin', 'maxSpeed', 'penetrationMean'] as const)
      expect(get(field)).toBe(0);
    for (const field of ['penetrationP99', 'penetrationMax', 'residualRms', 'residualMax'] as const) expect(get(field)).toBe(0);
  });
});

describe('contacts', () => {
  /** A heap of boxes and balls of unlike sizes after some steps, with velocities changed at random; or with impulses far too large. */
  const heap = (count: number, steps: number) => {
    const world = new BoxWorld();
    const random = seeded(count);
    world.box([0.3, -1, -0.2], [6, 1, 5], { type: 0 });
    for (let i = 0; i < count; i++) {
      const spread = count > 40 ? 4 : 1;
      const at = [spread * (1.5 * random() - 0.7), 0.3 + (0.32 * i) / spread ** 2, spread * (1.4 * random() - 0.8)];
      const density = 300 + 2000 * random();
      const q: [number, number, number, number] = [random(), random() - 0.5, random() - 0.5, 1];
      if (i % 3) world.box(at, [0.2 + 0.2 * random(), 0.15 + 0.2 * random(), 0.25], { density, rotation: q });
      else world.sphere(at, 0.2 + 0.15 * random(), { density });
    }
    world.step(steps);
    for (let i = 1; i <= count; i++) {
      const old = [...world.linearVelocity(i), ...world.angularVelocity(i)];
      world.core.setVelocity(i, ...old.map((v) => v + 0.3 * (random() - 0.5)));
    }
    return world;
  };

  it('are counted, and their depths and residuals are those of a plain walk over the points', () => {
    let touched = 0;
    for (const [count, steps] of [
      [3, 20],
      [12, 60],
      [70, 50],
    ] as const) {
      const world = heap(count, steps);
      const get = measure(world);
      const [depths, residuals]: [number[], number[]] = [[], []];
      let manifolds = 0;
      for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
        const at = world.core.readManifold(m) >>> 0;
        const words = new Uint32Array(world.memory.buffer, at, Manifold.STRIDE / 4);
        const points = words[Manifold.count / 4]!;
        if (points === 0) continue;
        manifolds++;
        const [a, b] = [words[0]!, words[1]!];
        const [ra, rb] = [a, b].map((i) => row(world, 'bodyRows', BodyRow.STRIDE, i));
        const [ia, ib] = [a, b].map((i) => row(world, 'bodyInertias', BodyInertia.STRIDE, i));
        const inertia = (i: V) =>
          (['xx', 'yy', 'zz', 'xy', 'xz', 'yz'] as const).map((name) => i[BodyInertia[name as keyof typeof BodyInertia] / 4]!);
        const n = floats(world, at + Manifold.nx, 3);
        const substepRate = (60 * world.core.substepsOfManifold(m)) as number;
        for (let k = 0; k < points; k++) {
          const [armA, armB] = [floats(world, at + Manifold.rax0 + 64 * k, 3), floats(world, at + Manifold.rbx0 + 64 * k, 3)];
          const separation = floats(world, at + Manifold.separation0 + 64 * k, 1)[0]!;
          const impulse = floats(world, at + Manifold.impulse0 + 64 * k, 1)[0]!;
          const [an, bn] = [cross(armA, n), cross(armB, n)];
          const k1 = ra![3]! + rb![3]! + quadratic(inertia(ia!), an) + quadratic(inertia(ib!), bn);
          const u = dot(n, sub(rb!.slice(0, 3), ra!.slice(0, 3))) + dot(bn, rb!.slice(4, 7)) - dot(an, ra!.slice(4, 7));
          residuals.push(Math.abs(Math.min(k1 * impulse, u + Math.max(separation, 0) * substepRate)));
          if (separation < 0 || impulse > 0) depths.push(Math.max(-separation, 0));
        }
      }
      depths.sort((x, y) => x - y);
      touched = Math.max(touched, depths.length);
      expect([get('manifoldCount'), get('contactCount'), get('touchingCount')]).toEqual([
        manifolds,
        residuals.length,
        depths.length,
      ]);
      expect(get('penetrationMax')).toBe(depths.at(-1));
      expect(get('penetrationMean')).toBeCloseTo(depths.reduce((sum, d) => sum + d, 0) / depths.length, 7);
      expect(get('penetrationP99')).toBe(depths[Math.ceil(0.99 * depths.length) - 1]);
      const most = Math.max(...residuals);
      expect(get('residualMax') / most).toBeCloseTo(1, 3);
      const rms = Math.sqrt(residuals.reduce((sum, r) => sum + r * r, 0) / residuals.length);
      expect(get('residualRms') / rms).toBeCloseTo(1, 3);
    }
    expect(touched).toBeGreaterThan(100);
  });
});

describe('the hash', () => {
  const settled = () => {
    const world = new BoxWorld();
    world.box([0.3, -1, -0.2], [6, 1, 5], { type: 0 });
    world.box([0.1, 0.7, 0.2], [0.2, 0.3, 0.4], { rotation: [0.1, 0.2, 0.3, 1] });
    world.sphere([0.4, 1.2, 0.3], 0.3, { rotation: [-0.2, 0.3, 0.1, 1] });
    world.core.setVelocity(1, 0.3, -0.2, 0.5, 1, 2, -1);
    world.core.setVelocity(2, -0.1, 0.4, 0.2, -2, 1, 3);
    world.core.removeBody(world.box([3, 4, 5], [0.2, 0.1, 0.3]));
    world.box([-2, 0.5, 1], [0.5, 0.3, 0.4]);
    world.box([4, 8, 1], [0.5, 0.3, 0.4]);
    world.core.removeBody(3);
    world.step(4);
    return world;
  };
  const flip = (world: BoxWorld, at: number, bit: number) => {
    const view = new DataView(world.memory.buffer);
    const old = view.getUint32(at, true);
    view.setUint32(at, (old ^ (1 << bit)) >>> 0, true);
    return () => view.setUint32(at, old, true);
  };
  const changed = (world: BoxWorld, at: number, bit: number) => {
    const before = world.core.hashState();
    const undo = flip(world, at, bit);
    const after = world.core.hashState();
    undo();
    expect(world.core.hashState()).toBe(before);
    return after !== before;
  };

  it('is a whole number of 53 bits, and the same for the same history', () => {
    const [one, two] = [settled(), settled()];
    const hash = one.core.hashState();
    expect(Number.isSafeInteger(hash) && hash >= 0).toBe(true);
    expect(two.core.hashState()).toBe(hash);
    one.step();
    expect(one.core.hashState()).not.toBe(hash);
    two.step();
    expect(two.core.hashState()).toBe(one.core.hashState());
  });

  it('feels every bit of the pose, the velocity and the forces of every body, its type, sleep and number of colliders', () => {
    const world = settled();
    for (const body of [0, 1, 2, 4]) {
      const at = (array: keyof typeof Header, stride: number) => world.u32(Header[array]) + stride * body;
      const fields: number[] = [];
      const rows = at('bodyRows', BodyRow.STRIDE);
      for (const k of [BodyRow.vx, BodyRow.vy, BodyRow.vz, BodyRow.wx, BodyRow.wy, BodyRow.wz]) fields.push(rows + k);
      const centers = at('bodyCenters', BodyCenter.STRIDE);
      for (const k of [BodyCenter.x, BodyCenter.y, BodyCenter.z, BodyCenter.lx, BodyCenter.ly, BodyCenter.lz])
        fields.push(centers + k);
      for (let k = 0; k < 4; k++) fields.push(at('rotations', 16) + 4 * k);
      const cold = at('bodyColds', BodyCold.STRIDE);
      for (const k of [BodyCold.fx, BodyCold.fy, BodyCold.fz, BodyCold.tx, BodyCold.ty, BodyCold.tz]) fields.push(cold + k);
      fields.push(cold + BodyCold.colliderCount);
      for (const field of fields)
        for (const bit of [0, 9, 22, 31]) expect([body, field, changed(world, field, bit)]).toEqual([body, field, true]);
      // Its type.
      expect(changed(world, cold + BodyCold.flags, 0)).toBe(true);
      expect(changed(world, cold + BodyCold.flags, 1)).toBe(true);
    }
  });

  it('feels steps, counts, the time step and gravity of the world', () => {
    const world = settled();
    for (const field of ['stepCount', 'bodyAlive', 'jointAlive', 'manifoldAlive', 'sleepingCount', 'pairCount', 'dt'] as const)
      expect([field, changed(world, HEADER_PTR + Header[field], 5)]).toEqual([field, true]);
    for (const field of ['gravityX', 'gravityY', 'gravityZ'] as const)
      for (const bit of [0, 23, 31]) expect([field, changed(world, HEADER_PTR + Header[field], bit)]).toEqual([field, true]);
  });

  it('does not feel free slots, generations, places of colliders, or limits', () => {
    const world = settled();
    const none: number[] = [];
    const of = (array: keyof typeof Header, stride: number, body: number, offsets: number[]) => {
      for (const k of offsets) none.push(world.u32(Header[array]) + stride * body + k);
    };
    // Body 3 is gone: nothing of it counts.
    of('bodyRows', BodyRow.STRIDE, 3, [BodyRow.vx, BodyRow.wy]);
    of('bodyCenters', BodyCenter.STRIDE, 3, [BodyCenter.x, BodyCenter.lz]);
    of('rotations', 16, 3, [0, 12]);
    of('bodyColds', BodyCold.STRIDE, 3, [BodyCold.fx, BodyCold.tz, BodyCold.colliderCount]);
    for (const body of [1, 4]) {
      of('bodyRows', BodyRow.STRIDE, body, [BodyRow.pad0, BodyRow.svx, BodyRow.swz]);
      of('bodyCenters', BodyCenter.STRIDE, body, [BodyCenter.pad1]);
      const others = ['generation', 'firstCollider', 'comX', 'mass', 'ixx', 'inner', 'maxLinearSpeed', 'linearDamping'] as const;
      of(
        'bodyColds',
        BodyCold.STRIDE,
        body,
        others.map((name) => BodyCold[name]),
      );
      of('colliders', Collider.STRIDE, body, [Collider.friction, Collider.x, Collider.next]);
    }
    for (const at of none) for (const bit of [0, 12]) expect([at, changed(world, at, bit)]).toEqual([at, false]);
    expect(changed(world, HEADER_PTR + Header.colliderFree, 3)).toBe(false);
  });

  it('is another where two bodies or two axes are exchanged', () => {
    const world = settled();
    const before = world.core.hashState();
    for (const [array, stride] of [
      ['bodyRows', BodyRow.STRIDE],
      ['bodyCenters', BodyCenter.STRIDE],
      ['rotations', 16],
    ] as const) {
      const words = new Uint32Array(world.memory.buffer, world.u32(Header[array]), (5 * stride) / 4);
      const swap = (a: number, b: number) => {
        const old = words[a]!;
        words[a] = words[b]!;
        words[b] = old;
      };
      const [one, two] = [stride / 4, stride / 2];
      for (let k = 0; k < 4; k++) swap(one + k, two + k);
      expect(world.core.hashState()).not.toBe(before);
      for (let k = 0; k < 4; k++) swap(one + k, two + k);
      swap(one, one + 1);
      expect(world.core.hashState()).not.toBe(before);
      swap(one, one + 1);
      expect(world.core.hashState()).toBe(before);
    }
  });
});
