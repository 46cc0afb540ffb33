// Paths and motions of bodies, which all budgets are compared with. A path is an upper bound of the length that any point of a
// body has moved so far; a turn path bounds how far it has rotated. A motion is the path plus what the next step may add at the
// body's present velocity. Boxes and pairs need no work until motions exceed their budgets. So code that changes a velocity, or
// the length of a step, between two steps must update motions here. The end of a step writes both for all bodies that moved
// (bodies/integrate.ts).
import { BodyRow, Header } from '../layout.generated';
import { header } from '../memory/header';
import { coldAt, rowAt } from './rows';

/** The slot of a body starts a new life. */
export function resetMotion(body: u32): void {
  const h: Header = header();
  const at: usize = (<usize>body) << 3;
  store<f64>(<usize>h.paths + at, 0);
  store<f64>(<usize>h.turnPaths + at, 0);
  store<f64>(<usize>h.motions + at, 0);
}

/** Updates the motion of a body with a new velocity: the most it may move in the next step. */
export function foreseeMotion(body: u32): void {
  const h: Header = header();
  const row: BodyRow = rowAt(body);
  const extent: f32 = coldAt(body).extent;
  const v: f32 = sqrt<f32>(row.vx * row.vx + row.vy * row.vy + row.vz * row.vz);
  const w: f32 = sqrt<f32>(row.wx * row.wx + row.wy * row.wy + row.wz * row.wz);
  const path: f64 = load<f64>(<usize>h.paths + ((<usize>body) << 3));
  store<f64>(<usize>h.motions + ((<usize>body) << 3), path + <f64>((v + w * extent) * h.dt));
}
