// Materials, poses and shapes of pairs against closed forms in double precision.
import { describe, expect, it } from 'vitest';
import {
  HEADER_PTR,
  Header,
  Manifold,
  RULE_FRICTION,
  RULE_RESTITUTION,
  RULE_ROLLING,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
} from '../../../src/layout.generated';
import { loadCore } from '../../helpers/core';
import { columnsOf, seeded } from '../../helpers/random';
import { add, cross, dot, sub, turned, turnedBack, unit } from '../../helpers/vectors';

type V = number[];
const close = (actual: V, expected: V, tolerance = 1e-5) => {
  for (const [i, v] of expected.entries()) expect(Math.abs(actual[i]! - v)).toBeLessThan(tolerance);
};

function fresh() {
  const { core, memory } = loadCore();
  const shape = (type: number, p: V) => core.createShape(type, ...p, Math.hypot(...p), 0, 0, ...p.map((v) => -v), ...p) >>> 0;
  const collider = (
    type: number,
    p: V,
    material: V = [0.6, 0, 0, 0],
    local: V = [0, 0, 0, 0, 0, 0, 1],
    q: V = [0, 0, 0, 1],
    com: V = [0, 0, 0],
    kind = 2,
  ) => {
    const body = core.createBody(kind, 0.2, 0.7, -0.4, ...q) >>> 0;
    core.setMassProperties(body, 2, ...com, 0.3, 0.4, 0.5, 0, 0, 0);
    const index = core.createCollider(body, shape(type, p), ...local, ...material, -1, -1, 0, 1000) >>> 0;
    return { body, index };
  };
  const block = core.allocate(2048) >>> 0;
  return {
    core,
    shape,
    collider,
    block,
    view: () => new DataView(memory.buffer),
    floats: (at: number, n: number) => Array.from(new Float32Array(memory.buffer, at, n)),
    write: (at: number, values: V) => new Float32Array(memory.buffer, at, values.length).set(values),
    field: (name: keyof typeof Manifold) => new DataView(memory.buffer).getFloat32(block + Manifold[name], true),
    header: (name: keyof typeof Header) => new DataView(memory.buffer).getUint32(HEADER_PTR + Header[name], true),
  };
}

/** Average, product, least, most, geometric mean. */
const rules = [
  (a: number, b: number) => (a + b) / 2,
  (a: number, b: number) => a * b,
  (a: number, b: number) => Math.min(a, b),
  (a: number, b: number) => Math.max(a, b),
  (a: number, b: number) => Math.sqrt(a * b),
];

describe('the material of a pair', () => {
  it('is combined by the higher of the rules of its colliders, one rule for each property', () => {
    const world = fresh();
    const { core } = world;
    const [fa, fb, ea, eb, ra, rb] = [0.45, 0.8, 0.7, 0.15, 0.05, 0.012];
    const [radiusA, radiusB] = [0.3, 0.17];
    for (let f = 0; f < 5; f++) {
      for (let e = 0; e < 5; e++) {
        const r = (2 * f + e) % 5;
        const [low, high] = [f > 0 ? f - 1 : 0, e > 1 ? e - 2 : 0];
        const a = world.collider(SHAPE_SPHERE, [radiusA, 0, 0], [fa, ea, ra, f | (high << 8) | (r << 16)]);
        const b = world.collider(SHAPE_CAPSULE, [radiusB, 0.6, 0], [fb, eb, rb, low | (e << 8) | (0 << 16)]);
        for (const [first, second] of [
          [a, b],
          [b, a],
        ]) {
          core.testMaterial(world.block, first!.index, second!.index);
          const friction = rules[f]!(fa, fb);
          close([world.field('friction')], [friction]);
          close([world.field('restitution')], [rules[e]!(ea, eb)]);
          close([world.field('rollArm')], [Math.min(rules[r]!(ra, rb), friction) / (1 / radiusA + 1 / radiusB)], 1e-6);
        }
      }
    }
  });

  it('has no arm of rolling on flat shapes, that of the round one beside a flat one, and no more than friction passes on', () => {
    const world = fresh();
    const { core } = world;
    const resting = [0.2, 0, 0.3, 0];
    const boxes = [world.collider(SHAPE_BOX, [0.2, 0.3, 0.4], resting), world.collider(SHAPE_BOX, [0.5, 0.1, 0.7], resting)];
    core.testMaterial(world.block, boxes[0]!.index, boxes[1]!.index);
    expect(world.field('rollArm')).toBe(0);
    expect(world.header('anyRolling')).toBe(0);
    for (const [type, p] of [
      [SHAPE_SPHERE, [0.25, 0, 0]],
      [SHAPE_CAPSULE, [0.35, 0.6, 0]],
      [SHAPE_CYLINDER, [0.15, 0.4, 0]],
      [SHAPE_CONE, [0.55, 0.4, 0]],
    ] as const) {
      const round = world.collider(type, [...p], [0.2, 0, 0.3, 0]);
      expect(core.testRollingCurvature(round.index, boxes[0]!.index)).toBeCloseTo(1 / p[0], 5);
      expect(core.testRollingCurvature(boxes[1]!.index, round.index)).toBeCloseTo(1 / p[0], 5);
      core.testMaterial(world.block, round.index, boxes[0]!.index);
      expect(world.field('rollArm')).toBeCloseTo(0.2 * p[0], 6);
    }
    expect(world.header('anyRolling')).toBe(1);
  });

  it('is that of the rule of two groups, property by property, whichever comes first', () => {
    const world = fresh();
    const { core } = world;
    const a = world.collider(SHAPE_SPHERE, [0.3, 0, 0], [0.4, 0.3, 0.02, 0]);
    const b = world.collider(SHAPE_SPHERE, [0.6, 0, 0], [0.8, 0.1, 0.06, 0]);
    const plain = [0.6, 0.2, 0.04 * 0.2];
    const groups = (first: number, second: number) => {
      for (const [c, group] of [
        [a, first],
        [b, second],
      ] as const) {
        core.setPassage(c.index, 0, 0, 0, group, 0);
      }
    };
    const found = () => {
      core.testMaterial(world.block, a.index, b.index);
      return [world.field('friction'), world.field('restitution'), world.field('rollArm')];
    };
    groups(5, 3);
    close(found(), plain);
    core.setContactRule(3, 5, RULE_FRICTION, 0.9, 0.55, 0.07, 0);
    close(found(), [0.9, plain[1]!, plain[2]!]);
    core.setContactRule(5, 3, RULE_RESTITUTION, 0.9, 0.55, 0.07, 0);
    close(found(), [plain[0]!, 0.55, plain[2]!]);
    core.setContactRule(5, 3, RULE_ROLLING, 0.9, 0.55, 0.07, 0);
    close(found(), [plain[0]!, plain[1]!, 0.07 * 0.2]);
    core.setContactRule(5, 3, RULE_ROLLING | RULE_FRICTION, 0.05, 0.55, 0.07, 0);
    close(found(), [0.05, plain[1]!, 0.05 * 0.2]);
    groups(3, 5);
    close(found(), [0.05, plain[1]!, 0.05 * 0.2]);
    groups(3, 3);
    close(found(), plain);
    groups(4, 5);
    close(found(), plain);
  });
});

describe('moving surfaces', () => {
  it('give a contact the velocity of the surface of B against that of A at the mean of its points', () => {
    const world = fresh();
    const { core } = world;
    const random = seeded(4);
    const some = (n: number, k = 1) => Array.from({ length: n }, () => k * (2 * random() - 1));
    for (let round = 0; round < 8; round++) {
      const [qa, qb, la, lb] = [unit(some(4)), unit(some(4)), unit(some(4)), unit(some(4))];
      const [xa, xb] = [some(3), some(3)];
      const a = world.collider(SHAPE_BOX, [0.2, 0.3, 0.4], undefined, [...xa, ...la], qa, [0, 0, 0], 0);
      const b = world.collider(SHAPE_BOX, [0.5, 0.3, 0.1], undefined, [...xb, ...lb], qb, [0, 0, 0], 0);
      const [va, wa, vb, wb] = [some(3, 2), some(3, 3), some(3, 2), some(3, 3)];
      const stillA = round % 4 === 3;
      if (!stillA) core.setSurface(a.index, ...va, ...wa);
      core.setSurface(b.index, ...vb, ...wb);
      core.setPassage(a.index, 0, 0, 0, 0, round % 2 ? 0.02 : 0);
      core.setPassage(b.index, 0, 0, 0, 0, round % 2 ? 0.06 : 0);
      const n = unit(some(3));
      const t = unit(cross(n, some(3)));
      const count = 1 + (round % 4);
      const arms = Array.from({ length: count }, () => [some(3), some(3)]);
      world.view().setUint32(world.block + Manifold.count, count, true);
      world.write(world.block + Manifold.nx, [...n, 0.5, ...t, 0]);
      world.write(world.block + Manifold.patchRadius, [0.033]);
      for (const [i, [ra, rb]] of arms.entries()) {
        world.write(world.block + Manifold.rax0 + 64 * i, ra!);
        world.write(world.block + Manifold.rbx0 + 64 * i, rb!);
      }
      core.testSurface(world.block, a.index, b.index);
      const surface = (q: V, l: V, x: V, v: V, w: V, side: 0 | 1) => {
        const mean = arms.reduce((sum, arm) => add(sum, arm[side]!), [0, 0, 0]).map((c) => c / count);
        const spin = turned(q, turned(l, w));
        return { spin, v: add(turned(q, turned(l, v)), cross(spin, sub(mean, turned(q, x)))) };
      };
      const zero = [0, 0, 0];
      const of = { a: stillA ? { spin: zero, v: zero } : surface(qa, la, xa, va, wa, 0), b: surface(qb, lb, xb, vb, wb, 1) };
      const v = sub(of.b.v, of.a.v);
      const rate = sub(cross(of.b.spin, of.b.v), cross(of.a.spin, of.a.v));
      const second = cross(n, t);
      close([world.field('surface1'), world.field('surface2')], [dot(t, v), dot(second, v)], 2e-5);
      close([world.field('surfaceTwist')], [dot(n, sub(of.b.spin, of.a.spin))], 2e-5);
      close([world.field('surfaceRate1'), world.field('surfaceRate2')], [dot(t, rate), dot(second, rate)], 1e-4);
      // Spinning friction lengthens the arm of the twist by its share of friction.
      close([world.field('twistRadius')], [round % 2 ? 0.033 + 0.04 / 0.5 : 0.033], 1e-6);
    }
  });

  it('of bodies that a caller moves round have arms of the middle of the step, and the acceleration towards their axis', () => {
    const random = seeded(21);
    const some = (n: number, k = 1) => Array.from({ length: n }, () => k * (2 * random() - 1));
    for (const side of [0, 1]) {
      const world = fresh();
      const { core } = world;
      const dt = 1 / 45;
      world.view().setFloat32(HEADER_PTR + Header.dt, dt, true);
      const bodies = [0, 1].map((k) =>
        world.collider(SHAPE_BOX, [0.2, 0.3, 0.4], undefined, undefined, undefined, undefined, k === side ? 1 : 0),
      );
      const w = some(3, 9);
      core.setVelocity(bodies[side]!.body, 0.5, -0.3, 0.8, ...w);
      const n = unit(some(3));
      const t = unit(cross(n, some(3)));
      const arms = Array.from({ length: 3 }, () => [some(3), some(3)]);
      world.view().setUint32(world.block + Manifold.count, 3, true);
      world.write(world.block + Manifold.nx, [...n, 0.5, ...t, 0]);
      for (const [i, [ra, rb]] of arms.entries()) {
        world.write(world.block + Manifold.rax0 + 64 * i, ra!);
        world.write(world.block + Manifold.rbx0 + 64 * i, rb!);
      }
      core.testSurface(world.block, bodies[0]!.index, bodies[1]!.index);
      const angle = (Math.hypot(...w) * dt) / 2;
      const q = [...unit(w).map((c) => c * Math.sin(angle / 2)), Math.cos(angle / 2)];
      const middle = arms.map((arm) => turned(q, arm[side]!));
      const mean = middle.reduce(add, [0, 0, 0]).map((c) => c / 3);
      for (let i = 0; i < 3; i++) {
        close(world.floats(world.block + Manifold.rax0 + 64 * i, 3), side ? arms[i]![0]! : middle[i]!);
        close(world.floats(world.block + Manifold.rbx0 + 64 * i, 3), side ? middle[i]! : arms[i]![1]!);
      }
      const rate = cross(w, cross(w, mean)).map((c) => (side ? c : -c));
      const second = cross(n, t);
      close([world.field('surfaceRate1'), world.field('surfaceRate2')], [dot(t, rate), dot(second, rate)], 1e-3);
      const lead = -dt / 2;
      close([world.field('surface1'), world.field('surface2')], [lead * dot(t, rate), lead * dot(second, rate)], 1e-4);
    }
  });
});

describe('poses', () => {
  it('of the shape of B in the frame of that of A hold for colliders on and off the centers of their bodies', () => {
    const world = fresh();
    const { core } = world;
    const random = seeded(9);
    const some = (n: number) => Array.from({ length: n }, () => 2 * random() - 1);
    for (let round = 0; round < 12; round++) {
      const [qa, qb] = [unit(some(4)), unit(some(4))];
      const locals = [0, 1].map((side) => (round & (1 << side) ? [...some(3), ...unit(some(4))] : [0, 0, 0, 0, 0, 0, 1]));
      const coms = [0, 1].map((side) => (round & (4 << side) ? some(3) : [0, 0, 0]));
      const a = world.collider(SHAPE_BOX, [0.2, 0.3, 0.4], undefined, locals[0], qa, coms[0]);
      const b = world.collider(SHAPE_BOX, [0.5, 0.3, 0.1], undefined, locals[1], qb, coms[1]);
      const d = some(3);
      world.write(
        world.block,
        columnsOf(qa).flatMap((c) => [...c, 0]),
      );
      world.write(
        world.block + 48,
        columnsOf(qb).flatMap((c) => [...c, 0]),
      );
      core.testPairPose(world.block, a.index, b.index, ...d);
      const at = (side: 0 | 1, q: V) => turned(q, sub(locals[side]!.slice(0, 3), coms[side]!));
      const t = sub(add(d, at(1, qb)), at(0, qa));
      const inA = (v: V) => turnedBack(locals[0]!.slice(3), turnedBack(qa, v));
      const f = world.floats(world.block, 60);
      const axes = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ];
      for (const [k, axis] of axes.entries()) {
        close(f.slice(24 + 4 * k, 27 + 4 * k), turned(qa, turned(locals[0]!.slice(3), axis)));
        const onB = turned(qb, turned(locals[1]!.slice(3), axis));
        close(f.slice(36 + 4 * k, 39 + 4 * k), onB);
        close(f.slice(48 + 4 * k, 51 + 4 * k), inA(onB));
      }
      close([f[51]!, f[55]!, f[59]!], inA(t));
    }
  });

  it('carry the frame, the arms and the separations of a contact along; those that agree stay as the solver left them', () => {
    const world = fresh();
    const { core } = world;
    const random = seeded(15);
    const some = (n: number) => Array.from({ length: n }, () => 2 * random() - 1);
    const scratch = core.testContactState() >>> 0;
    for (let round = 0; round < 8; round++) {
      const [qa, qb, n, t, d] = [unit(some(4)), unit(some(4)), unit(some(3)), unit(some(3)), some(3)];
      const count = 1 + (round % 4);
      const carry = round > 3;
      world.write(
        scratch,
        columnsOf(qa).flatMap((c) => [...c, 0]),
      );
      world.write(
        scratch + 48,
        columnsOf(qb).flatMap((c) => [...c, 0]),
      );
      const [friction, restitution] = [random(), random()];
      world.write(world.block + Manifold.friction, [friction]);
      world.write(world.block + Manifold.restitution, [restitution]);
      world.view().setUint32(world.block + Manifold.count, count, true);
      world.write(world.block + Manifold.lnx, n);
      world.write(world.block + Manifold.ltx, t);
      const separations = world.block + 1024;
      const points = Array.from({ length: count }, (_, i) => {
        const [la, lb, adjust, impulse, most] = [some(3), some(3), random(), random(), 2 + random()];
        world.write(world.block + Manifold.lax0 + 64 * i, [...la, adjust]);
        world.write(world.block + Manifold.lbx0 + 64 * i, lb);
        world.write(world.block + Manifold.impulse0 + 64 * i, [impulse]);
        world.write(world.block + Manifold.maxImpulse0 + 64 * i, [most]);
        const [ra, rb] = [turned(qa, la), turned(qb, lb)];
        return { ra, rb, impulse, most, separation: adjust + dot(turned(qa, n), add(d, sub(rb, ra))) };
      });
      // The solver's: nearly the same for the first, far off for the others.
      const solved = points.map((p, i) => Math.fround(p.separation + (i === 0 ? 4e-7 : 2e-5 * (i - 2.5))));
      for (const [i, s] of solved.entries()) world.write(separations + 12 * i, [s, 77, 78]);
      core.testRefresh(world.block, ...d, separations, 12, carry);
      close(world.floats(world.block + Manifold.nx, 8), [...turned(qa, n), friction, ...turned(qa, t), restitution]);
      for (const [i, p] of points.entries()) {
        close(world.floats(world.block + Manifold.rax0 + 64 * i, 8), [...p.ra, p.impulse, ...p.rb, p.most]);
        const [now, ...others] = world.floats(separations + 12 * i, 3);
        expect(others).toEqual([77, 78]);
        expect(Math.abs(now! - p.separation)).toBeLessThan(1.5e-6);
        if (carry && i === 0) expect(now).toBe(solved[0]);
      }
    }
  });
});

describe('shapes of neighbors', () => {
  /** Distance to the surface where a shape is convex and its faces count one by one, negative inside. */
  const outside: [string, number, V, (p: V) => number][] = [
    ['box', SHAPE_BOX, [0.3, 0.5, 0.8], ([x, y, z]) => Math.max(Math.abs(x!) - 0.3, Math.abs(y!) - 0.5, Math.abs(z!) - 0.8)],
    ['sphere', SHAPE_SPHERE, [0.6, 0, 0], (p) => Math.hypot(...p) - 0.6],
    ['capsule', SHAPE_CAPSULE, [0.4, 0.5, 0], ([x, y, z]) => Math.hypot(x!, y! - Math.max(-0.5, Math.min(0.5, y!)), z!) - 0.4],
    ['cylinder', SHAPE_CYLINDER, [0.6, 0.4, 0], ([x, y, z]) => Math.max(Math.hypot(x!, z!) - 0.6, Math.abs(y!) - 0.4)],
    [
      'cone',
      SHAPE_CONE,
      [0.6, 0.5, 0],
      // To the line from the rim (0.6, -0.5) to the tip (0, 0.5), to the outside of it; and to the base.
      ([x, y, z]) => Math.max(-0.5 - y!, ((Math.hypot(x!, z!) - 0.6) * 1 + (y! + 0.5) * 0.6) / Math.hypot(0.6, 1)),
    ],
  ];
  it.each(outside)('%s: holds the points that are no farther out than the tolerance', (_, type, p, distance) => {
    const world = fresh();
    const index = world.shape(type, p);
    const random = seeded(type + 3);
    let [inside, out] = [0, 0];
    for (let i = 0; i < 600; i++) {
      const at = Array.from({ length: 3 }, () => Math.fround(2 * random() - 1));
      const tolerance = [0, 0.003, 0.2][i % 3]!;
      const d = distance(at);
      if (Math.abs(d - tolerance) < 1e-5) continue;
      expect([at, world.core.testHolds(index, ...at, tolerance)]).toEqual([at, d <= tolerance ? 1 : 0]);
      if (d <= tolerance) inside++;
      else out++;
    }
    expect(Math.min(inside, out)).toBeGreaterThan(40);
  });

  it('with corners keep points within a fiftieth of their extent, round ones within a fifth', () => {
    const world = fresh();
    for (const [type, p, share] of [
      [SHAPE_BOX, [0.3, 0.5, 0.8], 0.02],
      [SHAPE_SPHERE, [0.6, 0, 0], 0.2],
      [SHAPE_CAPSULE, [0.4, 0.5, 0], 0.2],
      [SHAPE_CYLINDER, [0.6, 0.4, 0], 0.2],
      [SHAPE_CONE, [0.6, 0.5, 0], 0.2],
    ] as const) {
      expect(world.core.testReachOf(world.shape(type, [...p]))).toBeCloseTo(share * Math.hypot(...p), 6);
    }
  });
});
