// What a package declares and calls, read from its files: for tests that pin what an engine asks of its physics, so that a version that
// asks for more is named with the member.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-5.4';

/**
 * Public members of a class, an interface or an object type: by name, as they are declared, without comments, spaces collapsed. Empty if
 * the file has no such type.
 */
export function membersOf(file: string, type: string): Map<string, string> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const printer = ts.createPrinter({ removeComments: true });
  const members = new Map<string, string>();
  const read = (list: readonly (ts.ClassElement | ts.TypeElement)[]): void => {
    for (const member of list) {
      const name = member.name?.getText(source);
      const isPrivate =
        ts.canHaveModifiers(member) && member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
      if (!name || isPrivate) continue;
      const text = printer.printNode(ts.EmitHint.Unspecified, member, source);
      members.set(name, text.replace(/\s+/g, ' ').replace(/;$/, ''));
    }
  };
  const visit = (node: ts.Node): void => {
    if ((ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) && node.name?.text === type) read(node.members);
    else if (ts.isTypeAliasDeclaration(node) && node.name.text === type && ts.isTypeLiteralNode(node.type))
      read(node.type.members);
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return members;
}

/** What a pattern finds in the scripts of a folder and below: its first group, each once, sorted. */
export function calledIn(folder: string, pattern: RegExp, counts: (path: string) => boolean = () => true): string[] {
  const found = new Set<string>();
  for (const path of readdirSync(folder, { recursive: true }).map(String)) {
    if (!path.endsWith('.js') || !counts(path)) continue;
    for (const [, name] of readFileSync(join(folder, path), 'utf8').matchAll(pattern)) found.add(name!);
  }
  return [...found].sort();
}

/** What `found` has and `known` lacks, and the other way round: one line each, none where both agree. */
export function differences(found: readonly string[], known: readonly string[]): string[] {
  const added = found.filter((line) => !known.includes(line)).map((line) => `new: ${line}`);
  return [...added, ...known.filter((line) => !found.includes(line)).map((line) => `gone: ${line}`)];
}
