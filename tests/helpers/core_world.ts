// Small worlds of boxes on the raw exports of the core, for tests below the public API.
import { BODY_DYNAMIC, BODY_STATIC, BodyCenter, BodyRow, HEADER_PTR, Header, SHAPE_BOX } from '../../src/layout.generated';
import { type CoreExports, loadCore } from './core';
import { random, type Vec3 } from './manifold_builder';

export interface CoreWorld {
  core: CoreExports;
  memory: WebAssembly.Memory;
  header: (field: keyof typeof Header) => number;
  setHeader: (field: keyof typeof Header, value: number) => void;
  setHeaderFloat: (field: keyof typeof Header, value: number) => void;
  /** Velocities, positions and rotations of all bodies, as one array of numbers. */
  state: () => Float32Array;
  /** Root mean square speed of all bodies, m/s. */
  rms: () => number;
}

/** A world with a floor (top at y = 0) and the given boxes: position, half extents. */
export function boxWorld(boxes: { at: Vec3; half: Vec3 }[]): CoreWorld {
  const { core, memory } = loadCore();
  const view = () => new DataView(memory.buffer);
  const header = (field: keyof typeof Header) => view().getUint32(HEADER_PTR + Header[field], true);
  const add = (at: Vec3, half: Vec3, density: number) => {
    const extent = Math.hypot(...half);
    const shape = core.createShape(SHAPE_BOX, ...half, extent, 0, 0, ...half.map((h) => -h), ...half) >>> 0;
    const body = core.createBody(density > 0 ? BODY_DYNAMIC : BODY_STATIC, ...at, 0, 0, 0, 1) >>> 0;
    if (density > 0) {
      const mass = density * 8 * half[0] * half[1] * half[2];
      const [x, y, z] = half.map((h) => h * h);
      core.setMassProperties(body, mass, 0, 0, 0, (mass * (y + z)) / 3, (mass * (x + z)) / 3, (mass * (x + y)) / 3, 0, 0, 0);
    }
    core.createCollider(body, shape, 0, 0, 0, 0, 0, 0, 1, 0.6, 0, 0, 0, 0xffffffff, 0xffffffff, 0, density);
  };
  core.reserveBodies(boxes.length + 1);
  core.reserveColliders(boxes.length + 1);
  core.reserveShapes(boxes.length + 1);
  add([0, -1, 0], [50, 1, 50], 0);
  for (const box of boxes) add(box.at, box.half, 1000);
  const world: CoreWorld = {
    core,
    memory,
    header,
    setHeader: (field, value) => view().setUint32(HEADER_PTR + Header[field], value, true),
    setHeaderFloat: (field, value) => view().setFloat32(HEADER_PTR + Header[field], value, true),
    state: () => {
      const n = header('bodyCount');
      const out = new Float32Array(n * 20);
      const rows = new Float32Array(memory.buffer, header('bodyRows'), (n * BodyRow.STRIDE) / 4);
      const centers = new Float32Array(memory.buffer, header('bodyCenters'), (n * BodyCenter.STRIDE) / 4);
      const rotations = new Float32Array(memory.buffer, header('rotations'), n * 4);
      for (let i = 0; i < n; i++) {
        out.set(rows.subarray(i * 16, i * 16 + 8), i * 20);
        out.set(centers.subarray(i * 8, i * 8 + 8), i * 20 + 8);
        out.set(rotations.subarray(i * 4, i * 4 + 4), i * 20 + 16);
      }
      return out;
    },
    rms: () => {
      const n = header('bodyCount');
      const rows = new Float32Array(memory.buffer, header('bodyRows'), (n * BodyRow.STRIDE) / 4);
      let sum = 0;
      for (let i = 0; i < n; i++) sum += rows[i * 16] ** 2 + rows[i * 16 + 1] ** 2 + rows[i * 16 + 2] ** 2;
      return Math.sqrt(sum / (n - 1));
    },
  };
  return world;
}

/** n boxes of random sizes in loose layers above the floor. */
export function dropBoxes(n: number, seed: number): { at: Vec3; half: Vec3 }[] {
  const next = random(seed);
  const side = Math.max(2, Math.round(Math.cbrt(n) * 1.2));
  return Array.from({ length: n }, (_, i) => {
    const half: Vec3 = [0.2 + 0.15 * next(), 0.2 + 0.15 * next(), 0.2 + 0.15 * next()];
    const layer = Math.floor(i / (side * side));
    const shift = (layer % 2) * 0.37 - side * 0.37; // each layer falls into the gaps of the one below
    const x = (i % side) * 0.75 + shift + 0.1 * next();
    const z = (Math.floor(i / side) % side) * 0.75 + shift + 0.1 * next();
    const y = 0.4 + layer * 0.75;
    return { at: [x, y, z] as Vec3, half };
  });
}
