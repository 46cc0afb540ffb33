// The release binary: what it may and may not contain, so that instances are cheap, memory is the world's alone and nothing
// slow or unfit for small machines slips in.
import { beforeAll, describe, expect, test } from 'vitest';
import { wasmText } from '../../src/wasm/binary.generated';

const bytes = Uint8Array.from(wasmText, (c) => c.charCodeAt(0));
let module: WebAssembly.Module;

/** Ids of the sections of a binary, in order. */
function sections(): number[] {
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

beforeAll(async () => {
  module = await WebAssembly.compile(bytes);
});

describe('the release binary', () => {
  test('imports its memory and nothing else', () => {
    expect(WebAssembly.Module.imports(module)).toEqual([
      expect.objectContaining({ module: 'env', name: 'memory', kind: 'memory' }),
    ]);
  });

  test('has neither data segments (a second instance would reset them) nor tables (indirect calls)', () => {
    const DATA = 11;
    const TABLE = 4;
    const ELEMENT = 9;
    expect(sections()).not.toContain(DATA);
    expect(sections()).not.toContain(ELEMENT);
    expect(WebAssembly.Module.exports(module).filter((e) => e.kind === 'table')).toEqual([]);
    expect(sections()).not.toContain(TABLE);
  });

  test('is small', () => {
    expect(bytes.length).toBeLessThan(260_000);
  });

  test('exports functions and its memory only', () => {
    const others = WebAssembly.Module.exports(module).filter((e) => e.kind !== 'function');
    expect(others.map((e) => e.name)).toEqual(['memory']);
  });
});
