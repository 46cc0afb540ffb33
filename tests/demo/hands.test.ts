// Hands, keys, switches, side by side, links, life without WebGPU.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DemoBrowser, report, step } from './browser';

let demo: DemoBrowser;

beforeAll(async () => {
  demo = await DemoBrowser.start();
});
afterEach(() => expect(demo.errors.splice(0)).toEqual([]));
afterAll(() => demo?.close());

const CENTER = { x: 640, y: 400 };

test('throw, build, explode, delete by click and by key', async () => {
  const page = await demo.open('?scene=wall&quality=low');
  await step(page, 2);
  const bodies = async () => (await report(page)).bodies;
  const start = await bodies();
  for (const [tool, change] of [
    ['Box', 1],
    ['Build', 1],
    ['Explode', 0],
    ['Delete', -1],
  ] as const) {
    const before = await bodies();
    await page.getByRole('button', { name: tool, exact: true }).click();
    await page.mouse.click(CENTER.x, CENTER.y);
    expect((await bodies()) - before, tool).toBe(change);
  }
  await page.mouse.move(CENTER.x, CENTER.y);
  await page.keyboard.press('b');
  expect(await bodies()).toBe(start + 2);
  const energy = async () => (await page.evaluate('window.talusDemo.world.measure().kineticEnergy')) as number;
  const before = await energy();
  await page.keyboard.press('e');
  expect(await energy()).toBeGreaterThan(before + 1000);
  await page.close();
});

test('dragging pulls a body by a spring, dragging the ground turns the view', async () => {
  const page = await demo.open('?scene=slabs&quality=low');
  await step(page, 2);
  const block = 'window.talusDemo.world.positions.slice(4 * 6, 4 * 6 + 3)';
  const before = Object.values((await page.evaluate(block)) as Record<string, number>);
  await page.mouse.move(CENTER.x, CENTER.y - 40);
  await page.mouse.down();
  expect(await page.evaluate('window.talusDemo.simulations[0].isHolding')).toBe(true);
  await page.mouse.move(CENTER.x + 150, CENTER.y - 200, { steps: 4 });
  await step(page, 90);
  await page.mouse.up();
  const after = Object.values((await page.evaluate(block)) as Record<string, number>);
  expect(Math.hypot(...after.map((x, k) => x - before[k]!))).toBeGreaterThan(0.3);
  expect(await page.evaluate('window.talusDemo.simulations[0].isHolding')).toBe(false);

  const camera = () => page.evaluate('window.talusDemo.view.camera.position.toArray()') as Promise<number[]>;
  const stood = await camera();
  await page.mouse.move(900, 640);
  await page.mouse.down();
  await page.mouse.move(1000, 640, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(300);
  expect(await camera()).not.toEqual(stood);
  await page.close();
});

test('handles turn motors, a hand is a joint, joints are drawn', async () => {
  const page = await demo.open('?scene=arm&quality=low&joints=1');
  expect(await step(page, 2)).toMatchObject({ scene: 'arm', solver: 'auto' });
  const slide = async (name: string, value: string) => {
    const field = page.locator('.lil-controller').filter({ hasText: name }).locator('input').last();
    await field.fill(value);
    await field.press('Enter');
  };
  await slide('Shoulder', '-0.3');
  await slide('Elbow', '-30');
  const driven = (await page.evaluate(`(() => {
    const { world } = window.talusDemo;
    const [shoulder, elbow] = [1, 3].map((slot) => world.getJoint(world.jointsOf(world.bodyAt(slot)).at(-1)).settings);
    return [shoulder.motor.velocity, elbow.spring.target];
  })()`)) as number[];
  expect(driven[0]).toBeCloseTo(-0.3, 6);
  expect(driven[1]).toBeCloseTo(-Math.PI / 6, 6);
  const joints = () => page.evaluate('window.talusDemo.world.jointCount');
  expect(await joints()).toBe(3);
  const met = await page.evaluate(`(() => {
    const { world, simulations } = window.talusDemo;
    const p = world.positions.slice(8, 11);
    return simulations[0].grab([p[0], p[1], p[2] + 5], [0, 0, -1]);
  })()`);
  expect(met).toBeCloseTo(4.92, 2);
  expect(await joints()).toBe(4);
  await step(page, 2);
  await page.evaluate('window.talusDemo.simulations[0].release()');
  expect(await joints()).toBe(3);
  await page.close();
});

test('keys steer the character, and the view goes with it', async () => {
  const page = await demo.open('?scene=course&quality=low');
  await step(page, 5);
  const place = () => page.evaluate('window.talusDemo.simulations[0].act.place') as Promise<number[]>;
  const camera = () => page.evaluate('window.talusDemo.view.camera.position.x') as Promise<number>;
  const [from, stood] = [await place(), await camera()];
  // The view looks along x: back is -x.
  await page.keyboard.down('s');
  const result = await step(page, 60);
  expect(result.act).toContain('yours');
  await page.keyboard.up('s');
  const back = await place();
  expect(back[0]! - from[0]!).toBeLessThan(-2);
  expect((await camera()) - stood).toBeLessThan(-1);
  // Space jumps; it does not pause.
  await page.keyboard.down(' ');
  await step(page, 15);
  await page.keyboard.up(' ');
  expect((await place())[1]).toBeGreaterThan(0.5);
  await step(page, 400);
  expect((await report(page)).act).toContain('by itself');
  // Arrows with shift turn the view; the drag tool keeps its key elsewhere.
  const yaw = () => page.evaluate('window.talusDemo.view.yaw') as Promise<number>;
  const before = await yaw();
  await page.keyboard.press('Shift+ArrowLeft');
  expect(Math.abs((await yaw()) - before)).toBeGreaterThan(0.05);
  await page.close();
});

test('a thumb drives the car by the pad; the pad takes the keyboard, too', async () => {
  const page = await demo.open('?scene=circuit&quality=low', { width: 390, height: 844 });
  await step(page, 2);
  const session = await demo.context.newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
  const gas = page.getByRole('button', { name: 'Gas' });
  const { x, y, width, height } = (await gas.boundingBox())!;
  const touchPoints = [{ x: x + width / 2, y: y + height / 2, id: 1 }];
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  expect((await step(page, 60)).act).toContain('yours');
  const speed = () => page.evaluate('window.talusDemo.simulations[0].act.result.speed') as Promise<number>;
  expect(await speed()).toBeGreaterThan(4);
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await page.getByRole('button', { name: 'Brake, then backwards' }).focus();
  await page.keyboard.down('Enter');
  await step(page, 120);
  await page.keyboard.up('Enter');
  expect(await speed()).toBeLessThan(0.5);
  await page.close();
});

test('a click fires a bullet; side by side an act goes on in both views', async () => {
  const page = await demo.open('?scene=bullets&quality=low');
  await step(page, 50);
  const { bodies } = await report(page);
  await page.mouse.click(CENTER.x, CENTER.y);
  expect((await report(page)).bodies).toBe(bodies + 1);
  await page.evaluate("window.talusDemo.choose('course')");
  await page.evaluate('window.talusDemo.settled()');
  await step(page, 120);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.evaluate('window.talusDemo.settled()');
  await step(page, 60);
  const [one, other] = (await page.evaluate('window.talusDemo.simulations.map((s) => s.act.place)')) as number[][];
  expect(Math.hypot(...one!.map((value, k) => value - other![k]!))).toBeLessThan(0.01);
  await page.close();
});

test('a finger throws', async () => {
  const page = await demo.open('?scene=cardhouse&quality=low', { width: 390, height: 844 });
  await step(page, 2);
  await page.getByRole('button', { name: 'Ball', exact: true }).click();
  const session = await demo.context.newCDPSession(page);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 190, y: 400, id: 1 }] });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  expect((await report(page)).bodies).toBe(50);
  await page.close();
});

test('keys: pause, step, slow motion, reset, colors, theme, help', async () => {
  const page = await demo.open('?scene=slabs&quality=low');
  await page.keyboard.press('Space');
  expect((await report(page)).paused).toBe(true);
  const { steps } = await report(page);
  await page.keyboard.press('.');
  await page.waitForFunction(`window.talusDemo.report.steps === ${steps + 1}`);
  await page.keyboard.press('s');
  expect(new URL(page.url()).searchParams.get('speed')).toBe('0.1');
  await page.keyboard.press('k');
  expect(new URL(page.url()).searchParams.get('color')).toBe('island');
  await page.keyboard.press('t');
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  await page.keyboard.press('h');
  expect(await page.getByRole('dialog').textContent()).toContain('slow motion');
  await page.keyboard.press('Escape');
  await page.keyboard.press('r');
  await page.evaluate('window.talusDemo.settled()');
  expect((await report(page)).steps).toBeLessThan(3);
  await page.close();
});

test('every solver, preset and number can be changed as it runs, and every coloring and overlay shown', async () => {
  const page = await demo.open('?scene=cardhouse&quality=low');
  await step(page, 20);
  const solvers = await page.getByLabel('Solver', { exact: true }).locator('option').allTextContents();
  expect(solvers.length).toBeGreaterThan(6);
  let last = 20;
  for (const solver of solvers) {
    await page.getByLabel('Solver', { exact: true }).selectOption(solver);
    await page.evaluate('window.talusDemo.settled()');
    const result = await step(page, 5);
    expect(result).toMatchObject({ solver, finite: true, bodies: 49 });
    expect(result.steps).toBeGreaterThanOrEqual(last + 5);
    last = result.steps;
  }
  await page.getByLabel('Solver', { exact: true }).selectOption('cell-split');
  for (const color of ['island', 'cell', 'splits', 'contacts', 'sleeping', 'speed', 'mass', 'body']) {
    await page.getByLabel('Color by').selectOption(color);
    await step(page, 1);
  }
  for (const name of ['Contact points', 'Normals', 'Impulses', 'Bounding boxes']) {
    await page.getByRole('checkbox', { name }).check();
    await step(page, 1);
  }
  await page.getByLabel('Preset').selectOption('fast');
  await page.evaluate('window.talusDemo.settled()');
  expect((await report(page)).substeps).toBe(5);
  await page.close();
});

test('bodies fall asleep when they may, and wake when they may not', async () => {
  const page = await demo.open('?scene=slabs&quality=low&color=sleeping');
  await page.getByRole('checkbox', { name: 'Sleeping' }).uncheck();
  await page.getByRole('checkbox', { name: 'Sleeping' }).check();
  await page.evaluate('window.talusDemo.settled()');
  expect((await step(page, 300)).asleep).toBe(6);
  await page.getByRole('checkbox', { name: 'Sleeping' }).uncheck();
  await page.evaluate('window.talusDemo.settled()');
  expect((await step(page, 2)).asleep).toBe(0);
  await page.close();
});

test('side by side: the second view starts from the same state and goes its own way', async () => {
  const page = await demo.open('?scene=wall&quality=low');
  await step(page, 10);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.evaluate('window.talusDemo.settled()');
  const difference = `(() => {
    const [a, b] = window.talusDemo.simulations.map((s) => s.world.positions);
    return a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i])), 0);
  })()`;
  expect((await report(page)).views).toBe(2);
  expect(
    await page.evaluate('window.talusDemo.simulations[0].world.stepCount === window.talusDemo.simulations[1].world.stepCount'),
  ).toBe(true);
  await step(page, 30);
  expect(await page.evaluate(difference)).toBeGreaterThan(0);
  expect(await page.evaluate(difference)).toBeLessThan(0.1);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.evaluate('window.talusDemo.settled()');
  expect((await report(page)).views).toBe(1);
  await page.close();
});

test('a link brings back scene and settings; nonsense in it is ignored', async () => {
  const page = await demo.open(
    '?scene=domino&solver=pgs&substeps=9&compare=cell-split&color=speed&speed=0.25&contacts=1&theme=dark&quality=low&count=-4&preset=no&what=1',
  );
  expect(await report(page)).toMatchObject({ scene: 'domino', solver: 'pgs', substeps: 9, views: 2 });
  const query = new URL(page.url()).searchParams;
  expect(Object.fromEntries(query)).toEqual({
    scene: 'domino',
    solver: 'pgs',
    substeps: '9',
    compare: 'cell-split',
    color: 'speed',
    speed: '0.25',
    contacts: '1',
    lab: '1',
    theme: 'dark',
    quality: 'low',
  });
  await page.close();
});

test('without WebGPU it says what is missing and how to get it', async () => {
  const page = await demo.open('?scene=slabs&quality=low&backend=webgpu', {
    init: "Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined }); delete Navigator.prototype.gpu;",
  });
  expect(await page.locator('#device').textContent()).toContain('no WebGPU in this browser');
  expect(await report(page)).toMatchObject({ backend: 'wasm', finite: true });
  await page.locator('#device button').click();
  expect(await page.getByRole('dialog').textContent()).toContain('comes with Chrome');
  await page.close();
});

test('less motion: starts paused and says so', async () => {
  const page = await demo.open('?scene=slabs&quality=low', { reducedMotion: true });
  expect((await report(page)).paused).toBe(true);
  expect(await page.locator('#toast').textContent()).toContain('less motion');
  await page.close();
});

test('the second load is cross-origin isolated by the service worker', async () => {
  const page = await demo.open('?scene=slabs&quality=low');
  await page.waitForFunction('navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)');
  await page.reload();
  await page.waitForFunction('window.talusDemo?.panel');
  expect(await page.evaluate('crossOriginIsolated')).toBe(true);
  await page.close();
});
