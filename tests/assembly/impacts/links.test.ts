// Links of impacts, written by hand, against double precision: slip and friction at their middle, what an impact leaves, where
// sweeps end, and the energy that the turn of a step is settled by.
import { expect, it } from 'vitest';
import { BODY_STATIC, BodyRow, Header, ImpactBody, ImpactLink, ImpactState, Manifold } from '../../../src/layout.generated';
import { coreBodies, type Symmetric } from '../../helpers/core_bodies';
import { seeded } from '../../helpers/random';
import {
  add,
  cross,
  dot,
  norm,
  scale,
  solveSymmetric,
  sub,
  timesSymmetric,
  turned,
  turnedBack,
  unit,
} from '../../helpers/vectors';

type V = number[];
const POINT = Manifold.rax1 - Manifold.rax0;
const LONE = 0xffffffff;

/** Two tilted bodies of unlike moments, and contacts between them that tests write. */
function pair(options: { fixed?: 'a' | 'b'; seed?: number } = {}) {
  const world = coreBodies();
  const random = seeded(options.seed ?? 7);
  const some = (size = 1): V => [0, 0, 0].map(() => Math.fround((2 * random() - 1) * size));
  world.body({ at: [9, 9, 9] });
  const moments: Symmetric[] = [
    [1.5, 2.25, 2.75, 0.25, -0.125, 0.375],
    [0.5, 0.75, 0.625, -0.125, 0.0625, 0.1875],
  ];
  const masses = [3, 1.25];
  const rotations = [unit([0.3, -0.5, 0.2, 0.7]), unit([-0.4, 0.1, 0.6, 0.5])].map((q) => q.map(Math.fround));
  const bodies = (['a', 'b'] as const).map((name, i) =>
    world.body({
      ...(name === options.fixed ? { type: BODY_STATIC } : {}),
      at: [i, 2 * i, -i],
      q: rotations[i]!,
      mass: masses[i]!,
      inertia: moments[i]!,
      extent: 1,
    }),
  ) as [number, number];
  const moves = (i: number) => ['a', 'b'][i] !== options.fixed;
  for (const i of [0, 1]) if (moves(i)) world.core.setVelocity(bodies[i], ...some(2), ...some(3));
  const velocities = (i: number) => ({ v: world.get('row', bodies[i]!), w: world.get('row', bodies[i]!, BodyRow.wx) });
  const spin = (i: number, w: V) => turned(rotations[i]!, timesSymmetric(moments[i]!, turnedBack(rotations[i]!, w)));
  const view = () => new DataView(world.memory.buffer);
  const floats = (at: number, values: V) => new Float32Array(world.memory.buffer, at, values.length).set(values);
  const n = unit([0.4, 0.8, -0.3]);
  const t = unit(cross(n, [1, 0.3, 0.2]));
  return {
    ...world,
    bodies,
    some,
    moves,
    velocities,
    n,
    t,
    u: cross(n, t),
    view,
    floats32: floats,
    /** What an impulse p at arm r changes of the spin. */
    spun: (i: number, l: V) => turned(rotations[i]!, solveSymmetric(moments[i]!, turnedBack(rotations[i]!, l))),
    masses,
    energy: () =>
      [0, 1].filter(moves).reduce((sum, i) => {
        const { v, w } = velocities(i);
        return sum + 0.5 * masses[i]! * dot(v, v) + 0.5 * dot(w, spin(i, w));
      }, 0),
    spinEnergy: (i: number) => 0.5 * dot(velocities(i).w, spin(i, velocities(i).w)),
    momentum: () => [0, 1].map((i) => scale(velocities(i).v, masses[i]!)).reduce(add),
    /** A link with a contact of its own: arms of its points at A and B. */
    link: (arms: [V, V][], at: number = world.core.allocate(ImpactLink.STRIDE) >>> 0) => {
      const contact = world.core.allocate(Manifold.STRIDE) >>> 0;
      new Uint8Array(world.memory.buffer, contact, Manifold.STRIDE).fill(0);
      new Uint8Array(world.memory.buffer, at, ImpactLink.STRIDE).fill(0);
      const word = (place: number, value: number) => view().setUint32(place, value, true);
      word(contact + Manifold.bodyA, bodies[0]);
      word(contact + Manifold.bodyB, bodies[1]);
      word(contact + Manifold.lane, LONE);
      word(contact + Manifold.count, arms.length);
      floats(contact + Manifold.nx, n);
      floats(contact + Manifold.tx, t);
      for (const [k, [ra, rb]] of arms.entries()) {
        floats(contact + Manifold.rax0 + k * POINT, ra);
        floats(contact + Manifold.rbx0 + k * POINT, rb);
      }
      word(at + ImpactLink.contact, contact);
      return { at, contact, get: (field: number) => view().getFloat32(at + field, true) };
    },
  };
}

it('the slip of a link is that of its middle along both tangents and of the spins about the normal; friction acts there', () => {
  for (const seed of [1, 2, 3]) {
    const p = pair({ seed });
    const link = p.link([[p.some(), p.some()]]);
    const [ra, rb] = [p.some(), p.some()];
    p.floats32(link.at + ImpactLink.centerA, ra);
    p.floats32(link.at + ImpactLink.centerB, rb);
    const [a, b] = [p.velocities(0), p.velocities(1)];
    const d = sub(add(b.v, cross(b.w, rb)), add(a.v, cross(a.w, ra)));
    const exact = [dot(p.t, d), dot(p.u, d), dot(p.n, sub(b.w, a.w))];
    const out = p.room(16);
    p.core.testSlipOf(link.at, out);
    for (const [i, x] of p.readFloats(out, 3).entries()) expect(Math.abs(x - exact[i]!)).toBeLessThan(1e-5);
    const given = p.some();
    const impulse = add(scale(p.t, given[0]!), scale(p.u, given[1]!));
    const turn = scale(p.n, given[2]!);
    p.core.testRub(link.at, ...given);
    for (const [i, sign, from, arm] of [
      [0, -1, a, ra],
      [1, 1, b, rb],
    ] as const) {
      const now = p.velocities(i);
      expect(norm(sub(now.v, add(from.v, scale(impulse, sign / p.masses[i]!))))).toBeLessThan(1e-5);
      const spun = p.spun(i, scale(add(cross(arm, impulse), turn), sign));
      expect(norm(sub(now.w, add(from.w, spun)))).toBeLessThan(1e-5);
    }
  }
});

/** A face of three points that comes in, with friction at its middle. */
function struck(friction: number, seed: number) {
  const p = pair({ seed });
  const arms = [0, 1, 2].map((k): [V, V] => {
    const side = add(scale(p.t, 0.3 * (k - 1)), scale(p.u, 0.25 * ((k * k) % 3)));
    return [add(scale(p.n, 0.5), side), add(scale(p.n, -0.4), side)];
  });
  const link = p.link(arms);
  p.view().setFloat32(link.contact + Manifold.twistRadius, 0.3, true);
  for (const [i, sign] of [
    [0, 1],
    [1, -1],
  ] as const)
    p.set('row', p.bodies[i], BodyRow.vx, add(p.velocities(i).v, scale(p.n, 6 * sign)));
  const middle = (side: 0 | 1) => scale(arms.map((arm) => arm[side]).reduce(add), 1 / 3);
  p.floats32(link.at + ImpactLink.centerA, middle(0));
  p.floats32(link.at + ImpactLink.centerB, middle(1));
  p.view().setFloat32(link.at + ImpactLink.friction, friction, true);
  for (let k = 0; k < 3; k++) p.core.testTakeLinkPoint(link.at, k);
  p.core.testTakeFriction(link.at);
  const list = p.words([link.at]);
  const speeds = () => {
    const [a, b] = [p.velocities(0), p.velocities(1)];
    return arms.map(([ra, rb]) => dot(p.n, sub(add(b.v, cross(b.w, rb)), add(a.v, cross(a.w, ra)))));
  };
  const slip = () => {
    const out = p.room(16);
    p.core.testSlipOf(link.at, out);
    return p.readFloats(out, 3);
  };
  const impulses = () => [0, 1, 2].map((k) => link.get(ImpactLink.impulse0 + 4 * k));
  return { ...p, link, list, speeds, slip, impulses };
}

it.each([1, 2, 3, 4])(
  'an impact with much friction leaves no motion at a face, points that push and others that part (%d)',
  (seed) => {
    const p = struck(50, seed);
    const [momentum, energy] = [p.momentum(), p.energy()];
    for (const speed of p.speeds()) expect(speed).toBeLessThan(-1);
    p.core.solveLinks(p.list, 1, 1e-7, 4000);
    expect(norm(sub(p.momentum(), momentum))).toBeLessThan(2e-5 * norm(momentum) + 2e-5);
    for (const [k, speed] of p.speeds().entries()) {
      const z = p.impulses()[k]!;
      expect(z).toBeGreaterThanOrEqual(0);
      expect(speed).toBeGreaterThan(-1e-4);
      if (z > 1e-4) expect(Math.abs(speed)).toBeLessThan(1e-4);
    }
    expect(Math.max(...p.impulses())).toBeGreaterThan(0.5);
    for (const x of p.slip()) expect(Math.abs(x)).toBeLessThan(2e-4);
    expect(p.energy()).toBeLessThan(energy);
  },
);

it.each([1, 2, 3, 4])('little friction opposes the slip that is left, as far as the normal impulses bear (%d)', (seed) => {
  const p = struck(0.05, seed);
  p.core.solveLinks(p.list, 1, 1e-7, 4000);
  const borne = 0.05 * p.impulses().reduce((sum, x) => sum + x, 0);
  const [z1, z2, twist] = [ImpactLink.tangent1, ImpactLink.tangent2, ImpactLink.twist].map(p.link.get) as [
    number,
    number,
    number,
  ];
  const [s1, s2, sw] = p.slip() as [number, number, number];
  expect(Math.hypot(z1, z2)).toBeLessThan(borne * 1.0001);
  expect(Math.abs(twist)).toBeLessThan(0.3 * borne * 1.0001);
  if (Math.hypot(s1, s2) > 1e-2) {
    expect(Math.hypot(z1, z2) / borne).toBeCloseTo(1, 3);
    expect((z1 * s1 + z2 * s2) / (Math.hypot(z1, z2) * Math.hypot(s1, s2))).toBeCloseTo(-1, 2);
  }
  if (Math.abs(sw) > 1e-2) expect(twist / (0.3 * borne)).toBeCloseTo(-Math.sign(sw), 3);
});

it('sweeps end with the first that changes no speed by as much as is asked for', () => {
  const [once, settled, more] = [1, 60, 60].map((sweeps, i) => {
    const p = struck(0, 5);
    p.core.solveLinks(p.list, 1, i === 1 ? 100 : 1e-7, sweeps);
    return p.impulses();
  });
  expect(settled).toEqual(once);
  expect(Math.max(...once!.map((x, k) => Math.abs(x - more![k]!)))).toBeGreaterThan(1e-2);
  // A change of less than 1 m/s ends it too.
  const counts = [1, 2, 3, 4, 5, 6].map((sweeps) => {
    const p = struck(0, 5);
    p.core.solveLinks(p.list, 1, 0, sweeps);
    return p.impulses();
  });
  const p = struck(0, 5);
  p.core.solveLinks(p.list, 1, 0.9, 60);
  const ended = counts.findIndex((z) => JSON.stringify(z) === JSON.stringify(p.impulses()));
  expect(ended).toBeGreaterThan(0);
});

/** The state of impacts with these bodies in it. */
function listed(p: ReturnType<typeof pair>) {
  const s = p.core.testImpactState() >>> 0;
  p.core.ensureArray(s + ImpactState.bodies, ImpactBody.STRIDE, 4);
  p.core.ensureArray(s + ImpactState.marks, 4, 8);
  p.core.ensureArray(s + ImpactState.taken, 4, 4);
  const word = (field: number) => p.view().getUint32(s + field, true);
  const setWord = (at: number, value: number) => p.view().setUint32(at, value, true);
  let count = 0;
  for (const i of [0, 1]) {
    if (!p.moves(i)) continue;
    setWord(word(ImpactState.bodies) + count * ImpactBody.STRIDE + ImpactBody.body, p.bodies[i]!);
    count++;
    setWord(word(ImpactState.marks) + 4 * p.bodies[i]!, count);
  }
  setWord(s + ImpactState.bodyCount, count);
  p.core.testKeepEnergies();
  const entry = (k: number) => word(ImpactState.bodies) + k * ImpactBody.STRIDE;
  return { s, word, setWord, count, entry };
}

it('the energy of the spin of a body is that of its moments, about axes of its own', () => {
  for (const seed of [1, 2, 3]) {
    const p = pair({ seed });
    const { entry } = listed(p);
    for (const i of [0, 1]) expect(p.view().getFloat32(entry(i) + ImpactBody.energy, true) / p.spinEnergy(i)).toBeCloseTo(1, 5);
  }
});

it.each([
  [undefined, 0.9, 0.3],
  [undefined, -0.4, 0.1],
  ['a', 0, 0.5],
  ['b', 0.4, 0],
  ['b', -0.3, 0],
] as const)(
  'energy that the turn has added is taken off by impulses of restitution: fixed %s, gains %d %d',
  (fixed, gainA, gainB) => {
    const p = pair(fixed === undefined ? {} : { fixed });
    for (const i of [0, 1].filter(p.moves)) p.set('row', p.bodies[i]!, BodyRow.vx, scale(p.n, i === 0 ? -2 : 3));
    for (const i of [0, 1].filter(p.moves)) p.set('row', p.bodies[i]!, BodyRow.wx, scale(p.t, 0.3 + i));
    const arms = [0, 1].map((k): [V, V] => [add(scale(p.n, 0.5), p.some(0.2)), add(scale(p.n, -0.4), scale(p.t, 0.2 * k))]);
    const link = p.link(arms);
    p.floats32(link.contact + Manifold.restitution, [0.5]);
    p.floats32(link.at + ImpactLink.impulse0, [1.5, 0.75]);
    const { s, word, setWord, count, entry } = listed(p);
    const gains = [gainA, gainB].filter((_, i) => p.moves(i));
    for (const [k, gain] of gains.entries()) {
      const at = entry(k) + ImpactBody.energy;
      p.view().setFloat32(at, p.view().getFloat32(at, true) - gain, true);
    }
    setWord(word(ImpactState.taken), link.at);
    setWord(s + ImpactState.takenCount, 1);
    const [energy, momentum] = [p.energy(), p.momentum()];
    p.core.settleImpacts();
    expect(Math.abs(p.energy() - energy + gainA + gainB)).toBeLessThan(2e-4);
    if (fixed === undefined) expect(norm(sub(p.momentum(), momentum))).toBeLessThan(1e-5);
    expect([word(ImpactState.bodyCount), word(ImpactState.takenCount)]).toEqual([0, 0]);
    for (const body of p.bodies) expect(p.view().getUint32(word(ImpactState.marks) + 4 * body, true)).toBe(0);
    expect(count).toBe(gains.length);
  },
);

it('a contact without restitution takes off nothing', () => {
  const p = pair();
  for (const i of [0, 1]) p.set('row', p.bodies[i]!, BodyRow.vx, scale(p.n, i === 0 ? -2 : 3));
  const link = p.link([[p.some(), p.some()]]);
  p.floats32(link.at + ImpactLink.impulse0, [1.5]);
  const { s, word, setWord, entry } = listed(p);
  p.view().setFloat32(entry(0) + ImpactBody.energy, 0.25, true);
  setWord(word(ImpactState.taken), link.at);
  setWord(s + ImpactState.takenCount, 1);
  const energy = p.energy();
  p.core.settleImpacts();
  expect(p.energy()).toBe(energy);
});

it('marks of a step that ended early are gone in the next', () => {
  const p = pair();
  const { word } = listed(p);
  const mark = (body: number) => p.view().getUint32(word(ImpactState.marks) + 4 * body, true);
  for (const body of p.bodies) expect(mark(body)).toBeGreaterThan(0);
  expect(p.header(Header.impactState)).toBeGreaterThan(0);
  p.core.findImpacts();
  expect(word(ImpactState.bodyCount)).toBe(0);
  for (const body of p.bodies) expect(mark(body)).toBe(0);
});
