// A scene at work: the world, what its bodies look like, and everything hands can do to it. Knows nothing of the picture.
import { DYNAMIC, type Scene, type ShapeDef, STATIC } from '../../scenes/types';
import {
  type BackendName,
  type BodyId,
  createWorld,
  type ShapeDesc,
  type ShapeId,
  type World,
  type WorldSettings,
} from '../../src/study/index';
import type { Part } from './bodies_view';
import { CROWD_EDGE, rain } from './crowd';

export type ThrowKind = 'ball' | 'box';

const UPRIGHT = [0, 0, 0, 1] as const;
const ORIGIN = [0, 0, 0] as const;

function shapeDesc(def: Exclude<ShapeDef, { type: 'compound' }>): ShapeDesc {
  if (def.type !== 'heightfield') return def;
  const { originX, originZ, ...rest } = def;
  return { ...rest, origin: [originX, 0, originZ] };
}

/** The soft spring that drags a body: 2 Hz, a little less than critically damped. */
interface Grip {
  body: BodyId;
  /** Body frame, m. */
  local: readonly [number, number, number];
  /** World, m. */
  target: [number, number, number];
}
const GRIP_RATE = 13;
const GRIP_DAMPING = 0.8;
const GRIP_MOST = 250;
const GRIP_SPIN_DAMPING = 0.08;

export class Simulation {
  /** What the body in each slot looks like. */
  readonly looks = new Map<number, readonly Part[]>();
  /** Slots whose looks have changed since the picture asked last. */
  readonly changed = new Set<number>();
  private grip: Grip | null = null;
  private readonly tools = new Map<string, { id: ShapeId; desc: ShapeDesc }>();
  private rounds = 0;
  private pulled = false;
  /** Bodies that were made or removed since the last step: no picture between steps across that. */
  jumped = true;

  private constructor(
    readonly world: World,
    readonly scene: Scene,
  ) {}

  /** Builds a scene in a new world on WASM. */
  static async create(scene: Scene, settings: WorldSettings): Promise<Simulation> {
    const world = await createWorld({ gravity: scene.gravity, dt: scene.dt, bodyCapacity: scene.bodies.count, ...settings });
    const simulation = new Simulation(world, scene);
    simulation.populate();
    return simulation;
  }

  private populate(): void {
    const { world, scene } = this;
    const { bodies, shapes } = scene;
    const descs = shapes.map((def) => (def.type === 'compound' ? null : shapeDesc(def)));
    const ids = descs.map((desc) => (desc ? world.createShape(desc) : null));
    for (let i = 0; i < bodies.count; i++) {
      const index = bodies.shape[i]!;
      const def = shapes[index]!;
      const material = { density: bodies.density[i]!, friction: bodies.friction[i]!, restitution: bodies.restitution[i]! };
      const fixed = bodies.type[i] === STATIC;
      const parts: Part[] =
        def.type === 'compound'
          ? def.children.map((c) => ({ shape: descs[c.shape]!, position: c.position, rotation: c.rotation }))
          : [{ shape: descs[index]!, position: ORIGIN, rotation: UPRIGHT, glass: fixed && isWall(def) }];
      const colliders =
        def.type === 'compound'
          ? def.children.map((c) => ({ shape: ids[c.shape]!, position: c.position, rotation: c.rotation, ...material }))
          : [{ shape: ids[index]!, ...material }];
      const id = world.createBody({
        type: fixed ? 'static' : bodies.type[i] === DYNAMIC ? 'dynamic' : 'kinematic',
        position: bodies.position.subarray(3 * i, 3 * i + 3),
        rotation: bodies.rotation.subarray(4 * i, 4 * i + 4),
        linearVelocity: bodies.linearVelocity.subarray(3 * i, 3 * i + 3),
        angularVelocity: bodies.angularVelocity.subarray(3 * i, 3 * i + 3),
        colliders,
      });
      this.look(id, parts);
    }
  }

  private look(id: BodyId, parts: readonly Part[]): void {
    const slot = this.world.indexOf(id);
    this.looks.set(slot, parts);
    this.changed.add(slot);
    this.jumped = true;
  }

  /** The same state once more, to be solved another way. */
  async fork(backend: BackendName = 'wasm'): Promise<Simulation> {
    const twin = new Simulation(await this.world.clone({ backend }), this.scene);
    for (const [slot, parts] of this.looks) {
      twin.looks.set(slot, parts);
      twin.changed.add(slot);
    }
    return twin;
  }

  /** One step, if the backend is ready for it. */
  step(): boolean {
    // A step that is refused because the GPU is still busy must not add the force again.
    if (this.grip && !this.pulled) {
      this.pull(this.grip);
      this.pulled = true;
    }
    const done = this.world.step();
    if (done) this.pulled = false;
    return done;
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

  private add(kind: ThrowKind, size: number, position: ArrayLike<number>, linearVelocity: ArrayLike<number>): BodyId {
    const desc: ShapeDesc = kind === 'ball' ? { type: 'sphere', radius: size } : { type: 'box', halfExtents: [size, size, size] };
    const { id: shape } = this.tool(`${kind} ${size}`, desc);
    const id = this.world.createBody({ shape, position, linearVelocity, friction: 0.6, density: 1000 });
    this.look(id, [{ shape: desc, position: ORIGIN, rotation: UPRIGHT }]);
    return id;
  }

  /** Throws a ball or a box. `direction` is a unit vector; the body starts at `from` (world, m). */
  throw(kind: ThrowKind, from: ArrayLike<number>, direction: ArrayLike<number>, speed: number, size: number): void {
    this.add(kind, size, from, [direction[0]! * speed, direction[1]! * speed, direction[2]! * speed]);
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
    const hit = this.world.castRay(origin, direction, { maxDistance: 1000 });
    if (!hit || this.world.getType(hit.body) !== 'dynamic') return null;
    const slot = this.world.indexOf(hit.body);
    const { positions, rotations } = this.world;
    const d = [0, 1, 2].map((k) => hit.point[k]! - positions[4 * slot + k]!);
    const q = [0, 1, 2].map((k) => -rotations[4 * slot + k]!);
    this.grip = { body: hit.body, local: turn([q[0]!, q[1]!, q[2]!, rotations[4 * slot + 3]!], d), target: [...hit.point] };
    return hit.distance;
  }

  get isHolding(): boolean {
    return this.grip !== null;
  }

  /** Where the held point shall go, world, m. */
  dragTo(target: ArrayLike<number>): void {
    if (this.grip) this.grip.target = [target[0]!, target[1]!, target[2]!];
  }

  release(): void {
    this.grip = null;
  }

  /** End points of the spring, for drawing; null if nothing is held. */
  get spring(): { from: readonly number[]; to: readonly number[] } | null {
    if (!this.grip || !this.world.isAlive(this.grip.body)) return null;
    return { from: this.gripPoint(this.grip), to: this.grip.target };
  }

  private gripPoint(grip: Grip): number[] {
    const slot = this.world.indexOf(grip.body);
    const { positions, rotations } = this.world;
    const r = turn(rotations.subarray(4 * slot, 4 * slot + 4), grip.local);
    return [0, 1, 2].map((k) => positions[4 * slot + k]! + r[k]!);
  }

  private pull(grip: Grip): void {
    const { world } = this;
    if (!world.isAlive(grip.body)) {
      this.grip = null;
      return;
    }
    const slot = world.indexOf(grip.body);
    const point = this.gripPoint(grip);
    const row = 16 * slot;
    const v = world.velocities.subarray(row, row + 3);
    const w = world.velocities.subarray(row + 4, row + 7);
    const r = [0, 1, 2].map((k) => point[k]! - world.positions[4 * slot + k]!);
    const speed = [
      v[0]! + w[1]! * r[2]! - w[2]! * r[1]!,
      v[1]! + w[2]! * r[0]! - w[0]! * r[2]!,
      v[2]! + w[0]! * r[1]! - w[1]! * r[0]!,
    ];
    const mass = world.getMass(grip.body);
    const a = speed.map((s, k) => GRIP_RATE ** 2 * (grip.target[k]! - point[k]!) - 2 * GRIP_DAMPING * GRIP_RATE * s);
    const { gravity } = world.settings;
    const scale = Math.min(1, GRIP_MOST / Math.max(Math.hypot(...a), 1e-6));
    world.addForce(
      grip.body,
      a.map((x, k) => mass * (x * scale - gravity[k]!)),
      point,
    );
    const keep = 1 - GRIP_SPIN_DAMPING;
    world.setVelocity(grip.body, [v[0]!, v[1]!, v[2]!], [w[0]! * keep, w[1]! * keep, w[2]! * keep]);
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

function isWall(def: ShapeDef): boolean {
  return def.type === 'box' && def.halfExtents[1] > 2 && Math.min(def.halfExtents[0], def.halfExtents[2]) <= 0.6;
}

function turn(q: ArrayLike<number>, v: ArrayLike<number>): [number, number, number] {
  const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const [a, b, c] = [v[0]!, v[1]!, v[2]!];
  const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}
