// What components say in the console: errors of one body, which is then left out while the rest of the scene goes on, and warnings, each once.
import { TalusError } from '../index';

/** A component as messages name it: `<RigidBody name="crate">`. */
export function labelOf(component: string, name?: string): string {
  return name ? `<${component} name="${name}">` : `<${component}>`;
}

const reported = new Set<string>();

/** Writes an error with the name of its component and its code, each text once: StrictMode mounts twice. A world that is gone is no error. */
export function report(label: string, error: unknown, outcome: string): void {
  const isOurs = error instanceof TalusError;
  if (isOurs && error.code === 'disposed') return;
  const text = `talus/react: ${label}: ${isOurs ? `${error.message} (${error.code})` : String(error)}; ${outcome}`;
  if (reported.has(text)) return;
  reported.add(text);
  if (isOurs) console.error(text);
  else console.error(text, error);
}

/** Does what makes or changes something, and reports what it throws; null then. */
export function guarded<T>(label: string, outcome: string, call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    report(label, error, outcome);
    return null;
  }
}

const warned = new Set<string>();

/** Writes a warning the first time that its key comes. */
export function warnOnce(key: string, text: string): void {
  if (warned.has(key)) return;
  warned.add(key);
  console.warn(`talus/react: ${text}`);
}
