// Cross-origin isolation, which threads and a fine clock need, where the host sends no headers: the service worker of public/isolation.js adds
// them, from the next load on.

/** Lets the service worker take over; nothing where there can be none. */
export function registerIsolation(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator) || !isSecureContext || crossOriginIsolated) return Promise.resolve(null);
  return navigator.serviceWorker.register('./isolation.js').catch(() => null);
}

/** Reloads have been tried in this tab. */
const KEY = 'talus-isolation-reload';
/** ms that a page waits for its service worker. */
const PATIENCE = 5000;

/**
 * Isolates a page that has done nothing yet by reloading it, once. True: a reload is under way. False: the page is isolated, or nothing here
 * can make it so.
 */
export async function isolateByReload(): Promise<boolean> {
  if (crossOriginIsolated || window.top !== window) return false;
  try {
    if (sessionStorage.getItem(KEY)) return false;
    const registration = await registerIsolation();
    if (!registration) return false;
    const waited = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE));
    if (!(await Promise.race([navigator.serviceWorker.ready, waited]))) return false;
    sessionStorage.setItem(KEY, '1');
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/** Why this page has no threads, and how to get them; '' where it has. */
export function isolationHelp(): string {
  if (crossOriginIsolated) return '';
  if (!isSecureContext) return 'The page came by plain http. Open it by https://, or from localhost.';
  if (window.top !== window) return 'The page stands in a frame of another page. Open it in a tab of its own.';
  if (!('serviceWorker' in navigator))
    return 'This window allows no service worker, which would isolate the page; private windows of some browsers do not. Open it in an ordinary window.';
  return 'Load the page again: its service worker then adds the two headers that isolation takes. Shift and reload would go past it.';
}
