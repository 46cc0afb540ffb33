// The page of results by visitors: reads and checks what their machines have found (bench/results/visitors/*.json, made by
// demo/measure.html), and makes bars by machine and a table of machines. Format, check and bars are those of bench/visitors/.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runnerImport } from 'vite';
import { encode } from './markdown.mjs';

const root = join(import.meta.dirname, '..');
const load = async (name) =>
  (await runnerImport(resolve(root, `bench/visitors/${name}.ts`), { configFile: false, logLevel: 'error' })).module;
const { machineName, parseVisitorReport, VISITOR_SCENES, VISITOR_WAYS } = await load('report');
const { barsHtml, doubtsHtml } = await load('bars');

export const FOLDER = 'bench/results/visitors';

/** The reports of a folder, each with its file. Throws an Error that names the file that is not as it should be. */
export function readVisitors(folder = join(root, FOLDER)) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((file) => {
      try {
        const report = parseVisitorReport(readFileSync(join(folder, file), 'utf8'));
        if (report.doubts.includes('short'))
          throw new Error('a short run, whose figures mean nothing: measure again without ?short=1');
        return { file, report };
      } catch (error) {
        throw new Error(`${join(FOLDER, file)}: ${error.message}`);
      }
    });
}

const count = (number) => number.toLocaleString('en');
const day = ({ date }) => date.slice(0, 10);

/** Second line of a row: when and with which version, and what is special about the figure. */
function note(report, figure) {
  const parts = [day(report), `talus ${report.talus.version}`];
  if (figure.way === 'threads' && figure.threads !== null) parts.push(`${figure.threads} of ${report.machine.cores} cores`);
  if (figure.doubts.includes('software')) parts.unshift('software adapter');
  return parts.join(', ');
}

/** Fast ones first; figures without a GPU behind WebGPU after those with one, machines without figures last. */
const rank = ({ figure }) => [figure.median === null ? 2 : figure.doubts.includes('software') ? 1 : 0, figure.median ?? 0];
function compare(a, b) {
  const [one, two] = [rank(a), rank(b)];
  return one[0] - two[0] || one[1] - two[1] || a.name.localeCompare(b.name);
}

function rowsOf(reports, scene, way) {
  return reports
    .map((report) => {
      const figure = report.figures.find((one) => one.scene === scene && one.way === way);
      return { name: machineName(report), note: note(report, figure), figure, doubts: report.doubts };
    })
    .sort(compare);
}

function machines(visitors) {
  const head = [
    'machine',
    'browser',
    'system',
    'cores',
    'memory',
    'WebGPU adapter',
    'isolated',
    'bodies',
    'date',
    'talus',
    'file',
  ];
  const rows = visitors.map(({ file, report }) => {
    const { machine, talus, size } = report;
    const gpu = machine.gpu
      ? `${machine.gpu.name}${machine.gpu.software ? ' (software adapter)' : ''}`
      : `none: ${machine.gpuReason}`;
    return [
      machineName(report),
      machine.browser,
      machine.os,
      machine.cores,
      machine.memoryGb === null ? '' : `${machine.memoryGb} GB`,
      gpu,
      machine.isolated ? 'yes' : 'no',
      count(size),
      day(report),
      `${talus.version}${talus.commit ? `, ${talus.commit}` : ''}`,
      file,
    ].map((cell) => encode(String(cell)));
  });
  return `<div class="table" tabindex="0" role="group" aria-label="Machines"><table><caption>Machines</caption><thead><tr>${head
    .map((cell) => `<th scope="col">${cell}</th>`)
    .join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell, i) => (i ? `<td>${cell}</td>` : `<th scope="row">${cell}</th>`)).join('')}</tr>`)
    .join('')}</tbody></table></div>`;
}

const HOW = `<h2 id="add">Add your machine</h2>
<ol><li>Open <a href="../demo/measure.html">Measure this machine</a>, press Measure, and wait for a minute.</li>
<li>Say what the machine is, and press "Share as an issue on GitHub". You see all that is sent before you send it.</li>
<li>Or add the file by hand: download the JSON, put it into <code>${FOLDER}</code>, and open a pull request. <code>npm run site</code> checks it.</li></ol>`;

/** What is on the page below its heading, and its headings of level 2. */
export function visitorsHtml(visitors) {
  const headings = [];
  const heading = (id, title) => {
    headings.push({ level: 2, id, title });
    return `<h2 id="${id}">${encode(title)}</h2>`;
  };
  let html =
    '<p>Each bar is the median time of a step of 1/60 s, on three scenes that land and come to rest; lower is better, and the thin line is the time that 95 % of steps stay below. Machines are beside each other only where they had the same number of bodies.</p>';
  if (visitors.length === 0) {
    html += '<p><strong>Nobody has added a machine yet</strong>, so there is nothing to show here. Yours can be the first.</p>';
  }
  const shown = [];
  for (const size of [...new Set(visitors.map(({ report }) => report.size))].sort((a, b) => a - b)) {
    const reports = visitors.map(({ report }) => report).filter((report) => report.size === size);
    html += heading(`bodies-${size}`, `${count(size)} bodies`);
    for (const [scene, title] of Object.entries(VISITOR_SCENES)) {
      const groups = Object.entries(VISITOR_WAYS).map(([way, title]) => ({ title, rows: rowsOf(reports, scene, way) }));
      shown.push(...groups.flatMap(({ rows }) => rows));
      html += barsHtml(`${title}, ${count(reports[0].figures.find((figure) => figure.scene === scene).bodies)} bodies`, groups);
    }
  }
  html += doubtsHtml(shown);
  if (visitors.length > 0) html += `${heading('machines', 'Machines')}${machines(visitors)}`;
  html += HOW;
  headings.push({ level: 2, id: 'add', title: 'Add your machine' });
  return { html, headings };
}
