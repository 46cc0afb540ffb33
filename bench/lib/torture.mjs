// Measures of the torture scenes (scenes/torture.ts): watchers for runLockstep that see the poses after every step, and the rows of the
// table, each a quantity with its closed form. Energy and momentum are from our own masses: no engine judges itself.
import { JointMeasure } from './joints.mjs';
import { bodyMasses } from './mass.mjs';
import { short } from './report.mjs';
import { buildScene, truth } from './scenes.mjs';
import { add, dot, length, matrixOf, rotate, rotateBack, sub } from './vec.mjs';

const { STANDS, TOPPLES, WAVE, LEANS } = truth;
const DEGREES = 180 / Math.PI;

const vectorOf = (array, i) => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];

/** Energy (kinetic, and of height above y = 0; J) and angular momentum about the own center (kg m2/s) of a body. */
function motionOf(scene, masses, state, i) {
  const { mass, center, inertia } = masses[i];
  const m = matrixOf(state.rotation, 4 * i);
  const velocity = vectorOf(state.linear, i);
  const spin = rotateBack(m, vectorOf(state.angular, i));
  const momentum = rotate(inertia, spin);
  const place = add(vectorOf(state.position, i), rotate(m, center));
  const kinetic = 0.5 * (mass * dot(velocity, velocity) + dot(spin, momentum));
  return { kinetic, energy: kinetic - mass * dot(scene.gravity, place), momentum: rotate(m, momentum), spin };
}

/** Sum of the energies of all moving bodies, J. */
class Energy {
  constructor(scene) {
    this.scene = scene;
    this.masses = bodyMasses(scene);
    this.moving = [...scene.bodies.density.keys()].filter((i) => scene.bodies.density[i] > 0);
    this.start = this.of(scene.bodies, true);
  }

  of(state, atStart = false) {
    const { scene, masses } = this;
    const from = atStart ? { ...state, linear: state.linearVelocity, angular: state.angularVelocity } : state;
    return this.moving.reduce((sum, i) => sum + motionOf(scene, masses, from, i).energy, 0);
  }

  /** Kinetic energy at the start, J. */
  get startKinetic() {
    const { bodies } = this.scene;
    const from = { ...bodies, linear: bodies.linearVelocity, angular: bodies.angularVelocity };
    return this.moving.reduce((sum, i) => sum + motionOf(this.scene, this.masses, from, i).kinetic, 0);
  }
}

/** The moments at which a sampled value goes from below 0 to above it or, if `both`, back; s, interpolated. */
class Crossings {
  constructor(dt, both) {
    this.dt = dt;
    this.both = both;
    this.last = null;
    this.times = [];
  }

  sample(value, step) {
    const { last } = this;
    if (last !== null && ((last < 0 && value >= 0) || (this.both && last > 0 && value <= 0))) {
      this.times.push((step + last / (last - value)) * this.dt);
    }
    this.last = value;
  }

  /** Mean time between two of them, s; null for fewer than two. */
  get interval() {
    const { times } = this;
    return times.length < 2 ? null : (times.at(-1) - times[0]) / (times.length - 1);
  }
}

/** Arch: how far stones have gone, and since when one has been too far. */
class ArchWatch {
  constructor(scene) {
    this.scene = scene;
    this.fallsAt = null;
    this.drift = 0;
  }

  sample(state, step) {
    const { bodies, dt } = this.scene;
    this.drift = 0;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.density[i] === 0) continue;
      this.drift = Math.max(this.drift, length(sub(vectorOf(state.position, i), vectorOf(bodies.position, i))));
    }
    // An arch that sags as it starts and comes back has not fallen.
    if (this.drift <= STANDS) this.fallsAt = null;
    else this.fallsAt ??= (step + 1) * dt;
  }

  result() {
    return { stands: this.fallsAt === null, fallsAt: this.fallsAt, drift: this.drift };
  }
}

/** Gyroscope: turn of the arm about the vertical, how far it leaves the level, energy. */
class GyroscopeWatch {
  constructor(scene) {
    this.scene = scene;
    this.energy = new Energy(scene);
    this.disc = scene.parts.disc;
    this.angle = 0;
    this.turned = 0;
    this.nod = 0;
  }

  sample(state, step) {
    const [x, y, z] = sub(vectorOf(state.position, this.disc), truth.GYROSCOPE.pivot);
    const angle = Math.atan2(-z, x);
    const turn = angle - this.angle;
    this.turned += turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
    this.angle = angle;
    this.nod = Math.max(this.nod, Math.abs(Math.atan2(y, Math.hypot(x, z))) * DEGREES);
    this.seconds = (step + 1) * this.scene.dt;
    this.drift = (this.energy.of(state) - this.energy.start) / this.energy.startKinetic;
  }

  result() {
    return { precession: this.turned / this.seconds, nod: this.nod, energyDrift: this.drift };
  }
}

/** Wrecking ball: period, energy, the joints and the length of the chain. */
class BallWatch {
  constructor(scene) {
    this.energy = new Energy(scene);
    this.joints = new JointMeasure(scene);
    this.crossings = new Crossings(scene.dt, false);
    this.ball = scene.parts.ball;
    const lowest = scene.joints[0].anchorA[1] - truth.WRECKING_BALL.pitch * (scene.joints.length - 1);
    /** What the ball can lose, J: the energy of its swing. */
    this.range = this.energy.masses[this.ball].mass * 9.81 * (scene.bodies.position[3 * this.ball + 1] - lowest);
  }

  sample(state, step) {
    this.joints.sample(state);
    this.crossings.sample(state.position[3 * this.ball], step);
    this.drift = (this.energy.of(state) - this.energy.start) / this.range;
  }

  result() {
    const { gapWorst, stretchWorst, held } = this.joints.result();
    return { period: this.crossings.interval, gapWorst, stretchWorst, held, energyDrift: this.drift };
  }
}

/** Racket: time between flips, energy, angular momentum. */
class RacketWatch {
  constructor(scene) {
    this.scene = scene;
    this.masses = bodyMasses(scene);
    this.body = scene.parts.handle;
    this.crossings = new Crossings(scene.dt, true);
    const { bodies } = scene;
    this.start = motionOf(
      scene,
      this.masses,
      { ...bodies, linear: bodies.linearVelocity, angular: bodies.angularVelocity },
      this.body,
    );
    this.worstMomentum = 0;
  }

  sample(state, step) {
    const { start } = this;
    const now = motionOf(this.scene, this.masses, state, this.body);
    this.crossings.sample(now.spin[1], step);
    this.energyDrift = now.kinetic / start.kinetic - 1;
    this.worstMomentum = Math.max(this.worstMomentum, length(sub(now.momentum, start.momentum)) / length(start.momentum));
  }

  result() {
    const { interval, times } = this.crossings;
    return { flipTime: interval, flips: times.length, energyDrift: this.energyDrift, momentumDrift: this.worstMomentum };
  }
}

/** Dominoes: speed of the wave, how many fell, whether energy ever grew. */
class DominoWatch {
  constructor(scene) {
    this.scene = scene;
    this.energy = new Energy(scene);
    this.tiles = this.energy.moving;
    this.reached = this.tiles.map(() => null);
    this.upright = this.tiles.map(() => 1);
    this.least = this.energy.start;
    this.rise = 0;
  }

  sample(state, step) {
    const { dt } = this.scene;
    for (const [k, i] of this.tiles.entries()) {
      if (this.reached[k] !== null) continue;
      const up = matrixOf(state.rotation, 4 * i)[4];
      if (up < LEANS) this.reached[k] = (step + (this.upright[k] - LEANS) / (this.upright[k] - up)) * dt;
      this.upright[k] = up;
    }
    const energy = this.energy.of(state);
    this.rise = Math.max(this.rise, energy - this.least);
    this.least = Math.min(this.least, energy);
  }

  result() {
    const { reached, scene, tiles } = this;
    const place = (k) => scene.bodies.position[3 * tiles[k]];
    const seconds = reached[WAVE.to] === null ? null : reached[WAVE.to] - reached[WAVE.from];
    return {
      speed: seconds === null ? null : (place(WAVE.to) - place(WAVE.from)) / seconds,
      fell: reached.filter((time) => time !== null).length,
      tiles: tiles.length,
      // Of the energy that the row gives up.
      energyRise: this.rise / (this.energy.start - this.least),
    };
  }
}

export const WATCHES = {
  arch: ArchWatch,
  gyroscope: GyroscopeWatch,
  'wrecking-ball': BallWatch,
  racket: RacketWatch,
  domino: DominoWatch,
};

/** Settings of an engine with more iterations than by default and all that it has for exactness, by the name of its column. */
export const HIGH = {
  'rapier:high': { iterations: 40 },
  'jolt:high': { velocitySteps: 40, positionSteps: 10, gyroscopic: true },
};

/** Thicknesses (mean radii) between which the least one that stands is looked for, and how closely. */
export const THICKNESS = { falls: 0.08, stands: 0.4, tolerance: 0.001 };
/** Share of the least thickness that the thin arch lacks. */
export const THIN = 0.94;

/** The closed form of a scene as it is built by default. */
const closedOf = (name) => () => truth.truthOf(buildScene(name));

/** A quantity that should be 0. */
const error = (quantity, unit, of) => ({ quantity, unit, closed: () => 0, of });

/**
 * Rows of the table by scene. `closed`: the value of the closed form; `of`: that of a result (null where it has none); `outcome`: words
 * instead of the value; `label`: a short name.
 */
export const ROWS = {
  arch: [
    {
      quantity: `arch ${100 * truth.ARCH.thickness} % of its radius thick, after 30 s`,
      label: 'arch',
      unit: '',
      closed: () => 'stands',
      of: (r) => r.arch.drift,
      outcome: (r) => outcomeOf(r.arch),
    },
    {
      quantity: `arch ${Math.round(100 * (1 - THIN))} % thinner than the least thickness`,
      label: 'thin arch',
      unit: '',
      closed: () => 'falls',
      of: (r) => r.thin.drift,
      outcome: (r) => outcomeOf(r.thin),
    },
    {
      quantity: 'least thickness of an arch that stands',
      label: 'least thickness',
      unit: 'radii',
      closed: closedOf('arch'),
      of: (r) => r.least,
      outcome: (r) => (r.least === null ? `over ${THICKNESS.stands}` : null),
    },
  ],
  gyroscope: [
    {
      quantity: 'gyroscope: precession',
      label: 'precession',
      unit: 'rad/s',
      closed: closedOf('gyroscope'),
      of: (r) => r.precession,
      outcome: (r) => (r.nod > TOPPLES ? 'topples' : null),
    },
    error('gyroscope: largest tilt of its axis', 'degrees', (r) => r.nod),
  ],
  'wrecking-ball': [
    {
      quantity: 'wrecking ball of 1,000 times a link: period',
      label: 'period',
      unit: 's',
      closed: closedOf('wrecking-ball'),
      of: (r) => r.period,
      outcome: (r) => (r.held < 1 ? 'the chain breaks' : null),
    },
    error('wrecking ball: largest gap in its chain', 'mm', (r) => r.gapWorst * 1000),
    error('wrecking ball: stretch of its chain', '%', (r) => r.stretchWorst),
  ],
  racket: [
    {
      quantity: 'T-handle in free flight (Dzhanibekov): time between flips',
      label: 'time between flips',
      unit: 's',
      closed: closedOf('racket'),
      of: (r) => r.flipTime,
      outcome: (r) => (r.flips < 2 ? 'never flips' : null),
    },
    error('T-handle: change of energy in 60 s', '%', (r) => 100 * Math.abs(r.energyDrift)),
    error('T-handle: largest change of angular momentum', '%', (r) => 100 * r.momentumDrift),
  ],
  domino: [
    {
      quantity: 'dominoes: speed of the wave',
      label: 'wave',
      unit: 'm/s',
      closed: closedOf('domino'),
      of: (r) => r.speed,
      outcome: (r) => (r.speed === null ? `stops at tile ${r.fell}` : null),
    },
    error('dominoes: energy that comes back', '%', (r) => 100 * r.energyRise),
  ],
};

function outcomeOf({ stands, drift }) {
  return stands ? `stands, ${short(drift * 1000, 2)} mm off` : 'falls';
}

/** The value of a row for one engine: `value`, `error` in % of the closed form, `outcome` in words. */
export function resultOf(row, result) {
  if (result.failed) return { failed: result.failed };
  const value = row.of(result);
  const closed = row.closed();
  const outcome = row.outcome?.(result) ?? null;
  const comparable = outcome === null && typeof closed === 'number' && closed !== 0 && value !== null;
  return { value, error: comparable ? 100 * (value / closed - 1) : null, outcome };
}
