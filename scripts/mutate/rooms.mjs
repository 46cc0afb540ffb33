// Rooms of mutation testing: which sources they have, and which test files judge a fault in them, in the order of likely kills per second.
// Tests of the core itself come first: those of the host need a second compile. None may need a GPU. A survivor runs all files of its
// room, so files that take long are left out; a file that joins later runs on survivors alone.

const solver = (name) => `tests/assembly/solver/${name}.test.ts`;
const physics = (...names) => names.map((name) => `tests/physics/${name}.test.ts`);
const narrow = (...names) => names.map((name) => `tests/assembly/narrowphase/${name}.test.ts`);
/** Tests of a folder of the core. */
const core = (...names) => names.map((name) => `tests/assembly/${name}.test.ts`);
const host = (...names) => names.map((name) => `tests/src/${name}.test.ts`);

/** @type {Record<string, { sources: string[], tests: string[] }>} sources: folders */
export const ROOMS = {
  solvers: {
    sources: [
      'assembly/solvers',
      'assembly/rows',
      'assembly/constraints',
      'assembly/impacts',
      'assembly/sweep',
      'assembly/lanes',
      'assembly/bodies',
    ],
    tests: [
      ...core(
        'rows/closed_forms',
        'impacts/links',
        'impacts/given',
        'impacts/free_pairs',
        'impacts/passing_faces',
        'lanes/state',
        'constraints/ends',
        'bodies/own_limits',
        'bodies/room_of_poses',
        'sweep/lists_end',
        'sweep/tasks_alone',
        'impacts/tumbling',
        'rows/frame',
        'constraints/soft_step',
        'constraints/held',
        'constraints/island_splits',
        'bodies/past_poses',
        'bodies/new_lives',
        'constraints/settings',
        'impacts/passing',
        'impacts/twist',
        'joints/blocks',
        'joints/swings',
      ),
      ...core('solvers/step_solver', 'bodies/motion', 'bodies/limits', 'impacts/bounce', 'impacts/flight'),
      solver('world'),
      'tests/assembly/sweep/batches.test.ts',
      'tests/assembly/sweep/schedule.test.ts',
      'tests/assembly/constraints/pair_lists.test.ts',
      'tests/assembly/constraints/islands.test.ts',
      'tests/assembly/lanes/lanes.test.ts',
      ...physics('free_motion', 'impact', 'friction', 'rest', 'oblique', 'impacts_listed', 'fields'),
      ...physics('rolling'),
      ...host('sleep', 'setters_at_once', 'substeps'),
      solver('wide_oracle'),
    ],
  },
  contacts: {
    sources: ['assembly/manifolds', 'assembly/pairs'],
    tests: [
      ...core(
        'manifolds/make',
        'manifolds/capsule_tiles',
        'manifolds/neighbor_axis',
        'manifolds/laid',
        'pairs/stopped',
        'pairs/changes',
        'manifolds/edges',
        'pairs/rims',
        'pairs/unload_tilted',
        'pairs/ahead',
        'pairs/passages',
        'pairs/walk',
        'manifolds/match',
        'manifolds/material',
        'manifolds/transfer',
        'manifolds/internal_edges',
        'pairs/motion',
        'pairs/unload',
      ),
      solver('world'),
      ...physics('planes', 'tiles', 'moving_surfaces', 'rest', 'oblique', 'friction'),
      ...host('events_truth', 'masses', 'churn'),
    ],
  },
  narrowphase: {
    sources: ['assembly/narrowphase', 'assembly/shapes'],
    tests: [
      ...narrow(
        'gathering',
        'features',
        'triangle_at_hand',
        'scratch_states',
        'closed_forms',
        'remembered_axes',
        'surface_contacts',
      ),
      ...core('shapes/bounds', 'shapes/slots'),
      ...narrow('polyhedra', 'clip_reduce', 'gjk', 'round', 'ray_shapes', 'hull_patch', 'blunt_ridge', 'mesh', 'ray_mesh'),
      ...narrow('mesh_internal_edges'),
      'tests/assembly/scratch/scratch.test.ts',
      'tests/assembly/ccd/sweep.test.ts',
      'tests/src/queries/oracles.test.ts',
      ...physics('planes', 'tiles', 'continuous'),
    ],
  },
  joints: {
    sources: ['assembly/joints'],
    tests: [
      ...core('joints/blocks', 'joints/loads', 'joints/bodies', 'joints/trees', 'joints/swings', 'constraints/held'),
      'tests/assembly/joints/joints.test.ts',
      'tests/assembly/joints/carried.test.ts',
      'tests/assembly/joints/records.test.ts',
      ...physics(
        'joints_limits',
        'joints_forces',
        'joints_drives',
        'joints_pendulum',
        'joints_chain',
        'joints_oracle',
        'joints_half_turn',
      ),
      ...physics('joints_life', 'joints_drift', 'joints_contacts', 'joints_levers', 'joints_grid'),
      'tests/assembly/rows/joint_rows.test.ts',
    ],
  },
  ccd: {
    sources: ['assembly/ccd'],
    tests: [
      'tests/assembly/ccd/sweep.test.ts',
      ...physics('continuous', 'bullets', 'thin_bodies', 'limit_meetings', 'rims'),
      ...host('events_crossings'),
    ],
  },
  broadphase: {
    sources: ['assembly/broadphase'],
    tests: [
      'tests/assembly/broadphase/broadphase.test.ts',
      'tests/src/queries/oracles.test.ts',
      ...host('churn', 'events_truth'),
      ...physics('far_colliders'),
    ],
  },
  queries: {
    sources: ['assembly/queries'],
    tests: [
      ...core('queries/measure', 'queries/poses'),
      'tests/src/queries/rays.test.ts',
      'tests/src/queries/rules.test.ts',
      'tests/src/queries/oracles.test.ts',
      ...host('frames/poses', 'snapshot', 'inspect', 'vectors_api', 'shift'),
    ],
  },
  events: {
    sources: ['assembly/events'],
    tests: core('events/approach').concat(
      host('events_truth', 'events_listeners', 'events_follow', 'events_impact', 'events_oracle', 'events_crossings', 'sleep'),
    ),
  },
  edits: {
    sources: ['assembly/edits'],
    tests: [
      ...core('edits/bodies', 'edits/writes', 'edits/shift'),
      solver('world'),
      ...host('setters', 'setters_at_once', 'motion/state', 'motion/enabled', 'shift', 'masses', 'churn'),
      'tests/robustness/random_sequences.test.ts',
    ],
  },
  ordering: {
    sources: ['assembly/ordering'],
    tests: ['ordering', 'cut', 'kept_cells', 'means']
      .map((name) => `tests/assembly/ordering/${name}.test.ts`)
      .concat('tests/assembly/split/split.test.ts', host('substeps')),
  },
  split: {
    sources: ['assembly/split'],
    tests: [
      'tests/assembly/split/split.test.ts',
      solver('methods'),
      'tests/theory/mass_splitting.test.ts',
      'tests/shaders/twins.test.ts',
    ],
  },
  controllers: {
    sources: ['src/controllers'],
    tests: [
      ...host('controllers/descriptions', 'controllers/vehicle', 'controllers/character'),
      ...physics('character', 'vehicle', 'controller_frames'),
      'tests/robustness/controllers.test.ts',
    ],
  },
};
