// Development warnings about legal but probably unintended input, each once per world. They look at bodies and contacts after
// some of the first steps and then now and then, a part of them at a time, so that steps are not slowed down. They change nothing
// of the world.

import { isProduction } from '../checks/production';
import { fail } from '../checks/validate';
import { CATCH_UP, type Frame } from '../frames/clock';
import {
  BODY_DYNAMIC,
  BodyCold,
  HEADER_PTR,
  Header,
  JOINT_ALIVE,
  Joint,
  MANIFOLD_BLOCK,
  Manifold,
  NONE,
} from '../layout.generated';
import type { Registry } from '../registry/registry';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';

/**
 * Kind of a development warning.
 * - `far`: a dynamic body is so far from the origin that single precision is coarse
 * - `size`: a dynamic body is smaller than 1 cm or larger than 100 m
 * - `mass-ratio`: the masses of dynamic bodies that touch or share a joint differ by more than 1:1000
 * - `overload`: a contact carries more than the settings can hold, and gives way
 * - `behind`: `advance` drops time, call after call
 * - `degrees`: an angle of a joint looks like degrees
 */
export type WarningCode = 'far' | 'size' | 'mass-ratio' | 'overload' | 'behind' | 'degrees';

/** Receives a development warning. */
export type WarningListener = (message: string, code: WarningCode) => void;

declare const __TALUS_WARNINGS__: boolean;

/** Distance (m) beyond which single precision is coarser than half a millimeter. */
const FAR = 4096;
/** Smallest and largest size (m) without a warning: a cube of 100 m has this diagonal. */
const SMALLEST = 0.01;
const LARGEST = 100 * Math.sqrt(3);
const MASS_RATIO = 1000;
/** A contact gives way if it is deeper than this share of the smaller body, within these bounds (m)... */
const DEEP = 0.03;
const LEAST_DEEP = 0.012;
const MOST_DEEP = 0.02;
/** ... while it carries more than this many times the weight of the lighter body, ... */
const LOADED = 40;
/** ... in this many looks in a row, without getting shallower: bodies created overlapping are pushed apart. */
const LOADED_LOOKS = 12;
const AS_DEEP = 0.95;
/** Words per point of a manifold, and the word of the separation of its first point. */
const POINT = (Manifold.separation1 - Manifold.separation0) / 4;
const SEPARATION = Manifold.separation0 / 4;
/** Steps between looks at loads, largest number of contacts per look, and steps between looks at a contact that gives way. */
const LOAD_WAIT = 8;
const LOAD_PART = 128;
const LOAD_AGAIN = 4;
/**
 * Calls of `advance` that drop time, in a row or, on a GPU, nearly so; and by how much a GPU call that drops none reduces that
 * count.
 */
const LATE_CALLS = 10;
const FORGIVEN = 1 / 3;
/** Frames as long as this (s), again and again, must be in milliseconds. */
const LONG_FRAME = 2;
/** Whole numbers from here on are not angles that anyone writes in radians. */
const DEGREES = 10;
/** Steps between looks, after the first ones. */
const FIRST_LOOKS = [1, 30, 120];
const WAIT = 256;
/** Largest number of bodies, contacts and joints per look. */
const PART = 4096;

const GRAVITY = [Header.gravityX, Header.gravityY, Header.gravityZ];
const ALIVE = 1 << 8;
const DISABLED = 1 << 23;

const toConsole: WarningListener = (message) => console.warn(`talus: ${message}`);

/** Checks the option `warn` of a world. */
export function checkWarn(value: unknown): void {
  if (value === undefined || typeof value === 'boolean' || typeof value === 'function') return;
  fail('options.warn', 'true, false or a function (message, code) => void', value);
}

/** Opens the warnings of a world. Returns null with `warn: false`, and in production builds. */
export function openWarnings(
  warn: boolean | WarningListener | undefined,
  core: CoreExports,
  memory: LinearMemory,
  registry: Registry,
): Warnings | null {
  // A build that defines it as false is without all of this.
  if (typeof __TALUS_WARNINGS__ !== 'undefined' && !__TALUS_WARNINGS__) return null;
  if (warn === false || (warn === undefined && isProduction())) return null;
  return new Warnings(typeof warn === 'function' ? warn : toConsole, core, memory, registry);
}

const short = (x: number) => +x.toPrecision(3);

/** Returns why calls of `advance` drop time, and the remedy. `latency`: ms until the GPU answers, 0 on WASM; `steps`: steps per call, on average. */
function whyLate(seconds: number, dt: number, latency: number, steps: number): string {
  if (seconds >= LONG_FRAME) return 'it takes seconds: divide milliseconds by 1000';
  if (latency > 0)
    return (
      `the GPU answers ${short(latency)} ms after a step has begun, so it makes ${steps.toFixed(1)} steps per call, and ${short(seconds / dt)} ` +
      `steps of dt = ${short(dt)} s are due, so the scene runs in slow motion. Make steps longer, world.set({ dt: 1 / 60 }), ` +
      "or use backend: 'wasm', or 'auto', which takes the faster one"
    );
  if (seconds > CATCH_UP)
    return (
      `frames take longer than ${CATCH_UP} s, which is all that a call makes up for, so the scene runs in slow motion. Draw less, let ` +
      'bodies sleep, use fewer of them, or a larger maxSteps'
    );
  return (
    'a step takes longer than the time it simulates, so the scene runs in slow motion. Let bodies sleep, use fewer of them, ' +
    "simpler shapes, a longer dt or preset 'fast', or a larger maxSteps if frames are long"
  );
}

export class Warnings {
  private readonly told = new Set<WarningCode>();
  private looks = 0;
  private next = FIRST_LOOKS[0]!;
  private steps = 0;
  private late = 0;
  /** Calls since the first late one, and the steps that they made or began. */
  private lateCalls = 0;
  private lateSteps = 0;
  /** Where the next look begins, by subject. */
  private readonly from = [0, 0, 0, 0];
  private nextLoad = LOAD_WAIT;
  /** By slot of a contact: looks in a row that found it giving way, and its depth at the last look and at the one before. */
  private giving = new Map<number, [number, number]>();
  private found = new Map<number, [number, number]>();

  constructor(
    private readonly listener: WarningListener,
    private readonly core: CoreExports,
    private readonly memory: LinearMemory,
    private readonly registry: Registry,
  ) {}

  private tell(code: WarningCode, message: string): void {
    if (this.told.has(code)) return;
    this.told.add(code);
    this.listener(`${message} (shown once; createWorld({ warn: false }) turns warnings off)`, code);
  }

  /** Looks at the world after a step. */
  step(): void {
    this.steps++;
    if (this.steps >= this.nextLoad && !this.told.has('overload')) this.lookAtLoads();
    if (this.steps < this.next) return;
    this.next = FIRST_LOOKS[++this.looks] ?? this.steps + WAIT;
    if (!this.told.has('far') || !this.told.has('size')) this.part(0, Header.bodyCount, this.lookAtBody);
    if (this.told.has('mass-ratio')) return;
    this.part(1, Header.manifoldCount, this.lookAtContact);
    this.part(2, Header.jointCount, this.lookAtJoint);
  }

  /** Looks at a call of `advance` with steps of `dt`. `latency`: ms until the GPU answers, 0 if no step is in flight on one. */
  frame(seconds: number, dt: number, { dropped, steps }: Frame, latency: number): void {
    // A GPU whose results come with every second call drops time in every second one.
    this.late = dropped > 0 ? this.late + 1 : latency > 0 ? Math.max(this.late - FORGIVEN, 0) : 0;
    this.lateCalls = this.late > 0 ? this.lateCalls + 1 : 0;
    this.lateSteps = this.late > 0 ? this.lateSteps + steps : 0;
    if (this.late < LATE_CALLS || this.told.has('behind')) return;
    const what = `advance(${short(seconds)}) has dropped time ${LATE_CALLS} times, ${short(dropped)} s the last time`;
    this.tell('behind', `${what}: ${whyLate(seconds, dt, latency, this.lateSteps / this.lateCalls)}`);
  }

  /** Warns if angles in the description of a joint look like degrees. */
  angles(name: string, axis: { limit?: object | null; spring?: object | null } | undefined): void {
    for (const key of ['limit', 'spring'] as const) {
      const { min, max, target } = (axis?.[key] ?? {}) as Record<string, unknown>;
      for (const value of [min, max, target]) {
        if (!Number.isInteger(value) || Math.abs(value as number) < DEGREES) continue;
        const turns = short(Math.abs(value as number) / (2 * Math.PI));
        const what = `${name}.${key} has an angle of ${value} rad, which is ${turns} turns`;
        this.tell('degrees', `${what}: angles are in radians, write ${value} * Math.PI / 180 if degrees are meant`);
      }
    }
  }

  /** Calls `look` for a part of the slots, the next part each time. */
  private part(kind: number, countOffset: number, look: (index: number) => void, most = PART): void {
    const count = this.memory.headerU32(countOffset);
    const first = this.from[kind]! < count ? this.from[kind]! : 0;
    const end = Math.min(count, first + most);
    for (let i = first; i < end; i++) look(i);
    this.from[kind] = end;
  }

  private readonly lookAtBody = (index: number): void => {
    const { f32, u32 } = this.memory;
    const cold = this.registry.coldWord(index, 0);
    if (!isMoving(u32[cold]!)) return;
    const at = (this.memory.headerU32(Header.positions) >>> 2) + 4 * index;
    const far = Math.max(Math.abs(f32[at]!), Math.abs(f32[at + 1]!), Math.abs(f32[at + 2]!));
    if (far > FAR) {
      const place = `body ${this.registry.bodyIdAt(index)} is ${short(far / 1000)} km from the origin`;
      const why = `beyond ${FAR / 1000} km single precision is coarser than half a millimeter and contacts jitter`;
      this.tell(
        'far',
        `${place}: ${why}. Bring the scene to the origin by world.shift(), and remove bodies that have fallen out of it`,
      );
    }
    const size = 2 * f32[cold + BodyCold.extent / 4]!;
    if (!(size > 0) || (size >= SMALLEST && size <= LARGEST)) return;
    const what = `body ${this.registry.bodyIdAt(index)} is about ${short(size)} m across`;
    const why = 'bodies that move should measure 1 cm to 100 m, since margins and tolerances are tuned for that';
    this.tell('size', `${what}: ${why}. Lengths are in meters: scale the scene`);
  };

  /** Returns the word of a manifold. */
  private manifoldWord(index: number): number {
    const { u32 } = this.memory;
    const blocks = u32[(HEADER_PTR + Header.manifoldBlocks) >>> 2]! >>> 2;
    return (u32[blocks + Math.floor(index / MANIFOLD_BLOCK)]! + (index % MANIFOLD_BLOCK) * Manifold.STRIDE) >>> 2;
  }

  /** Looks at the contacts that gave way at the last look, or if there are none at the next part. */
  private lookAtLoads(): void {
    this.nextLoad = this.steps + LOAD_WAIT;
    // Sleepers do not give way, and a world at rest pays for no looks.
    if (this.memory.headerU32(Header.awakeCount) === 0) return;
    const { found } = this;
    this.found = this.giving;
    this.giving = found;
    this.giving.clear();
    if (this.found.size > 0) for (const index of this.found.keys()) this.lookAtLoad(index);
    else this.part(3, Header.manifoldCount, this.lookAtLoad, LOAD_PART);
    this.nextLoad = this.steps + (this.giving.size > 0 ? LOAD_AGAIN : LOAD_WAIT);
  }

  private readonly lookAtLoad = (index: number): void => {
    const word = this.manifoldWord(index);
    const points = this.memory.u32[word + Manifold.count / 4]!;
    if (points === 0 || this.told.has('overload')) return;
    this.core.readManifold(index);
    const { f32 } = this.memory;
    // Nearly all contacts end here: comparisons alone leave no garbage.
    let first = -1;
    for (let k = 0; k < points && first < 0; k++) if (f32[word + POINT * k + SEPARATION]! < -LEAST_DEEP) first = k;
    if (first < 0) return;
    let depth = 0;
    let impulse = 0;
    for (let k = 0; k < points; k++) {
      depth = Math.max(depth, -f32[word + POINT * k + SEPARATION]!);
      impulse += f32[word + POINT * k + Manifold.impulse0 / 4]!;
    }
    const bodies = [Manifold.bodyA, Manifold.bodyB].map((at) => this.memory.u32[word + at / 4]!);
    const colds = bodies.map((body) => this.registry.coldWord(body, 0)).filter((cold) => isMoving(this.memory.u32[cold]!));
    if (colds.length === 0) return;
    const of = (field: number) => Math.min(...colds.map((cold) => f32[cold + field / 4]!));
    const weight = of(BodyCold.mass) * Math.hypot(...GRAVITY.map((at) => this.memory.headerF32(at)));
    const force = (impulse * this.core.substepsOfManifold(index)) / this.memory.headerF32(Header.dt);
    const deep = Math.min(Math.max(DEEP * of(BodyCold.extent), LEAST_DEEP), MOST_DEEP);
    // Without gravity there is no weight to compare with, and bodies pressed together are not a load.
    if (!(weight > 0 && depth > deep && force > LOADED * weight)) return;
    // Bodies that joints force together carry no load.
    if (bodies.every((body) => this.registry.jointsOf(body).length > 0)) return;
    const [before, was] = this.found.get(index) ?? [0, 0];
    const looks = depth >= AS_DEEP * was ? before + 1 : 1;
    this.giving.set(index, [looks, depth]);
    if (looks < LOADED_LOOKS) return;
    const [a, b] = bodies.map((body) => this.registry.bodyIdAt(body));
    const what = `the contact of bodies ${a} and ${b} carries ${short(force)} N and has given way by ${short(1000 * depth)} mm`;
    const why = `that is ${short(force / weight)} times the weight of the lighter one, more than these settings can hold`;
    this.tell('overload', `${what}: ${why}. Bring masses closer, use preset 'high' or more substeps`);
  };

  private readonly lookAtContact = (index: number): void => {
    const { u32 } = this.memory;
    const at = this.manifoldWord(index);
    if (u32[at + Manifold.count / 4]! === 0) return;
    this.compare(u32[at + Manifold.bodyA / 4]!, u32[at + Manifold.bodyB / 4]!, 'touch');
  };

  private readonly lookAtJoint = (index: number): void => {
    const { u32 } = this.memory;
    const at = this.registry.jointWord(index, 0);
    if (u32[at + Joint.flags / 4]! & JOINT_ALIVE)
      this.compare(u32[at + Joint.bodyA / 4]!, u32[at + Joint.bodyB / 4]!, 'share a joint');
  };

  private compare(bodyA: number, bodyB: number, how: string): void {
    if (bodyA === NONE || bodyB === NONE) return;
    const { f32, u32 } = this.memory;
    const a = this.registry.coldWord(bodyA, 0);
    const b = this.registry.coldWord(bodyB, 0);
    if (!isMoving(u32[a]!) || !isMoving(u32[b]!)) return;
    const masses = [f32[a + BodyCold.mass / 4]!, f32[b + BodyCold.mass / 4]!];
    const ratio = Math.max(...masses) / Math.min(...masses);
    if (!(ratio > MASS_RATIO)) return;
    const ids = [bodyA, bodyB].map((body) => this.registry.bodyIdAt(body));
    const what = `bodies ${ids[0]} (${short(masses[0]!)} kg) and ${ids[1]} (${short(masses[1]!)} kg) ${how}: 1 to ${short(ratio)}`;
    const why = 'above 1 to 1000 the heavy one sinks into the light one or stretches its joints';
    this.tell('mass-ratio', `${what}; ${why}. Bring their masses closer, or use preset 'high'`);
  }
}

function isMoving(flags: number): boolean {
  return (flags & (ALIVE | DISABLED | 3)) === (ALIVE | BODY_DYNAMIC);
}
