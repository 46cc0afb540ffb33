// Workgroup memory of a kernel, from the declarations in its WGSL. It decides how many cells a device solves at the same time.
import { lanes } from '../../src/gpu/pipelines';
import { type KernelName, kernelSource } from '../../src/gpu/shader';

/** Bytes of the types that our kernels keep there. */
const SIZES: Record<string, number> = { vec4f: 16, vec4u: 16, u32: 4, f32: 4 };

/** Bytes that a workgroup of a kernel takes. Throws on a declaration of another form. */
export function workgroupBytes(kernel: KernelName): number {
  let sum = 0;
  for (const [line, type = ''] of kernelSource(kernel).matchAll(/^var<workgroup> \w+: ([^;]+);/gm)) {
    const [, element = type, count = '1'] = /^array<(\w+), (\w+)>$/.exec(type) ?? [];
    const size = SIZES[element];
    const elements = count === 'LANES' ? lanes[kernel] : Number(count);
    if (size === undefined || !(elements > 0)) throw new Error(`${kernel}: the size of '${line}' is not known`);
    sum += size * elements;
  }
  return sum;
}

/** Links of a cell whose impulses a pass keeps in workgroup memory (KEPT of shaders/shared/split.wgsl). */
export function keptLinks(): number {
  const found = /^const KEPT = (\d+)u;/m.exec(kernelSource('solve'));
  if (!found) throw new Error('solve: KEPT is not known');
  return Number(found[1]);
}
