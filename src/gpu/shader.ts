// The WGSL of all kernels as text, inlined at build time, and the resolver of `#import name` lines: each shared file is
// placed once, before its first use.

import finalise from '../../shaders/finalise.wgsl?raw';
import island from '../../shaders/island.wgsl?raw';
import jacobiApply from '../../shaders/jacobi_apply.wgsl?raw';
import jacobiAssemble from '../../shaders/jacobi_assemble.wgsl?raw';
import jacobiPose from '../../shaders/jacobi_pose.wgsl?raw';
import jacobiPrepare from '../../shaders/jacobi_prepare.wgsl?raw';
import jacobiProduct from '../../shaders/jacobi_product.wgsl?raw';
import jacobiRows from '../../shaders/jacobi_rows.wgsl?raw';
import remap from '../../shaders/remap.wgsl?raw';
import jacobi from '../../shaders/shared/jacobi.wgsl?raw';
import jacobiPush from '../../shaders/shared/jacobi_push.wgsl?raw';
import jacobiRow from '../../shaders/shared/jacobi_row.wgsl?raw';
import layout from '../../shaders/shared/layout.generated.wgsl?raw';
import quaternion from '../../shaders/shared/quaternion.wgsl?raw';
import split from '../../shaders/shared/split.wgsl?raw';
import solve from '../../shaders/solve.wgsl?raw';
import spread from '../../shaders/spread.wgsl?raw';

/** Files that others import, by the name in their `#import` line. */
export const sharedShaders: Record<string, string> = {
  layout,
  quaternion,
  split,
  jacobi,
  jacobi_push: jacobiPush,
  jacobi_row: jacobiRow,
};

/** Kernels of cell splitting: one entry point `main` each. */
export const kernels = { spread, remap, island, solve, finalise };

export type KernelName = keyof typeof kernels;

/** Kernels of Jacobi. */
export const jacobiKernels = {
  prepare: jacobiPrepare,
  rows: jacobiRows,
  apply: jacobiApply,
  assemble: jacobiAssemble,
  product: jacobiProduct,
  pose: jacobiPose,
};

export type JacobiKernel = keyof typeof jacobiKernels;

/** Text of a shader with its imports in place. Throws on an unknown name. */
export function resolveShader(text: string, shared: Record<string, string> = sharedShaders, done = new Set<string>()): string {
  return text.replace(/^#import +(\S+)[ \t]*$/gm, (_, name: string) => {
    if (done.has(name)) return '';
    done.add(name);
    const imported = shared[name];
    if (imported === undefined) throw new Error(`#import ${name}: no such shader`);
    return resolveShader(imported, shared, done);
  });
}

/** The complete WGSL of a kernel. */
export function kernelSource(name: KernelName): string {
  return resolveShader(kernels[name]);
}
