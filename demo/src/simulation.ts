// A scene at work: the world, what its bodies look like, and everything hands can do to it. Knows nothing of the picture.
import type { Act, ActWorld, Stage } from '../../scenes/act';
import { populate, shapeDesc } from '../../scenes/stage';
import { type Scene, type ShapeDef, STATIC } from '../../scenes/types';
import {
  type BackendName,
  type BodyId,
  createWorld,
  type JointChanges,
  type JointId,
  type ShapeDesc,
  type ShapeId,
  type World,
  type WorldSettings,
} from '../../src/study/index';
import type { Part } from './bodies_view';
import type { Cast } from './cast';
import { mixed, type Rgb } from './coloring';
import { CROWD_EDGE, rain } from './crowd';
import { paletteOf } from './palettes';

export type ThrowKind = 'ball' | 'box';

const UPRIGHT = [0, 0, 0, 1] as const;
const ORIGIN = [0, 0, 0] as const;

/** What a scene wears for the picture (dress.ts): other looks for its bodies, and things beside them. Physics knows nothing of it. */
export interface Dress {
  /** Null leaves a body as its shape is. */
  look(body: number): readonly Part[] | null;
  /** The body that the camera follows where no act names one. */
  readonly focus?: number;
  /** Made once for each world. */
  casts(): Cast[];
}

type Vector = readonly [number, number, number];

/** The soft ball joint that drags a body: between a point of the world and the point that was taken. */
interface Grip {
  joint: JointId;
  body: BodyId;
  /** Body frame, m. */
  local: readonly [number, number, number];
  /** World, m. */
  target: [number, number, number];
}
/** All that hangs together swings at 2 Hz about the hand, critically damped, pulled with 25 times its weight at most. */
const GRIP_RATE = 4 * Math.PI;
const GRIP_MOST = 250;
/** Torque a kilogram against spinning about the hand, N m. */
const GRIP_SPIN = 0.1;
/** Bodies that are counted as hanging together. */
const GRIP_BODIES = 64;

export class Simulation {
  /** What the body in each slot looks like. */
  readonly looks = new Map<number, readonly Part[]>();
  /** Slots whose looks have changed since the picture asked last. */
  readonly changed = new Set<number>();
  private grip: Grip | null = null;
  private readonly tools = new Map<string, { id: ShapeId; desc: ShapeDesc }>();
  private rounds = 0;
  /** Of the scene, in its order. */
  private joints: JointId[] = [];
  private bodies: BodyId[] = [];
  /** Colors that the scene gives to bodies, by slot. */
  readonly tints = new Map<number, Rgb>();
  /** What is drawn beside the bodies. */
  casts: Cast[] = [];
  /** Called after each step. */
  watch: (() => void) | null = null;
  /** What the scene does by itself. */
  act: Act | null = null;
  /** Where the act plays in a world. */
  private stageOf: ((of: Simulation) => Stage) | null = null;
  /** Where the body that a camera follows was one step ago and is now, m. */
  private followed: { before: Vector; now: Vector } | null = null;
  /** Bodies that were made or removed since the last step: no picture between steps across that. */
  jumped = true;

  private constructor(
    readonly world: World,
    readonly scene: Scene,
    private readonly dress: Dress | null,
  ) {}

  /** Height of level ground below all of it, m; null where there is none. */
  get groundHeight(): number | null {
    if (groundBody(this.scene) >= 0) return lowestOf(this.scene);
    const box = this.casts.flatMap(({ things }) => things).find(({ color }) => color === null)?.parts[0];
    return box ? box.position[1] + 1 : null;
  }

  private dressUp(): void {
    this.casts = this.dress?.casts() ?? [];
    for (const cast of this.casts) cast.update(this);
  }

  /** The color of a body where bodies are told apart by nothing else. */
  colorOf(slot: number): Rgb {
    return this.tints.get(slot) ?? mixed(slot, paletteOf(this.scene.name));
  }

  /** Where a body of the scene is, by its index. */
  slotOf(body: number): number {
    return this.world.indexOf(this.bodies[body]!);
  }

  /** Builds a scene in a new world on WASM. */
  static async create(scene: Scene, settings: WorldSettings, dress: Dress | null = null): Promise<Simulation> {
    const world = await createWorld({ gravity: scene.gravity, dt: scene.dt, bodyCapacity: scene.bodies.count, ...settings });
    const simulation = new Simulation(world, scene, dress);
    simulation.populate();
    // Acts move bodies by the names that a scene gives them; what walks and drives comes with the first of them.
    if (scene.parts) simulation.begin(await import('./acting'));
    simulation.follow();
    simulation.dressUp();
    return simulation;
  }

  private populate(): void {
    const { world, scene } = this;
    const { bodies, shapes } = scene;
    const descs = shapes.map((def) => (def.type === 'compound' ? null : shapeDesc(def)));
    Object.assign(this, populate(world, scene));
    const traits = new Map(scene.traits?.map((one) => [one.body, one]));
    const ground = groundBody(scene);
    this.bodies.forEach((id, i) => {
      const index = bodies.shape[i]!;
      const def = shapes[index]!;
      const { tint, finish } = traits.get(i) ?? {};
      const glass = finish ?? (bodies.type[i] === STATIC && isWall(def) && !tint ? 'glass' : undefined);
      const seen = glass ? { finish: glass } : {};
      const parts: Part[] =
        def.type === 'compound'
          ? def.children.map((c) => ({ shape: descs[c.shape]!, position: c.position, rotation: c.rotation, ...seen }))
          : [{ shape: descs[index]!, position: ORIGIN, rotation: UPRIGHT, ...seen }];
      // A floor that is a box is a part of the ground.
      if (i === ground) parts.splice(0, def.type === 'box' ? 1 : 0, groundPart(scene, i));
      this.look(id, this.dress?.look(i) ?? parts);
      if (tint) this.tints.set(world.indexOf(id), tint);
    });
  }

  /** The act plays before the first step, too. */
  private begin({ actOf, controllers }: typeof import('./acting')): void {
    const { scene, world, bodies } = this;
    this.stageOf = (twin) => ({ scene, world: twin.world as unknown as ActWorld, bodies: twin.bodies, controllers });
    this.act = actOf(scene.name)?.({ scene, world: world as unknown as ActWorld, bodies, controllers }) ?? null;
    this.act?.tick();
    this.follow();
  }

  private follow(): void {
    const id = this.bodies[this.act?.focus ?? this.dress?.focus ?? -1];
    if (id === undefined || !this.world.isAlive(id)) {
      this.followed = null;
      return;
    }
    const now = this.world.getPosition(id, [0, 0, 0] as [number, number, number]);
    this.followed = { before: this.followed?.now ?? now, now };
  }

  /** What a camera follows, between the last two steps, m; null where there is nothing. */
  focusAt(blend: number): Vector | null {
    if (!this.followed) return null;
    const { before, now } = this.followed;
    return [0, 1, 2].map((k) => before[k]! + blend * (now[k]! - before[k]!)) as unknown as Vector;
  }

  private look(id: BodyId, parts: readonly Part[]): void {
    const slot = this.world.indexOf(id);
    this.looks.set(slot, parts);
    this.changed.add(slot);
    this.jumped = true;
  }

  /** The same state once more, to be solved another way. */
  async fork(backend: BackendName = 'wasm'): Promise<Simulation> {
    const twin = new Simulation(await this.world.clone({ backend }), this.scene, this.dress);
    for (const [slot, parts] of this.looks) {
      twin.looks.set(slot, parts);
      twin.changed.add(slot);
    }
    // What the hand holds stays with the first.
    if (this.grip && twin.world.hasJoint(this.grip.joint)) twin.world.removeJoint(this.grip.joint);
    twin.joints = [...this.joints];
    twin.bodies = [...this.bodies];
    for (const [slot, tint] of this.tints) twin.tints.set(slot, tint);
    twin.stageOf = this.stageOf;
    twin.act = (this.stageOf && this.act?.clone(this.stageOf(twin))) ?? null;
    twin.follow();
    twin.dressUp();
    return twin;
  }

  /** One step, if the backend is ready for it. */
  step(): boolean {
    if (!this.world.step()) return false;
    this.acted();
    return true;
  }

  /** As `step`, finished, on any backend. */
  async stepAsync(): Promise<void> {
    await this.world.stepAsync();
    this.acted();
  }

  private acted(): void {
    this.act?.tick();
    this.follow();
    for (const cast of this.casts) cast.update(this);
    this.watch?.();
  }

  /** Changes a joint of the scene; nothing if it is gone. */
  turn(joint: number, changes: JointChanges): void {
    const id = this.joints[joint];
    if (id !== undefined && this.world.hasJoint(id)) this.world.setJoint(id, changes);
  }

  // ------------------------------------------------------------------------------------------------------- hands

  private tool(key: string, desc: ShapeDesc): { id: ShapeId; desc: ShapeDesc } {
    let found = this.tools.get(key);
    if (!found) {
      found = { id: this.world.createShape(desc), desc };
      this.tools.set(key, found);
    }
    return found;
  }

  private add(
    kind: ThrowKind,
    size: number,
    position: ArrayLike<number>,
    linearVelocity: ArrayLike<number>,
    bullet = false,
  ): BodyId {
    const desc: ShapeDesc = kind === 'ball' ? { type: 'sphere', radius: size } : { type: 'box', halfExtents: [size, size, size] };
    const { id: shape } = this.tool(`${kind} ${size}`, desc);
    const id = this.world.createBody({ shape, position, linearVelocity, bullet, friction: 0.6, density: bullet ? 7800 : 1000 });
    this.look(id, [{ shape: desc, position: ORIGIN, rotation: UPRIGHT }]);
    return id;
  }

  /** Throws a ball or a box, or a bullet of steel. `direction` is a unit vector; the body starts at `from` (world, m). */
  throw(
    kind: ThrowKind,
    from: ArrayLike<number>,
    direction: ArrayLike<number>,
    speed: number,
    size: number,
    bullet = false,
  ): void {
    this.add(kind, size, from, [direction[0]! * speed, direction[1]! * speed, direction[2]! * speed], bullet);
  }

  /** Puts a box on what a ray meets; false if it meets nothing. */
  build(origin: ArrayLike<number>, direction: ArrayLike<number>, size: number): boolean {
    const hit = this.world.castRay(origin, direction, { maxDistance: 1000 });
    if (!hit) return false;
    const p = [0, 1, 2].map((k) => hit.point[k]! + hit.normal[k]! * (size * 1.02));
    this.add('box', size, p, [0, 0, 0]);
    return true;
  }

  /** Removes the moving body that a ray meets. */
  delete(origin: ArrayLike<number>, direction: ArrayLike<number>): boolean {
    const hit = this.world.castRay(origin, direction, { maxDistance: 1000 });
    if (!hit || this.world.getType(hit.body) !== 'dynamic') return false;
    this.remove(hit.body);
    return true;
  }

  private remove(id: BodyId): void {
    const slot = this.world.indexOf(id);
    this.world.removeBody(id);
    this.looks.delete(slot);
    this.tints.delete(slot);
    this.changed.add(slot);
    this.jumped = true;
    if (this.grip?.body === id) this.grip = null;
  }

  /** Pushes everything within `radius` of where a ray meets something away from there. */
  explode(origin: ArrayLike<number>, direction: ArrayLike<number>, radius: number, speed: number): boolean {
    const hit = this.world.castRay(origin, direction, { maxDistance: 1000 });
    if (!hit) return false;
    const { world } = this;
    for (const slot of this.looks.keys()) {
      const id = world.bodyAt(slot);
      if (id === null || world.getType(id) !== 'dynamic') continue;
      const d = [0, 1, 2].map((k) => world.positions[4 * slot + k]! - hit.point[k]!);
      const distance = Math.hypot(...d);
      if (distance > radius) continue;
      const strength = (world.getMass(id) * speed * (1 - distance / radius)) / Math.max(distance, 0.1);
      world.applyImpulse(id, [d[0]! * strength, d[1]! * strength + world.getMass(id) * 0.3 * speed, d[2]! * strength]);
    }
    return true;
  }

  /** Takes hold of the moving body that a ray meets; answers the distance, or null. */
  grab(origin: ArrayLike<number>, direction: ArrayLike<number>): number | null {
    const { world } = this;
    const hit = world.castRay(origin, direction, { maxDistance: 1000 });
    if (!hit || world.getType(hit.body) !== 'dynamic') return null;
    this.release();
    const slot = world.indexOf(hit.body);
    const { positions, rotations } = world;
    const d = [0, 1, 2].map((k) => hit.point[k]! - positions[4 * slot + k]!);
    const q = [0, 1, 2].map((k) => -rotations[4 * slot + k]!);
    const local = turn([q[0]!, q[1]!, q[2]!, rotations[4 * slot + 3]!], d);
    const target: Grip['target'] = [hit.point[0]!, hit.point[1]!, hit.point[2]!];
    const mass = this.hangingMass(hit.body);
    const spring = { stiffness: mass * GRIP_RATE ** 2, damping: 2 * mass * GRIP_RATE, maxForce: mass * GRIP_MOST };
    const spin = { friction: mass * GRIP_SPIN };
    const joint = world.createJoint({
      type: 'six-axis',
      bodyA: null,
      bodyB: hit.body,
      anchorA: target,
      anchorB: local,
      axes: { x: { spring }, y: { spring }, z: { spring }, swingX: spin, swingY: spin, twist: spin },
      collide: true,
    });
    this.grip = { joint, body: hit.body, local, target };
    return hit.distance;
  }

  /** Mass of a body and of what joints hang on it, kg. */
  private hangingMass(body: BodyId): number {
    const { world } = this;
    const found = new Set([body]);
    let mass = 0;
    for (const one of found) {
      mass += world.getMass(one);
      for (const joint of world.jointsOf(one)) {
        const { bodyA, bodyB } = world.getJoint(joint);
        const other = bodyA === one ? bodyB : bodyA;
        if (other !== null && found.size < GRIP_BODIES && world.getType(other) === 'dynamic') found.add(other);
      }
    }
    return mass;
  }

  get isHolding(): boolean {
    return this.grip !== null;
  }

  /** Where the held point shall go, world, m. */
  dragTo(target: ArrayLike<number>): void {
    const { grip } = this;
    if (!grip) return;
    grip.target = [target[0]!, target[1]!, target[2]!];
    // It goes with the body when that is removed.
    if (this.world.hasJoint(grip.joint)) this.world.setJoint(grip.joint, { anchorA: grip.target });
    else this.grip = null;
  }

  release(): void {
    if (this.grip && this.world.hasJoint(this.grip.joint)) this.world.removeJoint(this.grip.joint);
    this.grip = null;
  }

  /** End points of the spring, for drawing; null if nothing is held. */
  get spring(): { from: readonly number[]; to: readonly number[] } | null {
    const { grip, world } = this;
    if (!grip || !world.isAlive(grip.body)) return null;
    const slot = world.indexOf(grip.body);
    const { positions, rotations } = world;
    const r = turn(rotations.subarray(4 * slot, 4 * slot + 4), grip.local);
    return { from: [0, 1, 2].map((k) => positions[4 * slot + k]! + r[k]!), to: grip.target };
  }

  // ------------------------------------------------------------------------------------------------------- crowds

  /** Adds boxes above the pen of the crowd, or removes the latest ones. */
  changeCrowd(by: number): void {
    const { world } = this;
    if (by > 0) {
      const edge = CROWD_EDGE;
      const { id, desc } = this.tool('crowd', { type: 'box', halfExtents: [edge, edge, edge] });
      const ids = world.createBodies({ count: by, shape: id, positions: rain(by, this.rounds++), friction: 0.6, density: 1000 });
      for (const body of ids) this.look(body, [{ shape: desc, position: ORIGIN, rotation: UPRIGHT }]);
      return;
    }
    const slots = [...this.looks.keys()].reverse();
    for (const slot of slots) {
      if (by >= 0) return;
      const id = world.bodyAt(slot);
      if (id === null || world.getType(id) !== 'dynamic') continue;
      this.remove(id);
      by++;
    }
  }

  dispose(): void {
    this.world.dispose();
  }
}

/** The body whose look carries the ground around the scene: one that stands still, level and without a color of its own; -1 for none. */
function groundBody({ bodies, shapes, traits }: Scene): number {
  const tinted = new Set(traits?.filter(({ tint, finish }) => tint || finish).map(({ body }) => body));
  for (let i = 0; i < bodies.count; i++) {
    if (bodies.type[i] !== STATIC || bodies.rotation[4 * i + 3] !== 1 || tinted.has(i)) continue;
    if (topOf(shapes[bodies.shape[i]!]!) < Infinity) return i;
  }
  return -1;
}

/** Height of the lowest floor, m. */
function lowestOf({ bodies, shapes }: Scene): number {
  let low = Infinity;
  for (let i = 0; i < bodies.count; i++) {
    if (bodies.type[i] !== STATIC) continue;
    low = Math.min(low, bodies.position[3 * i + 1]! + topOf(shapes[bodies.shape[i]!]!));
  }
  return low;
}

/** Half the edge of the ground around a scene, m. */
const GROUND_HALF = 400;

/** Ground up to the horizon, in the frame of a body that stands still. */
function groundPart(scene: Scene, body: number): Part {
  const { bodies } = scene;
  const low = lowestOf(scene);
  const at = [0, 1, 2].map((k) => bodies.position[3 * body + k]!);
  return {
    shape: { type: 'box', halfExtents: [GROUND_HALF, 1, GROUND_HALF] },
    position: [-at[0]!, low - 1 - at[1]!, -at[2]!],
    rotation: UPRIGHT,
  };
}

/** Height of the top of a floor over its origin; of the lowest point of a landscape. */
function topOf(def: ShapeDef): number {
  if (def.type === 'box') return def.halfExtents[1];
  if (def.type === 'mesh') return def.positions.reduce((least, y, k) => (k % 3 === 1 ? Math.min(least, y) : least), Infinity);
  if (def.type === 'heightfield') return def.heights.reduce((least, y) => Math.min(least, y), Infinity);
  return Infinity;
}

function isWall(def: ShapeDef): boolean {
  return def.type === 'box' && def.halfExtents[1] > 2 && Math.min(def.halfExtents[0], def.halfExtents[2]) <= 0.6;
}

function turn(q: ArrayLike<number>, v: ArrayLike<number>): [number, number, number] {
  const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const [a, b, c] = [v[0]!, v[1]!, v[2]!];
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}
