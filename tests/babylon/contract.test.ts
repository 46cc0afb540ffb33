// What Babylon.js asks of a physics plugin is what talus/babylon was written for: contract.txt lists the members of
// IPhysicsEnginePluginV2. A version of Babylon.js that adds or changes one, or that calls something else, fails here by its name.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TalusPlugin } from '../../src/babylon/index';
import { calledIn, differences, membersOf } from '../helpers/declarations';
import { onTalus, type Setup } from './scenes';

const folder = resolve(import.meta.dirname, '../../node_modules/@babylonjs/core/Physics');
const known = readFileSync(join(import.meta.dirname, 'contract.txt'), 'utf8')
  .trim()
  .split('\n');
const declared = membersOf(join(folder, 'v2/IPhysicsEnginePlugin.d.ts'), 'IPhysicsEnginePluginV2');
let setup: Setup & { talus: TalusPlugin };
beforeAll(async () => {
  setup = await onTalus();
});
afterAll(() => setup.scene.dispose());

test('the interface is declared as it was written for', () => {
  expect(differences([...declared.values()], known)).toEqual([]);
});

test('the plugin has each member', () => {
  expect([...declared.keys()].filter((name) => !(name in setup.talus))).toEqual([]);
});

test('the plugin has what HavokPlugin has beside the interface', () => {
  const members = [...membersOf(join(folder, 'v2/Plugins/havokPlugin.d.ts'), 'HavokPlugin').keys()];
  expect(members.length).toBeGreaterThan(90);
  expect(members.filter((name) => !name.startsWith('_') && !(name in setup.talus))).toEqual([]);
});

test('physics of Babylon.js calls nothing else of a plugin', () => {
  const isPlugin = (path: string): boolean => /havokPlugin/i.test(path) || dirname(path).startsWith('v1');
  const called = calledIn(folder, /\b(?:_?physicsPlugin|_?plugin|hk)\??\.(_?\w+)/g, (path) => !isPlugin(path));
  expect(called.length).toBeGreaterThan(60);
  const havok = calledIn(folder, /\b_?hknp\.(\w+)/g, (path) => !isPlugin(path));
  expect(havok.length).toBeGreaterThan(5);
  expect(called.filter((name) => !(name in setup.talus))).toEqual([]);
  expect(havok.filter((name) => !(name in setup.talus._hknp))).toEqual([]);
});
