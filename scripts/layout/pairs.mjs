// Pairs of colliders, manifolds, events, contact rules.

export const pairs = [
  {
    name: 'PairHot', count: 'per pair', align: 16,
    doc: 'What the pair walk reads of a pair: nothing is done until the summed motion of its bodies passes the budget.',
    fields: [
      ['bodyA', 'u32', 'body index'],
      ['bodyB', 'u32', 'body index'],
      ['budget', 'f64', 'do nothing while motion[A] + motion[B] is below it', 'm'],
    ],
  },
  {
    name: 'PairCold', count: 'per pair', align: 8,
    doc: 'The rest of a pair of colliders whose fat boxes overlap. Shape type of A <= shape type of B.',
    fields: [
      ['colliderA', 'u32'], ['colliderB', 'u32'],
      ['manifold', 'u32', 'first manifold, NONE if the shapes are apart'], ['cache', 'u32', 'axis cache of the narrow phase'],
      [
        'flags', 'u32',
        'bit 0 touching (an event was sent), bit 1 sensor, bit 2 persists, bit 3 has thresholds of hits, bit 4 followed in ' +
        'this step, bit 5 has an entry in hitCarries',
      ],
      ['watch', 'u32', 'entry in watchedPairs plus 1, 0 if there is none'],
    ],
  },
  {
    name: 'PairGap', count: 'per pair', align: 8,
    doc: 'The last test of a pair that found nothing.',
    fields: [
      ['d', 'vec3', 'center of B minus center of A at that test', 'm'],
      ['reach', 'f32', 'relative motion since then below which the shapes stay apart', 'm'],
      ['turn', 'f64', 'turn paths of both bodies at that test', 'm'],
    ],
  },
  {
    name: 'WatchedPair', count: 'per watched pair', align: 16,
    doc: 'A pair that has manifolds and does not touch yet (assembly/events/impacts.ts).',
    fields: [
      ['pair', 'u32', 'pair index'], ['separation', 'f32', 'smallest separation when the pair walk last saw the pair', 'm'],
      ['impulse', 'f32', 'of the steps before that braked the bodies ahead of their contact', 'N s'],
      ['speed', 'f32', 'approach speed before that', 'm/s'],
    ],
  },
  {
    name: 'HitCarry', count: 'per hit', align: 16,
    doc: 'A hit between colliders that touch, of which the first half was met ahead of the surface (assembly/events/follow.ts).',
    fields: [
      ['colliderA', 'u32'],
      ['colliderB', 'u32'],
      ['impulse', 'f32', 'so far', 'N s'],
      ['speed', 'f32', 'approach speed before', 'm/s'],
    ],
  },
  {
    name: 'EventRow', count: 'per event', align: 16,
    doc: 'An event of a step: of two colliders, a joint or a body.',
    fields: [
      ['kind', 'u32', '1 begin, 2 end, 3 sensor begin, 4 sensor end, 5 joint break, 6 persist, 7 hit, 8 sleep, 9 wake'],
      ['colliderA', 'u32', 'joint break: the joint; sleep, wake: the body'],
      ['colliderB', 'u32'],
      ['manifold', 'u32', 'begin, persist, hit: the manifold that was hit hardest, NONE otherwise'],
      ['impulse', 'f32', 'begin, hit: normal impulse of the impact, persist: of the step, over all points of the pair', 'N s'],
      ['approachSpeed', 'f32', 'begin, hit: speed along the normal before the impact, positive if the bodies approached', 'm/s'],
      ['point', 'u32', 'begin, persist: deepest point of the manifold, hit: the one that came in fastest'],
      [
        'time', 'f32',
        'sensor begin, end: when a sensor was come into or left within the step, from its start on; 0 of others',
        's',
      ],
    ],
  },
  {
    name: 'PairLinks', count: 'per pair', align: 16,
    doc:
      'Places of a pair in the lists of its two colliders. An end of a pair is pair << 1 | side, side 0 at collider A, 1 at ' +
      'collider B.',
    fields: [
      ['nextA', 'u32', 'end after end A in the list of collider A, NONE: the last'],
      ['previousA', 'u32', 'end before it, NONE: the first'],
      ['nextB', 'u32', 'the same of end B in the list of collider B'], ['previousB', 'u32'],
    ],
  },
  {
    name: 'Manifold', count: 'per manifold', align: 16,
    doc:
      'Up to 4 contacts of one shape pair with the impulses carried between steps. Anchors are relative to the centers of ' +
      'mass.',
    fields: [
      ['bodyA', 'u32', 'body index'], ['bodyB', 'u32', 'body index'],
      ['nextA', 'u32', 'end after end A in the list of body A (assembly/constraints/lists.ts), NONE: the last'],
      ['previousA', 'u32', 'end before it, NONE: the first'],
      ['nextB', 'u32', 'the same of end B in the list of body B'], ['previousB', 'u32'],
      ['lane', 'u32', 'lane of a solver (group * 4 + lane) that holds the live impulses and separations, NONE if they are here'],
      ['count', 'u32', 'points, 1..4 (0: slot is free)'],
      ['pair', 'u32', 'pair index'],
      ['next', 'u32', 'next manifold of the pair, or next free slot'],
      ['color', 'u32', 'of SOLVER_COLORED: color of its lane'],
      ['feature', 'u32', 'triangle index for meshes'],
      ['n', 'vec3', 'unit normal from A to B, world frame'], ['friction', 'f32', 'combined coefficient'],
      ['t', 'vec3', 'first unit tangent, world frame; the second is n x t'], ['restitution', 'f32', 'combined coefficient'],
      ['ln', 'vec3', 'normal in the frame of body A'],
      ['twistRadius', 'f32', 'arm of the twist row: max(mean distance of the points from their center, 5 mm)', 'm'],
      ['lt', 'vec3', 'first tangent in the frame of body A'], ['maxDrift', 'f32', 'relative motion that ends recycling', 'm'],
      ['rel', 'f32 X Y Z', 'x_B - x_A in the frame of A at the last full test', 'm'],
      ['pushCut', 'f32', 'share of the speed of pushing out that is left off in a crowd (pairs/overlap_limiter.ts)'],
      ['relQ', 'f32 x y z w', 'rotation of B in the frame of A at the last full test'],
      ['tangentImpulse', 'f32 1 2', 'friction impulse along the first tangent, per substep', 'N s'],
      ['twistImpulse', 'f32', '', 'N m s'],
      [
        'stepImpulse', 'f32',
        'normal impulse of the last step: all points, substeps and restitution (with a lane it lies there)',
        'N s',
      ],
      ['rollImpulse1', 'f32', 'rolling resistance: angular impulse about the first tangent, per substep', 'N m s'],
      ['rollImpulse2', 'f32', 'about the second tangent', 'N m s'],
      [
        'rollArm', 'f32',
        'arm of the normal force that resists rolling: combined coefficient times rolling radius, 0 between flat shapes',
        'm',
      ],
      ['held', 'u32', 'Header.heldEpoch: the GPU holds this manifold as it is (assembly/constraints/held.ts)'],
      ['excess', 'f32 0 1 2 3', 'of each point: what the next warm start leaves out of its impulse (docs/solvers.md)', 'N s'],
      ...[0, 1, 2, 3].flatMap((i) => [
        [`la*${i}`, 'vec3', `point ${i}: anchor in the frame of body A`, 'm'],
        [`adjust${i}`, 'f32', 'added to the separation of the anchors', 'm'],
        [`lb*${i}`, 'vec3', 'anchor in the frame of body B', 'm'],
        [`separation${i}`, 'f32', 'at the start of the step, negative inside', 'm'],
        [`ra*${i}`, 'vec3', 'anchor A, world axes', 'm'], [`impulse${i}`, 'f32', 'normal impulse, per substep', 'N s'],
        [`rb*${i}`, 'vec3', 'anchor B, world axes', 'm'],
        [
          `maxImpulse${i}`, 'f32',
          'largest normal impulse of the step, per substep; for restitution (with a lane it lies there)',
          'N s',
        ],
      ]),
      ['surface1', 'f32', 'velocity of the surface of B against that of A along the first tangent', 'm/s'],
      ['surface2', 'f32', 'along the second', 'm/s'],
      ['surfaceTwist', 'f32', 'about the normal', 'rad/s'],
      ['patchRadius', 'f32', 'the part of twistRadius that the points give', 'm'],
      ['surfaceRate1', 'f32', 'how surface1 changes in the step', 'm/s2'],
      ['surfaceRate2', 'f32', 'surface2', 'm/s2'],
      ['struck', 'u32', '1: a fast impact on several points is awaited in this step (with a lane it lies there)'],
      ['index', 'u32', 'of the manifold itself'],
    ],
  },
  {
    name: 'ContactRule', count: 'per pair of groups', align: 32,
    doc:
      'What the contacts of two groups have instead of what their materials come to; entry RULE_GROUPS * the lower group + ' +
      'the other.',
    fields: [
      ['flags', 'u32', 'RULE_*'], ['friction', 'f32'], ['restitution', 'f32'], ['rollingResistance', 'f32'],
      ['spinningFriction', 'f32', '', 'm'], ['pad', 'u32 0 1 2'],
    ],
  },
  {
    name: 'ManifoldPoint', count: 'four in a Manifold', align: 64, core: true,
    doc:
      'One of the four points inside a Manifold: anchors in the frames of both bodies, arms rA and rB in the world, ' +
      'relative to the centers of mass (m). `adjust` makes the separation from anchors the one that the narrow phase ' +
      'measured.',
    fields: [
      ['la', 'vec3'], ['adjust', 'f32'], ['lb', 'vec3'], ['separation', 'f32'], ['ra', 'vec3'],
      ['impulse', 'f32'], ['rb', 'vec3'], ['maxImpulse', 'f32'],
    ],
  },
];
