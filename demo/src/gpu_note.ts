// What this browser offers of WebGPU, in words that help where it offers nothing.

export interface GpuNote {
  available: boolean;
  /** Hardware: a software adapter is slower than WASM. */
  fast: boolean;
  /** One line. */
  short: string;
  /** How to get it; empty where nothing is missing. */
  help: string;
}

/** Asks for an adapter once; takes no device. */
export async function inspectGpu(): Promise<GpuNote> {
  if (!isSecureContext) {
    return {
      available: false,
      fast: false,
      short: 'no WebGPU: not a secure page',
      help: 'Browsers offer WebGPU only on https:// pages and on localhost. Open this page by https.',
    };
  }
  if (!('gpu' in navigator)) {
    return {
      available: false,
      fast: false,
      short: 'no WebGPU in this browser',
      help:
        'This browser has no WebGPU. It comes with Chrome and Edge 113 or later on Windows, macOS and ChromeOS, Chrome 121 or later on Android, ' +
        'Safari 26, and Firefox 141 or later on Windows. On Linux, Chrome needs a Vulkan driver and, in some versions, the flag "Unsafe WebGPU Support".',
    };
  }
  try {
    const adapter = await navigator.gpu.requestAdapter();
    if (adapter) {
      const { vendor, architecture, description } = adapter.info;
      const name = [vendor, architecture, description].filter(Boolean).join(' ') || 'adapter without a name';
      const software = adapter.info.isFallbackAdapter || /swiftshader|llvmpipe|basic render/i.test(name);
      return {
        available: true,
        fast: !software,
        short: `WebGPU: ${name}${software ? ' (software: slower than WASM)' : ''}`,
        help: '',
      };
    }
  } catch {
    // As without an adapter.
  }
  return {
    available: false,
    fast: false,
    short: 'no WebGPU adapter',
    help:
      'The browser knows WebGPU but found no GPU that it trusts. Update the graphics driver, switch hardware acceleration on in the ' +
      'settings of the browser, and look at the page chrome://gpu for the reason.',
  };
}
