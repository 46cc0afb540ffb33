// Puts the site together: pages from docs/, examples/, the reports and the docstrings, live examples and demo by Vite, the search index.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import MiniSearch from 'minisearch';
import { build } from 'vite';
import { pageStyle } from '../scripts/drawings/kit.mjs';
import { OPTIONS } from './assets/find.js';
import { EXAMPLES, GUIDE, OTHERS } from './chapters.mjs';
import { buildLive, liveFigure } from './live.mjs';
import { cut, encode, highlight, render, slugify } from './markdown.mjs';
import { writePlain, writePlainReference } from './plain.mjs';
import { buildReference } from './reference.mjs';
import { benchReport, labReports } from './reports.mjs';
import { page as frame } from './template.mjs';
import { readVisitors, visitorsHtml } from './visitors.mjs';

const root = join(import.meta.dirname, '..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json'));

/** Where a file of the repository, or a section of it, is on the site: `docs/api.md#joints` -> `guide/joints.html`. */
const places = new Map(Object.entries(OTHERS));
/** Examples and what else lies in their folder: live pages, and sources as they are. */
for (const file of readdirSync(join(root, 'examples'))) {
  const name = file.split('.')[0];
  places.set(`examples/${file}`, file.endsWith('.js') ? `examples/${name}.html` : `examples/${file}`);
}
/** Addresses of files of the repository, in pages that are read without it. */
const REPOSITORY = /^https:\/\/github\.com\/talus-physics\/talus\/(blob|tree)\/main\//;
const KIND_TITLES = [
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['interface', 'Interfaces'],
  ['type', 'Types'],
  ['constant', 'Constants'],
];
/** Entries of the search. */
const records = [];
let out = '';
let count = 0;

function write(path, options) {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, frame({ path, version, ...options }));
  count++;
}

function index(path, kind, title, sections, text = true) {
  for (const section of sections) {
    if (!section.title && !section.text.trim()) continue;
    records.push({
      id: section.id ? `${path}#${section.id}` : path,
      kind,
      page: title,
      title: section.title || title,
      text: text ? section.text : section.text.slice(0, 160),
      about: section.text.trim().slice(0, 120),
    });
  }
}

/** Links of a file of the repository for the page at `from`. */
const linker = (file, from) => (to) => {
  const isFar = /^https?:/.test(to);
  if (isFar && !REPOSITORY.test(to)) return to;
  const [path, hash = ''] = to.replace(REPOSITORY, '').split('#');
  const target = isFar ? path : path ? posix.normalize(posix.join(posix.dirname(file), path)) : file;
  const place = places.get(`${target}#${hash}`) ?? places.get(target) ?? null;
  if (place === null && isFar) return to;
  return place === null ? null : posix.relative(posix.dirname(from), place) || posix.basename(place);
};

/** A drawing as an element, so that it follows the theme of the page; narrow screens scroll it. */
function drawn(path) {
  const svg = read(path)
    .replace(/<style>[\s\S]*?<\/style>\s*/, '')
    .replace(/ width="(\d+)" height="\d+" role/, ' style="max-width: $1px" role');
  return `<span class="drawing-box" tabindex="0" role="group" aria-label="Drawing">${svg.replaceAll(/\n\s*/g, '')}</span>`;
}

/** Pictures of a file of the repository for the page at `from`: copied to the assets; drawings are elements. */
const pictures = (file, from) => (src) => {
  const path = posix.normalize(posix.join(posix.dirname(file), src));
  const to = `assets/${posix.basename(path)}`;
  cpSync(join(root, path), join(out, to));
  return path.startsWith('docs/drawings/') ? drawn(path) : posix.relative(posix.dirname(from), to);
};

/** Linked pictures that are paragraphs of a guide: where they lead to an example, it runs there. */
const frames = (to) => {
  const [, name] = /^\.\.\/examples\/(\w+)\.jsx?$/.exec(to) ?? [];
  return name === undefined ? null : liveFigure(example(name));
};

/** A chapter with the drawings and live examples that site/chapters.mjs adds to it. */
function illustrate(html, { slug, drawings = [], live: [first, ...more] = [] }) {
  const drawing = pictures('docs/start.md', `guide/${slug}.html`);
  const pieces = drawings.map((name) => `<p>${drawing(`drawings/${name}.svg`)}</p>\n`);
  if (first) pieces.push(liveFigure(example(first)));
  const end = html.indexOf('</p>') + '</p>'.length;
  const rest = more.length
    ? `<h2 id="more-to-try">More to try</h2>${more.map((name) => liveFigure(example(name))).join('')}`
    : '';
  return html.slice(0, end) + pieces.join('') + html.slice(end) + rest;
}

/** Sections by chapter; fills `places`. */
function plan() {
  const used = new Map();
  const chapters = GUIDE.flatMap(({ chapters }) => chapters);
  for (const chapter of chapters) {
    const path = `guide/${chapter.slug}.html`;
    const texts = [];
    for (const { file, sections } of chapter.parts) {
      const parts = cut(read(file));
      const wanted = sections ?? parts.map(([title]) => title);
      const taken = used.get(file) ?? used.set(file, new Set()).get(file);
      if (wanted.includes('')) places.set(file, path);
      for (const title of wanted) {
        const part = parts.find(([name]) => name === title);
        if (!part) throw new Error(`${file} has no section "${title}" (site/chapters.mjs)`);
        taken.add(title);
        texts.push({ file, title, text: part[1] });
        // Headings below lead to the same page.
        for (const [, , name] of `\n## ${title}\n${part[1]}`.matchAll(/\n(#{2,4}) (.*)/g)) {
          const id = slugify(name.replaceAll('`', ''));
          places.set(`${file}#${id}`, `${path}#${id}`);
        }
      }
    }
    chapter.texts = texts;
  }
  for (const [file, taken] of used) {
    for (const [title, text] of cut(read(file))) {
      if (!taken.has(title) && (title || text.trim()))
        throw new Error(`${file}: "${title}" is in no chapter (site/chapters.mjs)`);
    }
    if (!places.has(file))
      places.set(file, `guide/${chapters.find(({ parts }) => parts.some((part) => part.file === file)).slug}.html`);
  }
  return chapters;
}

/** The page as a whole, under all words by which it is looked for. */
function indexChapter(path, { title, about, topics }) {
  const intro = records.find(({ id }) => id === path);
  if (intro) Object.assign(intro, { topics, about });
  else records.push({ id: path, kind: 'Guide', page: title, title, topics, text: about, about });
}

/** How the search speaks of a chapter. */
function kindOf(chapter) {
  if (chapter.slug === 'changes') return 'Changes';
  return GUIDE.find(({ chapters }) => chapters.includes(chapter)).title === 'Internals' ? 'Internals' : 'Guide';
}

const onThisPage = (headings) => {
  const entries = headings.filter(({ level }) => level === 2);
  if (entries.length < 2) return '';
  return `<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${entries
    .map(({ id, title }) => `<li><a href="#${id}">${encode(title)}</a></li>`)
    .join('')}</ul></nav>`;
};
const side = (label, body) =>
  `<details class="side" open><summary>${label}</summary><nav aria-label="${label}">${body}</nav></details>`;
const layout = (aside, main, toc = '') => `<div class="page">${aside}<main id="main">${main}</main>${toc}</div>`;

function guide() {
  const chapters = plan();
  chapters.forEach((chapter, i) => {
    const path = `guide/${chapter.slug}.html`;
    const single = chapter.texts.length === 1 && chapter.texts[0].title !== '';
    const files = new Set(chapter.texts.map(({ file }) => file));
    let html = '';
    const headings = [];
    for (const { file, title, text } of chapter.texts) {
      const clash = files.size > 1 && chapter.parts.some((part) => part.file !== file);
      const source = title && !single ? `## ${title}\n${text}` : text;
      const made = render(source, {
        link: linker(file, path),
        image: pictures(file, path),
        frame: frames,
        raise: single ? 1 : 0,
      });
      if (clash && headings.some(({ id }) => made.headings.some((heading) => heading.id === id))) {
        throw new Error(`${path}: two sections of one name`);
      }
      if (single) made.sections[0].id = slugify(title);
      html += made.html;
      headings.push(...made.headings);
      index(path, kindOf(chapter), chapter.title, made.sections);
    }
    indexChapter(path, chapter);
    const menu = GUIDE.map(
      ({ title, chapters }) =>
        `<h2>${title}</h2><ul>${chapters
          .map(
            ({ slug, title }) =>
              `<li><a href="${slug}.html"${slug === chapter.slug ? ' aria-current="page"' : ''}>${title}</a></li>`,
          )
          .join('')}</ul>`,
    ).join('');
    const [before, after] = [chapters[i - 1], chapters[i + 1]].map((to) => to && `<a href="${to.slug}.html">${to.title}</a>`);
    const turn = `<nav class="turn" aria-label="Chapters before and after"><span>${before ?? ''}</span><span>${after ?? ''}</span></nav>`;
    // Pages that are no part of the package, which its docs cannot link to.
    const see = (chapter.see ?? []).map(([to, title]) => `<a href="${to}">${title}</a>`).join(', ');
    if (see) html += `<p>See also: ${see}.</p>`;
    html = illustrate(html, chapter);
    const id = single ? ` id="${slugify(chapter.texts[0].title)}"` : '';
    const main = `<h1${id}>${chapter.title}</h1><p class="lead">${render(chapter.about, { link: () => null }).html.replace(/<\/?p>/g, '')}</p>${html}${turn}`;
    write(path, {
      title: `${chapter.title} · talus`,
      about: chapter.about,
      body: layout(side('Guide', menu), main, onThisPage(headings)),
    });
  });
}

/** Title and sentence of an example: `// Title: sentence.` Those of React are JSX. `also`: the source of its worker, if it has one. */
function example(name) {
  const kind = existsSync(join(root, `examples/${name}.jsx`)) ? 'jsx' : 'js';
  const source = read(`examples/${name}.${kind}`);
  const worker = `examples/${name}.worker.js`;
  const [, title, about] = /^\/\/ ([^:]+): (.*)/.exec(source);
  return {
    name,
    kind,
    source,
    also: existsSync(join(root, worker)) ? read(worker) : '',
    title,
    about: about[0].toUpperCase() + about.slice(1),
  };
}

async function examples() {
  const groups = EXAMPLES.map(([title, names]) => ({ title, all: names.map(example) }));
  const all = groups.flatMap(({ all }) => all);
  await buildLive(join(out, 'live'), all);
  cpSync(join(root, 'site/thumbnails'), join(out, 'examples/thumbnails'), { recursive: true });
  const gallery = groups
    .map(
      ({ title, all }) =>
        `<h2>${title}</h2><ul class="gallery">${all
          .map(
            ({ name, title, about }) =>
              `<li><a href="${name}.html"><img src="thumbnails/${name}.jpg" alt="" width="480" height="300" loading="lazy"><strong>${title}</strong></a><p>${encode(about)}</p></li>`,
          )
          .join('')}</ul>`,
    )
    .join('');
  const lead =
    'Each is one file for an empty project with three.js: <code>npm install talus three</code>, paste, run. Those in React need <code>react react-dom @react-three/fiber</code>, too; those of Babylon.js and PlayCanvas need <code>@babylonjs/core</code> or <code>playcanvas</code> instead of three.';
  write('examples/index.html', {
    title: 'Examples · talus',
    about: 'Live examples with their source.',
    kind: 'wide',
    body: layout('', `<h1>Examples</h1><p class="lead">${lead}</p>${gallery}`),
  });
  cpSync(join(root, 'examples/server.mjs'), join(out, 'examples/server.mjs'));
  all.forEach(({ name, kind, title, about, source, also }, i) => {
    const [before, after] = [all[i - 1], all[i + 1]].map((to) => to && `<a href="${to.name}.html">${to.title}</a>`);
    const code = source.slice(source.indexOf('\n') + 1);
    write(`examples/${name}.html`, {
      title: `${title} · talus`,
      about,
      kind: 'wide',
      body: layout(
        '',
        `<p class="back"><a href="index.html">Examples</a></p><h1>${title}</h1><p class="lead">${encode(about)}</p>
<div class="live">${liveFigure({ name, title }, { source: false })}<section aria-label="Source">${highlight(code, kind)}${also && highlight(also, 'js')}</section></div>
<nav class="turn" aria-label="Examples before and after"><span>${before ?? ''}</span><span>${after ?? ''}</span></nav>`,
      ),
    });
    records.push({
      id: `examples/${name}.html`,
      kind: 'Example',
      page: 'Examples',
      title,
      text: `${about} ${source} ${also}`,
      about,
    });
  });
}

/** Entries for one engine, and those that repeat the API of `talus`. */
const isPlugin = (module) => /^(slim|study|react|babylon|playcanvas|worker)/.test(module);

async function reference() {
  const { pages, modules } = await buildReference(join(root, 'build/site-reference'));
  writePlainReference(out, { pages, modules });
  const menu = (here, up) =>
    modules
      .map(({ id, name, pages }) => {
        const entries = pages.map(
          ({ path, title }) =>
            `<li><a href="${up}${path}"${path === here?.path ? ' aria-current="page"' : ''}>${encode(title)}</a></li>`,
        );
        return id === here?.module
          ? `<h2>${name}</h2><ul>${entries.join('')}</ul>`
          : `<h2><a href="${up}index.html#${id}">${name}</a></h2>`;
      })
      .join('');
  for (const made of pages) {
    const up = '../'.repeat(made.path.split('/').length - 1);
    const { name } = modules.find(({ id }) => id === made.module);
    const path = `reference/${made.path}`;
    write(path, {
      title: `${made.title} · ${name}`,
      kind: 'reference',
      body: layout(
        side('API', menu(made, up)),
        `<p class="back"><a href="${up}index.html#${made.module}">${name}</a></p><h1>${encode(made.title)} <small>${made.kind}</small></h1>${made.html}`,
        onThisPage(made.headings),
      ),
    });
    index(path, isPlugin(made.module) ? 'Plugin' : 'API', `${made.title} (${name})`, made.sections, false);
  }
  const lists = modules
    .map(
      ({ id, name, pages }) =>
        `<h2 id="${id}">${name}</h2>${
          KIND_TITLES.map(([kind, title]) => {
            const of = pages.filter((page) => page.kind === kind);
            const names = of.map(({ path, title }) => `<li><a href="${path}">${encode(title)}</a></li>`).join('');
            return of.length ? `<h3>${title}</h3><ul class="names">${names}</ul>` : '';
          }).join('') || '<p>Exports again what <code>talus</code> has, or adds to its worlds.</p>'
        }`,
    )
    .join('');
  write('reference/index.html', {
    title: 'API · talus',
    about: 'All that the package exports, from the docstrings.',
    kind: 'reference',
    body: layout(
      side('API', menu(null, '')),
      `<h1>API reference</h1><p class="lead">All that the package exports, by entry. The <a href="../guide/start.html">guide</a> goes by task; most calls are on <a href="index/interfaces/World.html">World</a>.</p>${lists}`,
    ),
  });
}

function reports() {
  const bench = benchReport();
  const benchText = render(cut(read('bench/README.md'))[1][1], { link: linker('bench/README.md', 'reports/bench.html') });
  write('reports/bench.html', {
    title: 'Beside other engines · talus',
    about: 'Times, overlap and calm of talus, Rapier, Havok, Jolt and cannon-es on the same scenes.',
    body: layout(
      side('Reports', reportMenu('bench.html', '')),
      `<h1>Beside other engines</h1><p class="lead">The same scenes, step by step in turn, one process, one thread; the latest run of each scene.</p><h2 id="how">What is compared</h2>${benchText.html}${bench.html}`,
      onThisPage(bench.headings),
    ),
  });
  index('reports/bench.html', 'Report', 'Beside other engines', [
    ...benchText.sections,
    ...bench.headings.map(({ id, title }) => ({ id, title, text: '' })),
  ]);
  const visitors = visitorsHtml(readVisitors());
  write('reports/visitors.html', {
    title: 'Results · talus',
    about: 'Times of talus on machines of visitors: WASM, threads, WebGPU.',
    body: layout(
      side('Reports', reportMenu('visitors.html', '')),
      `<h1>Results</h1><p class="lead">talus on the machines of visitors. <a href="../demo/measure.html">Measure yours</a>; it takes a minute.</p>${visitors.html}`,
      onThisPage(visitors.headings),
    ),
  });
  index(
    'reports/visitors.html',
    'Report',
    'Results',
    visitors.headings.map(({ id, title }) => ({ id, title, text: `Results of visitors: ${title}` })),
  );
  const labs = labReports();
  for (const { path, folder, title, body, name } of labs) {
    const text = body
      .replace(/<h1>[\s\S]*?<\/h1>/, '')
      .replace(/<table>/g, '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
      .replace(/<\/table>/g, '</table></div>');
    const headings = [...body.matchAll(/<section id="([^"]*)"><h2>([^<]*)<\/h2>/g)].map(([, id, title]) => ({
      level: 2,
      id,
      title,
    }));
    write(path, {
      title: `${title} · talus`,
      about: `Report of the laboratory: ${title}.`,
      kind: 'lab',
      body: layout(
        side('Reports', reportMenu(`${folder}/${name}`, '../')),
        `<h1>${title}</h1><p class="lead">${folder.replaceAll(/[_-]/g, ' ')}</p>${text}`,
        onThisPage(headings),
      ),
    });
    index(
      path,
      'Report',
      title,
      headings.map(({ id, title }) => ({ id, title, text: title })),
    );
  }
  const lab = render(cut(read('lab/results/README.md'))[0][1], { link: linker('lab/results/README.md', 'reports/lab.html') });
  const list = labs
    .map(
      ({ path, title, folder }) =>
        `<li><a href="${path.replace('reports/', '')}">${title}</a>, ${folder.replaceAll('_', ' ')}</li>`,
    )
    .join('');
  const intro =
    '<p>Papers on contact solvers, their tables and figures made again with talus, and questions of our own. <code>npm run lab</code> makes them.</p>';
  write('reports/lab.html', {
    title: 'The laboratory · talus',
    about: 'Papers on contact solvers, made again.',
    body: layout(side('Reports', reportMenu('lab.html', '')), `<h1>The laboratory</h1>${intro}${lab.html}<ul>${list}</ul>`),
  });
  write('reports/index.html', {
    title: 'Reports · talus',
    about: 'What was measured.',
    body: layout(
      side('Reports', reportMenu('index.html', '')),
      `<h1>Reports</h1><p class="lead">What was measured, with the commands that measure it again.</p><h2><a href="visitors.html">Results</a></h2><p>talus on the machines of visitors: WASM, threads and WebGPU. <a href="../demo/measure.html">Measure yours.</a></p><h2><a href="bench.html">Beside other engines</a></h2><p>Times, overlap and calm on the same scenes as Rapier, Havok, Jolt and cannon-es.</p><h2><a href="lab.html">The laboratory</a></h2>${intro}<ul>${list}</ul>`,
    ),
  });
}

function reportMenu(here, up) {
  const entry = (to, title) => `<li><a href="${up}${to}"${to === here ? ' aria-current="page"' : ''}>${title}</a></li>`;
  const labs = labReports().map(({ folder, name, title }) => entry(`${folder}/${name}`, `${title}, ${folder.slice(5, 10)}`));
  return `<ul>${entry('index.html', 'All')}${entry('visitors.html', 'Results')}${entry('bench.html', 'Beside other engines')}${entry('lab.html', 'The laboratory')}</ul><h2>Laboratory</h2><ul>${labs.join('')}</ul>`;
}

function front() {
  const readme = read('README.md');
  const [, code] = /```javascript\n([\s\S]*?)```/.exec(readme);
  // The comparison of the README: its first table with other engines in its head.
  const [table] = /\n\|[^\n]*Rapier[^\n]*\n(\|[^\n]*\n)+/.exec(readme) ?? [''];
  const cards = ['wall', 'bridge', 'ragdolls', 'car', 'water', 'rollback'].map(example);
  const body = `<main id="main">
<section class="hero"><h1>Piles that come to rest.</h1>
<p class="lead">talus is 3D rigid-body physics for the web: a WebAssembly core that finds and solves contacts and joints, WebGPU where it is faster, one package without dependencies.</p>
<div class="install"><pre tabindex="0">npm install talus</pre><p><a class="go" href="guide/start.html">Begin</a> <a href="examples/index.html">Examples</a></p></div>
</section>
<figure class="demo"><iframe id="demo" data-src="demo/index.html?scene=boxes-small" title="The demo: a pile of boxes that falls and comes to rest"></iframe>
<figcaption>1,000 boxes, solved and drawn as you read. <a href="demo/index.html">All scenes, full size</a> · <a href="demo/measure.html">Measure your machine</a> · <a href="reports/visitors.html">Results</a></figcaption></figure>
<section class="two"><div><h2>A scene in 25 lines</h2><p>The world is a handful of calls with plain numbers. Vectors of three.js go in and come out; bodies are drawn between steps; nothing has to be freed.</p>
<ul><li><a href="guide/three.html">three.js</a> and <a href="guide/react.html">React Three Fiber</a> have bindings of their own.</li><li>Coming from <a href="guide/migrate.html#rapier">Rapier</a>, <a href="guide/migrate.html#cannon-es">cannon-es</a>, <a href="guide/migrate.html#havok">Havok</a> or <a href="guide/migrate.html#ammo">ammo</a>? Call by call.</li><li>Without a bundler, in workers, in Node: <a href="guide/packaging.html">one way each</a>.</li></ul></div>${highlight(code, 'js')}</section>
<section><h2>Examples</h2><ul class="gallery">${cards
    .map(
      ({ name, title, about }) =>
        `<li><a href="examples/${name}.html"><img src="examples/thumbnails/${name}.jpg" alt="" width="480" height="300" loading="lazy"><strong>${title}</strong></a><p>${encode(about)}</p></li>`,
    )
    .join('')}</ul></section>
${table && `<section><h2>Compared with other engines</h2><p>Milliseconds per step in the first and second half of a run, and what still stands at its end; one thread, engines at their defaults, sleeping off; <a href="reports/bench.html">all results and how they are made</a>.</p>${render(table, { link: linker('README.md', 'index.html') }).html}</section>`}
</main>`;
  write('index.html', {
    title: 'talus: rigid-body physics for the web',
    about: '3D rigid-body physics for the web: WebAssembly and WebGPU.',
    kind: 'front',
    body,
  });
}

async function demo() {
  await build({
    configFile: join(root, 'demo/vite.config.ts'),
    logLevel: 'error',
    define: { __TALUS_IN_SITE__: 'true' },
    build: { outDir: join(out, 'demo'), emptyOutDir: true, reportCompressedSize: false },
  });
}

/** Writes all of it; returns how many pages. */
export async function buildSite(folder) {
  out = folder;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, 'assets'), { recursive: true });
  for (const name of ['site.js', 'find.js']) cpSync(join(root, 'site/assets', name), join(out, 'assets', name));
  writeFileSync(join(out, 'assets/site.css'), read('site/assets/site.css') + pageStyle() + read('bench/visitors/bars.css'));
  cpSync(join(import.meta.dirname, 'node_modules/minisearch/dist/es/index.js'), join(out, 'assets/minisearch.js'));
  guide();
  front();
  reports();
  await examples();
  writePlain(out, {
    readme: read('README.md'),
    skill: read('SKILL.md'),
    guide: GUIDE,
    examples: EXAMPLES.flatMap(([, names]) => names.map(example)),
    linkOf: linker,
  });
  await reference();
  await demo();
  const search = new MiniSearch(OPTIONS);
  const ids = new Set();
  search.addAll(records.filter(({ id }) => !ids.has(id) && ids.add(id)));
  writeFileSync(join(out, 'search.json'), JSON.stringify(search));
  if (!existsSync(join(out, 'demo/index.html'))) throw new Error('no demo');
  return { out, pages: count };
}
