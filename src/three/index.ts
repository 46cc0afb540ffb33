// The public API of talus/three: worlds of talus and scenes of three.js.

export type { Binding, DrawnWorld, InstanceOptions, SleepColors } from './bindings';
export { DebugRenderer } from './debug';
export {
  type Attachment,
  type InstanceBodyOptions,
  type ObjectBodyOptions,
  type ObjectHit,
  ThreePhysics,
  type ThreeWorld,
} from './physics';
export type { GeometryRange } from './points';
export {
  type ConvexPart,
  type Decomposer,
  type ShapeKind,
  type ShapeOptions,
  type ShapePart,
  shapesFromGeometry,
} from './shapes';
