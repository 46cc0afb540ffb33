// Two devices with which the main thread's part of a step is measured by itself: one that notes what the solver reads back, and one
// that takes every command, does nothing, and gives the noted results back. The same world stepped from the same state asks both
// for the same, so the second run is the first one with a GPU that takes no time.

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

/** A device with the limits of another that answers from the results, in order. `queue.bytes` counts what was written. */
export function replayDevice({ limits, adapterInfo }, results) {
  let next = 0;
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
    queue: { writeBuffer: nothing, submit: nothing, onSubmittedWorkDone: async () => undefined },
    createBuffer: ({ size, usage }) => ({
      size,
      usage,
      mapAsync: async () => undefined,
      getMappedRange: () => {
        if (next === results.length) throw new Error('the run asks for more results than were noted');
        return results[next++];
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
