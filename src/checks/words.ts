// Words of other engines, and ours for them: of shapes, bodies, joints, options and events. Errors name ours (show.ts);
// docs/migrate.md has the same table.

/** Several of ours are divided by |; behind a colon what else there is to say (oursOf). */
export const WORDS: Readonly<Record<string, string>> = {
  ball: 'sphere',
  cuboid: 'box',
  trimesh: 'mesh',
  convex: 'hull',
  'convex-hull': 'hull',
  convexHull: 'hull',
  halfspace: 'plane',
  vertices: 'points|positions',
  size: 'halfExtents: half of the size',
  height: 'halfHeight: half of the straight part',
  fixed: 'static',
  kinematicPosition: 'kinematic',
  kinematicVelocity: 'kinematic',
  translation: 'position',
  quaternion: 'rotation',
  velocity: 'linearVelocity',
  linvel: 'linearVelocity',
  angvel: 'angularVelocity',
  bounciness: 'restitution',
  isSensor: 'sensor',
  isTrigger: 'sensor',
  ccd: 'bullet',
  ccdEnabled: 'bullet',
  canSleep: 'allowSleep',
  gravityFactor: 'gravityScale',
  damping: 'linearDamping',
  fixedRotation: "locks: { rotation: 'xyz' }",
  lockRotations: "locks: { rotation: 'xyz' }",
  collisionGroups: 'category: with mask',
  collisionFilterGroup: 'category',
  collisionFilterMask: 'mask',
  spherical: 'ball',
  revolute: 'hinge',
  prismatic: 'slider',
  lock: 'fixed',
  rope: 'distance: with limit: { max }',
  generic: 'six-axis',
  limits: 'limit: { min, max }',
  speed: 'velocity',
  maxToi: 'maxDistance',
  timestep: 'dt',
  fixedTimeStep: 'dt',
  iterations: 'substeps',
  collision: 'begin',
  collide: 'begin',
  collisionStart: 'begin',
  collisionEnd: 'end',
  trigger: 'sensor-begin',
};

/** Our words for another one, of which the first counts that is known in its place, and what else there is to say. */
export function oursOf(entry: string): { words: string[]; more: string } {
  const [words = '', more = ''] = entry.split(/: (.*)/);
  return { words: words.split('|'), more };
}
