// Memory slots: memories, each with the world that owns it now. Browsers allow some 120 memories per process, however small they
// are (each reserves 8 GiB of addresses or more, whatever its maximum says). So a page with more worlds than slots shares them:
// the world without a call for the longest time moves out to plain bytes (image.ts), and comes back with its next call. All of a
// core's state is in its memory, so it continues as if nothing had happened. A world with threads has shared memory of its own,
// which it keeps for good.
import { TalusError } from '../checks/errors';
import { makeSharedMemory } from '../platform/shared_core';
import type { CoreExports } from './core';
import { type Image, loadImage, readImage } from './image';

/** Creates the exports of a core on a memory. */
export type Instantiate = (memory: WebAssembly.Memory) => CoreExports;

/** A memory slot: a memory, the cores that were created on it, and the world that owns it now. */
interface Seat {
  readonly memory: WebAssembly.Memory;
  readonly cores: Map<Instantiate, CoreExports>;
  holder: Tenant | null;
}

/** The hold of a world on its memory. */
export interface Tenant {
  /** The exports of its core, on whichever memory it has. */
  readonly exports: CoreExports;
  readonly instantiate: Instantiate;
  /** Null while the world has no memory slot: `image` then has its contents. */
  seat: Seat | null;
  image: Image | null;
  /** Whether WebGPU or threads use its memory: it keeps its memory slot. */
  stays: boolean;
  /** Time of its last call, counted in calls. */
  used: number;
}

/** All memory slots. Garbage-collected worlds take theirs with them. */
let seats: WeakRef<Seat>[] = [];
let calls = 0;
const { process } = globalThis as { process?: { versions?: { node?: string } } };
/** Number of memory slots before worlds share them. Node has room for any number; browsers need address space for other pages. */
let most = process?.versions?.node ? Infinity : 64;

/** For tests: sets the number of memory slots; returns the previous one. */
export function setMostSeats(count: number): number {
  const before = most;
  most = count;
  return before;
}

/** Returns memory that may grow as far as this machine allows: some machines refuse to reserve 4 GiB of addresses. */
function makeMemory(): WebAssembly.Memory | null {
  for (const maximum of [65536, 32768, 16384, 8192]) {
    try {
      return new WebAssembly.Memory({ initial: 16, maximum });
    } catch {
      // The next smaller one.
    }
  }
  return null;
}

/** Moves a world out of its memory slot. Views that callers still hold become empty: they must not show another world. */
function vacate(seat: Seat): void {
  const { holder } = seat;
  if (holder) {
    holder.image = readImage(holder.exports, seat.memory);
    holder.seat = null;
  }
  seat.holder = null;
  seat.memory.grow(0);
}

function findSeat(): Seat {
  const known = seats.map((ref) => ref.deref()).filter((seat) => seat !== undefined);
  seats = seats.filter((ref) => ref.deref() !== undefined);
  const free = known.find(({ holder }) => holder === null);
  if (free) {
    vacate(free);
    return free;
  }
  const able = known.filter(({ holder }) => !holder!.stays).sort((a, b) => a.holder!.used - b.holder!.used);
  const memory = known.length < most || able.length === 0 ? makeMemory() : null;
  if (memory) {
    const seat: Seat = { memory, cores: new Map(), holder: null };
    seats.push(new WeakRef(seat));
    return seat;
  }
  const [oldest] = able;
  if (!oldest) throw new TalusError('out-of-memory', 'no memory of at most 512 MiB could be reserved');
  most = Math.min(most, known.length);
  vacate(oldest);
  return oldest;
}

function sit(tenant: Tenant, seat: Seat): void {
  let core = seat.cores.get(tenant.instantiate);
  if (!core) {
    core = tenant.instantiate(seat.memory);
    seat.cores.set(tenant.instantiate, core);
  }
  seat.holder = tenant;
  tenant.seat = seat;
  Object.assign(tenant.exports, core);
}

/** Returns a new owner with an empty memory slot; `own`: on that memory, for good. */
export function newTenant(instantiate: Instantiate, own: WebAssembly.Memory | null): Tenant {
  const tenant: Tenant = {
    exports: {} as CoreExports,
    instantiate,
    seat: null,
    image: null,
    stays: own !== null,
    used: ++calls,
  };
  sit(tenant, own ? { memory: own, cores: new Map(), holder: null } : findSeat());
  return tenant;
}

/** Moves a world with threads to other, empty shared memory: a thread may still write into its old one. */
export function renewSeat(tenant: Tenant): void {
  const memory = makeSharedMemory();
  if (!memory) throw new TalusError('out-of-memory', 'no shared memory could be reserved');
  sit(tenant, { memory, cores: new Map(), holder: null });
  tenant.exports.initWorld();
}

/** Call it before each call of the core: gives the world its memory slot back. */
export function takeSeat(tenant: Tenant): void {
  tenant.used = ++calls;
  if (tenant.seat) return;
  const seat = findSeat();
  const { image } = tenant;
  sit(tenant, seat);
  try {
    loadImage(tenant.exports, seat.memory, image!);
  } catch (error) {
    // It cannot come back now: its contents are kept.
    seat.holder = null;
    tenant.seat = null;
    throw error;
  }
  tenant.image = null;
}

/**
 * Frees a memory slot; its contents are dropped. Memory that WebGPU has used goes with its world: a late result must not reach
 * another one.
 */
export function leaveSeat(tenant: Tenant): void {
  if (tenant.seat && !tenant.stays) tenant.seat.holder = null;
  tenant.image = null;
}
