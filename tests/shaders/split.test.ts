// The splitting kernels against their twin in WASM, on identical bytes: pass by pass, and islands in one dispatch.
// Equal on a software adapter, where every operation is rounded once; elsewhere within the tolerance of fused operations.
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type BufferName, bindings, bindKernel, buildKernel, createKernel, type Kernel } from '../../src/gpu/pipelines';
import { kernelSource, kernels, resolveShader, sharedShaders } from '../../src/gpu/shader';
import {
  HEADER_PTR,
  Header,
  SPLIT_BODY_CAP,
  SPLIT_MORE_STEPS,
  SPLIT_RELAX,
  SPLIT_SOFT,
  SPLIT_STEP_SLOT,
  SPLIT_SUBSTEP,
  SPLIT_WARM,
  SplitLink,
  SplitRow,
  SplitSlot,
  SplitSlotState,
  SplitState,
  SplitStep,
} from '../../src/layout.generated';
import { type CoreExports, loadCore } from '../helpers/core';
import { readBuffer, useDevice } from '../helpers/gpu';
import { type Problem, pile, plate, random, sphereHeap, stack, wall } from '../helpers/manifold_builder';
import { LAST_BITS, SPREADS } from '../helpers/nudge';

const gpu = useDevice();
let solve: Kernel;
let island: Kernel;

beforeAll(async () => {
  [solve, island] = await Promise.all([createKernel(gpu.device, 'solve'), createKernel(gpu.device, 'island')]);
});

interface Packed {
  core: CoreExports;
  field: (name: keyof typeof SplitState) => number;
  bytes: (name: keyof typeof SplitState, size: number) => Uint8Array;
  /** The numbers of a buffer, to be written. */
  numbers: (name: keyof typeof SplitState, size: number) => Float32Array;
}

/** A problem that has run for two steps on the twin (so that impulses are carried) and is packed for the third. */
function packed(problem: Problem, configure: (p: Problem) => void): Packed {
  const { core, memory } = loadCore();
  problem.write(core, memory);
  configure(problem);
  for (let i = 0; i < 2; i++) {
    core.solveCellSplit();
    problem.clearDeltas();
  }
  expect(core.packSplit()).toBe(1);
  const field = (name: keyof typeof SplitState) => {
    const view = new DataView(memory.buffer);
    return view.getUint32(view.getUint32(HEADER_PTR + Header.splitState, true) + SplitState[name], true);
  };
  const bytes = (name: keyof typeof SplitState, size: number) =>
    new Uint8Array(memory.buffer.slice(field(name), field(name) + size));
  const numbers = (name: keyof typeof SplitState, size: number) => new Float32Array(memory.buffer, field(name), size / 4);
  return { core, field, bytes, numbers };
}

const stateNames = ['slotStates', 'rows', 'impulses'] as const;

function sizes(field: Packed['field']): Partial<Record<BufferName, number>> {
  return {
    steps: (field('passCount') + SPLIT_MORE_STEPS) * SPLIT_STEP_SLOT,
    cells: field('cellBytes'),
    links: field('linkCount') * SplitLink.STRIDE,
    points: field('linkCount') * field('pointRows') * 16,
    impulses: field('linkCount') * field('impulseStride') * 16, // manifolds are the first ones
    slots: field('slotCount') * SplitSlot.STRIDE,
    slotStates: field('slotCount') * SplitSlotState.STRIDE,
    rows: field('rowCount') * 4 * SplitRow.STRIDE,
    joints: 0,
  };
}

/** Uploads everything, runs `encode`, reads the state buffers. */
async function onGpu(
  p: Packed,
  kernel: 'solve' | 'island',
  encode: (pass: GPUComputePassEncoder, group: GPUBindGroup) => void,
): Promise<Record<(typeof stateNames)[number], Float32Array>> {
  const { device } = gpu;
  const buffers = new Map<BufferName, GPUBuffer>();
  const size = sizes(p.field);
  for (const [name, bytes] of Object.entries(size) as [BufferName, number][]) {
    const usage =
      (name === 'steps' ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE) | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const buffer = device.createBuffer({ size: Math.max(bytes, 256), usage });
    const data = p.bytes(name as keyof typeof SplitState, bytes);
    if (name === 'steps') {
      // All cells, closed ones too: the kernel under test decides who solves what.
      const view = new DataView(data.buffer);
      for (let i = 0; i < bytes; i += SPLIT_STEP_SLOT) {
        view.setUint32(i + SplitStep.firstCell, 0, true);
        view.setUint32(i + SplitStep.count, p.field('cellCount'), true);
      }
    }
    device.queue.writeBuffer(buffer, 0, data);
    buffers.set(name, buffer);
  }
  const { pipeline, layout } = kernel === 'solve' ? solve : island;
  const group = bindKernel(device, kernel, layout, (name) => buffers.get(name)!);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  encode(pass, group);
  pass.end();
  device.queue.submit([encoder.finish()]);
  const out = {} as Record<(typeof stateNames)[number], Float32Array>;
  for (const name of stateNames) out[name] = new Float32Array(await readBuffer(device, buffers.get(name)!, size[name]!));
  for (const buffer of buffers.values()) buffer.destroy();
  return out;
}

function twinStates(p: Packed): Record<(typeof stateNames)[number], Float32Array> {
  const size = sizes(p.field);
  const out = {} as Record<(typeof stateNames)[number], Float32Array>;
  for (const name of stateNames) out[name] = new Float32Array(p.bytes(name, size[name]!).buffer);
  return out;
}

/** Largest difference, relative to the largest number. */
function apart(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length);
  let largest = 1;
  let worst = 0;
  for (let i = 0; i < a.length; i++) {
    largest = Math.max(largest, Math.abs(b[i]));
    const d = Math.abs(a[i] - b[i]);
    if (!(d <= worst)) worst = Number.isNaN(d) ? Number.POSITIVE_INFINITY : d;
  }
  return worst / largest;
}

/** Numbers equal on a software adapter (signs of zero aside); elsewhere relative to the largest. */
function compare(a: Float32Array, b: Float32Array, tolerance: number, what: string): void {
  expect(apart(a, b), what).toBeLessThanOrEqual(inject('adapter').software ? 0 : tolerance);
}

/** Takes out what is no number: whether the cell has an excess, which any last bit changes. */
function withoutMarks(states: Record<(typeof stateNames)[number], Float32Array>): typeof states {
  for (let i = 0; i < states.slotStates.length; i += SplitSlotState.STRIDE / 4)
    states.slotStates[i + SplitSlotState.marks / 4] = 0;
  return states;
}

/** How far the twin comes apart from itself when last bits of what it starts from differ. */
function spread(start: () => Packed, count: number): Record<(typeof stateNames)[number], number> {
  const run = (seed: number) => {
    const p = start();
    const next = random(seed);
    for (const name of seed > 0 ? (['slotStates', 'points'] as const) : []) {
      const numbers = p.numbers(name, sizes(p.field)[name]!);
      // The first row of the points of a link is packed.
      const isPacked = (i: number) => name === 'points' && Math.floor(i / 4) % p.field('pointRows') === 0;
      for (let i = 0; i < numbers.length; i++) if (!isPacked(i)) numbers[i] *= 1 + (next() - 0.5) * LAST_BITS;
    }
    p.core.solvePasses(0, count);
    return withoutMarks(twinStates(p));
  };
  const plain = run(0);
  const most = { slotStates: 0, rows: 0, impulses: 0 };
  for (let seed = 1; seed <= 8; seed++) {
    const other = run(seed);
    for (const name of stateNames) most[name] = Math.max(most[name], apart(other[name], plain[name]));
  }
  return most;
}

const cases: [string, () => Problem, (p: Problem) => void][] = [
  ['pile', () => pile(150, 3), (p) => p.setHeader('granularity', 48)],
  [
    'pile, friction per point',
    () => pile(90, 4),
    (p) => {
      p.setHeader('granularity', 40);
      p.setHeader('frictionModel', 1);
    },
  ],
  ['wall', () => wall(8, 12), (p) => p.setHeader('granularity', 64)],
  [
    'wall in cells of more links than workgroup memory keeps',
    () => wall(14, 17),
    (p) => {
      p.setHeader('granularity', 400);
      p.setHeader('substeps', 3);
    },
  ],
  ['plate on 30 pillars', () => plate(30), (p) => p.setHeader('granularity', 20)],
  [
    'spheres that bounce',
    () => {
      const p = sphereHeap(80, 6);
      for (const m of p.manifolds) m.restitution = 0.5;
      for (const b of p.bodies) if (b.mass > 0) b.velocity = [0.3, -3, 0.1];
      return p;
    },
    (p) => {
      p.setHeader('granularity', 24);
      p.setHeader('substeps', 4);
      p.setHeaderFloat('warmStart', 0.9);
    },
  ],
  ...([0, 1] as const).map((frictionModel): (typeof cases)[number] => [
    `spheres that roll, friction model ${frictionModel}`,
    () => {
      const p = sphereHeap(80, 6);
      for (const m of p.manifolds.slice(3)) m.rollArm = 0.02;
      for (const b of p.bodies) if (b.mass > 0) b.velocity = [0.6, -1, 0.1];
      return p;
    },
    (p) => {
      p.setHeader('granularity', 24);
      p.setHeader('substeps', 4);
      p.setHeader('frictionModel', frictionModel);
    },
  ]),
];

const forms = cases.flatMap(([name, make, configure]) =>
  [0, 1].map((oneMean): (typeof cases)[number] => [
    oneMean ? `${name}, one mean a substep` : name,
    make,
    (p) => {
      configure(p);
      p.setHeader('oneMean', oneMean);
    },
  ]),
);

describe.each(forms)('%s', (_, make, configure) => {
  it.each([1, 2, 3, 'all'] as const)('%s passes equal the twin', async (passes) => {
    const p = packed(make(), configure);
    const count = passes === 'all' ? p.field('passCount') : passes;
    const states = await onGpu(p, 'solve', (pass, group) => {
      for (let i = 0; i < count; i++) {
        pass.setBindGroup(0, group, [i * SPLIT_STEP_SLOT]);
        pass.dispatchWorkgroups(p.field('cellCount'));
      }
    });
    p.core.solvePasses(0, count);
    const twin = twinStates(p);
    const row = 4 * p.field('impulseStride');
    const { software } = inject('adapter');
    if (!software) for (const one of [states, twin]) withoutMarks(one);
    // Separations reach storage at the end of a step where workgroup memory has them from pass to pass.
    const isSeparation = (i: number) => i % row >= 8 && i % row < 12;
    if (passes !== 'all') {
      for (const one of [states, twin]) one.impulses = one.impulses.map((value, i) => (isSeparation(i) ? 0 : value));
    }
    const own = software ? null : spread(() => packed(make(), configure), count);
    for (const name of stateNames) {
      compare(states[name], twin[name], (passes === 'all' ? 5e-5 : 5e-6) + SPREADS * (own?.[name] ?? 0), name);
    }
    // After warm, soft and relax some impulse has jumped: the passes that follow take it back.
    const isExcess = (i: number) => i % row >= 12 && i % row < 16;
    if (passes === 3) expect(twin.impulses.some((value, i) => isExcess(i) && value > 0)).toBe(true);
  });
});

it('cells of large granularity have links that workgroup memory does not keep', () => {
  const p = packed(wall(14, 17), (q) => q.setHeader('granularity', 400));
  const kept = Number(/const KEPT = (\d+)u/.exec(sharedShaders.split!)![1]);
  const cells = new Uint32Array(p.bytes('cells', p.field('cellCount') * 32).buffer);
  expect(Math.max(...cells.filter((_, i) => i % 8 === 1))).toBeGreaterThan(kept + 20);
});

it('islands in one dispatch equal the passes', async () => {
  // Eight stacks apart from each other, and a pair that touches only itself: every cell is closed.
  const make = () => {
    const problem = stack(6);
    for (let i = 1; i < 8; i++) {
      for (let k = 0; k < 6; k++) {
        problem.addBody({ position: [i * 3, 0.5 + k, 0], half: [0.5, 0.5, 0.5], mass: 800 + 10 * i, velocity: [0.1, 0, 0] });
      }
    }
    problem.manifolds.length = 0;
    problem.touchBoxes();
    return problem;
  };
  const p = packed(make(), (q) => q.setHeader('granularity', 14));
  expect(p.field('closedCellCount')).toBe(p.field('cellCount'));
  expect(p.field('cellCount')).toBeGreaterThan(2);
  const states = await onGpu(p, 'island', (pass, group) => {
    pass.setBindGroup(0, group, [(p.field('passCount') + 3) * SPLIT_STEP_SLOT]);
    pass.dispatchWorkgroups(p.field('cellCount'));
  });
  p.core.solvePasses(0, p.field('passCount'));
  const twin = twinStates(p);
  for (const name of stateNames) compare(states[name], twin[name], 5e-5, name);
});

it('the same step twice gives the same bits', async () => {
  const run = async () => {
    const p = packed(pile(100, 8), (q) => q.setHeader('granularity', 32));
    return onGpu(p, 'solve', (pass, group) => {
      for (let i = 0; i < p.field('passCount'); i++) {
        pass.setBindGroup(0, group, [i * SPLIT_STEP_SLOT]);
        pass.dispatchWorkgroups(p.field('cellCount'));
      }
    });
  };
  const [first, second] = [await run(), await run()];
  for (const name of stateNames) expect(first[name]).toEqual(second[name]);
});

describe('shader text', () => {
  it('constants are those of the layout', () => {
    const value = (name: string) =>
      Number(new RegExp(`const ${name} = (\\d+)u`).exec(sharedShaders.layout + sharedShaders.split)![1]);
    const modes = [SPLIT_WARM, SPLIT_SOFT, SPLIT_RELAX, SPLIT_SUBSTEP];
    expect(['SPLIT_WARM', 'SPLIT_SOFT', 'SPLIT_RELAX', 'SPLIT_SUBSTEP'].map(value)).toEqual(modes);
    expect(value('SPLIT_BODY_CAP')).toBe(SPLIT_BODY_CAP);
    const size = SPLIT_BODY_CAP + 1;
    const kept = value('KEPT');
    expect(['V', 'W', 'D', 'P', 'INERTIA'].map(value)).toEqual([0, 1, 2, 3, 4].map((i) => i * size));
    expect(['KEPT_Z', 'KEPT_F'].map(value)).toEqual([0, 1].map((i) => 5 * size + i * kept));
    expect(sharedShaders.split).toContain(`array<vec4f, ${5 * size + 2 * kept}>`);
  });

  it('imports are placed once, and unknown ones refused', () => {
    for (const name of Object.keys(kernels) as (keyof typeof kernels)[]) {
      const text = kernelSource(name);
      expect(text).not.toContain('#import');
      expect(text.split('struct SplitStep').length).toBe(2);
    }
    expect(() => resolveShader('#import nowhere')).toThrow('nowhere');
  });

  it('compiles once a device, and again what did not compile', async () => {
    expect(await createKernel(gpu.device, 'solve')).toBe(solve);
    const wrong = () => buildKernel(gpu.device, 'wrong', 'fn main(', ['storage'], 256, {});
    const first = wrong();
    expect(wrong()).toBe(first);
    await expect(first).rejects.toThrow();
    const second = wrong();
    expect(second).not.toBe(first);
    await expect(second).rejects.toThrow();
    expect(gpu.errors.splice(0).length).toBeGreaterThan(0);
  });

  it('keeps the default limits', () => {
    // All eight storage buffers at most, which every adapter has.
    for (const [name, list] of Object.entries(bindings)) {
      expect(list.filter(([, type]) => type !== 'uniform').length, name).toBeLessThanOrEqual(8);
    }
    expect(gpu.device.limits.maxStorageBuffersPerShaderStage).toBe(8);
    expect(gpu.device.limits.maxComputeWorkgroupStorageSize).toBe(16384);
    expect(gpu.device.limits.maxComputeInvocationsPerWorkgroup).toBe(256);
  });
});
