// The public names that both entries of the package share.
export type { BackendReport } from './backend/report';
export type { BodyState } from './bodies/body_state';
export type { ColliderState } from './bodies/collider_state';
export type { ContactRule } from './bodies/contact_rules';
export type { BodiesDesc, BodyDesc, ColliderDesc, ColliderEvents, MassDesc, MaterialDesc } from './bodies/desc';
export type { Explosion, GravityField, Water } from './bodies/fields';
export type { BodyTraits, Locks, SpeedLimits } from './bodies/traits';
export { TalusError, type TalusErrorCode } from './checks/errors';
export { type ContactArrays, LABEL_KINDS, type LabelKind, NO_LABEL } from './debug/inspect';
export type { DebugColor, DebugColors, DebugLineOptions, DebugLines } from './debug/lines';
export type { Measures } from './debug/measure';
export type { Profile } from './debug/profile';
export type { WarningCode, WarningListener } from './debug/warnings';
export {
  type ContactEvent,
  type ContactEventKind,
  type ContactEvents,
  EVENT_KINDS,
  type StopCause,
  type StoppedBody,
} from './events/contact_events';
export type { BodyEvent, EventKind, EventListener, EventMap, JointBreakEvent } from './events/listeners';
export type { BodyList } from './events/rows';
export type { AdvanceOptions, Frame } from './frames/clock';
export type { Controller } from './frames/controllers';
export type { MatrixOptions, PoseOptions } from './frames/poses';
export type { BufferLike, DeviceLike, WebGpuBuffer, WebGpuDevice } from './gpu/types';
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
export type { BackendName, PresetName, StepParameters } from './options/options';
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
  PlaneDesc,
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
export type { WasmModule, WasmSource } from './wasm/source';
export type { GpuPoses } from './world/steps';
export type { CloneOptions, SnapshotOptions } from './world/world';
