// The steps of a world: in the frames of React Three Fiber, or in a loop of their own; and calls around each of them.
import { useFrame, useThree } from '@react-three/fiber';
import { useEffect, useRef } from 'react';
import type { World } from '../index';
import { useTalus } from './context';
import { quietly, useLatest } from './guard';
import type { StepWorld } from './rapier_world';

interface StepperProps {
  paused: boolean;
  timeStep: number | 'vary';
  interpolate: boolean;
  updatePriority: number;
  updateLoop: 'follow' | 'independent';
  maxSteps: number | undefined;
}

/** Shortest and longest step of `vary`, s. */
const SHORTEST = 1e-3;
const LONGEST = 0.1;
/** Time (s) of the first frame after a pause on demand, for which the clock reports the whole pause. */
const FIRST_FRAME = 1 / 60;

export function Stepper({ paused, timeStep, interpolate, maxSteps, updatePriority, updateLoop }: StepperProps): null {
  const context = useTalus();
  const isAlone = updateLoop === 'independent';
  const isOnDemand = useThree((state) => state.frameloop) === 'demand' && !isAlone;
  const invalidate = useThree((state) => state.invalidate);
  /** Time (s) of frames that waited for the effects of new bodies. */
  const owed = useRef(0);
  /** Whether the previous frame has requested this one. */
  const goesOn = useRef(false);
  /** The step after which nothing moved; null while something moves. */
  const restsSince = useRef<number | null>(null);

  const frame = useLatest((delta: number) => {
    const { world, physics } = context;
    if (context.isDisposed) return;
    const seconds = (isOnDemand && !goesOn.current ? Math.min(delta, FIRST_FRAME) : delta) + owed.current;
    const isWaiting = context.unsettled.size > 0;
    owed.current = isWaiting && !paused ? Math.min(seconds, LONGEST) : 0;
    if (paused || isWaiting) physics.sync(context.drawn);
    else {
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
  });

  useFrame(
    (_state, delta) => {
      if (!isAlone) frame.current(delta);
    },
    isAlone ? 0 : updatePriority,
  );

  useEffect(() => {
    if (!isAlone) return;
    let last = performance.now();
    let handle = requestAnimationFrame(function loop(now) {
      handle = requestAnimationFrame(loop);
      quietly(() => {
        frame.current(Math.max(0, now - last) / 1000);
        if (isMoving(context.world)) invalidate();
      });
      last = now;
    });
    return () => cancelAnimationFrame(handle);
  }, [isAlone, context, frame, invalidate]);

  // Frames on demand end when everything is at rest. They start again when a call wakes, creates or moves something: this is
  // checked once per animation frame, which draws nothing by itself.
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

/** Returns whether the next step moves anything. */
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

/** Calls `call` with the world before each step: apply forces, set targets of kinematic bodies. */
export function useBeforePhysicsStep(call: (world: StepWorld) => void): void {
  useStepCall('beforeStep', call);
}

/** Calls `call` with the world after each step. */
export function useAfterPhysicsStep(call: (world: StepWorld) => void): void {
  useStepCall('afterStep', call);
}

function useStepCall(when: 'beforeStep' | 'afterStep', call: (world: StepWorld) => void): void {
  const context = useTalus();
  const latest = useLatest(call);
  useEffect(() => {
    context[when].add(latest);
    return () => {
      context[when].delete(latest);
    };
  }, [context, when, latest]);
}
