// Colliders of a body before it is created, and their components.
import type { Object3D } from 'three';
import type { BodyType, ColliderDesc } from '../index';
import type { ColliderApi } from './apis';
import type { CollisionHandlers } from './events';

/** Colliders in the frame of an object. */
export interface BuiltColliders {
  colliders: ColliderDesc[];
  /** Releases their shapes, after the colliders were removed. */
  free: () => void;
  /** Whether one of them cannot be on a dynamic body. */
  isSurface: boolean;
  /** `activeCollisionTypes` of the component. */
  types?: number | undefined;
  /** `contactSkin` of the component, m. */
  skin?: number | undefined;
}

/** A collider component of a body. */
export interface ColliderEntry {
  build(frame: Object3D, type: BodyType): BuiltColliders;
  readonly object: Object3D | null;
  readonly handlers: { current: CollisionHandlers };
  readonly label: string;
  readonly api: ColliderApi;
}
