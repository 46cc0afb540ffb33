// The place of the world's origin in the scene. In scenes with a floating origin, nodes have large coordinates in doubles and
// bodies small ones in single precision: every point between Babylon.js and the world is converted here.
import type { Vector } from '../rigs/turns';

interface Point {
  x: number;
  y: number;
  z: number;
}

export class Origin {
  readonly x: number;
  readonly y: number;
  readonly z: number;

  constructor({ x, y, z }: Point) {
    this.x = x;
    this.y = y;
    this.z = z;
  }

  /** Converts a point of the scene to the world. */
  enter({ x, y, z }: Point): Vector {
    return [x - this.x, y - this.y, z - this.z];
  }

  /** Converts a point of the world to the scene. */
  leave(point: ArrayLike<number>): Vector {
    return [point[0]! + this.x, point[1]! + this.y, point[2]! + this.z];
  }

  /** The same, in place. */
  moveOut<P extends Point>(point: P): P {
    point.x += this.x;
    point.y += this.y;
    point.z += this.z;
    return point;
  }

  /** The same for the translations of matrices of 16 numbers. */
  moveMatricesOut(matrices: Float32Array, count: number): void {
    if (this.x === 0 && this.y === 0 && this.z === 0) return;
    for (let i = 0; i < count; i++) {
      matrices[16 * i + 12] = matrices[16 * i + 12]! + this.x;
      matrices[16 * i + 13] = matrices[16 * i + 13]! + this.y;
      matrices[16 * i + 14] = matrices[16 * i + 14]! + this.z;
    }
  }
}
