// Calls a narrow-phase test of the core with shapes, pose and cache in scratch memory, and reads its manifolds.
import { HullBlob, ManifoldOut, SHAPE_BOX, SHAPE_HULL, Shape } from '../../src/layout.generated';
import { type ConvexHull, cookHull } from '../../src/shapes/hull';
import { type CoreExports, loadCore } from './core';
import type { Point } from './polyhedra';
import type { Columns } from './random';

export interface Contact {
  point: Point;
  separation: number;
}
export interface Result {
  manifolds: number;
  gap: number;
  normal: Point;
  contacts: Contact[];
}

/** A core with room for two shapes, a pose, a cache and manifolds. */
export class Collider {
  readonly core: CoreExports;
  private readonly memory: WebAssembly.Memory;
  private readonly at: { a: number; b: number; rel: number; out: number; cache: number; hulls: [number, number] };

  constructor() {
    const { core, memory } = loadCore();
    core.initPolyhedra();
    core.initConvex();
    this.core = core;
    this.memory = memory;
    this.at = {
      a: core.allocate(Shape.STRIDE),
      b: core.allocate(Shape.STRIDE),
      rel: core.allocate(64),
      out: core.allocate(ManifoldOut.STRIDE * 32),
      cache: core.allocate(64),
      hulls: [core.allocate(65536), core.allocate(65536)],
    };
  }

  /** Sets shape 0 (A) or 1 (B) to a box. */
  setBox(which: 0 | 1, h: Point): void {
    const base = which === 0 ? this.at.a : this.at.b;
    const view = new DataView(this.memory.buffer, base, Shape.STRIDE);
    view.setUint32(Shape.type, SHAPE_BOX, true);
    for (let i = 0; i < 3; i++) view.setFloat32(Shape.p0 + 4 * i, h[i]!, true);
  }

  /** Sets shape 0 (A) or 1 (B) to a hull. */
  setHull(which: 0 | 1, hull: ConvexHull): void {
    const blob = new Uint8Array(cookHull(hull));
    const at = this.at.hulls[which];
    new Uint8Array(this.memory.buffer).set(blob, at);
    const base = which === 0 ? this.at.a : this.at.b;
    const view = new DataView(this.memory.buffer, base, Shape.STRIDE);
    view.setUint32(Shape.type, SHAPE_HULL, true);
    view.setUint32(Shape.dataPtr, at, true);
    view.setUint32(Shape.dataBytes, blob.length, true);
  }

  setPose(r: Columns, t: Point): void {
    const f = new Float32Array(this.memory.buffer, this.at.rel, 12);
    for (let k = 0; k < 3; k++) f.set([...r[k]!, t[k]!], 4 * k);
  }

  get cache(): number {
    return new DataView(this.memory.buffer).getUint32(this.at.cache, true);
  }

  set cache(value: number) {
    new DataView(this.memory.buffer).setUint32(this.at.cache, value, true);
  }

  /** Runs the export `name` of the core on the shapes and the pose. */
  run(name: string, margin: number): Result {
    const { a, b, rel, out, cache } = this.at;
    const manifolds = this.core[name](a, b, rel, out, cache, margin) >>> 0;
    const f = new Float32Array(this.memory.buffer, out, ManifoldOut.STRIDE / 4);
    const u = new Uint32Array(this.memory.buffer, out, 1);
    const contacts: Contact[] = [];
    if (manifolds > 0) {
      for (let i = 0; i < u[0]!; i++) {
        const o = ManifoldOut.x0 / 4 + 4 * i;
        contacts.push({ point: [f[o]!, f[o + 1]!, f[o + 2]!], separation: f[o + 3]! });
      }
    }
    return { manifolds, gap: f[ManifoldOut.gap / 4]!, normal: [f[4]!, f[5]!, f[6]!], contacts };
  }

  /** Least separation over all of the `count` manifolds that the last run wrote. */
  deepest(count: number): number {
    const f = new Float32Array(this.memory.buffer, this.at.out, (count * ManifoldOut.STRIDE) / 4);
    const u = new Uint32Array(this.memory.buffer, this.at.out, (count * ManifoldOut.STRIDE) / 4);
    let least = Number.POSITIVE_INFINITY;
    for (let m = 0; m < count; m++) {
      const base = (m * ManifoldOut.STRIDE) / 4;
      for (let i = 0; i < u[base]!; i++) least = Math.min(least, f[base + ManifoldOut.s0 / 4 + 4 * i]!);
    }
    return least;
  }

  /** Bounds of the hull of shape `which` turned by r: min x y z, max x y z. */
  hullBounds(which: 0 | 1, r: Columns): number[] {
    this.setPose(r, [0, 0, 0]);
    this.core.hullBounds(this.at.hulls[which], this.at.rel, this.at.out);
    const f = new Float32Array(this.memory.buffer, this.at.out, 8);
    return [f[0]!, f[1]!, f[2]!, f[4]!, f[5]!, f[6]!];
  }

  /** Number of vertices of the hull of shape `which`. */
  hullVertexCount(which: 0 | 1): number {
    return new DataView(this.memory.buffer).getUint32(this.at.hulls[which] + HullBlob.vertexCount, true);
  }
}

/** Rounds a pose to single precision, so that the oracle sees the numbers the core sees. */
export function roundPose(r: Columns, t: Point): { r: Columns; t: Point } {
  return { r: r.map((c) => c.map(Math.fround)) as Columns, t: t.map(Math.fround) as Point };
}
