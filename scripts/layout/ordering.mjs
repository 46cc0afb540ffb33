// Kept cells, the choice of substeps.

export const ordering = [
  {
    name: 'SubstepState', count: 'one', align: 64, core: true,
    doc: 'The choice of substeps at Header.substepState (assembly/ordering/substeps.ts).',
    fields: [
      ['bodies', 'array', 'SubstepEntry[] a body'],
      ['parents', 'array', 'u32[] a body: islands (math/union_find.ts)'],
      ['rigs', 'array', 'u32[] a body: what joints hold together, the same'],
      ['links', 'array', 'u32[2]: dynamic bodies that touch'],
      ['order', 'array', 'u32[]: links by the level of their upper body'],
      ['starts', 'u32', 'u32[MOST_LEVELS + 2]'],
      ['manifolds', 'u32', 'Header.manifoldAlive at the last look'],
      ['sleeping', 'u32', 'Header.sleepingCount at the last look'],
      ['joints', 'u32', 'Header.jointStamp at the last look'],
      ['looked', 'u32', 'step of the last look'],
      ['calm', 'u32', 'steps for which fewer substeps have been enough'],
      ['wanted', 'u32', 'substeps that the last look asked for'],
      ['hides', 'u32', 'substeps that every island may give up at once'],
      ['twoMeans', 'u32', '1: the last look saw an island that takes two means'],
      ['low', 'u32', 'steps in which there was none'],
    ],
  },
  {
    name: 'SubstepEntry', count: 'per body', align: 4, core: true,
    doc: 'What a look knows of a body; what it knows of an island lies in the entry of its root.',
    fields: [
      ['level', 'u32', '1 on a fixed body; 0 if nothing bears it'],
      ['below', 'u32', 'bodies one level down that it touches'],
      ['borne', 'f32', 'itself and what it bears', 'kg'], ['height', 'u32', 'of the island'],
      ['members', 'u32'], ['loads', 'f32', 'sum of borne over own mass'], ['mass', 'f32'],
      ['wanted', 'u16', 'substeps that the island asks for; in the entries of all its bodies'],
      ['hides', 'u16', 'substeps that it may give up at once; the same'],
      ['v', 'vec3', 'sum of velocities over the island'],
      ['squares', 'f32', 'sum of squared speeds'],
      ['stiff', 'f32', 'of a rig: substeps that its loads ask for'],
      ['gives', 'u32', '1: joints hold it to something fixed, or it has soft ones'],
      ['lies', 'u32', '1: it stands on something fixed and moves little'],
      ['joints', 'u32', 'of a rig'], ['others', 'u32', 'bodies of a rig but the first'],
    ],
  },
  {
    name: 'KeptLink', count: 'per link', align: 16, core: true,
    doc: 'A link in a kept cell (assembly/ordering/kept_cells.ts).',
    fields: [
      ['id', 'u32', 'manifold, or joint + JOINT_BIT'],
      ['moverA', 'u32', 'NONE where the body does not move'], ['moverB', 'u32'],
      ['coupling', 'u32', 'bit 0, 1: body A, B is dynamic'],
    ],
  },
  {
    name: 'KeptCell', count: 'per kept cell', align: 8, core: true,
    doc: 'A kept cell; what mending finds of it.',
    fields: [
      ['start', 'u32', 'first link in kept'], ['end', 'u32'],
      ['colorStart', 'u32', 'first entry in keptColors'], ['colors', 'u32'],
      ['links', 'u32', 'after mending'], ['bodies', 'u32'],
      ['touched', 'u32', '1: links have come or gone'],
      ['first', 'u32', 'of its links in segments'],
      ['closed', 'u32', '1: no body of it is in another cell'], ['contactColors', 'u32'],
    ],
  },
];
