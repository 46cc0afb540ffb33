// How a call of the table is made, and how a script writes it: a method of the world, or one of what stands on a world (characters,
// vehicles, rigs).
import { Character, Vehicle } from '../../../src/controllers/index';
import { createChain, createNet, createRagdoll, createRope } from '../../../src/rigs/index';
import type { Any } from './draw';

const CLASSES: Record<string, Any> = { 'new Character': Character, 'new Vehicle': Vehicle };
const FUNCTIONS: Record<string, Any> = { createChain, createNet, createRagdoll, createRope };

/** Whether a call is a method of the world. */
export const isOfWorld = (method: string): boolean =>
  !method.includes('.') && CLASSES[method] === undefined && FUNCTIONS[method] === undefined;

/** Makes a call. Of a name such as `character.walk` the first argument is the object. */
export function invoke(world: Any, method: string, args: readonly Any[]): Any {
  if (CLASSES[method]) return new CLASSES[method](world, ...args);
  if (FUNCTIONS[method]) return FUNCTIONS[method](world, ...args);
  const [, member] = method.split('.');
  if (member === undefined) return world[method](...args);
  const [object, ...rest] = args;
  if (member === 'controls=') return Object.assign(object.controls, rest[0]);
  if (member.endsWith('=')) {
    object[member.slice(0, -1)] = rest[0];
    return undefined;
  }
  return object[member](...rest);
}

/** The same as JavaScript. */
export function invokeText(method: string, args: readonly string[]): string {
  const list = args.join(', ');
  if (CLASSES[method] || FUNCTIONS[method]) return `${method}(world, ${list})`;
  const [, member] = method.split('.');
  if (member === undefined) return `${method === 'stepAsync' || method === 'clone' ? 'await ' : ''}world.${method}(${list})`;
  const [object, ...rest] = args;
  if (member === 'controls=') return `Object.assign(${object}.controls, ${rest[0]})`;
  if (member.endsWith('=')) return `${object}.${member.slice(0, -1)} = ${rest[0]}`;
  return `${object}.${member}(${rest.join(', ')})`;
}
