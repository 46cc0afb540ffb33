// The library build: one ES module for each entry, `vite build` for the product and `vite build --mode study` for `talus/study`,
// with the compiled core and the shaders inlined; dist/talus.wasm and dist/study.wasm beside them for hosts that would rather load
// the binary themselves. `vite build --mode rigs` for `talus/rigs`, which takes what it needs of the product from there; likewise
// `--mode controllers`, `--mode worker` for `talus/worker` and `--mode worker_thread` for what runs in the thread; and `--mode three`,
// `--mode three_webgpu` and `--mode react` for `talus/three`, `talus/three/webgpu` and `talus/react`.
import { copyFileSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { compactShader, shaderNames } from './scripts/compact_shaders.mjs';

const root = import.meta.dirname;

let names: Map<string, string> | undefined;

/** Shaders as the package carries them. */
const compactShaders: Plugin = {
  name: 'talus:compact-shaders',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('.wgsl?raw')) return null;
    names ??= shaderNames(resolve(root, 'shaders'));
    const text = readFileSync(id.slice(0, -'?raw'.length), 'utf8');
    return `export default ${JSON.stringify(compactShader(text, names))};`;
  },
};

/** Offsets of the structs (`Header.gravityX`) as numbers: the tables of all names would be a tenth of the JavaScript. */
const inlineOffsets: Plugin = {
  name: 'talus:inline-offsets',
  enforce: 'pre',
  transform(code, id) {
    const names = /import (?:type )?\{([^}]*)\} from '[./]*\/layout\.generated';/.exec(code)?.[1]?.split(',');
    if (names === undefined || !id.startsWith(resolve(root, 'src'))) return null;
    const imported = new Set(names.map((name) => name.trim()));
    const known = offsets();
    const inlined = code.replace(/(?<![\w.])([A-Z]\w+)\.(\w+)\b/g, (text, struct: string) =>
      imported.has(struct) ? (known.get(text) ?? text) : text,
    );
    return { code: inlined, map: null }; // lines stay
  },
};

/** `Header.gravityX` and its like of src/layout.generated.ts. */
function offsets(): Map<string, string> {
  const text = readFileSync(resolve(root, 'src/layout.generated.ts'), 'utf8');
  const out = new Map<string, string>();
  for (const [, struct, body] of text.matchAll(/^export const (\w+) = \{\n([^}]*)\}/gm))
    for (const [, field, value] of body!.matchAll(/^ +(\w+): (\d+),$/gm)) out.set(`${struct}.${field}`, value!);
  return out;
}

/**
 * The core as it is in the generated module, in a first line of its own: a code generator would write half of its characters as
 * escapes of four.
 */
const inlineCore: Plugin = {
  name: 'talus:inline-core',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('/binary.generated.ts')) return null;
    this.addWatchFile(id);
    const hash = /^export const wasmHash = .*$/m.exec(readFileSync(id, 'utf8'))![0];
    return `export const wasmText = __TALUS_CORE__;\n${hash}`;
  },
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const generated = chunk.moduleIds.find((id) => id.endsWith('/binary.generated.ts'));
      if (generated === undefined) continue;
      const literal = /'(?:[^'\\]|\\.)*'(?=;\n)/.exec(readFileSync(generated, 'utf8'))![0];
      chunk.code = `const __TALUS_CORE__ = ${literal};\n${chunk.code}`;
      if (chunk.map) chunk.map.mappings = `;${chunk.map.mappings}`;
    }
  },
};

/**
 * What the entries beside it import of the product stays an import: one class of errors, also in the checks that they share, and no
 * second core.
 */
const shareProduct: Plugin = {
  name: 'talus:share-product',
  enforce: 'pre',
  resolveId(id, importer) {
    const isShared = /[\\/]src[\\/](rigs|controllers|worker|three|three_webgpu|react)[\\/]/.test(importer ?? '');
    if (id === '../three/index' && isShared) return { id: './three.js', external: true };
    const isProduct = id === '../index' && isShared;
    const isErrors = /^[./]*\/errors$/.test(id) && importer?.startsWith(resolve(root, 'src'));
    return isProduct || isErrors ? { id: './index.js', external: true } : null;
  },
};

/** Packages that their users bring. */
const PEERS = ['three', 'three/webgpu', 'three/tsl', 'react', 'react/jsx-runtime', '@react-three/fiber'];

/** The one form of starting a worker that bundlers know; here it would look for the file among the sources. */
const nameThread: Plugin = {
  name: 'talus:name-thread',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const start = "new Worker(new URL('./worker_thread.js',import.meta.url),{type:'module'})";
    for (const chunk of Object.values(bundle)) {
      if (chunk.type === 'chunk') chunk.code = chunk.code.replace('__TALUS_THREAD__', start);
    }
  },
};

/** Entries beside the product and study, which import the product. */
const BESIDE: Record<string, string> = {
  rigs: 'src/rigs/index.ts',
  controllers: 'src/controllers/index.ts',
  worker: 'src/worker/index.ts',
  worker_thread: 'src/worker/thread.ts',
  three: 'src/three/index.ts',
  three_webgpu: 'src/three_webgpu/index.ts',
  react: 'src/react/index.ts',
};

/** The binary as a file too. */
const copyBinary = (from: string, to: string): Plugin => ({
  name: 'talus:copy-wasm',
  writeBundle({ dir }) {
    copyFileSync(resolve(root, 'build', from), resolve(dir!, to));
  },
});

export default defineConfig(({ mode }) => {
  const study = mode === 'study';
  const beside = BESIDE[mode];
  const name = study || beside ? mode : 'index';
  return {
    publicDir: false,
    build: {
      target: 'es2022',
      minify: false, // by the output options below: for a library Vite would keep the white space
      sourcemap: true,
      emptyOutDir: name === 'index',
      lib: {
        entry: resolve(root, beside ?? (study ? 'src/study/index.ts' : 'src/index.ts')),
        formats: ['es'],
        fileName: name,
      },
      // Names of functions and classes stay, for stack traces.
      rolldownOptions: {
        external: PEERS,
        output: {
          minify: {
            compress: true,
            mangle: { toplevel: true, keepNames: { class: true, function: false } },
            codegen: { removeWhitespace: true },
          },
        },
      },
    },
    plugins: beside
      ? [shareProduct, inlineOffsets, nameThread]
      : [
          inlineOffsets,
          compactShaders,
          inlineCore,
          study ? copyBinary('talus.study.wasm', 'study.wasm') : copyBinary('talus.wasm', 'talus.wasm'),
        ],
  };
});
