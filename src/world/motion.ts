// A world, part: what moves bodies, and what they are kept from.
import { checkDamping, checkGravityScale } from '../bodies/check';
import { attract, type Explosion, explode, type FieldWorld, float, type GravityField, type Water } from '../bodies/fields';
import { checkLimit, type Locks, lockBits, readLocks, readTraits, type SpeedLimits } from '../bodies/traits';
import { TalusError } from '../checks/errors';
import { checkBoolean, checkKeys, checkPosition, checkQuat, checkVec3, MAX_COORDINATE } from '../checks/validate';
import { BODY_KINEMATIC, BODY_STATIC, BodyCold, BodyRow, Header } from '../layout.generated';
import type { EditionTypes } from '../options/options';
import type { BodyId, Quat, Vec3 } from '../types';
import { BodyWorld } from './bodies';

const SPEED_LIMIT = 1e6;

/** `World`, part: motion. */
export abstract class MotionWorld<T extends EditionTypes> extends BodyWorld<T> {
  /**
   * Puts a body somewhere else at once: origin (world, m), rotation (kept if left out). Velocities stay; contacts are found
   * again. To push things out of the way use `moveKinematic`.
   */
  teleport(id: BodyId, position: Vec3, rotation?: Quat): void {
    this.alive();
    const index = this.registry.body(id);
    const p = checkPosition(position, 'position');
    const q = rotation === undefined ? this.rotations.subarray(4 * index, 4 * index + 4) : checkQuat(rotation, 'rotation');
    const at = this.movingPoint([p[0]!, p[1]!, p[2]!]);
    const [qx, qy, qz, qw] = [q[0]!, q[1]!, q[2]!, q[3]!];
    this.onBody(id, () => this.core.setPose(index, ...at(), qx, qy, qz, qw));
  }

  /**
   * Moves the origin: adds `offset` (m) to every position in the world at once, also while a step is in flight. For worlds that are
   * larger than single precision is fine: shift by minus the position of the player whenever that is a kilometer or so away, and move
   * by the same what you keep yourself. Nothing wakes, no event is sent, contacts keep their impulses, pictures between steps do not
   * smear. Bodies, their past poses, world points of joints, kinematic targets, points of `events` and controllers move; what you hand
   * in anew in each step, such as water, does not.
   * @throws TalusError `invalid-argument` for an offset beyond 1000 km, or one that would take a body farther away than that
   */
  shift(offset: Vec3): void {
    this.alive();
    const given = checkPosition(offset, 'offset');
    const [x, y, z] = [given[0]!, given[1]!, given[2]!];
    if (x === 0 && y === 0 && z === 0) return;
    const far = this.core.moveOrigin(x, y, z, MAX_COORDINATE) >>> 0;
    if (far !== 0) {
      const body = `body ${this.registry.bodyIdAt(far - 1)}`;
      const why = `offset would take ${body} farther than ${MAX_COORDINATE / 1000} km from the origin`;
      throw new TalusError(
        'invalid-argument',
        `${why}: shift by minus the position of the player, and remove what is left far behind`,
      );
    }
    this.shiftFlight([x, y, z]);
    this.events.shift(x, y, z);
    this.movers.shift([x, y, z]);
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
      const at = this.movingPoint([p[0]!, p[1]!, p[2]!]);
      this.onBody(id, () => this.core.applyImpulseAt(index, x, y, z, ...at()));
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
   * Pushes the dynamic bodies around a point away from it, at once. Returns how many it reached; while a step is in flight it acts
   * when that is done, and returns 0.
   * @throws TalusError `invalid-argument`
   */
  applyExplosion(explosion: Explosion): number {
    this.alive();
    if (!this.flying) return explode(this.fieldWorld, explosion);
    const at = this.movingPoint(Array.from(checkPosition(explosion?.position, 'explosion.position')));
    this.afterFlight(() => explode(this.fieldWorld, { ...explosion, position: at() }));
    return 0;
  }

  /**
   * Adds the pull of a point to the next step, on all dynamic bodies; call it before each step. Bodies that rest on something fall
   * asleep in a steady field. A sleeper wakes when the force of all fields on it changes by 1 % of itself or of its weight, also
   * when a field begins, or is not applied any more.
   * @throws TalusError `invalid-argument`
   */
  applyGravityField(field: GravityField): void {
    this.alive();
    attract(this.fieldWorld, field);
  }

  /**
   * Adds the lift and the drag of water to the next step, on all dynamic bodies that reach under its surface; call it before each
   * step. Balls are exact, other shapes are boxes of the same volume and middle. Gravity gives the direction of the lift. Bodies
   * that float or lie in still water fall asleep, and wake as in `applyGravityField`.
   * @throws TalusError `invalid-argument`
   */
  applyBuoyancy(water: Water): void {
    this.alive();
    float(this.fieldWorld, water);
  }

  private get fieldWorld(): FieldWorld {
    return { alive: () => this.alive(), core: this.core, memory: this.memory, registry: this.registry, masses: this.shapeMasses };
  }

  getGravityScale(id: BodyId): number {
    return this.coldNumber(id, BodyCold.gravityScale);
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

  /** Damping of the linear velocity, 1/s. */
  getLinearDamping(id: BodyId): number {
    return this.coldNumber(id, BodyCold.linearDamping);
  }

  /** Damping of the angular velocity, 1/s. */
  getAngularDamping(id: BodyId): number {
    return this.coldNumber(id, BodyCold.angularDamping);
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

  /** Limits the speeds of a body from the next step on (m/s, rad/s, 0 to infinity), where it is dynamic; fields that you leave out stay. */
  setSpeedLimits(id: BodyId, limits: Partial<SpeedLimits>): void {
    this.alive();
    const index = this.registry.body(id);
    checkKeys(limits, 'limits', ['linear', 'angular']);
    const { linear, angular } = { ...this.getSpeedLimits(id), ...limits };
    checkLimit(linear, 'limits.linear');
    checkLimit(angular, 'limits.angular');
    this.core.limitBody(index, linear, angular);
  }

  getLocks(id: BodyId): Required<Locks> {
    this.alive();
    return readTraits(this.memory, this.registry, this.registry.body(id)).locks;
  }

  /**
   * Locks axes of the world from now on, while the body is dynamic: its center of mass does not move along the axes of `translation`,
   * and it does not turn about those of `rotation`. Fields that you leave out stay. A body with locked rotations that are not all keeps its
   * angular velocity, not its angular momentum, while nothing acts on it.
   */
  setLocks(id: BodyId, locks: Locks): void {
    this.alive();
    const index = this.registry.body(id);
    const bits = lockBits(locks, 'locks', readLocks(this.memory, this.registry, index));
    this.onBody(id, () => this.core.setLocks(index, bits));
  }

  /** Whether a body is a bullet (`setBullet`, `BodyDesc.bullet`). */
  isBullet(id: BodyId): boolean {
    this.alive();
    return this.registry.isBullet(this.registry.body(id));
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

  isEnabled(id: BodyId): boolean {
    this.alive();
    return readTraits(this.memory, this.registry, this.registry.body(id)).enabled;
  }

  /**
   * Takes a body out of everything (collisions, queries, joints, motion), or back in. Its contacts end with their events, what
   * rested on it wakes, it comes to rest; it keeps its pose, mass and joints. Enabling finds contacts again.
   */
  setEnabled(id: BodyId, enabled: boolean): void {
    this.alive();
    const index = this.registry.body(id);
    checkBoolean(enabled, 'enabled');
    this.onBody(id, () => this.core.enableBody(index, enabled ? 1 : 0));
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

  /**
   * Puts a dynamic body to sleep where it is, with all that touches it or is jointed to it, until something wakes it. Steps find
   * contacts: call it for each body that was made since the last step. A level that is built asleep stays asleep.
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

  /** Wakes a body and its island. Contacts, forces and changes do that by themselves. */
  wake(id: BodyId): void {
    this.alive();
    const index = this.registry.body(id);
    this.onBody(id, () => this.core.wakeBody(index));
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
}
