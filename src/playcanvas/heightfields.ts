// Heightfields for PlayCanvas. Its collision component has no type for them, so they come as the render resource of a collision
// of type 'mesh': one object stands for the mesh, and its id tells the world which samples are meant.
import type { Mesh } from 'playcanvas';
import { TalusError } from '../checks/errors';
import { type Grid, type PlacedField, placeGrid, readGrid } from '../engines/grid';
import type { Vec3 } from '../index';
import type { Vector } from '../rigs/turns';

/** Samples of a terrain on a grid along x and z of the entity. */
export interface HeightfieldSamples {
  /** Samples along x, 2 or more. */
  nx: number;
  /** Samples along z, 2 or more. */
  nz: number;
  /** Heights, m: nz rows of nx; NaN makes a hole. */
  heights: ArrayLike<number>;
  /** Distance between samples, m: one number, or one along x and one along z. Default 1. */
  spacing?: number | readonly [number, number];
  /** Position of the first sample (height 0), in the frame of the entity. By default the middle of the field is at the entity. */
  origin?: Vec3;
}

/** The mesh of a terrain whose vertices lie on a grid along x and z. */
export interface HeightfieldMesh {
  mesh: Mesh;
}

/** The parts of a mesh that PlayCanvas reads before its physics world asks for triangles. */
interface MeshStandIn {
  readonly id: number;
  readonly primitive: readonly [{ readonly base: number; readonly count: number }];
}

/** A heightfield as the `render` of a collision component of type 'mesh'. */
export interface Heightfield {
  /** An object that stands for its mesh. */
  readonly meshes: readonly object[];
}

class Field implements Heightfield {
  readonly meshes: readonly MeshStandIn[];

  constructor(
    id: number,
    readonly grid: Grid,
  ) {
    this.meshes = [{ id, primitive: [{ base: 0, count: 0 }] }];
  }
}

/**
 * Fields by the id of the object that stands for the mesh; components keep the fields alive. Ids of real meshes are 0 and above.
 */
const fields = new Map<number, WeakRef<Field>>();
const forgotten = new FinalizationRegistry<number>((id) => fields.delete(id));
let lastId = 0;

/**
 * Creates a heightfield for `entity.addComponent('collision', { type: 'mesh', render: createHeightfield(...) })`, from samples,
 * or from a mesh on a grid with exactly its triangles. It has the scale of the entity. Its rigid body must be static or
 * kinematic.
 * @throws TalusError 'invalid-argument' for samples that form no grid, or a mesh whose vertices do not lie on one
 */
export function createHeightfield(source: HeightfieldSamples | HeightfieldMesh): Heightfield {
  const grid = 'mesh' in source ? gridOfMesh(source.mesh) : gridOfSamples(source);
  const field = new Field(--lastId, grid);
  fields.set(lastId, new WeakRef(field));
  forgotten.register(field, lastId);
  return field;
}

function gridOfMesh(mesh: Mesh): Grid {
  const positions: number[] = [];
  const indices: number[] = [];
  if (typeof mesh?.getPositions !== 'function')
    throw new TalusError('invalid-argument', 'createHeightfield: mesh must be a Mesh');
  mesh.getPositions(positions);
  mesh.getIndices(indices);
  const grid = readGrid(positions, indices);
  if (grid) return grid;
  throw new TalusError(
    'invalid-argument',
    "createHeightfield: the vertices of the mesh must lie on an even grid along x and z, with two triangles per cell; use the mesh itself, as a collision of type 'mesh'",
  );
}

function gridOfSamples({ nx, nz, heights, spacing = 1, origin }: HeightfieldSamples): Grid {
  const fail = (text: string): never => {
    throw new TalusError('invalid-argument', `createHeightfield: ${text}`);
  };
  for (const [name, n] of [
    ['nx', nx],
    ['nz', nz],
  ] as const) {
    if (!(Number.isInteger(n) && n >= 2)) fail(`${name} must be an integer of at least 2, got ${n}`);
  }
  if (heights?.length !== nx * nz) fail(`${nx} x ${nz} samples need ${nx * nz} heights, got ${heights?.length}`);
  for (let i = 0; i < heights.length; i++) {
    if (Math.abs(heights[i]!) === Infinity) fail(`heights[${i}] must be a number, or NaN for a hole, got ${heights[i]}`);
  }
  const steps = (typeof spacing === 'number' ? [spacing, spacing] : spacing) as readonly [number, number];
  if (!steps.every((step) => step > 0 && step < Infinity)) fail(`spacing must be greater than 0, got ${spacing}`);
  const at: Vector = origin
    ? 'x' in origin
      ? [origin.x, origin.y, origin.z]
      : [origin[0]!, origin[1]!, origin[2]!]
    : [(-(nx - 1) * steps[0]) / 2, 0, (-(nz - 1) * steps[1]) / 2];
  if (!at.every(Number.isFinite)) fail(`origin must be three finite numbers, got ${at}`);
  return { nx, nz, heights: Float32Array.from(heights), spacing: [steps[0], steps[1]], origin: at, isCutAcross: false };
}

/** Returns the field for a mesh source of PlayCanvas, at its scale (mirrored fields have x below 0); null for a real mesh. */
export function fieldOf(id: number, scale: Vector): PlacedField | null {
  const field = fields.get(id)?.deref();
  if (!field) return null;
  if (!(scale[1] > 0 && scale[0] !== 0 && scale[2] !== 0)) {
    throw new TalusError(
      'unsupported',
      `the scale of a heightfield must be above 0 along y and not 0 along x and z, got ${scale}`,
    );
  }
  return placeGrid(field.grid, scale);
}
