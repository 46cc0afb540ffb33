// Words of other engines: the errors and docs/migrate.md come from one table, and what it names exists.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { oursOf, WORDS } from '../../src/checks/words';
import { createWorld } from '../../src/index';

const guide = readFileSync(new URL('../../docs/migrate.md', import.meta.url), 'utf8');

test('docs/migrate.md has the table of the errors', () => {
  const section = guide.slice(guide.indexOf('## Words'), guide.indexOf('## Rapier'));
  const told = Array.from(section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm), ([, theirs, ours]) => [theirs, ours]);
  const cells = Object.entries(WORDS).map(([theirs, entry]) => {
    const { words, more } = oursOf(entry);
    return [theirs, words.map((word) => `\`${word}\``).join(', ') + (more && `: ${more}`)];
  });
  expect(told).toEqual(cells);
});

type World = Awaited<ReturnType<typeof createWorld>>;
type Shape = ReturnType<World['createShape']>;
// biome-ignore lint/suspicious/noExplicitAny: what is given is wrong on purpose
type Wrong = any;

test.each<[string, (world: World, shape: Shape) => unknown, RegExp]>([
  ['a shape', (world) => world.createShape({ type: 'trimesh' } as Wrong), /did you mean 'mesh'\?/],
  ['a field', (world) => world.createShape({ type: 'hull', vertices: [] } as Wrong), /did you mean 'points'\?/],
  [
    'a height',
    (world) => world.createShape({ type: 'capsule', radius: 1, height: 2 } as Wrong),
    /did you mean 'halfHeight', half of the straight part\?/,
  ],
  ['a type', (world) => world.createBody({ type: 'kinematicPosition' } as Wrong), /did you mean 'kinematic'\?/],
  ['ccd', (world, shape) => world.createBody({ shape, ccd: true } as Wrong), /did you mean 'bullet'\?/],
  ['a trigger', (world, shape) => world.createBody({ shape, isTrigger: true } as Wrong), /did you mean 'sensor'\?/],
  [
    'a lock',
    (world, shape) => world.createBody({ shape, fixedRotation: true } as Wrong),
    /did you mean 'locks', \{ rotation: 'xyz' \}\?/,
  ],
  ['a joint', (world) => world.createJoint({ type: 'spherical' } as Wrong), /did you mean 'ball'\?/],
  ['an event', (world) => world.on('collision' as Wrong, () => {}), /did you mean 'begin'\?/],
  ['no mass', (world, shape) => world.createBody({ shape, mass: 0 }), /body\.mass must be above 0.*type 'static'/],
])('%s of another engine', async (_, call, message) => {
  const world = await createWorld();
  const shape = world.createShape({ type: 'sphere', radius: 1 });
  expect(() => call(world, shape)).toThrow(message);
});
