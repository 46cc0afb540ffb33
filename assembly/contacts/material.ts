// Material of a manifold: what friction, restitution and rolling resistance of two colliders come to together.
// Input: colliders, their shapes. Output: Manifold.friction, restitution, rollLever; Header.anyRolling.
// Source of rolling resistance: J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, Assessment of rolling resistance models in discrete
// element simulations, Powder Technology 206, 2011.
import {
  COMBINE_GEOMETRIC,
  COMBINE_MAX,
  COMBINE_MIN,
  COMBINE_MULTIPLY,
  Collider,
  Manifold,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_CYLINDER,
  SHAPE_SPHERE,
  Shape,
} from '../layout.generated';
import { header } from '../memory/header';
import { shapeAt } from '../shapes/shapes';

function combine(rule: u32, a: f32, b: f32): f32 {
  if (rule == COMBINE_MULTIPLY) return a * b;
  if (rule == COMBINE_MIN) return min<f32>(a, b);
  if (rule == COMBINE_MAX) return max<f32>(a, b);
  if (rule == COMBINE_GEOMETRIC) return sqrt<f32>(a * b);
  return (a + b) * <f32>0.5;
}

/** 1 / radius of the round side of a shape, 0 for flat ones. */
function curvature(c: Collider): f32 {
  const shape: Shape = shapeAt(c.shape);
  const type: u32 = shape.type;
  const round: bool = type == SHAPE_SPHERE || type == SHAPE_CAPSULE || type == SHAPE_CYLINDER || type == SHAPE_CONE;
  return round ? 1 / shape.p0 : 0;
}

/** 1 / rolling radius of two shapes, 0 where both are flat. */
export function rollingCurvature(ca: Collider, cb: Collider): f32 {
  return curvature(ca) + curvature(cb);
}

/**
 * Lever of the normal force against rolling (m): the combined coefficient times the rolling radius 1 / (1 / r_A + 1 / r_B) (Ai
 * et al. 2011); 0 where both shapes are flat. Not more than friction can pass on: without friction nothing rolls.
 */
function rollLever(ca: Collider, cb: Collider, friction: f32): f32 {
  const k: f32 = rollingCurvature(ca, cb);
  if (k == 0) return 0;
  const rule: u32 = max<u32>((ca.combine >> 16) & 0xff, (cb.combine >> 16) & 0xff);
  return min<f32>(combine(rule, ca.rollingResistance, cb.rollingResistance), friction) / k;
}

/** Material of a manifold from its two surfaces. */
export function takeMaterial(m: Manifold, ca: Collider, cb: Collider): void {
  m.friction = combine(max<u32>(ca.combine & 0xff, cb.combine & 0xff), ca.friction, cb.friction);
  m.restitution = combine(max<u32>((ca.combine >> 8) & 0xff, (cb.combine >> 8) & 0xff), ca.restitution, cb.restitution);
  m.rollLever = rollLever(ca, cb, m.friction);
  if (m.rollLever > 0) header().anyRolling = 1;
}
