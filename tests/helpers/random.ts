// Seeded random numbers for tests: the same cases on every run and machine.

/** Numbers in [0, 1) from a 32-bit seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Three columns of a matrix: the images of x, y, z. */
export type Columns = [[number, number, number], [number, number, number], [number, number, number]];

/** Columns of the rotation matrix of a quaternion x y z w of any length but 0. */
export function columnsOf(q: readonly number[]): Columns {
  const length = Math.hypot(...q);
  const [x, y, z, w] = q.map((k) => k / length) as [number, number, number, number];
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}

/** A uniformly random rotation. */
export function randomRotation(random: () => number): Columns {
  for (;;) {
    const q = [random() * 2 - 1, random() * 2 - 1, random() * 2 - 1, random() * 2 - 1];
    const length = Math.hypot(...q);
    if (length > 0.1 && length <= 1) return columnsOf(q);
  }
}
