// The public API of a world as a table: a call a line, with the arguments it takes. What is not in the table is in REASONS.
import { type BodyId, EVENT_KINDS, LABEL_KINDS, type ShapeId, type TalusErrorCode } from '../../../src/index';
import { type Any, NOTHING } from './draw';
import type { Driver } from './driver';

/** Draws an argument; NOTHING where the world has none of that kind. */
export type Arg = (d: Driver) => Any;

export interface Call {
  method: string;
  /** How often it comes, beside the others. */
  weight: number;
  args: readonly Arg[];
  /** The code that a well-formed call must be refused with, if it must. */
  refuses?: (d: Driver, args: Any[]) => TalusErrorCode | false;
  /** Codes that a well-formed call may be refused with for reasons that the model does not know. */
  may?: readonly TalusErrorCode[];
  /** Brings the model up to date. */
  after?: (d: Driver, args: Any[], result: Any) => void | Promise<void>;
  /** Whether its arguments are never spoiled: nothing checks them. */
  isPlain?: boolean;
  /** A setter: the getter that reads back what the argument of this number says. */
  reads?: readonly [getter: string, argument: number];
}

type More = Omit<Call, 'method' | 'weight' | 'args'>;
const call = (method: string, weight: number, args: readonly Arg[] = [], more: More = {}): Call => ({
  method,
  weight,
  args,
  ...more,
});
/** A call that says something of the thing that is its first argument, and the getter that answers it. */
const setter = (method: string, args: readonly Arg[], getter: string, more: More = {}): Call =>
  call(method, 2, args, { reads: [getter, 1], ...more });
/** A call that gives nothing but numbers, all of which are finite. */
const getter = (method: string, args: readonly Arg[] = []): Call =>
  call(method, 0.7, args, { after: (d, _args, result) => d.expectFinite(method, result) });

// Arguments.
const BODY: Arg = (d) => d.body();
const COLLIDER: Arg = (d) => d.collider();
const SHAPE: Arg = (d) => d.shape();
const CONVEX: Arg = (d) => d.convex();
const JOINT: Arg = (d) => d.joint();
const PLACE: Arg = (d) => d.draw.place();
const TURN: Arg = (d) => d.draw.turn();
const FLAG: Arg = (d) => d.draw.chance(0.5);
const V3: Arg = () => [0, 0, 0];
const V4: Arg = () => [0, 0, 0, 0];
const value =
  <T>(...list: readonly T[]): Arg =>
  (d) =>
    d.draw.pick(list);
const vector =
  (usual: number, most = 1e15): Arg =>
  (d) =>
    d.draw.vector(usual, most);
const number =
  (low: number, high: number, least = low, most = high): Arg =>
  (d) =>
    d.draw.amount(low, high, least, most);
const maybe =
  (arg: Arg): Arg =>
  (d) =>
    d.draw.chance(0.5) ? arg(d) : undefined;
/** Some of these fields. */
const some =
  (fields: Record<string, Arg>): Arg =>
  (d) =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(() => d.draw.chance(0.4))
        .map(([key, arg]) => [key, arg(d)]),
    );

const RULE = value('average', 'multiply', 'min', 'max', 'geometric');
const MATERIAL: Record<string, Arg> = {
  friction: number(0, 1, 0, 100),
  restitution: number(0, 1),
  rollingResistance: number(0, 0.1, 0, 1),
  frictionCombine: RULE,
  restitutionCombine: RULE,
  rollingResistanceCombine: RULE,
  category: value(1, 2, 0x80000000, 0xffffffff),
  mask: value(0xffffffff, 0xffffffff, 1, 0),
  group: (d) => d.draw.int(0, 63),
  spinningFriction: number(0, 0.1, 0, 1000),
};
const EVENTS: Record<string, Arg> = {
  persistEvents: FLAG,
  hitSpeed: (d) => (d.draw.chance(0.3) ? null : d.draw.amount(0, 5, 0, 1e6)),
  hitImpulse: (d) => (d.draw.chance(0.3) ? null : d.draw.amount(0, 50, 0, 1e15)),
  seesStatic: FLAG,
};
const MOTION: Record<string, Arg> = {
  gravityScale: number(-2, 2, -1000, 1000),
  linearDamping: number(0, 2, 0, 1000),
  angularDamping: number(0, 2, 0, 1000),
  bullet: FLAG,
};
const LENGTH: Arg = number(0.1, 0.6, 1e-4, 1e5);

const SHAPES: readonly Arg[] = [
  (d) => ({ type: 'sphere', radius: LENGTH(d) }),
  (d) => ({ type: 'capsule', radius: LENGTH(d), halfHeight: number(0, 0.6, 0, 1e5)(d) }),
  (d) => ({ type: 'box', halfExtents: [LENGTH(d), LENGTH(d), LENGTH(d)] }),
  (d) => ({ type: 'cylinder', radius: LENGTH(d), halfHeight: LENGTH(d) }),
  (d) => ({ type: 'cone', radius: LENGTH(d), halfHeight: LENGTH(d) }),
  (d) => {
    const size = [LENGTH(d), LENGTH(d), LENGTH(d)];
    const points = Array.from({ length: 36 }, (_, i) => d.draw.range(-1, 1) * size[i % 3]!);
    return { type: 'hull', points, ...(d.draw.chance(0.5) ? { maxVertices: d.draw.int(8, 32) } : {}) };
  },
];
const SURFACES: readonly Arg[] = [
  (d) => {
    const n = d.draw.int(2, 5);
    const heights = Array.from({ length: n * n }, () => d.draw.range(-0.2, 0.2));
    return { type: 'heightfield', heights, nx: n, nz: n, spacing: number(0.5, 1.5, 0.001, 1e3)(d), origin: [-2, 0, -2] };
  },
  (d) => {
    const at = Array.from({ length: 4 }, () => d.draw.range(-0.2, 0.2));
    const positions = [-3, at[0], -3, 3, at[1], -3, -3, at[2], 3, 3, at[3], 3];
    return { type: 'mesh', positions, indices: [0, 2, 1, 1, 2, 3] };
  },
  (d) => ({
    type: 'plane',
    ...(d.draw.chance(0.5) ? { normal: DIRECTION(d) } : {}),
    ...(d.draw.chance(0.5) ? { offset: d.draw.amount(-3, 0, -1e6, 1e6) } : {}),
  }),
];

const isSurface = (desc: Any) => desc.type === 'mesh' || desc.type === 'heightfield' || desc.type === 'plane';

const colliderOf =
  (shape: Arg): Arg =>
  (d) => {
    const id = shape(d);
    if (id === NOTHING) return NOTHING;
    const more = d.draw.chance(0.1) ? { sensor: true, density: 100 } : {};
    const pose = d.draw.chance(0.5) ? {} : { position: d.draw.vector(0.5, 1e6), rotation: d.draw.turn() };
    return { shape: id, ...pose, density: number(100, 2000, 1e-3, 1e9)(d), ...more, ...some({ ...MATERIAL, ...EVENTS })(d) };
  };

const bodyDesc: Arg = (d) => {
  const type = d.draw.pick(['dynamic', 'dynamic', 'dynamic', 'dynamic', 'kinematic', 'static']);
  const moves = type === 'static' ? {} : some({ linearVelocity: vector(5, 1e6), angularVelocity: vector(5, 1e6) })(d);
  const common = { type, position: d.draw.place(), rotation: d.draw.turn(), ...moves, ...some(MOTION)(d) };
  const mass = type === 'dynamic' && d.draw.chance(0.2) ? { mass: number(1, 100, 1e-9, 1e12)(d) } : {};
  const shape = type === 'dynamic' ? CONVEX : SHAPE;
  if (d.draw.chance(0.3)) {
    const colliders = Array.from({ length: d.draw.int(1, 3) }, () => colliderOf(shape)(d));
    return colliders.includes(NOTHING) ? NOTHING : { ...common, ...mass, colliders };
  }
  const collider = colliderOf(shape)(d);
  if (collider === NOTHING) return NOTHING;
  const { position: _position, rotation: _rotation, ...rest } = collider;
  return { ...rest, ...common, ...mass };
};

const bodiesDesc: Arg = (d) => {
  const count = d.draw.int(1, 5);
  const shape = d.convex();
  if (shape === NOTHING) return NOTHING;
  const each = (size: number, low: number, high: number) => Array.from({ length: size * count }, () => d.draw.range(low, high));
  const arrays = some({
    rotations: () => each(4, 0.1, 1),
    linearVelocities: () => each(3, -5, 5),
    angularVelocities: () => Float32Array.from(each(3, -5, 5)),
    densities: () => each(1, 100, 1000),
    frictions: () => each(1, 0, 1),
    types: () => Array.from({ length: count }, () => d.draw.int(0, 2)),
  })(d);
  if (arrays.types?.includes(0)) {
    delete arrays.linearVelocities;
    delete arrays.angularVelocities;
  }
  const { friction: _friction, ...material } = MATERIAL;
  return { count, shape, positions: each(3, -4, 4), ...arrays, ...some(MOTION)(d), ...some(material)(d), ...some(EVENTS)(d) };
};

const AXIS: Arg = (d) => {
  const kind = d.draw.int(0, 4);
  if (kind === 0) return { limit: { min: d.draw.range(-1, 0), max: d.draw.range(0, 1) } };
  if (kind === 1) return { motor: { velocity: number(-3, 3, -1e6, 1e6)(d), maxForce: number(0, 1000, 0, 1e15)(d) } };
  if (kind === 2) return { spring: { frequency: number(0.5, 8, 0.001, 1000)(d), dampingRatio: number(0, 2, 0, 100)(d) } };
  if (kind === 3) return { friction: number(0, 10, 0, 1e15)(d) };
  return {};
};
const JOINT_COMMON: Record<string, Arg> = {
  collide: FLAG,
  enabled: value(true, true, true, false),
  breakForce: number(1e3, 1e6, 0, 1e15),
  breakTorque: number(1e3, 1e6, 0, 1e15),
};

const jointDesc: Arg = (d) => {
  const bodyB = d.body();
  if (bodyB === NOTHING) return NOTHING;
  const type = d.draw.pick([
    'ball',
    'hinge',
    'fixed',
    'slider',
    'cylindrical',
    'cone-twist',
    'distance',
    'six-axis',
    'wheel',
    'gear',
    'pulley',
  ]);
  const isPair = type === 'gear' || type === 'pulley';
  const bodyA = isPair || d.draw.chance(0.7) ? d.neighbor(bodyB) : null;
  if (bodyA === NOTHING) return NOTHING;
  const axis = d.draw.pick([
    [1, 0, 0],
    [0.8, 0, 0.6],
  ]);
  const common = { type, bodyA, bodyB, ...some(JOINT_COMMON)(d) };
  const at = { ...common, anchor: d.near(bodyB) };
  switch (type) {
    case 'gear':
      return { ...common, axisA: axis, axisB: axis, ratio: number(-3, 3, -1e6, 1e6)(d) };
    case 'pulley':
      return { ...common, anchorA: [0, 0.2, 0], anchorB: [0, 0.2, 0], groundA: [0, 5, 0], groundB: [1, 5, 0] };
    case 'ball':
    case 'fixed':
      return at;
    case 'six-axis':
      return { ...at, axes: { x: AXIS(d), swingX: AXIS(d), twist: AXIS(d), y: { locked: true } } };
    case 'cone-twist':
      return { ...at, axis, cone: d.draw.range(0, 3), ...AXIS(d) };
    case 'distance':
      return { ...common, anchorA: d.draw.vector(2), anchorB: [0, 0.1, 0], limit: { min: 0, max: number(0.5, 3, 0, 1e6)(d) } };
    case 'wheel':
      return { ...at, axis, steering: d.draw.range(-1, 1), twist: AXIS(d) };
    default:
      return { ...at, axis, ...AXIS(d) };
  }
};

/** Changes that fit the joint. */
const jointArgs: readonly Arg[] = [
  JOINT,
  (d) => {
    const common = some(JOINT_COMMON)(d);
    if (d.draw.chance(0.2)) return { ...common, frictionTorque: d.draw.range(0, 1) };
    if (d.draw.chance(0.3)) return { ...common, ...AXIS(d) };
    return common;
  },
];

const CATEGORY_FILTER: Record<string, Arg> = {
  mask: value(1, 0xffffffff),
  category: value(1, 2),
  excludeBody: (d) => d.bodyOrNull(),
  excludeCollider: (d) => d.colliderOrNull(),
  types: value(['static'], ['dynamic', 'kinematic'], ['static', 'dynamic', 'kinematic']),
  sensors: value<boolean | 'only'>(true, false, 'only'),
};
const FILTER: Record<string, Arg> = {
  ...CATEGORY_FILTER,
  filter: (d) => d.source('filter'),
};
const REACH: Record<string, Arg> = { maxDistance: number(1, 20, 0, 2e6) };
const RAY_REACH: Record<string, Arg> = { maxDistance: number(1, 20, 1e-9, 2e6) };
const RAY = { ...FILTER, ...RAY_REACH, solid: FLAG, backFaces: FLAG };
const CAST = { ...FILTER, stopAtPenetration: FLAG };
const NEAR = { ...FILTER, ...REACH };
const DIRECTION: Arg = (d) => {
  const v = d.draw.vector(1, 1e15);
  const zero = (v.x ?? v[0]) === 0 && (v.y ?? v[1]) === 0 && (v.z ?? v[2]) === 0;
  return zero ? [0, -1, 0] : v;
};
const WAY = vector(5, 2e6);
const HIT: Arg = (d) => d.source('createQueryHit()');
const LIST: Arg = () => [];
const numbers =
  (size: number, low: number, high: number): Arg =>
  (d) =>
    Float32Array.from({ length: 4 * size }, () => d.draw.range(low, high));
const BATCH: Arg = (d) => d.source('createBatchHits(4)');
const query = (method: string, args: readonly Arg[]): Call =>
  call(method, 0.5, args, { after: (d, given, result) => d.checkAnswers(method, given, result) });

const CHARACTER: Arg = (d) => d.character();
const VEHICLE: Arg = (d) => d.vehicle();
const range =
  (low: number, high: number): Arg =>
  (d) =>
    d.draw.range(low, high);
const CAPSULES = [
  { type: 'capsule', radius: 0.3, halfHeight: 0.5 },
  { type: 'capsule', radius: 0.3, halfHeight: 0.2 },
];
const characterDesc: Arg = (d) => ({
  shape: CAPSULES[0],
  position: d.draw.place(),
  ...some({
    presence: value('none', 'sensor', 'solid'),
    mass: range(40, 120),
    stepHeight: range(0, 0.5),
    maxSlope: range(0.3, 1.2),
    pushForce: range(0, 3000),
    gravityScale: range(0, 2),
  })(d),
});
const vehicleDesc: Arg = (d) => {
  const list = [...d.model.state.bodies].filter(([, { type, colliders }]) => type === 'dynamic' && colliders.length > 0);
  if (list.length === 0) return NOTHING;
  const wheels = [0.5, -0.5].flatMap((x) =>
    [0.5, -0.5].map((z) => ({
      position: [x, -0.3, z],
      radius: 0.3,
      driven: true,
      steered: z > 0,
      ...some({ friction: range(0, 2) })(d),
    })),
  );
  return { body: d.draw.pick(list)[0], wheels, drive: { torque: d.draw.range(0, 800) }, ...some({ steering: range(0, 1) })(d) };
};
/** Places one below the other. */
const LINE: Arg = (d) => {
  const [x, y, z] = [d.draw.range(-3, 3), d.draw.range(2, 4), d.draw.range(-3, 3)];
  return Array.from({ length: 4 }, (_, i) => [x, y - 0.4 * i, z]);
};
const chainDesc: Arg = (d) => ({
  points: LINE(d),
  radius: 0.08,
  ...some({ joint: value('ball', 'hinge'), start: value('world', 'free') })(d),
});
const ropeDesc: Arg = (d) => ({
  points: LINE(d),
  radius: 0.08,
  segments: d.draw.int(2, 6),
  ...some({ style: value('capsules', 'beads'), start: value('world', 'free'), breakForce: range(100, 1e4) })(d),
});
const netDesc: Arg = (d) => ({
  corner: d.draw.place(),
  right: [0.6, 0, 0],
  down: [0, 0, 0.6],
  columns: 3,
  rows: 2,
  radius: 0.06,
  ...some({ joint: value('ball', 'distance'), pins: value('corners', 'top') })(d),
});

const unlessDynamic = (d: Driver, [id]: Any[]) => d.typeOf(id) !== 'dynamic' && 'unsupported';
const added = (d: Driver, body: BodyId, desc: Any) => {
  const list = (desc.colliders ?? ('shape' in desc ? [desc] : [])) as { shape: ShapeId }[];
  const made = d.world.collidersOf(body);
  d.model.addBody(
    body,
    desc.type ?? 'dynamic',
    made,
    list.map((one) => one.shape),
  );
};

const SETTINGS: Record<string, Arg> = {
  gravity: (d) => (d.draw.chance(0.5) ? [0, -9.81, 0] : d.draw.vector(10, 1e6)),
  dt: (d) => (d.draw.chance(0.7) ? 1 / 60 : d.draw.amount(0.004, 0.03, 1e-5, 0.1)),
  solver: value('auto', 'wide', 'cell-split'),
  preset: value('fast', 'balanced', 'high'),
  substeps: (d) => (d.draw.chance(0.5) ? 'auto' : d.draw.int(1, 20)),
  sweeps: (d) => d.draw.int(1, 4),
  recycleDistance: number(0, 0.01, 0, 1),
  readbackTolerance: number(0, 0.001, 0, 0.01),
  speculativeMargin: number(0.01, 0.05, 1e-4, 10),
  restitutionThreshold: number(0.5, 2, 0, 1e6),
  warmStart: number(0.5, 1, 0, 1),
  pushSpeed: number(1, 5, 0, 1000),
  linearSlop: number(0, 0.005, 0, 1),
  maxLinearSpeed: number(100, 500, 1, 1e5),
  maxAngularSpeed: number(50, 150, 1, 1e5),
  sleep: FLAG,
  sleepSpeed: number(0.01, 0.1, 0, 100),
  sleepTime: number(0.05, 1, 0, 3600),
  seed: (d) => d.draw.int(0, 2 ** 31),
  hitSpeed: (d) => (d.draw.chance(0.5) ? null : d.draw.amount(0, 5, 0, 1e6)),
  sleepEvents: FLAG,
  granularity: (d) => d.draw.int(1, 128),
  cellBodyCap: (d) => d.draw.int(2, 96),
  contactHertzRatio: number(0.1, 0.2, 0.01, 0.5),
  dampingRatio: number(5, 10, 0, 100),
};
/** One or two settings. */
const settings: Arg = (d) => {
  const keys = [d.draw.pick(Object.keys(SETTINGS)), d.draw.pick(Object.keys(SETTINGS))];
  return Object.fromEntries(keys.map((key) => [key, SETTINGS[key]!(d)]));
};

const EVENT_NAMES = [...EVENT_KINDS, 'joint-break', 'sleep', 'wake'];

export const CALLS: readonly Call[] = [
  // shapes
  call('createShape', 3, [(d) => d.draw.pick(SHAPES)(d)], {
    after: (d, [desc], id) => d.model.addShape(id, isSurface(desc)),
  }),
  call('createShape', 1, [(d) => d.draw.pick(SURFACES)(d)], {
    after: (d, [desc], id) => d.model.addShape(id, isSurface(desc)),
  }),
  call('removeShape', 1.5, [SHAPE], {
    refuses: (d, [id]) => d.model.usersOf(id) > 0 && 'in-use',
    after: (d, [id]) => d.model.removeShape(id),
  }),
  // bodies
  call('createBody', 12, [bodyDesc], { after: (d, [desc], id) => added(d, id, desc) }),
  call('createBodies', 1.5, [bodiesDesc], {
    may: ['unsupported'],
    after: (d, [desc], ids) => {
      for (const [i, id] of ids.entries()) {
        const type = desc.types ? ['static', 'kinematic', 'dynamic'][desc.types[i]] : desc.type;
        added(d, id, { type, shape: desc.shape ?? desc.shapes[i] });
      }
    },
  }),
  call('removeBody', 6, [BODY], { after: (d, [id]) => d.model.removeBody(id) }),
  call('isAlive', 1, [BODY], { after: (d, [id], result) => d.expectSame('isAlive', result, d.model.state.bodies.has(id)) }),
  call('indexOf', 1, [BODY], { after: (d, [id], result) => d.expectSame('bodyAt', d.world.bodyAt(result), id) }),
  call('bodyAt', 1, [(d) => d.draw.int(0, 60)]),
  getter('getPosition', [BODY, V3]),
  getter('getRotation', [BODY, V4]),
  getter('getLinearVelocity', [BODY, V3]),
  getter('getAngularVelocity', [BODY, V3]),
  getter('getMass', [BODY]),
  getter('getCenterOfMass', [BODY, V3]),
  getter('getType', [BODY]),
  getter('isAsleep', [BODY]),
  getter('isBullet', [BODY]),
  call('getPose', 1, [BODY, V3, V4, maybe(number(0, 1))], { after: (d, args) => d.expectFinite('getPose', args.slice(1, 3)) }),
  call(
    'readPoses',
    0.5,
    [() => new Float32Array(4 * 256), () => new Float32Array(4 * 256), some({ alpha: number(0, 1), bodies: (d) => d.slots() })],
    { after: (d, args) => d.expectFinite('readPoses', args.slice(0, 2)) },
  ),
  call(
    'readMatrices',
    0.5,
    [
      () => new Float32Array(16 * 256),
      some({ alpha: number(0, 1), bodies: (d) => d.slots(), scales: () => new Float32Array(3 * 256).fill(2) }),
    ],
    { after: (d, args) => d.expectFinite('readMatrices', args[0]) },
  ),
  // motion
  call('teleport', 3, [BODY, PLACE, maybe(TURN)], {
    after: (d, [id, position]) => d.expectNear(`teleport`, d.world.getPosition(id, [0, 0, 0]), position),
  }),
  // A body may be too far away for it already.
  call('shift', 0.5, [vector(20, 1e3)], { may: ['invalid-argument'] }),
  call('setVelocity', 4, [BODY, vector(10, 1e6), maybe(vector(10, 1e6))], {
    refuses: (d, [id]) => d.typeOf(id) === 'static' && 'unsupported',
    after: (d, [id, linear, angular]) => {
      const { translation, rotation } = d.world.getLocks(id);
      if (translation !== '' || rotation !== '' || !d.world.isEnabled(id)) return;
      d.expectNear('setVelocity', d.world.getLinearVelocity(id, [0, 0, 0]), linear);
      if (angular !== undefined) d.expectNear('setVelocity', d.world.getAngularVelocity(id, [0, 0, 0]), angular);
    },
  }),
  call('addForce', 3, [BODY, vector(1e4), maybe(PLACE)], { refuses: unlessDynamic }),
  call('addTorque', 2, [BODY, vector(1e3)], { refuses: unlessDynamic }),
  call('applyImpulse', 3, [BODY, vector(300), maybe(PLACE)], { refuses: unlessDynamic }),
  call('applyAngularImpulse', 2, [BODY, vector(20)], { refuses: unlessDynamic }),
  call('moveKinematic', 6, [(d) => d.kinematic(), PLACE, maybe(TURN)], {
    refuses: (d, [id]) => d.typeOf(id) !== 'kinematic' && 'unsupported',
  }),
  call('wake', 2, [BODY]),
  setter('setGravityScale', [BODY, number(-2, 2, -1000, 1000)], 'getGravityScale'),
  call('setDamping', 2, [BODY, number(0, 2, 0, 1000), number(0, 2, 0, 1000)]),
  setter('setBullet', [BODY, FLAG], 'isBullet'),
  setter('setType', [BODY, value('dynamic', 'dynamic', 'kinematic', 'static')], 'getType', {
    refuses: (d, [id, type]) => type === 'dynamic' && d.model.hasSurface(id) && 'unsupported',
    may: ['invalid-argument'],
    after: (d, [id, type]) => {
      d.model.state.bodies.get(id)!.type = type;
    },
  }),
  call('setMass', 2, [BODY, (d) => (d.draw.chance(0.3) ? undefined : number(0.5, 100, 1e-9, 1e12)(d))], {
    may: ['invalid-argument'],
    after: (d, [id, mass]) => {
      if (typeof mass === 'number' && d.typeOf(id) === 'dynamic') d.expectNear('setMass', [d.world.getMass(id)], [mass]);
    },
  }),
  call('setMass', 1, [BODY, (d) => ({ mass: d.draw.range(1, 50), center: [0, 0.1, 0], inertia: [2, 3, 2, 0.1, 0, 0.2] })]),
  call('setLinearVelocity', 1, [BODY, vector(10, 1e6)], { refuses: (d, [id]) => d.typeOf(id) === 'static' && 'unsupported' }),
  call('setAngularVelocity', 1, [BODY, vector(10, 1e6)], { refuses: (d, [id]) => d.typeOf(id) === 'static' && 'unsupported' }),
  setter(
    'setSpeedLimits',
    [BODY, some({ linear: number(20, 500, 0, 1e15), angular: number(20, 100, 0, 1e15) })],
    'getSpeedLimits',
  ),
  setter('setEnabled', [BODY, value(true, true, false)], 'isEnabled'),
  setter('setLocks', [BODY, some({ translation: value('', 'x', 'yz', 'xyz'), rotation: value('', 'z', 'xyz') })], 'getLocks'),
  setter('setAllowSleep', [BODY, FLAG], 'getAllowSleep'),
  call('setUserData', 1, [BODY, value<Any>(1, 'mine', undefined, null)], {
    after: (d, [id, kept]) => d.expectSame('getUserData', d.world.getUserData(id), kept),
  }),
  setter('setTag', [BODY, (d) => d.draw.int(0, 0xffffffff)], 'getTag'),
  call('sleep', 1, [BODY], { may: ['unsupported'] }),
  call('applyExplosion', 1, [
    (d) => ({ position: d.draw.place(), radius: number(1, 5, 1e-3, 1e6)(d), impulse: number(-10, 100, -1e15, 1e15)(d) }),
  ]),
  call('applyGravityField', 1, [(d) => ({ position: d.draw.place(), strength: number(-5, 20, -1e6, 1e6)(d) })]),
  call('applyBuoyancy', 1, [
    (d) => ({ level: d.draw.range(-1, 3), ...some({ density: number(500, 1500, 0, 1e9), drag: number(0, 5) })(d) }),
  ]),
  call(
    'setContactRule',
    1,
    [
      (d) => d.draw.int(0, 3),
      (d) => d.draw.int(0, 63),
      (d) => (d.draw.chance(0.3) ? null : some({ friction: number(0, 1, 0, 100), restitution: number(0, 1), collide: FLAG })(d)),
    ],
    {
      after: (d, [a, b, rule]) => {
        const read = d.world.getContactRule(b, a);
        if (rule === null) d.expectSame('getContactRule', read, null);
        // That they collide is what is without a rule.
        else for (const key of ['friction', 'restitution'] as const) d.expectAgrees(`rule ${key}`, read?.[key], rule?.[key]);
      },
    },
  ),
  call('getContactRule', 0.5, [(d) => d.draw.int(0, 63), (d) => d.draw.int(0, 63)]),
  call('getShape', 0.5, [SHAPE]),
  call('getBody', 1, [BODY], { after: (d, [id], body) => d.expectSame('getBody', body.type, d.typeOf(id)) }),
  getter('getMassProperties', [BODY]),
  getter('getGravityScale', [BODY]),
  getter('getLinearDamping', [BODY]),
  getter('getAngularDamping', [BODY]),
  getter('isEnabled', [BODY]),
  getter('getLocks', [BODY]),
  call('getSpeedLimits', 0.5, [BODY]),
  getter('getAllowSleep', [BODY]),
  call('getUserData', 0.5, [BODY]),
  getter('getTag', [BODY]),
  getter('getMaterial', [COLLIDER]),
  call('getCollider', 0.7, [COLLIDER]),
  // colliders
  call(
    'setCollider',
    3,
    [
      COLLIDER,
      some({
        ...MATERIAL,
        ...EVENTS,
        position: vector(0.5, 1e6),
        rotation: TURN,
        density: number(100, 2000, 1e-3, 1e9),
        sensor: FLAG,
        enabled: FLAG,
      }),
    ],
    {
      may: ['invalid-argument', 'unsupported'],
      after: (d, [id]) => {
        for (const name of ['getMaterial', 'getColliderEvents'] as const)
          d.model.tell(name, id, structuredClone(d.world[name](id)));
      },
    },
  ),
  call('addCollider', 3, [BODY, colliderOf(SHAPE)], {
    refuses: (d, [id, { shape }]) => d.typeOf(id) === 'dynamic' && d.model.state.shapes.get(shape)!.isSurface && 'unsupported',
    after: (d, [body, desc], id) => d.model.addCollider(id, body, desc.shape),
  }),
  call('removeCollider', 2, [COLLIDER], { may: ['invalid-argument'], after: (d, [id]) => d.model.removeCollider(id) }),
  call('collidersOf', 1, [BODY]),
  call('bodyOf', 1, [COLLIDER], {
    after: (d, [id], result) => d.expectSame('bodyOf', result, d.model.state.colliders.get(id)!.body),
  }),
  setter('setMaterial', [COLLIDER, some(MATERIAL)], 'getMaterial'),
  setter('setColliderEvents', [COLLIDER, some(EVENTS)], 'getColliderEvents'),
  call('getColliderEvents', 1, [COLLIDER]),
  // callbacks
  call('on', 0.5, [value(...EVENT_NAMES), (d) => d.listener()], { after: (d, args, end) => d.listens(args, end) }),
  call('once', 0.5, [value(...EVENT_NAMES), (d) => d.listener()]),
  call('off', 0.5, [value(...EVENT_NAMES), (d) => d.oldListener()]),
  // joints
  call('createJoint', 3, [jointDesc], {
    may: ['invalid-argument'],
    after: (d, [desc], id) => {
      d.model.state.joints.set(id, [desc.bodyA ?? null, desc.bodyB]);
      d.counts.joints++;
    },
  }),
  call('setJoint', 2, jointArgs, { may: ['invalid-argument'] }),
  call('removeJoint', 2, [JOINT], { after: (d, [id]) => d.model.removeJoint(id) }),
  call('hasJoint', 0.5, [JOINT], { after: (d, [id], result) => d.expectSame('hasJoint', result, d.model.state.joints.has(id)) }),
  call('jointsOf', 0.5, [BODY]),
  call('getJoint', 1.5, [JOINT], {
    after: (d, [id], state) => {
      const ends = d.model.state.joints.get(id)!;
      d.expectSame('getJoint', [state.bodyA, state.bodyB].join(), [ends[0], ends[1]].join());
      for (const key of ['place', 'offset', 'swing', 'twist', 'gap', 'force', 'torque', 'axisForce']) {
        d.expectFinite(`getJoint ${key}`, state[key]);
      }
    },
  }),
  call('readJointLines', 0.3, [some({ size: number(0.1, 1, 0, 1e6) })], {
    after: (d, _args, lines) => d.expectFinite('readJointLines', lines.positions.subarray(0, 3 * lines.count)),
  }),
  call(
    'readDebugLines',
    0.2,
    [some({ shapes: FLAG, contacts: FLAG, joints: FLAG, bounds: FLAG, size: number(0.1, 1, 0, 1e6), alpha: number(0, 1, 0, 1) })],
    { after: (d, _args, lines) => d.expectFinite('readDebugLines', lines.positions.subarray(0, 3 * lines.count)) },
  ),
  // steps
  call('step', 60, [], { after: (d) => d.stepped() }),
  call('stepAsync', 1, [], { after: (d) => d.stepped() }),
  call('advance', 3, [number(0, 0.03, 0, 0.2), some({ maxSteps: (d) => d.draw.int(1, 3), interpolate: FLAG })], {
    after: (d, _args, frame) => {
      d.counts.frames++;
      d.expectFinite('advance', frame.alpha);
      if (frame.steps === 1) d.stepped();
      else if (frame.steps > 1) d.stepped(true);
    },
  }),
  call('settle', 0.3),
  // characters, vehicles and rigs
  call('new Character', 0.7, [characterDesc], { after: (d, _args, one) => d.addPlayer(one) }),
  call('character.walk', 6, [CHARACTER, some({ velocity: vector(6), jump: value(0, 0, 4) })]),
  call('character.teleport', 0.5, [CHARACTER, PLACE]),
  call('character.setShape', 0.5, [CHARACTER, (d) => d.draw.pick(CAPSULES)]),
  call('character.enabled=', 0.5, [CHARACTER, FLAG]),
  call('character.getPose', 1, [CHARACTER, V3, number(0, 1)], { after: (d, [, out]) => d.expectFinite('getPose', out) }),
  call('character.dispose', 0.2, [CHARACTER], { after: (d, [one]) => d.removePlayer(one) }),
  call('new Vehicle', 0.5, [vehicleDesc], {
    after: (d, _args, one) => d.addPlayer(one),
    may: ['invalid-argument', 'unsupported'],
  }),
  call(
    'vehicle.controls=',
    3,
    [VEHICLE, some({ throttle: range(-1, 1), steering: range(-1, 1), brake: range(0, 1), handbrake: range(0, 1) })],
    {
      isPlain: true,
    },
  ),
  call('vehicle.enabled=', 0.3, [VEHICLE, FLAG]),
  call('vehicle.dispose', 0.2, [VEHICLE], { after: (d, [one]) => d.removePlayer(one) }),
  call('createChain', 0.15, [chainDesc], { after: (d, _args, rig) => d.addRig(rig) }),
  call('createRope', 0.15, [ropeDesc], { after: (d, _args, rig) => d.addRig(rig) }),
  call('createNet', 0.1, [netDesc], { after: (d, _args, rig) => d.addRig(rig) }),
  call('createRagdoll', 0.1, [some({ position: PLACE, height: number(1, 2) })], { after: (d, _args, rig) => d.addRig(rig) }),
  call('rig.dispose', 0.5, [(d) => d.rig()], { after: (d, [rig]) => d.removeRig(rig) }),
  // queries
  query('castRay', [PLACE, DIRECTION, some(RAY), maybe(HIT)]),
  query('castRayAny', [PLACE, DIRECTION, some(RAY)]),
  query('castRayAll', [PLACE, DIRECTION, some(RAY), LIST]),
  query('castRays', [numbers(3, -4, 4), numbers(3, 0.1, 1), some({ ...CATEGORY_FILTER, ...RAY_REACH, any: FLAG }), BATCH]),
  query('castShape', [CONVEX, PLACE, TURN, WAY, some(CAST), maybe(HIT)]),
  query('castShapeAny', [CONVEX, PLACE, TURN, WAY, some(CAST)]),
  query('castShapeAll', [CONVEX, PLACE, TURN, WAY, some(CAST), LIST]),
  query('castShapes', [
    CONVEX,
    numbers(3, -4, 4),
    numbers(4, 0.1, 1),
    numbers(3, -4, 4),
    some({ ...CATEGORY_FILTER, stopAtPenetration: FLAG, any: FLAG }),
    BATCH,
  ]),
  query('overlapShape', [CONVEX, PLACE, TURN, some(FILTER), LIST]),
  query('overlapShapeAny', [CONVEX, PLACE, TURN, some(FILTER)]),
  query('overlapPoint', [PLACE, some(FILTER), LIST]),
  query('overlapBounds', [() => [-1, -1, -1], (d) => [d.draw.range(-1, 3), 2, 2], some(FILTER), LIST]),
  query('closestPoint', [PLACE, some(NEAR), maybe(HIT)]),
  query('closestPointAll', [PLACE, some(NEAR), LIST]),
  query('closestToShape', [CONVEX, PLACE, TURN, some(NEAR), maybe(HIT)]),
  query('contactShape', [CONVEX, PLACE, TURN, some({ ...FILTER, maxDistance: number(0, 0.5, 0, 1e4) }), LIST]),
  query('contactPair', [CONVEX, PLACE, TURN, CONVEX, PLACE, TURN, some(REACH), maybe((d) => d.source('createShapeContact()'))]),
  // settings and state
  call('set', 2, [settings], {
    after: (d, [changes]) => {
      const now = d.world.settings as Any;
      for (const key of Object.keys(changes)) {
        if (changes[key] !== undefined) d.expectAgrees(`settings.${key}`, now[key], d.plain(changes[key]));
      }
    },
  }),
  call('snapshot', 1, [(_d) => undefined, some({ local: FLAG })], {
    after: (d, args, bytes) => d.keepSnapshot(bytes, args[1]?.local === true),
  }),
  call('restore', 1, [(d) => d.snapshotBytes()], { may: ['unsupported'], after: (d, [bytes]) => d.restored(bytes) }),
  call('restore', 0.5, [(d) => d.damagedBytes()], { refuses: () => 'invalid-argument' }),
  call('hash', 1, [], { after: (d, _args, hash) => d.expectSame('hash', Number.isSafeInteger(hash), true) }),
  call('clone', 0.3, [], { after: (d, _args, twin) => d.checkClone(twin) }),
  call('setBackend', 0.2, [value('wasm')]),
  getter('measure'),
  call('readContacts', 0.5, [], {
    after: (d, _args, contacts) => d.expectFinite('readContacts', contacts.points.subarray(0, 3 * contacts.count)),
  }),
  getter('readBounds'),
  call('readLabels', 0.5, [value(...LABEL_KINDS)]),
];

/** Getters without arguments, read now and then: what each must be, or just that it can be read. */
export const PROPERTIES: Record<string, (d: Driver, read: Any) => void> = {
  settings: (d, read) => d.expectFinite('settings.dt', read.dt),
  bodyCount: (d, read) => d.expectSame('bodyCount', read, d.model.state.bodies.size + d.playerBodies().length),
  slotCount: (d, read) => d.expectSame('slotCount', read >= d.model.state.bodies.size, true),
  jointCount: (d, read) => d.expectSame('jointCount', read, d.model.state.joints.size),
  tags: (d, read) => d.expectFinite('tags', read),
  positions: (d, read) => d.expectFinite('positions', read),
  rotations: (d, read) => d.expectFinite('rotations', read),
  velocities: (d, read) => d.expectFinite('velocities', read),
  sleepingCount: (d, read) => d.expectSame('sleepingCount', read, d.sleepers()),
  stepCount: (d, read) => d.expectFinite('stepCount', read),
  alpha: (d, read) => d.expectFinite('alpha', read),
  controllers: (d, read) => d.expectSame('controllers', Array.isArray(read), true),
  slotsVersion: (d, read) => d.expectFinite('slotsVersion', read),
  posesVersion: (d, read) => d.expectFinite('posesVersion', read),
  activeBackend: (d, read) => d.expectSame('activeBackend', read, 'wasm'),
  backendReport: (d, read) => d.expectSame('backendReport', read.active, 'wasm'),
  activeSolver: (d, read) => d.expectSame('activeSolver', ['wide', 'cell-split'].includes(read), true),
  gpuPoses: (d, read) => d.expectSame('gpuPoses', read, null),
};

/** Public methods that are played otherwise. */
export const REASONS: Record<string, string> = {
  addController: 'takes functions; characters and vehicles call it',
  dispose: 'ends each round: every method is called after it',
};
