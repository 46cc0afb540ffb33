// Everything that a link to this page keeps: scene and settings, in the query of the address; only what differs from the
// standard is written. What cannot be read is ignored: an old link shows at least its scene.

import { BACKEND_NAMES, PRESET_NAMES } from '../../src/options/options';
import type { BackendName, PresetName, SolverName } from '../../src/study/index';
import { SOLVER_NAMES } from '../../src/study/options';
import { ENTRIES } from './catalog';
import { COLORINGS, type Coloring } from './coloring';
import { METHOD_KEYS, type MethodKey, type Methods, readMethod } from './methods';

export interface State {
  /** '' where a link names none: then the device decides (probe.ts). */
  scene: string;
  /** Bodies of scenes that take a number; 0 is the standard. */
  count: number;
  seed: number;
  backend: BackendName;
  solver: SolverName;
  preset: PresetName;
  /** Effort by hand; 0 leaves it to the preset. */
  substeps: number;
  sweeps: number;
  granularity: number;
  /** Whether bodies at rest fall asleep. */
  sleep: boolean;
  /** Solver of the second view, '' without one. */
  compare: SolverName | '';
  /** Simulated seconds a second. */
  speed: number;
  color: Coloring;
  contacts: boolean;
  normals: boolean;
  impulses: boolean;
  bounds: boolean;
  /** Lines of joints: anchors, axes, limits. */
  joints: boolean;
  /** Whether other engines play the scene, too, where it can be judged. */
  rivals: boolean;
  /** Whether tools, settings and plots are open. */
  lab: boolean;
  theme: 'system' | 'light' | 'dark';
  /** `auto` lowers resolution, then shadows, where frames take too long to draw; spots below bodies stay. */
  quality: Quality;
  /** What draws; `auto` is WebGL 2 until the solver goes to WebGPU. */
  renderer: (typeof RENDERERS)[number];
  /** Settings of published methods that were chosen. */
  methods: Methods;
}

export const QUALITIES = ['auto', 'high', 'low'] as const;
export type Quality = (typeof QUALITIES)[number];

export const RENDERERS = ['auto', 'webgl', 'webgpu'] as const;

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2];
const THEMES = ['system', 'light', 'dark'] as const;

export function standard(): State {
  return {
    scene: '',
    count: 0,
    seed: 1,
    backend: 'wasm',
    solver: 'auto',
    preset: 'balanced',
    substeps: 0,
    sweeps: 0,
    granularity: 0,
    sleep: true,
    compare: '',
    speed: 1,
    color: 'body',
    contacts: false,
    normals: false,
    impulses: false,
    bounds: false,
    joints: false,
    rivals: false,
    lab: false,
    theme: 'system',
    quality: 'auto',
    renderer: 'auto',
    methods: {},
  };
}

const WORDS: Partial<Record<keyof State, readonly string[]>> = {
  scene: ENTRIES.map((entry) => entry.name),
  backend: BACKEND_NAMES,
  solver: SOLVER_NAMES,
  preset: PRESET_NAMES,
  compare: ['', ...SOLVER_NAMES],
  color: COLORINGS,
  theme: THEMES,
  quality: QUALITIES,
  renderer: RENDERERS,
};
const RANGES: Partial<Record<keyof State, readonly [number, number]>> = {
  count: [0, 20000],
  seed: [1, 1e9],
  substeps: [0, 64],
  sweeps: [0, 32],
  granularity: [0, 65536],
};

/** The state that a query describes. */
export function readState(query: string): State {
  const state = standard();
  const into = state as unknown as Record<string, unknown>;
  for (const [key, text] of new URLSearchParams(query)) {
    if (METHOD_KEYS.includes(key as MethodKey)) {
      const value = readMethod(key as MethodKey, text);
      if (value !== undefined) (state.methods as Record<string, unknown>)[key] = value;
      continue;
    }
    if (!(key in state) || key === 'methods') continue;
    const name = key as keyof State;
    const old = state[name];
    if (typeof old === 'boolean') into[key] = text === '1';
    else if (WORDS[name]) {
      if (WORDS[name]!.includes(text)) into[key] = text;
    } else if (name === 'speed') {
      if (SPEEDS.includes(Number(text))) into[key] = Number(text);
    } else {
      const [least, most] = RANGES[name]!;
      const value = Math.round(Number(text));
      if (value >= least && value <= most) into[key] = value;
    }
  }
  return state;
}

const word = (value: unknown) => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value));

/** The query of a state, with its question mark, or '' for the standard one; the scene is always named. */
export function writeState(state: State): string {
  const query = new URLSearchParams({ scene: state.scene });
  const usual = standard();
  for (const key of Object.keys(usual) as (keyof State)[]) {
    const value = state[key];
    if (key === 'scene' || key === 'methods' || value === usual[key]) continue;
    query.set(key, word(value));
  }
  for (const [key, value] of Object.entries(state.methods)) query.set(key, word(value));
  return `?${query}`;
}
