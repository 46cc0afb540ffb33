// Compares engines on the same scenes: time, calm, depth, standing, lost bodies.
//
//   npm run bench -- --scene boxes --engines talus,rapier,havok --steps 600 --json out.json
//   npm run bench -- --published babylon-box3d          scenes of benchmarks that others publish (scenes/published.ts)
//   npm run bench -- --torture                          scenes whose outcome a closed form tells (scenes/torture.ts)
//
// All engines run in one process and one thread, in lockstep (one step each in turn). They have their defaults, except sleeping off
// (unless --sleep), damping 0 and dt = 1/60 s. Published scenes have columns of their own (bench/lib/standing.mjs). Depth is measured on
// the final poses by bench/lib/depth.mjs, and energy with inertias of our own, so no engine judges itself. On a busy machine read the
// ratios rather than the milliseconds.
import { writeFileSync } from 'node:fs';
import cliProgress from 'cli-progress';
import { readArgs } from './lib/args.mjs';
import { compactJson, millimetres, provenance, save, short, table } from './lib/report.mjs';
import { runLockstep } from './lib/run.mjs';
import { buildScene, PUBLISHED, publishedScene, SCENE_NAMES, TORTURE } from './lib/scenes.mjs';
import { driftTimes, Standing } from './lib/standing.mjs';
import { TORTURE_ENGINES, torture, tortureTable } from './lib/torture_runs.mjs';

const ENGINES = ['talus', 'rapier', 'havok', 'jolt', 'cannon'];
const FAMILIES = Object.keys(PUBLISHED);
const STEPS = 600;

const args = readArgs(
  {
    scene: { type: 'string', short: 's' },
    published: { type: 'string' },
    torture: { type: 'boolean', default: false },
    engines: { type: 'string', short: 'e' },
    steps: { type: 'string', short: 'n' },
    sleep: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    scale: { type: 'string', default: '1' },
    count: { type: 'string' },
    solver: { type: 'string' },
    preset: { type: 'string' },
    json: { type: 'string' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false, short: 'h' },
  },
  { steps: '3', scale: '0.02', json: undefined },
);

if (args.help) {
  console.log(`Usage: npm run bench -- [options]
  --scene      one or more of ${SCENE_NAMES.join(', ')} (comma-separated)   [boxes]
${FAMILIES.map((family) => `               of ${family}: ${Object.keys(PUBLISHED[family]).join(', ')}\n`).join('')}\
  --published  all scenes of one or more of ${FAMILIES.join(', ')} (comma-separated), instead of --scene
  --torture    scenes with a closed form: ${Object.keys(TORTURE).join(', ')}, or those of --scene
  --engines    one or more of ${ENGINES.join(', ')}   [talus,rapier,havok; published scenes: jolt too]
               --torture: ${TORTURE_ENGINES.join(', ')}   [all]
  --steps      steps of 1/60 s   [${STEPS}; published scenes: as published]
  --sleep      bodies may sleep
  --seed --scale --count   parameters of the scene; published scenes take --scale alone
  --solver --preset        of talus
  --json       file to write the results to
  --save       also write bench/results/<date>_<machine>/<scene>.json and .csv`);
  process.exit(0);
}

/** Engines may take options after a colon: talus:pgs is talus with the solver 'pgs'. */
async function factory(spec) {
  const [name, solver] = spec.split(':');
  if (!ENGINES.includes(name)) throw new Error(`unknown engine '${name}'; one of ${ENGINES.join(', ')}`);
  const { create } = await import(`./engines/${name}.mjs`);
  const options = { solver: solver ?? args.solver, preset: args.preset, sleep: args.sleep };
  return { name: spec, create: (scene) => create(scene, options) };
}

/** Names of the scenes asked for. */
function sceneNames() {
  if (args.published === undefined) return (args.scene ?? 'boxes').split(',');
  return args.published.split(',').flatMap((family) => {
    if (!Object.hasOwn(PUBLISHED, family)) throw new Error(`no published scenes of '${family}'; one of ${FAMILIES.join(', ')}`);
    return Object.keys(PUBLISHED[family]);
  });
}

/** Table of a published scene: its time as others give theirs, how far bodies have gone, who stands. */
function publishedTable(scene, results, steps) {
  const times = scene.checks.stands ? driftTimes(scene, steps) : [];
  const head = ['engine', 'ms mean', 'p95', 'max', ...times.map((s) => `drift at ${short(s)} s, mean / max m`)];
  head.push('rms mm/s', 'who stands');
  if (scene.checks.tops) head.push('top');
  if (scene.checks.drum) head.push('left by its ends');
  const rows = results.map((r) => {
    if (r.failed) return [r.engine, { content: r.failed, colSpan: head.length - 1 }];
    const row = [`${r.engine} ${r.version}`, short(r.msMean), short(r.msP95), short(r.msMax)];
    for (const { mean, max } of r.drifts) row.push(`${short(mean, 2)} / ${short(max, 2)}`);
    row.push(short(r.rmsSpeed * 1000), r.verdict);
    if (scene.checks.tops) row.push(`${(100 * r.topShare).toFixed(1)} %`);
    if (scene.checks.drum) row.push(r.leftByEnds);
    return row;
  });
  return table(head, rows);
}

function resultTable(scene, results) {
  const best = Math.min(...results.filter((r) => !r.failed).map((r) => r.msSecondHalf));
  const head = [
    'engine',
    'ms 1st half',
    'ms 2nd half',
    'ratio',
    'p95 ms',
    'rms mm/s',
    'KE mean J',
    'depth mm mean / p99 / max',
    'pairs',
  ];
  const onGround = scene.checks.triangles > 0;
  if (onGround) head.push('ground mm mean / max');
  if (scene.checks.stands) head.push('within 10 / 50 cm', 'sideways cm');
  head.push('lost');
  const rows = results.map((r) => {
    if (r.failed) return [r.engine, { content: r.failed, colSpan: head.length - 1 }];
    const row = [
      `${r.engine} ${r.version}`,
      short(r.msFirstHalf),
      short(r.msSecondHalf),
      (r.msSecondHalf / best).toFixed(2),
      short(r.msP95),
      short(r.rmsSpeed * 1000),
      short(r.energyMean),
      `${millimetres(r.depth.mean)} / ${millimetres(r.depth.p99)} / ${millimetres(r.depth.max)}`,
      r.depth.count,
    ];
    if (onGround) row.push(`${millimetres(r.ground.mean)} / ${millimetres(r.ground.max)}`);
    if (r.stands) {
      const { end } = r.stands;
      row.push(`${Math.round(100 * end.within10cm)} / ${Math.round(100 * end.within50cm)} %`, short(end.sideways * 100));
    }
    row.push(r.lost);
    return row;
  });
  return table(head, rows);
}

/** The mode --torture: every scene, the table, the file. Its errors depend on no clock. */
async function runTorture() {
  const wanted = args.scene?.split(',') ?? Object.keys(TORTURE);
  const found = await torture(wanted, args.engines?.split(',') ?? TORTURE_ENGINES, {
    steps: args.steps === undefined ? undefined : Number(args.steps),
    progress: (name) => console.log(`${name} ...`),
  });
  const { head, body } = tortureTable(found);
  console.log(table(head, body));
  const header = { ...provenance('npm run bench --'), engines: found.engines };
  if (args.save) console.log(`saved ${save('torture', header, found.rows)}`);
  if (args.json) writeFileSync(args.json, compactJson({ ...header, results: found.rows }));
}

if (args.torture) {
  await runTorture();
  process.exit(0);
}

const names = sceneNames();
const isAllPublished = names.every((name) => publishedScene(name));
const engines = args.engines ?? (isAllPublished ? 'talus,havok,rapier,jolt' : 'talus,rapier,havok');
const factories = await Promise.all(engines.split(',').map(factory));
const all = [];
for (const name of names) {
  const published = publishedScene(name);
  const steps = Number(args.steps ?? published?.steps ?? STEPS);
  if (!Number.isInteger(steps) || steps < 1) throw new Error('--steps must be a positive integer');
  const sceneOptions = {
    seed: Number(args.seed),
    scale: Number(args.scale),
    ...(args.count ? { count: Number(args.count) } : {}),
  };
  const scene = buildScene(name, sceneOptions);
  console.log(
    `\n${scene.title}: ${scene.checks.dynamicCount} bodies, ${scene.checks.triangles} triangles, ${steps} steps${published ? '' : `, seed ${args.seed}`}${args.sleep ? ', may sleep' : ''}`,
  );
  // What a scene does beyond falling, other engines would do in their own way.
  const able = scene.traits ? factories.filter((one) => one.name.startsWith('talus')) : factories;
  if (able.length === 0) throw new Error(`only talus runs '${name}': its surfaces, controllers and water are features of talus`);
  if (able.length < factories.length)
    console.log('only talus runs this scene: its surfaces, controllers and water are features of talus');
  const bar = new cliProgress.SingleBar(
    { format: '{bar} {value}/{total} steps  {eta_formatted} left', hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  bar.start(steps, 0);
  const results = await runLockstep(scene, able, {
    steps,
    progress: (step) => bar.update(step),
    ...(published ? { observer: () => new Standing(scene, steps), depth: false } : {}),
  });
  bar.stop();
  console.log(published ? publishedTable(scene, results, steps) : resultTable(scene, results));
  const rows = results.map(({ state: _state, ...rest }) => rest);
  all.push({ scene: name, ...sceneOptions, steps, sleep: args.sleep, results: rows });
  if (args.save) {
    const header = { ...provenance('npm run bench --'), scene: name, ...sceneOptions, steps, sleep: args.sleep };
    console.log(`saved ${save(args.sleep ? `${name}_sleep` : name, header, rows)}`);
  }
}
if (args.json) writeFileSync(args.json, compactJson({ ...provenance('npm run bench --'), scenes: all }));
