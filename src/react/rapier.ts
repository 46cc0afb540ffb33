// useRapier(): the context of the world with the names of react-three-rapier.
import { createContext, createElement, type ReactNode, useContext, useMemo } from 'react';
import type { Object3D } from 'three';
import { type BodyId, type ColliderId, TalusError } from '../index';
import type { ColliderApi, RigidBodyApi } from './apis';
import {
  ActiveCollisionTypes,
  ActiveEvents,
  ActiveHooks,
  BODY_TYPE_NUMBERS,
  CoefficientCombineRule,
  MotorModel,
  SolverFlags,
} from './constants';
import type { TalusContext } from './context';
import { JointData } from './joint_data';
import { Ray, type StepWorld, WorldSnapshot } from './rapier_world';

/** The parts of Rapier's module that have a meaning here: numbers and small classes. */
export const rapier = {
  ActiveCollisionTypes,
  ActiveEvents,
  ActiveHooks,
  CoefficientCombineRule,
  JointData,
  MotorModel,
  Ray,
  RigidBodyType: BODY_TYPE_NUMBERS,
  SolverFlags,
  /** For `setWorld`. */
  World: { restoreSnapshot: (bytes: Uint8Array) => new WorldSnapshot(bytes) },
  version: () => 'talus',
} as const;

/** A body and its object. */
export interface RigidBodyState {
  rigidBody: RigidBodyApi;
  object: Object3D | null;
  meshType: 'mesh' | 'instancedMesh';
  isSleeping: boolean;
}

export interface ColliderState {
  collider: ColliderApi;
  object: Object3D | null;
}

/** Result of `useRapier`. */
export interface RapierContext {
  /** The world, with the calls of both engines. */
  world: StepWorld;
  /** Restores a snapshot: `setWorld(rapier.World.restoreSnapshot(bytes))`. */
  setWorld(world: WorldSnapshot): void;
  rapier: typeof rapier;
  /** Bodies of components by their handles, at present. */
  readonly rigidBodyStates: ReadonlyMap<BodyId, RigidBodyState>;
  /** Collider components by the handles of their colliders. */
  readonly colliderStates: ReadonlyMap<ColliderId, ColliderState>;
  isPaused: boolean;
  isDebug: boolean;
  /** Makes one step of this length, while `paused`. */
  step(seconds: number): void;
}

const Context = createContext<RapierContext | null>(null);

interface ProviderProps {
  context: TalusContext;
  paused: boolean;
  debug: boolean;
  children?: ReactNode;
}

/** Renders the users of the context again when the world is paused or resumed. */
export function RapierProvider({ context, paused, debug, children }: ProviderProps): ReactNode {
  const value = useMemo<RapierContext>(
    () => ({
      world: context.stepWorld,
      setWorld: ({ bytes }) => context.world.restore(bytes),
      rapier,
      get rigidBodyStates() {
        return bodyStates(context);
      },
      get colliderStates() {
        return new Map([...context.colliders].map(([id, { object }]) => [id, { collider: context.colliderOf(id), object }]));
      },
      isPaused: paused,
      isDebug: debug,
      step: (seconds) => context.step(seconds),
    }),
    [context, paused, debug],
  );
  return createElement(Context.Provider, { value }, children);
}

function bodyStates({ bodies, physics }: TalusContext): Map<BodyId, RigidBodyState> {
  const states = new Map<BodyId, RigidBodyState>();
  for (const [id, { api }] of bodies) {
    const object = physics.objectOf(id);
    const meshType = physics.instanceOf(id) >= 0 ? 'instancedMesh' : 'mesh';
    states.set(id, { rigidBody: api, object, meshType, isSleeping: api.isSleeping() });
  }
  return states;
}

/**
 * Returns the world of the `Physics` component around with Rapier's names; `useTalus` has this engine's own.
 * @throws TalusError outside of a `Physics` component
 */
export function useRapier(): RapierContext {
  const context = useContext(Context);
  if (!context) throw new TalusError('invalid-argument', 'useRapier belongs inside of <Physics>');
  return context;
}
