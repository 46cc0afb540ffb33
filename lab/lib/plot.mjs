// SVG plots without a browser: Observable Plot on a document of linkedom. A plot has at most six curves, told apart by color and by
// dashes; what has more is drawn as several plots, those after the first folded away on the page.
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

const { document } = parseHTML('<!doctype html><html><body></body></html>');
const FONT = 'font-family:system-ui,sans-serif;background:#fff;color:#222';

/** More curves are not read. */
export const MOST_CURVES = 6;

/** Middle tones, which can be told from white and from dark grey. */
const COLORS = ['#1f77b4', '#d62728', '#2ca02c', '#e07b00', '#9467bd', '#17a2b8', '#8c564b', '#d65fb0'];
const DASHES = ['', '7 3', '2 3', '9 3 2 3', '12 4', '4 2', '1 2', '6 2 1 2'];

const MARGIN = { top: 24, right: 210, bottom: 44, left: 64 };
const WIDTH = 740;

/** A plot as SVG text that stands on its own, with the legend of its colors inside. */
function toSvg(options, domain, isDashed) {
  const figure = Plot.plot({
    document,
    width: WIDTH,
    height: 420,
    marginTop: MARGIN.top,
    marginLeft: MARGIN.left,
    marginRight: MARGIN.right,
    marginBottom: MARGIN.bottom,
    ...options,
  });
  figure.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  figure.setAttribute('style', FONT);
  // linkedom knows no figures with several elements: the legend is drawn into the margin.
  const left = WIDTH - MARGIN.right + 12;
  domain.forEach((name, i) => {
    const y = 32 + 17 * i;
    const color = COLORS[i % COLORS.length];
    const dash = isDashed && DASHES[i % DASHES.length] ? ` stroke-dasharray="${DASHES[i % DASHES.length]}"` : '';
    const label = String(name).replace(/&/g, '&amp;').replace(/</g, '&lt;');
    figure.insertAdjacentHTML?.(
      'beforeend',
      `<g><line x1="${left}" x2="${left + 24}" y1="${y}" y2="${y}" stroke="${color}" stroke-width="2.5"${dash}></line><text x="${left + 30}" y="${y + 4}" text-anchor="start" font-size="11" fill="currentColor">${label}</text></g>`,
    );
  });
  return figure.outerHTML;
}

/** Labels of axes: of x in the middle below the frame, of y above its axis. */
const axisX = (label) => ({ label, labelAnchor: 'center', labelArrow: 'none' });
const axisY = (label) => ({ label, labelArrow: 'none', grid: true });

/**
 * Lines of `{ x, y, series }`.
 * @param {{ x: number, y: number, series: string }[]} data
 * @param {{ xLabel: string, yLabel: string, title?: string, logY?: boolean, logX?: boolean, points?: boolean }} options
 */
export function lines(data, { xLabel, yLabel, title, logY = false, logX = false, points = false }) {
  const rows = data.filter((d) => Number.isFinite(d.y) && (!logY || d.y > 0) && (!logX || d.x > 0));
  const domain = [...new Set(rows.map((d) => d.series))];
  const range = domain.map((_, i) => COLORS[i % COLORS.length]);
  const marks = [Plot.frame({ stroke: 'currentColor', strokeOpacity: 0.25 })];
  domain.forEach((series, i) => {
    const mine = rows.filter((d) => d.series === series);
    const look = { stroke: range[i], strokeWidth: 1.7, strokeDasharray: DASHES[i % DASHES.length] || undefined };
    marks.push(Plot.line(mine, { x: 'x', y: 'y', ...look }));
    if (points) marks.push(Plot.dot(mine, { x: 'x', y: 'y', fill: range[i], r: 2.5 }));
  });
  return toSvg(
    {
      x: { ...axisX(xLabel), type: logX ? 'log' : 'linear', grid: true, tickFormat: logX ? '~s' : undefined },
      y: {
        ...axisY(title ? `${title}: ${yLabel}` : yLabel),
        type: logY ? 'log' : 'linear',
        tickFormat: logY ? (v) => String(Number(v.toPrecision(1))) : undefined,
      },
      marks,
    },
    domain,
    true,
  );
}

/**
 * Plots of any number of curves: the first has `picked` (or the first six), the others come after it in sixes, folded away (`behind`).
 * @param {string} name Of the first file; the others get a number.
 * @param {string} caption
 * @param {{ x: number, y: number, series: string }[]} data
 * @param {object} options As `lines`.
 * @param {string[]} [picked] Series of the first plot, at most six.
 * @returns {{ name: string, caption: string, svg: string, behind: boolean }[]}
 */
export function figures(name, caption, data, options, picked) {
  const all = [...new Set(data.map((d) => d.series))];
  const first = (picked ?? all).filter((series) => all.includes(series)).slice(0, MOST_CURVES);
  const others = all.filter((series) => !first.includes(series));
  const groups = [first];
  for (let i = 0; i < others.length; i += MOST_CURVES) groups.push(others.slice(i, i + MOST_CURVES));
  return groups
    .filter((group) => group.length > 0)
    .map((group, i) => ({
      name: i === 0 ? name : `${name}-${i + 1}`,
      caption: i === 0 ? caption : `${caption} The others${groups.length > 2 ? `, ${i} of ${groups.length - 1}` : ''}.`,
      svg: lines(
        data.filter((d) => group.includes(d.series)),
        options,
      ),
      behind: i > 0,
    }));
}

/** Bars of `{ x, y, series }`, side by side within each x. */
export function bars(data, { xLabel, yLabel, logY = false }) {
  const domain = [...new Set(data.map((d) => d.series))];
  const range = domain.map((_, i) => COLORS[i % COLORS.length]);
  const keys = [...new Set(data.map((d) => d.x))];
  const base = logY ? Math.min(...data.map((d) => d.y).filter((y) => y > 0)) / 2 : 0;
  return toSvg(
    {
      fx: { label: xLabel || null, domain: keys, padding: 0.12, axis: 'bottom', labelAnchor: 'center' },
      x: { axis: null, domain },
      y: { ...axisY(yLabel), type: logY ? 'log' : 'linear' },
      color: { domain, range },
      marks: [Plot.barY(data, { fx: 'x', x: 'series', y1: () => base, y2: 'y', fill: 'series' }), Plot.ruleY([base])],
    },
    domain,
    false,
  );
}
