// Test entry of meshes and heightfields.
export { initMeshTests, collideConvexMesh, meshQuery } from '../narrowphase/mesh';
export { collideConvexHeightfield } from '../narrowphase/heightfield';
export { rayMesh, rayHeightfield } from '../narrowphase/ray_mesh';
