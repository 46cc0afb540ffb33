// The rooms of the core (docs/pipeline.md): a file of assembly/ reads files of its own folder and of those before it, never of a
// later one, and no two files read each other, directly or through others.

/** Folders in the path of the data. What lies in none of them (step.ts and the entries) puts the rooms together. */
const ROOMS = [
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
  'joints',
  'solver',
  'solver/methods',
  'edits',
  'queries',
  'testing',
];
/** They say nothing of any room. */
const COMMON = ['^assembly/layout\\.generated\\.ts$', '^assembly/edition\\.ts$'];
const inside = (room) => `^assembly/${room}/[^/]+$`;

export default {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not-found', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...ROOMS.map((room, i) => ({
      name: `${room} reads nothing later`,
      severity: 'error',
      from: { path: inside(room) },
      to: { path: '^assembly/', pathNot: [...ROOMS.slice(0, i + 1).map(inside), ...COMMON] },
    })),
  ],
  options: { tsPreCompilationDeps: true, enhancedResolveOptions: { extensions: ['.ts'] } },
};
