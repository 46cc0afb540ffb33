// Counts what a step asks of a GPU, on any machine: the step goes to an empty device (rest_device.mjs) that keeps what was uploaded and
// dispatched. Cells, colors, lanes and sub-bodies are read from the uploads, so they are those that the kernels would see.
import { CELL, CELL_WORDS, colorsOf, isJointed, jointsOf, LANES, roundsOf } from './lanes.mjs';
import { restDevice } from './rest_device.mjs';

/** Words of a SplitSlot: sub-bodies of its body. */
const SLOT_WORDS = 4;
const SLOT_SHARES = 1;

/** An empty device and what it was given. */
function countingDevice() {
  const device = restDevice(0);
  /** @type {Map<string, Uint8Array>} */
  const uploads = new Map();
  /** @type {{ kernel: string, step: number, groups: number }[]} */
  let dispatches = [];
  const { queue } = device;
  const write = queue.writeBuffer;
  queue.writeBuffer = (buffer, at, data, offset = 0, bytes = data.byteLength) => {
    const label = (buffer.label ?? '').replace('talus ', '');
    const isView = ArrayBuffer.isView(data);
    if (label && at === 0) {
      const source = new Uint8Array(isView ? data.buffer : data, (isView ? data.byteOffset : 0) + offset, bytes);
      uploads.set(label, source.slice());
    }
    write(buffer, at, data, offset, bytes);
  };
  device.createComputePipelineAsync = async ({ label }) => ({ label });
  const begin = device.createCommandEncoder;
  device.createCommandEncoder = () => {
    const encoder = { ...begin() };
    encoder.beginComputePass = () => {
      dispatches = [];
      let kernel = '';
      let step = 0;
      return {
        setPipeline: ({ label }) => {
          kernel = label.replace('talus ', '');
        },
        setBindGroup: (_group, _bindings, offsets) => {
          step = offsets[0];
        },
        dispatchWorkgroups: (x, y = 1) => dispatches.push({ kernel, step, groups: x * y }),
        end: () => {},
      };
    };
    return encoder;
  };
  return { device, uploads, dispatches: () => dispatches };
}

/**
 * Cells of one kernel: how many, their links and sub-bodies, the rounds that a sweep takes (most of a cell, and the mean), and the share of
 * lanes that work. A color takes one round for every 32 of its links.
 */
function cellsOf(words, from, to) {
  const sum = { cells: to - from, links: 0, slots: 0, colors: 0, rounds: 0, meanRounds: 0, lanes: 0 };
  let all = 0;
  for (let cell = from; cell < to; cell++) {
    const at = (/** @type {keyof typeof CELL} */ field) => words[CELL_WORDS * cell + CELL[field]];
    sum.links += at('links');
    sum.slots += at('slots');
    sum.colors = Math.max(sum.colors, at('colorCount'));
    const rounds = colorsOf(words, cell).reduce((all, links) => all + roundsOf(links), 0);
    sum.rounds = Math.max(sum.rounds, rounds);
    all += rounds;
  }
  if (all > 0) {
    sum.meanRounds = all / sum.cells;
    sum.lanes = sum.links / (all * LANES);
  }
  return sum;
}

/** Rows of impulses behind those of the points that a sweep touches: the link's own, friction of the points, rolling resistance. */
function linkRows({ SPLIT_POINT_FRICTION, SPLIT_ROLLING }, flags) {
  return (flags & SPLIT_POINT_FRICTION ? 3 : 1) + (flags & SPLIT_ROLLING ? 1 : 0);
}

const MODES = ['warm', 'soft', 'relax', 'substep'];

/**
 * Steps a world on the empty device and returns what the last step was; the world stays on it.
 * @param {any} world with its scene at rest
 * @param {typeof import('../../src/layout.generated')} layout
 * @param {number} steps at least 2: the first one sends everything
 */
export async function countStep(world, layout, steps) {
  const { SplitStep, SPLIT_STEP_SLOT, SPLIT_MORE_STEPS } = layout;
  const counter = countingDevice();
  await world.setBackend('webgpu', counter.device);
  let main = Infinity;
  for (let i = 0; i < steps; i++) {
    await world.stepAsync();
    if (world.profile.backend !== 'webgpu') throw new Error('the step was not solved on the device');
    // The copy of the result is left out: the empty device makes new pages for it.
    if (i > 0) main = Math.min(main, world.profile.total - world.profile.readback);
  }
  const dispatches = counter.dispatches();
  const wordsOf = (/** @type {string} */ label) => new Uint32Array(counter.uploads.get(label)?.buffer ?? new ArrayBuffer(0));
  const parameters = wordsOf('steps');
  const parameter = (offset, field) => parameters[(offset + field) / 4];
  const others = parameters.byteLength - SPLIT_MORE_STEPS * SPLIT_STEP_SLOT;
  const cells = wordsOf('cells');
  const { profile } = world;
  // Cells of whole islands come first, those with joints behind the others.
  let closed = 0;
  while (closed < profile.cells && cells[CELL_WORDS * closed + CELL.closed] === 1) closed++;
  let plain = 0;
  while (plain < closed && !isJointed(cells, plain)) plain++;
  const passes = { warm: 0, soft: 0, relax: 0, substep: 0 };
  for (const { kernel, step } of dispatches) if (kernel === 'solve') passes[MODES[parameter(step, SplitStep.mode)]]++;
  const byKernel = {};
  for (const { kernel } of dispatches) byKernel[kernel] = (byKernel[kernel] ?? 0) + 1;
  const islands = byKernel.island_joints > 0 ? closed : plain;
  const jointsIn = (from, to) => {
    let sum = 0;
    for (let cell = from; cell < to; cell++) sum += jointsOf(cells, cell);
    return sum;
  };
  const slots = wordsOf('slots');
  let borderSlots = 0;
  let borderReads = 0;
  for (let i = SLOT_SHARES; i < slots.length; i += SLOT_WORDS) {
    if (slots[i] < 2) continue;
    borderSlots++;
    borderReads += slots[i];
  }
  const isSolved = dispatches.some(({ kernel }) => ['solve', 'island', 'island_joints'].includes(kernel));
  const cellCount = isSolved ? profile.cells : 0;
  const joints = jointsIn(0, cellCount);
  return {
    bodies: profile.bodies,
    links: parameter(others + 2 * SPLIT_STEP_SLOT, SplitStep.count) - joints,
    points: profile.contactCount,
    impulseRows: parameter(others, SplitStep.impulseStride),
    linkRows: linkRows(layout, parameter(0, SplitStep.flags)),
    slots: slots.length / SLOT_WORDS,
    borderSlots,
    borderReads,
    edits: byKernel.edit ? parameter(others, SplitStep.count) : 0,
    joints,
    substeps: profile.substeps,
    sweeps: Math.max(
      ...[...Array(Math.max(1, others / SPLIT_STEP_SLOT)).keys()].map((i) => parameter(i * SPLIT_STEP_SLOT, SplitStep.sweeps)),
    ),
    passes,
    dispatches: byKernel,
    island: cellsOf(cells, 0, plain),
    ...(islands > plain && { islandJoints: { ...cellsOf(cells, plain, islands), joints: jointsIn(plain, islands) } }),
    solve: cellsOf(cells, islands, cellCount),
    bytesUp: profile.bytesUp,
    bytesDown: profile.bytesDown,
    mainMs: main,
  };
}
