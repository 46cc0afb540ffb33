// What stands around the pages of the reference: its index (by task, one line for each export, and A to Z), the menu, the list of what is
// on a page. In: pages and entries of reference.mjs. Out: HTML, and the index as Markdown.
import { encode } from './markdown.mjs';
import { breakable, softened } from './members.mjs';
import { ENTRIES, KINDS_OF_ENTRIES, NAMES, TASKS } from './tasks.mjs';

/** Kinds of exports, in the order of lists; components and hooks of React are told by their names. */
const KINDS = [
  ['component', 'Components'],
  ['hook', 'Hooks'],
  ['function', 'Functions'],
  ['class', 'Classes'],
  ['interface', 'Interfaces'],
  ['type', 'Types'],
  ['constant', 'Constants'],
];
const isComponent = ({ module, kind, title }) =>
  module === 'react' && ((kind === 'function' && /^[A-Z]/.test(title)) || (kind === 'constant' && title.endsWith('Collider')));
export const kindOfExport = (page) =>
  isComponent(page) ? 'component' : page.module === 'react' && /^use[A-Z]/.test(page.title) ? 'hook' : page.kind;

/** Places on the index in order: tasks, then entries; `{ id, title, about, guide, name, pages, heading }`. */
function placesOf(pages) {
  const of = (id) => pages.filter(({ place }) => place.id === id);
  const tasks = TASKS.map((task) => {
    const { exports } = NAMES.find((entry) => entry.task === task);
    const at = ({ module, title }) => (module === 'index' ? exports.indexOf(title) : exports.length);
    return { ...task, pages: of(task.id).sort((a, b) => at(a) - at(b)) };
  });
  const entries = ENTRIES.filter(({ task }) => !task).map((entry) => ({ ...entry, pages: of(entry.id) }));
  return [...tasks, ...entries];
}

/**
 * Pages of a place by kind, `[title, pages]`: short ones are one list; tasks keep their order, and what other entries have for
 * them follows.
 */
function byKind({ name, pages }) {
  if (!name) {
    const others = [...new Set(pages.map((page) => page.name))].filter((other) => other !== 'talus');
    return [
      ['', pages.filter((page) => page.name === 'talus')],
      ...others.map((other) => [other, pages.filter((page) => page.name === other)]),
    ];
  }
  const kinds = KINDS.map(([kind]) => kind);
  const order = (page) => kinds.indexOf(kindOfExport(page));
  if (pages.length <= 14) return [['', pages.toSorted((a, b) => order(a) - order(b))]];
  return KINDS.map(([kind, title]) => [title, pages.filter((page) => kindOfExport(page) === kind)]).filter(([, of]) => of.length);
}

/** The menu beside a page: all places, and the pages of the one that `here` is in. */
export function menuHtml(pages, here, up) {
  const entry = ({ path, title }) =>
    `<li><a href="${up}${path}"${path === here?.path ? ' aria-current="page"' : ''}>${breakable(title)}</a></li>`;
  const world = pages.find(({ path }) => path === 'index/interfaces/World.html');
  const first = `<h2>Reference</h2><ul><li><a href="${up}index.html"${here ? '' : ' aria-current="page"'}>By task, A to Z</a></li>${entry(world)}</ul>`;
  const rest = placesOf(pages).map((place) => {
    const title = place.title;
    if (place.id !== here?.place.id || here === world) return `<h2><a href="${up}index.html#${place.id}">${title}</a></h2>`;
    const lists = byKind(place).map(([kind, of]) => {
      const list = `<ul>${of
        .filter((page) => page !== world)
        .map(entry)
        .join('')}</ul>`;
      return kind && of.length < place.pages.length ? `<h3>${kind}</h3>${list}` : list;
    });
    return `<h2><a href="${up}index.html#${place.id}">${title}</a></h2>${lists.join('')}`;
  });
  return first + rest.join('');
}

/** "On this page": groups with their members. */
export function contentsHtml(entries) {
  if (entries.reduce((sum, { list }) => sum + 1 + list.length, 0) < 2) return '';
  const item = ({ id, title, list = [] }) =>
    `<li><a href="#${id}">${breakable(title)}</a>${list.length ? `<ul>${list.map(item).join('')}</ul>` : ''}</li>`;
  return `<nav class="toc deep" aria-label="On this page"><h2>On this page</h2><ul>${entries.map(item).join('')}</ul></nav>`;
}

/** All names: exports, and the members of World; those of builds with the names of `talus` are left out. */
function namesOf(pages) {
  const names = pages
    .filter(({ module }) => !/^(slim|study)/.test(module))
    .map((page) => ({ title: page.title, to: page.path, note: page.module === 'index' ? '' : page.name, key: page.title }));
  const world = pages.find(({ path }) => path === 'index/interfaces/World.html');
  for (const { list } of world.entries)
    for (const { id, title } of list) names.push({ title: `world.${title}`, to: `${world.path}#${id}`, note: '', key: title });
  return names.sort((a, b) => a.key.localeCompare(b.key, 'en') || a.title.localeCompare(b.title, 'en'));
}

const sentence = (text) => softened(encode(text.replace(/`/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')));

/** The index: `{ html, entries }`. */
export function indexHtml(pages) {
  const entries = [];
  const world = pages.find(({ path }) => path === 'index/interfaces/World.html');
  let html = '';
  const places = placesOf(pages);
  for (const place of places) {
    const heading = places.find(({ under }) => under && under === place.under) === place ? KINDS_OF_ENTRIES[place.under] : '';
    if (heading) {
      html += `<h2 id="${place.under}">${heading}</h2>`;
      entries.push({ id: place.under, title: heading, list: [] });
    }
    const [level, under] = place.under ? ['h3', 'h4'] : ['h2', 'h3'];
    const name = place.name ? ` <small>${place.name}</small>` : '';
    html += `<${level} id="${place.id}">${place.title}${name}</${level}><p>${place.about} <a href="../guide/${place.guide}.html">Guide</a></p>`;
    if (place.under) entries.at(-1).list.push({ id: place.id, title: place.title });
    else entries.push({ id: place.id, title: place.title, list: [] });
    const group = world.entries.find(({ id }) => id === `task-${place.id}`);
    if (group) {
      const calls = group.list.map(({ id, title }) => `<a href="${world.path}#${id}">${encode(title)}</a>`).join(', ');
      html += `<p class="calls"><a href="${world.path}#${group.id}">World</a>: ${calls}</p>`;
    }
    for (const [kind, of] of byKind(place)) {
      const lines = of.map(
        (page) => `<dt><a href="${page.path}">${breakable(page.title)}</a></dt><dd>${sentence(page.about)}</dd>`,
      );
      // The names of types say enough where there are dozens of them.
      const isLong = place.pages.length > 12 && /^(Interfaces|Types|Constants)$/.test(kind);
      const list = isLong
        ? `<ul class="names">${of.map((page) => `<li><a href="${page.path}">${breakable(page.title)}</a></li>`).join('')}</ul>`
        : `<dl class="exports">${lines.join('')}</dl>`;
      html += kind ? `<${under}>${kind}</${under}>${list}` : list;
    }
  }
  const names = namesOf(pages);
  html += '<h2 id="a-z">A to Z</h2><p>All exports, and the members of a world.</p><ul class="names">';
  html += names
    .map(({ title, to, note }) => `<li><a href="${to}">${breakable(title)}</a>${note ? ` <small>${note}</small>` : ''}</li>`)
    .join('');
  entries.push({ id: 'a-z', title: 'A to Z', list: [] });
  return { html: `${html}</ul>`, entries };
}

/** The index as Markdown. */
export function indexText(pages) {
  const md = (path) => path.replace(/html$/, 'md');
  const parts = placesOf(pages).map((place) => {
    const lines = place.pages.map(
      ({ path, title, kind, about }) =>
        `- [${title}](${md(path)}): ${kind}${about && `. ${about.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')}`}`,
    );
    const calls = NAMES.find(({ task }) => task.id === place.id)?.members ?? [];
    const world = calls.length
      ? `Members of [World](index/interfaces/World.md): ${calls.map((name) => `\`${name}\``).join(', ')}.\n\n`
      : '';
    return `## ${place.title}${place.name ? ` (${place.name})` : ''}\n\n${place.about}\n\n${world}${lines.join('\n')}`;
  });
  return `# API reference\n\n${parts.join('\n\n')}\n`;
}
