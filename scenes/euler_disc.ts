// Thin cylinders that roll on their rims without rolling resistance: Euler's disc, a coin, and a wheel that leans as it rolls. A rim must
// roll as a circle, not as a polygon, or its energy is lost within a second.
import { SceneBuilder } from './builder';
import { turn } from './frames';
import type { Quat, Scene, SceneOptions } from './types';

const GRAVITY = 9.81;
const FRICTION = 0.8;

/** The disc and the coin: radius and half the thickness (m), sine of the inclination, and where they start. */
export const DISCS = [
  // 40 and 60 degrees.
  { radius: 0.5, half: 0.01, sin: 0.6427876096865393, at: [0, 0], tint: [96, 150, 180] },
  { radius: 0.3, half: 0.02, sin: 0.8660254037844386, at: [1.5, 0.5], tint: [242, 193, 104] },
] as const;

/** The wheel: radius and half the width (m), speed (m/s), and the sine of its lean, which is 20 degrees. */
export const WHEEL = { radius: 0.4, half: 0.05, speed: 5, sin: 0.3420201433256687 } as const;

/** Precession of a disc whose center stays where it is, rad/s: W^2 = 4 g / (R sin a). */
export function precession(radius: number, sin: number): number {
  return Math.sqrt((4 * GRAVITY) / (radius * sin));
}

function halfAngle(sin: number): { cos: number; sin: number } {
  const cos = Math.sqrt(1 - sin * sin);
  return { cos: Math.sqrt((1 + cos) / 2), sin: Math.sqrt((1 - cos) / 2) };
}

/** `parts.discs` and `parts.wheel`. */
export function eulerDisc(_options: SceneOptions = {}): Scene {
  const builder = new SceneBuilder(FRICTION);
  builder.fixed(builder.box(60, 0.5, 60), [0, -0.5, 0]);
  const discs = DISCS.map(({ radius, half, sin, at: [x, z], tint }) => {
    const a = halfAngle(sin);
    const rotation: Quat = [0, 0, a.sin, a.cos];
    const cos = Math.sqrt(1 - sin * sin);
    // It turns about the diameter through the contact point.
    const spin = precession(radius, sin) * sin;
    return builder.dynamic(builder.shape({ type: 'cylinder', radius, halfHeight: half }), [x, radius * sin + half * cos, z], {
      rotation,
      angularVelocity: turn(rotation, [-spin, 0, 0]),
      rollingResistance: 0,
      tint,
    });
  });
  const { radius, half, speed, sin } = WHEEL;
  const cos = Math.sqrt(1 - sin * sin);
  // The axis of a wheel that leans by 20 degrees is 70 degrees off the vertical: cosine and sine change places.
  const a = halfAngle(cos);
  const wheel = builder.dynamic(
    builder.shape({ type: 'cylinder', radius, halfHeight: half }),
    [-7, radius * cos + half * sin, -1],
    {
      rotation: [a.sin, 0, 0, a.cos],
      linearVelocity: [speed, 0, 0],
      angularVelocity: [0, (-speed / radius) * sin, (-speed / radius) * cos],
      rollingResistance: 0,
      tint: [226, 149, 120],
    },
  );
  return builder.build(
    'euler-disc',
    "Euler's disc, a coin and a leaning wheel",
    0,
    { bounds: { min: [-100, -1, -100], max: [100, 20, 100] } },
    { discs, wheel },
  );
}
