// Counts the bytes that a splitting kernel moves to and from storage: its WGSL with every index of a storage buffer passed through
// a function that adds up. An access counts with the row of 16 bytes that it is in, a whole struct with its size; what a cache
// would save is not taken off. Run on an adapter, so loops and branches count as often as they are taken.
import { kernels, resolveShader, sharedShaders } from '../../src/gpu/shader';
import { SplitLink, SplitRow, SplitSlot, SplitSlotState } from '../../src/layout.generated';

/** Bytes of an element of each buffer that is counted. */
const elements = {
  links: SplitLink.STRIDE,
  points: 16,
  impulses: 16,
  slots: SplitSlot.STRIDE,
  slotStates: SplitSlotState.STRIDE,
  rows: SplitRow.STRIDE,
} as const;

export type Counted = keyof typeof elements;
export const counted = Object.keys(elements) as Counted[];

/** Index of the end of the bracket that opens at `at`. */
function closing(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === '[') depth++;
    if (text[i] === ']' && --depth === 0) return i;
  }
  throw new Error('a bracket is open');
}

/** The text with the accesses in it counted. */
function count(text: string): string {
  const access = new RegExp(`(?<![.\\w])(${counted.join('|')})\\[`, 'g');
  let out = '';
  let from = 0;
  for (let match = access.exec(text); match; match = access.exec(text)) {
    const name = match[1] as Counted;
    const open = match.index + name.length;
    const close = closing(text, open);
    const rest = text.slice(close + 1);
    const member = /^\.\w+/.exec(rest)?.[0] ?? '';
    const isStore = /^(\.\w+)*\s*=(?!=)/.test(rest);
    const bytes = member === '' ? elements[name] : 16;
    const place = 2 * counted.indexOf(name) + (isStore ? 1 : 0);
    out += `${text.slice(from, open)}[counted(${count(text.slice(open + 1, close))}, ${place}u, ${bytes}u)]`;
    from = close + 1;
    access.lastIndex = from;
  }
  return out + text.slice(from);
}

/**
 * A kernel that counts, without joints, in whose place (binding 8) it has `traffic`: of each of `counted` the bytes loaded and
 * stored, then the links swept.
 */
export function countingSource(name: 'solve' | 'island'): string {
  const stub = 'fn kick_joint(l: u32) {}\nfn solve_joint(l: u32, mode: u32, isLast: bool) {}';
  const text = resolveShader(kernels[name], { ...sharedShaders, joints: stub }).replace(/\/\/.*$/gm, '');
  const sums = 2 * counted.length;
  const end = text.lastIndexOf('}');
  const body = count(text.slice(0, end)).replace(/fn sweep_link\([^{]*\{/, (head) => `${head}\n  moved[${sums}] += 1u;`);
  return `@group(0) @binding(8) var<storage, read_write> traffic: array<atomic<u32>>;
var<private> moved: array<u32, ${sums + 1}>;
fn counted(i: u32, place: u32, bytes: u32) -> u32 {
  moved[place] += bytes;
  return i;
}
${body}
  for (var i = 0u; i <= ${sums}u; i++) { atomicAdd(&traffic[i], moved[i]); }
}
`;
}
