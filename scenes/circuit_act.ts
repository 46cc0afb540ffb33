// Drives the circuit: by itself towards a point ahead on the road, as fast as the bends allow, or as a player steers.
import type { Vehicle } from '../src/controllers/index';
import { type Act, backHome, Input, moveTo, type Stage } from './act';
import { ROAD_WIDTH, roadMiddle, WHEEL_RADIUS } from './circuit';
import { frameOf, join, turn } from './frames';
import type { Quat, Vec3 } from './types';

const MASS = 1100;
/** Half the track and half the base, height of the wheels in the body, m. */
const WHEELS = { side: 0.82, front: 1.3, y: WHEEL_RADIUS - 0.62 };
/** Largest steering angle, rad. */
const STEERING = 0.55;
/** What the driver asks of the tires, m/s2, and his top speed, m/s. */
const SIDEWAYS = 6;
const BRAKING = 4;
const TOP = 24;
/** How fast steering follows the keys, 1/s. */
const HANDS = 5;
/** Steps without motion until the car is put back on the road. */
const STUCK = 180;

export class CircuitAct implements Act {
  readonly input = new Input();
  readonly focus: number;
  heading = 0;
  private readonly car: Vehicle;
  private readonly road = roadMiddle();
  /** Speed that the bends allow at each point of the road, m/s. */
  private readonly speeds: Float64Array;
  private steps = 0;
  /** Nearest point of the road. */
  private place = 0;
  /** Points passed since the start of the lap. */
  private passed = 0;
  private lapStart = 0;
  private stuck = 0;
  private readonly laps: number[] = [];

  constructor(
    private readonly stage: Stage,
    from?: CircuitAct,
  ) {
    const { world, bodies, controllers } = stage;
    this.focus = stage.scene.parts!.car as number;
    const body = bodies[this.focus]!;
    this.speeds = this.plan();
    if (from) {
      const { heading, steps, place, passed, lapStart, stuck } = from;
      Object.assign(this, { heading, steps, place, passed, lapStart, stuck });
      this.laps.push(...from.laps);
      this.input.copy(from.input);
      this.car = from.car.clone(world);
      return;
    }
    // As low as engine and floor make it.
    const [w, h, l] = [1.7, 0.9, 4];
    const inertia = [(MASS * (h * h + l * l)) / 12, (MASS * (w * w + l * l)) / 12, (MASS * (w * w + h * h)) / 12, 0, 0, 0];
    world.setMass(body, { mass: MASS, center: [0, -0.2, 0], inertia });
    const wheel = (side: number, end: number) => ({
      position: [side * WHEELS.side, WHEELS.y, end * WHEELS.front],
      radius: WHEEL_RADIUS,
      friction: 1.1,
      bump: 0.2,
      droop: 0.2,
      frequency: 1.9,
      dampingRatio: 0.5,
    });
    this.car = new controllers.Vehicle(world, {
      body,
      drive: { torque: 2400, topSpeed: 38 },
      steering: STEERING,
      wheels: [
        { ...wheel(1, 1), steered: true, driven: true },
        { ...wheel(-1, 1), steered: true, driven: true },
        { ...wheel(1, -1), driven: true, handbrake: true },
        { ...wheel(-1, -1), driven: true, handbrake: true },
      ],
    });
    this.place = this.nearest(0, this.road.length / 2);
  }

  clone(stage: Stage): CircuitAct {
    return new CircuitAct(stage, this);
  }

  get result(): { laps: readonly number[]; aside: number; speed: number } {
    const [x, , z] = this.position;
    const aside = Math.hypot(x - this.road[2 * this.place]!, z - this.road[2 * this.place + 1]!);
    return { laps: this.laps, aside, speed: this.car.speed };
  }

  get status(): string {
    const lap = `lap ${this.laps.length + 1}: ${((this.steps - this.lapStart) / 60).toFixed(0)} s`;
    const best = this.laps.length > 0 ? ` · best ${Math.min(...this.laps).toFixed(1)} s` : '';
    return `${Math.round(Math.abs(this.car.speed) * 3.6)} km/h · ${this.input.isSteered ? 'yours' : 'by itself'} · ${lap}${best}`;
  }

  private get position(): Vec3 {
    return this.stage.world.getPosition(this.car.body, [0, 0, 0]);
  }

  tick(): void {
    const { input, car, stage } = this;
    if (!stage.world.isAlive(car.body)) return;
    this.steps++;
    input.tick();
    this.follow();
    if (input.isSteered) this.obey();
    else this.drive();
    this.rescue();
    this.show();
  }

  /** Speeds by the radius of the bends, then backwards by what the brakes can do. */
  private plan(): Float64Array {
    const { road } = this;
    const n = road.length / 2;
    const speeds = new Float64Array(n);
    const p = (i: number) => [road[2 * ((i + n) % n)]!, road[2 * ((i + n) % n) + 1]!] as const;
    const gap = (i: number) => Math.hypot(p(i + 1)[0] - p(i)[0], p(i + 1)[1] - p(i)[1]);
    for (let i = 0; i < n; i++) {
      const [a, b, c] = [p(i - 4), p(i), p(i + 4)];
      const [u, v] = [Math.hypot(b[0] - a[0], b[1] - a[1]), Math.hypot(c[0] - b[0], c[1] - b[1])];
      const w = Math.hypot(c[0] - a[0], c[1] - a[1]);
      const area = Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
      const curvature = (4 * area) / (u * v * w);
      speeds[i] = Math.min(TOP, Math.sqrt(SIDEWAYS / Math.max(curvature, 1e-3)));
    }
    for (let i = 2 * n - 1; i >= 0; i--) {
      const next = speeds[(i + 1) % n]!;
      speeds[i % n] = Math.min(speeds[i % n]!, Math.sqrt(next * next + 2 * BRAKING * gap(i % n)));
    }
    return speeds;
  }

  private nearest(from: number, count: number): number {
    const { road } = this;
    const n = road.length / 2;
    const [x, , z] = this.position;
    let best = from;
    let least = Infinity;
    for (let k = 0; k < count; k++) {
      const i = (from + k + n) % n;
      const d = Math.hypot(road[2 * i]! - x, road[2 * i + 1]! - z);
      if (d < least) {
        least = d;
        best = i;
      }
    }
    return best;
  }

  /** Where on the road it is, and whether a lap is done. */
  private follow(): void {
    const n = this.road.length / 2;
    const next = this.nearest(this.place - 8, 40);
    const way = ((next - this.place + n + n / 2) % n) - n / 2;
    this.passed += way;
    this.place = next;
    if (this.passed < n) return;
    this.passed -= n;
    this.laps.push((this.steps - this.lapStart) / 60);
    this.lapStart = this.steps;
  }

  private obey(): void {
    const { input, car } = this;
    const { controls, speed } = car;
    controls.steering += Math.min(Math.max(-input.right - controls.steering, -HANDS / 60), HANDS / 60);
    // Backwards is the brake until it stands.
    const braking = input.ahead < 0 && speed > 1;
    const turning = input.ahead > 0 && speed < -1;
    controls.throttle = braking || turning ? 0 : input.ahead;
    controls.brake = braking || turning ? 1 : 0;
    controls.handbrake = input.up ? 1 : 0;
  }

  private drive(): void {
    const { car, road, stage } = this;
    const n = road.length / 2;
    const speed = car.speed;
    const [x, , z] = this.position;
    // A point ahead, by distance along the road.
    const reach = 4 + 0.45 * Math.max(speed, 0);
    let i = this.place;
    for (let k = 0; k < n && Math.hypot(road[2 * i]! - x, road[2 * i + 1]! - z) < reach; k++) i = (i + 1) % n;
    const q = stage.world.getRotation(car.body, [0, 0, 0, 1]) as unknown as Quat;
    const forward = turn(q, [0, 0, 1]);
    const left = turn(q, [1, 0, 0]);
    const [dx, dz] = [road[2 * i]! - x, road[2 * i + 1]! - z];
    const far = Math.max(Math.hypot(dx, dz), 1);
    const aside = (left[0] * dx + left[2] * dz) / far;
    const ahead = forward[0] * dx + forward[2] * dz;
    const angle = ahead > 0 ? Math.atan((4 * WHEELS.front * aside) / far) : Math.sign(aside) * STEERING;
    car.controls.steering = Math.min(Math.max(angle / STEERING, -1), 1);
    const wish = this.speeds[(this.place + 3) % n]!;
    car.controls.throttle = Math.min(Math.max(0.6 * (wish - speed), 0), 1);
    car.controls.brake = Math.min(Math.max(0.3 * (speed - wish - 0.5), 0), 1);
    car.controls.handbrake = 0;
  }

  /** Back on the road when it lies on its back, is stuck or far away. */
  private rescue(): void {
    const { car, stage, road, place } = this;
    const q = stage.world.getRotation(car.body, [0, 0, 0, 1]) as unknown as Quat;
    const [x, y, z] = this.position;
    const idle = this.input.isSteered ? turn(q, [0, 1, 0])[1] < 0.2 : true;
    this.stuck = idle && Math.abs(car.speed) < 0.5 ? this.stuck + 1 : 0;
    const away = Math.hypot(x - road[2 * place]!, z - road[2 * place + 1]!);
    if (this.stuck < STUCK && y > -20 && away < (this.input.isSteered ? 60 : 2 * ROAD_WIDTH)) return;
    this.stuck = 0;
    this.place = this.nearest(0, road.length / 2);
    const i = this.place;
    const j = (i + 1) % (road.length / 2);
    const [dx, dz] = [road[2 * j]! - road[2 * i]!, road[2 * j + 1]! - road[2 * i + 1]!];
    const length = Math.hypot(dx, dz);
    backHome(stage, this.focus);
    const along: Vec3 = [dx / length, 0, dz / length];
    stage.world.teleport(car.body, [road[2 * i]!, 5, road[2 * i + 1]!], frameOf(along, [along[2], 0, -along[0]]));
  }

  /** The wheels that are seen, where the motion of the body will have brought them after the step. */
  private show(): void {
    const { car, stage } = this;
    const { world } = stage;
    const { dt } = world.settings;
    const q = world.getRotation(car.body, [0, 0, 0, 1]) as unknown as Quat;
    const origin = this.position;
    const center = turn(q, world.getCenterOfMass(car.body, [0, 0, 0]) as unknown as Vec3);
    const v = world.getLinearVelocity(car.body, [0, 0, 0]);
    const w = world.getAngularVelocity(car.body, [0, 0, 0]);
    const turned: Quat = join([(w[0] * dt) / 2, (w[1] * dt) / 2, (w[2] * dt) / 2, 1], [0, 0, 0, 1]);
    for (const [i, index] of (stage.scene.parts!.wheels as readonly number[]).entries()) {
      const at: [number, number, number] = [0, 0, 0];
      const rotation: [number, number, number, number] = [0, 0, 0, 1];
      car.getWheelPose(i, at, rotation, 1);
      const lever = turn(turned, [at[0] - origin[0] - center[0], at[1] - origin[1] - center[1], at[2] - origin[2] - center[2]]);
      const to = [0, 1, 2].map((k) => origin[k]! + center[k]! + v[k]! * dt + lever[k]!) as unknown as Vec3;
      moveTo(stage, index, to, join(turned, rotation));
    }
    const f = turn(q, [0, 0, 1]);
    this.heading = Math.atan2(-f[0], -f[2]);
  }
}
