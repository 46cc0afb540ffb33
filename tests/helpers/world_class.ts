// The class World as tests list it: the classes of its chain (src/world/), and the text of their sources.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../../src/world');

/** Prototypes of a class and of those it extends, without that of Object. */
export function prototypesOf(made: { prototype: object }): object[] {
  const chain: object[] = [];
  for (let at = made.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at)) chain.push(at);
  return chain;
}

/** Names of all methods and getters of a class, with those it inherits. */
export function membersOf(made: { prototype: object }): string[] {
  return [...new Set(prototypesOf(made).flatMap((prototype) => Object.getOwnPropertyNames(prototype)))];
}

/** The sources of World, a file each. */
export function worldSources(): string[] {
  const texts = readdirSync(folder)
    .sort()
    .map((name) => readFileSync(resolve(folder, name), 'utf8'));
  return texts.filter((text) => /^export (abstract )?class \w*World\b/m.test(text));
}
