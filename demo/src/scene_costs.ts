// What steps cost, in steps of the probe (probe.ts) on the same machine. `node demo/tools/run.mjs costs` measures and writes it.

/** Scenes of the page with their standard number of bodies: mean of the most expensive half second of the first six. */
export const SCENE_COSTS: Readonly<Record<string, number>> = {
  boxes: 330,
  'boxes-small': 53,
  chain: 2.7,
  cardhouse: 0.89,
  'cardhouse-hit': 1.1,
  chess: 170,
  fracture: 19,
  wall: 9.5,
  pyramid: 35,
  boxes720: 13,
  mixed: 3000,
  spheres: 320,
  rubble: 210,
  heap: 140,
  ragdolls150: 61,
  'capsule-chain': 30,
  'hanging-chain': 2,
  bridge: 2.9,
  'joint-grid': 310,
  car: 21,
  arm: 3.4,
  'four-bar': 4.3,
  'gear-train': 3.9,
  pulley: 3.5,
  course: 3,
  slopes: 27,
  circuit: 27,
  conveyor: 4.1,
  bullets: 80,
  strip: 2.4,
  cradle: 2.8,
  'euler-disc': 1.1,
  plates: 6,
  water: 56,
  domino: 5.8,
  slabs: 3.6,
};

/** Sizes of the page of measurements: mean over a run of the most expensive of its scenes. */
export const MEASURE_COSTS: Readonly<Record<number, number>> = {
  250: 7.9,
  1000: 50,
  4000: 600,
};
