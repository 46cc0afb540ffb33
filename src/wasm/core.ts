// The exports of assembly/index.ts as the host calls them. Results of type u32 arrive as signed numbers; bool as 0 or 1.

/** NONE (0xffffffff) as a result of the core: JavaScript sees it as -1. */
export const NO_INDEX = -1;

/** The ABI of the core. Units and frames are those of the docstrings in assembly/. */
export interface CoreExports {
  /** 0 if there is not even memory for an empty world. */
  initWorld(): number;
  allocate(bytes: number): number;
  release(address: number, bytes: number): void;

  /** Room for as many in all; 0, and nothing changed, without memory. */
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

  /** Room for the thresholds of as many colliders in all; 0 without memory. */
  reserveHits(count: number): number;
  /** COLLIDER_SEES_STATIC, COLLIDER_PERSISTS, COLLIDER_HITS, with the thresholds of hits (m/s, negative: the world's; N s). */
  setColliderEvents(index: number, flags: number, hitSpeed: number, hitImpulse: number): void;
  /** Shape, pose (NaN: as it is) or flags (COLLIDER_*) of a collider; its contacts end. */
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
  /** Velocity of a surface: m/s, rad/s, shape frame. */
  setSurface(index: number, vx: number, vy: number, vz: number, wx: number, wy: number, wz: number): void;
  /** Direction in which bodies pass (shape frame, unit or zero), group of contact rules, spinning friction (m). */
  setPassage(index: number, x: number, y: number, z: number, group: number, spinningFriction: number): void;
  /** RULE_* and what they name; 0 without memory. */
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
  /** m/s and rad/s; infinity: the limits of the world alone. */
  limitBody(body: number, linear: number, angular: number): void;
  /** Bits 0-2: translation along x y z of the world, 3-5: rotation about them. */
  setLocks(body: number, locks: number): void;
  allowSleep(body: number, on: number): void;
  /** Lays a body to rest with its island; 0 without memory. */
  sleepBody(body: number): number;

  /** Moves all that is in the world, m; 1 + the body that would leave `most`, or 0. */
  moveOrigin(x: number, y: number, z: number, most: number): number;

  /** Room for as many joints in all; 0, and nothing changed, without memory. */
  reserveJoints(count: number): number;
  /** Not enabled yet; `bodyA` NONE for the world. The host writes the record, then calls setJointFlags. */
  createJoint(bodyA: number, bodyB: number): number;
  /** JOINT_ENABLED and the like; takes what was written to the record. */
  setJointFlags(index: number, flags: number): void;
  /** Takes what was written to the record. */
  renewJoint(index: number): void;
  removeJoint(index: number): void;
  /** Address of 16 floats: where a joint stands. */
  measureJoint(index: number): number;

  /** Lets another solver (SOLVER_*) take over, with the impulses carried so far. */
  setSolver(solver: number): void;
  /** Bounds, trees, pairs. The four stages below make one step; each returns the error bits so far. */
  stepBroadphase(): number;
  /** Narrow phase, contacts, accelerations: ready for a solver. */
  stepContacts(): number;
  stepSolve(): number;
  /** Poses, inertia, views. */
  stepEnd(): number;

  /** The GPU path, see assembly/split/gpu_pack.ts. */
  layOutGpu(): number;
  packGpu(): number;
  applyGpuResult(): void;
  forgetGpu(): void;

  /** Address of LiveState with the live ranges of memory behind it, with the blobs of shapes or without; 0 without memory. */
  listLive(geometry: number): number;
  /** Zeros what `listLive` leaves out. */
  clearDead(): number;
  /** The sum in LiveState: starts it, adds bytes (a multiple of 64), adds all live ranges of `listLive`. */
  beginSum(): void;
  addSum(address: number, bytes: number): void;
  sumLive(): void;
  /** Room for the scratch of so many threads, while no other thread is at work; 0 without memory. */
  reserveThreads(count: number): number;

  /** A hash of the state, 53 bits. */
  hashState(): number;

  /** 1 if a body sleeps. */
  isAsleep(body: number): number;
  /** Wakes a body and its island. */
  wakeBody(body: number): void;

  /** From now on steps keep the poses before them (0 without memory). */
  keepPoses(): number;
  /** Room for lists of bodies whose poses are read; 0 without memory. */
  reservePoseLists(count: number): number;
  /** To Header.poseChunk, at most POSE_CHUNK bodies; `listed` by the list of the header, else by slots. */
  readPoses(from: number, count: number, listed: number, alpha: number, matrices: number, scaled: number): void;

  /** Address of the QueryState, with that of batches if `batch` is not 0; 0 without memory. */
  queryState(batch: number): number;
  /** Puts the question of the QueryState to the world: QUERY_* kind and mode. Number of answers; NONE without memory for all. */
  runQuery(kind: number, mode: number): number;
  /** The entries of the batch; how many hit. */
  runBatch(kind: number, mode: number, turned: number): number;
  /** Two shapes at two poses; number of answers. */
  runContact(): number;
  /** Writes a MeasureResult and returns its address, 0 without memory. */
  measure(): number;
  /** Brings impulses and separations of a manifold up to date and returns the address of its row. */
  readManifold(index: number): number;
  substepsOfManifold(index: number): number;
}
