// Calls as data: arguments as trees without ids or functions, which any world can be given again. An id is a reference to the call that
// returned it, so a list of calls keeps its meaning when some of them are left out.
import { createBatchHits, createQueryHit, createShapeContact } from '../../../src/index';
import { type Any, WRONG } from './draw';

/** An argument. `ref` names a result of an earlier call, `source` a value of `makeSource`. */
export type Expr =
  | { plain: number | string | boolean | null | undefined | bigint }
  | { list: Expr[] }
  | { typed: string; items: number[] }
  | { zeros: string; length: number }
  | { object: Record<string, Expr> }
  | { ref: string }
  | { source: string }
  | { damaged: Expr; at: number; xor: number; cut: number };

/** A call of a world. */
export interface Played {
  /** Its number in the world; results are named after it. */
  number: number;
  /** Its row in the table of calls; -1: one of the driver. */
  row: number;
  method: string;
  args: Expr[];
  isSpoiled: boolean;
  /** Whether it was refused. */
  isRefused: boolean;
  /** Parts of its result by name, as JavaScript; `$` is the result. */
  gives: Record<string, string>;
}

/** What a recorder needs to make functions and foreign ids. */
export interface SourceContext {
  foreign: number;
  listener: (kind: number) => Any;
  filter: () => Any;
}

const TYPED: Record<string, Any> = { Float32Array, Float64Array, Uint32Array, Uint8Array };

/** Makes a value that is not data, by name. */
function makeSource(name: string, context: SourceContext): Any {
  const [kind, , number] = name.split(' ');
  switch (kind) {
    case 'createQueryHit()':
      return createQueryHit();
    case 'createBatchHits(4)':
      return createBatchHits(4);
    case 'createShapeContact()':
      return createShapeContact();
    case 'filter':
      return context.filter();
    case 'listener':
      return context.listener(Number(number));
    case 'foreign':
      return context.foreign;
    case 'wrong':
      return WRONG[Number(number)]!();
    default:
      return () => 0;
  }
}

/** The text of such a value in a script. */
export function sourceText(name: string): string {
  const [kind, which, number] = name.split(' ');
  switch (kind) {
    case 'listener':
      return `listener${which}`;
    case 'filter':
      return 'filterOf(world, () => undefined)';
    case 'foreign':
      return 'foreign';
    case 'wrong': {
      const text = WRONG[Number(number)]!.toString().replace(/^\(\)\s*=>\s*/, '');
      return text.startsWith('(') ? text : `(${text})`;
    }
    case 'none':
      return '() => 0';
    default:
      return name;
  }
}

/** Damages bytes: one of them by an exclusive or, and the end cut off. */
export function damage(bytes: Uint8Array, at: number, xor: number, cut: number): Uint8Array {
  const copy = bytes.slice(0, bytes.length - cut);
  copy[at] = copy[at]! ^ xor;
  return copy;
}

/** Names of values, in both directions. */
export class Recorder {
  private readonly refs = new Map<Any, string>();
  private readonly values = new Map<string, Any>();
  private readonly sources = new Map<Any, string>();
  private readonly made = new Map<string, Any>();
  private readonly broken = new Map<Any, { bytes: Any; at: number; xor: number; cut: number }>();

  constructor(private readonly context: SourceContext) {
    this.sources.set(context.foreign, 'foreign');
  }

  /** A result under a name. */
  name(value: Any, ref: string): void {
    this.refs.set(value, ref);
    this.values.set(ref, value);
  }

  /** A value that is not data; listeners of one name are one. */
  source(name: string): Any {
    const isKept = name.startsWith('listener');
    const value = (isKept && this.made.get(name)) || makeSource(name, this.context);
    this.made.set(name, value);
    if (value !== null && ['object', 'function', 'symbol'].includes(typeof value)) this.sources.set(value, name);
    return value;
  }

  /** Damaged bytes of a snapshot. */
  damaged(bytes: Uint8Array, at: number, xor: number, cut: number): Uint8Array {
    const value = damage(bytes, at, xor, cut);
    this.broken.set(value, { bytes, at, xor, cut });
    return value;
  }

  encode(value: Any): Expr {
    const ref = this.refs.get(value);
    if (ref !== undefined) return { ref };
    const source = this.sources.get(value);
    if (source !== undefined) return { source };
    const broken = this.broken.get(value);
    if (broken) return { ...broken, damaged: this.encode(broken.bytes) };
    if (typeof value === 'function' || typeof value === 'symbol') return { source: 'none' };
    if (value === null || typeof value !== 'object') return { plain: value };
    if (ArrayBuffer.isView(value)) {
      const items = value as unknown as number[];
      const type = value.constructor.name;
      return items.every((x) => x === 0) ? { zeros: type, length: items.length } : { typed: type, items: Array.from(items) };
    }
    if (Array.isArray(value)) return { list: value.map((one) => this.encode(one)) };
    return { object: Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.encode(one)])) };
  }

  /** The value again; undefined where a result that it names is missing. */
  decode(expr: Expr): { value: Any } | undefined {
    if ('plain' in expr) return { value: expr.plain };
    if ('source' in expr) return { value: this.source(expr.source) };
    if ('ref' in expr) return this.values.has(expr.ref) ? { value: this.values.get(expr.ref) } : undefined;
    if ('typed' in expr) return { value: TYPED[expr.typed].from(expr.items) };
    if ('zeros' in expr) return { value: new TYPED[expr.zeros](expr.length) };
    if ('damaged' in expr) {
      const bytes = this.decode(expr.damaged);
      if (!bytes || expr.at >= bytes.value.length - expr.cut) return undefined;
      return { value: this.damaged(bytes.value, expr.at, expr.xor, expr.cut) };
    }
    const isList = 'list' in expr;
    const entries = isList ? expr.list.entries() : Object.entries(expr.object);
    const out: Any = isList ? [] : {};
    for (const [key, one] of entries) {
      const got = this.decode(one);
      if (!got) return undefined;
      out[key] = got.value;
    }
    return { value: out };
  }
}

/** Names of results that an argument uses. */
export function refsOf(expr: Expr): string[] {
  if ('ref' in expr) return [expr.ref];
  if ('damaged' in expr) return refsOf(expr.damaged);
  if ('list' in expr) return expr.list.flatMap(refsOf);
  if ('object' in expr) return Object.values(expr.object).flatMap(refsOf);
  return [];
}
