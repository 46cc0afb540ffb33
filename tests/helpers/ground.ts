// Worlds with a floor and readings of bodies in double precision, for tests of physics by the public API.
import type { BodyId, ShapeDesc, ShapeId, SolverName, World, WorldOptions } from '../../src/study/index';
import { type AnyWorld, createWorld } from './worlds';

export type V3 = [number, number, number];

/** The solvers that the default presets are made for, all on the CPU. */
export const SOLVERS = [
  'wide',
  'colored',
  'pgs',
  'cell-order',
  'pair-split',
  'cell-split',
] as const satisfies readonly SolverName[];

/** `faultsOf` a world in which nothing went wrong. */
export const NO_FAULTS = {
  notFinite: false,
  stopped: 0,
  lastStopped: null,
  stops: [],
  speedLimited: 0,
  deviceLost: null,
  gpuFailures: 0,
  gpuError: null,
  saturated: 0,
};

/** `world.faults`; `saturated` is only counted by talus/study. */
export const faultsOf = (world: AnyWorld) => ({ saturated: 0, ...world.faults });

export const GRAVITY = 9.81;
export const DT = 1 / 60;

export interface GroundWorld {
  world: World;
  floor: BodyId;
  cube: ShapeId;
}

/** A world with a floor whose top is at y = 0, and a cube of 1 m as a shape. */
export async function groundWorld(options: WorldOptions = {}, material = {}, create = createWorld): Promise<GroundWorld> {
  const world = await create(options);
  const shape = world.createShape({ type: 'box', halfExtents: [200, 1, 200] });
  const floor = world.createBody({ type: 'static', shape, position: [0, -1, 0], ...material });
  return { world, floor, cube: world.createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] }) };
}

export function steps(world: AnyWorld, count: number): void {
  for (let i = 0; i < count; i++) world.step();
}

export const position = (world: AnyWorld, id: BodyId): V3 => world.getPosition(id, [0, 0, 0]);
export const velocity = (world: AnyWorld, id: BodyId): V3 => world.getLinearVelocity(id, [0, 0, 0]);
export const spin = (world: AnyWorld, id: BodyId): V3 => world.getAngularVelocity(id, [0, 0, 0]);
export const speed = (world: AnyWorld, id: BodyId): number => Math.hypot(...velocity(world, id));
export const length = (v: readonly number[]): number => Math.hypot(...v);

export function cross(a: readonly number[], b: readonly number[]): V3 {
  return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

/** q v q*, for a unit quaternion x y z w. */
export function rotate(q: readonly number[], v: readonly number[]): V3 {
  const t = cross(q, v).map((x) => 2 * x);
  const u = cross(q, t);
  return [0, 1, 2].map((k) => v[k]! + q[3]! * t[k]! + u[k]!) as V3;
}

/** Angular momentum about the centre of mass (world) and kinetic energy of rotation, for principal moments in body axes. */
export function rotation(world: AnyWorld, id: BodyId, moments: V3): { momentum: V3; energy: number } {
  const q = world.getRotation(id, [0, 0, 0, 0]);
  const n = Math.hypot(...q);
  const unit = q.map((x) => x / n);
  const w = rotate([-unit[0]!, -unit[1]!, -unit[2]!, unit[3]!], spin(world, id));
  const body = [0, 1, 2].map((k) => moments[k]! * w[k]!) as V3;
  return { momentum: rotate(unit, body), energy: 0.5 * (body[0] * w[0] + body[1] * w[1] + body[2] * w[2]) };
}

/** Quaternion of a turn by `angle` about an axis of unit length. */
export function turn(axis: V3, angle: number): [number, number, number, number] {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

/** A square of 2 * half m at y = 0 as a triangle mesh of n x n cells, diagonals alternating, seen from above. */
export function flatMesh(half: number, n: number): ShapeDesc {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let z = 0; z <= n; z++)
    for (let x = 0; x <= n; x++) positions.push((2 * half * x) / n - half, 0, (2 * half * z) / n - half);
  for (let z = 0; z < n; z++) {
    for (let x = 0; x < n; x++) {
      const a = z * (n + 1) + x;
      const [b, c, d] = [a + 1, a + n + 1, a + n + 2];
      if ((x + z) % 2 === 0) indices.push(a, c, b, b, c, d);
      else indices.push(a, c, d, a, d, b);
    }
  }
  return { type: 'mesh', positions, indices };
}

/** The same square as a heightfield. */
export function flatHeightfield(half: number, n: number): ShapeDesc {
  const spacing = (2 * half) / n;
  return {
    type: 'heightfield',
    heights: new Array((n + 1) ** 2).fill(0),
    nx: n + 1,
    nz: n + 1,
    spacing,
    origin: [-half, 0, -half],
  };
}
