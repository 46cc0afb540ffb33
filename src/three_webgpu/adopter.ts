// Buffers of ours in place of those that three's WebGPU backend would create for an attribute.

/** The device of a renderer that uses a buffer of ours for an attribute. */
export interface Adopter {
  readonly device: GPUDevice;
  adopt(attribute: object, buffer: GPUBuffer): void;
}

/** Parts of three's backend that are used beyond its types: its device, and the record of an attribute. */
interface Backend {
  readonly device: GPUDevice;
  get(attribute: object): { buffer?: GPUBuffer };
}

/** `backend`: that of an initialized WebGPURenderer. */
export function adopterOf(backend: unknown): Adopter {
  const { device } = backend as Backend;
  return {
    device,
    // three finds this buffer on the record of the attribute, and creates none.
    adopt(attribute, buffer) {
      (backend as Backend).get(attribute).buffer = buffer;
    },
  };
}
