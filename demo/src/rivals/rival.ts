// Another engine that plays a scene of rigid shapes and ball joints, step by step. Its modules are loaded when a visitor compares.
import type { Scene } from '../../../scenes/types';

export interface Rival {
  /** Name and version. */
  name: string;
  step(): void;
  /** Writes poses by index of the body, four numbers each. */
  read(positions: Float32Array, rotations: Float32Array): void;
  dispose(): void;
}

export interface RivalOptions {
  /** Whether bodies at rest may fall asleep. */
  sleep: boolean;
}

export type RivalMaker = (scene: Scene, options: RivalOptions) => Promise<Rival>;

/** Three numbers of a flat array, by index. */
export const three = (array: ArrayLike<number>, i: number): [number, number, number] => [
  array[3 * i]!,
  array[3 * i + 1]!,
  array[3 * i + 2]!,
];
export const four = (array: ArrayLike<number>, i: number): [number, number, number, number] => [
  array[4 * i]!,
  array[4 * i + 1]!,
  array[4 * i + 2]!,
  array[4 * i + 3]!,
];
