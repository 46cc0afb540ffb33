// Queries against the world: checks the arguments, writes the query to the QueryState of the core, and reads the results into the
// caller's objects. Nothing is allocated if `out` is given and vectors are arrays.
import { TalusError } from '../checks/errors';
import {
  checkArray,
  checkBits,
  checkBoolean,
  checkNumber,
  checkPosition,
  checkQuat,
  checkQuats,
  checkVec3,
  checkWord,
  fail,
  failKey,
  MAX_COORDINATE,
} from '../checks/validate';
import { writeComponents } from '../checks/vectors';
import {
  HEADER_PTR,
  Header,
  NONE,
  QUERY_ALL,
  QUERY_ANY,
  QUERY_BATCH,
  QUERY_BOUNDS,
  QUERY_BY_CATEGORY,
  QUERY_CAST,
  QUERY_CLOSEST,
  QUERY_CONTACT,
  QUERY_DISTANCE,
  QUERY_FRONT,
  QUERY_HOLLOW,
  QUERY_LEAVES,
  QUERY_OVERLAP,
  QUERY_RAY,
  QUERY_SENSORS,
  QUERY_SKIP_SOLIDS,
  QUERY_SKIP_TYPES,
  QueryState,
  QueryHit as Row,
  SHAPE_MESH,
  Shape,
} from '../layout.generated';
import type { Registry } from '../registry/registry';
import { BODY_TYPES, type ColliderId, type Quat, type ShapeId, type Vec3 } from '../types';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';
import {
  type BatchHits,
  type BatchOptions,
  createQueryHit,
  createShapeContact,
  type DistanceOptions,
  type QueryFilter,
  type QueryHit,
  type RayOptions,
  type ShapeCastOptions,
  type ShapeContact,
} from './types';

const FILTER = ['mask', 'category', 'excludeBody', 'excludeCollider', 'types', 'sensors'];
const keysOf = (...more: string[]) => new Set([...FILTER, ...more]);
const FILTER_KEYS = keysOf('filter');
const RAY_KEYS = keysOf('filter', 'maxDistance', 'solid', 'backFaces');
const CAST_KEYS = keysOf('filter', 'stopAtPenetration');
const DISTANCE_KEYS = keysOf('filter', 'maxDistance');
const RAYS_KEYS = keysOf('maxDistance', 'solid', 'backFaces', 'any');
const CASTS_KEYS = keysOf('stopAtPenetration', 'any');
const PAIR_KEYS = new Set(['maxDistance']);
type Options = RayOptions & ShapeCastOptions & DistanceOptions & BatchOptions;
const NO_OPTIONS: Options = {};
const NO_TURN = [0, 0, 0, 1];

const STATE = (HEADER_PTR + Header.queryState) >>> 2;
const HIT_WORDS = Row.STRIDE / 4;
const DEFAULT_REACH = 1000;
/** For batches: words of the starts before the directions, and of those before the rotations. */
const BATCH_VECTORS = 3 * QUERY_BATCH;
const OUT_ARRAYS = [
  ['distances', 1, Float32Array],
  ['colliders', 1, Float64Array],
  ['bodies', 1, Float64Array],
  ['points', 3, Float32Array],
  ['normals', 3, Float32Array],
  ['features', 1, Uint32Array],
  ['penetrations', 1, Float32Array],
] as const;

/** An optional boolean option. */
function flag(value: unknown, name: string, otherwise: boolean): boolean {
  return value === undefined ? otherwise : checkBoolean(value, name);
}

/** Returns whether a vector can be written to a value: an array of numbers, or an object with x, y and z. */
function takesVector(value: unknown): boolean {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return false;
  if (value instanceof Float32Array || value instanceof Float64Array) return value.length >= 3;
  return Array.isArray(value) || 'x' in value;
}

function takesFields(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Object.isFrozen(value);
}

function checkHit(out: unknown): void {
  if (out === undefined || (takesFields(out) && takesVector(out.point) && takesVector(out.normal))) return;
  fail('out', 'a hit of createQueryHit', out);
}

function checkContact(out: unknown): void {
  if (out === undefined) return;
  const good =
    takesFields(out) &&
    ['normal', 'pointA', 'pointB'].every((key) => takesVector(out[key])) &&
    ['points', 'normals', 'separations'].every((key) => Array.isArray(out[key]) && !Object.isFrozen(out[key]));
  if (!good) fail('out', 'a contact of createShapeContact', out);
}

function checkIds(out: unknown): void {
  if (!Array.isArray(out) || Object.isFrozen(out)) fail('out', 'an array that can be written', out);
}

function checkHits(out: unknown): void {
  checkIds(out);
  const list = out as unknown[];
  for (let i = 0; i < list.length; i++) checkHit(list[i]);
}

/** The queries of one world. */
export class Queries {
  private readonly core: CoreExports;
  private readonly memory: LinearMemory;
  private readonly registry: Registry;
  /** The query, as the QueryState begins: written there after all of it was checked. */
  private readonly f32 = new Float32Array(QueryState.STRIDE / 4);
  private readonly u32 = new Uint32Array(this.f32.buffer);
  private readonly first = this.u32.subarray(0, QueryState.hits / 4);
  private readonly second = this.u32.subarray(QueryState.bx / 4, QueryState.batch / 4);
  /** Results that wait for a filter, one block per level of queries made by filters. */
  private readonly waiting: Uint32Array[] = [];
  private depth = 0;

  constructor(core: CoreExports, memory: LinearMemory, registry: Registry) {
    this.core = core;
    this.memory = memory;
    this.registry = registry;
  }

  // ------------------------------------------------------------------------------------------------- the question

  /** Writes the query; returns the u32 index of the QueryState. */
  private state(batch = 0): number {
    let address = this.memory.headerU32(Header.queryState);
    if (address === 0 || batch !== 0) address = this.core.queryState(batch) >>> 0;
    if (address === 0) throw new TalusError('out-of-memory', 'linear memory cannot grow');
    const at = address >>> 2;
    this.memory.u32.set(this.first, at);
    return at;
  }

  /** Checks options and writes the filter. */
  private filter(options: Options, keys: Set<string>): void {
    let mask = NONE;
    let category = NONE;
    let flags = 0;
    let body = NONE;
    let collider = NONE;
    if (options !== NO_OPTIONS) {
      // Arrays have a filter of their own.
      const isList = Array.isArray(options) || ArrayBuffer.isView(options);
      if (options === null || typeof options !== 'object' || isList) fail('options', 'an object', options);
      for (const key in options) {
        if (!keys.has(key)) failKey('options', key, [...keys]);
      }
      const { types, sensors, filter } = options as QueryFilter;
      if (options.mask !== undefined) mask = checkBits(options.mask, 'mask');
      if (options.category !== undefined) {
        category = checkBits(options.category, 'category');
        flags |= QUERY_BY_CATEGORY;
      }
      if (options.excludeBody !== undefined && options.excludeBody !== null) body = this.registry.body(options.excludeBody);
      if (options.excludeCollider !== undefined && options.excludeCollider !== null) {
        collider = this.registry.collider(options.excludeCollider);
      }
      if (types !== undefined) {
        if (!Array.isArray(types)) fail('types', 'an array of body types', types);
        flags |= QUERY_SKIP_TYPES;
        for (let i = 0; i < types.length; i++) flags &= ~(1 << checkWord(types[i], `types[${i}]`, BODY_TYPES));
      }
      if (sensors !== undefined && sensors !== false) {
        if (sensors !== 'only' && sensors !== true) fail('sensors', "true, false or 'only'", sensors);
        flags |= sensors === 'only' ? QUERY_SENSORS | QUERY_SKIP_SOLIDS : QUERY_SENSORS;
      }
      if (filter !== undefined && typeof filter !== 'function') fail('filter', 'a function', filter);
      if (!flag(options.solid, 'solid', true)) flags |= QUERY_HOLLOW;
      if (!flag(options.backFaces, 'backFaces', true)) flags |= QUERY_FRONT;
      if (!flag(options.stopAtPenetration, 'stopAtPenetration', true)) flags |= QUERY_LEAVES;
    }
    const { u32 } = this;
    u32[QueryState.mask / 4] = mask;
    u32[QueryState.category / 4] = category;
    u32[QueryState.flags / 4] = flags;
    u32[QueryState.excludeBody / 4] = body;
    u32[QueryState.excludeCollider / 4] = collider;
  }

  /** Returns `maxDistance` of the options. */
  private reach(options: { maxDistance?: number }, least: number, otherwise: number): number {
    const { maxDistance } = options;
    return maxDistance === undefined ? otherwise : checkNumber(maxDistance, 'maxDistance', least, 2 * MAX_COORDINATE);
  }

  /** Returns the slot of a convex shape. */
  private convex(id: ShapeId): number {
    const shape = this.registry.shape(id);
    if (this.typeOf(shape) < SHAPE_MESH) return shape;
    throw new TalusError('unsupported', `shape ${id} is a mesh, heightfield or plane: queries take only convex shapes`);
  }

  private typeOf(shape: number): number {
    return this.memory.u32[this.registry.shapeWord(shape, Shape.type)]!;
  }

  private vector(offset: number, v: ArrayLike<number>): void {
    const { f32 } = this;
    const at = offset / 4;
    f32[at] = v[0]!;
    f32[at + 1] = v[1]!;
    f32[at + 2] = v[2]!;
  }

  /** Writes a shape at a pose. */
  private asker(id: ShapeId, position: Vec3, rotation: Quat | null | undefined): void {
    const shape = this.convex(id);
    const p = checkPosition(position, 'position');
    const r = rotation === undefined || rotation === null ? NO_TURN : checkQuat(rotation, 'rotation');
    this.vector(QueryState.ox, p);
    this.turn(QueryState.qx, r);
    this.u32[QueryState.shape / 4] = shape;
  }

  /** Writes a rotation of length 1: squares of very long or short quaternions would overflow or vanish. */
  private turn(offset: number, q: ArrayLike<number>): void {
    const { f32 } = this;
    const at = offset / 4;
    const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
    const k = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
    f32[at] = x * k;
    f32[at + 1] = y * k;
    f32[at + 2] = z * k;
    f32[at + 3] = w * k;
  }

  /** Writes a ray; returns its length. */
  private ray(origin: Vec3, direction: Vec3, options: RayOptions): number {
    const o = checkPosition(origin, 'origin');
    const d = checkVec3(direction, 'direction');
    const reach = this.reach(options, 1e-9, DEFAULT_REACH);
    const x = d[0]!;
    const y = d[1]!;
    const z = d[2]!;
    let length = Math.sqrt(x * x + y * y + z * z);
    // Of very short vectors the squares are none.
    if (length < 1e-150) length = Math.hypot(x, y, z);
    if (!(length > 0)) throw new TalusError('invalid-argument', 'direction must not be zero');
    this.vector(QueryState.ox, o);
    const { f32 } = this;
    f32[QueryState.dx / 4] = x / length;
    f32[QueryState.dy / 4] = y / length;
    f32[QueryState.dz / 4] = z / length;
    f32[QueryState.reach / 4] = reach;
    return reach;
  }

  /** Writes the path of a cast; returns its length. */
  private way(translation: Vec3): number {
    const d = checkVec3(translation, 'translation', 2 * MAX_COORDINATE);
    const x = d[0]!;
    const y = d[1]!;
    const z = d[2]!;
    const length = Math.sqrt(x * x + y * y + z * z);
    const k = length > 0 ? 1 / length : 0;
    const { f32 } = this;
    f32[QueryState.dx / 4] = x * k;
    f32[QueryState.dy / 4] = y * k;
    f32[QueryState.dz / 4] = z * k;
    f32[QueryState.reach / 4] = length;
    return length;
  }

  /** Runs the query; returns the number of results. */
  private run(kind: number, mode: number, options: QueryFilter): number {
    this.state();
    const { filter } = options;
    const count = this.core.runQuery(kind, filter === undefined ? mode : QUERY_ALL) >>> 0;
    if (count === NONE) throw new TalusError('out-of-memory', 'linear memory cannot grow for all the hits');
    if (filter === undefined) return count;
    const words = count * HIT_WORDS;
    if ((this.waiting[this.depth]?.length ?? 0) < words) this.waiting[this.depth] = new Uint32Array(2 * words);
    const list = this.waiting[this.depth]!;
    const { u32 } = this.memory;
    const from = this.hits(u32);
    for (let i = 0; i < words; i++) list[i] = u32[from + i]!;
    let kept = 0;
    this.depth++;
    try {
      for (let i = 0; i < words; i += HIT_WORDS) {
        const collider = list[i + Row.collider / 4]!;
        if (!filter(this.registry.colliderIdAt(collider), this.registry.bodyIdAt(this.registry.ownerOf(collider)))) continue;
        list.copyWithin(kept, i, i + HIT_WORDS);
        kept += HIT_WORDS;
        if (mode !== QUERY_ALL) break;
      }
    } finally {
      this.depth--;
    }
    // Queries that the filter put have written over them.
    const memory = this.memory.u32;
    const to = this.hits(memory);
    for (let i = 0; i < kept; i++) memory[to + i] = list[i]!;
    return kept / HIT_WORDS;
  }

  // -------------------------------------------------------------------------------------------------- the answers

  /** Returns the u32 index of the results. */
  private hits(u32: Uint32Array): number {
    return u32[(u32[STATE]! + QueryState.hits) >>> 2]! >>> 2;
  }

  /** Writes result `index` to a hit. */
  private read<T extends QueryHit>(index: number, reach: number, out: T): T {
    const { u32, f32 } = this.memory;
    const row = this.hits(u32) + index * HIT_WORDS;
    const collider = u32[row + Row.collider / 4]!;
    out.body = this.registry.bodyIdAt(this.registry.ownerOf(collider, u32), u32);
    out.collider = this.registry.colliderIdAt(collider, u32);
    writeComponents(f32, row + Row.x / 4, 3, out.point);
    writeComponents(f32, row + Row.nx / 4, 3, out.normal);
    const distance = f32[row + Row.distance / 4]!;
    out.distance = distance;
    out.fraction = reach > 0 ? distance / reach : 0;
    out.penetration = f32[row + Row.penetration / 4]!;
    out.feature = u32[row + Row.feature / 4]!;
    return out;
  }

  /** Returns the only result, or null. */
  private one(count: number, reach: number, out: QueryHit | undefined): QueryHit | null {
    if (count === 0) return null;
    return this.read(0, reach, out ?? createQueryHit());
  }

  /** Writes all results to the hits of a list, which grows; returns their number. */
  private list(count: number, reach: number, out: QueryHit[]): number {
    for (let i = 0; i < count; i++) {
      out[i] ??= createQueryHit();
      this.read(i, reach, out[i]);
    }
    return count;
  }

  private ids(count: number, out: ColliderId[]): number {
    const { u32 } = this.memory;
    const row = this.hits(u32);
    for (let i = 0; i < count; i++) out[i] = this.registry.colliderIdAt(u32[row + i * HIT_WORDS + Row.collider / 4]!, u32);
    return count;
  }

  // ---------------------------------------------------------------------------------------------------- the calls

  castRay(origin: Vec3, direction: Vec3, options: RayOptions = NO_OPTIONS, out?: QueryHit): QueryHit | null {
    checkHit(out);
    this.filter(options, RAY_KEYS);
    const reach = this.ray(origin, direction, options);
    return this.one(this.run(QUERY_RAY, QUERY_CLOSEST, options), reach, out);
  }

  castRayAny(origin: Vec3, direction: Vec3, options: RayOptions = NO_OPTIONS): boolean {
    this.filter(options, RAY_KEYS);
    this.ray(origin, direction, options);
    return this.run(QUERY_RAY, QUERY_ANY, options) > 0;
  }

  castRayAll(origin: Vec3, direction: Vec3, options: RayOptions, out: QueryHit[]): number {
    checkHits(out);
    this.filter(options, RAY_KEYS);
    const reach = this.ray(origin, direction, options);
    return this.list(this.run(QUERY_RAY, QUERY_ALL, options), reach, out);
  }

  /** Casts a shape. QUERY_CLOSEST returns a hit or null, QUERY_ANY true or false, QUERY_ALL a number. */
  castShape(
    mode: number,
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    translation: Vec3,
    options: ShapeCastOptions = NO_OPTIONS,
    out?: QueryHit | QueryHit[],
  ): QueryHit | number | null {
    if (mode === QUERY_ALL) checkHits(out);
    else checkHit(out);
    this.filter(options, CAST_KEYS);
    this.asker(shape, position, rotation);
    const reach = this.way(translation);
    const count = this.run(QUERY_CAST, mode, options);
    if (mode === QUERY_CLOSEST) return this.one(count, reach, out as QueryHit | undefined);
    return mode === QUERY_ALL ? this.list(count, reach, out as QueryHit[]) : count;
  }

  /** As castShape, for QUERY_OVERLAP; `out` takes ids. */
  overlapShape(
    mode: number,
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    options: QueryFilter = NO_OPTIONS,
    out: ColliderId[] = [],
  ): number {
    checkIds(out);
    this.filter(options, FILTER_KEYS);
    this.asker(shape, position, rotation);
    const count = this.run(QUERY_OVERLAP, mode, options);
    return mode === QUERY_ALL ? this.ids(count, out) : count;
  }

  overlapPoint(point: Vec3, options: QueryFilter, out: ColliderId[]): number {
    checkIds(out);
    this.filter(options, FILTER_KEYS);
    this.vector(QueryState.ox, checkPosition(point, 'point'));
    this.u32[QueryState.shape / 4] = NONE;
    return this.ids(this.run(QUERY_OVERLAP, QUERY_ALL, options), out);
  }

  overlapBounds(min: Vec3, max: Vec3, options: QueryFilter, out: ColliderId[]): number {
    checkIds(out);
    this.filter(options, FILTER_KEYS);
    const low = checkPosition(min, 'min');
    const high = checkPosition(max, 'max');
    const { f32 } = this;
    for (let k = 0; k < 3; k++) {
      if (!(low[k]! <= high[k]!)) throw new TalusError('invalid-argument', `max[${k}] must not be less than min[${k}]`);
      f32[QueryState.ox / 4 + k] = (low[k]! + high[k]!) / 2;
      f32[QueryState.dx / 4 + k] = (high[k]! - low[k]!) / 2;
    }
    return this.ids(this.run(QUERY_BOUNDS, QUERY_ALL, options), out);
  }

  /** Finds the nearest points of a point (`shape` null) or shape and the colliders. */
  closest(
    shape: ShapeId | null,
    position: Vec3,
    rotation: Quat | null,
    options: DistanceOptions = NO_OPTIONS,
    out?: QueryHit,
  ): QueryHit | null {
    checkHit(out);
    const reach = this.distance(shape, position, rotation, options, DEFAULT_REACH);
    return this.one(this.run(QUERY_DISTANCE, QUERY_CLOSEST, options), reach, out);
  }

  /** Finds all contacts, or nearest points, within reach. */
  contacts(
    kind: typeof QUERY_DISTANCE | typeof QUERY_CONTACT,
    shape: ShapeId | null,
    position: Vec3,
    rotation: Quat | null,
    options: DistanceOptions,
    out: QueryHit[],
  ): number {
    checkHits(out);
    const reach = this.distance(shape, position, rotation, options, kind === QUERY_CONTACT ? 0 : DEFAULT_REACH);
    return this.list(this.run(kind, QUERY_ALL, options), reach, out);
  }

  private distance(
    shape: ShapeId | null,
    position: Vec3,
    rotation: Quat | null,
    options: DistanceOptions,
    otherwise: number,
  ): number {
    this.filter(options, DISTANCE_KEYS);
    const reach = this.reach(options, 0, otherwise);
    if (shape === null) {
      this.vector(QueryState.ox, checkPosition(position, 'point'));
      this.u32[QueryState.shape / 4] = NONE;
    } else this.asker(shape, position, rotation);
    this.f32[QueryState.reach / 4] = reach;
    return reach;
  }

  contactPair(
    shapeA: ShapeId,
    positionA: Vec3,
    rotationA: Quat | null,
    shapeB: ShapeId,
    positionB: Vec3,
    rotationB: Quat | null,
    options: { maxDistance?: number } = NO_OPTIONS,
    out?: ShapeContact,
  ): ShapeContact | null {
    checkContact(out);
    this.filter(options, PAIR_KEYS);
    // The core wants the lower type first.
    const turned = this.typeOf(this.registry.shape(shapeA)) > this.typeOf(this.registry.shape(shapeB));
    const first = turned ? shapeB : shapeA;
    const second = this.registry.shape(turned ? shapeA : shapeB);
    const reach = this.reach(options, 0, 0);
    const p = checkPosition(turned ? positionA : positionB, turned ? 'positionA' : 'positionB');
    const r = (turned ? rotationA : rotationB) ?? NO_TURN;
    const q = checkQuat(r, turned ? 'rotationA' : 'rotationB');
    this.asker(first, turned ? positionB : positionA, turned ? rotationB : rotationA);
    this.vector(QueryState.bx, p);
    this.turn(QueryState.bqx, q);
    this.u32[QueryState.shapeB / 4] = second;
    this.f32[QueryState.reach / 4] = reach;
    const at = this.state();
    this.memory.u32.set(this.second, at + QueryState.bx / 4);
    const count = this.core.runContact() >>> 0;
    if (count === NONE) throw new TalusError('out-of-memory', 'linear memory cannot grow for all the points');
    if (count === 0) return null;
    return this.readContact(count, turned, out ?? createShapeContact());
  }

  /**
   * Reads a contact. The core answers for the second of its shapes: a point there, the normal to the first. `turned`: the second
   * is A.
   */
  private readContact(count: number, turned: boolean, out: ShapeContact): ShapeContact {
    const { u32, f32 } = this.memory;
    let row = this.hits(u32);
    const distance = f32[row + Row.distance / 4]!;
    const point = row + Row.x / 4;
    const normal = row + Row.nx / 4;
    const other = [0, 1, 2].map((k) => f32[point + k]! + distance * f32[normal + k]!);
    const sign = turned ? 1 : -1;
    writeComponents([sign * f32[normal]!, sign * f32[normal + 1]!, sign * f32[normal + 2]!], 0, 3, out.normal);
    writeComponents(turned ? f32.subarray(point, point + 3) : other, 0, 3, out.pointA);
    writeComponents(turned ? other : f32.subarray(point, point + 3), 0, 3, out.pointB);
    out.distance = distance;
    out.feature = u32[row + Row.feature / 4]!;
    out.count = count - 1;
    for (let i = 0; i < count - 1; i++) {
      row += HIT_WORDS;
      const separation = f32[row + Row.distance / 4]!;
      for (let k = 0; k < 3; k++) {
        const n = f32[row + Row.nx / 4 + k]!;
        out.normals[3 * i + k] = sign * n;
        out.points[3 * i + k] = f32[row + Row.x / 4 + k]! + (turned ? separation * n : 0);
      }
      out.separations[i] = separation;
    }
    return out;
  }

  // ------------------------------------------------------------------------------------------------------- batches

  castRays(origins: ArrayLike<number>, directions: ArrayLike<number>, options: BatchOptions, out: BatchHits): number {
    this.filter(options, RAYS_KEYS);
    const reach = this.reach(options, 1e-9, DEFAULT_REACH);
    const count = this.checkBatch(origins, 'origins', directions, 'directions', out);
    for (let i = 0; i < 3 * count; i += 3) {
      const [x, y, z] = [directions[i]!, directions[i + 1]!, directions[i + 2]!];
      if (Math.abs(x) + Math.abs(y) + Math.abs(z) > 1e-30) continue;
      // Nearly zero: single precision decides.
      if (!(Math.abs(Math.fround(x)) + Math.abs(Math.fround(y)) + Math.abs(Math.fround(z)) > 0)) {
        throw new TalusError('invalid-argument', `direction ${i / 3} must not be zero`);
      }
    }
    this.f32[QueryState.reach / 4] = reach;
    return this.batch(QUERY_RAY, count, origins, directions, null, options, out);
  }

  castShapes(
    shape: ShapeId,
    positions: ArrayLike<number>,
    rotations: ArrayLike<number> | null,
    translations: ArrayLike<number>,
    options: BatchOptions,
    out: BatchHits,
  ): number {
    this.filter(options, CASTS_KEYS);
    this.u32[QueryState.shape / 4] = this.convex(shape);
    const count = this.checkBatch(positions, 'positions', translations, 'translations', out);
    if (rotations !== null) checkQuats(rotations, 'rotations', count);
    this.turn(QueryState.qx, NO_TURN);
    return this.batch(QUERY_CAST, count, positions, translations, rotations, options, out);
  }

  /** Checks the arrays of a batch; returns its number of entries. */
  private checkBatch(
    starts: ArrayLike<number>,
    startName: string,
    ways: ArrayLike<number>,
    wayName: string,
    out: BatchHits,
  ): number {
    const length = starts?.length;
    if (!(Number.isInteger(length) && length % 3 === 0)) fail(startName, 'an array of three numbers each', starts);
    checkArray(starts, startName, length, MAX_COORDINATE);
    checkArray(ways, wayName, length, startName === 'origins' ? undefined : 2 * MAX_COORDINATE);
    if (out === null || typeof out !== 'object') fail('out', 'the arrays of createBatchHits', out);
    for (const [name, size, type] of OUT_ARRAYS) {
      const array = out[name];
      if (array === undefined && name !== 'distances') continue;
      if (!(array instanceof type && array.length >= (size * length) / 3)) {
        fail(`out.${name}`, `a ${type.name} of at least ${(size * length) / 3}`, array);
      }
    }
    return length / 3;
  }

  private batch(
    kind: number,
    count: number,
    starts: ArrayLike<number>,
    ways: ArrayLike<number>,
    turns: ArrayLike<number> | null,
    options: BatchOptions,
    out: BatchHits,
  ): number {
    const mode = flag(options.any, 'any', false) ? QUERY_ANY : QUERY_CLOSEST;
    const at = this.state(1);
    const block = this.memory.u32[at + QueryState.batch / 4]! >>> 2;
    let met = 0;
    for (let first = 0; first < count; first += QUERY_BATCH) {
      const size = Math.min(QUERY_BATCH, count - first);
      const { f32, u32 } = this.memory;
      copy(starts, 3 * first, 3 * size, f32, block);
      copy(ways, 3 * first, 3 * size, f32, block + BATCH_VECTORS);
      if (turns !== null) copy(turns, 4 * first, 4 * size, f32, block + 2 * BATCH_VECTORS);
      u32[at + QueryState.count / 4] = size;
      met += this.core.runBatch(kind, mode, turns === null ? 0 : 1) >>> 0;
      this.readBatch(block + 10 * QUERY_BATCH, first, size, out);
    }
    return met;
  }

  private readBatch(rows: number, first: number, size: number, out: BatchHits): void {
    const { u32, f32 } = this.memory;
    const { distances, colliders, bodies, points, normals, features, penetrations } = out;
    const { registry } = this;
    // The ids of a collider are found once for all that hit it one after the other.
    let known = NONE;
    let id = 0;
    let body = 0;
    for (let i = first, row = rows; i < first + size; i++, row += HIT_WORDS) {
      const collider = u32[row + Row.collider / 4]!;
      if (collider === NONE) {
        distances[i] = Infinity;
        if (colliders) colliders[i] = 0;
        if (bodies) bodies[i] = 0;
        continue;
      }
      if (collider !== known) {
        known = collider;
        id = registry.colliderIdAt(collider, u32);
        body = registry.bodyIdAt(registry.ownerOf(collider, u32), u32);
      }
      distances[i] = f32[row + Row.distance / 4]!;
      if (colliders) colliders[i] = id;
      if (bodies) bodies[i] = body;
      if (features) features[i] = u32[row + Row.feature / 4]!;
      if (penetrations) penetrations[i] = f32[row + Row.penetration / 4]!;
      if (points) {
        points[3 * i] = f32[row + Row.x / 4]!;
        points[3 * i + 1] = f32[row + Row.x / 4 + 1]!;
        points[3 * i + 2] = f32[row + Row.x / 4 + 2]!;
      }
      if (normals) {
        normals[3 * i] = f32[row + Row.nx / 4]!;
        normals[3 * i + 1] = f32[row + Row.nx / 4 + 1]!;
        normals[3 * i + 2] = f32[row + Row.nx / 4 + 2]!;
      }
    }
  }
}

/** Copies `length` numbers of an array, from `first` on. */
function copy(from: ArrayLike<number>, first: number, length: number, to: Float32Array, at: number): void {
  if (from instanceof Float32Array) to.set(from.subarray(first, first + length), at);
  else for (let i = 0; i < length; i++) to[at + i] = from[first + i]!;
}
