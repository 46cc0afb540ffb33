// Puts the site together: pages from docs/, examples/, the reports and the docstrings, live examples and demo by Vite, the search index.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import MiniSearch from 'minisearch';
import { build } from 'vite';
import { pageStyle } from '../scripts/drawings/kit.mjs';
import { OPTIONS } from './assets/find.js';
import { EXAMPLES, GUIDE, OTHERS } from './chapters.mjs';
import { writeForCrawlers } from './crawlers.mjs';
import { buildFront, frontBody } from './front.mjs';
import { buildLive, liveFigure } from './live.mjs';
import { cut, encode, highlight, render, slugify } from './markdown.mjs';
import { breakable } from './members.mjs';
import { writePlain, writePlainReference } from './plain.mjs';
import { buildReference } from './reference.mjs';
import { contentsHtml, indexHtml, kindOfExport, menuHtml } from './reference_index.mjs';
import { benchReport, labFront, labList, labReports, reportMenu } from './reports.mjs';
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
/** Entries of the search. */
const records = [];
/** Paths of all pages. */
const paths = [];
/** Titles of pages of the guide and of their sections, by address. */
const titles = new Map();
let out = '';

function write(path, options) {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, frame({ path, version, ...options }));
  paths.push(path);
}

function index(path, kind, title, sections, text = true) {
  for (const section of sections) {
    if (!section.title && !section.text.trim()) continue;
    records.push({
      id: section.id ? `${path}#${section.id}` : path,
      kind: section.isField && kind === 'API' && title !== 'World (talus)' ? 'Field' : kind,
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

/** A file of docs/, or a section of it, in the guide: `{ path, title }`, or null. */
function guideAt(file, id) {
  const path = (id && places.get(`${file}#${id}`)) || places.get(file);
  const title = titles.get(path);
  return title ? { path, title } : null;
}

/** The title that a link has on the site whose text is the name of a file of the repository. */
const titler = (file) => (to, words) => {
  if (!/^(?:[\w.-]+\/)*[\w-]+\.md(?:#[\w-]+)?$/.test(words)) return null;
  const [path, id] = to.replace(REPOSITORY, '').split('#');
  const target = REPOSITORY.test(to) ? path : posix.normalize(posix.join(posix.dirname(file), path));
  const found = guideAt(target, id);
  if (found) return found.title;
  return existsSync(join(root, target)) ? (/^# (.*)/m.exec(read(target))?.[1].replaceAll('`', '') ?? null) : null;
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
    titles.set(path, chapter.title);
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
          titles.set(`${path}#${id}`, name.replaceAll('`', ''));
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
        title: titler(file),
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

/** A picture, a title and a sentence; `up`: to the folder of the examples. */
function galleryCard({ name, title, about, source }, up) {
  const needs = source.includes("'talus/gpu'") ? ' <small>Needs WebGPU; elsewhere it runs on the CPU.</small>' : '';
  return `<li><a href="${up}${name}.html"><img src="${up}thumbnails/${name}.jpg" alt="" width="480" height="300" loading="lazy"><strong>${title}</strong></a><p>${encode(about)}${needs}</p></li>`;
}

async function examples() {
  const groups = EXAMPLES.map(([title, names]) => ({ title, all: names.map(example) }));
  const all = groups.flatMap(({ all }) => all);
  await buildLive(join(out, 'live'), all);
  cpSync(join(root, 'site/thumbnails'), join(out, 'examples/thumbnails'), { recursive: true });
  const gallery = groups
    .map(({ title, all }) => `<h2>${title}</h2><ul class="gallery">${all.map((one) => galleryCard(one, '')).join('')}</ul>`)
    .join('');
  const lead =
    'Each example is one file. Run <code>npm install talus three</code> in an empty Vite project and paste the file. The examples in React also need <code>react react-dom @react-three/fiber</code>; those of Babylon.js and PlayCanvas need <code>@babylonjs/core</code> or <code>playcanvas</code> instead of three.';
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

/** Pages that repeat others call by call. */
const isTwin = ({ module, title }) => /^slim/.test(module) || (module === 'study' && title === 'World');

async function reference() {
  const { pages } = await buildReference(join(root, 'build/site-reference'), { guideAt });
  writePlainReference(out, pages);
  for (const made of pages) {
    const up = '../'.repeat(made.path.split('/').length - 1);
    const path = `reference/${made.path}`;
    write(path, {
      title: `${made.title} · ${made.name}`,
      kind: 'reference',
      body: layout(
        side('API', menuHtml(pages, made, up)),
        `<p class="back"><a href="${up}index.html#${made.place.id}">${made.place.title}</a></p><h1>${breakable(made.title)} <small>${kindOfExport(made)} of ${made.name}</small></h1>${made.html}`,
        contentsHtml(made.entries),
      ),
    });
    // Builds with the calls of `talus` are found by their names alone.
    const found = isTwin(made) ? made.sections.slice(0, 1) : made.sections;
    index(path, isPlugin(made.module) ? 'Plugin' : 'API', `${made.title} (${made.name})`, found, false);
  }
  const { html, entries } = indexHtml(pages);
  write('reference/index.html', {
    title: 'API · talus',
    about: 'All that the package exports, by task and from A to Z.',
    kind: 'reference',
    body: layout(
      side('API', menuHtml(pages, null, '')),
      `<h1>API reference</h1><p class="lead">All that the package exports, by task. Most calls are on <a href="index/interfaces/World.html">World</a>; the <a href="../guide/start.html">guide</a> shows how to use them.</p>${html}`,
      contentsHtml(entries),
    ),
  });
}

function reports() {
  const bench = benchReport();
  const benchText = render(cut(read('bench/README.md'))[1][1], {
    link: linker('bench/README.md', 'reports/bench.html'),
    title: titler('bench/README.md'),
  });
  write('reports/bench.html', {
    title: 'Compared with other engines · talus',
    about: 'Times, overlap and calm of talus, Rapier, Havok, Jolt and cannon-es on the same scenes.',
    body: layout(
      side('Reports', reportMenu('bench.html', '')),
      `<h1>Compared with other engines</h1><p class="lead">The same scenes, step by step in turn, one process, one thread; the latest run of each scene.</p><h2 id="how">What is compared</h2>${benchText.html}${bench.html}`,
      onThisPage(bench.headings),
    ),
  });
  index('reports/bench.html', 'Report', 'Compared with other engines', [
    ...benchText.sections,
    ...bench.headings.map(({ id, title }) => ({ id, title, text: '' })),
  ]);
  const visitors = visitorsHtml(readVisitors());
  write('reports/visitors.html', {
    title: 'Machines of visitors · talus',
    about: 'Times of talus on machines of visitors: WASM, threads, WebGPU.',
    body: layout(
      side('Reports', reportMenu('visitors.html', '')),
      `<h1>Machines of visitors</h1><p class="lead">Times of talus on the machines of visitors. <a href="../demo/measure.html">Measure yours</a>; it takes a minute.</p>${visitors.html}`,
      onThisPage(visitors.headings),
    ),
  });
  index(
    'reports/visitors.html',
    'Report',
    'Machines of visitors',
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
  const lab = render(cut(read('lab/results/README.md'))[0][1], {
    link: linker('lab/results/README.md', 'reports/lab.html'),
    title: titler('lab/results/README.md'),
  });
  const intro =
    '<p>The laboratory repeats tables and figures of papers on contact solvers with talus, and answers questions of our own. <code>npm run lab</code> runs it.</p>';
  write('reports/lab.html', {
    title: 'Laboratory · talus',
    about: 'Papers on contact solvers, repeated with talus.',
    body: layout(side('Reports', reportMenu('lab.html', '')), `<h1>Laboratory</h1>${intro}${labFront()}${lab.html}${labList()}`),
  });
  write('reports/index.html', {
    title: 'Reports · talus',
    about: 'Measurements of talus, each with the command that repeats it.',
    body: layout(
      side('Reports', reportMenu('index.html', '')),
      `<h1>Reports</h1><p class="lead">Measurements, each with the command that repeats it.</p><h2><a href="bench.html">Compared with other engines</a></h2><p>Times, overlap and calm on the same scenes as Rapier, Havok, Jolt and cannon-es.</p><h2><a href="visitors.html">Machines of visitors</a></h2><p>talus with WebAssembly, threads and WebGPU. <a href="../demo/measure.html">Measure your machine.</a></p><h2><a href="lab.html">Laboratory</a></h2>${intro}`,
    ),
  });
}

function front() {
  const readme = read('README.md');
  const [, code] = /```javascript\n([\s\S]*?)```/.exec(readme);
  // The comparison of the README: its first table with other engines in its head, its notes, and where others are faster.
  const [table] = /\n\|[^\n]*Rapier[^\n]*\n(\|[^\n]*\n)+(?:(?!\*\*WebGPU|#)[^\n]*\n)*/.exec(readme) ?? [''];
  const cards = ['wall', 'bridge', 'ragdolls', 'car', 'character', 'water', 'gltf', 'rollback'].map(example);
  const body = frontBody({
    version,
    code: highlight(code, 'js'),
    lines: code.split('\n').filter((line) => line.trim()).length,
    cards: cards.map((one) => galleryCard(one, 'examples/')).join(''),
    table: table && render(table, { link: linker('README.md', 'index.html'), title: titler('README.md') }).html,
  });
  write('index.html', {
    title: 'talus: 3D rigid-body physics for the web',
    about:
      'A physics engine for web games: piles, walls, machines and ragdolls that come to rest. WebAssembly SIMD, optional WebGPU.',
    kind: 'front',
    script: 'front/main.js',
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
  await buildFront(out);
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
  writeForCrawlers(out, { paths, version });
  const search = new MiniSearch(OPTIONS);
  const ids = new Set();
  search.addAll(records.filter(({ id }) => !ids.has(id) && ids.add(id)));
  writeFileSync(join(out, 'search.json'), JSON.stringify(search));
  if (!existsSync(join(out, 'demo/index.html'))) throw new Error('no demo');
  return { out, pages: paths.length };
}
