// What a scene does by itself as it runs, step by step: who walks, drives, fires, lifts. An act knows a world by its public API and
// the bodies of the scene by their indices; it draws nothing and reads no clock, so that a run is the same every time.
import type { Character, CharacterWorld, Vehicle, VehicleWorld } from '../src/controllers/index';
import type { BodyId, World } from '../src/index';
import type { Quat, Scene, Vec3 } from './types';

export type ActWorld = CharacterWorld & VehicleWorld & Pick<World, 'applyBuoyancy' | 'setMass' | 'setVelocity'>;

/** Where an act plays. The controllers are those of the package that the world is of. */
export interface Stage {
  scene: Scene;
  world: ActWorld;
  /** In the order of the scene. */
  bodies: readonly BodyId[];
  controllers: { Character: typeof Character; Vehicle: typeof Vehicle };
}

/** Steps after which an act goes on by itself when nobody steers. */
const PATIENCE = 240;

/** What a player asks for. */
export class Input {
  /** -1 to 1. */
  right = 0;
  ahead = 0;
  /** Jump, or the brake of a car. */
  up = false;
  /** Crouch. */
  down = false;
  /** Direction of the view about y, rad: 0 looks along -z. */
  yaw = 0;
  private idle = PATIENCE;

  /** Whether a player has it, or the act itself. */
  get isSteered(): boolean {
    return this.idle < PATIENCE;
  }

  /** Once a step. */
  tick(): void {
    this.idle = this.right !== 0 || this.ahead !== 0 || this.up || this.down ? 0 : this.idle + 1;
  }

  copy(from: Input): this {
    const { right, ahead, up, down, yaw, idle } = from;
    return Object.assign(this, { right, ahead, up, down, yaw, idle });
  }
}

export interface Act {
  /** Between two steps: before the first one, and after each. */
  tick(): void;
  /** The same act in a clone of the world, from here on. */
  clone(stage: Stage): Act;
  /** There where a player may steer. */
  readonly input?: Input;
  /** Index of the body that a camera follows. */
  readonly focus?: number;
  /** Where that looks about y, rad: 0 is -z. */
  readonly heading?: number;
  /** How it stands, in a few words. */
  readonly status?: string;
}

export type ActMaker = (stage: Stage) => Act;

const AT_REST: Vec3 = [0, 0, 0];

/** Puts a body where the scene had it, at rest. */
export function backHome({ scene, world, bodies }: Stage, index: number): void {
  const id = bodies[index]!;
  if (!world.isAlive(id)) return;
  const { position, rotation } = scene.bodies;
  world.teleport(id, position.subarray(3 * index, 3 * index + 3), rotation.subarray(4 * index, 4 * index + 4));
  world.setVelocity(id, AT_REST, AT_REST);
}

/** Moves a kinematic body there within the next step, if it is still there. */
export function moveTo({ world, bodies }: Stage, index: number, position: Vec3, rotation?: Quat): void {
  const id = bodies[index]!;
  if (world.isAlive(id)) world.moveKinematic(id, position, rotation);
}
