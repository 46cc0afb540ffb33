// Columns of four: contacts in solver form, vectors and matrices.

export const lanes = [
  {
    name: 'ContactGroup', count: 'per group', align: 16,
    doc:
      'Four manifolds of a group in solver form, one a lane: n, t and u = n x t at the mean point of the contact ' +
      '(docs/contact_rows.md, "A manifold in its own frame"). Unused lanes are zero and name the bodies of lane 0. Behind it ' +
      'come the points, the rows, the couplings of normal rows (assembly/lanes/lane_layout.ts).',
    fields: [
      ['bodyA', 'lanes', 'byte offset of the BodyRow'], ['bodyB', 'lanes'],
      ['normal', 'columns X Y Z'], ['tangent', 'columns X Y Z'],
      ['arms', 'columns X Y Z', 'rB - rA at the mean point', 'm'],
      ['armB', 'columns X Y Z', 'mean point from the center of mass of B', 'm'],
      ['tangentMass', 'columns 11 12 22', 'inverse of the 2x2 block of friction', 'kg'], ['twistMass', 'columns', '', 'kg m2'],
      ['friction', 'columns', 'mu'], ['twistFriction', 'columns', 'mu times the radius of twist', 'm'],
      ['tangentImpulse', 'columns 1 2', '', 'N s'], ['twistImpulse', 'columns', '', 'N m s'],
      ['inertiaA', 'columns XX YY ZZ XY XZ YZ', 'world inverse inertia', '1/(kg m2)'],
      ['inertiaB', 'columns XX YY ZZ XY XZ YZ', '', '1/(kg m2)'],
      ['isStatic', 'columns', 'all bits if one body has no mass: stiffer contact'],
      ['pushShare', 'columns', 'of the speed of pushing out (Manifold.pushCut)'],
      ['rollArm', 'columns', 'Manifold.rollArm; 0 where nothing resists rolling', 'm'],
      ['coupling', 'columns N1 N2 N3', 'response of the normal speed to unit friction impulses along t, u and about n'],
      ['couplingT', 'columns 1 2 3', 'with several points: the same of w . t'], ['couplingU', 'columns 1 2 3', 'and of w . u'],
    ],
  },
  {
    name: 'ContactPoints', count: 'per point of a group', align: 16,
    doc: 'One point of the four manifolds of a group.',
    fields: [
      ['separation', 'columns', '', 'm'], ['impulse', 'columns', '', 'N s'],
    ],
  },
  {
    name: 'ContactRows', count: 'per point of a group', align: 16,
    doc: 'Normal rows of one point of the four manifolds; of groups with one point only the mass is there.',
    fields: [
      ['mass', 'columns', 'effective', 'kg'],
      ['alongT', 'columns', 'of the point from the mean point', 'm'],
      ['alongU', 'columns', '', 'm'],
    ],
  },
  {
    name: 'ContactSide', count: 'per group', align: 16,
    doc: 'Beside a ContactGroup: what the sweep of a resting pile hardly reads. Behind it come its points (ContactSidePoints).',
    fields: [
      ['manifold', 'lanes', 'NONE if the lane is not in use'],
      ['restitution', 'columns'],
      [
        'stepImpulse', 'columns',
        'normal impulse of the step without restitution: points and substeps, kept where a begin of touching is waited for ' +
        'and 0 between steps; -infinity where none is',
        'N s',
      ],
      ['rollImpulse', 'columns 1 2', 'rolling resistance, where rollArm is not 0', 'N m s'],
      ['rollMass', 'columns 11 12 22', 'inverse of its 2x2 block', 'kg m2'],
      ['surface', 'columns 1 2 Twist', 'velocity of the surfaces along t, u (m/s) and about n (rad/s)'],
      ['surfaceRate', 'columns 1 2', 'how the first two change', 'm/s2'],
      ['next', 'u32', 'word of the next open group of its cell (assembly/lanes/batches.ts), NONE'],
      ['locked', 'u32', 'bits of lanes whose body A (0-3), B (4-7) has locked axes'],
      ['listed', 'u32', '1 while the group is in the list of those whose rows are made anew'],
      ['struck', 'u32', 'bits of lanes in whose manifolds a fast impact is awaited in this step'],
    ],
  },
  {
    name: 'ContactSidePoints', count: 'per point of a group', align: 16,
    doc: 'Beside ContactPoints.',
    fields: [
      ['previous', 'columns', 'impulse at the end of the last substep', 'N s'],
      ['excess', 'columns', 'part of the impulse that the next warm start leaves out', 'N s'],
      ['maxImpulse', 'columns', 'largest impulse of the step, where something bounces', 'N s'],
    ],
  },
  {
    name: 'AddressLanes', count: 'per side of a group', align: 16,
    doc: 'Four addresses, one a lane.',
    fields: [
      ['at', 'u32 0 1 2 3'],
    ],
  },
  {
    name: 'VectorLanes', count: 'per vector', align: 16,
    doc: 'Four vectors, as they lie in the structs of joints.',
    fields: [
      ['x', 'columns'], ['y', 'columns'], ['z', 'columns'],
    ],
  },
  {
    name: 'PlaneLanes', count: 'per four planes', align: 16, core: true,
    doc: 'Four planes, one a lane.',
    fields: [
      ['n', 'columns X Y Z', 'unit normals'], ['d', 'columns', '', 'm'],
    ],
  },
  {
    name: 'SymmetricLanes', count: 'per matrix', align: 16,
    doc: 'Four symmetric 3x3 matrices, the same.',
    fields: ['xx', 'yy', 'zz', 'xy', 'xz', 'yz'].map((name) => [name, 'columns', '', '']),
  },
  {
    name: 'FactorLanes', count: 'per matrix', align: 16,
    doc: "Factors L D L' of four symmetric 3x3 matrices (assembly/joints/columns.ts): 1 / D, then L.",
    fields: [
      ['inverse', 'columns 0 1 2'], ['l', 'columns 10 20 21'],
    ],
  },
  {
    name: 'WordList', count: 'per list', align: 4, core: true,
    doc: 'Words that name groups, in an order.',
    fields: [['words', 'array', 'u32[]'], ['count', 'u32']],
  },
  {
    name: 'GroupClass', count: 'per number of points', align: 32, core: true,
    doc: 'Groups of manifolds with so many points.',
    fields: [
      ['groups', 'array', 'ContactGroup and what comes behind it, each'],
      ['sides', 'array', 'ContactSide and what comes behind it, each'],
      ['count', 'u32', 'groups so far'], ['pad', 'u32 0 1 2', 'zero'],
    ],
  },
  {
    name: 'LaneState', count: 'one', align: 64, core: true,
    doc: 'Lanes at Header.laneState (assembly/lanes/lane_layout.ts).',
    fields: [
      ['startRows', 'array', 'f32[8] a body: v, 0, w, 0 at the start of a substep'], ['lanesUsed', 'u32', 'lanes in use'],
      ['pad', 'u32 0 1 2 3 4 5 6 7 8 9 10 11 12', 'zero'],
    ],
    rest: [
      ['GROUP_CLASSES', 'GroupClass', 4, 'of 1 to 4 points'],
      ['GROUP_LIST', 'WordList', 1, 'all groups; those with free lanes are known with their cells (assembly/lanes/batches.ts)'],
      ['MARKED_GROUPS', 'WordList', 1, 'groups whose rows are made anew'],
      ['HIT_GROUPS', 'WordList', 1, 'groups whose sums have left 0 in this step'],
    ],
  },
];
