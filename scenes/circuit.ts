// A closed road over hills for a car on rays: a heightfield with bumps on one straight, curbs, cones in the corners, boxes beside
// the road. circuit_act.ts drives it.
import { SceneBuilder } from './builder';
import { frameOf, unit } from './frames';
import type { Quat, Scene, SceneOptions, ShapeDef, Vec3 } from './types';

/** Points that the middle of the road goes through, m. */
const CORNERS: readonly (readonly [number, number])[] = [
  [-30, 26],
  [0, 28],
  [28, 24],
  [40, 8],
  [30, -6],
  [12, -6],
  [4, -16],
  [-6, -28],
  [-26, -26],
  [-34, -12],
  [-20, 0],
  [-30, 12],
];
/** Pieces of the road between two of them. */
const PIECES = 24;
export const ROAD_WIDTH = 7;
const SPACING = 0.8;
const HALF = [52, 40] as const;
/** The road is seen so far above the ground, m, whose triangles are flat. */
const LIFT = 0.04;
/** Strips that the road is wide. */
const STRIPS = 8;
/** Hills: x, z, radius, height, m. */
const HILLS = [
  [0, 6, 26, 2.6],
  [38, 22, 22, 2],
  [-36, -26, 24, 2.2],
  [14, -26, 20, 3],
  [-44, 24, 16, 2],
] as const;
/** Bumps on the first straight: from and to along x, m. */
const BUMPS = { from: -18, to: 18, length: 6, height: 0.22 };
const CAR_HEIGHT = 0.62;
export const WHEEL_RADIUS = 0.36;

/** Middle of the road, x z each, about 1 m apart, by a closed Catmull-Rom curve. */
export function roadMiddle(): Float64Array {
  const n = CORNERS.length;
  const out = new Float64Array(2 * n * PIECES);
  for (let i = 0; i < n; i++) {
    const [a, b, c, d] = [-1, 0, 1, 2].map((k) => CORNERS[(i + k + n) % n]!);
    for (let j = 0; j < PIECES; j++) {
      const t = j / PIECES;
      for (let k = 0; k < 2; k++) {
        const [p, q, r, s] = [a![k]!, b![k]!, c![k]!, d![k]!];
        out[2 * (i * PIECES + j) + k] = q + 0.5 * t * (r - p + t * (2 * p - 5 * q + 4 * r - s + t * (3 * (q - r) + s - p)));
      }
    }
  }
  return out;
}

/** Height of the ground, m. */
function groundHeight(x: number, z: number): number {
  let y = 0;
  for (const [hx, hz, radius, height] of HILLS) {
    const r2 = ((x - hx) * (x - hx) + (z - hz) * (z - hz)) / (radius * radius);
    if (r2 < 1) y += height * (1 - r2) * (1 - r2);
  }
  if (z > 20 && z < 34 && x > BUMPS.from && x < BUMPS.to) {
    const t = ((x - BUMPS.from) / BUMPS.length) % 1;
    y += BUMPS.height * 16 * t * t * (1 - t) * (1 - t);
  }
  return y;
}

/** Pose of what stands on the ground at (x, z) with its axis z along (dx, dz). */
function placeOn(x: number, z: number, dx: number, dz: number): { at: Vec3; rotation: Quat } {
  const e = 0.5;
  const slope = [
    (groundHeight(x + e, z) - groundHeight(x - e, z)) / (2 * e),
    (groundHeight(x, z + e) - groundHeight(x, z - e)) / (2 * e),
  ];
  const up = unit([-slope[0]!, 1, -slope[1]!]);
  const along = unit([dx, slope[0]! * dx + slope[1]! * dz, dz]);
  const side: Vec3 = [
    up[1] * along[2] - up[2] * along[1],
    up[2] * along[0] - up[0] * along[2],
    up[0] * along[1] - up[1] * along[0],
  ];
  return { at: [x, groundHeight(x, z), z], rotation: frameOf(along, side) };
}

/** The road as it is seen: strips of triangles just above the ground. */
function roadSurface(middle: Float64Array): ShapeDef {
  const count = middle.length / 2;
  const row = STRIPS + 1;
  const positions = new Float32Array(3 * count * row);
  const indices = new Uint32Array(6 * count * STRIPS);
  for (let i = 0; i < count; i++) {
    const [before, after] = [(i + count - 1) % count, (i + 1) % count];
    const d = unit([middle[2 * after]! - middle[2 * before]!, 0, middle[2 * after + 1]! - middle[2 * before + 1]!]);
    for (let k = 0; k < row; k++) {
      const aside = (k / STRIPS - 0.5) * ROAD_WIDTH;
      const [x, z] = [middle[2 * i]! + aside * d[2], middle[2 * i + 1]! - aside * d[0]];
      positions.set([x, groundHeight(x, z) + LIFT, z], 3 * (row * i + k));
      if (k === STRIPS) continue;
      const [a, b] = [row * i + k, row * after + k];
      indices.set([a, b, a + 1, b, b + 1, a + 1], 6 * (STRIPS * i + k));
    }
  }
  return { type: 'mesh', positions, indices };
}

export function circuit(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder(0.8);
  const [nx, nz] = [Math.round((2 * HALF[0]) / SPACING) + 1, Math.round((2 * HALF[1]) / SPACING) + 1];
  const heights = new Float32Array(nx * nz);
  for (let iz = 0; iz < nz; iz++) {
    for (let ix = 0; ix < nx; ix++) heights[ix + nx * iz] = groundHeight(ix * SPACING - HALF[0], iz * SPACING - HALF[1]);
  }
  builder.fixed(
    builder.shape({ type: 'heightfield', nx, nz, spacing: SPACING, originX: -HALF[0], originZ: -HALF[1], heights }),
    [0, 0, 0],
    { tint: [150, 176, 140] },
  );
  const middle = roadMiddle();
  const count = middle.length / 2;
  const at = (i: number) => [middle[2 * ((i + count) % count)]!, middle[2 * ((i + count) % count) + 1]!] as const;
  const along = (i: number): Vec3 => {
    const [[x0, z0], [x1, z1]] = [at(i - 1), at(i + 1)];
    return unit([x1 - x0, 0, z1 - z0]);
  };
  const edgeAt = (i: number, side: number): readonly [number, number] => {
    const [[x, z], d] = [at(i), along(i)];
    return [x + (side * d[2] * ROAD_WIDTH) / 2, z - (side * d[0] * ROAD_WIDTH) / 2];
  };
  builder.fixed(builder.shape(roadSurface(middle)), [0, 0, 0], { scenery: true, tint: [112, 116, 124] });
  const line = builder.box(ROAD_WIDTH / 2, 0.03, 0.35);
  const cone = builder.shape({ type: 'cone', radius: 0.22, halfHeight: 0.35 });
  for (let i = 0; i < count; i += 2) {
    const [x, z] = at(i);
    const [dx, , dz] = along(i);
    for (const side of [1, -1]) {
      const [ex, ez] = edgeAt(i, side);
      const [fx, fz] = edgeAt(i - 1, side);
      const [gx, gz] = edgeAt(i + 1, side);
      const edge = placeOn(ex, ez, dx, dz);
      // Shorter inside of a bend.
      const length = Math.sqrt((gx - fx) * (gx - fx) + (gz - fz) * (gz - fz));
      builder.fixed(builder.box(0.18, 0.07, Math.max(Math.round(10 * length) / 20, 0.1)), edge.at, {
        rotation: edge.rotation,
        scenery: true,
        tint: (i / 2) % 2 ? [222, 80, 70] : [240, 240, 236],
      });
      // Cones where the road turns, on the outside.
      const [xa, za] = at(i - 6);
      const [xb, zb] = at(i + 6);
      const bend = (xb - x) * (z - za) - (zb - z) * (x - xa);
      if (i % 8 === 0 && bend * side > 5) {
        const away = ROAD_WIDTH / 2 + 0.7;
        const [cx, cz] = [x + side * dz * away, z - side * dx * away];
        builder.dynamic(cone, [cx, groundHeight(cx, cz) + 0.37, cz], { density: 100, tint: [238, 128, 50] });
      }
    }
  }
  const start = at(PIECES / 2);
  const ahead = at(PIECES / 2 + 1);
  const toward = unit([ahead[0] - start[0], 0, ahead[1] - start[1]]);
  const from = placeOn(start[0], start[1], toward[0], toward[2]);
  builder.fixed(line, [from.at[0], from.at[1] + LIFT - 0.01, from.at[2]], {
    rotation: from.rotation,
    scenery: true,
    tint: [250, 250, 250],
  });
  // Boxes piled up on the grass.
  const box = builder.box(0.4, 0.4, 0.4);
  for (const [bx, bz] of [
    [-6, 14],
    [22, 8],
    [-14, -14],
    [30, -20],
  ] as const) {
    for (let k = 0; k < 6; k++) {
      const [px, pz, level] = k < 3 ? [bx + 0.85 * k, bz, 0] : k < 5 ? [bx + 0.43 + 0.85 * (k - 3), bz, 1] : [bx + 0.85, bz, 2];
      builder.dynamic(box, [px, groundHeight(bx + 0.85, bz) + 0.55 + 0.81 * level, pz], { density: 120 });
    }
  }
  const upright = [0, 0, 0, 1] as const;
  const car = builder.dynamic(
    builder.compound([
      { shape: builder.box(0.85, 0.24, 2), position: [0, 0, 0], rotation: upright },
      { shape: builder.box(0.68, 0.22, 0.95), position: [0, 0.44, -0.25], rotation: upright },
    ]),
    [from.at[0], from.at[1] + CAR_HEIGHT, from.at[2]],
    { rotation: from.rotation, density: 300, tint: [236, 120, 100] },
  );
  const wheel = builder.compound([
    {
      shape: builder.shape({ type: 'cylinder', radius: WHEEL_RADIUS, halfHeight: 0.13 }),
      position: [0, 0, 0],
      rotation: [0, 0, -Math.SQRT1_2, Math.SQRT1_2],
    },
    { shape: builder.box(0.14, 0.05, 0.3), position: [0, 0, 0], rotation: upright },
  ]);
  const wheels = [0, 1, 2, 3].map((i) =>
    builder.kinematic(wheel, [from.at[0], from.at[1] + WHEEL_RADIUS, from.at[2] + 0.01 * i], {
      scenery: true,
      tint: [74, 78, 86],
    }),
  );
  return builder.build(
    'circuit',
    'lap of a car on a hilly road',
    0,
    { bounds: { min: [-200, -60, -200], max: [200, 60, 200] } },
    { car, wheels },
  );
}
