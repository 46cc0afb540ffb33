// Random scenes as plain data: `drawScene` draws one of a class from a seed, `play` builds it in a world. A scene is data and
// not a
// sequence of draws, so that shrinking a failure (shrink.ts) drops bodies without changing the others.
//
// Sizes span two decades, masses three, each drawn evenly in its logarithm and apart from the other.
import {
  type BodyDesc,
  type BodyId,
  type ColliderDesc,
  createWorld,
  type JointDesc,
  type JointId,
  type JointType,
  type MassDesc,
  type PresetName,
  type ShapeDesc,
  type World,
  type WorldOptions,
} from '../../src/index';
import { rotate, type V3 } from '../helpers/ground';
import { seeded } from '../helpers/random';

/** A collider whose shape is described in place. */
export type Part = Omit<ColliderDesc, 'shape'> & { shape: ShapeDesc };

/** A body of a scene; `radius` bounds it about its origin, m. */
export type SceneBody = Omit<BodyDesc, 'shape' | 'colliders' | 'position'> & { position: V3; parts: Part[]; radius: number };

/** A joint of a scene between two of its bodies, by index; `a` is null for the world. */
export interface SceneJoint {
  a: number | null;
  b: number;
  desc: Omit<JointDesc, 'bodyA' | 'bodyB'>;
}

export interface Scene {
  seed: number;
  options: WorldOptions;
  ground: SceneBody[];
  bodies: SceneBody[];
  joints: SceneJoint[];
  steps: number;
}

export type Ground = 'none' | 'plane' | 'box' | 'mesh' | 'heightfield' | 'room';

/** Which scenes a property takes. */
export interface SceneClass {
  /** Kinds of ground, one of which is drawn. */
  grounds: readonly Ground[];
  gravity: boolean;
  /** Number of dynamic bodies: least and most. */
  count: readonly [number, number];
  /** Steps: least and most. */
  steps: readonly [number, number];
  /** Largest coefficient of restitution; default 1. */
  restitution?: number;
  /** Largest friction; default 1.5. */
  friction?: number;
  /** Largest speed of a body at the start, m/s; default 5. */
  speed?: number;
  /** Radii, m; default 0.05 to 5. Most scenes use a part of the range. */
  sizes?: readonly [number, number];
  /** Masses, kg; default 0.1 to 100. */
  masses?: readonly [number, number];
  /** Joint types; default none. */
  joints?: readonly JointType[];
  /** Whether joints may have limits, motors and springs (`any`) or only limits and friction (`passive`, the default). */
  drives?: 'passive' | 'any';
  /** How the bodies are placed: apart (default), overlapping, or in columns that never meet each other. */
  placing?: 'apart' | 'overlapping' | 'alone';
  /** Whether bodies get collision filters at random; default false. */
  filters?: boolean;
  /** Whether worlds may let bodies sleep; default false: they never sleep. */
  sleep?: boolean;
  /** Shapes; default all. */
  shapes?: readonly ShapeKind[];
}

export type ShapeKind = 'sphere' | 'box' | 'capsule' | 'cylinder' | 'cone' | 'hull' | 'compound';
const SHAPES: readonly ShapeKind[] = ['sphere', 'box', 'capsule', 'cylinder', 'cone', 'hull', 'compound'];

/** Half the width of the ground and of the room, m. */
export const GROUND = 40;
/** Half the thickness of the walls of a room, m: a body must not leave through them, however fast. */
const WALL = 2;

/** Seeded draws of one scene. */
export class Draw {
  readonly next: () => number;

  constructor(seed: number) {
    // Neighboring seeds of the generator start alike.
    this.next = seeded(Math.imul(seed + 1, 0x9e3779b1));
  }
  chance(share: number): boolean {
    return this.next() < share;
  }
  range(low: number, high: number): number {
    return low + (high - low) * this.next();
  }
  /** Evenly in the logarithm. */
  decade(low: number, high: number): number {
    return low * (high / low) ** this.next();
  }
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }
  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)]!;
  }
  vector(size: number): V3 {
    return [this.range(-size, size), this.range(-size, size), this.range(-size, size)];
  }
  /** Even on the sphere. */
  direction(): V3 {
    for (;;) {
      const v = this.vector(1);
      const length = Math.hypot(...v);
      if (length > 0.1 && length <= 1) return v.map((x) => x / length) as V3;
    }
  }
  rotation(): [number, number, number, number] {
    for (;;) {
      const q = [this.range(-1, 1), this.range(-1, 1), this.range(-1, 1), this.range(-1, 1)];
      const length = Math.hypot(...q);
      if (length > 0.1 && length <= 1) return q.map((x) => x / length) as [number, number, number, number];
    }
  }
}

/** A shape with all of its points within `r` of its origin, and none of its widths below a quarter of its largest. */
function drawShape(draw: Draw, kind: Exclude<ShapeKind, 'compound'>, r: number): ShapeDesc {
  const share = () => draw.range(0.3, 1);
  switch (kind) {
    case 'sphere':
      return { type: 'sphere', radius: r };
    case 'box': {
      const half = [share(), share(), share()];
      const k = r / Math.hypot(...half);
      return { type: 'box', halfExtents: half.map((x) => x * k) as V3 };
    }
    case 'capsule': {
      const radius = r * draw.range(0.3, 0.8);
      return { type: 'capsule', radius, halfHeight: r - radius };
    }
    case 'cylinder':
    case 'cone': {
      const angle = draw.range(0.3, 1.2);
      return { type: kind, radius: r * Math.sin(angle), halfHeight: r * Math.cos(angle) };
    }
    case 'hull': {
      // The corners of an octahedron keep it from being flat.
      const points: number[] = [];
      for (let k = 0; k < 3; k++)
        for (const sign of [-1, 1]) points.push(...[0, 0, 0].map((_, i) => (i === k ? sign * r * draw.range(0.5, 1) : 0)));
      for (let k = draw.int(0, 10); k > 0; k--) points.push(...draw.direction().map((x) => x * r * draw.range(0.6, 1)));
      return { type: 'hull', points };
    }
  }
}

function drawParts(draw: Draw, kinds: readonly ShapeKind[], r: number, material: object): Part[] {
  const kind = draw.pick(kinds);
  const simple = kinds.filter((name): name is Exclude<ShapeKind, 'compound'> => name !== 'compound');
  if (kind !== 'compound') return [{ shape: drawShape(draw, kind, r), ...material }];
  return Array.from({ length: draw.int(2, 3) }, () => {
    const size = r * draw.range(0.4, 0.6);
    const position = draw.direction().map((x) => x * (r - size)) as V3;
    return { shape: drawShape(draw, draw.pick(simple), size), position, rotation: draw.rotation(), ...material };
  });
}

/** Height of uneven ground at a sample: three waves, up to 1 m. */
const wave = (x: number, z: number, phase: number) =>
  0.5 * Math.sin(0.3 * x + phase) + 0.3 * Math.cos(0.41 * z - phase) + 0.2 * Math.sin(0.5 * (x + z));
/** Largest height of any ground, m. */
export const TOP = 1;
const CELLS = 24;

/** Static bodies of a kind of ground. Level ground has its top at y = 0. */
function drawGround(draw: Draw, kind: Ground, material: object): SceneBody[] {
  const body = (position: V3, shape: ShapeDesc): SceneBody => ({
    type: 'static',
    position,
    radius: Infinity,
    parts: [{ shape, ...material }],
  });
  const size = (2 * GROUND) / CELLS;
  const phase = draw.range(0, 6);
  const samples = Array.from({ length: (CELLS + 1) ** 2 }, (_, k) => {
    const [i, j] = [k % (CELLS + 1), Math.floor(k / (CELLS + 1))];
    return [i * size - GROUND, wave(i * size, j * size, phase), j * size - GROUND] as V3;
  });
  switch (kind) {
    case 'none':
      return [];
    case 'plane':
      return [body([0, 0, 0], { type: 'plane' })];
    case 'box':
      return [body([0, -1, 0], { type: 'box', halfExtents: [GROUND, 1, GROUND] })];
    case 'heightfield': {
      const heights = samples.map(([, y]) => y);
      const grid = { nx: CELLS + 1, nz: CELLS + 1, spacing: size, origin: [-GROUND, 0, -GROUND] };
      return [body([0, 0, 0], { type: 'heightfield', heights, ...grid })];
    }
    case 'mesh': {
      const indices: number[] = [];
      for (let j = 0; j < CELLS; j++)
        for (let i = 0; i < CELLS; i++) {
          const a = i + j * (CELLS + 1);
          const [b, c, d] = [a + 1, a + CELLS + 1, a + CELLS + 2];
          indices.push(a, c, b, b, c, d);
        }
      return [body([0, 0, 0], { type: 'mesh', positions: samples.flat(), indices })];
    }
    case 'room':
      return [0, 1, 2].flatMap((axis) => {
        const halfExtents = [0, 1, 2].map((k) => (k === axis ? WALL : GROUND + 2 * WALL)) as V3;
        return [-1, 1].map((side) =>
          body([0, 1, 2].map((k) => (k === axis ? side * (GROUND + WALL) : 0)) as V3, { type: 'box', halfExtents }),
        );
      });
  }
}

/** Tries to place a body beside the one that it is joined to. */
const TRIES = 40;

/**
 * Positions of balls of these radii without an overlap of two: beside its parent for a ball that has one and finds room there,
 * else
 * in a cube that grows until all have found a place. A ball that found none beside its parent loses it.
 */
function placeApart(draw: Draw, radii: readonly number[], parents: (number | null | undefined)[]): V3[] {
  const largest = Math.max(...radii);
  let half = 1.2 * Math.cbrt(radii.reduce((sum, r) => sum + r ** 3, 0)) + largest;
  const places: V3[] = [];
  const isFree = (at: V3) =>
    places.every((other, k) => Math.hypot(...other.map((x, c) => x - at[c]!)) > 1.02 * (radii[places.length]! + radii[k]!));
  for (let tries = 0; places.length < radii.length; ) {
    const i = places.length;
    const parent = parents[i];
    let at = draw.vector(half);
    if (typeof parent === 'number' && tries < TRIES) {
      const gap = 1.05 * (radii[i]! + radii[parent]!);
      const way = draw.direction();
      at = places[parent]!.map((x, k) => x + gap * way[k]!) as V3;
    } else if (typeof parent === 'number') parents[i] = undefined;
    tries++;
    if (!isFree(at)) half *= 1.01;
    else {
      places.push(at);
      tries = 0;
    }
  }
  return places;
}

const axisOf = (draw: Draw, angular: boolean) => {
  const size = angular ? 1.2 : 0.5;
  return draw.chance(0.5) ? {} : { limit: { min: -draw.range(0.05, size), max: draw.range(0.05, size) } };
};

/** Settings of one axis: limit and friction, and with `any` a motor or a spring. */
function drawAxis(draw: Draw, angular: boolean, drives: 'passive' | 'any', force: number): object {
  const limit = axisOf(draw, angular);
  const friction = draw.chance(0.3) ? { friction: draw.range(0, force) } : {};
  const kind = drives === 'any' ? draw.next() : 0;
  if (kind > 0.75) return { ...limit, ...friction, motor: { velocity: draw.range(-3, 3), maxForce: draw.range(0, 10 * force) } };
  if (kind > 0.5) {
    const spring = { target: draw.range(-0.3, 0.3), frequency: draw.range(0.5, 5), dampingRatio: draw.range(0, 1) };
    return { ...limit, ...friction, spring };
  }
  return { ...limit, ...friction };
}

/** A joint between two bodies (or the world and a body) that their present poses satisfy. */
function drawJoint(draw: Draw, scene: SceneClass, bodies: readonly SceneBody[], a: number | null, b: number): SceneJoint {
  const type = draw.pick(scene.joints!);
  const drives = scene.drives ?? 'passive';
  const [from, to] = [a === null ? null : bodies[a]!, bodies[b]!];
  const lower = from === null ? null : from.position;
  // Between the surfaces of two bodies that lie side by side.
  const share = from === null ? 0 : from.radius / (from.radius + to.radius);
  const between = (x: number, k: number) => lower![k]! + share * (x - lower![k]!);
  const anchor = to.position.map((x, k) => (lower === null ? x + draw.range(-1, 1) * to.radius : between(x, k))) as V3;
  const axis = draw.direction();
  // Friction about that of a body's weight.
  const force = 0.3 * (to.mass as number);
  const linear = () => drawAxis(draw, false, drives, force);
  const angular = () => drawAxis(draw, true, drives, force * to.radius);
  const common = { type, collide: false };
  switch (type) {
    case 'ball':
    case 'fixed':
      return { a, b, desc: { ...common, anchor } };
    case 'hinge':
      return { a, b, desc: { ...common, anchor, axis, ...angular() } };
    case 'slider':
      return { a, b, desc: { ...common, anchor, axis, ...linear() } };
    case 'cylindrical':
      return { a, b, desc: { ...common, anchor, axis, ...linear(), twist: angular() } };
    case 'cone-twist':
      return { a, b, desc: { ...common, anchor, axis, ...angular(), cone: draw.range(0.3, 1.5) } };
    case 'distance': {
      const at = draw.vector(to.radius);
      const anchorA = lower === null ? to.position.map((x) => x + draw.range(0.5, 2) * to.radius) : [0, 0, 0];
      return { a, b, desc: { ...common, anchorA: anchorA as V3, anchorB: drives === 'any' ? at : [0, 0, 0] } };
    }
    case 'six-axis': {
      // Limits keep the swing away from half a turn, where the twist has no value and a limit of it would jump.
      const swing = (): object => ({ ...angular(), limit: { min: -draw.range(0.05, 1.2), max: draw.range(0.05, 1.2) } });
      const axes = { x: { locked: true }, y: linear(), z: { locked: true }, swingX: swing(), swingY: swing(), twist: angular() };
      return { a, b, desc: { ...common, anchor, axis, axes } };
    }
    case 'wheel': {
      const steering = drives === 'any' ? draw.range(-0.5, 0.5) : 0;
      // Across the axis, by the cross product with a direction that is not along it.
      const side: V3 = Math.abs(axis[0]) < 0.8 ? [0, axis[2], -axis[1]] : [axis[1], -axis[0], 0];
      return { a, b, desc: { ...common, anchor, axis, suspensionAxis: side, steering, ...linear(), twist: angular() } };
    }
    case 'gear':
      return { a, b, desc: { type, axis, ratio: draw.range(0.3, 3) } };
    case 'pulley': {
      const above = (p: V3) => [p[0], p[1] + draw.range(1, 3) * to.radius, p[2]] as V3;
      const anchors = { anchorA: (lower ?? anchor) && ([0, 0, 0] as V3), anchorB: [0, 0, 0] as V3 };
      const grounds = { groundA: above(lower ?? anchor), groundB: above(to.position) };
      return { a, b, desc: { ...common, ...anchors, ...grounds, ratio: draw.range(0.5, 2) } };
    }
  }
}

/** Draws the scene of a seed in a class: the same on every machine. */
export function drawScene(seed: number, scene: SceneClass): Scene {
  const draw = new Draw(seed);
  const ground = draw.pick(scene.grounds);
  const material = () => ({
    restitution: draw.chance(0.4) ? 0 : draw.range(0, scene.restitution ?? 1),
    friction: draw.chance(0.2) ? 0 : draw.range(0, scene.friction ?? 1.5),
    rollingResistance: draw.chance(0.5) ? 0 : draw.decade(0.001, 0.3),
  });
  const options: WorldOptions = {
    warn: false,
    solver: draw.pick(['wide', 'wide', 'cell-split']),
    preset: draw.pick<PresetName>(['fast', 'balanced', 'balanced', 'high']),
    sleep: scene.sleep ? draw.chance(0.7) : false,
    gravity: scene.gravity ? [0, -draw.range(5, 15), 0] : [0, 0, 0],
  };
  const count = draw.int(...scene.count);
  const [least, most] = scene.sizes ?? [0.05, 5];
  // A third of the scenes have all sizes, the others a factor of four: bodies of one scale meet each other more often.
  const middle = draw.decade(least, most);
  const [low, high] = draw.chance(0.3) ? [least, most] : [Math.max(least, middle / 2), Math.min(most, middle * 2)];
  const radii = Array.from({ length: count }, () => draw.decade(low, high));
  const hasWorld = ground !== 'none';
  const parents = radii.map((_, b) => {
    if (!scene.joints || draw.chance(0.3) || (b === 0 && !hasWorld)) return undefined;
    return hasWorld && (b === 0 || draw.chance(0.2)) ? null : draw.int(Math.max(0, b - 3), b - 1);
  });
  const places = scene.placing === 'overlapping' ? radii.map(() => draw.vector(2 * low)) : placeApart(draw, radii, parents);
  const lowest = Math.min(...places.map((p, i) => p[1] - radii[i]!));
  const lift = ground === 'none' || ground === 'room' ? 0 : TOP + 0.05 - lowest;
  const speed = scene.speed ?? 5;
  const bodies = radii.map((radius, i): SceneBody => {
    const at = places[i]!;
    const mass = draw.decade(...(scene.masses ?? [0.1, 100]));
    const isAlone = scene.placing === 'alone';
    // Columns: bodies of one category see the ground alone.
    const filter = isAlone
      ? { category: 2, mask: 1 }
      : scene.filters
        ? { category: 1 << draw.int(0, 2), mask: draw.int(1, 7) }
        : {};
    const parts = drawParts(draw, scene.shapes ?? SHAPES, radius, { ...material(), ...filter });
    // Half of the bodies fly to the middle, where they meet.
    const inward = draw.chance(0.5) ? at.map((x) => -x / (Math.hypot(...at) + 1e-9)) : draw.direction();
    const fast = draw.range(0, speed);
    return {
      type: 'dynamic',
      position: isAlone
        ? [draw.range(-20, 20), TOP + radius * draw.range(1.05, 5), draw.range(-20, 20)]
        : [at[0], at[1] + lift, at[2]],
      rotation: draw.rotation(),
      linearVelocity: inward.map((x) => x * fast) as V3,
      angularVelocity: draw.vector(Math.min(speed / radius, 4 * speed)),
      mass,
      parts,
      radius,
    };
  });
  const joints: SceneJoint[] = [];
  parents.forEach((a, b) => {
    if (a === undefined) return;
    // Gears and pulleys hold two bodies.
    const types = scene.joints!.filter((type) => a !== null || (type !== 'gear' && type !== 'pulley'));
    joints.push(drawJoint(draw, { ...scene, joints: types }, bodies, a, b));
  });
  return { seed, options, ground: drawGround(draw, ground, material()), bodies, joints, steps: draw.int(...scene.steps) };
}

/** A scene in a world. */
export interface Played {
  world: World;
  /** Ids of the bodies of the scene, in its order. */
  ids: BodyId[];
  ground: BodyId[];
  joints: JointId[];
}

/** Description of a body for `createBody`, its shapes created in the world. */
export function descOf(world: World, { parts, radius: _, ...desc }: SceneBody): BodyDesc {
  return { ...desc, colliders: parts.map((part) => ({ ...part, shape: world.createShape(part.shape) })) };
}

/** Builds a scene in a world; without one it creates it. */
export async function play(scene: Scene, into?: World): Promise<Played> {
  const world = into ?? (await createWorld(scene.options));
  const ground = scene.ground.map((body) => world.createBody(descOf(world, body)));
  const ids = scene.bodies.map((body) => world.createBody(descOf(world, body)));
  const joints = scene.joints.map(({ a, b, desc }) =>
    world.createJoint({ ...desc, bodyA: a === null ? null : ids[a]!, bodyB: ids[b]! } as JointDesc),
  );
  return { world, ids, ground, joints };
}

/** Mass, inertia and motion of a body, in double precision. */
export interface Motion {
  mass: number;
  /** Center of mass (world, m) and its velocity. */
  center: V3;
  velocity: V3;
  spin: V3;
  /** Angular momentum about the center (world), and energy of the rotation, J. */
  turning: V3;
  energy: number;
}

/** Reads the motion of a body with these mass properties. */
function motionWith(world: World, id: BodyId, { mass, inertia: i, center: local }: Required<MassDesc>): Motion {
  const velocity = world.getLinearVelocity(id, [0, 0, 0]) as V3;
  const spin = world.getAngularVelocity(id, [0, 0, 0]) as V3;
  const q = world.getRotation(id, [0, 0, 0, 0]);
  const n = Math.hypot(...q);
  const unit = q.map((c) => c / n);
  const shift = rotate(unit, local as V3);
  const center = world.getPosition(id, [0, 0, 0]).map((c, k) => c! + shift[k]!) as V3;
  const [x, y, z] = rotate([-q[0]! / n, -q[1]! / n, -q[2]! / n, q[3]! / n], spin);
  const body: V3 = [i[0]! * x + i[3]! * y + i[4]! * z, i[3]! * x + i[1]! * y + i[5]! * z, i[4]! * x + i[5]! * y + i[2]! * z];
  const turning = rotate(unit, body);
  return { mass, center, velocity, spin, turning, energy: (body[0] * x + body[1] * y + body[2] * z) / 2 };
}

/** Reads the motion of a body. */
export const motionOf = (world: World, id: BodyId): Motion => motionWith(world, id, world.getMassProperties(id));

/** The bodies of a world with their mass properties, read once: nothing changes them while it steps. */
export class Meter {
  private readonly masses: Required<MassDesc>[];

  constructor(
    private readonly world: World,
    private readonly ids: readonly BodyId[],
  ) {
    this.masses = ids.map((id) => world.getMassProperties(id));
  }

  motions(): Motion[] {
    return this.ids.map((id, i) => motionWith(this.world, id, this.masses[i]!));
  }

  /** Kinetic energy, and potential energy over y = `floor`, J. */
  energy(gravity: number, floor: number): number {
    return this.motions().reduce((sum, one) => sum + energyOf(one, gravity, floor), 0);
  }
}

/** Kinetic energy, and potential energy over y = `floor`, J. */
export function energyOf({ mass, velocity, center, energy }: Motion, gravity: number, floor: number): number {
  return energy + (mass * velocity.reduce((square, v) => square + v * v, 0)) / 2 + mass * gravity * (center[1] - floor);
}

/** Acceleration by gravity of a scene, m/s2, downward. */
export const gravityOf = (scene: Scene): number => -(scene.options.gravity as V3)[1];
