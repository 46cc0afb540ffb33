// Impulses that the GPU has sent. They stay in the block that the host copied them to until somebody reads those of a manifold
// (lanes/state.ts). At rest, the next result usually replaces them before anybody does.
// Input: SplitState.readback, places. Output: impulses and separations of manifolds, their excess and tangent impulses.
import { Header, Manifold, ManifoldPoint, PatchImpulse, RollImpulse, SPLIT_LINK_ROW, SplitState } from '../layout.generated';
import { header } from '../memory/header';
import { splitState } from '../memory/split_state';
import { at32 } from '../memory/words';
import { excessIn, manifoldAt, pointOf } from './manifolds';
import { pointFriction } from './point_friction';

/** A result has come, with its impulses at an offset (bytes) of readback. Those of the result before are void. */
export function keepResults(offset: u32): void {
  const s: SplitState = splitState();
  s.resultOffset = offset;
  s.resultLayout = s.layouts;
  s.resultManifolds = s.placedManifolds;
  memory.fill(s.fetched, 0, s.resultManifolds);
  header().results = 1;
}

/** Place of a manifold in the result, 0 if it has none. */
function placeOf(s: SplitState, index: u32): u32 {
  return at32(s.resultLayout == s.layouts ? s.places : s.oldPlaces, index);
}

/** Copies impulses and separations of a manifold out of the result, unless they have been. Call while Header.results is set. */
export function fetchResult(index: u32): void {
  const s: SplitState = splitState();
  if (index >= s.resultManifolds || load<u8>(<usize>s.fetched + <usize>index) != 0) return;
  store<u8>(<usize>s.fetched + <usize>index, 1);
  const place: u32 = placeOf(s, index);
  if (place == 0) return;
  const points: usize = <usize>s.readback + <usize>s.resultOffset + ((<usize>(place >> 3)) << 4);
  unpackImpulses(index, points, 16, 4, points + ((<usize>(place & 7)) << 4));
}

/** The same of all manifolds: nothing lies in the result any more. */
export function fetchResults(): void {
  const h: Header = header();
  if (h.results == 0) return;
  const count: u32 = splitState().resultManifolds;
  for (let i: u32 = 0; i < count; i++) fetchResult(i);
  h.results = 0;
}

/** After a new layout: fetches what the next result will not bring. */
export function fetchLeft(): void {
  const s: SplitState = splitState();
  for (let i: u32 = 0; i < s.resultManifolds; i++) if (at32(s.oldPlaces, i) != 0 && at32(s.places, i) == 0) fetchResult(i);
}

/**
 * Impulses and end separations of a manifold, from the rows of the link and the numbers of its points: those of a point lie
 * `across` bytes apart, those of the next point `along` bytes further.
 */
export function unpackImpulses(manifold: u32, points: usize, along: usize, across: usize, link: usize): void {
  const s: SplitState = splitState();
  const m: Manifold = manifoldAt(manifold);
  const count: u32 = m.count;
  memory.fill(excessIn(m, 0), 0, 16);
  for (let i: u32 = 0; i < count; i++) {
    const from: usize = points + <usize>i * along;
    const p: ManifoldPoint = pointOf(m, i);
    p.impulse = load<f32>(from);
    p.maxImpulse = load<f32>(from + across);
    p.separation = load<f32>(from + 2 * across);
    store<f32>(excessIn(m, i), load<f32>(from + 3 * across));
  }
  const patch = changetype<PatchImpulse>(link);
  m.stepImpulse = patch.step;
  if (s.rolling != 0) {
    const roll: usize = link + ((<usize>(s.impulseStride - 1 - SPLIT_LINK_ROW)) << 4);
    m.rollImpulse1 = changetype<RollImpulse>(roll).roll1;
    m.rollImpulse2 = changetype<RollImpulse>(roll).roll2;
  }
  if (pointFriction().keep(s, manifold, link)) return;
  m.tangentImpulse1 = patch.tangent1;
  m.tangentImpulse2 = patch.tangent2;
  m.twistImpulse = patch.twist;
}
