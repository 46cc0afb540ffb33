// Plays the script of a scene in any engine: bodies and joints that come in waves, kinematic bodies on circles. An engine that plays it
// has `add(bodies, joints)` and `remove(bodies, joints)` of indices and `setVelocity(body, [x, y, z])`.

const range = ([from, to]) => Array.from({ length: to - from }, (_, i) => from + i);

/** Bodies and joints (indices) that are there from the start, that is in no wave. */
export function atStart(scene) {
  const count = { bodies: scene.bodies.count, joints: scene.joints?.length ?? 0 };
  const late = (kind) => new Set((scene.waves ?? []).flatMap((wave) => range(wave[kind])));
  const early = (kind) => {
    const waiting = late(kind);
    return range([0, count[kind]]).filter((i) => !waiting.has(i));
  };
  return { bodies: early('bodies'), joints: early('joints') };
}

/** Indices of the bodies and joints of a wave. */
export const inWave = (wave) => ({ bodies: range(wave.bodies), joints: range(wave.joints) });

/** Whether a scene needs a script at all. */
export const isScripted = (scene) => Boolean(scene.waves || scene.orbits);

/** Throws for engines that play none. */
export function refuseScript(scene, engine) {
  if (isScripted(scene)) throw new Error(`${engine}: the scene '${scene.name}' has bodies that come in or go round`);
}

/** Plays the script of a scene in one engine. `cosSin`: of an angle; runs that are compared bit by bit bring one of their own. */
export class Script {
  constructor(scene, engine, cosSin = (angle) => [Math.cos(angle), Math.sin(angle)]) {
    this.scene = scene;
    this.cosSin = cosSin;
    this.engine = engine;
    /** Waves that are in, by their first body. */
    this.present = new Set();
  }

  /** Before step number `step` (from 0). */
  before(step) {
    for (const wave of this.scene.waves ?? []) {
      if (wave.step !== step) continue;
      const { bodies, joints } = inWave(wave);
      if (this.present.has(bodies[0])) this.engine.remove(bodies, joints);
      this.engine.add(bodies, joints);
      this.present.add(bodies[0]);
    }
    const { dt } = this.scene;
    for (const { body, radius, speed } of this.scene.orbits ?? []) {
      const at = (k) => (k * dt * speed * Math.PI) / 180;
      const [from, to] = [at(step), at(step + 1)];
      const [[c0, s0], [c1, s1]] = [this.cosSin(from), this.cosSin(to)];
      this.engine.setVelocity(body, [(radius * (c1 - c0)) / dt, 0, (radius * (s1 - s0)) / dt]);
    }
  }
}
