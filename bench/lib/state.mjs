// State of the bodies of a run, read from an engine, with the measures made of it: kinetic energy, rms speed, displacement from the start,
// lost bodies. Masses and inertias are our own (mass.mjs), not the engine's.
import { bodyMasses } from './mass.mjs';
import { matrixOf, rotate, rotateBack } from './vec.mjs';

/** Arrays that an engine adapter's `read` fills: body origin, rotation, velocity of the center of mass, spin (world). */
export function createState(count) {
  return {
    position: new Float64Array(3 * count),
    rotation: new Float64Array(4 * count),
    linear: new Float64Array(3 * count),
    angular: new Float64Array(3 * count),
  };
}

/** A state with the bodies at the scene's start. Bodies that are not in the world yet stay there. */
export function startState(scene) {
  const { bodies } = scene;
  const state = createState(bodies.count);
  state.position.set(bodies.position);
  state.rotation.set(bodies.rotation);
  return state;
}

/** Measures states of one scene. Bodies that were lost are left out of energy and speed and counted on their own. */
export class Motion {
  constructor(scene) {
    this.scene = scene;
    this.masses = bodyMasses(scene);
    this.moving = [];
    for (let i = 0; i < scene.bodies.count; i++) if (scene.bodies.density[i] > 0) this.moving.push(i);
    this.samples = [];
  }

  isLost(state, i) {
    const { min, max } = this.scene.checks.bounds;
    for (let k = 0; k < 3; k++) {
      const v = state.position[3 * i + k];
      if (!(v >= min[k] && v <= max[k])) return true;
    }
    return false;
  }

  /** Adds one sample of the last seconds of a run. */
  sample(state) {
    let energy = 0;
    let largestEnergy = 0;
    let squares = 0;
    let fastest = 0;
    let count = 0;
    for (const i of this.moving) {
      if (this.isLost(state, i)) continue;
      const { mass, inertia } = this.masses[i];
      const v = [state.linear[3 * i], state.linear[3 * i + 1], state.linear[3 * i + 2]];
      const w = rotateBack(matrixOf(state.rotation, 4 * i), [
        state.angular[3 * i],
        state.angular[3 * i + 1],
        state.angular[3 * i + 2],
      ]);
      const l = rotate(inertia, w);
      const v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      const e = 0.5 * (mass * v2 + w[0] * l[0] + w[1] * l[1] + w[2] * l[2]);
      energy += e;
      squares += v2;
      largestEnergy = Math.max(largestEnergy, e);
      fastest = Math.max(fastest, v2);
      count++;
    }
    this.samples.push({ energy, squares, largestEnergy, fastest, count });
  }

  /** Over the samples: rms speed (m/s), fastest body (m/s), mean energy of a body and largest of one (J). */
  calm() {
    const n = this.samples.reduce((s, x) => s + x.count, 0);
    if (n === 0) return { rmsSpeed: 0, maxSpeed: 0, energyMean: 0, energyMax: 0 };
    return {
      rmsSpeed: Math.sqrt(this.samples.reduce((s, x) => s + x.squares, 0) / n),
      maxSpeed: Math.sqrt(Math.max(...this.samples.map((x) => x.fastest))),
      energyMean: this.samples.reduce((s, x) => s + x.energy, 0) / n,
      energyMax: Math.max(...this.samples.map((x) => x.largestEnergy)),
    };
  }

  /** Share of bodies within 10 and 50 cm of the start, largest motion sideways, downwards and at all (m). */
  displacement(state) {
    const start = this.scene.bodies.position;
    let near10 = 0;
    let near50 = 0;
    let sideways = 0;
    let sunk = 0;
    let farthest = 0;
    for (const i of this.moving) {
      const d = [0, 1, 2].map((k) => state.position[3 * i + k] - start[3 * i + k]);
      const distance = Math.hypot(...d);
      if (distance <= 0.1) near10++;
      if (distance <= 0.5) near50++;
      sideways = Math.max(sideways, Math.hypot(d[0], d[2]));
      sunk = Math.max(sunk, -d[1]);
      farthest = Math.max(farthest, distance);
    }
    return { within10cm: near10 / this.moving.length, within50cm: near50 / this.moving.length, sideways, sunk, farthest };
  }

  lost(state) {
    return this.moving.filter((i) => this.isLost(state, i)).length;
  }
}
