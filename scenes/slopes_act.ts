// Walks all characters against their slopes and back, again and again. They have the standard limit, 0.87 rad: 50 degrees.
import type { Character } from '../src/controllers/index';
import { type Act, moveTo, type Stage } from './act';
import { HOME, LANDING, laneOf, RISE, SLOPES } from './slopes';
import type { Quat, Vec3 } from './types';

const SHAPE = { type: 'capsule', radius: 0.3, halfHeight: 0.6 } as const;
/** m/s */
const SPEED = 3;
/** Steps on the way there and on the way back. */
const THERE = 240;
const BACK = 180;

const AHEAD: Quat = [0, 0, 0, 1];
const AROUND: Quat = [0, 1, 0, 0];

export class SlopesAct implements Act {
  private steps = 0;
  private highest: number[] = SLOPES.map(() => 0);
  private readonly walkers: Character[];

  constructor(
    private readonly stage: Stage,
    from?: SlopesAct,
  ) {
    const { Character: Make } = stage.controllers;
    this.walkers = from
      ? from.walkers.map((walker) => walker.clone(stage.world))
      : SLOPES.map((_, i) => new Make(stage.world, { shape: SHAPE, position: [HOME, 0, laneOf(i)] }));
    if (from) Object.assign(this, { steps: from.steps, highest: [...from.highest] });
  }

  clone(stage: Stage): SlopesAct {
    return new SlopesAct(stage, this);
  }

  /** The greatest height of the feet on each slope so far, m. */
  get result(): { highest: readonly number[] } {
    return { highest: this.highest };
  }

  get status(): string {
    const [first, ...steep] = this.highest;
    return `45 degrees: ${first!.toFixed(2)} m, steeper ones: ${Math.max(...steep).toFixed(2)} m`;
  }

  tick(): void {
    const isBound = this.steps++ % (THERE + BACK) < THERE;
    for (const [i, walker] of this.walkers.entries()) {
      const at = walker.getPosition([0, 0, 0]) as unknown as Vec3;
      this.highest[i] = Math.max(this.highest[i]!, at[1]);
      const target = isBound ? RISE * SLOPES[i]!.run + LANDING / 2 : HOME;
      const velocity = Math.min(Math.max(8 * (target - at[0]), -SPEED), SPEED);
      walker.walk({ velocity: [velocity, 0, 0], jump: 0 });
      moveTo(this.stage, (this.stage.scene.parts!.figures as readonly number[])[i]!, at, isBound ? AHEAD : AROUND);
    }
  }
}
