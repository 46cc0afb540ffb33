// A heap of 1,950 capsules and boxes, as many bodies as the 150 ragdolls of 13 parts in Tsuda 2009, dropped into a pen.
import { SceneBuilder } from './builder';
import { Random } from './random';
import type { Scene, SceneOptions, Vec3 } from './types';

/** `count` 1,950 bodies of the size of limbs (capsules) and trunks (boxes): 10 capsules to 3 boxes. */
export function heap(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const count = Math.max(1, Math.round((options.count ?? 1950) * (options.scale ?? 1)));
  const random = new Random(seed);
  const builder = new SceneBuilder();
  const spacing = 0.95;
  const perRow = Math.max(2, Math.round(1.1 * Math.cbrt(count)));
  const shift = ((perRow - 1) * spacing) / 2;
  // A pen, or capsules would roll away for ever: nothing here resists rolling.
  const half = shift + 0.5;
  builder.container(half, 12);
  for (let i = 0; i < count; i++) {
    const inLayer = i % (perRow * perRow);
    const position: Vec3 = [
      (inLayer % perRow) * spacing - shift,
      0.5 + Math.floor(i / (perRow * perRow)) * spacing,
      Math.floor(inLayer / perRow) * spacing - shift,
    ];
    const shape =
      i % 13 < 10
        ? builder.shape({ type: 'capsule', radius: random.range(0.08, 0.14), halfHeight: random.range(0.12, 0.3) })
        : builder.box(random.range(0.14, 0.24), random.range(0.14, 0.24), random.range(0.14, 0.24));
    builder.dynamic(shape, position, { rotation: random.rotation() });
  }
  return builder.build('heap', `heap of ${count} capsules and boxes`, seed, {
    bounds: { min: [-half - 0.1, -0.1, -half - 0.1], max: [half + 0.1, 100, half + 0.1] },
  });
}
