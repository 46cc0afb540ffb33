// Bytes that a sweep of the splitting kernels moves, counted by the kernels themselves (helpers/traffic.ts). The table that is
// printed is that of docs/gpu.md, "Bytes of a sweep":
//   npx vitest run tests/shaders/traffic.test.ts
import { expect, it } from 'vitest';
import { bindBuffers, bindings, buildKernel, lanes } from '../../src/gpu/pipelines';
import {
  HEADER_PTR,
  Header,
  SPLIT_MORE_STEPS,
  SPLIT_STEP_SLOT,
  SplitLink,
  SplitRow,
  SplitSlot,
  SplitSlotState,
  SplitState,
  SplitStep,
} from '../../src/layout.generated';
import { loadCore } from '../helpers/core';
import { readBuffer, useDevice } from '../helpers/gpu';
import { everyNth } from '../helpers/long';
import { type Problem, pile, sphereHeap, stack, wall } from '../helpers/manifold_builder';
import { type Counted, counted, countingSource } from '../helpers/traffic';

const gpu = useDevice();

interface Traffic {
  /** Bytes a link and sweep over all passes of a step, with the warm start as a sweep. */
  bytes: Record<Counted, { loads: number; stores: number }>;
  points: number;
  perSweep: number;
}

/** Runs the passes of a step at rest on the GPU, and counts. */
async function measure(problem: Problem, kernel: 'solve' | 'island', oneMean: number): Promise<Traffic> {
  const { core, memory } = loadCore();
  problem.write(core, memory);
  problem.setHeader('oneMean', oneMean);
  for (let i = 0; i < 60; i++) {
    core.solveCellSplit();
    problem.clearDeltas();
  }
  expect(core.packSplit()).toBe(1);
  const view = new DataView(memory.buffer);
  const field = (name: keyof typeof SplitState) =>
    view.getUint32(view.getUint32(HEADER_PTR + Header.splitState, true) + SplitState[name], true);
  const { device } = gpu;
  const sizes: Record<string, number> = {
    steps: (field('passCount') + SPLIT_MORE_STEPS) * SPLIT_STEP_SLOT,
    cells: field('cellBytes'),
    links: field('linkCount') * SplitLink.STRIDE,
    points: field('linkCount') * field('pointRows') * 16,
    impulses: field('linkCount') * field('impulseStride') * 16,
    slots: field('slotCount') * SplitSlot.STRIDE,
    slotStates: field('slotCount') * SplitSlotState.STRIDE,
    rows: field('rowCount') * 4 * SplitRow.STRIDE,
  };
  const buffers = bindings.island.map(([name, type]): [GPUBuffer, typeof type] => {
    const usage = type === 'uniform' ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE;
    const buffer = device.createBuffer({ size: Math.max(sizes[name]!, 256), usage: usage | GPUBufferUsage.COPY_DST });
    const data = new Uint8Array(
      memory.buffer.slice(field(name as keyof typeof SplitState), field(name as 'rows') + sizes[name]!),
    );
    if (name === 'steps') {
      const steps = new DataView(data.buffer);
      for (let at = 0; at < data.length; at += SPLIT_STEP_SLOT) {
        steps.setUint32(at + SplitStep.firstCell, 0, true);
        steps.setUint32(at + SplitStep.count, field('cellCount'), true);
      }
    }
    device.queue.writeBuffer(buffer, 0, data);
    return [buffer, type];
  });
  const traffic = device.createBuffer({
    size: 256,
    usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
  });
  const access = [...bindings.island.map(([, type]) => type), 'storage' as const];
  const constants = { LANES: lanes[kernel], GROUPS: 65535 };
  const built = await buildKernel(device, kernel, countingSource(kernel), access, SplitStep.STRIDE, constants);
  const group = bindBuffers(device, kernel, built.layout, [...buffers, [traffic, 'storage']], SplitStep.STRIDE);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(built.pipeline);
  const passes = kernel === 'solve' ? field('passCount') : 1;
  for (let i = 0; i < passes; i++) {
    pass.setBindGroup(0, group, [(kernel === 'solve' ? i : field('passCount') + 3) * SPLIT_STEP_SLOT]);
    pass.dispatchWorkgroups(field('cellCount'));
  }
  pass.end();
  device.queue.submit([encoder.finish()]);
  const sums = new Uint32Array(await readBuffer(device, traffic, 256));
  for (const [buffer] of buffers) buffer.destroy();
  traffic.destroy();
  const links = field('linkCount');
  const sweeps = sums[2 * counted.length]! + links;
  const of = (i: number) => sums[i]! / sweeps;
  const bytes = Object.fromEntries(
    counted.map((name, i) => [name, { loads: of(2 * i), stores: of(2 * i + 1) }]),
  ) as Traffic['bytes'];
  const all = ({ loads, stores }: { loads: number; stores: number }) => loads + stores;
  return {
    bytes,
    points: problem.manifolds.reduce((sum, m) => sum + m.points.length, 0) / links,
    perSweep: all(bytes.links) + all(bytes.points) + all(bytes.impulses),
  };
}

const cases: [string, () => Problem, 'solve' | 'island', number, number][] = [
  ['wall, one mean a substep', () => wall(8, 12), 'solve', 1, 152],
  ['pile, one mean a substep', () => pile(150, 3), 'solve', 1, 152],
  ['pile, two means a substep', () => pile(150, 3), 'solve', 0, 184],
  ['heap of spheres, one mean a substep', () => sphereHeap(80, 6), 'solve', 1, 152],
  ['stack, one dispatch', () => stack(6), 'island', 1, 152],
];

it.each(everyNth(cases, 3))('%s', async (name, make, kernel, oneMean, most) => {
  const traffic = await measure(make(), kernel, oneMean);
  const row = (buffer: Counted) => {
    const { loads, stores } = traffic.bytes[buffer];
    return `${buffer} ${loads.toFixed(0)} + ${stores.toFixed(0)}`;
  };
  console.log(
    `${name} (${kernel}): ${traffic.perSweep.toFixed(0)} B a link and sweep, ${traffic.points.toFixed(1)} points a link; ` +
      `loads + stores: ${counted.map(row).join(', ')}`,
  );
  expect(traffic.perSweep).toBeLessThanOrEqual(most);
  expect(traffic.perSweep).toBeGreaterThan(100);
});
