// Closed forms of the torture scenes (torture.ts): what an engine without errors would give. In double precision, for the bench, the demo
// and the tests; nothing of a scene depends on them.

/**
 * Least thickness of a semicircular arch over its mean radius for which it has a line of thrust, by the number of its stones (odd). The
 * line is horizontal at the crown by symmetry and stays inside the ring at every joint (Heyman 1969). It tends to 0.1075 for many stones
 * (Milankovitch 1907).
 */
export function leastArchThickness(stones: number): number {
  const angle = Math.PI / stones;
  const stands = (thickness: number): boolean => {
    const [inner, outer] = [1 - thickness / 2, 1 + thickness / 2];
    const area = (outer ** 2 - inner ** 2) / 2;
    // Of the stones from the crown to each joint: weight, its moment about the center, sine and cosine of the joint's angle.
    const joints = Array.from({ length: (stones + 1) / 2 }, (_, j) => {
      const phi = (j + 0.5) * angle;
      const moment = ((outer ** 3 - inner ** 3) / 3) * (1 - Math.cos(phi));
      return { weight: area * phi, moment, sin: Math.sin(phi), cos: Math.cos(phi) };
    });
    // The thrust line crosses a joint at (moment of the crown's thrust + moment) / (weight sin + thrust cos).
    for (let thrust = 0.001; thrust < 2; thrust += 0.001) {
      let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      for (const { weight, moment, sin, cos } of joints) {
        const force = weight * sin + thrust * area * cos;
        low = Math.max(low, inner * force - moment);
        high = Math.min(high, outer * force - moment);
      }
      if (low <= high) return true;
    }
    return false;
  };
  let [falls, holds] = [0.02, 0.3];
  while (holds - falls > 1e-4) {
    const middle = (falls + holds) / 2;
    if (stands(middle)) holds = middle;
    else falls = middle;
  }
  return holds;
}

/** Complete elliptic integral of the first kind, by its complementary modulus k' = sqrt(1 - k^2). */
export function completeElliptic(complement: number): number {
  let [a, b] = [1, complement];
  while (Math.abs(a - b) > 1e-15 * a) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

/**
 * Period (s) of a point mass that swings from rest at `angle` (rad) on a taut chain of `length` (m), whose mass is `share` of the
 * mass of the point: 4 sqrt(l / g) K(sin(angle / 2)), with the chain as a straight rod.
 */
export function pendulumPeriod(length: number, gravity: number, angle: number, share = 0): number {
  const rod = Math.sqrt((1 + share / 3) / (1 + share / 2));
  return 4 * rod * Math.sqrt(length / gravity) * completeElliptic(Math.cos(angle / 2));
}

/**
 * Time (s) between two flips of a free body: half the period of its spin about the axis of the middle moment, 2 K(k) over a rate (Landau
 * and Lifshitz, Mechanics, section 37). `moments` are the principal ones in ascending order, `spin` is about their axes, rad/s.
 */
export function flipTime(moments: readonly number[], spin: readonly number[]): number {
  const twice = moments.reduce((sum, moment, k) => sum + moment * spin[k]! ** 2, 0);
  const squared = moments.reduce((sum, moment, k) => sum + (moment * spin[k]!) ** 2, 0);
  // The two outer axes change places where the momentum is nearer to that of the least moment.
  const [one, two, three] = (squared > twice * moments[1]! ? moments : [...moments].reverse()) as [number, number, number];
  const [high, low] = [(three - two) * (squared - twice * one), (two - one) * (twice * three - squared)];
  const rate = Math.sqrt(high / (one * two * three));
  return (2 * completeElliptic(Math.sqrt(1 - low / high))) / rate;
}

export interface DominoRow {
  /** Height, thickness and the gap between two tiles, m. */
  height: number;
  thickness: number;
  gap: number;
  /** Coulomb coefficient between tiles. */
  friction: number;
  /** m/s2 */
  gravity: number;
}

/**
 * Speed (m/s) of the wave in a long row of dominoes, by the collective model of J. M. J. van Leeuwen, "The domino effect", American Journal
 * of Physics 78 (2010) 721: each tile turns about its front edge without slipping on the floor, leans on the next one from the moment
 * it hits it, inelastically, and slides along it with friction.
 */
export function dominoSpeed({ height: h, thickness: d, gap, friction, gravity }: DominoRow): number {
  const pitch = gap + d;
  const inertia = (h * h + d * d) / 3;
  const hits = Math.asin(gap / h);
  /** Tiles behind the first that have an influence: those farther back lie. */
  const depth = 40;
  /** Tilt of a tile by the tilt of the one in front of it: h sin(tilt - front) = pitch cos(front) - d. */
  const behind = (front: number) => front + Math.asin(Math.min(1, (pitch * Math.cos(front) - d) / h));
  /** Of a train whose first tile has this tilt: tilts, speeds over that of the first, weights that cancel the forces between tiles. */
  const train = (tilt: number, count: number) => {
    const tilts = [tilt];
    const speeds = [1];
    const weights = [1];
    for (let k = 1; k < count; k++) {
      const front = tilts[k - 1]!;
      const own = behind(front);
      const [cos, sin] = [Math.cos(own - front), Math.sin(own - front)];
      tilts.push(own);
      speeds.push(speeds[k - 1]! * (1 - (pitch * Math.sin(front)) / (h * cos)));
      const lever = h * cos - pitch * Math.sin(front) - friction * d;
      weights.push((weights[k - 1]! * Math.max(0, lever)) / (h * cos + friction * h * sin));
    }
    return { tilts, speeds, weights };
  };
  /** Sums of weight x inertia x speed, and of weight x torque of gravity, per mass. */
  const sums = (tilt: number, count: number) => {
    const { tilts, speeds, weights } = train(tilt, count);
    let [mass, torque] = [0, 0];
    for (let k = 0; k < count; k++) {
      mass += weights[k]! * inertia * speeds[k]!;
      torque += (weights[k]! * gravity * (h * Math.sin(tilts[k]!) - d * Math.cos(tilts[k]!))) / 2;
    }
    return { mass, torque };
  };
  /** d(sum of weight x inertia x acceleration)/dt has a part from the speeds that change: by differences. */
  const acceleration = (tilt: number, speed: number, count: number) => {
    const { weights } = train(tilt, count);
    const e = 1e-6;
    const later = train(tilt + e, count).speeds;
    const earlier = train(tilt - e, count).speeds;
    let bend = 0;
    for (let k = 0; k < count; k++) bend += (weights[k]! * inertia * (later[k]! - earlier[k]!)) / (2 * e);
    const { mass, torque } = sums(tilt, count);
    return (torque - bend * speed * speed) / mass;
  };
  let speed = 2;
  let time = 0;
  for (let tile = 1; tile <= 60; tile++) {
    const count = Math.min(tile, depth);
    let tilt = 0;
    time = 0;
    // Midpoint rule over the tilt of the first tile, until it hits.
    const steps = 200;
    for (let k = 0; k < steps; k++) {
      const step = hits / steps;
      const half = speed + ((step / 2) * acceleration(tilt, speed, count)) / speed;
      const middle = acceleration(tilt + step / 2, half, count);
      time += step / half;
      speed += (step * middle) / half;
      tilt += step;
      if (!(speed > 0)) return 0;
    }
    // The impact: the weighted sum of the angular momenta stays, over one tile more.
    const before = train(hits, count);
    const next = Math.min(count + 1, depth);
    const after = train(0, next);
    let [held, mass] = [0, 0];
    for (let k = 1; k < next; k++) held += after.weights[k]! * before.speeds[k - 1]! * speed;
    for (let k = 0; k < next; k++) mass += after.weights[k]! * after.speeds[k]!;
    speed = held / mass;
  }
  return pitch / time;
}
