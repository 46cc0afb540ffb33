// The generated layouts are those of the schema, and WGSL, by reflection, agrees with the TypeScript constants.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript-5.4';
import { expect, test } from 'vitest';
import { WgslReflect } from 'wgsl_reflect/wgsl_reflect.module.js';
import * as layout from '../src/layout.generated';

const root = resolve(import.meta.dirname, '..');
const constants = layout as Record<string, unknown>;

test('the generated files are up to date', () => {
  execFileSync(process.execPath, [resolve(root, 'scripts/gen_layout.mjs'), '--check'], { stdio: 'pipe' });
});

test.each(['layout', 'jacobi_layout'])('every WGSL struct of %s has the offsets and the stride of the schema', (name) => {
  const reflect = new WgslReflect(readFileSync(resolve(root, `shaders/shared/${name}.generated.wgsl`), 'utf8'));
  expect(reflect.structs.length).toBeGreaterThan(0);
  for (const struct of reflect.structs) {
    const { STRIDE, ...offsets } = constants[struct.name] as Record<string, number>;
    expect(Object.fromEntries(struct.members.map((member) => [member.name, member.offset])), struct.name).toEqual(offsets);
    expect(struct.size, struct.name).toBe(STRIDE);
  }
});

test('structs of the core come from the schema', () => {
  // The allocator is what the rest stands on; a test of jobs counts by itself.
  const own = ['memory/allocator.ts', 'testing/jobs.ts'];
  const files = readdirSync(resolve(root, 'assembly'), { recursive: true }).map(String);
  const typed = files.filter((name) => name.endsWith('.ts') && !name.includes('.generated.'));
  const found = typed.filter((name) => readFileSync(resolve(root, 'assembly', name), 'utf8').includes('@unmanaged'));
  expect(found.map((name) => name.replaceAll('\\', '/')).sort()).toEqual(own);
});

/** Calls of load and store in a file of the core whose offset is a bare number, by line. */
function bareOffsets(name: string): string[] {
  const source = ts.createSourceFile(name, readFileSync(resolve(root, 'assembly', name), 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const call = node.expression.getText();
      const offset = /^(v128\.)?load$/.test(call)
        ? node.arguments[1]
        : /^(v128\.)?store$/.test(call)
          ? node.arguments[2]
          : undefined;
      if (offset !== undefined && ts.isNumericLiteral(offset))
        found.push(`${name}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('what the core reads and writes has a name', () => {
  // What lies below the layout has arrays of its own; sweeps and the twins of their rows are columns behind each other.
  const own = /^(memory|math|rows|sweep)\/|^study\/wide_oracle/;
  const files = readdirSync(resolve(root, 'assembly'), { recursive: true }).map((name) => String(name).replaceAll('\\', '/'));
  const typed = files.filter((name) => name.endsWith('.ts') && !name.includes('.generated.') && !own.test(name));
  expect(typed.flatMap(bareOffsets)).toEqual([]);
});
