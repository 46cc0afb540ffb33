// Bodies and colliders between steps: values that calls compute, against double precision, and their slots against lists that the
// test keeps.
import { expect, test } from 'vitest';
import {
  BODY_KINEMATIC,
  BODY_STATIC,
  BodyCenter,
  BodyCold,
  BodyRow,
  Collider,
  ContactRule,
  Header,
  NONE,
  RULE_GROUPS,
  SHAPE_BOX,
  SHAPE_SPHERE,
} from '../../../src/layout.generated';
import { type CoreBodies, coreBodies } from '../../helpers/core_bodies';
import { farthest } from '../../helpers/core_memory';
import { seeded } from '../../helpers/random';
import { add, cross, solveSymmetric, turned, turnedBack, unit } from '../../helpers/vectors';

const INERTIA = [1.5, 2.25, 2.75, 0.25, -0.125, 0.375] as const;
const ANISOTROPIC = 1 << 9;
const MATERIAL = [0.5, 0.25, 0.125, 2, 4, 9, 0, 700];
const velocity = (world: CoreBodies, body: number) => [...world.get('row', body), ...world.get('row', body, BodyRow.wx)];
const colliderWords = (world: CoreBodies, c: number) =>
  world.readWords(world.header(Header.colliders) + c * Collider.STRIDE, Collider.STRIDE / 4);
const colliderFloats = (world: CoreBodies, c: number, field: number, count: number) =>
  world.readFloats(world.header(Header.colliders) + c * Collider.STRIDE + field, count);
const sphere = (world: CoreBodies, r: number): number =>
  world.core.createShape(SHAPE_SPHERE, r, 0, 0, r, 0, 0, -r, -r, -r, r, r, r) >>> 0;

test('impulses and forces act by the mass, the turned inertia and the arm from the center of mass', () => {
  const world = coreBodies();
  const { core } = world;
  const q = unit([0.2, -0.5, 0.3, 0.7]);
  const [at, com] = [
    [3, -1, 2],
    [0.5, 0.25, -0.75],
  ] as [number[], number[]];
  world.body();
  const body = world.body({ at, q, com, mass: 2.5, inertia: INERTIA });
  const center = add(at, turned(q, com));
  expect(farthest(world.get('center', body), center)).toBeLessThan(1e-6);
  const spun = (l: number[]) => turned(q, solveSymmetric(INERTIA, turnedBack(q, l)));
  const [v, w, j, l, point] = [
    [1, 2, 3],
    [0.5, -0.25, 0.75],
    [4, -3, 2],
    [1, -2, 0.5],
    [4, 1, -1],
  ] as number[][] as [number[], number[], number[], number[], number[]];
  core.setVelocity(body, ...v, ...w);
  expect(velocity(world, body)).toEqual([...v, ...w]);
  core.applyImpulse(body, ...j, ...l);
  const pushed = [
    ...add(
      v,
      j.map((x) => x / 2.5),
    ),
    ...add(w, spun(l)),
  ];
  expect(farthest(velocity(world, body), pushed)).toBeLessThan(2e-6);
  expect([...world.get('row', body, BodyRow.svx), ...world.get('row', body, BodyRow.swx)]).toEqual(velocity(world, body));
  core.setVelocity(body, ...v, ...w);
  core.applyImpulseAt(body, ...j, ...point);
  const arm = point.map((x, i) => x - center[i]!);
  expect(
    farthest(velocity(world, body), [
      ...add(
        v,
        j.map((x) => x / 2.5),
      ),
      ...add(w, spun(cross(arm, j))),
    ]),
  ).toBeLessThan(3e-6);
  core.addForce(body, ...j, ...l);
  core.addForceAt(body, ...l, ...point);
  const waits = [...world.get('cold', body, BodyCold.fx), ...world.get('cold', body, BodyCold.tx)];
  expect(farthest(waits, [...add(j, l), ...add(l, cross(arm, l))])).toBeLessThan(3e-6);
  // Impulses leave velocities that single precision can square.
  core.setVelocity(body, ...v, ...w);
  core.applyImpulse(body, 1e30, -1e30, Number.NaN, 0, 0, 0);
  expect(world.get('row', body)).toEqual([Math.fround(1e15), Math.fround(-1e15), 0]);
});

test('a new center of mass keeps the motion of every point, the places of colliders and the origin', () => {
  const world = coreBodies();
  const { core } = world;
  const q = unit([0.4, 0.1, -0.3, 0.6]);
  const at = [2, -3, 5];
  const body = world.body({ at, q, com: [0.5, -0.25, 0.125] });
  const shape = sphere(world, 0.5);
  const colliders = [
    [1, 2, 3],
    [-0.5, 0.25, 1.5],
  ].map((p) => core.createCollider(body, shape, ...p, 0, 0, 0, 1, ...MATERIAL) >>> 0);
  const [v, w] = [
    [1, -2, 0.5],
    [2, 1, -3],
  ] as [number[], number[]];
  core.setVelocity(body, ...v, ...w);
  world.setHeader(Header.speedsSet, 0);
  const com = [-0.25, 0.75, 0.5];
  core.setMassProperties(body, 4, ...com, ...INERTIA);
  const center = add(at, turned(q, com));
  expect(farthest(world.get('center', body), center)).toBeLessThan(1e-6);
  expect(farthest(world.get('position', body), at)).toBe(0);
  const moved = turned(
    q,
    com.map((x, i) => x - [0.5, -0.25, 0.125][i]!),
  );
  expect(farthest(velocity(world, body), [...add(v, cross(w, moved)), ...w])).toBeLessThan(2e-6);
  expect(world.header(Header.speedsSet)).toBe(1);
  expect(colliderFloats(world, colliders[0]!, Collider.x, 3)).toEqual([1.25, 1.25, 2.5]);
  expect(colliderFloats(world, colliders[1]!, Collider.x, 3)).toEqual([-0.25, -0.5, 1]);
  expect(world.get('cold', body, BodyCold.extent, 1)[0]).toBeCloseTo(Math.hypot(1.25, 1.25, 2.5) + 0.5, 5);
  expect(world.get('cold', body, BodyCold.ixx, 6)).toEqual([...INERTIA]);
  expect(world.get('cold', body, BodyCold.mass, 1)).toEqual([4]);
  expect(world.get('row', body, BodyRow.invMass, 1)).toEqual([0.25]);
  // A collider whose frame is that of the body at its center of mass is marked.
  const aligned = () => colliders.map((c) => (colliderWords(world, c)[Collider.flags / 4]! >> 1) & 1);
  expect(aligned()).toEqual([0, 0]);
  core.setMassProperties(body, 4, -0.5, 0.25, 1.5, ...INERTIA);
  expect(aligned()).toEqual([0, 1]);
  core.setMassProperties(body, 4, -0.5, 0.25, 1, ...INERTIA);
  expect(aligned()).toEqual([0, 0]);
});

test('gyroscopic torque is asked for where principal moments differ', () => {
  const world = coreBodies();
  const body = world.body();
  const differs = (...inertia: number[]) => {
    world.core.setMassProperties(body, 2, 0, 0, 0, ...inertia);
    return (world.flags(body) & ANISOTROPIC) !== 0;
  };
  expect(differs(2, 2, 2, 0, 0, 0)).toBe(false);
  expect(differs(2, 2, 2 + 5e-6, 0, 0, 0)).toBe(false);
  expect(differs(2.001, 2, 2, 0, 0, 0)).toBe(true);
  expect(differs(2, 2, 2.001, 0, 0, 0)).toBe(true);
  for (let k = 3; k < 6; k++) expect(differs(...[2, 2, 2, 0, 0, 0].map((x, i) => (i === k ? -0.001 : x)))).toBe(true);
});

test('the moments of very thin bodies are raised by a millionth of their sum, others are not', () => {
  const world = coreBodies();
  const body = world.body();
  const moments = (a: number, b: number, c: number) => {
    world.core.setMassProperties(body, 2, 0, 0, 0, a, b, c, 0, 0, 0);
    return world.get('cold', body, BodyCold.ixx);
  };
  expect(moments(3, 5e-7, 4)).toEqual([3, 5e-7, 4].map((x) => Math.fround(x + (7 + 5e-7) * 1e-6)));
  expect(moments(3, 4, 8e-6)).toEqual([3, 4, 8e-6].map(Math.fround));
  expect(moments(3, 4, 5e-6)).toEqual([3, 4, 5e-6].map((x) => Math.fround(x + (7 + 5e-6) * 1e-6)));
});

test('only dynamic bodies have a mass, and another type drops forces that wait and the velocity of a static one', () => {
  const world = coreBodies();
  const { core } = world;
  const zeros = new Array(6).fill(0);
  const mass = (body: number) => [...world.get('row', body, BodyRow.invMass, 1), ...world.get('inertia', body, 0, 6)];
  for (const type of [BODY_STATIC, BODY_KINEMATIC]) {
    expect(mass(world.body({ type, mass: 3 }))).toEqual([0, ...zeros]);
    const body = world.body({ at: [1, 2, 3], inertia: INERTIA });
    expect(mass(body)[0]).toBe(0.5);
    core.setVelocity(body, 1, 2, 3, 4, 5, 6);
    core.addForce(body, 1, 2, 3, 4, 5, 6);
    world.set('delta', body, 0, new Array(8).fill(2));
    world.set('accel', body, 0, new Array(8).fill(2));
    core.setBodyType(body, type);
    expect(world.flags(body) & 3).toBe(type);
    expect(mass(body)).toEqual([0, ...zeros]);
    expect([...world.get('cold', body, BodyCold.fx), ...world.get('cold', body, BodyCold.tx)]).toEqual(zeros);
    expect(velocity(world, body)).toEqual(type === BODY_STATIC ? zeros : [1, 2, 3, 4, 5, 6]);
    expect([...world.get('delta', body, 0, 8), ...world.get('accel', body, 0, 8)]).toEqual(new Array(16).fill(0));
    core.setBodyType(body, 2);
    core.addForce(body, 1, 2, 3, 4, 5, 6);
    core.setBodyType(body, 2);
    expect(world.get('cold', body, BodyCold.fx)).toEqual([1, 2, 3]);
  }
});

test('a pose is set at once, with a rotation of length 1 and no low part of the center', () => {
  const world = coreBodies();
  const com = [0.5, 0.25, -0.75];
  const body = world.body({ com, inertia: INERTIA });
  world.core.setVelocity(body, 1, 2, 3, 4, 5, 6);
  world.set('center', body, BodyCenter.lx, [1e-8, 1e-8, 1e-8]);
  world.core.setPose(body, 7, 8, -9, 0.6, -1, 0.4, 2);
  const q = unit([0.6, -1, 0.4, 2]);
  expect(farthest(world.get('rotation', body, 0, 4), q)).toBeLessThan(1e-7);
  expect(world.get('position', body, 0, 4)).toEqual([7, 8, -9, 1]);
  expect(farthest(world.get('center', body), add([7, 8, -9], turned(q, com)))).toBeLessThan(1e-6);
  expect(world.get('center', body, BodyCenter.lx)).toEqual([0, 0, 0]);
  expect(velocity(world, body)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('slots of bodies are taken again, the last one freed first, and start a new life', () => {
  const world = coreBodies();
  const { core } = world;
  const random = seeded(71);
  const shape = sphere(world, 0.5);
  const alive: number[] = [];
  const free: number[] = [];
  const generations: number[] = [];
  for (let round = 0; round < 120; round++) {
    if (alive.length > 0 && random() < 0.45) {
      const [body] = alive.splice(Math.floor(random() * alive.length), 1) as [number];
      core.removeBody(body);
      generations[body]!++;
      free.push(body);
    } else {
      const expected = free.pop() ?? generations.length;
      const body = world.body({ at: [3 * round, 1, 2], com: [0.1, 0.2, 0.3] });
      expect(body).toBe(expected);
      if (body === generations.length) generations.push(0);
      expect(velocity(world, body)).toEqual([0, 0, 0, 0, 0, 0]);
      expect([Header.paths, Header.turnPaths].map((field) => world.double(field, body))).toEqual([0, 0]);
      const cold = world.get('cold', body, BodyCold.linearDamping, 5);
      expect(cold).toEqual([0, 0, 0, 0, 0]);
      expect(world.get('cold', body, BodyCold.gravityScale, 1)).toEqual([1]);
      // Traces for the next owner to lose.
      core.createCollider(body, shape, 0, 0, 0, 0, 0, 0, 1, ...MATERIAL);
      core.setMotion(body, 3, 2, 1);
      core.setVelocity(body, 1, 2, 3, 4, 5, 6);
      core.setLocks(body, 5);
      core.addForce(body, 1, 2, 3, 4, 5, 6);
      for (const field of [Header.paths, Header.turnPaths]) world.setDouble(field, body, 9);
      alive.push(body);
    }
    expect(world.header(Header.bodyAlive)).toBe(alive.length);
    expect(world.header(Header.bodyCount)).toBe(generations.length);
    const colds = world.header(Header.bodyColds);
    const stored = generations.map((_, body) => world.readWords(colds + body * BodyCold.STRIDE + BodyCold.generation, 1)[0]);
    expect(stored).toEqual(generations);
  }
  expect(Math.max(...generations)).toBeGreaterThan(2);
});

test('colliders of a body are a list, the newest first, with the reach of the farthest and the radius of the thinnest', () => {
  const world = coreBodies();
  const { core } = world;
  const com = [0.5, 0.25, -0.5];
  world.body();
  const body = world.body({ com });
  const shapes = [sphere(world, 0.75), core.createShape(SHAPE_BOX, 0.5, 0.25, 1, 1.2, 0, 0, -1, -1, -1, 1, 1, 1) >>> 0];
  const places = [
    [1, 2, 3],
    [0.5, 0.25, -0.5],
    [-4, 1, 0],
  ];
  const colliders = places.map((p, i) => core.createCollider(body, shapes[i % 2], ...p, 0, 0, i, 1, ...MATERIAL) >>> 0);
  const listed = () => {
    const out: number[] = [];
    for (
      let c = world.readWords(world.header(Header.bodyColds) + body * BodyCold.STRIDE + BodyCold.firstCollider, 1)[0]!;
      c !== NONE;
    ) {
      out.push(c);
      c = colliderWords(world, c)[Collider.next / 4]!;
    }
    return out;
  };
  const count = () => world.readWords(world.header(Header.bodyColds) + body * BodyCold.STRIDE + BodyCold.colliderCount, 1)[0];
  const reach = (i: number) => Math.hypot(...places[i]!.map((x, k) => x - com[k]!)) + (i % 2 === 0 ? 0.75 : 1.2);
  const sizes = () => world.get('cold', body, BodyCold.extent, 1).concat(world.get('cold', body, BodyCold.inner, 1));
  expect(listed()).toEqual([...colliders].reverse());
  expect(count()).toBe(3);
  expect(farthest(sizes(), [reach(2), 0.25])).toBeLessThan(1e-5);
  const words = colliderWords(world, colliders[2]!);
  expect([Collider.body, Collider.shape, Collider.category, Collider.mask, Collider.combine].map((k) => words[k / 4])).toEqual([
    body,
    shapes[0],
    4,
    9,
    2,
  ]);
  expect(colliderFloats(world, colliders[2]!, Collider.friction, 2)).toEqual([0.5, 0.25]);
  expect(colliderFloats(world, colliders[2]!, Collider.rollingResistance, 1)).toEqual([0.125]);
  expect(colliderFloats(world, colliders[2]!, Collider.density, 1)).toEqual([700]);
  expect(farthest(colliderFloats(world, colliders[2]!, Collider.qx, 4), unit([0, 0, 2, 1]))).toBeLessThan(1e-7);
  expect(world.header(Header.anyRestitution)).toBe(1);
  core.removeCollider(colliders[1]);
  expect(listed()).toEqual([colliders[2], colliders[0]]);
  expect(farthest(sizes(), [reach(2), 0.75])).toBeLessThan(1e-5);
  core.removeCollider(colliders[2]);
  expect([count(), ...listed()]).toEqual([1, colliders[0]]);
  expect(farthest(sizes(), [reach(0), 0.75])).toBeLessThan(1e-5);
  expect(colliderWords(world, colliders[2]!)[Collider.body / 4]).toBe(NONE);
  // The last slot freed comes first, in another generation.
  core.setSurface(colliders[0], 1, 2, 3, 4, 5, 6);
  const again = [0, 1].map(() => core.createCollider(0, shapes[0], 0, 0, 0, 0, 0, 0, 1, ...MATERIAL) >>> 0);
  expect(again).toEqual([colliders[2], colliders[1]]);
  expect(again.map((c) => colliderWords(world, c)[Collider.flags / 4]! >>> 8)).toEqual([1, 1]);
  expect(colliderWords(world, colliders[0]!)[Collider.flags / 4]! >>> 8).toBe(0);
});

test('a contact rule stands at one place for both orders of its groups', () => {
  const world = coreBodies();
  const { core } = world;
  const rule = (a: number, b: number) => {
    const at = world.header(Header.rules) + (RULE_GROUPS * a + b) * ContactRule.STRIDE;
    return [world.readWords(at, 1)[0]!, ...world.readFloats(at + ContactRule.friction, 4)];
  };
  expect(core.setContactRule(7, 3, 5, 0.5, 0, 0.25, 0)).toBe(1);
  expect(rule(3, 7)).toEqual([5, 0.5, 0, 0.25, 0]);
  expect(rule(7, 3)).toEqual([0, 0, 0, 0, 0]);
  expect([Header.anyRestitution, Header.anySurface].map(world.header)).toEqual([0, 0]);
  core.setContactRule(0, 63, 3, 0.75, 0.5, 0, 0);
  expect([Header.anyRestitution, Header.anySurface].map(world.header)).toEqual([1, 0]);
  core.setContactRule(3, 7, 9, 1, 0, 2, 4);
  expect([Header.anyRestitution, Header.anySurface].map(world.header)).toEqual([1, 1]);
  expect([rule(3, 7), rule(0, 63)]).toEqual([
    [9, 1, 0, 2, 4],
    [3, 0.75, 0.5, 0, 0],
  ]);
});
