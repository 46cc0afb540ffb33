// Props of react-three-rapier that have another name here, another range, or no effect: the last are named once in the console.
import type { ColliderDesc, CombineRule } from '../index';
import { warnOnce } from './report';

/** Props of colliders and bodies that react-three-rapier has and this engine does not take: their types are known, they do nothing. */
export interface UnusedProps {
  solverGroups?: number;
  activeCollisionTypes?: number;
  contactSkin?: number;
  principalAngularInertia?: readonly [number, number, number];
  dominanceGroup?: number;
  additionalSolverIterations?: number;
  softCcdPrediction?: number;
}

/** The same of `Physics`. */
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
  activeCollisionTypes: 'for kinematic and static bodies use a collider with sensor and seesStatic',
  contactSkin: 'make the shape larger',
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

/** Names props that do nothing, each once, with what to use instead. */
export function warnUnused(label: string, props: object): void {
  for (const key of UNUSED) {
    if ((props as Record<string, unknown>)[key] === undefined) continue;
    warnOnce(key, `${label}: ${key} has no effect: ${INSTEAD[key]}`);
  }
}

/** The same object without them. */
export function withoutUnused<T extends object>(props: T): Omit<T, keyof UnusedPhysicsProps> {
  return Object.fromEntries(Object.entries(props).filter(([key]) => !(key in INSTEAD))) as never;
}

const COMBINE_RULES: readonly CombineRule[] = ['average', 'min', 'multiply', 'max'];

/** A rule by its number, as Rapier has it. */
export const combineRule = (rule: number) => COMBINE_RULES[rule] ?? (rule as unknown as CombineRule);
/** The number of a rule. */
export const combineNumber = (rule: CombineRule) => Math.max(0, COMBINE_RULES.indexOf(rule));

/** Surface of colliders as react-three-rapier names it. */
export interface ForeignSurface {
  frictionCombineRule?: number;
  restitutionCombineRule?: number;
}

/** Takes over combine rules, and holds restitution within what the engine takes: above 1 is 1, of whatever the other collider has. */
export function takeSurface(label: string, props: ForeignSurface & { restitution?: number }, out: Partial<ColliderDesc>): void {
  if (props.frictionCombineRule !== undefined) out.frictionCombine ??= combineRule(props.frictionCombineRule);
  if (props.restitutionCombineRule !== undefined) out.restitutionCombine ??= combineRule(props.restitutionCombineRule);
  if (out.restitution !== undefined && out.restitution > 1) {
    warnOnce(
      'restitution',
      `${label}: restitution ${out.restitution} counts as 1: above that bodies would gain energy at each impact`,
    );
    out.restitution = 1;
    out.restitutionCombine ??= 'max';
  }
}
