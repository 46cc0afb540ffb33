// The exports of assembly/index.ts as the host calls them. Results of type u32 arrive as signed numbers; bool as 0 or 1.

/** NONE (0xffffffff) as a result of the core: JavaScript sees it as -1. */
export const NO_INDEX = -1;

/** The exports of the core. Units and frames are those of the docstrings in assembly/. */
export interface CoreExports {
  /** Returns 0 if there is not enough memory for an empty world. */
  initWorld(): number;
  allocate(bytes: number): number;
  release(address: number, bytes: number): void;

  /** Reserves room for so many in all; returns 0, with no change, if memory is out. */
  reserveSlots(bodies: number, colliders: number): number;
  reserveBodies(count: number): number;
  reserveColliders(count: number): number;
  reserveShapes(count: number): number;

  createShape(
    type: number,
    p0: number,
    p1: number,
    p2: number,
    extent: number,
    dataPtr: number,
    dataBytes: number,
    minX: number,
    minY: number,
    minZ: number,
    maxX: number,
    maxY: number,
    maxZ: number,
  ): number;
  removeShape(index: number): void;

  createBody(type: number, px: number, py: number, pz: number, qx: number, qy: number, qz: number, qw: number): number;
  removeBody(body: number): void;
  setBodyType(body: number, type: number): void;
  setMassProperties(
    body: number,
    mass: number,
    comX: number,
    comY: number,
    comZ: number,
    ixx: number,
    iyy: number,
    izz: number,
    ixy: number,
    ixz: number,
    iyz: number,
  ): void;
  setPose(body: number, px: number, py: number, pz: number, qx: number, qy: number, qz: number, qw: number): void;
  setVelocity(body: number, vx: number, vy: number, vz: number, wx: number, wy: number, wz: number): void;
  setBullet(body: number, bullet: boolean): void;
  setMotion(body: number, gravityScale: number, linearDamping: number, angularDamping: number): void;
  addForce(body: number, fx: number, fy: number, fz: number, tx: number, ty: number, tz: number): void;
  addField(body: number, fx: number, fy: number, fz: number, tx: number, ty: number, tz: number): void;
  addForceAt(body: number, fx: number, fy: number, fz: number, px: number, py: number, pz: number): void;
  applyImpulse(body: number, jx: number, jy: number, jz: number, lx: number, ly: number, lz: number): void;
  applyImpulseAt(body: number, jx: number, jy: number, jz: number, px: number, py: number, pz: number): void;
  moveKinematic(
    body: number,
    px: number,
    py: number,
    pz: number,
    qx: number,
    qy: number,
    qz: number,
    qw: number,
    dt: number,
  ): void;

  createCollider(
    body: number,
    shape: number,
    x: number,
    y: number,
    z: number,
    qx: number,
    qy: number,
    qz: number,
    qw: number,
    friction: number,
    restitution: number,
    rollingResistance: number,
    combine: number,
    category: number,
    mask: number,
    flags: number,
    density: number,
  ): number;
  removeCollider(index: number): void;
  setCollider(
    index: number,
    friction: number,
    restitution: number,
    rollingResistance: number,
    combine: number,
    category: number,
    mask: number,
  ): void;

  /** Reserves room for the thresholds of so many colliders in all; returns 0 if memory is out. */
  reserveHits(count: number): number;
  /**
   * Sets COLLIDER_SEES_STATIC, COLLIDER_PERSISTS, COLLIDER_HITS, with the thresholds of hits (m/s, negative: the world's; N s).
   */
  setColliderEvents(index: number, flags: number, hitSpeed: number, hitImpulse: number): void;
  /** Changes shape, pose (NaN: unchanged) or flags (COLLIDER_*) of a collider; its contacts end. */
  changeCollider(
    index: number,
    shape: number,
    x: number,
    y: number,
    z: number,
    qx: number,
    qy: number,
    qz: number,
    qw: number,
    flags: number,
  ): void;
  /** Sets the velocity of a surface: m/s, rad/s, shape frame. */
  setSurface(index: number, vx: number, vy: number, vz: number, wx: number, wy: number, wz: number): void;
  /** Sets the direction in which bodies pass (shape frame, unit or zero), group of contact rules, spinning friction (m). */
  setPassage(index: number, x: number, y: number, z: number, group: number, spinningFriction: number): void;
  /** Sets a contact rule: RULE_* flags and their values; returns 0 if memory is out. */
  setContactRule(
    a: number,
    b: number,
    flags: number,
    friction: number,
    restitution: number,
    rolling: number,
    spinning: number,
  ): number;
  enableBody(body: number, on: number): void;
  /** Sets speed limits, m/s and rad/s; infinity: only the limits of the world. */
  limitBody(body: number, linear: number, angular: number): void;
  /** Sets locks. Bits 0-2: translation along x y z of the world; bits 3-5: rotation about them. */
  setLocks(body: number, locks: number): void;
  allowSleep(body: number, on: number): void;
  /** Puts a body to sleep with its island; returns 0 if memory is out. */
  sleepBody(body: number): number;

  /** Shifts everything in the world, m; returns 1 + the body that would go beyond `most`, or 0. */
  moveOrigin(x: number, y: number, z: number, most: number): number;

  /** Reserves room for so many joints in all; returns 0, with no change, if memory is out. */
  reserveJoints(count: number): number;
  /** Creates a disabled joint; `bodyA` NONE for the world. The host writes the record, then calls setJointFlags. */
  createJoint(bodyA: number, bodyB: number): number;
  /** Sets JOINT_ENABLED and other flags, and applies the values in the record. */
  setJointFlags(index: number, flags: number): void;
  /** Applies the values in the record. */
  renewJoint(index: number): void;
  removeJoint(index: number): void;
  /** Returns the address of 16 floats: the measured state of a joint. */
  measureJoint(index: number): number;

  /** Changes the solver (SOLVER_*); stored impulses are kept. */
  setSolver(solver: number): void;
  /** Bounds, trees, pairs. This and the three stages below make one step; each returns the error bits so far. */
  stepBroadphase(): number;
  /** Narrow phase, contacts, accelerations: ready for a solver. */
  stepContacts(): number;
  stepSolve(): number;
  /** Poses, inertia, views. */
  stepEnd(): number;

  /** The GPU path, see assembly/split/gpu_pack.ts. */
  layOutGpu(jointIslands: number): number;
  packGpu(): number;
  applyGpuResult(): void;
  forgetGpu(): void;

  /**
   * Returns the address of LiveState followed by the live ranges of memory, with the blobs of shapes or without; 0 if memory is
   * out.
   */
  listLive(geometry: number): number;
  /** Fills memory outside of the ranges of `listLive` with zeros. */
  clearDead(): number;
  /** The sum in LiveState: starts it, adds bytes (a multiple of 64), adds all live ranges of `listLive`. */
  beginSum(): void;
  addSum(address: number, bytes: number): void;
  sumLive(): void;
  /** Reserves the scratch of so many threads, while no other thread is at work; returns 0 if memory is out. */
  reserveThreads(count: number): number;

  /** Returns a hash of the state, 53 bits. */
  hashState(): number;

  /** Returns 1 if a body sleeps. */
  isAsleep(body: number): number;
  /** Wakes a body and its island. */
  wakeBody(body: number): void;

  /** From now on steps store the poses before them (returns 0 if memory is out). */
  keepPoses(): number;
  /** Reserves room for lists of bodies whose poses are read; returns 0 if memory is out. */
  reservePoseLists(count: number): number;
  /** Writes to Header.poseChunk, at most POSE_CHUNK bodies; `listed`: by the list of the header, else by slots. */
  readPoses(from: number, count: number, listed: number, alpha: number, matrices: number, scaled: number): void;

  /** Returns the address of the QueryState, with that of batches if `batch` is not 0; 0 if memory is out. */
  queryState(batch: number): number;
  /**
   * Runs the query of the QueryState: QUERY_* kind and mode. Returns the number of results; NONE if there is no memory for all.
   */
  runQuery(kind: number, mode: number): number;
  /** Runs the entries of the batch; returns how many hit. */
  runBatch(kind: number, mode: number, turned: number): number;
  /** Tests two shapes at two poses; returns the number of results. */
  runContact(): number;
  /** Writes a MeasureResult and returns its address, 0 if memory is out. */
  measure(): number;
  /** Updates impulses and separations of a manifold and returns the address of its row. */
  readManifold(index: number): number;
  substepsOfManifold(index: number): number;
}
