// Sleep and snapshots.

export const rest = [
  {
    name: 'SleepState', count: 'one', align: 64,
    doc: 'Sleep stage at Header.sleepState.',
    fields: [
      ['woken', 'array', 'u32[]: bodies that woke since the last step'],
      ['wokenCount', 'u32'],
      ['laidCount', 'u32', 'bodies with FLAG_LAID, at least'],
      ['gravity', 'f32 X Y Z', 'gravity that sleepers rest under', 'm/s2'],
      ['fields', 'u32', '1: a field has a force on a body, or had one in the last step (assembly/constraints/fields.ts)'],
    ],
  },
  {
    name: 'LiveState', count: 'one', align: 64,
    doc:
      'What a snapshot holds of memory (assembly/queries/live.ts), at Header.liveState. Ranges follow: u32[2] each, first ' +
      'byte and first byte behind.',
    fields: [
      ['count', 'u32', 'ranges'],
      ['end', 'u32', 'first byte behind all blocks and the start of the last hole'],
      [
        'staging', 'u32',
        'byte address of STAGING_BYTES that are free between calls; behind them the sum: u32[16] sums of the words of cache ' +
        'lines by their place, u32[16] sums of these sums',
      ],
      ['pad0', 'u32', 'zero'],
      ['pad', 'vec4u 1 2 3', 'zero'],
    ],
  },
];
