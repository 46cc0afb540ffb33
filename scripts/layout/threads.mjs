// Scratch of threads.

export const threads = [
  {
    name: 'SweepStep', count: 'per thread', align: 64, core: true,
    doc: 'Parameters of a substep, the same in all four lanes (assembly/sweep/wide_sweep.ts).',
    fields: [],
    rest: [
      ['STEP_H', 'column', 1, 'length of a substep (s)'],
      ['STEP_INV_H', 'column', 1, '1 / s'],
      ['STEP_SOFT', 'column', 3, 'soft contact: rate, mass scale, impulse scale'],
      ['STEP_SOFT_STATIC', 'column', 3, 'the same against static bodies'],
      ['STEP_PUSH', 'column', 1, 'least bias: -pushSpeed'],
      ['STEP_SLOP', 'column', 1, 'slop'],
      ['STEP_WARM_START', 'column', 1, 'factor on carried impulses'],
      ['STEP_TIME', 'f32', 4, 'middle of the substep since the start of the step (s)'],
      ['STEP_FACTORS', 'column', 1, 'scratch of rescaleGroups'],
    ],
  },
  {
    name: 'BodyFindings', count: 'per thread', align: 16, core: true,
    doc: 'What the tasks of a thread have found of bodies (assembly/bodies/integrate.ts).',
    fields: [
      ['largest', 'f32', 'the largest number'],
      ['wild', 'u32', '1: a speed had no square'],
      ['pad', 'u32 0 1', 'zero'],
    ],
  },
  {
    name: 'ThreadBlock', count: 'per thread', align: 64, core: true,
    doc: 'Scratch of a thread, behind Team (assembly/threads/team.ts).',
    fields: [],
    rest: [
      ['BLOCK_STEP', 'SweepStep', 1, 'of the solver; between its calls anybody uses these bytes while a function runs'],
      ['BLOCK_JOINTS', 'JointParameters', 1, 'of joints'],
      ['BLOCK_JOINT_SCRATCH', 'JointScratch', 1, 'of joints'],
      ['BLOCK_FINDINGS', 'BodyFindings', 1, 'of bodies'],
      ['BLOCK_PAUSE', 'u32', 4, 'a word to wait at that nobody changes'],
    ],
  },
];
