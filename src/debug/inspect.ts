// Data about the last step for drawing and teaching: contacts, bounding boxes, and which island or cell a body belongs to. Reads
// linear memory, changes nothing, and costs nothing unless it is called.
import { TalusError } from '../checks/errors';
import { checkTyped, fail } from '../checks/validate';
import {
  Aabb,
  BodyCenter,
  Collider,
  HEADER_PTR,
  Header,
  MANIFOLD_BLOCK,
  Manifold,
  NONE,
  SOLVER_CELL_SPLIT,
  SOLVER_EXTERNAL,
  SOLVER_PAIR_SPLIT,
  SplitSlot,
  SplitState,
} from '../layout.generated';
import type { Registry } from '../registry/registry';
import type { CoreExports } from '../wasm/core';
import type { LinearMemory } from '../wasm/memory';

const POINT_WORDS = (Manifold.separation1 - Manifold.separation0) / 4;
const CELL_WORDS = 8;

/** Contact points as arrays. Only the first `count` entries are in use. */
export interface ContactArrays {
  count: number;
  /** Slots of the two bodies; `world.bodyAt` returns their ids. */
  bodyA: Uint32Array;
  bodyB: Uint32Array;
  /** Points on the surface of A (world, m): x y z each. */
  points: Float32Array;
  /** Unit normals from A to B (world): x y z each. */
  normals: Float32Array;
  /** Separations at the end of the step (m); negative where bodies overlap. */
  separations: Float32Array;
  /** Normal impulses of the last substep times the number of substeps (N s): the impulse of a step at rest. */
  impulses: Float32Array;
}

/**
 * Which label a body gets:
 * - `island`: bodies that touch each other, directly or through others, share a label; static bodies do not connect
 * - `cell`: the first cell of the body (splitting solvers)
 * - `splits`: number of sub-bodies of the body (splitting solvers)
 * - `contacts`: number of contact manifolds of the body
 */
export type LabelKind = 'island' | 'cell' | 'splits' | 'contacts';
export const LABEL_KINDS: readonly LabelKind[] = ['island', 'cell', 'splits', 'contacts'];

/** Label of slots without one: free slots, bodies without contacts, cells if the solver makes none. */
export const NO_LABEL = NONE;

function emptyContacts(capacity: number): ContactArrays {
  return {
    count: 0,
    bodyA: new Uint32Array(capacity),
    bodyB: new Uint32Array(capacity),
    points: new Float32Array(3 * capacity),
    normals: new Float32Array(3 * capacity),
    separations: new Float32Array(capacity),
    impulses: new Float32Array(capacity),
  };
}

/** The arrays of `ContactArrays`, with their numbers per contact. */
const CONTACT_ARRAYS = [
  ['bodyA', 'Uint32Array', 1],
  ['bodyB', 'Uint32Array', 1],
  ['points', 'Float32Array', 3],
  ['normals', 'Float32Array', 3],
  ['separations', 'Float32Array', 1],
  ['impulses', 'Float32Array', 1],
] as const;

/** Returns the number of contacts that fit into all arrays of `out`. */
function roomOf(out: ContactArrays): number {
  if (out === null || typeof out !== 'object') fail('out', 'an object with the arrays of a result of readContacts', out);
  let room = Infinity;
  for (const [key, type, size] of CONTACT_ARRAYS) {
    room = Math.min(room, Math.floor(checkTyped(out[key], `out.${key}`, type).length / size));
  }
  if (Object.isFrozen(out)) throw new TalusError('invalid-argument', 'out is frozen: its count cannot be written');
  return room;
}

/** Returns the index of the first word of a manifold. */
function manifoldWord(u32: Uint32Array, index: number): number {
  const blocks = u32[(HEADER_PTR + Header.manifoldBlocks) >>> 2]! >>> 2;
  return (u32[blocks + Math.floor(index / MANIFOLD_BLOCK)]! + (index % MANIFOLD_BLOCK) * Manifold.STRIDE) >>> 2;
}

/** Reads the contacts of the last step, into `out` if it is large enough. */
export function readContacts(core: CoreExports, memory: LinearMemory, out?: ContactArrays): ContactArrays {
  const total = memory.headerU32(Header.contactCount);
  const into = out !== undefined && roomOf(out) >= total ? out : emptyContacts(Math.ceil(1.25 * total));
  const manifolds = memory.headerU32(Header.manifoldCount);
  const centers = memory.headerU32(Header.bodyCenters) >>> 2;
  let count = 0;
  for (let i = 0; i < manifolds; i++) {
    const { u32, f32 } = memory;
    const m = manifoldWord(u32, i);
    const points = u32[m + Manifold.count / 4]!;
    if (points === 0) continue;
    core.readManifold(i);
    const substeps = core.substepsOfManifold(i);
    const bodyA = u32[m + Manifold.bodyA / 4]!;
    const center = centers + (bodyA * BodyCenter.STRIDE) / 4;
    for (let k = 0; k < points && count < into.bodyA.length; k++) {
      const p = m + k * POINT_WORDS;
      into.bodyA[count] = bodyA;
      into.bodyB[count] = u32[m + Manifold.bodyB / 4]!;
      for (let axis = 0; axis < 3; axis++) {
        into.points[3 * count + axis] = f32[center + axis]! + f32[p + Manifold.rax0 / 4 + axis]!;
        into.normals[3 * count + axis] = f32[m + Manifold.nx / 4 + axis]!;
      }
      into.separations[count] = f32[p + Manifold.separation0 / 4]!;
      into.impulses[count] = f32[p + Manifold.impulse0 / 4]! * substeps;
      count++;
    }
  }
  into.count = count;
  return into;
}

/** Returns the bounding boxes of the broad phase, 6 floats per collider: smallest x y z, largest x y z (world, m). */
export function readBounds(memory: LinearMemory, registry: Registry): Float32Array {
  const slots = memory.headerU32(Header.colliderCount);
  const boxes = memory.headerU32(Header.aabbs) >>> 2;
  const { f32, u32 } = memory;
  const out = new Float32Array(6 * slots);
  let count = 0;
  for (let i = 0; i < slots; i++) {
    if (u32[registry.colliderWord(i, Collider.body)] === NONE || u32[registry.colliderWord(i, Collider.leaf)] === NONE) continue;
    const at = boxes + (i * Aabb.STRIDE) / 4;
    for (let k = 0; k < 3; k++) {
      out[6 * count + k] = f32[at + Aabb.minX / 4 + k]!;
      out[6 * count + 3 + k] = f32[at + Aabb.maxX / 4 + k]!;
    }
    count++;
  }
  return out.subarray(0, 6 * count);
}

function rootOf(parents: Uint32Array, body: number): number {
  let at = body;
  while (parents[at] !== at) {
    parents[at] = parents[parents[at]!]!;
    at = parents[at]!;
  }
  return at;
}

/** Writes one label per body slot to `out`. */
export function readLabels(memory: LinearMemory, registry: Registry, kind: LabelKind, out: Uint32Array): void {
  const { u32 } = memory;
  const bodies = memory.headerU32(Header.bodyCount);
  const solver = memory.headerU32(Header.solver);
  const splits = solver === SOLVER_CELL_SPLIT || solver === SOLVER_PAIR_SPLIT || solver === SOLVER_EXTERNAL;
  out.fill(NO_LABEL, 0, bodies);
  if (kind === 'island' || kind === 'contacts') {
    const manifolds = memory.headerU32(Header.manifoldCount);
    const parents = Uint32Array.from({ length: bodies }, (_, i) => i);
    const counts = new Uint32Array(bodies);
    for (let i = 0; i < manifolds; i++) {
      const m = manifoldWord(u32, i);
      if (u32[m + Manifold.count / 4] === 0) continue;
      const a = u32[m + Manifold.bodyA / 4]!;
      const b = u32[m + Manifold.bodyB / 4]!;
      if (a >= bodies || b >= bodies) continue;
      counts[a]!++;
      counts[b]!++;
      if (!registry.isDynamic(a) || !registry.isDynamic(b)) continue;
      const rootA = rootOf(parents, a);
      const rootB = rootOf(parents, b);
      if (rootA < rootB) parents[rootB] = rootA;
      else parents[rootA] = rootB;
    }
    for (let body = 0; body < bodies; body++) {
      if (counts[body] === 0) continue;
      if (kind === 'contacts') out[body] = counts[body]!;
      else if (registry.isDynamic(body)) out[body] = rootOf(parents, body);
    }
    return;
  }
  const state = memory.headerU32(Header.splitState);
  if (!splits || state === 0) return;
  const word = (offset: number) => u32[(state + offset) >>> 2]!;
  const slots = word(SplitState.slots) >>> 2;
  const cells = word(SplitState.cells) >>> 2;
  const cellCount = word(SplitState.cellCount);
  for (let cell = 0; cell < cellCount; cell++) {
    const first = u32[cells + CELL_WORDS * cell + 2]!;
    const end = first + u32[cells + CELL_WORDS * cell + 3]!;
    for (let slot = first; slot < end; slot++) {
      const ids = slots + (slot * SplitSlot.STRIDE + SplitSlot.ids) / 4;
      const body = u32[ids + 3]!;
      if (body >= bodies || out[body] !== NO_LABEL) continue;
      out[body] = kind === 'cell' ? cell : u32[ids + 1]!;
    }
  }
}
