// Shrinks a list of calls that fails: delta debugging over the calls (Zeller and Hildebrandt 2002, "Simplifying and isolating
// failure-inducing input", algorithm ddmin), then simpler arguments, as long as it fails in the same way.
import type { Expr, Played } from './record';

/** Whether a list of calls still fails in the same way. */
export type Fails = (calls: readonly Played[]) => Promise<boolean>;

/** A sublist that fails and of which no single item can be left out. `items` must fail. */
export async function ddmin<T>(items: readonly T[], fails: (some: readonly T[]) => Promise<boolean>): Promise<T[]> {
  let left = [...items];
  let parts = 2;
  while (left.length >= 2) {
    const size = Math.ceil(left.length / parts);
    let isSmaller = false;
    // Later calls first: what a call needs comes before it.
    for (let from = size * (Math.ceil(left.length / size) - 1); from >= 0; from -= size) {
      const rest = [...left.slice(0, from), ...left.slice(from + size)];
      if (rest.length > 0 && (await fails(rest))) {
        left = rest;
        isSmaller = true;
      }
    }
    if (isSmaller) parts = Math.max(2, Math.ceil(left.length / size));
    else if (size === 1) break;
    else parts = Math.min(left.length, 2 * parts);
  }
  return left;
}

/** Simpler forms of an argument, simplest first. */
function simpler(expr: Expr): Expr[] {
  if ('plain' in expr) {
    const x = expr.plain;
    if (typeof x !== 'number' || !Number.isFinite(x)) return [];
    const forms = [0, 1, Math.round(x), Number(x.toPrecision(1)), Number(x.toPrecision(2)), Number(x.toPrecision(4))];
    return [...new Set(forms)].filter((y) => digits(y) < digits(x)).map((plain) => ({ plain }));
  }
  if ('list' in expr) {
    const { list } = expr;
    const forms: Expr[] = [];
    // Lists of objects become shorter; vectors keep their length.
    if (list.length > 1 && list.every((one) => 'object' in one))
      list.forEach((_, i) => {
        forms.push({ list: list.filter((_one, k) => k !== i) });
      });
    for (const [i, one] of list.entries())
      for (const form of simpler(one)) forms.push({ list: list.map((other, k) => (k === i ? form : other)) });
    return forms;
  }
  if ('object' in expr) {
    const { object } = expr;
    const forms: Expr[] = [];
    for (const key of Object.keys(object)) {
      const { [key]: _gone, ...rest } = object;
      forms.push({ object: rest });
    }
    for (const [key, one] of Object.entries(object))
      for (const form of simpler(one)) forms.push({ object: { ...object, [key]: form } });
    return forms;
  }
  return [];
}
const digits = (x: number): number => String(x).length + (x === 0 ? -1 : 0);

/** Arguments as simple as they can be with calls that still fail; every change that is kept starts over. */
async function simplify(calls: readonly Played[], fails: Fails): Promise<Played[]> {
  let now = [...calls];
  for (let i = 0; i < now.length; i++) {
    for (let a = 0; a < now[i]!.args.length; a++) {
      let isSimpler = true;
      while (isSimpler) {
        isSimpler = false;
        for (const form of simpler(now[i]!.args[a]!)) {
          const args = now[i]!.args.map((arg, k) => (k === a ? form : arg));
          const changed = now.map((call, k) => (k === i ? { ...call, args } : call));
          if (await fails(changed)) {
            now = changed;
            isSimpler = true;
            break;
          }
        }
      }
    }
  }
  return now;
}

/** The smallest list found of calls that fails in the same way. At most `most` lists are tried. */
export async function shrink(calls: readonly Played[], fails: Fails, most = 5000): Promise<Played[]> {
  let tries = 0;
  const bounded: Fails = async (some) => tries++ < most && (await fails(some));
  let now: Played[] = await ddmin(calls, bounded);
  now = await simplify(now, bounded);
  return await ddmin(now, bounded);
}
