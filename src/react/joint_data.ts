// Descriptions of joints as Rapier makes them, and as the engine takes them.
import { Quaternion, Vector3 } from 'three';
import type { JointDesc, Quat, Vec3 } from '../index';
import { toVector, type VectorProp } from './vectors';

/** What a joint is, beside its bodies. Points and axes of the world count at the poses in which the bodies are made. */
export type JointOptions = Omit<JointDesc, 'bodyA' | 'bodyB'>;

/** A joint between two bodies, as `rapier.JointData` makes it. Its bodies collide with each other, as in Rapier. */
export class JointData {
  limitsEnabled = false;
  limits: readonly [min: number, max: number] = [0, 0];

  constructor(readonly options: JointOptions) {}

  /** Anchors together. */
  static spherical(anchorA: VectorProp, anchorB: VectorProp): JointData {
    return new JointData({
      type: 'ball',
      anchorA: toVector(anchorA),
      anchorB: toVector(anchorB),
      frictionLever: 0,
      collide: true,
    });
  }

  /** Holds everything. */
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

  /** Turns about an axis of both bodies. */
  static revolute(anchorA: VectorProp, anchorB: VectorProp, axis: VectorProp): JointData {
    return new JointData(alongAxis('hinge', anchorA, anchorB, axis));
  }

  /** Slides along an axis of both bodies. */
  static prismatic(anchorA: VectorProp, anchorB: VectorProp, axis: VectorProp): JointData {
    return new JointData(alongAxis('slider', anchorA, anchorB, axis));
  }

  /** At most so far apart, m. */
  static rope(length: number, anchorA: VectorProp, anchorB: VectorProp): JointData {
    const limit = { min: 0, max: length };
    return new JointData({ type: 'distance', anchorA: toVector(anchorA), anchorB: toVector(anchorB), limit, collide: true });
  }

  /** Rest length (m), N/m, N s/m. */
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

/** The rotation that takes z to an axis. */
function frameOf(axis: Vec3): Quaternion {
  return new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), toVector(axis).normalize());
}

/** What the engine takes. */
export function optionsOf(data: JointData | JointOptions): JointOptions {
  if (!(data instanceof JointData)) return data;
  const { options, limits, limitsEnabled } = data;
  return limitsEnabled ? { ...options, limit: { min: limits[0], max: limits[1] } } : options;
}
