// WebGPU in the types of the public API: those of the caller where its TypeScript has them (DOM library of TypeScript 6, or
// @webgpu/types), else as much as tells a device from something else. So the package depends on neither.

/** As much of a WebGPU device as TypeScript knows without types of WebGPU. */
export interface DeviceLike {
  readonly limits: object;
  readonly lost: Promise<object>;
  readonly queue: object;
  destroy(): void;
}

/** As much of a WebGPU buffer as TypeScript knows without types of WebGPU. */
export interface BufferLike {
  readonly size: number;
  readonly usage: number;
  destroy(): void;
}

/** `GPUDevice` where the types of WebGPU are there. */
export type WebGpuDevice = typeof globalThis extends { GPUDevice: { prototype: infer Device } } ? Device : DeviceLike;

/** `GPUBuffer` where the types of WebGPU are there. */
export type WebGpuBuffer = typeof globalThis extends { GPUBuffer: { prototype: infer Buffer } } ? Buffer : BufferLike;
