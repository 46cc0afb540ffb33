// Buttons for fingers on live examples that are steered by keys: each is a key that is down while a finger is on it.

/** Buttons in two groups, for the left and the right thumb: code of the key, sign, name, place in the cross. */
const PADS = {
  walk: [
    [
      ['KeyW', '↑', 'Ahead', 'up'],
      ['KeyA', '←', 'Left', 'left'],
      ['KeyS', '↓', 'Back', 'down'],
      ['KeyD', '→', 'Right', 'right'],
    ],
    [['Space', 'Jump', 'Jump']],
  ],
  drive: [
    [
      ['KeyA', '←', 'Left'],
      ['KeyD', '→', 'Right'],
    ],
    [
      ['KeyS', 'Back', 'Backwards'],
      ['KeyW', 'Gas', 'Gas'],
    ],
  ],
};

function createButton(code, sign, name, place) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = sign;
  button.setAttribute('aria-label', name);
  if (place) button.style.gridArea = place;
  const send = (type) => {
    const isDown = type === 'keydown';
    if (button.classList.contains('pressed') === isDown) return;
    button.classList.toggle('pressed', isDown);
    const key = code === 'Space' ? ' ' : code.slice(-1).toLowerCase();
    button.dispatchEvent(new KeyboardEvent(type, { code, key, bubbles: true }));
  };
  const press = (event) => {
    // A finger may slide on to the next button.
    if (button.hasPointerCapture(event.pointerId)) button.releasePointerCapture(event.pointerId);
    event.stopPropagation();
    if (event.buttons !== 0) send('keydown');
  };
  button.addEventListener('pointerdown', press);
  button.addEventListener('pointerenter', press);
  for (const end of ['pointerup', 'pointerleave', 'pointercancel']) button.addEventListener(end, () => send('keyup'));
  button.addEventListener('contextmenu', (event) => event.preventDefault());
  return button;
}

/** The pad of a kind: 'walk' or 'drive'. */
export function createPad(kind) {
  const pad = document.createElement('div');
  pad.className = 'pad';
  for (const group of PADS[kind]) {
    const div = document.createElement('div');
    if (group[0][3]) div.className = 'cross';
    for (const button of group) div.append(createButton(...button));
    pad.append(div);
  }
  return pad;
}
