// Paths and motions of bodies: the currency of all budgets. A path is the length that any point of a body may have gone so far
// (a turn path: as far as the body turned); a motion is the path plus what the next step may add at the velocity the body has.
// Boxes and pairs do nothing until motions pass their budgets, so whatever changes a velocity or the length of a step between
// two steps has to say so here. The end of a step writes both for all bodies that moved (bodies/integrate.ts).
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

/** A body has a new velocity: what it may move in the next step. */
export function foreseeMotion(body: u32): void {
  const h: Header = header();
  const row: BodyRow = rowAt(body);
  const extent: f32 = coldAt(body).extent;
  const v: f32 = sqrt<f32>(row.vx * row.vx + row.vy * row.vy + row.vz * row.vz);
  const w: f32 = sqrt<f32>(row.wx * row.wx + row.wy * row.wy + row.wz * row.wz);
  const path: f64 = load<f64>(<usize>h.paths + ((<usize>body) << 3));
  store<f64>(<usize>h.motions + ((<usize>body) << 3), path + <f64>((v + w * extent) * h.dt));
}
