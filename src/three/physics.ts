// Connects a world of talus and a scene of three.js: creates bodies from objects, and draws objects at their bodies.
import {
  type BatchedMesh,
  type InstancedMesh,
  Matrix4,
  type Mesh,
  type Object3D,
  Quaternion,
  type Raycaster,
  Vector3,
} from 'three';
import { COLLIDER_TRAITS, keysOf } from '../bodies/keys';
import { checkKeys, fail } from '../checks/validate';
import {
  type AdvanceOptions,
  type BodiesDesc,
  type BodyDesc,
  type BodyId,
  type BodyType,
  type ColliderDesc,
  type Frame,
  type RayOptions,
  type ShapeId,
  TalusError,
  type Vec3,
  type World,
} from '../index';
import {
  type Binding,
  type DrawnWorld,
  InstanceBinding,
  type InstanceOptions,
  instancesOf,
  ObjectBinding,
  ObjectPoses,
  Parents,
  worldMatrixOf,
} from './bindings';
import { type MovedObjects, openMoved, type ThreeWarningListener } from './moved';
import { ShapeCache } from './shape_cache';
import type { ShapeOptions } from './shapes';
import { type BoneBodies, SkeletonBinding } from './skeleton';

/** The calls of a world that `ThreePhysics` uses; worlds of `talus` and of `talus/study` have them. */
export type ThreeWorld = DrawnWorld &
  Pick<
    World,
    | 'advance'
    | 'castRay'
    | 'createBody'
    | 'createBodies'
    | 'createShape'
    | 'moveKinematic'
    | 'removeBody'
    | 'removeShape'
    | 'setUserData'
    | 'shift'
  >;

/** Fields of a body, without shape and pose, which come from its object. */
export interface ObjectBodyOptions extends Omit<BodyDesc, 'shape' | 'colliders' | 'position' | 'rotation'>, ShapeOptions {
  /**
   * Whether a kinematic body follows its object, instead of the other way round; default false. Move the object before `update`.
   */
  follow?: boolean;
}

/** The same for instances. */
export interface InstanceBodyOptions
  extends Omit<BodyDesc, 'shape' | 'colliders' | 'position' | 'rotation'>,
    ShapeOptions,
    InstanceOptions {}

/** Options of `ThreePhysics`. */
export interface ThreeOptions {
  /**
   * Where the warning goes that your code has moved a bound object, which its body overwrites; once per name of an object. To
   * `console.warn` (true), nowhere (false), or to your function. Default true, and false in production builds
   * (`process.env.NODE_ENV`).
   */
  warn?: boolean | ThreeWarningListener;
}

/** How meshes become shapes; `type` is the type of the body. */
export interface MeshShapes extends ShapeOptions {
  type?: BodyType;
}

/** Result of `collidersOf`. */
export interface ObjectColliders {
  /** Position and rotation of the frame (world). */
  position: Vector3;
  rotation: Quaternion;
  colliders: ColliderDesc[];
  used: ShapeId[];
}

/** Hit of a ray. */
export interface ObjectHit {
  body: BodyId;
  /** The object that is bound to the body, or null. */
  object: Object3D | null;
  /** Index of the instance, or -1. */
  instance: number;
  point: Vector3;
  normal: Vector3;
  distance: number;
}

/** An object that is updated with the scene and disposed with it. */
export interface Attachment {
  sync(alpha: number | undefined): void;
  dispose(): void;
  /** Returns the object by which it draws a body, and the index of the instance; null if it does not. */
  ownerOf?(body: BodyId): { object: Object3D; instance: number } | null;
}

type Many = InstancedMesh | BatchedMesh;

const SHAPE_KEYS = ['shape', 'maxVertices', 'decompose', 'follow', 'scales', 'sleepColors', 'instances'] as const;
/** Fields of `BodyDesc` that `createBodies` does not take. */
const SINGLE = keysOf({
  linearVelocity: 1,
  angularVelocity: 1,
  mass: 1,
  sensor: 1,
  surfaceVelocity: 1,
  surfaceSpin: 1,
  oneWay: 1,
  userData: 1,
} satisfies Record<Exclude<keyof BodyDesc, keyof BodiesDesc | 'position' | 'rotation' | 'colliders'>, 1>);

const matrix = new Matrix4();
const inverse = new Matrix4();
const UNIT = new Vector3(1, 1, 1);
const place = new Vector3();

/** Returns whether an object has many instances. */
export function isMany(object: Object3D): object is Many {
  return 'isInstancedMesh' in object || 'isBatchedMesh' in object;
}

/** Returns the options that belong to bodies. */
function bodyPart(options: object): Partial<BodyDesc> {
  const rest = { ...options } as Record<string, unknown>;
  for (const key of SHAPE_KEYS) delete rest[key];
  for (const key of ['position', 'rotation', 'colliders']) {
    if (key in rest) throw new TalusError('invalid-argument', `options.${key} is not allowed: the object has it`);
  }
  return rest as Partial<BodyDesc>;
}

/**
 * Connects a world with a three.js scene. `add` creates bodies from objects, `bind` draws existing bodies by objects, and
 * `update` runs the steps of a frame and moves the objects. Call `dispose` at the end; the world stays.
 */
export class ThreePhysics<W extends ThreeWorld = World> {
  private readonly bindings = new Map<Object3D, Binding>();
  private readonly owners = new Map<BodyId, { binding: Binding; instance: number }>();
  /**
   * Shapes of geometries, shared and counted, for bodies that you create yourself: get one by `of`, give it back by `release`.
   */
  readonly shapes: ShapeCache;
  /** Bodies that `add` created, with the shapes they use. */
  private readonly made = new Map<BodyId, readonly ShapeId[]>();
  private readonly followers = new Map<Object3D, BodyId>();
  private readonly attachments = new Set<Attachment>();
  private readonly parents = new Parents();
  private readonly poses: ObjectPoses;
  private readonly moved: MovedObjects | null;
  private frame = 0;
  private alpha: number | undefined;
  /** `alpha` of the last `update`. */
  private drawn: number | undefined;
  private readonly before = (object: Object3D): void => this.syncAbove(object);

  /** @throws TalusError `invalid-argument` */
  constructor(
    readonly world: W,
    options: ThreeOptions = {},
  ) {
    checkKeys(options, 'options', ['warn']);
    const { warn } = options;
    if (warn !== undefined && typeof warn !== 'boolean' && typeof warn !== 'function')
      fail('options.warn', 'true, false or a function (message) => void', warn);
    this.shapes = new ShapeCache(world);
    this.poses = new ObjectPoses(world);
    this.moved = openMoved(this.poses, warn);
  }

  /**
   * Creates a body for an object at its present pose, or one per instance, and binds them. Shapes come from the meshes in it, at
   * their present scale, without objects that have a body of their own. Returns the id or ids.
   * @throws TalusError as `createBody`; `invalid-argument` if there are no meshes, or if it is bound already
   */
  add(object: InstancedMesh | BatchedMesh, options?: InstanceBodyOptions): BodyId[];
  add(object: Object3D, options?: ObjectBodyOptions): BodyId;
  add(object: Object3D, options: ObjectBodyOptions & InstanceOptions = {}): BodyId | BodyId[] {
    this.checkFree(object);
    object.updateWorldMatrix(true, true);
    return isMany(object) ? this.addMany(object, options) : this.addOne(object, options);
  }

  private addOne(object: Object3D, options: ObjectBodyOptions): BodyId {
    const { position, rotation, colliders, used } = this.collidersOf(object, options);
    if (colliders.length === 0) {
      throw new TalusError('invalid-argument', `the object '${object.name || object.type}' contains no mesh to make shapes from`);
    }
    const follow = options.follow === true;
    const desc = { ...bodyPart(options), position, rotation, colliders } as BodyDesc;
    if (follow) desc.type ??= 'kinematic';
    let body: BodyId;
    try {
      body = this.world.createBody(splitMaterial(desc));
    } catch (error) {
      this.shapes.release(used);
      throw error;
    }
    this.made.set(body, used);
    if (follow) this.follow(object, body);
    else this.bind(object, body);
    return body;
  }

  /**
   * Makes a kinematic body follow an object, from the next `update` on, instead of the other way round. Move the object before
   * `update`; `unbind` ends it.
   * @throws TalusError `invalid-argument` if the object is bound already; `stale-handle`
   */
  follow(object: Object3D, body: BodyId): void {
    this.checkFree(object);
    this.world.indexOf(body);
    this.followers.set(object, body);
    this.keep(new FollowBinding(object, body));
  }

  /**
   * Returns colliders for all meshes in an object, in the frame of its pose without scale (or of that of `frame`). Bound objects,
   * and objects that `skip` selects, are left out. Use it for bodies that you create yourself. Release `used` by `shapes.release`
   * when they are removed.
   * @throws TalusError as `createShape`
   */
  collidersOf(object: Object3D, options: MeshShapes = {}, frame = object, skip?: (object: Object3D) => boolean): ObjectColliders {
    const position = new Vector3();
    const rotation = new Quaternion();
    object.updateWorldMatrix(true, true);
    frame.updateWorldMatrix(true, false);
    frame.matrixWorld.decompose(position, rotation, new Vector3());
    inverse.compose(position, rotation, UNIT).invert();
    const colliders: ColliderDesc[] = [];
    const used: ShapeId[] = [];
    const visit = (at: Object3D) => {
      if (at !== object && (this.bindings.has(at) || skip?.(at))) return;
      const { geometry } = at as Partial<Mesh>;
      if ('isMesh' in at && geometry && !isMany(at)) {
        const [p, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
        matrix.multiplyMatrices(inverse, at.matrixWorld).decompose(p, q, s);
        for (const { shape, position: offset, rotation: turn } of this.shapes.of(geometry, options, s, options.type)) {
          used.push(shape);
          colliders.push({ shape, position: offset.clone().applyQuaternion(q).add(p), rotation: q.clone().multiply(turn) });
        }
      }
      for (const child of at.children) visit(child);
    };
    try {
      visit(object);
    } catch (error) {
      this.shapes.release(used);
      throw error;
    }
    return { position, rotation, colliders, used };
  }

  private addMany(object: Many, options: InstanceBodyOptions): BodyId[] {
    const count = 'isInstancedMesh' in object ? object.count : (options.instances?.length ?? object.instanceCount);
    const instances = instancesOf(object, count, options.instances);
    const desc = bodyPart(options);
    const positions = new Float64Array(3 * count);
    const rotations = new Float64Array(4 * count);
    const scales = new Float32Array(3 * count);
    const [p, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
    const parts: ReturnType<ShapeCache['of']>[] = [];
    const used: ShapeId[][] = [];
    const bodies: BodyId[] = [];
    try {
      for (let i = 0; i < count; i++) {
        worldMatrixOf(instances, i, matrix).decompose(p, q, s);
        p.toArray(positions, 3 * i);
        q.toArray(rotations, 4 * i);
        s.toArray(scales, 3 * i);
        const range = rangeOf(object, instances.instanceOf(i));
        const shapes = this.shapes.of(object.geometry, options, s, options.type, range);
        used.push(shapes.map(({ shape }) => shape));
        parts.push(shapes);
      }
      if (isBulk(parts, desc)) {
        const shapes = parts.map(([only]) => only!.shape);
        const bulk = { ...desc, count, shapes, positions, rotations } as unknown as BodiesDesc;
        if (count > 0) bodies.push(...this.world.createBodies(bulk));
      } else {
        for (const [i, shapes] of parts.entries()) {
          const colliders = shapes.map(({ shape, position, rotation }) => ({ shape, position, rotation }));
          const body = { ...desc, position: at(positions, i, 3), rotation: at(rotations, i, 4), colliders } as BodyDesc;
          bodies.push(this.world.createBody(splitMaterial(body)));
        }
      }
      this.bind(object, bodies, { ...options, scales: options.scales ?? scales });
    } catch (error) {
      for (const body of bodies) this.world.removeBody(body);
      for (const shapes of used) this.shapes.release(shapes);
      throw error;
    }
    for (const [i, body] of bodies.entries()) this.made.set(body, used[i]!);
    return bodies;
  }

  /**
   * Draws an object by an existing body, or instances by as many bodies, from the next `sync` on. The object keeps its scale and
   * its parent. It is hidden when its body is removed.
   * @throws TalusError `invalid-argument` if it is bound already or the numbers do not match; `stale-handle`
   */
  bind(object: InstancedMesh | BatchedMesh, bodies: ArrayLike<BodyId>, options?: InstanceOptions): void;
  bind(object: Object3D, body: BodyId): void;
  bind(object: Object3D, bodies: BodyId | ArrayLike<BodyId>, options: InstanceOptions = {}): void {
    this.checkFree(object);
    if (typeof bodies === 'number') {
      this.world.indexOf(bodies);
      if (isMany(object))
        throw new TalusError('invalid-argument', `a ${object.type} is drawn by an array of bodies, one per instance`);
      this.keep(new ObjectBinding(object, bodies, this.poses, this.parents, this.before));
      return;
    }
    if (!isMany(object)) throw new TalusError('invalid-argument', `a ${object.type} is drawn by one body, not by an array`);
    object.updateWorldMatrix(true, false);
    const list = Array.from(bodies);
    for (const body of list) this.world.indexOf(body);
    const instances = instancesOf(object, list.length, options.instances);
    this.keep(new InstanceBinding(this.world, instances, list, options, this.parents, this.before));
  }

  /**
   * Draws the bones of the skinned meshes in an object (a mesh, or a whole model) by the bodies of a ragdoll, from the next
   * `sync` on. Bones without a body keep their pose in their parent. `unbind(object)` ends it: the bones stay in place, and an
   * animation can take over.
   * @throws TalusError `invalid-argument` if it is bound already or lacks a bone of the ragdoll; `stale-handle`
   */
  bindSkeleton(object: Object3D, ragdoll: BoneBodies): void {
    this.checkFree(object);
    if (!Array.isArray(ragdoll?.bones)) fail('ragdoll', 'a Ragdoll, or { bones: [{ bone, body }] }', ragdoll);
    for (const { body } of ragdoll.bones) this.world.indexOf(body);
    this.keep(new SkeletonBinding(object, ragdoll, this.poses, this.parents, this.before));
  }

  private keep(binding: Binding): void {
    this.bindings.set(binding.object, binding);
    const isOne = !isMany(binding.object);
    for (const [instance, body] of binding.bodies.entries()) this.owners.set(body, { binding, instance: isOne ? -1 : instance });
  }

  private checkFree(object: Object3D): void {
    if (object === null || typeof object !== 'object' || !('isObject3D' in object)) {
      throw new TalusError('invalid-argument', 'object must be an Object3D of three.js');
    }
    if (this.bindings.has(object)) {
      throw new TalusError('invalid-argument', `the object '${object.name || object.type}' is bound already: unbind it first`);
    }
  }

  /** Returns whether an object is bound. */
  has(object: Object3D): boolean {
    return this.bindings.has(object);
  }

  /** Returns the bodies of an object, in the order of its instances; none if it is not bound. */
  bodiesOf(object: Object3D): readonly BodyId[] {
    return this.bindings.get(object)?.bodies ?? [];
  }

  /** Returns the object that a body draws, here or by an attachment, or null. */
  objectOf(body: BodyId): Object3D | null {
    return this.owners.get(body)?.binding.object ?? this.attachedOwner(body)?.object ?? null;
  }

  /** Returns the index of the instance that a body draws, here or by an attachment; -1 for none. */
  instanceOf(body: BodyId): number {
    return (this.owners.get(body) ?? this.attachedOwner(body))?.instance ?? -1;
  }

  private attachedOwner(body: BodyId): { object: Object3D; instance: number } | null {
    for (const attachment of this.attachments) {
      const owner = attachment.ownerOf?.(body);
      if (owner) return owner;
    }
    return null;
  }

  /** Unbinds an object, which stays in place; its bodies stay in the world. */
  unbind(object: Object3D): void {
    const binding = this.bindings.get(object);
    if (!binding) return;
    this.bindings.delete(object);
    binding.end();
    this.followers.delete(object);
    for (const body of binding.bodies) if (this.owners.get(body)?.binding === binding) this.owners.delete(body);
  }

  /**
   * Unbinds an object and removes its bodies, with the shapes that `add` created for them alone. The object stays in the scene.
   */
  remove(object: Object3D): void {
    const bodies = this.bodiesOf(object);
    this.unbind(object);
    for (const body of bodies) this.removeBody(body);
  }

  private removeBody(body: BodyId): void {
    if (this.world.isAlive(body)) this.world.removeBody(body);
    const shapes = this.made.get(body);
    this.made.delete(body);
    if (shapes) this.shapes.release(shapes);
  }

  /**
   * Adds every object in `root` whose `userData.physics` is set to `true` or to options of `add`, as three.js' own examples mark
   * physical objects. Returns the bodies.
   */
  addScene(root: Object3D): BodyId[] {
    const marked: Object3D[] = [];
    root.updateWorldMatrix(true, true);
    root.traverse((object) => {
      if (object.userData.physics && !this.bindings.has(object)) marked.push(object);
    });
    return marked.flatMap((object) => {
      const { physics } = object.userData;
      return this.add(object, physics === true ? {} : physics);
    });
  }

  /** Runs the steps of a frame of `seconds`, as `world.advance`, and moves the objects. Returns the frame. */
  update(seconds: number, options: AdvanceOptions = {}): Frame {
    const { beforeStep } = options;
    const lead = () => {
      for (const [object, body] of this.followers) this.lead(object, body);
      beforeStep?.();
    };
    const frame = this.world.advance(seconds, this.followers.size > 0 ? { ...options, beforeStep: lead } : options);
    this.drawn = options.interpolate === false ? 1 : frame.alpha;
    this.sync(this.drawn);
    return frame;
  }

  private lead(object: Object3D, body: BodyId): void {
    if (!this.world.isAlive(body)) return;
    object.updateWorldMatrix(true, false);
    const [position, rotation] = [new Vector3(), new Quaternion()];
    object.matrixWorld.decompose(position, rotation, new Vector3());
    this.world.moveKinematic(body, position, rotation);
  }

  /**
   * Moves all objects to the interpolated poses of their bodies, at `alpha` between the last two steps. Default: that of
   * `update`, or before any `update` that of `world.advance`.
   */
  sync(alpha: number | undefined = this.drawn): void {
    this.frame++;
    this.alpha = alpha;
    this.moved?.before();
    for (const binding of this.bindings.values()) binding.sync(this.frame, alpha);
    this.moved?.after();
    for (const attachment of this.attachments) attachment.sync(alpha);
  }

  /**
   * Moves the origin, as `World.shift`, and all bound objects with it at once, including objects that lead a body (`follow`).
   * Move the camera and all other objects by the same offset.
   * @throws TalusError as `World.shift`
   */
  shift(offset: Vec3): void {
    this.world.shift(offset);
    const by = 'x' in offset ? new Vector3(offset.x, offset.y, offset.z) : new Vector3().fromArray(Array.from(offset));
    for (const object of this.followers.keys()) {
      // The objects that contain it may have moved with it already.
      let above = object.parent;
      while (above && !this.bindings.has(above)) above = above.parent;
      if (above) continue;
      object.parent?.updateWorldMatrix(true, false);
      object.getWorldPosition(place).add(by);
      object.position.copy(object.parent ? object.parent.worldToLocal(place) : place);
      object.updateMatrix();
    }
    this.sync();
  }

  /** Draws an object after the bound objects that contain it. */
  private syncAbove(object: Object3D): void {
    for (let at: Object3D | null = object; at; at = at.parent) {
      const binding = this.bindings.get(at);
      // One of many instances does not carry its children.
      if (binding && !isMany(at)) binding.sync(this.frame, this.alpha);
    }
  }

  /** Attaches a `DebugRenderer` or `GpuInstances`: it is updated with every `sync` and disposed with this object. Returns it. */
  attach<A extends Attachment>(attachment: A): A {
    this.attachments.add(attachment);
    return attachment;
  }

  detach(attachment: Attachment): void {
    this.attachments.delete(attachment);
  }

  /** Returns the nearest body on the ray of a raycaster, within its `far`, or null. */
  castRay({ ray, far }: Pick<Raycaster, 'ray' | 'far'>, options: RayOptions = {}): ObjectHit | null {
    const maxDistance = options.maxDistance ?? (Number.isFinite(far) ? far : 1e5);
    const hit = this.world.castRay(ray.origin, ray.direction, { ...options, maxDistance });
    if (!hit) return null;
    return {
      body: hit.body,
      object: this.objectOf(hit.body),
      instance: this.instanceOf(hit.body),
      point: new Vector3().fromArray(hit.point),
      normal: new Vector3().fromArray(hit.normal),
      distance: hit.distance,
    };
  }

  /** Unbinds all objects, removes the bodies and shapes that `add` created, and disposes attachments. The world itself stays. */
  dispose(): void {
    // What they draw stays where it is, as long as its bodies are there.
    for (const attachment of this.attachments) attachment.dispose();
    this.attachments.clear();
    for (const object of [...this.bindings.keys()]) this.unbind(object);
    for (const body of [...this.made.keys()]) {
      try {
        this.removeBody(body);
      } catch (error) {
        // The world was disposed before.
        if (!(error instanceof TalusError && error.code === 'disposed')) throw error;
        this.made.clear();
        break;
      }
    }
  }
}

/** An object that leads its body: it is not drawn by it. */
class FollowBinding implements Binding {
  readonly bodies: readonly BodyId[];
  constructor(
    readonly object: Object3D,
    body: BodyId,
  ) {
    this.bodies = [body];
  }
  sync(): void {}
  end(): void {}
}

function at(from: Float64Array, index: number, size: number): Float64Array {
  return from.subarray(size * index, size * index + size);
}

function isBulk(parts: readonly { position: Vector3; rotation: Quaternion }[][], desc: object): boolean {
  if (SINGLE.some((key) => key in desc)) return false;
  return parts.every(([only, more]) => only && !more && only.position.lengthSq() < 1e-12 && Math.abs(only.rotation.w) > 1 - 1e-9);
}

/** Moves the surface fields of a body into its colliders, if there is a list of them. */
function splitMaterial(desc: BodyDesc): BodyDesc {
  const body: Record<string, unknown> = { ...desc };
  const shared: Record<string, unknown> = {};
  for (const key of COLLIDER_TRAITS) {
    if (!(key in body)) continue;
    shared[key] = body[key];
    delete body[key];
  }
  body.colliders = desc.colliders!.map((collider) => ({ ...shared, ...collider }));
  return body as unknown as BodyDesc;
}

/** Returns the part of the geometry that an instance of a BatchedMesh shows. */
function rangeOf(object: Many, instance: number): { start: number; count: number } | undefined {
  if ('isInstancedMesh' in object) return undefined;
  const range = object.getGeometryRangeAt(object.getGeometryIdAt(instance));
  return range ? { start: range.start, count: range.count } : undefined;
}
