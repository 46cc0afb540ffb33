// Fires one ball after the other, gun by gun, slow ones and fast ones; sets the wall up again when it has fallen.
import { type Act, backHome, type Stage } from './act';
import { GUNS } from './bullets';

/** Steps from shot to shot. */
const EVERY = 40;
/** m/s, in turn. */
export const SPEEDS = [40, 100, 200, 400];
/** A brick farther than this from its place has fallen, m; so many of all bricks, and the wall has; steps until it is set up. */
const FALLEN = 0.5;
const SHARE = 0.3;
const PAUSE = 150;

export class BulletsAct implements Act {
  private steps = 0;
  private shots = 0;
  private pause = 0;
  private walls = 1;

  constructor(
    private readonly stage: Stage,
    from?: BulletsAct,
  ) {
    if (!from) return;
    const { steps, shots, pause, walls } = from;
    Object.assign(this, { steps, shots, pause, walls });
  }

  clone(stage: Stage): BulletsAct {
    return new BulletsAct(stage, this);
  }

  get result(): { shots: number; walls: number } {
    const { shots, walls } = this;
    return { shots, walls };
  }

  get status(): string {
    if (this.shots === 0) return 'ready';
    return `shot ${this.shots} at ${this.speedOf(this.shots - 1)} m/s`;
  }

  /** Speed of a shot, m/s: each gun has all of them in turn. */
  speedOf(shot: number): number {
    return SPEEDS[((shot % GUNS.length) + Math.floor(shot / GUNS.length)) % SPEEDS.length]!;
  }

  tick(): void {
    if (this.steps++ % EVERY === EVERY - 1) this.fire();
    if (this.steps % 10 === 0) this.watch();
  }

  private list(name: string): readonly number[] {
    return this.stage.scene.parts![name] as readonly number[];
  }

  private fire(): void {
    const { world, bodies } = this.stage;
    const balls = this.list('balls');
    const shot = this.shots++;
    const ball = bodies[balls[shot % balls.length]!]!;
    if (!world.isAlive(ball)) return;
    const gun = GUNS[shot % GUNS.length]!;
    // All over the target; at what falls on the way, a little higher.
    const isWall = shot % GUNS.length === 1;
    const [wide, high] = isWall ? [2, 1.3] : [0.35, 0.25];
    const aim = [(2 * ((shot * 0.618034) % 1) - 1) * wide, (2 * ((shot * 0.754878) % 1) - 1) * high + (isWall ? 0.2 : 0)];
    const speed = this.speedOf(shot);
    const seconds = gun[2] / speed;
    world.teleport(ball, gun);
    world.setVelocity(ball, [aim[0]! / seconds, aim[1]! / seconds + (9.81 * seconds) / 2, -speed], [0, 0, 0]);
  }

  private watch(): void {
    const { scene, world, bodies } = this.stage;
    const bricks = this.list('bricks');
    const home = scene.bodies.position;
    let fallen = 0;
    for (const brick of bricks) {
      if (!world.isAlive(bodies[brick]!)) continue;
      const p = world.getPosition(bodies[brick]!, [0, 0, 0]);
      if (Math.hypot(p[0] - home[3 * brick]!, p[1] - home[3 * brick + 1]!, p[2] - home[3 * brick + 2]!) > FALLEN) fallen++;
    }
    this.pause = fallen > SHARE * bricks.length ? this.pause + 10 : 0;
    if (this.pause < PAUSE) return;
    this.pause = 0;
    this.walls++;
    for (const brick of bricks) backHome(this.stage, brick);
    for (const ball of this.list('balls')) backHome(this.stage, ball);
  }
}
