// examples/server.mjs: fifty rooms in one process, whose clients get a world that they can go on with by themselves, bit by bit.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createWorld } from '../../src/index';

const root = resolve(import.meta.dirname, '../..');
let server: ChildProcess;
let address = '';
let output = '';

beforeAll(async () => {
  server = spawn(process.execPath, ['examples/server.mjs', '--port', '0', '--rooms', '50'], { cwd: root });
  server.stderr!.on('data', (chunk) => {
    output += chunk;
  });
  server.stdout!.on('data', (chunk) => {
    output += chunk;
    const port = /rooms on port (\d+)/.exec(output)?.[1];
    if (port) address = `http://localhost:${port}`;
  });
  await vi.waitFor(() => expect(address || output).toMatch(/^http/), { timeout: 60_000 });
});
afterAll(() => server?.kill('SIGKILL'));

interface Packet {
  kind: number;
  step: number;
  hash: number;
  body: Uint8Array<ArrayBuffer>;
}

/** Packets of a stream as they come. */
async function* packets(stream: ReadableStream<Uint8Array>): AsyncGenerator<Packet> {
  let bytes = new Uint8Array(0);
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    const all = new Uint8Array(bytes.length + chunk.length);
    all.set(bytes);
    all.set(chunk, bytes.length);
    bytes = all;
    while (bytes.length >= 24) {
      const view = new DataView(bytes.buffer);
      const end = 24 + view.getUint32(4, true);
      if (bytes.length < end) break;
      const [step, hash] = [view.getFloat64(8, true), view.getFloat64(16, true)];
      yield { kind: view.getUint32(0, true), step, hash, body: bytes.slice(24, end) };
      bytes = bytes.slice(end);
    }
  }
}

test('a client restores the world of a room and comes to the hashes of the server', async () => {
  const world = await createWorld();
  const stop = new AbortController();
  const { body } = await fetch(`${address}/rooms/7`, { signal: stop.signal });
  let poses = 0;
  for await (const { kind, step, hash, body: bytes } of packets(body!)) {
    if (kind === 1) {
      world.restore(bytes);
      expect(world.bodyCount).toBe(41);
    } else {
      while (world.stepCount < step) world.step();
      // Poses of the server and of the client are the same bits.
      const { positions } = world;
      expect(new Float32Array(bytes.buffer, 0, positions.length)).toEqual(Float32Array.from(positions));
      poses++;
    }
    expect(world.stepCount).toBe(step);
    expect(world.hash()).toBe(hash);
    if (poses === 3) break;
  }
  stop.abort();
  expect(poses).toBe(3);
});

test('rooms are pushed, end, and are gone; what is wrong is refused', async () => {
  const stats = async () => (await fetch(address)).json() as Promise<{ rooms: number; bytesPerRoom: number }>;
  const { rooms, bytesPerRoom } = await stats();
  expect(rooms).toBe(50);
  expect(bytesPerRoom).toBeLessThan(4e6);
  const push = (text: string) => fetch(`${address}/rooms/3`, { method: 'POST', body: text });
  expect((await push('[0, 900, 0]')).status).toBe(204);
  const refused = await push('[0, "up", 0]');
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('impulse');
  expect((await push('{')).status).toBe(400);
  expect((await fetch(`${address}/rooms/3`, { method: 'DELETE' })).status).toBe(204);
  expect((await fetch(`${address}/rooms/3`)).status).toBe(404);
  expect((await stats()).rooms).toBe(49);
});

test('it ends when it is told to', async () => {
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  expect(server.exitCode, output).toBe(0);
});
