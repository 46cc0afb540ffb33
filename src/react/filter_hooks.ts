// Hooks by which a component has a say in which colliders meet.
import { useEffect } from 'react';
import { useTalus } from './context';
import type { FilterContactPairCallback, FilterIntersectionPairCallback } from './filters';
import { useLatest } from './guard';

/**
 * Asks `call` before each step about pairs of colliders that may touch in it, where one of the two has
 * `setActiveHooks(ActiveHooks.FILTER_CONTACT_PAIRS)`. Answers count for the two bodies; the collider with the hook has to be convex.
 */
export function useFilterContactPair(call: FilterContactPairCallback): void {
  const { filters } = useTalus();
  useHook(filters.contacts, call);
}

/**
 * Asks `call` when a collider begins to overlap a sensor, where one of the two has
 * `setActiveHooks(ActiveHooks.FILTER_INTERSECTION_PAIRS)`; without a yes no handler hears of this overlap.
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
