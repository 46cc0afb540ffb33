// A WebGPU device for Node: Dawn (npm `webgpu`) on the adapter that scripts/find_adapter.mjs finds.
import { findAdapter } from '../../scripts/find_adapter.mjs';

/**
 * @returns {Promise<{ name: string, software: boolean, gpu: GPU, adapter: GPUAdapter } | { name: null, reason: string }>}
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
  const { create, globals } = await import('webgpu');
  Object.assign(globalThis, globals);
  const gpu = create([]);
  const adapter = await gpu.requestAdapter();
  if (adapter === null) return { name: null, reason: 'no WebGPU adapter' };
  const { vendor, architecture, description } = found;
  return { name: [vendor, architecture, description].filter(Boolean).join(' '), software: found.software, gpu, adapter };
}
