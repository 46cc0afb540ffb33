// Matrices of profiling runs: scenes, sizes, contenders and durations. Turns a size into a scene of the scene library.
import { buildScene, type Scene, type SceneOptions } from '../scenes/index';
import { SOLVER_NAMES } from '../src/study/options';
import type { Contender, Matrix } from './types';

interface ProfileScene {
  /** Name in the scene library. */
  builder: string;
  /** Why it is here. */
  text: string;
  options(size: number): SceneOptions;
  /** Sizes beyond are not built: the structure would be something else. */
  largest: number;
}

/** Scenes that can be had in any size, by name. */
export const PROFILE_SCENES: Record<string, ProfileScene> = {
  boxes: { builder: 'boxes', text: 'boxes on a basin mesh', options: (count) => ({ count }), largest: Infinity },
  towers: {
    builder: 'boxes720',
    text: 'towers of ten boxes: many small islands',
    options: (size) => ({ scale: Math.max(1, Math.round(size / 90)) / 8 }),
    largest: 50_000,
  },
  spheres: {
    builder: 'spheres',
    text: 'spheres in a container: one contact per pair',
    options: (count) => ({ count }),
    largest: Infinity,
  },
  mixed: { builder: 'mixed', text: 'all shapes on a basin mesh', options: (count) => ({ count }), largest: Infinity },
  hulls: { builder: 'hulls', text: 'convex hulls in a container', options: (count) => ({ count }), largest: Infinity },
  pyramid: {
    builder: 'pyramid',
    text: 'one flat pyramid: one deep island',
    options: (size) => ({ scale: Math.max(2, Math.round((Math.sqrt(8 * size + 1) - 1) / 2)) / 60 }),
    largest: 10_000,
  },
  ragdolls: {
    builder: 'ragdolls150',
    text: 'ragdolls of 13 bodies on 12 joints',
    options: (size) => ({ count: Math.max(1, Math.round(size / 13)) }),
    largest: Infinity,
  },
};

/** Builds a profile scene with about `size` dynamic bodies. */
export function buildProfileScene(name: string, size: number, seed = 1): Scene {
  const scene = PROFILE_SCENES[name];
  if (!scene) throw new Error(`unknown profile scene '${name}'; one of ${Object.keys(PROFILE_SCENES).join(', ')}`);
  return buildScene(scene.builder, { seed, ...scene.options(size) });
}

/** Solvers of the library by name, without `auto`. */
export const SOLVERS: string[] = SOLVER_NAMES.filter((name) => name !== 'auto');

/**
 * `wasm:wide`, `webgpu:cell-split`, `webgpu` (its one solver), or the name of another engine. A third part asks for threads:
 * `wasm:wide:auto`, `wasm:wide:4`.
 */
export function parseContender(id: string): Contender {
  const [head = '', solver, threads, ...rest] = id.split(':');
  if (head !== 'wasm' && head !== 'webgpu') {
    if (!/^[a-z][a-z0-9-]*$/.test(id)) throw new Error(`'${id}' is not backend:solver and no name of an engine`);
    return { id, engine: id, backend: null, solver: null };
  }
  const name = solver ?? (head === 'webgpu' ? 'cell-split' : 'wide');
  if (!SOLVERS.includes(name)) throw new Error(`unknown solver '${name}'; one of ${SOLVERS.join(', ')}`);
  const contender: Contender = { id: `${head}:${name}`, engine: 'talus', backend: head, solver: name };
  if (threads === undefined) return contender;
  if (rest.length > 0 || !/^(auto|[1-9]\d?)$/.test(threads))
    throw new Error(`'${id}': threads are 'auto' or a number, as in wasm:wide:4`);
  return { ...contender, id: `${contender.id}:${threads}`, threads: threads === 'auto' ? threads : Number(threads) };
}

const COMMON = { preset: 'balanced', seed: 1, block: 5 } as const;

/** A few sizes and solvers: a minute on two free cores with a software adapter, two on busy ones. */
export function quickMatrix(): Matrix {
  return {
    ...COMMON,
    mode: 'quick',
    scenes: ['boxes', 'towers', 'mixed'],
    sizes: [100, 300, 1000, 3000],
    contenders: ['wasm:wide', 'wasm:colored', 'wasm:cell-split', 'webgpu:cell-split'].map(parseContender),
    settleSeconds: 3,
    warmup: 10,
    steps: 50,
    contenderSeconds: 1.5,
    leastSteps: 12,
    budgetSeconds: 90,
    depthLimit: 1000,
    softwareLimit: 300,
    engineLimits: { cannon: 1000 },
  };
}

/** 1,000 to 100,000 bodies. */
export function fullMatrix(): Matrix {
  return {
    ...COMMON,
    mode: 'full',
    scenes: ['boxes', 'towers', 'spheres', 'mixed', 'hulls', 'pyramid'],
    sizes: [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000],
    contenders: ['wasm:wide', 'wasm:colored', 'wasm:pgs', 'wasm:cell-split', 'webgpu:cell-split'].map(parseContender),
    settleSeconds: 6,
    warmup: 30,
    steps: 120,
    contenderSeconds: 20,
    leastSteps: 10,
    budgetSeconds: null,
    depthLimit: 20_000,
    softwareLimit: 1000,
    engineLimits: { cannon: 1000 },
  };
}

/** Throws an Error that says what is wrong with a matrix. */
export function checkMatrix(matrix: Matrix): void {
  const whole = (value: number, least: number, name: string) => {
    if (!Number.isInteger(value) || value < least) throw new Error(`${name} must be a whole number of ${least} or more`);
  };
  const filled = (list: unknown[], name: string) => {
    if (list.length === 0) throw new Error(`no ${name}`);
    if (new Set(list).size < list.length) throw new Error(`${name} named twice`);
  };
  filled(matrix.scenes, 'scenes');
  filled(matrix.sizes, 'sizes');
  filled(
    matrix.contenders.map((c) => c.id),
    'contenders',
  );
  for (const scene of matrix.scenes) {
    if (!PROFILE_SCENES[scene])
      throw new Error(`unknown profile scene '${scene}'; one of ${Object.keys(PROFILE_SCENES).join(', ')}`);
  }
  for (const size of matrix.sizes) whole(size, 1, 'a size');
  whole(matrix.block, 1, 'block');
  whole(matrix.warmup, 0, 'warmup');
  whole(matrix.steps, 1, 'steps');
  whole(matrix.leastSteps, 1, 'leastSteps');
  if (!(matrix.settleSeconds >= 0)) throw new Error('settleSeconds must not be negative');
}

/** Groups of a matrix in the order in which they run: sizes from small to large, so that a cut run has whole small ones. */
export function groupsOf(matrix: Matrix): { key: string; scene: string; size: number }[] {
  const groups = [];
  for (const size of matrix.sizes.toSorted((a, b) => a - b)) {
    for (const scene of matrix.scenes) {
      if (size <= PROFILE_SCENES[scene]!.largest) groups.push({ key: `${scene}|${size}`, scene, size });
    }
  }
  return groups;
}
