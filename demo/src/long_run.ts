// What a measurement on a page needs around it: one at a time over all tabs, the tab in front, and its time in words.

/** Over all pages of the demo. */
const LOCK = 'talus-profile';

/** Minutes and seconds. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Until the tab is in front: a browser gives hidden ones little time. */
export async function untilVisible(signal: AbortSignal): Promise<void> {
  while (document.hidden && !signal.aborted) {
    await new Promise<void>((resolve) => {
      const go = () => {
        document.removeEventListener('visibilitychange', go);
        signal.removeEventListener('abort', go);
        resolve();
      };
      document.addEventListener('visibilitychange', go);
      signal.addEventListener('abort', go);
    });
  }
}

/** Runs a task that no other tab of this page runs at the same time; false, and nothing done, if one does. */
export async function alone(task: () => Promise<void>): Promise<boolean> {
  if (!navigator.locks) {
    await task();
    return true;
  }
  return navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock) await task();
    return lock !== null;
  });
}
