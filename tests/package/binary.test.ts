// The release binaries: what it may and may not contain, so that instances are cheap, memory is the world's alone and nothing
// slow or unfit for small machines slips in.
import { beforeAll, describe, expect, test } from 'vitest';
import { wasmText as studyText } from '../../src/study/binary.generated';
import { wasmText } from '../../src/wasm/binary.generated';
import { bytesOf } from '../../src/wasm/load';

/** Ids of the sections of a binary, in order. */
function sections(bytes: Uint8Array): number[] {
  const ids: number[] = [];
  let at = 8;
  while (at < bytes.length) {
    ids.push(bytes[at++]!);
    let size = 0;
    let shift = 0;
    let byte: number;
    do {
      byte = bytes[at++]!;
      size |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    at += size;
  }
  return ids;
}

const names = async (text: string) => WebAssembly.Module.exports(await WebAssembly.compile(bytesOf(text))).map((e) => e.name);

test('the product has none of the calls of talus/study, which has all of the product', async () => {
  const [product, study] = [await names(wasmText), await names(studyText)];
  expect(study).toEqual(expect.arrayContaining(product));
  expect(study.filter((name) => !product.includes(name)).sort()).toEqual([
    'applyRows',
    'dropRows',
    'orderReport',
    'packRows',
    'step',
  ]);
});

// Joints are about 67 kB of both, queries 16, threads 25.
describe.each([
  ['the product', wasmText, 435_000, []],
  ['talus/study', studyText, 506_100, [{ module: 'own', name: 'solve', kind: 'function' }]],
])('the release binary of %s', (_, text, most, more) => {
  const bytes = bytesOf(text);
  let module: WebAssembly.Module;
  beforeAll(async () => {
    module = await WebAssembly.compile(bytes);
  });

  test('imports its memory, the nap of a thread that waits for others, for the study solvers of the host, and nothing else', () => {
    const imports = WebAssembly.Module.imports(module).map(({ module, name, kind }) => ({ module, name, kind }));
    expect(imports).toHaveLength(2 + more.length);
    expect(imports).toEqual(
      expect.arrayContaining([
        { module: 'team', name: 'nap', kind: 'function' },
        { module: 'env', name: 'memory', kind: 'memory' },
        ...more,
      ]),
    );
  });

  test('has neither data segments (a second instance would reset them) nor tables (indirect calls)', () => {
    const DATA = 11;
    const TABLE = 4;
    const ELEMENT = 9;
    expect(sections(bytes)).not.toContain(DATA);
    expect(sections(bytes)).not.toContain(ELEMENT);
    expect(WebAssembly.Module.exports(module).filter((e) => e.kind === 'table')).toEqual([]);
    expect(sections(bytes)).not.toContain(TABLE);
  });

  test('is small', () => {
    expect(bytes.length).toBeLessThan(most);
  });

  test('exports functions and its memory only', () => {
    const others = WebAssembly.Module.exports(module).filter((e) => e.kind !== 'function');
    expect(others.map((e) => e.name)).toEqual(['memory']);
  });
});

test('an inlined core survives a page that names no charset, and says so of other charsets', () => {
  const utf8 = new TextEncoder().encode(wasmText);
  expect(Buffer.compare(bytesOf(new TextDecoder('windows-1252').decode(utf8)), bytesOf(wasmText))).toBe(0);
  expect(() => bytesOf(new TextDecoder('shift_jis').decode(utf8))).toThrow(/charset="utf-8"/);
});
