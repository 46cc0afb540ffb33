// What the scenes of the page cost, in steps of its probe: writes demo/src/scene_costs.ts. Run it after changes that make
// some scenes faster than others; a whole solver that gets faster changes little, for the probe is solved by it too.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { visitorMatrix } from '../../bench/visitors/make';
import { VISITOR_SIZES } from '../../bench/visitors/report';
import { openTalus } from '../../profiling/engine';
import { buildProfileScene } from '../../profiling/matrix';
import { createWorld } from '../../src/study/index';
import { ENTRIES } from '../src/catalog';
import { measureProbe, probeWorld } from '../src/probe';
import { Simulation } from '../src/simulation';

/** Steps of a scene, and of the stretch whose mean is its cost: two seconds. */
const STEPS = 360;
const WINDOW = 120;

/** Mean ms of the most expensive stretch. */
function peak(times: readonly number[], window: number): number {
  let most = 0;
  for (let i = 0; i + window <= times.length; i += window / 2) {
    most = Math.max(most, times.slice(i, i + window).reduce((sum, ms) => sum + ms, 0) / window);
  }
  return most;
}

/** Processor time, ms: other programs do not lengthen it. */
const now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const probe = async () => measureProbe(await probeWorld(createWorld), now);
const timed = (step: () => unknown) => {
  const start = now();
  step();
  return now() - start;
};

/** Cost in steps of the probe, which is taken before and after. */
async function inProbes(name: string, measure: () => Promise<number>): Promise<number> {
  const before = await probe();
  const ms = await measure();
  const probeMs = Math.min(before, await probe());
  const cost = Number((ms / probeMs).toPrecision(2));
  console.log(`${name}: ${ms.toFixed(2)} ms, ${cost} steps of the probe (${probeMs.toFixed(3)} ms)`);
  return cost;
}

export async function main(): Promise<number> {
  const scenes: [string, number][] = [];
  for (const entry of ENTRIES) {
    if (entry.adaptive) continue;
    const cost = await inProbes(entry.name, async () => {
      const simulation = await Simulation.create(entry.build({ seed: 1 }), { preset: 'balanced', sleep: false });
      const times = Array.from({ length: STEPS }, () => timed(() => simulation.step()));
      simulation.dispose();
      return peak(times, WINDOW);
    });
    scenes.push([entry.name, cost]);
  }
  const sizes: [number, number][] = [];
  for (const size of VISITOR_SIZES) {
    const { scenes: names, contenders, settleSeconds, warmup, steps } = visitorMatrix(size);
    const costs: number[] = [];
    for (const name of names) {
      costs.push(
        await inProbes(`${name}, ${size}`, async () => {
          const engine = await openTalus(createWorld, buildProfileScene(name, size), contenders[0]!, 'balanced');
          const all = Array.from({ length: 60 * settleSeconds + warmup + steps }, () => timed(() => engine.step()));
          engine.dispose();
          return peak(all, all.length);
        }),
      );
    }
    sizes.push([size, Math.max(...costs)]);
  }
  const table = (rows: readonly (readonly [string | number, number])[]) =>
    rows.map(([name, cost]) => `  ${typeof name === 'string' && name.includes('-') ? `'${name}'` : name}: ${cost},`).join('\n');
  writeFileSync(
    resolve(import.meta.dirname, '../src/scene_costs.ts'),
    `// What steps cost, in steps of the probe (probe.ts) on the same machine. \`node demo/tools/run.mjs costs\` measures and writes it.

/** Scenes of the page with their standard number of bodies: mean of the most expensive two seconds of the first six. */
export const SCENE_COSTS: Readonly<Record<string, number>> = {
${table(scenes)}
};

/** Sizes of the page of measurements: mean over a run of the most expensive of its scenes. */
export const MEASURE_COSTS: Readonly<Record<number, number>> = {
${table(sizes)}
};
`,
  );
  return 0;
}
