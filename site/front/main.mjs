// What moves on the front page, begun late: nothing is loaded until the page is painted and idle and a picture is in sight, and nothing
// at all for visitors who want little motion (a button runs the pile), or without SIMD in WebAssembly or WebGL 2; they keep the still
// pictures.

/** The smallest module with an instruction of SIMD. */
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

const theme = () => {
  const { theme } = document.documentElement.dataset;
  return theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
};
/** What runs, by the id of its canvas; for tests and for site/shots.mjs too. */
const running = {};
globalThis.talusFront = running;
const idle = (call) => (globalThis.requestIdleCallback ? requestIdleCallback(call, { timeout: 2000 }) : setTimeout(call, 200));

/** Starts a picture when its canvas is first in sight, and tells it from then on whether it is; its button pauses it. */
function whenSeen(canvas, start) {
  let state = null;
  let seen = false;
  let isPaused = false;
  const button = document.querySelector(`[data-pauses="${canvas.id}"]`);
  button?.addEventListener('click', () => {
    isPaused = !isPaused;
    button.textContent = isPaused ? 'Play' : 'Pause';
    state.setSeen(seen && !isPaused);
  });
  new IntersectionObserver(
    async (entries) => {
      seen = entries.at(-1).isIntersecting;
      if (state) state.setSeen(seen && !isPaused);
      else if (seen && !canvas.dataset.state) {
        canvas.dataset.state = 'loading';
        try {
          state = await start(canvas);
          running[canvas.id] = state;
          state.setTheme(theme());
          state.setSeen(seen);
          canvas.dataset.state = 'running';
          if (button) button.hidden = false;
        } catch (error) {
          // The still picture stays.
          canvas.dataset.state = 'failed';
          console.warn(error);
        }
      }
    },
    { threshold: 0.2 },
  ).observe(canvas);
}

function beginPile() {
  whenSeen(document.querySelector('#pile'), async (canvas) => {
    const { startHero } = await import('./hero.mjs');
    const made = await startHero(canvas, document.querySelector('#pile-line'), theme());
    again.textContent = 'Pour again';
    again.hidden = false;
    again.addEventListener('click', () => made.drop());
    return made;
  });
  const retheme = () => {
    for (const one of Object.values(running)) one.setTheme(theme());
  };
  new MutationObserver(retheme).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', retheme);
}

function begin() {
  beginPile();
  for (const canvas of document.querySelectorAll('canvas[data-recording]'))
    whenSeen(canvas, async (one) => (await import('./claims.mjs')).startClaim(one, theme()));
  whenSeen(document.querySelector('#rollback'), async (canvas) => {
    const { startRollback } = await import('./rollback.mjs');
    return startRollback(canvas, document.querySelector('#rollback-line'), theme());
  });
}

const again = document.querySelector('#pile-again');
const wantsMotion = !matchMedia('(prefers-reduced-motion: reduce)').matches;
if (WebAssembly.validate(new Uint8Array(SIMD))) {
  if (!wantsMotion) {
    // The pile runs for who asks for it.
    again.textContent = 'Run it';
    again.hidden = false;
    again.addEventListener('click', beginPile, { once: true });
  } else if (document.readyState === 'complete') idle(begin);
  else addEventListener('load', () => idle(begin));
}
