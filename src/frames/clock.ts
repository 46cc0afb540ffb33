// Frames of any length to steps of `dt`: an accumulator. Time that steps cannot make up for is let go, so that a slow frame never
// makes the next one slower.
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
  /** Steps that were done, or begun on a GPU. */
  readonly steps: number;
  /** How far the time lies from the last step but one (0) to the last (1): where pictures are drawn. */
  readonly alpha: number;
  /** Time that this call dropped, s; 0 if steps keep up. */
  readonly dropped: number;
  /** Whether a step is due that a GPU has not finished: the time waits for the next call. */
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

export class Clock {
  /** Of the last call; one object for all of them. */
  readonly frame = { steps: 0, alpha: 1, dropped: 0, waiting: false };
  /** s: time that waits for steps. */
  private rest = 0;
  private busy = false;

  advance(world: Steps, seconds: number, options: AdvanceOptions): Frame {
    if (this.busy) throw new TalusError('unsupported', 'advance was called by a function that advance calls');
    this.busy = true;
    try {
      this.run(world, seconds, options);
    } finally {
      this.busy = false;
    }
    return this.frame;
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

  private run(world: Steps, seconds: number, options: AdvanceOptions): void {
    const { frame } = this;
    const { maxMs = Number.POSITIVE_INFINITY, beforeStep, afterStep } = options;
    const { dt } = world;
    const maxSteps = options.maxSteps ?? Math.max(1, Math.ceil(CATCH_UP / dt - ROUNDING));
    const start = maxMs < Number.POSITIVE_INFINITY ? performance.now() : 0;
    this.rest += seconds;
    frame.steps = 0;
    frame.dropped = 0;
    frame.waiting = false;
    while (this.rest >= dt * (1 - SLACK) && frame.steps < maxSteps) {
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
      frame.steps++;
      if (afterStep && world.stepCount !== landed) afterStep();
      if (maxMs < Number.POSITIVE_INFINITY && performance.now() - start >= maxMs) break;
    }
    // What was done in full lets go of whole steps; what was cut short may make up for them later, up to a point.
    const most = frame.steps === maxSteps ? dt : maxSteps * dt;
    if (this.rest >= most) {
      const kept = most === dt ? this.rest % dt : most;
      frame.dropped = this.rest - kept;
      this.rest = kept;
    }
    frame.alpha = Math.min(this.rest / dt, 1);
  }
}
