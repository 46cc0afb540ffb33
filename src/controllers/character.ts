// A walking character: slides along walls, climbs steps, stands on slopes and moving ground, pushes bodies with a mass of its
// own. Input: a wish to walk, and hits of casts of its shape. Output: its position and velocity, and impulses on bodies that it
// pushes or stands on.
//
// Its world moves it at the end of each step, when bodies have their new poses. So it stands exactly on moving ground, its pose
// and theirs belong to one moment, and nothing depends on the frame rate.
//
// The character is not a body: it moves by casts of its shape, each stopped a skin before the hit. A hit removes the part of the
// motion that goes into the surface; two surfaces leave the line between them, three nothing. A dynamic body takes its share by
// the two masses: both then have one speed along the normal.

import { checkBoolean, checkNumber, fail } from '../checks/validate';
import { writeComponents } from '../checks/vectors';
import { type BodyId, type ShapeDesc, TalusError, type Vec3, type Vec3Sink } from '../index';
import { checkWorld, vector } from '../rigs/check';
import { add, conjugate, cross, dot, length, multiply, scale, sub, type Turn, turn, unit, type Vector } from '../rigs/turns';
import { type CharacterDesc, checkCharacter, checkWalk, feetOf, type Walk } from './character_desc';
import { type CharacterWorld, type Contact, Probe } from './probe';

/** Casts per step: corners of two walls and a floor take four. */
const CASTS = 6;
/** Rounds of pushing the character out of overlaps, and the largest push in one step, m. */
const ROUNDS = 6;
const MOST_PUSHED = 0.5;
/** Largest distance along its path that it keeps from grazed surfaces, in skins. */
const SKINS = 8;
/** Shorter motion counts as none, m. */
const NOTHING = 1e-5;
/**
 * Distance below it in which it looks for ground after it was placed: this many skins, and one over the cosine of the steepest
 * slope.
 */
const SKINS_BELOW = 2;
/** Stairs whose mean slope is the steepest one are climbed in spite of rounding: their treads may be shorter by this factor. */
const RUN = 0.98;
/** Height above an edge, in skins, at which the line begins that the next surfaces must stay below. */
const CLEARANCE = 0.02;
/** Distance from an edge, in skins, at which it looks for the faces beside it. */
const BESIDE = 0.25;
/** Cosine between normals of one face. */
const SAME_NORMAL = 0.9999;

/**
 * A surface that the motion of a step does not enter, and the limit it sets: d . normal >= least; `least` is below 0 for a body
 * that gives way.
 */
interface Plane {
  readonly normal: Vector;
  readonly least: number;
}

/** State of a character beside its world, as numbers: `Character.save`. */
export type CharacterState = readonly number[];

/** Numbers per state: five vectors and five numbers, ground, pose of the ground's body, its parts in the world. */
const OWN_SIZE = 20;
const GROUND_SIZE = 9;
const STATE_SIZE = OWN_SIZE + GROUND_SIZE + 7 + 5;
const NO_GROUND: readonly number[] = [-1, ...new Array<number>(GROUND_SIZE + 6).fill(0)];

/**
 * A character: a convex shape that its world moves in each step, over steps, slopes and moving ground. Call `walk` whenever its
 * wish changes, and draw it at `getPose`.
 */
export class Character {
  /**
   * Its velocity (world, m/s). You may set it, to jump or to throw the character. After a step it is what obstacles have left of
   * it.
   */
  readonly velocity: Vector = [0, 0, 0];
  private readonly probe: Probe;
  private readonly desc: ReturnType<typeof checkCharacter>;
  /** Position of its feet, a skin above the ground. */
  private position: Vector;
  /** Position before the last step. */
  private before: Vector;
  /** Its wish: a velocity, and a jump in the next step. */
  private wish: Vector = [0, 0, 0];
  private jump = 0;
  private active = true;
  /** It was placed here: if there is ground right under it, it stands on it. */
  private placed = true;
  /** The world was restored to a time before it was created: its body and shape no longer exist. */
  private lost = false;
  /** Removes it from the world's controllers; null once it was disposed. */
  private leave: (() => void) | null;
  private ground: Contact | null = null;
  /** Pose of the ground's body at the end of the last step. */
  private groundPose: { position: Vector; rotation: Turn } | null = null;
  private carried = 0;
  private turned = 0;
  /** Velocity of kinematic ground under its feet (world, m/s). */
  private rideVelocity: Vector = [0, 0, 0];
  /** Velocity of the frame in which its motion is measured: that of the ground; 0 in the air and while the ground carries it. */
  private base: Vector = [0, 0, 0];
  /** Half of the velocity that gravity added in this step, to be taken back. */
  private falling: Vector = [0, 0, 0];
  private readonly planes: Plane[] = [];
  /** Speeds along the normal of bodies that it pushed in this step: each body is pushed once. */
  private readonly pushed = new Map<BodyId, number>();

  /**
   * @param saved a result of `save`, to continue from there in a restored or cloned world; then it creates nothing in the world
   * @throws TalusError `invalid-argument`, `degenerate-shape`, `out-of-memory`
   */
  constructor(
    private readonly world: CharacterWorld,
    desc: CharacterDesc,
    saved?: CharacterState,
  ) {
    checkWorld(world, 'a character');
    this.desc = checkCharacter(desc);
    this.position = add(this.desc.position, scale(this.desc.up, this.desc.skin));
    this.before = this.position;
    if (saved) checkState(saved);
    this.probe = new Probe(world, this.desc, saved?.slice(-5));
    if (saved) this.load(saved);
    this.leave = world.addController({
      afterStep: (dt) => this.step(dt),
      save: () => this.save(),
      load: (state) => this.restore(state),
      shift: (offset) => this.shift(offset),
      isMoving: () => this.isMoving(),
    });
  }

  /** Whether it stands on ground that is not too steep. */
  get grounded(): boolean {
    return this.ground !== null;
  }

  /** The body it stands on; null in the air, or if that body was removed. */
  get groundBody(): BodyId | null {
    return this.ground && this.world.isAlive(this.ground.body) ? this.ground.body : null;
  }

  /** Writes the unit normal of the ground (world) to `out` and returns it; the up direction in the air. */
  getGroundNormal<T extends Vec3Sink>(out: T): T {
    return writeComponents(this.ground?.normal ?? this.desc.up, 0, 3, out);
  }

  /**
   * Writes the velocity of the ground at its feet (world, m/s; 0 in the air) to `out` and returns it. `velocity` minus this is
   * the speed over the ground, which animations need.
   */
  getGroundVelocity<T extends Vec3Sink>(out: T): T {
    return writeComponents(this.groundVelocity(), 0, 3, out);
  }

  /**
   * Writes the position of its feet after the last step (world, m) to `out` and returns it. The feet are the lowest point of its
   * shape on the axis through its origin.
   */
  getPosition<T extends Vec3Sink>(out: T): T {
    return writeComponents(sub(this.position, scale(this.desc.up, this.desc.skin)), 0, 3, out);
  }

  /**
   * Writes the position at which to draw its feet (world, m) to `out` and returns it. It is interpolated between the last two
   * steps, as `World.getPose` for bodies.
   * @param alpha 0 to 1; default that of the last `advance`
   * @throws TalusError `invalid-argument`, `disposed`
   */
  getPose<T extends Vec3Sink>(out: T, alpha: number = this.world.alpha): T {
    checkNumber(alpha, 'alpha', 0, 1);
    const at = add(this.position, scale(sub(this.before, this.position), 1 - alpha));
    return writeComponents(sub(at, scale(this.desc.up, this.desc.skin)), 0, 3, out);
  }

  /**
   * Returns the angle (rad) by which moving ground has turned it about the up direction since the last call. Turn your camera by
   * it. It counts up to the interpolated moment that is drawn, as `getPose`.
   */
  takeTurn(): number {
    const left = (1 - this.world.alpha) * this.turned;
    const taken = this.carried - left;
    this.carried = left;
    return taken;
  }

  /** Moves its feet to another place at once, without interpolation. Its velocity stays. */
  teleport(position: Vec3): void {
    this.alive();
    const feet = checkCharacter({ ...this.desc.given, position }).position;
    this.position = add(feet, scale(this.desc.up, this.desc.skin));
    this.before = this.position;
    this.placed = true;
    this.leaveGround();
    this.probe.place(this.position, true);
  }

  /**
   * Gives it another shape with the same feet, for example to crouch or to stand up.
   * @returns false, with no change, if something is in the way
   * @throws TalusError `invalid-argument`, `degenerate-shape`
   */
  setShape(shape: ShapeDesc): boolean {
    this.alive();
    const fits = this.probe.setShape(shape, feetOf(shape), this.position);
    if (fits && !this.active) this.probe.enable(false);
    return fits;
  }

  /**
   * Sets how it shall move. Call it once per frame, or whenever that changes. The velocity holds until the next call. The jump
   * happens in the next step if it is grounded then, so no jump is lost between two frames.
   * @throws TalusError `invalid-argument`, `disposed`
   */
  walk(wish: Walk = {}): void {
    this.alive();
    checkWalk(wish);
    this.wish = flat(wish.velocity ?? [0, 0, 0], this.desc.up);
    if (wish.jump !== undefined && wish.jump > 0) this.jump = wish.jump;
  }

  /**
   * Whether its world moves it; default true. While it is false, the character stays in place and touches nothing: for example
   * its driver sits in a car, or a ragdoll lies in its place.
   */
  get enabled(): boolean {
    return this.active;
  }

  set enabled(value: boolean) {
    this.alive();
    checkBoolean(value, 'enabled');
    if (value === this.active) return;
    this.active = value;
    this.placed = true;
    this.leaveGround();
    this.probe.enable(value);
  }

  /** Throws after `dispose`. */
  private alive(): void {
    if (this.leave === null)
      throw new TalusError('disposed', 'this character was disposed: create another one by new Character()');
  }

  /** Moves it by one step. */
  private step(dt: number): void {
    this.before = this.position;
    this.turned = 0;
    if (!this.active || this.lost) return;
    const { wish: walk, jump } = this;
    this.jump = 0;
    this.planes.length = 0;
    this.pushed.clear();
    this.base = [0, 0, 0];
    this.ride(dt);
    if (this.placed) this.emerge();
    this.pushOut();
    if (this.placed) this.stand();
    this.placed = false;
    const was = this.ground !== null;
    this.falling = [0, 0, 0];
    this.base = this.groundVelocity();
    this.steer(walk, jump, dt, was);
    const jumped = dot(this.velocity, this.desc.up) - this.groundSpeed() > 0.05 && jump > 0;
    const leaving = jumped || !was;
    // In the air the mean of two velocities: the parabola, whatever the length of the step. On the ground gravity has not moved
    // it.
    const wish = scale(sub(add(this.velocity, this.falling), this.base), dt);
    this.slide(wish, dt, was && !jumped);
    this.keepVelocity(wish, dt);
    this.findGround(was && !jumped, leaving);
    this.weigh();
    this.probe.place(this.position, false);
  }

  /** The body that represents it in the world, or null; `setShape` replaces it. */
  get body(): BodyId | null {
    return this.probe.bodyId;
  }

  /**
   * Returns its state beside the world, as numbers, to create it again in another world. Snapshots of its own world contain it
   * already.
   */
  save(): CharacterState {
    const { position, velocity, rideVelocity, before, wish, carried, turned, jump, active, placed, ground, groundPose } = this;
    const own = [...position, ...velocity, ...rideVelocity, ...before, ...wish, carried, turned, jump, +active, +placed];
    const under =
      ground && groundPose
        ? [
            ground.body,
            ...ground.point,
            ...ground.normal,
            ground.fraction,
            ground.depth,
            ...groundPose.position,
            ...groundPose.rotation,
          ]
        : NO_GROUND;
    return [...own, ...under, ...this.probe.save()];
  }

  /**
   * Continues from a saved state.
   * @throws TalusError `invalid-argument`
   */
  load(state: CharacterState): void {
    this.alive();
    checkState(state);
    this.restore(state);
  }

  /** Follows a shift of the world's origin. */
  private shift(offset: readonly [number, number, number]): void {
    const by: Vector = [...offset];
    const { ground, groundPose } = this;
    this.position = add(this.position, by);
    this.before = add(this.before, by);
    if (ground) this.ground = { ...ground, point: add(ground.point, by) };
    if (groundPose) this.groundPose = { ...groundPose, position: add(groundPose.position, by) };
  }

  /** Continues from a saved state; null if its world was restored to a time before it was created. */
  private restore(state: CharacterState | null): void {
    this.lost = state?.length !== STATE_SIZE;
    if (!state || this.lost) return;
    let at = 0;
    const take = <N extends number>(count: N) => {
      at += count;
      return state.slice(at - count, at);
    };
    const three = () => take(3) as unknown as Vector;
    this.position = three();
    this.set(three());
    this.rideVelocity = three();
    this.before = three();
    this.wish = three();
    const [carried, turned, jump, active, placed, body] = take(6) as [number, number, number, number, number, number];
    Object.assign(this, { carried, turned, jump, active: active !== 0, placed: placed !== 0 });
    const [point, normal, [fraction, depth]] = [three(), three(), take(2) as [number, number]];
    const pose = { position: three(), rotation: take(4) as unknown as Turn };
    this.ground = body === -1 ? null : { body: body as BodyId, point, normal, fraction, depth };
    this.groundPose = body === -1 ? null : pose;
    this.probe.load(take(5));
  }

  /** Returns the same character in a clone of its world. */
  clone(world: CharacterWorld): Character {
    return new Character(world, this.desc.given, this.save());
  }

  /** Removes it, with its body and shape if the world still exists. You cannot use it afterwards. */
  dispose(): void {
    this.leave?.();
    this.leave = null;
    if (!this.lost) this.probe.dispose();
    this.lost = true;
  }

  /** Whether the next step moves it. */
  private isMoving(): boolean {
    if (!this.active || this.lost) return false;
    if (this.placed || this.jump > 0 || this.wish.some(Boolean)) return true;
    return length(sub(this.position, this.before)) > NOTHING || length(sub(this.velocity, this.groundVelocity())) > 1e-3;
  }

  // ------------------------------------------------------------------------------------------------------ velocity

  /** Returns the velocity that the walk asks for: along the ground on it, and in the air by gravity and a little of the wish. */
  private steer(wish: Vector, jump: number, dt: number, grounded: boolean): void {
    const { up, acceleration, airAcceleration } = this.desc;
    const { base } = this;
    if (grounded) {
      const own = sub(this.velocity, base);
      const next = approach(flat(own, up), wish, acceleration * dt);
      // Along the slope: as fast as on the level.
      const normal = this.ground!.normal;
      const onSlope = sub(next, scale(up, dot(next, normal) / Math.max(dot(normal, up), 0.1)));
      const speed = length(next);
      this.set(add(base, scale(unit(onSlope, next), speed)));
      if (jump > 0) {
        this.set(add(add(flat(this.velocity, up), scale(up, Math.max(dot(base, up), 0))), scale(up, jump)));
        this.leaveGround();
        this.fall(dt);
      }
      return;
    }
    const level = flat(this.velocity, up);
    const next = length(wish) > 0 ? approach(level, wish, airAcceleration * dt) : level;
    this.set(add(next, scale(up, dot(this.velocity, up))));
    this.fall(dt);
  }

  private fall(dt: number): void {
    const change = scale(vector(this.world.settings.gravity, 'gravity'), this.desc.gravityScale * dt);
    this.set(add(this.velocity, change));
    this.falling = scale(change, -0.5);
  }

  private set(v: Vector): void {
    this.velocity[0] = v[0];
    this.velocity[1] = v[1];
    this.velocity[2] = v[2];
  }

  /** Sets the velocity to what obstacles have left of it. Steps up and down are not velocity. */
  private keepVelocity(wish: Vector, dt: number): void {
    const kept = add(this.base, scale(clip(wish, this.planes), 1 / dt));
    this.set(sub(kept, clip(this.falling, still(this.planes))));
  }

  // ------------------------------------------------------------------------------------------------------ motion

  /** Moves it by the motion of the ground in the last step. */
  private ride(dt: number): void {
    const { ground, groundPose } = this;
    if (!ground || !groundPose) return;
    if (!this.world.isAlive(ground.body)) {
      this.leaveGround();
      return;
    }
    const now = this.probe.poseOf(ground.body);
    const turned = multiply(now.rotation, conjugate(groundPose.rotation));
    const to = add(now.position, turn(turned, sub(this.position, groundPose.position)));
    const way = sub(to, this.position);
    const { up } = this.desc;
    // Twist of the turn about the up direction.
    this.turned = 2 * Math.atan2(dot([turned[0], turned[1], turned[2]], up) * Math.sign(turned[3] || 1), Math.abs(turned[3]));
    this.carried += this.turned;
    // A body that has reached its target has no velocity any more.
    const ride = scale(way, 1 / dt);
    // However suddenly it starts or stops: the character stays on it.
    if (this.world.getType(ground.body) === 'kinematic') this.set(add(this.velocity, sub(ride, this.rideVelocity)));
    this.rideVelocity = ride;
    if (length(way) > NOTHING) this.slide(way, dt, false, ground.body);
    this.planes.length = 0;
  }

  /** Pushes it out of overlaps with moving walls and bodies. */
  private pushOut(): void {
    let budget = MOST_PUSHED;
    for (let round = 0; round < ROUNDS; round++) {
      let deepest = 0;
      for (const contact of this.probe.overlaps(this.position)) {
        const depth = contact.depth - 0.5 * this.desc.skin;
        if (depth <= 1e-4) continue;
        deepest = Math.max(deepest, depth);
        const way = Math.min(depth, budget);
        budget -= way;
        this.position = add(this.position, scale(contact.normal, way));
      }
      if (deepest === 0 || budget <= 0) return;
    }
  }

  /** Moves it as far as surfaces allow. */
  private slide(wish: Vector, dt: number, mayStep: boolean, through?: BodyId): void {
    const { skin } = this.desc;
    let left = wish;
    for (let k = 0; k < CASTS && length(left) > NOTHING; k++) {
      const way = length(left);
      // It looks beyond the end of the path, too, to keep a skin away from obstacles there.
      const reach = way + SKINS * skin;
      const hit = this.probe.cast(this.position, scale(left, reach / way), through);
      const free = hit ? this.upTo(hit, left, reach) : way;
      if (!hit || free >= way) {
        this.position = add(this.position, left);
        return;
      }
      this.position = add(this.position, scale(left, free / way));
      left = scale(left, 1 - free / way);
      const { up } = this.desc;
      const walkable = this.isWalkable(hit, this.position);
      if (mayStep && dot(hit.normal, up) < this.desc.slope && this.stepUp(left, hit)) {
        const level = length(flat(left, up));
        left = level > 0 ? scale(flat(left, up), Math.max(level - this.stepped, 0) / level) : [0, 0, 0];
        continue;
      }
      // A walker does not climb a slope that is too steep by walking against it.
      const steep = mayStep && !walkable && dot(hit.normal, up) > 0;
      const normal = steep ? unit(flat(hit.normal, up), hit.normal) : hit.normal;
      this.planes.push({ normal, least: this.push(hit, normal, dt) });
      const next = clip(left, still(this.planes));
      // A surface that it only grazes, nearer than a skin, takes nothing away and would stop it forever.
      if (free < NOTHING && length(sub(next, left)) < NOTHING) {
        const away = scale(hit.normal, skin);
        this.position = add(this.position, scale(hit.normal, this.free(this.position, away)));
      }
      left = next;
      if (dot(left, wish) <= 0) return;
    }
  }

  private stepped = 0;

  /**
   * Climbs a step: up, forward and down again at a riser that stops it, if that ends on higher ground. `stepped`: distance
   * forward, m.
   */
  private stepUp(left: Vector, riser: Contact): boolean {
    const { up, stepHeight, skin } = this.desc;
    const level = flat(left, up);
    if (stepHeight <= 0 || length(level) < NOTHING) return false;
    const above = this.free(this.position, scale(up, stepHeight));
    if (above < skin) return false;
    let at = add(this.position, scale(up, above));
    const ahead = scale(unit(level, level), Math.max(length(level), 2 * skin));
    const forward = this.free(at, ahead);
    if (forward < skin) return false;
    at = add(at, scale(ahead, forward / length(ahead)));
    const down = this.probe.cast(at, scale(up, -above - skin));
    if (!down) return false;
    const drop = Math.max(down.fraction * (above + skin) - skin, 0);
    const rise = above - drop;
    at = sub(at, scale(up, drop));
    if (rise < skin || !this.isWalkable(down, at)) return false;
    // The height of a step is that of its edge above the present ground: stairs of one edge do not add up.
    if (this.ground && dot(sub(down.point, this.ground.point), up) > stepHeight + skin) return false;
    const inward = scale(unit(flat(riser.normal, up), riser.normal), -1);
    if (!this.leadsOn(this.edgeOf(riser, inward, above) ?? down.point, inward, rise)) return false;
    this.position = at;
    this.stepped = forward;
    return true;
  }

  /** Returns where a riser ends at the top, up to a height above the feet, if a tread begins there. */
  private edgeOf(riser: Contact, inward: Vector, height: number): Vector | null {
    const { up, slope, skin } = this.desc;
    // Of the riser only its plane is known for certain: where faces lie on each other, any point of both is the point of a cast.
    const level = add(riser.point, scale(up, dot(sub(this.position, riser.point), up)));
    const from = add(add(level, scale(up, height)), scale(inward, BESIDE * skin));
    const tread = this.probe.ray(from, scale(up, -1), height);
    if (!tread || tread.fraction === 0 || dot(tread.normal, up) < slope) return null;
    return add(level, scale(up, dot(sub(tread.point, level), up)));
  }

  /** Returns the length (m) that ground must have ahead so that a rise of this height is not too steep. */
  private runOf(rise: number): number {
    const { slope } = this.desc;
    return (RUN * rise * slope) / Math.sqrt(Math.max(1 - slope * slope, 1e-6));
  }

  /**
   * Returns whether the path beyond an edge of this height is not too steep. A line from the edge, up at the steepest slope, must
   * meet nothing over the length that a slope needs for this height. On steeper stairs it meets the next riser, whatever their
   * size.
   */
  private leadsOn(edge: Vector, inward: Vector, rise: number): boolean {
    const { up, slope, skin } = this.desc;
    const run = this.runOf(rise);
    if (run < NOTHING) return true;
    const line = add(scale(inward, run), scale(up, rise));
    const hit = this.probe.ray(add(edge, scale(up, CLEARANCE * skin)), unit(line, line), length(line));
    return !hit || dot(hit.normal, up) >= slope;
  }

  /** Returns how far it may move along a path, m, leaving a skin. */
  private free(from: Vector, way: Vector): number {
    const wish = length(way);
    const reach = wish + SKINS * this.desc.skin;
    const hit = this.probe.cast(from, scale(way, reach / wish));
    return hit ? Math.min(this.upTo(hit, way, reach), wish) : wish;
  }

  /** Returns how far it may move towards the hit of a cast, m, leaving a skin measured along the normal. */
  private upTo(hit: Contact, way: Vector, reach: number): number {
    const into = -dot(hit.normal, way) / length(way);
    return Math.max(hit.fraction * reach - this.desc.skin / Math.max(into, 1 / SKINS), 0);
  }

  /**
   * Returns whether it may stand with its feet there on the hit surface: by its normal; at an edge, by the face behind the edge
   * and the path beyond it.
   */
  private isWalkable(hit: Contact, feet: Vector): boolean {
    const { up, slope, skin } = this.desc;
    const out = flat(hit.normal, up);
    if (length(out) < 1e-3) return dot(hit.normal, up) >= slope;
    if (dot(hit.normal, up) <= 0.05) return false;
    const inward = scale(unit(out, out), -1);
    const gentle = dot(hit.normal, up) >= slope;
    if (gentle && this.isFace(hit, inward)) return true;
    const rise = Math.max(dot(sub(hit.point, feet), up), this.ground ? dot(sub(hit.point, this.ground.point), up) : 0);
    if (!this.leadsOn(hit.point, inward, rise)) return false;
    if (gentle) return true;
    // From above, so that the ray does not begin inside of anything.
    const behind = add(add(hit.point, scale(up, 2 * skin)), scale(inward, skin));
    const face = this.probe.ray(behind, scale(up, -1), 3 * skin);
    return face !== null && dot(face.normal, up) >= slope && dot(face.normal, up) > dot(hit.normal, up) + 1e-3;
  }

  /** Returns whether the hit surface continues towards it with the same normal; otherwise it is an edge. */
  private isFace(hit: Contact, inward: Vector): boolean {
    const { up, skin } = this.desc;
    const before = add(add(hit.point, scale(up, skin)), scale(inward, -BESIDE * skin));
    const face = this.probe.ray(before, scale(up, -1), 3 * skin);
    return face !== null && dot(face.normal, hit.normal) > SAME_NORMAL;
  }

  /**
   * Pushes a dynamic body that it walks into, so that both have one speed along the normal.
   * @returns how far along the normal it may move in this step: not at all, or as far as the body gives way
   */
  private push(hit: Contact, normal: Vector, dt: number): number {
    const { world } = this;
    const type = world.getType(hit.body);
    if (type === 'static') return 0;
    const carried = dot(this.base, normal);
    const pushed = this.pushed.get(hit.body);
    if (pushed !== undefined) return Math.min((pushed - carried) * dt, 0);
    const theirs = dot(this.probe.velocityAt(hit.body, hit.point), normal);
    const ours = dot(this.velocity, normal);
    if (type === 'kinematic') return Math.min((theirs - carried) * dt, 0);
    if (ours >= theirs) return Math.min((theirs - carried) * dt, 0);
    const mass = world.getMass(hit.body);
    const own = this.desc.mass;
    // From above it only stands on it.
    if (dot(hit.normal, this.desc.up) > 0.7) return 0;
    const together = (own * ours + mass * theirs) / (own + mass);
    const impulse = Math.min(mass * (together - theirs) * -1, this.desc.pushForce * dt);
    world.applyImpulse(hit.body, scale(normal, -impulse), this.handsAt(hit));
    const after = theirs - impulse / mass;
    this.set(add(this.velocity, scale(normal, after - ours)));
    this.pushed.set(hit.body, after);
    return Math.min((after - carried) * dt, 0);
  }

  /** Returns the point at which it pushes a body: at the height of the body's center, if it can reach that. */
  private handsAt(hit: Contact): Vector {
    const { up } = this.desc;
    const center = this.probe.centerOf(hit.body);
    const height = Math.min(Math.max(dot(sub(center, this.position), up), 0), 2 * this.probe.height);
    return add(hit.point, scale(up, height - dot(sub(hit.point, this.position), up)));
  }

  // ------------------------------------------------------------------------------------------------------ ground

  /**
   * Moves it straight up out of ground that it was placed in: if its lowest point is on a slope, the rest of it is inside the
   * slope.
   */
  private emerge(): void {
    const { up, slope, skin } = this.desc;
    const isIn = (contact: Contact) => contact.depth > skin;
    if (!this.probe.overlaps(this.position).some((contact) => isIn(contact) && dot(contact.normal, up) >= slope)) return;
    const lift = this.probe.height * (1 / slope - 1) + skin;
    const above = add(this.position, scale(up, lift));
    if (this.probe.overlaps(above).some(isIn)) return;
    const hit = this.probe.cast(above, scale(up, -lift));
    if (hit) this.position = sub(above, scale(up, Math.max(hit.fraction * lift - skin, 0)));
  }

  /** Makes it stand on ground right under it, after it was placed. */
  private stand(): void {
    const { up, skin, slope } = this.desc;
    const reach = (SKINS_BELOW + 1 / slope) * skin;
    const hit = this.probe.cast(this.position, scale(up, -reach));
    if (!hit || !this.isWalkable(hit, sub(this.position, scale(up, hit.fraction * reach)))) return;
    if (dot(this.velocity, up) - dot(this.probe.velocityAt(hit.body, this.position), up) <= 0.01) this.standOn(hit);
  }

  private findGround(stick: boolean, leaving: boolean): void {
    const { up, snap, skin } = this.desc;
    const rising = dot(this.velocity, up) - this.groundSpeed();
    if (leaving && rising > 0.01) {
      this.leaveGround();
      return;
    }
    const reach = (stick ? snap : 0) + 2 * skin;
    const hit = this.probe.cast(this.position, scale(up, -reach));
    const drop = hit ? hit.fraction * reach - skin : 0;
    const stood = sub(this.position, scale(up, drop));
    if (!hit || !this.isWalkable(hit, stood)) {
      this.leaveGround();
      return;
    }
    if (stick ? Math.abs(drop) > NOTHING : drop < 0) this.position = stood;
    const normal = this.standOn(hit);
    // A character that falls onto the ground moves along with it.
    const base = this.groundVelocity();
    const into = dot(sub(this.velocity, base), normal);
    if (into < 0) this.set(sub(this.velocity, scale(normal, into)));
  }

  /** Makes the hit surface its ground; returns the normal there. */
  private standOn(hit: Contact): Vector {
    const { up, slope } = this.desc;
    const normal = dot(hit.normal, up) >= slope ? hit.normal : up;
    if (this.ground?.body !== hit.body) this.rideVelocity = this.probe.velocityAt(hit.body, this.position);
    this.ground = { ...hit, normal };
    this.groundPose = this.probe.poseOf(hit.body);
    return normal;
  }

  private leaveGround(): void {
    this.ground = null;
    this.groundPose = null;
  }

  private groundVelocity(): Vector {
    const { ground } = this;
    if (!ground || !this.world.isAlive(ground.body)) return [0, 0, 0];
    return this.world.getType(ground.body) === 'kinematic'
      ? this.rideVelocity
      : this.probe.velocityAt(ground.body, this.position);
  }

  private groundSpeed(): number {
    return dot(this.groundVelocity(), this.desc.up);
  }

  /** Adds its weight to a dynamic body that it stands on. */
  private weigh(): void {
    const { ground, world } = this;
    if (!ground || world.getType(ground.body) !== 'dynamic') return;
    const force = scale(vector(world.settings.gravity, 'gravity'), this.desc.mass * this.desc.gravityScale);
    if (length(force) > 0) world.addForce(ground.body, force, ground.point);
  }
}

function checkState(state: CharacterState): void {
  const isState = Array.isArray(state) && state.length === STATE_SIZE && state.every(Number.isFinite);
  if (!isState) fail('state', 'the result of `save` of a character', state);
}

/** Returns the part of a vector perpendicular to the up direction. */
function flat(v: Vec3 | Vector, up: Vector): Vector {
  const a = 'x' in v ? ([v.x, v.y, v.z] as Vector) : ([v[0]!, v[1]!, v[2]!] as Vector);
  return sub(a, scale(up, dot(a, up)));
}

/** Moves one velocity towards another by at most `change`. */
function approach(from: Vector, to: Vector, change: number): Vector {
  const way = sub(to, from);
  const l = length(way);
  return l <= change ? to : add(from, scale(way, change / l));
}

/** Returns the same planes as if no body gave way. */
const still = (planes: readonly Plane[]) => planes.map(({ normal }) => ({ normal, least: 0 }));

/** Returns the motion closest to a wish that enters none of the planes. */
export function clip(wish: Vector, planes: readonly Plane[]): Vector {
  const allowed = (d: Vector) => planes.every(({ normal, least }) => dot(d, normal) >= least - 1e-7);
  if (allowed(wish)) return wish;
  let best: Vector = [0, 0, 0];
  let nearest = Number.POSITIVE_INFINITY;
  const offer = (d: Vector) => {
    const away = length(sub(d, wish));
    if (away < nearest && allowed(d)) {
      nearest = away;
      best = d;
    }
  };
  for (const { normal, least } of planes) offer(add(wish, scale(normal, least - dot(wish, normal))));
  for (let i = 0; i < planes.length; i++) {
    for (let j = 0; j < i; j++) {
      const [a, b] = [planes[i]!, planes[j]!];
      const line = cross(a.normal, b.normal);
      const l = dot(line, line);
      if (l < 1e-8) continue;
      // The point of the line nearest to the wish: both bounds met, free along the line.
      const along = scale(line, dot(wish, line) / l);
      const across = add(scale(cross(b.normal, line), a.least / l), scale(cross(line, a.normal), b.least / l));
      offer(add(along, across));
    }
  }
  return best;
}
