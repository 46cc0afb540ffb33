// The acts by the names of their scenes.
import type { ActMaker } from './act';
import { BulletsAct } from './bullets_act';
import { CircuitAct } from './circuit_act';
import { ConveyorAct } from './conveyor_act';
import { CourseAct } from './course_act';
import { SlopesAct } from './slopes_act';
import { WaterAct } from './water_act';

const ACTS: Readonly<Record<string, ActMaker>> = {
  course: (stage) => new CourseAct(stage),
  circuit: (stage) => new CircuitAct(stage),
  conveyor: (stage) => new ConveyorAct(stage),
  slopes: (stage) => new SlopesAct(stage),
  bullets: (stage) => new BulletsAct(stage),
  water: (stage) => new WaterAct(stage),
};

/** What a scene does by itself; null for those that only fall. */
export function actOf(scene: string): ActMaker | null {
  return Object.hasOwn(ACTS, scene) ? ACTS[scene]! : null;
}
