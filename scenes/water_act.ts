// Water in the basin: lift and drag on what is in it, a surface that sloshes as a plane. A crate that a hand has taken out and let
// fall outside stays there.
import { type Act, moveTo, type Stage } from './act';
import { join } from './frames';
import { BASIN } from './water';

/** Slope of the surface at most, and how long it takes from side to side and back, s, lengthways and across. */
const SLOPE = { x: 0.035, z: 0.028 };
const PERIOD = { x: 4.6, z: 3.1 };
/** Seconds in which the water comes into motion. */
const CALM = 2;

export class WaterAct implements Act {
  private steps: number;

  /** @param motion Factor on the slope of the surface: 0 for still water. */
  constructor(
    private readonly stage: Stage,
    private readonly motion = 1,
    from?: WaterAct,
  ) {
    this.steps = from?.steps ?? 0;
  }

  clone(stage: Stage): WaterAct {
    return new WaterAct(stage, this.motion, this);
  }

  tick(): void {
    this.steps++;
    const t = this.steps / 60;
    const grown = this.motion * Math.min(t / CALM, 1);
    const a = grown * SLOPE.x * Math.sin((2 * Math.PI * t) / PERIOD.x);
    const b = grown * SLOPE.z * Math.sin((2 * Math.PI * t) / PERIOD.z);
    const { x, z, level } = BASIN;
    const { world, scene } = this.stage;
    world.applyBuoyancy({
      level: this.motion === 0 ? level : (px, pz) => level + a * px + b * pz,
      drag: 1.5,
      angularDrag: 1.5,
      bounds: { min: [-x, -1, -z], max: [x, 10, z] },
    });
    // Tilted about its middle: small angles.
    moveTo(this.stage, scene.parts!.surface as number, [0, level / 2, 0], join([0, 0, a / 2, 1], [-b / 2, 0, 0, 1]));
  }
}
