// The public API of talus/gltf: physics of glTF files, with three.js or without a renderer.

export type { ConvexPart, Decompose, Decomposer } from '../engines/decompose';
export { type GlbParts, readGlb } from './container';
export type { GltfIssue } from './issues';
export type { GltfJson } from './json';
export { GltfPhysics, type GltfTriggerEvent, type GltfWorld } from './level';
export { type GltfPhysicsOptions, type LoadPhysicsOptions, loadPhysics } from './load';
export {
  type AddPhysicsOptions,
  addPhysics,
  type GltfObject,
  type LoadedGltf,
  registerPhysics,
  type ScenePhysics,
} from './three';
