// What the torture scenes are judged by: a quantity that follows from poses alone, the same for every engine, beside the value of its
// closed form (scenes/torture_truth.ts).
import { ARCH, GYROSCOPE, WRECKING_BALL } from '../../../scenes/torture';
import { LEANS, STANDS, TOPPLES, truthOf, WAVE } from '../../../scenes/torture_truth';
import { type Scene, STATIC } from '../../../scenes/types';

/** Poses by index of the body, four numbers each, from one world. */
export interface GaugePoses {
  positions: ArrayLike<number>;
  rotations: ArrayLike<number>;
}

/** Follows one world. */
export interface Gauge {
  /** After each step. */
  sample(poses: GaugePoses): void;
  /** Value so far, in words. */
  readonly text: string;
}

export interface Judge {
  /** What is measured. */
  quantity: string;
  /** Value of the closed form, in words. */
  closed: string;
  open(): Gauge;
}

const distanceOf = (a: ArrayLike<number>, i: number, b: ArrayLike<number>, k: number) =>
  Math.hypot(a[i]! - b[k]!, a[i + 1]! - b[k + 1]!, a[i + 2]! - b[k + 2]!);

function archJudge(scene: Scene, thickness: number): Judge {
  const { bodies, dt } = scene;
  const least = truthOf(scene);
  return {
    quantity: `arch of ${(100 * thickness).toFixed(1)} % of its radius; theory demands ${(100 * least).toFixed(1)} %`,
    closed: thickness > least ? 'stands' : 'falls',
    open() {
      let [step, drift, fellAt] = [0, 0, 0];
      return {
        sample({ positions }) {
          step++;
          drift = 0;
          for (let i = 0; i < bodies.count; i++) {
            if (bodies.type[i] !== STATIC) drift = Math.max(drift, distanceOf(positions, 4 * i, bodies.position, 3 * i));
          }
          if (drift <= STANDS) fellAt = 0;
          else fellAt ||= step * dt;
        },
        get text() {
          if (fellAt > 0) return `falls after ${fellAt.toFixed(1)} s`;
          return `stands, ${(1000 * drift).toFixed(drift < 0.01 ? 1 : 0)} mm off`;
        },
      };
    },
  };
}

function gyroscopeJudge(scene: Scene): Judge {
  const disc = scene.parts!.disc as number;
  const [px, py, pz] = GYROSCOPE.pivot;
  return {
    quantity: 'precession',
    closed: `${truthOf(scene).toFixed(3)} rad/s`,
    open() {
      let [step, angle, turned, nod] = [0, 0, 0, 0];
      return {
        sample({ positions }) {
          step++;
          const [x, y, z] = [positions[4 * disc]! - px, positions[4 * disc + 1]! - py, positions[4 * disc + 2]! - pz];
          const now = Math.atan2(-z, x);
          const turn = now - angle;
          turned += turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
          angle = now;
          nod = Math.max(nod, Math.abs(Math.atan2(y, Math.hypot(x, z))));
        },
        get text() {
          const degrees = (nod * 180) / Math.PI;
          if (degrees > TOPPLES) return 'topples';
          return step < 10 ? '...' : `${(turned / (step * scene.dt)).toFixed(3)} rad/s, nods ${degrees.toFixed(1)}\u00b0`;
        },
      };
    },
  };
}

/** Mean time between the moments when a value changes its sign, s. */
class Crossings {
  private last = 0;
  private step = 0;
  private first = 0;
  private latest = 0;
  private count = 0;

  constructor(private readonly dt: number) {}

  sample(value: number): void {
    this.step++;
    if (this.last * value < 0) {
      this.latest = (this.step - value / (value - this.last)) * this.dt;
      if (this.count++ === 0) this.first = this.latest;
    }
    if (value !== 0) this.last = value;
  }

  get interval(): number | null {
    return this.count < 2 ? null : (this.latest - this.first) / (this.count - 1);
  }
}

function ballJudge(scene: Scene): Judge {
  const { links, pitch } = WRECKING_BALL;
  const ball = scene.parts!.ball as number;
  const length = links * pitch;
  const pivot = scene.joints![0]!.anchorA;
  return {
    quantity: 'period of the swing',
    closed: `${truthOf(scene).toFixed(3)} s`,
    open() {
      const crossings = new Crossings(scene.dt);
      let stretch = 0;
      return {
        sample({ positions }) {
          crossings.sample(positions[4 * ball]!);
          stretch = Math.max(stretch, distanceOf(positions, 4 * ball, pivot, 0) / length - 1);
        },
        get text() {
          const { interval } = crossings;
          const longer = `chain ${(100 * stretch).toFixed(1)} % longer`;
          return interval === null ? longer : `${(2 * interval).toFixed(3)} s, ${longer}`;
        },
      };
    },
  };
}

function racketJudge(scene: Scene): Judge {
  const closed = truthOf(scene);
  const handle = scene.parts!.handle as number;
  return {
    quantity: 'time between flips',
    closed: `${closed.toFixed(3)} s`,
    open() {
      const crossings = new Crossings(scene.dt);
      let before: number[] | null = null;
      let steps = 0;
      return {
        sample({ rotations }) {
          const q = [0, 1, 2, 3].map((k) => rotations[4 * handle + k]!);
          if (before) {
            const [x, y, z, w] = before as [number, number, number, number];
            // Spin about the stem since the last step, in the frame of the body: of conj(before) q, the part y, with the sign of w.
            const turned = w * q[1]! + x * q[2]! - y * q[3]! - z * q[0]!;
            const whole = w * q[3]! + x * q[0]! + y * q[1]! + z * q[2]!;
            crossings.sample(whole < 0 ? -turned : turned);
          }
          before = q;
          steps++;
        },
        get text() {
          const { interval } = crossings;
          if (interval !== null) return `${interval.toFixed(3)} s`;
          return steps * scene.dt > 3 * closed ? 'does not flip' : '...';
        },
      };
    },
  };
}

function dominoJudge(scene: Scene): Judge {
  const { bodies, dt } = scene;
  const tiles = Array.from({ length: bodies.count }, (_, i) => i).filter((i) => bodies.type[i] !== STATIC);
  const placeOf = (k: number) => bodies.position[3 * tiles[k]!]!;
  return {
    quantity: 'speed of the wave',
    closed: `${truthOf(scene).toFixed(2)} m/s`,
    open() {
      const reached: number[] = [];
      let step = 0;
      return {
        sample({ rotations }) {
          step++;
          for (let next = reached.length; next < tiles.length; next = reached.length) {
            const [x, z] = [rotations[4 * tiles[next]!]!, rotations[4 * tiles[next]! + 2]!];
            if (1 - 2 * (x * x + z * z) >= LEANS) break;
            reached.push(step * dt);
          }
        },
        get text() {
          const last = Math.min(reached.length - 1, WAVE.to);
          if (last <= WAVE.from) return `tile ${reached.length}`;
          const speed = (placeOf(last) - placeOf(WAVE.from)) / (reached[last]! - reached[WAVE.from]!);
          return `${speed.toFixed(2)} m/s`;
        },
      };
    },
  };
}

/** What a scene is judged by; null for scenes without a closed form. */
export function judgeOf(scene: Scene, thickness: number = ARCH.thickness): Judge | null {
  switch (scene.name) {
    case 'arch':
      return archJudge(scene, thickness);
    case 'gyroscope':
      return gyroscopeJudge(scene);
    case 'wrecking-ball':
      return ballJudge(scene);
    case 'racket':
      return racketJudge(scene);
    case 'domino':
      return dominoJudge(scene);
    default:
      return null;
  }
}
