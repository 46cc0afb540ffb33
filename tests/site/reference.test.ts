// The reference of the built site: every member of World in one task and found on the index, examples that tests run, members that fold and
// open by their addresses, pages that fit a phone, and nothing of it lost in the Markdown.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { parseHTML } from 'linkedom';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { violations } from '../demo/axe';
import { everyNth, isLong } from '../helpers/long';

const root = join(import.meta.dirname, '../..');
const site = inject('site');
const read = (path: string) => readFileSync(join(site, 'reference', path), 'utf8');
const pages = readdirSync(join(site, 'reference'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.html'),
);
const WORLD = 'index/interfaces/World.html';
// By its path: a script of the site, without types.
const { TASKS, NAMES, EXAMPLES_OF_PAGES, GROUPS_OF_PAGES, groupsOf, misplaced } = await import(join(root, 'site/tasks.mjs'));
const { firstSentence, groupMembers, pageText, readPage } = await import(join(root, 'site/members.mjs'));

/** Public members of World and exports of `talus`, as the report of the API has them. */
const report = readFileSync(join(root, 'api/report.txt'), 'utf8').split(/^# /m);
const talus = report.find((part) => part.startsWith('talus\n'))!;
const [, worldLines] = /\nclass World[^\n]*\n([\s\S]*?)\n\n/.exec(talus)!;
const members = [...new Set([...worldLines!.matchAll(/^ {2}(?:get |set |readonly )?(\w+)/gm)].map(([, name]) => name!))];
const exported = [...talus.matchAll(/^(?:type|interface|class|function|const) (\w+)/gm)].map(([, name]) => name!);

describe('tasks', () => {
  test('have every member of World and every export once', () => {
    expect(members.length).toBeGreaterThan(120);
    expect(misplaced(members, 'members')).toEqual([]);
    expect(misplaced([...new Set(exported)], 'exports')).toEqual([]);
    expect(misplaced([...members, 'newCall'], 'members')).toEqual(['newCall']);
  });

  test('are the groups of the page of World, with a guide, an example and their members in order', () => {
    const { document } = parseHTML(read(WORLD));
    const groups = [...document.querySelectorAll('section.members')];
    const shown = NAMES.filter(({ members }: { members: string[] }) => members.length);
    expect(groups.map((group) => group.querySelector('h2')!.id)).toEqual(
      shown.map(({ task }: { task: { id: string } }) => `task-${task.id}`),
    );
    for (const [i, group] of groups.entries()) {
      expect([...group.querySelectorAll('h3')].map((node) => node.textContent)).toEqual(shown[i].members);
      expect(group.querySelector('p a[href*="/guide/"]'), shown[i].task.id).toBeTruthy();
      expect(group.querySelector('pre.shiki'), shown[i].task.id).toBeTruthy();
    }
  });

  test('of other large pages name members that are there, all methods but the constructor', () => {
    for (const page of Object.keys(GROUPS_OF_PAGES)) {
      const { document } = parseHTML(read(`${page}.html`));
      const names = groupsOf(page).flatMap(({ members }: { members: string[] }) => members);
      const shown = [...document.querySelectorAll('.member h3')].map((node) => node.textContent);
      expect(names.filter((name: string) => !shown.includes(name))).toEqual([]);
      expect(document.querySelector('#all-methods'), page).toBeNull();
    }
  });

  test('have examples from pages whose blocks are run, cut at the end of a statement', () => {
    const run = readFileSync(join(root, 'tests/package/engine_docs.test.ts'), 'utf8');
    const elsewhere = /^docs\/(three|react|babylon|playcanvas|gltf)\.md$/;
    const examples = [...TASKS.map(({ example }: { example: unknown }) => example), ...Object.values(EXAMPLES_OF_PAGES)] as [
      string,
      string,
      number,
      number?,
    ][];
    for (const [file, section, number, lines] of examples) {
      if (elsewhere.test(file)) expect(run).toContain(file.replace(/^docs\/|\.md$/g, ''));
      else expect(readFileSync(join(root, 'site/chapters.mjs'), 'utf8')).toContain(`'${file}'`);
      if (!lines) continue;
      const text = readFileSync(join(root, file), 'utf8');
      const [part] = text.slice(text.indexOf(`## ${section}\n`)).split(/\n## (?!.*\n)/);
      const code = [...part!.matchAll(/^```js\n([\s\S]*?)^```/gm)][number]![1]!.split('\n').slice(0, lines).join('\n');
      expect(() => new Script(`(async () => {\n${code}\n})`), code).not.toThrow();
    }
  });
});

test('getters and setters are properties, and nothing is inherited from elsewhere', () => {
  for (const page of pages) {
    for (const name of [page, page.replace(/html$/, 'md')]) {
      const words = /(?:Get|Set|Call) Signature|Inherited from|__namedParameters/.exec(read(name));
      expect([name, words?.[0]]).toEqual([name, undefined]);
    }
  }
  const row = /id="stepcount">step<wbr>Count<\/h3><code class="signature">: number<\/code> <small>read only/;
  expect(row.test(read(WORLD))).toBe(true);
  expect(/<small>read and write/.test(read('react/classes/RigidBodyApi.html'))).toBe(true);
  expect(/raycast|morphTarget|matrixWorld/i.test(read('three/classes/DebugRenderer.html'))).toBe(false);
});

test('calls of a world in a thread have their parameters and say what they do', () => {
  const text = read('worker/classes/TalusWorker.md');
  expect(text.includes('...args')).toBe(false);
  expect(text).toMatch(
    /### moveKinematic\(\)\n\n```ts\nmoveKinematic\(id, position, rotation\?\): void;\n```\n\n\w.*\.\n\nAs \[World\.moveK/,
  );
});

test('"On this page" lists all members', () => {
  let count = 0;
  for (const page of pages) {
    const { document } = parseHTML(read(page));
    const listed = new Set([...document.querySelectorAll('.toc a')].map((node) => node.getAttribute('href')));
    const ids = [...document.querySelectorAll('.member h3')].map((node) => `#${node.id}`);
    if (ids.length > 1) expect([page, ...ids.filter((id) => !listed.has(id))]).toEqual([page]);
    count += ids.length;
  }
  expect(count).toBeGreaterThan(1500);
});

test('the index has every page by task and from A to Z, and the members of World', () => {
  const { document } = parseHTML(read('index.html'));
  const hrefs = [...document.querySelectorAll('main a')].map((node) => node.getAttribute('href'));
  for (const page of pages.filter((name) => name !== 'index.html')) expect(hrefs, page).toContain(page);
  const [, last] = read('index.html').split('id="a-z"');
  const plain = last!.replaceAll('<wbr>', '');
  expect(members.filter((name) => !plain.includes(`>world.${name}</a>`))).toEqual([]);
  for (const { id } of TASKS) expect(document.querySelector(`h2#${id}`), id).toBeTruthy();
});

test('Markdown keeps all of it, nothing folded', () => {
  const text = read('index/interfaces/World.md');
  for (const name of members) expect(text).toMatch(new RegExp(`^### ${name}(\\(\\))?$|^\\| \`${name}\\??\` \\|`, 'm'));
  for (const { task, members } of NAMES)
    if (members.length) expect(text).toContain(`## ${task.title}\n\n${task.about}\n\n\`\`\`js`);
  expect(text).toMatch(/### castRays\(\)\n\n```ts[\s\S]*?#### Parameters[\s\S]*?#### Throws\n\nTalusError/);
  expect(text).not.toContain('T["settings"]');
});

test('link texts are titles, not names of files', () => {
  for (const file of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.html') || /^(demo|live)\//.test(file)) continue;
    const html = readFileSync(join(site, file), 'utf8');
    const named = [...html.matchAll(/<a [^>]*>(?:<code>)?((?:[\w.-]+\/)*[\w-]+\.md(?:#[\w-]*)?)(?:<\/code>)?<\/a>/g)];
    expect([file, ...named.map(([, words]) => words)]).toEqual([file]);
  }
});

test('entries of the search lead to headings that are there', () => {
  const ids = Object.values(JSON.parse(readFileSync(join(site, 'search.json'), 'utf8')).documentIds) as string[];
  const own = ids.filter((id) => id.startsWith('reference/') && id.includes('#'));
  expect(own.length).toBeGreaterThan(1000);
  const texts = new Map<string, string>();
  for (const id of own) {
    const [path, hash] = id.slice('reference/'.length).split('#') as [string, string];
    if (!texts.has(path)) texts.set(path, read(path));
    expect(texts.get(path)!.includes(`id="${hash}"`), id).toBe(true);
  }
  for (const name of members)
    expect(own.some((id) => id.startsWith(`reference/${WORLD}#`) && id.endsWith(name.toLowerCase()))).toBe(true);
});

describe('a page of typedoc', () => {
  const source = `# Class: A

Does it.

## Accessors

### size

#### Get Signature

\`\`\`ts
get size(): number;
\`\`\`

In m. Never 0.

##### Returns

\`number\`

#### Set Signature

\`\`\`ts
set size(value): void;
\`\`\`

In m. Never 0.

##### Parameters

| Parameter | Type |
| ------ | ------ |
| \`value\` | \`number\` |

## Methods

### go()

\`\`\`ts
go(
   from, 
   to?
): void;
\`\`\`

Goes e.g. home (1.5 m). Then it stays.

#### Returns

\`void\`
`;

  test('is read: access, types, sentences', () => {
    const { members } = readPage(source, 'class');
    expect(members).toMatchObject([
      { name: 'size', kind: 'property', access: 'read and write', type: 'number', id: 'size' },
      { name: 'go', kind: 'method', id: 'go' },
    ]);
    expect(firstSentence('Goes e.g. home (1.5 m). Then it stays.')).toEqual(['Goes e.g. home (1.5 m).', 'Then it stays.']);
  });

  test('is written again in the order of groups', () => {
    const page = readPage(source, 'class');
    const text = pageText({ ...page, groups: groupMembers(page.members), exampleOf: () => null });
    expect(text.match(/^#+ .*/gm)).toEqual(['# Class: A', '## Properties', '### size', '## Methods', '### go()']);
    expect(text).toContain('```ts\nsize: number;\n```\n\nIn m. Never 0.');
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.connect(inject('browser'));
  });
  afterAll(() => browser?.close());
  const url = `${inject('url')}reference/`;
  const shot = (path: string, of: string) =>
    join(site, `../screenshots/site/reference_${path.replaceAll('/', '_').replace('.html', '')}-${of}.png`);
  const isOpen = (id: string) => `document.getElementById('${id}').closest('details').open`;

  test('World is a fifth of what it was, and axe finds nothing, folded or not', async () => {
    for (const colorScheme of everyNth(['light', 'dark'] as const, 2)) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme });
      await page.goto(url + WORLD);
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(12_800);
      expect(await page.evaluate('document.querySelectorAll(".member > details[open]").length')).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.screenshot({ path: shot(WORLD, `desktop-${colorScheme}`) });
      await page.click('[data-unfold]');
      expect(await page.evaluate('document.querySelectorAll(".member > details:not([open])").length')).toBe(0);
      // Ten seconds for a page of that length.
      if (isLong) expect(await violations(page)).toEqual([]);
      await page.close();
    }
  });

  test('an address opens its member: by link, by a second click, by search', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${url + WORLD}#castray`);
    await page.waitForFunction(isOpen('castray'));
    await page.waitForFunction('Math.abs(document.getElementById("castray").getBoundingClientRect().top) < 300');
    await page.click('#castray');
    await page.waitForFunction(`!${isOpen('castray')}`);
    await page.click('.toc a[href="#castray"]');
    await page.waitForFunction(isOpen('castray'));
    await page.waitForLoadState('networkidle');
    await page.keyboard.press('/');
    await page.keyboard.type('setContactRule');
    await page.waitForSelector('#site-hits li[data-to$="World.html#setcontactrule"][aria-selected="true"]');
    await page.keyboard.press('Enter');
    await page.waitForFunction(isOpen('setcontactrule'));
    await page.close();
  });

  const PHONE = [
    'index.html',
    WORLD,
    'index/interfaces/BodyDesc.html',
    'index/interfaces/JointDesc.html',
    'index/interfaces/StepParameters.html',
    'index/functions/createWorld.html',
    'three/classes/ThreePhysics.html',
    'gltf/interfaces/GltfIssue.html',
    'react/functions/RigidBody.html',
    'react/functions/useFilterIntersectionPair.html',
    'react/classes/RigidBodyApi.html',
    'react/type-aliases/StepWorld.html',
    'react/type-aliases/FilterIntersectionPairCallback.html',
  ];
  /** Words with their letters on two lines; a name of several words may break between them. */
  const BROKEN = `(() => {
    const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const broken = [];
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement.closest('pre')) continue;
      for (const { 0: word, index } of node.data.matchAll(/[A-Za-z0-9]+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
      }
    }
    return broken;
  })()`;

  test.each(everyNth(PHONE, 5))('on a phone %s breaks no word and does not scroll sideways', async (path) => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.goto(url + path);
    await page.screenshot({ path: shot(path, 'phone-light') });
    expect(await violations(page)).toEqual([]);
    await page.evaluate('for (const fold of document.querySelectorAll(".member details")) fold.open = true');
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(await page.evaluate(BROKEN)).toEqual([]);
    await page.close();
  });
});
