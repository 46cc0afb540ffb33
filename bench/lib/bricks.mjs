// Walls of bricks in running bond that stand from the start, in any number: 40 courses, rows one behind the other from 11,000 bricks on. Rows
// are 50 cm apart, so each is an island of its own.

const COURSES = 40;
/** A row has about this many bricks. */
const ROW = 11_000;
const GAP = 0.5;
/** Half of a brick's length, height and depth, m. */
const HALF = [0.5, 0.25, 0.25];

/**
 * Fills an empty world.
 * @param {import('../../src/index').World} world
 * @param {number} count bricks, rounded to whole courses
 */
export function layBricks(world, count) {
  const rows = Math.max(1, Math.round(count / ROW));
  const length = Math.max(2, Math.round(count / (COURSES * rows)));
  const ground = world.createShape({ type: 'plane' });
  world.createBody({ type: 'static', shape: ground });
  const shape = world.createShape({ type: 'box', halfExtents: HALF });
  const total = rows * COURSES * length;
  const positions = new Float32Array(3 * total);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let course = 0; course < COURSES; course++) {
      for (let i = 0; i < length; i++) {
        // A quarter of a brick beside the course below, so that the last brick of a course does not balance on an edge.
        const x = i - length / 2 + (course & 1 ? 0.125 : -0.125);
        positions.set([x, HALF[1] * (2 * course + 1), row * (2 * HALF[2] + GAP)], 3 * at++);
      }
    }
  }
  world.createBodies({ count: total, shape, positions });
  return total;
}
