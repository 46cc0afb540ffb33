// A block of the memory of a bare core that tests put operands into and read results from.
import { type CoreExports, loadCore } from './core';

export interface CoreMemory {
  core: CoreExports;
  memory: WebAssembly.Memory;
  /** Address of a block of its own with these single floats. */
  floats: (values: ArrayLike<number>) => number;
  doubles: (values: ArrayLike<number>) => number;
  words: (values: ArrayLike<number>) => number;
  /** Address of an empty block. */
  room: (bytes: number) => number;
  readFloats: (at: number, count: number) => number[];
  readWords: (at: number, count: number) => number[];
}

/** The block is used up from its start, and again from there when it is full. */
export function coreMemory(loaded = loadCore()): CoreMemory {
  const { core, memory } = loaded;
  const size = 1 << 17;
  const start = core.allocate(size) >>> 0;
  let used = 0;
  const room = (bytes: number) => {
    const length = (bytes + 15) & ~15;
    if (used + length > size) used = 0;
    used += length;
    return start + used - length;
  };
  return {
    core,
    memory,
    room,
    floats: (values) => {
      const at = room(values.length * 4);
      new Float32Array(memory.buffer, at, values.length).set(values);
      return at;
    },
    doubles: (values) => {
      const at = room(values.length * 8);
      new Float64Array(memory.buffer, at, values.length).set(values);
      return at;
    },
    words: (values) => {
      const at = room(values.length * 4);
      new Uint32Array(memory.buffer, at, values.length).set(values);
      return at;
    },
    readFloats: (at, count) => Array.from(new Float32Array(memory.buffer, at, count)),
    readWords: (at, count) => Array.from(new Uint32Array(memory.buffer, at, count)),
  };
}

/** The largest difference of two lists of one length. */
export function farthest(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let most = 0;
  for (let i = 0; i < a.length; i++) {
    const d = Math.abs(a[i]! - b[i]!);
    if (!(d <= most)) most = d;
  }
  return most;
}
