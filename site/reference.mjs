// The API reference: typedoc writes Markdown from the docstrings of src/, which becomes pages like all others.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Application } from 'typedoc';
import { render } from './markdown.mjs';

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
const DROPPED = /^#+ (Inherited from|Overrides|Extended by|Extends|Implementation of|Type Parameters)$/;

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

/** Pages `{ path, title, module, kind, html, text, headings, sections }`, and the entries with what each exports. */
export async function buildReference(folder) {
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

  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && name !== 'README.md',
  );
  const pages = [];
  for (const file of files.sort()) {
    if (file.endsWith('README.md')) continue; // lists are made below
    const parts = file.split('/');
    const module = parts.slice(0, -2).join('/');
    const source = tidy(readFileSync(join(folder, file), 'utf8'));
    const title = parts.at(-1).slice(0, -3);
    const { html, headings, sections } = render(source.replace(/^# .*\n/, ''), {
      html: true,
      link: (to) => {
        if (/^(https?:|#)/.test(to)) return to;
        const [path, hash] = to.split('#');
        const target = posix.normalize(posix.join(dirname(file), path));
        if (target.endsWith('README.md'))
          return `${'../'.repeat(parts.length - 1)}index.html#${target.replace('/README.md', '')}`;
        return `${path.replace(/\.md$/, '.html')}${hash ? `#${hash}` : ''}`;
      },
    });
    // An anchor of a table row may have the name of a heading.
    const ids = new Set(headings.map(({ id }) => id));
    const unique = html.replace(/<a id="([^"]*)"><\/a>/g, (anchor, id) => (ids.has(id) ? '' : ids.add(id) && anchor));
    pages.push({
      path: file.replace(/\.md$/, '.html'),
      title,
      module,
      kind: KINDS[parts.at(-2)],
      html: unique,
      text: source,
      headings,
      sections,
    });
  }
  const modules = Object.entries(ENTRIES).map(([id, [, name]]) => ({
    id,
    name,
    pages: pages.filter(({ module }) => module === id),
  }));
  return { pages, modules };
}
