// Plots of docs/limits.md: what was measured in each engine against the value that grows (bench/limits.mjs). In: the newest limits.json of
// bench/results. Out: drawings by name. A filled point holds with all seeds, an open one does not.
import { ENGINES, newest } from '../figures/results.mjs';
import { circle, drawing, label, line, path, text } from './kit.mjs';

const [WIDTH, HEIGHT] = [680, 300];
const FRAME = { left: 74, right: 500, top: 42, bottom: 250 };
/** Strokes of the engines; their variants are dashed. */
const STROKES = { talus: 'edge', rapier: 'warm', jolt: 'good', havok: 'soft' };
const VARIANTS = { high: 'more effort', ccd: 'continuous' };

/**
 * Place of a value on a logarithmic or linear axis.
 * @param {number[]} range @param {number[]} places @param {boolean} isLinear
 */
function axis([low = 0, high = 1], [from = 0, to = 1], isLinear) {
  const of = isLinear ? (v) => v : Math.log10;
  return (value) => from + ((of(value) - of(low)) / (of(high) - of(low))) * (to - from);
}

/**
 * Powers of ten within a range; round steps on a linear axis.
 * @param {number[]} range @param {boolean} isLinear
 */
function ticks([low = 0, high = 1], isLinear) {
  if (isLinear) return Array.from({ length: 6 }, (_, i) => (i * high) / 5);
  const first = Math.ceil(Math.log10(low));
  const all = Array.from({ length: Math.floor(Math.log10(high)) - first + 1 }, (_, i) => 10 ** (first + i));
  return all.length > 8 ? all.filter((_, i) => i % 2 === 0) : all;
}

const number = (value) =>
  value === 0 || value >= 1e-3 ? value.toLocaleString('en', { maximumSignificantDigits: 3 }) : value.toExponential(0);

/** Range of a logarithmic axis of measures: whole powers of ten, at most eight. */
function rangeOf(values) {
  const high = 10 ** Math.ceil(Math.log10(Math.max(...values)));
  const low = 10 ** Math.floor(Math.log10(Math.min(...values)));
  return [Math.max(low, high / 1e8), high];
}

/** One engine: its curve, its points, its name. */
function curve(rows, x, y, least, spec, i) {
  const [engine, variant] = spec.split(':');
  const stroke = STROKES[engine];
  const places = rows
    .filter(({ measure }) => measure !== null)
    .map((row) => ({ row, x: x(row.value), y: y(Math.max(row.measure, least)) }));
  const d = places.map((p, k) => `${k === 0 ? 'M' : 'L'}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join(' ');
  const at = FRAME.top + 10 + 22 * i;
  const cls = variant ? `${stroke} dash` : stroke;
  return [
    path(d, cls),
    ...places.map((p) => circle(p.x, p.y, 3, `${stroke} ${p.row.held === p.row.seeds ? 'full' : 'open'}`)),
    line(FRAME.right + 16, at, FRAME.right + 40, at, cls),
    text(FRAME.right + 46, at + 4, ENGINES[engine] + (variant ? `, ${VARIANTS[variant]}` : ''), 't-small'),
  ];
}

/** The plot of one limit. */
function plot({ name, title, value, values, measure, engines, linear, average }, results) {
  const rows = results.filter(({ envelope }) => envelope === name);
  const found = rows.map((row) => row.measure).filter((v) => v !== null && v > 0);
  const ranges = { x: [linear ? 0 : values[0], values.at(-1)], y: average ? [0, 100] : rangeOf(found) };
  const x = axis(ranges.x, [FRAME.left, FRAME.right], linear);
  const y = axis(ranges.y, [FRAME.bottom, FRAME.top], average);
  const least = average ? 0 : ranges.y[0];
  const grid = [
    ...ticks(ranges.x, linear).map((v) => [
      line(x(v), FRAME.top, x(v), FRAME.bottom, 'thin'),
      label(x(v), FRAME.bottom + 17, number(v), 't-small t-soft'),
    ]),
    ...ticks(ranges.y, average).map((v) => [
      line(FRAME.left, y(v), FRAME.right, y(v), 'thin'),
      text(FRAME.left - 6, y(v) + 4, number(v), 't-small t-soft', 'end'),
    ]),
  ];
  return drawing(
    WIDTH,
    HEIGHT,
    title,
    `${measure}, against ${value}, for each engine; the table on the page has the limits`,
    text(20, 26, `${measure}${average ? '' : ', median'}`, 't-small'),
    label((FRAME.left + FRAME.right) / 2, HEIGHT - 14, value, 't-small'),
    grid,
    Object.keys(engines).map((spec, i) =>
      curve(
        rows.filter(({ engine }) => engine === spec),
        x,
        y,
        least,
        spec,
        i,
      ),
    ),
  );
}

const file = newest('limits.json');

/** Drawings by the names of their files. */
export const LIMITS = Object.fromEntries(
  file.limits.map((one) => [`limits_${one.name.replaceAll('-', '_')}`, () => plot(one, file.results)]),
);
