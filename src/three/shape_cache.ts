// Shapes of geometries in use, so that meshes of the same geometry, scale and options share them.
import type { BufferGeometry, Quaternion, Vector3 } from 'three';
import { type BodyType, type ShapeId, TalusError, type World } from '../index';
import type { GeometryRange } from './points';
import { type ShapeOptions, shapesFromGeometry } from './shapes';

/** A shape of the world and its pose. */
export interface PlacedShape {
  shape: ShapeId;
  position: Vector3;
  rotation: Quaternion;
}

interface Entry {
  parts: readonly PlacedShape[];
  users: number;
}

export class ShapeCache {
  private readonly entries = new Map<string, Entry>();
  private readonly keys = new Map<ShapeId, string>();

  constructor(private readonly world: Pick<World, 'createShape' | 'removeShape'>) {}

  /** Returns the shapes of a geometry, and holds them until they are released. */
  of(geometry: BufferGeometry, options: ShapeOptions, scale: Vector3, type?: BodyType, range?: GeometryRange): PlacedShape[] {
    const { shape = 'auto', maxVertices = '' } = options;
    const key = [
      geometry.uuid,
      versionOf(geometry),
      typeof shape === 'string' ? shape : JSON.stringify(shape),
      maxVertices,
      options.decompose ? 'cut' : '',
      type === 'static',
      Math.fround(scale.x),
      Math.fround(scale.y),
      Math.fround(scale.z),
      range?.start,
      range?.count,
    ].join();
    let entry = this.entries.get(key);
    if (!entry) {
      const parts: PlacedShape[] = [];
      try {
        for (const { shape: desc, position, rotation } of shapesFromGeometry(geometry, options, scale, type, range)) {
          parts.push({ shape: this.world.createShape(desc), position, rotation });
        }
      } catch (error) {
        for (const { shape: id } of parts) this.world.removeShape(id);
        throw error;
      }
      entry = { parts, users: 0 };
      this.entries.set(key, entry);
      for (const { shape: id } of parts) this.keys.set(id, key);
    }
    entry.users += entry.parts.length;
    return [...entry.parts];
  }

  /** Releases one use of each shape; shapes without uses are freed. */
  release(shapes: readonly ShapeId[]): void {
    for (const id of shapes) {
      const key = this.keys.get(id);
      const entry = key === undefined ? undefined : this.entries.get(key);
      if (!entry || --entry.users > 0) continue;
      this.entries.delete(key!);
      for (const { shape } of entry.parts) {
        this.keys.delete(shape);
        try {
          this.world.removeShape(shape);
        } catch (error) {
          // Somebody put it on another body, or the world is gone.
          if (!(error instanceof TalusError)) throw error;
        }
      }
    }
  }
}

/** Returns a number that changes with the points. */
function versionOf(geometry: BufferGeometry): number {
  const position = geometry.getAttribute('position') as unknown as { version?: number; data?: { version: number } } | undefined;
  return position?.version ?? position?.data?.version ?? 0;
}
