// Player input as character and vehicle components take it: named keys and a stick. The getter of drei's `useKeyboardControls` returns
// such an object, too.
import { TalusError } from '../index';

/** State of a key: pressed or not, or a trigger's travel from 0 to 1. */
export type Key = boolean | number;

/** Input that characters and vehicles share. */
export interface MoveInput {
  forward?: Key;
  backward?: Key;
  leftward?: Key;
  rightward?: Key;
  /** A stick, beside the keys: x to the right, y ahead, -1 to 1. */
  joystick?: { x: number; y: number };
}

/** Input, or a function that returns it; components call it before each step. */
export type InputSource<T extends MoveInput> = T | (() => T);

/** Travel of a key, 0 to 1. */
export function down(key: Key | undefined, name: string): number {
  if (key === undefined || key === false) return 0;
  if (key === true) return 1;
  if (typeof key === 'number' && key >= 0 && key <= 1) return key;
  throw new TalusError('invalid-argument', `input.${name} must be true, false or a number from 0 to 1, not ${String(key)}`);
}

/** Reads the current input. */
export function readInput<T extends MoveInput>(source: InputSource<T>): T {
  const input = typeof source === 'function' ? source() : source;
  if (input === null || typeof input !== 'object')
    throw new TalusError('invalid-argument', 'input must be an object of keys, or a function that returns one');
  return input;
}

/** Amounts to the right and ahead. `round` limits their length to 1, otherwise each of them is limited to 1. */
export function readMove(input: MoveInput, round: boolean): [right: number, ahead: number] {
  const { joystick } = input;
  let right = down(input.rightward, 'rightward') - down(input.leftward, 'leftward');
  let ahead = down(input.forward, 'forward') - down(input.backward, 'backward');
  if (joystick !== undefined) {
    if (!Number.isFinite(joystick?.x) || !Number.isFinite(joystick?.y))
      throw new TalusError('invalid-argument', 'input.joystick must be { x, y }, numbers from -1 to 1');
    right += joystick.x;
    ahead += joystick.y;
  }
  const most = round ? Math.hypot(right, ahead) : Math.max(Math.abs(right), Math.abs(ahead));
  return most > 1 ? [right / most, ahead / most] : [right, ahead];
}
