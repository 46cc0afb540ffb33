// `addPhysics`: the physics of a file that GLTFLoader of three.js has loaded, with its objects drawn at their bodies. It uses
// only the fields of three.js that are named here and imports nothing from it.
import { TalusError } from '../checks/errors';
import { fail } from '../checks/validate';
import type { BodyId } from '../index';
import { multiply, normalized, type Turn, type Vector } from '../rigs/turns';
import { build } from './build';
import { type PhysicsDocument, readDocument } from './document';
import { Issues } from './issues';
import { type GltfJson, listAt, numberAt, objectsAt } from './json';
import type { GltfPhysics, GltfWorld } from './level';
import { checkJson, checkLoadable, checkShared, finish, type GltfPhysicsOptions } from './load';
import { type MeshSource, meshesOf, type Triangles, trianglesOf } from './meshes';
import { type Affine, IDENTITY, NodeTree, type Places, takeApart } from './nodes';

/** An Object3D of three.js. */
export interface GltfObject {
  readonly parent: GltfObject | null;
  readonly children: readonly GltfObject[];
  readonly quaternion: { readonly x: number; readonly y: number; readonly z: number; readonly w: number };
  readonly matrixWorld: { readonly elements: ArrayLike<number> };
  updateWorldMatrix(parents: boolean, children: boolean): void;
  traverse(callback: (object: GltfObject) => void): void;
}

/** Result of `GLTFLoader.load`. */
export interface LoadedGltf {
  readonly scene: GltfObject;
  readonly scenes?: readonly GltfObject[];
  readonly parser: {
    readonly json: object;
    // biome-ignore lint/suspicious/noExplicitAny: its types say any, and objects of three are its keys
    readonly associations: { get(object: any): { nodes?: number | undefined } | undefined };
    getDependency(type: string, index: number): Promise<unknown>;
  };
}

/** A ThreePhysics of `talus/three`. */
export interface ScenePhysics {
  readonly world: GltfWorld;
  bind(object: GltfObject, body: BodyId): void;
  follow(object: GltfObject, body: BodyId): void;
  unbind(object: GltfObject): void;
  has(object: GltfObject): boolean;
  attach(attachment: Attached): unknown;
  detach(attachment: Attached): void;
}

/** An object that ends with a ThreePhysics. */
interface Attached {
  sync(): void;
  dispose(): void;
}

/** An attribute of a geometry of three.js. */
interface Attribute {
  readonly count: number;
  getX(index: number): number;
  getY(index: number): number;
  getZ(index: number): number;
}

interface LoadedMesh {
  readonly isMesh?: boolean;
  readonly children?: readonly LoadedMesh[];
  readonly geometry?: {
    readonly attributes: { readonly position?: Attribute };
    readonly index: Attribute | null;
    readonly morphAttributes?: { readonly position?: readonly unknown[] };
  };
}

/** Options of `addPhysics`. */
export interface AddPhysicsOptions extends GltfPhysicsOptions {
  /**
   * Signal of an AbortController. Once it is aborted, nothing is created any more, and the promise is rejected with its reason.
   */
  signal?: { readonly aborted: boolean; readonly reason?: unknown };
}

/** Names of extensions that GLTFLoader would warn of if a file requires them. */
const NAMES = ['KHR_physics_rigid_bodies', 'KHR_implicit_shapes', 'OMI_physics_body', 'OMI_physics_shape', 'OMI_physics_joint'];

/**
 * Registers the physics extensions with a GLTFLoader of three.js, so that it does not warn of files that require them. Returns
 * the loader. `addPhysics` works without it too.
 */
// biome-ignore lint/suspicious/noExplicitAny: plugins and parsers of any version of three
export function registerPhysics<L extends { register(callback: (parser: any) => any): unknown }>(loader: L): L {
  if (typeof loader?.register !== 'function') fail('loader', 'a GLTFLoader of three.js', loader);
  for (const name of NAMES) loader.register(() => ({ name }));
  return loader;
}

/** Returns the indices of the meshes that colliders are created from. */
function neededMeshes(json: GltfJson, document: PhysicsDocument, tree: NodeTree): Set<number> {
  const out = new Set<number>();
  for (const node of tree.order) {
    const physics = document.get(node);
    for (const geometry of [physics?.collider?.geometry, physics?.trigger?.geometry]) {
      if (geometry?.mesh !== undefined) out.add(geometry.mesh);
      if (geometry?.node === undefined) continue;
      const isBody = (at: number) => at !== geometry.node && document.get(at)?.motion !== undefined;
      for (const { mesh } of meshesOf(geometry.node, json, tree, isBody)) out.add(mesh);
    }
  }
  return out;
}

/** Returns the triangles of a mesh as the loader has it, decompressed. */
function trianglesIn(loaded: LoadedMesh, json: GltfJson, mesh: number, node: number, issues: Issues): Triangles | null {
  const primitives = objectsAt(objectsAt(json, 'meshes', 'file')[mesh], 'primitives', `meshes[${mesh}]`);
  // A group has its primitives first; behind them may be nodes.
  const parts = loaded.geometry ? [loaded] : (loaded.children ?? []).slice(0, primitives.length);
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [i, { isMesh, geometry }] of parts.entries()) {
    const position = geometry?.attributes.position;
    if (!isMesh || !geometry || !position) continue;
    const path = `meshes[${mesh}].primitives[${i}]`;
    if (geometry.morphAttributes?.position?.length) issues.approximated(path, node, 'the shape ignores morph targets');
    const first = positions.length / 3;
    for (let k = 0; k < position.count; k++) positions.push(position.getX(k), position.getY(k), position.getZ(k));
    const { index } = geometry;
    const order = Array.from({ length: index ? index.count : position.count }, (_, k) => (index ? index.getX(k) : k));
    // The loader makes lists of strips and fans.
    const mode = numberAt(primitives[i] ?? {}, 'mode', path, 4);
    for (const k of trianglesOf(order, mode > 4 ? 4 : mode)) indices.push(first + k);
  }
  return indices.length > 0 ? { positions, indices } : null;
}

/** The present poses of objects. */
class ObjectPlaces implements Places {
  constructor(
    private readonly objects: ReadonlyMap<number, GltfObject>,
    private readonly tree: NodeTree,
  ) {}

  matrix(node: number): Affine {
    const object = this.objects.get(node);
    if (!object) return this.tree.matrix(node);
    return matrixOf(object);
  }

  rotation(node: number): Turn {
    let out: Turn = [0, 0, 0, 1];
    const object = this.objects.get(node);
    if (!object) return this.tree.rotation(node);
    for (let at: GltfObject | null = object; at; at = at.parent) {
      const { x, y, z, w } = at.quaternion;
      out = multiply([x, y, z, w], out);
    }
    return normalized(out) as Turn;
  }
}

/**
 * Creates the physics of a file that GLTFLoader has loaded, at the present poses of the objects in `gltf.scene`. It binds the
 * objects of its bodies to a `ThreePhysics`, which draws them from the next `update` on. Add the scene to yours first. Bodies of
 * nodes that an animation of the file moves are kinematic and follow their objects.
 * @throws TalusError as `loadPhysics`
 */
export async function addPhysics(physics: ScenePhysics, gltf: LoadedGltf, options: AddPhysicsOptions = {}): Promise<GltfPhysics> {
  if (typeof physics?.bind !== 'function' || !physics.world) fail('physics', 'a ThreePhysics of talus/three', physics);
  if (!gltf?.parser || !gltf.scene)
    fail('gltf', 'the result of GLTFLoader (an object with scene and parser)', gltf, ': await loader.loadAsync(url)');
  checkLoadable(physics.world, 'addPhysics');
  const { warn, ...shared } = checkShared(options, ['signal']);
  const { signal } = options;
  if (signal !== undefined && typeof signal?.aborted !== 'boolean') fail('options.signal', 'an AbortSignal', signal);
  const { parser, scene } = gltf;
  const json = checkJson(parser.json);
  const issues = new Issues();
  const index = gltf.scenes?.indexOf(scene) ?? -1;
  const tree = new NodeTree(json, index >= 0 && index < listAt(json, 'scenes', 'file').length ? index : undefined, {
    matrix: IDENTITY,
    rotation: [0, 0, 0, 1],
  });
  const document = readDocument(json, issues);
  const loaded = new Map<number, LoadedMesh>();
  await Promise.all(
    [...neededMeshes(json, document, tree)].map(async (mesh) => {
      loaded.set(mesh, (await parser.getDependency('mesh', mesh)) as LoadedMesh);
    }),
  );
  if (signal?.aborted) throw signal.reason;
  scene.updateWorldMatrix(true, true);
  const objects = new Map<number, GltfObject>();
  scene.traverse((object) => {
    const node = parser.associations.get(object)?.nodes;
    if (node !== undefined && !objects.has(node)) objects.set(node, object);
  });
  for (const [node, object] of objects) {
    if (document.has(node) && physics.has(object))
      throw new TalusError('invalid-argument', `the object of nodes[${node}] is bound already: unbind or remove it first`);
  }
  const known = new Map<number, Triangles | null>();
  const meshes: MeshSource = (mesh, node) => {
    if (!known.has(mesh)) known.set(mesh, trianglesIn(loaded.get(mesh)!, json, mesh, node, issues));
    return known.get(mesh)!;
  };
  const places = new ObjectPlaces(objects, tree);
  const built = build(physics.world, { json, document, tree, places, meshes, ...shared, followsNodes: true }, issues);
  const bound: GltfObject[] = [];
  for (const [node, body] of built.made.bodies) {
    const object = objects.get(node);
    if (!object) continue;
    if ('isInstancedMesh' in object || 'isBatchedMesh' in object) {
      issues.approximated(`nodes[${node}]`, node, 'its mesh has many instances and its body is one: the body does not move them');
      continue;
    }
    const { parent } = object;
    const above = parent && takeApart(matrixOf(parent));
    const isMoved = document.get(node)?.motion !== undefined;
    if (above && (above.isSheared || above.isMirrored)) {
      if (!isMoved) continue;
      issues.approximated(`nodes[${node}]`, node, 'the nodes above it mirror or shear it: it may be drawn with a wrong rotation');
    }
    if (built.animated.has(node)) physics.follow(object, body);
    else physics.bind(object, body);
    bound.push(object);
  }
  const level = finish(physics.world, built, tree, issues, warn);
  const attached: Attached = { sync() {}, dispose: () => level.remove() };
  physics.attach(attached);
  level.onRemove = () => {
    for (const object of bound) physics.unbind(object);
    physics.detach(attached);
  };
  return level;
}

function matrixOf(object: GltfObject): Affine {
  const e = object.matrixWorld.elements;
  const column = (k: number): Vector => [e[4 * k]!, e[4 * k + 1]!, e[4 * k + 2]!];
  return { linear: [column(0), column(1), column(2)], at: column(3) };
}
