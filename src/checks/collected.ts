// Errors of callbacks, collected so that one that throws keeps no other from being called.

/** Throws what callbacks have thrown: nothing, the one error, or all of them as an AggregateError with `message`. */
export function throwCollected(errors: readonly unknown[], message: string): void {
  if (errors.length > 1) throw new AggregateError(errors, message);
  if (errors.length === 1) throw errors[0];
}
