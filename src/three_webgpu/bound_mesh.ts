// An InstancedMesh while bodies draw it on the GPU. The renderer gets its matrices from a buffer that a pass on the GPU fills. On
// the CPU, three still finds what it expects: a bounding sphere for culling, and matrices for rays, which are read when somebody
// asks for them. Everything is given back at the end.
import { type InstancedBufferAttribute, type InstancedMesh, Matrix4, Quaternion, Sphere, Vector3 } from 'three';
import { type BodyId, TalusError, type World } from '../index';
import { InstanceBounds } from './bounds';
import { PlacedMatrices, type Placer } from './placing';

/** The calls of a world that a bound mesh uses. */
export type MeshWorld = Pick<World, 'indexOf' | 'isAlive' | 'readMatrices' | 'slotsVersion'>;

const GONE = 0xffffffff;
const IDENTITY = new Matrix4();
const matrix = new Matrix4();
const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();

export class BoundMesh {
  private readonly slots: Uint32Array;
  /** `slotsVersion` of the world when they were looked up. */
  private version = -1;
  /** Three factors per instance; undefined if all are 1. */
  private readonly scales: Float32Array | undefined;
  /** The largest factor. */
  private readonly reach: number;
  private readonly placed: PlacedMatrices;
  private readonly original: InstancedBufferAttribute;
  private readonly originalCount: number;
  private readonly bounds = new InstanceBounds();
  private readonly boundingSphere = new Sphere();
  /** From the world to the frame of the mesh. */
  private readonly home = new Matrix4();
  private alpha = 1;
  /** Whether the matrices on the CPU are those of this frame. */
  private isRead = true;
  /** Whether the mesh itself is being disposed. */
  private isDisposed = false;
  private readonly onDispose: () => void;

  /** `scales`: three factors per instance; default those of the present matrices. `onDispose`: the mesh itself was disposed. */
  constructor(
    placer: Placer,
    private readonly world: MeshWorld,
    readonly mesh: InstancedMesh,
    readonly bodies: readonly BodyId[],
    scales: Float32Array | undefined,
    onDispose: () => void,
  ) {
    mesh.updateWorldMatrix(true, false);
    this.slots = new Uint32Array(bodies.length).fill(GONE);
    const factors = scales?.slice(0, 3 * bodies.length) ?? this.ownScales();
    this.scales = factors.every((factor) => factor === 1) ? undefined : factors;
    this.reach = factors.reduce((most, factor) => Math.max(most, Math.abs(factor)), 0);
    this.original = mesh.instanceMatrix;
    this.originalCount = mesh.count;
    this.placed = new PlacedMatrices(placer, mesh.instanceMatrix, bodies.length, this.scales);
    this.onDispose = () => {
      this.isDisposed = true;
      onDispose();
    };
    this.replaceMatrices(this.placed.attribute);
    mesh.count = bodies.length;
    const { getMatrixAt } = mesh;
    // Rays, bounding boxes and you read matrices by this call.
    mesh.getMatrixAt = (index, out) => {
      this.read();
      return getMatrixAt.call(mesh, index, out);
    };
    mesh.addEventListener('dispose', this.onDispose);
  }

  /** Returns the scales in the present matrices. */
  private ownScales(): Float32Array {
    const { mesh, bodies } = this;
    const scales = new Float32Array(3 * bodies.length);
    for (let i = 0; i < bodies.length; i++) {
      mesh.getMatrixAt(i, matrix);
      matrix.premultiply(mesh.matrixWorld).decompose(position, rotation, scale);
      if (scale.lengthSq() < 1e-12) scale.set(1, 1, 1);
      // Decomposition leaves rounding errors.
      for (let k = 0; k < 3; k++) {
        const factor = scale.getComponent(k);
        scales[3 * i + k] = Math.abs(factor - 1) < 1e-5 ? 1 : factor;
      }
    }
    return scales;
  }

  private replaceMatrices(attribute: InstancedBufferAttribute): void {
    const { mesh } = this;
    const before = mesh.instanceMatrix;
    mesh.instanceMatrix = attribute;
    // The renderer has compiled how it reads the matrices of this mesh, and forgets it by this event.
    if (!this.isDisposed) mesh.dispatchEvent({ type: 'dispose' } as never);
    if (before !== attribute) (before as unknown as { dispose?(): void }).dispose?.();
  }

  /** Looks up the slots of the bodies again. Returns whether any instance has a slot that it did not have before. */
  findSlots(): boolean {
    const { slots, world } = this;
    this.version = world.slotsVersion;
    let isOther = false;
    for (const [i, body] of this.bodies.entries()) {
      const slot = world.isAlive(body) ? world.indexOf(body) : GONE;
      if (slot !== slots[i] && slot !== GONE) isOther = true;
      slots[i] = slot;
    }
    this.placed.setSlots(slots);
    return isOther;
  }

  /** Takes over the positions of all bodies after a step. */
  take(positions: Float32Array): void {
    this.bounds.take(positions, this.slots);
  }

  /** Places the instances for this frame: at `blend` between the poses on the GPU, which is `alpha` between the last two steps. */
  place(encoder: GPUCommandEncoder, blend: number, alpha: number): void {
    const { mesh, home } = this;
    mesh.updateWorldMatrix(true, false);
    if (mesh.matrixWorld.equals(IDENTITY)) home.identity();
    else home.copy(mesh.matrixWorld).invert();
    this.placed.place(encoder, home, blend);
    this.alpha = alpha;
    this.isRead = false;
    mesh.boundingBox = null;
    mesh.boundingSphere = null;
    if (!mesh.frustumCulled) return;
    this.bounds.sphere(this.boundingSphere, mesh.geometry, this.reach, home);
    mesh.boundingSphere = this.boundingSphere;
  }

  /** Reads the matrices of this frame on the CPU, unless they are there already. */
  private read(): void {
    if (this.isRead) return;
    this.isRead = true;
    const { home, alpha, scales, slots, world } = this;
    const array = this.original.array as Float32Array;
    try {
      // The slot of a body that was removed since may belong to another one.
      if (world.slotsVersion !== this.version) this.findSlots();
      world.readMatrices(array, scales ? { bodies: slots, scales, alpha } : { bodies: slots, alpha });
    } catch (error) {
      // The world was disposed: the instances stay where they are.
      if (error instanceof TalusError && error.code === 'disposed') return;
      throw error;
    }
    if (home.equals(IDENTITY)) return;
    for (let i = 0; i < slots.length; i++)
      matrix
        .fromArray(array, 16 * i)
        .premultiply(home)
        .toArray(array, 16 * i);
  }

  /** Gives back the mesh. Its instances stay where they are, drawn by matrices from the CPU. */
  end(): void {
    const { mesh, original } = this;
    this.read();
    Reflect.deleteProperty(mesh, 'getMatrixAt');
    mesh.removeEventListener('dispose', this.onDispose);
    this.replaceMatrices(original);
    original.needsUpdate = true;
    if (mesh.count === this.bodies.length) mesh.count = this.originalCount;
    mesh.boundingBox = null;
    mesh.boundingSphere = null;
    this.placed.dispose();
  }
}
