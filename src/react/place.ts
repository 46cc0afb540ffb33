// Where components find and put objects in the world: poses of objects without their scale, and objects at poses of the world whatever
// they lie in.
import { Matrix4, type Object3D, Quaternion, Vector3 } from 'three';

const inverse = new Matrix4();
const turned = new Quaternion();
const scaled = new Vector3();
const moved = new Vector3();

/** Writes the pose of an object in the world, without scale. */
export function readPlace(object: Object3D, position: Vector3, rotation: Quaternion): void {
  object.updateWorldMatrix(true, false);
  object.matrixWorld.decompose(position, rotation, scaled);
}

/** Puts an object at a pose of the world; its scale stays. */
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
