// Calm table of talus: 20 s awake (1,200 steps) of the standing scenes and piles over several seeds, on WASM and WebGPU,
// with pass or fail against the project's bars.
//
//   node bench/calm.mjs [--scene boxes-small,wall] [--backend wasm,webgpu] [--seeds 1,2,3] [--shuffles 0,1,2] [--seconds 20]
//                       [--save]
//
// rms speed over the last 2 s and all bodies, motion sideways from the start, overlap of body pairs by bench/lib/depth.mjs.
// A seed changes the scene (where it is random) and the engine's permutations; a shuffle other than 0 creates the bodies in a
// random order.
import cliProgress from 'cli-progress';
import { create } from './engines/talus.mjs';
import { readArgs } from './lib/args.mjs';
import { openAdapter } from './lib/gpu.mjs';
import { millimetres, provenance, save, short, table } from './lib/report.mjs';
import { runLockstep } from './lib/run.mjs';
import { buildScene } from './lib/scenes.mjs';
import { shuffleCreation } from './lib/shuffle.mjs';

/** Bars: m/s, m; `standing` = largest distance from the start that every body may have. */
const BARS = {
  'boxes-small': { rmsSpeed: 1e-6 },
  boxes: { rmsSpeed: 1e-4, depthMean: 1e-3, depthP99: 5e-3, depthMax: 20e-3 },
  cardhouse: { rmsSpeed: 1e-6, standing: 0.1 },
  wall: { rmsSpeed: 5e-4, sideways: 0.01, depthMean: 1e-3 },
  pyramid: { rmsSpeed: 1e-3, sideways: 0.01 },
  stack: { sideways: 0.01 },
  ragdolls150: { rmsSpeed: 1e-3 },
  // The slabs may be pressed together, but nothing may slide off.
  slabs: { sideways: 0.1, standing: 0.5 },
};

const args = readArgs(
  {
    scene: { type: 'string', default: Object.keys(BARS).join(',') },
    backend: { type: 'string', default: 'wasm' },
    seeds: { type: 'string', default: '1,2,3' },
    shuffles: { type: 'string', default: '0' },
    seconds: { type: 'string', default: '20' },
    scale: { type: 'string', default: '1' },
    solver: { type: 'string' },
    preset: { type: 'string' },
    save: { type: 'boolean', default: false },
  },
  { seconds: '0.1', seeds: '1', shuffles: '0', scale: '0.05' },
);

/** What a run missed, as short words; empty if it passed. */
export function misses(bar, result) {
  if (result.failed) return [result.failed];
  const end = result.stands?.end;
  const values = {
    rmsSpeed: result.rmsSpeed,
    sideways: end?.sideways,
    standing: end?.farthest,
    depthMean: result.depth.mean,
    depthP99: result.depth.p99,
    depthMax: result.depth.max,
  };
  const out = Object.entries(values)
    .filter(([key, value]) => bar[key] !== undefined && !(value <= bar[key]))
    .map(([key]) => key);
  if (result.lost > 0) out.push('lost');
  return out;
}

const adapter = args.backend.includes('webgpu') ? await openAdapter() : null;
const rows = [];
const saved = [];
for (const backend of args.backend.split(',')) {
  if (backend === 'webgpu' && adapter.name === null) {
    console.log(`no WebGPU runs: ${adapter.reason}`);
    continue;
  }
  if (backend === 'webgpu') console.log(`webgpu on ${adapter.name}${adapter.software ? ' (software)' : ''}`);
  for (const name of args.scene.split(',')) {
    if (BARS[name] === undefined) throw new Error(`no bars for scene '${name}'; one of ${Object.keys(BARS).join(', ')}`);
    const seeds = args.seeds.split(',').map(Number);
    const shuffles = args.shuffles.split(',').map(Number);
    for (const [seed, shuffle] of seeds.flatMap((seed) => shuffles.map((shuffle) => [seed, shuffle]))) {
      const scene = shuffleCreation(buildScene(name, { seed, scale: Number(args.scale) }), shuffle);
      const steps = Math.round(Number(args.seconds) / scene.dt);
      const bar = new cliProgress.SingleBar({
        format: `${name} seed ${seed} ${backend} {bar} {value}/{total}`,
        clearOnComplete: true,
      });
      bar.start(steps, 0);
      const device = backend === 'webgpu' ? await adapter.requestDevice() : undefined;
      const make = (s) => create(s, { solver: args.solver, preset: args.preset, backend, device, seed });
      const [result] = await runLockstep(scene, [{ name: 'talus', create: make }], {
        steps,
        progress: (step) => bar.update(step),
      });
      bar.stop();
      device?.destroy();
      const missed = misses(BARS[name], result);
      const end = result.stands?.end;
      rows.push([
        name,
        backend,
        seed,
        shuffle,
        short(result.rmsSpeed),
        end ? short(end.sideways * 100) : '-',
        end ? short(end.farthest * 100) : '-',
        result.depth
          ? `${millimetres(result.depth.mean)} / ${millimetres(result.depth.p99)} / ${millimetres(result.depth.max)}`
          : '-',
        result.lost,
        short(result.msSecondHalf),
        missed.length === 0 ? 'pass' : `FAIL ${missed.join(', ')}`,
      ]);
      const { state: _state, ...rest } = result;
      saved.push({ scene: name, backend, seed, shuffle, missed: missed.join(' '), ...rest });
    }
  }
}
const head = [
  'scene',
  'backend',
  'seed',
  'order',
  'rms m/s',
  'sideways cm',
  'moved cm',
  'depth mm mean / p99 / max',
  'lost',
  'ms',
  'bars',
];
console.log(table(head, rows));
const failed = rows.filter((row) => row.at(-1) !== 'pass').length;
console.log(`${rows.length - failed} of ${rows.length} runs pass`);
if (args.save) {
  const name = ['calm', args.solver, args.preset].filter(Boolean).join('-');
  const header = { ...provenance('node bench/calm.mjs'), seconds: Number(args.seconds), bars: BARS };
  console.log(`saved ${save(name, header, saved)}`);
}
// A tenth of a second shows nothing.
process.exitCode = failed === 0 || args.quick ? 0 : 1;
