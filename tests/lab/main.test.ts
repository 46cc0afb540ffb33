// The laboratory's command line: the list of experiments, and that it refuses names it does not know.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

function lab(...args: string[]) {
  return spawnSync(process.execPath, [resolve(import.meta.dirname, '../../lab/main.mjs'), ...args], { encoding: 'utf8' });
}

it('lists the experiments', () => {
  const { status, stdout } = lab('--help');
  expect(status).toBe(0);
  for (const name of ['tonge-convergence', 'tonge-table1', 'tsuda-rest', 'tsuda-batches', 'datta-tangent', 'creep', '--quick'])
    expect(stdout).toContain(name);
});

it('refuses an experiment it does not have', () => {
  const { status, stderr } = lab('moon');
  expect(status).toBe(1);
  expect(stderr).toContain("unknown experiment 'moon'");
});
