// Chains and nets of bodies on ball joints: a chain that swings down, one that carries a ball of many times the mass of a
// link, and grids of spheres: held at two corners, and hanging from a whole row.
import { BOX3D_GRAVITY, scaledSide } from './box3d_piles';
import { DENSITY, SceneBuilder } from './builder';
import { ALONG_X } from './frames';
import { type Scene, type SceneOptions, type Vec3, WORLD } from './types';

/** Radius of a link and distance of its joints, m. */
const RADIUS = 0.07;
const PITCH = 0.46;

/**
 * `count` 25 capsules on ball joints, held at one end, laid out level at the height of half the chain: as the chain of closed
 * links (chain.ts), it swings down and its free end piles up on the floor.
 */
export function capsuleChain(options: SceneOptions = {}): Scene {
  const count = Math.max(2, Math.round((options.count ?? 25) * (options.scale ?? 1)));
  const builder = new SceneBuilder();
  builder.floor(30);
  const link = builder.shape({ type: 'capsule', radius: RADIUS, halfHeight: PITCH / 2 - RADIUS });
  const height = Math.max(1, 0.5 * PITCH * count);
  const joints: number[] = [];
  let last = WORLD;
  for (let i = 0; i < count; i++) {
    const body = builder.dynamic(link, [(i + 0.5) * PITCH, height, 0], { rotation: ALONG_X });
    joints.push(builder.joint('ball', last, body, { at: [i * PITCH, height, 0] }));
    last = body;
  }
  return builder.build('capsule-chain', `chain of ${count} capsules on ball joints, held at one end`, 0, {
    bounds: { min: [-30, -0.5, -30], max: [30, 30, 30] },
    chain: joints,
  });
}

/** `count` 25 capsules hang on ball joints; a ball of `massRatio` (default 1,000) times the mass of a link hangs on the last. */
export function hangingChain(options: SceneOptions = {}): Scene {
  const count = Math.max(2, Math.round((options.count ?? 25) * (options.scale ?? 1)));
  const ratio = options.massRatio ?? 1000;
  const builder = new SceneBuilder();
  const halfHeight = PITCH / 2 - RADIUS;
  const link = builder.shape({ type: 'capsule', radius: RADIUS, halfHeight });
  const joints: number[] = [];
  let last = WORLD;
  for (let i = 0; i < count; i++) {
    const body = builder.dynamic(link, [0, -(i + 0.5) * PITCH, 0]);
    joints.push(builder.joint('ball', last, body, { at: [0, -i * PITCH, 0] }));
    last = body;
  }
  const radius = 0.4;
  // Volumes over pi.
  const linkVolume = 2 * halfHeight * RADIUS * RADIUS + (4 / 3) * RADIUS * RADIUS * RADIUS;
  const density = (ratio * DENSITY * linkVolume) / ((4 / 3) * radius * radius * radius);
  const end: Vec3 = [0, -count * PITCH, 0];
  const ball = builder.dynamic(builder.shape({ type: 'sphere', radius }), [0, end[1] - radius, 0], { density });
  joints.push(builder.joint('ball', last, ball, { at: end }));
  return builder.build('hanging-chain', `ball of ${ratio} times the mass of a link on a chain of ${count}`, 0, {
    stands: true,
    bounds: { min: [-30, -100, -30], max: [30, 30, 30] },
    chain: joints,
  });
}

/**
 * `count` 10,000 small spheres in a square, level at the start, each on ball joints with its neighbors (19,800); two corners
 * of one side do not move, and it swings down.
 */
export function jointGrid(options: SceneOptions = {}): Scene {
  const side = Math.max(3, Math.round(Math.sqrt((options.count ?? 10000) * (options.scale ?? 1))));
  const spacing = 0.2;
  const builder = new SceneBuilder();
  const ball = builder.shape({ type: 'sphere', radius: 0.06 });
  const shift = ((side - 1) * spacing) / 2;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const place: Vec3 = [column * spacing - shift, 0, row * spacing];
      if (row === 0 && (column === 0 || column === side - 1)) builder.fixed(ball, place);
      else builder.dynamic(ball, place);
      const body = row * side + column;
      if (column > 0) builder.joint('ball', body - 1, body, { at: [place[0] - spacing / 2, 0, place[2]] });
      if (row > 0) builder.joint('ball', body - side, body, { at: [place[0], 0, place[2] - spacing / 2] });
    }
  }
  const reach = 3 * side * spacing;
  return builder.build('joint-grid', `${side} x ${side} spheres on ball joints, two corners held`, 0, {
    bounds: { min: [-reach, -reach, -reach], max: [reach, reach, reach] },
  });
}

/**
 * 100 by 100 spheres on ball joints with their neighbors, which hang from the first row: the 'joint grid' of the benchmark that Box3D
 * publishes. There the spheres pass through each other; here only joined ones do, and none touch while they hang still.
 */
export function hangingGrid(options: SceneOptions = {}): Scene {
  const side = scaledSide(100, options, 3);
  const builder = new SceneBuilder();
  const ball = builder.shape({ type: 'sphere', radius: 0.4 });
  for (let column = 0; column < side; column++) {
    for (let row = 0; row < side; row++) {
      const place: Vec3 = [column, -row, 0];
      const body = row === 0 ? builder.fixed(ball, place) : builder.dynamic(ball, place);
      if (row > 0) builder.joint('ball', body - 1, body, { at: [column, 0.5 - row, 0] });
      // Two bodies that are held need no joint.
      if (column > 0 && row > 0) builder.joint('ball', body - side, body, { at: [column - 0.5, -row, 0] });
    }
  }
  const scene = builder.build('hanging-grid', `${side} x ${side} spheres on ball joints, hanging from a row`, 0, {
    stands: true,
    bounds: { min: [-side, -2 * side, -side], max: [2 * side, side, side] },
  });
  return { ...scene, gravity: BOX3D_GRAVITY };
}
