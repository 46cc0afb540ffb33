// Characters and vehicles of a world in another thread, for its page: commands are sent, and poses to draw are in the buffers
// with the poses of bodies, in slots of their own.

import { checkBoolean, checkNumber } from '../checks/validate';
import { writeComponents } from '../checks/vectors';
import { type CharacterDesc, checkCharacter, checkWalk, feetOf, type Walk } from '../controllers/character_desc';
import { type Controls, checkVehicle, type VehicleDesc } from '../controllers/vehicle_desc';
import { wheelPose } from '../controllers/wheel_pose';
import { type BodyId, type QuatSink, type ShapeDesc, TalusError, type Vec3, type Vec3Sink } from '../index';
import { vector } from '../rigs/check';
import type { Turn, Vector } from '../rigs/turns';

/** The functions of the page that players need. */
export interface PlayersPage {
  /** Sends a call to a player. */
  tell(player: number, call: string, args: readonly unknown[]): void;
  ask(player: number, call: string, args: readonly unknown[]): Promise<never>;
  /** Removes a player and frees its slots. */
  drop(player: number, slots: readonly number[], body: BodyId | null): void;
  /** Returns three numbers in a slot, interpolated, and the fourth one. */
  read(slot: number, alpha: number): Float32Array;
  flag(slot: number): number;
  alpha(): number;
  getPose(id: BodyId, position: Vec3Sink | null, rotation: QuatSink | null, alpha: number): void;
}

/** The common part of both kinds. */
abstract class Player {
  private active = true;
  private gone = false;

  constructor(
    protected readonly page: PlayersPage,
    protected readonly number: number,
    protected readonly slots: readonly number[],
  ) {}

  protected tell(call: string, ...args: readonly unknown[]): void {
    this.alive();
    this.page.tell(this.number, call, args);
  }

  protected alive(): void {
    if (this.gone) throw new TalusError('disposed', 'this controller was disposed: make another');
  }

  /** Whether the world moves it; default true. */
  get enabled(): boolean {
    return this.active;
  }

  set enabled(value: boolean) {
    this.tell('enabled', checkBoolean(value, 'enabled'));
    this.active = value;
  }

  /** Removes it. */
  protected end(body: BodyId | null): void {
    if (this.gone) return;
    this.gone = true;
    this.page.drop(this.number, this.slots, body);
  }
}

/**
 * A `Character` in the thread of a `TalusWorker`, created by `createCharacter`. Its getters return the state of the last
 * `frame()`.
 */
export class WorkerCharacter extends Player {
  /** @internal */
  constructor(
    page: PlayersPage,
    number: number,
    slots: readonly number[],
    /** The body that represents it in the world; null without one. Stays the same through `setShape`. */
    readonly body: BodyId | null,
  ) {
    super(page, number, slots);
  }

  /** As `Character.walk`: the velocity holds until the next call; the jump happens in the next step if it is grounded then. */
  walk(wish: Walk = {}): void {
    checkWalk(wish);
    this.tell('walk', wish);
  }

  /** Sets its velocity (world, m/s), to throw it. */
  setVelocity(velocity: Vec3): void {
    this.tell('setVelocity', vector(velocity, 'velocity'));
  }

  /** Moves its feet to another place at once. */
  teleport(position: Vec3): void {
    this.tell('teleport', vector(position, 'position'));
  }

  /** As `Character.setShape`. */
  setShape(shape: ShapeDesc): Promise<boolean> {
    this.alive();
    feetOf(shape);
    return this.page.ask(this.number, 'setShape', [shape]);
  }

  /** Whether it stands on ground that is not too steep. */
  get grounded(): boolean {
    return this.page.flag(this.slots[0]!) > 0;
  }

  /** Writes the position of its feet after the last step (world, m) to `out` and returns it. */
  getPosition<T extends Vec3Sink>(out: T): T {
    return this.getPose(out, 1);
  }

  /**
   * Writes the position at which to draw its feet (world, m) to `out` and returns it, interpolated as `TalusWorker.getPose` for
   * bodies.
   */
  getPose<T extends Vec3Sink>(out: T, alpha: number = this.page.alpha()): T {
    checkNumber(alpha, 'alpha', 0, 1);
    return writeComponents(this.page.read(this.slots[0]!, alpha), 0, 3, out);
  }

  /** Removes it, with its body and shape. */
  dispose(): void {
    this.end(this.body);
  }
}

const CONTROLS = ['throttle', 'brake', 'handbrake', 'steering'] as const;

/**
 * A `Vehicle` in the thread of a `TalusWorker`, created by `createVehicle`. Its getters return the state of the last `frame()`.
 */
export class WorkerVehicle extends Player {
  readonly body: BodyId;
  /** Input of the driver, as `Vehicle.controls`: each change is sent. */
  readonly controls: Controls;
  private readonly desc: ReturnType<typeof checkVehicle>;

  /** @internal */
  constructor(page: PlayersPage, number: number, slots: readonly number[], desc: VehicleDesc) {
    super(page, number, slots);
    this.desc = checkVehicle(desc);
    this.body = desc.body;
    const values: Controls = { throttle: 0, brake: 0, handbrake: 0, steering: 0 };
    const controls = {} as Controls;
    for (const key of CONTROLS) {
      Object.defineProperty(controls, key, {
        enumerable: true,
        get: () => values[key],
        set: (value: number) => {
          checkNumber(value, `controls.${key}`);
          if (values[key] !== value) this.tell('control', key, value);
          values[key] = value;
        },
      });
    }
    this.controls = controls;
  }

  /** Returns whether a wheel touches the ground. */
  isGrounded(index: number): boolean {
    return this.page.flag(this.slotOf(index)) > 0;
  }

  /** Writes the pose at which to draw a wheel, as `Vehicle.getWheelPose`, interpolated like the body. */
  getWheelPose(index: number, position: Vec3Sink, rotation: QuatSink, alpha: number = this.page.alpha()): void {
    const slot = this.slotOf(index);
    checkNumber(alpha, 'alpha', 0, 1);
    const origin: Vector = [0, 0, 0];
    const q: Turn = [0, 0, 0, 1];
    this.page.getPose(this.body, origin, q, alpha);
    const [travel, steer, angle] = this.page.read(slot, alpha) as unknown as [number, number, number];
    wheelPose(this.desc, this.desc.wheels[index]!.position, origin, q, position, rotation, { travel, steer, angle });
  }

  private slotOf(index: number): number {
    const slot = this.slots[index];
    if (slot === undefined)
      throw new TalusError('invalid-argument', `the vehicle has wheels 0 to ${this.slots.length - 1}, no wheel ${index}`);
    return slot;
  }

  /** Removes the vehicle. Its body stays. */
  dispose(): void {
    this.end(null);
  }
}

/** Checks the description of a character; returns the start of its feet. */
export function startOf(desc: CharacterDesc): { feet: Vector; hasBody: boolean } {
  const { position, presence } = checkCharacter(desc);
  return { feet: position, hasBody: presence !== 'none' };
}
