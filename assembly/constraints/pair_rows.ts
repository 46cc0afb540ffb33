// Access to the rows of pairs: the data that the pair walk reads, all other data, the last separating axis, and the rows of
// watched pairs.
import {
  PAIR_BLOCK,
  PAIR_COLD_STRIDE,
  PAIR_GAP_STRIDE,
  PAIR_HOT_STRIDE,
  PairCold,
  PairGap,
  PairHot,
  WATCHED_PAIR_STRIDE,
  WatchedPair,
} from '../layout.generated';
import { rowInBlocks } from '../memory/blocks';
import { header } from '../memory/header';

export function pairHot(pair: u32): PairHot {
  return changetype<PairHot>(<usize>header().pairHots + <usize>pair * PAIR_HOT_STRIDE);
}
export function pairCold(pair: u32): PairCold {
  return changetype<PairCold>(<usize>header().pairColds + <usize>pair * PAIR_COLD_STRIDE);
}
/** The last test of a pair that found nothing. */
export function gapAt(pair: u32): PairGap {
  return changetype<PairGap>(rowInBlocks(header().pairGapBlocks, pair, PAIR_BLOCK, PAIR_GAP_STRIDE));
}
export function watchedAt(index: u32): WatchedPair {
  return changetype<WatchedPair>(<usize>header().watchedPairs + <usize>index * WATCHED_PAIR_STRIDE);
}
