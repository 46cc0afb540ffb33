// The file that a visitor's machine makes of itself (demo/measure.html): its format, and the check that every reader of such files
// goes through: the page before it hands one out, the site before it draws one, and the tests. Plain data; docs/demo.md describes it.

export const VISITOR_FORMAT = 'talus-visitor';
/** Goes up when a field changes its meaning, comes or goes. Readers refuse other versions. */
export const VISITOR_FORMAT_VERSION = 1;

/** Scenes, in the order of the page. */
export const VISITOR_SCENES = {
  boxes: 'Boxes that land and come to rest',
  mixed: 'A pile of all shapes',
  ragdolls: 'Ragdolls on one heap',
} as const;
export type VisitorScene = keyof typeof VISITOR_SCENES;

/** Ways to solve a step, in the order of the page. */
export const VISITOR_WAYS = {
  wasm: 'WASM, one thread',
  threads: 'WASM, threads',
  webgpu: 'WebGPU',
} as const;
export type VisitorWay = keyof typeof VISITOR_WAYS;

/** Sizes of a scene, in bodies. Few, so that machines can be compared. */
export const VISITOR_SIZES = [250, 1000, 4000] as const;

/** Why a figure, or a whole run, is not to be trusted. */
export const DOUBTS = {
  hidden: 'The tab was hidden for a time, and browsers slow hidden tabs down.',
  clock: 'The clock of this browser is coarse beside a step. A cross-origin isolated page has a finer one.',
  noise: 'Times of steps lie far apart: something else was running.',
  steps: 'Fewer steps were done than in a full run, because each took long. They cover only the landing.',
  software: 'A software adapter: a program on the processor plays the GPU. This says nothing about any GPU.',
  throttled: 'The machine was slower at the end of the run than at its start: it was hot, saved power, or had other work.',
  uneven: 'The machine was slower at the start of the run than at its end: something else was running.',
  short: 'A short run, to try the page out: its figures mean nothing.',
} as const;
export type Doubt = keyof typeof DOUBTS;

/** One scene, solved one way. Times in ms for one step. */
export interface VisitorFigure {
  scene: VisitorScene;
  way: VisitorWay;
  /** Bodies that move. */
  bodies: number;
  /** Threads that a step was shared among (median); null where nothing was measured. */
  threads: number | null;
  /** Measured steps. */
  steps: number;
  /** Null where nothing was measured; then `missing` says why. */
  median: number | null;
  p95: number | null;
  /** Bounds of the median, 95 %. */
  low: number | null;
  high: number | null;
  missing: string | null;
  doubts: Doubt[];
}

export interface VisitorReport {
  format: typeof VISITOR_FORMAT;
  formatVersion: typeof VISITOR_FORMAT_VERSION;
  /** UTC, ISO 8601. */
  date: string;
  talus: { version: string; commit: string | null };
  machine: {
    /** What the visitor calls it: browsers do not tell. */
    name: string | null;
    browser: string;
    os: string;
    userAgent: string;
    /** Logical cores, as the browser tells; some tell fewer. */
    cores: number;
    /** Gigabytes, as the browser tells: 8 stands for 8 and more. */
    memoryGb: number | null;
    /** Cross-origin isolated: threads and a fine clock. */
    isolated: boolean;
    /** Smallest step of the clock, ms. */
    clock: number;
    gpu: { name: string; software: boolean } | null;
    /** Why there is no adapter, or null. */
    gpuReason: string | null;
  };
  /** Bodies that were asked for, and who chose the number. */
  size: number;
  sizeBy: 'probe' | 'visitor';
  /** ms of a step of the probe before and after the run: the same work twice, so it shows a machine that slows down. */
  probe: { before: number; after: number };
  /** Of the whole run. */
  doubts: Doubt[];
  /** One for each scene and way. */
  figures: VisitorFigure[];
}

/** A field that is not as the format says: its path and what was expected. */
class FieldError extends Error {}

type Check = (value: unknown, path: string) => void;

const shown = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};
const refuse = (path: string, expected: string, value: unknown): never => {
  throw new FieldError(`${path} must be ${expected}, not ${shown(value)}`);
};

/** A line of text of `least` to `most` characters. */
const text =
  (most: number, least = 1): Check =>
  (value, path) => {
    if (typeof value !== 'string' || value.length < least || value.length > most || /[\n\r]/.test(value))
      refuse(path, `a line of ${least} to ${most} characters`, value);
  };
const number =
  (least: number, most: number, whole = false): Check =>
  (value, path) => {
    if (typeof value !== 'number' || !(value >= least && value <= most) || (whole && !Number.isInteger(value)))
      refuse(path, `a ${whole ? 'whole ' : ''}number from ${least} to ${most}`, value);
  };
const flag: Check = (value, path) => {
  if (typeof value !== 'boolean') refuse(path, 'true or false', value);
};
const orNull =
  (check: Check): Check =>
  (value, path) => {
    if (value !== null) check(value, path);
  };
const oneOf =
  (values: readonly unknown[]): Check =>
  (value, path) => {
    if (!values.includes(value)) refuse(path, values.length === 1 ? shown(values[0]) : `one of ${values.join(', ')}`, value);
  };
const listOf =
  (check: Check, most: number): Check =>
  (value, path) => {
    if (!Array.isArray(value) || value.length > most) return refuse(path, `a list of at most ${most}`, value);
    value.forEach((one, i) => {
      check(one, `${path}[${i}]`);
    });
  };
/** An object with these fields and no others: a field that is misspelt would else be lost without a word. */
const object =
  (fields: Record<string, Check>): Check =>
  (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return refuse(path || 'the file', 'an object', value);
    const at = (name: string) => (path ? `${path}.${name}` : name);
    for (const name of Object.keys(value))
      if (!Object.hasOwn(fields, name)) throw new FieldError(`${at(name)} is no field of the format`);
    for (const [name, check] of Object.entries(fields)) {
      if (!Object.hasOwn(value, name)) throw new FieldError(`${at(name)} is missing`);
      check((value as Record<string, unknown>)[name], at(name));
    }
  };
const date: Check = (value, path) => {
  const good = typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) && Number.isFinite(Date.parse(value));
  if (!good) refuse(path, 'a date such as 2026-11-26T12:00:00Z', value);
};

const doubts = listOf(oneOf(Object.keys(DOUBTS)), Object.keys(DOUBTS).length);
const ms = number(1e-6, 1e6);
const figure = object({
  scene: oneOf(Object.keys(VISITOR_SCENES)),
  way: oneOf(Object.keys(VISITOR_WAYS)),
  bodies: number(1, 1e6, true),
  threads: orNull(number(1, 1024, true)),
  steps: number(0, 1e6, true),
  median: orNull(ms),
  p95: orNull(ms),
  low: orNull(ms),
  high: orNull(ms),
  missing: orNull(text(300)),
  doubts,
});
const report = object({
  format: oneOf([VISITOR_FORMAT]),
  formatVersion: oneOf([VISITOR_FORMAT_VERSION]),
  date,
  talus: object({ version: text(40), commit: orNull(text(80)) }),
  machine: object({
    name: orNull(text(80)),
    browser: text(120),
    os: text(200),
    userAgent: text(500),
    cores: number(1, 4096, true),
    memoryGb: orNull(number(0.1, 65536)),
    isolated: flag,
    clock: number(0, 1000),
    gpu: orNull(object({ name: text(200), software: flag })),
    gpuReason: orNull(text(300)),
  }),
  size: number(1, 1e6, true),
  sizeBy: oneOf(['probe', 'visitor']),
  probe: object({ before: ms, after: ms }),
  doubts,
  figures: listOf(figure, Object.keys(VISITOR_SCENES).length * Object.keys(VISITOR_WAYS).length),
});

/** What fields must be to each other. */
function checkTogether({ figures }: VisitorReport): void {
  const seen = new Set<string>();
  figures.forEach(({ scene, way, median, p95, low, high, missing, threads, steps }, i) => {
    const path = `figures[${i}]`;
    if (seen.has(`${scene} ${way}`)) throw new FieldError(`${path}: ${scene} with ${way} is there twice`);
    seen.add(`${scene} ${way}`);
    const values = [median, p95, low, high, threads];
    if (missing !== null) {
      if (values.some((value) => value !== null) || steps > 0)
        throw new FieldError(`${path} has both figures and a reason for having none`);
      return;
    }
    if (values.some((value) => value === null) || steps === 0)
      throw new FieldError(`${path} has neither figures nor a reason for having none`);
    if (!(low! <= median! && median! <= high! && median! <= p95!))
      throw new FieldError(`${path}: the median must lie between low and high, and not above p95`);
  });
  for (const scene of Object.keys(VISITOR_SCENES)) {
    for (const way of Object.keys(VISITOR_WAYS)) {
      if (!seen.has(`${scene} ${way}`)) throw new FieldError(`figures: ${scene} with ${way} is missing`);
    }
  }
}

/** Gives data back as a report. Throws an Error that names the first field that is not as the format says. */
export function checkVisitorReport(data: unknown): VisitorReport {
  const { format, formatVersion } = (data ?? {}) as Record<string, unknown>;
  if (format !== VISITOR_FORMAT) throw new Error(`no report of a visitor's machine: its format must be '${VISITOR_FORMAT}'`);
  if (formatVersion !== VISITOR_FORMAT_VERSION)
    throw new Error(
      `version ${shown(formatVersion)} of the format; this talus reads version ${VISITOR_FORMAT_VERSION}: measure again`,
    );
  report(data, '');
  checkTogether(data as VisitorReport);
  return data as VisitorReport;
}

/** Reads the text of a file. Throws an Error that says what is wrong with it. */
export function parseVisitorReport(source: string): VisitorReport {
  let data: unknown;
  try {
    data = JSON.parse(source);
  } catch (error) {
    throw new Error(`no JSON: ${(error as Error).message}`);
  }
  return checkVisitorReport(data);
}

/** The report as a file: short enough for an issue, a line for each figure. */
export function visitorText(data: VisitorReport): string {
  const { figures, ...rest } = data;
  const head = Object.entries(rest).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return `{\n${head.join('\n')}\n  "figures": [\n${figures.map((one) => `    ${JSON.stringify(one)}`).join(',\n')}\n  ]\n}\n`;
}

/** What a machine is called: as its visitor calls it, or by what the browser tells. */
export function machineName({ machine }: VisitorReport): string {
  return machine.name ?? `${machine.browser}, ${machine.cores} cores, ${machine.os.split(';')[0]!.trim()}`;
}

/** A name for the file of a report, such as 2026-11-26_my-laptop_1000.json. */
export function visitorFile(data: VisitorReport): string {
  const name = machineName(data)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50);
  return `${data.date.slice(0, 10)}_${name || 'machine'}_${data.size}.json`;
}
