// The WGSL of the methods on rows as text, inlined at build time.
import jacobiApply from '../../../shaders/jacobi_apply.wgsl?raw';
import jacobiAssemble from '../../../shaders/jacobi_assemble.wgsl?raw';
import jacobiPose from '../../../shaders/jacobi_pose.wgsl?raw';
import jacobiPrepare from '../../../shaders/jacobi_prepare.wgsl?raw';
import jacobiProduct from '../../../shaders/jacobi_product.wgsl?raw';
import jacobiRows from '../../../shaders/jacobi_rows.wgsl?raw';
import jacobi from '../../../shaders/shared/jacobi.wgsl?raw';
import jacobiLayout from '../../../shaders/shared/jacobi_layout.generated.wgsl?raw';
import jacobiMotion from '../../../shaders/shared/jacobi_motion.wgsl?raw';
import jacobiPush from '../../../shaders/shared/jacobi_push.wgsl?raw';
import jacobiRow from '../../../shaders/shared/jacobi_row.wgsl?raw';
import sweep from '../../../shaders/shared/sweep.wgsl?raw';
import sweepColor from '../../../shaders/sweep_color.wgsl?raw';
import sweepMean from '../../../shaders/sweep_mean.wgsl?raw';
import sweepPair from '../../../shaders/sweep_pair.wgsl?raw';
import { resolveShader, sharedShaders } from '../../gpu/shader';

/** Files that these kernels import, by the name in their `#import` line. */
export const jacobiShared: Record<string, string> = {
  ...sharedShaders,
  jacobi,
  jacobi_layout: jacobiLayout,
  jacobi_motion: jacobiMotion,
  jacobi_push: jacobiPush,
  jacobi_row: jacobiRow,
  sweep,
};

/** Kernels of Jacobi, and of Gauss-Seidel by colors and in pairs: one entry point `main` each. */
export const jacobiKernels = {
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

export type JacobiKernel = keyof typeof jacobiKernels;

/** The complete WGSL of a kernel. */
export function jacobiSource(name: JacobiKernel): string {
  return resolveShader(jacobiKernels[name], jacobiShared);
}
