// The broad phase and the pairs that it finds.

export const broadphase = [
  {
    name: 'BoxTree', count: 'per tree', align: 4, core: true,
    doc: 'A tree of collider boxes (bvh4.ts).',
    fields: [
      ['leaves', 'array', 'u32[]: collider of a leaf, NONE where it was removed'],
      ['leafCount', 'u32'],
      ['nodes', 'array', "BoxNode[], level by level, leaves' parents first"],
      ['levelCount', 'u32'], ['dirty', 'u32', '1: leaves were added, build before the next query'],
      ['moved', 'u32', 'leaves refitted since the last build'],
      ['levels', 'u32', 'u32[16]: first node of each level'],
      ['statics', 'u32', '1: holds colliders of static bodies'],
      ['empty', 'u32', 'removed leaves since the last build'],
      ['built', 'u32', 'leaves that the nodes know: those behind them were added since'],
    ],
  },
  {
    name: 'BroadphaseState', count: 'one', align: 64, core: true,
    doc: 'The broad phase at Header.broadphase (assembly/broadphase/state.ts): two trees, the list of moved colliders.',
    fields: [
      ['moving', 'u32', 'BoxTree of kinematic and dynamic bodies'],
      ['statics', 'u32', 'BoxTree of static bodies'],
      ['moved', 'array', 'u32[]: colliders that left their fat box or were added since the last update'],
      ['movedCount', 'u32'],
      ['hits', 'array', 'u32[]: result of a query, one list for each thread'],
      ['keys', 'array', 'scratch of the build: u32[2 n] keys and u32[2 n] colliders'],
      ['boxBudgets', 'array', 'f64[] per body: fat boxes hold until motion passes this'],
      ['movedStamps', 'array', 'u32[] per collider: step + 1 in which it moved'],
      ['histogram', 'u32', 'u32[2048]'],
      ['stamp', 'u32', 'current value for movedStamps'],
      ['dt', 'f32', 'settings that the budgets were made for'], ['margin', 'f32'],
      ['found', 'array', 'FoundRange[], findRange'],
    ],
  },
  {
    name: 'FoundRange', count: 'per task', align: 8, core: true,
    doc: 'What a task found (assembly/constraints/find_pairs.ts).',
    fields: [
      ['count', 'u32', 'pairs, two words each, behind this'],
      ['from', 'u32', 'the first collider (of the list of those that moved) that is left to the thread that steps'],
    ],
    rest: [
      ['FOUND_PAIRS', 'u64', 'MOST_FOUND', 'pairs: A in the low word'],
    ],
  },
  {
    name: 'TreePlace', count: 'per level of a tree', align: 8, core: true,
    doc: 'Where a walk over a tree of boxes is on one of its levels.',
    fields: [
      ['node', 'u32'], ['left', 'u32', 'bits of the children that are still to visit'],
    ],
  },
  {
    name: 'BoxNode', count: 'per node of a tree of boxes', align: 32, core: true,
    doc: 'Boxes of four children, one a lane.',
    fields: [
      ['min', 'columns X Y Z', '', 'm'],
      ['max', 'columns X Y Z', '', 'm'],
    ],
  },
];
