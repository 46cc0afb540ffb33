// The command line: what it says about its options, and that it refuses what it does not know before it does anything.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

function start(...args: string[]) {
  return spawnSync(process.execPath, [resolve(import.meta.dirname, '../../cli/main.mjs'), ...args], { encoding: 'utf8' });
}

describe('command line', () => {
  it('explains its options', () => {
    const { status, stdout } = start('--help');
    expect(status).toBe(0);
    for (const option of ['--scene', '--solver', '--steps', '--json', 'boxes-small', 'cell-split'])
      expect(stdout).toContain(option);
  });

  it.each([
    [['--scene', 'moon'], "--scene: 'moon' is not one of"],
    [['--solver', 'magic'], "--solver: 'magic' is not one of"],
    [['--backend', 'wasm,vulkan'], "--backend: 'vulkan' is not one of"],
    [['--steps', '1.5'], '--steps must be a positive integer'],
    [['--scale=-1'], '--scale must be a positive number'],
    [['--wrong'], "Unknown option '--wrong'"],
  ])('refuses %j', (args, message) => {
    const { status, stderr } = start(...args);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});
