// Demos as users of react-three-rapier write them, in headless Chromium: each claim of theirs holds, and the console says what it should.
import { expect, test } from 'vitest';
import { everyNth } from '../helpers/long';
import { countColors, shoot, usePage } from '../helpers/pictures';
import type { DemoHarness } from './demos/harness';

declare const demos: DemoHarness;
const open = usePage('tests/react/demos/main.tsx', { width: 320, height: 200 });

/** What the software renderer says for itself. */
const NOISE = /GPU stall|software WebGL|Automatic fallback|THREE.Clock|swiftshader/i;

/** What each demo has the console say, beside nothing. */
const SAYS: Record<string, RegExp[]> = {
  shapes: [
    /<TrimeshCollider>: triangles have no volume/,
    /<RigidBody>: triangles have no volume/,
    /<RigidBody>: a heightfield has no mass: the body stands still/,
  ],
  bodies: [
    /<RigidBody name="changing">: triangles have no volume/,
    /setNextKinematic... does nothing: the body is dynamic, not kinematic/,
  ],
  events: [/<RigidBody>: restitution 1.5 is above 1: it bounces by 0.75/],
  errors: [
    /<RigidBody name="good">: solverGroups has no effect: use/,
    /<RigidBody name="good">: softCcdPrediction has no effect/,
    /<RigidBody name="good">: dominanceGroup has no effect/,
    /<RigidBody name="bad">: .*friction.*\(invalid-argument\); the body is left out/,
    /<ConvexHullCollider name="flat">: .*\(degenerate-shape\); it is left out/,
    /<HeightfieldCollider name="short">: .*needs 9 heights, got 3 \(invalid-argument\); it is left out/,
    /<InstancedRigidBodies name="crowd"> instance b: .*restitution.*; this one is left out/,
  ],
};

test.each(everyNth(['shapes', 'bodies', 'events', 'joints', 'instances', 'worlds', 'filters', 'errors'], 2))(
  '%s',
  async (name) => {
    open.host.errors.length = 0;
    const claims = await open.page.evaluate((demo) => demos.run(demo), name);
    const said = open.host.errors.filter((text) => !NOISE.test(text));
    await shoot(open.page, `react-${name}`);
    expect(Object.entries(claims).filter(([, holds]) => !holds)).toEqual([]);
    for (const pattern of SAYS[name] ?? []) expect(said.join('\n')).toMatch(pattern);
    expect(said.filter((text) => !(SAYS[name] ?? []).some((pattern) => pattern.test(text)))).toEqual([]);
  },
  120_000,
);

test('a picture of a demo has a scene in it', async () => {
  await open.page.evaluate(() => demos.run('joints'));
  expect(countColors(await shoot(open.page, 'react-joints'))).toBeGreaterThan(100);
});
