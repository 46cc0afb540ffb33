// What PlayCanvas asks of a physics world (AppOptions.physicsWorld, @alpha) is what talus/playcanvas was written for. contract.txt lists
// the members; a version of PlayCanvas that adds, changes or calls another one fails here by its name. `npm run try:playcanvas` runs this
// and the other tests of the folder with each version that is published.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as pc from 'playcanvas';
import { afterEach, expect, test } from 'vitest';
import { TalusPhysicsWorld } from '../../src/playcanvas/index';
import { calledIn, differences, membersOf } from '../helpers/declarations';
import { type Setup, start } from './app';

/** The package that `playcanvas` stands for in this run. */
const folder = process.env.TALUS_PLAYCANVAS ?? resolve(import.meta.dirname, '../../node_modules/playcanvas');
const framework = join(folder, 'build/playcanvas/src/framework');
const known = readFileSync(join(import.meta.dirname, 'contract.txt'), 'utf8')
  .trim()
  .split('\n');
const ofType = (type: string): string[] => known.filter((line) => line.startsWith(`${type}: `));
const nameOf = (line: string): string => /: (?:get )?(\w+)/.exec(line)![1]!;
const namesOf = (type: string): string[] => ofType(type).map(nameOf);

const TYPES = {
  PhysicsWorld: 'physics-world',
  PhysicsBody: 'physics-body',
  PhysicsJoint: 'physics-joint',
  PhysicsBodyDesc: 'physics-world',
  PhysicsShapeDesc: 'physics-world',
  PhysicsMeshSource: 'physics-world',
  PhysicsJointDesc: 'physics-world',
  PhysicsJointSettings: 'physics-world',
  PhysicsContactPair: 'physics-world',
  PhysicsContactListener: 'physics-world',
};
/** Set by PlayCanvas, or nothing to do: contacts are told within `step`. */
const LEFT_TO_BASE = ['contactListener', 'flushContacts'];
/** Handles of ammo.js, which PlayCanvas reads only if they are there. */
const OF_AMMO = ['collisionConfiguration', 'dispatcher', 'overlappingPairCache', 'solver'];

let setup: Setup | null = null;
afterEach(() => {
  setup?.app.destroy();
  setup = null;
});
/** Members of an object and its classes, but for those of Object. */
function ownOf(value: object): string[] {
  const names = new Set<string>();
  for (let at = value; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) if (name !== 'constructor') names.add(name);
  }
  return [...names].sort();
}

test('the installed version is one that is supported', () => {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(pc.version).toBe(version);
  const [major, minor] = version.split('.').map(Number);
  expect(major).toBe(2);
  expect(minor).toBeGreaterThanOrEqual(23);
});

test.each(Object.entries(TYPES))('%s is declared as it was written for', (type, file) => {
  const declared = [...membersOf(join(framework, `physics/${file}.d.ts`), type).values()].map((text) => `${type}: ${text}`);
  expect(declared.length).toBeGreaterThan(0);
  expect(differences(declared, ofType(type))).toEqual([]);
});

test('the classes have the members that are declared', () => {
  const world = new pc.PhysicsWorld();
  expect(differences(ownOf(world), namesOf('PhysicsWorld'))).toEqual([]);
  expect(differences(ownOf(world.createBody({} as never)), namesOf('PhysicsBody'))).toEqual([]);
  expect(differences(ownOf(world.createJoint({} as never)), namesOf('PhysicsJoint'))).toEqual([]);
});

test('ours have each of them, of their own', async () => {
  setup = await start();
  const isMissing = (has: (name: string) => boolean, type: string) => namesOf(type).filter((name) => !has(name));
  const world = [...Object.getOwnPropertyNames(TalusPhysicsWorld.prototype), ...LEFT_TO_BASE];
  expect(isMissing((name) => world.includes(name) || name === 'nativeWorld', 'PhysicsWorld')).toEqual([]);
  const shape = setup.physics.createShape({ type: 'sphere', radius: 1 });
  const [position, rotation] = [new pc.Vec3(), new pc.Quat()];
  const body = setup.physics.createBody({ type: 'dynamic', mass: 1, shape, position, rotation, entity: null });
  const settings = Object.fromEntries(namesOf('PhysicsJointSettings').map((name) => [name, 0])) as never;
  const frames = { frameA: new pc.Mat4(), frameB: new pc.Mat4() };
  const joint = setup.physics.createJoint({
    type: 'fixed',
    bodyA: body,
    bodyB: null,
    ...frames,
    enableCollision: true,
    settings,
  });
  expect(isMissing((name) => name in body, 'PhysicsBody')).toEqual([]);
  expect(isMissing((name) => name in joint, 'PhysicsJoint')).toEqual([]);
  setup.physics.destroyJoint(joint);
  setup.physics.destroyBody(body);
  setup.physics.destroyShape(shape);
});

test('components call nothing else', () => {
  const counts = (path: string): boolean => /^(app-base\.js|components.(rigid-body|collision|joint).)/.test(path);
  const called = (pattern: RegExp): string[] => calledIn(framework, pattern, counts);
  const extra = (names: readonly string[], known: readonly string[]) => names.filter((name) => !known.includes(name));
  const world = called(/(?<!\/)(?:physicsWorld|\b_?world)\??\.(\w+)/g);
  expect(world.length).toBeGreaterThan(15);
  // `js` is of names of files.
  expect(extra(world, [...namesOf('PhysicsWorld'), ...OF_AMMO, 'js'])).toEqual([]);
  const body = called(/\b_?body[AB]?\??\.(\w+)/g);
  // `on` and `_body` are of the rigid body component.
  expect(extra(body, [...namesOf('PhysicsBody'), 'on', '_body'])).toEqual([]);
  expect(extra(called(/\b_joint\??\.(\w+)/g), namesOf('PhysicsJoint'))).toEqual([]);
});

test('collisions, bodies, joints and motions are of the types that are known', () => {
  const source = readFileSync(join(framework, 'components/collision/system.js'), 'utf8');
  const table = /const collisionImpls = \{([\s\S]*?)\n\};/.exec(source)![1]!;
  const types = [...table.matchAll(/^\t(\w+): \{/gm)].map(([, name]) => name!);
  expect(differences(types, ['box', 'sphere', 'capsule', 'cylinder', 'cone', 'mesh', 'compound'])).toEqual([]);
  const values = (prefix: string): string[] =>
    Object.entries(pc)
      .filter(([name]) => name.startsWith(prefix))
      .map(([, value]) => String(value));
  expect(differences(values('BODYTYPE_'), ['static', 'dynamic', 'kinematic'])).toEqual([]);
  expect(differences(values('JOINTTYPE_'), ['fixed', 'ball', 'hinge', 'slider', '6dof'])).toEqual([]);
  expect(differences(values('MOTION_'), ['free', 'limited', 'locked'])).toEqual([]);
});
