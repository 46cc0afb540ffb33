// `npm run api`: writes api/report.txt, all that the types of the package promise, one line a promise: entries and their names, members
// with inherited ones, without comments, private and internal parts. `npm run api -- --check` compares instead and says what differs;
// `npm run check` runs that, so that no change of the public types goes unseen. In: dist/**/*.d.ts (`npm run build`), package.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-5.4';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const REPORT = 'api/report.txt';

const printer = ts.createPrinter({ removeComments: true });
const flat = (text) => text.replace(/\s+/g, ' ').trim();

/** A node without comments and line ends. */
function print(node) {
  return flat(printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()));
}

const isHidden = (node) =>
  (ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0 ||
  (node.name && ts.isPrivateIdentifier(node.name));

/** Members of a class or an interface, those of its bases too, as lines in the order of their names. */
function members(checker, symbol) {
  const lines = [];
  const add = (of, prefix) => {
    for (const member of of) {
      for (const node of member.declarations ?? []) {
        // Names that every object and function has come from the library.
        if (node.getSourceFile().hasNoDefaultLib || /[\\/]typescript/.test(node.getSourceFile().fileName)) continue;
        if (!isHidden(node)) lines.push(`  ${prefix}${print(node).replace(/^static /, '')}`);
      }
    }
  };
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  add(checker.getPropertiesOfType(type), '');
  for (const node of symbol.declarations) {
    if (ts.isClassDeclaration(node)) {
      for (const member of node.members)
        if (ts.isConstructorDeclaration(member)) lines.push(`  ${isHidden(member) ? 'no public constructor' : print(member)}`);
      const statics = checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol)).filter((one) => one.name !== 'prototype');
      add(statics, 'static ');
    } else if (ts.isInterfaceDeclaration(node)) {
      for (const member of node.members) if (!member.name) lines.push(`  ${print(member)}`);
    }
  }
  return [...new Set(lines)].sort();
}

/** What an exported name stands for, as lines. */
function describe(checker, name, symbol) {
  const lines = [];
  for (const node of symbol.declarations ?? []) {
    if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) {
      const parameters = node.typeParameters ? `<${node.typeParameters.map(print).join(', ')}>` : '';
      lines.push(`${ts.isClassDeclaration(node) ? 'class' : 'interface'} ${name}${parameters}`, ...members(checker, symbol));
    } else if (ts.isTypeAliasDeclaration(node))
      lines.push(
        print(node)
          .replace(/^export /, '')
          .replace(/^declare /, ''),
      );
    else if (ts.isFunctionDeclaration(node)) lines.push(print(node).replace(/^export declare /, ''));
    else if (ts.isVariableDeclaration(node))
      lines.push(
        `const ${name}: ${flat(checker.typeToString(checker.getTypeOfSymbol(symbol), undefined, ts.TypeFormatFlags.NoTruncation))}`,
      );
    else lines.push(print(node));
  }
  return [...new Set(lines)];
}

/** The whole report. */
export function apiReport() {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.entries(exports).filter(([, target]) => target.types);
  const files = entries.map(([, target]) => join(root, target.types));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    strict: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  /** Where a declaration was described first. */
  const described = new Map();
  const out = ['Public types of the package. Written by `npm run api`; a change of this file is a change of the API.', ''];
  entries.forEach(([entry], i) => {
    const source = program.getSourceFile(files[i]);
    if (!source) throw new Error(`${files[i]} is missing: run \`npm run build\``);
    const module = checker.getSymbolAtLocation(source);
    const title = `${name}${entry.slice(1)}`;
    out.push(`# ${title}`, '');
    const names = (module ? checker.getExportsOfModule(module) : []).sort((a, b) => (a.name < b.name ? -1 : 1));
    const same = new Map();
    for (const exported of names) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const first = described.get(symbol);
      if (first) {
        same.set(first, [...(same.get(first) ?? []), exported.name]);
        continue;
      }
      described.set(symbol, title);
      out.push(...describe(checker, exported.name, symbol), '');
    }
    for (const [first, list] of same) out.push(`as in ${first}:`, ...list.map((one) => `  ${one}`), '');
    if (names.length === 0) out.push('no names', '');
  });
  return `${out.join('\n').trim()}\n`;
}

/** Lines of one report that the other lacks, with the heading they stand under. */
function missing(from, other) {
  const withHeads = (text) => {
    let entry = '';
    let head = '';
    return text.split('\n').map((line) => {
      if (line.startsWith('# ')) entry = line.slice(2);
      if (!line.startsWith(' ')) head = line;
      return line === '' ? '' : `${entry}: ${line.startsWith(' ') ? `${head.slice(0, 60)} {${line.slice(1)} }` : line}`;
    });
  };
  const known = new Set(withHeads(other));
  return withHeads(from).filter((line) => line !== '' && !known.has(line));
}

/** How two reports differ: what went or changed breaks callers, what came does not. */
export function compareReports(before, after) {
  return { gone: missing(before, after), come: missing(after, before) };
}

/** Findings of `npm run check`. */
export function checkApi() {
  const before = readFileSync(join(root, REPORT), 'utf8');
  const after = apiReport();
  if (before === after) return [];
  const { gone, come } = compareReports(before, after);
  return [
    `the public types are not those of ${REPORT}:`,
    ...gone.map((line) => `- ${line}`),
    ...come.map((line) => `+ ${line}`),
    'If that is meant: run `npm run api`, commit the report with the change, and add a line to CHANGELOG.md; what went or changed (-)',
    'breaks programs, so the next version is a major one (before 1.0 a minor one). If it is not meant: mark it @internal, or undo it.',
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const findings = checkApi();
    if (findings.length > 0) {
      console.error(findings.join('\n'));
      process.exit(1);
    }
  } else writeFileSync(join(root, REPORT), apiReport());
}
