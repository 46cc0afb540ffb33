// A world: the public façade. Checks everything it is given before it touches the core, so a refused call changes nothing.
import { Backend } from './backend';
import type { BackendReport, GpuFaults } from './backend_report';
import {
  type BodiesDesc,
  type BodyDesc,
  type CheckedCollider,
  type CheckedMaterial,
  type ColliderDesc,
  checkBodiesDesc,
  checkBodyDesc,
  checkCarries,
  checkColliderDesc,
  checkDamping,
  checkGravityScale,
  checkMassOverride,
  checkMaterial,
  checkMaterialKeys,
  type MassDesc,
  type MassOverride,
  type MaterialDesc,
  massOf,
  pick,
  resolveMass,
} from './bodies';
import type { Edition } from './edition';
import { show, TalusError } from './errors';
import { ContactEvents, type StoppedBody } from './events';
import { type ColliderEvents, checkColliderEvents, checkEventKeys, readColliderEvents } from './events/asked';
import { type EventKind, type EventListener, Listeners } from './events/listeners';
import { type AdvanceOptions, Clock, checkAdvance, type Frame, type Steps } from './frames/clock';
import { type MatrixOptions, type PoseOptions, PoseReader } from './frames/poses';
import type { GpuStepStats, StepSolver } from './gpu/step_solver';
import type { WebGpuBuffer, WebGpuDevice } from './gpu/types';
import { MAX_SLOTS } from './ids';
import { type ContactArrays, checkTyped, LABEL_KINDS, type LabelKind, readBounds, readContacts, readLabels } from './inspect';
import { checkFit, checkKind, emptyImage, type JointImage, takeOver, writeDesc } from './joints/check';
import type { JointChanges, JointDesc, JointState } from './joints/desc';
import { type Pose, poseOf } from './joints/frames';
import { type JointLineOptions, type JointLines, readJointLines } from './joints/lines';
import { readState } from './joints/state';
import {
  BODY_DYNAMIC,
  BODY_KINEMATIC,
  BODY_STATIC,
  BodyCold,
  BodyRow,
  COLLIDER_HITS,
  Collider,
  ERROR_NOT_FINITE,
  ERROR_OUT_OF_MEMORY,
  Header,
  Joint,
  NONE,
  QUERY_ALL,
  QUERY_ANY,
  QUERY_CLOSEST,
  QUERY_CONTACT,
  QUERY_DISTANCE,
  SOLVER_EXTERNAL,
} from './layout.generated';
import { type Measures, readMeasures } from './measure';
import { ArrayView, type LinearMemory } from './memory';
import { type BodyState, readBody, readMass } from './motion/bodies';
import { type ColliderState, changedCollider, colliderState, materialOf, writeSurface } from './motion/colliders';
import { attract, type Explosion, explode, type FieldWorld, float, type GravityField, type Water } from './motion/fields';
import { type ContactRule, readRule, writeRule } from './motion/rules';
import {
  applyTraits,
  checkLimit,
  type Locks,
  lockBits,
  readLocks,
  readTraits,
  type SpeedLimits,
  writeTag,
} from './motion/traits';
import {
  askForSleep,
  BACKEND_NAMES,
  type BackendName,
  checkDevice,
  checkTakesJoints,
  type EditionTypes,
  JOINT_SOLVERS,
  type OpenOptions,
  ownSettings,
  type Product,
} from './options';
import { Profile } from './profile';
import { Queries } from './queries/queries';
import type {
  BatchHits,
  BatchOptions,
  DistanceOptions,
  QueryFilter,
  QueryHit,
  QueryHitArrays,
  RayOptions,
  ShapeCastOptions,
  ShapeContact,
  ShapeContactArrays,
} from './queries/types';
import { Registry } from './registry';
import type { MassProperties } from './shapes/mass';
import { cookShape, type ShapeDesc, shapeExtent } from './shapes/shape';
import { type HostState, hasGeometry, newGeometry, readHost, writeHost } from './state/host';
import { checkSnapshot, loadImage, writeSnapshot } from './state/snapshot';
import {
  BODY_TYPES,
  type BodyId,
  type BodyType,
  type ColliderId,
  type JointId,
  type Quat,
  type QuatSink,
  type ShapeId,
  type Vec3,
  type Vec3Sink,
} from './types';
import {
  checkBits,
  checkBoolean,
  checkInteger,
  checkKeys,
  checkNumber,
  checkPosition,
  checkQuat,
  checkVec3,
  checkWord,
  fail,
} from './validate';
import { writeComponents } from './vectors';
import { type CoreExports, NO_INDEX } from './wasm/core';
import { leaveSeat, takeSeat } from './wasm/seats';
import type { WasmSource } from './wasm/source';

const SPEED_LIMIT = 1e6;
/** Numbers of a kinematic target: id, position, rotation. */
const TARGET_SIZE = 8;

/** Options of `World.clone`. */
export interface CloneOptions {
  /** Default `wasm`. */
  backend?: BackendName;
  /** The WebGPU device to use instead of asking for one; the caller keeps it. */
  device?: WebGpuDevice;
}

/** Options of `World.snapshot`. */
export interface SnapshotOptions {
  /**
   * Without the geometry of shapes and without a sum: smaller and faster, for `restore` in the same world, as rollback does it.
   * Good as long as no shape that is in it is removed and no other snapshot but local ones is restored; the bytes must not be changed.
   * Default false.
   */
  local?: boolean;
}

/** Poses of all bodies as they lie on the GPU: `World.gpuPoses`. Good until the next step; ask again then. */
export interface GpuPoses {
  /** The device that the buffer belongs to. */
  device: WebGpuDevice;
  /** 32 bytes a body slot: position of the origin (world, m) and 1, then the rotation as a quaternion x y z w. STORAGE and COPY_SRC. */
  buffer: WebGpuBuffer;
  /** Slots that are in the buffer, from the first on; free ones hold anything. */
  count: number;
  /** The step after which these poses are: `stepCount` once it is finished, one more while the GPU works on it. */
  step: number;
  /** The first step of those up to `step` that were all left to the GPU: a copy of an earlier one's poses is void if it is greater. */
  since: number;
}

/** What went wrong inside of steps since the world was made. Nothing of it stops the world. */
export interface Faults extends GpuFaults {
  /** A body left the finite numbers (forces or sizes beyond single precision) and was stopped where it was, in the same step. */
  notFinite: boolean;
  /** How many times that happened, a body counting in every step that stopped it. */
  stopped: number;
  /** The last body that was stopped so, or null. */
  lastStopped: BodyId | null;
  /** The bodies that were stopped in the last step that stopped any, each with the cause. Another list with the next such step. */
  stops: readonly StoppedBody[];
  /** How many times a body was slowed down to `maxLinearSpeed` or `maxAngularSpeed`, in all steps. */
  speedLimited: number;
}

function refuseTime(call: string, dt: unknown): never {
  throw new TalusError(
    'invalid-argument',
    `${call} takes no time (got ${show(dt)}): steps are as long as the setting dt says, world.set({ dt: 1 / 120 })`,
  );
}

function refuseLocal(): never {
  throw new TalusError(
    'unsupported',
    'the snapshot is a local one and this world does not have its shapes any more: take one without { local: true } for that',
  );
}

/** Parts of the time of the solver on WebGPU: fields of Profile. */
const GPU_PARTS = ['partition', 'pack', 'upload', 'encode', 'readback', 'apply'] as const;

/**
 * A world of rigid bodies. Made by `createWorld`. Nothing has to be freed: a world that is dropped is collected whole.
 * Calls are refused with a `TalusError` and then change nothing.
 */
export class World<T extends EditionTypes = Product> {
  /** Milliseconds of the stages of the last step. */
  readonly profile = new Profile();
  /** Contact events of the last step. */
  readonly events: ContactEvents;
  readonly faults: Faults = {
    notFinite: false,
    stopped: 0,
    lastStopped: null,
    stops: [],
    speedLimited: 0,
    deviceLost: null,
    gpuFailures: 0,
    gpuError: null,
  };

  /** @internal */
  protected readonly core: CoreExports;
  /** @internal */
  protected readonly memory: LinearMemory;
  private readonly edition: Edition<T>;
  private readonly registry: Registry;
  private readonly queries: Queries;
  private readonly positionView: ArrayView;
  private readonly rotationView: ArrayView;
  private readonly velocityView: ArrayView;
  private readonly tagView: ArrayView<Uint32Array>;
  /** Mass properties at unit density by shape slot; null for surfaces. */
  private readonly shapeMasses: (MassProperties | null)[] = [];
  /** By shape slot: a number that no other shape has had, 0 for free slots. */
  private readonly geometry: number[] = [];
  /** Bodies whose mass does not follow from their colliders alone, by slot. */
  private readonly massOverrides = new Map<number, MassOverride>();
  /** What callers keep with bodies, by slot. */
  private readonly userData = new Map<number, unknown>();
  /** Kinematic targets of the next step: id, position, rotation of each. */
  private readonly targets: number[] = [];
  /** Numbers at the start of `targets` that belong to the step that was begun; later ones came while it was in flight. */
  private begunTargets = 0;
  private readonly backend: Backend;
  private readonly clock = new Clock();
  private readonly steps: Steps;
  private readonly poses: PoseReader;
  /** The caller's own copy of the core. */
  private readonly wasm: WasmSource | undefined;
  /** The GPU solver that has a step in flight. */
  private flying: StepSolver | null = null;
  /** The solver whose pose buffer holds the last step that was begun, the bodies in it, and the number of that step. */
  private posed: { solver: StepSolver; count: number; step: number; since: number } | null = null;
  /** Calls that wait for the step in flight. */
  private readonly deferred: (() => void)[] = [];
  /** End of the last `stepAsync`. */
  private running: Promise<void> = Promise.resolve();
  private asked: T['asked'];
  private resolved: T['settings'];
  private closed = false;
  private readonly listeners = new Listeners();

  /** @internal */
  constructor(core: CoreExports, memory: LinearMemory, options: T['asked'] & OpenOptions, edition: Edition<T>) {
    takeSeat(memory.tenant);
    this.edition = edition;
    this.core = core;
    this.memory = memory;
    this.registry = new Registry(memory);
    this.queries = new Queries(core, memory, this.registry);
    this.events = new ContactEvents(memory, core, this.registry);
    this.positionView = new ArrayView(memory, Header.positions, Header.bodyCount, 4);
    this.rotationView = new ArrayView(memory, Header.rotations, Header.bodyCount, 4);
    this.velocityView = new ArrayView(memory, Header.bodyRows, Header.bodyCount, BodyRow.STRIDE / 4);
    this.steps = this.stepper();
    this.poses = new PoseReader(core, memory, (result) => this.checkMemory(result));
    this.tagView = new ArrayView(memory, Header.tags, Header.bodyCount, 1, Uint32Array);
    const { backend = 'wasm', bodyCapacity, device, wasm, ...settings } = options;
    this.wasm = wasm;
    if (backend !== 'wasm') memory.tenant.stays = true;
    this.backend = new Backend(backend, device, memory, core, edition.openSolver, this.faults);
    this.asked = ownSettings<T['asked']>(settings);
    this.resolved = edition.resolve(this.asked, backend === 'webgpu');
    this.applySettings();
    if (bodyCapacity !== undefined) this.reserve(bodyCapacity, bodyCapacity);
  }

  /** @internal */
  async open(): Promise<void> {
    await this.backend.open(this.family);
  }

  // ---------------------------------------------------------------------------------------------------- settings

  /** All settings in force; `solver` as it was asked for, `activeSolver` says what it comes to. */
  get settings(): Readonly<T['settings']> {
    this.alive();
    return this.resolved;
  }

  /**
   * Changes settings from the next step on. What was set by name stays set; a preset fills in the rest.
   * @throws TalusError `invalid-argument`
   */
  set(settings: T['asked']): void {
    this.alive();
    this.edition.checkSettings(settings);
    const asked: T['asked'] = { ...this.asked, ...ownSettings(settings) };
    this.edition.checkBackend(this.backend.asked, asked);
    if (this.jointCount > 0) this.checkTakesJoints(this.edition.resolve(asked, false));
    // A new preset is meant to be seen: it replaces effort that was asked for before it.
    if (settings.preset !== undefined) {
      for (const key of ['substeps', 'sweeps', 'contactHertzRatio'] as const) if (settings[key] === undefined) delete asked[key];
    }
    this.asked = asked;
    this.resolved = this.edition.resolve(asked, this.memory.headerU32(Header.solver) === SOLVER_EXTERNAL);
    this.afterFlight(() => this.applySettings());
  }

  private applySettings(): void {
    this.edition.write(this.memory, this.resolved);
  }

  /** Makes the settings fit the backend that solves the next step. */
  private useBackend(onGpu: boolean): void {
    const solver = onGpu ? SOLVER_EXTERNAL : this.edition.codeOf(this.resolved);
    if (this.memory.headerU32(Header.solver) === solver) return;
    this.core.setSolver(solver);
    this.resolved = this.edition.resolve(this.asked, onGpu);
    this.applySettings();
  }

  /** What the settings run on WebGPU. */
  private get family(): string {
    return this.edition.familyOf(this.resolved);
  }

  /** The GPU solver of the next step, or null if WASM solves it. */
  private chooseGpu(): StepSolver | null {
    return this.barred ? null : this.backend.choose(this.profile.contactCount, this.family);
  }

  /** Why WebGPU may not solve the next step; '' if it may. */
  private get barred(): string {
    if (this.memory.headerU32(Header.jointAlive) === 0) return '';
    return JOINT_SOLVERS.webgpu.includes(this.edition.activeOf(this.resolved, true)) ? '' : 'WebGPU does not solve joints';
  }

  /** Throws 'unsupported' if settings stand for a solver, on WASM, that takes no joints. */
  private checkTakesJoints(settings: T['settings']): void {
    checkTakesJoints(this.edition.activeOf(settings, false));
  }

  /** Now, or after the step in flight, which would overwrite what the call does. */
  private afterFlight(call: () => void): void {
    if (this.flying) this.deferred.push(call);
    else call();
  }

  // ------------------------------------------------------------------------------------------------------ shapes

  /**
   * Makes a shape, to be shared by any number of colliders.
   * @throws TalusError `invalid-argument`, `degenerate-shape`, `out-of-memory`
   */
  createShape(desc: ShapeDesc): ShapeId {
    this.alive();
    const shape = cookShape(desc);
    this.roomFor(Header.shapeCount, 1, 'shapes');
    this.checkMemory(this.core.reserveShapes(this.memory.headerU32(Header.shapeCount) + 1));
    let address = 0;
    const bytes = shape.blob?.byteLength ?? 0;
    if (shape.blob) {
      address = this.core.allocate(bytes) >>> 0;
      this.checkMemory(address);
      this.memory.write(address, shape.blob);
    }
    const [a, b] = [shape.min, shape.max];
    const [p0, p1, p2] = shape.p;
    const extent = shapeExtent(shape);
    const index = this.core.createShape(shape.type, p0, p1, p2, extent, address, bytes, a[0]!, a[1]!, a[2]!, b[0]!, b[1]!, b[2]!);
    this.shapeMasses[index] = shape.mass;
    this.geometry[index] = newGeometry();
    return this.registry.shapeIdAt(index);
  }

  /**
   * Frees a shape.
   * @throws TalusError `stale-handle`; `in-use` while a collider has it
   */
  removeShape(id: ShapeId): void {
    this.alive();
    const index = this.registry.shape(id);
    const users = this.registry.shapeUsers(index);
    if (users > 0) throw new TalusError('in-use', `shape ${id} is used by ${users} colliders: remove them first`);
    this.core.removeShape(index);
    this.shapeMasses[index] = null;
    this.geometry[index] = 0;
  }

  // ------------------------------------------------------------------------------------------------------ bodies

  /**
   * Makes a body with its colliders.
   * @throws TalusError `invalid-argument`, `stale-handle` (a shape), `unsupported`, `out-of-memory`
   */
  createBody(desc: BodyDesc): BodyId {
    this.alive();
    const body = checkBodyDesc(desc, this.registry, this.shapeMasses);
    this.reserve(1, body.colliders.length);
    this.roomForHits(
      body.colliders.length,
      body.colliders.map((collider) => collider.events),
    );
    const p = body.position;
    const q = body.rotation;
    const index = this.core.createBody(body.type, p[0]!, p[1]!, p[2]!, q[0]!, q[1]!, q[2]!, q[3]!);
    this.shield(index);
    if (body.mass) this.writeMass(index, body.mass);
    const v = body.linearVelocity;
    const w = body.angularVelocity;
    if (body.type !== BODY_STATIC) this.core.setVelocity(index, v[0]!, v[1]!, v[2]!, w[0]!, w[1]!, w[2]!);
    this.core.setMotion(index, body.gravityScale, body.linearDamping, body.angularDamping);
    if (body.bullet) this.core.setBullet(index, true);
    for (const collider of body.colliders) this.attach(index, collider);
    if (body.override !== undefined) this.massOverrides.set(index, body.override);
    if (desc.userData !== undefined) this.userData.set(index, desc.userData);
    applyTraits(this.core, this.memory, index, body.traits);
    return this.registry.bodyIdAt(index);
  }

  /**
   * Makes many bodies of one shape each from arrays; far cheaper a body than `createBody`.
   * @throws TalusError `invalid-argument`, `stale-handle` (a shape), `unsupported`, `out-of-memory`; then no body is made
   */
  createBodies(desc: BodiesDesc): BodyId[] {
    this.alive();
    const bodies = checkBodiesDesc(desc, this.registry, this.shapeMasses);
    this.reserve(bodies.count, bodies.count);
    this.roomForHits(bodies.count, [bodies.events]);
    const { positions: p, rotations: q, linearVelocities: v, angularVelocities: w, material } = bodies;
    // Filled first, so that it holds numbers as objects: read from an array of doubles each use of an id would allocate one.
    const ids: BodyId[] = new Array(bodies.count).fill(null);
    const plainMotion = bodies.gravityScale === 1 && bodies.linearDamping === 0 && bodies.angularDamping === 0;
    for (let i = 0; i < bodies.count; i++) {
      const type = pick(bodies.types, i);
      const shape = pick(bodies.shapes, i);
      const density = pick(bodies.densities, i);
      const a = 3 * i;
      const b = 4 * i;
      const index = q
        ? this.core.createBody(type, p[a]!, p[a + 1]!, p[a + 2]!, q[b]!, q[b + 1]!, q[b + 2]!, q[b + 3]!)
        : this.core.createBody(type, p[a]!, p[a + 1]!, p[a + 2]!, 0, 0, 0, 1);
      this.shield(index);
      if (type === BODY_DYNAMIC) this.writeMass(index, this.shapeMasses[shape]!, density);
      if (type !== BODY_STATIC && (v || w)) {
        this.core.setVelocity(
          index,
          v?.[a] ?? 0,
          v?.[a + 1] ?? 0,
          v?.[a + 2] ?? 0,
          w?.[a] ?? 0,
          w?.[a + 1] ?? 0,
          w?.[a + 2] ?? 0,
        );
      }
      if (!plainMotion) this.core.setMotion(index, bodies.gravityScale, bodies.linearDamping, bodies.angularDamping);
      if (bodies.bullet) this.core.setBullet(index, true);
      const collider = this.core.createCollider(
        index,
        shape,
        0,
        0,
        0,
        0,
        0,
        0,
        1,
        pick(bodies.frictions, i),
        pick(bodies.restitutions, i),
        pick(bodies.rollingResistances, i),
        material.combine,
        material.category,
        material.mask,
        0,
        density,
      );
      if (bodies.events.flags !== 0) this.ask(collider, bodies.events);
      if (material.group !== 0 || material.spinningFriction !== 0)
        this.core.setPassage(this.registry.collidersOf(index)[0]!, 0, 0, 0, material.group, material.spinningFriction);
      applyTraits(this.core, this.memory, index, bodies.traits);
      if (bodies.tags) writeTag(this.memory, index, bodies.tags[i]! >>> 0);
      ids[i] = this.registry.bodyIdAt(index);
    }
    return ids;
  }

  /**
   * Removes a body with its colliders and joints; what they touched gets an end event with the next step.
   * @throws TalusError `stale-handle`
   */
  removeBody(id: BodyId): void {
    this.alive();
    const index = this.registry.body(id);
    const known = new Map<number, { body: BodyId; collider: ColliderId }>();
    for (const collider of this.registry.collidersOf(index)) {
      known.set(collider, { body: id, collider: this.registry.colliderIdAt(collider) });
    }
    if (this.flying) this.events.capture();
    this.core.removeBody(index);
    this.massOverrides.delete(index);
    this.userData.delete(index);
    this.events.capture(known);
  }

  /** Whether an id is that of a body that exists. */
  isAlive(id: BodyId): boolean {
    if (this.closed) return false;
    takeSeat(this.memory.tenant);
    return this.registry.hasBody(id);
  }

  /** Bodies that exist. */
  get bodyCount(): number {
    this.alive();
    return this.memory.headerU32(Header.bodyAlive);
  }

  /** Slots of the views, free ones included; each body has the slot `indexOf(id)`. */
  get slotCount(): number {
    this.alive();
    return this.memory.headerU32(Header.bodyCount);
  }

  /**
   * Slot of a body in `positions`, `rotations` and `velocities`. It never changes while the body lives.
   * @throws TalusError `stale-handle`
   */
  indexOf(id: BodyId): number {
    this.alive();
    return this.registry.body(id);
  }

  /** The body in a slot, or null. */
  bodyAt(index: number): BodyId | null {
    this.alive();
    checkInteger(index, 'index', 0, MAX_SLOTS);
    if (index >= this.slotCount || !this.registry.bodyAlive(index)) return null;
    return this.registry.bodyIdAt(index);
  }

  // ------------------------------------------------------------------------------------------------------- views

  /**
   * Origins of all bodies: 4 floats a slot, x y z (world, m) and 1; four zeros in a free slot. A view of live memory: read
   * it anew after creating bodies, since memory may have moved; read only.
   */
  get positions(): Float32Array {
    this.alive();
    return this.positionView.current;
  }

  /** Rotations of all bodies: 4 floats a slot, unit quaternion x y z w. As `positions`. */
  get rotations(): Float32Array {
    this.alive();
    return this.rotationView.current;
  }

  /**
   * Velocities of all bodies: 16 floats a slot. 0-2 linear velocity of the center of mass
   * (world, m/s), 3 inverse mass (1/kg), 4-6 angular velocity (world, rad/s). As `positions`.
   */
  get velocities(): Float32Array {
    this.alive();
    return this.velocityView.current;
  }

  /** Tags of all bodies, 32 bits a slot; 0 in a slot that was never used. As `positions`, and the caller may write them. */
  get tags(): Uint32Array {
    this.alive();
    return this.tagView.current;
  }

  /** Whether a body sleeps (setting `sleep`): at rest with everything it touches, left out until something wakes it. */
  isAsleep(id: BodyId): boolean {
    this.alive();
    return this.core.isAsleep(this.registry.body(id)) !== 0;
  }

  /** Bodies that sleep. */
  get sleepingCount(): number {
    this.alive();
    return this.memory.headerU32(Header.sleepingCount);
  }

  /** Wakes a body and its island. Contacts, forces and changes do that by themselves. */
  wake(id: BodyId): void {
    this.alive();
    const index = this.registry.body(id);
    this.onBody(id, () => this.core.wakeBody(index));
  }

  /** Writes the origin of a body (world, m) to `out`: an array, or an object with x, y, z such as a vector of three.js. */
  getPosition<T extends Vec3Sink>(id: BodyId, out: T): T {
    return writeComponents(this.positions, 4 * this.registry.body(id), 3, out);
  }

  /** Writes the rotation of a body (unit quaternion x y z w) to `out`: an array, or an object with x, y, z, w. */
  getRotation<T extends QuatSink>(id: BodyId, out: T): T {
    return writeComponents(this.rotations, 4 * this.registry.body(id), 4, out);
  }

  /**
   * Writes where a body is drawn to `position` (origin; world, m) and `rotation` (unit quaternion x y z w): between the last two
   * steps, at `alpha` from 0 to 1, default what the last `advance` came to. A body that is new or was teleported since is where it
   * is. Either may be null. Keeps the poses before steps from the first such call or `advance` on.
   * @throws TalusError `stale-handle`, `invalid-argument`
   */
  getPose(id: BodyId, position: Vec3Sink | null, rotation: QuatSink | null = null, alpha = this.clock.frame.alpha): void {
    this.alive();
    this.poses.pose(this.registry.body(id), position, rotation, alpha);
  }

  /**
   * Poses of many bodies between the last two steps, as `getPose`, into arrays of the caller: four floats a body each, as in
   * `positions` and `rotations`. Returns how many.
   * @throws TalusError `invalid-argument` for arrays that are too short, `out-of-memory`
   */
  readPoses(positions: Float32Array, rotations: Float32Array, options: PoseOptions = {}): number {
    this.alive();
    return this.poses.poses(positions, rotations, options, this.clock.frame.alpha);
  }

  /**
   * The same as 4x4 matrices, 16 floats a body in columns: what `instanceMatrix.array` of a `THREE.InstancedMesh` holds. Returns how
   * many.
   * @throws TalusError `invalid-argument` for arrays that are too short, `out-of-memory`
   */
  readMatrices(out: Float32Array, options: MatrixOptions = {}): number {
    this.alive();
    return this.poses.matrices(out, options, this.clock.frame.alpha);
  }

  /** Writes the velocity of the center of mass of a body (world, m/s) to `out`. */
  getLinearVelocity<T extends Vec3Sink>(id: BodyId, out: T): T {
    return writeComponents(this.velocities, (BodyRow.STRIDE / 4) * this.registry.body(id), 3, out);
  }

  /** Writes the angular velocity of a body (world, rad/s) to `out`. */
  getAngularVelocity<T extends Vec3Sink>(id: BodyId, out: T): T {
    return writeComponents(this.velocities, (BodyRow.STRIDE / 4) * this.registry.body(id) + BodyRow.wx / 4, 3, out);
  }

  /** kg; 0 for bodies that are not dynamic. */
  getMass(id: BodyId): number {
    this.alive();
    return this.memory.f32[this.registry.coldWord(this.registry.body(id), BodyCold.mass)]!;
  }

  /** Writes the center of mass of a body (body frame, m) to `out`. */
  getCenterOfMass<T extends Vec3Sink>(id: BodyId, out: T): T {
    this.alive();
    return writeComponents(this.memory.f32, this.registry.coldWord(this.registry.body(id), BodyCold.comX), 3, out);
  }

  getType(id: BodyId): BodyType {
    this.alive();
    return BODY_TYPES[this.registry.bodyType(this.registry.body(id))]!;
  }

  // ------------------------------------------------------------------------------------------------------ motion

  /**
   * Puts a body somewhere else at once: origin (world, m), rotation (kept if left out). Velocities stay; contacts are found
   * anew. To push things out of the way use `moveKinematic`.
   */
  teleport(id: BodyId, position: Vec3, rotation?: Quat): void {
    this.alive();
    const index = this.registry.body(id);
    const p = checkPosition(position, 'position');
    const q = rotation === undefined ? this.rotations.subarray(4 * index, 4 * index + 4) : checkQuat(rotation, 'rotation');
    const [x, y, z] = [p[0]!, p[1]!, p[2]!];
    const [qx, qy, qz, qw] = [q[0]!, q[1]!, q[2]!, q[3]!];
    this.onBody(id, () => this.core.setPose(index, x, y, z, qx, qy, qz, qw));
  }

  /** Velocity of the center of mass (world, m/s) and angular velocity (world, rad/s; kept if left out) of a moving body. */
  setVelocity(id: BodyId, linear: Vec3, angular?: Vec3): void {
    this.alive();
    const index = this.moving(id);
    const v = checkVec3(linear, 'linear', SPEED_LIMIT);
    const w = angular === undefined ? undefined : checkVec3(angular, 'angular', SPEED_LIMIT);
    const row = (BodyRow.STRIDE / 4) * index + BodyRow.wx / 4;
    const old = this.velocities;
    const [x, y, z] = [v[0]!, v[1]!, v[2]!];
    const [wx, wy, wz] = [w?.[0] ?? old[row]!, w?.[1] ?? old[row + 1]!, w?.[2] ?? old[row + 2]!];
    this.onBody(id, () => this.core.setVelocity(index, x, y, z, wx, wy, wz));
  }

  /** Velocity of the center of mass of a moving body (world, m/s), at once. */
  setLinearVelocity(id: BodyId, linear: Vec3): void {
    this.setVelocity(id, linear);
  }

  /** Angular velocity of a moving body (world, rad/s), at once. */
  setAngularVelocity(id: BodyId, angular: Vec3): void {
    this.setVelocity(id, this.getLinearVelocity(id, [0, 0, 0]), angular);
  }

  /** Everything that a body was made with, as it is now. */
  getBody(id: BodyId): BodyState {
    this.alive();
    const index = this.registry.body(id);
    return readBody(this.memory, this.registry, index, this.userData.get(index));
  }

  /** Mass (kg), center of mass (body frame, m) and inertia about it (kg m2, body axes); zero unless dynamic. */
  getMassProperties(id: BodyId): Required<MassDesc> {
    this.alive();
    return readMass(this.memory, this.registry, this.registry.body(id));
  }

  getGravityScale(id: BodyId): number {
    return this.coldNumber(id, BodyCold.gravityScale);
  }

  /** Damping of the linear velocity, 1/s. */
  getLinearDamping(id: BodyId): number {
    return this.coldNumber(id, BodyCold.linearDamping);
  }

  /** Damping of the angular velocity, 1/s. */
  getAngularDamping(id: BodyId): number {
    return this.coldNumber(id, BodyCold.angularDamping);
  }

  private coldNumber(id: BodyId, offset: number): number {
    this.alive();
    return this.memory.f32[this.registry.coldWord(this.registry.body(id), offset)]!;
  }

  /** Limits of the speeds of a body, m/s and rad/s, beside those of the world; infinity where it has none. */
  getSpeedLimits(id: BodyId): SpeedLimits {
    this.alive();
    const { maxLinearSpeed: linear, maxAngularSpeed: angular } = readTraits(this.memory, this.registry, this.registry.body(id));
    return { linear, angular };
  }

  /** Limits the speeds of a body from the next step on (m/s, rad/s, 0 to infinity), where it is dynamic; what is left out stays. */
  setSpeedLimits(id: BodyId, limits: Partial<SpeedLimits>): void {
    this.alive();
    const index = this.registry.body(id);
    checkKeys(limits, 'limits', ['linear', 'angular']);
    const { linear, angular } = { ...this.getSpeedLimits(id), ...limits };
    checkLimit(linear, 'limits.linear');
    checkLimit(angular, 'limits.angular');
    this.core.limitBody(index, linear, angular);
  }

  isEnabled(id: BodyId): boolean {
    this.alive();
    return readTraits(this.memory, this.registry, this.registry.body(id)).enabled;
  }

  /**
   * Takes a body out of everything (collisions, queries, joints, motion), or back in. Its contacts end with their events, what
   * rested on it wakes, it comes to rest; it keeps its pose, mass and joints. Enabling finds contacts anew.
   */
  setEnabled(id: BodyId, enabled: boolean): void {
    this.alive();
    const index = this.registry.body(id);
    checkBoolean(enabled, 'enabled');
    this.onBody(id, () => this.core.enableBody(index, enabled ? 1 : 0));
  }

  getLocks(id: BodyId): Required<Locks> {
    this.alive();
    return readTraits(this.memory, this.registry, this.registry.body(id)).locks;
  }

  /**
   * Locks axes of the world from now on, while the body is dynamic: its center of mass does not move along those of `translation`,
   * it does not turn about those of `rotation`; what is left out stays. A body with locked rotations that are not all keeps its
   * angular velocity, not its angular momentum, while nothing acts on it.
   */
  setLocks(id: BodyId, locks: Locks): void {
    this.alive();
    const index = this.registry.body(id);
    const bits = lockBits(locks, 'locks', readLocks(this.memory, this.registry, index));
    this.onBody(id, () => this.core.setLocks(index, bits));
  }

  getAllowSleep(id: BodyId): boolean {
    this.alive();
    return readTraits(this.memory, this.registry, this.registry.body(id)).allowSleep;
  }

  /** Whether a body may fall asleep, and its island with it. */
  setAllowSleep(id: BodyId, allowed: boolean): void {
    this.alive();
    const index = this.registry.body(id);
    checkBoolean(allowed, 'allowed');
    this.onBody(id, () => this.core.allowSleep(index, allowed ? 1 : 0));
  }

  /**
   * Puts a dynamic body to sleep where it is, with all that touches it or is jointed to it, until something wakes it.
   * @throws TalusError `unsupported` if it is not dynamic or not enabled, or where the setting `sleep` is off; `out-of-memory`
   */
  sleep(id: BodyId): void {
    this.alive();
    const index = this.dynamic(id);
    if (!this.resolved.sleep || !this.isEnabled(id)) {
      throw new TalusError('unsupported', `body ${id} cannot sleep: the setting sleep is off, or it is not enabled`);
    }
    this.onBody(id, () => this.checkMemory(this.core.sleepBody(index)));
  }

  /** What the caller keeps with a body: any value. */
  getUserData(id: BodyId): unknown {
    this.alive();
    return this.userData.get(this.registry.body(id));
  }

  /** Keeps any value with a body as long as it lives; undefined forgets it. A clone of the world has the same values. */
  setUserData(id: BodyId, value: unknown): void {
    this.alive();
    const index = this.registry.body(id);
    if (value === undefined) this.userData.delete(index);
    else this.userData.set(index, value);
  }

  /** The 32 bits of the caller's own that lie with a body in the core, as in `tags`. */
  getTag(id: BodyId): number {
    this.alive();
    return this.tags[this.registry.body(id)]!;
  }

  setTag(id: BodyId, tag: number): void {
    this.alive();
    writeTag(this.memory, this.registry.body(id), checkBits(tag, 'tag'));
  }

  /** Adds a force (world, N) to the next step, at the center of mass or at a world point (m). */
  addForce(id: BodyId, force: Vec3, point?: Vec3): void {
    this.alive();
    const index = this.dynamic(id);
    const f = checkVec3(force, 'force');
    if (point === undefined) this.core.addForce(index, f[0]!, f[1]!, f[2]!, 0, 0, 0);
    else {
      const p = checkPosition(point, 'point');
      this.core.addForceAt(index, f[0]!, f[1]!, f[2]!, p[0]!, p[1]!, p[2]!);
    }
  }

  /** Adds a torque (world, N m) to the next step. */
  addTorque(id: BodyId, torque: Vec3): void {
    this.alive();
    const index = this.dynamic(id);
    const t = checkVec3(torque, 'torque');
    this.core.addForce(index, 0, 0, 0, t[0]!, t[1]!, t[2]!);
  }

  /** Changes the velocity at once by an impulse (world, N s), at the center of mass or at a world point (m). */
  applyImpulse(id: BodyId, impulse: Vec3, point?: Vec3): void {
    this.alive();
    const index = this.dynamic(id);
    const j = checkVec3(impulse, 'impulse');
    const [x, y, z] = [j[0]!, j[1]!, j[2]!];
    if (point === undefined) this.onBody(id, () => this.core.applyImpulse(index, x, y, z, 0, 0, 0));
    else {
      const p = checkPosition(point, 'point');
      const [px, py, pz] = [p[0]!, p[1]!, p[2]!];
      this.onBody(id, () => this.core.applyImpulseAt(index, x, y, z, px, py, pz));
    }
  }

  /** Changes the angular velocity at once by an angular impulse (world, N m s). */
  applyAngularImpulse(id: BodyId, impulse: Vec3): void {
    this.alive();
    const index = this.dynamic(id);
    const l = checkVec3(impulse, 'impulse');
    const [x, y, z] = [l[0]!, l[1]!, l[2]!];
    this.onBody(id, () => this.core.applyImpulse(index, 0, 0, 0, x, y, z));
  }

  /**
   * Target of a kinematic body: its origin (world, m) and rotation at the end of the next step. It moves there with constant
   * velocity, carrying and pushing what it touches, and stops there unless it gets another target.
   */
  moveKinematic(id: BodyId, position: Vec3, rotation?: Quat): void {
    this.alive();
    const index = this.registry.body(id);
    if (this.registry.bodyType(index) !== BODY_KINEMATIC) {
      throw new TalusError('unsupported', `body ${id} is ${this.getType(id)}: only kinematic bodies have targets`);
    }
    const p = checkPosition(position, 'position');
    const given = rotation === undefined ? this.rotations.subarray(4 * index, 4 * index + 4) : checkQuat(rotation, 'rotation');
    const k = 1 / Math.hypot(given[0]!, given[1]!, given[2]!, given[3]!);
    this.targets.push(id, p[0]!, p[1]!, p[2]!, given[0]! * k, given[1]! * k, given[2]! * k, given[3]! * k);
  }

  /** Factor on gravity, from the next step on. */
  setGravityScale(id: BodyId, scale: number): void {
    this.alive();
    const index = this.registry.body(id);
    checkGravityScale(scale, 'scale');
    const f32 = this.memory.f32;
    const linear = f32[this.registry.coldWord(index, BodyCold.linearDamping)]!;
    const angular = f32[this.registry.coldWord(index, BodyCold.angularDamping)]!;
    this.core.setMotion(index, scale, linear, angular);
  }

  /**
   * Damping of the linear and the angular velocity, 1/s: they fall by the factor 1 / (1 + damping dt) a step. Sleepers stay
   * asleep.
   */
  setDamping(id: BodyId, linear: number, angular: number): void {
    this.alive();
    const index = this.registry.body(id);
    checkDamping(linear, 'linear');
    checkDamping(angular, 'angular');
    this.core.setMotion(index, this.memory.f32[this.registry.coldWord(index, BodyCold.gravityScale)]!, linear, angular);
  }

  /**
   * Whether a dynamic body passes through nothing that moves, however slender or slow it is. Without it that holds for bodies that
   * move farther than their size in a step. From the next step on; wakes nothing.
   * @throws TalusError `stale-handle`, `invalid-argument`
   */
  setBullet(id: BodyId, bullet: boolean): void {
    this.alive();
    const index = this.registry.body(id);
    this.core.setBullet(index, checkBoolean(bullet, 'bullet'));
  }

  /** Whether a body is a bullet (`setBullet`, `BodyDesc.bullet`). */
  isBullet(id: BodyId): boolean {
    this.alive();
    return this.registry.isBullet(this.registry.body(id));
  }

  /**
   * Changes the type of a body. A dynamic one gets the mass of its colliders, or what `setMass` said.
   * @throws TalusError `invalid-argument` if it would be dynamic without mass, `unsupported` for surfaces that would move
   */
  setType(id: BodyId, type: BodyType): void {
    this.alive();
    const index = this.registry.body(id);
    const code = checkWord(type, 'type', BODY_TYPES);
    const colliders = this.readColliders(index);
    for (const collider of colliders) checkCarries(code, collider.shape, this.shapeMasses);
    const override = this.massOverrides.get(index);
    const mass = code === BODY_DYNAMIC ? resolveMass(massOf(colliders, this.shapeMasses), override) : null;
    this.onBody(id, () => {
      this.core.setBodyType(index, code);
      if (mass) this.writeMass(index, mass);
    });
  }

  /**
   * Replaces the mass of a body: kg, or everything; undefined goes back to what its colliders give. One that is not dynamic has
   * it from when it becomes dynamic.
   */
  setMass(id: BodyId, mass: number | MassDesc | undefined): void {
    this.alive();
    const index = this.registry.body(id);
    const override = checkMassOverride(mass, 'mass');
    const own = massOf(this.readColliders(index), this.shapeMasses);
    const total = this.registry.isDynamic(index) ? resolveMass(own, override) : null;
    if (override === undefined) this.massOverrides.delete(index);
    else this.massOverrides.set(index, override);
    if (total) this.onBody(id, () => this.writeMass(index, total));
  }

  // --------------------------------------------------------------------------------------------------- colliders

  /**
   * Adds a shape to a body; the mass of a dynamic body follows.
   * @throws TalusError `invalid-argument`, `stale-handle`, `unsupported`, `out-of-memory`
   */
  addCollider(body: BodyId, desc: ColliderDesc): ColliderId {
    this.alive();
    const index = this.registry.body(body);
    const collider = checkColliderDesc(desc, this.registry, this.shapeMasses);
    checkCarries(this.registry.bodyType(index), collider.shape, this.shapeMasses);
    const mass = this.massWith(index, [...this.readColliders(index), collider]);
    this.reserve(0, 1);
    this.roomForHits(1, [collider.events]);
    const id = this.registry.colliderIdAt(this.attach(index, collider));
    if (mass) this.onBody(body, () => this.writeMass(index, mass));
    return id;
  }

  /**
   * Removes a shape from its body; the mass of a dynamic body follows.
   * @throws TalusError `stale-handle`; `invalid-argument` if a dynamic body would be left without mass
   */
  removeCollider(id: ColliderId): void {
    this.alive();
    const collider = this.registry.collider(id);
    const index = this.registry.ownerOf(collider);
    const rest = this.registry.collidersOf(index).filter((other) => other !== collider);
    const mass = this.massWith(
      index,
      rest.map((other) => this.readCollider(other)),
    );
    const body = this.registry.bodyIdAt(index);
    if (this.flying) this.events.capture();
    this.core.removeCollider(collider);
    this.events.capture(new Map([[collider, { body, collider: id }]]));
    if (mass) this.onBody(body, () => this.writeMass(index, mass));
  }

  /** Colliders of a body, the latest first. */
  collidersOf(body: BodyId): ColliderId[] {
    this.alive();
    return this.registry.collidersOf(this.registry.body(body)).map((collider) => this.registry.colliderIdAt(collider));
  }

  /** The body of a collider. */
  bodyOf(collider: ColliderId): BodyId {
    this.alive();
    return this.registry.bodyIdAt(this.registry.ownerOf(this.registry.collider(collider)));
  }

  /**
   * Changes surface or filter of a collider, from the next step on, contacts at rest included; what is left out stays. Another
   * friction, rolling resistance or filter wakes what it touches; another restitution is felt at the next impact.
   */
  setMaterial(id: ColliderId, material: MaterialDesc): void {
    this.alive();
    const collider = this.registry.collider(id);
    checkMaterialKeys(material);
    const before = this.readCollider(collider);
    const after = { ...before, ...checkMaterial(material, 'material', before) };
    this.writeMaterial(collider, after);
    writeSurface(this.core, collider, after, before);
  }

  private writeMaterial(collider: number, m: CheckedMaterial): void {
    this.core.setCollider(collider, m.friction, m.restitution, m.rollingResistance, m.combine, m.category, m.mask);
  }

  /**
   * Which events a collider sends beside begin and end; what is left out stays. Wakes nothing.
   * @throws TalusError `invalid-argument`, `stale-handle`, `out-of-memory`
   */
  setColliderEvents(id: ColliderId, events: ColliderEvents): void {
    const before = this.getColliderEvents(id);
    checkEventKeys(events);
    const asked = checkColliderEvents(events, 'events', before);
    this.roomForHits(0, [asked]);
    this.ask(this.registry.collider(id), asked);
  }

  /** What a collider asks for. */
  getColliderEvents(id: ColliderId): Required<ColliderEvents> {
    this.alive();
    return readColliderEvents(this.memory, this.registry, this.registry.collider(id));
  }

  // ---------------------------------------------------------------------------------------------------- callbacks

  /**
   * Calls `listener` with each event of a kind once the step is done: at the end of `step` on WASM, where a result of WebGPU is
   * taken over (in `step` before the next one is begun, in `stepAsync`). It may call anything but `step`: bodies it makes or
   * removes are there or gone at once, as after any step. Whatever listeners throw is thrown by that call when all have been called;
   * the world goes on. Returns what ends it.
   * @throws TalusError `invalid-argument`
   */
  on<K extends EventKind>(kind: K, listener: EventListener<K>): () => void {
    return this.listen(kind, listener, false);
  }

  /** As `on`, for the next event alone. */
  once<K extends EventKind>(kind: K, listener: EventListener<K>): () => void {
    return this.listen(kind, listener, true);
  }

  /** Ends all that `on` and `once` began with this listener. */
  off<K extends EventKind>(kind: K, listener: EventListener<K>): void {
    this.alive();
    this.listeners.remove(kind, listener);
    this.askForSleep();
  }

  private listen<K extends EventKind>(kind: K, listener: EventListener<K>, isOnce: boolean): () => void {
    this.alive();
    const end = this.listeners.add(kind, listener, isOnce);
    this.askForSleep();
    return () => {
      end();
      this.askForSleep();
    };
  }

  private askForSleep(): void {
    if (this.closed) return;
    takeSeat(this.memory.tenant);
    askForSleep(this.memory, 2, this.listeners.has('sleep') || this.listeners.has('wake'));
  }

  private callListeners(): void {
    if (this.listeners.isEmpty) return;
    try {
      this.listeners.dispatch(this.events, () => this.closed);
    } finally {
      this.askForSleep(); // those of `once` are gone
    }
  }

  /**
   * Pushes the dynamic bodies around a point away from it, at once. Returns how many it reached; while a step is in flight it acts
   * when that is done, and returns 0.
   * @throws TalusError `invalid-argument`
   */
  applyExplosion(explosion: Explosion): number {
    this.alive();
    if (!this.flying) return explode(this.fieldWorld, explosion);
    this.afterFlight(() => explode(this.fieldWorld, explosion));
    return 0;
  }

  /**
   * Adds the pull of a point to the next step, on all dynamic bodies that are awake; call it before each step. What it should move
   * is not left to sleep where gravity is 0: `setAllowSleep`.
   * @throws TalusError `invalid-argument`
   */
  applyGravityField(field: GravityField): void {
    this.alive();
    attract(this.fieldWorld, field);
  }

  /**
   * Adds the lift and the drag of water to the next step, on all dynamic bodies that are awake and under its surface; call it before
   * each step. Balls are exact, other shapes are boxes of the same volume and middle. Gravity gives the direction of the lift.
   * @throws TalusError `invalid-argument`
   */
  applyBuoyancy(water: Water): void {
    this.alive();
    float(this.fieldWorld, water);
  }

  private get fieldWorld(): FieldWorld {
    return { core: this.core, memory: this.memory, registry: this.registry, masses: this.shapeMasses };
  }

  /**
   * What all contacts between colliders of two groups (`group`, 0 to 63; may be the same) have from the next step on, instead of
   * what their materials come to; null for nothing. The same for both orders. Sleepers that it concerns wake.
   * @throws TalusError `invalid-argument`, `out-of-memory`
   */
  setContactRule(groupA: number, groupB: number, rule: ContactRule | null): void {
    this.alive();
    if (this.flying) this.events.capture();
    this.checkMemory(writeRule(this.core, groupA, groupB, rule));
  }

  /** The rule of two groups, or null. */
  getContactRule(groupA: number, groupB: number): ContactRule | null {
    this.alive();
    return readRule(this.memory, groupA, groupB);
  }

  /** Surface and filter of a collider. */
  getMaterial(id: ColliderId): Required<MaterialDesc> {
    this.alive();
    return materialOf(this.readCollider(this.registry.collider(id)));
  }

  /** A collider as it is: shape, pose in its body, mass, surface, filter, whether it is a sensor or enabled. */
  getCollider(id: ColliderId): ColliderState {
    this.alive();
    const collider = this.registry.collider(id);
    const body = this.registry.bodyIdAt(this.registry.ownerOf(collider));
    return colliderState(this.readCollider(collider), body, this.registry, this.shapeMasses, this.getColliderEvents(id));
  }

  /**
   * Changes a collider, from the next step on; what is left out stays. With another shape or pose, as a sensor or not, enabled or
   * not its contacts end, with their events, and are found anew; the mass of its body follows shape, pose, density and mass.
   * @throws TalusError `invalid-argument` (also if a dynamic body would be left without mass), `stale-handle`, `unsupported`
   */
  setCollider(id: ColliderId, changes: Partial<ColliderDesc>): void {
    this.alive();
    const collider = this.registry.collider(id);
    const index = this.registry.ownerOf(collider);
    const before = this.readCollider(collider);
    const after = changedCollider(changes, before, this.registry, this.shapeMasses);
    const asked = checkColliderEvents(changes, 'changes', this.getColliderEvents(id));
    checkCarries(this.registry.bodyType(index), after.shape, this.shapeMasses);
    const { position: p, rotation: q } = after;
    const isPlaced = changes.position !== undefined || changes.rotation !== undefined;
    const isShaped = after.shape !== before.shape;
    const isWeighed = isPlaced || isShaped || after.density !== before.density;
    const others = this.registry.collidersOf(index).map((other) => (other === collider ? after : this.readCollider(other)));
    const mass = isWeighed ? this.massWith(index, others) : null;
    this.roomForHits(0, [asked]);
    this.memory.f32[this.registry.colliderWord(collider, Collider.density)] = after.density;
    if (isPlaced || isShaped || after.flags !== before.flags) {
      if (this.flying) this.events.capture();
      const x = isPlaced ? p[0]! : Number.NaN;
      this.core.changeCollider(collider, after.shape, x, p[1]!, p[2]!, q[0]!, q[1]!, q[2]!, q[3]!, after.flags);
    }
    this.ask(collider, asked);
    this.writeMaterial(collider, after);
    writeSurface(this.core, collider, after, before);
    if (mass) this.onBody(this.registry.bodyIdAt(index), () => this.writeMass(index, mass));
  }

  // ------------------------------------------------------------------------------------------------------ joints

  /**
   * Makes a joint between two bodies, or of one with the world. World points and axes are taken at the poses that the views show.
   * @throws TalusError `invalid-argument`, `stale-handle` (a body), `unsupported` (the solver takes no joints), `out-of-memory`
   */
  createJoint(desc: JointDesc): JointId {
    this.alive();
    const kind = checkKind(desc);
    const bodyA = desc.bodyA === undefined || desc.bodyA === null ? NONE : this.registry.body(desc.bodyA);
    if (desc.bodyB === undefined || desc.bodyB === null) {
      fail('joint.bodyB', 'the id of a body (the world is bodyA: null)', desc.bodyB);
    }
    const bodyB = this.registry.body(desc.bodyB);
    if (bodyA === bodyB)
      throw new TalusError('invalid-argument', `joint.bodyA and bodyB are both ${desc.bodyB}: a joint takes two`);
    if (bodyA === NONE && (desc.type === 'gear' || desc.type === 'pulley')) {
      throw new TalusError('invalid-argument', `joint.bodyA is missing: a ${desc.type} is between two bodies`);
    }
    const fixed = [bodyA, bodyB].every((body) => body === NONE || this.registry.bodyType(body) === BODY_STATIC);
    if (fixed) throw new TalusError('invalid-argument', 'a joint of static bodies, or of one with the world, moves nothing');
    this.checkTakesJoints(this.resolved);
    const image = emptyImage();
    writeDesc(image, kind, desc, this.posesOf(bodyA, bodyB), true);
    this.checkMemory(this.core.reserveJoints(this.roomFor(Header.jointCount, 1, 'joints')));
    const index = this.core.createJoint(bodyA, bodyB);
    takeOver(image, this.memory.u32, this.registry.jointWord(index, 0));
    this.core.setJointFlags(index, image.u32[Joint.flags / 4]!);
    return this.registry.jointIdAt(index);
  }

  /**
   * Changes a joint, from the next step on; what is left out stays, null takes away. Its bodies wake if anything is another.
   * @throws TalusError `invalid-argument`, `stale-handle`
   */
  setJoint(id: JointId, changes: JointChanges): void {
    this.alive();
    const index = this.registry.joint(id);
    const image = this.jointImage(index);
    const before = image.u32.slice();
    const [flags, bodyA, bodyB] = [Joint.flags, Joint.bodyA, Joint.bodyB].map((offset) => before[offset / 4]!);
    checkFit(changes, before[Joint.kind / 4]!);
    writeDesc(image, before[Joint.kind / 4]!, changes, this.posesOf(bodyA!, bodyB!), false);
    if (image.u32.every((word, i) => word === before[i])) return;
    takeOver(image, this.memory.u32, this.registry.jointWord(index, 0));
    if (image.u32[Joint.flags / 4] === flags) this.core.renewJoint(index);
    else this.core.setJointFlags(index, image.u32[Joint.flags / 4]!);
  }

  /**
   * Removes a joint; its bodies wake and may collide.
   * @throws TalusError `stale-handle`
   */
  removeJoint(id: JointId): void {
    this.alive();
    const index = this.registry.joint(id);
    if (this.flying) this.events.capture();
    this.core.removeJoint(index);
  }

  /** Whether an id is that of a joint that exists. */
  hasJoint(id: JointId): boolean {
    this.alive();
    return this.registry.hasJoint(id);
  }

  /** Joints that exist. */
  get jointCount(): number {
    this.alive();
    return this.memory.headerU32(Header.jointAlive);
  }

  /** Joints of a body, the latest first. */
  jointsOf(body: BodyId): JointId[] {
    this.alive();
    return this.registry.jointsOf(this.registry.body(body)).map((joint) => this.registry.jointIdAt(joint));
  }

  /**
   * A joint as it is now: where it stands, what it bears, how it is set; written to `out` if that is given.
   * @throws TalusError `stale-handle`; `invalid-argument` if `out` cannot be written
   */
  getJoint(id: JointId, out?: JointState): JointState {
    this.alive();
    const index = this.registry.joint(id);
    if (out !== undefined && (out === null || typeof out !== 'object' || Object.isFrozen(out))) {
      fail('out', 'an object that can be written', out);
    }
    const image = this.jointImage(index);
    const at = (this.core.measureJoint(index) >>> 0) >>> 2;
    const bodyA = image.u32[Joint.bodyA / 4]!;
    const idA = bodyA === NONE ? null : this.registry.bodyIdAt(bodyA);
    const idB = this.registry.bodyIdAt(image.u32[Joint.bodyB / 4]!);
    const state = readState(image, this.memory.f32.subarray(at, at + 16), idA, idB);
    return out === undefined ? state : Object.assign(out, state);
  }

  /** A copy of the record of a joint. */
  private jointImage(index: number): JointImage {
    const at = this.registry.jointWord(index, 0);
    const u32 = this.memory.u32.slice(at, at + Joint.STRIDE / 4);
    return { u32, f32: new Float32Array(u32.buffer) };
  }

  private posesOf(bodyA: number, bodyB: number): [Pose, Pose] {
    return [poseOf(this.memory, bodyA), poseOf(this.memory, bodyB)];
  }

  // ------------------------------------------------------------------------------------------------------- steps

  /**
   * Advances the world by `settings.dt`; never waits. On WASM the step is done when the call returns, and it returns true.
   * On WebGPU it begins a step that the GPU goes on with, after taking over the result of the one before; where that has not
   * arrived yet it does nothing and returns false: call again with the next frame. Views show the last finished step. While a
   * step is in flight, calls that set poses, velocities, masses or types take effect when it is done.
   * @throws TalusError `out-of-memory`: then no body has moved; `invalid-argument` if it is given a time
   */
  step(): boolean;
  step(dt?: unknown): boolean {
    this.alive();
    if (dt !== undefined) refuseTime('step', dt);
    this.listeners.checkIdle();
    if (!this.landed()) return false;
    const gpu = this.chooseGpu();
    if (gpu) this.launch(gpu);
    else this.stepHere();
    return true;
  }

  /**
   * As `step`, but resolves when the step is done, on any backend. Calls wait for each other.
   * @throws TalusError `out-of-memory`, `disposed`; `invalid-argument` if it is given a time
   */
  stepAsync(): Promise<void>;
  stepAsync(dt?: unknown): Promise<void> {
    const next = this.running.then(async () => {
      this.alive();
      if (dt !== undefined) refuseTime('stepAsync', dt);
      await this.arrive();
      this.alive();
      let gpu = this.chooseGpu();
      if (!gpu) {
        await this.backend.ready(this.family);
        this.alive();
        gpu = this.chooseGpu();
      }
      if (gpu) {
        this.launch(gpu);
        await this.arrive();
      } else this.stepHere();
    });
    this.running = next.catch(() => undefined);
    return next;
  }

  /**
   * A frame of `seconds`: makes the steps of `settings.dt` that are due, none or several, and keeps the rest of the time for the next
   * call. `frame.alpha` is where pictures lie between the last two steps; `getPose`, `readPoses` and `readMatrices` take it from
   * here. Never waits: a step that a GPU has not finished yet is left for the next call (`frame.waiting`), and time that steps
   * cannot make up for is let go (`frame.dropped`). Returns the same object each time.
   * @throws TalusError `invalid-argument`, `out-of-memory`; `unsupported` within a call of its own `beforeStep` or `afterStep`
   */
  advance(seconds: number, options: AdvanceOptions = {}): Frame {
    this.alive();
    this.listeners.checkIdle();
    checkAdvance(seconds, options);
    if (options.interpolate !== false) this.poses.keep();
    return this.clock.advance(this.steps, seconds, options);
  }

  /** What the clock drives. */
  private stepper(): Steps {
    const world = this;
    return {
      get dt() {
        return world.resolved.dt;
      },
      get stepCount() {
        return world.memory.headerU32(Header.stepCount);
      },
      land: () => this.landed(),
      step: () => this.step(),
    };
  }

  /** Takes over the step in flight if the GPU has finished it; false if it has not. */
  private landed(): boolean {
    const { flying } = this;
    if (!flying) return true;
    if (flying.poll() === 'pending') return false;
    this.land(flying);
    return true;
  }

  /** Waits for the step in flight, if there is one, and takes its result over. */
  private async arrive(): Promise<void> {
    const flight = this.flying;
    if (!flight) return;
    await flight.result();
    if (this.flying === flight && !this.closed) this.land(flight);
  }

  /** A whole step on WASM. */
  private stepHere(): void {
    this.posed = null;
    this.useBackend(false);
    this.beginStep();
    const { core, profile } = this;
    const start = performance.now();
    core.stepBroadphase();
    const pairs = performance.now();
    core.stepContacts();
    const ready = performance.now();
    core.stepSolve();
    const solved = performance.now();
    const error = core.stepEnd();
    const end = performance.now();
    profile.backend = 'wasm';
    profile.broadphase = pairs - start;
    profile.contacts = ready - pairs;
    profile.solve = solved - ready;
    this.splitSolve();
    profile.finish = end - solved;
    this.endStep(error);
    profile.total = performance.now() - start;
    if (!this.barred) this.backend.report(false, profile.solve, profile.contactCount, this.family);
    this.callListeners();
  }

  /** The first half of a step on WebGPU: everything up to the submission. */
  private launch(gpu: StepSolver): void {
    this.useBackend(true);
    this.beginStep();
    const { core, profile } = this;
    const start = performance.now();
    core.stepBroadphase();
    const pairs = performance.now();
    const error = core.stepContacts();
    const ready = performance.now();
    if ((error & ERROR_OUT_OF_MEMORY) !== 0) this.outOfMemory();
    profile.backend = 'webgpu';
    profile.broadphase = pairs - start;
    profile.contacts = ready - pairs;
    this.edition.configure(gpu, this.resolved);
    const submitted = gpu.submit();
    profile.solve = performance.now() - ready;
    if (submitted) {
      this.flying = gpu;
      const step = this.stepCount + 1;
      this.posed = { solver: gpu, count: this.memory.headerU32(Header.bodyCount), step, since: this.posed?.since ?? step };
      return;
    }
    if ((this.memory.headerU32(Header.error) & ERROR_OUT_OF_MEMORY) !== 0) this.outOfMemory();
    this.finishOnWasm(gpu);
  }

  /** The second half: the result is there, or never will be. */
  private land(gpu: StepSolver): void {
    const { profile } = this;
    const start = performance.now();
    this.flying = null;
    if (!gpu.apply()) {
      this.refused(gpu);
      this.finishOnWasm(gpu);
      return;
    }
    const applied = performance.now();
    const error = this.core.stepEnd();
    const end = performance.now();
    profile.solve += applied - start;
    this.splitSolve(gpu.stats);
    profile.finish = end - applied;
    this.endStep(error);
    profile.total = profile.broadphase + profile.contacts + profile.solve + (performance.now() - applied);
    this.backend.report(true, profile.solve + profile.gpu, profile.contactCount, this.family);
    this.runDeferred();
    this.callListeners();
  }

  /** @internal The result of a step was void. */
  protected refused(_gpu: StepSolver): void {}

  /** Numbers of the solver on WebGPU; none on WASM. */
  private splitSolve(stats?: GpuStepStats): void {
    const { profile } = this;
    for (const part of GPU_PARTS) profile[part] = stats?.[`${part}Ms`] ?? 0;
    profile.gpu = stats?.latencyMs ?? 0;
    profile.gpuPass = stats?.gpuMs ?? 0;
    profile.gpuTick = stats?.gpuTickMs ?? 0;
    profile.dispatches = stats?.dispatches ?? 0;
    profile.bytesUp = stats?.uploadBytes ?? 0;
    profile.bytesDown = stats?.readbackBytes ?? 0;
  }

  /** The GPU did not solve the step: its twin on WASM solves the same contacts. */
  private finishOnWasm(gpu: StepSolver): void {
    this.posed = null;
    this.backend.failed(gpu, this.memory.headerU32(Header.contactCount), this.family);
    const { profile } = this;
    const start = performance.now();
    this.core.setSolver(gpu.twin);
    this.core.stepSolve();
    const solved = performance.now();
    const error = this.core.stepEnd();
    profile.backend = 'wasm';
    profile.solve += solved - start;
    this.splitSolve();
    profile.finish = performance.now() - solved;
    this.endStep(error);
    profile.total = profile.broadphase + profile.contacts + profile.solve + (performance.now() - solved);
    this.runDeferred();
    this.callListeners();
  }

  private runDeferred(): void {
    for (const call of this.deferred) call();
    this.deferred.length = 0;
  }

  private beginStep(): void {
    const { targets } = this;
    const dt = this.resolved.dt;
    this.begunTargets = targets.length;
    for (let i = 0; i < targets.length; i += TARGET_SIZE) {
      const id = targets[i]! as BodyId;
      if (!this.registry.hasBody(id)) continue;
      const index = this.registry.body(id);
      if (this.registry.bodyType(index) !== BODY_KINEMATIC) continue;
      this.core.moveKinematic(
        index,
        targets[i + 1]!,
        targets[i + 2]!,
        targets[i + 3]!,
        targets[i + 4]!,
        targets[i + 5]!,
        targets[i + 6]!,
        targets[i + 7]!,
        dt,
      );
    }
    this.events.capture();
  }

  private endStep(error: number): void {
    const { targets, memory, profile } = this;
    if ((error & ERROR_OUT_OF_MEMORY) !== 0) this.outOfMemory();
    this.faults.speedLimited += memory.headerU32(Header.limitedCount);
    for (let i = 0; i < this.begunTargets; i += TARGET_SIZE) {
      const id = targets[i]! as BodyId;
      if (!this.registry.hasBody(id)) continue;
      const index = this.registry.body(id);
      if (this.registry.bodyType(index) === BODY_KINEMATIC) this.core.setVelocity(index, 0, 0, 0, 0, 0, 0);
    }
    targets.copyWithin(0, this.begunTargets);
    targets.length -= this.begunTargets;
    this.begunTargets = 0;
    this.events.collect();
    if ((error & ERROR_NOT_FINITE) !== 0) this.reportStopped();
    profile.substeps = memory.headerU32(Header.substeps);
    profile.bodies = memory.headerU32(Header.bodyAlive);
    profile.pairs = memory.headerU32(Header.pairCount);
    profile.contactCount = memory.headerU32(Header.contactCount);
    profile.colors = memory.headerU32(Header.colorCount);
    profile.batches = memory.headerU32(Header.batchCount);
    profile.cells = memory.headerU32(Header.cellCount);
    profile.splitBodies = memory.headerU32(Header.splitBodyCount);
    profile.fullTests = memory.headerU32(Header.fullTests);
    profile.memory = memory.headerU32(Header.memoryUsed);
  }

  private reportStopped(): void {
    const { faults, events } = this;
    faults.notFinite = true;
    faults.stops = events.stops;
    events.stops = [];
    faults.stopped += faults.stops.length;
    faults.lastStopped = faults.stops.at(-1)?.body ?? null;
  }

  // ----------------------------------------------------------------------------------------------------- queries

  /**
   * Nearest hit of a ray from `origin` (world, m) along `direction` (any length), written to `out` if that is given; or null. All
   * queries see the world as the views show it, with what was done since the last step, and change nothing of it; sensors are passed
   * through unless asked for.
   * @throws TalusError `invalid-argument`, `stale-handle` (of the filter), as all queries
   */
  castRay<H extends QueryHit>(origin: Vec3, direction: Vec3, options: RayOptions | undefined, out: H): H | null;
  castRay(origin: Vec3, direction: Vec3, options?: RayOptions): QueryHitArrays | null;
  castRay(origin: Vec3, direction: Vec3, options?: RayOptions, out?: QueryHit): QueryHit | null {
    this.alive();
    return this.queries.castRay(origin, direction, options, out);
  }

  /** Whether a ray hits anything: faster than the nearest hit. */
  castRayAny(origin: Vec3, direction: Vec3, options?: RayOptions): boolean {
    this.alive();
    return this.queries.castRayAny(origin, direction, options);
  }

  /**
   * The first hit of a ray with each collider, nearest first, written to the hits of `out` one after another, which gets new ones
   * where it is too short. Returns their number; hits behind them are old.
   */
  castRayAll(origin: Vec3, direction: Vec3, options: RayOptions, out: QueryHit[]): number {
    this.alive();
    return this.queries.castRayAll(origin, direction, options, out);
  }

  /**
   * Nearest hits of many rays in one call: three numbers an origin (m) and direction (any length). Returns how many hit.
   * @throws TalusError `invalid-argument`, `stale-handle`, `out-of-memory`
   */
  castRays(origins: ArrayLike<number>, directions: ArrayLike<number>, options: BatchOptions, out: BatchHits): number {
    this.alive();
    return this.queries.castRays(origins, directions, options, out);
  }

  /**
   * What a convex shape meets first that starts at a pose (world, m; `rotation` null: none) and moves by `translation` (m) without
   * turning; or null. Where it overlaps something at the start the distance is 0 and `penetration` says how deep; touching is no
   * overlap.
   * @throws TalusError `unsupported` (a mesh or heightfield that would move), and as castRay
   */
  castShape<H extends QueryHit>(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    translation: Vec3,
    options: ShapeCastOptions | undefined,
    out: H,
  ): H | null;
  castShape(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    translation: Vec3,
    options?: ShapeCastOptions,
  ): QueryHitArrays | null;
  castShape(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    translation: Vec3,
    options?: ShapeCastOptions,
    out?: QueryHit,
  ): QueryHit | null {
    this.alive();
    return this.queries.castShape(QUERY_CLOSEST, shape, position, rotation, translation, options, out) as QueryHit | null;
  }

  /** Whether a shape cast hits anything. */
  castShapeAny(shape: ShapeId, position: Vec3, rotation: Quat | null, translation: Vec3, options?: ShapeCastOptions): boolean {
    this.alive();
    return this.queries.castShape(QUERY_ANY, shape, position, rotation, translation, options) !== 0;
  }

  /** The first hit of a shape cast with each collider, nearest first; `out` and result as castRayAll. */
  castShapeAll(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    translation: Vec3,
    options: ShapeCastOptions,
    out: QueryHit[],
  ): number {
    this.alive();
    return this.queries.castShape(QUERY_ALL, shape, position, rotation, translation, options, out) as number;
  }

  /** Nearest hits of many casts of one shape in one call: three numbers a position and translation, four a rotation. As castRays. */
  castShapes(
    shape: ShapeId,
    positions: ArrayLike<number>,
    rotations: ArrayLike<number> | null,
    translations: ArrayLike<number>,
    options: BatchOptions,
    out: BatchHits,
  ): number {
    this.alive();
    return this.queries.castShapes(shape, positions, rotations, translations, options, out);
  }

  /** Colliders that a convex shape touches at a pose, by slot, written to `out`. Returns their number; what is behind them is old. */
  overlapShape(shape: ShapeId, position: Vec3, rotation: Quat | null, options: QueryFilter, out: ColliderId[]): number {
    this.alive();
    return this.queries.overlapShape(QUERY_ALL, shape, position, rotation, options, out);
  }

  /** Whether a convex shape touches anything at a pose. */
  overlapShapeAny(shape: ShapeId, position: Vec3, rotation: Quat | null, options?: QueryFilter): boolean {
    this.alive();
    return this.queries.overlapShape(QUERY_ANY, shape, position, rotation, options) !== 0;
  }

  /** Colliders that contain a point (world, m). Meshes and heightfields are surfaces and contain nothing. As overlapShape. */
  overlapPoint(point: Vec3, options: QueryFilter, out: ColliderId[]): number {
    this.alive();
    return this.queries.overlapPoint(point, options, out);
  }

  /** Colliders whose bounds (along the world's axes) touch the box from `min` to `max` (world, m). As overlapShape. */
  overlapBounds(min: Vec3, max: Vec3, options: QueryFilter, out: ColliderId[]): number {
    this.alive();
    return this.queries.overlapBounds(min, max, options, out);
  }

  /**
   * The point on any collider that is nearest to a point (world, m), or null within `maxDistance`. Inside of a convex shape the
   * distance is negative: how far it is out.
   */
  closestPoint<H extends QueryHit>(point: Vec3, options: DistanceOptions | undefined, out: H): H | null;
  closestPoint(point: Vec3, options?: DistanceOptions): QueryHitArrays | null;
  closestPoint(point: Vec3, options?: DistanceOptions, out?: QueryHit): QueryHit | null {
    this.alive();
    return this.queries.closest(null, point, null, options, out);
  }

  /** The nearest point on each collider within `maxDistance` of a point, nearest first; `out` and result as castRayAll. */
  closestPointAll(point: Vec3, options: DistanceOptions, out: QueryHit[]): number {
    this.alive();
    return this.queries.contacts(QUERY_DISTANCE, null, point, null, options, out);
  }

  /** The collider nearest to a convex shape at a pose, with the point on it; negative distance: how deep they overlap. Or null. */
  closestToShape<H extends QueryHit>(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    options: DistanceOptions | undefined,
    out: H,
  ): H | null;
  closestToShape(shape: ShapeId, position: Vec3, rotation: Quat | null, options?: DistanceOptions): QueryHitArrays | null;
  closestToShape(
    shape: ShapeId,
    position: Vec3,
    rotation: Quat | null,
    options?: DistanceOptions,
    out?: QueryHit,
  ): QueryHit | null {
    this.alive();
    return this.queries.closest(shape, position, rotation, options, out);
  }

  /**
   * Planes that a convex shape touches, or that are within `maxDistance`: one hit a convex collider, one a plane of a mesh or
   * heightfield, deepest first. To get out of all, move it along each normal by what the distance is below 0.
   */
  contactShape(shape: ShapeId, position: Vec3, rotation: Quat | null, options: DistanceOptions, out: QueryHit[]): number {
    this.alive();
    return this.queries.contacts(QUERY_CONTACT, shape, position, rotation, options, out);
  }

  /**
   * Contact of two shapes at two poses (world, m), wherever the bodies are that use them: distance or depth, nearest points and
   * the points of the manifolds; null if they are farther apart than `maxDistance` (default 0). One of them may be a mesh or
   * heightfield.
   */
  contactPair<C extends ShapeContact>(
    shapeA: ShapeId,
    positionA: Vec3,
    rotationA: Quat | null,
    shapeB: ShapeId,
    positionB: Vec3,
    rotationB: Quat | null,
    options: { maxDistance?: number } | undefined,
    out: C,
  ): C | null;
  contactPair(
    shapeA: ShapeId,
    positionA: Vec3,
    rotationA: Quat | null,
    shapeB: ShapeId,
    positionB: Vec3,
    rotationB: Quat | null,
    options?: { maxDistance?: number },
  ): ShapeContactArrays | null;
  contactPair(
    shapeA: ShapeId,
    positionA: Vec3,
    rotationA: Quat | null,
    shapeB: ShapeId,
    positionB: Vec3,
    rotationB: Quat | null,
    options?: { maxDistance?: number },
    out?: ShapeContact,
  ): ShapeContact | null {
    this.alive();
    return this.queries.contactPair(shapeA, positionA, rotationA, shapeB, positionB, rotationB, options, out);
  }

  /** Steps done. */
  get stepCount(): number {
    this.alive();
    return this.memory.headerU32(Header.stepCount);
  }

  /** Energy, speeds, overlap, residual: how calm, how deep, how exact. Takes about as long as a sweep of the solver. */
  measure(): Measures {
    this.alive();
    const address = this.core.measure() >>> 0;
    this.checkMemory(address);
    return readMeasures(this.memory, address);
  }

  /** Backend of the next step: what `backend: 'auto'` has chosen, or where a lost device has left the world. */
  get activeBackend(): 'wasm' | 'webgpu' {
    this.alive();
    return this.chooseGpu() ? 'webgpu' : 'wasm';
  }

  /** Where contacts are solved and why, with the times that rest on; a snapshot. */
  get backendReport(): BackendReport {
    this.alive();
    return this.backend.describe(this.profile.contactCount, this.family, this.stepCount, this.barred);
  }

  /** Solver of the next step, on the active backend: that of the settings but for `auto`, and `cell-split` on WebGPU. */
  get activeSolver(): T['solver'] {
    return this.edition.activeOf(this.resolved, this.activeBackend === 'webgpu');
  }

  /**
   * Changes where contacts are solved, from the next step on, without losing anything: bodies, contacts and the impulses they
   * carry stay. Resolves when the backend is ready; until then steps go on as before. An open GPU device is kept for the next
   * change back. `device` is used where none is open yet.
   * @throws TalusError `invalid-argument`, `unsupported` (a solver that WebGPU does not have), `gpu` if there is none: then the
   * backend stays what it was
   */
  async setBackend(backend: BackendName, device?: WebGpuDevice): Promise<void> {
    this.alive();
    checkWord(backend, 'backend', BACKEND_NAMES);
    this.edition.checkBackend(backend, this.asked);
    if (device !== undefined) checkDevice(device, 'device');
    if (backend !== 'wasm') this.memory.tenant.stays = true;
    await this.backend.ask(backend, device, this.family);
  }

  // ------------------------------------------------------------------------------------------------------- state

  /**
   * The whole state as bytes, for `restore`: bodies, shapes, joints, contacts with their impulses, sleep, settings, and what waits
   * for the next step (forces, kinematic targets, events). Not in it: backend and device, `profile`, `faults`, events that were sent.
   * Written into `out` if it has room, else into new bytes: `bytes = world.snapshot(bytes)` makes none but now and then.
   * Only the same build of the package can restore it; a sum tells damage.
   * @throws TalusError `busy` while a step is in flight on the GPU; `invalid-argument`, `out-of-memory`
   */
  snapshot(out?: Uint8Array, options: SnapshotOptions = {}): Uint8Array {
    this.calm('snapshot');
    if (out !== undefined) checkTyped(out, 'out', 'Uint8Array');
    checkKeys(options, 'options', ['local']);
    const isLocal = options.local !== undefined && checkBoolean(options.local, 'options.local');
    const part = { numbers: writeHost(this.hostState(), isLocal), settings: JSON.stringify(this.asked), isLocal };
    return writeSnapshot(this.core, this.memory, this.edition.mark, part, out);
  }

  /**
   * Puts this world into the state of a snapshot, one of its own or of another world on any machine; what it had is gone. The run
   * goes on with the same bits where the backend is of the same kind. Ids that were good when the snapshot was taken are good again;
   * those of later things are stale, until calls as they were make these again, with the ids that they had. Views have to be read anew,
   * `events` is empty. Backend and device stay as they are, and so does user data of bodies that both states have.
   * @throws TalusError `busy` while a step is in flight on the GPU; `invalid-argument` if the bytes are damaged or no snapshot;
   * `unsupported` if they are of another version or entry of the package, if their solver does not run on this backend, or if they
   * are local and their shapes are gone; `out-of-memory`
   */
  restore(bytes: Uint8Array): void {
    this.calm('restore');
    const found = checkSnapshot(this.core, this.memory, this.edition.mark, bytes);
    const asked = JSON.parse(found.settings) as T['asked'];
    this.edition.checkBackend(this.backend.asked, asked);
    const state = this.hostState();
    const owners = Array.from(this.userData.keys(), (index) => this.registry.bodyIdAt(index));
    if (found.isLocal && !hasGeometry(found.numbers, state.geometry)) refuseLocal();
    loadImage(this.core, this.memory, found);
    this.registry.offset = readHost(found.numbers, state, found.isLocal);
    for (const [k, index] of [...this.userData.keys()].entries())
      if (!this.isAlive(owners[k]!) || this.registry.body(owners[k]!) !== index) this.userData.delete(index);
    this.events.load(state.events);
    this.askForSleep();
    this.posed = null;
    this.asked = asked;
    this.resolved = this.edition.resolve(asked, this.memory.headerU32(Header.solver) === SOLVER_EXTERNAL);
  }

  /**
   * A number, whole and of 53 bits, that is the same for worlds in the same state, on every machine: poses, velocities and forces of
   * all bodies by their slots, their sleep, counts, steps. To find out at which step two runs part; contacts are not in it, their
   * impulses show a step later. While a step is in flight it is that of the last finished one.
   */
  hash(): number {
    this.alive();
    return this.core.hashState();
  }

  /** Resolves when no step is in flight on the GPU: at once on WASM, else with the result of `step()` taken over. */
  async settle(): Promise<void> {
    this.alive();
    while (this.flying) await this.arrive();
  }

  private hostState(): HostState {
    const { shapeMasses, geometry, massOverrides, targets } = this;
    return { idOffset: this.registry.offset, shapeMasses, geometry, massOverrides, targets, events: this.events.save() };
  }

  /** Throws 'busy' while a step is in flight. */
  private calm(call: string): void {
    this.alive();
    if (this.flying) throw new TalusError('busy', `a step is in flight on the GPU: await world.settle() before ${call}()`);
  }

  /**
   * An independent copy of this world as it is after the last step: bodies, shapes, contacts with their impulses, settings.
   * Ids and slots mean the same in both; what is made afterwards gets ids from each for itself, which may be the same number for
   * two things. On WASM both go on with the same bits until something is done to one of them.
   * @throws TalusError as `createWorld`
   */
  async clone(options: CloneOptions = {}): Promise<World<T>> {
    this.alive();
    checkKeys(options, 'options', ['backend', 'device']);
    const backend = options.backend ?? 'wasm';
    checkWord(backend, 'options.backend', BACKEND_NAMES);
    this.edition.checkBackend(backend, this.asked);
    if (options.device !== undefined) checkDevice(options.device, 'options.device');
    const { exports, memory } = await this.edition.load(this.wasm);
    while (this.flying) await this.arrive();
    this.alive();
    const settings: T['asked'] & OpenOptions = { ...this.asked, backend };
    if (options.device) settings.device = options.device;
    if (this.wasm) settings.wasm = this.wasm;
    const twin = this.sibling(exports, memory, settings, this.edition);
    twin.restore(this.snapshot());
    for (const [body, value] of this.userData) twin.userData.set(body, value);
    await twin.open();
    return twin;
  }

  /** @internal A world of the same class. */
  protected sibling(core: CoreExports, memory: LinearMemory, options: T['asked'] & OpenOptions, edition: Edition<T>): World<T> {
    return new World(core, memory, options, edition);
  }

  // ------------------------------------------------------------------------------------------------- looking inside

  /**
   * Contact points of the last step as arrays, for drawing; written into `out` if it has room, else into new arrays. While a
   * step is in flight they are those of that step, with the impulses of the one before.
   */
  readContacts(out?: ContactArrays): ContactArrays {
    this.alive();
    return readContacts(this.core, this.memory, out);
  }

  /** Bounding boxes of all colliders as the broad phase sees them: 6 floats each, least x y z and largest x y z (world, m). */
  readBounds(): Float32Array {
    this.alive();
    return readBounds(this.memory, this.registry);
  }

  /**
   * All joints as line segments, for drawing: white from bodies to anchors, red, green and blue the axes x y z of their frames (those
   * of B shorter), yellow limits, ropes and rods, magenta what gapes between anchors, gray what is not enabled.
   */
  readJointLines(options: JointLineOptions = {}): JointLines {
    this.alive();
    checkKeys(options, 'options', ['size']);
    return readJointLines(this.memory, options.size === undefined ? 0.2 : checkNumber(options.size, 'options.size', 0, 1e6));
  }

  /**
   * A label a body slot (island, cell, ...) as of the last step, for drawing; 0xffffffff where a body has none. Written into
   * `out` if it has room, else into a new array.
   */
  readLabels(kind: LabelKind, out?: Uint32Array): Uint32Array {
    this.alive();
    checkWord(kind, 'kind', LABEL_KINDS);
    if (out !== undefined) checkTyped(out, 'out', 'Uint32Array');
    const into = out && out.length >= this.slotCount ? out : new Uint32Array(this.slotCount);
    readLabels(this.memory, this.registry, kind, into);
    return into;
  }

  /**
   * Body poses on the GPU, for renderers that share the device. Null where the last step was solved on WASM. What has been
   * created or moved since that step was begun is not in them yet.
   */
  get gpuPoses(): GpuPoses | null {
    this.alive();
    const { posed } = this;
    if (!posed || posed.solver.poll() === 'lost') return null;
    const { solver, count, step, since } = posed;
    return { device: solver.device.device, buffer: solver.poseBuffer, count, step, since };
  }

  /**
   * Closes the world: every later call and getter throws 'disposed', but for `isAlive` (false), `dispose` itself and what `profile`,
   * `events` and `faults` held. Gives back what it holds on the GPU; linear memory is freed by dropping the world, so a world on
   * WASM needs no call.
   */
  dispose(): void {
    this.closed = true;
    this.flying = null;
    this.posed = null;
    this.backend.close();
    leaveSeat(this.memory.tenant);
  }

  // ---------------------------------------------------------------------------------------------------- internals

  /** @internal */
  protected alive(): void {
    if (this.closed) throw new TalusError('disposed', 'this world was disposed');
    takeSeat(this.memory.tenant);
  }

  /** As `afterFlight`, if the body still exists then. */
  private onBody(id: BodyId, call: () => void): void {
    this.afterFlight(() => {
      if (this.registry.hasBody(id)) call();
    });
  }

  /** A body made while a step is in flight may have the slot of one that was in it: the result must not reach it. */
  private shield(index: number): void {
    this.flying?.shield(index);
  }

  private moving(id: BodyId): number {
    const index = this.registry.body(id);
    if (this.registry.bodyType(index) === BODY_STATIC)
      throw new TalusError('unsupported', `body ${id} is static: it has no velocity`);
    return index;
  }

  private dynamic(id: BodyId): number {
    const index = this.registry.body(id);
    if (!this.registry.isDynamic(index)) {
      throw new TalusError('unsupported', `body ${id} is ${this.getType(id)}: forces and impulses move dynamic bodies only`);
    }
    return index;
  }

  private outOfMemory(): never {
    const size = this.memory.headerU32(Header.errorSize);
    throw new TalusError('out-of-memory', `linear memory cannot grow by ${size} bytes`);
  }

  /** @internal Throws if a call of the core returned 0 for want of memory. */
  protected checkMemory(result: number): void {
    if (result === 0) this.outOfMemory();
  }

  private roomFor(countOffset: number, more: number, what: string): number {
    const count = this.memory.headerU32(countOffset) + more;
    if (count > MAX_SLOTS) throw new TalusError('out-of-memory', `a world holds at most ${MAX_SLOTS} ${what}`);
    return count;
  }

  /** Makes room before anything is created, so that creation itself cannot fail halfway. */
  private reserve(bodies: number, colliders: number): void {
    const bodyCount = this.roomFor(Header.bodyCount, bodies, 'bodies');
    const colliderCount = this.roomFor(Header.colliderCount, colliders, 'colliders');
    this.checkMemory(this.core.reserveSlots(bodyCount, colliderCount));
  }

  /** Room for thresholds of hits, if any are asked for. */
  private roomForHits(more: number, asked: readonly CheckedCollider['events'][]): void {
    if (asked.every(({ flags }) => (flags & COLLIDER_HITS) === 0)) return;
    this.checkMemory(this.core.reserveHits(this.memory.headerU32(Header.colliderCount) + more));
  }

  private writeMass(index: number, m: MassProperties, density = 1): void {
    const [x, y, z] = m.center;
    const [xx, yy, zz, xy, xz, yz] = m.inertia;
    const d = density;
    this.core.setMassProperties(index, m.mass * d, x, y, z, xx * d, yy * d, zz * d, xy * d, xz * d, yz * d);
  }

  private massWith(index: number, colliders: readonly CheckedCollider[]): MassProperties | null {
    if (!this.registry.isDynamic(index)) return null;
    return resolveMass(massOf(colliders, this.shapeMasses), this.massOverrides.get(index));
  }

  private attach(index: number, c: CheckedCollider): number {
    const p = c.position;
    const q = c.rotation;
    const collider = this.core.createCollider(
      index,
      c.shape,
      p[0]!,
      p[1]!,
      p[2]!,
      q[0]!,
      q[1]!,
      q[2]!,
      q[3]!,
      c.friction,
      c.restitution,
      c.rollingResistance,
      c.combine,
      c.category,
      c.mask,
      c.flags,
      c.density,
    );
    if (collider === NO_INDEX) this.outOfMemory();
    if (c.events.flags !== 0) this.ask(collider, c.events);
    writeSurface(this.core, collider, c);
    return collider;
  }

  private ask(collider: number, { flags, hitSpeed, hitImpulse }: CheckedCollider['events']): void {
    this.core.setColliderEvents(collider, flags, hitSpeed, hitImpulse);
  }

  /** A collider as it was described, its pose relative to the body origin again. */
  private readCollider(collider: number): CheckedCollider {
    const at = this.registry.colliderWord(collider, 0);
    const f32 = this.memory.f32;
    const u32 = this.memory.u32;
    const f = (offset: number) => f32[at + offset / 4]!;
    const com = this.registry.coldWord(u32[at + Collider.body / 4]!, BodyCold.comX);
    return {
      shape: u32[at + Collider.shape / 4]!,
      position: [f(Collider.x) + f32[com]!, f(Collider.y) + f32[com + 1]!, f(Collider.z) + f32[com + 2]!],
      rotation: [f(Collider.qx), f(Collider.qy), f(Collider.qz), f(Collider.qw)],
      density: f(Collider.density),
      friction: f(Collider.friction),
      restitution: f(Collider.restitution),
      rollingResistance: f(Collider.rollingResistance),
      spinningFriction: f(Collider.spinningFriction),
      group: u32[at + Collider.group / 4]!,
      surfaceVelocity: [f(Collider.surfaceX), f(Collider.surfaceY), f(Collider.surfaceZ)],
      surfaceSpin: [f(Collider.surfaceWx), f(Collider.surfaceWy), f(Collider.surfaceWz)],
      oneWay: [f(Collider.openX), f(Collider.openY), f(Collider.openZ)],
      combine: u32[at + Collider.combine / 4]!,
      category: u32[at + Collider.category / 4]!,
      mask: u32[at + Collider.mask / 4]!,
      flags: u32[at + Collider.flags / 4]! & 0xff,
      events: checkColliderEvents(readColliderEvents(this.memory, this.registry, collider), 'events'),
    };
  }

  private readColliders(index: number): CheckedCollider[] {
    return this.registry.collidersOf(index).map((collider) => this.readCollider(collider));
  }
}
