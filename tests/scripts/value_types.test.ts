// The transform that gives AssemblyScript value types (scripts/value_types.mjs): small programs, compiled with it and run, or
// refused with a message at the right place.
import asc from 'assemblyscript/asc';
import { describe, expect, it } from 'vitest';
import ValueTypes from '../../scripts/value_types.mjs';

const VALUES = `
@value export class Pair<T> { constructor(public x: T, public y: T) {} }
@value export class Frame { constructor(public t: Pair<f64>, public n: Pair<f64>) {} }
export function plus(a: Pair<f64>, b: Pair<f64>): Pair<f64> { return new Pair<f64>(a.x + b.x, a.y + b.y); }
export function turned(a: Pair<f64>): Pair<f64> { return new Pair<f64>(-a.y, a.x); }
export function dot(a: Pair<f64>, b: Pair<f64>): f64 { return a.x * b.x + a.y * b.y; }
export function frameBy(n: Pair<f64>): Frame {
  const t: Pair<f64> = turned(n);
  return new Frame(t, n);
}
export function sumOf<T>(a: Pair<T>): T { return a.x + a.y; }
export function splat<T>(x: T): Pair<T> { return new Pair<T>(x, x); }
`;
const IMPORTS = `import { Pair, Frame, plus as add, turned, dot, frameBy, sumOf, splat } from './values';\n`;

/** Compiles a program beside VALUES; its binary, or what the compiler says. */
async function compile(main: string) {
  const files: Record<string, string> = { 'main.ts': main, 'values.ts': VALUES };
  let binary: Uint8Array | null = null;
  const { error, stderr } = await asc.main(['main.ts', '--outFile', 'main.wasm', '-O3', '--runtime', 'stub', '--noColors'], {
    readFile: (name: string) => files[name] ?? null,
    writeFile: (_name: string, content: Uint8Array | string) => {
      binary = content as Uint8Array;
    },
    listFiles: () => [],
    transforms: [ValueTypes],
  } as object);
  return { binary: binary as Uint8Array | null, failed: error !== null, messages: stderr.toString() };
}

/** The exports of such a program. */
async function run(main: string) {
  const { binary, messages } = await compile(IMPORTS + main);
  expect(messages).toBe('');
  const { instance } = await WebAssembly.instantiate(binary as Uint8Array<ArrayBuffer>, { env: { abort() {} } });
  return instance.exports as Record<string, (...args: number[]) => number>;
}

describe('values', () => {
  it('are given to functions, returned by them, and read by field', async () => {
    const { f } = await run(`export function f(x: f64, y: f64): f64 {
      const a: Pair<f64> = new Pair<f64>(x, y), b: Pair<f64> = add(turned(a), turned(turned(a)));
      return dot(a, b) + 100 * dot(add(a, b), turned(b)) + turned(b).x;
    }`);
    // b = (-y - x, x - y).
    const [x, y] = [3, 5];
    const b = [-y - x, x - y] as const;
    const turnedB = [-b[1], b[0]] as const;
    expect(f!(x, y)).toBe(x * b[0] + y * b[1] + 100 * ((x + b[0]) * turnedB[0] + (y + b[1]) * turnedB[1]) + turnedB[0]);
  });

  it('are assigned as wholes: all fields are found before one is written', async () => {
    const { f } = await run(`export function f(x: f64, y: f64, n: i32): f64 {
      let a: Pair<f64> = new Pair<f64>(x, y);
      for (let i: i32 = 0; i < n; i++) a = turned(a);
      return a.x + 10 * a.y;
    }`);
    expect([0, 1, 2, 3].map((n) => f!(2, 3, n))).toEqual([32, 17, -32, -17]);
  });

  it('are written by field, chosen by conditions, and end with their block', async () => {
    const { f } = await run(`export function f(x: f64, y: f64, first: bool): f64 {
      let a: Pair<f64> = first ? new Pair<f64>(x, y) : turned(new Pair<f64>(x, y));
      a.x += 1;
      { const a: f64 = 1000; if (x > a) return a; }
      a.y = a.x * 2;
      return a.x + 10 * a.y;
    }`);
    expect(f!(2, 3, 1)).toBe(63);
    expect(f!(2, 3, 0)).toBe(-42);
    expect(f!(2000, 3, 1)).toBe(1000);
  });

  it('hold values, and types that are parameters', async () => {
    const { f, g } = await run(`export function f(x: f64, y: f64): f64 {
      let frame: Frame = frameBy(new Pair<f64>(x, y));
      const t: Pair<f64> = frame.t;
      frame = new Frame(frame.n, frame.t);
      return dot(frame.t, t) + frame.t.x + 10 * frame.n.y + 100 * t.x;
    }
    export function g(x: i32): i32 { return sumOf<i32>(splat<i32>(x)) + sumOf(new Pair<i32>(1, x)); }`);
    expect(f!(2, 3)).toBe(0 + 2 + 20 - 300);
    expect(g!(7)).toBe(14 + 8);
  });

  it('are changed in functions without changing what was given', async () => {
    const { f } = await run(`function grow(a: Pair<f64>, by: f64): f64 { a.x = a.x * by; return sumOf<f64>(a); }
    export function f(x: f64, y: f64): f64 { const a: Pair<f64> = new Pair<f64>(x, y); return 100 * grow(a, 3) + a.x; }`);
    expect(f!(2, 3)).toBe(902);
  });

  it('cost nothing: the code is that written by hand', async () => {
    const values = await compile(`${IMPORTS}export function f(p: usize): f64 {
      const a: Pair<f64> = new Pair<f64>(load<f64>(p), load<f64>(p, 8));
      return dot(a, turned(add(a, a)));
    }`);
    const hand = await compile(`export function f(p: usize): f64 {
      const x: f64 = load<f64>(p), y: f64 = load<f64>(p, 8);
      return x * -(y + y) + y * (x + x);
    }`);
    expect(Buffer.from(values.binary!).equals(Buffer.from(hand.binary!))).toBe(true);
  });
});

describe('what cannot be done', () => {
  const cases: [what: string, line: string, message: string][] = [
    [
      'a value as a number',
      'let a: Pair<f64> = splat<f64>(1); return <f64>a.x + a;',
      'Pair is a value: it cannot be used here as a whole',
    ],
    ['a number as a value', 'const a: Pair<f64> = 3; return a.x;', 'Pair is expected, not a number'],
    ['another value', 'return dot(frameBy(splat<f64>(1)), splat<f64>(1));', 'Pair is expected, not Frame'],
    ['a value without initial value', 'let a: Pair<f64>; return 0;', 'Pair: a value is a local and has an initial value'],
    ['values in an array', 'const a: Pair<f64>[] = []; return 0;', 'Pair is a value: it cannot be the type of this'],
    ['a field that is none', 'const a: Pair<f64> = splat<f64>(1); return a.z;', 'Pair has no field z'],
    ['too few fields', 'const a: Pair<f64> = new Pair<f64>(1); return a.x;', 'Pair has 2 fields'],
    ['too few arguments', 'return dot(splat<f64>(1));', 'dot takes 2 arguments, not 1'],
    ['a function that is not called', 'const f = dot; return 0;', 'dot takes or returns values: it can only be called'],
  ];
  it.each(cases)('%s', async (_what, line, message) => {
    const { failed, messages } = await compile(`${IMPORTS}\nexport function f(): f64 {\n  ${line}\n}`);
    expect(failed).toBe(true);
    expect(messages).toContain(`: ${message}\n`);
    expect(messages).toContain('in main.ts(4,');
    expect(messages.split(message)).toHaveLength(2);
  });

  const functions: [what: string, declared: string, message: string][] = [
    ['branches', 'if (x > 0) return splat<f64>(1); return splat<f64>(x);', 'has constants and one return, no other statements'],
    ['no return', 'const a: f64 = x;', 'its last statement is the return'],
    ['itself', 'return g(x);', 'calls itself'],
  ];
  it.each(functions)('a function that returns a value, with %s', async (_what, body, message) => {
    const { failed, messages } = await compile(`${IMPORTS}function g(x: f64): Pair<f64> { ${body} }
    export function f(): f64 { return g(1).x; }`);
    expect(failed).toBe(true);
    expect(messages).toContain(message);
  });

  it('methods of a value, and globals', async () => {
    const { messages } = await compile(`@value class V { constructor(public x: f64) {} get y(): f64 { return 1; } }
    const v: V = new V(1);
    export function f(): f64 { return 1; }`);
    expect(messages).toContain('@value class V has fields only; write functions beside it');
    expect(messages).toContain('V: a value is a local and has an initial value');
  });
});
