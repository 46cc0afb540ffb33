// Lists of constraints and islands against a walk over all manifolds, after random histories of everything that begins, ends and
// moves contacts, with sleep.
import { expect, test } from 'vitest';
import { Random } from '../../../scenes/random';
import { BODY_DYNAMIC, BODY_STATIC, BodyCold, Header, Manifold, NONE } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { hold } from '../../helpers/hold';

const ASLEEP = 1 << 12;

/** Union-find in the plainest form. */
class Sets {
  private readonly parents: number[];
  constructor(count: number) {
    this.parents = Array.from({ length: count }, (_, i) => i);
  }
  root(i: number): number {
    while (this.parents[i] !== i) i = this.parents[i]!;
    return i;
  }
  join(a: number, b: number): void {
    const [x, y] = [this.root(a), this.root(b)];
    this.parents[Math.max(x, y)] = Math.min(x, y);
  }
}

interface Graph {
  /** Ends of each body. */
  ends: number[][];
  /** What is coupled now. */
  sets: Sets;
  flags: (body: number) => number;
  bodies: number;
}

function readGraph(world: BoxWorld): Graph {
  const words = new Uint32Array(world.memory.buffer);
  const bodies = world.u32(Header.bodyCount);
  const colds = world.u32(Header.bodyColds);
  const flags = (body: number) => words[(colds + body * BodyCold.STRIDE + BodyCold.flags) >>> 2]!;
  const couples = (body: number) => (flags(body) & 0x103) === (0x100 | BODY_DYNAMIC);
  const ends: number[][] = Array.from({ length: bodies }, () => []);
  const sets = new Sets(bodies);
  for (let i = 0; i < world.u32(Header.manifoldCount); i++) {
    const m = (world.core.manifoldAt(i) as number) >>> 2;
    if (words[m + Manifold.count / 4] === 0) continue;
    const [a, b] = [words[m + Manifold.bodyA / 4]!, words[m + Manifold.bodyB / 4]!];
    ends[a]!.push(2 * i);
    ends[b]!.push(2 * i + 1);
    if (couples(a) && couples(b)) sets.join(a, b);
  }
  return { ends, sets, flags, bodies };
}

function ringOf(world: BoxWorld, body: number): number[] {
  const ring: number[] = [];
  let at = body;
  do {
    ring.push(at);
    at = world.core.testNextInIsland(at) as number;
    hold(ring.length <= world.u32(Header.bodyCount), `the ring of body ${body} does not close`);
  } while (at !== body);
  return ring;
}

/** Lists are complete, islands hold at least what is coupled; what sleeps, sleeps with its whole island. */
function check(world: BoxWorld): void {
  const { ends, sets, flags, bodies } = readGraph(world);
  const seen = new Set<number>();
  for (let body = 0; body < bodies; body++) {
    const found: number[] = [];
    for (let end = world.core.testFirstConstraint(body) >>> 0; end !== NONE; end = world.core.testNextConstraint(end) >>> 0) {
      found.push(end);
      hold(found.length <= ends[body]!.length, `body ${body} has more constraints than there are`);
    }
    const whole = `${found.sort((a, b) => a - b)}` === `${ends[body]}`;
    hold(whole, `constraints of body ${body}: ${found}, not ${ends[body]}`);
    hold(world.core.testIslandOf(body) === world.core.testIslandOf(sets.root(body)), `the island of body ${body}`);
    // The ring is the same from each of its bodies.
    if (seen.has(body)) continue;
    const ring = ringOf(world, body);
    const name = Math.min(...ring);
    for (const other of ring) {
      seen.add(other);
      hold(name === world.core.testIslandOf(other), `the name of the island of body ${other}`);
    }
    const sleeping = ring.find((other) => (flags(other) & ASLEEP) !== 0);
    if (sleeping === undefined) continue;
    hold(
      ring.every((other) => (flags(other) & ASLEEP) !== 0),
      `body ${sleeping} sleeps, another one of its island does not`,
    );
    const coupled = ring.every((other) => sets.root(other) === sets.root(sleeping));
    hold(coupled, `body ${sleeping} sleeps with one that is not coupled`);
  }
}

/** Nothing is in an island that is not coupled with it. */
function checkExact(world: BoxWorld): void {
  world.core.testSplitIslands();
  const { sets, bodies } = readGraph(world);
  for (let body = 0; body < bodies; body++) {
    hold(world.core.testIslandOf(body) === sets.root(body), `the island of body ${body} after the split`);
    if (sets.root(body) !== body) continue;
    const coupled = ringOf(world, body).every((other) => sets.root(other) === sets.root(body));
    hold(coupled, `the island of body ${body} holds one that is not coupled`);
  }
}

test('constraints and islands hold through motion, sleep, removal, types and reuse of slots', () => {
  const world = new BoxWorld();
  world.setU32(Header.sleep, 1);
  world.setF32(Header.sleepSpeed, 0.2);
  world.setF32(Header.sleepTime, 0.1);
  const random = new Random(11);
  const place = () => [random.range(-3, 3), random.range(0.2, 3), random.range(-3, 3)];
  const size = () => [random.range(0.15, 0.4), random.range(0.15, 0.4), random.range(0.15, 0.4)];
  world.box([0, -0.5, 0], [8, 0.5, 8], { type: BODY_STATIC });
  const alive: number[] = [];
  const create = () => alive.push(world.box(place(), size(), { type: random.unit() < 0.1 ? BODY_STATIC : BODY_DYNAMIC }));
  for (let i = 0; i < 100; i++) create();
  let sleepers = 0;
  for (let step = 0; step < 240; step++) {
    const rate = step % 80 < 20 ? 0.02 : 0.0005;
    for (let i = alive.length; i-- > 0; ) {
      const body = alive[i]!;
      const r = random.unit() / rate;
      if (r < 1) {
        world.core.removeBody(body);
        alive.splice(i, 1);
      } else if (r < 2) {
        world.core.setPose(body, ...place(), 0, 0, 0, 1);
      } else if (r < 3) {
        world.core.setBodyType(body, BODY_STATIC);
      }
    }
    while (alive.length < 100) create();
    check(world);
    world.step();
    check(world);
    sleepers = Math.max(sleepers, world.u32(Header.sleepingCount));
    if (step % 16 === 15) checkExact(world);
  }
  expect(sleepers).toBeGreaterThan(10);
});
