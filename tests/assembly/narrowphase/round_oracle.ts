// Double-precision references for tests of round and convex shapes: support functions, distance by GJK over all sub-simplices,
// depth by a search over directions, distance of a point to a surface; and a driver that calls the core with a pair.
import {
  ManifoldOut,
  RelPose,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HULL,
  SHAPE_SPHERE,
  Shape,
} from '../../../src/layout.generated';
import type { ConvexHull } from '../../../src/shapes/hull';
import { cookHull } from '../../../src/shapes/hull';
import { type CoreExports, loadCore } from '../../helpers/core';

export type Vec = readonly [number, number, number];
export interface Solid {
  type: number;
  p: Vec;
  hull?: ConvexHull;
}
/** Rotation as columns, and translation. */
export interface Pose {
  c: readonly [Vec, Vec, Vec];
  t: Vec;
}

export const add = (a: Vec, b: Vec): Vec => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const mul = (a: Vec, k: number): Vec => [a[0] * k, a[1] * k, a[2] * k];
export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const len = (a: Vec): number => Math.hypot(a[0], a[1], a[2]);
export const unit = (a: Vec): Vec => mul(a, 1 / len(a));
export const rotate = (p: Pose, v: Vec): Vec => add(add(mul(p.c[0], v[0]), mul(p.c[1], v[1])), mul(p.c[2], v[2]));
export const unrotate = (p: Pose, v: Vec): Vec => [dot(p.c[0], v), dot(p.c[1], v), dot(p.c[2], v)];
export const toWorld = (p: Pose, v: Vec): Vec => add(rotate(p, v), p.t);

/** Deterministic uniform numbers in [0, 1). */
export function random(seed: number): () => number {
  let s = seed >>> 0;
  return () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function randomDirection(rnd: () => number): Vec {
  const z = 2 * rnd() - 1;
  const a = 2 * Math.PI * rnd();
  const r = Math.sqrt(1 - z * z);
  return [r * Math.cos(a), r * Math.sin(a), z];
}

export function poseOf(x: number, y: number, z: number, w: number, t: Vec): Pose {
  const k = 1 / Math.hypot(x, y, z, w);
  const [a, b, c, d] = [x * k, y * k, z * k, w * k];
  return {
    c: [
      [1 - 2 * (b * b + c * c), 2 * (a * b + d * c), 2 * (a * c - d * b)],
      [2 * (a * b - d * c), 1 - 2 * (a * a + c * c), 2 * (b * c + d * a)],
      [2 * (a * c + d * b), 2 * (b * c - d * a), 1 - 2 * (a * a + b * b)],
    ],
    t,
  };
}

export function randomRotation(rnd: () => number): [number, number, number, number] {
  const g = () => Math.sqrt(-2 * Math.log(1 - rnd())) * Math.cos(2 * Math.PI * rnd());
  return [g(), g(), g(), g()];
}

/** Farthest point along d, in the frame of the shape. */
export function support(s: Solid, d: Vec): Vec {
  const [a, b, c] = s.p;
  const side = (r: number, y: number): Vec => {
    const k = Math.hypot(d[0], d[2]);
    return k > 0 ? [(r * d[0]) / k, y, (r * d[2]) / k] : [0, y, 0];
  };
  switch (s.type) {
    case SHAPE_SPHERE:
      return mul(unit(d), a);
    case SHAPE_CAPSULE:
      return add([0, d[1] >= 0 ? b : -b, 0], mul(unit(d), a));
    case SHAPE_BOX:
      return [d[0] >= 0 ? a : -a, d[1] >= 0 ? b : -b, d[2] >= 0 ? c : -c];
    case SHAPE_CYLINDER:
      return side(a, d[1] >= 0 ? b : -b);
    case SHAPE_CONE:
      return 2 * b * d[1] > a * Math.hypot(d[0], d[2]) ? [0, b, 0] : side(a, -b);
    default: {
      // Types that the core refuses have no points.
      if (!s.hull) return [0, 0, 0];
      const v = s.hull.vertices;
      let best = 0;
      let most = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < v.length; i += 3) {
        const x = d[0] * v[i] + d[1] * v[i + 1] + d[2] * v[i + 2];
        if (x > most) {
          most = x;
          best = i;
        }
      }
      return [v[best], v[best + 1], v[best + 2]];
    }
  }
}

/** Separation along the unit axis n from A to B: a lower bound of the signed distance. */
export function separationAlong(a: Solid, b: Solid, pose: Pose, n: Vec): number {
  return dot(n, sub(toWorld(pose, support(b, unrotate(pose, mul(n, -1)))), support(a, n)));
}

// Nearest point to the origin of the hull of up to 4 points: the best valid sub-simplex of all.
export function nearest(points: Vec[]): { v: Vec; used: Vec[] } {
  let best: { v: Vec; used: Vec[] } | undefined;
  for (let mask = 1; mask < 1 << points.length; mask++) {
    const used = points.filter((_, i) => mask & (1 << i));
    const p = used[0];
    const e = used.slice(1).map((q) => sub(q, p));
    let v: Vec | undefined;
    if (e.length === 0) v = p;
    else if (e.length === 1) {
      const t = -dot(p, e[0]) / dot(e[0], e[0]);
      if (t >= 0 && t <= 1) v = add(p, mul(e[0], t));
    } else if (e.length === 2) {
      const [a, b, c] = [dot(e[0], e[0]), dot(e[0], e[1]), dot(e[1], e[1])];
      const det = a * c - b * b;
      if (det > 1e-20 * a * c) {
        const [x, y] = [-dot(p, e[0]), -dot(p, e[1])];
        const [s, t] = [(c * x - b * y) / det, (a * y - b * x) / det];
        if (s >= 0 && t >= 0 && s + t <= 1) v = add(p, add(mul(e[0], s), mul(e[1], t)));
      }
    } else {
      const det = dot(e[0], cross(e[1], e[2]));
      if (det !== 0) {
        const o = mul(p, -1);
        const [x, y, z] = [dot(o, cross(e[1], e[2])) / det, dot(e[0], cross(o, e[2])) / det, dot(e[0], cross(e[1], o)) / det];
        if (x >= 0 && y >= 0 && z >= 0 && x + y + z <= 1) v = [0, 0, 0];
      }
    }
    if (v && (!best || dot(v, v) < dot(best.v, best.v))) best = { v, used };
  }
  return best as { v: Vec; used: Vec[] };
}

/** Distance of two shapes in double precision, 0 where they overlap. */
export function distance(a: Solid, b: Solid, pose: Pose): number {
  const c = (d: Vec): Vec => sub(support(a, d), toWorld(pose, support(b, unrotate(pose, mul(d, -1)))));
  let simplex = [c(mul(pose.t, 1))];
  let v = simplex[0];
  for (let i = 0; i < 200; i++) {
    const vv = dot(v, v);
    if (vv < 1e-24) return 0;
    const w = c(mul(v, -1));
    if (vv - dot(v, w) <= 1e-12 * vv) break;
    const next = nearest([...simplex, w]);
    if (dot(next.v, next.v) >= vv) break;
    v = next.v;
    simplex = next.used;
    if (simplex.length === 4) return 0;
  }
  return len(v);
}

/** Best separation found over many axes, refined: close to the signed distance from below (from the wrong side if it fails). */
export function bestSeparation(a: Solid, b: Solid, pose: Pose, rnd: () => number): number {
  const f = (n: Vec) => separationAlong(a, b, pose, n);
  const axes: Vec[] = [];
  for (let i = 0; i < 3; i++) {
    const e: Vec = [i === 0 ? 1 : 0, i === 1 ? 1 : 0, i === 2 ? 1 : 0];
    axes.push(e, mul(e, -1), pose.c[i], mul(pose.c[i], -1));
  }
  if (len(pose.t) > 0) axes.push(unit(pose.t));
  for (const [s, inB] of [
    [a, false],
    [b, true],
  ] as const) {
    if (!s.hull) continue;
    for (let i = 0; i < s.hull.planes.length; i += 4) {
      const n: Vec = [s.hull.planes[i], s.hull.planes[i + 1], s.hull.planes[i + 2]];
      axes.push(inB ? mul(rotate(pose, n), -1) : n);
    }
  }
  for (let i = 0; i < 300; i++) axes.push(randomDirection(rnd));
  const ranked = axes.map((n) => ({ n, s: f(n) })).sort((x, y) => y.s - x.s);
  let best = ranked[0].s;
  for (const start of ranked.slice(0, 6)) {
    let { n, s } = start;
    for (let step = 0.3; step > 1e-6; step *= 0.6) {
      for (let k = 0; k < 8; k++) {
        const m = unit(add(n, mul(randomDirection(rnd), step)));
        const v = f(m);
        if (v > s) {
          n = m;
          s = v;
        }
      }
    }
    best = Math.max(best, s);
  }
  return best;
}

/** Signed distance of a point (frame of the shape) to the surface; for hulls outside an edge a lower bound. */
export function pointDistance(s: Solid, q: Vec): number {
  const [a, b, c] = s.p;
  const rho = Math.hypot(q[0], q[2]);
  switch (s.type) {
    case SHAPE_SPHERE:
      return len(q) - a;
    case SHAPE_CAPSULE:
      return Math.hypot(q[0], q[1] - Math.max(-b, Math.min(b, q[1])), q[2]) - a;
    case SHAPE_BOX:
      return outsideOf([Math.abs(q[0]) - a, Math.abs(q[1]) - b, Math.abs(q[2]) - c]);
    case SHAPE_CYLINDER:
      return outsideOf([rho - a, Math.abs(q[1]) - b]);
    case SHAPE_CONE: {
      const l = Math.hypot(a, 2 * b);
      return Math.max(-b - q[1], (rho * 2 * b + (q[1] - b) * a) / l);
    }
    default: {
      const p = (s.hull as ConvexHull).planes;
      let most = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < p.length; i += 4) most = Math.max(most, p[i] * q[0] + p[i + 1] * q[1] + p[i + 2] * q[2] - p[i + 3]);
      return most;
    }
  }
}
const outsideOf = (d: number[]): number => {
  const out = Math.hypot(...d.map((x) => Math.max(x, 0)));
  return out > 0 ? out : Math.max(...d);
};

/** Bounding radius about the shape's origin. */
export function extentOf(s: Solid): number {
  const [a, b, c] = s.p;
  switch (s.type) {
    case SHAPE_SPHERE:
      return a;
    case SHAPE_CAPSULE:
      return a + b;
    case SHAPE_BOX:
      return Math.hypot(a, b, c);
    case SHAPE_HULL: {
      const v = (s.hull as ConvexHull).vertices;
      let most = 0;
      for (let i = 0; i < v.length; i += 3) most = Math.max(most, Math.hypot(v[i], v[i + 1], v[i + 2]));
      return most;
    }
    default:
      return Math.hypot(a, b);
  }
}

export interface Result {
  manifolds: number;
  count: number;
  gap: number;
  n: Vec;
  points: { p: Vec; s: number }[];
}

/** Calls narrow-phase tests of a fresh core with pairs of shapes. */
export class Driver {
  readonly core: CoreExports;
  readonly memory: WebAssembly.Memory;
  private readonly block: number;
  private readonly blob: [number, number];

  constructor() {
    const { core, memory } = loadCore();
    this.core = core;
    this.memory = memory;
    core.initNarrowPhase();
    this.block = core.allocate(4096);
    this.blob = [core.allocate(65536), core.allocate(65536)];
  }

  get shapeA(): number {
    return this.block;
  }
  get shapeB(): number {
    return this.block + Shape.STRIDE;
  }
  get rel(): number {
    return this.block + 256;
  }
  get cache(): number {
    return this.block + 320;
  }
  get out(): number {
    return this.block + 512;
  }

  setShape(index: 0 | 1, s: Solid): void {
    const view = new DataView(this.memory.buffer, this.block + index * Shape.STRIDE, Shape.STRIDE);
    view.setUint32(Shape.type, s.type, true);
    view.setFloat32(Shape.p0, s.p[0], true);
    view.setFloat32(Shape.p1, s.p[1], true);
    view.setFloat32(Shape.p2, s.p[2], true);
    view.setFloat32(Shape.extent, extentOf(s), true);
    for (const [k, low, high] of [
      [0, Shape.minX, Shape.maxX],
      [1, Shape.minY, Shape.maxY],
      [2, Shape.minZ, Shape.maxZ],
    ] as const) {
      const axis: Vec = [+(k === 0), +(k === 1), +(k === 2)];
      view.setFloat32(low, support(s, mul(axis, -1))[k], true);
      view.setFloat32(high, support(s, axis)[k], true);
    }
    view.setUint32(Shape.dataPtr, 0, true);
    if (s.hull) {
      const bytes = new Uint8Array(cookHull(s.hull));
      new Uint8Array(this.memory.buffer).set(bytes, this.blob[index]);
      view.setUint32(Shape.dataPtr, this.blob[index], true);
    }
  }

  /** A mesh or a heightfield as shape B. */
  setSurface(type: number, { blob, min, max }: { blob: ArrayBuffer; min: readonly number[]; max: readonly number[] }): void {
    const at = this.block + Shape.STRIDE;
    new Uint8Array(this.memory.buffer).set(new Uint8Array(blob), this.blob[1]);
    const floats = new Float32Array(this.memory.buffer, at, Shape.STRIDE / 4);
    floats.set(min, Shape.minX / 4);
    floats.set(max, Shape.maxX / 4);
    floats[Shape.extent / 4] = Math.hypot(...[0, 1, 2].map((k) => Math.max(-min[k]!, max[k]!)));
    const view = new DataView(this.memory.buffer, at, Shape.STRIDE);
    view.setUint32(Shape.type, type, true);
    view.setUint32(Shape.dataPtr, this.blob[1], true);
  }

  /** The least separation of the points of so many manifolds. */
  leastSeparation(manifolds: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < manifolds; i++) {
      const view = new DataView(this.memory.buffer, this.out + i * ManifoldOut.STRIDE, ManifoldOut.STRIDE);
      for (let k = view.getUint32(ManifoldOut.count, true) - 1; k >= 0; k--)
        least = Math.min(least, view.getFloat32(ManifoldOut.x0 + 16 * k + 12, true));
    }
    return least;
  }

  /** Writes the pose in f32 and returns it as the core sees it. */
  setPose(pose: Pose): Pose {
    const f = new Float32Array(this.memory.buffer, this.rel, RelPose.STRIDE / 4);
    for (let i = 0; i < 3; i++) f.set([...pose.c[i], pose.t[i]], i * 4);
    return {
      c: [
        [f[0], f[1], f[2]],
        [f[4], f[5], f[6]],
        [f[8], f[9], f[10]],
      ],
      t: [f[3], f[7], f[11]],
    };
  }

  setCache(value: number): void {
    new Uint32Array(this.memory.buffer, this.cache, 1)[0] = value;
  }

  /** Runs a test on the shapes and the pose set before. The cache is kept. */
  run(name: string, margin: number): Result {
    new Uint8Array(this.memory.buffer, this.out, ManifoldOut.STRIDE).fill(0xff);
    const manifolds = this.core[name](this.shapeA, this.shapeB, this.rel, this.out, this.cache, margin) >>> 0;
    const view = new DataView(this.memory.buffer, this.out, ManifoldOut.STRIDE);
    const f = (offset: number) => view.getFloat32(offset, true) + 0; // no -0
    const count = manifolds === 0 ? 0 : view.getUint32(ManifoldOut.count, true);
    const points = [];
    for (let i = 0; i < Math.min(count, 4); i++) {
      const at = ManifoldOut.x0 + i * 16;
      points.push({ p: [f(at), f(at + 4), f(at + 8)] as Vec, s: f(at + 12) });
    }
    return { manifolds, count, gap: f(ManifoldOut.gap), n: [f(ManifoldOut.nx), f(ManifoldOut.ny), f(ManifoldOut.nz)], points };
  }
}

export const sphere = (r: number): Solid => ({ type: SHAPE_SPHERE, p: [r, 0, 0] });
export const capsule = (r: number, h: number): Solid => ({ type: SHAPE_CAPSULE, p: [r, h, 0] });
export const box = (x: number, y: number, z: number): Solid => ({ type: SHAPE_BOX, p: [x, y, z] });
export const cylinder = (r: number, h: number): Solid => ({ type: SHAPE_CYLINDER, p: [r, h, 0] });
export const cone = (r: number, h: number): Solid => ({ type: SHAPE_CONE, p: [r, h, 0] });
export const hullOf = (hull: ConvexHull): Solid => ({ type: SHAPE_HULL, p: [0, 0, 0], hull });
