// The turn of a body with unequal moments of inertia over a step: the gyroscopic torque. Part of finishBodies.
//
// Input: rotation and angular velocity before it, the rotation vector that the solver has summed up, body inertia.
// Output: rotation, angular velocity (with its low part), and the angle gone.
//
// The solver holds the world inertia fixed, so it keeps I(q0) w and turns the body about a fixed axis. Free motion keeps the
// angular momentum L and the energy w.L / 2 instead. With w and L in the frame of the body that is Euler's equation
//     L' = L x w,    L = I w,
// solved by the implicit midpoint rule, which keeps |L|^2 and the energy exactly for any length of the step (both are squares).
// The rotation that belongs to it is the Cayley map of h w_mid: it takes L0 to L1, so the vector L stays where it is in the
// world. That map turns by 2 atan(h |w| / 2) and not by h |w|; so its step is h' = 2 tan(h |w| / 2) / |w|, and a body turns as
// far as its velocity says. Both conservation laws hold for any h' (Leimkuhler, Reich, "Simulating Hamiltonian Dynamics", 2004,
// on the rule; the stretched step is for the phase only).
//
// The rule is solved by Newton's method on the velocity, in double precision. In terms of w the equation is never stiff: its
// coefficients are (Iy - Iz) / Ix, at most 1 for any body. A fixed-point iteration on I(q)^-1 L, in the world, has the factor
// h |L| / Imin instead and diverges for thin bodies, which then gain energy up to the ratio of their moments.
//
// What contacts and torques did to the turn is kept. A body whose velocity changed within the step has been turned by p, not
// by dt w: free motion takes the part of p along w, at most dt of it; the rest, c, is a plain rotation in the world, after
// which w is that of the same L. Two bounds keep the frozen arms and inertia of the solver from making up motion then:
// - w changes by |c| |w| at most, as in Euler's equations, whose coefficients are no larger. Without it the momentum of a rod
//   across its axis turns up along the axis, where the moment is thousands of times less: it should have been the arm of
//   the contact that turned with the rod.
// - The energy is not more than the solver ended with; w is scaled down where it would be.
//
// w is kept to 48 bits (row and low part): a rod of 1:100 that spins about its long axis has 5,000 times the moment across, and
// the last bit of a single-precision w would be 2e-4 of its angular momentum in every step.
import { BodyCold, TurnedBody } from '../layout.generated';
import { quatFromRotationVector } from '../math/quat';

// A longer turn is cut into parts of at most this angle (rad): the rule is of second order in it, for the phase alone.
const PART: f64 = 0.2;
const MOST_PARTS: f64 = 256;
const MOST_ROUNDS: u32 = 10;
// Newton's method ends with a correction of this size (relative, squared): the remaining error is its square.
const CONVERGED: f64 = 1e-12;
// A turn within this of dt w (relative, squared) is that of a body left alone: rounding of up to 64 substeps.
const ALONE: f64 = 1.6e-11;

function lane(v: v128, k: u8): f64 {
  return <f64>(k == 0 ? f32x4.extract_lane(v, 0) : k == 1 ? f32x4.extract_lane(v, 1) : f32x4.extract_lane(v, 2));
}

/** high + low where low is still the rest of high, else high: someone has set it since. */
function joined(high: f32, low: f32): f64 {
  const sum: f64 = <f64>high + <f64>low;
  return <f32>sum == high ? sum : <f64>high;
}

/**
 * Turns a body by free motion and by the effect of contacts in this step: `q` rotation, `w` velocity (rad/s), `p` rotation vector
 * summed by the solver (rad). Writes a TurnedBody at `out`. Returns the length of the path in rad, NaN if there is no solution.
 */
export function turnBody(cold: BodyCold, q: v128, w: v128, p: v128, dt: f32, out: usize): f32 {
  const step: f64 = <f64>dt;
  let qx: f64 = <f64>f32x4.extract_lane(q, 0),
    qy: f64 = <f64>f32x4.extract_lane(q, 1),
    qz: f64 = <f64>f32x4.extract_lane(q, 2),
    qw: f64 = <f64>f32x4.extract_lane(q, 3);
  let k: f64 = 1 / sqrt<f64>(qx * qx + qy * qy + qz * qz + qw * qw);
  qx *= k;
  qy *= k;
  qz *= k;
  qw *= k;
  const wx: f64 = joined(f32x4.extract_lane(w, 0), cold.wlx),
    wy: f64 = joined(f32x4.extract_lane(w, 1), cold.wly),
    wz: f64 = joined(f32x4.extract_lane(w, 2), cold.wlz);
  const px: f64 = lane(p, 0),
    py: f64 = lane(p, 1),
    pz: f64 = lane(p, 2);

  // Share of the step in free motion, and the rest of the turn, c.
  const spin2: f64 = wx * wx + wy * wy + wz * wz;
  const turn2: f64 = px * px + py * py + pz * pz;
  let cx: f64 = px - step * wx,
    cy: f64 = py - step * wy,
    cz: f64 = pz - step * wz;
  let time: f64 = step;
  const alone: bool = cx * cx + cy * cy + cz * cz <= ALONE * turn2;
  if (!alone) {
    time = spin2 > 0 ? min<f64>(max<f64>((px * wx + py * wy + pz * wz) / spin2, 0), step) : 0;
    cx = px - time * wx;
    cy = py - time * wy;
    cz = pz - time * wz;
  }

  const ixx: f64 = <f64>cold.ixx,
    iyy: f64 = <f64>cold.iyy,
    izz: f64 = <f64>cold.izz;
  const ixy: f64 = <f64>cold.ixy,
    ixz: f64 = <f64>cold.ixz,
    iyz: f64 = <f64>cold.iyz;

  // Into the frame of the body: v + 2 s (v x u) + 2 (v x u) x u with u = -q, in short the inverse rotation.
  let tx: f64 = 2 * (wy * qz - wz * qy),
    ty: f64 = 2 * (wz * qx - wx * qz),
    tz: f64 = 2 * (wx * qy - wy * qx);
  let ox: f64 = wx + qw * tx + (ty * qz - tz * qy),
    oy: f64 = wy + qw * ty + (tz * qx - tx * qz),
    oz: f64 = wz + qw * tz + (tx * qy - ty * qx);
  // Momentum and twice the energy at the start, body frame.
  let lx: f64 = ixx * ox + ixy * oy + ixz * oz,
    ly: f64 = ixy * ox + iyy * oy + iyz * oz,
    lz: f64 = ixz * ox + iyz * oy + izz * oz;
  const energy: f64 = ox * lx + oy * ly + oz * lz;
  // The momentum in the world.
  tx = 2 * (qy * lz - qz * ly);
  ty = 2 * (qz * lx - qx * lz);
  tz = 2 * (qx * ly - qy * lx);
  const worldX: f64 = lx + qw * tx + (qy * tz - qz * ty),
    worldY: f64 = ly + qw * ty + (qz * tx - qx * tz),
    worldZ: f64 = lz + qw * tz + (qx * ty - qy * tx);

  const parts: f64 = min<f64>(ceil<f64>((sqrt<f64>(spin2) * time) / PART), MOST_PARTS);
  const h: f64 = parts > 0 ? time / parts : 0;
  let angle: f64 = 0;
  for (let part: f64 = 0; part < parts; part += 1) {
    // Velocity in the middle, m: I m - (h'/2) (I m) x m = L0.
    let mx: f64 = ox,
      my: f64 = oy,
      mz: f64 = oz;
    let half: f64 = 0; // h' / 2
    let solved: bool = false;
    for (let round: u32 = 0; round < MOST_ROUNDS; round++) {
      const m2: f64 = mx * mx + my * my + mz * mz;
      // tan(x) / x; the step settles after two rounds, the rest of them solves for that step.
      if (round < 2) {
        const x2: f64 = min<f64>(0.25 * h * h * m2, 0.25);
        half = 0.5 * h * (1 + x2 * (1 / 3.0 + x2 * (2 / 15.0 + x2 * (17 / 315.0 + x2 * (62 / 2835.0)))));
      }
      const ax: f64 = ixx * mx + ixy * my + ixz * mz,
        ay: f64 = ixy * mx + iyy * my + iyz * mz,
        az: f64 = ixz * mx + iyz * my + izz * mz;
      const fx: f64 = ax - half * (ay * mz - az * my) - lx,
        fy: f64 = ay - half * (az * mx - ax * mz) - ly,
        fz: f64 = az - half * (ax * my - ay * mx) - lz;
      // Jacobian I + (h'/2) ([m]x I - [I m]x), rows.
      const j00: f64 = ixx + half * (my * ixz - mz * ixy),
        j01: f64 = ixy + half * (my * iyz - mz * iyy + az),
        j02: f64 = ixz + half * (my * izz - mz * iyz - ay);
      const j10: f64 = ixy + half * (mz * ixx - mx * ixz - az),
        j11: f64 = iyy + half * (mz * ixy - mx * iyz),
        j12: f64 = iyz + half * (mz * ixz - mx * izz + ax);
      const j20: f64 = ixz + half * (mx * ixy - my * ixx + ay),
        j21: f64 = iyz + half * (mx * iyy - my * ixy - ax),
        j22: f64 = izz + half * (mx * iyz - my * ixz);
      const c0: f64 = j11 * j22 - j12 * j21,
        c1: f64 = j12 * j20 - j10 * j22,
        c2: f64 = j10 * j21 - j11 * j20;
      const inverse: f64 = 1 / (j00 * c0 + j01 * c1 + j02 * c2);
      const dx: f64 = (c0 * fx + (j02 * j21 - j01 * j22) * fy + (j01 * j12 - j02 * j11) * fz) * inverse;
      const dy: f64 = (c1 * fx + (j00 * j22 - j02 * j20) * fy + (j02 * j10 - j00 * j12) * fz) * inverse;
      const dz: f64 = (c2 * fx + (j01 * j20 - j00 * j21) * fy + (j00 * j11 - j01 * j10) * fz) * inverse;
      mx -= dx;
      my -= dy;
      mz -= dz;
      if (dx * dx + dy * dy + dz * dz <= CONVERGED * m2) {
        solved = true;
        break;
      }
    }
    if (!solved) return f32.NaN;
    // q <- q (1, h'/2 m), and w1 = 2 m - w0.
    const ux: f64 = half * mx,
      uy: f64 = half * my,
      uz: f64 = half * mz;
    const sx: f64 = qx + qw * ux + (qy * uz - qz * uy),
      sy: f64 = qy + qw * uy + (qz * ux - qx * uz),
      sz: f64 = qz + qw * uz + (qx * uy - qy * ux),
      sw: f64 = qw - qx * ux - qy * uy - qz * uz;
    k = 1 / sqrt<f64>(sx * sx + sy * sy + sz * sz + sw * sw);
    qx = sx * k;
    qy = sy * k;
    qz = sz * k;
    qw = sw * k;
    ox = 2 * mx - ox;
    oy = 2 * my - oy;
    oz = 2 * mz - oz;
    lx = ixx * ox + ixy * oy + ixz * oz;
    ly = ixy * ox + iyy * oy + iyz * oz;
    lz = ixz * ox + iyz * oy + izz * oz;
    angle += h * sqrt<f64>(mx * mx + my * my + mz * mz);
  }

  if (!alone) {
    angle += sqrt<f64>(cx * cx + cy * cy + cz * cz);
    // The velocity so far, in the world.
    tx = 2 * (qy * oz - qz * oy);
    ty = 2 * (qz * ox - qx * oz);
    tz = 2 * (qx * oy - qy * ox);
    const fx: f64 = ox + qw * tx + (qy * tz - qz * ty),
      fy: f64 = oy + qw * ty + (qz * tx - qx * tz),
      fz: f64 = oz + qw * tz + (qx * ty - qy * tx);
    const c: v128 = quatFromRotationVector(f32x4(<f32>cx, <f32>cy, <f32>cz, 0));
    const ux: f64 = <f64>f32x4.extract_lane(c, 0),
      uy: f64 = <f64>f32x4.extract_lane(c, 1),
      uz: f64 = <f64>f32x4.extract_lane(c, 2),
      uw: f64 = <f64>f32x4.extract_lane(c, 3);
    const sx: f64 = uw * qx + qw * ux + (uy * qz - uz * qy),
      sy: f64 = uw * qy + qw * uy + (uz * qx - ux * qz),
      sz: f64 = uw * qz + qw * uz + (ux * qy - uy * qx),
      sw: f64 = uw * qw - ux * qx - uy * qy - uz * qz;
    k = 1 / sqrt<f64>(sx * sx + sy * sy + sz * sz + sw * sw);
    qx = sx * k;
    qy = sy * k;
    qz = sz * k;
    qw = sw * k;
    // w of the momentum in the world, I w = L, by cofactors.
    tx = 2 * (worldY * qz - worldZ * qy);
    ty = 2 * (worldZ * qx - worldX * qz);
    tz = 2 * (worldX * qy - worldY * qx);
    lx = worldX + qw * tx + (ty * qz - tz * qy);
    ly = worldY + qw * ty + (tz * qx - tx * qz);
    lz = worldZ + qw * tz + (tx * qy - ty * qx);
    const c00: f64 = iyy * izz - iyz * iyz,
      c01: f64 = ixz * iyz - ixy * izz,
      c02: f64 = ixy * iyz - ixz * iyy;
    const inverse: f64 = 1 / (ixx * c00 + ixy * c01 + ixz * c02);
    // From the velocity as it was, in the frame of the body as it is now, to the one of that momentum.
    tx = 2 * (fy * qz - fz * qy);
    ty = 2 * (fz * qx - fx * qz);
    tz = 2 * (fx * qy - fy * qx);
    ox = fx + qw * tx + (ty * qz - tz * qy);
    oy = fy + qw * ty + (tz * qx - tx * qz);
    oz = fz + qw * tz + (tx * qy - ty * qx);
    const dx: f64 = (c00 * lx + c01 * ly + c02 * lz) * inverse - ox;
    const dy: f64 = (c01 * lx + (ixx * izz - ixz * ixz) * ly + (ixy * ixz - ixx * iyz) * lz) * inverse - oy;
    const dz: f64 = (c02 * lx + (ixy * ixz - ixx * iyz) * ly + (ixx * iyy - ixy * ixy) * lz) * inverse - oz;
    const change: f64 = sqrt<f64>(dx * dx + dy * dy + dz * dz);
    const most: f64 = sqrt<f64>((cx * cx + cy * cy + cz * cz) * (fx * fx + fy * fy + fz * fz));
    if (!(change < Infinity)) return f32.NaN;
    k = change > most ? most / change : 1;
    ox += k * dx;
    oy += k * dy;
    oz += k * dz;
    lx = ixx * ox + ixy * oy + ixz * oz;
    ly = ixy * ox + iyy * oy + iyz * oz;
    lz = ixz * ox + iyz * oy + izz * oz;
    const grown: f64 = ox * lx + oy * ly + oz * lz;
    if (grown > energy) {
      k = sqrt<f64>(energy / grown);
      ox *= k;
      oy *= k;
      oz *= k;
    }
  }

  // The velocity belongs to the rotation as it is stored.
  const r: v128 = f32x4(<f32>qx, <f32>qy, <f32>qz, <f32>qw);
  v128.store(out, r, offsetof<TurnedBody>('rotation'));
  qx = <f64>f32x4.extract_lane(r, 0);
  qy = <f64>f32x4.extract_lane(r, 1);
  qz = <f64>f32x4.extract_lane(r, 2);
  qw = <f64>f32x4.extract_lane(r, 3);
  k = 2 / (qx * qx + qy * qy + qz * qz + qw * qw);
  tx = k * (qy * oz - qz * oy);
  ty = k * (qz * ox - qx * oz);
  tz = k * (qx * oy - qy * ox);
  const vx: f64 = ox + qw * tx + (qy * tz - qz * ty),
    vy: f64 = oy + qw * ty + (qz * tx - qx * tz),
    vz: f64 = oz + qw * tz + (qx * ty - qy * tx);
  const hx: f32 = <f32>vx,
    hy: f32 = <f32>vy,
    hz: f32 = <f32>vz;
  v128.store(out, f32x4(hx, hy, hz, 0), offsetof<TurnedBody>('velocity'));
  v128.store(out, f32x4(<f32>(vx - <f64>hx), <f32>(vy - <f64>hy), <f32>(vz - <f64>hz), 0), offsetof<TurnedBody>('low'));
  return <f32>angle;
}
