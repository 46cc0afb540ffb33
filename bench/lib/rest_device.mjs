// A WebGPU device that takes every command and answers after a time that nothing has moved: what the main thread does for a GPU of that
// latency, on any machine. It holds the state of the bodies as it is sent, and returns their hashes with the results, so that the solver
// counts what it holds as its own (assembly/split/finalise.ts).
const BODY_WORDS = 20;
const MOTION_WORDS = 16;
/** Words of a body that are its velocities: they are zero in an answer. */
const VELOCITIES = [12, 13, 14, 16, 17, 18];
const HASH = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1];
/** Stamp of a step and the times of its pass, behind each result (src/gpu/step_solver.ts). */
const STAMP_BYTES = 16;
const TIME_BYTES = 16;
const LIMITS = { maxBufferSize: 2 ** 31, maxStorageBufferBindingSize: 2 ** 30, maxComputeWorkgroupsPerDimension: 65535 };

/** @param {number} latency ms from a map to its end */
export function restDevice(latency) {
  let stamp = new Uint8Array(STAMP_BYTES);
  let bodies = new Uint32Array(0);
  const nothing = () => {};
  const bytesOf = (data, offset, size) => {
    const view = ArrayBuffer.isView(data);
    return new Uint8Array(view ? data.buffer : data, (view ? data.byteOffset : 0) + offset, size);
  };
  /** The result of a step that has moved nothing. */
  const answer = (bytes) => {
    const result = new Uint32Array(bytes / 4);
    const count = Math.min(
      Math.floor(bodies.length / BODY_WORDS),
      Math.floor((bytes - STAMP_BYTES - TIME_BYTES) / (4 * MOTION_WORDS)),
    );
    for (let i = 0; i < count; i++) {
      const body = BODY_WORDS * i;
      for (const at of VELOCITIES) bodies[body + at] = 0;
      for (let lane = 0; lane < 4; lane++) {
        let hash = 0;
        for (let k = 0; k < 5; k++) hash ^= Math.imul(bodies[body + 4 * k + lane], HASH[k]);
        result[MOTION_WORDS * i + 4 * lane + 3] = hash;
      }
    }
    new Uint8Array(result.buffer).set(stamp, bytes - TIME_BYTES - STAMP_BYTES);
    return result.buffer;
  };
  const pass = { setPipeline: nothing, setBindGroup: nothing, dispatchWorkgroups: nothing, end: nothing };
  const encoder = {
    beginComputePass: () => pass,
    copyBufferToBuffer: nothing,
    clearBuffer: nothing,
    resolveQuerySet: nothing,
    finish: () => ({}),
  };
  return {
    limits: LIMITS,
    adapterInfo: { vendor: 'none', architecture: '', device: '', description: '' },
    features: new Set(),
    lost: new Promise(nothing),
    queue: {
      writeBuffer({ size, label }, at, data, offset = 0, bytes = data.byteLength) {
        const written = bytesOf(data, offset, bytes);
        if (size === STAMP_BYTES) stamp = written.slice();
        if (label !== 'talus bodies') return;
        if (4 * bodies.length < at + bytes) {
          const grown = new Uint32Array((at + bytes) / 4);
          grown.set(bodies);
          bodies = grown;
        }
        new Uint8Array(bodies.buffer).set(written, at);
      },
      submit: nothing,
      onSubmittedWorkDone: async () => undefined,
    },
    createBuffer: ({ size, usage, label }) => ({
      size,
      usage,
      label,
      mapAsync: () => new Promise((done) => setTimeout(done, latency)),
      getMappedRange: (_offset, bytes) => answer(bytes),
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
