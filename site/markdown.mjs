// Markdown to HTML: headings with addresses, tables that scroll, highlighted code, and the text of each section for the search.
import MarkdownIt from 'markdown-it';
import anchor from 'markdown-it-anchor';
import { createHighlighter } from 'shiki';

const LANGUAGES = ['javascript', 'typescript', 'jsx', 'tsx', 'html', 'bash', 'json'];
const ALIASES = { js: 'javascript', ts: 'typescript', sh: 'bash' };
const highlighter = await createHighlighter({
  themes: ['github-light-high-contrast', 'github-dark-high-contrast'],
  langs: LANGUAGES,
});

/** As GitHub makes them, so that links in docs/ hold in both places. */
export const slugify = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** Code with colors that follow the theme of the page. */
export function highlight(code, name) {
  const lang = ALIASES[name] ?? name;
  if (!LANGUAGES.includes(lang)) return `<pre tabindex="0"><code>${encode(code)}</code></pre>`;
  return highlighter.codeToHtml(code.trimEnd(), {
    lang,
    themes: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    defaultColor: 'light-dark()',
    tabindex: 0,
  });
}

export const encode = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);

/** A text without the marks of the generator of figures (scripts/figures.mjs), which no reader needs. */
export const withoutMarks = (text) => text.replace(/^<!-- \/?figures[^\n]*-->\n/gm, '');

const parsers = new Map();
function parser(html) {
  if (!parsers.has(html)) {
    const md = new MarkdownIt({ html, highlight });
    md.use(anchor, { slugify, level: [1, 2, 3, 4], tabIndex: false });
    md.renderer.rules.table_open = (tokens, at) => {
      const end = tokens.findIndex((token, i) => i > at && token.type === 'thead_close');
      const head = tokens.slice(at, end).filter((token) => token.type === 'inline');
      // Calls of two engines side by side: columns of fixed widths, and on a phone one below the other.
      const kind = head.at(-1)?.content === 'what differs' ? 'table compare' : 'table';
      return `<div class="${kind}" tabindex="0" role="group" aria-label="Table"><table>`;
    };
    md.renderer.rules.table_close = () => '</table></div>';
    const imageRule = md.renderer.rules.image;
    md.renderer.rules.image = (tokens, i, ...rest) => {
      const src = tokens[i].attrGet('src');
      return src.startsWith('<') ? src : imageRule(tokens, i, ...rest);
    };
    parsers.set(html, md);
  }
  return parsers.get(html);
}

/**
/**
 * Renders a text. `link` rewrites addresses (null: no link), `title` words of links (null: they stay), `image` those of pictures, or returns
 * an element instead (`<svg ...`). `frame` gets the address of each linked picture that is a paragraph, and returns what to show in its
 * place, or null. `raise` takes a level off all headings. `html` lets HTML through.
 * Returns HTML, headings of level 2 and 3, and the text of sections.
 */
export function render(text, { link, title = () => null, image = (from) => from, frame = () => null, raise = 0, html = false }) {
  const md = parser(html);
  // markdown-it wraps what `highlight` returns unless it begins with <pre.
  const tokens = md.parse(withoutMarks(text), {});
  const headings = [];
  const sections = [];
  let section = { id: '', title: '', text: '' };
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token.type === 'heading_open' || token.type === 'heading_close') {
      token.tag = `h${Math.max(2, Number(token.tag[1]) - raise)}`;
    }
    if (token.type === 'heading_open') {
      const title = plain(tokens[i + 1]);
      const id = token.attrGet('id');
      headings.push({ level: Number(token.tag[1]), id, title });
      sections.push(section);
      section = { id, title, text: '' };
    } else if (token.type === 'th_open' && !tokens[i + 1].content) {
      token.tag = 'td';
      tokens[i + 2].tag = 'td';
    } else if (token.type === 'inline' && shown(token, frame) !== null) {
      tokens[i] = Object.assign(token, { type: 'html_block', content: shown(token, frame) });
      tokens[i - 1].hidden = tokens[i + 1].hidden = true;
    } else if (token.type === 'inline') {
      if (tokens[i - 1]?.type !== 'heading_open') section.text += ` ${plain(token)}`;
      const dropped = [];
      for (const [at, child] of token.children.entries()) {
        if (child.type === 'link_open') {
          const words = token.children[at + 1];
          const titled = token.children[at + 2]?.type === 'link_close' && title(child.attrGet('href'), words.content);
          if (titled) Object.assign(words, { type: 'text', tag: '', content: titled });
          const to = link(child.attrGet('href'));
          if (to === null) Object.assign(child, { tag: 'span', attrs: null });
          else child.attrSet('href', to);
          dropped.push(to === null);
        } else if (child.type === 'link_close' && dropped.pop()) child.tag = 'span';
        else if (child.type === 'image') child.attrSet('src', image(child.attrGet('src')));
      }
    } else if (token.type === 'fence') section.text += ` ${token.content}`;
  }
  sections.push(section);
  return { html: md.renderer.render(tokens, md.options, {}), headings, sections };
}

/** What `frame` has for a paragraph that is a linked picture. */
function shown({ children }, frame) {
  const [link, picture, end] = children;
  const isLinkedPicture = children.length === 3 && picture.type === 'image' && end.type === 'link_close';
  return isLinkedPicture ? frame(link.attrGet('href')) : null;
}

const TEXTS = { softbreak: () => ' ', html_inline: () => '' };
const plain = (token) => (token.children ?? []).map(({ type, content }) => TEXTS[type]?.() ?? content).join('');

/** Cuts a text at its headings of level 2 (not those in code): `[title, text]`, the first with title ''; its heading of level 1 goes. */
export function cut(text) {
  const parts = [['', '']];
  let code = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) code = !code;
    const [, title] = (!code && /^## (.*)/.exec(line)) || [];
    if (title) parts.push([title.replaceAll('`', ''), '']);
    else if (code || !line.startsWith('# ')) parts.at(-1)[1] += `${line}\n`;
  }
  return parts;
}
