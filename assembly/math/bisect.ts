// One cut of recursive coordinate bisection: the smaller half of a set of points along its longest axis.
// Keys are integers with ties broken by the number of the point, so the cut does not depend on how the selection walks.
// Input: numbers of points, their positions. Output: the numbers in another order.
import { at32, put32 } from '../memory/words';

/** Order-preserving integer of a finite float. */
function orderedKey(value: f32): u32 {
  const bits: u32 = reinterpret<u32>(value + 0); // + 0: one zero
  return bits ^ (<u32>(<i32>bits >> 31) | 0x80000000);
}

/**
 * Moves the `left` smallest of `size` entries along the longest axis to the front. part: u32[], numbers of points; points:
 * vec4f[]; keys: scratch, u64[size].
 */
export function splitAt(part: usize, size: u32, left: u32, points: usize, keys: usize): void {
  let low: v128 = f32x4.splat(f32.MAX_VALUE);
  let high: v128 = f32x4.splat(-f32.MAX_VALUE);
  for (let i: u32 = 0; i < size; i++) {
    const point: v128 = v128.load(points + ((<usize>at32(part, i)) << 4));
    low = f32x4.pmin(low, point);
    high = f32x4.pmax(high, point);
  }
  const extent: v128 = f32x4.sub(high, low);
  const x: f32 = f32x4.extract_lane(extent, 0);
  const y: f32 = f32x4.extract_lane(extent, 1);
  const z: f32 = f32x4.extract_lane(extent, 2);
  const axis: usize = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  for (let i: u32 = 0; i < size; i++) {
    const l: u32 = at32(part, i);
    const key: u32 = orderedKey(load<f32>(points + ((<usize>l) << 4) + (axis << 2)));
    store<u64>(keys + ((<usize>i) << 3), ((<u64>key) << 32) | <u64>l);
  }
  select(keys, size, left);
  for (let i: u32 = 0; i < size; i++) put32(part, i, load<u32>(keys + ((<usize>i) << 3)));
}

/** Quickselect: the `left` smallest keys to the front. Keys differ, so the sets on both sides are unique. */
function select(keys: usize, size: u32, left: u32): void {
  let low: i32 = 0;
  let high: i32 = <i32>size - 1;
  const target: i32 = <i32>left;
  while (low < high) {
    const a: u64 = load<u64>(keys + ((<usize>low) << 3));
    const b: u64 = load<u64>(keys + ((<usize>((low + high) >> 1)) << 3));
    const c: u64 = load<u64>(keys + ((<usize>high) << 3));
    const pivot: u64 = max<u64>(min<u64>(a, b), min<u64>(max<u64>(a, b), c)); // median of three
    let i: i32 = low;
    let j: i32 = high;
    while (i <= j) {
      while (load<u64>(keys + ((<usize>i) << 3)) < pivot) i++;
      while (load<u64>(keys + ((<usize>j) << 3)) > pivot) j--;
      if (i <= j) {
        const swap: u64 = load<u64>(keys + ((<usize>i) << 3));
        store<u64>(keys + ((<usize>i) << 3), load<u64>(keys + ((<usize>j) << 3)));
        store<u64>(keys + ((<usize>j) << 3), swap);
        i++;
        j--;
      }
    }
    if (target <= j) high = j;
    else if (target >= i) low = i;
    else return;
  }
}
