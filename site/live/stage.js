// Runs before each live example of the site, and gives the page what an example leaves out to stay short: the theme of the site, rest while
// nobody sees it, a camera that fits a tall screen, a wheel that scrolls the page around, and buttons for fingers.
import { createPad } from './pad.js';
import { stage } from './theme.js';

const page = document.documentElement;
const embedded = window.parent !== window;

// Theme: the choice on the site, else the system's. A change on the page around reaches this one as an event of the storage; workers of
// the example, which have no storage, hear of it on a channel.
const channel = new BroadcastChannel('talus-theme');
const system = matchMedia('(prefers-color-scheme: dark)');
function chooseTheme() {
  let chosen = null;
  try {
    chosen = localStorage.getItem('talus-theme');
  } catch {} // refused by the browser: the system decides
  stage.theme = chosen ?? (system.matches ? 'dark' : 'light');
  page.dataset.theme = stage.theme;
  channel.postMessage(stage.theme);
}
channel.addEventListener('message', ({ data }) => data === 'ask' && channel.postMessage(stage.theme));
addEventListener('storage', chooseTheme);
system.addEventListener('change', chooseTheme);
chooseTheme();

// Frames are drawn only while the page is in sight; for the example no time passes meanwhile.
const request = window.requestAnimationFrame.bind(window);
let seen = true;
let lost = 0; // ms out of sight
let since = 0;
let waiting = [];
window.requestAnimationFrame = (call) => {
  if (seen) return request((now) => (seen ? call(now - lost) : waiting.push(call)));
  waiting.push(call);
  return 0;
};
new IntersectionObserver((entries) => {
  const sight = entries.at(-1).isIntersecting;
  if (sight === seen) return;
  seen = sight;
  const now = performance.now();
  if (!seen) {
    since = now;
    return;
  }
  lost += now - since;
  const calls = waiting;
  waiting = [];
  for (const call of calls) window.requestAnimationFrame(call);
}).observe(page);
globalThis.talusStage = {
  get seen() {
    return seen;
  },
};

// The page around scrolls by wheel and finger until this one was clicked.
if (embedded) {
  document.body.classList.add('embedded');
  const hold = () => document.body.classList.toggle('held', document.hasFocus());
  addEventListener('focus', hold);
  addEventListener('blur', hold);
  addEventListener('wheel', (event) => document.hasFocus() || event.stopImmediatePropagation(), { capture: true, passive: true });
}

const { pad } = document.body.dataset;
if (pad) {
  document.body.append(createPad(pad));
  // These keys would scroll the page around.
  addEventListener('keydown', (event) => /^(Arrow|Space)/.test(event.code) && event.preventDefault());
}
