// Counts what makes our words hard to read, in README, docs, SKILL.md and docstrings: `node scripts/prose.mjs` lists it by page, `--all` each
// finding with its line. `npm run check` fails where a count is above its limit, and asks to lower the limit where it is below: the numbers
// only go down. The rules are in CONTRIBUTING.md, "Words".
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Findings that there may be. */
const LIMITS = { docs: 0, docstrings: 0 };
/** Words of a sentence. */
const LONGEST = 35;

/**
 * Patterns and what to write.
 * @type {[pattern: RegExp, instead: string][]}
 */
const PATTERNS = [
  [
    /(?<![.\w] |\bsay |\bsays |\bknow |\bof |\bsee |\bask |\bto |\bon )\bwhat (is|was|has|had|rests|lies|comes|stands|moves|touches|changes|acts|hangs|waits|may|must|can)\b/gi,
    'name the thing instead of "what is"',
  ],
  [/\b(those|the one|the ones|that) (that|which|who)\b/gi, 'name the thing instead of "those that"'],
  [/\banew\b/gi, '"again", "recomputed", "new"'],
  [/\b(is|are|was|were|be|gets?) told\b/gi, '"emitted", "reported", "warned"'],
  [
    /\b(ms|us|µs|s|bytes|kB|MB|B|N m|N s|J|kg|m\/s|steps|points|floats|words|lanes) an? (step|body|frame|contact|second|sweep|pass|world|call|pair|link|point|joint|substep|slot|ray|box|link|lane|page|thread|hash|name)\b/g,
    'units with "per"',
  ],
  [/\b(is|are) seen\b/gi, '"shows", "appears"'],
  [/\b(let|lets|letting) go\b/gi, '"release", "drop"'],
];

/** Text without code, tables, headings, comments and links' addresses. */
function proseOf(/** @type {string} */ text) {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, ''))
    .replace(/<!--[\s\S]*?-->/g, (block) => block.replace(/[^\n]/g, ''))
    .replace(/^\|.*$/gm, '')
    .replace(/^#+ .*$/gm, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/`[^`\n]*`/g, 'CODE');
}

/**
 * Findings of a text: line and what to do.
 * @param {string} text prose
 */
export function findingsOf(text) {
  const findings = [];
  const lineOf = (/** @type {number} */ at) => text.slice(0, at).split('\n').length;
  for (const [pattern, instead] of PATTERNS) {
    for (const match of text.matchAll(pattern)) findings.push({ line: lineOf(match.index), what: `"${match[0]}": ${instead}` });
  }
  // Sentences end at a full stop, a blank line, or a new item of a list.
  for (const match of text.matchAll(/[^.!?:;\n][^.!?]*?(?:[.!?](?=\s|$)|\n\s*\n|\n\s*[*\d-]+\.? |$)/g)) {
    const words = match[0].split(/\s+/).filter((word) => /\w/.test(word));
    if (words.length > LONGEST) findings.push({ line: lineOf(match.index), what: `a sentence of ${words.length} words` });
  }
  return findings.sort((a, b) => a.line - b.line);
}

/** Docstrings of a source, in place of all else. */
function docstringsOf(/** @type {string} */ text) {
  const kept = new Array(text.length);
  for (let i = 0; i < text.length; i++) kept[i] = text[i] === '\n' ? '\n' : ' ';
  for (const { index, 0: block } of text.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
    const words = block
      .replace(/^\/\*\*|\*\/$|^\s*\*/gm, (mark) => ' '.repeat(mark.length))
      .replace(/@\w+/g, (tag) => ' '.repeat(tag.length));
    for (let i = 0; i < words.length; i++) kept[index + i] = words[i];
  }
  return kept.join('').replace(/`[^`\n]*`/g, 'CODE');
}

/** Pages and sources with their findings. */
function collect() {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && name !== 'memory-map.md')
    .map((name) => `docs/${name}`);
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('.generated.'))
    .map((name) => `src/${name}`);
  const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
  return {
    docs: ['README.md', 'SKILL.md', ...docs.sort()].map((path) => ({ path, findings: findingsOf(proseOf(read(path))) })),
    docstrings: sources.sort().map((path) => ({ path, findings: findingsOf(docstringsOf(read(path))) })),
  };
}

/** Findings, a line each: counts that are not their limits. */
export function checkProse() {
  return Object.entries(collect()).flatMap(([kind, files]) => {
    const count = files.reduce((sum, { findings }) => sum + findings.length, 0);
    if (count === LIMITS[kind]) return [];
    if (count < LIMITS[kind])
      return [`${kind}: ${count} findings, fewer than ${LIMITS[kind]}: lower the limit in scripts/prose.mjs`];
    return [`${kind}: ${count} findings, at most ${LIMITS[kind]}: node scripts/prose.mjs --all lists them`];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [kind, files] of Object.entries(collect())) {
    console.log(`${kind}: ${files.reduce((sum, { findings }) => sum + findings.length, 0)}`);
    for (const { path, findings } of files.filter(({ findings }) => findings.length > 0)) {
      console.log(`  ${findings.length.toString().padStart(3)} ${path}`);
      if (process.argv.includes('--all')) for (const { line, what } of findings) console.log(`      ${path}:${line}: ${what}`);
    }
  }
}
