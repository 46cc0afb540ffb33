// talus for the page of isaac-mason/js-physics-benchmarks: copy this file to src/impls/ there (bench/README.md says what else). It imports
// nothing but talus and the page's own api.ts.
import { type BodyId, createQueryHit, createWorld as openWorld, type ShapeDesc, type ShapeId, type World } from 'talus';
import {
  MotionType,
  type PhysicsShape,
  type Quat,
  type RaycastResult,
  type RigidBodyOptions,
  ShapeType,
  type Vec3,
} from '../api';

type ImplState = {
  world: World;
  dt: number;
  onContactAdded?: (handleA: BodyId, handleB: BodyId) => void;
};

const TYPES = { [MotionType.STATIC]: 'static', [MotionType.DYNAMIC]: 'dynamic', [MotionType.KINEMATIC]: 'kinematic' } as const;

/** The page makes worlds synchronously and talus does not, so that this many wait for it. */
const SPARE_WORLDS = 2;
const spares: World[] = [];
const hit = createQueryHit();

async function makeSpare(): Promise<void> {
  spares.push(await openWorld({ gravity: [0, -9.81, 0], dt: 1 / 60 }));
}

export async function init(): Promise<void> {
  while (spares.length < SPARE_WORLDS) await makeSpare();
}

export function createWorld(): ImplState {
  const world = spares.pop();
  if (!world) throw new Error('talus: no world is ready yet; await init() first, and make one world at a time');
  void makeSpare();
  return { world, dt: 1 / 60 };
}

export function disposeWorld({ world }: ImplState): void {
  world.dispose();
}

export function setGravity({ world }: ImplState, x: number, y: number, z: number): void {
  world.set({ gravity: [x, y, z] });
}

export function stepSimulation(state: ImplState, dt: number): void {
  const { world } = state;
  if (dt !== state.dt) {
    world.set({ dt });
    state.dt = dt;
  }
  world.step();
  if (!state.onContactAdded) return;
  const { events } = world;
  for (let i = 0; i < events.count; i++) {
    if (events.kind(i) === 'begin') state.onContactAdded(events.bodyA(i), events.bodyB(i));
  }
}

function shapeDesc(desc: PhysicsShape): ShapeDesc {
  switch (desc.type) {
    case ShapeType.BOX:
      return { type: 'box', halfExtents: desc.halfExtents };
    case ShapeType.SPHERE:
      return { type: 'sphere', radius: desc.radius };
    case ShapeType.CONVEX_HULL:
      return { type: 'hull', points: desc.points };
    case ShapeType.TRIANGLE_MESH:
      return { type: 'mesh', positions: desc.positions, indices: desc.indices };
  }
}

export function createShape({ world }: ImplState, desc: PhysicsShape): ShapeId {
  return world.createShape(shapeDesc(desc));
}

export function destroyShape({ world }: ImplState, shape: ShapeId): void {
  world.removeShape(shape);
}

export function createRigidBody({ world }: ImplState, options: RigidBodyOptions, shape: ShapeId): BodyId {
  const { motionType, position, quaternion, mass, friction, restitution } = options;
  return world.createBody({
    type: TYPES[motionType],
    shape,
    position,
    ...(quaternion ? { rotation: quaternion } : {}),
    ...(mass !== undefined && motionType === MotionType.DYNAMIC ? { mass } : {}),
    ...(friction === undefined ? {} : { friction }),
    ...(restitution === undefined ? {} : { restitution }),
  });
}

export function removeRigidBody({ world }: ImplState, body: BodyId): void {
  world.removeBody(body);
}

export function getBodyPosition(out: Vec3, { world }: ImplState, body: BodyId): void {
  world.getPosition(body, out);
}

export function getBodyQuaternion(out: Quat, { world }: ImplState, body: BodyId): void {
  world.getRotation(body, out);
}

export function setBodyPosition({ world }: ImplState, body: BodyId, position: Vec3): void {
  world.teleport(body, position);
}

const place: Vec3 = [0, 0, 0];

export function setBodyQuaternion({ world }: ImplState, body: BodyId, quaternion: Quat): void {
  world.teleport(body, world.getPosition(body, place), quaternion);
}

export function setBodyLinearVelocity({ world }: ImplState, body: BodyId, velocity: Vec3): void {
  world.setLinearVelocity(body, velocity);
}

export function getBodyLinearVelocity(out: Vec3, { world }: ImplState, body: BodyId): void {
  world.getLinearVelocity(body, out);
}

export function setBodyTranslationRotation({ world }: ImplState, body: BodyId, position: Vec3, quaternion: Quat): void {
  world.teleport(body, position, quaternion);
}

export function onContactAdded(state: ImplState, onContact: (handleA: BodyId, handleB: BodyId) => void): void {
  state.onContactAdded = onContact;
}

export function disposeContactListener(state: ImplState): void {
  state.onContactAdded = undefined;
}

/** `direction` is of unit length. */
export function raycastClosest(
  out: RaycastResult,
  { world }: ImplState,
  origin: Vec3,
  direction: Vec3,
  maxDistance: number,
): void {
  out.hit = world.castRay(origin, direction, { maxDistance }, hit) !== null;
  out.fraction = out.hit ? hit.distance / maxDistance : 0;
}
