// The site for those who read by machine: each chapter and example as Markdown beside its page, and llms.txt, which lists them
// (llmstxt.org). In: chapters with their texts, examples. Out: guide/*.md, examples/*.md, skill.md, llms.txt.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

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
function chapterText({ title, about, texts }, linkOf) {
  const single = texts.length === 1;
  const parts = texts.map(({ file, title: section, text }) => {
    const source = section && !single ? `## ${section}\n${text}` : text;
    return relink(source, linkOf(file)).trim();
  });
  return `# ${title}\n\n${about}\n\n${parts.join('\n\n')}\n`;
}

const exampleText = ({ name, kind, title, about, source }) =>
  `# ${title}\n\n${about}\n\n\`\`\`${kind}\n// ${name}.${kind}\n${source.trim()}\n\`\`\`\n`;

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
  const first = '- [What to call for what, ten patterns, ten mistakes](skill.md)';
  put(
    'llms.txt',
    `# talus\n\n> ${summary.replaceAll('\n', ' ')}\n\n## First\n\n${first}\n\n${lists.join('\n\n')}\n\n## Examples\n\n${shown.join('\n')}\n`,
  );
}
