// The library build: ES modules. `vite build` for the entries of the package, which share files (docs/packaging.md): core.js has the
// compiled core inlined, engine.js all that others share, gpu.js the shaders; talus.wasm is the core as a file, for `talus/slim` and for
// hosts that load it themselves. `vite build --mode study` for `talus/study` and `--mode single` for `talus/single`, each a file of its
// own with everything in it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig, minifySync, type Plugin, parseAst } from 'vite';
import { compactShader, shaderNames } from './scripts/compact_shaders.mjs';
import { editChunk } from './scripts/edit_chunk.mjs';

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

/** The code of a thread: as text, and as the file of `talus/thread`. */
const compactThread: Plugin = {
  name: 'talus:compact-thread',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('/thread_code.js?raw')) return null;
    const { code } = minifySync('thread_code.js', readFileSync(id.slice(0, -'?raw'.length), 'utf8'));
    return `export default ${JSON.stringify(code)};`;
  },
};

/** Characters after which a line of the package ends with the next statement. */
const LINE_LENGTH = 120;

/**
 * Line breaks between statements, members and declared variables: Node prints the line that threw before the message of an error that nobody
 * caught, and without breaks that line is the whole file.
 */
const breakLines: Plugin = {
  name: 'talus:break-lines',
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const starts: number[] = [];
      collectStarts(parseAst(chunk.code), starts);
      starts.sort((a, b) => a - b);
      const breaks: { start: number; text: string }[] = [];
      for (const start of starts) if (start - (breaks.at(-1)?.start ?? 0) >= LINE_LENGTH) breaks.push({ start, text: '\n' });
      editChunk(bundle, chunk, breaks);
    }
  },
};

/** Fields of the syntax tree whose parts may begin a line. */
const LISTS = ['body', 'declarations', 'properties'];

/** Where statements, members of classes and of objects, and declared variables start. */
function collectStarts(node: unknown, starts: number[]): void {
  if (Array.isArray(node)) for (const one of node) collectStarts(one, starts);
  if (node === null || typeof node !== 'object' || !('type' in node)) return;
  for (const [key, value] of Object.entries(node)) {
    if (LISTS.includes(key) && Array.isArray(value)) starts.push(...value.map(({ start }) => start as number));
    if (value !== null && typeof value === 'object') collectStarts(value, starts);
  }
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
    return "export const wasmText = __TALUS_CORE__;\nexport { wasmHash } from './hash.generated';";
  },
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const generated = chunk.moduleIds.find((id) => id.endsWith('/binary.generated.ts'));
      if (generated === undefined) continue;
      const literal = /'(?:[^'\\]|\\.)*'(?=;\n)/.exec(readFileSync(generated, 'utf8'))![0];
      editChunk(bundle, chunk, [{ start: 0, text: `const __TALUS_CORE__ = ${literal};\n` }]);
    }
  },
};

/**
 * What the package loads by its address, in the one form that bundlers know; in the sources there are no such files, and Vite would
 * look for them.
 */
const nameFiles: Plugin = {
  name: 'talus:name-files',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const thread = (file: string) => `new Worker(new URL('./${file}',import.meta.url),{type:'module'})`;
    const names: Record<string, string> = {
      __TALUS_THREAD__: thread('worker_thread.js'),
      __TALUS_SLIM_THREAD__: thread('slim_worker_thread.js'),
      __TALUS_WASM__: "new URL('./talus.wasm',import.meta.url)",
    };
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const places = [...chunk.code.matchAll(/__TALUS_(?:THREAD|SLIM_THREAD|WASM)__/g)];
      editChunk(
        bundle,
        chunk,
        places.map(({ index, 0: name }) => ({ start: index, end: index + name.length, text: names[name]! })),
      );
    }
  },
};

/** The entries that share what they have in common: one class of errors, one engine, and the core only where it is inlined. */
const ENTRIES: Record<string, string> = {
  index: 'src/index.ts',
  gpu: 'src/gpu/index.ts',
  slim: 'src/slim/index.ts',
  slim_worker: 'src/slim/worker.ts',
  slim_worker_thread: 'src/slim/thread.ts',
  thread: 'src/threads/thread_code.js',
  rigs: 'src/rigs/index.ts',
  controllers: 'src/controllers/index.ts',
  worker: 'src/worker/index.ts',
  worker_thread: 'src/worker/full_thread.ts',
  three: 'src/three/index.ts',
  three_webgpu: 'src/three_webgpu/index.ts',
  react: 'src/react/index.ts',
  babylon: 'src/babylon/index.ts',
  playcanvas: 'src/playcanvas/index.ts',
  gltf: 'src/gltf/index.ts',
};

/** Packages that their users bring. */
const PEERS = [
  'three',
  'three/webgpu',
  'three/tsl',
  'react',
  'react/jsx-runtime',
  '@react-three/fiber',
  /^@babylonjs\/core\//,
  'playcanvas',
];

/** Files of their own, whole. */
const WHOLE: Record<string, string> = { study: 'src/study/index.ts', single: 'src/single.ts' };

/** Files that entries share: those named with all they need that no earlier line has. */
const CHUNKS = [
  {
    name: 'common',
    test: /[\\/]src[\\/](checks[\\/]\w+|bodies[\\/]keys|wasm[\\/]memory|layout\.generated|gpu[\\/]host|queries[\\/]types)\.ts$/,
  },
  { name: 'engine', test: /[\\/]src[\\/](world[\\/](world|unawaited)|options[\\/](product|edition)|wasm[\\/]load)\.ts$/ },
  { name: 'core', test: /[\\/]src[\\/](index|world[\\/]create_world|wasm[\\/]binary\.generated)\.ts$/ },
  { name: 'webgpu', test: /[\\/]src[\\/]gpu[\\/]webgpu\.ts$/ },
  { name: 'slim_core', test: /[\\/]src[\\/]slim[\\/](create_world|fetch_core)\.ts$/ },
  { name: 'meshes', test: /[\\/]src[\\/]three[\\/]/ },
  { name: 'engines', test: /[\\/]src[\\/](engines[\\/]pushes|rigs[\\/](turns|check))\.ts$/ },
  { name: 'rig_parts', test: /[\\/]src[\\/]rigs[\\/](bones|human|ragdoll|rig|skeleton|strands)\.ts$/ },
  { name: 'player_descs', test: /[\\/]src[\\/]controllers[\\/](character_desc|vehicle_desc|wheel_pose)\.ts$/ },
  { name: 'players', test: /[\\/]src[\\/]controllers[\\/](character|vehicle)\.ts$/ },
  { name: 'worker_side', test: /[\\/]src[\\/]worker[\\/]thread\.ts$/ },
  { name: 'remote', test: /[\\/]src[\\/]worker[\\/](talus_worker|messages|copy|calls)\.ts$/ },
];

/** The binary as a file too. */
const copyBinary = (from: string, to: string): Plugin => ({
  name: 'talus:copy-wasm',
  writeBundle({ dir }) {
    copyFileSync(resolve(root, 'build', from), resolve(dir!, to));
  },
});

/** The binary interface of the core as data, for hosts in other languages. */
const describeCore: Plugin = {
  name: 'talus:describe-core',
  writeBundle({ dir }) {
    const [script, wasm] = [resolve(root, 'scripts/gen_layout.mjs'), resolve(root, 'build/talus.wasm')];
    execFileSync(process.execPath, [script, '--json', resolve(dir!, 'layout.json'), '--wasm', wasm], { stdio: 'inherit' });
  },
};

export default defineConfig(({ mode }) => {
  const whole = WHOLE[mode];
  const entries = whole ? { [mode]: whole } : ENTRIES;
  return {
    publicDir: false,
    build: {
      target: 'es2022',
      minify: false, // by the output options below: for a library Vite would keep the white space
      sourcemap: !whole, // those of talus/study and talus/single would be as large as the files
      emptyOutDir: !whole,
      lib: {
        entry: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, resolve(root, path)])),
        formats: ['es'],
        fileName: (_format, name) => `${name}.js`,
      },
      // Names of functions and classes stay, for stack traces.
      rolldownOptions: {
        external: PEERS,
        checks: { pluginTimings: false },
        output: {
          chunkFileNames: '[name].js',
          ...(whole ? {} : { codeSplitting: { groups: CHUNKS } }),
          minify: {
            compress: true,
            mangle: { toplevel: true, keepNames: { class: true, function: false } },
            codegen: { removeWhitespace: true },
          },
        },
      },
    },
    plugins: [
      inlineOffsets,
      compactShaders,
      compactThread,
      breakLines,
      inlineCore,
      nameFiles,
      ...(whole ? [] : [copyBinary('talus.wasm', 'talus.wasm'), describeCore]),
      ...(mode === 'study' ? [copyBinary('talus.study.wasm', 'study.wasm')] : []),
    ],
  };
});
