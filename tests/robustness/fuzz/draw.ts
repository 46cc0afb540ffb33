// Random arguments: of usual size, or anywhere in the range that the API allows, its ends included; and wrong ones.
import { seeded } from '../../helpers/random';

// biome-ignore lint/suspicious/noExplicitAny: wrong types are among the subjects
export type Any = any;

/** What an argument is drawn as where the world has none of that kind. */
export const NOTHING = Symbol('nothing');

export class Draw {
  private readonly random: () => number;
  /** Whether numbers come from the whole range of the API. */
  readonly isExtreme: boolean;

  constructor(seed: number, isExtreme: boolean) {
    this.random = seeded(seed);
    this.isExtreme = isExtreme;
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  /** A whole number from `least` to `most`. */
  int(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }

  range(low: number, high: number): number {
    return low + (high - low) * this.random();
  }

  /** A number from `low` to `high`; in extreme worlds at times any from `least` to `most`, evenly in its logarithm. */
  amount(low: number, high: number, least = low, most = high): number {
    if (!this.isExtreme || this.chance(0.3)) return this.range(low, high);
    if (this.chance(0.1)) return this.pick([least, most]);
    const size = Math.max(Math.abs(least), Math.abs(most));
    const floor = least > 0 ? least : size * 1e-12;
    const value = floor * (size / floor) ** this.random();
    return Math.min(Math.max(least < 0 && this.chance(0.5) ? -value : value, least), most);
  }

  /** Components up to `usual`, in extreme worlds up to `most`; an array, a typed array or an object. */
  vector(usual: number, most = usual): Any {
    const size = this.amount(0, usual, 0, most);
    return this.as([this.range(-size, size), this.range(-size, size), this.range(-size, size)]);
  }

  /** Where bodies are. */
  place(): Any {
    if (this.isExtreme && this.chance(0.05)) return this.vector(5, 1e6);
    return this.as([this.range(-4, 4), this.range(0, 4), this.range(-4, 4)]);
  }

  turn(): Any {
    const k = this.isExtreme ? 10 ** this.range(-5, 5) : 1;
    return this.as([this.range(-k, k), this.range(-k, k), this.range(-k, k), this.range(0.1 * k, k)]);
  }

  private as(v: number[]): Any {
    const form = this.random();
    if (form < 0.8) return v;
    if (form < 0.9) return Float64Array.from(v);
    const [x, y, z, w] = v;
    return v.length === 3 ? { x, y, z } : { x, y, z, w };
  }
}

/** What belongs nowhere, or not in most places. */
export const WRONG: readonly (() => Any)[] = [
  () => undefined,
  () => null,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => -Infinity,
  () => 1e300,
  () => -3,
  () => 0,
  () => 0.5,
  () => 2 ** 32,
  () => 2 ** 53,
  () => 'wrong',
  () => '1',
  () => true,
  () => 3n,
  () => Symbol('wrong'),
  () => ({}),
  () => Object.create(null),
  () => [],
  () => [1, 2, 3, 4, 5, 6, 7, 8, 9],
  () => [0, Number.NaN, 0],
  () => [0, Number.POSITIVE_INFINITY, 0, 1],
  () => ['0', '1', '2'],
  () => new Array(3),
  () => [0, 0, 0, 0],
  () => new Float32Array(0),
  () => new BigInt64Array(3),
  () => () => 0,
  () => new Date(0),
  () => ({ length: 9 }),
  () => ({ length: -3 }),
  () => ({ length: 1.5 }),
  () => Object.freeze([0, 0, 0]),
  () => Object.freeze({ x: 0, y: 0, z: 0, w: 1 }),
  () => ({ x: Number.NaN, y: 0, z: 0, w: 1 }),
  () => ({ x: 1 }),
  () => ({ unknown: 1 }),
  () => new Map(),
];
