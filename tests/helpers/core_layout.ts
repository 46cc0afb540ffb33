// Sizes and offsets that only the core knows: constants of its generated layout (scripts/layout.schema.mjs, `core: true`).
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const text = readFileSync(resolve(import.meta.dirname, '../../assembly/layout.generated.ts'), 'utf8');

/** The value of a constant; throws if there is none of that name. */
export function coreConstant(name: string): number {
  const found = new RegExp(`^export const ${name}: \\w+ = (\\d+);$`, 'm').exec(text);
  if (found === null) throw new Error(`the layout of the core has no ${name}`);
  return Number(found[1]);
}

/** Bytes of the types of fields. */
const SIZES: Record<string, number> = { v128: 16, u64: 8, f64: 8, f32: 4, u32: 4, i32: 4, usize: 4, u16: 2, u8: 1 };

/** Byte offsets of the fields of a struct, by name. */
export function coreOffsets(name: string): Record<string, number> {
  const found = new RegExp(`^export class ${name} {\\n([^}]*?)\\n(  @inline|})`, 'm').exec(text);
  if (found === null) throw new Error(`the layout of the core has no class ${name}`);
  const offsets: Record<string, number> = {};
  let at = 0;
  for (const [, field, type] of found[1]!.matchAll(/^ {2}(\w+): (\w+);$/gm)) {
    offsets[field!] = at;
    at += SIZES[type!]!;
  }
  return offsets;
}
