// Descriptions of joints in the form of Rapier, and in that of the engine.
import { Quaternion, Vector3 } from 'three';
import type { JointDesc, Quat, Vec3 } from '../index';
import { toVector, type VectorProp } from './vectors';

/** Settings of a joint, without its bodies. World points and axes refer to the poses at which the bodies are created. */
export type JointOptions = Omit<JointDesc, 'bodyA' | 'bodyB'>;

/** A joint between two bodies, as `rapier.JointData` creates it. Its bodies collide with each other, as in Rapier. */
export class JointData {
  limitsEnabled = false;
  limits: readonly [min: number, max: number] = [0, 0];

  constructor(readonly options: JointOptions) {}

  /** A ball joint: holds the anchors together. */
  static spherical(anchorA: VectorProp, anchorB: VectorProp): JointData {
    return new JointData({
      type: 'ball',
      anchorA: toVector(anchorA),
      anchorB: toVector(anchorB),
      frictionLever: 0,
      collide: true,
    });
  }

  /** Welds the bodies together. */
  static fixed(anchorA: VectorProp, frameA: Quat, anchorB: VectorProp, frameB: Quat): JointData {
    return new JointData({
      type: 'fixed',
      anchorA: toVector(anchorA),
      frameA,
      anchorB: toVector(anchorB),
      frameB,
      collide: true,
    });
  }

  /** A hinge about an axis of both bodies. */
  static revolute(anchorA: VectorProp, anchorB: VectorProp, axis: VectorProp): JointData {
    return new JointData(alongAxis('hinge', anchorA, anchorB, axis));
  }

  /** A slider along an axis of both bodies. */
  static prismatic(anchorA: VectorProp, anchorB: VectorProp, axis: VectorProp): JointData {
    return new JointData(alongAxis('slider', anchorA, anchorB, axis));
  }

  /** A rope: limits the distance of the anchors, m. */
  static rope(length: number, anchorA: VectorProp, anchorB: VectorProp): JointData {
    const limit = { min: 0, max: length };
    return new JointData({ type: 'distance', anchorA: toVector(anchorA), anchorB: toVector(anchorB), limit, collide: true });
  }

  /** A spring: rest length (m), stiffness (N/m), damping (N s/m). */
  static spring(length: number, stiffness: number, damping: number, anchorA: VectorProp, anchorB: VectorProp): JointData {
    const spring = { stiffness, damping };
    return new JointData({
      type: 'distance',
      anchorA: toVector(anchorA),
      anchorB: toVector(anchorB),
      length,
      spring,
      collide: true,
    });
  }
}

function alongAxis(type: 'hinge' | 'slider', anchorA: VectorProp, anchorB: VectorProp, axis: VectorProp): JointOptions {
  const frame = frameOf(axis as Vec3);
  return { type, anchorA: toVector(anchorA), anchorB: toVector(anchorB), frameA: frame, frameB: frame, collide: true };
}

/** Returns the rotation that takes z to an axis. */
function frameOf(axis: Vec3): Quaternion {
  return new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), toVector(axis).normalize());
}

/** Returns the options that the engine takes. */
export function optionsOf(data: JointData | JointOptions): JointOptions {
  if (!(data instanceof JointData)) return data;
  const { options, limits, limitsEnabled } = data;
  return limitsEnabled ? { ...options, limit: { min: limits[0], max: limits[1] } } : options;
}
