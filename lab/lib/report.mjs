// Writes the results of experiments: CSV and SVG files, a JSON file per experiment, and one self-contained HTML page per paper, made from
// all experiments whose JSON lies in the folder.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { csv, provenance, short as threeDigits } from '../../bench/lib/report.mjs';

/** A number with three significant digits; powers of ten where it is far from one, as diverging methods are. */
export function short(value, digits = 3) {
  return Math.abs(value) >= 1e7 ? value.toExponential(1) : threeDigits(value, digits);
}

/** Pages in the order of the index. */
export const PAGES = {
  tonge2012: 'Tonge, Benevolenski, Voroshilov 2012: Mass Splitting for Jitter-Free Parallel Rigid Body Simulation',
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
 * @property {string[]} [notes]
 * @property {{ title: string, head: string[], rows: (string | number)[][] }[]} [tables]
 * @property {{ name: string, caption: string, svg: string }[]} [plots]
 * @property {Record<string, object[]>} [csv] Rows by file name.
 */

/** Writes the files of one experiment. */
export function writeSection(folder, name, page, section, seconds, mode) {
  mkdirSync(folder, { recursive: true });
  for (const [file, rows] of Object.entries(section.csv ?? {})) writeFileSync(resolve(folder, `${file}.csv`), csv(rows));
  for (const plot of section.plots ?? []) writeFileSync(resolve(folder, `${plot.name}.svg`), `${plot.svg}\n`);
  const { csv: _csv, plots = [], ...rest } = section;
  const kept = { ...rest, plots: plots.map(({ svg: _svg, ...plot }) => plot) };
  const round = (_key, v) => (typeof v === 'number' && !Number.isInteger(v) ? Number(v.toPrecision(6)) : v);
  // The folder is nobody's business.
  const { command, ...origin } = provenance('npm run lab --');
  const plain = command.replace(/ --out[ =]\S+/, '');
  const text = JSON.stringify({ name, page, mode, seconds, command: plain, ...origin, section: kept }, round, 1);
  writeFileSync(resolve(folder, `${name}.json`), `${text}\n`);
}

function tableHtml({ title, head, rows }) {
  const line = (cells, tag) => `<tr>${cells.map((c) => `<${tag}>${markup(cell(c))}</${tag}>`).join('')}</tr>`;
  return `<table><caption>${markup(title)}</caption><thead>${line(head, 'th')}</thead><tbody>${rows.map((r) => line(r, 'td')).join('')}</tbody></table>`;
}

function sectionHtml(folder, { name, section, date, machine, mode, seconds, commit }) {
  const plots = (section.plots ?? []).map((plot) => {
    const svg = readFileSync(resolve(folder, `${plot.name}.svg`), 'utf8');
    return `<figure>${svg}<figcaption>${markup(plot.caption)}</figcaption></figure>`;
  });
  return `<section id="${name}"><h2>${markup(section.heading)}</h2>
<p><b>Paper.</b> ${markup(section.paper)}</p>
<p><b>Here.</b> ${markup(section.ours)}</p>
<p class="verdict"><b>Agreement.</b> ${markup(section.agreement)}</p>
${(section.notes ?? []).map((n) => `<p class="note">${markup(n)}</p>`).join('\n')}
${(section.tables ?? []).map(tableHtml).join('\n')}
${plots.join('\n')}
<p class="meta">${markup(name)}, ${mode} mode, ${seconds.toFixed(0)} s, ${date.slice(0, 10)}, commit ${markup(commit)}; ${markup(machine.cpu)}, ${machine.cores} cores, Node ${markup(machine.node)}, load average ${machine.loadAverage}</p>
</section>`;
}

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0;font-size:13px}caption{text-align:left;font-weight:600;padding-bottom:.3rem}
td,th{border-bottom:1px solid #ddd;padding:.2rem .7rem .2rem 0;text-align:left;vertical-align:top}td{font-variant-numeric:tabular-nums}
figure{margin:1rem 0}figcaption{font-size:13px;color:#555}svg{max-width:100%;height:auto}
.verdict{background:#f3f6fa;border-left:4px solid #1f77b4;padding:.5rem .8rem}.note,.meta{font-size:13px;color:#555}
section{border-top:1px solid #ddd;margin-top:2rem}`;

/** Writes the page of each paper that has results in the folder. */
export function writePages(folder, names) {
  const written = [];
  const all = names.map((name) => resolve(folder, `${name}.json`)).filter(existsSync);
  const results = all.map((path) => JSON.parse(readFileSync(path, 'utf8')));
  for (const [page, title] of Object.entries(PAGES)) {
    const mine = results.filter((r) => r.page === page);
    if (mine.length === 0) continue;
    const list = mine.map(
      (r) => `<li><a href="#${r.name}">${markup(r.section.heading)}</a>: ${markup(r.section.agreement)}</li>`,
    );
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${markup(title)}</title><style>${STYLE}</style></head>
<body><h1>${markup(title)}</h1><p>Reproduced with talus. Regenerate with <code>npm run lab</code>.</p><ol>${list.join('')}</ol>
${mine.map((r) => sectionHtml(folder, r)).join('\n')}
</body></html>
`;
    const path = resolve(folder, `${page}.html`);
    writeFileSync(path, html);
    written.push(path);
  }
  return written;
}
