// Checks descriptions of bodies and colliders (desc.ts) before anything is created, and computes their mass properties.

import { TalusError } from '../checks/errors';
import { show } from '../checks/show';
import {
  checkArray,
  checkBits,
  checkBoolean,
  checkInteger,
  checkKeys,
  checkNumber,
  checkPosition,
  checkQuat,
  checkQuats,
  checkVec3,
  checkWord,
  fail,
  MAX_COORDINATE,
} from '../checks/validate';
import { BODY_DYNAMIC, BODY_STATIC, COLLIDER_DISABLED, COLLIDER_SENSOR, RULE_GROUPS } from '../layout.generated';
import { MAX_SLOTS } from '../registry/ids';
import type { Registry } from '../registry/registry';
import { combineMass, type MassProperties, rotateMass, scaleMass, translateMass } from '../shapes/mass';
import { BODY_TYPES, COMBINE_RULES, type CombineRule, type ShapeId, type Vec3 } from '../types';
import { type CheckedEvents, checkColliderEvents } from './asked_events';
import type { BodiesDesc, BodyDesc, ColliderDesc, MassDesc, MaterialDesc } from './desc';
import { COLLIDER_TRAITS, EVENT_KEYS, MATERIAL_KEYS } from './keys';
import { type CheckedTraits, checkTraits, TRAIT_KEYS } from './traits';

/** Surface and filter of a collider that passed all checks. */
export type CheckedMaterial = Pick<
  CheckedCollider,
  'friction' | 'restitution' | 'rollingResistance' | 'spinningFriction' | 'combine' | 'category' | 'mask' | 'group'
>;

/** A collider that passed all checks. */
export interface CheckedCollider {
  shape: number;
  position: ArrayLike<number>;
  rotation: ArrayLike<number>;
  density: number;
  friction: number;
  restitution: number;
  rollingResistance: number;
  spinningFriction: number;
  combine: number;
  category: number;
  mask: number;
  group: number;
  surfaceVelocity: ArrayLike<number>;
  surfaceSpin: ArrayLike<number>;
  oneWay: ArrayLike<number>;
  /** COLLIDER_SENSOR, COLLIDER_DISABLED. */
  flags: number;
  events: CheckedEvents;
}

/** Mass properties by shape slot, at unit density; null for surfaces. */
export type ShapeMasses = readonly (MassProperties | null)[];

const ZERO: ArrayLike<number> = [0, 0, 0];
const IDENTITY: ArrayLike<number> = [0, 0, 0, 1];
export const DEFAULT_DENSITY = 1000;

const COLLIDER_KEYS = ['shape', 'position', 'rotation', ...COLLIDER_TRAITS];
/** Keys of a collider that a body has too, where they concern the whole body. */
const OWN_KEYS = [...COLLIDER_KEYS, 'mass', 'enabled'];
const NO_SURFACE = { surfaceVelocity: ZERO, surfaceSpin: ZERO, oneWay: ZERO };
const MOTION_KEYS = ['type', 'gravityScale', 'linearDamping', 'angularDamping', 'bullet', ...TRAIT_KEYS];
const BODY_KEYS = ['linearVelocity', 'angularVelocity', 'colliders', 'mass', 'userData', ...MOTION_KEYS, ...COLLIDER_KEYS];
const BODIES_KEYS = [
  'count',
  'types',
  'shape',
  'shapes',
  'positions',
  'rotations',
  'linearVelocities',
  'angularVelocities',
  'density',
  'densities',
  'frictions',
  'restitutions',
  'rollingResistances',
  'tags',
  ...MOTION_KEYS,
  ...EVENT_KEYS,
  ...MATERIAL_KEYS,
];

/** kg: the smallest mass that may be given, and the smallest and largest mass that densities of colliders may result in. */
const LEAST_MASS = 1e-9;
const LEAST_TOTAL = 1e-15;
const MOST_TOTAL = 1e27;
/**
 * kg m2: bounds of given inertia. A body of the smallest mass and size has more than the smallest, one of the largest mass and
 * size less than the largest.
 */
const LEAST_INERTIA = 1e-20;
const MOST_INERTIA = 1e37;

export const checkDensity = (value: unknown, name: string) => checkNumber(value, name, 0, 1e9);
const checkFriction = (value: unknown, name: string) => checkNumber(value, name, 0, 100);
const checkShare = (value: unknown, name: string) => checkNumber(value, name, 0, 1);

/** Returns material and filter, with `base` for fields that the caller leaves out. */
export function checkMaterial<T extends MaterialDesc>(desc: T, name: string, base: CheckedMaterial): CheckedMaterial {
  const rule = (value: CombineRule | undefined, key: string, fallback: number) =>
    value === undefined ? fallback : checkWord(value, `${name}.${key}`, COMBINE_RULES);
  const frictionRule = rule(desc.frictionCombine, 'frictionCombine', base.combine & 255);
  const restitutionRule = rule(desc.restitutionCombine, 'restitutionCombine', (base.combine >> 8) & 255);
  const rollingRule = rule(desc.rollingResistanceCombine, 'rollingResistanceCombine', (base.combine >> 16) & 255);
  const spinningRule = rule(desc.spinningFrictionCombine, 'spinningFrictionCombine', base.combine >>> 24);
  return {
    friction: desc.friction === undefined ? base.friction : checkFriction(desc.friction, `${name}.friction`),
    restitution: desc.restitution === undefined ? base.restitution : checkShare(desc.restitution, `${name}.restitution`),
    rollingResistance:
      desc.rollingResistance === undefined
        ? base.rollingResistance
        : checkShare(desc.rollingResistance, `${name}.rollingResistance`),
    spinningFriction:
      desc.spinningFriction === undefined
        ? base.spinningFriction
        : checkNumber(desc.spinningFriction, `${name}.spinningFriction`, 0, 1000),
    group: desc.group === undefined ? base.group : checkInteger(desc.group, `${name}.group`, 0, RULE_GROUPS - 1),
    combine: frictionRule | (restitutionRule << 8) | (rollingRule << 16) | (spinningRule << 24),
    category: desc.category === undefined ? base.category : checkBits(desc.category, `${name}.category`),
    mask: desc.mask === undefined ? base.mask : checkBits(desc.mask, `${name}.mask`),
  };
}

export const DEFAULT_MATERIAL = {
  friction: 0.6,
  restitution: 0,
  rollingResistance: 0.02,
  spinningFriction: 0,
  group: 0,
  combine: COMBINE_RULES.indexOf('geometric') * 0x10001 + COMBINE_RULES.indexOf('max') * 0x1000100,
  category: 1,
  mask: 0xffffffff,
};

/** Refuses unknown keys of a material, for calls that change only a material. */
export function checkMaterialKeys(desc: MaterialDesc): void {
  checkKeys(desc, 'material', MATERIAL_KEYS);
}

/** Returns the slot of a shape. A missing shape, and a description in place of an id, each get an error of their own. */
function checkShape(id: unknown, name: string, registry: Registry): number {
  if (id === undefined) {
    throw new TalusError('invalid-argument', `${name} is undefined: it must be an id from world.createShape`);
  }
  if (id !== null && typeof id === 'object') {
    throw new TalusError('invalid-argument', `${name} must be an id: call world.createShape first, got ${show(id)}`);
  }
  return registry.shape(id as ShapeId);
}

/** Checks a new collider. `ofBody`: its fields are written into its body, whose fields `mass` and `enabled` mean the body. */
function checkCollider(
  desc: Partial<ColliderDesc>,
  name: string,
  registry: Registry,
  masses: ShapeMasses,
  ofBody = false,
): CheckedCollider {
  const shape = checkShape(desc.shape, `${name}.shape`, registry);
  const density = desc.sensor === true ? 0 : DEFAULT_DENSITY;
  const base = {
    shape,
    position: ZERO,
    rotation: IDENTITY,
    density,
    flags: 0,
    events: checkColliderEvents(desc, name),
    ...NO_SURFACE,
    ...DEFAULT_MATERIAL,
  };
  return checkColliderWith(desc, name, registry, masses, base, ofBody);
}

/** Checks a collider, with `base` for fields that the caller leaves out. */
export function checkColliderWith(
  desc: Partial<ColliderDesc>,
  name: string,
  registry: Registry,
  masses: ShapeMasses,
  base: CheckedCollider,
  ofBody = false,
): CheckedCollider {
  const shape = desc.shape === undefined ? base.shape : checkShape(desc.shape, `${name}.shape`, registry);
  let flags = base.flags;
  if (desc.sensor !== undefined) {
    flags = checkBoolean(desc.sensor, `${name}.sensor`) ? flags | COLLIDER_SENSOR : flags & ~COLLIDER_SENSOR;
  }
  if (desc.enabled !== undefined && !ofBody) {
    flags = checkBoolean(desc.enabled, `${name}.enabled`) ? flags & ~COLLIDER_DISABLED : flags | COLLIDER_DISABLED;
  }
  const vector = (value: Vec3 | undefined, key: string, other: ArrayLike<number>) =>
    value === undefined ? other : checkVec3(value, `${name}.${key}`, 1e6);
  let density = desc.density === undefined ? base.density : checkDensity(desc.density, `${name}.density`);
  if (desc.mass !== undefined && !ofBody) {
    if (desc.density !== undefined) throw new TalusError('invalid-argument', `${name}: give density or mass, not both`);
    const mass = checkNumber(desc.mass, `${name}.mass`, 0, 1e12);
    const unit = masses[shape];
    if (!unit) throw new TalusError('unsupported', `${name}.mass: a mesh or heightfield has no mass`);
    density = mass / unit.mass;
  }
  return {
    shape,
    position: desc.position === undefined ? base.position : checkPosition(desc.position, `${name}.position`),
    rotation: desc.rotation === undefined ? base.rotation : checkQuat(desc.rotation, `${name}.rotation`),
    density,
    flags,
    events: base.events,
    surfaceVelocity: vector(desc.surfaceVelocity, 'surfaceVelocity', base.surfaceVelocity),
    surfaceSpin: vector(desc.surfaceSpin, 'surfaceSpin', base.surfaceSpin),
    oneWay: vector(desc.oneWay, 'oneWay', base.oneWay),
    ...checkMaterial(desc, name, base),
  };
}

/** Refuses keys that a collider does not have. */
export function checkColliderKeys(desc: Partial<ColliderDesc>, name: string): void {
  checkKeys(desc, name, OWN_KEYS);
}

/** Checks the description of one collider that is added to a body. */
export function checkColliderDesc(desc: ColliderDesc, registry: Registry, masses: ShapeMasses): CheckedCollider {
  checkColliderKeys(desc, 'collider');
  return checkCollider(desc, 'collider', registry, masses);
}

/** Refuses surfaces on bodies that are not static: they have neither volume nor mass, and two of them never collide. */
export function checkCarries(type: number, shape: number, masses: ShapeMasses): void {
  if (type === BODY_DYNAMIC && masses[shape] === null) {
    throw new TalusError(
      'unsupported',
      'a mesh, heightfield or plane has no mass and needs a kinematic or static body; use convex shapes on dynamic ones',
    );
  }
}

function normalized(q: ArrayLike<number>): [number, number, number, number] {
  const x = q[0]!;
  const y = q[1]!;
  const z = q[2]!;
  const w = q[3]!;
  const k = 1 / Math.hypot(x, y, z, w);
  return [x * k, y * k, z * k, w * k];
}

/** Returns the mass properties of all colliders of a body together, in the body frame. */
export function massOf(colliders: readonly CheckedCollider[], masses: ShapeMasses): MassProperties {
  const parts: MassProperties[] = [];
  for (const collider of colliders) {
    const unit = masses[collider.shape];
    if (!unit || collider.density === 0) continue;
    const p = collider.position;
    const turned = rotateMass(scaleMass(unit, collider.density), normalized(collider.rotation));
    parts.push(translateMass(turned, [p[0]!, p[1]!, p[2]!]));
  }
  return combineMass(parts);
}

/** Checks mass properties that are given in full. */
export function checkMassDesc(desc: MassDesc, name: string): MassProperties {
  checkKeys(desc, name, ['mass', 'center', 'inertia']);
  const mass = checkNumber(desc.mass, `${name}.mass`, LEAST_MASS, 1e12);
  const center = desc.center === undefined ? ZERO : checkVec3(desc.center, `${name}.center`, MAX_COORDINATE);
  const inertia = checkArray(desc.inertia, `${name}.inertia`, 6);
  const xx = inertia[0]!;
  const yy = inertia[1]!;
  const zz = inertia[2]!;
  const xy = inertia[3]!;
  const xz = inertia[4]!;
  const yz = inertia[5]!;
  const minor = xx * yy - xy * xy;
  const det = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  if (!(xx > 0 && minor > 0 && det > 0)) {
    throw new TalusError('invalid-argument', `${name}.inertia must be positive definite: [xx, yy, zz, xy, xz, yz]`);
  }
  for (let k = 0; k < 3; k++) checkNumber(inertia[k], `${name}.inertia[${k}]`, LEAST_INERTIA, MOST_INERTIA);
  return { mass, center: [center[0]!, center[1]!, center[2]!], inertia: [xx, yy, zz, xy, xz, yz] };
}

/** Replacement of the mass of the colliders: nothing, a total in kg, or all mass properties. */
export type MassOverride = number | MassProperties | undefined;

export function checkMassOverride(mass: number | MassDesc | undefined, name: string): MassOverride {
  if (mass === undefined) return undefined;
  if (mass === 0)
    throw new TalusError('invalid-argument', `${name} must be above 0: for a body that never moves use type 'static'`);
  return typeof mass === 'object' ? checkMassDesc(mass, name) : checkNumber(mass, name, LEAST_MASS, 1e12);
}

/**
 * Returns the mass properties of a dynamic body: those of its colliders, their full replacement, or a total in kg. A total is
 * distributed as the mass of its colliders is. If they have no density, as sensors, it is distributed over their volumes.
 */
export function resolveMass(colliders: readonly CheckedCollider[], masses: ShapeMasses, override: MassOverride): MassProperties {
  if (typeof override === 'object') return override;
  let own = massOf(colliders, masses);
  // So little that a total over it is no number counts as nothing.
  const isWeightless = !(own.mass > 1e-100) && override !== undefined;
  if (isWeightless)
    own = massOf(
      colliders.map((collider) => ({ ...collider, density: 1 })),
      masses,
    );
  if (!(own.mass > 0)) {
    throw new TalusError(
      'invalid-argument',
      'a dynamic body needs mass: a collider that has volume and density > 0, or mass: { mass, center, inertia }',
    );
  }
  const mass = override === undefined ? own : scaleMass(own, override / own.mass);
  checkTotal(mass, 'body');
  return mass;
}

/** Refuses masses whose inverse does not fit single precision. `name` says which field is at fault. */
function checkTotal({ mass, inertia }: MassProperties, name: string, factor = 1): void {
  const total = mass * factor;
  if (total >= LEAST_TOTAL && total <= MOST_TOTAL && Math.max(...inertia) * factor <= MOST_INERTIA) return;
  throw new TalusError(
    'invalid-argument',
    `${name} would have ${total} kg: a dynamic body needs ${LEAST_TOTAL} to ${MOST_TOTAL} kg; change the density or mass of its colliders`,
  );
}

/** A body that passed all checks. */
export interface CheckedBody {
  type: number;
  position: ArrayLike<number>;
  rotation: ArrayLike<number>;
  linearVelocity: ArrayLike<number>;
  angularVelocity: ArrayLike<number>;
  gravityScale: number;
  linearDamping: number;
  angularDamping: number;
  bullet: boolean;
  colliders: CheckedCollider[];
  override: MassOverride;
  traits: CheckedTraits;
  /** Mass properties; null unless dynamic. */
  mass: MassProperties | null;
}

export const checkGravityScale = (value: unknown, name: string) => checkNumber(value, name, -1000, 1000);
export const checkDamping = (value: unknown, name: string) => checkNumber(value, name, 0, 1000);

function isZero(v: ArrayLike<number>): boolean {
  return v[0] === 0 && v[1] === 0 && v[2] === 0;
}

/** Checks the description of a body and computes its mass properties. Changes nothing. */
export function checkBodyDesc(desc: BodyDesc, registry: Registry, masses: ShapeMasses): CheckedBody {
  checkKeys(desc, 'body', BODY_KEYS);
  const type = desc.type === undefined ? BODY_DYNAMIC : checkWord(desc.type, 'body.type', BODY_TYPES);
  const position = desc.position === undefined ? ZERO : checkPosition(desc.position, 'body.position');
  const rotation = desc.rotation === undefined ? IDENTITY : checkQuat(desc.rotation, 'body.rotation');
  const linearVelocity = desc.linearVelocity === undefined ? ZERO : checkVec3(desc.linearVelocity, 'body.linearVelocity', 1e6);
  const angularVelocity =
    desc.angularVelocity === undefined ? ZERO : checkVec3(desc.angularVelocity, 'body.angularVelocity', 1e6);
  const gravityScale = desc.gravityScale === undefined ? 1 : checkGravityScale(desc.gravityScale, 'body.gravityScale');
  const linearDamping = desc.linearDamping === undefined ? 0 : checkDamping(desc.linearDamping, 'body.linearDamping');
  const angularDamping = desc.angularDamping === undefined ? 0 : checkDamping(desc.angularDamping, 'body.angularDamping');
  const bullet = desc.bullet === undefined ? false : checkBoolean(desc.bullet, 'body.bullet');
  let colliders: CheckedCollider[] = [];
  if (desc.colliders !== undefined) {
    if (!Array.isArray(desc.colliders)) fail('body.colliders', 'an array of colliders', desc.colliders);
    for (const key of COLLIDER_KEYS) {
      if (key === 'position' || key === 'rotation' || desc[key as keyof BodyDesc] === undefined) continue;
      throw new TalusError('invalid-argument', `body.${key} belongs into the entries of body.colliders, which is given too`);
    }
    // Holes of a sparse array count: from() visits them.
    colliders = Array.from(desc.colliders, (collider: ColliderDesc, i: number) => {
      checkColliderKeys(collider, `body.colliders[${i}]`);
      return checkCollider(collider, `body.colliders[${i}]`, registry, masses);
    });
  } else if ('shape' in desc) {
    const own = checkCollider(desc as Partial<ColliderDesc>, 'body', registry, masses, true);
    colliders = [{ ...own, position: ZERO, rotation: IDENTITY }];
  } else {
    for (const key of COLLIDER_KEYS) {
      if (key === 'position' || key === 'rotation' || desc[key as keyof BodyDesc] === undefined) continue;
      throw new TalusError('invalid-argument', `body.${key} needs body.shape`);
    }
  }
  for (const collider of colliders) checkCarries(type, collider.shape, masses);
  const override = checkMassOverride(desc.mass, 'body.mass');
  if (type === BODY_STATIC) {
    const useless = [
      ['mass', override !== undefined],
      ['linearVelocity', !isZero(linearVelocity)],
      ['angularVelocity', !isZero(angularVelocity)],
    ] as const;
    for (const [key, given] of useless) {
      if (given)
        throw new TalusError(
          'invalid-argument',
          `body.${key} does nothing on a static body: it never moves; leave it out, or make it 'dynamic'`,
        );
    }
  }
  const mass = type === BODY_DYNAMIC ? resolveMass(colliders, masses, override) : null;
  return {
    type,
    position,
    rotation,
    linearVelocity,
    angularVelocity,
    gravityScale,
    linearDamping,
    angularDamping,
    bullet,
    colliders,
    override,
    traits: checkTraits(desc, 'body'),
    mass,
  };
}

/** Many bodies that passed all checks: arrays, or one value for all. */
export interface CheckedBodies {
  count: number;
  types: ArrayLike<number> | number;
  shapes: ArrayLike<number> | number;
  positions: ArrayLike<number>;
  rotations: ArrayLike<number> | null;
  linearVelocities: ArrayLike<number> | null;
  angularVelocities: ArrayLike<number> | null;
  densities: ArrayLike<number> | number;
  frictions: ArrayLike<number> | number;
  restitutions: ArrayLike<number> | number;
  rollingResistances: ArrayLike<number> | number;
  tags: ArrayLike<number> | null;
  traits: CheckedTraits;
  material: CheckedMaterial;
  events: CheckedEvents;
  gravityScale: number;
  linearDamping: number;
  angularDamping: number;
  bullet: boolean;
}

/** Element i of an array, or the one value for all. */
export function pick(values: ArrayLike<number> | number, i: number): number {
  return typeof values === 'number' ? values : values[i]!;
}

function exclusive(desc: BodiesDesc, one: keyof BodiesDesc, many: keyof BodiesDesc): void {
  if (desc[one] !== undefined && desc[many] !== undefined) {
    throw new TalusError('invalid-argument', `bodies: give ${one} or ${many}, not both`);
  }
}

/** Checks a whole bulk description. Changes nothing. */
export function checkBodiesDesc(desc: BodiesDesc, registry: Registry, masses: ShapeMasses): CheckedBodies {
  checkKeys(desc, 'bodies', BODIES_KEYS);
  const count = checkInteger(desc.count, 'bodies.count', 1, MAX_SLOTS);
  exclusive(desc, 'type', 'types');
  exclusive(desc, 'shape', 'shapes');
  exclusive(desc, 'density', 'densities');
  exclusive(desc, 'friction', 'frictions');
  exclusive(desc, 'restitution', 'restitutions');
  exclusive(desc, 'rollingResistance', 'rollingResistances');
  exclusive(desc, 'tag', 'tags');
  for (const key of ['linearVelocities', 'angularVelocities'] as const)
    if (desc.type === 'static' && desc[key] !== undefined)
      throw new TalusError('invalid-argument', `bodies.${key} does nothing on static bodies: they never move; leave it out`);
  const numbers = (value: ArrayLike<number> | undefined, name: string, size: number, limit: number) =>
    value === undefined ? null : checkArray(value, `bodies.${name}`, count * size, limit);
  const each = (value: ArrayLike<number>, name: string, check: (value: unknown, name: string) => number) => {
    checkArray(value, `bodies.${name}`, count);
    for (let i = 0; i < count; i++) check(value[i], `bodies.${name}[${i}]`);
    return value;
  };
  let types: ArrayLike<number> | number = BODY_DYNAMIC;
  if (desc.type !== undefined) types = checkWord(desc.type, 'bodies.type', BODY_TYPES);
  if (desc.types !== undefined) types = each(desc.types, 'types', (value, name) => checkInteger(value, name, 0, 2));
  let shapes: ArrayLike<number> | number;
  if (desc.shapes !== undefined) {
    const ids = checkArray(desc.shapes, 'bodies.shapes', count, Number.MAX_SAFE_INTEGER);
    shapes = Array.from(ids, (id) => registry.shape(id as ShapeId));
  } else {
    if (!('shape' in desc)) throw new TalusError('invalid-argument', 'bodies need shape or shapes');
    shapes = checkShape(desc.shape, 'bodies.shape', registry);
  }
  let densities: ArrayLike<number> | number = DEFAULT_DENSITY;
  if (desc.density !== undefined) densities = checkDensity(desc.density, 'bodies.density');
  if (desc.densities !== undefined) densities = each(desc.densities, 'densities', checkDensity);
  for (let i = 0; i < count; i++) {
    const type = pick(types, i);
    const shape = pick(shapes, i);
    checkCarries(type, shape, masses);
    if (type === BODY_DYNAMIC && !(pick(densities, i) * masses[shape]!.mass > 0)) {
      throw new TalusError('invalid-argument', `body ${i} is dynamic and needs a density > 0`);
    }
    if (type === BODY_DYNAMIC) checkTotal(masses[shape]!, `body ${i}`, pick(densities, i));
  }
  const material = checkMaterial(desc, 'bodies', DEFAULT_MATERIAL);
  return {
    count,
    types,
    shapes,
    positions: checkArray(desc.positions, 'bodies.positions', 3 * count, MAX_COORDINATE),
    rotations: desc.rotations === undefined ? null : checkQuats(desc.rotations, 'bodies.rotations', count),
    linearVelocities: numbers(desc.linearVelocities, 'linearVelocities', 3, 1e6),
    angularVelocities: numbers(desc.angularVelocities, 'angularVelocities', 3, 1e6),
    densities,
    frictions: desc.frictions === undefined ? material.friction : each(desc.frictions, 'frictions', checkFriction),
    restitutions: desc.restitutions === undefined ? material.restitution : each(desc.restitutions, 'restitutions', checkShare),
    rollingResistances:
      desc.rollingResistances === undefined
        ? material.rollingResistance
        : each(desc.rollingResistances, 'rollingResistances', checkShare),
    tags: desc.tags === undefined ? null : each(desc.tags, 'tags', checkBits),
    traits: checkTraits(desc, 'bodies'),
    material,
    events: checkColliderEvents(desc, 'bodies'),
    gravityScale: desc.gravityScale === undefined ? 1 : checkGravityScale(desc.gravityScale, 'bodies.gravityScale'),
    linearDamping: desc.linearDamping === undefined ? 0 : checkDamping(desc.linearDamping, 'bodies.linearDamping'),
    angularDamping: desc.angularDamping === undefined ? 0 : checkDamping(desc.angularDamping, 'bodies.angularDamping'),
    bullet: desc.bullet === undefined ? false : checkBoolean(desc.bullet, 'bodies.bullet'),
  };
}
