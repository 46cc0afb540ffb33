// Where the time of the last step went.

/** Milliseconds of the stages of the last step, and what it worked on. One object for the life of a world, updated in place. */
export class Profile {
  /** Backend that solved the last step. */
  backend: 'wasm' | 'webgpu' = 'wasm';
  /** Bounding boxes, trees, new and lost pairs. */
  broadphase = 0;
  /** Narrow phase of pairs that have moved, contact points, events. */
  contacts = 0;
  /** The contact solver. On WebGPU: packing, upload, submission and taking over the result, without the time it waited. */
  solve = 0;
  /** On WebGPU, parts of `solve`: cells and slots; packing, uploading what has changed; encoding and submitting. 0 on WASM. */
  partition = 0;
  pack = 0;
  upload = 0;
  encode = 0;
  /** On WebGPU: from submission to the arrival of the result. 0 on WASM. */
  gpu = 0;
  /** On WebGPU, parts of `solve`: copying the result out of its buffer, applying it to the world. 0 on WASM. */
  readback = 0;
  apply = 0;
  /** On WebGPU: the compute pass by the GPU's clock, NaN where it tells no time. 0 on WASM. */
  gpuPass = 0;
  /**
   * On WebGPU: milliseconds that the GPU's clock has moved by so far, the exactness of `gpuPass`; browsers make it coarse (often 0.0655).
   * NaN where it tells no time. 0 on WASM.
   */
  gpuTick = 0;
  /** On WebGPU: compute dispatches, bytes uploaded and read back. 0 on WASM. */
  dispatches = 0;
  bytesUp = 0;
  bytesDown = 0;
  /** Poses, inertia, views. */
  finish = 0;
  /** All of the step on this thread. */
  total = 0;
  /** Threads that shared the step; their number is chosen in each step (setting `threads`). */
  threads = 1;
  /** Substeps of the step; where islands have numbers of their own, the largest. */
  substeps = 0;
  /** Share of the time given to `advance` in the last seconds that became steps. Below 1 the scene runs in slow motion. */
  pace = 1;
  /** Bodies alive. */
  bodies = 0;
  /** Pairs of colliders whose bounds are near each other. */
  pairs = 0;
  /** Contact points, speculative ones included. */
  contactCount = 0;
  /** Colors, batches or cells of the ordering that the solver used. */
  colors = 0;
  batches = 0;
  cells = 0;
  /** Bodies with more than one sub-body (splitting solvers). */
  splitBodies = 0;
  /** Pairs whose narrow-phase test ran: the others were carried over. */
  fullTests = 0;
  /** Bytes of linear memory in use. */
  memory = 0;
}
