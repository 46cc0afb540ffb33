// What steps cost, in steps of the probe (probe.ts) on the same machine. `node demo/tools/run.mjs costs` measures and writes it.

/** Scenes of the page with their standard number of bodies: mean of the most expensive two seconds of the first six. */
export const SCENE_COSTS: Readonly<Record<string, number>> = {
  boxes: 300,
  'boxes-small': 42,
  chain: 1.2,
  cardhouse: 0.82,
  'cardhouse-hit': 2.1,
  chess: 120,
  fracture: 15,
  wall: 3.8,
  pyramid: 26,
  boxes720: 2.7,
  mixed: 1300,
  spheres: 130,
  rubble: 72,
  heap: 75,
  ragdolls150: 120,
  'capsule-chain': 0.79,
  'hanging-chain': 0.73,
  bridge: 2.6,
  'joint-grid': 220,
  car: 0.44,
  arm: 0.51,
  'four-bar': 0.21,
  'gear-train': 0.99,
  pulley: 0.062,
  course: 2.1,
  slopes: 5.1,
  circuit: 5.1,
  conveyor: 1.4,
  bullets: 2.3,
  strip: 0.59,
  cradle: 1.4,
  'euler-disc': 0.62,
  plates: 1.5,
  water: 18,
  domino: 0.64,
  slabs: 0.42,
};

/** Sizes of the page of measurements: mean over a run of the most expensive of its scenes. */
export const MEASURE_COSTS: Readonly<Record<number, number>> = {
  250: 8.2,
  1000: 34,
  4000: 190,
};
