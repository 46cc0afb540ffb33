// `node site/record.mjs [wall] [chain]`: records the runs that the front page plays back, talus beside another engine, into
// site/front/recordings. Scenes, engines and settings are those of bench/ (one step of 1/60 s each, sleeping off, defaults otherwise), so
// that the figures of bench/results belong to what is seen. Format: site/front/recording.mjs. Needs the built package.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildScene } from '../bench/lib/scenes.mjs';
import { createState } from '../bench/lib/state.mjs';
import { encodeRecording } from './front/recording.mjs';

/** Steps of 1/60 s between two frames: 15 frames per second, and the player mixes poses between them. */
const STRIDE = 4;
const STEPS = 600;
const RECORDINGS = {
  wall: { scene: 'wall', options: { seed: 1 }, engines: ['talus', 'havok'] },
  chain: { scene: 'hanging-chain', options: { seed: 1, massRatio: 1000 }, engines: ['talus', 'rapier'] },
};

/** Shapes that the player draws; the floor is its own. */
function drawn(shape) {
  if (shape.type === 'box') return { type: 'box', halfExtents: [...shape.halfExtents] };
  if (shape.type === 'sphere') return { type: 'sphere', radius: shape.radius };
  if (shape.type === 'capsule') return { type: 'capsule', radius: shape.radius, halfHeight: shape.halfHeight };
  throw new Error(`site/front/claims.mjs draws no ${shape.type}`);
}

async function run(name, scene, moving) {
  const { create } = await import(`../bench/engines/${name}.mjs`);
  const engine = await create(scene);
  const state = createState(scene.bodies.count);
  const frames = [];
  const take = () => {
    engine.read(state);
    frames.push(moving.map((i) => [...state.position.slice(3 * i, 3 * i + 3), ...state.rotation.slice(4 * i, 4 * i + 4)]));
  };
  take();
  for (let step = 1; step <= STEPS; step++) {
    await engine.step();
    if (step % STRIDE === 0) take();
  }
  const { version } = engine;
  engine.dispose();
  return { name, version, frames };
}

const folder = join(import.meta.dirname, 'front/recordings');
mkdirSync(folder, { recursive: true });
const only = process.argv.slice(2);
for (const [name, { scene: sceneName, options, engines }] of Object.entries(RECORDINGS)) {
  if (only.length && !only.includes(name)) continue;
  const scene = buildScene(sceneName, options);
  const moving = [...scene.bodies.density.keys()].filter((i) => scene.bodies.density[i] > 0);
  const runs = [];
  for (const engine of engines) runs.push(await run(engine, scene, moving));
  const bytes = encodeRecording({
    scene: sceneName,
    title: scene.title,
    steps: STEPS,
    dt: scene.dt,
    stride: STRIDE,
    shapes: scene.shapes.filter((_, i) => moving.some((k) => scene.bodies.shape[k] === i)).map(drawn),
    shapeOf: moving.map((k) => {
      const used = scene.shapes.map((_, i) => i).filter((i) => moving.some((m) => scene.bodies.shape[m] === i));
      return used.indexOf(scene.bodies.shape[k]);
    }),
    runs,
  });
  const packed = gzipSync(bytes, { level: 9 });
  writeFileSync(join(folder, `${name}.bin`), packed);
  console.log(
    `${name}: ${scene.title}, ${runs.map((one) => `${one.name} ${one.version}`).join(' beside ')}: ${packed.length} bytes`,
  );
}
