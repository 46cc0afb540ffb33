// A torture scene that is judged as it runs: talus alone, or beside other engines, which step with it and are loaded when they are
// wanted. Each one plays the same scene, drawn apart from the others.
import type { Scene } from '../../../scenes/types';
import { Cast, type Thing } from '../cast';
import type { Simulation } from '../simulation';
import { type Gauge, type Judge, judgeOf } from './gauges';
import type { Rival, RivalMaker } from './rival';

export interface ContestOptions {
  /** Whether the other engines play, too. */
  rivals: boolean;
  sleep: boolean;
  /** From one engine to the next, m. */
  apart: readonly [number, number, number];
  /** `arch`: thickness of the ring over its mean radius. */
  thickness?: number | undefined;
}

/** In the order in which they stand beside talus. */
const RIVALS: readonly (() => Promise<RivalMaker>)[] = [
  () => import('./rapier').then(({ openRapier }) => openRapier),
  () => import('./havok').then(({ openHavok }) => openHavok),
];

interface Player {
  name: string;
  gauge: Gauge;
}

export class Contest {
  readonly players: Player[] = [];
  private readonly rivals: Rival[] = [];

  private constructor(readonly judge: Judge) {}

  /** Null for scenes without a closed form. */
  static async open(simulation: Simulation, options: ContestOptions): Promise<Contest | null> {
    const { scene } = simulation;
    const judge = judgeOf(scene, options.thickness);
    if (!judge) return null;
    const contest = new Contest(judge);
    const own = contest.enter('talus');
    const poses = new Cast(Array.from({ length: scene.bodies.count }, () => ({ parts: [], color: null })));
    simulation.watch = () => {
      for (let i = 0; i < scene.bodies.count; i++) {
        const slot = simulation.slotOf(i);
        poses.place(i, simulation.world.positions.subarray(4 * slot), simulation.world.rotations.subarray(4 * slot));
      }
      own.sample(poses);
    };
    if (!options.rivals) return contest;
    // Either all of them play or none.
    const makers = await Promise.all(RIVALS.map((load) => load()));
    const rivals = await Promise.all(makers.map((make) => make(scene, { sleep: options.sleep })));
    contest.rivals.push(...rivals);
    const dressed = [...simulation.casts];
    rivals.forEach((rival, k) => {
      const shift = options.apart.map((x) => x * (k + 1));
      simulation.casts.push(...scenery(dressed, shift), playerCast(simulation, scene, rival, contest.enter(rival.name), shift));
    });
    return contest;
  }

  private enter(name: string): Gauge {
    const gauge = this.judge.open();
    this.players.push({ name, gauge });
    return gauge;
  }

  dispose(): void {
    for (const rival of this.rivals.splice(0)) rival.dispose();
  }
}

/** What bodies hang from, once more beside the first; the ground is there already. */
function scenery(dressed: readonly Cast[], shift: readonly number[]): Cast[] {
  const things = dressed
    .flatMap((cast) => cast.things)
    .filter(({ color }) => color !== null)
    .map((thing): Thing => ({ ...thing, position: shift.map((x, k) => x + (thing.position?.[k] ?? 0)) }));
  return things.length > 0 ? [new Cast(things)] : [];
}

/** The bodies of another engine; each step of talus is one of theirs. */
function playerCast(simulation: Simulation, scene: Scene, rival: Rival, gauge: Gauge, shift: readonly number[]): Cast {
  const { bodies } = scene;
  const moving = Array.from({ length: bodies.count }, (_, i) => i).filter((i) => bodies.density[i]! > 0);
  const positions = new Float32Array(4 * bodies.count);
  const rotations = new Float32Array(4 * bodies.count);
  const place = (cast: Cast) => {
    rival.read(positions, rotations);
    moving.forEach((i, slot) => {
      const at = [0, 1, 2].map((k) => positions[4 * i + k]! + shift[k]!);
      cast.place(slot, at, rotations.subarray(4 * i, 4 * i + 4));
    });
  };
  const things = moving.map((i): Thing => {
    const slot = simulation.slotOf(i);
    return { parts: simulation.looks.get(slot) ?? [], color: simulation.colorOf(slot) };
  });
  const cast = new Cast(things, () => {
    rival.step();
    place(cast);
    gauge.sample({ positions, rotations });
  });
  place(cast);
  return cast;
}
