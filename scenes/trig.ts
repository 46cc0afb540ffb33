// Cosine and sine by nothing but +, -, * and Math.round, so that a scene that needs them is the same bit by bit in every JavaScript
// engine (see random.ts). Within 2e-16 of the true values for angles of a few turns.

const QUARTER = Math.PI / 2;

/** Taylor series of an angle of at most an eighth of a turn. */
function series(x: number): [cos: number, sin: number] {
  const s = x * x;
  let cos = 0;
  let sin = 0;
  // Horner from the smallest term: 1 - s/2 (1 - s/12 (1 - ...)) and x (1 - s/6 (1 - s/20 (1 - ...))).
  for (let n = 16; n >= 2; n -= 2) {
    cos = (s / (n * (n - 1))) * (1 - cos);
    sin = (s / (n * (n + 1))) * (1 - sin);
  }
  return [1 - cos, x * (1 - sin)];
}

/** Cosine and sine of an angle, rad. */
export function cosSin(angle: number): [cos: number, sin: number] {
  const turns = Math.round(angle / QUARTER);
  const [c, s] = series(angle - turns * QUARTER);
  const quadrant = ((turns % 4) + 4) % 4;
  if (quadrant === 0) return [c, s];
  if (quadrant === 1) return [-s, c];
  return quadrant === 2 ? [-c, -s] : [s, -c];
}
