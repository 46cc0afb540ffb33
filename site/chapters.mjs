// The guide: which sections of docs/*.md stand in which chapter, in the order of reading. A part without `sections` is the whole file;
// '' is what stands before the first section. Every section of a file that is named here has to be in some chapter (pages.mjs).

/**
 * `topics`: words under which a chapter is looked for, its own and those of other engines. `see`: links below the text, `[address, title]`.
 * `live`: examples that run in the chapter, the first below its first paragraph, the others at its end. `drawings`: those of docs/drawings
 * besides the ones in its text, below its first paragraph.
 * @typedef {{ slug: string, title: string, about: string, topics?: string, parts: { file: string, sections?: string[] }[],
 *   live?: string[], drawings?: string[], see?: [string, string][] }} Chapter
 */

/** @type {{ title: string, chapters: Chapter[] }[]} */
export const GUIDE = [
  {
    title: 'Get started',
    chapters: [
      {
        slug: 'start',
        title: 'Your first scene',
        about: 'From an empty folder to a character between falling crates, in five steps.',
        topics: 'install npm begin first steps tutorial hello three scene loop render animate getting started',
        parts: [{ file: 'docs/start.md' }],
      },
      {
        slug: 'concepts',
        live: ['hello'],
        title: 'Concepts and units',
        about: 'Meters and kilograms, frames, ids, memory, what a step does.',
        topics:
          'units meters kilograms scale size axis up right handed coordinates ids handles memory fixed step what happens in a step',
        parts: [{ file: 'docs/overview.md' }],
      },
      {
        slug: 'vectors',
        live: ['wall'],
        drawings: ['vectors'],
        title: 'Calls and vectors',
        about: 'What calls take and give; vectors of any library.',
        topics: 'vector quaternion array Vec3 three Vector3 out allocation garbage errors',
        parts: [{ file: 'docs/api.md', sections: ['', 'Vectors'] }],
      },
      {
        slug: 'faq',
        title: 'Questions and common mistakes',
        about: 'Nothing falls, it jitters, how many bodies, which browsers: short answers.',
        topics:
          'faq question answer help problem common mistake trouble nothing falls browser support license 2D soft body fluid',
        parts: [{ file: 'docs/faq.md' }],
      },
    ],
  },
  {
    title: 'The world',
    chapters: [
      {
        slug: 'shapes',
        live: ['shapes', 'filters', 'conveyor'],
        title: 'Bodies and shapes',
        about: 'Shapes, colliders, masses, materials, moving surfaces.',
        topics:
          'body static dynamic kinematic mass density inertia center of mass friction restitution bounce material shape box sphere capsule cylinder cone convex hull mesh trimesh heightfield terrain plane compound colliders collision filter category mask layer group sensor lock rotation axes damping gravity scale userData decompose concave conveyor surface velocity one-way platform',
        parts: [{ file: 'docs/api.md', sections: ['Shapes', 'Bodies'] }],
      },
      {
        slug: 'motion',
        live: ['motion', 'water'],
        title: 'Motion and forces',
        about: 'Forces, impulses, kinematic bodies, fast bodies, explosions, water.',
        topics:
          'force impulse torque velocity push throw moving platform kinematic elevator teleport reset position respawn explosion wind water buoyancy bullet fast bodies tunneling through walls ccd gravity wake',
        parts: [{ file: 'docs/api.md', sections: ['Motion'] }],
      },
      {
        slug: 'joints',
        live: ['joints', 'gears', 'bridge', 'doors'],
        title: 'Joints',
        about: 'Hinges, sliders, ropes, wheels and gears, with limits, motors and springs.',
        topics:
          'joint constraint hinge door revolute slider prismatic ball spherical fixed weld distance rope spring wheel gear pulley cone twist limit motor drive break stiffness anchor axis chain bridge',
        parts: [{ file: 'docs/api.md', sections: ['Joints'] }],
      },
      {
        slug: 'events',
        live: ['events', 'sounds'],
        title: 'Events',
        about: 'Contacts, impacts, sensors, sleep.',
        topics:
          'collision event contact begin end hit impact force sound trigger zone sensor enter exit sleep wake joint break listener callback on',
        parts: [{ file: 'docs/api.md', sections: ['Events'] }],
      },
      {
        slug: 'queries',
        live: ['queries'],
        title: 'Queries',
        about: 'Rays, shape casts, overlaps, closest points.',
        topics:
          'raycast ray castRay shape cast sweep overlap closest point mouse picking line of sight ground check filter predicate',
        parts: [{ file: 'docs/api.md', sections: ['Queries'] }],
      },
      {
        slug: 'steps',
        live: ['frames', 'substeps'],
        title: 'Steps and frames',
        about: 'Settings, presets, backends; pictures between steps.',
        topics:
          'time step dt timestep delta fixed advance frame rate interpolation gravity substeps preset settings pause slow motion speed loop 144 Hz',
        parts: [{ file: 'docs/api.md', sections: ['Steps and settings', 'Frames'] }],
      },
      {
        slug: 'inside',
        live: ['debug'],
        drawings: ['debug'],
        title: 'Reading and debugging',
        about: 'Views, measures, warnings, faults, debug lines.',
        topics:
          'debug draw lines wireframe collider profile statistics measure warnings faults NaN energy contacts views typed arrays',
        parts: [{ file: 'docs/api.md', sections: ['Reading state', 'Looking inside', 'Warnings', 'Faults'] }],
      },
    ],
  },
  {
    title: 'Building blocks',
    chapters: [
      {
        slug: 'recipes',
        live: ['drag', 'platforms'],
        drawings: ['recipes'],
        title: 'Recipes',
        about:
          'Dragging, ragdolls of skinned meshes, cars, doors, lifts, filters, sounds, rollback, workers, servers, first person.',
        parts: [{ file: 'docs/recipes.md' }],
      },
      {
        slug: 'character',
        live: ['character', 'first_person'],
        title: 'Characters',
        about: 'Walking, steps, slopes, riding on what moves.',
        topics: 'character controller player walk jump stairs slope ground first person third person platform ride',
        parts: [{ file: 'docs/controllers.md', sections: ['', 'Character'] }],
      },
      {
        slug: 'vehicle',
        live: ['car', 'wheels'],
        title: 'Vehicles',
        about: 'Wheels, springs, tires, a drive.',
        topics: 'car vehicle wheel suspension steering brake engine torque tire drive motorcycle save controller',
        parts: [{ file: 'docs/controllers.md', sections: ['Vehicle', 'Saving', 'Several, and your own', 'In a thread'] }],
      },
      {
        slug: 'rigs',
        live: ['ragdolls', 'skinned', 'chain'],
        title: 'Ragdolls and ropes',
        about: 'Ragdolls from skeletons, chains, ropes, nets.',
        topics: 'ragdoll skeleton bones skinned mesh gltf glb model mixamo character rope chain net cloth pose',
        parts: [{ file: 'docs/rigs.md' }],
      },
    ],
  },
  {
    title: 'Advanced',
    chapters: [
      {
        slug: 'gpu',
        live: ['gpu'],
        drawings: ['hybrid'],
        title: 'WebGPU',
        about: 'When it helps, how to ask for it.',
        topics: 'webgpu gpu compute backend auto',
        parts: [{ file: 'docs/packaging.md', sections: ['WebGPU is opt-in'] }],
      },
      {
        slug: 'workers',
        live: ['worker', 'offscreen'],
        drawings: ['worker'],
        title: 'Workers and many worlds',
        about: 'A world in a thread of its own; hundreds of worlds.',
        topics: 'web worker thread TalusWorker background offscreen canvas server many worlds rooms message',
        parts: [{ file: 'docs/api.md', sections: ['A world in a thread', 'Many worlds'] }],
      },
      {
        slug: 'threads',
        live: ['threads'],
        title: 'Threads',
        about: 'Steps on all cores, with the same bits.',
        topics:
          'threads multithreading multithreaded cores shared memory SharedArrayBuffer cross origin isolated COOP COEP headers parallel',
        parts: [{ file: 'docs/threads.md' }, { file: 'docs/api.md', sections: ['Threads'] }],
      },
      {
        slug: 'rollback',
        live: ['rollback'],
        title: 'Determinism and rollback',
        about: 'Snapshots, hashes, the same bits on every machine.',
        topics:
          'save game load snapshot restore serialize rollback multiplayer network deterministic determinism hash replay lockstep undo reset',
        parts: [{ file: 'docs/api.md', sections: ['Saving, going back, comparing'] }],
      },
      {
        slug: 'tuning',
        live: ['substeps'],
        drawings: ['tuning'],
        title: 'Tuning',
        about: 'When things jitter, sink, stretch or are too slow.',
        topics:
          'jitter shake sink slip stretch fall through slow motion soft springy heavy unstable stack explode problem wrong trouble help large world',
        parts: [{ file: 'docs/tuning.md' }],
      },
      {
        slug: 'limits',
        live: ['wall'],
        title: 'Limits',
        about: 'How far you can go before a scene fails, beside other engines.',
        topics:
          'limits mass ratio size ratio tall stack tower far origin fast speed memory largest maximum warning compare Rapier Jolt Havok',
        parts: [{ file: 'docs/limits.md' }],
      },
      {
        slug: 'performance',
        live: ['sleeping', 'instances'],
        title: 'Performance',
        about: 'What costs what, and how to measure it.',
        topics: 'performance fast slow fps speed benchmark cost many bodies sleep sleeping loading optimize memory',
        parts: [{ file: 'docs/performance.md' }, { file: 'docs/api.md', sections: ['Sleeping'] }],
        see: [
          ['../demo/measure.html', 'Measure this machine'],
          ['../reports/visitors.html', 'Results of visitors'],
        ],
      },
    ],
  },
  {
    title: 'Integrations',
    chapters: [
      {
        slug: 'three',
        live: ['instances'],
        drawings: ['binding'],
        title: 'three.js',
        about: 'Meshes, instances, shapes from geometries, a debug picture.',
        topics: 'three.js mesh instanced mesh instances geometry scene sync debug renderer draw collider from mesh userData',
        parts: [
          {
            file: 'docs/three.md',
            sections: [
              '',
              'Objects and bodies',
              'Shapes',
              'Push, pick and resize',
              'The debug picture',
              'Large worlds',
              'WebGPU',
              'Ends and errors',
            ],
          },
        ],
      },
      {
        slug: 'react',
        live: ['react_connectors', 'react_character', 'react_car'],
        drawings: ['react'],
        title: 'React Three Fiber',
        about: 'Components and hooks.',
        topics: 'react three fiber r3f component hook RigidBody Physics rapier',
        parts: [{ file: 'docs/react.md' }],
      },
      {
        slug: 'babylon',
        live: ['babylon'],
        drawings: ['plugin'],
        title: 'Babylon.js',
        about: 'A plugin for its physics.',
        topics: 'babylon.js plugin havok aggregate',
        parts: [{ file: 'docs/babylon.md' }],
      },
      {
        slug: 'playcanvas',
        live: ['playcanvas'],
        drawings: ['plugin'],
        title: 'PlayCanvas',
        about: 'Component systems.',
        topics: 'playcanvas ammo component script',
        parts: [{ file: 'docs/playcanvas.md' }],
      },
      {
        slug: 'gltf',
        live: ['gltf'],
        drawings: ['gltf'],
        title: 'glTF files with physics',
        about: 'Bodies, joints and triggers from a file.',
        topics: 'gltf glb level import model blender KHR_physics_rigid_bodies OMI load scene file',
        parts: [{ file: 'docs/gltf.md' }],
      },
      {
        slug: 'packaging',
        drawings: ['entries'],
        title: 'Entries and bundlers',
        about: 'What to import, sizes, content security policies.',
        topics:
          'bundle size kB import vite webpack esbuild next.js cdn import map slim wasm csp content security policy typescript types node server side rendering ssr',
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
              'Source maps',
              'Sizes and tools',
            ],
          },
        ],
      },
      {
        slug: 'binary',
        title: 'Without JavaScript',
        about: 'The core in wasmtime and other runtimes.',
        parts: [{ file: 'docs/binary.md' }],
      },
      {
        slug: 'migrate',
        live: ['wall'],
        drawings: ['world'],
        title: 'From another engine',
        about: 'Rapier, react-three-rapier, cannon-es, Havok, ammo and Jolt, call by call.',
        topics: 'coming from migrating port rapier cannon cannon-es havok ammo jolt physx switch other engine words names',
        parts: [{ file: 'docs/migrate.md' }],
      },
      { slug: 'changes', title: 'Changes', about: 'What is new.', parts: [{ file: 'CHANGELOG.md' }] },
    ],
  },
  {
    title: 'Internals',
    chapters: [
      {
        slug: 'pipeline',
        live: ['islands'],
        title: 'The pipeline',
        about: 'What a step does, and where data lies.',
        parts: [{ file: 'docs/pipeline.md' }],
      },
      {
        slug: 'contacts',
        live: ['debug'],
        drawings: ['contact'],
        title: 'The life of a contact',
        about: 'Boxes, pairs, the narrow phase, manifolds, lanes.',
        parts: [{ file: 'docs/contacts.md' }],
      },
      {
        slug: 'internal-edges',
        live: ['tiles'],
        drawings: ['seams'],
        title: 'Surfaces of many colliders',
        about: 'Tiles without seams, surfaces that move.',
        parts: [{ file: 'docs/internal_edges.md' }],
      },
      {
        slug: 'fast-bodies',
        live: ['bullets'],
        title: 'Fast bodies',
        about: 'Speculative contacts, nothing passes a wall.',
        parts: [{ file: 'docs/ccd.md' }],
      },
      {
        slug: 'islands',
        live: ['islands'],
        title: 'Islands, sleep and runs',
        about: 'What sleeps, and what is solved, together.',
        parts: [{ file: 'docs/islands.md' }],
      },
      {
        slug: 'body-motion',
        live: ['spin'],
        drawings: ['turn'],
        title: 'Bodies and their motion',
        about: 'Integration, limits, how exact it is.',
        parts: [{ file: 'docs/motion.md' }],
      },
      {
        slug: 'solvers',
        live: ['wall'],
        title: 'The solvers',
        about: 'Rows, soft contacts, warm start, presets.',
        parts: [{ file: 'docs/solvers.md' }],
      },
      {
        slug: 'contact-rows',
        live: ['friction'],
        title: 'Rows of a contact',
        about: 'A manifold in its own frame, friction, rolling.',
        parts: [{ file: 'docs/contact_rows.md' }],
      },
      {
        slug: 'substeps',
        live: ['substeps'],
        title: 'Substeps',
        about: 'How many a structure needs, measured calm.',
        parts: [{ file: 'docs/substeps.md' }],
      },
      {
        slug: 'cells',
        live: ['cells'],
        title: 'Order and cells',
        about: 'In which order contacts are solved.',
        parts: [{ file: 'docs/cells.md' }],
      },
      {
        slug: 'mass-splitting',
        live: ['cells'],
        title: 'Mass splitting',
        about: 'All cells at once, and why that converges.',
        parts: [{ file: 'docs/mass_splitting.md' }],
      },
      {
        slug: 'impacts',
        live: ['impacts'],
        drawings: ['impact'],
        title: 'Impacts',
        about: 'Restitution, and bodies that meet alone.',
        parts: [{ file: 'docs/impacts.md' }],
      },
      {
        slug: 'joint-solver',
        live: ['gears'],
        title: 'How joints are solved',
        about: 'Axes, turned rows, limits and drives.',
        parts: [{ file: 'docs/joint_solver.md' }],
      },
      {
        slug: 'joint-trees',
        live: ['chain'],
        drawings: ['tree'],
        title: 'Trees, blocks and loads',
        about: 'Exact trees, soft blocks, light links.',
        parts: [{ file: 'docs/joint_trees.md' }],
      },
      {
        slug: 'joint-results',
        live: ['bridge'],
        drawings: ['joints'],
        title: 'Joints: measurements and limits',
        about: 'Scenes, what was tried, what does not work.',
        parts: [{ file: 'docs/joint_results.md' }],
      },
      {
        slug: 'gpu-path',
        live: ['gpu'],
        title: 'The GPU path',
        about: 'Cells, buffers, when results count.',
        parts: [{ file: 'docs/gpu.md' }],
      },
      {
        slug: 'methods',
        drawings: ['splitting'],
        title: 'Published methods',
        about: '`talus/study`.',
        parts: [{ file: 'docs/methods.md' }],
      },
      {
        slug: 'own-solver',
        title: 'A solver of your own',
        about: 'A method in JavaScript, from a file to its figures.',
        parts: [{ file: 'docs/own_solver.md' }],
      },
      {
        slug: 'host',
        title: 'The host',
        about: 'Rooms of the TypeScript around the core.',
        parts: [{ file: 'docs/host.md' }],
      },
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
  ['Start', ['start_1_floor', 'start_2_crate', 'start_3_crates', 'start_4_push', 'start_5_character']],
  ['First steps', ['hello', 'wall', 'instances', 'shapes', 'motion', 'gltf']],
  ['Touch', ['drag', 'events', 'sounds', 'queries', 'filters']],
  ['Machines', ['bridge', 'doors', 'platforms', 'car', 'wheels', 'joints', 'gears', 'chain']],
  ['People', ['character', 'first_person', 'ragdolls', 'skinned']],
  ['Other libraries', ['react_connectors', 'react_character', 'react_car', 'babylon', 'playcanvas']],
  ['Surroundings', ['conveyor', 'water', 'friction', 'tiles']],
  ['How it works', ['debug', 'frames', 'sleeping', 'islands', 'cells', 'substeps', 'bullets', 'impacts', 'spin']],
  ['Advanced', ['worker', 'offscreen', 'rollback', 'threads', 'gpu']],
];

/** Examples that are steered by keys, and the buttons they get where fingers do it (site/live/pad.js). */
export const PADS = {
  start_5_character: 'walk',
  character: 'walk',
  first_person: 'walk',
  react_character: 'walk',
  car: 'drive',
  wheels: 'drive',
  react_car: 'drive',
};
