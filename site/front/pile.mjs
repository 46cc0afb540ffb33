// The scene of the front page: stones are poured on a floor and come to rest. It imports nothing, so that a page and a test in Node build
// the same scene. In: a world of talus. Out: the shapes to draw and the ids of the bodies. The same on every machine and in every run.

/** Stones of the pile, and kinds of stones. */
export const STONES = 180;
export const KINDS = 5;
/** Seconds that the pile may take until it rests, tests/site/front.test.ts measures fewer. */
export const REST_SECONDS = 14;

/** Random numbers in [0, 1) from a seed (mulberry32). */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Corners of a stone: a box whose corners and faces were knocked about, about its own middle. */
function stonePoints(next, [a, b, c]) {
  const points = [];
  for (let i = 0; i < 8; i++) {
    const rough = () => 0.72 + 0.28 * next();
    points.push(i & 1 ? a * rough() : -a * rough(), i & 2 ? b * rough() : -b * rough(), i & 4 ? c * rough() : -c * rough());
  }
  // A corner more on four of the faces.
  points.push(1.05 * a, 0.3 * b * (next() - 0.5), 0.3 * c * (next() - 0.5), -1.05 * a, 0.3 * b * (next() - 0.5), 0);
  points.push(0.3 * a * (next() - 0.5), 0, 1.05 * c, 0, 0.3 * b * (next() - 0.5), -1.05 * c);
  return points;
}

/** Half extents of the kinds, m: slabs, blocks and small stones. */
const HALF = [
  [0.42, 0.2, 0.3],
  [0.34, 0.27, 0.29],
  [0.26, 0.22, 0.24],
  [0.48, 0.16, 0.36],
  [0.3, 0.24, 0.4],
];

/** Corners of each kind of stone, as flat lists of x, y, z. */
export function stoneShapes() {
  const next = random(7);
  return HALF.map((half) => stonePoints(next, half));
}

/** A random rotation: x, y, z, w. */
function randomTurn(next) {
  const [u, v, w] = [next(), 2 * Math.PI * next(), 2 * Math.PI * next()];
  const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)];
  return [a * Math.sin(v), a * Math.cos(v), b * Math.sin(w), b * Math.cos(w)];
}

/** Steps between two stones, and the height from which they are let go, m. */
const PACE = 2;
const HEIGHT = 3.4;

/**
 * The pile in a world: a floor at once, and stones that `pour` lets go one by one.
 * `ids` and `kinds` grow as they come.
 */
export class Pile {
  constructor(world, count = STONES) {
    this.world = world;
    this.count = count;
    this.shapes = stoneShapes().map((points) => world.createShape({ type: 'hull', points }));
    world.createBody({ type: 'static', shape: world.createShape({ type: 'plane' }), friction: 0.9 });
    this.empty = world.snapshot();
    this.reset();
  }

  /** Begins again with an empty floor: the same bits as the first time. */
  reset() {
    this.world.restore(this.empty);
    this.next = random(3);
    this.ids = [];
    this.kinds = [];
    this.steps = 0;
  }

  /** Before each step: lets go a stone if one is due. */
  pour() {
    if (this.steps++ % PACE !== 0 || this.ids.length === this.count) return;
    const { next } = this;
    const kind = this.ids.length % KINDS;
    const angle = 2 * Math.PI * next();
    const radius = 0.8 * Math.sqrt(next());
    const position = [radius * Math.cos(angle), HEIGHT, radius * Math.sin(angle)];
    this.ids.push(
      this.world.createBody({
        shape: this.shapes[kind],
        position,
        rotation: randomTurn(next),
        linearVelocity: [0, -1, 0],
        density: 2400,
        friction: 0.9,
      }),
    );
    this.kinds.push(kind);
  }
}
