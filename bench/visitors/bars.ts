// Bars of milliseconds per step: a table that reads well without its pictures. The page that measures has a row for each way to
// solve, the page of results (site/visitors.mjs) one for each machine; both use bars.css.
import { DOUBTS, type Doubt, type VisitorFigure } from './report';

export interface BarRow {
  /** Heading of the row, as text; `note` is a second line. */
  name: string;
  note?: string;
  figure: VisitorFigure;
  /** Of the whole run. */
  doubts?: readonly Doubt[];
}

/** How far the scale goes beyond the longest bar, for the whiskers: single late steps may lie far out. */
const ROOM = 3;

export const escaped = (text: unknown): string =>
  String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

/** Milliseconds and steps per second with three digits. */
export function digits3(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}

/** All doubts about a figure, its own first. */
export const doubtsOf = ({ figure, doubts = [] }: BarRow): Doubt[] => [...new Set([...figure.doubts, ...doubts])];

/** Full scale of the bars of some rows, ms; 0 without figures. Software adapters do not count: beside them no other bar would be seen. */
export function scaleOf(rows: readonly BarRow[]): number {
  const figures = rows.map(({ figure }) => figure).filter(({ median }) => median !== null);
  const counted = figures.filter(({ doubts }) => !doubts.includes('software'));
  const [medians, p95s] = (['median', 'p95'] as const).map((field) =>
    Math.max(0, ...(counted.length > 0 ? counted : figures).map((figure) => figure[field]!)),
  ) as [number, number];
  return Math.min(p95s, ROOM * medians);
}

function rowHtml(row: BarRow, scale: number): string {
  const { name, note, figure } = row;
  const head = `<th scope="row">${escaped(name)}${note ? ` <small>${escaped(note)}</small>` : ''}</th>`;
  const { median, p95 } = figure;
  if (median === null || p95 === null) return `<tr class="missing">${head}<td colspan="4">${escaped(figure.missing)}</td></tr>`;
  const share = (ms: number) => `${Math.min(100, (100 * ms) / scale).toFixed(1)}%`;
  const doubts = doubtsOf(row);
  const mark = doubts.length > 0 ? ` <abbr title="${escaped(doubts.map((doubt) => DOUBTS[doubt]).join(' '))}">?</abbr>` : '';
  const isCut = median > scale;
  return `<tr class="${figure.way}${doubts.length > 0 ? ' doubtful' : ''}">${head}<td class="bar" aria-hidden="true"><div><i style="width:${share(median)}"${isCut ? ' class="cut"' : ''}></i>${
    p95 <= scale ? `<b style="left:${share(p95)}"></b>` : ''
  }</div></td><td class="n">${digits3(median)}${mark}</td><td class="n">${digits3(p95)}</td><td class="n">${digits3(1000 / median)}</td></tr>`;
}

/** Rows under one caption; `groups` have a heading each, or '' for none. */
export function barsHtml(caption: string, groups: readonly { title: string; rows: readonly BarRow[] }[]): string {
  const all = groups.flatMap(({ rows }) => rows);
  const scale = scaleOf(all);
  const isCut = all.some(({ figure }) => (figure.median ?? 0) > scale);
  const head = ['ms per step', '95 %', 'steps per second'].map((text) => `<th scope="col" class="n">${text}</th>`).join('');
  const bodies = groups.map(
    ({ title, rows }) =>
      `<tbody>${title ? `<tr class="group"><th scope="rowgroup" colspan="5">${escaped(title)}</th></tr>` : ''}${rows.map((row) => rowHtml(row, scale)).join('')}</tbody>`,
  );
  return `<figure class="bars"><div class="bars-scroll" tabindex="0" role="group" aria-label="${escaped(caption)}"><table><caption>${escaped(caption)}</caption><thead><tr><td></td><td class="bar"></td>${head}</tr></thead>${bodies.join('')}</table></div>${
    isCut ? '<figcaption>Bars with an open end are longer than there is room for.</figcaption>' : ''
  }</figure>`;
}

/** A list of what the question marks in some rows mean; '' where there are none. */
export function doubtsHtml(rows: readonly BarRow[]): string {
  const found = new Set(rows.filter(({ figure }) => figure.median !== null).flatMap(doubtsOf));
  if (found.size === 0) return '';
  const items = [...found].map((doubt) => `<li>${DOUBTS[doubt]}</li>`).join('');
  return `<div class="doubts"><p>Not to be trusted, where a <b>?</b> stands:</p><ul>${items}</ul></div>`;
}
