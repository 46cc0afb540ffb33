// Runs before each live example of the site, and gives the page what an example leaves out to stay short: the theme of the site, rest while
// nobody sees it, a camera that fits a tall screen, a wheel that scrolls the page around, and buttons for fingers.
import { Color, MathUtils, Scene } from 'three';
import { createPad } from './pad.js';

const page = document.documentElement;
const embedded = window.parent !== window;

// Theme: the choice on the site, else the system's. A change on the page around reaches this one as an event of the storage.
const system = matchMedia('(prefers-color-scheme: dark)');
function chooseTheme() {
  let chosen = null;
  try {
    chosen = localStorage.getItem('talus-theme');
  } catch {} // refused by the browser: the system decides
  page.dataset.theme = chosen ?? (system.matches ? 'dark' : 'light');
}
addEventListener('storage', chooseTheme);
system.addEventListener('change', chooseTheme);
chooseTheme();

/** Colors of the examples that make up their surroundings, and what they are in the dark. */
const DARK = {
  dfe6ec: '#161b22', // sky, fog
  b0bdc8: '#414c59', // ground
  '94a3b0': '#5b6876', // fixed things
  '2f3e4d': '#8496a8', // dark paint, which would vanish
  '26323d': '#dfe5ec', // lines
};
const nightOf = new Map(Object.entries(DARK).map(([day, night]) => [day, new Color(night)]));
/** Colors as the example set them, by the object that holds them. */
const days = new WeakMap();

function paint(color, dark) {
  const day = days.get(color) ?? days.set(color, color.clone()).get(color);
  color.copy((dark && nightOf.get(day.getHexString())) || day);
}
function paintMaterial(material, dark) {
  if (!material.color) return;
  if (!material.isLineBasicMaterial) paint(material.color, dark);
  else if (material.vertexColors) material.color.setScalar(dark ? 0.35 : 1); // grids
}
function paintScene(scene, dark) {
  if (scene.background?.isColor) paint(scene.background, dark);
  if (scene.fog) paint(scene.fog.color, dark);
  scene.traverse((object) => {
    if (object.isLight) {
      object.userData.day ??= object.intensity;
      object.intensity = object.userData.day * (dark ? 0.75 : 1);
    }
    for (const material of [object.material ?? []].flat()) paintMaterial(material, dark);
  });
}

/** A tall screen sees as much to the sides as one of 4 : 3. */
function fit(camera) {
  if (!camera.isPerspectiveCamera) return;
  camera.userData.fov ??= camera.fov;
  const wide = Math.tan(MathUtils.degToRad(camera.userData.fov / 2));
  const fov = 2 * MathUtils.radToDeg(Math.atan(wide * Math.max(1, 4 / 3 / camera.aspect)));
  if (Math.abs(fov - camera.fov) < 0.01) return;
  camera.fov = Math.min(fov, 95);
  camera.updateProjectionMatrix();
}

const painted = new WeakMap();
Scene.prototype.onBeforeRender = (_, scene, camera) => {
  const { theme } = page.dataset;
  // Objects come and go: what is new is painted with the rest.
  const key = `${theme} ${scene.children.length}`;
  if (painted.get(scene) !== key) paintScene(scene, theme === 'dark');
  painted.set(scene, key);
  fit(camera);
};

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
