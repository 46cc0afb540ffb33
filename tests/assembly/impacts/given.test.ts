// What an impact behind the solver may take back at each point, and what it tells a watched pair, on records that a test writes.
import { expect, it } from 'vitest';
import {
  HEADER_PTR,
  Header,
  ImpactLink,
  ImpactState,
  Manifold,
  PairCold,
  SOLVER_PGS,
  WatchedPair,
} from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';

const POINT = Manifold.rax1 - Manifold.rax0;

/** A box on a floor with the record of its contact, and a link of it. */
function resting() {
  const world = new BoxWorld();
  world.core.setSolver(SOLVER_PGS);
  world.box([0, -0.5, 0], [20, 0.5, 20], { type: 0 });
  for (let i = 0; i < 3; i++) world.box([3 * i, 0.399, 0], [0.3, 0.4, 0.5], { restitution: 0.5 });
  world.step(3);
  expect(world.u32(Header.manifoldCount)).toBe(3);
  const manifold = world.core.manifoldAt(1) >>> 0;
  const view = () => new DataView(world.memory.buffer);
  const s = world.core.testImpactState() >>> 0;
  for (const [field, stride] of [
    [ImpactState.bodies, 16],
    [ImpactState.marks, 4],
    [ImpactState.taken, 4],
  ] as const)
    world.core.ensureArray(s + field, stride, 16);
  const link = world.core.testAddLink() >>> 0;
  view().setUint32(link + ImpactLink.contact, manifold, true);
  view().setUint32(link + ImpactLink.manifold, 1, true);
  return {
    world,
    manifold,
    link,
    float: (at: number) => view().getFloat32(at, true),
    setFloat: (at: number, value: number) => view().setFloat32(at, value, true),
    word: (at: number) => view().getUint32(at, true),
    setWord: (at: number, value: number) => view().setUint32(at, value, true),
  };
}

it.each([
  [[2, 5, 1], 24, 0],
  [[2, 5, 1], 4, 0],
  [[3, 0, 7], 15, 0],
  [[4, 4], 9, 0],
  [[6], 18, 0],
  [[2, 5, 1], 24, 0b10],
])(
  'largest impulses %j of a step of %d: each gives back its share, or its own of one substep (ahead: %d)',
  (largest, all, ahead) => {
    const { world, manifold, link, float, setFloat, setWord } = resting();
    setWord(manifold + Manifold.count, largest.length);
    setFloat(manifold + Manifold.stepImpulse, all);
    // Points that the manifold has no more still have theirs.
    for (let k = 0; k < 4; k++) setFloat(manifold + Manifold.maxImpulse0 + k * POINT, largest[k] ?? 1000);
    for (let k = 0; k < 4; k++) setFloat(manifold + Manifold.impulse0 + k * POINT, 0.25 + k);
    setWord(link + ImpactLink.fast, 15);
    setWord(link + ImpactLink.ahead, ahead);
    world.core.solveImpacts();
    const sum = largest.reduce((total, x) => total + x, 0);
    for (const [k, most] of largest.entries()) {
      const isAhead = (ahead & (1 << k)) !== 0;
      const expected = most === 0 ? 0 : isAhead ? 0.25 + k : Math.max(most, (most / sum) * all);
      expect(float(link + ImpactLink.given0 + 4 * k)).toBeCloseTo(expected, 4);
    }
    for (let k = largest.length; k < 4; k++) expect(float(link + ImpactLink.given0 + 4 * k)).toBe(0);
    expect(float(link + ImpactLink.borne)).toBe(all);
  },
);

it('a pair that is watched for its first touch has met where its impact was met elsewhere', () => {
  const { world, manifold, link, float, setFloat, word, setWord } = resting();
  const entries = 5;
  world.core.ensureArray(HEADER_PTR + Header.watchedPairs, WatchedPair.STRIDE, entries);
  const list = world.u32(Header.watchedPairs);
  for (let i = 0; i < entries; i++) setFloat(list + i * WatchedPair.STRIDE + WatchedPair.separation, 0.25 + i);
  const cold = world.u32(Header.pairColds) + word(manifold + Manifold.pair) * PairCold.STRIDE;
  // The number of its entry, from 1 on.
  setWord(cold + PairCold.watch, 4);
  setFloat(link + ImpactLink.impulse0, 2);
  world.core.testGiveMet(link);
  const separations = Array.from({ length: entries }, (_, i) => float(list + i * WatchedPair.STRIDE + WatchedPair.separation));
  expect(separations).toEqual([0.25, 1.25, 2.25, 0, 4.25]);
});
