// Scenes: counts, determinism, and the promise that nothing overlaps at the start.
import { describe, expect, it } from 'vitest';
import { buildScene, DYNAMIC, SCENE_NAMES, type Scene, STATIC } from '../../scenes/index';
import { type Obb, obb, obbSeparation } from './obb';

function boxesOf(scene: Scene): Obb[] {
  const { bodies } = scene;
  const list: Obb[] = [];
  for (let i = 0; i < bodies.count; i++) {
    const shape = scene.shapes[bodies.shape[i]];
    if (shape.type !== 'box') throw new Error(`body ${i} is not a box`);
    list.push(
      obb(
        Array.from(bodies.position.subarray(3 * i, 3 * i + 3)),
        Array.from(bodies.rotation.subarray(4 * i, 4 * i + 4)),
        shape.halfExtents,
      ),
    );
  }
  return list;
}

/** Pairs of boxes closer than `reach`, with their separations; sweep along x over bounding spheres. */
function closePairs(list: Obb[], reach: number): { a: number; b: number; separation: number }[] {
  const radii = list.map((b) => Math.hypot(...b.half));
  const order = list.map((_, i) => i).sort((i, j) => list[i].center[0] - radii[i] - (list[j].center[0] - radii[j]));
  const pairs: { a: number; b: number; separation: number }[] = [];
  for (let s = 0; s < order.length; s++) {
    const a = order[s];
    for (let t = s + 1; t < order.length; t++) {
      const b = order[t];
      if (list[b].center[0] - radii[b] > list[a].center[0] + radii[a] + reach) break;
      const d = Math.hypot(...list[a].center.map((c, k) => c - list[b].center[k]));
      if (d > radii[a] + radii[b] + reach) continue;
      const separation = obbSeparation(list[a], list[b]);
      if (separation < reach) pairs.push({ a, b, separation });
    }
  }
  return pairs;
}

function bytesOf(scene: Scene): string {
  return JSON.stringify(scene, (_key, value) => (ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value));
}

describe('scenes', () => {
  it.each(SCENE_NAMES)('%s is well formed', (name) => {
    const scene = buildScene(name, { scale: name === 'boxes' ? 1 : 0.25 });
    const { bodies, shapes } = scene;
    expect(bodies.position.length).toBe(3 * bodies.count);
    expect(bodies.rotation.length).toBe(4 * bodies.count);
    for (let i = 0; i < bodies.count; i++) {
      expect(bodies.shape[i]).toBeLessThan(shapes.length);
      const q = bodies.rotation.subarray(4 * i, 4 * i + 4);
      expect(Math.hypot(...q)).toBeCloseTo(1, 5);
      expect(bodies.type[i] === DYNAMIC ? bodies.density[i] > 0 : bodies.density[i] === 0).toBe(true);
      if (bodies.type[i] !== DYNAMIC) continue;
      for (let k = 0; k < 3; k++) {
        expect(bodies.position[3 * i + k]).toBeGreaterThan(scene.checks.bounds.min[k]);
        expect(bodies.position[3 * i + k]).toBeLessThan(scene.checks.bounds.max[k]);
      }
    }
    const traits = scene.traits ?? [];
    expect(new Set(traits.map(({ body }) => body)).size).toBe(traits.length);
    for (const { body } of traits) expect(body).toBeLessThan(bodies.count);
    for (const part of Object.values(scene.parts ?? {}).flat()) expect(part).toBeLessThan(bodies.count);
    for (const shape of shapes) {
      if (shape.type === 'compound') for (const child of shape.children) expect(shapes[child.shape].type).not.toBe('compound');
    }
  });

  it.each(SCENE_NAMES)('%s is the same every time and differs by seed only where it is random', (name) => {
    const options = { scale: 0.1 };
    expect(bytesOf(buildScene(name, { ...options, seed: 3 }))).toBe(bytesOf(buildScene(name, { ...options, seed: 3 })));
    const random = [
      'boxes',
      'boxes-small',
      'spheres',
      'hulls',
      'mixed',
      'stack',
      'boxes720',
      'cardhouse-hit',
      'heap',
      'chess',
      'fracture',
      'rubble',
      'ragdolls150',
      'car',
      'water',
    ].includes(name);
    expect(bytesOf(buildScene(name, { ...options, seed: 3 })) !== bytesOf(buildScene(name, { ...options, seed: 4 }))).toBe(
      random,
    );
  });

  it('has the advertised counts', () => {
    const dynamicCount = (name: string, options = {}) => buildScene(name, options).checks.dynamicCount;
    expect(dynamicCount('boxes')).toBe(5160);
    expect(dynamicCount('boxes-small')).toBe(1000);
    expect(dynamicCount('wall')).toBe(300);
    expect(dynamicCount('pyramid')).toBe(1830);
    expect(dynamicCount('stack')).toBe(20);
    expect(dynamicCount('cardhouse')).toBe(48);
    expect(dynamicCount('spheres')).toBe(5000);
    expect(dynamicCount('hulls', { scale: 0.1 })).toBe(200);
    expect(dynamicCount('mixed')).toBe(2000);
    expect(dynamicCount('boxes720')).toBe(720);
    expect(dynamicCount('cardhouse-hit')).toBe(58);
    expect(dynamicCount('heap')).toBe(1950);
    expect(dynamicCount('chess')).toBe(1000);
    expect(dynamicCount('chain')).toBe(24); // the 25th link is held
    expect(dynamicCount('fracture')).toBe(278); // 277 cells and the ball
    expect(dynamicCount('slabs')).toBe(6);
    expect(dynamicCount('cradle')).toBe(28);
    expect(dynamicCount('plates')).toBe(63);
    expect(dynamicCount('boxes', { count: 100 })).toBe(100);
  });

  it('has exactly 8,192 and 2,048 triangles with normals up', () => {
    for (const [name, triangles] of [
      ['boxes', 8192],
      ['boxes-small', 2048],
      ['mixed', 8192],
    ] as const) {
      const scene = buildScene(name);
      expect(scene.checks.triangles).toBe(triangles);
      const mesh = scene.shapes[scene.bodies.shape[0]];
      if (mesh.type !== 'mesh') throw new Error('the first body is the mesh');
      expect(scene.bodies.type[0]).toBe(STATIC);
      let convexEdges = 0;
      const p = (v: number) => Array.from(mesh.positions.subarray(3 * v, 3 * v + 3));
      const edges = new Map<string, number>();
      for (let t = 0; t < triangles; t++) {
        const ids = Array.from(mesh.indices.subarray(3 * t, 3 * t + 3));
        const [a, b, c] = ids.map(p);
        const ny = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
        expect(ny).toBeGreaterThan(0);
        // An edge is convex if the vertex across it lies below the plane of this triangle.
        for (let k = 0; k < 3; k++) {
          const key = `${Math.min(ids[k], ids[(k + 1) % 3])},${Math.max(ids[k], ids[(k + 1) % 3])}`;
          const other = edges.get(key);
          if (other === undefined) edges.set(key, ids[(k + 2) % 3]);
          else {
            const nx = (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]);
            const nz = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            const q = p(other);
            if (nx * (q[0] - a[0]) + ny * (q[1] - a[1]) + nz * (q[2] - a[2]) < -1e-6) convexEdges++;
          }
        }
      }
      // Non-convex ground: hills as well as hollows.
      expect(convexEdges).toBeGreaterThan(0.2 * edges.size);
      expect(convexEdges).toBeLessThan(0.8 * edges.size);
    }
  });

  it('boxes weigh about 237 kg', () => {
    for (const seed of [1, 2, 3]) {
      const scene = buildScene('boxes', { seed });
      let mass = 0;
      for (let i = 0; i < scene.bodies.count; i++) {
        const shape = scene.shapes[scene.bodies.shape[i]];
        if (shape.type === 'box')
          mass += 8 * shape.halfExtents[0] * shape.halfExtents[1] * shape.halfExtents[2] * scene.bodies.density[i];
      }
      expect(mass / 5160).toBeGreaterThan(233);
      expect(mass / 5160).toBeLessThan(243);
    }
  });

  it.each(['wall', 'pyramid', 'stack', 'cardhouse', 'slabs', 'boxes720', 'slope', 'domino', 'plates'] as const)(
    '%s touches without overlap',
    (name) => {
      const scene = buildScene(name);
      expect(scene.checks.touching).toBe(true);
      const pairs = closePairs(boxesOf(scene), 0.005);
      for (const { a, b, separation } of pairs) {
        if (scene.bodies.type[a] !== DYNAMIC && scene.bodies.type[b] !== DYNAMIC) continue;
        expect(separation, `${name}: ${a} against ${b}`).toBeGreaterThan(-1e-5);
      }
      // Every body touches something: structures start resting, not falling.
      const touched = new Set(pairs.filter((p) => p.separation < 1e-5).flatMap((p) => [p.a, p.b]));
      for (let i = 0; i < scene.bodies.count; i++)
        if (scene.bodies.type[i] === DYNAMIC) expect(touched.has(i), `${name}: ${i}`).toBe(true);
    },
  );

  it('the wall has 831 touching pairs', () => {
    // 270 beside each other, 29 x 19 above each other, 10 on the floor.
    expect(closePairs(boxesOf(buildScene('wall')), 1e-4).length).toBe(831);
  });

  it('every leaning card touches two things or more and every plank rests on all its tents', () => {
    const scene = buildScene('cardhouse');
    const pairs = closePairs(boxesOf(scene), 1e-4);
    const touches = new Array<number>(scene.bodies.count).fill(0);
    for (const { a, b } of pairs) {
      touches[a]++;
      touches[b]++;
    }
    let planks = 0;
    let leaning = 0;
    for (let i = 1; i < scene.bodies.count; i++) {
      const shape = scene.shapes[scene.bodies.shape[i]];
      if (shape.type === 'box' && shape.halfExtents[0] > 0.1) {
        planks++;
        expect(touches[i]).toBeGreaterThanOrEqual(4);
      } else {
        leaning++;
        expect(touches[i]).toBeGreaterThanOrEqual(2);
      }
    }
    expect([leaning, planks]).toEqual([40, 8]);
  });

  it('dropped boxes start apart', () => {
    for (const name of ['boxes', 'boxes-small'] as const) {
      const scene = buildScene(name);
      const list = boxesOf({
        ...scene,
        bodies: { ...scene.bodies, shape: scene.bodies.shape.map((s, i) => (i === 0 ? scene.bodies.shape[1] : s)) },
      });
      expect(closePairs(list.slice(1), 0).length).toBe(0);
    }
  });

  it('rejects unknown names', () => {
    expect(() => buildScene('toString')).toThrow(/unknown scene/);
  });
});
