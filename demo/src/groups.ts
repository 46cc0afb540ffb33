// The scenes of the page in groups: the order of the menu, of the pictures, and of "next scene".
export interface Group {
  title: string;
  /** Names of entries of catalog.ts. */
  scenes: readonly string[];
}

export const GROUPS: readonly Group[] = [
  { title: 'Play', scenes: ['course', 'circuit', 'bullets', 'water', 'conveyor', 'wall', 'many'] },
  { title: 'Machines', scenes: ['car', 'gear-train', 'arm', 'four-bar', 'pulley'] },
  { title: 'Piles', scenes: ['boxes', 'boxes-small', 'pyramid', 'mixed', 'spheres', 'rubble', 'heap'] },
  { title: 'Ragdolls and joints', scenes: ['ragdolls150', 'bridge', 'capsule-chain', 'hanging-chain', 'joint-grid'] },
  { title: 'Scenes of papers', scenes: ['chain', 'cardhouse', 'cardhouse-hit', 'chess', 'fracture', 'boxes720'] },
  {
    title: 'Torture',
    scenes: [
      'arch',
      'arch-thin',
      'gyroscope',
      'wrecking-ball',
      'racket',
      'domino',
      'slabs',
      'plates',
      'cradle',
      'euler-disc',
      'strip',
      'slopes',
    ],
  },
];

/** All names in the order of the groups. */
export const ORDER: readonly string[] = GROUPS.flatMap(({ scenes }) => scenes);
