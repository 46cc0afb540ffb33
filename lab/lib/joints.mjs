// Joints as links of the constraint graph.
import { jointErrors } from '../../bench/lib/joints.mjs';
import { matrixOf, rotate } from '../../bench/lib/vec.mjs';

/** Rows that a type locks. */
const LOCKED = {
  ball: 3,
  'cone-twist': 3,
  hinge: 5,
  fixed: 6,
  slider: 5,
  cylindrical: 4,
  wheel: 4,
  distance: 1,
  gear: 1,
  pulley: 1,
};

/**
 * Joints of a run as links { a, b, rows, middle } between dynamic bodies (numbered in order, -1 for what does not move); `rows`
 * are what the type locks and the limits that are reached.
 * @param {{ scene: object, read: () => object }} run
 */
export function jointLinks(run) {
  const { scene } = run;
  const state = run.read();
  const numbers = new Map();
  for (let i = 0; i < scene.bodies.count; i++) if (scene.bodies.density[i] > 0) numbers.set(i, numbers.size);
  return (scene.joints ?? []).map((joint) => {
    const offset = rotate(matrixOf(state.rotation, 4 * joint.bodyB), joint.anchorB);
    return {
      a: numbers.get(joint.bodyA) ?? -1,
      b: numbers.get(joint.bodyB) ?? -1,
      rows: LOCKED[joint.type] + jointErrors(joint, state).excess.filter((beyond) => beyond > 0).length,
      middle: offset.map((c, k) => c + state.position[3 * joint.bodyB + k]),
    };
  });
}
