// Body poses and colors in storage buffers for the vertex shader: poses as `talus/three/webgpu` keeps them (pose_sets.ts), GPU to GPU
// where the solver runs on the same device.
import type { MeshBasicNodeMaterial, MeshStandardNodeMaterial } from 'three/webgpu';
import type { Adopter } from '../../src/three_webgpu/adopter';
import { PoseSets } from '../../src/three_webgpu/pose_sets';
import { blobMaterial, bodyMaterial, colorInput } from './body_nodes';
import type { BodyStore, Finish, Poses } from './drawing';
import { Backing, PoseInputs } from './pose_nodes';

export class PoseBuffers implements BodyStore {
  colors = new Uint8Array(0);
  readonly taken: { gpu: number; cpu: number };
  private readonly sets: PoseSets;
  private readonly inputs = new PoseInputs();
  private readonly poses: Backing;
  private readonly colorNode = colorInput();
  private readonly paint: Backing;
  private paintBuffer: GPUBuffer | null = null;

  constructor(private readonly home: Adopter) {
    this.sets = new PoseSets(home.device, 'demo poses');
    this.taken = this.sets.taken;
    this.poses = new Backing(home, this.inputs.poses);
    this.paint = new Backing(home, this.colorNode);
  }

  get blend(): number {
    return this.inputs.blend.value;
  }

  set blend(value: number) {
    this.inputs.blend.value = value;
  }

  take(world: Poses, jump: boolean): void {
    const slots = world.slotCount;
    const isGrown = this.reserve(slots);
    this.sets.take(world, slots, jump || isGrown);
    this.inputs.now.value = this.sets.nowAt;
    this.inputs.before.value = this.sets.beforeAt;
    // After a jump the step in flight may have begun without the new bodies.
    if (!jump) this.sets.keepComing(world);
  }

  /** Room for body slots; true if poses are lost by that. */
  private reserve(slots: number): boolean {
    if (!this.sets.reserve(slots)) return false;
    const { capacity, buffer } = this.sets;
    this.poses.show(buffer!);
    this.paintBuffer?.destroy();
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    this.paintBuffer = this.home.device.createBuffer({ label: 'demo colors', size: capacity * 4, usage });
    this.paint.show(this.paintBuffer);
    const colors = new Uint8Array(4 * capacity);
    colors.set(this.colors);
    this.colors = colors;
    return true;
  }

  colorsChanged(): void {
    this.home.device.queue.writeBuffer(this.paintBuffer!, 0, this.colors);
  }

  material(instanced: boolean, finish: Finish | null): MeshStandardNodeMaterial {
    return bodyMaterial(this.inputs, this.colorNode, instanced, finish);
  }

  blobMaterial(floor: number): MeshBasicNodeMaterial {
    return blobMaterial(this.inputs, floor);
  }

  /** three puts the same position node into the shadow map. */
  shadowMaterial(): null {
    return null;
  }

  dispose(): void {
    this.poses.drop();
    this.paint.drop();
    this.sets.dispose();
    this.paintBuffer?.destroy();
  }
}
