// Turns frames of any length into steps of `dt`, by an accumulator. Time that steps cannot catch up with is dropped, so that a
// slow frame never makes the next one slower.
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
  /** Number of steps done, or begun on a GPU. */
  readonly steps: number;
  /** Where between the last two steps to draw: 0 is the last but one, 1 the last. */
  readonly alpha: number;
  /** Time that this call dropped, s; 0 if steps keep up. */
  readonly dropped: number;
  /** Whether a step is due while the GPU still works on one: the time waits for the next call. */
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
}

const KEYS = ['maxSteps', 'maxMs', 'beforeStep', 'afterStep', 'interpolate'];
/** Time that a call catches up with by default, s. */
const CATCH_UP = 0.1;
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

export class Clock {
  /** Result of the last call; one object for all calls. */
  readonly frame = { steps: 0, alpha: 1, dropped: 0, waiting: false };
  /** Time that waits for steps, s. */
  private rest = 0;
  private busy = false;

  advance(world: Steps, seconds: number, options: AdvanceOptions): Frame {
    if (this.busy)
      throw new TalusError('unsupported', 'advance() inside beforeStep or afterStep: call it once per frame, outside of them');
    this.busy = true;
    try {
      this.run(world, seconds, options);
    } finally {
      this.busy = false;
    }
    return this.frame;
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
    // A call that did all allowed steps drops whole steps; a call that was cut short may catch up later, up to a point.
    const most = frame.steps === maxSteps ? dt : maxSteps * dt;
    if (this.rest >= most) {
      const kept = most === dt ? this.rest % dt : most;
      frame.dropped = this.rest - kept;
      this.rest = kept;
    }
    frame.alpha = Math.min(this.rest / dt, 1);
  }
}
