// The long run of the memory watch: switches scenes and backends for as long as is asked, prints a line a round, and says in
// the end what grew. With --save the samples go to bench/results/<date>_<machine>/demo-memory.json and .csv.
import { parseArgs } from 'node:util';
import { provenance, save } from '../../bench/lib/report.mjs';
import { DemoBrowser } from '../../tests/demo/browser';
import { growth, MemoryWatch } from '../../tests/demo/memory_watch';

/** Rounds that fill caches (pipelines, shaders, panels) and do not count. */
const WARM = 3;

export async function main(argv: string[]): Promise<number> {
  const { values } = parseArgs({
    args: argv,
    options: { seconds: { type: 'string', default: '600' }, save: { type: 'boolean', default: false } },
  });
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error(`--seconds: '${values.seconds}' is no time`);
  const demo = await DemoBrowser.start();
  try {
    const watch = await MemoryWatch.open(demo);
    while (watch.seconds < seconds || watch.samples.length <= WARM + 2) {
      const s = await watch.next();
      const mb = (bytes: number | null) => (bytes === null ? '?' : (bytes / 1e6).toFixed(1));
      console.log(
        `${s.seconds} s, round ${s.round}: heap ${mb(s.heap)} MB (${(s.objects / 1e6).toFixed(2)} objects), wasm ${s.wasmMemories} x ${mb(s.wasmBytes)} MB, ${s.nodes} nodes, ` +
          `${s.listeners} listeners, gpu ${s.gpuDevices} devices ${s.gpuBuffers} buffers ${mb(s.gpuBytes)} MB ${s.gpuTextures} textures, ${s.gpuBuffersLeft} + ${s.gpuTexturesLeft} left, gl ` +
          `${s.glBuffers}/${s.glTextures}/${s.glPrograms}/${s.glFramebuffers}/${s.glVertexArrays}, rss ${mb(s.rendererRss)} + ${mb(s.gpuProcessRss)} MB`,
      );
    }
    const grown = growth(watch.samples.slice(WARM));
    const errors = demo.errors.splice(0);
    console.log(grown.length === 0 ? 'flat' : `grown: ${grown.join('; ')}`);
    for (const error of errors) console.log(`console: ${error}`);
    if (values.save) {
      const about = { chromium: demo.context.browser()?.version() ?? 'unknown', warm: WARM, grown };
      const file = save('demo-memory', { ...provenance('npm run demo:memory --'), ...about }, watch.samples);
      console.log(`written to ${file}`);
    }
    return grown.length + errors.length === 0 ? 0 : 1;
  } finally {
    await demo.close();
  }
}
