// Measures after a run of a published scene how much still stands, and how far bodies have moved. The measure is that of babylon-box3d
// (Pryme8/babylon-box3d, bench/scenes.ts and runner.ts), on the poses, the same for all engines.
import { jointErrors } from './joints.mjs';
import { atStart, inWave } from './script.mjs';

/** s: when babylon-box3d looks. */
const TIMES = [10, 30];
/** A structure stands while its top is between these shares of its height, and its bodies have moved less than this on average, m. */
const STANDING = { least: 0.9, most: 1.1, drift: 0.5 };
/** Steps between two looks at the bodies of a drum: less than one takes from an end to where it could be mistaken for a leak. */
const DRUM_STEPS = 5;
/** m: a joint with a larger gap has come apart, as in bench/lib/joints.mjs. */
const HELD = 0.1;

/** Seconds at which a run of `steps` measures drift: the marks that it reaches, and its end. */
export function driftTimes(scene, steps) {
  const end = steps * scene.dt;
  return [...new Set([...TIMES.filter((time) => time < end - 1e-6), end])];
}

/** Distance of the bodies from where they started, m. */
export function drift(scene, state) {
  const { bodies } = scene;
  let total = 0;
  let count = 0;
  let max = 0;
  for (let i = 0; i < bodies.count; i++) {
    if (bodies.density[i] === 0) continue;
    const d = Math.hypot(...[0, 1, 2].map((k) => state.position[3 * i + k] - bodies.position[3 * i + k]));
    total += d;
    count++;
    max = Math.max(max, d);
  }
  return { mean: total / count, max };
}

/** Watches one engine play one scene for `steps` steps. */
export class Standing {
  constructor(scene, steps) {
    this.scene = scene;
    this.steps = steps;
    this.looks = new Map(driftTimes(scene, steps).map((time) => [Math.round(time / scene.dt) - 1, time]));
    this.drifts = [];
    /** Bodies of a drum that are out of it: by an end, or through its wall. */
    this.out = new Map();
    this.end = null;
  }

  /** Whether `sample` should be called after this step (from 0). */
  wants(step) {
    if (this.looks.has(step)) return true;
    return this.scene.checks.drum !== undefined && step % DRUM_STEPS === DRUM_STEPS - 1;
  }

  sample(state, step) {
    if (this.scene.checks.drum) this.watchDrum(state);
    const seconds = this.looks.get(step);
    if (seconds === undefined) return;
    if (this.scene.checks.stands) this.drifts.push({ seconds, ...drift(this.scene, state) });
    this.end = this.lastLook(state, step);
  }

  watchDrum(state) {
    const { center, radius, halfLength } = this.scene.checks.drum;
    const { bodies } = this.scene;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.density[i] === 0 || this.out.has(i)) continue;
      const [x, y, z] = [0, 1, 2].map((k) => state.position[3 * i + k] - center[k]);
      if (Math.abs(z) > halfLength) this.out.set(i, 'end');
      else if (!(Math.hypot(x, y) < radius)) this.out.set(i, 'wall');
    }
  }

  lastLook(state, step) {
    const { checks, bodies } = this.scene;
    const tops = (checks.tops ?? []).map((i) => state.position[3 * i + 1] / bodies.position[3 * i + 1]);
    const present = presentAt(this.scene, step);
    const { min, max } = checks.bounds;
    const isInside = (i) => [0, 1, 2].every((k) => state.position[3 * i + k] >= min[k] && state.position[3 * i + k] <= max[k]);
    const moving = present.bodies.filter((i) => bodies.density[i] > 0);
    const gaps = present.joints.map((k) => jointErrors(this.scene.joints[k], state).gap ?? 0);
    return {
      tops,
      bodies: moving.length,
      escaped: moving.filter((i) => !isInside(i)).length,
      joints: gaps.length,
      apart: gaps.filter((gap) => !(gap <= HELD)).length,
    };
  }

  /** What a result of the run has of it. */
  result() {
    const { end, drifts } = this;
    const out = [...this.out.values()];
    return {
      drifts,
      ...end,
      ...(this.scene.checks.drum ? { leftByEnds: out.filter((way) => way === 'end').length } : {}),
      ...(this.scene.checks.drum ? { throughWall: out.filter((way) => way === 'wall').length } : {}),
      topShare: end && end.tops.length > 0 ? Math.min(...end.tops) : null,
      verdict: verdict(this.scene, end, drifts, out),
    };
  }
}

/** Bodies and joints that are in the world after a step. */
function presentAt(scene, step) {
  const found = atStart(scene);
  const waves = new Map((scene.waves ?? []).filter((wave) => wave.step <= step).map((wave) => [wave.bodies[0], wave]));
  for (const wave of waves.values()) {
    const { bodies, joints } = inWave(wave);
    found.bodies.push(...bodies);
    found.joints.push(...joints);
  }
  return found;
}

const isUp = (share) => share >= STANDING.least && share <= STANDING.most;

/** The outcome of a run in a few words. */
function verdict(scene, end, drifts, out) {
  if (!end) return '-';
  const words = [];
  const { tops } = end;
  if (tops.length === 1) words.push(isUp(tops[0]) && drifts.at(-1).mean < STANDING.drift ? 'stands' : 'collapsed');
  else if (tops.length > 1) words.push(`${tops.filter(isUp).length} of ${tops.length} stand`);
  if (scene.checks.drum) words.push(`${out.filter((way) => way === 'wall').length} of ${end.bodies} through the wall`);
  if (end.joints > 0) words.push(end.apart === 0 ? 'all joints hold' : `${end.apart} of ${end.joints} joints apart`);
  if (end.escaped > 0 || (words.length === 0 && !scene.checks.drum)) words.push(`${end.escaped} of ${end.bodies} escaped`);
  return words.join(', ');
}
