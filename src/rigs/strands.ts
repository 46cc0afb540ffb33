// Chains, ropes and nets: links between points, joined where they meet.

import { checkInteger, checkKeys, checkNumber, fail } from '../checks/validate';
import { type BodyId, type JointDesc, type JointLimit, type MaterialDesc, TalusError, type Vec3 } from '../index';
import { vector, word } from './check';
import { type Assembly, assemble, type Rig, type RigWorld } from './rig';
import { across, add, arc, between, cross, length, scale, sub, type Turn, unit, type Vector } from './turns';

/** Where an end of a strand is attached: nowhere, to the world, or to a body. */
export type Attachment = 'free' | 'world' | BodyId;

/** Fields that all strands share. */
export interface StrandDesc {
  /** Radius of its links, m. */
  radius: number;
  /** Density, kg/m3; default 1000. */
  density?: number;
  material?: MaterialDesc;
  /** Friction of each joint by its load, as in JointDesc; default that of the joint type. */
  frictionLever?: number;
  /** Friction of each joint without load, N m; default 0. */
  frictionTorque?: number;
  /** Force (N) that breaks a joint; default never. */
  breakForce?: number;
}

export interface ChainDesc extends StrandDesc {
  /** The points where links meet, and the two ends (world, m). There is one link fewer than points. */
  points: readonly Vec3[];
  /** `ball` (default), or `hinge` with alternating axes, as in a chain of flat links. */
  joint?: 'ball' | 'hinge';
  /** Attachment of the first end; default 'free'. */
  start?: Attachment;
  /** Attachment of the last end; default 'free'. */
  end?: Attachment;
}

export interface RopeDesc extends StrandDesc {
  /** The line on which it starts, two points or more (world, m). */
  points: readonly Vec3[];
  /** Number of links, 1 to 4096. */
  segments: number;
  /** `capsules` with ball joints (default), or `beads`: balls on strings of one segment's length. */
  style?: 'capsules' | 'beads';
  start?: Attachment;
  end?: Attachment;
}

export interface NetDesc extends StrandDesc {
  /** Its first corner (world, m). */
  corner: Vec3;
  /** Vectors from there along its rows and its columns to the next corners, m. */
  right: Vec3;
  down: Vec3;
  /** Number of knots along `right` and `down`, 2 to 1024 each. */
  columns: number;
  rows: number;
  /** `ball`: stiff links that bend half way between knots (default); `distance`: strings. */
  joint?: 'ball' | 'distance';
  /**
   * Knots that are held in place: 'corners' (default), the first two; 'top': the first row; or numbers column + columns * row.
   */
  pins?: 'corners' | 'top' | readonly number[];
}

const STRAND_KEYS = ['radius', 'density', 'material', 'frictionLever', 'frictionTorque', 'breakForce'];

function checkStrand(desc: StrandDesc, name: string, more: readonly string[]): void {
  checkKeys(desc, name, [...more, ...STRAND_KEYS]);
  checkNumber(desc.radius, `${name}.radius`, 1e-4, 1e3);
}

function pointsOf(points: readonly Vec3[], name: string, least: number): Vector[] {
  if (!Array.isArray(points)) fail(name, 'an array of points', points);
  if (points.length < least) fail(name, `an array of ${least} points or more`, `one of ${points.length}`);
  return Array.from(points, (point, i) => vector(point, `${name}[${i}]`));
}

/** Returns the joint settings of a strand. */
function jointOf(desc: StrandDesc): Pick<JointDesc, 'frictionLever' | 'frictionTorque' | 'breakForce'> {
  return {
    ...(desc.frictionLever === undefined ? {} : { frictionLever: desc.frictionLever }),
    ...(desc.frictionTorque === undefined ? {} : { frictionTorque: desc.frictionTorque }),
    ...(desc.breakForce === undefined ? {} : { breakForce: desc.breakForce }),
  };
}

function attach(rig: Assembly, to: Attachment | undefined, link: BodyId, at: Vector, more: object): void {
  if (to === undefined || to === 'free') return;
  if (typeof to === 'string' && to !== 'world') fail('start and end', "'free', 'world' or the id of a body", to);
  rig.joint({ type: 'ball', bodyA: to === 'world' ? null : to, bodyB: link, anchor: at, ...more });
}

/** Returns a capsule from one point to another, or a ball if they are too close for one. */
function link(rig: Assembly, desc: StrandDesc, a: Vector, b: Vector): { body: BodyId; rotation: Turn } {
  const way = length(sub(b, a));
  const rotation = arc([0, 1, 0], unit(sub(b, a), [0, 1, 0]));
  const halfHeight = way / 2 - desc.radius;
  const shape = rig.shape(
    halfHeight > 1e-3 * desc.radius
      ? { type: 'capsule', radius: desc.radius, halfHeight: Math.fround(halfHeight) }
      : { type: 'sphere', radius: desc.radius },
  );
  const body = rig.body({
    shape,
    position: between(a, b, 0.5),
    rotation,
    ...(desc.density === undefined ? {} : { density: desc.density }),
    ...desc.material,
  });
  return { body, rotation };
}

function string(
  rig: Assembly,
  desc: StrandDesc & { start?: Attachment; end?: Attachment },
  points: readonly Vector[],
  hinged: boolean,
): void {
  const more = jointOf(desc);
  const links = points.slice(1).map((b, i) => link(rig, desc, points[i]!, b));
  attach(rig, desc.start, links[0]!.body, points[0]!, more);
  for (let i = 1; i < links.length; i++) {
    const at = points[i]!;
    const along = unit(sub(points[i + 1]!, points[i - 1]!), [0, 1, 0]);
    const side = across(along);
    const axis = i % 2 === 0 ? side : cross(along, side);
    const pair = { bodyA: links[i - 1]!.body, bodyB: links[i]!.body, anchor: at, ...more };
    rig.joint(hinged ? { type: 'hinge', axis, ...pair } : { type: 'ball', ...pair });
  }
  attach(rig, desc.end, links.at(-1)!.body, points.at(-1)!, more);
}

/**
 * Creates a chain: links between points, with a joint at each inner point.
 * @throws TalusError `invalid-argument`, `stale-handle` (a body it is attached to), `out-of-memory`; then nothing is created
 */
export function createChain(world: RigWorld, desc: ChainDesc): Rig {
  checkStrand(desc, 'chain', ['points', 'joint', 'start', 'end']);
  const points = pointsOf(desc.points, 'chain.points', 2);
  const joint = desc.joint === undefined ? 'ball' : word(desc.joint, 'chain.joint', ['ball', 'hinge']);
  points.forEach((point, i) => {
    if (i > 0 && !(length(sub(point, points[i - 1]!)) > 1e-4))
      throw new TalusError('invalid-argument', `chain.points[${i}] must be apart from the one before`);
  });
  return assemble(world, (rig) => {
    string(rig, desc, points, joint === 'hinge');
    return rig;
  });
}

/** Returns points in equal steps along a line. */
function resampled(points: readonly Vector[], segments: number): Vector[] {
  const ends = [0];
  for (let i = 1; i < points.length; i++) ends.push(ends[i - 1]! + length(sub(points[i]!, points[i - 1]!)));
  const whole = ends.at(-1)!;
  const out: Vector[] = [];
  for (let k = 0, i = 1; k <= segments; k++) {
    const s = (whole * k) / segments;
    while (i < points.length - 1 && ends[i]! < s) i++;
    const part = ends[i]! - ends[i - 1]!;
    out.push(between(points[i - 1]!, points[i]!, part > 0 ? Math.min((s - ends[i - 1]!) / part, 1) : 0));
  }
  return out;
}

/**
 * Creates a rope along a line, cut into links of one length.
 * @throws TalusError `invalid-argument`, `stale-handle` (a body it is attached to), `out-of-memory`; then nothing is created
 */
export function createRope(world: RigWorld, desc: RopeDesc): Rig {
  checkStrand(desc, 'rope', ['points', 'segments', 'style', 'start', 'end']);
  const line = pointsOf(desc.points, 'rope.points', 2);
  const segments = checkInteger(desc.segments, 'rope.segments', 1, 4096);
  const style = desc.style === undefined ? 'capsules' : word(desc.style, 'rope.style', ['capsules', 'beads']);
  const points = resampled(line, segments);
  if (points.some((point, i) => i > 0 && !(length(sub(point, points[i - 1]!)) > 1e-4)))
    throw new TalusError('invalid-argument', 'rope.points must be a line that is longer than 0 and does not turn back');
  return assemble(world, (rig) => {
    if (style === 'capsules') {
      string(rig, desc, points, false);
      return rig;
    }
    const more = jointOf(desc);
    const shape = rig.shape({ type: 'sphere', radius: desc.radius });
    const beads = points.map((position) => rig.body({ shape, position, ...density(desc), ...desc.material }));
    attach(rig, desc.start, beads[0]!, points[0]!, more);
    for (let i = 1; i < beads.length; i++) {
      tie(rig, beads[i - 1]!, beads[i]!, { min: 0, max: length(sub(points[i]!, points[i - 1]!)) }, more);
    }
    attach(rig, desc.end, beads.at(-1)!, points.at(-1)!, more);
    return rig;
  });
}

const density = (desc: StrandDesc) => (desc.density === undefined ? {} : { density: desc.density });

/** Adds a string from center to center. */
function tie(rig: Assembly, bodyA: BodyId, bodyB: BodyId, limit: JointLimit, more: object): void {
  rig.joint({ type: 'distance', bodyA, bodyB, anchorA: [0, 0, 0], anchorB: [0, 0, 0], limit, ...more });
}

/**
 * Creates a net of balls, each joined to its neighbors in row and column. Body i is the knot column + columns * row.
 * @throws TalusError `invalid-argument`, `out-of-memory`; then nothing is created
 */
export function createNet(world: RigWorld, desc: NetDesc): Rig {
  checkStrand(desc, 'net', ['corner', 'right', 'down', 'columns', 'rows', 'joint', 'pins']);
  const corner = vector(desc.corner, 'net.corner');
  const right = vector(desc.right, 'net.right');
  const down = vector(desc.down, 'net.down');
  const columns = checkInteger(desc.columns, 'net.columns', 2, 1024);
  const rows = checkInteger(desc.rows, 'net.rows', 2, 1024);
  const joint = desc.joint === undefined ? 'ball' : word(desc.joint, 'net.joint', ['ball', 'distance']);
  const steps = [scale(right, 1 / (columns - 1)), scale(down, 1 / (rows - 1))] as const;
  for (const [i, step] of steps.entries()) {
    if (!(length(step) > 1e-4)) fail(i === 0 ? 'net.right' : 'net.down', 'a vector that is not zero', 'one of 0');
  }
  const count = columns * rows;
  const pins =
    desc.pins === undefined || desc.pins === 'corners'
      ? [0, columns - 1]
      : desc.pins === 'top'
        ? Array.from({ length: columns }, (_, i) => i)
        : desc.pins;
  if (!Array.isArray(pins)) fail('net.pins', "'corners', 'top' or an array of numbers of knots", pins);
  for (const [i, pin] of pins.entries()) checkInteger(pin, `net.pins[${i}]`, 0, count - 1);
  const at = (i: number) => add(add(corner, scale(steps[0], i % columns)), scale(steps[1], Math.floor(i / columns)));
  return assemble(world, (rig) => {
    const more = jointOf(desc);
    const shape = rig.shape({ type: 'sphere', radius: desc.radius });
    const knots = Array.from({ length: count }, (_, i) =>
      rig.body({ shape, position: at(i), ...density(desc), ...desc.material }),
    );
    for (let i = 0; i < count; i++) {
      for (const [next, exists] of [
        [i + 1, (i + 1) % columns !== 0],
        [i + columns, i + columns < count],
      ] as const) {
        if (!exists) continue;
        if (joint === 'distance') tie(rig, knots[i]!, knots[next]!, { min: 0, max: length(sub(at(next), at(i))) }, more);
        else rig.joint({ type: 'ball', bodyA: knots[i]!, bodyB: knots[next]!, anchor: between(at(i), at(next), 0.5), ...more });
      }
    }
    for (const pin of new Set(pins)) rig.joint({ type: 'ball', bodyA: null, bodyB: knots[pin]!, anchor: at(pin), ...more });
    return rig;
  });
}
