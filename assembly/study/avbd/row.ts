// Rows of AVBD: force and dual update of one row or of a cone of rows. A row's force is z = clamp(lambda - k C), so positive
// forces raise C; the paper writes the same with the opposite sign. In the matrix of a body a row counts with its whole penalty,
// also where the force is at a bound: that is an upper bound of the curvature, so a body's step never raises the energy that it
// sees. With less at the bounds, piles of boxes fly apart at a ramp of 10^6.
// Input: AvbdRow with gradients and value C. Output: forces; lambda and penalty.
// Source: Giles, Diaz, Yuksel, Augmented Vertex Block Descent, SIGGRAPH 2025: force with bounds (eq. 13, sec. 3.2), lambda (eq.
// 11), penalty (eq. 16), finite stiffness (sec. 3.3: no lambda, a penalty up to the stiffness), start values (eq. 19). Bounds of
// penalties and the cone of friction: the authors' public demos.
import { AvbdRow } from '../../layout.generated';

/** A spring: lambda stays 0, the penalty grows up to the stiffness. */
export const ROW_SOFT: u32 = 1;
/** Member of a cone: its force is bounded together with that of its neighbors. */
export const ROW_CONE: u32 = 2;
/** A limit on the upper side of its axis. */
export const ROW_UPPER: u32 = 4;
/** The contact point sticks: its slip is remembered. */
export const ROW_STICKS: u32 = 8;

/** Largest penalty, N/m; of rows by mass per kg. */
const PENALTY_MAX: f64 = 1e9;
/** The least one: that of the authors' demos. */
export const PENALTY_MIN: f64 = 1;
/**
 * The same by mass, a 36th of what inertia counts in a step of 1/60 s. With 1, friction that slips, whose penalty does not grow,
 * would turn to a new direction in 15 steps.
 */
export const PENALTY_MIN_BY_MASS: f64 = 100;

/** Force of a row (N), within its bounds. */
export function rowForce(row: AvbdRow): f64 {
  return max<f64>(min<f64>(row.lambda - row.penalty * row.value, row.most), row.least);
}

/** Share of the forces of `count` rows, which are a cone, that its bound leaves. */
export function coneShare(first: AvbdRow, stride: usize, count: u32, bound: f64): f64 {
  let square: f64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const row: AvbdRow = changetype<AvbdRow>(changetype<usize>(first) + <usize>i * stride);
    const z: f64 = row.lambda - row.penalty * row.value;
    square += z * z;
  }
  return square > bound * bound ? bound / sqrt<f64>(square) : 1;
}

/** Lets a penalty grow with an error. */
function growPenalty(row: AvbdRow, ramp: f64, error: f64): void {
  row.penalty = min<f64>(row.penalty + ramp * row.unit * error, min<f64>(row.stiffness, PENALTY_MAX * row.unit));
}

/**
 * Dual update of `count` rows that are a cone. Returns whether they stick, that is, are within the bound. Their penalties grow
 * together: else the force would lean to the tangent along which more has slipped.
 */
export function updateCone(first: AvbdRow, stride: usize, count: u32, bound: f64, ramp: f64): bool {
  const share: f64 = coneShare(first, stride, count, bound);
  let square: f64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const row: AvbdRow = changetype<AvbdRow>(changetype<usize>(first) + <usize>i * stride);
    row.lambda = share * (row.lambda - row.penalty * row.value);
    square += row.value * row.value;
  }
  if (share < 1) return false;
  const error: f64 = sqrt<f64>(square);
  for (let i: u32 = 0; i < count; i++) {
    growPenalty(changetype<AvbdRow>(changetype<usize>(first) + <usize>i * stride), ramp, error);
  }
  return true;
}

/** Dual update of a row that is in no cone. */
export function updateRow(row: AvbdRow, ramp: f64): void {
  const z: f64 = rowForce(row);
  if ((row.flags & ROW_SOFT) == 0) row.lambda = z;
  if (z > row.least && z < row.most) growPenalty(row, ramp, abs<f64>(row.value));
}

/** At the start of a substep: what it begins with of the last one's force and penalty, and the least penalty over the unit. */
export function startRow(row: AvbdRow, lambda: f64, penalty: f64, least: f64): void {
  row.lambda *= lambda;
  // A spring that has reached its stiffness keeps it: with less, it would be another spring.
  if ((row.flags & ROW_SOFT) == 0) row.penalty *= penalty;
  row.penalty = min<f64>(max<f64>(min<f64>(row.penalty, PENALTY_MAX * row.unit), least * row.unit), row.stiffness);
}
