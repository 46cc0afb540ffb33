// Places in a source file where a fault can be seeded, for mutation testing (scripts/mutate.mjs).
// Input: the text of a TypeScript or AssemblyScript file. Output: faults, each a range, a kind and the text that replaces the range.
// Comments, imports, exports of other files, types, decorators and asserts are never touched. A fault need not compile: the judge
// discards it then. Source of the kinds: Jia and Harman 2011, "An Analysis and Survey of the Development of Mutation Testing", and the
// errors of physics code: signs, bodies A and B, axes, lanes.
import ts from 'typescript-5.4';

/** @typedef {{ start: number, end: number, kind: string, text: string }} Fault offsets in the file, the kind, the replacement */

/** Kinds of faults, and what each does. */
export const KINDS = {
  sign: 'flips a sign, or swaps an addition and a subtraction',
  drop: 'drops a term of a sum or a factor of a product',
  bodies: 'swaps bodies A and B in a name',
  extreme: 'swaps a minimum and a maximum',
  compare: 'changes a comparison',
  constant: 'changes a number',
  bound: 'shifts the bound or the start of a loop by one',
  negate: 'negates a condition',
  statement: 'drops a call or an assignment',
  axes: 'swaps two axes or lanes',
};

/** Functions that stand for each other, by what a fault swaps. Lane forms, scalar forms and instructions. */
const SIGNS = pairs('add sub', 'addW subW', 'mulAddW mulSubW', 'plus minus', 'f32x4.add f32x4.sub', 'i32x4.add i32x4.sub');
const EXTREMES = pairs(
  'min max',
  'minW maxW',
  'least most',
  'Math.min Math.max',
  'Mathf.min Mathf.max',
  'f32x4.min f32x4.max',
  'f32x4.pmin f32x4.pmax',
);
const COMPARISONS = pairs('lessW greaterW', 'f32x4.lt f32x4.le', 'f32x4.gt f32x4.ge', 'f32x4.eq f32x4.ne', 'i32x4.eq i32x4.ne');
/** Functions that change the sign of their only argument. */
const NEGATIONS = new Set(['neg', 'negW', 'opposite', 'f32x4.neg']);
/** Sums and products: a fault leaves one argument. */
const JOINS = new Set(['add', 'addW', 'sub', 'subW', 'mul', 'mulW', 'plus', 'minus', 'times']);
for (const name of ['add', 'sub', 'mul']) JOINS.add(`f32x4.${name}`);

/** Operators and those that replace them. */
const OPERATORS = new Map([
  ['+', [['sign', '-']]],
  ['-', [['sign', '+']]],
  ['+=', [['sign', '-=']]],
  ['-=', [['sign', '+=']]],
  ['<', [['compare', '<=']]],
  ['<=', [['compare', '<']]],
  ['>', [['compare', '>=']]],
  ['>=', [['compare', '>']]],
  ['==', [['compare', '!=']]],
  ['!=', [['compare', '==']]],
  ['===', [['compare', '!==']]],
  ['!==', [['compare', '===']]],
]);
/** Comparisons that a fault also turns around. */
const REVERSED = new Map([
  ['<', '>'],
  ['>', '<'],
]);
const AXES = ['x', 'y', 'z'];

function pairs(...lists) {
  const map = new Map();
  for (const list of lists) {
    const [one, other] = list.split(' ');
    map.set(one, other).set(other, one);
  }
  return map;
}

/** Names like `name` with the body A for B or B for A: armA, rowsOfB, ax, invMassA. */
function otherBody(name) {
  const upper = name.replace(/([AB])(?![a-z])/, (letter) => (letter === 'A' ? 'B' : 'A'));
  if (upper !== name) return upper;
  const lower = name.replace(/^([ab])(?=[XYZxyz0-9]?$)/, (letter) => (letter === 'a' ? 'b' : 'a'));
  return lower === name ? null : lower;
}

/** Names like `name` with another axis: armX to armY, ux to uy, x3 to y3, columnX to columnY. */
function otherAxes(name) {
  const found = /^(|[a-z]|.*[a-z0-9](?=[XYZ]))([xyzXYZ])(W?|3?)$/.exec(name);
  if (!found) return [];
  const [, head, axis, tail] = found;
  const lower = axis.toLowerCase();
  return AXES.filter((other) => other !== lower).map((other) => head + (axis === lower ? other : other.toUpperCase()) + tail);
}

/** Other values of a number as it is written. */
function otherNumbers(text) {
  if (!/^[\d.]+(e[+-]?\d+)?$/i.test(text)) return [];
  const value = Number(text);
  if (value === 0) return ['1'];
  const isWhole = /^\d+$/.test(text);
  const scaled = [1.1, 0.5].map((factor) => String(Number((value * factor).toPrecision(9))));
  return isWhole ? [...scaled.filter((one) => !one.includes('.')), String(value + 1), ...scaled.slice(0, 1)] : scaled;
}

/** Whether a node only names things of other files or of types: nothing in it can be a fault. */
function isOutside(node) {
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isTypeNode(node) ||
    ts.isDecorator(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isTypeParameterDeclaration(node) ||
    (ts.isCallExpression(node) && /^(assert|offsetof|sizeof|idof|super)$/.test(node.expression.getText())) ||
    ts.isThrowStatement(node) ||
    (ts.isExpressionStatement(node) && isOutside(node.expression))
  );
}

/** Whether an identifier reads a value, and is neither declared here nor a name of a field that is. */
function isRead(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return true;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.initializer === node;
  const isDeclared =
    ts.isParameter(parent) || ts.isFunctionLike(parent) || ts.isClassLike(parent) || ts.isPropertyDeclaration(parent);
  return (
    !isDeclared && !ts.isShorthandPropertyAssignment(parent) && !ts.isBindingElement(parent) && !ts.isLabeledStatement(parent)
  );
}

const LOOPS = [ts.SyntaxKind.ForStatement, ts.SyntaxKind.WhileStatement, ts.SyntaxKind.DoStatement];

/**
 * All faults that can be seeded in a source, in the order of their places.
 * @param {string} text of the file
 * @param {string} name of the file, for the parser
 * @returns {Fault[]}
 */
export function faultsIn(text, name = 'source.ts') {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TS);
  /** Words of the file: a fault puts in only names that occur in it. */
  const words = new Set(text.match(/[A-Za-z_$][\w$]*/g));
  /** @type {Map<string, Fault>} */
  const faults = new Map();
  const add = (kind, node, replacement, end = node) => {
    const fault = { start: node.getStart(source), end: end.getEnd(), kind, text: replacement };
    if (text.slice(fault.start, fault.end) === replacement) return;
    const key = `${fault.start} ${fault.end} ${replacement}`;
    if (!faults.has(key)) faults.set(key, fault);
  };
  /** Instructions and built-in functions need no import. */
  const isKnown = (callee) => /\.|^(min|max)$/.test(callee) || words.has(callee);

  const visitBinary = (node) => {
    const operator = node.operatorToken.getText(source);
    const [left, right] = [node.left.getText(source), node.right.getText(source)];
    for (const [kind, other] of OPERATORS.get(operator) ?? []) add(kind, node.operatorToken, other);
    const reversed = REVERSED.get(operator);
    const isBound = LOOPS.includes(node.parent.kind);
    if (reversed && !isBound) add('compare', node.operatorToken, reversed);
    if (isBound && /^(<|<=|>|>=|!=|!==)$/.test(operator)) {
      add('bound', node.right, `(${right}) - 1`);
      add('bound', node.right, `(${right}) + 1`);
    }
    if (['+', '-', '*'].includes(operator)) {
      add('drop', node, left);
      add('drop', node, operator === '-' ? `(-(${right}))` : right);
    }
    if (operator === '&&' || operator === '||') {
      add('negate', node.left, `!(${left})`);
      add('negate', node.right, `!(${right})`);
    }
  };

  const visitCall = (node) => {
    const callee = node.expression.getText(source);
    const args = node.arguments.map((one) => one.getText(source));
    for (const [kind, map] of /** @type {[string, Map<string, string>][]} */ ([
      ['sign', SIGNS],
      ['extreme', EXTREMES],
      ['compare', COMPARISONS],
    ])) {
      const other = map.get(callee);
      if (other !== undefined && isKnown(other)) add(kind, node.expression, other);
    }
    if (NEGATIONS.has(callee)) add('sign', node, args[0]);
    if (JOINS.has(callee) && args.length === 2) {
      add('drop', node, args[0]);
      if (!/sub|minus/.test(callee)) add('drop', node, args[1]);
    }
    if (callee === 'mulAddW' || callee === 'mulSubW') add('drop', node, args[2]);
    if (/^(v128|[fi]\d+x\d+)\.(extract|replace)_lane$/.test(callee)) {
      const lane = Number(args[1]);
      if (Number.isInteger(lane)) add('axes', node.arguments[1], String((lane + 1) % 3));
    }
    if (callee === 'v128.shuffle') {
      for (let i = 2; i + 1 < args.length; i++)
        if (args[i] !== args[i + 1]) add('axes', node.arguments[i], `${args[i + 1]}, ${args[i]}`, node.arguments[i + 1]);
    }
  };

  const visitStatement = ({ expression }, node) => {
    const isAssignment =
      ts.isBinaryExpression(expression) &&
      /^[^=<>!]*=$/.test(expression.operatorToken.getText(source).replace(/^(<<|>>>?)=$/, '='));
    if (ts.isCallExpression(expression) || isAssignment) add('statement', node, ';');
  };

  const visitCondition = (node) => {
    const condition = ts.isForStatement(node) ? null : ts.isConditionalExpression(node) ? node.condition : node.expression;
    if (condition && condition.kind !== ts.SyntaxKind.TrueKeyword) add('negate', condition, `!(${condition.getText(source)})`);
  };

  const visitName = (node) => {
    if (!isRead(node)) return;
    const body = otherBody(node.text);
    if (body !== null && words.has(body)) add('bodies', node, body);
    for (const other of otherAxes(node.text)) if (words.has(other)) add('axes', node, other);
  };

  const visit = (node) => {
    if (isOutside(node)) return;
    if (ts.isBinaryExpression(node)) visitBinary(node);
    else if (ts.isCallExpression(node)) visitCall(node);
    else if (ts.isExpressionStatement(node)) visitStatement(node, node);
    else if (ts.isIdentifier(node)) visitName(node);
    else if (ts.isPrefixUnaryExpression(node)) {
      const operand = node.operand.getText(source);
      if (node.operator === ts.SyntaxKind.MinusToken) add('sign', node, operand);
      if (node.operator === ts.SyntaxKind.ExclamationToken) add('negate', node, operand);
    } else if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent)) {
      const isStart = ts.isVariableDeclaration(node.parent) && ts.isForStatement(node.parent.parent.parent);
      for (const other of otherNumbers(node.getText(source))) add(isStart ? 'bound' : 'constant', node, other);
    }
    if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isConditionalExpression(node)) visitCondition(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...faults.values()].sort((a, b) => a.start - b.start || a.end - b.end || (a.text < b.text ? -1 : 1));
}

/** The source with a fault in it. */
export function withFault(text, fault) {
  return text.slice(0, fault.start) + fault.text + text.slice(fault.end);
}

/** Line of an offset, from 1, and that line without the space around it. */
export function lineAt(text, offset) {
  const line = text.slice(0, offset).split('\n').length;
  return { line, context: text.split('\n')[line - 1].trim() };
}

/** Random numbers in [0, 1) from a seed: mulberry32. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * All faults of some files in a random order that spreads any first part of it evenly over files and over kinds. Each draw takes the file
 * with the fewest faults drawn, then in it the kind with the fewest.
 * @param {Map<string, Fault[]>} byFile
 * @param {number} seed
 * @returns {{ file: string, fault: Fault }[]}
 */
export function drawOrder(byFile, seed) {
  const random = randomFrom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const fewest = (list, count) => {
    const least = Math.min(...list.map(count));
    return pick(list.filter((one) => count(one) === least));
  };
  const left = new Map([...byFile].filter(([, faults]) => faults.length > 0).map(([file, faults]) => [file, grouped(faults)]));
  const [ofFile, ofKind] = [new Map(), new Map()];
  const order = [];
  while (left.size > 0) {
    const file = fewest([...left.keys()], (one) => ofFile.get(one) ?? 0);
    const kinds = left.get(file);
    const kind = fewest([...kinds.keys()], (one) => ofKind.get(one) ?? 0);
    const faults = kinds.get(kind);
    const [fault] = faults.splice(Math.floor(random() * faults.length), 1);
    if (faults.length === 0) kinds.delete(kind);
    if (kinds.size === 0) left.delete(file);
    ofFile.set(file, (ofFile.get(file) ?? 0) + 1);
    ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1);
    order.push({ file, fault });
  }
  return order;
}

function grouped(faults) {
  const groups = new Map();
  for (const fault of faults) {
    if (!groups.has(fault.kind)) groups.set(fault.kind, []);
    groups.get(fault.kind).push(fault);
  }
  return groups;
}
