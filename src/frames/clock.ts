// Frames of any length to steps of `dt`: an accumulator. Time that steps cannot make up for is dropped, so that a slow frame never
// makes the next one slower.
//
// On a GPU a step is in flight when `advance` returns. If more steps are due, the world calls `goOn` as soon as the result has arrived:
// it lands that step and begins the next one, between two calls. So a GPU makes as many steps per frame as its latency allows.
import { TalusError } from '../checks/errors';
import { checkBoolean, checkInteger, checkKeys, checkNumber, fail } from '../checks/validate';

/** Options of `World.advance`. */
export interface AdvanceOptions {
  /** Most steps of one call, 1 to 10,000. Default: as many as make 0.1 s. Time beyond them is dropped. */
  maxSteps?: number;
  /** Begins no more steps in this call once those so far have taken so many milliseconds; the time waits for the next call. Default: no bound. */
  maxMs?: number;
  /** Called before each step: forces, which last for one step, and targets of kinematic bodies. */
  beforeStep?: () => void;
  /** Called after each step that is finished: events, which are those of one step. */
  afterStep?: () => void;
  /** false: no pictures between steps are wanted, so steps need not keep the poses before them. Default true. */
  interpolate?: boolean;
}

/** What `World.advance` did. */
export interface Frame {
  /** Steps that were done, or begun on a GPU, since the call of `advance` before this one. */
  readonly steps: number;
  /** How far the time lies from the last step but one (0) to the last (1): where pictures are drawn. */
  readonly alpha: number;
  /** Time that this call dropped, s; 0 if steps keep up. */
  readonly dropped: number;
  /** Whether more steps are due, and a GPU has not finished the one before them. They begin as soon as it has. */
  readonly waiting: boolean;
}

/** The world, as the clock drives it. */
export interface Steps {
  readonly dt: number;
  readonly stepCount: number;
  /** Takes over a step that a GPU has finished; false if it still works on one. */
  land(): boolean;
  /** Does a step, or begins one; false if that is not possible yet. */
  step(): boolean;
  /** Whether a GPU works on a step, or has finished one that has not landed. */
  readonly isFlying: boolean;
}

const KEYS = ['maxSteps', 'maxMs', 'beforeStep', 'afterStep', 'interpolate'];
/** s: what a call makes up for by default. */
const CATCH_UP = 0.1;
const MOST_STEPS = 10_000;
/** s: longer than any frame. */
const MOST_SECONDS = 1e9;
/** Of a step: times that are a sum of rounded frames are due all the same. */
const SLACK = 1e-6;
/** Steps of 0.1 s that are let off the count for their rounding. */
const ROUNDING = 1e-9;

function checkCall(value: unknown, name: string): void {
  if (value !== undefined && typeof value !== 'function') fail(name, 'a function', value);
}

/** Throws 'invalid-argument' for what is no option of `advance`. */
export function checkAdvance(seconds: unknown, options: AdvanceOptions): void {
  checkNumber(seconds, 'seconds', 0, MOST_SECONDS);
  checkKeys(options, 'options', KEYS);
  if (options.maxSteps !== undefined) checkInteger(options.maxSteps, 'options.maxSteps', 1, MOST_STEPS);
  if (options.maxMs !== undefined && options.maxMs !== Number.POSITIVE_INFINITY) checkNumber(options.maxMs, 'options.maxMs', 0);
  checkCall(options.beforeStep, 'options.beforeStep');
  checkCall(options.afterStep, 'options.afterStep');
  if (options.interpolate !== undefined) checkBoolean(options.interpolate, 'options.interpolate');
}

/** s: `pace` is measured over about so long. */
const PACE_TIME = 2;
const NO_OPTIONS: AdvanceOptions = {};

export class Clock {
  /** Of the last call; one object for all of them. */
  readonly frame = { steps: 0, alpha: 1, dropped: 0, waiting: false };
  /** s: time that waits for steps. */
  private rest = 0;
  private busy = false;
  /** Of the last call: its options and seconds, and the steps and milliseconds that it has had, those between calls included. */
  private options = NO_OPTIONS;
  private seconds = 0;
  private made = 0;
  private spent = 0;
  /** Steps made between the last call and the next one. */
  private between = 0;
  /** s: time asked for lately, and what of it was dropped. */
  private asked = 0;
  private lost = 0;

  advance(world: Steps, seconds: number, options: AdvanceOptions): Frame {
    if (this.busy) throw new TalusError('unsupported', 'advance was called by a function that advance calls');
    const { frame } = this;
    this.options = options;
    this.seconds = seconds;
    this.rest += seconds;
    this.made = 0;
    this.spent = 0;
    frame.steps = this.between;
    this.between = 0;
    frame.dropped = 0;
    try {
      this.run(world);
    } finally {
      frame.steps += this.made;
    }
    this.drop(this.limit(world.dt), world.dt);
    this.setAlpha(world);
    this.measure(seconds);
    return frame;
  }

  /** Goes on with the steps of the last call whose time has not been made up for, now that the step in flight may land. */
  goOn(world: Steps): void {
    if (this.busy) return;
    const before = this.made;
    try {
      this.run(world);
    } finally {
      this.between += this.made - before;
    }
    this.setAlpha(world);
  }

  /** Whether `goOn` would begin a step if the one in flight has landed. */
  goesOn({ dt }: Steps): boolean {
    const { maxMs = Number.POSITIVE_INFINITY } = this.options;
    return this.isDue(dt) && this.made < this.limit(dt) && this.spent < maxMs;
  }

  /** Share of the time asked for in the last seconds that became steps; 1 before any. */
  get pace(): number {
    return this.asked > 0 ? 1 - this.lost / this.asked : 1;
  }

  /** s: whole steps of `dt` that are due and were neither made nor dropped. */
  overdue(dt: number): number {
    return Math.floor(this.rest / dt + SLACK) * dt;
  }

  /** Forgets the time that waits: pictures are at the last step. */
  reset(): void {
    this.rest = 0;
    this.frame.alpha = 1;
  }

  private isDue(dt: number): boolean {
    return this.rest >= dt * (1 - SLACK);
  }

  /** The most steps of a call. */
  private limit(dt: number): number {
    return this.options.maxSteps ?? Math.max(1, Math.ceil(CATCH_UP / dt - ROUNDING));
  }

  /** Makes the steps that are due, within the bounds of the last call. */
  private run(world: Steps): void {
    const { frame } = this;
    const { maxMs = Number.POSITIVE_INFINITY, beforeStep, afterStep } = this.options;
    const { dt } = world;
    const maxSteps = this.limit(dt);
    const isTimed = maxMs < Number.POSITIVE_INFINITY;
    let start = isTimed ? performance.now() : 0;
    frame.waiting = false;
    this.busy = true;
    try {
      while (this.isDue(dt) && this.made < maxSteps) {
        const before = world.stepCount;
        if (!world.land()) {
          frame.waiting = true;
          break;
        }
        if (afterStep && world.stepCount !== before) afterStep();
        beforeStep?.();
        const landed = world.stepCount;
        if (!world.step()) {
          frame.waiting = true;
          break;
        }
        this.rest = Math.max(this.rest - dt, 0);
        this.made++;
        if (afterStep && world.stepCount !== landed) afterStep();
        if (!isTimed) continue;
        const now = performance.now();
        this.spent += now - start;
        start = now;
        if (this.spent >= maxMs) break;
      }
    } finally {
      this.busy = false;
    }
  }

  /** A call that made all its steps drops the whole steps that are left; what was cut short may be made up for later, up to a point. */
  private drop(maxSteps: number, dt: number): void {
    const most = this.made === maxSteps ? dt : maxSteps * dt;
    if (this.rest < most) return;
    const kept = most === dt ? this.rest % dt : most;
    this.frame.dropped = this.rest - kept;
    this.rest = kept;
  }

  /**
   * Pictures lag by one step. Where a step is in flight they lag by the frame, too, since the steps of this frame are made after it was
   * drawn: so they move evenly, however many steps a frame has.
   */
  private setAlpha(world: Steps): void {
    const { dt } = world;
    const behind = world.isFlying ? this.rest + dt - Math.max(this.seconds, dt) : this.rest;
    this.frame.alpha = Math.min(Math.max(behind / dt, 0), 1);
  }

  private measure(seconds: number): void {
    if (this.asked > PACE_TIME) {
      this.asked /= 2;
      this.lost /= 2;
    }
    this.asked += seconds;
    this.lost += Math.min(this.frame.dropped, seconds);
  }
}
