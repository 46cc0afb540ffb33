// The limits: one value of a small scene (scenes/envelopes.ts) grows until the scene fails. Here is what is measured, what counts as
// holding, and which values are tried. In: an envelope, an engine, a value, a seed. Out: the measure, and whether it holds.
import { JointMeasure } from './joints.mjs';
import { buildScene, ENVELOPES as SCENES } from './scenes.mjs';
import { Motion, startState } from './state.mjs';
import { matrixOf, rotateBack } from './vec.mjs';

const SECOND = 60;

/** A tower stands while no box is farther from its start than half of its edge, m. */
const STANDS = 0.5;

const vectorOf = (array, i) => [array[3 * i], array[3 * i + 1], array[3 * i + 2]];

/** How far a body is from where it started: sideways and down, m. */
function moved(scene, state, i) {
  const [x, y, z] = vectorOf(state.position, i);
  const [x0, y0, z0] = vectorOf(scene.bodies.position, i);
  return { sideways: Math.hypot(x - x0, z - z0), sunk: y0 - y };
}

/** The tower with the watched body on top: m. Non-finite numbers are Infinity. */
function drift(scene, state) {
  const { farthest } = new Motion(scene).displacement(state);
  return Number.isFinite(farthest) ? farthest : Number.POSITIVE_INFINITY;
}

/** Sees whether the ball of a shot goes through its board: from one side to the other within its edges, in the frame of the board. */
class Passage {
  constructor(scene) {
    this.scene = scene;
    const { shapes, bodies, parts } = scene;
    this.half = shapes[bodies.shape[parts.board]].halfExtents;
    this.last = null;
    this.passed = false;
  }

  sample(state) {
    const { watched, board } = this.scene.parts;
    const between = vectorOf(state.position, watched).map((v, k) => v - state.position[3 * board + k]);
    const now = rotateBack(matrixOf(state.rotation, 4 * board), between);
    const { last, half } = this;
    if (last !== null && last[2] < 0 && now[2] >= 0) {
      const share = last[2] / (last[2] - now[2]);
      const at = [0, 1].map((k) => last[k] + share * (now[k] - last[k]));
      if (Math.abs(at[0]) < half[0] && Math.abs(at[1]) < half[1]) this.passed = true;
    }
    this.last = now;
  }
}

/** Steps until the ball of a shot would be well behind a board that is not there. */
function stepsOfShot(scene) {
  const { position, linearVelocity } = scene.bodies;
  const { watched } = scene.parts;
  return Math.ceil(-position[3 * watched + 2] / linearVelocity[3 * watched + 2] / scene.dt) + 6;
}

/**
 * @typedef {object} Envelope
 * @property {string} title
 * @property {string} value What grows, with its unit.
 * @property {number[]} values In growing order.
 * @property {string} measure What is measured, with its unit: the median over seeds is drawn.
 * @property {boolean} [average] The mean over seeds instead: a share.
 * @property {string} holds When the scene counts as holding.
 * @property {string[]} engines Engines by name, or by name and variant.
 * @property {(scene: object) => number} steps
 * @property {boolean} [chance] False: the seed changes nothing.
 * @property {(scene: object) => object} [watch] Sees every state: `sample(state)`.
 * @property {(scene: object, state: object, watch?: object) => { measure: number, holds: boolean }} judge
 * @property {boolean} [linear] The axis of values, not logarithmic.
 */

const ALL = ['talus', 'rapier', 'jolt', 'havok'];
const WITH_HIGH = ['talus', 'talus:high', 'rapier', 'rapier:high', 'jolt', 'jolt:high', 'havok'];
const WITH_CCD = ['talus', 'rapier', 'rapier:ccd', 'jolt', 'jolt:ccd', 'havok'];

/** What all towers have in common. */
const TOWER = {
  measure: 'largest way of a box, mm',
  holds: 'no box farther than 50 cm (half its edge) from its start, 20 s',
  engines: WITH_HIGH,
  judge(scene, state) {
    const way = drift(scene, state);
    return { measure: 1000 * way, holds: way <= STANDS };
  },
};

/** What all shots have in common. They end at the speed that talus and Jolt limit bodies to. */
const SHOT = {
  value: 'm/s',
  values: [3, 5, 10, 20, 30, 50, 100, 200, 500],
  measure: 'shots that go through, %',
  holds: 'no shot goes through',
  engines: WITH_CCD,
  average: true,
  steps: stepsOfShot,
  watch: (scene) => new Passage(scene),
  judge: (_scene, _state, watch) => ({ measure: watch.passed ? 100 : 0, holds: !watch.passed }),
};

/** @type {Record<string, Envelope>} */
export const ENVELOPES = {
  'mass-ratio': {
    title: 'Mass ratio under load: a block on five slabs',
    value: 'mass of the block over that of a slab',
    values: [1, 3, 10, 30, 100, 300, 1000, 3000, 10000],
    measure: 'sinking of the block, mm',
    holds: 'the block sinks by 2.5 cm at most (a quarter of a slab) and moves sideways by 5 cm at most, 10 s',
    engines: WITH_HIGH,
    steps: () => 10 * SECOND,
    judge(scene, state) {
      const { sideways, sunk } = moved(scene, state, scene.parts.watched);
      return { measure: 1000 * Math.abs(sunk), holds: Math.abs(sunk) <= 0.025 && sideways <= 0.05 };
    },
  },
  'size-ratio': {
    title: 'Size ratio: a boulder of 1 m on nine cubes of the same density',
    value: 'edge of the boulder over that of a cube',
    values: [2, 3, 5, 10, 20, 30, 50, 100],
    measure: 'sinking, % of a cube',
    holds: 'the boulder sinks by a tenth of a cube at most, 10 s',
    engines: WITH_HIGH,
    steps: () => 10 * SECOND,
    judge(scene, state) {
      const block = scene.parts.watched;
      const edge = scene.bodies.position[3 * block + 1] - 0.5;
      const { sunk } = moved(scene, state, block);
      return { measure: (100 * Math.abs(sunk)) / edge, holds: Math.abs(sunk) <= 0.1 * edge };
    },
  },
  'stack-height': {
    title: 'Height of a tower of boxes of 1 m',
    value: 'boxes',
    values: [5, 10, 15, 20, 30, 40, 50, 60, 80, 100, 150],
    ...TOWER,
    steps: () => 20 * SECOND,
  },
  'joint-load': {
    title: 'Load of joints: a ball swings on a chain of 20 links',
    value: 'mass of the ball over that of a link',
    values: [1, 3, 10, 30, 100, 300, 1000, 3000, 10000, 100000],
    measure: 'largest gap of a joint, mm',
    holds: 'no joint opens by more than 5 cm (a tenth of a link), 10 s',
    engines: WITH_HIGH,
    chance: false,
    steps: () => 10 * SECOND,
    watch: (scene) => new JointMeasure(scene),
    judge(_scene, _state, watch) {
      const { gapWorst } = watch.result();
      return { measure: 1000 * gapWorst, holds: gapWorst <= 0.05 };
    },
  },
  distance: {
    title: 'Distance from the origin: a box slides to a stop',
    value: 'm from the origin',
    values: [1, 100, 1000, 3000, 10000, 30000, 100000, 300000, 1000000, 3000000],
    measure: 'error of the stopping distance v^2 / (2 mu g), %',
    holds: 'the box stops within 10 % of that distance, 5 s',
    engines: ALL,
    steps: () => 5 * SECOND,
    judge(scene, state) {
      const { watched } = scene.parts;
      const { linearVelocity, friction, position } = scene.bodies;
      const exact = linearVelocity[3 * watched] ** 2 / (2 * friction[watched] * -scene.gravity[1]);
      const error = 100 * Math.abs((state.position[3 * watched] - position[3 * watched]) / exact - 1);
      return { measure: error, holds: error <= 10 };
    },
  },
  'step-length': {
    title: 'Length of a step: a tower of ten',
    value: 'ms per step',
    values: [4, 8, 12, 16.7, 20, 25, 33.3, 40, 50, 66.7, 100],
    ...TOWER,
    linear: true,
    steps: ({ dt }) => Math.round(20 / dt),
  },
  speed: {
    title: 'Speed: a ball of 10 cm radius against a static wall of 2 cm',
    ...SHOT,
  },
  'speed-moving': {
    title: 'Speed: such a ball, a bullet in talus, against a moving plate of 5 cm',
    ...SHOT,
  },
};

/** Scene of an envelope at a value. */
export const envelopeScene = (name, value, seed) => SCENES[name](value, seed);

/** Plays one scene in one engine. A trap of the engine does not hold, and has no measure. */
export async function playEnvelope(name, make, value, seed) {
  const envelope = ENVELOPES[name];
  const scene = envelopeScene(name, value, seed);
  const state = startState(scene);
  let engine;
  try {
    engine = await make(scene);
    const watch = envelope.watch?.(scene);
    const steps = envelope.steps(scene);
    for (let step = 0; step < steps; step++) {
      await engine.step();
      if (watch) {
        engine.read(state);
        watch.sample(state);
      }
    }
    engine.read(state);
    const { measure, holds } = envelope.judge(scene, state, watch);
    const isNumber = Number.isFinite(measure);
    return { measure: isNumber ? measure : null, holds: holds && isNumber, version: engine.version };
  } catch (error) {
    return { measure: null, holds: false, failed: error.message };
  } finally {
    try {
      engine?.dispose();
    } catch {
      // An engine that trapped in a step may not be able to leave.
    }
  }
}

/** Bytes of linear memory of a world with towers of ten boxes after 60 steps. */
export async function memoryRows(isQuick) {
  const { create } = await import('../engines/talus.mjs');
  const rows = [];
  for (const scale of isQuick ? [1 / 8] : [1, 10, 30, 100, 200]) {
    const scene = buildScene('boxes720', { scale });
    const engine = await create(scene);
    for (let step = 0; step < SECOND; step++) engine.step();
    rows.push({ bodies: scene.checks.dynamicCount, bytes: engine.world.profile.memory });
    engine.dispose();
  }
  return rows;
}
