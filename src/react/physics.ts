// <Physics>: a world for as long as the component is mounted, stepped in the frames of React Three Fiber.
import { createElement, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createWorld, type Vec3, type World, type WorldOptions, type WorldSettings } from '../index';
import { DebugRenderer, type ShapeOptions, ThreePhysics } from '../three/index';
import { type AutoColliders, PhysicsContext, TalusContext, useTalus } from './context';
import { type UnusedPhysicsProps, warnUnused, withoutUnused } from './foreign_props';
import { quietly, useLatest, useStable } from './guard';
import { RapierProvider } from './rapier';
import { Stepper } from './stepper';

export interface PhysicsProps
  extends Omit<WorldOptions, 'dt' | 'gravity'>,
    Pick<ShapeOptions, 'decompose' | 'maxVertices'>,
    UnusedPhysicsProps {
  children?: ReactNode;
  /** Acceleration by gravity, m/s2; default 0 -9.81 0. */
  gravity?: Vec3;
  /** Whether steps are paused; default false. */
  paused?: boolean;
  /** Length of a step, s, default 1/60; `vary`: one step per frame, as long as the frame. */
  timeStep?: number | 'vary';
  /** Whether to draw between the last two steps; default true. */
  interpolate?: boolean;
  /** Kind of shapes that bodies get from their meshes; default `auto`. */
  colliders?: AutoColliders;
  /** Default density of colliders, kg/m3; default 1, as in Rapier. Water has 1000. */
  density?: number;
  /** Whether to draw colliders, contacts and joints; default false. */
  debug?: boolean;
  /** Largest number of steps per frame; default as many as make 0.1 s. */
  maxSteps?: number;
  /** Priority of `useFrame`. Above 0, you render the scene yourself; default 0. */
  updatePriority?: number;
  /**
   * `independent`: steps run in a loop of their own, which requests frames of the canvas only while something moves; default
   * `follow`.
   */
  updateLoop?: 'follow' | 'independent';
  /**
   * A world of your own, which stays when the component is unmounted. It then keeps its own settings instead of the other props.
   */
  world?: World;
  /** Called when the world exists, before the children are created. */
  onReady?: (context: TalusContext) => void;
}

/** Options that are fixed when a world is created, or are not settings of it. */
const FIXED = ['backend', 'device', 'wasm', 'bodyCapacity'] as const;

/** What an effect of `Physics` leaves: the next run takes it over, or it is closed in the next microtask. */
interface Left {
  readonly context: TalusContext;
  readonly given: World | undefined;
  isTaken: boolean;
  isClosed: boolean;
}

/** A physics world for the components in it, which mount as soon as the world exists. */
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
    updateLoop = 'follow',
    density = 1,
    world: given,
    onReady,
    decompose,
    maxVertices,
    ...rest
  } = props;
  warnUnused('<Physics>', rest);
  const options = withoutUnused(rest);
  const settings = useStable({ gravity, dt: timeStep === 'vary' ? 1 / 60 : timeStep, ...options });
  const latest = useLatest(settings);
  const ready = useLatest(onReady);
  const [context, setContext] = useState<TalusContext | null>(null);
  const [error, setError] = useState<unknown>(null);

  const left = useRef<Left | null>(null);
  useEffect(() => {
    let isOver = false;
    const before = left.current;
    left.current = null;
    // React runs effects twice in StrictMode, also when what was suspended is shown: the world goes on then.
    const isAgain = before !== null && !before.isClosed && before.given === given;
    let made: TalusContext | null = isAgain ? before.context : null;
    if (isAgain) before.isTaken = true;
    const open = async () => {
      try {
        const world = given ?? (await createWorld(latest.current as WorldOptions));
        if (isOver) {
          if (!given) world.dispose();
          return;
        }
        made = new TalusContext(world, new ThreePhysics(world, { warn: false })); // props place the groups of bodies
        ready.current?.(made);
        setContext(made);
      } catch (thrown) {
        if (!isOver) setError(() => thrown);
      }
    };
    if (!made) open();
    return () => {
      isOver = true;
      if (!made) return;
      const context = made;
      const own: Left = { context, given, isTaken: false, isClosed: false };
      left.current = own;
      queueMicrotask(() => {
        if (own.isTaken) return;
        own.isClosed = true;
        setContext((now) => (now === context ? null : now));
        quietly(() => context.dispose());
        if (!given) context.world.dispose();
      });
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
  context.density = density;
  context.shapeOptions = { ...(decompose && { decompose }), ...(maxVertices !== undefined && { maxVertices }) };
  return createElement(
    PhysicsContext.Provider,
    { value: context },
    // First, so that `useFrame` of the children sees the poses of this frame, as follow cameras need.
    createElement(Stepper, { paused, timeStep, interpolate, maxSteps, updatePriority, updateLoop }),
    createElement(RapierProvider, { context, paused, debug }, children),
    debug ? createElement(Debug) : null,
  );
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
