// One-body scenes with an exact answer: they check an engine (and a bench adapter) before anything else is believed.
import { rotationAboutZ, SceneBuilder } from './builder';
import type { Scene, SceneOptions, Vec3 } from './types';

const BOUNDS: { min: Vec3; max: Vec3 } = { min: [-500, -500, -500], max: [500, 500, 500] };

/** A 1 m box that falls from y = 10 with nothing below: after t seconds y = 10 - g t2 / 2 for small steps. */
export function freefall(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  builder.dynamic(builder.box(0.5, 0.5, 0.5), [0, 10, 0]);
  return builder.build('freefall', 'one box in free fall', 0, { touching: true, bounds: BOUNDS });
}

/** A 1 m box dropped from 5 cm on a floor at y = 0: must rest with its center at y = 0.5. */
export function rest(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  builder.floor(20);
  builder.dynamic(builder.box(0.5, 0.5, 0.5), [0, 0.55, 0]);
  return builder.build('rest', 'one box comes to rest', 0, { touching: true, bounds: BOUNDS });
}

/**
 * A box on a slope of `angle` (default 25 degrees) with `friction` (default 0.3), at rest at the start and just touching.
 * It holds if tan(angle) <= friction, else it accelerates along the slope by g (sin - friction cos).
 */
export function slope(options: SceneOptions = {}): Scene {
  const angle = options.angle ?? (25 * Math.PI) / 180;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const builder = new SceneBuilder(options.friction ?? 0.3);
  const rotation = rotationAboutZ(cos, sin);
  // Slope along x, rising with x: its upper face passes through the origin.
  builder.fixed(builder.box(60, 0.5, 5), [0.5 * sin, -0.5 * cos, 0], { rotation });
  builder.dynamic(builder.box(0.5, 0.25, 0.5), [-0.25 * sin, 0.25 * cos, 0], { rotation });
  return builder.build('slope', 'one box on a slope', 0, { touching: true, bounds: BOUNDS });
}

/** A long box that spins in space without gravity about nearly its middle axis (it tumbles); momentum must be kept. */
export function spinner(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder();
  builder.dynamic(builder.box(0.2, 0.5, 1), [0, 0, 0], { angularVelocity: [0.01, 5, 0.01] });
  const scene = builder.build('spinner', 'one body tumbles in space', 0, { touching: true, bounds: BOUNDS });
  return { ...scene, gravity: [0, 0, 0] };
}
