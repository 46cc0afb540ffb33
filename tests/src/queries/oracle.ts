// Slow, obvious geometry in double precision, to check queries against: support functions, and nearest points by GJK-free search.
import type { ColliderId, ShapeDesc, World } from '../../../src/index';

export type V = [number, number, number];
export type Q = [number, number, number, number];
export const dot = (a: V, b: V) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const sub = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add = (a: V, b: V, k = 1): V => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
export const cross = (a: V, b: V): V => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const length = (a: V) => Math.hypot(...a);
export const unit = (a: V): V => a.map((x) => x / length(a)) as V;

export function turn(q: Q, v: V): V {
  const u: V = [q[0], q[1], q[2]];
  const c = cross(u, v);
  return add(add(v, c, 2 * q[3]), cross(u, c), 2);
}
export const back = (q: Q, v: V): V => turn([-q[0], -q[1], -q[2], q[3]], v);

export function random(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const between = (a: number, b: number) => a + (b - a) * next();
  const vector = (r: number): V => [between(-r, r), between(-r, r), between(-r, r)];
  const direction = (): V => {
    for (;;) {
      const v = vector(1);
      if (length(v) > 0.1 && length(v) < 1) return unit(v);
    }
  };
  const rotation = (): Q => {
    const q = [next() - 0.5, next() - 0.5, next() - 0.5, next() - 0.5];
    const k = 1 / Math.hypot(...q);
    return q.map((x) => Math.fround(x * k)) as Q;
  };
  return { next, between, vector, direction, rotation };
}

/** Signed distance of a point to a convex shape, shape frame: exact outside; inside at least its sign. Hulls by their triangles. */
export function pointDistance(shape: ShapeDesc, p: V): number {
  const rho = Math.hypot(p[0], p[2]);
  switch (shape.type) {
    case 'sphere':
      return length(p) - shape.radius;
    case 'capsule':
      return Math.hypot(p[0], p[1] - Math.max(-shape.halfHeight, Math.min(shape.halfHeight, p[1])), p[2]) - shape.radius;
    case 'box': {
      const half = shape.halfExtents as ArrayLike<number>;
      const d = [0, 1, 2].map((k) => Math.abs(p[k]!) - half[k]!);
      const out = Math.hypot(...d.map((x) => Math.max(x, 0)));
      return out > 0 ? out : Math.max(...d);
    }
    case 'cylinder': {
      const a = rho - shape.radius;
      const b = Math.abs(p[1]) - shape.halfHeight;
      return a > 0 && b > 0 ? Math.hypot(a, b) : Math.max(a, b);
    }
    case 'cone': {
      // In the half plane: a triangle (0, h) (r, -h) (0, -h).
      const [r, h] = [shape.radius, shape.halfHeight];
      const side = ((rho - r) * 2 * h + (p[1] + h) * r) / Math.hypot(2 * h, r);
      const base = -h - p[1];
      if (side <= 0 && base <= 0) return Math.max(side, base);
      const segment = (ax: number, ay: number, bx: number, by: number) => {
        const t = ((rho - ax) * (bx - ax) + (p[1] - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
        const k = Math.max(0, Math.min(1, t));
        return Math.hypot(rho - ax - k * (bx - ax), p[1] - ay - k * (by - ay));
      };
      return Math.min(segment(0, h, r, -h), segment(0, -h, r, -h));
    }
    default:
      throw new Error(`no distance to a ${shape.type}`);
  }
}

/** Pose of the only collider of a body: the tests here put shapes at the origins of bodies. */
export function poseOf(world: World, collider: ColliderId): { p: V; q: Q } {
  const body = world.bodyOf(collider);
  return { p: world.getPosition(body, [0, 0, 0] as V), q: world.getRotation(body, [0, 0, 0, 1] as Q) };
}

/** Nearest point of a triangle to p (Ericson 2005, 5.1.5, by the edges where the foot is outside). */
export function nearestOnTriangle(p: V, a: V, b: V, c: V): V {
  const n = cross(sub(b, a), sub(c, a));
  const inside = [
    [a, b],
    [b, c],
    [c, a],
  ].every(([u, v]) => dot(cross(n, sub(v!, u!)), sub(p, u!)) >= 0);
  if (inside) return add(p, n, -dot(n, sub(p, a)) / dot(n, n));
  let best: V = a;
  for (const [u, v] of [
    [a, b],
    [b, c],
    [c, a],
  ] as [V, V][]) {
    const e = sub(v, u);
    const t = Math.max(0, Math.min(1, dot(sub(p, u), e) / dot(e, e)));
    const q = add(u, e, t);
    if (length(sub(p, q)) < length(sub(p, best))) best = q;
  }
  return best;
}

/** First t at which a function that says how far something is, and changes by at most 1 a unit of t, reaches 0; or Infinity. */
export function march(distance: (t: number) => number, most: number, hair = 1e-6): number {
  let t = 0;
  for (let i = 0; i < 2000 && t <= most; i++) {
    const d = distance(t);
    if (d <= hair) return t;
    t += d;
  }
  return Infinity;
}
