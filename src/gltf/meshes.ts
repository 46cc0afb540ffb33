// Triangles of meshes: read from the buffers of a file, or taken from a loader, and joined if a collider uses all meshes of a
// node.
import { TalusError } from '../checks/errors';
import { bytesOf, dataUri, isBytes } from './container';
import type { Issues } from './issues';
import { type GltfJson, indexAt, type Json, listAt, numberAt, objectAt, objectsAt } from './json';
import { type Affine, apply, compose, determinant, IDENTITY, type NodeTree } from './nodes';

/** Triangles in the space of their mesh. */
export interface Triangles {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}

/** Returns the triangles of a mesh; null if it has none that can be read (an issue then says why). */
export type MeshSource = (mesh: number, node: number) => Triangles | null;

const TYPES: Record<number, { size: number; read(view: DataView, at: number): number; most: number }> = {
  5120: { size: 1, read: (view, at) => view.getInt8(at), most: 127 },
  5121: { size: 1, read: (view, at) => view.getUint8(at), most: 255 },
  5122: { size: 2, read: (view, at) => view.getInt16(at, true), most: 32767 },
  5123: { size: 2, read: (view, at) => view.getUint16(at, true), most: 65535 },
  5125: { size: 4, read: (view, at) => view.getUint32(at, true), most: 1 },
  5126: { size: 4, read: (view, at) => view.getFloat32(at, true), most: 1 },
};
const COMPONENTS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const COMPRESSED = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];
/** Modes of primitives that are triangles. */
const TRIANGLES = 4;
const STRIP = 5;
const FAN = 6;

/** Bytes of the buffers of a file, read where they are needed. */
export class BufferMeshes {
  private readonly known = new Map<number, Triangles | null>();
  private readonly bytes: (Uint8Array | undefined)[];

  constructor(
    private readonly json: GltfJson,
    buffers: readonly (ArrayBuffer | ArrayBufferView | undefined)[],
    private readonly issues: Issues,
  ) {
    this.bytes = buffers.map((buffer) => (buffer === undefined ? undefined : bytesOf(buffer)));
  }

  readonly source: MeshSource = (mesh, node) => {
    let found = this.known.get(mesh);
    if (found === undefined) {
      found = this.read(mesh, node);
      this.known.set(mesh, found);
    }
    return found;
  };

  private read(mesh: number, node: number): Triangles | null {
    const path = `meshes[${mesh}]`;
    const positions: number[] = [];
    const indices: number[] = [];
    for (const [i, primitive] of objectsAt(objectsAt(this.json, 'meshes', 'file')[mesh], 'primitives', path).entries()) {
      const at = `${path}.primitives[${i}]`;
      const mode = numberAt(primitive, 'mode', at, TRIANGLES);
      if (mode < TRIANGLES) continue;
      if (objectAt(objectAt(primitive, 'extensions', at), 'KHR_draco_mesh_compression', at)) {
        this.issues.skipped(
          at,
          node,
          'it is compressed by KHR_draco_mesh_compression: load the file with GLTFLoader and use addPhysics',
        );
        continue;
      }
      if (listAt(primitive, 'targets', at).length > 0) this.issues.approximated(at, node, 'the shape ignores morph targets');
      const position = indexAt(
        objectAt(primitive, 'attributes', at) ?? {},
        'POSITION',
        `${at}.attributes`,
        this.count('accessors'),
      );
      const points = position === undefined ? null : this.accessor(position, node);
      if (!points) continue;
      const index = indexAt(primitive, 'indices', at, this.count('accessors'));
      const order = index === undefined ? null : this.accessor(index, node);
      if (index !== undefined && !order) continue;
      const first = positions.length / 3;
      for (const x of points) positions.push(x);
      for (const x of trianglesOf(order ?? Array.from({ length: points.length / 3 }, (_, k) => k), mode)) indices.push(first + x);
    }
    return indices.length > 0 ? { positions, indices } : null;
  }

  private count(key: string): number {
    return listAt(this.json, key, 'file').length;
  }

  /** Returns all numbers of an accessor, or null if it is compressed. */
  private accessor(index: number, node: number): Float64Array | null {
    const path = `accessors[${index}]`;
    const accessor = objectsAt(this.json, 'accessors', 'file')[index]!;
    const width = COMPONENTS[String(accessor.type)];
    const type = TYPES[numberAt(accessor, 'componentType', path, 0)];
    const count = numberAt(accessor, 'count', path, 0, 0, 2 ** 28);
    if (!width || !type) throw new TalusError('invalid-argument', `gltf: ${path} has no type that glTF knows`);
    const out = new Float64Array(width * count);
    const view = indexAt(accessor, 'bufferView', path, this.count('bufferViews'));
    if (view !== undefined) {
      const from = this.view(view, node);
      if (!from) return null;
      fill(
        out,
        width,
        type,
        from.data,
        numberAt(accessor, 'byteOffset', path, 0, 0),
        from.stride || width * type.size,
        count,
        path,
      );
    }
    const sparse = objectAt(accessor, 'sparse', path);
    if (sparse && !this.overwrite(out, sparse, width, type, `${path}.sparse`, node)) return null;
    if (accessor.normalized === true) for (let i = 0; i < out.length; i++) out[i] = Math.max(-1, out[i]! / type.most);
    return out;
  }

  /** Overwrites elements that a sparse accessor replaces. */
  private overwrite(
    out: Float64Array,
    sparse: Json,
    width: number,
    type: (typeof TYPES)[number],
    path: string,
    node: number,
  ): boolean {
    const count = numberAt(sparse, 'count', path, 0, 0, 2 ** 28);
    const indices = objectAt(sparse, 'indices', path) ?? {};
    const values = objectAt(sparse, 'values', path) ?? {};
    const views = this.count('bufferViews');
    const indexType = TYPES[numberAt(indices, 'componentType', `${path}.indices`, 0)];
    const at = this.view(indexAt(indices, 'bufferView', `${path}.indices`, views) ?? 0, node);
    const from = this.view(indexAt(values, 'bufferView', `${path}.values`, views) ?? 0, node);
    if (!indexType || !at || !from) return false;
    const places = new Float64Array(count);
    const numbers = new Float64Array(width * count);
    fill(places, 1, indexType, at.data, numberAt(indices, 'byteOffset', path, 0, 0), indexType.size, count, `${path}.indices`);
    fill(numbers, width, type, from.data, numberAt(values, 'byteOffset', path, 0, 0), width * type.size, count, `${path}.values`);
    for (let i = 0; i < count; i++) for (let k = 0; k < width; k++) out[width * places[i]! + k] = numbers[width * i + k]!;
    return true;
  }

  private view(index: number, node: number): { data: DataView; stride: number } | null {
    const path = `bufferViews[${index}]`;
    const view = objectsAt(this.json, 'bufferViews', 'file')[index]!;
    const extensions = objectAt(view, 'extensions', path);
    const compressed = COMPRESSED.find((name) => extensions?.[name] !== undefined);
    if (compressed) {
      this.issues.skipped(path, node, `it is compressed by ${compressed}: load the file with GLTFLoader and use addPhysics`);
      return null;
    }
    const bytes = this.buffer(indexAt(view, 'buffer', path, this.count('buffers')) ?? 0);
    const offset = numberAt(view, 'byteOffset', path, 0, 0);
    const length = numberAt(view, 'byteLength', path, 0, 0);
    if (offset + length > bytes.length)
      throw new TalusError('invalid-argument', `gltf: ${path} reaches beyond the end of its buffer (${bytes.length} bytes)`);
    return {
      data: new DataView(bytes.buffer, bytes.byteOffset + offset, length),
      stride: numberAt(view, 'byteStride', path, 0, 0),
    };
  }

  private buffer(index: number): Uint8Array {
    const given = this.bytes[index];
    if (given) return given;
    const { uri } = objectsAt(this.json, 'buffers', 'file')[index]!;
    if (typeof uri === 'string' && uri.startsWith('data:')) {
      const bytes = dataUri(uri);
      this.bytes[index] = bytes;
      return bytes;
    }
    const name = typeof uri === 'string' ? `the file '${uri}'` : 'the BIN chunk of the GLB file (readGlb gives it)';
    throw new TalusError(
      'invalid-argument',
      `gltf: a collider is made of a mesh, whose triangles are in buffers[${index}]: pass options.buffers with ${name} as element ${index}`,
    );
  }
}

function fill(
  out: Float64Array,
  width: number,
  type: (typeof TYPES)[number],
  data: DataView,
  offset: number,
  stride: number,
  count: number,
  path: string,
): void {
  if (count > 0 && offset + stride * (count - 1) + width * type.size > data.byteLength)
    throw new TalusError('invalid-argument', `gltf: ${path} reaches beyond the end of its buffer view`);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < width; k++) out[width * i + k] = type.read(data, offset + stride * i + k * type.size);
}

/** Returns three indices per triangle, of a list, a strip or a fan. */
export function trianglesOf(order: ArrayLike<number>, mode: number): number[] {
  if (mode !== STRIP && mode !== FAN) return Array.from(order).slice(0, 3 * Math.floor(order.length / 3));
  const out: number[] = [];
  for (let i = 0; i + 2 < order.length; i++) {
    const isOdd = i % 2 === 1;
    if (mode === FAN) out.push(order[0]!, order[i + 1]!, order[i + 2]!);
    else out.push(order[i]!, order[i + (isOdd ? 2 : 1)]!, order[i + (isOdd ? 1 : 2)]!);
  }
  return out;
}

/** Checks the option `buffers`. */
export function checkBuffers(value: unknown): readonly (ArrayBuffer | ArrayBufferView | undefined)[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((one) => one === undefined || isBytes(one))) return value;
  throw new TalusError(
    'invalid-argument',
    'options.buffers must be an array of ArrayBuffers or typed arrays, one for each buffer of the file',
  );
}

/** Returns the meshes of a node and of nodes in it that have no bodies of their own, in the space of the node. */
export function meshesOf(
  node: number,
  json: GltfJson,
  tree: NodeTree,
  isBody: (node: number) => boolean,
): { mesh: number; node: number; matrix: Affine; isSkinned: boolean }[] {
  const nodes = objectsAt(json, 'nodes', 'file');
  const count = listAt(json, 'meshes', 'file').length;
  const out: { mesh: number; node: number; matrix: Affine; isSkinned: boolean }[] = [];
  const visit = (at: number, matrix: Affine) => {
    const mesh = indexAt(nodes[at]!, 'mesh', `nodes[${at}]`, count);
    if (mesh !== undefined) out.push({ mesh, node: at, matrix, isSkinned: nodes[at]!.skin !== undefined });
    for (const child of tree.children(at)) if (!isBody(child)) visit(child, compose(matrix, tree.local(child)));
  };
  visit(node, IDENTITY);
  return out;
}

/** Returns triangles transformed by matrices, as one surface; the front stays in front if a matrix mirrors. */
export function join(parts: readonly { triangles: Triangles; matrix: Affine }[]): { positions: number[]; indices: number[] } {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const { triangles, matrix } of parts) {
    const first = positions.length / 3;
    const { positions: p, indices: order } = triangles;
    for (let i = 0; i + 2 < p.length; i += 3) positions.push(...apply(matrix, [p[i]!, p[i + 1]!, p[i + 2]!]));
    const isMirrored = determinant(matrix) < 0;
    for (let i = 0; i + 2 < order.length; i += 3) {
      indices.push(first + order[i]!, first + order[i + (isMirrored ? 2 : 1)]!, first + order[i + (isMirrored ? 1 : 2)]!);
    }
  }
  return { positions, indices };
}
