// World bounds of colliders of every type, on turned bodies and with poses of their own, against exact support functions in
// double precision; half-spaces against the corners of boxes.
import { expect, test } from 'vitest';
import {
  Aabb,
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  BodyCold,
  COLLIDER_ALIGNED,
  Collider,
  HEADER_PTR,
  Header,
  SHAPE_BOX,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_HEIGHTFIELD,
  SHAPE_HULL,
  SHAPE_MESH,
  SHAPE_PLANE,
  SHAPE_SPHERE,
} from '../../../src/layout.generated';
import { convexHull, cookHull } from '../../../src/shapes/hull';
import { coreMemory, farthest } from '../../helpers/core_memory';
import { columnsOf, seeded } from '../../helpers/random';

type Vector = [number, number, number];
/** A shape, and how far it goes along a direction of any length in its frame. */
interface Kind {
  type: number;
  p: Vector;
  extent: number;
  low: Vector;
  high: Vector;
  data: number;
  bytes: number;
  along: (d: Vector) => number;
}

const at = coreMemory();
const { core, memory } = at;
const header = (field: number) => new DataView(memory.buffer).getUint32(HEADER_PTR + field, true);
const float = (address: number) => new DataView(memory.buffer).getFloat32(address, true);
const dot = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
const turned = (c: readonly (readonly number[])[], v: readonly number[]): Vector => [
  c[0]![0]! * v[0]! + c[1]![0]! * v[1]! + c[2]![0]! * v[2]!,
  c[0]![1]! * v[0]! + c[1]![1]! * v[1]! + c[2]![1]! * v[2]!,
  c[0]![2]! * v[0]! + c[1]![2]! * v[1]! + c[2]![2]! * v[2]!,
];

function pointsKind(type: number, points: Vector[], data = 0, bytes = 0): Kind {
  const low = [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k]!))) as Vector;
  const high = [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k]!))) as Vector;
  const extent = Math.max(...points.map((p) => Math.hypot(...p)));
  return { type, p: [0, 0, 0], extent, low, high, data, bytes, along: (d) => Math.max(...points.map((p) => dot(p, d))) };
}
function roundKind(type: number, p: Vector, extent: number, along: Kind['along']): Kind {
  const wide: Vector = [extent, extent, extent];
  return { type, p, extent, low: wide.map((k) => -k) as Vector, high: wide, data: 0, bytes: 0, along };
}
function hullKind(random: () => number): Kind {
  const points = Array.from({ length: 40 }, () => [3 * random() - 1, random() - 0.2, 2 * random() - 1.7].map(Math.fround));
  const blob = new Uint8Array(cookHull(convexHull(Float32Array.from(points.flat()))));
  const data = core.allocate(blob.length) >>> 0;
  new Uint8Array(memory.buffer).set(blob, data);
  return pointsKind(SHAPE_HULL, points as Vector[], data, blob.length);
}
function cornersKind(type: number): Kind {
  const corners: Vector[] = [];
  for (let i = 0; i < 8; i++) corners.push([i & 1 ? 2.5 : -0.5, i & 2 ? 0.75 : 0.25, i & 4 ? -0.5 : -4]);
  return pointsKind(type, corners);
}
const flat = (d: Vector) => Math.hypot(d[0], d[2]);
const kinds = (random: () => number): Kind[] => [
  roundKind(SHAPE_SPHERE, [0.7, 0, 0], 0.7, (d) => 0.7 * Math.hypot(...d)),
  roundKind(SHAPE_CAPSULE, [0.3, 1.1, 0], 1.4, (d) => 0.3 * Math.hypot(...d) + 1.1 * Math.abs(d[1])),
  roundKind(SHAPE_BOX, [0.4, 1.3, 0.2], 1.5, (d) => 0.4 * Math.abs(d[0]) + 1.3 * Math.abs(d[1]) + 0.2 * Math.abs(d[2])),
  roundKind(SHAPE_CYLINDER, [0.6, 0.35, 0], 1, (d) => 0.6 * flat(d) + 0.35 * Math.abs(d[1])),
  roundKind(SHAPE_CONE, [0.5, 0.9, 0], 1.1, (d) => Math.max(0.9 * d[1], 0.5 * flat(d) - 0.9 * d[1])),
  hullKind(random),
  cornersKind(SHAPE_MESH),
  cornersKind(SHAPE_HEIGHTFIELD),
];

function quaternion(random: () => number): [number, number, number, number] {
  return [random() - 0.5, random() - 0.3, random() - 0.6, random() - 0.5];
}
const material = [0.5, 0, 0, 0, 0xffffffff, 0xffffffff, 0, 1];

function shapeOf(kind: Kind): number {
  return core.createShape(kind.type, ...kind.p, kind.extent, kind.data, kind.bytes, ...kind.low, ...kind.high) >>> 0;
}
function boundsOf(collider: number): number[] {
  const out = at.room(Aabb.STRIDE + 96);
  core.colliderBounds(collider, out);
  const box = at.readFloats(out, 8);
  expect([box[3], box[7]]).toEqual([0, 0]);
  return [...box.slice(0, 3), ...box.slice(4, 7)];
}

test('bounds are tight for every shape on a turned body, with and without a pose of its own', () => {
  const random = seeded(31);
  const isMesh = (kind: Kind) => kind.type >= SHAPE_MESH;
  for (const kind of kinds(random)) {
    const shape = shapeOf(kind);
    for (let round = 0; round < 12; round++) {
      const place = [random() * 8 - 4, random() * 6 - 4, random() * 9 - 2] as Vector;
      const q = quaternion(random);
      const com = round % 2 === 0 ? [0, 0, 0] : [0.3, -0.4, 0.55];
      const body = core.createBody(isMesh(kind) ? BODY_KINEMATIC : BODY_DYNAMIC, ...place, ...q) >>> 0;
      core.setMassProperties(body, 2.5, ...com, 1, 1.3, 1.7, 0.1, 0.2, -0.1);
      // The last rounds: only a position, or only a rotation. Without both it lies at the center of mass.
      const own = (round % 6) + (round > 6 ? 1 : 0);
      const offset = own === 0 ? (com as Vector) : own === 1 ? ([...com] as Vector) : ([0.9, -1.2, 0.6] as Vector);
      const turn = own === 0 || own === 2 ? ([0, 0, 0, 1] as const) : quaternion(random);
      const collider = core.createCollider(body, shape, ...offset, ...turn, ...material) >>> 0;
      const flags = new DataView(memory.buffer).getUint32(header(Header.colliders) + collider * Collider.STRIDE + 8, true);
      expect((flags & COLLIDER_ALIGNED) !== 0).toBe(own === 0);
      const columns = columnsOf(q);
      const origin = turned(columns, offset).map((x, k) => x + place[k]!);
      const own3 = columnsOf(turn);
      const axes = own3.map((c) => turned(columns, c));
      const direction = (k: number, sign: number) => axes.map((c) => sign * c[k]!) as Vector;
      const low = [0, 1, 2].map((k) => origin[k]! - kind.along(direction(k, -1)));
      const high = [0, 1, 2].map((k) => origin[k]! + kind.along(direction(k, 1)));
      expect(farthest(boundsOf(collider), [...low, ...high])).toBeLessThan(1e-5);
      // The farthest that any point lies from the center of mass.
      const reach = Math.hypot(...offset.map((x, k) => x - com[k]!)) + kind.extent;
      expect(core.testExtentOf(collider)).toBeCloseTo(reach, 5);
      expect(float(header(Header.bodyColds) + body * BodyCold.STRIDE + BodyCold.extent)).toBeCloseTo(reach, 5);
      core.removeBody(body);
    }
  }
});

/** A half-space on a kinematic body, and its normal and a point of its plane in the world. */
function plane(normal: Vector, point: Vector, q: readonly number[], turn: readonly number[], offset: Vector) {
  const kind = { ...pointsKind(SHAPE_PLANE, [point]), p: normal, extent: 1e9, high: [0, 0, 0] as Vector };
  const place: Vector = [3, -2, 5];
  const body = core.createBody(BODY_KINEMATIC, ...place, ...q) >>> 0;
  const collider = core.createCollider(body, shapeOf(kind), ...offset, ...turn, ...material) >>> 0;
  const world = (v: Vector) => turned(columnsOf(q), turned(columnsOf(turn), v));
  const base = turned(columnsOf(q), offset);
  return { collider, n: world(normal), p: world(point).map((x, k) => x + base[k]! + place[k]!) as Vector };
}

test('a half-space along an axis is bounded by its plane there, and by nothing else', () => {
  const none = [0, 0, 0, 1];
  const far = Math.fround(1e9);
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const normal = [0, 0, 0].map((_, k) => (k === axis ? sign : 0)) as Vector;
      const half = plane(normal, [0.5, 1.5, -2.5], none, none, [0, 0, 0]);
      const low = [-far, -far, -far];
      const high = [far, far, far];
      (sign > 0 ? high : low)[axis] = half.p[axis]!;
      expect(farthest(boundsOf(half.collider), [...low, ...high])).toBeLessThan(100);
      expect(boundsOf(half.collider)[axis + (sign > 0 ? 3 : 0)]).toBeCloseTo(half.p[axis]!, 5);
    }
  }
  const oblique = plane([0.6, 0.8, 0], [1, 1, 1], none, none, [0, 0, 0]);
  expect(boundsOf(oblique.collider).every((x) => Math.abs(x) > 9e8)).toBe(true);
});

test('a box is beyond a half-space exactly where all of its corners are', () => {
  const random = seeded(32);
  let beyond = 0;
  for (let round = 0; round < 60; round++) {
    const n = [random() - 0.5, random() - 0.4, random() - 0.6];
    const normal = n.map((x) => Math.fround(x / Math.hypot(...n))) as Vector;
    const aligned = round % 3 === 0;
    const turn = aligned ? [0, 0, 0, 1] : quaternion(random);
    const half = plane(normal, [0.4, -0.7, 1.1], quaternion(random), turn, aligned ? [0, 0, 0] : [1, 0.5, -2]);
    for (let k = 0; k < 12; k++) {
      const size = [0.2 + random(), 0.3 + 2 * random(), 0.1 + 1.5 * random()];
      const reach = Math.abs(half.n[0] * size[0]!) + Math.abs(half.n[1] * size[1]!) + Math.abs(half.n[2] * size[2]!);
      // The middle: along the normal a little more or less than the lowest corner needs; anywhere along the plane.
      const away = reach + (k % 2 === 0 ? 0.001 : -0.001);
      const free = [random() * 4, random() * 4, random() * 4];
      const slip = dot(free, half.n);
      const middle = [0, 1, 2].map((i) => half.p[i]! + half.n[i]! * (away - slip) + free[i]!);
      const low = at.floats([...middle.map((x, i) => x - size[i]!), 0]);
      const high = at.floats([...middle.map((x, i) => x + size[i]!), 0]);
      const out = core.testIsBeyondPlane(half.collider, low, high, at.room(96));
      expect(out).toBe(k % 2 === 0 ? 1 : 0);
      beyond += out;
    }
  }
  expect(beyond).toBe(360);
});
