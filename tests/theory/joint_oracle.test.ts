// The oracle of joints proves itself: rates of its measures by finite differences, its pass by what defines it.
import { describe, expect, test } from 'vitest';
import {
  kineticEnergy,
  measureOf,
  type OracleBody,
  type OracleJoint,
  projectVelocities,
  rowsOf,
  rowVelocity,
  solveSemidefinite,
  swingRate,
  swingTwist,
  turnedInertia,
} from '../helpers/joint_oracle';
import { seeded } from '../helpers/random';
import {
  add,
  cross,
  dot,
  multiply,
  norm,
  rotationOf,
  rotationVector,
  scale,
  solveSymmetric,
  sub,
  turned,
  type Vec,
} from '../helpers/vectors';

const random = seeded(5);
const vector = (size: number): Vec => [0, 1, 2].map(() => size * (2 * random() - 1));

function rotation(): Vec {
  for (;;) {
    const q = [0, 1, 2, 3].map(() => 2 * random() - 1);
    const n = norm(q);
    if (n > 0.1 && n < 1) return scale(q, 1 / n);
  }
}

function body(): OracleBody {
  const q = rotation();
  const [a, b, c] = [0.1 + random(), 0.1 + random(), 0.1 + random()];
  const mass = 0.5 + 5 * random();
  return {
    mass,
    inertia: turnedInertia(
      [b * b + c * c, a * a + c * c, a * a + b * b].map((x) => (mass * x) / 3),
      q,
    ),
    position: vector(3),
    rotation: q,
    center: vector(0.3),
    velocity: vector(2),
    spin: vector(2),
  };
}

/** The body a time `dt` later. */
function moved(b: OracleBody, dt: number): OracleBody {
  const center = b.center ?? [0, 0, 0];
  const at = add(add(b.position, turned(b.rotation, center)), scale(b.velocity, dt));
  const q = multiply(rotationOf(scale(b.spin, dt)), b.rotation);
  return { ...b, rotation: q, position: sub(at, turned(q, center)) };
}

const DT = 1e-5;
/** Central difference of a measure of the bodies. */
function rate(bodies: OracleBody[], measure: (bodies: OracleBody[]) => number): number {
  const at = (dt: number) => measure(bodies.map((b) => moved(b, dt)));
  return (at(DT) - at(-DT)) / (2 * DT);
}

/** Frames with this swing and twist, seen from a turned A. */
function frames(angle: number, twist: number): { frameA: Vec; frameB: Vec; azimuth: number } {
  const frameA = rotation();
  const azimuth = 2 * Math.PI * random();
  const swing = rotationOf([angle * Math.cos(azimuth), angle * Math.sin(azimuth), 0]);
  return { frameA, frameB: multiply(frameA, multiply(swing, rotationOf([0, 0, twist]))), azimuth };
}

describe('swing and twist', () => {
  test.each([0.001, 0.3, 1, 2, 3])('a swing of %s rad and a twist are found again', (angle) => {
    for (let i = 0; i < 20; i++) {
      const twist = 6 * random() - 3;
      const { frameA, frameB, azimuth } = frames(angle, twist);
      const m = swingTwist(frameA, frameB);
      expect(m.angle).toBeCloseTo(angle, 9);
      expect(m.twist).toBeCloseTo(twist, 9);
      expect(m.swing[0]).toBeCloseTo(angle * Math.cos(azimuth), 8);
      expect(m.swing[1]).toBeCloseTo(angle * Math.sin(azimuth), 8);
    }
  });

  test.each([0.05, 0.35, 0.79, 1.57, 2.6, 2.97])('their rates at a swing of %s rad are those of the axes', (angle) => {
    for (let i = 0; i < 20; i++) {
      const { frameA, frameB } = frames(angle, 4 * random() - 2);
      const [wA, wB] = [vector(1), vector(1)];
      const at = (dt: number) =>
        swingTwist(multiply(rotationOf(scale(wA, dt)), frameA), multiply(rotationOf(scale(wB, dt)), frameB));
      const difference = (f: (m: ReturnType<typeof at>) => number) => (f(at(DT)) - f(at(-DT))) / (2 * DT);
      const m = at(0);
      const w = sub(wB, wA);
      expect(difference((x) => x.angle)).toBeCloseTo(dot(m.swingAxis, w), 7);
      if (1 + dot(m.axes[2], m.zB) > 0.05) expect(difference((x) => x.twist)).toBeCloseTo(dot(m.twistAxis, w), 6);
      const exact = swingRate(
        m.swing,
        m.axes.map((axis) => dot(axis, w)),
      );
      for (const k of [0, 1]) expect(difference((x) => x.swing[k]!)).toBeCloseTo(exact[k]!, 5);
    }
  });

  test('unit rows on x and y are the rate of the swing up to its first order', () => {
    for (const angle of [1e-3, 1e-2, 1e-1]) {
      const { frameA, frameB } = frames(angle, 0.4);
      const m = swingTwist(frameA, frameB);
      const w = vector(1);
      const local = m.axes.map((axis) => dot(axis, w));
      const exact = swingRate(m.swing, local);
      expect(Math.hypot(exact[0] - local[0]!, exact[1] - local[1]!)).toBeLessThan(2 * angle);
    }
  });

  test('rotation vectors go there and back', () => {
    for (let i = 0; i < 20; i++) {
      const v = scale(vector(1), 1.7);
      rotationVector(rotationOf(v)).forEach((x, k) => {
        expect(x).toBeCloseTo(v[k]!, 10);
      });
    }
  });
});

/** A joint whose anchors and frames of B lie a little off those of A. */
function joint(bodies: OracleBody[], bodyA: number, bodyB: number, locked: number, more: Partial<OracleJoint> = {}): OracleJoint {
  const b = bodies[bodyB]!;
  const a = bodies[bodyA];
  const at = vector(3);
  const into = (body: OracleBody, point: Vec) =>
    turned(
      scale(body.rotation, 1).map((x, k) => (k < 3 ? -x : x)),
      sub(point, body.position),
    );
  const frame = rotation();
  const frameIn = (body: OracleBody) =>
    multiply(
      body.rotation.map((x, k) => (k < 3 ? -x : x)),
      frame,
    );
  const off = rotationOf(vector(0.002));
  return {
    bodyA,
    bodyB,
    anchorA: a ? into(a, at) : at,
    anchorB: into(b, add(at, vector(0.001))),
    frameA: a ? frameIn(a) : frame,
    frameB: multiply(frameIn(b), off),
    locked,
    ...more,
  };
}

const MASKS = {
  ball: 0b000111,
  hinge: 0b011111,
  fixed: 0b111111,
  slider: 0b111011,
  cylindrical: 0b011011,
  wheel: 0b011101,
};

describe('rows', () => {
  test.each(Object.entries(MASKS))('of a %s are the rates of its errors', (_, locked) => {
    for (let i = 0; i < 10; i++) {
      const bodies = [body(), body()];
      const j = joint(bodies, i % 3 === 0 ? -1 : 0, 1, locked);
      const velocities = bodies.flatMap((b) => [...b.velocity, ...b.spin]);
      rowsOf(bodies, j).forEach((row, k) => {
        const measured = rate(bodies, (now) => rowsOf(now, j)[k]!.error);
        // World axes of three locked ways and unit rows of swings turn with A: first order in errors of 2e-3.
        expect(Math.abs(measured - rowVelocity(row, velocities)), `axis ${row.axis}`).toBeLessThan(0.02);
      });
    }
  });

  test('of a distance, a pulley and a gear are exact', () => {
    for (let i = 0; i < 10; i++) {
      const bodies = [body(), body()];
      const velocities = bodies.flatMap((b) => [...b.velocity, ...b.spin]);
      const rod = joint(bodies, 0, 1, 1, { kind: 'distance', anchorA: vector(0.5), anchorB: vector(0.5) });
      expect(rate(bodies, (now) => norm(measureOf(now, rod).gap))).toBeCloseTo(
        rowVelocity(rowsOf(bodies, rod)[0]!, velocities),
        6,
      );
      const pulley = joint(bodies, 0, 1, 1, { kind: 'pulley', ratio: 2, groundA: [0, 9, 0], groundB: [3, 9, 0] });
      expect(rate(bodies, (now) => rowsOf(now, pulley)[0]!.error)).toBeCloseTo(
        rowVelocity(rowsOf(bodies, pulley)[0]!, velocities),
        6,
      );
      const gear = joint(bodies, 0, 1, 32, { kind: 'gear', ratio: 3 });
      const m = measureOf(bodies, gear);
      const expected = dot(m.axes[2], bodies[0]!.spin) + 3 * dot(m.zB, bodies[1]!.spin);
      expect(rowVelocity(rowsOf(bodies, gear)[0]!, velocities)).toBeCloseTo(expected, 12);
    }
  });
});

describe('one exact pass', () => {
  const kinds = Object.values(MASKS);
  /** A random tree of joints, the first body at the world. */
  function tree(count: number): { bodies: OracleBody[]; joints: OracleJoint[] } {
    const bodies = Array.from({ length: count }, body);
    const joints = bodies.map((_, i) => joint(bodies, i === 0 ? -1 : Math.floor(random() * i), i, kinds[i % kinds.length]!));
    return { bodies, joints };
  }

  test('satisfies every row, with impulses that explain every change', () => {
    const { bodies, joints } = tree(12);
    const { velocities, impulses, rows, rank } = projectVelocities(bodies, joints);
    expect(rank).toBe(rows.length);
    for (const row of rows) expect(Math.abs(rowVelocity(row, velocities))).toBeLessThan(1e-9);
    bodies.forEach((b, i) => {
      let p: Vec = [0, 0, 0];
      let l: Vec = [0, 0, 0];
      rows.forEach((row, k) => {
        if (row.bodyA === i) [p, l] = [add(p, scale(row.linearA, impulses[k]!)), add(l, scale(row.angularA, impulses[k]!))];
        if (row.bodyB === i) [p, l] = [add(p, scale(row.linearB, impulses[k]!)), add(l, scale(row.angularB, impulses[k]!))];
      });
      const dw = solveSymmetric(b.inertia, l);
      for (let k = 0; k < 3; k++) {
        expect(velocities[6 * i + k]! - b.velocity[k]!).toBeCloseTo(p[k]! / b.mass, 9);
        expect(velocities[6 * i + 3 + k]! - b.spin[k]!).toBeCloseTo(dw[k]!, 9);
      }
    });
  });

  test('costs the least: what is left of the energy is the distance in the metric of masses', () => {
    const { bodies, joints } = tree(6);
    const before = bodies.flatMap((b) => [...b.velocity, ...b.spin]);
    const { velocities } = projectVelocities(bodies, joints);
    const change = velocities.map((x, i) => x - before[i]!);
    // Pythagoras holds for a projection only: E(v0) = E(v) + E(v - v0).
    expect(kineticEnergy(bodies, velocities) + kineticEnergy(bodies, change)).toBeCloseTo(kineticEnergy(bodies, before), 9);
    const again = projectVelocities(
      bodies.map((b, i) => ({
        ...b,
        velocity: [...velocities.slice(6 * i, 6 * i + 3)],
        spin: [...velocities.slice(6 * i + 3, 6 * i + 6)],
      })),
      joints,
    );
    again.velocities.forEach((x, i) => {
      expect(x).toBeCloseTo(velocities[i]!, 9);
    });
  });

  test('drives rows by their bias', () => {
    const { bodies, joints } = tree(5);
    const { velocities, rows } = projectVelocities(bodies, joints, (row) => 7 * row.error);
    for (const row of rows) expect(rowVelocity(row, velocities)).toBeCloseTo(-7 * row.error, 8);
  });

  test('keeps momentum and angular momentum of bodies that hang on nothing, where the errors are none', () => {
    const bodies = Array.from({ length: 4 }, body);
    const joints = [1, 2, 3].map((i) => {
      const j = joint(bodies, i - 1, i, MASKS.ball);
      const a = bodies[i - 1]!;
      const b = bodies[i]!;
      const at = add(a.position, turned(a.rotation, j.anchorA));
      return {
        ...j,
        anchorB: turned(
          b.rotation.map((x, k) => (k < 3 ? -x : x)),
          sub(at, b.position),
        ),
      };
    });
    const total = (v: ArrayLike<number>) => {
      let p: Vec = [0, 0, 0];
      let l: Vec = [0, 0, 0];
      bodies.forEach((b, i) => {
        const linear = scale([v[6 * i]!, v[6 * i + 1]!, v[6 * i + 2]!], b.mass);
        const w = [v[6 * i + 3]!, v[6 * i + 4]!, v[6 * i + 5]!];
        const [xx, yy, zz, xy, xz, yz] = b.inertia as [number, number, number, number, number, number];
        const spin = [
          xx * w[0]! + xy * w[1]! + xz * w[2]!,
          xy * w[0]! + yy * w[1]! + yz * w[2]!,
          xz * w[0]! + yz * w[1]! + zz * w[2]!,
        ];
        p = add(p, linear);
        l = add(l, add(cross(add(b.position, turned(b.rotation, b.center!)), linear), spin));
      });
      return [...p, ...l];
    };
    const before = total(bodies.flatMap((b) => [...b.velocity, ...b.spin]));
    total(projectVelocities(bodies, joints).velocities).forEach((x, k) => {
      expect(x).toBeCloseTo(before[k]!, 9);
    });
  });

  test('a closed loop of four bars has three rows too many, and one solution', () => {
    const at = (x: number, y: number): Vec => [x, y, 0];
    const bar = (x: number, y: number): OracleBody => ({
      mass: 2,
      inertia: [0.2, 0.02, 0.2, 0, 0, 0],
      position: at(x, y),
      rotation: [0, 0, 0, 1],
      velocity: vector(1),
      spin: vector(1),
    });
    const bodies = [bar(0, 0.5), bar(0.5, 1), bar(1, 0.5)];
    const hinge = (bodyA: number, bodyB: number, x: number, y: number): OracleJoint => ({
      bodyA,
      bodyB,
      anchorA: bodyA < 0 ? at(x, y) : sub(at(x, y), bodies[bodyA]!.position),
      anchorB: sub(at(x, y), bodies[bodyB]!.position),
      locked: MASKS.hinge,
    });
    const joints = [hinge(-1, 0, 0, 0), hinge(0, 1, 0, 1), hinge(1, 2, 1, 1), hinge(-1, 2, 1, 0)];
    const { velocities, rows, rank } = projectVelocities(bodies, joints);
    expect(rows).toHaveLength(20);
    expect(rank).toBe(17); // 18 unknowns, one free motion
    for (const row of rows) expect(Math.abs(rowVelocity(row, velocities))).toBeLessThan(1e-9);
    // A parallelogram: both cranks turn at one rate, the coupler does not turn.
    expect(velocities[5]!).toBeCloseTo(velocities[17]!, 9);
    expect(velocities[11]!).toBeCloseTo(0, 9);
  });

  test('a body of no motion takes impulses and does not move', () => {
    const bodies = [{ ...body(), mass: Infinity, velocity: [0, 0, 0], spin: [0, 0, 0] }, body()];
    const { velocities } = projectVelocities(bodies, [joint(bodies, 0, 1, MASKS.fixed)]);
    for (let k = 0; k < 12; k++) expect(Math.abs(velocities[k]!)).toBeLessThan(1e-9);
  });
});

test('semidefinite systems', () => {
  const s = [
    [2, 1, 1],
    [1, 2, -1],
    [1, -1, 2],
  ].map((row) => Float64Array.from(row)); // the third row is the first less the second
  const x = [1, 2, 3];
  const r = Float64Array.from(s, (row) => dot([...row], x));
  const { z, rank } = solveSemidefinite(
    s.map((row) => row.slice()),
    r.slice(),
  );
  expect(rank).toBe(2);
  s.forEach((row, i) => {
    expect(dot([...row], [...z])).toBeCloseTo(r[i]!, 10);
  });
});
