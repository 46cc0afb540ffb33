// The frame around every page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from './markdown.mjs';

const { repository } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
const SOURCE = repository.url.replace(/^git\+|\.git$/g, '');

const NAV = [
  ['guide/start.html', 'Guide'],
  ['examples/index.html', 'Examples'],
  ['reference/index.html', 'API'],
  ['guide/migrate.html', 'Migrate'],
  ['reports/index.html', 'Reports'],
];
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M1 14h6V9H1zm7 0h7V8H8zM4 8h6V2H4z' fill='%23c8664a'/%3E%3C/svg%3E";
const MARK =
  '<svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><path d="M1 14h6V9H1zm7 0h7V8H8zM4 8h6V2H4z"/></svg>';

/** `path`: of the page, from the root of the site; `kind` is a class of the body. */
export function page({ path, title, about = '', body, kind = '', version }) {
  const root = '../'.repeat(path.split('/').length - 1);
  const first = path.split('/')[0];
  const links = NAV.map(([to, name]) => {
    const here = path === to || (name !== 'Migrate' && to.startsWith(`${first}/`) && path !== 'guide/migrate.html');
    return `<a href="${root}${to}"${here ? ' aria-current="page"' : ''}>${name}</a>`;
  });
  links.push(`<a href="${SOURCE}">GitHub</a>`);
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${encode(title)}</title>
<meta property="og:title" content="${encode(title)}">
<meta property="og:type" content="website">
${about ? `<meta name="description" content="${encode(about)}">\n` : ''}<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${root}assets/site.css">
<script>try{const t=localStorage.getItem('talus-theme');if(t)document.documentElement.dataset.theme=t}catch{}</script>
<script type="module" src="${root}assets/site.js"></script>
</head>
<body${kind ? ` class="${kind}"` : ''}>
<a class="skip" href="#main">Skip to the text</a>
<header class="top">
<a class="mark" href="${root}index.html">${MARK}talus</a>
<nav aria-label="Site">${links.join('')}</nav>
<div class="tools">
<button type="button" id="site-find" aria-haspopup="dialog" aria-keyshortcuts="/"><span>Search</span><kbd aria-hidden="true">/</kbd></button>
<button type="button" id="site-theme" aria-label="Dark or light"><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M8 1a7 7 0 1 0 0 14zm0 0v14" /><circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor"/></svg></button>
</div>
</header>
${body}
<footer><p>talus ${version}, MIT license. Built from the repository by <code>npm run site</code>.</p></footer>
<dialog id="site-search" aria-label="Search">
<input id="site-query" type="search" role="combobox" aria-label="Search guide, API, examples and reports" aria-expanded="false" aria-controls="site-hits" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search">
<ul id="site-hits" role="listbox" aria-label="Found"></ul>
<p id="site-count" role="status"></p>
</dialog>
</body>
</html>
`;
}
