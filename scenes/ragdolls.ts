// Ragdolls of 13 bodies and 12 joints dropped into a pit: the heap of Tsuda 2009, figures 2 and 4.
import { SceneBuilder } from './builder';
import { degrees, join, turn, unit } from './frames';
import { Random } from './random';
import type { Quat, Scene, SceneOptions, Vec3 } from './types';

type PartShape = { type: 'box'; halfExtents: Vec3 } | { type: 'capsule'; radius: number; halfHeight: number };

interface Part {
  shape: PartShape;
  /** Of the standing figure: feet on y = 0, face towards +z, m. */
  at: Vec3;
}

interface Link {
  type: 'hinge' | 'cone-twist';
  a: number;
  b: number;
  at: Vec3;
  /** Hinge axis, or middle of the cone. */
  axis: Vec3;
  /** Twist axis of B as the figure stands; straight through the part. */
  axisB?: Vec3;
  limit: [number, number];
  cone?: number;
}

const capsule = (radius: number, length: number): PartShape => ({ type: 'capsule', radius, halfHeight: length / 2 - radius });

/** Pelvis, chest, head, then upper arm, forearm, thigh, shin, foot of either side. About 1.73 m and 68 kg. */
function figure(): { parts: Part[]; links: Link[] } {
  const parts: Part[] = [
    { shape: { type: 'box', halfExtents: [0.16, 0.09, 0.1] }, at: [0, 0.97, 0] },
    { shape: { type: 'box', halfExtents: [0.17, 0.17, 0.11] }, at: [0, 1.28, 0] },
    { shape: capsule(0.09, 0.24), at: [0, 1.61, 0] },
  ];
  const up: Vec3 = [0, 1, 0];
  const down: Vec3 = [0, -1, 0];
  const links: Link[] = [
    { type: 'cone-twist', a: 0, b: 1, at: [0, 1.085, 0], axis: up, cone: 35, limit: [-35, 35] },
    { type: 'cone-twist', a: 1, b: 2, at: [0, 1.47, 0], axis: up, cone: 40, limit: [-60, 60] },
  ];
  for (const side of [1, -1]) {
    const first = parts.length;
    const [arm, forearm, thigh, shin, foot] = [first, first + 1, first + 2, first + 3, first + 4];
    parts.push({ shape: capsule(0.045, 0.29), at: [0.235 * side, 1.255, 0] });
    parts.push({ shape: capsule(0.04, 0.31), at: [0.235 * side, 0.955, 0] });
    parts.push({ shape: capsule(0.07, 0.42), at: [0.1 * side, 0.71, 0] });
    parts.push({ shape: capsule(0.05, 0.41), at: [0.1 * side, 0.295, 0] });
    parts.push({ shape: { type: 'box', halfExtents: [0.05, 0.035, 0.12] }, at: [0.1 * side, 0.035, 0.05] });
    // Arms reach out, down and forwards; legs down and forwards. The middle of a cone lies where the limb is at ease.
    const outwards = unit([0.6 * side, -0.6, 0.5]);
    const ahead = unit([0.2 * side, -0.87, 0.45]);
    links.push({
      type: 'cone-twist',
      a: 1,
      b: arm,
      at: [0.235 * side, 1.4, 0],
      axis: outwards,
      axisB: down,
      cone: 85,
      limit: [-70, 70],
    });
    // Positive angles bend: elbows and toes forwards, knees backwards.
    links.push({ type: 'hinge', a: arm, b: forearm, at: [0.235 * side, 1.11, 0], axis: [-1, 0, 0], limit: [-3, 140] });
    links.push({
      type: 'cone-twist',
      a: 0,
      b: thigh,
      at: [0.1 * side, 0.92, 0],
      axis: ahead,
      axisB: down,
      cone: 55,
      limit: [-35, 35],
    });
    links.push({ type: 'hinge', a: thigh, b: shin, at: [0.1 * side, 0.5, 0], axis: [1, 0, 0], limit: [-3, 140] });
    links.push({ type: 'hinge', a: shin, b: foot, at: [0.1 * side, 0.09, 0], axis: [-1, 0, 0], limit: [-40, 25] });
  }
  return { parts, links };
}

/** Adds one figure whose middle (0.9 m above its feet) is at `position`; answers the index of its pelvis. */
export function addRagdoll(builder: SceneBuilder, position: Vec3, rotation: Quat): number {
  const { parts, links } = figure();
  const place = (p: Vec3): Vec3 => {
    const r = turn(rotation, [p[0], p[1] - 0.9, p[2]]);
    return [position[0] + r[0], position[1] + r[1], position[2] + r[2]];
  };
  const direction = (d: Vec3) => turn(rotation, d);
  const bodies = parts.map((part) => builder.dynamic(builder.shape(part.shape), place(part.at), { rotation }));
  for (const link of links) {
    builder.joint(
      link.type,
      bodies[link.a],
      bodies[link.b],
      { at: place(link.at), axis: direction(link.axis), ...(link.axisB ? { axisB: direction(link.axisB) } : {}) },
      {
        limit: { min: degrees(link.limit[0]), max: degrees(link.limit[1]) },
        ...(link.cone === undefined ? {} : { cone: degrees(link.cone) }),
      },
    );
  }
  return bodies[0];
}

/** Half a right angle about z and about x: the sides of the pit. */
const COS = Math.sqrt((1 + Math.SQRT1_2) / 2);
const SIN = Math.sqrt((1 - Math.SQRT1_2) / 2);

/** A square pit: floor |x|, |z| <= inner at y = 0, sides rising at 45 degrees out to `outer`, walls from there. */
function pit(builder: SceneBuilder, inner: number, outer: number, height: number): void {
  const rise = outer - inner;
  builder.container(outer, height);
  const middle = (inner + outer) / 2 + 0.5 * Math.SQRT1_2;
  const low = rise / 2 - 0.5 * Math.SQRT1_2;
  const run = rise * Math.SQRT1_2;
  const slopeX = builder.box(run, 0.5, outer);
  const slopeZ = builder.box(outer, 0.5, run);
  builder.fixed(slopeX, [middle, low, 0], { rotation: [0, 0, SIN, COS] });
  builder.fixed(slopeX, [-middle, low, 0], { rotation: [0, 0, -SIN, COS] });
  builder.fixed(slopeZ, [0, low, middle], { rotation: [-SIN, 0, 0, COS] });
  builder.fixed(slopeZ, [0, low, -middle], { rotation: [SIN, 0, 0, COS] });
}

/** `count` 150 ragdolls (1,950 bodies, 1,800 joints), every way round, fall into a pit and make one heap. */
export function ragdolls150(options: SceneOptions = {}): Scene {
  const seed = options.seed ?? 1;
  const count = Math.max(1, Math.round((options.count ?? 150) * (options.scale ?? 1)));
  const random = new Random(seed);
  const builder = new SceneBuilder();
  // No part of a figure is farther than 0.93 m from its middle.
  const spacing = 1.9;
  const perRow = Math.max(1, Math.round(Math.cbrt(count)));
  const outer = (perRow * spacing) / 2 + 0.25;
  const inner = 0.4 * outer;
  pit(builder, inner, outer, 8);
  const shift = ((perRow - 1) * spacing) / 2;
  for (let i = 0; i < count; i++) {
    const inLayer = i % (perRow * perRow);
    const position: Vec3 = [
      (inLayer % perRow) * spacing - shift,
      outer - inner + 1 + Math.floor(i / (perRow * perRow)) * spacing,
      Math.floor(inLayer / perRow) * spacing - shift,
    ];
    addRagdoll(builder, position, join(random.rotation(), [0, 0, 0, 1]));
  }
  return builder.build('ragdolls150', `${count} ragdolls of 13 bodies and 12 joints on one heap`, seed, {
    bounds: { min: [-outer - 0.1, -0.1, -outer - 0.1], max: [outer + 0.1, 100, outer + 0.1] },
  });
}
