// The rain of the benchmark that Box3D publishes (erincatto/box3d, shared/benchmarks.c): humans fall on a grid of cells, each a flat mesh
// with a ring that stands upright in it, column by column; then columns leave and fall anew. Gravity is 10 m/s2.
import { BOX3D_GRAVITY, scaledSide } from './box3d_piles';
import { SceneBuilder } from './builder';
import { addHuman } from './human';
import { cosSin } from './trig';
import type { Scene, SceneOptions, SceneWave, ShapeDef } from './types';

/** Side of a cell, m. */
const CELL = 15;
const STEPS = 400;
const HEIGHT = 20;
const GROUP = 3;

/** A flat square of `count` by `count` quads about the origin. */
function gridMesh(count: number, size: number): ShapeDef {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let x = 0; x <= count; x++)
    for (let z = 0; z <= count; z++) positions.push((x - count / 2) * size, 0, (z - count / 2) * size);
  for (let x = 0; x < count; x++) {
    for (let z = 0; z < count; z++) {
      const a = z + (count + 1) * x;
      const [b, c, d] = [a + 1, a + count + 2, a + count + 1];
      indices.push(a, b, c, c, d, a);
    }
  }
  return { type: 'mesh', positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** A ring in the plane of x and y, of `count` by `count` quads, normals outwards. */
function ringMesh(count: number, radius: number, thickness: number): ShapeDef {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let tube = 0; tube < count; tube++) {
    const [ct, st] = cosSin((2 * Math.PI * tube) / count);
    for (let around = 0; around < count; around++) {
      const [ca, sa] = cosSin((2 * Math.PI * around) / count);
      positions.push((radius + thickness * ct) * ca, (radius + thickness * ct) * sa, thickness * st);
      const [nextTube, nextAround] = [(tube + 1) % count, (around + 1) % count];
      const [a, b, c, d] = [
        tube * count + around,
        tube * count + nextAround,
        nextTube * count + nextAround,
        nextTube * count + around,
      ];
      indices.push(a, b, c, c, d, a);
    }
  }
  return { type: 'mesh', positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Three humans for each of 10 by 10 cells: 4,200 bodies once all columns are there. */
export function rain(options: SceneOptions = {}): Scene {
  const side = scaledSide(10, options, 2);
  const builder = new SceneBuilder();
  const grid = builder.shape(gridMesh(8, CELL / 8));
  const ring = builder.shape(ringMesh(16, CELL / 4, 1));
  const middleOf = (i: number) => (i + 0.5 - side / 2) * CELL;
  for (let x = 0; x < side; x++) {
    for (let z = 0; z < side; z++) for (const shape of [grid, ring]) builder.fixed(shape, [middleOf(x), 0, middleOf(z)]);
  }
  const columns: Omit<SceneWave, 'step'>[] = [];
  for (let column = 0; column < side; column++) {
    const from = builder.counts;
    for (let row = 0; row < side; row++) {
      for (let i = 0; i < GROUP; i++) addHuman(builder, [middleOf(column) + 0.75 * i, HEIGHT, middleOf(row)]);
    }
    const to = builder.counts;
    columns.push({ bodies: [from.bodies, to.bodies], joints: [from.joints, to.joints] });
  }
  const waves: SceneWave[] = [];
  for (let step = 0; step < STEPS; step++) if ((step & 0x2f) === 0) waves.push({ step, ...columns[waves.length % side] });
  const reach = (side / 2) * CELL;
  const scene = builder.build('rain', `${GROUP * side * side} humans of 14 bodies, falling on meshes in waves`, 0, {
    // Who falls off the edge of the meshes is lost as well as who falls through them.
    bounds: { min: [-reach, -1, -reach], max: [reach, HEIGHT + 10, reach] },
  });
  return { ...scene, gravity: BOX3D_GRAVITY, waves };
}
