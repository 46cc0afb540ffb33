// The API reference: typedoc writes Markdown from the docstrings of src/; its pages are put in order by task (tasks.mjs, members.mjs).
// Out: pages as HTML and as Markdown, with what the index, the menu and the search need of each.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Application } from 'typedoc';
import { GUIDE } from './chapters.mjs';
import { slugify } from './markdown.mjs';
import { firstSentence, groupMembers, pageHtml, pageText, readPage, withCalls, withTexts } from './members.mjs';
import { ENTRIES as BESIDE, EXAMPLES_OF_PAGES, groupsOf, misplaced, NAMES } from './tasks.mjs';

const root = join(import.meta.dirname, '..');
/** Entries of the package, by the folders that typedoc makes of them. */
const ENTRIES = {
  index: ['src/index.ts', 'talus'],
  gpu: ['src/gpu/index.ts', 'talus/gpu'],
  controllers: ['src/controllers/index.ts', 'talus/controllers'],
  rigs: ['src/rigs/index.ts', 'talus/rigs'],
  worker: ['src/worker/index.ts', 'talus/worker'],
  three: ['src/three/index.ts', 'talus/three'],
  three_webgpu: ['src/three_webgpu/index.ts', 'talus/three/webgpu'],
  react: ['src/react/index.ts', 'talus/react'],
  babylon: ['src/babylon/index.ts', 'talus/babylon'],
  playcanvas: ['src/playcanvas/index.ts', 'talus/playcanvas'],
  gltf: ['src/gltf/index.ts', 'talus/gltf'],
  slim: ['src/slim/index.ts', 'talus/slim'],
  'slim/worker': ['src/slim/worker.ts', 'talus/slim/worker'],
  study: ['src/study/index.ts', 'talus/study'],
};
const KINDS = { classes: 'class', functions: 'function', interfaces: 'interface', 'type-aliases': 'type', variables: 'constant' };

/** Sections that say what only the sources know. */
const DROPPED = /^#+ (Inherited from|Overrides|Extended by|Extends|Implementation of|Remarks|Type Parameters)$/;

/** Without sections that are dropped, rules between members, and doubled heads. */
function tidy(text) {
  const lines = [];
  let depth = 0; // of the section that is dropped
  let code = false;
  let isInherited = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) code = !code;
    const heading = !code && /^(#+) /.exec(line);
    if (heading) {
      if (depth && heading[1].length <= depth) depth = 0;
      if (!depth && DROPPED.test(line)) depth = heading[1].length;
    }
    if (line === '***' && !code) {
      depth = 0;
      continue;
    }
    // The last column of a table of members may say the same.
    if (!code && line.startsWith('| ')) {
      if (!lines.at(-1)?.startsWith('| ')) isInherited = line.endsWith('| Inherited from |');
      if (isInherited && !depth) {
        lines.push(line.replace(/(?<!\\)\|(?:\\\||[^|])*\|$/, '|'));
        continue;
      }
    }
    if (!depth) lines.push(line);
  }
  return lines.join('\n');
}

/** Writes the Markdown of typedoc to a folder. */
async function convert(folder) {
  rmSync(folder, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    out: folder,
    tsconfig: join(import.meta.dirname, 'tsconfig.json'),
    entryPoints: Object.values(ENTRIES).map(([file]) => join(root, file)),
    skipErrorChecking: true,
    excludeInternal: true,
    excludeExternals: true, // what a class has of three.js or React
    excludePrivate: true,
    disableSources: true,
    readme: 'none',
    logLevel: 'Error',
    outputFileStrategy: 'members',
    useCodeBlocks: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    parametersFormat: 'table',
    interfacePropertiesFormat: 'table',
    typeDeclarationFormat: 'table',
    propertyMembersFormat: 'table',
  });
  const project = await app.convert();
  if (!project) throw new Error('typedoc has found nothing');
  await app.generateOutputs(project);
}

/** Blocks of code of the guide by file and heading. */
const blocks = new Map();
/** The block of code of a guide page that a table names: `{ code, lang }`. A name that is not there fails the build. */
function exampleAt([file, section, number, lines]) {
  if (!blocks.has(file)) {
    const found = {};
    let here = '';
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, title, lang, code] of text.matchAll(/^##+ (.*)$|^```(\w+)\n([\s\S]*?)^```/gm)) {
      if (title !== undefined) here = title;
      else found[here] = [...(found[here] ?? []), { lang, code }];
    }
    blocks.set(file, found);
  }
  const block = blocks.get(file)[section]?.[number];
  if (!block) throw new Error(`${file}, "${section}" has no block of code ${number} (site/tasks.mjs)`);
  return { ...block, code: block.code.split('\n').slice(0, lines).join('\n') };
}

/** Links in the Markdown of a page, to the HTML pages; lists of entries are on the index, files of docs/ in the guide. */
const linker = (file) => (to) => {
  if (/^(https?:|#)/.test(to)) return to;
  const [path, hash] = to.split('#');
  if (path.startsWith('guide:')) return `${'../'.repeat(file.split('/').length)}${to.slice('guide:'.length)}`;
  const target = posix.normalize(posix.join(dirname(file), path));
  const up = '../'.repeat(file.split('/').length - 1);
  if (target.endsWith('README.md'))
    return `${up}index.html${target.startsWith('index/') ? '' : `#${target.replace('/README.md', '')}`}`;
  return `${path.replace(/\.md$/, '.html')}${hash ? `#${hash}` : ''}`;
};

/** Docstrings name files of docs/ and their sections, which the site has as pages of the guide. */
const withGuide = (text, guideAt) =>
  text.replace(/`?docs\/([\w-]+)\.md(?:#([\w-]+)|, "([^"]+)")?`?/g, (whole, name, id, title) => {
    const found = guideAt(`docs/${name}.md`, id ?? (title ? slugify(title) : ''));
    return found ? `[${found.title}](guide:${found.path})` : whole;
  });

/** Types that a world of `talus` has in place of its type parameter. */
const PRODUCT = { settings: 'Settings', asked: 'WorldSettings', solver: 'ActiveSolver' };
const PRODUCT_PATHS = {
  Settings: 'Settings.md',
  WorldSettings: 'WorldSettings.md',
  ActiveSolver: '../type-aliases/ActiveSolver.md',
};
const ofProduct = (text) =>
  text
    .replace(/\bT\["(settings|asked|solver)"\]/g, (_, name) => PRODUCT[name])
    .replace(/`T`\\\[`"(settings|asked|solver)"`\\\]/g, (_, name) => `[\`${PRODUCT[name]}\`](${PRODUCT_PATHS[PRODUCT[name]]})`)
    .replace(/World<(T|Product)>/g, 'World')
    .replace(/(\[`World`\]\([^)]*\))\\<`Product`\\>/g, '$1')
    .replace(/`World`\\<`T`\\>|World\\<T\\>/g, (whole) => (whole.startsWith('`') ? '`World`' : 'World'));

/** Task or entry under which an export stands on the index: `{ id, title, guide }`. */
function placeOf(module, title) {
  const beside = BESIDE.find(({ id }) => id === module);
  if (beside && !beside.task) return beside;
  return beside
    ? NAMES.find(({ task }) => task.id === beside.task).task
    : NAMES.find(({ exports }) => exports.includes(title))?.task;
}

const chapters = GUIDE.flatMap(({ chapters }) => chapters);

/** Classes and interfaces with the calls of World stand in its groups. */
const WORLD = 'index/interfaces/World.md';
const IS_WORLD = /^(index|study)\/interfaces\/World\.md$|classes\/TalusWorker\.md$/;

/** What a call of World does, for classes that have it too. */
function likeWorld(name, file, read) {
  const call = read.get(WORLD).members.find((member) => member.name === name);
  if (!call) return '';
  const path = posix.relative(dirname(file), WORLD);
  return `${firstSentence(call.signatures[0].description)[0]}\n\nAs [World.${name}](${path}#${call.id}).`.trim();
}

/** Pages that speak of the world of `talus`, whose types are known. */
const IS_PRODUCT = /^index\/(interfaces\/World|functions\/createWorld)\.md$/;

/** Props of a component and options of a function as a group: the members of the interface that it takes. */
function optionsOf({ sections }, file, read) {
  const parameters = sections.find(([name]) => name === 'Parameters')?.[1] ?? '';
  const [, name, to] = /^\| `(props|options)\??` \| \[`\w+`\]\(([^)]*)\) \|/m.exec(parameters) ?? [];
  const from = to && posix.normalize(posix.join(dirname(file), to));
  const members = read.get(from)?.members;
  if (!members?.length) return [];
  // Their links are those of another folder.
  const rebase = (text) =>
    text.replace(/\]\(([\w./-]+\.md)/g, (_, path) => `](${posix.relative(dirname(file), posix.join(dirname(from), path))}`);
  const title = name === 'props' ? 'Props' : 'Options';
  return [{ id: `all-${name}`, title, task: null, members: members.map((one) => withTexts(one, rebase)), isElsewhere: true }];
}

/** The sentence of the index: of the description, or of the type. */
function aboutOf({ intro }) {
  const [text] = intro.replace(/^```ts\n[\s\S]*?\n```\n*/, '').split(/(?:^|\n+)- /);
  return text ? firstSentence(text)[0].replace(/\s+/g, ' ') : '';
}

/**
 * Pages `{ path, title, module, name, kind, place, about, html, text, entries, sections, members }`; `name` is that of the entry.
 * `guideAt(file, id)`: a file of docs/ or a section of it in the guide, `{ path, title }` or null. `isMade`: the folder has the Markdown.
 */
export async function buildReference(folder, { guideAt, isMade = false }) {
  if (!isMade) await convert(folder);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.endsWith('README.md')) // lists are made below
    .sort();
  const names = files.filter((file) => /^index\/[^/]+\/[^/]+$/.test(file)).map((file) => posix.basename(file, '.md'));
  const lost = misplaced(names, 'exports');
  if (lost.length) throw new Error(`exports in no task or in several (site/tasks.mjs): ${lost.join(', ')}`);
  const read = new Map(
    files.map((file) => {
      const source = tidy(readFileSync(join(folder, file), 'utf8'));
      return [file, readPage(IS_PRODUCT.test(file) ? ofProduct(source) : source, KINDS[file.split('/').at(-2)])];
    }),
  );
  /** Files by entry and name, such as `index/BodyDesc`. */
  const paths = new Map(files.map((file) => [`${file.split('/').slice(0, -2).join('/')}/${posix.basename(file, '.md')}`, file]));
  const pages = files.map((file) => {
    const parts = file.split('/');
    const module = parts.slice(0, -2).join('/');
    const title = parts.at(-1).slice(0, -3);
    const kind = KINDS[parts.at(-2)];
    const known = read.get(file);
    const page = { ...known, members: withCalls(known.members, (name) => likeWorld(name, file, read)) };
    const isWorld = IS_WORLD.test(file);
    if (file === WORLD) {
      const lost = misplaced(
        page.members.map(({ name }) => name),
        'members',
      );
      if (lost.length) throw new Error(`members of World in no task or in several (site/tasks.mjs): ${lost.join(', ')}`);
    }
    const up = '../'.repeat(parts.length - 1);
    const named = EXAMPLES_OF_PAGES[file.slice(0, -3)];
    const content = {
      ...page,
      groups: [...groupMembers(page.members, isWorld ? NAMES : groupsOf(file.slice(0, -3))), ...optionsOf(page, file, read)],
      example: named && exampleAt(named),
      // World has an example in each group; those of its kin are the same.
      exampleOf: ({ task }) => (module === 'index' ? exampleAt(task.example) : null),
      typeUrl: (name) => {
        const path = [module, 'index'].map((from) => paths.get(`${from}/${name}`)).find(Boolean);
        return path && path !== file ? `${up}${path.replace(/md$/, 'html')}` : null;
      },
      linkOf: ({ task }) =>
        `<a href="${up}../guide/${task.guide}.html">${chapters.find(({ slug }) => slug === task.guide).title}</a>`,
      typesOf: ({ task }) => {
        const of = NAMES.find((entry) => entry.task === task).exports.filter((name) => name !== 'World');
        const links = of.map((name) => {
          return `<a href="${up}${paths.get(`index/${name}`).replace(/md$/, 'html')}">${name}</a>`;
        });
        return links.length ? `<p class="types">See also: ${links.join(', ')}.</p>` : '';
      },
    };
    return {
      path: file.replace(/\.md$/, '.html'),
      title,
      module,
      name: ENTRIES[module][1],
      kind,
      place: placeOf(module, title),
      about: withGuide(aboutOf(page), guideAt),
      text: pageText(content),
      members: page.members.map(({ name }) => name),
      ...pageHtml(content, linker(file), (text) => withGuide(text, guideAt)),
    };
  });
  return { pages };
}
