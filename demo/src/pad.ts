// Steering: keys and a pad of buttons for fingers, mouse and screen readers, as one state of what is held down.
import type { Input } from '../../scenes/act';

export type Steer = 'walk' | 'drive';
type Action = 'left' | 'right' | 'ahead' | 'back' | 'up' | 'down';

const KEYS: Readonly<Record<string, Action>> = {
  w: 'ahead',
  a: 'left',
  s: 'back',
  d: 'right',
  ArrowUp: 'ahead',
  ArrowLeft: 'left',
  ArrowDown: 'back',
  ArrowRight: 'right',
  ' ': 'up',
  c: 'down',
};
/** Buttons of the pad in two groups, for the left and the right thumb: sign and name. */
const BUTTONS: Readonly<Record<Steer, readonly (readonly (readonly [Action, string, string])[])[]>> = {
  walk: [
    [
      ['ahead', '\u2191', 'Ahead'],
      ['left', '\u2190', 'Left'],
      ['back', '\u2193', 'Back'],
      ['right', '\u2192', 'Right'],
    ],
    [
      ['down', 'Crouch', 'Crouch'],
      ['up', 'Jump', 'Jump'],
    ],
  ],
  drive: [
    [
      ['left', '\u2190', 'Left'],
      ['right', '\u2192', 'Right'],
    ],
    [
      ['back', 'Brake', 'Brake, then backwards'],
      ['ahead', 'Gas', 'Gas'],
    ],
  ],
};
const NAMES: Readonly<Record<Steer, string>> = { walk: 'Walk', drive: 'Drive' };

export class Pad {
  private kind: Steer | null = null;
  /** What is held, by key or pointer. */
  private readonly held = new Map<string, Action>();

  constructor(private readonly element: HTMLElement) {
    addEventListener('keyup', (event) => this.held.delete(nameOf(event)));
    addEventListener('blur', () => this.held.clear());
  }

  /** Shows the pad for what is to be steered, or none. */
  show(kind: Steer | null): void {
    this.held.clear();
    this.element.hidden = kind === null;
    if (kind === this.kind) return;
    this.kind = kind;
    this.element.replaceChildren();
    if (kind === null) return;
    this.element.setAttribute('aria-label', NAMES[kind]);
    this.element.dataset.kind = kind;
    for (const group of BUTTONS[kind]) {
      const div = document.createElement('div');
      for (const [action, sign, name] of group) div.append(this.button(action, sign, name));
      this.element.append(div);
    }
  }

  private button(action: Action, sign: string, name: string): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = sign;
    button.dataset.action = action;
    if (sign !== name) button.setAttribute('aria-label', name);
    const from = (id: number) => `pointer ${id} ${action}`;
    const press = (event: PointerEvent) => {
      // A finger may go on to the next button.
      if (button.hasPointerCapture(event.pointerId)) button.releasePointerCapture(event.pointerId);
      if (event.buttons !== 0) this.held.set(from(event.pointerId), action);
    };
    const release = (event: PointerEvent) => this.held.delete(from(event.pointerId));
    button.addEventListener('pointerdown', press);
    button.addEventListener('pointerenter', press);
    for (const end of ['pointerup', 'pointerleave', 'pointercancel'] as const) button.addEventListener(end, release);
    button.addEventListener('contextmenu', (event) => event.preventDefault());
    // By keyboard, as long as the key is down; by a screen reader's click, for a moment.
    button.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === ' ') this.held.set(nameOf(event), action);
    });
    button.addEventListener('click', (event) => {
      if (event.detail !== 0 || [...this.held.values()].includes(action)) return;
      this.held.set(from(-1), action);
      setTimeout(() => this.held.delete(from(-1)), 500);
    });
    return button;
  }

  /** Takes a key that steers; false if it means something else. */
  key(event: KeyboardEvent): boolean {
    const action = KEYS[nameOf(event)];
    if (this.kind === null || action === undefined || event.shiftKey) return false;
    this.held.set(nameOf(event), action);
    return true;
  }

  /** Writes what is held to an act. */
  write(input: Input, yaw: number): void {
    const actions = new Set(this.held.values());
    const axis = (plus: Action, minus: Action) => Number(actions.has(plus)) - Number(actions.has(minus));
    input.right = axis('right', 'left');
    input.ahead = axis('ahead', 'back');
    input.up = actions.has('up');
    input.down = actions.has('down');
    input.yaw = yaw;
  }
}

const nameOf = (event: KeyboardEvent) => (event.key.length === 1 ? event.key.toLowerCase() : event.key);
