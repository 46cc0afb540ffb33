// A vehicle whose wheels are rays: suspension, steering, drive, brakes and slip of a dynamic body, before each step of its world.
// Input: the body's pose and velocity, and the hits of its wheels' rays. Output: a force and a torque on the body, and forces on
// the bodies it stands on. After the step the rays measure the springs once more, so that wheels are drawn at the new pose of the
// body.
//
// Springs, tires and brakes are one small problem of impulses, solved by sweeps over the wheels. It starts from the velocity that
// gravity will have caused by the end of the step, so a parked car does not creep. Tires grip within a circle: sideways and
// lengthways impulses together are at most friction times load, and less while the tire slides.

import { checkBoolean, checkNumber, fail } from '../checks/validate';
import { type BodyId, type QuatSink, type QueryHitArrays, TalusError, type Vec3Sink } from '../index';
import { checkWorld, vector } from '../rigs/check';
import { add, conjugate, cross, dot, scale, sub, type Turn, turn, unit, type Vector } from '../rigs/turns';
import { type Controls, checkVehicle, type VehicleDesc, type VehicleWorld, type WheelSettings } from './vehicle_desc';
import { about, wheelPose } from './wheel_pose';

/** Sweeps over the wheels; four wheels agree after a few. */
const SWEEPS = 12;
/** Share of the motion beyond the end of the travel that is pushed back per step, and the largest speed of it (m/s). */
const BUMP_SHARE = 0.25;
const BUMP_SPEED = 2;
/** Steepest ground under a wheel: smallest cosine between its normal and the suspension. */
const LEAST_COSINE = 0.2;
/** Speed at which a spring pushes its wheel down in the air, m/s. */
const FALL = 5;

/** State of a wheel after the last step. */
export interface WheelState {
  /** Whether it touches the ground. */
  readonly grounded: boolean;
  /** The body it stands on; null in the air. */
  readonly body: BodyId | null;
  /** Point and normal of the ground under it, world. */
  readonly point: readonly number[];
  readonly normal: readonly number[];
  /** Height above its position when the vehicle rests on level ground, m; -droop to bump. */
  readonly travel: number;
  /** Load on the wheel, N. */
  readonly load: number;
  /** Steering angle, rad, positive to the left; rotation about its axle, rad; its rate, rad/s, positive forward. */
  readonly steer: number;
  readonly angle: number;
  readonly spin: number;
  /** Speed of the tire over the ground, m/s: lengthways (positive: it spins too fast) and sideways. */
  readonly slip: number;
  readonly sideSlip: number;
  /** Whether the tire slides, beyond its grip. */
  readonly sliding: boolean;
}

/** State of a vehicle beside its world, as numbers: `Vehicle.save`. */
export type VehicleState = readonly number[];

/** Numbers per state: of the vehicle, and of each wheel. */
const OWN_SIZE = 5;
const WHEEL_SIZE = 19;

/** One direction in which a wheel pushes the body. */
class Row {
  readonly direction = new Float64Array(3);
  /** Arm of the contact crossed with the direction, and the inverse inertia times that. */
  readonly arm = new Float64Array(3);
  readonly turned = new Float64Array(3);
  /** Velocity per impulse, 1/kg; velocity of the ground along the direction, m/s; impulse, N s. */
  response = 0;
  ground = 0;
  impulse = 0;
}

class Wheel implements WheelState {
  grounded = false;
  body: BodyId | null = null;
  point: Vector = [0, 0, 0];
  normal: Vector = [0, 1, 0];
  travel = 0;
  load = 0;
  steer = 0;
  angle = 0;
  spin = 0;
  slip = 0;
  sideSlip = 0;
  sliding = false;
  /** Force at the height of rest, stiffness, damping. */
  rest = 0;
  stiffness = 0;
  damping = 0;
  friction = 0;
  /** Largest change of spin by brakes and rolling resistance in this step, rad/s. */
  braking = 0;
  /** Spin with the torque of the engine, before ground and brakes. */
  driven = 0;
  /** For interpolation: its state before the last step, and how far it turned about its axle in that step, rad. */
  readonly before = { travel: 0, steer: 0, turned: 0 };
  readonly up = new Row();
  readonly along = new Row();
  readonly across = new Row();

  constructor(readonly settings: WheelSettings) {}

  get spinInertia(): number {
    return 0.5 * this.settings.mass * this.settings.radius ** 2;
  }

  save(): number[] {
    const { grounded, body, point, normal, travel, load, steer, angle, spin, slip, sideSlip, sliding, before } = this;
    const flags = [+grounded, +sliding, body ?? -1, ...point, ...normal];
    return [...flags, travel, load, steer, angle, spin, slip, sideSlip, before.travel, before.steer, before.turned];
  }

  restore(state: readonly number[]): void {
    const [grounded, sliding, body, x, y, z, nx, ny, nz, travel, load, steer, angle, spin, slip, sideSlip] = state as number[];
    Object.assign(this, { grounded: grounded !== 0, sliding: sliding !== 0, body: body === -1 ? null : body });
    Object.assign(this, { point: [x, y, z], normal: [nx, ny, nz], travel, load, steer, angle, spin, slip, sideSlip });
    const [pastTravel, pastSteer, turned] = state.slice(16);
    Object.assign(this.before, { travel: pastTravel, steer: pastSteer, turned });
  }

  /** Turns the wheel about its axle for a step. */
  roll(dt: number): void {
    this.before.turned = this.spin * dt;
    this.angle = (this.angle + this.spin * dt) % (2 * Math.PI);
  }
}

/**
 * A vehicle with rays for wheels, which its world drives in each step. Set `controls` whenever they change.
 * Its body never sleeps while springs carry it. With `enabled` false, or after `dispose`, it lies on its colliders like any body.
 */
export class Vehicle {
  readonly body: BodyId;
  /** Input of the driver: throttle -1 to 1, brake and handbrake 0 to 1, steering -1 (right) to 1 (left). */
  readonly controls: Controls = { throttle: 0, brake: 0, handbrake: 0, steering: 0 };
  readonly wheels: readonly WheelState[];
  private readonly own: readonly Wheel[];
  private readonly desc: ReturnType<typeof checkVehicle>;
  private readonly given: VehicleDesc;
  /** Mass (kg), center of mass and inverse inertia (rows) of the body, in its frame. */
  private mass = 0;
  private center: Vector = [0, 0, 0];
  private readonly inverse = new Float64Array(9);
  private readonly v = new Float64Array(3);
  private readonly w = new Float64Array(3);
  private active = true;
  /** The world was restored to a time before it was created. */
  private lost = false;
  /** Removes it from the world's controllers. */
  private readonly leave: () => void;

  /** @throws TalusError `invalid-argument`, `stale-handle`, `unsupported` (a body that is not dynamic) */
  constructor(
    private readonly world: VehicleWorld,
    desc: VehicleDesc,
  ) {
    checkWorld(world, 'a vehicle');
    this.desc = checkVehicle(desc);
    this.given = desc;
    this.body = desc.body;
    if (world.getType(desc.body) !== 'dynamic') throw new TalusError('unsupported', 'vehicle.body must be a dynamic body');
    this.own = this.desc.wheels.map((settings) => new Wheel(settings));
    this.wheels = this.own;
    this.weigh();
    this.leave = world.addController({
      beforeStep: (dt) => this.push(dt),
      afterStep: (dt) => this.follow(dt),
      save: () => this.save(),
      load: (state) => this.restore(state),
      shift: (offset) => {
        for (const wheel of this.own) wheel.point = add(wheel.point, [...offset]);
      },
    });
  }

  /** Whether its world drives it; default true. */
  get enabled(): boolean {
    return this.active;
  }

  set enabled(value: boolean) {
    this.active = checkBoolean(value, 'enabled');
  }

  /** Its speed along its forward direction, m/s. */
  get speed(): number {
    const q = this.world.getRotation(this.body, [0, 0, 0, 1] as Turn);
    return dot(this.world.getLinearVelocity(this.body, [0, 0, 0] as Vector), turn(q, this.desc.forward));
  }

  /**
   * Writes the pose at which to draw a wheel: its center (world, m) and its rotation, with the axle along the x axis of the wheel
   * if forward is z. It is interpolated between the last two steps like the body, by `World.getPose`.
   * @param alpha 0 to 1; default that of the last `advance`
   * @throws TalusError `invalid-argument`, `stale-handle` if the body was removed
   */
  getWheelPose(index: number, position: Vec3Sink, rotation: QuatSink, alpha: number = this.world.alpha): void {
    const wheel = this.own[index];
    if (!wheel) throw new TalusError('invalid-argument', `the vehicle has wheels 0 to ${this.own.length - 1}, no wheel ${index}`);
    checkNumber(alpha, 'alpha', 0, 1);
    const origin: Vector = [0, 0, 0];
    const q: Turn = [0, 0, 0, 1];
    this.world.getPose(this.body, origin, q, alpha);
    const { now, before } = this.drawn(index);
    const mix = (key: 'travel' | 'steer' | 'angle') => now[key] + (before[key] - now[key]) * (1 - alpha);
    const state = { travel: mix('travel'), steer: mix('steer'), angle: mix('angle') };
    wheelPose(this.desc, wheel.settings.position, origin, q, position, rotation, state);
  }

  /** @internal The values by which a wheel is drawn, after the last step and before it. */
  drawn(index: number): Record<'now' | 'before', { travel: number; steer: number; angle: number }> {
    const { travel, steer, angle, before } = this.own[index]!;
    return {
      now: { travel, steer, angle },
      before: { travel: before.travel, steer: before.steer, angle: angle - before.turned },
    };
  }

  /**
   * Whether there is something to drive: a dynamic body, in a world that was not restored to a time before the vehicle was
   * created.
   */
  private get isDriven(): boolean {
    const { world, body } = this;
    return this.active && !this.lost && world.isAlive(body) && world.getType(body) === 'dynamic';
  }

  /** Applies springs, tires and brakes for the step that begins. */
  private push(dt: number): void {
    for (const { before, travel, steer } of this.own) Object.assign(before, { travel, steer, turned: 0 });
    if (!this.isDriven) return;
    const { world, body } = this;
    this.weigh();
    const { gravity } = world.settings;
    const q = world.getRotation(body, [0, 0, 0, 1] as Turn);
    const origin = world.getPosition(body, [0, 0, 0] as Vector);
    const center = add(origin, turn(q, this.center));
    const fall = scale(vector(gravity, 'gravity'), world.getGravityScale(body) * dt);
    const v = world.getLinearVelocity(body, [0, 0, 0] as Vector);
    this.v.set(add(v, fall));
    this.w.set(world.getAngularVelocity(body, [0, 0, 0] as Vector));
    this.steer();
    this.loadSprings(Math.hypot(...fall) / dt);
    for (const wheel of this.own) this.touch(wheel, q, origin, center, dt);
    for (let sweep = 0; sweep < SWEEPS; sweep++) for (const wheel of this.own) if (wheel.grounded) this.solve(wheel, dt);
    this.give(dt);
  }

  /** Measures how far the springs are compressed after the step. */
  private follow(dt: number): void {
    if (!this.isDriven) return;
    const q = this.world.getRotation(this.body, [0, 0, 0, 1] as Turn);
    const origin = this.world.getPosition(this.body, [0, 0, 0] as Vector);
    for (const wheel of this.own) {
      const { bump, droop, radius } = wheel.settings;
      const hit = this.feel(wheel, q, origin);
      // A spring pushes its wheel down where nothing is under it.
      const travel = hit ? bump + 2 * radius - hit.distance : wheel.travel - FALL * dt;
      wheel.travel = Math.max(travel, -droop);
    }
  }

  /**
   * Returns its state beside the world, as numbers, to create it again in another world. Snapshots of its own world contain it
   * already.
   */
  save(): VehicleState {
    const { throttle, brake, handbrake, steering } = this.controls;
    return [throttle, brake, handbrake, steering, +this.active, ...this.own.flatMap((wheel) => wheel.save())];
  }

  /**
   * Continues from a saved state.
   * @throws TalusError `invalid-argument`
   */
  load(state: VehicleState): void {
    if (!Array.isArray(state) || state.length !== this.stateSize || !state.every(Number.isFinite))
      fail('state', `the result of \`save\` of a vehicle with ${this.own.length} wheels`, state);
    this.restore(state);
  }

  private get stateSize(): number {
    return OWN_SIZE + WHEEL_SIZE * this.own.length;
  }

  /** Continues from a saved state; null if its world was restored to a time before it was created. */
  private restore(state: VehicleState | null): void {
    this.lost = state?.length !== this.stateSize;
    if (!state || this.lost) return;
    const [throttle, brake, handbrake, steering, active] = state as number[];
    Object.assign(this.controls, { throttle, brake, handbrake, steering });
    this.active = active !== 0;
    for (const [i, wheel] of this.own.entries()) {
      const at = OWN_SIZE + WHEEL_SIZE * i;
      wheel.restore(state.slice(at, at + WHEEL_SIZE));
    }
  }

  /** Returns the same vehicle in a clone of its world. */
  clone(world: VehicleWorld): Vehicle {
    const twin = new Vehicle(world, this.given);
    twin.load(this.save());
    return twin;
  }

  /** Removes the vehicle from its world. Its body stays. */
  dispose(): void {
    this.leave();
  }

  /** Reads mass and inertia, which may change at any time. */
  private weigh(): void {
    const { mass, center, inertia } = this.world.getMassProperties(this.body);
    this.mass = mass;
    this.center = vector(center, 'center of mass');
    const [xx, yy, zz, xy, xz, yz] = inertia as unknown as [number, number, number, number, number, number];
    const a = yy * zz - yz * yz;
    const b = xz * yz - xy * zz;
    const c = xy * yz - xz * yy;
    const k = 1 / (xx * a + xy * b + xz * c);
    this.inverse.set(
      [a, b, c, b, xx * zz - xz * xz, xy * xz - xx * yz, c, xy * xz - xx * yz, xx * yy - xy * xy].map((x) => x * k),
    );
  }

  /** Sets the angles of the steered wheels: all turn about one center, on the line of the wheels that are not steered. */
  private steer(): void {
    const { left, forward, steering } = this.desc;
    const fixed = this.own.filter((wheel) => wheel.settings.steered === 0);
    const line = fixed.reduce((sum, wheel) => sum + dot(wheel.settings.position, forward), 0) / Math.max(fixed.length, 1);
    for (const wheel of this.own) {
      const angle = clamp(this.controls.steering, -1, 1) * steering * wheel.settings.steered;
      const base = dot(wheel.settings.position, forward) - line;
      if (fixed.length === 0 || Math.abs(angle) < 1e-6 || Math.abs(base) < 1e-3) {
        wheel.steer = angle;
        continue;
      }
      const radius = base / Math.tan(angle);
      const own = radius - dot(wheel.settings.position, left);
      wheel.steer = Math.sign(own) === Math.sign(radius) ? Math.atan(base / own) : angle;
    }
  }

  /** Computes the spring forces that carry the vehicle level at its height of rest: the least unequal loads that balance it. */
  private loadSprings(gravity: number): void {
    const { forward, left } = this.desc;
    const shares = balance(
      this.own.map((wheel) => {
        const lever = sub(wheel.settings.position, this.center);
        return [dot(lever, forward), dot(lever, left)] as const;
      }),
    );
    this.own.forEach((wheel, i) => {
      const mass = this.mass * shares[i]!;
      const omega = 2 * Math.PI * wheel.settings.frequency;
      wheel.rest = mass * gravity;
      wheel.stiffness = mass * omega * omega;
      wheel.damping = 2 * wheel.settings.dampingRatio * mass * omega;
    });
  }

  /** Finds the ground under a wheel, and prepares its rows. */
  private touch(wheel: Wheel, q: Turn, origin: Vector, center: Vector, dt: number): void {
    const { settings } = wheel;
    const { radius, bump, droop } = settings;
    const hit = this.feel(wheel, q, origin);
    this.drive(wheel, dt);
    wheel.grounded = hit !== null;
    if (!hit) {
      wheel.body = null;
      wheel.load = wheel.slip = wheel.sideSlip = 0;
      wheel.sliding = false;
      wheel.spin = release(wheel.driven, wheel.braking);
      wheel.roll(dt);
      return;
    }
    wheel.body = hit.body;
    wheel.point = [hit.point[0], hit.point[1], hit.point[2]];
    wheel.normal = [hit.normal[0], hit.normal[1], hit.normal[2]];
    wheel.travel = Math.max(bump + 2 * radius - hit.distance, -droop);
    wheel.friction = settings.friction * (this.desc.grip?.(hit) ?? 1);
    const axle = turn(q, turn(about(this.desc.up, wheel.steer), this.desc.left));
    const along = unit(cross(axle, wheel.normal), turn(q, this.desc.forward));
    const across = cross(wheel.normal, along);
    const lever = sub(wheel.point, center);
    const ground = this.groundVelocity(hit.body, wheel.point);
    this.fill(wheel.up, wheel.normal, lever, ground, q);
    this.fill(wheel.along, along, lever, ground, q);
    this.fill(wheel.across, across, lever, ground, q);
  }

  /** Returns the ground that a wheel can stand on, or null. */
  private feel(wheel: Wheel, q: Turn, origin: Vector): QueryHitArrays | null {
    const { radius, bump, droop, position } = wheel.settings;
    const { world, body } = this;
    const { up, mask } = this.desc;
    const down = turn(q, scale(up, -1));
    const top = add(origin, turn(q, add(position, scale(up, bump + radius))));
    const hit = world.castRay(top, down, { maxDistance: 2 * radius + bump + droop, mask, excludeBody: body });
    return hit && -dot(hit.normal as Vector, down) > LEAST_COSINE ? hit : null;
  }

  private groundVelocity(id: BodyId, point: Vector): Vector {
    const { world } = this;
    if (world.getType(id) === 'static') return [0, 0, 0];
    const q = world.getRotation(id, [0, 0, 0, 1] as Turn);
    const center = add(world.getPosition(id, [0, 0, 0] as Vector), turn(q, world.getCenterOfMass(id, [0, 0, 0] as Vector)));
    const w = world.getAngularVelocity(id, [0, 0, 0] as Vector);
    return add(world.getLinearVelocity(id, [0, 0, 0] as Vector), cross(w, sub(point, center)));
  }

  private fill(row: Row, d: Vector, lever: Vector, ground: Vector, q: Turn): void {
    const arm = cross(lever, d);
    const [x, y, z] = turn(conjugate(q), arm);
    const k = this.inverse;
    const turned = turn(q, [
      k[0]! * x + k[1]! * y + k[2]! * z,
      k[3]! * x + k[4]! * y + k[5]! * z,
      k[6]! * x + k[7]! * y + k[8]! * z,
    ]);
    row.direction.set(d);
    row.arm.set(arm);
    row.turned.set(turned);
    row.response = 1 / this.mass + dot(arm, turned);
    row.ground = dot(ground, d);
    row.impulse = 0;
  }

  /** Adds the torque of the engine to the spin of a wheel, and finds how much brakes may take from it. */
  private drive(wheel: Wheel, dt: number): void {
    const { settings, spinInertia } = wheel;
    const { drive, brakeTorque, handbrakeTorque, rollingResistance } = this.desc;
    const { brake, handbrake } = this.controls;
    const throttle = clamp(this.controls.throttle, -1, 1);
    // The engine turns as fast as the wheel: at the top speed it has no torque left, and makes no more spin than that.
    const top = (throttle < 0 ? drive.reverseSpeed : drive.topSpeed) / settings.radius;
    const forward = wheel.spin * Math.sign(throttle);
    const fade = clamp(1 - forward / top, 0, 1);
    const gain = Math.abs(throttle) * fade * drive.torque * settings.driven * (dt / spinInertia);
    wheel.driven = Math.sign(throttle) * Math.max(Math.min(forward + gain, top), forward);
    if (throttle === 0) wheel.driven = wheel.spin;
    const torque =
      clamp(brake, 0, 1) * brakeTorque * settings.braked +
      clamp(handbrake, 0, 1) * handbrakeTorque * settings.handbrake +
      (throttle === 0 ? drive.engineBrake * settings.driven : 0) +
      rollingResistance * wheel.load * settings.radius;
    wheel.braking = (torque * dt) / spinInertia;
  }

  private solve(wheel: Wheel, dt: number): void {
    const { up, along, across, settings } = wheel;
    // Spring: the force that it will have at the end of the step.
    const soft = dt * (dt * wheel.stiffness + wheel.damping);
    const before = up.impulse;
    let vn = this.velocity(up);
    const spring = dt * (wheel.rest + wheel.stiffness * Math.min(wheel.travel, settings.bump));
    let next = Math.max((spring - soft * (vn - up.response * before)) / (1 + soft * up.response), 0);
    const over = wheel.travel - settings.bump;
    if (over > 0) {
      const target = Math.min((over * BUMP_SHARE) / dt, BUMP_SPEED);
      next = Math.max(next, before + (target - vn) / up.response);
    }
    this.take(up, next - before);

    // Tire: sticks, unless that takes more than its grip.
    const limit = wheel.friction * next * (wheel.sliding ? settings.slidingGrip : 1);
    const free = this.velocity(along) - along.response * along.impulse;
    let lengthways = rolling(wheel, free, along.response);
    let sideways = across.impulse - this.velocity(across) / across.response;
    const asked = Math.hypot(lengthways, sideways);
    wheel.sliding = asked > limit;
    if (wheel.sliding) {
      lengthways *= limit / asked;
      sideways *= limit / asked;
    }
    this.take(along, lengthways - along.impulse);
    this.take(across, sideways - across.impulse);
    vn = this.velocity(along);
    wheel.spin = release(wheel.driven - (along.impulse * settings.radius) / wheel.spinInertia, wheel.braking);
    wheel.slip = wheel.spin * settings.radius - vn;
    wheel.sideSlip = this.velocity(across);
  }

  /** Returns the velocity of the body at a contact along a row, relative to the ground. */
  private velocity(row: Row): number {
    return (
      dot(this.v as unknown as Vector, row.direction as unknown as Vector) +
      dot(this.w as unknown as Vector, row.arm as unknown as Vector) -
      row.ground
    );
  }

  private take(row: Row, impulse: number): void {
    const k = impulse / this.mass;
    for (let i = 0; i < 3; i++) {
      this.v[i]! += k * row.direction[i]!;
      this.w[i]! += impulse * row.turned[i]!;
    }
    row.impulse += impulse;
  }

  /** Applies the impulses as forces of the next step, on the body and on the ground. */
  private give(dt: number): void {
    let force: Vector = [0, 0, 0];
    let torque: Vector = [0, 0, 0];
    for (const wheel of this.own) {
      if (!wheel.grounded) continue;
      let own: Vector = [0, 0, 0];
      for (const row of [wheel.up, wheel.along, wheel.across]) {
        own = add(own, scale(row.direction as unknown as Vector, row.impulse / dt));
        torque = add(torque, scale(row.arm as unknown as Vector, row.impulse / dt));
      }
      force = add(force, own);
      wheel.load = wheel.up.impulse / dt;
      wheel.roll(dt);
      if (wheel.body !== null && this.world.getType(wheel.body) === 'dynamic')
        this.world.addForce(wheel.body, scale(own, -1), wheel.point);
    }
    this.world.addForce(this.body, force);
    this.world.addTorque(this.body, torque);
  }
}

/**
 * Returns the impulse lengthways with which the tire rolls without slip: v + K J = r spin(J), where brakes hold the spin at 0 as
 * far as they can.
 */
function rolling(wheel: Wheel, v: number, response: number): number {
  const { radius } = wheel.settings;
  const share = radius / wheel.spinInertia;
  const held = -v / response;
  if (Math.abs(wheel.driven - held * share) <= wheel.braking) return held;
  const forward = (radius * (wheel.driven - wheel.braking) - v) / (response + radius * share);
  if (wheel.driven - forward * share > wheel.braking) return forward;
  return (radius * (wheel.driven + wheel.braking) - v) / (response + radius * share);
}

/** Returns a spin after the brakes have taken their share. */
const release = (spin: number, braking: number) => Math.sign(spin) * Math.max(Math.abs(spin) - braking, 0);

const clamp = (x: number, min: number, max: number) => Math.min(Math.max(x, min), max);

/**
 * Returns the shares of the weight on supports at (x, y) from the center of mass: the least squares of all shares that sum to 1
 * without moment. If such loads would have to pull (the center is outside), all are equal.
 */
export function balance(levers: readonly (readonly [number, number])[]): number[] {
  const n = levers.length;
  let [x, y, xx, yy, xy] = [0, 0, 0, 0, 0];
  for (const [a, b] of levers) {
    x += a;
    y += b;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  // Normal equations of the three conditions; a trifle on the diagonal for wheels in one line.
  const e = 1e-9 * (1 + xx + yy);
  const a = (xx + e) * (yy + e) - xy * xy;
  const b = xy * y - x * (yy + e);
  const c = x * xy - (xx + e) * y;
  const k = 1 / (n * a + x * b + y * c);
  const shares = levers.map(([u, v]) => k * (a + b * u + c * v));
  return shares.every((share) => share > 0.02 / n) ? shares : levers.map(() => 1 / n);
}
