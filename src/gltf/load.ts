// `loadPhysics`: the physics of a file from its JSON and buffers, without a renderer.

import { TalusError } from '../checks/errors';
import { checkBoolean, checkInteger, checkKeys, checkNumber, checkPosition, checkQuat, fail } from '../checks/validate';
import type { Decompose, Decomposer } from '../engines/decompose';
import type { Quat, Vec3 } from '../index';
import { checkWorld } from '../rigs/check';
import { normalized, type Turn, type Vector } from '../rigs/turns';
import { type BuildInput, type Built, build } from './build';
import { isBytes, readGlb } from './container';
import { readDocument } from './document';
import { checkSystems } from './filters';
import { Issues } from './issues';
import { type GltfJson, listAt } from './json';
import { GltfPhysics, type GltfWorld } from './level';
import { BufferMeshes, checkBuffers } from './meshes';
import { affineOf, NodeTree } from './nodes';

/** Options that all ways of loading a file share. */
export interface GltfPhysicsOptions {
  /**
   * Bits, 1 to 31, for collision systems by name; other systems get the next free bits. Use the same for all files of a world.
   */
  systems?: Readonly<Record<string, number>>;
  /** Cuts a mesh on a dynamic body into convex parts; default: its convex hull. */
  decompose?: Decomposer | Decompose;
  /** Largest number of vertices of a convex hull, 4 to 128; default 64. */
  maxVertices?: number;
  /**
   * Whether one console warning per file lists features that talus does not have; default true. The list `unsupported` has them
   * in any case.
   */
  warn?: boolean;
}

/** Options of `loadPhysics`. */
export interface LoadPhysicsOptions extends GltfPhysicsOptions {
  /** Contents of the buffers of the file, by index. Only colliders from meshes need them; data URIs are read without. */
  buffers?: readonly (ArrayBuffer | ArrayBufferView | undefined)[];
  /** Index of the scene; default the scene that the file names, else the first. */
  scene?: number;
  /** Position of the scene in the world, m; default 0 0 0. */
  position?: Vec3;
  /** Rotation of the scene in the world; default none. */
  rotation?: Quat;
  /** Factor on all lengths, 1e-6 to 1e6; default 1. Masses, forces and limits of joints stay as the file gives them. */
  scale?: number;
}

const SHARED_KEYS = ['systems', 'decompose', 'maxVertices', 'warn'];

/** Checks the options that all ways of loading share. */
export function checkShared(
  options: GltfPhysicsOptions,
  more: readonly string[],
): Pick<BuildInput, 'systems' | 'decompose' | 'maxVertices'> & { warn: boolean } {
  checkKeys(options, 'options', [...SHARED_KEYS, ...more]);
  const { systems, decompose, maxVertices = 64, warn = true } = options;
  if (decompose !== undefined && typeof decompose !== 'function' && typeof decompose?.computeConvexHulls !== 'function')
    fail('options.decompose', 'a function (positions, indices), or an object with computeConvexHulls', decompose);
  return {
    systems: checkSystems(systems),
    decompose,
    maxVertices: checkInteger(maxVertices, 'options.maxVertices', 4, 128),
    warn: checkBoolean(warn, 'options.warn'),
  };
}

/** Checks for a world in this thread. */
export function checkLoadable(world: unknown, call: string): void {
  checkWorld(world, call);
  if ('takeEvents' in (world as object))
    throw new TalusError(
      'unsupported',
      `${call} takes a world of this thread: a TalusWorker answers later. Load the file where its world is made`,
    );
}

/** Checks the JSON of a file: it must have nodes and be of version 2. */
export function checkJson(json: unknown): GltfJson {
  if (json === null || typeof json !== 'object' || Array.isArray(json) || !('asset' in json))
    fail('gltf', 'the JSON of a glTF file (an object with asset and nodes), or the bytes of a .glb or .gltf file', json);
  const { version } = (json as { asset: { version?: unknown } }).asset ?? {};
  if (typeof version === 'string' && !version.startsWith('2.'))
    throw new TalusError('invalid-argument', `the glTF file has version ${version}; only version 2 can be read`);
  return json as GltfJson;
}

export function finish(world: GltfWorld, { made, systems }: Built, tree: NodeTree, issues: Issues, warn: boolean): GltfPhysics {
  if (warn) issues.warn();
  return new GltfPhysics(world, made, tree.names, (node) => tree.parent(node), systems.categories, issues.list);
}

/**
 * Creates the bodies, colliders, triggers and joints that a glTF file describes by KHR_physics_rigid_bodies and
 * KHR_implicit_shapes, or by OMI_physics_body, OMI_physics_shape and OMI_physics_joint. `gltf` is the parsed JSON, or the bytes
 * of a .glb or .gltf file. Either everything is created, or nothing.
 * @throws TalusError `invalid-argument` if the file is broken or contradicts itself (the message names the place), or a buffer is
 * missing; errors of `createShape`, `createBody` and `createJoint`
 */
export function loadPhysics(
  world: GltfWorld,
  gltf: object | ArrayBuffer | ArrayBufferView,
  options: LoadPhysicsOptions = {},
): GltfPhysics {
  checkLoadable(world, 'loadPhysics');
  const { warn, ...shared } = checkShared(options, ['buffers', 'scene', 'position', 'rotation', 'scale']);
  const file = isBytes(gltf) ? readGlb(gltf) : { json: gltf, buffers: [] };
  const json = checkJson(file.json);
  const given = checkBuffers(options.buffers);
  const buffers = given.length > 0 ? given.map((buffer, i) => buffer ?? file.buffers[i]) : file.buffers;
  const scenes = listAt(json, 'scenes', 'file').length;
  const { scene } = options;
  if (scene !== undefined) checkInteger(scene, 'options.scene', 0, Math.max(0, scenes - 1));
  const p = options.position === undefined ? [0, 0, 0] : checkPosition(options.position, 'options.position');
  const q = options.rotation === undefined ? [0, 0, 0, 1] : checkQuat(options.rotation, 'options.rotation');
  const factor = options.scale === undefined ? 1 : checkNumber(options.scale, 'options.scale', 1e-6, 1e6);
  const position: Vector = [p[0]!, p[1]!, p[2]!];
  const rotation = normalized([q[0]!, q[1]!, q[2]!, q[3]!]) as Turn;
  const issues = new Issues();
  const tree = new NodeTree(json, scene, { matrix: affineOf(position, rotation, [factor, factor, factor]), rotation });
  const document = readDocument(json, issues);
  const meshes = new BufferMeshes(json, buffers, issues).source;
  const built = build(world, { json, document, tree, places: tree, meshes, ...shared, followsNodes: false }, issues);
  return finish(world, built, tree, issues, warn);
}
