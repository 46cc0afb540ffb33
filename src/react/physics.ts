// <Physics>: a world as long as the component is mounted, its steps in the frames of React Three Fiber.
import { useFrame, useThree } from '@react-three/fiber';
import { createElement, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createWorld, type Vec3, type World, type WorldOptions, type WorldSettings } from '../index';
import { DebugRenderer, type ShapeOptions, ThreePhysics } from '../three/index';
import { type AutoColliders, PhysicsContext, TalusContext, useTalus } from './context';
import { quietly, useLatest, useStable } from './guard';

export interface PhysicsProps extends Omit<WorldOptions, 'dt' | 'gravity'>, Pick<ShapeOptions, 'decompose' | 'maxVertices'> {
  children?: ReactNode;
  /** m/s2; default 0 -9.81 0. */
  gravity?: Vec3;
  /** Steps wait; default false. */
  paused?: boolean;
  /** s of a step, default 1/60; `vary`: one step a frame, as long as it. */
  timeStep?: number | 'vary';
  /** Draws between the last two steps; default true. */
  interpolate?: boolean;
  /** Shapes that bodies get from their meshes; default `auto`. */
  colliders?: AutoColliders;
  /** Draws colliders, contacts and joints; default false. */
  debug?: boolean;
  /** Most steps a frame; default 0.1 s of them. */
  maxSteps?: number;
  /** Priority of `useFrame`: above 0 you render by yourself; default 0. */
  updatePriority?: number;
  /** A world of your own, which stays when the component goes; settings of the other props are then its own. */
  world?: World;
  /** Called when the world is there, before the children are made. */
  onReady?: (context: TalusContext) => void;
}

/** Options that are given when a world is made, or are none of its settings. */
const FIXED = ['backend', 'device', 'wasm', 'bodyCapacity'] as const;

/** A physics world for the components in it, which are there as soon as it is. */
export function Physics(props: PhysicsProps): ReactNode {
  const {
    children,
    gravity = [0, -9.81, 0],
    paused = false,
    timeStep = 1 / 60,
    interpolate = true,
    colliders = 'auto',
    debug = false,
    maxSteps,
    updatePriority = 0,
    world: given,
    onReady,
    decompose,
    maxVertices,
    ...options
  } = props;
  const settings = useStable({ gravity, dt: timeStep === 'vary' ? 1 / 60 : timeStep, ...options });
  const latest = useLatest(settings);
  const ready = useLatest(onReady);
  const [context, setContext] = useState<TalusContext | null>(null);
  const [error, setError] = useState<unknown>(null);

  useEffect(() => {
    let isOver = false;
    let made: TalusContext | null = null;
    const open = async () => {
      try {
        const world = given ?? (await createWorld(latest.current as WorldOptions));
        if (isOver) {
          if (!given) world.dispose();
          return;
        }
        made = new TalusContext(world, new ThreePhysics(world));
        ready.current?.(made);
        setContext(made);
      } catch (thrown) {
        if (!isOver) setError(() => thrown);
      }
    };
    open();
    return () => {
      isOver = true;
      setContext(null);
      if (!made) return;
      const { world } = made;
      quietly(() => made!.dispose());
      if (!given) world.dispose();
    };
  }, [given, latest, ready]);

  useEffect(() => {
    if (!context || given) return;
    const changes = { ...settings } as Record<string, unknown>;
    for (const key of FIXED) delete changes[key];
    // After `vary` too, which has set `dt` itself.
    quietly(() => context.world.set(changes as WorldSettings));
  }, [context, given, settings, timeStep]);

  if (error) throw error;
  if (!context) return null;
  context.isPaused = paused;
  context.isDebug = debug;
  context.autoColliders = colliders;
  context.shapeOptions = { ...(decompose && { decompose }), ...(maxVertices !== undefined && { maxVertices }) };
  return createElement(
    PhysicsContext.Provider,
    { value: context },
    // First: frames of the children find what is drawn where it is in this one, as cameras that follow have to.
    createElement(Stepper, { paused, timeStep, interpolate, maxSteps, updatePriority }),
    children,
    debug ? createElement(Debug) : null,
  );
}

type StepperProps = Required<Pick<PhysicsProps, 'paused' | 'timeStep' | 'interpolate' | 'updatePriority'>> & {
  maxSteps: number | undefined;
};

/** s: the shortest and the longest step of `vary`. */
const SHORTEST = 1e-3;
const LONGEST = 0.1;
/** s: of a frame after none was wanted for a while, which the clock gives the whole of that time. */
const FIRST_FRAME = 1 / 60;

function Stepper({ paused, timeStep, interpolate, maxSteps, updatePriority }: StepperProps): null {
  const context = useTalus();
  const isOnDemand = useThree((state) => state.frameloop) === 'demand';
  const invalidate = useThree((state) => state.invalidate);
  /** Whether the frame before has asked for this one. */
  const goesOn = useRef(false);
  /** The step after which nothing moved; null while something does. */
  const restsSince = useRef<number | null>(null);

  useFrame((_state, delta) => {
    const { world, physics } = context;
    if (paused) physics.sync(context.drawn);
    else {
      const seconds = isOnDemand && !goesOn.current ? Math.min(delta, FIRST_FRAME) : delta;
      if (timeStep === 'vary') {
        const dt = Math.min(Math.max(seconds, SHORTEST), LONGEST);
        world.set({ dt });
        context.advance(Math.min(seconds, LONGEST), { maxSteps: 1, interpolate: false });
      } else context.advance(seconds, { interpolate, ...(maxSteps !== undefined && { maxSteps }) });
    }
    goesOn.current = false;
    if (!isOnDemand || paused) return;
    const moves = isMoving(world);
    if (moves) restsSince.current = null;
    else restsSince.current ??= world.stepCount;
    // One more step at rest: pictures lie between the last two.
    goesOn.current = moves || world.stepCount === restsSince.current;
    if (goesOn.current) invalidate();
  }, updatePriority);

  // Frames on demand end when all is at rest. What is woken, made or set in motion by a call begins them again: looked for once an
  // animation frame, which draws nothing by itself.
  useEffect(() => {
    context.redraw = invalidate;
    goesOn.current = false;
    if (!isOnDemand || paused) return;
    const look = () => {
      handle = requestAnimationFrame(look);
      if (!goesOn.current) quietly(() => isMoving(context.world) && invalidate());
    };
    let handle = requestAnimationFrame(look);
    return () => cancelAnimationFrame(handle);
  }, [context, isOnDemand, paused, invalidate]);
  return null;
}

const velocity = [0, 0, 0];

/** Whether the next step moves anything. */
function isMoving(world: World): boolean {
  if (world.controllers.some((controller) => controller.isMoving?.())) return true;
  for (let i = 0; i < world.slotCount; i++) {
    const id = world.bodyAt(i);
    if (id === null) continue;
    const type = world.getType(id);
    if (type === 'dynamic' && !world.isAsleep(id) && world.isEnabled(id)) return true;
    if (type !== 'kinematic') continue;
    if (world.getLinearVelocity(id, velocity).some(Boolean) || world.getAngularVelocity(id, velocity).some(Boolean)) return true;
  }
  return false;
}

/** Draws the world around as lines; `debug` of `Physics` is this with its defaults. */
export function Debug({ options }: { options?: DebugRenderer['lineOptions'] }): ReactNode {
  const { world, physics } = useTalus();
  const [lines, setLines] = useState<DebugRenderer | null>(null);
  const latest = useLatest(options);
  useLayoutEffect(() => {
    const made = new DebugRenderer(world, latest.current);
    physics.attach(made);
    setLines(made);
    return () => {
      physics.detach(made);
      made.dispose();
    };
  }, [world, physics, latest]);
  const stable = useStable(options);
  useEffect(() => {
    if (lines) lines.lineOptions = stable ?? {};
  }, [lines, stable]);
  return lines ? createElement('primitive', { object: lines, dispose: null }) : null;
}

/** Calls `call` with the world before each step: forces, targets of kinematic bodies. */
export function useBeforePhysicsStep(call: (world: World) => void): void {
  useStepCall('beforeStep', call);
}

/** Calls `call` with the world after each step. */
export function useAfterPhysicsStep(call: (world: World) => void): void {
  useStepCall('afterStep', call);
}

function useStepCall(when: 'beforeStep' | 'afterStep', call: (world: World) => void): void {
  const context = useTalus();
  const latest = useLatest(call);
  useEffect(() => {
    context[when].add(latest);
    return () => {
      context[when].delete(latest);
    };
  }, [context, when, latest]);
}
