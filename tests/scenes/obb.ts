// Separation of two oriented boxes by the fifteen axes of the separating axis theorem, in double precision. Written for
// the scene tests only and independent of the engine.

export interface Obb {
  center: number[];
  /** Columns: the box axes in world frame. */
  axes: number[][];
  half: readonly number[];
}

/** Box from a quaternion xyzw. */
export function obb(center: number[], q: number[], half: readonly number[]): Obb {
  const [x, y, z, w] = q;
  return {
    center,
    half,
    axes: [
      [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
      [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
      [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ],
  };
}

const dot = (a: number[], b: number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const radius = (b: Obb, n: number[]) =>
  b.half[0] * Math.abs(dot(b.axes[0], n)) + b.half[1] * Math.abs(dot(b.axes[1], n)) + b.half[2] * Math.abs(dot(b.axes[2], n));

/** Largest separation over the axes, m; negative: the boxes overlap by at least that much along every axis. */
export function obbSeparation(a: Obb, b: Obb): number {
  const d = [b.center[0] - a.center[0], b.center[1] - a.center[1], b.center[2] - a.center[2]];
  const candidates = [...a.axes, ...b.axes];
  for (const u of a.axes) {
    for (const v of b.axes) {
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      const length = Math.sqrt(dot(n, n));
      if (length > 1e-3) candidates.push(n.map((c) => c / length));
    }
  }
  let best = -Infinity;
  for (const n of candidates) best = Math.max(best, Math.abs(dot(d, n)) - radius(a, n) - radius(b, n));
  return best;
}
