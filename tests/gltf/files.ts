// Small glTF files of the tests: written here, with the features that real files have in the way in which they have them.
import type { GltfJson } from '../../src/gltf/index';

type Extension = Record<string, unknown>;

/** The parts of a file that a test cares about. */
export interface FileParts {
  /** `physics` is the extension of the node. */
  nodes: { [key: string]: unknown; physics?: Extension }[];
  shapes?: unknown[];
  materials?: unknown[];
  filters?: unknown[];
  joints?: unknown[];
  /** Nodes of the scene; default all that are no children. */
  roots?: number[];
  more?: Record<string, unknown>;
}

/** A file with KHR_physics_rigid_bodies and KHR_implicit_shapes. */
export function khrFile({ nodes, shapes = [], materials, filters, joints, roots, more = {} }: FileParts): GltfJson {
  const children = new Set(nodes.flatMap((node) => (node.children as number[] | undefined) ?? []));
  return {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_implicit_shapes', 'KHR_physics_rigid_bodies'],
    scene: 0,
    scenes: [{ nodes: roots ?? [...nodes.keys()].filter((i) => !children.has(i)) }],
    extensions: {
      KHR_implicit_shapes: { shapes },
      KHR_physics_rigid_bodies: {
        ...(materials ? { physicsMaterials: materials } : {}),
        ...(filters ? { collisionFilters: filters } : {}),
        ...(joints ? { physicsJoints: joints } : {}),
      },
    },
    nodes: nodes.map(({ physics, ...node }) => (physics ? { ...node, extensions: { KHR_physics_rigid_bodies: physics } } : node)),
    ...more,
  };
}

/** A collider of a shape, by its index. */
export const solid = (shape: number, more: Extension = {}) => ({ collider: { geometry: { shape }, ...more } });

/** A box of this size (m) as a shape. */
export const box = (x: number, y: number, z: number) => ({ type: 'box', box: { size: [x, y, z] } });

/** Triangles of a box of half extents 0.5: positions and indices in one buffer, as a data URI. */
export function boxMesh(): Record<string, unknown> {
  const positions = new Float32Array([
    -0.5, -0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0.5, -0.5, -0.5, 0.5, -0.5, -0.5, -0.5, 0.5, 0.5, -0.5, 0.5, 0.5, 0.5, 0.5, -0.5, 0.5,
    0.5,
  ]);
  const indices = new Uint16Array([
    0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 3, 7, 6, 3, 6, 2, 0, 4, 7, 0, 7, 3, 1, 2, 6, 1, 6, 5,
  ]);
  return meshFile(positions, indices);
}

/** Parts of a file with one mesh. */
export function meshFile(positions: Float32Array, indices: Uint16Array): Record<string, unknown> {
  const bytes = new Uint8Array(positions.byteLength + indices.byteLength);
  bytes.set(new Uint8Array(positions.buffer), 0);
  bytes.set(new Uint8Array(indices.buffer), positions.byteLength);
  const min = [0, 1, 2].map((k) => Math.min(...positions.filter((_, i) => i % 3 === k)));
  const max = [0, 1, 2].map((k) => Math.max(...positions.filter((_, i) => i % 3 === k)));
  return {
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}` }],
    bufferViews: [
      { buffer: 0, byteLength: positions.byteLength },
      { buffer: 0, byteOffset: positions.byteLength, byteLength: indices.byteLength },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: positions.length / 3, type: 'VEC3', min, max },
      { bufferView: 1, componentType: 5123, count: indices.length, type: 'SCALAR' },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
  };
}

/** A GLB file of JSON and a buffer. */
export function glbFile(json: object, buffer?: Uint8Array): Uint8Array {
  const pad = (bytes: Uint8Array, filler: number) => {
    const out = new Uint8Array(4 * Math.ceil(bytes.length / 4)).fill(filler);
    out.set(bytes);
    return out;
  };
  const chunks: [number, Uint8Array][] = [[0x4e4f534a, pad(new TextEncoder().encode(JSON.stringify(json)), 0x20)]];
  if (buffer) chunks.push([0x004e4942, pad(buffer, 0)]);
  const length = 12 + chunks.reduce((sum, [, bytes]) => sum + 8 + bytes.length, 0);
  const out = new Uint8Array(length);
  const view = new DataView(out.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, length, true);
  let at = 12;
  for (const [type, bytes] of chunks) {
    view.setUint32(at, bytes.length, true);
    view.setUint32(at + 4, type, true);
    out.set(bytes, at + 8);
    at += 8 + bytes.length;
  }
  return out;
}
