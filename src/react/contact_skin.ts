// contactSkin: colliders that keep others off by a distance. The engine has none, so the shape itself is larger by that distance,
// with the mass of the original. Balls, boxes, capsules and cylinders can have it.
import type { ColliderDesc, ShapeDesc, ShapeId, World } from '../index';
import type { BuiltColliders } from './built';
import { warnOnce } from './report';
import { toVector } from './vectors';

/** Returns a shape enlarged by a distance all around, and its former volume (m3); null for a shape that cannot be enlarged. */
function grown(shape: ShapeDesc, by: number): { shape: ShapeDesc; volume: number } | null {
  switch (shape.type) {
    case 'sphere':
      return { shape: { ...shape, radius: shape.radius + by }, volume: (4 / 3) * Math.PI * shape.radius ** 3 };
    case 'box': {
      const [x, y, z] = toVector(shape.halfExtents).toArray();
      return { shape: { ...shape, halfExtents: [x + by, y + by, z + by] }, volume: 8 * x * y * z };
    }
    case 'capsule': {
      const { radius: r, halfHeight: h } = shape;
      return { shape: { ...shape, radius: r + by }, volume: Math.PI * r * r * (2 * h + (4 / 3) * r) };
    }
    case 'cylinder': {
      const { radius: r, halfHeight: h } = shape;
      return { shape: { ...shape, radius: r + by, halfHeight: h + by }, volume: 2 * Math.PI * r * r * h };
    }
    default:
      return null;
  }
}

/** Returns colliders enlarged by a skin (m). `traits`: those of the body. */
export function withContactSkin(
  world: World,
  built: BuiltColliders,
  skin: number | undefined,
  traits: Partial<ColliderDesc>,
  label: string,
): BuiltColliders {
  if (!skin) return built;
  const made: ShapeId[] = [];
  const colliders = built.colliders.map((collider) => {
    const larger = grown(world.getShape(collider.shape), skin);
    if (!larger) {
      warnOnce(`contactSkin ${label}`, `${label}: contactSkin works only for balls, boxes, capsules and cylinders`);
      return collider;
    }
    const shape = world.createShape(larger.shape);
    made.push(shape);
    const mass = collider.mass ?? (collider.density ?? traits.density ?? 0) * larger.volume;
    return { ...collider, shape, mass };
  });
  const free = () => {
    built.free();
    for (const shape of made) world.removeShape(shape);
  };
  return { ...built, colliders, free };
}
