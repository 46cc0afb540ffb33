// Rows of a manifold in its own frame, written into its lane.
//
// All rows of a manifold (up to four normals, two tangents, twist) act at its mean point and see only the relative twist of the two
// bodies there, in the frame t, u = n x t, n. With W the response of that twist to a unit wrench (6 x 6, symmetric),
//   W_ij = (1/m_A + 1/m_B) d_ij + J_Ai I_A^-1 J_Aj + J_Bi I_B^-1 J_Bj,   J = r x e for a force along e, e for a torque about e,
// everything a sweep needs are entries of W (docs/solvers.md, "A manifold in its own frame"). Point i lies at (a_i, b_i) along t, u
// from the mean point, the same for both bodies: its normal row is r_i = (n: 1, w_t: b_i, w_u: -a_i).
// Input: Manifold (world-frame data), BodyRow, BodyInertia. Output: a lane of a group (lane_layout.ts).
import { BODY_INERTIA_STRIDE, BODY_ROW_STRIDE, BodyRow, Header, Manifold } from '../layout.generated';
import { ManifoldPoint, pointOf } from '../contacts/manifolds';
import { cross3, dot3 } from '../math/lane';
import { header } from '../memory/header';
import {
  G_COUPLING,
  G_FRICTION,
  G_INERTIA_A,
  G_INERTIA_B,
  G_LEVERS,
  G_LEVER_B,
  G_NORMAL,
  G_STATIC,
  G_TANGENT,
  G_TANGENT_IMPULSE,
  G_TANGENT_MASS,
  G_TWIST_FRICTION,
  G_TWIST_IMPULSE,
  G_TWIST_MASS,
  P_IMPULSE,
  P_SEPARATION,
  P_STRIDE,
  R_ALONG_T,
  R_ALONG_U,
  R_MASS,
  S_EXCESS,
  S_POINTS,
  S_PREVIOUS,
  S_RESTITUTION,
  S_STRIDE,
  couplingsAt,
  pointsAt,
  rowStride,
  rowsAt,
} from './lane_layout';

// @ts-ignore: decorator
@inline
function store3(p: usize, v: v128): void {
  store<f32>(p, f32x4.extract_lane(v, 0));
  store<f32>(p, f32x4.extract_lane(v, 1), 16);
  store<f32>(p, f32x4.extract_lane(v, 2), 32);
}

// @ts-ignore: decorator
@inline
function inverse(x: f32): f32 {
  return x > 0 ? 1 / x : 0;
}

/** Symmetric inertia (columns c0 c1 c2) times v. */
// @ts-ignore: decorator
@inline
function turn(c0: v128, c1: v128, c2: v128, v: v128): v128 {
  return f32x4.add(
    f32x4.add(
      f32x4.mul(c0, v128.shuffle<f32>(v, v, 0, 0, 0, 0)),
      f32x4.mul(c1, v128.shuffle<f32>(v, v, 1, 1, 1, 1)),
    ),
    f32x4.mul(c2, v128.shuffle<f32>(v, v, 2, 2, 2, 2)),
  );
}

/** Copies the inverse inertia at `from` (xx yy zz xy xz yz) into a lane. */
// @ts-ignore: decorator
@inline
function storeInertia(from: usize, to: usize): void {
  for (let i: usize = 0; i < 6; i++) store<f32>(to + (i << 4), load<f32>(from + (i << 2)));
}

/** Writes a manifold into the lane at `g` and, beside it, `side`; impulses are those of the manifold. */
export function writeRows(m: Manifold, g: usize, side: usize): void {
  const h: Header = header();
  const count: u32 = m.count;
  const at: usize = changetype<usize>(m);
  const ia: usize = <usize>h.bodyInertias + <usize>m.bodyA * BODY_INERTIA_STRIDE,
    ib: usize = <usize>h.bodyInertias + <usize>m.bodyB * BODY_INERTIA_STRIDE;
  const massA: f32 = changetype<BodyRow>(<usize>h.bodyRows + <usize>m.bodyA * BODY_ROW_STRIDE).invMass,
    massB: f32 = changetype<BodyRow>(<usize>h.bodyRows + <usize>m.bodyB * BODY_ROW_STRIDE).invMass;
  const mass: f32 = massA + massB;
  const n: v128 = f32x4.replace_lane(v128.load(at, offsetof<Manifold>('nx')), 3, 0),
    t: v128 = f32x4.replace_lane(v128.load(at, offsetof<Manifold>('tx')), 3, 0);
  const u: v128 = cross3(n, t);

  // Mean levers.
  let rA: v128 = f32x4.splat(0),
    rB: v128 = f32x4.splat(0);
  for (let i: u32 = 0; i < count; i++) {
    const point: usize = changetype<usize>(pointOf(m, i));
    rA = f32x4.add(rA, v128.load(point, offsetof<ManifoldPoint>('rax')));
    rB = f32x4.add(rB, v128.load(point, offsetof<ManifoldPoint>('rbx')));
  }
  const share: v128 = f32x4.splat(1 / <f32>count);
  rA = f32x4.replace_lane(f32x4.mul(rA, share), 3, 0);
  rB = f32x4.replace_lane(f32x4.mul(rB, share), 3, 0);

  // Arms of forces and turns by unit wrenches, for both bodies.
  const a0: v128 = f32x4(load<f32>(ia), load<f32>(ia, 12), load<f32>(ia, 16), 0),
    a1: v128 = f32x4(load<f32>(ia, 12), load<f32>(ia, 4), load<f32>(ia, 20), 0),
    a2: v128 = f32x4(load<f32>(ia, 16), load<f32>(ia, 20), load<f32>(ia, 8), 0);
  const b0: v128 = f32x4(load<f32>(ib), load<f32>(ib, 12), load<f32>(ib, 16), 0),
    b1: v128 = f32x4(load<f32>(ib, 12), load<f32>(ib, 4), load<f32>(ib, 20), 0),
    b2: v128 = f32x4(load<f32>(ib, 16), load<f32>(ib, 20), load<f32>(ib, 8), 0);
  const armAt: v128 = cross3(rA, t),
    armAu: v128 = cross3(rA, u),
    armAn: v128 = cross3(rA, n);
  const armBt: v128 = cross3(rB, t),
    armBu: v128 = cross3(rB, u),
    armBn: v128 = cross3(rB, n);
  const turnAt: v128 = turn(a0, a1, a2, armAt),
    turnAu: v128 = turn(a0, a1, a2, armAu),
    turnAn: v128 = turn(a0, a1, a2, armAn);
  const turnBt: v128 = turn(b0, b1, b2, armBt),
    turnBu: v128 = turn(b0, b1, b2, armBu),
    turnBn: v128 = turn(b0, b1, b2, armBn);
  const tt: f32 = mass + dot3(armAt, turnAt) + dot3(armBt, turnBt);
  const uu: f32 = mass + dot3(armAu, turnAu) + dot3(armBu, turnBu);
  const nn: f32 = mass + dot3(armAn, turnAn) + dot3(armBn, turnBn);
  const tu: f32 = dot3(armAt, turnAu) + dot3(armBt, turnBu);
  const tn: f32 = dot3(armAt, turnAn) + dot3(armBt, turnBn);
  const un: f32 = dot3(armAu, turnAn) + dot3(armBu, turnBn);
  const forceT: v128 = f32x4.add(turnAt, turnBt),
    forceU: v128 = f32x4.add(turnAu, turnBu),
    forceN: v128 = f32x4.add(turnAn, turnBn);
  const twistA: v128 = turn(a0, a1, a2, n),
    twistB: v128 = turn(b0, b1, b2, n);
  const twist: v128 = f32x4.add(twistA, twistB);

  const side0: usize = side + S_POINTS;
  const points: usize = g + pointsAt(count);
  const rows: usize = g + rowsAt(count);
  store3(g + G_NORMAL, n);
  store3(g + G_TANGENT, t);
  store3(g + G_LEVERS, f32x4.sub(rB, rA));
  store3(g + G_LEVER_B, rB);
  const invDet: f32 = inverse(tt * uu - tu * tu);
  store<f32>(g, uu * invDet, G_TANGENT_MASS);
  store<f32>(g, -tu * invDet, G_TANGENT_MASS + 16);
  store<f32>(g, tt * invDet, G_TANGENT_MASS + 32);
  store<f32>(g, inverse(dot3(n, twist)), G_TWIST_MASS);
  store<f32>(g, m.friction, G_FRICTION);
  store<f32>(g, m.friction * m.twistRadius, G_TWIST_FRICTION);
  store<f32>(g, m.tangentImpulse1, G_TANGENT_IMPULSE);
  store<f32>(g, m.tangentImpulse2, G_TANGENT_IMPULSE + 16);
  store<f32>(g, m.twistImpulse, G_TWIST_IMPULSE);
  storeInertia(ia, g + G_INERTIA_A);
  storeInertia(ib, g + G_INERTIA_B);
  store<u32>(g, massA == 0 || massB == 0 ? 0xffffffff : 0, G_STATIC);
  store<f32>(side, m.restitution, S_RESTITUTION);
  store<f32>(g, tn, G_COUPLING);
  store<f32>(g, un, G_COUPLING + 16);
  store<f32>(g, dot3(n, forceN), G_COUPLING + 32);
  for (let i: u32 = 0; i < count; i++) {
    const point: ManifoldPoint = pointOf(m, i);
    const p: usize = points + <usize>i * P_STRIDE,
      q: usize = side0 + <usize>i * S_STRIDE;
    store<f32>(p, point.separation, P_SEPARATION);
    // An impulse that comes from elsewhere is taken as a load that lasts.
    const impulse: f32 = point.impulse;
    if (load<f32>(p, P_IMPULSE) != impulse) {
      store<f32>(p, impulse, P_IMPULSE);
      store<f32>(q, impulse, S_PREVIOUS);
      store<f32>(q, 0, S_EXCESS);
    }
  }
  if (count == 1) {
    store<f32>(rows, inverse(nn), R_MASS);
    return;
  }

  // Response of the relative spin along t and u to friction, and of everything to torques about t and u.
  const turnT: v128 = f32x4.add(turn(a0, a1, a2, t), turn(b0, b1, b2, t)),
    turnU: v128 = f32x4.add(turn(a0, a1, a2, u), turn(b0, b1, b2, u));
  const n1: f32 = dot3(t, forceN),
    n2: f32 = dot3(u, forceN);
  const w11: f32 = dot3(t, turnT),
    w22: f32 = dot3(u, turnU),
    w12: f32 = dot3(t, turnU);
  store<f32>(g, dot3(t, forceT), G_COUPLING + 48);
  store<f32>(g, dot3(t, forceU), G_COUPLING + 64);
  store<f32>(g, dot3(t, twist), G_COUPLING + 80);
  store<f32>(g, dot3(u, forceT), G_COUPLING + 96);
  store<f32>(g, dot3(u, forceU), G_COUPLING + 112);
  store<f32>(g, dot3(u, twist), G_COUPLING + 128);
  const couplings: usize = g + couplingsAt(count);
  for (let i: u32 = 0; i < count; i++) {
    const row: usize = rows + <usize>i * rowStride(count);
    const point: usize = changetype<usize>(pointOf(m, i));
    // One offset for both bodies: what their anchors have drifted apart is shared. One contact point also keeps angular momentum.
    const offset: v128 = f32x4.mul(
      f32x4.add(
        f32x4.sub(v128.load(point, offsetof<ManifoldPoint>('rax')), rA),
        f32x4.sub(v128.load(point, offsetof<ManifoldPoint>('rbx')), rB),
      ),
      f32x4.splat(0.5),
    );
    const a: f32 = dot3(t, offset),
      b: f32 = dot3(u, offset);
    const k: f32 = nn + b * b * w11 + a * a * w22 + 2 * (b * n1 - a * n2 - a * b * w12);
    store<f32>(row, inverse(k), R_MASS);
    store<f32>(row, a, R_ALONG_T);
    store<f32>(row, b, R_ALONG_U);
    for (let j: u32 = 0; j < i; j++) {
      const other: usize = rows + <usize>j * rowStride(count);
      const c: f32 = load<f32>(other, R_ALONG_T),
        d: f32 = load<f32>(other, R_ALONG_U);
      const coupling: f32 = nn + b * d * w11 + a * c * w22 + (b + d) * n1 - (a + c) * n2 - (a * d + b * c) * w12;
      store<f32>(couplings + (((<usize>(i * (i - 1)) >> 1) + <usize>j) << 4), coupling);
    }
  }
}
