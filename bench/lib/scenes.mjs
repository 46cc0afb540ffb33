// Loads the scene library (TypeScript) into plain Node through Vite's module runner: no build step, no extra dependency.
import { resolve } from 'node:path';
import { runnerImport } from 'vite';

const entry = resolve(import.meta.dirname, '../../scenes/index.ts');
const { module } = await runnerImport(entry, { configFile: false, logLevel: 'error' });

/** @type {typeof import('../../scenes/index').buildScene} */
export const buildScene = module.buildScene;
/** @type {string[]} */
export const SCENE_NAMES = module.SCENE_NAMES;
/** @type {typeof import('../../scenes/index').PUBLISHED} */
export const PUBLISHED = module.PUBLISHED;
/** @type {typeof import('../../scenes/index').publishedScene} */
export const publishedScene = module.publishedScene;
/** @type {typeof import('../../scenes/index').ENVELOPES} */
export const ENVELOPES = module.ENVELOPES;
/** @type {typeof import('../../scenes/index').TORTURE} */
export const TORTURE = module.TORTURE;
/**
 * What the torture scenes are made with, what counts in them, and their closed forms.
 * @type {Pick<typeof import('../../scenes/index'),
 *   'ARCH' | 'GYROSCOPE' | 'WRECKING_BALL' | 'STANDS' | 'TOPPLES' | 'WAVE' | 'LEANS' | 'truthOf'>}
 */
export const truth = module;
/** @type {typeof import('../../scenes/index').jointSettings} */
export const jointSettings = module.jointSettings;
/** @type {typeof import('../../scenes/index').traitSettings} */
export const traitSettings = module.traitSettings;
/** @type {typeof import('../../scenes/index').actOf} */
export const actOf = module.actOf;
export const Random = module.Random;
export const STATIC = module.STATIC;
export const KINEMATIC = module.KINEMATIC;
export const DYNAMIC = module.DYNAMIC;
