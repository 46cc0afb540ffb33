// The binary interface of the core, for hosts that are not JavaScript (docs/binary.md): which exports, structs and constants they may
// count on. `npm run layout` writes their names and types to api/binary.txt, the build writes all of it to dist/layout.json.
//
// A host reads offsets, strides and values from layout.json, so these may change at any time. Names, types and signatures are
// promised within a version: where a line of api/binary.txt goes or changes, raise VERSION.

/** Raise it with a change that breaks hosts. */
export const VERSION = 1;

/** What hosts call, by subject. The others belong to the JavaScript host. */
export const EXPORTS = {
  world: ['initWorld', 'moveOrigin', 'hashState', 'measure'],
  memory: ['allocate', 'release', 'reserveSlots', 'reserveShapes', 'reserveJoints'],
  step: ['stepBroadphase', 'stepContacts', 'stepSolve', 'stepEnd', 'setSolver'],
  shapes: ['createShape', 'removeShape'],
  bodies: [
    'createBody',
    'removeBody',
    'setBodyType',
    'setMassProperties',
    'setPose',
    'setVelocity',
    'setMotion',
    'setBullet',
    'setLocks',
    'limitBody',
    'enableBody',
    'allowSleep',
    'sleepBody',
    'wakeBody',
    'isAsleep',
    'addForce',
    'addForceAt',
    'applyImpulse',
    'applyImpulseAt',
    'moveKinematic',
  ],
  colliders: [
    'createCollider',
    'removeCollider',
    'setCollider',
    'changeCollider',
    'setColliderEvents',
    'reserveHits',
    'setSurface',
    'setPassage',
    'setContactRule',
  ],
  joints: ['createJoint', 'setJointFlags', 'renewJoint', 'removeJoint', 'measureJoint'],
  reading: ['readManifold', 'substepsOfManifold', 'keepPoses'],
  queries: ['queryState', 'runQuery', 'runContact'],
  snapshots: ['listLive', 'clearDead', 'forgetGpu'],
};

/** What hosts read and write of structs: fields by their names in the core, or all. */
export const STRUCTS = {
  Header: [
    ...['positions', 'rotations', 'bodyRows', 'bodyColds', 'bodyCenters', 'tags', 'bodyCount', 'bodyAlive'],
    ...['colliders', 'colliderCount', 'aabbs', 'shapes', 'shapeCount', 'joints', 'jointCount', 'jointAlive'],
    ...['manifoldBlocks', 'manifoldCount', 'events', 'eventCount', 'error', 'errorSize', 'stepCount', 'pastPoses', 'queryState'],
    ...['gravityX', 'gravityY', 'gravityZ', 'dt', 'substeps', 'autoSubsteps', 'sweeps', 'seed', 'sleep', 'sleepSpeed', 'sleepTime'],
    ...['contactHertzRatio', 'dampingRatio', 'pushSpeed', 'speculativeMargin', 'restitutionThreshold', 'maxLinearSpeed'],
    ...['maxAngularSpeed', 'hitSpeed', 'sleepEvents', 'sleepingCount', 'contactCount', 'memoryUsed', 'arenaTop', 'liveState'],
  ],
  BodyRow: ['vx', 'vy', 'vz', 'invMass', 'wx', 'wy', 'wz'],
  BodyCenter: ['x', 'y', 'z', 'lx', 'ly', 'lz'],
  BodyCold: ['flags', 'generation', 'firstCollider', 'colliderCount', 'comX', 'comY', 'comZ', 'mass'],
  PastPose: 'all',
  Collider: ['body', 'shape', 'flags', 'next', 'category', 'mask', 'friction', 'restitution', 'rollingResistance', 'density'],
  Aabb: ['minX', 'minY', 'minZ', 'maxX', 'maxY', 'maxZ'],
  Shape: ['type', 'flags', 'p0', 'p1', 'p2', 'extent'],
  EventRow: 'all',
  Manifold: [
    ...['bodyA', 'bodyB', 'count', 'nx', 'ny', 'nz', 'friction'],
    ...[0, 1, 2, 3].flatMap((i) => [`rax${i}`, `ray${i}`, `raz${i}`, `separation${i}`, `impulse${i}`]),
  ],
  Joint: [
    ...['kind', 'flags', 'bodyA', 'bodyB', 'locked', 'driven', 'cone', 'ratio', 'breakForce', 'breakTorque'],
    ...['anchorAx', 'anchorAy', 'anchorAz', 'anchorBx', 'anchorBy', 'anchorBz', 'frictionLever', 'frictionTorque'],
    ...['frameAx', 'frameAy', 'frameAz', 'frameAw', 'frameBx', 'frameBy', 'frameBz', 'frameBw', 'peakForce', 'peakTorque'],
    ...[0, 1, 2, 3, 4, 5].flatMap((i) =>
      ['lower', 'upper', 'mode', 'target', 'stiffness', 'damping', 'maxForce', 'friction'].map((name) => `${name}${i}`),
    ),
  ],
  QueryState: [
    ...['ox', 'oy', 'oz', 'reach', 'dx', 'dy', 'dz', 'qx', 'qy', 'qz', 'qw', 'shape', 'mask', 'category', 'flags'],
    ...['excludeBody', 'excludeCollider', 'hits', 'hitCount', 'bx', 'by', 'bz', 'shapeB', 'bqx', 'bqy', 'bqz', 'bqw'],
  ],
  QueryHit: ['collider', 'feature', 'distance', 'penetration', 'nx', 'ny', 'nz', 'x', 'y', 'z'],
  MeasureResult: 'all',
  LiveState: ['count', 'end'],
};

/** What hosts know by name: all constants whose names match. */
export const CONSTANTS = [
  /^(NONE|HEADER_PTR|MANIFOLD_BLOCK|SOLVER_WIDE|SOLVER_CELL_SPLIT)$/,
  /^(BODY|SHAPE|COMBINE|ERROR|COLLIDER|RULE|AXIS)_/,
  /^JOINT_(BALL|HINGE|FIXED|SLIDER|CYLINDRICAL|CONE_TWIST|DISTANCE|SIX_AXIS|WHEEL|GEAR|PULLEY|ALIVE|ENABLED|COLLIDES|BROKEN|FREE)$/,
  /^QUERY_(?!BATCH)/,
];

/** Settings that `createWorld()` writes over those of `initWorld`. tests/package/binary_interface.test.ts compares. */
export const DEFAULTS = { sleep: 1, sleepSpeed: 0.03, sleepTime: 0.5, autoSubsteps: 1 };

/** What `createBody` of the JavaScript host passes for a material that is left out: arguments of createCollider. */
export const MATERIAL = {
  friction: 0.6,
  restitution: 0,
  rollingResistance: 0.02,
  combine: 0x03040304,
  category: 1,
  mask: 0xffffffff,
  flags: 0,
  density: 1000,
};

/** Pages of 64 KiB that a world starts with, and the most that it may grow to. */
export const MEMORY = { module: 'env', name: 'memory', initialPages: 16, maximumPages: 65536, shared: false };

/** Functions that the core imports. */
export const IMPORTS = [
  {
    module: 'team',
    name: 'nap',
    params: [
      { name: 'address', type: 'i32' },
      { name: 'seen', type: 'i32' },
    ],
    result: null,
    doc: 'Called by additional threads only: a host with one thread passes a function that does nothing.',
  },
];
