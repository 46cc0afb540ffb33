// Reports as one HTML file: the machine, conclusions, plots, and every number. The file also carries the numbers as JSON, so it can be
// compared and resumed. No script, no request; light and dark.
import { measured, pairsOf } from './analysis';
import { DEVICE_CLASSES } from './model/devices';
import type { Table } from './model/kernels';
import { fitOf, needs, runtimeOf } from './model/needs';
import { deviceTable, largeTable, MOST, payoffTable } from './model/payoff';
import { compareFigure, type Figure, figures } from './plots';
import type { Crossover } from './statistics';
import type { Environment, ProfileReport, Result } from './types';

const escaped = (text: unknown) =>
  String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

/** Three significant digits; a dash for nothing. */
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString('en');
  return size < 1e-3 ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}

const mm = (value: number | null | undefined) => short(value === null || value === undefined ? value : 1000 * value);
const count = (value: number) => Math.round(value).toLocaleString('en');

/** `name` is for screen readers: wide tables scroll, and what scrolls takes the focus. */
function table(name: string, head: string[], rows: string[][], textColumns = 2): string {
  const cell = (tag: string, text: string, i: number) => `<${tag}${i < textColumns ? '' : ' class="n"'}>${text}</${tag}>`;
  const line = (tag: string, cells: string[]) => `<tr>${cells.map((text, i) => cell(tag, text, i)).join('')}</tr>`;
  return `<div class="scroll" tabindex="0" role="group" aria-label="${escaped(name)}"><table><thead>${line('th', head.map(escaped))}</thead><tbody>${rows
    .map((row) => line('td', row.map(escaped)))
    .join('\n')}</tbody></table></div>`;
}

function figure({ title, caption, svg }: Figure): string {
  // One picture with one name: the names that Plot gives to its parts say nothing to anybody.
  const pictures = [svg, ...svg.children].filter((part) => part.localName === 'svg');
  for (const part of svg.querySelectorAll('[aria-label]')) part.removeAttribute('aria-label');
  for (const picture of pictures) {
    picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', `${title}. ${caption}`);
  }
  return `<figure><h3>${escaped(title)}</h3>${svg.outerHTML}<figcaption>${escaped(caption)}</figcaption></figure>`;
}

/** Lines about where a report was made. */
function environmentRows(environment: Environment): [string, string][] {
  const { adapter } = environment;
  const gpu = adapter
    ? `${adapter.name}${adapter.software ? ' (software)' : ''}${adapter.driver ? `, driver ${adapter.driver}` : ''}${adapter.timestamps ? ', with GPU timestamps' : ', without GPU timestamps'}`
    : `none: ${environment.reason ?? 'not requested'}`;
  return [
    ['processor', `${environment.cpu}, ${environment.cores} cores`],
    ['memory', environment.memoryGb === null ? 'unknown' : `${environment.memoryGb} GB`],
    ['system', environment.os],
    ['runs in', environment.runtime],
    ['WebGPU adapter', gpu],
    ['talus', `${environment.version}${environment.commit ? `, commit ${environment.commit}` : ''}`],
    ['load average at the start', environment.load === null ? 'unknown' : short(environment.load)],
    ['clock', `steps of ${short(1000 * environment.clock)} µs`],
  ];
}

/** What a reader must know before any number. */
export function warnings(report: ProfileReport): string[] {
  const { environment, state } = report;
  const list: string[] = [];
  if (environment.adapter?.software) {
    list.push('Software adapter: a program on the processor stands in for the GPU. Its times say nothing about a hardware GPU.');
  }
  if ((environment.load ?? 0) > 1) {
    list.push(`The machine was busy (load average ${short(environment.load)}): read ratios, not milliseconds.`);
  }
  if (environment.clock > 0.02) {
    list.push(
      `The clock has steps of ${short(1000 * environment.clock)} µs: times near that are guesses. Cross-origin isolation gives a finer one.`,
    );
  }
  if (state !== 'complete') list.push('This run is incomplete: the missing groups were not measured.');
  return list;
}

export function crossoverWords(crossover: Crossover): string {
  switch (crossover.kind) {
    case 'at':
      return `from about ${count(crossover.size)} bodies on (between ${count(crossover.between[0])} and ${count(crossover.between[1])})`;
    case 'always':
      return 'at every size measured';
    case 'never':
      return `at no size measured: ${short(crossover.ratio)} times slower at the largest${
        crossover.guess === null ? '' : `; the power laws meet near ${count(crossover.guess)} bodies`
      }`;
    case 'unknown':
      return 'unknown';
  }
}

function resultRow(r: Result): string[] {
  const name = [r.scene, count(r.bodies), r.contender];
  if (r.skipped !== null) return [...name, `left out: ${r.skipped}`];
  if (r.failed !== null || !r.wall) return [...name, r.failed ?? 'not measured'];
  const s = r.stages;
  return [
    ...name,
    short(r.wall.median),
    short(r.wall.p95),
    short(r.cpu?.median),
    String(r.steps) + (r.complete ? '' : ' (cut)'),
    ...(['broadphase', 'contacts', 'solve', 'wait', 'finish'] as const).map((stage) => (s ? short(s[stage]) : '–')),
    short(r.gpu?.latency.median),
    short(r.gpu?.pass?.median) + (r.gpu?.tick ? ` ± ${short(r.gpu.tick)}` : ''),
    r.gpu ? `${short(r.gpu.bytesUp / 1e6)} / ${short(r.gpu.bytesDown / 1e6)}` : '–',
    r.counts ? count(r.counts.contacts) : '–',
    mm(r.calm?.rmsSpeed),
    r.overlap ? `${mm(r.overlap.mean)} / ${mm(r.overlap.p99)} / ${mm(r.overlap.max)}` : '–',
    String(r.lost),
  ];
}

const RESULT_HEAD = [
  'scene',
  'bodies',
  'contender',
  'ms',
  'p95 ms',
  'CPU ms',
  'steps',
  'broad',
  'contacts',
  'solve',
  'wait',
  'finish',
  'latency',
  'GPU pass',
  'MB up / down',
  'contact points',
  'rms mm/s',
  'overlap mm mean / p99 / max',
  'lost',
];

const CSS = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 980px; margin: 0 auto; padding: 24px 20px 60px; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 36px 0 8px; } h3 { font-size: 15px; margin: 0 0 6px; }
p.sub { margin: 0 0 16px; opacity: .75; }
.warn { border-left: 4px solid #e1a100; padding: 8px 14px; margin: 10px 0; background: color-mix(in srgb, #e1a100 12%, transparent); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 3px 10px 3px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
th.n, td.n { text-align: right; } thead th { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 18px; margin: 0; } dt { opacity: .75; } dd { margin: 0; }
figure { margin: 26px 0; overflow-x: auto; } figure figure { margin: 0; } figcaption { font-size: 13px; opacity: .8; margin-top: 4px; }
svg { max-width: 100%; height: auto; }
`;

function page(title: string, body: string, data: Record<string, ProfileReport>): string {
  const scripts = Object.entries(data).map(
    ([id, report]) => `<script type="application/json" id="${id}">${JSON.stringify(report).replace(/</g, '\\u003c')}</script>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${CSS}</style>
</head>
<body>
<main>
${body}
</main>
${scripts.join('\n')}
</body>
</html>
`;
}

const definitions = (rows: [string, string][]) =>
  `<dl>${rows.map(([term, text]) => `<dt>${escaped(term)}</dt><dd>${escaped(text)}</dd>`).join('')}</dl>`;

/** A table of the model. */
const modelTable = (name: string, { head, rows }: Table, textColumns = 1) => table(name, head, rows, textColumns);

/** What a GPU would need to win, by the model. */
function needParts(report: ProfileReport): string[] {
  const list = needs(report);
  if (list.length === 0) return [];
  const fit = fitOf(report);
  const runtime = runtimeOf(report);
  const measuredWords =
    fit === null
      ? 'This device reported the time of too few passes for a fit.'
      : `Fitted to this device: ${short(1e3 * fit.perTurn)} µs per round, ${fit.perByte > 0 ? `${short(1e-6 / fit.perByte)} GB/s` : 'no measurable cost of bytes'}; over ${fit.points} passes it is off by a factor of ${short(fit.worst)} at most.`;
  return [
    '<h2>What a GPU would need</h2>',
    `<p>Milliseconds left for the answer and the pass on the GPU if a step is to be as fast as the default WASM solver. Beside it, the steps that
a model estimates for classes of machines in the best and the worst case of ${escaped(runtime.name)}: dispatches times their latency, rounds of
32 links that wait for each other times their cycles, bytes over bandwidth, and the answer. ${escaped(measuredWords)}</p>`,
    table(
      'What a GPU would need',
      [
        'scene',
        'bodies',
        'contender',
        'WASM ms',
        'this thread ms',
        'left ms',
        'dispatches',
        'rounds in turn',
        'MB',
        ...DEVICE_CLASSES.map((c) => `${c.name} ms`),
      ],
      list.map((n) => [
        n.scene,
        count(n.bodies),
        n.contender,
        short(n.wasm),
        short(n.main),
        short(n.left),
        count(n.dispatches),
        count(n.turns),
        short(n.bytes / 1e6),
        ...n.classes.map((c) => `${short(c.step[0])} to ${short(c.step[1])} (pass ${short(c.pass)})`),
      ]),
      3,
    ),
    '<h2>From how many bodies a GPU pays</h2>',
    `<p>By the same model, for boxes at rest that stay awake: the number of bodies from which a step with WebGPU is faster than one on WASM, in the
best and in the worst case of the runtime. Sizes up to ${count(MOST)} are looked at.</p>`,
    modelTable('From how many bodies a GPU pays', payoffTable('boxes')),
    '<h3>Large scenes</h3><p>Milliseconds of a step, estimated.</p>',
    modelTable('Large scenes', largeTable(), 2),
    '<h3>Numbers of the model</h3>',
    modelTable('Numbers of the model', deviceTable()),
  ];
}

/** Parts of a report below its title, as HTML: also what a page shows. */
export function reportBody(report: ProfileReport, document: Document): string {
  const { matrix, analysis, link } = report;
  const parts = warnings(report).map((text) => `<p class="warn">${escaped(text)}</p>`);
  parts.push('<h2>Measured on</h2>', definitions(environmentRows(report.environment)));

  const rows: string[][] = [];
  for (const group of report.groups) {
    const list = measured(report.results).filter((r) => r.scene === group.scene && r.size === group.size);
    const best = list.toSorted((a, b) => a.wall.median - b.wall.median)[0];
    if (!best) continue;
    const rest = list.filter((r) => r !== best).map((r) => `${r.contender} ×${short(r.wall.median / best.wall.median)}`);
    rows.push([
      group.scene,
      count(group.bodies),
      mm(group.rmsSpeed),
      best.contender,
      `${short(best.wall.median)} ms`,
      rest.join(', '),
    ]);
  }
  if (rows.length > 0)
    parts.push(
      '<h2>Fastest</h2>',
      table('Fastest', ['scene', 'bodies', 'rms mm/s at the start', 'fastest', 'per step', 'the others'], rows, 6),
    );

  if (analysis.crossovers.length > 0) {
    parts.push(
      '<h2>Where WebGPU wins</h2>',
      table(
        'Where WebGPU wins',
        ['scene', 'against', 'WebGPU is faster'],
        analysis.crossovers.map((c) => [c.scene, c.holder, crossoverWords(c.crossover)]),
        3,
      ),
    );
  }
  if (analysis.fits.length > 0) {
    parts.push(
      '<h2>Scaling</h2><p>Time per step as a power of the number of bodies, by least squares in log-log.</p>',
      table(
        'Scaling',
        ['scene', 'contender', 'exponent', 'R²', 'sizes'],
        analysis.fits.map((f) => [f.scene, f.contender, short(f.law.slope), short(f.law.r2), String(f.law.points)]),
      ),
    );
  }
  if (link) {
    parts.push(
      '<h2>Link to the GPU</h2>',
      `<p>An empty round trip: ${short(link.roundTrip.median)} ms (p95 ${short(link.roundTrip.p95)} ms).</p>`,
      table(
        'Link to the GPU',
        ['bytes', 'upload ms', 'GB/s', 'readback ms', 'GB/s'],
        link.transfers.map((t) => [
          count(t.bytes),
          short(t.upload.median),
          short(t.bytes / t.upload.median / 1e6),
          short(t.readback.median),
          short(t.bytes / t.readback.median / 1e6),
        ]),
        0,
      ),
    );
  }
  parts.push(...needParts(report));
  parts.push('<h2>Plots</h2>', ...figures(report, document).map(figure));
  parts.push('<h2>All numbers</h2>', table('All numbers', RESULT_HEAD, report.results.map(resultRow), 3));
  parts.push(
    '<h2>How</h2>',
    `<p>Each scene was simulated for ${escaped(matrix.settleSeconds)} s (WASM, default solver). All contenders started from that state. They
stepped in turns of ${escaped(matrix.block)} steps, in rotating order: ${escaped(matrix.warmup)} steps of warm-up each, then up to
${escaped(matrix.steps)} measured steps, or fewer (at least ${escaped(matrix.leastSteps)}) if those took more than ${escaped(matrix.contenderSeconds)} s${
      matrix.budgetSeconds === null ? '' : ` or the run exceeded its ${escaped(matrix.budgetSeconds)} s`
    }.
Preset ${escaped(matrix.preset)}, seed ${escaped(matrix.seed)}, one thread, sleeping off.</p>
<p>Times are wall times on the calling thread, from the call to the finished step; on WebGPU that includes the wait for the result. CPU is
the processor time of all threads. Calm is the rms speed of all bodies over the second half of the measured steps. Worlds start from the
state of another solver without its impulses, which shakes them, and run for a second or two. So use it to compare contenders, not to
tell how calm a scene gets.</p>`,
  );
  return parts.join('\n');
}

/** A report as a file. */
export function reportHtml(report: ProfileReport, document: Document): string {
  const { environment, started, matrix } = report;
  const title = `talus profile: ${environment.adapter?.name ?? environment.cpu}`;
  const head = `<h1>${escaped(title)}</h1><p class="sub">${escaped(started.slice(0, 16).replace('T', ' '))} UTC, ${escaped(matrix.mode)} run</p>`;
  return page(title, `${head}\n${reportBody(report, document)}`, { 'talus-profile': report });
}

/** Two reports beside each other as a file. */
export function compareHtml(a: ProfileReport, b: ProfileReport, document: Document): string {
  const pairs = pairsOf(a, b);
  const rowsA = environmentRows(a.environment);
  const rowsB = environmentRows(b.environment);
  const parts = ['<h1>talus profile: A and B</h1>'];
  for (const [name, report] of [
    ['A', a],
    ['B', b],
  ] as const) {
    parts.push(...warnings(report).map((text) => `<p class="warn">${name}: ${escaped(text)}</p>`));
  }
  if (a.matrix.preset !== b.matrix.preset || a.matrix.seed !== b.matrix.seed) {
    parts.push('<p class="warn">The two runs had different presets or seeds: they did different work.</p>');
  }
  parts.push(
    table(
      'Measured on',
      ['What', 'A', 'B'],
      [['date', a.started, b.started], ...rowsA.map(([term, text], i) => [term, text, rowsB[i]![1]])],
      3,
    ),
  );
  if (pairs.length === 0) parts.push('<p class="warn">The two reports have no measurement in common.</p>');
  else {
    parts.push('<h2>Plots</h2>', figure(compareFigure(pairs, document)));
    parts.push(
      '<h2>All numbers</h2><p>An equals sign where the 95 % bounds of the medians overlap.</p>',
      table(
        'All numbers',
        [
          'scene',
          'contender',
          'bodies',
          'A ms',
          'B ms',
          'B / A',
          'CPU B / A',
          'A rms mm/s',
          'B rms mm/s',
          'A overlap p99 mm',
          'B overlap p99 mm',
        ],
        pairs.map((p) => [
          p.scene,
          p.contender,
          count(p.bodies),
          short(p.first.wall?.median),
          short(p.second.wall?.median),
          `${p.apart ? '' : '= '}${short(p.ratio)}`,
          p.first.cpu && p.second.cpu ? short(p.second.cpu.median / p.first.cpu.median) : '–',
          mm(p.first.calm?.rmsSpeed),
          mm(p.second.calm?.rmsSpeed),
          mm(p.first.overlap?.p99),
          mm(p.second.overlap?.p99),
        ]),
      ),
    );
    const crossovers = [a, b].flatMap((report, i) =>
      report.analysis.crossovers.map((c) => ['AB'[i]!, c.scene, c.holder, crossoverWords(c.crossover)]),
    );
    if (crossovers.length > 0)
      parts.push(
        '<h2>Where WebGPU wins</h2>',
        table('Where WebGPU wins', ['Report', 'scene', 'against', 'WebGPU is faster'], crossovers, 4),
      );
  }
  return page('talus profile: A and B', parts.join('\n'), { 'talus-profile-a': a, 'talus-profile-b': b });
}

/** A report from the text of a JSON file or of an HTML report. Throws an Error that says what the text is not. */
export function parseReport(text: string): ProfileReport {
  const embedded = /<script type="application\/json" id="talus-profile">([\s\S]*?)<\/script>/.exec(text);
  let report: ProfileReport;
  try {
    report = JSON.parse(embedded?.[1] ?? text);
  } catch {
    throw new Error('this is not a profile report');
  }
  if (report?.format !== 'talus-profile') throw new Error('this is not a profile report');
  if (report.formatVersion !== 1) throw new Error(`this report has format version ${report.formatVersion}, not 1`);
  return report;
}
