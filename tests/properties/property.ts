// Properties over random scenes: what a property is, how it runs over seeds, and how a failure shrinks to fewer bodies, joints
// and
// steps before it is reported.
import type { Scene } from './scene';

/** A statement about every scene of a class. */
export interface Property {
  /** Its name on the command line. */
  name: string;
  /** The scene of a seed. */
  draw(seed: number): Scene;
  /** Plays the scene. Returns null where the property holds, else what was measured against which bound. */
  check(scene: Scene): Promise<string | null>;
  /** Seeds that fail for a known reason, which the property's comment gives, as a share of all; default 0. */
  share?: number;
}

/** Plays a scene that a property fails; a thrown error is a failure too. */
async function fault(property: Property, scene: Scene): Promise<string | null> {
  try {
    return await property.check(scene);
  } catch (error) {
    return `threw ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The scene without the bodies and joints for which the functions say so; joints of a dropped body go with it. */
function without(scene: Scene, body: (index: number) => boolean, joint: (index: number) => boolean): Scene {
  const kept = scene.bodies.map((_, i) => i).filter((i) => !body(i));
  const place = new Map(kept.map((old, now) => [old, now]));
  const joints = scene.joints.filter(({ a, b }, i) => !joint(i) && place.has(b) && (a === null || place.has(a)));
  return {
    ...scene,
    bodies: kept.map((i) => scene.bodies[i]!),
    joints: joints.map((one) => ({ ...one, a: one.a === null ? null : place.get(one.a)!, b: place.get(one.b)! })),
  };
}

/** Smaller scenes to try, the boldest first: half of the bodies, one body, one joint, fewer steps, plainer materials. */
function* smaller(scene: Scene): Generator<Scene> {
  const { length } = scene.bodies;
  const none = () => false;
  for (let part = Math.ceil(length / 2); part >= 1 && length > 1; part = part === 1 ? 0 : Math.ceil(part / 2)) {
    for (let from = 0; from < length; from += part) {
      if (part < length) yield without(scene, (i) => i >= from && i < from + part, none);
    }
  }
  for (let k = 0; k < scene.joints.length; k++) yield without(scene, none, (i) => i === k);
  for (const steps of [Math.ceil(scene.steps / 2), scene.steps - 1]) {
    if (steps >= 1 && steps < scene.steps) yield { ...scene, steps };
  }
  for (const field of ['restitution', 'friction', 'rollingResistance'] as const) {
    if (scene.bodies.every(({ parts }) => parts.every((part) => part[field] === 0))) continue;
    yield {
      ...scene,
      bodies: scene.bodies.map((one) => ({ ...one, parts: one.parts.map((part) => ({ ...part, [field]: 0 })) })),
    };
  }
}

/** Scenes that are tried for a smaller one at most. */
const TRIES = 200;

/** Shrinks a scene that fails, as long as it fails. */
export async function shrink(property: Property, scene: Scene): Promise<{ scene: Scene; fault: string }> {
  let best = { scene, fault: (await fault(property, scene))! };
  let tries = 0;
  for (let found = true; found && tries < TRIES; ) {
    found = false;
    for (const candidate of smaller(best.scene)) {
      if (++tries > TRIES) break;
      const what = await fault(property, candidate);
      if (what === null) continue;
      best = { scene: candidate, fault: what };
      found = true;
      break;
    }
  }
  return best;
}

/** A scene as text, its long arrays cut short: the seed brings them back. */
function textOf(scene: Scene): string {
  const short = (_: string, value: unknown) =>
    Array.isArray(value) && value.length > 40 && typeof value[0] === 'number' ? `${value.length} numbers` : value;
  return JSON.stringify(scene, short, 1).replace(/\n\s+(?=-?[\d.]+(?:e-?\d+)?,?\n)/g, ' ');
}

/** Command that plays one seed of a property again. */
export const commandOf = (name: string, seed: number) => `npm run properties -- --only ${name} --seed ${seed}`;

/** The seeds that fail and what they measured. */
export interface Outcome {
  failures: { seed: number; fault: string }[];
  seeds: number;
}

/** Plays a property on these seeds. */
export async function playSeeds(property: Property, seeds: readonly number[]): Promise<Outcome> {
  const failures: { seed: number; fault: string }[] = [];
  for (const seed of seeds) {
    const what = await fault(property, property.draw(seed));
    if (what !== null) failures.push({ seed, fault: what });
  }
  return { failures, seeds: seeds.length };
}

/** Throws if more seeds failed than the property allows: every failure in a line, and the first one shrunk. */
export async function judge(property: Property, { failures, seeds }: Outcome): Promise<void> {
  // One seed alone is played because it fails.
  const allowed = seeds === 1 ? 0 : Math.ceil((property.share ?? 0) * seeds);
  if (failures.length <= allowed) return;
  const first = failures[0]!;
  const least = await shrink(property, property.draw(first.seed));
  const { bodies, joints, steps } = least.scene;
  throw new Error(
    [
      `${property.name}: ${failures.length} of ${seeds} seeds fail (${allowed} allowed)`,
      ...failures.slice(0, 20).map(({ seed, fault: what }) => `  seed ${seed}: ${what}`),
      `Seed ${first.seed} shrunk to ${bodies.length} bodies, ${joints.length} joints, ${steps} steps: ${least.fault}`,
      textOf(least.scene),
      `Play it again: ${commandOf(property.name, first.seed)}`,
    ].join('\n'),
  );
}
