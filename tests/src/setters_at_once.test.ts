// Every setter of a world acts from the next step on, whatever state the bodies are in that should feel it: at rest, asleep, in
// touch since the last step, held by a joint, and held asleep. The table has every call of the class that changes something
// physical, and the test at the end compares it with the class, so that a new setter cannot be left out.
import { expect, test } from 'vitest';
import {
  type BodyId,
  type ColliderDesc,
  type ColliderId,
  createWorld,
  type JointDesc,
  type JointId,
  type MaterialDesc,
  type ShapeId,
  type World,
  type WorldSettings,
} from '../../src/index';
import { World as WorldClass } from '../../src/world/world';

const DT = 1 / 60;
const MASS = 1000;

const SITUATIONS = ['resting', 'sleeping', 'touching', 'jointed', 'jointed asleep'] as const;
type Situation = (typeof SITUATIONS)[number];

interface Scene {
  world: World;
  situation: Situation;
  floor: BodyId;
  box: BodyId;
  /** Held by the joint, or lying apart. */
  mate: BodyId;
  joint: JointId | null;
  ground: ColliderId;
  skin: ColliderId;
  cube: ShapeId;
  plate: ShapeId;
  before: number[];
}

interface Row {
  name: string;
  /** Methods and settings that the row is about. */
  of: readonly string[];
  set: (s: Scene) => void;
  /** After `steps` (1). */
  felt: (s: Scene) => void;
  steps?: number;
  /** Where it has a meaning; default everywhere. */
  at?: readonly Situation[];
  /** Of the box, the floor, the world and the joint, before anything rests. */
  body?: Partial<MaterialDesc>;
  ground?: Partial<ColliderDesc>;
  settings?: Partial<WorldSettings>;
  joint?: Partial<JointDesc>;
  round?: boolean;
  prepare?: (s: Scene) => void;
}

/**
 * A box of 1 m and 1000 kg on a static floor whose top is at y = 0, under a gravity that leans: friction of 1/3 holds it. Another
 * box lies 1.5 m beside it, on the same joint or on none.
 */
async function scene(situation: Situation, row: Row): Promise<Scene> {
  const asleep = situation === 'sleeping' || situation === 'jointed asleep';
  const world = await createWorld({ gravity: [3, -9, 0], sleep: asleep, sleepTime: 0.1, warn: false, ...row.settings });
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const ball = world.createShape({ type: 'sphere', radius: 0.5 });
  const plate = world.createShape({ type: 'box', halfExtents: [20, 0.25, 20] });
  const slab = world.createShape({ type: 'box', halfExtents: [20, 0.5, 20] });
  const floor = world.createBody({ type: 'static', shape: slab, position: [0, -0.5, 0], ...row.ground });
  const shape = row.round ? ball : cube;
  const box = world.createBody({ shape, mass: MASS, position: [0, 0.5, 0], ...row.body });
  const mate = world.createBody({ shape, mass: MASS, position: [0, 0.5, 1.5], ...row.body });
  const isJointed = situation.startsWith('jointed');
  const joint = isJointed
    ? world.createJoint({ type: 'fixed', bodyA: mate, bodyB: box, anchor: [0, 0.5, 0.75], ...row.joint })
    : null;
  const [ground, skin] = [world.collidersOf(floor)[0]!, world.collidersOf(box)[0]!];
  const s: Scene = { world, situation, floor, box, mate, joint, ground, skin, cube, plate, before: [] };
  row.prepare?.(s);
  for (let k = 0; k < (situation === 'touching' ? 2 : 60); k++) world.step();
  const sleepers = [box, mate].filter((id) => asleep && world.getType(id) === 'dynamic').length;
  for (let k = 0; k < 240 && world.sleepingCount < sleepers; k++) world.step();
  expect(world.sleepingCount).toBe(sleepers);
  s.before = world.getPosition(box, [0, 0, 0]);
  return s;
}

const v = (s: Scene, axis: number) => s.world.getLinearVelocity(s.box, [0, 0, 0])[axis]!;
const w = (s: Scene, axis: number) => s.world.getAngularVelocity(s.box, [0, 0, 0])[axis]!;
const told = (s: Scene, kind: string) =>
  Array.from({ length: s.world.events.count }, (_, i) => s.world.events.kind(i)).filter((other) => other === kind).length;
const x = (s: Scene, axis: number) => s.world.getPosition(s.box, [0, 0, 0])[axis]! - s.before[axis]!;
const above = (value: number, bound: number) => expect(value).toBeGreaterThan(bound);
const below = (value: number, bound: number) => expect(value).toBeLessThan(bound);

/** What it does under its weight alone. */
const falls = (s: Scene) => below(v(s, 1), -0.1);
const rises = (s: Scene) => above(v(s, 1), 0.02);
const slides = (s: Scene) => above(v(s, 0), 0.03);
const rests = (s: Scene) => below(Math.hypot(v(s, 0), v(s, 1), v(s, 2)), 0.02);
const heavy = MASS * 60;
const collider = (changes: Partial<ColliderDesc>) => (s: Scene) => s.world.setCollider(s.ground, changes);
const own = (changes: Partial<ColliderDesc>) => (s: Scene) => s.world.setCollider(s.skin, changes);
const material = (changes: MaterialDesc) => (s: Scene) => s.world.setMaterial(s.ground, changes);
const FREE: readonly Situation[] = ['resting', 'sleeping', 'touching'];
const HELD: readonly Situation[] = ['jointed', 'jointed asleep'];
const AWAKE: readonly Situation[] = ['resting', 'touching', 'jointed'];

const rows: Row[] = [
  // Bodies.
  { name: 'teleport', of: ['teleport'], set: (s) => s.world.teleport(s.box, [0, 2, 0]), felt: (s) => above(x(s, 1), 0.5) },
  {
    name: 'teleport of the floor',
    of: ['teleport'],
    set: (s) => s.world.teleport(s.floor, [0, -30, 0]),
    felt: falls,
  },
  { name: 'velocity', of: ['setVelocity'], set: (s) => s.world.setVelocity(s.box, [0, 4, 0]), felt: (s) => above(v(s, 1), 1) },
  {
    name: 'linear velocity',
    of: ['setLinearVelocity'],
    set: (s) => s.world.setLinearVelocity(s.box, [0, 4, 0]),
    felt: (s) => above(v(s, 1), 1),
  },
  {
    name: 'angular velocity',
    of: ['setAngularVelocity'],
    set: (s) => s.world.setAngularVelocity(s.box, [0, 8, 0]),
    felt: (s) => above(w(s, 1), 0.1),
  },
  {
    name: 'target of a kinematic body',
    of: ['moveKinematic', 'setType'],
    set: (s) => {
      s.world.setType(s.floor, 'kinematic');
      s.world.moveKinematic(s.floor, [0, -0.45, 0]);
    },
    felt: (s) => above(x(s, 1), 0.03),
  },
  { name: 'force', of: ['addForce'], set: (s) => s.world.addForce(s.box, [0, heavy, 0]), felt: rises },
  {
    name: 'force at a point',
    of: ['addForce'],
    set: (s) => s.world.addForce(s.box, [0, heavy, 0], [0, 0.5, 0.1]),
    felt: rises,
  },
  {
    name: 'torque',
    of: ['addTorque'],
    set: (s) => s.world.addTorque(s.box, [0, 50 * MASS, 0]),
    felt: (s) => above(w(s, 1), 0.01),
  },
  { name: 'impulse', of: ['applyImpulse'], set: (s) => s.world.applyImpulse(s.box, [0, 4 * MASS, 0]), felt: rises },
  {
    name: 'angular impulse',
    of: ['applyAngularImpulse'],
    set: (s) => s.world.applyAngularImpulse(s.box, [0, 4 * MASS, 0]),
    felt: (s) => above(w(s, 1), 0.1),
  },
  {
    name: 'explosion',
    of: ['applyExplosion'],
    set: (s) => void s.world.applyExplosion({ position: [0, -0.5, 0], radius: 4, impulse: 8 * MASS }),
    felt: rises,
  },
  {
    name: 'gravity field',
    of: ['applyGravityField'],
    set: (s) => s.world.applyGravityField({ position: [0, 100, 0], strength: 40, reference: 100 }),
    felt: rises,
  },
  { name: 'buoyancy', of: ['applyBuoyancy'], set: (s) => s.world.applyBuoyancy({ level: 5, density: 4000 }), felt: rises },
  { name: 'gravity scale', of: ['setGravityScale'], set: (s) => s.world.setGravityScale(s.box, -4), felt: rises },
  {
    name: 'damping',
    of: ['setDamping'],
    set: (s) => {
      s.world.setDamping(s.box, 600, 0);
      s.world.setVelocity(s.box, [0, 4, 0]);
    },
    felt: (s) => below(v(s, 1), 1.2),
  },
  {
    name: 'speed limits',
    of: ['setSpeedLimits'],
    set: (s) => {
      s.world.setSpeedLimits(s.box, { linear: 0.1 });
      s.world.setVelocity(s.box, [0, 4, 0]);
    },
    felt: (s) => below(v(s, 1), 0.1001),
  },
  {
    name: 'locks',
    of: ['setLocks'],
    set: (s) => {
      s.world.setLocks(s.box, { translation: 'xyz' });
      s.world.setVelocity(s.box, [0, 4, 0]);
    },
    felt: (s) => expect(v(s, 1)).toBe(0),
  },
  {
    name: 'locks of a body whose floor goes',
    of: ['setLocks'],
    set: (s) => {
      s.world.setLocks(s.box, { translation: 'xyz', rotation: 'xyz' });
      s.world.removeBody(s.floor);
    },
    felt: (s) => expect(x(s, 1)).toBe(0),
  },
  {
    name: 'bullet',
    of: ['setBullet'],
    at: FREE,
    // Thin plates that meet within a step, each slower than its size: only a bullet stops there.
    set: (s) => {
      const thin = s.world.createShape({ type: 'box', halfExtents: [0.6, 0.01, 0.6] });
      const pan = s.world.createBody({ shape: thin, mass: 1e6, position: [0, 1.6, 0], gravityScale: 0 });
      s.world.setBullet(s.box, true);
      s.world.setVelocity(s.box, [0, 40, 0]);
      s.world.setVelocity(pan, [0, 0, 0]);
    },
    felt: (s) => below(x(s, 1), 0.65),
  },
  { name: 'disabled floor', of: ['setEnabled'], set: (s) => s.world.setEnabled(s.floor, false), felt: falls },
  {
    name: 'enabled again',
    of: ['setEnabled'],
    set: (s) => {
      s.world.setEnabled(s.box, false);
      s.world.setEnabled(s.box, true);
      s.world.setVelocity(s.box, [0, -4, 0]);
    },
    felt: (s) => above(x(s, 1), -0.01),
  },
  { name: 'wake', of: ['wake'], set: (s) => s.world.wake(s.box), felt: (s) => expect(s.world.isAsleep(s.box)).toBe(false) },
  {
    name: 'sleep',
    of: ['sleep'],
    settings: { sleep: true, sleepTime: 1e3 },
    at: AWAKE,
    set: (s) => s.world.sleep(s.box),
    felt: (s) => {
      expect(s.world.isAsleep(s.box)).toBe(true);
      expect(x(s, 1)).toBe(0);
    },
  },
  {
    name: 'no sleep allowed',
    of: ['setAllowSleep'],
    set: (s) => s.world.setAllowSleep(s.box, false),
    felt: (s) => expect(s.world.isAsleep(s.box)).toBe(false),
  },
  {
    name: 'mass',
    of: ['setMass'],
    set: (s) => {
      s.world.setMass(s.box, 1e6);
      s.world.applyImpulse(s.box, [0, 4 * MASS, 0]);
    },
    felt: (s) => below(v(s, 1), 0.005),
  },
  {
    name: 'center of mass beyond the edge',
    of: ['setMass'],
    at: FREE,
    set: (s) => s.world.setMass(s.box, { mass: MASS, center: [0.8, 0, 0], inertia: [170, 170, 170, 0, 0, 0] }),
    felt: (s) => below(w(s, 2), -0.05),
  },
  { name: 'type of the floor', of: ['setType'], set: (s) => s.world.setType(s.floor, 'dynamic'), felt: falls },
  {
    name: 'type of the box',
    of: ['setType'],
    set: (s) => {
      s.world.setType(s.box, 'static');
      s.world.removeBody(s.floor);
    },
    felt: (s) => expect(x(s, 1)).toBe(0),
  },
  { name: 'body removed', of: ['removeBody'], set: (s) => s.world.removeBody(s.floor), felt: falls },
  {
    name: 'body made inside',
    of: ['createBody'],
    set: (s) => void s.world.createBody({ type: 'static', shape: s.cube, position: [-0.9, 0.5, 0] }),
    felt: (s) => above(v(s, 0), 0.1),
  },
  {
    name: 'bodies made inside',
    of: ['createBodies'],
    set: (s) => void s.world.createBodies({ count: 1, type: 'static', shape: s.cube, positions: [-0.9, 0.5, 0] }),
    felt: (s) => above(v(s, 0), 0.1),
  },
  // Colliders.
  {
    name: 'collider added',
    of: ['addCollider'],
    set: (s) => void s.world.addCollider(s.floor, { shape: s.cube, position: [-0.9, 1, 0] }),
    felt: (s) => above(v(s, 0), 0.1),
  },
  {
    name: 'collider removed',
    of: ['removeCollider'],
    set: (s) => s.world.removeCollider(s.ground),
    felt: falls,
  },
  { name: 'shape', of: ['setCollider'], set: (s) => s.world.setCollider(s.ground, { shape: s.plate }), felt: falls },
  {
    name: 'own shape',
    of: ['setCollider'],
    set: (s) => s.world.setCollider(s.skin, { shape: s.world.createShape({ type: 'sphere', radius: 0.2 }) }),
    felt: falls,
    at: FREE,
  },
  { name: 'position', of: ['setCollider'], set: collider({ position: [0, -1, 0] }), felt: falls },
  {
    name: 'rotation',
    of: ['setCollider'],
    set: collider({ rotation: [0, 0, -Math.sin(0.2), Math.cos(0.2)] }),
    felt: (s) => above(Math.abs(v(s, 1)) + Math.abs(w(s, 2)), 0.05),
  },
  {
    name: 'density',
    of: ['setCollider'],
    at: FREE,
    prepare: (s) => s.world.setMass(s.box, undefined),
    set: (s) => {
      s.world.setCollider(s.skin, { density: 1e5 });
      s.world.applyImpulse(s.box, [0, 4 * MASS, 0]);
    },
    felt: (s) => below(v(s, 1), 0.05),
  },
  {
    name: 'mass of a collider',
    of: ['setCollider'],
    at: FREE,
    prepare: (s) => s.world.setMass(s.box, undefined),
    set: (s) => {
      s.world.setCollider(s.skin, { mass: 1e5 });
      s.world.applyImpulse(s.box, [0, 4 * MASS, 0]);
    },
    felt: (s) => below(v(s, 1), 0.05),
  },
  { name: 'sensor', of: ['setCollider'], set: collider({ sensor: true }), felt: falls },
  { name: 'sensor no more', of: ['setCollider'], ground: { oneWay: [0, 1, 0] }, set: collider({ sensor: true }), felt: falls },
  { name: 'disabled collider', of: ['setCollider'], set: collider({ enabled: false }), felt: falls },
  { name: 'surface velocity', of: ['setCollider'], set: collider({ surfaceVelocity: [2, 0, 0] }), felt: slides },
  {
    name: 'surface velocity against the slope, taken off',
    of: ['setCollider'],
    ground: { friction: 1, surfaceVelocity: [0, 0, 1e-9] },
    set: collider({ surfaceVelocity: [-2, 0, 0] }),
    felt: (s) => below(v(s, 0), -0.03),
  },
  {
    name: 'surface spin',
    of: ['setCollider'],
    set: collider({ surfaceSpin: [0, 4, 0] }),
    prepare: (s) => s.world.teleport(s.floor, [0, -0.5, -4]),
    felt: slides,
  },
  { name: 'one way, down', of: ['setCollider'], set: collider({ oneWay: [0, -1, 0] }), felt: falls },
  {
    name: 'one way, from up to down',
    of: ['setCollider'],
    ground: { oneWay: [0, 1, 0] },
    set: collider({ oneWay: [0, -1, 0] }),
    felt: falls,
  },
  {
    name: 'one way of the box itself',
    of: ['setCollider'],
    at: FREE,
    set: own({ oneWay: [0, 1, 0] }),
    felt: falls,
  },
  {
    name: 'one way, of a bar that bodies pass, taken off',
    of: ['setCollider'],
    prepare: (s) => {
      const body = s.world.createBody({ type: 'static', shape: s.cube, position: [-0.9, 0.5, 0], oneWay: [-1, 0, 0] });
      s.ground = s.world.collidersOf(body)[0]!;
    },
    set: collider({ oneWay: [0, 0, 0] }),
    felt: (s) => above(v(s, 0), 0.1),
  },
  { name: 'friction', of: ['setMaterial', 'setCollider'], set: material({ friction: 0, frictionCombine: 'min' }), felt: slides },
  { name: 'friction of a collider', of: ['setCollider'], set: collider({ friction: 0 }), felt: slides },
  {
    name: 'combine rule of friction',
    of: ['setMaterial'],
    body: { friction: 0, frictionCombine: 'average' },
    ground: { friction: 0.8, frictionCombine: 'max' },
    set: material({ frictionCombine: 'average', friction: 0 }),
    felt: slides,
  },
  {
    name: 'restitution',
    of: ['setMaterial'],
    set: (s) => {
      s.world.setMaterial(s.ground, { restitution: 1, restitutionCombine: 'max' });
      for (const id of [s.box, s.mate]) s.world.setVelocity(id, [0, -4, 0]);
    },
    felt: (s) => above(v(s, 1), 2),
  },
  {
    name: 'rolling resistance',
    of: ['setMaterial'],
    round: true,
    at: FREE,
    body: { rollingResistance: 1 },
    ground: { rollingResistance: 1 },
    set: material({ rollingResistance: 0, rollingResistanceCombine: 'min' }),
    felt: (s) => below(w(s, 2), -0.02),
  },
  {
    name: 'spinning friction',
    of: ['setMaterial'],
    at: FREE,
    round: true,
    body: { rollingResistance: 1 },
    ground: { rollingResistance: 1 },
    set: (s) => {
      s.world.setMaterial(s.ground, { spinningFriction: 1, spinningFrictionCombine: 'max' });
      s.world.setAngularVelocity(s.box, [0, 0.5, 0]);
    },
    felt: (s) => below(w(s, 1), 0.3),
  },
  { name: 'mask', of: ['setMaterial'], set: material({ mask: 0 }), felt: falls },
  { name: 'category', of: ['setMaterial'], body: { mask: 1 }, set: material({ category: 2 }), felt: falls },
  {
    name: 'group with a rule',
    of: ['setMaterial', 'setContactRule'],
    prepare: (s) => s.world.setContactRule(0, 5, { collide: false }),
    set: material({ group: 5 }),
    felt: falls,
  },
  {
    name: 'rule: no collision',
    of: ['setContactRule'],
    set: (s) => s.world.setContactRule(0, 0, { collide: false }),
    felt: falls,
  },
  { name: 'rule: friction', of: ['setContactRule'], set: (s) => s.world.setContactRule(0, 0, { friction: 0 }), felt: slides },
  {
    name: 'rule taken off',
    of: ['setContactRule'],
    ground: { friction: 0 },
    body: { friction: 0 },
    prepare: (s) => s.world.setContactRule(0, 0, { friction: 1 }),
    set: (s) => s.world.setContactRule(0, 0, null),
    felt: slides,
  },
  {
    name: 'rule: restitution',
    of: ['setContactRule'],
    set: (s) => {
      s.world.setContactRule(0, 0, { restitution: 1 });
      for (const id of [s.box, s.mate]) s.world.setVelocity(id, [0, -4, 0]);
    },
    felt: (s) => above(v(s, 1), 2),
  },
  {
    name: 'rule: rolling resistance',
    of: ['setContactRule'],
    at: FREE,
    round: true,
    body: { rollingResistance: 1 },
    ground: { rollingResistance: 1 },
    set: (s) => s.world.setContactRule(0, 0, { rollingResistance: 0 }),
    felt: (s) => below(w(s, 2), -0.02),
  },
  {
    name: 'rule: spinning friction',
    of: ['setContactRule'],
    at: FREE,
    round: true,
    body: { rollingResistance: 1 },
    ground: { rollingResistance: 1 },
    set: (s) => {
      s.world.setContactRule(0, 0, { spinningFriction: 1 });
      s.world.setAngularVelocity(s.box, [0, 0.5, 0]);
    },
    felt: (s) => below(w(s, 1), 0.3),
  },
  {
    name: 'persist events',
    of: ['setColliderEvents'],
    at: AWAKE,
    set: (s) => s.world.setColliderEvents(s.skin, { persistEvents: true }),
    felt: (s) => expect(told(s, 'persist')).toBe(1),
  },
  {
    name: 'persist events by setCollider',
    of: ['setCollider'],
    at: AWAKE,
    set: own({ persistEvents: true }),
    felt: (s) => expect(told(s, 'persist')).toBe(1),
  },
  {
    name: 'hit events',
    of: ['setColliderEvents'],
    set: (s) => {
      s.world.setColliderEvents(s.skin, { hitSpeed: 0.5 });
      for (const id of [s.box, s.mate]) s.world.setVelocity(id, [0, -4, 0]);
    },
    felt: (s) => expect(told(s, 'hit')).toBe(1),
  },
  {
    name: 'what a sensor sees',
    of: ['setColliderEvents'],
    prepare: (s) => {
      const body = s.world.createBody({ type: 'static', shape: s.cube, position: [9, 0, 0], sensor: true });
      s.ground = s.world.collidersOf(body)[0]!;
    },
    set: (s) => s.world.setColliderEvents(s.ground, { seesStatic: true }),
    felt: (s) => expect(s.world.events.count).toBe(1),
  },
  // Joints.
  {
    name: 'joint made, with a motor',
    of: ['createJoint'],
    set: (s) => {
      const motor = { velocity: 1 };
      s.world.createJoint({ type: 'slider', bodyB: s.box, anchor: [0, 0.5, 0], axis: [0, 1, 0], motor });
    },
    felt: (s) => above(v(s, 1), 0.5),
  },
  {
    name: 'joint removed',
    of: ['removeJoint'],
    at: HELD,
    prepare: (s) => {
      s.world.setType(s.mate, 'static');
      s.world.setMaterial(s.ground, { mask: 0 });
    },
    set: (s) => s.world.removeJoint(s.joint!),
    felt: falls,
  },
  {
    name: 'joint disabled',
    of: ['setJoint'],
    at: HELD,
    prepare: (s) => {
      s.world.setType(s.mate, 'static');
      s.world.setMaterial(s.ground, { mask: 0 });
    },
    set: (s) => s.world.setJoint(s.joint!, { enabled: false }),
    felt: falls,
  },
  ...(
    [
      ['motor', { motor: { velocity: 1 } }, (s) => above(v(s, 1), 0.2)],
      ['spring', { spring: { frequency: 4, target: 1 } }, rises],
      ['limit', { limit: { min: 0.3, max: 0.6 } }, (s) => above(x(s, 1), 0.05)],
      ['anchor', { anchorB: [0, -0.5, 0], limit: { min: 0, max: 0 } }, (s) => above(x(s, 1), 1e-4)],
    ] as [string, object, Row['felt']][]
  ).map(
    ([name, changes, felt]): Row => ({
      name: `joint: ${name}`,
      of: ['setJoint'],
      at: HELD,
      joint: { type: 'slider', axis: [0, 1, 0] },
      prepare: (s) => s.world.setType(s.mate, 'static'),
      set: (s) => s.world.setJoint(s.joint!, changes),
      felt,
    }),
  ),
  {
    name: 'joint: collisions of its bodies',
    of: ['setJoint'],
    at: HELD,
    joint: { type: 'slider', axis: [0, 0, 1], motor: { velocity: 0 } },
    prepare: (s) => s.world.addCollider(s.mate, { shape: s.cube, position: [0, 0, -0.6], density: 1 }),
    set: (s) => s.world.setJoint(s.joint!, { collide: true, motor: null }),
    felt: (s) => below(v(s, 2), -0.02),
  },
  {
    name: 'joint: friction lever and torque, at a break force',
    of: ['setJoint'],
    at: HELD,
    prepare: (s) => {
      s.world.setType(s.mate, 'static');
      s.world.setMaterial(s.ground, { mask: 0 });
    },
    set: (s) => s.world.setJoint(s.joint!, { breakForce: 100 }),
    felt: (s) => expect(s.world.getJoint(s.joint!).broken).toBe(true),
    steps: 2,
  },
  // Settings.
  { name: 'gravity', of: ['set', 'gravity'], set: (s) => s.world.set({ gravity: [0, 9, 0] }), felt: rises },
  {
    name: 'length of a step',
    of: ['dt'],
    set: (s) => {
      s.world.set({ dt: 1 / 240 });
      for (const id of [s.box, s.mate]) s.world.setVelocity(id, [0, 4, 0]);
    },
    felt: (s) => below(x(s, 1), 4.5 / 240),
  },
  {
    name: 'largest speed',
    of: ['maxLinearSpeed'],
    set: (s) => {
      s.world.set({ maxLinearSpeed: 1 });
      s.world.setVelocity(s.box, [0, 4, 0]);
    },
    felt: (s) => below(v(s, 1), 1.0001),
  },
  {
    name: 'largest spin',
    of: ['maxAngularSpeed'],
    set: (s) => {
      s.world.set({ maxAngularSpeed: 1 });
      s.world.setAngularVelocity(s.box, [0, 8, 0]);
    },
    felt: (s) => below(w(s, 1), 1.0001),
  },
  {
    name: 'sleep turned off',
    of: ['sleep'],
    set: (s) => s.world.set({ sleep: false }),
    felt: (s) => expect(s.world.sleepingCount).toBe(0),
  },
  {
    name: 'sleep turned on, at once',
    of: ['sleepTime', 'sleepSpeed'],
    at: ['resting', 'jointed'],
    set: (s) => s.world.set({ sleep: true, sleepTime: DT / 2, sleepSpeed: 0.5 }),
    steps: 2,
    felt: (s) => expect(s.world.sleepingCount).toBe(2),
  },
  {
    name: 'sleep events',
    of: ['sleepEvents'],
    at: ['sleeping', 'jointed asleep'],
    set: (s) => {
      s.world.set({ sleepEvents: true });
      s.world.wake(s.box);
    },
    felt: (s) => above(s.world.events.wakes.count, 0),
  },
  {
    name: 'least speed of a hit',
    of: ['hitSpeed'],
    set: (s) => {
      s.world.set({ hitSpeed: 0.5 });
      for (const id of [s.box, s.mate]) s.world.setVelocity(id, [0, -4, 0]);
    },
    felt: (s) => above(told(s, 'hit'), 0),
  },
  {
    name: 'threshold of restitution',
    of: ['restitutionThreshold'],
    ground: { restitution: 1, restitutionCombine: 'max' },
    settings: { restitutionThreshold: 10 },
    set: (s) => {
      s.world.set({ restitutionThreshold: 0.5 });
      for (const id of [s.box, s.mate]) s.world.setVelocity(id, [0, -4, 0]);
    },
    felt: (s) => above(v(s, 1), 2),
  },
  {
    name: 'push speed',
    of: ['pushSpeed'],
    set: (s) => {
      s.world.set({ pushSpeed: 0.05 });
      for (const id of [s.box, s.mate]) s.world.teleport(id, [0, 0.3, id === s.box ? 0 : 1.5]);
    },
    felt: (s) => below(s.world.getPosition(s.box, [0, 0, 0])[1]! - 0.3, 0.01),
  },
  // What a pile at rest does not show, it bears.
  ...(
    [
      { speculativeMargin: 0.05 },
      { recycleDistance: 0 },
      { substeps: 4 },
      { sweeps: 2 },
      { warmStart: 0.9 },
      { contactHertzRatio: 0.1 },
      { dampingRatio: 5 },
      { linearSlop: 0.001 },
      { preset: 'high' },
      { solver: 'cell-split' },
      { cellBodyCap: 32, granularity: 64, seed: 5 },
      { threads: 1 },
    ] as Partial<WorldSettings>[]
  ).map((settings) => ({
    name: JSON.stringify(settings),
    of: Object.keys(settings),
    at: ['resting', 'sleeping', 'jointed', 'jointed asleep'] as const,
    set: (s: Scene) => s.world.set(settings),
    felt: (s: Scene) => {
      rests(s);
      expect(s.world.settings).toMatchObject(settings);
    },
  })),
];

test.each(rows.map((row) => [row.name, row] as const))('%s', async (_, row) => {
  for (const situation of row.at ?? SITUATIONS) {
    const s = await scene(situation, row);
    row.set(s);
    for (let k = 0; k < (row.steps ?? 1); k++) s.world.step();
    try {
      row.felt(s);
    } catch (error) {
      throw new Error(`${situation}: ${(error as Error).message}`);
    }
    s.world.dispose();
  }
});

test('the table has every call and every setting that changes something', () => {
  const told = new Set(rows.flatMap((row) => row.of));
  // Labels of callers, shapes that nobody has, what makes a step, what callers run before it, and what replaces the state.
  const others = ['setTag', 'setUserData', 'setBackend', 'createShape', 'removeShape', 'addController', 'restore'];
  const calls: string[] = [];
  for (let p = WorldClass.prototype; p && p !== Object.prototype; p = Object.getPrototypeOf(p)) {
    calls.push(...Object.getOwnPropertyNames(p));
  }
  const setters = calls.filter((name) =>
    /^(set[A-Z]|set$|add|apply[A-RT-Z]|create|remove|teleport|move[A-Z]|wake$|sleep$|restore$)/.test(name),
  );
  expect(setters.filter((name) => !told.has(name) && !others.includes(name))).toEqual([]);
});
