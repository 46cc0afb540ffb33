/** Throws with `what` if something does not hold: as `expect`, which is slow where a walk asks a million times. */
export function hold(is: boolean, what: string): void {
  if (!is) throw new Error(what);
}
