// Collision shapes of PlayCanvas: primitives, meshes of several parts, compounds of other shapes.
import type { PhysicsWorld } from 'playcanvas';
import { convexParts, type Decompose, type Decomposer } from '../engines/decompose';
import type { ShapeDesc, World } from '../index';
import { multiply, NO_TURN, type Turn, turn, type Vector } from '../rigs/turns';
import type { ShapeId } from '../types';
import { fieldOf } from './heightfields';

export type PlayShapeDesc = Parameters<PhysicsWorld['createShape']>[0];
type MeshSource = NonNullable<PlayShapeDesc['sources']>[number];

/** A shape of the world and its pose in a body. */
export interface Part {
  shape: ShapeId;
  position: Vector;
  rotation: Turn;
}

interface Piece {
  desc: ShapeDesc;
  position: Vector;
  rotation: Turn;
  shapes: readonly ShapeId[] | null;
  /** Convex parts that replace a surface on dynamic bodies. */
  hulls: readonly ShapeId[] | null;
}

interface Child {
  shape: PlayShape;
  position: Vector;
  rotation: Turn;
}

const vector = ({ x, y, z }: { x: number; y: number; z: number }): Vector => [x, y, z];
export const turnOf = ({ x, y, z, w }: { x: number; y: number; z: number; w: number }): Turn => {
  const length = Math.hypot(x, y, z, w);
  return length > 0 ? [x / length, y / length, z / length, w / length] : NO_TURN;
};
export const vectorOf = vector;

const HALF = Math.SQRT1_2;
/** Rotations from y to x, y and z. */
const AXES: readonly Turn[] = [[0, 0, -HALF, HALF], NO_TURN, [HALF, 0, 0, HALF]];

function piece(desc: ShapeDesc, rotation: Turn = NO_TURN, position: Vector = [0, 0, 0]): Piece {
  return { desc, position, rotation, shapes: null, hulls: null };
}

/** Returns the points of a mesh at its scale, and its triangles. */
function readSource(source: MeshSource): Piece {
  const [sx, sy, sz]: Vector = source.scale ? vector(source.scale) : [1, 1, 1];
  const [at, rotation] = [vector(source.position), turnOf(source.rotation)];
  // Before anything else: the stand-in of a field has no triangles to read.
  const field = fieldOf(source.id, [sx, sy, sz]);
  if (field) {
    const offset = turn(rotation, field.position);
    return piece(field.desc, multiply(rotation, field.rotation), [at[0] + offset[0], at[1] + offset[1], at[2] + offset[2]]);
  }
  const { positions, stride, indices, base, count } = source;
  const points: number[] = [];
  const read = (vertex: number): void => {
    const i = vertex * stride;
    points.push(positions[i]! * sx, positions[i + 1]! * sy, positions[i + 2]! * sz);
  };
  if (source.convexHull) {
    for (let i = 0; (i + 1) * stride <= positions.length; i++) read(i);
    return piece({ type: 'hull', points, maxVertices: 64 }, rotation, at);
  }
  // Only vertices of triangles: behind the positions of a mesh there may be other data.
  const known = new Map<number, number>();
  const triangles: number[] = [];
  for (let i = base; i < base + count - (count % 3); i++) {
    const vertex = indices[i]!;
    if (!known.has(vertex)) {
      known.set(vertex, known.size);
      read(vertex);
    }
    triangles.push(known.get(vertex)!);
  }
  if (sx * sy * sz < 0) triangles.reverse();
  const weld = source.checkDuplicates;
  return piece({ type: 'mesh', positions: points, indices: triangles, weld, degenerate: 'skip' }, rotation, at);
}

function read(desc: PlayShapeDesc): Piece[] {
  const { radius = 0.5, height = 2 } = desc;
  const axis = AXES[desc.axis ?? 1] ?? NO_TURN;
  switch (desc.type) {
    case 'box':
      return [piece({ type: 'box', halfExtents: desc.halfExtents ? vector(desc.halfExtents) : [0.5, 0.5, 0.5] })];
    case 'sphere':
      return [piece({ type: 'sphere', radius })];
    case 'capsule':
      return [piece({ type: 'capsule', radius, halfHeight: Math.max(0, height / 2 - radius) }, axis)];
    case 'cylinder':
    case 'cone':
      return [piece({ type: desc.type, radius, halfHeight: height / 2 }, axis)];
    case 'mesh':
      return (desc.sources ?? []).map(readSource);
    default:
      return [];
  }
}

/** Data that the shapes of a physics world share. */
export interface ShapeBench {
  world: World;
  /** Writes the changes of bodies. */
  flush(): void;
  /** Cuts meshes of dynamic bodies into convex parts; null: they get the convex hull. */
  decompose: Decomposer | Decompose | null;
}

/** A user of a shape, called when the shape changes. */
export interface ShapeUser {
  touch(): void;
}

export class PlayShape {
  readonly type: string;
  readonly users = new Set<ShapeUser>();
  readonly children: Child[] = [];
  private readonly compounds = new Set<PlayShape>();
  private readonly pieces: Piece[];
  private isGone = false;
  private knownInertia: number[] | null = null;

  constructor(
    private readonly bench: ShapeBench,
    desc: PlayShapeDesc,
  ) {
    this.type = desc.type;
    this.pieces = read(desc);
  }

  /** Returns the colliders of a body with this shape. On dynamic bodies, surfaces become convex parts. */
  parts(isDynamic: boolean, position: Vector = [0, 0, 0], rotation: Turn = NO_TURN, out: Part[] = []): Part[] {
    const place = (p: Vector): Vector => {
      const q = turn(rotation, p);
      return [position[0] + q[0], position[1] + q[1], position[2] + q[2]];
    };
    for (const one of this.pieces) {
      const pose = { position: place(one.position), rotation: multiply(rotation, one.rotation) };
      for (const made of this.make(one, isDynamic)) out.push({ shape: made, ...pose });
    }
    for (const { shape, position: at, rotation: turned } of this.children) {
      shape.parts(isDynamic, place(at), multiply(rotation, turned), out);
    }
    return out;
  }

  private make(one: Piece, isDynamic: boolean): readonly ShapeId[] {
    const { world, decompose } = this.bench;
    const { desc } = one;
    if (!isDynamic || desc.type !== 'mesh') {
      one.shapes ??= [world.createShape(desc)];
      return one.shapes;
    }
    if (!one.hulls) {
      const parts = decompose
        ? convexParts(decompose, Float64Array.from(desc.positions), Uint32Array.from(desc.indices))
        : [desc.positions];
      one.hulls = parts.map((points) => world.createShape({ type: 'hull', points, maxVertices: 64 }));
    }
    return one.hulls;
  }

  /** Whether dynamic bodies get hulls of its meshes, because nothing cuts them into parts. */
  get isHulled(): boolean {
    return this.bench.decompose === null && this.has('mesh');
  }

  /** Returns whether it, or a shape in it, is of a type. */
  has(type: ShapeDesc['type']): boolean {
    return this.pieces.some(({ desc }) => desc.type === type) || this.children.some(({ shape }) => shape.has(type));
  }

  /**
   * Inertia of 1 kg about the origin, xx yy zz xy xz yz: in PlayCanvas the center of mass of a body is its origin. That of a ball
   * of 1 m if there is no volume.
   */
  get inertia(): readonly number[] {
    this.knownInertia ??= this.weigh();
    return this.knownInertia;
  }

  private weigh(): number[] {
    const colliders = this.parts(true).map((part) => ({ ...part, density: 1000 }));
    if (colliders.length === 0) return [0.4, 0.4, 0.4, 0, 0, 0];
    const { world } = this.bench;
    const body = world.createBody({ colliders, enabled: false });
    const { mass, center, inertia } = world.getMassProperties(body);
    world.removeBody(body);
    const [x, y, z] = center as Vector;
    const far = [y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z];
    return Array.from(inertia, (value, i) => value / mass + far[i]!);
  }

  private changed(): void {
    this.knownInertia = null;
    for (const user of this.users) user.touch();
    for (const compound of this.compounds) compound.changed();
  }

  /** Places a shape at a pose in this one, or moves it there. */
  place(shape: PlayShape, position: Vector, rotation: Turn): void {
    const known = this.children.find((child) => child.shape === shape);
    if (known) Object.assign(known, { position, rotation });
    else this.children.push({ shape, position, rotation });
    shape.compounds.add(this);
    this.changed();
  }

  remove(shape: PlayShape): void {
    const index = this.children.findIndex((child) => child.shape === shape);
    if (index < 0) return;
    this.children.splice(index, 1);
    shape.compounds.delete(this);
    this.changed();
    shape.free();
  }

  destroy(): void {
    this.isGone = true;
    for (const compound of [...this.compounds]) compound.remove(this);
    for (const child of [...this.children]) this.remove(child.shape);
    this.free();
  }

  /** Releases shapes that no body has any more. */
  free(): void {
    if (!this.isGone || this.users.size > 0) return;
    this.bench.flush(); // what was taken out of a compound is still on its bodies
    for (const one of this.pieces) {
      for (const shape of [...(one.shapes ?? []), ...(one.hulls ?? [])]) this.bench.world.removeShape(shape);
      one.shapes = null;
      one.hulls = null;
    }
  }
}
