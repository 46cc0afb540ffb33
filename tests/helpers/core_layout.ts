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
