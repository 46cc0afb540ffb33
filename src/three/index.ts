// The public API of talus/three: worlds of talus and scenes of three.js.

export type { ConvexPart, Decomposer } from '../engines/decompose';
export type { Binding, DrawnWorld, InstanceOptions, SleepColors } from './bindings';
export { DebugRenderer } from './debug';
export type { ThreeWarningListener } from './moved';
export {
  type Attachment,
  type InstanceBodyOptions,
  type MeshShapes,
  type ObjectBodyOptions,
  type ObjectColliders,
  type ObjectHit,
  type ThreeOptions,
  ThreePhysics,
  type ThreeWorld,
} from './physics';
export type { GeometryRange } from './points';
export type { PlacedShape, ShapeCache } from './shape_cache';
export {
  type ShapeKind,
  type ShapeOptions,
  type ShapePart,
  shapesFromGeometry,
} from './shapes';
export { type BoneBodies, type BonePose, readSkeleton } from './skeleton';
