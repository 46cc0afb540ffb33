// The model beside everything that was measured: reads the result files and the published times, and makes the table of the docs.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Calibrated,
  clockRows,
  linkRows,
  type MeasuredCounts,
  paceRows,
  publishedRows,
  reportRows,
  worst,
} from '../model/calibration';
import type { Table } from '../model/kernels';

const H200 = '2026-11-26_nvidia-h200';
const H100 = '2026-11-26_nvidia-h100';

/** Times of one source. */
export interface CalibratedGroup {
  what: string;
  /** File below bench/results, or an address. */
  source: string;
  rows: Calibrated[];
}

/** All measured times beside those of the model. `root`: folder of the repository. */
export function calibrate(root: string): CalibratedGroup[] {
  const read = (path: string) => JSON.parse(readFileSync(resolve(root, 'bench/results', path), 'utf8'));
  const counts: MeasuredCounts = read(`${H200}/counts.json`);
  const clock = clockRows(read(`${H200}/gpu-clock.json`).results, counts);
  const of = (what: string) => clock.filter((one) => one.what.startsWith(what));
  const full = (one: Calibrated) => one.what.endsWith('1,980 MHz');
  const pace = read(`${H100}/pace.json`).results;
  const reports = ['rest', 'landing'].map((name) => ({ path: `${H200}/profile/${name}.json`, name }));
  const published = publishedRows();
  return [
    { what: 'pass, full clock', source: `${H200}/gpu-clock.json`, rows: of('pass').filter(full) },
    { what: 'pass, low clock', source: `${H200}/gpu-clock.json`, rows: of('pass').filter((one) => !full(one)) },
    { what: 'answer', source: `${H200}/gpu-clock.json`, rows: of('answer') },
    ...reports.map(({ path, name }) => ({
      what: name === 'rest' ? 'pass at rest, clock not known' : 'pass while landing, clock not known',
      source: path,
      rows: reportRows(read(path), counts),
    })),
    { what: 'readback', source: `${H200}/profile/rest.json`, rows: linkRows(read(`${H200}/profile/rest.json`).link) },
    { what: 'pass and answer, clock not known', source: `${H100}/pace.json`, rows: paceRows(pace, counts) },
    ...['m4-max', 'm1pro-mbp-16c'].map((name, i) => ({
      what: 'solver of three-avbd',
      source: `https://github.com/sbobyn/three-avbd/blob/main/docs/data/bench3d/${name}.json`,
      rows: published.filter((one) => one.device === (i === 0 ? 'Apple M4 Max' : 'Apple M1 Pro')),
    })),
  ];
}

const ms = (value: number) => (value < 0.1 ? value.toFixed(3) : value.toPrecision(3));

/** Every time: measured, by the model, ratio. */
export function calibrationTable(groups: readonly CalibratedGroup[]): Table {
  return {
    head: ['device', 'what', 'scene', 'measured, ms', 'model, ms', 'ratio'],
    rows: groups.flatMap(({ what, rows }) =>
      rows.map((one) => [
        one.device,
        what.startsWith('pass, low') ? one.what : what,
        one.scene,
        ms(one.measured),
        one.model[0] === one.model[1] ? ms(one.model[0]) : `${ms(one.model[0])} to ${ms(one.model[1])}`,
        one.ratio.toFixed(2),
      ]),
    ),
  };
}

/** A line for each source. */
export function calibrationSummary(groups: readonly CalibratedGroup[]): Table {
  return {
    head: ['device', 'what', 'times', 'ratio, least to most', 'worst factor'],
    rows: groups.map(({ what, rows }) => {
      const ratios = rows.map((one) => one.ratio);
      const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
      return [rows[0]!.device, what, String(rows.length), range, worst(rows).toFixed(2)];
    }),
  };
}
