// What reads what (docs/pipeline.md, "The rooms", and docs/host.md): a file of assembly/ or src/ reads files of its own folder and of
// those before it, never of a later one, and no two files read each other, directly or through others, types included.

/** Folders of the core in the path of the data. What lies in none of them (step.ts and the entries) puts the rooms together. */
const CORE = [
  'memory',
  'math',
  'threads',
  'bodies',
  'shapes',
  'narrowphase',
  'broadphase',
  'constraints',
  'lanes',
  'scratch',
  'events',
  'manifolds',
  'ccd',
  'pairs',
  'ordering',
  'rows',
  'joints',
  'sweep',
  'impacts',
  'split',
  'solvers',
  'edits',
  'queries',
  'study/friction',
  'study/methods',
  'study/avbd',
  'study',
  'testing',
];

/** Folders of the host, from what knows nothing of the engine to the world. index.ts, common.ts and single.ts are the face of it all. */
const HOST = [
  'checks',
  'platform',
  'wasm',
  'threads',
  'registry',
  'shapes',
  'bodies',
  'joints',
  'events',
  'frames',
  'queries',
  'debug',
  'gpu',
  'state',
  'options',
  'backend',
  'world',
];

const FACE = '^src/(index|common|single)\\.ts$';

/** They say nothing of any room. */
const CORE_COMMON = ['^assembly/layout\\.generated\\.ts$'];
const HOST_COMMON = ['^src/layout\\.generated\\.ts$', '^src/types\\.ts$'];

/**
 * Entries of the package beside the world's own, and what they share: each reads its own folder, the face (index.ts), what says nothing
 * of any room, `checks`, and this.
 */
const ENTRIES = {
  rigs: ['joints/frames.ts'],
  controllers: ['rigs/'],
  engines: ['rigs/'],
  three: ['bodies/keys.ts', 'engines/'],
  three_webgpu: [],
  react: ['three/', 'bodies/keys.ts', 'controllers/', 'rigs/'],
  babylon: ['engines/', 'rigs/', 'shapes/hull.ts', 'queries/types.ts'],
  playcanvas: ['engines/', 'rigs/'],
  gltf: ['engines/', 'rigs/'],
  worker: ['platform/', 'registry/ids.ts', 'controllers/', 'rigs/'],
};
/** The thread of `talus/worker` makes worlds. */
const WORKER_THREAD = '^src/worker/full_thread\\.ts$';
/** Entries with a core of their own in place of the inlined one. */
const OWN_CORE = { slim: ['worker/'], study: [] };
/** What brings the inlined core with it. */
const INLINED = ['^src/index\\.ts$', '^src/world/create_world\\.ts$', '^src/wasm/binary\\.generated\\.ts$'];

const directly = (top) => (room) => `^${top}/${room}/[^/]+$`;
const under = (path) => `^src/${path.replaceAll('.', '\\.')}${path.endsWith('.ts') ? '$' : ''}`;
const rule = (name, path, may, from = {}) => ({
  name: `${name} reads nothing else`,
  severity: 'error',
  from: { path, ...from },
  to: { path: '^(assembly|src)/', pathNot: may },
});
/** Each room reads itself and those before it. */
const order = (top, rooms, common) =>
  rooms.map((room, i) => rule(`${top}/${room}`, directly(top)(room), [...rooms.slice(0, i + 1).map(directly(top)), ...common]));

export default {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    // What a build writes may not be there yet.
    { name: 'not-found', severity: 'error', from: {}, to: { path: '^\\.', pathNot: '\\.generated$', couldNotResolve: true } },
    ...order('assembly', CORE, CORE_COMMON),
    {
      name: 'the core of the product has no room of the study',
      severity: 'error',
      from: { path: '^assembly/[^/]+\\.ts$', pathNot: '^assembly/(study|testing)\\.ts$' },
      to: { path: '^assembly/(study|testing)(/|\\.ts$)' },
    },
    ...order('src', HOST, HOST_COMMON),
    ...Object.entries(ENTRIES).map(([entry, more]) =>
      rule(
        `src/${entry}`,
        `^src/${entry}/`,
        [...HOST_COMMON, '^src/index\\.ts$', ...[`${entry}/`, 'checks/', ...more].map(under)],
        { pathNot: WORKER_THREAD },
      ),
    ),
    ...Object.entries(OWN_CORE).map(([entry, more]) =>
      rule(`src/${entry}`, `^src/${entry}/`, [
        ...HOST_COMMON,
        '^src/common\\.ts$',
        ...[`${entry}/`, ...HOST.map((room) => `${room}/`), ...more].map(under),
      ]),
    ),
    rule('what says nothing of any room', HOST_COMMON, HOST_COMMON),
    {
      name: 'no file of src in none of these folders',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          ...HOST.map(directly('src')),
          ...[...Object.keys(ENTRIES), ...Object.keys(OWN_CORE)].map((entry) => `^src/${entry}/`),
          ...HOST_COMMON,
          FACE,
        ],
      },
      to: {},
    },
    {
      name: 'no inlined core in entries with a core of their own',
      severity: 'error',
      from: { path: Object.keys(OWN_CORE).map((entry) => `^src/${entry}/`) },
      to: { path: INLINED },
    },
  ],
  required: [
    {
      name: 'exports of types are seen (scripts/old_typescript.mjs)',
      severity: 'error',
      module: { path: '^src/index\\.ts$' },
      to: { path: '^src/world/base\\.ts$' },
    },
  ],
  options: { tsPreCompilationDeps: true, enhancedResolveOptions: { extensions: ['.ts'] } },
};
