// Lanes of SOLVER_COLORED: graph coloring, kept up to date instead of being made anew each step.
//
// A manifold gets the first color that neither of its bodies uses, and a lane in a group of that color (lanes/lanes.ts): the
// groups of a color share no dynamic body. Manifolds against static bodies take colors from the far end, so that they are
// solved last and win. When the 32 colors of a body are used up, manifolds go to the overflow list, one to a group.
// A list is a color or the overflow; all of them lie at Header.coloredLanes.
// Input, output: Manifold.lane and color, BodyNode.colors.
import { BodyNode, ContactGroup, Header, Manifold, NONE, SOLVER_COLORED, WORD_LIST_STRIDE, WordList } from '../layout.generated';
import { isMoved } from '../bodies/rows';
import { nodeAt } from '../constraints/lists';
import { CLASSES, groupAt, laneState, lanesUsed, pointsOfGroup, sideAt } from '../lanes/lane_layout';
import { LaneOrder, OPEN_WINDOW, append, movedRow, openGroup, sharesBody } from '../lanes/lanes';
import { allocate } from '../memory/allocator';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';

const OVERFLOW: u32 = 32;
/** Colors, then the overflow. */
export const LISTS: u32 = 33;

// Lists of a color: all of its groups, then for each class those with free lanes.
const COLOR_LISTS: u32 = 1 + CLASSES;

function listAt(i: u32): WordList {
  return changetype<WordList>(<usize>header().coloredLanes + <usize>i * WORD_LIST_STRIDE);
}

/** The list of a color. */
export function colorList(color: u32): WordList {
  return listAt(color * COLOR_LISTS);
}

/** Groups of a color with k points and a free lane. */
function openList(color: u32, k: u32): WordList {
  return listAt(color * COLOR_LISTS + k);
}

/** The order of lanes of the study: that of colors for SOLVER_COLORED, else that of the product. */
class ColoredLanes extends LaneOrder {
  serves(solver: u32): bool {
    return solver == SOLVER_COLORED || super.serves(solver);
  }
  place(m: Manifold): bool {
    return header().solver == SOLVER_COLORED ? placeByColor(m) : super.place(m);
  }
  cellOf(group: ContactGroup): u32 {
    return header().solver == SOLVER_COLORED ? NONE : super.cellOf(group);
  }
  left(m: Manifold, word: u32, used: u32): void {
    if (header().solver == SOLVER_COLORED) leaveColor(m, word, used);
  }
  forget(): void {
    for (let c: u32 = 0; c < LISTS; c++) {
      colorList(c).count = 0;
      for (let k: u32 = 1; k <= CLASSES; k++) openList(c, k).count = 0;
    }
    const bodies: u32 = header().bodyCount;
    for (let i: u32 = 0; i < bodies; i++) nodeAt(i).colors = 0;
  }
}

/** Room for the lists; the lanes are theirs. False without memory. */
export function initColoredLanes(): bool {
  const h: Header = header();
  h.coloredLanes = <u32>allocate(LISTS * COLOR_LISTS * <u32>WORD_LIST_STRIDE);
  h.laneOrder = idof<ColoredLanes>();
  return h.coloredLanes != 0;
}

/** Groups of all lists. */
export function coloredGroups(): u32 {
  let groups: u32 = 0;
  for (let c: u32 = 0; c < LISTS; c++) groups += colorList(c).count;
  return groups;
}

/** Takes entry `at` out of a list; the order of the others stays. */
function dropEntry(list: WordList, at: u32): void {
  for (let k: u32 = at + 1; k < list.count; k++) put32(list.words, k - 1, at32(list.words, k));
  list.count--;
}

function placeByColor(m: Manifold): bool {
  const dynamicA: bool = isMoved(m.bodyA),
    dynamicB: bool = isMoved(m.bodyB);
  const nodeA: BodyNode = nodeAt(m.bodyA),
    nodeB: BodyNode = nodeAt(m.bodyB);
  let free: u32 = ~0;
  if (dynamicA) free &= ~nodeA.colors;
  if (dynamicB) free &= ~nodeB.colors;
  if (free == 0) return insertInto(m, OVERFLOW);
  const color: u32 = dynamicA && dynamicB ? ctz<u32>(free) : 31 - clz<u32>(free);
  if (!insertInto(m, color)) return false;
  if (dynamicA) nodeA.colors |= 1 << color;
  if (dynamicB) nodeB.colors |= 1 << color;
  return true;
}

/** A lane in the newest open group of a color that has no dynamic body in common with the manifold, else in a new one. */
function insertInto(m: Manifold, color: u32): bool {
  const k: u32 = m.count;
  const open: WordList = openList(color, k);
  const count: u32 = open.count;
  const a: u32 = movedRow(m.bodyA),
    b: u32 = movedRow(m.bodyB);
  m.color = color;
  if (color != OVERFLOW) {
    for (let i: u32 = 0; i < count && i < OPEN_WINDOW; i++) {
      const entry: u32 = count - 1 - i;
      const word: u32 = at32(open.words, entry);
      if (sharesBody(groupAt(word), a, b)) continue;
      const used: u32 = lanesUsed(sideAt(word));
      m.lane = (word << 2) + used;
      if (used == 3) dropEntry(open, entry);
      return true;
    }
  } else if (count != 0) {
    m.lane = at32(open.words, count - 1) << 2;
    open.count = count - 1;
    return true;
  }
  const word: u32 = openGroup(colorList(color), k, NONE);
  if (word == NONE || (color != OVERFLOW && !append(open, word))) return false;
  m.lane = word << 2;
  return true;
}

function leaveColor(m: Manifold, word: u32, used: u32): void {
  const color: u32 = m.color;
  if (color < OVERFLOW) {
    nodeAt(m.bodyA).colors &= ~(1 << color);
    nodeAt(m.bodyB).colors &= ~(1 << color);
  }
  // Of the last lane all lists are forgotten.
  if (laneState().lanesUsed == 0) return;
  // Without memory for the list the lane stays empty until all lanes are laid out again: nothing is lost.
  if (used == 4 || color == OVERFLOW) append(openList(color, pointsOfGroup(word)), word);
}
