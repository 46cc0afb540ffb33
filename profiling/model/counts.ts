// What a step asks of a GPU, in numbers: bodies, links, cells, passes. bench/kernels.mjs counts them on an empty device; estimate.ts guesses
// them for a step of which a report has fewer numbers.

/** Cells that one kernel solves. */
export interface CellCounts {
  cells: number;
  links: number;
  /** Sub-bodies. */
  slots: number;
  /** Most colors of a cell. */
  colors: number;
  /** Rounds of 32 links that a sweep takes, one after the other: most of a cell, and the mean. A color takes one at least. */
  rounds: number;
  meanRounds: number;
  /** Share of the 32 lanes that have a link, 0 to 1. */
  lanes: number;
}

/** Cells of whole islands with joints. */
export interface JointedCounts extends CellCounts {
  joints: number;
}

/** Passes over the cells: one dispatch of `solve` each. `substep`: soft and relax in one. */
export interface Passes {
  warm: number;
  soft: number;
  relax: number;
  substep: number;
}

export interface StepCounts {
  bodies: number;
  /** Contact manifolds, and their points. */
  links: number;
  points: number;
  joints: number;
  /** Rows of 16 bytes that a manifold has for its impulses, and those behind its points that a sweep touches. */
  impulseRows: number;
  linkRows: number;
  /** Sub-bodies. */
  slots: number;
  /** Those of bodies that lie in several cells, and how many rows of others they read for their mean. */
  borderSlots: number;
  borderReads: number;
  /** Manifolds that the CPU sent. */
  edits: number;
  substeps: number;
  /** Sweeps of a soft or relax pass. */
  sweeps: number;
  /** Passes of `solve`. */
  passes: Passes;
  /** Dispatches by kernel. */
  dispatches: Partial<Record<string, number>>;
  /** Cells of whole islands without joints and with some, which one dispatch each solves; and the others. */
  island: CellCounts;
  /** Absent from scenes without joints. */
  islandJoints?: JointedCounts;
  solve: CellCounts;
  bytesUp: number;
  bytesDown: number;
}

/** No cells of this kind. */
export const NO_CELLS: CellCounts = { cells: 0, links: 0, slots: 0, colors: 0, rounds: 0, meanRounds: 0, lanes: 0 };

/** Dispatches of a step. */
export function dispatchesOf(counts: StepCounts): number {
  return Object.values(counts.dispatches).reduce<number>((sum, n) => sum + (n ?? 0), 0);
}

/** Times that a step goes over each link: warm start, then every sweep. */
export function visitsOf(passes: Passes, sweeps: number): number {
  return passes.warm + sweeps * (passes.soft + passes.relax + 2 * passes.substep);
}

/** Passes of a cell that holds whole islands: it takes the mean of nothing, so all are separate. */
export function islandPasses(substeps: number): Passes {
  return { warm: 1, soft: substeps, relax: substeps, substep: 0 };
}

/** A step as the model takes it: its counts, and the bytes that they mean in the build that makes it. */
export interface Step extends StepCounts {
  /** Traffic of all kernels. */
  bytes: number;
  /** Data that the passes go over again and again. */
  workingSet: number;
}

const EVERY_STEP = ['spread', 'prepare', 'finalise', 'collect'];

/** Times that the step goes over its links, all cells together. */
function visitsOfAll({ island, islandJoints, solve, passes, substeps, sweeps }: StepCounts): number {
  const whole = island.links + (islandJoints?.links ?? 0);
  return whole * visitsOf(islandPasses(substeps), sweeps) + solve.links * visitsOf(passes, sweeps);
}

/**
 * The step with the passes that so many dispatches tell of. Cells that share bodies take a warm start and one dispatch a substep, or two.
 * Beside them stand the kernels that every step has, `island` where there are such cells, and perhaps `edit`.
 */
export function withDispatches(step: Step, dispatches: number): Step {
  const { substeps, solve } = step;
  const passes: Passes = { warm: 0, soft: 0, relax: 0, substep: 0 };
  if (solve.cells > 0) {
    const isTwice = dispatches - EVERY_STEP.length > 2 * substeps;
    Object.assign(passes, { warm: 1 }, isTwice ? { soft: substeps, relax: substeps } : { substep: substeps });
  }
  const solves = passes.warm + passes.soft + passes.relax + passes.substep;
  const left = dispatches - EVERY_STEP.length - solves;
  const island = left > 0 ? step.island : NO_CELLS;
  const islands = island.cells > 0 ? 1 : 0;
  const all = Object.fromEntries(EVERY_STEP.map((kernel) => [kernel, 1]));
  const changed = {
    ...step,
    passes,
    island,
    dispatches: { ...all, island: islands, solve: solves, edit: Math.max(0, left - islands) },
  };
  return { ...changed, bytes: (step.bytes * visitsOfAll(changed)) / visitsOfAll(step) };
}

/** The step of a scene of another size, all numbers in proportion; rounds stay. */
export function scaled(step: Step, bodies: number): Step {
  const by = bodies / step.bodies;
  const cells = <T extends CellCounts>(c: T): T => ({ ...c, cells: c.cells * by, links: c.links * by, slots: c.slots * by });
  const { links, points, joints, slots, borderSlots, borderReads, edits, bytesUp, bytesDown, bytes, workingSet } = step;
  const all = { links, points, joints, slots, borderSlots, borderReads, edits, bytesUp, bytesDown, bytes, workingSet };
  const grown = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value * by])) as typeof all;
  const islandJoints = step.islandJoints && { ...cells(step.islandJoints), joints: step.islandJoints.joints * by };
  return {
    ...step,
    ...grown,
    bodies,
    island: cells(step.island),
    solve: cells(step.solve),
    ...(islandJoints && { islandJoints }),
  };
}
