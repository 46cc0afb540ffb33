// What search engines, previews and servers ask a site for: sitemap.xml, robots.txt, 404.html, the icon and the picture of previews
// (front/card.png, by shots.mjs). In: the paths of all pages. Out: files in the folder of the site. llms.txt is made by plain.mjs.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDRESS } from './address.mjs';
import { page } from './template.mjs';

/** Body of the page that servers send where there is none. */
const MISSING = `<div class="page"><main id="main"><h1>This page does not exist.</h1>
<p class="lead">It may have moved. Press <kbd>/</kbd> to search, or go on here:</p>
<ul><li><a href="index.html">Front page</a></li><li><a href="guide/start.html">Get started</a></li><li><a href="examples/index.html">Examples</a></li><li><a href="reference/index.html">API reference</a></li></ul></main></div>`;

/** `paths`: of the pages, from the root of the site. */
export function writeForCrawlers(out, { paths, version }) {
  const address = (path) => ADDRESS + path.replace(/(^|\/)index\.html$/, '$1');
  const urls = paths.toSorted().map((path) => `<url><loc>${address(path)}</loc></url>`);
  writeFileSync(
    join(out, 'sitemap.xml'),
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
  );
  writeFileSync(
    join(out, 'robots.txt'),
    `User-agent: *\nDisallow: ${new URL('live/', ADDRESS).pathname}\nSitemap: ${ADDRESS}sitemap.xml\n`,
  );
  // Servers send it for addresses in any folder, so its links start at the root of the site, which only the published address tells
  // (template.mjs).
  const text = page({ path: '404.html', version, title: 'Not found · talus', body: MISSING, isFound: false });
  writeFileSync(join(out, '404.html'), text);
  cpSync(join(import.meta.dirname, 'icon.svg'), join(out, 'assets/icon.svg'));
  cpSync(join(import.meta.dirname, 'card.png'), join(out, 'assets/card.png'));
}
