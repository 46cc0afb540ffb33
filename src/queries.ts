// Queries against the world: what is asked and what comes back.
import { TalusError } from './errors';
import { Header, QueryState } from './layout.generated';
import type { LinearMemory } from './memory';
import type { Registry } from './registry';
import type { BodyId, ColliderId, Vec3 } from './types';
import { checkBits, checkKeys, checkNumber, checkPosition, checkVec3, MAX_COORDINATE } from './validate';
import type { CoreExports } from './wasm/core';

/** Options of `castRay`. */
export interface RayOptions {
  /** m, more than 0; default 1000. */
  maxDistance?: number;
  /** Categories to hit, 32 bits; default all. */
  mask?: number;
}

/** The nearest thing that a ray meets. */
export interface RayHit {
  body: BodyId;
  collider: ColliderId;
  /** World, m. */
  point: [number, number, number];
  /** Outward unit normal of the surface, world; against the ray where it starts inside of a convex shape. */
  normal: [number, number, number];
  /** From the origin, m. */
  distance: number;
  /** distance / maxDistance, 0 to 1. */
  fraction: number;
  /** Triangle of a mesh (in the order of its indices unless triangles were skipped) or heightfield; 0 for other shapes. */
  triangle: number;
}

/**
 * Nearest hit of a ray, or null. Sensors are passed through.
 * @throws TalusError `invalid-argument`
 */
export function castRay(
  core: CoreExports,
  memory: LinearMemory,
  registry: Registry,
  origin: Vec3,
  direction: Vec3,
  options: RayOptions,
): RayHit | null {
  const o = checkPosition(origin, 'origin');
  const d = checkVec3(direction, 'direction');
  checkKeys(options, 'options', ['maxDistance', 'mask']);
  const reach =
    options.maxDistance === undefined ? 1000 : checkNumber(options.maxDistance, 'maxDistance', 1e-9, 2 * MAX_COORDINATE);
  const mask = options.mask === undefined ? 0xffffffff : checkBits(options.mask, 'mask');
  const length = Math.hypot(d[0]!, d[1]!, d[2]!);
  if (!(length > 0)) throw new TalusError('invalid-argument', 'direction must not be zero');
  const x = d[0]! / length;
  const y = d[1]! / length;
  const z = d[2]! / length;
  const address = core.castRay(o[0]!, o[1]!, o[2]!, x, y, z, reach, mask) >>> 0;
  if (address === 0) {
    if (memory.headerU32(Header.queryState) === 0) throw new TalusError('out-of-memory', 'linear memory cannot grow');
    return null;
  }
  const f32 = memory.f32;
  const at = address >>> 2;
  const collider = memory.u32[at + QueryState.collider / 4]!;
  const distance = f32[at + QueryState.t / 4]!;
  const normal = at + QueryState.nx / 4;
  return {
    body: registry.bodyIdAt(registry.ownerOf(collider)),
    collider: registry.colliderIdAt(collider),
    point: [o[0]! + x * distance, o[1]! + y * distance, o[2]! + z * distance],
    normal: [f32[normal]!, f32[normal + 1]!, f32[normal + 2]!],
    distance,
    fraction: distance / reach,
    triangle: memory.u32[at + QueryState.feature / 4]!,
  };
}
