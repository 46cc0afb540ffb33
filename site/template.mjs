// The frame around every page.
import { ADDRESS, SOURCE } from './address.mjs';
import { encode } from './markdown.mjs';

const NAV = [
  ['guide/start.html', 'Guide'],
  ['examples/index.html', 'Examples'],
  ['demo/index.html', 'Demo'],
  ['reference/index.html', 'API'],
  ['guide/migrate.html', 'Migrate'],
  ['reports/index.html', 'Reports'],
];
const MARK =
  '<svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><path d="M1 14h6V9H1zm7 0h7V8H8zM4 8h6V2H4z"/></svg>';

/** Size of the picture of previews, assets/card.png. */
export const CARD = {
  width: 1200,
  height: 630,
  about: 'A heap of stones at rest, and the words: talus, 3D rigid-body physics for the web',
};

/** What search engines and previews read. A page that is not found has no address of its own, and its links need a base. */
function forCrawlers({ path, title, about, isFound }) {
  if (!isFound) {
    const { pathname } = new URL(ADDRESS);
    // Where the site is served at another place than the published one, it is most likely the root of a server.
    const elsewhere = `if(!location.pathname.startsWith('${pathname}'))document.querySelector('base').href='/'`;
    return `<meta name="robots" content="noindex">\n<base href="${pathname}">\n<script>${elsewhere}</script>`;
  }
  const address = ADDRESS + path.replace(/(^|\/)index\.html$/, '$1');
  const named = {
    description: about,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': about,
  };
  named['twitter:image'] = `${ADDRESS}assets/card.png`;
  const properties = {
    'og:title': title,
    'og:description': about,
    'og:type': 'website',
    'og:site_name': 'talus',
    'og:url': address,
  };
  Object.assign(properties, { 'og:image': named['twitter:image'], 'og:image:width': CARD.width, 'og:image:height': CARD.height });
  properties['og:image:alt'] = CARD.about;
  const lines = (kind, entries) =>
    Object.entries(entries)
      .filter(([, value]) => value)
      .map(([name, value]) => `<meta ${kind}="${name}" content="${encode(String(value))}">`);
  return [`<link rel="canonical" href="${address}">`, ...lines('name', named), ...lines('property', properties)].join('\n');
}

/**
 * `path`: of the page, from the root of the site; `kind` is a class of the body; `script`: a module of the page, from the root;
 * `isFound`: false for the page of servers that have no other.
 */
export function page({ path, title, about = '', body, kind = '', script = '', isFound = true, version }) {
  const root = '../'.repeat(path.split('/').length - 1);
  const first = path.split('/')[0];
  const links = NAV.map(([to, name]) => {
    const here = path === to || (name !== 'Migrate' && to.startsWith(`${first}/`) && path !== 'guide/migrate.html');
    return `<a href="${root}${to}"${here ? ' aria-current="page"' : ''}>${name}</a>`;
  });
  links.push(`<a class="source" href="${SOURCE}">GitHub</a>`);
  return `<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${encode(title)}</title>
${forCrawlers({ path, title, about, isFound })}
<link rel="icon" type="image/svg+xml" href="${root}assets/icon.svg">
<link rel="stylesheet" href="${root}assets/site.css">
<script>try{const t=localStorage.getItem('talus-theme');if(t)document.documentElement.dataset.theme=t}catch{}</script>
<script type="module" src="${root}assets/site.js"></script>${script && `\n<script type="module" src="${root}${script}"></script>`}
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
<footer><p>talus ${version}, MIT license.</p><nav aria-label="More">${[
    ['guide/start.html', 'Get started'],
    ['guide/recipes.html', 'Recipes'],
    ['guide/changes.html', 'Changes'],
    ['demo/index.html', 'Demo'],
    ['reports/index.html', 'Reports'],
  ]
    .map(([to, name]) => `<a href="${root}${to}">${name}</a>`)
    .join('')}<a href="${SOURCE}">GitHub</a><a href="${SOURCE}/issues">Report a problem</a></nav></footer>
<dialog id="site-search" aria-label="Search">
<input id="site-query" type="search" role="combobox" aria-label="Search guide, API, examples and reports" aria-expanded="false" aria-controls="site-hits" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search">
<ul id="site-hits" role="listbox" aria-label="Found"></ul>
<p id="site-count" role="status"></p>
</dialog>
</body>
</html>
`;
}
