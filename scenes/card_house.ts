// Card house: 48 cards on five levels, held by friction alone. 40 leaning cards form 6 + 5 + 4 + 3 + 2 tents; each of the
// four floors between the levels is two long planks side by side.
// A tent is a lambda, not an inverted V: card B leans with its upper edge against the face of card A, 2 cm below A's end,
// and only A carries the planks. Two boxes that touch corner to corner have no well-defined contact normal.
//
//        A /|        u_A = (sin a, cos a) leans right, its right face passes through its foot (0, 0)
//         /  \ B     u_B = (-sin b, cos b) leans left, its left face passes through its foot (span, 0)
//        /    \      B's upper left corner lies on A's right face
//
// Statics (weights W, unit length, A and B at angles a and b from the vertical): in an empty tent the contact between the
// cards needs friction/normal = ((sin b / sin a) (cos b / cos a) - cos(a + b)) / sin(a + b), in a tent loaded from above
// cot(a + b) the other way, and the foot of B at most tan b. With a = 28 and b = 30.2 degrees these are 0.61, 0.62 and 0.58,
// so a coefficient of 0.8 holds both with the same margin.
import { GRAVITY, rotationAboutZ, SceneBuilder } from './builder';
import { Random } from './random';
import type { Scene, SceneOptions, Vec3 } from './types';

const LENGTH = 1;
const THICKNESS = 0.03;
const WIDTH = 0.65;
const SIN_A = 0.469;
const SIN_B = 0.503;
const COS_A = Math.sqrt(1 - SIN_A * SIN_A);
const COS_B = Math.sqrt(1 - SIN_B * SIN_B);
/** Distance between tents of a level, m. */
const PITCH = 1.12;
const PLANK_OVERHANG = 0.12;
const PLANK_GAP = 0.01;
const TENTS = [6, 5, 4, 3, 2];

/** 48 cards; `friction` defaults to 0.8, enough to stand. */
export function cardHouse(options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder(options.friction ?? 0.8);
  builder.floor(30);
  buildCards(builder);
  return builder.build('cardhouse', 'house of 48 cards on five levels', 0, {
    touching: true,
    stands: true,
    bounds: { min: [-30, -0.5, -30], max: [30, 20, 30] },
  });
}

/**
 * The same house with ten boxes thrown at the right side of it, the first of which arrives after a second and the last after
 * four: 58 bodies as in Tonge et al. 2012. What is left has to come to rest again.
 */
export function cardHouseHit(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const random = new Random(seed);
  const builder = new SceneBuilder(options.friction ?? 0.8);
  builder.floor(60);
  buildCards(builder);
  const box = builder.box(0.15, 0.15, 0.15);
  for (let i = 0; i < 10; i++) {
    const time = 1 + i / 3;
    const speed = 7;
    const target: Vec3 = [random.range(2, 3), random.range(0.5, 2.5), random.range(-0.2, 0.2)];
    // Thrown upwards as fast as brings it from 1 m to the height of the target in that time.
    const up = (target[1] - 1) / time + 0.5 * GRAVITY * time;
    builder.dynamic(box, [target[0] + speed * time, 1, target[2]], {
      linearVelocity: [-speed, up, 0],
      rotation: random.rotation(),
      density: 400,
    });
  }
  return builder.build('cardhouse-hit', 'house of 48 cards and ten boxes thrown at it', seed, {
    bounds: { min: [-60, -0.5, -60], max: [60, 60, 60] },
  });
}

function buildCards(builder: SceneBuilder): void {
  const card = builder.box(THICKNESS / 2, LENGTH / 2, WIDTH / 2);

  // Foot of B where its left face meets the ground, from A's foot.
  const topOfB = LENGTH * COS_B;
  const span = (topOfB * SIN_A) / COS_A + LENGTH * SIN_B;
  // A's highest corner, the upper left one, carries the planks.
  const crestX = LENGTH * SIN_A - THICKNESS * COS_A;
  const crestY = LENGTH * COS_A + THICKNESS * SIN_A;

  let footX = (-(TENTS[0] - 1) * PITCH - span) / 2;
  let footY = 0;
  for (let level = 0; level < TENTS.length; level++) {
    const tents = TENTS[level];
    for (let i = 0; i < tents; i++) {
      const x = footX + i * PITCH;
      // The center of a card: half the length up from the foot corner and half the thickness away from the inner face.
      const ax = x + (LENGTH * SIN_A - THICKNESS * COS_A) / 2;
      const ay = footY + (LENGTH * COS_A + THICKNESS * SIN_A) / 2;
      builder.dynamic(card, [ax, ay, 0], { rotation: rotationAboutZ(COS_A, -SIN_A) });
      const bx = x + span + (-LENGTH * SIN_B + THICKNESS * COS_B) / 2;
      const by = footY + (LENGTH * COS_B + THICKNESS * SIN_B) / 2;
      builder.dynamic(card, [bx, by, 0], { rotation: rotationAboutZ(COS_B, SIN_B) });
    }
    if (level + 1 === TENTS.length) break;
    const first = footX + crestX;
    const halfLength = ((tents - 1) * PITCH) / 2 + PLANK_OVERHANG;
    const halfWidth = (WIDTH - PLANK_GAP) / 4;
    const plank = builder.box(halfLength, THICKNESS / 2, halfWidth);
    const plankX = first + ((tents - 1) * PITCH) / 2;
    const plankY = footY + crestY + THICKNESS / 2;
    for (const side of [-1, 1]) builder.dynamic(plank, [plankX, plankY, side * (halfWidth + PLANK_GAP / 2)]);
    // The next level stands between the crests of this one, with equal play on either side.
    footX = first + (PITCH - span) / 2;
    footY += crestY + THICKNESS;
  }
}
