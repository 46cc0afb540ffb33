// Excess of impulses on the rows of the study methods, by the rule of the default solvers (pgs.ts): a warm
// start repeats an impulse up to twice its value of the substep before; what is above that stopped an impact, and would throw
// the body off again. Only with the relax pass, as there: the papers repeat impulses whole, and so do the rows without it.
// Rows of joints are clamped within the step alone (joint_rows.ts).
// Input: impulses of the manifolds and their carried excess. State: PgsLink.previous and .excess of each link.
import { excessIn } from '../../constraints/manifolds';
import { Manifold, MethodRow, MethodState, PGS_LINK_STRIDE, PgsLink, SplitState } from '../../layout.generated';
import { header } from '../../memory/header';
import { splitRoom, splitState } from '../../memory/split_state';
import { at32 } from '../../memory/words';
import { manifoldOfLink } from '../../ordering/graph';
import { growthExcess } from '../../rows/row';
import { dropJointExcess, findJointExcess, startJointClamp } from './joint_rows';
import { methodRow, methodState } from './state';

export function recordOf(link: u32): usize {
  return <usize>splitState().pgsLinks + <usize>link * PGS_LINK_STRIDE;
}

/** First normal row of a link. */
function normalsOf(s: MethodState, link: u32, count: u32): u32 {
  return at32(s.linkRows, link + 1) - count;
}

/** Loads impulses and excess as the last step left them. False without memory (header error set). */
export function startClamp(): bool {
  const h = header();
  if (!splitRoom(offsetof<SplitState>('pgsLinks'), PGS_LINK_STRIDE, h.activeCount)) return false;
  const s: MethodState = methodState();
  for (let l: u32 = 0; l < h.activeCount; l++) {
    const m: Manifold = manifoldOfLink(l);
    const count: u32 = m.count;
    const normals: u32 = normalsOf(s, l, count);
    const record: usize = recordOf(l);
    memory.fill(record + offsetof<PgsLink>('previous0'), 0, 32);
    for (let i: u32 = 0; i < count; i++) {
      const at: usize = record + ((<usize>i) << 2);
      store<f32>(at, methodRow(normals + i).z, offsetof<PgsLink>('previous0'));
      store<f32>(at, load<f32>(excessIn(m, i)), offsetof<PgsLink>('excess0'));
    }
  }
  startJointClamp(s);
  return true;
}

/** Takes the excess off the impulses that are about to be repeated. */
export function dropExcess(): void {
  const h = header();
  const s: MethodState = methodState();
  for (let l: u32 = 0; l < h.activeCount; l++) {
    const count: u32 = manifoldOfLink(l).count;
    const normals: u32 = normalsOf(s, l, count);
    for (let i: u32 = 0; i < count; i++) {
      const row: MethodRow = methodRow(normals + i);
      row.z = max<f32>(row.z - load<f32>(recordOf(l) + ((<usize>i) << 2), offsetof<PgsLink>('excess0')), 0);
    }
  }
  dropJointExcess(s);
}

/** After a substep: the part of every impulse above twice that of the substep before. */
export function findExcess(): void {
  const h = header();
  const s: MethodState = methodState();
  for (let l: u32 = 0; l < h.activeCount; l++) {
    const count: u32 = manifoldOfLink(l).count;
    const normals: u32 = normalsOf(s, l, count);
    for (let i: u32 = 0; i < count; i++) {
      const at: usize = recordOf(l) + ((<usize>i) << 2);
      const z: f32 = methodRow(normals + i).z;
      const before: f32 = load<f32>(at, offsetof<PgsLink>('previous0'));
      store<f32>(at, growthExcess<f32>(z, before), offsetof<PgsLink>('excess0'));
      store<f32>(at, z, offsetof<PgsLink>('previous0'));
    }
  }
  findJointExcess(s);
}

/** After the step, when the manifolds hold their final impulses. `found`: there is excess to carry. */
export function carryExcess(found: bool): void {
  const h = header();
  for (let l: u32 = 0; l < h.activeCount; l++) {
    const excess: usize = excessIn(manifoldOfLink(l), 0);
    v128.store(excess, found ? v128.load(recordOf(l), offsetof<PgsLink>('excess0')) : f32x4.splat(0));
  }
}
