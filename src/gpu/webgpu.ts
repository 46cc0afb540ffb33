// The complete WebGPU host.
import { openDevice } from './device';
import { GpuSolver } from './gpu_solver';
import type { GpuHost } from './host';

export const webgpu: GpuHost = { openDevice, openSolver: (_family, ...rest) => GpuSolver.create(...rest) };
