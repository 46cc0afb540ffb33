// Plots of reports as SVG elements (Observable Plot). `document` is the page's own, or linkedom's in Node. Labels are in the
// axes; colors are those of contenders throughout a report.
import * as Plot from '@observablehq/plot';
import { measured, type Pair } from './analysis';
import { GPU_PARTS, type ProfileReport, type Result, STAGES, type Stage } from './types';

const WIDTH = 920;

/** Tableau 10 without its gray, and then some: told apart on light and on dark ground. */
const COLORS = ['#4e79a7', '#f28e2b', '#59a14f', '#e15759', '#b07aa1', '#76b7b2', '#edc948', '#ff9da7', '#9c755f', '#86bcb6'];

const STAGE_LABELS: Record<Stage, string> = {
  broadphase: 'broad phase',
  contacts: 'contacts',
  solve: 'solver (this thread)',
  wait: 'waiting for the GPU',
  finish: 'finish',
};
const STAGE_COLORS = ['#76b7b2', '#4e79a7', '#f28e2b', '#bab0ac', '#b07aa1'];

/** Parts of a step from first to last, with the parts of the GPU path if the report has them. */
const PART_LABELS = [
  'broad phase',
  'contacts',
  'solver (WASM)',
  ...GPU_PARTS.slice(0, 4),
  'compute pass',
  'latency',
  ...GPU_PARTS.slice(4),
  'finish',
];
const PART_COLORS = [
  '#76b7b2',
  '#4e79a7',
  '#f28e2b',
  '#edc948',
  '#ff9da7',
  '#e15759',
  '#9c755f',
  '#59a14f',
  '#bab0ac',
  '#86bcb6',
  '#d37295',
  '#b07aa1',
];

/** Milliseconds of the parts of a step by their labels. The pass is within the wait where the GPU tells its time. */
function partsOf(r: Result): [string, number][] {
  const stages = r.stages!;
  const parts = r.gpu?.parts;
  const list: [string, number][] = [
    ['broad phase', stages.broadphase],
    ['contacts', stages.contacts],
    ['finish', stages.finish],
  ];
  if (!parts) return [...list, ['solver (WASM)', stages.solve], ['latency', stages.wait]];
  const pass = Math.min(r.gpu!.pass?.median ?? 0, stages.wait);
  for (const part of GPU_PARTS) list.push([part, parts[part]]);
  return [...list, ['compute pass', pass], ['latency', stages.wait - pass]];
}

export interface Figure {
  title: string;
  caption: string;
  svg: Element;
}

const style = { background: 'transparent', fontSize: '12px', overflow: 'visible' };
/** Bars that are this many times the shortest are left out of the stages: the others could not be read. */
const TOO_LONG = 20;

const count = (bodies: number) => bodies.toLocaleString('en');
const tidy = (value: number) => Number(value.toPrecision(3));

function colorScale(ids: string[]) {
  return { domain: ids, range: ids.map((_, i) => COLORS[i % COLORS.length]!), legend: true };
}

/** All figures of a report, those left out for which it has no numbers. */
export function figures(report: ProfileReport, document: Document): Figure[] {
  const results = measured(report.results);
  if (results.length === 0) return [];
  const ids = report.matrix.contenders.map((c) => c.id).filter((id) => results.some((r) => r.contender === id));
  const scenes = report.matrix.scenes.filter((scene) => results.some((r) => r.scene === scene));
  const list: Figure[] = [];
  const plot = (title: string, caption: string, options: Plot.PlotOptions) =>
    list.push({ title, caption, svg: Plot.plot({ document, width: WIDTH, style, ...options }) });

  const points = results.map((r) => ({ ...r, ms: r.wall.median, low: r.wall.low, high: r.wall.high }));
  plot(
    'Time per step',
    'Median wall time from call to finished step; bars are its 95 % bounds. Both axes are logarithmic: a slope of 1 is linear.',
    {
      height: 380,
      marginLeft: 55,
      color: colorScale(ids),
      x: { type: 'log', label: 'bodies', tickFormat: 's' },
      y: { type: 'log', label: 'ms per step', grid: true, tickFormat: '~g' },
      fx: { label: null, domain: scenes },
      marks: [
        Plot.frame({ strokeOpacity: 0.2 }),
        Plot.ruleX(points, {
          x: 'bodies',
          y1: 'low',
          y2: 'high',
          fx: 'scene',
          stroke: 'contender',
          strokeWidth: 2,
        }),
        Plot.line(points, { x: 'bodies', y: 'ms', fx: 'scene', z: 'contender', stroke: 'contender' }),
        Plot.dot(points, {
          x: 'bodies',
          y: 'ms',
          fx: 'scene',
          fill: 'contender',
          title: (d) => `${d.contender}, ${d.bodies} bodies: ${tidy(d.ms)} ms, p95 ${tidy(d.wall.p95)} ms`,
        }),
      ],
    },
  );

  for (const scene of scenes) {
    const sizes = [...new Set(results.filter((r) => r.scene === scene).map((r) => r.size))].sort((a, b) => b - a);
    const withStages = (size: number) => results.filter((r) => r.scene === scene && r.size === size && r.stages);
    const readable = (size: number) => {
      const list = withStages(size);
      const fastest = Math.min(...list.map((r) => r.wall.median));
      return list.filter((r) => r.wall.median <= TOO_LONG * fastest);
    };
    // The size at which most bars can be read beside each other, the largest of those.
    const most = (size: number) => readable(size).length;
    const size = sizes.toSorted((a, b) => most(b) - most(a) || b - a)[0]!;
    const there = withStages(size);
    const shown = readable(size);
    const bars = shown.flatMap((r) =>
      STAGES.map((stage) => ({ contender: r.contender, bodies: r.bodies, stage: STAGE_LABELS[stage], ms: r.stages![stage] })),
    );
    const hidden = there.filter((r) => !shown.includes(r)).map((r) => `${r.contender} (${tidy(r.wall.median)} ms)`);
    const note = hidden.length > 0 ? ` Too long to show: ${hidden.join(', ')}.` : '';
    if (bars.length === 0) continue;
    plot(
      `Stages: ${scene}, ${bars[0]!.bodies.toLocaleString('en')} bodies`,
      `Medians of each stage, stacked; the time waiting for the GPU is free for other work.${note}`,
      {
        height: 60 + 26 * new Set(bars.map((b) => b.contender)).size,
        marginLeft: 130,
        color: { domain: STAGES.map((s) => STAGE_LABELS[s]), range: STAGE_COLORS, legend: true },
        x: { label: 'ms per step', grid: true },
        y: { label: null, domain: ids.filter((id) => bars.some((b) => b.contender === id)) },
        marks: [
          Plot.barX(bars, { x: 'ms', y: 'contender', z: 'stage', fill: 'stage', title: (d) => `${d.stage}: ${tidy(d.ms)} ms` }),
          Plot.ruleX([0]),
        ],
      },
    );
  }

  const backends = report.matrix.contenders.filter(
    (c, i, all) => c.backend === 'webgpu' || all.findIndex((o) => o.backend === 'wasm') === i,
  );
  const told = results.filter((r) => r.stages && backends.some((c) => c.id === r.contender));
  if (told.some((r) => r.gpu)) {
    const software = report.environment.adapter?.software === true;
    const beside = software ? ['compute pass', 'latency'] : [];
    const bars = told.flatMap((r) =>
      partsOf(r)
        .filter(([part]) => !beside.includes(part))
        .map(([part, ms]) => ({
          scene: r.scene,
          bodies: r.bodies,
          contender: r.contender,
          part,
          us: (1e3 * ms) / r.bodies,
        })),
    );
    plot(
      'Parts of a step, for each backend and size',
      `Microseconds a body, stacked: the default WASM solver beside WebGPU. ${
        software ? 'Pass and latency of a software adapter are left out.' : 'In compute pass and latency this thread is free.'
      }`,
      {
        height:
          60 + 24 * new Set(bars.map((b) => `${b.contender} ${b.bodies}`)).size + 20 * new Set(bars.map((b) => b.bodies)).size,
        marginLeft: 130,
        marginRight: 70,
        color: { domain: PART_LABELS, range: PART_COLORS, legend: true },
        x: { label: 'µs per body', grid: true },
        y: { label: null },
        fx: { label: null, domain: scenes },
        fy: { label: 'bodies', tickFormat: count },
        marks: [
          Plot.frame({ strokeOpacity: 0.2 }),
          Plot.barX(bars, {
            x: 'us',
            y: 'contender',
            fx: 'scene',
            fy: 'bodies',
            z: 'part',
            fill: 'part',
            order: PART_LABELS,
            title: (d) => `${d.part}: ${tidy(d.us)} µs per body`,
          }),
        ],
      },
    );
  }

  const calm = points.filter((r) => r.calm).map((r) => ({ ...r, speed: Math.max(1000 * r.calm!.rmsSpeed, 1e-4) }));
  if (calm.length > 0) {
    plot('Speed and calm', 'Each dot is a size; larger dots have more bodies. Lower left is better: fast and calm.', {
      height: 320,
      marginLeft: 55,
      color: colorScale(ids),
      r: { range: [2, 8] },
      x: { type: 'log', label: 'ms per step', tickFormat: '~g' },
      y: { type: 'log', label: 'rms speed, mm/s', grid: true, tickFormat: '~g' },
      fx: { label: null, domain: scenes },
      marks: [
        Plot.frame({ strokeOpacity: 0.2 }),
        Plot.dot(calm, {
          x: 'ms',
          y: 'speed',
          r: 'bodies',
          fx: 'scene',
          stroke: 'contender',
          strokeWidth: 2,
          title: (d) => `${d.contender}, ${d.bodies} bodies: ${tidy(d.ms)} ms, rms ${tidy(d.speed)} mm/s`,
        }),
      ],
    });
  }

  const deep = points
    .filter((r) => r.overlap && r.overlap.count > 0)
    .map((r) => ({ ...r, depth: Math.max(1000 * r.overlap!.p99, 1e-3) }));
  if (deep.length > 0) {
    plot(
      'Speed and depth',
      '99th percentile of the overlap of overlapping body pairs, measured by the run itself. Lower left is better.',
      {
        height: 320,
        marginLeft: 55,
        color: colorScale(ids),
        r: { range: [2, 8] },
        x: { type: 'log', label: 'ms per step', tickFormat: '~g' },
        y: { type: 'log', label: 'overlap p99, mm', grid: true, tickFormat: '~g' },
        fx: { label: null, domain: scenes },
        marks: [
          Plot.frame({ strokeOpacity: 0.2 }),
          Plot.dot(deep, {
            x: 'ms',
            y: 'depth',
            r: 'bodies',
            fx: 'scene',
            stroke: 'contender',
            strokeWidth: 2,
            title: (d) => `${d.contender}, ${d.bodies} bodies: ${tidy(d.ms)} ms, ${tidy(d.depth)} mm`,
          }),
        ],
      },
    );
  }

  const gpu = results.filter((r) => r.gpu);
  if (gpu.length > 0) {
    const traffic = gpu.flatMap((r) => [
      { scene: r.scene, bodies: r.bodies, what: 'uploaded', mb: r.gpu!.bytesUp / 1e6 },
      { scene: r.scene, bodies: r.bodies, what: 'read back', mb: r.gpu!.bytesDown / 1e6 },
    ]);
    plot('Data per step', 'Uploaded to and read back from the GPU.', {
      height: 260,
      marginLeft: 55,
      color: { domain: ['uploaded', 'read back'], range: [COLORS[0]!, COLORS[1]!], legend: true },
      x: { type: 'log', label: 'bodies', tickFormat: 's' },
      y: { type: 'log', label: 'MB', grid: true, tickFormat: '~g' },
      fx: { label: null, domain: scenes },
      marks: [
        Plot.frame({ strokeOpacity: 0.2 }),
        Plot.line(traffic, { x: 'bodies', y: 'mb', fx: 'scene', z: 'what', stroke: 'what', marker: 'dot' }),
      ],
    });
    const times = gpu.flatMap((r) => [
      { scene: r.scene, bodies: r.bodies, what: 'submission to result', ms: r.gpu!.latency.median },
      ...(r.gpu!.pass ? [{ scene: r.scene, bodies: r.bodies, what: 'compute pass, GPU clock', ms: r.gpu!.pass.median }] : []),
    ]);
    plot('Time on the GPU', 'The gap between the two is upload, scheduling and readback.', {
      height: 260,
      marginLeft: 55,
      color: { domain: ['submission to result', 'compute pass, GPU clock'], range: [COLORS[3]!, COLORS[2]!], legend: true },
      x: { type: 'log', label: 'bodies', tickFormat: 's' },
      y: { type: 'log', label: 'ms', grid: true, tickFormat: '~g' },
      fx: { label: null, domain: scenes },
      marks: [
        Plot.frame({ strokeOpacity: 0.2 }),
        Plot.line(times, { x: 'bodies', y: 'ms', fx: 'scene', z: 'what', stroke: 'what', marker: 'dot' }),
      ],
    });
  }
  return list;
}

/** Ratios of two reports over size. */
export function compareFigure(pairs: readonly Pair[], document: Document): Figure {
  const ids = [...new Set(pairs.map((p) => p.contender))];
  const svg = Plot.plot({
    document,
    width: WIDTH,
    height: 360,
    marginLeft: 55,
    style,
    color: colorScale(ids),
    x: { type: 'log', label: 'bodies', tickFormat: 's' },
    y: { type: 'log', label: 'time of B / time of A', grid: true, tickFormat: '~g' },
    fx: { label: null },
    marks: [
      Plot.frame({ strokeOpacity: 0.2 }),
      Plot.ruleY([1], { strokeDasharray: '4 3' }),
      Plot.line(pairs, { x: 'bodies', y: 'ratio', fx: 'scene', z: 'contender', stroke: 'contender' }),
      Plot.dot(pairs, {
        x: 'bodies',
        y: 'ratio',
        fx: 'scene',
        stroke: 'contender',
        fill: (d: Pair) => (d.apart ? d.contender : 'transparent'),
        title: (d: Pair) => `${d.contender}, ${d.bodies} bodies: ${tidy(d.ratio)}`,
      }),
    ],
  });
  return {
    title: 'Time, B over A',
    caption: 'Below 1 B is faster. Full dots: the 95 % bounds of the two medians lie apart.',
    svg,
  };
}
