// The public names that both entries of the package share.
export type { BackendReport } from './backend_report';
export type { BodiesDesc, BodyDesc, ColliderDesc, MassDesc, MaterialDesc } from './bodies';
export type { DebugColor, DebugColors, DebugLineOptions, DebugLines } from './debug/lines';
export { TalusError, type TalusErrorCode } from './errors';
export {
  type ContactEvent,
  type ContactEventKind,
  type ContactEvents,
  EVENT_KINDS,
  type StopCause,
  type StoppedBody,
} from './events';
export type { ColliderEvents } from './events/asked';
export type { BodyEvent, EventKind, EventListener, EventMap, JointBreakEvent } from './events/listeners';
export type { BodyList } from './events/rows';
export type { AdvanceOptions, Frame } from './frames/clock';
export type { Controller } from './frames/controllers';
export type { MatrixOptions, PoseOptions } from './frames/poses';
export type { BufferLike, DeviceLike, WebGpuBuffer, WebGpuDevice } from './gpu/types';
export { type ContactArrays, LABEL_KINDS, type LabelKind, NO_LABEL } from './inspect';
export type {
  JointAxes,
  JointAxis,
  JointChanges,
  JointDesc,
  JointLimit,
  JointMotor,
  JointSpring,
  JointState,
  JointStateSink,
  JointType,
} from './joints/desc';
export type { JointLineOptions, JointLines } from './joints/lines';
export type { Measures } from './measure';
export type { BodyState } from './motion/bodies';
export type { ColliderState } from './motion/colliders';
export type { Explosion, GravityField, Water } from './motion/fields';
export type { ContactRule } from './motion/rules';
export type { BodyTraits, Locks, SpeedLimits } from './motion/traits';
export type { BackendName, PartitionName, PresetName, StepParameters } from './options';
export type { Profile } from './profile';
export {
  type BatchHits,
  type BatchOptions,
  createBatchHits,
  createQueryHit,
  createShapeContact,
  type DistanceOptions,
  type QueryFilter,
  type QueryHit,
  type QueryHitArrays,
  type RayOptions,
  type ShapeCastOptions,
  type ShapeContact,
  type ShapeContactArrays,
} from './queries/types';
export type {
  BoxDesc,
  CapsuleDesc,
  ConeDesc,
  CylinderDesc,
  HeightfieldDesc,
  HullDesc,
  MeshDesc,
  ShapeDesc,
  SphereDesc,
} from './shapes/shape';
export type { ThreadChoiceName, ThreadCount, ThreadWorker } from './threads/types';
export type {
  BodyId,
  BodyType,
  ColliderId,
  CombineRule,
  JointId,
  NumberSink,
  Quat,
  QuatSink,
  ShapeId,
  Vec3,
  Vec3Sink,
} from './types';
export type { WarningCode, WarningListener } from './warnings';
export type { WasmModule, WasmSource } from './wasm/source';
export type { CloneOptions, SnapshotOptions } from './world';
export type { GpuPoses } from './world/steps';
