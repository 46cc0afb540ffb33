// `npm run site`: the whole site, static, in build/site; it runs under any path. Installs what it needs (site/package-lock.json) where
// that is not there. The package has to be built. `TALUS_SITE_OUT` names another folder, `TALUS_SITE_URL` the
// address where the site is published (address.mjs).
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const root = resolve(here, '..');
if (!existsSync(join(root, 'dist/index.js'))) throw new Error('npm run build first');
const installed = join(here, 'node_modules/.package-lock.json');
const time = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);
if (time(installed) < time(join(here, 'package-lock.json'))) {
  execFileSync('npm', ['ci', '--prefix', here, '--no-audit', '--no-fund', '--silent'], { stdio: 'inherit' });
}
const { buildSite } = await import('./build.mjs');
const start = performance.now();
const { out, pages } = await buildSite(
  process.env.TALUS_SITE_OUT ? resolve(process.env.TALUS_SITE_OUT) : join(root, 'build/site'),
);
console.log(`${pages} pages in ${out} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
