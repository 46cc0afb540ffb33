// Mutation testing (scripts/mutate.mjs): the places of faults and each kind of fault in small sources, the draw, and which results stay
// valid when sources or tests change.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compileCore, compileMarked, compileSwitched } from '../../scripts/mutate/core.mjs';
import { drawOrder, faultsIn, KINDS, lineAt, withFault } from '../../scripts/mutate/faults.mjs';
import { mutantOf, Results, withTable } from '../../scripts/mutate/results.mjs';
import { ROOMS } from '../../scripts/mutate/rooms.mjs';
import { faultsAt, switchedTo, withMarks, withSwitches } from '../../scripts/mutate/switches.mjs';

const root = join(import.meta.dirname, '../..');
type Fault = { start: number; end: number; kind: string; text: string };
type Drawn = { file: string; fault: Fault };
const rooms: [string, { sources: string[]; tests: string[] }][] = Object.entries(ROOMS);

/** Mutants of a source by a kind of fault, as texts. */
function mutants(source: string, kind: string): string[] {
  return faultsIn(source)
    .filter((fault: Fault) => fault.kind === kind)
    .map((fault: Fault) => withFault(source, fault));
}

describe('kinds of faults', () => {
  test.each([
    ['sign', 'y = a + b;', 'y = a - b;'],
    ['sign', 'y = -a;', 'y = a;'],
    ['sign', 'y -= a;', 'y += a;'],
    ['sign', 'y = addW(subW(a, b), c);', 'y = subW(subW(a, b), c);'],
    ['sign', 'y = negW(a);', 'y = a;'],
    ['sign', 'y = f32x4.sub(a, b);', 'y = f32x4.add(a, b);'],
    ['drop', 'y = a + b * c;', 'y = a + b;'],
    ['drop', 'y = a + b * c;', 'y = b * c;'],
    ['drop', 'y = a - b;', 'y = (-(b));'],
    ['drop', 'y = mulAddW(a, b, c);', 'y = c;'],
    ['drop', 'y = f32x4.mul(a, b);', 'y = b;'],
    ['bodies', 'y = armA + armB;', 'y = armB + armB;'],
    ['bodies', 'y = ax + bx;', 'y = bx + bx;'],
    ['extreme', 'y = min(a, b) + max(a, b);', 'y = max(a, b) + max(a, b);'],
    ['extreme', 'y = f32x4.pmax(a, b);', 'y = f32x4.pmin(a, b);'],
    ['compare', 'if (a < b) f();', 'if (a <= b) f();'],
    ['compare', 'if (a > b) f();', 'if (a < b) f();'],
    ['compare', 'if (a == b) f();', 'if (a != b) f();'],
    ['constant', 'y = 0;', 'y = 1;'],
    ['constant', 'y = 0.5;', 'y = 0.55;'],
    ['constant', 'y = 0.5;', 'y = 0.25;'],
    ['constant', 'y = 4;', 'y = 2;'],
    ['bound', 'for (let i = 0; i < n; i++) f();', 'for (let i = 0; i < (n) - 1; i++) f();'],
    ['bound', 'for (let i = 0; i < n; i++) f();', 'for (let i = 1; i < n; i++) f();'],
    ['negate', 'if (a && b) f();', 'if (!(a && b)) f();'],
    ['negate', 'if (a && b) f();', 'if (a && !(b)) f();'],
    ['negate', 'y = a ? b : c;', 'y = !(a) ? b : c;'],
    ['statement', 'store<f32>(p, x);', ';'],
    ['statement', 'g.impulse = x;', ';'],
    ['axes', 'y = armX * armY;', 'y = armY * armY;'],
    ['axes', 'y = v.x + v.z;', 'y = v.z + v.z;'],
    ['axes', 'y = f32x4.extract_lane(v, 1);', 'y = f32x4.extract_lane(v, 2);'],
    ['axes', 'y = v128.shuffle<f32>(a, b, 0, 1, 4, 5);', 'y = v128.shuffle<f32>(a, b, 1, 0, 4, 5);'],
  ])('%s: %s', (kind, source, expected) => {
    expect(Object.keys(KINDS)).toContain(kind);
    expect(mutants(source, kind)).toContain(expected);
  });

  test('a name is only swapped for one that the file has', () => {
    expect(mutants('y = armA + armX;', 'bodies')).toEqual([]);
    expect(mutants('y = armA + armX;', 'axes')).toEqual([]);
  });
});

test('comments, imports, types, declared names and asserts are never touched', () => {
  const source = `// a + b, armA, armB, 0
import { armA, armB, ax, bx } from './arms0';
export { armA as armC } from './a';
type Of<T> = T extends 0 ? 1 : 2;
/** min(a, b) < 5 */
@inline
export function f<T>(ax: StaticArray<T>, bx: f32x4): void {
  assert(ax < bx && 1 > 0); // armA + 1
  const size: usize = offsetof<Pair<T>>('ax');
}
`;
  expect(faultsIn(source)).toEqual([]);
});

test('a type before a value stays, the value changes', () => {
  expect(mutants('const y: u32 = <u32>(a + b);', 'sign')).toEqual(['const y: u32 = <u32>(a - b);']);
});

test('a real source has hundreds of faults, each a change', () => {
  const text = readFileSync(join(root, 'assembly/joints/anchors.ts'), 'utf8');
  const faults = faultsIn(text);
  expect(faults.length).toBeGreaterThan(200);
  expect(faults.filter((fault: Fault) => withFault(text, fault) === text)).toEqual([]);
  expect(lineAt('a\n  b + c;\n', 4)).toEqual({ line: 2, context: 'b + c;' });
});

describe('the draw', () => {
  const byFile = () => {
    const sources: [string, string][] = [
      ['small.ts', 'y = a + b;'],
      ['large.ts', 'y = -a * min(b, 0.5);\nif (a < b) f(a);\nfor (let i = 0; i < n; i++) f(i);\n'.repeat(20)],
      ['other.ts', 'y = armA + armB;\nz = armX * armY;\n'.repeat(20)],
    ];
    return new Map(sources.map(([name, text]) => [name, faultsIn(text)]));
  };
  const total = [...byFile().values()].reduce((sum, list) => sum + list.length, 0);

  test('has each fault once, in the same order for the same seed', () => {
    const order = drawOrder(byFile(), 1);
    expect(order.length).toBe(total);
    expect(new Set(order.map(({ file, fault }: Drawn) => `${file} ${fault.start} ${fault.end} ${fault.text}`)).size).toBe(total);
    expect(drawOrder(byFile(), 1)).toEqual(order);
    expect(drawOrder(byFile(), 2)).not.toEqual(order);
  });

  test('spreads its first part over files and kinds', () => {
    const first: Drawn[] = drawOrder(byFile(), 1).slice(0, 30);
    const count = (of: (one: Drawn) => string) => {
      const counts = new Map<string, number>();
      for (const one of first) counts.set(of(one), (counts.get(of(one)) ?? 0) + 1);
      return counts;
    };
    const files = count(({ file }) => file);
    expect(Math.abs(files.get('large.ts')! - files.get('other.ts')!)).toBeLessThanOrEqual(1);
    expect(count(({ fault }) => fault.kind).size).toBe(Object.keys(KINDS).length);
  });
});

test('a room names folders and test files that exist, each test once', () => {
  for (const [room, { sources, tests }] of rooms) {
    expect(new Set(tests).size, room).toBe(tests.length);
    for (const path of [...sources, ...tests]) expect(existsSync(join(root, path)), path).toBe(true);
  }
});

/** Runs `test` on a tree with a core of a few lines in assembly/sums.ts, compiled as the real one. */
async function withSmallCore(text: string, test: (tree: string, file: string) => Promise<void>): Promise<void> {
  const tree = mkdtempSync(join(tmpdir(), 'mutate-core-'));
  try {
    const file = 'assembly/sums.ts';
    const files = [
      ['assembly/study.ts', "export * from './sums';\n"],
      ['assembly/testing.ts', 'export function nothing(): void {}\n'],
      [file, text],
      ['asconfig.json', readFileSync(join(root, 'asconfig.json'), 'utf8')],
    ] as const;
    mkdirSync(join(tree, 'assembly'));
    for (const [name, content] of files) writeFileSync(join(tree, name), content);
    for (const name of ['scripts', 'node_modules']) symlinkSync(join(root, name), join(tree, name));
    await test(tree, file);
    expect(readFileSync(join(tree, file), 'utf8')).toBe(text);
  } finally {
    rmSync(tree, { recursive: true });
  }
}

test('a core with a fault is another binary, one that does not compile is none', async () => {
  const text = 'export function sum(a: f32, b: f32): f32 {\n  return a + b;\n}\n';
  await withSmallCore(text, async (tree, file) => {
    const compile = (mutated: string) => compileCore(tree, 'test', file, mutated);
    const plain = await compileCore(tree, 'test');
    expect(plain).not.toBeNull();
    expect(await compile(`${text}// more\n`)).toEqual(plain);
    expect(await compile(text.replace('b;', 'missing;'))).toBeNull();
    const [fault] = faultsIn(text).filter(({ kind }: Fault) => kind === 'sign');
    const mutant = await compile(withFault(text, fault!));
    expect(mutant).not.toBeNull();
    expect(mutant).not.toEqual(plain);
  });
});

describe('switches', () => {
  const numbered = (text: string) => faultsIn(text).map((fault: Fault, i: number) => ({ id: i + 1, fault }));

  test('an expression, a statement, one in another; lines stay where they are', () => {
    const source = 'function f(a: i32): i32 {\n  store<i32>(8, a + 1);\n  return a;\n}\n';
    const faults = numbered(source);
    const statement = faults.find(({ fault }: { fault: Fault }) => fault.kind === 'statement')!;
    const sign = faults.find(({ fault }: { fault: Fault }) => fault.kind === 'sign')!;
    const of = (list: typeof faults) => withSwitches(source, 'assembly/deep/f.ts', list);
    expect(of([sign]).text).toContain(`{ if (MUTANT == ${sign.id}) { store<i32>(8, a - 1); } else { store<i32>(8, a + 1); } }`);
    expect(of([statement]).text).toContain(`{ if (MUTANT == ${statement.id}) { ; } else { store<i32>(8, a + 1); } }`);
    const both = of([sign, statement]).text;
    expect(both.split('\n').slice(2)).toEqual(['  return a;', '}', "import { mutant as MUTANT } from '../mutant';", '']);
    expect(of([])).toMatchObject({ text: source, ids: [] });
    const nested = 'function g(a: i32, b: i32, c: i32): i32 {\n  return a * (b + c);\n}\n';
    const two = numbered(nested).filter(({ fault }: { fault: Fault }) => fault.kind === 'drop' || fault.kind === 'sign');
    const { text, ids, pieces } = withSwitches(nested, 'assembly/g.ts', two);
    expect(ids.length).toBe(two.length);
    expect(text).toContain(': a * ((MUTANT == ');
    // An error in the text of a fault comes from that fault.
    const minus = two.find(({ fault }: { fault: Fault }) => fault.kind === 'sign')!;
    expect(faultsAt(pieces, text.indexOf('b - c'))).toEqual([minus.id]);
    expect(faultsAt(pieces, 0)).toEqual([]);
  });

  test('targets and names of calls take their statement or call along; what lies outside functions has no switch', () => {
    const source = 'const SIZE: i32 = 8;\nfunction f(x: V, y: V): void {\n  x.ax = y.bx;\n  x.bx = min(y.ax, 3);\n}\n';
    const { text, ids } = withSwitches(source, 'assembly/f.ts', numbered(source));
    expect(text.startsWith('const SIZE: i32 = 8;\n')).toBe(true);
    expect(text).toContain('{ x.bx = y.bx; }');
    expect(text).toMatch(/MUTANT == \d+ \? max\(y\.ax, 3\)/);
    const outside = numbered(source).filter(({ fault }: { fault: Fault }) => fault.end < source.indexOf('\n'));
    expect(outside.length).toBeGreaterThan(0);
    for (const { id } of outside) expect(ids).not.toContain(id);
  });

  test('one binary has every mutant: each computes with its fault, number 0 with none', async () => {
    const text = `export function work(a: i32, b: i32): i32 {
  let sum: i32 = 0;
  for (let i = 0; i < a; i++) sum += i * b;
  return max(sum, b) - 3;
}
export const SHIFT: i32 = 2;
`;
    await withSmallCore(text, async (tree, file) => {
      const mutants = faultsIn(text).map((fault: Fault) => ({ file, text, fault }));
      // A number of another type is an error around it, too: what is there then needs a compile of its own.
      const whole = mutants.filter(({ fault }: { fault: Fault }) => !fault.text.includes('.'));
      expect(whole.length).toBe(mutants.length - 2);
      const { binary, ids } = await compileSwitched(tree, 'test', whole);
      const results = (bytes: Buffer) => {
        const memory = new WebAssembly.Memory({ initial: 16, maximum: 65536 });
        const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)), { env: { memory } });
        const work = exports.work as (a: number, b: number) => number;
        return [work(5, 2), work(0, 7), work(9, -1)];
      };
      expect(results(switchedTo(binary, 0))).toEqual([17, 4, -4]);
      // Two are outside functions.
      expect(ids.size).toBe(whole.length - 2);
      for (const mutant of whole) {
        const alone = await compileCore(tree, 'test', file, withFault(text, mutant.fault));
        if (ids.has(mutant)) expect(results(switchedTo(binary, ids.get(mutant)!))).toEqual(results(alone!));
      }
    });
  });
});

describe('marks', () => {
  const numbered = (text: string) => faultsIn(text).map((fault: Fault, i: number) => ({ id: i + 1, fault }));
  const marksIn = (text: string, kind: string) => {
    const faults = numbered(text).filter(({ fault }: { fault: Fault }) => fault.kind === kind);
    return withMarks(text, 'assembly/f.ts', faults).text;
  };

  test('both values are compared where that changes nothing and moves no address; else the place is marked', () => {
    expect(marksIn('function f(a: f32, b: f32): f32 {\n  return a * b;\n}\n', 'axes')).toContain('return a * b;');
    expect(marksIn('function f(a: f32): f32 {\n  return g(a + 1);\n}\n', 'sign')).toMatch(
      /g\(\(\(a \+ 1\) != \(a - 1\) && MARK\(\d+\), a \+ 1\)\)/,
    );
    expect(marksIn('function f(a: f32): f32 {\n  return g(a) + 1;\n}\n', 'sign')).toMatch(/\(MARK\(\d+\), g\(a\) \+ 1\)/);
    expect(marksIn('function f(a: u32): f32 {\n  return load<f32>(a + 8) * 2;\n}\n', 'sign')).not.toContain('!=');
    expect(marksIn('function f(a: u32): void {\n  store<u32>(8, a);\n}\n', 'statement')).toMatch(
      /\{ MARK\(\d+\); \{ store<u32>\(8, a\); \} \}/,
    );
  });

  test('a core marks the mutants that would compute another value, and computes without a fault', async () => {
    const text = `export function work(a: i32, b: i32): i32 {
  if (a > 5) return a * b;
  return max(a, b) + a;
}
`;
    await withSmallCore(text, async (tree, file) => {
      const mutants = faultsIn(text).map((fault: Fault) => ({ file, text, fault }));
      const { binary, ids } = await compileMarked(tree, 'test', mutants);
      expect(ids.size).toBe(mutants.length);
      const memory = new WebAssembly.Memory({ initial: 16, maximum: 65536 });
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(binary)), { env: { memory } });
      const work = exports.work as (a: number, b: number) => number;
      const marked = (...calls: [number, number][]) => {
        const bytes = new Uint8Array(memory.buffer, (exports.marks as WebAssembly.Global).value, 200).fill(0);
        for (const [a, b] of calls) expect(work(a, b)).toBe(a > 5 ? a * b : Math.max(a, b) + a);
        return mutants
          .filter((one: Drawn) => bytes[ids.get(one)!] === 1)
          .map(({ fault }: Drawn) => text.slice(fault.start, fault.end) + fault.text);
      };
      // Where both arguments are the same, so are the larger and the smaller.
      expect(marked([2, 2])).not.toContain('maxmin');
      expect(marked([2, 3])).toContain('maxmin');
      expect(marked([5, 5])).toContain('>>=');
      expect(marked([4, 5], [7, 1])).not.toContain('>>=');
      expect(marked([2, 3])).toContain('+-');
    });
  });
});

describe('results', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutate-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const [first, second] = ROOMS.joints!.tests as [string, string];
  const source = 'assembly/joints/ball.ts';
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const text = 'y = a + b;\nz = a - b;\n';
  const [one, two] = faultsIn(text)
    .filter(({ kind }: Fault) => kind === 'sign')
    .map((fault: Fault) => mutantOf(source, text, fault));
  const start = () => {
    write(source, text);
    write(first, 'first');
    write(second, 'second');
    const results = new Results(folder);
    const tests = Object.fromEntries(ROOMS.joints!.tests.map((name: string) => [name, results.fileNow(name)]));
    results.add('joints', {
      ...one,
      verdict: 'killed',
      test: `${first} > hangs > straight`,
      tests: { [first]: tests[first] },
      seconds: 1,
    });
    results.add('joints', { ...two, verdict: 'survived', tests, seconds: 1 });
  };

  test('are read again: what was judged is not judged again', () => {
    start();
    const again = new Results(folder);
    expect(again.testsLeft('joints', one)).toEqual([]);
    expect(again.testsLeft('joints', two)).toEqual([]);
    expect(again.testsLeft('joints', { ...one, to: '*' })).toEqual(ROOMS.joints!.tests);
    expect(again.countsOf('joints')).toEqual({ faults: 2, killed: 1, survivors: 1, explained: 0 });
  });

  test('a changed test runs again where it counts', () => {
    start();
    write(second, 'changed');
    const again = new Results(folder);
    expect(again.testsLeft('joints', one)).toEqual([]);
    expect(again.testsLeft('joints', two)).toEqual([second]);
    write(first, 'changed');
    expect(new Results(folder).testsLeft('joints', one)).toEqual(ROOMS.joints!.tests);
  });

  test('a changed source drops its results', () => {
    start();
    write(source, `${text}// more`);
    expect(new Results(folder).countsOf('joints').faults).toBe(0);
  });

  test('an explained survivor counts as explained, not as killed', () => {
    start();
    const { file, context, from, to } = two;
    write('tests/mutation/explained.json', JSON.stringify([{ file, context, from, to, reason: 'b is zero here.' }]));
    const results = new Results(folder);
    expect(results.countsOf('joints')).toEqual({ faults: 2, killed: 1, survivors: 1, explained: 1 });
    expect(results.survivorsOf('joints')).toEqual([]);
    expect(results.table()).toContain('| joints | 2 | 1 | 50 % | 1 of 1 |');
  });

  test('the table replaces what stands between its marks', () => {
    const page = 'a\n<!-- mutation: npm run mutate -- --table -->\nold\n<!-- /mutation -->\nb\n';
    expect(withTable(page, 'new')).toBe(page.replace('old', 'new'));
    expect(() => withTable('a', 'new')).toThrow('marks');
  });
});
