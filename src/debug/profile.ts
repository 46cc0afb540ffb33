// The times of the stages of the last step.

/** Milliseconds of each stage of the last step, and the amount of its work. One object per world, updated in place. */
export class Profile {
  /** Backend that solved the last step. */
  backend: 'wasm' | 'webgpu' = 'wasm';
  /** Bounding boxes, trees, new and removed pairs. */
  broadphase = 0;
  /** Narrow phase of pairs that have moved, contact points, events. */
  contacts = 0;
  /** The contact solver. On WebGPU: packing, upload, submission and applying the result, without the waiting time. */
  solve = 0;
  /** On WebGPU, parts of `solve`: cells and slots; packing; uploading changes; encoding and submitting. 0 on WASM. */
  partition = 0;
  pack = 0;
  upload = 0;
  encode = 0;
  /** On WebGPU: time from submission to the arrival of the result. 0 on WASM. */
  gpu = 0;
  /** On WebGPU, parts of `solve`: copying the result out of its buffer, and applying it to the world. 0 on WASM. */
  readback = 0;
  apply = 0;
  /** On WebGPU: the compute pass by the GPU's clock, NaN if it has none. 0 on WASM. */
  gpuPass = 0;
  /**
   * On WebGPU: the resolution of `gpuPass`: the milliseconds by which the GPU's clock has advanced so far. Browsers make it
   * coarse (often 0.0655). NaN if it has none. 0 on WASM.
   */
  gpuTick = 0;
  /** On WebGPU: number of compute dispatches, bytes uploaded and bytes read back. 0 on WASM. */
  dispatches = 0;
  bytesUp = 0;
  bytesDown = 0;
  /** Poses, inertia, views. */
  finish = 0;
  /** The whole step on this thread. */
  total = 0;
  /** Number of threads that shared the step, chosen in each step (setting `threads`). */
  threads = 1;
  /** Substeps of the step; if islands have numbers of their own, the largest. */
  substeps = 0;
  /** Share of the time given to `advance` in the last seconds that became steps. Below 1 the scene runs in slow motion. */
  pace = 1;
  /** Number of bodies. */
  bodies = 0;
  /** Pairs of colliders whose bounding boxes are near each other. */
  pairs = 0;
  /** Number of contact points, speculative ones included. */
  contactCount = 0;
  /** Number of colors, batches or cells of the ordering that the solver used. */
  colors = 0;
  batches = 0;
  cells = 0;
  /** Number of bodies with more than one sub-body (splitting solvers). */
  splitBodies = 0;
  /** Pairs whose narrow-phase test ran; other pairs kept their contacts. */
  fullTests = 0;
  /** Bytes of linear memory in use. */
  memory = 0;
}
