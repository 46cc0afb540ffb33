// The settings of published methods (docs/methods.md) that the page offers: their names, ranges and words, how they stand in
// a link, and which of them a backend has. Only what was chosen is kept; everything else is left to the library, whose
// standards depend on each other (rigid pass and factor follow the stabilization).
import type { BackendName, MethodParameters, Settings, SolverName, StepParameters, WorldSettings } from '../../src/study/index';
import { checkBackend, checkSettings, resolveSettings } from '../../src/study/options';

type Offered = MethodParameters &
  Pick<
    StepParameters,
    'sleepSpeed' | 'sleepTime' | 'warmStart' | 'linearSlop' | 'contactHertzRatio' | 'dampingRatio' | 'pushSpeed' | 'cellBodyCap'
  >;
export type MethodKey = keyof Offered;
/** What was chosen; all else is at its standard. */
export type Methods = { [K in MethodKey]?: Offered[K] };

interface Setting {
  text: string;
  title: string;
  /** One of `words`, a number (least, most and step of the slider; a link may hold more), or else a switch. */
  words?: readonly string[];
  slider?: readonly [number, number, number];
}

const words = <T extends string>(all: Record<T, unknown>): readonly T[] => Object.keys(all) as T[];

/** In the order of the panel. */
export const METHODS: { readonly [K in MethodKey]: Setting } = {
  integration: {
    text: 'Integration',
    title: 'Many short substeps, or one step of many iterations as in the papers',
    words: words<MethodParameters['integration']>({ substeps: 0, 'one-step': 0 }),
  },
  iterations: { text: 'One-step sweeps', title: 'Sweeps of one-step integration', slider: [1, 200, 1] },
  stabilization: {
    text: 'Stabilization',
    title: 'How overlap is taken out: implicit springs, a velocity, or a second solve for positions',
    words: words<MethodParameters['stabilization']>({ soft: 0, baumgarte: 0, projection: 0 }),
  },
  stabilizationFactor: {
    text: 'Share of overlap',
    title: 'Share of the overlap that baumgarte and projection take out in a substep',
    slider: [0, 1, 0.05],
  },
  relax: { text: 'Rigid pass', title: 'A pass after each substep that takes the push speed out again' },
  frictionModel: {
    text: 'Friction',
    title: 'A patch per manifold, or tangents per point',
    words: words<MethodParameters['frictionModel']>({ patch: 0, pyramid: 0, 'pyramid-staggered': 0, 'random-tangent': 0 }),
  },
  permutation: { text: 'Random order', title: 'A new order of contacts each step, drawn from the seed' },
  warmStart: {
    text: 'Warm start',
    title: 'Factor on impulses carried from step to step; 0 starts from nothing',
    slider: [0, 1, 0.05],
  },
  weightAmplification: {
    text: 'Weight amplification',
    title: 'Factor on the mass of the lower body of every contact (Tsuda: 1.4)',
    slider: [1, 3, 0.1],
  },
  shockPropagation: {
    text: 'Shock propagation',
    title: 'Share of a second solution in which lower bodies do not move',
    slider: [0, 1, 0.05],
  },
  spectralRadius: {
    text: 'Spectral radius',
    title: 'How jacobi-spectral finds it: largest row sum, or power iteration',
    words: words<MethodParameters['spectralRadius']>({ norm: 0, power: 0 }),
  },
  mean: {
    text: 'Mean',
    title: 'Splitting in substeps: when the parts of a body become one again',
    words: words<MethodParameters['mean']>({ iteration: 0, pass: 0 }),
  },
  omega: { text: 'Omega', title: 'Factor on the step of the Jacobi family', slider: [0.05, 1, 0.05] },
  nesterov: { text: 'Acceleration', title: 'Nesterov’s: each iteration goes on in the direction of the last one' },
  accumulation: {
    text: 'Sums on the GPU',
    title: 'How Jacobi on WebGPU adds to bodies: by segments in order, in fixed point, or by compare-exchange',
    words: words<MethodParameters['accumulation']>({ segmented: 0, 'fixed-point': 0, 'compare-exchange': 0 }),
  },
  aggressiveSleep: { text: 'Aggressive sleep', title: 'Contacts between two slow bodies keep the impulse of the last step' },
  sleepSpeed: { text: 'Rest speed, m/s', title: 'Bodies with no point faster than this are at rest', slider: [0, 0.5, 0.01] },
  sleepTime: { text: 'Rest time, s', title: 'An island sleeps when all of it has been at rest this long', slider: [0, 5, 0.1] },
  linearSlop: { text: 'Slop, m', title: 'Overlap that is left alone', slider: [0, 0.05, 0.001] },
  contactHertzRatio: {
    text: 'Stiffness',
    title: 'Frequency of contacts over the rate of substeps; the preset chooses it',
    slider: [0.01, 0.5, 0.005],
  },
  dampingRatio: { text: 'Damping ratio', title: 'Damping ratio of contacts', slider: [0, 30, 0.5] },
  pushSpeed: { text: 'Push speed, m/s', title: 'Largest speed at which overlap is pushed out', slider: [0, 20, 0.5] },
  cellBodyCap: { text: 'Bodies in a cell', title: 'Splitting solvers: most moving bodies in a cell', slider: [2, 96, 1] },
};
export const METHOD_KEYS = Object.keys(METHODS) as MethodKey[];

const passes = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

/** A setting as a link has it, or undefined if the library would refuse it. */
export function readMethod(key: MethodKey, text: string): Methods[MethodKey] {
  const { words: known, slider } = METHODS[key];
  const value = known ? text : slider ? Number(text || Number.NaN) : text === '1' ? true : text === '0' ? false : text;
  const settings = { [key]: value } as WorldSettings;
  return passes(() => checkSettings(settings)) ? (value as Methods[MethodKey]) : undefined;
}

/** Without what is as it would be anyway. */
export function trimMethods(methods: Methods, others: WorldSettings): Methods {
  const kept = Object.entries(methods).filter(([key, value]) => {
    const rest = resolveSettings({ ...others, ...methods, [key]: undefined }, false);
    return value !== undefined && rest[key as MethodKey] !== value;
  });
  return Object.fromEntries(kept);
}

/** `methods` in a form that `world.set` takes: what was not chosen goes back to its standard. */
export function methodSettings(methods: Methods): WorldSettings {
  return { ...Object.fromEntries(METHOD_KEYS.map((key) => [key, undefined])), ...methods };
}

/** Of all settings in force those that not every backend has: solver and methods. */
export function solving(settings: Readonly<Settings>): WorldSettings {
  return Object.fromEntries((['solver', ...METHOD_KEYS] as const).map((key) => [key, settings[key]]));
}

/** Whether a backend has these settings: solver and methods. */
export function fits(backend: BackendName, settings: WorldSettings): boolean {
  return passes(() => checkBackend(backend, settings));
}

/** What a solver on a backend has of the chosen methods, and the names of those that it has not. */
export function methodsFor(backend: BackendName, solver: SolverName, methods: Methods): { kept: Methods; lost: string[] } {
  const lost = METHOD_KEYS.filter((key) => methods[key] !== undefined && !fits(backend, { solver, [key]: methods[key] }));
  const kept = { ...methods };
  for (const key of lost) delete kept[key];
  if (lost.includes('stabilization')) delete kept.stabilizationFactor;
  return { kept, lost: lost.map((key) => METHODS[key].text.toLowerCase()) };
}
