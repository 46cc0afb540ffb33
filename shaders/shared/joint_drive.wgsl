// The rows of a single axis of a joint: what impulse a motor, a spring, dry friction and friction by load take, and the sides of
// a limit. Twin: assembly/rows/joint_drive.ts, the same operations in the same order, the same names; capped_rate of
// joint_softness.ts.
#import row

const JOINT_PUSH = 10.0; // largest speed at which errors are taken out
const SHORT_STEP = 0.25; // below it a substep follows the exact motion of a spring
const SHORTEST = 1e-6; // m: what is shorter has no direction

// Row of a bounded impulse that brings the speed u to 0: dry friction; with the speed less that of a motor, the motor.
fn driven_row(old: f32, u: f32, mass: f32, bound: f32) -> f32 {
  return bound_row(old - mass * u, bound);
}

// Change of speed by an impulse d on a row of the mass `mass`.
fn speed_gain(d: f32, mass: f32) -> f32 {
  return d / max(mass, 1e-30);
}

// A spring in a substep h: (omega h)^2 and zeta omega h.
fn spring_by_frequency(h: f32, frequency: f32, ratio: f32) -> vec2f {
  let x = 6.2831855 * h * frequency;
  return vec2f(x * x, x * ratio);
}

fn spring_by_stiffness(h: f32, mass: f32, stiffness: f32, damping: f32) -> vec2f {
  let inverse = 1.0 / max(mass, 1e-30);
  return vec2f(h * h * (inverse * stiffness), 0.5 * h * (inverse * damping));
}

// How firmly a spring holds the speed, over its mass.
fn spring_hold(s: vec2f) -> f32 {
  let d = s.y;
  let p = d * (d * (1.0 / 24.0) + 1.0 / 6.0) + 0.5;
  let e = d * (d * p + 1.0);
  return select(2.0 * d + s.x, e * (e + 2.0), s.x < SHORT_STEP && d < SHORT_STEP);
}

// Row of a spring: `hold` is spring_hold times its mass, `pull` its force times h.
fn spring_row(old: f32, u: f32, mass: f32, hold: f32, pull: f32) -> f32 {
  return old - mass * (pull + (hold * u + old)) / max(mass + hold, 1e-30);
}

// Side on which a limit is nearer: 1 at the lower end.
fn limit_side(lower: f32, upper: f32) -> f32 {
  return select(1.0, -1.0, lower > upper);
}

// The common part of a motor's impulse and the impulse of a limit that it runs against.
fn cancelling(motor: f32, limit: f32) -> f32 {
  return min(max(motor, 0.0), max(-limit, 0.0)) - min(max(-motor, 0.0), max(limit, 0.0));
}

// Returns the largest impulse of friction by load in a substep h.
fn load_bound(arm: f32, load: f32, torque: f32, h: f32) -> f32 {
  return arm * load + h * torque;
}

// The factor that makes the vector from a wheel of a pulley to its anchor a row that pulls with `pull`.
fn rope_share(pull: f32, size: f32) -> f32 {
  return pull / max(size, SHORTEST);
}

// Length of the rope of a pulley.
fn rope_length(a: f32, b: f32, ratio: f32) -> f32 {
  return ratio * b + a;
}

// The rate, less where a squared error would be taken out faster than JOINT_PUSH.
fn capped_rate(rate: f32, square: f32) -> f32 {
  return min(rate, JOINT_PUSH / max(sqrt(square), 1e-30));
}
