// Nodes that read the pose of a body in a storage buffer, between two steps; and storage nodes that read buffers of ours.
import { cross, dot, mix, normalize, select, storage, uniform } from 'three/tsl';
import { type Node, StorageBufferAttribute } from 'three/webgpu';
import type { Adopter } from '../../src/three_webgpu/adopter';

/** Returns a storage buffer of three's that stands for one of ours: its array is never read. */
export function placeholder(): StorageBufferAttribute {
  return new StorageBufferAttribute(new Float32Array(4), 4);
}

/** Makes a storage node read a buffer of ours. */
export class Backing {
  private attribute = placeholder();

  constructor(
    private readonly home: Adopter,
    private readonly node: { value: unknown },
  ) {}

  /** The node reads this buffer from now on; the one before may be destroyed by this. */
  show(buffer: GPUBuffer): void {
    this.drop();
    this.attribute = placeholder();
    this.home.adopt(this.attribute, buffer);
    this.node.value = this.attribute;
  }

  /** Makes three drop its record of the buffer, and destroy the buffer if three has used it. */
  drop(): void {
    (this.attribute as unknown as { dispose(): void }).dispose();
  }
}

/** Inputs that all meshes of a world read. Their values change as the world runs. */
export class PoseInputs {
  /** Two vec4 per slot: position (w is 0 if the slot is free) and rotation; several sets of them one after the other. */
  readonly poses = storage(placeholder(), 'vec4', 0).toReadOnly();
  /** Where the sets of the last step and of the one before begin, in vec4. */
  readonly now = uniform(0, 'uint');
  readonly before = uniform(0, 'uint');
  readonly blend = uniform(1);
}

/** Rotates a vector by a unit quaternion. */
export const turn = (q: Node<'vec4'>, v: Node<'vec3'>): Node<'vec3'> =>
  v.add(cross(q.xyz, cross(q.xyz, v).add(v.mul(q.w))).mul(2));

/** Returns the pose of the body in a slot between the two steps, and whether there is one. For the `Fn` of a vertex shader. */
export function poseOf({ poses, now, before, blend }: PoseInputs, slot: Node<'uint'>) {
  const at = slot.mul(2).toVar();
  const position = poses.element(now.add(at)).toVar();
  const rotation = poses.element(now.add(at).add(1)).toVar();
  const earlier = poses.element(before.add(at)).toVar();
  const turned = poses.element(before.add(at).add(1)).toVar();
  turned.assign(select(dot(turned, turned).lessThan(0.5), rotation, turned));
  turned.assign(select(dot(rotation, turned).lessThan(0), turned.negate(), turned));
  const q = normalize(mix(turned, rotation, blend)).toVar();
  const origin = mix(select(earlier.w.greaterThan(0.5), earlier.xyz, position.xyz), position.xyz, blend);
  return { q, origin, isThere: position.w.greaterThan(0.5) };
}
