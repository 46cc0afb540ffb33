// Threads: tasks of a step, scratch of each.

export const threads = [
  {
    name: 'Team', count: 'one', align: 64,
    doc:
      'Tasks of a step for several threads (assembly/threads/team.ts). What several threads write has a cache line of its ' +
      'own.',
    fields: [
      ['left', 'u32', 'tasks of the job that nobody has taken; with `number` one word of 64 bits'],
      ['number', 'u32', 'number of the job'],
      ['pad', 'u32 0 1 2 3 4 5 6 7 8 9 10 11 12 13', 'zero'],
      ['done', 'u32', 'tasks of the job that are done'], ['pad', 'u32 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28', 'zero'],
      ['bell', 'u32', 'rises with every job and at the end of a step: threads that sleep in a step wait for it'],
      ['sleepers', 'u32', 'threads that do'],
      ['kind', 'u32', 'of the job: JOB_*'],
      ['count', 'u32', 'tasks of the job'],
      ['capacity', 'u32', 'threads that have scratch'],
      ['lost', 'u32', '1: a thread never ended its task'],
      ['pad', 'u32 29 30 31 32 33 34 35 36 37 38', 'zero'],
    ],
  },
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
