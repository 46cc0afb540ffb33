// The scene of the rollback on the front page: a tower of bricks at which balls are thrown. Inputs are a list of throws by step, so that
// steps can be computed again from a snapshot. It imports nothing: a page and a test in Node build the same scene.

export const BRICK = [0.3, 0.15, 0.15];
export const BALL = 0.22;
const ROWS = 9;
const COLUMNS = 4;
/** Steps at which a ball is thrown, and steps of the whole. */
const THROWS = [50, 130, 210, 290, 370, 450];
export const STEPS = 600;

/** A world with the tower; `step` throws the balls that are due and computes a step. */
export class Bricks {
  constructor(world) {
    this.world = world;
    const brick = world.createShape({ type: 'box', halfExtents: BRICK });
    const ball = world.createShape({ type: 'sphere', radius: BALL });
    world.createBody({ type: 'static', shape: world.createShape({ type: 'plane' }) });
    this.bricks = [];
    for (let row = 0; row < ROWS; row++)
      for (let i = 0; i < COLUMNS; i++) {
        const x = 2 * BRICK[0] * (i - (COLUMNS - 1) / 2 + (row % 2 ? 0.25 : -0.25));
        this.bricks.push(world.createBody({ shape: brick, position: [x, BRICK[1] * (2 * row + 1), 0], friction: 0.7 }));
      }
    // The balls wait behind the camera, on the floor.
    this.balls = THROWS.map((_, i) =>
      world.createBody({ shape: ball, position: [i - 2.5, BALL, 9], density: 3000, rollingResistance: 0.02 }),
    );
    this.start = world.snapshot();
  }

  /** The number of the step comes from the world, so a snapshot brings it back too. */
  step() {
    const { world } = this;
    const i = THROWS.indexOf(world.stepCount);
    if (i >= 0) {
      world.teleport(this.balls[i], [0.5 * Math.sin(5 * i), 0.5 + 0.25 * (i % 4), 5]);
      world.setVelocity(this.balls[i], [-1.2 * Math.sin(5 * i), 2.2, -11], [0, 0, 0]);
    }
    world.step();
  }
}
