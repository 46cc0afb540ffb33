// Poses between world space and the parents of objects: components read where an object is in the world, and put it at a world pose
// under any parent.
import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';

const inverse = new Matrix4();
const turned = new Quaternion();
const scaled = new Vector3();
const moved = new Vector3();

/** Writes the world pose of an object, without scale. */
export function readPlace(object: Object3D, position: Vector3, rotation: Quaternion): void {
  object.updateWorldMatrix(true, false);
  object.matrixWorld.decompose(position, rotation, scaled);
}

/** Moves an object to a world pose under its parent; its scale stays. */
export function place(object: Object3D, position: Vector3, rotation: Quaternion): void {
  const { parent } = object;
  object.position.copy(position);
  object.quaternion.copy(rotation);
  if (parent) {
    readPlace(parent, moved, turned);
    object.position.applyMatrix4(inverse.copy(parent.matrixWorld).invert());
    object.quaternion.premultiply(turned.invert());
  }
  if (!object.matrixAutoUpdate) object.updateMatrix();
  object.matrixWorldNeedsUpdate = true;
}
