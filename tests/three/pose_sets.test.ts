// Which poses are drawn when the solver is a step ahead on the GPU: those of its buffer, unless it began before bodies changed.
import { expect, it } from 'vitest';
import { PoseSets, type PoseWorld } from '../../src/three_webgpu/pose_sets';
import { readBuffer, useDevice } from '../helpers/gpu';

const SLOTS = 2;

const gpu = useDevice();

/** A world whose bodies stand at the number of their step on the CPU, and 100 farther in the buffer of the solver. */
class FakeWorld {
  stepCount = 1;
  readonly positions = new Float32Array(4 * SLOTS);
  readonly rotations = new Float32Array(4 * SLOTS);
  gpuPoses: PoseWorld['gpuPoses'] = null;

  constructor() {
    this.place();
  }

  private place(): void {
    for (let i = 0; i < SLOTS; i++) {
      this.positions.set([this.stepCount, i, 0, 1], 4 * i);
      this.rotations.set([0, 0, 0, 1], 4 * i);
    }
  }

  /** The GPU begins the next step. */
  begin(): void {
    const { device } = gpu;
    const step = this.stepCount + 1;
    const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST | GPUBufferUsage.STORAGE;
    const buffer = device.createBuffer({ size: 32 * SLOTS, usage });
    for (let i = 0; i < SLOTS; i++) device.queue.writeBuffer(buffer, 32 * i, new Float32Array([100 + step, i, 0, 1, 0, 0, 0, 1]));
    this.gpuPoses = { device, buffer, count: SLOTS, step, since: 1 };
  }

  land(): void {
    this.stepCount++;
    this.place();
  }
}

/** Positions along x after the last step and before it. */
async function drawn(sets: PoseSets): Promise<number[]> {
  const all = new Float32Array(await readBuffer(gpu.device, sets.buffer!, sets.buffer!.size));
  return [all[4 * sets.nowAt]!, all[4 * sets.beforeAt]!];
}

it('poses come from the step that the GPU works on, when it is done', async () => {
  const [world, sets] = [new FakeWorld(), new PoseSets(gpu.device, 'test')];
  sets.reserve(SLOTS);
  sets.take(world, SLOTS, true);
  expect(await drawn(sets)).toEqual([1, 1]);
  world.begin();
  sets.keepComing(world);
  expect(await drawn(sets)).toEqual([1, 1]);
  world.land();
  world.begin();
  sets.take(world, SLOTS, false);
  expect(await drawn(sets)).toEqual([102, 1]);
  world.land();
  sets.take(world, SLOTS, false);
  expect(await drawn(sets)).toEqual([103, 102]);
  expect(sets.taken).toEqual({ gpu: 2, cpu: 2 });
});

it('a step that the GPU began before bodies changed is taken from the CPU', async () => {
  const [world, sets] = [new FakeWorld(), new PoseSets(gpu.device, 'test')];
  sets.reserve(SLOTS);
  world.begin();
  sets.take(world, SLOTS, true);
  // Several frames while the step is in flight.
  for (let frame = 0; frame < 2; frame++) sets.keepComing(world);
  world.land();
  sets.take(world, SLOTS, false);
  expect(await drawn(sets)).toEqual([2, 1]);
  world.begin();
  sets.keepComing(world);
  world.land();
  sets.take(world, SLOTS, false);
  expect(await drawn(sets)).toEqual([103, 2]);
  sets.dispose();
  expect(gpu.errors).toEqual([]);
});

it('poses from the CPU replace those of the last two steps', async () => {
  const [world, sets] = [new FakeWorld(), new PoseSets(gpu.device, 'test')];
  sets.reserve(SLOTS);
  world.begin();
  sets.keepComing(world);
  const before = { positions: world.positions.map((x) => x - 50), rotations: world.rotations };
  sets.put(world, SLOTS, before);
  expect(await drawn(sets)).toEqual([1, -49]);
});
