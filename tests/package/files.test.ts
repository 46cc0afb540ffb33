// What is in the tarball: every relative link of README and docs leads to a file of it, what only contributors need is not, and a page that
// names a file of the repository alone links to it there.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
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
const { homepage } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { homepage: string };
/** Where files and folders of the repository are read. */
const CITED = /^https:\/\/github\.com\/(wgmath\/wgmath|Pryme8\/babylon-box3d|erincatto\/box3d)\//;
const REPOSITORY = new RegExp(`^${homepage.split('#')[0]!.replaceAll('.', '\\.')}/(blob|tree)/main/([^#?]+)`);
/** Top folders of the repository, and its pages. */
const tracked = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const roots = [...new Set(tracked.filter((path) => /^\w.*\//.test(path)).map((path) => path.split('/')[0]!))];
const rootPages = tracked.filter((path) => /^\w+\.md$/.test(path));
const PATH = new RegExp(
  `(?<![\\w./-])((?:${roots.join('|')})/[\\w./*{}-]*|(?:${rootPages.join('|').replaceAll('.', '\\.')})(?![\\w/-]))`,
  'g',
);

/** Whether the tarball has a file, or files in a folder. */
function isShipped(path: string): boolean {
  const plain = path.replace(/[*{].*$/, '').replace(/[/.]+$/, '');
  return shipped.has(plain) || [...shipped].some((file) => file.startsWith(`${plain}/`));
}

/** Paths of the repository in a page that its reader cannot find: not in the tarball, and no link says where else. */
function lostPaths(text: string): string[] {
  const bare = text.replace(/\[[^\]]*\]\([^)\s]*\)/g, '');
  return [...bare.matchAll(PATH)].map(([path]) => path).filter((path) => !isShipped(path));
}

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
      /^(dist\/[\w./]+\.(js|d\.ts|wasm)|dist\/layout\.json|dist\/\w+\.js\.map|examples\/\w+(\.worker)?\.(m?js|jsx)|docs\/\w+\.md|docs\/(talus\.webp|pipeline\.svg)|docs\/drawings\/\w+\.svg|[\w/-]+\/package\.json)$/,
    );
  const pages = folders.filter((path) => path.startsWith('docs/'));
  for (const page of ['memory-map', 'demo', 'profiling', 'own_solver']) expect(pages).not.toContain(`docs/${page}.md`);
});

test('examples are there, with all that they import, and weigh little', () => {
  const examples = tracked.filter((path) => /^examples\/[\w.]+\.(m?js|jsx)$/.test(path));
  expect(examples.length).toBeGreaterThan(20);
  let bytes = 0;
  for (const path of examples) {
    expect(shipped).toContain(path);
    const text = readFileSync(resolve(root, path), 'utf8');
    bytes += text.length;
    for (const [, from] of text.matchAll(/(?:from |new URL\()'(\.[^']+)'/g))
      expect(shipped).toContain(posix.join('examples', from!));
  }
  expect(bytes).toBeLessThan(200_000);
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
    if (/^\w+:/.test(link!)) {
      // What others publish is cited with its place.
      if (CITED.test(link!)) continue;
      const [, kind, file] = REPOSITORY.exec(link!) ?? [];
      expect(kind, `${page}: ${link} is no file of the repository`).toBeDefined();
      expect(existsSync(resolve(root, file!)), `${page}: ${link}`).toBe(true);
      expect(statSync(resolve(root, file!)).isDirectory() ? 'tree' : 'blob', `${page}: ${link}`).toBe(kind);
      continue;
    }
    const [path, hash] = link!.split('#');
    const target = path === '' ? page : posix.join(posix.dirname(page), path!);
    expect(shipped, `${page}: ${link}`).toContain(target);
    if (hash === undefined) continue;
    const headings = [...readFileSync(resolve(root, target), 'utf8').matchAll(/^#+ (.*)$/gm)].map((match) => anchor(match[1]!));
    expect(headings, `${page}: ${link}`).toContain(hash);
  }
});

test.each(pages)('%s names no path that its reader cannot find', (page) => {
  expect(lostPaths(readFileSync(resolve(root, page), 'utf8'))).toEqual([]);
});

test('lost paths are found: in words, code and blocks, but for those with a link', () => {
  const link = (path: string) => `${homepage.split('#')[0]}/blob/main/${path}`;
  expect(lostPaths('see bench/snapshot.mjs, `node bench/joints.mjs --seed 1` and `assembly/`')).toEqual([
    'bench/snapshot.mjs',
    'bench/joints.mjs',
    'assembly/',
  ]);
  expect(lostPaths('```sh\nnode lab/main.mjs\n```\n`docs/memory-map.md`, CONTRIBUTING.md')).toHaveLength(3);
  expect(
    lostPaths(`[\`bench/calm.mjs\`](${link('bench/calm.mjs')}), docs/api.md, \`examples/drag.js\`, your/src/main.js`),
  ).toEqual([]);
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
