// The public API of talus/react: worlds of talus in React Three Fiber.

export { RigidBodyApi, type RigidBodyType } from './body_api';
export {
  Character,
  type CharacterApi,
  type CharacterInput,
  type CharacterOptions,
  type CharacterProps,
  useCharacter,
} from './character';
export {
  type ArgsProps,
  BallCollider,
  BoxCollider,
  CapsuleCollider,
  Collider,
  type ColliderProps,
  ConeCollider,
  ConvexHullCollider,
  CuboidCollider,
  CylinderCollider,
  HeightfieldCollider,
  HullCollider,
  MeshCollider,
  TrimeshCollider,
} from './colliders';
export {
  type AutoColliders,
  type BodyHandlers,
  type CollisionHandlers,
  type CollisionPayload,
  type CollisionSide,
  TalusContext,
  useTalus,
} from './context';
export { type BodyTraitsProps, type ColliderTraits, interactionGroups } from './holder';
export type { InputSource, Key, MoveInput } from './input';
export { InstancedRigidBodies, type InstancedRigidBodiesProps, type InstanceProps } from './instances';
export {
  type BodyRef,
  JointApi,
  type JointOptions,
  useBallJoint,
  useFixedJoint,
  useHingeJoint,
  useJoint,
  usePrismaticJoint,
  useRevoluteJoint,
  useRopeJoint,
  useSliderJoint,
  useSphericalJoint,
  useSpringJoint,
} from './joints';
export { Debug, Physics, type PhysicsProps, useAfterPhysicsStep, useBeforePhysicsStep } from './physics';
export { Ragdoll, type RagdollApi, type RagdollOptions, type RagdollPart, type RagdollProps, useRagdoll } from './ragdoll';
export { RigidBody, type RigidBodyProps } from './rigid_body';
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
