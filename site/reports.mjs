// The reports of the laboratory (lab/results) and of the comparison with other engines (bench/results).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closedText } from '../bench/lib/torture_cells.mjs';
import { siteFigures } from '../scripts/figures/comparison.mjs';
import { encode } from './markdown.mjs';

const root = join(import.meta.dirname, '..');
const folders = (path) =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .reverse();

const number = (value, digits = 3) => (typeof value === 'number' ? Number(value.toPrecision(digits)).toString() : '');
const table = (caption, head, rows) =>
  `<div class="table" tabindex="0" role="group" aria-label="${encode(caption)}"><table><caption>${encode(caption)}</caption><thead><tr>${head
    .map((cell) => `<th scope="col">${cell}</th>`)
    .join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell, i) => (i ? `<td>${cell}</td>` : `<th scope="row">${cell}</th>`)).join('')}</tr>`)
    .join('')}</tbody></table></div>`;

/** The latest result of each scene, machine by machine of that day. */
export function benchReport() {
  const seen = new Set();
  const found = [];
  for (const folder of folders('bench/results')) {
    for (const name of readdirSync(join(root, 'bench/results', folder)).sort()) {
      if (!name.endsWith('.json')) continue;
      const data = JSON.parse(readFileSync(join(root, 'bench/results', folder, name), 'utf8'));
      if (!Array.isArray(data.results) || data.results[0]?.msSecondHalf === undefined || seen.has(name)) continue;
      seen.add(name);
      found.push({ name: name.slice(0, -5), data });
    }
  }
  found.sort((a, b) => a.name.localeCompare(b.name));
  const parts = found.map(({ name, data }) => {
    const { machine, command, steps, commit } = data;
    const joints = data.results[0].gapMean !== undefined;
    const head = ['engine', 'ms a step, first half', 'second half', '95 %', 'rms speed, m/s', 'largest speed, m/s'];
    head.push(...(joints ? ['gap, mean mm', 'gap, worst mm'] : ['overlap, mean mm', '99 %, mm', 'largest, mm']));
    const rows = data.results
      .filter((result) => !result.failed)
      .map((result) => [
        `${encode(result.engine)} ${encode(result.version ?? '')}`,
        number(result.msFirstHalf),
        number(result.msSecondHalf),
        number(result.msP95),
        number(result.rmsSpeed, 2),
        number(result.maxSpeed, 2),
        ...(joints
          ? [number(1000 * result.gapMean, 2), number(1000 * result.gapWorst, 2)]
          : [number(1000 * result.depth?.mean, 2), number(1000 * result.depth?.p99, 2), number(1000 * result.depth?.max, 2)]),
      ]);
    const title = name.replace('joints_', 'joints: ').replaceAll(/[_]/g, ' ');
    const load = machine?.loadAverage === undefined ? '' : `, load average ${machine.loadAverage}`;
    return {
      id: name,
      title,
      html: `<h2 id="${name}">${encode(title)}</h2><p class="note">${steps ?? ''} steps; ${encode(machine?.cpu ?? '')}, ${machine?.cores ?? '?'} cores${load}; ${encode(String(data.date).slice(0, 10))}, commit ${encode(commit ?? '?')}. <code>${encode(command ?? '')}</code></p>${table(`${title}, engines`, head, rows)}`,
    };
  });
  parts.unshift(tortureReport());
  return { html: parts.map(({ html }) => html).join('\n'), headings: parts.map(({ id, title }) => ({ level: 2, id, title })) };
}

/** Scenes with a closed form: each engine's value and how far it is off. */
function tortureReport() {
  const { rows, source } = siteFigures().torture;
  const engines = Object.keys(rows[0].engines);
  const title = 'Scenes with a closed form';
  const body = rows.map(({ quantity, unit, closed, cells }) => [
    encode(unit ? `${quantity}, ${unit}` : quantity),
    encode(closedText(closed)),
    ...engines.map((engine) => encode(cells[engine])),
  ]);
  const note = `${encode(source.replace(/: \[.*$/, ''))}. <code>npm run bench -- --torture</code>`;
  const head = ['quantity', 'closed form', ...engines.map((engine) => encode(engine))];
  return { id: 'torture', title, html: `<h2 id="torture">${title}</h2><p class="note">${note}</p>${table(title, head, body)}` };
}

/** The pages that `npm run lab` wrote: what is between their body tags. */
export function labReports() {
  const reports = [];
  for (const folder of folders('lab/results')) {
    for (const name of readdirSync(join(root, 'lab/results', folder)).sort()) {
      if (!name.endsWith('.html')) continue;
      const text = readFileSync(join(root, 'lab/results', folder, name), 'utf8');
      const title = /<title>([^<]*)<\/title>/.exec(text)[1];
      const body = /<body>([\s\S]*)<\/body>/.exec(text)[1];
      reports.push({ path: `reports/${folder}/${name}`, folder, name, title, body });
    }
  }
  return reports;
}

/** The front page of the newest run that has one, as part of a page in the folder of the reports; nothing if none has. */
export function labFront() {
  const report = labReports().find(({ name }) => name === 'index.html');
  if (!report) return '';
  const body = report.body.replace(/<h1>[\s\S]*?<\/h1>/, '').replace(/href="([\w-]+\.html)/g, `href="${report.folder}/$1`);
  return body
    .replace(/<table>/g, '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replace(/<\/table>/g, '</table></div>');
}

/**
 * The reports by paper, each with its runs, newest first; the front pages first, papers in the order of their names, our own questions
 * last.
 */
export function labGroups() {
  const groups = new Map();
  for (const report of labReports()) {
    const id = report.name.replace('.html', '');
    const [day, ...machine] = report.folder.split('_');
    const sections = [...report.body.matchAll(/<section id="[^"]*"><h2>([^<]*)<\/h2>/g)].map(([, title]) => title);
    const group = groups.get(id) ?? groups.set(id, { id, title: report.title, runs: [] }).get(id);
    group.runs.push({ ...report, day, machine: machine.join(' ').replaceAll('-', ' '), sections });
  }
  const place = ({ id }) => (id === 'index' ? 0 : id === 'talus' ? 2 : 1);
  return [...groups.values()].sort((a, b) => place(a) - place(b) || a.title.localeCompare(b.title));
}

/** All runs with what is in them, paper by paper. `up`: from the page to the folder of the reports. */
export function labList(up = '') {
  return labGroups()
    .map(
      ({ id, title, runs }) =>
        `<h2 id="${id}">${title}</h2><ul>${runs
          .map(
            ({ folder, name, day, machine, sections }) =>
              `<li><a href="${up}${folder}/${name}">${day}, ${machine}</a>: ${sections.join('; ') || (id === 'index' ? 'all papers' : 'no sections')}.</li>`,
          )
          .join('')}</ul>`,
    )
    .join('');
}

/** The menu beside all reports: of each paper the newest run, older ones folded. `here`: the page, from the folder of the reports. */
export function reportMenu(here, up) {
  const entry = (to, title) => `<li><a href="${up}${to}"${to === here ? ' aria-current="page"' : ''}>${title}</a></li>`;
  const groups = labGroups();
  const of = ({ folder, name }) => `${folder}/${name}`;
  // The front page of a run has the same title as the page of all runs.
  const short = ({ id, title }) => (id === 'index' ? 'All papers' : title.split(':')[0]);
  const newest = groups.map((group) => entry(of(group.runs[0]), short(group)));
  const older = groups.flatMap((group) => group.runs.slice(1).map((run) => [of(run), `${short(group)}, ${run.day}`]));
  const folded = older.length
    ? `<details${older.some(([to]) => to === here) ? ' open' : ''}><summary>Older runs</summary><ul>${older.map(([to, title]) => entry(to, title)).join('')}</ul></details>`
    : '';
  const first = [
    ['index.html', 'All reports'],
    ['bench.html', 'Compared with other engines'],
    ['visitors.html', 'Machines of visitors'],
    ['lab.html', 'Laboratory'],
  ];
  return `<ul>${first.map(([to, title]) => entry(to, title)).join('')}</ul><h2>Laboratory, newest runs</h2><ul>${newest.join('')}</ul>${folded}`;
}
