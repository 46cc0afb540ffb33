// The exported ABI of the core: thin, no logic.
export { allocate, release } from './memory/allocator';
export {
  reserveBodies,
  reserveColliders,
  createBody,
  removeBody,
  setMassProperties,
  setBodyType,
  setPose,
  setVelocity,
  addForce,
  addForceAt,
  applyImpulse,
  applyImpulseAt,
  setBullet,
  setMotion,
  moveKinematic,
  createCollider,
  removeCollider,
  setCollider,
} from './edits/bodies';
export {
  allowSleep,
  changeCollider,
  enableBody,
  limitBody,
  setContactRule,
  setLocks,
  setPassage,
  setSurface,
  sleepBody,
} from './edits/changes';
export { reserveSlots, reserveTeam as reserveThreads } from './edits/reserve';
export { reserveHits, setColliderEvents } from './edits/events';
export { createJoint, removeJoint, reserveJoints, renewJoint, setJointFlags } from './edits/joints';
export { moveOrigin } from './edits/shift';
export { isAsleep } from './bodies/rows';
export { addField } from './constraints/fields';
export { wakeBody } from './constraints/sleep';
export { reserveShapes, createShape, removeShape } from './shapes/shapes';
export { initWorld, stepBroadphase, stepContacts, stepSolve, stepEnd, setSolver } from './step';
export { packGpu, applyGpuResult, forgetGpu } from './split/gpu_pack';
export { layOutGpu } from './split/pack';
export { keepPoses } from './bodies/past_poses';
export { readPoses, reservePoseLists } from './queries/poses';
export { hashState } from './queries/hash';
export { addSum, beginSum, clearDead, listLive, sumLive } from './queries/live';
export { runBatch, runContact, runQuery } from './queries/run';
export { queryState } from './queries/state';
export { measureJoint } from './queries/measure_joint';
export { joinTeam } from './threads/team';
export { serve } from './serve';
export { measure, readManifold, substepsOfManifold } from './queries/measure';
