// Mutation testing: seeds faults in the core and in the controllers and finds out whether a test fails.
// `npm run mutate -- --files 'assembly/joints/*' --faults 200 --seed 1` judges so many mutants of each room that the files belong to;
// `--room joints` stands for all files of a room. It goes on where it was stopped. `--table` writes the table of results into
// CONTRIBUTING.md, `--survivors` lists mutants that no test killed, `--dry` lists the first faults of the draw and runs nothing.
// Sources are never changed: they are copied to build/mutate, core mutants are compiled from memory, and mutants of TypeScript are
// written into the copy. Kinds of faults: scripts/mutate/faults.mjs. Tests of a room: rooms.mjs. Results: results.mjs.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compileCore } from './mutate/core.mjs';
import { drawOrder, faultsIn, withFault } from './mutate/faults.mjs';
import { keyOf, mutantOf, Results, withTable } from './mutate/results.mjs';
import { ROOMS } from './mutate/rooms.mjs';
import { TestRuns } from './mutate/tests.mjs';

const root = join(import.meta.dirname, '..');
/** Of this run alone: two may run at once, in different rooms. */
const build = join(root, 'build/mutate', `${process.pid}`);
const tree = join(build, 'tree');
const cores = join(build, 'cores');
/** Parts of the repository that no test of a room reads. */
const LEFT_OUT = new Set(['node_modules', 'build', 'dist', 'site', 'coverage', 'profile-report', '.git']);

/** Copies the repository, so that edits during a run change nothing. */
function copyTree() {
  mkdirSync(tree, { recursive: true });
  mkdirSync(cores, { recursive: true });
  for (const name of readdirSync(root)) if (!LEFT_OUT.has(name)) cpSync(join(root, name), join(tree, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  process.on('exit', () => rmSync(build, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
}

/** Whether two binaries are the same. */
const isSame = (a, b) => Buffer.compare(a, b) === 0;
const isCore = (file) => file.startsWith('assembly/');

/**
 * Judges mutants of one tree.
 * @typedef {{ file: string, text: string }} Change a file and its text with the fault
 */
class Judge {
  runs = new TestRuns(tree, cores);
  /** Binaries without a fault, as they are asked for. @type {Map<string, Buffer>} */
  #plain = new Map();
  /** Targets whose binary in `cores` has the fault of now. @type {Set<string>} */
  #installed = new Set();
  /** Test files that fail without a fault. */
  #leftOut = new Set();
  /** The test build with the fault of now. @type {Buffer | null} */
  #compiled = null;

  async #plainCore(target, isOptimized = false) {
    const name = `${target} ${isOptimized}`;
    if (!this.#plain.has(name)) this.#plain.set(name, await compileCore(tree, target, null, isOptimized));
    return this.#plain.get(name);
  }

  /** Seconds of processor time so far, of this process and of the tests. */
  get seconds() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6 + this.runs.seconds;
  }

  /** Takes every fault out of what tests read. */
  async #restore(/** @type {Change} */ change) {
    for (const target of ['test', 'release']) writeFileSync(join(cores, `${target}.wasm`), await this.#plainCore(target));
    this.#installed.clear();
    if (isCore(change.file)) return;
    cpSync(join(root, change.file), join(tree, change.file));
    this.runs.change(change.file);
  }

  /** Puts a fault into what a test reads. */
  async #install(/** @type {Change} */ change, test) {
    const target = !isCore(change.file) ? 'host' : test.startsWith('tests/assembly/') ? 'test' : 'release';
    if (this.#installed.has(target)) return;
    this.#installed.add(target);
    if (target === 'host') {
      writeFileSync(join(tree, change.file), change.text);
      this.runs.change(change.file);
    } else {
      // What only the study has is not in the product: its core then is as it was.
      const binary = target === 'test' ? this.#compiled : await compileCore(tree, target, change);
      writeFileSync(join(cores, `${target}.wasm`), binary ?? (await this.#plainCore(target)));
    }
  }

  /** The verdict of tests on a mutant: they run until one fails. With the test that failed and the files that ran. */
  async judge(/** @type {Change} */ change, tests) {
    const known = isCore(change.file) ? await this.#compare(change, false) : null;
    if (known !== null) return { verdict: known, ran: [] };
    const ran = [];
    this.#installed.clear();
    try {
      for (const test of tests) {
        if (!(await this.#passes(change, test))) continue;
        await this.#install(change, test);
        const failure = await this.runs.run(test);
        ran.push(test);
        if (failure !== null)
          return { verdict: failure.test === 'timeout' ? 'timeout' : 'killed', test: `${test} > ${failure.test}`, ran };
      }
    } finally {
      await this.#restore(change);
    }
    return { verdict: (isCore(change.file) && (await this.#compare(change, true))) || 'survived', ran };
  }

  /** 'invalid' for a core that does not compile, 'equivalent' for the same binary, otherwise null. */
  async #compare(/** @type {Change} */ change, isOptimized) {
    const binary = await compileCore(tree, 'test', change, isOptimized);
    if (binary === null) return 'invalid';
    if (isSame(binary, await this.#plainCore('test', isOptimized))) return 'equivalent';
    if (!isOptimized) this.#compiled = binary;
    return null;
  }

  /** Whether a test file passes without a fault: it runs once. One that does not is left out, and survivors run it next time. */
  async #passes(change, test) {
    if (this.runs.knows(test)) return true;
    if (this.#leftOut.has(test)) return false;
    await this.#restore(change);
    const start = performance.now();
    const failure = await this.runs.run(test);
    if (failure === null) {
      console.log(`           ${((performance.now() - start) / 1000).toFixed(1)} s without a fault: ${test}`);
      return true;
    }
    console.error(`left out, since it fails without a fault: ${test} > ${failure.test}: ${failure.message}`);
    this.#leftOut.add(test);
    return false;
  }
}

/** Faults of files in the order in which they are judged, and the texts of the files. */
function draw(folder, files, seed) {
  const texts = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
  return { texts, order: drawOrder(new Map([...texts].map(([file, text]) => [file, faultsIn(text, file)])), seed) };
}

/** Judges mutants of a room until `count` count. */
async function mutateRoom(room, files, count, seed, results, judge) {
  const { texts, order } = draw(tree, files, seed);
  console.log(`${room}: ${order.length} faults in ${files.length} files`);
  let counted = 0;
  for (const { file, fault } of order) {
    if (counted >= count) break;
    const text = texts.get(file);
    const mutant = mutantOf(file, text, fault);
    const tests = results.testsLeft(room, mutant);
    const known = results.ofRoom(room).get(keyOf(mutant));
    let result = known;
    if (tests.length > 0) {
      const before = judge.seconds;
      const change = { file, text: withFault(text, fault) };
      const { verdict, test, ran } = await judge.judge(change, tests);
      // Files that a survivor passed before and that are the same still count for it.
      const passed = known?.verdict === 'survived' && verdict === 'survived' ? known.tests : {};
      const prints = verdict === 'survived' ? ran : test ? [ran.at(-1)] : [];
      const fresh = { ...passed, ...Object.fromEntries(prints.map((name) => [name, results.fileNow(name)])) };
      result = { ...mutant, verdict, ...(test && { test }), tests: fresh, seconds: Number((judge.seconds - before).toFixed(1)) };
      results.add(room, result);
      console.log(
        `${verdict.padEnd(10)} ${result.seconds} s  ${file}:${mutant.line} ${mutant.kind}: ${mutant.from} -> ${mutant.to}${test ? `  [${test}]` : ''}`,
      );
    }
    if (result.verdict !== 'invalid' && result.verdict !== 'equivalent') counted++;
  }
}

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true, default: [] },
    room: { type: 'string', multiple: true, default: [] },
    faults: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    table: { type: 'boolean', default: false },
    survivors: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
  },
});
for (const room of values.room)
  if (!Object.hasOwn(ROOMS, room)) throw new Error(`no room ${room}: ${Object.keys(ROOMS).join(', ')}`);

const results = new Results(root);
/** Patterns of files: `*` stands for a part of a name, `**` for folders too. */
const patterns = values.files.map(
  (pattern) =>
    new RegExp(`^${pattern.replace(/[.+^$()|[\]{}]/g, '\\$&').replaceAll(/\*+/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))}$`),
);
/** Files by room. @type {Map<string, string[]>} */
const asked = new Map();
for (const [room, { sources }] of Object.entries(ROOMS)) {
  const names = sources.flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`));
  const files = names.filter(
    (name) => name.endsWith('.ts') && (values.room.includes(room) || patterns.some((one) => one.test(name))),
  );
  if (files.length > 0) asked.set(room, files.sort());
}

if (values.table) {
  console.log(results.table());
  const page = join(root, 'CONTRIBUTING.md');
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), results.table()));
} else if (values.survivors) {
  for (const room of asked.size > 0 ? asked.keys() : Object.keys(ROOMS))
    for (const text of results.survivorsOf(room)) console.log(text);
} else if (asked.size === 0) {
  throw new Error('name sources of a room: --files or --room');
} else if (values.dry) {
  for (const files of asked.values()) {
    const { texts, order } = draw(root, files, Number(values.seed));
    for (const { file, fault } of order.slice(0, Number(values.faults))) {
      const { line, kind, from, to } = mutantOf(file, texts.get(file), fault);
      console.log(`${file}:${line} ${kind}: ${from} -> ${to}`);
    }
  }
} else {
  copyTree();
  const judge = new Judge();
  for (const [room, files] of asked) {
    const missing = ROOMS[room].tests.filter((test) => !existsSync(join(tree, test)));
    if (missing.length > 0) throw new Error(`no test file ${missing.join(', ')}`);
    await mutateRoom(room, files, Number(values.faults), Number(values.seed), results, judge);
    const { faults, killed, survivors, explained } = results.countsOf(room);
    console.log(`${room}: ${killed} of ${faults} killed, ${explained} of ${survivors} survivors explained`);
  }
  judge.runs.end();
}
