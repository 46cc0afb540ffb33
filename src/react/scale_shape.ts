// Shapes under a scale of the scene.
import type { Vector3 } from 'three';
import type { ShapeDesc } from '../index';

/** Returns a shape in a scaled frame. Round shapes use the larger of their factors. */
export function scaleShape(shape: ShapeDesc, scale: Vector3): ShapeDesc {
  const [x, y, z] = scale.toArray().map(Math.abs) as [number, number, number];
  const points = (from: ArrayLike<number>) => Float64Array.from(from, (value, i) => value * scale.getComponent(i % 3));
  switch (shape.type) {
    case 'sphere':
      return { ...shape, radius: shape.radius * Math.max(x, y, z) };
    case 'box': {
      const h = shape.halfExtents;
      const [a, b, c] = 'x' in h ? [h.x, h.y, h.z] : [h[0]!, h[1]!, h[2]!];
      return { ...shape, halfExtents: [a * x, b * y, c * z] };
    }
    case 'capsule':
    case 'cylinder':
    case 'cone':
      return { ...shape, radius: shape.radius * Math.max(x, z), halfHeight: shape.halfHeight * y };
    case 'hull':
      return { ...shape, points: points(shape.points) };
    case 'mesh':
      return { ...shape, positions: points(shape.positions) };
    case 'plane':
      return shape.offset === undefined ? shape : { ...shape, offset: shape.offset * Math.max(x, y, z) };
    case 'heightfield': {
      const { spacing, origin } = shape;
      const [a, b] = typeof spacing === 'number' ? [spacing, spacing] : [spacing[0]!, spacing[1]!];
      const o = origin === undefined ? [0, 0, 0] : 'x' in origin ? [origin.x, origin.y, origin.z] : Array.from(origin);
      return {
        ...shape,
        spacing: [a * x, b * z],
        origin: [o[0]! * x, o[1]! * y, o[2]! * z],
        heights: Float32Array.from(shape.heights, (height) => height * y),
      };
    }
  }
}
