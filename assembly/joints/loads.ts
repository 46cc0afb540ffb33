// Light links under heavy loads: more inertia where a load swings a body faster than substeps can follow.
//
// A force F on a body at a lever r turns it back like a spring of (F.r) 1 - (F r' + r F') / 2 (geometric stiffness). The warm
// start gives F again with the lever of now, so that this spring is explicit: beyond 2 rad of its swing in a substep it gains
// energy without bound. The trace of inverse inertia times stiffness bounds the squares of its frequencies; where half of it
// passes MOST_SWING in a substep, the body has that much more inertia for the joints of this step, in all of their rows. A place
// of rest does not depend on inertia, and a free turn not on its scale.
// Input: impulses, levers, JointBody at the start of a step. Output: B_INERTIA, B_INVERSE_LOCAL.
// Source: Tournier et al., "Stable Constrained Dynamics" (2015), eq. 8, for the stiffness.
import { addW, dotW, maxW, mulW, splatW, subW } from '../math/lane';
import { S_INVERSE_A, S_INVERSE_B, loadBodies } from './anchors';
import { col, setCol, symX } from './columns';
import {
  B_INERTIA,
  B_INVERSE_LOCAL,
  B_LOAD,
  FORM_FLOATS,
  JOINT_BODY_BYTES,
  J_BODY_A,
  J_BODY_B,
  J_FORM,
  J_LEVER_A,
  J_LEVER_B,
  J_TORQUE,
} from './layout';
import { jointState } from './state';
import { addHeld } from './turn';

// Square of the angle (rad) of a swing in a substep, and twice that.
const MOST_SWING: f32 = 1;

/** Adds the stiffness of the loads of the groups named in [list, end) to their bodies. h: length of the substeps (s). */
export function weighLoads(list: usize, end: usize, h: f32): void {
  const s: usize = jointState().scratch;
  for (; list < end; list += 4) {
    const g: usize = <usize>load<u32>(list);
    const form: u32 = load<u32>(g, J_FORM);
    if ((form & FORM_FLOATS) != 0) continue;
    addHeld(g, form, splatW(1), true);
    loadBodies(g);
    weighSide(g, J_BODY_A, 0, J_LEVER_A, s + S_INVERSE_A, splatW(-0.5 * h));
    weighSide(g, J_BODY_B, 3, J_LEVER_B, s + S_INVERSE_B, splatW(0.5 * h));
    for (let k: usize = 0; k < 12; k++) setCol(g, J_TORQUE, k, splatW(0));
  }
}

function weighSide(g: usize, bodies: usize, part: usize, lever: usize, inverse: usize, scale: v128): void {
  const fx: v128 = col(g, J_TORQUE, part),
    fy: v128 = col(g, J_TORQUE, part + 1),
    fz: v128 = col(g, J_TORQUE, part + 2);
  const rx: v128 = col(g, lever, 0),
    ry: v128 = col(g, lever, 1),
    rz: v128 = col(g, lever, 2);
  const xx: v128 = v128.load(inverse),
    yy: v128 = v128.load(inverse, 16),
    zz: v128 = v128.load(inverse, 32),
    xy: v128 = v128.load(inverse, 48),
    xz: v128 = v128.load(inverse, 64),
    yz: v128 = v128.load(inverse, 80);
  const along: v128 = mulW(dotW(fx, fy, fz, rx, ry, rz), addW(addW(xx, yy), zz));
  const axial: v128 = dotW(fx, fy, fz, symX(xx, xy, xz, rx, ry, rz), symX(xy, yy, yz, rx, ry, rz), symX(xz, yz, zz, rx, ry, rz));
  const z: v128 = maxW(splatW(0), mulW(scale, subW(along, axial)));
  addLoad(load<u32>(g + bodies), f32x4.extract_lane(z, 0));
  addLoad(load<u32>(g + bodies, 4), f32x4.extract_lane(z, 1));
  addLoad(load<u32>(g + bodies, 8), f32x4.extract_lane(z, 2));
  addLoad(load<u32>(g + bodies, 12), f32x4.extract_lane(z, 3));
}

// @ts-ignore: decorator
@inline
function addLoad(body: u32, z: f32): void {
  store<f32>(body, load<f32>(body, B_LOAD) + z, B_LOAD);
}

/** Inertia of the bodies of a run by their loads. Returns whether any has more than its own. */
export function bearLoads(first: usize, end: usize): bool {
  let any: bool = false;
  for (let b: usize = first; b < end; b += JOINT_BODY_BYTES) {
    const square: f32 = load<f32>(b, B_LOAD);
    if (!(square > MOST_SWING) || !(square < Infinity)) {
      store<f32>(b, 0, B_LOAD);
      continue;
    }
    any = true;
    const more: f32 = square / MOST_SWING;
    scaleTensor(b + B_INERTIA, more);
    scaleTensor(b + B_INVERSE_LOCAL, 1 / more);
  }
  return any;
}

function scaleTensor(at: usize, scale: f32): void {
  v128.store(at, mulW(v128.load(at), splatW(scale)));
  v128.store64_lane(at, mulW(v128.load(at, 16), splatW(scale)), 0, 16);
}
