// A world of every kind of shape at random poses, with what the oracles need to know of it.
import { type ColliderId, createWorld, type ShapeDesc, type World } from '../../../src/index';
import { add, back, nearestOnTriangle, pointDistance, type Q, random, sub, turn, type V } from './oracle';

export interface Placed {
  collider: ColliderId;
  desc: ShapeDesc;
  p: V;
  q: Q;
}
const cubeCorners = (h: V): number[] => {
  const list: number[] = [];
  for (const x of [-h[0], h[0]]) for (const y of [-h[1], h[1]]) for (const z of [-h[2], h[2]]) list.push(x, y, z);
  return list;
};

/** Shapes whose distance to a point is known in closed form; a hull is a box in disguise. */
export const CONVEX: ShapeDesc[] = [
  { type: 'sphere', radius: 0.6 },
  { type: 'box', halfExtents: [0.5, 0.3, 0.8] },
  { type: 'capsule', radius: 0.3, halfHeight: 0.6 },
  { type: 'cylinder', radius: 0.5, halfHeight: 0.4 },
  { type: 'cone', radius: 0.6, halfHeight: 0.7 },
  { type: 'hull', points: Float32Array.from(cubeCorners([0.4, 0.6, 0.3])) },
];
const HULL: ShapeDesc = { type: 'box', halfExtents: [0.4, 0.6, 0.3] };

/** A wavy mesh of 2 * 12 * 12 triangles about the origin, 12 m wide. */
export function wavyMesh(): { positions: Float32Array; indices: Uint32Array } {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= 12; j++) for (let i = 0; i <= 12; i++) positions.push(i - 6, Math.sin(i) * Math.cos(j * 0.7), j - 6);
  for (let j = 0; j < 12; j++) {
    for (let i = 0; i < 12; i++) {
      const a = j * 13 + i;
      indices.push(a, a + 13, a + 14, a, a + 14, a + 1);
    }
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Heights of 20 x 20 samples, 0.7 m apart, with a hole. */
export function hills(): Float32Array {
  const heights = Float32Array.from({ length: 400 }, (_, k) => Math.sin(k % 20) * 0.6 + Math.cos(Math.floor(k / 20) * 0.8) * 0.5);
  heights[7 * 20 + 9] = Number.NaN;
  return heights;
}

export function trianglesOf(desc: ShapeDesc): [V, V, V][] {
  const list: [V, V, V][] = [];
  if (desc.type === 'mesh') {
    const at = (k: number): V => [...(desc.positions as Float32Array).subarray(3 * k, 3 * k + 3)] as V;
    const indices = desc.indices as Uint32Array;
    for (let k = 0; k < indices.length; k += 3) list.push([at(indices[k]!), at(indices[k + 1]!), at(indices[k + 2]!)]);
  } else if (desc.type === 'heightfield') {
    const { nx, nz, spacing } = desc;
    const heights = desc.heights as Float32Array;
    const at = (i: number, j: number): V => [i * (spacing as number), heights[j * nx + i]!, j * (spacing as number)];
    for (let j = 0; j < nz - 1; j++) {
      for (let i = 0; i < nx - 1; i++) {
        list.push([at(i, j), at(i, j + 1), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i + 1, j)]);
      }
    }
  }
  return list;
}

/** `count` convex bodies in a cube of 2 r, and a mesh and a heightfield below. `moving`: half of them are dynamic. */
export async function cloud(seed: number, count: number, r: number, moving = false): Promise<{ world: World; placed: Placed[] }> {
  const world = await createWorld({ gravity: [0, 0, 0] });
  const rng = random(seed);
  const placed: Placed[] = [];
  const shapes = CONVEX.map((desc) => world.createShape(desc));
  const put = (shape: (typeof shapes)[number], desc: ShapeDesc, p: V, q: Q, type: 'static' | 'dynamic') => {
    const body = world.createBody({ type, shape, position: p, rotation: q, sensor: false });
    placed.push({ collider: world.collidersOf(body)[0]!, desc, p, q });
  };
  for (let i = 0; i < count; i++) {
    const p = rng.vector(r).map(Math.fround) as V;
    put(shapes[i % 6]!, CONVEX[i % 6]!, p, rng.rotation(), moving && i % 2 === 0 ? 'dynamic' : 'static');
  }
  const mesh: ShapeDesc = { type: 'mesh', ...wavyMesh() };
  const field: ShapeDesc = { type: 'heightfield', heights: hills(), nx: 20, nz: 20, spacing: 0.7 };
  put(world.createShape(mesh), mesh, [0, -r - 2, 0], rng.rotation(), 'static');
  put(world.createShape(field), field, [-7, r + 1, -7], [0, 0, 0, 1], 'static');
  return { world, placed };
}

/** Signed distance of a world point to what was placed: to surfaces never negative. */
export function distanceTo(thing: Placed, point: V): number {
  const local = back(thing.q, sub(point, thing.p));
  if (thing.desc.type === 'hull') return pointDistance(HULL, local);
  if (thing.desc.type !== 'mesh' && thing.desc.type !== 'heightfield') return pointDistance(thing.desc, local);
  let least = Infinity;
  for (const [a, b, c] of trianglesOf(thing.desc)) {
    if (Number.isNaN(a[1] + b[1] + c[1])) continue;
    least = Math.min(least, Math.hypot(...sub(local, nearestOnTriangle(local, a, b, c))));
  }
  return least;
}

/** Where a point of the frame of a thing is in the world. */
export const worldPoint = (thing: Placed, p: V): V => add(thing.p, turn(thing.q, p));
