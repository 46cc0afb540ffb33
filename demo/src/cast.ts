// What is drawn beside the bodies of a world: things with poses of their own that no solver moves (what a bridge hangs from, ropes,
// the worlds of other engines). It looks to the picture as a world does, so that the same shaders place it.
import type { Part } from './bodies_view';
import type { Rgb } from './coloring';
import type { Poses } from './drawing';

export interface Thing {
  parts: readonly Part[];
  /** Null for the color of the ground. */
  color: Rgb | null;
  /** World, m; the origin if left out. */
  position?: readonly number[];
  /** Unit quaternion xyzw. */
  rotation?: readonly number[];
}

/** What a cast sees of the world it stands beside. */
export interface Neighbor {
  readonly world: Pick<Poses, 'positions' | 'rotations'>;
  /** Slot of a body of the scene, by its index. */
  slotOf(body: number): number;
}

export class Cast implements Poses {
  readonly positions: Float32Array;
  readonly rotations: Float32Array;
  readonly slotCount: number;
  readonly gpuPoses = null;
  stepCount = 0;

  constructor(
    readonly things: readonly Thing[],
    private readonly move?: (cast: Cast, neighbor: Neighbor) => void,
  ) {
    this.slotCount = things.length;
    this.positions = new Float32Array(4 * things.length);
    this.rotations = new Float32Array(4 * things.length);
    things.forEach(({ position = [0, 0, 0], rotation = [0, 0, 0, 1] }, slot) => {
      this.place(slot, position, rotation);
    });
  }

  place(slot: number, position: ArrayLike<number>, rotation: ArrayLike<number>): void {
    for (let k = 0; k < 3; k++) this.positions[4 * slot + k] = position[k]!;
    // The shaders draw what has a 1 here.
    this.positions[4 * slot + 3] = 1;
    for (let k = 0; k < 4; k++) this.rotations[4 * slot + k] = rotation[k]!;
  }

  /** After each step, and once before the first. */
  update(neighbor: Neighbor): void {
    this.stepCount++;
    this.move?.(this, neighbor);
  }
}
