// Puts shapes, meshes and heightfields into a fresh core and runs the surface tests of the narrow phase; results in the
// frame of the surface, as plain numbers.
import { HullBlob, MAX_MESH_MANIFOLDS, ManifoldOut, Shape } from '../../src/layout.generated';
import type { CookedHeightfield } from '../../src/shapes/heightfield';
import type { CookedMesh } from '../../src/shapes/mesh';
import { loadCore } from './core';

export type Vec = [number, number, number];
export type Quat = [number, number, number, number];

export interface Contact {
  /** Point on A and separation. */
  point: Vec;
  separation: number;
}
export interface SurfaceManifold {
  /** From A to B. */
  normal: Vec;
  feature: number;
  contacts: Contact[];
}
export interface SurfaceResult {
  manifolds: SurfaceManifold[];
  gap: number;
}

/** Columns of the rotation matrix of a quaternion x y z w. */
export function columns([x, y, z, w]: Quat): [Vec, Vec, Vec] {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
}

export const dot = (a: Vec, b: Vec) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const sub = (a: Vec, b: Vec): Vec => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add = (a: Vec, b: Vec, f = 1): Vec => [a[0] + b[0] * f, a[1] + b[1] * f, a[2] + b[2] * f];
export const turn = (c: [Vec, Vec, Vec], p: Vec): Vec => [
  c[0][0] * p[0] + c[1][0] * p[1] + c[2][0] * p[2],
  c[0][1] * p[0] + c[1][1] * p[1] + c[2][1] * p[2],
  c[0][2] * p[0] + c[1][2] * p[1] + c[2][2] * p[2],
];
export const turnBack = (c: [Vec, Vec, Vec], p: Vec): Vec => [dot(c[0], p), dot(c[1], p), dot(c[2], p)];

/** A quaternion about a unit axis (rad). */
export function about(axis: Vec, angle: number): Quat {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

/** A seeded generator of numbers in 0..1 (mulberry32). */
export function random(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = a;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function randomQuat(next: () => number): Quat {
  for (;;) {
    const q = [0, 0, 0, 0].map(() => 2 * next() - 1) as Quat;
    const l = Math.hypot(...q);
    if (l > 0.1 && l < 1) return q.map((x) => x / l) as Quat;
  }
}

export function surfaceWorld() {
  const { core, memory } = loadCore();
  core.initMeshTests();
  const rel = core.allocate(64);
  const out = core.allocate(MAX_MESH_MANIFOLDS * ManifoldOut.STRIDE);
  const cache = core.allocate(64);

  const copy = (blob: ArrayBuffer): number => {
    const at = core.allocate(blob.byteLength) >>> 0;
    new Uint8Array(memory.buffer).set(new Uint8Array(blob), at);
    return at;
  };
  const shape = (type: number, p: number[], min: Vec, max: Vec, blob?: ArrayBuffer): number => {
    const dataPtr = blob ? copy(blob) : 0;
    const at = core.allocate(Shape.STRIDE) >>> 0;
    const f = new Float32Array(memory.buffer, at, Shape.STRIDE / 4);
    const u = new Uint32Array(memory.buffer, at, Shape.STRIDE / 4);
    u[Shape.type / 4] = type;
    u[Shape.flags / 4] = 1;
    f.set(p, Shape.p0 / 4);
    f.set(min, Shape.minX / 4);
    f.set(max, Shape.maxX / 4);
    f[Shape.extent / 4] = Math.hypot(...[0, 1, 2].map((k) => Math.max(-min[k], max[k])));
    u[Shape.dataPtr / 4] = dataPtr;
    return at;
  };

  return {
    core,
    memory,
    cache,
    sphere: (r: number) => shape(0, [r], [-r, -r, -r], [r, r, r]),
    capsule: (r: number, h: number) => shape(1, [r, h], [-r, -h - r, -r], [r, h + r, r]),
    box: (x: number, y: number, z: number) => shape(2, [x, y, z], [-x, -y, -z], [x, y, z]),
    cylinder: (r: number, h: number) => shape(4, [r, h], [-r, -h, -r], [r, h, r]),
    cone: (r: number, h: number) => shape(5, [r, h], [-r, -h, -r], [r, h, r]),
    hull: (blob: ArrayBuffer) => {
      const f = new Float32Array(blob);
      const v = (o: number): Vec => [f[o / 4], f[o / 4 + 1], f[o / 4 + 2]];
      return shape(3, [], v(HullBlob.minX), v(HullBlob.maxX), blob);
    },
    mesh: (cooked: CookedMesh) => shape(6, [], cooked.min, cooked.max, cooked.blob),
    heightfield: (cooked: CookedHeightfield) => shape(7, [], cooked.min, cooked.max, cooked.blob),
    blobOf: (s: number) => new Uint32Array(memory.buffer, s, Shape.STRIDE / 4)[Shape.dataPtr / 4],
    forget: () => {
      new Uint32Array(memory.buffer)[cache >> 2] = 0;
    },

    /** Writes the pose of the surface (identity) in the frame of A, where A stands at `p`, `q` in the frame of the surface. */
    pose(p: Vec, q: Quat): void {
      const c = columns(q);
      const t = turnBack(c, p).map((x) => -x);
      const f = new Float32Array(memory.buffer, rel, 12);
      for (let k = 0; k < 3; k++) {
        f[4 * k] = c[0][k];
        f[4 * k + 1] = c[1][k];
        f[4 * k + 2] = c[2][k];
        f[4 * k + 3] = t[k];
      }
    },

    /** Runs the test of A at pose (p, q) against a surface at the origin; memory of the pair is kept unless forgotten. */
    collide(a: number, b: number, p: Vec, q: Quat = [0, 0, 0, 1], margin = 0.02, keep = false): SurfaceResult {
      if (!keep) this.forget();
      this.pose(p, q);
      const count = this.run(a, b, margin);
      const c = columns(q);
      const f = new Float32Array(memory.buffer);
      const u = new Uint32Array(memory.buffer);
      const manifolds: SurfaceManifold[] = [];
      for (let i = 0; i < count; i++) {
        const at = (out + i * ManifoldOut.STRIDE) / 4;
        const normal = turn(c, [f[at + ManifoldOut.nx / 4], f[at + ManifoldOut.ny / 4], f[at + ManifoldOut.nz / 4]]);
        const contacts: Contact[] = [];
        for (let k = 0; k < u[at]; k++) {
          const s = at + ManifoldOut.x0 / 4 + 4 * k;
          contacts.push({ point: add(turn(c, [f[s], f[s + 1], f[s + 2]]), p), separation: f[s + 3] });
        }
        manifolds.push({ normal, feature: u[at + ManifoldOut.feature / 4], contacts });
      }
      return { manifolds, gap: f[out / 4 + ManifoldOut.gap / 4] };
    },

    /** The bare call, for timing. */
    run(a: number, b: number, margin: number): number {
      const type = new Uint32Array(memory.buffer, b, 1)[0];
      return type === 6
        ? core.collideConvexMesh(a, b, rel, out, cache, margin)
        : core.collideConvexHeightfield(a, b, rel, out, cache, margin);
    },
  };
}

/** A flat or bumpy grid of 2 n n triangles in the plane y = height(x, z), fronts up, from -size to size. Diagonals alternate. */
export function gridMesh(n: number, size: number, height: (x: number, z: number) => number = () => 0) {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= n; j++) {
    for (let i = 0; i <= n; i++) {
      const x = -size + (2 * size * i) / n;
      const z = -size + (2 * size * j) / n;
      positions.push(x, height(x, z), z);
    }
  }
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const a = j * (n + 1) + i;
      const b = a + 1;
      const c = a + n + 1;
      const d = c + 1;
      if ((i + j) % 2 === 0) indices.push(a, c, d, a, d, b);
      else indices.push(a, c, b, b, c, d);
    }
  }
  return { positions, indices };
}
