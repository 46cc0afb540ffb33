// Compute pipelines with explicit bind group layouts, all within the default limits: at most 8 storage buffers, 16 KiB of
// workgroup memory, no optional feature. The order of bindings here is that of the @binding numbers in shaders/.
import { CELL_LANES, SplitStep } from '../layout.generated';
import { type KernelName, kernelSource, kernels } from './shader';

/** Buffers of the solver. */
export type BufferName =
  | 'steps'
  | 'cells'
  | 'links'
  | 'points'
  | 'members'
  | 'contacts'
  | 'edits'
  | 'impulses'
  | 'jointResults'
  | 'reported'
  | 'bodyReports'
  | 'linkReports'
  | 'slots'
  | 'slotStates'
  | 'rows'
  | 'owners'
  | 'bodies'
  | 'traits'
  | 'motions'
  | 'poses'
  | 'joints';

export type Access = 'uniform' | 'read-only-storage' | 'storage';

const read = 'read-only-storage';
const write = 'storage';

const splitBindings: [BufferName, Access][] = [
  ['steps', 'uniform'],
  ['cells', read],
  ['links', read],
  ['points', read],
  ['impulses', write],
  ['slots', read],
  ['slotStates', write],
  ['rows', write],
];

/** Buffers that each kernel binds, in the order of its @binding numbers. */
export const bindings: Record<KernelName, [BufferName, Access][]> = {
  solve: [...splitBindings, ['joints', write]],
  island: splitBindings,
  island_joints: [...splitBindings, ['joints', write]],
  edit: [
    ['steps', 'uniform'],
    ['edits', read],
    ['contacts', write],
    ['impulses', write],
    ['reported', write],
  ],
  spread: [
    ['steps', 'uniform'],
    ['slots', read],
    ['bodies', read],
    ['traits', read],
    ['motions', read],
    ['slotStates', write],
  ],
  prepare: [
    ['steps', 'uniform'],
    ['members', read],
    ['contacts', read],
    ['slotStates', read],
    ['links', write],
    ['points', write],
    ['impulses', write],
  ],
  joint: [
    ['steps', 'uniform'],
    ['members', read],
    ['bodies', read],
    ['slotStates', read],
    ['links', write],
    ['joints', write],
  ],
  turn: [
    ['steps', 'uniform'],
    ['members', read],
    ['slotStates', read],
    ['slots', read],
    ['rows', read],
    ['joints', write],
  ],
  collect: [
    ['steps', 'uniform'],
    ['members', read],
    ['slotStates', read],
    ['impulses', read],
    ['joints', read],
    ['reported', write],
    ['jointResults', write],
    ['linkReports', write],
  ],
  finalise: [
    ['steps', 'uniform'],
    ['owners', read],
    ['slots', read],
    ['slotStates', read],
    ['rows', read],
    ['bodies', write],
    ['motions', write],
    ['poses', write],
    ['bodyReports', write],
  ],
};

/** Threads per workgroup: CELL_LANES for cells (one subgroup on most GPUs, so barriers cost nothing), 64 elsewhere. */
export const lanes: Record<KernelName, number> = {
  solve: CELL_LANES,
  island: CELL_LANES,
  island_joints: CELL_LANES,
  edit: 64,
  spread: 64,
  prepare: 64,
  joint: 64,
  turn: 64,
  finalise: 64,
  collect: 64,
};

export interface Kernel {
  pipeline: GPUComputePipeline;
  layout: GPUBindGroupLayout;
}

/** The kernels that every solver has from the start. */
export type Kernels = Record<Exclude<KernelName, 'island_joints'>, Kernel>;

/** Compiles the kernels that every solver has. Rejects with the compiler's message if one does not compile. */
export async function createKernels(device: GPUDevice): Promise<Kernels> {
  const names = (Object.keys(kernels) as KernelName[]).filter((name) => name !== 'island_joints');
  const made = await Promise.all(names.map((name) => createKernel(device, name)));
  return Object.fromEntries(names.map((name, i) => [name, made[i]])) as Kernels;
}

/** Compiles one kernel. */
export function createKernel(device: GPUDevice, name: KernelName): Promise<Kernel> {
  const access = bindings[name].map(([, type]) => type);
  const constants = { LANES: lanes[name], GROUPS: device.limits.maxComputeWorkgroupsPerDimension };
  return buildKernel(device, name, kernelSource(name), access, SplitStep.STRIDE, constants);
}

/** Compiled kernels of each device, as long as the device lives. */
const compiled = new WeakMap<GPUDevice, Map<string, Promise<Kernel>>>();

/**
 * Returns the kernel of a shader that binds buffers in this order; a uniform has a dynamic offset. Compiled once per device:
 * worlds come and go on it, and a driver may take seconds.
 */
export function buildKernel(
  device: GPUDevice,
  name: string,
  code: string,
  access: readonly Access[],
  uniformBytes: number,
  constants: Record<string, number>,
): Promise<Kernel> {
  let known = compiled.get(device);
  if (!known) {
    known = new Map();
    compiled.set(device, known);
  }
  const key = JSON.stringify([code, access, uniformBytes, constants]);
  let kernel = known.get(key);
  if (!kernel) {
    kernel = compileKernel(device, name, code, access, uniformBytes, constants);
    known.set(key, kernel);
    const kernels = known;
    kernel.catch(() => kernels.delete(key));
  }
  return kernel;
}

async function compileKernel(
  device: GPUDevice,
  name: string,
  code: string,
  access: readonly Access[],
  uniformBytes: number,
  constants: Record<string, number>,
): Promise<Kernel> {
  const label = `talus ${name}`;
  const layout = device.createBindGroupLayout({
    label,
    entries: access.map((type, binding) => ({
      binding,
      visibility: GPUShaderStage.COMPUTE,
      buffer: type === 'uniform' ? { type, hasDynamicOffset: true, minBindingSize: uniformBytes } : { type },
    })),
  });
  const pipeline = await device.createComputePipelineAsync({
    label,
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module: device.createShaderModule({ label, code }), entryPoint: 'main', constants },
  });
  return { pipeline, layout };
}

/** Returns the bind group of a kernel over these buffers. */
export function bindKernel(
  device: GPUDevice,
  name: KernelName,
  layout: GPUBindGroupLayout,
  bufferOf: (name: BufferName) => GPUBuffer,
): GPUBindGroup {
  const buffers = bindings[name].map(([buffer, type]): [GPUBuffer, Access] => [bufferOf(buffer), type]);
  return bindBuffers(device, name, layout, buffers, SplitStep.STRIDE);
}

/** Returns a bind group over buffers in the order of a layout. */
export function bindBuffers(
  device: GPUDevice,
  name: string,
  layout: GPUBindGroupLayout,
  buffers: readonly (readonly [GPUBuffer, Access])[],
  uniformBytes: number,
): GPUBindGroup {
  return device.createBindGroup({
    label: `talus ${name}`,
    layout,
    entries: buffers.map(([buffer, type], binding) => ({
      binding,
      resource: type === 'uniform' ? { buffer, size: uniformBytes } : { buffer },
    })),
  });
}
