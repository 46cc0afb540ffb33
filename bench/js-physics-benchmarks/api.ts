// What the adapter beside this file takes from src/api.ts and src/impls/impl.ts of isaac-mason/js-physics-benchmarks (March 2026), declared
// here so that it is type-checked and tested. It is not copied over there: the page has its own.

export type Vec3 = [x: number, y: number, z: number];
export type Quat = [x: number, y: number, z: number, w: number];

export enum MotionType {
  STATIC = 0,
  DYNAMIC = 1,
  KINEMATIC = 2,
}

export enum ShapeType {
  BOX = 0,
  SPHERE = 1,
  CONVEX_HULL = 2,
  TRIANGLE_MESH = 3,
}

export type PhysicsShape =
  | { type: ShapeType.BOX; halfExtents: [number, number, number]; convexRadius?: number }
  | { type: ShapeType.SPHERE; radius: number }
  | { type: ShapeType.CONVEX_HULL; points: number[] }
  | { type: ShapeType.TRIANGLE_MESH; positions: Float32Array; indices: Uint32Array };

export type RaycastResult = { hit: boolean; fraction: number };

export type RigidBodyOptions = {
  shape: number;
  motionType: MotionType;
  position: Vec3;
  quaternion?: Quat;
  mass?: number;
  friction?: number;
  restitution?: number;
};

/** What the page wants of an engine; worlds and handles are the engine's own. */
export type PhysicsImpl<World, Shape, Body> = {
  init(): Promise<void>;
  createWorld(): World;
  disposeWorld(world: World): void;
  setGravity(world: World, x: number, y: number, z: number): void;
  stepSimulation(world: World, dt: number): void;
  createShape(world: World, desc: PhysicsShape): Shape;
  destroyShape(world: World, implHandle: Shape): void;
  createRigidBody(world: World, options: RigidBodyOptions, implShape: Shape): Body;
  removeRigidBody(world: World, handle: Body): void;
  getBodyPosition(out: Vec3, world: World, handle: Body): void;
  getBodyQuaternion(out: Quat, world: World, handle: Body): void;
  setBodyPosition(world: World, handle: Body, position: Vec3): void;
  setBodyQuaternion(world: World, handle: Body, quaternion: Quat): void;
  setBodyLinearVelocity(world: World, handle: Body, velocity: Vec3): void;
  getBodyLinearVelocity(out: Vec3, world: World, handle: Body): void;
  setBodyTranslationRotation(world: World, handle: Body, position: Vec3, quaternion: Quat): void;
  onContactAdded(world: World, onContact: (handleA: Body, handleB: Body) => void): void;
  disposeContactListener(world: World): void;
  raycastClosest(out: RaycastResult, world: World, origin: Vec3, direction: Vec3, maxDistance: number): void;
};
