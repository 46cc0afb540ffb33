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
