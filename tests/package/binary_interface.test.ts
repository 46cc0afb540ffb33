// The binary interface of the core as a host in another language has it (docs/binary.md): talus.wasm, layout.json and nothing else.
// The host below imports nothing of the package; worlds of the package beside it say what must come out, to the bit.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokenPromises } from '../../scripts/layout/describe_binary.mjs';
import { createWorld, type World } from '../../src/index';

const root = resolve(import.meta.dirname, '../..');

interface Field {
  offset: number;
  type: 'f32' | 'u32' | 'i32' | 'f64' | 'vec4f';
}
interface Layout {
  version: number;
  core: { bytes: number; sha256: string };
  memory: { module: string; name: string; initialPages: number; maximumPages: number };
  imports: { module: string; name: string; params: unknown[] }[];
  constants: Record<string, { value: number }>;
  defaults: Record<string, number>;
  material: Record<string, number>;
  structs: Record<string, { stride: number; fields: Record<string, Field> }>;
  exports: Record<string, { params: { name: string; type: string }[]; result: { type: string } | null; doc: string }>;
}

let wasm: Uint8Array<ArrayBuffer>;
let layout: Layout;
const folder = mkdtempSync(join(tmpdir(), 'talus-layout-'));

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/build_wasm.mjs'), 'release', '--if-stale'], { stdio: 'pipe' });
  const [core, json] = [join(root, 'build/talus.wasm'), join(folder, 'layout.json')];
  execFileSync(process.execPath, [join(root, 'scripts/gen_layout.mjs'), '--json', json, '--wasm', core], { stdio: 'pipe' });
  wasm = new Uint8Array(readFileSync(core));
  layout = JSON.parse(readFileSync(json, 'utf8'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const value = (name: string) => layout.constants[name]!.value;
const NONE = 0xffffffff;
/** (module (memory (export "memory") 16 65536)): for runtimes that can only import what another module exports. */
const MEMORY_MODULE = '0061736d010000000506010110808004070a01066d656d6f72790200';

/** A world as a host without any of the package's code has it. */
class Host {
  readonly memory: WebAssembly.Memory;
  private readonly exports: Record<string, (...args: number[]) => number>;

  constructor(private readonly ready = true) {
    const { memory: pages } = layout;
    const module = new WebAssembly.Module(Uint8Array.from(Buffer.from(MEMORY_MODULE, 'hex')));
    this.memory = new WebAssembly.Instance(module).exports.memory as WebAssembly.Memory;
    expect(this.memory.buffer.byteLength).toBe(65536 * pages.initialPages);
    const imports = { [pages.module]: { [pages.name]: this.memory }, team: { nap: () => undefined } };
    this.exports = new WebAssembly.Instance(new WebAssembly.Module(wasm), imports).exports as typeof this.exports;
    expect(this.call('initWorld')).toBe(1);
    if (this.ready)
      for (const [field, number] of Object.entries(layout.defaults)) this.put('Header', value('HEADER_PTR'), field, number);
  }

  call(name: string, ...args: number[]): number {
    const { params, result } = layout.exports[name]!;
    expect(args.length, name).toBe(params.length);
    const found = this.exports[name]!(...args);
    return result?.type === 'i32' ? found >>> 0 : found;
  }

  private at(struct: string, field: string): Field {
    return layout.structs[struct]!.fields[field]!;
  }

  get(struct: string, address: number, field: string): number {
    const { offset, type } = this.at(struct, field);
    const view = new DataView(this.memory.buffer, address + offset);
    if (type === 'f64') return view.getFloat64(0, true);
    return type === 'f32' ? view.getFloat32(0, true) : view.getUint32(0, true);
  }

  put(struct: string, address: number, field: string, number: number): void {
    const { offset, type } = this.at(struct, field);
    const view = new DataView(this.memory.buffer, address + offset);
    if (type === 'f32') view.setFloat32(0, number, true);
    else view.setUint32(0, number, true);
  }

  header(field: string): number {
    return this.get('Header', value('HEADER_PTR'), field);
  }

  /** Address of a row. */
  row(array: string, struct: string, index: number): number {
    return this.header(array) + layout.structs[struct]!.stride * index;
  }

  step(count = 1): void {
    for (let i = 0; i < count; i++) {
      this.put('Header', value('HEADER_PTR'), 'eventCount', 0);
      for (const stage of ['stepBroadphase', 'stepContacts', 'stepSolve', 'stepEnd']) expect(this.call(stage)).toBe(0);
    }
  }

  boxShape(x: number, y: number, z: number): number {
    const extent = Math.hypot(x, y, z) * (1 + 2 ** -22);
    return this.call('createShape', value('SHAPE_BOX'), x, y, z, extent, 0, 0, -x, -y, -z, x, y, z);
  }

  box(type: string, shape: number, [x, y, z]: readonly number[], position: readonly number[]): number {
    const body = this.call('createBody', value(type), ...(position as [number, number, number]), 0, 0, 0, 1);
    const { friction, restitution, rollingResistance, combine, category, mask, flags, density } = layout.material as Record<
      string,
      number
    > &
      Record<'friction' | 'restitution' | 'rollingResistance' | 'combine' | 'category' | 'mask' | 'flags' | 'density', number>;
    if (type === 'BODY_DYNAMIC') {
      const mass = density * 8 * x! * y! * z!;
      const moments = [y! ** 2 + z! ** 2, x! ** 2 + z! ** 2, x! ** 2 + y! ** 2].map((sum) => (mass / 3) * sum);
      this.call('setMassProperties', body, mass, 0, 0, 0, ...moments, 0, 0, 0);
    }
    const surface = [friction, restitution, rollingResistance, combine, category, mask, flags, density];
    this.call('createCollider', body, shape, 0, 0, 0, 0, 0, 0, 1, ...surface);
    return body;
  }

  position(body: number): number[] {
    return Array.from(new Float32Array(this.memory.buffer, this.header('positions') + 16 * body, 3));
  }

  /** Ranges of memory that are in use, and what lies in them. */
  snapshot(): { ranges: Uint32Array; bytes: Uint8Array } {
    const live = this.call('listLive', 1);
    const first = live + layout.structs.LiveState!.stride;
    const ranges = new Uint32Array(this.memory.buffer.slice(first, first + 8 * this.get('LiveState', live, 'count')));
    const parts: Uint8Array[] = [];
    for (let i = 0; i < ranges.length; i += 2) parts.push(new Uint8Array(this.memory.buffer.slice(ranges[i]!, ranges[i + 1]!)));
    return { ranges, bytes: Uint8Array.from(Buffer.concat(parts)) };
  }

  restore({ ranges, bytes }: { ranges: Uint32Array; bytes: Uint8Array }): void {
    const missing = ranges.at(-1)! - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536));
    const touched = this.header('arenaTop');
    const memory = new Uint8Array(this.memory.buffer);
    for (let i = 0, from = 0; i < ranges.length; i += 2) {
      const size = ranges[i + 1]! - ranges[i]!;
      memory.set(bytes.subarray(from, from + size), ranges[i]);
      from += size;
    }
    this.put('Header', value('HEADER_PTR'), 'arenaTop', Math.max(touched, this.header('arenaTop')));
    this.call('clearDead');
    this.call('forgetGpu');
  }
}

const FLOOR = [10, 0.5, 10] as const;
const CRATE = [0.5, 0.4, 0.3] as const;
const PLACES = Array.from({ length: 6 }, (_, i) => [0.05 * i, 0.5 + 1.1 * i, 0.02 * i]);

/** A tower on a floor, in a host. */
function build(host: Host): number[] {
  host.box('BODY_STATIC', host.boxShape(...FLOOR), FLOOR, [0, -0.5, 0]);
  const shape = host.boxShape(...CRATE);
  return PLACES.map((place) => host.box('BODY_DYNAMIC', shape, CRATE, place));
}

/** The same in a world of the package. */
async function twin(): Promise<{ world: World; crates: ReturnType<World['createBody']>[] }> {
  const world = await createWorld();
  const floor = world.createShape({ type: 'box', halfExtents: FLOOR });
  world.createBody({ type: 'static', shape: floor, position: [0, -0.5, 0] });
  const shape = world.createShape({ type: 'box', halfExtents: CRATE });
  return { world, crates: PLACES.map((position) => world.createBody({ shape, position })) };
}

test('layout.json belongs to the core, names what it exports and says what each is', () => {
  expect(layout.version).toBeGreaterThan(0);
  expect(layout.core.bytes).toBe(wasm.length);
  expect(layout.core.sha256).toBe(createHash('sha256').update(wasm).digest('hex'));
  const module = new WebAssembly.Module(wasm);
  const wanted = [layout.memory, ...layout.imports].map(({ module: from, name }) => `${from}.${name}`).sort();
  expect(
    WebAssembly.Module.imports(module)
      .map(({ module: from, name }) => `${from}.${name}`)
      .sort(),
  ).toEqual(wanted);
  const memory = new WebAssembly.Memory({ initial: layout.memory.initialPages, maximum: layout.memory.maximumPages });
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, team: { nap: () => undefined } });
  for (const [name, { params, doc }] of Object.entries(layout.exports)) {
    expect((exports[name] as () => void).length, name).toBe(params.length);
    expect(doc.length, name).toBeGreaterThan(10);
  }
});

test('a host without JavaScript comes to the bits of createWorld', async () => {
  const host = new Host();
  const crates = build(host);
  const { world, crates: own } = await twin();
  let begins = 0;
  for (let i = 0; i < 240; i++) {
    host.step();
    world.step();
    for (let k = 0; k < host.header('eventCount'); k++) {
      const row = host.row('events', 'EventRow', k);
      if (host.get('EventRow', row, 'kind') === 1) begins++;
    }
    expect(host.call('hashState'), `step ${i}`).toBe(world.hash());
  }
  expect(host.position(crates[5]!)).toEqual(world.getPosition(own[5]!, [0, 0, 0]));
  expect(begins).toBeGreaterThanOrEqual(6);
  expect(host.call('isAsleep', crates[5]!)).toBe(1);
  expect(host.header('stepCount')).toBe(240);
});

test('joints, pushes and a moved origin too', async () => {
  const host = new Host();
  const crates = build(host);
  const { world, crates: own } = await twin();
  const hung = host.box('BODY_DYNAMIC', host.boxShape(0.2, 0.2, 0.2), [0.2, 0.2, 0.2], [3, 4, 0]);
  const joint = host.call('createJoint', NONE, hung);
  const record = host.row('joints', 'Joint', joint);
  const set = (fields: Record<string, number>) => {
    for (const [field, number] of Object.entries(fields)) host.put('Joint', record, field, number);
  };
  set({ kind: value('JOINT_BALL'), locked: 0b000111, cone: Math.PI, frictionLever: 0.005 });
  set({ anchorAx: 3, anchorAy: 5, anchorAz: 0, anchorBx: 0, anchorBy: 1, anchorBz: 0, frameAw: 1, frameBw: 1 });
  host.call('setJointFlags', joint, value('JOINT_ENABLED'));
  const box = world.createShape({ type: 'box', halfExtents: [0.2, 0.2, 0.2] });
  const swung = world.createBody({ shape: box, position: [3, 4, 0] });
  world.createJoint({ type: 'ball', bodyB: swung, anchor: [3, 5, 0] });
  host.call('applyImpulse', hung, 50, 0, 20, 0, 0, 0);
  world.applyImpulse(swung, [50, 0, 20]);
  for (let i = 0; i < 60; i++) {
    if (i === 30) {
      expect(host.call('moveOrigin', 100, 0, -50, 1e6)).toBe(0);
      world.shift([100, 0, -50]);
      host.call('addForceAt', crates[2]!, 3000, 0, 0, 100, 3, -50);
      world.addForce(own[2]!, [3000, 0, 0], [100, 3, -50]);
    }
    host.step();
    world.step();
    expect(host.call('hashState'), `step ${i}`).toBe(world.hash());
  }
});

test('rays and contacts', async () => {
  const host = new Host();
  build(host);
  const { world } = await twin();
  host.step(20);
  for (let i = 0; i < 20; i++) world.step();
  const query = host.call('queryState', 0);
  const ask = { ox: 0.1, oy: 20, oz: 0.05, reach: 100, dx: 0, dy: -1, dz: 0, shape: NONE, mask: NONE, category: 1, flags: 0 };
  for (const [field, number] of Object.entries({ ...ask, excludeBody: NONE, excludeCollider: NONE }))
    host.put('QueryState', query, field, number);
  expect(host.call('runQuery', value('QUERY_RAY'), value('QUERY_CLOSEST'))).toBe(1);
  const hit = host.get('QueryState', query, 'hits');
  const expected = world.castRay([0.1, 20, 0.05], [0, -1, 0], { maxDistance: 100 })!;
  expect(host.get('QueryHit', hit, 'distance')).toBe(expected.distance);
  const collider = host.row('colliders', 'Collider', host.get('QueryHit', hit, 'collider'));
  expect(host.get('Collider', collider, 'body')).toBe(world.indexOf(expected.body));
  // All contact points of a step: blocks of rows of manifolds.
  const perBlock = value('MANIFOLD_BLOCK');
  const separations: number[] = [];
  for (let i = 0; i < host.header('manifoldCount'); i++) {
    const block = new DataView(host.memory.buffer).getUint32(host.header('manifoldBlocks') + 4 * Math.floor(i / perBlock), true);
    const address = block + layout.structs.Manifold!.stride * (i % perBlock);
    const count = host.get('Manifold', address, 'count');
    if (count === 0) continue;
    expect(host.call('readManifold', i)).toBe(address);
    for (let k = 0; k < count; k++) separations.push(host.get('Manifold', address, `separation${k}`));
  }
  const contacts = world.readContacts();
  expect(separations.length).toBe(contacts.count);
  expect(Float32Array.from(separations).sort()).toEqual(contacts.separations.slice(0, contacts.count).sort());
});

test('snapshots: of the host, and of a world of the package with hulls and terrain that it has cooked', async () => {
  const host = new Host();
  build(host);
  host.step(30);
  const taken = host.snapshot();
  const hash = host.call('hashState');
  host.step(30);
  const later = host.call('hashState');
  const other = new Host(false);
  for (const one of [host, other]) {
    one.restore(taken);
    expect(one.call('hashState')).toBe(hash);
    one.step(30);
    expect(one.call('hashState')).toBe(later);
  }
  const { world } = await twin();
  const hull = world.createShape({ type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1] });
  const heights = Float32Array.from({ length: 400 }, (_, i) => Math.sin(i));
  const field = world.createShape({ type: 'heightfield', nx: 20, nz: 20, heights, spacing: 1 });
  world.createBody({ type: 'static', shape: field, position: [20, 0, 20] });
  for (let i = 0; i < 40; i++) world.createBody({ shape: hull, position: [22 + (i % 6), 3 + i / 8, 24 + (i % 5)] });
  for (let i = 0; i < 20; i++) world.step();
  const bytes = world.snapshot();
  // The head as docs/binary.md has it.
  const words = new Uint32Array(bytes.slice(0, 64).buffer);
  const padded = (size: number) => 64 * Math.ceil(size / 64);
  const [rangeWords, numbers, letters] = [words[6]!, words[7]!, words[8]!];
  const ranges = new Uint32Array(bytes.slice(64, 64 + 4 * rangeWords).buffer);
  other.restore({ ranges, bytes: bytes.subarray(64 + padded(4 * rangeWords) + padded(8 * numbers + letters)) });
  for (let i = 0; i < 60; i++) {
    other.step();
    world.step();
    expect(other.call('hashState')).toBe(world.hash());
  }
});

test('settings and material that layout.json calls defaults are those of createWorld and createBody', async () => {
  const [plain, host] = [new Host(false), new Host()];
  build(host);
  const { world } = await twin();
  host.step();
  world.step();
  const copy = new Host(false);
  const bytes = world.snapshot();
  const words = new Uint32Array(bytes.slice(0, 64).buffer);
  const at = 64 + 64 * Math.ceil((4 * words[6]!) / 64) + 64 * Math.ceil((8 * words[7]! + words[8]!) / 64);
  copy.restore({ ranges: new Uint32Array(bytes.slice(64, 64 + 4 * words[6]!).buffer), bytes: bytes.subarray(at) });
  const settings = ['gravityX', 'gravityY', 'gravityZ', 'dt', 'substeps', 'sweeps', 'seed', 'contactHertzRatio', 'dampingRatio'];
  settings.push(
    'pushSpeed',
    'speculativeMargin',
    'restitutionThreshold',
    'maxLinearSpeed',
    'maxAngularSpeed',
    'hitSpeed',
    'sleepEvents',
  );
  for (const field of [...settings, ...Object.keys(layout.defaults)]) expect(host.header(field), field).toBe(copy.header(field));
  for (const [field, number] of Object.entries(layout.defaults)) expect(plain.header(field), field).not.toBe(Math.fround(number));
  const rows = [host, copy].map((one) => {
    const row = one.row('colliders', 'Collider', 1);
    return Object.keys(layout.structs.Collider!.fields).map((field) => one.get('Collider', row, field));
  });
  expect(rows[0]).toEqual(rows[1]);
});

test('a promise that goes needs another version', () => {
  const before = ['version 1', 'constant NONE', 'field Header.dt: f32 (s)'];
  expect(brokenPromises(before, [...before, 'constant MORE'])).toEqual([]);
  expect(brokenPromises(before, ['version 1', 'constant NONE', 'field Header.dt: f64 (s)'])).toEqual([
    'field Header.dt: f32 (s)',
  ]);
  expect(brokenPromises(before, ['version 2', 'constant NONE'])).toEqual([]);
});
