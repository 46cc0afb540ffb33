// Body poses and colors in storage buffers for the vertex shader: poses as `talus/three/webgpu` keeps them (pose_sets.ts), GPU to GPU
// where the solver runs on the same device.
import type { MeshBasicNodeMaterial, MeshStandardNodeMaterial } from 'three/webgpu';
import { type Adopter, Backing, PoseSets } from '../../src/three_webgpu/pose_sets';
import { blobMaterial, bodyMaterial, colorInput } from './body_nodes';
import type { BodyStore, Finish, Poses } from './drawing';

export class PoseBuffers implements BodyStore {
  colors = new Uint8Array(0);
  readonly taken: { gpu: number; cpu: number };
  private readonly sets: PoseSets;
  private readonly colorNode = colorInput();
  private readonly paint: Backing;

  constructor(private readonly home: Adopter) {
    this.sets = new PoseSets(home, 'demo poses');
    this.taken = this.sets.taken;
    this.paint = new Backing(home, this.colorNode, 'demo colors');
  }

  get blend(): number {
    return this.sets.inputs.blend.value;
  }

  set blend(value: number) {
    this.sets.inputs.blend.value = value;
  }

  take(world: Poses, jump: boolean): void {
    const slots = world.slotCount;
    const isGrown = this.reserve(slots);
    this.sets.take(world, slots, jump || isGrown);
    // After a jump the step in flight may have begun without the new bodies.
    if (!jump) this.sets.keepComing(world);
  }

  /** Room for body slots; true if poses are lost by that. */
  private reserve(slots: number): boolean {
    if (!this.sets.reserve(slots)) return false;
    const { capacity } = this.sets;
    this.paint.replace(capacity * 4);
    const colors = new Uint8Array(4 * capacity);
    colors.set(this.colors);
    this.colors = colors;
    return true;
  }

  colorsChanged(): void {
    this.home.device.queue.writeBuffer(this.paint.buffer!, 0, this.colors);
  }

  material(instanced: boolean, finish: Finish | null): MeshStandardNodeMaterial {
    return bodyMaterial(this.sets.inputs, this.colorNode, instanced, finish);
  }

  blobMaterial(floor: number): MeshBasicNodeMaterial {
    return blobMaterial(this.sets.inputs, floor);
  }

  /** three puts the same position node into the shadow map. */
  shadowMaterial(): null {
    return null;
  }

  dispose(): void {
    this.sets.dispose();
    this.paint.destroy();
  }
}
