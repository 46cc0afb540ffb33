// Chess pieces dropped in a heap (1,000 of them in Tonge et al. 2012). A piece is a profile turned on a lathe: its silhouette
// as radii over heights, cut into convex parts, each the convex hull of rings of eight points.
import { SceneBuilder } from './builder';
import { unitCircle } from './polyhedron';
import { Random } from './random';
import type { CompoundChild, Scene, SceneOptions, Vec3 } from './types';

/** Silhouettes from the foot up: [height, radius], m. The tallest piece measures 1.2 m. */
const PROFILES: Record<string, readonly (readonly [number, number])[]> = {
  pawn: [
    [0, 0.25],
    [0.08, 0.25],
    [0.16, 0.12],
    [0.36, 0.08],
    [0.4, 0.14],
    [0.43, 0.08],
    [0.5, 0.13],
    [0.6, 0.13],
    [0.68, 0.06],
  ],
  rook: [
    [0, 0.28],
    [0.1, 0.28],
    [0.18, 0.17],
    [0.56, 0.14],
    [0.6, 0.2],
    [0.78, 0.2],
  ],
  knight: [
    [0, 0.28],
    [0.1, 0.28],
    [0.18, 0.15],
    [0.34, 0.13],
    [0.5, 0.2],
    [0.78, 0.18],
    [0.92, 0.07],
  ],
  bishop: [
    [0, 0.28],
    [0.1, 0.28],
    [0.18, 0.13],
    [0.6, 0.08],
    [0.64, 0.15],
    [0.68, 0.09],
    [0.78, 0.14],
    [0.94, 0.05],
  ],
  queen: [
    [0, 0.31],
    [0.11, 0.31],
    [0.2, 0.15],
    [0.76, 0.1],
    [0.81, 0.17],
    [0.86, 0.12],
    [1.02, 0.2],
    [1.1, 0.08],
  ],
  king: [
    [0, 0.31],
    [0.11, 0.31],
    [0.2, 0.15],
    [0.82, 0.11],
    [0.87, 0.18],
    [0.92, 0.13],
    [1.08, 0.19],
    [1.2, 0.09],
  ],
};
/** How many of each kind a set has. */
const SET = [
  'pawn',
  'pawn',
  'pawn',
  'pawn',
  'rook',
  'knight',
  'bishop',
  'pawn',
  'pawn',
  'pawn',
  'pawn',
  'rook',
  'knight',
  'bishop',
  'queen',
  'king',
];
const RING = 8;
const WOOD = 700;

/** Runs of a profile whose turned body is convex: the slope of the radius over the height falls from step to step. */
export function convexRuns(profile: readonly (readonly [number, number])[]): (readonly [number, number])[][] {
  const runs: (readonly [number, number])[][] = [];
  let run = [profile[0]];
  for (let i = 1; i < profile.length; i++) {
    if (run.length >= 2) {
      const [a, b] = run.slice(-2);
      const before = (b[1] - a[1]) / (b[0] - a[0]);
      const next = (profile[i][1] - b[1]) / (profile[i][0] - b[0]);
      if (next > before) {
        runs.push(run);
        run = [b];
      }
    }
    run.push(profile[i]);
  }
  runs.push(run);
  return runs;
}

/** Shape of a piece whose origin is the middle of its height. */
function turned(builder: SceneBuilder, profile: readonly (readonly [number, number])[]): number {
  const middle = profile[profile.length - 1][0] / 2;
  const children = convexRuns(profile).map((run): CompoundChild => {
    const points = run.flatMap(([y, r]) => unitCircle(RING).flatMap(([x, z]) => [r * x, y - middle, r * z]));
    return {
      shape: builder.shape({ type: 'hull', points: Float32Array.from(points) }),
      position: [0, 0, 0],
      rotation: [0, 0, 0, 1],
    };
  });
  return builder.compound(children);
}

/** `count` 1,000 pieces dropped on a board with a rim. */
export function chess(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const count = Math.max(1, Math.round((options.count ?? 1000) * (options.scale ?? 1)));
  const random = new Random(seed);
  const builder = new SceneBuilder(0.5);
  const half = 4.5 * Math.max(0.4, Math.cbrt(count / 1000));
  builder.container(half, 14);
  const kinds = new Map(Object.keys(PROFILES).map((name) => [name, turned(builder, PROFILES[name])]));
  const spacing = 1.32;
  const perRow = Math.max(1, Math.floor((2 * half - 1.3) / spacing) + 1);
  const shift = ((perRow - 1) * spacing) / 2;
  for (let i = 0; i < count; i++) {
    const inLayer = i % (perRow * perRow);
    const position: Vec3 = [
      (inLayer % perRow) * spacing - shift,
      0.7 + Math.floor(i / (perRow * perRow)) * spacing,
      Math.floor(inLayer / perRow) * spacing - shift,
    ];
    const shape = kinds.get(SET[random.integer(0, SET.length - 1)]);
    builder.dynamic(shape as number, position, { rotation: random.rotation(), density: WOOD });
  }
  return builder.build('chess', `${count} chess pieces in a heap`, seed, {
    bounds: { min: [-half - 0.1, -0.1, -half - 0.1], max: [half + 0.1, 100, half + 0.1] },
  });
}
