// What is in the tarball: every relative link of README and docs leads to a file of it, and what only contributors need is not.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const [{ files }] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [{ files: { path: string }[] }];
const shipped = new Set(files.map((file) => file.path));
const pages = [...shipped].filter((path) => path.endsWith('.md'));

/** Name of a heading in links, as GitHub and npm make it. */
function anchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

test('README, guides and change log are shipped, the memory map is not', () => {
  for (const path of ['README.md', 'CHANGELOG.md', 'LICENSE', 'docs/api.md', 'docs/overview.md']) expect(shipped).toContain(path);
  expect(shipped).not.toContain('docs/memory-map.md');
});

test('nothing else is shipped: what programs load, its types, and pages', () => {
  const folders = [...shipped].filter((path) => !/^(package\.json|LICENSE|README\.md|CHANGELOG\.md|SKILL\.md)$/.test(path));
  for (const path of folders)
    expect(path).toMatch(
      /^(dist\/(?!.*\.map$)[\w./]+\.(js|d\.ts|wasm)|dist\/layout\.json|docs\/\w+\.md|docs\/(talus\.webp|pipeline\.svg)|[\w/-]+\/package\.json)$/,
    );
  const pages = folders.filter((path) => path.startsWith('docs/'));
  for (const page of ['memory-map', 'demo', 'profiling']) expect(pages).not.toContain(`docs/${page}.md`);
});

test('of talus/study there are its entry, its types and its core', () => {
  const study = [...shipped].filter(
    (path) => path.startsWith('dist/') && path.includes('study') && !path.startsWith('dist/study/'),
  );
  expect(study.every((path) => ['dist/study.js', 'dist/study.wasm', 'dist/study.wasm.d.ts'].includes(path))).toBe(true);
  for (const path of [...shipped].filter((one) => one.startsWith('dist/study/'))) expect(path).toMatch(/\.d\.ts$/);
});

test.each(pages)('links of %s lead to files of the package', (page) => {
  const text = readFileSync(resolve(root, page), 'utf8');
  for (const [, link] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    expect(link, 'a host').not.toMatch(/^\w+:/);
    const [path, hash] = link!.split('#');
    const target = path === '' ? page : posix.join(posix.dirname(page), path!);
    expect(shipped, `${page}: ${link}`).toContain(target);
    if (hash === undefined) continue;
    const headings = [...readFileSync(resolve(root, target), 'utf8').matchAll(/^#+ (.*)$/gm)].map((match) => anchor(match[1]!));
    expect(headings, `${page}: ${link}`).toContain(hash);
  }
});

test('lines are short: Node prints the one that threw before the message of an error that nobody caught', () => {
  const programs = [...shipped].filter((path) => /^dist\/[\w]+\.js$/.test(path));
  expect(programs.length).toBeGreaterThan(10);
  for (const path of programs) {
    const lines = readFileSync(resolve(root, path), 'utf8').split('\n');
    const code = lines.filter((line) => !line.startsWith('const __TALUS_CORE__'));
    expect(Math.max(...code.map((line) => line.length)), path).toBeLessThan(2500);
  }
});
