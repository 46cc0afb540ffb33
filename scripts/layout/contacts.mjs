// Scratch of the contacts stage, tests that threads make ahead of it.

export const contacts = [
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
    name: 'TestsAhead', count: 'one', align: 64, core: true,
    doc:
      'Tests that threads make ahead of the pair walk, at Header.testsAhead (assembly/scratch/tests.ts); ' +
      'no snapshot holds them.',
    fields: [
      ['used', 'u32', 'bytes of the arena'], ['first', 'u32', 'pairs first to end - 1'],
      ['end', 'u32'], ['anySurface', 'u32', 'Header.anySurface when the threads began'],
      ['fixed', 'u32', 'colliders of static bodies'], ['capacity', 'u32', 'pairs of a window'],
      ['at', 'u32', 'the pair that the walk looks at'],
      ['own', 'u32', '1: there are rows for commit.ts'],
    ],
    rest: [
      ['TEST_RANGES', 'TestRange', 128, 'MOST_PAIRS / RANGE of them; behind them PairTest[capacity], then the arena'],
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
    name: 'OldManifold', count: 'scratch', align: 16, core: true,
    doc: 'What a manifold passes on to those that replace it (assembly/manifolds/match.ts); its points are columns.',
    fields: [
      ['normal', 'vec4f', 'in the frame of body A'], ['tangent', 'vec4f'],
      ['friction', 'vec4f', 'impulses along both tangents, about the normal'],
      ['rolling', 'vec4f', 'impulses about both tangents'],
      ['*', 'columns x y z', 'anchors on A, or on B if A is fixed', 'm'],
      ['impulse', 'columns', 'of the points', 'N s'], ['excess', 'columns', '', 'N s'],
      ['gone', 'lanes', 'all bits where there is no point, or it was taken'],
      ['taken', 'u32', '1: a new manifold has it'], ['pad', 'u32 0 1 2', 'zero'],
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
    rest: [
      ['FACE_POINTS', 'vec4f', 4, 'points on B and separations, in the frame of its shape'],
      ['FACE_ANCHORS', 'vec4f', 4, 'the same points in the frame of its body'],
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
  {
    name: 'LookAhead', count: 'scratch', align: 16, core: true,
    doc: 'What lookAhead (assembly/ccd/speculative.ts) found of a pair whose bodies meet in the step.',
    fields: [
      ['d', 'vec4f', 'x_B - x_A at the meeting'],
      // For doubtfulAt. B's velocity against A at the origin of shape A, and its angular velocity; in the frame of shape A.
      ['base', 'vec4f'], ['swing', 'vec4f'],
      // Angular velocities, and centers of the bodies from the origin of shape A; world directions.
      ['wa', 'vec4f'], ['wb', 'vec4f'], ['comA', 'vec4f'], ['comB', 'vec4f'],
      ['guards', 'u32', 'bit k: output k is no meeting, its rows are raised'],
      ['kept', 'u32', 'outputs of now; those behind them are of the meeting'],
      ['time', 'f32', 'of the meeting', 's'],
      ['jointed', 'u32', '1: a joint holds a point of a body to what is fixed'],
      ['passes', 'u32', '1: the bodies may pass through each other in the step (mayPass)'],
      ['pad', 'u32 0 1 2'],
      // Where that point is from the center of the body, or 0; what the centers move against each other until the meeting.
      ['pivotA', 'vec4f'], ['pivotB', 'vec4f'], ['moved', 'vec4f'],
    ],
  },
  {
    name: 'Neighborhood', count: 'scratch', align: 16, core: true,
    doc: "The pair at hand and the neighbor that is looked at; all vectors in world axes about the origin of T's shape.",
    fields: [
      ['originB', 'vec4f', 'origin of the shape of B'], ['t', 'Collider'], ['shapeT', 'Shape'],
      ['shapeB', 'Shape'], ['columnsT', 'usize', 'world rotations of the shapes'],
      ['columnsB', 'usize'], ['columnsA', 'usize'], ['pad', 'u32 0 1', 'zero'],
      ['originT', 'vec4f', "from the center of mass of T's body to T's shape"],
      ['originK', 'vec4f', 'of the shape of K'], ['indexB', 'u32', 'colliders'], ['indexT', 'u32'],
      ['dynamicA', 'bool', 'B is A of the pair'],
      ['hasSupport', 'bool', 'the support row of T is written'], ['pad', 'u8 2 3', 'zero'], ['margin', 'f32'],
      ['near', 'f32', 'a point nearer than this to a neighbor lies on it'],
      ['bodyB', 'usize', 'world rotation of the body of B'],
      ['flush', 'f32', 'what rises above T by less is on one plane with it'], ['pad4', 'u32', 'zero'],
      ['centerB', 'vec4f', 'its center of mass'],
    ],
    rest: [
      ['K_COLUMNS', 'vec4f', 3, 'world rotation of the shape of K'],
      ['K_BODY', 'vec4f', 3, 'world rotation of the body of K'],
      ['K_REL', 'RelPose', 1, 'pose of the pair of K and B'],
      ['T_SUPPORT', 'SupportRow', 1, 'of T'],
      ['K_SUPPORT', 'SupportRow', 1, 'of K'],
      ['K_CACHE', 'u32', 4, 'copy of the axis cache of that pair'],
      ['K_OUTPUTS', 'ManifoldOut', 'MAX_OUTPUTS', 'of a test of that pair'],
      ['WIDE_SHAPE', 'Shape', 1, 'the plane that T is part of'],
    ],
  },
  {
    name: 'PairPoses', count: 'scratch', align: 16, core: true,
    doc: 'Rotations of the bodies and shapes of a pair, three columns each, and its relative pose.',
    fields: [],
    rest: [
      ['BODY_A_COLUMNS', 'vec4f', 3, 'rotation of body A'],
      ['BODY_B_COLUMNS', 'vec4f', 3, 'of body B'],
      ['SHAPE_A_COLUMNS', 'vec4f', 3, 'world rotation of shape A'],
      ['SHAPE_B_COLUMNS', 'vec4f', 3, 'of shape B'],
      ['REL_POSE', 'RelPose', 1, 'shape B in the frame of shape A'],
      ['LOCAL_A_COLUMNS', 'vec4f', 3, 'rotation of shape A in its body'],
      ['LOCAL_B_COLUMNS', 'vec4f', 3, 'of shape B'],
    ],
  },
  {
    name: 'Offer', count: 'scratch', align: 32, core: true,
    doc: 'A point that a pair with a fixed collider offers in this step (assembly/manifolds/transfer.ts).',
    fields: [
      ['at', 'f32 X Y Z', 'in the frame of the body'], ['impulse', 'f32', '', 'N s'],
      ['n', 'vec3', 'world normal towards that body'], ['collider', 'u32', 'of that body, NONE: it was taken'],
    ],
  },
  {
    name: 'ContactMarks', count: 'scratch', align: 16, core: true,
    doc: 'Numbers of the contacts stage.',
    fields: [
      ['offers', 'u32', 'points offered in this step'], ['sharedFaceWalk', 'u32', 'number of the pair walk'],
      ['cache', 'u32', 'axis cache of a pair that is tested ahead of the walk'],
      ['arenaAt', 'u32', 'what is left to a thread of its piece of the arena (assembly/scratch/tests.ts)'],
      ['arenaEnd', 'u32'], ['pad', 'u32 0 1 2', 'zero'],
    ],
  },
  {
    name: 'ContactState', count: 'per thread', align: 64, core: true,
    doc: 'Scratch of the contacts stage at Header.contactState (assembly/scratch/contact_state.ts).',
    fields: [],
    rest: [
      ['PAIR_POSES', 'PairPoses', 1, 'the pair at hand; first, so that offsets in it are offsets in the block'],
      ['OUTPUTS', 'ManifoldOut', 'MAX_OUTPUTS', 'of its test'],
      ['AHEAD_OUTPUTS', 'ManifoldOut', 'MAX_OUTPUTS', 'of its test at the poses of a meeting'],
      ['OLD_MANIFOLDS', 'OldManifold', 'MAX_OUTPUTS', 'manifolds that it had'],
      ['NEIGHBORHOOD', 'Neighborhood', 1, 'what lies beside the pair (assembly/manifolds/neighbors.ts)'],
      ['LOOK_AHEAD', 'PairPoses', 1, 'poses of a meeting'],
      ['AHEAD', 'LookAhead', 1, 'the meeting'],
      ['AHEAD_MOTION', 'Motion', 1, 'of the two shapes until then'],
      ['LOSSES', 'vec4f', 'MAX_LOSSES', 'lost loads (assembly/pairs/unload.ts): x y z, body'],
      ['OFFERS', 'Offer', 'MAX_OFFERS', 'points offered in this step'],
      ['SHARED_FACES', 'SharedFace', 'SHARED_FACE_COUNT', 'by collider (assembly/manifolds/shared_faces.ts)'],
      ['PAIR_MOTION', 'PairMotion', 1, 'of the pair at hand'],
      ['CONTACT_MARKS', 'ContactMarks', 1, 'numbers of the stage'],
      ['WALK_TEST', 'PairTest', 1, 'of the pair that the walk looks at'],
      ['WALK_HEAD', 'GapTest', 1, 'what that test names, or a FilledTest'],
    ],
  },
  {
    name: 'StaticSweep', count: 'scratch', align: 16, core: true,
    doc: 'Scratch of sweeps against what stands (assembly/ccd/against_static.ts), in the outputs of the narrow phase.',
    fields: [],
    rest: [
      ['SWEEP_COLUMNS', 'vec4f', 3, 'of a rotation'],
      ['SWEEP_RAY', 'Ray', 1, 'the ray'],
      ['SWEEP_HIT', 'RayHit', 2, 'its hit; the triangle'],
      ['SWEEP_TURN', 'vec4f', 1, 'wholeTurn of the body that is looked at'],
      ['SWEEP_TURNED', 'TurnedBody', 1, 'the body at the end of it'],
      ['SWEEP_AXIS', 'vec4f', 1, 'of a meeting at the second depth, from c to o; else 0'],
      ['SWEEP_ARM', 'vec4f', 1, 'where c is met, from the center of its body'],
    ],
  },
];
