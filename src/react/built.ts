// Colliders of a body before it is made, and the components that they come from.
import type { Object3D } from 'three';
import type { BodyType, ColliderDesc } from '../index';
import type { ColliderApi } from './apis';
import type { CollisionHandlers } from './events';

/** Colliders in the frame of an object. */
export interface BuiltColliders {
  colliders: ColliderDesc[];
  /** Gives their shapes back, when the colliders are gone. */
  free: () => void;
  /** Whether one of them can be on no body that is dynamic. */
  isSurface: boolean;
  /** What the component says of `activeCollisionTypes`. */
  types?: number | undefined;
  /** The same of `contactSkin`, m. */
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
