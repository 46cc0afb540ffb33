// A world: the public façade. Checks everything it is given before it touches the core, so a refused call changes nothing. Its methods
// are in world/, a class for each subject; here is what concerns all of it: state, and looking inside.

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
  /** Default `wasm`. */
  backend?: BackendName;
  /** The WebGPU device to use instead of asking for one; the caller keeps it. */
  device?: WebGpuDevice;
}

/** Options of `World.snapshot`. */
export interface SnapshotOptions {
  /**
   * Without the geometry of shapes: smaller and faster, for `restore` in the same world, as rollback does it. Good as long as no shape
   * that is in it is removed and no other snapshot but local ones is restored.
   * Default false.
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
 * A world of rigid bodies. Made by `createWorld`. Nothing has to be freed: a world that is dropped is collected whole.
 * Calls are refused with a `TalusError` and then change nothing.
 */
export class World<T extends EditionTypes = Product> extends QueryWorld<T> {
  /**
   * A number, whole and of 53 bits, that is the same for worlds in the same state, on every machine: poses, velocities and forces of
   * all bodies by their slots, their sleep, counts, steps. To find out at which step two runs part; contacts are not in it, their
   * impulses show a step later. While a step is in flight it is that of the last finished one.
   */
  hash(): number {
    this.alive();
    return this.core.hashState();
  }

  /**
   * The whole state as bytes, for `restore`: bodies, shapes, joints, contacts with their impulses, sleep, settings, and what waits
   * for the next step (forces, kinematic targets, events), and the state of controllers. Not in it: backend and device, `profile`, `faults`, events that were sent.
   * Written into `out` if it has room, else into new bytes: `bytes = world.snapshot(bytes)` makes none but now and then.
   * Only the same build of the package can restore it; a sum tells damage.
   * @throws TalusError `busy` while a step is in flight on the GPU; `invalid-argument`, `out-of-memory`; `worker` after a thread was lost
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
   * Puts this world into the state of a snapshot, one of its own or of another world on any machine; what it had is gone. The run
   * goes on with the same bits where the backend is of the same kind. Ids that were good when the snapshot was taken are good again;
   * those of later things are stale, until calls as they were make these again, with the ids that they had. Read views again;
   * `events` is empty. Controllers that were in it go on from there, others rest. Backend, device and threads stay as they are, and so does user data of bodies that both states have.
   * @throws TalusError `busy` while a step is in flight on the GPU; `invalid-argument` if the bytes are damaged or no snapshot;
   * `unsupported` if they are of another version or entry of the package, of a solver that does not run on this backend, or local
   * with shapes that are gone; `out-of-memory`
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
    this.asked = asked;
    this.resolved = this.resolve(asked, this.memory.headerU32(Header.solver) === SOLVER_EXTERNAL);
    this.movers.load(state.controllers);
  }

  /**
   * An independent copy of this world as it is after the last step: bodies, shapes, contacts with their impulses, settings.
   * Ids and slots mean the same in both; later things get ids from each world by itself, which may be the same number for
   * two things. On WASM both go on with the same bits until something is done to one of them. It has as many threads.
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

  /** @internal A world of the same class. */
  protected sibling(loaded: LoadedCore, options: T['asked'] & OpenOptions, edition: Edition<T>): World<T> {
    return new World(loaded, options, edition);
  }

  /** Energy, speeds, overlap, residual: how calm, how deep, how exact. Takes about as long as a sweep of the solver. */
  measure(): Measures {
    this.alive();
    const address = this.core.measure() >>> 0;
    this.checkMemory(address);
    return readMeasures(this.memory, address);
  }

  /**
   * Contact points of the last step as arrays, for drawing; written into `out` if it has room, else into new arrays. While a
   * step is in flight they are those of that step, with the impulses of the one before.
   */
  readContacts(out?: ContactArrays): ContactArrays {
    this.alive();
    return readContacts(this.core, this.memory, out);
  }

  /** Bounding boxes of all colliders as the broad phase sees them: 6 floats each, least x y z and largest x y z (world, m). */
  readBounds(): Float32Array {
    this.alive();
    return readBounds(this.memory, this.registry);
  }

  /**
   * All joints as line segments, for drawing. White lines go from bodies to anchors; red, green and blue are the axes x, y, z of the frames
   * (those of B shorter). Limits, ropes and rods are yellow, gaps between anchors magenta, disabled joints gray.
   */
  readJointLines(options: JointLineOptions = {}): JointLines {
    this.alive();
    checkKeys(options, 'options', ['size']);
    return readJointLines(this.memory, options.size === undefined ? 0.2 : checkNumber(options.size, 'options.size', 0, 1e6));
  }

  private readonly debug = new DebugDrawer();

  /**
   * All of the world as line segments with colors, for debug drawing by any renderer: outlines of colliders by what their bodies do,
   * contacts, joints, bounds. Into `out` if it is given, what an earlier call returned: its arrays are used again as long as they
   * have room, and replaced when not.
   * @throws TalusError `invalid-argument`
   */
  readDebugLines(options: DebugLineOptions = {}, out?: DebugLines): DebugLines {
    this.alive();
    const { core, memory, registry, geometry, poses } = this;
    const pose = poses.pose.bind(poses);
    return this.debug.read({ core, memory, registry, geometry, pose }, options, this.clock.frame.alpha, out);
  }

  /**
   * A label a body slot (island, cell, ...) as of the last step, for drawing; 0xffffffff where a body has none. Written into
   * `out` if it has room, else into a new array.
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
   * Closes the world: every later call and getter throws 'disposed', but for `isAlive` (false), `dispose` itself and what `profile`,
   * `events` and `faults` held. Gives back what it holds on the GPU, and its threads; linear memory is freed by dropping the world, so
   * a world on WASM needs no call.
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
