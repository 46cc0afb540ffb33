// PGS on lanes by colors (SOLVER_COLORED): the sweeps of SOLVER_WIDE (sweep/wide.ts) over groups in the order of their colors
// (colored_lanes.ts), the whole world at once.
// Input, output: as there.
import { Header, BatchState, WordList } from '../layout.generated';
import { jointsOfBatch } from '../joints/solve';
import { batchState } from '../lanes/batches';
import { header } from '../memory/header';
import { beginLanes } from '../sweep/wide';
import { solveBatch } from '../sweep/wide_batch';
import { LISTS, colorList, coloredGroups } from './colored_lanes';

/**
 * Puts the groups of all lists into the list of the batches: overflow, colors (those against static bodies last). Returns its
 * end.
 */
function listColors(): usize {
  let out: usize = batchState().words,
    colors: u32 = 0;
  for (let c: u32 = 0; c < LISTS; c++) {
    const list: WordList = colorList(c == 0 ? LISTS - 1 : c - 1);
    const bytes: usize = (<usize>list.count) << 2;
    memory.copy(out, list.words, bytes);
    if (bytes != 0) colors++;
    out += bytes;
  }
  header().colorCount = colors;
  return out;
}

/** Batches all substeps of a step. Returns false without memory (nothing was solved). */
export function solveColored(): bool {
  const hd: Header = header();
  const batches: BatchState = batchState();
  if (!beginLanes(coloredGroups(), false)) return false;
  solveBatch(hd.substeps, batches.bodies, batches.listed, batches.words, listColors(), jointsOfBatch(0));
  return true;
}
