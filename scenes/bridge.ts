// A bridge of hinged planks between two fixed ends, with boxes dropped on it.
import { rotationAboutZ, SceneBuilder } from './builder';
import { type Scene, type SceneOptions, type Vec3, WORLD } from './types';

/** Distance of the hinges, half the length, thickness and width of a plank, m. */
const PITCH = 0.42;
const PLANK: Vec3 = [0.2, 0.04, 1];
/** Sag over half the span: the planks are about 2 % longer than the way between the ends. */
const SAG = 0.175;
const LOAD = 0.25;

/** `count` 60 planks (an even number) in a hanging arc, one box of twice the mass of a plank on every second. */
export function bridge(options: SceneOptions = {}): Scene {
  const half = Math.max(2, Math.round(((options.count ?? 60) * (options.scale ?? 1)) / 2));
  const builder = new SceneBuilder();
  const plank = builder.box(...PLANK);
  const load = builder.box(LOAD, LOAD, LOAD);
  const span = half * PITCH;
  const height = (x: number) => (SAG * x * x) / span;
  // Hinges from the middle outwards, on the parabola and a pitch apart.
  const outwards = [0];
  for (let i = 0; i < half; i++) {
    const from = outwards[i];
    let low = from;
    let high = from + PITCH;
    for (let k = 0; k < 60; k++) {
      const x = (low + high) / 2;
      const dy = height(x) - height(from);
      if ((x - from) * (x - from) + dy * dy > PITCH * PITCH) high = x;
      else low = x;
    }
    outwards.push((low + high) / 2);
  }
  const hinges = [
    ...outwards
      .slice(1)
      .reverse()
      .map((x) => -x),
    ...outwards,
  ];
  const chain: number[] = [];
  let last = WORLD;
  const middles: Vec3[] = [];
  for (let i = 0; i + 1 < hinges.length; i++) {
    const [a, b] = [hinges[i], hinges[i + 1]];
    const middle: Vec3 = [(a + b) / 2, (height(a) + height(b)) / 2, 0];
    const rotation = rotationAboutZ((b - a) / PITCH, (height(b) - height(a)) / PITCH);
    const body = builder.dynamic(plank, middle, { rotation });
    chain.push(builder.joint('hinge', last, body, { at: [a, height(a), 0], axis: [0, 0, 1], side: [1, 0, 0] }));
    middles.push(middle);
    last = body;
  }
  const end = hinges[hinges.length - 1];
  chain.push(builder.joint('hinge', WORLD, last, { at: [end, height(end), 0], axis: [0, 0, 1], side: [1, 0, 0] }));
  for (let i = 0; i < middles.length; i += 2) {
    builder.dynamic(load, [middles[i][0], middles[i][1] + 0.5, 0]);
  }
  return builder.build('bridge', `bridge of ${2 * half} planks on hinges under ${half} boxes`, 0, {
    bounds: { min: [-span - 2, -span, -5], max: [span + 2, span, 5] },
    chain,
  });
}
