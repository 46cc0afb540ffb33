// Errors of joints on given poses, in double precision and independent of every solver: gaps of anchors, tilted axes, exceeded limits,
// stretch of a chain. Angles are the swing from axis z of A to axis z of B, and the twist about it.
import { quantile } from './stats.mjs';
import { matrixOf, rotate, rotateBack, sub } from './vec.mjs';

const DEGREES = 180 / Math.PI;

/** Product of two quaternions xyzw. */
function times(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}

const outside = (value, limit) => Math.max(0, value - limit.max, limit.min - value);

/** Place, anchor and rotation of one side of a joint. */
function side(state, body, anchor, frame) {
  if (body < 0) return { anchor, frame, matrix: matrixOf(frame) };
  const q = Array.from(state.rotation.subarray(4 * body, 4 * body + 4));
  const m = matrixOf(q);
  const r = rotate(m, anchor);
  const whole = times(q, frame);
  return {
    anchor: [0, 1, 2].map((k) => state.position[3 * body + k] + r[k]),
    frame: whole,
    matrix: matrixOf(whole),
  };
}

/** Angles (rad) of B's frame in A's: the swing between the axes z, the twist about them, the whole angle. */
function anglesOf(frameA, frameB) {
  const [x, y, z, w] = times([-frameA[0], -frameA[1], -frameA[2], frameA[3]], frameB);
  const swing = 2 * Math.atan2(Math.hypot(x, y), Math.hypot(z, w));
  const sign = w < 0 ? -1 : 1;
  return {
    swing,
    twist: 2 * Math.atan2(sign * z, sign * w),
    whole: 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w)),
  };
}

/**
 * Errors of one joint: `gap` of what its anchors lock (m), `tilt` of what its axes lock (degrees), `excess` beyond its angular
 * limits (degrees), one for each; undefined and empty where it has none.
 * @param {import('../../scenes/types').SceneJoint} joint
 */
export function jointErrors(joint, state) {
  const a = side(state, joint.bodyA, joint.anchorA, joint.frameA);
  const b = side(state, joint.bodyB, joint.anchorB, joint.frameB);
  const e = sub(b.anchor, a.anchor);
  const [x, y, z] = rotateBack(a.matrix, e);
  const { swing, twist, whole } = anglesOf(a.frame, b.frame);
  const excess = [];
  let gap;
  let tilt;
  switch (joint.type) {
    case 'ball':
      gap = Math.hypot(...e);
      break;
    case 'hinge':
      gap = Math.hypot(...e);
      tilt = swing;
      if (joint.limit) excess.push(outside(twist, joint.limit));
      break;
    case 'cone-twist':
      gap = Math.hypot(...e);
      if (joint.cone !== undefined) excess.push(Math.max(0, swing - joint.cone));
      if (joint.limit) excess.push(outside(twist, joint.limit));
      break;
    case 'fixed':
      gap = Math.hypot(...e);
      tilt = whole;
      break;
    case 'slider':
      gap = Math.hypot(x, y);
      tilt = whole;
      break;
    case 'cylindrical':
      gap = Math.hypot(x, y);
      tilt = swing;
      if (joint.twist?.limit) excess.push(outside(twist, joint.twist.limit));
      break;
    case 'wheel':
      gap = Math.hypot(x, z);
      tilt = swing;
      break;
    case 'distance': {
      const length = Math.hypot(x, y, z);
      if (joint.limit) gap = outside(length, joint.limit);
      else if (joint.length !== undefined) gap = Math.abs(length - joint.length);
      break;
    }
    case 'pulley': {
      const length = Math.hypot(...sub(a.anchor, joint.groundA)) + joint.ratio * Math.hypot(...sub(b.anchor, joint.groundB));
      gap = Math.max(0, length - joint.length);
      break;
    }
  }
  return { gap, tilt: tilt === undefined ? undefined : tilt * DEGREES, excess: excess.map((angle) => angle * DEGREES) };
}

const mean = (values) => (values.length ? values.reduce((s, v) => s + v, 0) / values.length : 0);
const most = (values) => values.reduce((m, v) => Math.max(m, v), 0);

/** Length of the line through the joints of `scene.checks.chain`, each at the middle of its two anchors, m. */
export function chainLength(scene, state) {
  let length = 0;
  let last = null;
  for (const index of scene.checks.chain) {
    const joint = scene.joints[index];
    const a = side(state, joint.bodyA, joint.anchorA, joint.frameA).anchor;
    const b = side(state, joint.bodyB, joint.anchorB, joint.frameB).anchor;
    const middle = a.map((c, k) => (c + b[k]) / 2);
    if (last) length += Math.hypot(...sub(middle, last));
    last = middle;
  }
  return length;
}

/** m: a joint with a larger gap has come apart. The same distance within which bodies of a structure count as standing. */
const HELD = 0.1;

/** Measures the joints of one scene at every step of a run. */
export class JointMeasure {
  constructor(scene) {
    this.scene = scene;
    this.start = scene.checks.chain ? chainLength(scene, scene.bodies) : 0;
    this.worstGap = 0;
    this.worstExcess = 0;
    this.worstStretch = 0;
    this.now = null;
  }

  sample(state) {
    const gaps = [];
    const tilts = [];
    const excess = [];
    for (const joint of this.scene.joints) {
      const errors = jointErrors(joint, state);
      if (errors.gap !== undefined) gaps.push(errors.gap);
      if (errors.tilt !== undefined) tilts.push(errors.tilt);
      excess.push(...errors.excess);
    }
    const stretch = this.start > 0 ? 100 * (chainLength(this.scene, state) / this.start - 1) : null;
    this.worstGap = Math.max(this.worstGap, most(gaps));
    this.worstExcess = Math.max(this.worstExcess, most(excess));
    if (stretch !== null) this.worstStretch = Math.max(this.worstStretch, stretch);
    this.now = { gaps, tilts, excess, stretch };
  }

  /** Of the last sample, and the worst of all: m, degrees, %. */
  result() {
    const { gaps, tilts, excess, stretch } = this.now;
    return {
      gapMean: mean(gaps),
      gapP99: quantile(gaps, 0.99),
      gapMax: most(gaps),
      gapWorst: this.worstGap,
      /** Share of the joints that are together at the end. */
      held: gaps.length === 0 ? 1 : gaps.filter((gap) => gap <= HELD).length / gaps.length,
      tiltMean: mean(tilts),
      tiltMax: most(tilts),
      limitMean: mean(excess),
      limitMax: most(excess),
      limitWorst: this.worstExcess,
      stretch,
      stretchWorst: stretch === null ? null : this.worstStretch,
    };
  }
}
