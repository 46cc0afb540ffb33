// Many worlds on a server: 50 rooms in one Node process, each with fixed steps. `node server.mjs --port 8080 --rooms 50`
//
//   GET /             what it takes: rooms, clients, ms a tick, memory
//   GET /rooms/7      a stream of packets, as long as the client listens: first the whole world, then its poses
//   POST /rooms/7     [x, y, z] as JSON: a push for all bodies of the room
//   DELETE /rooms/7   ends the room
//
// In a game the stream would be a WebSocket and a push would be the input of a player; the bytes are the same.
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { createWorld } from 'talus';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '8080' }, rooms: { type: 'string', default: '50' } },
});
const STEP = 1 / 60; // s
const SEND_EVERY = 3; // steps: 20 packets a second
const MOST_STEPS = 5; // of a tick: a server that is too slow runs in slow motion instead of falling behind for ever

/** A packet: what it is, its length in bytes, the step and the hash of the world, then the bytes. */
const HEAD = 24;
const [WORLD, POSES] = [1, 2];
function packet(kind, world, body) {
  const bytes = new Uint8Array(HEAD + body.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, kind, true);
  view.setUint32(4, body.byteLength, true);
  view.setFloat64(8, world.stepCount, true);
  view.setFloat64(16, world.hash(), true); // a client that steps along by itself sees whether it still agrees
  bytes.set(new Uint8Array(body.buffer, body.byteOffset, body.byteLength), HEAD);
  return bytes;
}

async function openRoom(number) {
  // Small rooms: say how many bodies there will be, and the world begins with no more memory than that.
  const world = await createWorld({ dt: STEP, bodyCapacity: 64 });
  world.createBody({ type: 'static', shape: world.createShape({ type: 'plane', normal: [0, 1, 0] }) });
  const box = world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
  const bodies = Array.from({ length: 40 }, (_, i) => {
    const position = [1.2 * (i % 4), 0.5 + 1.05 * Math.floor(i / 4), 0.3 * Math.sin(i + number)];
    return world.createBody({ shape: box, position, density: 500 });
  });
  const [positions, rotations] = [new Float32Array(4 * world.slotCount), new Float32Array(4 * world.slotCount)];
  return {
    clients: new Set(),
    join(client) {
      // Bytes of the whole world: the client restores them, and has bodies, ids and contacts as the server has.
      client.write(packet(WORLD, world, world.snapshot()));
      this.clients.add(client);
      client.on('close', () => this.clients.delete(client));
    },
    step() {
      world.step();
      if (this.clients.size === 0 || world.stepCount % SEND_EVERY !== 0) return;
      // A client that only draws needs poses alone: 32 bytes per body.
      world.readPoses(positions, rotations, { alpha: 1 });
      const poses = new Float32Array([...positions, ...rotations]);
      const bytes = packet(POSES, world, poses);
      for (const client of this.clients) if (client.writableLength < 1e6) client.write(bytes); // a slow client misses some
    },
    push(impulse) {
      for (const body of bodies) world.applyImpulse(body, impulse); // throws what is wrong with it
    },
    close() {
      for (const client of this.clients) client.end();
      world.dispose(); // its memory is free for the next room at once
    },
  };
}

const before = process.memoryUsage().rss;
const rooms = new Map();
for (let i = 0; i < Number(values.rooms); i++) rooms.set(i, await openRoom(i));
const memory = (process.memoryUsage().rss - before) / rooms.size;

// One clock for all rooms. Each makes the same steps: the time that is left over waits for the next tick.
let [last, due, ms] = [performance.now(), 0, 0];
const clock = setInterval(() => {
  const now = performance.now();
  due = Math.min(due + (now - last) / 1000, MOST_STEPS * STEP);
  last = now;
  for (; due >= STEP; due -= STEP) for (const room of rooms.values()) room.step();
  ms += 0.05 * (performance.now() - now - ms);
}, 1000 * STEP);

const server = createServer(async (request, response) => {
  const number = /^\/rooms\/(\d+)$/.exec(request.url)?.[1];
  const room = rooms.get(Number(number));
  if (request.url === '/') {
    const clients = [...rooms.values()].reduce((sum, { clients }) => sum + clients.size, 0);
    response.end(JSON.stringify({ rooms: rooms.size, clients, msPerTick: ms, bytesPerRoom: memory }));
  } else if (!number || !room) {
    response.writeHead(404).end();
  } else if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    room.join(response);
  } else if (request.method === 'POST') {
    let text = '';
    for await (const chunk of request) text += chunk;
    try {
      room.push(JSON.parse(text));
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(400).end(error.message);
    }
  } else if (request.method === 'DELETE') {
    room.close();
    rooms.delete(Number(number));
    response.writeHead(204).end();
  }
});
server.listen(Number(values.port), () => {
  const { port } = server.address();
  console.log(`${rooms.size} rooms on port ${port}, ${(memory / 1e6).toFixed(2)} MB a room`);
});
function stop() {
  clearInterval(clock);
  for (const room of rooms.values()) room.close();
  server.close();
}
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
