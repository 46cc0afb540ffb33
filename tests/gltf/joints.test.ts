// Joints of glTF files: which kind each set of limits becomes, that limits hold, what drives do; and the OMI extensions.
import { beforeEach, expect, test } from 'vitest';
import { loadPhysics } from '../../src/gltf/index';
import { type BodyId, createWorld, type World } from '../../src/index';
import { box, khrFile, solid } from './files';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const steps = (n: number, each?: () => void) => {
  for (let i = 0; i < n; i++) {
    world.step();
    each?.();
  }
};
const at = (body: BodyId) => world.getPosition(body, [0, 0, 0]) as number[];
const load = (file: object) => loadPhysics(world, file, { warn: false });
const all = (min: number, max: number) => ({ linearAxes: [0, 1, 2], min, max });
const LINEAR = all(0, 0);

/**
 * A post with a joint node at the origin, and a body of 1 kg, a box at `x` whose connected node lies at the origin too. The post is
 * static unless `post` says something else.
 */
function pair(
  joint: object,
  { x = 1, post = {} as object, turn = [0, 0, 0, 1], more = {} as object, motion = { mass: 1 } as object } = {},
) {
  return khrFile({
    nodes: [
      { name: 'post', children: [1], physics: { ...solid(0), ...post } },
      { name: 'joint', rotation: turn, physics: { joint: { joint: 0, connectedNode: 3, ...more } } },
      { name: 'arm', translation: [x, 0, 0], children: [3], physics: { motion, ...solid(1) } },
      { name: 'end', translation: [-x, 0, 0], rotation: turn },
    ],
    shapes: [box(0.2, 0.2, 0.2), box(0.4, 0.2, 0.2)],
    joints: [joint],
  });
}

test.each<[string, object[], string]>([
  ['nothing free', [LINEAR, { angularAxes: [0, 1, 2], min: 0, max: 0 }], 'fixed'],
  ['all turns free', [LINEAR], 'ball'],
  ['one limit an axis', [0, 1, 2].map((axis) => ({ linearAxes: [axis], min: 0, max: 0 })), 'ball'],
  ['a turn about x', [LINEAR, { angularAxes: [1, 2], min: 0, max: 0 }], 'hinge'],
  ['a turn about y', [LINEAR, { angularAxes: [0, 2], min: 0, max: 0 }], 'hinge'],
  ['a turn about z, limited', [LINEAR, { angularAxes: [0, 1], min: 0, max: 0 }, { angularAxes: [2], min: -1, max: 1 }], 'hinge'],
  [
    'a way along y',
    [
      { linearAxes: [0, 2], min: 0, max: 0 },
      { angularAxes: [0, 1, 2], min: 0, max: 0 },
    ],
    'slider',
  ],
  [
    'a way and a turn',
    [
      { linearAxes: [0, 2], min: 0, max: 0 },
      { angularAxes: [0, 2], min: 0, max: 0 },
    ],
    'cylindrical',
  ],
  ['a cone', [LINEAR, { angularAxes: [0, 2], min: 0, max: 0.5 }], 'cone-twist'],
  ['a rope', [all(0, 2)], 'distance'],
  ['two turns', [LINEAR, { angularAxes: [1], min: 0, max: 0 }], 'six-axis'],
  ['a box of places', [0, 1, 2].map((axis) => ({ linearAxes: [axis], min: -1, max: 1 })), 'six-axis'],
])('%s becomes the joint of talus', (_, limits, type) => {
  const level = load(pair({ limits }));
  expect(level.unsupported).toEqual([]);
  expect(world.getJoint(level.joint('joint')).type).toBe(type);
});

test.each([0, 1, 2])('a hinge about axis %i of its node turns about that axis alone', (axis) => {
  const others = [0, 1, 2].filter((k) => k !== axis);
  const level = load(
    pair({ limits: [LINEAR, { angularAxes: others, min: 0, max: 0 }] }, { motion: { mass: 1, gravityFactor: 0 } }),
  );
  const arm = level.body('arm');
  world.applyAngularImpulse(arm, [0.1, 0.1, 0.1]);
  steps(20);
  const spin = world.getAngularVelocity(arm, [0, 0, 0]) as number[];
  expect(Math.abs(spin[axis]!)).toBeGreaterThan(0.02);
  for (const k of others) expect(Math.abs(spin[k]!)).toBeLessThan(2e-3);
});

test('a hinge keeps its limits, with their signs', () => {
  const limits = [LINEAR, { angularAxes: [0, 1], min: 0, max: 0 }, { angularAxes: [2], min: -0.5, max: 1.2 }];
  const level = load(pair({ limits }));
  let lowest = 0;
  steps(240, () => {
    lowest = Math.min(lowest, Math.asin(at(level.body('arm'))[1]!));
  });
  // It falls: negative about z.
  expect(at(level.body('arm'))[1]).toBeCloseTo(Math.sin(-0.5), 2);
  expect(lowest).toBeGreaterThan(-0.53);
  world.set({ gravity: [0, 9.81, 0] });
  steps(240);
  expect(at(level.body('arm'))[1]).toBeCloseTo(Math.sin(1.2), 2);
});

test('a slider along a turned axis stops at its ends; min alone has no other end', () => {
  const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
  const held = [
    { linearAxes: [1, 2], min: 0, max: 0 },
    { angularAxes: [0, 1, 2], min: 0, max: 0 },
  ];
  // x of the joint points up.
  const level = load(pair({ limits: [...held, { linearAxes: [0], min: -0.75, max: 2 }] }, { turn: quarter }));
  steps(180);
  expect(at(level.body('arm'))[1]).toBeCloseTo(-0.75, 2);
  expect(at(level.body('arm'))[0]).toBeCloseTo(1, 3);
  level.remove();
  const half = load(pair({ limits: [...held, { linearAxes: [0], min: -0.75 }] }, { turn: quarter }));
  world.set({ gravity: [0, 9.81, 0] });
  steps(60);
  expect(at(half.body('arm'))[1]).toBeGreaterThan(4);
});

test('a rope keeps its length, and a place other than 0 is held', () => {
  const level = load(pair({ limits: [all(0, 1.5)] }, { x: 0.5 }));
  let longest = 0;
  steps(200, () => {
    const point = world.getJoint(level.joint('joint')).place;
    longest = Math.max(longest, point);
  });
  expect(longest).toBeGreaterThan(1.45);
  expect(longest).toBeLessThan(1.53);
  level.remove();
  const limits = [
    { linearAxes: [0], min: 0.5, max: 0.5 },
    { linearAxes: [1, 2], min: 0, max: 0 },
    { angularAxes: [0, 1, 2], min: 0, max: 0 },
  ];
  const moved = load(pair({ limits }));
  steps(120);
  expect(at(moved.body('arm'))[0]).toBeCloseTo(1.5, 2);
});

test('a cone holds the swing about its axis', () => {
  const level = load(pair({ limits: [LINEAR, { angularAxes: [1, 2], min: 0, max: 0.4 }] }));
  steps(300);
  const { swing, type } = world.getJoint(level.joint('joint'));
  expect(type).toBe('cone-twist');
  expect(swing).toBeCloseTo(0.4, 1);
  expect(at(level.body('arm'))[1]).toBeCloseTo(-Math.sin(0.4), 1);
});

const HINGE_Z = [LINEAR, { angularAxes: [0, 1], min: 0, max: 0 }];
const free = { motion: { mass: 1, gravityFactor: 0 } };

test.each(['force', 'acceleration'])('a velocity drive in mode %s comes to its velocity', (mode) => {
  const drive = { type: 'angular', mode, axis: 2, velocityTarget: 1.5, damping: 20 };
  const level = load(pair({ limits: HINGE_Z, drives: [drive] }, free));
  steps(120);
  expect((world.getAngularVelocity(level.body('arm'), [0, 0, 0]) as number[])[2]).toBeCloseTo(1.5, 2);
});

test('a velocity drive pulls no harder than its damping does from rest', () => {
  // 0.5 N m s/rad * 2 rad/s = 1 N m; gravity at 1 m is 9.8 N m.
  const drive = { type: 'angular', mode: 'force', axis: 2, velocityTarget: 2, damping: 0.5 };
  const level = load(pair({ limits: HINGE_Z, drives: [drive] }));
  steps(30);
  expect(at(level.body('arm'))[1]).toBeLessThan(-0.3);
  expect(world.getJoint(level.joint('joint')).settings.motor).toMatchObject({ velocity: 2, maxForce: 1 });
});

test('a position drive in mode force is a spring: a weight hangs where k x = m g', () => {
  const limits = [
    { linearAxes: [0, 2], min: 0, max: 0 },
    { angularAxes: [0, 1, 2], min: 0, max: 0 },
  ];
  const drive = { type: 'linear', mode: 'force', axis: 1, positionTarget: 0.5, stiffness: 100, damping: 20 };
  const level = load(pair({ limits, drives: [drive] }));
  steps(300);
  expect(at(level.body('arm'))[1]).toBeCloseTo(0.5 - 9.81 / 100, 2);
});

test('a position drive in mode acceleration does not mind the mass, and target and velocity act together', () => {
  const limits = [
    { linearAxes: [0, 2], min: 0, max: 0 },
    { angularAxes: [0, 1, 2], min: 0, max: 0 },
  ];
  const drive = {
    type: 'linear',
    mode: 'acceleration',
    axis: 1,
    positionTarget: 0.5,
    stiffness: 100,
    damping: 20,
    velocityTarget: 1,
  };
  const motion = { mass: 50, gravityFactor: 0 };
  const level = load(pair({ limits, drives: [drive] }, { motion }));
  const times: number[] = [];
  steps(300, () => times.push(at(level.body('arm'))[1]!));
  // At rest 100 (0.5 - y) + 20 * 1 = 0.
  expect(times.at(-1)).toBeCloseTo(0.7, 3);
  // Critical: at t = 1 / omega = 0.1 s it has 1 - 2/e of its way.
  expect(times[5]! / 0.7).toBeCloseTo(1 - 2 / Math.E, 1);
});

test('a drive of no velocity and no stiffness slows down: in mode acceleration by its rate, whatever the inertia', () => {
  const drive = { type: 'angular', mode: 'acceleration', axis: 2, velocityTarget: 0, damping: 1 };
  const motion = { mass: 7, gravityFactor: 0 };
  const level = load(pair({ limits: HINGE_Z, drives: [drive] }, { motion }));
  const arm = level.body('arm');
  world.setVelocity(arm, [0, 1, 0], [0, 0, 1]);
  steps(60);
  expect((world.getAngularVelocity(arm, [0, 0, 0]) as number[])[2]).toBeCloseTo(Math.exp(-1), 1);
});

test('maxForce bounds a drive', () => {
  const limits = [
    { linearAxes: [0, 2], min: 0, max: 0 },
    { angularAxes: [0, 1, 2], min: 0, max: 0 },
  ];
  const drive = { type: 'linear', mode: 'force', axis: 1, positionTarget: 5, stiffness: 1000, damping: 1, maxForce: 5 };
  const level = load(pair({ limits, drives: [drive] }));
  steps(60);
  expect(at(level.body('arm'))[1]).toBeLessThan(-1);
});

test('a soft limit at a point is a spring', () => {
  const limits = [
    { linearAxes: [0, 2], min: 0, max: 0 },
    { linearAxes: [1], min: 0, max: 0, stiffness: 50, damping: 10 },
    { angularAxes: [0, 1, 2], min: 0, max: 0 },
  ];
  const level = load(pair({ limits }));
  expect(level.unsupported).toEqual([]);
  steps(300);
  expect(at(level.body('arm'))[1]).toBeCloseTo(-9.81 / 50, 2);
});

test.each<[string, object, RegExp]>([
  [
    'a soft range',
    { limits: [LINEAR, { angularAxes: [0, 1], min: 0, max: 0 }, { angularAxes: [2], min: -1, max: 1, stiffness: 5 }] },
    /with stiffness is hard/,
  ],
  [
    'a narrow soft range',
    { limits: [LINEAR, { angularAxes: [2], min: -0.01, max: 0.01, stiffness: 5 }] },
    /spring to the middle/,
  ],
  ['a round region', { limits: [{ linearAxes: [0, 1], min: 0, max: 1 }] }, /a box in place of a round region/],
  ['an angle of all axes', { limits: [LINEAR, { angularAxes: [0, 1, 2], min: 0, max: 1 }] }, /as swing and twist/],
  [
    'two drives of one axis',
    {
      limits: HINGE_Z,
      drives: [1, 2].map((velocityTarget) => ({ type: 'angular', mode: 'force', axis: 2, velocityTarget, damping: 1 })),
    },
    /the last one counts/,
  ],
  ['nothing at all', {}, /it has no limits and no drives/],
])('in the list: %s', (_, joint, message) => {
  const level = load(pair(joint));
  expect(level.unsupported.map((issue) => issue.message).join('\n')).toMatch(message);
});

test('enableCollision: the two bodies of a joint collide only then', () => {
  const rope = { limits: [all(0, 3)] };
  const drop = (more: object) => {
    const level = load(pair(rope, { more, x: 0.15, motion: { mass: 1, inertiaDiagonal: [0, 0, 0] } }));
    world.teleport(level.body('arm'), [0, 1, 0]);
    steps(90);
    const y = at(level.body('arm'))[1]!;
    level.remove();
    return y;
  };
  expect(drop({})).toBeLessThan(-1);
  expect(drop({ enableCollision: true })).toBeCloseTo(0.2, 2);
});

test('joints of nodes of the world, in either order; between two bodies; of nothing', () => {
  const hinge = { limits: HINGE_Z };
  const nodes = [
    { translation: [0, 0, 0], physics: { joint: { joint: 0, connectedNode: 2 } } },
    { translation: [1, 0, 0], children: [2], physics: { motion: { mass: 1 }, ...solid(0) } },
    { translation: [-1, 0, 0] },
    { translation: [0, 0, 5] },
    { translation: [1, 0, 5], children: [5], physics: { motion: { mass: 1 }, ...solid(0) } },
    { translation: [-1, 0, 0], physics: { joint: { joint: 0, connectedNode: 3 } } },
    { physics: { joint: { joint: 0, connectedNode: 3 } } },
    { translation: [1, 0, 9], children: [8], physics: { motion: { mass: 1 }, ...solid(0) } },
    { translation: [1, 0, 0], physics: { joint: { joint: 0, connectedNode: 10 } } },
    { translation: [3, 0, 9], children: [10], physics: { motion: { mass: 1 }, ...solid(0) } },
    { translation: [-1, 0, 0] },
  ];
  const level = load(khrFile({ nodes, shapes: [box(0.2, 0.2, 0.2)], joints: [hinge] }));
  expect([...level.joints.keys()]).toEqual([0, 5, 8]);
  expect(level.unsupported).toMatchObject([{ node: 6, effect: 'skipped', message: 'neither of its nodes belongs to a body' }]);
  steps(60);
  for (const node of [1, 4]) {
    const [x, y, z] = at(level.body(node)) as [number, number, number];
    expect(Math.hypot(x, y)).toBeCloseTo(1, 2);
    expect(z).toBeCloseTo(node === 1 ? 0 : 5, 3);
    expect(y).toBeLessThan(-0.1);
  }
  expect(world.getJoint(level.joint(8)).gap).toBeLessThan(1e-3);
  const count = world.bodyCount;
  level.remove();
  expect(world.bodyCount).toBe(count - 5);
  expect(world.jointCount).toBe(0);
});

test('a joint of a file that is wrong is refused with its place', () => {
  const wrong = (joint: object, message: RegExp) => expect(() => load(pair(joint))).toThrow(message);
  wrong({ limits: [{ min: 0, max: 0 }] }, /physicsJoints\[0\]\.limits\[0\] must have linearAxes or angularAxes/);
  wrong({ limits: [{ linearAxes: [3] }] }, /linearAxes\[0\] must be a whole number from 0 to 2/);
  wrong({ limits: [{ linearAxes: [0], min: 1, max: 0 }] }, /min is more than max/);
  wrong({ drives: [{ type: 'turn', mode: 'force', axis: 0 }] }, /drives\[0\]\.type must be one of 'linear', 'angular'/);
  expect(world.bodyCount).toBe(0);
});

test('the OMI extensions: motion types, shapes with their own sizes, welds, triggers', () => {
  const file = {
    asset: { version: '2.0' },
    extensionsUsed: ['OMI_physics_body', 'OMI_physics_shape', 'OMI_physics_joint'],
    scenes: [{ nodes: [0, 2, 5] }],
    extensions: {
      OMI_physics_shape: { shapes: [{ type: 'box' }, { type: 'capsule', capsule: { radius: 0.3 } }, { type: 'cylinder' }] },
      OMI_physics_joint: {
        physicsJoints: [{ limits: [{ linearAxes: [0, 1, 2], angularAxes: [0, 1, 2], min: 0, max: 0, stiffness: 0.3 }] }],
      },
    },
    nodes: [
      { name: 'wall', children: [1, 4], extensions: { OMI_physics_body: { motion: { type: 'static' } } } },
      { extensions: { OMI_physics_body: { collider: { shape: 0 } } } },
      {
        name: 'pill',
        translation: [2, 0, 0],
        children: [3],
        extensions: { OMI_physics_body: { motion: { type: 'dynamic' }, collider: { shape: 1 } } },
      },
      { translation: [-1, 0, 0], extensions: { OMI_physics_joint: { joint: 0, connectedNode: 4 } } },
      { translation: [1, 0, 0] },
      { name: 'zone', translation: [9, 0, 0], extensions: { OMI_physics_body: { trigger: { shape: 2, nodes: [] } } } },
    ],
  };
  const level = load(file);
  expect(level.unsupported.map(({ message }) => message)).toEqual([
    'the stiffness of a limit of OMI_physics_joint is left out: it is hard',
  ]);
  expect(level.body(1)).toBe(level.body('wall'));
  expect(world.getMass(level.body('pill'))).toBeCloseTo(1, 5);
  const shapeOf = (ids: readonly number[]) => world.getShape(world.getCollider(ids[0] as never).shape);
  expect(shapeOf(level.colliders.get(2)!)).toMatchObject({ type: 'capsule', radius: expect.closeTo(0.3, 5), halfHeight: 0.5 });
  expect(shapeOf(level.triggers.get(5)!)).toMatchObject({ type: 'cylinder', radius: 0.5, halfHeight: 1 });
  expect(world.getJoint(level.joint(3)).type).toBe('fixed');
  steps(120);
  const [x, y] = at(level.body('pill'));
  expect(x).toBeCloseTo(2, 2);
  expect(y).toBeCloseTo(0, 2);
});
