// The front page: what talus is, a pile that comes to rest (front/hero.mjs), three claims that move (front/claims.mjs, front/rollback.mjs),
// code, examples and the comparison. Figures come from bench/results and from the recordings, never from this file. In: what build.mjs has
// of README and examples. Out: the body of index.html, and the bundle and pictures of what moves.
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { build } from 'vite';
import { newestWith } from '../scripts/figures/results.mjs';
import { values as figuresOfSizes } from '../scripts/figures.mjs';
import { SOURCE } from './address.mjs';
import { decodeRecording } from './front/recording.mjs';
import { encode } from './markdown.mjs';

const root = join(import.meta.dirname, '..');
const NAMES = { talus: 'talus', rapier: 'Rapier', havok: 'Havok', jolt: 'Jolt' };

/** Results of a run of the comparison by engine, and its date. */
function results(file) {
  const { date, results } = JSON.parse(readFileSync(join(root, 'bench/results', newestWith(file), file), 'utf8'));
  return { date: date.slice(0, 10), of: (engine) => results.find((result) => result.engine === engine) };
}

/** What was recorded, for the caption. */
export function readRecording(name) {
  return decodeRecording(gunzipSync(readFileSync(join(import.meta.dirname, `front/recordings/${name}.bin`))));
}

const percent = (share) => `${Math.round(100 * share)} %`;
const centimetres = (metres) => `${Number((100 * metres).toPrecision(2))} cm`;
const milliseconds = (ms) => `${ms.toPrecision(2)} ms`;

/** The words of the claims, with their figures. */
export function claims() {
  const wall = results('wall.json');
  const stands = (engine) => percent(wall.of(engine).stands.end.within10cm);
  const chain = results('joints_hanging-chain_1000.json');
  const gap = (engine) => centimetres(chain.of(engine).gapMax);
  const cost = (engine) => milliseconds(chain.of(engine).msSecondHalf);
  return {
    wall: {
      title: 'A wall that stands',
      text: `A wall of 300 bricks without mortar, for ten seconds. In talus ${stands('talus')} of the bricks stay within 10 cm of their place. In Havok ${stands('havok')} do. In Rapier ${stands('rapier')} do: its wall stands too, but its top sinks by ${centimetres(wall.of('rapier').stands.end.sunk)}.`,
      link: ['reports/bench.html#wall', 'Times and figures of this scene'],
      date: wall.date,
    },
    chain: {
      title: 'A chain that carries 1,000 times the mass of a link',
      text: `A ball hangs on 25 links. After ten seconds the widest gap in a joint is ${gap('talus')} in talus, ${gap('rapier')} in Rapier, ${gap('havok')} in Havok and ${gap('jolt')} in Jolt. That costs time: ${cost('talus')} per step in talus, ${cost('rapier')} in Rapier, ${cost('havok')} in Havok.`,
      link: ['reports/bench.html#joints_hanging-chain_1000', 'Times and figures of this scene'],
      date: chain.date,
    },
  };
}

const still = (name, width, height, about) =>
  ['light', 'dark']
    .map(
      (theme) =>
        `<img class="still only-${theme}" src="front/${name}-${theme}.webp" width="${width}" height="${height}" alt="${theme === 'light' ? encode(about) : ''}"${name === 'pile' ? ' fetchpriority="high"' : ''} loading="lazy">`,
    )
    .join('');

const pause = (of) => `<button type="button" class="pause" hidden data-pauses="${of}">Pause</button>`;

/** A recorded claim: words on one side, both engines on the other. */
function recorded(name, { title, text, link, date }) {
  const { runs, steps, stride } = readRecording(name);
  const [own, other] = runs.map(({ name, version }) => [NAMES[name], version]);
  const rate = 60 / stride;
  return `<article class="claim"><div><h3>${title}</h3><p>${encode(text)}</p><p><a href="${link[0]}">${link[1]}</a></p></div>
<figure><div class="moving both"><canvas data-claim="${name}" data-recording="front/${name}.bin" id="claim-${name}" role="img" aria-label="${encode(`${title}: ${own[0]} beside ${other[0]}`)}"></canvas>${still(name, 960, 540, `${title}: ${own[0]} on the left, ${other[0]} on the right, at the end of the run`)}<span>${own[0]}</span><span>${other[0]}</span></div>
<figcaption><span>Recorded from real runs at ${rate} frames per second: talus ${own[1]} and ${other[0]} ${other[1]}, ${steps} steps of 1/60 s, every engine at its defaults, sleeping off. Figures of ${date}.${name === 'chain' ? ' Links are drawn twice as thick as they are.' : ''}</span>${pause(`claim-${name}`)}</figcaption></figure></article>`;
}

function rollback(version) {
  return `<article class="claim"><div><h3>The same input, the same bits</h3><p>With WebAssembly, talus computes the same bits on every machine and with any number of threads, and a snapshot holds all of a world. So rollback for network games takes three calls: snapshot, restore, step.</p><p><a href="examples/rollback.html">The example</a> · <a href="guide/rollback.html">The guide</a></p></div>
<figure><div class="moving both"><canvas id="rollback" role="img" aria-label="Two towers of bricks under the same throws; the right world goes back and catches up"></canvas>${still('rollback', 960, 540, 'Two towers of bricks that fell in the same way')}<span>runs on</span><span>goes back, catches up</span></div>
<figcaption><span><span id="rollback-line" class="ticker">The right world goes back by one second and computes it again.</span> Live on this page, talus ${version}; the hash is that of the whole world.</span>${pause('rollback')}</figcaption></figure></article>`;
}

/** The body of the page. `code`: of the first scene, highlighted, with `lines` lines; `cards`: of the gallery; `table`: with other engines, as HTML. */
export function frontBody({ version, code, lines, cards, table }) {
  const { wall, chain } = claims();
  const { talus, gpu } = figuresOfSizes();
  return `<main id="main">
<section class="hero"><div><h1>Piles that come to rest.</h1>
<p class="lead">talus is a 3D rigid-body physics engine for the web: WebAssembly, optional WebGPU, ${talus} kB, no dependencies.</p>
<div class="install"><pre tabindex="0">npm install talus</pre></div>
<p class="calls"><a class="call first" href="guide/start.html">Get started</a> <a class="call" href="demo/index.html">Demo</a> <a href="${SOURCE}">GitHub</a></p>
<p class="works">Works with <a href="guide/three.html">three.js</a>, <a href="guide/react.html">React Three Fiber</a>, <a href="guide/babylon.html">Babylon.js</a> and <a href="guide/playcanvas.html">PlayCanvas</a>, or without a renderer, in pages, workers and Node.</p></div>
<figure class="pile"><div class="moving"><canvas id="pile" role="img" aria-label="Stones are poured on a heap and come to rest"></canvas>${still('pile', 1120, 960, 'A heap of stones at rest')}</div>
<figcaption><span id="pile-line">A heap of stones that talus has brought to rest.</span><button type="button" id="pile-again" hidden>Pour again</button></figcaption></figure>
</section>
<section class="claims"><h2>See for yourself</h2>
${recorded('wall', wall)}
${recorded('chain', chain)}
${rollback(version)}
<p class="note">Other engines are faster in some scenes, bridges and machines of a few bodies among them: see the table below. <code>node site/record.mjs</code> in a checkout makes the recordings again, <code>npm run bench</code> the figures.</p></section>
<section class="two"><div><h2>A scene in ${lines} lines</h2><p>You create bodies from your three.js meshes and call <code>update</code> once per frame. Vectors of three.js go in and come out, and you never have to free anything.</p>
<ul><li>New to physics? <a href="guide/start.html">Get started</a> goes step by step.</li><li>Coming from <a href="guide/migrate.html#rapier">Rapier</a>, <a href="guide/migrate.html#cannon-es">cannon-es</a>, <a href="guide/migrate.html#havok">Havok</a> or <a href="guide/migrate.html#ammo">ammo</a>? The guide translates call by call.</li><li>WebGPU adds ${gpu} kB, and only if you import it: <a href="guide/gpu.html">when it pays</a>.</li><li>Without a bundler, in workers, in Node: <a href="guide/packaging.html">packaging</a>.</li></ul></div>${code}</section>
<section><h2>Examples</h2><ul class="gallery">${cards}</ul><p><a class="go" href="examples/index.html">All examples</a></p></section>
${table && `<section><h2>Compared with other engines</h2><p>Milliseconds per step in the first and second half of a run, and what still stands at its end. One thread, engines at their defaults, sleeping off; <a href="reports/bench.html">all results and how they are made</a>.</p>${table}<p>How fast is talus where you are? <a href="demo/measure.html">Measure your machine</a>, or see <a href="reports/visitors.html">machines of other visitors</a>.</p></section>`}
<section><h2>Where it comes from</h2><p>The solver goes back to these works, and the laboratory of this site repeats their tables and figures.</p>
<ul class="papers"><li>R. Tonge, F. Benevolenski, A. Voroshilov: <a href="https://doi.org/10.1145/2185520.2185601">Mass splitting for jitter-free parallel rigid body simulation</a>. ACM Transactions on Graphics 31(4), 2012. <a href="reports/lab.html#tonge2012">Repeated with talus</a></li>
<li>R. Tonge: <a href="http://www.richardtonge.com/">Solving rigid body contacts</a>. Talk at the Game Developers Conference.</li>
<li>J. Tsuda: Practical rigid body physics for games. SIGGRAPH Asia course, 2009. <a href="reports/lab.html#tsuda2009">Repeated with talus</a></li>
<li>S. Datta: Real time rigid body dynamics in 3D. 2017. <a href="reports/lab.html#datta2017">Repeated with talus</a></li></ul></section>
</main>`;
}

/** What moves on the page: its bundle, the recordings and the still pictures, into `front/`. */
export async function buildFront(out) {
  await build({
    root: join(import.meta.dirname, 'front'),
    base: './',
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: join(out, 'front'),
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rollupOptions: {
        input: join(import.meta.dirname, 'front/main.mjs'),
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js', assetFileNames: '[name]-[hash][extname]' },
      },
    },
  });
  for (const folder of ['recordings', 'stills'])
    cpSync(join(import.meta.dirname, 'front', folder), join(out, 'front'), { recursive: true });
}
