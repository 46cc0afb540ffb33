// Every method of a world with every wrong value in every place: it is refused with a TalusError and linear memory is as it
// was, or it is taken (a place may allow the value) and the world goes on. Nothing else may be thrown.
import { expect, test } from 'vitest';
import { createBatchHits, createQueryHit, createShapeContact, createWorld, TalusError, type World } from '../../src/study/index';
import { everyNth } from '../helpers/long';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are the subject
type Wrong = any;

const WRONG: [string, () => Wrong][] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['NaN', () => Number.NaN],
  ['infinity', () => -Infinity],
  ['a huge number', () => 1e300],
  ['a negative number', () => -3],
  ['a fraction', () => 0.5],
  ['2^53', () => 2 ** 53],
  ['a string', () => 'wrong'],
  ['a numeric string', () => '1'],
  ['a boolean', () => true],
  ['a bigint', () => 3n],
  ['a symbol', () => Symbol('wrong')],
  ['an empty object', () => ({})],
  ['an object without prototype', () => Object.create(null)],
  ['an empty array', () => []],
  ['a long array', () => [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['NaN in a vector', () => [0, Number.NaN, 0]],
  ['strings in a vector', () => ['0', '1', '2']],
  ['a sparse vector', () => new Array(3)],
  ['a vector of zeros', () => [0, 0, 0, 0]],
  ['an empty typed array', () => new Float32Array(0)],
  ['a bigint array', () => new BigInt64Array(3)],
  ['a function', () => () => 0],
  ['a date', () => new Date(0)],
  ['a length alone', () => ({ length: 9 })],
  ['a negative length', () => ({ length: -3 })],
  ['a fractional length', () => ({ length: 1.5 })],
  ['a frozen vector', () => Object.freeze([0, 0, 0])],
  ['a frozen object', () => Object.freeze({ x: 0, y: 0, z: 0, w: 1 })],
  ['NaN in an object', () => ({ x: Number.NaN, y: 0, z: 0, w: 1 })],
  ['half an object', () => ({ x: 1 })],
  ['a short typed array', () => new Float32Array(2)],
  ['a promise', () => Promise.resolve(1)],
  ['a map', () => new Map()],
];

async function scene() {
  const world = await createWorld();
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const spare = world.createShape({ type: 'sphere', radius: 1 });
  const floor = world.createBody({ type: 'static', shape: box, position: [0, -0.5, 0] });
  const body = world.createBody({ shape: box, position: [0, 0.5, 0] });
  const lift = world.createBody({ type: 'kinematic', shape: box, position: [9, 0, 0] });
  for (let i = 0; i < 3; i++) world.step();
  // Reading contacts brings them up to date.
  world.readContacts();
  const collider = world.collidersOf(body)[0]!;
  const joint = world.createJoint({ type: 'hinge', bodyA: lift, bodyB: body, anchor: [0, 1, 0], axis: [0, 0, 1] });
  // Measured in scratch memory.
  world.getJoint(joint);
  return { world, box, spare, floor, body, lift, collider, joint };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** Good arguments of every call: each of them, and each of the fields of objects among them, is replaced in turn. */
const CALLS: [keyof World, (s: Scene) => Wrong[]][] = [
  ['createShape', () => [{ type: 'sphere', radius: 1 }]],
  ['createShape', () => [{ type: 'box', halfExtents: [1, 1, 1] }]],
  ['createShape', () => [{ type: 'capsule', radius: 1, halfHeight: 1 }]],
  ['createShape', () => [{ type: 'cylinder', radius: 1, halfHeight: 1 }]],
  ['createShape', () => [{ type: 'cone', radius: 1, halfHeight: 1 }]],
  ['createShape', () => [{ type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], maxVertices: 16 }]],
  ['createShape', () => [{ type: 'mesh', positions: [0, 0, 0, 0, 0, 1, 1, 0, 0], indices: [0, 1, 2] }]],
  ['createShape', () => [{ type: 'heightfield', heights: [0, 0, 0, 0], nx: 2, nz: 2, spacing: 1, origin: [0, 0, 0] }]],
  ['createShape', () => [{ type: 'plane', normal: [0, 1, 0], offset: 1 }]],
  ['getShape', (s) => [s.box]],
  ['removeShape', (s) => [s.spare]],
  [
    'createBody',
    (s) => [
      {
        type: 'dynamic',
        shape: s.box,
        position: [3, 3, 3],
        rotation: [0, 0, 0, 1],
        linearVelocity: [1, 0, 0],
        angularVelocity: [1, 0, 0],
        density: 10,
        friction: 0.5,
        restitution: 0.5,
        frictionCombine: 'max',
        restitutionCombine: 'min',
        category: 1,
        mask: 1,
        sensor: false,
        gravityScale: 1,
        linearDamping: 0,
        angularDamping: 0,
        mass: 3,
      },
    ],
  ],
  ['createBody', (s) => [{ colliders: [{ shape: s.box }], mass: { mass: 1, center: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] } }]],
  [
    'createBodies',
    (s) => [
      {
        count: 1,
        shape: s.box,
        positions: [4, 4, 4],
        rotations: [0, 0, 0, 1],
        linearVelocities: [0, 0, 0],
        angularVelocities: [0, 0, 0],
        types: [2],
        densities: [10],
        frictions: [0.5],
        restitutions: [0],
      },
    ],
  ],
  ['removeBody', (s) => [s.lift]],
  ['isAlive', (s) => [s.body]],
  ['indexOf', (s) => [s.body]],
  ['bodyAt', () => [0]],
  ['getMass', (s) => [s.body]],
  ['getType', (s) => [s.body]],
  ['getPosition', (s) => [s.body, [0, 0, 0]]],
  ['getRotation', (s) => [s.body, [0, 0, 0, 0]]],
  ['getLinearVelocity', (s) => [s.body, [0, 0, 0]]],
  ['getAngularVelocity', (s) => [s.body, [0, 0, 0]]],
  ['getCenterOfMass', (s) => [s.body, [0, 0, 0]]],
  ['isAsleep', (s) => [s.body]],
  ['wake', (s) => [s.body]],
  ['step', () => [undefined]],
  ['teleport', (s) => [s.body, [0, 5, 0], [0, 0, 0, 1]]],
  ['setVelocity', (s) => [s.body, [0, 0, 0], [0, 0, 0]]],
  ['addForce', (s) => [s.body, [0, 1, 0], [0, 0, 0]]],
  ['addTorque', (s) => [s.body, [0, 1, 0]]],
  ['applyImpulse', (s) => [s.body, [0, 1, 0], [0, 0, 0]]],
  ['applyAngularImpulse', (s) => [s.body, [0, 1, 0]]],
  ['moveKinematic', (s) => [s.lift, [9, 1, 0], [0, 0, 0, 1]]],
  ['setGravityScale', (s) => [s.body, 1]],
  ['setDamping', (s) => [s.body, 0, 0]],
  ['setType', (s) => [s.body, 'dynamic']],
  ['setMass', (s) => [s.body, { mass: 1, center: [0, 0, 0], inertia: [1, 1, 1, 0, 0, 0] }]],
  ['addCollider', (s) => [s.body, { shape: s.box, position: [0, 0, 0], rotation: [0, 0, 0, 1], density: 10 }]],
  ['removeCollider', (s) => [s.collider]],
  ['collidersOf', (s) => [s.body]],
  ['bodyOf', (s) => [s.collider]],
  ['setMaterial', (s) => [s.collider, { friction: 1, restitution: 0, frictionCombine: 'min', category: 1, mask: 1 }]],
  ['set', () => [{ gravity: [0, -1, 0], solver: 'pgs', preset: 'high', dt: 0.01, substeps: 4, frictionModel: 'point', seed: 3 }]],
  [
    'createJoint',
    (s) => [
      {
        type: 'cylindrical',
        bodyA: s.lift,
        bodyB: s.body,
        anchorA: [0, 1, 0],
        anchorB: [0, 1, 0],
        frameA: [0, 0, 0, 1],
        frameB: [0, 0, 0, 1],
        limit: { min: 0, max: 1 },
        motor: { velocity: 1, maxForce: 5 },
        friction: 1,
        twist: { limit: null, spring: { target: 0, frequency: 2, dampingRatio: 1 }, friction: 1, locked: false },
        frictionLever: 0.1,
        frictionTorque: 1,
        breakForce: 100,
        breakTorque: 100,
        collide: true,
        enabled: true,
      },
    ],
  ],
  ['createJoint', (s) => [{ type: 'cone-twist', bodyB: s.body, anchor: [0, 1, 0], axis: [1, 0, 0], cone: 0.5 }]],
  ['createJoint', (s) => [{ type: 'distance', bodyB: s.body, anchorA: [0, 2, 0], anchorB: [0, 0, 0], length: 1 }]],
  ['createJoint', (s) => [{ type: 'six-axis', bodyB: s.body, anchor: [0, 1, 0], axes: { x: { locked: true }, twist: {} } }]],
  [
    'createJoint',
    (s) => [
      {
        type: 'wheel',
        bodyA: s.lift,
        bodyB: s.body,
        anchor: [0, 1, 0],
        axis: [1, 0, 0],
        suspensionAxis: [0, 1, 0],
        steering: 0.1,
      },
    ],
  ],
  ['createJoint', (s) => [{ type: 'gear', bodyA: s.lift, bodyB: s.body, axisA: [1, 0, 0], axisB: [1, 0, 0], ratio: 2 }]],
  [
    'createJoint',
    (s) => [
      {
        type: 'pulley',
        bodyA: s.lift,
        bodyB: s.body,
        anchorA: [0, 1, 0],
        anchorB: [0, 1, 0],
        groundA: [0, 9, 0],
        groundB: [1, 9, 0],
        ratio: 1,
        length: 15,
      },
    ],
  ],
  [
    'setJoint',
    (s) => [s.joint, { axis: [0, 1, 0], limit: { min: 0, max: 1 }, spring: { stiffness: 5, damping: 1 }, enabled: false }],
  ],
  ['getJoint', (s) => [s.joint, s.world.getJoint(s.joint)]],
  ['hasJoint', (s) => [s.joint]],
  ['jointsOf', (s) => [s.body]],
  ['removeJoint', (s) => [s.joint]],
  ['readJointLines', () => [{ size: 0.5 }]],
  ['readDebugLines', (s) => [{ size: 0.5, bounds: true, alpha: 0.5 }, s.world.readDebugLines()]],
  ['castRay', (s) => [[0, 5, 0], [0, -1, 0], { maxDistance: 100, mask: 1, excludeBody: s.body }, createQueryHit()]],
  ['castRayAny', () => [[0, 5, 0], [0, -1, 0], { types: ['static'], sensors: true, solid: false, backFaces: false }]],
  ['castRayAll', () => [[0, 5, 0], [0, -1, 0], { category: 1 }, []]],
  ['castRays', () => [new Float32Array([0, 5, 0]), new Float32Array([0, -1, 0]), { any: true }, createBatchHits(1)]],
  ['castShape', (s) => [s.spare, [0, 5, 0], [0, 0, 0, 1], [0, -9, 0], { stopAtPenetration: false }, createQueryHit()]],
  ['castShapeAny', (s) => [s.spare, [0, 5, 0], [0, 0, 0, 1], [0, -9, 0], { mask: 1 }]],
  ['castShapeAll', (s) => [s.spare, [0, 5, 0], [0, 0, 0, 1], [0, -9, 0], {}, []]],
  [
    'castShapes',
    (s) => [s.spare, new Float32Array(3), new Float32Array([0, 0, 0, 1]), new Float32Array(3), { mask: 1 }, createBatchHits(1)],
  ],
  ['overlapShape', (s) => [s.spare, [0, 5, 0], [0, 0, 0, 1], { mask: 1 }, []]],
  ['overlapShapeAny', (s) => [s.spare, [0, 5, 0], [0, 0, 0, 1], { mask: 1 }]],
  ['overlapPoint', () => [[0, 5, 0], { mask: 1 }, []]],
  ['overlapBounds', () => [[0, 5, 0], [1, 6, 1], { mask: 1 }, []]],
  ['closestPoint', () => [[0, 5, 0], { maxDistance: 3 }, createQueryHit()]],
  ['closestPointAll', () => [[0, 5, 0], { maxDistance: 3 }, []]],
  ['closestToShape', (s) => [s.spare, [0, 5, 0], [0, 0, 0, 1], { maxDistance: 3 }, createQueryHit()]],
  ['contactShape', (s) => [s.spare, [0, 5, 0], [0, 0, 0, 1], { maxDistance: 3 }, []]],
  [
    'contactPair',
    (s) => [s.spare, [0, 5, 0], [0, 0, 0, 1], s.spare, [0, 6, 0], [0, 0, 0, 1], { maxDistance: 3 }, createShapeContact()],
  ],
  ['orderingReport', () => ['colored']],
  ['readContacts', (s) => [s.world.readContacts()]],
  ['readLabels', () => ['island', new Uint32Array(8)]],
];

const bytes = (world: World) => Buffer.from(((world as Wrong).memory.memory as WebAssembly.Memory).buffer);

/** All ways to put one wrong value into the arguments: in place of an argument or of a field of one. */
function* spoiled(make: () => Wrong[], value: () => Wrong): Generator<[string, Wrong[]]> {
  const good = make();
  for (let i = 0; i < good.length; i++) {
    const args = make();
    args[i] = value();
    yield [`argument ${i}`, args];
    if (typeof good[i] !== 'object' || Array.isArray(good[i]) || ArrayBuffer.isView(good[i])) continue;
    for (const key of Object.keys(good[i])) {
      const inner = make();
      inner[i][key] = value();
      yield [`${key} of argument ${i}`, inner];
    }
  }
}

// In the short form a call gets every other wrong value, its neighbors the others.
const TRIED = CALLS.map(([name, make], i) => [`${name} (${i})`, name, make, everyNth(WRONG, 2, i)] as const);

test.each(TRIED)('%s', async (_, name, make, wrong) => {
  let s = await scene();
  let before = Buffer.from(bytes(s.world));
  let refused = 0;
  for (const [what, value] of wrong) {
    // Arguments are made one by one, for the scene that there is then.
    for (const [place, args] of spoiled(() => make(s), value)) {
      let error: unknown;
      try {
        (s.world as Wrong)[name](...args);
      } catch (caught) {
        error = caught;
      }
      const where = `${name}: ${what} as ${place}`;
      if (error === undefined) {
        // Allowed there: the world goes on, and the next case has a fresh one.
        s.world.step();
        expect(s.world.faults.notFinite, where).toBe(false);
        for (const x of s.world.positions) expect(Number.isFinite(x), where).toBe(true);
        s = await scene();
        before = Buffer.from(bytes(s.world));
      } else {
        expect(error, where).toBeInstanceOf(TalusError);
        expect(bytes(s.world).equals(before), where).toBe(true);
        refused++;
      }
    }
  }
  if (name !== 'isAlive' && name !== 'hasJoint') expect(refused).toBeGreaterThan(wrong.length / 2);
});

/** Calls that answer with a promise, and accessors of events. */
const OTHERS: [string, (s: Scene, value: Wrong) => unknown][] = [
  ['createWorld', (_s, value) => createWorld(value)],
  ...['backend', 'bodyCapacity', 'device', 'wasm', 'gravity', 'solver', 'dt'].map(
    (key): [string, (s: Scene, v: Wrong) => unknown] => [`createWorld ${key}`, (_s, value) => createWorld({ [key]: value })],
  ),
  ['clone', (s, value) => s.world.clone(value)],
  ['clone backend', (s, value) => s.world.clone({ backend: value })],
  ['clone device', (s, value) => s.world.clone({ device: value })],
  ['restore', (s, value) => s.world.restore(value)],
  ['snapshot', (s, value) => s.world.snapshot(value)],
  ['snapshot options', (s, value) => s.world.snapshot(undefined, value)],
  ['snapshot local', (s, value) => s.world.snapshot(undefined, { local: value })],
  ['setBackend', (s, value) => s.world.setBackend(value)],
  ['setBackend device', (s, value) => s.world.setBackend('wasm', value)],
  ['stepAsync', (s, value) => (s.world as Wrong).stepAsync(value)],
  ...(['kind', 'bodyA', 'colliderB', 'impulse', 'separation', 'get'] as const).map(
    (name): [string, (s: Scene, v: Wrong) => unknown] => [`events.${name}`, (s, value) => s.world.events[name](value)],
  ),
  ['events.point', (s, value) => s.world.events.point(value, [0, 0, 0])],
  ['events.point out', (s, value) => s.world.events.point(0, value)],
  ['events.normal out', (s, value) => s.world.events.normal(0, value)],
];

test.each(OTHERS)('%s', async (name, call) => {
  const s = await scene();
  const { world, box } = s;
  world.createBody({ shape: box, position: [0, 1.5, 0] });
  while (world.events.count === 0) world.step();
  let refused = 0;
  for (const [what, value] of WRONG) {
    let error: unknown;
    try {
      await call(s, value());
    } catch (caught) {
      error = caught;
      refused++;
    }
    if (error !== undefined) expect(error, `${name}: ${what}`).toBeInstanceOf(TalusError);
  }
  expect(refused).toBeGreaterThan(WRONG.length / 2);
});
