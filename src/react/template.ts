// Collider components that are templates for many bodies: `colliderNodes` of <InstancedRigidBodies>.
import { createContext } from 'react';
import type { Object3D, Vector3 } from 'three';
import type { BodyType } from '../index';
import type { BuiltColliders, ColliderEntry } from './built';

export class Template {
  private readonly entries = new Set<ColliderEntry>();

  constructor(private readonly group: { current: Object3D | null }) {}

  add(entry: ColliderEntry): void {
    this.entries.add(entry);
  }

  remove(entry: ColliderEntry): void {
    this.entries.delete(entry);
  }

  /** Returns the colliders of a body with a scale, each with the component that describes it. */
  build(scale: Vector3, type: BodyType): BuiltColliders & { entries: ColliderEntry[] } {
    const group = this.group.current;
    const built: BuiltColliders[] = [];
    const entries: ColliderEntry[] = [];
    const free = () => {
      for (const part of built) part.free();
    };
    if (group) {
      // In the frame of the body: as if nothing was above it.
      group.matrixAutoUpdate = false;
      group.matrixWorldAutoUpdate = false;
      group.matrixWorld.makeScale(scale.x, scale.y, scale.z);
      try {
        for (const entry of this.entries) {
          const part = entry.build(group, type);
          built.push(part);
          for (const _ of part.colliders) entries.push(entry);
        }
      } catch (error) {
        free();
        throw error;
      }
    }
    return { colliders: built.flatMap(({ colliders }) => colliders), free, isSurface: false, entries };
  }
}

/** Marks that collider components belong to the bodies of instances. */
export const TemplateContext = createContext<Template | null>(null);
