// Every code block of docs/three.md, react.md, babylon.md, playcanvas.md, gltf.md and docs/integrations runs as it stands, in headless
// Chromium.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { box, glbFile, khrFile, solid } from '../gltf/files';
import { everyNth } from '../helpers/long';
import { openPage, type TestPage } from '../helpers/page';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'build/engine_docs');
const integrations = readdirSync(join(root, 'docs/integrations')).map((name) => `integrations/${name.slice(0, -'.md'.length)}`);
const blocks = ['three', 'react', 'babylon', 'playcanvas', 'gltf', ...integrations].flatMap((page) =>
  [...readFileSync(join(root, `docs/${page}.md`), 'utf8').matchAll(/```(jsx?)\n([\s\S]*?)```/g)].map(([, kind, code], i) => ({
    name: `${page.replace(/\W/g, '_')}_${i}`,
    kind: kind!,
    code: code!,
  })),
);
let host: TestPage;

/** Puts an exported component into a world, in StrictMode. */
const STAGE = `
import { Canvas } from '@react-three/fiber';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Physics, useAfterPhysicsStep } from 'talus/react';
let steps = 0;
const Count = () => { useAfterPhysicsStep(() => { steps++; }); return null; };
export async function stage(Component) {
  const at = document.createElement('div');
  at.style.height = '200px';
  document.body.append(at);
  const root = createRoot(at);
  const physics = createElement(Physics, null, createElement(Component), createElement(Count));
  root.render(createElement(StrictMode, null, createElement(Canvas, null, physics)));
  const from = steps;
  while (steps < from + 20) await new Promise((done) => setTimeout(done, 20));
  root.unmount();
}
`;

/** The file that docs/gltf.md loads. */
const LEVEL = glbFile(
  khrFile({
    nodes: [
      { name: 'floor', physics: solid(0) },
      { name: 'crate', translation: [0, 2, 0], children: [2], physics: { motion: { mass: 20 }, ...solid(1) } },
      { name: 'edge' },
      { name: 'hinge', translation: [0, 2, 0], physics: { joint: { joint: 0, connectedNode: 2 } } },
      { name: 'goal', physics: { trigger: { geometry: { shape: 1 } } } },
    ],
    shapes: [box(9, 1, 9), box(1, 1, 1)],
    joints: [
      {
        limits: [
          { linearAxes: [0, 1, 2], min: 0, max: 0 },
          { angularAxes: [0, 1], min: 0, max: 0 },
        ],
      },
    ],
  }),
);

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, kind, code } of blocks) writeFileSync(join(folder, `${name}.${kind}`), code);
  writeFileSync(join(folder, 'stage.js'), STAGE);
  writeFileSync(
    join(folder, 'main.js'),
    `import { stage } from './stage.js';
const blocks = { ${blocks.map(({ name, kind }) => `${name}: () => import('./${name}.${kind}')`).join(', ')} };
window.run = async (name) => {
  const module = await blocks[name]();
  for (const part of Object.values(module)) await stage(part);
  await new Promise((done) => setTimeout(done, 400));
};`,
  );
  host = await openPage('build/engine_docs/main.js');
  await host.page.route('**/level.glb', (route) => route.fulfill({ body: Buffer.from(LEVEL) }));
});
afterAll(async () => {
  await host?.close();
  rmSync(folder, { recursive: true, force: true });
});

// In the short form every other block runs: pages of all engines have some.
test.each(everyNth(blocks, 2))('$name', async ({ name }) => {
  host.errors.length = 0;
  await host.page.evaluate((block) => (window as unknown as { run(name: string): Promise<void> }).run(block), name);
  const noise = /GPU stall|software WebGL|Automatic fallback|THREE.Clock|PCFSoftShadowMap|swiftshader/i;
  expect(host.errors.filter((text) => !noise.test(text))).toEqual([]);
});
