// WebGPU in the types of the public API: the caller's own types if his TypeScript has them (DOM library of TypeScript 6, or
// @webgpu/types), otherwise just enough to distinguish a device from something else. So the package depends on neither.

/** The part of a WebGPU device that TypeScript knows without types of WebGPU. */
export interface DeviceLike {
  readonly limits: object;
  readonly lost: Promise<object>;
  readonly queue: object;
  destroy(): void;
}

/** The part of a WebGPU buffer that TypeScript knows without types of WebGPU. */
export interface BufferLike {
  readonly size: number;
  readonly usage: number;
  destroy(): void;
}

/** `GPUDevice`, if the types of WebGPU are available. */
export type WebGpuDevice = typeof globalThis extends { GPUDevice: { prototype: infer Device } } ? Device : DeviceLike;

/** `GPUBuffer`, if the types of WebGPU are available. */
export type WebGpuBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer Buffer } } ? Buffer : BufferLike;
