// Chooses how many threads a step uses, by measured time alone: results do not depend on it. A world continues with the number
// that was fastest. Now and then a rival number does every other step for a while, and neighboring steps are compared. The cost
// of such trials is kept below a share of all time, so a machine whose other cores are busy or slow is hardly slower than with
// one thread. This file knows no clock and no threads: `next` returns the number, `took` records the time.
import { Recent } from './recent';

/** A step below so many bodies in motion, or so many milliseconds, runs on one thread. */
const FEWEST_BODIES = 100;
const LEAST_MS = 0.3;
/** The same limit (ms) for a step that runs on several threads. */
const LEAST_SHARED_MS = 0.1;
/** Number of steps that are remembered, and number of steps of each thread count in a trial. */
const WINDOW = 5;
const PAIRS = 3;
/** A rival with more threads has to be faster by this factor; one with fewer may be slower by it. */
const GAIN = 0.95;
const TIE = 1.03;
/** A rival slower by this factor has lost at once. The first step of a trial, for which threads wake up, may be slower. */
const HOPELESS = 1.25;
const HOPELESS_FIRST = 2;
/** If several threads are slower than one by this factor, twice, one thread does one step as a test. */
const TOO_SLOW = 1.1;
/** Steps between trials: at first, and at most; doubled after each trial that changed nothing. */
const WAIT = 20;
const MOST_WAIT = 300;
/** If the number of bodies in motion changes by this factor, everything is measured again. */
const CHANGE = 1.5;
/** Share of all time that trials and slow steps may cost, and the largest saving for it, in steps. */
const SHARE = 0.04;
const SAVED = 1;
/** Number of steps that a trial waits for its threads to start. */
const PATIENCE = 600;

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

interface Trial {
  rival: number;
  /** Whether the trial ends with the first step of the rival. */
  isHasty: boolean;
  isFirst: boolean;
  isRivalsTurn: boolean;
  theirs: number[];
  ours: number[];
  waited: number;
}

export class ThreadChoice {
  /** Number of threads for steps outside of trials. */
  threads = 1;
  private readonly times = new Recent(WINDOW);
  /** Milliseconds of a step on one thread, at its last measurement. */
  private oneMs = 0;
  private trial: Trial | null = null;
  private steps = 0;
  private wait = WAIT;
  private due = WINDOW;
  private saved = 0;
  private turns = 0;
  private work = 0;

  /** `most`: largest number of threads. */
  constructor(public most: number) {}

  /** Returns whether the next step runs on one thread without measuring: in a small world every look would cost too much. */
  isIdle(work: number): boolean {
    return work < FEWEST_BODIES && this.threads === 1 && !this.trial;
  }

  /** Returns the number of threads for the next step; `work`: bodies in motion. */
  next(work: number): number {
    this.steps++;
    if (this.threads > this.most) this.settle(this.most);
    if (this.most === 1) return 1;
    const { times, threads } = this;
    const isSmall = work < FEWEST_BODIES || (times.count >= PAIRS && times.median < (threads === 1 ? LEAST_MS : LEAST_SHARED_MS));
    if (isSmall) {
      if (threads > 1 || this.trial) this.settle(1);
      return 1;
    }
    const isChanged = work > CHANGE * this.work || CHANGE * work < this.work;
    if (isChanged) {
      this.work = work;
      this.wait = WAIT;
      this.due = Math.min(this.due, this.steps + WINDOW);
    }
    if (!this.trial && this.steps >= this.due && this.saved >= 0 && times.count >= PAIRS) this.begin(this.rival(), false);
    if (!this.trial) return threads;
    return this.trial.isRivalsTurn ? this.trial.rival : threads;
  }

  /** Returns the next rival. From one thread: all, half, two in turn; from several: one, half, one, twice as many. */
  private rival(): number {
    const { threads, most } = this;
    const half = Math.ceil((threads === 1 ? most : threads) / 2);
    const rivals = (threads === 1 ? [most, half, 2] : [1, half, 1, Math.min(2 * threads, most)]).filter((one) => one !== threads);
    return rivals[this.turns++ % rivals.length]!;
  }

  private begin(rival: number, isHasty: boolean): void {
    this.trial = { rival, isHasty, isFirst: true, isRivalsTurn: true, theirs: [], ours: [], waited: 0 };
  }

  /** Records that a step took `ms` on so many threads: one, if the requested threads were not available. */
  took(threads: number, ms: number): void {
    const near = this.times.count > 0 ? this.times.median : ms;
    this.saved = Math.min(this.saved + SHARE * Math.min(ms, near), SAVED * near);
    const { trial } = this;
    if (trial) this.compare(trial, threads, ms, near);
    else if (threads === this.threads) {
      this.keep(ms);
      if (threads > 1) this.suspect(ms);
    }
  }

  private keep(ms: number): void {
    this.times.keep(ms);
    if (this.threads === 1) this.oneMs = this.times.median;
  }

  /** Checks whether one thread might be faster by now. */
  private suspect(ms: number): void {
    if (this.oneMs === 0) return;
    this.saved -= Math.max(ms - this.oneMs, 0);
    if (this.times.lastLeast > TOO_SLOW * this.oneMs) this.begin(1, true);
  }

  private compare(trial: Trial, threads: number, ms: number, near: number): void {
    const { rival } = trial;
    if (!trial.isRivalsTurn) {
      if (threads !== this.threads) return;
      this.keep(ms);
      trial.ours.push(ms);
      trial.isRivalsTurn = true;
      if (trial.ours.length === PAIRS) this.judge(trial);
      return;
    }
    if (threads !== rival) {
      if (++trial.waited > PATIENCE) this.postpone();
      return;
    }
    if (rival === 1) this.oneMs = ms;
    this.saved -= Math.max(ms - near, 0);
    if (trial.isHasty) {
      this.trial = null;
      if (TOO_SLOW * ms < this.times.lastLeast) this.settle(1, [ms]);
      return;
    }
    if (ms > (trial.isFirst ? HOPELESS_FIRST : HOPELESS) * near) {
      this.postpone();
      return;
    }
    // Threads wake for the first one: it does not count.
    if (!trial.isFirst) {
      trial.theirs.push(ms);
      trial.isRivalsTurn = false;
    }
    trial.isFirst = false;
  }

  private judge({ rival, theirs, ours }: Trial): void {
    const [their, our] = [median(theirs), median(ours)];
    if (rival === 1) this.oneMs = their;
    if (their < (rival > this.threads ? GAIN : TIE) * our) {
      this.wait = WAIT;
      this.settle(rival, theirs);
    } else this.postpone();
  }

  /** Ends a trial without a change. */
  private postpone(): void {
    this.trial = null;
    this.due = this.steps + this.wait;
    this.wait = Math.min(2 * this.wait, MOST_WAIT);
  }

  private settle(threads: number, times: number[] = []): void {
    this.threads = threads;
    this.times.begin(times);
    this.postpone();
  }
}
