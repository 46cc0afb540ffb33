// Moves the lift by its time table and the slats along their belts, and puts back on the belts what has fallen from them.
import { type Act, backHome, moveTo, type Stage } from './act';
import { BELT_SPEED, BELTS, frameOfBelt, LIFT } from './conveyor';
import type { Vec3 } from './types';

/** How far slats dip into a belt at its ends, m. */
const DIP = 0.1;
/** Steps on the floor until a crate is put back. */
const LOST = 120;

export class ConveyorAct implements Act {
  private readonly belts = BELTS.map((belt) => ({ ...belt, ...frameOfBelt(belt) }));
  private steps = 0;
  private readonly lost: number[];
  private lifted = 0;
  private returned = 0;

  constructor(
    private readonly stage: Stage,
    from?: ConveyorAct,
  ) {
    this.lost = from ? [...from.lost] : this.crates.map(() => 0);
    if (!from) return;
    const { steps, lifted, returned } = from;
    Object.assign(this, { steps, lifted, returned });
  }

  clone(stage: Stage): ConveyorAct {
    return new ConveyorAct(stage, this);
  }

  /** Crates that the lift has taken up; those that were put back. */
  get result(): { lifted: number; returned: number } {
    const { lifted, returned } = this;
    return { lifted, returned };
  }

  get status(): string {
    return `${this.lifted} lifted`;
  }

  private get crates(): readonly number[] {
    return this.stage.scene.parts!.crates as readonly number[];
  }

  tick(): void {
    this.steps++;
    this.moveLift();
    this.moveSlats();
    this.putBack();
  }

  private moveLift(): void {
    const { low, high, wait, rise, rest, fall } = LIFT;
    const t = (this.steps / 60) % (wait + rise + rest + fall);
    const up = Math.min(Math.max((t - wait) / rise, 0), 1) - Math.min(Math.max((t - wait - rise - rest) / fall, 0), 1);
    const y = low + (high - low) * up * up * (3 - 2 * up);
    moveTo(this.stage, this.stage.scene.parts!.lift as number, [3.7, y - 1.6, 0]);
    if (Math.abs(t - wait - rise) < 0.5 / 60) this.lifted += this.countAbove();
  }

  /** Crates on the lift while it is up. */
  private countAbove(): number {
    const { world, bodies } = this.stage;
    let count = 0;
    for (const crate of this.crates) {
      if (!world.isAlive(bodies[crate]!)) continue;
      const [x, y, z] = world.getPosition(bodies[crate]!, [0, 0, 0]);
      if (x > 2.9 && y > 3 && z < 0.75) count++;
    }
    return count;
  }

  /** Along the belts; at their ends they dip into them, and where that hides them they start anew. */
  private moveSlats(): void {
    const slats = this.stage.scene.parts!.slats as readonly number[];
    const way = (this.steps * BELT_SPEED) / 60;
    let slat = 0;
    for (const { from, along, up, length, slats: count } of this.belts) {
      for (let i = 0; i < count; i++) {
        const s = (((i + 0.5) * length) / count + way) % length;
        const edge = Math.min(s, length - s);
        const down = 0.008 + DIP * Math.max(1 - edge / 0.12, 0);
        const at = [0, 1, 2].map((k) => from[k]! + s * along[k]! - down * up[k]!) as unknown as Vec3;
        moveTo(this.stage, slats[slat++]!, at);
      }
    }
  }

  private putBack(): void {
    const { world, bodies } = this.stage;
    this.crates.forEach((crate, i) => {
      const id = bodies[crate]!;
      if (!world.isAlive(id)) return;
      this.lost[i] = world.getPosition(id, [0, 0, 0])[1]! < 0.72 ? this.lost[i]! + 1 : 0;
      if (this.lost[i]! < LOST) return;
      backHome(this.stage, crate);
      world.teleport(id, [-5.7, 3.3, 4.6]);
      this.lost[i] = 0;
      this.returned++;
    });
  }
}
