// The one WebGPU device of the page: the solver computes on it and the picture is drawn on it, so poses stay where they are.
// Opened when it is first wanted, and anew after a loss.

export class SharedDevice {
  private opened: Promise<GPUDevice> | null = null;

  /** `lost` is called when a device is gone, for whatever reason. */
  constructor(private readonly lost: (reason: string) => void) {}

  /** The device. Throws where there is none. */
  open(): Promise<GPUDevice> {
    this.opened ??= this.request();
    this.opened.catch(() => {
      this.opened = null;
    });
    return this.opened;
  }

  private async request(): Promise<GPUDevice> {
    const adapter = await navigator.gpu?.requestAdapter({ powerPreference: 'high-performance' });
    if (!adapter) throw new Error('There is no WebGPU here');
    // As large as scenes may get; the rest are defaults, with which both the solver and the picture can do.
    const { maxBufferSize, maxStorageBufferBindingSize } = adapter.limits;
    const device = await adapter.requestDevice({
      label: 'talus demo',
      requiredLimits: { maxBufferSize, maxStorageBufferBindingSize },
      requiredFeatures: adapter.features.has('timestamp-query') ? ['timestamp-query'] : [],
    });
    device.lost.then(({ message, reason }) => {
      this.opened = null;
      this.lost(message || reason);
    });
    return device;
  }
}
