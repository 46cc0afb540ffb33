// Blocks on sub-bodies, second half of an iteration: the mean of the sub-bodies of a body (Tonge 2012, eq. 38) or, as printed,
// the body and all of their changes (eq. 16), in the order of the blocks. Twin: shaders/sweep_mean.wgsl.
// Input: sub-bodies. Output: velocities.
import { BodyVelocity, MethodState } from '../../layout.generated';
import { at32 } from '../../memory/words';
import { velocityAt } from './state';

/** Adds what a block has done to its sub-bodies to the sums of their bodies: its share of the mean, or all of it as printed. */
export function collectChanges(s: MethodState, pass: u32, touched: u32, takesMean: bool): void {
  const velocities: usize = s.velocities;
  const sums: usize = s.sums;
  const subs: usize = s.subs;
  for (let i: u32 = 0; i < touched; i++) {
    const body: u32 = at32(s.touched, i);
    const n: u32 = at32(s.counts, body * 2 + pass);
    const weight: f32 = takesMean ? <f32>1 / <f32>max<u32>(n, 1) : <f32>1;
    const sub: usize = subs + ((<usize>body) << 5);
    const old: usize = velocities + ((<usize>body) << 5);
    const sum: usize = sums + ((<usize>body) << 5);
    const share: v128 = f32x4.splat(weight);
    for (let k: usize = 0; k < 32; k += 16) {
      const change: v128 = f32x4.sub(v128.load(sub + k), v128.load(old + k));
      v128.store(sum + k, f32x4.add(v128.load(sum + k), f32x4.mul(change, share)));
    }
  }
}

/** velocities += scale * changes; the inverse masses stay. */
export function addAll(velocities: usize, changes: usize, bodies: u32, scale: f32): void {
  for (let b: u32 = 0; b < bodies; b++) {
    const v: BodyVelocity = velocityAt(velocities, b);
    const c: BodyVelocity = velocityAt(changes, b);
    v.vx += scale * c.vx;
    v.vy += scale * c.vy;
    v.vz += scale * c.vz;
    v.wx += scale * c.wx;
    v.wy += scale * c.wy;
    v.wz += scale * c.wz;
  }
}
