// Hooks by which a component decides which colliders collide.
import { useEffect } from 'react';
import { useTalus } from './context';
import type { FilterContactPairCallback, FilterIntersectionPairCallback } from './filters';
import { useLatest } from './guard';

/**
 * Calls `call` before each step for each pair of colliders that may touch in it, if one of the two has
 * `setActiveHooks(ActiveHooks.FILTER_CONTACT_PAIRS)`. The result counts for the two bodies. The collider with the hook must be
 * convex.
 */
export function useFilterContactPair(call: FilterContactPairCallback): void {
  const { filters } = useTalus();
  useHook(filters.contacts, call);
}

/**
 * Calls `call` when a collider begins to overlap a sensor, if one of the two has
 * `setActiveHooks(ActiveHooks.FILTER_INTERSECTION_PAIRS)`. If it does not return true, no handler gets events of this overlap.
 */
export function useFilterIntersectionPair(call: FilterIntersectionPairCallback): void {
  const { filters } = useTalus();
  useHook(filters.intersections, call);
}

function useHook<T>(hooks: Set<{ current: T }>, call: T): void {
  const latest = useLatest(call);
  useEffect(() => {
    hooks.add(latest);
    return () => {
      hooks.delete(latest);
    };
  }, [hooks, latest]);
}
