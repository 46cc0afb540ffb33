// Impacts.

export const impacts = [
  {
    name: 'ImpactState', count: 'one', align: 64,
    doc:
      'Impacts at Header.impactState (assembly/impacts): contacts that come in fast with what moves beside them, and bodies ' +
      'that meet alone.',
    fields: [
      [
        'linkBlocks', 'array',
        'u32[]: addresses of blocks of IMPACT_BLOCK rows of ImpactLink: manifolds in which something may hit, and those ' +
        'beside them',
      ],
      ['linkCapacity', 'u32', 'rows in all blocks'],
      ['linkCount', 'u32'],
      ['taken', 'array', 'u32[]: byte addresses of the links that take part in an impact, in the order in which they are swept'],
      ['takenCount', 'u32'],
      ['bodyCount', 'u32'], ['bodies', 'array', 'ImpactBody[]: dynamic bodies that take part'],
      ['marks', 'array', 'u32 a body: 1 + its entry in bodies, 0 between steps'],
      ['bounds', 'array', 'ImpactBound[], a body; scratch of assembly/impacts/find.ts'],
      ['searches', 'u32', 'steps in which impacts were looked for'],
      ['meetings', 'array', 'u32[2] a pair: bodies that meet alone in the step'], ['meetingCount', 'u32'],
      ['flyers', 'array', 'Flyer[2]: the two bodies of the meeting at hand'],
      ['metLinks', 'array', 'ImpactLink[]: its impact, a link a point'],
      ['metContacts', 'array', 'Manifold[]: contacts of these links, a point each'],
      ['metList', 'array', 'u32[]: byte addresses of these links'],
    ],
  },
  {
    name: 'ImpactLink', count: 'per manifold in an impact', align: 16,
    doc:
      'What the points of a contact came in with, and what the impact gives them. Of a manifold that the solver has solved, ' +
      'or of a point at which two bodies meet alone.',
    fields: [
      ['contact', 'u32', 'byte address of the Manifold that has normal, arms and bodies'],
      ['manifold', 'u32', 'index of the manifold that gets the impulse, NONE: there is none'],
      ['fast', 'u32', 'bits of points that came in faster than the threshold'],
      ['taking', 'u32', 'bits of points that take part'],
      [
        'approach', 'f32 0 1 2 3',
        'of each point: speed of the impact along the normal, negative, where it bounces; ' +
        'speed at which it parted before, positive; else 0',
        'm/s',
      ],
      ['bias', 'f32 0 1 2 3', 'the row ends at this speed of closing: negative where it bounces', 'm/s'],
      ['mass', 'f32 0 1 2 3', '1 / K of a point', 'kg'],
      ['impulse', 'f32 0 1 2 3', 'impulse that is added', 'N s'],
      ['given', 'f32 0 1 2 3', 'impulse of the substeps, which the impact may take back', 'N s'],
      ['block', 'f32 11 12 22', 'inverse of K of the two tangents at the mean point', 'kg'],
      ['twistMass', 'f32', 'of the row about the normal', 'kg m2'],
      ['came', 'f32 1 2', 'motion along the tangents before the impact', 'm/s'],
      ['cameTwist', 'f32', 'and about the normal', 'rad/s'],
      ['borne', 'f32', 'normal impulse of the substeps', 'N s'],
      ['tangent', 'f32 1 2', 'friction of the impact', 'N s'],
      ['twist', 'f32', '', 'N m s'],
      ['friction', 'f32', 'coefficient, 0: the impact has none, or the solver has had it'],
      ['centerA', 'vec4f', 'mean point from the center of mass of A', 'm'], ['centerB', 'vec4f', 'and of B', 'm'],
      ['ahead', 'u32', 'bits of fast points that are met in a later step'],
      ['whole', 'u32', '1: nothing touched the two bodies before'],
      ['restA', 'f32', 'of the step behind the meeting, 0 where A does not go on as it bounced', 's'],
      ['restB', 'f32', 'and B', 's'],
    ],
  },
  {
    name: 'ImpactBody', count: 'per body in an impact', align: 16,
    doc: 'A dynamic body in an impact: its energy behind it, before its rotation is advanced.',
    fields: [
      ['body', 'u32'],
      ['energy', 'f32', 'of its rotation, 0 if all its moments of inertia are equal', 'J'],
      ['gain', 'f32', 'energy that the rotation has added and that is not yet taken off', 'J'],
      ['rest', 'f32', 'of the step, in which it goes on as it bounced', 's'],
    ],
  },
  {
    name: 'ImpactBound', count: 'per body', align: 16,
    doc: 'What is known of a body where impacts are looked for. Written when it is first asked for in a step.',
    fields: [
      ['speed', 'f32', 'no point of it is faster when it meets something in the step', 'm/s'],
      ['known', 'u32', 'bits of what has been asked (find.ts)'],
      ['fast', 'u32', '1: a contact of it may come in fast'],
      ['search', 'u32', 'ImpactState.searches for which this holds'],
    ],
  },
  {
    name: 'Flyer', count: 'per body that meets another one alone', align: 16,
    doc: 'A body on its way through the step (assembly/impacts/flight.ts).',
    fields: [
      ['way', 'vec4f', 'since the start of the step', 'm'], ['q', 'vec4f', 'its rotation now'],
      ['column', 'vec4f 0 1 2', 'columns of that rotation'],
      ['body', 'u32'], ['pad', 'u32 0 1 2', 'zero'],
    ],
  },
];
