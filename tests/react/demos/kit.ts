// What demos give to the page that runs them, and what they get from it.
import type { ReactNode } from 'react';
import type { RapierContext } from 'talus/react';

/** What a demo finds out about itself. */
export interface Stage {
  rapier(): RapierContext;
  /** Resolves after so many steps from now on. */
  steps(count: number): Promise<void>;
  /** Resolves when a condition holds; throws after a generous while. */
  until(condition: () => unknown): Promise<void>;
  pause(isPaused: boolean): void;
}

/** Components, props and hooks as users of react-three-rapier write them, and what has to come of it: each claim by its words. */
export interface Demo {
  Scene: () => ReactNode;
  verify(stage: Stage): Promise<Record<string, boolean>>;
}

export const near = (a: number, b: number, within: number) => Math.abs(a - b) < within;
