// A WebGPU device for the solver: requested here with all that the adapter offers, or the caller's own. Loss is normal: it is
// reported once, and the owner requests a new device when it wants one.
import { TalusError } from '../checks/errors';
import { messageOf } from '../checks/show';

export interface DeviceOptions {
  /** A device to use instead of requesting one; it is not destroyed with the solver. */
  device?: GPUDevice;
  /** Where to request an adapter; `navigator.gpu` by default. */
  gpu?: GPU;
  powerPreference?: GPUPowerPreference;
}

export interface DeviceLoss {
  reason: 'unknown' | 'destroyed';
  message: string;
}

/** A device with the name of its adapter; `lost` resolves once when the device is lost. */
export interface GpuDevice {
  readonly device: GPUDevice;
  /** Vendor, architecture and description of the adapter, as far as known. */
  readonly name: string;
  /** Whether it is a software adapter: correct, but slow. */
  readonly isSoftware: boolean;
  /** Whether it was requested here, and so is destroyed here. */
  readonly isOwned: boolean;
  readonly lost: Promise<DeviceLoss>;
}

/** Limits that grow with the scene; the others stay at the defaults, which the kernels respect. */
const growing = ['maxBufferSize', 'maxStorageBufferBindingSize'] as const;

/** Opens a device. Throws TalusError 'gpu' if there is no WebGPU, no adapter, or the adapter refuses. */
export async function openDevice(options: DeviceOptions = {}): Promise<GpuDevice> {
  if (options.device) return describe(options.device, options.device.adapterInfo, false);
  const gpu = options.gpu ?? (typeof navigator === 'undefined' ? undefined : navigator.gpu);
  if (!gpu) throw new TalusError('gpu', 'WebGPU is not available here; use the backend "wasm"');
  // A fresh adapter each time: one adapter gives one device.
  const adapter = await gpu.requestAdapter(options.powerPreference ? { powerPreference: options.powerPreference } : {});
  if (!adapter) throw new TalusError('gpu', 'WebGPU found no adapter; use the backend "wasm"');
  const requiredLimits: Record<string, number> = {};
  for (const name of growing) requiredLimits[name] = adapter.limits[name];
  const requiredFeatures: GPUFeatureName[] = adapter.features.has('timestamp-query') ? ['timestamp-query'] : [];
  try {
    const device = await adapter.requestDevice({ label: 'talus', requiredLimits, requiredFeatures });
    return describe(device, adapter.info, true);
  } catch (error) {
    throw new TalusError('gpu', `the WebGPU adapter refused a device: ${messageOf(error)}`);
  }
}

function describe(device: GPUDevice, info: GPUAdapterInfo | undefined, isOwned: boolean): GpuDevice {
  const name = [info?.vendor, info?.architecture, info?.device, info?.description].filter(Boolean).join(' ') || 'unknown adapter';
  const isSoftware = /swiftshader|llvmpipe|software|basic render/i.test(name) || info?.isFallbackAdapter === true;
  return { device, name, isSoftware, isOwned, lost: lossOf(device) };
}

const losses = new WeakMap<GPUDevice, Promise<DeviceLoss>>();
const listeners = new WeakMap<Promise<DeviceLoss>, Set<(loss: DeviceLoss) => void>>();

/** Returns one promise per device, however many worlds use it. */
function lossOf(device: GPUDevice): Promise<DeviceLoss> {
  let lost = losses.get(device);
  if (!lost) {
    lost = device.lost.then(({ reason, message }) => ({
      reason: reason === 'destroyed' ? reason : ('unknown' as const),
      message,
    }));
    losses.set(device, lost);
  }
  return lost;
}

/** Returns the listeners for that loss. A function of its own: a closure in onDeviceLoss would keep the first listener. */
function waitingFor(lost: Promise<DeviceLoss>): Set<(loss: DeviceLoss) => void> {
  let waiting = listeners.get(lost);
  if (!waiting) {
    const all = new Set<(loss: DeviceLoss) => void>();
    lost.then((loss) => {
      for (const call of all) call(loss);
      all.clear();
    });
    listeners.set(lost, all);
    waiting = all;
  }
  return waiting;
}

/**
 * Calls `listener` once if the device is lost; the returned function removes it. A listener on `lost` itself would live as long
 * as the device. A caller's device outlives worlds, so they would never be collected.
 */
export function onDeviceLoss({ lost }: Pick<GpuDevice, 'lost'>, listener: (loss: DeviceLoss) => void): () => void {
  const waiting = waitingFor(lost);
  waiting.add(listener);
  return () => {
    waiting.delete(listener);
  };
}
