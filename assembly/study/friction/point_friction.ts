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
  SPLIT_LINK_STRIDE,
  SPLIT_POINT_STRIDE,
  SplitLink,
  SplitMember,
  SplitPoint,
  SplitState,
  SplitStep,
  TangentPair,
} from '../../layout.generated';
import { addW, cross3, dot3, mulW, splatW } from '../../math/lane';
import { header } from '../../memory/header';
import { splitState } from '../../memory/split_state';
import { effectivePair, inverse } from '../../rows/mass';
import { boundRow } from '../../rows/row';
import { localBody, pushPair, relative, xyz } from '../../split/local_body';
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

function pointAt(s: SplitState, l: u32, i: u32): SplitPoint {
  return changetype<SplitPoint>(<usize>s.points + <usize>(4 * l + i) * SPLIT_POINT_STRIDE);
}

/** Address of the row of the link; those of the tangents follow. */
function linkRow(s: SplitState, link: SplitLink): usize {
  return <usize>s.impulses + ((<usize>(link.impulses + SPLIT_LINK_ROW)) << 4);
}

function prepareTangents(s: SplitState, l: u32, member: SplitMember): void {
  const m: Manifold = manifoldAt(member.manifold);
  const kA: f32 = member.kA;
  const kB: f32 = member.kB;
  const t: v128 = v128.load(changetype<usize>(m), offsetof<Manifold>('tx'));
  const u: v128 = cross3(v128.load(changetype<usize>(m), offsetof<Manifold>('nx')), t);
  for (let j: u32 = 0; j < m.count; j++) {
    const p: ManifoldPoint = pointOf(m, j);
    const at: SplitPoint = pointAt(s, l, j);
    at.tangent1 = inverse(tangentK(m, p, kA, kB, t));
    at.tangent2 = inverse(tangentK(m, p, kA, kB, u));
  }
}

function warmTangents(s: SplitState, step: SplitStep, l: u32): void {
  const link: SplitLink = changetype<SplitLink>(<usize>s.links + <usize>l * SPLIT_LINK_STRIDE);
  const locals: u32 = link.locals;
  const a: LocalBody = localBody(locals & 0xffff);
  const b: LocalBody = localBody(locals >> 16);
  const count: u32 = link.flags & 255;
  const t1: v128 = xyz(link.tangent);
  const t2: v128 = cross3(xyz(link.normal), t1);
  const factor: f32 = step.warmStart;
  const tangents: usize = linkRow(s, link) + 16;
  for (let i: u32 = 0; i < count; i++) {
    const p: SplitPoint = pointAt(s, l, i);
    const at: TangentPair = tangentsAt(tangents, i);
    const z1: f32 = at.t1 * factor;
    const z2: f32 = at.t2 * factor;
    at.t1 = z1;
    at.t2 = z2;
    pushPair(a, b, p.armA, p.armB, addW(mulW(t1, splatW(z1)), mulW(t2, splatW(z2))));
  }
}

function sweepTangents(s: SplitState, l: u32): void {
  const link: SplitLink = changetype<SplitLink>(<usize>s.links + <usize>l * SPLIT_LINK_STRIDE);
  const locals: u32 = link.locals;
  const a: LocalBody = localBody(locals & 0xffff);
  const b: LocalBody = localBody(locals >> 16);
  const count: u32 = link.flags & 255;
  const states: usize = <usize>s.impulses + ((<usize>link.impulses) << 4);
  const t1: v128 = xyz(link.tangent);
  const t2: v128 = cross3(xyz(link.normal), t1);
  const tangents: usize = linkRow(s, link) + 16;
  for (let i: u32 = 0; i < count; i++) {
    const p: SplitPoint = pointAt(s, l, i);
    const at: TangentPair = tangentsAt(tangents, i);
    const limit: f32 = f32x4.extract_lane(link.normal, 3) * load<f32>(states + ((<usize>i) << 4));
    const old1: f32 = at.t1;
    const v1: f32 = dot3(t1, relative(a, b, p.armA, p.armB));
    const z1: f32 = boundRow<f32>(old1 - f32x4.extract_lane(p.masses, 2) * v1, limit);
    pushPair(a, b, p.armA, p.armB, mulW(t1, splatW(z1 - old1)));
    const old2: f32 = at.t2;
    const v2: f32 = dot3(t2, relative(a, b, p.armA, p.armB));
    const z2: f32 = boundRow<f32>(old2 - f32x4.extract_lane(p.masses, 3) * v2, limit);
    pushPair(a, b, p.armA, p.armB, mulW(t2, splatW(z2 - old2)));
    at.t1 = z1;
    at.t2 = z2;
  }
}
