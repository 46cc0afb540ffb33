// Boxes and spheres in a bare core: what tests of single stages need of the host.
import { BODY_DYNAMIC, BodyCenter, BodyRow, HEADER_PTR, Header, SHAPE_BOX, SHAPE_SPHERE } from '../../src/layout.generated';
import { type CoreExports, loadCore } from './core';

export interface BoxOptions {
  type?: number;
  rotation?: [number, number, number, number];
  density?: number;
  friction?: number;
  restitution?: number;
}

/** A world of boxes on the bare core. Sizes are half extents, m; poses are world frame. */
export class BoxWorld {
  readonly core: CoreExports;
  readonly memory: WebAssembly.Memory;
  private readonly shapes = new Map<string, number>();

  constructor() {
    const { core, memory } = loadCore();
    this.core = core;
    this.memory = memory;
  }

  private view(): DataView {
    return new DataView(this.memory.buffer);
  }
  u32(offset: number): number {
    return this.view().getUint32(HEADER_PTR + offset, true);
  }
  setU32(offset: number, value: number): void {
    this.view().setUint32(HEADER_PTR + offset, value, true);
  }
  setF32(offset: number, value: number): void {
    this.view().setFloat32(HEADER_PTR + offset, value, true);
  }

  private shape(type: number, a: number, b: number, c: number): number {
    const key = `${type},${a},${b},${c}`;
    let shape = this.shapes.get(key);
    if (shape === undefined) {
      const half = type === SHAPE_BOX ? [a, b, c] : [a, a, a];
      const extent = type === SHAPE_BOX ? Math.hypot(a, b, c) : a;
      shape = this.core.createShape(type, a, b, c, extent, 0, 0, -half[0], -half[1], -half[2], half[0], half[1], half[2]) >>> 0;
      this.shapes.set(key, shape);
    }
    return shape;
  }

  private body(shape: number, position: number[], mass: number, inertia: number[], options: BoxOptions): number {
    const q = options.rotation ?? [0, 0, 0, 1];
    const type = options.type ?? BODY_DYNAMIC;
    const body = this.core.createBody(type, ...position, ...q) >>> 0;
    if (type === BODY_DYNAMIC) this.core.setMassProperties(body, mass, 0, 0, 0, ...inertia, 0, 0, 0);
    const material = [options.friction ?? 0.6, options.restitution ?? 0, 0, 0, -1, -1, 0, options.density ?? 1000];
    this.core.createCollider(body, shape, 0, 0, 0, 0, 0, 0, 1, ...material);
    return body;
  }

  box(position: number[], half: number[], options: BoxOptions = {}): number {
    const [a, b, c] = half;
    const mass = 8 * a * b * c * (options.density ?? 1000);
    const inertia = [(mass / 3) * (b * b + c * c), (mass / 3) * (a * a + c * c), (mass / 3) * (a * a + b * b)];
    return this.body(this.shape(SHAPE_BOX, a, b, c), position, mass, inertia, options);
  }

  sphere(position: number[], radius: number, options: BoxOptions = {}): number {
    const mass = (4 / 3) * Math.PI * radius ** 3 * (options.density ?? 1000);
    const moment = 0.4 * mass * radius * radius;
    return this.body(this.shape(SHAPE_SPHERE, radius, 0, 0), position, mass, [moment, moment, moment], options);
  }

  /** Center of mass of a body. */
  position(body: number): number[] {
    return Array.from(new Float32Array(this.memory.buffer, this.u32(Header.bodyCenters) + body * BodyCenter.STRIDE, 3));
  }
  linearVelocity(body: number): number[] {
    return Array.from(new Float32Array(this.memory.buffer, this.u32(Header.bodyRows) + body * BodyRow.STRIDE, 3));
  }
  angularVelocity(body: number): number[] {
    return Array.from(new Float32Array(this.memory.buffer, this.u32(Header.bodyRows) + body * BodyRow.STRIDE + 16, 3));
  }
  /** Root mean square of the linear speeds of dynamic bodies, m/s. */
  rmsSpeed(): number {
    const count = this.u32(Header.bodyCount);
    const rows = new Float32Array(this.memory.buffer, this.u32(Header.bodyRows), (count * BodyRow.STRIDE) / 4);
    let sum = 0;
    let dynamic = 0;
    for (let i = 0; i < count; i++) {
      if (!(rows[i * 16 + 3] > 0)) continue;
      sum += rows[i * 16] ** 2 + rows[i * 16 + 1] ** 2 + rows[i * 16 + 2] ** 2;
      dynamic++;
    }
    return Math.sqrt(sum / dynamic);
  }
  /** Steps and throws on error bits. */
  step(count = 1): void {
    for (let i = 0; i < count; i++) {
      const error = this.core.step();
      if (error !== 0) throw new Error(`step ${i}: error bits ${error}`);
    }
  }
}
