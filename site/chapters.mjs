// The guide: which sections of docs/*.md stand in which chapter, in the order of reading. A part without `sections` is the whole file;
// '' is what stands before the first section. Every section of a file that is named here has to be in some chapter (pages.mjs).

/** @typedef {{ slug: string, title: string, about: string, parts: { file: string, sections?: string[] }[] }} Chapter */

/** @type {{ title: string, chapters: Chapter[] }[]} */
export const GUIDE = [
  {
    title: 'Begin',
    chapters: [
      {
        slug: 'start',
        title: 'A first scene',
        about: 'Crates that fall, drawn by three.js, in one file.',
        parts: [{ file: 'docs/three.md', sections: [''] }],
      },
      {
        slug: 'concepts',
        title: 'Concepts and units',
        about: 'Meters and kilograms, frames, ids, memory, what a step does.',
        parts: [{ file: 'docs/overview.md' }],
      },
      {
        slug: 'vectors',
        title: 'Calls and vectors',
        about: 'What calls take and give; vectors of any library.',
        parts: [{ file: 'docs/api.md', sections: ['', 'Vectors'] }],
      },
    ],
  },
  {
    title: 'The world',
    chapters: [
      {
        slug: 'shapes',
        title: 'Bodies and shapes',
        about: 'Shapes, colliders, masses, materials, moving surfaces.',
        parts: [{ file: 'docs/api.md', sections: ['Shapes', 'Bodies'] }],
      },
      {
        slug: 'motion',
        title: 'Motion and forces',
        about: 'Forces, impulses, kinematic bodies, fast bodies, explosions, water.',
        parts: [{ file: 'docs/api.md', sections: ['Motion'] }],
      },
      {
        slug: 'joints',
        title: 'Joints',
        about: 'Hinges, sliders, ropes, wheels and gears, with limits, motors and springs.',
        parts: [{ file: 'docs/api.md', sections: ['Joints'] }],
      },
      {
        slug: 'events',
        title: 'Events',
        about: 'Contacts, impacts, sensors, sleep.',
        parts: [{ file: 'docs/api.md', sections: ['Events'] }],
      },
      {
        slug: 'queries',
        title: 'Queries',
        about: 'Rays, shape casts, overlaps, closest points.',
        parts: [{ file: 'docs/api.md', sections: ['Queries'] }],
      },
      {
        slug: 'steps',
        title: 'Steps and frames',
        about: 'Settings, presets, backends; pictures between steps.',
        parts: [{ file: 'docs/api.md', sections: ['Steps and settings', 'Frames'] }],
      },
      {
        slug: 'inside',
        title: 'Reading and debugging',
        about: 'Views, measures, warnings, faults, debug lines.',
        parts: [{ file: 'docs/api.md', sections: ['Reading state', 'Looking inside', 'Warnings', 'Faults'] }],
      },
    ],
  },
  {
    title: 'Made of it',
    chapters: [
      {
        slug: 'character',
        title: 'Characters',
        about: 'Walking, steps, slopes, riding on what moves.',
        parts: [{ file: 'docs/controllers.md', sections: ['', 'Character'] }],
      },
      {
        slug: 'vehicle',
        title: 'Vehicles',
        about: 'Wheels, springs, tires, a drive.',
        parts: [{ file: 'docs/controllers.md', sections: ['Vehicle', 'Saving', 'Several, and your own', 'In a thread'] }],
      },
      {
        slug: 'rigs',
        title: 'Ragdolls and ropes',
        about: 'Ragdolls from skeletons, chains, ropes, nets.',
        parts: [{ file: 'docs/rigs.md' }],
      },
    ],
  },
  {
    title: 'Going far',
    chapters: [
      {
        slug: 'gpu',
        title: 'WebGPU',
        about: 'When it helps, how to ask for it.',
        parts: [{ file: 'docs/packaging.md', sections: ['WebGPU is opt-in'] }],
      },
      {
        slug: 'workers',
        title: 'Workers and many worlds',
        about: 'A world in a thread of its own; hundreds of worlds.',
        parts: [{ file: 'docs/api.md', sections: ['A world in a thread', 'Many worlds'] }],
      },
      {
        slug: 'threads',
        title: 'Threads',
        about: 'Steps on all cores, with the same bits.',
        parts: [{ file: 'docs/threads.md' }, { file: 'docs/api.md', sections: ['Threads'] }],
      },
      {
        slug: 'rollback',
        title: 'Determinism and rollback',
        about: 'Snapshots, hashes, the same bits on every machine.',
        parts: [{ file: 'docs/api.md', sections: ['Saving, going back, comparing'] }],
      },
      {
        slug: 'tuning',
        title: 'Tuning',
        about: 'When things jitter, sink, stretch or are too slow.',
        parts: [{ file: 'docs/tuning.md' }],
      },
      {
        slug: 'performance',
        title: 'Performance',
        about: 'What costs what, and how to measure it.',
        parts: [{ file: 'docs/performance.md' }, { file: 'docs/api.md', sections: ['Sleeping'] }],
      },
    ],
  },
  {
    title: 'Around it',
    chapters: [
      {
        slug: 'three',
        title: 'three.js',
        about: 'Meshes, instances, shapes from geometries, a debug picture.',
        parts: [
          { file: 'docs/three.md', sections: ['Objects and bodies', 'Shapes', 'The debug picture', 'WebGPU', 'Ends and errors'] },
        ],
      },
      {
        slug: 'react',
        title: 'React Three Fiber',
        about: 'Components and hooks.',
        parts: [{ file: 'docs/react.md' }],
      },
      { slug: 'babylon', title: 'Babylon.js', about: 'A plugin for its physics.', parts: [{ file: 'docs/babylon.md' }] },
      { slug: 'playcanvas', title: 'PlayCanvas', about: 'Component systems.', parts: [{ file: 'docs/playcanvas.md' }] },
      {
        slug: 'packaging',
        title: 'Entries and bundlers',
        about: 'What to import, sizes, content security policies.',
        parts: [
          {
            file: 'docs/packaging.md',
            sections: [
              '',
              'Entries',
              'talus/slim',
              'Content security policy',
              'Without a bundler',
              'Workers, service workers, servers',
              'Types',
              'Sizes and tools',
            ],
          },
        ],
      },
      {
        slug: 'migrate',
        title: 'From another engine',
        about: 'Rapier, cannon-es, Havok and ammo, call by call.',
        parts: [{ file: 'docs/migrate.md' }],
      },
      { slug: 'changes', title: 'Changes', about: 'What is new.', parts: [{ file: 'CHANGELOG.md' }] },
    ],
  },
  {
    title: 'How it works',
    chapters: [
      {
        slug: 'pipeline',
        title: 'The pipeline',
        about: 'What a step does, and where data lies.',
        parts: [{ file: 'docs/pipeline.md' }],
      },
      {
        slug: 'contacts',
        title: 'The life of a contact',
        about: 'Boxes, pairs, the narrow phase, manifolds, lanes.',
        parts: [{ file: 'docs/contacts.md' }],
      },
      {
        slug: 'internal-edges',
        title: 'Surfaces of many colliders',
        about: 'Tiles without seams, surfaces that move.',
        parts: [{ file: 'docs/internal_edges.md' }],
      },
      {
        slug: 'fast-bodies',
        title: 'Fast bodies',
        about: 'Speculative contacts, nothing passes a wall.',
        parts: [{ file: 'docs/ccd.md' }],
      },
      {
        slug: 'islands',
        title: 'Islands, sleep and runs',
        about: 'What sleeps, and what is solved, together.',
        parts: [{ file: 'docs/islands.md' }],
      },
      {
        slug: 'body-motion',
        title: 'Bodies and their motion',
        about: 'Integration, limits, how exact it is.',
        parts: [{ file: 'docs/motion.md' }],
      },
      {
        slug: 'solvers',
        title: 'The solvers',
        about: 'Rows, soft contacts, warm start, presets.',
        parts: [{ file: 'docs/solvers.md' }],
      },
      {
        slug: 'contact-rows',
        title: 'Rows of a contact',
        about: 'A manifold in its own frame, friction, rolling.',
        parts: [{ file: 'docs/contact_rows.md' }],
      },
      {
        slug: 'substeps',
        title: 'Substeps',
        about: 'How many a structure needs, measured calm.',
        parts: [{ file: 'docs/substeps.md' }],
      },
      {
        slug: 'cells',
        title: 'Order and cells',
        about: 'In which order contacts are solved.',
        parts: [{ file: 'docs/cells.md' }],
      },
      {
        slug: 'mass-splitting',
        title: 'Mass splitting',
        about: 'All cells at once, and why that converges.',
        parts: [{ file: 'docs/mass_splitting.md' }],
      },
      {
        slug: 'impacts',
        title: 'Impacts',
        about: 'Restitution, and bodies that meet alone.',
        parts: [{ file: 'docs/impacts.md' }],
      },
      {
        slug: 'joint-solver',
        title: 'How joints are solved',
        about: 'Axes, turned rows, limits and drives.',
        parts: [{ file: 'docs/joint_solver.md' }],
      },
      {
        slug: 'joint-trees',
        title: 'Trees, blocks and loads',
        about: 'Exact trees, soft blocks, light links.',
        parts: [{ file: 'docs/joint_trees.md' }],
      },
      {
        slug: 'joint-results',
        title: 'Joints: measurements and limits',
        about: 'Scenes, what was tried, what does not work.',
        parts: [{ file: 'docs/joint_results.md' }],
      },
      { slug: 'gpu-path', title: 'The GPU path', about: 'Cells, buffers, when results count.', parts: [{ file: 'docs/gpu.md' }] },
      { slug: 'methods', title: 'Published methods', about: '`talus/study`.', parts: [{ file: 'docs/methods.md' }] },
      { slug: 'host', title: 'The host', about: 'Rooms of the TypeScript around the core.', parts: [{ file: 'docs/host.md' }] },
    ],
  },
];

/** Files beside the guide that links of it lead to, and their pages. */
export const OTHERS = {
  'bench/README.md': 'reports/bench.html',
  'lab/README.md': 'reports/lab.html',
  'docs/demo.md': 'demo/index.html',
};

/** The examples in the order of the gallery, in groups. */
export const EXAMPLES = [
  ['Begin', ['hello', 'wall', 'instances', 'shapes']],
  ['Touch', ['events', 'queries', 'bridge']],
  ['Machines and people', ['ragdolls', 'car', 'character']],
  ['React Three Fiber', ['react_connectors', 'react_character', 'react_car']],
  ['Surroundings', ['conveyor', 'water']],
  ['Going far', ['worker', 'rollback', 'gpu']],
];
