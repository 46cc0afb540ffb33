// SVG plots without a browser: Observable Plot on a document of linkedom.
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

const { document } = parseHTML('<!doctype html><html><body></body></html>');
const FONT = 'font-family:system-ui,sans-serif;background:#fff;color:#222';

/** A plot as SVG text that stands on its own, with the legend of its colors inside. */
function toSvg(options, domain) {
  const figure = Plot.plot({ document, width: 720, height: 420, marginLeft: 64, marginRight: 190, ...options });
  figure.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  figure.setAttribute('style', FONT);
  // linkedom knows no figures with several elements: the legend is drawn into the margin.
  const range = options.color.range;
  domain.forEach((name, i) => {
    const y = 30 + 16 * i;
    const dash = options.dashes?.[i] ? ` stroke-dasharray="${options.dashes[i]}"` : '';
    const label = String(name).replace(/&/g, '&amp;').replace(/</g, '&lt;');
    figure.insertAdjacentHTML?.(
      'beforeend',
      `<g><line x1="542" x2="562" y1="${y}" y2="${y}" stroke="${range[i]}" stroke-width="2.5"${dash}></line><text x="568" y="${y + 4}" text-anchor="start" font-size="11" fill="#222">${label}</text></g>`,
    );
  });
  return figure.outerHTML;
}

const COLORS = [
  '#1f77b4',
  '#d62728',
  '#9467bd',
  '#2ca02c',
  '#ff7f0e',
  '#17becf',
  '#8c564b',
  '#e377c2',
  '#7f7f7f',
  '#bcbd22',
  '#003f5c',
  '#ff6361',
  '#58508d',
  '#00a676',
  '#c0a000',
  '#444444',
];

/**
 * Lines of `{ x, y, series }`.
 * @param {{ x: number, y: number, series: string }[]} data
 * @param {{ xLabel: string, yLabel: string, title?: string, logY?: boolean, logX?: boolean, points?: boolean }} options
 */
export function lines(data, { xLabel, yLabel, title, logY = false, logX = false, points = false }) {
  const rows = data.filter((d) => Number.isFinite(d.y) && (!logY || d.y > 0) && (!logX || d.x > 0));
  const domain = [...new Set(rows.map((d) => d.series))];
  const range = domain.map((_, i) => COLORS[i % COLORS.length]);
  const marks = [Plot.frame({ stroke: '#ddd' }), Plot.line(rows, { x: 'x', y: 'y', stroke: 'series', strokeWidth: 1.6 })];
  if (points) marks.push(Plot.dot(rows, { x: 'x', y: 'y', fill: 'series', r: 2.5 }));
  return toSvg(
    {
      title: undefined,
      caption: undefined,
      x: { label: xLabel, type: logX ? 'log' : 'linear', grid: true, tickFormat: logX ? '~s' : undefined },
      y: {
        label: title ? `${title}: ${yLabel}` : yLabel,
        type: logY ? 'log' : 'linear',
        grid: true,
        tickFormat: logY ? (v) => String(Number(v.toPrecision(1))) : undefined,
      },
      color: { domain, range },
      marks,
    },
    domain,
  );
}

/** Bars of `{ x, y, series }`, side by side within each x. */
export function bars(data, { xLabel, yLabel, logY = false }) {
  const domain = [...new Set(data.map((d) => d.series))];
  const range = domain.map((_, i) => COLORS[i % COLORS.length]);
  const keys = [...new Set(data.map((d) => d.x))];
  const base = logY ? Math.min(...data.map((d) => d.y).filter((y) => y > 0)) / 2 : 0;
  return toSvg(
    {
      fx: { label: xLabel, domain: keys, padding: 0.12 },
      x: { axis: null, domain },
      y: { label: yLabel, grid: true, type: logY ? 'log' : 'linear' },
      color: { domain, range },
      marks: [Plot.barY(data, { fx: 'x', x: 'series', y1: () => base, y2: 'y', fill: 'series' }), Plot.ruleY([base])],
    },
    domain,
  );
}
