// Compares a step on one thread with a step on several, stage by stage. Two worlds of a scene take turns, one step each; figures are
// medians of the first half (falling, landing) and of the second (settled). The two times of a stage give its shared part p by Amdahl's
// law, t(n) = t(1) (1 - p + p / n), and an upper bound for 4, 8 and 16 cores. That bound ignores memory bandwidth.
//
//   node bench/threads.mjs [--scene boxes,mixed,spheres,pyramid|all] [--threads 2] [--steps 400] [--choice always] [--runs 1]
//     [--busy 0] [--save]
//
// All threads take part in every step. With the choice 'measured', the default of a world, read 'in all': the time of all steps with the
// cost of trials. `--busy` starts threads that only keep cores busy. The bits of both worlds are compared at the end. With several runs,
// each over all scenes, the table has the worst and the median: a gain in one run of three is none.
import { Worker } from 'node:worker_threads';
import { create } from './engines/talus.mjs';
import { readArgs } from './lib/args.mjs';
import { provenance, save, short, table } from './lib/report.mjs';
import { buildScene, SCENE_NAMES } from './lib/scenes.mjs';

const args = readArgs(
  {
    scene: { type: 'string', default: 'boxes,mixed,spheres,pyramid' },
    threads: { type: 'string', default: '2' },
    steps: { type: 'string', default: '400' },
    choice: { type: 'string', default: 'always' },
    runs: { type: 'string', default: '1' },
    busy: { type: 'string', default: '0' },
    save: { type: 'boolean', default: false },
  },
  { scene: 'wall', steps: '4' },
);
const [threads, steps] = [Number(args.threads), Number(args.steps)];
const STAGES = ['broadphase', 'contacts', 'solve', 'finish'];
const CORES = [4, 8, 16];
/** Steps until the other threads are there. */
const WARM = 20;
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Share of a stage that several threads do. */
const sharedOf = (one, several) => Math.min(Math.max((1 - several / one) / (1 - 1 / threads), 0), 1);

const sum = (values) => values.reduce((a, b) => a + b, 0);
const busy = Array.from({ length: Number(args.busy) }, () => new Worker('for (;;);', { eval: true }));

/** One run of a scene: its first and its second half. */
async function measure(name) {
  const make = (settings) => create(buildScene(name, { seed: 1 }), settings);
  const pair = [await make({}), await make({ threads, threadChoice: args.choice })];
  const { threads: had, threadsReason } = pair[1].world.settings;
  if (had !== threads) throw new Error(`${had} threads: ${threadsReason}`);
  const times = pair.map(() => Object.fromEntries([...STAGES, 'total'].map((stage) => [stage, []])));
  for (let i = 0; i < steps; i++) {
    for (const which of i % 2 ? [0, 1] : [1, 0]) {
      await pair[which].step();
      for (const stage of [...STAGES, 'total']) times[which][stage].push(pair[which].world.profile[stage]);
      // The threads of the world sleep before the other one has its turn.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  const equal = pair[0].world.hash() === pair[1].world.hash();
  const halves = [
    ['first', WARM, steps / 2],
    ['second', steps / 2, steps],
  ];
  const rows = halves.map(([half, from, to]) => {
    const ms = times.map((one) => Object.fromEntries(Object.entries(one).map(([k, v]) => [k, median(v.slice(from, to))])));
    const shared = STAGES.map((stage) => sharedOf(ms[0][stage], ms[1][stage]));
    const all = STAGES.reduce((sum, stage) => sum + ms[0][stage], 0);
    const cores = CORES.map((n) => {
      const left = STAGES.reduce((sum, stage, i) => sum + ms[0][stage] * (1 - shared[i] + shared[i] / n), 0);
      return all / left;
    });
    return {
      scene: name,
      half,
      equal,
      ms,
      faster: ms[0].total / ms[1].total,
      inAll: sum(times[0].total.slice(from, to)) / sum(times[1].total.slice(from, to)),
      shared: Object.fromEntries(STAGES.map((s, i) => [s, shared[i]])),
      cores,
    };
  });
  for (const { dispose } of pair) dispose();
  return rows;
}

const runs = [];
for (let run = 0; run < Number(args.runs); run++) {
  for (const name of args.scene === 'all' ? SCENE_NAMES : args.scene.split(',')) runs.push(...(await measure(name)));
}
/** Of each half of a scene the run in the middle, with the worst of all of them. */
const keys = [...new Set(runs.map(({ scene, half }) => `${scene} ${half}`))];
const results = keys
  .map((key) => runs.filter(({ scene, half }) => `${scene} ${half}` === key))
  .map((rows) => ({
    ...rows.toSorted((a, b) => a.faster - b.faster)[rows.length >> 1],
    equal: rows.every(({ equal }) => equal),
    worst: Math.min(...rows.map(({ faster }) => faster)),
    worstInAll: Math.min(...rows.map(({ inAll }) => inAll)),
  }));

const percent = (share) => `${Math.round(100 * share)} %`;
console.log(
  table(
    [
      'scene',
      'half',
      'same bits',
      'ms, 1',
      `ms, ${threads}`,
      'faster',
      'worst',
      'in all',
      'worst',
      ...STAGES.map((s) => `shared: ${s}`),
      ...CORES.map((n) => `${n} cores`),
    ],
    results.map(({ scene, half, equal, ms, faster, worst, inAll, worstInAll, shared, cores }) => [
      scene,
      half,
      equal ? 'yes' : 'NO',
      short(ms[0].total),
      short(ms[1].total),
      short(faster),
      short(worst),
      short(inAll),
      short(worstInAll),
      ...STAGES.map((stage) => percent(shared[stage])),
      ...cores.map((faster) => short(faster, 2)),
    ]),
  ),
);
if (args.save) console.log(save('threads', provenance('threads.mjs'), results));
for (const worker of busy) await worker.terminate();
process.exit(results.every(({ equal }) => equal) ? 0 : 1);
