// Colliders that are open to one side against normals and depths in closed form; a walk without memory, and that it goes on.
import { describe, expect, it } from 'vitest';
import { ERROR_OUT_OF_MEMORY, HEADER_PTR, Header, Manifold } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';
import { add, dot, norm, scale, sub, turned, unit } from '../../helpers/vectors';

type V = number[];
type Q = [number, number, number, number];

const walk = (world: BoxWorld) => {
  expect(world.core.stepBroadphase()).toBe(0);
  expect(world.core.stepContacts()).toBe(0);
};
/** Whether bodies 0 and 1 have contacts. */
const isBorne = (world: BoxWorld) => {
  walk(world);
  const view = new DataView(world.memory.buffer);
  for (let m = 0; m < world.u32(Header.manifoldCount); m++)
    if (view.getUint32((world.core.manifoldAt(m) >>> 0) + Manifold.count, true) > 0) return true;
  return false;
};

describe('a collider that is open to one side', () => {
  const half = [0.6, 0.4, 0.5];
  const random = seeded(44);
  const some = (k: number) => [0, 1, 2].map(() => k * (2 * random() - 1));

  it('bears a ball that meets its front, within 60 degrees and no deeper than a centimeter; others pass', () => {
    let [borne, passed] = [0, 0];
    for (let round = 0; round < 100; round++) {
      const world = new BoxWorld();
      world.setF32(Header.gravityY, 0);
      const q = unit([...some(1), 1]) as Q;
      world.box([0.1, 0.2, 0.3], half, { type: 0, rotation: q });
      const open = unit(some(1));
      world.core.setPassage(0, ...open, 0, 0);
      // Near the surface: a direction from a place on it.
      const place = half.map((h) => h * (2 * random() - 1));
      const axis = round % 3;
      place[axis] = half[axis]! * Math.sign(random() - 0.5);
      if (round % 2) place[(axis + 1) % 3] = half[(axis + 1) % 3]! * Math.sign(random() - 0.5);
      const depth = [0.002, 0.0085, 0.012][round % 3]!;
      const out = unit(place.map((v, k) => (Math.abs(v) === half[k]! ? Math.sign(v) * (0.2 + random()) : 0)));
      const center = add(place, scale(out, 0.25 - depth));
      const near = center.map((v, k) => Math.max(-half[k]!, Math.min(half[k]!, v)));
      const n = unit(sub(center, near));
      expect(norm(sub(center, near))).toBeCloseTo(0.25 - depth, 6);
      const cosine = dot(n, open);
      if (Math.abs(cosine - 0.5) < 1e-3) continue;
      world.sphere(add([0.1, 0.2, 0.3], turned(q, center)), 0.25);
      const bears = cosine > 0.5 && depth < 0.01;
      expect([round, isBorne(world)]).toEqual([round, bears]);
      if (bears) borne++;
      else passed++;
    }
    expect(Math.min(borne, passed)).toBeGreaterThan(10);
  });

  it('and a box likewise, of which it is the first collider; what it bears it goes on to bear, however deep', () => {
    for (let face = 0; face < 6; face++) {
      for (const [cosine, depth] of [
        [0.55, 0.004],
        [0.45, 0.004],
        [0.99, 0.0095],
        [0.99, 0.0105],
        [-0.9, 0.004],
      ] as const) {
        const world = new BoxWorld();
        world.setF32(Header.gravityY, 0);
        const q = unit([...some(1), 1]) as Q;
        world.box([0.1, 0.2, 0.3], half, { type: 0, rotation: q });
        const n = [0, 1, 2].map((k) => (k === face % 3 ? (face > 2 ? -1 : 1) : 0));
        const sine = Math.sqrt(1 - cosine * cosine);
        const open = n.map((v, k) => v * cosine + (k === (face + 1) % 3 ? sine * 0.6 : k === (face + 2) % 3 ? -sine * 0.8 : 0));
        world.core.setPassage(0, ...open, 0, 0);
        const at = (d: number) => add([0.1, 0.2, 0.3], turned(q, scale(n, half[face % 3]! + 0.2 - d)));
        const body = world.box(at(depth), [0.2, 0.2, 0.2], { rotation: q });
        const bears = cosine > 0.5 && depth < 0.01;
        expect([face, cosine, depth, isBorne(world)]).toEqual([face, cosine, depth, bears]);
        world.core.setPose(body, ...at(0.03), ...q);
        expect([face, cosine, depth, isBorne(world)]).toEqual([face, cosine, depth, bears]);
      }
    }
  });
});

it('a walk that finds no memory for a contact says so, and looks at the pair again in the next step', () => {
  const { Memory } = WebAssembly;
  const pages = 64;
  Object.assign(WebAssembly, {
    Memory: function memory({ initial }: { initial: number }) {
      return new Memory({ initial, maximum: pages });
    },
  });
  try {
    const world = new BoxWorld();
    world.setF32(Header.gravityY, 0);
    const count = 80;
    const place = (i: number, gap: number): V => [0.9 * Math.floor(i / 2) + (i % 2 ? 0.4 + gap : 0), 5, 0];
    for (let i = 0; i < count; i++) world.sphere(place(i, 0.03), 0.2);
    for (let i = 0; i < 12; i++) world.sphere([0.9 * i, 9 + 0.3 * (i % 2), 0], 0.5);
    world.step(3);
    expect(world.u32(Header.manifoldAlive)).toBeLessThan(32);
    for (let i = 1; i < count; i += 2) world.core.setPose(i, ...place(i, -0.002), 0, 0, 0, 1);
    expect(world.core.stepBroadphase()).toBe(0);
    const taken: [number, number][] = [];
    for (let bytes = 1 << 20; bytes >= 64; bytes /= 2) {
      for (;;) {
        const at = world.core.allocate(bytes) >>> 0;
        if (at === 0) break;
        taken.push([at, bytes]);
      }
    }
    new DataView(world.memory.buffer).setUint32(HEADER_PTR + Header.error, 0, true);
    expect(world.core.stepContacts() & ERROR_OUT_OF_MEMORY).toBe(ERROR_OUT_OF_MEMORY);
    const before = world.u32(Header.manifoldAlive);
    expect(before).toBeLessThan(count / 2);
    for (const [at, bytes] of taken) world.core.release(at, bytes);
    world.step();
    expect(world.u32(Header.manifoldAlive)).toBeGreaterThanOrEqual(count / 2);
  } finally {
    Object.assign(WebAssembly, { Memory });
  }
});
