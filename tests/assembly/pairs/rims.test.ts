// Contacts of cylinders that roll on their rims against the motion of a rigid cylinder in double precision.
import { describe, expect, it } from 'vitest';
import { SHAPE_CYLINDER, SHAPE_PLANE } from '../../../src/layout.generated';
import { BoxWorld } from '../../helpers/boxes';
import { add, cross, dot, multiply, norm, rotationOf, scale, sub, turned, turnedBack, unit } from '../../helpers/vectors';

type V = number[];
const [radius, half, dt] = [0.5, 0.2, 1 / 60];
const frame = rotationOf([0.5, 0.4, -0.7]);
const up = turned(frame, [0, 1, 0]);

interface Motion {
  /** Round the axis, rad/s. */
  spin: number;
  /** Of the axis round the normal of the floor, rad/s. */
  sweep: number;
  /** Velocity towards the floor, m/s. */
  fall?: number;
  /** Of the axis about the level line, rad/s. */
  tip?: number;
}

/** A cylinder, its axis `tilt` away from the normal and upside down or not, on a fixed box, or on a plane, which then is B. */
function cylinder(tilt: number, flipped: boolean, onPlane: boolean, { spin, sweep, fall = 0, tip = 0 }: Motion) {
  const world = new BoxWorld();
  const { core } = world;
  const height = radius * Math.sin(tilt) + half * Math.cos(tilt) - 0.001;
  const at = turned(frame, [0.3, height, 0.2]);
  const q = multiply(multiply(frame, rotationOf([0.6 * tilt, 0, 0.8 * tilt])), flipped ? [1, 0, 0, 0] : [0, 0, 0, 1]);
  if (onPlane) {
    const shape = core.createShape(SHAPE_PLANE, ...up, 1e9, 0, 0, 0, 0, 0, 0, 0, 0) >>> 0;
    core.createCollider(core.createBody(0, 0, 0, 0, 0, 0, 0, 1), shape, 0, 0, 0, 0, 0, 0, 1, 0.6, 0, 0, 0, -1, -1, 0, 1000);
  } else {
    world.box(turned(frame, [0, -1, 0]), [5, 1, 5], { type: 0, rotation: frame as [number, number, number, number] });
  }
  const shape =
    core.createShape(
      SHAPE_CYLINDER,
      radius,
      half,
      0,
      Math.hypot(radius, half),
      0,
      0,
      -radius,
      -half,
      -radius,
      radius,
      half,
      radius,
    ) >>> 0;
  const body = core.createBody(2, ...at, ...q) >>> 0;
  core.setMassProperties(body, 3, 0, 0, 0, 0.2, 0.1, 0.2, 0, 0, 0);
  core.createCollider(body, shape, 0, 0, 0, 0, 0, 0, 1, 0.6, 0, 0, 0, -1, -1, 0, 1000);
  const axis = turned(q, [0, 1, 0]);
  const level = unit(cross(up, axis));
  const w = add(add(scale(axis, spin), scale(up, sweep)), scale(level, tip));
  /** Outputs: points in world axes, of the floor (box) or of the cylinder (plane), from the middle of the cylinder. */
  const run = (w: V, v: V) => {
    core.setVelocity(body, ...v, ...w);
    const found = (onPlane ? core.testRun(1, 0, 0.4) : core.testRun(0, 1, 0.4)) >>> 0;
    const out = core.testOutputs() >>> 0;
    return Array.from({ length: found }, (_, k) => {
      const f = new Float32Array(world.memory.buffer, out + 96 * k, 24);
      const count = new Uint32Array(world.memory.buffer, out + 96 * k, 1)[0]!;
      return Array.from({ length: count }, (_, i) => {
        const p = Array.from(f.subarray(8 + 4 * i, 11 + 4 * i));
        const place = onPlane ? turned(q, p) : sub(add(turned(frame, p), turned(frame, [0, -1, 0])), at);
        return { at: place, s: f[11 + 4 * i]! };
      });
    });
  };
  return { q, w, raw: run([0, 0, 0], [0, 0, 0]), found: run(w, scale(up, -fall)) };
}

/** The point of the rim that lies lowest, from the middle. */
function lowest(q: V): V {
  const down = turnedBack(q, scale(up, -1));
  const round = unit([down[0]!, 0, down[2]!]);
  return turned(q, add(scale(round, radius), [0, Math.sign(down[1]!) * half, 0]));
}
/** Where on the rim it is, in the cylinder, as an angle. */
function placeOnRim(q: V): number {
  const down = turnedBack(q, scale(up, -1));
  return Math.atan2(down[0]!, down[2]!);
}

/** Tilts with three points and more, and nearly lying with two. */
const tilts = [0.12, 0.5, 1, 1.4];
const cases = tilts.flatMap((tilt) =>
  [false, true].flatMap((flipped) => [false, true].map((onPlane) => [tilt, flipped, onPlane] as const)),
);

describe.each(cases)('a cylinder tilted by %f, flipped %s, on a plane %s', (tilt, flipped, onPlane) => {
  it.each([
    { spin: 11, sweep: 0.5 },
    { spin: -9, sweep: 1 },
    { spin: 6, sweep: -0.8 },
  ])('rolls on the lowest point of its rim, that of the middle of the step: %o', (motion) => {
    const { q, raw, found } = cylinder(tilt, flipped, onPlane, motion);
    expect(raw.length).toBe(1);
    expect(raw[0]!.length).toBeGreaterThan(1);
    expect(found.map((points) => points.length)).toEqual([1, raw[0]!.length - 1]);
    const deepest = raw[0]!.reduce((a, b) => (b.s < a.s ? b : a));
    // The axis goes round the normal; the spin about itself leaves the rim where it is.
    const middle = multiply(rotationOf(scale(up, (motion.sweep * dt) / 2)), q);
    const way = sub(lowest(middle), lowest(q));
    expect(norm(way)).toBeGreaterThan(1e-4);
    const moved = sub(found[0]![0]!.at, deepest.at);
    expect(norm(sub(moved, way))).toBeLessThan(0.08 * norm(way));
    expect(found[0]![0]!.s).toBeCloseTo(deepest.s, 6);
  });

  it('has the other points lifted as they turn round with it, from the tangents on which they would go on', () => {
    const { q, w, raw, found } = cylinder(tilt, flipped, onPlane, { spin: 13, sweep: -2 });
    const turn = placeOnRim(multiply(rotationOf(scale(w, 1e-4)), q)) - placeOnRim(q);
    const angle = (turn / 1e-4) * dt;
    const deepest = raw[0]!.reduce((a, b) => (b.s < a.s ? b : a));
    const others = raw[0]!.filter((p) => p !== deepest);
    expect(found[1]!.length).toBe(others.length);
    const axis = turned(q, [0, 1, 0]);
    const low = sub(lowest(q), scale(axis, dot(axis, lowest(q))));
    const most = dot(low, up) * (Math.cos(angle) - 1);
    for (const [i, p] of others.entries()) {
      expect(norm(sub(found[1]![i]!.at, p.at))).toBeLessThan(1e-6);
      const arm = sub(p.at, scale(axis, dot(axis, p.at)));
      const side = cross(axis, arm);
      // On the circle, and along its tangent.
      const circle = add(scale(arm, Math.cos(angle)), scale(side, Math.sin(angle)));
      const lift = dot(up, sub(circle, add(arm, scale(side, angle)))) - dot(up, side) * (Math.sin(angle) - angle);
      expect(Math.abs(found[1]![i]!.s - p.s - Math.max(lift, 0))).toBeLessThan(0.06 * most + 1e-6);
    }
  });

  it('keeps all points where it does not roll, where it tips over, and where it falls flat within the step', () => {
    const whole = cylinder(tilt, flipped, onPlane, { spin: 11, sweep: 1.5 }).raw[0]!.length;
    const counts = (motion: Motion) => cylinder(tilt, flipped, onPlane, motion).found.map((points) => points.length);
    expect(counts({ spin: 0, sweep: 0 })).toEqual([whole]);
    // The point goes round the rim at a thirtieth of the speed at which the axis tips.
    expect(counts({ spin: 0.1, sweep: 0, tip: 3 })).toEqual([whole]);
    const isFlat = tilt < 0.3 || tilt > 1.3;
    for (const fall of [0, -6, 6]) {
      const reach = Math.min(radius * Math.sin(tilt), half * Math.cos(tilt));
      const flat = fall > 0 && fall * dt > reach;
      expect(flat).toBe(isFlat && fall > 0);
      expect(counts({ spin: 11, sweep: 1.5, fall })).toEqual(flat ? [whole] : [1, whole - 1]);
    }
  });
});
