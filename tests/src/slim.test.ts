// `talus/slim` from its sources: every form of the core that it takes, fetched once, the same bits as `talus`, and what it says when the
// core is not there. Its default address is tried on the packed package: tests/package/slim.test.ts.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld as createFull, TalusError as FullError } from '../../src/index';
import { createWorld, TalusError, type World } from '../../src/slim/index';
import { wasmText } from '../../src/wasm/binary.generated';
import { bytesOf } from '../../src/wasm/load';

const bytes = bytesOf(wasmText);
const page = '<!doctype html>';
const asked: string[] = [];
const server = createServer((request, response) => {
  const path = request.url!;
  asked.push(path);
  if (path.startsWith('/missing')) response.writeHead(404).end('no');
  else if (path.startsWith('/page')) response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  else if (path.startsWith('/plain')) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
  else if (path.startsWith('/broken') && asked.filter((one) => one === path).length === 1) response.writeHead(500).end();
  else response.writeHead(200, { 'content-type': 'application/wasm' }).end(bytes);
});
let base: string;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function hashOf(world: World): number {
  const cube = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  world.createBody({ type: 'static', shape: cube });
  world.createBodies({ count: 3, shape: cube, positions: [0, 1.2, 0, 0.1, 2.4, 0, 0, 3.6, 0.1] });
  for (let i = 0; i < 60; i++) world.step();
  return world.hash();
}

test('takes an address, a Response, a promise of one, bytes, a module: each gives the bits of talus', async () => {
  const expected = hashOf((await createFull()) as unknown as World);
  const file = resolve(import.meta.dirname, '../../build/talus.wasm');
  const sources = [
    `${base}/talus.wasm`,
    new URL('/plain', base),
    await fetch(`${base}/talus.wasm`),
    fetch(`${base}/plain`),
    pathToFileURL(file),
    bytes,
    readFileSync(file),
    bytes.buffer,
    await WebAssembly.compile(bytes),
  ];
  for (const wasm of sources) expect(hashOf(await createWorld({ wasm }))).toBe(expected);
});

test('fetches an address once, reads a Response once, and asks again after a failure', async () => {
  asked.length = 0;
  const wasm = `${base}/once.wasm`;
  const worlds = await Promise.all([createWorld({ wasm }), createWorld({ wasm: new URL(wasm) }), createWorld({ wasm })]);
  await worlds[0]!.clone();
  expect(asked).toEqual(['/once.wasm']);
  const response = await fetch(`${base}/talus.wasm`);
  const first = await createWorld({ wasm: response });
  await createWorld({ wasm: response });
  await first.clone();
  await expect(createWorld({ wasm: `${base}/broken` })).rejects.toThrow(/status 500/);
  await createWorld({ wasm: `${base}/broken` });
});

test('says what to do when the core is not there', async () => {
  const refusal = async (wasm: unknown): Promise<TalusError> => {
    const error = await createWorld({ wasm } as never).then(
      () => null,
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(TalusError);
    return error as TalusError;
  };
  expect(await refusal(`${base}/missing.wasm`)).toMatchObject({
    code: 'unsupported',
    message: expect.stringMatching(/status 404; serve talus\.wasm there/),
  });
  expect((await refusal(`${base}/page`)).message).toMatch(/is not WebAssembly but text\/html/);
  expect((await refusal('http://127.0.0.1:1/talus.wasm')).message).toMatch(/could not be loaded from/);
  expect((await refusal('file:///nowhere/talus.wasm')).message).toMatch(/could not be loaded from file:/);
  expect(await refusal('talus.wasm')).toMatchObject({ code: 'invalid-argument', message: expect.stringMatching(/an address/) });
  expect(await refusal(Promise.resolve(7))).toMatchObject({ code: 'invalid-argument' });
  expect(await refusal(null)).toMatchObject({ code: 'invalid-argument' });
  expect(await refusal({})).toMatchObject({ code: 'invalid-argument' });
});

test('errors of either entry are instances of the class of the other; those of derived classes are not', async () => {
  const error = await createWorld({ gravity: 'down' } as never).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FullError);
  class Own extends TalusError {}
  expect(error).not.toBeInstanceOf(Own);
  expect(new Own('gpu', '')).toBeInstanceOf(TalusError);
  expect(new Own('gpu', '')).toBeInstanceOf(Own);
  expect(new Error('gpu')).not.toBeInstanceOf(TalusError);
  // A copy of the class, as talus/study and talus/single have one.
  const other = Object.assign(new Error('x'), { name: 'TalusError', code: 'gpu' });
  expect(other).toBeInstanceOf(TalusError);
});
