// Poses of nodes: the tree of a scene, world matrices, and their decomposition.
import { TalusError } from '../checks/errors';
import { checkArray, checkQuat, checkVec3 } from '../checks/validate';
import { dot, frameOf, multiply, normalized, type Turn, turn, type Vector } from '../rigs/turns';
import { type GltfJson, indexAt, listAt, objectsAt } from './json';

/** Columns of a 3 by 3 matrix and a translation: x -> linear x + at. */
export interface Affine {
  linear: readonly [Vector, Vector, Vector];
  at: Vector;
}

export const IDENTITY: Affine = {
  linear: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  at: [0, 0, 0],
};

/** Returns a direction transformed by the linear part. */
export function applyLinear({ linear: [x, y, z] }: Affine, v: ArrayLike<number>): Vector {
  const [a, b, c] = [v[0]!, v[1]!, v[2]!];
  return [x[0] * a + y[0] * b + z[0] * c, x[1] * a + y[1] * b + z[1] * c, x[2] * a + y[2] * b + z[2] * c];
}

export function apply(m: Affine, v: ArrayLike<number>): Vector {
  const [x, y, z] = applyLinear(m, v);
  return [x + m.at[0], y + m.at[1], z + m.at[2]];
}

/** First `b`, then `a`. */
export function compose(a: Affine, b: Affine): Affine {
  const [x, y, z] = b.linear;
  return { linear: [applyLinear(a, x), applyLinear(a, y), applyLinear(a, z)], at: apply(a, b.at) };
}

export function affineOf(position: Vector, rotation: Turn, scale: ArrayLike<number>): Affine {
  const column = (k: number): Vector => {
    const axis: Vector = [0, 0, 0];
    axis[k] = scale[k]!;
    return turn(rotation, axis);
  };
  return { linear: [column(0), column(1), column(2)], at: position };
}

/** Returns a matrix relative to a frame without scale. */
export function relativeTo(position: Vector, rotation: Turn, m: Affine): Affine {
  const back: Turn = [-rotation[0], -rotation[1], -rotation[2], rotation[3]];
  const [x, y, z] = m.linear;
  const from: Vector = [m.at[0] - position[0], m.at[1] - position[1], m.at[2] - position[2]];
  return { linear: [turn(back, x), turn(back, y), turn(back, z)], at: turn(back, from) };
}

export function determinant({ linear: [x, y, z] }: Affine): number {
  return x[0] * (y[1] * z[2] - y[2] * z[1]) - y[0] * (x[1] * z[2] - x[2] * z[1]) + z[0] * (x[1] * y[2] - x[2] * y[1]);
}

/** Rotation and lengths of the axes of a matrix. */
export interface Taken {
  rotation: Turn;
  /** Scale along each axis, at least 0. */
  scale: Vector;
  /** Whether the axes are not perpendicular: no rotation and scale make this matrix. */
  isSheared: boolean;
  isMirrored: boolean;
}

/** Axes within a thousandth of perpendicular count as perpendicular: files have single precision and fewer digits. */
const SQUARE = 1e-3;

export function takeApart(m: Affine): Taken {
  const scale = m.linear.map((axis) => Math.hypot(...axis)) as Vector;
  const isMirrored = determinant(m) < 0;
  if (scale.some((length) => length < 1e-12)) return { rotation: [0, 0, 0, 1], scale, isSheared: false, isMirrored };
  const [x, y, z] = m.linear.map((axis, k) => {
    const by = (isMirrored && k === 0 ? -1 : 1) / scale[k]!;
    return [axis[0] * by, axis[1] * by, axis[2] * by];
  }) as [Vector, Vector, Vector];
  const isSheared = Math.max(Math.abs(dot(x, y)), Math.abs(dot(y, z)), Math.abs(dot(z, x))) > SQUARE;
  return { rotation: frameOf(x, y, z), scale, isSheared, isMirrored };
}

/** Poses of nodes, from the file or from objects. */
export interface Places {
  /** Returns the matrix from a node to the world. */
  matrix(node: number): Affine;
  /** Returns the rotation of a node in the world, without scale. */
  rotation(node: number): Turn;
}

interface Local {
  matrix: Affine;
  rotation: Turn;
}

/** The nodes of a file: which of them are in the scene, and their poses. */
export class NodeTree implements Places {
  /** Nodes of the scene, parents first. */
  readonly order: readonly number[];
  readonly names: readonly string[];
  private readonly parents: Int32Array;
  private readonly childLists: (readonly number[])[];
  private readonly locals: Local[];
  private readonly worlds = new Map<number, Local>();

  /** `scene` is an index, default that of the file; `root` is the pose of the scene in the world. */
  constructor(json: GltfJson, scene: number | undefined, root: Local) {
    const nodes = objectsAt(json, 'nodes', 'file');
    const scenes = objectsAt(json, 'scenes', 'file');
    this.parents = new Int32Array(nodes.length).fill(-1);
    this.names = nodes.map(({ name }) => (typeof name === 'string' ? name : ''));
    const list = (of: Readonly<Record<string, unknown>>, key: string, path: string) =>
      listAt(of, key, path).map((_, i, all) => indexAt({ [`${key}[${i}]`]: all[i] }, `${key}[${i}]`, path, nodes.length) ?? 0);
    this.childLists = nodes.map((node, i) => list(node, 'children', `nodes[${i}]`));
    for (const [i, children] of this.childLists.entries()) {
      for (const child of children) {
        if (this.parents[child] !== -1) throw new TalusError('invalid-argument', `gltf: nodes[${child}] has two parents`);
        this.parents[child] = i;
      }
    }
    for (const i of nodes.keys()) {
      let above = i;
      for (let steps = 0; above !== -1; steps++, above = this.parents[above]!)
        if (steps > nodes.length) throw new TalusError('invalid-argument', `gltf: nodes[${i}] lies within itself`);
    }
    this.locals = nodes.map((node, i) => localOf(node, `nodes[${i}]`));
    const index = scene ?? indexAt(json, 'scene', 'file', scenes.length) ?? 0;
    const roots =
      scenes.length > 0
        ? list(scenes[index]!, 'nodes', `scenes[${index}]`)
        : [...nodes.keys()].filter((i) => this.parents[i] === -1);
    const order: number[] = [];
    const visit = (node: number, above: Local) => {
      if (this.worlds.has(node)) throw new TalusError('invalid-argument', `gltf: nodes[${node}] is in the scene twice`);
      const { matrix, rotation } = this.locals[node]!;
      const here = { matrix: compose(above.matrix, matrix), rotation: normalized(multiply(above.rotation, rotation)) as Turn };
      this.worlds.set(node, here);
      order.push(node);
      for (const child of this.childLists[node]!) visit(child, here);
    };
    for (const node of roots) visit(node, root);
    this.order = order;
  }

  has(node: number): boolean {
    return this.worlds.has(node);
  }

  parent(node: number): number {
    return this.parents[node]!;
  }

  children(node: number): readonly number[] {
    return this.childLists[node]!;
  }

  /** Returns the matrix of a node in its parent. */
  local(node: number): Affine {
    return this.locals[node]!.matrix;
  }

  matrix(node: number): Affine {
    return this.worlds.get(node)?.matrix ?? this.locals[node]!.matrix;
  }

  rotation(node: number): Turn {
    return this.worlds.get(node)?.rotation ?? this.locals[node]!.rotation;
  }
}

function localOf(node: Readonly<Record<string, unknown>>, path: string): Local {
  if (node.matrix !== undefined) {
    const m = checkArray(node.matrix, `gltf: ${path}.matrix`, 16);
    const column = (k: number): Vector => [m[4 * k]!, m[4 * k + 1]!, m[4 * k + 2]!];
    const matrix: Affine = { linear: [column(0), column(1), column(2)], at: column(3) };
    return { matrix, rotation: takeApart(matrix).rotation };
  }
  const vector = (key: string, other: Vector): Vector => {
    if (node[key] === undefined) return other;
    const v = checkVec3(node[key], `gltf: ${path}.${key}`);
    return [v[0]!, v[1]!, v[2]!];
  };
  const q = node.rotation === undefined ? [0, 0, 0, 1] : checkQuat(node.rotation, `gltf: ${path}.rotation`);
  const rotation = normalized([q[0]!, q[1]!, q[2]!, q[3]!]) as Turn;
  return { matrix: affineOf(vector('translation', [0, 0, 0]), rotation, vector('scale', [1, 1, 1])), rotation };
}
