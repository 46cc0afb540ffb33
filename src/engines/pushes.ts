// For plugins of engines: effects that last for a frame, however many steps it has. These are forces, targets of moving bodies,
// and bodies that begin asleep.
import type { World } from '../index';
import { conjugate, multiply, type Turn, type Vector } from '../rigs/turns';
import type { BodyId, BodyType } from '../types';

/** A body as the plugin of an engine keeps it. */
export interface Pushed {
  readonly id: BodyId;
  readonly isAlive: boolean;
  readonly type: BodyType;
}

interface Push {
  data: Pushed;
  force: Vector | null;
  /** Point of the force (world). */
  point: Vector;
  torque: Vector | null;
}

interface Target {
  position: Vector;
  rotation: Turn;
  /** Steps that it still acts in. */
  steps: number;
}

export class Pushes {
  private now: Push[] = [];
  private frames = 0;
  private isUsed = false;
  private readonly targets = new Map<Pushed, Target>();
  private fresh = new Set<Pushed>();
  private readonly sleepers = new Set<Pushed>();

  constructor(private readonly world: World) {}

  force(data: Pushed, force: Vector, point: Vector): void {
    this.push({ data, force, point, torque: null });
  }

  torque(data: Pushed, torque: Vector): void {
    this.push({ data, force: null, point: [0, 0, 0], torque });
  }

  private push(push: Push): void {
    if (this.isUsed) this.clear();
    this.now.push(push);
  }

  private clear(): void {
    this.now = [];
    this.frames = 0;
    this.isUsed = false;
  }

  aim(data: Pushed, position: Vector, rotation: Turn): void {
    this.targets.set(data, { position, rotation, steps: 1 });
    this.fresh.add(data);
  }

  sleepLater(data: Pushed): void {
    this.sleepers.add(data);
  }

  /** Begins a frame of about `steps` steps. Forces of earlier frames that no step has used act in it, too. */
  frame(steps: number): void {
    if (this.isUsed) this.clear();
    this.frames++;
    for (const data of this.fresh) this.targets.get(data)!.steps = Math.max(1, Math.round(steps));
    this.fresh = new Set();
    for (const data of this.sleepers) {
      if (data.isAlive && data.type === 'dynamic' && this.world.settings.sleep) this.world.sleep(data.id);
    }
    this.sleepers.clear();
  }

  beforeStep(): void {
    const { world } = this;
    // Forces of several frames in one step: each acted for its part of it.
    const part = 1 / Math.max(1, this.frames);
    const by = (v: Vector): Vector => [v[0] * part, v[1] * part, v[2] * part];
    this.isUsed = true;
    for (const { data, force, point, torque } of this.now) {
      if (!data.isAlive || data.type !== 'dynamic') continue;
      if (force) world.addForce(data.id, by(force), point);
      if (torque) world.addTorque(data.id, by(torque));
    }
    for (const [data, target] of this.targets) {
      if (data.isAlive) this.approach(data, target);
      if (--target.steps <= 0) this.targets.delete(data);
    }
  }

  private approach({ id, type }: Pushed, { position, rotation, steps }: Target): void {
    const { world } = this;
    const from = world.getPosition(id, [0, 0, 0]);
    const before = world.getRotation(id, [0, 0, 0, 1]) as Turn;
    const t = 1 / steps;
    const sign = before.reduce((sum, x, i) => sum + x * rotation[i]!, 0) < 0 ? -1 : 1;
    const to = from.map((x, i) => x + t * (position[i]! - x));
    const mixed = before.map((x, i) => x + t * (sign * rotation[i]! - x));
    if (type === 'kinematic') world.moveKinematic(id, to, mixed);
    else if (type === 'static') world.teleport(id, to, mixed);
    else {
      // A dynamic body gets the velocity that would take it there.
      const { dt } = world.settings;
      const length = Math.hypot(...mixed);
      const way = multiply(
        mixed.map((x) => x / length),
        conjugate(before),
      );
      const s = Math.hypot(way[0], way[1], way[2]);
      const k = s > 1e-9 ? (2 * Math.atan2(s, way[3])) / (s * dt) : 0;
      world.setVelocity(
        id,
        to.map((x, i) => (x - from[i]!) / dt),
        [way[0] * k, way[1] * k, way[2] * k],
      );
    }
  }
}
