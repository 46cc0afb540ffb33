// Friction of single points in mass splitting (frictionModel 1): a pyramid a point, with its own impulses along both tangents,
// carried from step to step (point_tangents.ts). Twin of the point friction of shaders/shared/split.wgsl.
// Input, output: links, points, impulses of SplitState and the local bodies of a cell (split/local_body.ts).
import { manifoldAt, pointOf } from '../../constraints/manifolds';
import { PointFriction } from '../../constraints/point_friction';
import {
  LocalBody,
  Manifold,
  ManifoldPoint,
  POINT_TANGENTS_STRIDE,
  PointTangents,
  SPLIT_LINK_ROW,
  SPLIT_POINTS_STRIDE,
  SPLIT_POINT_FRICTION_STRIDE,
  SplitLink,
  SplitMember,
  SplitPointFriction,
  SplitState,
  SplitStep,
  TangentPair,
} from '../../layout.generated';
import { addW, cross3, dot3, mulW, splatW, subW } from '../../math/lane';
import { header } from '../../memory/header';
import { splitState } from '../../memory/split_state';
import { effectivePair, inverse } from '../../rows/mass';
import { boundRow } from '../../rows/row';
import { bodyA, bodyB, countOf, normalOf, placeX, placeY, tangentOf, unitOf } from '../../split/link';
import { pushPair, relative, xyz } from '../../split/local_body';
import { linkAt, pointsOf } from '../../split/packed';
import { keepPointTangents, pointTangents, reservePointTangents, tangentsAt } from './point_tangents';

class Pyramids extends PointFriction {
  isOn(): bool {
    return header().frictionModel == 1;
  }
  reserve(): bool {
    return header().frictionModel != 1 || reservePointTangents();
  }
  carry(manifold: u32, link: usize): void {
    memory.copy(link + 16, pointTangents(manifold), 32);
  }
  prepare(s: SplitState, l: u32, member: SplitMember): void {
    prepareTangents(s, l, member);
  }
  warm(step: SplitStep, l: u32): void {
    warmTangents(splitState(), step, l);
  }
  sweep(s: SplitState, l: u32): void {
    sweepTangents(s, l);
  }
  keep(s: SplitState, manifold: u32, link: usize): bool {
    // The rows are those of the result, which may have come before the friction model changed.
    if (s.impulseStride != 8) return false;
    const record: usize = <usize>s.pointTangents + <usize>manifold * POINT_TANGENTS_STRIDE;
    memory.copy(record + offsetof<PointTangents>('t10'), link + 16, 32);
    keepPointTangents(manifold);
    return true;
  }
}

/** Friction of points where the setting asks for it. */
export function initPointFriction(): void {
  header().pointFriction = idof<Pyramids>();
}

/** K of a tangent at a point. */
function tangentK(m: Manifold, p: ManifoldPoint, kA: f32, kB: f32, t: v128): f32 {
  return effectivePair(m, kA, kB, p.ra, p.rb, t, t);
}

/** What the points of link l have besides those of other links. */
function frictionOf(s: SplitState, l: u32): usize {
  return changetype<usize>(pointsOf(s, l)) + SPLIT_POINTS_STRIDE;
}

/** Number i of a row. */
function numberIn(row: usize, i: u32): f32 {
  return load<f32>(row + ((<usize>i) << 2));
}

/** Address of the impulses of a link. */
function rowsOf(s: SplitState, link: SplitLink): usize {
  return <usize>s.impulses + ((<usize>link.impulses) << 4);
}

/** Arm of point i from the center of a body: in the plane of the tangents, and at a height along the normal. */
function armOf(points: usize, i: u32, center: v128, t1: v128, t2: v128, n: v128, unit: f32, height: usize): v128 {
  const places: u32 = load<u32>(points + ((<usize>i) << 2));
  const x: v128 = splatW(placeX(places, unit)),
    y: v128 = splatW(placeY(places, unit)),
    z: v128 = splatW(numberIn(points + SPLIT_POINTS_STRIDE + height, i));
  return addW(addW(center, mulW(t1, x)), addW(mulW(t2, y), mulW(n, z)));
}

function prepareTangents(s: SplitState, l: u32, member: SplitMember): void {
  const m: Manifold = manifoldAt(member.manifold);
  const kA: f32 = member.kA;
  const kB: f32 = member.kB;
  const link: SplitLink = linkAt(s, l);
  const n: v128 = normalOf(link);
  const t: v128 = tangentOf(link.turn, n);
  const u: v128 = cross3(n, t);
  const rows: usize = frictionOf(s, l);
  memory.fill(rows, 0, SPLIT_POINT_FRICTION_STRIDE);
  for (let j: u32 = 0; j < m.count; j++) {
    const p: ManifoldPoint = pointOf(m, j);
    const at: usize = rows + ((<usize>j) << 2);
    store<f32>(at, inverse(tangentK(m, p, kA, kB, t)), offsetof<SplitPointFriction>('mass1'));
    store<f32>(at, inverse(tangentK(m, p, kA, kB, u)), offsetof<SplitPointFriction>('mass2'));
    store<f32>(at, dot3(subW(p.ra, xyz(link.centerA)), n), offsetof<SplitPointFriction>('heightA'));
    store<f32>(at, dot3(subW(p.rb, xyz(link.centerB)), n), offsetof<SplitPointFriction>('heightB'));
  }
}

function warmTangents(s: SplitState, step: SplitStep, l: u32): void {
  const link: SplitLink = linkAt(s, l);
  const a: LocalBody = bodyA(link);
  const b: LocalBody = bodyB(link);
  const count: u32 = countOf(link.marks);
  const n: v128 = normalOf(link);
  const t1: v128 = tangentOf(link.turn, n);
  const t2: v128 = cross3(n, t1);
  const factor: f32 = step.warmStart;
  const points: usize = changetype<usize>(pointsOf(s, l));
  const unit: f32 = unitOf(link.turn);
  const tangents: usize = rowsOf(s, link) + ((<usize>SPLIT_LINK_ROW + 1) << 4);
  for (let i: u32 = 0; i < count; i++) {
    const rA: v128 = armOf(points, i, link.centerA, t1, t2, n, unit, offsetof<SplitPointFriction>('heightA'));
    const rB: v128 = armOf(points, i, link.centerB, t1, t2, n, unit, offsetof<SplitPointFriction>('heightB'));
    const at: TangentPair = tangentsAt(tangents, i);
    const z1: f32 = at.t1 * factor;
    const z2: f32 = at.t2 * factor;
    at.t1 = z1;
    at.t2 = z2;
    pushPair(a, b, rA, rB, addW(mulW(t1, splatW(z1)), mulW(t2, splatW(z2))));
  }
}

function sweepTangents(s: SplitState, l: u32): void {
  const link: SplitLink = linkAt(s, l);
  const a: LocalBody = bodyA(link);
  const b: LocalBody = bodyB(link);
  const count: u32 = countOf(link.marks);
  const states: usize = rowsOf(s, link);
  const n: v128 = normalOf(link);
  const t1: v128 = tangentOf(link.turn, n);
  const t2: v128 = cross3(n, t1);
  const points: usize = changetype<usize>(pointsOf(s, l));
  const unit: f32 = unitOf(link.turn);
  const masses: usize = frictionOf(s, l);
  const tangents: usize = states + ((<usize>SPLIT_LINK_ROW + 1) << 4);
  for (let i: u32 = 0; i < count; i++) {
    const rA: v128 = armOf(points, i, link.centerA, t1, t2, n, unit, offsetof<SplitPointFriction>('heightA'));
    const rB: v128 = armOf(points, i, link.centerB, t1, t2, n, unit, offsetof<SplitPointFriction>('heightB'));
    const at: TangentPair = tangentsAt(tangents, i);
    const limit: f32 = f32x4.extract_lane(link.centerA, 3) * numberIn(states, i);
    const old1: f32 = at.t1;
    const v1: f32 = dot3(t1, relative(a, b, rA, rB));
    const z1: f32 = boundRow<f32>(old1 - numberIn(masses, i) * v1, limit);
    pushPair(a, b, rA, rB, mulW(t1, splatW(z1 - old1)));
    const old2: f32 = at.t2;
    const v2: f32 = dot3(t2, relative(a, b, rA, rB));
    const z2: f32 = boundRow<f32>(old2 - numberIn(masses + 16, i) * v2, limit);
    pushPair(a, b, rA, rB, mulW(t2, splatW(z2 - old2)));
    at.t1 = z1;
    at.t2 = z2;
  }
}
