// Mutation testing: seeds faults in the core and in the controllers and finds out whether a test fails.
// `npm run mutate -- --files 'assembly/joints/*' --faults 200 --seed 1` judges so many mutants of each room that the files belong to;
// `--room joints` stands for all files of a room. It goes on where it was stopped. `--seconds 12` leaves a mutant as a survivor once tests
// have taken so long for it; the next run goes on with the tests that are left. `--table` writes the table of results into
// CONTRIBUTING.md, `--survivors` lists mutants that no test killed, `--dry` lists the first faults of the draw and runs nothing.
// Sources are never changed: they are copied to build/mutate. Mutants of the core are compiled from memory, hundreds of a room into one
// binary (switches.mjs); mutants of TypeScript are written into the copy. Kinds of faults: scripts/mutate/faults.mjs. Tests of a room:
// rooms.mjs. Results: results.mjs.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compileCore, compileMarked, compileSwitched } from './mutate/core.mjs';
import { drawOrder, faultsIn, withFault } from './mutate/faults.mjs';
import { keyOf, mutantOf, Results, withTable } from './mutate/results.mjs';
import { ROOMS } from './mutate/rooms.mjs';
import { switchedTo } from './mutate/switches.mjs';
import { TestRuns } from './mutate/tests.mjs';

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true, default: [] },
    room: { type: 'string', multiple: true, default: [] },
    faults: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: 'Infinity' },
    table: { type: 'boolean', default: false },
    survivors: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
  },
});
/** Seconds of processor time of the tests of a mutant, after which no further file is started. */
const MOST_SECONDS = Number(values.seconds);
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

const isCore = (file) => file.startsWith('assembly/');
/** Cores that a test file loads: the host also loads that of the study. @returns {('test' | 'release')[]} */
const targetsOf = (test) => (test.startsWith('tests/assembly/') ? ['test'] : ['test', 'release']);
const use = (target, binary) => writeFileSync(join(cores, `${target}.wasm`), binary);

/** Fewer mutants than this are not worth a compile with marks. */
const LEAST_MARKED = 12;

/**
 * Judges mutants of one tree. Mutants of the core that `prepare` was given are compiled into one binary with switches; what cannot stand
 * behind a switch is compiled alone. Test files first run with a core that marks the mutants that would compute another value: others
 * pass by that.
 * @typedef {import('./mutate/core.mjs').Mutant} Mutant
 */
class Judge {
  runs = new TestRuns(tree, cores);
  /** Binaries without a fault, compiled as those with a fault alone. @type {Map<string, Buffer>} */
  #plain = new Map();
  /** Binaries with switches for the mutants of now, and the numbers of these. @type {Map<string, { binary: Buffer, ids: Map<Mutant, number> }>} */
  #switched = new Map();
  /** Binaries that mark the mutants of now. @type {Map<string, { binary: Buffer, ids: Map<Mutant, number> }>} */
  #marking = new Map();
  /** Numbers of the mutants that a test file marked, by file. @type {Map<string, Set<number> | null>} */
  #marked = new Map();
  /** Mutants behind switches of now. @type {Mutant[]} */
  #mutants = [];
  /** Test files that fail without a fault. */
  #leftOut = new Set();

  /** Takes mutants of the core that are then judged: those that can stand behind switches are compiled together. */
  prepare(/** @type {Mutant[]} */ mutants) {
    this.#switched.clear();
    this.#marking.clear();
    this.#marked.clear();
    this.#mutants = mutants;
  }

  /**
   * Numbers of the mutants that a test file marks: it runs once with cores that mark. Null where nothing is known: too few mutants are
   * judged, or the file fails with those cores.
   */
  async #marksOf(test) {
    if (this.#mutants.length < LEAST_MARKED) return null;
    if (!this.#marked.has(test)) {
      for (const target of targetsOf(test)) {
        if (!this.#marking.has(target)) this.#marking.set(target, await compileMarked(tree, target, this.#mutants));
        use(target, this.#marking.get(target).binary);
      }
      const path = join(cores, 'marked.json');
      rmSync(path, { force: true });
      const failure = await this.runs.run(test);
      const passed = failure === null && existsSync(path);
      if (!passed) console.error(`${test} fails with marks: ${failure?.test ?? 'none written'}: ${failure?.message ?? ''}`);
      // Of mutants that cannot be marked nothing is known: each file counts as one that meets them.
      const unmarked = this.#mutants.filter((one) => targetsOf(test).some((target) => !this.#marking.get(target).ids.has(one)));
      const numbers = unmarked.map((one) => this.#mutants.indexOf(one) + 1);
      this.#marked.set(test, passed ? new Set([...JSON.parse(readFileSync(path, 'utf8')), ...numbers]) : null);
    }
    return this.#marked.get(test);
  }

  async #plainCore(target) {
    if (!this.#plain.has(target)) this.#plain.set(target, await compileCore(tree, target));
    return this.#plain.get(target);
  }

  /** Whether a mutant stands behind a switch of a target, and the binary with its fault: null where it does not compile. */
  async #faultyCore(mutant, target) {
    if (!this.#switched.has(target)) this.#switched.set(target, await compileSwitched(tree, target, this.#mutants));
    const { binary, ids } = this.#switched.get(target);
    const id = ids.get(mutant);
    if (id !== undefined) return { isSwitched: true, binary: switchedTo(binary, id) };
    return { isSwitched: false, binary: await this.#compiledAlone(mutant, target) };
  }

  #compiledAlone({ file, text, fault }, target) {
    return compileCore(tree, target, file, withFault(text, fault));
  }

  async #isPlain(binary) {
    return binary !== null && Buffer.compare(binary, await this.#plainCore('test')) === 0;
  }

  /** Seconds of processor time so far, of this process and of the tests. */
  get seconds() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6 + this.runs.seconds;
  }

  /** The verdict of tests on a mutant: they run until one fails. With the test that failed and the files that ran. */
  async judge(/** @type {Mutant} */ mutant, tests) {
    return isCore(mutant.file) ? await this.#judgeCore(mutant, tests) : await this.#judgeHost(mutant, tests);
  }

  async #judgeHost({ file, text, fault }, tests) {
    const write = (content) => {
      writeFileSync(join(tree, file), content);
      this.runs.change(file);
    };
    await this.#usePlain();
    return await this.#runTests(tests, { plain: () => write(text), faulty: () => write(withFault(text, fault)) });
  }

  async #judgeCore(mutant, tests) {
    const first = await this.#faultyCore(mutant, 'test');
    if (first.binary === null) return { verdict: 'invalid', ran: [], met: [] };
    if (!first.isSwitched && (await this.#isPlain(first.binary))) return { verdict: 'equivalent', ran: [], met: [] };
    /** Targets whose binary has the fault. @type {Set<string>} */
    const installed = new Set();
    const plain = async () => {
      installed.clear();
      await this.#usePlain();
    };
    const faulty = async (test) => {
      for (const target of targetsOf(test)) {
        if (installed.has(target)) continue;
        installed.add(target);
        const { binary } = target === 'test' ? first : await this.#faultyCore(mutant, target);
        // What only the study has is not in the product: its core then is as it was.
        use(target, binary ?? (await this.#plainCore(target)));
      }
    };
    const number = first.isSwitched ? this.#mutants.indexOf(mutant) + 1 : 0;
    const isMet = async (test) => {
      if (number === 0) return true;
      installed.clear();
      return (await this.#marksOf(test))?.has(number) ?? true;
    };
    await plain();
    const result = await this.#runTests(tests, { plain, faulty, isMet });
    if (result.verdict !== 'survived' || !first.isSwitched || result.met.length > 0) return result;
    const isSame = await this.#isPlain(await this.#compiledAlone(mutant, 'test'));
    return { ...result, verdict: isSame ? 'equivalent' : 'survived' };
  }

  async #usePlain() {
    for (const target of ['test', 'release']) use(target, await this.#plainCore(target));
  }

  /**
   * Runs test files until one fails. `isMet`: whether a file meets a place where the fault gives another value; one that does not passes
   * by that. Resolves with the verdict, the failed test, the files that passed or failed, and those of them that met the fault.
   */
  async #runTests(tests, { plain, faulty, isMet = async (_test) => true }) {
    const ran = [];
    const met = [];
    let spent = 0;
    try {
      for (const test of tests) {
        if (spent > MOST_SECONDS) break;
        const isRun = await isMet(test);
        if (!this.runs.knows(test)) {
          await plain();
          if (!(await this.#passes(test))) continue;
        }
        ran.push(test);
        if (!isRun) continue;
        met.push(test);
        spent += this.runs.usual(test);
        await faulty(test);
        const failure = await this.runs.run(test);
        if (failure !== null)
          return { verdict: failure.test === 'timeout' ? 'timeout' : 'killed', test: `${test} > ${failure.test}`, ran, met };
      }
    } finally {
      await plain();
    }
    return { verdict: 'survived', ran, met };
  }

  /** Whether a test file passes without a fault: it runs once. One that does not is left out, and survivors run it next time. */
  async #passes(test) {
    if (this.#leftOut.has(test)) return false;
    const before = this.runs.seconds;
    const failure = await this.runs.run(test);
    if (failure === null) {
      console.log(`           ${(this.runs.seconds - before).toFixed(1)} s without a fault: ${test}`);
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

/**
 * Test files in the order of likely kills per second, by the results of a room so far. New files come first, in the order of the room.
 */
function inOrder(tests, room, results, runs) {
  const [killers, known] = [results.killersOf(room), results.testsOf(room)];
  const weight = (test) => (known.has(test) ? (1 + (killers.get(test) ?? 0)) / (4 + runs.usual(test)) : Number.POSITIVE_INFINITY);
  return [...tests].sort((a, b) => (weight(a) === weight(b) ? 0 : weight(b) - weight(a)));
}

/** Judges mutants of a room until `count` count. */
async function mutateRoom(room, files, count, seed, results, judge) {
  const { texts, order } = draw(tree, files, seed);
  console.log(`${room}: ${order.length} faults in ${files.length} files`);
  const counts = (result) => result !== undefined && result.verdict !== 'invalid' && result.verdict !== 'equivalent';
  const asMutant = ({ file, fault }) => ({ file, text: texts.get(file), fault });
  const judgeOne = async (mutant) => {
    const named = mutantOf(mutant.file, mutant.text, mutant.fault);
    const known = results.ofRoom(room).get(keyOf(named));
    const tests = inOrder(results.testsLeft(room, named), room, results, judge.runs);
    if (tests.length === 0) return known;
    const before = judge.seconds;
    const { verdict, test, ran, met } = await judge.judge(mutant, tests);
    // Files that a survivor passed before and that are the same still count for it.
    const passed = known?.verdict === 'survived' && verdict === 'survived' ? known.tests : {};
    const prints = verdict === 'survived' ? ran : test ? [ran.at(-1)] : [];
    const isMet = met.length > 0 || (known?.verdict === 'survived' && known.unmet !== true);
    const fresh = { ...passed, ...Object.fromEntries(prints.map((name) => [name, results.fileNow(name)])) };
    const result = {
      ...named,
      verdict,
      ...(test && { test }),
      ...(verdict === 'survived' && !isMet && { unmet: true }),
      tests: fresh,
      seconds: Number((judge.seconds - before).toFixed(1)),
    };
    results.add(room, result);
    console.log(
      `${verdict.padEnd(10)} ${result.seconds} s  ${named.file}:${named.line} ${named.kind}: ${named.from} -> ${named.to}${test ? `  [${test}]` : ''}`,
    );
    return result;
  };
  let counted = 0;
  for (let next = 0; counted < count && next < order.length; ) {
    const batch = order.slice(next, next + count - counted).map(asMutant);
    next += batch.length;
    const left = batch.filter(
      ({ file, text, fault }) => isCore(file) && results.testsLeft(room, mutantOf(file, text, fault)).length > 0,
    );
    judge.prepare(left);
    for (const mutant of batch) if (counts(await judgeOne(mutant))) counted++;
  }
}

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
