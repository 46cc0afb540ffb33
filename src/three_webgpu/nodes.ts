// Nodes that place the vertices of an instance by the pose of its body in a storage buffer, between two steps.
import {
  cross,
  dot,
  Fn,
  instanceIndex,
  mix,
  normalGeometry,
  normalize,
  normalLocal,
  positionGeometry,
  select,
  storage,
  uniform,
  vec3,
} from 'three/tsl';
import { type Node, StorageBufferAttribute } from 'three/webgpu';

/** Returns a storage buffer of three's that stands for one of ours: its array is never read. */
export function placeholder(): StorageBufferAttribute {
  return new StorageBufferAttribute(new Float32Array(4), 4);
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

/** Inputs of one mesh. */
export interface MeshInputs {
  /** Slot of the body of each instance; 0xffffffff for none. */
  slots: StorageBufferAttribute;
  /** Scale factors of each instance, and 1. */
  scales: StorageBufferAttribute;
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

/** Returns the position of a vertex in the world; sets its normal. */
export function poseNode(inputs: PoseInputs, { slots, scales }: MeshInputs) {
  const slotNode = storage(slots, 'uint', slots.count).toReadOnly();
  const scaleNode = storage(scales, 'vec4', scales.count).toReadOnly();
  return Fn(() => {
    const slot = slotNode.element(instanceIndex).toVar();
    const isBound = slot.notEqual(0xffffffff);
    const { q, origin, isThere } = poseOf(inputs, select(isBound, slot, slot.sub(slot)) as Node<'uint'>);
    const size = scaleNode.element(instanceIndex).xyz.toVar();
    normalLocal.assign(turn(q, normalize(normalGeometry.div(size))));
    // Without a body all vertices fall on one point, and nothing is drawn.
    return select(isBound.and(isThere), turn(q, positionGeometry.mul(size)).add(origin), vec3(0, -1e7, 0));
  })();
}
