// Measures joints of talus and of other engines on the same scenes: time, gaps of anchors, limits, stretch, calm.
//
//   node bench/joints.mjs [--scene ragdolls150,joint-grid] [--engines talus,rapier,havok,jolt] [--steps 600] [--save]
//
// The engines alternate steps in one process (bench/lib/run.mjs), with their defaults and sleeping off. Errors of joints are computed from
// the poses after every step (bench/lib/joints.mjs), so no engine judges itself. An engine that lacks a joint of the scene is left out.
import cliProgress from 'cli-progress';
import { readArgs } from './lib/args.mjs';
import { JointMeasure } from './lib/joints.mjs';
import { millimetres, provenance, save, short, table } from './lib/report.mjs';
import { runLockstep } from './lib/run.mjs';
import { buildScene } from './lib/scenes.mjs';

const ENGINES = ['talus', 'rapier', 'havok', 'jolt'];

/** Options of the scenes and steps: what the table shows unless asked otherwise. */
const RUNS = {
  ragdolls150: [{ steps: 1200 }],
  'joint-grid': [{ count: 576, steps: 300 }, { steps: 300 }],
  'hanging-chain': [
    { massRatio: 1000, steps: 600 },
    { massRatio: 50000, steps: 600 },
  ],
  'capsule-chain': [{ steps: 600 }],
  bridge: [{ steps: 900 }],
  car: [{ steps: 900 }],
  arm: [{ steps: 600 }],
  'four-bar': [{ steps: 600 }],
  'gear-train': [{ steps: 600 }],
  pulley: [{ steps: 600 }],
};

const args = readArgs(
  {
    scene: { type: 'string', default: 'ragdolls150,joint-grid,hanging-chain,capsule-chain,bridge', short: 's' },
    engines: { type: 'string', default: ENGINES.join(','), short: 'e' },
    steps: { type: 'string', short: 'n' },
    seed: { type: 'string', default: '1' },
    scale: { type: 'string', default: '1' },
    count: { type: 'string' },
    'mass-ratio': { type: 'string' },
    solver: { type: 'string' },
    preset: { type: 'string' },
    save: { type: 'boolean', default: false },
  },
  { steps: '3', scale: '0.02' },
);

async function factory(spec) {
  const [name, solver] = spec.split(':');
  if (!ENGINES.includes(name)) throw new Error(`unknown engine '${name}'; one of ${ENGINES.join(', ')}`);
  const { create } = await import(`./engines/${name}.mjs`);
  return { name: spec, create: (scene) => create(scene, { solver: solver ?? args.solver, preset: args.preset }) };
}

/** Those of the engines that take the scene, and why the others do not. */
async function takers(scene, factories) {
  const able = [];
  for (const each of factories) {
    try {
      (await each.create(scene)).dispose();
      able.push(each);
    } catch (error) {
      console.log(`${each.name} is left out: ${error.message}`);
    }
  }
  return able;
}

const millimetrePair = (a, b) => `${millimetres(a)} / ${millimetres(b)}`;

function resultTable(scene, results) {
  const head = [
    'engine',
    'ms landing',
    'ms 2nd half (processor)',
    'rms mm/s',
    'held',
    'gap mm mean / max',
    'worst mm',
    'tilt deg mean / max',
    'limits deg mean / max',
    'worst deg',
  ];
  if (scene.checks.chain) head.push('stretch %', 'worst %');
  head.push('lost');
  const rows = results.map((r) => {
    if (r.failed) return [r.engine, { content: r.failed, colSpan: head.length - 1 }];
    const row = [
      `${r.engine} ${r.version}`,
      short(r.msLanding),
      `${short(r.msSecondHalf)} (${short(r.cpuMsSecondHalf)})`,
      short(r.rmsSpeed * 1000),
      `${(100 * r.held).toFixed(r.held > 0.999 && r.held < 1 ? 2 : 1)} %`,
      millimetrePair(r.gapMean, r.gapMax),
      millimetres(r.gapWorst),
      `${short(r.tiltMean)} / ${short(r.tiltMax)}`,
      `${short(r.limitMean)} / ${short(r.limitMax)}`,
      short(r.limitWorst),
    ];
    if (scene.checks.chain) row.push(short(r.stretch), short(r.stretchWorst));
    // Bodies that were not finite any more.
    row.push(r.extra?.stopped ? `${r.lost}, ${r.extra.stopped} stopped` : r.lost);
    return row;
  });
  return table(head, rows);
}

const factories = await Promise.all(args.engines.split(',').map(factory));
for (const name of args.scene.split(',')) {
  if (!RUNS[name]) throw new Error(`no joints in scene '${name}'; one of ${Object.keys(RUNS).join(', ')}`);
  let runs = RUNS[name];
  if (args['mass-ratio']) runs = [{ ...runs[0], massRatio: Number(args['mass-ratio']) }];
  if (args.count) runs = [{ ...runs[0], count: Number(args.count) }];
  for (const { steps: standard, ...options } of runs) {
    const sceneOptions = {
      ...options,
      seed: Number(args.seed),
      scale: Number(args.scale),
    };
    const scene = buildScene(name, sceneOptions);
    const steps = Number(args.steps ?? standard);
    console.log(`\n${scene.title}: ${scene.checks.dynamicCount} bodies, ${scene.joints.length} joints, ${steps} steps`);
    const able = await takers(scene, factories);
    const bar = new cliProgress.SingleBar({ format: '{bar} {value}/{total} steps  {eta_formatted} left', clearOnComplete: true });
    bar.start(steps, 0);
    const results = await runLockstep(scene, able, {
      steps,
      progress: (step) => bar.update(step),
      observer: () => new JointMeasure(scene),
    });
    bar.stop();
    console.log(resultTable(scene, results));
    const rows = results.map(({ state: _state, ...rest }) => rest);
    if (args.save) {
      const file = ['joints', name, options.massRatio ?? options.count].filter(Boolean).join('_');
      const header = { ...provenance('node bench/joints.mjs'), scene: name, ...sceneOptions, steps };
      console.log(`saved ${save(file, header, rows)}`);
    }
  }
}
