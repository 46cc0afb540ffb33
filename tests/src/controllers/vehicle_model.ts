// A vehicle on rays in double precision, written apart from the sources: rotations are matrices, loads and rolling are found as roots
// of their conditions. And a world of hand-made ground under its wheels, which records the forces on bodies.
import type { VehicleWorld, WheelDesc } from '../../../src/controllers/vehicle_desc';
import type { BodyId, QueryHitArrays } from '../../../src/index';
import { type Columns, columnsOf } from '../../helpers/random';
import { cross, dot, scale, unit } from '../../helpers/vectors';

export type V = [number, number, number];

/** a + k b. */
export const plus = (a: readonly number[], b: readonly number[], k = 1): V => [
  a[0]! + k * b[0]!,
  a[1]! + k * b[1]!,
  a[2]! + k * b[2]!,
];
/** A vector of a frame, in the world; and one of the world, in the frame. */
export const out = ([x, y, z]: Columns, v: readonly number[]): V => plus(plus(scale(x, v[0]!), y, v[1]!), z, v[2]!);
export const into = (frame: Columns, v: readonly number[]): V => frame.map((column) => dot(column, v)) as V;
/** Rotation matrix about an axis of length 1. */
export const turnBy = (axis: readonly number[], angle: number): Columns =>
  columnsOf([...scale(axis, Math.sin(angle / 2)), Math.cos(angle / 2)] as number[]);

/** Solves a system of equations by elimination with pivots. */
export function solved(rows: readonly (readonly number[])[], right: readonly number[]): number[] {
  const n = right.length;
  const m = rows.map((row, i) => [...row, right[i]!]);
  for (let c = 0; c < n; c++) {
    const pivot = m.slice(c).reduce((best, row) => (Math.abs(row[c]!) > Math.abs(best[c]!) ? row : best));
    const at = m.indexOf(pivot);
    [m[c], m[at]] = [m[at]!, m[c]!];
    for (const row of m) {
      if (row === pivot) continue;
      const k = row[c]! / pivot[c]!;
      for (let j = c; j <= n; j++) row[j]! -= k * pivot[j]!;
    }
  }
  return m.map((row, i) => row[n]! / row[i]!);
}

/** The shares of supports at (x, y) that carry a weight at 0 0 with the least sum of squares. */
export function sharesOf(levers: readonly (readonly [number, number])[]): number[] {
  const conditions = [0, 1, 2].map((c) => levers.map(([x, y]) => [1, x, y][c]!));
  const sum = (a: number[], b: number[]) => a.reduce((s, x, i) => s + x * b[i]!, 0);
  const factors = solved(
    conditions.map((a) => conditions.map((b) => sum(a, b))),
    [1, 0, 0],
  );
  return levers.map(([x, y]) => factors[0]! + factors[1]! * x + factors[2]! * y);
}

export interface FakeBody {
  type: 'static' | 'kinematic' | 'dynamic';
  position: V;
  rotation: number[];
  velocity: V;
  spin: V;
  center: V;
  mass: number;
  /** xx yy zz xy xz yz about the center of mass. */
  inertia: number[];
  gravityScale: number;
}

/** A plane under a wheel. */
export interface Ground {
  body: BodyId;
  point: V;
  normal: V;
}

interface Controller {
  beforeStep(dt: number): void;
  afterStep(dt: number): void;
  save(): number[];
  load(state: readonly number[] | null): void;
  shift(offset: readonly [number, number, number]): void;
}

/** A world with bodies at rest in time, and one plane for each wheel: rays are asked for in the order of the wheels. */
export class FakeWorld {
  readonly bodies = new Map<BodyId, FakeBody>();
  grounds: (Ground | null)[] = [];
  readonly settings = { gravity: [0, -9.81, 0] as number[] };
  alpha = 0.25;
  controller: Controller | null = null;
  /** Of the vehicle: force and torque; of other bodies: forces at points. */
  readonly forces: { body: BodyId; force: V; point?: V }[] = [];
  readonly torques: { body: BodyId; torque: V }[] = [];
  readonly rays: { origin: V; direction: V; options: Record<string, unknown> }[] = [];

  get asWorld(): VehicleWorld {
    return this as unknown as VehicleWorld;
  }

  createBody(): void {
    // A world is known by it.
  }

  addController(controller: Controller): () => void {
    this.controller = controller;
    return () => {
      this.controller = null;
    };
  }

  body(id: BodyId): FakeBody {
    const body = this.bodies.get(id);
    if (!body) throw new Error(`no body ${id}`);
    return body;
  }

  isAlive(id: BodyId): boolean {
    return this.bodies.has(id);
  }

  getType = (id: BodyId) => this.body(id).type;
  getMass = (id: BodyId) => this.body(id).mass;
  getGravityScale = (id: BodyId) => this.body(id).gravityScale;
  getPosition = (id: BodyId, to: number[]) => Object.assign(to, this.body(id).position);
  getRotation = (id: BodyId, to: number[]) => Object.assign(to, this.body(id).rotation);
  getLinearVelocity = (id: BodyId, to: number[]) => Object.assign(to, this.body(id).velocity);
  getAngularVelocity = (id: BodyId, to: number[]) => Object.assign(to, this.body(id).spin);
  getCenterOfMass = (id: BodyId, to: number[]) => Object.assign(to, this.body(id).center);

  getMassProperties(id: BodyId) {
    const { mass, center, inertia } = this.body(id);
    return { mass, center, inertia };
  }

  /** Interpolated poses move along x. */
  getPose(id: BodyId, position: number[], rotation: number[], alpha: number): void {
    Object.assign(position, plus(this.body(id).position, [alpha, 0, 0]));
    Object.assign(rotation, this.body(id).rotation);
  }

  addForce(body: BodyId, force: V, point?: V): void {
    this.forces.push({ body, force, ...(point && { point }) });
  }

  addTorque(body: BodyId, torque: V): void {
    this.torques.push({ body, torque });
  }

  castRay(origin: V, direction: V, options: Record<string, unknown>): QueryHitArrays | null {
    const ground = this.grounds[this.rays.length % this.grounds.length];
    this.rays.push({ origin: [...origin], direction: [...direction], options: { ...options } });
    if (!ground) return null;
    const { body, point, normal } = ground;
    const distance = dot(plus(point, origin, -1), normal) / dot(direction, normal);
    if (!(distance >= 0 && distance <= (options.maxDistance as number))) return null;
    return { body, distance, point: plus(origin, direction, distance), normal } as unknown as QueryHitArrays;
  }
}

/** Wheels with all settings, flags as booleans. */
export type ModelWheel = Required<Omit<WheelDesc, 'position' | 'steered'>> & { position: V; steered: number };

export interface ModelDesc {
  wheels: ModelWheel[];
  drive: { torque: number; topSpeed: number; reverseSpeed: number; engineBrake: number };
  up: V;
  forward: V;
  steering: number;
  brakeTorque: number;
  handbrakeTorque: number;
  rollingResistance: number;
  grip: (body: BodyId) => number;
}

export interface ModelControls {
  throttle: number;
  brake: number;
  handbrake: number;
  steering: number;
}

interface Row {
  d: readonly number[];
  arm: readonly number[];
  /** Change of the angular velocity per impulse, of the speed along the row per impulse. */
  turned: V;
  k: number;
  ground: number;
  impulse: number;
}

const clamp = (x: number, least: number, most: number) => (x < least ? least : x > most ? most : x);
const slowed = (spin: number, by: number) => (spin > by ? spin - by : spin < -by ? spin + by : 0);

/** State of a wheel, and what it met in the last step. */
class WheelModel {
  grounded = false;
  travel = 0;
  load = 0;
  steer = 0;
  angle = 0;
  spin = 0;
  slip = 0;
  sideSlip = 0;
  sliding = false;
  turned = 0;
  point: V = [0, 0, 0];
  normal: V = [0, 1, 0];
  body: BodyId | null = null;
  rows: [Row, Row, Row] | null = null;
  driven = 0;
  braking = 0;
  friction = 0;
  rest = 0;
  stiffness = 0;
  damping = 0;
}

export class VehicleModel {
  readonly wheels: WheelModel[];
  /** How often each case occurred. */
  readonly cases: Record<string, number> = {};

  constructor(readonly desc: ModelDesc) {
    this.wheels = desc.wheels.map(() => new WheelModel());
  }

  private count(name: string): void {
    this.cases[name] = (this.cases[name] ?? 0) + 1;
  }

  /** Angles at which the axles of all wheels meet in one point, on the line of the fixed ones. */
  private steer(steering: number): void {
    const { wheels, forward, up } = this.desc;
    const left = cross(up, forward);
    const fixed = wheels.filter((wheel) => wheel.steered === 0).map((wheel) => dot(wheel.position, forward));
    const line = fixed.reduce((sum, x) => sum + x, 0) / fixed.length;
    for (const [i, { position, steered }] of wheels.entries()) {
      const asked = clamp(steering, -1, 1) * this.desc.steering * steered;
      const [x, y] = [dot(position, forward) - line, dot(position, left)];
      this.wheels[i]!.steer = asked;
      if (fixed.length === 0 || Math.abs(asked) < 1e-6 || Math.abs(x) < 1e-3) continue;
      const center = x / Math.tan(asked);
      // Past its own wheel the center is on the wrong side.
      if (center * (center - y) > 0) this.wheels[i]!.steer = Math.atan(x / (center - y));
      else this.count('center under the wheel');
    }
  }

  /** Returns the hit of the ray of a wheel: distance, body, point and normal. */
  private feel(i: number, world: FakeWorld, vehicle: FakeBody): { distance: number; point: V; ground: Ground } | null {
    const { up, wheels } = this.desc;
    const { position, radius, bump, droop } = wheels[i]!;
    const frame = columnsOf(vehicle.rotation);
    const top = plus(vehicle.position, out(frame, plus(position, up, bump + radius)));
    const down = out(frame, scale(up, -1));
    const ground = world.grounds[i];
    if (!ground) return null;
    const distance = dot(plus(ground.point, top, -1), ground.normal) / dot(down, ground.normal);
    if (distance < 0 || distance > 2 * radius + bump + droop) return null;
    if (-dot(down, ground.normal) <= 0.2) return null;
    return { distance, point: plus(top, down, distance), ground };
  }

  private engine(i: number, controls: ModelControls, dt: number): void {
    const { wheels, drive, brakeTorque, handbrakeTorque, rollingResistance } = this.desc;
    const own = wheels[i]!;
    const wheel = this.wheels[i]!;
    const inertia = (own.mass * own.radius * own.radius) / 2;
    const share = own.driven ? 1 / wheels.filter((one) => one.driven).length : 0;
    const throttle = clamp(controls.throttle, -1, 1);
    wheel.driven = wheel.spin;
    if (throttle !== 0) {
      const way = throttle < 0 ? -1 : 1;
      const top = (throttle < 0 ? drive.reverseSpeed : drive.topSpeed) / own.radius;
      const spin = wheel.spin * way;
      const torque = Math.abs(throttle) * drive.torque * share * clamp(1 - spin / top, 0, 1);
      const next = spin + (torque / inertia) * dt;
      wheel.driven = way * (spin > top ? spin : Math.min(next, top));
      this.count(spin > top ? 'beyond top speed' : spin < 0 ? 'against the throttle' : next > top ? 'up to top speed' : 'pulls');
    }
    let brakes = rollingResistance * wheel.load * own.radius;
    if (own.braked) brakes += clamp(controls.brake, 0, 1) * brakeTorque;
    if (own.handbrake) brakes += clamp(controls.handbrake, 0, 1) * handbrakeTorque;
    if (throttle === 0) brakes += drive.engineBrake * share;
    wheel.braking = (brakes / inertia) * dt;
  }

  /** A step of a vehicle with a body; returns what it applies to bodies. */
  step(world: FakeWorld, id: BodyId, controls: ModelControls, dt: number) {
    const { wheels, up, forward } = this.desc;
    const left = cross(up, forward);
    const body = world.body(id);
    const frame = columnsOf(body.rotation);
    const [xx, yy, zz, xy, xz, yz] = body.inertia as [number, number, number, number, number, number];
    const tensor = [
      [xx, xy, xz],
      [xy, yy, yz],
      [xz, yz, zz],
    ];
    const center = plus(body.position, out(frame, body.center));
    const fall = scale(world.settings.gravity, body.gravityScale);
    let v = plus(body.velocity, fall, dt);
    let w = body.spin;
    this.steer(controls.steering);
    const levers = wheels.map(({ position }) => plus(position, body.center, -1));
    const ideal = sharesOf(levers.map((lever) => [dot(lever, forward), dot(lever, left)]));
    const isEqual = ideal.some((share) => share < 0.02 / wheels.length);
    this.count(isEqual ? 'equal loads' : 'balanced loads');
    for (const [i, wheel] of this.wheels.entries()) {
      const own = wheels[i]!;
      const mass = body.mass * (isEqual ? 1 / wheels.length : ideal[i]!);
      const omega = 2 * Math.PI * own.frequency;
      wheel.rest = mass * Math.hypot(...fall);
      wheel.stiffness = mass * omega ** 2;
      wheel.damping = 2 * own.dampingRatio * mass * omega;
      this.engine(i, controls, dt);
      const hit = this.feel(i, world, body);
      wheel.grounded = hit !== null;
      wheel.rows = null;
      wheel.turned = 0;
      if (!hit) {
        this.count('in the air');
        Object.assign(wheel, { load: 0, slip: 0, sideSlip: 0, sliding: false, body: null });
        wheel.spin = slowed(wheel.driven, wheel.braking);
        this.roll(wheel, dt);
        continue;
      }
      wheel.body = hit.ground.body;
      wheel.point = hit.point;
      wheel.normal = hit.ground.normal;
      wheel.travel = Math.max(own.bump + 2 * own.radius - hit.distance, -own.droop);
      wheel.friction = own.friction * this.desc.grip(hit.ground.body);
      const axle = out(frame, out(turnBy(up, wheel.steer), left));
      const along = unit(cross(axle, wheel.normal));
      const under = world.body(hit.ground.body);
      const theirCenter = plus(under.position, out(columnsOf(under.rotation), under.center));
      const moves = plus(under.velocity, cross(under.spin, plus(hit.point, theirCenter, -1)));
      const lever = plus(hit.point, center, -1);
      const row = (d: readonly number[]): Row => {
        const arm = cross(lever, d);
        const turned = out(frame, solved(tensor, into(frame, arm)));
        const k = 1 / body.mass + dot(arm, turned);
        return { d, arm, turned, k, ground: under.type === 'static' ? 0 : dot(moves, d), impulse: 0 };
      };
      wheel.rows = [row(wheel.normal), row(along), row(cross(wheel.normal, along))];
    }
    const speed = (row: Row) => dot(v, row.d) + dot(w, row.arm) - row.ground;
    const take = (row: Row, impulse: number) => {
      v = plus(v, row.d, (impulse - row.impulse) / body.mass);
      w = plus(w, row.turned, impulse - row.impulse);
      row.impulse = impulse;
    };
    for (let sweep = 0; sweep < 12; sweep++) {
      for (const [i, wheel] of this.wheels.entries()) {
        if (!wheel.rows) continue;
        const own = wheels[i]!;
        const [normal, along, across] = wheel.rows;
        // Spring at the end of the step: J = dt (F(travel) - (dt k + c) v), with the speed v that J leaves.
        const before = normal.impulse;
        const free = speed(normal) - normal.k * before;
        const force = wheel.rest + wheel.stiffness * Math.min(wheel.travel, own.bump);
        const soft = dt * (dt * wheel.stiffness + wheel.damping);
        let load = Math.max(0, (dt * force - soft * free) / (1 + soft * normal.k));
        if (load === 0) this.count('no load');
        const over = wheel.travel - own.bump;
        if (over > 0) {
          const stop = (Math.min(over / 4 / dt, 2) - free) / normal.k;
          this.count(over / 4 / dt > 2 ? 'far beyond the travel' : 'beyond the travel');
          load = Math.max(load, stop);
        }
        take(normal, load);
        const most = wheel.friction * load * (wheel.sliding ? own.slidingGrip : 1);
        const inertia = (own.mass * own.radius ** 2) / 2;
        const spinAt = (impulse: number) => slowed(wheel.driven - (impulse * own.radius) / inertia, wheel.braking);
        // Rolls: the speed of the tire is that of the ground. What is asked of it grows with the impulse.
        const freely = speed(along) - along.k * along.impulse;
        const miss = (impulse: number) => freely + along.k * impulse - own.radius * spinAt(impulse);
        let least = -1;
        let greatest = 1;
        for (let k = 0; k < 60 && miss(least) > 0; k++) least *= 2;
        for (let k = 0; k < 60 && miss(greatest) < 0; k++) greatest *= 2;
        for (let k = 0; k < 80; k++) {
          const middle = (least + greatest) / 2;
          if (miss(middle) > 0) greatest = middle;
          else least = middle;
        }
        let forth = (least + greatest) / 2;
        let aside = across.impulse - speed(across) / across.k;
        this.count(spinAt(forth) === 0 ? 'held' : spinAt(forth) > 0 ? 'rolls forward' : 'rolls back');
        const asked = Math.hypot(forth, aside);
        wheel.sliding = asked > most;
        this.count(wheel.sliding ? 'slides' : 'sticks');
        if (wheel.sliding) [forth, aside] = [(forth * most) / asked, (aside * most) / asked];
        take(along, forth);
        take(across, aside);
        wheel.spin = spinAt(forth);
        wheel.slip = wheel.spin * own.radius - speed(along);
        wheel.sideSlip = speed(across);
      }
    }
    let [force, torque]: [V, V] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    const onGround: { body: BodyId; force: V; point: V }[] = [];
    for (const wheel of this.wheels) {
      if (!wheel.rows || wheel.body === null) continue;
      const own = wheel.rows.reduce<V>((sum, row) => plus(sum, row.d, row.impulse / dt), [0, 0, 0]);
      force = plus(force, own);
      torque = plus(torque, cross(plus(wheel.point, center, -1), own));
      wheel.load = wheel.rows[0].impulse / dt;
      this.roll(wheel, dt);
      if (world.getType(wheel.body) === 'dynamic')
        onGround.push({ body: wheel.body, force: scale(own, -1) as V, point: wheel.point });
    }
    return { force, torque, onGround };
  }

  private roll(wheel: WheelModel, dt: number): void {
    wheel.turned = wheel.spin * dt;
    const turns = (wheel.angle + wheel.turned) / (2 * Math.PI);
    wheel.angle = 2 * Math.PI * (turns - Math.trunc(turns));
  }

  /** After the step, with the body at its new pose. */
  follow(world: FakeWorld, id: BodyId, dt: number): void {
    for (const [i, wheel] of this.wheels.entries()) {
      const { radius, bump, droop } = this.desc.wheels[i]!;
      const hit = this.feel(i, world, world.body(id));
      wheel.travel = Math.max(hit ? bump + 2 * radius - hit.distance : wheel.travel - 5 * dt, -droop);
    }
  }
}
