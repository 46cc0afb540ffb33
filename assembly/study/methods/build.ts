// Rows, order, blocks and split masses of the study methods.
// Input: active manifolds, joints at work, contact graph. Output: MethodState.
// Factors on masses: method.ts; both times 1 / c for the lower body with weight amplification (Tsuda 2009).
// With staggered friction (eq. 40-41) normals and friction are two passes with their own n.
import { inertiaAt, rowAt } from '../../bodies/rows';
import { pointOf } from '../../constraints/manifolds';
import {
  FRICTION_PATCH,
  FRICTION_PYRAMID_STAGGERED,
  FRICTION_RANDOM_TANGENT,
  METHOD_ROW_STRIDE,
  Manifold,
  ManifoldPoint,
  MethodRow,
  MethodState,
  OrderState,
} from '../../layout.generated';
import { addW, cross3, splatW } from '../../math/lane';
import { quatFromRotationVector } from '../../math/quat';
import { scale3, x3, y3, z3 } from '../../math/vec3';
import { header } from '../../memory/header';
import { at32, put32 } from '../../memory/words';
import { buildJointedGraph, manifoldOfLink } from '../../ordering/graph';
import { listJoints } from '../../ordering/joint_links';
import { orderState } from '../../ordering/state';
import { inertiaDot } from '../../rows/mass';
import { pointTangents, reservePointTangents } from '../friction/point_tangents';
import { findLevels, levelOf } from './levels';
import { mostJointRows, prepareJointRows, writeJoints } from './joint_rows';
import { PARTS_BLOCKS, PARTS_ROWS, RowMethod, rowMethod } from './method';
import { reserveMomentum } from './momentum';
import { ROW_NORMAL, ROW_PAIR, ROW_SECOND, ROW_TANGENT, ROW_TWIST, directionOn, isFriction, turnOf } from './row';
import { isWorld, methodRoom, methodRow, methodState, randomBits, seedStep, shuffle } from './state';

const TWO_PI: f32 = 6.2831855;
const HALF_PI: f32 = 1.5707964;

/** Friction rows of a manifold of `count` points. */
function frictionRows(count: u32): u32 {
  const model: u32 = header().frictionModel;
  if (model == FRICTION_PATCH) return 3;
  return model == FRICTION_RANDOM_TANGENT ? count : count * 2;
}

/** Everything before the first iteration of the method of this step. False without memory (header error set). */
export function buildRows(): bool {
  const h = header();
  const s: MethodState = methodState();
  const method: RowMethod = rowMethod();
  if (h.permutation != 0 && !method.permutesRows()) {
    seedStep(1);
    shuffle(h.activeManifolds, 0, h.activeCount);
    h.activeStamp = h.graphStamp - 1; // the next step lists them in their order
  }
  if (!listJoints()) return false;
  const o: OrderState = orderState();
  if (h.permutation != 0 && !method.permutesRows()) shuffle(o.jointLinks, 0, o.jointCount);
  if (!buildJointedGraph() || !orderLinks(s)) return false;
  if (!prepareJointRows(h.dt / <f32>h.stepSubsteps)) return false;
  const contacts: u32 = h.activeCount;
  const links: u32 = o.linkCount;
  // The last one is the world.
  const bodies: u32 = h.bodyCount + 1;
  s.world = h.bodyCount;
  s.substep = 0;
  if (!methodRoom(offsetof<MethodState>('linkRows'), 4, links + 1)) return false;
  let rows: u32 = 0;
  for (let l: u32 = 0; l < contacts; l++) {
    put32(s.linkRows, l, rows);
    const count: u32 = manifoldOfLink(l).count;
    rows += frictionRows(count) + count;
  }
  put32(s.linkRows, contacts, rows);
  s.contactRows = rows;
  const most: u32 = rows + mostJointRows(s);
  if (!methodRoom(offsetof<MethodState>('rows'), METHOD_ROW_STRIDE, most)) return false;
  if (!methodRoom(offsetof<MethodState>('units'), 4, most)) return false;
  if (!methodRoom(offsetof<MethodState>('blockEnds'), 4, s.linkBlocks * 2)) return false;
  if (!methodRoom(offsetof<MethodState>('velocities'), 32, bodies)) return false;
  if (!methodRoom(offsetof<MethodState>('subs'), 32, bodies)) return false;
  if (!methodRoom(offsetof<MethodState>('sums'), 32, bodies)) return false;
  if (!methodRoom(offsetof<MethodState>('saved'), 32, bodies)) return false;
  if (!methodRoom(offsetof<MethodState>('counts'), 8, bodies)) return false;
  if (!methodRoom(offsetof<MethodState>('stamps'), 4, bodies)) return false;
  if (!methodRoom(offsetof<MethodState>('touched'), 4, bodies)) return false;
  if (h.frictionModel != FRICTION_PATCH && !reservePointTangents()) return false;
  for (let b: u32 = 0; b < s.world; b++) memory.copy(<usize>s.velocities + ((<usize>b) << 5), changetype<usize>(rowAt(b)), 32);
  const world: usize = (<usize>s.world) << 5;
  memory.fill(<usize>s.velocities + world, 0, 32);
  memory.fill(<usize>s.subs + world, 0, 32);
  memory.fill(<usize>s.sums + world, 0, 32);
  memory.fill(<usize>s.saved + world, 0, 32);
  seedStep(2);
  for (let l: u32 = 0; l < contacts; l++) writeLink(l);
  rows = writeJoints(s, contacts, rows);
  put32(s.linkRows, links, rows);
  s.rowCount = rows;
  h.rowCount = rows;
  if (!reserveMomentum(s)) return false;
  if (h.weightAmplification > 1 && s.jointCount != 0 && !findLevels()) return false;
  listUnits(s, false);
  countParts(s);
  setMasses(false);
  return true;
}

/** Links in the order of the method; blocks that work on sub-bodies, else one block of all links. */
function orderLinks(s: MethodState): bool {
  const links: u32 = orderState().linkCount;
  if (!methodRoom(offsetof<MethodState>('linkOrder'), 4, links)) return false;
  if (!methodRoom(offsetof<MethodState>('linkBlockEnds'), 4, links + 1)) return false;
  s.linkBlocks = 1;
  put32(s.linkBlockEnds, 0, links);
  return rowMethod().orderLinks(s);
}

/** Direction and arms of a row at rA, rB. */
function writeRow(row: MethodRow, m: Manifold, link: u32, kind: u32, d: v128, rA: v128, rB: v128): void {
  memory.fill(changetype<usize>(row), 0, METHOD_ROW_STRIDE);
  row.bodyA = m.bodyA;
  row.bodyB = m.bodyB;
  row.kind = kind;
  row.link = link;
  row.d = f32x4.replace_lane(d, 3, 0);
  row.a = f32x4.replace_lane(cross3(rA, d), 3, 0);
  row.b = f32x4.replace_lane(cross3(rB, d), 3, 0);
  row.active = 1;
}

/** All rows of a link: friction, then normals. */
function writeLink(link: u32): void {
  const h = header();
  const s: MethodState = methodState();
  const m: Manifold = manifoldOfLink(link);
  const count: u32 = m.count;
  const model: u32 = h.frictionModel;
  const first: u32 = at32(s.linkRows, link);
  const normals: u32 = first + frictionRows(count);
  const n: v128 = m.n,
    t: v128 = m.t,
    u: v128 = cross3(n, t);
  let centerA: v128 = splatW(0),
    centerB: v128 = splatW(0);
  for (let i: u32 = 0; i < count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    const row: MethodRow = methodRow(normals + i);
    writeRow(row, m, link, ROW_NORMAL, n, p.ra, p.rb);
    row.z = p.impulse;
    row.point = i;
    centerA = addW(centerA, p.ra);
    centerB = addW(centerB, p.rb);
  }
  if (model == FRICTION_PATCH) {
    const scale: f32 = <f32>1 / <f32>max<u32>(count, 1);
    centerA = scale3(centerA, scale);
    centerB = scale3(centerB, scale);
    const twist: MethodRow = methodRow(first);
    writeRow(twist, m, link, ROW_TWIST, splatW(0), splatW(0), splatW(0));
    twist.a = f32x4.replace_lane(n, 3, 0);
    twist.b = f32x4.replace_lane(n, 3, 0);
    twist.mu = m.friction * m.twistRadius;
    twist.z = m.twistImpulse;
    const one: MethodRow = methodRow(first + 1);
    const two: MethodRow = methodRow(first + 2);
    writeRow(one, m, link, ROW_PAIR, t, centerA, centerB);
    writeRow(two, m, link, ROW_SECOND, u, centerA, centerB);
    one.mu = m.friction;
    two.mu = m.friction;
    one.z = m.tangentImpulse1;
    two.z = m.tangentImpulse2;
    for (let k: u32 = 0; k < 3; k++) {
      methodRow(first + k).firstNormal = normals;
      methodRow(first + k).normalCount = count;
    }
    return;
  }
  const tangents: usize = pointTangents(at32(h.activeManifolds, link));
  for (let i: u32 = 0; i < count; i++) {
    const p: ManifoldPoint = pointOf(m, i);
    if (model == FRICTION_RANDOM_TANGENT) {
      // One direction a point and step; its mean share of the friction is 2 / pi (Datta 2017, section 3.8).
      const angle: f32 = <f32>(randomBits() >>> 8) * (TWO_PI / <f32>16777216);
      // Mathf's sine would bring a table along, and with it a data segment.
      const turn: v128 = quatFromRotationVector(f32x4(0, 0, 2 * angle, 0));
      const c: f32 = f32x4.extract_lane(turn, 3);
      const e: f32 = f32x4.extract_lane(turn, 2);
      const row: MethodRow = methodRow(first + i);
      writeRow(row, m, link, ROW_TANGENT, addW(scale3(t, c), scale3(u, e)), p.ra, p.rb);
      row.mu = m.friction * HALF_PI;
      row.firstNormal = normals + i;
      row.normalCount = 1;
      row.point = i;
      continue;
    }
    for (let k: u32 = 0; k < 2; k++) {
      const row: MethodRow = methodRow(first + i * 2 + k);
      writeRow(row, m, link, ROW_TANGENT, k == 0 ? t : u, p.ra, p.rb);
      row.mu = m.friction;
      row.z = load<f32>(tangents + ((<usize>i) << 3) + ((<usize>k) << 2));
      row.firstNormal = normals + i;
      row.normalCount = 1;
      row.point = i;
    }
  }
}

/**
 * Lists the rows to solve, block by block; with staggered friction first all normals, then all friction. `backwards`: the normal
 * of a link with one point before its friction, as in relax passes; staggered or permuted rows keep their order.
 */
export function listUnits(s: MethodState, backwards: bool): void {
  const h = header();
  const staggered: bool = h.frictionModel == FRICTION_PYRAMID_STAGGERED;
  s.passes = staggered ? 2 : 1;
  let units: u32 = 0;
  let blocks: u32 = 0;
  for (let pass: u32 = 0; pass < s.passes; pass++) {
    let l: u32 = 0;
    for (let block: u32 = 0; block < s.linkBlocks; block++) {
      const end: u32 = at32(s.linkBlockEnds, block);
      for (; l < end; l++) {
        const link: u32 = at32(s.linkOrder, l);
        const first: u32 = at32(s.linkRows, link),
          last: u32 = at32(s.linkRows, link + 1);
        // The normals of a link are its last rows.
        const count: u32 = last - first,
          start: u32 = backwards && link < h.activeCount && manifoldOfLink(link).count == 1 ? count - 1 : 0;
        for (let i: u32 = 0; i < count; i++) {
          const r: u32 = first + ((start + i) % count);
          const kind: u32 = methodRow(r).kind;
          if (kind == ROW_SECOND) continue;
          if (staggered && isFriction(kind) != (pass == 1)) continue;
          put32(s.units, units++, r);
        }
      }
      put32(s.blockEnds, blocks++, units);
    }
    if (h.permutation != 0 && rowMethod().permutesRows()) {
      seedStep(3 + pass);
      shuffle(s.units, pass == 0 ? 0 : s.units0, units);
    }
    if (pass == 0) {
      s.units0 = units;
      s.blocks0 = blocks;
    }
  }
  s.units1 = units;
  s.blocks1 = blocks;
}

/**
 * Parts of every dynamic body in each pass: rows or blocks, as the method counts. For eq. 12 the paper says bodies in contact,
 * which is the same where a pair has one contact, as in the cloth that Bridson's average comes from. The four corners of a
 * face would get n = 1, and the iteration diverges like eq. 9. Divided by rows it is eq. 15 for bodies n times as heavy.
 */
function countParts(s: MethodState): void {
  const h = header();
  const parts: u32 = rowMethod().parts();
  const bodies: u32 = h.bodyCount + 1;
  memory.fill(s.counts, 0, (<usize>bodies) << 3);
  memory.fill(s.stamps, 0, (<usize>bodies) << 2);
  s.stamp = 0;
  let unit: u32 = 0;
  for (let block: u32 = 0; block < s.blocks1; block++) {
    const pass: u32 = block < s.blocks0 ? 0 : 1;
    const end: u32 = at32(s.blockEnds, block);
    s.stamp++;
    for (; unit < end; unit++) {
      const row: MethodRow = methodRow(at32(s.units, unit));
      for (let side: u32 = 0; side < 2; side++) {
        const body: u32 = side == 0 ? row.bodyA : row.bodyB;
        const at: u32 = body * 2 + pass;
        if (parts == PARTS_ROWS) {
          put32(s.counts, at, at32(s.counts, at) + (row.kind == ROW_PAIR ? 2 : 1));
        } else if (parts == PARTS_BLOCKS) {
          if (at32(s.stamps, body) == s.stamp) continue;
          put32(s.stamps, body, s.stamp);
          put32(s.counts, at, at32(s.counts, at) + 1);
        } else {
          put32(s.counts, at, 1);
        }
      }
    }
  }
  // Sub-bodies exist in both passes, also those of pairs that have joints only, and so no friction.
  if (parts != PARTS_BLOCKS || s.jointCount == 0) return;
  for (let b: u32 = 0; b < bodies; b++) put32(s.counts, b * 2 + 1, at32(s.counts, b * 2));
}

/** One body's part of K between two rows of one manifold. */
function part(body: u32, r: MethodRow, q: MethodRow, sideB: bool): f32 {
  if (isWorld(body)) return 0;
  const d: v128 = directionOn(r, sideB),
    e: v128 = directionOn(q, sideB);
  const linear: f32 = rowAt(body).invMass * (x3(d) * x3(e) + y3(d) * y3(e) + z3(d) * z3(e));
  return linear + inertiaDot(inertiaAt(body), turnOf(r, sideB), turnOf(q, sideB));
}

/** K of whole and of split bodies, factors of application. `shock`: whole bodies, the lower one of each contact fixed. */
export function setMasses(shock: bool): void {
  const h = header();
  const method: RowMethod = rowMethod();
  const s: MethodState = methodState();
  const amplification: f32 = max<f32>(h.weightAmplification, 1);
  const gravity: f32 = sqrt<f32>(h.gravityX * h.gravityX + h.gravityY * h.gravityY + h.gravityZ * h.gravityZ);
  for (let unit: u32 = 0; unit < s.units1; unit++) {
    const pass: u32 = unit < s.units0 ? 0 : 1;
    const row: MethodRow = methodRow(at32(s.units, unit));
    const a: u32 = row.bodyA;
    const b: u32 = row.bodyB;
    const nA: f32 = <f32>max<u32>(at32(s.counts, a * 2 + pass), 1);
    const nB: f32 = <f32>max<u32>(at32(s.counts, b * 2 + pass), 1);
    let fA: f32 = 1,
      fB: f32 = 1,
      sA: f32 = 1,
      sB: f32 = 1;
    if (!shock) {
      fA = method.inDivisor(nA);
      fB = method.inDivisor(nB);
      sA = method.inEffect(nA);
      sB = method.inEffect(nB);
    }
    if ((amplification > 1 || shock) && gravity > 0) {
      const side: i32 = row.link < h.activeCount ? lowerSide(manifoldOfLink(row.link), gravity) : supportSide(s, row);
      const share: f32 = shock ? <f32>0 : <f32>1 / amplification;
      if (side < 0) {
        fA *= share;
        sA *= share;
      } else if (side > 0) {
        fB *= share;
        sB *= share;
      }
    }
    const pair: bool = row.kind == ROW_PAIR;
    const rows: u32 = pair ? 2 : 1;
    for (let k: u32 = 0; k < rows; k++) {
      const r: MethodRow = methodRow(at32(s.units, unit) + k);
      const kA: f32 = part(a, r, r, false);
      const kB: f32 = part(b, r, r, true);
      r.k = kA + kB;
      r.split = fA * kA + fB * kB;
      r.scaleA = sA;
      r.scaleB = sB;
    }
    if (pair) {
      const second: MethodRow = methodRow(at32(s.units, unit) + 1);
      row.cross = fA * part(a, row, second, false) + fB * part(b, row, second, true);
    }
  }
}

/**
 * -1 if A is the body that bears a joint, 1 if B is: the one that is fewer contacts and joints away from bodies that impulses do
 * not move. 0 if both are as far. What hangs is held from above, so that height does not say which it is.
 */
function supportSide(s: MethodState, row: MethodRow): i32 {
  const a: u32 = levelOf(s, row.bodyA),
    b: u32 = levelOf(s, row.bodyB);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** -1 if A is the lower body of a contact, 1 if B is, 0 where the normal lies within 6 degrees of the horizontal. */
export function lowerSide(m: Manifold, gravity: f32): i32 {
  const h = header();
  const down: f32 = (m.nx * h.gravityX + m.ny * h.gravityY + m.nz * h.gravityZ) / gravity;
  return down < <f32>-0.1 ? -1 : down > <f32>0.1 ? 1 : 0;
}
