// A real device whose faults are made by hand: invalid command buffers, memory that is out, maps that never end, submits that are
// lost on the way, small limits. What is not at fault goes to the device underneath.

/** An object in the place of a native one, with some members of its own. */
export function over<T extends object>(target: T, own: object): T {
  return new Proxy(target, {
    get(_, key) {
      if (Object.hasOwn(own, key)) return Reflect.get(own, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/**
 * - `invalid`: command buffers are invalid
 * - `memory`: buffers are not made for want of memory
 * - `internal`: the device reports an internal error
 * - `swallow`: command buffers are lost, and nobody tells
 * - `hang`: maps do not end until `release`
 * - `blind`: scopes do not tell what they have seen
 * - `throw`: creating a command encoder throws
 */
export type FaultName = 'invalid' | 'memory' | 'internal' | 'swallow' | 'hang' | 'blind' | 'throw';

export class FaultyDevice {
  readonly device: GPUDevice;
  /** What is at fault now. */
  fault: FaultName | null = null;
  /** Called when a map has ended. */
  onMapped = () => {};
  /** Limits in the place of those of the device. */
  readonly limits: Partial<Record<keyof GPUSupportedLimits, number>> = {};
  /** Submits of nothing. */
  nudges = 0;
  /** Largest numbers of workgroups that were dispatched, x and y. */
  readonly groups = [0, 0];
  private readonly held: (() => void)[] = [];

  constructor(real: GPUDevice, adapterInfo?: Partial<GPUAdapterInfo>) {
    const scopes: GPUErrorFilter[] = [];
    const queue = over(real.queue, {
      submit: (buffers: GPUCommandBuffer[]) => {
        if (buffers.length === 0) this.nudges++;
        if (this.fault !== 'swallow') real.queue.submit(buffers);
      },
    });
    this.device = over(real, {
      ...(adapterInfo ? { adapterInfo } : {}),
      limits: over(real.limits, this.limits),
      queue,
      pushErrorScope: (filter: GPUErrorFilter) => {
        scopes.push(filter);
        real.pushErrorScope(filter);
      },
      popErrorScope: async () => {
        const filter = scopes.pop();
        const found = await real.popErrorScope();
        if (this.fault === 'blind') throw new Error('no scope');
        if (filter === 'out-of-memory' && this.fault === 'memory') return { message: 'not enough memory' };
        if (filter === 'internal' && this.fault === 'internal') return { message: 'something broke' };
        return found;
      },
      createBuffer: (descriptor: GPUBufferDescriptor) => this.makeBuffer(real, descriptor),
      createCommandEncoder: (descriptor?: GPUCommandEncoderDescriptor) => {
        if (this.fault === 'throw') throw new Error('no encoder');
        const encoder = real.createCommandEncoder(descriptor);
        if (this.fault === 'invalid') encoder.popDebugGroup();
        return this.watch(encoder);
      },
    });
  }

  /** Lets the maps end that were held back. */
  release(): void {
    for (const end of this.held.splice(0)) end();
  }

  private makeBuffer(real: GPUDevice, descriptor: GPUBufferDescriptor): GPUBuffer {
    if (this.fault === 'memory') {
      // No buffer can be read and written both, so this one is invalid.
      real.pushErrorScope('validation');
      const buffer = real.createBuffer({ ...descriptor, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.MAP_WRITE });
      real.popErrorScope();
      return buffer;
    }
    const buffer = real.createBuffer(descriptor);
    const mapAsync = buffer.mapAsync.bind(buffer);
    buffer.mapAsync = async (...range) => {
      if (this.fault !== 'hang') {
        await mapAsync(...range);
        this.onMapped();
        return undefined;
      }
      await new Promise<void>((resolve) => this.held.push(resolve));
      // The buffer may be gone by now.
      real.pushErrorScope('validation');
      const mapped = mapAsync(...range);
      real.popErrorScope();
      return mapped;
    };
    return buffer;
  }

  private watch(encoder: GPUCommandEncoder): GPUCommandEncoder {
    return over(encoder, {
      beginComputePass: (descriptor: GPUComputePassDescriptor) => {
        const pass = encoder.beginComputePass(descriptor);
        return over(pass, {
          dispatchWorkgroups: (x: number, y = 1) => {
            this.groups[0] = Math.max(this.groups[0]!, x);
            this.groups[1] = Math.max(this.groups[1]!, y);
            pass.dispatchWorkgroups(x, y);
          },
        });
      },
    });
  }
}
