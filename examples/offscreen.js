// World in a worker of your own: physics and three.js both live there and draw to an OffscreenCanvas. The page can stall, they go on.
const canvas = document.createElement('canvas');
canvas.style.cssText = 'display:block;width:100vw;height:100vh;touch-action:none';
document.body.append(canvas);

// Bundlers know this line: they bundle the other file, offscreen.worker.js, with talus and three.js in it.
const worker = new Worker(new URL('./offscreen.worker.js', import.meta.url), { type: 'module' });
// From here on the canvas is the worker's. It is handed over, not copied: hence the list at the end.
const surface = canvas.transferControlToOffscreen();
const size = () => ({ width: innerWidth, height: innerHeight, ratio: devicePixelRatio });
worker.postMessage({ kind: 'start', canvas: surface, ...size() }, [surface]);
addEventListener('resize', () => worker.postMessage({ kind: 'resize', ...size() }));

// A worker has no events of the page: pass on what it needs, as plain numbers.
addEventListener('pointermove', ({ buttons, movementX, movementY }) => {
  if (buttons) worker.postMessage({ kind: 'turn', x: movementX, y: movementY });
});
addEventListener('dblclick', ({ clientX, clientY }) => {
  worker.postMessage({ kind: 'blast', x: (2 * clientX) / innerWidth - 1, y: 1 - (2 * clientY) / innerHeight });
});

const note = document.createElement('p');
note.style.cssText = 'position:fixed;left:5%;bottom:48px;margin:0;font:14px system-ui;color:#26323d';
const stall = document.createElement('button');
stall.textContent = 'Stall the page for two seconds';
stall.style.cssText = 'position:fixed;left:5%;bottom:16px;font:14px system-ui';
stall.addEventListener('click', () => {
  const end = performance.now() + 2000;
  while (performance.now() < end);
});
document.body.append(note, stall);
// The worker sends numbers for the page to show. It sends no poses, since the page draws nothing of the scene.
worker.addEventListener('message', ({ data: { bodies, sleeping, ms } }) => {
  note.textContent = `${bodies} bodies, ${sleeping} asleep, ${ms.toFixed(1)} ms a step`;
});
worker.addEventListener('error', ({ message }) => {
  note.textContent = message;
});
