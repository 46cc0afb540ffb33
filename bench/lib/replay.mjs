// Two devices that isolate the main thread's part of a step. The first records the results that the solver reads back. The second takes
// every command, does no work, and returns the recorded results. The same world stepped from the same state makes the same requests to
// both, so the second run equals the first on a GPU that takes no time.

/** Notes every mapped range of a device. Returns the list it fills. */
export function recordResults(device) {
  const results = [];
  const create = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    const buffer = create(descriptor);
    if ((descriptor.usage & GPUBufferUsage.MAP_READ) === 0) return buffer;
    const range = buffer.getMappedRange.bind(buffer);
    buffer.getMappedRange = (...span) => {
      const mapped = range(...span);
      results.push(mapped.slice(0));
      return mapped;
    };
    return buffer;
  };
  return results;
}

/** Stamp of a step and the times of its pass, behind each result (src/gpu/step_solver.ts). */
const STAMP_BYTES = 16;
const TIME_BYTES = 16;

/** A device with the limits of another that answers from the results, in order, each with the stamp of the step that asks. */
export function replayDevice({ limits, adapterInfo }, results) {
  let next = 0;
  let stamp = new Uint8Array(STAMP_BYTES);
  const nothing = () => {};
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
      writeBuffer({ size }, _at, data) {
        if (size === STAMP_BYTES) stamp = new Uint8Array(data.buffer.slice(data.byteOffset, data.byteOffset + STAMP_BYTES));
      },
      submit: nothing,
      onSubmittedWorkDone: async () => undefined,
    },
    createBuffer: ({ size, usage }) => ({
      size,
      usage,
      mapAsync: async () => undefined,
      getMappedRange: () => {
        if (next === results.length) throw new Error('the run asks for more results than were noted');
        const result = results[next++];
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
