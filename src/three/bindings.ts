// Objects drawn at bodies: a mesh or group by one body, an InstancedMesh or BatchedMesh by many. In each frame, poses between the
// last two steps become positions, rotations and matrices. Bodies live in the world. An object with a parent, or instances in an
// object with a pose of its own, get the local pose that leads to the same place.
import { type BatchedMesh, Color, type InstancedMesh, Matrix4, type Object3D, Quaternion, Vector3 } from 'three';
import { type BodyId, TalusError, type World } from '../index';

/** The calls of a world that drawing uses; a `TalusWorker` has them too. */
export type DrawnWorld = Pick<World, 'indexOf' | 'isAlive' | 'readMatrices' | 'readPoses' | 'slotCount'> &
  Partial<Pick<World, 'slotsVersion' | 'isAsleep'>>;

/** Colors of instances, by whether their bodies sleep. */
export interface SleepColors {
  awake: Color | number | string;
  asleep: Color | number | string;
}

/** Options for binding instances. */
export interface InstanceOptions {
  /** Three factors per instance; default those of the present matrices of the mesh. */
  scales?: Float32Array;
  /** Colors the instances by whether their bodies sleep. */
  sleepColors?: SleepColors;
  /** For a BatchedMesh: ids of its instances, one per body; default 0, 1, 2, ... */
  instances?: readonly number[];
}

/** An object that is drawn by bodies. */
export interface Binding {
  readonly object: Object3D;
  readonly bodies: readonly BodyId[];
  /**
   * Draws poses at `alpha` (undefined: that of the last `advance`). `frame` counts the calls, for work that is done once per
   * frame.
   */
  sync(frame: number, alpha: number | undefined): void;
  /** Restores everything of the object that it changed, except its pose. */
  end(): void;
}

const GONE = 0xffffffff;
const UNIT = new Vector3(1, 1, 1);
const matrix = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

/** Inverses of the matrices of parents, computed once per frame for all of their children. */
export class Parents {
  private frame = -1;
  private readonly known = new Map<Object3D, { inverse: Matrix4; turn: Quaternion } | null>();

  /**
   * Returns the transform from the world to the frame of a parent; null if the parent lies in the world unmoved. `before` is
   * called for each parent first.
   */
  of(parent: Object3D, frame: number, before: (object: Object3D) => void): { inverse: Matrix4; turn: Quaternion } | null {
    if (frame !== this.frame) {
      this.known.clear();
      this.frame = frame;
    }
    let found = this.known.get(parent);
    if (found === undefined) {
      before(parent);
      parent.updateWorldMatrix(true, false);
      found = null;
      if (!isIdentity(parent.matrixWorld.elements)) {
        found = { inverse: parent.matrixWorld.clone().invert(), turn: new Quaternion() };
        found.inverse.decompose(position, found.turn, scale);
      }
      this.known.set(parent, found);
    }
    return found;
  }
}

function isIdentity(elements: readonly number[]): boolean {
  for (let i = 0; i < 16; i++) if (elements[i] !== (i % 5 === 0 ? 1 : 0)) return false;
  return true;
}

/** Poses of the bodies of all meshes and groups, read in one call per frame. */
export class ObjectPoses {
  private readonly members: ObjectBinding[] = [];
  private slots = new Uint32Array(0);
  private positions = new Float32Array(0);
  private rotations = new Float32Array(0);
  private version: number | undefined;
  private isOther = true;
  private frame = -1;

  constructor(private readonly world: DrawnWorld) {}

  get count(): number {
    return this.members.length;
  }

  member(index: number): ObjectBinding {
    return this.members[index]!;
  }

  has(binding: ObjectBinding): boolean {
    return this.members[binding.index] === binding;
  }

  /** Whether its body existed at the last `read`. */
  isThere({ index }: ObjectBinding): boolean {
    return !this.isOther && this.slots[index] !== GONE;
  }

  add(binding: ObjectBinding): void {
    binding.index = this.members.push(binding) - 1;
    this.isOther = true;
  }

  remove(binding: ObjectBinding): void {
    const last = this.members.pop()!;
    if (last !== binding) {
      this.members[binding.index] = last;
      last.index = binding.index;
    }
    this.isOther = true;
  }

  /** Reads all poses; call it once per frame. */
  read(frame: number, alpha: number | undefined): void {
    if (frame === this.frame) return;
    this.frame = frame;
    const { world, members } = this;
    const { slotsVersion } = world;
    if (this.isOther || slotsVersion === undefined || slotsVersion !== this.version) {
      const { length } = members;
      if (this.slots.length !== length) {
        this.slots = new Uint32Array(length);
        this.positions = new Float32Array(4 * length);
        this.rotations = new Float32Array(4 * length);
      }
      for (const [i, { body }] of members.entries()) this.slots[i] = world.isAlive(body) ? world.indexOf(body) : GONE;
      this.version = slotsVersion;
      this.isOther = false;
    }
    world.readPoses(this.positions, this.rotations, alpha === undefined ? { bodies: this.slots } : { bodies: this.slots, alpha });
  }

  /** Writes the pose of a member; returns false if its body was removed. */
  place(index: number, { position, quaternion }: Object3D): boolean {
    if (this.slots[index] === GONE) return false;
    const { positions: p, rotations: q } = this;
    const at = 4 * index;
    position.set(p[at]!, p[at + 1]!, p[at + 2]!);
    quaternion.set(q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!);
    return true;
  }
}

/** Draws a mesh or group by one body. */
export class ObjectBinding implements Binding {
  readonly bodies: readonly BodyId[];
  /** Index among the members of `poses`. */
  index = 0;
  private synced = -1;
  private isHidden = false;

  constructor(
    readonly object: Object3D,
    readonly body: BodyId,
    private readonly poses: ObjectPoses,
    private readonly parents: Parents,
    /** Draws the parents of an object first, if they are bound too. */
    private readonly before: (object: Object3D) => void,
    /** Whether it is a bone of a model, which animations may pose as well. */
    readonly isBone = false,
  ) {
    this.bodies = [body];
    poses.add(this);
  }

  sync(frame: number, alpha: number | undefined): void {
    const { object } = this;
    if (this.synced === frame) return;
    this.synced = frame;
    this.poses.read(frame, alpha);
    if (!this.poses.place(this.index, object)) {
      if (object.visible) this.isHidden = true;
      object.visible = false;
      return;
    }
    if (this.isHidden) this.show();
    const { parent } = object;
    const home = parent && this.parents.of(parent, frame, this.before);
    if (home) {
      object.position.applyMatrix4(home.inverse);
      object.quaternion.premultiply(home.turn);
    }
    if (!object.matrixAutoUpdate) object.updateMatrix();
    object.matrixWorldNeedsUpdate = true;
  }

  private show(): void {
    if (this.isHidden) this.object.visible = true;
    this.isHidden = false;
  }

  end(): void {
    this.show();
    this.poses.remove(this);
  }
}

/** Matrices of instances, in three's own memory. */
export interface Instances {
  readonly object: InstancedMesh | BatchedMesh;
  /** Returns the instance of a body. */
  instanceOf(index: number): number;
  /** Returns the matrices in place, sixteen floats per body; null if they must be written one by one. */
  matrices(): Float32Array | null;
  /** Marks the matrices as changed. */
  changed(): void;
  setColor(index: number, color: Color): void;
}

export function instancesOf(object: InstancedMesh | BatchedMesh, count: number, ids?: readonly number[]): Instances {
  if ('isInstancedMesh' in object) {
    if (count > object.instanceMatrix.count) {
      throw new TalusError(
        'invalid-argument',
        `the InstancedMesh has room for ${object.instanceMatrix.count}, got ${count} bodies`,
      );
    }
    return {
      object,
      instanceOf: (index) => index,
      matrices: () => object.instanceMatrix.array as Float32Array,
      changed() {
        object.instanceMatrix.needsUpdate = true;
      },
      setColor(index, color) {
        object.setColorAt(index, color);
        object.instanceColor!.needsUpdate = true;
      },
    };
  }
  if (ids !== undefined && ids.length !== count) {
    throw new TalusError('invalid-argument', `options.instances has ${ids.length} ids for ${count} bodies`);
  }
  const instanceOf = (index: number) => (ids ? ids[index]! : index);
  const isInOrder = ids === undefined || ids.every((id, index) => id === index);
  // The texture of matrices is not in the types; without it instances are written one by one.
  const texture = () =>
    (object as unknown as { _matricesTexture?: { image: { data: Float32Array }; needsUpdate: boolean } })._matricesTexture;
  return {
    object,
    instanceOf,
    matrices: () => (isInOrder ? (texture()?.image.data ?? null) : null),
    changed() {
      const found = texture();
      if (found) found.needsUpdate = true;
    },
    setColor: (index, color) => object.setColorAt(instanceOf(index), color),
  };
}

/** Draws instances by bodies. */
export class InstanceBinding implements Binding {
  readonly object: InstancedMesh | BatchedMesh;
  private readonly slots: Uint32Array;
  private version: number | undefined = -1;
  private readonly scales: Float32Array | undefined;
  private scratch: Float32Array | null = null;
  private synced = -1;
  private readonly wasCulled: boolean;
  private readonly colors: readonly [Color, Color] | null;
  private readonly asleep: Uint8Array;
  private readonly query: { bodies?: Uint32Array; scales?: Float32Array; alpha?: number };
  private isAll = false;

  constructor(
    private readonly world: DrawnWorld,
    private readonly instances: Instances,
    readonly bodies: readonly BodyId[],
    options: InstanceOptions,
    private readonly parents: Parents,
    private readonly before: (object: Object3D) => void,
  ) {
    const { object } = instances;
    this.object = object;
    this.slots = new Uint32Array(bodies.length);
    const { scales } = options;
    this.scales = scales ? (scales.every((factor) => factor === 1) ? undefined : scales) : this.ownScales();
    if (this.scales && this.scales.length < 3 * bodies.length) {
      throw new TalusError('invalid-argument', `options.scales has ${this.scales.length} floats, but needs ${3 * bodies.length}`);
    }
    if (options.sleepColors && !world.isAsleep)
      throw new TalusError('unsupported', 'sleepColors need a World: this one does not report which bodies sleep');
    this.colors = options.sleepColors ? [new Color(options.sleepColors.awake), new Color(options.sleepColors.asleep)] : null;
    this.asleep = new Uint8Array(this.colors ? bodies.length : 0).fill(2);
    this.query = this.scales ? { bodies: this.slots, scales: this.scales } : { bodies: this.slots };
    // Bounds of moving instances would have to be computed in each frame.
    this.wasCulled = object.frustumCulled;
    object.frustumCulled = false;
  }

  /** Returns the scales in the present matrices, if any is not 1. */
  private ownScales(): Float32Array | undefined {
    const scales = new Float32Array(3 * this.bodies.length);
    let isUnit = true;
    for (let i = 0; i < this.bodies.length; i++) {
      worldMatrixOf(this.instances, i, matrix);
      matrix.decompose(position, rotation, scale);
      if (scale.lengthSq() < 1e-12) scale.copy(UNIT);
      if (scale.distanceToSquared(UNIT) > 1e-10) isUnit = false;
      scale.toArray(scales, 3 * i);
    }
    return isUnit ? undefined : scales;
  }

  private findSlots(): void {
    const { slotsVersion } = this.world;
    if (slotsVersion !== undefined && slotsVersion === this.version) return;
    this.version = slotsVersion;
    this.isAll = true;
    for (const [i, body] of this.bodies.entries()) {
      this.slots[i] = this.world.isAlive(body) ? this.world.indexOf(body) : GONE;
      if (this.slots[i] !== i) this.isAll = false;
    }
  }

  sync(frame: number, alpha: number | undefined): void {
    if (this.synced === frame) return;
    this.synced = frame;
    const { instances, object, bodies, query } = this;
    this.findSlots();
    // All bodies of the world in their order need no list.
    if (this.isAll && this.world.slotCount === bodies.length) delete query.bodies;
    else query.bodies = this.slots;
    if (alpha === undefined) delete query.alpha;
    else query.alpha = alpha;
    const place = instances.matrices();
    let to = place;
    if (!to || to.length < 16 * bodies.length) {
      this.scratch ??= new Float32Array(16 * bodies.length);
      to = this.scratch;
    }
    this.world.readMatrices(to, query);
    const home = this.parents.of(object, frame, this.before);
    if (home) {
      for (let i = 0; i < bodies.length; i++)
        matrix
          .fromArray(to, 16 * i)
          .premultiply(home.inverse)
          .toArray(to, 16 * i);
    }
    if (to !== place) {
      for (let i = 0; i < bodies.length; i++) {
        (object as BatchedMesh).setMatrixAt(instances.instanceOf(i), matrix.fromArray(to, 16 * i));
      }
    }
    instances.changed();
    // Rays make them again when they need them.
    object.boundingSphere = null;
    object.boundingBox = null;
    if (this.colors) this.paint(this.colors);
  }

  private paint(colors: readonly [Color, Color]): void {
    for (const [i, body] of this.bodies.entries()) {
      if (this.slots[i] === GONE) continue;
      const now = this.world.isAsleep!(body) ? 1 : 0;
      if (this.asleep[i] === now) continue;
      this.asleep[i] = now;
      this.instances.setColor(i, colors[now]!);
    }
  }

  end(): void {
    this.object.frustumCulled = this.wasCulled;
  }
}

/** Returns the matrix of an instance in the world. */
export function worldMatrixOf({ object, instanceOf }: Instances, index: number, out: Matrix4): Matrix4 {
  object.getMatrixAt(instanceOf(index), out);
  return out.premultiply(object.matrixWorld);
}
