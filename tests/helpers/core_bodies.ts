// Bodies of a bare core, row by row: tests write what a stage reads, run the stage, and read what it wrote.
import {
  BODY_DYNAMIC,
  BodyAccel,
  BodyCenter,
  BodyCold,
  BodyDelta,
  BodyInertia,
  BodyRow,
  HEADER_PTR,
  Header,
} from '../../src/layout.generated';
import { coreMemory } from './core_memory';

type Numbers = readonly number[];
/** xx yy zz xy xz yz */
export type Symmetric = readonly [number, number, number, number, number, number];

const ARRAYS = {
  row: [Header.bodyRows, BodyRow.STRIDE],
  delta: [Header.bodyDeltas, BodyDelta.STRIDE],
  accel: [Header.bodyAccels, BodyAccel.STRIDE],
  inertia: [Header.bodyInertias, BodyInertia.STRIDE],
  center: [Header.bodyCenters, BodyCenter.STRIDE],
  cold: [Header.bodyColds, BodyCold.STRIDE],
  position: [Header.positions, 16],
  rotation: [Header.rotations, 16],
} as const;

/** A core with the access that tests of bodies need. */
export function coreBodies() {
  const at = coreMemory();
  const { core, memory } = at;
  const view = () => new DataView(memory.buffer);
  const header = (field: number) => view().getUint32(HEADER_PTR + field, true);
  const place = (array: keyof typeof ARRAYS, body: number, field: number) =>
    header(ARRAYS[array][0]) + body * ARRAYS[array][1] + field;
  return {
    ...at,
    header,
    headerFloat: (field: number) => view().getFloat32(HEADER_PTR + field, true),
    setHeader: (field: number, value: number) => view().setUint32(HEADER_PTR + field, value, true),
    setHeaderFloat: (field: number, value: number) => view().setFloat32(HEADER_PTR + field, value, true),
    /** Floats of a row, from a field on. */
    get: (array: keyof typeof ARRAYS, body: number, field = 0, count = 3) =>
      Array.from(new Float32Array(memory.buffer, place(array, body, field), count)),
    set: (array: keyof typeof ARRAYS, body: number, field: number, values: Numbers) =>
      new Float32Array(memory.buffer, place(array, body, field), values.length).set(values),
    flags: (body: number) => view().getUint32(place('cold', body, BodyCold.flags), true),
    /** Entry of an array of doubles: paths, turnPaths, motions. */
    double: (field: number, body: number) => view().getFloat64(header(field) + 8 * body, true),
    setDouble: (field: number, body: number, value: number) => view().setFloat64(header(field) + 8 * body, value, true),
    /** A body without colliders; of a moving type that is not dynamic, the mass counts for nothing. */
    body: (
      given: {
        type?: number;
        at?: Numbers;
        q?: Numbers;
        mass?: number;
        com?: Numbers;
        inertia?: Symmetric;
        extent?: number;
      } = {},
    ): number => {
      const body = core.createBody(given.type ?? BODY_DYNAMIC, ...(given.at ?? [0, 0, 0]), ...(given.q ?? [0, 0, 0, 1])) >>> 0;
      core.setMassProperties(body, given.mass ?? 2, ...(given.com ?? [0, 0, 0]), ...(given.inertia ?? [1, 1, 1, 0, 0, 0]));
      if (given.extent !== undefined) view().setFloat32(place('cold', body, BodyCold.extent), given.extent, true);
      return body;
    },
  };
}

export type CoreBodies = ReturnType<typeof coreBodies>;

export function quatProduct(a: Numbers, b: Numbers): number[] {
  const [ax, ay, az, aw] = a as [number, number, number, number];
  const [bx, by, bz, bw] = b as [number, number, number, number];
  return [
    aw * bx + ax * bw + (ay * bz - az * by),
    aw * by + ay * bw + (az * bx - ax * bz),
    aw * bz + az * bw + (ax * by - ay * bx),
    aw * bw - (ax * bx + ay * by + az * bz),
  ];
}
export function quatOfTurn(p: Numbers): number[] {
  const angle = Math.hypot(...p);
  const k = angle === 0 ? 0.5 : Math.sin(angle / 2) / angle;
  return [p[0]! * k, p[1]! * k, p[2]! * k, Math.cos(angle / 2)];
}
export function unit(v: Numbers): number[] {
  const length = Math.hypot(...v);
  return v.map((x) => x / length);
}
export function rotated(q: Numbers, v: Numbers): number[] {
  return quatProduct(quatProduct(q, [...v, 0]), [-q[0]!, -q[1]!, -q[2]!, q[3]!]).slice(0, 3);
}
export function rotatedBack(q: Numbers, v: Numbers): number[] {
  return rotated([-q[0]!, -q[1]!, -q[2]!, q[3]!], v);
}
export function symmetricTimes(m: Numbers, v: Numbers): number[] {
  const [xx, yy, zz, xy, xz, yz] = m as unknown as Symmetric;
  const [x, y, z] = v as [number, number, number];
  return [xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z];
}
/** M^-1 v by Cramer's rule. */
export function symmetricSolve(m: Numbers, v: Numbers): number[] {
  const columns = [
    [m[0]!, m[3]!, m[4]!],
    [m[3]!, m[1]!, m[5]!],
    [m[4]!, m[5]!, m[2]!],
  ];
  const det = (a: number[], b: number[], c: number[]) =>
    a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) - b[0]! * (a[1]! * c[2]! - a[2]! * c[1]!) + c[0]! * (a[1]! * b[2]! - a[2]! * b[1]!);
  const whole = det(columns[0]!, columns[1]!, columns[2]!);
  return [0, 1, 2].map((k) => {
    const c = columns.map((column, i) => (i === k ? [...v] : column));
    return det(c[0]!, c[1]!, c[2]!) / whole;
  });
}
