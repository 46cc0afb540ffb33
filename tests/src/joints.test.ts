// Joints as the host sees them: what is refused and why, their life and ids, settings that are read back, pairs that they keep
// apart, clones, steps in flight, events, debug lines.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type BodyId,
  createWorld,
  type JointDesc,
  type JointId,
  type JointType,
  TalusError,
  type TalusErrorCode,
  type World,
} from '../../src/index';
import { EventRow, HEADER_PTR, Header, JOINT_BROKEN, JOINT_ENABLED, Joint } from '../../src/layout.generated';
import { checkTakesJoints } from '../../src/options/options';
import { createWorld as createStudy } from '../../src/study/index';
import { SOLVER_NAMES } from '../../src/study/options';
import { useDevice } from '../helpers/gpu';

// biome-ignore lint/suspicious/noExplicitAny: wrong types and internals are the subject
type Wrong = any;

const memoryOf = (world: World) => (world as Wrong).memory.memory as WebAssembly.Memory;

/** All of linear memory and what the host keeps beside it. */
function snapshot(world: World): string {
  let hash = 2166136261;
  for (const word of new Uint32Array(memoryOf(world).buffer)) hash = Math.imul(hash ^ word, 16777619);
  return JSON.stringify([hash, world.settings]);
}

/** The call is refused with this code, the message mentions `words`, and nothing has changed. */
function refuses(world: World, code: TalusErrorCode, words: RegExp, call: () => unknown): void {
  const before = snapshot(world);
  let error: unknown;
  try {
    call();
  } catch (caught) {
    error = caught;
  }
  expect(error, String(call)).toBeInstanceOf(TalusError);
  expect((error as TalusError).message).toMatch(words);
  expect((error as TalusError).code, (error as Error).message).toBe(code);
  expect(snapshot(world)).toBe(before);
}

const expectNear = (actual: number[], expected: number[]) => {
  for (const [i, x] of expected.entries()) expect(actual[i]).toBeCloseTo(x, 6);
};

interface Scene {
  world: World;
  a: BodyId;
  b: BodyId;
  floor: BodyId;
  lift: BodyId;
}

async function scene(options = {}): Promise<Scene> {
  const world = await createWorld({ gravity: [0, 0, 0], ...options });
  const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const s = Math.SQRT1_2;
  return {
    world,
    a: world.createBody({ shape, position: [0, 3, 0] }),
    b: world.createBody({ shape, position: [2, 3, 0], rotation: [0, 0, s, s] }),
    floor: world.createBody({ type: 'static', shape, position: [0, -5, 0] }),
    lift: world.createBody({ type: 'kinematic', shape, position: [9, 0, 0] }),
  };
}

/** A good description of each type. */
const GOOD: Record<JointType, (s: Scene) => JointDesc> = {
  ball: ({ a, b }) => ({ type: 'ball', bodyA: a, bodyB: b, anchor: [1, 3, 0] }),
  hinge: ({ a, b }) => ({
    type: 'hinge',
    bodyA: a,
    bodyB: b,
    anchor: [1, 3, 0],
    axis: [0, 0, 2],
    limit: { min: -7, max: 0.5 },
    motor: { velocity: 2, maxForce: 50 },
    friction: 0.5,
    frictionLever: 1 / 128,
    frictionTorque: 1,
    breakForce: 1000,
    breakTorque: 2000,
  }),
  fixed: ({ a, b }) => ({ type: 'fixed', bodyA: a, bodyB: b, anchorA: [1, 0, 0], anchorB: [0, 1, 0], collide: true }),
  slider: ({ b }) => ({
    type: 'slider',
    bodyB: b,
    anchor: [2, 3, 0],
    axis: [0, 1, 0],
    limit: { min: -1, max: 1 },
    spring: { target: 0.5, frequency: 2, dampingRatio: 0.25 },
  }),
  cylindrical: ({ a, b }) => ({
    type: 'cylindrical',
    bodyA: a,
    bodyB: b,
    anchor: [1, 3, 0],
    axisA: [0, 0, 1],
    axisB: [0, 0, 1],
    limit: { min: 0, max: 2 },
    twist: { motor: { velocity: 5 }, friction: 2 },
  }),
  'cone-twist': ({ a, b }) => ({
    type: 'cone-twist',
    bodyA: a,
    bodyB: b,
    anchor: [1, 3, 0],
    axis: [1, 0, 0],
    cone: 0.5,
    limit: { min: -0.25, max: 0.25 },
    spring: { stiffness: 100, damping: 5, maxForce: 30 },
  }),
  distance: ({ a, b }) => ({ type: 'distance', bodyA: a, bodyB: b, anchorA: [0, 0, 0], anchorB: [0, 0, 0], length: 2 }),
  'six-axis': ({ a, b }) => ({
    type: 'six-axis',
    bodyA: a,
    bodyB: b,
    anchor: [1, 3, 0],
    axes: {
      x: { locked: true },
      y: { limit: { min: -1, max: 1 }, friction: 3 },
      swingX: { limit: { min: -Math.PI, max: 1 } },
      swingY: { spring: { target: 1, frequency: 3 } },
      twist: { motor: { velocity: 1 } },
    },
  }),
  wheel: ({ a, b }) => ({
    type: 'wheel',
    bodyA: a,
    bodyB: b,
    anchor: [2, 3, 0],
    axis: [0, 0, 1],
    limit: { min: -0.25, max: 0.25 },
    spring: { frequency: 2, dampingRatio: 0.5 },
    twist: { motor: { velocity: 10, maxForce: 100 } },
    steering: 0.25,
  }),
  gear: ({ a, b }) => ({ type: 'gear', bodyA: a, bodyB: b, axisA: [0, 0, 1], axisB: [0, 1, 0], ratio: -2 }),
  pulley: ({ a, b }) => ({
    type: 'pulley',
    bodyA: a,
    bodyB: b,
    anchorA: [0, 0.5, 0],
    anchorB: [0.5, 0, 0],
    groundA: [0, 10, 0],
    groundB: [2, 10, 0],
    ratio: 2,
  }),
};
const TYPES = Object.keys(GOOD) as JointType[];

describe('refused, and nothing changes', () => {
  let s: Scene;
  let joint: JointId;
  let rope: JointId;
  let foreign: Scene;
  beforeAll(async () => {
    s = await scene();
    joint = s.world.createJoint(GOOD.hinge(s));
    rope = s.world.createJoint({ ...GOOD.distance(s), length: undefined, limit: { min: 0, max: 3 } } as Wrong);
    s.world.step();
    foreign = await scene();
  });

  const good = (type: JointType, more: object = {}) => ({ ...GOOD[type](s), ...more });
  /** Without some fields. */
  const bare = (type: JointType, ...keys: string[]) =>
    Object.fromEntries(Object.entries(GOOD[type](s)).filter(([key]) => !keys.includes(key)));

  test.each<[string, () => Wrong, TalusErrorCode, RegExp]>([
    ['no description', () => undefined, 'invalid-argument', /joint must be an object/],
    ['an array', () => [], 'invalid-argument', /object/],
    ['no type', () => ({}), 'invalid-argument', /joint.type must be one of 'ball', 'hinge'/],
    ['unknown type', () => good('ball', { type: 'spring' }), 'invalid-argument', /'cone-twist'.*got 'spring'/],
    ['unknown key', () => good('ball', { ancor: [0, 0, 0] }), 'invalid-argument', /no 'ancor'/],
    [
      'a key of other types',
      () => good('ball', { motor: { velocity: 1 } }),
      'invalid-argument',
      /motor does not apply to type 'ball'/,
    ],
    [
      'cone of a hinge',
      () => good('hinge', { cone: 1 }),
      'invalid-argument',
      /cone does not apply to type 'hinge', which takes .*limit/,
    ],
    ['axes of a hinge', () => good('hinge', { axes: {} }), 'invalid-argument', /axes does not apply/],
    ['anchor of a gear', () => good('gear', { anchor: [0, 0, 0] }), 'invalid-argument', /anchor does not apply/],
    ['no bodyB', () => bare('ball', 'bodyB'), 'invalid-argument', /bodyB must be the id of a body/],
    ['bodyB null', () => good('ball', { bodyB: null }), 'invalid-argument', /the world is bodyA: null/],
    ['bodyB a number', () => good('ball', { bodyB: 7 }), 'stale-handle', /body 7 does not exist/],
    ['bodyA an object', () => good('ball', { bodyA: {} }), 'stale-handle', /not the id of a body/],
    ['a body of another world', () => good('ball', { bodyA: foreign.a }), 'stale-handle', /another world/],
    ['a joint for a body', () => good('ball', { bodyA: joint }), 'stale-handle', /id of a joint, but the id of a body/],
    ['a body with itself', () => good('ball', { bodyA: s.b }), 'invalid-argument', /both/],
    ['both static', () => good('ball', { bodyA: null, bodyB: s.floor }), 'invalid-argument', /needs a body that can move/],
    ['gear to the world', () => good('gear', { bodyA: null }), 'invalid-argument', /bodyA is missing: a gear/],
    ['pulley to the world', () => bare('pulley', 'bodyA'), 'invalid-argument', /bodyA is missing: a pulley/],
    ['no anchor', () => bare('ball', 'anchor'), 'invalid-argument', /anchor is missing.*anchorA and anchorB/],
    ['no anchorB', () => bare('fixed', 'anchorB'), 'invalid-argument', /anchorB must be/],
    ['no anchorA', () => bare('fixed', 'anchorA'), 'invalid-argument', /anchorA must be/],
    ['anchor and anchorA', () => good('ball', { anchorA: [0, 0, 0] }), 'invalid-argument', /anchor is for both bodies/],
    ['anchor NaN', () => good('ball', { anchor: [0, Number.NaN, 0] }), 'invalid-argument', /anchor\[1\]/],
    ['anchor short', () => good('ball', { anchor: [0, 0] }), 'invalid-argument', /3 numbers/],
    ['no axis', () => bare('hinge', 'axis'), 'invalid-argument', /axis is missing: give joint.axis, or axisA and axisB/],
    ['axis zero', () => good('hinge', { axis: [0, 0, 0] }), 'invalid-argument', /axis must not be zero/],
    ['axis NaN', () => good('hinge', { axis: [0, 0, Number.NaN] }), 'invalid-argument', /axis\[2\]/],
    ['axisB missing', () => bare('gear', 'axisB'), 'invalid-argument', /axisB/],
    ['axisB zero', () => good('gear', { axisB: [0, 0, 0] }), 'invalid-argument', /axisB must not be zero/],
    ['two ways to say the axis', () => good('hinge', { frameA: [0, 0, 0, 1] }), 'invalid-argument', /give one of/],
    [
      'frame of length 0',
      () => good('fixed', { frameA: [0, 0, 0, 0], frameB: [0, 0, 0, 1] }),
      'invalid-argument',
      /frameA.*length is zero/,
    ],
    ['frame short', () => good('fixed', { frameA: [0, 0, 1], frameB: [0, 0, 0, 1] }), 'invalid-argument', /4 numbers/],
    ['frameB missing', () => good('fixed', { frameA: [0, 0, 0, 1] }), 'invalid-argument', /frameB/],
    [
      'min above max',
      () => good('hinge', { limit: { min: 1, max: 0 } }),
      'invalid-argument',
      /limit.min is more than max: 1 > 0/,
    ],
    ['limit without max', () => good('hinge', { limit: { min: 1 } }), 'invalid-argument', /limit.max must be a finite number/],
    ['limit NaN', () => good('hinge', { limit: { min: Number.NaN, max: 0 } }), 'invalid-argument', /limit.min/],
    ['limit of infinity', () => good('hinge', { limit: { min: 0, max: Infinity } }), 'invalid-argument', /limit.max/],
    ['limit a number', () => good('hinge', { limit: 3 }), 'invalid-argument', /limit must be an object/],
    ['limit false', () => good('hinge', { limit: false }), 'invalid-argument', /limit must be { min, max } or null/],
    ['limit misspelled', () => good('hinge', { limit: { lower: 0, max: 1 } }), 'invalid-argument', /no 'lower'/],
    ['motor without velocity', () => good('hinge', { motor: {} }), 'invalid-argument', /motor.velocity/],
    ['motor NaN', () => good('hinge', { motor: { velocity: Number.NaN } }), 'invalid-argument', /motor.velocity/],
    ['motor force negative', () => good('hinge', { motor: { velocity: 1, maxForce: -1 } }), 'invalid-argument', /motor.maxForce/],
    ['motor and spring', () => good('hinge', { spring: { frequency: 1 } }), 'invalid-argument', /a motor and a spring/],
    ['spring of nothing', () => good('slider', { spring: {} }), 'invalid-argument', /needs frequency \(Hz\) or stiffness/],
    ['spring both ways', () => good('slider', { spring: { frequency: 1, damping: 1 } }), 'invalid-argument', /not both/],
    ['frequency 0', () => good('slider', { spring: { frequency: 0 } }), 'invalid-argument', /frequency/],
    [
      'damping ratio negative',
      () => good('slider', { spring: { frequency: 1, dampingRatio: -1 } }),
      'invalid-argument',
      /dampingRatio/,
    ],
    ['damping alone', () => good('slider', { spring: { damping: 1 } }), 'invalid-argument', /needs frequency/],
    ['stiffness negative', () => good('slider', { spring: { stiffness: -1 } }), 'invalid-argument', /stiffness/],
    ['friction negative', () => good('hinge', { friction: -1 }), 'invalid-argument', /friction/],
    ['lever negative', () => good('ball', { frictionLever: -1 }), 'invalid-argument', /frictionLever/],
    ['cone negative', () => good('cone-twist', { cone: -0.1 }), 'invalid-argument', /cone/],
    ['cone too wide', () => good('cone-twist', { cone: 4 }), 'invalid-argument', /cone/],
    ['breakForce negative', () => good('ball', { breakForce: -1 }), 'invalid-argument', /breakForce/],
    ['breakTorque NaN', () => good('ball', { breakTorque: Number.NaN }), 'invalid-argument', /breakTorque/],
    ['collide a number', () => good('ball', { collide: 1 }), 'invalid-argument', /collide must be true or false/],
    ['enabled a string', () => good('ball', { enabled: 'yes' }), 'invalid-argument', /enabled/],
    ['length 0 of a rod', () => good('distance', { length: 0 }), 'invalid-argument', /length of a rod/],
    ['length of a rope', () => good('distance', { limit: { min: 0, max: 1 } }), 'invalid-argument', /length is for a rod/],
    [
      'rod of no length',
      () => ({ ...bare('distance', 'length', 'anchorA', 'anchorB'), anchor: [0, 0, 0] }),
      'invalid-argument',
      /length of a rod/,
    ],
    ['distance below 0', () => ({ ...bare('distance', 'length'), limit: { min: -1, max: 1 } }), 'invalid-argument', /limit.min/],
    ['length twice', () => good('distance', { spring: { target: 1, frequency: 1 } }), 'invalid-argument', /say the same/],
    ['unknown axis', () => good('six-axis', { axes: { w: {} } }), 'invalid-argument', /no 'w'; known: x, y/],
    ['axes a number', () => good('six-axis', { axes: 5 }), 'invalid-argument', /joint.axes must be an object/],
    [
      'locked and driven',
      () => good('six-axis', { axes: { x: { locked: true, friction: 1 } } }),
      'invalid-argument',
      /axes.x is locked/,
    ],
    [
      'swing beyond half a turn',
      () => good('six-axis', { axes: { swingX: { limit: { min: 0, max: 4 } } } }),
      'invalid-argument',
      /swingX.limit.max/,
    ],
    [
      'an axis upside down',
      () => good('six-axis', { axes: { z: { limit: { min: 1, max: -1 } } } }),
      'invalid-argument',
      /joint.axes.z.limit.min/,
    ],
    ['twist misspelled', () => good('wheel', { twist: { velocity: 3 } }), 'invalid-argument', /joint.twist has no 'velocity'/],
    ['steering', () => good('wheel', { steering: 4 }), 'invalid-argument', /steering/],
    [
      'suspension along the axis',
      () => good('wheel', { axis: [0, 1, 0] }),
      'invalid-argument',
      /suspensionAxis.*must not lie along/,
    ],
    [
      'suspension zero',
      () => good('wheel', { suspensionAxis: [0, 0, 0] }),
      'invalid-argument',
      /suspensionAxis must not be zero/,
    ],
    ['gear without ratio', () => bare('gear', 'ratio'), 'invalid-argument', /ratio must be a finite number/],
    ['gear of ratio 0', () => good('gear', { ratio: 0 }), 'invalid-argument', /ratio must not be 0/],
    ['gear without axes', () => bare('gear', 'axisA', 'axisB'), 'invalid-argument', /axis is missing/],
    ['pulley without ground', () => bare('pulley', 'groundA'), 'invalid-argument', /groundA/],
    ['pulley of ratio 0', () => good('pulley', { ratio: 0 }), 'invalid-argument', /ratio/],
    ['pulley length NaN', () => good('pulley', { length: Number.NaN }), 'invalid-argument', /length/],
  ])('createJoint: %s', (_name, desc, code, words) => refuses(s.world, code, words, () => s.world.createJoint(desc())));

  test.each<[string, () => unknown, TalusErrorCode, RegExp]>([
    ['stale', () => s.world.setJoint(5 as JointId, {}), 'stale-handle', /joint 5/],
    ['a body', () => s.world.setJoint(s.a as Wrong, {}), 'stale-handle', /id of a body, but the id of a joint/],
    ['a joint for a body', () => s.world.getMass(joint as Wrong), 'stale-handle', /id of a joint, but the id of a body/],
    ['nothing', () => s.world.setJoint(joint, undefined as Wrong), 'invalid-argument', /object/],
    ['type', () => s.world.setJoint(joint, { type: 'ball' } as Wrong), 'invalid-argument', /type cannot be changed/],
    ['bodyA', () => s.world.setJoint(joint, { bodyA: null } as Wrong), 'invalid-argument', /bodyA cannot be changed/],
    ['unknown', () => s.world.setJoint(joint, { speed: 1 } as Wrong), 'invalid-argument', /no 'speed'/],
    ['of other types', () => s.world.setJoint(joint, { cone: 1 }), 'invalid-argument', /cone does not apply to type 'hinge'/],
    ['min above the max it has', () => s.world.setJoint(joint, { limit: { min: 2 } as Wrong }), 'invalid-argument', /2 > 0.5/],
    ['half of it good', () => s.world.setJoint(joint, { friction: 9, breakForce: -1 }), 'invalid-argument', /breakForce/],
    ['axis zero', () => s.world.setJoint(joint, { axis: [0, 0, 0] }), 'invalid-argument', /axis must not be zero/],
    ['one axis of two', () => s.world.setJoint(joint, { axisA: [0, 0, 1] }), 'invalid-argument', /axisB/],
    ['length of a rope', () => s.world.setJoint(rope, { length: 2 }), 'invalid-argument', /length is for a rod/],
    ['removeJoint', () => s.world.removeJoint(undefined as Wrong), 'stale-handle', /undefined/],
    ['getJoint', () => s.world.getJoint(Number.NaN as JointId), 'stale-handle', /NaN/],
    [
      'getJoint to a number',
      () => s.world.getJoint(joint, 5 as Wrong),
      'invalid-argument',
      /out must be an object that can be written/,
    ],
    ['jointsOf', () => s.world.jointsOf(1e9 as BodyId), 'stale-handle', /body/],
    ['readJointLines', () => s.world.readJointLines({ size: -1 }), 'invalid-argument', /size/],
    ['readJointLines key', () => s.world.readJointLines({ length: 1 } as Wrong), 'invalid-argument', /no 'length'/],
  ])('calls: %s', (_name, call, code, words) => refuses(s.world, code, words, call));
});

test('every solver of both editions takes joints, whatever the methods', async () => {
  const s = await scene({ solver: 'cell-split' });
  s.world.createJoint(GOOD.ball(s));
  const studied = await createStudy();
  const shape = studied.createShape({ type: 'sphere', radius: 1 });
  const body = studied.createBody({ shape, position: [0, 5, 0] });
  studied.createJoint({ type: 'ball', bodyB: body, anchor: [0, 6, 0] });
  for (const solver of SOLVER_NAMES) {
    // AVBD has friction of its own.
    for (const frictionModel of solver === 'avbd' ? (['patch'] as const) : (['patch', 'pyramid'] as const)) {
      studied.set({ solver, frictionModel });
      // Off its place, so that the joint has to do something; a single joint is no problem for any of them.
      studied.setVelocity(body, [1, 0, 0]);
      for (let i = 0; i < 4; i++) studied.step();
      const at = studied.getBody(body).position;
      expect(Math.hypot(at[0], at[1] - 6, at[2]), solver).toBeCloseTo(1, 1);
    }
  }
});

test('a solver that takes no joints is refused with its name', () => {
  expect(() => checkTakesJoints('new', ['wide', 'pgs'])).toThrow(/solver 'new' takes no joints; use 'auto', 'wide', 'pgs'/);
  expect(() => checkTakesJoints('pgs', ['wide', 'pgs'])).not.toThrow();
});

describe('life and ids', () => {
  test('joints come and go, ids of slots used again differ', async () => {
    const s = await scene();
    const { world, a, b } = s;
    const first = world.createJoint(GOOD.ball(s));
    const second = world.createJoint(GOOD.slider(s));
    expect(Number.isSafeInteger(first)).toBe(true);
    expect(first).toBeGreaterThan(2 ** 24);
    expect(world.jointCount).toBe(2);
    expect(world.jointsOf(a)).toEqual([first]);
    expect(world.jointsOf(b)).toEqual([second, first]);
    expect(world.jointsOf(s.floor)).toEqual([]);
    world.removeJoint(first);
    expect(world.hasJoint(first)).toBe(false);
    expect(world.jointsOf(b)).toEqual([second]);
    const third = world.createJoint(GOOD.hinge(s));
    expect(third % 2 ** 24).toBe(first % 2 ** 24);
    expect(third).not.toBe(first);
    expect(() => world.getJoint(first)).toThrow(/joint \d+ does not exist: it was removed/);
    expect(world.getJoint(third).type).toBe('hinge');
    const foreign = await scene();
    expect(world.hasJoint(foreign.world.createJoint(GOOD.ball(foreign)))).toBe(false);
    expect(() => world.getJoint(foreign.world.jointsOf(foreign.a)[0]!)).toThrow(/another world/);
  });

  test('joints go with a body, and their ids say so', async () => {
    const s = await scene();
    const { world, a, b } = s;
    const joints = TYPES.map((type) => world.createJoint(GOOD[type](s)));
    const lone = world.createJoint({ type: 'ball', bodyB: b, anchor: [2, 3, 0] });
    world.step();
    world.removeBody(a);
    expect(world.jointCount).toBe(2);
    expect(world.jointsOf(b)).toEqual([lone, joints[TYPES.indexOf('slider')]]);
    expect(() => world.removeJoint(joints[0]!)).toThrow(/removed, alone or with one of its bodies/);
    world.removeBody(b);
    expect(world.jointCount).toBe(0);
    world.step();
  });

  test('a clone knows them, and goes its own way', async () => {
    const s = await scene();
    const joint = s.world.createJoint(GOOD.hinge(s));
    const twin = await s.world.clone();
    expect(twin.getJoint(joint)).toEqual(s.world.getJoint(joint));
    expect(twin.jointsOf(s.a)).toEqual([joint]);
    s.world.removeJoint(joint);
    expect(twin.hasJoint(joint)).toBe(true);
    twin.setJoint(joint, { motor: null });
    twin.step();
    twin.removeJoint(joint);
    expect(twin.createJoint(GOOD.ball(s))).toBe(s.world.createJoint(GOOD.ball(s)));
  });

  test('after dispose every call says so', async () => {
    const s = await scene();
    const joint = s.world.createJoint(GOOD.ball(s));
    s.world.dispose();
    for (const call of [
      () => s.world.createJoint(GOOD.ball(s)),
      () => s.world.getJoint(joint),
      () => s.world.hasJoint(joint),
      () => s.world.readJointLines(),
      () => s.world.jointCount,
    ]) {
      expect(call).toThrow(/disposed/);
    }
  });
});

describe('settings', () => {
  test.each(TYPES)('%s: what is read back makes the same joint', async (type) => {
    const s = await scene();
    const desc = GOOD[type](s);
    const first = s.world.getJoint(s.world.createJoint(desc));
    expect(first).toMatchObject({ type, enabled: true, broken: false, bodyB: s.b, force: [0, 0, 0], axisForce: 0 });
    expect(first.gap).toBeLessThan(1e-6);
    // What can be compared as it was said.
    const { anchor, axis, axisA, axisB, limit, motor, spring, axes, twist, ...plain } = desc;
    for (const [key, value] of Object.entries(plain)) expect(first.settings[key as keyof JointDesc], key).toEqual(value ?? null);
    if (limit) expect(first.settings.limit!.max).toBeCloseTo(limit.max, 6);
    if (motor) expect(first.settings.motor).toEqual({ maxForce: Infinity, ...motor });
    if (spring) expect(first.settings.spring).toMatchObject(spring);
    const again = s.world.getJoint(s.world.createJoint(first.settings));
    for (const key of ['frameA', 'frameB'] as const) {
      const [q, p] = [first.settings[key], again.settings[key]] as [number[], number[]];
      if (q) expectNear(q, p);
      delete first.settings[key];
      delete again.settings[key];
    }
    expect(again.settings).toEqual(first.settings);
    if (anchor) expect(first.settings.anchorA).toBeDefined();
    s.world.step();
    s.world.readJointLines();
  });

  test('changes change what they name, and no more', async () => {
    const s = await scene();
    const joint = s.world.createJoint(GOOD.hinge(s));
    const read = () => s.world.getJoint(joint).settings;
    const before = read();
    s.world.setJoint(joint, { motor: { velocity: -3 } });
    expect(read()).toEqual({ ...before, motor: { velocity: -3, maxForce: 50 } });
    s.world.setJoint(joint, { motor: { maxForce: Infinity } as Wrong });
    expect(read().motor).toEqual({ velocity: -3, maxForce: Infinity });
    s.world.setJoint(joint, { spring: { frequency: 4, target: 0.25 } });
    expect(read()).toEqual({
      ...before,
      motor: null,
      spring: { target: 0.25, frequency: 4, dampingRatio: 1, maxForce: Infinity },
    });
    s.world.setJoint(joint, { spring: { target: 0.5 } });
    expect(read().spring).toEqual({ target: 0.5, frequency: 4, dampingRatio: 1, maxForce: Infinity });
    s.world.setJoint(joint, { spring: { stiffness: 10 } });
    expect(read().spring).toEqual({ target: 0.5, stiffness: 10, damping: 0, maxForce: Infinity });
    s.world.setJoint(joint, { spring: null, limit: null, breakForce: Infinity });
    expect(read()).toEqual({ ...before, motor: null, spring: null, limit: null, breakForce: Infinity });
    s.world.setJoint(joint, { motor: null, limit: { min: 1, max: 1 } });
    expect(read().limit).toEqual({ min: 1, max: 1 });
  });

  test('a rod becomes a rope, a spring, a rod', async () => {
    const s = await scene();
    const joint = s.world.createJoint({ ...GOOD.distance(s), length: undefined } as Wrong);
    const read = () => s.world.getJoint(joint).settings;
    expect(read().length).toBe(2);
    s.world.setJoint(joint, { limit: { min: 0, max: 3 } });
    expect(read()).toMatchObject({ limit: { min: 0, max: 3 } });
    expect(read().length).toBeUndefined();
    s.world.setJoint(joint, { limit: null, spring: { frequency: 1 } });
    expect(read().spring).toMatchObject({ target: 2, frequency: 1 });
    s.world.setJoint(joint, { length: 0 });
    expect(read().spring).toMatchObject({ target: 0, frequency: 1 });
    s.world.setJoint(joint, { spring: null });
    expect(read().length).toBe(2);
    s.world.setJoint(joint, { length: 5 });
    expect(read().length).toBe(5);
    expect(s.world.getJoint(joint)).toMatchObject({ place: 2, gap: 3 });
  });

  test('equal ends of a limit lock the axis where a lock can', async () => {
    const s = await scene();
    const locks = (id: JointId) => (s.world as Wrong).jointImage(id % 2 ** 24).u32.slice(Joint.locked / 4, Joint.driven / 4 + 1);
    const hinge = s.world.createJoint({ ...GOOD.hinge(s), motor: null, friction: 0, limit: { min: 0, max: 0 } });
    expect([...locks(hinge)]).toEqual([0b111111, 0]);
    s.world.setJoint(hinge, { limit: { min: 0.5, max: 0.5 } });
    expect([...locks(hinge)]).toEqual([0b011111, 0b100000]);
    s.world.setJoint(hinge, { limit: { min: 0, max: 0 } });
    s.world.setJoint(hinge, { limit: null });
    expect([...locks(hinge)]).toEqual([0b011111, 0]);
    const rod = s.world.createJoint({ ...GOOD.distance(s), length: undefined, limit: { min: 3, max: 3 } } as Wrong);
    expect([...locks(rod)]).toEqual([1, 0]);
    expect(s.world.getJoint(rod)).toMatchObject({ gap: 1, settings: { limit: { min: 3, max: 3 } } });
    s.world.setJoint(rod, { spring: { frequency: 1 } });
    expect([...locks(rod)]).toEqual([0, 1]);
    const six = s.world.createJoint({ ...GOOD['six-axis'](s), axes: { y: { limit: { min: 0, max: 0 } } } });
    expect([...locks(six)]).toEqual([0b10, 0]);
    expect(s.world.getJoint(six).settings.axes!.y!.limit).toEqual({ min: 0, max: 0 });
  });

  test('a wheel is steered, and its spin locked', async () => {
    const s = await scene();
    const joint = s.world.createJoint(GOOD.wheel(s));
    const straight = s.world.createJoint({ ...GOOD.wheel(s), steering: 0 });
    const frame = (id: JointId) => s.world.getJoint(id).settings.frameA as number[];
    expectNear(frame(joint), frame(straight));
    expect(s.world.getJoint(straight).swing).toBeCloseTo(0, 5);
    expect(s.world.getJoint(joint).swing).toBeCloseTo(0.25, 5);
    s.world.setJoint(joint, { steering: -0.5 });
    expect(s.world.getJoint(joint).swing).toBeCloseTo(0.5, 5);
    expect(s.world.getJoint(joint).settings.steering).toBe(-0.5);
    s.world.setJoint(joint, { twist: { locked: true } });
    expect(s.world.getJoint(joint).settings.twist).toEqual({ locked: true });
    s.world.setJoint(joint, { twist: { locked: false } });
    expect(s.world.getJoint(joint).settings.twist!.motor).toEqual({ velocity: 10, maxForce: 100 });
  });

  test('out is written, and is what comes back', async () => {
    const s = await scene();
    const joint = s.world.createJoint(GOOD.ball(s));
    const out = s.world.getJoint(joint);
    s.world.teleport(s.b, [3, 3, 0]);
    expect(s.world.getJoint(joint, out)).toBe(out);
    expect(out.gap).toBeCloseTo(1, 5);
  });
});

describe('places', () => {
  const half = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];

  test('a hinge: angles count from the poses at creation', async () => {
    const s = await scene();
    const joint = s.world.createJoint({ type: 'hinge', bodyA: s.a, bodyB: s.b, anchor: [2, 3, 0], axis: [0, 0, 1] });
    expect(s.world.getJoint(joint).place).toBeCloseTo(0, 5);
    s.world.teleport(s.b, [2, 3, 0], half(Math.PI / 2 + 0.5));
    expect(s.world.getJoint(joint).place).toBeCloseTo(0.5, 5);
    s.world.setJoint(joint, { axis: [0, 0, -1] });
    expect(s.world.getJoint(joint).place).toBeCloseTo(0, 5);
    s.world.teleport(s.b, [2, 3, 0], half(Math.PI / 2));
    expect(s.world.getJoint(joint).place).toBeCloseTo(0.5, 5);
  });

  test('axes in the bodies need not be parallel: the angle between them is what the joint takes away', async () => {
    const s = await scene();
    const desc = { type: 'hinge', bodyA: s.a, bodyB: s.b, anchor: [2, 3, 0] } as const;
    // x of B is y of the world.
    const joint = s.world.createJoint({ ...desc, axisA: [1, 0, 0], axisB: [1, 0, 0] });
    expect(s.world.getJoint(joint)).toMatchObject({ gap: 0 });
    expect(s.world.getJoint(joint).swing).toBeCloseTo(Math.PI / 2, 5);
    expect(s.world.getJoint(joint).twist).toBeCloseTo(0, 5);
    const opposite = s.world.createJoint({ ...desc, axisA: [0, 0, 1], axisB: [0, 0, -1] });
    expect(s.world.getJoint(opposite).swing).toBeCloseTo(Math.PI, 4);
  });

  test('a slider, a wheel, a distance, a pulley', async () => {
    const s = await scene();
    const at = (type: JointType, more = {}) => s.world.createJoint({ ...GOOD[type](s), ...more } as JointDesc);
    const slider = at('slider');
    const wheel = at('wheel', { steering: 0 });
    const rod = at('distance');
    const pulley = at('pulley');
    expect(s.world.getJoint(pulley).place).toBeCloseTo(6.5 + 2 * 6.5, 4);
    s.world.teleport(s.b, [2, 3.25, 0]);
    expect(s.world.getJoint(slider).place).toBeCloseTo(0.25, 5);
    expect(s.world.getJoint(slider).gap).toBeCloseTo(0, 5);
    expect(s.world.getJoint(wheel).place).toBeCloseTo(0.25, 5);
    expect(s.world.getJoint(rod).place).toBeCloseTo(Math.hypot(2, 0.25), 5);
    expect(s.world.getJoint(pulley).place).toBeCloseTo(6.5 + 2 * 6.25, 4);
    expect(s.world.getJoint(pulley).gap).toBeCloseTo(0, 5);
  });

  test('a joint to the world', async () => {
    const s = await scene();
    const joint = s.world.createJoint({ type: 'ball', bodyB: s.a, anchorA: [0, 4, 0], anchorB: [0, 1, 0] });
    expect(s.world.getJoint(joint)).toMatchObject({ bodyA: null, gap: 0 });
    expect(s.world.getJoint(joint).settings.bodyA).toBeNull();
  });
});

describe('collisions of its bodies', () => {
  const touching = (world: World) => world.readContacts().count > 0;

  test('off by default, found again when it is on, disabled or removed', async () => {
    const world = await createWorld({ gravity: [0, 0, 0], sleepTime: 0.1 });
    const shape = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const a = world.createBody({ shape, position: [0, 0, 0] });
    const b = world.createBody({ shape, position: [0.999, 0, 0] });
    const ends = () => [...world.events].filter((event) => event.kind === 'end').length;
    world.step();
    expect(touching(world)).toBe(true);
    for (let i = 0; i < 30; i++) world.step();
    const joint = world.createJoint({ type: 'ball', bodyA: a, bodyB: b, anchor: [0.5, 0, 0] });
    expect(world.isAsleep(a)).toBe(false);
    world.step();
    expect(touching(world)).toBe(false);
    expect(ends()).toBe(1);
    const steps: [() => void, boolean][] = [
      [() => world.setJoint(joint, { collide: true }), true],
      [() => world.setJoint(joint, { collide: false }), false],
      [() => world.setJoint(joint, { enabled: false }), true],
      [() => world.setJoint(joint, { enabled: true }), false],
      [() => world.removeJoint(joint), true],
    ];
    for (const [change, expected] of steps) {
      change();
      world.step();
      expect(touching(world), String(change)).toBe(expected);
    }
  });
});

/** As the core tells that a joint broke in a step. */
function breakJoint(world: World, joint: JointId): void {
  const u32 = new Uint32Array(memoryOf(world).buffer);
  const header = (offset: number) => (HEADER_PTR + offset) >>> 2;
  const index = joint % 2 ** 24;
  const count = u32[header(Header.eventCount)]!;
  const row = (u32[header(Header.events)]! + count * EventRow.STRIDE) >>> 2;
  u32[row] = 5;
  u32[row + 1] = index;
  u32[header(Header.eventCount)] = count + 1;
  const flags = (u32[header(Header.joints)]! + index * Joint.STRIDE + Joint.flags) >>> 2;
  u32[flags] = (u32[flags]! | JOINT_BROKEN) & ~JOINT_ENABLED;
}

test('breaks are told for one step, among contact events, and outlive the joint', async () => {
  const s = await scene();
  const { world } = s;
  const shape = world.createShape({ type: 'sphere', radius: 0.5 });
  for (let i = 0; i < 3; i++) world.createBody({ shape, position: [20 + 0.9 * i, 0, 0] });
  const joints = [world.createJoint(GOOD.ball(s)), world.createJoint(GOOD.hinge(s))];
  expect(world.events.jointBreaks).toEqual([]);
  world.step();
  const core = (world as Wrong).core;
  const end = core.stepEnd;
  (world as Wrong).core = {
    ...core,
    stepEnd: () => {
      const error = end();
      breakJoint(world, joints[1]!);
      return error;
    },
  };
  world.removeBody(world.bodyAt(world.slotCount - 1)!);
  world.step();
  expect(world.events.jointBreaks).toEqual([joints[1]]);
  expect([...world.events].map((event) => event.kind)).toEqual(['end']);
  expect(world.getJoint(joints[1]!)).toMatchObject({ broken: true, enabled: false, force: [0, 0, 0] });
  (world as Wrong).core = core;
  world.setJoint(joints[1]!, { enabled: true });
  expect(world.getJoint(joints[1]!)).toMatchObject({ broken: false, enabled: true });
  world.removeJoint(joints[1]!);
  expect(world.events.jointBreaks).toEqual([joints[1]]);
  world.step();
  expect(world.events.jointBreaks).toEqual([]);
});

describe('lines', () => {
  test.each(TYPES)('%s: finite, in pairs, gray when it is off', async (type) => {
    const s = await scene();
    const joint = s.world.createJoint(GOOD[type](s));
    const { count, positions, colors } = s.world.readJointLines({ size: 0.5 });
    expect(count).toBeGreaterThan(3);
    expect(count % 2).toBe(0);
    expect(positions.length).toBe(3 * count);
    expect(colors.length).toBe(3 * count);
    expect(positions.every(Number.isFinite)).toBe(true);
    expect([...positions.subarray(0, 3)]).toEqual(type === 'slider' ? [2, 3, 0] : [0, 3, 0]);
    expect([...colors.subarray(0, 3)]).toEqual([1, 1, 1]);
    s.world.setJoint(joint, { enabled: false });
    const off = s.world.readJointLines({ size: 0.5 });
    expect(off.positions).toEqual(positions);
    expect(new Set(off.colors).size).toBe(1);
    s.world.removeJoint(joint);
    expect(s.world.readJointLines().count).toBe(0);
  });
});

describe('with WebGPU', () => {
  const gpu = useDevice();

  test('a world with joints is solved on WebGPU', async () => {
    const s = await scene({ backend: 'webgpu', device: gpu.device });
    await s.world.stepAsync();
    expect(s.world.profile.backend).toBe('webgpu');
    const joint = s.world.createJoint(GOOD.ball(s));
    expect(s.world.activeBackend).toBe('webgpu');
    expect(s.world.activeSolver).toBe('cell-split');
    await s.world.stepAsync();
    expect(s.world.profile.backend).toBe('webgpu');
    expect(s.world.getJoint(joint).force.some((x) => x !== 0)).toBe(true);
    s.world.removeJoint(joint);
    expect(s.world.backendReport).toMatchObject({ active: 'webgpu', reason: 'it was asked for' });
    await s.world.stepAsync();
    expect(s.world.profile.backend).toBe('webgpu');
    s.world.dispose();
  });

  test('edits while a step is in flight work at once', async () => {
    const s = await scene({ backend: 'webgpu', device: gpu.device });
    const { world, a, b } = s;
    await world.stepAsync();
    expect(world.step()).toBe(true);
    const joint = world.createJoint(GOOD.hinge(s));
    const other = world.createJoint(GOOD.ball(s));
    world.setJoint(joint, { limit: null, enabled: false });
    expect(world.getJoint(joint)).toMatchObject({ enabled: false });
    world.removeJoint(other);
    expect(world.jointsOf(a)).toEqual([joint]);
    await world.stepAsync();
    expect(world.getJoint(joint).settings).toMatchObject({ limit: null, enabled: false });
    expect(world.stepCount).toBe(3);
    world.removeJoint(joint);
    expect(world.step()).toBe(true);
    const last = world.createJoint(GOOD.ball(s));
    world.removeBody(b);
    expect(world.hasJoint(last)).toBe(false);
    await world.stepAsync();
    expect(world.jointCount).toBe(0);
    world.dispose();
  });
});
