// The examples as the site has them: short, and each runs, moves its bodies and says nothing on the console. Those of recipes do what they
// are for, by real events of mouse and keys.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { EXAMPLES } from '../../site/chapters.mjs';
import { everyNth, isLong, onlyLong } from '../helpers/long';
import { countColors, shoot } from '../helpers/pictures';

const root = resolve(import.meta.dirname, '../..');
const names = readdirSync(join(root, 'examples'))
  .filter((name) => /^\w+\.jsx?$/.test(name))
  .map((name) => name.replace(/\..*/, ''));
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.connect(inject('browser'));
});
afterAll(() => browser?.close());

test('all are in the gallery; at most 130 lines each, with a title and a sentence', () => {
  expect([...names].sort()).toEqual((EXAMPLES as [string, string[]][]).flatMap(([, group]) => group).sort());
  for (const file of readdirSync(join(root, 'examples')).filter((name) => /\.jsx?$/.test(name))) {
    const source = readFileSync(join(root, 'examples', file), 'utf8');
    expect(source.trimEnd().split('\n').length, file).toBeLessThanOrEqual(130);
    if (names.includes(file.replace(/\..*/, ''))) expect(source, file).toMatch(/^\/\/ [A-Z][^:\n]*: .+\.\n/);
    const imports = [...source.matchAll(/^import .*?'([^']+)'/gm)].map(([, from]) => from!);
    for (const from of imports)
      expect(from).toMatch(
        /^(talus(\/(three|controllers|rigs|gltf|gpu|worker|react|babylon|playcanvas))?|three(\/addons\/.*)?|react(-dom\/client)?|@react-three\/fiber|@babylonjs\/core|playcanvas)$/,
      );
  }
});

/** Installed before the page: counts frames. */
const COUNT = `globalThis.frames_drawn = 0;
const request = globalThis.requestAnimationFrame.bind(globalThis);
globalThis.requestAnimationFrame = (call) => request((now) => { globalThis.frames_drawn++; call(now); });`;
/** Its world is in a worker of its own, out of reach of the page. */
const IN_A_WORKER = ['offscreen'];
/** Nothing moves in it yet. */
const STILL = ['start_1_floor'];
/** At first hardly more than a floor: few colors. */
const isPlain = (name: string) => name.startsWith('start_');
const POSES = `globalThis.talusWorlds.map((world) => Array.from(world.positions)).flat()`;

/** The short form opens one of each library and kind, and every eighth of those that no test below opens. */
const KINDS = /^(babylon|character|frames|gltf|gpu|hello|playcanvas|react_car|start_1_floor|threads|worker)$/;
const OPENED_BELOW = /^(doors|drag|filters|first_person|rollback|skinned|sounds|wheels)$/;
const others = names.filter((name) => !IN_A_WORKER.includes(name) && !KINDS.test(name) && !OPENED_BELOW.test(name));
const some = [...names.filter((name) => KINDS.test(name)), ...everyNth(others, 8)].sort();

test.each(isLong ? names.filter((name) => !IN_A_WORKER.includes(name)) : some)('%s', async (name) => {
  const page = await browser.newPage({ viewport: { width: 320, height: 200 } });
  try {
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => {
      // Of the software graphics: reading pixels for the screenshot waits; of a busy machine: steps run behind; and of React Three
      // Fiber, which has a clock that three.js wants to be rid of.
      if (
        ['error', 'warning'].includes(message.type()) &&
        !/GPU stall|software WebGL|WebGPU|has dropped time|THREE\.Clock/i.test(message.text())
      )
        errors.push(message.text());
    });
    await page.addInitScript(COUNT);
    await page.goto(`${inject('url')}live/${name}.html`);
    await page.waitForFunction('frames_drawn > 2 && talusWorlds[0]?.positions.length >= 4', null, { timeout: 40_000 });
    const before = (await page.evaluate(POSES)) as number[];
    const frames = (await page.evaluate('frames_drawn')) as number;
    await page.waitForFunction(`frames_drawn > ${frames + 3}`, null, { timeout: 40_000 });
    // The wall stands for a second and a half.
    await expect
      .poll(
        async () => {
          const after = (await page.evaluate(POSES)) as number[];
          expect(after.every(Number.isFinite)).toBe(true);
          return STILL.includes(name) || after.some((value, i) => i % 4 < 3 && Math.abs(value - (before[i] ?? 0)) > 1e-3);
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    const colors = countColors(await shoot(page, `examples/${name}`));
    expect(colors).toBeGreaterThan(isPlain(name) ? 20 : 200);
    expect(errors).toEqual([]);
  } finally {
    await page.close();
  }
});

test('a push that arrives late in the rollback gives what it would have given in time', async () => {
  const { page, errors } = await open('rollback');
  await page.waitForFunction("Number(document.querySelector('input').value) > 40", null, LIMIT);
  // Hold the time, so that no step comes between; let it go on from step 40.
  const value = "Number(document.querySelector('input').value)";
  const result = await page.evaluate(`(() => {
    const slider = document.querySelector('input');
    slider.value = 40;
    slider.dispatchEvent(new Event('input'));
    slider.dispatchEvent(new Event('change'));
    const before = ${WORLD}.hash();
    dispatchEvent(new Event('dblclick'));
    return { before, after: ${WORLD}.hash(), step: ${value}, text: document.querySelector('p').textContent };
  })()`);
  const { before, after, step } = result as { before: number; after: number; step: number };
  expect(step).toBe(40);
  expect(after).not.toBe(before);
  // The same push in time: from step 10 on, thirty steps.
  const twin = await page.evaluate(`(() => {
    const slider = document.querySelector('input');
    slider.value = 10;
    slider.dispatchEvent(new Event('input'));
    const world = ${WORLD};
    const ball = Array.from({ length: world.slotCount }, (_, i) => world.bodyAt(i)).filter((id) => id !== null).at(-1);
    world.applyImpulse(ball, [0, 500, -300]);
    for (let i = 0; i < 30; i++) world.step();
    return world.hash();
  })()`);
  expect(twin).toBe(after);
  expect(errors).toEqual([]);
  await page.close();
});

test.each(onlyLong('the rollback'))('%s comes back to the same hash', async () => {
  const page = await browser.newPage({ viewport: { width: 480, height: 300 } });
  await page.goto(`${inject('url')}live/rollback.html`);
  await page.waitForFunction("Number(document.querySelector('input').value) > 20", null, { timeout: 40_000 });
  const set = (value: number) =>
    page.evaluate(
      `(() => { const slider = document.querySelector('input'); slider.value = ${value}; slider.dispatchEvent(new Event('input')); return talusWorlds[0].hash(); })()`,
    );
  const at10 = await set(10);
  expect(await set(5)).not.toBe(at10);
  expect(await set(10)).toBe(at10);
  // From there the world goes on as it did.
  expect(await page.evaluate('(() => { talusWorlds[0].step(); return talusWorlds[0].hash(); })()')).toBe(await set(11));
  await page.close();
});

/** Opens an example, and collects what it complains of. */
async function open(name: string): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage({ viewport: { width: 480, height: 300 } });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(`${inject('url')}live/${name}.html`);
  return { page, errors };
}
/** The world of the page. */
const WORLD = 'talusWorlds[0]';
const LIMIT = { timeout: 40_000 };
/** Ids of its bodies, in the order in which they were made. */
const ALL_BODIES = `Array.from({ length: ${WORLD}.slotCount }, (_, i) => ${WORLD}.bodyAt(i)).filter((id) => id !== null)`;

test('drag: the mouse takes a body, carries it, and lets it fly', async () => {
  const { page, errors } = await open('drag');
  await page.waitForFunction(`${WORLD}?.jointCount === 1 && ${WORLD}.bodyCount > 20`, null, LIMIT);
  // The middle of the wall of bricks, to the left of the middle of the picture.
  await page.mouse.move(175, 150);
  await page.mouse.down();
  await page.waitForFunction(`${WORLD}.jointCount === 2`, null, LIMIT);
  const held = `${WORLD}.getJoint(globalThis.held)`;
  // The joint that is new holds a body by the mouse.
  await page.evaluate(`globalThis.held = ${ALL_BODIES}.flatMap((id) => ${WORLD}.jointsOf(id)).at(0)`);
  const heightOf = `${WORLD}.getPosition(${held}.bodyB, [0, 0, 0])[1]`;
  const before = (await page.evaluate(heightOf)) as number;
  await page.mouse.move(175, 30, { steps: 5 });
  await page.waitForFunction(`${heightOf} > ${before} + 0.8`, null, LIMIT);
  await page.mouse.up();
  await page.waitForFunction(`${WORLD}.jointCount === 1`, null, LIMIT);
  // Beside everything the camera turns, and nothing is held.
  await page.mouse.move(460, 20);
  await page.mouse.down();
  await page.mouse.move(400, 40, { steps: 3 });
  expect(await page.evaluate(`${WORLD}.jointCount`)).toBe(1);
  await page.mouse.up();
  expect(errors).toEqual([]);
  await page.close();
});

test.each(onlyLong('skinned'))('%s: a click lets the human fall, another one lets it stand up', async () => {
  const { page, errors } = await open('skinned');
  await page.waitForFunction(`${WORLD}?.bodyCount === 2`, null, LIMIT);
  await page.mouse.click(100, 100);
  await page.waitForFunction(`${WORLD}.bodyCount === 15 && ${WORLD}.jointCount === 12`, null, LIMIT);
  await page.mouse.click(100, 100);
  await page.waitForFunction(`${WORLD}.bodyCount === 2`, null, LIMIT);
  expect(errors).toEqual([]);
  await page.close();
});

/** The only body of a mass. */
const bodyOf = (mass: number) =>
  `${ALL_BODIES}.find((id) => ${WORLD}.getType(id) === 'dynamic' && Math.abs(${WORLD}.getMass(id) - ${mass}) < 1)`;

test('wheels: W drives forward, A to the left, space brakes; it stands as it was modeled', async () => {
  const { page, errors } = await open('wheels');
  await page.waitForFunction(`${WORLD}?.jointCount === 4`, null, LIMIT);
  const place = `${WORLD}.getPosition(${bodyOf(1200)}, [0, 0, 0])`;
  const speed = `Math.hypot(...${WORLD}.getLinearVelocity(${bodyOf(1200)}, [0, 0, 0]))`;
  await page.keyboard.down('KeyW');
  await page.waitForFunction(`${place}[2] > 2`, null, LIMIT);
  expect(await page.evaluate(`${place}[1]`)).toBeCloseTo(0.85, 1);
  await page.keyboard.down('KeyA');
  await page.waitForFunction(`${place}[0] > 0.5`, null, LIMIT);
  await page.keyboard.up('KeyW');
  await page.keyboard.down('Space');
  await page.waitForFunction(`${speed} < 0.2`, null, LIMIT);
  expect(errors).toEqual([]);
  await page.close();
});

test.each(onlyLong('doors'))('%s: a hard ball tears the third one out, and the motor opens the second', async () => {
  const { page, errors } = await open('doors');
  await page.waitForFunction(`${WORLD}?.jointCount === 3`, null, LIMIT);
  const joints = `${ALL_BODIES}
    .flatMap((id) => ${WORLD}.jointsOf(id)).map((id) => ${WORLD}.getJoint(id))`;
  await page.waitForFunction(`${joints}.some(({ settings, place }) => settings.motor?.velocity > 0 && place > 0.3)`, null, LIMIT);
  await page.waitForFunction(
    `${WORLD}.jointCount === 2 && document.querySelector('p').textContent.includes('broke')`,
    null,
    LIMIT,
  );
  expect(errors).toEqual([]);
  await page.close();
});

test.each(onlyLong('filters'))('%s: what has landed becomes a ghost by a click, and the ray meets it no more', async () => {
  const { page, errors } = await open('filters');
  const ghosts = `${ALL_BODIES}
    .flatMap((id) => ${WORLD}.collidersOf(id)).filter((id) => ${WORLD}.getCollider(id).category === 16).length`;
  const landed = `${ALL_BODIES}
    .some((id) => ${WORLD}.getUserData(id)?.category && ${WORLD}.getPosition(id, [0, 0, 0])[1] < 0.9)`;
  await page.waitForFunction(`${WORLD} && ${landed}`, null, LIMIT);
  expect(await page.evaluate(ghosts)).toBe(0);
  await page.mouse.click(100, 100);
  await page.waitForFunction(`${ghosts} > 0`, null, LIMIT);
  expect(errors).toEqual([]);
  await page.close();
});

test.each(onlyLong('sounds'))('%s: a touch opens the audio, the gate counts', async () => {
  const { page, errors } = await open('sounds');
  await page.waitForFunction(`${WORLD}?.bodyCount > 20`, null, LIMIT);
  await page.mouse.click(100, 100);
  await page.waitForFunction("document.querySelector('p').textContent.includes('through the gate')", null, LIMIT);
  expect(errors).toEqual([]);
  await page.close();
});

test('first person: keys walk where the camera looks, the mouse turns it once it is locked', async () => {
  const { page, errors } = await open('first_person');
  await page.waitForFunction(`${WORLD}?.controllers.length === 1`, null, LIMIT);
  // The body that goes where the player goes was made last.
  const place = `${WORLD}.getPosition(${ALL_BODIES}.at(-1), [0, 0, 0])`;
  const [x, , z] = (await page.evaluate(place)) as number[];
  await page.keyboard.down('KeyD');
  await page.waitForFunction(`${place}[0] > ${x! + 1}`, null, LIMIT);
  await page.keyboard.up('KeyD');
  await page.keyboard.down('KeyW');
  await page.waitForFunction(`${place}[2] < ${z! - 1}`, null, LIMIT);
  await page.keyboard.up('KeyW');
  await page.mouse.click(240, 150);
  await page.waitForFunction('document.pointerLockElement !== null', null, LIMIT);
  // To the right by the mouse: ahead is +x then, more or less.
  const [right] = (await page.evaluate(place)) as number[];
  for (let i = 1; i <= 10; i++) await page.mouse.move(240 + 60 * i, 150);
  await page.keyboard.down('KeyW');
  await page.waitForFunction(`${place}[0] > ${right! + 1}`, null, LIMIT);
  expect(errors).toEqual([]);
  await page.close();
});

test('offscreen: world and three.js run in the worker, also while the page stalls', async () => {
  const { page, errors } = await open('offscreen');
  const text = () => page.evaluate("document.querySelector('p').textContent");
  // Asked for, not waited for by frames of the page: software graphics are the worker's.
  await expect.poll(text, LIMIT).toContain('601 bodies');
  const [worker] = page.workers();
  const steps = () => worker!.evaluate(`${WORLD}.stepCount`) as Promise<number>;
  const before = await steps();
  // Nothing of the page is needed: a loop that does not end until the world has gone on would not end otherwise.
  const stalled = page.evaluate('(() => { const end = performance.now() + 1500; while (performance.now() < end); })()');
  await expect.poll(steps, { timeout: 40_000 }).toBeGreaterThan(before);
  await stalled;
  expect(countColors(await shoot(page, 'examples/offscreen'))).toBeGreaterThan(200);
  expect(errors).toEqual([]);
  await page.close();
});
