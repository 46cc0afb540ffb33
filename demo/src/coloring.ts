// Colors of bodies: what a body is told apart by. Writes sRGB bytes, one texel a body slot.
import { NO_LABEL, type World } from '../../src/study/index';

export const COLORINGS = ['body', 'island', 'cell', 'splits', 'contacts', 'sleeping', 'speed', 'mass'] as const;
export type Coloring = (typeof COLORINGS)[number];

export const COLORING_TEXT: Record<Coloring, string> = {
  body: 'a color a body',
  island: 'bodies that touch, directly or through others, share a color',
  cell: 'cells of the splitting solvers; gray where the solver has none',
  splits: 'gray: in one cell; yellow to red: split into 2, 3, ... sub-bodies',
  contacts: 'dark: none; bright: many neighbors',
  sleeping: 'gray: asleep; bright: awake',
  speed: 'blue: at rest; red: 5 m/s and more',
  mass: 'dark: light; bright: heavy (by logarithm)',
};

export type Rgb = readonly [number, number, number];

/** Of islands and cells: muted, far apart in hue, of even lightness. */
const PALETTE: readonly Rgb[] = [
  [226, 149, 120],
  [242, 193, 104],
  [131, 178, 154],
  [96, 150, 180],
  [163, 140, 188],
  [214, 116, 116],
  [235, 214, 164],
  [117, 190, 190],
  [150, 165, 110],
  [200, 160, 175],
];
const ASLEEP: Rgb = [120, 130, 146];
const AWAKE: Rgb = [242, 193, 104];
const GRAY: Rgb = [150, 152, 158];
/** Steps of a scale that reads in print and for most color-blind eyes. */
const HEAT: readonly Rgb[] = [
  [92, 124, 200],
  [84, 164, 204],
  [130, 200, 160],
  [240, 220, 110],
  [235, 140, 70],
  [205, 50, 60],
];

function heat(t: number): Rgb {
  const at = Math.min(Math.max(t, 0), 1) * (HEAT.length - 1);
  const i = Math.min(Math.floor(at), HEAT.length - 2);
  const [a, b] = [HEAT[i]!, HEAT[i + 1]!];
  return [0, 1, 2].map((k) => a[k]! + (b[k]! - a[k]!) * (at - i)) as unknown as Rgb;
}

/** One of the colors of a palette, by a number. */
export function mixed(label: number, palette: readonly Rgb[] = PALETTE): Rgb {
  let x = Math.imul(label + 1, 0x9e3779b1);
  x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
  return palette[((x ^ (x >>> 13)) >>> 0) % palette.length]!;
}

export const GROUND: Record<'light' | 'dark', Rgb> = { light: [208, 205, 197], dark: [72, 77, 86] };

let labels: Uint32Array = new Uint32Array(0);

/** Whether colors change from step to step. */
export function isLive(coloring: Coloring): boolean {
  return coloring !== 'body' && coloring !== 'mass';
}

/**
 * Colors all bodies of a world. Static ones without a tint of their own get the color of the ground and alpha 0; tints of moving ones are
 * their colors where bodies are told apart by nothing else.
 */
export function paint(
  world: World,
  slots: Iterable<number>,
  tints: ReadonlyMap<number, Rgb>,
  coloring: Coloring,
  palette: readonly Rgb[],
  ground: Rgb,
  out: Uint8Array,
): void {
  const labelled = coloring === 'island' || coloring === 'cell' || coloring === 'splits' || coloring === 'contacts';
  if (labelled) labels = world.readLabels(coloring, labels);
  const { velocities } = world;
  for (const slot of slots) {
    const invMass = velocities[16 * slot + 3]!;
    const tint = tints.get(slot);
    let color: Rgb = tint ?? ground;
    if (invMass > 0) {
      if (coloring === 'body') color = tint ?? mixed(slot, palette);
      else if (coloring === 'sleeping') {
        const id = world.bodyAt(slot);
        color = id !== null && world.isAsleep(id) ? ASLEEP : AWAKE;
      } else if (coloring === 'speed') {
        const v = velocities.subarray(16 * slot, 16 * slot + 3);
        color = heat(Math.hypot(v[0]!, v[1]!, v[2]!) / 5);
      } else if (coloring === 'mass') color = heat((4 - Math.log10(invMass * 1e4)) / 5 + 0.2);
      else {
        const label = labels[slot]!;
        if (label === NO_LABEL || (coloring === 'splits' && label < 2)) color = GRAY;
        else if (coloring === 'splits') color = heat(0.5 + 0.12 * (label - 1));
        else color = coloring === 'contacts' ? heat(label / 12) : mixed(label);
      }
    }
    out[4 * slot] = color[0];
    out[4 * slot + 1] = color[1];
    out[4 * slot + 2] = color[2];
    out[4 * slot + 3] = invMass > 0 || tint ? 255 : 0;
  }
}
