// Seeded random numbers for scenes. Only integer arithmetic, +, -, *, / and Math.sqrt are used (exact in IEEE 754), so a
// scene is the same bit by bit in every JavaScript engine; Math.sin and friends are not.
import type { Quat, Vec3 } from './types';

/** Small 32-bit counter generator: a Weyl sequence finished by the murmur3 mixer. Good enough for placing bodies. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = Math.imul(seed, 0x85ebca6b) ^ 0x2545f491;
  }

  /** Uniform in [0, 1), 32 bits. */
  unit(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let x = this.state;
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
    return ((x ^ (x >>> 16)) >>> 0) / 4294967296;
  }

  /** Uniform in [low, high). */
  range(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** Uniform integer in [low, high]. */
  integer(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.unit());
  }

  /** Uniform on the unit sphere (rejection from the cube). */
  direction(): Vec3 {
    for (;;) {
      const x = this.range(-1, 1);
      const y = this.range(-1, 1);
      const z = this.range(-1, 1);
      const s = x * x + y * y + z * z;
      if (s > 1e-4 && s <= 1) {
        const k = 1 / Math.sqrt(s);
        return [x * k, y * k, z * k];
      }
    }
  }

  /** Uniform over rotations: a uniform direction in four dimensions (rejection from the hypercube). */
  rotation(): Quat {
    for (;;) {
      const x = this.range(-1, 1);
      const y = this.range(-1, 1);
      const z = this.range(-1, 1);
      const w = this.range(-1, 1);
      const s = x * x + y * y + z * z + w * w;
      if (s > 1e-4 && s <= 1) {
        const k = 1 / Math.sqrt(s);
        return [x * k, y * k, z * k, w * k];
      }
    }
  }
}
