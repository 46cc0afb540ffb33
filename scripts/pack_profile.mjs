// `npm run profile:pack`: the profiling runs as a folder and a tarball that run on a Linux machine with a GPU and nothing else:
// no Node, no npm, no Vulkan loader. In: dist/, profiling/, this machine's Node, npm `webgpu`. Out: build/talus-profile/ and
// build/talus-profile.tar.gz.
//
//   run.sh                      finds loader and driver, then runs
//   profile.mjs                 loads the rest: what cli/profile.mjs is in the repository
//   profiling/node/cli.mjs      the command line and all it needs, in one file
//   bench/engines/rapier.mjs    the one other engine that is packed
//   dist/, node_modules/webgpu, scripts/find_adapter.mjs
//   bin/node, lib/              Node, and libraries for machines that lack them
//
// `--software` packs SwiftShader too, for machines without a GPU.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '..');
const name = 'talus-profile';
const out = join(root, 'build', name);
const withSoftware = process.argv.includes('--software');
const require = (path, advice) => {
  if (!existsSync(path)) throw new Error(`${path} is missing: ${advice}`);
  return path;
};

if (process.platform !== 'linux') throw new Error('packs for Linux, on Linux');
require(join(root, 'dist/study.js'), 'run `npm run build` first');
rmSync(out, { recursive: true, force: true });
const folder = (...path) => {
  const made = join(out, ...path);
  mkdirSync(made, { recursive: true });
  return made;
};

/** One file of an entry and all it imports, Node's own modules and `external` left out. */
async function bundle(entry, to, external) {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    plugins: [
      {
        // The bench loads scenes through Vite, which is not packed: here they are bundled.
        name: 'talus:scenes',
        enforce: 'pre',
        resolveId: (id) => (id.endsWith('lib/scenes.mjs') ? join(root, 'scenes/index.ts') : null),
      },
    ],
    build: {
      ssr: join(root, entry),
      target: 'node20',
      outDir: join(out, dirname(to)),
      emptyOutDir: false,
      minify: false,
      copyPublicDir: false,
      rollupOptions: { external, output: { entryFileNames: to.split('/').at(-1), codeSplitting: false } },
    },
  });
}

/** Packed for machines that lack them. The last four are libglvnd, without which NVIDIA's Vulkan driver does not start. */
const LIBRARIES = [
  'libvulkan.so.1',
  'libstdc++.so.6',
  'libgcc_s.so.1',
  'libEGL.so.1',
  'libGL.so.1',
  'libGLX.so.0',
  'libGLdispatch.so.0',
];

/** Where the dynamic linker finds a library here, or null. */
function libraryPath(library) {
  const line = execFileSync('/sbin/ldconfig', ['-p'], { encoding: 'utf8' })
    .split('\n')
    .find((text) => text.trim().startsWith(`${library} `) && text.includes('x86-64') === (process.arch === 'x64'));
  return line?.split('=>')[1]?.trim() ?? null;
}

console.log('bundling');
await bundle('profiling/node/cli.ts', 'profiling/node/cli.mjs', []);
await bundle('bench/engines/rapier.mjs', 'bench/engines/rapier.mjs', []);

console.log('copying');
copyFileSync(join(root, 'dist/study.js'), join(folder('dist'), 'study.js'));
const webgpu = join(root, 'node_modules/webgpu');
const packed = folder('node_modules/webgpu');
for (const file of ['package.json', 'index.js', 'LICENSE.md']) copyFileSync(join(webgpu, file), join(packed, file));
const platform = `${process.platform}-${process.arch}`;
cpSync(join(webgpu, 'dist', platform), folder('node_modules/webgpu/dist', platform), { recursive: true });
// Adapters read their version from here.
copyFileSync(
  join(root, 'node_modules/@dimforge/rapier3d-simd-compat/package.json'),
  join(folder('node_modules/@dimforge/rapier3d-simd-compat'), 'package.json'),
);
copyFileSync(join(root, 'scripts/find_adapter.mjs'), join(folder('scripts'), 'find_adapter.mjs'));
copyFileSync(join(root, 'bench/lib/gpu.mjs'), join(folder('bench/lib'), 'gpu.mjs'));
copyFileSync(process.execPath, join(folder('bin'), 'node'));
chmodSync(join(out, 'bin/node'), 0o755);
for (const library of LIBRARIES) {
  const path = libraryPath(library);
  if (path) copyFileSync(path, join(folder('lib', library.split('.')[0]), library));
  else console.log(`${library} is not on this machine and not packed`);
}
if (withSoftware) {
  const from = require('/usr/lib/chromium/libvk_swiftshader.so', 'install chromium');
  copyFileSync(from, join(folder('lib/swiftshader'), 'libvk_swiftshader.so'));
  copyFileSync(join(dirname(from), 'vk_swiftshader_icd.json'), join(out, 'lib/swiftshader/vk_swiftshader_icd.json'));
}
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
writeFileSync(
  join(out, 'package.json'),
  `${JSON.stringify({ name: 'talus', version, type: 'module', private: true }, null, 2)}\n`,
);
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
let commit = null;
try {
  commit =
    git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' with changes');
} catch {
  // Not a repository: a report will not tell the commit.
}
writeFileSync(join(out, 'about.json'), `${JSON.stringify({ commit, packed: new Date().toISOString() })}\n`);

writeFileSync(
  join(out, 'profile.mjs'),
  `// Loads what was packed and runs the command line.
import { openAdapter } from './bench/lib/gpu.mjs';
import { createWorld } from './dist/study.js';
import { main } from './profiling/node/cli.mjs';

const engines = { rapier: async () => (await import('./bench/engines/rapier.mjs')).create };
const root = import.meta.dirname;
const status = await main(process.argv.slice(2), { createWorld, root, openAdapter, engines, command: './run.sh' });
process.exit(status);
`,
);
writeFileSync(
  join(out, 'run.sh'),
  `#!/bin/sh
# Runs the profile; options are passed on (--help lists them). Uses this machine's libraries where it has them and the packed
# ones where not, and looks for the driver's Vulkan manifest where the loader would not.
here=$(cd "$(dirname "$0")" && pwd)
has() { { ldconfig -p || /sbin/ldconfig -p; } 2>/dev/null | grep -q "$1"; }
for library in ${LIBRARIES.join(' ')}; do
  if ! has "$library"; then LD_LIBRARY_PATH="$here/lib/\${library%%.*}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"; fi
done
[ -n "$LD_LIBRARY_PATH" ] && export LD_LIBRARY_PATH
if [ -z "$VK_DRIVER_FILES$VK_ICD_FILENAMES" ] && ! ls /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json >/dev/null 2>&1; then
  for file in /usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json /usr/local/share/vulkan/icd.d/*.json \\
    /opt/*/share/vulkan/icd.d/*.json /usr/lib/*/nvidia/current/nvidia_icd.json "$here"/lib/swiftshader/vk_swiftshader_icd.json; do
    if [ -f "$file" ]; then export VK_DRIVER_FILES="$file" VK_ICD_FILENAMES="$file"; break; fi
  done
fi
exec "$here/bin/node" "$here/profile.mjs" "$@"
`,
);
chmodSync(join(out, 'run.sh'), 0o755);
writeFileSync(
  join(out, 'README.txt'),
  `talus profiling runs, packed for ${platform}. Nothing has to be installed but the GPU's driver (glibc 2.34 or newer:
Debian 12, Ubuntu 22.04, Fedora 35, RHEL 9).

  ./run.sh --quick          a first look: a minute or two
  ./run.sh                  the whole matrix, 1,000 to 100,000 bodies: an hour or more
  ./run.sh --help

The report is written to profile-report/: profile.html opens in any browser, profile.json has the numbers.
If a run is cut short, ./run.sh --resume profile-report/profile.json goes on.
If no adapter is found: VK_DRIVER_FILES=/path/to/driver_icd.json ./run.sh
${withSoftware ? 'SwiftShader, a software adapter, is packed and used where there is no Vulkan driver.\n' : ''}`,
);

console.log('packing');
const tarball = join(root, 'build', `${name}.tar.gz`);
execFileSync('tar', ['-czf', tarball, '-C', join(root, 'build'), name]);
const size = (path) => `${(statSync(path).size / 2 ** 20).toFixed(1)} MiB`;
console.log(`${out} (${readdirSync(out).length} entries), ${tarball} (${size(tarball)})`);
