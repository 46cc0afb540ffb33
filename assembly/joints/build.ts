// Builds the groups of joints for the solver, again whenever joints, their bodies, the set of awake bodies or the batches have
// changed.
//
// 1. Chunks: whole assemblies of connected joints, at least four at a time, all of one solver batch.
// 2. An entry for every active joint, with key = chunk, section, form. Sections are in the order of a pass: joints that lock no
//    axis, joints that are solved alone, trees from the deepest level to the roots. A root that nothing holds has an entry of its
//    own.
// 3. Entries sorted by key. Entries of one key form groups of four lanes that share no body that impulses move.
// 4. Rows of bodies and groups, filled from Joint records.
// Input: Joint records, batches, trees. Output: JointState.groups, order, bodies, chunks, heads; Joint.row.
import {
  AXIS_LIMITED,
  AXIS_POSITION,
  AXIS_STIFFNESS,
  AXIS_VELOCITY,
  BODY_ROW_STRIDE,
  BodyCold,
  Header,
  JOINT_CHUNK_STRIDE,
  JOINT_BODY_STRIDE,
  JOINT_ENTRY_STRIDE,
  JOINT_PULLEY,
  JOINT_UNIT_STRIDE,
  Joint,
  JointBody,
  JointChunk,
  JointEntry,
  JointGroup,
  JointState,
  JointUnit,
  NONE,
  TreeSection,
  VECTOR_LANES_STRIDE,
} from '../layout.generated';
import { coldAt, isMoved } from '../bodies/rows';
import { isAtWork, jointAt, worksOn } from '../constraints/joints';
import { rootOfBody, batchAt, batchFor, batchState } from '../lanes/batches';
import { ensureArray } from '../memory/allocator';
import { join, rootOf } from '../math/union_find';
import { header } from '../memory/header';
import { at32, put32 } from '../memory/words';
import { substepsWanted } from '../ordering/substeps';
import { initJointBody } from './bodies';
import { put3 } from './columns';
import { axisOf, blockOf, formOf, groupBytes, mayBeTree, sectionOf, unitsOf } from './forms';
import {
  FORM_FLOATS,
  FORM_FRICTION,
  FORM_LOCKED,
  FORM_TREE,
  FRICTION_ALONE,
  LIMITS_OR_DRIVES,
  LINEAR_AXES,
  driven,
  firstUnit,
  isCoupling,
  isPlain,
} from './layout';
import { groundOf, jointChunkAt, jointState } from './state';
import { IN_TREE, endToParent, growTree, levelOf } from './trees';
import { BORNE } from './units';

// Key of an entry: chunk, section (loose, alone, trees), place of the level, form.
const CHUNK_SHIFT: u64 = 40;
const SECTION_SHIFT: u64 = 38;
const LEVEL_SHIFT: u64 = 20;
const LEVELS: u32 = 0x3ffff;
const LOOSE: u64 = 0;
const ALONE: u64 = 1;
const TREES: u64 = 2;
// Bits of an entry: a joint, with FLIPPED if its child is body A; or with ROOT a body that floats.
const FLIPPED: u32 = 0x80000000;
const ROOT: u32 = 0x40000000;
const INDEX: u32 = 0x3fffffff;
// Open groups that are tried before another one is opened.
const WINDOW: u32 = 16;
// A chunk takes no more when it has this many entries and parts by fours, which fill the lanes.
const CHUNK: u32 = 48;

/** Whether groups are old. */
export function areGroupsStale(): bool {
  const h: Header = header();
  const s: JointState = jointState();
  return s.stamp != h.jointStamp || s.awakeLists != h.awakeLists || s.layouts != batchState().layouts || s.rows != h.bodyRows;
}

/** Batches for the bodies of joints: what a joint couples is solved together. False without memory (header error set). */
export function joinBatches(): bool {
  const h: Header = header();
  for (let i: u32 = 0; i < h.jointCount; i++) {
    const joint: Joint = jointAt(i);
    if (!isAtWork(joint)) continue;
    const a: u32 = worksOn(joint.bodyA) ? joint.bodyA : NONE,
      b: u32 = worksOn(joint.bodyB) ? joint.bodyB : NONE;
    const root: u32 = batchFor(a, b);
    if (root == NONE) return false;
    if (h.autoSubsteps != 0) batchAt(root).substeps = max<u32>(batchAt(root).substeps, substepsWanted(a != NONE ? a : b));
  }
  return true;
}

/** Root of the batch of a joint at work; `batches`: the solver has batches, else all are one. */
function rootOfJoint(joint: Joint, batches: bool): u32 {
  return !batches ? 0 : rootOfBody(worksOn(joint.bodyA) ? joint.bodyA : joint.bodyB);
}

/** Step 1: sets of bodies that joints at work connect. False without memory. */
function findParts(): bool {
  const h: Header = header();
  const s: JointState = jointState();
  if (!room(offsetof<JointState>('parts'), 8, h.bodyCapacity)) return false;
  for (let i: u32 = 0; i < h.bodyCount; i++) put32(s.parts, i, i);
  memory.fill(<usize>s.parts + ((<usize>h.bodyCount) << 2), 0xff, (<usize>h.bodyCount) << 2);
  for (let i: u32 = 0; i < h.jointCount; i++) {
    const joint: Joint = jointAt(i);
    if (isAtWork(joint) && worksOn(joint.bodyA) && worksOn(joint.bodyB)) join(s.parts, joint.bodyA, joint.bodyB);
  }
  return true;
}

/**
 * Returns the chunk of an active joint: that of its connected joints, else one of its batch with room, else a new one. NONE
 * without memory.
 */
function chunkOf(joint: Joint, batches: bool): u32 {
  const s: JointState = jointState();
  const part: u32 = rootOf(s.parts, worksOn(joint.bodyA) ? joint.bodyA : joint.bodyB);
  const known: u32 = at32(s.parts, header().bodyCount + part);
  if (known != NONE) return known;
  const root: u32 = rootOfJoint(joint, batches);
  let index: u32 = at32(s.heads, root);
  if (index == NONE || (jointChunkAt(index).entries >= CHUNK && (jointChunkAt(index).parts & 3) == 0)) {
    if (!room(offsetof<JointState>('chunks'), JOINT_CHUNK_STRIDE, s.chunkCount + 1)) return NONE;
    const next: u32 = index;
    index = s.chunkCount++;
    memory.fill(changetype<usize>(jointChunkAt(index)), 0, JOINT_CHUNK_STRIDE);
    jointChunkAt(index).next = next;
    jointChunkAt(index).rests = 1;
    put32(s.heads, root, index);
  }
  jointChunkAt(index).parts++;
  put32(s.parts, header().bodyCount + part, index);
  return index;
}

/**
 * Whether the rows of a joint may stay as they are while its bodies hardly move. Not if other things move it, or if it hangs or
 * is driven to a position: outdated rows let such joints swing.
 */
function mayRest(joint: Joint, form: u32): bool {
  if ((form & FORM_TREE) == 0 || (form & LINEAR_AXES) != LINEAR_AXES || (driven(form) & LINEAR_AXES) != 0) return false;
  for (let axis: u32 = 3; axis < 6; axis++) if ((axisOf(joint, axis).mode0 & AXIS_POSITION) != 0) return false;
  return worksOn(joint.bodyA) && worksOn(joint.bodyB);
}

function room(field: usize, stride: usize, count: u32): bool {
  const at: usize = changetype<usize>(jointState()) + field;
  return ensureArray(at, stride, count);
}

function addEntry(chunk: u32, section: u64, level: u32, form: u32, what: u32): bool {
  const s: JointState = jointState();
  if (!room(offsetof<JointState>('entries'), JOINT_ENTRY_STRIDE, 2 * (s.entryCount + 1))) return false;
  const at: usize = <usize>s.entries + <usize>s.entryCount * JOINT_ENTRY_STRIDE;
  const place: u64 = <u64>(LEVELS - min<u32>(level, LEVELS));
  store<u64>(at, ((<u64>chunk) << CHUNK_SHIFT) | (section << SECTION_SHIFT) | (place << LEVEL_SHIFT) | <u64>form);
  store<u32>(at, what, offsetof<JointEntry>('what'));
  store<u32>(at, form, offsetof<JointEntry>('form'));
  s.entryCount++;
  jointChunkAt(chunk).entries++;
  return true;
}

/** Step 2. False without memory. */
function listEntries(batches: bool): bool {
  const h: Header = header();
  const s: JointState = jointState();
  if (!room(offsetof<JointState>('bodyWords'), 16, h.bodyCapacity)) return false;
  if (!room(offsetof<JointState>('queue'), 4, h.bodyCapacity)) return false;
  memory.fill(s.bodyWords, 0xff, (<usize>h.bodyCount) << 4);
  s.entryCount = 0;
  for (let i: u32 = 0; i < h.jointCount; i++) jointAt(i).row = NONE;
  for (let i: u32 = 0; i < h.jointCount; i++) {
    const joint: Joint = jointAt(i);
    if (!isAtWork(joint) || !mayBeTree(joint)) continue;
    const body: u32 = worksOn(joint.bodyB) ? joint.bodyB : joint.bodyA;
    if (levelOf(body) != NONE || !growTree(body)) continue;
    const chunk: u32 = chunkOf(joint, batches);
    if (chunk == NONE || !listTree(chunk)) return false;
  }
  for (let i: u32 = 0; i < h.jointCount; i++) {
    const joint: Joint = jointAt(i);
    if (!isAtWork(joint) || joint.row == IN_TREE) continue;
    const form: u32 = formOf(joint);
    const chunk: u32 = chunkOf(joint, batches);
    if (chunk == NONE || !addEntry(chunk, (form & FORM_LOCKED) != 0 ? ALONE : LOOSE, LEVELS, form, i)) return false;
    if (!mayRest(joint, form)) jointChunkAt(chunk).rests = 0;
  }
  return true;
}

/** Entries of the last tree. */
function listTree(chunk: u32): bool {
  const s: JointState = jointState();
  const root: u32 = at32(s.queue, 0);
  if (s.rootEnd == NONE) {
    if (!addEntry(chunk, TREES, 0, FORM_FLOATS | FORM_TREE, root | ROOT)) return false;
  } else if (!addTreeJoint(chunk, s.rootEnd, 0)) {
    return false;
  }
  for (let k: u32 = 1; k < s.treeCount; k++) {
    const body: u32 = at32(s.queue, k);
    if (!addTreeJoint(chunk, endToParent(body), levelOf(body))) return false;
  }
  return true;
}

function addTreeJoint(chunk: u32, end: u32, level: u32): bool {
  const form: u32 = formOf(jointAt(end >> 1)) | FORM_TREE;
  if (!mayRest(jointAt(end >> 1), form)) jointChunkAt(chunk).rests = 0;
  return addEntry(chunk, TREES, level, form, (end >> 1) | ((end & 1) == 0 ? FLIPPED : 0));
}

/** Entries in ascending order of keys, equal ones as they are: a merge sort from the bottom. */
function sortEntries(): void {
  const s: JointState = jointState();
  const count: u32 = s.entryCount;
  let from: usize = s.entries,
    to: usize = from + <usize>count * JOINT_ENTRY_STRIDE;
  for (let width: u32 = 1; width < count; width <<= 1) {
    for (let begin: u32 = 0; begin < count; begin += 2 * width) {
      const middle: u32 = min<u32>(begin + width, count),
        end: u32 = min<u32>(begin + 2 * width, count);
      let i: u32 = begin,
        j: u32 = middle;
      for (let k: u32 = begin; k < end; k++) {
        const left: bool =
          i < middle &&
          (j >= end || load<u64>(from + <usize>i * JOINT_ENTRY_STRIDE) <= load<u64>(from + <usize>j * JOINT_ENTRY_STRIDE));
        const at: u32 = left ? i++ : j++;
        v128.store(to + <usize>k * JOINT_ENTRY_STRIDE, v128.load(from + <usize>at * JOINT_ENTRY_STRIDE));
      }
    }
    const swap: usize = from;
    from = to;
    to = swap;
  }
  if (from != <usize>s.entries) memory.copy(s.entries, from, <usize>count * JOINT_ENTRY_STRIDE);
}

function keyAt(entry: u32): u64 {
  return load<u64>(<usize>jointState().entries + <usize>entry * JOINT_ENTRY_STRIDE);
}
function whatAt(entry: u32): u32 {
  return load<u32>(<usize>jointState().entries + <usize>entry * JOINT_ENTRY_STRIDE, offsetof<JointEntry>('what'));
}
function formAt(entry: u32): u32 {
  return load<u32>(<usize>jointState().entries + <usize>entry * JOINT_ENTRY_STRIDE, offsetof<JointEntry>('form'));
}

/** Body A or B of an entry that impulses move, NONE. A root that floats is body B of its entry. */
function bodyOf(what: u32, sideB: bool): u32 {
  if ((what & ROOT) != 0) return sideB ? what & INDEX : NONE;
  const joint: Joint = jointAt(what & INDEX);
  return sideB ? joint.bodyB : joint.bodyA;
}

function sharesBody(words: usize, what: u32): bool {
  const a: u32 = bodyOf(what, false),
    b: u32 = bodyOf(what, true);
  for (let k: u32 = 0; k < 4; k++) {
    const other: u32 = at32(words, k);
    if (other == NONE) return false;
    for (let side: u32 = 0; side < 2; side++) {
      const body: u32 = bodyOf(whatAt(other), side == 1);
      if (body != NONE && isMoved(body) && (body == a || body == b)) return true;
    }
  }
  return false;
}

/**
 * Step 3: lanes. The groups lie behind the entries for now, four entries each (NONE: unused). Returns the bytes of all, 0 without
 * memory.
 */
function fillLanes(): usize {
  const s: JointState = jointState();
  const count: u32 = s.entryCount;
  if (!room(offsetof<JointState>('entries'), JOINT_ENTRY_STRIDE, 2 * count)) return 0;
  const words: usize = <usize>s.entries + <usize>count * JOINT_ENTRY_STRIDE;
  let groups: u32 = 0,
    bytes: usize = 0,
    first: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    if (i == 0 || keyAt(i) != keyAt(i - 1)) first = groups;
    let group: u32 = groups;
    for (let k: u32 = groups; k > first && groups - k < WINDOW; k--) {
      const at: usize = words + <usize>(k - 1) * JOINT_ENTRY_STRIDE;
      if (at32(at, 3) == NONE && !sharesBody(at, whatAt(i))) group = k - 1;
    }
    const at: usize = words + <usize>group * JOINT_ENTRY_STRIDE;
    if (group == groups) {
      v128.store(at, i32x4.splat(NONE));
      groups++;
      bytes += groupBytes(formAt(i));
    }
    let lane: u32 = 0;
    while (at32(at, lane) != NONE) lane++;
    put32(at, lane, i);
  }
  s.groupCount = groups;
  return bytes;
}

/** All steps; `batches`: the solver has batches. Returns false without memory (header error set); then nothing is solved. */
export function buildGroups(batches: bool): bool {
  const h: Header = header();
  const s: JointState = jointState();
  s.chunkCount = 0;
  s.groupCount = 0;
  s.builds++;
  s.stamp = h.jointStamp - 1;
  if (batches && !joinBatches()) return false;
  s.headCount = batches ? batchState().count : 1;
  if (!room(offsetof<JointState>('heads'), 4, s.headCount) || !findParts()) return false;
  memory.fill(s.heads, 0xff, (<usize>s.headCount) << 2);
  if (!listEntries(batches)) return false;
  sortEntries();
  if (s.entryCount != 0) {
    const bytes: usize = fillLanes();
    if (bytes == 0 || !room(offsetof<JointState>('groups'), 1, <u32>bytes)) return false;
    if (!room(offsetof<JointState>('order'), 4, s.groupCount)) return false;
    if (!placeBodies()) return false;
    placeGroups();
  }
  s.stamp = h.jointStamp;
  s.awakeLists = h.awakeLists;
  s.layouts = batchState().layouts;
  s.rows = h.bodyRows;
  return true;
}

function groupWords(group: u32): usize {
  const s: JointState = jointState();
  return <usize>s.entries + <usize>(s.entryCount + group) * JOINT_ENTRY_STRIDE;
}

function batchOfGroup(group: u32): u32 {
  return <u32>(keyAt(at32(groupWords(group), 0)) >> CHUNK_SHIFT);
}

/** Word 3 of a body: its JointBody in the chunk that is at work; word 1: that chunk. */
function knows(body: u32, chunk: u32): bool {
  return at32(jointState().bodyWords, 4 * body + 1) == chunk;
}

/** Where groups and the rows of bodies of each chunk begin and end. */
function placeBodies(): bool {
  const s: JointState = jointState();
  const h: Header = header();
  for (let i: u32 = 0; i < h.bodyCount; i++) put32(s.bodyWords, 4 * i + 1, NONE);
  let rows: u32 = 0,
    group: u32 = 0;
  for (let index: u32 = 0; index < s.chunkCount; index++) {
    const chunk: JointChunk = jointChunkAt(index);
    chunk.firstGroup = group;
    chunk.firstBody = rows; // the ground, and what unused lanes move
    rows += 2;
    chunk.firstBlock = NONE;
    chunk.firstTree = NONE;
    for (; group < s.groupCount && batchOfGroup(group) == index; group++) {
      const section: u64 = (keyAt(at32(groupWords(group), 0)) >> SECTION_SHIFT) & 3;
      if (section >= ALONE && chunk.firstBlock == NONE) chunk.firstBlock = group;
      if (section == TREES && chunk.firstTree == NONE) chunk.firstTree = group;
      for (let k: u32 = 0; k < 4 && at32(groupWords(group), k) != NONE; k++) {
        const what: u32 = whatAt(at32(groupWords(group), k));
        for (let side: u32 = 0; side < 2; side++) {
          const body: u32 = bodyOf(what, side == 1);
          if (body == NONE || knows(body, index)) continue;
          put32(s.bodyWords, 4 * body + 1, index);
          put32(s.bodyWords, 4 * body + 3, rows++);
        }
      }
    }
    chunk.groupEnd = group;
    if (chunk.firstBlock == NONE) chunk.firstBlock = group;
    if (chunk.firstTree == NONE) chunk.firstTree = group;
    rows = (rows + 3) & ~3;
    chunk.bodyEnd = rows;
  }
  return (
    room(offsetof<JointState>('bodies'), JOINT_BODY_STRIDE, rows) &&
    room(offsetof<JointState>('grounds'), 2 * BODY_ROW_STRIDE, s.chunkCount)
  );
}

function rowOfBody(body: u32): usize {
  return <usize>header().bodyRows + <usize>body * BODY_ROW_STRIDE;
}

/**
 * Returns the body that unused lanes move. If it were the ground, impulses gathered from it would reach everything attached to
 * it.
 */
function idleBody(chunk: JointChunk): u32 {
  return chunk.firstBody + <u32>JOINT_BODY_STRIDE;
}

/** Address of the JointBody of a body in a chunk; sets it up on first use. */
function placeBody(chunk: JointChunk, number: u32, body: u32): u32 {
  const s: JointState = jointState();
  if (body == NONE) return chunk.firstBody;
  // The row numbers of a chunk were given in the order in which its bodies are met: the same here.
  if (!knows(body, number)) {
    put32(s.bodyWords, 4 * body + 1, number);
    const at: u32 = chunk.bodyEnd;
    put32(s.bodyWords, 4 * body + 3, at);
    initJointBody(at, body, rowOfBody(body));
    chunk.bodyEnd = at + <u32>JOINT_BODY_STRIDE;
  }
  return at32(s.bodyWords, 4 * body + 3);
}

/** Step 4. */
function placeGroups(): void {
  const s: JointState = jointState();
  const h: Header = header();
  for (let i: u32 = 0; i < h.bodyCount; i++) put32(s.bodyWords, 4 * i + 1, NONE);
  let at: usize = s.groups;
  for (let r: u32 = 0; r < s.chunkCount; r++) {
    const chunk: JointChunk = jointChunkAt(r);
    const end: usize = <usize>s.bodies + <usize>chunk.bodyEnd * JOINT_BODY_STRIDE;
    chunk.firstBody = s.bodies + chunk.firstBody * <u32>JOINT_BODY_STRIDE;
    const ground: usize = groundOf(r);
    initJointBody(chunk.firstBody, NONE, ground);
    initJointBody(idleBody(chunk), NONE, ground + BODY_ROW_STRIDE);
    chunk.bodyEnd = idleBody(chunk) + <u32>JOINT_BODY_STRIDE;
    for (let group: u32 = chunk.firstGroup; group < chunk.groupEnd; group++) {
      const form: u32 = formAt(at32(groupWords(group), 0));
      const bytes: usize = groupBytes(form);
      memory.fill(at, 0, bytes);
      put32(s.order, group, <u32>at);
      const g: JointGroup = changetype<JointGroup>(at);
      g.form = form;
      if (unitsOf(form) != 0) chunk.units = LIMITS_OR_DRIVES;
      else if ((form & FORM_FRICTION) != 0 && !isPlain(form)) chunk.units = max<u32>(chunk.units, FRICTION_ALONE);
      g.units = unitsOf(form);
      g.tree = <u32>sectionOf(form);
      g.block = <u32>blockOf(form);
      for (let lane: u32 = 0; lane < 4; lane++) fillLane(g, lane, at32(groupWords(group), lane), chunk, r, group);
      at += bytes;
    }
    for (let b: usize = chunk.bodyEnd; b < end; b += JOINT_BODY_STRIDE) initJointBody(b, NONE, ground);
    chunk.bodyEnd = <u32>end;
  }
}

/** Anchor of a joint from the center of mass of its body, as a vector; of the world: nothing. */
function anchorOf(body: u32, anchor: usize): v128 {
  if (body == NONE) return f32x4.splat(0);
  const cold: BodyCold = coldAt(body);
  return f32x4.sub(v128.load(anchor), f32x4(cold.comX, cold.comY, cold.comZ, 0));
}

// @ts-ignore: decorator
@inline
function put4(at: usize, v: v128): void {
  put3(at, v);
  store<f32>(at, f32x4.extract_lane(v, 3), VECTOR_LANES_STRIDE);
}

/** Writes a lane from its entry (NONE: unused). */
function fillLane(g: JointGroup, lane: u32, entry: u32, chunk: JointChunk, number: u32, group: u32): void {
  const ground: u32 = <u32>groundOf(number);
  const at: usize = changetype<usize>(g) + ((<usize>lane) << 2);
  const what: u32 = entry == NONE ? ROOT : whatAt(entry);
  const isJoint: bool = (what & ROOT) == 0;
  const a: u32 = entry == NONE ? NONE : bodyOf(what, false),
    b: u32 = entry == NONE ? NONE : bodyOf(what, true);
  const bodyA: u32 = placeBody(chunk, number, a),
    bodyB: u32 = entry == NONE ? idleBody(chunk) : placeBody(chunk, number, b);
  const rowA: u32 = a == NONE ? ground : <u32>rowOfBody(a),
    rowB: u32 = entry == NONE ? ground + <u32>BODY_ROW_STRIDE : b == NONE ? ground : <u32>rowOfBody(b);
  store<u32>(at, bodyA, offsetof<JointGroup>('bodyA'));
  store<u32>(at, bodyB, offsetof<JointGroup>('bodyB'));
  store<u32>(at, rowA, offsetof<JointGroup>('rowA'));
  store<u32>(at, rowB, offsetof<JointGroup>('rowB'));
  store<u32>(at, isJoint ? what & INDEX : NONE, offsetof<JointGroup>('joint'));
  store<f32>(at, (what & FLIPPED) != 0 ? <f32>-1 : <f32>1, offsetof<JointGroup>('side'));
  store<f32>(at, 1, offsetof<JointGroup>('frameAW'));
  store<f32>(at, 1, offsetof<JointGroup>('frameBW'));
  const form: u32 = g.form;
  if ((form & FORM_TREE) != 0) {
    const flipped: bool = (what & FLIPPED) != 0;
    const tree: usize = at + <usize>g.tree;
    store<u32>(tree, flipped ? bodyA : bodyB, offsetof<TreeSection>('child'));
    store<u32>(tree, flipped ? rowA : rowB, offsetof<TreeSection>('childRow'));
    store<u32>(tree, flipped ? bodyB : bodyA, offsetof<TreeSection>('parent'));
    if (isJoint) changetype<JointBody>(<usize>(flipped ? bodyB : bodyA)).carries = 1;
  }
  let unit: usize = changetype<usize>(firstUnit(g)) + ((<usize>lane) << 2);
  if (!isJoint) {
    for (let u: u32 = 0; u < unitsOf(form); u++) {
      store<f32>(unit, f32.NEGATIVE_INFINITY, offsetof<JointUnit>('lower'));
      store<f32>(unit, Infinity, offsetof<JointUnit>('upper'));
      unit += JOINT_UNIT_STRIDE;
    }
    return;
  }
  const joint: Joint = jointAt(what & INDEX);
  const record: usize = changetype<usize>(joint);
  joint.row = group * 4 + lane;
  put3(at + offsetof<JointGroup>('anchorAX'), anchorOf(a, record + offsetof<Joint>('anchorAx')));
  put3(at + offsetof<JointGroup>('anchorBX'), anchorOf(b, record + offsetof<Joint>('anchorBx')));
  put4(at + offsetof<JointGroup>('frameAX'), v128.load(record + offsetof<Joint>('frameAx')));
  put4(at + offsetof<JointGroup>('frameBX'), v128.load(record + offsetof<Joint>('frameBx')));
  put3(at + offsetof<JointGroup>('impulseX'), v128.load(record + offsetof<Joint>('jx')));
  put3(at + offsetof<JointGroup>('angularImpulseX'), v128.load(record + offsetof<Joint>('tx')));
  store<f32>(at, joint.previousJ, offsetof<JointGroup>('previous'));
  store<f32>(at, joint.previousT, offsetof<JointGroup>('angularPrevious'));
  put3(at + offsetof<JointGroup>('frictionX'), v128.load(record + offsetof<Joint>('fx')));
  store<f32>(at, joint.frictionLever, offsetof<JointGroup>('frictionArm'));
  store<f32>(at, joint.frictionTorque, offsetof<JointGroup>('frictionTorque'));
  store<f32>(at, joint.twist, offsetof<JointGroup>('twist'));
  store<f32>(at, joint.target0, offsetof<JointGroup>('rest'));
  if (isCoupling(form)) {
    // A gear or a pulley; a rope pulls only.
    store<f32>(unit, f32.NEGATIVE_INFINITY, offsetof<JointUnit>('lower'));
    store<f32>(unit, joint.kind == JOINT_PULLEY ? joint.upper0 : 0, offsetof<JointUnit>('upper'));
    store<f32>(unit, joint.ratio, offsetof<JointUnit>('target'));
    fillLimit(unit, joint.limit0);
    return;
  }
  for (let axis: u32 = 0; axis < 7; axis++) {
    if ((driven(form) & (1 << axis)) == 0) continue;
    fillUnit(unit, joint, axis);
    unit += JOINT_UNIT_STRIDE;
  }
}

/** Fills the impulse of a limit from its record, as a lasting load: rebuilding groups must not show. */
function fillLimit(unit: usize, limit: f32): void {
  store<f32>(unit, limit, offsetof<JointUnit>('limit'));
  store<f32>(unit, abs<f32>(limit), offsetof<JointUnit>('previous'));
  store<f32>(unit, BORNE * limit, offsetof<JointUnit>('base'));
}

function fillUnit(unit: usize, joint: Joint, axis: u32): void {
  const record: usize = changetype<usize>(joint) + ((<usize>axis) << 2);
  fillLimit(unit, load<f32>(record, offsetof<Joint>('limit0')));
  if (axis == 6) {
    store<f32>(unit, f32.NEGATIVE_INFINITY, offsetof<JointUnit>('lower'));
    store<f32>(unit, joint.cone, offsetof<JointUnit>('upper'));
    return;
  }
  const settings: Joint = axisOf(joint, axis);
  const mode: u32 = settings.mode0;
  const limited: bool = (mode & AXIS_LIMITED) != 0;
  store<f32>(unit, limited ? settings.lower0 : f32.NEGATIVE_INFINITY, offsetof<JointUnit>('lower'));
  store<f32>(unit, limited ? settings.upper0 : Infinity, offsetof<JointUnit>('upper'));
  store<f32>(unit, settings.target0, offsetof<JointUnit>('target'));
  store<u32>(unit, (mode & AXIS_VELOCITY) != 0 ? NONE : 0, offsetof<JointUnit>('turned'));
  store<u32>(unit, (mode & AXIS_POSITION) != 0 ? NONE : 0, offsetof<JointUnit>('sprung'));
  store<u32>(unit, (mode & AXIS_STIFFNESS) != 0 ? NONE : 0, offsetof<JointUnit>('byStiffness'));
  store<f32>(unit, settings.stiffness0, offsetof<JointUnit>('stiffness'));
  store<f32>(unit, settings.damping0, offsetof<JointUnit>('damping'));
  store<f32>(unit, settings.maxForce0, offsetof<JointUnit>('mostForce'));
  store<f32>(unit, settings.friction0, offsetof<JointUnit>('mostFriction'));
  store<f32>(unit, load<f32>(record, offsetof<Joint>('drive0')), offsetof<JointUnit>('drive'));
  store<f32>(unit, load<f32>(record, offsetof<Joint>('rub0')), offsetof<JointUnit>('friction'));
}
