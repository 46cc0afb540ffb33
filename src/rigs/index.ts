// The public API of talus/rigs: ragdolls, chains, ropes and nets, built on the public calls of a world.

export type { BoneDesc } from './bones';
export { humanSkeleton, type SkeletonBone } from './human';
export {
  createRagdoll,
  type PoseStrength,
  type PoseTargets,
  type Ragdoll,
  type RagdollBone,
  type RagdollDesc,
  type RagdollDrive,
  type RagdollPose,
} from './ragdoll';
export type { Rig, RigWorld } from './rig';
export type { SkeletonOptions } from './skeleton';
export {
  type Attachment,
  type ChainDesc,
  createChain,
  createNet,
  createRope,
  type NetDesc,
  type RopeDesc,
  type StrandDesc,
} from './strands';
