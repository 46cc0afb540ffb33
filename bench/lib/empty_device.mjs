// A WebGPU device that takes every command and does no work: what the main thread pays for a GPU, on any machine. Results come from a
// function (replay.mjs, rest_device.mjs).

/** Stamp of a step and the times of its pass, behind each result (src/gpu/step_solver.ts). */
const STAMP_BYTES = 16;
const TIME_BYTES = 16;

// Names of WebGPU that Node does not have without an adapter.
globalThis.GPUBufferUsage ??= {
  MAP_READ: 1,
  COPY_SRC: 4,
  COPY_DST: 8,
  VERTEX: 32,
  UNIFORM: 64,
  STORAGE: 128,
  QUERY_RESOLVE: 512,
};
globalThis.GPUMapMode ??= { READ: 1 };
globalThis.GPUShaderStage ??= { COMPUTE: 4 };

const nothing = () => {};

/** Bytes of what `writeBuffer` was given. */
function bytesOf(data, offset, size) {
  const isView = ArrayBuffer.isView(data);
  return new Uint8Array(isView ? data.buffer : data, (isView ? data.byteOffset : 0) + offset, size);
}

/**
 * @param {{
 *   limits: object, adapterInfo: object,
 *   answer: (bytes: number) => ArrayBuffer,
 *   latency?: number,
 *   written?: (label: string, at: number, bytes: Uint8Array) => void,
 * }} options `answer`: the result of a step, to which the device adds its stamp; `bytes`: with stamp and times. `latency`: ms from a map to its
 * end, default none. `written`: sees what is written to buffers.
 */
export function emptyDevice({ limits, adapterInfo, answer, latency = 0, written = nothing }) {
  let stamp = new Uint8Array(STAMP_BYTES);
  const pass = { setPipeline: nothing, setBindGroup: nothing, dispatchWorkgroups: nothing, end: nothing };
  const encoder = {
    beginComputePass: () => pass,
    copyBufferToBuffer: nothing,
    clearBuffer: nothing,
    resolveQuerySet: nothing,
    finish: () => ({}),
  };
  return {
    limits,
    adapterInfo,
    features: new Set(),
    lost: new Promise(nothing),
    queue: {
      writeBuffer({ size, label }, at, data, offset = 0, bytes = data.byteLength) {
        if (size === STAMP_BYTES) stamp = bytesOf(data, offset, bytes).slice();
        else written(label, at, bytesOf(data, offset, bytes));
      },
      submit: nothing,
      onSubmittedWorkDone: async () => undefined,
    },
    createBuffer: ({ size, usage, label }) => ({
      size,
      usage,
      label,
      mapAsync: async () => {
        if (latency > 0) await new Promise((done) => setTimeout(done, latency));
      },
      getMappedRange: (_offset, bytes) => {
        const result = answer(bytes);
        new Uint8Array(result).set(stamp, result.byteLength - TIME_BYTES - STAMP_BYTES);
        return result;
      },
      unmap: nothing,
      destroy: nothing,
    }),
    createShaderModule: () => ({ getCompilationInfo: async () => ({ messages: [] }) }),
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createComputePipelineAsync: async () => ({}),
    createBindGroup: () => ({}),
    createCommandEncoder: () => encoder,
    createQuerySet: () => ({ destroy: nothing }),
    pushErrorScope: nothing,
    popErrorScope: async () => null,
    addEventListener: nothing,
    removeEventListener: nothing,
    destroy: nothing,
  };
}
