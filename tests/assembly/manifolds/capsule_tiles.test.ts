// A capsule across the seam of two tiles, tilted as a whole: the two ends of its line, each borne once, against their places.
import { expect, it } from 'vitest';
import { Header, Manifold, SHAPE_CAPSULE } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';
import { add, dot, multiply, norm, rotationOf, scale, sub, turned, unit } from '../../helpers/vectors';

type Q = [number, number, number, number];

it('a capsule that lies on two tiles has two points, wherever the seam is', () => {
  const random = seeded(31);
  for (let round = 0; round < 16; round++) {
    const frame = unit([random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]) as Q;
    const up = turned(frame, [0, 1, 0]);
    const world = new BoxWorld();
    const { core } = world;
    const q = multiply(multiply(frame, rotationOf([0, 6 * random(), 0])), rotationOf([Math.PI / 2, 0, 0]));
    const at = turned(frame, [0.4 * random() - 0.2, 0.249, 0.4 * random() - 0.2]);
    const shape = core.createShape(SHAPE_CAPSULE, 0.25, 0.4, 0, 0.65, 0, 0, -0.25, -0.65, -0.25, 0.25, 0.65, 0.25) >>> 0;
    const body = core.createBody(2, ...at, ...q) >>> 0;
    core.setMassProperties(body, 3, 0, 0, 0, 0.2, 0.1, 0.2, 0, 0, 0);
    core.createCollider(body, shape, 0, 0, 0, 0, 0, 0, 1, 0.6, 0, 0, 0, -1, -1, 0, 1000);
    for (const [x, wide] of [
      [-1, 1],
      [0.7, 0.7],
    ] as const)
      world.box(turned(frame, [x, -0.4, 0.1]), [wide, 0.4, 2], { type: 0, rotation: frame });
    expect(core.stepBroadphase()).toBe(0);
    expect(core.stepContacts()).toBe(0);
    const found: { n: number[]; separation: number; arm: number[] }[] = [];
    for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
      const record = core.readManifold(m) >>> 0;
      const f = (offset: number, n = 3) => Array.from(new Float32Array(world.memory.buffer, record + offset, n));
      for (let i = 0; i < new Uint32Array(world.memory.buffer, record + Manifold.count, 1)[0]!; i++)
        found.push({
          n: f(Manifold.nx),
          separation: f(Manifold.separation0 + 64 * i, 1)[0]!,
          arm: f(Manifold.rax0 + 64 * i),
        });
    }
    expect([round, found.length]).toEqual([round, 2]);
    for (const side of [-1, 1]) {
      const low = add(turned(q, [0, 0.4 * side, 0]), scale(up, -0.25));
      expect(Math.min(...found.map((p) => norm(sub(p.arm, low))))).toBeLessThan(1e-3);
    }
    for (const p of found) {
      expect(dot(p.n, up)).toBeLessThan(-0.99999);
      expect(p.separation).toBeCloseTo(-0.001, 4);
    }
  }
});
