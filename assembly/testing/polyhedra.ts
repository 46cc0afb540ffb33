// Test entry of the polyhedron parts of the narrow phase.
export {
  initPolyhedra,
  boxBlob,
  polyhedronOf,
  supportMax,
  supportVertex,
  supportFace,
  facePolygon,
  facePolygonPosed,
  polygonBufferA,
  polygonBufferB,
  polygonWork,
} from '../narrowphase/polyhedron';
export { collideBoxBox } from '../narrowphase/box_box';
export { collideBoxHull, collideHullHull } from '../narrowphase/hull_hull';
export { hullBounds } from '../shapes/hull_aabb';
export { reducePoints, writePoints } from '../narrowphase/reduce';
export { clipPolygonByPlane, clipPolygonToFace, keepNearPlane } from '../narrowphase/clip';
export { initMemory, allocate } from '../memory/allocator';
