// Tables for the terminal and small result files: bench/results/<date>_<machine>/<name>.json and .csv.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { resolve } from 'node:path';
import Table from 'cli-table3';

/** Number with three significant digits, short for tables. */
export function short(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return '-';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1000) return value.toFixed(0);
  return size < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(digits)));
}

export const millimetres = (metres) => short(metres * 1000);

/** A terminal table without colors and without lines between rows, so that it stays readable in a log. */
export function table(head, rows) {
  const t = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const row of rows) t.push(row);
  return t.toString();
}

/** What the numbers were measured on. */
export function machine() {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    cores: cpus.length,
    memoryGb: Math.round(os.totalmem() / 2 ** 30),
    os: `${os.type()} ${os.release().split('-')[0]} ${os.arch()}`,
    node: process.version,
    loadAverage: Number(os.loadavg()[0].toFixed(2)),
  };
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}

/** What every result file starts with. */
export function provenance(program) {
  return {
    command: [program, ...process.argv.slice(2)].join(' '),
    date: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
  };
}

/** Folder of this machine and day under bench/results. */
export function resultFolder() {
  const slug = `${machine().cpu} ${machine().cores} cores`
    .toLowerCase()
    .replace(/\((r|tm)\)|cpu|processor|@/g, '')
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^-|-$/g, '');
  const folder = resolve(import.meta.dirname, '../results', `${new Date().toISOString().slice(0, 10)}_${slug}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Objects as CSV; nested objects become dotted columns, arrays are left out. */
export function csv(rows) {
  const flat = rows.map((row) => flatten(row));
  const columns = [...new Set(flat.flatMap((row) => Object.keys(row)))];
  const cell = (v) =>
    v === null || v === undefined ? '' : typeof v === 'number' ? String(Number(v.toPrecision(6))) : JSON.stringify(v);
  return `${[columns.join(','), ...flat.map((row) => columns.map((c) => cell(row[c])).join(','))].join('\n')}\n`;
}

function flatten(object, prefix = '', out = {}) {
  for (const [key, value] of Object.entries(object)) {
    if (ArrayBuffer.isView(value) || Array.isArray(value)) continue;
    if (value !== null && typeof value === 'object') flatten(value, `${prefix}${key}.`, out);
    else out[`${prefix}${key}`] = value;
  }
  return out;
}

/** Numbers with six significant digits and no typed arrays: what a small JSON file needs. */
export function compactJson(object) {
  const text = JSON.stringify(
    object,
    (_key, value) => {
      if (ArrayBuffer.isView(value)) return undefined;
      return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value;
    },
    1,
  );
  return `${text}\n`;
}

/** Writes <name>.json and <name>.csv into the folder of this machine and answers the path of the first. */
export function save(name, header, rows) {
  const folder = resultFolder();
  const path = resolve(folder, `${name}.json`);
  writeFileSync(path, compactJson({ ...header, results: rows }));
  writeFileSync(resolve(folder, `${name}.csv`), csv(rows));
  return path;
}
