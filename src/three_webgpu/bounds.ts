// The sphere around all instances of a mesh, by which three culls the mesh as a whole for each camera and each light. It follows
// the positions of the bodies on the CPU: one pass over them per step, and nothing is read back from the GPU.
import { Box3, type BufferGeometry, type Matrix4, type Sphere } from 'three';

/**
 * Positions on the CPU may lag behind the picture by the tolerance of the solver's answers, and vertices are rounded: share of the
 * reach, and a length (m).
 */
const PAD_SHARE = 0.01;
const PAD = 0.01;

const GONE = 0xffffffff;

export class InstanceBounds {
  /** Boxes around the origins of the bodies, after the last step and before. */
  private now = new Box3();
  private before = new Box3();
  private readonly both = new Box3();

  /** Takes over the positions of a step, four floats per slot, in place of those before the last ones. */
  take(positions: Float32Array, slots: Uint32Array): void {
    [this.now, this.before] = [this.before, this.now];
    const { min, max } = this.now.makeEmpty();
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!;
      if (slot === GONE) continue;
      const x = positions[4 * slot]!;
      const y = positions[4 * slot + 1]!;
      const z = positions[4 * slot + 2]!;
      if (x < min.x) min.x = x;
      if (y < min.y) min.y = y;
      if (z < min.z) min.z = z;
      if (x > max.x) max.x = x;
      if (y > max.y) max.y = y;
      if (z > max.z) max.z = z;
    }
  }

  /** Writes the sphere in the frame of the mesh. `scale`: the largest factor of any instance; `home`: from the world to the mesh. */
  sphere(out: Sphere, geometry: BufferGeometry, scale: number, home: Matrix4): void {
    this.both.copy(this.now).union(this.before).getBoundingSphere(out);
    if (out.isEmpty()) return;
    if (geometry.boundingSphere === null) geometry.computeBoundingSphere();
    const { center, radius } = geometry.boundingSphere!;
    const reach = (center.length() + radius) * scale;
    out.radius += reach + PAD_SHARE * reach + PAD;
    out.applyMatrix4(home);
  }
}
