// The value of a ref of a joint.
import { Quaternion, Vector3 } from 'three';
import type { BodyId, JointChanges, JointId, JointState, World } from '../index';
import { MotorModel } from './constants';

/** A velocity motor that gives way, set before each step. */
interface SoftMotor {
  velocity: number;
  factor: number;
}

/** Motors of a world that are set before each step. */
const motors = new WeakMap<World, Set<JointApi>>();

/** Sets the motors of a world before a step. */
export function driveMotors(world: World): void {
  for (const joint of motors.get(world) ?? []) joint.drive();
}

/** A joint, while it exists. */
export class JointApi {
  private soft: SoftMotor | null = null;
  private model: number = MotorModel.AccelerationBased;
  /** Largest force (N) or torque (N m). */
  private most = Number.POSITIVE_INFINITY;

  constructor(
    readonly world: World,
    readonly id: JointId,
  ) {}

  /** Id of the joint, as `id`. */
  get handle(): JointId {
    return this.id;
  }

  isValid(): boolean {
    return this.world.hasJoint(this.id);
  }

  set(changes: JointChanges): void {
    if ('motor' in changes || 'spring' in changes) this.drop();
    this.world.setJoint(this.id, changes);
  }

  state(out?: JointState): JointState {
    return this.world.getJoint(this.id, out);
  }

  // ------------------------------------------------------------------------------------------------------ limits

  setLimits(min: number, max: number): void {
    this.set({ limit: { min, max } });
  }

  limitsEnabled(): boolean {
    return Boolean(this.state().settings.limit);
  }

  /** Returns the lower limit, m or rad; 0 without a limit. */
  limitsMin(): number {
    return this.state().settings.limit?.min ?? 0;
  }

  limitsMax(): number {
    return this.state().settings.limit?.max ?? 0;
  }

  setContactsEnabled(collide: boolean): void {
    this.set({ collide });
  }

  contactsEnabled(): boolean {
    return this.state().collide;
  }

  // ------------------------------------------------------------------------------------------------------ motors

  /** Sets whether factors of motors are accelerations, independent of the masses (default), or forces. */
  configureMotorModel(model: number): void {
    this.model = model;
  }

  /** Sets the largest force (N) or torque (N m) of motors; default without bound. */
  setMotorMaxForce(force: number): void {
    this.most = force;
  }

  /**
   * Drives the axis at a velocity (m/s or rad/s). As Rapier's motor it gives way to loads: per second it makes up for `factor`
   * times the missing velocity (1/s; by force N s/m or N m s/rad). For a stiff motor call `set({ motor: { velocity, maxForce }
   * })`.
   */
  configureMotorVelocity(velocity: number, factor: number): void {
    const { soft } = this;
    if (soft && soft.velocity === velocity && soft.factor === factor) return;
    this.soft = { velocity, factor };
    this.world.setJoint(this.id, { spring: null, motor: { velocity, maxForce: 0 } });
    const all = motors.get(this.world) ?? new Set();
    motors.set(this.world, all.add(this));
  }

  /** Drives the axis to a position (m or rad) by `stiffness` and `damping`: 1/s2 and 1/s, or by force N/m and N s/m. */
  configureMotorPosition(target: number, stiffness: number, damping: number): void {
    this.drop();
    const root = Math.sqrt(stiffness);
    const isForce = this.model === MotorModel.ForceBased;
    const by = isForce ? { stiffness, damping } : { frequency: root / (2 * Math.PI), dampingRatio: damping / (2 * root) };
    const bound = Number.isFinite(this.most) ? { maxForce: this.most } : {};
    this.world.setJoint(this.id, { motor: null, spring: { target, ...by, ...bound } });
  }

  /** Drives the axis to a position, or without stiffness at a velocity. */
  configureMotor(target: number, velocity: number, stiffness: number, damping: number): void {
    if (stiffness > 0) this.configureMotorPosition(target, stiffness, damping);
    else this.configureMotorVelocity(velocity, damping);
  }

  /** Stops the work before steps. @internal */
  drop(): void {
    this.soft = null;
    motors.get(this.world)?.delete(this);
  }

  /** Limits the force of a motor that gives way, by how much of its velocity is missing. @internal */
  drive(): void {
    const { world, id, soft } = this;
    if (!soft || !world.hasJoint(id)) {
      this.drop();
      return;
    }
    const { bodyA, bodyB, settings } = world.getJoint(id);
    const isAtRest = [bodyA, bodyB].every((body) => body === null || world.getType(body) !== 'dynamic' || world.isAsleep(body));
    if (isAtRest || !settings.motor) return;
    const { dt } = world.settings;
    const isHinge = settings.type === 'hinge';
    const turn = bodyA === null ? new Quaternion() : world.getRotation(bodyA, new Quaternion());
    const axis = new Vector3(0, 0, 1)
      .applyQuaternion(new Quaternion().fromArray(settings.frameA as number[]))
      .applyQuaternion(turn);
    const speed = (body: BodyId | null) => {
      if (body === null || world.getType(body) === 'static') return 0;
      const v = isHinge ? world.getAngularVelocity(body, new Vector3()) : world.getLinearVelocity(body, new Vector3());
      return v.dot(axis);
    };
    const lightness = this.lightness(bodyA, axis, isHinge) + this.lightness(bodyB, axis, isHinge);
    if (lightness === 0) return;
    const missing = Math.abs(soft.velocity - (speed(bodyB) - speed(bodyA)));
    // As the engine would if it took the factor as a damping: never past the velocity in one step.
    const rate = this.model === MotorModel.ForceBased ? soft.factor * lightness : soft.factor;
    const maxForce = Math.min(((rate / (1 + rate * dt)) * missing) / lightness, this.most);
    world.setJoint(id, { motor: { velocity: soft.velocity, maxForce } });
  }

  /** Returns the inverse mass or inertia of a body along or about an axis, 1/kg or 1/(kg m2). */
  private lightness(body: BodyId | null, axis: Vector3, isTurn: boolean): number {
    const { world } = this;
    if (body === null || world.getType(body) !== 'dynamic') return 0;
    const { mass, inertia } = world.getMassProperties(body);
    if (!isTurn) return 1 / mass;
    // About its center alone: other constraints of the body are unknown.
    const [x, y, z] = axis.clone().applyQuaternion(world.getRotation(body, new Quaternion()).invert()).toArray();
    const [xx, yy, zz, xy, xz, yz] = Array.from(inertia) as [number, number, number, number, number, number];
    return 1 / (xx * x * x + yy * y * y + zz * z * z + 2 * (xy * x * y + xz * x * z + yz * y * z));
  }
}
