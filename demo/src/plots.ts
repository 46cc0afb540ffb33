// Live plots: time by stage, energy, overlap, contacts and ordering, residual. With two views both share each axis.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { World } from '../../src/study/index';
import type { Theme } from './view';

const SAMPLES = 400;
const STAGES = ['broadphase', 'contacts', 'solve', 'gpu', 'finish'] as const;
const STAGE_TEXT = { broadphase: 'broad phase', contacts: 'contacts', solve: 'solver', gpu: 'GPU', finish: 'finish' };
const STAGE_COLORS = ['#6f8fae', '#c98a5a', '#4f9a7a', '#8a6fae', '#b0a060'];
const A = '#c2553a';
const B = '#2f7de4';

type Column =
  | 'time'
  | (typeof STAGES)[number]
  | 'energy'
  | 'mean'
  | 'worst'
  | 'points'
  | 'colors'
  | 'cells'
  | 'dispatches'
  | 'residual';
const COLUMNS: readonly Column[] = [
  'time',
  ...STAGES,
  'energy',
  'mean',
  'worst',
  'points',
  'colors',
  'cells',
  'dispatches',
  'residual',
];

/** The last samples of one simulation. */
export class History {
  readonly columns = Object.fromEntries(COLUMNS.map((name) => [name, [] as number[]])) as Record<Column, number[]>;

  sample(world: World): void {
    const { profile } = world;
    const m = world.measure();
    const row: Record<Column, number> = {
      time: world.stepCount * world.settings.dt,
      broadphase: profile.broadphase,
      contacts: profile.contacts,
      solve: profile.solve,
      gpu: profile.gpu,
      finish: profile.finish,
      // A logarithmic axis has no place for zero.
      energy: Math.max(m.kineticEnergy, 1e-9),
      mean: 1000 * m.penetrationMean,
      worst: 1000 * m.penetrationMax,
      points: profile.contactCount,
      colors: profile.colors,
      cells: profile.cells,
      dispatches: profile.dispatches,
      residual: Math.max(m.residualRms, 1e-9),
    };
    for (const name of COLUMNS) {
      this.columns[name].push(row[name]);
      if (this.columns[name].length > SAMPLES) this.columns[name].shift();
    }
  }

  last(name: Column): number {
    return this.columns[name].at(-1) ?? 0;
  }

  clear(): void {
    for (const name of COLUMNS) this.columns[name].length = 0;
  }
}

function number(x: number): string {
  if (x === 0) return '0';
  if (Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3) return x.toExponential(1);
  return x >= 100 ? x.toFixed(0) : x.toPrecision(3);
}

/** At most four powers of ten, evenly apart. */
function decades(_chart: uPlot, _axis: number, min: number, max: number): number[] {
  const low = Math.ceil(Math.log10(min) - 1e-9);
  const high = Math.floor(Math.log10(max) + 1e-9);
  const apart = Math.max(1, Math.ceil((high - low) / 3));
  const splits: number[] = [];
  for (let k = low; k <= high; k += apart) splits.push(10 ** k);
  return splits;
}

interface Spec {
  title: string;
  log?: boolean;
  /** Columns of the first view; the second shows the first of them (or `both`). */
  columns: readonly Column[];
  colors: readonly string[];
  both?: Column;
  text(history: History): string;
}

const SPECS: readonly Spec[] = [
  {
    title: 'Time per step',
    columns: STAGES,
    colors: STAGE_COLORS,
    text: (h) => `${STAGES.reduce((sum, stage) => sum + h.last(stage), 0).toFixed(2)} ms`,
  },
  { title: 'Kinetic energy', log: true, columns: ['energy'], colors: [A], text: (h) => `${number(h.last('energy'))} J` },
  {
    title: 'Overlap, mean / most',
    columns: ['mean', 'worst'],
    colors: [A, '#d9a08f'],
    text: (h) => `${number(h.last('mean'))} / ${number(h.last('worst'))} mm`,
  },
  { title: 'LCP residual', log: true, columns: ['residual'], colors: [A], text: (h) => `${number(h.last('residual'))} m/s` },
  { title: 'Contact points', columns: ['points'], colors: [A], text: (h) => h.last('points').toLocaleString('en') },
  {
    title: 'Colors, cells, dispatches',
    columns: ['colors', 'cells', 'dispatches'],
    colors: ['#c98a5a', '#4f9a7a', '#8a6fae'],
    text: (h) => `${h.last('colors')} / ${h.last('cells')} / ${h.last('dispatches')}`,
  },
];

export class Plots {
  private charts: { chart: uPlot; spec: Spec; value: HTMLElement; box: HTMLElement; stacked: boolean }[] = [];
  private made = '';

  constructor(private readonly host: HTMLElement) {}

  /** `names` are those of the solvers, two when comparing. */
  update(histories: readonly History[], names: readonly string[], theme: Theme): void {
    const key = `${theme} ${names.join(' ')} ${this.host.clientWidth}`;
    if (key !== this.made) this.make(names, theme);
    this.made = key;
    for (const { chart, spec, value, box, stacked } of this.charts) {
      chart.setData(this.data(spec, histories, stacked));
      const texts = histories.map((history) => spec.text(history));
      value.textContent = texts.join(' | ');
      box.setAttribute('aria-label', `${spec.title}: ${texts.map((text, i) => `${names[i]} ${text}`).join(', ')}`);
    }
  }

  private data(spec: Spec, histories: readonly History[], stacked: boolean): uPlot.AlignedData {
    const first = histories[0]!;
    const x = first.columns.time;
    if (stacked) {
      // Drawn from the full height down, each over the one before.
      const sums: number[][] = [];
      let below = new Array<number>(x.length).fill(0);
      for (const stage of STAGES) {
        below = below.map((sum, i) => sum + first.columns[stage][i]!);
        sums.unshift(below);
      }
      return [x, ...sums];
    }
    if (histories.length === 1) return [x, ...spec.columns.map((name) => first.columns[name])];
    const of = (history: History): number[] => {
      if (spec.columns === STAGES) {
        return history.columns.time.map((_, i) => STAGES.reduce((sum, stage) => sum + history.columns[stage][i]!, 0));
      }
      return history.columns[spec.columns[0]!];
    };
    return [
      x,
      ...histories.map((history) => {
        const column = of(history);
        // The second view may have begun later: aligned at the end.
        return x.map((_, i) => column[column.length - x.length + i] ?? null) as number[];
      }),
    ];
  }

  private make(names: readonly string[], theme: Theme): void {
    for (const { chart } of this.charts) chart.destroy();
    this.host.replaceChildren();
    const ink = theme === 'dark' ? '#c4ccd6' : '#4a525d';
    const grid = { stroke: theme === 'dark' ? '#ffffff18' : '#0000000f', width: 1 };
    const double = names.length > 1;
    if (double) this.host.append(this.key(names, [A, B]));
    this.charts = SPECS.map((spec) => {
      const stacked = spec.columns === STAGES && !double;
      const title = document.createElement('h2');
      title.textContent = spec.title;
      const value = document.createElement('span');
      title.append(value);
      const box = document.createElement('div');
      box.className = 'plot';
      box.setAttribute('role', 'img');
      this.host.append(title, box);
      if (!double && spec.columns.length > 2) {
        const texts = spec.columns.map((name) => STAGE_TEXT[name as keyof typeof STAGE_TEXT] ?? name);
        this.host.append(this.key(texts, spec.colors));
      }
      const colors = double ? [A, B] : stacked ? [...spec.colors].reverse() : spec.colors;
      const chart = new uPlot(
        {
          width: Math.max(this.host.clientWidth - 20, 120),
          height: 92,
          legend: { show: false },
          cursor: { show: false },
          scales: {
            x: { time: false },
            y: spec.log ? { distr: 3, log: 10 } : { range: (_u, _min, max) => [0, Math.max(max * 1.1, 1e-6)] },
          },
          axes: [
            { show: false },
            {
              stroke: ink,
              grid,
              ticks: { show: false },
              size: 46,
              font: '11px system-ui, sans-serif',
              // All of them: uPlot leaves out powers of ten where it finds them too close.
              filter: (_u, splits) => splits,
              splits: spec.log ? decades : (_u, _i, min, max) => [min, max / 2.2, max / 1.1],
              values: (_u, values) => values.map((v) => (v === null ? '' : number(v))),
            },
          ],
          series: [
            {},
            ...colors.map((color) => ({
              stroke: color,
              width: 1.5,
              points: { show: false },
              ...(stacked ? { fill: color, width: 0 } : {}),
            })),
          ],
        },
        [[], ...colors.map(() => [])] as unknown as uPlot.AlignedData,
        box,
      );
      return { chart, spec, value, box, stacked };
    });
  }

  private key(names: readonly string[], colors: readonly string[]): HTMLElement {
    const key = document.createElement('p');
    key.className = 'key';
    names.forEach((name, i) => {
      const item = document.createElement('span');
      const dot = document.createElement('i');
      dot.style.background = colors[i]!;
      item.append(dot, name);
      key.append(item);
    });
    return key;
  }
}
