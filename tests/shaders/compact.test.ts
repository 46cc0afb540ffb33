// Shaders as the package carries them: every kernel compiles, names that the host uses are there, no two names have become one.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compactShader, shaderNames } from '../../scripts/compact_shaders.mjs';
import { resolveShader } from '../../src/gpu/shader';
import { useDevice } from '../helpers/gpu';
import { isLong } from '../helpers/long';

const folder = resolve(import.meta.dirname, '../../shaders');
const names: Map<string, string> = shaderNames(folder);
const textOf = (path: string) => compactShader(readFileSync(resolve(folder, path), 'utf8'), names);
const filesOf = (path: string) => readdirSync(resolve(folder, path)).filter((name) => name.endsWith('.wgsl'));
const shared = Object.fromEntries(filesOf('shared').map((name) => [name.split('.')[0]!, textOf(`shared/${name}`)]));

const gpu = useDevice();

describe('compact shaders', () => {
  it('give every name a short one of its own', () => {
    expect(new Set(names.values()).size).toBe(names.size);
    for (const name of ['main', 'LANES', 'ACCUMULATION']) expect(names.has(name)).toBe(false);
  });

  it.each(filesOf('.'))(
    '%s compiles',
    async (name) => {
      const code = resolveShader(textOf(name), shared);
      expect(code).not.toContain('//');
      expect(code).not.toContain('#import');
      const module = gpu.device.createShaderModule({ code });
      const { messages } = await module.getCompilationInfo();
      expect(messages.filter((m) => m.type === 'error').map((m) => m.message)).toEqual([]);
      // What the text can be wrong in is seen above; drivers take seconds for the kernels of cells, which the package tests run in a page.
      if (!isLong && /^(island|island_joints|solve|turn)\.wgsl$/.test(name)) return;
      const constants: Record<string, number> = /override LANES/.test(code) ? { LANES: 32 } : {};
      const compute = { module, entryPoint: 'main', constants };
      await expect(gpu.device.createComputePipelineAsync({ layout: 'auto', compute })).resolves.toBeDefined();
      expect(gpu.errors).toEqual([]);
    },
    400_000,
  );
});
