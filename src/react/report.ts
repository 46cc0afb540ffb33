// Console output of components: errors of one body, which is then left out while the rest of the scene goes on, and warnings,
// each once.
import { TalusError } from '../index';

/** Returns the name of a component in messages: `<RigidBody name="crate">`. */
export function labelOf(component: string, name?: string): string {
  return name ? `<${component} name="${name}">` : `<${component}>`;
}

const reported = new Set<string>();

/**
 * Logs an error with the name of its component and its code, each text once, because StrictMode mounts twice. Errors about a
 * disposed world are ignored.
 */
export function report(label: string, error: unknown, outcome: string): void {
  const isOurs = error instanceof TalusError;
  if (isOurs && error.code === 'disposed') return;
  const text = `talus/react: ${label}: ${isOurs ? `${error.message} (${error.code})` : String(error)}; ${outcome}`;
  if (reported.has(text)) return;
  reported.add(text);
  if (isOurs) console.error(text);
  else console.error(text, error);
}

/** Runs a function and reports its errors; returns null then. */
export function guarded<T>(label: string, outcome: string, call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    report(label, error, outcome);
    return null;
  }
}

const warned = new Set<string>();

/** Logs a warning the first time that its key comes. */
export function warnOnce(key: string, text: string): void {
  if (warned.has(key)) return;
  warned.add(key);
  console.warn(`talus/react: ${text}`);
}
