// What each call of the host writes and wakes, and that it leaves all else: every word of the rows of two sleeping bodies,
// their colliders and the header, before and after the call.
import { expect, test } from 'vitest';
import {
  BODY_ASLEEP,
  BodyAccel,
  BodyCenter,
  BodyCold,
  BodyDelta,
  BodyInertia,
  BodyRow,
  COLLIDER_SENSOR,
  Collider,
  HEADER_PTR,
  Header,
  SHAPE_SPHERE,
} from '../../../src/layout.generated';
import { type CoreBodies, coreBodies } from '../../helpers/core_bodies';
import { unit } from '../../helpers/vectors';

const QUATERNION = { x: 0, y: 4, z: 8, w: 12, STRIDE: 16 };
type Layout = { readonly [field: string]: number };
const ROWS: [string, number, Layout][] = [
  ['row', Header.bodyRows, BodyRow],
  ['delta', Header.bodyDeltas, BodyDelta],
  ['accel', Header.bodyAccels, BodyAccel],
  ['inertia', Header.bodyInertias, BodyInertia],
  ['center', Header.bodyCenters, BodyCenter],
  ['cold', Header.bodyColds, BodyCold],
  ['position', Header.positions, QUATERNION],
  ['rotation', Header.rotations, QUATERNION],
  ['collider', Header.colliders, Collider],
];
/** Fields of the header that calls may change. */
const FIELDS = ['speedsSet', 'sleepingCount', 'anyRestitution', 'anySurface', 'anyLocks', 'disabledCount', 'bodyAlive'] as const;

/** Names of all words, by the body or collider they are of, and what they hold. */
function words(world: CoreBodies): Map<string, number> {
  const view = new DataView(world.memory.buffer);
  const out = new Map<string, number>();
  for (const [name, header, layout] of ROWS) {
    for (let i = 0; i < 2; i++) {
      const at = world.header(header) + i * layout.STRIDE!;
      for (const [field, offset] of Object.entries(layout)) {
        if (field !== 'STRIDE') out.set(`${i === 0 ? '' : 'other '}${name}.${field}`, view.getUint32(at + offset, true));
      }
    }
  }
  for (const field of FIELDS) out.set(field, view.getUint32(HEADER_PTR + Header[field], true));
  return out;
}

/** Two bodies that sleep apart, with everything different, and a collider each. */
function asleep(): CoreBodies {
  const world = coreBodies();
  const { core } = world;
  world.setHeaderFloat(Header.gravityY, 0);
  for (const k of [1, 2]) {
    const shape = core.createShape(SHAPE_SPHERE, k / 2, 0, 0, k / 2, 0, 0, -k, -k, -k, k, k, k) >>> 0;
    const q = unit([0.1 * k, 0.2, 0.4, 0.6]);
    const body = world.body({ at: [30 * k, k, 2 * k], q, mass: 1.5 * k, inertia: [2, 3, 4, 0.1, 0.2, 0.3] });
    core.createCollider(body, shape, 0.1, 0.2, k, 0, 0, 0, 1, 0.5, 0, 0.1, 0, 1, 3, 0, 700);
  }
  world.setHeader(Header.sleep, 1);
  core.step();
  core.setMotion(0, 1, 0.1, 0.2);
  expect([core.sleepBody(0), core.sleepBody(1)]).toEqual([1, 1]);
  world.setHeader(Header.speedsSet, 0);
  for (const field of [Header.anyRestitution, Header.anySurface, Header.anyLocks]) world.setHeader(field, 0);
  return world;
}

const axes = (row: string, prefix: string) => ['x', 'y', 'z'].map((axis) => `${row}.${prefix}${axis}`);
const WAKES = ['cold.flags', 'sleepingCount'];
const VELOCITY = [...axes('row', 'v'), ...axes('row', 'w'), ...axes('row', 'sv'), ...axes('row', 'sw'), 'speedsSet', ...WAKES];
const FORCE = [...axes('cold', 'f'), ...axes('cold', 't'), ...WAKES];
const TURN = ['x', 'y', 'z', 'w'].map((k) => `rotation.${k}`);
const WORLD_INERTIA = ['xx', 'yy', 'zz', 'xy', 'xz', 'yz'].map((k) => `inertia.${k}`);
const SURFACE = [...['X', 'Y', 'Z'].map((axis) => `collider.surface${axis}`), ...axes('collider', 'surfaceW')];
const POSE = [...axes('position', ''), ...TURN, ...axes('center', ''), ...WORLD_INERTIA, ...WAKES];

const CALLS: [string, (core: CoreBodies['core']) => void, string[]][] = [
  ['setVelocity', (core) => core.setVelocity(0, 1, 2, 3, 4, 5, 6), VELOCITY],
  ['applyImpulse', (core) => core.applyImpulse(0, 1, 2, 3, 4, 5, 6), VELOCITY],
  ['applyImpulseAt', (core) => core.applyImpulseAt(0, 1, 2, 3, 4, 5, 6), VELOCITY],
  ['addForce', (core) => core.addForce(0, 1, 2, 3, 4, 5, 6), FORCE],
  ['addForceAt', (core) => core.addForceAt(0, 1, 2, 3, 4, 5, 6), FORCE],
  ['moveKinematic', (core) => core.moveKinematic(0, 1, 2, 3, 0, 1, 0, 0, 0.1), VELOCITY],
  ['setPose', (core) => core.setPose(0, 1, 2, 3, 0.5, 0.5, -0.5, 0.5), POSE],
  ['setBullet', (core) => core.setBullet(0, 1), ['cold.flags']],
  ['setMotion of damping', (core) => core.setMotion(0, 1, 3, 4), ['cold.linearDamping', 'cold.angularDamping']],
  ['setMotion of gravity', (core) => core.setMotion(0, 2, 0.1, 0.2), ['cold.gravityScale', ...WAKES]],
  ['limitBody', (core) => core.limitBody(0, 5, 6), ['cold.flags', 'cold.maxLinearSpeed', 'cold.maxAngularSpeed', 'speedsSet']],
  ['allowSleep', (core) => core.allowSleep(0, 1), []],
  ['allowSleep not', (core) => core.allowSleep(0, 0), WAKES],
  ['wakeBody', (core) => core.wakeBody(0), WAKES],
  ['setLocks', (core) => core.setLocks(0, 8), [...WORLD_INERTIA, 'anyLocks', 'speedsSet', ...WAKES]],
  ['setCollider of friction', (core) => core.setCollider(0, 0.75, 0, 0.1, 0, 1, 3), ['collider.friction', ...WAKES]],
  ['setCollider of rolling', (core) => core.setCollider(0, 0.5, 0, 0.2, 0, 1, 3), ['collider.rollingResistance', ...WAKES]],
  ['setCollider of rule', (core) => core.setCollider(0, 0.5, 0, 0.1, 2, 1, 3), ['collider.combine', ...WAKES]],
  ['setCollider of bounce rule', (core) => core.setCollider(0, 0.5, 0, 0.1, 0x200, 1, 3), ['collider.combine']],
  ['setCollider of bounce', (core) => core.setCollider(0, 0.5, 0.4, 0.1, 0, 1, 3), ['collider.restitution', 'anyRestitution']],
  ['setCollider of category', (core) => core.setCollider(0, 0.5, 0, 0.1, 0, 2, 3), ['collider.category', ...WAKES]],
  ['setCollider of mask', (core) => core.setCollider(0, 0.5, 0, 0.1, 0, 1, 7), ['collider.mask', ...WAKES]],
  ['setCollider of nothing', (core) => core.setCollider(0, 0.5, 0, 0.1, 0, 1, 3), []],
  ['setSurface', (core) => core.setSurface(0, 1, 2, 3, 4, 5, 6), [...SURFACE, 'collider.flags', 'anySurface']],
  ['setSurface of zero', (core) => core.setSurface(0, 0, 0, 0, 0, 0, 0), []],
  [
    'setPassage',
    (core) => core.setPassage(0, 0.6, 0.48, 0.64, 5, 0.25),
    [
      'collider.openX',
      'collider.openY',
      'collider.openZ',
      'collider.group',
      'collider.spinningFriction',
      'collider.flags',
      'anySurface',
    ],
  ],
  ['setPassage of a group', (core) => core.setPassage(0, 0, 0, 0, 7, 0), ['collider.group']],
  ['enableBody', (core) => core.enableBody(0, 1), []],
];

for (const [name, call, expected] of CALLS) {
  test(`${name} writes what it says and wakes ${expected.includes('sleepingCount') ? 'the body' : 'nothing'}`, () => {
    const world = asleep();
    const before = words(world);
    call(world.core);
    const changed = [...words(world)].filter(([word, value]) => before.get(word) !== value).map(([word]) => word);
    expect(changed.sort()).toEqual([...expected].sort());
    const wakes = expected.includes('sleepingCount');
    expect((world.flags(0) & BODY_ASLEEP) === 0).toBe(wakes);
    expect(world.core.isAsleep(1)).toBe(1);
    expect(world.header(Header.sleepingCount)).toBe(wakes ? 1 : 2);
  });
}

test('each part of a velocity of a surface and of a direction of passage sets the flag alone', () => {
  const world = asleep();
  const { core } = world;
  const flags = () => new DataView(world.memory.buffer).getUint32(world.header(Header.colliders) + Collider.flags, true);
  const plain = flags();
  for (let k = 0; k < 6; k++) {
    const v = [0, 1, 2, 3, 4, 5].map((i) => (i === k ? -0.5 : 0));
    core.setSurface(0, ...v);
    expect(flags() ^ plain).toBe(8);
    core.setSurface(0, 0, 0, 0, 0, 0, 0);
    expect(flags()).toBe(plain);
    if (k > 2) continue;
    core.setPassage(0, v[0], v[1], v[2], 0, 0);
    expect(flags() ^ plain).toBe(16);
    core.setPassage(0, 0, 0, 0, 0, 0);
    expect(flags()).toBe(plain);
  }
});

test('a body that is disabled is at rest without forces and in no tree, and takes part again when it is enabled', () => {
  const world = asleep();
  const { core } = world;
  core.setVelocity(0, 1, 2, 3, 4, 5, 6);
  core.addForce(0, 1, 2, 3, 4, 5, 6);
  world.set('accel', 0, 0, [1, 2, 3, 0, 4, 5, 6, 0]);
  const leaf = () => words(world).get('collider.leaf');
  expect(leaf()).not.toBe(0xffffffff);
  for (let twice = 0; twice < 2; twice++) {
    core.enableBody(0, 0);
    expect(world.header(Header.disabledCount)).toBe(1);
    expect(leaf()).toBe(0xffffffff);
    expect(world.get('row', 0, BodyRow.wx)).toEqual([0, 0, 0]);
    expect(world.get('row', 0)).toEqual([0, 0, 0]);
    expect(world.get('accel', 0, 0, 8)).toEqual(new Array(8).fill(0));
    expect([...world.get('cold', 0, BodyCold.fx), ...world.get('cold', 0, BodyCold.tx)]).toEqual(new Array(6).fill(0));
  }
  core.enableBody(0, 1);
  expect(world.header(Header.disabledCount)).toBe(0);
  expect(leaf()).not.toBe(0xffffffff);
  core.enableBody(0, 0);
  core.removeBody(0);
  expect(world.header(Header.disabledCount)).toBe(0);
});

test('a collider takes another shape, flags and pose, or keeps its pose', () => {
  const world = asleep();
  const { core } = world;
  const collider = (field: number, count: number) =>
    world.readFloats(world.header(Header.colliders) + field, count).map((x) => Number(x.toFixed(5)));
  core.setMassProperties(0, 3, 0.5, -0.25, 0.125, 2, 3, 4, 0, 0, 0);
  const pose = [...collider(Collider.x, 3), ...collider(Collider.qx, 4)];
  expect(pose).toEqual([-0.4, 0.45, 0.875, 0, 0, 0, 1]);
  core.changeCollider(0, 1, Number.NaN, 9, 9, 9, 9, 9, 9, COLLIDER_SENSOR);
  expect([...collider(Collider.x, 3), ...collider(Collider.qx, 4)]).toEqual(pose);
  expect(words(world).get('collider.shape')).toBe(1);
  expect(words(world).get('collider.flags')! & 0xff).toBe(COLLIDER_SENSOR);
  expect(world.get('cold', 0, BodyCold.extent, 1)[0]).toBeCloseTo(Math.hypot(0.4, 0.45, 0.875) + 1, 5);
  expect(world.get('cold', 0, BodyCold.inner, 1)[0]).toBe(1);
  core.changeCollider(0, 0, 1, 2, 3, 0, 4, 0, 3, 0);
  expect([...collider(Collider.x, 3), ...collider(Collider.qx, 4)]).toEqual([0.5, 2.25, 2.875, 0, 0.8, 0, 0.6]);
  expect(core.isAsleep(0)).toBe(0);
});
