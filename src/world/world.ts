// A world: the public façade. It checks all arguments before it touches the core, so a refused call changes nothing. Its methods
// are in world/, in a class for each subject; this file has those that concern the whole world: its state, and inspection.

import { TalusError } from '../checks/errors';
import { checkBoolean, checkKeys, checkNumber, checkTyped, checkWord } from '../checks/validate';
import { type ContactArrays, LABEL_KINDS, type LabelKind, readBounds, readContacts, readLabels } from '../debug/inspect';
import { DebugDrawer, type DebugLineOptions, type DebugLines } from '../debug/lines';
import { type Measures, readMeasures } from '../debug/measure';
import type { WebGpuDevice } from '../gpu/types';
import { type JointLineOptions, type JointLines, readJointLines } from '../joints/lines';
import { Header, SOLVER_EXTERNAL } from '../layout.generated';
import type { Edition } from '../options/edition';
import {
  BACKEND_NAMES,
  type BackendName,
  checkDevice,
  type EditionTypes,
  type OpenOptions,
  type Product,
} from '../options/options';
import { type HostState, hasGeometry, readHost, writeHost } from '../state/host';
import { checkSnapshot, writeSnapshot } from '../state/snapshot';
import { threadsOf } from '../threads/count';
import { forgetTeam } from '../threads/team';
import { loadImage } from '../wasm/image';
import type { LoadedCore } from '../wasm/load';
import { leaveSeat } from '../wasm/seats';
import { QueryWorld } from './queries';

/** Options of `World.clone`. */
export interface CloneOptions {
  /** Backend that solves the steps of the clone. Default `wasm`. */
  backend?: BackendName;
  /** A WebGPU device to use instead of requesting one. It stays yours: `dispose` does not destroy it. */
  device?: WebGpuDevice;
}

/** Options of `World.snapshot`. */
export interface SnapshotOptions {
  /**
   * Leaves out the geometry of shapes: smaller and faster, for `restore` in the same world, as rollback uses it. Such a snapshot
   * is valid until one of its shapes is removed, or a snapshot that is not local is restored. Default false.
   */
  local?: boolean;
}

function refuseLocal(): never {
  throw new TalusError(
    'unsupported',
    'the snapshot is a local one and this world does not have its shapes any more: take one without { local: true } for that',
  );
}

/**
 * A world of rigid bodies, created by `createWorld`. A world that you drop is garbage collected; you need not free anything.
 *
 * A call that throws a `TalusError` has changed nothing.
 */
export class World<T extends EditionTypes = Product> extends QueryWorld<T> {
  /**
   * Returns a 53-bit whole number that is equal for worlds in the same state, on every machine. Compare it to find the step at
   * which two runs diverge. It covers poses, velocities, masses and forces of all bodies by slot, their sleep, counts and steps.
   * Contacts are not in it; a difference in their impulses shows one step later. While a step is in flight, the hash is that of
   * the last finished step.
   */
  hash(): number {
    this.alive();
    return this.core.hashState();
  }

  /**
   * Returns the whole state as bytes, for `restore`. In it are bodies, shapes, joints, contacts with their impulses, sleep,
   * settings, the state of controllers, and the input of the next step (forces, kinematic targets, events). Not in it are
   * backend, device, `profile`, `faults` and events that were emitted before.
   *
   * Writes into `out` if it is large enough, else into new bytes. `bytes = world.snapshot(bytes)` reuses the same memory.
   *
   * Only the same build of the package can restore a snapshot. A checksum detects damage.
   * @throws TalusError `busy` while a step is in flight on the GPU; `invalid-argument`, `out-of-memory`; `worker` after a thread
   * was lost
   */
  snapshot(out?: Uint8Array, options: SnapshotOptions = {}): Uint8Array {
    this.calm('snapshot');
    this.team?.rest();
    if (out !== undefined) checkTyped(out, 'out', 'Uint8Array');
    checkKeys(options, 'options', ['local']);
    const isLocal = options.local !== undefined && checkBoolean(options.local, 'options.local');
    const part = {
      numbers: writeHost(this.hostState(), isLocal),
      settings: JSON.stringify({ ...this.asked, threads: undefined }),
      isLocal,
    };
    return writeSnapshot(this.core, this.memory, this.edition.mark, part, out);
  }

  /**
   * Replaces the state of this world by that of a snapshot, taken from this world or another one, on any machine. Steps continue
   * with the same bits if the backend is of the same kind.
   *
   * Ids that were valid when the snapshot was taken are valid again. Ids of later things are stale; the same calls as before
   * create them again, with the same ids. Get views again. `events` is empty. Controllers in the snapshot continue from there;
   * other controllers come to rest. Backend, device and threads stay as they are, and so does user data of bodies in both states.
   * @throws TalusError
   * - `busy` while a step is in flight on the GPU
   * - `invalid-argument` if the bytes are damaged or not a snapshot
   * - `unsupported` if they are of another version or entry of the package, of a solver that does not run on this backend, or
   *   local with shapes that no longer exist
   * - `out-of-memory`
   */
  restore(bytes: Uint8Array): void {
    this.calm('restore');
    const found = checkSnapshot(this.core, this.memory, this.edition.mark, bytes);
    const asked: T['asked'] = JSON.parse(found.settings);
    if (this.asked.threads !== undefined) asked.threads = this.asked.threads;
    this.edition.checkBackend(this.backend.asked, asked);
    const state = this.hostState();
    const owners = Array.from(this.userData.keys(), (index) => this.registry.bodyIdAt(index));
    if (found.isLocal && !hasGeometry(found.numbers, state.geometry)) refuseLocal();
    if (this.team?.clear()) this.backend.moved();
    loadImage(this.core, this.memory.memory, found);
    forgetTeam(this.memory);
    this.team?.settle();
    this.registry.offset = readHost(found.numbers, state, found.isLocal);
    for (const [k, index] of [...this.userData.keys()].entries())
      if (!this.isAlive(owners[k]!) || this.registry.body(owners[k]!) !== index) this.userData.delete(index);
    this.events.load(state.events);
    this.askForSleep();
    this.posed = null;
    this.removals++;
    this.relocations++;
    this.asked = asked;
    this.resolved = this.resolve(asked, this.memory.headerU32(Header.solver) === SOLVER_EXTERNAL);
    this.movers.load(state.controllers);
  }

  /**
   * Returns an independent copy of this world as it is after the last step: bodies, shapes, contacts with their impulses,
   * settings, and as many threads. Ids and slots mean the same in both. Each world numbers later things by itself, so the same
   * number may then mean two things. On WASM both worlds continue with the same bits until you change one of them.
   * @throws TalusError as `createWorld`
   */
  async clone(options: CloneOptions = {}): Promise<World<T>> {
    this.alive();
    checkKeys(options, 'options', ['backend', 'device']);
    const backend = options.backend ?? 'wasm';
    checkWord(backend, 'options.backend', BACKEND_NAMES);
    this.edition.checkBackend(backend, this.asked);
    if (options.device !== undefined) checkDevice(options.device, 'options.device');
    const loaded = await this.edition.load(this.opened.wasm, threadsOf(this.asked.threads));
    while (this.flying) await this.arrive();
    this.alive();
    const settings: T['asked'] & OpenOptions = { ...this.asked, ...this.opened, backend };
    if (options.device) settings.device = options.device;
    const twin = this.sibling(loaded, settings, this.edition);
    twin.restore(this.snapshot());
    for (const [body, value] of this.userData) twin.userData.set(body, value);
    await twin.open();
    return twin;
  }

  private hostState(): HostState {
    const { shapeMasses, geometry, massOverrides, targets } = this;
    const [events, controllers] = [this.events.save(), this.movers.save()];
    return { idOffset: this.registry.offset, shapeMasses, geometry, massOverrides, targets, events, controllers };
  }

  /** Throws 'busy' while a step is in flight. */
  private calm(call: string): void {
    this.alive();
    if (this.flying) throw new TalusError('busy', `a step is in flight on the GPU: await world.settle() before ${call}()`);
  }

  /** @internal Opens a world of the same class. */
  protected sibling(loaded: LoadedCore, options: T['asked'] & OpenOptions, edition: Edition<T>): World<T> {
    return new World(loaded, options, edition);
  }

  /**
   * Measures energy, speeds, overlap and residual: how calm, how deep, how exact the world is. Takes about as long as one sweep
   * of the solver.
   */
  measure(): Measures {
    this.alive();
    const address = this.core.measure() >>> 0;
    this.checkMemory(address);
    return readMeasures(this.memory, address);
  }

  /**
   * Returns the contact points of the last step as arrays, for drawing. Writes into `out` if it is large enough, else into new
   * arrays. While a step is in flight, the points are those of that step, with the impulses of the step before.
   */
  readContacts(out?: ContactArrays): ContactArrays {
    this.alive();
    return readContacts(this.core, this.memory, out);
  }

  /**
   * Returns the bounding boxes of all colliders as the broad phase uses them: 6 floats per box, smallest x y z and largest x y z
   * (world, m).
   */
  readBounds(): Float32Array {
    this.alive();
    return readBounds(this.memory, this.registry);
  }

  /**
   * Returns all joints as line segments, for drawing. White lines go from bodies to anchors; red, green and blue are the axes x,
   * y, z of the frames (shorter for B). Limits, ropes and rods are yellow, gaps between anchors magenta, disabled joints gray.
   */
  readJointLines(options: JointLineOptions = {}): JointLines {
    this.alive();
    checkKeys(options, 'options', ['size']);
    return readJointLines(this.memory, options.size === undefined ? 0.2 : checkNumber(options.size, 'options.size', 0, 1e6));
  }

  private readonly debug = new DebugDrawer();

  /**
   * Returns the whole world as line segments with colors, for debug drawing by any renderer: colliders (colored by the state of
   * their bodies), contacts, joints, bounds. Pass an earlier result as `out` to reuse its arrays; arrays that are too small are
   * replaced.
   * @throws TalusError `invalid-argument`
   */
  readDebugLines(options: DebugLineOptions = {}, out?: DebugLines): DebugLines {
    this.alive();
    const { core, memory, registry, geometry, poses } = this;
    const pose = poses.pose.bind(poses);
    return this.debug.read({ core, memory, registry, geometry, pose }, options, this.clock.frame.alpha, out);
  }

  /**
   * Returns one label per body slot (island, cell, ...) as of the last step, for drawing; 0xffffffff where a body has none.
   * Writes into `out` if it is large enough, else into a new array.
   */
  readLabels(kind: LabelKind, out?: Uint32Array): Uint32Array {
    this.alive();
    checkWord(kind, 'kind', LABEL_KINDS);
    if (out !== undefined) checkTyped(out, 'out', 'Uint32Array');
    const into = out && out.length >= this.slotCount ? out : new Uint32Array(this.slotCount);
    readLabels(this.memory, this.registry, kind, into);
    return into;
  }

  /**
   * Closes the world and releases its GPU resources and threads. Memory is freed when you drop the world, so a world on WASM with
   * one thread needs no call. Afterwards every call and getter throws 'disposed', except `isAlive` (false), `dispose`, and the
   * contents of `profile`, `events` and `faults`.
   */
  dispose(): void {
    this.closed = true;
    this.flying = null;
    this.posed = null;
    this.movers.list = [];
    this.backend.close();
    this.team?.dispose();
    leaveSeat(this.memory.tenant);
  }
}
