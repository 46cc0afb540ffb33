// Effects on many bodies at once, over the arrays of the core: explosions, fields of gravity, water. They apply forces for the
// next step, or impulses at once, when the host calls them.

import { checkBits, checkKeys, checkNumber, checkPosition, checkVec3, checkWord, fail } from '../checks/validate';
import {
  BODY_ALIVE,
  BODY_DISABLED,
  BODY_DYNAMIC,
  BODY_TYPE_BITS,
  BodyCenter,
  BodyCold,
  BodyInertia,
  BodyRow,
  Collider,
  Header,
  NONE,
  SHAPE_SPHERE,
  Shape,
} from '../layout.generated';
import type { Registry } from '../registry/registry';
import type { MassProperties } from '../shapes/mass';
import type { BodyId, Vec3 } from '../types';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';

const FALLOFFS = ['none', 'linear', 'quadratic'] as const;

/** An explosion, for `World.applyExplosion`. */
export interface Explosion {
  /** Center (world, m). */
  position: Vec3;
  /** Radius (m). Bodies whose center of mass is farther away are not affected. */
  radius: number;
  /** Impulse per body (N s) at the center of the explosion; negative values pull. */
  impulse: number;
  /** How the impulse falls to 0 at the radius: not at all, with the distance, or with its square; default `linear`. */
  falloff?: (typeof FALLOFFS)[number];
  /** Distance (m) by which the center counts as lower, so that bodies are thrown up; default 0. */
  lift?: number;
  /** Categories of colliders that it acts on, 32 bits; default all. */
  mask?: number;
}

/** A field of gravity around a point, for `World.applyGravityField`. */
export interface GravityField {
  /** Center (world, m). */
  position: Vec3;
  /** Acceleration towards the point (m/s2) at the distance `reference`; negative values push. */
  strength: number;
  /** Distance (m) at which the field has its `strength`, more than 0; default 1. */
  reference?: number;
  /** Power of the distance with which the field falls, 0 to 4; default 2. */
  power?: number;
  /** Distance (m) below which the field grows no more; default a hundredth of `reference`. */
  least?: number;
  /** Distance (m) beyond which the field does not act; default infinity. */
  radius?: number;
  mask?: number;
}

/** Water, for `World.applyBuoyancy`. */
export interface Water {
  /** Height of the surface (world y, m); for waves, a function of world x and z. */
  level: number | ((x: number, z: number) => number);
  /** Density, kg/m3; default 1000. */
  density?: number;
  /** Bounds of the volume: x, z and floor (world, m); default none. */
  bounds?: { min: Vec3; max: Vec3 };
  /** Drag, 1/s: share of its velocity against the water that a body of the water's density loses per second; default 1. */
  drag?: number;
  /** Drag of the angular velocity, 1/s; default 1. */
  angularDrag?: number;
  /** Velocity of the water (world, m/s); default 0. */
  flow?: Vec3;
  mask?: number;
}

/** The parts of a world that fields read. */
export interface FieldWorld {
  /** Throws if the world was disposed. */
  alive(): void;
  core: CoreExports;
  memory: LinearMemory;
  registry: Registry;
  masses: readonly (MassProperties | null)[];
}

function optional(value: number | undefined, name: string, other: number, min: number, max: number): number {
  return value === undefined ? other : checkNumber(value, name, min, max);
}

const maskOf = (mask: number | undefined) => (mask === undefined ? 0xffffffff : checkBits(mask, 'mask'));

/** Calls `visit` for each dynamic body that takes part and has a collider of these categories. */
function forBodies({ memory, registry }: FieldWorld, mask: number, visit: (body: number) => void): void {
  const count = memory.headerU32(Header.bodyCount);
  for (let i = 0; i < count; i++) {
    const { u32 } = memory;
    const flags = u32[registry.coldWord(i, BodyCold.flags)]!;
    if ((flags & (BODY_ALIVE | BODY_DISABLED | BODY_TYPE_BITS)) !== (BODY_ALIVE | BODY_DYNAMIC)) continue;
    let collider = u32[registry.coldWord(i, BodyCold.firstCollider)]!;
    while (collider !== NONE && (u32[registry.colliderWord(collider, Collider.category)]! & mask) === 0) {
      collider = u32[registry.colliderWord(collider, Collider.next)]!;
    }
    if (collider !== NONE || mask === 0xffffffff) visit(i);
  }
}

const centerWord = (memory: LinearMemory, body: number) =>
  (memory.headerU32(Header.bodyCenters) + body * BodyCenter.STRIDE) >>> 2;

/** Applies an explosion and returns how many bodies it reached. */
export function explode(world: FieldWorld, desc: Explosion): number {
  checkKeys(desc, 'explosion', ['position', 'radius', 'impulse', 'falloff', 'lift', 'mask']);
  const p = checkPosition(desc.position, 'explosion.position');
  const radius = checkNumber(desc.radius, 'explosion.radius', 1e-6, 1e6);
  const impulse = checkNumber(desc.impulse, 'explosion.impulse', -1e12, 1e12);
  const power = desc.falloff === undefined ? 1 : checkWord(desc.falloff, 'explosion.falloff', FALLOFFS);
  const lift = optional(desc.lift, 'explosion.lift', 0, 0, 1e6);
  let felt = 0;
  forBodies(world, maskOf(desc.mask), (body) => {
    const { f32 } = world.memory;
    const at = centerWord(world.memory, body);
    const x = f32[at]! - p[0]!;
    const y = f32[at + 1]! - p[1]!;
    const z = f32[at + 2]! - p[2]!;
    const distance = Math.hypot(x, y, z);
    if (distance >= radius) return;
    felt++;
    const length = Math.hypot(x, y + lift, z);
    const j = impulse * (1 - distance / radius) ** power;
    // A body at the center is thrown up.
    if (length < 1e-9) world.core.applyImpulse(body, 0, j, 0, 0, 0, 0);
    else world.core.applyImpulse(body, (j * x) / length, (j * (y + lift)) / length, (j * z) / length, 0, 0, 0);
  });
  return felt;
}

export function attract(world: FieldWorld, desc: GravityField): void {
  const half = world.memory.headerF32(Header.dt) / 2;
  checkKeys(desc, 'field', ['position', 'strength', 'reference', 'power', 'least', 'radius', 'mask']);
  const p = checkPosition(desc.position, 'field.position');
  const strength = checkNumber(desc.strength, 'field.strength', -1e6, 1e6);
  const reference = optional(desc.reference, 'field.reference', 1, 1e-6, 1e6);
  const power = optional(desc.power, 'field.power', 2, 0, 4);
  const least = optional(desc.least, 'field.least', reference / 100, 1e-9, 1e6);
  const radius =
    desc.radius === undefined || desc.radius === Infinity ? Infinity : checkNumber(desc.radius, 'field.radius', 0, 1e6);
  forBodies(world, maskOf(desc.mask), (body) => {
    const { f32 } = world.memory;
    const at = centerWord(world.memory, body);
    // Where the body is in the middle of the step: of second order in it.
    const row = (world.memory.headerU32(Header.bodyRows) + body * BodyRow.STRIDE) >>> 2;
    const x = p[0]! - f32[at]! - half * f32[row]!;
    const y = p[1]! - f32[at + 1]! - half * f32[row + 1]!;
    const z = p[2]! - f32[at + 2]! - half * f32[row + 2]!;
    const distance = Math.hypot(x, y, z);
    if (distance > radius || distance === 0) return;
    const mass = f32[world.registry.coldWord(body, BodyCold.mass)]!;
    const f = (mass * strength * (reference / Math.max(distance, least)) ** power) / distance;
    world.core.addField(body, f * x, f * y, f * z, 0, 0, 0);
  });
}

/**
 * Returns the share of a ball of radius r under water whose center is `depth` below the surface, and how far the center of that
 * part lies below the ball's.
 */
function sunkBall(r: number, depth: number): [number, number] {
  const h = Math.min(Math.max(depth + r, 0), 2 * r);
  const volume = h * h * (3 * r - h);
  return [volume / (4 * r ** 3), h === 0 ? 0 : (3 * (2 * r - h) ** 2) / (4 * (3 * r - h))];
}

// Other shapes are the boxes around them, in CELLS^3 cells of equal volume.
const CELLS = 4;

/**
 * Numbers per part of a body: center (world, m), volume (m3), and its radius as a ball or, negative, its half height as a cell.
 */
const PART = 5;

/** Writes the balls and cells that stand for a body in the water; returns the end of the list. */
function partsOf({ memory, registry, masses }: FieldWorld, body: number, parts: number[]): number {
  const { f32, u32 } = memory;
  const center = centerWord(memory, body);
  const [cx, cy, cz] = [f32[center]!, f32[center + 1]!, f32[center + 2]!];
  const turnAt = (memory.headerU32(Header.rotations) >>> 2) + 4 * body;
  let end = 0;
  const add = (x: number, y: number, z: number, volume: number, size: number) => {
    parts[end] = cx + x;
    parts[end + 1] = cy + y;
    parts[end + 2] = cz + z;
    parts[end + 3] = volume;
    parts[end + 4] = size;
    end += PART;
  };
  let collider = u32[registry.coldWord(body, BodyCold.firstCollider)]!;
  for (; collider !== NONE; collider = u32[registry.colliderWord(collider, Collider.next)]!) {
    const c = registry.colliderWord(collider, 0);
    const shape = u32[c + Collider.shape / 4]!;
    const unit = masses[shape];
    if (!unit || u32[c + Collider.flags / 4]! & 5) continue;
    const s = registry.shapeWord(shape, 0);
    const toWorld = (x: number, y: number, z: number) => {
      const o = c + Collider.x / 4;
      const [bx, by, bz] = turn(f32, c + Collider.qx / 4, x, y, z);
      return turn(f32, turnAt, bx + f32[o]!, by + f32[o + 1]!, bz + f32[o + 2]!);
    };
    if (u32[s + Shape.type / 4] === SHAPE_SPHERE) {
      add(...toWorld(0, 0, 0), unit.mass, f32[s + Shape.p0 / 4]!);
      continue;
    }
    const min = [0, 1, 2].map((k) => f32[s + Shape.minX / 4 + k]!);
    const size = [0, 1, 2].map((k) => f32[s + Shape.maxX / 4 + k]! - min[k]!);
    // The middle of the cells is that of the shape.
    const shift = [0, 1, 2].map((k) => unit.center[k]! - (min[k]! + size[k]! / 2));
    const origin = toWorld(0, 0, 0)[1];
    const up = [toWorld(1, 0, 0)[1], toWorld(0, 1, 0)[1], toWorld(0, 0, 1)[1]].map((y) => y - origin);
    const half = up.reduce((sum, u, k) => sum + (Math.abs(u) * size[k]!) / (2 * CELLS), 0);
    for (let n = 0; n < CELLS ** 3; n++) {
      const place = [n % CELLS, Math.floor(n / CELLS) % CELLS, Math.floor(n / CELLS ** 2)];
      const at = place.map((i, k) => min[k]! + ((i + 0.5) * size[k]!) / CELLS + shift[k]!);
      add(...toWorld(at[0]!, at[1]!, at[2]!), unit.mass / CELLS ** 3, -half);
    }
  }
  return end;
}

/** Applies lift and drag of water to all bodies. */
export function float(world: FieldWorld, desc: Water): void {
  checkKeys(desc, 'water', ['level', 'density', 'bounds', 'drag', 'angularDrag', 'flow', 'mask']);
  const given = desc.level;
  const density = optional(desc.density, 'water.density', 1000, 0, 1e9);
  const drag = optional(desc.drag, 'water.drag', 1, 0, 1000);
  const angularDrag = optional(desc.angularDrag, 'water.angularDrag', 1, 0, 1000);
  const flow = desc.flow === undefined ? [0, 0, 0] : checkVec3(desc.flow, 'water.flow', 1e6);
  let low: ArrayLike<number> = [-Infinity, -Infinity, -Infinity];
  let high: ArrayLike<number> = [Infinity, Infinity, Infinity];
  if (desc.bounds !== undefined) {
    checkKeys(desc.bounds, 'water.bounds', ['min', 'max']);
    low = checkPosition(desc.bounds.min, 'water.bounds.min');
    high = checkPosition(desc.bounds.max, 'water.bounds.max');
    if (!(low[0]! < high[0]! && low[2]! < high[2]!)) fail('water.bounds', 'min below max', desc.bounds);
  }
  const mask = maskOf(desc.mask);
  const { memory, registry, core } = world;
  const levelAt = (x: number, z: number) => {
    const y = checkNumber(typeof given === 'function' ? given(x, z) : given, 'water.level', -1e6, 1e6);
    if (typeof given === 'function') world.alive();
    return y;
  };
  levelAt(0, 0);
  const gravity = [0, 4, 8].map((offset) => memory.headerF32(Header.gravityX + offset));
  const dt = memory.headerF32(Header.dt);
  const forces: { id: BodyId; force: Parameters<typeof core.addField> }[] = [];
  // Levels are the caller's code, which may change the world, and so the memory. So the list of bodies is copied first; the shape
  // of a body in the water is read before its levels, and everything else after them, if the body still exists.
  const ids: BodyId[] = [];
  forBodies(world, mask, (body) => {
    if (typeof given === 'number') {
      const top = memory.f32[centerWord(memory, body) + 1]! - memory.f32[registry.coldWord(body, BodyCold.extent)]!;
      if (top > given) return;
    }
    ids.push(registry.bodyIdAt(body));
  });
  const parts: number[] = [];
  for (const id of ids) {
    if (!registry.hasBody(id) || !registry.isDynamic(registry.body(id))) continue;
    const body = registry.body(id);
    const end = partsOf(world, body, parts);
    const center = centerWord(memory, body);
    const [cx, cy, cz] = [memory.f32[center]!, memory.f32[center + 1]!, memory.f32[center + 2]!];
    let sunk = 0; // m3
    let [mx, my, mz] = [0, 0, 0]; // moment of the sunk volume about the center of mass
    for (let k = 0; k < end; k += PART) {
      const [x, z, size] = [parts[k]!, parts[k + 2]!, parts[k + 4]!];
      let y = parts[k + 1]!;
      const depth = levelAt(x, z) - y;
      let share = 0;
      if (size > 0) {
        const [part, below] = sunkBall(size, depth);
        share = part;
        y -= below;
      } else {
        share = Math.min(Math.max((depth - size) / (-2 * size), 0), 1);
        y += size * (1 - share);
      }
      if (!(share > 0) || x < low[0]! || x > high[0]! || z < low[2]! || z > high[2]! || y < low[1]!) continue;
      const volume = share * parts[k + 3]!;
      sunk += volume;
      mx += volume * (x - cx);
      my += volume * (y - cy);
      mz += volume * (z - cz);
    }
    if (sunk === 0 || !registry.hasBody(id)) continue;
    const { f32 } = memory;
    const mass = f32[registry.coldWord(body, BodyCold.mass)]!;
    if (!(mass > 0)) continue;
    const lift = gravity.map((g) => -density * g);
    const row = (memory.headerU32(Header.bodyRows) + body * BodyRow.STRIDE) >>> 2;
    // Exact for any drag: v / (1 + c dt) in a step.
    const weight = density * sunk;
    const c = (drag * Math.min(weight / mass, 1)) / (1 + drag * dt);
    const a = (angularDrag * Math.min(weight / mass, 1)) / (1 + angularDrag * dt);
    const force = lift.map((f, k) => f * sunk - c * mass * (f32[row + k]! - flow[k]!));
    const spin = [0, 1, 2].map((k) => -a * f32[row + BodyRow.wx / 4 + k]!);
    const torque = inertiaTimes(f32, (memory.headerU32(Header.bodyInertias) + body * BodyInertia.STRIDE) >>> 2, spin);
    const push: Parameters<typeof core.addField> = [
      body,
      force[0]!,
      force[1]!,
      force[2]!,
      my * lift[2]! - mz * lift[1]! + torque[0]!,
      mz * lift[0]! - mx * lift[2]! + torque[1]!,
      mx * lift[1]! - my * lift[0]! + torque[2]!,
    ];
    forces.push({ id, force: push });
  }
  // After the last surface was read: a refused call changes nothing.
  for (const { id, force } of forces) if (registry.hasBody(id) && registry.isDynamic(force[0])) core.addField(...force);
}

/** Returns v rotated by the quaternion at `at`. */
function turn(q: Float32Array, at: number, vx: number, vy: number, vz: number): [number, number, number] {
  const [x, y, z, w] = [q[at]!, q[at + 1]!, q[at + 2]!, q[at + 3]!];
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  return [vx + w * tx + (y * tz - z * ty), vy + w * ty + (z * tx - x * tz), vz + w * tz + (x * ty - y * tx)];
}

/** I w from the inverse inertia at word `at`. */
function inertiaTimes(f32: Float32Array, at: number, w: number[]): number[] {
  const [xx, yy, zz, xy, xz, yz] = f32.subarray(at, at + 6) as unknown as [number, number, number, number, number, number];
  const rows = [
    [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy],
    [xz * yz - xy * zz, xx * zz - xz * xz, xy * xz - xx * yz],
    [xy * yz - xz * yy, xy * xz - xx * yz, xx * yy - xy * xy],
  ];
  const det = xx * rows[0]![0]! + xy * rows[0]![1]! + xz * rows[0]![2]!;
  return rows.map((row) => (det > 0 ? (row[0]! * w[0]! + row[1]! * w[1]! + row[2]! * w[2]!) / det : 0));
}
