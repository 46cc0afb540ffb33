// Scratch of the contacts stage, tests that threads make ahead of it.

export const contacts = [
  {
    name: 'TestsAhead', count: 'one', align: 64, core: true,
    doc: 'Tests that threads make ahead of the pair walk, at Header.testsAhead (assembly/scratch/tests.ts); no snapshot holds them.',
    fields: [
      ['used', 'u32', 'bytes of the arena'], ['first', 'u32', 'pairs first to end - 1'],
      ['end', 'u32'], ['anySurface', 'u32', 'Header.anySurface when the threads began'],
      ['fixed', 'u32', 'colliders of static bodies'], ['capacity', 'u32', 'pairs of a window'],
      ['at', 'u32', 'the pair that the walk looks at'],
      ['own', 'u32', '1: there are rows for commit.ts'],
    ],
  },
  {
    name: 'TestRange', count: 'per range of pairs', align: 32, core: true,
    doc: 'What is known of a range of pairs.',
    fields: [
      ['due', 'u32', '0: all budgets hold, and nothing is in the rows'],
      ['own', 'u32', '1: there are rows for commit.ts'], ['pad0', 'u64'],
      ['walk', 'u64 0 1', 'bit k: the walk has to look at pair k; k < 64'],
    ],
  },
  {
    name: 'PairTest', count: 'per pair of a window', align: 16, core: true,
    doc: 'What is known of a pair of the window.',
    fields: [
      ['kind', 'u16', 'TEST_*'], ['found', 'u16', 'outputs or images'],
      ['at', 'u32', 'address in the arena'], ['budget', 'f64'],
    ],
  },
  {
    name: 'GapTest', count: 'in the arena', align: 16, core: true,
    doc: 'What was found of a pair that is apart: of its new PairGap, and its axis cache.',
    fields: [
      ['d', 'vec4f', 'and reach'], ['turn', 'f64'], ['cache', 'u32'],
      ['substeps', 'u32', 'as in FilledTest'], ['face', 'u32'],
      ['touching', 'u32', '1: a sensor that touches'],
      ['beside', 'u32', '1: others bear what it bore'], ['pad0', 'u32'],
    ],
  },
  {
    name: 'FilledTest', count: 'in the arena', align: 16, core: true,
    doc: 'What was found of a pair that touches; images of manifolds, or outputs, lie behind it.',
    fields: [
      ['cache', 'u32', 'axis cache'], ['extent', 'f32', 'of the smaller body'],
      ['substeps', 'u32', 'of both bodies, if they were swept; else 0'],
      ['meets', 'u32', '1: manifolds may be those of a meeting later in the step'],
      ['face', 'u32', 'the collider, + 1, that must keep no shared face then'],
      ['separation', 'f32', 'smallest, of TEST_OWN'], ['recycled', 'u32', '1: no full test'],
      ['pad0', 'u32'],
    ],
  },
  {
    name: 'OldManifold', count: 'scratch', align: 64, core: true,
    doc: "What a pair's manifold passes on to its successor: normal and tangent in the frame of body A, friction impulses.",
    fields: [
      ['n', 'vec3'], ['pad0', 'f32'], ['t', 'vec3'], ['pad1', 'f32'], ['tangentImpulse', 'f32 1 2'],
      ['twistImpulse', 'f32'], ['taken', 'u32', 'a new manifold has it'],
      ['rollImpulse', 'f32 1 2'], ['pad', 'u32 2 3'],
    ],
  },
  {
    name: 'OldPoint', count: 'scratch', align: 32, core: true,
    doc: 'What a point passes on to its successor: anchor on A, or on B if A is fixed, impulse, index of its OldManifold.',
    fields: [
      ['*', 'vec3'], ['impulse', 'f32'], ['manifold', 'u32'], ['taken', 'u32'], ['excess', 'f32'],
      ['pad1', 'u32'],
    ],
  },
  {
    name: 'SharedFace', count: 'scratch', align: 64, core: true,
    doc: 'What a body has on one plane, in one walk.',
    fields: [
      ['plane', 'vec4f', 'world normal towards B; height over the origin of B along it (m), negative for what is below'],
      ['b', 'u32', 'colliders: B, the tile that it was first asked for'], ['tile', 'u32'],
      ['walk', 'u32'], ['count', 'u32', 'points; 0: nothing is shared'], ['gap', 'f32'],
      ['feature', 'u32'], ['settled', 'u32', 'bit j: the tile that has point j holds it'],
      ['least', 'f32', 'smallest separation'],
      ['bearer', 'u32 0 1 2 3', 'for each point the tile that has it, NONE if none did'],
    ],
  },
  {
    name: 'PairMotion', count: 'scratch', align: 16, core: true,
    doc: 'How the bodies of a pair move against each other in the step.',
    fields: [
      ['travel', 'f32', 'bound of the motion of their points', 'm'],
      ['margin', 'f32', 'of the narrow phase', 'm'], ['extent', 'f32', 'of the smaller body'],
      ['passing', 'u32', '1: farther than that'],
    ],
  },
];
