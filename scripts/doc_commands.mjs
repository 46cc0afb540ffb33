// Runs the commands that the docs name, so that none of them is broken: `node scripts/doc_commands.mjs [--list] [word...]`, on the built
// package. Each runs in a short form: bench programs and the command line take `--quick`, tests are listed instead of run. With TALUS_LONG=1
// all do. Without it those of FIRST do, of the other pages one command of each program, of commands that differ in sizes alone one, and none
// that is SLOW. What cannot run here is in NOT_RUN with the reason; it still must name scripts, files and options that exist.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(import.meta.dirname, '..');

/** Scripts of package.json that are not run, and why. A command stands here by the name of its script, or whole. */
export const NOT_RUN = new Map([
  ['test', 'runs everything: CI does'],
  ['check', 'formats, builds and checks everything: CI does'],
  ['build', 'is part of npm run check'],
  ['build:study', 'replaces the built core of the study; tests/study/quick_build.test.ts builds one beside it'],
  ['format', 'is part of npm run check, and writes files that are committed'],
  ['layout', 'is part of npm run check, and writes files that are committed'],
  ['api', 'is part of npm run check, and writes files that are committed'],
  ['node scripts/figures.mjs', 'writes files that are committed; npm run check compares them'],
  ['node scripts/drawings.mjs', 'writes files that are committed; npm run check compares them'],
  ['node scripts/prose.mjs', 'is part of npm run check'],
  ['node node_modules/talus/examples/server.mjs', 'serves until it is stopped; tests/package/server_example.test.ts runs it'],
  ['measure', 'drives a browser for a minute; tests/demo/measure.test.ts opens the page in short'],
  ['node demo/tools/run.mjs costs', 'drives all scenes of the demo for minutes: by hand'],
  ['node demo/tools/run.mjs frames', 'drives all scenes of the demo for minutes, and writes files that are committed'],
  ['node demo/tools/run.mjs thumbnails NAME', 'drives a browser, and writes files that are committed'],
  ['test:site', 'CI runs it'],
  ['site', 'builds the site, which installs packages; npm run test:site does it in CI'],
  ['try:packages', 'installs bundlers and runtimes; CI runs it with --fast'],
  ['try:react', 'npm test and npm run check do the same'],
  ['try:playcanvas', 'unpacks each published version of PlayCanvas: by hand, when there is a new one'],
  ['release', 'only a release runs it: it needs a clean tree and runs all of the above'],
  ['demo', 'serves until it is stopped; tests/demo/smoke.test.ts builds and opens the page'],
  ['build:demo', 'tests/demo/smoke.test.ts builds the page'],
  ['test:demo', 'drives a browser for minutes: by hand'],
  ['demo:memory', 'drives a browser for minutes: by hand'],
  ['profile:pack', 'packs Node and drivers for a machine with a GPU, where the tarball runs'],
  ['bash .ci/run', 'is what runs this'],
  ['bash .ci/run --long', 'runs this and the long tests, for hours'],
  ['node scripts/doc_commands.mjs', 'is this'],
  ['npm run golden -- --full', 'an hour on threads and in Chromium: by hand'],
  ['npm run golden -- --write', 'writes a file that is committed'],
  ['npm run golden -- --arm64', 'downloads an emulator and Node for arm64: by hand'],
  ['mutate', 'judges mutants for hours; tests/scripts/mutate.test.ts tests its parts'],
  ['lab', 'the long form of CI runs all experiments with --quick'],
  ['npm run properties -- --only NAME --seed N', 'takes the name and seed of a failure; the line above it runs'],
  ['npm run profile', 'an hour; runs with options below'],
  ['npm run profile -- --resume profile-report/profile.json', 'needs a report; the runs of tests/profile resume'],
  [
    'npm run profile -- --compare a/profile.json b/profile.html --out compare.html',
    'needs reports; tests/profile/run.test.ts compares some',
  ],
]);

/** Scripts of package.json and the program behind each, which reads the arguments; their `pre` scripts build, which is done. */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Arguments that make a program short; later ones win over those of the doc.
 * @type {[string | RegExp, string[]][]}
 */
const SHORT = [
  [/^bench\//, ['--quick']],
  ['cli/main.mjs', ['--quick']],
  ['scripts/golden.mjs', ['--only', 'stack']],
  ['lab/main.mjs', ['--quick']],
  ['lab/try.mjs', ['--quick']],
  ['scripts/fuzz.mjs', ['--quick', '--seed', '1']],
  ['scripts/properties.mjs', ['--seeds', '2']],
  [
    'cli/profile.mjs',
    // biome-ignore format: pairs
    ['--quick', '--scene', 'boxes', '--size', '100', '--with', 'wasm:wide', '--steps', '3', '--warmup', '1', '--settle', '0.1', '--limit', '5', '--out', 'build/doc-profile'],
  ],
];

/** Pages that readers begin with: all their commands run on every commit. */
const FIRST = ['README.md', 'CONTRIBUTING.md', 'docs/start.md'];

/** What takes ten seconds and more even in short. The suite plays the properties; the rest measures on WebGPU, or beside other engines. */
export const SLOW =
  /properties\b|bench\/(hybrid|gpu_clock|snapshot)\.mjs|--backend wasm,webgpu|--published babylon|profile -- --(scene|model)/;

/** Whether the short form leaves a command out: it is slow, or another one of its program has run. */
export function isLeftOut(command, from, programs) {
  const { program } = resolveCommand(command);
  return SLOW.test(command) || (!from.some((page) => FIRST.includes(page)) && programs.has(program));
}

/** Pages that name commands. */
export function pages() {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', 'CONTRIBUTING.md', 'bench/README.md', 'lab/README.md', ...docs.map((name) => `docs/${name}`)];
}

/** Commands of this repository in the code spans and blocks of a page; options of `npm run` that a table names apart are left out. */
export function commandsIn(text) {
  const found = [];
  const blocks = /^ *```(\w*)\n([\s\S]*?)^ *```/gm;
  for (const [, language, code] of text.matchAll(blocks)) {
    if (['', 'sh', 'bash', 'console'].includes(language)) found.push(...code.split('\n').map((line) => line.split(/\s#\s/)[0]));
  }
  for (const [, code] of text.replace(blocks, '').matchAll(/`([^`]+)`/g)) found.push(code);
  const commands = found
    .flatMap((line) => line.split('&&'))
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) =>
      /^([A-Z_]+=\S+ )*(npm (run [a-z]|test\b|start\b)|npx vitest|node [\w./-]+\.m?[jt]s|bash [\w./-]+)/.test(line),
    );
  return [...new Set(commands)];
}

/** All commands, with the pages that name them. */
export function collect() {
  const commands = new Map();
  for (const page of pages()) {
    for (const command of commandsIn(readFileSync(join(root, page), 'utf8')))
      commands.set(command, [...(commands.get(command) ?? []), page]);
  }
  return commands;
}

/**
 * What a command is: environment, script of package.json if it is one, program file and arguments. Throws where it names a script, file
 * or option that does not exist.
 */
export function resolveCommand(command) {
  const words = command.split(' ');
  const env = {};
  while (/^[A-Z_]+=/.test(words[0])) {
    const [name, value] = words.shift().split('=');
    env[name] = value;
  }
  const fail = (what) => {
    throw new Error(`\`${command}\`: ${what}`);
  };
  const [tool, ...rest] = words;
  let script = null;
  let program;
  let args;
  if (tool === 'npm') {
    script = rest[0] === 'run' ? rest[1] : rest[0];
    if (scripts[script] === undefined) fail(`package.json has no script '${script}'`);
    const dashes = rest.indexOf('--');
    args = dashes < 0 ? [] : rest.slice(dashes + 1);
    program = /^(?:.*&& )?node (\S+)(.*)$/.exec(scripts[script])?.[1] ?? null;
  } else if (tool === 'npx') {
    program = 'vitest';
    args = rest.slice(1);
    for (const arg of args.slice(1)) {
      const path = arg.replace(/^--config=?/, '');
      if (path.includes('/') && !existsSync(join(root, path))) fail(`there is no ${path}`);
    }
    if (args[0] !== 'run' || args.length < 2) fail('names no test');
  } else {
    [program, ...args] = rest;
    program = program.replace(/^node_modules\/talus\//, ''); // as a project that has the package names it
    if (!existsSync(join(root, program))) fail(`there is no ${program}`);
  }
  for (const name of Object.keys(env)) {
    const isRead = (path) => readFileSync(path, 'utf8').includes(name);
    const tests = args.filter((arg) => arg.startsWith('tests/')).map((arg) => join(root, arg));
    if (!tests.some(isRead)) fail(`no test of it reads ${name}`);
  }
  if (program === 'lab/main.mjs') {
    const names = args.filter((arg) => !arg.startsWith('-'));
    for (const name of names) if (!experiments().includes(`name: '${name}'`)) fail(`there is no experiment ${name}`);
  }
  if (program !== null && program !== 'vitest') {
    const source = sourcesOf(program);
    for (const arg of args.filter((word) => /^--?\w/.test(word))) {
      const [option] = arg.replace(/^--?/, '').split('=');
      const isLong = arg.startsWith('--');
      const pattern = isLong
        ? new RegExp(`(['"]?)\\b${option}\\1\\s*:\\s*\\{[^}]*type:|['"]--${option}['"]`)
        : new RegExp(`short:\\s*['"]${option}['"]`);
      if (!pattern.test(source)) fail(`${program} has no option ${arg}`);
    }
  }
  return { env, script, program, args };
}

/** Sources of the laboratory's experiments. */
function experiments() {
  const folder = join(root, 'lab/experiments');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

/** Source of a program, and of what it hands its arguments to. */
function sourcesOf(program) {
  const also = {
    'cli/profile.mjs': ['profiling/node/cli.ts'],
    'scripts/pack_profile.mjs': ['profiling/node/cli.ts'],
    'demo/tools/run.mjs': ['demo/tools/memory.ts', 'demo/tools/measure.ts'],
  };
  return [program, ...(also[program] ?? [])]
    .map((path) => join(root, path))
    .filter(existsSync)
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
}

/** Why a command is not run here; undefined if it is. */
export function reasonNotToRun(command) {
  const { script, program } = resolveCommand(command);
  return NOT_RUN.get(command) ?? (program === 'vitest' ? undefined : NOT_RUN.get(script ?? command));
}

/** Short form of a command: arguments of Node. */
export function shortForm(command) {
  const { program, args } = resolveCommand(command);
  const short = SHORT.find(([which]) => (typeof which === 'string' ? which === program : which.test(program)));
  if (!short) throw new Error(`\`${command}\`: ${program} has no short form; give it one in SHORT or a reason in NOT_RUN`);
  return [program, ...args, ...short[1]];
}

/** Options that set sizes, which `--quick` sets anyway. */
const SIZES = /^--(scene|steps|seeds?|scale|shuffles|runs|size|pairs|minutes|save)$/;

/** A command without its sizes. */
export const withoutSizes = (args) =>
  args.filter((arg, i) => !SIZES.test(arg) && !(SIZES.test(args[i - 1] ?? '') && !arg.startsWith('-'))).join(' ');

/** Runs what can be run; returns the failures. */
function runAll(words) {
  const failures = [];
  const tests = [];
  const done = new Set();
  const programs = new Set();
  const isWhole = process.env.TALUS_LONG === '1' || words.length > 0;
  for (const [command, from] of collect()) {
    if (words.length > 0 && !words.some((word) => command.includes(word))) continue;
    try {
      if (reasonNotToRun(command) !== undefined) continue;
      if (resolveCommand(command).program === 'vitest') {
        tests.push(command);
        continue;
      }
      const args = shortForm(command);
      // Two commands may be one in short.
      const kind = isWhole ? args.join(' ') : withoutSizes(args);
      if (done.has(kind) || (!isWhole && isLeftOut(command, from, programs))) continue;
      done.add(kind);
      programs.add(args[0]);
      const start = performance.now();
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 120_000 });
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${seconds.padStart(5)} s  ${command}`);
      if (status !== 0) failures.push(`${command} (${from.join(', ')})\n${stdout.slice(-1000)}${stderr.slice(-3000)}`);
    } catch (error) {
      failures.push(`${error.message} (${from.join(', ')})`);
    }
  }
  // Files and folders that do not exist are refused above; the short form lists the tests of one command.
  for (const command of isWhole ? tests : tests.slice(0, 1)) {
    const { args } = resolveCommand(command);
    const list = execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', ...args.slice(1)], {
      cwd: root,
      encoding: 'utf8',
    });
    if (!list.includes('.test.ts')) failures.push(`\`${command}\` finds no test`);
    else console.log(`ok            ${command}: ${list.trim().split('\n').length} files`);
  }
  return failures;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const words = process.argv.slice(2);
  if (words.includes('--list')) {
    for (const [command] of collect()) console.log(`${command}\n    ${reasonNotToRun(command) ?? 'is run'}`);
  } else {
    mkdirSync(join(root, 'build'), { recursive: true });
    const failures = runAll(words);
    console.log(
      failures.length === 0
        ? 'all commands of the docs run'
        : `${failures.length} commands of the docs fail:\n\n${failures.join('\n\n')}`,
    );
    process.exitCode = failures.length === 0 ? 0 : 1;
  }
}
