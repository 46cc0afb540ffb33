// Turns frames of any length into steps of `dt`, by an accumulator. Time that steps cannot catch up with is dropped, so that a
// slow frame never makes the next one slower.
//
// On a GPU a step is in flight when `advance` returns. If more steps are due, the world calls `resume` as soon as the result has arrived:
// it lands that step and begins the next one, between two calls. So a GPU makes as many steps per frame as its latency allows.
import { TalusError } from '../checks/errors';
import { checkBoolean, checkInteger, checkKeys, checkNumber, fail } from '../checks/validate';

/** Options of `World.advance`. */
export interface AdvanceOptions {
  /** Largest number of steps per call, 1 to 10,000. Default: as many as make 0.1 s. Time beyond them is dropped. */
  maxSteps?: number;
  /**
   * Time budget in milliseconds: once the steps of this call have taken so long, it begins no more, and the time waits for the
   * next call. Default: no limit.
   */
  maxMs?: number;
  /** Called before each step: apply forces, which last for one step, and set targets of kinematic bodies. */
  beforeStep?: () => void;
  /** Called after each finished step: read the events of that step. */
  afterStep?: () => void;
  /** Whether you draw between steps; default true. With false, steps need not store the poses before them. */
  interpolate?: boolean;
}

/** Result of `World.advance`. */
export interface Frame {
  /** Number of steps done, or begun on a GPU, since the call of `advance` before this one. */
  readonly steps: number;
  /** Where between the last two steps to draw: 0 is the last but one, 1 the last. */
  readonly alpha: number;
  /** Time that this call dropped, s; 0 if steps keep up. */
  readonly dropped: number;
  /** Whether more steps are due, and a GPU has not finished the one before them. They begin as soon as it has. */
  readonly waiting: boolean;
}

/** The functions of a world that the clock calls. */
export interface Steps {
  readonly dt: number;
  readonly stepCount: number;
  /** Applies a step that the GPU has finished; returns false while it still works on one. */
  land(): boolean;
  /** Does a step, or begins one; returns false if that is not possible yet. */
  step(): boolean;
  /** Whether a GPU works on a step, or has finished one that has not landed. */
  readonly isFlying: boolean;
}

const KEYS = ['maxSteps', 'maxMs', 'beforeStep', 'afterStep', 'interpolate'];
/** Time that a call catches up with by default, s. */
export const CATCH_UP = 0.1;
const MOST_STEPS = 10_000;
/** Longer than any frame, s. */
const MOST_SECONDS = 1e9;
/** Share of a step: a time that is a sum of rounded frames counts as due. */
const SLACK = 1e-6;
/** Rounding error allowed in the count of steps per 0.1 s. */
const ROUNDING = 1e-9;

function checkCall(value: unknown, name: string): void {
  if (value !== undefined && typeof value !== 'function') fail(name, 'a function', value);
}

/** Throws 'invalid-argument' for wrong options of `advance`. */
export function checkAdvance(seconds: unknown, options: AdvanceOptions): void {
  checkNumber(seconds, 'seconds', 0, MOST_SECONDS);
  checkKeys(options, 'options', KEYS);
  if (options.maxSteps !== undefined) checkInteger(options.maxSteps, 'options.maxSteps', 1, MOST_STEPS);
  if (options.maxMs !== undefined && options.maxMs !== Number.POSITIVE_INFINITY) checkNumber(options.maxMs, 'options.maxMs', 0);
  checkCall(options.beforeStep, 'options.beforeStep');
  checkCall(options.afterStep, 'options.afterStep');
  if (options.interpolate !== undefined) checkBoolean(options.interpolate, 'options.interpolate');
}

/** Time over which `pace` is measured, s. */
const PACE_TIME = 2;
const NO_OPTIONS: AdvanceOptions = {};

export class Clock {
  /** Result of the last call; one object for all calls. */
  readonly frame = { steps: 0, alpha: 1, dropped: 0, waiting: false };
  /** Time that waits for steps, s. */
  private rest = 0;
  private busy = false;
  /** Of the last call: its options, its seconds, and the steps and milliseconds since, those between calls included. */
  private options = NO_OPTIONS;
  private seconds = 0;
  private made = 0;
  private spent = 0;
  /** Steps made between the last call and the next one. */
  private between = 0;
  /** Time asked for lately, and the part of it that was dropped, s. */
  private asked = 0;
  private lost = 0;

  advance(world: Steps, seconds: number, options: AdvanceOptions): Frame {
    if (this.busy)
      throw new TalusError('unsupported', 'advance() inside beforeStep or afterStep: call it once per frame, outside of them');
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

  /** Makes more of the steps that the last call has left, now that the step in flight may land. */
  resume(world: Steps): void {
    if (this.busy) return;
    const before = this.made;
    try {
      this.run(world);
    } finally {
      this.between += this.made - before;
    }
    this.setAlpha(world);
  }

  /** Whether `resume` would begin a step if the one in flight has landed. */
  canResume({ dt }: Steps): boolean {
    const { maxMs = Number.POSITIVE_INFINITY } = this.options;
    return this.isDue(dt) && this.made < this.limit(dt) && this.spent < maxMs;
  }

  /** Share of the time asked for in the last seconds that became steps; 1 before any. */
  get pace(): number {
    return this.asked > 0 ? 1 - this.lost / this.asked : 1;
  }

  /** Returns the time of whole steps of `dt` that are due and were neither made nor dropped, s. */
  overdue(dt: number): number {
    return Math.floor(this.rest / dt + SLACK) * dt;
  }

  /** Drops the waiting time: frames are drawn at the last step. */
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

  /** Drops the whole steps that are left by a call that made all it may. Later calls may catch up with one that was cut short, up to a point. */
  private drop(maxSteps: number, dt: number): void {
    const most = this.made === maxSteps ? dt : maxSteps * dt;
    if (this.rest < most) return;
    const kept = most === dt ? this.rest % dt : most;
    this.frame.dropped = this.rest - kept;
    this.rest = kept;
  }

  /**
   * Pictures lag by one step. If a step is in flight they lag by the frame as well, since the steps of this frame are made after it is
   * drawn. So they move evenly with any number of steps per frame.
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
