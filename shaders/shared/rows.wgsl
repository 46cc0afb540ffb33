// Methods on scalar rows, Jacobi (jacobi_*.wgsl) and Gauss-Seidel in blocks (sweep_*.wgsl): what their kernels share. Twins:
// the files of the same names in assembly/study/methods, the same operations in the same order; rows as in state.ts and row.ts
// there. A change here is a change there. Kernels that import this declare `params` and `rows`, those that use a row also
// `states`, `bodyStates` or `bodies`.
//
// `states` is one array of numbers, regions of rowCount each. Jacobi reads impulses in one half and writes them in the other, so
// that all rows of an iteration see the same ones; everything else of a row is touched by the lane of that row alone.
#import layout
#import jacobi_layout

override LANES: u32 = 64u;

// Kinds of rows.
const NORMAL = 0u;
const TANGENT = 1u;
const TWIST = 2u;
const PAIR = 3u; // first tangent of a manifold; the next row is the second one
const SECOND = 4u;
// Of joints: assembly/study/methods/joint_rows.ts.
const LOCK = 5u;
const LIMIT = 6u;
const DRIVE = 7u;
const SPRING = 8u;
const LOAD = 9u;
const PULLEY = 10u;
const STATIC_SIDE = 0x10000u;

// Regions of `states` after the two halves of the impulses.
const MOST = 2u;
const EXCESS = 3u; // what the next warm start leaves out of the impulse
const STEP = 4u;
const BIAS = 5u;
const GAMMA = 6u; // compliance; below 0: the row is not solved in this pass
const KEPT = 7u; // impulse while positions are projected
const FREE = 8u; // assembled: velocity of the row without any impulse
const BEFORE = 9u; // assembled: impulse before the iterations; momentum: before the last one
const PREVIOUS = 10u; // impulse at the end of the substep before
const REST = 11u; // 1: both bodies are at rest, the impulse is kept
const TOTAL = 12u; // impulses of the substeps before this one; of a joint the largest of them
const COUNT = 13u; // locked axis: substeps before this one; limit: 1 at its lower end, -1 at its upper one

// JacobiStep.mode of prepare: which bias normals and joints get.
const MODE_MAIN = 0u;
const MODE_RELAX = 1u;
const MODE_PROJECT = 2u;
const MODE_NONE = 4u;
const MODE_REST = 5u;
// Of rows and product.
const MODE_SOLVE = 0u;
const MODE_SCATTER = 1u; // adds the steps as they stand
const MODE_FREE = 2u; // velocities without impulses

// JacobiStep.flags. Of prepare:
const FIRST = 1u; // first of the step
const WARM = 2u; // impulses are repeated: less the excess, times warmStart
const FIND_EXCESS = 4u; // a substep has ended: finds the excess
const RESTORE = 8u; // positions have been projected: impulses as before
const KEEP = 16u; // positions will be projected: from impulses of zero
// Of apply:
const ACCELERATE = 32u;
const ADVANCE = 64u; // the bodies move
const SNAPSHOT = 128u; // and these are the velocities of the substep
const SAVE = 256u; // positions will be projected: from velocities of zero
const RELOAD = 512u; // they have been: velocities as before
const DIFFERENCE = 1024u; // the step of a row is its impulse less that before the iterations
const SOLVED = 2048u; // the velocities are there already
// Of the kernels of Gauss-Seidel:
const BACKWARDS = 4096u; // the normal of a link with one point comes before its friction
// Of all that iterate (momentum.wgsl):
const MOMENTUM = 8192u; // rows leave from where momentum takes them
const START = 16384u; // first iteration: momentum begins
const ODD = 32768u; // an odd iteration
const EXTRAPOLATE = 65536u; // bodies leave from where momentum takes them

fn at(region: u32, row: u32) -> u32 { return region * params.rowCount + row; }

fn has(flag: u32) -> bool { return (params.flags & flag) != 0u; }

fn kind_of(ids: vec4u) -> u32 { return ids.z & 0xffu; }

// Whether rows of a kind are solved with the friction where normals and friction are solved in turn.
fn is_friction(kind: u32) -> bool { return (kind != NORMAL && kind < LOCK) || kind == LOAD; }

fn quotient(x: f32, k: f32) -> f32 {
  if (k > 0.0) { return x / k; }
  return 0.0;
}
