// A world, part: the motion of bodies, and its limits.
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

/** Part of `World`: motion. */
export abstract class MotionWorld<T extends EditionTypes> extends BodyWorld<T> {
  /**
   * Moves a body to another place at once: origin (world, m) and rotation (kept if left out). Velocities stay, and contacts are
   * found again. To push other bodies out of the way, use `moveKinematic`.
   */
  teleport(id: BodyId, position: Vec3, rotation?: Quat): void {
    this.alive();
    const index = this.registry.body(id);
    const p = checkPosition(position, 'position');
    const q = rotation === undefined ? this.rotations.subarray(4 * index, 4 * index + 4) : checkQuat(rotation, 'rotation');
    const at = this.movingPoint([p[0]!, p[1]!, p[2]!]);
    const [qx, qy, qz, qw] = [q[0]!, q[1]!, q[2]!, q[3]!];
    this.onBody(id, () => {
      this.core.setPose(index, ...at(), qx, qy, qz, qw);
      this.relocations++;
    });
  }

  /**
   * Moves the origin: adds `offset` (m) to every position in the world at once, even while a step is in flight. Use it for worlds
   * of more than a few kilometers. When the player is a kilometer or so from the origin, shift by minus the player's position,
   * and move your own positions by the same offset. Nothing wakes, no event is emitted, contacts keep their impulses, and
   * interpolated poses do not smear.
   *
   * It moves bodies and their past poses, world points of joints, kinematic targets, points of `events`, and controllers. It does
   * not move anything that you pass in each step, such as water.
   * @throws TalusError `invalid-argument` for an offset beyond 1000 km, or if a body would end up farther away than that
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
        `${why}: shift by minus the position of the player, and remove bodies that are left far behind`,
      );
    }
    this.relocations++;
    this.shiftFlight([x, y, z]);
    this.events.shift(x, y, z);
    this.movers.shift([x, y, z]);
  }

  /**
   * Sets the velocity of the center of mass (world, m/s) and the angular velocity (world, rad/s; kept if left out) of a moving
   * body.
   */
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

  /** Sets the velocity of the center of mass of a moving body (world, m/s), at once. */
  setLinearVelocity(id: BodyId, linear: Vec3): void {
    this.setVelocity(id, linear);
  }

  /** Sets the angular velocity of a moving body (world, rad/s), at once. */
  setAngularVelocity(id: BodyId, angular: Vec3): void {
    this.setVelocity(id, this.getLinearVelocity(id, [0, 0, 0]), angular);
  }

  /**
   * Sets the target of a kinematic body: its origin (world, m) and rotation at the end of the next step. The body moves there
   * with constant velocity, carries and pushes the bodies it touches, and stops there unless it gets another target.
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

  /**
   * Adds a force (world, N) for the next step, at the center of mass or at a world point (m). Call it before each step for a
   * lasting force.
   */
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

  /** Adds a torque (world, N m) for the next step. */
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
   * Pushes the dynamic bodies around a point away from it, at once, and returns how many it reached. While a step is in flight it
   * acts after that step, and returns 0.
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
   * Adds the pull of a point to the next step, on all dynamic bodies. Call it before each step. Supported bodies fall asleep in a
   * steady field. A sleeping body wakes when the force of all fields on it changes by 1 % of itself or of its weight; it also
   * wakes when a field begins, or is not applied any more.
   * @throws TalusError `invalid-argument`
   */
  applyGravityField(field: GravityField): void {
    this.alive();
    attract(this.fieldWorld, field);
  }

  /**
   * Adds lift and drag of water to the next step, on all dynamic bodies that reach below its surface. Call it before each step.
   * Balls are exact; other shapes count as boxes of the same volume and center. The lift acts against gravity. Bodies that float
   * or lie in still water fall asleep, and wake as described at `applyGravityField`.
   * @throws TalusError `invalid-argument`
   */
  applyBuoyancy(water: Water): void {
    this.alive();
    float(this.fieldWorld, water);
  }

  private get fieldWorld(): FieldWorld {
    return { alive: () => this.alive(), core: this.core, memory: this.memory, registry: this.registry, masses: this.shapeMasses };
  }

  /** Returns the factor of gravity on a body; 1 by default. */
  getGravityScale(id: BodyId): number {
    return this.coldNumber(id, BodyCold.gravityScale);
  }

  /** Sets the factor on gravity of a body, from the next step on. */
  setGravityScale(id: BodyId, scale: number): void {
    this.alive();
    const index = this.registry.body(id);
    checkGravityScale(scale, 'scale');
    const f32 = this.memory.f32;
    const linear = f32[this.registry.coldWord(index, BodyCold.linearDamping)]!;
    const angular = f32[this.registry.coldWord(index, BodyCold.angularDamping)]!;
    this.core.setMotion(index, scale, linear, angular);
  }

  /** Returns the damping of the linear velocity, 1/s. */
  getLinearDamping(id: BodyId): number {
    return this.coldNumber(id, BodyCold.linearDamping);
  }

  /** Returns the damping of the angular velocity, 1/s. */
  getAngularDamping(id: BodyId): number {
    return this.coldNumber(id, BodyCold.angularDamping);
  }

  /**
   * Sets the damping of the linear and the angular velocity, 1/s. Each step multiplies them by 1 / (1 + damping dt). Sleeping
   * bodies stay asleep.
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

  /** Returns the speed limits of a body, m/s and rad/s, beside those of the world; infinity means none. */
  getSpeedLimits(id: BodyId): SpeedLimits {
    this.alive();
    const { maxLinearSpeed: linear, maxAngularSpeed: angular } = readTraits(this.memory, this.registry, this.registry.body(id));
    return { linear, angular };
  }

  /**
   * Sets speed limits of a body (m/s, rad/s, 0 to infinity), from the next step on, while it is dynamic. Fields that you leave
   * out stay.
   */
  setSpeedLimits(id: BodyId, limits: Partial<SpeedLimits>): void {
    this.alive();
    const index = this.registry.body(id);
    checkKeys(limits, 'limits', ['linear', 'angular']);
    const { linear, angular } = { ...this.getSpeedLimits(id), ...limits };
    checkLimit(linear, 'limits.linear');
    checkLimit(angular, 'limits.angular');
    this.core.limitBody(index, linear, angular);
  }

  /** Returns the world axes along and about which a body cannot move. */
  getLocks(id: BodyId): Required<Locks> {
    this.alive();
    return readTraits(this.memory, this.registry, this.registry.body(id)).locks;
  }

  /**
   * Locks axes of the world from now on, while the body is dynamic. Its center of mass does not move along the axes of
   * `translation`, and it does not turn about the axes of `rotation`. Fields that you leave out stay. With one or two locked
   * rotations, a body that nothing acts on keeps its angular velocity, not its angular momentum.
   */
  setLocks(id: BodyId, locks: Locks): void {
    this.alive();
    const index = this.registry.body(id);
    const bits = lockBits(locks, 'locks', readLocks(this.memory, this.registry, index));
    this.onBody(id, () => {
      // The core renews the contacts, which loses the impulses that the next step starts from.
      if (bits !== readLocks(this.memory, this.registry, index)) this.core.setLocks(index, bits);
    });
  }

  /** Returns whether a body is a bullet (`setBullet`, `BodyDesc.bullet`). */
  isBullet(id: BodyId): boolean {
    this.alive();
    return this.registry.isBullet(this.registry.body(id));
  }

  /**
   * Makes a dynamic body a bullet, from the next step on: it passes through no moving body, however slender or slow it is. Other
   * bodies have this guarantee only when they move farther than their size in a step. Wakes nothing.
   * @throws TalusError `stale-handle`, `invalid-argument`
   */
  setBullet(id: BodyId, bullet: boolean): void {
    this.alive();
    const index = this.registry.body(id);
    this.core.setBullet(index, checkBoolean(bullet, 'bullet'));
  }

  /** Returns whether a body is enabled: a disabled one neither moves nor collides. */
  isEnabled(id: BodyId): boolean {
    this.alive();
    return readTraits(this.memory, this.registry, this.registry.body(id)).enabled;
  }

  /**
   * Removes a body from collisions, queries, joints and motion, or puts it back. Disabling ends its contacts (with their events),
   * wakes bodies that it supported, and sets its velocity to zero. It keeps its pose, mass and joints. Enabling finds contacts
   * again.
   */
  setEnabled(id: BodyId, enabled: boolean): void {
    this.alive();
    const index = this.registry.body(id);
    checkBoolean(enabled, 'enabled');
    this.onBody(id, () => this.core.enableBody(index, enabled ? 1 : 0));
  }

  /**
   * Returns whether a body sleeps (setting `sleep`): it and all bodies that it touches are at rest, and steps skip it until
   * something wakes it.
   */
  isAsleep(id: BodyId): boolean {
    this.alive();
    return this.core.isAsleep(this.registry.body(id)) !== 0;
  }

  /** Number of sleeping bodies. */
  get sleepingCount(): number {
    this.alive();
    return this.memory.headerU32(Header.sleepingCount);
  }

  /**
   * Puts a dynamic body to sleep in place, with all bodies that touch it or have a joint with it, until something wakes them.
   * Steps find contacts, so call it for each body created since the last step. A level that is built asleep stays asleep.
   * @throws TalusError `unsupported` if it is not dynamic or not enabled, or if the setting `sleep` is off; `out-of-memory`
   */
  sleep(id: BodyId): void {
    this.alive();
    const index = this.dynamic(id);
    if (!this.resolved.sleep || !this.isEnabled(id)) {
      throw new TalusError('unsupported', `body ${id} cannot sleep: the setting sleep is off, or it is not enabled`);
    }
    this.onBody(id, () => this.checkMemory(this.core.sleepBody(index)));
  }

  /** Wakes a body and its island. Contacts, forces and changes wake bodies by themselves. */
  wake(id: BodyId): void {
    this.alive();
    const index = this.registry.body(id);
    this.onBody(id, () => this.core.wakeBody(index));
  }

  /** Returns whether a body may fall asleep. */
  getAllowSleep(id: BodyId): boolean {
    this.alive();
    return readTraits(this.memory, this.registry, this.registry.body(id)).allowSleep;
  }

  /** Sets whether a body may fall asleep. If not, its island stays awake too. */
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
