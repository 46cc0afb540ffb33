// Rubble: convex hulls of very unequal size in a pen, the large ones dropped last, so that heavy bodies come to rest on light
// ones. Edges span a factor of ten, masses a factor of a thousand.
import { SceneBuilder } from './builder';
import { Random } from './random';
import type { Scene, SceneOptions, Vec3 } from './types';

const SMALLEST = 0.12;
const RATIO = 10;

/** 6 to 14 points near an ellipsoid of about `radius`. */
function stone(radius: number, random: Random): Float32Array {
  const radii: Vec3 = [radius, radius * random.range(0.6, 1), radius * random.range(0.6, 1)];
  const points: number[] = [];
  // One point in every octant first, so that no stone is flat.
  for (let octant = 0; octant < 8; octant++) {
    const d = random.direction();
    for (let k = 0; k < 3; k++) points.push((octant >> k) & 1 ? Math.abs(d[k]!) * radii[k]! : -Math.abs(d[k]!) * radii[k]!);
  }
  for (let i = random.integer(0, 6); i > 0; i--) {
    const d = random.direction();
    points.push(d[0] * radii[0], d[1] * radii[1], d[2] * radii[2]);
  }
  return Float32Array.from(points);
}

/** `count` 1,000 stones with radii of 0.12..1.2 m, most of them small. */
export function rubble(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const count = Math.max(1, Math.round((options.count ?? 1000) * (options.scale ?? 1)));
  const half = 5 * Math.max(0.5, Math.sqrt(count / 1000));
  const random = new Random(seed);
  const builder = new SceneBuilder();
  builder.container(half, 12);
  // Density of radii ~ r^-3 between the bounds, by inversion.
  const radii = Array.from({ length: count }, () => {
    const u = random.unit();
    const a = 1 / (SMALLEST * SMALLEST);
    return 1 / Math.sqrt(a + (a / (RATIO * RATIO) - a) * u);
  }).sort((a, b) => a - b);
  // Layers of a lattice as wide as the largest stone in each.
  let y = 0.1;
  let i = 0;
  while (i < count) {
    let perRow = 1;
    let spacing = 0;
    for (let row = Math.floor(half / SMALLEST); row >= 1; row--) {
      const last = radii[Math.min(count, i + row * row) - 1]!;
      spacing = 2.1 * last;
      perRow = row;
      if (row * spacing <= 2 * half - 0.2) break;
    }
    const end = Math.min(count, i + perRow * perRow);
    y += spacing / 2;
    for (let k = 0; i < end; i++, k++) {
      const x = ((k % perRow) - (perRow - 1) / 2) * spacing;
      const z = (Math.floor(k / perRow) - (perRow - 1) / 2) * spacing;
      const shape = builder.shape({ type: 'hull', points: stone(radii[i]!, random) });
      builder.dynamic(shape, [x, y, z], { rotation: random.rotation() });
    }
    y += spacing / 2;
  }
  return builder.build('rubble', `${count} stones, masses 1 to 1,000`, seed, {
    bounds: { min: [-half - 0.1, -0.1, -half - 0.1], max: [half + 0.1, 200, half + 0.1] },
  });
}
