// Depth of everything in a scene on given poses: every pair of bodies once (the deepest of its colliders), and bodies
// against the ground. Bodies that a joint lets overlap are left out. Double precision, brute force behind a sweep along x.
import { collidersOf, convexDepth, placed } from './convex.mjs';
import { Ground } from './ground.mjs';
import { summary } from './stats.mjs';
import { add, matrixOf, multiply, rotate } from './vec.mjs';

/** Pairs shallower than this (m) count as touching, not as overlapping. */
const TOUCHING = 1e-9;

/**
 * @param {import('../../scenes/types').Scene} scene
 * @param {ArrayLike<number>} position xyz a body, m
 * @param {ArrayLike<number>} rotation xyzw a body
 * @returns {{ pairs: ReturnType<typeof summary>, ground: ReturnType<typeof summary> }} Depths in m of overlapping pairs.
 */
export function sceneDepth(scene, position, rotation) {
  const { bodies } = scene;
  const list = [];
  const finite = (body) => Number.isFinite(position[3 * body] + position[3 * body + 1] + position[3 * body + 2]);
  for (const c of collidersOf(scene)) {
    if (!finite(c.body)) continue;
    const m = matrixOf(rotation, 4 * c.body);
    const p = add([position[3 * c.body], position[3 * c.body + 1], position[3 * c.body + 2]], rotate(m, c.childPosition));
    const item = placed(c.piece, multiply(m, c.childMatrix), p);
    item.body = c.body;
    item.moving = bodies.density[c.body] > 0;
    list.push(item);
  }
  list.sort((a, b) => a.low[0] - b.low[0]);
  const wide = list.filter((c) => !c.moving);
  const narrow = list.filter((c) => c.moving);
  const deepest = new Map();
  const pairKey = (a, b) => Math.min(a, b) * bodies.count + Math.max(a, b);
  const joined = new Set();
  for (const joint of scene.joints ?? []) if (!joint.collide && joint.bodyA >= 0) joined.add(pairKey(joint.bodyA, joint.bodyB));
  const test = (a, b) => {
    if (a.body === b.body || joined.has(pairKey(a.body, b.body))) return;
    if (a.low[1] > b.high[1] || b.low[1] > a.high[1] || a.low[2] > b.high[2] || b.low[2] > a.high[2]) return;
    if (a.low[0] > b.high[0] || b.low[0] > a.high[0]) return;
    const depth = convexDepth(a, b);
    if (depth <= TOUCHING) return;
    const key = pairKey(a.body, b.body);
    if (depth > (deepest.get(key) ?? 0)) deepest.set(key, depth);
  };
  for (const a of wide) for (const b of narrow) test(a, b);
  for (let i = 0; i < narrow.length; i++) {
    for (let j = i + 1; j < narrow.length && narrow[j].low[0] <= narrow[i].high[0]; j++) test(narrow[i], narrow[j]);
  }
  const groundDepths = new Map();
  for (let i = 0; i < bodies.count; i++) {
    const shape = scene.shapes[bodies.shape[i]];
    if (shape.type !== 'mesh' && shape.type !== 'heightfield') continue;
    const ground = new Ground(shape);
    for (const c of narrow) {
      const depth = ground.depthOf(c);
      if (depth > TOUCHING && depth > (groundDepths.get(c.body) ?? 0)) groundDepths.set(c.body, depth);
    }
  }
  return { pairs: summary([...deepest.values()]), ground: summary([...groundDepths.values()]) };
}
