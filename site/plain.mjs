// The site for those who read by machine: each chapter, example and page of the reference as Markdown beside its page, and llms.txt, which lists them
// (llmstxt.org). In: chapters with their texts, examples. Out: guide/*.md, examples/*.md, reference/**/*.md, skill.md, llms.txt.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { withoutMarks } from './markdown.mjs';
import { indexText } from './reference_index.mjs';

/**
 * Text with the links outside of its code blocks rewritten by `link`; what leads nowhere on the site stays as words. Pictures lie in
 * the assets.
 */
function relink(text, link) {
  let code = false;
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) code = !code;
      if (code) return line;
      const [, what, to] = /^\[!\[([^\]]*)\]\([^)\s]*\)\]\(([^)\s]+)\)$/.exec(line) ?? [];
      if (to) return `Runs live: [${what}](${link(to).replace(/\.html$/, '.md')})`;
      const pictured = line.replace(
        /(!\[[^\]]*\])\(([^)\s]+)\)/g,
        (_, words, src) => `${words}(../assets/${posix.basename(src)})`,
      );
      return pictured.replace(/(?<!!)\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words, to) => {
        const place = link(to);
        return place === null ? words : `[${words}](${place.replace(/^([\w-]+)\.html/, '$1.md')})`;
      });
    })
    .join('\n');
}

/** A chapter as one Markdown text. */
function chapterText({ title, about, texts, live = [] }, linkOf) {
  const single = texts.length === 1;
  const parts = texts.map(({ file, title: section, text }) => {
    const source = section && !single ? `## ${section}\n${text}` : text;
    return relink(withoutMarks(source), linkOf(file)).trim();
  });
  if (live.length) parts.push(`Examples: ${live.map((name) => `[${name}](../examples/${name}.md)`).join(', ')}`);
  return `# ${title}\n\n${about}\n\n${parts.join('\n\n')}\n`;
}

const exampleText = ({ name, kind, title, about, source, also }) =>
  `# ${title}\n\n${about}\n\n\`\`\`${kind}\n// ${name}.${kind}\n${source.trim()}\n\`\`\`\n${also && `\n\`\`\`js\n// ${name}.worker.js\n${also.trim()}\n\`\`\`\n`}`;

/** Links between pages of the reference stay; those to the list of an entry lead to the list of all. */
const referenceText = ({ path, text }) => {
  const up = '../'.repeat(path.split('/').length - 1);
  return text.replace(/\]\((?:[./\w-]*\/)?README\.md\)/g, `](${up}index.md)`).replace(/<a id="[^"]*"><\/a> /g, '');
};

/** The reference: its pages by groups, nothing folded, and the index. */
export function writePlainReference(out, pages) {
  for (const page of pages) {
    const file = join(out, 'reference', page.path.replace(/html$/, 'md'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, referenceText(page));
  }
  writeFileSync(join(out, 'reference/index.md'), indexText(pages));
}

/** Writes it all to the folder of the site. */
export function writePlain(out, { readme, skill, guide, examples, linkOf }) {
  const put = (path, text) => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  };
  const lists = guide.map(({ title, chapters }) => {
    const lines = chapters.map(({ slug, title, about }) => `- [${title}](guide/${slug}.md): ${about}`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  for (const { chapters } of guide)
    for (const chapter of chapters)
      put(
        `guide/${chapter.slug}.md`,
        chapterText(chapter, (file) => linkOf(file, `guide/${chapter.slug}.html`)),
      );
  for (const example of examples) put(`examples/${example.name}.md`, exampleText(example));
  put('skill.md', skill.replace(/^---\n[\s\S]*?---\n+/, ''));
  const [, summary] = /^# .*\n+([\s\S]*?)\n\n/.exec(readme);
  const shown = examples.map(({ name, title, about }) => `- [${title}](examples/${name}.md): ${about}`);
  const first = `- [What to call for what, ten patterns, ten mistakes](skill.md)
- [API reference](reference/index.md): all exports; most calls are on [World](reference/index/interfaces/World.md)`;
  put(
    'llms.txt',
    `# talus\n\n> ${summary.replaceAll('\n', ' ')}\n\n## First\n\n${first}\n\n${lists.join('\n\n')}\n\n## Examples\n\n${shown.join('\n')}\n`,
  );
}
