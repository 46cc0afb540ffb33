// Live examples of the site: builds each file of examples/ as a page of its own in `live/`, and makes the figure that shows such a page
// inside another one.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { PADS } from './chapters.mjs';
import { encode } from './markdown.mjs';

const root = join(import.meta.dirname, '..');

/** The page of one example: the stage first (theme, rest out of sight, buttons for fingers), then the file as it is. */
const pageOf = ({ name, kind, title }) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${encode(title)}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="../../site/live/stage.css">
<body${PADS[name] ? ` data-pad="${PADS[name]}"` : ''}><script type="module" src="../../site/live/stage.js"></script>
<script type="module" src="../../examples/${name}.${kind}"></script>`;

/** Entries of the package, by their built files; `talus` itself and those with a world of their own tell the page of their worlds. */
const ALIAS = [
  ...['three/webgpu:three_webgpu', 'three', 'controllers', 'rigs', 'gltf', 'gpu', 'babylon', 'playcanvas'].map((entry) => {
    const [name, file = name] = entry.split(':');
    return { find: new RegExp(`^talus/${name}$`), replacement: join(root, `dist/${file}.js`) };
  }),
  { find: /^talus\/worker$/, replacement: join(root, 'site/live/worker.js') },
  { find: /^talus\/react$/, replacement: join(root, 'site/live/react.js') },
  { find: /^talus$/, replacement: join(root, 'site/live/talus.js') },
];

/** Builds the pages of `examples` into the folder `outDir`. */
export async function buildLive(outDir, examples) {
  const temporary = join(root, 'build/site-live');
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const input = {};
  for (const example of examples) {
    input[example.name] = join(temporary, `${example.name}.html`);
    writeFileSync(input[example.name], pageOf(example));
  }
  await build({
    root: temporary,
    base: './',
    configFile: false,
    logLevel: 'error',
    resolve: { alias: ALIAS },
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1e5,
      rollupOptions: { input },
    },
  });
  rmSync(temporary, { recursive: true, force: true });
}

/**
 * A live example inside a page: the frame, its name, and links to start it again, see it alone and read its source. `up` leads to the root
 * of the site; `source: false` leaves out the link, on the page that shows the source.
 */
export function liveFigure({ name, title }, { up = '../', source = true } = {}) {
  const link = source ? ` <a href="${up}examples/${name}.html">Source</a>` : '';
  return `<figure class="stage"><iframe src="${up}live/${name}.html" title="${encode(title)}, running" loading="lazy"></iframe>
<figcaption><span><strong>${encode(title)}</strong> <span class="stats"></span></span><span><button type="button" class="again">Restart</button> <a href="${up}live/${name}.html">Full screen</a>${link}</span></figcaption></figure>
`;
}
