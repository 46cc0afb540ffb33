// A world for characters in a frame of its own, turned and off the origin: lengths and directions of tests are those of the frame, with y
// up. It records what a character does to bodies, and gives its controller.
import { Character, type CharacterDesc } from '../../../src/controllers/index';
import { type BodyId, createWorld, type ShapeDesc, type World } from '../../../src/index';
import { columnsOf } from '../../helpers/random';
import { cross, multiply, rotationOf, scale, unit } from '../../helpers/vectors';
import { into, out, plus, type V } from './vehicle_model';

/** No turn about the up direction: boxes of characters then lie along the frame. */
const Q = [0.34, 0, 0.42, 0.81].map((x) => x / Math.hypot(0.34, 0.42, 0.81));
const FRAME = columnsOf(Q);
const ORIGIN: V = [1.5, -2, 0.7];

export const toWorld = (p: readonly number[]): V => plus(ORIGIN, out(FRAME, p));
export const toLocal = (p: readonly number[]): V => into(FRAME, plus(p, ORIGIN, -1));
/** Directions and velocities. */
export const outward = (v: readonly number[]): V => out(FRAME, v);
export const inward = (v: readonly number[]): V => into(FRAME, v);
export const turned = (q: readonly number[] = [0, 0, 0, 1]) => multiply(Q, q);

interface Controller {
  afterStep(dt: number): void;
  save(): number[];
  load(state: readonly number[] | null): void;
  shift(offset: V): void;
  isMoving(): boolean;
}

export interface Placed {
  position: readonly number[];
  rotation?: readonly number[];
  [more: string]: unknown;
}

export class Stage {
  /** Impulses and forces of characters on bodies, in the frame. */
  readonly acts: { call: string; body: BodyId; amount: V; point: V }[] = [];
  readonly controllers: Controller[] = [];
  /** The world as characters get it. */
  readonly watched: World;

  constructor(
    readonly world: World,
    readonly dt: number,
  ) {
    this.watched = new Proxy(world, {
      get: (target, key) => {
        const value = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (key === 'applyImpulse' || key === 'addForce') {
            const [body, amount, point] = args as [BodyId, number[], number[]];
            this.acts.push({ call: key, body, amount: inward(amount), point: toLocal(point) });
          }
          if (key === 'addController') this.controllers.push(args[0] as Controller);
          return value.apply(target, args);
        };
      },
    });
  }

  get controller(): Controller {
    return this.controllers.at(-1)!;
  }

  body(shape: ShapeDesc, { position, rotation, ...more }: Placed): BodyId {
    return this.world.createBody({
      type: 'static',
      shape: this.world.createShape(shape),
      position: toWorld(position),
      rotation: turned(rotation),
      ...more,
    } as never);
  }

  box(halfExtents: readonly number[], position: readonly number[], more: object = {}): BodyId {
    return this.body({ type: 'box', halfExtents } as ShapeDesc, { position, ...more });
  }

  /** A floor with its top at a height. */
  floor(height = 0): BodyId {
    return this.box([40, 1, 40], [0, height - 1, 0]);
  }

  /** A plane through a point with a normal: a face of a large box. */
  plane(point: readonly number[], normal: readonly number[], more: object = {}): BodyId {
    const axis = cross([0, 1, 0], normal);
    const angle = Math.atan2(Math.hypot(...axis), normal[1]!);
    const rotation = angle > 1e-9 ? rotationOf(scale(unit(axis), angle)) : undefined;
    return this.box([12, 1, 12], plus(point, normal, -1), { ...(rotation && { rotation }), ...more });
  }

  character({ position = [0, 0, 0], ...more }: Record<string, unknown> & { position?: readonly number[] } = {}): Character {
    const desc = { shape: CAPSULE, up: outward([0, 1, 0]), skin: SKIN, position: toWorld(position), acceleration: 1000, ...more };
    return new Character(this.watched, desc as unknown as CharacterDesc);
  }

  gravity(value: readonly number[] | number): void {
    this.world.set({ gravity: outward(typeof value === 'number' ? [0, -value, 0] : value) });
  }

  run(who: Character, steps: number, velocity: readonly number[] = [0, 0, 0], each?: () => void): void {
    for (let i = 0; i < steps; i++) {
      who.walk({ velocity: outward(velocity) });
      this.world.step();
      each?.();
    }
  }
}

export const SKIN = 0.02;
/** Its height is 1.7, its center 0.85 above its feet. */
export const RADIUS = 0.3;
export const CAPSULE: ShapeDesc = { type: 'capsule', radius: RADIUS, halfHeight: 0.55 };
export const BOX: ShapeDesc = { type: 'box', halfExtents: [0.3, 0.8, 0.25] };

export async function stageOf({ dt = 1 / 50, gravity = 9.81 as number | readonly number[] } = {}): Promise<Stage> {
  const world = await createWorld({ warn: false, dt });
  const stage = new Stage(world, dt);
  stage.gravity(gravity);
  return stage;
}

export const feetOf = (who: Character): V => toLocal(who.getPosition([0, 0, 0]));
export const velocityOf = (who: Character): V => inward(who.velocity);
