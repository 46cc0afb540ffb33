// Finds a WebGPU adapter for Node (npm `webgpu`, Dawn): hardware first, else SwiftShader, the software Vulkan driver that
// comes with Chromium. `node scripts/find_adapter.mjs` prints what it found as one line of JSON, or fails with the
// command that helps. Each try is a process of its own: the Vulkan loader reads VK_ICD_FILENAMES once.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const swiftshaderFiles = [
  '/usr/lib/chromium/vk_swiftshader_icd.json',
  '/usr/lib/chromium-browser/vk_swiftshader_icd.json',
  '/usr/lib64/chromium-browser/vk_swiftshader_icd.json',
  '/opt/google/chrome/vk_swiftshader_icd.json',
];
const install = ['apt-get update', 'apt-get install -y --no-install-recommends chromium libvulkan1'];
const advice = `No WebGPU adapter. Tests need a GPU driver or the software driver of Chromium: as root, ${install.join(' && ')}`;

/** Adapter of this process, as { vendor, architecture, description, isFallbackAdapter } or null. */
async function probe() {
  const { create } = await import('webgpu');
  const adapter = await create([]).requestAdapter();
  if (!adapter) return null;
  const { vendor, architecture, description } = adapter.info;
  return { vendor, architecture, description };
}

/** What a fresh process with this environment sees; null if no adapter or no driver loads. */
function tryAdapter(env) {
  try {
    const text = execFileSync(process.execPath, [self, '--probe'], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 60_000,
    });
    return JSON.parse(text.trim().split('\n').at(-1) ?? 'null');
  } catch {
    return null;
  }
}

const isSoftware = (info) => /swiftshader|llvmpipe/i.test(`${info.architecture} ${info.description}`);

function search() {
  const asIs = tryAdapter({});
  if (asIs && !isSoftware(asIs)) return { env: {}, software: false, ...asIs };
  for (const file of swiftshaderFiles) {
    if (!existsSync(file)) continue;
    const env = { VK_ICD_FILENAMES: file };
    const info = tryAdapter(env);
    if (info) return { env, software: true, ...info };
  }
  return asIs ? { env: {}, software: true, ...asIs } : null;
}

/**
 * The environment variables that give Node an adapter and what the adapter is. Where none is found and this is root on
 * a Debian-like machine, installs the software driver first. Throws with the command to run otherwise.
 */
export function findAdapter({ mayInstall = true, log = console.error } = {}) {
  const found = search();
  if (found) return found;
  if (mayInstall && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    for (const command of install) {
      log(`no WebGPU adapter: ${command}`);
      execFileSync('/bin/sh', ['-c', command], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    }
    const after = search();
    if (after) return after;
  }
  throw new Error(advice);
}

if (process.argv[1] === self) {
  if (process.argv.includes('--probe')) {
    console.log(JSON.stringify(await probe()));
    process.exit(0);
  }
  try {
    console.log(JSON.stringify(findAdapter()));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
