// "As many as your device can": a pen that bodies are rained into, and the rule that finds the number this device holds.
import { SceneBuilder } from '../../scenes/builder';
import { Random } from '../../scenes/random';
import type { Scene, SceneOptions } from '../../scenes/types';

const HALF = 15;
const EDGE = 0.35;
const FIRST = 200;

/** A pen of 30 m with the first boxes in it. */
export function crowd(options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  builder.container(HALF, 24);
  const box = builder.box(EDGE, EDGE, EDGE);
  const random = new Random(options.seed ?? 1);
  for (let i = 0; i < FIRST; i++) {
    builder.dynamic(box, [random.range(-0.9, 0.9) * HALF, 1 + 0.1 * i, random.range(-0.9, 0.9) * HALF], {
      rotation: random.rotation(),
    });
  }
  return builder.build('many', 'as many as your device can', options.seed ?? 1, {
    bounds: { min: [-HALF - 1, -1, -HALF - 1], max: [HALF + 1, 200, HALF + 1] },
  });
}

/** Positions (x y z each) for `count` more boxes in a layer above the pen, no two overlapping. */
export function rain(count: number, round: number): Float32Array {
  const spacing = 1.3;
  const perRow = Math.floor((2 * HALF - 2) / spacing);
  const positions = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const layer = Math.floor(i / (perRow * perRow));
    const inLayer = i % (perRow * perRow);
    positions[3 * i] = ((inLayer % perRow) - (perRow - 1) / 2) * spacing + 0.2 * (round & 1);
    positions[3 * i + 1] = 22 + layer * spacing;
    positions[3 * i + 2] = (Math.floor(inLayer / perRow) - (perRow - 1) / 2) * spacing;
  }
  return positions;
}

export const CROWD_EDGE = EDGE;

const MOST = 60000;
/** Frames that a judgement rests on. */
const WINDOW = 45;
const GOOD_MS = 17.4;
const BAD_MS = 18.4;

/** Decides from frame times whether bodies should come or go. Feed it every frame; it answers how many to add (or remove). */
export class CrowdRule {
  private readonly times: number[] = [];
  private hadEnough = false;
  /** Number of bodies that held, once found. */
  found = 0;

  /** `milliseconds` since the last frame, `count` bodies now. */
  frame(milliseconds: number, count: number): number {
    if (this.found > 0) return 0;
    this.times.push(milliseconds);
    if (this.times.length < WINDOW) return 0;
    const median = this.times.toSorted((a, b) => a - b)[WINDOW >> 1]!;
    this.times.length = 0;
    if (median > BAD_MS) {
      this.hadEnough = true;
      if (count <= 50) this.found = count;
      return -Math.min(count - 1, Math.max(20, Math.round(count * 0.06)));
    }
    if (median < GOOD_MS && !this.hadEnough && count < MOST) return Math.max(60, Math.round(count * 0.12));
    this.found = count;
    return 0;
  }
}
