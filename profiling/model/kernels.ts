// The table "traffic and lanes of each kernel": what a step asks of a GPU, kernel by kernel, as text. The bench prints it, the docs have it.
import { lanes } from '../../src/gpu/pipelines';
import type { KernelName } from '../../src/gpu/shader';
import { type CellCounts, islandPasses, NO_CELLS, type StepCounts, visitsOf } from './counts';
import { bytesOf, trafficOf } from './traffic';

export interface Table {
  head: string[];
  rows: string[][];
}

/** A kernel in a step. */
export interface KernelUse {
  kernel: KernelName;
  dispatches: number;
  /** What it works on in a dispatch, such as '19,672 links'. */
  items: string;
  bytes: number;
  /** Share of the lanes that work, 0 to 1. */
  lanes: number;
}

const count = (value: number) => Math.round(value).toLocaleString('en');
const several = (value: number, what: string) => `${count(value)} ${what}${value === 1 ? '' : 's'}`;

/** Share of lanes that work where each takes one item. */
function laneShare(kernel: KernelName, items: number): number {
  return items / (lanes[kernel] * Math.ceil(items / lanes[kernel]));
}

/** Kernels that a step dispatches, in their order. */
export function kernelUses(counts: StepCounts): KernelUse[] {
  const traffic = trafficOf(counts);
  const single = (kernel: KernelName, items: number, unit: string) => ({
    kernel,
    dispatches: counts.dispatches[kernel] ?? 0,
    items: `${count(items)} ${unit}`,
    bytes: bytesOf(traffic[kernel]),
    lanes: items > 0 ? laneShare(kernel, items) : 0,
  });
  const cells = (kernel: 'island' | 'island_joints' | 'solve', set: CellCounts) => ({
    ...single(kernel, set.cells, 'cells'),
    items: `${several(set.cells, 'cell')}, ${several(set.links, 'link')}`,
    lanes: set.lanes,
  });
  const all = [
    single('edit', counts.edits, 'manifolds'),
    single('spread', counts.slots, 'sub-bodies'),
    single('prepare', counts.links, 'links'),
    single('joint', counts.joints, 'joints'),
    single('turn', counts.joints, 'joints'),
    cells('island', counts.island),
    cells('island_joints', counts.islandJoints ?? NO_CELLS),
    cells('solve', counts.solve),
    single('finalise', counts.bodies, 'bodies'),
    single('collect', counts.links, 'links'),
  ];
  return all.filter(({ dispatches }) => dispatches > 0);
}

/** Bytes that one sweep moves for one link, mean of the scene. */
export function visitBytes(counts: StepCounts): number {
  const one = counts.solve.links >= counts.island.links ? ('solve' as const) : ('island' as const);
  const passes = one === 'solve' ? counts.passes : islandPasses(counts.substeps);
  const moved = trafficOf(counts)[one].filter(({ buffer }) => OF_A_LINK.includes(buffer));
  return bytesOf(moved) / (visitsOf(passes, counts.sweeps) * counts[one].links);
}

/** Buffers that a sweep goes over link by link. */
const OF_A_LINK = ['links', 'points', 'impulses'];

/** Bytes in a unit that leaves few digits. */
export function bytes(value: number): string {
  const [unit, by] = value >= 1e9 ? ['GB', 1e9] : value >= 1e6 ? ['MB', 1e6] : ['kB', 1e3];
  return `${Number((value / by).toPrecision(3)).toLocaleString('en')} ${unit}`;
}

export const percent = (share: number) => `${Math.round(100 * share)} %`;

/** The table of a step. */
export function kernelTable(counts: StepCounts): Table {
  const uses = kernelUses(counts);
  const total = uses.reduce((sum, use) => sum + use.bytes, 0);
  const rows = uses.map((use) => [
    use.kernel,
    String(use.dispatches),
    use.items,
    bytes(use.bytes),
    percent(use.bytes / total),
    percent(use.lanes),
  ]);
  rows.push(['all', String(uses.reduce((sum, use) => sum + use.dispatches, 0)), '', bytes(total), '', '']);
  return { head: ['kernel', 'dispatches', 'works on', 'bytes per step', 'of all bytes', 'lanes working'], rows };
}
