// Pipelines of the kernels on rows, within the default limits: at most 8 storage buffers and a uniform each, no optional feature.
// Workgroup memory is for the restart test of momentum alone. The order of bindings here is that of the @binding numbers in shaders/jacobi_*.wgsl and
// sweep_*.wgsl.
import { type Access, buildKernel, type Kernel } from '../../gpu/pipelines';
import { JacobiStep } from '../../layout.generated';
import { ACCUMULATIONS, type Accumulation } from '../methods';
import { type RowKernel, rowKernels, rowSource } from './shader';

export type RowBuffer =
  | 'steps'
  | 'rows'
  | 'bodies'
  | 'bodyStates'
  | 'states'
  | 'lists'
  | 'sums'
  | 'saved'
  | 'spans'
  | 'entries'
  | 'links'
  | 'blocks'
  | 'subs'
  | 'parts'
  | 'momentum'
  | 'poses';

const read = 'read-only-storage';
const write = 'storage';

/** Buffers that each kernel binds, in the order of its @binding numbers. */
export const rowBindings: Record<RowKernel, [RowBuffer, Access][]> = {
  prepare: [
    ['steps', 'uniform'],
    ['rows', read],
    ['bodies', read],
    ['bodyStates', write],
    ['states', write],
  ],
  rows: [
    ['steps', 'uniform'],
    ['rows', read],
    ['bodies', read],
    ['bodyStates', read],
    ['states', write],
    ['sums', write],
    ['momentum', write],
  ],
  apply: [
    ['steps', 'uniform'],
    ['rows', read],
    ['bodies', read],
    ['bodyStates', write],
    ['states', read],
    ['lists', read],
    ['sums', write],
    ['saved', write],
    ['momentum', write],
  ],
  assemble: [
    ['steps', 'uniform'],
    ['rows', read],
    ['bodies', read],
    ['lists', read],
    ['spans', write],
    ['entries', write],
  ],
  product: [
    ['steps', 'uniform'],
    ['rows', read],
    ['bodyStates', read],
    ['states', write],
    ['spans', read],
    ['entries', read],
  ],
  pose: [
    ['steps', 'uniform'],
    ['bodies', read],
    ['bodyStates', read],
    ['poses', write],
  ],
  color: [
    ['steps', 'uniform'],
    ['rows', read],
    ['bodies', read],
    ['bodyStates', write],
    ['states', write],
    ['links', read],
  ],
  pair: [
    ['steps', 'uniform'],
    ['rows', read],
    ['bodies', read],
    ['bodyStates', read],
    ['states', write],
    ['links', read],
    ['blocks', read],
    ['subs', write],
  ],
  mean: [
    ['steps', 'uniform'],
    ['bodies', read],
    ['bodyStates', write],
    ['subs', read],
    ['parts', read],
    ['saved', write],
  ],
};

export const ROW_LANES = 64;

/** ACCUMULATION of the shaders. */
const ACCUMULATION_CODES: Record<Accumulation, number> = { segmented: 0, 'fixed-point': 1, 'compare-exchange': 2 };

/** Compiled kernels. Kernels that add have one pipeline for each way of adding. */
export class RowPipelines {
  private readonly made = new Map<string, Kernel>();

  /** Compiles all of them, for every way of adding, since `world.set` changes the way from one step to the next. */
  static async create(device: GPUDevice): Promise<RowPipelines> {
    const pipelines = new RowPipelines();
    const compile = async (name: RowKernel, accumulation: Accumulation) => {
      const constants: Record<string, number> = { LANES: ROW_LANES };
      if (adds(name)) constants.ACCUMULATION = ACCUMULATION_CODES[accumulation];
      const access = rowBindings[name].map(([, type]) => type);
      const key = keyOf(name, accumulation);
      pipelines.made.set(key, await buildKernel(device, key, rowSource(name), access, JacobiStep.STRIDE, constants));
    };
    const jobs: Promise<void>[] = [];
    for (const name of Object.keys(rowKernels) as RowKernel[]) {
      for (const accumulation of adds(name) ? ACCUMULATIONS : (['segmented'] as const)) jobs.push(compile(name, accumulation));
    }
    await Promise.all(jobs);
    return pipelines;
  }

  get(name: RowKernel, accumulation: Accumulation): Kernel {
    return this.made.get(keyOf(name, accumulation))!;
  }
}

const adds = (name: RowKernel) => name === 'rows' || name === 'apply';

/** Returns the name of a pipeline: its kernel, and its way of adding. */
export function keyOf(name: RowKernel, accumulation: Accumulation): string {
  return adds(name) ? `jacobi ${name} ${accumulation}` : `jacobi ${name}`;
}
