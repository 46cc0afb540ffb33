// Results of mutation testing: one JSON line for each mutant in tests/mutation/results/<room>.jsonl, and what is counted of them.
// A line stays valid while the source file is the same and, of a killed mutant, the test file that killed it; a survivor runs only test
// files that are new or changed. tests/mutation/explained.json names survivors that no test can or need kill.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lineAt } from './faults.mjs';
import { ROOMS } from './rooms.mjs';

/**
 * @typedef {object} Result
 * @property {string} file source, from the root
 * @property {string} source fingerprint of the source
 * @property {number} line from 1
 * @property {number} start offset in the source
 * @property {string} kind of faults.mjs
 * @property {string} from original text
 * @property {string} to mutated text
 * @property {string} context the line where the fault starts
 * @property {'killed' | 'timeout' | 'survived' | 'equivalent' | 'invalid'} verdict equivalent: the same binary; invalid: does not compile
 * @property {string} [test] the test file that killed it, and the name of its test
 * @property {true} [unmet] of a survivor: no test file meets a place where the fault gives another value
 * @property {Record<string, string>} tests fingerprints of the test files that ran, by file
 * @property {number} seconds of processor time
 */

/** The start of the SHA-256 of a text. */
export function fingerprint(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}

/** What names a mutant: the same fault of the same source. */
export function keyOf({ file, source, start, from, to }) {
  return [file, source, start, from, to].join('\n');
}

/** A mutant as a result without a verdict. */
export function mutantOf(file, text, fault) {
  const { line, context } = lineAt(text, fault.start);
  const from = text.slice(fault.start, fault.end);
  return { file, source: fingerprint(text), line, start: fault.start, kind: fault.kind, from, to: fault.text, context };
}

/** Results of the rooms in a folder. `root`: of the repository. */
export class Results {
  constructor(root, folder = 'tests/mutation') {
    this.root = root;
    this.folder = join(root, folder);
    /** @type {Map<string, Map<string, Result>>} */
    this.rooms = new Map();
    const path = join(this.folder, 'explained.json');
    /** @type {{ file: string, context: string, from: string, to: string, reason: string }[]} */
    this.explained = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
    this.fingerprints = new Map();
  }

  /** Fingerprint of a file as it is; '' where there is none. */
  fileNow(file) {
    if (!this.fingerprints.has(file)) {
      const path = join(this.root, file);
      this.fingerprints.set(file, existsSync(path) ? fingerprint(readFileSync(path, 'utf8')) : '');
    }
    return this.fingerprints.get(file);
  }

  #path(room) {
    return join(this.folder, 'results', `${room}.jsonl`);
  }

  /** Results of a room by their keys: those of sources as they are now. */
  ofRoom(room) {
    if (!this.rooms.has(room)) {
      const lines = existsSync(this.#path(room)) ? readFileSync(this.#path(room), 'utf8').split('\n').filter(Boolean) : [];
      const all = lines.map((line) => JSON.parse(line)).filter((one) => one.source === this.fileNow(one.file));
      this.rooms.set(room, new Map(all.map((one) => [keyOf(one), one])));
    }
    return this.rooms.get(room);
  }

  /** Adds a result and writes the room's file, without results of sources that have changed. */
  add(room, result) {
    this.ofRoom(room).set(keyOf(result), result);
    const path = this.#path(room);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, [...this.ofRoom(room).values()].map((one) => `${JSON.stringify(one)}\n`).join(''));
    renameSync(`${path}.${process.pid}`, path);
  }

  /**
   * Test files that a mutant still has to run, in the order of the room: all of them for a new one, none for one judged by the tests as
   * they are.
   */
  testsLeft(room, mutant) {
    const known = this.ofRoom(room).get(keyOf(mutant));
    const all = ROOMS[room].tests;
    if (!known) return all;
    if (known.verdict === 'equivalent' || known.verdict === 'invalid') return [];
    if (known.verdict === 'survived') return all.filter((test) => known.tests[test] !== this.fileNow(test));
    const killer = known.test.split(' > ')[0];
    return known.tests[killer] === this.fileNow(killer) ? [] : all;
  }

  /** How many mutants of a room each test file killed. */
  killersOf(room) {
    const counts = new Map();
    for (const { test } of this.ofRoom(room).values()) {
      const file = test?.split(' > ')[0];
      if (file) counts.set(file, (counts.get(file) ?? 0) + 1);
    }
    return counts;
  }

  /** Test files that have judged a mutant of a room. */
  testsOf(room) {
    return new Set([...this.ofRoom(room).values()].flatMap(({ tests }) => Object.keys(tests)));
  }

  /** The reason why a survivor is left, undefined where nobody has given one. */
  reasonOf(result) {
    const same = (one) =>
      one.file === result.file && one.context === result.context && one.from === result.from && one.to === result.to;
    return this.explained.find(same)?.reason;
  }

  /** Counts of a room: mutants that count, killed ones, survivors with and without a reason. */
  countsOf(room) {
    const all = [...this.ofRoom(room).values()];
    const killed = all.filter(({ verdict }) => verdict === 'killed' || verdict === 'timeout').length;
    const survivors = all.filter(({ verdict }) => verdict === 'survived');
    const explained = survivors.filter((one) => this.reasonOf(one) !== undefined).length;
    return { faults: killed + survivors.length, killed, survivors: survivors.length, explained };
  }

  /** The table of all rooms, as Markdown. */
  table() {
    const rows = Object.keys(ROOMS).flatMap((room) => {
      const { faults, killed, survivors, explained } = this.countsOf(room);
      const share = `${((100 * killed) / faults).toFixed(0)} %`;
      return faults === 0 ? [] : [`| ${room} | ${faults} | ${killed} | ${share} | ${explained} of ${survivors} |`];
    });
    return ['| room | faults | killed | share | survivors explained |', '|---|---|---|---|---|', ...rows].join('\n');
  }

  /** Survivors of a room without a reason, as text: place, kind, change, line. */
  survivorsOf(room) {
    return [...this.ofRoom(room).values()]
      .filter((one) => one.verdict === 'survived' && this.reasonOf(one) === undefined)
      .map((one) => {
        const met = one.unmet ? ' (no test meets another value)' : '';
        return `${one.file}:${one.line}: ${one.kind}: \`${one.from}\` to \`${one.to}\`${met}\n    ${one.context}`;
      });
  }
}

const MARKS = ['<!-- mutation: npm run mutate -- --table -->', '<!-- /mutation -->'];

/** A page with the table between its marks. */
export function withTable(page, table) {
  const [start, end] = MARKS.map((mark) => page.indexOf(mark));
  if (start < 0 || end < start) throw new Error(`the page needs the marks ${MARKS.join(' and ')}`);
  return `${page.slice(0, start)}${MARKS[0]}\n${table}\n${page.slice(end)}`;
}
