// The scene library: builders by name. Scenes are plain data (types.ts), independent of the engine and deterministic.
import { bridge } from './bridge';
import { bullets } from './bullets';
import { cardHouse, cardHouseHit } from './card_house';
import { chain } from './chain';
import { chess } from './chess';
import { circuit } from './circuit';
import { conveyor } from './conveyor';
import { course } from './course';
import { cradle } from './cradle';
import { eulerDisc } from './euler_disc';
import { fracture } from './fracture';
import { heap } from './heap';
import { capsuleChain, hangingChain, jointGrid } from './jointed_chains';
import { arm, car, fourBar, gearTrain, pulley } from './machines';
import { boxes, boxesSmall, hulls, mixed, spheres } from './piles';
import { plates } from './plates';
import { publishedScene } from './published';
import { ragdolls150 } from './ragdolls';
import { rubble } from './rubble';
import { freefall, rest, slope, spinner } from './sanity';
import { slopes } from './slopes';
import { boxes720, domino, pyramid, slabs, stack, wall } from './stacks';
import { strip } from './strip';
import { TORTURE } from './torture';
import type { Scene, SceneOptions } from './types';
import { water } from './water';

export { actOf } from './acts';
export { bridge } from './bridge';
export { bullets } from './bullets';
export { cardHouse, cardHouseHit } from './card_house';
export { chain } from './chain';
export { chess } from './chess';
export { circuit } from './circuit';
export * from './closed_forms';
export { conveyor } from './conveyor';
export { course } from './course';
export { cradle } from './cradle';
export * from './envelopes';
export { eulerDisc } from './euler_disc';
export { fracture } from './fracture';
export { heap } from './heap';
export { jointSettings } from './joint_settings';
export { capsuleChain, hangingChain, jointGrid } from './jointed_chains';
export { arm, car, fourBar, gearTrain, pulley } from './machines';
export { boxes, boxesSmall, hulls, mixed, spheres } from './piles';
export { plates } from './plates';
export { PUBLISHED, publishedScene } from './published';
export { addRagdoll, ragdolls150 } from './ragdolls';
export { Random } from './random';
export { rubble } from './rubble';
export { freefall, rest, slope, spinner } from './sanity';
export { slopes } from './slopes';
export { boxes720, domino, pyramid, slabs, stack, wall } from './stacks';
export { traitSettings } from './stage';
export { STRIP_SPEEDS, strip } from './strip';
export * from './torture';
export * from './torture_truth';
export * from './types';

const BUILDERS = {
  boxes,
  'boxes-small': boxesSmall,
  wall,
  pyramid,
  stack,
  cardhouse: cardHouse,
  'cardhouse-hit': cardHouseHit,
  spheres,
  hulls,
  rubble,
  mixed,
  heap,
  chess,
  chain,
  fracture,
  slabs,
  boxes720,
  domino,
  ragdolls150,
  'capsule-chain': capsuleChain,
  'hanging-chain': hangingChain,
  bridge,
  'joint-grid': jointGrid,
  car,
  arm,
  'four-bar': fourBar,
  'gear-train': gearTrain,
  pulley,
  course,
  slopes,
  circuit,
  conveyor,
  bullets,
  strip,
  cradle,
  'euler-disc': eulerDisc,
  plates,
  water,
  freefall,
  rest,
  slope,
  spinner,
};

export type SceneName = keyof typeof BUILDERS;

/** Names that `buildScene` knows, in the order in which a menu should show them. */
export const SCENE_NAMES = Object.keys(BUILDERS) as SceneName[];

/** Builds a scene by name, published and torture scenes too; the same name and options give the same scene, bit by bit. */
export function buildScene(name: string, options: SceneOptions = {}): Scene {
  const published = publishedScene(name);
  if (published) return published.build(options);
  if (Object.hasOwn(TORTURE, name)) return TORTURE[name]!.build(options);
  if (!Object.hasOwn(BUILDERS, name)) throw new Error(`unknown scene '${name}'; one of ${SCENE_NAMES.join(', ')}`);
  return BUILDERS[name as SceneName](options);
}
