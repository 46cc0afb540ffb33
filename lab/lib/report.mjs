// Writes the results of experiments: CSV and SVG files and a JSON file per experiment. From all JSON files in a folder it makes one HTML
// page per paper that needs nothing else, and a front page with a line for each claim.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { csv, provenance, short as threeDigits } from '../../bench/lib/report.mjs';
import { checkClaims, countVerdicts, isOnce, VERDICTS } from './claims.mjs';

/** A number with three significant digits; powers of ten where it is far from one, as diverging methods are. */
export function short(value, digits = 3) {
  return Math.abs(value) >= 1e7 ? value.toExponential(1) : threeDigits(value, digits);
}

/** Pages in the order of the index. */
export const PAGES = {
  tonge2012: 'Tonge, Benevolenski, Voroshilov 2012: Mass Splitting for Jitter-Free Parallel Rigid Body Simulation',
  'tonge2012-proofs': 'Tonge, Benevolenski, Voroshilov 2012, supplement: proofs of convergence',
  tonge2013: 'Tonge 2013: Solving Rigid Body Contacts (talk at GDC)',
  tsuda2009: 'Tsuda 2009: Practical Rigid Body Physics for Games',
  datta2017: 'Datta 2017: Real Time Rigid Body Dynamics in 3D',
  talus: 'Our own questions',
};

const markup = (text) => String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const cell = (v) => (typeof v === 'number' ? short(v) : v === null || v === undefined ? '-' : String(v));

/**
 * @typedef {object} Section What an experiment returns.
 * @property {string} heading
 * @property {string} paper The paper's number or figure in words.
 * @property {string} ours What was done here.
 * @property {string} agreement One sentence.
 * @property {import('./claims.mjs').Claim[]} claims The table that the section begins with.
 * @property {string[]} [notes]
 * @property {{ title: string, head: string[], rows: (string | number)[][] }[]} [tables]
 * @property {{ name: string, caption: string, svg: string, behind?: boolean }[]} [plots] `behind`: folded away.
 * @property {Record<string, object[]>} [csv] Rows by file name.
 */

/** A section that makes no claims has one row that says what was measured. */
const claimsOf = (section) => section.claims ?? [isOnce({ claim: section.heading, ours: '-', remark: section.agreement })];

/** Writes the files of one experiment; answers the section as written. Throws if one of its verdicts may not be given. */
export function writeSection(folder, { name, page }, section, { seconds, mode, fingerprint, seeds }) {
  const claims = claimsOf(section);
  checkClaims(claims, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, rows] of Object.entries(section.csv ?? {})) writeFileSync(resolve(folder, `${file}.csv`), csv(rows));
  for (const plot of section.plots ?? []) writeFileSync(resolve(folder, `${plot.name}.svg`), `${plot.svg}\n`);
  const { csv: _csv, plots = [], ...rest } = section;
  const kept = { ...rest, claims, plots: plots.map(({ svg: _svg, ...plot }) => plot) };
  const round = (_key, v) => {
    if (typeof v !== 'number' || Number.isInteger(v)) return v;
    return Number.isFinite(v) ? Number(v.toPrecision(6)) : String(v);
  };
  // The folder is nobody's business.
  const { command, ...origin } = provenance('npm run lab --');
  const plain = command.replace(/ --out[ =]\S+/, '');
  const text = JSON.stringify(
    { name, page, mode, seconds, fingerprint, seeds, command: plain, ...origin, section: kept },
    round,
    1,
  );
  writeFileSync(resolve(folder, `${name}.json`), `${text}\n`);
  return kept;
}

/** Infinite numbers are words in JSON. */
const number = (v) => (v === 'Infinity' || v === '-Infinity' || v === 'NaN' ? Number(v) : v);
function bound(v) {
  const x = number(v);
  if (x === Number.POSITIVE_INFINITY) return '∞';
  if (x === Number.NEGATIVE_INFINITY) return '-∞';
  // 1.00, not 1: the third digit of a bound may decide.
  return Math.abs(x) >= 0.01 && Math.abs(x) < 100 && !Number.isInteger(x) ? x.toPrecision(3) : short(x);
}

/** The interval and where it comes from, in words. */
function intervalText({ ours, interval, n, chance, once }) {
  if (!chance && ours === '-') return '-';
  if (!chance) return once ? 'measured once' : 'one case, no chance';
  const [low, high] = interval.map(number);
  // Too few seeds for an interval at all.
  const text =
    (low === 0 && high === Number.POSITIVE_INFINITY) || low === Number.NEGATIVE_INFINITY
      ? 'none'
      : `${bound(low)} to ${bound(high)}`;
  return `${text} (${n})`;
}

const oursText = ({ ours, unit }) =>
  [typeof ours === 'number' || number(ours) !== ours ? bound(ours) : ours, unit].filter(Boolean).join(' ');

function whyText({ why, needed, verdict }) {
  const more =
    verdict === 'undecided' && needed
      ? needed > 1000
        ? 'more than 1000 seeds would be needed'
        : `about ${needed} seeds would decide`
      : '';
  return [why, more].filter(Boolean).join('; ');
}

/** A claim as cells of the table in the terminal. */
export function claimCells(row) {
  const why = whyText(row);
  return [row.claim, row.paper, oursText(row), intervalText(row), why ? `${row.verdict}: ${why}` : row.verdict];
}

const SIGNS = { agrees: '✓', contradicts: '✗', undecided: '?', measured: '·' };
/** A verdict that can be read without its color. */
const badge = (verdict) => `<span class="badge ${verdict}">${SIGNS[verdict]} ${verdict}</span>`;

/** Rows `paper | ours | interval | verdict`, as cells of a table. */
function claimRow(row) {
  const why = whyText(row);
  return `<tr><td>${markup(row.claim)}</td><td>${markup(row.paper)}</td><td>${markup(oursText(row))}</td><td>${markup(intervalText(row))}</td><td>${badge(row.verdict)}${why ? ` <small>${markup(why)}</small>` : ''}</td></tr>`;
}

const CLAIM_HEAD = ['claim', 'paper', 'ours', '95 % interval (seeds)', 'verdict']
  .map((h) => `<th scope="col">${h}</th>`)
  .join('');
const claimTable = (rows) => `<table><thead><tr>${CLAIM_HEAD}</tr></thead><tbody>${rows.map(claimRow).join('')}</tbody></table>`;

function tableHtml({ title, head, rows }) {
  const line = (cells, tag) => `<tr>${cells.map((c) => `<${tag}>${markup(cell(c))}</${tag}>`).join('')}</tr>`;
  const html = `<table><caption>${markup(title)}</caption><thead>${line(head, 'th')}</thead><tbody>${rows.map((r) => line(r, 'td')).join('')}</tbody></table>`;
  // Long tables are for who looks for a number.
  return rows.length > 14 ? `<details><summary>${markup(title)} (${rows.length} rows)</summary>${html}</details>` : html;
}

const timeText = (seconds) => (seconds < 120 ? `${seconds.toFixed(0)} s` : `${short(seconds / 60, 2)} min`);

function sectionHtml(folder, result) {
  const { name, section, date, machine, mode, seconds, commit } = result;
  const figure = (plot) => {
    const svg = readFileSync(resolve(folder, `${plot.name}.svg`), 'utf8');
    return `<figure>${svg}<figcaption>${markup(plot.caption)}</figcaption></figure>`;
  };
  const plots = section.plots ?? [];
  const behind = plots.filter((plot) => plot.behind);
  const claims = claimsOf(section);
  return `<section id="${name}"><h2>${markup(section.heading)}</h2>
${claimTable(claims)}
<p class="verdict">${markup(section.agreement)}</p>
<details><summary>What the paper says, what was done here</summary><p><b>Paper.</b> ${markup(section.paper)}</p>
<p><b>Here.</b> ${markup(section.ours)}</p>
${(section.notes ?? []).map((n) => `<p class="note">${markup(n)}</p>`).join('\n')}</details>
${(section.tables ?? []).map(tableHtml).join('\n')}
${plots
  .filter((plot) => !plot.behind)
  .map(figure)
  .join('\n')}
${behind.length > 0 ? `<details><summary>${behind.length} more plots</summary>${behind.map(figure).join('\n')}</details>` : ''}
<p class="meta">${markup(name)}, ${mode} mode, ${timeText(seconds)} of processor time, ${date.slice(0, 10)}, commit ${markup(commit)}; ${markup(machine.cpu)}, ${machine.cores} cores, Node ${markup(machine.node)}, load average ${machine.loadAverage}</p>
</section>`;
}

/** In the head: the page by itself. */
const STYLE = `:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
a{color:#0a58a8}table{border-collapse:collapse;margin:1rem 0;font-size:13px}caption{text-align:left;font-weight:600;padding-bottom:.3rem}
td,th{border-bottom:1px solid #8884;padding:.25rem .8rem .25rem 0;text-align:left;vertical-align:top}td{font-variant-numeric:tabular-nums}
@media(min-width:70rem){tr td:first-child:nth-last-child(5){min-width:23rem}}
section{border-top:1px solid #8884;margin-top:2rem}summary{cursor:pointer}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#16181c}a{color:#7db7f0}}`;
/** In the body: goes with it wherever it is shown. */
const BODY_STYLE = `figure{margin:1rem 0}figcaption,.note,.meta,.legend,small{font-size:13px}figcaption,.note,.meta,small{color:color-mix(in srgb,currentColor 85%,transparent)}
figure svg{max-width:100%;height:auto;background:transparent!important;color:inherit!important}
.badge{display:inline-block;padding:0 .55em;border-radius:1em;font-size:12px;line-height:1.7;white-space:nowrap;color:#fff}
.badge.agrees{background:#1a7f37}.badge.contradicts{background:#b42318}.badge.undecided{background:#8a6100}.badge.measured{background:#57606a}`;

const LEGEND = `<p class="legend">${badge('agrees')} the whole interval is on the paper’s side; ${badge('contradicts')} on the other; ${badge('undecided')} it has both, or there are fewer than twelve seeds; ${badge('measured')} nobody says what should come out. Intervals hold 95 %, the number of seeds stands behind them; where nothing is random there is one case and no interval. A ratio is of the two methods named, seed by seed. Each row stands for itself: of twenty rows with nothing to find, one is decided by chance.</p>`;

const pageHtml = (
  title,
  body,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${markup(title)}</title><style>${STYLE}</style></head>
<body><style>${BODY_STYLE}</style><h1>${markup(title)}</h1>
${body}
</body></html>
`;

/** How many rows of each verdict, as badges. */
function badges(rows) {
  const parts = VERDICTS.map((verdict) => [verdict, rows.filter((row) => row.verdict === verdict).length]);
  return parts
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${badge(verdict)} ${count}`)
    .join(' ');
}

/** One line a claim of the papers, section by section; of our own questions one line a section. */
function frontHtml(results) {
  const quick = results.filter((r) => r.mode === 'quick').length;
  const own = results.filter((r) => r.page === 'talus');
  const papers = Object.entries(PAGES).filter(([page]) => page !== 'talus' && results.some((r) => r.page === page));
  const claimed = results.filter((r) => r.page !== 'talus').flatMap((r) => claimsOf(r.section));
  const summary = papers.map(([page, title]) => {
    const rows = results.filter((r) => r.page === page).flatMap((r) => claimsOf(r.section));
    return `<tr><td><a href="#front-${page}">${markup(title.split(':')[0])}</a></td><td>${badges(rows)}</td></tr>`;
  });
  const parts = papers.map(([page, title]) => {
    const sections = results.filter((r) => r.page === page);
    const lines = sections.map((r) => {
      const rows = claimsOf(r.section).filter((row) => row.verdict !== 'measured');
      const head = `<tr><th colspan="5" scope="colgroup"><a href="${page}.html#${r.name}">${markup(r.section.heading)}</a></th></tr>`;
      return rows.length > 0 ? head + rows.map(claimRow).join('') : '';
    });
    return `<h2 id="front-${page}"><a href="${page}.html">${markup(title)}</a></h2><table><thead><tr>${CLAIM_HEAD}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
  });
  if (own.length > 0) {
    const lines = own.map(
      (r) =>
        `<tr><td><a href="talus.html#${r.name}">${markup(r.section.heading)}</a></td><td>${badges(claimsOf(r.section))}</td></tr>`,
    );
    parts.push(
      `<h2 id="front-talus"><a href="talus.html">${PAGES.talus}</a></h2><table><tbody>${lines.join('')}</tbody></table>`,
    );
  }
  const days = [...new Set(results.map((r) => r.date.slice(0, 10)))].sort();
  const seconds = results.reduce((sum, r) => sum + r.seconds, 0);
  const machines = [...new Set(results.map((r) => `${r.machine.cpu}, ${r.machine.cores} cores`))];
  const loads = results.map((r) => r.machine.loadAverage);
  const origin = `Run with <code>npm run lab</code> on ${[...new Set([days[0], days.at(-1)])].join(' to ')}, ${markup(machines.join('; '))}, load average ${Math.min(...loads)} to ${Math.max(...loads)}, commit ${[...new Set(results.map((r) => markup(r.commit)))].join(', ')}; ${timeText(seconds)} of processor time.`;
  const warning =
    quick > 0
      ? `<p><b>${quick} of ${results.length} sections are quick runs, which decide nothing that depends on chance.</b></p>`
      : '';
  return `<p>What the papers claim, and what came out with talus: ${countVerdicts(claimed)}.</p><table><tbody>${summary.join('')}</tbody></table>${warning}<p class="note">${origin}</p>${LEGEND}${parts.join('\n')}`;
}

/** Writes the page of each paper that has results in the folder, and the front page. */
export function writePages(folder, names) {
  const written = [];
  const all = names.map((name) => resolve(folder, `${name}.json`)).filter(existsSync);
  const results = all.map((path) => JSON.parse(readFileSync(path, 'utf8')));
  const save = (name, title, body) => {
    const path = resolve(folder, `${name}.html`);
    writeFileSync(path, pageHtml(title, body));
    written.push(path);
  };
  for (const [page, title] of Object.entries(PAGES)) {
    const mine = results.filter((r) => r.page === page);
    if (mine.length === 0) continue;
    const list = mine.map(
      (r) => `<li><a href="#${r.name}">${markup(r.section.heading)}</a>: ${countVerdicts(claimsOf(r.section))}</li>`,
    );
    save(
      page,
      title,
      `<p>Repeated with talus by <code>npm run lab</code>. <a href="index.html">All papers on one page</a>.</p><ol>${list.join('')}</ol>${LEGEND}
${mine.map((r) => sectionHtml(folder, r)).join('\n')}`,
    );
  }
  if (results.length > 0) save('index', 'Laboratory: the papers and what came out', frontHtml(results));
  return written;
}
