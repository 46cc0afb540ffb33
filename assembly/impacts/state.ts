// The records of impacts (ImpactState and its arrays): their addresses, and room for them.
import {
  FLYER_STRIDE,
  Flyer,
  Header,
  IMPACT_BLOCK,
  IMPACT_BODY_STRIDE,
  IMPACT_LINK_STRIDE,
  IMPACT_STATE_STRIDE,
  ImpactBody,
  ImpactLink,
  ImpactState,
  Manifold,
} from '../layout.generated';
import { allocate, ensureArray } from '../memory/allocator';
import { rowInBlocks } from '../memory/blocks';
import { header } from '../memory/header';
import { at32 } from '../memory/words';

/** Only where Header.impactState is not 0. */
export function impactState(): ImpactState {
  return changetype<ImpactState>(<usize>header().impactState);
}

/** Makes the state if there is none. False without memory (header error set). */
export function reserveState(): bool {
  const h: Header = header();
  if (h.impactState == 0) h.impactState = <u32>allocate(IMPACT_STATE_STRIDE);
  return h.impactState != 0;
}

/** Room in an array of the state. False without memory (header error set). */
export function room(s: ImpactState, field: usize, stride: usize, needed: u32): bool {
  const at: usize = changetype<usize>(s) + field;
  return ensureArray(at, stride, needed);
}

export function linkAt(s: ImpactState, i: u32): ImpactLink {
  return changetype<ImpactLink>(rowInBlocks(s.linkBlocks, i, IMPACT_BLOCK, IMPACT_LINK_STRIDE));
}

/** A link that takes part in the impacts behind the solver. */
export function takenAt(s: ImpactState, i: u32): ImpactLink {
  return changetype<ImpactLink>(<usize>at32(s.taken, i));
}

export function bodyAt(s: ImpactState, i: u32): ImpactBody {
  return changetype<ImpactBody>(<usize>s.bodies + <usize>i * IMPACT_BODY_STRIDE);
}

export function flyerAt(s: ImpactState, side: u32): Flyer {
  return changetype<Flyer>(<usize>s.flyers + <usize>side * FLYER_STRIDE);
}

/** The manifold that the rows of a link are computed from. */
export function contactOf(link: ImpactLink): Manifold {
  return changetype<Manifold>(<usize>link.contact);
}

/** Address of the value of point i in the row of four that starts at `field`. */
export function valueOf(link: ImpactLink, field: usize, i: u32): usize {
  return changetype<usize>(link) + field + ((<usize>i) << 2);
}
