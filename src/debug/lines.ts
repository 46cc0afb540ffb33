// The whole world as line segments with colors, for debug drawing by any renderer: outlines of colliders, contacts, joints,
// bounds. Reads linear memory, changes nothing, and costs nothing unless it is called.

import { checkBoolean, checkKeys, checkNumber, checkTyped, fail } from '../checks/validate';
import { readJointLines } from '../joints/lines';
import {
  BODY_DYNAMIC,
  BODY_STATIC,
  BodyCold,
  COLLIDER_DISABLED,
  COLLIDER_SENSOR,
  Collider,
  Header,
  NONE,
} from '../layout.generated';
import type { Registry } from '../registry/registry';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';
import { type ContactArrays, readBounds, readContacts } from './inspect';
import { outlineOf } from './outlines';

/** Line segments, two points per segment. Only the first `count` points are in use. */
export interface DebugLines {
  count: number;
  /** Positions (world, m): x y z per point. */
  positions: Float32Array;
  /** Colors: red, green, blue from 0 to 1 per point. */
  colors: Float32Array;
}

/** A color: red, green, blue from 0 to 1. */
export type DebugColor = readonly [number, number, number];

/** Colors for `DebugLineOptions.colors`. */
export interface DebugColors {
  /** Colliders of awake dynamic bodies. */
  awake?: DebugColor;
  asleep?: DebugColor;
  kinematic?: DebugColor;
  static?: DebugColor;
  sensor?: DebugColor;
  /** Disabled colliders and bodies. */
  disabled?: DebugColor;
  /** Points and normals of contacts. */
  contact?: DebugColor;
  bounds?: DebugColor;
}

/** Options of `World.readDebugLines`. */
export interface DebugLineOptions {
  /** Whether to draw outlines of colliders, colored by the state of their bodies; default true. */
  shapes?: boolean;
  /** Whether to draw contact points with their normals; default true. */
  contacts?: boolean;
  /** Whether to draw joints, as `readJointLines`; default true. */
  joints?: boolean;
  /** Whether to draw the bounding boxes of colliders; default false. */
  bounds?: boolean;
  /** Length of the axes of joints and of the normals of contacts, m; default 0.2. */
  size?: number;
  /** Where between the last two steps to draw outlines, as in `readPoses`; default that of the last `advance`. */
  alpha?: number;
  colors?: DebugColors;
}

const COLORS: Required<DebugColors> = {
  awake: [0.2, 0.9, 0.4],
  asleep: [0.35, 0.45, 0.7],
  kinematic: [1, 0.7, 0.2],
  static: [0.6, 0.6, 0.6],
  sensor: [0.9, 0.4, 0.9],
  disabled: [0.3, 0.3, 0.3],
  contact: [1, 0.2, 0.2],
  bounds: [0.9, 0.9, 0.3],
};
const SWITCHES = ['shapes', 'contacts', 'joints', 'bounds'] as const;
const DEFAULTS = { shapes: true, contacts: true, joints: true, bounds: false };
const MOST = 1e6;

/** The parts of a world that are read. */
export interface DebugWorld {
  core: CoreExports;
  memory: LinearMemory;
  registry: Registry;
  /** By shape slot: a number that no other shape ever had. */
  geometry: readonly number[];
  /** Writes a pose between the last two steps. */
  pose(slot: number, position: number[], rotation: number[], alpha: number): void;
}

/** Reads a world as lines, again and again: it keeps outlines of shapes. */
export class DebugDrawer {
  private readonly outlines = new Map<number, Float32Array>();
  private contacts: ContactArrays | undefined;
  private out: DebugLines = { count: 0, positions: new Float32Array(0), colors: new Float32Array(0) };

  /** Reads the lines. `alpha` applies unless the options set it. */
  read(world: DebugWorld, options: DebugLineOptions, alpha: number, out: DebugLines | undefined): DebugLines {
    const asked = checkOptions(options);
    const size = options.size === undefined ? 0.2 : checkNumber(options.size, 'options.size', 0, MOST);
    const blend = options.alpha === undefined ? alpha : checkNumber(options.alpha, 'options.alpha', 0, 1);
    const colors = { ...COLORS, ...options.colors };
    this.out = out === undefined ? { count: 0, positions: new Float32Array(0), colors: new Float32Array(0) } : checkOut(out);
    this.out.count = 0;
    if (asked.shapes) this.shapes(world, colors, blend);
    if (asked.contacts) this.contactLines(world, colors.contact, size);
    if (asked.joints) {
      const { count, positions, colors: paint } = readJointLines(world.memory, size);
      const at = 3 * this.room(count);
      this.out.positions.set(positions.subarray(0, 3 * count), at);
      this.out.colors.set(paint.subarray(0, 3 * count), at);
    }
    if (asked.bounds) this.boxes(world, colors.bounds);
    return this.out;
  }

  /** Reserves room for so many points; returns the index of the first. */
  private room(points: number): number {
    const { out } = this;
    const from = out.count;
    out.count += points;
    for (const key of ['positions', 'colors'] as const) {
      if (out[key].length >= 3 * out.count) continue;
      const more = new Float32Array(6 * Math.ceil(Math.max(out.count / 2, out[key].length / 4)));
      more.set(out[key].subarray(0, 3 * from));
      out[key] = more;
    }
    return from;
  }

  private paint(from: number, points: number, [r, g, b]: DebugColor): void {
    const { colors } = this.out;
    for (let i = 3 * from; i < 3 * (from + points); i += 3) {
      colors[i] = r;
      colors[i + 1] = g;
      colors[i + 2] = b;
    }
  }

  private shapes(world: DebugWorld, colors: Required<DebugColors>, alpha: number): void {
    const { memory, registry } = world;
    const position = [0, 0, 0];
    const rotation = [0, 0, 0, 1];
    const used = new Set<number>();
    for (let c = 0; c < memory.headerU32(Header.colliderCount); c++) {
      const at = registry.colliderWord(c, 0);
      const body = memory.u32[at + Collider.body / 4]!;
      if (body === NONE) continue;
      const flags = memory.u32[at + Collider.flags / 4]!;
      const shape = memory.u32[at + Collider.shape / 4]!;
      const outline = this.outline(world, shape);
      used.add(world.geometry[shape]!);
      world.pose(body, position, rotation, alpha);
      const { f32 } = memory;
      const com = registry.coldWord(body, BodyCold.comX);
      const f = (offset: number) => f32[at + offset / 4]!;
      // Colliders lie about the center of mass.
      turn(rotation, [f(Collider.x) + f32[com]!, f(Collider.y) + f32[com + 1]!, f(Collider.z) + f32[com + 2]!], shift);
      multiply(rotation, [f(Collider.qx), f(Collider.qy), f(Collider.qz), f(Collider.qw)], turned);
      const points = outline.length / 3;
      const from = this.room(points);
      this.place(outline, from, position);
      this.paint(from, points, colors[this.stateOf(registry, body, flags)]);
    }
    for (const key of this.outlines.keys()) if (!used.has(key)) this.outlines.delete(key);
  }

  private outline(world: DebugWorld, shape: number): Float32Array {
    const key = world.geometry[shape]!;
    let outline = this.outlines.get(key);
    if (outline === undefined) {
      outline = outlineOf(world.memory, world.registry.shapeWord(shape, 0));
      this.outlines.set(key, outline);
    }
    return outline;
  }

  private stateOf(registry: Registry, body: number, flags: number): keyof DebugColors {
    if (flags & COLLIDER_DISABLED) return 'disabled';
    if (flags & COLLIDER_SENSOR) return 'sensor';
    const type = registry.bodyType(body);
    if (type === BODY_STATIC) return 'static';
    if (type !== BODY_DYNAMIC) return 'kinematic';
    return registry.isAsleep(body) ? 'asleep' : 'awake';
  }

  /** Places the points of an outline, rotated by `turned` and moved by `shift`, about a body's origin. */
  private place(outline: Float32Array, from: number, origin: readonly number[]): void {
    const { positions } = this.out;
    const [x, y, z, w] = turned as [number, number, number, number];
    const [ox, oy, oz] = [origin[0]! + shift[0]!, origin[1]! + shift[1]!, origin[2]! + shift[2]!];
    const [xx, yy, zz, xy, xz, yz] = [x * x, y * y, z * z, x * y, x * z, y * z];
    const [wx, wy, wz] = [w * x, w * y, w * z];
    for (let i = 0, o = 3 * from; i < outline.length; i += 3, o += 3) {
      const [a, b, c] = [outline[i]!, outline[i + 1]!, outline[i + 2]!];
      positions[o] = ox + a * (1 - 2 * (yy + zz)) + 2 * (b * (xy - wz) + c * (xz + wy));
      positions[o + 1] = oy + b * (1 - 2 * (xx + zz)) + 2 * (a * (xy + wz) + c * (yz - wx));
      positions[o + 2] = oz + c * (1 - 2 * (xx + yy)) + 2 * (a * (xz - wy) + b * (yz + wx));
    }
  }

  /** Adds a cross at each contact point, and its normal. */
  private contactLines({ core, memory }: DebugWorld, color: DebugColor, size: number): void {
    const contacts = readContacts(core, memory, this.contacts);
    this.contacts = contacts;
    const from = this.room(8 * contacts.count);
    const { positions } = this.out;
    let o = 3 * from;
    for (let i = 0; i < contacts.count; i++) {
      for (let line = 0; line < 4; line++) {
        for (let end = 0; end < 2; end++) {
          for (let k = 0; k < 3; k++, o++) {
            const point = contacts.points[3 * i + k]!;
            if (line === 3) positions[o] = point + end * size * contacts.normals[3 * i + k]!;
            else positions[o] = point + (k === line ? (end - 0.5) * 0.2 * size : 0);
          }
        }
      }
    }
    this.paint(from, 8 * contacts.count, color);
  }

  private boxes({ memory, registry }: DebugWorld, color: DebugColor): void {
    const bounds = readBounds(memory, registry);
    for (let i = 0; i + 6 <= bounds.length; i += 6) {
      // Bounds of planes are endless and not drawn.
      if (!(Math.max(...bounds.subarray(i, i + 6).map(Math.abs)) < MOST)) continue;
      const from = this.room(24);
      let o = 3 * from;
      for (let axis = 0; axis < 3; axis++) {
        for (let side = 0; side < 4; side++) {
          for (const end of [0, 3]) {
            const corner = [0, 0, 0];
            corner[axis] = bounds[i + axis + end]!;
            corner[(axis + 1) % 3] = bounds[i + ((axis + 1) % 3) + 3 * (side & 1)]!;
            corner[(axis + 2) % 3] = bounds[i + ((axis + 2) % 3) + 3 * (side >> 1)]!;
            for (let k = 0; k < 3; k++, o++) this.out.positions[o] = corner[k]!;
          }
        }
      }
      this.paint(from, 24, color);
    }
  }
}

/** Offset of the collider that is being placed. */
const shift = [0, 0, 0];
const turned = [0, 0, 0, 1];

function turn(q: readonly number[], v: readonly number[], out: number[]): void {
  const [x, y, z, w] = q as [number, number, number, number];
  const [a, b, c] = v as [number, number, number];
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  out[0] = a + w * tx + y * tz - z * ty;
  out[1] = b + w * ty + z * tx - x * tz;
  out[2] = c + w * tz + x * ty - y * tx;
}

function multiply(p: readonly number[], q: readonly number[], out: number[]): void {
  const [a, b, c, d] = p as [number, number, number, number];
  const [x, y, z, w] = q as [number, number, number, number];
  out[0] = d * x + a * w + b * z - c * y;
  out[1] = d * y - a * z + b * w + c * x;
  out[2] = d * z + a * y - b * x + c * w;
  out[3] = d * w - a * x - b * y - c * z;
}

function checkOptions(options: DebugLineOptions): typeof DEFAULTS {
  checkKeys(options, 'options', [...SWITCHES, 'size', 'alpha', 'colors']);
  if (options.colors !== undefined) {
    checkKeys(options.colors, 'options.colors', Object.keys(COLORS));
    for (const [key, color] of Object.entries(options.colors) as [string, unknown][]) {
      if (!Array.isArray(color) || color.length !== 3) fail(`options.colors.${key}`, 'red, green and blue from 0 to 1', color);
      for (let k = 0; k < 3; k++) checkNumber(color[k], `options.colors.${key}[${k}]`, 0, 1);
    }
  }
  const asked = { ...DEFAULTS };
  for (const key of SWITCHES) if (options[key] !== undefined) asked[key] = checkBoolean(options[key], `options.${key}`);
  return asked;
}

function checkOut(out: DebugLines): DebugLines {
  if (out === null || typeof out !== 'object') fail('out', 'what readDebugLines returned', out);
  for (const key of ['positions', 'colors'] as const) checkTyped(out[key], `out.${key}`, 'Float32Array');
  if (Object.isFrozen(out)) fail('out', 'an object that can be written', out);
  return out;
}
