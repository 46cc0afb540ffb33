// The origin of the world moves: every position by one offset in double precision, everything else word by word as it was.
import { expect, test } from 'vitest';
import {
  Aabb,
  BODY_KINEMATIC,
  BODY_STATIC,
  BodyCenter,
  BodyCold,
  BodyRow,
  Header,
  JOINT_PULLEY,
  Joint,
  NONE,
  PastPose,
  SHAPE_BOX,
} from '../../../src/layout.generated';
import { type CoreBodies, coreBodies } from '../../helpers/core_bodies';
import { farthest } from '../../helpers/core_memory';
import { seeded } from '../../helpers/random';
import { add, turned, unit } from '../../helpers/vectors';

const FAR = 1e7;
const COM = [0.25, -0.5, 0.75];

/** Boxes of three types far out, one of them asleep, after some steps; past poses are kept. */
function scattered(): { world: CoreBodies; bodies: number[] } {
  const world = coreBodies();
  const { core } = world;
  const random = seeded(81);
  core.keepPoses();
  const shape = core.createShape(SHAPE_BOX, 0.5, 0.75, 1, 1.4, 0, 0, -0.5, -0.75, -1, 0.5, 0.75, 1) >>> 0;
  const bodies = Array.from({ length: 9 }, (_, i) => {
    const at = [2000 + 30 * i + random(), -500 + random(), 100 * random()];
    const q = unit([random(), random() - 0.5, random(), random()]);
    const body = world.body({ type: [2, BODY_KINEMATIC, BODY_STATIC][i % 3]!, at, q, com: COM, inertia: [2, 3, 4, 0.1, 0, 0.2] });
    core.createCollider(body, shape, 1, 2, 3, 0.1, 0.2, 0.3, 0.9, 0.5, 0, 0, 0, 1, 1, 0, 1);
    if (i % 3 !== 2) core.setVelocity(body, random(), random(), random(), random(), random(), random());
    return body;
  });
  for (let i = 0; i < 3; i++) core.step();
  core.sleepBody(bodies[3]);
  return { world, bodies };
}

function center(world: CoreBodies, body: number): number[] {
  return add(world.get('center', body), world.get('center', body, BodyCenter.lx));
}
function box(world: CoreBodies, collider: number): { low: number[]; high: number[] } {
  const at = world.header(Header.aabbs) + collider * Aabb.STRIDE;
  return { low: world.readFloats(at, 3), high: world.readFloats(at + Aabb.maxX, 3) };
}
function past(world: CoreBodies, body: number): number[] {
  return world.readFloats(world.header(Header.pastPoses) + body * PastPose.STRIDE, PastPose.STRIDE / 4);
}

test('centers move by exactly the offset; origins, boxes and past poses within their rounding', () => {
  const { world, bodies } = scattered();
  const offset = [-1999.7512345678, 512.123456789, -40.0009765];
  const rest = (body: number) => [
    ...world.readWords(world.header(Header.bodyColds) + body * BodyCold.STRIDE, BodyCold.STRIDE / 4),
    ...world.readWords(world.header(Header.bodyRows) + body * BodyRow.STRIDE, BodyRow.STRIDE / 4),
    ...world.readWords(world.header(Header.rotations) + body * 16, 4),
  ];
  const before = bodies.map((body) => ({
    center: center(world, body),
    box: box(world, body),
    past: past(world, body),
    rest: rest(body),
  }));
  const counts = () => [Header.sleepingCount, Header.awakeStale, Header.speedsSet, Header.pairCount].map(world.header);
  const counted = counts();
  expect(world.core.moveOrigin(...offset, FAR)).toBe(0);
  for (const [i, body] of bodies.entries()) {
    const was = before[i]!;
    const now = add(was.center, offset);
    expect(farthest(center(world, body), now)).toBeLessThan(1e-10);
    expect(world.get('center', body)).toEqual(center(world, body).map(Math.fround));
    const com = turned(world.get('rotation', body, 0, 4), COM);
    expect(
      farthest(
        world.get('position', body),
        now.map((x, k) => x - com[k]!),
      ),
    ).toBeLessThan(2e-5);
    expect(world.get('position', body, 0, 4)[3]).toBe(1);
    expect(rest(body)).toEqual(was.rest);
    if (i % 3 === 2)
      expect(past(world, body)).toEqual(add(was.past.slice(0, 3), offset).map(Math.fround).concat(was.past.slice(3)));
    else {
      expect(farthest(past(world, body).slice(0, 3), add(was.past.slice(0, 3), offset))).toBeLessThan(1e-4);
      expect(past(world, body).slice(4)).toEqual(was.past.slice(4));
    }
    // The box holds what it is for, and reaches no farther than it did.
    const bounds = world.room(Aabb.STRIDE + 96);
    world.core.colliderBounds(body, bounds);
    const tight = world.readFloats(bounds, 8);
    const { low, high } = box(world, body);
    for (let k = 0; k < 3; k++) {
      expect(low[k]!).toBeLessThanOrEqual(tight[k]!);
      expect(high[k]!).toBeGreaterThanOrEqual(tight[4 + k]!);
      expect(low[k]!).toBeGreaterThan(was.box.low[k]! + offset[k]! - 1e-3);
      expect(high[k]!).toBeLessThan(was.box.high[k]! + offset[k]! + 1e-3);
    }
  }
  expect(counts()).toEqual(counted);
  expect(world.core.isAsleep(bodies[3])).toBe(1);
  // The trees hold the new boxes.
  const [x, y, z] = world.get('position', bodies[1]!) as [number, number, number];
  expect(world.core.testQueryTree(0, x - 5, y - 5, z - 5, x + 5, y + 5, z + 5)).toBe(1);
  expect(world.core.testQueryTree(0, 1900, -600, -200, 2400, -400, 300)).toBe(0);
});

test('a shift that takes a body out of the world is refused and names the body', () => {
  const { world, bodies } = scattered();
  const last = bodies[8]!;
  const x = world.get('position', last)[0]!;
  // The last one lies farthest out along x.
  expect(world.core.moveOrigin(100, 0, 0, x + 99)).toBe(last + 1);
  expect(world.core.moveOrigin(100, 0, 0, x + 101)).toBe(0);
  expect(world.core.moveOrigin(0, -5000, 0, 4500)).toBe(bodies[0]! + 1);
  expect(world.core.moveOrigin(0, 0, 5000, 4500)).toBe(bodies[0]! + 1);
});

test('nothing has changed where a shift is refused, and bodies beyond the limit may come nearer', () => {
  const { world, bodies } = scattered();
  const all = () =>
    bodies.flatMap((body) => [...world.get('center', body, 0, 8), ...world.get('position', body), ...past(world, body)]);
  const before = all();
  expect(world.core.moveOrigin(100, 20, -30, 2200)).toBeGreaterThan(0);
  expect(all()).toEqual(before);
  expect(world.core.moveOrigin(-10, 0, 0, 1000)).toBe(0);
  expect(world.get('position', bodies[0]!)[0]!).toBeCloseTo(before[8]! - 10, 3);
  // Removed bodies are not asked, and stay.
  const gone = bodies[8]!;
  world.core.removeBody(gone);
  const empty = [...world.get('center', gone, 0, 8), ...world.get('position', gone)];
  expect(world.core.moveOrigin(100, 0, 0, world.get('position', bodies[7]!)[0]! + 101)).toBe(0);
  expect([...world.get('center', gone, 0, 8), ...world.get('position', gone)]).toEqual(empty);
});

test('shifts there and back leave centers where they were', () => {
  const { world, bodies } = scattered();
  const before = bodies.map((body) => center(world, body));
  for (const k of [1, -1, 3, -3]) expect(world.core.moveOrigin(k * 777.123, k * -0.001, k * 30000.5, FAR)).toBe(0);
  expect(
    farthest(
      bodies.flatMap((body) => center(world, body)),
      before.flat(),
    ),
  ).toBeLessThan(1e-6);
});

test('joints keep points of bodies and move points of the world', () => {
  const { world, bodies } = scattered();
  const { core } = world;
  const made = [
    { a: NONE, kind: 0 },
    { a: bodies[0]!, kind: 0 },
    { a: bodies[0]!, kind: JOINT_PULLEY },
    { a: NONE, kind: 0 },
  ].map(({ a, kind }) => ({ a, kind, joint: core.createJoint(a, bodies[4]) >>> 0 }));
  const at = (joint: number) => world.header(Header.joints) + joint * Joint.STRIDE;
  const points = [Joint.anchorAx, Joint.anchorBx, Joint.frameAx, Joint.frameBx];
  const read = (joint: number) => points.map((point) => world.readFloats(at(joint) + point, 4));
  for (const { joint, kind } of made) {
    new DataView(world.memory.buffer).setUint32(at(joint) + Joint.kind, kind, true);
    for (const [i, point] of points.entries()) {
      new Float32Array(world.memory.buffer, at(joint) + point, 4).set([1 + i, 2 * i - 3, joint - i, 0.5]);
    }
  }
  core.removeJoint(made[3]!.joint);
  const before = made.map(({ joint }) => read(joint));
  const offset = [16, -8, 0.25];
  core.moveOrigin(...offset, FAR);
  const moved = (p: number[]) => [...add(p.slice(0, 3), offset), p[3]!];
  for (const [i, { joint }] of made.entries()) {
    const [anchorA, anchorB, frameA, frameB] = before[i]! as [number[], number[], number[], number[]];
    const expected = [i === 0 ? moved(anchorA) : anchorA, anchorB, ...[frameA, frameB].map((p) => (i === 2 ? moved(p) : p))];
    expect(read(joint)).toEqual(expected);
  }
});
