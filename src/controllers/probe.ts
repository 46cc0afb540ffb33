// The senses of a character: casts and contacts of its shape, rays, motion of the bodies it meets; and the body that represents
// it, if any.
import {
  type BodyId,
  createQueryHit,
  type QueryHitArrays,
  type ShapeCastOptions,
  type ShapeDesc,
  type ShapeId,
  TalusError,
  type World,
} from '../index';
import { add, cross, scale, sub, type Turn, turn, type Vector } from '../rigs/turns';
import type { checkCharacter } from './character_desc';

/** The calls of a world that a character uses. */
export type CharacterWorld = Pick<
  World,
  | 'addController'
  | 'addForce'
  | 'alpha'
  | 'applyImpulse'
  | 'castRay'
  | 'castShape'
  | 'contactShape'
  | 'createBody'
  | 'createShape'
  | 'getAngularVelocity'
  | 'getCenterOfMass'
  | 'getLinearVelocity'
  | 'getMass'
  | 'getPosition'
  | 'getRotation'
  | 'getType'
  | 'isAlive'
  | 'moveKinematic'
  | 'overlapShapeAny'
  | 'removeBody'
  | 'removeShape'
  | 'setEnabled'
  | 'settings'
  | 'teleport'
>;

/** A surface that the character meets. */
export interface Contact {
  readonly body: BodyId;
  readonly point: Vector;
  /** Normal of the surface, towards the character. */
  readonly normal: Vector;
  /** Share of the path to it. */
  readonly fraction: number;
  /** Depth of an overlap, m; otherwise 0. */
  readonly depth: number;
}

/** Returns a vector without negative zeros, which JSON does not keep. */
const vectorOf = (v: ArrayLike<number>): Vector => [v[0]! + 0, v[1]! + 0, v[2]! + 0];

const contactOf = (hit: QueryHitArrays): Contact => ({
  body: hit.body,
  point: vectorOf(hit.point),
  normal: vectorOf(hit.normal),
  fraction: hit.fraction,
  depth: Math.max(-hit.distance, 0),
});

/** The shape of a character in its world, with the queries about it. Positions are those of the feet. */
export class Probe {
  private readonly hit = createQueryHit();
  private readonly hits: QueryHitArrays[] = [];
  private readonly options: ShapeCastOptions;
  private shape: ShapeId;
  private body: BodyId | null = null;
  /** Distance vector from the feet to the origin of the shape. */
  private lift: Vector;

  constructor(
    private readonly world: CharacterWorld,
    private readonly desc: ReturnType<typeof checkCharacter>,
    saved?: readonly number[],
  ) {
    this.shape = saved ? (saved[0] as ShapeId) : world.createShape(desc.shape);
    this.lift = scale(desc.up, desc.feet);
    // Where it overlaps something already it may move out of it.
    this.options = { mask: desc.mask, stopAtPenetration: false };
    if (saved) {
      this.load(saved);
      return;
    }
    try {
      // As high as it will stand: its own sensor does not touch the ground.
      this.body = this.makeBody(add(desc.position, scale(desc.up, desc.skin)));
    } catch (error) {
      world.removeShape(this.shape);
      throw error;
    }
    this.options.excludeBody = this.body;
  }

  private makeBody(feet: Vector): BodyId | null {
    const { presence, category, rotation } = this.desc;
    if (presence === 'none') return null;
    return this.world.createBody({
      type: 'kinematic',
      shape: this.shape,
      position: add(feet, this.lift),
      rotation,
      category,
      sensor: presence === 'sensor',
    });
  }

  /** Returns the first hit of its shape, from its feet at `from` along a path (m). It may ignore one body (`through`). */
  cast(from: Vector, way: Vector, through?: BodyId): Contact | null {
    const options =
      through === undefined ? this.options : { ...this.options, filter: (_: unknown, body: BodyId) => body !== through };
    const hit = this.world.castShape(this.shape, add(from, this.lift), this.desc.rotation, way, options, this.hit);
    return hit && contactOf(hit);
  }

  /** Returns all overlaps with its feet at a place, deepest first. */
  overlaps(feet: Vector): Contact[] {
    const { mask } = this.desc;
    const at = add(feet, this.lift);
    const options = { mask, excludeBody: this.body };
    const count = this.world.contactShape(this.shape, at, this.desc.rotation, options, this.hits);
    return this.hits.slice(0, count).map(contactOf);
  }

  /** Returns the hit of a ray, or null. */
  ray(from: Vector, direction: Vector, reach: number): Contact | null {
    const options = { mask: this.desc.mask, excludeBody: this.body, maxDistance: reach };
    const hit = this.world.castRay(from, direction, options, this.hit);
    return hit && contactOf(hit);
  }

  /** Gives it another shape with the same feet; returns false if that would overlap something. */
  setShape(desc: ShapeDesc, feet: number, position: Vector): boolean {
    const shape = this.world.createShape(desc);
    const lift = scale(this.desc.up, feet);
    // A skin higher, so that the ground is not in its way.
    const at = add(add(position, lift), scale(this.desc.up, this.desc.skin));
    if (this.world.overlapShapeAny(shape, at, this.desc.rotation, { mask: this.desc.mask, excludeBody: this.body })) {
      this.world.removeShape(shape);
      return false;
    }
    const [oldShape, oldBody] = [this.shape, this.body];
    this.shape = shape;
    this.lift = lift;
    this.body = this.makeBody(position);
    this.options.excludeBody = this.body;
    if (oldBody !== null) this.world.removeBody(oldBody);
    this.world.removeShape(oldShape);
    return true;
  }

  enable(value: boolean): void {
    if (this.body !== null && this.world.isAlive(this.body)) this.world.setEnabled(this.body, value);
  }

  get bodyId(): BodyId | null {
    return this.body;
  }

  /** Returns its state as numbers. */
  save(): number[] {
    return [this.shape, this.body ?? -1, ...this.lift];
  }

  load([shape, body, x, y, z]: readonly number[]): void {
    this.shape = shape as ShapeId;
    this.body = body === -1 ? null : (body as BodyId);
    this.lift = [x!, y!, z!];
    this.options.excludeBody = this.body;
  }

  poseOf(body: BodyId): { position: Vector; rotation: Turn } {
    return {
      position: this.world.getPosition(body, [0, 0, 0] as Vector),
      rotation: this.world.getRotation(body, [0, 0, 0, 1] as Turn),
    };
  }

  /** Height of the shape's origin above its feet, m. */
  get height(): number {
    return Math.hypot(...this.lift);
  }

  centerOf(body: BodyId): Vector {
    const { position, rotation } = this.poseOf(body);
    return add(position, turn(rotation, this.world.getCenterOfMass(body, [0, 0, 0] as Vector)));
  }

  /** Returns the velocity of a point of a body (world, m/s). */
  velocityAt(body: BodyId, point: Vector): Vector {
    const { world } = this;
    if (world.getType(body) === 'static') return [0, 0, 0];
    const center = this.centerOf(body);
    const w = world.getAngularVelocity(body, [0, 0, 0] as Vector);
    return add(world.getLinearVelocity(body, [0, 0, 0] as Vector), cross(w, sub(point, center)));
  }

  /** Moves its body there within the next step, or at once. */
  place(feet: Vector, atOnce: boolean): void {
    if (this.body === null || !this.world.isAlive(this.body)) return;
    const at = add(feet, this.lift);
    if (atOnce) this.world.teleport(this.body, at);
    else this.world.moveKinematic(this.body, at);
  }

  dispose(): void {
    const { world, body, shape } = this;
    this.body = null;
    try {
      if (body !== null && world.isAlive(body)) world.removeBody(body);
      world.removeShape(shape);
    } catch (error) {
      // The world was disposed before.
      if (!(error instanceof TalusError && error.code === 'disposed')) throw error;
    }
  }
}
