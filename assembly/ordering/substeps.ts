// Chooses how many substeps the next step needs, from the structures in the world (Header.autoSubsteps).
//
// A soft contact gives way by its load over the square of the substep rate, and tall structures buckle if their contacts are too
// soft. Both need substeps in proportion to the square root of the height. Heavy bodies on light ones act like a taller structure
// of equal bodies, in which a body carries (H + 1) / 2 times its own weight on average. For an island of height H over fixed
// bodies, whose bodies carry L times their own mass on average (loads go down in equal shares, level by level):
//   substeps = ceil(max(2.5 e sqrt(H), 0.068 e^2.5 H^1.5)),   e = 2 L / (H + 1), 1 for a column of equal bodies,   fewest..MOST
// (docs/substeps.md, "How many substeps"). The second term, with e at most 1, is Euler's bound for a column under its own weight:
// with fewer substeps a structure leans a little more in every second, until it falls.
// - Islands that carry far more than their own mass (e above 2) and tall ones take up to LOADED: the stiffness of a contact
//   follows the lighter body, so nothing else holds them.
// - A solver with batches has a number for each batch (sweep/batch_layout.ts). For other solvers the world takes the largest
//   number that an island asks for.
// - More substeps come at once. Fewer come only after a while, so that the number does not flicker, and only as many fewer as the
//   motion of the island hides: an island at rest gives up one at a time, so that contacts settle to their new depth without a
//   visible motion.
// - Sleeping bodies support others like fixed bodies. Bodies that joints hold together count as one, and ask for at least JOINTED
//   unless they lie.
// These islands differ from constraints/islands.ts: those couple bodies that are near or asleep, these bodies that touch and
// move.
// Input: pairs that touch, joints, BodyRow. Output: substeps that an island asks for; Header.substeps; and Header.oneMean for the
// splitting solvers: whether sub-bodies of shared bodies are averaged once or twice per substep. Once is as calm for piles and
// takes half the passes; built structures take two.
import { awakeBody } from '../bodies/awake';
import { coldAt, isAsleep, isMoved, rowAt } from '../bodies/rows';
import { firstJoint, isEnabled, jointAt } from '../constraints/joints';
import { pairCold, pairHot } from '../constraints/pair_rows';
import { fewestSubsteps, usesBatches } from '../lanes/batches';
import {
  BodyCold,
  Header,
  JOINT_FREE,
  Joint,
  NONE,
  PairCold,
  PairHot,
  SUBSTEP_ENTRY_STRIDE,
  SUBSTEP_STATE_STRIDE,
  SubstepEntry,
  SubstepState,
} from '../layout.generated';
import { dot3 } from '../math/lane';
import { join, rootOf } from '../math/union_find';
import { allocate, ensureArray } from '../memory/allocator';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';

const FACTOR: f32 = 2.5;
// Columns of 40, 50 and 60 cubes buckle with 16, 22 and 29 substeps and stand with 18, 24 and 32; a flat pyramid of 100 rows does
// with 22 and stands with 25.
const BUCKLES: f32 = 0.068;
const MOST: u32 = 20;
// Those of islands with an e above 2: 10 e, and no more than this.
const LOADED: u32 = 64;
const MOST_BY_LOAD: f32 = 10;
// Steps between two looks at a world in which little changes, and steps for which fewer substeps must do before one is taken
// off.
const LOOK_EVERY: u32 = 8;
const PATIENCE: u32 = 16;
// Speeds of an island are root mean squares against its common motion, m/s. At this speed the motion hides the settling of
// contacts when one substep is taken off. Islands of fewer levels than LOW settle by less than 2 mm, however many are taken off.
const HIDES: f32 = 0.05;
const LOW: f32 = 4;
// Structures with joints take at least this many, unless they lie and trees hold them exactly.
const JOINTED: u32 = 8;
// Angle (rad) of a swing by a load that a substep follows; from 0.39 on chains came apart.
const FOLLOWED: f32 = 0.3;
// Share of the ratio of masses in a rig that it asks for in substeps where the lighter body touches something: 100 kg on links of
// 1 kg over a beam sink in by 2 mm with 10 substeps, by 14 with 9, by 85 with 8.
const SETTLES: f32 = 0.1;
// Nets, in which more than a third of the joints close loops, and more than a few: blocks that share their loads. They do with
// this share of what their loads ask for, 12 at most, and with the fewest.
const NET_SHARE: f32 = 0.6;
const NET_LOOPS: u32 = 4;
// A faster island does not stand: 5 mm per step at 60 Hz.
const TUMBLES: f32 = 0.3;
// An island that asks for more than MOST keeps its number up to this speed, while it gives way.
const CRUSHES: f32 = 2;
// Bodies times substeps above MOST, at most: what holding a load may cost in a step. Without batches the whole world takes
// what an island asks for.
const AFFORDED: f32 = 3000;
// Substeps above MOST for what would buckle, however many bodies it has.
const UPRIGHT: f32 = 8;
// With one mean per substep piles rest as with two, on the fewest substeps; built structures sway more, and card houses never
// rest. An island takes two means if it asks for more than ONE_MEAN before the fewest are granted, or is of LOW levels and has an
// e above SLENDER: piles lie at 0.46 to 0.77, card houses at 0.74 to 0.89. Islands of fewer bodies than SHARED lie in one cell,
// which needs no mean.
const ONE_MEAN: f32 = 5;
const SLENDER: f32 = 0.8;
const SHARED: u32 = 32;
// Levels above this ask for MOST anyway.
const MOST_LEVELS: u32 = 96;

function state(): SubstepState {
  return changetype<SubstepState>(<usize>header().substepState);
}
function entryAt(body: u32): SubstepEntry {
  return changetype<SubstepEntry>(<usize>state().bodies + <usize>body * SUBSTEP_ENTRY_STRIDE);
}

/** Part of initWorld. False without memory. */
export function initSubsteps(): bool {
  header().substepState = <u32>allocate(SUBSTEP_STATE_STRIDE);
  if (header().substepState == 0) return false;
  state().starts = <u32>allocate((<usize>MOST_LEVELS + 2) << 2);
  return state().starts != 0;
}

/** Whether enough has changed for another look, or enough time gone by. */
export function isLookDue(): bool {
  const h: Header = header();
  const s: SubstepState = state();
  const change: u32 = <u32>abs<i32>(<i32>(h.manifoldAlive - s.manifolds));
  if (s.joints != h.jointStamp) return true;
  return change > s.manifolds >> 4 || s.sleeping != h.sleepingCount || s.wanted == 0 || h.stepCount - s.looked >= LOOK_EVERY;
}

/** Whether the last look saw a body. */
function isKnown(body: u32): bool {
  return body < state().bodiesCapacity && entryAt(body).mass != 0;
}

/** Substeps that the island of a body asked for at the last look. */
export function substepsWanted(body: u32): u32 {
  return isKnown(body) ? <u32>entryAt(body).wanted : fewestSubsteps();
}

/** Substeps that the island of a body may give up at once. */
export function substepsHidden(body: u32): u32 {
  return isKnown(body) ? <u32>entryAt(body).hides : LOADED;
}

/** Whether bodies have been woken since the last look: their loads must be known before they are solved. */
export function areWoken(): bool {
  return header().sleepingCount < state().sleeping;
}

/**
 * Before the contacts stage: sets the number of substeps of this step, if it is not fixed. False without memory (error
 * set).
 */
export function chooseSubsteps(): bool {
  const h: Header = header();
  h.oneMean = 0;
  if (h.autoSubsteps == 0) return true;
  const s: SubstepState = state();
  if (isLookDue() && !look()) return false;
  s.low = s.twoMeans != 0 ? 0 : s.low + 1;
  h.oneMean = s.low > PATIENCE && h.autoSubsteps == 1 ? 1 : 0;
  // Nothing rests yet on the number that a new world begins with.
  if (s.wanted >= h.substeps || h.stepCount == 0) {
    s.calm = 0;
    h.substeps = s.wanted;
    return true;
  }
  s.calm++;
  if (s.calm < PATIENCE) return true;
  s.calm = 0;
  h.substeps -= min<u32>(s.hides, h.substeps - s.wanted);
  return true;
}

/** After the contacts stage: islands that it woke may need more substeps at once. False without memory (error set). */
export function raiseSubsteps(): bool {
  const h: Header = header();
  if (h.autoSubsteps == 0 || !areWoken()) return true;
  if (!look()) return false;
  h.substeps = max<u32>(h.substeps, state().wanted);
  if (state().twoMeans != 0) h.oneMean = 0;
  return true;
}

/** Whether a body supports without giving way: impulses do not move it, or it sleeps. */
function isFixed(body: u32): bool {
  return !isMoved(body) || isAsleep(body);
}

/** The body that represents all bodies that joints hold together: the first of them. */
function rigOf(body: u32): u32 {
  return rootOf(state().rigs, body);
}

/**
 * Substeps for a body under the load of a joint: a force F at an arm r swings it like a spring, at sqrt(F / (2 m r)), which the
 * warm start follows up to FOLLOWED rad a substep.
 */
function stiffness(index: u32, body: u32, anchor: usize): f32 {
  const joint: Joint = jointAt(index);
  if (!(joint.impulseStep > 0)) return 0;
  const cold: BodyCold = coldAt(body);
  const r: v128 = f32x4.sub(v128.load(changetype<usize>(joint) + anchor), f32x4(cold.comX, cold.comY, cold.comZ, 0));
  const j: v128 = v128.load(changetype<usize>(joint) + offsetof<Joint>('jx'));
  const arm: f32 = sqrt<f32>(dot3(r, r));
  if (!(arm > 0) || !(cold.mass > 0)) return 0;
  const step: f32 = max<f32>(header().dt, header().softStep);
  const n: f32 = (step / FOLLOWED) * sqrt<f32>(sqrt<f32>(dot3(j, j)) / (joint.impulseStep * 2 * cold.mass * arm));
  return n < <f32>MOST ? n : <f32>MOST;
}

/**
 * Bodies that joints hold together count as one body of their total mass; if one of them hangs from a fixed body, they are on
 * level 1.
 */
function findRigs(): void {
  const h: Header = header();
  const s: SubstepState = state();
  for (let i: u32 = 0; i < h.jointCount; i++) {
    if (!isEnabled(i)) continue;
    const a: u32 = jointAt(i).bodyA,
      b: u32 = jointAt(i).bodyB;
    const heldA: bool = a == NONE || isFixed(a),
      heldB: bool = isFixed(b);
    if (!heldA && !heldB) {
      // A joint that closes a loop may be a soft block.
      if (rigOf(a) == rigOf(b) || (jointAt(i).flags & JOINT_FREE) != 0) entryAt(a).gives = 1;
      join(s.rigs, a, b);
      join(s.parents, a, b);
    }
  }
  for (let i: u32 = 0; i < h.jointCount; i++) {
    if (!isEnabled(i)) continue;
    const a: u32 = jointAt(i).bodyA,
      b: u32 = jointAt(i).bodyB;
    const heldA: bool = a == NONE || isFixed(a),
      heldB: bool = isFixed(b);
    if (heldA && heldB) continue;
    const e: SubstepEntry = entryAt(rigOf(heldA ? b : a));
    e.joints++;
    if (heldA != heldB) {
      e.level = 1;
      e.gives = 1;
    }
    if (!heldA) e.stiff = max<f32>(e.stiff, stiffness(i, a, offsetof<Joint>('anchorAx')));
    if (!heldB) e.stiff = max<f32>(e.stiff, stiffness(i, b, offsetof<Joint>('anchorBx')));
  }
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const body: u32 = awakeBody(k);
    const rig: u32 = rigOf(body);
    if (rig == body) continue;
    entryAt(rig).others++;
    entryAt(rig).heaviest = max<f32>(entryAt(rig).heaviest, entryAt(body).heaviest);
    entryAt(rig).gives |= entryAt(body).gives;
    entryAt(rig).mass += entryAt(body).mass;
    entryAt(rig).borne += entryAt(body).mass;
  }
  // Trees hold at any load: they are solved exactly, and bodies that swing too fast get more inertia (joints/loads.ts).
  for (let k: u32 = 0; k < h.awakeCount; k++) {
    const e: SubstepEntry = entryAt(awakeBody(k));
    if (e.joints <= e.others + e.level) e.stiff = 0;
  }
}

/** Whether a rig is a net. */
function isNet(rig: SubstepEntry): bool {
  const loops: u32 = rig.joints - min<u32>(rig.joints, rig.others);
  return loops > NET_LOOPS && loops > rig.joints / 3;
}

/** Notes that a body touches something: that contact gets the loads of its rig. */
function noteTouching(body: u32): void {
  if (firstJoint(body) == NONE || isFixed(body)) return;
  const rig: SubstepEntry = entryAt(rigOf(body));
  rig.touching = max<f32>(rig.touching, rowAt(body).invMass);
}

/**
 * Substeps for a rig that touches something with a body much lighter than its heaviest one. A contact stops the light body alone,
 * then the joints hand on to it what the heavy one does, and so on, a substep each: it takes as many as their masses differ by.
 * Meanwhile the light one sinks in. SETTLES of these are granted.
 */
function substepsByTouch(rig: SubstepEntry): f32 {
  return min<f32>(SETTLES * rig.heaviest * rig.touching, <f32>MOST);
}

/** Lists the pairs of dynamic bodies that touch, makes islands of them; bodies on fixed ones get level 1. */
function findLinks(): u32 {
  const h: Header = header();
  const links: u32 = state().links;
  let count: u32 = 0;
  for (let i: u32 = 0; i < h.awakePairs; i++) {
    const cold: PairCold = pairCold(i);
    if (cold.manifold == NONE || (cold.flags & 1) == 0) continue;
    const hot: PairHot = pairHot(i);
    const a: u32 = hot.bodyA,
      b: u32 = hot.bodyB;
    const bears: bool = isFixed(a);
    noteTouching(a);
    noteTouching(b);
    if (bears || isFixed(b)) {
      entryAt(rigOf(bears ? b : a)).level = 1;
      continue;
    }
    const rigA: u32 = rigOf(a),
      rigB: u32 = rigOf(b);
    if (rigA == rigB) continue;
    put32(links, 2 * count, rigA);
    put32(links, 2 * count + 1, rigB);
    count++;
    join(state().parents, rigA, rigB);
  }
  return count;
}

/** Levels spread over the links, forwards and backwards in turn, until nothing changes. */
function findLevels(count: u32): void {
  const links: u32 = state().links;
  let changed: bool = true;
  for (let pass: u32 = 0; changed && pass < MOST_LEVELS; pass++) {
    changed = false;
    for (let i: u32 = 0; i < count; i++) {
      const at: u32 = (pass & 1) == 0 ? i : count - 1 - i;
      const a: SubstepEntry = entryAt(at32(links, 2 * at)),
        b: SubstepEntry = entryAt(at32(links, 2 * at + 1));
      // 0 - 1 is the largest number: a body without a level is never the lower one.
      if (a.level - 1 > b.level && b.level != 0) {
        a.level = b.level + 1;
        changed = true;
      } else if (b.level - 1 > a.level && a.level != 0) {
        b.level = a.level + 1;
        changed = true;
      }
    }
  }
}

/** Level of the upper body of a link whose bodies are on two levels, 0 for one along a level. */
function upperLevel(link: u32): u32 {
  const a: u32 = entryAt(at32(state().links, 2 * link)).level,
    b: u32 = entryAt(at32(state().links, 2 * link + 1)).level;
  return a == b ? 0 : min<u32>(max<u32>(a, b), MOST_LEVELS);
}

/** Hands loads down, from the highest level on. */
function handDown(count: u32): void {
  const links: u32 = state().links,
    order: u32 = state().order,
    starts: u32 = state().starts;
  memory.fill(starts, 0, (<usize>MOST_LEVELS + 2) << 2);
  for (let i: u32 = 0; i < count; i++) put32(starts, upperLevel(i), at32(starts, upperLevel(i)) + 1);
  let sum: u32 = 0;
  for (let level: u32 = MOST_LEVELS + 1; level-- > 0; ) {
    sum += at32(starts, level);
    put32(starts, level, sum - at32(starts, level));
  }
  for (let i: u32 = 0; i < count; i++) {
    const level: u32 = upperLevel(i);
    const place: u32 = at32(starts, level);
    put32(starts, level, place + 1);
    put32(order, place, i);
    if (level == 0) continue;
    const a: SubstepEntry = entryAt(at32(links, 2 * i)),
      b: SubstepEntry = entryAt(at32(links, 2 * i + 1));
    if (a.level > b.level) a.below++;
    else b.below++;
  }
  for (let k: u32 = 0; k < count; k++) {
    const i: u32 = at32(order, k);
    const a: SubstepEntry = entryAt(at32(links, 2 * i)),
      b: SubstepEntry = entryAt(at32(links, 2 * i + 1));
    if (a.level > b.level) b.borne += a.borne / <f32>a.below;
    else if (b.level > a.level) a.borne += b.borne / <f32>b.below;
  }
}

/** Looks at all islands. False without memory. */
export function look(): bool {
  const h: Header = header();
  const s: SubstepState = state();
  const at: usize = changetype<usize>(s);
  const bodies: u32 = h.awakeCount;
  if (!ensureArray(at, SUBSTEP_ENTRY_STRIDE, h.bodyCapacity)) return false;
  if (!ensureArray(at + offsetof<SubstepState>('parents'), 4, h.bodyCapacity)) return false;
  if (!ensureArray(at + offsetof<SubstepState>('rigs'), 4, h.bodyCapacity)) return false;
  if (!ensureArray(at + offsetof<SubstepState>('links'), 8, h.manifoldCapacity)) return false;
  if (!ensureArray(at + offsetof<SubstepState>('order'), 4, h.manifoldCapacity)) return false;
  for (let i: u32 = 0; i < h.bodyCount; i++) put32(s.rigs, i, i);
  for (let k: u32 = 0; k < bodies; k++) {
    const i: u32 = awakeBody(k);
    const inverse: f32 = rowAt(i).invMass;
    const e: SubstepEntry = entryAt(i);
    memory.fill(changetype<usize>(e), 0, SUBSTEP_ENTRY_STRIDE);
    put32(s.parents, i, i);
    if (inverse > 0) e.mass = 1 / inverse;
    e.heaviest = e.mass;
    e.borne = e.mass;
  }
  if (h.jointAlive != 0) findRigs();
  const links: u32 = findLinks();
  findLevels(links);
  handDown(links);
  const fewest: u32 = fewestSubsteps();
  let most: u32 = fewest,
    hides: u32 = LOADED;
  s.twoMeans = 0;
  for (let k: u32 = 0; k < bodies; k++) {
    const i: u32 = awakeBody(k);
    const e: SubstepEntry = entryAt(i);
    if (e.mass == 0) continue;
    const motion: v128 = f32x4.replace_lane(v128.load(changetype<usize>(rowAt(i))), 3, 0);
    const v: v128 = f32x4.replace_lane(motion, 3, dot3(motion, motion));
    const rig: SubstepEntry = entryAt(rigOf(i));
    if (rig.others != 0) addMotion(changetype<usize>(rig) + offsetof<SubstepEntry>('partsVx'), v);
    if (e.level == 0) continue;
    const island: SubstepEntry = entryAt(rootOf(s.parents, i));
    island.height = max<u32>(island.height, e.level);
    island.members++;
    island.gives |= e.gives;
    island.loads += e.borne / e.mass;
    addMotion(changetype<usize>(island) + offsetof<SubstepEntry>('vx'), v);
  }
  for (let k: u32 = 0; k < bodies; k++) {
    const e: SubstepEntry = entryAt(awakeBody(k));
    if (e.members == 0) continue;
    measureIsland(e);
    most = max<u32>(most, e.wanted);
    hides = min<u32>(hides, e.hides);
  }
  for (let k: u32 = 0; k < bodies; k++) {
    const i: u32 = awakeBody(k);
    const island: SubstepEntry = entryAt(rootOf(s.parents, i));
    const flies: bool = island.members == 0;
    const rig: SubstepEntry = entryAt(rigOf(i));
    const net: bool = isNet(rig);
    // In a heap of rigs each counts as one body; one by itself lies if its parts do.
    const lies: bool = island.lies != 0 && (island.members > 1 || restlessness(rig.partsV, rig.others + 1) <= TUMBLES);
    const least: u16 = <u16>(firstJoint(i) == NONE || lies || net ? fewest : max<u32>(fewest, JOINTED));
    const loads: u16 = <u16>ceil<f32>(max<f32>(net ? NET_SHARE * rig.stiff : rig.stiff, substepsByTouch(rig)));
    entryAt(i).wanted = max<u16>(loads, flies ? least : max<u16>(least, island.wanted));
    entryAt(i).hides = flies ? <u16>LOADED : island.hides;
  }
  s.wanted = most;
  s.hides = hides;
  s.looked = h.stepCount;
  s.manifolds = h.manifoldAlive;
  s.sleeping = h.sleepingCount;
  s.joints = h.jointStamp;
  return true;
}

/** Adds to sums of velocities and of squared speeds. */
function addMotion(sums: usize, v: v128): void {
  v128.store(sums, f32x4.add(v128.load(sums), v));
}

/** Root mean square of the speed of bodies against their common motion, from sums of both. */
function restlessness(sums: v128, count: u32): f32 {
  const mean: v128 = f32x4.mul(sums, f32x4.splat(1 / <f32>count));
  return sqrt<f32>(max<f32>(f32x4.extract_lane(mean, 3) - dot3(mean, mean), 0));
}

/**
 * Computes the substeps that an island asks for, and how many it may give up at once; its sums lie in the entry of its root. When
 * the number changes, contacts settle to a new depth: an island at rest gives up one at a time, a moving one as many as its
 * motion hides.
 */
function measureIsland(e: SubstepEntry): void {
  const restless: f32 = restlessness(e.v, e.members);
  const height: f32 = <f32>e.height;
  e.lies = restless <= TUMBLES && e.gives == 0 && usesBatches(header().solver) ? 1 : 0;
  e.hides = <u16>(height < LOW ? <f32>LOADED : min<f32>(1 + restless / HIDES, <f32>LOADED));
  const load: f32 = (2 * e.loads) / (<f32>e.members * (height + 1));
  // A load beyond that of a column asks no more of the height: it has a bound of its own.
  const slender: f32 = min<f32>(load, 1);
  const upright: f32 = BUCKLES * slender * slender * sqrt<f32>(slender) * height * sqrt<f32>(height);
  const n: f32 = max<f32>((FACTOR * 2 * e.loads * sqrt<f32>(height)) / (<f32>e.members * (height + 1)), upright);
  const taken: u32 = usesBatches(header().solver) ? e.members : header().awakeCount;
  const afforded: f32 = AFFORDED / <f32>taken;
  const byLoad: f32 = min<f32>(min<f32>(MOST_BY_LOAD * load, <f32>LOADED) - <f32>MOST, afforded);
  const byHeight: f32 = min<f32>(min<f32>(ceil<f32>(upright), <f32>LOADED) - <f32>MOST, max<f32>(afforded, UPRIGHT));
  const bound: f32 = <f32>MOST + max<f32>(floor<f32>(max<f32>(byLoad, byHeight)), 0);
  const wanted: f32 = min<f32>(ceil<f32>(n), bound);
  const stands: bool = restless <= (wanted > <f32>MOST ? CRUSHES : TUMBLES);
  e.wanted = <u16>(stands ? max<f32>(<f32>fewestSubsteps(), wanted) : <f32>fewestSubsteps());
  const most: f32 = height < LOW ? ONE_MEAN : min<f32>(ONE_MEAN, SLENDER * FACTOR * sqrt<f32>(height));
  if (restless <= TUMBLES && n > most && e.members > SHARED) state().twoMeans = 1;
}
