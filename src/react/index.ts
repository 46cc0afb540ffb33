// The public API of talus/react: worlds of talus in React Three Fiber.

export { ColliderApi, ColliderApi as RapierCollider, RigidBodyApi, RigidBodyApi as RapierRigidBody } from './apis';
export type { RigidBodyType, RigidBodyTypeString } from './body_types';
export {
  Character,
  type CharacterApi,
  type CharacterInput,
  type CharacterOptions,
  type CharacterProps,
  useCharacter,
} from './character';
export { Collider, type ColliderProps } from './collider';
export {
  AnyCollider,
  type ArgsProps,
  type BallArgs,
  BallCollider,
  BoxCollider,
  type CapsuleArgs,
  CapsuleCollider,
  type ColliderShape,
  type ConeArgs,
  ConeCollider,
  type ConvexHullArgs,
  ConvexHullCollider,
  type CuboidArgs,
  CuboidCollider,
  type CylinderArgs,
  CylinderCollider,
  type HeightfieldArgs,
  HeightfieldCollider,
  type HeightfieldSamples,
  HullCollider,
  MeshCollider,
  type RoundConeArgs,
  RoundConeCollider,
  type RoundCuboidArgs,
  RoundCuboidCollider,
  type RoundCylinderArgs,
  RoundCylinderCollider,
  type TrimeshArgs,
  TrimeshCollider,
} from './colliders';
export { ActiveCollisionTypes, ActiveHooks, CoefficientCombineRule, MotorModel, SolverFlags } from './constants';
export { type AutoColliders, TalusContext, useTalus } from './context';
export type {
  BodyHandlers,
  CollisionEnterHandler,
  CollisionEnterPayload,
  CollisionExitHandler,
  CollisionExitPayload,
  CollisionHandlers,
  CollisionPayload,
  CollisionTarget,
  ContactForceHandler,
  ContactForcePayload,
  ContactManifold,
  IntersectionEnterHandler,
  IntersectionEnterPayload,
  IntersectionExitHandler,
  IntersectionExitPayload,
} from './events';
export { useFilterContactPair, useFilterIntersectionPair } from './filter_hooks';
export type { FilterContactPairCallback, FilterIntersectionPairCallback } from './filters';
export type { InputSource, Key, MoveInput } from './input';
export {
  InstancedRigidBodies,
  type InstancedRigidBodiesProps,
  type InstanceProps,
  type InstanceProps as InstancedRigidBodyProps,
} from './instances';
export { JointApi } from './joint_api';
export { JointData, type JointOptions } from './joint_data';
export {
  type BodyRef,
  useBallJoint,
  useFixedJoint,
  useHingeJoint,
  useImpulseJoint,
  useJoint,
  usePrismaticJoint,
  useRevoluteJoint,
  useRopeJoint,
  useSliderJoint,
  useSphericalJoint,
  useSpringJoint,
} from './joints';
export type { MassProperties } from './mass';
export { Debug, Physics, type PhysicsProps } from './physics';
export { Ragdoll, type RagdollApi, type RagdollOptions, type RagdollPart, type RagdollProps, useRagdoll } from './ragdoll';
export { type ColliderState, type RapierContext, type RigidBodyState, useRapier } from './rapier';
export { type RapierWorld, Ray, type RayHit, type StepWorld, type WorldSnapshot } from './rapier_world';
export { RigidBody, type RigidBodyOptions, type RigidBodyProps } from './rigid_body';
export { useAfterPhysicsStep, useBeforePhysicsStep } from './stepper';
export { type BodyTraitsProps, type ColliderTraits, interactionGroups } from './traits';
export {
  type Boolean3Tuple,
  euler,
  quat,
  type Vector3Object,
  type Vector3Tuple,
  type Vector4Tuple,
  type VectorProp,
  vec3,
} from './vectors';
export {
  useVehicle,
  Vehicle,
  type VehicleApi,
  type VehicleInput,
  type VehicleOptions,
  type VehicleProps,
  Wheel,
  type WheelProps,
} from './vehicle';
