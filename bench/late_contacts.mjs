// What it costs to find contacts less often than the solver could use them. Several steps on one set of contacts are one longer step with as
// many substeps more, so a world stands for them: the same substeps per second, contacts found 240, 120, 60 and 30 times per second.
//
//   node bench/late_contacts.mjs [--scene boxes-small,mixed,wall,pyramid,cardhouse] [--rates 240,120,60,30] [--seeds 12] [--seconds 10]
//                                [--scale 1] [--save]
//
// The solver is `cell-split`, the twin of the GPU, with 720 substeps per second. All rates see the same scenes. The first rate is the
// base: `over base` is the geometric mean over seeds of a rate's landing depth divided by the base's, with its 95 % interval (t of the
// logarithms). `landing`: deepest overlap of a pair in ten samples per second of the first half; `rms`, `depth`: at the end; `cpu`:
// milliseconds of process time for a second of the scene; `answers`: results of a GPU that this second would wait for. A seed moves
// the scene's bodies by up to a millimetre, and draws the scene anew where it is random.
import { create } from './engines/talus.mjs';
import { readArgs } from './lib/args.mjs';
import { sceneDepth } from './lib/depth.mjs';
import { pairedRatio } from './lib/intervals.mjs';
import { millimetres, provenance, save, short, table } from './lib/report.mjs';
import { runLockstep } from './lib/run.mjs';
import { buildScene, Random } from './lib/scenes.mjs';
import { median } from './lib/stats.mjs';

const SUBSTEPS_PER_SECOND = 720;
const SAMPLES_PER_SECOND = 10;

const args = readArgs(
  {
    scene: { type: 'string', default: 'boxes-small,mixed,wall,pyramid,cardhouse' },
    rates: { type: 'string', default: '240,120,60,30' },
    seeds: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '10' },
    scale: { type: 'string', default: '1' },
    save: { type: 'boolean', default: false },
  },
  { scene: 'wall', rates: '120,60', seeds: '2', seconds: '0.2', scale: '0.1' },
);
const rates = args.rates.split(',').map(Number);
const seeds = Array.from({ length: Number(args.seeds) }, (_, i) => i + 1);
const seconds = Number(args.seconds);

/** The scene of a seed, its bodies moved by up to a millimetre. */
function moved(name, seed) {
  const scene = buildScene(name, { seed, scale: Number(args.scale) });
  const random = new Random(seed);
  const position = Float32Array.from(scene.bodies.position);
  for (let i = 0; i < scene.bodies.count; i++) {
    if (!(scene.bodies.density[i] > 0)) continue;
    for (const axis of [0, 2]) position[3 * i + axis] += 1e-3 * (random.unit() - 0.5) * 2;
  }
  return { ...scene, bodies: { ...scene.bodies, position } };
}

/** Sees the first half of a run ten times per second, and notes the deepest overlap. */
function landingObserver(scene, rate) {
  const every = Math.max(1, Math.round(rate / SAMPLES_PER_SECOND));
  let deepest = 0;
  return {
    wants: (step) => step < (seconds * rate) / 2 && step % every === 0,
    sample(state) {
      const { pairs, ground } = sceneDepth(scene, state.position, state.rotation);
      deepest = Math.max(deepest, pairs.max, ground.max);
    },
    result: () => ({ landing: deepest }),
  };
}

const rows = [];
const saved = [];
for (const name of args.scene.split(',')) {
  let base = null;
  for (const rate of rates) {
    const runs = [];
    for (const seed of seeds) {
      const scene = { ...moved(name, seed), dt: 1 / rate };
      const make = (s) => create(s, { solver: 'cell-split', substeps: SUBSTEPS_PER_SECOND / rate, seed, warn: false });
      const [run] = await runLockstep(scene, [{ name: 'talus', create: make }], {
        steps: Math.max(2, Math.round(seconds * rate)),
        observer: () => landingObserver(scene, rate),
      });
      if (run.failed) throw new Error(`${name} at ${rate}: ${run.failed}`);
      runs.push(run);
    }
    const landing = runs.map((run) => run.landing);
    base ??= landing;
    const { value: middle, low, high } = pairedRatio(landing, base);
    const row = {
      scene: name,
      contactsPerSecond: rate,
      substeps: SUBSTEPS_PER_SECOND / rate,
      seeds: seeds.length,
      landing: median(landing),
      overBase: middle,
      overBaseLow: low,
      overBaseHigh: high,
      rms: median(runs.map((run) => run.rmsSpeed)),
      rmsMost: Math.max(...runs.map((run) => run.rmsSpeed)),
      depth: median(runs.map((run) => run.depth.mean)),
      sideways: median(runs.map((run) => run.stands?.end.sideways ?? Number.NaN)),
      lost: runs.reduce((sum, run) => sum + run.lost, 0),
      cpuPerSecond: median(runs.map((run) => run.cpuMsSecondHalf)) * rate,
      answers: rate,
    };
    saved.push(row);
    rows.push([
      name,
      rate,
      row.substeps,
      millimetres(row.landing),
      rate === rates[0] ? '1' : `${short(middle)} (${short(low)} to ${short(high)})`,
      `${short(row.rms)} / ${short(row.rmsMost)}`,
      millimetres(row.depth),
      Number.isNaN(row.sideways) ? '-' : millimetres(row.sideways),
      row.lost,
      short(row.cpuPerSecond),
    ]);
    console.log(rows.at(-1).join(' | '));
  }
}
console.log(
  table(
    [
      'scene',
      'contacts/s',
      'substeps',
      'landing mm',
      'over base',
      'rms m/s median / most',
      'depth mm',
      'sideways mm',
      'lost',
      'cpu ms/s',
    ],
    rows,
  ),
);
if (args.save) console.log(`saved ${save('late-contacts', provenance('node bench/late_contacts.mjs'), saved)}`);
