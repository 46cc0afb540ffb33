// The times of the last few steps, with their median: without garbage and in some ten nanoseconds, since steps of small worlds
// take microseconds.

/** Removes an entry; the order of the others stays. */
function drop(list: number[], at: number): void {
  for (let i = at + 1; i < list.length; i++) list[i - 1] = list[i]!;
  list.pop();
}

export class Recent {
  /** Median of the kept times, the upper of the two in the middle; NaN if there are none. */
  median = Number.NaN;
  private readonly values: number[] = [];
  private readonly sorted: number[] = [];

  /** @param most number of times to keep */
  constructor(private readonly most: number) {}

  get count(): number {
    return this.values.length;
  }

  keep(ms: number): void {
    const { values, sorted } = this;
    if (values.length === this.most) {
      drop(sorted, sorted.indexOf(values[0]!));
      drop(values, 0);
    }
    values.push(ms);
    let at = sorted.length;
    sorted.push(ms);
    for (; at > 0 && sorted[at - 1]! > ms; at--) sorted[at] = sorted[at - 1]!;
    sorted[at] = ms;
    this.median = sorted[sorted.length >> 1]!;
  }

  /** The smaller of the last two. */
  get lastLeast(): number {
    const { values } = this;
    return Math.min(values.at(-1) ?? Number.POSITIVE_INFINITY, values.at(-2) ?? Number.POSITIVE_INFINITY);
  }

  /** Replaces all times by these. */
  begin(times: readonly number[]): void {
    this.values.length = 0;
    this.sorted.length = 0;
    this.median = Number.NaN;
    for (const ms of times.slice(-this.most)) this.keep(ms);
  }
}
