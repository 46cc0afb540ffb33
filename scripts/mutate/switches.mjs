// Puts many faults into one source, each behind a switch: the mutant whose number the global variable holds computes with its fault.
// One compile then serves hundreds of mutants. Input: a text and faults of faults.mjs with numbers. Output: a text where each place of a
// fault reads `(mutant == 7 ? faulty : plain)`, and where the pieces came to lie, to find the fault behind an error of the compiler.
// A second form of the text computes without a fault and marks the faults that would have computed another value there: a test that
// marks none of them need not run with it.
// Source of the idea: Untch, Offutt and Harrold 1993, "Mutation analysis using mutant schemata".
import { dirname, relative } from 'node:path/posix';
import ts from 'typescript-5.4';

/** @typedef {import('./faults.mjs').Fault} Fault */
/** @typedef {{ start: number, end: number, ids: number[] }} Piece offsets in the text with switches, and the faults that it comes from */
/** @typedef {{ start: number, end: number, isStatement: boolean, faults: { id: number, fault: Fault }[] }} Site what a switch encloses */

/** The file of the global variable, and the value that stands in its place until a mutant is chosen. */
export const SWITCH_FILE = 'assembly/mutant.ts';
const HOLDER = 0x5a5a5a5a;
export const SWITCH_TEXT = `export let mutant: i32 = ${HOLDER};\n`;
/** Marks lie below the header, where the core has nothing; faults that they have room for. */
const MARKS_AT = 16;
export const MOST_MARKS = 1000;
/** The same file for marks: a byte for each fault, at an exported address. */
export const MARKS_TEXT = `export const marks: usize = ${MARKS_AT};
export function mark(id: i32): bool {
  store<u8>(marks + id, 1);
  return true;
}
`;

/** Calls with arguments that must be constants of the compiler. */
const WITH_CONSTANTS = /^(load|store|v128\.\w+|[if]\d+x\d+\.\w*(load|store|lane|shuffle)\w*|atomic\.\w+|memory\.\w+)$/;
const ASSIGNMENTS = /^(=|\+=|-=|\*=|\/=|%=|\*\*=|<<=|>>=|>>>=|&=|\|=|\^=)$/;

const isStep = (node) =>
  ts.isPostfixUnaryExpression(node) ||
  (ts.isPrefixUnaryExpression(node) && [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(node.operator));
const isAssignment = (node) => ts.isBinaryExpression(node) && ASSIGNMENTS.test(node.operatorToken.getText());

/** Whether an expression can stand behind a switch where it stands: it is a value, not a name or a target. */
function isValue(node) {
  const { parent } = node;
  if (!ts.isExpression(node) || isStep(node) || isAssignment(node)) return false;
  if (ts.isPropertyAccessExpression(parent) || isStep(parent)) return false;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent))
    return parent.expression !== node && !WITH_CONSTANTS.test(parent.expression.getText());
  if (isAssignment(parent)) return parent.left !== node;
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node;
  return !ts.isParameter(parent) && !ts.isPropertyDeclaration(parent) && !ts.isExpressionStatement(parent);
}

/** The smallest node that encloses a range. */
function nodeAt(source, start, end) {
  let found = source;
  const visit = (node) => {
    if (node.getStart(source) > start || node.getEnd() < end) return;
    found = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

/** What a switch for a fault encloses: an expression or a statement; null outside functions, where values are constants of the compiler. */
function siteOf(source, fault) {
  let node = nodeAt(source, fault.start, fault.end);
  while (!ts.isSourceFile(node)) {
    if (ts.isExpressionStatement(node) || isValue(node)) break;
    node = node.parent;
  }
  for (let outer = node; ; outer = outer.parent) {
    if (!outer || ts.isSourceFile(outer)) return null;
    if (ts.isFunctionLike(outer)) break;
  }
  return { start: node.getStart(source), end: node.getEnd(), isStatement: ts.isExpressionStatement(node) };
}

/** Calls that change nothing and cannot fail: of the language, and of wide values. */
const PURE = new RegExp(
  `^(${[
    'select|abs|min|max|sqrt|ceil|floor|nearest|copysign|isNaN|reinterpret|bool|[iu](8|16|32|64)|[iu]size|f32|f64|Mathf?\\.\\w+',
    'v128\\.(?!store)\\w+|[if]\\d+x\\d+\\.(?!store)\\w+',
    '(add|sub|mul|div|neg|splat|mulAdd|mulSub|dot|blend|min|max|abs|sqrt|greater|less|(zip|join)(Low|High))W',
  ].join('|')})$`,
);
/** Calls that read at an address, or whose value is an address that is read. */
const READS = /^load$|\.load\w*$|^changetype$/;

/**
 * Whether an expression can be computed once more, with the fault at `start`, beside the one that counts: it changes nothing, and the
 * fault moves no address.
 */
function isRepeatable(text, start) {
  const source = ts.createSourceFile('piece.ts', `(${text})`, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);
  let repeatable = true;
  const visit = (node) => {
    if (isStep(node) || isAssignment(node) || ts.isNewExpression(node)) repeatable = false;
    const holds = node.getStart(source) <= start + 1 && start + 1 <= node.getEnd();
    if (ts.isElementAccessExpression(node) && holds) repeatable = false;
    if (ts.isCallExpression(node)) {
      const name = node.expression.getText(source);
      if (READS.test(name)) repeatable &&= !holds;
      else repeatable &&= PURE.test(name);
    }
    if (repeatable) ts.forEachChild(node, visit);
  };
  visit(source);
  return repeatable;
}

/** Sites by their places: each with its faults, those that enclose others first. @returns {Site[]} */
function sitesOf(source, numbered) {
  const sites = new Map();
  for (const { id, fault } of numbered) {
    const site = siteOf(source, fault);
    if (site === null) continue;
    const key = `${site.start} ${site.end}`;
    if (!sites.has(key)) sites.set(key, { ...site, faults: [] });
    sites.get(key).faults.push({ id, fault });
  }
  return [...sites.values()].sort((a, b) => a.start - b.start || b.end - a.end);
}

/**
 * @typedef {{ text: string, ids: number[], pieces: Piece[] }} Rewritten a text in which the places of faults compute something else, the
 * numbers of the faults that have one, and where the pieces lie
 * @typedef {(site: Site) => { id: number, text: string, piece: number[] }[]} Place what stands before
 * the plain text of a site, for each fault with the offsets of its piece in it
 */

/**
 * Rewrites the places of faults by `place`, with `name` of the switch file imported.
 * @param {string} text
 * @param {string} file path from the root
 * @param {{ id: number, fault: Fault }[]} numbered faults with numbers from 1
 * @param {string} name
 * @param {Place} place
 * @returns {Rewritten}
 */
function rewritten(text, file, numbered, name, place) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);
  const sites = sitesOf(source, numbered);
  /** @type {Piece[]} */
  const pieces = [];
  let out = '';
  let next = 0;
  /** Writes the text from `from` to `to`, with the sites in it. */
  const write = (from, to) => {
    let at = from;
    while (next < sites.length && sites[next].end <= to) {
      const site = sites[next++];
      out += text.slice(at, site.start);
      writeSite(site);
      at = site.end;
    }
    out += text.slice(at, to);
  };
  const writeSite = (site) => {
    const whole = out.length;
    out += site.isStatement ? '{ ' : '(';
    for (const { id, text: one, piece } of place(site)) {
      pieces.push({ start: out.length + piece[0], end: out.length + piece[1], ids: [id] });
      out += one;
    }
    if (site.isStatement) out += '{ ';
    write(site.start, site.end);
    out += site.isStatement ? ' } }' : ')';
    pieces.push({ start: whole, end: out.length, ids: site.faults.map(({ id }) => id) });
  };
  write(0, text.length);
  if (sites.length > 0) {
    const path = relative(dirname(file), SWITCH_FILE).replace(/\.ts$/, '');
    out += `import { ${name} } from '${path.startsWith('.') ? path : `./${path}`}';\n`;
  }
  return { text: out, ids: sites.flatMap(({ faults }) => faults.map(({ id }) => id)), pieces };
}

/** The text of a site with one of its faults. */
const faultyText = (text, { start, end }, fault) => text.slice(start, fault.start) + fault.text + text.slice(fault.end, end);

/** The text with a switch for each fault that can have one. Parameters as of `rewritten`. */
export function withSwitches(text, file, numbered) {
  return rewritten(text, file, numbered, 'mutant as MUTANT', (site) =>
    site.faults.map(({ id, fault }) => {
      const [open, close] = site.isStatement ? [`if (MUTANT == ${id}) { `, ' } else '] : [`MUTANT == ${id} ? `, ' : '];
      const faulty = faultyText(text, site, fault);
      return { id, text: open + faulty + close, piece: [open.length, open.length + faulty.length] };
    }),
  );
}

/**
 * The text without a fault, which calls `mark(id)` where fault `id` would give another value; where that cannot be seen, or `isCompared`
 * denies it, wherever the place is reached. Other parameters as of `rewritten`.
 */
export function withMarks(text, file, numbered, isCompared = (_id) => true) {
  return rewritten(text, file, numbered, 'mark as MARK', (site) =>
    site.faults.map(({ id, fault }) => {
      const [plain, faulty] = [text.slice(site.start, site.end), faultyText(text, site, fault)];
      const at = fault.start - site.start;
      const isSeen = !site.isStatement && isCompared(id) && isRepeatable(plain, at) && isRepeatable(faulty, at);
      const marking = isSeen ? `(${plain}) != (${faulty}) && MARK(${id})` : `MARK(${id})`;
      return { id, text: marking + (site.isStatement ? '; ' : ', '), piece: [0, marking.length] };
    }),
  );
}

/** Faults behind an error at an offset: those of the smallest piece around it; none where it lies in no piece. */
export function faultsAt(pieces, offset) {
  const around = pieces.filter(({ start, end }) => start <= offset && offset <= end);
  around.sort((a, b) => a.end - a.start - (b.end - b.start));
  return around[0]?.ids ?? [];
}

/** A 32-bit integer as five bytes of signed LEB128, longer than need be. */
function leb(value) {
  const bytes = [0, 7, 14, 21].map((shift) => ((value >> shift) & 127) | 128);
  return Buffer.from([...bytes, (value >> 28) & 127]);
}

/** A core with switches where mutant `id` is on; 0: none. */
export function switchedTo(binary, id) {
  const at = binary.indexOf(leb(HOLDER));
  if (at < 0 || binary.indexOf(leb(HOLDER), at + 1) >= 0) throw new Error('the switch of the mutants is not once in the binary');
  return Buffer.concat([binary.subarray(0, at), leb(id), binary.subarray(at + 5)]);
}
