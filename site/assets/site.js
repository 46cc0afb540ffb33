// What every page does: theme, search, copy buttons, and the frames of the examples.
import { find, OPTIONS } from './find.js';
import MiniSearch from './minisearch.js';

const root = document.documentElement.dataset.root;
const at = (id) => document.getElementById(id);
const isDark = () => {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
};

at('site-theme').addEventListener('click', () => {
  const theme = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = theme;
  localStorage.setItem('talus-theme', theme);
});

// Search: the index is fetched when it is first wanted.
const dialog = at('site-search');
const query = at('site-query');
const hits = at('site-hits');
let index = null;
let chosen = -1;

async function load() {
  return MiniSearch.loadJSON(await (await fetch(`${root}search.json`)).text(), OPTIONS);
}
function open() {
  index ??= load();
  dialog.showModal();
  query.select();
}
function choose(to) {
  const items = [...hits.children];
  chosen = items.length ? (to + items.length) % items.length : -1;
  for (const [i, item] of items.entries()) item.setAttribute('aria-selected', String(i === chosen));
  if (chosen < 0) query.removeAttribute('aria-activedescendant');
  else query.setAttribute('aria-activedescendant', items[chosen].id);
  items[chosen]?.scrollIntoView({ block: 'nearest' });
}
async function search() {
  const text = query.value.trim();
  const found = text ? find(await index, text) : [];
  if (text !== query.value.trim()) return;
  hits.replaceChildren(
    ...found.map(({ id, title, page, about, kind }, i) => {
      const item = document.createElement('li');
      Object.assign(item, { id: `hit-${i}`, role: 'option' });
      item.dataset.to = id;
      const name = document.createElement('strong');
      name.textContent = title;
      const place = document.createElement('span');
      place.textContent = `${kind} · ${page}`;
      const line = document.createElement('small');
      line.textContent = about;
      item.append(name, place, line);
      return item;
    }),
  );
  query.setAttribute('aria-expanded', String(found.length > 0));
  at('site-count').textContent = text ? (found.length ? '' : 'Nothing found.') : '';
  choose(0);
}
const go = (item) => {
  if (!item) return;
  dialog.close();
  location.href = root + item.dataset.to;
};
at('site-find').addEventListener('click', open);
query.addEventListener('input', search);
query.addEventListener('keydown', (event) => {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (way) choose(chosen + way);
  else if (event.key === 'Enter') go(hits.children[chosen]);
  else return;
  event.preventDefault();
});
hits.addEventListener('click', (event) => go(event.target.closest('li')));
dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
addEventListener('keydown', (event) => {
  const typing = event.target.closest?.('input, textarea, select, [contenteditable]');
  if ((event.key === '/' && !typing) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    open();
  }
});

// Code can be copied.
for (const pre of document.querySelectorAll('main pre.shiki, main .install pre')) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy'), 1500);
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  pre.replaceWith(frame);
  frame.append(pre, button);
}

// Chapters fold on a small screen.
for (const fold of document.querySelectorAll('details.side')) fold.open = innerWidth > 900;

// Members of the reference fold. An address that names one opens it, also when its link is followed again.
function unfold() {
  const named = at(decodeURIComponent(location.hash.slice(1)));
  const folded = named?.closest('details:not(.side)');
  if (!folded) return;
  folded.open = true;
  named.scrollIntoView();
}
unfold();
addEventListener('hashchange', unfold);
addEventListener('click', ({ target }) => {
  if (target.closest?.('a')?.hash === location.hash) unfold();
});
const folds = [...document.querySelectorAll('.member > details')];
for (const button of document.querySelectorAll('[data-unfold]')) {
  button.addEventListener('click', () => {
    const open = folds.some((fold) => !fold.open);
    for (const fold of folds) fold.open = open;
    button.textContent = open ? 'Fold all' : 'Unfold all';
  });
}

// The menu shows the page one is on.
const here = document.querySelector('.side a[aria-current]');
const menu = here?.closest('.side');
if (menu) menu.scrollTop += here.getBoundingClientRect().top - menu.getBoundingClientRect().top - menu.clientHeight / 3;

// Live examples: how many bodies each has, what a step takes, and a restart.
for (const figure of document.querySelectorAll('figure.stage')) {
  const frame = figure.querySelector('iframe');
  const stats = figure.querySelector('.stats');
  setInterval(() => {
    const { talusWorlds: worlds = [], talusStage: stage } = frame.contentWindow ?? {};
    if (!stage?.seen) return;
    const bodies = worlds.reduce((sum, world) => sum + world.bodyCount, 0);
    const ms = worlds.reduce((sum, world) => sum + (world.profile?.total ?? 0), 0);
    if (bodies)
      stats.textContent = `${bodies.toLocaleString('en')} ${bodies === 1 ? 'body' : 'bodies'}${ms > 0 ? `, ${ms.toFixed(2)} ms per step` : ''}`;
  }, 500);
  figure.querySelector('.again').addEventListener('click', () => frame.contentWindow.location.reload());
}
