// The WGSL of the methods on rows as text, inlined at build time.
import jacobiApply from '../../../shaders/jacobi_apply.wgsl?raw';
import jacobiAssemble from '../../../shaders/jacobi_assemble.wgsl?raw';
import jacobiPose from '../../../shaders/jacobi_pose.wgsl?raw';
import jacobiPrepare from '../../../shaders/jacobi_prepare.wgsl?raw';
import jacobiProduct from '../../../shaders/jacobi_product.wgsl?raw';
import jacobiRows from '../../../shaders/jacobi_rows.wgsl?raw';
import jacobiLayout from '../../../shaders/shared/jacobi_layout.generated.wgsl?raw';
import momentum from '../../../shaders/shared/momentum.wgsl?raw';
import rowMomentum from '../../../shaders/shared/row_momentum.wgsl?raw';
import rowMotion from '../../../shaders/shared/row_motion.wgsl?raw';
import rowPush from '../../../shaders/shared/row_push.wgsl?raw';
import rowRope from '../../../shaders/shared/row_rope.wgsl?raw';
import rowStep from '../../../shaders/shared/row_step.wgsl?raw';
import rows from '../../../shaders/shared/rows.wgsl?raw';
import sweep from '../../../shaders/shared/sweep.wgsl?raw';
import sweepColor from '../../../shaders/sweep_color.wgsl?raw';
import sweepMean from '../../../shaders/sweep_mean.wgsl?raw';
import sweepPair from '../../../shaders/sweep_pair.wgsl?raw';
import { resolveShader, sharedShaders } from '../../gpu/shader';

/** Files that these kernels import, by the name in their `#import` line. */
export const rowShared: Record<string, string> = {
  ...sharedShaders,
  rows,
  jacobi_layout: jacobiLayout,
  momentum,
  row_momentum: rowMomentum,
  row_motion: rowMotion,
  row_push: rowPush,
  row_rope: rowRope,
  row_step: rowStep,
  sweep,
};

/** Kernels of Jacobi, and of Gauss-Seidel by colors and in pairs: one entry point `main` each. */
export const rowKernels = {
  prepare: jacobiPrepare,
  rows: jacobiRows,
  apply: jacobiApply,
  assemble: jacobiAssemble,
  product: jacobiProduct,
  pose: jacobiPose,
  color: sweepColor,
  pair: sweepPair,
  mean: sweepMean,
};

export type RowKernel = keyof typeof rowKernels;

/** Returns the complete WGSL of a kernel. */
export function rowSource(name: RowKernel): string {
  return resolveShader(rowKernels[name], rowShared);
}
