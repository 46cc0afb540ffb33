// Where the site is published, for links that have to be whole: canonical addresses, pictures for previews, the site map. It is
// `TALUS_SITE_URL`, or `homepage` of package.json where that is not the repository itself, or the address that the Pages of the repository
// have. All other links are relative.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Address of the site with a slash at its end. */
export function siteAddress({ homepage, repository }, given = process.env.TALUS_SITE_URL) {
  const source = sourceAddress({ repository });
  const own = given || (homepage && !homepage.startsWith(source) ? homepage : null);
  if (own) return own.endsWith('/') ? own : `${own}/`;
  const [, owner, name] = /^https:\/\/github\.com\/([^/]+)\/([^/]+)$/.exec(source) ?? [];
  if (!owner) throw new Error('no address for the site: set TALUS_SITE_URL, or `homepage` in package.json');
  return `https://${owner}.github.io/${name}/`;
}

/** Address of the repository, as a page for people. */
export const sourceAddress = ({ repository }) => repository.url.replace(/^git\+|\.git$/g, '');

const info = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
export const ADDRESS = siteAddress(info);
export const SOURCE = sourceAddress(info);
