// The command line: what it says about its options, and that it refuses what it does not know before it does anything.
import { spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAdapter } from '../../bench/lib/gpu.mjs';
import { everyNth } from '../helpers/long';

const program = resolve(import.meta.dirname, '../../cli/main.mjs');

function start(...args: string[]) {
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
}

/** What the program prints until it says `words`, at which it is stopped, or until its end. */
function until(words: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...args]);
  let stdout = '';
  return new Promise((done, fail) => {
    child.stdout.on('data', (data) => {
      stdout += data;
      if (stdout.includes(words)) child.kill();
    });
    child.on('error', fail);
    child.on('close', () => done(stdout));
  });
}

describe('command line', () => {
  it('explains its options', () => {
    const { status, stdout } = start('--help');
    expect(status).toBe(0);
    for (const option of ['--scene', '--solver', '--steps', '--json', 'boxes-small', 'cell-split'])
      expect(stdout).toContain(option);
  });

  const refused: [string[], string][] = [
    [['--scene', 'moon'], "--scene: 'moon' is not one of"],
    [['--solver', 'magic'], "--solver: 'magic' is not one of"],
    [['--backend', 'wasm,vulkan'], "--backend: 'vulkan' is not one of"],
    [['--steps', '1.5'], '--steps must be a positive integer'],
    [['--scale=-1'], '--scale must be a positive number'],
    [['--wrong'], "Unknown option '--wrong'"],
  ];
  it.each(everyNth(refused, 3, 2))('refuses %j', (args, message) => {
    const { status, stderr } = start(...args);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });

  it('prints the WASM column before it waits for WebGPU, and says what a software adapter makes it wait for', async () => {
    const found = await openAdapter();
    const stdout = await until('Ctrl-C stops', '--scene', 'wall', '--scale', '0.1', '--steps', '2');
    const column = stdout.indexOf('WASM (auto)');
    expect(column).toBeGreaterThan(0);
    const notice = stdout.indexOf('WebGPU runs on a software adapter');
    if (found.name !== null && found.software) {
      expect(notice).toBeGreaterThan(column);
      expect(stdout).toMatch(/this takes about \d+ minutes?\.\n/);
      expect(stdout).toContain('the WASM column above is complete');
      return;
    }
    expect(notice).toBe(-1);
    // Without WebGPU the table is printed once, with it once more.
    expect(stdout.split('WASM (auto)')).toHaveLength(found.name === null ? 2 : 3);
  });
});
