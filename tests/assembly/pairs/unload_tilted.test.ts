// Loads that a pile on a slope loses, with much of them borne by friction in both directions, against sums from its top down.
import { expect, it } from 'vitest';
import { Header, Manifold } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { seeded } from '../../helpers/random';
import { add, cross, dot, scale, turned, unit } from '../../helpers/vectors';

type V = number[];
const masses = [0, 0.7, 1.1, 35];

/** Three boxes on a fixed one, turned as one, at rest under a gravity that is not along the normals. */
function pile(frame: V, gravity: V) {
  const world = new BoxWorld();
  for (const [k, name] of (['gravityX', 'gravityY', 'gravityZ'] as const).entries()) world.setF32(Header[name], gravity[k]!);
  const rotation = frame as [number, number, number, number];
  world.box(turned(frame, [0.4, -1, 0.2]), [3, 1, 4], { type: 0, rotation, friction: 0.9 });
  const halves = [
    [0.8, 0.2, 0.7],
    [0.6, 0.15, 0.5],
    [0.5, 0.2, 0.4],
  ];
  let y = 0;
  for (const [i, half] of halves.entries()) {
    const density = masses[i + 1]! / (8 * half[0]! * half[1]! * half[2]!);
    world.box(turned(frame, [0.02 * i, y + half[1]! - 0.001 * (i + 1), -0.03 * i]), half, { density, rotation, friction: 0.9 });
    y += 2 * half[1]! - 0.001;
  }
  world.step(60);
  return world;
}

/** Impulses of the contact of a body with the one below: of the points, of friction, and all of it on the upper body. */
function under(world: BoxWorld, upper: number) {
  for (let m = 0; m < world.u32(Header.manifoldCount); m++) {
    const at = world.core.readManifold(m) >>> 0;
    const words = new Uint32Array(world.memory.buffer, at, 12);
    const count = words[Manifold.count / 4]!;
    if (count === 0 || words[0] !== upper - 1 || words[1] !== upper) continue;
    const f = (offset: number, n: number) => Array.from(new Float32Array(world.memory.buffer, at + offset, n));
    const [n, t] = [f(Manifold.nx, 3), f(Manifold.tx, 3)];
    const points = Array.from({ length: count }, (_, i) => f(Manifold.impulse0 + 64 * i, 1)[0]!);
    const friction = f(Manifold.tangentImpulse1, 2);
    const normal = points.reduce((sum, p) => sum + p, 0);
    const onUpper = add(add(scale(n, normal), scale(t, friction[0]!)), scale(cross(n, t), friction[1]!));
    return { points, friction, onUpper, substeps: world.core.substepsOfManifold(m) as number };
  }
  throw new Error(`nothing under ${upper}`);
}

it('contacts keep the share of what still presses along the lost load, friction in both directions counted in', () => {
  const random = seeded(12);
  for (let round = 0; round < 5; round++) {
    const frame = unit([random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]);
    const gravity = turned(frame, [3 * (random() > 0.5 ? 1 : -1), -8, round % 2 ? 3.5 : -2.5]);
    const world = pile(frame, gravity);
    const before = [1, 2, 3].map((upper) => under(world, upper));
    for (const [i, { onUpper, substeps }] of before.entries()) {
      const weight = masses.slice(i + 1).reduce((sum, m) => sum + m, 0);
      for (let k = 0; k < 3; k++) expect((onUpper[k]! * 60 * substeps) / weight).toBeCloseTo(-gravity[k]!, 1);
    }
    let loss = scale(before[2]!.onUpper, -1);
    let above: V[] = [];
    world.core.removeBody(3);
    for (const upper of [2, 1]) {
      const { points, friction, onUpper, substeps } = before[upper - 1]!;
      const size = Math.hypot(...loss);
      const along = scale(loss, 1 / size);
      let rest = (Math.max(dot(along, gravity), 0) * masses[upper]!) / 60 / substeps;
      for (const load of above) rest += Math.max(dot(load, along), 0);
      const keep = rest / (rest + size);
      expect(keep).toBeLessThan(0.2);
      const after = under(world, upper);
      for (const [i, p] of [...points, ...friction].entries())
        expect(Math.abs([...after.points, ...after.friction][i]! - keep * p)).toBeLessThan(2e-5 * Math.abs(p) + 1e-6);
      above = [scale(onUpper, -keep)];
      loss = scale(onUpper, keep - 1);
    }
  }
});
