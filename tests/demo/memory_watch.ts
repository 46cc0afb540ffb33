// What the page holds on to, counted after garbage collection: JavaScript heap, linear memories, DOM nodes and listeners, and
// everything made on the GPU by WebGPU and WebGL 2 that was neither destroyed nor collected. And the hands that switch scenes,
// backends, solvers and views round after round, each round ending in the same small scene, so that samples can be compared.
import { readdirSync, readFileSync } from 'node:fs';
import type { CDPSession, Page } from 'playwright-core';
import { type DemoBrowser, report } from './browser';

export interface MemorySample {
  /** Seconds since the start. */
  seconds: number;
  round: number;
  /** JavaScript heap in use, bytes: objects, and code that the browser has compiled, more of it the longer it runs. */
  heap: number;
  /** Objects, arrays, functions and strings in it, bytes: what the page itself holds on to. */
  objects: number;
  /** Linear memories alive, and their bytes. */
  wasmMemories: number;
  wasmBytes: number;
  nodes: number;
  /** Canvas elements, of pictures and plots. */
  canvases: number;
  listeners: number;
  /** WebGPU, in the base scene on WebGPU after scenes were switched there: devices, buffers, bytes of buffers, textures. */
  gpuDevices: number;
  gpuBuffers: number;
  gpuBytes: number;
  gpuTextures: number;
  /** Buffers of WebGPU that are left when the scene is back on WASM. */
  gpuBuffersLeft: number;
  /** Textures of WebGPU that are left when the picture is back on WebGL. */
  gpuTexturesLeft: number;
  /** WebGL 2: buffers, textures, programs, framebuffers, vertex arrays. */
  glBuffers: number;
  glTextures: number;
  glPrograms: number;
  glFramebuffers: number;
  glVertexArrays: number;
  /** Resident memory of all renderer processes and of the GPU process, bytes; null where the system does not tell. */
  rendererRss: number | null;
  gpuProcessRss: number | null;
}

/** Runs in the page before all else. */
export const WATCH = `(() => {
  const kinds = {};
  const keep = (kind, object, size) => {
    (kinds[kind] ??= new Map()).set(object.watchKey ??= Symbol(), { ref: new WeakRef(object), size });
    return object;
  };
  const drop = (kind, object) => object && kinds[kind]?.delete(object.watchKey);
  window.memoryWatch = () => {
    const result = {};
    for (const [kind, all] of Object.entries(kinds)) {
      let count = 0;
      let bytes = 0;
      for (const [key, { ref, size }] of all) {
        const object = ref.deref();
        if (!object) { all.delete(key); continue; }
        count++;
        bytes += typeof size === 'function' ? size(object) : size ?? 0;
      }
      result[kind] = { count, bytes };
    }
    return result;
  };

  WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
    construct: (target, args, self) => keep('wasm', Reflect.construct(target, args, self), (memory) => memory.buffer.byteLength),
  });

  const element = Document.prototype.createElement;
  Document.prototype.createElement = function (name, ...rest) {
    const made = element.call(this, name, ...rest);
    return name === 'canvas' ? keep('canvas', made) : made;
  };
  const elementOf = Document.prototype.createElementNS;
  Document.prototype.createElementNS = function (space, name, ...rest) {
    const made = elementOf.call(this, space, name, ...rest);
    return name === 'canvas' ? keep('canvas', made) : made;
  };

  if (window.GPUDevice) {
    // Of each device what it has made and was not destroyed.
    const owned = new WeakMap();
    const owners = new WeakMap();
    const request = GPUAdapter.prototype.requestDevice;
    GPUAdapter.prototype.requestDevice = async function (...args) {
      const device = keep('device', await request.apply(this, args));
      const all = new Map();
      owned.set(device, all);
      const gone = () => {
        drop('device', device);
        for (const [key, kind] of all) kinds[kind].delete(key);
        all.clear();
      };
      device.lost.then(gone);
      const end = device.destroy;
      device.destroy = function () { gone(); return end.call(this); };
      return device;
    };
    for (const [kind, make, type] of [['gpuBuffer', 'createBuffer', GPUBuffer], ['gpuTexture', 'createTexture', GPUTexture]]) {
      const create = GPUDevice.prototype[make];
      GPUDevice.prototype[make] = function (descriptor) {
        const object = keep(kind, create.call(this, descriptor), descriptor.size);
        const all = owned.get(this);
        all?.set(object.watchKey, kind);
        if (all) owners.set(object, all);
        return object;
      };
      const destroy = type.prototype.destroy;
      type.prototype.destroy = function () {
        drop(kind, this);
        owners.get(this)?.delete(this.watchKey);
        return destroy.call(this);
      };
    }
  }

  for (const kind of ['Buffer', 'Texture', 'Program', 'Framebuffer', 'VertexArray']) {
    const { prototype } = WebGL2RenderingContext;
    const create = prototype['create' + kind];
    const remove = prototype['delete' + kind];
    prototype['create' + kind] = function (...args) { return keep('gl' + kind, create.apply(this, args)); };
    prototype['delete' + kind] = function (object) { drop('gl' + kind, object); return remove.call(this, object); };
    const lose = prototype.getExtension;
    if (kind === 'Buffer') prototype.getExtension = function (name) {
      const extension = lose.call(this, name);
      // A context that is given up takes all of its objects with it.
      if (name === 'WEBGL_lose_context' && extension && !extension.watched) {
        extension.watched = true;
        const end = extension.loseContext;
        extension.loseContext = function () { window.contextsLost = (window.contextsLost ?? 0) + 1; return end.call(this); };
      }
      return extension;
    };
  }
})();`;

/** Resident bytes of the descendants of this process whose command line has a word in it; null where there is no /proc. */
function residentBytes(word: string): number | null {
  try {
    const parents = new Map<number, number>();
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      try {
        parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))![1]));
      } catch {
        // It has ended meanwhile.
      }
    }
    let bytes = 0;
    for (const pid of parents.keys()) {
      let ancestor: number | undefined = pid;
      while (ancestor !== undefined && ancestor !== process.pid) ancestor = parents.get(ancestor);
      if (ancestor === undefined) continue;
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word)) continue;
        bytes += 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
      } catch {
        // As above.
      }
    }
    return bytes > 0 ? bytes : null;
  } catch {
    return null;
  }
}

/** What is used of a heap snapshot of V8: numbers of each node one after the other, as `node_fields` names them. */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: string[][] } };
  nodes: number[];
}

/** Types of nodes that are not the browser's own (compiled code, DOM, shapes of objects). */
const OWN_TYPES = new Set([
  'object',
  'closure',
  'array',
  'string',
  'concatenated string',
  'sliced string',
  'number',
  'bigint',
  'regexp',
  'symbol',
]);

/** Bodies of scenes that take a number: the software renderer shares its cores with the tests. */
const FEW = 200;
const BASE = 'slabs';

export class MemoryWatch {
  readonly samples: MemorySample[] = [];
  private readonly begun = Date.now();
  private round = 0;
  private scenes: string[] = [];
  private solvers: string[] = [];

  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  /** Opens the page with all counters in place. */
  static async open(demo: DemoBrowser): Promise<MemoryWatch> {
    const page = await demo.open(`?scene=${BASE}&quality=low`, { init: WATCH, width: 800, height: 540 });
    const session = await demo.context.newCDPSession(page);
    await session.send('Performance.enable');
    await session.send('HeapProfiler.enable');
    const watch = new MemoryWatch(page, session);
    // Plots are made when they are first seen.
    await page.evaluate('window.talusDemo.pause(false)');
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.waitForSelector('#plots canvas');
    await page.getByRole('button', { name: 'Plots' }).click();
    await page.getByRole('button', { name: 'Settings' }).click();
    const values = (selector: string) =>
      page.locator(selector).evaluateAll((options) => options.map((o) => (o as HTMLOptionElement).value));
    watch.scenes = await values('#scene option');
    watch.solvers = await page.getByLabel('Solver', { exact: true }).locator('option').allTextContents();
    return watch;
  }

  get seconds(): number {
    return (Date.now() - this.begun) / 1000;
  }

  private settled(): Promise<unknown> {
    return this.page.evaluate('window.talusDemo.settled()');
  }

  private async scene(name: string): Promise<void> {
    await this.page.evaluate(`(() => {
      const done = window.talusDemo.choose('${name}');
      if (window.talusDemo.entry.count) window.talusDemo.state.count = ${FEW};
      return done;
    })()`);
    await this.runs(3);
  }

  /** Until the world has gone on by a few steps. */
  private async runs(steps: number): Promise<void> {
    const before = await report(this.page);
    await this.page.waitForFunction(`window.talusDemo.report.steps >= ${before.steps + steps}`, null, { timeout: 60_000 });
  }

  private async backend(name: 'auto' | 'wasm' | 'webgpu'): Promise<void> {
    // A software adapter takes its time for each substep.
    await this.page.evaluate('window.talusDemo.state.substeps = 4');
    await this.page.getByLabel('Backend').selectOption(name);
    await this.settled();
    if (name === 'webgpu') {
      await this.page.waitForFunction("window.talusDemo.report.backend === 'webgpu'", null, { timeout: 60_000 });
    }
    await this.runs(3);
  }

  /** Two scenes, all backends, a solver, two views, thrown bodies, plots, the profiling panel; then the same small scene. */
  async next(): Promise<MemorySample> {
    const { page, scenes, solvers, round } = this;
    for (let k = 0; k < 2; k++) await this.scene(scenes[(2 * round + k) % scenes.length]!);
    const solver = solvers[round % solvers.length]!;
    await page.getByLabel('Solver', { exact: true }).selectOption(solver);
    await this.settled();
    await this.runs(3);
    await page.getByRole('button', { name: 'Box', exact: true }).click();
    for (let i = 0; i < 3; i++) await page.mouse.click(340 + 40 * i, 400);
    await page.getByRole('button', { name: 'Compare' }).first().click();
    await this.settled();
    await this.runs(3);
    await page.getByRole('button', { name: 'Compare' }).first().click();
    await this.settled();
    await page.getByLabel('Solver', { exact: true }).selectOption('auto');
    await this.settled();
    await this.scene(BASE);
    if (round % 3 === 2) await this.backend('auto');
    // Scenes that are left while the GPU solves them.
    await this.backend('webgpu');
    await this.scene('cardhouse');
    await this.scene(BASE);
    const onGpu = await this.counts();
    await this.backend('wasm');
    // The picture stays on WebGPU unless it is sent back.
    for (const renderer of ['webgl', 'auto']) {
      await page.getByLabel('Renderer').selectOption(renderer);
      await this.settled();
    }
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: 'Plots' }).click();
    await page.keyboard.press('m');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await this.scene(BASE);
    this.round++;
    const sample = await this.sample(onGpu);
    this.samples.push(sample);
    return sample;
  }

  /** Draws with WebGPU and with WebGL in turns and nothing else, that many times. */
  async changeRenderer(times: number): Promise<MemorySample> {
    const { page } = this;
    let onGpu = await this.counts();
    for (let i = 0; i < times; i++) {
      for (const renderer of ['webgpu', 'webgl']) {
        await page.getByLabel('Renderer').selectOption(renderer);
        await this.settled();
        await page.waitForFunction(`window.talusDemo.report.renderer === '${renderer}'`);
        await this.runs(2);
        if (renderer === 'webgpu' && i === times - 1) onGpu = await this.counts();
      }
    }
    return this.sample(onGpu);
  }

  /** Bytes of what the page has made in the heap, by a snapshot, which begins with a collection. */
  private async objects(): Promise<number> {
    const chunks: string[] = [];
    const take = ({ chunk }: { chunk: string }) => chunks.push(chunk);
    this.session.on('HeapProfiler.addHeapSnapshotChunk', take);
    await this.session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    this.session.off('HeapProfiler.addHeapSnapshotChunk', take);
    const { snapshot, nodes } = JSON.parse(chunks.join('')) as Snapshot;
    const { node_fields: fields, node_types: types } = snapshot.meta;
    const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
    let bytes = 0;
    for (let i = 0; i < nodes.length; i += fields.length) {
      if (OWN_TYPES.has(types[0]![nodes[i + type]!]!)) bytes += nodes[i + size]!;
    }
    return bytes;
  }

  /** What is alive of each kind, after collection. */
  private async counts(): Promise<(kind: string) => { count: number; bytes: number }> {
    // The second collection takes what the first has only unlinked.
    for (let i = 0; i < 2; i++) {
      await this.session.send('HeapProfiler.collectGarbage');
      await this.page.waitForTimeout(100);
    }
    const kinds = (await this.page.evaluate('window.memoryWatch()')) as Record<string, { count: number; bytes: number }>;
    return (kind) => kinds[kind] ?? { count: 0, bytes: 0 };
  }

  private async sample(onGpu: Awaited<ReturnType<MemoryWatch['counts']>>): Promise<MemorySample> {
    const of = await this.counts();
    const objects = await this.objects();
    const { metrics } = await this.session.send('Performance.getMetrics');
    const metric = (name: string) => metrics.find((m) => m.name === name)?.value ?? 0;
    return {
      seconds: Math.round(this.seconds),
      round: this.round,
      heap: metric('JSHeapUsedSize'),
      objects,
      wasmMemories: of('wasm').count,
      wasmBytes: of('wasm').bytes,
      nodes: metric('Nodes'),
      canvases: of('canvas').count,
      listeners: metric('JSEventListeners'),
      gpuDevices: onGpu('device').count,
      gpuBuffers: onGpu('gpuBuffer').count,
      gpuBytes: onGpu('gpuBuffer').bytes,
      gpuTextures: onGpu('gpuTexture').count,
      gpuBuffersLeft: of('gpuBuffer').count,
      gpuTexturesLeft: of('gpuTexture').count,
      glBuffers: of('glBuffer').count,
      glTextures: of('glTexture').count,
      glPrograms: of('glProgram').count,
      glFramebuffers: of('glFramebuffer').count,
      glVertexArrays: of('glVertexArray').count,
      rendererRss: residentBytes('--type=renderer'),
      gpuProcessRss: residentBytes('--type=gpu-process'),
    };
  }
}

const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;

/** What grew by more than it may (`heap` bytes, code included; `objects` bytes), in words: means of the last third of the samples against the first third. */
export function growth(samples: readonly MemorySample[], heap = 1e6, objects = 2e5): string[] {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const [first, last] = [samples.slice(0, third), samples.slice(-third)];
  const allowed: Partial<Record<keyof MemorySample, number>> = {
    heap,
    objects,
    wasmMemories: 0.5,
    wasmBytes: 2 ** 20,
    nodes: 60,
    canvases: 2,
    listeners: 12,
    gpuDevices: 0.5,
    gpuBuffers: 3,
    gpuBytes: 2 ** 20,
    gpuTextures: 2,
    gpuBuffersLeft: 1,
    gpuTexturesLeft: 1,
    glBuffers: 3,
    glTextures: 2,
    glPrograms: 2,
    glFramebuffers: 2,
    glVertexArrays: 3,
  };
  return Object.entries(allowed).flatMap(([name, most]) => {
    const key = name as keyof MemorySample;
    const [before, after] = [first, last].map((list) => mean(list.map((sample) => sample[key] as number)));
    return after! - before! > most ? [`${name}: ${before!.toFixed(1)} -> ${after!.toFixed(1)}`] : [];
  });
}
