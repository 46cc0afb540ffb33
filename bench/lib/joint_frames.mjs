// Converts the frames of a scene's joints for other engines. Their joints turn about or slide along their first axis, ours along z;
// x and y follow it.
import { matrixOf, multiply, rotate } from './vec.mjs';

const column = (m, k) => [m[k], m[3 + k], m[6 + k]];

/** Axes z, x, y of a frame (unit quaternion) in the body. */
export function axesOf(frame) {
  const m = matrixOf(frame);
  return { main: column(m, 2), second: column(m, 0), third: column(m, 1) };
}

/** The same frame as a quaternion whose axis x is our z, whose y is our x and whose z is our y. */
export function mainFirst([x, y, z, w]) {
  // Times the third of a turn about (1, 1, 1), backwards: (-1, -1, -1, 1) / 2.
  return [(x - w - y + z) / 2, (y - w - z + x) / 2, (z - w - x + y) / 2, (w + x + y + z) / 2];
}

/** Anchor and axes of one side of a joint in the world, with the bodies where the scene starts. */
export function worldSide(scene, body, anchor, frame) {
  const axes = axesOf(frame);
  if (body < 0) return { anchor, ...axes };
  const { position, rotation } = scene.bodies;
  const m = matrixOf(rotation, 4 * body);
  const offset = rotate(m, anchor);
  return {
    anchor: offset.map((c, k) => c + position[3 * body + k]),
    main: rotate(m, axes.main),
    second: rotate(m, axes.second),
    third: rotate(m, axes.third),
  };
}

/** Rotation matrix of a frame of a body at a rotation: columns x, y, z. */
export function frameMatrix(bodyMatrix, frame) {
  return multiply(bodyMatrix, matrixOf(frame));
}

/** Stiffness and damping of a spring for a mass (or inertia); `perMass` as accelerations, which frequency and ratio are. */
export function springOf(spring) {
  if (spring.frequency === undefined) return { perMass: false, stiffness: spring.stiffness, damping: spring.damping };
  const rate = 2 * Math.PI * spring.frequency;
  return { perMass: true, stiffness: rate * rate, damping: 2 * spring.dampingRatio * rate };
}

/** For engines without joints. */
export function refuseJoints(scene, engine) {
  if (scene.joints?.length) throw new Error(`${engine}: no joints, and the scene '${scene.name}' has ${scene.joints.length}`);
}
