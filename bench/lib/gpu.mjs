// A WebGPU device for Node: Dawn (npm `webgpu`) on the adapter that scripts/find_adapter.mjs finds.
import { tmpdir } from 'node:os';
import { findAdapter } from '../../scripts/find_adapter.mjs';
import { paceDawn } from '../../scripts/pace_dawn.mjs';

/** Limits that grow with the scene; a device has the defaults unless it is asked for more. */
const GROWING = ['maxBufferSize', 'maxStorageBufferBindingSize'];

/**
 * @returns {Promise<{ name: string, software: boolean, requestDevice: () => Promise<GPUDevice> } | { name: null, reason: string }>}
 */
export async function openAdapter() {
  let found;
  try {
    found = findAdapter({ mayInstall: false });
  } catch (error) {
    return { name: null, reason: error.message };
  }
  // Before Dawn loads: the Vulkan loader reads it once.
  Object.assign(process.env, found.env);
  process.env.XDG_RUNTIME_DIR ??= tmpdir();
  if (found.software) paceDawn();
  const { create, globals } = await import('webgpu');
  Object.assign(globalThis, globals);
  // The times of passes to the digit that the adapter has, not in steps of 65.5 us as for pages.
  const gpu = create(['disable-dawn-features=timestamp_quantization']);
  const { vendor, architecture, description } = found;
  return {
    name: [vendor, architecture, description].filter(Boolean).join(' '),
    software: found.software,
    async requestDevice() {
      // A fresh adapter each time: one adapter gives one device.
      const adapter = await gpu.requestAdapter();
      const requiredLimits = Object.fromEntries(GROWING.map((name) => [name, adapter.limits[name]]));
      const requiredFeatures = adapter.features.has('timestamp-query') ? ['timestamp-query'] : [];
      return adapter.requestDevice({ requiredLimits, requiredFeatures });
    },
  };
}
