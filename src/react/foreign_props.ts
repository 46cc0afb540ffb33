// Props of react-three-rapier that have another name here, another range, or no effect: the console names the last kind once.
import type { ColliderDesc, CombineRule, World } from '../index';
import { warnOnce } from './report';

/** Props of colliders and bodies in react-three-rapier that have no effect here. Their types are known. */
export interface UnusedProps {
  solverGroups?: number;
  principalAngularInertia?: readonly [number, number, number];
  dominanceGroup?: number;
  additionalSolverIterations?: number;
  softCcdPrediction?: number;
}

/** Props of `Physics` in react-three-rapier that have no effect here. */
export interface UnusedPhysicsProps {
  numSolverIterations?: number;
  numInternalPgsIterations?: number;
  allowedLinearError?: number;
  predictionDistance?: number;
  minIslandSize?: number;
  maxCcdSubsteps?: number;
  contactNaturalFrequency?: number;
  lengthUnit?: number;
}

/** What to use instead. */
const INSTEAD: Readonly<Record<keyof UnusedProps | keyof UnusedPhysicsProps, string>> = {
  solverGroups: 'use collisionGroups, or group with world.setContactRule',
  principalAngularInertia: 'use massProperties of the body',
  dominanceGroup: 'make the body heavier, or kinematic',
  additionalSolverIterations: 'use substeps of Physics',
  softCcdPrediction: 'fast bodies pass through nothing by themselves',
  numSolverIterations: 'use substeps or preset',
  numInternalPgsIterations: 'use substeps or preset',
  allowedLinearError: 'use preset',
  predictionDistance: 'the engine finds it by itself',
  minIslandSize: 'the engine finds it by itself',
  maxCcdSubsteps: 'fast bodies pass through nothing by themselves',
  contactNaturalFrequency: 'use preset',
  lengthUnit: 'scale the scene to metres',
};
const UNUSED = Object.keys(INSTEAD) as (keyof typeof INSTEAD)[];

/** Warns of props that have no effect, each once, with the replacement. */
export function warnUnused(label: string, props: object): void {
  for (const key of UNUSED) {
    if ((props as Record<string, unknown>)[key] === undefined) continue;
    warnOnce(key, `${label}: ${key} has no effect: ${INSTEAD[key]}`);
  }
}

/** Returns the same object without such props. */
export function withoutUnused<T extends object>(props: T): Omit<T, keyof UnusedPhysicsProps> {
  return Object.fromEntries(Object.entries(props).filter(([key]) => !(key in INSTEAD))) as never;
}

const COMBINE_RULES: readonly CombineRule[] = ['average', 'min', 'multiply', 'max'];

/** Returns a combine rule by Rapier's number. */
export const combineRule = (rule: number) => COMBINE_RULES[rule] ?? (rule as unknown as CombineRule);
/** Returns Rapier's number of a combine rule. */
export const combineNumber = (rule: CombineRule) => Math.max(0, COMBINE_RULES.indexOf(rule));

/** Surface of colliders as react-three-rapier names it. */
export interface ForeignSurface {
  frictionCombineRule?: number;
  restitutionCombineRule?: number;
}

/** The group of colliders whose restitution is above 1: see `allowBounce`. */
const BOUNCY = 63;

/**
 * Converts combine rules, and limits restitution to the range of the engine. Rapier takes the mean of both colliders. A
 * restitution above 1 is halved here, which is its mean with a collider that has none; two such colliders have 1.
 */
export function takeSurface(label: string, props: ForeignSurface & { restitution?: number }, out: Partial<ColliderDesc>): void {
  if (props.frictionCombineRule !== undefined) out.frictionCombine ??= combineRule(props.frictionCombineRule);
  if (props.restitutionCombineRule !== undefined) out.restitutionCombine ??= combineRule(props.restitutionCombineRule);
  if (out.restitution === undefined || out.restitution <= 1) return;
  const half = Math.min(out.restitution / 2, 1);
  warnOnce(
    'restitution',
    `${label}: restitution ${out.restitution} is above 1: it bounces by ${half}, and by 1 off others like it, so that no impact adds energy`,
  );
  const isOwn = out.restitutionCombine !== undefined && out.restitutionCombine !== 'average';
  out.restitution = isOwn ? 1 : half;
  if (isOwn) return;
  out.restitutionCombine = 'max';
  out.group ??= BOUNCY;
}

/** Sets the contact rule among colliders with restitution above 1, when the first of them comes. */
export function allowBounce(world: World, colliders: readonly Partial<ColliderDesc>[]): void {
  if (!colliders.some(({ group }) => group === BOUNCY) || world.getContactRule(BOUNCY, BOUNCY)) return;
  world.setContactRule(BOUNCY, BOUNCY, { restitution: 1 });
}
