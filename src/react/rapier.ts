// useRapier(): the context of the world by the names that react-three-rapier has for it.
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

/** What of Rapier's module has a meaning here: numbers and small classes. */
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

/** A body and what it draws. */
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

/** What `useRapier` gives. */
export interface RapierContext {
  /** The world by the names of both engines. */
  world: StepWorld;
  /** Puts the world into the state of a snapshot: `setWorld(rapier.World.restoreSnapshot(bytes))`. */
  setWorld(world: WorldSnapshot): void;
  rapier: typeof rapier;
  /** Bodies of components by their handles, as they are now. */
  readonly rigidBodyStates: ReadonlyMap<BodyId, RigidBodyState>;
  /** Collider components by the handles of their colliders. */
  readonly colliderStates: ReadonlyMap<ColliderId, ColliderState>;
  isPaused: boolean;
  isDebug: boolean;
  /** Makes a step of that length, while `paused`. */
  step(seconds: number): void;
}

const Context = createContext<RapierContext | null>(null);

interface ProviderProps {
  context: TalusContext;
  paused: boolean;
  debug: boolean;
  children?: ReactNode;
}

/** Renders again what uses the context when the world is paused or goes on. */
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
 * The world of the `Physics` component around, by Rapier's names; `useTalus` has this engine's own.
 * @throws TalusError outside of one
 */
export function useRapier(): RapierContext {
  const context = useContext(Context);
  if (!context) throw new TalusError('invalid-argument', 'useRapier belongs inside of <Physics>');
  return context;
}
